//! Baking only what changed, several agents at once, and tile by tile into a stream: always the bytes of baking it
//! plainly.

use wayfare::area::AreaId;
use wayfare::bake::{
    BakeError, BakeReport, BakedTiles, TileBaker, TilePlan, TileSink, bake_agents, bake_agents_planned, bake_tiles,
    tile_keys,
};
use wayfare::context::{Cancel, Cancelled, Context};
use wayfare::format::{WayEnd, WayFile, WayStream};
use wayfare::input::{
    AgentSettings, BakeSettings, Erosion, HeightMap, HeightScale, Level, MarkedVolume, Partition, TriMesh, Volume,
};
use wayfare::math::Aabb;
use wayfare::mesh::{BakeCache, NavMesh};
use wayfare::tile::{TileCoord, TileData, TileKeys};
use wayfare::{Vec2, Vec3};
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::property;

/// Takes tiles over from a mesh where their keys are the same.
struct OnlyChanged<'a> {
    old: &'a BakeCache,
    keys: &'a TileKeys,
    tiles: Vec<TileData>,
}

impl TileSink for OnlyChanged<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        Some(self.old.unchanged_tile(coord, self.keys.get(coord)?)?.cloned())
    }

    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.tiles.extend(tile);
        Ok(())
    }
}

fn plainly(level: Level<'_>, settings: &BakeSettings) -> WayFile {
    let plan = TilePlan::new(level, settings).unwrap();
    let (baked, _) = bake_tiles(level, settings, &Context::default()).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    WayFile::new(mesh, tile_keys(level, &plan))
}

fn again(level: Level<'_>, settings: &BakeSettings, old: &WayFile) -> (WayFile, BakeReport) {
    let plan = TilePlan::new(level, settings).unwrap();
    let keys = tile_keys(level, &plan);
    let mut report = plan.report(&level, settings);
    let mut sink = OnlyChanged { old: &old.cache, keys: &keys, tiles: Vec::new() };
    let reports = core::slice::from_mut(&mut report);
    bake_agents_planned(level, &[plan], &Context::default(), reports, &mut [&mut sink]).unwrap();
    let mesh = NavMesh::from_tiles(plan.layout(), sink.tiles).unwrap();
    (WayFile::new(mesh, keys), report)
}

/// A level that can be changed in places.
#[derive(Clone)]
struct Land {
    verts: Vec<Vec3>,
    tris: Vec<[u32; 3]>,
    areas: Vec<AreaId>,
    volumes: Vec<MarkedVolume>,
    heights: Vec<u16>,
    settings: BakeSettings,
}

impl Land {
    fn new(rng: &mut Rng) -> Self {
        let scene = scene(&format!("city?blocks=1&seed={}", rng.whole(0, 99))).unwrap();
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][rng.whole(0, 2) as usize];
        let settings = BakeSettings { partition, tile_size: rng.whole(20, 60) as u32, ..scene.settings };
        let heights = (0..60 * 60).map(|_| rng.whole(0, 3) as u16).collect();
        Self { verts: scene.verts, tris: scene.tris, areas: scene.areas, volumes: Vec::new(), heights, settings }
    }

    fn with<T>(&self, f: impl FnOnce(Level<'_>, &BakeSettings) -> T) -> T {
        let mesh = TriMesh::with_areas(self.verts.clone(), self.tris.clone(), self.areas.clone()).unwrap();
        let origin = Vec3::new(mesh.bounds().min.x + 3.0, mesh.bounds().min.y, mesh.bounds().min.z + 3.0);
        let scale = HeightScale { origin, spacing: 0.5, step: 0.1 };
        let terrain = HeightMap::new(60, 60, self.heights.clone(), scale).unwrap();
        let level = Level { terrain: Some(&terrain), volumes: &self.volumes, ..Level::from(&mesh) };
        f(level, &self.settings)
    }

    /// Changes something small; the level's bounds stay.
    fn change(&mut self, rng: &mut Rng) {
        let at = self.verts[rng.whole(0, self.verts.len() as i32 - 1) as usize];
        match rng.whole(0, 4) {
            0 => {
                let k = rng.whole(0, self.tris.len() as i32 - 1) as usize;
                self.areas[k] = AreaId::from_low_bits(rng.whole(0, 63) as u8);
            }
            1 => {
                // A new triangle inside the level.
                let first = self.verts.len() as u32;
                let middle = self.verts.iter().fold(Vec3::ZERO, |sum, &v| sum + v) / self.verts.len() as f32;
                let p = at.lerp(middle, 0.3);
                self.verts.extend([p, p.lerp(middle, 0.2) + Vec3::Y * 0.01, p + (middle - p) * 0.1]);
                self.verts[first as usize + 2].x += 0.5;
                self.tris.push([first, first + 1, first + 2]);
                self.areas.push(AreaId::WALKABLE);
            }
            2 => self.heights[rng.whole(0, 3599) as usize] = rng.whole(0, 9) as u16,
            3 => {
                let base = Vec3::new(at.x, at.y - 2.0, at.z);
                let well = Volume::Cylinder { base, radius: rng.real(0.5, 3.0), height: 4.0 };
                self.volumes.push(MarkedVolume::block(well));
            }
            _ => {
                let corner = |rng: &mut Rng| Vec2::new(at.x + rng.real(-4.0, 4.0), at.z + rng.real(-4.0, 4.0));
                let points = [corner(rng), corner(rng), corner(rng), corner(rng)];
                let mud = Volume::convex_prism(&points, [at.y - 3.0, at.y + 3.0]);
                self.volumes.push(MarkedVolume::paint(mud, AreaId::from_low_bits(rng.whole(1, 62) as u8)));
            }
        }
    }
}

