import type { Filter } from "./filter.js";
import { rawFilter } from "./filter.js";
import { Handle, word } from "./handle.js";
import { rawFull } from "./load.js";
import { NavMesh, rawMesh } from "./nav-mesh.js";
import { Path } from "./path.js";
import type { Query } from "./query.js";
import { rawQuery } from "./query.js";
import type { PointList, PolyRef, Vec2Like, Vec3Like } from "./vector.js";
import { count, finite, planePoints, points, reference, twoPoints } from "./vector.js";
import type { RawClearance, RawGraph, RawMesh, RawQuery } from "./wasm/full.js";

export * from "./index.js";

/** The shortest path in any direction, and how good it is. */
export interface OptimalPath {
  path: Path;
  /** How many times the cost of the cheapest path this one may cost at most; 1 where it is the cheapest. */
  bound: number;
  /** Whether it was searched in any direction, or is that of an ordinary search, which was cheaper. */
  source: "any-angle" | "corridor";
}

function parts(query: Query): [RawQuery, RawMesh] {
  return [rawQuery(query), rawMesh(query.mesh)];
}

/** The shortest path, straight where the goal is in sight. */
export function findOptimalPath(query: Query, from: Vec3Like, to: Vec3Like): OptimalPath {
  const [asked, mesh] = parts(query);
  const ends = twoPoints(from, "from", to, "to");
  const numbers = rawFull().findOptimalPath(asked, mesh, ends);
  const path = new Path(numbers.subarray(2), asked.pathPolys());
  return { path, bound: numbers[0] as number, source: numbers[1] === 1 ? "any-angle" : "corridor" };
}

/** The lengths of many shortest paths; Infinity where there is none. */
export function findOptimalLengths(query: Query, from: PointList, to: PointList): Float32Array {
  const [asked, mesh] = parts(query);
  return rawFull().optimalLengths(asked, mesh, points(from, "from"), points(to, "to"));
}

/** How a path over tiles is worked out: all at once, by the exit that is nearest or that the string is pulled to, or so
 * many tiles at a time. */
export type Refinement = "whole" | "nearest-exit" | "pulled-exit" | number;

/** What leads from tile to tile: long paths are searched in it first. */
export class TileGraph extends Handle<RawGraph> {
  constructor(mesh: NavMesh) {
    super(new (rawFull().RawGraph)(rawMesh(mesh)));
  }

  /** Follows changes of the mesh, and returns how many tiles were looked at. */
  update(mesh: NavMesh): number {
    return this.raw.update(rawMesh(mesh));
  }

  /** A path over tiles first. */
  findPath(
    query: Query,
    from: Vec3Like,
    to: Vec3Like,
    refinement: Refinement = 4,
  ): { path: Path; abstractNodes: number; corridors: number } {
    const [asked, mesh] = parts(query);
    const kinds = ["whole", "nearest-exit", "pulled-exit"];
    const how = typeof refinement === "number"
      ? 2 + Math.max(1, count(refinement, "refinement"))
      : word(refinement, kinds, "refinement");
    const ends = twoPoints(from, "from", to, "to");
    const numbers = this.raw.findPath(asked, mesh, ends, how);
    const path = new Path(numbers.subarray(2), asked.pathPolys());
    return { path, abstractNodes: numbers[0] as number, corridors: numbers[1] as number };
  }
}

/** A mesh cut from another, for wider agents than it was baked for. */
export class ClearanceMesh extends Handle<RawClearance> {
  constructor(base: NavMesh, radius: number, filter: Filter) {
    const cut = finite(radius, "radius");
    super(new (rawFull().RawClearance)(rawMesh(base), cut, rawFilter(filter)));
  }

  /** The mesh for them, as it is now. */
  mesh(): NavMesh {
    return new NavMesh(this.raw.mesh());
  }

  /** Follows changes of the mesh below, and returns how many tiles were cut anew. */
  follow(base: NavMesh, filter: Filter): number {
    return this.raw.follow(rawMesh(base), rawFilter(filter));
  }

  /** The polygon below one of this mesh; 0 if there is none. */
  basePoly(poly: PolyRef): PolyRef {
    return this.raw.basePoly(reference(poly, "poly"));
  }
}

/** By how much an agent of a radius is wider than those that a mesh was baked for; 0 if it is not. */
export function extraRadius(mesh: NavMesh, radius: number): number {
  return rawFull().extraRadius(rawMesh(mesh), finite(radius, "radius"));
}

/** A mesh on a plane, from outlines; those inside of others are holes. */
export function meshFromOutlines(outlines: readonly (readonly Vec2Like[] | Float32Array)[], y = 0): NavMesh {
  const parts = outlines.map((outline, index) => planePoints(outline, `outlines[${index}]`));
  const corners = Float32Array.from(parts.flatMap((part) => [...part]));
  const counts = Uint32Array.from(parts, (part) => part.length / 2);
  const mesh = rawFull().meshFromOutlines(corners, counts, finite(y, "y"));
  return new NavMesh(mesh);
}

/** The corners of the convex hull of points of the plane, as their numbers. */
export function convexHull(corners: readonly Vec2Like[] | Float32Array): Uint32Array {
  return rawFull().convexHull(planePoints(corners, "corners"));
}

/** The triangles of the convex hull of points, three numbers of points each; fewer where they lie on a line. */
export function convexHull3(corners: PointList): Uint32Array {
  return rawFull().convexHull3(points(corners, "corners"));
}
