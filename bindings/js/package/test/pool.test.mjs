// Who of a pool does what, and what of the caller's it looks at when.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Level, Query, bake, init } from "wayfare";
import { createPool } from "wayfare/pool";
import { hills, room } from "./levels.mjs";

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 32 };
const script = new URL("./telling.worker.mjs", import.meta.url);

await init();

/** A pool whose workers tell what they are asked, and that list. */
async function tellingPool(threads) {
  const told = [];
  const channel = new BroadcastChannel("wayfare-test");
  channel.onmessage = ({ data }) => told.push(data);
  channel.unref();
  return { pool: await createPool({ threads, script }), told };
}

/** Waits until something holds. */
async function until(holds, what) {
  for (let round = 0; round < 200 && !holds(); round += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(holds(), what);
}

test("a bake is of what its level and settings were when it began", async () => {
  const pool = await createPool({ threads: 2 });
  try {
    const own = structuredClone(settings);
    const digests = [];
    const jobs = [];
    for (const radius of [1.2, 0.4]) {
      own.agent.radius = radius;
      own.cellSize = radius / 4;
      digests.push(bake(new Level(hills(40)), own).mesh.digest);
      jobs.push(pool.bake(new Level(hills(40)), own));
    }
    assert.deepEqual((await Promise.all(jobs)).map(({ mesh }) => mesh.digest), digests);
    const level = new Level(room());
    const job = pool.bake(level, settings);
    level.addVolume({ kind: "box", min: [0, -1, 0], max: [9, 3, 9] });
    level.setTerrain({ columns: 9, rows: 9, samples: new Uint16Array(81), origin: [90, 0, 0], spacing: 5, step: 0.1 });
    level.dispose();
    assert.equal((await job).mesh.digest, bake(new Level(room()), settings).mesh.digest);
  } finally {
    pool.dispose();
  }
});

test("questions are those that were asked", async () => {
  // As in a page that may not share memory.
  globalThis.crossOriginIsolated = false;
  const pool = await createPool({ threads: 1 });
  try {
    const { mesh } = bake(new Level(room()), settings);
    const pooled = await pool.share(mesh);
    const [from, to] = [Float32Array.of(2, 0, 2), Float32Array.of(18, 0, 3)];
    const first = pooled.findPaths(from, to);
    const second = pooled.findPaths(from, to);
    from.fill(1);
    const { length } = new Query(mesh).findPath([2, 0, 2], [18, 0, 3]);
    for (const found of await Promise.all([first, second])) assert.equal(found.lengths[0], length);
    assert.equal((await pooled.findPaths([], [])).count, 0);
  } finally {
    delete globalThis.crossOriginIsolated;
    pool.dispose();
  }
});

test("a pool has all threads of the machine but one", () => {
  const script = `
    import { syncBuiltinESMExports } from "node:module";
    import os from "node:os";
    os.availableParallelism = () => 4;
    syncBuiltinESMExports();
    const [{ init }, { createPool }] = await Promise.all([import("wayfare"), import("wayfare/pool")]);
    await init();
    console.log((await createPool()).threads);
  `;
  const cwd = new URL(".", import.meta.url);
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" });
  assert.equal(stdout, "3\n", stderr);
});

test("small work goes to whoever has the least to do", async () => {
  const { pool, told } = await tellingPool(4);
  try {
    const level = new Level(room());
    const whole = { ...settings, tileSize: 0 };
    await Promise.all(Array.from({ length: 8 }, () => pool.bake(level, whole)));
    await until(() => told.filter(({ kind }) => kind === "bake").length === 8, "8 bakes");
    const bakers = told.filter(({ kind }) => kind === "bake").map(({ thread }) => thread);
    assert.equal(new Set(bakers).size, 4, bakers.join());
    const pooled = await pool.share(bake(level, settings).mesh);
    told.length = 0;
    const busy = pool.bake(new Level(hills(100)), whole);
    const answers = Array.from({ length: 6 }, () => pooled.findPaths([[2, 0, 2]], [[18, 0, 3]]));
    for (const { count } of await Promise.all(answers)) assert.equal(count, 1);
    await busy;
    await until(() => told.filter(({ kind }) => kind === "paths").length >= 6, "6 questions");
    const asked = told.filter(({ kind }) => kind === "paths");
    assert.equal(asked.length, 6);
    const baker = told.find(({ kind }) => kind === "bake").thread;
    assert.ok(asked.every(({ thread }) => thread !== baker), "it waited for the bake");
    assert.ok(new Set(asked.map(({ thread }) => thread)).size === 3);
  } finally {
    pool.dispose();
  }
});

test("workers forget a mesh that nobody has any more", async () => {
  const { pool, told } = await tellingPool(2);
  try {
    const { mesh } = bake(new Level(room()), settings);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const kept = await pool.share(mesh);
    await (async () => void (await pool.share(mesh)))();
    const drops = () => told.filter(({ kind }) => kind === "drop").length;
    for (let round = 0; round < 100 && drops() < 2; round += 1) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(drops(), 2);
    assert.equal((await kept.findPaths([[2, 0, 2]], [[18, 0, 3]])).count, 1);
  } finally {
    pool.dispose();
  }
});

test("progress that returns false cancels", async () => {
  const pool = await createPool({ threads: 2 });
  try {
    await assert.rejects(pool.bake(new Level(hills(60)), settings, { progress: () => false }), { code: "cancelled" });
    assert.ok((await pool.bake(new Level(room()), settings)).mesh.tileCount > 0);
  } finally {
    pool.dispose();
  }
});
