//! Levels above the parts of single tiles: clusters of tiles, clusters of those, and so on, with what it costs to cross
//! them.
//!
//! ```text
//!   +-------+-------+---------------+      Near its ends a search goes from portal to portal. Farther away it crosses
//!   | S . . | e   e |               |      whole clusters, from entrance to entrance, and the larger ones the farther
//!   | . . . e       e               |      away: of a cluster it needs but the entrances and the costs between them.
//!   +---e---+---e---+               |
//!   | e   e | e   e e               e      The cells around S are 4 tiles wide, those beyond 16, then 64, …
//!   +-------+-------+---------------+
//! ```
//!
//! Portals over a border of two clusters that connect the same within both are as good as one, so a few of them are
//! chosen, spread over the border, at least one. A portal that is chosen on one level is on all levels below. So what
//! connects portal by portal connects over the levels, and the other way round.
//!
//! Costs depend on the filter, so levels are made for one; other filters that judge area types and flags alike share
//! them, all others search portal by portal.
//!
//! Cost: memory of some dozens of bytes a tile; made in some ten microseconds a tile. A tile that changes concerns its
//! clusters and those beside them whose entrances become others.
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
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cluster has so many tiles or clusters along each side.
pub(super) const SIDE: i32 = 4;
/// With so few tiles or clusters there is no level above them.
const FEW: usize = 64;

/// The levels above the tiles of an abstract graph, for one filter.
#[derive(Clone)]
pub struct GraphLevels {
    /// By which they are kept up; none if they were read, and are not.
    pub(super) filter: Option<SharedFilter>,
    /// What a metre costs by area type and flags.
    pub(super) profile: BTreeMap<(u8, u16), f32>,
    pub(super) levels: Vec<ClusterLevel>,
    pub(super) layout: TileLayout,
}

/// The clusters of one size.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterLevel {
    /// How many tiles they are wide.
    pub(super) side: i32,
    /// By column and row.
    pub(super) numbers: BTreeMap<(i32, i32), u32>,
    /// By slot of the tile; none where there is no tile.
    pub(super) of_slot: Vec<u32>,
    pub(super) clusters: Vec<Arc<Cluster>>,
}

/// How large levels are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelSize {
    /// Clusters.
    pub clusters: u64,
    /// Entrances: the nodes of the level.
    pub entrances: u64,
    /// Costs from entrance to entrance: its edges.
    pub costs: u64,
    /// Bytes in memory.
    pub bytes: u64,
}

impl GraphLevels {
    /// So many levels, of no tiles yet.
    pub(super) fn empty(filter: Option<SharedFilter>, layout: TileLayout, count: u32) -> Self {
        let of_side = |level: u32| ClusterLevel { side: SIDE.saturating_pow(level), ..ClusterLevel::default() };
        Self { filter, profile: BTreeMap::new(), levels: (1..=count).map(of_side).collect(), layout }
    }

    /// How many levels so many tiles are worth.
    pub(super) fn worth(tiles: usize) -> u32 {
        let above = |tiles: &usize| Some(tiles.div_ceil((SIDE * SIDE) as usize));
        core::iter::successors(Some(tiles), above).take_while(|&left| left > FEW).count() as u32
    }

    /// Whether a filter costs what these levels were made for.
    pub(super) fn are_for<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> bool {
        let costs_the_same = |(&(area, flags), &cost): (&(u8, u16), &f32)| {
            let state = PolyState { area: AreaId::from_low_bits(area), flags: PolyFlags(flags) };
            cost_of(mesh, state, filter).to_bits() == cost.to_bits()
        };
        filter.is_by_state() && self.profile.iter().all(costs_the_same)
    }

    /// Notes what a metre costs where area type and flags are these, if it is not known.
    pub(super) fn note(&mut self, mesh: &NavMesh, state: PolyState) {
        if let Some(filter) = &self.filter {
            let cost = || cost_of(mesh, state, &**filter);
            self.profile.entry((state.area.get(), state.flags.0)).or_insert_with(cost);
        }
    }

    /// How many clusters all levels have.
    pub(super) fn cluster_count(&self) -> u32 {
        self.levels.iter().map(|level| level.clusters.len() as u32).sum()
    }

    /// The page of a cluster in the memory of a search, behind those of so many slots.
    #[inline]
    pub(super) fn page_of(&self, slots: u32, (level, cluster): (u32, u32)) -> u32 {
        let below = self.levels.iter().take(level as usize).map(|level| level.clusters.len() as u32);
        slots + below.sum::<u32>() + cluster
    }

    /// How many levels there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// How large each level is, from the lowest.
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
}

/// What a metre costs where area type and flags are these, for a filter that asks for no more: on whichever polygon.
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

    /// Column and row of the cluster around a tile's place.
    pub(super) fn place(&self, coord: TileCoord) -> (i32, i32) {
        (coord.x.div_euclid(self.side), coord.z.div_euclid(self.side))
    }

    /// The cluster around a tile's place, made if there is none.
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
