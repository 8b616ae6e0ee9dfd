//! Whether a tile's arrays fit together, so that everything built on it can index without looking.
//!
//! This is what a mesh asks of every tile that enters it, whoever made it: counts within their limits, indices in
//! range, numbers finite. It is one pass over the arrays and costs a few nanoseconds a corner. Whether the polygons are
//! also *good* — convex, wound the right way, linked both ways — is a question of quality that
//! [`defects`](super::defects) answers: a tile with such defects loads, and gives worse answers, but harms nothing.

use super::{EdgeNeighbour, TileData};
use crate::math::Aabb;
use wide::{CmpEq, i32x8};

/// Most polygons of one tile: a polygon reference has 20 bits for them.
pub const MAX_POLYS: usize = 1 << 20;

/// Most corners of one tile: what the packed neighbours can number. One less, so that no border edge looks like a wall.
const MAX_CORNERS: usize = (1 << 29) - 1;

/// A tile whose arrays do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// More polygons than a reference can number.
    #[error("the tile has {count} polygons, but a tile holds at most {MAX_POLYS}: use smaller tiles")]
    TooManyPolys {
        /// Polygons in the tile.
        count: usize,
    },
    /// More corners or vertices than can be numbered.
    #[error("the tile has {count} {what}, more than can be numbered: use smaller tiles")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// Two arrays that go together differ in length.
    #[error("the tile has {have} {what}, but {want} are needed")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        have: usize,
        /// How many there must be.
        want: usize,
    },
    /// A polygon with less than three corners.
    #[error("polygon {poly} has {count} corners, but needs 3 or more")]
    TooFewCorners {
        /// The polygon.
        poly: u32,
        /// Its corners.
        count: u16,
    },
    /// The corners of polygons must follow each other in the order of the polygons.
    #[error("the corners of polygon {poly} begin at {first}, but the corners before it end at {expected}")]
    CornersNotPacked {
        /// The polygon.
        poly: u32,
        /// Its first corner.
        first: u32,
        /// Where it should be.
        expected: u32,
    },
    /// An index beyond its array.
    #[error("{what} of polygon {poly} is {index}, but there are only {count}")]
    Index {
        /// What the index means.
        what: &'static str,
        /// The polygon it was found at.
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
    /// Seams must be sorted by side, cell and height, and need a cell size.
    #[error("seam {seam} is out of order, or the tile's cell size is 0")]
    SeamOrder {
        /// The seam's index.
        seam: u32,
    },
}

impl TileData {
    /// Checks that counts, indices and numbers are sound. What passes cannot make a query panic.
    ///
    /// # Errors
    /// The first [`TileError`] found.
    pub fn validate(&self) -> Result<(), TileError> {
        self.check_head()?;
        self.check_polys()?;
        self.check_neighbours()?;
        self.check_details()?;
        self.check_seams()?;
        finite("vertex", &self.verts)?;
        finite("detail vertex", &self.detail_verts)
    }

