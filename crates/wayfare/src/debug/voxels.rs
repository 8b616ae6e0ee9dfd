//! Draws voxels: the tops of solid spans, the walkable cells above them, and their distances and regions.
//!
//! A span is drawn as the square of its cell, at the height on which an agent stands.

use super::{DebugSink, Role};
use crate::area::AreaId;
use crate::bake::{BORDER_REGION, DistanceField, ExplainMap, Reason, Regions};
use crate::voxel::{CompactHeightfield, Grid, Heightfield};
use glam::Vec3;

/// Draws the top of every solid span: as a surface if it is walkable, else as solid.
pub fn draw_heightfield(field: &Heightfield, sink: &mut impl DebugSink) {
    let grid = &field.grid;
    for_each_cell(grid, |x, z| {
        for span in field.column(grid.index(x, z)) {
            let area = field.area[span];
            let role = if area.is_null() { Role::Solid } else { Role::Ground(area) };
            sink.polygon(&top(grid, x, z, field.max[span]), role);
        }
    });
}

/// Draws the cells of a compact heightfield by area type; as solid where they were eroded.
pub fn draw_compact_heightfield(field: &CompactHeightfield, sink: &mut impl DebugSink) {
    draw_spans(field, sink, |span| {
        let area = field.area[span];
        if area.is_null() { Role::Solid } else { Role::Ground(area) }
    });
}

/// Draws the cells by their distance from the nearest border. `distances` must belong to `field`.
pub fn draw_distance_field(field: &CompactHeightfield, distances: &DistanceField, sink: &mut impl DebugSink) {
    let most = f32::from(distances.max.max(1));
    let value = |span: usize| distances.distance.get(span).map_or(0.0, |&d| (f32::from(d) / most).min(1.0));
    draw_spans(field, sink, |span| Role::Value(value(span)));
}

/// Draws the cells by region; as solid where there is none. `regions` must belong to `field`.
pub fn draw_regions(field: &CompactHeightfield, regions: &Regions, sink: &mut impl DebugSink) {
    draw_spans(field, sink, |span| match regions.id.get(span) {
        Some(&id) if id != 0 && id & BORDER_REGION == 0 => Role::Region(id),
        _ => Role::Solid,
    });
}

/// Draws every surface of the level by what became of it: as ground where one can walk, else by the reason why not.
pub fn draw_explain_map(map: &ExplainMap, sink: &mut impl DebugSink) {
    map.for_each_surface(|corners, reason| {
        let role = match reason {
            Reason::Walkable => Role::Ground(AreaId::WALKABLE),
            reason => Role::Unwalkable(reason),
        };
        sink.polygon(&corners, role);
    });
}

fn draw_spans(field: &CompactHeightfield, sink: &mut impl DebugSink, role: impl Fn(usize) -> Role) {
    let grid = &field.grid;
    for_each_cell(grid, |x, z| {
        for span in field.column(grid.index(x, z)) {
            sink.polygon(&top(grid, x, z, field.y[span]), role(span));
        }
    });
}

fn for_each_cell(grid: &Grid, mut draw: impl FnMut(u32, u32)) {
    for z in 0..grid.depth {
        for x in 0..grid.width {
            draw(x, z);
        }
    }
}

/// The corners of a cell at a height, wound so that the normal points up.
fn top(grid: &Grid, x: u32, z: u32, y: u16) -> [Vec3; 4] {
    let x = x as i32;
    let z = z as i32;
    let y = i32::from(y);
    [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)].map(|(x, z)| grid.world(x, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::{TilePlan, explain_level};
    use crate::context::Context;
    use crate::debug::ShapeList;
    use crate::input::{BakeSettings, TriMesh};

    #[test]
    fn a_span_is_drawn_as_its_cell_with_the_normal_up() {
        let grid = Grid { origin: Vec3::ZERO, cell_size: 0.5, cell_height: 0.25, x: 2, z: 0, width: 1, depth: 1 };
        let field = Heightfield { grid, columns: vec![0, 1], min: vec![0], max: vec![4], area: vec![AreaId::WALKABLE] };
        let mut list = ShapeList::new();
        draw_heightfield(&field, &mut list);
        let [a, b, c, _] = list.points(&list.shapes()[0]) else { panic!("four corners") };
        assert_eq!(*a, Vec3::new(1.0, 1.0, 0.0));
        assert!((*b - *a).cross(*c - *a).y > 0.0);
        assert_eq!(list.shapes()[0].role, Role::Ground(AreaId::WALKABLE));
    }
    #[test]
    fn a_floor_is_drawn_as_ground_with_a_rim_that_is_too_near_to_its_edge() {
        let corners = [(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (9.0, 0.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let floor = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let plan = TilePlan::new(&floor, &BakeSettings::default()).unwrap();
        let map = explain_level(&floor, &plan, &Context::default()).unwrap();
        let mut list = ShapeList::new();
        draw_explain_map(&map, &mut list);
        let count = |role| list.shapes().iter().filter(|shape| shape.role == role).count();
        let walkable = count(Role::Ground(AreaId::WALKABLE));
        assert!(walkable > 500, "{walkable}");
        assert!(list.shapes().iter().any(|shape| matches!(shape.role, Role::Unwalkable(_))));
        assert_eq!(list.shapes().len(), map.span_count());
    }
}
