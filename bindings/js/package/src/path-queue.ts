import { WayfareError } from "./error.js";
import { Handle, describe } from "./handle.js";
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
  /** The mesh that is searched, as it is at each step. */
  readonly mesh: NavMesh;
  /** Whether bounds are its planner. */
  readonly #isGuided: boolean;

  /** A queue of questions to a mesh. */
  constructor(mesh: NavMesh, planner: Planner = "astar") {
    rawMesh(mesh);
    super(new (raw().RawPathQueue)(plannerName(planner)));
    this.mesh = mesh;
    this.#isGuided = planner instanceof CostBounds;
    if (planner instanceof CostBounds) this.raw.setBounds(rawBounds(planner));
  }

  /** Searches with other bounds from now on: those of the mesh as it is. The queue's planner must be bounds. */
  setBounds(bounds: CostBounds): void {
    mustBeGuided(this.#isGuided, "queue");
    this.raw.setBounds(rawBounds(bounds));
  }

  /** Asks for a path, with the filter and the limits of a query of the same mesh. */
  request(query: Query, from: Vec3Like, to: Vec3Like): PathTicket {
    const asked = rawQuery(query);
    if (query.mesh !== this.mesh) {
      throw new WayfareError("invalid-argument", "The query asks another mesh than this queue: make a queue for each mesh.");
    }
    return { number: this.raw.request(query.rawMesh, asked, twoPoints(from, "from", to, "to")) };
  }

  /**
   * Searches on by some nodes; as many as it takes if that is not given. Where a function of a filter throws, what was not
   * done before waits again.
   */
  step(nodes?: number): void {
    this.raw.step(rawMesh(this.mesh), budget(nodes, "nodes"));
  }

  state(ticket: PathTicket): "waiting" | "searching" | "done" {
    return this.raw.state(numberOf(ticket)) as "waiting" | "searching" | "done";
  }

  /** The answer, which is then forgotten; null as long as it is not done. */
  take(ticket: PathTicket): PathAnswer | null {
    const answer = this.raw.take(numberOf(ticket)) as
      | { path: Float32Array; polys: BigUint64Array; isOutdated: boolean; broken: Broken | null }
      | null;
    return answer === null ? null : { ...answer, path: new Path(answer.path, answer.polys) };
  }

  cancel(ticket: PathTicket): void {
    this.raw.cancel(numberOf(ticket));
  }

  /** How many requests are not done. */
  get pending(): number {
    return this.raw.pending();
  }
}

function numberOf(ticket: PathTicket): number {
  if (typeof ticket !== "object" || ticket === null) {
    throw new WayfareError("invalid-argument", `ticket must be what request() gave, but is ${describe(ticket)}.`);
  }
  return id(ticket.number, "ticket.number");
}
