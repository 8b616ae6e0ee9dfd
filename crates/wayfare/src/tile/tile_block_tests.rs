//! Blocks of tiles: read back, and with every byte changed.

use super::test_sketch::sketch;
use super::*;
use glam::Vec3;

/// Three squares, one of them with a peak, and seams along one side.
fn small() -> TileData {
    sketch(TileCoord { x: 3, z: -2, layer: 1 }, "a.\nab").edited(|tile| {
        tile.user_id = 7;
        tile.raise_peak(tile.verts[tile.corners[0] as usize] + Vec3::new(0.5, 0.25, 0.5));
        tile.baked_for.cell_size = 0.25;
        let edge = tile.neighbours.iter().position(|n| n.as_border() == Some(Side::XMin)).unwrap() as u32;
        let cell = |cell| SeamCell { edge, cell, here: 3, there: 3 + cell as u16 };
        tile.seams = [1, 2, 3, 5].map(cell).to_vec();
    })
}

#[test]
fn a_block_comes_back_and_its_lists_are_those_it_was_made_of() {
    let tile = small();
    let again = TileData::from_block(&tile.block()).unwrap();
    assert_eq!((&again, again.extent(), again.bytes()), (&tile, tile.extent(), tile.block().len()));
    assert_eq!(tile.to_builder().build().unwrap(), tile);
    assert_eq!(tile.all_seam_runs().len(), 2, "a gap parts them");
    assert_eq!(tile.seams().len(), 4);
    assert_eq!(TileData::length_of_block(&tile.block()), Some(tile.bytes()));
    let moved = tile.at(TileCoord { x: 9, z: 9, layer: 0 }).with_user_id(8);
    assert_eq!((moved.coord().x, moved.user_id(), moved.polys()), (9, 8, tile.polys()));
    assert!(tile.with_states(|_, poly| (poly.flags, poly.area)).is_same_as(&tile));
    let empty = TileData::empty(TileCoord::default());
    assert_eq!(TileData::from_block(&empty.block()).unwrap(), TileBuilder::default().build().unwrap());
    assert_eq!(empty.bounds(), crate::math::Aabb::EMPTY);
}

#[test]
fn edges_of_a_side_come_in_order_along_it() {
    let tile = sketch(TileCoord::default(), "aaa\naaa");
    for side in Side::ALL {
        let along = |number: u32| {
            let edge = tile.border_edges()[number as usize];
            assert_eq!(tile.side_of(&edge), Some(side));
            assert!(tile.corner_range(edge.poly).contains(&(edge.corner as usize)));
            let ends = tile.edge(edge.poly, edge.corner).map(|end| if side.is_x() { end.z } else { end.x });
            ends[0].min(ends[1])
        };
        let places: Vec<f32> = tile.border_along(side).map(along).collect();
        assert_eq!((places.len(), places.is_sorted()), (if side.is_x() { 2 } else { 3 }, true));
    }
}

/// Each is refused, or is a tile of which all can be asked and which comes back as the same bytes.
#[test]
fn every_changed_byte_and_every_prefix_is_refused_or_sound() {
    let whole = small().block().into_owned();
    let mut kinds = [0; 4];
    for at in 0..whole.len() {
        assert!(TileData::from_block(&whole[..at]).is_err(), "{at}");
        for bits in [1, 0x10, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= bits;
            match TileData::from_block(&bytes) {
                Err(TileError::Block { .. }) => kinds[0] += 1,
                Err(TileError::Value { .. }) => kinds[1] += 1,
                Err(TileError::Border { .. }) => kinds[2] += 1,
                Err(_) => kinds[3] += 1,
                Ok(tile) => {
                    assert!(*tile.block() == bytes, "byte {at}");
                    tile.defects(|_, _, _| {});
                    for side in Side::ALL {
                        tile.border_along(side).for_each(|number| _ = tile.border_edges()[number as usize]);
                    }
                    let _ = (tile.seams(), EdgeTable::of(&tile), BoundingTree::of(&tile), Islands::of(&tile));
                }
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
}
