// Worlds of blocks, and local grids.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BlockNav, BlockWorld, LocalGrid, WayfareError, init } from "wayfare/blocks";

assert.throws(() => new BlockWorld(), { code: "not-loaded" });
await init();

function world() {
  const made = new BlockWorld();
  made.fill({ min: [0, 0, 0], max: [15, 0, 15] }, "solid");
  made.fill({ min: [7, 1, 0], max: [7, 3, 15] }, "solid");
  made.fill({ min: [7, 1, 9], max: [7, 2, 9] }, "door");
  return made;
}

test("a path through a door, until it is walled up", () => {
  const blocks = world();
  const nav = new BlockNav(blocks);
  const path = nav.findPath([1, 1, 1], [14, 1, 2]);
  assert.equal(path.status, "complete");
  assert.deepEqual([...path].at(0), [1.5, 1, 1.5]);
  assert.equal(nav.pathExists([1, 1, 1], [14, 1, 2]), true);
  const corridor = nav.corridor([1.5, 1, 1.5], [1, 1, 1], [14, 1, 2]);
  assert.equal(corridor.hasArrived, false);
  blocks.fill({ min: [7, 1, 9], max: [7, 2, 9] }, "solid");
  nav.invalidate({ min: [7, 1, 9], max: [7, 2, 9] });
  assert.equal(nav.pathExists([1, 1, 1], [14, 1, 2]), false);
  assert.equal(nav.findPath([1, 1, 1], [14, 1, 2]).status, "partial");
  assert.equal(blocks.get([7, 1, 9]), "solid");
  corridor.refresh();
});

test("a box of more blocks than memory holds is refused before any is set", () => {
  const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
  const made = new BlockWorld();
  assert.throws(() => made.fill({ min: [low, low, low], max: [high, high, high] }, "solid"), { code: "memory", message: /2\^28/ });
  assert.equal(made.get([low, low, low]), "air");
  made.fill({ min: [3, 3, 3], max: [2, 2, 2] }, "solid");
  assert.equal(made.get([3, 3, 3]), "air");
});

test("a corridor is walked", () => {
  const nav = new BlockNav(world());
  const corridor = nav.corridor([1.5, 1, 1.5], [1, 1, 1], [14, 1, 2]);
  for (let step = 0; step < 200 && !corridor.hasArrived; step += 1) {
    const [[x, y, z], [tx, , tz]] = [corridor.position, corridor.target];
    const length = Math.hypot(tx - x, tz - z) || 1;
    corridor.walk([x + (0.3 * (tx - x)) / length, y, z + (0.3 * (tz - z)) / length]);
  }
  assert.ok(corridor.hasArrived || Math.hypot(corridor.position[0] - 14.5, corridor.position[2] - 2.5) < 1);
});

test("requests, random places, worlds of others", () => {
  const nav = new BlockNav(world());
  const request = nav.ask([1, 1, 1], [14, 1, 2]);
  assert.equal(nav.waiting, 1);
  for (let frame = 0; nav.waiting > 0 && frame < 100; frame += 1) nav.update(50);
  const answer = nav.takeAnswer();
  assert.equal(answer.request, request);
  assert.equal(answer.path.status, "complete");
  assert.equal(nav.takeAnswer(), null);
  assert.ok(nav.canStand(nav.randomInBox({ min: [0, 0, 0], max: [6, 3, 15] }, 4)));
  assert.ok(nav.canStand(nav.randomReachable([1, 1, 1], 5, 4)));
  assert.ok(nav.stats.bytes > 0);
  const asked = new BlockNav(BlockWorld.ofFunction((x, y) => (y <= 0 ? "solid" : "air")));
  assert.equal(asked.findPath([0, 1, 0], [5, 1, 5]).status, "complete");
  const throwing = new BlockNav(BlockWorld.ofFunction(() => { throw new RangeError("mine"); }));
  assert.throws(() => throwing.findPath([0, 1, 0], [5, 1, 5]), RangeError);
  const heights = new BlockNav(BlockWorld.ofHeights(8, new Int32Array(64).fill(2)));
  assert.deepEqual(heights.nearest([3, 4, 3], 4)?.length, 3);
});

test("a local grid", () => {
  const grid = new LocalGrid(32, 0.25);
  grid.recenter([10, 0, 10]);
  grid.block({ kind: "disc", center: [10, 0, 10], radius: 1, id: 7 }, 0.25);
  const path = grid.findPath([8, 0, 10], [12, 0, 10]);
  assert.equal(path.status, "complete");
  assert.ok(path.points.length > 6);
  assert.deepEqual([...grid.blockers([8, 0, 10], [12, 0, 10], 0.25)], [7]);
  assert.equal(grid.cells().length, grid.size ** 2);
  assert.ok(grid.cells().some((cell) => cell === 1));
});

test("bad input", () => {
  const nav = new BlockNav(world());
  const calls = [
    () => new BlockNav({}),
    () => new BlockNav(world(), { height: 0 }),
    () => new BlockNav(world(), { tall: 2 }),
    () => nav.findPath([0.5, 1, 1], [1, 1, 1]),
    () => nav.findPath([1, 1], [1, 1, 1]),
    () => nav.setCost(99, 1),
    () => world().set([0, 0, 0], "lava"),
    () => new LocalGrid(1000, 1),
    () => new LocalGrid(8, NaN),
    () => new LocalGrid(8, 1).block({ kind: "cone" }, 1),
    () => new LocalGrid(8, 1).block({ kind: "disc", center: [0, 0, 0], radius: -1 }, 1),
    () => new LocalGrid(8, 1).block({ kind: "box", center: [0, 0, 0], half: [1, NaN] }, 1),
    () => nav.takeAnswer.call(undefined),
  ];
  for (const call of calls.slice(0, -1)) assert.throws(call, WayfareError);
});
