//! Following a straight line from polygon to polygon.
//!
//! A line leaves a convex polygon over the one edge whose ends lie on different sides of it. After entering over an
//! edge, the end of that edge is known to lie to the left, and the following corners are tested until one lies to the
//! right: usually one or two. (Testing all corners at once, in lanes, takes no more instructions, but then the next
//! polygon is known only when all of them are done; a branch can be predicted, and the next polygon fetched in the
//! meantime.)
//!
//! ```text
//!         .----- c
//!        /        \         in over the edge to b, which is left of the line; c is left, d is right:
//!   b --'          d        out over c→d
//!   | - - - - - - -/- ->
//!   a-------------'
//! ```
//!
//! All sides are decided exactly, so a line cannot slip between two polygons that share an edge.
//!
//! Cost: linear in the corners looked at.
//!
//! Sources: the walk is folklore; exact predicates: Jonathan Shewchuk, 1997.

use super::QueryFilter;
use super::flood::Adjacent;
use crate::math::predicates::{LineXz, orient_xz, turn_xz};
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::tile::{Beyond, EdgeTable, Outline, OutlineBlock};
use glam::{DVec2, Vec3};

/// An edge over which a line leaves a polygon: a reference to where it is stored, not a copy. A copy would be stored
/// number by number and then read as vectors, which must wait for all of it.
#[derive(Clone, Copy)]
pub(super) struct Exit<'a> {
    block: &'a OutlineBlock,
    number: usize,
}

/// Its position in the plane.
#[inline]
fn xz64(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

impl Exit<'_> {
    #[inline(always)]
    pub(super) fn start(self) -> Vec3 {
        self.block.corner(self.number)
    }

    #[inline(always)]
    pub(super) fn end(self) -> Vec3 {
        self.block.corner(self.number + 1)
    }

    #[inline(always)]
    pub(super) fn beyond(self) -> Beyond {
        self.block.beyond(self.number)
    }

    /// Its number in the polygon to whose outline it belongs.
    #[inline]
    pub(super) fn within(self, outline: Outline<'_>) -> u32 {
        let before = outline.blocks().take_while(|block| !core::ptr::eq(*block, self.block));
        (before.map(OutlineBlock::count).sum::<usize>() + self.number) as u32
    }

    /// Its end that lies exactly on the line.
    pub(super) fn vertex_on(self, line: LineXz) -> Option<Vec3> {
        [self.start(), self.end()].into_iter().find(|&end| line.side(end) == 0.0)
    }

    /// The fraction of the line before it.
    #[inline]
    pub(super) fn share_before(self, line: LineXz) -> f32 {
        let [a, b, from, to] = [self.start(), self.end(), line.from(), line.to()].map(xz64);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        let before = side(from);
        let beyond = side(to);
        if before < 0.0 && beyond > before { (before / (before - beyond)) as f32 } else { 0.0 }
    }

    /// The horizontal normal of the edge, towards the polygon.
    #[inline]
    pub(super) fn inward_normal(self) -> Vec3 {
        segment::inward_normal(self.start(), self.end())
    }
}

/// How a line continues from a polygon.
#[derive(Clone, Copy)]
pub(super) enum Left<'a> {
    /// It does not: it ends in the polygon, or does not pass over the polygon at all.
    Not,
    /// Over an edge, between its ends.
    Over(Exit<'a>),
    /// Through a vertex at which this edge begins or ends.
    Through(Exit<'a>),
}

/// Decides this by looking at all corners of a polygon.
#[cold]
fn left<'a>(line: LineXz, outline: Outline<'a>) -> Left<'a> {
    match exits(line, outline)[0] {
        None => Left::Not,
        Some(exit) if exit.vertex_on(line).is_some() => Left::Through(exit),
        Some(exit) => Left::Over(exit),
    }
}

