// Questions, filters, corridors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AutoLinks, Corridor, CostBounds, CostMap, CostOverlay, ExplainMap, Filter, Level, PathQueue, Query, Random, bake, findPath, init } from "wayfare";
import { room } from "./levels.mjs";

await init({ build: "full" });

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125 };
const level = new Level(room());
const { mesh } = bake(level, settings);
const [LEFT, RIGHT] = [[2, 0, 2], [18, 0, 3]];

test("a path around a wall", () => {
  const path = new Query(mesh).findPath(LEFT, RIGHT);
  assert.equal(path.status, "complete");
  assert.equal(path.pointCount, [...path].length);
  assert.deepEqual(path.kindAt(0), "start");
  assert.deepEqual(path.kindAt(path.pointCount - 1), "end");
  assert.ok(path.length > 29 && path.length < 33);
  assert.equal(path.limit, null);
  const { x, y, z } = { x: LEFT[0], y: LEFT[1], z: LEFT[2] };
  assert.equal(new Query(mesh).findPath({ x, y, z }, RIGHT).length, path.length);
  assert.equal(findPath(mesh, LEFT, RIGHT).length, path.length);
});

test("batches answer as single questions do", () => {
  const query = new Query(mesh);
  const random = new Random(5);
  const [from, to] = [query.randomPoints(random, 50), query.randomPoints(random, 50)];
  const list = query.findPaths(from, to);
  assert.equal(list.count, 50);
  const rays = query.raycastMany(from, to);
  const reach = query.isReachableMany(from, to);
  const walls = query.wallDistances(from, 100);
  const moved = query.moveAlongMany(from, to);
  const nearest = query.findNearestMany(from);
  for (let at = 0; at < 50; at += 1) {
    const [a, b] = [from, to].map((points) => [...points.subarray(3 * at, 3 * at + 3)]);
    const path = query.findPath(a, b);
    assert.deepEqual(list.pointsAt(at), path.points);
    assert.equal(list.statusAt(at), path.status);
    const ray = query.raycast(a, b);
    assert.equal(rays[at], ray.hit ? Math.fround(ray.t) : 1);
    assert.equal(reach[at], Number(query.isReachable(a, b)));
    assert.equal(walls[at], query.nearestWall(a, 100).distance);
    assert.deepEqual([...moved.points.subarray(3 * at, 3 * at + 3)], query.moveAlong(a, b).point);
    assert.equal(nearest.polys[at], query.findNearest(a).poly);
  }
});

test("paths guided by bounds", () => {
  const query = new Query(mesh);
  const bounds = new CostBounds(mesh);
  assert.ok(bounds.holdFor(mesh) && bounds.points.length >= 3 && bounds.byteSize > 64);
  const path = bounds.findPath(query, LEFT, RIGHT);
  assert.equal(path.status, "complete");
  assert.ok(path.cost <= query.findPath(LEFT, RIGHT).cost * 1.0001);
  const list = bounds.findPaths(query, [...LEFT, ...RIGHT], [...RIGHT, ...LEFT]);
  assert.equal(list.costs[0], path.cost);
  assert.equal(list.statusAt(1), "complete");
  assert.equal(bounds.findPath(query, LEFT, [100, 0, 100]).status, "none");
  const thrower = new Filter().withCustom({ passes: () => { throw new Error("boom"); } });
  assert.throws(() => bounds.findPath(new Query(mesh, { filter: thrower }), LEFT, RIGHT), /boom/);
  assert.throws(() => bounds.findPath({}, LEFT, RIGHT), { code: "invalid-argument" });
  bounds.dispose();
  assert.throws(() => bounds.findPath(query, LEFT, RIGHT), { code: "disposed" });
});

test("limits say what they cut", () => {
  const path = new Query(mesh, { maxNodes: 2 }).findPath(LEFT, RIGHT);
  assert.equal(path.status, "partial");
  assert.equal(path.limit, "nodes");
});

test("no path is an answer, and is explained", () => {
  const query = new Query(mesh);
  const path = query.findPath(LEFT, [100, 0, 100]);
  assert.equal(path.status, "none");
  assert.equal(path.pointCount, 0);
  assert.equal(path.start, undefined);
  const why = query.explainPath(LEFT, [100, 0, 100]);
  assert.equal(why.isFound, false);
  assert.match(why.message, /./);
  assert.ok(query.explainPath(LEFT, RIGHT).isFound);
});