#[test]
fn only_what_changed_is_baked_and_the_bytes_are_those_of_a_full_bake() {
    property("only_what_changed_is_baked_and_the_bytes_are_those_of_a_full_bake", 10, |rng| {
        let mut land = Land::new(rng);
        let old = land.with(plainly);
        let (same, report) = land.with(|level, settings| again(level, settings, &old));
        assert!(same.to_bytes() == old.to_bytes());
        assert_eq!(report.stats.reused_tiles, report.stats.tiles, "nothing changed, nothing is baked");
        for _ in 0..rng.whole(1, 3) {
            land.change(rng);
        }
        let (changed, report) = land.with(|level, settings| again(level, settings, &old));
        let full = land.with(plainly);
        assert!(changed.to_bytes() == full.to_bytes(), "{report:?}");
        let stats = land.with(|level, settings| bake_tiles(level, settings, &Context::default()).unwrap().1.stats);
        assert_eq!((report.stats.polys, report.stats.empty_tiles), (stats.polys, stats.empty_tiles));
        assert_eq!((report.stats.detail_verts, report.stats.detail_tris), (stats.detail_verts, stats.detail_tris));
        assert!((report.stats.poly_area - stats.poly_area).abs() < 0.01);
        // Another setting bakes everything.
        land.settings.edge_max_error += 0.1;
        let (_, report) = land.with(|level, settings| again(level, settings, &changed));
        assert_eq!(report.stats.reused_tiles, 0);
    });
}

#[test]
fn a_change_in_one_place_leaves_the_other_tiles_alone() {
    let scene = scene("terrain?size=100").unwrap();
    let mesh = scene.mesh().unwrap();
    let settings = BakeSettings { tile_size: 32, ..scene.settings };
    let old = plainly(Level::from(&mesh), &settings);
    let pond = Volume::Cylinder { base: Vec3::new(1.0, -50.0, 1.0), radius: 2.0, height: 100.0 };
    let volumes = [MarkedVolume::paint(pond, AreaId::from_low_bits(1))];
    let level = Level { volumes: &volumes, ..Level::from(&mesh) };
    let (new, report) = again(level, &settings, &old);
    let baked = report.stats.tiles - report.stats.reused_tiles;
    assert!((1..=4).contains(&baked), "{baked} of {} tiles", report.stats.tiles);
    assert!(new.to_bytes() == plainly(level, &settings).to_bytes());
    // The state of polygons is no part of how they were baked.
    let mut edited = old.clone();
    let poly = edited.mesh.tiles().next().unwrap().reference(0);
    edited.mesh.set_flags(poly, wayfare::area::PolyFlags(8)).unwrap();
    let (undone, report) = again(Level::from(&mesh), &settings, &edited);
    assert_eq!(report.stats.tiles, report.stats.reused_tiles);
    assert!(undone.to_bytes() == old.to_bytes());
}

