import { Handle } from "./handle.js";
import type { Level } from "./level.js";
import { rawLevel } from "./level.js";
import { rawFull } from "./load.js";
import type { NavMesh } from "./nav-mesh.js";
import { rawMesh } from "./nav-mesh.js";
import type { BakeSettings, Progress } from "./settings.js";
import { bakeOptions } from "./settings.js";
import type { PolyRef, Vec3 } from "./vector.js";
import { callable } from "./vector.js";
import type { RawLinks } from "./wasm/full.js";

/** How links of one kind are found. Metres. */
export interface LinkRule {
  maxHeight?: number;
  maxDistance?: number;
  /** How far a jump rises above its start. */
  rise?: number;
  /** Distance between links along an edge. */
  spacing?: number;
  /** How wide the way must be. */
  width?: number;
  twoWay?: boolean;
  area?: number;
  flags?: number;
}

/** Which links are found: `false` leaves a kind out, a rule changes what is usual for the agent. */
export interface LinkSettings {
  drop?: LinkRule | boolean;
  jumpDown?: LinkRule | boolean;
  jumpAcross?: LinkRule | boolean;
  climb?: LinkRule | boolean;
}

/** A link that was found. */
export interface Link {
  kind: string;
  /** The user id of its connection; the same link has the same in every bake. */
  userId: number;
  start: Vec3;
  end: Vec3;
  radius: number;
  twoWay: boolean;
  area: number;
  flags: number;
}

/** Links that a level offers: drops, jumps, climbs. */
export class AutoLinks extends Handle<RawLinks> {
  /** Looks for links between the surfaces of a mesh, by the level and the settings that it was baked with. */
  constructor(level: Level, settings: BakeSettings, mesh: NavMesh, rules: LinkSettings = {}, progress?: Progress) {
    const told = progress === undefined ? undefined : callable(progress, "progress");
    super(rawFull().RawLinks.find(rawLevel(level), bakeOptions(settings), rawMesh(mesh), rules, told));
  }

  list(): Link[] {
    return this.raw.list();
  }

  /** Adds all of them to a mesh as off-mesh connections, and returns their references in the same order. */
  addTo(mesh: NavMesh): PolyRef[] {
    return [...this.raw.addTo(rawMesh(mesh))];
  }
}
