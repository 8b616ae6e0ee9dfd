import { WayfareError } from "./error.js";
import { Handle, describe, options as known, rawOf, word } from "./handle.js";
import { raw } from "./load.js";
import type { Vec3, Vec3Like } from "./vector.js";
import { attached, count, finite, point, pointNumbers, vec3At } from "./vector.js";
import type { PointList } from "./vector.js";
import type { PlainVolume, VolumeLike } from "./volume.js";
import { plainVolume, rawVolume } from "./volume.js";
import type { RawLevel } from "./wasm/full.js";

/** Triangles of a level. */
export interface LevelInput {
  /** Corners, three numbers each, or a list of points. */
  positions: PointList;
  /** Three for each triangle, counterclockwise as seen from above. Default: the corners in their order. */
  indices?: Uint32Array | Uint16Array | readonly number[];
  /** An area type for each triangle, 0 to 63; 0 cannot be walked on. Default: 63, plain ground. */
  areas?: Uint8Array | readonly number[];
  /** Coordinates of another engine, which are turned into metres with y up. Without area types only. */
  frame?: {
    /** Default `"y"`. */
    up?: "y" | "z";
    /** Default `"right"`. */
    handedness?: "right" | "left";
    /** Metres of a unit. Default 1. */
    unit?: number;
  };
}

/** A height map: one sample for each crossing of a grid. */
export interface TerrainInput {
  /** Samples along x. */
  columns: number;
  /** Samples along z. */
  rows: number;
  /** `columns * rows` samples, row by row. */
  samples: Uint16Array;
  /** Where the first sample lies, at height 0. Default: the origin. */
  origin?: Vec3Like;
  /** Metres between samples. */
  spacing: number;
  /** Metres of one step of height. */
  step: number;
  /** Its area type. Default 63. */
  area?: number;
}

/** What was left out of a level's triangles. */
export interface LevelReport {
  /** Triangles with a corner that is not finite. */
  notFinite: number;
  /** Triangles without area. */
  degenerate: number;
  firstNotFiniteAt: Vec3 | null;
  firstDegenerateAt: Vec3 | null;
}

/** @internal A level as numbers. */
export interface PlainLevel {
  positions: Float32Array;
  indices: Uint32Array;
  areas: Uint8Array;
  terrain: TerrainInput | undefined;
  volumes: readonly PlainVolume[];
}

/** @internal */
export function rawOfPlain({ positions, indices, areas, terrain, volumes }: PlainLevel): RawLevel {
  const { RawLevel } = raw();
  const level = indices.length === 0 ? RawLevel.empty() : new RawLevel(positions, indices, areas);
  if (terrain !== undefined) addTerrain(level, terrain);
  for (const volume of volumes) {
    const made = rawVolume(volume);
    level.addVolume(made);
    made.free();
  }
  return level;
}

/** What a mesh is baked from: triangles, a height map, volumes that mark areas. */
export class Level extends Handle<RawLevel> {
  #volumes: PlainVolume[] = [];

  /**
   * A level of triangles, or one that is a height map.
   *
   * @throws {@link WayfareError} `level` if there is no triangle or an index is out of range.
   */
  constructor(input: LevelInput | { terrain: TerrainInput }) {
    super(readLevel(input));
  }

  /** Adds a height map, or replaces the one that it has. */
  setTerrain(terrain: TerrainInput): this {
    addTerrain(this.raw, terrain);
    return this;
  }

  /** What was left out of its triangles. */
  get report(): LevelReport {
    return this.raw.report();
  }

  /** The box around all of it. */
  get bounds(): { min: Vec3; max: Vec3 } {
    const numbers = this.raw.bounds();
    return { min: vec3At(numbers), max: vec3At(numbers, 3) };
  }

  /** The corners of its triangles, in metres with y up. */
  get positions(): Float32Array {
    return this.raw.positions();
  }

  /** Three corners for each triangle. */
  get indices(): Uint32Array {
    return this.raw.indices();
  }

  /** Marks what is in a volume with an area type; without one, nothing can be walked on there. */
  addVolume(volume: VolumeLike): this {
    const plain = plainVolume(volume);
    const made = rawVolume(plain);
    this.raw.addVolume(made);
    made.free();
    // The caller may write over its numbers.
    this.#volumes.push({ ...plain, numbers: plain.numbers.slice(), indices: plain.indices?.slice() });
    return this;
  }

