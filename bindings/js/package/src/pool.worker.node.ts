import { parentPort } from "node:worker_threads";
import "./load.node.js";
import { answer } from "./pool.answer.js";

parentPort?.on("message", async (message: Parameters<typeof answer>[0]) => {
  parentPort?.postMessage(await answer(message));
});
