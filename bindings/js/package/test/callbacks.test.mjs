// What a function of the page throws is thrown by the call that asked it, and by no other.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Corridor, CostMap, Crowd, Filter, Formation, Level, PathQueue, Query, Random, bake, init } from "wayfare";
import { BlockNav, BlockWorld, init as initBlocks } from "wayfare/blocks";
import { ClearanceMesh, TileGraph, findOptimalLengths, findOptimalPath } from "wayfare/full";
import { room } from "./levels.mjs";

await init({ build: "full" });
before(() => initBlocks());

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 48 };
const level = new Level(room());
const { mesh } = bake(level, settings);
const [LEFT, RIGHT] = [[2, 0, 2], [18, 0, 3]];
const place = new Query(mesh).findNearest(LEFT);
const goal = new Query(mesh).findNearest(RIGHT);

/** A filter that throws while it is angry. */
function moody() {
  const mood = { isAngry: false };
  const answer = (value) => {
    if (mood.isAngry) throw new RangeError("mine");
    return value;
  };
  mood.filter = new Filter().withCustom({ passes: () => answer(true), cost: (step) => answer(step.cost) });
  return mood;
}

/** Whatever a call gives, in a form that compares. */
function plain(value) {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return String(part);
    return ArrayBuffer.isView(part) ? Array.from(part, String) : part;
  });
}

