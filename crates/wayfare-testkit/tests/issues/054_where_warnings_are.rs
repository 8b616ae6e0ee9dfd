//! A bake that warned of forty volumes beside the level named the place of one: who mended it learnt of the next in the
//! next bake.

use wayfare::Vec3;
use wayfare::bake::{WarningKind, bake_tiles};
use wayfare::context::Context;
use wayfare::debug::{ShapeKind, ShapeList, draw_warnings};
use wayfare::input::{BakeSettings, Level, MarkedVolume, TriMesh, Volume};

#[test]
fn every_place_is_named_and_drawn() {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]].map(Vec3::from);
    let mesh = TriMesh::new(floor.to_vec(), vec![[0, 1, 2]]).unwrap();
    let place = |k: u32| Vec3::new(50.0 + k as f32, 0.0, 0.0);
    let beside = |k| MarkedVolume::block(Volume::Cylinder { base: place(k), radius: 0.2, height: 2.0 });
    let volumes: Vec<_> = (0..40).map(beside).collect();
    let level = Level { mesh: &mesh, terrain: None, volumes: &volumes };
    let (_, report) = bake_tiles(level, &BakeSettings::default(), &Context::default()).unwrap();
    let outside = report.warnings.iter().find(|warning| warning.kind == WarningKind::VolumeOutside).unwrap();
    assert_eq!((outside.count, outside.places.len()), (40, 40));
    assert!((0..40).all(|k| (outside.places[k as usize] - place(k) - Vec3::Y).length() < 1e-4));
    let mut drawn = ShapeList::new();
    draw_warnings(&report, &mut drawn);
    assert_eq!(drawn.shapes().iter().filter(|shape| shape.kind == ShapeKind::Point).count(), 40);
    assert_eq!(drawn.labels()[39], "volume-outside");
}
