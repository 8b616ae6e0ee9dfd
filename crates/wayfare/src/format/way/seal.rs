//! Repairs the checksums of a corrupted `.way` file, for tests of what is checked after them. Self-contained: the
//! testkit includes this file too.

use xxhash_rust::xxh3::xxh3_64;

const TRAILER: usize = 36;
/// User id, layout and counts, then length and checksum of the mesh part.
const LISTS: usize = 56;
const TILE: usize = 40;
const PLACE: usize = 16;

/// Where the directory of a file begins.
pub(crate) fn directory_of(file: &[u8]) -> Option<usize> {
    let end = file.len().checked_sub(TRAILER)?;
    let start = end.checked_sub(number(file, end, 8)?)?;
    (start >= 12).then_some(start)
}

/// Repairs length, mark and all checksums, as far as the directory can be followed.
pub(crate) fn seal(file: &mut [u8]) {
    let length = file.len() as u64;
    let Some(end) = file.len().checked_sub(TRAILER) else { return };
    file[end + 8..end + 16].copy_from_slice(&length.to_le_bytes());
    file[end + 20..end + 28].copy_from_slice(b"WAY END\n");
    let Some(start) = directory_of(file) else { return };
    let _ = seal_parts(file, start, end);
    let checksum = xxh3_64(&file[start..length as usize - 8]);
    file[end + 28..].copy_from_slice(&checksum.to_le_bytes());
}

/// All parts in the order of the file.
fn seal_parts(file: &mut [u8], start: usize, end: usize) -> Option<()> {
    let [tiles, places, of_mesh] = [28, 32, 36].map(|at| number(file, start + at, 4));
    let (tiles, places) = (tiles?, places?);
    let lists = start.checked_add(LISTS)?;
    let place_list = lists.checked_add(tiles.checked_mul(TILE)?)?;
    let mut section = place_list.checked_add(places.checked_mul(PLACE)?)?;
    let mut at = 12;
    for tile in 0..tiles {
        let record = lists + tile * TILE;
        at = seal_part(file, at, record + 24, start)?;
        for _ in 0..number(file, record + 20, 4)? {
            (at, section) = seal_section(file, at, section, (start, end))?;
        }
    }
    for place in 0..places {
        for _ in 0..number(file, place_list + place * PLACE + 12, 4)? {
            (at, section) = seal_section(file, at, section, (start, end))?;
        }
    }
    for _ in 0..of_mesh? {
        (at, section) = seal_section(file, at, section, (start, end))?;
    }
    seal_part(file, at, start + 40, start).map(|_| ())
}

fn seal_section(file: &mut [u8], at: usize, record: usize, (start, end): (usize, usize)) -> Option<(usize, usize)> {
    let next = record.checked_add(28)?.checked_add(number(file, record.checked_add(4)?, 8)?)?;
    if next > end {
        return None;
    }
    Some((seal_part(file, at, record + 12, start)?, next))
}

/// Repairs the part at an offset, whose length and checksum are in a record; returns where the next begins.
fn seal_part(file: &mut [u8], at: usize, record: usize, start: usize) -> Option<usize> {
    let next = at.checked_add(number(file, record, 8)?)?;
    let checksum = xxh3_64(file.get(at..next.min(start))?);
    file.get_mut(record + 8..record + 16)?.copy_from_slice(&checksum.to_le_bytes());
    (next <= start).then_some(next)
}

fn number(file: &[u8], at: usize, bytes: usize) -> Option<usize> {
    let digits = file.get(at..at.checked_add(bytes)?)?;
    let number = digits.iter().rev().fold(0u64, |all, &digit| all << 8 | u64::from(digit));
    usize::try_from(number).ok()
}
