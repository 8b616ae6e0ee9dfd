//! Removes parts that are too thin: ensures that no corner of a piece is nearer than [`APART`] to another of its edges
//! or corners.
//!
//! Corners are rounded to whole units after the cut, so a part that is a few units wide can lose its area or flip. No
//! agent can stand there, but the surfaces on its two sides must still touch. So whatever is that near is merged, the
//! nearest first: a corner near an edge becomes a corner of that edge, on both of its sides, and a corner near a corner
//! becomes the same corner:
//!
//! ```text
//!   a-----------b          a-----------b
//!   |           |          |           |       the edge a–b becomes a–c and c–b for the pieces above and below,
//!   a-----------b    ==>   a-----c-----b       and the piece between is left with edges that run there and back,
//!    `-. _c_ .-'           |     |     |       which are dropped
//! ```
//!
//! Corners on the tile's border stay on it, and a corner near an edge of the border is moved onto it: the neighbouring
//! tile has the same border, however either is cut.
//!
//! This terminates: merging two corners leaves one less, a corner moved onto the border stays there, and otherwise an
//! edge is replaced by two shorter ones. Only corners of one piece are compared, since anything between a corner and an
//! edge is a piece that has both, or a nearer edge.
//!
//! Cost: corners × edges of each piece if nothing is thin.
//!
//! Sources: Dan Halperin, Eli Packer, "Iterated Snap Rounding", 2002 (corners kept apart from edges), here on the
//! pieces of a subdivision and with distances in place of pixels.

use std::collections::BTreeSet;

/// The least distance, in units, of a corner from anything it is not part of. A triangle higher than that has an area
/// that [`TileData::defects`](crate::tile::TileData::defects) accepts.
pub(super) const APART: f64 = 4.0;

/// A plan position, in whole units.
pub(super) type CornerPlace = [i64; 2];
/// A polygon of the base mesh and the corners of one of its pieces.
pub(super) type Corners = (u32, Vec<u32>);

/// The sides of a tile: minimum and maximum x, minimum and maximum z; none for a mesh of one tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Border(pub(super) Option<[[i64; 2]; 2]>);

impl Border {
    /// Whether a position lies on the lower or upper side across an axis.
    fn is_on(&self, axis: usize, place: CornerPlace) -> bool {
        self.0.is_some_and(|sides| sides[axis].contains(&place[axis]))
    }

    /// Whether one of two positions can be merged into the other without leaving the sides on which it lies.
    pub(super) fn can_join(&self, [a, b]: [CornerPlace; 2]) -> bool {
        let [a, b] =
            [(a, b), (b, a)].map(|(gone, kept)| (0..2).all(|axis| !self.is_on(axis, gone) || gone[axis] == kept[axis]));
        a || b
    }

    /// On how many sides a position lies.
    fn rank(&self, place: CornerPlace) -> usize {
        [0, 1].into_iter().filter(|&axis| self.is_on(axis, place)).count()
    }

    /// The axis across the side along which an edge runs.
    fn across(&self, [a, b]: [CornerPlace; 2]) -> Option<usize> {
        [0, 1].into_iter().find(|&axis| a[axis] == b[axis] && self.is_on(axis, a))
    }
}

/// Removes thin parts, and merges the ends of each of the `short` edges. Pieces stay in the order of their polygons;
/// `places` of corners may move onto the border.
pub(super) fn take_out(pieces: &mut Vec<Corners>, short: &[[u32; 2]], places: &mut [CornerPlace], border: Border) {
    let mut near = BTreeSet::new();
    for (_, corners) in pieces.iter() {
        find_near(corners, places, &mut near);
    }
    if near.is_empty() && short.is_empty() {
        return;
    }
    let mut around = vec![Vec::new(); places.len()];
    for (i, (_, corners)) in pieces.iter().enumerate() {
        corners.iter().for_each(|&corner| around[corner as usize].push(i));
    }
    let mut joined = Joined { pieces, places, border, around, near };
    for &[a, b] in short {
        if joined.are_together(a, [b; 2]) {
            joined.merge(a, b);
        }
    }
    while let Some(near) = joined.near.pop_first() {
        joined.join(near);
    }
    pieces.retain(|(_, corners)| !corners.is_empty());
    pieces.sort_by_key(|(poly, _)| *poly);
}

/// A corner near an edge, or near another corner, which then counts as both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NearPart {
    /// The bits of the squared distance; since it is not negative, they sort like the distance.
    distance: u64,
    corner: u32,
    edge: [u32; 2],
}

