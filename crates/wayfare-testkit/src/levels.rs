//! Scenes, baked for tests, and the lines that stand for them in goldens.

use crate::{Rng, digest};
use std::fmt::Write as _;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, BakedTiles, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, Erosion, Level, Marking, Partition, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::voxel::{
    CompactHeightfield, Grid, RasterInput, compact, erode, erode_euclidean, filter, mark_volume, rasterize,
};
use wayfare_scenes::{Scene, scene};

/// The ways in which every scene is baked for the goldens: name, partition, tile size in cells.
pub const WAYS: [(&str, Partition, u32); 6] = [
    ("solo", Partition::Watershed, 0),
    ("tiled", Partition::Watershed, 48),
    ("monotone", Partition::Monotone, 0),
    ("monotone tiled", Partition::Monotone, 48),
    ("layers solo", Partition::Layers, 0),
    ("layers", Partition::Layers, 48),
];

/// Scenes of all kinds, for properties that hold on any ground: small enough to be baked in a moment.
pub const GROUNDS: [&str; 10] = [
    "stairs",
    "two_floors",
    "bridge",
    "holes_and_pillars",
    "spiral_ramp",
    "offices?rooms=3",
    "city?blocks=1",
    "ledges",
    "terrain?size=48",
    "dungeon?size=120",
];

/// One of these scenes with a random seed: what [`scene`] takes.
#[must_use]
pub fn seeded(specs: &[&str], rng: &mut Rng) -> String {
    let spec = specs[rng.whole(0, specs.len() as i32 - 1) as usize];
    format!("{spec}{}seed={}", if spec.contains('?') { '&' } else { '?' }, rng.whole(0, 999))
}

/// Bakes a scene with its own settings but for partition and tile size.
///
/// # Panics
/// If it cannot be baked: every built-in scene can.
#[must_use]
pub fn bake(scene: &Scene, partition: Partition, tile_size: u32) -> (BakedTiles, BakeReport) {
    let settings = BakeSettings { partition, tile_size, ..scene.settings };
    let mesh = scene.mesh().unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let level = Level { volumes: &scene.volumes, ..Level::from(&mesh) };
    bake_tiles(level, &settings, &Context::default()).unwrap_or_else(|e| panic!("{}: {e}", scene.spec))
}

/// The eroded ground of a scene as one piece, before any region or polygon is made.
///
/// # Panics
/// If the scene or the settings are refused: no built-in scene's are.
#[must_use]
pub fn ground(scene: &Scene, settings: &BakeSettings) -> CompactHeightfield {
    let voxel = settings.to_voxel().unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let mesh = scene.mesh().unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let level = Grid::of_level(mesh.bounds(), &voxel).unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let mut field = rasterize(&RasterInput::whole(&mesh, &level, &voxel));
    filter(&mut field, &level, &voxel);
    let mut ground = compact(&field, 0, &voxel);
    let mark = |ground: &mut CompactHeightfield, when: Marking| {
        for marked in scene.volumes.iter().filter(|v| v.when == when) {
            mark_volume(ground, &marked.volume, marked.area, voxel.agent_height_vx as f32 * voxel.cell_height);
        }
    };
    mark(&mut ground, Marking::BeforeErosion);
    match settings.erosion {
        Erosion::Chamfer => erode(&mut ground, voxel.agent_radius_vx),
        Erosion::Euclidean => erode_euclidean(&mut ground, settings.agent.radius / settings.cell_size),
    }
    mark(&mut ground, Marking::AfterErosion);
    ground
}

/// The mesh of baked tiles.
///
/// # Panics
/// If a tile is refused: a bake's tiles never are.
#[must_use]
pub fn connect(baked: BakedTiles) -> NavMesh {
    NavMesh::from_tiles(baked.layout, baked.tiles).unwrap_or_else(|e| panic!("a baked tile is refused: {e}"))
}

/// Boxes as a level: low and high corner of each.
///
/// # Panics
/// If no box has any extent.
#[must_use]
pub fn boxes(boxes: &[[[f32; 3]; 2]]) -> TriMesh {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for &[low, high] in boxes {
        let first = verts.len() as u32;
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] });
        verts.extend((0..8).map(|i| Vec3::from(corner(i))));
        // Two triangles a side, wound outwards.
        for [a, b, c, d] in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]] {
            tris.extend([[a, b, c], [a, c, d]].map(|tri: [u32; 3]| tri.map(|v| first + v)));
        }
    }
    TriMesh::new(verts, tris).unwrap_or_else(|e| panic!("{e}"))
}

