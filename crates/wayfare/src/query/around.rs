//! The polygons around a place: what can be reached without leaving a shape, cheapest first.
//!
//! ```text
//!      .----.----.
//!      | 3 ( 2   |        a portal is crossed if some of it lies in the shape;
//!      |--( -p---)---.    what is under the shape but beyond a wall is not found
//!      | 1 (     )| 4|
//!      '----'----'---'
//! ```
//!
//! Cost: the polygons found, times their ways out, with a heap.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959; the shape test on portals is
//! Detour's.

use super::scratch::{Known, Node, Nodes, Via};
use super::{
    Crossing, NodePlacement, PlaceNodes, PolyPoint, PortalToPlace, QueryFilter, ReachedPoly, SearchScratch, flood,
};
use crate::math::index::NONE;
use crate::math::{OpenList, polygon, segment};
use crate::mesh::{Link, NavMesh, PolyRef, PolyState, StaleRef, Tile};
use crate::tile::{OutlineBlock, bits};
use glam::Vec3;

/// What to look around in, from where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AroundRequest<'a, P = NodePlacement> {
    /// Where the flood begins. Normally within the shape.
    pub place: PolyPoint,
    /// What it does not leave.
    pub shape: AroundShape<'a>,
    /// Where it places its nodes on the portals; they are what costs are counted between. Default:
    /// [`NodePlacement::Middle`].
    pub placement: P,
}

/// The shape that a flood keeps to: a portal is crossed where some of it lies within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AroundShape<'a> {
    /// A circle around the place, by its radius in metres. Below zero and NaN are zero.
    Circle(f32),
    /// A convex polygon, on the plane. Its corners wind like those of the mesh (see
    /// [`math::plane`](crate::math::plane)).
    Convex(&'a [Vec3]),
}

impl<'a> AroundRequest<'a> {
    /// Within `radius` metres of a place.
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
    /// The same with another rule that places nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> AroundRequest<'a, Q> {
        AroundRequest { place: self.place, shape: self.shape, placement }
    }
}

/// The polygons that can be reached from a place over portals that touch a shape, cheapest first; the place's own is
/// the first. Off-mesh connections are neither followed nor listed.
///
/// # Errors
/// [`StaleRef`] if the place's polygon is not in the mesh.
pub fn polys_around<F: QueryFilter + ?Sized, P: PlaceNodes>(
    mesh: &NavMesh,
    request: &AroundRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch,
) -> Result<Vec<ReachedPoly>, StaleRef> {
    let mut found = Vec::new();
    polys_around_into(mesh, request, filter, scratch, &mut found)?;
    Ok(found)
}

/// [`polys_around`] into a list that keeps its memory.
///
/// # Errors
/// [`StaleRef`] if the place's polygon is not in the mesh; the list is then empty.
pub fn polys_around_into<F: QueryFilter + ?Sized, P: PlaceNodes>(
    mesh: &NavMesh,
    request: &AroundRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch,
    found: &mut Vec<ReachedPoly>,
) -> Result<(), StaleRef> {
    found.clear();
    match request.shape {
        AroundShape::Circle(radius) => {
            let radius_squared = if radius > 0.0 { radius * radius } else { 0.0 };
            let within = Circle { center: request.place.point, radius_squared };
            AroundFlood { mesh, filter, within: &within }.run(request, scratch, found)
        }
        AroundShape::Convex(corners) => {
            AroundFlood { mesh, filter, within: &Convex(corners) }.run(request, scratch, found)
        }
    }
}

/// What is looked around in.
trait Shape {
    /// Whether it touches a stretch of an edge.
    fn touches(&self, a: Vec3, b: Vec3) -> bool;

    /// Which edges of a block it touches, as bits.
    fn touched(&self, block: &OutlineBlock) -> u32;
}

struct Circle {
    center: Vec3,
    radius_squared: f32,
}

impl Shape for Circle {
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

impl Shape for Convex<'_> {
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

/// Dijkstra's algorithm over the portals that a shape touches.
struct AroundFlood<'a, F: ?Sized, S> {
    mesh: &'a NavMesh,
    filter: &'a F,
    within: &'a S,
}

