import { WayfareError } from "./error.js";
import { Handle, describe, rawOf } from "./handle.js";
import type { Level } from "./level.js";
import { rawLevel } from "./level.js";
import { raw, rawFull } from "./load.js";
import type { Box, PolyRef, TileRef, Vec3, Vec3Like } from "./vector.js";
import { attached, box, count, finite, point, real, reference, references, text, twoPoints, vec3At } from "./vector.js";
import type { RawMesh, RawVersion } from "./wasm/full.js";

/** One tile of a mesh. */
export interface TileInfo {
  ref: TileRef;
  /** Its place in the grid of tiles. */
  x: number;
  z: number;
  layer: number;
  polyCount: number;
  userId: number;
  bounds: [Vec3, Vec3];
  /** Bytes. */
  memory: number;
}

/** One polygon of a mesh. */
export interface PolyInfo {
  ref: PolyRef;
  tile: TileRef;
  /** Its corners, three numbers each. */
  points: Float32Array;
  center: Vec3;
  area: number;
  flags: number;
  /** The polygons and connections that it leads into. */
  neighbours: BigUint64Array;
}

/** An area type: what its ground is called and costs. */
export interface AreaInfo {
  /** 0 to 63. */
  area: number;
  name: string;
  /** What a metre costs. */
  cost: number;
}

/** A jump, a ladder, a teleporter. */
export interface ConnectionInput {
  start: Vec3Like;
  end: Vec3Like;
  /** How far from its ends the mesh may be. Default 0.6. */
  radius?: number;
  /** Whether it leads back as well. Default true. */
  twoWay?: boolean;
  /** Default 63. */
  area?: number;
  /** Default 1. */
  flags?: number;
  userId?: number;
}

/** An off-mesh connection of a mesh. */
export interface Connection {
  ref: PolyRef;
  start: Vec3;
  end: Vec3;
  radius: number;
  twoWay: boolean;
  area: number;
  flags: number;
  userId: number;
  /** Where its ends hold on to the mesh; null if no polygon is near. */
  startOnMesh: Vec3 | null;
  endOnMesh: Vec3 | null;
}

/** Something that is wrong with a mesh. */
export interface Violation {
  kind: string;
  message: string;
  poly: PolyRef;
  position: Vec3;
}

/** Something that changed in a mesh. */
export interface MeshChange {
  kind:
    | "tile-announced"
    | "tile-removed"
    | "tile-added"
    | "tile-links"
    | "tile-state"
    | "connection-added"
    | "connection-removed"
    | "connection-ends"
    | "connection-state"
    | "other";
  /** The tile or connection. */
  ref: bigint;
}

/** A mesh as triangles and lines. */
export interface MeshGeometry {
  /** Corners of triangles, nine numbers each; no corner is shared. */
  positions: Float32Array;
  /** The area type of each triangle. */
  areas: Uint8Array;
  /** The polygon of each triangle. */
  polys: BigUint64Array;
  /** Edges along walls, six numbers each. */
  walls: Float32Array;
  /** Edges between polygons of a tile. */
  innerEdges: Float32Array;
  /** Edges between tiles. */
  tileEdges: Float32Array;
}

/** Which width references have in a file of Detour's. */
export type DetourRefBits = 32 | 64;

/** A moment in the life of a mesh, to ask later what has changed since. */
export class MeshVersion extends Handle<RawVersion> {}

/** A navigation mesh: baked by {@link bake}, or loaded. Edits are seen by all who ask it. */
export class NavMesh extends Handle<RawMesh> {
  /** Reads a `.way` file, or, in the full build, a file that Detour's sample wrote. */
  static fromBytes(bytes: Uint8Array): NavMesh {
    return new NavMesh(raw().RawMesh.fromBytes(asBytes(bytes, "bytes")));
  }

  /** A mesh without tiles, whose tiles will have this size. */
  static empty(origin: Vec3Like, tileWidth: number, tileDepth: number): NavMesh {
    const [width, depth] = [finite(tileWidth, "tileWidth"), finite(tileDepth, "tileDepth")];
    return new NavMesh(raw().RawMesh.empty(point(origin, "origin"), width, depth));
  }

  /** A mesh of one tile's bytes. */
  static fromTile(bytes: Uint8Array): NavMesh {
    return new NavMesh(raw().RawMesh.fromTile(asBytes(bytes, "bytes")));
  }

