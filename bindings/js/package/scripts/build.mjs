// Compiles the TypeScript, and puts the WebAssembly beside it.
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const home = new URL("../", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, home));

if (!existsSync(path("src/wasm/core.wasm"))) {
  console.error("There is no WebAssembly yet: run `npm run build:wasm` first (Rust with the target wasm32-unknown-unknown).");
  process.exit(1);
}
rmSync(path("dist"), { recursive: true, force: true });
// Types with their comments, scripts without.
for (const options of [["--emitDeclarationOnly"], ["--declaration", "false", "--removeComments"]]) {
  const args = [path("node_modules/typescript/bin/tsc"), "-p", path("tsconfig.json"), ...options];
  const tsc = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
}
cpSync(path("src/wasm"), path("dist/wasm"), { recursive: true });
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  const license = new URL(`../../../${name}`, home);
  if (existsSync(license)) cpSync(license, path(name));
}
