// Crowds.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CostBounds,
  Crowd,
  Filter,
  Formation,
  Level,
  NavMesh,
  PathQueue,
  Pedestrians,
  Query,
  avoidVelocity,
  bake,
  init,
} from "wayfare";
import { room } from "./levels.mjs";

await init({ build: "full" });

const { mesh } = bake(new Level(room()), { agent: { radius: 0.4 }, cellSize: 0.2, cellHeight: 0.1 });
const METHODS = ["none", "sampled", "adaptive", "orca", "clearpath", "hrvo", "pedestrian"];

function walk(crowd, seconds) {
  const events = [];
  for (let tick = 0; tick < 30 * seconds; tick += 1) {
    crowd.step(1 / 30);
    events.push(...crowd.events());
  }
  return events;
}

for (const method of METHODS) {
  test(`agents arrive by ${method}`, () => {
    const crowd = new Crowd(mesh);
    const ids = [3, 5, 7, 9].map((z) => crowd.add([2, 0, z], { radius: 0.4, avoidance: method }));
    ids.forEach((id, index) => crowd.goTo(id, [17, 0, 3 + 2 * index]));
    const events = walk(crowd, 25);
    for (const id of ids) assert.equal(crowd.status(id), "arrived");
    assert.ok(events.some(({ kind }) => kind === "path-found"));
    assert.equal(events.filter(({ kind }) => kind === "arrived").length >= 4, true);
  });
}

test("state, as numbers and as arrays", () => {
  const crowd = new Crowd(mesh, { resolveRounds: 2 });
  const ids = [crowd.add([2, 0, 3]), crowd.add([5, 0, 3]), crowd.add([8, 0, 3])];
  assert.deepEqual(crowd.ids(), ids);
  assert.equal(crowd.size, 3);
  assert.deepEqual([...crowd], ids);
  crowd.goTo(ids[0], [4, 0, 12]);
  crowd.step(0.1);
  const positions = crowd.positions(new Float32Array(9));
  assert.deepEqual([...positions.subarray(0, 3)], crowd.position(ids[0]));
  assert.ok(crowd.remainingDistance(ids[0]) > 8);
  assert.equal(crowd.corners(ids[0]).at(-1).at, "end");
  assert.ok(crowd.corridor(ids[0]).length > 0);
  assert.ok(crowd.neighbours(ids[0]).length > 0);
  assert.equal(crowd.target(ids[0]).kind, "point");
  crowd.remove(ids[1]);
  assert.equal(crowd.has(ids[1]), false);
  const again = crowd.add([5, 0, 3]);
  assert.notEqual(again, ids[1]);
  assert.throws(() => crowd.position(ids[1]), { code: "stale-ref" });
  assert.equal(crowd.places().length, 3);
});

test("agents walk around obstacles that the mesh lacks", () => {
  const crowd = new Crowd(mesh);
  const id = crowd.add([2, 0, 3], { radius: 0.4 });
  crowd.goTo(id, [2, 0, 16]);
  crowd.setObstacles([{ kind: "box", center: [2, 0, 9], half: [2, 0.5], id: 7 }]);
  let [bends, widest] = [0, 0];
  for (let tick = 0; tick < 600; tick += 1) {
    crowd.step(1 / 30);
    if (crowd.localBend(id) !== null) bends += 1;
    widest = Math.max(widest, Math.abs(crowd.position(id)[0] - 2));
  }
  assert.ok(bends > 0 && widest > 1.5);
  assert.ok(crowd.position(id)[2] > 15);
  assert.equal(crowd.obstructedBy(id).length, 0);
  crowd.setObstacles([{ kind: "segment", a: [-1, 0, 9], b: [21, 0, 9], id: 9 }]);
  crowd.goTo(id, [2, 0, 3]);
  const told = walk(crowd, 15).filter(({ kind }) => kind === "obstructed");
  assert.ok(told.some(({ by }) => by === 9));
  assert.deepEqual([...crowd.obstructedBy(id)], [9]);
  crowd.setObstacles([]);
  walk(crowd, 20);
  assert.ok(crowd.position(id)[2] < 4);
  assert.throws(() => crowd.setObstacles([{ kind: "disc", center: [0, 0, 0], radius: NaN }]), { code: "invalid-argument" });
  assert.throws(() => crowd.setObstacles(3), { code: "invalid-argument" });
  assert.throws(() => crowd.setObstacles([null]), { code: "invalid-argument" });
});

test("a crowd and a queue planned with bounds", () => {
  const changed = NavMesh.fromBytes(mesh.toBytes());
  const bounds = new CostBounds(changed);
  const crowd = new Crowd(changed, { planner: bounds });
  const id = crowd.add([2, 0, 3], { radius: 0.4 });
  crowd.goTo(id, [17, 0, 15]);
  walk(crowd, 1);
  const loaded = Crowd.fromBytes(changed, crowd.toBytes(), [], bounds);
  walk(crowd, 25);
  walk(loaded, 25);
  assert.equal(crowd.status(id), "arrived");
  assert.deepEqual(loaded.positions(), crowd.positions());
  const [queue, query] = [new PathQueue(changed, bounds), new Query(changed)];
  const ticket = queue.request(query, [2, 0, 3], [17, 0, 15]);
  while (queue.pending > 0) queue.step(4);
  assert.equal(queue.take(ticket).path.cost, bounds.findPath(query, [2, 0, 3], [17, 0, 15]).cost);
  changed.removeTile(changed.tiles()[0]);
  const newer = new CostBounds(changed, new Filter());
  crowd.setBounds(newer);
  queue.setBounds(newer);
  assert.throws(() => new Crowd(changed).setBounds(newer), { code: "invalid-argument", message: /bounds/ });
  assert.throws(() => new PathQueue(changed, "astar").setBounds(newer), { code: "invalid-argument", message: /bounds/ });
  assert.throws(() => crowd.setBounds({}), { code: "invalid-argument" });
});

