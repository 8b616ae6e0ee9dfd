import { WayfareError } from "./error.js";
import { Handle, describe, rawOf } from "./handle.js";
import { raw } from "./load.js";
import { count } from "./vector.js";
import type { RawRandom } from "./wasm/full.js";

/** Random numbers from a seed, the same on every machine. */
export class Random extends Handle<RawRandom> {
  constructor(seed: number | bigint = 1) {
    if (typeof seed !== "bigint" && !Number.isInteger(seed)) {
      throw new WayfareError("invalid-argument", `seed must be a whole number, but is ${describe(seed)}.`);
    }
    super(new (raw().RawRandom)(BigInt.asUintN(64, BigInt(seed))));
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
