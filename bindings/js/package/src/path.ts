import type { MeshPoint, PolyRef, Vec3 } from "./vector.js";
import { vec3At } from "./vector.js";

/** Whether a path leads to its goal, as near as was found, or there is none. */
export type PathStatus = "complete" | "partial" | "none";

/** The limit that cut a search short. */
export type PathLimit = "nodes" | "distance";

/** What happens at a point of a path. */
export type PointKind = "start" | "left" | "right" | "enter" | "leave" | "crossing" | "end";

const STATUSES: readonly PathStatus[] = ["none", "partial", "complete"];
const LIMITS: readonly (PathLimit | null)[] = [null, "nodes", "distance"];
const KINDS: readonly PointKind[] = ["start", "left", "right", "enter", "leave", "crossing", "end"];

/** @internal */
export function statusOf(code: number): PathStatus {
  return STATUSES[code] ?? "none";
}

/** @internal */
export function limitOf(code: number): PathLimit | null {
  return LIMITS[code] ?? null;
}

/** Numbers before the points of a packed path. */
const HEAD = 5;

/** A path: the polygons that it leads over, and the points to walk over. Iterating gives the points. */
export class Path implements Iterable<Vec3> {
  readonly #numbers: Float32Array;
  readonly status: PathStatus;
  /** The limit that cut the search short, or null. */
  readonly limit: PathLimit | null;
  /** What it costs by the filter, over the middles of portals. */
  readonly cost: number;
  /** The sum of the lengths between its points, metres. */
  readonly length: number;
  /** Nodes that the search opened. */
  readonly nodes: number;
  /** The points to walk over, three numbers each: start, bends, end. */
  readonly points: Float32Array;
  /** The polygons and connections, in order. */
  readonly polys: BigUint64Array;

  /** @internal */
  constructor(numbers: Float32Array, polys: BigUint64Array) {
    this.#numbers = numbers;
    this.status = statusOf(numbers[0] as number);
    this.limit = limitOf(numbers[1] as number);
    this.cost = numbers[2] as number;
    this.length = numbers[3] as number;
    this.nodes = numbers[4] as number;
    const count = (numbers.length - HEAD) / 5;
    this.points = numbers.subarray(HEAD, HEAD + 3 * count);
    this.polys = polys;
  }

  /** Whether it leads to the goal. */
  get isComplete(): boolean {
    return this.status === "complete";
  }

  /** How many points it has. */
  get pointCount(): number {
    return this.points.length / 3;
  }

  /** One of its points; negative numbers count from the end. */
  at(index: number): Vec3 | undefined {
    const place = index < 0 ? this.pointCount + index : index;
    return place >= 0 && place < this.pointCount ? vec3At(this.points, 3 * place) : undefined;
  }

  /** What happens at a point. */
  kindAt(index: number): PointKind | undefined {
    const code = this.#numbers[HEAD + 3 * this.pointCount + index];
    return index >= 0 && index < this.pointCount ? KINDS[code as number] : undefined;
  }

  /** The polygon or connection that it enters at a point. */
  polyAt(index: number): PolyRef | undefined {
    if (index < 0 || index >= this.pointCount) return undefined;
    return this.polys[this.#numbers[HEAD + 4 * this.pointCount + index] as number];
  }

  *[Symbol.iterator](): Iterator<Vec3> {
    for (let index = 0; index < this.pointCount; index += 1) yield vec3At(this.points, 3 * index);
  }

  /** Its first point with its polygon; undefined where there is no path. */
  get start(): MeshPoint | undefined {
    const [poly, point] = [this.polys[0], this.at(0)];
    return poly === undefined || point === undefined ? undefined : { poly, point };
  }

  /** Its last point with its polygon. */
  get end(): MeshPoint | undefined {
    const [poly, point] = [this.polys[this.polys.length - 1], this.at(-1)];
    return poly === undefined || point === undefined ? undefined : { poly, point };
  }

  /** @internal Its start and end as numbers. */
  ends(): Float32Array {
    const last = Math.max(0, 3 * (this.pointCount - 1));
    return Float32Array.of(...this.points.subarray(0, 3), ...this.points.subarray(last, last + 3));
  }
}

/** What breaks a path. */
export interface Broken {
  /** The place of the polygon in the path. */
  step: number;
  poly: PolyRef;
  /** Gone, closed by the filter, no longer joined to the one before, or about to go. */
  by: "gone" | "relinked" | "closed" | "apart" | "soon" | "other";
  /** Metres to walk until there. NaN where it is not known. */
  ahead: number;
}

/** What changes of a mesh do to a path. */
export interface PathChange {
  /** Whether it crosses anything that has changed: another path may be cheaper now. */
  isTouched: boolean;
  /** The first polygon that cannot be walked any more. */
  broken: Broken | null;
  /** The first polygon that is about to go. */
  soon: Broken | null;
}
