//! A path over polygons: A*.
//!
//! Each node is a way into a polygon, placed at the middle of the portal it was first entered by. The open node with the
//! least cost so far plus estimate of the rest is expanded: every way out of its polygon is a candidate, with the cost that
//! the filter gives the straight way between the two middles. The estimate is the straight distance times the least cost a metre,
//! shortened by a thousandth so that rounding cannot make it too long.
//!
//! ```text
//!   .-------.-------.
//!   |   S   |m1    /|      S → m1 → m2 → G: the middles stand for the portals; the string is pulled afterwards
//!   |       |     / |
//!   '-------'----m2-|
//!           | G     |
//!           '-------'
//! ```
//!
//! If the goal is not reached, the answer leads to the node that was estimated nearest to it. Ties are broken by the order of discovery, so
//! the answer depends on the mesh, the question and the filter alone.
//!
//! Cost: for every node expanded a few loads for each way out, and a push for each improvement; no allocation once the scratch is warm.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968;
//! where nodes are placed follows Mikko Mononen, "Detour Node Placement", Digesting Duck, 2010–2011.

use super::scratch::{Node, Nodes, Page, Via};
use super::{PathRequest, PolyPath, QueryFilter, SearchScratch};
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::math::OpenList;
use crate::math::funnel::Portal;
use crate::math::index::{NONE, TileSlot};
use crate::math::plane::distance_squared;
use crate::math::segment;
use crate::mesh::{NavMesh, StaleRef, Tile};
use crate::tile::Side;
use glam::Vec3;

/// Finds a path over polygons.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn find_path<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch,
) -> Result<PolyPath, StaleRef> {
    let mut path = PolyPath::default();
    find_path_into(mesh, request, filter, scratch, &mut path)?;
    Ok(path)
}

/// [`find_path`] into a path that keeps its memory.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh; the path is then empty.
pub fn find_path_into<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch,
    path: &mut PolyPath,
) -> Result<(), StaleRef> {
    path.clear();
    let mut search = Search::begin(mesh, request, filter, scratch)?;
    search.run(mesh, filter, scratch, &mut Budget::UNLIMITED.clone());
    search.finish(mesh, scratch, path);
    Ok(())
}

/// A search under way. Its nodes are in the scratch.
#[derive(Clone, Debug)]
pub(super) struct Search {
    request: PathRequest,
    goal: (u32, u32),
    /// The node estimated nearest to the goal, and that estimate; or the goal's.
    best: u32,
    best_estimate: f32,
    estimate_scale: f32,
    limit: Option<LimitHit>,
    finished: bool,
}

impl Search {
    pub(super) fn begin<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<Self, StaleRef> {
        let (start_tile, start_poly) = mesh.locate(request.start.poly)?;
        let (goal_tile, goal_poly) = mesh.locate(request.goal.poly)?;
        let estimate_scale = filter.least_cost().max(0.0) * 0.999;
        scratch.nodes.begin(mesh);
        scratch.open.clear();
        let page = scratch.nodes.page(start_tile);
        let first = scratch.nodes.add(page.entry(start_poly, None), page.slot, start_poly, request.start.point);
        let estimate = request.start.point.distance(request.goal.point) * estimate_scale;
        scratch.nodes.get_mut(first).total = estimate;
        scratch.open.push(estimate, first);
        Ok(Self {
            request: *request,
            goal: (goal_tile.slot().get(), goal_poly),
            best: first,
            best_estimate: estimate,
            estimate_scale,
            limit: None,
            finished: false,
        })
    }

