// What careless or clever callers do: options that there are not, callbacks that call back, numbers that would never end.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { BoxGeometry, Mesh } from "three";
import { BakeJob, Crowd, Filter, Level, LiveLevel, NavMesh, PathQueue, Query, avoidVelocity, bake, bakeAsync, init, settingsWarnings } from "wayfare";
import { BlockNav, BlockWorld, init as initBlocks } from "wayfare/blocks";
import { TileGraph, meshFromOutlines } from "wayfare/full";
import { createPool } from "wayfare/pool";
import { levelFromObject, navMeshToObject } from "wayfare/three";
import { room } from "./levels.mjs";

await init({ build: "full" });
await initBlocks();

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 48 };
const level = new Level(room());
const { mesh } = bake(level, settings);
const [LEFT, RIGHT] = [[2, 0, 2], [18, 0, 3]];
const argument = (message) => ({ name: "WayfareError", code: "invalid-argument", message });

test("agents keep their numbers through a save", () => {
  const crowd = new Crowd(mesh);
  const first = crowd.add(LEFT);
  const second = crowd.add(RIGHT);
  crowd.remove(first);
  const third = crowd.add([3, 0, 3]);
  assert.ok(first > 0 && third !== first);
  const again = Crowd.fromBytes(mesh, crowd.toBytes());
  assert.deepEqual(again.ids(), crowd.ids());
  assert.deepEqual(again.position(third), crowd.position(third));
  assert.deepEqual(again.position(second), crowd.position(second));
  for (const each of [crowd, again]) {
    assert.ok(!each.has(first));
    assert.throws(() => each.position(first), { code: "stale-ref" });
  }
  for (const never of [0, -1, 0.5, third + 0.5, 2 ** 60, NaN]) assert.ok(!crowd.has(never), String(never));
});

test("meshes are equal by what they hold", () => {
  const twin = NavMesh.fromBytes(mesh.toBytes());
  assert.ok(mesh.equals(twin) && twin.equals(mesh));
  assert.ok(mesh.equals(bake(level, settings).mesh));
  twin.setFlags(new Query(twin).findNearest(LEFT).poly, 2);
  assert.ok(!mesh.equals(twin));
});

test("bakes end", async () => {
  for (const slice of [0, -1, NaN, Infinity, "8", null]) {
    await assert.rejects(bakeAsync(level, settings, { slice }), argument(/slice/));
  }
  const { mesh: slow } = await bakeAsync(level, settings, { slice: 1e-9 });
  assert.ok(slow.equals(mesh));
  const job = new BakeJob(level, settings);
  for (const units of [NaN, -1, 0, 1.5, "9"]) assert.throws(() => job.step(units), argument(/units/));
  job.dispose();
});

test("a callback that uses what is at work is told so, and leaves it as it is", () => {
  const work = mesh.clone();
  const other = new Filter();
  const { poly } = new Query(work).findNearest(LEFT);
  const live = LiveLevel.of(level, { ...settings, bounds: { min: [0, -1, 0], max: [20, 5, 20] } });
  live.step();
  let query;
  const codes = [];
  const misuse = [
    () => work.setFlags(poly, 2),
    () => work.addConnection({ start: LEFT, end: RIGHT, radius: 0.5 }),
    () => query.setFilter(other),
    () => query.findPath(LEFT, RIGHT),
    () => query.dispose(),
    () => work.dispose(),
  ];
  let isTold = false;
  const cost = ({ cost: usual }) => {
    if (isTold) return usual;
    isTold = true;
    for (const each of misuse) {
      try {
        each();
        codes.push("none");
      } catch (error) {
        codes.push(error.name === "WayfareError" ? error.code : String(error));
      }
    }
    return usual;
  };
  query = new Query(work, { filter: new Filter().withCustom({ cost }) });
  assert.ok(query.findPath(LEFT, RIGHT).isComplete);
  assert.deepEqual(codes, misuse.map(() => "busy"));
  assert.ok(!query.isDisposed && !work.isDisposed);
  assert.ok(query.findPath(LEFT, RIGHT).isComplete);
  query.dispose();
  work.dispose();
  assert.throws(() => query.findPath(LEFT, RIGHT), { code: "disposed" });

  isTold = false;
  misuse.splice(0, misuse.length, () => live.step(), () => live.mesh.setFlags(poly, 2));
  codes.length = 0;
  query = new Query(live.mesh, { filter: new Filter().withCustom({ cost }) });
  assert.ok(query.findPath(LEFT, RIGHT).isComplete);
  assert.ok(codes.includes("busy"), codes.join());
});

