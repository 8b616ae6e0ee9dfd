// What the tests that need a browser do where it does not start.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browse } from "./browser/chromium.mjs";

test("a browser that ends without an answer is told at once", { timeout: 60_000 }, async () => {
  // Node does not know the options of a browser.
  await assert.rejects(browse(process.execPath, "/"), /has not answered: it ended with 9/);
  await assert.rejects(browse("/nowhere/chromium", "/"), /has not answered: .*ENOENT/);
});
