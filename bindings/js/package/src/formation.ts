import type { AgentId } from "./crowd.js";
import { Crowd, agentNumber } from "./crowd.js";
import { WayfareError } from "./error.js";
import { Handle, rawOf } from "./handle.js";
import { rawFull } from "./load.js";
import { asBytes, rawMesh } from "./nav-mesh.js";
import type { Vec2Like } from "./vector.js";
import { MOST, count, finite, planePoints } from "./vector.js";
import type { RawFormation } from "./wasm/full.js";

/** A group that keeps a shape around a leader. */
export class Formation extends Handle<RawFormation> {
  readonly crowd: Crowd;

  /** Places are beside and behind the leader: x to the right and z ahead, metres. */
  constructor(crowd: Crowd, leader: AgentId, slots: readonly Vec2Like[] | Float32Array, members: readonly AgentId[]) {
    const handles = Float64Array.from(members, (member) => agentNumber(member, "member"));
    const owner = rawOf(crowd, Crowd, "crowd");
    super(new (rawFull().RawFormation)(owner, agentNumber(leader, "leader"), planePoints(slots, "slots"), handles));
    this.crowd = crowd;
  }

  /** The places of a block. */
  static block(members: number, columns: number, spacing: number): Float32Array {
    return rawFull().RawFormation.block(count(members, "members", MOST), count(columns, "columns"), finite(spacing, "spacing"));
  }

  /** The places of a wedge. */
  static wedge(members: number, spacing: number): Float32Array {
    return rawFull().RawFormation.wedge(count(members, "members", MOST), finite(spacing, "spacing"));
  }

  static fromBytes(crowd: Crowd, bytes: Uint8Array): Formation {
    const first = crowd.ids()[0];
    if (first === undefined) throw new WayfareError("stale-ref", "A formation needs its agents: load the crowd first.");
    const formation = new Formation(crowd, first, [], []);
    formation.replaceRaw(rawFull().RawFormation.fromBytes(asBytes(bytes, "bytes")));
    return formation;
  }

  toBytes(): Uint8Array {
    return this.raw.toBytes();
  }

  /** Sends the members to their places: before each tick. */
  lead(): void {
    const crowd = rawOf(this.crowd, Crowd, "crowd");
    this.raw.lead(crowd, rawMesh(this.crowd.mesh));
  }
}
