//! A file of two columns with twenty thousand tiles, one over the other, took minutes to read and again to check: each
//! tile was compared with each. And two of them at the same column, row and layer are still told.

use super::hostile::{add_triangle, at_border, file, read_within, tile_at};
use wayfare::Vec3;
use wayfare::format::ReadError;
use wayfare::mesh::AddTileError;

fn layers(count: u32, layer: impl Fn(u32) -> u32, with_border: bool) -> Vec<u8> {
    let tiles = (0..count).map(|k| {
        let mut tile = tile_at((k % 2) as i32, layer(k / 2));
        if with_border {
            at_border(&mut tile, 3.0 * (k / 2) as f32);
        } else {
            add_triangle(&mut tile, [Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], None);
        }
        tile
    });
    file(&mut tiles.collect::<Vec<_>>())
}

#[test]
fn many_layers_are_read_linked_and_checked() {
    for with_border in [false, true] {
        let mesh = read_within(&layers(20_000, |k| k, with_border), 400).unwrap();
        assert_eq!(mesh.tile_count(), 20_000);
        let links = if with_border { 1 } else { 0 };
        assert!(mesh.tiles().all(|tile| tile.links().all().len() == links));
        assert!(mesh.check().iter().all(|violation| violation.kind.name() != "missing-link"));
    }
}

#[test]
fn two_tiles_in_one_layer_are_told() {
    let error = read_within(&layers(200, |k| if k == 90 { 20 } else { k }, false), 2000).unwrap_err();
    let ReadError::Tile { slot: 180, error: AddTileError::PlaceTaken { coord, tile } } = error else {
        panic!("{error}");
    };
    assert_eq!((coord.x, coord.layer, tile.slot().get()), (0, 20, 40));
}
