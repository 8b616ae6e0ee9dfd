//! A level in which one triangle stood two hundred thousand times, as a script had left it, ended the program while it
//! was baked: the height ranges of all of them, cell by cell, were kept until their row was done.

use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{BakeSettings, TriMesh, VoxelSettings};
use wayfare::math::Rng;
use wayfare::voxel::{Grid, Heightfield, RasterInput, rasterize};

fn settings() -> VoxelSettings {
    BakeSettings::default().to_voxel().unwrap()
}

fn raster(mesh: &TriMesh) -> Heightfield {
    let level = Grid::of_level(mesh.bounds(), &settings()).unwrap();
    rasterize(&RasterInput::whole(mesh, &level, &settings()))
}

/// Triangles, all of them so many times.
fn repeated(corners: &[[Vec3; 3]], areas: &[AreaId], times: usize) -> TriMesh {
    let tris: Vec<[u32; 3]> = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let areas = areas.repeat(times);
    TriMesh::with_areas(corners.concat(), tris.repeat(times), areas).unwrap()
}

/// Whatever lies on itself is what it is alone: steep and level triangles, walls, and steps to climb from one top to
/// the next.
#[test]
fn triangles_that_are_repeated_change_nothing() {
    for seed in 0..3 {
        let mut rng = Rng::new(seed);
        let mut at = |below: u32| rng.below(below) as f32;
        let corners: Vec<[Vec3; 3]> = (0..60)
            .map(|i| {
                let base = Vec3::new(at(100), at(40), at(100)) * 0.1;
                let mut corner = || base + Vec3::new(at(100), if i % 3 == 0 { 0.0 } else { at(60) }, at(100)) * 0.1;
                [corner(), corner(), corner()]
            })
            .collect();
        let areas: Vec<AreaId> = (0..60).map(|i| AreaId::from_low_bits(i % 4)).collect();
        let [once, often] = [1, 500].map(|times| raster(&repeated(&corners, &areas, times)));
        assert_eq!((once.columns, once.min, once.max), (often.columns, often.min, often.max), "seed {seed}");
        assert_eq!(once.area, often.area, "seed {seed}");
        assert!(once.area.iter().any(|area| area.is_null()) && once.area.iter().any(|area| !area.is_null()));
    }
}

#[test]
fn memory_grows_with_the_triangles_and_not_with_their_cells() {
    let steep = [Vec3::ZERO, Vec3::new(0.0, 3.0, 30.0), Vec3::new(30.0, 0.0, 30.0)];
    let flat = steep.map(|corner| corner.with_y(1.0));
    // Three heights that take turns: none of them meets the one before.
    let turns = [0.0, 5.0, 10.0].map(|rise| flat.map(|corner| corner + Vec3::Y * rise));
    for corners in [&[steep][..], &[flat], &turns] {
        let areas = vec![AreaId::WALKABLE; corners.len()];
        let bytes = |times: usize| {
            let mesh = repeated(corners, &areas, times / corners.len());
            allocation_counter::measure(|| drop(raster(&mesh))).bytes_max
        };
        let [few, many] = [6_000, 24_000].map(bytes);
        // A triangle takes some hundred bytes in each of the lists that it passes; its ranges were 20 kB.
        assert!(many - few < 18_000 * 600, "{few} bytes for 6,000 triangles, {many} for 24,000");
    }
}
