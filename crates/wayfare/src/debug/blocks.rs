//! Draws block worlds and the navigation built for them.

use super::{DebugSink, Role};
use crate::blocks::{BlockNav, BlockNode, BlockSource, Cell};
use glam::Vec3;

/// A horizontal rectangle of blocks.
fn square(x: [i32; 2], z: [i32; 2], y: i32) -> [Vec3; 4] {
    let at = |x: i32, z: i32| Vec3::new(x as f32, y as f32, z as f32);
    [at(x[0], z[0]), at(x[0], z[1]), at(x[1], z[1]), at(x[1], z[0])]
}

/// Draws the top faces of a block world that are visible from above, as [`Role::Solid`]. Draws nothing for an unbounded
/// world. O(blocks).
pub fn draw_block_world(world: &(impl BlockSource + ?Sized), sink: &mut impl DebugSink) {
    let Some(bounds) = world.bounds() else { return };
    let top = |x: i32, z: i32| (bounds.min.y..=bounds.max.y).rev().find(|&y| world.is_solid(x, y, z));
    for z in bounds.min.z..=bounds.max.z {
        let mut x = bounds.min.x;
        while x <= bounds.max.x {
            let Some(y) = top(x, z) else {
                x += 1;
                continue;
            };
            let first = x;
            while x <= bounds.max.x && top(x, z) == Some(y) {
                x += 1;
            }
            sink.polygon(&square([first, x], [z, z + 1], y + 1), Role::Solid);
        }
    }
}

/// Draws every built node: its surface and its outline.
pub fn draw_block_nav(nav: &BlockNav, sink: &mut impl DebugSink) {
    for node in nav.nodes().filter_map(|handle| nav.node(handle)) {
        draw_node(nav, &node, sink);
    }
}

fn draw_node(nav: &BlockNav, node: &BlockNode, sink: &mut impl DebugSink) {
    let role = Role::Ground(node.area);
    let width = (node.max[0] - node.min[0] + 1) as usize;
    for (row, z) in node.heights.chunks(width).zip(node.min[1]..) {
        let mut first = 0;
        for end in 1..=width {
            if end == width || row[end] != row[first] {
                let x = [node.min[0] + first as i32, node.min[0] + end as i32];
                sink.polygon(&square(x, [z, z + 1], row[first]), role);
                first = end;
            }
        }
    }
    let x = [node.min[0], node.max[0] + 1];
    let z = [node.min[1], node.max[1] + 1];
    let rim = |x: i32, z: i32| {
        let i = (x.min(node.max[0]) - node.min[0]) as usize;
        let k = (z.min(node.max[1]) - node.min[1]) as usize;
        Vec3::new(x as f32, node.heights[k * width + i] as f32, z as f32)
    };
    let outline = [rim(x[0], z[0]), rim(x[0], z[1]), rim(x[1], z[1]), rim(x[1], z[0]), rim(x[0], z[0])];
    // The neighbours of a node are unknown until it is connected: draw its outline like the border of a tile.
    let connected = nav.mini_mesh_state(Cell::new(node.min[0], node.heights[0], node.min[1]));
    let role = if connected == crate::blocks::MiniMeshState::Connected { Role::InnerEdge } else { Role::TileEdge };
    sink.line(&outline, role);
}
