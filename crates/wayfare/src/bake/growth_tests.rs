//! A large open level took minutes with layer regions, whose outlines have hundreds of holes: for every merge of two
//! polygons all pairs were looked at again, for every ear that was cut off all corners, for every hole all edges.
//!
//! Steps are counted, not time: a busy machine does not change them.

use super::test_ground::ground;
use super::{
    BakeReport, ContourSettings, RegionLimits, WarningKind, build_contours, build_poly_mesh, layer_regions,
};
use crate::area::AreaId;
use crate::math::Aabb;
use crate::math::steps::counted;

/// Steps spent on regions, contours and polygons of open ground with so many pillars along each side.
fn steps(pillars: u32) -> [u64; 3] {
    let side = pillars * 10;
    let is_pillar = |at: i32| at % 10 >= 7;
    let (field, _) = ground(side, side, |x, z| if is_pillar(x) && is_pillar(z) { vec![] } else { vec![0] });
    let (limits, mut report) = (RegionLimits { min_cells: 0, merge_cells: 0 }, BakeReport::new(Aabb::EMPTY));
    let settings = ContourSettings { max_error: 1.3, max_edge_len: 40 };
    let (regions, for_regions) = counted(|| layer_regions(&field, limits));
    let (contours, for_contours) = counted(|| build_contours(&field, &regions, settings, &mut report));
    let (mesh, for_polygons) = counted(|| build_poly_mesh(&contours, 6, &mut report));
    assert_eq!(contours.contours.len(), 1, "one outline with all its holes");
    assert!(mesh.polys.len() > (pillars * pillars) as usize);
    [for_regions, for_contours, for_polygons]
}

#[test]
fn sixteen_times_the_level_takes_about_sixteen_times_the_steps() {
    let (small, large) = (steps(10), steps(40));
    // All pairs would take 256 times as many. The edges as high as a hole are as many as the square root of all.
    for (stage, most) in [16, 64, 16].into_iter().enumerate() {
        let what = ["regions", "contours", "polygons"][stage];
        let (few, many) = (small[stage], large[stage]);
        assert!(few > 100, "{what}: no steps are counted");
        assert!(many < few * most * 5 / 4, "{what}: {few} steps, {many} for sixteen times the level");
    }
}

/// Steps spent on the contours of open ground with so many painted rings, a cell wide, along each side: nearly all of
/// them have to be repaired, and each repair concerns the ground around all of them.
fn steps_of_rings(rings: u32) -> u64 {
    let side = rings * 10;
    let (mut field, _) = ground(side, side, |_, _| vec![0]);
    let is_ring = |at: u32| (at % 10).abs_diff(5);
    for cell in 0..side * side {
        if is_ring(cell % side).max(is_ring(cell / side)) == 3 {
            field.area[cell as usize] = AreaId::new(5).unwrap();
        }
    }
    let (limits, mut report) = (RegionLimits { min_cells: 0, merge_cells: 0 }, BakeReport::new(Aabb::EMPTY));
    let regions = layer_regions(&field, limits);
    let settings = ContourSettings { max_error: 2.5, max_edge_len: 0 };
    let (contours, steps) = counted(|| build_contours(&field, &regions, settings, &mut report));
    let repaired = report.warnings.iter().find(|warning| warning.kind == WarningKind::ContourRepaired);
    assert!(repaired.is_some_and(|warning| warning.count >= u64::from(rings * rings / 2)), "{:?}", report.warnings);
    assert!(contours.contours.len() as u32 >= 2 * rings * rings);
    steps
}

#[test]
fn repairs_of_many_rings_take_as_many_steps_as_there_are_rings_and_rows() {
    let (few, many) = (steps_of_rings(6), steps_of_rings(24));
    assert!(few > 100 && many < few * 64 * 5 / 4, "{few} steps, {many} for sixteen times the level");
}
