// Wayfare and recast-navigation in Node, side by side: same levels, same settings, same questions.
//
//   npm install --no-save recast-navigation @recast-navigation/generators
//   node bench/run.mjs [--json] [level.obj ...]     --json: rows for the comparison with peers
//
// The two take turns, round by round, and the least processor time of each counts, so that other work on the machine
// weighs little. A ratio is theirs / ours. Answers are compared first: area of the mesh, lengths of paths, ways walked.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Crowd, Level, Query, Random, bake, init } from "wayfare";
import { hills } from "../test/levels.mjs";

let peer;
try {
  peer = { ...(await import("recast-navigation")), ...(await import("@recast-navigation/generators")) };
} catch {
  console.log("skipped: recast-navigation is not installed (npm install --no-save recast-navigation)");
  process.exit(0);
}

await Promise.all([init(), peer.init()]);

const AGENT = { radius: 0.6, height: 2, maxClimb: 0.9 };
const OURS = { agent: AGENT, cellSize: 0.3, cellHeight: 0.2 };
/** The same in voxels, with Recast's own defaults for the rest, which are ours. */
const THEIRS = {
  cs: 0.3,
  ch: 0.2,
  walkableSlopeAngle: 45,
  walkableHeight: 10,
  walkableClimb: 4,
  walkableRadius: 2,
  maxEdgeLen: 40,
  maxSimplificationError: 1.3,
  minRegionArea: 8,
  mergeRegionArea: 20,
  maxVertsPerPoly: 6,
  detailSampleDist: 6,
  detailSampleMaxError: 1,
};
/** The least rounds of a comparison, and milliseconds after which no more begin. */
const ROUNDS = 7;
const ENOUGH = 3000;
const WORDS = process.argv.slice(2);
const FILES = WORDS.filter((word) => word !== "--json");

/** Milliseconds for which this process has run. */
function ran() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The least milliseconds of both, in turns. */
function compare(ours, theirs) {
  const best = [Infinity, Infinity];
  const first = performance.now();
  for (let round = 0; round < ROUNDS || performance.now() - first < ENOUGH; round += 1) {
    [ours, theirs].forEach((work, which) => {
      const began = ran();
      work();
      best[which] = Math.min(best[which], ran() - began);
    });
  }
  return best;
}

const rows = [];
/** `agrees`: whether the answers are as good; null where there are none to compare. */
function row(work, [ours, theirs], agrees, note, unit = "ms") {
  rows.push({ work, ours, theirs, unit, agrees, note });
}

function readObj(path) {
  const positions = [];
  const indices = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === "v") positions.push(...rest.slice(0, 3).map(Number));
    if (kind === "f") {
      const corners = rest.map((each) => Number.parseInt(each, 10) - 1);
      for (let at = 2; at < corners.length; at += 1) indices.push(corners[0], corners[at - 1], corners[at]);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function levels() {
  const list = [["hills", hills(100)]];
  return [...list, ...FILES.map((path) => [basename(path, ".obj"), readObj(path)])];
}

/** Square metres of the surface of triangles. */
function areaOf(positions, indices) {
  const corner = (at) => [positions[3 * indices[at]], positions[3 * indices[at] + 2]];
  let twice = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [[ax, az], [bx, bz], [cx, cz]] = [corner(at), corner(at + 1), corner(at + 2)];
    twice += Math.abs((bx - ax) * (cz - az) - (cx - ax) * (bz - az));
  }
  return twice / 2;
}

function benchLevel(name, input) {
  const level = new Level(input);
  const plain = { positions: Array.from(input.positions), indices: Array.from(input.indices) };
  for (const [kind, own, their, generate] of [
    ["solo", OURS, THEIRS, peer.generateSoloNavMesh],
    ["in tiles of 48 cells", { ...OURS, tileSize: 48 }, { ...THEIRS, tileSize: 48 }, peer.generateTiledNavMesh],
  ]) {
    const [ours, theirs] = [bake(level, own).mesh, generate(plain.positions, plain.indices, their).navMesh];
    const { positions } = ours.geometry();
    const areas = [areaOf(positions, Array.from({ length: positions.length / 3 }, (_, at) => at)), areaOf(...peer.getNavMeshPositionsAndIndices(theirs))];
    ours.dispose();
    theirs.destroy();
    const times = compare(
      () => bake(level, own).mesh.dispose(),
      () => generate(plain.positions, plain.indices, their).navMesh.destroy(),
    );
    const agrees = Math.abs(areas[0] / areas[1] - 1) <= 0.01;
    row(`${name} ${kind}`, times, agrees, `${areas.map((area) => area.toFixed(0)).join(" / ")} m²`);
  }
  const { mesh } = bake(level, OURS);
  const { navMesh } = peer.generateSoloNavMesh(plain.positions, plain.indices, THEIRS);
  benchPaths(name, mesh, navMesh);
  for (const count of [100, 500]) benchCrowd(name, mesh, navMesh, count);
}

