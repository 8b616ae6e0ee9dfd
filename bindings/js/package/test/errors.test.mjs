// Bad input: always an error of the package's own class, with a code and a sentence; never a broken module.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { BlockNav, BlockWorld, init as initBlocks } from "wayfare/blocks";
import { AutoLinks, Corridor, CostBounds, CostMap, CostOverlay, Crowd, ExplainMap, Filter, Level, LevelCheckpoints, LiveLevel, NavMesh, Obstacles, PathQueue, Pedestrians, Query, Random, WayfareError, bake, init, parseRef } from "wayfare";
import { room } from "./levels.mjs";

await init({ build: "full" });
await initBlocks();

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125 };
const level = new Level(room());
const { mesh } = bake(level, settings);
const query = new Query(mesh);
const place = query.findNearest([2, 0, 2]);
const digest = mesh.digest;

/** Every value that a careless caller may hand over. */
const JUNK = [undefined, null, NaN, Infinity, -1, 1.5, 1e300, "text", "", true, 7n, -7n, {}, [], [1], [1, NaN, 2], [1, 2, "3"], () => 1, Symbol.iterator, new Date(), new Float32Array(2), new Uint8Array(3), Promise.resolve(), new Map()];

function walkers() {
  const crowd = new Crowd(mesh);
  crowd.add([2, 0, 2]);
  return crowd;
}

