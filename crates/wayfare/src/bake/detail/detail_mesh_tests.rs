//! What holds for detail meshes over hand-made ground.

use super::sampling::InnerSamples;
use super::{DetailInput, DetailMesh, DetailSampling, DetailScratch, build_detail_mesh, build_detail_mesh_into};
use crate::area::AreaId;
use crate::bake::cell_point::Point;
use crate::bake::test_ground::{ground, ground_with_border};
use crate::bake::{BakeReport, Contour, ContourSet, ContourVert, PolyMesh, Regions, build_poly_mesh};
use crate::math::Aabb;
use crate::voxel::{CompactHeightfield, Grid};
use glam::Vec3;

/// The polygon mesh of outlines given as corners (x, y, z), all of region 1.
fn mesh_of(field: &CompactHeightfield, outlines: &[&[[i32; 3]]]) -> PolyMesh {
    let border = field.border;
    let grid = Grid {
        x: field.grid.x + border as i32,
        z: field.grid.z + border as i32,
        width: field.grid.width - 2 * border,
        depth: field.grid.depth - 2 * border,
        ..field.grid
    };
    let mut set = ContourSet { grid, contours: Vec::new(), verts: Vec::new(), raw_vert_count: 0, max_error: 1.3 };
    for outline in outlines {
        let first = set.verts.len() as u32;
        let on_border = |a: &[i32; 3], b: &[i32; 3]| {
            border > 0
                && ((a[0] == b[0] && (a[0] == 0 || a[0] == grid.width as i32))
                    || (a[2] == b[2] && (a[2] == 0 || a[2] == grid.depth as i32)))
        };
        for (i, v) in outline.iter().enumerate() {
            let next = &outline[(i + 1) % outline.len()];
            let neighbour = if on_border(v, next) { ContourVert::TILE_BORDER } else { 1 };
            set.verts.push(ContourVert { x: v[0], y: v[1], z: v[2], neighbour });
        }
        set.contours.push(Contour { first, count: outline.len() as u32, region: 1, area: AreaId::WALKABLE });
    }
    let mut report = BakeReport::new(Aabb::EMPTY);
    let mesh = build_poly_mesh(&set, 6, &mut report);
    assert!(report.warnings.is_empty());
    mesh
}

fn build(field: &CompactHeightfield, regions: &Regions, mesh: &PolyMesh, distance: f32) -> DetailMesh {
    let sampling = DetailSampling { distance, max_error: mesh.grid.cell_height };
    let input = DetailInput { mesh, field, regions, edge_max_error: 1.3, sampling };
    let mut report = BakeReport::new(Aabb::EMPTY);
    let detail = build_detail_mesh(&input, &mut report);
    assert!(report.warnings.is_empty());
    assert_sound(mesh, &detail);
    detail
}

/// All vertices of a patch, corners first.
fn verts_of(mesh: &PolyMesh, detail: &DetailMesh, poly: usize) -> Vec<Vec3> {
    let patch = detail.patches[poly];
    let corners = mesh.corners_of(poly).iter().map(|&v| mesh.verts[v as usize]);
    let extra = &detail.verts[patch.first_vert as usize..][..patch.vert_count as usize];
    corners.map(|[x, y, z]| mesh.grid.world(x, y, z)).chain(extra.iter().copied()).collect()
}

/// Triangles are wound up, cover their polygon, use every vertex, and mark exactly the outline.
fn assert_sound(mesh: &PolyMesh, detail: &DetailMesh) {
    assert_eq!(detail.patches.len(), mesh.polys.len());
    for (i, patch) in detail.patches.iter().enumerate() {
        let verts = verts_of(mesh, detail, i);
        let tris = &detail.tris[patch.first_tri as usize..][..patch.tri_count as usize];
        let mut used = vec![false; verts.len()];
        let (mut area2, mut outline) = (0.0f64, 0);
        for t in tris {
            let [a, b, c] = t.verts.map(|v| verts[v as usize]);
            let up = -f64::from(crate::math::plane::cross(a, b, c));
            assert!(up > 0.0, "patch {i}: {t:?}");
            area2 += up;
            outline += t.outline.count_ones() as usize;
            t.verts.iter().for_each(|&v| used[v as usize] = true);
        }
        assert!(used.iter().all(|&u| u));
        let cell = f64::from(mesh.grid.cell_size);
        let expected = mesh.area2_of(i) as f64 * cell * cell;
        assert!((area2 - expected).abs() <= 1e-4 * expected, "patch {i}: {area2} of {expected}");
        // Euler, for a triangulated disc.
        assert_eq!(tris.len() + 2 + outline, 2 * verts.len());
    }
}

