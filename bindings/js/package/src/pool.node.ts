import { Worker } from "node:worker_threads";
import "./load.node.js";
import { setStarter } from "./pool.js";

export * from "./pool.js";

/** In Node, a worker is a thread. */
setStarter((script) => {
  const worker = new Worker(script);
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.on("message", onMessage);
      worker.on("error", onError);
      worker.on("exit", (code) => onError(new Error(`the worker ended with status ${code}`)));
    },
    // A script that has had its answers ends, with or without disposing of the pool.
    hold: (isAtWork) => (isAtWork ? worker.ref() : worker.unref()),
    stop: () => void worker.terminate(),
  };
}, new URL("./pool.worker.node.js", import.meta.url));
