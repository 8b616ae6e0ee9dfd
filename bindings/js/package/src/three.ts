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
import type { ColorRepresentation, InstancedMesh, Object3D } from "three";
import type { Crowd } from "./crowd.js";
import { WayfareError } from "./error.js";
import { describe, options as known } from "./handle.js";
import type { LevelInput } from "./level.js";
import { Level } from "./level.js";
import type { NavMesh } from "./nav-mesh.js";
import type { Path } from "./path.js";

/** Whether a mesh of the scene belongs to the level, and its area type. */
export interface ObjectOptions {
  /** Leaves meshes out. Default: invisible ones. */
  include?(mesh: Mesh): boolean;
  /** The area type of a mesh, 0 to 63; 0 cannot be walked on. Default 63. */
  area?(mesh: Mesh): number;
}

/** The triangles of an object and all below it, in world coordinates, as input of a {@link Level}. */
export function trianglesOf(object: Object3D | readonly Object3D[], options: ObjectOptions = {}): LevelInput {
  known(options, ["include", "area"]);
  const include = options.include ?? ((mesh: Mesh) => mesh.visible);
  const positions: number[] = [];
  const indices: number[] = [];
  const areas: number[] = [];
  for (const root of isList(object) ? object : [object]) {
    if (typeof root?.updateWorldMatrix !== "function") {
      throw new WayfareError("invalid-argument", `object must be an Object3D of three.js, but is ${describe(root)}.`);
    }
    root.updateWorldMatrix(true, true);
    root.traverse((child) => {
      if (!isMesh(child) || !include(child)) return;
      const area = options.area?.(child) ?? 63;
      for (const matrix of matricesOf(child)) addMesh(child, matrix, positions, indices);
      while (areas.length < indices.length / 3) areas.push(area);
    });
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

/** Where a mesh stands: once, or as often as it has instances. */
function matricesOf(mesh: Mesh): Matrix4[] {
  const instanced = mesh as Mesh & Partial<Pick<InstancedMesh, "isInstancedMesh" | "count" | "getMatrixAt">>;
  if (instanced.isInstancedMesh !== true) return [mesh.matrixWorld];
  return Array.from({ length: instanced.count ?? 0 }, (_, index) => {
    const matrix = new Matrix4();
    instanced.getMatrixAt?.(index, matrix);
    return matrix.premultiply(mesh.matrixWorld);
  });
}

function addMesh(mesh: Mesh, matrix: Matrix4, positions: number[], indices: number[]): void {
  const geometry = mesh.geometry as BufferGeometry;
  const corners = geometry.getAttribute("position");
  if (corners === undefined) return;
  const first = positions.length / 3;
  const corner = new Vector3();
  for (let index = 0; index < corners.count; index += 1) {
    corner.fromBufferAttribute(corners as BufferAttribute, index).applyMatrix4(matrix);
    positions.push(corner.x, corner.y, corner.z);
  }
  const index = geometry.index;
  const total = index === null ? corners.count : index.count;
  const from = Math.max(0, geometry.drawRange.start);
  const to = Math.min(total, geometry.drawRange.start + geometry.drawRange.count);
  // A mirrored mesh turns its triangles over.
  const isMirrored = matrix.determinant() < 0;
  for (let at = from; at + 2 < to; at += 3) {
    const [a, b, c] = [at, at + 1, at + 2].map((place) => first + (index === null ? place : index.getX(place)));
    indices.push(a as number, (isMirrored ? c : b) as number, (isMirrored ? b : c) as number);
  }
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

/** Moves the instances of a mesh to where the agents of a crowd are, and turns them into the direction they walk. */
export function crowdToInstances(crowd: Crowd, instances: InstancedMesh): void {
  const [positions, velocities, places] = [crowd.positions(), crowd.velocities(), crowd.places()];
  const matrix = new Matrix4();
  instances.count = Math.min(places.length, instances.instanceMatrix.count);
  for (let instance = 0; instance < instances.count; instance += 1) {
    const at = 3 * (places[instance] as number);
    const [vx, vz] = [velocities[at] as number, velocities[at + 2] as number];
    if (Math.hypot(vx, vz) > 0.05) {
      matrix.makeRotationY(Math.atan2(vx, vz));
    } else {
      instances.getMatrixAt(instance, matrix);
    }
    matrix.setPosition(positions[at] as number, positions[at + 1] as number, positions[at + 2] as number);
    instances.setMatrixAt(instance, matrix);
  }
  instances.instanceMatrix.needsUpdate = true;
}
