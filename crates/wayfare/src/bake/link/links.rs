//! Finds automatic links: the drops, jumps and climbs of a level, along the borders of its mesh.
//!
//! ```text
//!    ____             ____________
//!   |    |__ drop    |            '. jump down        ____   jump across   ____
//!   |    |  |        |              '.               |    |' ' ' ' ' ' ' '|    |
//!   |    |__v____    |____________    v_______       |    |               |    |
//! ```
//!
//! Tile by tile, every wall of the mesh is sampled (`take_off.rs`), each sample looks for a landing of each kind
//! (`search.rs`), and of consecutive samples that succeed some are kept, a spacing apart. The links of all tiles are
//! then sorted; links that overlap, and links between positions connected by a short walk, are dropped.
//!
//! Each tile is rasterised again together with the surroundings that a link can reach, so links cross tile borders;
//! links of one tile depend only on the level, the settings and the tile's own borders. The result is the same for any
//! number of threads and any order of tiles, and baking again gives each link the same id: a hash of its kind and of
//! its ends, counted in cells from the world's origin.
//!
//! Cost: another rasterisation of each tile with its surroundings; then proportional to the length of walls times the
//! reach.
//!
//! Sources: Mikko Mononen, "Paris Game/AI Conference 2011 Slides and Demo", Digesting Duck, July 2011 (annotations
//! found by sampling contours over voxels, jump links among them).

use super::blocks::Blocks;
use super::ground::{LinkGround, WalkScratch, mark_islands};
use super::search::{Landing, LinkSearch};
use super::take_off::{TakeOff, visit_take_offs};
use crate::area::{AreaId, PolyFlags};
use crate::bake::{BakeError, BakeReport, Door, TileBaker, TileInput, TileInputs, TilePlan, TileRect};
use crate::context::{Context, SharedCount, parallel};
use crate::input::{Level, LinkKind, LinkRule, LinkSettings};
use crate::tile::TileData;
use crate::voxel::Grid;
use glam::{DVec2, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// A link that was found. World coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoLink {
    /// The kind of movement.
    pub kind: LinkKind,
    /// An id that stays the same when the level is baked again, as long as kind and ends do, even if the level has
    /// grown by whole cells in any direction; never 0, and unique in a level. It is a hash: if several links of one
    /// level have the same hash (among 10,000 links, one level in 86 has such a pair), only the first in order of kind
    /// and position is sure to keep it; the others take a free number near it, which depends on the level's other
    /// links.
    pub id: u32,
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How far the mesh may be from its ends: the agent's radius plus the simplification error of outlines.
    pub radius: f32,
    /// Whether it can also be used from its end to its start.
    pub two_way: bool,
    /// Area type.
    pub area: AreaId,
    /// Abilities needed to use it.
    pub flags: PolyFlags,
}

/// Finds the links of a level whose `tiles` were baked by `plan`. No link starts on tiles that are left out, but links
/// may land there. None leads through a volume that makes surfaces not walkable and is higher than the agent climbs.
///
/// With feature `rayon`, tiles are searched on the threads of the pool from which it is called. `context.progress`
/// counts tiles.
///
/// # Errors
/// Settings out of range, a tile whose surroundings one heightfield or `context.memory_limit` cannot hold, or
/// cancelled: [`BakeError`].
pub fn find_links<'a>(
    level: impl Into<Level<'a>>,
    plan: &TilePlan,
    tiles: &[&TileData],
    links: &LinkSettings,
    context: &Context<'_>,
) -> Result<Vec<AutoLink>, BakeError> {
    let level = level.into();
    links.check()?;
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let searcher = TileSearcher::new(plan, links);
    let inputs = TileInputs::reaching(level, plan, searcher.border());
    let mut found = Vec::new();
    let done = SharedCount::default();
    let search = |scratch: &mut Scratch, tile: &TileData| {
        context.check_cancelled()?;
        // None: the tile does not belong to this plan.
        let index = plan.index_at(tile.coord().x, tile.coord().z);
        let found = index.map_or(Ok(Vec::new()), |index| searcher.search(inputs.tile(index), tile, scratch, context));
        done.add(1, |done| context.progress(done, tiles.len() as u64));
        found
    };
    for tile in parallel::map(tiles.to_vec(), || searcher.scratch(), search) {
        found.extend(tile?);
    }
    Ok(settle(found, plan, links))
}

