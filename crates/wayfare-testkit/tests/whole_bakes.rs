//! Whole bakes: tiles come out the same in any order and by any baker, their seams agree, a bake can be stopped, says
//! what is wrong, and leaves clock, log and progress to the caller.

use wayfare::Vec3;
use wayfare::bake::{BakeError, BakeReport, Stage, TileBaker, TilePlan, WarningKind, bake_tiles};
use wayfare::context::{Cancel, Context};
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Rng;

/// A floor with boxes and ramps on it, seeded.
fn rough_ground(seed: u64) -> TriMesh {
    let mut rng = Rng::new(seed);
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    let mut quad = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| {
        let first = verts.len() as u32;
        verts.extend([a, b, c, d]);
        tris.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let side = 30.0;
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    quad(corner(0.0, 0.0), corner(0.0, side), corner(side, side), corner(side, 0.0));
    for _ in 0..25 {
        let (x, z) = (rng.unit() * side * 0.9, rng.unit() * side * 0.9);
        let (w, d, h) = (1.0 + rng.unit() * 4.0, 1.0 + rng.unit() * 4.0, rng.unit() * 3.0);
        let lift = if rng.below(2) == 0 { h } else { 0.0 };
        let at = |dx: f32, y: f32, dz: f32| Vec3::new((x + dx).min(side), y, (z + dz).min(side));
        quad(at(0.0, lift, 0.0), at(0.0, lift, d), at(w, h, d), at(w, h, 0.0));
    }
    TriMesh::new(verts, tris).unwrap()
}

fn settings(tile_size: u32) -> BakeSettings {
    BakeSettings { tile_size, ..BakeSettings::default() }
}

#[test]
fn tiles_do_not_depend_on_order_or_on_what_was_baked_before() {
    for seed in 0..8 {
        let mesh = rough_ground(seed);
        let plan = TilePlan::new(&mesh, &settings(24)).unwrap();
        let (baked, _) = bake_tiles(&mesh, &settings(24), &Context::default()).unwrap();
        let mut baker = TileBaker::new(plan.level, plan.settings);
        let mut report = BakeReport::new(mesh.bounds());
        let mut backwards = Vec::new();
        for index in (0..plan.tile_count()).rev() {
            let tile = plan.tile(index);
            // All triangles, where the one call passes only those that touch the tile.
            backwards.extend(baker.bake(&mesh, None, &tile, &Context::default(), &mut report).unwrap());
        }
        backwards.reverse();
        assert_eq!(baked.tiles, backwards, "seed {seed}");
        assert!(!baked.tiles.is_empty());
    }
}

#[test]
fn seams_agree_from_both_sides() {
    for seed in 0..8 {
        let mesh = rough_ground(seed);
        // Islands below the least size end where the tile sees them end; none may be taken away here.
        let keep_all = BakeSettings { region_min_size: 0, ..settings(24) };
        let (baked, _) = bake_tiles(&mesh, &keep_all, &Context::default()).unwrap();
        let mut steps = Vec::new();
        for tile in &baked.tiles {
            for seam in &tile.seams() {
                let side = tile.neighbours()[seam.edge as usize].as_border().unwrap();
                let (dx, dz) = side.step();
                let (from, to) = ([tile.coord().x, tile.coord().z], [tile.coord().x + dx, tile.coord().z + dz]);
                steps.push((from, to, seam.cell, seam.here, seam.there));
            }
        }
        assert!(!steps.is_empty(), "seed {seed}");
        let back = |&(from, to, cell, here, there): &([i32; 2], [i32; 2], i32, u16, u16)| (to, from, cell, there, here);
        let lonely: Vec<_> = steps.iter().filter(|step| !steps.contains(&back(step))).collect();
        assert!(lonely.is_empty(), "seed {seed}: {} of {} have no counterpart: {lonely:?}", lonely.len(), steps.len());
    }
}

#[test]
fn tiles_cover_what_one_tile_covers() {
    for seed in 0..8 {
        let mesh = rough_ground(seed);
        let area = |size| bake_tiles(&mesh, &settings(size), &Context::default()).unwrap().1.stats.poly_area;
        let (whole, tiled) = (area(0), area(32));
        assert!((tiled / whole - 1.0).abs() < 0.03, "seed {seed}: {tiled} against {whole}");
    }
}

#[test]
fn a_bake_can_be_stopped_and_reports_progress() {
    let mesh = rough_ground(1);
    let cancel = Cancel::new();
    let stop = |p: wayfare::context::Progress| {
        assert!(p.done <= p.total);
        if p.done > p.total / 4 {
            cancel.cancel();
        }
    };
    let context = Context { progress: Some(&stop), cancel: Some(&cancel), ..Context::default() };
    assert!(matches!(bake_tiles(&mesh, &settings(16), &context), Err(BakeError::Cancelled(_))));
}

#[test]
fn what_does_not_fit_is_an_error_that_names_it() {
    let wide =
        TriMesh::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 1e6), Vec3::new(1e6, 0.0, 0.0)], vec![[0, 1, 2]]).unwrap();
    let fine = BakeSettings { cell_size: 0.001, ..BakeSettings::default() };
    assert!(matches!(bake_tiles(&wide, &fine, &Context::default()), Err(BakeError::Grid(_))));
    let negative = BakeSettings { cell_height: -1.0, ..BakeSettings::default() };
    assert!(matches!(bake_tiles(&wide, &negative, &Context::default()), Err(BakeError::Settings(_))));
}

