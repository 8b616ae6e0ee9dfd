//! Checks that a tile's arrays are consistent, so that all code using it can index without checks.
//!
//! Every tile is checked when it is made or read, by whomever: counts within their limits, indices in range, numbers
//! finite. It is one pass over the arrays and costs a few nanoseconds a corner. Whether the polygons are also *good*
//! (convex, wound the right way, linked both ways) is a question of quality that [`defects`](super::defects) answers: a
//! tile with such defects loads and gives worse answers, but does no harm.

use super::few::each_of_few;
use super::{BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell};
use crate::area::AREA_COUNT;
use crate::math::Aabb;
use crate::math::steps;
use glam::Vec3;
use wide::{CmpEq, f32x4, i32x8};

/// Most polygons of one tile: a polygon reference has 20 bits for them.
pub const MAX_POLYS: usize = 1 << 20;

/// Most corners of one tile: what packed neighbours can number. One less, so that no border edge looks like a wall.
const MAX_CORNERS: usize = (1 << 29) - 1;

/// Inconsistent arrays of a tile.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// There are more polygons than a reference can number.
    #[error("the tile has {count} polygons, but a tile holds at most {MAX_POLYS}: use smaller tiles")]
    TooManyPolys {
        /// Polygons in the tile.
        count: usize,
    },
    /// There are more corners or vertices than can be numbered.
    #[error("the tile has {count} {what}, more than can be numbered: use smaller tiles")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// Two arrays that belong together differ in length.
    #[error("the tile has {have} {what}, but {want} are needed")]
    Count {
        /// Which elements.
        what: &'static str,
        /// The number present.
        have: usize,
        /// The number required.
        want: usize,
    },
    /// A polygon with fewer than three corners.
    #[error("polygon {poly} has {count} corners, but needs 3 or more")]
    TooFewCorners {
        /// The polygon.
        poly: u32,
        /// Its corners.
        count: u16,
    },
    /// The corners of polygons must be stored in the order of the polygons.
    #[error("the corners of polygon {poly} begin at {first}, but the corners before it end at {expected}")]
    CornersNotPacked {
        /// The polygon.
        poly: u32,
        /// Its first corner.
        first: u32,
        /// Where it should begin.
        expected: u32,
    },
    /// Polygons share their details.
    #[error("the polygons have {used} {what} in all, but the tile only {have}: give each polygon its own")]
    Shared {
        /// Which elements.
        what: &'static str,
        /// The number that the polygons refer to.
        used: u64,
        /// The number present.
        have: u64,
    },
    /// An index out of range.
    #[error("{what} of polygon {poly} is {index}, but there are only {count}")]
    Index {
        /// What the index refers to.
        what: &'static str,
        /// The polygon where it was found.
        poly: u32,
        /// The index.
        index: u64,
        /// The length of the array.
        count: u64,
    },
    /// A vertex that is not finite.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// Vertex or detail vertex.
        what: &'static str,
        /// Its index.
        index: u32,
    },
    /// A size in the tile's head that is negative or not finite.
    #[error("{name} is {value}, but must be finite, 0 or above")]
    Size {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f32,
    },
    /// A polygon that has itself as neighbour.
    #[error("edge {edge} of polygon {poly} leads back to the same polygon")]
    OwnNeighbour {
        /// The polygon.
        poly: u32,
        /// The edge, counted from 0.
        edge: u32,
    },
    /// A seam that does not belong to a border edge.
    #[error("seam {seam} belongs to corner {corner}, which begins no border edge")]
    SeamEdge {
        /// The seam's index.
        seam: u32,
        /// The corner it names.
        corner: u32,
    },
    /// Seams must be sorted by side, cell, both heights and edge, each once, and need a cell size.
    #[error("seam {seam} is out of order or there twice, or the tile's cell size is 0")]
    SeamOrder {
        /// The seam's index.
        seam: u32,
    },
    /// A block of bytes that does not have the layout of a tile.
    #[error("the tile's bytes have {value} as {what}: they were cut short, or not written by this library")]
    Block {
        /// What is wrong.
        what: &'static str,
        /// The number found.
        value: u32,
    },
    /// An invalid number in a block.
    #[error("the tile has {value} as {what}, which is not a valid value")]
    Value {
        /// What it was read as.
        what: &'static str,
        /// The number.
        value: u32,
    },
    /// The listed border edges are not those of the polygons, or are out of order.
    #[error("border edge {edge} is none, or out of order")]
    Border {
        /// The edge's number.
        edge: u32,
    },
}

