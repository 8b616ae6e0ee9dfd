import type { AgentInfo, AgentParams, CrowdSettings } from "./agent-params.js";
import type { Corner } from "./corridor.js";
import { cornersOf } from "./corridor.js";
import { CostBounds, rawBounds } from "./cost-bounds.js";
import { WayfareError } from "./error.js";
import type { Filter } from "./filter.js";
import { rawFilter } from "./filter.js";
import type { GridObstacle } from "./grid-obstacle.js";
import { packObstacles } from "./grid-obstacle.js";
import { Handle, describe, rawOf } from "./handle.js";
import { raw, rawFull } from "./load.js";
import type { NavMesh } from "./nav-mesh.js";
import { asBytes, rawMesh } from "./nav-mesh.js";
import type { Broken } from "./path.js";
import type { MeshPoint, PolyRef, Vec3, Vec3Like } from "./vector.js";
import { count, finite, floats, meshPoint, point, seed as seedOf, text, vec3At } from "./vector.js";
import type { RawCrowd, RawPedestrians } from "./wasm/full.js";

declare const brand: unique symbol;

/** An agent of a crowd. It is a number, and never used for another agent of the same crowd. */
export type AgentId = number & { readonly [brand]: "agent" };

/** How paths are found. `flow` searches once for all who have the same goal. All but `astar` need the full build. */
export type Planner = "astar" | "flow" | "optimal" | "hierarchical" | CostBounds;

/** Where an agent is to go. */
export type Target =
  | { kind: "none" }
  | { kind: "point" | "moving"; poly: PolyRef; point: Vec3 }
  | { kind: "agent"; agent: AgentId }
  | { kind: "velocity"; velocity: Vec3 };

/** How it stands with an agent's path. */
export type AgentStatus = "none" | "waiting" | "complete" | "partial" | "arrived" | "unreachable" | "lost";

/** Something that happened in a tick. */
export type CrowdEvent = { agent: AgentId } & (
  | { kind: "path-found"; complete: boolean }
  | { kind: "unreachable" | "surface-lost" | "arrived" | "gave-up" | "other" }
  | { kind: "path-lost" | "path-breaks-soon"; broken: Broken }
  | { kind: "displaced"; from: Vec3; to: Vec3 }
  | { kind: "blocked"; spells: number }
  | { kind: "obstructed"; by: number }
  | { kind: "connection-entered" | "connection-left"; connection: PolyRef; from: Vec3; to: Vec3 }
);

/** The off-mesh connection that an agent is on. */
export interface OnConnection {
  connection: PolyRef;
  from: Vec3;
  to: Vec3;
  enteredAt: Vec3;
  /** 0 to 1. */
  progress: number;
}

/** A part of a tick. */
export type Phase =
  | "validate"
  | "plan"
  | "neighbours"
  | "corners"
  | "connections"
  | "steer"
  | "avoid"
  | "integrate"
  | "resolve"
  | "constrain";

/** Velocities between two phases: what was steered to, what avoids others, what is next. */
export type PhaseVelocities = "desired" | "avoiding" | "next";

const BETWEEN: readonly PhaseVelocities[] = ["desired", "avoiding", "next"];

/** How a crowd is made. */
export interface CrowdOptions extends CrowdSettings {
  /** Default `"astar"`. */
  planner?: Planner;
}

/** Many agents on a mesh. */
export class Crowd extends Handle<RawCrowd> {
  readonly mesh: NavMesh;

  constructor(mesh: NavMesh, options: CrowdOptions = {}) {
    if (typeof options !== "object" || options === null) {
      throw new WayfareError("invalid-argument", `A crowd's options must be an object, but are ${describe(options)}.`);
    }
    rawMesh(mesh);
    const { planner = "astar", ...settings } = options;
    super(new (raw().RawCrowd)(settings, plannerName(planner)));
    this.mesh = mesh;
    this.#guide(planner);
  }

  /** Whether bounds are its planner. */
  #isGuided = false;