/// A floor with holes, boxes, ramps and slabs with room beneath, all at random.
///
/// # Panics
/// Never: some quad always has an area.
#[must_use]
pub fn random_level(rng: &mut Rng) -> TriMesh {
    let side = rng.real(20.0, 44.0);
    let mut quads: Vec<[[f32; 3]; 4]> = Vec::new();
    let sheet = |x: [f32; 2], z: [f32; 2], y: [f32; 2]| {
        [[x[0], y[0], z[0]], [x[0], y[0], z[1]], [x[1], y[1], z[1]], [x[1], y[1], z[0]]]
    };
    let strips = rng.whole(1, 5);
    for k in 0..strips {
        // Strips of floor, some of them a little higher, lower or missing.
        let (from, to) = (side * k as f32 / strips as f32, side * (k + 1) as f32 / strips as f32);
        if rng.whole(0, 5) > 0 {
            let y = [0.0, 0.0, 0.4, 0.8, 1.2][rng.whole(0, 4) as usize];
            quads.push(sheet([0.0, side], [from, to], [y, y]));
        }
    }
    for _ in 0..rng.whole(8, 30) {
        let (w, d) = (rng.real(1.5, 12.0), rng.real(1.5, 12.0));
        let (x, z) = (rng.real(0.0, side - 1.0), rng.real(0.0, side - 1.0));
        let (x, z) = ([x, (x + w).min(side)], [z, (z + d).min(side)]);
        let (low, high) = (rng.real(0.0, 3.0), rng.real(0.0, 5.0));
        match rng.whole(0, 2) {
            0 => quads.push(sheet(x, z, [low, high])),
            1 => quads.push(sheet(x, z, [high, high])),
            // A block: its sides are upright sheets.
            _ => {
                quads.push(sheet(x, z, [low, low]));
                for (a, b) in [
                    ([x[0], z[0]], [x[1], z[0]]),
                    ([x[1], z[0]], [x[1], z[1]]),
                    ([x[1], z[1]], [x[0], z[1]]),
                    ([x[0], z[1]], [x[0], z[0]]),
                ] {
                    quads.push([
                        [a[0], 0.0, a[1]],
                        [b[0], 0.0, b[1]],
                        [b[0], low + 0.1, b[1]],
                        [a[0], low + 0.1, a[1]],
                    ]);
                }
            }
        }
    }
    let corners = (0..quads.len() as u32).flat_map(|k| [[0, 1, 2], [0, 2, 3]].map(|tri| tri.map(|c| 4 * k + c)));
    let tris = corners.collect();
    TriMesh::new(quads.into_iter().flatten().map(Vec3::from).collect(), tris).unwrap()
}

/// The specs that goldens are kept for: every scene with its defaults, and some with others.
#[must_use]
pub fn golden_specs() -> Vec<String> {
    let mut specs: Vec<String> = wayfare_scenes::all().iter().map(|info| info.name.to_owned()).collect();
    specs.extend(
        ["dungeon?seed=2", "holes_and_pillars?seed=2", "soup?seed=2", "city?blocks=2&seed=3"].map(String::from),
    );
    specs
}

/// The counts and the digest of a scene baked in every way of [`WAYS`], one line each.
///
/// # Panics
/// If there is no such scene.
#[must_use]
pub fn golden_lines(spec: &str) -> String {
    let scene = scene(spec).unwrap_or_else(|e| panic!("{e}"));
    let mut lines = String::new();
    for (way, partition, tile_size) in WAYS {
        let (baked, report) = bake(&scene, partition, tile_size);
        let s = report.stats;
        let bytes = connect(baked).to_bytes();
        // Writing to a string cannot fail.
        let _ = writeln!(
            lines,
            "{spec} {way}: spans {} {} eroded {} distance {} regions {} contours {} {} polygons {} {} detail {} {}, {}",
            s.spans,
            s.walkable_spans,
            s.eroded_spans,
            s.max_distance,
            s.regions,
            s.contours,
            s.contour_verts,
            s.polys,
            s.poly_verts,
            s.detail_verts,
            s.detail_tris,
            digest(&bytes)
        );
    }
    lines
}

/// Rough terrain with this many vertices a side, so that every stage has much to do.
///
/// # Panics
/// If `side` is below 2.
#[must_use]
pub fn rough_ground(side: u32) -> TriMesh {
    let height = |x: u32, z: u32| ((x * 7919 + z * 104_729) % 97) as f32 * 0.004;
    let corner = |i: u32| Vec3::new((i % side) as f32, height(i % side, i / side), (i / side) as f32);
    let cells = (0..side * (side - 1)).filter(|i| i % side + 1 < side && i % 11 != 3);
    let tris = cells.flat_map(|i| [[i, i + side, i + side + 1], [i, i + side + 1, i + 1]]).collect();
    TriMesh::new((0..side * side).map(corner).collect(), tris).unwrap_or_else(|e| panic!("{e}"))
}
