import "./load.node.js";

export * from "./index.js";
