import { WayfareError } from "./error.js";
import { raw, rawFull } from "./load.js";
import { describe, options as known } from "./handle.js";
import type { Level } from "./level.js";
import { rawLevel } from "./level.js";
import { NavMesh, rawMesh } from "./nav-mesh.js";
import type { BakeSettings, Progress } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { Box, Vec3 } from "./vector.js";
import { box, callable, count, finite, real } from "./vector.js";
import type { RawBakeJob, RawBaked } from "./wasm/full.js";

/** What a bake may have to tell. */
export type BakeWarningKind =
  | "triangle-not-finite"
  | "triangle-degenerate"
  | "contour-dropped"
  | "contour-repaired"
  | "hole-dropped"
  | "triangulation-incomplete"
  | "detail-limit"
  | "unwise-setting"
  | "volume-outside"
  | "ground-outside"
  | "nothing-walkable"
  | "inside-hollow-body";

/** A kind of thing that a bake worked around, where, and how often. */
export interface BakeWarning {
  kind: BakeWarningKind;
  /** How often. */
  count: number;
  /** The first places. */
  places: Vec3[];
}

/** What a bake did. */
export interface BakeReport {
  bounds: [Vec3, Vec3];
  stats: {
    tiles: number;
    emptyTiles: number;
    /** Tiles taken over from an earlier bake. */
    reusedTiles: number;
    /** Cells along x and z. */
    width: number;
    depth: number;
    trianglesOutside: number;
    spans: number;
    walkableSpans: number;
    erodedSpans: number;
    regions: number;
    contours: number;
    polys: number;
    polyVerts: number;
    /** Square metres. */
    polyArea: number;
    detailVerts: number;
    detailTriangles: number;
  };
  warnings: BakeWarning[];
}

/** A baked mesh with its report. */
export interface Baked {
  mesh: NavMesh;
  report: BakeReport;
  /** Why nothing can be walked on, where that is so; then the mesh is empty. */
  whyEmpty: string | null;
}

/** How a bake is done. */
export interface BakeOptions {
  /** Is told how far the bake is; returning `false` cancels it. */
  progress?: Progress;
  /** Remembers what each tile was made from, for {@link rebake}. Default false. */
  keep?: boolean;
  /** Takes the bake's remarks, a sentence each. */
  log?(remark: string): void;
  /** Bytes that the bake may take; more is an error of code `memory`. Default: 3 GiB. */
  memoryLimit?: number;
}

/** How a bake that leaves the page alive is done. */
export interface BakeAsyncOptions extends BakeOptions {
  /** Cancels the bake. */
  signal?: AbortSignal;
  /** Milliseconds of work between two looks at the page, at least one step. More than 0; default 8. */
  slice?: number;
}

/** Work between two looks at the clock or the callback; a few milliseconds. */
const UNITS = 400_000;

const OPTIONS = ["progress", "keep", "log", "memoryLimit"] as const;

function finish(job: RawBakeJob, options: BakeOptions): Baked {
  return unpack(job.takeMesh(options.keep ?? false));
}

function unpack(baked: RawBaked): Baked {
  const mesh = baked.takeMesh();
  if (mesh === undefined) throw new WayfareError("internal", "The bake gave no mesh.");
  const answer = { mesh: new NavMesh(mesh), report: baked.report() as BakeReport, whyEmpty: baked.whyEmpty() ?? null };
  baked.free();
  return answer;
}

function cancelled(): WayfareError {
  return new WayfareError("cancelled", "The bake was cancelled.");
}

function tell(options: BakeOptions, [done, total]: ArrayLike<number> & Iterable<number>): void {
  if (options.progress?.(done as number, total as number) === false) throw cancelled();
}

function startJob(level: Level, settings: readonly BakeSettings[], options: BakeOptions): RawBakeJob {
  if (options.progress !== undefined) callable(options.progress, "progress");
  const job = new (raw().RawBakeJob)(rawLevel(level), settings.map(bakeOptions));
  if (options.log !== undefined) job.setLog(callable(options.log, "log"));
  if (options.memoryLimit !== undefined) job.setMemoryLimit(real(options.memoryLimit, "memoryLimit"));
  return job;
}

function isFinished([done, total]: ArrayLike<number> & Iterable<number>): boolean {
  return (done as number) >= (total as number);
}

