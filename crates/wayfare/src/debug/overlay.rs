//! Draws the costs that an overlay adds to a mesh.

use super::{DebugSink, Role};
use crate::query::CostOverlay;
use glam::Vec3;

/// Draws the cells of an overlay that have a cost, each as a square at its middle height, with a [`Role::Value`]
/// relative to the highest cost.
pub fn draw_overlay(overlay: &CostOverlay, sink: &mut impl DebugSink) {
    let greatest = overlay.cells().fold(0.0, |greatest: f32, (.., cost)| greatest.max(cost));
    for (low, high, cost) in overlay.cells() {
        let y = 0.5 * (low.y + high.y);
        let corner = |x, z| Vec3::new(x, y, z);
        let square = [corner(low.x, low.z), corner(low.x, high.z), corner(high.x, high.z), corner(high.x, low.z)];
        sink.polygon(&square, Role::Value(cost / greatest.max(f32::MIN_POSITIVE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{ShapeKind, ShapeList};
    use crate::query::{OverlaySettings, OverlayShape};

    #[test]
    fn each_cell_is_a_square_and_the_dearest_is_full() {
        let mut overlay = CostOverlay::new(OverlaySettings::default()).unwrap();
        for (radius, cost) in [(2.0, 1.0), (0.5, 3.0)] {
            let center = Vec3::new(0.5, 0.5, 0.5);
            overlay.paint(&OverlayShape::Disc { center, radius, reach: 0.1 }, cost).unwrap();
        }
        let mut shapes = ShapeList::default();
        draw_overlay(&overlay, &mut shapes);
        let values: Vec<f32> = shapes
            .shapes()
            .iter()
            .filter_map(|shape| match shape.role {
                Role::Value(value) if matches!(shape.kind, ShapeKind::Polygon) => Some(value),
                _ => None,
            })
            .collect();
        assert_eq!((values.len(), values.iter().filter(|value| **value == 1.0).count()), (13, 1), "{values:?}");
        assert!(values.iter().all(|value| *value == 1.0 || *value == 0.25));
    }
}
