//! Computes keys of tiles: a hash of everything that a tile is baked from, to decide whether it must be baked again.
//!
//! ```text
//!    +- - - - - - +
//!    | border     |      triangles that touch tile or border, with their area types; heights and volumes there;
//!    |  +------+  |      where the tile and the level's edge lie; every setting; the version of this library
//!    |  | tile |  |
//!    |  +------+  |
//!    +- - - - - - +
//! ```
//!
//! Off-mesh connections belong to the mesh and change no tile, so they are not included.
//!
//! Cost: the triangles of all tiles are read once. Sources: XXH3 (Yann Collet, 2019); with 64 bits, two different
//! inputs of one tile share a key once in 10^19.

use crate::bake::{TileInput, TileInputs, TilePlan, TileRect};
use crate::input::{AgentSettings, Filters, HeightMap, Level, MarkedVolume, Volume, VoxelSettings};
use crate::math::Aabb;
use crate::tile::TileKeys;
use crate::voxel::Grid;
use glam::{Vec2, Vec3};
use xxhash_rust::xxh3::Xxh3;

/// Increased when a bake gives other tiles for the same input within one version.
const REVISION: u32 = 2;

/// The keys of all tiles of a plan, including those without a walkable surface.
///
/// With feature `rayon`, runs on the threads of the pool from which it is called.
#[must_use]
pub fn tile_keys<'a>(level: impl Into<Level<'a>>, plan: &TilePlan) -> TileKeys {
    let level = level.into();
    let one = |_: &mut (), _, TileInput { triangles, tile, .. }: TileInput<'_>| {
        (tile.coord, tile_key(&level, plan, &tile, triangles))
    };
    TileInputs::new(level, plan).map(|| (), one).into_iter().collect()
}

/// The key of one tile of a level, baked from these triangles (`None`: all).
#[must_use]
pub fn tile_key(level: &Level<'_>, plan: &TilePlan, tile: &TileRect, triangles: Option<&[u32]>) -> u64 {
    let mut key = Key { hash: Xxh3::new(), bytes: Vec::with_capacity(BLOCK + 64) };
    key.bytes.extend_from_slice(env!("CARGO_PKG_VERSION").as_bytes());
    key.u32(REVISION);
    key.settings(&plan.settings);
    let grid = tile.baked_grid();
    key.place(&plan.level, &grid, tile);
    let mut triangle = |i: usize| {
        level.mesh.corners(i).into_iter().for_each(|corner| key.vec3(corner));
        key.u32(u32::from(level.mesh.areas()[i].get()));
    };
    match triangles {
        Some(some) => some.iter().for_each(|&i| triangle(i as usize)),
        None => (0..level.mesh.tris().len()).for_each(triangle),
    }
    let end = |start: f32, cells: u32| start + cells as f32 * grid.cell_size;
    let low = Vec2::new(grid.world_x(0), grid.world_z(0));
    let high = [grid.width, grid.depth];
    let high = Vec2::new(end(low.x, high[0]), end(low.y, high[1]));
    // One more cell on each side: centres and bounds are rounded.
    let [low, high] = [low - Vec2::splat(grid.cell_size), high + Vec2::splat(grid.cell_size)];
    if let Some(terrain) = level.terrain {
        key.terrain(terrain, [low, high]);
    }
    for marked in level.volumes {
        let Aabb { min, max } = marked.volume.bounds();
        if min.x <= high.x && max.x >= low.x && min.z <= high.y && max.z >= low.y {
            key.volume(marked);
        }
    }
    key.finish()
}

/// Bytes collected before they are hashed.
const BLOCK: usize = 4096;

struct Key {
    hash: Xxh3,
    bytes: Vec<u8>,
}

