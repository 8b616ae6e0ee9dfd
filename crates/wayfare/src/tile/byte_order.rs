//! Converts blocks of tiles on big-endian machines.
//!
//! Cost: a pass over the block. Sources: own.

use super::tile_head::{HEAD_BYTES, Head, LISTS, UNITS};

/// The widths of the fields of a record of each list, in bytes; together a whole number of records.
const WIDTHS: [&[usize]; LISTS] = [
    // Polygons: first corner, corners, flags, area type and three unused bytes.
    &[4, 2, 2, 1, 1, 1, 1],
    &[4],
    &[4],
    &[4],
    // Details: first vertex, first triangle, vertices, triangles.
    &[4, 4, 2, 2],
    &[4],
    &[2],
    &[4],
    &[4],
    &[2],
];

/// Reverses the bytes of every number in a block, from one byte order to the other: doing so twice changes nothing.
/// Locations in the head that are outside the block are skipped; the block is refused afterwards.
pub(super) fn turn_around(block: &mut [u8]) {
    let starts = |head: &[u8], read: fn([u8; 4]) -> u32| -> Option<[usize; LISTS + 1]> {
        let first = core::mem::offset_of!(Head, starts);
        let four = |k: usize| head.get(first + 4 * k..)?.first_chunk::<4>().copied();
        let mut starts = [0; LISTS + 1];
        for (k, start) in starts.iter_mut().enumerate() {
            *start = read(four(k)?) as usize;
        }
        Some(starts)
    };
    // In whichever of the orders the head is, its first list begins right behind it.
    let places = [u32::from_le_bytes, u32::from_be_bytes].map(|read| starts(block, read));
    let behind = |places: &[usize; LISTS + 1]| places[0] * 4 == HEAD_BYTES;
    let Some(places) = places.into_iter().flatten().find(behind) else { return };
    let Some((head, lists)) = block.split_at_mut_checked(HEAD_BYTES) else { return };
    turn(head, &[4]);
    for (ends, (widths, units)) in places.windows(2).zip(WIDTHS.into_iter().zip(UNITS)) {
        debug_assert_eq!(units * 4 % widths.iter().sum::<usize>(), 0);
        let place = |units: usize| (units * 4).checked_sub(HEAD_BYTES);
        let Some((from, to)) = place(ends[0]).zip(place(ends[1])) else { continue };
        turn(lists.get_mut(from..to).unwrap_or_default(), widths);
    }
}

/// Reverses numbers of the given widths, repeatedly to the end.
fn turn(bytes: &mut [u8], widths: &[usize]) {
    let mut rest = bytes;
    for &width in widths.iter().cycle() {
        let Some((number, others)) = rest.split_at_mut_checked(width) else { return };
        if number.is_empty() {
            return;
        }
        number.reverse();
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::test_sketch::sketch;
    use crate::tile::{DetailRange, DetailTri, SeamCell, TileCoord};
    use glam::Vec3;

    #[test]
    fn every_number_of_a_block_is_turned_and_turned_back() {
        let mut builder = sketch(TileCoord { x: 3, z: -2, layer: 1 }, "a.\nab").to_builder();
        builder.details = vec![DetailRange { first_vert: 0, first_tri: 0, vert_count: 1, tri_count: 1 }; 1];
        builder.details.resize(3, DetailRange::default());
        builder.detail_verts = vec![Vec3::new(0.5, 0.25, 0.5)];
        builder.detail_tris = vec![DetailTri { verts: [0, 1, 4], outline: 1 }];
        builder.baked_for.cell_size = 0.5;
        let edge = builder.neighbours.iter().position(|n| n.is_border()).unwrap() as u32;
        builder.seams = vec![SeamCell { edge, cell: -1, here: 3, there: 4 }];
        let tile = builder.build().unwrap();
        let little = tile.block().into_owned();
        let mut big = little.clone();
        turn_around(&mut big);
        let poly = |bytes: &[u8]| bytes[HEAD_BYTES..HEAD_BYTES + 12].to_vec();
        let [a, b, c, d, e, f, g, h, area, x, y, z] = <[u8; 12]>::try_from(poly(&little)).unwrap();
        assert_eq!(poly(&big), [d, c, b, a, f, e, h, g, area, x, y, z]);
        let x = |bytes: &[u8], read: fn([u8; 4]) -> i32| read(*bytes[8..].first_chunk().unwrap());
        assert_eq!((x(&little, i32::from_le_bytes), x(&big, i32::from_be_bytes)), (3, 3));
        let end = |bytes: &[u8]| bytes[bytes.len() - 8..].to_vec();
        let seam = |heights: [u16; 2], to: fn(u16) -> [u8; 2]| heights.map(to).concat();
        let (low, high) = (seam([3, 4], u16::to_le_bytes), seam([3, 4], u16::to_be_bytes));
        assert!(end(&little).windows(4).any(|w| w == low) && end(&big).windows(4).any(|w| w == high));
        turn_around(&mut big);
        assert_eq!(big, little);
        // What is no block does no harm.
        (0..little.len()).for_each(|length| turn_around(&mut little[..length].to_vec()));
    }
}
