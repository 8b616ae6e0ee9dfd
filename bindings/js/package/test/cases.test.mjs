// The suite of cases that the library and every binding run: the same levels and questions, answers equal to the bit.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import * as blocks from "wayfare/blocks";
import {
  AutoLinks,
  ClearanceMesh,
  CostBounds,
  Corridor,
  CostOverlay,
  Crowd,
  ExplainMap,
  Filter,
  Level,
  LevelCheckpoints,
  NavMesh,
  Obstacles,
  Query,
  Random,
  TileGraph,
  bake,
  convexHull,
  findOptimalPath,
  init,
  meshFromOutlines,
} from "wayfare/full";

const FOLDER = new URL("../../../cases/", import.meta.url);
const STATUS = { complete: 0, partial: 1, none: 2 };
const KINDS = ["start", "left", "right", "enter", "leave", "crossing", "end"];
const LINKS = ["drop", "jump_down", "jump_across", "climb"];
const SHOWN = 24;

await init({ build: "full" });
await blocks.init();

/** FNV-1a over the bits of the numbers, as in the library's own runner. */
function digest(numbers) {
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** What is wrong with an answer, if anything. */
function fault(own, wanted) {
  if (typeof own === "string") return own === wanted.text ? undefined : `is ${own}, was ${wanted.text}`;
  const numbers = [...own];
  if (numbers.length === wanted.count && digest(numbers) === wanted.digest) return undefined;
  const shown = numbers.length <= SHOWN ? `: ${numbers.join(", ")}, was ${wanted.numbers}` : "";
  return `${numbers.length} numbers of ${digest(numbers)}, not ${wanted.count} of ${wanted.digest}${shown}`;
}

function given(entries) {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function settingsOf(bakeOf = {}) {
  return given({
    agent: given({
      height: bakeOf.agent_height,
      radius: bakeOf.agent_radius,
      maxClimb: bakeOf.agent_max_climb,
      maxSlope: bakeOf.agent_max_slope,
      maxDrop: bakeOf.agent_max_drop,
    }),
    cellSize: bakeOf.cell_size ?? 0.3,
    cellHeight: bakeOf.cell_height ?? 0.2,
    filters: given({ ledges: bakeOf.filter_ledges }),
    erosion: ["chamfer", "euclidean"][bakeOf.erosion ?? 0],
    partition: ["watershed", "monotone", "layers"][bakeOf.partition ?? 0],
    regionMinSize: bakeOf.region_min_size,
    regionMergeSize: bakeOf.region_merge_size,
    edgeMaxLength: bakeOf.edge_max_len,
    edgeMaxError: bakeOf.edge_max_error,
    vertsPerPoly: bakeOf.verts_per_poly,
    tileSize: bakeOf.tile_size,
  });
}

function pairs(numbers) {
  return Float32Array.from(numbers);
}

function volumeOf(value, isObstacle) {
  const effect = { area: value.area ?? 0, beforeErosion: isObstacle || value.area === undefined || value.before_erosion === true };
  const { min, max, center, angle, base, radius, height, points } = value;
  switch (value.shape) {
    case "box":
      return { kind: "box", min, max, ...effect };
    case "turned_box":
      return { kind: "turned-box", center, halfExtents: value.half_extents, angle, ...effect };
    case "cylinder":
    case "capsule":
      return { kind: value.shape, base, radius, height, ...effect };
    case "prism":
      return { kind: "prism", outline: pairs(value.outline), minY: value.heights[0], maxY: value.heights[1], ...effect };
    default:
      return { kind: "hull", points, ...effect };
  }
}

function levelOf({ level, heights, volumes = [] }) {
  const made = level === undefined
    ? new Level({ terrain: { ...heights, samples: Uint16Array.from(heights.samples) } })
    : new Level({ positions: level.verts, indices: level.tris, areas: areasOf(level) });
  if (level !== undefined && heights !== undefined) {
    made.setTerrain({ ...heights, samples: Uint16Array.from(heights.samples) });
  }
  for (const volume of volumes) made.addVolume(volumeOf(volume, false));
  return made;
}

function areasOf({ areas = [], tris }) {
  return Uint8Array.from({ length: tris.length / 3 }, (_, index) => areas[index] ?? 63);
}

class Session {
  constructor(testCase) {
    this.settings = settingsOf(testCase.bake);
    this.placed = [];
    if (testCase.level === undefined && testCase.heights === undefined) return;
    this.level = levelOf(testCase);
    this.mesh = bake(this.level, this.settings).mesh;
    if (testCase.areas !== undefined) this.mesh.setAreas(testCase.areas);
    for (const { area, flags } of testCase.area_flags ?? []) this.mesh.setAreaFlags(area, flags);
    for (const { user_id: userId, two_way: twoWay, ...rest } of testCase.connections ?? []) {
      this.mesh.addConnection(given({ ...rest, userId, twoWay }));
    }
    if (testCase.obstacles) {
      this.obstacles = new Obstacles(this.mesh, LevelCheckpoints.bake(this.level, this.settings));
    }
  }

  query(step) {
    const costs = new Map(this.mesh.areas().map(({ area, cost }) => [area, cost]));
    for (const [area, cost] of step.costs ?? []) costs.set(area, cost);
    const filter = new Filter(given({ include: step.include, exclude: step.exclude, costs }));
    return new Query(this.mesh, { filter });
  }
}

const obstaclesOf = (step) => (step.obstacles ?? []).map(({ shape: kind, ...rest }, id) => ({ kind, ...rest, id }));

const index = (poly) => Number(poly & 0xfffffn);

function pathNumbers(path) {
  const numbers = [STATUS[path.status]];
  for (let at = 0; at < path.pointCount; at += 1) numbers.push(...path.at(at), KINDS.indexOf(path.kindAt(at)));
  return numbers;
}

function optimalNumbers(query, step) {
  const { path } = findOptimalPath(query, step.from, step.to);
  return [STATUS[path.status], path.length, ...path.points];
}

const STEPS = {
  mesh: ({ mesh }) => mesh.digest,
  count: ({ mesh }) => [mesh.tileCount, mesh.polys().length, mesh.connections().length],
  save_load: ({ mesh }) => NavMesh.fromBytes(mesh.toBytes()).digest,
  detour: ({ mesh }) => NavMesh.fromBytes(mesh.toDetour(64)).digest,
  nearest: (session, step) => {
    const found = session.query(step).findNearest(step.at);
    return found === null ? [] : [Number(found.over), index(found.poly), ...found.point];
  },
  path: (session, step) => pathNumbers(session.query(step).findPath(step.from, step.to)),
  paths: (session, step) => {
    const query = session.query(step);
    const [from, to] = [0, 1].map((end) => step.pairs.map((pair) => pair[end]));
    const list = query.findPaths(from, to);
    return [...list].flatMap((points, at) => [STATUS[list.statusAt(at)], points.length / 3, ...points]);
  },
  bounded: (session, step) =>
    pathNumbers(new CostBounds(session.mesh).findPath(session.query(step), step.from, step.to)),
  optimal: (session, step) => optimalNumbers(session.query(step), step),
  clearance: ({ mesh }, step) => {
    const wide = new ClearanceMesh(mesh, step.radius, Filter.ofMesh(mesh));
    return optimalNumbers(new Query(wide.mesh()), step);
  },
  hierarchical: ({ mesh }, step) => {
    const { path } = new TileGraph(mesh).findPath(new Query(mesh), step.from, step.to);
    return [STATUS[path.status], path.cost, path.polys.length];
  },
  overlay: ({ mesh }, step) => {
    const overlay = new CostOverlay();
    overlay.paint({ kind: "disc", center: step.center, radius: step.radius, reach: 2 }, step.cost);
    const query = new Query(mesh, { filter: Filter.ofMesh(mesh).withOverlay(overlay) });
    return pathNumbers(query.findPath(step.from, step.to));
  },
  ray: (session, step) => {
    const ray = session.query(step).raycast(step.from, step.to);
    return [Number(ray.hit), ray.t, ...ray.point, ...ray.normal];
  },
  rays: (session, step) => {
    const query = session.query(step);
    return step.pairs.flatMap(([from, to]) => {
      const ray = query.raycast(from, to);
      return [Number(ray.hit), ray.t];
    });
  },
  move: (session, step) => session.query(step).moveAlong(step.from, step.to)?.point ?? [],
  reachable: (session, step) => {
    const answer = session.query(step).isReachable(step.from, step.to);
    return [answer === null ? -1 : Number(answer)];
  },
  explain_path: (session, step) => session.query(step).explainPath(step.from, step.to).reason,
  explain_place: ({ level, settings }, step) => ExplainMap.ofLevel(level, settings).at(step.at)?.reason ?? "outside",
  wall: (session, step) => {
    const wall = session.query(step).nearestWall(step.at, step.radius);
    return wall === null ? [] : [wall.distance, ...wall.point];
  },
  walls: (session, step) => {
    const query = session.query(step);
    const place = query.findNearest(step.at);
    return place === null ? [] : query.walls(place.poly);
  },
  around: (session, step) => {
    const { polys, costs } = session.query(step).polysAround(step.at, step.radius);
    return [...polys].flatMap((poly, at) => [index(poly), costs[at]]);
  },
  neighbourhood: (session, step) => [...session.query(step).neighbourhood(step.at, step.radius)].map(index),
  in_box: (session, step) => [...session.query(step).polysInBox(step)].map(index),
  random: (session, step) => session.query(step).randomPoints(new Random(step.seed ?? 0), step.count),
  random_around: (session, step) => {
    const [query, random] = [session.query(step), new Random(step.seed ?? 0)];
    const place = () => query.randomPointAround(step.at, step.radius, random)?.point ?? [];
    return Array.from({ length: step.count }, place).flat();
  },
  corridor: ({ mesh }, step) => {
    const query = new Query(mesh);
    const corridor = new Corridor(query, query.findNearest(step.from));
    corridor.follow(query.findPath(step.from, step.to));
    return step.walk.flatMap((to) => [...corridor.moveStart(to), ...corridor.corners(3).flatMap(({ point }) => point)]);
  },
  links: ({ level, settings, mesh }) => {
    const links = new AutoLinks(level, settings, mesh);
    links.addTo(mesh);
    return links.list().flatMap(({ kind, start, end }) => [LINKS.indexOf(kind.replaceAll("-", "_")), ...start, ...end]);
  },
  crowd: ({ mesh }, step) => {
    const crowd = new Crowd(mesh);
    for (const { at, to, radius, max_speed: maxSpeed, method: avoidance } of step.agents) {
      const agent = crowd.add(at);
      crowd.setParams(agent, given({ radius, maxSpeed, avoidance }));
      crowd.goTo(agent, to);
    }
    const obstacles = obstaclesOf(step);
    crowd.setObstacles(obstacles);
    for (let tick = 0; tick < step.ticks; tick += 1) crowd.step(step.dt);
    const positions = crowd.ids().flatMap((agent) => crowd.position(agent));
    if (obstacles.length === 0) return positions;
    const by = crowd.ids().map((agent) => crowd.obstructedBy(agent));
    return [...positions, ...by.flatMap((ids) => [ids.length, ...ids])];
  },
  obstacle_add: (session, step) => {
    session.placed.push(session.obstacles.add(volumeOf(step, true)));
    return [session.obstacles.lastTiles().length];
  },
  obstacle_move: ({ obstacles, placed }, step) => {
    obstacles.moveTo(placed[step.which], step.to);
    return [obstacles.lastTiles().length];
  },
  obstacle_remove: ({ obstacles, placed }, step) => {
    obstacles.remove(placed[step.which]);
    return [obstacles.lastTiles().length];
  },
  obstacle_step: ({ obstacles }) => {
    assert.ok(obstacles.step());
    return [obstacles.rebuilt().length];
  },
  block_path: (_, step) => {
    const world = new blocks.BlockWorld();
    const kinds = ["air", "solid", "water", "ladder", "door", "hazard"];
    for (const { min, max, block } of step.boxes) world.fill({ min, max }, kinds[block]);
    const path = new blocks.BlockNav(world).findPath(step.start, step.goal);
    return [STATUS[path.status], path.length, ...path.points];
  },
  grid_path: (_, step) => {
    const grid = new blocks.LocalGrid(step.size ?? 32, step.cell_size);
    grid.recenter(step.center);
    for (const obstacle of obstaclesOf(step)) grid.block(obstacle, step.radius);
    const path = grid.findPath(step.from, step.to);
    return [STATUS[path.status], ...path.points];
  },
  hull: (_, step) => convexHull(pairs(step.points)),
  outline_mesh: (session, step) => {
    session.mesh = meshFromOutlines(step.outlines.map(pairs), step.y);
    return session.mesh.digest;
  },
};

for (const name of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
  test(`case ${name}`, () => {
    const testCase = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
    const session = new Session(testCase);
    const faults = testCase.steps.flatMap((step, number) => {
      const run = STEPS[step.do];
      if (run === undefined) return [`step ${number}: there is no step ${step.do}`];
      const found = fault(run(session, step), step.answer);
      return found === undefined ? [] : [`step ${number} (${step.do}): ${found}`];
    });
    assert.deepEqual(faults, []);
  });
}
