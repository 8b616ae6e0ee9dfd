//! The voxel steps against slow and obvious versions of themselves, over random triangles and scenes.

use wayfare::Vec3;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::voxel::{Grid, Heightfield, RasterInput, rasterize};
use wayfare_testkit::{Rng, oracle, property};

fn columns(field: &Heightfield) -> Vec<Vec<[u16; 2]>> {
    let spans = |cell| field.column(cell).map(|s| [field.min[s], field.max[s]]).collect();
    (0..field.grid.cell_count()).map(spans).collect()
}

/// Solid voxels in one and not in the other, and in both together.
fn differing(a: &[Vec<[u16; 2]>], b: &[Vec<[u16; 2]>]) -> (u64, u64) {
    let count = |spans: &[[u16; 2]]| spans.iter().map(|s| u64::from(s[1] - s[0])).sum::<u64>();
    let shared = |a: &[[u16; 2]], b: &[[u16; 2]]| {
        let overlap = |p: &[u16; 2], q: &[u16; 2]| u64::from(p[1].min(q[1]).saturating_sub(p[0].max(q[0])));
        a.iter().flat_map(|p| b.iter().map(move |q| overlap(p, q))).sum::<u64>()
    };
    let pairs = || a.iter().zip(b);
    let both: u64 = pairs().map(|(a, b)| shared(a, b)).sum();
    let all: u64 = pairs().map(|(a, b)| count(a) + count(b)).sum();
    (all - 2 * both, all)
}

fn random_mesh(rng: &mut Rng) -> TriMesh {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for _ in 0..rng.whole(1, 40) {
        let size = rng.real(0.05, 4.0);
        let at = Vec3::new(rng.real(-6.0, 6.0), rng.real(-2.0, 4.0), rng.real(-6.0, 6.0));
        let first = verts.len() as u32;
        verts.extend(
            (0..3).map(|_| at + Vec3::new(rng.real(-size, size), rng.real(-size, size), rng.real(-size, size))),
        );
        tris.push([first, first + 1, first + 2]);
    }
    TriMesh::new(verts, tris).unwrap()
}

#[test]
fn rasterised_spans_are_those_of_the_oracle() {
    property("rasterised_spans_are_those_of_the_oracle", 30, |rng| {
        let mesh = random_mesh(rng);
        let settings = BakeSettings::default().to_voxel().unwrap();
        let level = Grid::of_level(mesh.bounds(), &settings).unwrap();
        let input = RasterInput::whole(&mesh, &level, &settings);
        let (ours, theirs) = (columns(&rasterize(&input)), oracle::raster_columns(&input));
        let (off, all) = differing(&ours, &theirs);
        assert!(off * 500 <= all, "{off} of {all} voxels differ");
    });
}

#[test]
fn a_cell_is_the_same_in_every_rectangle() {
    property("a_cell_is_the_same_in_every_rectangle", 30, |rng| {
        let mesh = random_mesh(rng);
        let settings = BakeSettings::default().to_voxel().unwrap();
        let level = Grid::of_level(mesh.bounds(), &settings).unwrap();
        let whole = columns(&rasterize(&RasterInput::whole(&mesh, &level, &settings)));
        let (x, z) = (rng.whole(-5, level.width as i32), rng.whole(-5, level.depth as i32));
        let grid = Grid { x, z, width: rng.whole(1, 20) as u32, depth: rng.whole(1, 20) as u32, ..level };
        let part = columns(&rasterize(&RasterInput { grid, ..RasterInput::whole(&mesh, &level, &settings) }));
        for row in 0..grid.depth as i32 {
            for column in 0..grid.width as i32 {
                let (in_x, in_z) = (x + column, z + row);
                let inside = (0..level.width as i32).contains(&in_x) && (0..level.depth as i32).contains(&in_z);
                let expected = if inside { whole[level.index(in_x as u32, in_z as u32)].clone() } else { Vec::new() };
                assert_eq!(part[grid.index(column as u32, row as u32)], expected, "cell {in_x}, {in_z}");
            }
        }
    });
}
