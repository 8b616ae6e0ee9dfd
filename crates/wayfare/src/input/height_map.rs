//! Terrain given by heights over a grid of points.
//!
//! ```text
//!   a---b     Four points make two triangles, cut from b to c. They are never all made: the rasteriser asks for those of one
//!   | / |     row at a time, so a height map takes two bytes a point where its triangles would take about forty.
//!   c---d
//! ```
//!
//! The triangles are identical to those of a [`TriMesh`](super::TriMesh) made from the same points, and so is the baked
//! mesh, byte for byte.
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
    /// The heights that are held, and the columns and rows they belong to.
    samples: Vec<u16>,
    held: [Range<u32>; 2],
    scale: HeightScale,
    area: AreaId,
    bounds: Aabb,
}

/// Position and scale of a height map. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightScale {
    /// The point of column 0, row 0 at sample 0.
    pub origin: Vec3,
    /// Distance from column to column (towards +x) and from row to row (towards +z). Above 0.
    pub spacing: f64,
    /// Height of one step of a sample. Above 0.
    pub step: f64,
}

/// The heights of some columns and rows of a larger map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightPart {
    /// The columns.
    pub columns: Range<u32>,
    /// The rows.
    pub rows: Range<u32>,
    /// Their samples, row by row.
    pub samples: Vec<u16>,
    /// The least and the greatest sample of the whole map.
    pub range: [u16; 2],
}

/// Why heights were refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightMapError {
    /// Too few points, or not one sample per point.
    #[error("{samples} samples were given for {columns} x {rows} points: give one each, and at least 2 x 2")]
    Size {
        /// Columns given.
        columns: u32,
        /// Rows given.
        rows: u32,
        /// Samples given.
        samples: usize,
    },
    /// A scale that is not a usable number.
    #[error("the {name} of a height map is {value}, but must be a finite number{}", if *.name == "origin" { "" } else { " above 0" })]
    Scale {
        /// Name of the field.
        name: &'static str,
        /// The value given.
        value: f64,
    },
}

impl HeightMap {
    /// A height map of `columns` × `rows` points, row by row. All of it is [`AreaId::WALKABLE`] where it is not too
    /// steep.
    ///
    /// # Errors
    /// [`HeightMapError`]: fewer than 2 × 2 points, a wrong number of samples, or a bad scale.
    pub fn new(columns: u32, rows: u32, samples: Vec<u16>, scale: HeightScale) -> Result<Self, HeightMapError> {
        let (low, high) = samples.iter().fold((u16::MAX, 0), |(low, high), &s| (low.min(s), high.max(s)));
        let whole = HeightPart { columns: 0..columns, rows: 0..rows, samples, range: [low, high] };
        Self::of_part([columns, rows], whole, scale)
    }

