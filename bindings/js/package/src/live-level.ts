import { WayfareError } from "./error.js";
import { Handle, options as known } from "./handle.js";
import type { Level, LevelInput } from "./level.js";
import { rawLevel, readIndices } from "./level.js";
import type { Link, LinkSettings } from "./links.js";
import { rawFull } from "./load.js";
import { NavMesh, rawMesh } from "./nav-mesh.js";
import type { ObjectId, ObstacleId, RebuiltTile, TileCoord } from "./obstacles.js";
import { coords } from "./obstacles.js";
import type { BakeSettings } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { Vec3, Vec3Like } from "./vector.js";
import { budget, id, point, points, vec3At } from "./vector.js";
import type { VolumeLike } from "./volume.js";
import { plainVolume, rawVolume } from "./volume.js";
import type { RawLiveLevel, RawVolume } from "./wasm/full.js";

/** How far a live level has followed its changes. */
export interface LiveProgress {
  /** Whether tiles that have changed are rebuilt, or the tiles are there and links are searched on them. */
  stage: "tiles" | "links";
  /** How much of that is done, and how much there is in all. */
  done: number;
  total: number;
}

/**
 * A level of triangles, objects and obstacles that come, move and go, and the mesh that follows it tile by tile, with its
 * automatic links.
 *
 * A change costs little; {@link step} does the work. Tiles have the bytes of a bake of the level as it is, whatever the steps.
 * It is in the full build. `Obstacles` are a part of it by itself.
 */
export class LiveLevel extends Handle<RawLiveLevel> {
  /**
   * The mesh, as far as it has followed: always this object. Its connections, areas and flags may be changed between steps;
   * tiles that are put in by hand come back as they were with the next rebuild.
   */
  readonly mesh: NavMesh;

  /** @internal */
  constructor(made: RawLiveLevel, mesh: NavMesh) {
    super(made);
    this.mesh = mesh;
  }

  /**
   * A level of which nothing is baked yet: {@link step} bakes it. What is added later counts inside the settings' bounds, those
   * of the level unless given. The level's volumes stay as they are: those that come and go are obstacles. With `links`, drops,
   * jumps and climbs are found and kept up, as off-mesh connections; `{}` finds what is usual for the agent.
   */
  static of(level: Level, settings: BakeSettings = {}, options: { links?: LinkSettings } = {}): LiveLevel {
    known(options, ["links"]);
    const made = rawFull().RawLiveLevel.create(rawLevel(level), bakeOptions(settings), options.links);
    return new LiveLevel(made, new NavMesh(made.mesh()));
  }

  /**
   * A level whose mesh was saved with what {@link store} put beside it, or by `wayfare bake --layers`. For objects and links it
   * needs what it was baked from: `level`. A mesh without what `store` puts there is refused.
   */
  static stored(mesh: NavMesh, options: { level?: Level; links?: LinkSettings } = {}): LiveLevel {
    const { level, links } = known(options, ["level", "links"]);
    if (level === undefined && links !== undefined) {
      throw new WayfareError("invalid-argument", "Links are found on the level: give `level` as well.");
    }
    const { RawLiveLevel } = rawFull();
    const made = level === undefined
      ? RawLiveLevel.stored(rawMesh(mesh))
      : RawLiveLevel.storedWith(rawMesh(mesh), rawLevel(level), links);
    return new LiveLevel(made, mesh);
  }

  /** Adds an obstacle: a volume that blocks, or paints the surface in it with an area type. */
  addObstacle(volume: VolumeLike): ObstacleId {
    return withVolume(volume, (made) => this.raw.addObstacle(made)) as ObstacleId;
  }

  moveObstacleBy(obstacle: ObstacleId, by: Vec3Like): void {
    this.raw.moveObstacleBy(id(obstacle, "obstacle"), point(by, "by"));
  }