/// The edges over which a line leaves a polygon before its end: one, or two at a vertex; none if the line ends in the
/// polygon or does not pass over it.
#[cold]
pub(super) fn exits<'a>(line: LineXz, outline: Outline<'a>) -> [Option<Exit<'a>>; 2] {
    let mut found = [None; 2];
    for (block, number) in outline.blocks().flat_map(|block| (0..block.count()).map(move |number| (block, number))) {
        let start = block.corner(number);
        let end = block.corner(number + 1);
        let sides = [line.side(start), line.side(end)];
        let is_crossed = sides[0] >= 0.0 && sides[1] <= 0.0 && sides[0] > sides[1];
        if is_crossed && orient_xz(start, end, line.to()) > 0.0 {
            found[usize::from(found[0].is_some())] = Some(Exit { block, number });
        }
    }
    found
}

/// A polygon being entered, and over which edge if that is known.
#[derive(Clone, Copy)]
pub(super) struct Entered<'a> {
    pub(super) tile: &'a Tile,
    /// The tile's edges: fetched once per tile, since they may have to be derived.
    edges: &'a EdgeTable,
    pub(super) poly: u32,
    over: Option<u32>,
}

impl<'a> Entered<'a> {
    /// A polygon entered over an unknown edge.
    #[inline]
    pub(super) fn new(tile: &'a Tile, poly: u32) -> Self {
        Self { tile, edges: tile.edges(), poly, over: None }
    }

    /// The polygon of the same tile on the other side of an edge that is crossed between its ends.
    #[inline(always)]
    pub(super) fn beyond(self, exit: Exit<'_>) -> Option<Self> {
        Some(Self { poly: exit.beyond().as_poly()?, over: exit.beyond().twin(), ..self })
    }

    #[inline]
    pub(super) fn reference(self) -> PolyRef {
        self.tile.reference(self.poly)
    }

    #[inline(always)]
    pub(super) fn outline(self) -> Outline<'a> {
        self.edges.outline_of(self.poly)
    }

    /// Whether it may be entered.
    #[inline(always)]
    pub(super) fn passes<F: QueryFilter + ?Sized>(self, filter: &F) -> bool {
        filter.passes(self.reference(), self.tile.state(self.poly))
    }
}

/// The edge over which a line leaves a polygon of one block, whether or not it ends before; none if testing its corners
/// one by one cannot decide.
#[inline(always)]
fn edge_out(line: LineXz, block: &OutlineBlock, over: Option<u32>) -> Option<usize> {
    let count = block.count();
    let (mut k, mut left) = match over {
        // Where it entered, it passed between two corners, of which this one is to the left.
        Some(over) if over + 1 < count as u32 => (over as usize + 1, count),
        Some(_) => (0, count),
        None => {
            let turn = line.turn(block.corner(0));
            if turn < 0.0 {
                // Back to the first that is not to the right.
                let k = (1..count).rev().find(|&k| line.turn(block.corner(k)) >= 0.0)?;
                return (line.turn(block.corner(k)) > 0.0).then_some(k);
            }
            (0, if turn > 0.0 { count } else { 0 })
        }
    };
    while left > 0 {
        let turn = line.turn(block.corner(k + 1));
        if turn <= 0.0 {
            return (turn < 0.0).then_some(k);
        }
        (k, left) = (if k + 1 < count { k + 1 } else { 0 }, left - 1);
    }
    None
}

/// How a line leaves a polygon that was just entered.
#[inline(always)]
pub(super) fn leave<'a>(line: LineXz, at: Entered<'a>) -> Left<'a> {
    if let Some(block) = at.outline().only_block()
        && let Some(number) = edge_out(line, block, at.over)
    {
        let exit = Exit { block, number };
        return if turn_xz(exit.start(), exit.end(), line.to()) > 0.0 { Left::Over(exit) } else { Left::Not };
    }
    // No edge is crossed between its ends: the line meets a vertex, or is not over the polygon at all.
    left(line, at.outline())
}

