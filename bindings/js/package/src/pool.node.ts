import { Worker } from "node:worker_threads";
import "./load.node.js";
import { setStarter } from "./pool.js";

export * from "./pool.js";

/** In Node, a worker is a thread. */
setStarter((script) => {
  const worker = new Worker(script);
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as ArrayBuffer[]),
    listen: (onMessage, onError) => {
      worker.on("message", onMessage);
      worker.on("error", onError);
      worker.on("exit", (code) => onError(new Error(`the worker ended with status ${code}`)));
    },
    stop: () => void worker.terminate(),
  };
}, new URL("./pool.worker.node.js", import.meta.url));
