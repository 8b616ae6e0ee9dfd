// Runs the package in headless Chromium, and says how its tests went. Without a browser it says so and succeeds.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../examples/serve.mjs";

const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter((name) => name !== undefined);
const browser = names.find((name) => spawnSync(name, ["--version"]).status === 0);
if (browser === undefined) {
  console.log("skipped: there is no Chromium (apt-get install chromium)");
  process.exit(0);
}

const profile = mkdtempSync(join(tmpdir(), "wayfare-"));
let chromium;
const results = await new Promise((resolve) => {
  const late = setTimeout(() => resolve([{ name: "the page", ok: false, error: "no answer in five minutes" }]), 300_000);
  serve(0, (_, text) => {
    clearTimeout(late);
    resolve(JSON.parse(text));
  }).then((server) => {
    const page = `http://127.0.0.1:${server.address().port}/test/browser/`;
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`, page];
    chromium = spawn(browser, flags, { stdio: "ignore" });
    server.unref();
  });
});
chromium?.kill();
for (const { name, ok, error } of results) console.log(ok ? `ok: ${name}` : `FAILED: ${name}\n${error}`);
await new Promise((resolve) => chromium?.on("exit", resolve) ?? resolve());
rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
process.exit(results.length >= 5 && results.every(({ ok }) => ok) ? 0 : 1);
