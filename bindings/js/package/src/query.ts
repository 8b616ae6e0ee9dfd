import { WayfareError } from "./error.js";
import { Filter, rawFilter } from "./filter.js";
import { Handle, describe, options as known, rawOf, word } from "./handle.js";
import { raw } from "./load.js";
import type { MeshVersion, NavMesh } from "./nav-mesh.js";
import { MeshVersion as Version, rawMesh } from "./nav-mesh.js";
import type { Broken, PathChange, PathLimit, PathStatus } from "./path.js";
import { Path, limitOf, statusOf } from "./path.js";
import type { Random } from "./random.js";
import { rawRandom } from "./random.js";
import type { Box, MeshPoint, PointLike, PointList, PolyRef, Vec3, Vec3Like } from "./vector.js";
import { MOST, box, count, finite, point, pointOf, points, polyOf, readPoint, real, reference, twoPoints, vec3At } from "./vector.js";
import type { RawMesh, RawPaths, RawQuery } from "./wasm/full.js";

/** What questions are asked with. */
export interface QueryOptions {
  /** What may be crossed. Default: all that has a flag, at the costs that the mesh's areas have at each question. */
  filter?: Filter;
  /** How far a point may be from the mesh along x, y and z. Default: 2, 4 and 2 metres. */
  reach?: Vec3Like;
  /** Most nodes that a search opens. Default: no limit. */
  maxNodes?: number;
  /** Greatest cost of a path. Default: no limit. */
  maxCost?: number;
  /** Where searches place their nodes on portals. Default `"middle"`. */
  placement?: "middle" | "nearest" | "visible";
}

/** The polygon nearest to a point. */
export interface Nearest extends MeshPoint {
  /** Whether the point is right above or below it. */
  readonly over: boolean;
}

/** What a ray over the surface met. */
export interface RayHit {
  /** Whether it met a wall before its end. */
  hit: boolean;
  /** How far it got, 0 to 1. */
  t: number;
  /** Where it ended. */
  point: Vec3;
  /** The direction out of the wall. */
  normal: Vec3;
  /** What it would cost to walk, where that was asked for. */
  cost: number;
  /** The edge of the last polygon that it met, or null. */
  edge: number | null;
  /** The polygons that it crossed. */
  polys: BigUint64Array;
}

/** Where a move along the surface ended. */
export interface Moved extends MeshPoint {
  /** The polygons that it went over. */
  readonly visited: BigUint64Array;
}

/** The nearest wall. */
export interface NearestWall {
  distance: number;
  point: Vec3;
  /** From the wall to the place asked about. */
  normal: Vec3;
  /** Its two ends. */
  wall: [Vec3, Vec3];
}

/** Polygons that can be reached, with the one from which each was, and what that costs. */
export interface Reached {
  polys: BigUint64Array;
  /** 0 for the first. */
  parents: BigUint64Array;
  costs: Float32Array;
}

/** Why there is a path, or why there is none. */
export interface PathExplanation {
  reason: string;
  /** A sentence. */
  message: string;
  isFound: boolean;
  /** The ends on the mesh. */
  start: Vec3 | null;
  goal: Vec3 | null;
  /** What they are connected with. */
  components: [number | null, number | null];
  /** The polygon that the filter does not let pass. */
  blocker: PolyRef | null;
  blockedAt: Vec3 | null;
  limit: PathLimit | null;
  /** How far one gets. */
  reached: Vec3 | null;
}

/** Paths for many pairs of points. */
export class PathList implements Iterable<Float32Array> {
  /** @internal */
  constructor(
    private readonly codes: Uint8Array,
    /** The length of each, metres. */
    readonly lengths: Float32Array,
    /** The cost of each. */
    readonly costs: Float32Array,
    /** Which point each begins with, in `points`; one more than paths. */
    readonly offsets: Uint32Array,
    /** The points of all, three numbers each. */
    readonly points: Float32Array,
  ) {}

  /** How many there are. */
  get count(): number {
    return this.codes.length;
  }

  /** Whether one leads to its goal. */
  statusAt(index: number): PathStatus {
    return statusOf(this.codes[index] as number);
  }

  /** The points of one. */
  pointsAt(index: number): Float32Array {
    return this.points.subarray(3 * (this.offsets[index] ?? 0), 3 * (this.offsets[index + 1] ?? 0));
  }

  /** The points of each. */
  *[Symbol.iterator](): Iterator<Float32Array> {
    for (let index = 0; index < this.count; index += 1) yield this.pointsAt(index);
  }

  /** @internal */
  get packedStatuses(): Uint8Array {
    return this.codes;
  }
}

/** @internal */
export function pathList(answers: RawPaths): PathList {
  const list = new PathList(
    answers.statuses(),
    answers.lengths(),
    answers.costs(),
    answers.offsets(),
    answers.points(),
  );
  answers.free();
  return list;
}