    /// A part of a height map of `size` columns and rows. Points and [bounds](Self::bounds) are those of the whole map,
    /// but there are triangles only between points of the part. Enough to bake within bounds where the whole map is too
    /// large for memory.
    ///
    /// # Errors
    /// [`HeightMapError`], as for [`new`](Self::new); also if the part is not within the map.
    pub fn of_part(size: [u32; 2], part: HeightPart, scale: HeightScale) -> Result<Self, HeightMapError> {
        let [columns, rows] = size;
        let HeightPart { columns: x, rows: z, samples, range } = part;
        let held = [x.len() as u32, z.len() as u32];
        let fits = x.end <= columns && z.end <= rows && held.iter().all(|&count| count >= 2);
        if !fits || samples.len() as u64 != u64::from(held[0]) * u64::from(held[1]) {
            return Err(HeightMapError::Size { columns: held[0], rows: held[1], samples: samples.len() });
        }
        for (name, value) in [("spacing", scale.spacing), ("step", scale.step)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(HeightMapError::Scale { name, value });
            }
        }
        if let Some(value) = scale.origin.to_array().into_iter().find(|c| !c.is_finite()) {
            return Err(HeightMapError::Scale { name: "origin", value: f64::from(value) });
        }
        let held = [x, z];
        let mut map = Self { columns, rows, samples, held, scale, area: AreaId::WALKABLE, bounds: Aabb::EMPTY };
        let [low, high] = range;
        map.bounds = Aabb::around([map.place(0, 0, low), map.place(columns - 1, rows - 1, high)]);
        if !(map.bounds.min.is_finite() && map.bounds.max.is_finite()) {
            return Err(HeightMapError::Scale { name: "spacing", value: scale.spacing });
        }
        Ok(map)
    }

    /// The same map with another area type.
    #[must_use]
    pub fn with_area(self, area: AreaId) -> Self {
        Self { area, ..self }
    }

    /// The area type of the whole map.
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

    /// Position and scale of the map.
    #[must_use]
    pub fn scale(&self) -> HeightScale {
        self.scale
    }

    /// The columns whose heights are held; all unless it is a [part](Self::of_part).
    #[must_use]
    pub fn held_columns(&self) -> Range<u32> {
        self.held[0].clone()
    }

    /// The rows whose heights are held.
    #[must_use]
    pub fn held_rows(&self) -> Range<u32> {
        self.held[1].clone()
    }

    /// The heights that are held, row by row.
    #[must_use]
    pub fn samples(&self) -> &[u16] {
        &self.samples
    }

    /// The sample at a column and a row.
    ///
    /// # Panics
    /// If it is not held.
    #[must_use]
    #[inline]
    pub fn sample(&self, column: u32, row: u32) -> u16 {
        let [columns, rows] = &self.held;
        let width = columns.end - columns.start;
        let x = column.wrapping_sub(columns.start);
        assert!(x < width, "column {column} is not held");
        self.samples[row.wrapping_sub(rows.start) as usize * width as usize + x as usize]
    }

    /// The box around all points.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The point at a column and a row.
    ///
    /// # Panics
    /// If there is no such point, or its height is not held.
    #[must_use]
    pub fn point(&self, column: u32, row: u32) -> Vec3 {
        self.place(column, row, self.sample(column, row))
    }

    /// The z of all points of a row, held or not.
    pub(crate) fn row_z(&self, row: u32) -> f32 {
        self.place(0, row, 0).z
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

    /// The triangles between rows `row` and `row + 1` and between these columns.
    pub(crate) fn triangles(&self, row: u32, columns: Range<u32>) -> impl Iterator<Item = [Vec3; 3]> {
        columns.flat_map(move |x| {
            let [a, b] = [self.point(x, row), self.point(x + 1, row)];
            let [c, d] = [self.point(x, row + 1), self.point(x + 1, row + 1)];
            [[a, c, b], [b, c, d]]
        })
    }

    /// All its triangles: two for each square, as a bake has them.
    pub fn all_triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        let [columns, rows] = self.held.clone().map(|held| held.start..held.end - 1);
        rows.flat_map(move |row| self.triangles(row, columns.clone()))
    }

    /// The triangles that touch a box in plan, and a few around it.
    pub(crate) fn triangles_in(&self, bounds: &Aabb) -> impl Iterator<Item = [Vec3; 3]> {
        let columns = self.columns_between(bounds.min.x, bounds.max.x);
        self.rows_between(bounds.min.z, bounds.max.z).flat_map(move |row| self.triangles(row, columns.clone()))
    }

    /// Whether another map has its points where this one has them, in plan, with heights in the same steps, and the
    /// same area type.
    pub(crate) fn has_points_of(&self, other: &Self) -> bool {
        self.held == other.held && self.scale == other.scale && self.area == other.area
    }

    /// Boxes around all triangles that differ from those of a map with the same points.
    pub(crate) fn differences(&self, other: &Self) -> Vec<Aabb> {
        let [columns, rows] = &self.held;
        let last = [columns.end - 1, rows.end - 1];
        let mut boxes = Vec::new();
        for row in rows.clone() {
            let differs = |&column: &u32| self.sample(column, row) != other.sample(column, row);
            let mut at = columns.start;
            while let Some(first) = (at..columns.end).find(differs) {
                at = (first..columns.end).find(|column| !differs(column)).unwrap_or(columns.end);
                // The squares around these points.
                let xs = first.saturating_sub(1).max(columns.start)..=at.min(last[0]);
                let zs = row.saturating_sub(1).max(rows.start)..=(row + 1).min(last[1]);
                let points = zs.flat_map(|z| xs.clone().map(move |x| (x, z)));
                boxes.push(Aabb::around(points.flat_map(|(x, z)| [self.point(x, z), other.point(x, z)])));
            }
        }
        boxes
    }

    /// The held columns whose gaps cover the range between two x, with a margin for rounding.
    pub(crate) fn columns_between(&self, low: f32, high: f32) -> Range<u32> {
        self.scale.between(self.scale.origin.x, [low, high], &self.held[0])
    }

    /// The same for rows, between two z.
    pub(crate) fn rows_between(&self, low: f32, high: f32) -> Range<u32> {
        self.scale.between(self.scale.origin.z, [low, high], &self.held[1])
    }
}