#[test]
fn all_tiles_that_differ_are_among_those_that_the_change_touches() {
    property("all_tiles_that_differ_are_among_those_that_the_change_touches", 10, |rng| {
        let mut land = Land::new(rng);
        let bake = |level: Level<'_>, settings: &BakeSettings| {
            (TilePlan::new(level, settings).unwrap(), bake_tiles(level, settings, &Context::default()).unwrap().0.tiles)
        };
        let (plan, before) = land.with(bake);
        let at = land.verts[rng.whole(0, land.verts.len() as i32 - 1) as usize];
        let middle = land.verts.iter().fold(Vec3::ZERO, |sum, &v| sum + v) / land.verts.len() as f32;
        let wall = [0.1, 0.2, 0.3].map(|t| at.lerp(middle, t) + Vec3::Y * rng.real(0.0, 2.0));
        let first = land.verts.len() as u32;
        land.verts.extend(wall);
        land.tris.push([first, first + 1, first + 2]);
        land.areas.push(AreaId::WALKABLE);
        let (same_plan, after) = land.with(bake);
        assert_eq!(plan, same_plan, "the level's bounds stay");
        let touched: Vec<_> = plan.tiles_touched(&Aabb::around(wall)).map(|index| plan.tile(index).coord).collect();
        assert!(touched.len() < plan.tile_count() as usize && touched.is_sorted_by_key(|c| (c.z, c.x)));
        let tile = |tiles: &[TileData], coord| tiles.iter().find(|tile| tile.coord() == coord).cloned();
        for coord in (0..plan.tile_count()).map(|index| plan.tile(index).coord).filter(|coord| !touched.contains(coord))
        {
            assert!(tile(&before, coord) == tile(&after, coord), "{coord:?} differs, not among {touched:?}");
        }
        let beyond = Aabb { min: plan.level.origin - Vec3::splat(1e6), max: plan.level.origin - Vec3::splat(1e5) };
        assert_eq!(plan.tiles_touched(&beyond).count() + plan.tiles_touched(&Aabb::EMPTY).count(), 0);
    });
}

#[test]
fn tiles_that_lie_elsewhere_are_refused() {
    let level = scene("flat?size=20").unwrap().mesh().unwrap();
    let bounds = level.bounds();
    let settings = BakeSettings { tile_size: 16, bounds: Some(bounds), ..BakeSettings::default() };
    let layout = TilePlan::new(&level, &settings).unwrap().layout();
    let of = |settings: &BakeSettings| TilePlan::new(&level, settings).unwrap().check_layout(layout);
    // A larger world has more tiles, which lie as before.
    let larger = Aabb { max: bounds.max + Vec3::splat(30.0), ..bounds };
    assert_eq!(of(&BakeSettings { bounds: Some(larger), ..settings }), Ok(()));
    let moved = Aabb { min: bounds.min - Vec3::X, ..bounds };
    assert_eq!(of(&BakeSettings { bounds: Some(moved), ..settings }), Err(BakeError::OtherLayout));
    assert_eq!(of(&BakeSettings { tile_size: 32, ..settings }), Err(BakeError::OtherLayout));
    assert_eq!(of(&BakeSettings { cell_size: 0.2, ..settings }), Err(BakeError::OtherLayout));
}

#[test]
fn tiles_and_triangles_that_are_not_there_are_told() {
    let level = scene("flat?size=20").unwrap().mesh().unwrap();
    let plan = TilePlan::new(&level, &BakeSettings { tile_size: 16, ..BakeSettings::default() }).unwrap();
    let mut report = BakeReport::new(level.bounds());
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut bake = |triangles: Option<&[u32]>, tile| {
        baker.bake(&level, triangles, &plan.tile(tile), &Context::default(), &mut report)
    };
    let count = level.tris().len();
    let missing = bake(Some(&[0, count as u32]), 0);
    assert!(
        matches!(missing, Err(BakeError::NoSuchTriangle { index, count: c }) if index as usize == count && c == count)
    );
    assert!(bake(Some(&[0, 1]), 0).unwrap().is_some());
    for beyond in [plan.tile_count(), u64::from(u32::MAX) + 1, u64::MAX] {
        assert_eq!((plan.tile(beyond).grid.depth, bake(None, beyond).ok().flatten()), (0, None), "{beyond}");
    }
}

fn agents() -> Vec<AgentSettings> {
    let human = AgentSettings::default();
    vec![
        human,
        AgentSettings { radius: 1.5, height: 3.0, ..human },
        AgentSettings { radius: 0.2, height: 0.6, max_climb: 0.3, ..human },
        AgentSettings { radius: 0.0, ..human },
        AgentSettings { max_slope: 0.3, ..human },
        AgentSettings { radius: 0.4, max_slope: 0.3, max_drop: 3.0, ..human },
    ]
}

