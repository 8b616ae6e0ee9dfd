// A level, a walker that goes where you click, and a crowd that changes sides.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Crowd, Query, Random, bake, init } from "wayfare";
import { crowdToInstances, levelFromObject, navMeshToObject, pathToLine } from "wayfare/three";

const told = Object.fromEntries(["path", "crowd", "mesh", "method"].map((id) => [id, document.getElementById(id)]));

await init();

const { scene, camera, renderer, level } = makeScene();
const { mesh } = bake(levelFromObject(level), { agent: { radius: 0.4, height: 1.8, maxClimb: 0.5 } });
const query = new Query(mesh);
const drawn = navMeshToObject(mesh);
scene.add(drawn);
told.mesh.onchange = () => (drawn.visible = told.mesh.checked);

const crowd = new Crowd(mesh);
const walker = crowd.add([-18, 0, 0], { radius: 0.4, maxSpeed: 4, priority: 5 });
const others = gather(60);
const bodies = makeBodies(crowd.size);
scene.add(bodies);

let line;
send([18, 0, 6]);

const ray = new THREE.Raycaster();
renderer.domElement.addEventListener("click", (event) => {
  const at = new THREE.Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
  ray.setFromCamera(at, camera);
  const [hit] = ray.intersectObject(level, true);
  if (hit !== undefined) send(hit.point);
});
told.method.onchange = () => {
  for (const agent of crowd) crowd.setParams(agent, { avoidance: told.method.value });
};

let last = performance.now();
let spent = 0;
renderer.setAnimationLoop((now) => {
  const began = performance.now();
  crowd.step(Math.min(0.1, Math.max(0, now - last) / 1000));
  spent += 0.05 * (performance.now() - began - spent);
  last = now;
  for (const { agent } of crowd.events().filter(({ kind }) => kind === "arrived")) turnBack(agent);
  crowdToInstances(crowd, bodies);
  told.crowd.textContent = `${crowd.size} agents, ${spent.toFixed(2)} ms a tick`;
  renderer.render(scene, camera);
});

/** Sends the walker to a point, and shows its path. */
function send(to) {
  const path = query.findPath(crowd.position(walker), to);
  told.path.textContent = path.status === "none" ? "no way there" : `${path.length.toFixed(1)} m, ${path.status}`;
  if (line !== undefined) scene.remove(line);
  line = pathToLine(path);
  scene.add(line);
  if (path.end !== undefined) crowd.goTo(walker, path.end.point);
}

/** Agents on both sides, each on its way to the other. */
function gather(count) {
  const random = new Random(7);
  const sides = new Map();
  for (let number = 0; number < count; number += 1) {
    const side = number % 2 === 0 ? -1 : 1;
    const [across, along] = [side * (14 + 4 * random.next()), 18 * (random.next() - 0.5)];
    const agent = crowd.add([across, 0, along], { radius: 0.4, maxSpeed: 1 + random.next() });
    sides.set(agent, [-across, 0, along]);
    crowd.goTo(agent, sides.get(agent));
  }
  return sides;
}

function turnBack(agent) {
  const goal = others.get(agent);
  if (goal === undefined) return;
  others.set(agent, [-goal[0], 0, goal[2]]);
  crowd.goTo(agent, others.get(agent));
}

function makeBodies(count) {
  const shape = new THREE.CapsuleGeometry(0.35, 1, 4, 12).translate(0, 0.85, 0);
  const bodies = new THREE.InstancedMesh(shape, new THREE.MeshStandardMaterial(), count);
  for (let index = 0; index < count; index += 1) {
    bodies.setColorAt(index, new THREE.Color(index === 0 ? 0xef4444 : index % 2 === 0 ? 0x0ea5e9 : 0xeab308));
  }
  bodies.castShadow = true;
  return bodies;
}

function makeScene() {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xdbe7f3);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.6));
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(12, 30, 8);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -28, right: 28, top: 28, bottom: -28 });
  sun.shadow.mapSize.set(2048, 2048);
  scene.add(sun);
  const level = new THREE.Group();
  const box = (size, at, color, turn = 0) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshStandardMaterial({ color }));
    mesh.position.set(...at);
    mesh.rotation.z = turn;
    mesh.castShadow = mesh.receiveShadow = true;
    level.add(mesh);
  };
  box([44, 1, 28], [0, -0.5, 0], 0x9aa5b1);
  for (const [z, length] of [[-10, 8], [0, 5], [10, 8]]) box([1.2, 2.6, length], [0, 1.3, z], 0x52606d);
  for (const [x, z] of [[-7, -5], [-7, 5], [7, -6], [7, 4], [-11, 0], [11, 0]]) box([2, 1.8, 2], [x, 0.9, z], 0x7b8794);
  box([7, 0.3, 5], [17, 1.85, -10.5], 0x829ab1);
  box([9, 0.3, 3], [9.6, 0.85, -10.5], 0x829ab1, 0.24);
  scene.add(level);
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  document.body.append(renderer.domElement);
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 200);
  camera.position.set(-14, 27, 27);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.addEventListener("change", () => renderer.render(scene, camera));
  const fit = () => {
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.setSize(innerWidth, innerHeight);
  };
  addEventListener("resize", fit);
  fit();
  camera.lookAt(0, 0, 0);
  return { scene, camera, renderer, level };
}
