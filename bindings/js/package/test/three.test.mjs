// Objects of three.js: what of a scene is a level, and crowds that are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatchedMesh, Bone, BoxGeometry, BufferAttribute, Frustum, Group, InstancedMesh, LOD, Matrix4, Mesh, MeshBasicMaterial, PerspectiveCamera, PlaneGeometry, Raycaster, Skeleton, SkinnedMesh, Vector3 } from "three";
import { Crowd, Level, bake, init } from "wayfare";
import { crowdToInstances, levelFromObject, trianglesOf } from "wayfare/three";

await init();

const box = () => new Mesh(new BoxGeometry(1, 1, 1));
const count = (object, options) => trianglesOf(object, options).indices.length / 3;
/** The least and the greatest of a coordinate of all corners. */
const range = (object, axis) => {
  const values = trianglesOf(object).positions.filter((_, index) => index % 3 === axis);
  return [Math.min(...values), Math.max(...values)];
};

test("what nobody sees is no part of a level", () => {
  const scene = new Group();
  const ground = new Mesh(new PlaneGeometry(9, 9));
  const hidden = new Group();
  hidden.visible = false;
  hidden.add(box());
  scene.add(ground, hidden);
  assert.equal(count(scene), 2);
  assert.equal(count(scene, { include: () => true }), 14);
  // Whoever names an object means it.
  assert.equal(count(hidden), 12);
  assert.equal(count([ground, hidden.children[0]]), 14);
});

test("of a level of detail, the finest is taken", () => {
  const lod = new LOD();
  lod.addLevel(new Mesh(new PlaneGeometry(1, 1)), 50);
  lod.addLevel(box(), 0);
  assert.equal(count(lod), 12);
  // As it is after a frame with the camera far away.
  lod.levels[0].object.visible = false;
  assert.equal(count(lod), 12);
  assert.equal(count(lod, { include: () => true }), 12);
});

test("batches are taken instance by instance", () => {
  const batch = new BatchedMesh(4, 200, 400, new MeshBasicMaterial());
  const [cube, plane] = [batch.addGeometry(new BoxGeometry(1, 1, 1)), batch.addGeometry(new PlaneGeometry(2, 2))];
  const at = (geometry, x) => {
    const instance = batch.addInstance(geometry);
    batch.setMatrixAt(instance, new Matrix4().makeTranslation(x, 0, 0));
    return instance;
  };
  const gone = at(cube, 99);
  at(cube, -10);
  at(cube, 10);
  const unseen = at(plane, 50);
  batch.deleteInstance(gone);
  batch.setVisibleAt(unseen, false);
  assert.equal(count(batch), 24);
  assert.deepEqual(range(batch, 0), [-10.5, 10.5]);
  batch.setVisibleAt(unseen, true);
  assert.deepEqual([count(batch), range(batch, 0)[1]], [26, 51]);
  const old = Object.assign(Object.create(batch), { getGeometryRangeAt: undefined, name: "crates" });
  assert.throws(() => trianglesOf(old), { code: "level", message: /"crates"/ });
});

test("bones and morph targets have moved what they move", () => {
  const geometry = new BoxGeometry(1, 1, 1);
  const corners = geometry.getAttribute("position").count;
  geometry.setAttribute("skinIndex", new BufferAttribute(new Uint16Array(4 * corners), 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(Float32Array.from({ length: 4 * corners }, (_, i) => (i % 4 === 0 ? 1 : 0)), 4));
  const skinned = new SkinnedMesh(geometry);
  const bone = new Bone();
  skinned.add(bone);
  skinned.bind(new Skeleton([bone]));
  bone.position.x = 30;
  const group = new Group();
  group.add(skinned);
  group.position.z = 5;
  assert.deepEqual([range(group, 0), range(group, 2)], [[29.5, 30.5], [4.5, 5.5]]);
  const morphed = box();
  const lifted = morphed.geometry.getAttribute("position").clone();
  for (let index = 0; index < lifted.count; index += 1) lifted.setY(index, lifted.getY(index) + 5);
  morphed.geometry.morphAttributes.position = [lifted];
  morphed.updateMorphTargets();
  morphed.morphTargetInfluences[0] = 1;
  assert.deepEqual(range(morphed, 1), [4.5, 5.5]);
});

test("corners that are not finite are counted, not refused", () => {
  const mesh = box();
  mesh.geometry.getAttribute("position").setX(0, NaN);
  assert.ok(levelFromObject(mesh).report.notFinite > 0);
});

test("a crowd is found where it is, and keeps its size", () => {
  const { mesh } = bake(new Level({ positions: [0, 0, 0, 0, 0, 9, 60, 0, 9, 60, 0, 0], indices: [0, 1, 2, 0, 2, 3] }));
  const crowd = new Crowd(mesh);
  const agent = crowd.add([2, 0, 4], { maxSpeed: 6 });
  const bodies = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 4);
  bodies.setMatrixAt(0, new Matrix4().makeScale(1, 2, 1));
  crowdToInstances(crowd, bodies);
  const camera = new PerspectiveCamera();
  const sees = (x) => {
    camera.position.set(x, 20, 4);
    camera.lookAt(x, 0, 4);
    camera.updateMatrixWorld();
    const view = new Frustum().setFromProjectionMatrix(new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const ray = new Raycaster(new Vector3(x, 20, 4), new Vector3(0, -1, 0));
    return [view.intersectsObject(bodies), ray.intersectObject(bodies).length > 0];
  };
  assert.deepEqual(sees(2), [true, true]);
  crowd.goTo(agent, [45, 0, 4]);
  for (let tick = 0; tick < 150; tick += 1) crowd.step(0.1);
  crowd.walk(agent, [1, 0, 0]);
  crowd.step(0.1);
  crowdToInstances(crowd, bodies);
  const [x] = crowd.position(agent);
  assert.ok(x > 30, String(x));
  assert.deepEqual(sees(x), [true, true]);
  const matrix = new Matrix4();
  bodies.getMatrixAt(0, matrix);
  const scale = new Vector3().setFromMatrixScale(matrix);
  assert.ok(Math.abs(scale.y - 2) < 1e-6 && Math.abs(scale.x - 1) < 1e-6, JSON.stringify(scale));
});
