//! Joins tiles from different sources where their border edges touch.
//!
//! A sweep along the border: each edge that begins is compared with the edges of the other side that have not ended
//! yet. These are sorted by height, so that with many storeys only edges of about the same height are compared.
//!
//! ```text
//!   heights  |   --------          ------        first: -   second: =
//!            |     ====== ====  ==============
//!            |   -------------      -------      each compared with those it lies over, not with the storey above
//!            +----------------------------------> along the border
//! ```
//!
//! Cost: O(n log n) for roughly level edges, plus the pairs that overlap along the border at about the same height.
//!
//! Sources: sweeping over rectangles: Jon Bentley and Derick Wood, "An Optimal Worst Case Algorithm for Reporting
//! Intersections of Rectangles", 1980.

use super::border_span::BorderSpan;
use super::connect::{Facing, JOINT, Joint, along, overlap, reachable};
use crate::tile::{Effort, Exhausted, Side, TileData};

/// A border edge of one of several tiles.
#[derive(Clone, Copy)]
struct JoinEdge {
    tile: u32,
    number: u32,
    span: BorderSpan,
    climb: f32,
}

impl JoinEdge {
    /// The lowest and the highest height that can be joined to it.
    fn heights(&self) -> [f32; 2] {
        let low = self.span.low.y;
        let high = self.span.high.y;
        [low.min(high) - self.climb, low.max(high) + self.climb]
    }
}

/// The effort counted for comparing two edges.
const LOOK: usize = 8;

/// With at most this many edges on the shorter side, no ordering by height is needed.
const FEW: usize = 24;

impl Facing<'_> {
    pub(super) fn join_edges(&self, effort: &mut Effort, out: &mut Vec<Joint>) -> Result<(), Exhausted> {
        if let ([first], [second]) = (self.first, self.second) {
            let counts = [first.border_along(self.side).len(), second.border_along(self.side.opposite()).len()];
            if counts.into_iter().min() <= Some(FEW) {
                return self.join_few([first, second], effort, out);
            }
        }
        self.join_by_sweep(effort, out)
    }

    /// Compares every pair, in order along the border.
    fn join_few(
        &self,
        [first, second]: [&TileData; 2],
        effort: &mut Effort,
        out: &mut Vec<Joint>,
    ) -> Result<(), Exhausted> {
        let side = self.side;
        let others: Vec<JoinEdge> = along_side(second, 0, side.opposite()).collect();
        let mut others = &others[..];
        for own in along_side(first, 0, side) {
            // Edges that have ended for good are dropped; edges that begin later are not looked at yet.
            while let [ended, rest @ ..] = others
                && along(side, ended.span.high) < along(side, own.span.low)
            {
                others = rest;
            }
            for &other in others {
                if along(side, other.span.low) >= along(side, own.span.high) {
                    break;
                }
                effort.spend(LOOK)?;
                if let Some(joint) = self.touch(own, other) {
                    effort.spend(JOINT)?;
                    out.push(joint);
                }
            }
        }
        Ok(())
    }

    fn join_by_sweep(&self, effort: &mut Effort, out: &mut Vec<Joint>) -> Result<(), Exhausted> {
        let side = self.side;
        let edges = [edges_of(self.first, side), edges_of(self.second, side.opposite())];
        let mut open = [OpenEdges::of(side, &edges[0]), OpenEdges::of(side, &edges[1])];
        let mut next = [0, 0];
        let mut found: Vec<([usize; 2], Joint)> = Vec::new();
        loop {
            let begins = [0, 1].map(|k| edges[k].get(next[k]).map(|edge| along(side, edge.span.low)));
            let k = match begins {
                [None, None] => break,
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [Some(first), Some(second)] => usize::from(second < first),
            };
            let place = next[k];
            let edge = edges[k][next[k]];
            next[k] += 1;
            open.iter_mut().for_each(|open| open.close_before(along(side, edge.span.low)));
            for &(_, other) in open[1 - k].near(edge.heights()) {
                effort.spend(LOOK)?;
                let places = if k == 0 { [place, other as usize] } else { [other as usize, place] };
                if let Some(joint) = self.touch(edges[0][places[0]], edges[1][places[1]]) {
                    effort.spend(JOINT)?;
                    found.push((places, joint));
                }
            }
            // Inserting moves many elements at once.
            effort.spend(1 + open[k].by_height.len() / 64)?;
            open[k].open(place as u32);
        }
        // In order along the first tiles' edges, then along the second's.
        found.sort_unstable_by_key(|(places, _)| *places);
        out.extend(found.into_iter().map(|(_, joint)| joint));
        Ok(())
    }

    /// The joint of two edges, if they touch.
    fn touch(&self, own: JoinEdge, other: JoinEdge) -> Option<Joint> {
        let tiles = [own.tile, other.tile];
        let ends = overlap(self.side, &own.span, &other.span)?;
        let touches = reachable(self.side, [&own.span, &other.span], ends, own.climb.min(other.climb));
        let edges = [(own.number, &own.span), (other.number, &other.span)];
        (touches && self.may_join(tiles, false)).then(|| Joint::new(tiles, edges, ends))
    }
}