  /** The bytes of a `.way` file. */
  toBytes(): Uint8Array {
    return this.raw.toBytes();
  }

  /** The bytes of a file that Detour's sample reads. */
  toDetour(refBits: DetourRefBits = 32): Uint8Array {
    rawFull();
    return this.raw.toDetour(isWide(refBits));
  }

  /** The reference that a polygon has in such a file; 0 if none. */
  toDetourRef(poly: PolyRef, refBits: DetourRefBits = 32): bigint {
    rawFull();
    return this.raw.toDetourRef(reference(poly, "poly"), isWide(refBits));
  }

  /** The polygon of a reference in such a file; 0 if none. */
  fromDetourRef(detourRef: bigint, refBits: DetourRefBits = 32): PolyRef {
    rawFull();
    return this.raw.fromDetourRef(reference(detourRef, "detourRef"), isWide(refBits));
  }

  /** A number for what the mesh is: equal for equal meshes, on every machine. */
  get digest(): string {
    return this.raw.digest();
  }

  /** A copy, which costs little until one of both is changed. */
  clone(): NavMesh {
    return new NavMesh(this.raw.copy());
  }

  /**
   * Takes over an edited clone of this mesh, made before something that was awaited, say: queries and crowds of this mesh go
   * on over it.
   *
   * @throws {@link WayfareError} `outdated` if this mesh has changed since it was cloned, or if `newer` is no clone of it: what
   * has changed would be lost.
   */
  publish(newer: NavMesh): void {
    const other = rawMesh(newer, "newer");
    if (newer === this) return;
    this.raw.publish(other);
    this.#tables += 1;
  }

  /**
   * Takes over another mesh, whatever it was made from: what has changed in this one is lost. In a mesh that is no clone of
   * this one, references start anew, and old ones may name other polygons.
   */
  replace(other: NavMesh): void {
    const raw = rawMesh(other, "other");
    if (other === this) return;
    this.raw.replace(raw);
    this.#tables += 1;
  }

  /**
   * Whether both hold the same: tiles, areas and flags, connections, the table of area types. Where meshes come from does not
   * count. It costs two {@link digest}s.
   */
  equals(other: NavMesh): boolean {
    return this.raw.equals(rawMesh(other, "other"));
  }

  get bounds(): { min: Vec3; max: Vec3 } {
    const numbers = this.raw.bounds();
    return { min: vec3At(numbers), max: vec3At(numbers, 3) };
  }

  /** How tiles are laid out. */
  get layout(): { origin: Vec3; tileWidth: number; tileDepth: number } {
    const numbers = this.raw.layout();
    return { origin: vec3At(numbers), tileWidth: numbers[3] as number, tileDepth: numbers[4] as number };
  }

  /** Bytes of the tiles, and of what is derived from them for speed. */
  get memory(): { tiles: number; index: number } {
    const numbers = this.raw.memory();
    return { tiles: numbers[0] as number, index: numbers[1] as number };
  }

  /** A number of yours. */
  get userId(): bigint {
    return this.raw.userId();
  }

  set userId(id: bigint) {
    this.raw.setUserId(reference(id, "userId"));
  }

  /** What is wrong with it: nothing, unless it came damaged from elsewhere. */
  check(): Violation[] {
    rawFull();
    return this.raw.check();
  }


  /** Surfaces inside of hollow bodies, on which nobody can come to stand. */
  hollowSurfaces(level: Level, agentHeight: number): { poly: PolyRef; point: Vec3 }[] {
    rawFull();
    return this.raw.hollowSurfaces(rawLevel(level), finite(agentHeight, "agentHeight"));
  }

  /** The mesh as triangles and lines, to draw it. */
  geometry(): MeshGeometry {
    const made = this.raw.geometry();
    const [positions, areas, polys] = [made.positions(), made.areas(), made.polys()];
    const [walls, innerEdges, tileEdges] = [made.lines(0), made.lines(1), made.lines(2)];
    made.free();
    return { positions, areas, polys, walls, innerEdges, tileEdges };
  }

  // Tiles.

  get tileCount(): number {
    return this.raw.tileCount();
  }

  /** The references of all tiles. */
  tiles(): BigUint64Array {
    return this.raw.tiles();
  }

  tile(ref: TileRef): TileInfo {
    return this.raw.tile(reference(ref, "ref"));
  }

