//! In a level of more than 8,191 cell heights, what lay higher was squeezed to one height or sank through the floor:
//! heights had 13 bits, and nobody said so.

use super::{bake, floors, ground_at};
use wayfare::Vec3;
use wayfare::bake::{BakeError, bake_tiles};
use wayfare::context::Context;
use wayfare::input::BakeSettings;
use wayfare::voxel::GridError;

#[test]
fn ground_two_kilometres_up_is_where_it_is() {
    let heights = [0.0, 1636.0, 1640.0, 2000.0, 13_000.0];
    let world = floors(&heights.map(|y| ([0.0, 9.0], [0.0, 9.0], y)));
    let (mesh, _) = bake(&world, &BakeSettings::default());
    for y in heights {
        let found = ground_at(&mesh, Vec3::new(4.5, y, 4.5), 0.4);
        assert!(found.is_some(), "{y} m: {found:?}");
    }
}

#[test]
fn what_16_bits_cannot_hold_is_an_error_that_names_the_limit() {
    let world = floors(&[([0.0, 9.0], [0.0, 9.0], 0.0), ([0.0, 9.0], [0.0, 9.0], 14_000.0)]);
    let error = bake_tiles(&world, &BakeSettings::default(), &Context::default()).unwrap_err();
    assert!(matches!(error, BakeError::Grid(GridError::HeightRange { .. })), "{error}");
    assert!(error.to_string().contains("65535") && error.to_string().contains("larger cell height"), "{error}");
}