test("what is around a place", () => {
  const query = new Query(mesh);
  const place = query.findNearest(LEFT);
  assert.equal(place.over, true);
  assert.equal(query.findNearest([50, 0, 50]), null);
  assert.ok(query.polysAround(LEFT, 5).polys.includes(place.poly));
  assert.ok(query.polysInShape(LEFT, [[0, 0, 0], [0, 0, 5], [5, 0, 5], [5, 0, 0]]).polys.length > 0);
  assert.ok(query.neighbourhood(LEFT, 3).includes(place.poly));
  assert.ok(query.polysInBox({ min: [0, -1, 0], max: [4, 1, 4] }).includes(place.poly));
  const wall = query.nearestWall(LEFT, 10);
  assert.ok(Math.abs(wall.distance - 1.5) < 0.3, String(wall.distance));
  assert.ok(query.walls(place.poly).length % 6 === 0);
  assert.equal(query.polyHeight(place.poly, place.point) !== null, true);
  assert.equal(query.closestPointOnPoly(place.poly, LEFT).length, 3);
  assert.equal(query.closestPointOnBoundary(place.poly, LEFT).length, 3);
  const around = query.randomPointAround(place, 3, new Random(9));
  assert.ok(mesh.isValid(around.poly));
});

test("rays and moves", () => {
  const query = new Query(mesh);
  const hit = query.raycast(LEFT, [18, 0, 2], { cost: true });
  assert.equal(hit.hit, true);
  assert.ok(hit.point[0] < 9.5 && hit.normal[0] < 0 && hit.cost > 0);
  assert.equal(query.raycast(LEFT, [5, 0, 5]).hit, false);
  const moved = query.moveAlong(LEFT, [12, 0, 6]);
  assert.ok(moved.point[0] < 9.5 && mesh.isValid(moved.poly));
  assert.equal(query.moveAlong([90, 0, 90], LEFT), null);
});

test("nearest goals, boxes, strings", () => {
  const query = new Query(mesh);
  const { goal, path } = query.findPathToNearest(LEFT, [RIGHT, [3, 0, 8], [50, 0, 50]]);
  assert.equal(goal, 1);
  assert.ok(path.isComplete);
  assert.ok(query.findPathToBox(LEFT, { min: [14, -1, 14], max: [18, 1, 18] }).isComplete);
  const long = query.findPath(LEFT, RIGHT);
  const crossings = query.pullString(long, "all");
  assert.ok(crossings.pointCount >= long.pointCount);
  assert.ok(Math.abs(crossings.length - long.length) < 1e-3);
});

test("filters: flags, costs, overlays, functions", () => {
  const own = bake(level, settings).mesh;
  const far = new Query(own).findPath(LEFT, RIGHT);
  const gap = far.polys[Math.floor(far.polys.length / 2)];
  own.setFlags(gap, 4);
  assert.equal(new Query(own, { filter: new Filter({ exclude: 4 }) }).isReachable(LEFT, RIGHT), false);
  own.setArea(gap, 3);
  assert.ok(new Query(own, { filter: new Filter({ costs: { 3: 10 } }) }).findPath(LEFT, RIGHT).cost > far.cost);
  const overlay = new CostOverlay({ cellSize: 1 });
  assert.ok(overlay.paint({ kind: "disc", center: [5, 0, 8], radius: 2, reach: 2 }, 5) > 0);
  assert.ok(overlay.costAt([5, 0, 8]) > 0);
  assert.ok([...overlay.cells()].every(({ cost }) => cost > 0));
  assert.equal(CostOverlay.fromBytes(overlay.toBytes()).cellCount, overlay.cellCount);
  const laid = new Query(own, { filter: Filter.ofMesh(own).withOverlay(overlay) });
  assert.ok(laid.findPath([5, 0, 4], [5, 0, 12]).cost > new Query(own).findPath([5, 0, 4], [5, 0, 12]).cost);
  let asked = 0;
  const custom = new Filter().withCustom({
    passes: (poly, flags, area) => {
      asked += 1;
      return area !== 3;
    },
    cost: (step) => 2 * step.cost,
  });
  const query = new Query(own, { filter: custom });
  assert.equal(query.findPath(LEFT, RIGHT).status, "partial");
  assert.ok(asked > 0);
});

