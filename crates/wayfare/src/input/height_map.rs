//! Ground given by heights over a grid of points, as terrains are.
//!
//! ```text
//!   a---b     Four points make two triangles, cut from b to c. They are never all made: the rasteriser asks for those of one
//!   | / |     row at a time, so a height map takes two bytes a point where its triangles would take about forty.
//!   c---d
//! ```
//!
//! The triangles are the very ones that the same points would make as a [`TriMesh`](super::TriMesh), and so are the
//! bytes of the bake.
//!
//! Cost: two bytes a point. Sources: own work.

use crate::area::AreaId;
use crate::math::Aabb;
use core::ops::Range;
use glam::Vec3;

/// Heights over a grid of points.
#[derive(Clone, PartialEq)]
pub struct HeightMap {
    columns: u32,
    rows: u32,
    samples: Vec<u16>,
    scale: HeightScale,
    area: AreaId,
    bounds: Aabb,
}

/// Where the points of a height map lie. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightScale {
    /// The point of column 0, row 0 at sample 0.
    pub origin: Vec3,
    /// Distance from column to column (towards +x) and from row to row (towards +z). Above 0.
    pub spacing: f64,
    /// Height of one step of a sample. Above 0.
    pub step: f64,
}

/// Why heights were refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightMapError {
    /// Too few points, or another number of samples than of points.
    #[error("{samples} samples were given for {columns} x {rows} points: give one each, and at least 2 x 2")]
    Size {
        /// Columns given.
        columns: u32,
        /// Rows given.
        rows: u32,
        /// Samples given.
        samples: usize,
    },
    /// A measure that is no length.
    #[error("the {name} of a height map is {value}, but must be a finite number{}", if *.name == "origin" { "" } else { " above 0" })]
    Scale {
        /// Which one.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

impl HeightMap {
    /// A height map of `columns` × `rows` points, row by row; all of it is [`AreaId::WALKABLE`] where it is not too
    /// steep.
    ///
    /// # Errors
    /// [`HeightMapError`].
    pub fn new(columns: u32, rows: u32, samples: Vec<u16>, scale: HeightScale) -> Result<Self, HeightMapError> {
        if columns < 2 || rows < 2 || samples.len() as u64 != u64::from(columns) * u64::from(rows) {
            return Err(HeightMapError::Size { columns, rows, samples: samples.len() });
        }
        for (name, value) in [("spacing", scale.spacing), ("step", scale.step)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(HeightMapError::Scale { name, value });
            }
        }
        if let Some(value) = scale.origin.to_array().into_iter().find(|c| !c.is_finite()) {
            return Err(HeightMapError::Scale { name: "origin", value: f64::from(value) });
        }
        let (low, high) = samples.iter().fold((u16::MAX, 0), |(low, high), &s| (low.min(s), high.max(s)));
        let mut map = Self { columns, rows, samples, scale, area: AreaId::WALKABLE, bounds: Aabb::EMPTY };
        map.bounds = Aabb::around([map.place(0, 0, low), map.place(columns - 1, rows - 1, high)]);
        if !(map.bounds.min.is_finite() && map.bounds.max.is_finite()) {
            return Err(HeightMapError::Scale { name: "spacing", value: scale.spacing });
        }
        Ok(map)
    }

    /// The same ground with another area type.
    #[must_use]
    pub fn with_area(self, area: AreaId) -> Self {
        Self { area, ..self }
    }

    /// The area type of all of it.
    #[must_use]
    pub fn area(&self) -> AreaId {
        self.area
    }

    /// Points along x.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Points along z.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Where the points lie.
    #[must_use]
    pub fn scale(&self) -> HeightScale {
        self.scale
    }

    /// The heights, row by row.
    #[must_use]
    pub fn samples(&self) -> &[u16] {
        &self.samples
    }

    /// The box around all points.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The point in a column and a row.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn point(&self, column: u32, row: u32) -> Vec3 {
        self.place(column, row, self.samples[row as usize * self.columns as usize + column as usize])
    }

    fn place(&self, column: u32, row: u32, sample: u16) -> Vec3 {
        let HeightScale { origin, spacing, step } = self.scale;
        let at = |origin: f32, steps: f64| (f64::from(origin) + steps) as f32;
        Vec3::new(
            at(origin.x, f64::from(column) * spacing),
            at(origin.y, f64::from(sample) * step),
            at(origin.z, f64::from(row) * spacing),
        )
    }

    /// The pairs of triangles between rows `row` and `row + 1` and these columns.
    pub(crate) fn triangles(&self, row: u32, columns: Range<u32>) -> impl Iterator<Item = [Vec3; 3]> {
        columns.flat_map(move |x| {
            let [a, b] = [self.point(x, row), self.point(x + 1, row)];
            let [c, d] = [self.point(x, row + 1), self.point(x + 1, row + 1)];
            [[a, c, b], [b, c, d]]
        })
    }

    /// The columns between whose points lies what lies between two x, and some more for rounding.
    pub(crate) fn columns_between(&self, low: f32, high: f32) -> Range<u32> {
        self.between(self.scale.origin.x, [low, high], self.columns)
    }

    /// The same of rows, between two z.
    pub(crate) fn rows_between(&self, low: f32, high: f32) -> Range<u32> {
        self.between(self.scale.origin.z, [low, high], self.rows)
    }

    fn between(&self, origin: f32, [low, high]: [f32; 2], count: u32) -> Range<u32> {
        let steps = |v: f32| ((f64::from(v) - f64::from(origin)) / self.scale.spacing).floor();
        let last = f64::from(count - 1);
        // Points are rounded to f32: far out, several of them may lie between two that f32 tells apart.
        let slack = 2.0 + (f64::from(low.abs().max(high.abs())) * f64::from(f32::EPSILON) / self.scale.spacing).ceil();
        (steps(low) - slack).clamp(0.0, last) as u32..(steps(high) + slack + 1.0).clamp(0.0, last) as u32
    }
}

