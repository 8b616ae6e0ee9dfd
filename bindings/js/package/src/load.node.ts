import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { setReader } from "./load.js";

/** In Node, WebAssembly is a file. */
setReader(async (address) => {
  const url = address instanceof URL ? address : new URL(address, "file:///");
  if (url.protocol !== "file:") {
    return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  }
  const path = address instanceof URL || address.startsWith("file:") ? fileURLToPath(url) : address;
  return WebAssembly.compile(await readFile(path));
});
