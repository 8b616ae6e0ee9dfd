//! A large open level took minutes with layer regions, whose outlines have hundreds of holes: for every merge of two
//! polygons all pairs were looked at again, for every ear that was cut off all corners, for every hole all edges.
//!
//! Steps are counted, not time: a busy machine does not change them.

use super::test_ground::ground;
use super::{BakeReport, ContourSettings, RegionLimits, build_contours, build_poly_mesh, layer_regions};
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
