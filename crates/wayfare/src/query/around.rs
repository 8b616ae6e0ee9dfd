//! Finds the polygons around a position that can be reached without leaving a shape, cheapest first.
//!
//! ```text
//!      .----.----.
//!      | 3 ( 2   |        a portal is crossed if some of it lies in the shape;
//!      |--( -p---)---.    what is under the shape but beyond a wall is not found
//!      | 1 (     )| 4|
//!      '----'----'---'
//! ```
//!
//! Cost: the polygons found times their portals, with a heap.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959; the shape test on portals is
//! Detour's.

use super::scratch::SearchMemory;
use super::via::Via;
use super::{
    Crossing, NodePlacement, PlaceNodes, PolyPoint, PortalToPlace, QueryFilter, ReachedPoly, SearchLimits,
    SearchScratch, flood,
};
use crate::context::Budget;
use crate::graph::{self, Course, Fringe, Known, Node, Order, SearchObserver, SearchSpace};
use crate::math::{polygon, segment};
use crate::mesh::{Link, NavMesh, PolyRef, PolyState, StaleRef, Tile};
use crate::tile::{OutlineBlock, bits};
use core::ops::ControlFlow;
use glam::Vec3;

/// Parameters for [`polys_around`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AroundRequest<'a, P = NodePlacement> {
    /// Where the flood begins. Normally inside the shape.
    pub place: PolyPoint,
    /// The shape that the flood does not leave.
    pub shape: AroundShape<'a>,
    /// Where nodes are placed on the portals; costs are measured between nodes. Default: [`NodePlacement::Middle`].
    pub placement: P,
}

/// A shape that limits a flood: a portal is crossed if part of it lies inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AroundShape<'a> {
    /// A circle around the position, by its radius in metres. Negative values and NaN count as zero.
    Circle(f32),
    /// A convex polygon in the horizontal plane. Its corners have the same winding as those of the mesh (see
    /// [`math::plane`](crate::math::plane)).
    Convex(&'a [Vec3]),
}

impl<'a> AroundRequest<'a> {
    /// Within `radius` metres of a position.
    #[must_use]
    pub fn circle(place: PolyPoint, radius: f32) -> Self {
        Self { place, shape: AroundShape::Circle(radius), placement: NodePlacement::default() }
    }

    /// Within a convex polygon.
    #[must_use]
    pub fn convex(place: PolyPoint, corners: &'a [Vec3]) -> Self {
        Self { place, shape: AroundShape::Convex(corners), placement: NodePlacement::default() }
    }
}

impl<'a, P> AroundRequest<'a, P> {
    /// The same request with another rule for placing nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> AroundRequest<'a, Q> {
        AroundRequest { place: self.place, shape: self.shape, placement }
    }
}

/// The polygons that can be reached from a position over portals that touch a shape, cheapest first; the first is the
/// polygon of the position itself. Off-mesh connections are neither followed nor listed.
///
/// # Errors
/// [`StaleRef`] if the position's polygon is not in the mesh.
pub fn polys_around<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &AroundRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Vec<ReachedPoly>, StaleRef> {
    let mut found = Vec::new();
    polys_around_into(mesh, request, filter, scratch, &mut found)?;
    Ok(found)
}

/// Like [`polys_around`], but fills an existing list.
///
/// # Errors
/// [`StaleRef`] if the position's polygon is not in the mesh; the list is then empty.
pub fn polys_around_into<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &AroundRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    found: &mut Vec<ReachedPoly>,
) -> Result<(), StaleRef> {
    found.clear();
    match request.shape {
        AroundShape::Circle(radius) => {
            let radius_squared = if radius > 0.0 { radius * radius } else { 0.0 };
            let within = Circle { center: request.place.point, radius_squared };
            AroundFlood { mesh, filter, within: &within, found }.run(request, scratch)
        }
        AroundShape::Convex(corners) => {
            AroundFlood { mesh, filter, within: &Convex(corners), found }.run(request, scratch)
        }
    }
}

