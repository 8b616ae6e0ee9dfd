// The programs of the manual run as they stand there, after what each takes as given.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const manual = readFileSync(new URL("../../../../docs/bindings-js.md", import.meta.url), "utf8");
const programs = [...manual.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program]) => program);

/** What a program prints. */
function run(program) {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd, encoding: "utf8" });
  assert.equal(ran.stderr, "");
  assert.equal(ran.status, 0);
  return ran.stdout;
}

test("the first program", () => {
  const told = run(programs[0]);
  assert.match(told, /^complete 18\.\d+\n/);
  assert.equal(told.trim().split("\n").length, 3);
});

test("three.js", () => {
  const given = `
    import { BoxGeometry, InstancedMesh, Mesh, PlaneGeometry, Scene, Vector3 } from "three";
    import { Crowd, Query, bake, init } from "wayfare";
    await init();
    const scene = new Scene();
    const floor = new Mesh(new PlaneGeometry(20, 20).rotateX(-Math.PI / 2));
    floor.name = "level";
    scene.add(floor);
    const player = { position: new Vector3(-8, 0, -8) };
    const target = new Vector3(8, 0, 8);
    const instancedMesh = new InstancedMesh(new BoxGeometry(), undefined, 10);
    const crowd = new Crowd(bake(levelFromObject(floor)).mesh);
    crowd.add([0, 0, 0]);
  `;
  assert.equal(run(`${given}${programs[1]}console.log(scene.children.length, instancedMesh.count);`), "3 1\n");
});

test("a crowd", () => {
  const given = `
    import { Crowd, Level, bake, init } from "wayfare";
    await init();
    const positions = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0];
    const { mesh } = bake(new Level({ positions, indices: [0, 1, 2, 0, 2, 3] }));
    const buffer = new Float32Array(3);
    const draw = (list) => console.log(list === buffer, list[0] > 2);
  `;
  assert.equal(run(`${given}${programs[2]}`), "true true\n");
});

test("a level that changes", () => {
  const given = `
    import { Crowd, Level, LiveLevel, NavMesh, init } from "wayfare";
    await init({ build: "full" });
    const positions = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0];
    const level = new Level({ positions, indices: [0, 1, 2, 0, 2, 3] });
    let frames = 0;
    const frame = async () => void (frames += 1);
  `;
  const shows = "console.log(frames > 0, walkers.mesh === live.mesh, again.obstacles().length);";
  assert.equal(run(`${given}${programs[3]}${shows}`), "true\ntrue\ntrue true 1\n");
  assert.equal(programs.length, 4);
});
