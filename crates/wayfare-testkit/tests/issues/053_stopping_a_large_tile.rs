//! The bake of a large level as one tile could be stopped between its stages only, and told how far it had come when it
//! was done: a loading screen stood still for seconds, and its "cancel" did nothing.

use std::sync::Mutex;
use wayfare::bake::{BakeError, bake_tiles};
use wayfare::context::{Cancel, Context, Progress};
use wayfare::input::BakeSettings;
use wayfare_testkit::levels::rough_ground;

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
