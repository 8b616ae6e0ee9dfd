//! Shapes to paint, and the cells that they cover: those whose center lies inside the shape on the plane, and which
//! overlap it in height. A shape that contains no cell's center covers the cell that contains the shape's center.
//!
//! Cost: one test for each cell of the shape's bounding box.
//!
//! Sources: none needed.

use super::cells::{CellPlace, FARTHEST};
use super::overlay_error::OverlayError;
use crate::math::{Aabb, plane, polygon};
use glam::{Vec2, Vec3};

/// A shape that is painted on a [`CostOverlay`](super::CostOverlay). Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OverlayShape<'a> {
    /// An upright cylinder around a position.
    Disc {
        /// The position.
        center: Vec3,
        /// The radius, above 0.
        radius: f32,
        /// How far it reaches above and below the position; should be less than a storey.
        reach: f32,
    },
    /// A box.
    Box(Aabb),
    /// A polygon on the plane, convex or not, from one height to another.
    Polygon {
        /// Its corners (x, z), in either winding; at least three.
        corners: &'a [Vec2],
        /// The lower height.
        min_y: f32,
        /// The upper height.
        max_y: f32,
    },
}

impl OverlayShape<'_> {
    fn bounds(&self) -> Aabb {
        match *self {
            Self::Disc { center, radius, reach } => Aabb::from_center(center, Vec3::new(radius, reach, radius)),
            Self::Box(area) => area,
            Self::Polygon { corners, min_y, max_y } => {
                let ends = corners.iter().flat_map(|p| [Vec3::new(p.x, min_y, p.y), Vec3::new(p.x, max_y, p.y)]);
                Aabb::around(ends)
            }
        }
    }

    fn check(&self) -> Result<(), OverlayError> {
        let nonsense = |problem| Err(OverlayError::Shape { problem });
        let bounds = self.bounds();
        if !(bounds.min.is_finite() && bounds.max.is_finite()) {
            return nonsense("has numbers that are not finite");
        }
        match *self {
            Self::Disc { radius, .. } if radius.is_nan() || radius <= 0.0 => nonsense("has no radius"),
            Self::Disc { reach, .. } if reach.is_nan() || reach < 0.0 => nonsense("has a negative reach"),
            Self::Polygon { corners, .. } if corners.len() < 3 => nonsense("has fewer than three corners"),
            _ if bounds.min.cmpgt(bounds.max).any() => nonsense("is upside down or inside out"),
            _ => Ok(()),
        }
    }

    fn contains(&self, p: Vec2) -> bool {
        match *self {
            Self::Disc { center, radius, .. } => plane::xz(center).distance_squared(p) <= radius * radius,
            Self::Box(area) => p.cmpge(plane::xz(area.min)).all() && p.cmple(plane::xz(area.max)).all(),
            Self::Polygon { corners, .. } => polygon::is_inside_outline(corners, p),
        }
    }

    /// The cells that it covers, of this width and height; an error if they are more than `most` or lie too far away.
    pub(super) fn cells(&self, [width, height]: [f32; 2], most: u32) -> Result<Vec<CellPlace>, OverlayError> {
        self.check()?;
        let bounds = self.bounds();
        let size = Vec3::new(width, height, width);
        let [low, high] = [(bounds.min / size).floor(), (bounds.max / size).floor()];
        if low.abs().max(high.abs()).max_element() >= FARTHEST as f32 {
            return Err(OverlayError::Shape { problem: "lies too far from the origin" });
        }
        let count = (high - low + 1.0).as_dvec3().element_product();
        // A thin shape that lies across covers far fewer cells than the box around it has.
        if count > 64.0 * f64::from(most) {
            return Err(OverlayError::TooLarge { cells: count as u64, most });
        }
        let [low, high] = [low, high].map(|place| place.as_ivec3());
        let middle = |x: i32, z: i32| (Vec2::new(x as f32, z as f32) + 0.5) * width;
        let mut columns = Vec::new();
        for z in low.z..=high.z {
            columns.extend((low.x..=high.x).filter(|&x| self.contains(middle(x, z))).map(|x| [x, z]));
        }
        if columns.is_empty() {
            let own = (plane::xz(bounds.center()) / width).floor();
            columns.push([own.x as i32, own.y as i32]);
        }
        Ok((low.y..=high.y).flat_map(|y| columns.iter().map(move |&[x, z]| [x, y, z])).collect())
    }
}
