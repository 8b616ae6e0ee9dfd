//! Levels above the parts of single tiles: clusters of tiles, clusters of clusters, and so on, with the costs of
//! crossing them.
//!
//! ```text
//!   +-------+-------+---------------+      Near its ends a search goes from portal to portal. Farther away it crosses
//!   | S . . | e   e |               |      whole clusters from entrance to entrance, the larger the farther away. All it
//!   | . . . e       e               |      needs of a cluster are the entrances and the costs between them.
//!   +---e---+---e---+               |
//!   | e   e | e   e e               e      The cells around S are 4 tiles wide, those beyond 16, then 64, …
//!   +-------+-------+---------------+
//! ```
//!
//! Portals on the border of two clusters that are connected within both are interchangeable, so only a few of them are
//! chosen, at least one, spread along the border. A portal chosen on one level is also chosen on all levels below. So
//! two places are connected over the levels exactly if they are connected portal by portal.
//!
//! Costs depend on the filter, so levels are made for one filter. Other filters of the same costs share them; searches
//! with any other go portal by portal.
//!
//! Cost: some dozens of bytes and some ten microseconds per tile. A tile that changes affects its clusters, and the
//! clusters beside them if their entrances change.
//!
//! Sources: Daniel Delling, Andrew Goldberg, Thomas Pajor, Renato Werneck, "Customizable Route Planning", 2011
//! (multi-level overlays, the level of a node by its distance from the ends, costs apart from the partition); Adi
//! Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004 (clusters of a grid,
//! few entrances on a border).

use super::area_costs::state_cost;
use super::cluster::Cluster;
use crate::area::{AreaId, PolyFlags};
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, PolyState};
use crate::plan::SharedFilter;
use crate::query::QueryFilter;
use crate::tile::{TileCoord, TileLayout};
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many tiles, or clusters of the level below, a cluster has along each side.
pub(super) const SIDE: i32 = 4;
/// With this many tiles or clusters, or fewer, there is no level above them.
const FEW: usize = 64;

/// The levels above the tiles of an abstract graph, for one filter.
#[derive(Clone)]
pub struct GraphLevels {
    /// The filter, by which they are updated; `None` if they were read from a store and stay as they are.
    pub(super) filter: Option<SharedFilter>,
    /// The cost of a metre by area type and flags.
    pub(super) profile: BTreeMap<(u8, u16), f32>,
    pub(super) levels: Vec<ClusterLevel>,
    pub(super) layout: TileLayout,
}

/// The clusters of one size.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterLevel {
    /// Their width in tiles.
    pub(super) side: i32,
    /// By column and row.
    pub(super) numbers: BTreeMap<(i32, i32), u32>,
    /// The cluster of each tile, by slot; [`NONE`] where there is no tile.
    pub(super) of_slot: Vec<u32>,
    pub(super) clusters: Vec<Arc<Cluster>>,
}

/// The size of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelSize {
    /// Clusters.
    pub clusters: u64,
    /// Entrances, which are the nodes of the level.
    pub entrances: u64,
    /// Costs from entrance to entrance, which are its edges.
    pub costs: u64,
    /// Bytes in memory.
    pub bytes: u64,
}

impl GraphLevels {
    /// This many levels, without tiles.
    pub(super) fn empty(filter: Option<SharedFilter>, layout: TileLayout, count: u32) -> Self {
        let of_side = |level: u32| ClusterLevel { side: SIDE.saturating_pow(level), ..ClusterLevel::default() };
        Self { filter, profile: BTreeMap::new(), levels: (1..=count).map(of_side).collect(), layout }
    }

    /// How many levels are useful for this many tiles.
    pub(super) fn worth(tiles: usize) -> u32 {
        let above = |tiles: &usize| Some(tiles.div_ceil((SIDE * SIDE) as usize));
        core::iter::successors(Some(tiles), above).take_while(|&left| left > FEW).count() as u32
    }

    /// Whether a filter has the costs for which these levels were made.
    pub(super) fn are_for<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> bool {
        let costs_the_same = |(&(area, flags), &cost): (&(u8, u16), &f32)| {
            let state = PolyState { area: AreaId::from_low_bits(area), flags: PolyFlags(flags) };
            cost_of(mesh, state, filter).to_bits() == cost.to_bits()
        };
        filter.is_by_state() && self.profile.iter().all(costs_the_same)
    }

