//! The full build: bakes of what has changed alone.

use crate::bake::{RawBaked, context};
use crate::fault::Answer;
use crate::level::RawLevel;
use crate::mesh::RawMesh;
use crate::named::bake_settings;
use wasm_bindgen::prelude::*;
use wayfare::bake::{BakedTiles, EmptyBake, TileBaker, TilePlan, TileSink, bake_agents_planned, tile_keys};
use wayfare::context::Cancelled;
use wayfare::mesh::NavMesh;
use wayfare::tile::{TileCoord, TileData, TileKeys};

/// Bakes again what has changed since a mesh was baked with keys; the other tiles are taken over.
#[wasm_bindgen(js_name = rebake)]
pub fn rebake(level: &RawLevel, options: &JsValue, old: &RawMesh) -> Answer<RawBaked> {
    let settings = bake_settings(options)?;
    let level = level.parts.level();
    let plan = TilePlan::new(level, &settings)?;
    let keys = tile_keys(level, &plan);
    let mut sink = Reusing { old, keys: &keys, baked: BakedTiles { layout: plan.layout(), tiles: Vec::new() } };
    let mut report = plan.report(&level, &settings);
    bake_agents_planned(
        level,
        core::slice::from_ref(&plan),
        &context(),
        core::slice::from_mut(&mut report),
        &mut [&mut sink],
    )?;
    let tiles = sink.baked;
    let empty = tiles.tiles.is_empty().then(|| EmptyBake::of(level, &settings));
    let mesh = NavMesh::from_tiles(tiles.layout, tiles.tiles)?;
    Ok(RawBaked { mesh: Some(RawMesh::new(mesh, keys)), report, empty })
}

/// Takes tiles of an earlier bake where they were made from the same.
struct Reusing<'a> {
    old: &'a RawMesh,
    keys: &'a TileKeys,
    baked: BakedTiles,
}

impl TileSink for Reusing<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let key = self.keys.get(coord)?;
        self.old.file.cache.unchanged_tile(coord, key).map(|tile| tile.cloned())
    }

    fn take(&mut self, coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.baked.take(coord, tile)
    }
}

/// Bakes the tiles under a box anew and puts them into a mesh; returns how many those are.
#[wasm_bindgen(js_name = rebuildTiles)]
pub fn rebuild_tiles(level: &RawLevel, options: &JsValue, mesh: &mut RawMesh, bounds: &[f32]) -> Answer<u32> {
    let settings = bake_settings(options)?;
    let level = level.parts.level();
    let plan = TilePlan::new(level, &settings)?;
    plan.check_layout(mesh.mesh().layout())?;
    let mut report = plan.report(&level, &settings);
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut count = 0;
    for index in plan.tiles_touched(&crate::volume::bounds(bounds)?) {
        let rect = plan.tile(index);
        let made = baker.bake(level, None, &rect, &context(), &mut report)?;
        let there = mesh.mesh().tile_at(rect.coord).map(|tile| tile.tile_ref());
        match (there, made) {
            (Some(old), Some(tile)) => drop(mesh.file.mesh.replace_tile(old, tile)?),
            (Some(old), None) => drop(mesh.file.mesh.remove_tile(old)?),
            (None, Some(tile)) => drop(mesh.file.mesh.add_tile(tile)?),
            (None, None) => {}
        }
        count += 1;
    }
    Ok(count)
}