/// A link before it has an id. Ends in cells of the level, heights in cell heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    kind: LinkKind,
    ends: [(DVec2, u16); 2],
}

impl Candidate {
    /// Identifies it in its level: kind, and both ends to a quarter of a cell.
    fn key(&self) -> LinkKey {
        let [(a, y), (b, z)] = self.ends;
        let quarter = |cells: f64| (cells * 4.0).round() as i64;
        let kind = self.kind as i64;
        [kind, quarter(a.y), quarter(a.x), i64::from(y), quarter(b.y), quarter(b.x), i64::from(z)]
    }

    /// A hash that identifies it in the world, where the level's low corner is this many cells (x, z) and cell heights
    /// (y) from the origin.
    fn hash(&self, [x, y, z]: [i64; 3]) -> u32 {
        let [kind, az, ax, ay, bz, bx, by] = self.key();
        let key: LinkKey = [kind, az + 4 * z, ax + 4 * x, ay + y, bz + 4 * z, bx + 4 * x, by + y];
        let bytes: Vec<u8> = key.iter().flat_map(|part| part.to_le_bytes()).collect();
        (xxh3_64(&bytes) as u32).max(1)
    }
}

type LinkKey = [i64; 7];

/// How many cells (x, z) and cell heights (y) a level's low corner is from the world's origin.
fn cells_from_origin(level: &Grid) -> [i64; 3] {
    // Rounded, with the threshold not at halves: levels often begin at half a cell, and a float's last bit would
    // decide.
    let cells = |at: f32, size: f32| (f64::from(at) / f64::from(size) + 0.49).floor() as i64;
    let origin = level.origin;
    let side = level.cell_size;
    [cells(origin.x, side), cells(origin.y, level.cell_height), cells(origin.z, side)]
}

/// A unique number for each hash: the hash itself, for the first that has it. Others probe for a number that is
/// nobody's hash, so that they take no other link's.
fn distinct(hashes: &[u32]) -> Vec<u32> {
    let mut taken: BTreeSet<u32> = hashes.iter().copied().collect();
    let mut given = BTreeSet::new();
    let number = |&hash: &u32| {
        let mut id = hash;
        if !given.insert(hash) {
            while !taken.insert(id) {
                id = id.wrapping_add(1).max(1);
            }
        }
        id
    };
    hashes.iter().map(number).collect()
}

/// Searches tiles one by one. Shared by all threads.
pub(crate) struct TileSearcher<'a> {
    plan: &'a TilePlan,
    links: &'a LinkSettings,
    search: LinkSearch,
    border: u32,
}

/// Memory of one thread.
pub(crate) struct Scratch {
    baker: TileBaker,
    walk: WalkScratch,
    kept: Vec<bool>,
}

impl<'a> TileSearcher<'a> {
    pub(crate) fn new(plan: &'a TilePlan, links: &'a LinkSettings) -> Self {
        let search = LinkSearch::new(links, &plan.settings);
        let border = search.reach().ceil() as u32 + plan.settings.border_vx;
        Self { plan, links, search, border }
    }

    /// How far around a tile the level decides about its links, in cells.
    pub(crate) fn border(&self) -> u32 {
        self.border
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let baker = TileBaker::new(self.plan.level, self.plan.settings);
        Scratch { baker, walk: WalkScratch::default(), kept: Vec::new() }
    }

    /// The links that start on a tile. The input holds the triangles of the tile and its [border](Self::border).
    pub(crate) fn search(
        &self,
        input: TileInput<'_>,
        tile: &TileData,
        scratch: &mut Scratch,
        context: &Context<'_>,
    ) -> Result<Vec<Candidate>, BakeError> {
        let Scratch { baker, walk, kept } = scratch;
        let source = TileInput { tile: TileRect { border: self.border, ..input.tile }, ..input };
        let mut unused = BakeReport::new(input.level.bounds());
        baker.run(&source, [Door::Triangles, Door::Eroded], &mut (), context, &mut unused)?;
        let products = baker.products();
        mark_islands(&products.compact, self.plan.settings.min_region_cells, kept);
        let ground = LinkGround { solid: &products.heightfield, open: &products.compact, kept };
        walk.start(ground.open);
        let near = source.tile.bounds_with_border();
        let step = 0.5 * self.plan.level.cell_size;
        let blocks = Blocks::new(source.level.volumes, &near, &self.plan.settings.agent, step);
        let mut rows = Rows { searcher: self, ground, blocks, walk, rows: Default::default(), found: Vec::new() };
        visit_take_offs(tile, &self.plan.level, |place| rows.add(place));
        Ok(rows.finish())
    }
}

