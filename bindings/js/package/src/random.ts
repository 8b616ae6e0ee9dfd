import { Handle, rawOf } from "./handle.js";
import { raw } from "./load.js";
import { count, seed as seedOf } from "./vector.js";
import type { RawRandom } from "./wasm/full.js";

/** Random numbers from a seed, the same on every machine. */
export class Random extends Handle<RawRandom> {
  constructor(seed: number | bigint = 1) {
    super(new (raw().RawRandom)(seedOf(seed)));
  }

  /** From 0 up to 1, which is never given. */
  next(): number {
    return this.raw.unit();
  }

  /** A whole number below another. */
  below(bound: number): number {
    return this.raw.below(count(bound, "bound"));
  }
}

/** @internal */
export function rawRandom(random: Random): RawRandom {
  return rawOf(random, Random, "random");
}
