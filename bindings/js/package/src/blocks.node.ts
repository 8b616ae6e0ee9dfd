import "./load.node.js";

export * from "./blocks.js";