impl Key {
    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.bytes.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
        if self.bytes.len() >= BLOCK {
            self.hash.update(&self.bytes);
            self.bytes.clear();
        }
    }

    fn u32(&mut self, value: u32) {
        self.words([value]);
    }

    fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    fn vec3(&mut self, v: Vec3) {
        self.words(v.to_array().map(f32::to_bits));
    }

    fn finish(mut self) -> u64 {
        self.hash.update(&self.bytes);
        self.hash.digest()
    }

    /// Every setting: a new one does not compile until it is listed here.
    fn settings(&mut self, settings: &VoxelSettings) {
        let &VoxelSettings {
            cell_size,
            cell_height,
            min_walkable_normal_y,
            agent_height_vx,
            agent_climb_vx,
            agent_drop_vx,
            agent_radius_vx,
            erosion,
            filters: Filters { low_hanging_obstacles, ledges, low_height },
            partition,
            min_region_cells,
            merge_region_cells,
            edge_max_len_vx,
            edge_max_error,
            verts_per_poly,
            detail_sample_dist,
            detail_sample_max_error,
            tile_size_vx,
            border_vx,
            agent: AgentSettings { height, radius, max_climb, max_slope, max_drop },
        } = settings;
        for value in [cell_size, cell_height, min_walkable_normal_y, edge_max_error, detail_sample_dist] {
            self.f32(value);
        }
        for value in [detail_sample_max_error, height, radius, max_climb, max_slope, max_drop] {
            self.f32(value);
        }
        for value in [agent_height_vx, agent_climb_vx, agent_drop_vx, agent_radius_vx, min_region_cells] {
            self.u32(value);
        }
        for value in [merge_region_cells, edge_max_len_vx, verts_per_poly, tile_size_vx, border_vx] {
            self.u32(value);
        }
        for value in [low_hanging_obstacles, ledges, low_height] {
            self.u32(u32::from(value));
        }
        self.u32(erosion as u32);
        self.u32(partition as u32);
    }

    /// The position of the tile, and where the level ends near it.
    fn place(&mut self, level: &Grid, grid: &Grid, tile: &TileRect) {
        self.vec3(level.origin);
        for value in [tile.coord.x, tile.coord.z, grid.x, grid.z] {
            self.u32(value.cast_unsigned());
        }
        for value in [tile.coord.layer, grid.width, grid.depth, tile.border] {
            self.u32(value);
        }
        let near = |first: i32, count: u32, end: u32| (i64::from(first) + i64::from(count)).min(i64::from(end)) as u32;
        self.u32(near(grid.x, grid.width, level.width));
        self.u32(near(grid.z, grid.depth, level.depth));
    }

    fn terrain(&mut self, map: &HeightMap, [low, high]: [Vec2; 2]) {
        let columns = map.columns_between(low.x, high.x);
        let rows = map.rows_between(low.y, high.y);
        let scale = map.scale();
        self.vec3(scale.origin);
        for value in [scale.spacing, scale.step] {
            self.u32(value.to_bits() as u32);
            self.u32((value.to_bits() >> 32) as u32);
        }
        for value in [u32::from(map.area().get()), columns.start, columns.end, rows.start, rows.end] {
            self.u32(value);
        }
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        // The ranges count the gaps between points.
        for row in rows.start..=rows.end {
            (columns.start..=columns.end).for_each(|column| self.u32(u32::from(map.sample(column, row))));
        }
    }

    fn volume(&mut self, marked: &MarkedVolume) {
        let MarkedVolume { volume, area, when } = marked;
        self.u32(u32::from(area.get()));
        self.u32(*when as u32);
        match volume {
            Volume::Prism { outline, heights } => {
                self.u32(0);
                self.u32(outline.len() as u32);
                outline.iter().flat_map(|p| [p.x, p.y]).chain(*heights).for_each(|c| self.f32(c));
            }
            Volume::Box(Aabb { min, max }) => {
                self.u32(1);
                self.vec3(*min);
                self.vec3(*max);
            }
            Volume::TurnedBox { center, half_extents, angle } => {
                self.u32(2);
                self.vec3(*center);
                self.vec3(*half_extents);
                self.f32(*angle);
            }
            Volume::Cylinder { base, radius, height } => {
                self.u32(3);
                self.vec3(*base);
                self.f32(*radius);
                self.f32(*height);
            }
            Volume::Capsule { base, radius, height } => {
                self.u32(4);
                self.vec3(*base);
                self.f32(*radius);
                self.f32(*height);
            }
            Volume::Hull(points) => {
                self.u32(5);
                self.u32(points.len() as u32);
                points.iter().for_each(|p| self.vec3(*p));
            }
            Volume::Mesh { surface, offset } => {
                self.u32(6);
                self.vec3(*offset);
                self.u32(surface.tris().len() as u32);
                (0..surface.tris().len()).flat_map(|i| surface.corners(i)).for_each(|corner| self.vec3(corner));
            }
        }
    }
}