/// The lists that define the polygons of a tile, wherever they are stored.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct TileLists<'a> {
    pub(crate) bounds: Aabb,
    pub(crate) baked_for: BakedFor,
    pub(crate) polys: &'a [Poly],
    pub(crate) verts: &'a [Vec3],
    pub(crate) corners: &'a [u32],
    pub(crate) neighbours: &'a [EdgeNeighbour],
    pub(crate) details: &'a [DetailRange],
    pub(crate) detail_verts: &'a [Vec3],
    pub(crate) detail_tris: &'a [DetailTri],
}

impl TileLists<'_> {
    /// Checks that counts, indices and numbers are valid, and computes the box around all vertices, including detail
    /// vertices; empty if there are none. A tile that passes cannot make a query panic.
    pub(super) fn check(&self) -> Result<Aabb, TileError> {
        self.check_head()?;
        self.check_polys()?;
        self.check_neighbours()?;
        self.check_details()?;
        let bounds = box_of([self.verts, self.detail_verts]);
        if bounds.is_none() {
            finite("vertex", self.verts)?;
            finite("detail vertex", self.detail_verts)?;
        }
        Ok(bounds.filter(|_| !self.polys.is_empty()).unwrap_or(Aabb::EMPTY))
    }

    fn check_head(&self) -> Result<(), TileError> {
        let sizes = [
            ("agent height", self.baked_for.height),
            ("agent radius", self.baked_for.radius),
            ("agent climb", self.baked_for.climb),
            ("cell size", self.baked_for.cell_size),
            ("cell height", self.baked_for.cell_height),
        ];
        for (name, value) in sizes {
            if !(value.is_finite() && value >= 0.0) {
                return Err(TileError::Size { name, value });
            }
        }
        if self.bounds != Aabb::EMPTY {
            finite("corner of the bounds", &[self.bounds.min, self.bounds.max])?;
        }
        if self.polys.len() > MAX_POLYS {
            return Err(TileError::TooManyPolys { count: self.polys.len() });
        }
        let lists = [
            ("corners", self.corners.len()),
            ("vertices", self.verts.len()),
            ("detail vertices", self.detail_verts.len()),
            ("detail triangles", self.detail_tris.len()),
        ];
        for (what, count) in lists {
            if count > MAX_CORNERS {
                return Err(TileError::TooMany { what, count });
            }
        }
        Ok(())
    }

    fn check_polys(&self) -> Result<(), TileError> {
        let mut expected = 0u32;
        for (poly, p) in (0u32..).zip(self.polys) {
            if p.count < 3 {
                return Err(TileError::TooFewCorners { poly, count: p.count });
            }
            if p.first != expected {
                return Err(TileError::CornersNotPacked { poly, first: p.first, expected });
            }
            expected = expected.saturating_add(u32::from(p.count));
        }
        count("corners", self.corners.len(), expected as usize)?;
        count("neighbours", self.neighbours.len(), expected as usize)?;
        let verts = self.verts.len() as u32;
        // One vectorised scan; the index is searched only if something is wrong.
        if self.corners.iter().fold(false, |bad, &v| bad | (v >= verts)) {
            let corner = self.corners.iter().position(|&v| v >= verts).unwrap_or(0);
            let poly = self.poly_at(corner);
            let index = u64::from(self.corners[corner]);
            return Err(TileError::Index { what: "a vertex", poly, index, count: u64::from(verts) });
        }
        Ok(())
    }

    fn check_neighbours(&self) -> Result<(), TileError> {
        let polys = self.polys.len() as u32;
        // Both scans are free of branches; the index is searched only if something is wrong.
        let beyond = self.neighbours.iter().fold(false, |bad, n| bad | n.as_poly().is_some_and(|next| next >= polys));
        if beyond {
            let wrong = |n: &EdgeNeighbour| n.as_poly().filter(|next| *next >= polys);
            let corner = self.neighbours.iter().position(|n| wrong(n).is_some()).unwrap_or(0);
            let index = u64::from(self.neighbours.get(corner).and_then(wrong).unwrap_or(0));
            let poly = self.poly_at(corner);
            return Err(TileError::Index { what: "a neighbour", poly, index, count: u64::from(polys) });
        }
        for (poly, p) in (0u32..).zip(self.polys) {
            let edges = &self.neighbours[p.first as usize..];
            let few = edges.first_chunk::<8>();
            let count = usize::from(p.count);
            // Eight at once, masking those of the next polygons: where the polygon ends is unpredictable.
            let bad = match few {
                Some(few) if count <= few.len() => naming(few, poly) & ((1 << count) - 1) != 0,
                _ => edges[..count].iter().any(|n| n.to_bits() == poly),
            };
            if bad {
                let edge = edges.iter().position(|n| n.to_bits() == poly).unwrap_or(0) as u32;
                return Err(TileError::OwnNeighbour { poly, edge });
            }
        }
        Ok(())
    }

    fn check_details(&self) -> Result<(), TileError> {
        if self.details.is_empty() {
            count("detail vertices", self.detail_verts.len(), 0)?;
            return count("detail triangles", self.detail_tris.len(), 0);
        }
        count("detail ranges", self.details.len(), self.polys.len())?;
        let verts = self.detail_verts.len() as u64;
        let tris = self.detail_tris.len() as u64;
        // Code that goes through the details of all polygons visits each once.
        let used = |of: fn(&DetailRange) -> u16| self.details.iter().map(|range| u64::from(of(range))).sum::<u64>();
        unshared("detail vertices", used(|range| range.vert_count), verts)?;
        unshared("detail triangles", used(|range| range.tri_count), tris)?;
        for ((poly, range), p) in (0u32..).zip(self.details).zip(self.polys) {
            let verts_end = u64::from(range.first_vert) + u64::from(range.vert_count);
            let tris_end = u64::from(range.first_tri) + u64::from(range.tri_count);
            if verts_end > verts || tris_end > tris {
                in_range("the end of the detail vertices", poly, verts_end, verts + 1)?;
                in_range("the end of the detail triangles", poly, tris_end, tris + 1)?;
            }
            let count = u32::from(p.count) + u32::from(range.vert_count);
            let tris = &self.detail_tris[range.first_tri as usize..tris_end as usize];
            steps::count(tris.len());
            if may_reach(tris, count) {
                let most = tris.iter().flat_map(|t| t.verts).max().unwrap_or(0);
                in_range("a detail triangle's vertex", poly, u64::from(most), u64::from(count))?;
            }
        }
        Ok(())
    }

    /// Whether seams are sorted, and each belongs to a border edge.
    pub(super) fn check_seams(&self, seams: &[SeamCell]) -> Result<(), TileError> {
        if seams.len() > MAX_CORNERS {
            return Err(TileError::TooMany { what: "seams", count: seams.len() });
        }
        let mut least = 0;
        for (index, seam) in (0u32..).zip(seams) {
            let side = self.neighbours.get(seam.edge as usize).and_then(|n| n.as_border());
            let Some(side) = side else { return Err(TileError::SeamEdge { seam: index, corner: seam.edge }) };
            // Side, cell, heights, edge: comparing them as one number is fastest.
            let place = (side as u64) << 32 | u64::from(seam.cell as u32 ^ 1 << 31);
            let heights = u32::from(seam.here) << 16 | u32::from(seam.there);
            let key = u128::from(place) << 64 | u128::from(u64::from(heights) << 32 | u64::from(seam.edge));
            if key < least || self.baked_for.cell_size <= 0.0 {
                return Err(TileError::SeamOrder { seam: index });
            }
            least = key + 1;
        }
        Ok(())
    }

    /// Checks that all numbers read from bytes are valid. (Those from a caller always are.)
    pub(super) fn check_values(&self) -> Result<(), TileError> {
        let unknown = |n: &EdgeNeighbour| EdgeNeighbour::from_bits(n.to_bits()).is_none();
        // Both scans are free of branches; the index is searched only if something is wrong.
        if self.neighbours.iter().fold(false, |bad, n| bad | unknown(n)) {
            let value = self.neighbours.iter().find(|n| unknown(n)).map_or(0, |n| n.to_bits());
            return Err(TileError::Value { what: "neighbour", value });
        }
        let meant = |p: &Poly| usize::from(p.area.get()) < AREA_COUNT && p.reserved == [0; 3];
        if !self.polys.iter().fold(true, |good, p| good & meant(p)) {
            let poly = self.polys.iter().find(|p| !meant(p));
            let value =
                poly.map_or(0, |p| u32::from_le_bytes([p.area.get(), p.reserved[0], p.reserved[1], p.reserved[2]]));
            return Err(TileError::Value { what: "area type", value });
        }
        Ok(())
    }

    /// The two ends of the edge that begins at a corner of a polygon.
    pub(super) fn edge(&self, poly: u32, corner: u32) -> [Vec3; 2] {
        let range = self.polys[poly as usize].range();
        let next = if corner as usize + 1 == range.end { range.start } else { corner as usize + 1 };
        [corner as usize, next].map(|corner| self.verts[self.corners[corner] as usize])
    }

    /// The polygon that owns a corner.
    fn poly_at(&self, corner: usize) -> u32 {
        self.polys.partition_point(|p| p.first as usize <= corner).saturating_sub(1) as u32
    }
}