function benchPaths(name, mesh, navMesh) {
  const query = new Query(mesh);
  const asked = new peer.NavMeshQuery(navMesh, { maxNodes: 16384 });
  const random = new Random(11);
  const pairs = Array.from({ length: 300 }, () => [query.randomPoint(random).point, query.randomPoint(random).point]);
  const vector = ([x, y, z]) => ({ x, y, z });
  const theirPairs = pairs.map((pair) => pair.map(vector));
  const tally = { complete: 0, agree: 0, partial: 0, nearer: 0 };
  pairs.forEach(([from, to], at) => {
    const ours = query.findPath(from, to);
    const { path } = asked.computePath(...theirPairs[at], { maxPathPolys: 2048, maxStraightPathPoints: 2048 });
    const theirs = path.map(({ x, y, z }) => [x, y, z]);
    if (ours.status === "complete") {
      const length = theirs.slice(1).reduce((sum, point, i) => sum + apart(point, theirs[i]), 0);
      tally.complete += 1;
      tally.agree += Math.abs(ours.length - length) <= 0.05 * Math.max(1, length);
    } else {
      // Where there is no way, the nearer to the goal a path ends, the better; how long it is says nothing.
      const [own, other] = [[...ours].at(-1), theirs.at(-1)].map((end) => (end === undefined ? Infinity : apart(end, to)));
      tally.partial += 1;
      tally.nearer += own <= other + 0.01;
    }
  });
  const agrees = tally.agree >= 0.995 * tally.complete;
  const note = `${tally.agree} of ${tally.complete} complete within 5 %; of ${tally.partial} without a way, ours ends as near or nearer in ${tally.nearer}`;
  const times = compare(
    () => pairs.forEach(([from, to]) => query.findPath(from, to)),
    () => theirPairs.forEach(([from, to]) => asked.computePath(from, to, { maxPathPolys: 2048, maxStraightPathPoints: 2048 })),
  );
  row(`${name} 300 paths`, times, agrees, note);
  const nearest = compare(
    () => pairs.forEach(([from]) => query.findNearest(from)),
    () => theirPairs.forEach(([from]) => asked.findNearestPoly(from, { halfExtents: { x: 2, y: 4, z: 2 } })),
  );
  const apartFrom = ([from], at) => {
    const { nearestPoint: { x, y, z } } = asked.findNearestPoly(theirPairs[at][0], { halfExtents: { x: 2, y: 4, z: 2 } });
    return apart(query.findNearest(from).point, from) <= apart([x, y, z], from) + 0.01;
  };
  const asNear = pairs.filter(apartFrom).length;
  row(`${name} 300 nearest polygons`, nearest, asNear >= 0.995 * pairs.length, `${asNear} of ours as near or nearer`);
}

/**
 * Three seconds of a crowd: of each tick the least time of some runs, which are the same to the bit, summed up. So many
 * runs that machines have compiled both at their best: the first second of any WebAssembly is slower.
 */
function benchCrowd(name, mesh, navMesh, count) {
  const query = new Query(mesh);
  const random = new Random(3);
  const places = Array.from({ length: count }, () => {
    const from = query.randomPoint(random);
    // A goal that can be reached: both walk.
    const to = query.randomPointAround(from, 60, random);
    return [from.point, to.point];
  });
  const ticks = 90;
  for (const method of ["adaptive", "orca"]) {
    const best = [0, 1].map(() => new Float64Array(ticks).fill(Infinity));
    let walked = [0, 0];
    for (let run = 0; run < (count > 100 ? 3 : 8); run += 1) {
      const crowds = [ourCrowd(mesh, places, method), theirCrowd(navMesh, places)];
      for (let tick = 0; tick < ticks; tick += 1) {
        crowds.forEach((crowd, which) => {
          const began = ran();
          crowd.step();
          best[which][tick] = Math.min(best[which][tick], ran() - began);
        });
      }
      walked = crowds.map((crowd) => crowd.positions().reduce((sum, at, i) => sum + Math.hypot(at[0] - places[i][0][0], at[2] - places[i][0][2]), 0));
      crowds.forEach((crowd) => crowd.end());
    }
    const times = best.map((each) => each.reduce((sum, time) => sum + time, 0));
    const note = `${(walked[0] / count).toFixed(1)} m walked each, theirs ${(walked[1] / count).toFixed(1)} m`;
    row(`${name} crowd of ${count}, ${method}, 90 ticks`, times, walked[0] >= 0.9 * walked[1] || null, note);
  }
}

