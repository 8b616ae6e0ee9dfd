//! A wall segment, and the segments that remain of an edge with portals over parts of it.
//!
//! Cost: quadratic in the few portals over the edge. Sources: none needed.

use glam::Vec3;

/// A wall segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallSegment {
    /// Its ends, in the order of the polygon's corners: the polygon is to the right of `start` → `end`.
    pub start: Vec3,
    /// See `start`.
    pub end: Vec3,
}

/// The parts of an edge that no `open` interval covers.
pub(super) fn gaps(
    edge: WallSegment,
    open: &(impl Iterator<Item = [Vec3; 2]> + Clone),
    visit: &mut impl FnMut(WallSegment),
) {
    let dx = edge.end.x - edge.start.x;
    let dz = edge.end.z - edge.start.z;
    let length_squared = dx * dx + dz * dz;
    if length_squared <= 0.0 {
        return;
    }
    let along = |p: Vec3| ((p.x - edge.start.x) * dx + (p.z - edge.start.z) * dz) / length_squared;
    // Gaps shorter than a tenth of a millimetre are rounding.
    let least = 1e-4 / length_squared.sqrt();
    let mut at = 0.0;
    let mut from = edge.start;
    while at < 1.0 - least {
        // The interval that extends farthest from here, or else begins next.
        let mut next: Option<(f32, Vec3, f32, Vec3)> = None;
        for [a, b] in open.clone() {
            let start = along(a);
            let end = along(b);
            if end <= at + least {
                continue;
            }
            let better = next.is_none_or(
                |(s, _, e, _)| {
                    if s <= at + least { start <= at + least && end > e } else { start < s }
                },
            );
            if better {
                next = Some((start, a, end, b));
            }
        }
        match next {
            None => {
                visit(WallSegment { start: from, end: edge.end });
                return;
            }
            Some((start, a, end, b)) => {
                if start > at + least {
                    visit(WallSegment { start: from, end: a });
                }
                (at, from) = (end, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_between_links_are_walls() {
        let edge = WallSegment { start: Vec3::ZERO, end: Vec3::new(10.0, 0.0, 0.0) };
        let ask = |open: &[[f32; 2]]| {
            let mut found = Vec::new();
            let open = open.iter().map(|ends| ends.map(|x| Vec3::new(x, 0.0, 0.0)));
            gaps(edge, &open, &mut |w| found.push([w.start.x, w.end.x]));
            found
        };
        assert_eq!(ask(&[]), [[0., 10.]]);
        assert_eq!(ask(&[[0., 10.]]), [[0.0; 2]; 0]);
        assert_eq!(ask(&[[7., 9.], [1., 3.], [2., 4.]]), [[0., 1.], [4., 7.], [9., 10.]]);
        assert_eq!(ask(&[[0., 2.], [2., 10.]]), [[0.0; 2]; 0]);
        assert_eq!(ask(&[[1., 9.], [2., 3.]]), [[0., 1.], [9., 10.]]);
    }
}
