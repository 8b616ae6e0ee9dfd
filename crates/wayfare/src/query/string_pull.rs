//! The shortest path through the polygons of a path: string pulling.
//!
//! The portals between the polygons are passed to the funnel of [`math`](crate::math::funnel), which returns the points
//! where the path bends. All of them are ends of portals, so they have the height of the mesh there. Off-mesh
//! connections divide the path: it is straightened up to where a connection is entered, and again from where it is
//! left.
//!
//! ```text
//!   start ~~~ bend ~~~ enter . . . leave ~~~ end       ~ pulled string, . connection
//! ```
//!
//! Cost: linear in the polygons of the path, in practice; no allocation once the scratch is warm.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", Digesting Duck, March 2010; crossings as Detour offers
//! them.

use super::{PointKind, PolyPath, SearchScratch, StraightPath, StraightPoint};
use crate::math::funnel::{self, Corner, CornerKind};
use crate::math::rounding;
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// The shortest path (in the horizontal plane) through the polygons of a path.
#[must_use]
pub fn string_pull<O>(path: &PolyPath, scratch: &mut SearchScratch<O>) -> StraightPath {
    let mut straight = StraightPath::default();
    string_pull_into(path, scratch, &mut straight);
    straight
}

/// Like [`string_pull`], but fills an existing path.
pub fn string_pull_into<O>(path: &PolyPath, scratch: &mut SearchScratch<O>, out: &mut StraightPath) {
    pull(path, &mut scratch.memory.corners, out);
}

fn pull(path: &PolyPath, corners: &mut Vec<Corner>, out: &mut StraightPath) {
    out.points.clear();
    let Some(last) = path.polys.len().checked_sub(1).filter(|&last| last <= path.portals.len()) else {
        out.length = 0.0;
        return;
    };
    let mut from = (path.start, PointKind::Start);
    let mut begin = 0;
    for (connection, poly) in path.polys.iter().enumerate().take(last).filter(|(_, poly)| poly.is_off_mesh()) {
        if let Some(before) = connection.checked_sub(1) {
            let entrance = path.portals[before].left;
            let section = PathSection { begin, end: connection, from, to: (entrance, PointKind::Enter) };
            pull_section(path, &section, corners, out);
            out.points.pop();
            out.points.push(point(entrance, PointKind::Enter, *poly, connection));
        }
        from = (path.portals[connection].left, PointKind::Leave);
        begin = connection + 1;
    }
    let section = PathSection { begin, end: last, from, to: (path.end, PointKind::End) };
    pull_section(path, &section, corners, out);
    out.length = out.points.windows(2).map(|w| w[0].point.distance(w[1].point)).sum();
}

/// The straight path if it leads directly from start to end.
pub(super) fn straight_line(path: &PolyPath, out: &mut StraightPath) {
    out.points.clear();
    out.points.extend(path.polys.first().map(|&poly| point(path.start, PointKind::Start, poly, 0)));
    out.points.extend(path.polys.last().map(|&poly| point(path.end, PointKind::End, poly, path.polys.len() - 1)));
    out.length = path.start.distance(path.end);
}

/// A part of a path without connections.
struct PathSection {
    /// Its first and last polygon, as indices in the path.
    begin: usize,
    end: usize,
    /// Its ends, and what happens there.
    from: (Vec3, PointKind),
    to: (Vec3, PointKind),
}

/// Straightens a section of the path.
fn pull_section(path: &PolyPath, section: &PathSection, corners: &mut Vec<Corner>, out: &mut StraightPath) {
    let PathSection { begin, end, from: (from, from_kind), to: (to, to_kind) } = *section;
    // The portal into a connection is its entrance, a single point: `to`.
    let last = if to_kind == PointKind::Enter { end - 1 } else { end };
    let portals = path.portals.get(begin..last).unwrap_or_default();
    funnel::string_pull_into(from, to, portals, corners);
    out.points.extend(corners.iter().map(|corner| {
        let (kind, step) = match corner.kind {
            CornerKind::Start => (from_kind, begin),
            CornerKind::Left => (PointKind::Left, begin + corner.portal as usize + 1),
            CornerKind::Right => (PointKind::Right, begin + corner.portal as usize + 1),
            CornerKind::End => (to_kind, end),
        };
        point(corner.point, kind, path.polys[step], step)
    }));
}

