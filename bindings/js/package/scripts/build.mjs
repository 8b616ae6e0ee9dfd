// Compiles the TypeScript, joins its files to a few, and puts the WebAssembly beside them.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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

// Forty files one after the other take longer to load than the WebAssembly takes to compile.
const { exports } = JSON.parse(readFileSync(path("package.json"), "utf8"));
const entries = Object.values(exports).flatMap((one) => (typeof one === "string" ? [] : [one.node, one.default]));
const workers = ["./dist/pool.worker.js", "./dist/pool.worker.node.js"];
const { outputFiles } = await build({
  entryPoints: [...entries.filter((entry) => entry !== undefined), ...workers].map(path),
  outdir: path("dist"),
  chunkNames: "shared-[name]-[hash]",
  external: ["three", "node:*"],
  platform: "neutral",
  target: "es2022",
  // Messages name classes.
  keepNames: true,
  // Names stay, for stack traces.
  minifyWhitespace: true,
  // Node shows the line that an error comes from: it must not be all of the file.
  lineLimit: 320,
  bundle: true,
  splitting: true,
  format: "esm",
  write: false,
  logLevel: "warning",
});
for (const folder of ["dist/", "dist/wasm/"]) {
  for (const name of readdirSync(path(folder))) if (name.endsWith(".js")) rmSync(path(folder + name));
}
for (const file of outputFiles) writeFileSync(file.path, file.contents);
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  const license = new URL(`../../../${name}`, home);
  if (existsSync(license)) cpSync(license, path(name));
}