impl core::fmt::Debug for HeightMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HeightMap")
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .field("scale", &self.scale)
            .field("area", &self.area)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: HeightScale = HeightScale { origin: Vec3::new(1.0, 2.0, 3.0), spacing: 2.0, step: 0.5 };

    #[test]
    fn points_lie_where_the_scale_says_and_triangles_face_up() {
        let map = HeightMap::new(3, 2, vec![0, 4, 0, 0, 0, 2], SCALE).unwrap();
        assert_eq!(map.point(1, 0), Vec3::new(3.0, 4.0, 3.0));
        assert_eq!(map.bounds(), Aabb { min: Vec3::new(1.0, 2.0, 3.0), max: Vec3::new(5.0, 4.0, 5.0) });
        let all: Vec<_> = map.triangles(0, 0..2).collect();
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|[a, b, c]| (*b - *a).cross(*c - *a).y > 0.0));
        assert_eq!(map.columns_between(-50.0, 100.0), 0..2);
        assert!(map.rows_between(100.0, 200.0).is_empty());
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |columns, samples, scale| HeightMap::new(columns, 2, vec![0; samples], scale).unwrap_err();
        assert!(matches!(refused(1, 2, SCALE), HeightMapError::Size { .. }));
        assert!(matches!(refused(2, 5, SCALE), HeightMapError::Size { samples: 5, .. }));
        let flat = refused(2, 4, HeightScale { step: 0.0, ..SCALE });
        assert_eq!(flat.to_string(), "the step of a height map is 0, but must be a finite number above 0");
        assert!(matches!(refused(2, 4, HeightScale { spacing: f64::NAN, ..SCALE }), HeightMapError::Scale { .. }));
        let lost = HeightScale { origin: Vec3::NAN, ..SCALE };
        assert!(refused(2, 4, lost).to_string().ends_with("must be a finite number"));
    }
}