    /// Expands nodes until the goal is reached, nothing is open or the budget (in nodes) is spent. Whether it has finished.
    pub(super) fn run<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch,
        budget: &mut Budget,
    ) -> bool {
        let SearchScratch { nodes, open, .. } = scratch;
        while !self.finished && budget.spend() {
            let Some((total, index)) = open.pop() else {
                self.finished = true;
                break;
            };
            let node = *nodes.get(index);
            if total != node.total {
                continue; // Outdated: a cheaper way here was found since.
            }
            if (node.slot, node.poly) == self.goal {
                self.best = index;
                self.finished = true;
                break;
            }
            let Some(tile) = mesh.tile(TileSlot::new(node.slot)) else { continue };
            self.expand(mesh, filter, &mut Expansion { nodes, open, tile, node, index });
        }
        self.finished
    }

    /// Tries every way out of a node's polygon but the one back.
    fn expand<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, filter: &F, at: &mut Expansion<'_>) {
        let from = if at.node.parent == NONE {
            (NONE, NONE)
        } else {
            let parent = at.nodes.get(at.node.parent);
            (parent.slot, parent.poly)
        };
        let page = at.nodes.page(at.tile);
        let graph = at.tile.graph();
        for number in graph.range_of(at.node.poly) {
            let edge = &graph.edges()[number];
            let Some(border) = edge.as_border() else {
                if (page.slot, edge.next) != from {
                    let way = Way { via: Via::edge(number), middle: edge.mid, side: None, poly: edge.next };
                    self.relax(filter, at, (at.tile, page), &way);
                }
                continue;
            };
            let corner = graph.corners()[number];
            let side = at.tile.data().neighbours[corner as usize].as_border();
            for number in at.tile.links().range_of_border(border) {
                let link = &at.tile.links().all()[number];
                let (slot, poly) = (link.to.slot(), link.to.poly().get());
                let Some(beyond) = mesh.tile(slot) else { continue };
                if (slot.get(), poly) != from {
                    let way = Way { via: Via::link(number), middle: (link.a + link.b) * 0.5, side, poly };
                    let page = at.nodes.page(beyond);
                    self.relax(filter, at, (beyond, page), &way);
                }
            }
        }
    }

    /// Considers one way into a polygon.
    #[inline(always)]
    fn relax<F: QueryFilter + ?Sized>(
        &mut self,
        filter: &F,
        at: &mut Expansion<'_>,
        (tile, page): (&Tile, Page),
        way: &Way,
    ) {
        let (reference, state) = (tile.reference(way.poly), tile.state(way.poly));
        if !filter.passes(reference, state) {
            return;
        }
        let entry = page.entry(way.poly, way.side);
        let known = at.nodes.find(entry);
        let pos = known.map_or(way.middle, |index| at.nodes.get(index).pos);
        let here = (at.tile.reference(at.node.poly), at.tile.state(at.node.poly));
        let mut cost = at.node.cost + filter.cost(at.node.pos, pos, here.0, here.1).max(0.0);
        let estimate = if (page.slot, way.poly) == self.goal {
            cost += filter.cost(pos, self.request.goal.point, reference, state).max(0.0);
            0.0
        } else {
            pos.distance(self.request.goal.point) * self.estimate_scale
        };
        let total = cost + estimate;
        if cost > self.request.limits.max_cost {
            self.limit = self.limit.or(Some(LimitHit::Distance));
            return;
        }
        // Infinite costs, too, end here.
        if !total.is_finite() || known.is_some_and(|index| at.nodes.get(index).total <= total) {
            return;
        }
        let index = match known {
            Some(index) => index,
            None if at.nodes.len() >= self.request.limits.max_nodes as usize => {
                self.limit = Some(LimitHit::Nodes);
                return;
            }
            None => at.nodes.add(entry, page.slot, way.poly, pos),
        };
        let node = at.nodes.get_mut(index);
        (node.cost, node.total, node.parent, node.via) = (cost, total, at.index, way.via);
        at.open.push(total, index);
        if estimate < self.best_estimate {
            (self.best, self.best_estimate) = (index, estimate);
        }
    }

    /// Writes down the path to the goal, or to the nearest place so far.
    pub(super) fn finish(&self, mesh: &NavMesh, scratch: &SearchScratch, path: &mut PolyPath) {
        let nodes = &scratch.nodes;
        let goal = self.request.goal.point;
        (path.start, path.end, path.nodes) = (self.request.start.point, goal, nodes.len() as u32);
        let best = nodes.get(self.best);
        if (best.slot, best.poly) == self.goal {
            path.status = PathStatus::Complete;
            path.cost = if best.parent == NONE { path.start.distance(goal) } else { best.cost };
            write_way(mesh, nodes, self.best, path);
        } else {
            let (nearest, end) = self.nearest_to_goal(mesh, nodes);
            (path.status, path.limit, path.end) = (PathStatus::Partial, self.limit, end);
            path.cost = nodes.get(nearest).cost;
            write_way(mesh, nodes, nearest, path);
        }
    }

    /// Of all polygons that were reached the one that comes nearest to the goal, by its node and the place. The node with the
    /// best estimate is a good first guess: nearly all others are farther away on the plane already.
    fn nearest_to_goal(&self, mesh: &NavMesh, nodes: &Nodes) -> (u32, Vec3) {
        let goal = self.request.goal.point;
        let (mut best, mut end, mut distance) = (self.best, self.request.start.point, f32::INFINITY);
        let mut consider = |index: u32| {
            let node = nodes.get(index);
            let Some(data) = mesh.tile(TileSlot::new(node.slot)).map(Tile::data) else { return };
            // Path points have the heights of polygon edges, so this one has, too, unless it is right above or below.
            let (on_plane, mut place) = nearest_on_outline(data.points_of(node.poly), goal);
            if data.is_over(node.poly, goal) {
                place = Vec3::new(goal.x, data.height_at(node.poly, goal).unwrap_or(place.y), goal.z);
            } else if on_plane >= distance {
                return;
            }
            let nearer = place.distance_squared(goal);
            if nearer < distance {
                (best, end, distance) = (index, place, nearer);
            }
        };
        consider(self.best);
        (0..nodes.len() as u32).for_each(consider);
        (best, end)
    }
}

