import { WayfareError } from "./error.js";
import { describe } from "./handle.js";

/** A point or a direction: three numbers, or an object with x, y and z as three.js and others have. Metres, y up. */
export type Vec3Like =
  | readonly [number, number, number]
  | Float32Array
  | Float64Array
  | { readonly x: number; readonly y: number; readonly z: number };

/** A point, as answers give it. */
export type Vec3 = [number, number, number];

/** A point of the plane: x and z. */
export type Vec2Like = readonly [number, number] | { readonly x: number; readonly z: number };

/** A box by its lowest and its highest corner. */
export interface Box {
  readonly min: Vec3Like;
  readonly max: Vec3Like;
}

/** The reference of a polygon or an off-mesh connection. Zero is none. It stops being valid when its tile goes. */
export type PolyRef = bigint;

/** The reference of a tile. */
export type TileRef = bigint;

/** A point on a polygon. */
export interface MeshPoint {
  /** The polygon. */
  readonly poly: PolyRef;
  /** The point on its surface. */
  readonly point: Vec3;
}

/** A point anywhere, or a point on a polygon from an earlier answer, which need not be looked up again. */
export type PointLike = Vec3Like | MeshPoint;

/** @internal The longest list that is made at once, as far as its length is asked for: more would fill the memory. */
export const MOST = 2 ** 24;

/** @internal A typed array, unless what was in it has been transferred elsewhere. */
export function attached<List extends ArrayBufferView>(list: List, name: string): List {
  if (list.byteLength === 0 && isDetached(list.buffer)) {
    throw new WayfareError("invalid-argument", `${name} is a typed array whose buffer was transferred elsewhere.`);
  }
  return list;
}

/** Engines that do not tell refuse another view of it. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer).byteLength < 0;
  } catch {
    return true;
  }
}

/** @internal An array to be read or written as it is. */
export function floats(value: Float32Array, name: string): Float32Array {
  if (!(value instanceof Float32Array)) {
    throw new WayfareError("invalid-argument", `${name} must be a Float32Array, but is ${describe(value)}.`);
  }
  return attached(value, name);
}