  tileAt(x: number, z: number, layer = 0): TileInfo | null {
    return this.raw.tileAt(whole(x, "x"), whole(z, "z"), count(layer, "layer"));
  }

  tilesInBox(bounds: Box): BigUint64Array {
    return this.raw.tilesInBox(box(bounds, "bounds"));
  }

  /** The bytes of one tile. */
  tileBytes(ref: TileRef): Uint8Array {
    return this.raw.tileBytes(reference(ref, "ref"));
  }

  addTile(bytes: Uint8Array): TileRef {
    return this.raw.addTile(asBytes(bytes, "bytes"));
  }

  replaceTile(ref: TileRef, bytes: Uint8Array): TileRef {
    return this.raw.replaceTile(reference(ref, "ref"), asBytes(bytes, "bytes"));
  }

  /** Takes a tile away and returns its bytes. */
  removeTile(ref: TileRef): Uint8Array {
    return this.raw.removeTile(reference(ref, "ref"));
  }

  // Polygons.

  /** The polygons of a tile, or of the whole mesh. */
  polys(tile?: TileRef): BigUint64Array {
    return this.raw.polys(tile === undefined ? undefined : reference(tile, "tile"));
  }

  /** Whether a polygon or connection is still there. */
  isValid(ref: PolyRef): boolean {
    return this.raw.isValid(reference(ref, "ref"));
  }

  poly(ref: PolyRef): PolyInfo {
    return this.raw.poly(reference(ref, "ref"));
  }

  flags(ref: PolyRef): number {
    return this.raw.state(reference(ref, "ref"))[0] as number;
  }

  area(ref: PolyRef): number {
    return this.raw.state(reference(ref, "ref"))[1] as number;
  }

  setFlags(ref: PolyRef, flags: number): void {
    this.raw.setFlags(reference(ref, "ref"), count(flags, "flags", 0xffff));
  }

  setArea(ref: PolyRef, area: number): void {
    this.raw.setArea(reference(ref, "ref"), count(area, "area", 63));
  }

  /** The ends of the border over which one polygon leads into another; null if it does not. */
  portalBetween(from: PolyRef, to: PolyRef): [Vec3, Vec3] | null {
    const ends = this.raw.portalBetween(reference(from, "from"), reference(to, "to"));
    return ends === undefined ? null : [vec3At(ends), vec3At(ends, 3)];
  }

  // Area types.

  #tables = 0;

  /** @internal How many tables of area types it has had: who keeps the costs of one sees by it that there is another. */
  get tables(): number {
    return this.#tables;
  }

  /** The table of area types, saved with the mesh. */
  areas(): AreaInfo[] {
    return this.raw.areas();
  }

  /** Sets the table of area types. Queries without a filter of their own go on at these costs, and crowds do. */
  setAreas(areas: readonly AreaInfo[]): void {
    if (!Array.isArray(areas)) {
      throw new WayfareError("invalid-argument", `areas must be a list, but is ${describe(areas)}.`);
    }
    const list = areas as readonly AreaInfo[];
    const ids = Uint32Array.from(list, (each) => count(each.area, "area", 63));
    this.raw.setAreas(ids, list.map((each) => text(each.name, "name")), Float32Array.from(list, (each) => real(each.cost, "cost")));
    this.#tables += 1;
  }

  /** The flags that go with an area type; undefined if none were set. */
  areaFlags(area: number): number | undefined {
    return this.raw.areaFlags(count(area, "area", 63));
  }

  /** Gives all polygons of an area type these flags, also those of tiles that come later; undefined to stop that. */
  setAreaFlags(area: number, flags: number | undefined): void {
    this.raw.setAreaFlags(count(area, "area", 63), flags === undefined ? undefined : count(flags, "flags", 0xffff));
  }

  // Off-mesh connections.

  addConnection(connection: ConnectionInput): PolyRef {
    if (typeof connection !== "object" || connection === null) {
      throw new WayfareError("invalid-argument", `connection must be { start, end }, but is ${describe(connection)}.`);
    }
    const { start, end, ...options } = connection;
    return this.raw.addConnection(twoPoints(start, "start", end, "end"), options);
  }

  removeConnection(ref: PolyRef): void {
    this.raw.removeConnection(reference(ref, "ref"));
  }

