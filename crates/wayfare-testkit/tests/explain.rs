//! Why a place cannot be walked on: a level for each reason, and the mesh itself as the judge of all scenes.

use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::bake::{ExplainMap, Explanation, Reason, TilePlan, bake_tiles, explain_around, explain_level};
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, Level, MarkedVolume, Marking, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::voxel::{Grid, RasterInput, rasterize};
use wayfare_scenes::scene;
use wayfare_testkit::levels::{GROUNDS, boxes, seeded};
use wayfare_testkit::property;

const FLOOR: [[f32; 3]; 2] = [[0., -1., 0.], [20., 0., 20.]];

fn explain(level: Level<'_>, settings: &BakeSettings, at: [f32; 3]) -> Explanation {
    let plan = TilePlan::new(level, settings).unwrap();
    let whole = explain_level(level, &plan, &Context::default()).unwrap();
    let told = whole.at(at).unwrap();
    let around = explain_around(level, &plan, at, &Context::default()).unwrap();
    if told.reason != Reason::LevelEdge {
        assert_eq!(around.at(at), Some(told), "the tile alone tells the same");
    }
    assert_eq!(ExplainMap::from_bytes(&whole.to_bytes(5)), Ok((whole, 5)));
    told
}

/// The answer for default settings, the same for one tile and for tiles.
fn why(level: &TriMesh, at: [f32; 3]) -> Explanation {
    let told = explain(level.into(), &BakeSettings::default(), at);
    let tiled = explain(level.into(), &BakeSettings { tile_size: 24, ..BakeSettings::default() }, at);
    assert_eq!((told.reason, told.cause), (tiled.reason, tiled.cause), "{told} / {tiled}");
    assert_eq!(told.is_walkable(), told.reason == Reason::Walkable);
    told
}

/// A floor of 20 m, and triangles.
fn with_triangles(extra: &[[[f32; 3]; 3]], area: AreaId) -> TriMesh {
    let floor = boxes(&[FLOOR]);
    let (mut verts, mut tris) = (floor.verts().to_vec(), floor.tris().to_vec());
    let mut areas = vec![AreaId::WALKABLE; tris.len()];
    for corners in extra {
        let first = verts.len() as u32;
        verts.extend(corners.map(Vec3::from));
        tris.push([first, first + 1, first + 2]);
        areas.push(area);
    }
    TriMesh::with_areas(verts, tris, areas).unwrap()
}

#[test]
fn ground_on_the_mesh_is_walkable() {
    let told = why(&boxes(&[FLOOR]), [10., 0., 10.]);
    assert_eq!((told.reason, told.to_string().as_str()), (Reason::Walkable, "walkable"));
}

#[test]
fn outside_and_over_a_hole_there_is_nothing() {
    let islands = boxes(&[[[0., -1., 0.], [6., 0., 6.]], [[10., -1., 0.], [16., 0., 6.]]]);
    assert_eq!(why(&islands, [40., 0., 3.]).reason, Reason::LevelEdge);
    let told = why(&islands, [8., 0., 3.]);
    assert_eq!((told.reason, told.ground), (Reason::Nothing, None));
}

#[test]
fn steep_and_upside_down_ground_is_told_apart() {
    let up = [[5., 1.2, 5.], [5., 1.2, 9.], [9., 1.2, 5.]];
    let walk = AreaId::WALKABLE;
    let steep = [[5., 0., 5.], [5., 0., 15.], [9., 8., 5.]];
    assert_eq!(why(&with_triangles(&[steep], walk), [6.5, 3., 7.]).reason, Reason::Steep);
    assert_eq!(why(&with_triangles(&[[up[0], up[2], up[1]]], walk), [6., 1.2, 6.]).reason, Reason::FacesDown);
    assert_eq!(why(&with_triangles(&[up], AreaId::NULL), [6., 1.2, 6.]).reason, Reason::NotWalkableArea);
    // A thin wall that stands upright is no floor from below.
    let wall = [[5., 0., 5.], [9., 0., 5.], [9., 4., 5.]];
    assert_eq!(why(&with_triangles(&[wall], walk), [8.5, 3.5, 5.01]).reason, Reason::Steep);
}

