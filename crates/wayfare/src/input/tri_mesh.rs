//! Triangle meshes, validated on input so that no later stage meets a bad number or index.

use crate::area::AreaId;
use crate::math::{Aabb, Frame};
use glam::Vec3;

/// A validated set of triangles, each with an area type.
///
/// Every vertex that a triangle uses is finite, every index is in range, and no triangle has three collinear or
/// coincident corners. Winding decides which side is up: a triangle is walkable only on the side of its normal `(b - a)
/// × (c - a)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TriMesh {
    verts: Vec<Vec3>,
    tris: Vec<[u32; 3]>,
    areas: Vec<AreaId>,
    bounds: Aabb,
    report: InputReport,
}

/// The triangles that [`TriMesh::new`] dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputReport {
    /// Number of triangles dropped because a corner is not finite.
    pub not_finite: u32,
    /// Number of triangles dropped because they have no area.
    pub degenerate: u32,
    /// The first triangle with a corner that is not finite, as an index into the triangles given.
    pub first_not_finite: Option<u32>,
    /// Position of that triangle: its first finite corner; `None` if none is finite.
    pub first_not_finite_at: Option<Vec3>,
    /// The first triangle without area, as an index into the triangles given.
    pub first_degenerate: Option<u32>,
    /// Position of that triangle.
    pub first_degenerate_at: Option<Vec3>,
}

/// Why geometry was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TriMeshError {
    /// A triangle uses a vertex that does not exist.
    #[error("triangle {triangle} names vertex {index}, but there are only {vertices} (numbered from 0)")]
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex index it uses.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// There are more vertices or triangles than 32-bit indices can count.
    #[error(
        "{count} vertices or triangles are more than the 4294967294 that 32-bit indices can count: split the level"
    )]
    TooLarge {
        /// Number given.
        count: usize,
    },
    /// There is not one area per triangle.
    #[error("{areas} areas were given for {triangles} triangles: give one each")]
    AreaCount {
        /// Number of areas given.
        areas: usize,
        /// Number of triangles given.
        triangles: usize,
    },
    /// No usable triangle is left.
    #[error(
        "the level has no usable triangle: {given} given, {not_finite} with corners that are NaN or infinite, {degenerate} without area"
    )]
    Empty {
        /// Number of triangles given.
        given: usize,
        /// Of these, dropped because a corner is not finite.
        not_finite: u32,
        /// Of these, dropped because they have no area.
        degenerate: u32,
    },
}

impl InputReport {
    /// Nothing was dropped.
    const NONE: Self = Self {
        not_finite: 0,
        degenerate: 0,
        first_not_finite: None,
        first_not_finite_at: None,
        first_degenerate: None,
        first_degenerate_at: None,
    };
}

