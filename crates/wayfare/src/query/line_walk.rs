//! Following a straight line from polygon to polygon.
//!
//! A line leaves a convex polygon over the one edge whose ends lie on different sides of it. Who came in over an edge
//! knows that its end lies to the left, and looks at the corners from there until one lies to the right: one or two,
//! mostly. (Holding all corners against the line at once, in lanes, takes no more instructions, but then the next
//! polygon is known only when all of them are done; a branch can be guessed, and what lies beyond be fetched
//! meanwhile.)
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
use super::flood::Way;
use crate::math::predicates::{LineXz, orient_xz, turn_xz};
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::tile::{Beyond, Outline, OutlineEdge};
use glam::{DVec2, Vec3};

/// An edge by which a line leaves a polygon.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) edge: OutlineEdge,
    /// Whether the line passes through an end of it.
    pub(super) is_vertex: bool,
}

/// The place on the plane.
#[inline]
fn xz64(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

impl Exit {
    /// How much of the line lies before it.
    #[inline]
    pub(super) fn share_before(self, line: LineXz) -> f32 {
        let [a, b, from, to] = [self.edge.start, self.edge.end, line.from(), line.to()].map(xz64);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        let (before, beyond) = (side(from), side(to));
        if before < 0.0 && beyond > before { (before / (before - beyond)) as f32 } else { 0.0 }
    }

    /// The normal of the edge on the plane, towards the polygon.
    #[inline]
    pub(super) fn inward_normal(self) -> Vec3 {
        segment::inward_normal(self.edge.start, self.edge.end)
    }
}

/// The edges of a polygon by which a line leaves it before its end: one, or the two at a vertex; none if the end is in
/// the polygon, or the line is not.
#[cold]
pub(super) fn exits(line: LineXz, outline: Outline<'_>) -> [Option<Exit>; 2] {
    let mut found = [None; 2];
    for edge in outline.edges() {
        let sides = [line.side(edge.start), line.side(edge.end)];
        let is_crossed = sides[0] >= 0.0 && sides[1] <= 0.0 && sides[0] > sides[1];
        if is_crossed && orient_xz(edge.start, edge.end, line.to()) > 0.0 {
            found[usize::from(found[0].is_some())] = Some(Exit { edge, is_vertex: sides.contains(&0.0) });
        }
    }
    found
}

/// A polygon that is entered, and the edge over which, if that is known.
#[derive(Clone, Copy)]
pub(super) struct Entered<'a> {
    pub(super) tile: &'a Tile,
    pub(super) poly: u32,
    pub(super) over: Option<u32>,
}

impl Entered<'_> {
    #[inline]
    pub(super) fn reference(self) -> PolyRef {
        self.tile.reference(self.poly)
    }
}

/// The first of the [`exits`] of a polygon that was just entered.
#[inline(always)]
pub(super) fn leave(line: LineXz, at: Entered<'_>) -> Option<Exit> {
    let outline = at.tile.outline(at.poly);
    let Some(block) = outline.only_block() else { return exits(line, outline)[0] };
    let count = block.count();
    let after = |k: usize| if k + 1 >= count { 0 } else { k + 1 };
    let (mut k, mut is_left) = match at.over {
        // Where it came in, it passed between two corners, of which this one is to the left.
        Some(over) => (after(over as usize), true),
        None => (0, line.turn(block.corner(0)) > 0.0),
    };
    for _ in 0..count {
        let turn = line.turn(block.corner(k + 1));
        if turn < 0.0 && is_left {
            let edge = block.edge(k);
            return (turn_xz(edge.start, edge.end, line.to()) > 0.0).then_some(Exit { edge, is_vertex: false });
        }
        (k, is_left) = (after(k), turn > 0.0);
    }
    // No edge is crossed between its ends: past a vertex, or not over the polygon at all.
    exits(line, outline)[0]
}

/// The polygon beyond an edge, where the line crosses it, if it passes.
#[inline(always)]
pub(super) fn cross<'a, F: QueryFilter + ?Sized>(
    (mesh, filter): (&'a NavMesh, &F),
    line: LineXz,
    tile: &'a Tile,
    exit: Exit,
) -> Option<Entered<'a>> {
    if let Some(poly) = exit.edge.beyond.as_poly() {
        let over = if exit.is_vertex { None } else { exit.edge.beyond.twin() };
        return filter.passes(tile.reference(poly), tile.state(poly)).then_some(Entered { tile, poly, over });
    }
    let is_crossed = |way: &Way<'_>| line.side(way.a) >= 0.0 && line.side(way.b) <= 0.0;
    let way = ways_over(mesh, tile, exit.edge.beyond, filter).find(is_crossed)?;
    Some(Entered { tile: way.tile, poly: way.poly, over: None })
}

/// The ways over an edge into polygons that pass.
pub(super) fn ways_over<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    tile: &'a Tile,
    beyond: Beyond,
    filter: &F,
) -> impl Iterator<Item = Way<'a>> {
    let links = beyond.as_border().map_or(&[][..], |number| tile.links().of_border(number));
    let ways = links.iter().filter_map(move |link| {
        let beyond = mesh.tile(link.to.slot())?;
        Some(Way { tile: beyond, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b })
    });
    ways.filter(move |way| way.passes(filter))
}

/// Steps after which a walk along a step of an agent is no such thing.
const MOST_STEPS: usize = 64;

/// Walks straight from a place in a polygon to the end of a line, which is not in that polygon, and lists the polygons
/// entered. `None` if it does not come there, or passes through a vertex on the way.
#[inline]
pub(super) fn walk_freely<'a, F: QueryFilter + ?Sized>(
    (mesh, filter): (&'a NavMesh, &F),
    start: (&'a Tile, u32),
    line: LineXz,
    polys: &mut Vec<PolyRef>,
) -> Option<PolyRef> {
    let mut at = Entered { tile: start.0, poly: start.1, over: None };
    for step in 0..MOST_STEPS {
        let Some(exit) = leave(line, at) else {
            let is_there = step > 0 && at.tile.outline(at.poly).is_over(line.to());
            return is_there.then_some(at.reference());
        };
        if exit.is_vertex {
            return None;
        }
        at = cross((mesh, filter), line, at.tile, exit)?;
        polys.push(at.reference());
    }
    None
}
