// The package itself: its types, its builds, its threads.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AutoLinks, CostBounds, Crowd, Level, NavMesh, Query, Random, bake, hasSimd, init } from "wayfare";
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
    () => new CostBounds(mesh),
    () => bake(level, settings, { keep: true }),
    () => findOptimalPath(new Query(mesh), [1, 0, 1], [2, 0, 2]),
  ];
  for (const call of calls) assert.throws(call, { code: "not-in-this-build", message: /full/ });
});

test("the core knows a file of Detour's, which the full build reads", () => {
  for (const magic of ["TESM", "VAND"]) {
    const bytes = Uint8Array.from(magic.padEnd(40, "\0"), (letter) => letter.charCodeAt(0));
    assert.throws(() => NavMesh.fromBytes(bytes), { code: "not-in-this-build", message: /Detour.*full/ });
  }
});

test("addresses in scripts stand there whole, and are those of files", () => {
  let found = 0;
  for (const name of readdirSync(DIST).filter((name) => name.endsWith(".js"))) {
    const script = readFileSync(`${DIST}${name}`, "utf8");
    const addresses = [...script.matchAll(/new URL\("(\.\/[^"\\\n]+)",import\.meta\.url\)/g)].map(([, address]) => address);
    assert.equal(script.split("import.meta.url").length - 1, addresses.length, name);
    for (const address of addresses) assert.ok(existsSync(`${DIST}${address}`), `${name}: ${address}`);
    found += addresses.length;
    assert.ok(Math.max(...script.split("\n").map((line) => line.length)) < 4000, name);
  }
  assert.ok(found >= 8, String(found));
  // It works wherever it is copied.
  assert.doesNotMatch(readFileSync(`${DIST}pool.worker.js`, "utf8"), /(?:^|[;}\n])import\b|\bimport\(/);
});

test("the WebAssembly is read from wherever it is said to be", async () => {
  const script = `
    import { init } from "wayfare";
    await init({ wasm: process.argv[1] }).then(() => console.log("loaded"), (error) => console.log(error.code, error.message));
  `;
  const load = (address) => {
    const made = spawnSync(process.execPath, ["--input-type=module", "-e", script, address], { cwd: new URL(".", import.meta.url), encoding: "utf8" });
    return made.stdout.trim() || made.stderr;
  };
  assert.equal(load(`${DIST}wasm/core.wasm`), "loaded");
  assert.equal(load(new URL("../dist/wasm/core.wasm", import.meta.url).href), "loaded");
  // A drive of Windows is no protocol.
  assert.match(load("C:\\app\\core.wasm"), /^not-loaded .*ENOENT/);
  const server = createServer((_, response) => response.writeHead(404).end("<p>nothing</p>")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const init404 = `import { init } from "wayfare"; await init({ wasm: "http://127.0.0.1:${server.address().port}/core.wasm" }).catch((error) => console.log(error.code, error.message));`;
  try {
    const child = spawn(process.execPath, ["--input-type=module", "-e", init404], { cwd: new URL(".", import.meta.url) });
    let told = "";
    for (const output of [child.stdout, child.stderr]) output.setEncoding("utf8").on("data", (text) => (told += text));
    // Whatever becomes of it: one that fails says nothing of what is waited for.
    await once(child, "close");
    assert.match(told, /^not-loaded .*404/);
  } finally {
    // It keeps this process alive.
    server.closeAllConnections();
    server.close();
  }
});

test("whoever waits for a load that fails is told in the package's words", () => {
  const script = `
    import { init } from "wayfare";
    const wasm = "/nowhere/core.wasm";
    const told = await Promise.allSettled([init({ wasm }), init({ wasm })]);
    console.log(told.map(({ reason }) => reason.code).join());
    await init();
    console.log(await init({ wasm: 5 }).then(() => "waits for the same"));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: new URL(".", import.meta.url), encoding: "utf8" });
  assert.equal(stdout, "not-loaded,not-loaded\nwaits for the same\n", stderr);
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
    assert.deepEqual(report, alone.report);
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
    await assert.rejects(pool.bake(level, settings, { progress: 7 }), { code: "invalid-argument" });
  } finally {
    pool.dispose();
  }
});

test("a bake that is cancelled takes nothing else with it", async () => {
  const level = new Level(hills(60));
  const pool = await createPool({ threads: 2 });
  try {
    const { mesh } = bake(level, settings);
    const pooled = await pool.share(mesh);
    const query = new Query(mesh);
    const [from, to] = [1, 2].map((seed) => query.randomPoints(new Random(seed), 40));
    const { lengths } = query.findPaths(from, to);
    const aborter = new AbortController();
    const progress = () => aborter.abort();
    const stopped = pool.bake(new Level(hills(150)), { ...settings, tileSize: 16 }, { signal: aborter.signal, progress });
    const others = [pool.bake(level, settings), pooled.findPaths(from, to), pool.bake(level, settings), pool.share(mesh)];
    await assert.rejects(stopped, { code: "cancelled" });
    const [first, paths, second, more] = await Promise.all(others);
    assert.deepEqual([first.mesh.digest, second.mesh.digest], [mesh.digest, mesh.digest]);
    for (const found of [paths, await pooled.findPaths(from, to), await more.findPaths(from, to)]) {
      assert.deepEqual(found.lengths, lengths);
    }
    pooled.dispose();
    const late = AbortSignal.abort();
    await assert.rejects(pool.bake(level, settings, { signal: late }), { code: "cancelled" });
    assert.equal((await more.findPaths(from, to)).count, 40);
  } finally {
    pool.dispose();
  }
  await assert.rejects(pool.bake(level, settings), { code: "disposed" });
});

test("a worker that fails is replaced by one that has what it had", async () => {
  const { mesh } = bake(new Level(hills(60)), settings);
  const query = new Query(mesh);
  const [from, to] = [1, 2].map((seed) => query.randomPoints(new Random(seed), 40));
  const { lengths } = query.findPaths(from, to);
  const pool = await createPool({ threads: 2, script: new URL("./fragile.worker.mjs", import.meta.url) });
  try {
    const pooled = await pool.share(mesh);
    for (const [x, code] of [[999, "worker"], [888, "internal"], [999, "worker"]]) {
      await assert.rejects(pooled.findPaths([[x, 0, 0]], [[1, 0, 1]]), { code });
      assert.deepEqual((await pooled.findPaths(from, to)).lengths, lengths);
      assert.equal((await pool.bake(new Level(hills(60)), settings)).mesh.digest, mesh.digest);
    }
  } finally {
    pool.dispose();
  }
});

test("a script that does not dispose of its pool ends", () => {
  const script = `
    import { Level, bake, init } from "wayfare";
    import { createPool } from "wayfare/pool";
    import { hills } from "./levels.mjs";
    await init();
    const pool = await createPool({ threads: 2 });
    const { mesh } = await pool.bake(new Level(hills(20)), { cellSize: 0.5 });
    const found = await (await pool.share(mesh)).findPaths([[2, 0, 2]], [[15, 0, 15]]);
    console.log(mesh.tileCount, found.count);
  `;
  const made = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.equal(made.status, 0, made.stderr || "it did not end");
  assert.equal(made.stdout, "1 1\n");
});

test("a pool has some threads, but not as many as end the process", async () => {
  for (const threads of [0, 1.5, 257, 1e9]) await assert.rejects(createPool({ threads }), { code: "invalid-argument" });
});

test("a pool bakes all of a level: areas, height map, volumes", async () => {
  const { positions, indices } = room();
  const areas = Array.from({ length: indices.length / 3 }, (_, index) => (index < 2 ? 7 : 63));
  const painted = new Level({ positions, indices, areas });
  const samples = Uint16Array.from({ length: 41 * 41 }, (_, index) => 20 * (index % 41));
  painted.setTerrain({ columns: 41, rows: 41, samples, origin: [30, 0, 0], spacing: 0.5, step: 0.01, area: 5 });
  const corners = Float32Array.of(3, -1, 3, 5, -1, 3, 3, -1, 5, 4, 3, 4);
  painted.addVolume({ kind: "hull", points: corners });
  painted.addVolume({ kind: "box", min: [32, -1, 2], max: [36, 9, 6], area: 9 });
  painted.addVolume({ kind: "mesh", positions: corners.map((at, i) => at + (i % 3 === 0 ? 9 : 0)), indices: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0] });
  corners.fill(0);
  const alone = bake(painted, settings);
  const pool = await createPool({ threads: 2 });
  try {
    const pooled = await pool.bake(painted, settings);
    assert.equal(pooled.mesh.digest, alone.mesh.digest);
    assert.deepEqual(pooled.report, alone.report);
    const query = new Query(pooled.mesh);
    const areaAt = (at) => pooled.mesh.poly(query.findNearest(at).poly).area;
    assert.deepEqual([[2, 0, 15], [34, 1.6, 4], [45, 6, 15]].map(areaAt), [7, 9, 5]);
    const steep = new Level({ positions: [0, 0, 0, 0, 9, 1, 1, 0, 0], indices: [0, 1, 2] });
    const empty = await pool.bake(steep, settings);
    assert.equal(empty.whyEmpty, bake(steep, settings).whyEmpty);
    const shared = await pool.share(pooled.mesh);
    shared.dispose();
    await assert.rejects(shared.findPaths([[1, 0, 1]], [[2, 0, 2]]), { code: "disposed" });
    const failing = pool.bake(painted, settings, { progress: () => { throw new RangeError("mine"); } });
    await assert.rejects(failing, RangeError);
    assert.equal((await pool.bake(painted, settings)).mesh.digest, alone.mesh.digest);
  } finally {
    pool.dispose();
  }
  await assert.rejects(pool.bake(painted, settings), { code: "disposed" });
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
