import { Handle } from "./handle.js";
import type { Level } from "./level.js";
import { rawLevel } from "./level.js";
import { rawFull } from "./load.js";
import { asBytes } from "./nav-mesh.js";
import type { BakeSettings, Progress } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { Vec3, Vec3Like } from "./vector.js";
import { callable, point } from "./vector.js";
import type { RawExplainMap } from "./wasm/full.js";

/** Why a place can be walked on, or why not. */
export interface Explanation {
  reason: string;
  /** A sentence. */
  message: string;
  isWalkable: boolean;
  /** The surface that is meant. */
  surface: Vec3 | null;
  /** By how much, where there is something to measure. */
  metres: number | null;
  cells: number | null;
  /** What it comes from, and where that is. */
  causeReason: string | null;
  causeAt: Vec3 | null;
}

/** For every place of a level, why it can be walked on or not. */
export class ExplainMap extends Handle<RawExplainMap> {
  /** Of a whole level. */
  static ofLevel(level: Level, settings: BakeSettings = {}, progress?: Progress): ExplainMap {
    if (progress !== undefined) callable(progress, "progress");
    return new ExplainMap(rawFull().RawExplainMap.level(rawLevel(level), bakeOptions(settings), progress));
  }

  /** Of the tile around a point. */
  static around(level: Level, settings: BakeSettings, at: Vec3Like): ExplainMap {
    const [x, y, z] = point(at, "at");
    const options = bakeOptions(settings);
    return new ExplainMap(rawFull().RawExplainMap.around(rawLevel(level), options, x as number, y as number, z as number));
  }

  static fromBytes(bytes: Uint8Array): ExplainMap {
    return new ExplainMap(rawFull().RawExplainMap.fromBytes(asBytes(bytes, "bytes")));
  }

  toBytes(): Uint8Array {
    return this.raw.toBytes(0n);
  }

  /** What is at a point; null outside of the map. */
  at(at: Vec3Like): Explanation | null {
    const [x, y, z] = point(at, "at");
    return this.raw.at(x as number, y as number, z as number);
  }
}