#[test]
fn a_mesh_without_ground_is_warned_of() {
    // Wound the other way round, the floor faces down.
    let corners = [Vec3::ZERO, Vec3::new(9.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 9.0)];
    let floor = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
    for tile_size in [0, 16] {
        let (baked, report) = bake_tiles(&floor, &settings(tile_size), &Context::default()).unwrap();
        assert!(baked.tiles.is_empty());
        assert_eq!(report.warnings.last().map(|w| w.kind), Some(WarningKind::NothingWalkable));
    }
}

/// A log that keeps what it is told, and a clock that goes on by a millisecond whenever it is looked at.
#[derive(Default)]
struct Desk {
    lines: std::sync::Mutex<Vec<String>>,
    looks: std::sync::atomic::AtomicU64,
}

impl wayfare::context::Log for Desk {
    fn log(&self, message: core::fmt::Arguments<'_>) {
        self.lines.lock().unwrap().push(message.to_string());
    }
}

impl wayfare::context::Clock for Desk {
    fn now(&self) -> core::time::Duration {
        let looks = self.looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        core::time::Duration::from_millis(looks)
    }
}

#[test]
fn clock_log_and_progress_are_the_callers_and_change_nothing() {
    let mesh = rough_ground(3);
    let (plain, report) = bake_tiles(&mesh, &settings(24), &Context::default()).unwrap();
    let (desk, most) = (Desk::default(), std::sync::Mutex::new(None));
    let progress = |p: wayfare::context::Progress| {
        let mut most = most.lock().unwrap();
        *most = most.max(Some((p.done, p.total)));
        assert!(p.done <= p.total);
    };
    let context = Context { clock: Some(&desk), log: Some(&desk), progress: Some(&progress), ..Context::default() };
    let (told, timed) = bake_tiles(&mesh, &settings(24), &context).unwrap();
    assert!(plain == told && report.stats == timed.stats && report.warnings == timed.warnings);
    let tiles = u64::from(report.stats.tiles);
    let (done, total) = most.into_inner().unwrap().unwrap();
    assert_eq!(done, total);
    for stage in Stage::ALL {
        assert_eq!(report.times.get(stage), core::time::Duration::ZERO);
        assert!(!timed.times.get(stage).is_zero(), "{}", stage.name());
    }
    let lines = desk.lines.into_inner().unwrap();
    assert!(lines[0].starts_with("baking ") && lines[0].ends_with("agents: 1"), "{lines:?}");
    assert!(lines.last().unwrap().contains(&format!("polygons in {tiles} tiles")), "{lines:?}");
}
