/**
 * Helpers for three.js: meshes in, meshes and paths out.
 *
 * ```js
 * const level = levelFromObject(scene.getObjectByName("level"));
 * const { mesh } = bake(level);
 * scene.add(navMeshToObject(mesh));
 * scene.add(pathToLine(new Query(mesh).findPath(player.position, target)));
 * ```
 */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from "three";
import type { BatchedMesh, ColorRepresentation, InstancedMesh, LOD, Object3D, SkinnedMesh } from "three";
import type { Crowd } from "./crowd.js";
import { WayfareError } from "./error.js";
import { describe, options as known } from "./handle.js";
import type { LevelInput } from "./level.js";
import { Level } from "./level.js";
import type { NavMesh } from "./nav-mesh.js";
import type { Path } from "./path.js";
import { count } from "./vector.js";

/** Whether a mesh of the scene belongs to the level, and its area type. */
export interface ObjectOptions {
  /** Which meshes are taken. Default: those that are visible, themselves and all above them up to the object that was named. */
  include?(mesh: Mesh): boolean;
  /** The area type of a mesh, 0 to 63; 0 cannot be walked on. Default 63. */
  area?(mesh: Mesh): number;
}

/**
 * The triangles of an object and all below it, in world coordinates, as input of a {@link Level}: as they are drawn, with bones
 * and morph targets as they stand. Of a level of detail, the finest is taken.
 */
export function trianglesOf(object: Object3D | readonly Object3D[], options: ObjectOptions = {}): LevelInput {
  known(options, ["include", "area"]);
  const { include } = options;
  const positions: number[] = [];
  const indices: number[] = [];
  const areas: number[] = [];
  for (const root of isList(object) ? object : [object]) {
    if (typeof root?.updateWorldMatrix !== "function") {
      throw new WayfareError("invalid-argument", `object must be an Object3D of three.js, but is ${describe(root)}.`);
    }
    root.updateWorldMatrix(true, false);
    // Skinned meshes take their place for their bones here alone.
    root.updateMatrixWorld(true);
    for (const mesh of meshesOf(root, include !== undefined)) {
      if (include?.(mesh) === false) continue;
      const area = count(options.area?.(mesh) ?? 63, `The area type of ${named(mesh)}`, 63);
      addMesh(mesh, positions, indices);
      while (areas.length < indices.length / 3) areas.push(area);
    }
  }
  if (indices.length === 0) throw new WayfareError("level", "There is no mesh with triangles in this object.");
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), areas: Uint8Array.from(areas) };
}

/** A level of the triangles of an object and all below it. */
export function levelFromObject(object: Object3D | readonly Object3D[], options: ObjectOptions = {}): Level {
  return new Level(trianglesOf(object, options));
}

function isList(object: Object3D | readonly Object3D[]): object is readonly Object3D[] {
  return Array.isArray(object);
}

/** By its mark, since a page may hold three.js twice. */
function isMesh(object: Object3D): object is Mesh {
  return (object as Partial<Mesh>).isMesh === true;
}

/** All meshes at and below an object, which counts as visible itself: whoever names it means it. */
function* meshesOf(object: Object3D, isAll: boolean): Generator<Mesh> {
  if (isMesh(object)) yield object;
  const lod = object as Partial<LOD>;
  const levels = lod.isLOD === true ? (lod.levels ?? []) : [];
  for (const child of object.children) {
    const level = levels.findIndex((each) => each.object === child);
    // Which level is visible depends on where the camera was last: the finest stands for all.
    if (level > 0) continue;
    if (isAll || child.visible || level === 0) yield* meshesOf(child, isAll);
  }
}

function named(mesh: Mesh): string {
  return mesh.name === "" ? "a mesh without a name" : `the mesh ${describe(mesh.name)}`;
}

/** A part of a geometry: places in its index, or corners where it has none. */
interface Range {
  from: number;
  to: number;
}