/// Height of a patch above a place in cells.
fn height_at(mesh: &PolyMesh, detail: &DetailMesh, poly: usize, x: f32, z: f32) -> Option<f32> {
    let verts = verts_of(mesh, detail, poly);
    let patch = detail.patches[poly];
    let grid = &mesh.grid;
    let p = Vec3::new(
        grid.origin.x + (grid.x as f32 + x) * grid.cell_size,
        0.0,
        grid.origin.z + (grid.z as f32 + z) * grid.cell_size,
    );
    detail.tris[patch.first_tri as usize..][..patch.tri_count as usize].iter().find_map(|t| {
        let [a, b, c] = t.verts.map(|v| verts[v as usize]);
        let cross = |a, b| -crate::math::plane::cross(a, b, p);
        let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
        let slack = -1e-4;
        (u >= slack && v >= slack && w >= slack)
            .then(|| ((u * a.y + v * b.y + w * c.y) / (u + v + w) - grid.origin.y) / grid.cell_height)
    })
}

/// Bumpy ground: steps of at most one a cell.
fn bumps(seed: u32) -> impl Fn(i32, i32) -> Vec<u16> {
    move |x, z| {
        let (x, z) = (f64::from(x) / 7.0 + f64::from(seed), f64::from(z) / 5.0);
        vec![(30.0 + 6.0 * (x.sin() + (z * 1.3 + x * 0.4).cos() + (0.7 * z - x).sin())) as u16]
    }
}

#[test]
fn level_ground_needs_no_vertex() {
    let (field, regions) = ground(40, 30, |_, _| vec![7]);
    let mesh = mesh_of(&field, &[&[[0, 7, 0], [0, 7, 30], [40, 7, 30], [40, 7, 0]]]);
    let detail = build(&field, &regions, &mesh, 3.0);
    assert_eq!((detail.verts.len(), detail.tris.len()), (0, 2));
}

#[test]
fn distance_zero_means_the_corners_alone() {
    let (field, regions) = ground(40, 30, bumps(1));
    let mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [40, 30, 30], [40, 30, 0]]]);
    let detail = build(&field, &regions, &mesh, 0.0);
    assert_eq!((detail.verts.len(), detail.tris.len()), (0, 2));
}

#[test]
fn every_sample_is_within_the_error_bound() {
    for seed in 0..12 {
        let (field, regions) = ground(60, 50, bumps(seed));
        let ring: &[[i32; 3]] = &[[3, 30, 10], [0, 30, 33], [20, 30, 49], [47, 30, 47], [58, 30, 20], [40, 30, 1]];
        let mesh = mesh_of(&field, &[ring]);
        let step = [1, 2, 6][seed as usize % 3];
        let detail = build(&field, &regions, &mesh, step as f32 * 0.5);
        assert!(detail.verts.len() > 3);
        let corners: Vec<Point> =
            mesh.corners_of(0).iter().map(|&v| mesh.verts[v as usize]).map(|v| [v[0], v[2]]).collect();
        let mut looked = 0;
        InnerSamples { ring: &corners, step, origin: [0, 0] }.for_each(&mut Vec::new(), |x, z| {
            let have = height_at(&mesh, &detail, 0, x as f32 + 0.5, z as f32 + 0.5).unwrap();
            let want = f32::from(field.y[field.grid.index(x as u32, z as u32)]);
            assert!((have - want).abs() <= 1.01, "({x}, {z}): {have}, ground {want}");
            looked += 1;
        });
        assert!(looked > 40);
        // No spikes: nothing outside the range of the ground.
        let (low, high) = (field.y.iter().min().unwrap(), field.y.iter().max().unwrap());
        let range = mesh.grid.world_y(i32::from(*low))..=mesh.grid.world_y(i32::from(*high));
        assert!(detail.verts.iter().all(|v| range.contains(&v.y)));
    }
}

