//! A file of 88 kB kept whoever read it busy for hours, and one of 1 MB ended in an abort for want of memory: all
//! border edges of its two tiles lie on one another, so that each touches each. Such files are refused in a sentence
//! that says why, with little memory.

use super::hostile::{at_border, beside, read_within};
use wayfare::format::ReadError;
use wayfare::mesh::{AddTileError, NavMesh};
use wayfare::tile::SeamCell;

const EDGES: u32 = 3000;

fn assert_crowded(read: Result<NavMesh, ReadError>) {
    let error = read.unwrap_err();
    assert!(matches!(error, ReadError::Tile { slot: 0, error: AddTileError::Crowded { .. } }), "{error}");
    assert!(error.to_string().contains("lie on one another"), "{error}");
}

#[test]
fn edges_that_all_touch_are_refused() {
    let bytes = beside(|tile| (0..EDGES).for_each(|_| at_border(tile, 0.0)));
    assert_crowded(read_within(&bytes, 200));
}

#[test]
fn seams_that_all_name_each_other_are_refused() {
    let bytes = beside(|tile| {
        (0..EDGES).for_each(|_| at_border(tile, 0.0));
        tile.baked_for.cell_size = 0.3;
        tile.seams = (0..EDGES).map(|k| SeamCell { edge: 3 * k + 1, cell: 10, here: 5, there: 5 }).collect();
    });
    assert_crowded(read_within(&bytes, 200));
}

/// As many storeys are no harm: each edge has one that faces it.
#[test]
fn edges_of_storeys_are_linked() {
    let bytes = beside(|tile| (0..EDGES).for_each(|storey| at_border(tile, 3.0 * storey as f32)));
    let mesh = read_within(&bytes, 400).unwrap();
    assert!(mesh.tiles().all(|tile| tile.links().all().len() == EDGES as usize));
    assert_eq!(mesh.components().count(), EDGES);
}
