// A level that changes, and the mesh that follows it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AutoLinks, Crowd, Level, LevelCheckpoints, LiveLevel, NavMesh, Obstacles, Query, bake, init } from "wayfare";
import { room } from "./levels.mjs";

await init({ build: "full" });

/** The bytes of all tiles: what a mesh is, however often its tiles were replaced. */
function surface(mesh) {
  return Array.from(mesh.tiles(), (ref) => Buffer.from(mesh.tileBytes(ref)).toString("base64")).sort();
}

const bounds = { min: [0, -2, 0], max: [20, 6, 20] };
const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 32, bounds };
const wall = { positions: [0, 0, 0, 0, 0, 6, 0, 3, 6, 0, 3, 0], indices: [0, 1, 2, 0, 2, 3] };
const barrel = { kind: "cylinder", base: [15, -0.5, 10], radius: 2, height: 2 };
const [start, goal] = [[5, 0, 5], [15, 0, 5]];

test("a level is baked in steps, and follows its changes", () => {
  const level = new Level(room());
  const plain = bake(level, settings).mesh;
  const live = LiveLevel.of(level, settings);
  const { mesh } = live;
  assert.equal(mesh.tileCount, 0);
  assert.equal(live.progress.stage, "tiles");
  assert.ok(live.aboutToChange().length > 0);
  let steps = 0;
  while (!live.step(20_000)) steps += 1;
  assert.ok(steps > 1);
  assert.equal(mesh.digest, plain.digest);
  assert.equal(live.mesh, mesh);
  assert.equal(live.progress.done, live.progress.total);

  const query = new Query(mesh);
  assert.equal(query.findPath(start, goal).status, "complete");
  const [object, obstacle] = [live.addObject(wall, [10, 0, 14]), live.addObstacle(barrel)];
  assert.deepEqual(live.objects(), [object]);
  assert.deepEqual(live.obstacles(), [obstacle]);
  assert.deepEqual(live.obstacleBounds(obstacle).min, [13, -0.5, 8]);
  const seen = mesh.version();
  live.announce();
  assert.ok(mesh.changesSince(seen) !== null);
  assert.ok(live.step());
  assert.ok(live.rebuilt().length > 0);
  assert.ok(live.step());
  assert.deepEqual(live.rebuilt(), []); // of the last step, which had nothing to do
  assert.equal(query.findPath(start, goal).status, "partial");
  const shape = room();
  const first = shape.positions.length / 3;
  const whole = new Level({
    positions: [...shape.positions, ...wall.positions.map((at, i) => at + [10, 0, 14][i % 3])],
    indices: [...shape.indices, ...wall.indices.map((corner) => corner + first)],
  });
  whole.addVolume(barrel);
  assert.deepEqual(surface(mesh), surface(bake(whole, settings).mesh));

  // Flags that are set between steps stay, on tiles that stay.
  const { poly } = query.findNearest([1, 0, 1]);
  mesh.setFlags(poly, 4);
  live.moveObstacleBy(obstacle, [0, 0, 3]);
  live.moveObject(object, [10, 0, 30]);
  live.step();
  assert.equal(mesh.poly(poly).flags, 4);
  mesh.setFlags(poly, 1);
  assert.equal(query.findPath(start, goal).status, "complete");
  live.replaceObstacle(obstacle, { ...barrel, area: 7 });
  live.step();
  live.removeObstacle(obstacle);
  live.removeObject(object);
  live.replaceTriangles(level);
  live.step();
  assert.deepEqual(surface(mesh), surface(plain));
  assert.throws(() => live.removeObstacle(obstacle), { code: "stale-ref" });
  assert.throws(() => live.moveObject(object, [0, 0, 0]), { code: "stale-ref" });
});

test("a level is saved beside its mesh", () => {
  const level = new Level(room());
  const live = LiveLevel.of(level, settings);
  live.addObstacle(barrel);
  live.step();
  const stale = live.mesh.clone();
  live.store();
  live.mesh.publish(stale); // which has nothing beside it
  const bytes = live.mesh.toBytes();
  const loaded = LiveLevel.stored(NavMesh.fromBytes(bytes), { level });
  assert.equal(loaded.mesh.digest, live.mesh.digest);
  const [obstacle] = loaded.obstacles();
  loaded.removeObstacle(obstacle);
  loaded.addObject(wall, [10, 0, 14]);
  loaded.step();
  assert.equal(new Query(loaded.mesh).findPath(start, goal).status, "partial");
  const bare = LiveLevel.stored(NavMesh.fromBytes(bytes));
  bare.removeObstacle(bare.obstacles()[0]);
  bare.step();
  assert.deepEqual(surface(bare.mesh), surface(bake(level, settings).mesh));
  assert.throws(() => bare.addObject(wall), { code: "invalid-argument", message: /`level`/ });
  assert.throws(() => LiveLevel.stored(NavMesh.fromBytes(bytes), { links: {} }), { code: "invalid-argument", message: /level/ });
  assert.throws(() => LiveLevel.stored(bake(level, settings).mesh), { code: "invalid-argument", message: /layers/ });
  bare.mesh.replace(bake(level, { ...settings, tileSize: 48 }).mesh);
  bare.addObstacle(barrel);
  assert.throws(() => bare.step(), { code: "rebuild", message: /layout/ });
});