/// Which of eight edges lead to a polygon, as bits.
fn naming(edges: &[EdgeNeighbour; 8], poly: u32) -> u32 {
    let beyond = i32x8::new(edges.map(|n| n.to_bits() as i32));
    beyond.cmp_eq(i32x8::splat(poly as i32)).move_mask() as u32
}

/// Whether a vertex of a triangle may be as large as `count`; if not, none is. Three are tested in one word: values
/// below 2¹⁵ are increased so that an invalid one sets the high bit, which larger values have already.
fn may_reach(tris: &[DetailTri], count: u32) -> bool {
    const TOPS: u64 = 0x8000_8000_8000;
    let lift = u64::from((1u32 << 15).saturating_sub(count)) * 0x1_0001_0001;
    let mut reached = 0;
    each_of_few(tris, |DetailTri { verts: [a, b, c], outline }| {
        let word = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(outline) << 48;
        reached |= word | ((word & (TOPS - 0x1_0001_0001)) + lift);
    });
    reached & TOPS != 0
}

fn count(what: &'static str, have: usize, want: usize) -> Result<(), TileError> {
    if have == want { Ok(()) } else { Err(TileError::Count { what, have, want }) }
}

fn unshared(what: &'static str, used: u64, have: u64) -> Result<(), TileError> {
    if used <= have { Ok(()) } else { Err(TileError::Shared { what, used, have }) }
}