  connections(): Connection[] {
    return Array.from(this.raw.connections(), (ref) => this.raw.connection(ref) as Connection);
  }

  connection(ref: PolyRef): Connection {
    return this.raw.connection(reference(ref, "ref"));
  }

  // States, as bytes.

  /** The flags and areas that differ from how the tiles were made: a saved game. */
  storeDelta(): Uint8Array {
    return this.raw.storeDelta();
  }

  restoreDelta(bytes: Uint8Array): void {
    this.raw.restoreDelta(asBytes(bytes, "bytes"));
  }

  storeTileState(tile: TileRef): Uint8Array {
    return this.raw.storeTileState(reference(tile, "tile"));
  }

  restoreTileState(tile: TileRef, bytes: Uint8Array): void {
    this.raw.restoreTileState(reference(tile, "tile"), asBytes(bytes, "bytes"));
  }

  // Sections of its file.

  /** The names of what is kept beside the mesh in its file. */
  sectionNames(): string[] {
    return this.raw.sectionNames();
  }

  /** What is kept under a name. */
  section(name: string): { version: number; bytes: Uint8Array } | null {
    const bytes = this.raw.section(text(name, "name"));
    return bytes === undefined ? null : { version: this.raw.sectionVersion(name) ?? 0, bytes };
  }

  setSection(name: string, version: number, bytes: Uint8Array): void {
    this.raw.setSection(text(name, "name"), count(version, "version"), asBytes(bytes, "bytes"));
  }

  removeSection(name: string): boolean {
    return this.raw.removeSection(text(name, "name"));
  }

  // Changes.

  /** This moment. */
  version(): MeshVersion {
    return new MeshVersion(this.raw.version());
  }

  /** What has changed since, oldest first; null if that is too long ago to be known. */
  changesSince(version: MeshVersion): MeshChange[] | null {
    return this.raw.changesSince(rawOf(version, MeshVersion, "version")) ?? null;
  }

  /** Says that tiles are about to be replaced: crowds and paths are told. */
  announce(tiles: Iterable<TileRef>): void {
    this.raw.announce(references(tiles, "tiles"), false);
  }

  /** Takes that back. */
  withdraw(tiles: Iterable<TileRef>): void {
    this.raw.announce(references(tiles, "tiles"), true);
  }

  isAnnounced(tile: TileRef): boolean {
    return this.raw.isAnnounced(reference(tile, "tile"));
  }

  // What connects with what.

  /**
   * Keeps the components of what a filter with these flags leaves open, so that searches with it know at once which
   * goals they cannot reach.
   */
  keepComponentsFor(include: number, exclude = 0): void {
    this.raw.keepComponentsFor(count(include, "include", 0xffff), count(exclude, "exclude", 0xffff));
  }

  get componentCount(): number {
    return this.raw.componentCount();
  }

  /** The component of a polygon. */
  component(ref: PolyRef): number | undefined {
    return this.raw.component(reference(ref, "ref"));
  }

  /** Whether a path from one polygon to another is possible at all, flags aside. */
  mayReach(from: PolyRef, to: PolyRef): boolean {
    return this.raw.mayReach(reference(from, "from"), reference(to, "to"));
  }
}

function isWide(refBits: DetourRefBits): boolean {
  if (refBits !== 32 && refBits !== 64) {
    throw new WayfareError("invalid-argument", `refBits must be 32 or 64, but is ${describe(refBits)}.`);
  }
  return refBits === 64;
}

function whole(value: number, name: string): number {
  if (!Number.isInteger(value)) {
    throw new WayfareError("invalid-argument", `${name} must be a whole number, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal */
export function asBytes(bytes: Uint8Array, name: string): Uint8Array {
  if (!(bytes instanceof Uint8Array)) {
    throw new WayfareError("invalid-argument", `${name} must be a Uint8Array, but is ${describe(bytes)}.`);
  }
  return attached(bytes, name);
}

/** @internal */
export function rawMesh(mesh: NavMesh, name = "mesh"): RawMesh {
  return rawOf(mesh, NavMesh, name);
}

/** A reference as text: `s3:t17:p42`. */
export function formatRef(ref: PolyRef): string {
  return raw().formatRef(reference(ref, "ref"));
}

/** The reference that {@link formatRef} wrote. */
export function parseRef(value: string): PolyRef {
  return raw().parseRef(text(value, "ref"));
}
