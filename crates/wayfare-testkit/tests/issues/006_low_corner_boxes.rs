//! A box beside the low corner of a tile returned polygon 0, which was nowhere near: boxes were rounded to the tile's
//! steps and what lay below the first was taken for the first.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::input::BakeSettings;
use wayfare::math::{Aabb, Rng};
use wayfare::query::{DefaultFilter, polys_in_box};

#[test]
fn boxes_around_low_corners_find_what_touches_them_and_nothing_else() {
    let level = floors(&[([0.0, 9.0], [0.0, 9.0], 0.0), ([12.0, 20.0], [12.0, 20.0], 1.0)]);
    let (mesh, _) = bake(&level, &BakeSettings { tile_size: 20, ..BakeSettings::default() });
    let filter = DefaultFilter::default();
    let boxes: Vec<Aabb> =
        mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|p| Aabb::around(t.data().points_of(p)))).collect();
    let mut rng = Rng::new(6);
    let mut beside = 0;
    for tile in mesh.tiles().filter(|t| t.poly_count() > 0) {
        for _ in 0..200 {
            let mut jitter = || (rng.unit() - 0.5) * 1.5;
            let center = tile.bounds().min + Vec3::new(jitter(), jitter(), jitter());
            let query = Aabb::from_center(center, Vec3::splat(0.25));
            let expected = boxes.iter().filter(|b| b.overlaps(&query)).count();
            assert_eq!(polys_in_box(&mesh, &query, &filter).len(), expected, "{query:?}");
            beside += usize::from(expected == 0);
        }
    }
    assert!(beside > 100, "{beside}");
}