function ourCrowd(mesh, places, avoidance) {
  const crowd = new Crowd(mesh);
  const ids = places.map(([at, to]) => {
    const agent = crowd.add(at, { radius: 0.6, maxSpeed: 3.5, avoidance });
    crowd.goTo(agent, to);
    return agent;
  });
  return {
    step: () => crowd.step(1 / 30),
    positions: () => ids.map((id) => crowd.position(id)),
    end: () => crowd.dispose(),
  };
}

function theirCrowd(navMesh, places) {
  const crowd = new peer.Crowd(navMesh, { maxAgents: places.length, maxAgentRadius: 0.6 });
  const vector = ([x, y, z]) => ({ x, y, z });
  const agents = places.map(([at, to]) => {
    const agent = crowd.addAgent(vector(at), {
      radius: 0.6,
      height: 2,
      maxAcceleration: 8,
      maxSpeed: 3.5,
      collisionQueryRange: 7.2,
      pathOptimizationRange: 18,
      separationWeight: 0,
      updateFlags: 23,
      obstacleAvoidanceType: 3,
    });
    agent.requestMoveTarget(vector(to));
    return agent;
  });
  return {
    step: () => crowd.update(1 / 30),
    positions: () => agents.map((agent) => Object.values(agent.position())),
    end: () => crowd.destroy(),
  };
}

/** Bytes to download, gzip: scripts and WebAssembly, of the core and of all. */
function downloads() {
  const zipped = (paths) => paths.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0) / 1000;
  const dist = fileURLToPath(new URL("../dist/", import.meta.url));
  /** A script and all that it imports at once. */
  const closure = (name, found = new Set()) => {
    if (found.has(name)) return found;
    found.add(name);
    const imports = readFileSync(join(dist, name), "utf8").matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g);
    for (const [, other] of imports) closure(other, found);
    return found;
  };
  const build = (entry, name) => {
    const around = readdirSync(dist).find((file) => file.startsWith(`shared-${name}-`));
    return zipped([...closure(entry), around, `wasm/${name}.simd.wasm`].map((file) => join(dist, file)));
  };
  const modules = fileURLToPath(new URL("../node_modules/@recast-navigation", import.meta.url));
  const shared = ["core/dist/index.mjs", "generators/dist/index.mjs"];
  const peer = (files) => zipped([...shared, ...files].map((name) => join(modules, name)));
  const usual = peer(["wasm/dist/recast-navigation.wasm-compat.js"]);
  const split = peer(["wasm/dist/recast-navigation.wasm.js", "wasm/dist/recast-navigation.wasm.wasm"]);
  row("download of the core, gzip", [build("index.js", "core"), usual], null, "theirs as imported: the code in the script", "kB");
  row("download of the core, gzip", [build("index.js", "core"), split], null, "theirs with the code beside the script", "kB");
  row("download of all, gzip", [build("full.js", "full"), split], null, "ours with what theirs lacks", "kB");
}

/** Milliseconds from nothing until the library answers, in a process of its own. */
function starts() {
  const time = (code) => {
    const script = `const began = performance.now(); ${code}; console.log(performance.now() - began);`;
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" });
    return Number(ran.stdout);
  };
  const best = (code) => Math.min(...Array.from({ length: 5 }, () => time(code)));
  const ours = best('const { init } = await import("wayfare"); await init()');
  const theirs = best('const { init } = await import("recast-navigation"); await import("@recast-navigation/generators"); await init()');
  row("start, until it answers", [ours, theirs], null, "a new process, on the wall; of five the least");
}

for (const [name, input] of levels()) benchLevel(name, input);
downloads();
starts();
if (WORDS.includes("--json")) {
  console.log(JSON.stringify(rows));
} else {
  console.table(rows.map((each) => ({ ...each, ours: each.ours.toFixed(2), theirs: each.theirs.toFixed(2), ratio: (each.theirs / each.ours).toFixed(2) })));
}