/// A shape that limits the flood.
trait FloodShape {
    /// Whether it touches an interval of an edge.
    fn touches(&self, a: Vec3, b: Vec3) -> bool;

    /// Which edges of a block it touches, as bits.
    fn touched(&self, block: &OutlineBlock) -> u32;
}

struct Circle {
    center: Vec3,
    radius_squared: f32,
}

impl FloodShape for Circle {
    #[inline]
    fn touches(&self, a: Vec3, b: Vec3) -> bool {
        segment::is_within(self.center, a, b, self.radius_squared)
    }

    #[inline]
    fn touched(&self, block: &OutlineBlock) -> u32 {
        block.edges_within(self.center, self.radius_squared)
    }
}

struct Convex<'a>(&'a [Vec3]);

impl FloodShape for Convex<'_> {
    fn touches(&self, a: Vec3, b: Vec3) -> bool {
        polygon::clip_segment(self.0, a, b).is_some()
    }

    fn touched(&self, block: &OutlineBlock) -> u32 {
        bits(block.edges()).fold(0, |touched, k| {
            let edge = block.edge(k);
            touched | u32::from(self.touches(edge.start, edge.end)) << k
        })
    }
}

/// State of a flood, and its result.
struct AroundFlood<'a, F: ?Sized, S> {
    mesh: &'a NavMesh,
    filter: &'a F,
    within: &'a S,
    found: &'a mut Vec<ReachedPoly>,
}

impl<F: QueryFilter + ?Sized, S: FloodShape> AroundFlood<'_, F, S> {
    fn run<P: PlaceNodes, O: SearchObserver<PolyRef>>(
        self,
        request: &AroundRequest<'_, P>,
        scratch: &mut SearchScratch<O>,
    ) -> Result<(), StaleRef> {
        // Most floods place nodes in the middle, so that case is compiled separately.
        if request.placement.is_middle() {
            self.run_placed::<_, _, true>(request, scratch)
        } else {
            self.run_placed::<_, _, false>(request, scratch)
        }
    }

    fn run_placed<P: PlaceNodes, O: SearchObserver<PolyRef>, const MIDDLE: bool>(
        self,
        request: &AroundRequest<'_, P>,
        scratch: &mut SearchScratch<O>,
    ) -> Result<(), StaleRef> {
        let AroundRequest { place, ref placement, .. } = *request;
        let SearchScratch { memory: SearchMemory { nodes, open, .. }, observer } = scratch;
        let mut course = Course::within(SearchLimits::default());
        let mut fringe = Fringe { nodes, open: &mut open.list, observer, course: &mut course };
        flood::begin(self.mesh, place, &mut fringe)?;
        let (tile, poly) = self.mesh.locate(place.poly)?;
        fringe.nodes.get_mut(0).via = first_edges(self.within, tile, poly).0;
        let mut space = AroundSpace::<_, _, _, MIDDLE> { flood: self, placement };
        graph::run(&mut space, &mut fringe, &mut Budget::unlimited());
        Ok(())
    }
}

/// The polygons on the other side of portals that a shape touches.
struct AroundSpace<'a, F: ?Sized, S, P, const MIDDLE: bool> {
    flood: AroundFlood<'a, F, S>,
    placement: &'a P,
}