#[test]
fn ground_beyond_a_straight_border_of_regions_is_followed() {
    let (field, mut regions) = ground(90, 60, bumps(3));
    for z in 0..60_u32 {
        // The regions meet in a zigzag of ten cells to both sides, far out of reach from the straight border.
        let meet = 35 + (z % 40).abs_diff(20);
        for x in 0..90 {
            regions.id[field.grid.index(x, z)] = if x < meet { 1 } else { 2 };
        }
    }
    let mut mesh = mesh_of(
        &field,
        &[
            &[[0, 30, 0], [0, 30, 60], [45, 30, 60], [45, 30, 0]],
            &[[45, 30, 0], [45, 30, 60], [90, 30, 60], [90, 30, 0]],
        ],
    );
    mesh.polys[1].region = 2;
    let detail = build(&field, &regions, &mesh, 1.5);
    let assert_near = |poly: usize, [x, z]: [f32; 2], slack: f32| {
        let have = height_at(&mesh, &detail, poly, x, z).unwrap();
        let want = f32::from(field.y[field.grid.index(x as u32, z as u32)]);
        assert!((have - want).abs() <= slack, "({x}, {z}): {have}, ground {want}");
    };
    for z in (3..60).step_by(3).map(|z| z as f32 + 0.5) {
        for x in (3..90).step_by(3).filter(|&x| x != 45) {
            assert_near(usize::from(x > 45), [x as f32 + 0.5, z], 1.01);
        }
        // Between the samples of the edge the ground may rise by a step.
        assert_near(0, [45.0, z], 2.01);
    }
}

#[test]
fn shared_edges_have_the_same_vertices_on_both_sides() {
    let (field, regions) = ground(60, 40, bumps(5));
    let mesh = mesh_of(
        &field,
        &[
            &[[0, 30, 0], [0, 30, 40], [33, 30, 40], [21, 30, 0]],
            &[[21, 30, 0], [33, 30, 40], [60, 30, 40], [60, 30, 0]],
        ],
    );
    let detail = build(&field, &regions, &mesh, 1.0);
    let on_edge = |poly: usize| {
        let [a, b] = [[21, 0], [33, 40]].map(|[x, z]| mesh.grid.world(x, 0, z));
        let mut found: Vec<_> = verts_of(&mesh, &detail, poly)
            .into_iter()
            .filter(|&v| crate::math::plane::cross(a, b, v).abs() < 1e-3)
            .map(|v| v.to_array().map(f32::to_bits))
            .collect();
        found.sort_unstable();
        found
    };
    assert!(on_edge(0).len() > 4);
    assert_eq!(on_edge(0), on_edge(1));
}

#[test]
fn neighbouring_tiles_see_the_same_heights_along_their_border() {
    // The ground of columns 0..40, cut at column 20. Each tile sees six columns beyond its border.
    let tile = |first: i32| {
        let (mut field, regions) = ground_with_border(20, 30, 6, move |x, z| bumps(9)(x + first, z));
        field.grid.x += first;
        let mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [20, 30, 30], [20, 30, 0]]]);
        let detail = build(&field, &regions, &mesh, 1.0);
        let line = mesh.grid.world_x(20 - first);
        let mut on_border: Vec<_> =
            detail.verts.iter().filter(|v| v.x == line).map(|v| v.to_array().map(f32::to_bits)).collect();
        on_border.sort_unstable();
        on_border
    };
    assert!(tile(0).len() > 3);
    assert_eq!(tile(0), tile(20));
}

#[test]
fn corners_on_straight_edges_are_vertices_of_the_triangles() {
    let (field, regions) = ground(40, 30, bumps(2));
    let mut mesh = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 30], [40, 30, 30], [40, 30, 0]]]);
    mesh.verts.extend([[0, 33, 10], [0, 29, 20]]);
    let k = mesh.corners.iter().position(|&v| mesh.verts[v as usize] == [0, 30, 0]).unwrap();
    mesh.corners.splice(k + 1..k + 1, [4, 5]);
    mesh.neighbours.extend([crate::tile::EdgeNeighbour::WALL; 2]);
    mesh.polys[0].count = 6;
    for distance in [0.0, 1.0] {
        build(&field, &regions, &mesh, distance);
    }
}

#[test]
fn scratch_of_one_tile_does_not_show_in_the_next() {
    let (field, regions) = ground(60, 40, bumps(5));
    let one = mesh_of(&field, &[&[[0, 30, 0], [0, 30, 40], [33, 30, 40], [21, 30, 0]]]);
    let two = mesh_of(&field, &[&[[21, 30, 0], [33, 30, 40], [60, 30, 40], [60, 30, 0]]]);
    let (mut scratch, mut out) = (DetailScratch::default(), DetailMesh::default());
    let mut report = BakeReport::new(Aabb::EMPTY);
    for mesh in [&one, &two, &one] {
        let sampling = DetailSampling { distance: 1.5, max_error: 0.25 };
        let input = DetailInput { mesh, field: &field, regions: &regions, edge_max_error: 1.3, sampling };
        build_detail_mesh_into(&input, &mut report, &mut scratch, &mut out);
        let fresh = build_detail_mesh(&input, &mut report);
        assert_eq!((&out.verts, &out.tris, &out.patches), (&fresh.verts, &fresh.tris, &fresh.patches));
    }
}
