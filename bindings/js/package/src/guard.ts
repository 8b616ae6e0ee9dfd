/**
 * What happens inside the WebAssembly that nobody can have caught there: its memory is full, its stack is, or the
 * library has a fault. A machine without this would tell the page "unreachable". Here it becomes the package's own error.
 */
import { WayfareError } from "./error.js";

/** Bytes that WebAssembly can address, less what the next larger list may have wanted. */
const NEARLY_FULL = 2 ** 32 - 2 ** 29;

type Call = (this: unknown, ...given: unknown[]) => unknown;

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

function translated(error: unknown, memory: WebAssembly.Memory): unknown {
  if (typeof error === "object" && error !== null && ofPage.has(error)) return error;
  // What wasm-bindgen says where a callback calls back into what is at work.
  if (error instanceof Error && /recursive use of an object/.test(error.message)) return busy(error);
  const isTrap = error instanceof WebAssembly.RuntimeError;
  // Firefox throws an error of a kind of its own.
  const isStack = error instanceof Error && /call stack|too much recursion/.test(error.message);
  if (!isTrap && !isStack) return error;
  const { byteLength } = memory.buffer;
  const after = "What was at work is lost: load the library anew, in a new worker or page.";
  return byteLength > NEARLY_FULL
    ? new WayfareError("memory", `The memory of the WebAssembly is full. ${after}`, { cause: error })
    : new WayfareError("internal", `The library failed: ${String(error)}. ${after}`, { cause: error });
}

function guardedCall(call: Call, memory: WebAssembly.Memory): Call {
  return function guarded(this: unknown, ...given) {
    atWork.push(this, given);
    try {
      return call.apply(this, given.map(overheard));
    } catch (error) {
      throw translated(error, memory);
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
function guardedFree(free: Call, memory: WebAssembly.Memory): Call {
  const call = guardedCall(free, memory);
  return function freed(this: unknown) {
    if (isAtWork(this)) throw busy();
    return call.call(this);
  };
}

function guardMembers(holder: object, memory: WebAssembly.Memory): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (name !== "constructor" && property.configurable === true && typeof property.value === "function") {
      const guard = name === "free" ? guardedFree : guardedCall;
      Object.defineProperty(holder, name, { ...property, value: guard(property.value as Call, memory) });
    }
  }
}

/** @internal The same exports, whose failures are errors of the package. */
export function guarded<Exports extends object>(exports: Exports, memory: WebAssembly.Memory): Exports {
  const wrapped = Object.entries(exports).map(([name, value]): [string, unknown] => {
    if (typeof value !== "function") return [name, value];
    if (!/^Raw/.test(name)) return [name, guardedCall(value as Call, memory)];
    guardMembers(value.prototype as object, memory);
    guardMembers(value as object, memory);
    const construct = (target: new (...given: unknown[]) => object, given: unknown[]): object => {
      atWork.push(undefined, given);
      try {
        return Reflect.construct(target, given.map(overheard)) as object;
      } catch (error) {
        throw translated(error, memory);
      } finally {
        atWork.length -= 2;
      }
    };
    return [name, new Proxy(value as new (...given: unknown[]) => object, { construct })];
  });
  return Object.fromEntries(wrapped) as Exports;
}
