// Headless Chromium, for the tests that need a browser.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../examples/serve.mjs";

/** The command that starts it; undefined where there is none. */
export function findBrowser() {
  const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"];
  return names.find((name) => name !== undefined && spawnSync(name, ["--version"]).status === 0);
}

/** Opens a page of the package and returns what it posts. */
export async function browse(browser, page) {
  const profile = mkdtempSync(join(tmpdir(), "wayfare-"));
  let chromium;
  let server;
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("no answer in five minutes")), 300_000).unref();
      serve(0, (_, text) => resolve(text)).then((started) => {
        server = started;
        const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
        const address = `http://127.0.0.1:${server.address().port}${page}`;
        chromium = spawn(browser, [...flags, address], { stdio: "ignore" });
      });
    });
  } finally {
    const ended = new Promise((resolve) => chromium?.on("exit", resolve) ?? resolve());
    chromium?.kill();
    await ended;
    server?.closeAllConnections();
    server?.close();
    // Its helpers outlive it for a moment, and write on; what they leave stays where temporary files may.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }).catch(() => undefined);
  }
}
