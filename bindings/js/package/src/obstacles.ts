import { Handle, rawOf } from "./handle.js";
import type { Level, LevelInput } from "./level.js";
import { rawLevel, readIndices } from "./level.js";
import { raw, rawFull } from "./load.js";
import type { NavMesh } from "./nav-mesh.js";
import { asBytes, rawMesh } from "./nav-mesh.js";
import type { BakeSettings, Progress } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { Box, TileRef, Vec3, Vec3Like } from "./vector.js";
import { box, budget, callable, count, id, point, points, vec3At } from "./vector.js";
import type { VolumeLike } from "./volume.js";
import { plainVolume, rawVolume } from "./volume.js";
import type { RawCheckpoints, RawObstacles } from "./wasm/full.js";

declare const brand: unique symbol;

/** An obstacle. It is a number, and never used for another. */
export type ObstacleId = number & { readonly [brand]: "obstacle" };

/** A piece of geometry that moves. */
export type ObjectId = number & { readonly [brand]: "object" };

/** Where a tile is in the grid of tiles. */
export interface TileCoord {
  x: number;
  z: number;
  layer: number;
}

/** A tile that was rebuilt. */
export interface RebuiltTile extends TileCoord {
  change: "same" | "replaced" | "removed" | "added";
  /** The new tile; 0 if there is none. */
  tile: TileRef;
}

/** A level's open ground, kept small, from which tiles are rebuilt. */
export class LevelCheckpoints extends Handle<RawCheckpoints> {
  /** Bakes as far as obstacles come in. Level and settings must be those of the mesh. */
  static bake(level: Level, settings: BakeSettings = {}, progress?: Progress): LevelCheckpoints {
    if (progress !== undefined) callable(progress, "progress");
    return new LevelCheckpoints(raw().RawCheckpoints.bake(rawLevel(level), bakeOptions(settings), progress));
  }

  static fromBytes(bytes: Uint8Array): LevelCheckpoints {
    return new LevelCheckpoints(raw().RawCheckpoints.fromBytes(asBytes(bytes, "bytes")));
  }

  toBytes(): Uint8Array {
    return this.raw.toBytes();
  }

  /** The flags that rebuilt polygons of an area type have. */
  setAreaFlags(area: number, flags: number): void {
    this.raw.setAreaFlags(count(area, "area", 63), count(flags, "flags", 0xffff));
  }

  get tileCount(): number {
    return this.raw.tileCount();
  }

  /** Bytes of memory. */
  get memory(): number {
    return this.raw.compressedBytes();
  }
}

/** Obstacles that come, move and go, and the rebuild of the tiles under them, in steps. */
export class Obstacles extends Handle<RawObstacles> {
  readonly mesh: NavMesh;

  constructor(mesh: NavMesh, checkpoints: LevelCheckpoints) {
    super(new (raw().RawObstacles)(rawOf(checkpoints, LevelCheckpoints, "checkpoints")));
    this.mesh = mesh;
  }

  /** Obstacles as they were saved; they are numbered from 0 in their order. */
  static fromBytes(mesh: NavMesh, checkpoints: LevelCheckpoints, bytes: Uint8Array): Obstacles {
    const obstacles = new Obstacles(mesh, checkpoints);
    const kept = rawOf(checkpoints, LevelCheckpoints, "checkpoints");
    obstacles.replaceRaw(rawFull().RawObstacles.fromBytes(kept, asBytes(bytes, "bytes")));
    return obstacles;
  }

  toBytes(): Uint8Array {
    rawFull();
    return this.raw.toBytes();
  }

  /** Adds an obstacle. The mesh changes in {@link step}. */
  add(volume: VolumeLike): ObstacleId {
    const made = rawVolume(plainVolume(volume));
    try {
      return this.raw.add(made) as ObstacleId;
    } finally {
      made.free();
    }
  }

  moveTo(obstacle: ObstacleId, to: Vec3Like): void {
    this.raw.moveTo(id(obstacle, "obstacle"), point(to, "to"));
  }

  moveBy(obstacle: ObstacleId, by: Vec3Like): void {
    this.raw.moveBy(id(obstacle, "obstacle"), point(by, "by"));
  }

  replace(obstacle: ObstacleId, volume: VolumeLike): void {
    const made = rawVolume(plainVolume(volume));
    try {
      this.raw.replace(id(obstacle, "obstacle"), made);
    } finally {
      made.free();
    }
  }

  remove(obstacle: ObstacleId): void {
    this.raw.remove(id(obstacle, "obstacle"));
  }

  /** Removes all of them. */
  clear(): void {
    this.raw.clear();
  }

  get count(): number {
    return this.raw.count();
  }

  /** All obstacles that are there. */
  ids(): ObstacleId[] {
    return Array.from(this.raw.numbers(), (number) => number as ObstacleId);
  }

  bounds(obstacle: ObstacleId): { min: Vec3; max: Vec3 } {
    const numbers = this.raw.bounds(id(obstacle, "obstacle"));
    return { min: vec3At(numbers), max: vec3At(numbers, 3) };
  }

  /** The tiles that the last change concerns. */
  lastTiles(): TileCoord[] {
    return coords(this.raw.lastTiles());
  }

  /** What has become of the last change: in the mesh, waiting for {@link step}, or outside of it. */
  get lastOutcome(): "built" | "waiting" | "outside" | "failed" {
    return this.raw.lastOutcome() as "built" | "waiting" | "outside" | "failed";
  }

  /**
   * Rebuilds tiles, by some units of work, 1 or more; without a number, until all is done. Returns whether it is. The mesh changes
   * tile by tile.
   */
  step(units?: number): boolean {
    const progress = this.raw.step(rawMesh(this.mesh), budget(units, "units"));
    return (progress[0] as number) >= (progress[1] as number);
  }

  /** The tiles that the last step was done with. */
  rebuilt(): RebuiltTile[] {
    return this.raw.rebuilt();
  }

  /** Tiles that wait for their rebuild. */
  aboutToChange(): TileCoord[] {
    return coords(this.raw.aboutToChange());
  }

  // Geometry that moves.

  /**
   * Rebuilds from a level from now on, its triangles and its height map, which makes room for objects. Called again with the
   * level as it is by then, it has the tiles rebuilt under what came or went; objects stay.
   */
  useLevel(level: Level): void {
    this.raw.useLevel(rawLevel(level));
  }

  /** Adds a piece of geometry: a bridge, a platform. */
  addObject(shape: Pick<LevelInput, "positions" | "indices">, offset: Vec3Like = [0, 0, 0]): ObjectId {
    const positions = points(shape.positions, "positions");
    const indices = readIndices(shape.indices, positions.length / 3);
    return this.raw.addObject(positions, indices, point(offset, "offset")) as ObjectId;
  }

  moveObject(object: ObjectId, offset: Vec3Like): void {
    this.raw.moveObject(id(object, "object"), point(offset, "offset"));
  }

  removeObject(object: ObjectId): void {
    this.raw.removeObject(id(object, "object"));
  }

  /** Has the tiles of a box rebuilt. */
  invalidate(bounds: Box): void {
    this.raw.invalidate(box(bounds, "bounds"));
  }
}

/** @internal Places of tiles, three numbers each. */
export function coords(numbers: Int32Array): TileCoord[] {
  const list: TileCoord[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    list.push({ x: numbers[at] as number, z: numbers[at + 1] as number, layer: numbers[at + 2] as number });
  }
  return list;
}
