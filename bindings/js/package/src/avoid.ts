import type { Avoidance } from "./agent-params.js";
import { options as known } from "./handle.js";
import { rawFull } from "./load.js";
import type { Vec2Like } from "./vector.js";
import { finite, planePoints } from "./vector.js";

/** An agent for {@link avoidVelocity}. Points of the plane. */
export interface AvoidingAgent {
  position: Vec2Like;
  velocity: Vec2Like;
  /** Where it would go alone. */
  desired: Vec2Like;
  radius: number;
  maxSpeed: number;
  /** Distance kept from walls. Default: its radius. */
  wallDistance?: number;
}

/** Somebody to avoid. */
export interface AvoidedNeighbour {
  position: Vec2Like;
  velocity: Vec2Like;
  desired?: Vec2Like;
  radius: number;
  /** The part of the avoiding that the agent does, 0 to 1. Default: half. */
  share?: number;
}

/** One agent's velocity among others and walls, by any method, without crowd or mesh. */
export function avoidVelocity(
  method: Avoidance,
  agent: AvoidingAgent,
  neighbours: readonly AvoidedNeighbour[] = [],
  walls: readonly (readonly [Vec2Like, Vec2Like])[] = [],
): [number, number] {
  known(agent, ["position", "velocity", "desired", "radius", "maxSpeed", "wallDistance"], "agent");
  neighbours.forEach((other) => known(other, ["position", "velocity", "desired", "radius", "share"], "a neighbour"));
  const plane = (value: Vec2Like, name: string) => [...planePoints([value], name)];
  const numbers = Float32Array.of(
    ...plane(agent.position, "position"),
    ...plane(agent.velocity, "velocity"),
    ...plane(agent.desired, "desired"),
    finite(agent.radius, "radius"),
    finite(agent.maxSpeed, "maxSpeed"),
    finite(agent.wallDistance ?? agent.radius, "wallDistance"),
  );
  const others = neighbours.flatMap((other) => [
    ...plane(other.position, "position"),
    ...plane(other.velocity, "velocity"),
    ...plane(other.desired ?? other.velocity, "desired"),
    finite(other.radius, "radius"),
    finite(other.share ?? 0.5, "share"),
  ]);
  const ends = walls.flatMap(([a, b]) => [...plane(a, "wall"), ...plane(b, "wall")]);
  const found = rawFull().avoidVelocity(method, numbers, Float32Array.from(others), Float32Array.from(ends));
  return [found[0] as number, found[1] as number];
}
