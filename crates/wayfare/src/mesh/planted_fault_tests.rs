//! Every kind of fault that `check` and `validate` name is planted in something sound, and found.
//!
//! The kinds are matched without a rest: one that is added does not compile before it is planted here, and it joins the
//! list below its match.

use super::{ConnectionLink, Link, NavMesh, OffMeshConnection, PolyRef, Tile, Violation, ViolationKind};
use crate::area::{AreaId, PolyFlags};
use crate::math::index::TileSlot;
use crate::math::ops;
use crate::mesh::TileRef;
use crate::tile::test_sketch::{Drawing, single_polygon, sketch};
use crate::tile::{
    Defect, EdgeNeighbour, MAX_POLYS, Poly, SeamCell, Side, TileBuilder, TileCoord, TileError, TileLayout,
};
use core::mem::discriminant;
use glam::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Four squares, the first with a vertex in its middle.
fn sound_tile() -> TileBuilder {
    let mut tile = sketch(TileCoord::default(), "ab\nab").to_builder();
    tile.raise_peak(Vec3::new(0.5, 0.25, 0.5));
    tile
}

/// A polygon that may be anything.
fn outline(points: &[[f32; 2]]) -> TileBuilder {
    let mut tile = single_polygon(points.iter().map(|&[x, z]| Vec3::new(x, 0.0, z)).collect()).to_builder();
    tile.fit_bounds();
    tile
}

/// A five-pointed star, drawn in one stroke.
fn star() -> TileBuilder {
    let points: Vec<[f32; 2]> = (0..5)
        .map(|k| {
            let angle = -2.0 * core::f32::consts::TAU * k as f32 / 5.0;
            [ops::cos(angle), ops::sin(angle)]
        })
        .collect();
    outline(&points)
}

fn names(found: &[Violation]) -> BTreeSet<&'static str> {
    found.iter().map(|violation| violation.kind.name()).collect()
}

fn check_tile(mut tile: TileBuilder) -> BTreeSet<&'static str> {
    names(&NavMesh::from_tile(tile.build().unwrap()).unwrap().check())
}

// ---- polygons ----

/// Corners of one straight line, in whole cells, two of them close together: rounding of the near one shows far off.
#[test]
fn rounding_beside_a_long_edge_is_no_dent() {
    for k in 0..200 {
        let x = -207.1 - k as f32 * 0.37;
        let z = -227.5 + k as f32 * 2.3;
        let corner = |columns: f32, rows: f32| [x + columns * 0.3, z + rows * 0.3];
        let straight = [corner(0.0, 0.0), corner(1.0, 3.0), corner(200.0, 600.0), corner(200.0, 0.0)];
        assert_eq!(check_tile(outline(&straight)), BTreeSet::new(), "{k}");
        let mut dented = straight;
        dented[1][0] += 0.01;
        assert_eq!(check_tile(outline(&dented)), BTreeSet::from(["not-convex"]), "{k}");
    }
}

/// 100 km away coordinates lie eight millimetres apart: what is thin there may be sound, and may have been flattened.
#[test]
fn thin_polygons_far_away_are_no_fault() {
    for (height, found) in [(0.031_25, &[][..]), (0.0, &[]), (-0.5, &["winding"])] {
        let thin = [[1e5, 1e5], [1e5 + 5.0, 1e5 + height], [1e5 + 10.0, 1e5]];
        assert_eq!(check_tile(outline(&thin)), found.iter().copied().collect(), "{height}");
    }
}