/// The point of the outline through `points` nearest to `p` on the plane, after its squared distance there.
fn nearest_on_outline(points: impl DoubleEndedIterator<Item = Vec3> + Clone, p: Vec3) -> (f32, Vec3) {
    let mut best = (f32::INFINITY, p);
    let Some(mut from) = points.clone().next_back() else { return best };
    for to in points {
        let place = segment::closest_point(p, from, to);
        let distance = distance_squared(p, place);
        if distance < best.0 {
            best = (distance, place);
        }
        from = to;
    }
    best
}

/// The node under expansion and where its discoveries go.
struct Expansion<'a> {
    nodes: &'a mut Nodes,
    open: &'a mut OpenList,
    tile: &'a Tile,
    node: Node,
    index: u32,
}

/// A way into a polygon.
struct Way {
    via: Via,
    middle: Vec3,
    /// The side of the tile that it leads over.
    side: Option<Side>,
    poly: u32,
}

/// Appends the polygons and portals from the first node to node `last`.
pub(super) fn write_way(mesh: &NavMesh, nodes: &Nodes, last: u32, path: &mut PolyPath) {
    let mut index = last;
    while index != NONE {
        let node = nodes.get(index);
        let Some(tile) = mesh.tile(TileSlot::new(node.slot)) else { break };
        path.polys.push(tile.reference(node.poly));
        if node.parent != NONE {
            let before = nodes.get(node.parent);
            let Some(tile) = mesh.tile(TileSlot::new(before.slot)) else { break };
            path.portals.push(portal_of(tile, before.poly, node.via));
        }
        index = node.parent;
    }
    path.polys.reverse();
    path.portals.reverse();
}

