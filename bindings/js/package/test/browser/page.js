// What a page does: run in a browser by `run.mjs`, which is told the results.
import { Crowd, Level, Query, WayfareError, bake, bakeAsync, init } from "wayfare";
import { BlockNav, BlockWorld, init as initBlocks } from "wayfare/blocks";
import { createPool } from "wayfare/pool";
import { hills, room } from "../levels.mjs";

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 32 };
const results = [];

function check(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

async function test(name, work) {
  try {
    await work();
    results.push({ name, ok: true });
  } catch (error) {
    results.push({ name, ok: false, error: `${error.name}: ${error.message}\n${error.stack}` });
  }
}

/** Bakes in a worker of its own, with or without SIMD. */
function bakeInWorker(simd) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data.error === undefined) resolve(data.digest);
      else reject(new Error(data.error));
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ simd, settings });
  });
}

let digest;

await test("the library loads, bakes and answers", async () => {
  await init();
  const { mesh } = bake(new Level(room()), settings);
  ({ digest } = mesh);
  const path = new Query(mesh).findPath([2, 0, 2], [18, 0, 3]);
  check(path.isComplete && path.pointCount >= 4, path.status);
  const crowd = new Crowd(mesh);
  const agent = crowd.add([2, 0, 2]);
  crowd.goTo(agent, [4, 0, 4]);
  for (let tick = 0; tick < 200; tick += 1) crowd.step(1 / 30);
  check(crowd.status(agent) === "arrived", crowd.status(agent));
});

await test("workers with SIMD and without bake the same bytes", async () => {
  check((await bakeInWorker(true)) === digest, "with SIMD");
  check((await bakeInWorker(false)) === digest, "without SIMD");
});

await test("the page may share memory, and a pool bakes the same bytes", async () => {
  check(crossOriginIsolated && typeof SharedArrayBuffer === "function", "not isolated");
  const level = new Level(hills(40));
  const pool = await createPool({ threads: 2 });
  const pooled = await pool.bake(level, settings);
  check(pooled.mesh.digest === bake(level, settings).mesh.digest, "another mesh");
  const shared = await pool.share(pooled.mesh);
  check((await shared.findPaths([[1, 0, 1], [3, 0, 3]], [[30, 0, 30], [9, 0, 20]])).count === 2, "paths");
  pool.dispose();
});

await test("a bake leaves the page alive, and is cancelled", async () => {
  let frames = 0;
  const count = () => {
    frames += 1;
    frame = requestAnimationFrame(count);
  };
  let frame = requestAnimationFrame(count);
  await bakeAsync(new Level(hills(150)), settings, { slice: 4 });
  cancelAnimationFrame(frame);
  check(frames > 2, `${frames} frames`);
  try {
    await bakeAsync(new Level(hills(40)), settings, { signal: AbortSignal.abort() });
    throw new Error("not cancelled");
  } catch (error) {
    check(error instanceof WayfareError && error.code === "cancelled", String(error));
  }
});

await test("blocks", async () => {
  await initBlocks();
  const world = new BlockWorld();
  world.fill({ min: [0, 0, 0], max: [9, 0, 9] }, "solid");
  check(new BlockNav(world).findPath([1, 1, 1], [8, 1, 8]).status === "complete", "no path");
});

await fetch("/results", { method: "POST", body: JSON.stringify(results) });
