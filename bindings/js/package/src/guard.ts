/**
 * What happens inside the WebAssembly that nobody can have caught there: its memory is full, its stack is, or the
 * library has a fault. A machine without this would tell the page "unreachable". Here it becomes the package's own error.
 */
import { WayfareError } from "./error.js";

/** Bytes that WebAssembly can address, less what the next larger list may have wanted. */
const NEARLY_FULL = 2 ** 32 - 2 ** 29;

type Call = (this: unknown, ...given: unknown[]) => unknown;

/** A module of WebAssembly, and what became of it. */
class Guarded {
  readonly #memory: WebAssembly.Memory;
  readonly #isRefused: () => boolean;
  /** The trap in which it ended. */
  #trap: WayfareError | undefined;
  /** What broke off a call without ending the module: the object that was at work stays lent. */
  #brokenOff: WayfareError | undefined;

  constructor(memory: WebAssembly.Memory, isRefused: () => boolean) {
    this.#memory = memory;
    this.#isRefused = isRefused;
  }

  get isLost(): boolean {
    return this.#trap !== undefined;
  }

  /** After a trap, anything may be half done: every later call is told the same. */
  check(): void {
    if (this.#trap !== undefined) throw again(this.#trap);
  }

  translated(error: unknown): unknown {
    if (typeof error === "object" && error !== null && ofPage.has(error)) return error;
    // What wasm-bindgen says where a callback calls back into what is at work, or where that call never came to its end.
    if (error instanceof Error && /recursive use of an object/.test(error.message)) {
      const isAlone = atWork.length === 2;
      return isAlone && this.#brokenOff !== undefined ? again(this.#brokenOff) : busy(error);
    }
    if (error instanceof WebAssembly.RuntimeError) {
      this.#trap = this.#failure(error);
      return this.#trap;
    }
    // Firefox throws an error of a kind of its own.
    if (error instanceof Error && /call stack|too much recursion/.test(error.message)) {
      this.#brokenOff = this.#failure(error);
      return this.#brokenOff;
    }
    return error;
  }

  #failure(cause: Error): WayfareError {
    const after = "What was at work is lost: load the library anew, in a new worker or page.";
    return this.#memory.buffer.byteLength > NEARLY_FULL || this.#isRefused()
      ? new WayfareError("memory", `The memory of the WebAssembly is full. ${after}`, { cause })
      : new WayfareError("internal", `The library failed: ${String(cause)}. ${after}`, { cause });
  }
}

function again(failure: WayfareError): WayfareError {
  return new WayfareError(failure.code, failure.message, { cause: failure });
}

/** What functions of the page have thrown: it is theirs, whatever it looks like. */
const ofPage = new WeakSet<object>();

/** A function of the page, as the library calls it; what is none stays as it is. */
function overheard(given: unknown): unknown {
  if (typeof given !== "function") return given;
  return (...told: unknown[]): unknown => {
    try {
      return (given as Call)(...told);
    } catch (error) {
      if (typeof error === "object" && error !== null) ofPage.add(error);
      throw error;
    }
  };
}

function busy(cause?: Error): WayfareError {
  return new WayfareError("busy", "A callback used an object that is at work; use it when the call has returned.", { cause });
}

function guardedCall(call: Call, module: Guarded): Call {
  return function guarded(this: unknown, ...given) {
    module.check();
    atWork.push(this, given);
    try {
      return call.apply(this, given.map(overheard));
    } catch (error) {
      throw module.translated(error);
    } finally {
      atWork.length -= 2;
    }
  };
}

/** The calls that have not returned: what each is of, and what it was given. */
const atWork: unknown[] = [];

function isAtWork(object: unknown): boolean {
  return atWork.some((each) => each === object || (Array.isArray(each) && each.includes(object)));
}

/** Frees an object unless it is at work: wasm-bindgen would say so as well, but has given it up by then. */
function guardedFree(free: Call, module: Guarded): Call {
  const call = guardedCall(free, module);
  return function freed(this: unknown) {
    if (isAtWork(this)) throw busy();
    // Memory that is lost need not be given back.
    return module.isLost ? undefined : call.call(this);
  };
}

function guardMembers(holder: object, module: Guarded): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (name !== "constructor" && property.configurable === true && typeof property.value === "function") {
      const guard = name === "free" ? guardedFree : guardedCall;
      Object.defineProperty(holder, name, { ...property, value: guard(property.value as Call, module) });
    }
  }
}

/** @internal The same exports, whose failures are errors of the package. */
export function guarded<Exports extends { isMemoryRefused(): boolean }>(exports: Exports, memory: WebAssembly.Memory): Exports {
  const module = new Guarded(memory, () => exports.isMemoryRefused());
  const wrapped = Object.entries(exports).map(([name, value]): [string, unknown] => {
    if (typeof value !== "function") return [name, value];
    if (!/^Raw/.test(name)) return [name, guardedCall(value as Call, module)];
    guardMembers(value.prototype as object, module);
    guardMembers(value as object, module);
    const construct = (target: new (...given: unknown[]) => object, given: unknown[]): object => {
      module.check();
      atWork.push(undefined, given);
      try {
        return Reflect.construct(target, given.map(overheard)) as object;
      } catch (error) {
        throw module.translated(error);
      } finally {
        atWork.length -= 2;
      }
    };
    return [name, new Proxy(value as unknown as new (...given: unknown[]) => object, { construct })];
  });
  return Object.fromEntries(wrapped) as unknown as Exports;
}