/// The portal by which `poly` of `tile` was left.
fn portal_of(tile: &Tile, poly: u32, via: Via) -> Portal {
    let [left, right] = match via.as_link() {
        Ok(link) => {
            let link = &tile.links().all()[link];
            [link.a, link.b]
        }
        Err(edge) => tile.data().edge(poly, tile.graph().corners()[edge]),
    };
    Portal { left, right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, SearchLimits, string_pull};

    fn path(mesh: &NavMesh, from: (f32, f32), to: (f32, f32), filter: &DefaultFilter) -> PolyPath {
        let request = PathRequest::new(at(mesh, from).unwrap(), at(mesh, to).unwrap());
        find_path(mesh, &request, filter, &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn around_a_wall() {
        let mesh = mesh(&[((0, 0), "aaaa\n...a\naaaa")]);
        let path = path(&mesh, (0.5, 0.5), (0.5, 2.5), &DefaultFilter::default());
        assert_eq!((path.status, path.limit), (PathStatus::Complete, None));
        assert_eq!(path.polys.len(), 9);
        assert_eq!(path.portals.len(), 8);
        assert!((path.cost - (6.0 + 2.0_f32.sqrt())).abs() < 1e-5, "{}", path.cost);
    }

    #[test]
    fn over_the_borders_of_tiles() {
        let mesh = mesh(&[((0, 0), "aa\naa"), ((1, 0), "aa\n.."), ((1, 1), "aa\naa"), ((0, 1), "aa\n..")]);
        let path = path(&mesh, (0.5, 0.5), (0.5, 3.5), &DefaultFilter::default());
        assert_eq!(path.status, PathStatus::Complete);
        let slots: Vec<u32> = path.polys.iter().map(|p| p.slot().get()).collect();
        assert_eq!(slots, [0, 0, 0, 1, 2, 2, 3, 3], "{path:?}");
    }

    #[test]
    fn an_expensive_area_is_gone_around_and_a_closed_one_not_entered() {
        let mesh = mesh(&[((0, 0), "aaa\naba\naba")]);
        let mut filter = DefaultFilter::default();
        let through = path(&mesh, (0.5, 0.5), (2.5, 0.5), &filter);
        assert_eq!(through.polys.len(), 3);
        filter.set_area_cost(AreaId::new(2).unwrap(), 10.0).unwrap();
        assert_eq!(path(&mesh, (0.5, 0.5), (2.5, 0.5), &filter).polys.len(), 7);
        filter.set_area_cost(AreaId::new(2).unwrap(), f32::INFINITY).unwrap();
        assert_eq!(path(&mesh, (0.5, 0.5), (2.5, 0.5), &filter).polys.len(), 7);
        let none = DefaultFilter::new(PolyFlags(2), PolyFlags::NONE);
        let nowhere = path(&mesh, (0.5, 0.5), (2.5, 0.5), &none);
        assert_eq!((nowhere.status, nowhere.polys.len()), (PathStatus::Partial, 1));
    }

    #[test]
    fn a_partial_path_leads_to_the_nearest_place() {
        let mesh = mesh(&[((0, 0), "aaaa....a\na........")]);
        let path = path(&mesh, (0.5, 0.5), (8.5, 1.5), &DefaultFilter::default());
        assert_eq!((path.status, path.polys.len(), path.end), (PathStatus::Partial, 5, Vec3::new(4.0, 0.0, 1.5)));
    }

    #[test]
    fn limits_are_kept_and_named() {
        let mesh = mesh(&[((0, 0), "aaaaaaaaaa")]);
        let mut request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (9.5, 0.5)).unwrap());
        let mut ask = |max_nodes, max_cost| {
            request.limits = SearchLimits { max_nodes, max_cost };
            find_path(&mesh, &request, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
        };
        let short = ask(4, f32::INFINITY);
        assert_eq!((short.status, short.limit, short.nodes), (PathStatus::Partial, Some(LimitHit::Nodes), 4));
        assert_eq!((short.polys.len(), short.end.x), (4, 4.0));
        let near = ask(u32::MAX, 3.0);
        assert_eq!((near.status, near.limit, near.polys.len()), (PathStatus::Partial, Some(LimitHit::Distance), 4));
        assert_eq!((ask(10, 9.0).status, ask(10, 9.0).limit), (PathStatus::Complete, None));
    }

    #[test]
    fn references_of_a_removed_tile_are_stale() {
        let mut mesh = mesh(&[((0, 0), "aa"), ((1, 0), "aa")]);
        let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (3.5, 0.5)).unwrap());
        mesh.remove_tile(TileSlot::new(1)).unwrap();
        let answer = find_path(&mesh, &request, &DefaultFilter::default(), &mut SearchScratch::new());
        assert_eq!(answer.unwrap_err().reference, request.goal.poly);
    }

    /// What holds for every path, on random maps of several tiles.
    #[test]
    fn properties_of_paths() {
        let (mut rng, mut scratch) = (Rng::new(77), SearchScratch::new());
        let (filter, mut complete, mut partial) = (DefaultFilter::default(), 0, 0);
        for round in 0..300 {
            let mesh = random_map(&mut rng, 3, 6);
            let mut place = || at(&mesh, (rng.unit() * 18.0, rng.unit() * 18.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut scratch).unwrap();
            let straight = string_pull(&path, &mut scratch);
            assert_eq!((path.polys[0], path.portals.len() + 1), (start.poly, path.polys.len()), "round {round}");
            for (pair, portal) in path.polys.windows(2).zip(&path.portals) {
                let linked = mesh.poly(pair[0]).unwrap().portals();
                assert!(linked.into_iter().any(|p| p.to == pair[1] && p.a == portal.left && p.b == portal.right));
            }
            let points: Vec<Vec3> = straight.points.iter().map(|p| p.point).collect();
            let sum: f32 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
            assert_eq!(sum, straight.length);
            assert!(sum >= path.start.distance(path.end) - 1e-4, "round {round}");
            assert!(sum <= path.cost + 1e-3 || path.status == PathStatus::Partial, "round {round}");
            for w in points.windows(2) {
                for k in 0..=20 {
                    let p = w[0] + (w[1] - w[0]) * (k as f32 / 20.0);
                    let near = mesh
                        .tiles()
                        .any(|t| (0..t.poly_count()).any(|i| t.data().closest_point(i, p).point.distance(p) < 1e-4));
                    assert!(near, "round {round}: {p} is off the mesh");
                }
            }
            match path.status {
                PathStatus::Complete => complete += 1,
                _ => partial += 1,
            }
            assert!(path.end.distance(goal.point) <= start.point.distance(goal.point));
            let again = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
            assert_eq!(path, again, "the scratch left traces");
        }
        assert!(complete > 30 && partial > 30, "{complete} {partial}");
    }
}