/** Many places on the mesh. */
export interface PlaceList {
  /** 0 where nothing is near. */
  polys: BigUint64Array;
  /** NaN where nothing is near. */
  points: Float32Array;
}

const FROM = new Float32Array(3);
const TO = new Float32Array(3);

/**
 * Questions to a mesh, with a filter and memory that is kept: make one and ask it often. It sees the mesh as it is at
 * each question.
 */
export class Query extends Handle<RawQuery> {
  /** The mesh that is asked. */
  readonly mesh: NavMesh;

  constructor(mesh: NavMesh, options: QueryOptions = {}) {
    const asked = rawMesh(mesh);
    known(options, ["filter", "reach", "maxNodes", "maxCost", "placement"]);
    const reach = point(options.reach ?? [2, 4, 2], "reach");
    super(makeQuery(asked, options.filter, reach));
    this.mesh = mesh;
    this.#tables = options.filter === undefined ? mesh.tables : undefined;
    const { maxNodes = 0xffffffff, maxCost = Infinity, placement = "middle" } = options;
    this.raw.setLimits(count(maxNodes, "maxNodes"), real(maxCost, "maxCost"));
    this.raw.setPlacement(word(placement, ["middle", "nearest", "visible"], "placement"));
  }

  /** Asks with another filter from now on. */
  setFilter(filter: Filter): void {
    this.raw.setFilter(rawFilter(filter));
    this.#tables = undefined;
  }

  /** The mesh's table of area types whose costs it asks with; undefined if a filter was given. */
  #tables: number | undefined;

