/**
 * Work on several threads: workers, each with the library in it.
 *
 * A bake is cut into ranges of tiles, and put together in their order: the bytes are those of one thread. Batches of
 * paths are cut into ranges of questions. Levels and meshes go to the workers in a `SharedArrayBuffer` where that is
 * allowed: in Node, and in a page that is cross-origin isolated. Questions and answers are copied.
 */
import type { Baked, BakeReport, BakeWarning, BakeWarningKind } from "./bake.js";
import { WayfareError } from "./error.js";
import type { WayfareErrorCode } from "./error.js";
import { options as known } from "./handle.js";
import type { Level, PlainLevel } from "./level.js";
import { rawLevel } from "./level.js";
import type { Build } from "./load.js";
import { loadedModule, raw } from "./load.js";
import { NavMesh, rawMesh } from "./nav-mesh.js";
import { PathList } from "./query.js";
import type { BakeSettings, Progress } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { PointList } from "./vector.js";
import { callable, points } from "./vector.js";
import type { RawLevel, RawTiles } from "./wasm/full.js";

/** @internal What a worker is asked. */
export type Task =
  | { kind: "init"; build: Build; wasm: WebAssembly.Module }
  | { kind: "level"; level: PlainLevel; key: number }
  | { kind: "bake"; key: number; settings: object; from: number; to: number }
  | { kind: "mesh"; bytes: Uint8Array; key: number }
  | { kind: "drop"; key: number }
  | { kind: "paths"; key: number; from: Float32Array; to: Float32Array };

/** @internal What a worker answers. */
export type Reply =
  | { done: unknown }
  | { failed: { code: WayfareErrorCode; message: string } };

/** @internal */
export interface PathsReply {
  statuses: Uint8Array;
  lengths: Float32Array;
  costs: Float32Array;
  offsets: Uint32Array;
  points: Float32Array;
}

/** @internal */
export interface Thread {
  post(message: Task & { id: number }): void;
  listen(onMessage: (reply: Reply & { id: number }) => void, onError: (error: Error) => void): void;
  /** Whether the process waits for it, where a process ends by itself. */
  hold(isAtWork: boolean): void;
  stop(): void;
}

/** @internal What a machine has. */
export interface Machine {
  /** Starts a thread with a script; without one, with the package's own. */
  start(script: URL | string | undefined): Thread;
  threads(): number;
}

let machine: Machine = {
  start: (script) => {
    // Bundlers look for just this expression, and bundle the worker that it names.
    const worker = script === undefined
      ? new Worker(new URL("./pool.worker.js", import.meta.url), { type: "module" })
      : new Worker(script, { type: "module" });
    return {
      post: (message) => worker.postMessage(message),
      listen: (onMessage, onError) => {
        worker.onmessage = (event: MessageEvent<Reply & { id: number }>) => onMessage(event.data);
        // A script that cannot be loaded is an event without a message.
        worker.onerror = ({ message }) => onError(new Error(message || NO_SCRIPT));
      },
      hold: () => undefined,
      stop: () => worker.terminate(),
    };
  },
  threads: () => globalThis.navigator?.hardwareConcurrency ?? 2,
};

const NO_SCRIPT = "its script, pool.worker.js, could not be loaded; where it lies elsewhere, give its address as `script`";

/** @internal Puts another machine than a browser in place. */
export function setMachine(another: Machine): void {
  machine = another;
}

/** Something that a member has been asked. */
interface Job {
  readonly id: number;
  readonly task: Task;
  /** Whether it asks this of itself, to give a new thread what the one before held. */
  readonly isAgain: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Work of a task for a whole level or mesh, in questions for a path. */
const WHOLE_WORK = 1000;

function workOf(task: Task): number {
  if (task.kind === "paths") return task.from.length / 3;
  return task.kind === "drop" ? 0 : WHOLE_WORK;
}

/** Errors after which the WebAssembly of a worker cannot be relied on any more. */
const FATAL: readonly WayfareErrorCode[] = ["memory", "internal"];

/**
 * One place of a pool: a thread, what it has been asked, and what it holds. It is asked one thing after another, so that
 * what waits can be taken back; and when its thread has to go, another takes its place and is given what it held.
 */
class Member {
  readonly #script: URL | string | undefined;
  #thread: Thread;
  #current: Job | undefined;
  #queue: Job[] = [];
  /** What was loaded into it: the library first, then levels and meshes by their keys. */
  readonly #held = new Map<number, Task>();
  #next = 0;
  #failure: Error | undefined;

