import { WayfareError } from "./error.js";
import { guarded } from "./guard.js";
import { describe, options as known } from "./handle.js";
import type * as Full from "./wasm/full.js";

/** Which parts of the library are loaded. */
export type Build = "core" | "full";

/** How the library is loaded. */
export interface InitOptions {
  /**
   * `"core"`, the default, bakes, asks, walks and moves crowds, with obstacles. `"full"` has all: automatic links, places
   * explained, cost maps, formations, Detour's files, saved crowds, and what `wayfare/full` exports. What the core leaves
   * out says so when it is called.
   */
  build?: Build;
  /** Whether to load the build for machines with SIMD. Default: whether this one has it. */
  simd?: boolean;
  /**
   * The WebAssembly, where it does not lie beside the package: its address, its bytes, or compiled, a `WebAssembly.Module`
   * (by that name, it would be unknown to projects for Node without the types of browsers).
   */
  wasm?: URL | string | ArrayBuffer | ArrayBufferView | object;
}

/** @internal Reads WebAssembly from an address. */
export type Reader = (address: URL | string) => Promise<WebAssembly.Module>;

let reader: Reader = fetchModule;

/** @internal */
export function setReader(read: Reader): void {
  reader = read;
}

/** @internal */
export async function fetchModule(address: URL | string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new WayfareError("not-loaded", `${String(address)} could not be loaded: ${response.status}.`);
  }
  const isTyped = response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** A module that only a machine with SIMD takes. */
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** Whether this machine has SIMD. */
export function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(SIMD));
}

/** @internal */
export async function compile(
  source: InitOptions["wasm"],
  [simd, plain]: [URL, URL],
  wantsSimd = hasSimd(),
): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source === undefined) return reader(wantsSimd ? simd : plain);
  if (typeof source === "string" || source instanceof URL) return reader(source);
  if (typeof source === "object" && source !== null) return WebAssembly.compile(source as BufferSource);
  const sentence = `wasm must be an address, bytes or a WebAssembly.Module, but is ${describe(source)}.`;
  throw new WayfareError("invalid-argument", sentence);
}

/** The core build has a part of what the full one has; what it lacks is reached by {@link rawFull} alone. */
type Exports = typeof Full;

let loaded: { build: Build; module: Exports } | undefined;
let loading: Promise<void> | undefined;
let compiled: WebAssembly.Module | undefined;

/**
 * Loads the library. Nothing else works before it has; calling it again waits for the same.
 *
 * @throws {@link WayfareError} `not-loaded` if the WebAssembly cannot be read; `not-in-this-build` if another build is
 * already loaded.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const build = known(options, ["build", "simd", "wasm"]).build ?? "core";
  if (build !== "core" && build !== "full") {
    throw new WayfareError("invalid-argument", `build must be "core" or "full", but is ${JSON.stringify(build)}.`);
  }
  loading ??= load(build, options);
  const mine = loading;
  try {
    await mine;
  } catch (error) {
    // Another call may be trying again by now.
    if (loading === mine) loading = undefined;
    throw error instanceof WayfareError
      ? error
      : new WayfareError("not-loaded", `The WebAssembly could not be loaded: ${String(error)}`, { cause: error });
  }
  if (build === "full" && loaded?.build !== "full") {
    throw new WayfareError("not-in-this-build", 'The core build is loaded already; call init({ build: "full" }) first.');
  }
}

async function load(build: Build, options: InitOptions): Promise<void> {
  if (build === "full") {
    const module = await import("./wasm/full.js");
    compiled = await compile(options.wasm, [
      new URL("./wasm/full.simd.wasm", import.meta.url),
      new URL("./wasm/full.wasm", import.meta.url),
    ], options.simd);
    const { memory } = await module.default({ module_or_path: compiled });
    loaded = { build, module: guarded(module, memory) };
    return;
  }
  const module = await import("./wasm/core.js");
  compiled = await compile(options.wasm, [
    new URL("./wasm/core.simd.wasm", import.meta.url),
    new URL("./wasm/core.wasm", import.meta.url),
  ], options.simd);
  const { memory } = await module.default({ module_or_path: compiled });
  loaded = { build, module: guarded(module, memory) as unknown as Exports };
}

/** Whether the library is loaded. */
export function isLoaded(): boolean {
  return loaded !== undefined;
}

/** @internal The build that is loaded and its code, to be loaded by workers as well. */
export function loadedModule(): { build: Build; wasm: WebAssembly.Module } {
  raw();
  if (loaded === undefined || compiled === undefined) throw notLoaded();
  return { build: loaded.build, wasm: compiled };
}

function notLoaded(): WayfareError {
  return new WayfareError("not-loaded", "The library is not loaded yet: await init() first.");
}

/** @internal The exports that every build has. */
export function raw(): Exports {
  if (loaded === undefined) throw notLoaded();
  return loaded.module;
}

/** @internal All exports; for what the core build leaves out. */
export function rawFull(): Exports {
  const exports = raw();
  if (loaded?.build !== "full") {
    throw new WayfareError("not-in-this-build", 'This is in the full build: load it with init({ build: "full" }).');
  }
  return exports;
}
