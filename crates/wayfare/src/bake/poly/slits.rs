//! Removes duplicate points and spikes from outlines, but keeps their slits.
//!
//! An outline that leads out and comes back along the same line is a useless *spike* if the surface lies on neither
//! side of it. It is a *slit* if the surface lies on both sides: a wall without thickness, as where one region lies
//! beside itself a step higher, or where a thin wall was simplified to a line. A slit must stay, or agents walk through
//! the wall.
//!
//! ```text
//!      spike  b           .-----------.
//!             |           |  b        |
//!        .----a----.      |  |  slit  |       interior below a; the angle at a
//!        |  inside |      '--a--------'       holds b only on the right
//! ```
//!
//! Which of them it is can be seen at the corner where the two directions separate: whether the first step of the
//! excursion lies within the angle of the surface there. An excursion along borders of other regions is removed in
//! either case, since the surface continues across it.
//!
//! Cost: linear in the corners.
//!
//! Sources: own; the angle test as in Joseph O'Rourke, "Computational Geometry in C", 1998.

use crate::bake::cell_point::{Point, turn};

/// A corner of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutlineVert {
    pub(super) vert: u32,
    pub(super) at: Point,
    /// What is on the other side of the edge from here to the next corner: 0 for a wall.
    pub(super) beyond: u32,
}

/// Copies the corners of a closed outline to `outline`, without spikes and duplicate points.
pub(super) fn clean_outline(corners: &mut Vec<OutlineVert>, outline: &mut Vec<OutlineVert>) {
    let has_slits = fold_along(corners, outline);
    if !has_slits && !meets_itself_at_start(outline) {
        return;
    }
    // Whether an excursion around the start is a slit is only known when it is walked from before its beginning.
    core::mem::swap(corners, outline);
    let Some(start) = place_outside(corners) else {
        core::mem::swap(corners, outline);
        // It passes everywhere twice: holes that touch, or nothing at all.
        if has_no_area(outline) {
            outline.truncate(1);
        }
        return;
    };
    corners.rotate_left(start);
    corners.extend(corners.first().copied());
    fold_along(corners, outline);
    outline.pop();
}

/// The same from the first corner to the last, as if the outline were open. Returns whether there was a slit.
fn fold_along(corners: &[OutlineVert], outline: &mut Vec<OutlineVert>) -> bool {
    outline.clear();
    let mut walk = OutlineWalk { outline, mirrored: 0, has_slits: false };
    for &corner in corners {
        walk.push(corner);
    }
    walk.has_slits
}

/// Whether the ends of an outline must be examined together.
fn meets_itself_at_start(outline: &[OutlineVert]) -> bool {
    match *outline {
        [first, second, .., before, last] => first.at == last.at || first.at == before.at || second.at == last.at,
        [first, .., last] => first.at == last.at,
        _ => false,
    }
}

fn has_no_area(outline: &[OutlineVert]) -> bool {
    let [first, rest @ ..] = outline else { return true };
    rest.windows(2).map(|pair| turn(first.at, pair[0].at, pair[1].at)).sum::<i64>() == 0
}

/// The first corner that belongs to no excursion: the outline passes there once, and does not turn back.
fn place_outside(corners: &[OutlineVert]) -> Option<usize> {
    let mut places: Vec<(Point, usize)> = corners.iter().zip(0..).map(|(corner, k)| (corner.at, k)).collect();
    places.sort_unstable();
    let groups = places.chunk_by(|a, b| a.0 == b.0);
    let lone = groups.filter_map(|group| if let [(_, k)] = *group { Some(k) } else { None });
    let count = corners.len();
    lone.filter(|k| corners[(k + count - 1) % count].at != corners[(k + 1) % count].at).min()
}

/// An outline being walked along its corners.
struct OutlineWalk<'a> {
    outline: &'a mut Vec<OutlineVert>,
    /// How many of the last corners mirror those before the tip of the current excursion.
    mirrored: usize,
    has_slits: bool,
}