test("what a callback throws is thrown on, whatever it is", () => {
  const own = (error) => new Query(mesh, {
    filter: new Filter().withCustom({ cost: () => { throw error; } }),
  });
  for (const error of [new RangeError("Maximum call stack size exceeded"), new WebAssembly.RuntimeError("unreachable"), "text", null]) {
    let thrown = "nothing";
    try {
      own(error).findPath(LEFT, RIGHT);
    } catch (caught) {
      thrown = caught;
    }
    assert.equal(thrown, error);
  }
  const deep = (depth) => deep(depth + 1) + 1;
  const query = new Query(mesh, { filter: new Filter().withCustom({ cost: () => deep(0) }) });
  assert.throws(() => query.findPath(LEFT, RIGHT), RangeError);
  assert.ok(new Query(mesh).findPath(LEFT, RIGHT).isComplete);
});

test("options that there are not are errors", async () => {
  const query = new Query(mesh);
  const wrong = {
    buidl: () => init({ buidl: "full" }),
    thread: () => createPool({ thread: 2 }),
    indicies: () => new Level({ positions: room().positions, indicies: [0, 1, 2] }),
    filters: () => new Query(mesh, { filters: new Filter() }),
    progres: () => bake(level, settings, { progres: () => true }),
    sliec: () => bakeAsync(level, settings, { sliec: 8 }),
    pass: () => new Filter().withCustom({ pass: () => true }),
    costs: () => query.raycast(LEFT, RIGHT, { costs: true }),
    excludes: () => new Filter({ excludes: 1 }),
    link: () => LiveLevel.of(level, settings, { link: {} }),
    unti: () => new Level({ ...room(), frame: { unti: 2 } }),
    searches: () => new BlockNav(new BlockWorld()).corridor([0, 0, 0], [1, 0, 0], { searches: false }),
    colour: () => navMeshToObject(mesh, { colour: () => 0 }),
  };
  for (const [name, call] of Object.entries(wrong)) {
    await assert.rejects(async () => call(), { name: "WayfareError", code: "settings", message: new RegExp(`"${name}"`) }, name);
  }
  // Objects of a class of one's own may hold more.
  class Mine {
    seen = 0;
    cost(step) {
      this.seen += 1;
      return step.cost;
    }
  }
  const mine = new Mine();
  assert.ok(new Query(mesh, { filter: new Filter().withCustom(mine) }).findPath(LEFT, RIGHT).isComplete);
  assert.ok(mine.seen > 0);
});

test("values that there are not are errors", async () => {
  const query = new Query(mesh);
  const path = query.findPath(LEFT, RIGHT);
  const pool = await createPool({ threads: 1 });
  const nav = new BlockNav(new BlockWorld());
  const wrong = {
    "frame.up": () => new Level({ ...room(), frame: { up: "x" } }),
    "frame.handedness": () => new Level({ ...room(), frame: { handedness: "both" } }),
    crossings: () => query.pullString(path, "every"),
    order: () => query.neighbourhood(LEFT, 2, "x"),
    refinement: () => new TileGraph(mesh).findPath(query, LEFT, RIGHT, "all"),
    ptions: () => bake(level, []),
    "must be an object": () => bake(level, () => settings),
    "mesh must be a NavMesh": () => pool.share({}),
    "path must be a Path": () => query.pullString({}),
    "a custom filter must be": () => new Filter().withCustom(null),
    velocity: () => avoidVelocity("orca", { position: [0, 0], desired: [1, 0], radius: 1, maxSpeed: 1 }),
    "object must be an Object3D": () => levelFromObject(null),
    cost: () => nav.setCost(1, NaN),
    "0 or more": () => nav.setCost(1, -5),
    "7 heights": () => BlockWorld.ofHeights(3, new Int32Array(7)),
    "4 heights": () => BlockWorld.ofHeights(0, new Int32Array(4)),
    "\\[1, 2\\]": () => nav.canStand([1, 2]),
    "an Array": () => new Query([]),
  };
  try {
    for (const [name, call] of Object.entries(wrong)) {
      await assert.rejects(async () => call(), argument(new RegExp(name)), name);
    }
  } finally {
    pool.dispose();
  }
});

