// Compiles the TypeScript, joins its files to a few, and puts the WebAssembly beside them.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

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
// Of the types of the WebAssembly, those of its classes: how it is loaded names what projects for Node do not know.
for (const name of readdirSync(path("dist/wasm")).filter((name) => name.endsWith(".d.ts"))) {
  const [types, loading] = readFileSync(path(`dist/wasm/${name}`), "utf8").split("export type InitInput");
  if (loading === undefined) throw new Error(`${name} does not say how it is loaded any more.`);
  writeFileSync(path(`dist/wasm/${name}`), types);
}

/** Files joined to a few: forty, one after the other, take longer to load than the WebAssembly takes to compile. */
async function join(entries, splitting) {
  const { outputFiles } = await build({
    entryPoints: entries.map(path),
    outdir: path("dist"),
    chunkNames: "shared-[name]-[hash]",
    external: ["three", "node:*"],
    platform: "neutral",
    target: "es2022",
    // Messages name classes.
    keepNames: true,
    // Names stay, for stack traces.
    minifyWhitespace: true,
    bundle: true,
    splitting,
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  return Promise.all(outputFiles.map(async (file) => ({ path: file.path, text: await inLines(file.text) })));
}

/** Characters after which a line is broken. */
const LINE = 320;

/**
 * A script in lines, since Node shows the line that an error comes from: it must not be all of the file. Lines are broken
 * behind statements and blocks, never in a text: bundlers look for addresses that stand there whole. Without the new lines,
 * it must be the same script.
 */
async function inLines(script) {
  let broken = "";
  let width = 0;
  for (const [part] of script.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|[;}]|[^"'`;}]+|[^]/g)) {
    broken += part;
    width = part.includes("\n") ? part.length - part.lastIndexOf("\n") : width + part.length;
    if (width > LINE && (part === ";" || part === "}")) {
      broken += "\n";
      width = 0;
    }
  }
  const plain = async (text) => (await transform(text, { minifyWhitespace: true, target: "es2022" })).code;
  if ((await plain(broken)) !== (await plain(script))) throw new Error("Breaking lines has changed a script.");
  return broken;
}

const { exports } = JSON.parse(readFileSync(path("package.json"), "utf8"));
const entries = new Set(Object.values(exports).flatMap((one) => (typeof one === "string" ? [] : [one.node, one.default])));
entries.delete(undefined);
// By itself, in one file, so that it works wherever it is copied.
const worker = "./dist/pool.worker.js";
entries.delete(worker);
const files = [...(await join([...entries], true)), ...(await join([worker], false))];
for (const folder of ["dist/", "dist/wasm/"]) {
  for (const name of readdirSync(path(folder))) if (name.endsWith(".js")) rmSync(path(folder + name));
}
for (const file of files) writeFileSync(file.path, file.text);
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  const license = new URL(`../../../${name}`, home);
  if (existsSync(license)) cpSync(license, path(name));
}
