// Runs a WebAssembly program for WASI preview 1 with node: node xtask/wasi.mjs PROGRAM.wasm
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), env: {}, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(program, wasi.getImportObject());
// Node 20 may crash while it takes a WASI instance down; all output is written by then, so it leaves at once.
process.reallyExit(wasi.start(instance));
