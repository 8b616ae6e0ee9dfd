import { WayfareError } from "./error.js";
import { Handle, describe, options as known, rawOf } from "./handle.js";
import { raw } from "./load.js";
import type { NavMesh } from "./nav-mesh.js";
import { rawMesh } from "./nav-mesh.js";
import type { CostOverlay } from "./overlay.js";
import { rawOverlay } from "./overlay.js";
import type { PolyRef, Vec3 } from "./vector.js";
import { callable, count, finite, real } from "./vector.js";
import type { RawFilter } from "./wasm/full.js";

/** What a filter lets pass, and at what costs. */
export interface FilterOptions {
  /** Polygons pass that have any of these 16 flags. Default: all flags. */
  include?: number;
  /** And none of these. Default: none. */
  exclude?: number;
  /** What a metre costs on area types, by their numbers. Default 1 each. Infinity bars the way. */
  costs?: Readonly<Record<number, number>> | ReadonlyMap<number, number>;
}

/** A step of a path, as a filter of your own sees it. */
export interface Step {
  from: Vec3;
  to: Vec3;
  poly: PolyRef;
  flags: number;
  area: number;
  /** The polygons before and after, or null. */
  before: PolyRef | null;
  next: PolyRef | null;
  /** What the filter below says. */
  cost: number;
}

/** Functions of your own. They are called for each polygon that a search meets: they cost ten times what flags cost. */
export interface CustomFilter {
  /** Whether a polygon may be entered. */
  passes?(poly: PolyRef, flags: number, area: number): boolean;
  /** What a step costs; Infinity bars it. */
  cost?(step: Step): number;
  /** A lower bound of what a metre costs anywhere; too high a one gives paths that are not the cheapest. Default 1. */
  leastCost?: number;
}

/** What may be crossed, and what it costs. It is never changed: make another and set that. */
export class Filter extends Handle<RawFilter> {
  constructor(options: FilterOptions = {}) {
    super(read(options));
  }

  /** @internal */
  static adopt(made: RawFilter): Filter {
    const filter = new Filter();
    filter.replaceRaw(made);
    return filter;
  }

  /** All that has any flag, at the costs of the mesh's table of area types. */
  static ofMesh(mesh: NavMesh): Filter {
    return Filter.adopt(raw().RawFilter.ofMesh(rawMesh(mesh)));
  }

  /** This filter, and what an overlay says now, times a weight, on top. Make it anew when the overlay has changed. */
  withOverlay(overlay: CostOverlay, weight = 1): Filter {
    return Filter.adopt(this.raw.overlaid(rawOverlay(overlay), finite(weight, "weight")));
  }

  /** This filter, by which ground with some flags is walked down only: a rise above `maxRise` bars it. */
  downhillOnly(flags: number, maxRise = 0): Filter {
    return Filter.adopt(this.raw.downhill(finite(maxRise, "maxRise"), count(flags, "flags", 0xffff)));
  }

  /** This filter, and functions of your own. What they throw, the question throws. */
  withCustom(custom: CustomFilter): Filter {
    // Objects of a class of your own may hold what they like.
    const isPlain = typeof custom !== "object" || custom === null || Object.getPrototypeOf(custom) === Object.prototype;
    if (isPlain) known(custom, ["passes", "cost", "leastCost"], "a custom filter");
    for (const name of ["passes", "cost"] as const) {
      const given = custom[name];
      if (given !== undefined) callable(given, name);
    }
    const least = real(custom.leastCost ?? 1, "leastCost");
    const cost = custom.cost === undefined ? undefined : (step: Step) => costOf(custom.cost?.(step));
    return Filter.adopt(this.raw.custom(custom.passes?.bind(custom), cost, least));
  }
}

/** What a function of the page gave as a cost, which must be one. */
function costOf(given: unknown): number {
  if (typeof given === "number" && given >= 0) return given;
  throw new WayfareError("invalid-argument", `A cost must be 0 or more, but the function gave ${describe(given)}.`);
}

function read(options: FilterOptions): RawFilter {
  const { costs = {} } = known(options, ["include", "exclude", "costs"], "a filter's options");
  const entries: [number, number][] = costs instanceof Map
    ? [...(costs as ReadonlyMap<number, number>)]
    : Object.entries(costs as Record<string, number>).map(([area, cost]) => [Number(area), cost]);
  const areas = Uint32Array.from(entries, ([area]) => count(area, "an area of costs", 63));
  const numbers = Float32Array.from(entries, ([area, cost]) => real(cost, `costs[${area}]`));
  const include = count(options.include ?? 0xffff, "include", 0xffff);
  return new (raw().RawFilter)(include, count(options.exclude ?? 0, "exclude", 0xffff), areas, numbers);
}

/** @internal */
export function rawFilter(filter: Filter, name = "filter"): RawFilter {
  return rawOf(filter, Filter, name);
}
