//! The bake of a large level as one tile could be stopped between its stages only, and told how far it had come when it
//! was done: a loading screen stood still for seconds, and its "cancel" did nothing.

use std::sync::Mutex;
use wayfare::Vec3;
use wayfare::bake::{BakeError, bake_tiles};
use wayfare::context::{Cancel, Context, Progress};
use wayfare::input::{BakeSettings, TriMesh};

/// Rough ground, so that every stage has much to do.
fn rough_ground(side: u32) -> TriMesh {
    let height = |x: u32, z: u32| ((x * 7919 + z * 104_729) % 97) as f32 * 0.004;
    let corner = |i: u32| Vec3::new((i % side) as f32, height(i % side, i / side), (i / side) as f32);
    let cells = (0..side * (side - 1)).filter(|i| i % side + 1 < side && i % 11 != 3);
    let tris = cells.flat_map(|i| [[i, i + side, i + side + 1], [i, i + side + 1, i + 1]]).collect();
    TriMesh::new((0..side * side).map(corner).collect(), tris).unwrap().0
}

#[test]
fn it_tells_how_far_it_is_and_stops_where_it_is_told_to() {
    let (mesh, settings) = (rough_ground(120), BakeSettings::default());
    let told = Mutex::new(Vec::new());
    let note = |now: Progress| told.lock().unwrap().push(now.done);
    let context = Context { progress: Some(&note), ..Context::default() };
    bake_tiles(&mesh, &settings, &context).unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.len() > 20 && told.is_sorted(), "{told:?}");
    for part in 1..10 {
        let cancel = Cancel::new();
        let stop = |now: Progress| {
            if now.done * 10 > now.total * part {
                cancel.cancel();
            }
        };
        let context = Context { progress: Some(&stop), cancel: Some(&cancel), ..Context::default() };
        let stopped = bake_tiles(&mesh, &settings, &context);
        assert!(matches!(stopped, Err(BakeError::Cancelled(_))), "at {part} tenths");
    }
}
