//! Some triangles corrupted the memory of the bake: cut to a cell, a triangle can have seven corners, and an eighth is
//! written on the way, where there was room for seven.
//!
//! That spans are what cutting gives is tested in `voxel/step_tests.rs` and by the oracle of the testkit; here
//! triangles of every position around one cell.

use wayfare::Vec3;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Rng;
use wayfare::voxel::{Grid, RasterInput, rasterize};

#[test]
fn a_triangle_may_cut_a_cell_in_any_way() {
    let settings = BakeSettings { cell_size: 1.0, ..BakeSettings::default() }.to_voxel().unwrap();
    let mut rng = Rng::new(14);
    let mut covered = 0;
    for _ in 0..20_000 {
        // Corners on and between the lines of the cell, a tenth of them exactly on a line.
        let mut along = || if rng.below(10) == 0 { rng.below(4) as f32 } else { rng.unit() * 4.0 - 0.5 };
        let corners: Vec<Vec3> = (0..3).map(|_| Vec3::new(along(), along(), along())).collect();
        let (low, high) =
            (corners.iter().map(|c| c.y).fold(9.0, f32::min), corners.iter().map(|c| c.y).fold(-9.0, f32::max));
        let Ok(mesh) = TriMesh::new(corners, vec![[0, 1, 2]]) else { continue };
        let grid = Grid {
            origin: Vec3::new(0.0, -1.0, 0.0),
            cell_size: 1.0,
            cell_height: 0.2,
            x: 1,
            z: 1,
            width: 1,
            depth: 1,
        };
        let level = Grid { x: 0, z: 0, width: 4, depth: 4, ..grid };
        let input =
            RasterInput { mesh: &mesh, terrain: None, triangles: None, level: &level, grid, settings: &settings };
        let field = rasterize(&input);
        assert!(field.span_count() <= 1);
        for (&bottom, &top) in field.min.iter().zip(&field.max) {
            covered += 1;
            let world = |y: u16| -1.0 + f32::from(y) * 0.2;
            assert!(world(bottom) > low - 0.21 && world(top) < high + 0.41, "{bottom} to {top} for {low} to {high}");
        }
    }
    assert!(covered > 5_000, "{covered}");
}
