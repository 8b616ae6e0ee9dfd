// Compiled, never run: the package's types say what the package does.
import { Mesh, Object3D, Vector3 } from "three";
import type { AgentId, Avoidance, Baked, BakeSettings, CrowdEvent, Link, ObstacleId, PathStatus, RebuiltTile, Target, Vec3, VolumeLike } from "wayfare";
import { Crowd, Filter, Level, LiveLevel, NavMesh, Query, Random, WayfareError, bake, bakeAsync, init } from "wayfare";
import { BlockNav, BlockWorld } from "wayfare/blocks";
import { findOptimalPath } from "wayfare/full";
import { createPool } from "wayfare/pool";
import { levelFromObject, navMeshToObject, pathToVectors } from "wayfare/three";

/** True only for the same type; `any` is the same as nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Same<A, B>): void {}

async function main(): Promise<void> {
  await init({ build: "full", simd: false });
  const level = new Level({ positions: new Float32Array(9), indices: [0, 1, 2] });
  const baked = bake(level, { agent: { radius: 0.4 }, tileSize: 48, partition: "layers" });
  same<typeof baked, Baked>(true);
  same<typeof baked.mesh, NavMesh>(true);
  same<typeof baked.whyEmpty, string | null>(true);
  same<Awaited<ReturnType<typeof bakeAsync>>, Baked>(true);

  // @ts-expect-error: there is no such option.
  bake(level, { celSize: 1 });
  // @ts-expect-error: nor such a word.
  bake(level, { partition: "voronoi" });
  // @ts-expect-error: a point has three numbers.
  new Query(baked.mesh).findPath([0, 0], [1, 0, 1]);
  // @ts-expect-error: a mesh is asked for.
  new Query(level);

  using query = new Query(baked.mesh, { filter: new Filter({ costs: { 3: 2 } }), placement: "nearest" });
  const path = query.findPath(new Vector3(1, 0, 1), { x: 1, y: 2, z: 3 });
  same<typeof path.status, PathStatus>(true);
  same<typeof path.points, Float32Array>(true);
  for (const point of path) same<typeof point, Vec3>(true);
  const near = query.findNearest([1, 0, 1]);
  // @ts-expect-error: nothing may be near.
  near.poly;
  if (near !== null) same<typeof near.poly, bigint>(true);
  same<ReturnType<typeof query.isReachable>, boolean | null>(true);
  same<ReturnType<typeof query.randomPoints>, Float32Array>(true);
  query.randomPoint(new Random(3n));

  const crowd = new Crowd(baked.mesh, { planner: "flow" });
  const agent = crowd.add([1, 0, 1], { avoidance: { name: "orca", solver: "clipping" } });
  same<typeof agent, AgentId>(true);
  // @ts-expect-error: a number is no agent.
  crowd.goTo(3, [1, 0, 1]);
  // @ts-expect-error: this method has no grid.
  crowd.setParams(agent, { avoidance: { name: "orca", grid: 3 } });
  same<ReturnType<typeof crowd.target>, Target>(true);
  for (const event of crowd.events()) told(event);

  const volume: VolumeLike = { kind: "cylinder", base: [0, 0, 0], radius: 1, height: 2 };
  level.addVolume(volume);
  // @ts-expect-error: a cylinder has a base.
  level.addVolume({ kind: "cylinder", radius: 1, height: 2 });

  const live = LiveLevel.of(level, { tileSize: 32 }, { links: { drop: false } });
  same<typeof live.progress.stage, "tiles" | "links">(true);
  same<ReturnType<typeof live.rebuilt>, RebuiltTile[]>(true);
  same<ReturnType<typeof live.links>, Link[]>(true);
  const obstacle = live.addObstacle(volume);
  same<typeof obstacle, ObstacleId>(true);
  // @ts-expect-error: an obstacle is no object.
  live.moveObject(obstacle, [0, 0, 0]);
  // @ts-expect-error: there is no such kind of link.
  LiveLevel.stored(live.mesh, { level, links: { fly: true } });
  live.mesh.publish(live.mesh.clone());

  const shortest = findOptimalPath(query, [0, 0, 0], [1, 0, 1]);
  same<typeof shortest.source, "any-angle" | "corridor">(true);
  const blocks = new BlockNav(new BlockWorld(), { climb: 1 });
  same<ReturnType<typeof blocks.pathExists>, boolean | null>(true);

  levelFromObject(new Object3D(), { area: (mesh: Mesh) => (mesh.name === "water" ? 1 : 63) });
  navMeshToObject(baked.mesh).traverse(() => {});
  same<ReturnType<typeof pathToVectors>, Vector3[]>(true);
  const pool = await createPool({ threads: 2 });
  same<Awaited<ReturnType<typeof pool.bake>>, Baked>(true);
}

function told(event: CrowdEvent): string {
  switch (event.kind) {
    case "blocked":
      return String(event.spells);
    case "path-lost":
      return event.broken.by;
    case "arrived":
      // @ts-expect-error: only blocked agents count spells.
      return event.spells;
    default:
      return event.kind;
  }
}

const settings: BakeSettings = { agent: { maxSlope: Math.PI / 4 }, bounds: { min: [0, 0, 0], max: [1, 1, 1] } };
const method: Avoidance = { name: "adaptive", quality: 2 };

export function codeOf(error: unknown): string {
  return error instanceof WayfareError ? error.code : "unknown";
}

export { main, method, settings };