/** Bakes a level into a mesh, in one call. The same bytes come out on every machine. */
export function bake(level: Level, settings: BakeSettings = {}, options: BakeOptions = {}): Baked {
  return bakeAgents(level, [settings], options)[0] as Baked;
}

/** Bakes a level for several agents, from one look at its triangles where their slope and climb are the same. */
export function bakeAgents(level: Level, settings: readonly BakeSettings[], options: BakeOptions = {}): Baked[] {
  if (!Array.isArray(settings)) {
    throw new WayfareError("invalid-argument", `settings must be a list of settings, one for each agent, but is ${describe(settings)}.`);
  }
  known(options, OPTIONS);
  const job = startJob(level, settings, options);
  try {
    let progress: Float64Array;
    do {
      progress = job.step(options.progress === undefined ? 0 : UNITS);
      tell(options, progress);
    } while (!isFinished(progress));
    return settings.map(() => finish(job, options));
  } finally {
    job.free();
  }
}

/**
 * Bakes a level bit by bit, so that the page goes on living; to leave this thread alone, see `wayfare/pool`.
 *
 * @throws {@link WayfareError} `cancelled` when the signal says so, or `progress` returns `false`.
 */
export async function bakeAsync(
  level: Level,
  settings: BakeSettings = {},
  options: BakeAsyncOptions = {},
): Promise<Baked> {
  const { signal, slice = 8, ...rest } = known(options, [...OPTIONS, "signal", "slice"]);
  if (!(finite(slice, "slice") > 0)) {
    throw new WayfareError("invalid-argument", `slice must be more than 0 milliseconds, but is ${slice}.`);
  }
  const job = new BakeJob(level, settings, rest);
  try {
    while (!job.isFinished) {
      if (signal?.aborted) throw cancelled();
      const began = performance.now();
      do {
        job.step();
      } while (!job.isFinished && performance.now() - began < slice);
      await nextTask();
    }
    if (signal?.aborted) throw cancelled();
    return job.finish();
  } finally {
    job.dispose();
  }
}

/** Lets the page draw and listen. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** A bake whose steps are taken by the caller: one or more a frame. */
export class BakeJob {
  #job: RawBakeJob | undefined;
  #options: BakeOptions;
  /** How far it is, in units of its own. */
  done = 0;
  total = 1;

  constructor(level: Level, settings: BakeSettings = {}, options: BakeOptions = {}) {
    this.#job = startJob(level, [settings], known(options, OPTIONS));
    this.#options = options;
  }

  get isFinished(): boolean {
    return this.done >= this.total;
  }

  /** Goes on by some units of work, 1 or more: a cell, a span, a triangle each. Default: a few milliseconds' worth. */
  step(units = UNITS): void {
    if (count(units, "units") === 0) {
      throw new WayfareError("invalid-argument", "units must be 1 or more, but is 0: a step of none would never finish.");
    }
    if (this.isFinished) return;
    const progress = this.#raw.step(units);
    [this.done, this.total] = [progress[0] as number, progress[1] as number];
    tell(this.#options, progress);
  }

  /** The mesh, when it is finished. */
  finish(): Baked {
    const baked = finish(this.#raw, this.#options);
    this.dispose();
    return baked;
  }

  get #raw(): RawBakeJob {
    if (this.#job === undefined) throw new WayfareError("disposed", "This BakeJob is over.");
    return this.#job;
  }

  /** Gives its memory back; a bake that is not finished is given up. */
  dispose(): void {
    this.#job?.free();
    this.#job = undefined;
  }
}

/** Bakes again after a level has changed; tiles that come from the same are taken over from a mesh baked with `keep`. */
export function rebake(level: Level, settings: BakeSettings, old: NavMesh): Baked {
  return unpack(rawFull().rebake(rawLevel(level), bakeOptions(settings), rawMesh(old)));
}

/** Advice on settings that are legal and unwise, a sentence each. */
export function settingsWarnings(settings: BakeSettings): string[] {
  return raw().settingsWarnings(bakeOptions(settings));
}

/** Bakes the tiles under a box anew, puts them into a mesh of the same settings and bounds, and returns how many. */
export function rebuildTiles(level: Level, settings: BakeSettings, mesh: NavMesh, under: Box): number {
  return rawFull().rebuildTiles(rawLevel(level), bakeOptions(settings), rawMesh(mesh), box(under, "under"));
}
