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
    // What is at work cannot be freed, and stays.
    this.#raw?.free();
    this.#raw = undefined;
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
    throw new WayfareError("invalid-argument", `${name} must be ${withArticle(kind.name)}, but is ${describe(value)}.`);
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
  return name === undefined || name === "Object" ? "an object" : withArticle(name);
}

function withArticle(name: string): string {
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

/** @internal The options object of a call, with no others than those named. */
export function options<Options extends object>(given: Options, names: readonly (keyof Options & string)[], what = "options"): Options {
  if (typeof given !== "object" || given === null || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw new WayfareError("invalid-argument", `${what} must be an object, but is ${describe(given)}.`);
  }
  for (const name of Object.keys(given)) {
    if (!(names as readonly string[]).includes(name)) {
      throw new WayfareError("settings", `There is no option ${JSON.stringify(name)}: ${what} may have ${names.join(", ")}.`);
    }
  }
  return given;
}

/** @internal One of several words, as its place among them. */
export function word(value: string, words: readonly string[], name: string): number {
  const place = words.indexOf(value);
  if (place >= 0) return place;
  throw new WayfareError("invalid-argument", `${name} must be one of ${words.join(", ")}, but is ${describe(value)}.`);
}
