//! Grows the triangles of a polygon slightly, so that they still cover its pieces after those are rounded.
//!
//! ```text
//!      a'                    every vertex on the outline moves outwards, so that all edges of the outline
//!      / a \                  move by as much, and up or down as the surface beside it continues;
//!     / / \ \                vertices inside, and which triangles meet where, stay as they are
//! ```
//!
//! Vertices on the outline may lie slightly beside it and are moved onto it first.
//!
//! Cost: n log n in the triangles of a polygon, plus its corners for each vertex on the outline.
//!
//! Sources: own.

/// Distance in units; more than rounding moves the corners of pieces.
pub(super) const GROWN: f64 = 5.0;

/// A point of the surface: x and z in plan units, y in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) z: f64,
    pub(super) y: f64,
}

impl Point {
    pub(super) fn key(&self) -> [u64; 2] {
        [self.x.to_bits(), self.z.to_bits()]
    }
}

/// Twice the area of the triangle, above 0 where `p` is outside of an edge a→b, like `math::plane::cross`.
pub(super) fn cross(a: Point, b: Point, p: Point) -> f64 {
    (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x)
}

pub(super) fn length(a: Point, b: Point) -> f64 {
    let [dx, dz] = [b.x - a.x, b.z - a.z];
    (dx * dx + dz * dz).sqrt()
}

/// Minimum x and z, maximum x and z.
pub(super) fn box_of(points: &[Point]) -> [f64; 4] {
    let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    points.iter().fold(start, |[a, b, c, d], p| [a.min(p.x), b.min(p.z), c.max(p.x), d.max(p.z)])
}

/// Marks a vertex that is not on the outline.
pub(super) const INSIDE: u32 = u32::MAX;

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundTriangle {
    pub(super) corners: [Point; 3],
    /// The outline vertex that each corner was before it moved, or [`INSIDE`].
    pub(super) was: [u32; 3],
    /// Its bounding box in the plan.
    pub(super) around: [f64; 4],
}

impl GroundTriangle {
    pub(super) fn new(corners: [Point; 3]) -> Self {
        Self { corners, was: [INSIDE; 3], around: box_of(&corners) }
    }
}

/// An edge of the outline, and the triangle it belongs to.
type GroundEdge = ([Point; 2], usize);

/// Grows the triangles of a polygon with these corners and computes their boxes. `before` receives the original
/// positions of the outline vertices that moved.
pub(super) fn grow(triangles: &mut [GroundTriangle], corners: &[Point], before: &mut Vec<Point>) {
    let outline = outline_of(triangles);
    before.clear();
    let mut moved: Vec<([u64; 2], Point, u32)> = Vec::with_capacity(outline.len());
    let mut ends: Vec<([u64; 2], usize)> = (0..).zip(&outline).map(|(k, (edge, _))| (edge[1].key(), k)).collect();
    ends.sort_unstable();
    for ([from, to], triangle) in &outline {
        let at = ends.partition_point(|(end, _)| *end < from.key());
        let Some(&(end, edge)) = ends.get(at) else { continue };
        if end == from.key() {
            let [first, at, last] = [outline[edge].0[0], *from, *to].map(|p| onto_outline(corners, p));
            let offset = offset_at(outward(first, at), outward(at, last));
            let slope = slope_of(&triangles[*triangle].corners);
            let y = from.y + slope[0] * offset[0] + slope[1] * offset[1];
            let moved_to = Point { x: at.x + offset[0], z: at.z + offset[1], y };
            moved.push((from.key(), moved_to, before.len() as u32));
            before.push(at);
        }
    }
    moved.sort_by_key(|(from, ..)| *from);
    for GroundTriangle { corners, was, around } in triangles {
        for (corner, was) in corners.iter_mut().zip(was) {
            if let Ok(at) = moved.binary_search_by_key(&corner.key(), |(from, ..)| *from) {
                (*corner, *was) = (moved[at].1, moved[at].2);
            }
        }
        *around = box_of(&corners[..]);
    }
}

/// The nearest position on a polygon's outline: vertices on it may lie slightly beside it.
fn onto_outline(corners: &[Point], p: Point) -> Point {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let places = edges.map(|(a, b)| {
        let [dx, dz] = [b.x - a.x, b.z - a.z];
        let squared = dx * dx + dz * dz;
        let t = ((p.x - a.x) * dx + (p.z - a.z) * dz) / squared;
        let t = if squared > 0.0 { t.clamp(0.0, 1.0) } else { 0.0 };
        Point { x: a.x + dx * t, z: a.z + dz * t, y: p.y }
    });
    places.min_by(|a, b| length(*a, p).total_cmp(&length(*b, p))).unwrap_or(p)
}

/// The edges that no other triangle has in the opposite direction.
fn outline_of(triangles: &[GroundTriangle]) -> Vec<GroundEdge> {
    let edges = |(triangle, &GroundTriangle { corners, .. }): (usize, &GroundTriangle)| {
        (0..3).map(move |k| ([corners[k], corners[(k + 1) % 3]], triangle))
    };
    let all: Vec<GroundEdge> = triangles.iter().enumerate().flat_map(edges).collect();
    let mut keys: Vec<[[u64; 2]; 2]> = all.iter().map(|([a, b], _)| [a.key(), b.key()]).collect();
    keys.sort_unstable();
    let is_inner = |([a, b], _): &GroundEdge| keys.binary_search(&[b.key(), a.key()]).is_ok();
    all.into_iter().filter(|edge| !is_inner(edge)).collect()
}

/// The unit vector away from the surface, to the right of an edge; none for an edge of length zero.
fn outward(a: Point, b: Point) -> [f64; 2] {
    let length = length(a, b);
    if length > 0.0 { [-(b.z - a.z) / length, (b.x - a.x) / length] } else { [0.0; 2] }
}

/// How far a vertex moves between two edges that both move by [`GROWN`]; limited at spikes.
fn offset_at(m: [f64; 2], n: [f64; 2]) -> [f64; 2] {
    let scale = GROWN / (1.0 + m[0] * n[0] + m[1] * n[1]).max(0.02);
    [0, 1].map(|axis: usize| (m[axis] + n[axis]) * scale)
}

/// Slope of a triangle along x and along z, in metres per unit; zero if the triangle is too thin to compute it.
fn slope_of([a, b, c]: &[Point; 3]) -> [f64; 2] {
    let area = cross(*a, *b, *c);
    let longest = length(*a, *b).max(length(*b, *c)).max(length(*c, *a));
    if area.abs() <= 2.0 * GROWN * longest {
        return [0.0; 2];
    }
    let u = [b.x - a.x, b.z - a.z, b.y - a.y];
    let v = [c.x - a.x, c.z - a.z, c.y - a.y];
    [(u[2] * v[1] - v[2] * u[1]) / area, (u[0] * v[2] - v[0] * u[2]) / area]
}
