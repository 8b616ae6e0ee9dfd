//! Area types arrive on the polygons where they lie on the ground, whatever the tiles.

use std::collections::BTreeMap;
use wayfare::area::AreaId;
use wayfare::bake::BakedTiles;
use wayfare::input::{BakeSettings, Partition};
use wayfare::math::polygon;
use wayfare::tile::{Side, TileData};
use wayfare::voxel::CompactHeightfield;
use wayfare_scenes::{Scene, scene};
use wayfare_testkit::levels::{bake, connect, ground};
use wayfare_testkit::property;

const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];

/// Square metres by area type.
fn sizes(baked: &BakedTiles) -> BTreeMap<u8, f64> {
    let mut sizes = BTreeMap::new();
    for tile in &baked.tiles {
        for (i, poly) in tile.polys().iter().enumerate() {
            let corners: Vec<_> = tile.points_of(i as u32).collect();
            *sizes.entry(poly.area.get()).or_default() += f64::from(polygon::area(&corners).abs());
        }
    }
    sizes
}

/// The area type of the polygon that an edge belongs to.
fn area_of_edge(tile: &TileData, edge: u32) -> AreaId {
    tile.polys().iter().find(|p| (p.first..p.first + u32::from(p.count)).contains(&edge)).unwrap().area
}

/// How many cells along tile borders have ground on both sides; on each the polygon must have the ground's area type.
fn check_seams(scene: &Scene, baked: &BakedTiles, field: &CompactHeightfield, size: u32) -> usize {
    let mut seen = 0;
    for tile in &baked.tiles {
        for seam in &tile.seams() {
            let side = tile.neighbours()[seam.edge as usize].as_border().unwrap();
            let (first_x, first_z) = (tile.coord().x as u32 * size, tile.coord().z as u32 * size);
            let last = |first: u32, count: u32| (first + size).min(count) - 1;
            let (x, z) = match side {
                Side::XMin => (first_x, seam.cell as u32),
                Side::XMax => (last(first_x, field.grid.width), seam.cell as u32),
                Side::ZMin => (seam.cell as u32, first_z),
                Side::ZMax => (seam.cell as u32, last(first_z, field.grid.depth)),
            };
            let span = field.column(field.grid.index(x, z)).find(|&s| field.y[s] == seam.here);
            let marked = span.map(|s| field.area[s]);
            assert_eq!(Some(area_of_edge(tile, seam.edge)), marked, "{}: cell {x}, {z}, tiles of {size}", scene.spec);
            seen += 1;
        }
    }
    seen
}

#[test]
fn areas_on_tile_edges_are_the_grounds_on_both_sides() {
    property("areas_on_tile_edges_are_the_grounds_on_both_sides", 12, |rng| {
        let (length, width, size) = (rng.real(30.0, 60.0), rng.real(4.0, 12.0), rng.whole(12, 80) as u32);
        let scene = scene(&format!("river?length={length}&width={width}")).unwrap();
        let partition = PARTITIONS[rng.whole(0, 2) as usize];
        let (tiled, _) = bake(&scene, partition, size);
        let field = ground(&scene, &scene.settings);
        let seen = check_seams(&scene, &tiled, &field, size);
        assert!(seen > 100, "only {seen} cells on seams");
    });
}

/// Without simplifying outlines the polygons of an area are its cells, no more and no less.
#[test]
fn exact_outlines_cover_exactly_the_cells_of_each_area() {
    property("exact_outlines_cover_exactly_the_cells_of_each_area", 6, |rng| {
        let mut scene = scene(&format!("river?length=30&width={}", rng.real(4.0, 9.0))).unwrap();
        scene.settings = BakeSettings { edge_max_error: 0.0, region_min_size: 0, ..scene.settings };
        let field = ground(&scene, &scene.settings);
        let cell = f64::from(scene.settings.cell_size).powi(2);
        let mut cells: BTreeMap<u8, f64> = BTreeMap::new();
        for area in field.area.iter().filter(|area| !area.is_null()) {
            *cells.entry(area.get()).or_default() += cell;
        }
        let partition = PARTITIONS[rng.whole(0, 2) as usize];
        for tile_size in [0, rng.whole(12, 80) as u32] {
            let sizes = sizes(&bake(&scene, partition, tile_size).0);
            assert!(sizes.keys().eq(cells.keys()), "{:?} {:?}", sizes.keys(), cells.keys());
            for (area, cells) in &cells {
                let size = sizes[area];
                assert!((size - cells).abs() < 0.02, "area {area}: {size} m², its cells {cells}, tiles of {tile_size}");
            }
        }
    });
}

#[test]
fn every_area_of_the_river_is_there_and_as_large_as_it_should_be() {
    let scene = scene("river").unwrap();
    for (partition, size) in PARTITIONS.into_iter().flat_map(|p| [(p, 0), (p, 48)]) {
        let (baked, report) = bake(&scene, partition, size);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let sizes = sizes(&baked);
        assert_eq!(sizes.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 63], "{partition:?}, tiles of {size}");
        // The mud is a hexagon of 89.5 m²; the agent's radius takes nothing from it.
        assert!((sizes[&4] - 89.5).abs() < 4.0, "mud {}", sizes[&4]);
        assert!((2.5..4.0).contains(&sizes[&3]), "door {}", sizes[&3]);
        assert!(connect(baked).check().is_empty());
    }
}

#[test]
fn a_volume_without_ground_takes_the_radius_too_or_not_as_it_is_asked() {
    use wayfare::Vec3;
    use wayfare::bake::bake_tiles;
    use wayfare::context::Context;
    use wayfare::input::{Level, MarkedVolume, Marking, Volume};
    let flat = scene("flat").unwrap();
    let mesh = flat.mesh().unwrap();
    let volume = Volume::Cylinder { base: Vec3::new(0.0, -1.0, 0.0), radius: 3.0, height: 2.0 };
    let left = |when| {
        let volumes = [MarkedVolume { volume: volume.clone(), area: AreaId::NULL, when }];
        let level = Level { volumes: &volumes, ..Level::from(&mesh) };
        let (baked, _) = bake_tiles(level, &BakeSettings::default(), &Context::default()).unwrap();
        sizes(&baked)[&63]
    };
    let whole = sizes(&bake(&flat, Partition::Watershed, 0).0)[&63];
    let disc = |radius: f64| core::f64::consts::PI * radius * radius;
    let (before, after) = (whole - left(Marking::BeforeErosion), whole - left(Marking::AfterErosion));
    assert!((after - disc(3.0)).abs() < 3.0, "{after}");
    assert!((before - disc(3.6)).abs() < 4.0, "{before}");
}
