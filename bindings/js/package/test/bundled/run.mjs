// A page that Vite or webpack has built, without configuration, loads the library and bakes in a pool: in headless Chromium,
// with SIMD and without. What is not there is skipped in words.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { browse, findBrowser } from "../browser/chromium.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const skip = (why) => {
  console.log(`skipped: pages from bundlers, for ${why}`);
  process.exit(0);
};

const browser = findBrowser() ?? skip("there is no Chromium (apt-get install chromium)");
const installed = spawnSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: here("."), stdio: "inherit" });
if (installed.status !== 0) skip("Vite and webpack cannot be installed");
// The package as it is installed.
rmSync(here("node_modules/wayfare"), { recursive: true, force: true });
for (const part of ["package.json", "dist"]) cpSync(here(`../../${part}`), here(`node_modules/wayfare/${part}`), { recursive: true });

const require = createRequire(here("package.json"));
const BUNDLERS = {
  async vite(to) {
    const { build } = await import(here("node_modules/vite/dist/node/index.js"));
    await build({ root: here("."), base: "./", logLevel: "warn", build: { outDir: to, emptyOutDir: true } });
  },
  async webpack(to) {
    const { default: webpack } = await import(require.resolve("webpack"));
    const options = { context: here("."), entry: "./app.js", mode: "production", output: { path: to } };
    const stats = await new Promise((resolve, reject) => webpack(options, (error, made) => (error ? reject(error) : resolve(made))));
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
    writeFileSync(`${to}/index.html`, '<!doctype html><meta charset="utf-8" /><script src="main.js"></script>');
  },
};

let hasFailed = false;
for (const [name, bundle] of Object.entries(BUNDLERS)) {
  const to = here(`build/${name}`);
  try {
    await bundle(to);
    for (const query of ["", "?plain"]) {
      const told = await browse(browser, `/test/bundled/build/${name}/index.html${query}`);
      if (told !== "") throw new Error(told);
    }
    console.log(`ok: a page from ${name}`);
  } catch (error) {
    hasFailed = true;
    console.log(`FAILED: a page from ${name}\n${error.message}`);
  }
}
process.exit(hasFailed ? 1 : 0);