  /** @internal Has a query without a filter ask at the costs that the mesh's areas have now. */
  followAreas(): void {
    if (this.#tables === undefined || this.#tables === this.mesh.tables) return;
    const usual = raw().RawFilter.ofMesh(rawMesh(this.mesh));
    try {
      this.raw.setFilter(usual);
    } finally {
      usual.free();
    }
    this.#tables = this.mesh.tables;
  }

  /** @internal */
  get rawMesh(): RawMesh {
    this.followAreas();
    return rawMesh(this.mesh);
  }

  // Paths.

  /** A path from one point to another, over the cheapest polygons, with its string pulled. */
  findPath(from: PointLike, to: PointLike): Path {
    readPoint(pointOf(from), "from", FROM);
    readPoint(pointOf(to), "to", TO);
    const query = this.raw;
    const numbers = query.findPath(
      this.rawMesh,
      FROM[0] as number,
      FROM[1] as number,
      FROM[2] as number,
      TO[0] as number,
      TO[1] as number,
      TO[2] as number,
      polyOf(from),
      polyOf(to),
    );
    return new Path(numbers, query.pathPolys());
  }

  /** Many paths in one call. */
  findPaths(from: PointList, to: PointList): PathList {
    return pathList(this.raw.findPaths(this.rawMesh, points(from, "from"), points(to, "to")));
  }

  /** A path to whichever of many goals is cheapest to reach, and the number of that goal; -1 for none. */
  findPathToNearest(from: PointLike, goals: PointList): { goal: number; path: Path } {
    const start = point(pointOf(from), "from");
    const numbers = this.raw.findPathToNearest(this.rawMesh, start, polyOf(from), points(goals, "goals"));
    return { goal: numbers[0] as number, path: new Path(numbers.subarray(1), this.raw.pathPolys()) };
  }

  /** A path into a box. */
  findPathToBox(from: PointLike, goal: Box): Path {
    const start = point(pointOf(from), "from");
    const numbers = this.raw.findPathToBox(this.rawMesh, start, polyOf(from), box(goal, "goal"));
    return new Path(numbers, this.raw.pathPolys());
  }

  /** Pulls the string of a path anew; with the points where it crosses into other polygons, or other areas. */
  pullString(path: Path, crossings: "none" | "all" | "areas" = "none"): Path {
    const which = word(crossings, ["none", "all", "areas"], "crossings");
    const { polys } = aPath(path);
    const numbers = this.raw.pullString(this.rawMesh, polys, path.ends(), which);
    return new Path(numbers, this.raw.pathPolys());
  }

  /** What has become of a path since a moment. */
  pathChange(path: Path, since: MeshVersion): PathChange {
    aPath(path);
    const version = rawOf(since, Version, "since");
    return this.raw.pathChange(this.rawMesh, path.polys, path.ends(), version) as PathChange;
  }

  /** The first thing that is wrong with a path now; null if it can be walked as it is. */
  checkPath(path: Path): Broken | null {
    aPath(path);
    return this.raw.checkPath(this.rawMesh, path.polys, path.ends()) as Broken | null;
  }

  /** Whether there is a path; null where the limits leave that open. */
  isReachable(from: PointLike, to: PointLike): boolean | null {
    const ends = twoPoints(pointOf(from), "from", pointOf(to), "to");
    const code = this.raw.isReachable(this.rawMesh, ends, polyOf(from), polyOf(to));
    return code === 2 ? null : code === 1;
  }

  /** Why there is no path, or that there is one. */
  explainPath(from: Vec3Like, to: Vec3Like): PathExplanation {
    const ends = twoPoints(from, "from", to, "to");
    const found = this.raw.explainPath(this.rawMesh, ends) as Omit<PathExplanation, "limit"> & { limit: number };
    return { ...found, limit: limitOf(found.limit) };
  }

  // Points, rays, moves.

  /** The polygon nearest to a point, within the reach, or in a box; null if there is none. */
  findNearest(at: Vec3Like, within?: Box): Nearest | null {
    readPoint(at, "at", FROM);
    const bounds = within === undefined ? undefined : box(within, "within");
    const query = this.raw;
    const found = query.findNearest(this.rawMesh, FROM[0] as number, FROM[1] as number, FROM[2] as number, bounds);
    if (found.length === 0) return null;
    return { poly: query.visitedPoly(), point: vec3At(found), over: found[3] === 1 };
  }

  /** The nearest places to many points. */
  findNearestMany(at: PointList): PlaceList {
    const found = this.raw.findNearestMany(this.rawMesh, points(at, "at"));
    const list = { polys: found.polys(), points: found.points() };
    found.free();
    return list;
  }

  /** A straight walk over the surface, until a wall. */
  raycast(from: PointLike, to: Vec3Like, options: { cost?: boolean } = {}): RayHit {
    known(options, ["cost"]);
    const ends = twoPoints(pointOf(from), "from", to, "to");
    const found = this.raw.raycast(this.rawMesh, ends, polyOf(from), options.cost ?? false);
    const edge = found[9] as number;
    return {
      hit: found[0] === 1,
      t: found[1] as number,
      point: vec3At(found, 2),
      normal: vec3At(found, 5),
      cost: found[8] as number,
      edge: edge < 0 ? null : edge,
      polys: this.raw.visitedPolys(),
    };
  }

  /** Whether there is a path for each of many pairs; 2 where the limits leave that open. */
  isReachableMany(from: PointList, to: PointList): Uint8Array {
    return this.raw.isReachableMany(this.rawMesh, points(from, "from"), points(to, "to"));
  }

  /** Where each of many moves along the surface ends. */
  moveAlongMany(from: PointList, to: PointList): PlaceList {
    const found = this.raw.moveAlongMany(this.rawMesh, points(from, "from"), points(to, "to"));
    const list = { polys: found.polys(), points: found.points() };
    found.free();
    return list;
  }

  /** Metres from each of many points to the nearest wall; Infinity where none is near, NaN beside the mesh. */
  wallDistances(at: PointList, maxRadius: number): Float32Array {
    const within = real(maxRadius, "maxRadius");
    return this.raw.wallDistances(this.rawMesh, points(at, "at"), within);
  }

  /** How far each of many rays gets, 0 to 1; NaN where it does not begin on the mesh. */
  raycastMany(from: PointList, to: PointList): Float32Array {
    return this.raw.raycastMany(this.rawMesh, points(from, "from"), points(to, "to"));
  }

  /** Moves along the surface, and along walls; null where it does not begin on the mesh. */
  moveAlong(from: PointLike, to: Vec3Like): Moved | null {
    const ends = twoPoints(pointOf(from), "from", to, "to");
    const found = this.raw.moveAlong(this.rawMesh, ends, polyOf(from));
    if (found.length === 0) return null;
    return { point: vec3At(found), poly: this.raw.visitedPoly(), visited: this.raw.visitedPolys() };
  }

  // What is around.

  /** The polygons that touch a circle around a point and can be reached inside of it. */
  polysAround(at: PointLike, radius: number): Reached {
    return this.#reached(at, finite(radius, "radius"), new Float32Array());
  }

  /** The polygons that touch a convex shape around a point and can be reached inside of it. */
  polysInShape(at: PointLike, corners: PointList): Reached {
    return this.#reached(at, 0, points(corners, "corners"));
  }

  #reached(at: PointLike, radius: number, corners: Float32Array): Reached {
    const place = point(pointOf(at), "at");
    const found = this.raw.polysAround(this.rawMesh, place, polyOf(at), radius, corners);
    const answer = { polys: found.polys(), parents: found.parents(), costs: found.costs() };
    found.free();
    return answer;
  }

