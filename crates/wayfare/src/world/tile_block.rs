//! One block of a world's tiles: new tiles are baked, the others are already in the store.
//!
//! Cost: the triangles of each tile are hashed; then that of the tiles that are new. Sources: own work.

use super::source::touches;
use super::{TileWindow, WorldBakeError, WorldPiece, WorldSource};
use crate::area::{AREA_COUNT, AreaId, AreaRules};
use crate::bake::{BakeReport, BlockBaker, TilePlan, TileRect, count_known, tile_key};
use crate::context::Context;
use crate::format::{Sections, StoreEntry, StoreHead, StoreRecord, WorldStore};
use crate::hierarchy::TileGraph;
use crate::math::Aabb;
use crate::tile::{TileCoord, TileData};
use glam::Vec3;
use std::sync::Mutex;
use xxhash_rust::xxh3::Xxh3;

/// How many cells beyond a tile's border a source is queried: the rasteriser rounds.
const RIM: f32 = 2.0;

/// What all threads share.
pub(super) struct BlockContext<'a> {
    pub(super) source: &'a dyn WorldSource,
    pub(super) plan: TilePlan,
    pub(super) head: StoreHead,
    pub(super) flags: &'a AreaRules,
    pub(super) flags_digest: u64,
    pub(super) empty_report: BakeReport,
    /// Bakers that are not working on a block now.
    pub(super) idle: Mutex<Vec<BlockBaker>>,
}

/// The result for a tile.
pub(super) struct WorldTile {
    /// Its record; `None` if the store already has it.
    pub(super) record: Option<StoreRecord>,
    pub(super) report: BakeReport,
}

/// What is kept beside a tile: its part of the abstract graph.
fn beside(tile: Option<&TileData>) -> Sections {
    let mut sections = Sections::EMPTY;
    if let Some(tile) = tile {
        let graph = TileGraph::as_made(tile).to_bytes();
        sections.set(StoreRecord::GRAPH_SECTION, 1, graph);
    }
    sections
}

/// Bakes the tiles of a block that the store, if any, does not have, and returns all its tiles.
pub(super) fn bake_block(
    shared: &BlockContext<'_>,
    block: &TileWindow,
    store: Option<&dyn WorldStore>,
    context: &Context<'_>,
) -> Result<Vec<WorldTile>, WorldBakeError> {
    context.check_cancelled()?;
    let plan = &shared.plan;
    let columns = block.columns.clone();
    let numbers = block.rows.clone().flat_map(|z| columns.clone().map(move |x| (z, x)));
    let rects: Vec<(u64, TileRect)> = numbers
        .map(|(z, x)| u64::from(z) * u64::from(plan.columns) + u64::from(x))
        .map(|number| (number, plan.tile(number)))
        .collect();
    let around = rects.iter().map(|(_, rect)| box_of(rect)).fold(Aabb::EMPTY, |all, one| all.union(one));
    let piece = shared.source.piece(&around)?;
    let mut tiles = Vec::new();
    let mut fresh = Vec::new();
    for (number, rect) in &rects {
        let key = key_of(&piece, plan, rect, shared.flags_digest);
        let known = store.and_then(|store| known_tile(store, rect.coord, key));
        if known.is_none() {
            fresh.push(*number);
        }
        tiles.push((rect.coord, key, known));
    }
    let mut baked =
        if fresh.is_empty() { Vec::new() } else { bake_fresh(shared, &piece, &fresh, context)? }.into_iter();
    let mut made = Vec::new();
    for (coord, key, known) in tiles {
        made.push(match known {
            Some(tile) => {
                let mut report = shared.empty_report.clone();
                count_known(tile.as_ref(), &mut report);
                WorldTile { record: None, report }
            }
            None => {
                let (_, tile, report) = baked.next().unwrap_or((0, None, shared.empty_report.clone()));
                let tile = tile.map(|tile| with_flags(&tile, shared.flags));
                let record = StoreRecord::new(&shared.head, coord, key, tile.as_ref(), &beside(tile.as_ref()))?;
                WorldTile { record: Some(record), report }
            }
        });
    }
    Ok(made)
}

fn bake_fresh(
    shared: &BlockContext<'_>,
    piece: &WorldPiece<'_>,
    fresh: &[u64],
    context: &Context<'_>,
) -> Result<Vec<(u64, Option<TileData>, BakeReport)>, WorldBakeError> {
    let mut baker = shared.borrow_baker();
    // The progress of a world is counted in tiles.
    let baked = baker.bake(piece.level(), fresh, &Context { progress: None, ..*context })?;
    shared.give_back(baker);
    Ok(baked)
}

/// A tile that need not be baked, since the store has it from the same input: `Some(None)` if it has no walkable
/// surface. A broken one is baked again.
fn known_tile(store: &dyn WorldStore, coord: TileCoord, key: u64) -> Option<Option<TileData>> {
    let StoreEntry { key: stored, .. } = store.index().get(coord)?;
    let tile = (*stored == key).then(|| store.read_tile(coord).ok())?;
    tile.map(|stored| stored.tile.map(|tile| tile.into_data()))
}

/// The box whose contents a tile is baked from, at all heights.
fn box_of(rect: &TileRect) -> Aabb {
    let grid = rect.baked_grid();
    let rim = RIM * grid.cell_size;
    let low = Vec3::new(grid.world_x(0) - rim, f32::NEG_INFINITY, grid.world_z(0) - rim);
    let [width, depth] = [grid.width, grid.depth].map(|cells| cells as i32);
    Aabb { min: low, max: Vec3::new(grid.world_x(width) + rim, f32::INFINITY, grid.world_z(depth) + rim) }
}

/// A hash of the input of a tile, which does not depend on the block.
fn key_of(piece: &WorldPiece<'_>, plan: &TilePlan, rect: &TileRect, flags_digest: u64) -> u64 {
    let bounds = box_of(rect);
    let count = piece.mesh.tris().len() as u32;
    let triangles: Vec<u32> = (0..count).filter(|&i| touches(piece.mesh.corners(i as usize), &bounds)).collect();
    let mut hash = Xxh3::new();
    hash.update(&tile_key(&piece.level(), plan, rect, Some(&triangles)).to_le_bytes());
    hash.update(&flags_digest.to_le_bytes());
    hash.digest()
}

/// A hash of the flags of all area types, which tile keys do not include.
pub(super) fn digest_of_flags(flags: &AreaRules) -> u64 {
    let mut hash = Xxh3::new();
    for area in (0..AREA_COUNT as u8).map(AreaId::from_low_bits) {
        let flags = flags.flags(area).map_or(u32::MAX, |flags| u32::from(flags.0));
        hash.update(&flags.to_le_bytes());
    }
    hash.digest()
}

fn with_flags(tile: &TileData, flags: &AreaRules) -> TileData {
    tile.with_states(|_, poly| (flags.flags(poly.area).unwrap_or(poly.flags), poly.area))
}

impl BlockContext<'_> {
    fn borrow_baker(&self) -> BlockBaker {
        let idle = self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| BlockBaker::new(&self.plan, self.empty_report.clone()))
    }

    fn give_back(&self, baker: BlockBaker) {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(baker);
    }
}
