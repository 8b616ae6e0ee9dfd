//! Merges the polygons that an end of a corridor has walked through into the corridor.
//!
//! Both lists have a polygon in common; the walked one replaces the old one up to that polygon, so that the result is
//! again a corridor and no longer than necessary.
//!
//! ```text
//!   row      A B C D          start walked  A B X Y      →  Y X B C D      (walked backwards up to what is common)
//!                             start walked  A B C        →  C D            (walked along the row: it gets shorter)
//!                             end walked    D C W        →  A B C W
//!                             shortcut      A Q C        →  A Q C D
//! ```
//!
//! Cost: the product of the lengths in the worst case; in practice the common polygon is among the first examined.
//!
//! Sources: Mikko Mononen, "Following Moving Target", Digesting Duck, October 2010.

use crate::mesh::PolyRef;

/// What was kept: the part from the old polygon `old` on is now at `new`; if the end was fused, the polygons up to
/// `old` are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fused {
    /// Index of the common polygon before.
    pub old: usize,
    /// Index of the common polygon now.
    pub new: usize,
}

/// Merges what the start walked through into the beginning of a corridor. `None`, and no change, if they have no
/// polygon in common.
pub fn fuse_start(row: &mut Vec<PolyRef>, walked: &[PolyRef]) -> Option<Fused> {
    // The common polygon farthest along the corridor: everything before it is no longer needed.
    let (old, at) = (0..row.len()).rev().find_map(|i| Some((i, walked.iter().position(|w| *w == row[i])?)))?;
    let new = walked.len() - 1 - at;
    row.splice(..old, walked[at + 1..].iter().rev().copied());
    Some(Fused { old, new })
}

/// Merges what the end walked through into the end of a corridor. `None`, and no change, if they have no polygon in
/// common.
pub fn fuse_end(row: &mut Vec<PolyRef>, walked: &[PolyRef]) -> Option<Fused> {
    let (old, at) = (0..row.len()).find_map(|i| Some((i, walked.iter().rposition(|w| *w == row[i])?)))?;
    row.truncate(old + 1);
    row.extend_from_slice(&walked[at + 1..]);
    Some(Fused { old, new: old })
}

/// Replaces the beginning of a corridor by a shortcut that starts at its first polygon. `None`, and no change, if they
/// have no polygon in common except possibly the first.
pub fn fuse_shortcut(row: &mut Vec<PolyRef>, shortcut: &[PolyRef]) -> Option<Fused> {
    let (old, new) = (1..row.len()).rev().find_map(|i| Some((i, shortcut.iter().rposition(|w| *w == row[i])?)))?;
    row.splice(..old, shortcut[..new].iter().copied());
    Some(Fused { old, new })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(polys: &[u32]) -> Vec<PolyRef> {
        polys.iter().map(|&poly| PolyRef::new(1, 0, poly).unwrap()).collect()
    }

    type Fuse = fn(&mut Vec<PolyRef>, &[PolyRef]) -> Option<Fused>;

    fn check(fuse: Fuse, before: &[u32], walked: &[u32], after: &[u32], kept: Option<(usize, usize)>) {
        let mut path = row(before);
        let fused = fuse(&mut path, &row(walked));
        assert_eq!((path, fused), (row(after), kept.map(|(old, new)| Fused { old, new })), "{before:?} {walked:?}");
    }

    #[test]
    fn a_start_that_walks_off_along_and_back() {
        check(fuse_start, &[1, 2, 3], &[1], &[1, 2, 3], Some((0, 0)));
        check(fuse_start, &[1, 2, 3], &[1, 2], &[2, 3], Some((1, 0)));
        check(fuse_start, &[1, 2, 3], &[1, 2, 7, 8], &[8, 7, 2, 3], Some((1, 2)));
        check(fuse_start, &[1, 2, 3], &[1, 9], &[9, 1, 2, 3], Some((0, 1)));
        check(fuse_start, &[1, 2], &[3, 4], &[1, 2], None);
        check(fuse_start, &[], &[1], &[], None);
    }

    #[test]
    fn an_end_that_walks_off_along_and_back() {
        check(fuse_end, &[1, 2, 3], &[3], &[1, 2, 3], Some((2, 2)));
        check(fuse_end, &[1, 2, 3], &[3, 4, 5], &[1, 2, 3, 4, 5], Some((2, 2)));
        check(fuse_end, &[1, 2, 3], &[3, 2, 7], &[1, 2, 7], Some((1, 1)));
        check(fuse_end, &[1, 2, 3], &[3, 2, 1], &[1], Some((0, 0)));
        check(fuse_end, &[1, 2, 3], &[4], &[1, 2, 3], None);
    }

    #[test]
    fn a_shortcut_replaces_the_beginning_only() {
        check(fuse_shortcut, &[1, 2, 3, 4, 5], &[1, 9, 4, 8], &[1, 9, 4, 5], Some((3, 2)));
        check(fuse_shortcut, &[1, 2, 3], &[1, 9], &[1, 2, 3], None);
        check(fuse_shortcut, &[1], &[1], &[1], None);
    }
}
