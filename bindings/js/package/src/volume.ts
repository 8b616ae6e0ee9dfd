import { WayfareError } from "./error.js";
import { describe } from "./handle.js";
import { readIndices } from "./level.js";
import { raw } from "./load.js";
import type { PointList, Vec2Like, Vec3Like } from "./vector.js";
import { box, count, finite, planePoints, point, points } from "./vector.js";
import type { RawVolume } from "./wasm/full.js";

/** What a volume does: marks what is in it with an area type, or takes it away. */
export interface VolumeEffect {
  /** The area type that it paints, 0 to 63; 0, the default, blocks what is in it. */
  area?: number;
  /** Whether it marks before the agent's radius is kept away from what it blocks. Default: true where it blocks. */
  beforeErosion?: boolean;
}

/** The shape of a volume. */
export type VolumeShape =
  | { kind: "box"; min: Vec3Like; max: Vec3Like }
  /** Turned about the vertical by an angle in radians. */
  | { kind: "turned-box"; center: Vec3Like; halfExtents: Vec3Like; angle: number }
  | { kind: "cylinder" | "capsule"; base: Vec3Like; radius: number; height: number }
  /** An outline of any shape between two heights; `convex-prism` is the hull of its points. */
  | { kind: "prism" | "convex-prism"; outline: readonly Vec2Like[] | Float32Array; minY: number; maxY: number }
  /** The convex hull of points. */
  | { kind: "hull"; points: PointList }
  /** What a closed surface encloses. */
  | { kind: "mesh"; positions: PointList; indices: Uint32Array | Uint16Array | readonly number[] };

/** A volume: a shape, and what it does to what is in it. */
export type VolumeLike = VolumeShape & VolumeEffect;

/** @internal A volume as numbers: what is sent to a worker. */
export interface PlainVolume {
  kind: VolumeShape["kind"];
  numbers: Float32Array;
  /** Corners of a surface's triangles. */
  indices: Uint32Array | undefined;
  area: number;
  isAfter: boolean;
}

/** @internal */
export function plainVolume(volume: VolumeLike): PlainVolume {
  if (typeof volume !== "object" || volume === null) {
    throw new WayfareError("invalid-argument", `A volume must be an object with a kind, but is ${describe(volume)}.`);
  }
  const area = count(volume.area ?? 0, "area");
  const isAfter = !(volume.beforeErosion ?? area === 0);
  const { kind } = volume;
  if (kind !== "mesh") return { kind, numbers: shapeNumbers(volume), indices: undefined, area, isAfter };
  const numbers = points(volume.positions, "positions");
  return { kind, numbers, indices: readIndices(volume.indices, numbers.length / 3), area, isAfter };
}

/** @internal */
export function rawVolume({ kind, numbers, indices, area, isAfter }: PlainVolume): RawVolume {
  const { RawVolume } = raw();
  return indices === undefined
    ? new RawVolume(kind, numbers, area, isAfter)
    : RawVolume.mesh(numbers, indices, area, isAfter);
}

function shapeNumbers(shape: Exclude<VolumeShape, { kind: "mesh" }>): Float32Array {
  switch (shape.kind) {
    case "box":
      return box(shape, "box");
    case "turned-box":
      return Float32Array.of(
        ...point(shape.center, "center"),
        ...point(shape.halfExtents, "halfExtents"),
        finite(shape.angle, "angle"),
      );
    case "cylinder":
    case "capsule":
      return Float32Array.of(
        ...point(shape.base, "base"),
        finite(shape.radius, "radius"),
        finite(shape.height, "height"),
      );
    case "prism":
    case "convex-prism": {
      const heights = [finite(shape.minY, "minY"), finite(shape.maxY, "maxY")];
      return Float32Array.from([...heights, ...planePoints(shape.outline, "outline")]);
    }
    case "hull":
      return points(shape.points, "points");
    default:
      throw new WayfareError("invalid-argument", `There is no volume of kind ${describe((shape as VolumeShape).kind)}.`);
  }
}
