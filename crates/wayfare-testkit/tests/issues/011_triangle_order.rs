//! The same level exported twice gave two meshes: which area a merged span got depended on the order of its triangles.

use super::surface;
use wayfare::area::AreaId;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Rng;

#[test]
fn the_order_of_triangles_changes_no_byte() {
    let mut rng = Rng::new(11);
    let base = surface(30, 30, 1.0, |x, z| ((x * z) % 5) as f32 * 0.3);
    let (verts, mut tris) = (base.verts().to_vec(), base.tris().to_vec());
    // Some triangles between far corners, which cut through the ground.
    tris.extend(
        (0..60).map(|_| [(); 3].map(|()| rng.below(verts.len() as u32))).filter(|t| t[0] != t[1] && t[1] != t[2]),
    );
    let areas: Vec<AreaId> = tris.iter().map(|t| AreaId::from_low_bits(1 + (t[0] % 62) as u8)).collect();
    let baked = |order: &[usize], turn: usize| {
        let turned = |t: [u32; 3]| [0, 1, 2].map(|k| t[(k + turn) % 3]);
        let (tris, areas) =
            (order.iter().map(|&i| turned(tris[i])).collect(), order.iter().map(|&i| areas[i]).collect());
        let level = TriMesh::with_areas(verts.clone(), tris, areas).unwrap();
        bake_tiles(&level, &BakeSettings { tile_size: 40, ..BakeSettings::default() }, &Context::default()).unwrap().0
    };
    let mut order: Vec<usize> = (0..tris.len()).collect();
    let first = baked(&order, 0);
    for turn in 0..3 {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        assert!(baked(&order, turn) == first, "shuffle {turn}");
    }
}
