import { WayfareError } from "./error.js";
import type { GridObstacle } from "./grid-obstacle.js";
import { packObstacles } from "./grid-obstacle.js";
import { guarded } from "./guard.js";
import { Handle, describe, options as known, rawOf } from "./handle.js";
import type { InitOptions } from "./load.js";
import { compile } from "./load.js";
import type { PathStatus } from "./path.js";
import { statusOf } from "./path.js";
import type { Vec3, Vec3Like } from "./vector.js";
import { attached, budget, callable, count, describePoint, finite, id, point, real, seed as seedOf, vec3At } from "./vector.js";
import type * as Blocks from "./wasm/blocks.js";
import type { RawBlockCorridor, RawBlockNav, RawBlocks, RawLocalGrid } from "./wasm/blocks.js";

export { WayfareError } from "./error.js";
export type { WayfareErrorCode } from "./error.js";
export type { GridObstacle } from "./grid-obstacle.js";
export type { PathStatus } from "./path.js";
export type { Vec3, Vec3Like } from "./vector.js";

let loaded: typeof Blocks | undefined;
let loading: Promise<void> | undefined;

/** Loads the part for worlds of blocks and local grids, which is a WebAssembly of its own. */
export function init(options: Omit<InitOptions, "build"> = {}): Promise<void> {
  known(options, ["simd", "wasm"]);
  loading ??= load(options).catch((error: unknown) => {
    loading = undefined;
    if (error instanceof WayfareError) throw error;
    throw new WayfareError("not-loaded", `The WebAssembly could not be loaded: ${String(error)}`, { cause: error });
  });
  return loading;
}

async function load(options: Omit<InitOptions, "build">): Promise<void> {
  const module = await import("./wasm/blocks.js");
  const wasm = await compile(options.wasm, [
    new URL("./wasm/blocks.simd.wasm", import.meta.url),
    new URL("./wasm/blocks.wasm", import.meta.url),
  ], options.simd);
  const { memory } = await module.default({ module_or_path: wasm });
  loaded = guarded(module, memory);
}

function raw(): typeof Blocks {
  if (loaded === undefined) throw new WayfareError("not-loaded", "Blocks are not loaded yet: await init() first.");
  return loaded;
}

/** A kind of block. */
export type BlockKind = "air" | "solid" | "water" | "ladder" | "door" | "hazard";

const KINDS: readonly BlockKind[] = ["air", "solid", "water", "ladder", "door", "hazard"];

/** A block's place, whole numbers. */
export type Cell = readonly [number, number, number];

/** A box of blocks, both corners included. */
export interface CellBox {
  readonly min: Cell;
  readonly max: Cell;
}

function kindCode(kind: BlockKind): number {
  const code = KINDS.indexOf(kind);
  if (code < 0) {
    throw new WayfareError("invalid-argument", `A block is one of ${KINDS.join(", ")}, not ${describe(kind)}.`);
  }
  return code;
}

function cell(value: Cell, name: string): Int32Array {
  const isCell = (Array.isArray(value) || ArrayBuffer.isView(value)) && value.length === 3 && value.every(isWhole);
  if (!isCell) {
    throw new WayfareError("invalid-argument", `${name} must be a cell, three whole numbers of 32 bits, but is ${describePoint(value)}.`);
  }
  return Int32Array.from(value);
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && (value | 0) === value;
}

function goalCells(value: Cell | CellBox, name: string): Int32Array {
  if (typeof value === "object" && value !== null && "min" in value) {
    return Int32Array.of(...cell(value.min, `${name}.min`), ...cell(value.max, `${name}.max`));
  }
  return cell(value, name);
}

function cellOf(numbers: Int32Array): Cell | null {
  return numbers.length === 3 ? [numbers[0] as number, numbers[1] as number, numbers[2] as number] : null;
}

/** A world of blocks. */
export class BlockWorld extends Handle<RawBlocks> {
  /** Air everywhere; set blocks in it. */
  constructor() {
    super(new (raw().RawBlocks)());
  }