    /// Records the cost of a metre for a state, if it is not known yet.
    pub(super) fn note(&mut self, mesh: &NavMesh, state: PolyState) {
        if let Some(filter) = &self.filter {
            let cost = || cost_of(mesh, state, &**filter);
            self.profile.entry((state.area.get(), state.flags.0)).or_insert_with(cost);
        }
    }

    /// The number of clusters of all levels.
    pub(super) fn cluster_count(&self) -> u32 {
        self.levels.iter().map(|level| level.clusters.len() as u32).sum()
    }

    /// The page of a cluster in the memory of a search; those of the tiles' slots come first.
    #[inline]
    pub(super) fn page_of(&self, slots: u32, (level, cluster): (u32, u32)) -> u32 {
        let below = self.levels.iter().take(level as usize).map(|level| level.clusters.len() as u32);
        slots + below.sum::<u32>() + cluster
    }

    /// The number of levels above the tiles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// The size of each level, from the lowest.
    pub fn sizes(&self) -> impl Iterator<Item = LevelSize> + '_ {
        self.levels.iter().map(|level| {
            let mut size = LevelSize { bytes: size_of_val(&level.of_slot[..]) as u64, ..LevelSize::default() };
            for cluster in &level.clusters {
                size.clusters += 1;
                size.entrances += cluster.chosen.portals.len() as u64;
                size.costs += cluster.costs.len() as u64;
                size.bytes += cluster.memory() as u64;
            }
            size
        })
    }

    /// The entrances of the clusters of a level, counted from 0: the nodes by which searches cross them.
    pub fn entrances(&self, level: usize) -> impl Iterator<Item = Vec3> + '_ {
        let clusters = self.levels.get(level).into_iter().flat_map(|level| &level.clusters);
        clusters.flat_map(|cluster| cluster.chosen.portals.iter().map(|portal| portal.at))
    }

    /// The outlines of the clusters of a level that have entrances, as seen from above, at the height of the highest
    /// one. They include the places of tiles that do not exist.
    pub fn outlines(&self, level: usize) -> impl Iterator<Item = [Vec3; 4]> + '_ {
        self.levels.get(level).into_iter().flat_map(|level| {
            level.clusters.iter().filter_map(|cluster| {
                let height = cluster.chosen.portals.iter().map(|portal| portal.at.y).reduce(f32::max)?;
                let corner = |dx: i32, dz: i32| {
                    let tiles = [cluster.at.0.saturating_add(dx), cluster.at.1.saturating_add(dz)];
                    let [x, z] = tiles.map(|tile| tile as f32 * level.side as f32);
                    let TileLayout { origin, tile_width, tile_depth } = self.layout;
                    Vec3::new(origin.x + x * tile_width, height, origin.z + z * tile_depth)
                };
                Some([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)])
            })
        })
    }
}

/// The cost of a metre for a state, for a filter that depends on nothing else: any polygon will do.
fn cost_of<F: QueryFilter + ?Sized>(mesh: &NavMesh, state: PolyState, filter: &F) -> f32 {
    PolyRef::new(1, 0, 0).map_or(f32::INFINITY, |any| state_cost(mesh, (any, state), filter))
}

impl core::fmt::Debug for GraphLevels {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GraphLevels").field("levels", &self.levels).finish_non_exhaustive()
    }
}

impl ClusterLevel {
    /// The number of the cluster that a tile belongs to; [`NONE`] for none.
    #[inline]
    pub(super) fn of_slot(&self, slot: u32) -> u32 {
        self.of_slot.get(slot as usize).copied().unwrap_or(NONE)
    }

    /// Column and row of the cluster that contains a tile's place.
    pub(super) fn place(&self, coord: TileCoord) -> (i32, i32) {
        (coord.x.div_euclid(self.side), coord.z.div_euclid(self.side))
    }

    /// The cluster in a column and row, which is created if there is none.
    pub(super) fn number_at(&mut self, at: (i32, i32)) -> u32 {
        let Self { numbers, clusters, .. } = self;
        *numbers.entry(at).or_insert_with(|| {
            clusters.push(Arc::new(Cluster { at, ..Cluster::default() }));
            clusters.len() as u32 - 1
        })
    }

    /// A cluster by its number.
    #[inline]
    pub(super) fn cluster(&self, number: u32) -> Option<&Cluster> {
        self.clusters.get(number as usize).map(|cluster| &**cluster)
    }
}
