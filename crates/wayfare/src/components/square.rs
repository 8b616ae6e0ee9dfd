//! A square of tiles, divided into the parts that are connected within it: the building blocks of
//! [components](super::Components).
//!
//! Whether removing a link splits a component cannot be decided from the adjacent tiles alone; but it can be from the
//! surrounding tiles and the known connections between squares. So an edit examines only the tiles of its own square,
//! and then the parts of all squares are joined, which are some hundred times fewer than tiles.
//!
//! ```text
//!   +-----------+-----------+
//!   | 0 0 . 1 1 > 0 0 0 0 0 |     two squares, three parts; `>` an edge to the next square, kept with the left one
//!   | 0 0 . 1 1 | . . 0 0 0 |
//!   +-----------+-----------+
//! ```
//!
//! Cost: nearly linear in the [islands](crate::tile::Islands) and links of the square's tiles; with flags, also in the
//! polygons of tiles whose state has changed.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975; two levels for what
//! changes: Greg Frederickson, "Data Structures for On-Line Updating of Minimum Spanning Trees", 1985.

use super::near_tree::{NearTree, morton};
use crate::area::FlagMask;
use crate::math::disjoint_sets::{number_sets, unite};
use crate::math::index::{NONE, TileSlot};
use crate::mesh::{NavMesh, PolyRef, PolyState, Tile, TileGeometry, once};
use crate::tile::{Islands, TileCoord};
use std::sync::{Arc, OnceLock};

/// Tiles along a side of a square, as a power of two: few enough to process at each edit, and enough to keep the number
/// of squares small.
const SIDE: u32 = 4;

/// Row and column of a square.
pub(super) type SquarePlace = (i32, i32);

/// The square in which a tile lies; tiles of all layers lie in the same.
pub(super) fn place_of(coord: TileCoord) -> SquarePlace {
    (coord.z >> SIDE, coord.x >> SIDE)
}

/// A square of tiles.
#[derive(Debug, Default)]
pub(super) struct Square {
    pub(super) place: SquarePlace,
    /// By slot.
    pub(super) tiles: Vec<SquareTile>,
    /// The part of each island, tile after tile; parts are numbered in order of appearance.
    part_of: Vec<u32>,
    pub(super) parts: u32,
    /// Two-way edges to other squares; an edge over a tile border is stored with the first of the two squares.
    pub(super) beyond: Vec<PartEdge>,
    /// One-way off-mesh connections, to this square or another.
    pub(super) one_way: Vec<PartEdge>,
    /// Built when a query first asks for a position far from a component.
    near: OnceLock<NearTree>,
}

/// An edge from a part of a square to a target in a tile. With flags, the target is a polygon, since the islands of a
/// tile may change without this square being updated; otherwise it is an island, of which there are fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartEdge {
    pub(super) part: u32,
    pub(super) slot: u32,
    /// Island or polygon.
    pub(super) to: u32,
}

/// A tile of a square.
#[derive(Clone, Debug)]
pub(super) struct SquareTile {
    pub(super) slot: u32,
    pub(super) salt: u16,
    islands: IslandsOf,
    first: u32,
}

/// The islands of a tile.
#[derive(Clone, Debug)]
enum IslandsOf {
    /// Of all its polygons.
    Geometry(Arc<TileGeometry>),
    /// Of the polygons that its state leaves open.
    State(Arc<[PolyState]>, Arc<Islands>),
}

impl IslandsOf {
    fn new(tile: &Tile, mask: Option<FlagMask>, before: Option<&Self>) -> Self {
        let Some(mask) = mask else { return Self::Geometry(Arc::clone(&tile.geometry)) };
        match before {
            // A shared state is never modified, so the same state means the same open polygons.
            Some(Self::State(state, islands)) if Arc::ptr_eq(state, &tile.state) => {
                Self::State(Arc::clone(state), Arc::clone(islands))
            }
            _ => {
                let islands = Islands::of_open(tile.data(), |poly| mask.passes(tile.state(poly).flags));
                Self::State(Arc::clone(&tile.state), Arc::new(islands))
            }
        }
    }

    #[inline]
    fn get(&self) -> &Islands {
        match self {
            Self::Geometry(geometry) => geometry.islands(),
            Self::State(_, islands) => islands,
        }
    }
}

impl SquareTile {
    /// The island of each of its polygons, [`NONE`] for closed ones.
    #[inline]
    pub(super) fn islands(&self) -> &[u32] {
        self.islands.get().of_polys()
    }

    #[inline]
    fn node(&self, poly: u32) -> Option<u32> {
        let &island = self.islands().get(poly as usize)?;
        (island != NONE).then(|| self.first + island)
    }
}

