import type { Box } from "./vector.js";
import { box } from "./vector.js";

/** The agent that walks. Metres and radians. */
export interface AgentSettings {
  /** Height; it does not fit under lower ceilings. Default 2. */
  height?: number;
  /** Radius; the mesh keeps this distance from walls and drops. Default 0.6. */
  radius?: number;
  /** The highest step that it climbs. Default 0.9. */
  maxClimb?: number;
  /** The steepest slope that it walks, radians from the horizontal. Default π/4. */
  maxSlope?: number;
  /** The deepest drop that it goes down by itself. Default 0. */
  maxDrop?: number;
}

/** Settings of a bake. Metres, unless a unit is named. */
export interface BakeSettings {
  agent?: AgentSettings;
  /** Side of a cell. Half of it: four times the work. Default: half of the agent's radius. */
  cellSize?: number;
  /** Height of a cell. Default: half of a cell's side, or of the climb if that is less. */
  cellHeight?: number;
  /** Which surfaces are taken away before polygons are made. All default to true. */
  filters?: {
    /** Agents step onto obstacles no higher than the climb. */
    lowHangingObstacles?: boolean;
    /** No walking beside drops deeper than the climb. */
    ledges?: boolean;
    /** No walking under ceilings lower than the agent. */
    lowHeight?: boolean;
  };
  /** How distance from walls is kept: fast by whole cells, or exactly. Default `"chamfer"`. */
  erosion?: "chamfer" | "euclidean";
  /** How surfaces are cut into regions: the best polygons, the fastest, or for small tiles. Default `"watershed"`. */
  partition?: "watershed" | "monotone" | "layers";
  /** Side, in cells, of the smallest island that is kept. Default 8. */
  regionMinSize?: number;
  /** Side, in cells, below which regions are merged into neighbours. Default 20. */
  regionMergeSize?: number;
  /** Longest edge along walls; 0 never splits. Default 12. */
  edgeMaxLength?: number;
  /** How far a simplified wall may be off, in cells. Default 1.3. */
  edgeMaxError?: number;
  /** Most corners of a polygon, 3 or more. Default 6. */
  vertsPerPoly?: number;
  /** Distance between height samples, in cells. Default 6. */
  detailSampleDistance?: number;
  /** How far the detailed heights may be off, in cell heights. Default 1. */
  detailSampleMaxError?: number;
  /** Side of a tile in cells; 0 bakes one tile. Default 0. */
  tileSize?: number;
  /** The box that is baked. Default: the box around the level. */
  bounds?: Box;
}

/** @internal Settings as the library reads them: points as numbers. */
export function bakeOptions(settings: BakeSettings): object {
  if (typeof settings !== "object" || settings === null || settings.bounds === undefined) return settings;
  return { ...settings, bounds: box(settings.bounds, "bounds") };
}

/** How long work tells that it goes on: done and total, in units of its own. Return `false` to cancel it. */
export type Progress = (done: number, total: number) => boolean | void;
