// Bakes, meshes, saves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BakeJob, Level, LevelCheckpoints, NavMesh, Obstacles, Query, bake, bakeAgents, bakeAsync, formatRef, init, isLoaded, parseRef, rebake, rebuildTiles, settingsWarnings, version } from "wayfare";
import { hills, room } from "./levels.mjs";

assert.equal(isLoaded(), false);
assert.throws(() => new Level(room()), { name: "WayfareError", code: "not-loaded" });
await init({ build: "full" });

/** The bytes of all tiles: what a mesh is, however often its tiles were replaced. */
function surface(mesh) {
  const tiles = Array.from(mesh.tiles(), (ref) => [mesh.tile(ref), Buffer.from(mesh.tileBytes(ref)).toString("base64")]);
  return tiles.map(([{ x, z, layer }, bytes]) => `${z},${x},${layer}: ${bytes}`).sort();
}

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125 };
const tiled = { ...settings, tileSize: 32 };

test("a level is baked in one call, with a report", () => {
  const { mesh, report, whyEmpty } = bake(new Level(room()), settings);
  assert.equal(whyEmpty, null);
  assert.equal(mesh.tileCount, 1);
  assert.equal(report.stats.polys, mesh.polys().length);
  assert.ok(report.stats.polyArea > 300 && report.stats.polyArea < 400, String(report.stats.polyArea));
  assert.deepEqual(mesh.check(), []);
  assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test("steps, progress and one call give the same bytes", async () => {
  const level = new Level(hills(40));
  const whole = bake(level, tiled).mesh.digest;
  const told = [];
  assert.equal(bake(level, tiled, { progress: (done, total) => void told.push([done, total]) }).mesh.digest, whole);
  assert.ok(told.length > 1);
  assert.equal(told.at(-1)[0], told.at(-1)[1]);
  const job = new BakeJob(level, tiled);
  while (!job.isFinished) job.step(5000);
  assert.equal(job.finish().mesh.digest, whole);
  assert.equal((await bakeAsync(level, tiled)).mesh.digest, whole);
});

test("a bake is cancelled by a signal, by progress, and by what progress throws", async () => {
  const level = new Level(hills(60));
  const aborter = new AbortController();
  let ticks = 0;
  const options = { signal: aborter.signal, slice: 1, progress: () => { if ((ticks += 1) === 2) aborter.abort(); } };
  await assert.rejects(bakeAsync(level, tiled, options), { code: "cancelled" });
  await assert.rejects(bakeAsync(level, tiled, { signal: AbortSignal.abort() }), { code: "cancelled" });
  assert.throws(() => bake(level, tiled, { progress: () => false }), { code: "cancelled" });
  assert.throws(() => bake(level, tiled, { progress: () => { throw new RangeError("mine"); } }), RangeError);
  assert.throws(() => bake(level, tiled, { memoryLimit: 1000 }), { code: "memory" });
});

test("several agents at once", () => {
  const level = new Level(room());
  const [small, large] = bakeAgents(level, [settings, { ...settings, agent: { radius: 1.5 } }]);
  assert.equal(small.mesh.digest, bake(level, settings).mesh.digest);
  assert.ok(large.report.stats.polyArea < small.report.stats.polyArea);
});

test("why nothing can be walked on", () => {
  const { positions, indices } = room();
  const down = new Level({ positions, indices: indices.slice(0, 6).reverse() });
  const { mesh, whyEmpty } = bake(down, settings);
  assert.equal(mesh.tileCount, 0);
  assert.match(whyEmpty, /faces/);
});

test("areas, volumes and terrain", () => {
  const level = new Level(room());
  level.addVolume({ kind: "cylinder", base: [5, -1, 5], radius: 2, height: 3, area: 7 });
  level.addVolume({ kind: "box", min: [14, -1, 14], max: [18, 2, 18] });
  const { mesh } = bake(level, settings);
  const query = new Query(mesh, { reach: [0.5, 1, 0.5] });
  assert.equal(mesh.area(query.findNearest([5, 0, 5]).poly), 7);
  assert.equal(query.findNearest([16, 0, 16]), null);
  const samples = Uint16Array.from({ length: 17 * 17 }, (_, index) => (index % 17) * 4);
  const terrain = new Level({ terrain: { columns: 17, rows: 17, samples, spacing: 1, step: 0.01 } });
  assert.equal(bake(terrain, settings).mesh.tileCount, 1);
});

test("a level in another frame", () => {
  const { positions, indices } = room();
  const unreal = Float32Array.from(positions, (_, at) => {
    const [x, y, z] = positions.subarray(at - (at % 3), at - (at % 3) + 3);
    return 100 * [x, z, y][at % 3];
  });
  // There, triangles turn the other way.
  const level = new Level({ positions: unreal, indices: indices.slice().reverse(), frame: { up: "z", handedness: "left", unit: 0.01 } });
  assert.ok(Math.abs(level.bounds.max[1] - 3) < 1e-5, String(level.bounds.max));
  assert.equal(bake(level, settings).mesh.tileCount, 1);
});

test("saved and loaded, also by way of Detour", () => {
  const { mesh } = bake(new Level(room()), tiled);
  mesh.setAreas([{ area: 1, name: "water", cost: 8 }]);
  mesh.setSection("game.state", 3, Uint8Array.of(1, 2, 3));
  const copy = NavMesh.fromBytes(mesh.toBytes());
  assert.equal(copy.digest, mesh.digest);
  assert.deepEqual(copy.areas(), [{ area: 1, name: "water", cost: 8 }]);
  assert.deepEqual(copy.section("game.state"), { version: 3, bytes: Uint8Array.of(1, 2, 3) });
  assert.deepEqual(copy.sectionNames(), ["game.state"]);
  const detour = NavMesh.fromBytes(mesh.toDetour(64));
  assert.equal(detour.tileCount, mesh.tileCount);
  const poly = mesh.polys()[0];
  assert.equal(mesh.fromDetourRef(mesh.toDetourRef(poly, 64), 64), poly);
  assert.equal(parseRef(formatRef(poly)), poly);
});

test("tiles and polygons", () => {
  const { mesh } = bake(new Level(room()), tiled);
  const tile = mesh.tile(mesh.tiles()[0]);
  assert.equal(mesh.tileAt(tile.x, tile.z).ref, tile.ref);
  const poly = mesh.poly(mesh.polys(tile.ref)[0]);
  assert.ok(poly.points.length >= 9 && mesh.isValid(poly.ref));
  const next = poly.neighbours[0];
  if (next !== undefined) assert.equal(mesh.portalBetween(poly.ref, next).length, 2);
  const before = surface(mesh);
  const version = mesh.version();
  const bytes = mesh.removeTile(tile.ref);
  assert.throws(() => mesh.tile(tile.ref), { code: "stale-ref" });
  assert.throws(() => mesh.flags(poly.ref), { code: "stale-ref" });
  mesh.addTile(bytes);
  assert.deepEqual(surface(mesh), before);
  assert.ok(mesh.changesSince(version).some(({ kind }) => kind === "tile-removed"));
});

test("flags, areas and deltas", () => {
  const { mesh } = bake(new Level(room()), settings);
  const [poly] = mesh.polys();
  mesh.setFlags(poly, 5);
  mesh.setArea(poly, 9);
  const delta = mesh.storeDelta();
  const fresh = bake(new Level(room()), settings).mesh;
  fresh.restoreDelta(delta);
  assert.equal(fresh.flags(fresh.polys()[0]), 5);
  assert.equal(fresh.area(fresh.polys()[0]), 9);
  const copy = mesh.clone();
  copy.setFlags(poly, 1);
  assert.equal(mesh.flags(poly), 5);
});

test("connections", () => {
  const { mesh } = bake(new Level(room()), settings);
  const ref = mesh.addConnection({ start: [8.5, 0, 4], end: [11.5, 0, 4], radius: 1, userId: 7 });
  const connection = mesh.connection(ref);
  assert.equal(connection.userId, 7);
  assert.notEqual(connection.startOnMesh, null);
  const path = new Query(mesh).findPath([5, 0, 4], [15, 0, 4]);
  assert.ok(path.length < 12 && [...path.polys].includes(ref));
  assert.equal(path.kindAt(1), "enter");
  assert.equal(path.polyAt(1), ref);
  mesh.removeConnection(ref);
  assert.throws(() => mesh.connection(ref), { code: "stale-ref" });
});

test("only what has changed is baked again", () => {
  const level = new Level(room());
  const first = bake(level, tiled, { keep: true });
  level.addVolume({ kind: "box", min: [1, -1, 1], max: [3, 2, 3] });
  const second = rebake(level, tiled, first.mesh);
  assert.ok(second.report.stats.reusedTiles > 0);
  assert.equal(second.mesh.digest, bake(level, tiled).mesh.digest);
  const count = rebuildTiles(level, tiled, first.mesh, { min: [1, -1, 1], max: [3, 2, 3] });
  assert.ok(count >= 1 && count < first.mesh.tileCount);
  assert.deepEqual(surface(first.mesh), surface(second.mesh));
});

test("obstacles come, move and go", () => {
  const level = new Level(room());
  const { mesh } = bake(level, tiled);
  const before = surface(mesh);
  const obstacles = new Obstacles(mesh, LevelCheckpoints.bake(level, tiled));
  const barrel = obstacles.add({ kind: "cylinder", base: [10, -0.5, 17], radius: 2, height: 2 });
  assert.equal(obstacles.lastOutcome, "waiting");
  while (!obstacles.step(2000));
  assert.equal(obstacles.lastOutcome, "built");
  assert.notDeepEqual(surface(mesh), before);
  const saved = obstacles.toBytes();
  obstacles.moveBy(barrel, [-3, 0, 0]);
  obstacles.step();
  assert.ok(obstacles.rebuilt().length > 0);
  obstacles.remove(barrel);
  obstacles.step();
  assert.deepEqual(surface(mesh), before);
  assert.throws(() => obstacles.remove(barrel), { code: "stale-ref" });
  assert.equal(Obstacles.fromBytes(mesh, LevelCheckpoints.bake(level, tiled), saved).count, 1);
});

test("tiles of geometry that changed wait for the level", () => {
  const level = new Level(room());
  const { mesh } = bake(level, tiled);
  const obstacles = new Obstacles(mesh, LevelCheckpoints.bake(level, tiled));
  obstacles.invalidate({ min: [1, -1, 1], max: [3, 2, 3] });
  assert.throws(() => obstacles.step(), { code: "rebuild", message: /useLevel/ });
  obstacles.useLevel(level);
  assert.ok(obstacles.step());
});

test("all obstacles go at once", () => {
  const level = new Level(room());
  const { mesh } = bake(level, tiled);
  const before = surface(mesh);
  const obstacles = new Obstacles(mesh, LevelCheckpoints.bake(level, tiled));
  const ids = [3, 6, 14].map((x) => obstacles.add({ kind: "cylinder", base: [x, -0.5, 17], radius: 1, height: 2 }));
  obstacles.step();
  assert.notDeepEqual(surface(mesh), before);
  assert.throws(() => obstacles.step(0), { code: "invalid-argument", message: /units/ });
  obstacles.clear();
  const tiles = obstacles.lastTiles();
  assert.ok(tiles.some((tile) => tile.x === 0) && tiles.some((tile) => tile.x > 0), JSON.stringify(tiles));
  assert.equal(obstacles.lastOutcome, "waiting");
  assert.equal(obstacles.count, 0);
  assert.deepEqual(obstacles.ids(), []);
  obstacles.step();
  assert.deepEqual(surface(mesh), before);
  for (const id of ids) assert.throws(() => obstacles.remove(id), { code: "stale-ref" });
  assert.ok(!ids.includes(obstacles.add({ kind: "cylinder", base: [3, -0.5, 17], radius: 1, height: 2 })));
});

test("an outdated clone is not published", () => {
  const { mesh } = bake(new Level(room()), tiled);
  const query = new Query(mesh);
  const [first, second, other] = [mesh.clone(), mesh.clone(), bake(new Level(room()), tiled).mesh];
  const [poly] = mesh.polys();
  first.setFlags(poly, 4);
  second.setFlags(poly, 8);
  mesh.publish(first);
  mesh.publish(mesh);
  for (const outdated of [second, other]) {
    assert.throws(() => mesh.publish(outdated), { code: "outdated", message: /clone\(\)/ });
    assert.ok(mesh.equals(first));
  }
  const again = mesh.clone();
  again.setFlags(poly, 8);
  mesh.publish(again);
  assert.equal(mesh.poly(poly).flags, 8);
  mesh.replace(second);
  assert.ok(mesh.equals(second));
  mesh.replace(mesh);
  mesh.replace(other);
  assert.ok(mesh.equals(other));
  assert.equal(query.findPath([2, 0, 2], [2, 0, 17]).status, "complete");
  for (const wrong of [undefined, "mesh", query]) {
    assert.throws(() => mesh.publish(wrong), { code: "invalid-argument" });
    assert.throws(() => mesh.replace(wrong), { code: "invalid-argument" });
  }
});

test("advice on settings", () => {
  assert.deepEqual(settingsWarnings({}), []);
  assert.ok(settingsWarnings({ cellSize: 5, cellHeight: 0.9, edgeMaxError: 40 }).length > 0);
});

test("geometry to draw", () => {
  const { mesh } = bake(new Level(room()), tiled);
  const geometry = mesh.geometry();
  assert.equal(geometry.positions.length, 9 * geometry.areas.length);
  assert.equal(geometry.polys.length, geometry.areas.length);
  assert.ok(geometry.tileEdges.length > 0);
  // Around the floor, and around the wall that stands in it.
  const whole = bake(new Level(room()), settings).mesh.geometry();
  const length = (lines) => {
    let sum = 0;
    for (let at = 0; at < lines.length; at += 6) sum += Math.hypot(lines[at] - lines[at + 3], lines[at + 2] - lines[at + 5]);
    return sum;
  };
  assert.ok(Math.abs(length(whole.walls) - 4 * 19 - 2 * 14) < 4, String(length(whole.walls)));
});