fn point(point: Vec3, kind: PointKind, poly: PolyRef, step: usize) -> StraightPoint {
    StraightPoint { point, kind, poly, step: step as u32 }
}

/// Which portal crossings to add to a straight path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crossings {
    /// Those where the area type changes.
    Areas,
    /// All.
    All,
}

/// Adds points where a straight path crosses portals without bending, so that each of its segments lies on polygons of
/// one area type, or on a single polygon.
///
/// # Errors
/// [`StaleRef`] if a polygon of the path is not in the mesh.
pub fn add_crossings(
    mesh: &NavMesh,
    path: &PolyPath,
    crossings: Crossings,
    straight: &StraightPath,
) -> Result<StraightPath, StaleRef> {
    let mut out = StraightPath::default();
    add_crossings_into(mesh, path, crossings, straight, &mut out)?;
    Ok(out)
}

/// Like [`add_crossings`], but fills an existing path.
///
/// # Errors
/// [`StaleRef`] if a polygon of the path is not in the mesh; `out` is then empty.
pub fn add_crossings_into(
    mesh: &NavMesh,
    path: &PolyPath,
    crossings: Crossings,
    straight: &StraightPath,
    out: &mut StraightPath,
) -> Result<(), StaleRef> {
    out.points.clear();
    out.length = 0.0;
    let stale = path.polys.iter().find_map(|&poly| mesh.state(poly).err());
    if let Some(stale) = stale {
        return Err(stale);
    }
    let area = |step: usize| path.polys.get(step).map(|&poly| mesh.state(poly).map(|state| state.area));
    let points = &mut out.points;
    for pair in straight.points.windows(2) {
        points.push(pair[0]);
        if pair[0].kind == PointKind::Enter {
            continue;
        }
        for step in pair[0].step as usize..pair[1].step as usize {
            // A bend is on its own portal, and the last section ends at the last polygon.
            let is_bend = step + 1 == pair[1].step as usize && pair[1].kind != PointKind::End;
            if is_bend || (crossings == Crossings::Areas && area(step) == area(step + 1)) {
                continue;
            }
            let Some(portal) = path.portals.get(step) else { continue };
            let Some(&next) = path.polys.get(step + 1) else { continue };
            let crossing = segment::line_crossing(pair[0].point, pair[1].point, portal.left, portal.right);
            let Some((_, along)) = crossing.filter(|(t, _)| (0.0..=1.0).contains(t)) else { continue };
            let place = segment::at(portal.left, portal.right, along.clamp(0.0, 1.0) as f32);
            let crossing = point(place, PointKind::Crossing, next, step + 1);
            // At a corner a path may pass several portals at one point: they become one point, which enters the last
            // polygon.
            match points.last_mut() {
                Some(last) if is_same_place(last.point, place) => {
                    (last.poly, last.step) = (crossing.poly, crossing.step);
                }
                _ if is_same_place(pair[1].point, place) => {}
                _ => points.push(crossing),
            }
        }
    }
    points.extend(straight.points.last());
    out.length = points.windows(2).map(|w| w[0].point.distance(w[1].point)).sum();
    Ok(())
}