test("sentences name settings as they are written", () => {
  assert.throws(() => bake(level, { cellSize: NaN }), { code: "settings", message: /^cellSize is NaN/ });
  assert.throws(() => bake(level, { agent: { maxSlope: 9 } }), { code: "settings", message: /^agent\.maxSlope is 9/ });
  assert.throws(() => bake(level, { edgeMaxLength: -1 }), { code: "settings", message: /^edgeMaxLength is -1/ });
  assert.throws(() => bake(level, { detailSampleDistance: -1 }), { code: "settings", message: /^detailSampleDistance/ });
  assert.throws(() => bake(level, { cell_size: 1 }), { code: "settings", message: /"cell_size"/ });
  for (const warning of settingsWarnings({ cellSize: 0.01, regionMinSize: 0 })) assert.doesNotMatch(warning, /_/);
});

test("lists of points are of any numbers", () => {
  const query = new Query(mesh);
  const [from, to] = [[2, 0, 2], [18, 0, 3]];
  const length = query.findPaths(from, to).lengths[0];
  for (const kind of [Float32Array, Float64Array, Int32Array, Uint8Array]) {
    assert.equal(query.findPaths(kind.from(from), kind.from(to)).lengths[0], length, kind.name);
  }
  assert.throws(() => query.findPaths(new BigInt64Array(3), to), argument(/typed array of numbers/));
});

test("holes in lists are no points", () => {
  const query = new Query(mesh);
  assert.throws(() => query.findPaths([, , RIGHT], [LEFT, LEFT, LEFT]), argument(/^from/));
  assert.throws(() => query.findPaths([LEFT, , RIGHT], [LEFT, LEFT, LEFT]), argument(/^from\[1\]/));
  const disc = { kind: "disc", center: [1, 0, 1], radius: 1, id: 1 };
  assert.throws(() => new Crowd(mesh).setObstacles([disc, , disc]), argument(/obstacles\[1\]/));
  const prism = (outline) => new Level(room()).addVolume({ kind: "prism", outline, minY: -1, maxY: 3 });
  assert.throws(() => prism([[0, 0], , [4, 0]]), argument(/outline\[1\]/));
});

test("typed outlines are looked at as others are", () => {
  const prism = (outline) => new Level(room()).addVolume({ kind: "prism", outline: Float32Array.from(outline), minY: -1, maxY: 3 });
  assert.throws(() => prism([0, 0, 4, 0, NaN, 4]), argument(/outline\[2\]\.x/));
  assert.throws(() => prism([0, 0, 4, 0, 4]), argument(/two numbers/));
  assert.throws(() => meshFromOutlines([Float32Array.of(0, 0, 4, 0, 4)]), argument(/outlines\[0\]/));
});

test("area types and corners are whole numbers that there are", () => {
  const triangles = { positions: [0, 0, 0, 0, 0, 9, 9, 0, 0], indices: [0, 1, 2] };
  for (const area of [256, 64, undefined, "water", 1.9, NaN, -1]) {
    assert.throws(() => new Level({ ...triangles, areas: [area] }), argument(/areas\[0\] must be a whole number from 0 to 63/));
    if (area === undefined) continue;
    assert.throws(() => levelFromObject(new Mesh(new BoxGeometry()), { area: () => area }), argument(/area type/));
  }
  assert.throws(() => new Level({ ...triangles, indices: [0, 1, 2 ** 32] }), argument(/indices\[2\]/));
  assert.throws(() => new Level({ ...triangles, indices: new DataView(new ArrayBuffer(12)) }), argument(/indices/));
});