const CALLS = {
  findPath: (query) => query.findPath(LEFT, RIGHT).points,
  findPaths: (query) => query.findPaths([LEFT], [RIGHT]).points,
  findPathToNearest: (query) => query.findPathToNearest(LEFT, [RIGHT]).path.points,
  findPathToBox: (query) => query.findPathToBox(LEFT, { min: [17, -1, 2], max: [19, 1, 4] }).points,
  isReachable: (query) => query.isReachable(LEFT, RIGHT),
  isReachableMany: (query) => query.isReachableMany([LEFT], [RIGHT]),
  explainPath: (query) => query.explainPath(LEFT, RIGHT),
  findNearest: (query) => query.findNearest(LEFT),
  findNearestMany: (query) => query.findNearestMany([LEFT]),
  raycast: (query) => query.raycast(LEFT, RIGHT),
  raycastMany: (query) => query.raycastMany([LEFT], [RIGHT]),
  moveAlong: (query) => query.moveAlong(LEFT, RIGHT),
  moveAlongMany: (query) => query.moveAlongMany([LEFT], [RIGHT]),
  wallDistances: (query) => query.wallDistances([LEFT], 30),
  polysAround: (query) => query.polysAround(LEFT, 4),
  polysInShape: (query) => query.polysInShape(LEFT, [[0, 0, 0], [0, 0, 5], [5, 0, 5], [5, 0, 0]]),
  neighbourhood: (query) => query.neighbourhood(LEFT, 4),
  polysInBox: (query) => query.polysInBox({ min: [0, -1, 0], max: [9, 1, 9] }),
  nearestWall: (query) => query.nearestWall(LEFT, 30),
  walls: (query) => query.walls(place.poly),
  randomPoint: (query) => query.randomPoint(new Random(1)),
  randomPoints: (query) => query.randomPoints(new Random(1), 3),
  randomPointAround: (query) => query.randomPointAround(LEFT, 4, new Random(1)),
  CostMap: (query) => new CostMap(query, place).pathTo(goal).points,
  Corridor: (query) => new Corridor(query, place).moveStart([2, 0, 18]),
  PathQueue: (query) => new PathQueue(mesh).request(query, LEFT, RIGHT),
  findOptimalPath: (query) => findOptimalPath(query, LEFT, RIGHT).path.points,
  findOptimalLengths: (query) => findOptimalLengths(query, [LEFT], [RIGHT]),
  TileGraph: (query) => new TileGraph(mesh).findPath(query, LEFT, RIGHT).path.points,
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} throws what its filter throws`, () => {
    const mood = moody();
    const query = new Query(mesh, { filter: mood.filter });
    mood.isAngry = true;
    assert.throws(() => call(query), RangeError);
    mood.isAngry = false;
    // Nothing is left of it: the same question has the answer of a filter that never threw.
    const calm = new Query(mesh, { filter: new Filter().withCustom({ passes: () => true, cost: (step) => step.cost }) });
    assert.equal(plain(call(query)), plain(call(calm)));
  });
}

test("so do crowds, and meshes that are cut", () => {
  const mood = moody();
  const crowd = new Crowd(mesh);
  const filter = crowd.addFilter(mood.filter);
  mood.isAngry = true;
  assert.throws(() => crowd.add(LEFT, { filter }), RangeError);
  assert.equal(crowd.size, 0);
  assert.throws(() => new ClearanceMesh(mesh, 0.8, mood.filter), RangeError);
  mood.isAngry = false;
  const agent = crowd.add(LEFT, { filter });
  mood.isAngry = true;
  assert.throws(() => crowd.goTo(agent, RIGHT), RangeError);
  assert.throws(() => crowd.teleport(agent, RIGHT), RangeError);
  const members = [4, 5, 6, 7].map((x) => crowd.add([x, 0, 4]));
  const formation = new Formation(crowd, agent, [[15, 0], [-15, 0], [0, 15], [0, -15]], members);
  assert.throws(() => formation.lead(), RangeError);
  mood.isAngry = false;
  crowd.goTo(agent, RIGHT);
  crowd.step(0.1);
  mood.isAngry = true;
  assert.throws(() => crowd.setCosts(filter, mood.filter), RangeError);
  mood.isAngry = false;
  crowd.step(0.1);
});

/** A filter that asks functions of the page, and throws once if it is told to. */
function once() {
  const mood = { throws: false };
  const cost = (step) => {
    if (!mood.throws) return step.cost;
    mood.throws = false;
    throw new RangeError("mine");
  };
  mood.filter = new Filter().withCustom({ cost });
  return mood;
}

const CALM = () => new Filter().withCustom({ cost: (step) => step.cost });

for (const planner of ["astar", "flow", "optimal", "hierarchical"]) {
  test(`a queue with ${planner} asks again what was at work when a filter threw`, () => {
    const mood = once();
    const query = new Query(mesh, { filter: mood.filter });
    const calm = new Query(mesh, { filter: CALM() });
    const answer = (asked) => {
      const queue = new PathQueue(mesh, planner);
      const early = queue.request(query, [3, 0, 3], [4, 0, 4]);
      queue.step();
      const tickets = [RIGHT, [4, 0, 4], [18, 0, 18]].map((to) => queue.request(asked, LEFT, to));
      if (asked === query) {
        mood.throws = true;
        assert.throws(() => queue.step(), RangeError);
        assert.ok(!mood.throws && queue.pending === 3, String(queue.pending));
      }
      queue.step();
      return [early, ...tickets].map((ticket) => plain(queue.take(ticket)));
    };
    assert.deepEqual(answer(query), answer(calm));
  });
}

test("a tick in which a filter throws has not happened", () => {
  const walkers = (filter) => {
    const crowd = new Crowd(mesh);
    const which = crowd.addFilter(filter);
    for (const x of [2, 3, 4]) crowd.goTo(crowd.add([x, 0, 2], { filter: which }), RIGHT);
    return crowd;
  };
  const mood = once();
  const [crowd, calm] = [walkers(mood.filter), walkers(CALM())];
  const state = (each) => plain([each.positions(), each.velocities(), each.ids().map((agent) => each.status(agent))]);
  for (let tick = 0; tick < 40; tick += 1) {
    if (tick % 10 === 0) {
      const before = state(crowd);
      mood.throws = true;
      assert.throws(() => (tick % 20 === 0 ? crowd.step(0.1) : [...crowd.phases(0.1)]), RangeError);
      assert.equal(state(crowd), before);
    }
    crowd.step(0.1);
    calm.step(0.1);
    assert.equal(state(crowd), state(calm), String(tick));
  }
});

test("cost maps and corridors are as they were before a filter threw", () => {
  const mood = once();
  const query = new Query(mesh, { filter: mood.filter });
  const map = new CostMap(query, place);
  const cost = map.costTo(goal.poly);
  assert.ok(cost > 0);
  mood.throws = true;
  assert.throws(() => map.update(goal), RangeError);
  assert.equal(map.costTo(goal.poly), cost);
  const barred = { isAngry: false };
  const passes = () => {
    if (barred.isAngry) throw new RangeError("mine");
    return true;
  };
  const asked = new Query(mesh, { filter: new Filter().withCustom({ passes }) });
  const corridor = new Corridor(asked, place);
  corridor.follow(asked.findPath(place, goal));
  const { polys } = corridor;
  barred.isAngry = true;
  assert.throws(() => corridor.repair(), RangeError);
  assert.throws(() => corridor.moveStart([2, 0, 18]), RangeError);
  assert.throws(() => corridor.moveEnd([2, 0, 18]), RangeError);
  barred.isAngry = false;
  assert.deepEqual(corridor.polys, polys);
  assert.equal(corridor.repair().outcome, "whole");
});

test("a query without a filter follows what its mesh takes over", () => {
  const own = mesh.clone();
  const query = new Query(own);
  const line = [[2, 0, 2], [2, 0, 12]];
  const usual = query.findPath(...line).cost;
  const mud = [{ area: own.area(place.poly), name: "mud", cost: 50 }];
  const copy = own.clone();
  copy.setAreas(mud);
  own.publish(copy);
  assert.ok(query.findPath(...line).cost > 40 * usual);
  own.replace(mesh);
  assert.equal(query.findPath(...line).cost, usual);
});

test("a query without a filter asks at the costs that the mesh has", () => {
  const own = mesh.clone();
  const query = new Query(own);
  const chosen = new Query(own, { filter: Filter.ofMesh(own) });
  const queue = new PathQueue(own);
  const line = [[2, 0, 2], [2, 0, 12]];
  const usual = query.findPath(...line).cost;
  own.setAreas([{ area: own.area(place.poly), name: "mud", cost: 50 }]);
  const near = (cost, factor) => assert.ok(Math.abs(cost - factor * usual) < 0.01 * factor * usual, `${cost}`);
  near(query.findPath(...line).cost, 50);
  near(findOptimalPath(query, ...line).path.cost, 50);
  const ticket = queue.request(query, ...line);
  queue.step();
  near(queue.take(ticket).path.cost, 50);
  near(chosen.findPath(...line).cost, 1);
  own.setAreas([]);
  near(query.findPath(...line).cost, 1);
  query.setFilter(Filter.ofMesh(own));
  own.setAreas([{ area: own.area(place.poly), name: "mud", cost: 50 }]);
  near(query.findPath(...line).cost, 1);
});

test("numbers of what is gone are not used for another", () => {
  const query = new Query(mesh);
  const queue = new PathQueue(mesh);
  const seen = new Set();
  for (let round = 0; round < 50; round += 1) {
    const tickets = [0, 1, 2].map(() => queue.request(query, LEFT, RIGHT));
    for (const ticket of tickets) {
      assert.ok(Number.isSafeInteger(ticket.number) && !seen.has(ticket.number));
      seen.add(ticket.number);
    }
    queue.cancel(tickets[1]);
    assert.throws(() => queue.state(tickets[1]), { code: "stale-ref" });
    queue.step();
    for (const ticket of [tickets[0], tickets[2]]) assert.ok(queue.take(ticket).path.isComplete);
    assert.throws(() => queue.take(tickets[0]), { code: "stale-ref" });
  }
});

test("worlds of blocks that a function holds", () => {
  const mood = { isAngry: false };
  const floor = (x, y) => {
    if (mood.isAngry) throw new RangeError("mine");
    return y <= 0 ? "solid" : "air";
  };
  const world = BlockWorld.ofFunction(floor);
  const calls = {
    get: () => world.get([0, 0, 0]),
    findPath: (nav) => nav.findPath([0, 1, 0], [5, 1, 5]).status,
    pathExists: (nav) => nav.pathExists([0, 1, 0], [5, 1, 5]),
    nearest: (nav) => nav.nearest([0, 1, 0], 3),
    canStand: (nav) => nav.canStand([0, 1, 0]),
    randomInBox: (nav) => nav.randomInBox({ min: [0, 0, 0], max: [5, 3, 5] }, 1),
    randomReachable: (nav) => nav.randomReachable([0, 1, 0], 4, 1),
    corridor: (nav) => nav.corridor([0.5, 1, 0.5], [5, 1, 5])?.path.status,
  };
  for (const [name, call] of Object.entries(calls)) {
    const nav = new BlockNav(world);
    mood.isAngry = true;
    assert.throws(() => call(nav), RangeError, name);
    mood.isAngry = false;
    // What was built while it threw is built again.
    assert.deepEqual(call(nav), call(new BlockNav(world)), name);
  }
  const nav = new BlockNav(world);
  const corridor = nav.corridor([0.5, 1, 0.5], [5, 1, 5]);
  mood.isAngry = true;
  assert.throws(() => corridor.walk([1, 1, 1]), RangeError);
  nav.invalidate({ min: [0, 0, 0], max: [5, 3, 5] });
  assert.throws(() => corridor.refresh(), RangeError);
  mood.isAngry = false;
  assert.ok(corridor.refresh());
  // A request that was at work waits again.
  const fresh = new BlockNav(world);
  const [first, second] = [fresh.ask([0, 1, 0], [5, 1, 5]), fresh.ask([0, 1, 0], [3, 1, 3])];
  assert.ok(fresh.withdraw(second) && !fresh.withdraw(second));
  mood.isAngry = true;
  assert.throws(() => fresh.update(), RangeError);
  mood.isAngry = false;
  assert.equal(fresh.takeAnswer(), null);
  fresh.update();
  const answer = fresh.takeAnswer();
  assert.deepEqual([answer.request, answer.path.status], [first, "complete"]);
});