  /** The polygons near a point that do not overlap one another, by portals or by distance. */
  neighbourhood(at: PointLike, radius: number, order: "portals" | "distance" = "portals"): BigUint64Array {
    const place = point(pointOf(at), "at");
    const isByDistance = word(order, ["portals", "distance"], "order") === 1;
    return this.raw.neighbourhood(this.rawMesh, place, polyOf(at), finite(radius, "radius"), isByDistance);
  }

  /** The polygons in a box. */
  polysInBox(bounds: Box): BigUint64Array {
    return this.raw.polysInBox(this.rawMesh, box(bounds, "bounds"));
  }

  /** The nearest wall within a radius; null if there is none. */
  nearestWall(at: PointLike, maxRadius: number): NearestWall | null {
    const place = point(pointOf(at), "at");
    const found = this.raw.nearestWall(this.rawMesh, place, polyOf(at), real(maxRadius, "maxRadius"));
    if (found.length === 0) return null;
    const wall: [Vec3, Vec3] = [vec3At(found, 7), vec3At(found, 10)];
    return { distance: found[0] as number, point: vec3At(found, 1), normal: vec3At(found, 4), wall };
  }

  /** The walls of a polygon: six numbers each. */
  walls(poly: PolyRef): Float32Array {
    return this.raw.walls(this.rawMesh, reference(poly, "poly"));
  }

  /** A random place, each square metre as likely as another; null on an empty mesh. */
  randomPoint(random: Random): MeshPoint | null {
    this.#lookAtMesh();
    return this.#visited(this.raw.randomPoint(this.rawMesh, rawRandom(random)));
  }

  /** Many random places: three numbers each. */
  randomPoints(random: Random, howMany: number): Float32Array {
    this.#lookAtMesh();
    return this.raw.randomPoints(this.rawMesh, rawRandom(random), count(howMany, "howMany", MOST));
  }

  /** A random place that can be reached within a radius; null where nothing can. */
  randomPointAround(at: PointLike, radius: number, random: Random): MeshPoint | null {
    const place = point(pointOf(at), "at");
    return this.#visited(this.raw.randomPointAround(this.rawMesh, place, polyOf(at), finite(radius, "radius"), rawRandom(random)));
  }

  #visited(found: Float32Array): MeshPoint | null {
    return found.length === 0 ? null : { point: vec3At(found), poly: this.raw.visitedPoly() };
  }

  /** The version of the mesh that random points were last drawn from. */
  #seen: MeshVersion | undefined;

  #lookAtMesh(): void {
    const changes = this.#seen === undefined ? [] : this.mesh.changesSince(this.#seen);
    if (this.#seen !== undefined && changes?.length === 0) return;
    this.#seen?.dispose();
    this.#seen = this.mesh.version();
    this.raw.forget();
  }

  /** Height of a polygon's surface above a point of the plane; null beside it. */
  polyHeight(poly: PolyRef, at: Vec3Like): number | null {
    return this.raw.polyHeight(this.rawMesh, reference(poly, "poly"), point(at, "at")) ?? null;
  }

  /** The point of a polygon that is nearest to another. */
  closestPointOnPoly(poly: PolyRef, at: Vec3Like): Vec3 {
    return vec3At(this.raw.closestPoint(this.rawMesh, reference(poly, "poly"), point(at, "at"), false));
  }

  /** The point of a polygon's outline that is nearest to another. */
  closestPointOnBoundary(poly: PolyRef, at: Vec3Like): Vec3 {
    return vec3At(this.raw.closestPoint(this.rawMesh, reference(poly, "poly"), point(at, "at"), true));
  }

  override dispose(): void {
    super.dispose();
    this.#seen?.dispose();
  }
}

/** @internal A path of the package. */
export function aPath(path: Path): Path {
  if (path instanceof Path) return path;
  throw new WayfareError("invalid-argument", `path must be a Path, as queries answer it, but is ${describe(path)}.`);
}

function makeQuery(mesh: RawMesh, filter: Filter | undefined, reach: Float32Array): RawQuery {
  if (filter !== undefined) return new (raw().RawQuery)(rawFilter(filter), reach);
  const usual = raw().RawFilter.ofMesh(mesh);
  const query = new (raw().RawQuery)(usual, reach);
  usual.free();
  return query;
}

/** @internal */
export function rawQuery(query: Query): RawQuery {
  const raw = rawOf(query, Query, "query");
  query.followAreas();
  return raw;
}

/** @internal The mesh of what must be a query. */
export function meshOf(query: Query): RawMesh {
  rawOf(query, Query, "query");
  return query.rawMesh;
}

/** A path between two points in one call. Whoever asks often keeps a {@link Query}. */
export function findPath(mesh: NavMesh, from: PointLike, to: PointLike): Path {
  const query = new Query(mesh);
  try {
    return query.findPath(from, to);
  } finally {
    query.dispose();
  }
}
