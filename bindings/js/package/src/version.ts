import { raw } from "./load.js";

/** The version of the library that is loaded. */
export function version(): string {
  return raw().version();
}
