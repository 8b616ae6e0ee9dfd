import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { fetchModule, setReader } from "./load.js";

/** In Node, WebAssembly is a file. One letter before a colon is no protocol, but a drive of Windows. */
setReader(async (address) => {
  const text = String(address);
  const isUrl = address instanceof URL || /^[a-z][a-z0-9+.-]+:/i.test(text);
  if (isUrl && !text.startsWith("file:")) return fetchModule(address);
  return WebAssembly.compile(await readFile(isUrl ? fileURLToPath(text) : text));
});