  constructor(script: URL | string | undefined) {
    this.#script = script;
    this.#thread = this.#start();
  }

  #start(): Thread {
    const thread = machine.start(this.#script);
    // Those that were stopped may still have something to say.
    const isIts = () => this.#thread === thread && this.#failure === undefined;
    thread.listen(
      (reply) => isIts() && this.#answered(reply),
      (error) => isIts() && this.#broken(error),
    );
    thread.hold(false);
    return thread;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** About how much it has been asked and has not answered, in questions. */
  get load(): number {
    return [...this.#queue, ...(this.#current === undefined ? [] : [this.#current])].reduce((sum, { task }) => sum + workOf(task), 0);
  }

  ask<T>(task: Task): Promise<T> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ id: this.#id(), task, isAgain: false, resolve: (value) => resolve(value as T), reject });
      this.#go();
    });
  }

  #id(): number {
    this.#next += 1;
    return this.#next;
  }

  #go(): void {
    if (this.#current !== undefined || this.#failure !== undefined) return;
    const job = this.#queue.shift();
    this.#thread.hold(job !== undefined);
    if (job === undefined) return;
    this.#current = job;
    try {
      this.#thread.post({ ...job.task, id: job.id });
    } catch (error) {
      this.#current = undefined;
      job.reject(workerError(error));
      this.#go();
    }
  }

  #answered(reply: Reply & { id: number }): void {
    const job = this.#current;
    if (job === undefined || job.id !== reply.id) return;
    this.#current = undefined;
    if ("failed" in reply) {
      this.#forget(job);
      job.reject(new WayfareError(reply.failed.code, reply.failed.message));
      if (FATAL.includes(reply.failed.code) && job.task.kind !== "init") this.#restart();
    } else {
      this.#remember(job.task);
      job.resolve(reply.done);
    }
    this.#go();
  }

  #remember(task: Task): void {
    if (task.kind === "init") this.#held.set(LIBRARY, task);
    if (task.kind === "level" || task.kind === "mesh") this.#held.set(task.key, task);
    if (task.kind === "drop") this.#held.delete(task.key);
  }

  /** What cannot be given to a new thread is not tried for ever. */
  #forget(job: Job): void {
    if (job.isAgain && (job.task.kind === "level" || job.task.kind === "mesh")) this.#held.delete(job.task.key);
  }

  /** Its thread has ended, or could not begin. */
  #broken(error: Error): void {
    const job = this.#current;
    if (job?.task.kind === "init") return this.fail(error);
    this.#current = undefined;
    if (job !== undefined) this.#forget(job);
    job?.reject(workerError(error));
    this.#restart();
    this.#go();
  }

  /** Puts another thread in the place of its own, with all that it held. */
  #restart(): void {
    this.#thread.stop();
    this.#thread = this.#start();
    // A library that cannot be loaded again is the end of the member; of the rest, whoever needs it is told.
    const again = [...this.#held.values()].map((task): Job => ({
      id: this.#id(),
      task,
      isAgain: true,
      resolve: () => undefined,
      reject: (error) => task.kind === "init" && this.fail(error),
    }));
    this.#queue = [...again, ...this.#queue.filter((job) => !job.isAgain)];
  }

  /** Takes back what is asked about a level, and stops at once where it is at work on it. */
  cancel(key: number, error: Error): void {
    const isIts = ({ task }: Job) => task.kind !== "init" && task.key === key;
    this.#queue.filter(isIts).forEach((job) => job.reject(error));
    this.#queue = this.#queue.filter((job) => !isIts(job));
    this.#held.delete(key);
    const job = this.#current;
    if (job === undefined || !isIts(job)) return;
    this.#current = undefined;
    job.reject(error);
    this.#restart();
    this.#go();
  }

  fail(error: Error): void {
    this.#failure = workerError(error);
    for (const job of [this.#current, ...this.#queue]) job?.reject(this.#failure);
    this.#current = undefined;
    this.#queue = [];
    this.#thread.stop();
  }
}

/** The key of the library itself; those of levels and meshes begin with 1. */
const LIBRARY = 0;

function workerError(error: unknown): WayfareError {
  if (error instanceof WayfareError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new WayfareError("worker", `A worker failed: ${why}.`, { cause: error });
}

/** How a pool is made. */
export interface PoolOptions {
  /** How many workers, 256 at most. Default: one less than the machine's threads, at least one. */
  threads?: number;
  /** The worker's script, `wayfare/pool.worker`, where neither the package nor a bundler has it in its place. */
  script?: URL | string;
}

/** How a bake in workers is done. */
export interface PoolBakeOptions {
  /** Cancels the bake, at once. Whatever else the pool is asked goes on. */
  signal?: AbortSignal;
  /** Is told how many tiles are baked, of how many; returning `false` cancels the bake. */
  progress?: Progress;
}

/** Tiles of one task: enough to be worth a message, few enough to share out evenly. */
const TASKS_A_THREAD = 4;

/** Workers that bake and answer. Make one with {@link createPool}, after `init`. */
export class WorkerPool {
  readonly #members: readonly Member[];
  #key = 0;
  #isDisposed = false;

  /** @internal */
  constructor(threads: number, script: URL | string | undefined) {
    this.#members = Array.from({ length: threads }, () => new Member(script));
  }

  /** @internal */
  async ready(): Promise<void> {
    const { build, wasm } = loadedModule();
    await Promise.all(this.#members.map((member) => member.ask({ kind: "init", build, wasm })));
  }

  get threads(): number {
    return this.#members.length;
  }

  /**
   * Bakes a level on all threads, without work on this one, as it and the settings are at this moment. It is cut into ranges of
   * tiles: without `tileSize` there is one tile, and one thread bakes it.
   */
  async bake(level: Level, settings: BakeSettings = {}, options: PoolBakeOptions = {}): Promise<Baked> {
    this.#use();
    known(options, ["signal", "progress"]);
    if (options.progress !== undefined) callable(options.progress, "progress");
    if (options.signal?.aborted) throw cancelled();
    const given = bakeOptions(settings);
    const [columns, rows] = raw().RawTiles.plan(rawLevel(level), given);
    const plain = plainCopy(given);
    const whole = new Whole(level, plain);
    const total = (columns as number) * (rows as number);
    const key = this.#nextKey();
    const sent = sharedLevel(level.toPlain());
    const size = Math.max(1, Math.ceil(total / (this.threads * TASKS_A_THREAD)));
    const ranges = Array.from({ length: Math.ceil(total / size) }, (_, index) => index * size);
    const parts: { tiles: Uint8Array; report: BakeReport }[] = [];
    let next = 0;
    let done = 0;
    const work = async (member: Member): Promise<void> => {
      if (ranges.length === 0) return;
      await member.ask({ kind: "level", level: sent, key });
      try {
        while (next < ranges.length && options.signal?.aborted !== true) {
          const number = next;
          next += 1;
          const from = ranges[number] as number;
          const to = Math.min(total, from + size);
          parts[number] = await member.ask({ kind: "bake", key, settings: plain, from, to });
          done += to - from;
          if (options.progress?.(done, total) === false) throw cancelled();
        }
      } catch (error) {
        // The others need not finish what nobody will have.
        next = ranges.length;
        throw error;
      } finally {
        await member.ask({ kind: "drop", key }).catch(() => undefined);
      }
    };
    const stop = () => this.#members.forEach((member) => member.cancel(key, cancelled()));
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      await Promise.all(this.#idlest(ranges.length).map(work));
      if (done < total) throw cancelled();
      return whole.join(parts);
    } finally {
      options.signal?.removeEventListener("abort", stop);
      whole.dispose();
    }
  }

  /** Some members, those first that have the least to do. Who has failed is asked only where all have: to tell why. */
  #idlest(most: number): Member[] {
    const alive = this.#members.filter((member) => !member.hasFailed);
    const loads = (alive.length > 0 ? alive : this.#members).map((member) => ({ member, load: member.load }));
    return loads.sort((a, b) => a.load - b.load).slice(0, most).map(({ member }) => member);
  }

  #use(): void {
    if (this.#isDisposed) throw disposed();
  }

  #nextKey(): number {
    this.#key += 1;
    return this.#key;
  }

  /** Gives a mesh to all workers, as it is now, to ask them many paths on it. */
  async share(mesh: NavMesh): Promise<PooledMesh> {
    this.#use();
    rawMesh(mesh);
    const key = this.#nextKey();
    const bytes = shared(mesh.toBytes());
    try {
      await Promise.all(this.#members.map((member) => member.ask({ kind: "mesh", bytes, key })));
    } catch (error) {
      this.drop(key);
      throw error;
    }
    return new PooledMesh(this, key);
  }

  /** @internal */
  async findPaths(key: number, from: PointList, to: PointList): Promise<PathList> {
    this.#use();
    const [starts, goals] = [points(from, "from"), points(to, "to")];
    if (starts.length !== goals.length) {
      const sentence = `${starts.length / 3} starts and ${goals.length / 3} goals do not make pairs.`;
      throw new WayfareError("invalid-argument", sentence);
    }
    const count = starts.length / 3;
    // The answer waits for the last of those that are asked: for nobody who bakes while others do not.
    const [first, ...others] = this.#idlest(count);
    const asked = first === undefined ? [] : [first, ...others.filter((member) => member.load < first.load + WHOLE_WORK)];
    const size = Math.ceil(count / asked.length);
    const replies = asked.map((member, index) => {
      // A copy of its part: the caller may write over its lists before their turn comes.
      const part = (numbers: Float32Array) => numbers.slice(3 * index * size, 3 * (index + 1) * size);
      return member.ask<PathsReply>({ kind: "paths", key, from: part(starts), to: part(goals) });
    });
    return joinPaths(await Promise.all(replies));
  }

  /** @internal */
  drop(key: number): void {
    // Who has failed holds nothing any more.
    for (const member of this.#members) member.ask({ kind: "drop", key }).catch(() => undefined);
  }

  /** Stops all workers. What they are asked is rejected as `disposed`. */
  dispose(): void {
    this.#isDisposed = true;
    this.#members.forEach((member) => member.fail(disposed()));
  }
}

function cancelled(): WayfareError {
  return new WayfareError("cancelled", "The bake was cancelled.");
}

function disposed(): WayfareError {
  return new WayfareError("disposed", "The pool was disposed of.");
}

/** Meshes of pools that nobody has disposed of: when they are collected, the workers forget them. */
const uncollected = new FinalizationRegistry<() => void>((forget) => forget());

/** A mesh that all workers of a pool have, until it is disposed of or collected. */
export class PooledMesh {
  readonly #pool: WorkerPool;
  readonly #key: number;
  #isDisposed = false;

  /** @internal */
  constructor(pool: WorkerPool, key: number) {
    this.#pool = pool;
    this.#key = key;
    uncollected.register(this, () => pool.drop(key), this);
  }

  /** Many paths, on all threads, as `Query.findPaths` gives them. */
  async findPaths(from: PointList, to: PointList): Promise<PathList> {
    if (this.#isDisposed) throw new WayfareError("disposed", "This PooledMesh was disposed of and cannot be used any more.");
    return this.#pool.findPaths(this.#key, from, to);
  }

  /** Lets the workers forget the mesh. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    uncollected.unregister(this);
    this.#pool.drop(this.#key);
  }
}

/** Each worker has a memory of its own: more of them end the process. */
const MOST_THREADS = 256;

/** Starts workers with the library in them. */
export async function createPool(options: PoolOptions = {}): Promise<WorkerPool> {
  raw();
  known(options, ["threads", "script"]);
  const threads = options.threads ?? Math.min(MOST_THREADS, Math.max(1, machine.threads() - 1));
  if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS) {
    const sentence = `threads must be a whole number from 1 to ${MOST_THREADS}, but is ${String(threads)}.`;
    throw new WayfareError("invalid-argument", sentence);
  }
  let pool: WorkerPool | undefined;
  try {
    pool = new WorkerPool(threads, options.script);
    await pool.ready();
    return pool;
  } catch (error) {
    pool?.dispose();
    throw workerError(error);
  }
}

/** Plain settings of the same content, which nobody else can change. */
function plainCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return (value as unknown as Float32Array).slice() as unknown as T;
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainCopy(part)])) as T;
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** The same numbers in memory that workers can read, where the page may have such. */
function shared<T extends Numbers>(numbers: T): T {
  const isAllowed = typeof SharedArrayBuffer !== "undefined" && (globalThis.crossOriginIsolated ?? true);
  if (!isAllowed || numbers.buffer instanceof SharedArrayBuffer) return numbers;
  const kind = numbers.constructor as new (buffer: SharedArrayBuffer) => T;
  const copy = new kind(new SharedArrayBuffer(numbers.byteLength));
  copy.set(numbers);
  return copy;
}

function sharedLevel(level: PlainLevel): PlainLevel {
  const { terrain } = level;
  return {
    ...level,
    positions: shared(level.positions),
    indices: shared(level.indices),
    areas: shared(level.areas),
    terrain: terrain && { ...terrain, samples: shared(terrain.samples) },
  };
}

/** What is baked, as it was when the bake began, and the mesh that its parts are put together to. */
class Whole {
  readonly #level: RawLevel;
  readonly #settings: object;
  readonly #tiles: RawTiles;

  constructor(level: Level, settings: object) {
    this.#tiles = raw().RawTiles.bake(rawLevel(level), settings, 0, 0);
    this.#level = rawLevel(level).copy();
    this.#settings = settings;
  }

  join(parts: { tiles: Uint8Array; report: BakeReport }[]): Baked {
    for (const part of parts) this.#tiles.append(part.tiles);
    const report = joinReports(this.#tiles.report() as BakeReport, parts.map((part) => part.report));
    const whyEmpty = this.#tiles.whyEmpty(this.#level, this.#settings) ?? null;
    return { mesh: new NavMesh(this.#tiles.takeMesh()), report, whyEmpty };
  }

  dispose(): void {
    this.#tiles.free();
    this.#level.free();
  }
}

/** Each worker counts its own tiles, takes all others for known ones, and warns of the whole level, as `whole` does. */
function joinReports(whole: BakeReport, reports: BakeReport[]): BakeReport {
  const summed = [
    "spans",
    "walkableSpans",
    "erodedSpans",
    "regions",
    "contours",
    "polys",
    "polyVerts",
    "polyArea",
    "detailVerts",
    "detailTriangles",
  ] as const;
  const stats = { ...whole.stats, tiles: 0, emptyTiles: 0, reusedTiles: 0 };
  const warnings = new Map<BakeWarningKind, BakeWarning>(whole.warnings.map((warning) => [warning.kind, warning]));
  for (const { stats: more, warnings: told } of reports) {
    stats.tiles += more.tiles - more.reusedTiles;
    stats.emptyTiles += more.emptyTiles - more.reusedTiles;
    for (const name of summed) stats[name] += more[name];
    for (const { kind, count, places } of told) {
      if (kind === NOTHING) continue;
      const before = whole.warnings.find((warning) => warning.kind === kind);
      const known = warnings.get(kind) ?? { kind, count: 0, places: [] };
      const own = places.slice(before?.places.length ?? 0);
      const all = [...known.places, ...own].slice(0, MOST_PLACES);
      warnings.set(kind, { kind, count: known.count + count - (before?.count ?? 0), places: all });
    }
  }
  // Of a range of tiles, or of none, this says nothing.
  warnings.delete(NOTHING);
  if (stats.polys === 0) warnings.set(NOTHING, { kind: NOTHING, count: 1, places: [] });
  return { bounds: whole.bounds, stats, warnings: [...warnings.values()] };
}

const NOTHING = "nothing-walkable";

/** Places that are kept of a kind of warning, as in any bake. */
const MOST_PLACES = 1000;

function joinPaths(parts: PathsReply[]): PathList {
  const offsets: number[] = [0];
  for (const part of parts) {
    const before = offsets[offsets.length - 1] as number;
    part.offsets.subarray(1).forEach((offset) => offsets.push(before + offset));
  }
  const chain = <T extends Uint8Array | Float32Array>(kind: new (length: number) => T, lists: T[]): T => {
    const all = new kind(lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return all;
  };
  return new PathList(
    chain(Uint8Array, parts.map((part) => part.statuses)),
    chain(Float32Array, parts.map((part) => part.lengths)),
    chain(Float32Array, parts.map((part) => part.costs)),
    Uint32Array.from(offsets),
    chain(Float32Array, parts.map((part) => part.points)),
  );
}