fn plant_defect(kind: Defect) -> fn(&mut TileBuilder) {
    match kind {
        Defect::RepeatedCorner { .. } => |t| t.corners[1] = t.corners[0],
        Defect::Winding { .. } => |t| t.corners[..4].reverse(),
        Defect::NoArea => |t| *t = outline(&[[0., 0.], [1., 1.], [2., 2.]]),
        Defect::NotConvex { .. } => |t| t.verts[t.corners[0] as usize] = Vec3::new(0.9, 0.0, 0.9),
        Defect::Winds => |t| *t = star(),
        Defect::OutOfBounds { .. } => |t| t.verts[t.corners[5] as usize].x = 5.0,
        Defect::OneSided { .. } => |t| t.neighbours[4] = EdgeNeighbour::WALL,
        Defect::EdgeDiffers { .. } => |t| t.neighbours.swap(4, 5),
        Defect::BorderSlants { .. } => |t| t.neighbours[3] = EdgeNeighbour::border(Side::XMin),
        Defect::BorderFaces { .. } => |t| t.neighbours[0] = EdgeNeighbour::border(Side::XMax),
        Defect::DetailWinding { .. } => |t| t.detail_tris[0].verts.reverse(),
        Defect::DetailArea { .. } => |t| t.details[0].tri_count = 3,
        Defect::DetailOutside { .. } => |t| t.detail_verts[0].x = 1.5,
        Defect::DetailHeight { .. } => |t| t.detail_verts[0].y = 9.0,
        Defect::DetailInnerEdge { .. } => |t| t.detail_tris[1].outline |= 2,
        Defect::DetailOutline { .. } => |t| t.detail_tris[2].outline = 0,
        // Two squares at the same place.
        Defect::Overlaps { .. } => |t| {
            let from = t.polys[1].range();
            let to = t.polys[2].range();
            t.corners.copy_within(from, to.start);
        },
        // Triangles whose boxes overlap, though they do not.
        Defect::Crowded { .. } => |t| {
            let mut drawing = Drawing::default();
            for k in 0..1500 {
                let from = Vec3::X * (k as f32 * 0.01);
                drawing.add_alone(&[from, from + Vec3::new(15.0, 0.0, 15.0), from + Vec3::X * 0.009], AreaId::WALKABLE);
            }
            *t = drawing.alone().to_builder();
        },
    }
}

const DEFECTS: [Defect; 18] = [
    Defect::RepeatedCorner { corner: 0 },
    Defect::Winding { area: 0.0 },
    Defect::NoArea,
    Defect::NotConvex { corner: 0, by: 0.0 },
    Defect::Winds,
    Defect::OutOfBounds { corner: 0, by: 0.0 },
    Defect::OneSided { edge: 0, neighbour: 0 },
    Defect::EdgeDiffers { edge: 0, neighbour: 0 },
    Defect::BorderSlants { edge: 0, side: Side::XMin },
    Defect::BorderFaces { edge: 0, side: Side::XMin },
    Defect::DetailWinding { triangle: 0 },
    Defect::DetailArea { details: 0.0, polygon: 0.0 },
    Defect::DetailOutside { vertex: 0, by: 0.0 },
    Defect::DetailHeight { vertex: 0, by: 0.0 },
    Defect::DetailInnerEdge { triangle: 0, edge: 0 },
    Defect::DetailOutline { marked: 0.0, outline: 0.0 },
    Defect::Overlaps { other: 0, area: 0.0 },
    Defect::Crowded { what: "" },
];

#[test]
fn every_defect_of_a_polygon_is_found() {
    assert_eq!(check_tile(sound_tile()), BTreeSet::new());
    for defect in DEFECTS {
        let mut tile = sound_tile();
        plant_defect(defect)(&mut tile);
        let found = check_tile(tile);
        assert!(found.contains(defect.kind()), "{}: found {found:?}", defect.kind());
    }
    // A mark for an edge that no triangle has; and none at all, as other tools write them: no fault.
    for (bits, expected) in [([1, 1, 1, 1 | 8], BTreeSet::from(["detail-inner-edge"])), ([0; 4], BTreeSet::new())] {
        let mut tile = sound_tile();
        tile.detail_tris.iter_mut().zip(bits).for_each(|(tri, bits)| tri.outline = bits);
        assert_eq!(check_tile(tile), expected, "{bits:?}");
    }
    assert_eq!(check_tile(star()), BTreeSet::from(["winds"]));
    assert_eq!(check_tile(outline(&[[0., 0.], [1., 1.], [2., 2.]])), BTreeSet::from(["no-area"]));
}

// ---- arrays ----

/// `None` for what is too large to be planted.
fn plant_error(kind: TileError) -> Option<fn(&mut TileBuilder)> {
    Some(match kind {
        TileError::TooManyPolys { .. } => |t| t.polys = vec![t.polys[0]; MAX_POLYS + 1],
        // Two gigabytes of corners.
        TileError::TooMany { .. } => return None,
        // What only bytes can say: `tile/tile_block_tests.rs`.
        TileError::Block { .. } | TileError::Value { .. } | TileError::Border { .. } => return None,
        TileError::Count { .. } => |t| _ = t.neighbours.pop(),
        TileError::TooFewCorners { .. } => |t| t.polys[2].count = 2,
        TileError::CornersNotPacked { .. } => |t| t.polys[1].first = 5,
        TileError::Index { .. } => |t| t.corners[7] = 99,
        TileError::NotFinite { .. } => |t| t.verts[3].y = f32::NAN,
        TileError::Size { .. } => |t| t.baked_for.climb = -1.0,
        TileError::Shared { .. } => |t| {
            let range = t.details[0];
            t.details[1] = range;
        },
        TileError::OwnNeighbour { .. } => |t| t.neighbours[4] = EdgeNeighbour::poly(1),
        TileError::SeamEdge { .. } => |t| {
            t.baked_for.cell_size = 0.5;
            t.seams = vec![SeamCell { edge: 99, cell: 0, here: 0, there: 0 }];
        },
        TileError::SeamOrder { .. } => |t| {
            let edge = t.neighbours.iter().position(|n| n.is_wall()).unwrap_or(0);
            t.neighbours[edge] = EdgeNeighbour::border(Side::XMin);
            t.baked_for.cell_size = 0.5;
            t.seams = [1, 0].map(|cell| SeamCell { edge: edge as u32, cell, here: 0, there: 0 }).to_vec();
        },
    })
}

