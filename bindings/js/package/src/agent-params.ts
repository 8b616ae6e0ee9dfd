import type { Vec3 } from "./vector.js";

/** Weights of the methods that try out velocities. */
export interface SampleWeights {
  desired?: number;
  current?: number;
  side?: number;
  impact?: number;
  /** Seconds. */
  horizon?: number;
  wallHorizon?: number;
  keepRight?: number;
}

/** A method of local avoidance: its name, or its name with its settings. */
export type Avoidance =
  | "none"
  | "sampled"
  | "adaptive"
  | "orca"
  | "clearpath"
  | "hrvo"
  | "pedestrian"
  | { name: "none" }
  | { name: "sampled"; grid?: number; velocityBias?: number; weights?: SampleWeights }
  | {
    name: "adaptive";
    /** 0, the fastest, to 3, the best: sets the next three. */
    quality?: number;
    divisions?: number;
    rings?: number;
    depth?: number;
    velocityBias?: number;
    weights?: SampleWeights;
  }
  | {
    name: "orca";
    horizon?: number;
    wallHorizon?: number;
    overlapTime?: number;
    sideBias?: number;
    solver?: "linear-program" | "clipping";
  }
  | {
    name: "clearpath";
    horizon?: number;
    wallHorizon?: number;
    overlapTime?: number;
    spike?: number;
    sideBias?: number;
    steadiness?: number;
    keepRight?: number;
  }
  | {
    name: "hrvo";
    horizon?: number;
    wallHorizon?: number;
    overlapTime?: number;
    spike?: number;
    steadiness?: number;
    keepRight?: number;
  }
  | { name: "pedestrian"; timeGap?: number; lookAhead?: number; field?: number; length?: number; width?: number };

/** Settings of a whole crowd. */
export interface CrowdSettings {
  /** Nodes that all path searches of a tick may open. Default 32768. */
  pathNodes?: number;
  topologySearches?: number;
  topologyNodes?: number;
  /** How often overlaps are resolved in a tick. Default 4. */
  resolveRounds?: number;
  /** Seconds between searches to a goal that moves. Default 1. */
  replanInterval?: number;
  costChange?: number;
  /** How far from the mesh agents and goals may be put. Default [2, 4, 2]. */
  reach?: Vec3;
}

/** Parameters of an agent. Metres and seconds; what is not given follows the radius. */
export interface AgentParams {
  /** Default 0.6. */
  radius?: number;
  /** Default 2. */
  height?: number;
  /** Default 3.5 m/s. */
  maxSpeed?: number;
  /** Default 8 m/s². */
  maxAcceleration?: number;
  /** How far others are seen. Default: twelve radii. */
  neighbourRange?: number;
  maxNeighbours?: number;
  maxWalls?: number;
  /** Who gives way: the higher, the less. Default 1. */
  priority?: number;
  /** The layers that it is in, and those that it heeds: a bit each. */
  layers?: number;
  layerMask?: number;
  /** How strongly it keeps away from others. Default 0. */
  separation?: number;
  lookAhead?: number;
  /** Distance from its goal at which it begins to slow down. */
  slowDown?: number;
  /** Distance from its goal at which it has arrived. Default: one radius. */
  arrival?: number;
  stoppingDistance?: number;
  /** One of the crowd's filters: 0 is that of the mesh. */
  filter?: number;
  avoidance?: Avoidance;
  style?:
    | "straight"
    | "smooth"
    | { name: "straight" | "smooth" }
    | { name: "drunken"; swing?: number; period?: number };
  /** Who moves it: the crowd, or the game by {@link Crowd.setPosition}. */
  driver?: "crowd" | "game";
  /** Who takes it over off-mesh connections. */
  connectionDriver?: "crowd" | "game";
  recovery?: {
    patience?: number;
    squeeze?: number;
    replanAfter?: number;
    giveUpAfter?: number;
  };
  whenUnreachable?: "stay" | "go-near";
}

/** An agent's parameters, as they are. */
export type AgentInfo =
  & Required<Omit<AgentParams, "avoidance" | "style" | "driver" | "connectionDriver" | "recovery" | "whenUnreachable">>
  & { avoidance: string };
