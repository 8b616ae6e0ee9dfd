//! Finds a path over polygons to a point. [`search`](super::search) does the work.
//!
//! ```text
//!   S ──> polygon ──> polygon ──> … ──> polygon with G       or, where G cannot be reached, the polygon nearest to it
//! ```
//!
//! Cost: see [`find_path`].
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968.

use super::search::{Search, SearchTask};
use super::{PathRequest, PlaceNodes, PolyPath, QueryFilter, SearchScratch};
use crate::context::Budget;
use crate::graph::SearchObserver;
use crate::mesh::{NavMesh, PolyRef, StaleRef};

/// Finds a path over polygons.
///
/// Cost: the polygons that look as if they were on a shorter path than the one found, times the logarithm of the open
/// ones among them. If the goal lies in another component, the same for a path to the nearest reachable polygon. If
/// only the filter blocks the path, the whole reachable part of the mesh, unless limited.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn find_path<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest<P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<PolyPath, StaleRef> {
    let mut path = PolyPath::default();
    find_path_into(mesh, request, filter, scratch, &mut path)?;
    Ok(path)
}

/// Like [`find_path`], but fills an existing path.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh; the path is then empty.
pub fn find_path_into<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest<P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    path: &mut PolyPath,
) -> Result<(), StaleRef> {
    path.clear();
    let &PathRequest { start, goal, limits, ref placement } = request;
    let task = SearchTask::to_point(mesh, PathRequest { start, goal, limits, placement }, filter, scratch)?;
    let mut search = Search::begin(mesh, task, filter, scratch)?;
    search.run(mesh, filter, scratch, &mut Budget::unlimited());
    search.finish(mesh, scratch, path);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::area::{LimitHit, PathStatus};
    use crate::math::Rng;
    use crate::mesh::TileRef;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, SearchLimits, string_pull};
    use crate::tile::{SourcePoly, TileCoord, TileLayout, TileSource, build_tile};
    use glam::{Vec2, Vec3};

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

    /// A corner of the first tile's only polygon lies on the edge of the other's.
    #[test]
    fn a_string_does_not_bend_where_the_line_between_two_polygons_is_cut() {
        let tile = |x: i32, corners: &[(f32, f32)]| {
            let verts: Vec<Vec3> = corners.iter().map(|&(x, z)| Vec3::new(x, 0.0, z)).collect();
            let numbers: Vec<u32> = (0..verts.len() as u32).collect();
            let polys = [SourcePoly { count: verts.len() as u16, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
            build_tile(&TileSource {
                coord: TileCoord { x, z: 0, layer: 0 },
                verts: &verts,
                corners: &numbers,
                polys: &polys,
                frame: Some([Vec2::new(x as f32 * 4.0, 0.0), Vec2::new(x as f32 * 4.0 + 4.0, 4.0)]),
                ..TileSource::default()
            })
            .unwrap()
        };
        let cut = tile(0, &[(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 3.0), (4.0, 1.0), (4.0, 0.0)]);
        let whole = tile(1, &[(4.0, 0.0), (4.0, 4.0), (8.0, 4.0), (8.0, 0.0)]);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 };
        let mesh = NavMesh::from_tiles(layout, vec![cut, whole]).unwrap();
        assert_eq!(mesh.tiles().next().unwrap().portals(0).count(), 3);
        for z in [0.5, 2.0, 3.5] {
            for (from, to) in [(1.0, 7.0), (7.0, 1.0)] {
                let path = path(&mesh, (from, z), (to, z), &DefaultFilter::default());
                assert_eq!(path.portals[0].left.distance(path.portals[0].right), 4.0);
                assert_eq!(string_pull(&path, &mut SearchScratch::new()).points.len(), 2, "{z}");
                let along = PolyPath::along(&mesh, &path.polys, path.start, path.end).unwrap();
                assert_eq!(along.portals, path.portals);
            }
        }
    }

    #[test]
    fn references_of_a_removed_tile_are_stale() {
        let mut mesh = mesh(&[((0, 0), "aa"), ((1, 0), "aa")]);
        let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (3.5, 0.5)).unwrap());
        mesh.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
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
