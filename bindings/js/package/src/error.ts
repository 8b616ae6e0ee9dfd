/** What kind of thing went wrong. */
export type WayfareErrorCode =
  /** A value of the wrong type, shape or range: the sentence names it. */
  | "invalid-argument"
  /** A setting that does not exist, or is out of range. */
  | "settings"
  /** Triangles that cannot be a level. */
  | "level"
  /** A level that could not be baked. */
  | "bake"
  /** The work was cancelled. */
  | "cancelled"
  /** The work would need more memory than a page has. */
  | "memory"
  /** A tile that does not fit the mesh. */
  | "tile"
  /** Tiles that could not be rebuilt. */
  | "rebuild"
  /** Bytes that are not what they were read as. */
  | "format"
  /** A polygon, tile, agent, obstacle or request that is not there any more. */
  | "stale-ref"
  /** A copy of a mesh that has changed since: what has changed would be lost. */
  | "outdated"
  /** A place that is not on the mesh. */
  | "off-mesh"
  /** A path that does not begin where the corridor does. */
  | "not-on-path"
  /** An object that was disposed of. */
  | "disposed"
  /** An object that is at work: a callback called back into it. */
  | "busy"
  /** The library was not loaded: `await init()` first. */
  | "not-loaded"
  /** Something that the loaded build leaves out. */
  | "not-in-this-build"
  /** A worker that failed or went away. */
  | "worker"
  /** A fault of the library itself; please report it. */
  | "internal";

/** What all functions of the package throw. */
export class WayfareError extends Error {
  /** What kind of thing went wrong. */
  readonly code: WayfareErrorCode;

  constructor(code: WayfareErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WayfareError";
    this.code = code;
  }
}