impl TriMesh {
    /// From triangles with separate corners. Invalid ones are dropped, as in [`new`](Self::new); if none is left, the
    /// mesh is empty.
    pub(crate) fn of_triangles(triangles: impl IntoIterator<Item = ([Vec3; 3], AreaId)>) -> Self {
        let (corners, areas): (Vec<[Vec3; 3]>, Vec<AreaId>) = triangles.into_iter().unzip();
        let tris = (0..areas.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self::with_areas(corners.into_flattened(), tris, areas).unwrap_or(Self::EMPTY)
    }

    /// No triangles: for a level that is terrain only.
    pub const EMPTY: Self =
        Self { verts: Vec::new(), tris: Vec::new(), areas: Vec::new(), bounds: Aabb::EMPTY, report: InputReport::NONE };

    /// Checks the geometry; all triangles get [`AreaId::WALKABLE`].
    ///
    /// Triangles without area or with a corner that is not finite are dropped and counted in the [report](Self::report). O(vertices +
    /// triangles).
    ///
    /// # Errors
    /// An index out of range, or nothing left: [`TriMeshError`].
    pub fn new(verts: Vec<Vec3>, tris: Vec<[u32; 3]>) -> Result<Self, TriMeshError> {
        let areas = vec![AreaId::WALKABLE; tris.len()];
        Self::with_areas(verts, tris, areas)
    }

    /// Like [`TriMesh::new`], with an area type for each triangle. Triangles of type [`AreaId::NULL`] obstruct but are
    /// never walkable.
    ///
    /// # Errors
    /// As [`TriMesh::new`]; also if there is not one area per triangle.
    pub fn with_areas(verts: Vec<Vec3>, mut tris: Vec<[u32; 3]>, mut areas: Vec<AreaId>) -> Result<Self, TriMeshError> {
        let given = tris.len();
        if areas.len() != given {
            return Err(TriMeshError::AreaCount { areas: areas.len(), triangles: given });
        }
        let count = verts.len().max(given);
        if count >= u32::MAX as usize {
            return Err(TriMeshError::TooLarge { count });
        }
        let mut report = InputReport::default();
        let mut kept = 0;
        let mut bounds = Aabb::EMPTY;
        for i in 0..given {
            let tri = tris[i];
            if let Some(&index) = tri.iter().find(|&&v| v as usize >= verts.len()) {
                return Err(TriMeshError::IndexOutOfRange { triangle: i, index, vertices: verts.len() });
            }
            let corners = tri.map(|v| verts[v as usize]);
            let (dropped, first, first_at) = if !corners.iter().all(|c| c.is_finite()) {
                (&mut report.not_finite, &mut report.first_not_finite, &mut report.first_not_finite_at)
            } else if !has_area(corners) {
                (&mut report.degenerate, &mut report.first_degenerate, &mut report.first_degenerate_at)
            } else {
                corners.iter().for_each(|&c| bounds.grow(c));
                tris[kept] = tri;
                areas[kept] = areas[i];
                kept += 1;
                continue;
            };
            *dropped += 1;
            if first.is_none() {
                (*first, *first_at) = (Some(i as u32), corners.into_iter().find(|c| c.is_finite()));
            }
        }
        if kept == 0 {
            return Err(TriMeshError::Empty { given, not_finite: report.not_finite, degenerate: report.degenerate });
        }
        tris.truncate(kept);
        areas.truncate(kept);
        Ok(Self { verts, tris, areas, bounds, report })
    }

    /// Like [`TriMesh::new`], from geometry in another frame: z up, left-handed, in centimetres. Triangles keep facing
    /// the side to which `(b − a) × (c − a)` points in the caller's coordinates.
    ///
    /// # Errors
    /// As [`TriMesh::new`].
    pub fn in_frame(frame: Frame, mut verts: Vec<Vec3>, mut tris: Vec<[u32; 3]>) -> Result<Self, TriMeshError> {
        frame.points_in(&mut verts);
        frame.wind(&mut tris);
        Self::new(verts, tris)
    }

    /// All vertices as given, including unused ones (which may not be finite).
    #[must_use]
    pub fn verts(&self) -> &[Vec3] {
        &self.verts
    }

    /// The triangles, three vertex indices each.
    #[must_use]
    pub fn tris(&self) -> &[[u32; 3]] {
        &self.tris
    }

    /// The area type of each triangle.
    #[must_use]
    pub fn areas(&self) -> &[AreaId] {
        &self.areas
    }

    /// The triangles that were dropped: a bake reports them among its warnings.
    #[must_use]
    pub fn report(&self) -> &InputReport {
        &self.report
    }

    /// The box around all triangles.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The corners of triangle `i`.
    ///
    /// # Panics
    /// If there is no triangle `i`.
    #[must_use]
    #[inline]
    pub fn corners(&self, i: usize) -> [Vec3; 3] {
        self.tris[i].map(|v| self.verts[v as usize])
    }
}

/// Whether the triangle has a normal. In f64, so that tiny triangles keep theirs and huge ones do not overflow.
pub(crate) fn has_area(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    (b - a).cross(c - a).length_squared() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, y, z)
    }

    #[test]
    fn bad_triangles_are_dropped_and_counted() {
        let verts = vec![v(0., 0., 0.), v(0., 0., 1.), v(1., 0., 0.), v(f32::NAN, 0., 0.), v(0., 0., 2.)];
        let mesh = TriMesh::new(verts, vec![[2, 2, 2], [0, 1, 2], [3, 3, 3], [0, 1, 3], [0, 1, 4]]).unwrap();
        let report = mesh.report();
        assert_eq!(mesh.tris(), [[0, 1, 2]]);
        assert_eq!((report.not_finite, report.degenerate), (2, 2));
        // The first one that is not finite has no finite corner.
        assert_eq!((report.first_not_finite, report.first_degenerate), (Some(2), Some(0)));
        assert_eq!(report.first_not_finite_at, None);
        assert_eq!(report.first_degenerate_at, Some(v(1., 0., 0.)));
        assert_eq!(mesh.bounds(), Aabb { min: v(0., 0., 0.), max: v(1., 0., 1.) });
    }

    #[test]
    fn an_index_out_of_range_is_an_error() {
        let error = TriMesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 9]]).unwrap_err();
        assert_eq!(error, TriMeshError::IndexOutOfRange { triangle: 0, index: 9, vertices: 3 });
    }

    #[test]
    fn nothing_left_is_an_error() {
        assert!(matches!(TriMesh::new(vec![], vec![]), Err(TriMeshError::Empty { given: 0, .. })));
        assert!(matches!(TriMesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]), Err(TriMeshError::Empty { .. })));
    }
}
