//! The exits of a polygon: its edges, and the links of its tile's border.
//!
//! ```text
//!   edge within the tile      one exit, to the twin of the edge
//!   edge of the border        an exit for each link: a part of the edge, to the link that leads back
//! ```
//!
//! Edges into dead ends that do not contain the goal are skipped.
//!
//! Cost: a few loads for an exit within a tile. The first time a link is used, also a search among the links of the
//! edge beyond.
//!
//! Sources: none needed.

use super::expand::Expansion;
use super::memory::{Beyond, Page, Via};
use super::search_tile::{Bend, Exit, SearchTile};
use crate::graph::SearchObserver;
use crate::math::index::TileSlot;
use crate::math::plane::xz;
use crate::mesh::{Link, NavMesh, PolyRef, Tile};
use crate::query::QueryFilter;
use crate::tile::DeadEnds;
use glam::Vec2;

impl<'m, F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>> Expansion<'_, 'm, F, O> {
    #[inline]
    pub(super) fn ground(&self, page_index: u32) -> Option<SearchTile<'m>> {
        let page = self.memory.pages[page_index as usize];
        let tile = self.mesh.tile_in(TileSlot::new(page.slot))?;
        let sight = tile.sight();
        Some(SearchTile { tile, sight, corners: sight.corners(), page, page_index })
    }

    /// The page of a tile.
    pub(super) fn enter(&mut self, tile: &Tile) -> (u32, Page) {
        let goal = self.goal;
        let index = self.memory.page(tile, || match tile.slot().get() == goal.slot {
            true => tile.edges().dead_ends().number_of(goal.poly),
            false => DeadEnds::OUTSIDE,
        });
        (index, self.memory.pages[index as usize])
    }

    /// Whether an edge may lie on a shortest path to the goal.
    #[inline]
    pub(super) fn leads_on(&self, ground: &SearchTile<'_>, corner: u32) -> bool {
        !self.prune || ground.sight.leads_to(corner, ground.page.goal)
    }

    /// Calls `visit` with each exit over the edge between two corners, except link `except`.
    #[inline]
    pub(super) fn each_exit(
        &mut self,
        ground: &SearchTile<'m>,
        (a, b): (usize, usize),
        except: u32,
        mut visit: impl FnMut(&mut Self, &Exit),
    ) {
        let corner = &ground.corners[a];
        if corner.is_wall() || !self.leads_on(ground, a as u32) {
            return;
        }
        if let Some(twin) = corner.twin() {
            let a = self.bend_at(ground, a);
            let b = self.bend_at(ground, b);
            visit(self, &Exit { a, b, entry: twin, page: ground.page_index, via: Via::Edge });
        } else if let Some(border) = corner.border() {
            for number in ground.tile.links().range_of_border(border) {
                let number = number as u32;
                if number != except {
                    let ends = self.link_ends(ground, (a, b), number);
                    if let Some(exit) = self.over_link(ground, a, number, ends) {
                        visit(self, &exit);
                    }
                }
            }
        }
    }

    #[inline]
    pub(super) fn bend_at(&self, ground: &SearchTile<'_>, corner: usize) -> Bend {
        let c = &ground.corners[corner];
        Bend { at: c.at(), key: ground.page.fan(c.fan()), corner: corner as u32, is_within_edge: false }
    }

    /// The exit over a link of the edge at a corner, with its ends. The polygon beyond is entered over the link that
    /// leads back.
    #[inline]
    pub(super) fn over_link(
        &mut self,
        ground: &SearchTile<'m>,
        corner: usize,
        number: u32,
        [a, b]: [Bend; 2],
    ) -> Option<Exit> {
        let there = match self.memory.beyond(ground.page.beyond(number)) {
            Some(there) => there,
            None => self.follow(ground, corner, number)?,
        };
        Some(Exit { a, b, entry: there.entry, page: there.page, via: Via::Link(there.back) })
    }

    /// Looks up where a link of the edge at a corner leads.
    #[cold]
    fn follow(&mut self, ground: &SearchTile<'m>, corner: usize, number: u32) -> Option<Beyond> {
        let here = ground.tile.reference(ground.sight.poly_of(corner as u32));
        let (tile, entry, back) = beyond(self.mesh, here, &ground.tile.links().all()[number as usize])?;
        let (page, _) = self.enter(tile);
        Some(self.memory.set_beyond(ground.page.beyond(number), page, entry, back))
    }

    /// The ends of a link of the tile, over the edge between two corners.
    #[inline]
    pub(super) fn link_ends(&self, ground: &SearchTile<'_>, (a, b): (usize, usize), number: u32) -> [Bend; 2] {
        let link = &ground.tile.links().all()[number as usize];
        let end = |at: Vec2, corner: usize, end: u32| {
            if ground.corners[corner].at() == at {
                return self.bend_at(ground, corner);
            }
            Bend { at, key: ground.page.link_end(number, end), corner: a as u32, is_within_edge: true }
        };
        [end(xz(link.a), a, 0), end(xz(link.b), b, 1)]
    }
}

/// What lies beyond a link of polygon `here`: the tile, the corner at which the edge begins there, and the link that
/// leads back.
pub(super) fn beyond<'m>(mesh: &'m NavMesh, here: PolyRef, link: &Link) -> Option<(&'m Tile, u32, u32)> {
    let tile = mesh.tile_in(link.to.slot())?;
    let links = tile.links();
    let leads_back = |at: &usize| {
        let back = &links.all()[*at];
        back.to == here && xz(back.a) == xz(link.b) && xz(back.b) == xz(link.a)
    };
    let back = links.range_of_border(link.there).find(leads_back)?;
    Some((tile, links.all()[back].edge, back as u32))
}