/// Follows a line from polygon to polygon as long as it crosses edges between their ends and `enter` accepts the next
/// polygon. Returns the last polygon, and how the line continues from there.
///
/// This is nearly all of every walk, so everything stays in registers. ([`leave`] within the loop would store the line
/// in each iteration, for a rare call.)
#[inline(always)]
pub(super) fn follow<'a>(
    mesh: &'a NavMesh,
    line: LineXz,
    mut at: Entered<'a>,
    mut enter: impl FnMut(Entered<'a>, Exit<'a>, Entered<'a>) -> bool,
) -> (Entered<'a>, Left<'a>) {
    while let Some(block) = at.outline().only_block()
        && let Some(number) = edge_out(line, block, at.over)
    {
        let exit = Exit { block, number };
        if turn_xz(exit.start(), exit.end(), line.to()) <= 0.0 {
            return (at, Left::Not);
        }
        match at.beyond(exit).or_else(|| beyond_border(mesh, line, at.tile, exit)) {
            Some(next) if enter(at, exit, next) => at = next,
            _ => return (at, Left::Over(exit)),
        }
    }
    (at, left(line, at.outline()))
}

/// The polygon of another tile on the other side of an edge, if the line crosses the portal between its ends.
#[inline(always)]
fn beyond_border<'a>(mesh: &'a NavMesh, line: LineXz, tile: &Tile, exit: Exit<'_>) -> Option<Entered<'a>> {
    let links = tile.links().of_border(exit.beyond().as_border()?);
    let link = links.iter().find(|link| line.turn(link.a) > 0.0 && line.turn(link.b) < 0.0)?;
    Some(Entered::new(mesh.tile_in(link.to.slot())?, link.to.poly().get()))
}

/// The polygon on the other side of an edge where the line crosses it, if that polygon passes.
pub(super) fn cross<'a, F: QueryFilter + ?Sized>(
    (mesh, filter): (&'a NavMesh, &F),
    line: LineXz,
    from: Entered<'a>,
    exit: Exit<'_>,
) -> Option<Entered<'a>> {
    if let Some(next) = from.beyond(exit) {
        return next.passes(filter).then_some(next);
    }
    let is_crossed = |adjacent: &Adjacent<'_>| line.side(adjacent.a) >= 0.0 && line.side(adjacent.b) <= 0.0;
    let adjacent = adjacent_over(mesh, from.tile, exit.beyond(), filter).find(is_crossed)?;
    Some(Entered::new(adjacent.tile, adjacent.poly))
}

/// The portals over an edge into polygons that pass.
pub(super) fn adjacent_over<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    tile: &'a Tile,
    beyond: Beyond,
    filter: &F,
) -> impl Iterator<Item = Adjacent<'a>> {
    let links = beyond.as_border().map_or(&[][..], |number| tile.links().of_border(number));
    let ways = links.iter().filter_map(move |link| {
        let beyond = mesh.tile_in(link.to.slot())?;
        Some(Adjacent { tile: beyond, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b })
    });
    ways.filter(move |adjacent| adjacent.passes(filter))
}

/// A walk of more steps than this is not a step of an agent.
const MOST_STEPS: usize = 64;

/// Walks straight from a position in a polygon to the end of a line, which is not in that polygon, and lists the
/// polygons entered. `None` if it does not get there, or passes through a vertex.
#[inline]
pub(super) fn walk_freely<'a, F: QueryFilter + ?Sized>(
    (mesh, filter): (&'a NavMesh, &F),
    start: (&'a Tile, u32),
    line: LineXz,
    polys: &mut Vec<PolyRef>,
) -> Option<PolyRef> {
    let mut at = Entered::new(start.0, start.1);
    let begin = polys.len();
    while polys.len() - begin < MOST_STEPS {
        let (last, left) = follow(mesh, line, at, |_, _, next| {
            let enters = next.passes(filter) && polys.len() - begin < MOST_STEPS;
            if enters {
                polys.push(next.reference());
            }
            enters
        });
        let exit = match left {
            Left::Over(exit) => exit,
            Left::Through(_) => return None,
            Left::Not => {
                let is_there = polys.len() > begin && last.outline().is_over(line.to());
                return is_there.then_some(last.reference());
            }
        };
        at = cross((mesh, filter), line, last, exit)?;
        polys.push(at.reference());
    }
    None
}