  /** Puts another volume in the place of one. */
  replaceObstacle(obstacle: ObstacleId, volume: VolumeLike): void {
    withVolume(volume, (made) => this.raw.replaceObstacle(id(obstacle, "obstacle"), made));
  }

  removeObstacle(obstacle: ObstacleId): void {
    this.raw.removeObstacle(id(obstacle, "obstacle"));
  }

  /** All obstacles that are there; those of a stored level are numbered from 0 in their order. */
  obstacles(): ObstacleId[] {
    return Array.from(this.raw.obstacles(), (number) => number as ObstacleId);
  }

  obstacleBounds(obstacle: ObstacleId): { min: Vec3; max: Vec3 } {
    const numbers = this.raw.obstacleBounds(id(obstacle, "obstacle"));
    return { min: vec3At(numbers), max: vec3At(numbers, 3) };
  }

  /** Adds a piece of geometry, which can be walked on and is in the way: a bridge, a platform, a wall. */
  addObject(shape: Pick<LevelInput, "positions" | "indices">, offset: Vec3Like = [0, 0, 0]): ObjectId {
    const positions = points(shape.positions, "positions");
    const indices = readIndices(shape.indices, positions.length / 3);
    return this.raw.addObject(positions, indices, point(offset, "offset")) as ObjectId;
  }

  /** Moves an object: it is now moved by this offset. */
  moveObject(object: ObjectId, offset: Vec3Like): void {
    this.raw.moveObject(id(object, "object"), point(offset, "offset"));
  }

  removeObject(object: ObjectId): void {
    this.raw.removeObject(id(object, "object"));
  }

  /** All objects that are there. */
  objects(): ObjectId[] {
    return Array.from(this.raw.objects(), (number) => number as ObjectId);
  }

  /** Puts other triangles in the place of those that are no objects. Only tiles under what came or went are baked again. */
  replaceTriangles(level: Level): void {
    this.raw.replaceTriangles(rawLevel(level));
  }

  /**
   * Puts the height map of another level in the place of the one that was there; a level without takes it away. If both have
   * their points in the same places, only tiles under points whose height is another are baked again: dig by giving the same
   * map with other samples.
   */
  replaceTerrain(level: Level): void {
    this.raw.replaceTerrain(rawLevel(level));
  }

  /** Tells those who walk on the tiles that will be rebuilt, before it happens. To be called after changes. */
  announce(): void {
    this.raw.announce(rawMesh(this.mesh));
  }

  /**
   * Follows the changes, by some units of work, 1 or more; without a number, all of them. It rebuilds tiles, then searches links. Returns
   * whether all is done.
   *
   * @throws {@link WayfareError} `rebuild` for a tile or link that failed, once each; later steps go on with the rest.
   */
  step(units?: number): boolean {
    return this.raw.step(rawMesh(this.mesh), budget(units, "units"));
  }

  get progress(): LiveProgress {
    return this.raw.progress() as LiveProgress;
  }

  /** The tiles that the last step was done with. */
  rebuilt(): RebuiltTile[] {
    return this.raw.rebuilt() as RebuiltTile[];
  }

  /** Tiles that wait for their rebuild. */
  aboutToChange(): TileCoord[] {
    return coords(this.raw.aboutToChange());
  }

  /** The automatic links that are in the mesh. */
  links(): Link[] {
    return this.raw.links() as Link[];
  }

  /**
   * Puts obstacles, what tiles are rebuilt from, and the work that is left beside the mesh, to be saved with it by
   * {@link NavMesh.toBytes}; {@link stored} reads it. Objects are not saved: add them again where they stood.
   */
  store(): void {
    this.raw.store(rawMesh(this.mesh));
  }
}

/** Does something with a volume, and gives its memory back. */
function withVolume<Answer>(volume: VolumeLike, use: (made: RawVolume) => Answer): Answer {
  const made = rawVolume(plainVolume(volume));
  try {
    return use(made);
  } finally {
    made.free();
  }
}