function addMesh(mesh: Mesh, positions: number[], indices: number[]): void {
  const geometry = mesh.geometry as BufferGeometry;
  const corners = geometry.getAttribute("position");
  if (corners === undefined) return;
  const total = geometry.index === null ? corners.count : geometry.index.count;
  const { start, count: length } = geometry.drawRange;
  const drawn = { from: Math.max(0, start), to: Math.min(total, start + length) };
  const instanced = mesh as Partial<InstancedMesh>;
  if ((mesh as Partial<BatchedMesh>).isBatchedMesh === true) {
    addBatch(mesh as BatchedMesh, positions, indices);
  } else if (instanced.isInstancedMesh === true) {
    const matrix = new Matrix4();
    for (let instance = 0; instance < (instanced.count ?? 0); instance += 1) {
      instanced.getMatrixAt?.(instance, matrix);
      addPart(mesh, matrix.premultiply(mesh.matrixWorld), drawn, positions, indices);
    }
  } else {
    (mesh as Partial<SkinnedMesh>).skeleton?.bones.forEach((bone) => bone.updateWorldMatrix(true, false));
    addPart(mesh, mesh.matrixWorld, drawn, positions, indices);
  }
}

/** The instances of a batch, each of one of its geometries. */
function addBatch(batch: BatchedMesh, positions: number[], indices: number[]): void {
  if (typeof batch.getGeometryRangeAt !== "function" || typeof batch.getGeometryIdAt !== "function") {
    const sentence = `In this version of three.js, what ${named(batch)}, a BatchedMesh, holds cannot be told: leave it out`;
    throw new WayfareError("level", `${sentence} by \`include\`, and give its parts as meshes.`);
  }
  const matrix = new Matrix4();
  let found = 0;
  for (let instance = 0; found < batch.instanceCount && instance < batch.maxInstanceCount; instance += 1) {
    if (!isThere(batch, instance)) continue;
    found += 1;
    if (!batch.getVisibleAt(instance)) continue;
    batch.getMatrixAt(instance, matrix);
    const range = batch.getGeometryRangeAt(batch.getGeometryIdAt(instance));
    if (range === null) continue;
    const part = { from: range.start, to: range.start + range.count };
    addPart(batch, matrix.premultiply(batch.matrixWorld), part, positions, indices);
  }
}

/** Numbers of instances that were deleted are used again some time; until then, asking for them throws. */
function isThere(batch: BatchedMesh, instance: number): boolean {
  try {
    batch.getVisibleAt(instance);
    return true;
  } catch {
    return false;
  }
}

/** Adds the triangles of a part, with those of its corners that they use. */
function addPart(mesh: Mesh, matrix: Matrix4, { from, to }: Range, positions: number[], indices: number[]): void {
  const { index } = mesh.geometry as BufferGeometry;
  const places = new Map<number, number>();
  const corner = new Vector3();
  const placeOf = (at: number): number => {
    const which = index === null ? at : index.getX(at);
    const known = places.get(which);
    if (known !== undefined) return known;
    const place = positions.length / 3;
    cornerOf(mesh, which, corner).applyMatrix4(matrix);
    positions.push(corner.x, corner.y, corner.z);
    places.set(which, place);
    return place;
  };
  // A mirrored mesh turns its triangles over.
  const isMirrored = matrix.determinant() < 0;
  for (let at = from; at + 2 < to; at += 3) {
    const [a, b, c] = [placeOf(at), placeOf(at + 1), placeOf(at + 2)];
    indices.push(a, isMirrored ? c : b, isMirrored ? b : c);
  }
}

/** A corner where bones and morph targets have moved it, as far as this version of three.js tells. */
function cornerOf(mesh: Mesh, which: number, corner: Vector3): Vector3 {
  if (typeof mesh.getVertexPosition === "function") return mesh.getVertexPosition(which, corner);
  const corners = (mesh.geometry as BufferGeometry).getAttribute("position");
  return corner.fromBufferAttribute(corners as BufferAttribute, which);
}

/** How a mesh is drawn. */
export interface DrawOptions {
  /** The color of an area type. Default: blue ground, green areas. */
  color?(area: number): ColorRepresentation;
  /** Default 0.4. */
  opacity?: number;
  /** Whether its edges are drawn. Default true. */
  edges?: boolean;
  /** Metres that it is raised, so as not to flicker in the ground. Default 0.02. */
  lift?: number;
}