/// Finds the near pairs in one piece.
fn find_near(corners: &[u32], places: &[CornerPlace], found: &mut BTreeSet<NearPart>) {
    for (k, &a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % corners.len()];
        let edge = [a, b].map(|corner| places[corner as usize]);
        let low = [0, 1].map(|axis: usize| edge[0][axis].min(edge[1][axis]) - APART as i64);
        let high = [0, 1].map(|axis: usize| edge[0][axis].max(edge[1][axis]) + APART as i64);
        let mut add = |corner: u32, edge: [u32; 2], distance: f64| {
            if distance <= APART * APART {
                found.insert(NearPart { distance: distance.to_bits(), corner, edge });
            }
        };
        add(a, [b, b], squared(edge[0], edge[1]));
        for &corner in corners.iter().filter(|&&corner| corner != a && corner != b) {
            let place = places[corner as usize];
            if (0..2).all(|axis| place[axis] >= low[axis] && place[axis] <= high[axis]) {
                add(corner, [a, b], squared_to_edge(place, edge));
            }
        }
    }
}

fn offset(a: CornerPlace, b: CornerPlace) -> CornerPlace {
    [b[0] - a[0], b[1] - a[1]]
}

pub(super) fn squared(a: CornerPlace, b: CornerPlace) -> f64 {
    let [x, z] = offset(a, b);
    (x * x + z * z) as f64
}

/// The squared distance of a position from an edge.
pub(super) fn squared_to_edge(place: CornerPlace, [a, b]: [CornerPlace; 2]) -> f64 {
    let [dx, dz] = offset(a, b);
    let [px, pz] = offset(a, place);
    let along = dx * px + dz * pz;
    let length = dx * dx + dz * dz;
    if along <= 0 {
        return squared(a, place);
    }
    if along >= length {
        return squared(b, place);
    }
    let across = (dx * pz - dz * px) as f64;
    across * across / length as f64
}

/// The pieces during merging.
struct Joined<'a> {
    pieces: &'a mut Vec<Corners>,
    places: &'a mut [CornerPlace],
    border: Border,
    /// The pieces that each corner is or was a corner of.
    around: Vec<Vec<usize>>,
    near: BTreeSet<NearPart>,
}

impl Joined<'_> {
    fn place(&self, corner: u32) -> CornerPlace {
        self.places[corner as usize]
    }

    /// Whether a corner and an edge, or a corner that counts as both its ends, are in one piece.
    fn are_together(&self, corner: u32, [a, b]: [u32; 2]) -> bool {
        self.around[corner as usize].iter().any(|&piece| {
            let corners = &self.pieces[piece].1;
            corners.contains(&corner) && if a == b { corners.contains(&a) } else { edge_at(corners, [a, b]).is_some() }
        })
    }

    /// Merges a corner with what it is near, if they are still in one piece.
    fn join(&mut self, near: NearPart) {
        let NearPart { corner, edge: [a, b], .. } = near;
        if !self.are_together(corner, [a, b]) {
            return;
        }
        let [place, from, to] = [corner, a, b].map(|corner| self.place(corner));
        // It may have moved since it was found.
        if squared_to_edge(place, [from, to]) > APART * APART {
            return;
        }
        let [first, second, length] = [squared(from, place), squared(place, to), squared(from, to)];
        if a != b && first.min(second) > APART * APART && first.max(second) < length {
            self.put_into_edge(corner, [a, b]);
        } else {
            self.merge(corner, if first <= second { a } else { b });
        }
    }

    fn put_into_edge(&mut self, corner: u32, edge: [u32; 2]) {
        let ends = edge.map(|end| self.place(end));
        let mut changed: Vec<usize> = self.around[edge[0] as usize].clone();
        if let Some(axis) = self.border.across(ends) {
            self.places[corner as usize][axis] = ends[0][axis];
            changed.extend(&self.around[corner as usize]);
        }
        changed.sort_unstable();
        changed.dedup();
        for piece in changed {
            let corners = &mut self.pieces[piece].1;
            for edge in [edge, [edge[1], edge[0]]] {
                if let Some(at) = edge_at(corners, edge) {
                    corners.insert(at + 1, corner);
                }
            }
            self.changed(piece);
        }
    }

    /// Merges two corners: the one that lies on more sides of the tile stays.
    fn merge(&mut self, a: u32, b: u32) {
        let order = |corner: u32| (core::cmp::Reverse(self.border.rank(self.place(corner))), corner);
        let [kept, gone] = if order(a) < order(b) { [a, b] } else { [b, a] };
        for piece in core::mem::take(&mut self.around[gone as usize]) {
            for corner in &mut self.pieces[piece].1 {
                if *corner == gone {
                    *corner = kept;
                }
            }
            self.changed(piece);
        }
    }

    /// Splits a piece at corners that it has more than once, and checks the parts.
    fn changed(&mut self, piece: usize) {
        let poly = self.pieces[piece].0;
        let corners = core::mem::take(&mut self.pieces[piece].1);
        let mut free = Some(piece);
        for part in simple_parts(&corners) {
            let at = free.take().unwrap_or(self.pieces.len());
            find_near(&part, self.places, &mut self.near);
            for &corner in &part {
                let around = &mut self.around[corner as usize];
                if !around.contains(&at) {
                    around.push(at);
                }
            }
            match self.pieces.get_mut(at) {
                Some(piece) => piece.1 = part,
                None => self.pieces.push((poly, part)),
            }
        }
    }
}

