// The package itself: its types, its builds, its threads.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AutoLinks, Crowd, Level, Query, Random, bake, hasSimd, init } from "wayfare";
import { findOptimalPath } from "wayfare/full";
import { createPool } from "wayfare/pool";
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, Object3D, PlaneGeometry } from "three";
import { crowdToInstances, levelFromObject, navMeshToGeometry, navMeshToObject, pathToLine, pathToVectors } from "wayfare/three";
import { hills, room } from "./levels.mjs";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 32 };

await init();

test("no public type is any", () => {
  for (const name of readdirSync(DIST).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(`${DIST}${name}`, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "");
    assert.doesNotMatch(text, /\bany\b/, name);
  }
});

test("the core says what it leaves out", () => {
  const level = new Level(room());
  const { mesh } = bake(level, settings);
  const calls = [
    () => new AutoLinks(level, settings, mesh),
    () => mesh.toDetour(),
    () => mesh.check(),
    () => new Crowd(mesh, { planner: "hierarchical" }),
    () => new Crowd(mesh).toBytes(),
    () => bake(level, settings, { keep: true }),
    () => findOptimalPath(new Query(mesh), [1, 0, 1], [2, 0, 2]),
  ];
  for (const call of calls) assert.throws(call, { code: "not-in-this-build", message: /full/ });
});

test("the core and the full build cannot both be loaded", async () => {
  await init();
  await assert.rejects(init({ build: "full" }), { code: "not-in-this-build" });
  await assert.rejects(init({ build: "half" }), { code: "invalid-argument" });
});

test("this machine has SIMD", () => assert.equal(hasSimd(), true));

test("a pool bakes the bytes of one thread, and answers as one", async () => {
  const level = new Level(hills(60));
  const pool = await createPool({ threads: 2 });
  try {
    const told = [];
    const { mesh, report } = await pool.bake(level, settings, { progress: (done, total) => told.push([done, total]) });
    const alone = bake(level, settings);
    assert.equal(mesh.digest, alone.mesh.digest);
    assert.equal(report.stats.polys, alone.report.stats.polys);
    assert.equal(told.at(-1)[0], told.at(-1)[1]);
    const query = new Query(mesh);
    const [from, to] = [1, 2].map((seed) => query.randomPoints(new Random(seed), 101));
    const [pooled, single] = [await (await pool.share(mesh)).findPaths(from, to), query.findPaths(from, to)];
    assert.deepEqual(pooled.points, single.points);
    assert.deepEqual(pooled.offsets, single.offsets);
    assert.deepEqual(pooled.lengths, single.lengths);
    const aborter = new AbortController();
    const stopped = pool.bake(new Level(hills(200)), settings, { signal: aborter.signal });
    setTimeout(() => aborter.abort(), 20);
    await assert.rejects(stopped, { code: "cancelled" });
    assert.equal((await pool.bake(level, settings)).mesh.digest, alone.mesh.digest);
    await assert.rejects(pool.bake(level, { cellSize: -1 }), { code: "settings" });
  } finally {
    pool.dispose();
  }
});

test("three.js: meshes in, meshes and paths out", () => {
  const ground = new Mesh(new PlaneGeometry(20, 20));
  ground.rotation.x = -Math.PI / 2;
  const crates = new InstancedMesh(new BoxGeometry(2, 2, 2), undefined, 2);
  const at = new Object3D();
  [[-4, 1, 0], [4, 1, 3]].forEach((place, index) => {
    at.position.set(...place);
    at.updateMatrix();
    crates.setMatrixAt(index, at.matrix);
  });
  const scene = new Object3D();
  scene.add(ground, crates);
  const { mesh } = bake(levelFromObject(scene, { area: (each) => (each === crates ? 0 : 63) }), settings);
  const query = new Query(mesh, { reach: [0.2, 0.5, 0.2] });
  assert.notEqual(query.findNearest(ground.position), null);
  assert.equal(query.findNearest([4, 0, 3]), null);
  const path = query.findPath([-8, 0, 0.2], [8, 0, 0.2]);
  assert.equal(pathToVectors(path).length, path.pointCount);
  assert.equal(pathToLine(path).geometry.getAttribute("position").count, path.pointCount);
  const drawn = navMeshToObject(mesh);
  assert.ok(drawn.children.length >= 2);
  assert.ok(navMeshToGeometry(mesh).getAttribute("normal").count > 0);
  const crowd = new Crowd(mesh);
  const agent = crowd.add([0, 0, 0]);
  crowd.goTo(agent, [6, 0, -6]);
  for (let tick = 0; tick < 30; tick += 1) crowd.step(1 / 30);
  const bodies = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 8);
  crowdToInstances(crowd, bodies);
  assert.equal(bodies.count, 1);
  assert.throws(() => levelFromObject(new Object3D()), { code: "level" });
});
