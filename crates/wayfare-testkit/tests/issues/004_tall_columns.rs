//! In a tower of more than 255 floors, the floors above began again from the bottom: the number of spans in a column
//! wrapped.

use super::{bake, floors, ground_at};
use wayfare::Vec3;
use wayfare::input::BakeSettings;

#[test]
fn a_column_holds_more_than_255_floors() {
    const FLOORS: u16 = 600;
    let floor = |k: u16| 2.4 * f32::from(k);
    let tower = floors(&(0..FLOORS).map(|k| ([0.0, 6.0], [0.0, 6.0], floor(k))).collect::<Vec<_>>());
    let (mesh, _) = bake(&tower, &BakeSettings::default());
    for k in 0..FLOORS {
        let found = ground_at(&mesh, Vec3::new(3.0, floor(k), 3.0), 0.5);
        assert!(found.is_some_and(|(_, y)| (y - floor(k)).abs() < 0.21), "floor {k}: {found:?}");
    }
}