/** @internal A finite number. */
export function finite(value: number, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new WayfareError("invalid-argument", `${name} must be a finite number, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal A number that may be infinite, but not NaN. */
export function real(value: number, name: string): number {
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new WayfareError("invalid-argument", `${name} must be a number, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal A whole number, 0 or more. */
export function count(value: number, name: string, most = 0xffffffff): number {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    const sentence = `${name} must be a whole number from 0 to ${most}, but is ${describe(value)}.`;
    throw new WayfareError("invalid-argument", sentence);
  }
  return value;
}

/** @internal Units of work for one step; 0, which stands for all of it, where none are given. */
export function budget(units: number | undefined, name: string): number {
  if (units === undefined) return 0;
  if (units === 0) {
    const sentence = `${name} is 0, with which the work never gets done: give 1 or more, or leave it out to do all of it.`;
    throw new WayfareError("invalid-argument", sentence);
  }
  return count(units, name);
}

/** @internal The number of something that the library numbers. */
export function id(value: number, name: string): number {
  return count(value, name, Number.MAX_SAFE_INTEGER);
}

/** @internal A seed: any whole number, of which 64 bits count. */
export function seed(value: number | bigint): bigint {
  if (typeof value !== "bigint" && !Number.isInteger(value)) {
    throw new WayfareError("invalid-argument", `seed must be a whole number, but is ${describe(value)}.`);
  }
  return BigInt.asUintN(64, BigInt(value));
}

function notAPoint(value: unknown, name: string): WayfareError {
  const sentence = `${name} must be a point, three finite numbers or { x, y, z }, but is ${describePoint(value)}.`;
  return new WayfareError("invalid-argument", sentence);
}

/** @internal What stands for a point, as a sentence names it. */
export function describePoint(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, (part) => describe(part)).join(", ")}]`;
  if (typeof value === "object" && value !== null && "x" in value && "y" in value && "z" in value) {
    return `{ x: ${String(value.x)}, y: ${String(value.y)}, z: ${String(value.z)} }`;
  }
  return describe(value);
}

/** @internal Writes a point into a list of numbers. */
export function readPoint(value: Vec3Like, name: string, into: Float32Array, at = 0): void {
  let x: number | undefined;
  let y: number | undefined;
  let z: number | undefined;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = value as ArrayLike<number>;
    if (list.length !== 3) throw notAPoint(value, name);
    [x, y, z] = [list[0], list[1], list[2]];
  } else if (typeof value === "object" && value !== null && "x" in value) {
    ({ x, y, z } = value);
  }
  // The sum is finite only if all three are, unless they are too large to be metres.
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number" || !Number.isFinite(x + y + z)) {
    throw notAPoint(value, name);
  }
  into[at] = x;
  into[at + 1] = y;
  into[at + 2] = z;
}

/** @internal A point as numbers. */
export function point(value: Vec3Like, name: string): Float32Array {
  const numbers = new Float32Array(3);
  readPoint(value, name, numbers);
  return numbers;
}

/** @internal Two points as numbers. */
export function twoPoints(from: Vec3Like, fromName: string, to: Vec3Like, toName: string): Float32Array {
  const numbers = new Float32Array(6);
  readPoint(from, fromName, numbers);
  readPoint(to, toName, numbers, 3);
  return numbers;
}

/** @internal A box as numbers. */
export function box(value: Box, name: string): Float32Array {
  if (typeof value !== "object" || value === null || !("min" in value) || !("max" in value)) {
    throw new WayfareError("invalid-argument", `${name} must be a box { min, max }, but is ${describe(value)}.`);
  }
  return twoPoints(value.min, `${name}.min`, value.max, `${name}.max`);
}

/** @internal The point of a place. */
export function pointOf(value: PointLike): Vec3Like {
  return isMeshPoint(value) ? value.point : value;
}

/** @internal The polygon of a place, 0 for a point anywhere. */
export function polyOf(value: PointLike): bigint {
  return isMeshPoint(value) ? reference(value.poly, "poly") : 0n;
}

/** @internal A place on the mesh: its polygon and its point. What was not found is null, and is told so. */
export function meshPoint(value: MeshPoint, name: string): [PolyRef, Float32Array] {
  if (typeof value !== "object" || value === null) {
    const sentence = `${name} must be a place on the mesh, { poly, point } as findNearest answers it, but is`;
    throw new WayfareError("invalid-argument", `${sentence} ${describe(value)}.`);
  }
  return [reference(value.poly, `${name}.poly`), point(value.point, `${name}.point`)];
}

function isMeshPoint(value: PointLike): value is MeshPoint {
  return typeof value === "object" && value !== null && "poly" in value;
}

/** @internal A text. */
export function text(value: string, name: string): string {
  if (typeof value !== "string") {
    throw new WayfareError("invalid-argument", `${name} must be a string, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal A function. */