impl OutlineWalk<'_> {
    fn push(&mut self, corner: OutlineVert) {
        if let Some(last) = self.outline.last_mut()
            && last.at == corner.at
        {
            last.beyond = corner.beyond;
            return;
        }
        loop {
            let tip = self.outline.len().wrapping_sub(1 + self.mirrored);
            let facing = tip.checked_sub(self.mirrored + 1).and_then(|k| self.outline.get(k));
            if facing.is_some_and(|facing| facing.at == corner.at) {
                self.come_back(corner);
                return;
            }
            if self.mirrored == 0 || self.is_slit(corner) {
                break;
            }
            // The excursion ends, and was a spike: without it, the corner may end another.
            self.drop_excursion();
        }
        self.mirrored = 0;
        self.outline.push(corner);
    }

    /// The outline goes back along the edge on which it came.
    fn come_back(&mut self, corner: OutlineVert) {
        let edges = [self.outline.len() - 2 - 2 * self.mirrored, self.outline.len() - 1];
        let is_wall = edges.iter().any(|&edge| self.outline[edge].beyond == 0);
        if self.mirrored == 0 && !is_wall {
            // Out and back, with nothing in between.
            self.outline.pop();
            if let Some(last) = self.outline.last_mut() {
                last.beyond = corner.beyond;
            }
            return;
        }
        self.mirrored += 1;
        self.has_slits = true;
        self.outline.push(corner);
    }

    /// Whether the excursion that ended at the last corner has the surface on both sides, if the outline continues to
    /// `next`.
    fn is_slit(&self, next: OutlineVert) -> bool {
        let here = self.outline.len() - 1 - 2 * self.mirrored;
        // For an excursion that began before the first corner, this is not known yet.
        let Some(before) = here.checked_sub(1) else { return true };
        let [before, at, first] = [before, here, here + 1].map(|k| self.outline[k].at);
        is_within([before, at, next.at], first)
    }

    fn drop_excursion(&mut self) {
        let beyond = self.outline.last().map_or(0, |last| last.beyond);
        self.outline.truncate(self.outline.len() - 2 * self.mirrored);
        if let Some(last) = self.outline.last_mut() {
            last.beyond = beyond;
        }
        self.mirrored = 0;
    }
}

/// Whether `p` lies within the angle of the surface at a corner, which is to the right of both edges.
fn is_within([before, at, after]: [Point; 3], p: Point) -> bool {
    let right_of_in = turn(before, at, p) > 0;
    let right_of_out = turn(at, after, p) > 0;
    if turn(before, at, after) > 0 { right_of_in && right_of_out } else { right_of_in || right_of_out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(points: &[Point], beyond: u32) -> Vec<OutlineVert> {
        (0..).zip(points).map(|(vert, &at)| OutlineVert { vert, at, beyond }).collect()
    }

    /// What is kept of an outline, begun at each of its corners in turn: always as many, and always the same area.
    fn kept(points: &[Point], beyond: u32) -> usize {
        let counts: Vec<usize> = (0..points.len())
            .map(|turned| {
                let mut corners = outline(points, beyond);
                corners.rotate_left(turned);
                let mut kept = Vec::new();
                clean_outline(&mut corners, &mut kept);
                kept.len()
            })
            .collect();
        assert!(counts.iter().all(|&count| count == counts[0]), "{points:?}: {counts:?}");
        counts[0]
    }

    #[test]
    fn slits_of_walls_stay_and_spikes_go() {
        let square = [[0, 0], [0, 9], [9, 9], [9, 0]];
        assert_eq!(kept(&square, 0), 4);
        let with = |excursion: &[Point]| [&[[0, 0], [0, 9], [9, 9], [9, 0], [5, 0]], excursion].concat();
        let slit = with(&[[5, 4], [5, 0]]);
        assert_eq!((kept(&slit, 0), kept(&slit, 7)), (7, 5));
        let bent = with(&[[5, 4], [6, 6], [5, 4], [5, 0]]);
        assert_eq!((kept(&bent, 0), kept(&bent, 7)), (9, 5));
        let forked = with(&[[5, 4], [7, 6], [5, 4], [3, 6], [5, 4], [5, 0]]);
        assert_eq!((kept(&forked, 0), kept(&forked, 7)), (11, 5));
        let spike = with(&[[5, -4], [5, 0]]);
        assert_eq!((kept(&spike, 0), kept(&spike, 7)), (5, 5));
        let forked = with(&[[5, -4], [7, -6], [5, -4], [3, -6], [5, -4], [5, 0]]);
        assert_eq!((kept(&forked, 0), kept(&forked, 7)), (5, 5));
    }

    #[test]
    fn what_has_no_area_is_nothing() {
        for points in [&[[0, 0], [4, 0]][..], &[[0, 0], [4, 0], [6, 1], [4, 0]], &[[1, 1]; 5]] {
            assert!(kept(points, 7) < 3, "{points:?}");
        }
    }
}