/// Consecutive samples, one list for each kind, in order along the edges of a tile.
struct Rows<'a> {
    searcher: &'a TileSearcher<'a>,
    ground: LinkGround<'a>,
    blocks: Blocks<'a>,
    walk: &'a mut WalkScratch,
    rows: [Vec<(TakeOff, Landing)>; LinkKind::ALL.len()],
    found: Vec<Candidate>,
}

impl Rows<'_> {
    fn add(&mut self, place: TakeOff) {
        let landings = self.searcher.search.find(&self.ground, &place);
        for (kind, landing) in LinkKind::ALL.into_iter().zip(landings) {
            let goes_on = match (self.rows[kind as usize].last(), &landing) {
                (Some((last, before)), Some(now)) => self.is_next((last, before), (&place, now)),
                _ => false,
            };
            if !goes_on {
                self.end_row(kind);
            }
            self.rows[kind as usize].extend(landing.map(|landing| (place, landing)));
        }
    }

    /// Whether two samples are neighbours on one edge and land side by side.
    fn is_next(&self, (a, from): (&TakeOff, &Landing), (b, to): (&TakeOff, &Landing)) -> bool {
        let climb = self.searcher.plan.settings.agent_climb_vx;
        let step = |k: usize| {
            let y = |landing: &Landing| self.ground.open.y[landing.spans[k] as usize];
            u32::from(y(from).abs_diff(y(to)))
        };
        a.edge == b.edge && a.number + 1 == b.number && step(0) <= climb && step(1) <= climb
    }

    /// Keeps some of the samples of a row: those at multiples of the spacing, or the middle one of a short row.
    fn end_row(&mut self, kind: LinkKind) {
        let row = core::mem::take(&mut self.rows[kind as usize]);
        let Some(rule) = self.searcher.links.rule(kind).filter(|_| !row.is_empty()) else { return };
        let spacing = spacing_cells(rule, &self.searcher.plan.level) as i32;
        let is_kept = |place: &TakeOff| place.number.rem_euclid(spacing) == spacing / 2;
        let before = self.found.len();
        if row.len() as i32 >= spacing {
            for (place, landing) in row.iter().filter(|(place, _)| is_kept(place)) {
                self.keep(kind, place, landing);
            }
        }
        if self.found.len() == before {
            let (place, landing) = row[row.len() / 2];
            self.keep(kind, &place, &landing);
        }
    }

    /// Adds a link, unless one can walk from end to end, or a volume is in the way.
    fn keep(&mut self, kind: LinkKind, place: &TakeOff, landing: &Landing) {
        let length = place.at.distance(landing.at);
        let most = (length * WALK_FACTOR).ceil() as u32;
        let [from, to] = landing.spans;
        if self.walk.is_near(self.ground.open, from, to, most) {
            return;
        }
        let [y, z] = landing.spans.map(|span| self.ground.open.y[span as usize]);
        let edge = (place.at, y);
        let foot = (landing.at, z);
        let ends = if kind == LinkKind::Climb { [foot, edge] } else { [edge, foot] };
        let is_jump = matches!(kind, LinkKind::JumpDown | LinkKind::JumpAcross);
        let rise = self.searcher.links.rule(kind).filter(|_| is_jump).map_or(0.0, |rule| rule.rise);
        let [from, to] = ends.map(|end| world(&self.searcher.plan.level, end));
        if self.blocks.are_in_way(from, to, rise) {
            return;
        }
        self.found.push(Candidate { kind, ends });
    }

    fn finish(mut self) -> Vec<Candidate> {
        LinkKind::ALL.into_iter().for_each(|kind| self.end_row(kind));
        self.found
    }
}

/// A link is dropped if the walk, in steps from cell to cell, is at most this many times its horizontal length.
const WALK_FACTOR: f64 = 3.0;

fn spacing_cells(rule: &LinkRule, level: &Grid) -> u32 {
    ((rule.spacing / level.cell_size).round() as u32).max(1)
}