export function callable<F extends (...given: never[]) => unknown>(value: F, name: string): F {
  if (typeof value !== "function") {
    throw new WayfareError("invalid-argument", `${name} must be a function, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal A reference: a BigInt of 64 bits. */
export function reference(value: bigint, name: string): bigint {
  if (typeof value !== "bigint" || value < 0n || value > 0xffff_ffff_ffff_ffffn) {
    throw new WayfareError("invalid-argument", `${name} must be a reference, a BigInt of 64 bits, but is ${describe(value)}.`);
  }
  return value;
}

/** @internal Many references. */
export function references(values: Iterable<bigint>, name: string): BigUint64Array {
  if (typeof values !== "object" || values === null || typeof values[Symbol.iterator] !== "function") {
    throw new WayfareError("invalid-argument", `${name} must be a list of references, but is ${describe(values)}.`);
  }
  return BigUint64Array.from(Array.from(values, (each, index) => reference(each, `${name}[${index}]`)));
}

/** Many points, one after another: x, y, z, x, … */
export type PointList = NumberList | readonly number[] | readonly Vec3Like[];

/** Typed arrays of numbers. The library computes with those of `Float32Array`, which alone is not copied. */
export type NumberList =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

/** A list of numbers as the library computes with; undefined for what is no typed array of numbers. */
function typedNumbers(value: unknown, name: string): Float32Array | undefined {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return undefined;
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return undefined;
  const list = attached(value as NumberList, name);
  return list instanceof Float32Array ? list : Float32Array.from(list);
}

/** @internal Many points as numbers. */
export function points(value: PointList, name: string): Float32Array {
  const numbers = pointNumbers(value, name);
  const bad = numbers.findIndex((each) => !Number.isFinite(each));
  if (bad < 0) return numbers;
  const first = bad - (bad % 3);
  const told = Array.from(numbers.subarray(first, first + 3)).join(", ");
  throw new WayfareError("invalid-argument", `${name}[${first / 3}] must be three finite numbers, but is [${told}].`);
}

/** @internal Many points, of which numbers may be NaN or infinite: for those who leave such points out and count them. */
export function pointNumbers(value: PointList, name: string): Float32Array {
  const typed = typedNumbers(value, name);
  if (typed !== undefined) return threeEach(typed, name);
  if (!Array.isArray(value)) {
    const sentence = `${name} must be a list of points (a list or typed array of numbers, or a list of points), but is`;
    throw new WayfareError("invalid-argument", `${sentence} ${describe(value)}.`);
  }
  if (value.length === 0 || typeof value[0] === "number") {
    const wrong = value.findIndex((each: unknown) => typeof each !== "number");
    if (wrong >= 0) {
      const sentence = `${name} must be a list of numbers, three finite ones for each point, but ${name}[${wrong}] is`;
      throw new WayfareError("invalid-argument", `${sentence} ${describe(value[wrong])}.`);
    }
    return threeEach(Float32Array.from(value as readonly number[]), name);
  }
  const list = value as readonly Vec3Like[];
  const numbers = new Float32Array(3 * list.length);
  // By index: forEach passes over holes, which would become points at the origin.
  for (let index = 0; index < list.length; index += 1) {
    readPoint(list[index] as Vec3Like, `${name}[${index}]`, numbers, 3 * index);
  }
  return numbers;
}

function threeEach(numbers: Float32Array, name: string): Float32Array {
  if (numbers.length % 3 === 0) return numbers;
  const sentence = `${name} must hold three numbers for each point, but holds ${numbers.length}.`;
  throw new WayfareError("invalid-argument", sentence);
}

/** @internal Points of the plane as numbers. */
export function planePoints(value: NumberList | readonly Vec2Like[], name: string): Float32Array {
  const typed = typedNumbers(value, name);
  if (typed !== undefined) return pairs(typed, name);
  if (!Array.isArray(value)) {
    throw new WayfareError("invalid-argument", `${name} must be a list of points of the plane, but is ${describe(value)}.`);
  }
  const list = value as readonly Vec2Like[];
  const numbers = new Float32Array(2 * list.length);
  for (let index = 0; index < list.length; index += 1) {
    const each = list[index];
    if (typeof each !== "object" || each === null) {
      const sentence = `${name}[${index}] must be a point of the plane, [x, z] or { x, z }, but is ${describe(each)}.`;
      throw new WayfareError("invalid-argument", sentence);
    }
    const [x, z] = Array.isArray(each) ? (each as readonly number[]) : [(each as { x: number }).x, (each as { z: number }).z];
    numbers[2 * index] = finite(x as number, `${name}[${index}].x`);
    numbers[2 * index + 1] = finite(z as number, `${name}[${index}].z`);
  }
  return numbers;
}

function pairs(numbers: Float32Array, name: string): Float32Array {
  if (numbers.length % 2 !== 0) {
    const sentence = `${name} must hold two numbers, x and z, for each point, but holds ${numbers.length}.`;
    throw new WayfareError("invalid-argument", sentence);
  }
  const bad = numbers.findIndex((each) => !Number.isFinite(each));
  if (bad < 0) return numbers;
  const told = `${name}[${Math.floor(bad / 2)}].${bad % 2 === 0 ? "x" : "z"}`;
  throw new WayfareError("invalid-argument", `${told} must be a finite number, but is ${numbers[bad]}.`);
}

/** @internal Three numbers of a list as a point. */
export function vec3At(numbers: ArrayLike<number>, at = 0): Vec3 {
  return [numbers[at] as number, numbers[at + 1] as number, numbers[at + 2] as number];
}