const CALLS = {
  Level: (junk) => new Level(junk),
  "Level.positions": (junk) => new Level({ positions: junk, indices: [0, 1, 2] }),
  "Level.indices": (junk) => new Level({ positions: room().positions, indices: junk }),
  "Level.terrain": (junk) => new Level({ terrain: { columns: junk, rows: 2, samples: junk, spacing: junk, step: 1 } }),
  addVolume: (junk) => new Level(room()).addVolume(junk),
  "addVolume.base": (junk) => new Level(room()).addVolume({ kind: "cylinder", base: junk, radius: junk, height: 1 }),
  bake: (junk) => bake(junk, settings),
  "bake.settings": (junk) => bake(level, junk),
  "bake.cellSize": (junk) => bake(level, { cellSize: junk }),
  "bake.agent": (junk) => bake(level, { agent: junk }),
  "bake.radius": (junk) => bake(level, { agent: { radius: junk } }),
  "bake.bounds": (junk) => bake(level, { bounds: junk }),
  fromBytes: (junk) => NavMesh.fromBytes(junk),
  tile: (junk) => mesh.tile(junk),
  poly: (junk) => mesh.poly(junk),
  setFlags: (junk) => mesh.clone().setFlags(place.poly, junk),
  setAreas: (junk) => mesh.clone().setAreas(junk),
  addConnection: (junk) => mesh.clone().addConnection({ start: junk, end: junk }),
  addTile: (junk) => mesh.clone().addTile(junk),
  Query: (junk) => new Query(junk),
  "Query.filter": (junk) => new Query(mesh, { filter: junk }),
  "Query.reach": (junk) => new Query(mesh, { reach: junk }),
  findPath: (junk) => query.findPath(junk, [1, 0, 1]),
  "findPath.poly": (junk) => query.findPath({ poly: junk, point: [1, 0, 1] }, [1, 0, 1]),
  findPaths: (junk) => query.findPaths(junk, [[1, 0, 1]]),
  findNearest: (junk) => query.findNearest(junk),
  raycast: (junk) => query.raycast(junk, junk),
  polysAround: (junk) => query.polysAround([1, 0, 1], junk),
  walls: (junk) => query.walls(junk),
  randomPoint: (junk) => query.randomPoint(junk),
  Filter: (junk) => new Filter(junk),
  "Filter.include": (junk) => new Filter({ include: junk }),
  "Filter.costs": (junk) => new Filter({ costs: { 3: junk } }),
  "Filter.withOverlay": (junk) => new Filter().withOverlay(junk),
  CostOverlay: (junk) => new CostOverlay({ cellSize: junk }),
  paint: (junk) => new CostOverlay().paint({ kind: "disc", center: junk, radius: junk, reach: 1 }, 1),
  Corridor: (junk) => new Corridor(query, { poly: junk, point: [1, 0, 1] }),
  CostMap: (junk) => new CostMap(query, { poly: place.poly, point: junk }),
  PathQueue: (junk) => new PathQueue(junk),
  "PathQueue.planner": (junk) => new PathQueue(mesh, junk),
  "PathQueue.take": (junk) => new PathQueue(mesh).take(junk),
  "Corridor.place": (junk) => new Corridor(query, junk),
  "Corridor.query": (junk) => new Corridor(junk, place),
  "Corridor.reset": (junk) => new Corridor(query, place).reset(junk),
  "CostMap.start": (junk) => new CostMap(query, junk),
  "CostMap.pathTo": (junk) => new CostMap(query, place).pathTo(junk),
  "Crowd.chase": (junk) => walkers().chase(walkers().ids()[0], junk),
  "Crowd.add.params": (junk) => new Crowd(mesh).add([2, 0, 2], junk ?? null),
  "Crowd.add.radius": (junk) => new Crowd(mesh).add([2, 0, 2], { radius: junk }),
  "Crowd.pathNodes": (junk) => new Crowd(mesh, { pathNodes: junk }),
  "Crowd.fromBytes.filters": (junk) => Crowd.fromBytes(mesh, new Crowd(mesh).toBytes(), junk ?? null),
  connection: (junk) => mesh.clone().addConnection(junk),
  announce: (junk) => mesh.clone().announce(junk),
  "announce.ref": (junk) => mesh.clone().announce([junk]),
  Pedestrians: (junk) => new Pedestrians(junk),
  "LevelCheckpoints.progress": (junk) => LevelCheckpoints.bake(level, settings, junk ?? 0),
  "ExplainMap.progress": (junk) => ExplainMap.ofLevel(level, settings, junk ?? 0),
  "Level.areas": (junk) => new Level({ ...room(), areas: junk ?? null }),
  "BlockWorld.set": (junk) => new BlockWorld().set(junk, "solid"),
  "BlockWorld.set.number": (junk) => new BlockWorld().set([junk, 0, 0], "solid"),
  "BlockNav.seed": (junk) => new BlockNav(new BlockWorld()).randomInBox({ min: [0, 0, 0], max: [1, 1, 1] }, junk),
  ExplainMap: (junk) => ExplainMap.around(level, settings, junk),
  AutoLinks: (junk) => new AutoLinks(level, settings, mesh, { drop: { maxHeight: junk } }),
  Obstacles: (junk) => new Obstacles(mesh.clone(), LevelCheckpoints.bake(level, settings)).add(junk),
  "Obstacles.remove": (junk) => new Obstacles(mesh.clone(), LevelCheckpoints.bake(level, settings)).remove(junk),
  LiveLevel: (junk) => LiveLevel.of(junk, settings),
  "LiveLevel.settings": (junk) => LiveLevel.of(level, { cellSize: junk }),
  "LiveLevel.links": (junk) => LiveLevel.of(level, settings, { links: { drop: { maxHeight: junk } } }),
  "LiveLevel.stored": (junk) => LiveLevel.stored(junk),
  "LiveLevel.level": (junk) => LiveLevel.stored(mesh, { level: junk }),
  "LiveLevel.addObstacle": (junk) => LiveLevel.of(level, settings).addObstacle(junk),
  "LiveLevel.addObject": (junk) => LiveLevel.of(level, settings).addObject(room(), junk),
  "LiveLevel.moveObstacleBy": (junk) => LiveLevel.of(level, settings).moveObstacleBy(junk, [0, 0, 0]),
  "LiveLevel.removeObject": (junk) => LiveLevel.of(level, settings).removeObject(junk),
  "LiveLevel.step": (junk) => LiveLevel.of(level, settings).step(junk ?? -1),
  Crowd: (junk) => new Crowd(junk),
  "Crowd.options": (junk) => new Crowd(mesh, { resolveRounds: junk }),
  "Crowd.add": (junk) => new Crowd(mesh).add(junk),
  "Crowd.params": (junk) => new Crowd(mesh).add([2, 0, 2], { maxSpeed: junk }),
  "Crowd.goTo": (junk) => new Crowd(mesh).goTo(junk, [1, 0, 1]),
  "Crowd.step": (junk) => new Crowd(mesh).step(junk),
  "Crowd.positions": (junk) => walkers().positions(junk),
  "Crowd.setPhaseVelocities": (junk) => walkers().setPhaseVelocities("desired", junk),
  "bake.progress": (junk) => bake(level, settings, { progress: junk ?? 0 }),
  "bake.log": (junk) => bake(level, settings, { log: junk ?? 0 }),
  "AutoLinks.progress": (junk) => new AutoLinks(level, settings, mesh, {}, junk ?? 0),
  findPathsOfNaN: (junk) => query.findPaths([1, 0, junk], [1, 0, 1]),
  "Filter.cost": (junk) => new Query(mesh, { filter: new Filter().withCustom({ cost: () => junk }) }).findPath([1, 0, 1], [8, 0, 8]),
  "Crowd.setObstacles": (junk) => new Crowd(mesh).setObstacles(junk),
  "Crowd.setObstacles.center": (junk) => new Crowd(mesh).setObstacles([{ kind: "box", center: junk, half: [1, 1], id: 1 }]),
  "Crowd.setObstacles.half": (junk) => new Crowd(mesh).setObstacles([{ kind: "box", center: [1, 0, 1], half: junk, id: 1 }]),
  "Crowd.setObstacles.id": (junk) => new Crowd(mesh).setObstacles([{ kind: "box", center: [1, 0, 1], half: [1, 1], id: junk }]),
  "Crowd.obstructedBy": (junk) => new Crowd(mesh).obstructedBy(junk),
  CostBounds: (junk) => new CostBounds(junk),
  "CostBounds.findPath": (junk) => new CostBounds(mesh).findPath(query, junk, [1, 0, 1]),
  Random: (junk) => new Random(junk),
  parseRef: (junk) => parseRef(junk),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`junk for ${name}`, () => {
    let failures = 0;
    for (const junk of JUNK) {
      try {
        call(junk);
      } catch (error) {
        failures += 1;
        const told = `${name}(${String(junk?.toString?.() ?? junk)}): ${error}`;
        assert.ok(error instanceof WayfareError, told);
        assert.match(error.message, /^\S.*[.!?]$/s, told);
        assert.notEqual(error.code, "internal", told);
      }
    }
    assert.ok(failures > 3, `${name} took nearly everything`);
  });
}

