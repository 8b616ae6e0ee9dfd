// Compiled, never run: a project for Node, which knows nothing of browsers.
import { bake, init } from "wayfare";
import type { BakeWarningKind, Level } from "wayfare";
import { init as initBlocks } from "wayfare/blocks";
import { findOptimalPath } from "wayfare/full";
import { createPool } from "wayfare/pool";

export async function main(level: Level, bytes: Uint8Array): Promise<BakeWarningKind[]> {
  await init({ wasm: bytes });
  await initBlocks({ wasm: new URL("file:///blocks.wasm") });
  // @ts-expect-error: a number is no WebAssembly.
  await init({ wasm: 5 });
  const pool = await createPool({ script: "./worker.js" });
  const { report } = await pool.bake(level, {}, { progress: () => false });
  // @ts-expect-error: warnings have dashes in their names.
  report.warnings.find(({ kind }) => kind === "nothing_walkable");
  return [...report.warnings, ...bake(level).report.warnings].map(({ kind }) => kind);
}

export { findOptimalPath };