impl Square {
    /// The square at a place with the tiles in these slots, which are sorted. For tiles that are unchanged since
    /// `before`, the islands are taken from there.
    pub(super) fn of(mesh: &NavMesh, mask: Option<FlagMask>, place: SquarePlace, slots: &[u32], before: &Self) -> Self {
        let mut square = Self { place, ..Self::default() };
        let mut nodes = 0;
        for tile in slots.iter().filter_map(|&slot| mesh.tile_in(TileSlot::new(slot))) {
            let old = before.tile(tile.slot).map(|old| &old.islands);
            let islands = IslandsOf::new(tile, mask, old);
            square.tiles.push(SquareTile { slot: tile.slot, salt: tile.salt, islands, first: nodes });
            nodes += square.tiles[square.tiles.len() - 1].islands.get().count();
        }
        square.join(mesh, mask, nodes);
        square
    }

    fn tile(&self, slot: u32) -> Option<&SquareTile> {
        let at = self.tiles.binary_search_by_key(&slot, |tile| tile.slot).ok()?;
        self.tiles.get(at)
    }

    /// Joins its islands over links and connections, and collects the edges to other squares.
    fn join(&mut self, mesh: &NavMesh, mask: Option<FlagMask>, nodes: u32) {
        let mut part_of: Vec<u32> = (0..nodes).collect();
        // By node, until the parts are known.
        let mut beyond = Vec::new();
        let mut one_way = Vec::new();
        let edge = |from: u32, to: PolyRef| {
            let (tile, poly) = mesh.locate(to).ok()?;
            let to = if mask.is_some() { poly } else { *tile.islands().of_polys().get(poly as usize)? };
            Some(PartEdge { part: from, slot: tile.slot, to })
        };
        for own in &self.tiles {
            let Some(tile) = mesh.tile_in(TileSlot::new(own.slot)) else { continue };
            let border = tile.data().border_edges();
            // Usually several consecutive links lead to the same tile.
            let mut last = NONE;
            let mut other = None;
            for (number, link) in tile.links().numbered() {
                let Some(from) = own.node(border[number as usize].poly) else { continue };
                let slot = link.to.slot().get();
                if slot != last {
                    (last, other) = (slot, self.tile(slot));
                }
                if let Some(other) = other {
                    if let Some(to) = other.node(link.to.poly().get()) {
                        unite(&mut part_of, from, to);
                    }
                } else if mesh.tile_in(link.to.slot()).is_some_and(|there| self.place < place_of(there.coord())) {
                    beyond.extend(edge(from, link.to));
                }
            }
            for entered in tile.links().connections().iter().filter(|entered| entered.end == 0) {
                let Ok(connection) = mesh.connection(entered.to) else { continue };
                let (Some([_, end]), Some(from)) = (connection.passage(0), own.node(entered.poly)) else { continue };
                if mask.is_some_and(|mask| !mask.passes(connection.state().flags)) {
                    continue;
                }
                // It is entered at its start; the other end may be in another component.
                let ways = if connection.passage(1).is_some() { &mut beyond } else { &mut one_way };
                ways.extend(edge(from, end.poly));
            }
        }
        self.parts = number_sets(&mut part_of);
        for ways in [&mut beyond, &mut one_way] {
            ways.iter_mut().for_each(|edge| edge.part = part_of[edge.part as usize]);
            ways.sort_unstable();
            ways.dedup();
        }
        (self.part_of, self.beyond, self.one_way) = (part_of, beyond, one_way);
    }

    /// The part of a polygon of one of its tiles; `None` if the polygon is closed.
    #[inline]
    pub(super) fn part(&self, tile: &SquareTile, poly: u32) -> Option<u32> {
        Some(self.part_of[tile.node(poly)? as usize])
    }

    /// The part to which an edge to one of its tiles leads; `None` if the polygon is closed.
    #[inline]
    pub(super) fn part_at_end(&self, tile: &SquareTile, edge: &PartEdge) -> Option<u32> {
        match tile.islands {
            IslandsOf::Geometry(_) => self.part_of.get((tile.first + edge.to) as usize).copied(),
            IslandsOf::State(..) => self.part(tile, edge.to),
        }
    }

    /// The parts of the islands of one of its tiles.
    #[inline]
    pub(super) fn parts_of(&self, tile: &SquareTile) -> &[u32] {
        &self.part_of[tile.first as usize..][..tile.islands.get().count() as usize]
    }

    /// A tree of its tiles, by their number in it.
    pub(super) fn near(&self, mesh: &NavMesh) -> &NearTree {
        once(&self.near, || {
            let tile = |at: u32| mesh.tile_in(TileSlot::new(self.tiles[at as usize].slot));
            let mut along: Vec<_> = (0..self.tiles.len() as u32)
                .filter_map(|at| Some((tile(at)?.coord(), at)))
                .map(|(coord, at)| (morton(coord.x, coord.z), at))
                .collect();
            along.sort_unstable();
            NearTree::of(along.iter().filter_map(|&(_, at)| Some((at, tile(at)?.bounds()))))
        })
    }
}