test("links are kept up with the level", () => {
  const floor = { positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const live = LiveLevel.of(new Level(floor), settings, { links: {} });
  assert.ok(live.step());
  assert.deepEqual(live.links(), []);
  assert.equal(live.progress.stage, "links");
  const block = { positions: [6, 2, 6, 14, 2, 6, 14, 2, 14, 6, 2, 14], indices: [0, 2, 1, 0, 3, 2] };
  const object = live.addObject(block);
  while (!live.step(20_000));
  const links = live.links();
  const now = new Level({
    positions: [...floor.positions, ...block.positions],
    indices: [...floor.indices, ...block.indices.map((corner) => corner + 4)],
  });
  const everywhere = new AutoLinks(now, settings, bake(now, settings).mesh).list();
  assert.ok(links.length > 0);
  const byId = (list) => [...list].sort((a, b) => a.userId - b.userId);
  assert.deepEqual(byId(links), byId(everywhere));
  assert.equal(live.mesh.connections().length, links.length);
  const crowd = new Crowd(live.mesh);
  const agent = crowd.add([10, 2, 10]);
  crowd.goTo(agent, [2, 0, 2]);
  for (let frame = 0; frame < 600 && crowd.position(agent)[1] > 1; frame += 1) crowd.step(1 / 30);
  assert.ok(crowd.position(agent)[1] < 1, String(crowd.position(agent)));
  live.removeObject(object);
  live.step();
  assert.deepEqual(live.links(), []);
  assert.equal(live.mesh.connections().length, 0);
});

test("what a live level cannot begin with", () => {
  const level = new Level(room());
  level.addVolume(barrel);
  const live = LiveLevel.of(new Level(room()), settings);
  assert.throws(() => live.replaceTriangles(level), { code: "invalid-argument", message: /addObstacle/ });
  assert.throws(() => live.step(0), { code: "invalid-argument", message: /units/ });
  assert.throws(() => live.replaceTriangles(land(false)), { code: "invalid-argument", message: /replaceTerrain/ });
});

/** A height map of 20 by 20 metres, with a pit in it or without, and a volume that blocks. */
function land(hasPit) {
  const samples = new Uint16Array(21 * 21).fill(20);
  if (hasPit) for (const z of [2, 3, 4]) samples.fill(0, 21 * z + 2, 21 * z + 5);
  const level = new Level({ terrain: { columns: 21, rows: 21, samples, spacing: 1, step: 0.1 } });
  level.addVolume({ kind: "cylinder", base: [15, 0, 15], radius: 2, height: 6 });
  return level;
}

test("what is stored beside a mesh of another agent is refused", () => {
  const store = (radius) => {
    const live = LiveLevel.of(new Level(room()), { ...settings, agent: { ...settings.agent, radius } });
    live.step();
    live.store();
    return live.mesh;
  };
  const [narrow, wide] = [store(0.5), store(1)];
  for (const name of wide.sectionNames()) {
    const { version, bytes } = wide.section(name);
    narrow.setSection(name, version, bytes);
  }
  const another = { code: "invalid-argument", message: /agent\.radius/ };
  assert.throws(() => LiveLevel.stored(narrow, { level: new Level(room()) }), another);
  assert.throws(() => LiveLevel.stored(narrow), another);
  LiveLevel.stored(wide, { level: new Level(room()) }).step();
});

test("obstacles rebuild from all of a level, and go over to another with their objects", () => {
  const level = land(false);
  const { mesh } = bake(level, settings);
  const before = surface(mesh);
  const obstacles = new Obstacles(mesh, LevelCheckpoints.bake(level, settings));
  assert.throws(() => obstacles.addObject(wall), { code: "invalid-argument", message: /useLevel/ });
  obstacles.useLevel(level);
  const [first, second] = [obstacles.addObject(wall, [10, 2, 14]), obstacles.addObject(wall, [2, 2, 14])];
  obstacles.step();
  obstacles.removeObject(first);
  obstacles.useLevel(land(true));
  assert.ok(obstacles.aboutToChange().length > 0);
  assert.throws(() => obstacles.moveObject(first, [0, 0, 0]), { code: "stale-ref" });
  obstacles.moveObject(second, [4, 2, 14]);
  obstacles.removeObject(second);
  obstacles.step();
  assert.deepEqual(surface(mesh), surface(bake(land(true), settings).mesh));
  obstacles.useLevel(level);
  obstacles.step();
  assert.deepEqual(surface(mesh), before);
});

test("terrain is dug, and volumes of the level stay", () => {
  const live = LiveLevel.of(land(false), settings);
  live.step();
  assert.deepEqual(surface(live.mesh), surface(bake(land(false), settings).mesh));
  live.replaceTerrain(land(true));
  live.step();
  assert.ok(live.rebuilt().length > 0 && live.rebuilt().length < 4, String(live.rebuilt().length));
  assert.deepEqual(surface(live.mesh), surface(bake(land(true), settings).mesh));
  live.addObject(wall, [10, 2, 14]);
  live.step();
  live.store();
  const loaded = LiveLevel.stored(NavMesh.fromBytes(live.mesh.toBytes()), { level: land(true) });
  loaded.replaceTerrain(new Level(room()));
  loaded.step();
  assert.equal(loaded.mesh.tileCount, 0);
});