#[test]
fn a_drop_tells_its_depth_and_an_abyss_has_none() {
    let block = boxes(&[FLOOR, [[6., 0., 6.], [14., 3., 14.]]]);
    let told = why(&block, [6.1, 3., 10.]);
    assert_eq!(told.reason, Reason::Drop);
    assert!((told.metres.unwrap() - 3.0).abs() < 0.21, "{told}");
    assert!(told.to_string().ends_with("and the agent climbs 0.9 m"), "{told}");
    let agent = AgentSettings { max_drop: 2.0, ..AgentSettings::default() };
    let told = explain((&block).into(), &BakeSettings { agent, ..BakeSettings::default() }, [6.1, 3., 10.]);
    assert!(told.to_string().ends_with("and the agent drops by 2.0 m"), "{told}");
    let island = boxes(&[[[0., -1., 0.], [5.9, 0., 6.]], [[20., -1., 0.], [26., 0., 6.]]]);
    let told = why(&island, [5.8, 0., 3.]);
    assert_eq!((told.reason, told.metres), (Reason::Drop, None));
    assert_eq!(told.to_string(), "not walkable: it lies beside an abyss");
}

#[test]
fn steps_too_steep_for_their_neighbours_are_uneven() {
    let mut stairs = vec![FLOOR];
    stairs.extend((0..8).map(|k| {
        let (x, y) = (6.05 + 0.3 * k as f32, 0.8 * (k + 1) as f32);
        [[x, 0., 4.], [x + 0.3, y, 16.]]
    }));
    stairs.push([[8.45, 0., 4.], [16., 6.4, 16.]]);
    let told = why(&boxes(&stairs), [6.75, 2.4, 10.]);
    assert_eq!(told.reason, Reason::Uneven, "{told}");
}

#[test]
fn a_low_ceiling_tells_its_height() {
    let told = why(&boxes(&[FLOOR, [[5., 1.4, 5.], [15., 2., 15.]]]), [10., 0., 10.]);
    assert_eq!(told.reason, Reason::LowCeiling);
    assert!((told.metres.unwrap() - 1.4).abs() < 0.21);
    assert!(told.to_string().contains("the agent is 2.0 m tall"), "{told}");
}

#[test]
fn eroded_ground_tells_who_eroded_it() {
    let wall = boxes(&[FLOOR, [[10., 0., 0.], [10.6, 3., 20.]]]);
    let told = why(&wall, [9.7, 0., 10.]);
    let (cause, at) = told.cause.unwrap();
    assert_eq!((told.reason, cause), (Reason::Eroded, Reason::Wall));
    assert!((at.x - 9.9).abs() < 0.4 && (at.z - 10.0).abs() < 0.4, "{told}");
    let cause = |level: &TriMesh, at: [f32; 3]| {
        let told = why(level, at);
        assert_eq!(told.reason, Reason::Eroded, "{told}");
        told.cause.unwrap().0
    };
    let block = boxes(&[FLOOR, [[6., 0., 6.], [14., 3., 14.]]]);
    assert_eq!(cause(&block, [6.7, 3., 10.]), Reason::Drop);
    assert_eq!(cause(&block, [0.7, 0., 10.]), Reason::LevelEdge);
    let roof = boxes(&[FLOOR, [[8., 1.4, 0.], [20., 2., 20.]]]);
    assert_eq!(cause(&roof, [7.7, 0., 10.]), Reason::LowCeiling);
    // A floor that goes over into a slope of 50°.
    let v = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let verts = [0., 20.].map(|z| [v(0., 0., z), v(8., 0., z), v(14., 7.15, z)]).concat();
    let slope = TriMesh::new(verts, vec![[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]]).unwrap();
    assert_eq!(why(&slope, [10., 2.4, 10.]).reason, Reason::Steep);
    assert_eq!(cause(&slope, [7.6, 0., 10.]), Reason::Steep);
}

#[test]
fn volumes_and_what_they_erode_are_told() {
    let floor = boxes(&[FLOOR]);
    let shape = Volume::Box(Aabb { min: Vec3::new(8., -1., 8.), max: Vec3::new(12., 1., 12.) });
    for (when, beside) in [(Marking::BeforeErosion, Reason::Eroded), (Marking::AfterErosion, Reason::Walkable)] {
        for erosion in [Erosion::Chamfer, Erosion::Euclidean] {
            let volumes = [MarkedVolume { volume: shape.clone(), area: AreaId::NULL, when }];
            let level = Level { volumes: &volumes, ..Level::from(&floor) };
            let settings = BakeSettings { erosion, ..BakeSettings::default() };
            let at = |x| explain(level, &settings, [x, 0., 10.]);
            assert_eq!(at(10.).reason, Reason::Volume, "{when:?}");
            assert_eq!(at(7.7).reason, beside, "{when:?} {}", at(7.7));
            if beside == Reason::Eroded {
                assert_eq!(at(7.7).cause.unwrap().0, Reason::Volume);
            }
        }
    }
}

