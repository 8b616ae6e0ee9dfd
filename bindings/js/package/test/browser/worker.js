import { Level, bake, init } from "../../dist/index.js";
import { room } from "../levels.mjs";

self.onmessage = async ({ data: { simd, settings } }) => {
  try {
    await init({ simd });
    self.postMessage({ digest: bake(new Level(room()), settings).mesh.digest });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
