// A library whose memory is full says so, then and ever after. The library of this test may have 16 MB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Level, Query, bake, init } from "wayfare";
import { hills, room } from "./levels.mjs";

/** A module whose memory may have no more than some pages of 64 KB. */
function limited(bytes, pages) {
  const number = (at) => {
    let [value, shift, next] = [0, 0, at];
    do {
      value += (bytes[next] & 127) * 2 ** shift;
      shift += 7;
      next += 1;
    } while (bytes[next - 1] >= 128);
    return [value, next];
  };
  const bytesOf = (value) => [(value & 127) | 128, ((value >> 7) & 127) | 128, (value >> 14) & 127];
  for (let at = 8; at < bytes.length; ) {
    const [size, start] = number(at + 1);
    if (bytes[at] === 5) {
      // One memory, by its least and its greatest number of pages.
      const section = [1, 1, ...bytesOf(number(start + 2)[0]), ...bytesOf(pages)];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([5, section.length, ...section]), bytes.subarray(start + size)]);
    }
    at = start + size;
  }
  throw new Error("there is no memory in this module");
}

await init({ wasm: limited(readFileSync(new URL("../dist/wasm/core.wasm", import.meta.url)), 256) });

test("full memory is told as such, by every later call as well", () => {
  const level = new Level(room());
  const { mesh } = bake(level, { cellSize: 0.5 });
  const query = new Query(mesh);
  const full = { name: "WayfareError", code: "memory", message: /memory of the WebAssembly is full.*new worker/ };
  const kept = [];
  assert.throws(() => {
    for (;;) kept.push(new Level(hills(60)));
  }, full);
  assert.ok(kept.length > 3, String(kept.length));
  for (const call of [() => query.findPath([2, 0, 2], [3, 0, 3]), () => mesh.clone(), () => new Level(room()), () => kept[0].clearVolumes()]) {
    assert.throws(call, full);
  }
  query.dispose();
  assert.ok(query.isDisposed);
});