const GROUND = 63;

/** A navigation mesh as triangles, one material for each area type, with its edges. */
export function navMeshToObject(mesh: NavMesh, options: DrawOptions = {}): Group {
  known(options, ["color", "opacity", "edges", "lift"]);
  const { opacity = 0.4, edges = true, lift = 0.02 } = options;
  const color = options.color ?? ((area: number) => (area === GROUND ? 0x3b82f6 : 0x22c55e));
  const geometry = mesh.geometry();
  const group = new Group();
  group.name = "navmesh";
  group.position.y = lift;
  for (const area of new Set(geometry.areas)) {
    const material = new MeshBasicMaterial({ color: color(area), opacity, transparent: true, side: DoubleSide, depthWrite: false });
    const part = new Mesh(bufferOf(cornersOfArea(geometry.positions, geometry.areas, area)), material);
    part.userData["area"] = area;
    group.add(part);
  }
  if (edges) {
    // Edges run straight between corners, where the surface may be higher: they lie somewhat above it.
    const drawn = new Group();
    drawn.position.y = 0.1;
    drawn.add(lines(geometry.innerEdges, 0x1e3a8a, 0.4), lines(geometry.tileEdges, 0x7c3aed, 0.6));
    group.add(drawn.add(lines(geometry.walls, 0x111827, 1)));
  }
  return group;
}

/** The triangles of a navigation mesh as one geometry: for ray casts, say. */
export function navMeshToGeometry(mesh: NavMesh): BufferGeometry {
  const geometry = bufferOf(mesh.geometry().positions);
  geometry.computeVertexNormals();
  return geometry;
}

function cornersOfArea(positions: Float32Array, areas: Uint8Array, wanted: number): Float32Array {
  const corners: number[] = [];
  areas.forEach((area, triangle) => {
    if (area === wanted) corners.push(...positions.subarray(9 * triangle, 9 * triangle + 9));
  });
  return Float32Array.from(corners);
}

function bufferOf(positions: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  return geometry;
}

function lines(positions: Float32Array, color: number, opacity: number): LineSegments {
  return new LineSegments(bufferOf(positions), new LineBasicMaterial({ color, opacity, transparent: true }));
}

/** A path as a line. */
export function pathToLine(path: Path, color: ColorRepresentation = 0xf97316, lift = 0.1): Line {
  const line = new Line(bufferOf(path.points.slice()), new LineBasicMaterial({ color }));
  line.name = "path";
  line.position.y = lift;
  return line;
}

/** The points of a path as vectors. */
export function pathToVectors(path: Path): Vector3[] {
  return Array.from(path, ([x, y, z]) => new Vector3(x, y, z));
}

/**
 * Moves the instances of a mesh to where the agents of a crowd are, and turns them into the direction they walk. They keep their
 * scale, and are found by cameras and rays where they are now.
 */
export function crowdToInstances(crowd: Crowd, instances: InstancedMesh): void {
  const [positions, velocities, places] = [crowd.positions(), crowd.velocities(), crowd.places()];
  const [matrix, scale] = [new Matrix4(), new Vector3()];
  instances.count = Math.min(places.length, instances.instanceMatrix.count);
  for (let instance = 0; instance < instances.count; instance += 1) {
    const at = 3 * (places[instance] as number);
    const [vx, vz] = [velocities[at] as number, velocities[at + 2] as number];
    instances.getMatrixAt(instance, matrix);
    if (Math.hypot(vx, vz) > 0.05) {
      scale.setFromMatrixScale(matrix);
      matrix.makeRotationY(Math.atan2(vx, vz)).scale(scale);
    }
    matrix.setPosition(positions[at] as number, positions[at + 1] as number, positions[at + 2] as number);
    instances.setMatrixAt(instance, matrix);
  }
  instances.instanceMatrix.needsUpdate = true;
  // Those of the last frame: they are computed anew where somebody asks.
  instances.boundingSphere = null;
  instances.boundingBox = null;
}