  #adopt(made: RawBlocks): this {
    this.replaceRaw(made);
    return this;
  }

  /** Solid up to a height in each column, row by row. */
  static ofHeights(width: number, heights: Int32Array): BlockWorld {
    if (!(heights instanceof Int32Array)) {
      throw new WayfareError("invalid-argument", "Heights are an Int32Array, one for each column.");
    }
    attached(heights, "heights");
    if (count(width, "width") === 0 || heights.length === 0 || heights.length % width !== 0) {
      const sentence = `Heights are rows of width columns, one or more, but ${heights.length} heights are no rows of ${width}.`;
      throw new WayfareError("invalid-argument", sentence);
    }
    return new BlockWorld().#adopt(raw().RawBlocks.heights(width, heights));
  }

  /** Blocks that you hold: asked one by one, which is slower. What the function throws, the call throws that asked. */
  static ofFunction(kindAt: (x: number, y: number, z: number) => BlockKind): BlockWorld {
    callable(kindAt, "kindAt");
    return new BlockWorld().#adopt(raw().RawBlocks.page((x: number, y: number, z: number) => kindCode(kindAt(x, y, z))));
  }

  set(at: Cell, kind: BlockKind): void {
    const [x, y, z] = cell(at, "at");
    this.raw.set(x as number, y as number, z as number, kindCode(kind));
  }

  /** Fills a box between any two opposite corners, both included. */
  fill(bounds: CellBox, kind: BlockKind): void {
    this.raw.fillBox(goalCells(bounds, "bounds"), kindCode(kind));
  }

  /** Sets many: three numbers for each cell, and the number of each kind (air is 0, then as in {@link BlockKind}). */
  setMany(cells: Int32Array, kinds: Uint8Array): void {
    if (!(cells instanceof Int32Array) || !(kinds instanceof Uint8Array)) {
      throw new WayfareError("invalid-argument", "Many blocks are an Int32Array of cells, and a Uint8Array of kinds.");
    }
    this.raw.setMany(attached(cells, "cells"), attached(kinds, "kinds"));
  }

  get(at: Cell): BlockKind {
    const [x, y, z] = cell(at, "at");
    return KINDS[this.raw.get(x as number, y as number, z as number)] ?? "air";
  }
}

/** What walks in a world of blocks. In blocks. */
export interface BlockSettings {
  climb?: number;
  drop?: number;
  height?: number;
  width?: number;
  /** Side of the small meshes that are built where searches come by. */
  miniMeshSize?: number;
}

/** A path through blocks. Iterating gives its points. */
export class BlockPath implements Iterable<Vec3> {
  readonly status: PathStatus;
  /** Whether a limit cut the search short. */
  readonly isCutShort: boolean;
  readonly length: number;
  /** Nodes visited. */
  readonly nodes: number;
  /** Three numbers each. */
  readonly points: Float32Array;

  /** @internal */
  constructor(numbers: Float32Array) {
    this.status = statusOf(numbers[0] as number);
    this.isCutShort = numbers[1] === 1;
    this.length = numbers[2] as number;
    this.nodes = numbers[3] as number;
    this.points = numbers.subarray(4);
  }

  *[Symbol.iterator](): Iterator<Vec3> {
    for (let at = 0; at < this.points.length; at += 3) yield vec3At(this.points, at);
  }
}

/** Paths through a world of blocks. Tell it what has changed. */
export class BlockNav extends Handle<RawBlockNav> {
  readonly world: BlockWorld;

  constructor(world: BlockWorld, settings: BlockSettings = {}) {
    rawOf(world, BlockWorld, "world");
    super(new (raw().RawBlockNav)(settings));
    this.world = world;
  }

  /** @internal */
  get rawWorld(): RawBlocks {
    return rawOf(this.world, BlockWorld, "world");
  }

  /** What a block costs to cross, by its area, 0 or more: water 1, doors 3, ladders 5. Infinity bars it. */
  setCost(area: number, cost: number): void {
    if (real(cost, "cost") < 0) throw new WayfareError("invalid-argument", `cost must be 0 or more, but is ${cost}.`);
    this.raw.setCost(count(area, "area", 63), cost);
  }