const ERRORS: [TileError; 12] = [
    TileError::TooManyPolys { count: 0 },
    TileError::TooMany { what: "", count: 0 },
    TileError::Count { what: "", have: 0, want: 0 },
    TileError::TooFewCorners { poly: 0, count: 0 },
    TileError::CornersNotPacked { poly: 0, first: 0, expected: 0 },
    TileError::Index { what: "", poly: 0, index: 0, count: 0 },
    TileError::NotFinite { what: "", index: 0 },
    TileError::Size { name: "", value: 0.0 },
    TileError::Shared { what: "", used: 0, have: 0 },
    TileError::OwnNeighbour { poly: 0, edge: 0 },
    TileError::SeamEdge { seam: 0, corner: 0 },
    TileError::SeamOrder { seam: 0 },
];

#[test]
fn every_way_in_which_arrays_do_not_fit_is_refused() {
    assert!(sound_tile().build().is_ok());
    let mut planted = 0;
    for error in ERRORS {
        let Some(plant) = plant_error(error) else { continue };
        let mut tile = sound_tile();
        plant(&mut tile);
        let found = tile.build().unwrap_err();
        assert_eq!(discriminant(&found), discriminant(&error), "{error:?}: found {found:?}");
        planted += 1;
    }
    assert_eq!(planted, 11);
}

// ---- links, slots, connections ----

/// Two tiles side by side and a connection from one to the other.
fn sound_mesh() -> NavMesh {
    let tiles = [0, 1].map(|x| sketch(TileCoord { x, ..TileCoord::default() }, "aaaa")).to_vec();
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
    let mut mesh = NavMesh::from_tiles(layout, tiles).unwrap();
    let start = Vec3::new(0.5, 0.0, 0.5);
    let end = Vec3::new(6.5, 0.0, 0.5);
    let area = AreaId::WALKABLE;
    let flags = PolyFlags::WALK;
    mesh.add_connection(OffMeshConnection { start, end, radius: 0.6, two_way: true, area, flags, user_id: 0 }).unwrap();
    mesh
}

fn reference(slot: u32, poly: u32) -> PolyRef {
    PolyRef::new(1, slot, poly).unwrap()
}

fn first_tile(mesh: &mut NavMesh) -> &mut Tile {
    mesh.tiles.slots.slots.write(0).content.as_mut().unwrap()
}

/// Changes the links of a tile.
fn relink(mesh: &mut NavMesh, slot: u32, change: fn(&mut Link)) {
    let mut links: Vec<_> = mesh.tile_in(TileSlot::new(slot)).unwrap().links.numbered().collect();
    links.iter_mut().for_each(|(_, link)| change(link));
    mesh.set_links(slot, &mut links);
}

/// Enters a connection in the list of the first tile at another polygon than the one that holds its end.
fn list_elsewhere(mesh: &mut NavMesh) {
    let tile = first_tile(mesh);
    let link = ConnectionLink { poly: 3, ..tile.links.connections()[0] };
    Arc::make_mut(&mut tile.links).set_connection(link, true);
}

fn unlist(mesh: &mut NavMesh) {
    let tile = first_tile(mesh);
    let link = tile.links.connections()[0];
    Arc::make_mut(&mut tile.links).set_connection(link, false);
}

type Plant = fn(&mut NavMesh);

