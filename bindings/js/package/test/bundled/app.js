// A page as somebody writes it who uses a bundler: the package by its names, and nothing said of its files.
import { Level, bake, init } from "wayfare";
import { createPool } from "wayfare/pool";
import { hills } from "../levels.mjs";

const settings = { agent: { radius: 0.5 }, cellSize: 0.25, cellHeight: 0.125, tileSize: 32 };
// As on a machine without SIMD, where that is asked for.
const simd = !location.search.includes("plain");

async function run() {
  await init({ simd });
  const level = new Level(hills(40));
  const pool = await createPool({ threads: 2 });
  const { mesh } = await pool.bake(level, settings);
  const { count } = await (await pool.share(mesh)).findPaths([[1, 0, 1]], [[30, 0, 30]]);
  pool.dispose();
  if (count !== 1 || mesh.digest !== bake(level, settings).mesh.digest) throw new Error("another mesh");
}

const told = await run().then(() => "", (error) => `${error.name}: ${error.message}\n${error.stack}`);
await fetch("/results", { method: "POST", body: told });
