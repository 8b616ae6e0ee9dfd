import { Handle, rawOf } from "./handle.js";
import { raw } from "./load.js";
import type { MeshVersion } from "./nav-mesh.js";
import { MeshVersion as Version } from "./nav-mesh.js";
import type { Broken, Path, PathChange } from "./path.js";
import type { Query } from "./query.js";
import { aPath, meshOf, rawQuery } from "./query.js";
import type { MeshPoint, PolyRef, Vec3, Vec3Like } from "./vector.js";
import { count, meshPoint, point, real, vec3At } from "./vector.js";
import type { RawCorridor } from "./wasm/full.js";

/** A corner of a corridor. */
export interface Corner {
  point: Vec3;
  /** A bend to the left or right, the beginning of an off-mesh connection, or the end. */
  at: "left" | "right" | "connection" | "end";
  /** The place of its polygon in the corridor. */
  step: number;
}

/** What a repair did. */
export interface Repair {
  /** Nothing was wrong; the path was cut short; its start was moved to what is left; or there is nothing left. */
  outcome: "whole" | "cut" | "moved" | "lost";
  broken: Broken | null;
}

const AT: readonly Corner["at"][] = ["left", "right", "connection", "end"];

/** @internal */
export function cornersOf(numbers: Float32Array): Corner[] {
  const corners: Corner[] = [];
  for (let at = 0; at < numbers.length; at += 5) {
    const kind = AT[numbers[at + 3] as number] ?? "end";
    corners.push({ point: vec3At(numbers, at), at: kind, step: numbers[at + 4] as number });
  }
  return corners;
}

/** An agent's path, kept up while both of its ends move and the mesh changes. */
export class Corridor extends Handle<RawCorridor> {
  readonly query: Query;

  /** A corridor that begins and ends at a place; {@link follow} gives it a path. */
  constructor(query: Query, place: MeshPoint) {
    super(new (raw().RawCorridor)(meshOf(query), ...meshPoint(place, "place")));
    this.query = query;
  }

  /** Begins anew at a place. */
  reset(place: MeshPoint): void {
    this.raw.reset(this.query.rawMesh, ...meshPoint(place, "place"));
  }

  /** Takes a path that begins where the corridor does. */
  follow(path: Path): void {
    this.raw.follow(this.query.rawMesh, aPath(path).polys, path.ends());
  }

  get polys(): BigUint64Array {
    return this.raw.polys();
  }

  get start(): MeshPoint | null {
    return this.raw.start();
  }

  get end(): MeshPoint | null {
    return this.raw.end();
  }

  /** Moves its start, where the agent is, and returns where on the mesh that is. */
  moveStart(to: Vec3Like): Vec3 {
    const [x, y, z] = point(to, "to");
    return vec3At(this.raw.moveStart(this.query.rawMesh, rawQuery(this.query), x as number, y as number, z as number));
  }

  /** Moves its end, where the target is. */
  moveEnd(to: Vec3Like): Vec3 {
    const [x, y, z] = point(to, "to");
    return vec3At(this.raw.moveEnd(this.query.rawMesh, rawQuery(this.query), x as number, y as number, z as number));
  }

  /** The next corners to walk to. */
  corners(limit = 4): Corner[] {
    return cornersOf(this.raw.corners(count(limit, "limit")));
  }

  /** Metres from start to end. */
  get length(): number {
    return this.raw.length();
  }

  get cost(): number {
    return this.raw.cost(this.query.rawMesh, rawQuery(this.query));
  }

  /** Enters the connection at one of the {@link corners} that were told last: from where to where; null if it is none. */
  enterConnection(corner: number): { from: Vec3; to: Vec3 } | null {
    const ends = this.raw.enterConnection(this.query.rawMesh, count(corner, "corner"));
    return ends.length === 0 ? null : { from: vec3At(ends), to: vec3At(ends, 3) };
  }

  /** Shortens it by a straight line to a corner ahead, if that is in sight. */
  optimiseVisibility(next: Vec3Like, range: number): boolean {
    return this.raw.optimiseVisibility(this.query.rawMesh, rawQuery(this.query), point(next, "next"), real(range, "range"));
  }

  /** Shortens it by a small search ahead. */
  optimiseTopology(nodes = 32): boolean {
    return this.raw.optimiseTopology(this.query.rawMesh, rawQuery(this.query), count(nodes, "nodes"));
  }

  /** The first thing that is wrong within some polygons ahead; null if nothing is. */
  check(lookAhead = 0xffffffff): Broken | null {
    return this.raw.check(this.query.rawMesh, rawQuery(this.query), count(lookAhead, "lookAhead")) as Broken | null;
  }

  /** What has become of it since a moment. */
  change(since: MeshVersion): PathChange {
    const version = rawOf(since, Version, "since");
    return this.raw.change(this.query.rawMesh, rawQuery(this.query), version) as PathChange;
  }

  /** Cuts off what cannot be walked any more. */
  repair(lookAhead = 0xffffffff): Repair {
    return this.raw.repair(this.query.rawMesh, rawQuery(this.query), count(lookAhead, "lookAhead")) as Repair;
  }

  /** Ends where it begins. */
  stop(): void {
    this.raw.stop();
  }

  /** The polygons of the corners that were told last. */
  cornerPolys(): PolyRef[] {
    return [...this.raw.cornerPolys()];
  }
}