/// Within a tenth of a millimetre, or the precision of f32 at that distance from the origin.
fn is_same_place(a: Vec3, b: Vec3) -> bool {
    let slack = rounding::slack(a.abs().max_element(), 4.0);
    a.distance_squared(b) <= slack * slack
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PathStatus, PolyFlags};
    use crate::mesh::OffMeshConnection;
    use crate::query::test_maps::{at, mesh};
    use crate::query::{DefaultFilter, PathRequest, find_path};

    fn pull(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> (PolyPath, StraightPath) {
        let mut scratch = SearchScratch::new();
        let request = PathRequest::new(at(mesh, from).unwrap(), at(mesh, to).unwrap());
        let path = find_path(mesh, &request, &DefaultFilter::default(), &mut scratch).unwrap();
        let straight = string_pull(&path, &mut scratch);
        (path, straight)
    }

    #[test]
    fn a_string_of_another_path_has_fewer_crossings_but_does_no_harm() {
        let mesh = mesh(&[((0, 0), "aabbaabb")]);
        let ((_, long), (short, _)) = (pull(&mesh, (0.5, 0.5), (7.5, 0.5)), pull(&mesh, (0.5, 0.5), (2.5, 0.5)));
        for crossings in [Crossings::All, Crossings::Areas] {
            let crossed = add_crossings(&mesh, &short, crossings, &long).unwrap();
            let whole = add_crossings(&mesh, &pull(&mesh, (0.5, 0.5), (7.5, 0.5)).0, crossings, &long).unwrap();
            assert!(long.points.len() <= crossed.points.len() && crossed.points.len() < whole.points.len());
        }
        let strange = PolyPath { polys: vec![PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap(); 2], ..short };
        let _ = string_pull(&strange, &mut SearchScratch::new());
    }

    fn kinds(straight: &StraightPath) -> Vec<(PointKind, f32, f32)> {
        straight.points.iter().map(|p| (p.kind, p.point.x, p.point.z)).collect()
    }

    #[test]
    fn bends_name_the_polygons_they_lead_into() {
        use PointKind::{End, Left, Start};
        let mesh = mesh(&[((0, 0), "aaa\n..a\naaa")]);
        let (path, straight) = pull(&mesh, (0.5, 0.5), (0.5, 2.5));
        assert_eq!(kinds(&straight), [(Start, 0.5, 0.5), (Left, 2.0, 1.0), (Left, 2.0, 2.0), (End, 0.5, 2.5)]);
        for p in &straight.points {
            assert_eq!(p.poly, path.polys[p.step as usize]);
            let (tile, poly) = mesh.locate(p.poly).unwrap();
            assert!(tile.data().is_over(poly, p.point), "{p:?}");
        }
        assert_eq!(string_pull(&PolyPath::default(), &mut SearchScratch::new()), StraightPath::default());
    }

    #[test]
    fn a_connection_is_entered_and_left() {
        use PointKind::{End, Enter, Leave, Start};
        let mut mesh = mesh(&[((0, 0), "aa....aa")]);
        let connection = OffMeshConnection {
            start: Vec3::new(1.5, 0.0, 0.25),
            end: Vec3::new(6.5, 0.0, 0.75),
            radius: 0.2,
            two_way: false,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        let reference = mesh.add_connection(connection).unwrap();
        let (path, straight) = pull(&mesh, (0.5, 0.25), (7.5, 0.75));
        assert_eq!((path.status, path.polys.len(), path.polys[2]), (PathStatus::Complete, 5, reference));
        assert_eq!(kinds(&straight), [(Start, 0.5, 0.25), (Enter, 1.5, 0.25), (Leave, 6.5, 0.75), (End, 7.5, 0.75)]);
        assert_eq!(straight.points[1].poly, reference);
        // It is one-way.
        assert_eq!(pull(&mesh, (7.5, 0.75), (0.5, 0.25)).0.status, PathStatus::Partial);
    }

    #[test]
    fn crossings_of_portals_and_of_areas() {
        let mesh = mesh(&[((0, 0), "aabba")]);
        let (path, straight) = pull(&mesh, (0.5, 0.5), (4.5, 0.5));
        let xs = |crossings| -> Vec<f32> {
            let all = add_crossings(&mesh, &path, crossings, &straight).unwrap();
            assert!((all.length - straight.length).abs() < 1e-5);
            all.points.iter().map(|p| p.point.x).collect()
        };
        assert_eq!(xs(Crossings::All), [0.5, 1.0, 2.0, 3.0, 4.0, 4.5]);
        assert_eq!(xs(Crossings::Areas), [0.5, 2.0, 4.0, 4.5]);
    }
}