    fn check_head(&self) -> Result<(), TileError> {
        let sizes = [
            ("agent height", self.agent_height),
            ("agent radius", self.agent_radius),
            ("agent climb", self.agent_climb),
            ("cell size", self.cell_size),
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
            ("seams", self.seams.len()),
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
        for (poly, p) in (0u32..).zip(&self.polys) {
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
        // One vectorised scan; the place is looked for only once something is wrong.
        if self.corners.iter().fold(false, |bad, &v| bad | (v >= verts)) {
            let corner = self.corners.iter().position(|&v| v >= verts).unwrap_or(0);
            let (poly, index) = (self.poly_at(corner), u64::from(self.corners[corner]));
            return Err(TileError::Index { what: "a vertex", poly, index, count: u64::from(verts) });
        }
        Ok(())
    }

    fn check_neighbours(&self) -> Result<(), TileError> {
        let polys = self.polys.len() as u32;
        // Both scans are free of branches; the place is looked for only once something is wrong.
        let beyond = self.neighbours.iter().fold(false, |bad, n| bad | n.as_poly().is_some_and(|next| next >= polys));
        if beyond {
            let wrong = |n: &EdgeNeighbour| n.as_poly().filter(|next| *next >= polys);
            let corner = self.neighbours.iter().position(|n| wrong(n).is_some()).unwrap_or(0);
            let index = u64::from(self.neighbours.get(corner).and_then(wrong).unwrap_or(0));
            let poly = self.poly_at(corner);
            return Err(TileError::Index { what: "a neighbour", poly, index, count: u64::from(polys) });
        }
        for (poly, p) in (0u32..).zip(&self.polys) {
            let edges = &self.neighbours[p.first as usize..];
            let (few, count) = (edges.first_chunk::<8>(), usize::from(p.count));
            // Eight at once, those of the next polygons left out: where the polygon ends cannot be foreseen.
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
        let (verts, tris) = (self.detail_verts.len() as u64, self.detail_tris.len() as u64);
        for ((poly, range), p) in (0u32..).zip(&self.details).zip(&self.polys) {
            let verts_end = u64::from(range.first_vert) + u64::from(range.vert_count);
            let tris_end = u64::from(range.first_tri) + u64::from(range.tri_count);
            if verts_end > verts || tris_end > tris {
                in_range("the end of the detail vertices", poly, verts_end, verts + 1)?;
                in_range("the end of the detail triangles", poly, tris_end, tris + 1)?;
            }
            let last = i32::from(p.count) + i32::from(range.vert_count) - 1;
            let tris = &self.detail_tris[range.first_tri as usize..tris_end as usize];
            // Below zero as soon as one vertex is beyond the last: arithmetic, since nobody can foresee which.
            let beyond = tris.iter().fold(0, |all, t| t.verts.iter().fold(all, |all, &v| all | (last - i32::from(v))));
            if beyond < 0 {
                let most = tris.iter().flat_map(|t| t.verts).max().unwrap_or(0);
                in_range("a detail triangle's vertex", poly, u64::from(most), last as u64 + 1)?;
            }
        }
        Ok(())
    }

    fn check_seams(&self) -> Result<(), TileError> {
        let mut last = None;
        for (index, seam) in (0u32..).zip(&self.seams) {
            let side = self.neighbours.get(seam.edge as usize).and_then(|n| n.as_border());
            let Some(side) = side else { return Err(TileError::SeamEdge { seam: index, corner: seam.edge }) };
            let key = (side as u8, seam.cell, seam.here);
            if last > Some(key) || self.cell_size <= 0.0 {
                return Err(TileError::SeamOrder { seam: index });
            }
            last = Some(key);
        }
        Ok(())
    }

    /// The polygon that owns a corner.
    pub(crate) fn poly_at(&self, corner: usize) -> u32 {
        self.polys.partition_point(|p| p.first as usize <= corner).saturating_sub(1) as u32
    }
}

/// Which of eight edges lead to a polygon, as bits.
fn naming(edges: &[EdgeNeighbour; 8], poly: u32) -> u32 {
    let beyond = i32x8::new(edges.map(|n| n.to_bits() as i32));
    beyond.cmp_eq(i32x8::splat(poly as i32)).move_mask() as u32
}

fn count(what: &'static str, have: usize, want: usize) -> Result<(), TileError> {
    if have == want { Ok(()) } else { Err(TileError::Count { what, have, want }) }
}

fn in_range(what: &'static str, poly: u32, index: u64, count: u64) -> Result<(), TileError> {
    if index < count { Ok(()) } else { Err(TileError::Index { what, poly, index, count }) }
}

fn finite(what: &'static str, points: &[glam::Vec3]) -> Result<(), TileError> {
    // The exponent of a number that is not finite is all ones: one vectorised scan without branches.
    let bad = |v: f32| v.to_bits() & 0x7f80_0000 == 0x7f80_0000;
    if points.iter().fold(false, |any, p| any | bad(p.x) | bad(p.y) | bad(p.z)) {
        let index = points.iter().position(|p| !p.is_finite()).unwrap_or(0) as u32;
        return Err(TileError::NotFinite { what, index });
    }
    Ok(())
}
