// A worker that tells what it is asked.
import { parentPort, threadId } from "node:worker_threads";
import "../dist/pool.worker.node.js";

const channel = new BroadcastChannel("wayfare-test");
channel.unref();
parentPort.on("message", ({ kind }) => channel.postMessage({ thread: threadId, kind }));
