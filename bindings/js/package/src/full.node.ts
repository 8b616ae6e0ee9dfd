import "./load.node.js";

export * from "./full.js";