test("targets", () => {
  const crowd = new Crowd(mesh);
  const [leader, follower] = [crowd.add([2, 0, 3]), crowd.add([4, 0, 3])];
  crowd.walk(leader, [0, 0, 1]);
  crowd.follow(follower, leader);
  walk(crowd, 3);
  assert.ok(crowd.position(leader)[2] > 4);
  assert.equal(crowd.target(follower).agent, leader);
  crowd.stop(leader);
  crowd.chase(follower, new Query(mesh).findNearest([2, 0, 15]));
  crowd.pause(follower);
  crowd.teleport(leader, [16, 0, 16]);
  crowd.setVelocity(leader, [1, 0, 0]);
  crowd.step(0.1);
  assert.ok(crowd.position(leader)[0] > 15);
});

test("parameters by name, and those of methods", () => {
  const crowd = new Crowd(mesh);
  const id = crowd.add([2, 0, 3], {
    radius: 0.5,
    style: { name: "drunken", swing: 0.4 },
    avoidance: { weights: { horizon: 2 }, grid: 7, name: "sampled" },
    recovery: { squeeze: 0.5 },
    whenUnreachable: "go-near",
  });
  assert.equal(crowd.params(id).avoidance, "sampled");
  assert.equal(crowd.params(id).radius, 0.5);
  crowd.setParams(id, { maxSpeed: 2, avoidance: { name: "orca", solver: "clipping" } });
  assert.equal(crowd.params(id).maxSpeed, 2);
  assert.throws(() => crowd.setParams(id, { maxSped: 2 }), { code: "settings", message: /maxSped/ });
  assert.throws(() => crowd.setParams(id, { radius: -1 }), { code: "settings" });
  assert.throws(() => crowd.setParams(id, { avoidance: { name: "orca", grid: 3 } }), { code: "settings" });
  assert.throws(() => crowd.setParams(id, { avoidance: "magic" }), { code: "settings" });
});

test("phase by phase it is the same as in one call", () => {
  const make = () => {
    const crowd = new Crowd(mesh);
    const ids = [3, 5, 7].map((z) => crowd.add([2, 0, z]));
    ids.forEach((id) => crowd.goTo(id, [17, 0, 8]));
    return crowd;
  };
  const [whole, parts] = [make(), make()];
  for (let tick = 0; tick < 60; tick += 1) {
    whole.step(1 / 30);
    const names = [...parts.phases(1 / 30)];
    assert.equal(names.length, 10);
  }
  assert.deepEqual(parts.positions(), whole.positions());
});

test("saved in the middle, it goes on as it would have", () => {
  const crowd = new Crowd(mesh);
  const filter = new Filter({ exclude: 8 });
  crowd.addFilter(filter);
  const ids = [3, 5, 7].map((z) => crowd.add([2, 0, z], { filter: 1 }));
  ids.forEach((id) => crowd.goTo(id, [17, 0, 8]));
  walk(crowd, 2);
  const copy = Crowd.fromBytes(mesh, crowd.toBytes(), [filter]);
  walk(crowd, 2);
  walk(copy, 2);
  assert.deepEqual(copy.positions(), crowd.positions());
  assert.throws(() => Crowd.fromBytes(mesh, crowd.toBytes().slice(0, 40)), { code: "format" });
});

test("formations and pedestrians", () => {
  const crowd = new Crowd(mesh);
  const leader = crowd.add([5, 0, 5]);
  const stream = new Pedestrians(3);
  const members = [0, 1, 2, 3].map((at) => crowd.addPedestrian([4 + at, 0, 3], stream));
  const formation = new Formation(crowd, leader, Formation.block(4, 2, 1.2), members);
  crowd.goTo(leader, [5, 0, 15]);
  for (let tick = 0; tick < 300; tick += 1) {
    formation.lead();
    crowd.step(1 / 30);
  }
  for (const member of members) assert.ok(crowd.position(member)[2] > 9, String(crowd.position(member)));
  assert.ok(formation.toBytes().length > 0);
});

test("one agent's velocity, without a crowd", () => {
  const agent = { position: [0, 0], velocity: [1, 0], desired: [1, 0], radius: 0.5, maxSpeed: 1 };
  const other = { position: [2, 0.1], velocity: [-1, 0], radius: 0.5 };
  for (const method of METHODS.slice(1)) {
    const [, z] = avoidVelocity(method, agent, [other]);
    assert.ok(Number.isFinite(z), method);
  }
  assert.deepEqual(avoidVelocity("none", agent), [1, 0]);
});