  /** Most nodes that a search visits. Default: no limit. */
  setMaxNodes(nodes: number): void {
    this.raw.setMaxNodes(count(nodes, "nodes"));
  }

  /** A path from a cell to a cell, or into a box of cells. */
  findPath(start: Cell, goal: Cell | CellBox): BlockPath {
    return new BlockPath(this.raw.findPath(this.rawWorld, cell(start, "start"), goalCells(goal, "goal")));
  }

  /** Whether there is a path; null where the limit leaves that open. */
  pathExists(start: Cell, goal: Cell): boolean | null {
    const [from, to] = [cell(start, "start"), cell(goal, "goal")];
    const code = this.raw.pathExists(this.rawWorld, from, to);
    return code === 2 ? null : code === 1;
  }

  /**
   * The nearest cell where the agent can stand, within a number of blocks, 1024 at most, along each axis. Where there is none
   * it reads up to `(2 · reach + 1)³` blocks, or those of a bounded world: keep the reach small.
   */
  nearest(at: Vec3Like, reach: number): Cell | null {
    return cellOf(this.raw.nearest(this.rawWorld, point(at, "at"), count(reach, "reach")));
  }

  canStand(at: Cell): boolean {
    return this.raw.stands(this.rawWorld, cell(at, "at"));
  }

  /** Where an agent in a cell stands. */
  position(at: Cell): Vec3 {
    return vec3At(this.raw.position(cell(at, "at")));
  }

  /** Says which blocks have changed. */
  invalidate(changed: Cell | CellBox): void {
    this.raw.invalidate(goalCells(changed, "changed"));
  }

  /**
   * A random cell of a box where the agent can stand, each as likely; null if there is none. Where fewer than one block in 4096
   * is such a cell, all blocks of the box are read, within the bounds of the world: keep the box small.
   */
  randomInBox(bounds: CellBox, seed: number | bigint): Cell | null {
    return cellOf(this.raw.randomInBox(this.rawWorld, goalCells(bounds, "bounds"), seedOf(seed)));
  }

  randomReachable(start: Cell, radius: number, seed: number | bigint): Cell | null {
    const [from, within] = [cell(start, "start"), count(radius, "radius")];
    return cellOf(this.raw.randomReachable(this.rawWorld, from, within, seedOf(seed)));
  }

  get stats(): { built: number; connected: number; bytes: number } {
    const [built, connected, bytes] = this.raw.stats();
    return { built: built as number, connected: connected as number, bytes: bytes as number };
  }

  /** Asks for a path that is searched in {@link update}; returns the number of the request. */
  ask(start: Cell, goal: Cell | CellBox): number {
    return this.raw.ask(cell(start, "start"), goalCells(goal, "goal"));
  }

  withdraw(request: number): boolean {
    return this.raw.withdraw(id(request, "request"));
  }

  /** Searches on, by some nodes, 1 or more; without a number, until all is answered. */
  update(nodes?: number): void {
    this.raw.update(this.rawWorld, budget(nodes, "nodes"));
  }

  get waiting(): number {
    return this.raw.waiting();
  }

  /** The next answer; null if there is none yet. */
  takeAnswer(): { request: number; path: BlockPath } | null {
    const answer = this.raw.takeAnswer() as { request: number; path: Float32Array } | null;
    return answer === null ? null : { request: answer.request, path: new BlockPath(answer.path) };
  }

  /**
   * A path that is kept while its agent walks and blocks change; null if the agent cannot stand near `at`. With
   * `search: false` the agent stays where it is until it follows a path that it has asked for.
   */
  corridor(
    at: Vec3Like,
    goal: Cell | CellBox,
    options: { search?: boolean } = {},
  ): BlockCorridor | null {
    const cells = goalCells(goal, "goal");
    const searches = known(options, ["search"]).search ?? true;
    const made = raw().RawBlockCorridor.create(this.raw, this.rawWorld, point(at, "at"), cells, searches);
    return made === undefined ? null : new BlockCorridor(made, this);
  }
}

/** An agent's path through blocks. */
export class BlockCorridor extends Handle<RawBlockCorridor> {
  readonly nav: BlockNav;

