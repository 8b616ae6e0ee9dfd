//! Checkpoints: open ground kept small comes back as it was, and the recipe goes on from it to the same tile.

use allocation_counter::measure;
use std::collections::BTreeSet;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, Door, TileBaker, TileInput, TilePlan};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, Erosion, Level, MarkedVolume, TriMesh, Volume};
use wayfare::tile::TileData;
use wayfare::voxel::{CheckpointError, Checkpoints, CompactHeightfield};
use wayfare_scenes::scene;
use wayfare_testkit::data;
use wayfare_testkit::levels::golden_specs;

/// A tile of a level under work.
struct Tile<'a> {
    source: TileInput<'a>,
    baker: TileBaker,
    checkpoints: Checkpoints,
}

impl<'a> Tile<'a> {
    fn new(level: Level<'a>, plan: &TilePlan, index: u64) -> Self {
        let source = TileInput { level, triangles: None, tile: plan.tile(index) };
        let baker = TileBaker::new(plan.level, plan.settings);
        Self { source, baker, checkpoints: Checkpoints::new(&plan.settings) }
    }

    fn run(&mut self, volumes: &[MarkedVolume], doors: [Door; 2]) -> Option<TileData> {
        let level = Level { volumes, ..self.source.level };
        let source = TileInput { level, ..self.source };
        self.baker.run(&source, doors, &mut (), &Context::default(), &mut BakeReport::default()).unwrap()
    }

    /// The checkpoint of the ground at a door.
    fn checkpoint(&mut self, door: Door) -> Vec<u8> {
        self.run(self.source.level.volumes, [Door::Triangles, door]);
        let mut bytes = Vec::new();
        self.checkpoints.write(&self.baker.products().compact, &mut bytes);
        bytes
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let (grid, border) = (self.source.tile.baked_grid(), self.source.tile.border);
        self.checkpoints.read(bytes, &grid, border, &mut self.baker.products_mut().compact)
    }
}

fn bytes_of(field: &CompactHeightfield) -> usize {
    let spans = field.span_count();
    size_of_val(&field.columns[..]) + spans * (2 + 2 + 1) + size_of_val(&field.neighbours[..])
}

/// Ceilings may have been moved where nothing depends on them; the tiles tell.
fn equal(a: &CompactHeightfield, b: &CompactHeightfield) -> bool {
    (a.grid, a.border, &a.columns, &a.y, &a.area, &a.neighbours)
        == (b.grid, b.border, &b.columns, &b.y, &b.area, &b.neighbours)
}

/// Something to stand in the way, or to be painted, in the middle of a tile.
fn obstacles(level: &TriMesh, tile: &TileInput<'_>) -> Vec<MarkedVolume> {
    let grid = tile.tile.grid;
    let (x, z) = (grid.width as i32 / 2, grid.depth as i32 / 2);
    let at = Vec3::new(grid.world_x(x), level.bounds().min.y - 1.0, grid.world_z(z));
    let height = level.bounds().size().y + 2.0;
    let cylinder = |base, radius| Volume::Cylinder { base, radius, height };
    let beside = at + Vec3::X * grid.cell_size * 6.0;
    vec![MarkedVolume::block(cylinder(at, grid.cell_size * 3.0)), MarkedVolume::block(cylinder(beside, grid.cell_size))]
}

#[test]
fn tiles_from_checkpoints_are_those_of_the_bake() {
    let (mut compared, mut changed) = (0, 0);
    for spec in golden_specs() {
        let scene = scene(&spec).unwrap();
        let mesh = scene.mesh().unwrap();
        let level = Level { mesh: &mesh, terrain: None, volumes: &scene.volumes };
        for (tile_size, erosion) in [(0, Erosion::Chamfer), (48, Erosion::Chamfer), (48, Erosion::Euclidean)] {
            let plan = TilePlan::new(level, &BakeSettings { tile_size, erosion, ..scene.settings }).unwrap();
            let count = plan.tile_count();
            for index in BTreeSet::from([0, count / 2]) {
                let mut tile = Tile::new(level, &plan, index);
                let baked = tile.run(&scene.volumes, [Door::Triangles, Door::Tile]);
                for door in [Door::Open, Door::Eroded] {
                    let bytes = tile.checkpoint(door);
                    let field = tile.baker.products().compact.clone();
                    tile.read(&bytes).unwrap();
                    assert!(equal(&field, &tile.baker.products().compact), "{spec}, tile {index}: {door:?}");
                    assert!(tile.run(&scene.volumes, [door, Door::Tile]) == baked, "{spec}, tile {index}: {door:?}");
                }
                // What stands on the ground is as if it had been there from the beginning, and leaves no trace.
                let bytes = tile.checkpoint(Door::Open);
                let more = [scene.volumes.clone(), obstacles(&mesh, &tile.source)].concat();
                let obstructed = tile.run(&more, [Door::Triangles, Door::Tile]);
                tile.read(&bytes).unwrap();
                assert!(tile.run(&more, [Door::Open, Door::Tile]) == obstructed, "{spec}, tile {index}");
                tile.read(&bytes).unwrap();
                assert!(tile.run(&scene.volumes, [Door::Open, Door::Tile]) == baked, "{spec}, tile {index}");
                changed += u32::from(obstructed != baked);
                compared += u32::from(baked.is_some());
            }
        }
    }
    assert!(compared > 80 && changed > 30, "{compared}, {changed} changed");
}