impl HeightScale {
    /// The columns and rows that a bake within `bounds` needs, of a map of this scale with `size` columns and rows.
    #[must_use]
    pub fn needed(&self, size: [u32; 2], bounds: &Aabb) -> [Range<u32>; 2] {
        let Aabb { min, max } = bounds;
        let axes = [(self.origin.x, [min.x, max.x], size[0]), (self.origin.z, [min.z, max.z], size[1])];
        axes.map(|(origin, reach, count)| {
            let gaps = self.between(origin, reach, &(0..count));
            // At least one gap, since a map needs two points.
            let start = gaps.start.min(count.saturating_sub(2));
            start..gaps.end.max(start + 1).saturating_add(1).min(count)
        })
    }

    /// The gaps between held points that cover a range of coordinates along an axis.
    fn between(&self, origin: f32, [low, high]: [f32; 2], held: &Range<u32>) -> Range<u32> {
        let steps = |v: f32| ((f64::from(v) - f64::from(origin)) / self.spacing).floor();
        let last = held.end.saturating_sub(1).max(held.start);
        // With a spacing so small that steps and slack are infinite, their difference is no number.
        let within = |gap: f64| gap.clamp(f64::from(held.start), f64::from(last)).max(f64::from(held.start)) as u32;
        // Points are rounded to f32: far from the origin, several of them may lie between two adjacent f32 numbers.
        let slack = 2.0 + (f64::from(low.abs().max(high.abs())) * f64::from(f32::EPSILON) / self.spacing).ceil();
        within(steps(low) - slack)..within(steps(high) + slack + 1.0)
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
    fn a_part_has_the_points_and_bounds_of_the_whole() {
        let samples: Vec<u16> = (0..20 * 30).map(|i| i * 7 % 50).collect();
        let map = HeightMap::new(20, 30, samples, SCALE).unwrap();
        let within = Aabb { min: Vec3::new(15.0, 0.0, 21.0), max: Vec3::new(19.0, 9.0, 30.0) };
        let [columns, rows] = SCALE.needed([20, 30], &within);
        assert_eq!((columns.clone(), rows.clone()), (4..14, 6..18));
        let held: Vec<_> = rows.clone().flat_map(|z| columns.clone().map(move |x| (x, z))).collect();
        let samples = held.iter().map(|&(x, z)| map.sample(x, z)).collect();
        let part = HeightPart { columns, rows, samples, range: [0, 49] };
        let part = HeightMap::of_part([20, 30], part, SCALE).unwrap();
        assert_eq!((part.bounds(), part.columns(), part.rows()), (map.bounds(), 20, 30));
        assert!(held.into_iter().all(|(x, z)| part.point(x, z) == map.point(x, z)));
        assert_eq!((part.columns_between(15.0, 19.0), part.columns_between(-9.0, 99.0)), (4..13, 4..13));
        assert_eq!((part.all_triangles().count(), map.all_triangles().count()), (2 * 9 * 11, 2 * 19 * 29));
        let tiny = HeightPart { columns: 3..4, rows: 0..9, samples: vec![0; 9], range: [0, 0] };
        assert!(matches!(HeightMap::of_part([20, 30], tiny, SCALE), Err(HeightMapError::Size { columns: 1, .. })));
        // Bounds beside the map still give a map.
        let beside = Aabb { min: Vec3::splat(500.0), max: Vec3::splat(600.0) };
        assert_eq!(SCALE.needed([20, 30], &beside), [18..20, 28..30]);
    }

    #[test]
    fn no_size_or_spacing_is_too_small_to_ask_for_a_part() {
        let around = Aabb { min: Vec3::splat(-1e30), max: Vec3::splat(1e30) };
        assert_eq!(SCALE.needed([0, 3], &around), [0..0, 0..3]);
        let dense = HeightScale { spacing: f64::MIN_POSITIVE, ..SCALE };
        let map = HeightMap::new(5, 4, vec![0; 20], dense).unwrap();
        for bounds in [around, Aabb { min: SCALE.origin, max: SCALE.origin }, map.bounds()] {
            assert!(dense.needed([5, 4], &bounds).iter().all(|part| part.len() >= 2));
            let [columns, rows] =
                [map.columns_between(bounds.min.x, bounds.max.x), map.rows_between(bounds.min.z, bounds.max.z)];
            assert!(columns.end <= 4 && rows.end <= 3, "{columns:?} {rows:?}");
            assert!(rows.clone().all(|row| map.triangles(row, columns.clone()).count() == 2 * columns.len()));
        }
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