/// The border edges of tile number `tile` on a side, in order along it.
fn along_side(data: &TileData, tile: u32, side: Side) -> impl Iterator<Item = JoinEdge> + '_ {
    let climb = data.baked_for().climb;
    let edge = move |number| JoinEdge { tile, number, span: BorderSpan::of(data, side, number), climb };
    data.border_along(side).map(edge)
}

/// The border edges of several tiles on a side, in order along it.
fn edges_of(tiles: &[&TileData], side: Side) -> Vec<JoinEdge> {
    let mut edges: Vec<JoinEdge> =
        tiles.iter().zip(0..).flat_map(|(tile, number)| along_side(tile, number, side)).collect();
    // Stable: the edges of one tile keep their order.
    edges.sort_by(|a, b| along(side, a.span.low).total_cmp(&along(side, b.span.low)));
    edges
}

/// Edges of one side of the border that have begun and not yet ended.
struct OpenEdges<'a> {
    side: Side,
    edges: &'a [JoinEdge],
    /// Their lowest heights, sorted, with the edges.
    by_height: Vec<(f32, u32)>,
    /// All edges by their ends, and how many have ended.
    ends: Vec<u32>,
    ended: usize,
    /// The largest height range of any edge.
    tallest: f32,
}

impl<'a> OpenEdges<'a> {
    fn of(side: Side, edges: &'a [JoinEdge]) -> Self {
        let end = |at: &u32| along(side, edges[*at as usize].span.high);
        let mut ends: Vec<u32> = (0..edges.len() as u32).collect();
        ends.sort_by(|a, b| end(a).total_cmp(&end(b)));
        let tallest = edges.iter().map(|edge| edge.heights()).map(|[low, high]| high - low).fold(0.0, f32::max);
        Self { side, edges, by_height: Vec::new(), ends, ended: 0, tallest }
    }

    fn place_of(&self, edge: u32) -> (f32, usize) {
        let low = self.edges[edge as usize].heights()[0];
        let before = |(height, other): &(f32, u32)| height.total_cmp(&low).then(other.cmp(&edge)).is_lt();
        (low, self.by_height.partition_point(before))
    }

    fn open(&mut self, edge: u32) {
        let (low, place) = self.place_of(edge);
        self.by_height.insert(place, (low, edge));
    }

    /// Removes the edges that end before a coordinate along the border. They also began before it.
    fn close_before(&mut self, at: f32) {
        while let Some(&edge) = self.ends.get(self.ended) {
            if along(self.side, self.edges[edge as usize].span.high) >= at {
                break;
            }
            self.ended += 1;
            let (_, place) = self.place_of(edge);
            if self.by_height.get(place).is_some_and(|&(_, there)| there == edge) {
                self.by_height.remove(place);
            }
        }
    }

    /// The edges that may lie within a height range, and some others.
    fn near(&self, [low, high]: [f32; 2]) -> &[(f32, u32)] {
        // Sums of heights may lose the last bit.
        let margin = (low.abs().max(high.abs()) + self.tallest) * (4.0 * f32::EPSILON);
        let from = self.by_height.partition_point(|&(height, _)| height < low - self.tallest - margin);
        let to = self.by_height.partition_point(|&(height, _)| height <= high + margin);
        &self.by_height[from..to.max(from)]
    }
}
