// Headless Chromium, for the tests that need a browser.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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
  let posted;
  const answer = new Promise((resolve) => (posted = resolve));
  const server = await serve(0, (_, text) => posted(text));
  let timer;
  let chromium;
  let ended;
  try {
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
    const address = `http://127.0.0.1:${server.address().port}${page}`;
    chromium = spawn(browser, [...flags, address], { stdio: "ignore" });
    // Listened for from the beginning: it may end at any time, and says so once.
    ended = once(chromium, "exit").then(([code, signal]) => `it ended with ${signal ?? code}`, (error) => error.message);
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer in five minutes")), 300_000);
    });
    const alone = ended.then((why) => Promise.reject(new Error(`${browser} has not answered: ${why}`)));
    return await Promise.race([answer, late, alone]);
  } finally {
    clearTimeout(timer);
    // First, as it keeps this process alive.
    server.closeAllConnections();
    server.close();
    chromium?.kill();
    await ended;
    // Its helpers outlive it for a moment, and write on; what they leave stays where temporary files may.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }).catch(() => undefined);
  }
}