/// Where an edge begins in a list of corners.
fn edge_at(corners: &[u32], [a, b]: [u32; 2]) -> Option<usize> {
    (0..corners.len()).find(|&k| corners[k] == a && corners[(k + 1) % corners.len()] == b)
}

/// The parts of an outline between corners that it visits more than once, without those that run there and back.
fn simple_parts(corners: &[u32]) -> Vec<Vec<u32>> {
    let mut open = Vec::<u32>::new();
    let mut parts = Vec::new();
    for &corner in corners {
        if let Some(at) = open.iter().position(|&other| other == corner) {
            parts.push(open.split_off(at));
        }
        open.push(corner);
    }
    parts.push(open);
    parts.retain(|part| part.len() > 2);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_thin(mut pieces: Vec<Corners>, places: &mut [CornerPlace], border: Border) -> Vec<Corners> {
        take_out(&mut pieces, &[], places, border);
        pieces
    }

    #[test]
    fn the_ground_on_both_sides_of_what_is_thin_has_the_same_edges() {
        // Corners 0 to 2 along z = 0, but for 1 by two units; 3 below and 4 above.
        let mut places = [[0, 0], [500, 2], [1000, 0], [500, -900], [500, 900]];
        let pieces = vec![(0, vec![0, 2, 3]), (0, vec![0, 1, 2]), (1, vec![1, 0, 4]), (1, vec![2, 1, 4])];
        let kept = without_thin(pieces, &mut places, Border::default());
        assert_eq!(kept, [(0, vec![0, 1, 2, 3]), (1, vec![1, 0, 4]), (1, vec![2, 1, 4])]);
        assert_eq!(without_thin(kept.clone(), &mut places, Border::default()), kept, "nothing is left to take out");
    }

    #[test]
    fn strips_vanish_with_their_corners() {
        // A strip three units wide between two triangles.
        let mut places = [[0, 0], [1000, 0], [1000, 3], [0, 3], [500, -900], [500, 900]];
        let pieces = vec![(0, vec![0, 1, 4]), (1, vec![0, 3, 2, 1]), (2, vec![2, 3, 5])];
        let kept = without_thin(pieces, &mut places, Border::default());
        assert_eq!(kept, [(0, vec![0, 1, 4]), (2, vec![1, 0, 5])]);
    }

    #[test]
    fn what_is_near_the_border_is_moved_onto_it() {
        let border = Border(Some([[0, 5000], [0, 5000]]));
        // The edge 0–2 runs along the border at z = 0; corner 1 lies two units within.
        let mut places = [[100, 0], [500, 2], [900, 0], [500, 900]];
        let kept = without_thin(vec![(0, vec![0, 1, 2]), (1, vec![0, 3, 1]), (1, vec![1, 3, 2])], &mut places, border);
        assert_eq!(kept, [(1, vec![0, 3, 1]), (1, vec![1, 3, 2])]);
        assert_eq!(places[1], [500, 0]);
    }

    #[test]
    fn pieces_of_random_corners_end_with_all_corners_apart() {
        let mut rng = crate::math::Rng::new(3);
        for _ in 0..300 {
            // A fan around corner 0, of triangles on a plan so small that much of it is thin.
            let count = 3 + rng.below(9);
            let mut places: Vec<CornerPlace> =
                (0..=count).map(|_| [rng.below(30), rng.below(30)].map(|v| i64::from(v) - 15)).collect();
            let pieces = (1..=count).map(|k| (0, vec![0, k, k % count + 1])).collect();
            let kept = without_thin(pieces, &mut places, Border::default());
            let mut near = BTreeSet::new();
            kept.iter().for_each(|(_, corners)| find_near(corners, &places, &mut near));
            assert_eq!(near, BTreeSet::new());
        }
    }
}
