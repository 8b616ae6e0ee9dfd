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
    let (mesh, _) = scene.mesh().unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
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
    let (mesh, _) = scene.mesh().unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let level = Grid::of_level(mesh.bounds(), &voxel).unwrap_or_else(|e| panic!("{}: {e}", scene.spec));
    let mut field = rasterize(&RasterInput::whole(&mesh, &level, &voxel));
    filter(&mut field, &level, &voxel);
    let mut ground = compact(&field, 0, &voxel);
    let mark = |ground: &mut CompactHeightfield, when: Marking| {
        for marked in scene.volumes.iter().filter(|v| v.when == when) {
            mark_volume(ground, &marked.volume, marked.area);
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
    TriMesh::new(verts, tris).unwrap_or_else(|e| panic!("{e}")).0
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