impl<F: QueryFilter + ?Sized, S: Shape> AroundFlood<'_, F, S> {
    fn run<P: PlaceNodes>(
        &self,
        request: &AroundRequest<'_, P>,
        scratch: &mut SearchScratch,
        found: &mut Vec<ReachedPoly>,
    ) -> Result<(), StaleRef> {
        // Most floods place nodes in the middle: they are compiled without asking.
        if request.placement.is_middle() {
            self.run_placed::<_, true>(request, scratch, found)
        } else {
            self.run_placed::<_, false>(request, scratch, found)
        }
    }

    fn run_placed<P: PlaceNodes, const MIDDLE: bool>(
        &self,
        request: &AroundRequest<'_, P>,
        scratch: &mut SearchScratch,
        found: &mut Vec<ReachedPoly>,
    ) -> Result<(), StaleRef> {
        let Self { mesh, within, .. } = *self;
        let AroundRequest { place, ref placement, .. } = *request;
        let first = flood::begin(mesh, place.poly, place.point, scratch)?;
        let (tile, poly) = mesh.locate(place.poly)?;
        let SearchScratch { nodes, open, .. } = scratch;
        nodes.get_mut(first).via = first_ways(within, tile, poly);
        open.push(0.0, first);
        while let Some((total, index)) = open.pop() {
            let node = nodes.get(index);
            let cost = node.cost;
            let of = node.of;
            let pos = node.pos;
            let ways = node.via.edges_onwards();
            if total != cost {
                continue;
            }
            let parent = (node.parent != NONE).then(|| nodes.get(node.parent).of);
            let Some(tile) = mesh.tile_in(of.slot()) else { continue };
            found.push(ReachedPoly { poly: of, parent, cost });
            nodes.close(index);
            let poly = of.poly().get();
            let page = nodes.page(tile);
            let base = tile.base();
            let states = tile.states();
            let state = states[poly as usize];
            let mut at = At { nodes, open, flood: self, placement, of, pos, cost, index, state, before: parent };
            for (number, block) in tile.outline(poly).blocks().enumerate() {
                for k in bits(if number == 0 { ways } else { ways_within(within, block) }) {
                    let edge = block.edge(k);
                    if let Some(next) = edge.beyond.as_poly() {
                        let beyond = (base.sibling(next), page.entry(next, None));
                        at.relax::<MIDDLE>(beyond, || Some(tile), [edge.start, edge.end], || true);
                    } else if let Some(border) = edge.beyond.as_border() {
                        at.cross_border::<MIDDLE>(tile.links().of_border(border));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The ways out of a polygon that a shape touches, among the edges of its first block. Told when the polygon is
/// discovered, not when its turn comes: then nothing would go on before its corners are there.
#[inline(always)]
fn first_ways(shape: &impl Shape, tile: &Tile, poly: u32) -> Via {
    Via::onwards(tile.outline(poly).blocks().next().map_or(0, |block| ways_within(shape, block)))
}

#[inline(always)]
fn ways_within(shape: &impl Shape, block: &OutlineBlock) -> u32 {
    shape.touched(block) & block.ways()
}

/// The polygon whose ways out are looked at.
struct At<'a, F: ?Sized, S, P> {
    nodes: &'a mut Nodes,
    open: &'a mut OpenList,
    flood: &'a AroundFlood<'a, F, S>,
    placement: &'a P,
    of: PolyRef,
    pos: Vec3,
    cost: f32,
    index: u32,
    state: PolyState,
    before: Option<PolyRef>,
}

impl<F: QueryFilter + ?Sized, S: Shape, P: PlaceNodes> At<'_, F, S, P> {
    /// The ways over a border edge.
    fn cross_border<const MIDDLE: bool>(&mut self, links: &[Link]) {
        let &AroundFlood { mesh, within, .. } = self.flood;
        for link in links {
            let slot = link.to.slot();
            let poly = link.to.poly().get();
            let page = match self.nodes.touched_page(slot.get()) {
                Some(page) => page,
                None => match mesh.tile_in(slot) {
                    Some(beyond) => self.nodes.page(beyond),
                    None => continue,
                },
            };
            let touches = || within.touches(link.a, link.b);
            self.relax::<MIDDLE>((link.to, page.entry(poly, None)), || mesh.tile_in(slot), [link.a, link.b], touches);
        }
    }

    /// Where the node of a portal stands that is met for the first time. There is no goal to aim at.
    fn place_node(&self, next: PolyRef, ends: [Vec3; 2]) -> Vec3 {
        let portal = PortalToPlace { from: self.pos, goal: self.pos, ends, poly: self.of, next, mesh: self.flood.mesh };
        portal.at(self.placement.share(&portal))
    }

    /// A way into a polygon: the first, or perhaps a cheaper one.
    #[inline(always)]
    fn relax<'t, const MIDDLE: bool>(
        &mut self,
        (to, entry): (PolyRef, u32),
        tile: impl FnOnce() -> Option<&'t Tile>,
        [a, b]: [Vec3; 2],
        touches: impl FnOnce() -> bool,
    ) {
        let cost_to = |pos| {
            let step =
                Crossing::over(self.flood.mesh, self.of, self.state, [self.pos, pos]).between(self.before, Some(to));
            self.cost + self.flood.filter.cost(&step).max(0.0)
        };
        match self.nodes.known(entry) {
            Known::Closed => {}
            Known::Open(known) => {
                let other = self.nodes.get_mut(known);
                let cost = cost_to(other.pos);
                if cost < other.cost && touches() {
                    (other.parent, other.cost) = (self.index, cost);
                    self.open.push(cost, known);
                }
            }
            Known::New => {
                if !touches() {
                    return;
                }
                let Some(tile) = tile() else { return };
                let poly = to.poly().get();
                if !self.flood.filter.passes(to, tile.state(poly)) {
                    return;
                }
                let pos = if MIDDLE { (a + b) * 0.5 } else { self.place_node(to, [a, b]) };
                let cost = cost_to(pos);
                if cost.is_finite() {
                    let mut node = Node::at(entry, to, pos);
                    (node.parent, node.cost) = (self.index, cost);
                    node.via = first_ways(self.flood.within, tile, poly);
                    let new = self.nodes.push(node);
                    self.open.push(cost, new);
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
        // The far side of the wall is near, but the way there leaves the circle.
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
