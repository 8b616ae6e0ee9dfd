import { Handle, rawOf } from "./handle.js";
import { raw } from "./load.js";
import { asBytes } from "./nav-mesh.js";
import type { Box, Vec2Like, Vec3, Vec3Like } from "./vector.js";
import { box, count, finite, planePoints, point, vec3At } from "./vector.js";
import type { RawOverlay } from "./wasm/full.js";

/** How an overlay is cut into cells. */
export interface OverlaySettings {
  /** Side of a cell, metres. */
  cellSize?: number;
  /** Height of a cell, metres. */
  cellHeight?: number;
  /** Ticks after which half of a cost is left; 0 keeps costs for ever. */
  halfLife?: number;
  /** Most cells with a cost. */
  maxCells?: number;
}

/** Where an overlay is painted. */
export type OverlayShape =
  /** A disc, and how far up and down it reaches. */
  | { kind: "disc"; center: Vec3Like; radius: number; reach: number }
  | ({ kind: "box" } & Box)
  | { kind: "polygon"; corners: readonly Vec2Like[] | Float32Array; minY: number; maxY: number };

/** Costs that change, by place: danger, crowding, a smell. They are on top of those of a filter. */
export class CostOverlay extends Handle<RawOverlay> {
  constructor(settings: OverlaySettings = {}) {
    super(new (raw().RawOverlay)(settings));
  }

  static fromBytes(bytes: Uint8Array): CostOverlay {
    const overlay = new CostOverlay();
    overlay.replaceRaw(raw().RawOverlay.fromBytes(asBytes(bytes, "bytes")));
    return overlay;
  }

  toBytes(): Uint8Array {
    return this.raw.toBytes();
  }

  /** Adds a cost to what is in a shape, a metre, and returns how many cells that were. */
  paint(shape: OverlayShape, cost: number): number {
    return this.raw.paint(shape.kind, numbers(shape), finite(cost, "cost"));
  }

  /** Lets costs fade by some ticks. */
  advance(ticks = 1): void {
    this.raw.advance(count(ticks, "ticks"));
  }

  clear(): void {
    this.raw.clear();
  }

  costAt(at: Vec3Like): number {
    const [x, y, z] = point(at, "at");
    return this.raw.costAt(x as number, y as number, z as number);
  }

  get cellCount(): number {
    return this.raw.cellCount();
  }

  /** The cells with a cost. */
  *cells(): IterableIterator<{ min: Vec3; max: Vec3; cost: number }> {
    const numbers = this.raw.cells();
    const cells = numbers.length / 7;
    for (let cell = 0; cell < cells; cell += 1) {
      const cost = numbers[6 * cells + cell] as number;
      yield { min: vec3At(numbers, 6 * cell), max: vec3At(numbers, 6 * cell + 3), cost };
    }
  }
}

function numbers(shape: OverlayShape): Float32Array {
  switch (shape.kind) {
    case "disc":
      return Float32Array.of(
        ...point(shape.center, "center"),
        finite(shape.radius, "radius"),
        finite(shape.reach, "reach"),
      );
    case "box":
      return box(shape, "box");
    case "polygon":
      return Float32Array.from([
        finite(shape.minY, "minY"),
        finite(shape.maxY, "maxY"),
        ...planePoints(shape.corners, "corners"),
      ]);
    default:
      return new Float32Array();
  }
}

/** @internal */
export function rawOverlay(overlay: CostOverlay): RawOverlay {
  return rawOf(overlay, CostOverlay, "overlay");
}
