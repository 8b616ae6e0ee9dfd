export * from "./agent-params.js";
export * from "./avoid.js";
export * from "./bake.js";
export * from "./corridor.js";
export * from "./cost-bounds.js";
export * from "./cost-map.js";
export { Crowd, Pedestrians } from "./crowd.js";
export type {
  AgentId,
  AgentStatus,
  CrowdEvent,
  CrowdOptions,
  OnConnection,
  Phase,
  PhaseVelocities,
  Planner,
  Target,
} from "./crowd.js";
export * from "./error.js";
export * from "./explain.js";
export * from "./filter.js";
export * from "./formation.js";
export type { GridObstacle } from "./grid-obstacle.js";
export { Handle } from "./handle.js";
export * from "./level.js";
export * from "./links.js";
export * from "./live-level.js";
export type { Build, InitOptions } from "./load.js";
export { hasSimd, init, isLoaded } from "./load.js";
export * from "./nav-mesh.js";
export * from "./obstacles.js";
export * from "./overlay.js";
export * from "./path.js";
export * from "./path-queue.js";
export * from "./query.js";
export * from "./random.js";
export type { AgentSettings, BakeSettings, Progress } from "./settings.js";
export type {
  Box,
  MeshPoint,
  PointLike,
  PointList,
  PolyRef,
  TileRef,
  Vec2Like,
  Vec3,
  Vec3Like,
} from "./vector.js";
export type { VolumeEffect, VolumeLike, VolumeShape } from "./volume.js";
export { version } from "./version.js";
