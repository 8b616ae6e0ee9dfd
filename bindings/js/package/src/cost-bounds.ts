import type { Filter } from "./filter.js";
import { rawFilter } from "./filter.js";
import { Handle, rawOf } from "./handle.js";
import { rawFull } from "./load.js";
import type { NavMesh } from "./nav-mesh.js";
import { rawMesh } from "./nav-mesh.js";
import { Path } from "./path.js";
import type { PathList, Query } from "./query.js";
import { pathList, rawQuery } from "./query.js";
import type { PointLike, PointList } from "./vector.js";
import { pointOf, points, polyOf, twoPoints } from "./vector.js";
import type { RawCostBounds } from "./wasm/full.js";

/**
 * Lower bounds of costs from anywhere to anywhere on a mesh, of the full build. Searches that they guide find the cheapest
 * path, usually several times faster than those without on meshes of thousands of polygons. They hold for the mesh as it is
 * when they are made: after a change, searches go on without them until new ones are made.
 */
export class CostBounds extends Handle<RawCostBounds> {
  /**
   * Computes bounds for a filter: the most common one, since they also serve others, but less the more their costs differ.
   * Default: all that has a flag, at the costs of the mesh's areas. Some hundred milliseconds for 30,000 polygons.
   */
  constructor(mesh: NavMesh, filter?: Filter) {
    const asked = rawMesh(mesh);
    const usual = filter === undefined ? rawFull().RawFilter.ofMesh(asked) : undefined;
    try {
      super(new (rawFull().RawCostBounds)(asked, usual ?? rawFilter(filter as Filter)));
    } finally {
      usual?.free();
    }
  }

  /** Whether they hold for a mesh as it is now: whether it has not changed since. */
  holdFor(mesh: NavMesh): boolean {
    return this.raw.holdFor(rawMesh(mesh));
  }

  /** The reference points that they were computed from, three numbers each, for drawings. */
  get points(): Float32Array {
    return this.raw.points();
  }

  /** Bytes that they take in memory. */
  get byteSize(): number {
    return this.raw.bytes();
  }

  /** A path over the cheapest polygons, with its string pulled, as {@link Query.findPath}. */
  findPath(query: Query, from: PointLike, to: PointLike): Path {
    const ends = twoPoints(pointOf(from), "from", pointOf(to), "to");
    const asked = rawQuery(query);
    const numbers = this.raw.findPath(asked, query.rawMesh, ends, polyOf(from), polyOf(to));
    return new Path(numbers, asked.pathPolys());
  }

  /** Many paths in one call. */
  findPaths(query: Query, from: PointList, to: PointList): PathList {
    const asked = rawQuery(query);
    return pathList(this.raw.findPaths(asked, query.rawMesh, points(from, "from"), points(to, "to")));
  }
}

/** @internal */
export function rawBounds(bounds: CostBounds): RawCostBounds {
  return rawOf(bounds, CostBounds, "bounds");
}