/// Bytes of a level's tiles in memory, and of their checkpoints.
fn sizes(level: Level<'_>, plan: &TilePlan, door: Door) -> [usize; 3] {
    let mut sum = [0; 3];
    for index in 0..plan.tile_count() {
        let mut tile = Tile::new(level, plan, index);
        let bytes = tile.checkpoint(door).len();
        let field = &tile.baker.products().compact;
        let of_tile = [bytes_of(field), bytes, field.grid.cell_count()];
        sum.iter_mut().zip(of_tile).for_each(|(sum, of_tile)| *sum += of_tile);
    }
    sum
}

#[test]
fn checkpoints_are_small() {
    let own = ["dungeon", "offices", "city", "terrain", "holes_and_pillars"].map(|spec| {
        let scene = scene(spec).unwrap();
        (spec, scene.mesh().unwrap(), if spec == "terrain" { 16 } else { 50 })
    });
    let others = ["nav_test", "dungeon"].into_iter().filter_map(|name| {
        let mesh = data::level(&format!("levels/{name}.obj"), 1.0);
        if mesh.is_none() {
            println!("skipped: there is no {name}.obj");
        }
        Some((name, mesh?, 50))
    });
    for (name, mesh, ratio) in own.into_iter().chain(others) {
        let level = Level { mesh: &mesh, terrain: None, volumes: &[] };
        for tile_size in [0, 48] {
            let plan = TilePlan::new(level, &BakeSettings { tile_size, ..BakeSettings::default() }).unwrap();
            let [open, eroded] = [Door::Open, Door::Eroded].map(|door| sizes(level, &plan, door));
            let told = |[field, bytes, cells]: [usize; 3]| {
                let each = bytes as f64 / cells as f64;
                format!("{field} → {bytes} bytes, 1 : {}, {each:.3} a cell", field / bytes.max(1))
            };
            println!("{name}, tiles of {tile_size}: open {}; eroded {}", told(open), told(eroded));
            if tile_size == 0 {
                assert!(open[0] >= ratio * open[1], "{name}: {}", told(open));
            }
        }
    }
}

#[test]
fn damaged_checkpoints_are_refused_without_harm() {
    let scene = scene("two_floors").unwrap();
    let mesh = scene.mesh().unwrap();
    let level = Level { mesh: &mesh, terrain: None, volumes: &scene.volumes };
    let plan = TilePlan::new(level, &BakeSettings { tile_size: 48, ..scene.settings }).unwrap();
    let mut tile = Tile::new(level, &plan, plan.tile_count() / 2);
    let bytes = tile.checkpoint(Door::Open);
    let cells = tile.source.tile.baked_grid().cell_count() as u64;
    tile.read(&bytes).unwrap();
    for end in 0..bytes.len() {
        assert!(tile.read(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
    let mut altered = bytes.clone();
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 1, bytes[at].wrapping_add(1)] {
            altered[at] = value;
            let mut read = Ok(());
            let used = measure(|| read = tile.read(&altered));
            assert!(used.bytes_max <= 64 * cells + 64 * 255 * bytes.len() as u64, "{} bytes", used.bytes_max);
            if at < 8 && value != bytes[at] {
                assert_eq!(read, Err(CheckpointError::OtherTile));
            } else if read.is_ok() {
                // Whatever it says now, the recipe can go on from it.
                tile.run(&scene.volumes, [Door::Open, Door::Tile]);
            }
        }
        altered[at] = bytes[at];
    }
    altered.extend_from_slice(&[0; 3]);
    assert!(tile.read(&altered).is_err(), "more than there should be");
    // Of the tile beside, of an agent of another height.
    let mut beside = Tile::new(level, &plan, 0);
    assert_eq!(beside.read(&bytes), Err(CheckpointError::OtherTile));
    let mut taller = plan;
    taller.settings.agent_height_vx += 1;
    assert_eq!(Tile::new(level, &taller, plan.tile_count() / 2).read(&bytes), Err(CheckpointError::OtherTile));
}

#[test]
fn a_warm_tile_is_read_without_allocating() {
    let scene = scene("dungeon").unwrap();
    let mesh = scene.mesh().unwrap();
    let level = Level { mesh: &mesh, terrain: None, volumes: &scene.volumes };
    let plan = TilePlan::new(level, &BakeSettings { tile_size: 48, ..scene.settings }).unwrap();
    let mut tile = Tile::new(level, &plan, plan.tile_count() / 2);
    let bytes = tile.checkpoint(Door::Open);
    tile.read(&bytes).unwrap();
    assert_eq!(measure(|| tile.read(&bytes).unwrap()).count_total, 0);
}
