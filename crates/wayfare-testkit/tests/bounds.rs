//! A box that is baked whatever the level's own: `BakeSettings::bounds`.

use wayfare::Vec3;
use wayfare::bake::{BakedTiles, EmptyBake, TilePlan, WarningKind, bake_planned, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::tile::TileData;

/// Level squares, each from a low corner to a high one.
fn floors(squares: &[[[f32; 3]; 2]]) -> TriMesh {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for &[[x, y, z], [right, _, far]] in squares {
        let base = verts.len() as u32;
        verts.extend([[x, y, z], [x, y, far], [right, y, far], [right, y, z]].map(Vec3::from));
        tris.extend([[0, 1, 2], [0, 2, 3]].map(|tri| tri.map(|corner| base + corner)));
    }
    TriMesh::new(verts, tris).unwrap()
}

fn settings(tile_size: u32, bounds: [[f32; 3]; 2]) -> BakeSettings {
    let [min, max] = bounds.map(Vec3::from);
    BakeSettings { tile_size, bounds: Some(Aabb { min, max }), ..BakeSettings::default() }
}

fn bake(level: &TriMesh, settings: &BakeSettings) -> BakedTiles {
    bake_tiles(level, settings, &Context::default()).unwrap().0
}

fn extent(tiles: &[TileData]) -> Aabb {
    Aabb::around(tiles.iter().flat_map(|tile| tile.verts().iter().copied()))
}

#[test]
fn ground_outside_is_left_out_tiled_or_not() {
    let floor = floors(&[[[-30.0, 0.0, -30.0], [30.0, 0.0, 30.0]]]);
    let radius = BakeSettings::default().agent.radius;
    for tile_size in [0, 16] {
        let settings = settings(tile_size, [[-12.0, -1.0, -6.0], [12.0, 3.0, 9.0]]);
        let (baked, report) = bake_tiles(&floor, &settings, &Context::default()).unwrap();
        let ground = extent(&baked.tiles);
        let open = Aabb { min: Vec3::new(-12.0, 0.0, -6.0), max: Vec3::new(12.0, 0.0, 9.0) };
        // As at any edge of a level: a cell beside the void, and the radius.
        let rim = Vec3::new(radius, 0.0, radius) + settings.cell_size;
        assert!((ground.min - open.min - rim).with_y(0.0).length() < 1e-3, "{ground:?}");
        assert!((ground.max - open.max + rim).with_y(0.0).length() < 1e-3, "{ground:?}");
        assert_eq!(report.stats.tris_outside, 2);
        assert_eq!(report.warnings, [], "left out on purpose");
    }
}

#[test]
fn ground_below_is_left_out_and_ground_above_is_kept() {
    let storeys = floors(&[-4.0, 0.0, 4.0, 40.0].map(|y| [[0.0, y, 0.0], [9.0, y, 9.0]]));
    let baked = bake(&storeys, &settings(0, [[0.0, -1.0, 0.0], [9.0, 5.0, 9.0]]));
    let ground = extent(&baked.tiles);
    assert!(ground.min.y > -0.5 && ground.max.y > 39.5, "{ground:?}");
}

/// Tiles stay what they were wherever else is built, where the level's own box would have moved them.
#[test]
fn tiles_of_a_growing_world_stay() {
    let hall = [[0.0, 0.0, 0.0], [20.0, 0.0, 20.0]];
    let before = floors(&[hall]);
    // A cellar and a shed beyond the low corner.
    let after = floors(&[hall, [[-29.1, 0.0, -27.3], [-22.0, 0.0, -20.0]], [[40.0, -3.0, 0.0], [48.0, -3.0, 9.0]]]);
    let world = settings(32, [[-64.0, -16.0, -64.0], [64.0, 16.0, 64.0]]);
    let [few, many] = [&before, &after].map(|level| bake(level, &world));
    assert_eq!(few.layout, many.layout);
    assert!(few.tiles.iter().all(|tile| many.tiles.contains(tile)));
    assert!(many.tiles.len() > few.tiles.len());
    let own = BakeSettings { bounds: None, ..world };
    assert!(bake(&before, &own).layout != bake(&after, &own).layout);
}

#[test]
fn ground_beyond_an_old_plan_is_told() {
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let before = floors(&[[[0.0, 0.0, 0.0], [20.0, 0.0, 20.0]]]);
    let plan = TilePlan::new(&before, &settings).unwrap();
    let after = floors(&[[[0.0, 0.0, 0.0], [20.0, 0.0, 20.0]], [[21.0, 0.0, 0.0], [29.0, 0.0, 9.0]]]);
    let mut report = plan.report(&(&after).into(), &settings);
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert_eq!((warning.kind, warning.count), (WarningKind::GroundOutside, 2));
    assert!(warning.first_place().unwrap().x > 20.0);
    let mut tiles = Vec::new();
    bake_planned(&after, &plan, &Context::default(), &mut report, &mut |tile| tiles.push(tile)).unwrap();
    assert!(extent(&tiles).max.x < 20.5);
}

#[test]
fn no_ground_within_is_the_reason_of_an_empty_bake() {
    let floor = floors(&[[[0.0, 0.0, 0.0], [20.0, 0.0, 20.0]]]);
    let elsewhere = settings(0, [[50.0, -1.0, 50.0], [70.0, 3.0, 70.0]]);
    assert_eq!(bake(&floor, &elsewhere).tiles, []);
    assert!(matches!(EmptyBake::of(&floor, &elsewhere), EmptyBake::OutOfBounds { .. }));
}

#[test]
fn corners_far_beyond_do_no_harm() {
    let far = floors(&[[[-1e30, 0.0, -1e30], [1e30, 0.0, 1e30]], [[2.0, 1e30, 2.0], [5.0, 1e30, 5.0]]]);
    for tile_size in [0, 32] {
        let ground = extent(&bake(&far, &settings(tile_size, [[0.0, -1.0, 0.0], [30.0, 3.0, 30.0]])).tiles);
        assert!(ground.min.x < 1.0 && ground.max.x > 29.0 && ground.min.y.abs() < 0.5, "{tile_size}: {ground:?}");
    }
}

#[test]
fn boxes_without_sense_are_refused() {
    let floor = floors(&[[[0.0, 0.0, 0.0], [20.0, 0.0, 20.0]]]);
    for (bounds, told) in [
        ([[f32::NAN, 0.0, 0.0], [1.0; 3]], "bounds.min.x is NaN, but must be a finite number"),
        ([[0.0; 3], [1.0, f32::INFINITY, 1.0]], "bounds.max.y is inf, but must be a finite number"),
        (
            [[0.0, 0.0, 5.0], [1.0; 3]],
            "bounds.max.z is 1, but must be a finite number, not below that of the low corner",
        ),
    ] {
        let error = TilePlan::new(&floor, &settings(0, bounds)).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}