  #guide(planner: Planner): void {
    if (!(planner instanceof CostBounds)) return;
    this.#isGuided = true;
    this.raw.setBounds(rawBounds(planner));
  }

  /** Plans with other bounds from now on: those of the mesh as it is. The crowd's planner must be bounds. */
  setBounds(bounds: CostBounds): void {
    mustBeGuided(this.#isGuided, "crowd");
    this.raw.setBounds(rawBounds(bounds));
  }

  /** A crowd as it was saved, on the same mesh, with the filters that were added to it in their order. */
  static fromBytes(mesh: NavMesh, bytes: Uint8Array, filters: readonly Filter[] = [], planner: Planner = "astar"): Crowd {
    if (!Array.isArray(filters)) {
      throw new WayfareError("invalid-argument", `filters must be an array of filters, but is ${describe(filters)}.`);
    }
    const crowd = new Crowd(mesh);
    // The list takes the filters over, so it gets copies.
    const copies = (filters as readonly Filter[]).map((filter) => rawFilter(filter).copy());
    crowd.replaceRaw(rawFull().RawCrowd.fromBytes(asBytes(bytes, "bytes"), rawMesh(mesh), copies, plannerName(planner)));
    crowd.#guide(planner);
    return crowd;
  }

  toBytes(): Uint8Array {
    rawFull();
    return this.raw.toBytes(this.#mesh);
  }

  get #mesh() {
    return rawMesh(this.mesh);
  }

  changeSettings(settings: CrowdSettings): void {
    this.raw.changeSettings(settings);
  }

  // Agents.

  /** Adds an agent at the point of the mesh nearest to a place. */
  add(at: Vec3Like, params: AgentParams = {}): AgentId {
    const { radius, height } = agentParams(params);
    // What is of another type is told where all parameters are read.
    const size = Float32Array.of(typeof radius === "number" ? radius : 0.6, typeof height === "number" ? height : 2);
    return this.raw.add(this.#mesh, point(at, "at"), size, false, params) as AgentId;
  }

  /** Adds the next of a stream of pedestrians, who differ in speed and manners. */
  addPedestrian(at: Vec3Like, pedestrians: Pedestrians, params: AgentParams = {}): AgentId {
    const stream = rawOf(pedestrians, Pedestrians, "pedestrians");
    return this.raw.addPedestrian(this.#mesh, point(at, "at"), stream, agentParams(params)) as AgentId;
  }

  remove(agent: AgentId): void {
    this.raw.remove(agentNumber(agent));
  }

  has(agent: AgentId): boolean {
    return typeof agent === "number" && this.raw.contains(agent);
  }

  /** All agents, in the order of {@link positions}. */
  ids(): AgentId[] {
    return Array.from(this.raw.ids(), (id) => id as AgentId);
  }

  get size(): number {
    return this.raw.length();
  }

  [Symbol.iterator](): Iterator<AgentId> {
    return this.ids()[Symbol.iterator]();
  }

  /** Changes some parameters of an agent. */
  setParams(agent: AgentId, params: AgentParams): void {
    this.raw.setParams(agentNumber(agent), params);
  }

  params(agent: AgentId): AgentInfo {
    return this.raw.params(agentNumber(agent));
  }

  // Targets.

  /** Sends an agent to the point of the mesh nearest to a place. */
  goTo(agent: AgentId, to: Vec3Like): void {
    const [x, y, z] = point(to, "to");
    const number = agentNumber(agent);
    this.raw.goTo(this.#mesh, number, x as number, y as number, z as number);
  }

  /** Lets an agent follow another. */
  follow(agent: AgentId, leader: AgentId): void {
    this.raw.setTarget(this.#mesh, agentNumber(agent), "agent", new Float32Array(), 0n, agentNumber(leader, "leader"));
  }

  /** Lets an agent walk at a velocity, and still avoid others and walls. */
  walk(agent: AgentId, velocity: Vec3Like): void {
    this.raw.setTarget(this.#mesh, agentNumber(agent), "velocity", point(velocity, "velocity"), 0n, 0);
  }

  /** Sends an agent to a place on the mesh that moves: say so again whenever it has. */
  chase(agent: AgentId, place: MeshPoint): void {
    const [poly, at] = meshPoint(place, "place");
    this.raw.setTarget(this.#mesh, agentNumber(agent), "moving", at, poly, 0);
  }

  /** Takes an agent's target away: it stands, and steps aside for others. */
  stop(agent: AgentId): void {
    this.raw.setTarget(this.#mesh, agentNumber(agent), "none", new Float32Array(), 0n, 0);
  }

  target(agent: AgentId): Target {
    return this.raw.target(agentNumber(agent));
  }

  /** Puts an agent somewhere else. */
  teleport(agent: AgentId, to: Vec3Like): void {
    this.raw.teleport(this.#mesh, agentNumber(agent), point(to, "to"));
  }

  /** Says where an agent is that the game moves. */
  setPosition(agent: AgentId, at: Vec3Like): void {
    this.raw.setPosition(agentNumber(agent), point(at, "at"));
  }

  /** Pushes an agent. */
  setVelocity(agent: AgentId, velocity: Vec3Like): void {
    this.raw.setVelocity(agentNumber(agent), point(velocity, "velocity"));
  }

  pause(agent: AgentId, isPaused = true): void {
    this.raw.pause(agentNumber(agent), isPaused);
  }

  /** How far over a connection an agent is that the game takes over it, 0 to 1. */
  setConnectionProgress(agent: AgentId, progress: number): void {
    this.raw.setConnectionProgress(agentNumber(agent), finite(progress, "progress"));
  }

  // Ticks.

  /**
   * A tick: everybody plans, steers, avoids and moves. At most a second at a time. A tick in which a function of a filter
   * throws has not happened.
   */
  step(dt: number): void {
    this.raw.step(this.#mesh, seconds(dt));
  }

  /**
   * A tick phase by phase, between two of which the game may look on. If a function of a filter throws, it has not happened,
   * nor has what the game changed between its phases.
   */
  *phases(dt: number): IterableIterator<Phase> {
    this.raw.begin(seconds(dt));
    for (const phase of PHASES) {
      this.raw.runPhase(phase, this.#mesh, dt);
      yield phase;
    }
    this.raw.finish();
  }

  /** Velocities between two phases, three numbers for each place. */
  phaseVelocities(which: PhaseVelocities): Float32Array {
    return this.raw.phaseVelocities(between(which));
  }

  /** Writes velocities between two phases, for all places. */
  setPhaseVelocities(which: PhaseVelocities, velocities: Float32Array): void {
    this.raw.setPhaseVelocities(between(which), floats(velocities, "velocities"));
  }

  /** What happened in the last tick. */
  events(): CrowdEvent[] {
    return this.raw.events();
  }

  /** What the last tick did. */
  get profile(): { paths: number; nodes: number; waiting: number } {
    const numbers = this.raw.profile();
    return { paths: numbers[0] as number, nodes: numbers[1] as number, waiting: numbers[2] as number };
  }

  /** Seconds since it was made. */
  get time(): number {
    return this.raw.time();
  }

  // What agents do.

  position(agent: AgentId): Vec3 {
    return vec3At(this.raw.position(agentNumber(agent)));
  }

  velocity(agent: AgentId): Vec3 {
    return vec3At(this.raw.velocity(agentNumber(agent)));
  }

  /**
   * The positions of all places, three numbers each; `into` spares an allocation a frame. Without removals, agents lie
   * in the order of {@link ids}; else {@link places} says where each is. It may be longer than is needed.
   */
  positions(into?: Float32Array): Float32Array {
    if (into === undefined) return this.raw.positions();
    return filled(into, this.raw.positionsInto(floats(into, "into")));
  }

  velocities(into?: Float32Array): Float32Array {
    if (into === undefined) return this.raw.velocities();
    return filled(into, this.raw.velocitiesInto(floats(into, "into")));
  }

  /** Where in {@link positions} each agent of {@link ids} is. */
  places(): Uint32Array {
    return this.raw.places();
  }

  status(agent: AgentId): AgentStatus {
    return this.raw.status(agentNumber(agent)) as AgentStatus;
  }

  /** Metres to its goal; null where it has none or does not know yet. */
  remainingDistance(agent: AgentId): number | null {
    return this.raw.remainingDistance(agentNumber(agent)) ?? null;
  }

  isAtRest(agent: AgentId): boolean {
    return this.raw.isAtRest(agentNumber(agent));
  }

  /** The polygons of its path. */
  corridor(agent: AgentId): BigUint64Array {
    return this.raw.corridorPolys(agentNumber(agent));
  }

  /** The corners that it walks to next. */
  corners(agent: AgentId): Corner[] {
    return cornersOf(this.raw.corners(agentNumber(agent)));
  }

  /** The agents that it sees, nearest first. */
  neighbours(agent: AgentId): AgentId[] {
    return Array.from(this.raw.neighbours(agentNumber(agent)), (id) => id as AgentId);
  }

  onConnection(agent: AgentId): OnConnection | null {
    return this.raw.onConnection(agentNumber(agent));
  }

  // Obstacles.

  /**
   * Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones:
   * crates, parked cars, doors ajar. Call it again whenever one has moved. For obstacles that stay, change the mesh
   * (`Obstacles`): paths then take them into account. {@link toBytes} leaves them out.
   *
   * An agent whose line to its next corner is blocked finds a path around them, within 22 times its radius. Where there is
   * none, it goes as near as it can; {@link obstructedBy} and an event `obstructed` say what is in its way.
   */
  setObstacles(obstacles: readonly GridObstacle[]): void {
    const { numbers, ids } = packObstacles(obstacles);
    this.raw.setObstacles(numbers, ids);
  }

  /** The ids of the obstacles on its line to its next corner, nearest first, if no path led around them in the last tick. */
  obstructedBy(agent: AgentId): Uint32Array {
    return this.raw.obstructedBy(agentNumber(agent));
  }

  /** Where it steers instead of its next corner, to get around obstacles; null if its line is free. */
  localBend(agent: AgentId): Vec3 | null {
    const bend = this.raw.localBend(agentNumber(agent));
    return bend.length === 0 ? null : vec3At(bend);
  }

  // Filters.

  /** Adds a filter, and returns the number by which agents name it. */
  addFilter(filter: Filter): number {
    return this.raw.addFilter(rawFilter(filter));
  }

  /** Replaces a filter. Paths that it closes are searched anew. */
  setFilter(which: number, filter: Filter): void {
    this.raw.setFilter(count(which, "which"), rawFilter(filter), false);
  }

  /** Replaces a filter by one that differs in costs alone: paths are kept as long as they are good enough. */
  setCosts(which: number, filter: Filter): void {
    this.raw.setFilter(count(which, "which"), rawFilter(filter), true);
  }
}

const PHASES: readonly Phase[] = [
  "validate",
  "plan",
  "neighbours",
  "corners",
  "connections",
  "steer",
  "avoid",
  "integrate",
  "resolve",
  "constrain",
];

/** @internal What the library calls a planner; bounds begin as `astar`. */
export function plannerName(planner: Planner): string {
  return planner instanceof CostBounds ? "astar" : text(planner, "planner");
}

/** @internal */
export function mustBeGuided(isGuided: boolean, what: string): void {
  if (isGuided) return;
  throw new WayfareError("invalid-argument", `The ${what} was made without bounds: give CostBounds as its planner.`);
}

/** An array of the caller's, which must have had room for all points. */
function filled(into: Float32Array, count: number): Float32Array {
  if (into.length < 3 * count) {
    const sentence = `into has room for ${Math.floor(into.length / 3)} points, but there are ${count}.`;
    throw new WayfareError("invalid-argument", sentence);
  }
  return into;
}

function between(which: PhaseVelocities): number {
  const place = BETWEEN.indexOf(which);
  if (place < 0) {
    throw new WayfareError("invalid-argument", `Velocities are one of ${BETWEEN.join(", ")}, not ${describe(which)}.`);
  }
  return place;
}

function agentParams(params: AgentParams): AgentParams {
  if (typeof params === "object" && params !== null) return params;
  throw new WayfareError("invalid-argument", `An agent's parameters must be an object, but are ${describe(params)}.`);
}

function seconds(dt: number): number {
  if (finite(dt, "dt") < 0) {
    throw new WayfareError("invalid-argument", `dt must be 0 or more seconds, but is ${dt}.`);
  }
  return dt;
}

/** @internal */
export function agentNumber(agent: AgentId, name = "agent"): number {
  if (typeof agent !== "number" || !Number.isFinite(agent)) {
    throw new WayfareError("invalid-argument", `${name} must be the id of an agent, but is ${describe(agent)}.`);
  }
  return agent;
}

/** An endless stream of pedestrians' parameters, from a seed. */
export class Pedestrians extends Handle<RawPedestrians> {
  constructor(seed: number | bigint = 1) {
    super(new (rawFull().RawPedestrians)(seedOf(seed)));
  }
}