  /** Takes all volumes away. */
  clearVolumes(): this {
    this.raw.clearVolumes();
    this.#volumes = [];
    return this;
  }

  /** @internal All of it, as it can be sent to a worker. */
  toPlain(): PlainLevel {
    const samples = this.raw.terrainSamples();
    const [columns = 0, rows = 0, x = 0, y = 0, z = 0, spacing = 1, step = 1, area = 0] = this.raw.terrainGrid();
    return {
      positions: this.positions,
      indices: this.indices,
      areas: this.raw.areas(),
      terrain: samples && { columns, rows, samples, origin: [x, y, z], spacing, step, area },
      volumes: [...this.#volumes],
    };
  }
}

function readLevel(input: LevelInput | { terrain: TerrainInput }): RawLevel {
  if (typeof input !== "object" || input === null) {
    throw new WayfareError("invalid-argument", `A level must be { positions, indices }, but is ${describe(input)}.`);
  }
  if ("terrain" in input) {
    known(input, ["terrain"], "a level of terrain");
    const level = raw().RawLevel.empty();
    addTerrain(level, input.terrain);
    return level;
  }
  known(input, ["positions", "indices", "areas", "frame"], "a level");
  // Triangles with corners that are not finite are left out and counted: see the level's report.
  const positions = pointNumbers(input.positions, "positions");
  const indices = readIndices(input.indices, positions.length / 3);
  const { frame } = input;
  if (frame !== undefined) {
    if (input.areas !== undefined) {
      throw new WayfareError("invalid-argument", "A level in another frame cannot have areas; mark them with volumes.");
    }
    known(frame, ["up", "handedness", "unit"], "frame");
    const unit = finite(frame.unit ?? 1, "frame.unit");
    const isZUp = word(frame.up ?? "y", ["y", "z"], "frame.up") === 1;
    const isLeft = word(frame.handedness ?? "right", ["right", "left"], "frame.handedness") === 1;
    return raw().RawLevel.framed(positions, indices, isZUp, isLeft, unit);
  }
  const areas = input.areas === undefined ? undefined : wholeNumbers(input.areas, "areas", 63);
  return new (raw().RawLevel)(positions, indices, areas && Uint8Array.from(areas));
}

/** A list of whole numbers up to one. */
function wholeNumbers<List extends Uint8Array | Uint16Array | readonly number[]>(list: List, name: string, most: number): List {
  const isTyped = ArrayBuffer.isView(list) && !((list as unknown) instanceof DataView);
  if (!Array.isArray(list) && !isTyped) {
    throw new WayfareError("invalid-argument", `${name} must be a list of whole numbers, but is ${describe(list)}.`);
  }
  if (ArrayBuffer.isView(list)) attached(list, name);
  const wrong = list.findIndex((each) => !Number.isInteger(each) || each < 0 || each > most);
  if (wrong < 0) return list;
  const sentence = `${name}[${wrong}] must be a whole number from 0 to ${most}, but is ${describe(list[wrong])}.`;
  throw new WayfareError("invalid-argument", sentence);
}

/** @internal */
export function readIndices(indices: LevelInput["indices"], corners: number): Uint32Array {
  if (indices === undefined) return Uint32Array.from({ length: corners }, (_, index) => index);
  if (indices instanceof Uint32Array) return attached(indices, "indices");
  return Uint32Array.from(wholeNumbers(indices, "indices", 0xffffffff));
}

function addTerrain(level: RawLevel, terrain: TerrainInput): void {
  known(terrain, ["columns", "rows", "samples", "origin", "spacing", "step", "area"], "terrain");
  const { columns, rows, samples, spacing, step } = terrain;
  if (!(samples instanceof Uint16Array)) {
    throw new WayfareError("invalid-argument", `samples must be a Uint16Array, but is ${describe(samples)}.`);
  }
  attached(samples, "samples");
  const size = Uint32Array.of(count(columns, "columns"), count(rows, "rows"));
  const steps = Float64Array.of(finite(spacing, "spacing"), finite(step, "step"));
  level.setTerrain(size, samples, point(terrain.origin ?? [0, 0, 0], "origin"), steps, count(terrain.area ?? 63, "area"));
}

/** @internal */
export function rawLevel(level: Level): RawLevel {
  return rawOf(level, Level, "level");
}