/// What plants it, and the names of what is then found.
fn plant_violation(kind: ViolationKind) -> (Plant, &'static [&'static str]) {
    match kind {
        ViolationKind::Defect(_) => (
            |m| {
                let tile = m.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
                m.add_tile(tile.edited(|tile| tile.corners[..4].reverse())).unwrap();
            },
            &["edge-differs", "winding"],
        ),
        ViolationKind::DeadLink { .. } => {
            (|m| relink(m, 0, |l| l.to = reference(1, 77)), &["dead-link", "one-sided-link"])
        }
        ViolationKind::OneSidedLink { .. } => (|m| m.set_links(0, &mut []), &["one-sided-link"]),
        ViolationKind::MissingLink { .. } => {
            (|m| [0, 1].into_iter().for_each(|slot| m.set_links(slot, &mut [])), &["missing-link"])
        }
        ViolationKind::LinkOffEdge { .. } => (
            |m| {
                relink(m, 0, |l| l.a.x += 0.5);
                relink(m, 1, |l| l.b.x += 0.5);
            },
            &["link-off-edge"],
        ),
        ViolationKind::LostTile => (|m| m.tiles.places.remove(0, 0, 0), &["lost-tile"]),
        ViolationKind::Astray { .. } => (|m| m.layout.origin.x -= 9.0, &["astray"]),
        ViolationKind::Salt { .. } => (|m| m.tiles.slots.slots.write(0).salt = 9, &["salt"]),
        ViolationKind::DeadEnd { .. } => (
            |m| {
                m.tiles.take(1);
                m.unlink(0, 1);
            },
            &["dead-end"],
        ),
        // All of the edges of one tile touch all of the other's.
        ViolationKind::Crowded => (
            |m| {
                for slot in [0, 1] {
                    let mut tile = m.remove_tile(TileRef::new(1, slot).unwrap()).unwrap().to_builder();
                    let corners = tile.corners.clone();
                    let neighbours = tile.neighbours.clone();
                    for k in 1..300 {
                        let copied = tile.polys[..4].to_vec();
                        tile.polys.extend(copied.into_iter().map(|p| Poly { first: p.first + 16 * k, ..p }));
                        tile.corners.extend_from_slice(&corners);
                        tile.neighbours.extend_from_slice(&neighbours);
                    }
                    m.add_tile_at(TileRef::new(1, slot).unwrap(), tile.build().unwrap()).unwrap();
                }
            },
            &["crowded"],
        ),
        ViolationKind::ConnectionList { .. } => (unlist, &["connection-list"]),
    }
}

#[test]
fn every_fault_of_links_slots_and_connections_is_found() {
    let to = reference(0, 0);
    let kinds = [
        ViolationKind::Defect(Defect::NoArea),
        ViolationKind::DeadLink { to },
        ViolationKind::OneSidedLink { to },
        ViolationKind::MissingLink { to },
        ViolationKind::LinkOffEdge { to, by: 0.0 },
        ViolationKind::LostTile,
        ViolationKind::Astray { by: 0.0 },
        ViolationKind::Salt { salt: 0 },
        ViolationKind::DeadEnd { to },
        ViolationKind::ConnectionList { end: 0 },
        ViolationKind::Crowded,
    ];
    assert_eq!(sound_mesh().check(), []);
    for kind in kinds {
        let (plant, expected) = plant_violation(kind);
        let mut mesh = sound_mesh();
        plant(&mut mesh);
        let violations = mesh.check();
        let found = names(&violations);
        assert!(expected.iter().all(|name| found.contains(name)), "{expected:?}: found {found:?}");
        assert!(
            violations.iter().any(|v| discriminant(&v.kind) == discriminant(&kind)),
            "{expected:?}: {violations:?}"
        );
        // Each says in a sentence what and where.
        assert!(violations.iter().all(|v| v.to_string().starts_with(&format!("{} at (", v.poly))), "{violations:?}");
    }
    // Other ways to the same faults.
    let mut mesh = sound_mesh();
    relink(&mut mesh, 0, |l| l.to = reference(1, 2));
    assert_eq!(names(&mesh.check()), BTreeSet::from(["one-sided-link"]));
    let mut mesh = sound_mesh();
    list_elsewhere(&mut mesh);
    assert_eq!(names(&mesh.check()), BTreeSet::from(["connection-list"]));
}

#[test]
fn a_violation_says_where_and_what() {
    let tile = sketch(TileCoord::default(), "aa").edited(|tile| tile.neighbours[2] = EdgeNeighbour::WALL);
    let found = NavMesh::from_tile(tile).unwrap().check();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, ViolationKind::Defect(Defect::OneSided { edge: 0, neighbour: 0 }));
    let said = "s1:t0:p1 at (1, 0, 0.5): edge 0 leads to polygon 0, which does not lead back";
    assert_eq!(found[0].to_string(), said);
}
