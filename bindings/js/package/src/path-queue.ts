import { Handle } from "./handle.js";
import { raw } from "./load.js";
import { CostBounds, rawBounds } from "./cost-bounds.js";
import type { Planner } from "./crowd.js";
import { mustBeGuided, plannerName } from "./crowd.js";
import type { NavMesh } from "./nav-mesh.js";
import { rawMesh } from "./nav-mesh.js";
import type { Broken } from "./path.js";
import { Path } from "./path.js";
import type { Query } from "./query.js";
import { rawQuery } from "./query.js";
import type { Vec3Like } from "./vector.js";
import { budget, id, twoPoints } from "./vector.js";
import type { RawPathQueue } from "./wasm/full.js";

/** A request for a path. */
export interface PathTicket {
  /** Its number in the queue. */
  readonly number: number;
}

/** The answer to a request. */
export interface PathAnswer {
  path: Path;
  /** Whether the mesh has changed since its search began. */
  isOutdated: boolean;
  /** What is wrong with it by now. */
  broken: Broken | null;
}

/** Many requests for paths, searched over several frames: so many nodes in each. */
export class PathQueue extends Handle<RawPathQueue> {
  /** Whether bounds are its planner. */
  readonly #isGuided: boolean;

  constructor(planner: Planner = "astar") {
    super(new (raw().RawPathQueue)(plannerName(planner)));
    this.#isGuided = planner instanceof CostBounds;
    if (planner instanceof CostBounds) this.raw.setBounds(rawBounds(planner));
  }

  /** Searches with other bounds from now on: those of the mesh as it is. The queue's planner must be bounds. */
  setBounds(bounds: CostBounds): void {
    mustBeGuided(this.#isGuided, "queue");
    this.raw.setBounds(rawBounds(bounds));
  }

  /** Asks for a path, with a query's mesh, filter and limits. */
  request(query: Query, from: Vec3Like, to: Vec3Like): PathTicket {
    const ends = twoPoints(from, "from", to, "to");
    return { number: this.raw.request(query.rawMesh, rawQuery(query), ends) };
  }

  /** Searches on by some nodes; as many as it takes if that is not given. */
  step(mesh: NavMesh, nodes?: number): void {
    this.raw.step(rawMesh(mesh), budget(nodes, "nodes"));
  }

  state(ticket: PathTicket): "waiting" | "searching" | "done" {
    return this.raw.state(id(ticket.number, "ticket.number")) as "waiting" | "searching" | "done";
  }

  /** The answer, which is then forgotten; null as long as it is not done. */
  take(ticket: PathTicket): PathAnswer | null {
    const answer = this.raw.take(id(ticket.number, "ticket.number")) as
      | { path: Float32Array; polys: BigUint64Array; isOutdated: boolean; broken: Broken | null }
      | null;
    return answer === null ? null : { ...answer, path: new Path(answer.path, answer.polys) };
  }

  cancel(ticket: PathTicket): void {
    this.raw.cancel(id(ticket.number, "ticket.number"));
  }

  /** How many requests are not done. */
  get pending(): number {
    return this.raw.pending();
  }
}