fn in_range(what: &'static str, poly: u32, index: u64, count: u64) -> Result<(), TileError> {
    if index < count { Ok(()) } else { Err(TileError::Index { what, poly, index, count }) }
}

fn finite(what: &'static str, points: &[Vec3]) -> Result<(), TileError> {
    match points.iter().position(|p| !p.is_finite()) {
        Some(index) => Err(TileError::NotFinite { what, index: index as u32 }),
        None => Ok(()),
    }
}

/// The box around all points of two lists; `None` if one is not finite.
fn box_of(lists: [&[Vec3]; 2]) -> Option<Aabb> {
    let mut low = [f32x4::splat(f32::INFINITY); 3];
    let mut high = [f32x4::splat(f32::NEG_INFINITY); 3];
    let mut odd = f32x4::ZERO;
    let mut rest = Aabb::EMPTY;
    for list in lists {
        // Four points are twelve numbers in a row: three whole vectors.
        let (fours, few) = list.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let rows = [[a.x, a.y, a.z, b.x], [b.y, b.z, c.x, c.y], [c.z, d.x, d.y, d.z]].map(f32x4::new);
            for (row, v) in rows.into_iter().enumerate() {
                (low[row], high[row]) = (low[row].fast_min(v), high[row].fast_max(v));
                // Zero unless something is not finite.
                odd |= v * f32x4::ZERO;
            }
        }
        for &v in few {
            rest = rest.union(Aabb { min: v, max: v });
            odd |= f32x4::new([v.x, v.y, v.z, 0.0]) * f32x4::ZERO;
        }
    }
    let [low, high] = [low, high].map(|rows| rows.map(f32x4::to_array));
    let lows = low.as_flattened().as_chunks::<3>().0;
    let highs = high.as_flattened().as_chunks::<3>().0;
    let min = lows.iter().fold(rest.min, |all, &v| all.min(v.into()));
    let max = highs.iter().fold(rest.max, |all, &v| all.max(v.into()));
    odd.to_array().iter().all(|&v| v == 0.0).then_some(Aabb { min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_that_is_too_great_is_seen_wherever_it_stands() {
        for count in [3, 4, 0x7fff, 0x8000, 0xffff, 0x1_0000] {
            let fine = DetailTri { verts: [0, 2, (count.min(1 << 15) - 1) as u16], outline: u16::MAX };
            assert!((0..9).all(|tris| !may_reach(&vec![fine; tris], count)), "{count}");
            for great in [count, 0x8000, 0xffff].into_iter().filter(|great| (count..=0xffff).contains(great)) {
                for (place, corner) in (0..9).flat_map(|place| [(place, 0), (place, 1), (place, 2)]) {
                    let mut tris = vec![fine; 9];
                    tris[place].verts[corner] = great as u16;
                    assert!(may_reach(&tris, count), "{great} of {count} at {place}, {corner}");
                }
            }
        }
    }

    #[test]
    fn the_box_is_around_all_points_or_one_is_not_finite() {
        for (verts, details) in [(0, 1), (1, 0), (3, 9), (7, 4), (8, 8)] {
            let at = |k: usize| Vec3::new(k as f32 * 0.5 - 2.0, -(k as f32), (k * 5 % 7) as f32);
            let points: Vec<Vec3> = (0..verts + details).map(at).collect();
            let around = points.iter().fold(Aabb::EMPTY, |all, &p| all.union(Aabb { min: p, max: p }));
            let (first, second) = points.split_at(verts);
            assert_eq!(box_of([first, second]), Some(around));
            for (place, axis) in (0..points.len()).flat_map(|place| [(place, 0), (place, 1), (place, 2)]) {
                for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                    let mut points = points.clone();
                    points[place][axis] = odd;
                    let (first, second) = points.split_at(verts);
                    assert_eq!(box_of([first, second]), None, "{odd} at {place}, {axis}");
                }
            }
        }
    }
}