#[test]
fn a_small_island_tells_its_size() {
    let told = why(&boxes(&[FLOOR, [[8., 0., 8.], [11., 3., 11.]]]), [9.5, 3., 9.5]);
    assert_eq!(told.reason, Reason::SmallIsland, "{told}");
    assert!((9..64).contains(&told.cells.unwrap()), "{told}");
}

#[test]
fn the_nearest_floor_is_told_of_and_how_far_it_is() {
    let floors = boxes(&[FLOOR, [[0., 4., 0.], [20., 4.3, 20.]], [[9., 4.3, 9.], [11., 6., 11.]]]);
    assert_eq!(why(&floors, [5., 0., 5.]).ground.unwrap().y.round(), 0.0);
    assert!(why(&floors, [5., 2.6, 5.]).ground.unwrap().y > 4.0);
    let high = why(&floors, [5., 8., 5.]);
    assert!(high.is_walkable() && high.to_string().contains("below the point"), "{high}");
}

/// How far below or above a point the mesh has ground, if that is less than a metre.
fn gap_to_mesh(mesh: &NavMesh, p: Vec3) -> f32 {
    let (mut gap, near) = (1.0f32, Aabb::from_center(p, Vec3::new(0.0, 1.0, 0.0)));
    mesh.tiles_in_box(&near, |tile| {
        tile.tree().polys_in_box(&near, |poly, _| {
            gap = tile.data().height_at(poly, p).map_or(gap, |y| gap.min((y - p.y).abs()));
        });
    });
    gap
}

/// Whether the mesh has ground at a point; `None` where one cannot tell: on the very edge of a polygon, and where the
/// ground is too far away to be that of the point and too near to be another floor.
fn on_mesh(mesh: &NavMesh, p: Vec3) -> Option<bool> {
    let steps = [[0.0, 0.0], [0.01, 0.01], [-0.01, 0.01], [0.01, -0.01], [-0.01, -0.01]];
    let gaps = steps.map(|[x, z]| gap_to_mesh(mesh, p + Vec3::new(x, 0.0, z)));
    let (near, far) = (gaps.iter().all(|gap| *gap < 0.15), gaps.iter().all(|gap| *gap >= 1.0));
    (near || far).then_some(near)
}

#[test]
fn the_mesh_agrees_about_every_place() {
    property("the_mesh_agrees_about_every_place", 9, |rng| {
        let scene = scene(&seeded(&GROUNDS, rng)).unwrap();
        let level = scene.mesh().unwrap();
        for tile_size in [0, rng.whole(20, 64) as u32] {
            let settings = BakeSettings { tile_size, ..scene.settings };
            let plan = TilePlan::new(&level, &settings).unwrap();
            let map = explain_level(&level, &plan, &Context::default()).unwrap();
            let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
            let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
            let grid = Grid::of_level(level.bounds(), &plan.settings).unwrap();
            let field = rasterize(&RasterInput::whole(&level, &grid, &plan.settings));
            let (mut asked, mut wrong, mut reasons) = (0, Vec::new(), std::collections::BTreeMap::new());
            for _ in 0..4000 {
                let (x, z) = (rng.whole(0, grid.width as i32 - 1), rng.whole(0, grid.depth as i32 - 1));
                let column = field.column(grid.index(x as u32, z as u32));
                let Some(span) = column.clone().nth(rng.whole(0, 2) as usize) else { continue };
                // A mesh follows its ground to a cell: it does not tell which of two surfaces so close together is
                // meant.
                if column.clone().any(|other| other != span && field.max[other].abs_diff(field.max[span]) <= 2) {
                    continue;
                }
                let half = Vec3::new(grid.cell_size * 0.5, 0.0, grid.cell_size * 0.5);
                let p = grid.world(x, i32::from(field.max[span]), z) + half;
                let told = map.at(p).unwrap();
                *reasons.entry(told.reason).or_insert(0) += 1;
                asked += 1;
                if on_mesh(&mesh, p).is_some_and(|is| told.is_walkable() != is) {
                    wrong.push((p, told.reason));
                }
            }
            println!("{} tiles of {tile_size}: {asked} asked, {} wrong, {reasons:?}", scene.spec, wrong.len());
            assert!(wrong.len() <= 1 + asked / 1000, "{} tiles of {tile_size}: {wrong:?}", scene.spec);
        }
    });
}