  /** @internal */
  constructor(made: RawBlockCorridor, nav: BlockNav) {
    super(made);
    this.nav = nav;
  }

  get position(): Vec3 {
    return vec3At(this.raw.position());
  }

  /** Where to walk next. */
  get target(): Vec3 {
    return vec3At(this.raw.target());
  }

  get hasArrived(): boolean {
    return this.raw.hasArrived();
  }

  get path(): BlockPath {
    return new BlockPath(this.raw.path());
  }

  /** Searches anew, at once, if blocks along it have changed; returns whether it did. */
  refresh(): boolean {
    return this.raw.refresh(rawOf(this.nav, BlockNav, "nav"), this.nav.rawWorld);
  }

  /**
   * Asks for a path if the agent needs one: blocks along the old path have changed, the agent was pushed off it, or it has none
   * yet. {@link BlockNav.update} searches it in its turn, and {@link follow} takes it; meanwhile the agent may walk on. Returns
   * whether a path was asked for that the agent does not follow yet.
   */
  ask(): boolean {
    return this.raw.ask(rawOf(this.nav, BlockNav, "nav"), this.nav.rawWorld);
  }

  /**
   * Follows the path that was asked for, if it has been found; returns whether it was. An agent that has walked on since joins
   * it at the nearest place that it can have come to.
   */
  follow(): boolean {
    return this.raw.follow();
  }

  /** Walks towards a point, as far as blocks let it, and returns where that is. */
  walk(to: Vec3Like): Vec3 {
    const nav = rawOf(this.nav, BlockNav, "nav");
    return vec3At(this.raw.walk(nav, this.nav.rawWorld, point(to, "to")));
  }
}

/** A path in a local grid. */
export interface GridPath {
  status: PathStatus;
  /** Three numbers each. */
  points: Float32Array;
  visited: number;
}

/** A small grid that follows an agent, for obstacles that no mesh knows. */
export class LocalGrid extends Handle<RawLocalGrid> {
  /** A square of at most 64 cells a side. */
  constructor(size: number, cellSize: number) {
    super(new (raw().RawLocalGrid)(count(size, "size"), finite(cellSize, "cellSize")));
  }

  /** Moves it, and forgets what it held. */
  recenter(center: Vec3Like): void {
    this.raw.recenter(point(center, "center"));
  }

  clear(): void {
    this.raw.clear();
  }

  /** Blocks what an agent of a radius cannot enter for an obstacle. */
  block(obstacle: GridObstacle, radius: number): void {
    const { numbers, ids } = packObstacles([obstacle]);
    this.raw.block(numbers, ids, finite(radius, "radius"));
  }

  /** Blocks or frees the cell in column `x`, row `z`. */
  setBlocked(x: number, z: number, blocked = true): void {
    this.raw.setBlocked(count(x, "x", this.size - 1), count(z, "z", this.size - 1), blocked);
  }

  /**
   * Blocks the cells whose numbers are not 0 and frees the others, row by row, as of sensors. What is blocked should be grown by
   * the agent's radius.
   */
  setCells(cells: Uint8Array): void {
    if (!(cells instanceof Uint8Array)) {
      throw new WayfareError("invalid-argument", `cells must be a Uint8Array, but is ${describe(cells)}.`);
    }
    this.raw.setCells(attached(cells, "cells"));
  }

  findPath(start: Vec3Like, goal: Vec3Like): GridPath {
    const numbers = this.raw.findPath(point(start, "start"), point(goal, "goal"));
    return { status: statusOf(numbers[0] as number), visited: numbers[1] as number, points: numbers.subarray(2) };
  }

  /** The obstacles that a straight walk would touch. */
  blockers(start: Vec3Like, goal: Vec3Like, radius: number): Uint32Array {
    return this.raw.blockers(point(start, "start"), point(goal, "goal"), finite(radius, "radius"));
  }

  /** Whether each cell is blocked, row by row. */
  cells(): Uint8Array {
    return this.raw.cells();
  }

  get size(): number {
    return this.raw.size();
  }

  /** The corner with the lowest x and z. */
  get origin(): [number, number] {
    const [x, z] = this.raw.origin();
    return [x as number, z as number];
  }
}
