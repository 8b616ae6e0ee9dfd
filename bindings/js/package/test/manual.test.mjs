// The first program of the manual runs as it stands there.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("the first program", () => {
  const manual = readFileSync(new URL("../../../../docs/bindings-js.md", import.meta.url), "utf8");
  const [, program] = /```js\n([\s\S]*?)```/.exec(manual);
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd, encoding: "utf8" });
  assert.equal(ran.stderr, "");
  assert.match(ran.stdout, /^complete 18\.\d+\n/);
  assert.equal(ran.stdout.trim().split("\n").length, 3);
});