test("what a filter throws, the question throws", () => {
  const throwing = new Filter().withCustom({ passes: () => { throw new RangeError("mine"); } });
  const query = new Query(mesh, { filter: throwing });
  assert.throws(() => query.findPath(LEFT, RIGHT), RangeError);
  query.setFilter(new Filter());
  assert.ok(query.findPath(LEFT, RIGHT).isComplete);
  let own;
  const recursive = new Filter().withCustom({ passes: () => own.findPath(LEFT, RIGHT).isComplete });
  own = new Query(mesh, { filter: recursive });
  assert.throws(() => own.findPath(LEFT, RIGHT), { code: "busy" });
  const gone = new Query(mesh, { filter: new Filter().withCustom({ passes: () => { gone.dispose(); return true; } }) });
  assert.throws(() => gone.findPath(LEFT, RIGHT), { code: "busy" });
  own.setFilter(new Filter());
  assert.ok(own.findPath(LEFT, RIGHT).isComplete);
});

test("a path is told what changes of the mesh do to it", () => {
  const own = bake(level, { ...settings, tileSize: 32 }).mesh;
  const query = new Query(own);
  const path = query.findPath(LEFT, RIGHT);
  const seen = own.version();
  assert.equal(query.checkPath(path), null);
  const last = own.poly(path.polys.at(-1)).tile;
  own.announce([last]);
  assert.equal(query.pathChange(path, seen).soon?.by, "soon");
  own.removeTile(last);
  assert.equal(query.checkPath(path)?.by, "gone");
  assert.ok(query.pathChange(path, seen).isTouched);
});

test("a corridor is walked", () => {
  const query = new Query(mesh);
  const corridor = new Corridor(query, query.findNearest(LEFT));
  corridor.follow(query.findPath(LEFT, RIGHT));
  let at = corridor.start.point;
  for (let step = 0; step < 400 && corridor.length > 0.5; step += 1) {
    const [{ point }] = corridor.corners(1);
    const [dx, dz] = [point[0] - at[0], point[2] - at[2]];
    const length = Math.hypot(dx, dz);
    const part = Math.min(1, 0.25 / (length || 1));
    at = corridor.moveStart([at[0] + part * dx, at[1], at[2] + part * dz]);
  }
  assert.ok(Math.hypot(at[0] - RIGHT[0], at[2] - RIGHT[2]) < 1, String(at));
  corridor.moveEnd([17, 0, 5]);
  assert.equal(corridor.check(), null);
  assert.equal(corridor.repair().outcome, "whole");
  corridor.stop();
  assert.equal(corridor.length, 0);
});

test("cost maps and queues", () => {
  const query = new Query(mesh);
  const map = new CostMap(query, query.findNearest(LEFT));
  const goal = query.findNearest(RIGHT);
  assert.ok(map.costTo(goal.poly) > 10);
  assert.equal(map.pathTo(goal).status, "complete");
  const queue = new PathQueue(mesh);
  const ticket = queue.request(query, LEFT, RIGHT);
  assert.equal(queue.state(ticket), "waiting");
  assert.equal(queue.take(ticket), null);
  for (let frame = 0; queue.pending > 0 && frame < 100; frame += 1) queue.step(2);
  assert.equal(queue.take(ticket).path.length, query.findPath(LEFT, RIGHT).length);
  assert.throws(() => queue.take(ticket), { code: "stale-ref" });
});

test("places are explained, and links are found", () => {
  const map = ExplainMap.ofLevel(level, settings);
  assert.equal(map.at(LEFT).isWalkable, true);
  assert.equal(map.at([10, 0, 5]).isWalkable, false);
  assert.equal(ExplainMap.fromBytes(map.toBytes()).at(LEFT).reason, map.at(LEFT).reason);
  const links = new AutoLinks(level, settings, mesh, { climb: false, drop: { maxHeight: 5 } });
  const own = mesh.clone();
  assert.equal(links.addTo(own).length, links.list().length);
});