#[test]
fn agents_baked_together_are_those_baked_alone() {
    for (spec, tile_size) in [("river", 0), ("river", 40), ("dungeon?size=120", 64), ("two_floors", 24)] {
        let scene = scene(spec).unwrap();
        let mesh = scene.mesh().unwrap();
        let level = Level { volumes: &scene.volumes, ..Level::from(&mesh) };
        let mut all: Vec<_> =
            agents().into_iter().map(|agent| BakeSettings { agent, tile_size, ..scene.settings }).collect();
        all[1].partition = Partition::Monotone;
        all[3].erosion = Erosion::Euclidean;
        all[5].edge_max_error = 0.7;
        let together = bake_agents(level, &all, &Context::default()).unwrap();
        assert_eq!(together.len(), all.len());
        for (settings, (baked, report)) in all.iter().zip(together) {
            let (alone, alone_report) = bake_tiles(level, settings, &Context::default()).unwrap();
            assert!(baked == alone, "{spec}, {:?}", settings.agent);
            assert_eq!((report.stats, report.warnings), (alone_report.stats, alone_report.warnings));
        }
    }
}

#[test]
fn agents_of_different_grids_are_refused() {
    let scene = scene("flat").unwrap();
    let mesh = scene.mesh().unwrap();
    let differs = |other: BakeSettings| {
        let outcome = bake_agents(&mesh, &[scene.settings, other], &Context::default());
        let Err(BakeError::AgentsDiffer { name }) = outcome else { panic!("{outcome:?}") };
        name
    };
    assert_eq!(differs(BakeSettings { cell_size: 0.2, ..scene.settings }), "cell_size");
    assert_eq!(differs(BakeSettings { cell_height: 0.1, ..scene.settings }), "cell_height");
    assert_eq!(differs(BakeSettings { tile_size: 64, ..scene.settings }), "tile_size");
    assert!(bake_agents(&mesh, &[], &Context::default()).unwrap().is_empty());
}

/// Writes tiles as they come, and stops after some.
struct Writing {
    stream: Option<WayStream>,
    file: Vec<u8>,
    left: u32,
}

impl TileSink for Writing {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.left = self.left.checked_sub(1).ok_or(Cancelled)?;
        if let (Some(stream), Some(tile)) = (&mut self.stream, tile) {
            stream.tile(&tile, &mut self.file).map_err(|_| Cancelled)?;
        }
        Ok(())
    }
}

#[test]
fn a_bake_into_a_stream_gives_the_bytes_of_the_mesh() {
    let scene = scene("dungeon?size=120").unwrap();
    let mesh = scene.mesh().unwrap();
    let settings = BakeSettings { tile_size: 48, ..scene.settings };
    let plan = TilePlan::new(&mesh, &settings).unwrap();
    let write = |left: u32, context: &Context<'_>| {
        let mut file = Vec::new();
        let stream = Some(WayStream::new(plan.layout(), 0, &mut file));
        let mut writing = Writing { stream, file, left };
        let mut reports = [plan.report(&Level::from(&mesh), &settings)];
        let outcome = bake_agents_planned(&mesh, &[plan], context, &mut reports, &mut [&mut writing]);
        if let (Ok(()), Some(stream)) = (&outcome, writing.stream.take()) {
            stream.finish(WayEnd::default(), &mut writing.file).unwrap();
        }
        (outcome, writing.file, reports[0].clone())
    };
    let (outcome, file, report) = write(u32::MAX, &Context::default());
    outcome.unwrap();
    let (BakedTiles { layout, tiles }, plain) = bake_tiles(&mesh, &settings, &Context::default()).unwrap();
    assert!(file == NavMesh::from_tiles(layout, tiles).unwrap().to_bytes());
    assert_eq!(report.stats, plain.stats);
    // Whoever takes the tiles can end the bake, and so can who asked for it.
    assert!(matches!(write(3, &Context::default()).0, Err(BakeError::Cancelled(_))));
    let cancel = Cancel::new();
    let progress = |p: wayfare::context::Progress| {
        if p.done > p.total / 3 {
            cancel.cancel();
        }
    };
    let context = Context { cancel: Some(&cancel), progress: Some(&progress), ..Context::default() };
    let (outcome, file, _) = write(u32::MAX, &context);
    assert!(matches!(outcome, Err(BakeError::Cancelled(_))));
    assert!(NavMesh::from_bytes(&file).is_err(), "a stream without its end is no mesh");
}