test("triangles that are not finite are left out and counted", () => {
  const positions = Float32Array.of(0, 0, 0, 0, 0, 20, 20, 0, 20, 1, NaN, 1, 2, 0, 2);
  const broken = new Level({ positions, indices: [0, 1, 2, 0, 3, 4] });
  assert.equal(broken.report.notFinite, 1);
  const { report } = bake(broken, settings);
  assert.ok(report.warnings.some(({ kind }) => kind === "triangle-not-finite"));
  assert.throws(() => new Level({ positions: [0, 0, 0, 0, "0", 20, 20, 0, 20] }), argument(/positions\[4\]/));
});

test("settings of a crowd with which nothing would ever be done are refused", () => {
  for (const pathNodes of [NaN, -1, 0, 0.5, -Infinity]) {
    assert.throws(() => new Crowd(mesh, { pathNodes }), argument(/pathNodes/), String(pathNodes));
  }
  for (const reach of [[NaN, 1, 1], [1, -1, 1], [1, 1, Infinity]]) assert.throws(() => new Crowd(mesh, { reach }), argument(/reach/i));
  const crowd = new Crowd(mesh, { pathNodes: Infinity, costChange: Infinity });
  assert.throws(() => crowd.changeSettings({ replanInterval: NaN }), argument(/replanInterval/));
  assert.throws(() => crowd.changeSettings({ costChange: -1 }), argument(/costChange/));
});

test("quality sets three fields, wherever it stands", () => {
  const around = { position: [0, 0], velocity: [1, 0], desired: [1, 0], radius: 0.5, maxSpeed: 2 };
  const neighbours = [{ position: [2, 0.1], velocity: [-1, 0], desired: [-1, 0], radius: 0.5 }];
  const options = { velocityBias: 0.9, weights: { side: 5, impact: 9 } };
  const velocity = (method) => avoidVelocity({ name: "adaptive", ...method }, around, neighbours);
  const last = velocity({ ...options, quality: 0 });
  assert.deepEqual(last, velocity({ quality: 0, ...options }));
  assert.deepEqual(last, velocity({ divisions: 5, rings: 2, depth: 1, ...options }));
  assert.notDeepEqual(last, velocity({ quality: 0 }));
  assert.deepEqual(velocity({ divisions: 9, quality: 0 }), velocity({ quality: 0, divisions: 9 }));
});

test("unknown options are errors, whatever they hold", () => {
  class Hidden {
    get radius() {
      return 0.2;
    }
  }
  const loop = {};
  loop.loop = loop;
  for (const wrong of [{}, new Hidden(), loop]) {
    assert.throws(() => bake(level, { fliters: wrong }), { code: "settings", message: /"fliters"/ });
  }
  assert.throws(() => bake(level, { agent: new Hidden() }), argument(/agent must be a plain object/i));
  assert.throws(() => bake(level, new Map()), argument(/plain object/));
  assert.ok(bake(level, { ...settings, filters: {}, agent: Object.assign(Object.create(null), { radius: 0.5 }) }).mesh.tileCount > 0);
});

test("a queue searches one mesh", () => {
  const other = bake(level, { ...settings, agent: { radius: 1 } }).mesh;
  const queue = new PathQueue(mesh);
  assert.throws(() => queue.request(new Query(other), LEFT, RIGHT), argument(/another mesh/));
  const ticket = queue.request(new Query(mesh), LEFT, RIGHT);
  queue.step();
  assert.ok(queue.take(ticket).path.isComplete);
});

test("neighbours are told nearest first", () => {
  const crowd = new Crowd(mesh);
  const agents = [5, 4.1, 3.1, 2].map((x) => crowd.add([x, 0, 4], { neighbourRange: 8 }));
  crowd.step(0.01);
  assert.deepEqual(crowd.neighbours(agents[1]), [agents[0], agents[2], agents[3]]);
  crowd.remove(agents[2]);
  assert.deepEqual(crowd.neighbours(agents[1]), [agents[0], agents[3]]);
});

test("an error of the package does not bury its sentence in source", () => {
  const script = 'import("wayfare").then(({ Query }) => new Query(1));';
  const { stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", cwd: new URL("..", import.meta.url) });
  assert.match(stderr, /WayfareError/);
  assert.ok(stderr.length < 4000, `${stderr.length} characters`);
});
