/**
 * What happens inside the WebAssembly that nobody can have caught there: its memory is full, its stack is, or the
 * library has a fault. A machine without this would tell the page "unreachable". Here it becomes the package's own error.
 */
import { WayfareError } from "./error.js";

/** Bytes that WebAssembly can address, less what the next larger list may have wanted. */
const NEARLY_FULL = 2 ** 32 - 2 ** 29;

type Call = (this: unknown, ...given: unknown[]) => unknown;

function translated(error: unknown, memory: WebAssembly.Memory): unknown {
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
    try {
      return call.apply(this, given);
    } catch (error) {
      throw translated(error, memory);
    }
  };
}

function guardMembers(holder: object, memory: WebAssembly.Memory): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (name !== "constructor" && property.configurable === true && typeof property.value === "function") {
      Object.defineProperty(holder, name, { ...property, value: guardedCall(property.value as Call, memory) });
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
      try {
        return Reflect.construct(target, given) as object;
      } catch (error) {
        throw translated(error, memory);
      }
    };
    return [name, new Proxy(value as new (...given: unknown[]) => object, { construct })];
  });
  return Object.fromEntries(wrapped) as Exports;
}
