/** What a worker of a pool does: one task after another, on levels and meshes that it keeps. */
import { WayfareError } from "./error.js";
import type { PlainLevel } from "./level.js";
import { rawOfPlain } from "./level.js";
import { init, raw } from "./load.js";
import { NavMesh } from "./nav-mesh.js";
import type { PathsReply, Reply, Task } from "./pool.js";
import { Query } from "./query.js";
import type { RawLevel } from "./wasm/full.js";

/** @internal */
export type Message = Task & { id: number };

const queries = new Map<number, Query>();
const levels = new Map<number, RawLevel>();

/** A list in memory of its own: what is shared cannot be read as it is. */
function own<T extends Float32Array | Uint32Array | Uint16Array | Uint8Array>(numbers: T): T {
  return numbers.slice() as T;
}

async function work(task: Task): Promise<unknown> {
  switch (task.kind) {
    case "init":
      return init({ build: task.build, wasm: task.wasm });
    case "level":
      levels.set(task.key, rawOfPlain(ownLevel(task.level)));
      return undefined;
    case "bake": {
      const level = levels.get(task.key);
      if (level === undefined) throw new WayfareError("worker", "The level was not sent to this worker.");
      const made = raw().RawTiles.bake(level, task.settings, task.from, task.to);
      const answer = { tiles: made.toBytes(), report: made.report() as unknown };
      made.free();
      return answer;
    }
    case "mesh":
      queries.set(task.key, new Query(NavMesh.fromBytes(own(task.bytes))));
      return undefined;
    case "drop":
      drop(task.key);
      return undefined;
    case "paths":
      return paths(task);
  }
}

function ownLevel(level: PlainLevel): PlainLevel {
  const { terrain } = level;
  return {
    ...level,
    positions: own(level.positions),
    indices: own(level.indices),
    areas: own(level.areas),
    terrain: terrain && { ...terrain, samples: own(terrain.samples) },
  };
}

function drop(key: number): void {
  levels.get(key)?.free();
  levels.delete(key);
  const query = queries.get(key);
  query?.dispose();
  query?.mesh.dispose();
  queries.delete(key);
}

function paths(task: Extract<Task, { kind: "paths" }>): PathsReply {
  const query = queries.get(task.key);
  if (query === undefined) throw new WayfareError("worker", "The mesh was not shared with this worker.");
  const found = query.findPaths(task.from, task.to);
  const { lengths, costs, offsets, points } = found;
  return { statuses: found.packedStatuses, lengths, costs, offsets, points };
}

/** @internal */
export async function answer(message: Message): Promise<Reply & { id: number }> {
  try {
    return { id: message.id, done: await work(message) };
  } catch (error) {
    const code = error instanceof WayfareError ? error.code : "worker";
    return { id: message.id, failed: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}
