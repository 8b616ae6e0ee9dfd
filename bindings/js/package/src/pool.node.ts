import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import "./load.node.js";
import type { Thread } from "./pool.js";
import { setMachine } from "./pool.js";

export * from "./pool.js";

/** In Node, a worker is a thread. */
function start(script: URL | string = new URL("./pool.worker.node.js", import.meta.url)): Thread {
  // What says how the text after `-e` is meant would be taken for the worker's file.
  const isText = process.execArgv.some((word) => word.startsWith("--input-type"));
  const worker = new Worker(script, isText ? { execArgv: [] } : {});
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
}

setMachine({ start, threads: availableParallelism });