impl<F: QueryFilter + ?Sized, S: FloodShape, P: PlaceNodes, const MIDDLE: bool> SearchSpace
    for AroundSpace<'_, F, S, P, MIDDLE>
{
    type Key = PolyRef;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let &mut AroundFlood { mesh, within, .. } = &mut self.flood;
        let before = fringe.nodes.of(node.parent);
        let Some(tile) = node.tile(mesh) else { return ControlFlow::Continue(()) };
        self.flood.found.push(ReachedPoly { poly: node.of, parent: before, cost: node.cost });
        let poly = node.poly();
        let page = fringe.nodes.page(tile);
        let base = tile.base();
        let state = tile.states()[poly as usize];
        let Node { of, pos, cost, .. } = node;
        let mut at = At { space: self, fringe, of, pos, cost, number, state, before };
        for (block_number, block) in tile.outline(poly).blocks().enumerate() {
            let ways = if block_number == 0 { node.via().edges_onwards() } else { edges_within(within, block) };
            for k in bits(ways) {
                let edge = block.edge(k);
                if let Some(next) = edge.beyond.as_poly() {
                    let beyond = (base.sibling(next), page.entry_of(next, None));
                    at.relax(beyond, || Some(tile), [edge.start, edge.end], || true);
                } else if let Some(border) = edge.beyond.as_border() {
                    at.cross_border(tile.links().of_border(border));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Of the edges of a polygon's first block, those that the shape touches. Computed when the polygon is discovered, not
/// when it is expanded: otherwise expanding would wait for its corners to be loaded.
#[inline(always)]
fn first_edges(shape: &impl FloodShape, tile: &Tile, poly: u32) -> Via {
    Via::onwards(tile.outline(poly).blocks().next().map_or(0, |block| edges_within(shape, block)))
}

#[inline(always)]
fn edges_within(shape: &impl FloodShape, block: &OutlineBlock) -> u32 {
    shape.touched(block) & block.ways()
}

/// The polygon being expanded.
struct At<'n, 's, 'a, F: ?Sized, S, P, Q, O, const MIDDLE: bool> {
    space: &'n AroundSpace<'a, F, S, P, MIDDLE>,
    fringe: &'n mut Fringe<'s, PolyRef, Q, O>,
    of: PolyRef,
    pos: Vec3,
    cost: f32,
    number: u32,
    state: PolyState,
    before: Option<PolyRef>,
}

impl<F, S, P, Q, O, const MIDDLE: bool> At<'_, '_, '_, F, S, P, Q, O, MIDDLE>
where
    F: QueryFilter + ?Sized,
    S: FloodShape,
    P: PlaceNodes,
    Q: Order,
    O: SearchObserver<PolyRef>,
{
    /// The links over a border edge.
    fn cross_border(&mut self, links: &[Link]) {
        let &AroundFlood { mesh, within, .. } = &self.space.flood;
        for link in links {
            let slot = link.to.slot();
            let poly = link.to.poly().get();
            let Some(page) = self.fringe.nodes.page_in(mesh, slot) else { continue };
            let touches = || within.touches(link.a, link.b);
            self.relax((link.to, page.entry_of(poly, None)), || mesh.tile_in(slot), [link.a, link.b], touches);
        }
    }

    /// Position of the node of a portal that is met for the first time. There is no goal to aim at.
    fn place_node(&self, next: PolyRef, ends: [Vec3; 2]) -> Vec3 {
        let from = self.pos;
        let portal = PortalToPlace { from, goal: from, ends, poly: self.of, next, mesh: self.space.flood.mesh };
        portal.at(self.space.placement.share(&portal))
    }

    /// A portal into a polygon: the first, or possibly a cheaper one.
    #[inline(always)]
    fn relax<'t>(
        &mut self,
        (to, entry): (PolyRef, u32),
        tile: impl FnOnce() -> Option<&'t Tile>,
        [a, b]: [Vec3; 2],
        touches: impl FnOnce() -> bool,
    ) {
        let flood = &self.space.flood;
        let cost_to = |pos| {
            let step = Crossing::over(flood.mesh, self.of, self.state, [self.pos, pos]);
            self.cost + flood.filter.cost(&step.between(self.before, Some(to))).max(0.0)
        };
        match self.fringe.nodes.entries.known(entry) {
            Known::Closed => {}
            Known::Open(known) => {
                let other = self.fringe.nodes.get(known);
                let via = other.via;
                let cost = cost_to(other.pos);
                if cost < other.cost && touches() {
                    self.fringe.improve(known, (self.number, via), cost, 0.0);
                }
            }
            Known::New => {
                if !touches() {
                    return;
                }
                let Some(tile) = tile() else { return };
                let poly = to.poly().get();
                if !flood.filter.passes(to, tile.state(poly)) {
                    return;
                }
                let pos = if MIDDLE { (a + b) * 0.5 } else { self.place_node(to, [a, b]) };
                let node = Node::at(entry, to, pos).entered_by(first_edges(flood.within, tile, poly).0);
                let cost = cost_to(pos);
                if cost.is_finite() {
                    self.fringe.open_unlimited(node, self.number, cost);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};
    use crate::query::{NeighbourhoodRequest, local_neighbourhood};

    #[test]
    fn only_what_the_circle_touches_and_no_wall_hides() {
        let mesh = mesh(&[((0, 0), "aaaaa\na...a\naaaaa"), ((1, 0), "aaaaa\na....\na....")]);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let mut ask = |place, radius| {
            let place = at(&mesh, place).unwrap();
            polys_around(&mesh, &AroundRequest::circle(place, radius), &filter, &mut scratch).unwrap()
        };
        let few = ask((0.5, 0.5), 1.0);
        assert_eq!(few.len(), 3);
        assert_eq!((few[0].cost, few[0].parent), (0.0, None));
        assert!(few[1..].iter().all(|r| r.parent == Some(few[0].poly) && r.cost == 0.5));
        // The far side of the wall is near, but the path there leaves the circle.
        assert_eq!(ask((2.5, 0.5), 2.0).len(), 7);
        assert_eq!(ask((4.5, 1.5), 1.0).len(), 8);
    }

    #[test]
    fn a_radius_that_is_none_is_0() {
        let mesh = mesh(&[((0, 0), "aaa\naaa\naaa")]);
        let place = at(&mesh, (1.5, 1.5)).unwrap();
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        for radius in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            let found = polys_around(&mesh, &AroundRequest::circle(place, radius), &filter, &mut scratch).unwrap();
            assert_eq!(found.iter().map(|reached| reached.poly).collect::<Vec<_>>(), [place.poly], "{radius}");
            let near =
                local_neighbourhood(&mesh, &NeighbourhoodRequest::new(place, radius), &filter, &mut scratch).unwrap();
            assert_eq!(near, [place.poly], "{radius}");
            let wall = crate::query::find_distance_to_wall(&mesh, place, radius, &filter, &mut scratch).unwrap();
            assert_eq!(wall, None, "{radius}");
        }
        assert_eq!(
            polys_around(&mesh, &AroundRequest::circle(place, f32::INFINITY), &filter, &mut scratch).unwrap().len(),
            9
        );
    }

    #[test]
    fn costs_rise_and_parents_come_first() {
        let mesh = mesh(&[((0, 0), "aaaa\naaaa\naaaa\naaaa")]);
        let place = at(&mesh, (1.5, 1.5)).unwrap();
        let shape = [(0.5, 0.5), (0.5, 3.5), (3.5, 3.5), (3.5, 0.5)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let found = polys_around(
            &mesh,
            &AroundRequest::convex(place, &shape),
            &DefaultFilter::default(),
            &mut SearchScratch::new(),
        )
        .unwrap();
        assert_eq!(found.len(), 16);
        assert!(found.windows(2).all(|w| w[0].cost <= w[1].cost));
        for (i, reached) in found.iter().enumerate().skip(1) {
            assert!(found[..i].iter().any(|before| Some(before.poly) == reached.parent));
        }
        let small = [(1.2, 1.2), (1.2, 1.8), (2.2, 1.8), (2.2, 1.2)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let found = polys_around(
            &mesh,
            &AroundRequest::convex(place, &small),
            &DefaultFilter::default(),
            &mut SearchScratch::new(),
        )
        .unwrap();
        assert_eq!(found.len(), 2);
    }
}
