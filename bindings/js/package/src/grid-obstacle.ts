import { WayfareError } from "./error.js";
import { describe } from "./handle.js";
import type { Vec3Like } from "./vector.js";
import { count, finite, point } from "./vector.js";

/** Something in the way that a mesh does not contain. Its `id` is a number of yours, by which answers name it; default 0. */
export type GridObstacle = { id?: number } & (
  | { kind: "segment"; a: Vec3Like; b: Vec3Like }
  | { kind: "disc"; center: Vec3Like; radius: number }
  /** A box by half of its sides along x and z, turned about the vertical by `yaw` radians. */
  | { kind: "box"; center: Vec3Like; half: readonly [number, number]; yaw?: number }
);

/** Numbers of an obstacle: its kind, a point, and three more. */
const NUMBERS = 7;

/** @internal Obstacles as numbers, and their ids. */
export function packObstacles(obstacles: readonly GridObstacle[]): { numbers: Float32Array; ids: Uint32Array } {
  if (!Array.isArray(obstacles)) {
    throw new WayfareError("invalid-argument", `obstacles must be an array, but is ${describe(obstacles)}.`);
  }
  const numbers = new Float32Array(NUMBERS * obstacles.length);
  const ids = new Uint32Array(obstacles.length);
  // By index: forEach passes over holes, which would become obstacles at the origin.
  for (let index = 0; index < obstacles.length; index += 1) {
    const obstacle = (obstacles as readonly GridObstacle[])[index];
    if (typeof obstacle !== "object" || obstacle === null) {
      throw new WayfareError("invalid-argument", `obstacles[${index}] must be an object, but is ${describe(obstacle)}.`);
    }
    numbers.set(numbersOf(obstacle), NUMBERS * index);
    ids[index] = count(obstacle.id ?? 0, "id");
  }
  return { numbers, ids };
}

function numbersOf(obstacle: GridObstacle): readonly number[] {
  switch (obstacle.kind) {
    case "segment":
      return [0, ...point(obstacle.a, "a"), ...point(obstacle.b, "b")];
    case "disc":
      return [1, ...point(obstacle.center, "center"), side(obstacle.radius, "radius"), 0, 0];
    case "box": {
      const [x, z] = sides(obstacle.half);
      return [2, ...point(obstacle.center, "center"), side(x, "half[0]"), side(z, "half[1]"), finite(obstacle.yaw ?? 0, "yaw")];
    }
    default:
      throw new WayfareError("invalid-argument", `There is no obstacle of kind ${describe((obstacle as GridObstacle).kind)}.`);
  }
}

function sides(half: readonly [number, number]): readonly [number, number] {
  if (!Array.isArray(half) || half.length !== 2) {
    throw new WayfareError("invalid-argument", `half must be an array of two numbers, but is ${describe(half)}.`);
  }
  return half;
}

function side(value: number, name: string): number {
  if (finite(value, name) < 0) throw new WayfareError("invalid-argument", `${name} must be 0 or more, but is ${value}.`);
  return value;
}