test("what was disposed of says so", () => {
  const own = mesh.clone();
  const asked = new Query(own);
  const crowd = new Crowd(own);
  own.dispose();
  own.dispose();
  assert.ok(own.isDisposed);
  for (const call of [() => own.digest, () => asked.findPath([1, 0, 1], [2, 0, 2]), () => crowd.step(0.1), () => new Query(own)]) {
    assert.throws(call, { name: "WayfareError", code: "disposed", message: /NavMesh/ });
  }
  asked.dispose();
  assert.throws(() => asked.findNearest([1, 0, 1]), { code: "disposed", message: /Query/ });
});

test("damaged files are refused", () => {
  const bytes = mesh.toBytes();
  assert.throws(() => NavMesh.fromBytes(bytes.slice(0, bytes.length - 1)), { code: "format" });
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
    const damaged = bytes.slice();
    damaged[at] ^= 0xff;
    assert.throws(() => NavMesh.fromBytes(damaged), { code: "format" }, `byte ${at}`);
  }
});

test("an error names what it is about", () => {
  assert.throws(() => bake(level, { cellsize: 1 }), { code: "settings", message: 'There is no option "cellsize".' });
  assert.throws(() => bake(level, { agent: { radius: "wide" } }), { message: 'agent.radius must be a number, but is "wide".' });
  assert.throws(() => query.findPath([1, NaN, 1], [2, 0, 2]), { message: /^from must be a point/ });
  assert.throws(() => new Level({ positions: room().positions, indices: [0, 1, 99999] }), { code: "level", message: /99999/ });
});

test("arrays whose buffers went elsewhere are refused in words", () => {
  const gone = (list) => {
    structuredClone(list.buffer, { transfer: [list.buffer] });
    return list;
  };
  const calls = [
    () => new Level({ positions: gone(new Float32Array(9)), indices: [0, 1, 2] }),
    () => new Level({ positions: room().positions, indices: gone(new Uint32Array(3)) }),
    () => query.findPaths(gone(new Float32Array(3)), new Float32Array(3)),
    () => NavMesh.fromBytes(gone(mesh.toBytes())),
    () => walkers().positions(gone(new Float32Array(3))),
  ];
  for (const call of calls) assert.throws(call, { code: "invalid-argument", message: /transferred elsewhere/ });
  assert.equal(query.findPaths(new Float32Array(0), new Float32Array(0)).lengths.length, 0);
});

test("what answers gave stays as the memory grows", () => {
  const { points } = query.findPaths(new Float32Array([2, 0, 2]), new Float32Array([3, 0, 3]));
  const before = [...points];
  const positions = new Float32Array(900_000);
  positions.set([0, 0, 0, 0, 0, 9, 9, 0, 9]);
  const levels = Array.from({ length: 40 }, () => new Level({ positions, indices: [0, 1, 2] }));
  assert.deepEqual([...points], before);
  for (const each of levels) each.dispose();
});

test("counts that would fill the memory are refused", () => {
  assert.throws(() => query.randomPoints(new Random(1), 2 ** 31), { code: "invalid-argument", message: /16777216/ });
});

after(() => {
  // The module lives on, and nothing has changed under anybody's hands.
  assert.equal(mesh.digest, digest);
  assert.equal(bake(level, settings).mesh.digest, digest);
});
