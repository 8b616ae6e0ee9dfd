import { Handle } from "./handle.js";
import { rawFull } from "./load.js";
import type { PathLimit } from "./path.js";
import { Path, limitOf } from "./path.js";
import type { Query } from "./query.js";
import { meshOf, rawQuery } from "./query.js";
import type { MeshPoint, PolyRef } from "./vector.js";
import { meshPoint, reference } from "./vector.js";
import type { RawCostMap } from "./wasm/full.js";

/** What every place costs to reach from one, within the limits of a query: one search, many answers. */
export class CostMap extends Handle<RawCostMap> {
  readonly query: Query;

  constructor(query: Query, start: MeshPoint) {
    const [poly, at] = meshPoint(start, "start");
    super(new (rawFull().RawCostMap)(meshOf(query), rawQuery(query), poly, at));
    this.query = query;
  }

  /** Searches anew, from here or there. */
  update(start: MeshPoint): void {
    const [poly, at] = meshPoint(start, "start");
    this.raw.update(this.query.rawMesh, rawQuery(this.query), poly, at);
  }

  /** The limit that cut it short. */
  get limit(): PathLimit | null {
    return limitOf(this.raw.limit());
  }

  /** What a polygon costs to reach; null if it is not reached. */
  costTo(poly: PolyRef): number | null {
    return this.raw.costTo(reference(poly, "poly")) ?? null;
  }

  /** The path to a place. */
  pathTo(goal: MeshPoint): Path {
    const [poly, at] = meshPoint(goal, "goal");
    const query = rawQuery(this.query);
    const numbers = this.raw.pathTo(this.query.rawMesh, query, poly, at);
    return new Path(numbers, query.pathPolys());
  }
}
