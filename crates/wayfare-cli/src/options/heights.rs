//! A range of heights of a level: `LOW:HIGH`, to show one of several storeys.

use std::str::FromStr;
use wayfare::Vec3;
use wayfare::debug::{DebugSink, Role, ShapeList};

/// A range of heights, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heights {
    low: f32,
    high: f32,
}

impl FromStr for Heights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<f32>().ok().filter(|n| !n.is_nan());
        match text.split_once(':').map(|(low, high)| (number(low), number(high))) {
            Some((Some(low), Some(high))) if low <= high => Ok(Self { low, high }),
            _ => Err("heights are two numbers in metres, the lower first, as in -1:2.5".into()),
        }
    }
}

impl Heights {
    /// A sink that passes on what lies in this range, by the middle of each shape.
    pub(crate) fn of(self, shapes: &mut ShapeList) -> Storey<'_> {
        Storey { heights: self, shapes }
    }
}

/// The parts within some heights.
pub(crate) struct Storey<'a> {
    heights: Heights,
    shapes: &'a mut ShapeList,
}

impl Storey<'_> {
    fn has(&self, points: &[Vec3]) -> bool {
        let middle = points.iter().map(|p| p.y).sum::<f32>() / points.len().max(1) as f32;
        (self.heights.low..=self.heights.high).contains(&middle)
    }
}

impl DebugSink for Storey<'_> {
    fn polygon(&mut self, corners: &[Vec3], role: Role) {
        if self.has(corners) {
            self.shapes.polygon(corners, role);
        }
    }

    fn line(&mut self, points: &[Vec3], role: Role) {
        // The outlines of tiles have no height of their own.
        if role == Role::TileOutline || self.has(points) {
            self.shapes.line(points, role);
        }
    }

    fn point(&mut self, at: Vec3, role: Role) {
        if self.has(&[at]) {
            self.shapes.point(at, role);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::area::AreaId;

    #[test]
    fn a_storey_is_what_lies_between_two_heights() {
        let heights: Heights = "-1:2.5".parse().unwrap();
        for wrong in ["", "1", "2:1", "a:2", "nan:2"] {
            assert!(wrong.parse::<Heights>().is_err(), "{wrong}");
        }
        let mut shapes = ShapeList::new();
        let mut storey = heights.of(&mut shapes);
        for y in [-2.0, 0.0, 2.5, 3.0] {
            storey.polygon(&[Vec3::ZERO, Vec3::Z, Vec3::X].map(|p| p.with_y(y)), Role::Ground(AreaId::WALKABLE));
            storey.line(&[Vec3::ZERO, Vec3::X].map(|p| p.with_y(y)), Role::Wall);
        }
        assert_eq!(shapes.shapes().len(), 4);
    }
}
