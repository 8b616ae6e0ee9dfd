/// <reference lib="esnext.disposable" preserve="true" />
import { WayfareError } from "./error.js";

/** Browsers without `using` have no symbol for it yet. */
const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/**
 * Something that holds memory of the WebAssembly. It is given back when the object is collected, or at once by
 * {@link dispose}, or at the end of a block by `using`.
 */
export abstract class Handle<Raw extends { free(): void }> {
  #raw: Raw | undefined;

  /** @internal */
  constructor(raw: Raw) {
    this.#raw = raw;
  }

  /** @internal */
  get raw(): Raw {
    if (this.#raw === undefined) {
      throw new WayfareError("disposed", `This ${this.constructor.name} was disposed of and cannot be used any more.`);
    }
    return this.#raw;
  }

  /** Whether it was disposed of. */
  get isDisposed(): boolean {
    return this.#raw === undefined;
  }

  /** Gives its memory back now. All later uses throw `disposed`; disposing of it again does nothing. */
  dispose(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    raw?.free();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  /** @internal */
  protected replaceRaw(raw: Raw): void {
    const old = this.#raw;
    this.#raw = raw;
    old?.free();
  }
}

/** @internal The memory behind an argument, which must be of a class. */
export function rawOf<Raw extends { free(): void }>(
  value: Handle<Raw>,
  // Constructors are internal, and not alike.
  kind: abstract new (...args: never[]) => Handle<Raw>,
  name: string,
): Raw {
  if (!(value instanceof kind)) {
    throw new WayfareError("invalid-argument", `${name} must be a ${kind.name}, but is ${describe(value)}.`);
  }
  return value.raw;
}

/** @internal A value as a sentence names it. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "function") return "a function";
  const name = Object.getPrototypeOf(value)?.constructor?.name as string | undefined;
  return name === undefined || name === "Object" ? "an object" : `a ${name}`;
}
