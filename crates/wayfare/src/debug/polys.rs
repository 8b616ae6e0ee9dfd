//! Draws some polygons of a mesh: a corridor, a neighbourhood, the polygons of a ray, components.
//!
//! Sources: none needed.

use super::{DebugSink, Role, draw_path};
use crate::corridor::{CorridorScratch, PathCorridor};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::Raycast;
use glam::Vec3;

/// Draws polygons in their order, each as the region of its number: what
/// [`local_neighbourhood`](crate::query::local_neighbourhood) finds, from near to far. Those that are no longer there
/// are left out.
pub fn draw_polys(mesh: &NavMesh, polys: &[PolyRef], sink: &mut impl DebugSink) {
    for (number, &poly) in (0..).zip(polys) {
        draw_poly(mesh, poly, Role::Region(number), sink);
    }
}

/// Draws the polygons of a corridor, its portals, and the path through them, as path `number`.
pub fn draw_corridor(mesh: &NavMesh, corridor: &PathCorridor, number: u32, sink: &mut impl DebugSink) {
    for &poly in corridor.polys() {
        draw_poly(mesh, poly, Role::Region(number), sink);
    }
    for portal in corridor.portals() {
        sink.line(&[portal.left, portal.right], Role::InnerEdge);
    }
    let Some((start, end)) = corridor.start().zip(corridor.end()) else { return };
    let corners = corridor.corners(usize::MAX, &mut CorridorScratch::new());
    let line: Vec<Vec3> = [start.point].into_iter().chain(corners.iter().map(|corner| corner.point)).collect();
    draw_path(&line, end.point, number, sink);
}

/// Draws a ray: the polygons that it crossed, the line up to where it ended, and a mark there if it hit a wall.
pub fn draw_ray(mesh: &NavMesh, from: Vec3, ray: &Raycast, sink: &mut impl DebugSink) {
    draw_polys(mesh, &ray.polys, sink);
    sink.line(&[from, ray.point], Role::SearchTree);
    if ray.hit {
        sink.point(ray.point, Role::Mark);
        sink.line(&[ray.point, ray.point + ray.normal], Role::OneWayConnection);
    }
}

/// Draws all polygons of a mesh, each as the region of its connected component.
pub fn draw_components(mesh: &NavMesh, sink: &mut impl DebugSink) {
    let components = mesh.components();
    for tile in mesh.tiles() {
        for poly in (0..tile.poly_count()).map(|poly| tile.reference(poly)) {
            if let Some(component) = components.component(poly) {
                draw_poly(mesh, poly, Role::Region(component), sink);
            }
        }
    }
}

fn draw_poly(mesh: &NavMesh, poly: PolyRef, role: Role, sink: &mut impl DebugSink) {
    if let Ok(view) = mesh.poly(poly) {
        let corners: Vec<Vec3> = view.points().collect();
        sink.polygon(&corners, role);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{ShapeKind, ShapeList};
    use crate::query::test_maps::{at, mesh};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path, raycast};

    fn count(list: &ShapeList, is: impl Fn(ShapeKind, Role) -> bool) -> usize {
        list.shapes().iter().filter(|shape| is(shape.kind, shape.role)).count()
    }

    #[test]
    fn a_corridor_has_its_polygons_portals_and_path() {
        let mesh = mesh(&[((0, 0), "aaaa\n...a\naaaa")]);
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let goal = at(&mesh, (0.5, 2.5)).unwrap();
        let filter = DefaultFilter::default();
        let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
        let mut corridor = PathCorridor::new(start);
        corridor.follow(&path).unwrap();
        let mut list = ShapeList::new();
        draw_corridor(&mesh, &corridor, 5, &mut list);
        assert_eq!(count(&list, |_, role| role == Role::Region(5)), path.polys.len());
        assert_eq!(count(&list, |_, role| role == Role::InnerEdge), path.portals.len());
        assert_eq!(count(&list, |kind, role| kind == ShapeKind::Line && role == Role::Path(5)), 1);
        assert_eq!(count(&list, |_, role| role == Role::Corner(5)), 2);
    }

    #[test]
    fn a_ray_is_marked_where_it_hits_and_components_have_their_numbers() {
        let mesh = mesh(&[((0, 0), "aa.aa\naa.aa")]);
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let filter = DefaultFilter::default();
        let to = start.point + Vec3::X * 4.0;
        let ray = raycast(&mesh, start, to, &filter, &mut SearchScratch::new()).unwrap();
        let mut list = ShapeList::new();
        draw_ray(&mesh, start.point, &ray, &mut list);
        assert_eq!(count(&list, |_, role| role == Role::Mark), 1);
        let mut list = ShapeList::new();
        draw_components(&mesh, &mut list);
        let polys: u32 = mesh.tiles().map(crate::mesh::Tile::poly_count).sum();
        assert_eq!(list.shapes().len(), polys as usize);
        assert!(
            count(&list, |_, role| role == Role::Region(0)) > 0 && count(&list, |_, role| role == Role::Region(1)) > 0
        );
    }
}