/// Sorts links, drops those that overlap another, and numbers the rest.
pub(crate) fn settle(mut all: Vec<Candidate>, plan: &TilePlan, links: &LinkSettings) -> Vec<AutoLink> {
    all.sort_by_key(Candidate::key);
    all.dedup_by_key(|link| link.key());
    let mut kept = Kept { level: &plan.level, places: BTreeMap::new(), links: Vec::new() };
    for link in all {
        if let Some(rule) = links.rule(link.kind)
            && !kept.has_near(&link, rule)
        {
            kept.add(link, rule);
        }
    }
    let corner = cells_from_origin(&plan.level);
    let hashes: Vec<u32> = kept.links.iter().map(|link| link.hash(corner)).collect();
    let found = kept
        .links
        .iter()
        .zip(distinct(&hashes))
        .filter_map(|(link, id)| links.rule(link.kind).map(|rule| finished(link, rule, id, plan)));
    found.collect()
}

/// The links kept so far, by start and end.
struct Kept<'a> {
    level: &'a Grid,
    /// Links by kind and by the cube that contains an end. Cubes are as wide as the spacing and as high.
    places: BTreeMap<(LinkKind, [i32; 3]), Vec<u32>>,
    links: Vec<Candidate>,
}

impl Kept<'_> {
    /// The spacing in cells and in cell heights.
    fn spacing(&self, rule: &LinkRule) -> [f64; 2] {
        let cells = f64::from(spacing_cells(rule, self.level));
        [cells, cells * f64::from(self.level.cell_size / self.level.cell_height)]
    }

    fn cube(&self, (at, y): (DVec2, u16), rule: &LinkRule) -> [i32; 3] {
        let [side, high] = self.spacing(rule);
        [at.x / side, f64::from(y) / high, at.y / side].map(|c| c.floor() as i32)
    }

    fn add(&mut self, link: Candidate, rule: &LinkRule) {
        let number = self.links.len() as u32;
        let ends = if rule.two_way { 2 } else { 1 };
        for &end in &link.ends[..ends] {
            self.places.entry((link.kind, self.cube(end, rule))).or_default().push(number);
        }
        self.links.push(link);
    }

    /// Whether a kept link begins and ends (or, for two-way links, ends and begins) near this one's ends.
    fn has_near(&self, link: &Candidate, rule: &LinkRule) -> bool {
        let [near, level] = self.spacing(rule).map(|spacing| 0.75 * spacing);
        let [x, y, z] = self.cube(link.ends[0], rule);
        let around = |c: i32| c - 1..=c + 1;
        let cubes = around(z).flat_map(|z| around(y).flat_map(move |y| around(x).map(move |x| [x, y, z])));
        let is_over =
            |a: (DVec2, u16), b: (DVec2, u16)| a.0.distance(b.0) < near && f64::from(a.1.abs_diff(b.1)) < level;
        cubes.filter_map(|cube| self.places.get(&(link.kind, cube))).flatten().any(|&number| {
            let [start, end] = self.links[number as usize].ends;
            let [from, to] = link.ends;
            (is_over(start, from) && is_over(end, to)) || (rule.two_way && is_over(end, from) && is_over(start, to))
        })
    }
}

/// An end of a link, in world coordinates.
fn world(grid: &Grid, (at, y): (DVec2, u16)) -> Vec3 {
    let metres = |origin: f32, cells: f64| (f64::from(origin) + cells * f64::from(grid.cell_size)) as f32;
    Vec3::new(metres(grid.origin.x, at.x), grid.world_y(i32::from(y)), metres(grid.origin.z, at.y))
}

/// A link in world coordinates.
fn finished(link: &Candidate, rule: &LinkRule, id: u32, plan: &TilePlan) -> AutoLink {
    let grid = &plan.level;
    let [start, end] = link.ends.map(|end| world(grid, end));
    let slack = (1.0 + plan.settings.edge_max_error.min(4.0)) * grid.cell_size;
    AutoLink {
        kind: link.kind,
        id,
        start,
        end,
        radius: plan.settings.agent.radius.max(slack),
        two_way: rule.two_way,
        area: rule.area,
        flags: rule.flags,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_with_a_hash_of_its_own_keeps_it_whatever_others_there_are() {
        assert_eq!(distinct(&[5, 7, 6]), [5, 7, 6]);
        assert_eq!(distinct(&[5, 5, 6]), [5, 7, 6]);
        assert_eq!(distinct(&[u32::MAX, u32::MAX, 1, 1]), [u32::MAX, 2, 1, 3]);
    }
}
