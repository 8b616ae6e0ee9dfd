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
  const corridor = nav.corridor([1.5, 1, 1.5], [14, 1, 2]);
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
  for (const at of [[2, 2, 2], [3, 3, 3], [3, 2, 3]]) assert.equal(made.get(at), "solid");
  assert.equal(made.get([4, 3, 3]), "air");
});

test("a corridor is walked", () => {
  const nav = new BlockNav(world());
  const corridor = nav.corridor([1.5, 1, 1.5], [14, 1, 2]);
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

/** Walks to the end, and asks for a path where one is needed. */
function walk(corridor, nav) {
  for (let step = 0; step < 400 && !corridor.hasArrived; step += 1) {
    if (corridor.ask()) nav.update();
    corridor.follow();
    const [[x, y, z], [tx, ty, tz]] = [corridor.position, corridor.target];
    const length = Math.hypot(tx - x, ty - y, tz - z) || 1;
    const by = Math.min(1, 0.3 / length);
    corridor.walk([x + by * (tx - x), y + by * (ty - y), z + by * (tz - z)]);
  }
}

test("a corridor asks for its paths, and follows them", () => {
  const blocks = world();
  const nav = new BlockNav(blocks);
  const corridor = nav.corridor([1.5, 1, 1.5], [14, 1, 2], { search: false });
  assert.equal(corridor.path.status, "none");
  assert.deepEqual(corridor.target, corridor.position);
  assert.equal(corridor.follow(), false);
  assert.equal(corridor.ask(), true);
  assert.equal(corridor.ask(), true);
  assert.equal(nav.waiting, 1);
  assert.equal(corridor.follow(), false);
  assert.throws(() => nav.update(0), { code: "invalid-argument", message: /nodes/ });
  nav.update();
  assert.equal(nav.takeAnswer(), null);
  assert.equal(corridor.follow(), true);
  assert.equal(corridor.follow(), false);
  assert.equal(corridor.path.length, nav.findPath([1, 1, 1], [14, 1, 2]).length);
  assert.equal(corridor.ask(), false);
  // In the way of it.
  blocks.fill({ min: [7, 1, 9], max: [7, 2, 9] }, "solid");
  blocks.fill({ min: [7, 1, 12], max: [7, 2, 12] }, "air");
  nav.invalidate({ min: [7, 1, 9], max: [7, 2, 12] });
  walk(corridor, nav);
  assert.ok(corridor.hasArrived, String(corridor.position));
  assert.equal(corridor.ask(), false);
  // One that is gone while its request waits, beside one of the page.
  const other = nav.corridor([1.5, 1, 1.5], [14, 1, 2], { search: false });
  assert.ok(other.ask());
  const request = nav.ask([1, 1, 1], [2, 1, 2]);
  other.dispose();
  nav.update();
  assert.equal(nav.takeAnswer().request, request);
  assert.equal(nav.takeAnswer(), null);
  assert.equal(nav.corridor([1, 60, 1], [14, 1, 2], { search: false }), null);
});

test("a corridor's request survives a page's function that throws", () => {
  const ground = (y) => (y <= 0 ? "solid" : "air");
  let broken = false;
  const kindAt = (x, y) => {
    if (broken) throw new RangeError("mine");
    return ground(y);
  };
  const nav = new BlockNav(BlockWorld.ofFunction(kindAt));
  const corridor = nav.corridor([0.5, 1, 0.5], [5, 1, 5], { search: false });
  broken = true;
  assert.throws(() => corridor.ask(), RangeError);
  broken = false;
  assert.equal(corridor.ask(), true);
  broken = true;
  assert.throws(() => nav.update(), RangeError);
  assert.equal(corridor.follow(), false);
  broken = false;
  nav.update();
  assert.equal(corridor.follow(), true);
  assert.equal(corridor.path.status, "complete");
});

test("cells of a local grid, one by one and all at once", () => {
  const grid = new LocalGrid(32, 0.25);
  const blocked = () => [...grid.cells()].flatMap((cell, at) => (cell === 1 ? [at] : []));
  grid.setBlocked(5, 9);
  grid.setBlocked(31, 0);
  assert.deepEqual(blocked(), [31, 9 * 32 + 5]);
  grid.setBlocked(5, 9, false);
  assert.deepEqual(blocked(), [31]);
  grid.recenter([10, 0, 10]);
  const cells = new Uint8Array(32 * 32).fill(7, 16 * 32, 16 * 32 + 28);
  grid.setCells(cells);
  assert.deepEqual(blocked(), Array.from({ length: 28 }, (_, x) => 16 * 32 + x));
  assert.ok(grid.findPath([10, 0, 9], [10, 0, 12]).points.length > 6);
  for (const call of [
    () => grid.setBlocked(32, 0),
    () => grid.setBlocked(0, -1),
    () => grid.setBlocked(0.5, 0),
    () => grid.setCells(new Uint8Array(31)),
    () => grid.setCells([1, 2]),
  ]) assert.throws(call, { name: "WayfareError", code: "invalid-argument" });
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
