// A worker that breaks when it is told to: asked for a path from x = 999 it ends; from x = 888, its WebAssembly fails from
// then on, as it does after a trap.
import { parentPort } from "node:worker_threads";
import "../dist/pool.worker.node.js";

let hasTrapped = false;
const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (reply) =>
  post(hasTrapped ? { id: reply.id, failed: { code: "internal", message: "unreachable" } } : reply);
// Heard after the worker's own listener, and before its answer.
parentPort.on("message", ({ kind, from }) => {
  if (kind !== "paths") return;
  if (from[0] === 999) process.exit(3);
  if (from[0] === 888) hasTrapped = true;
});
