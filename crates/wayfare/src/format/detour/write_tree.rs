//! Writes the bounding tree that Detour reads: a binary tree in depth-first order with escape offsets.
//!
//! ```text
//!   [root −7][left −3][p0][p1][right −3][p2][p3]      a negative index: how far to jump if the box is missed
//! ```
//!
//! The polygons are already ordered along a space-filling curve, so repeatedly halving that order gives good boxes
//! without sorting. Cost: linear in the polygons.
//!
//! Sources: Detour's `dtBVNode` and its `createBVTree`.

use crate::math::Aabb;
use crate::mesh::Tile;
use glam::Vec3;

/// A node as stored.
pub(super) struct TreeNode {
    pub(super) low: [u16; 3],
    pub(super) high: [u16; 3],
    pub(super) index: i32,
}

/// Steps along the longest side of the tile. Detour adds one and keeps sixteen bits.
const STEPS: f32 = 60_000.0;

/// The nodes, and the number of steps per metre.
pub(super) fn tree_nodes(tile: &Tile) -> (f32, Vec<TreeNode>) {
    let mut leaves: Vec<(u32, Aabb)> = Vec::with_capacity(tile.poly_count() as usize);
    let origin = tile.data().bounds().or_origin();
    tile.tree().polys_in_box(&tile.bounds(), |poly, bounds| leaves.push((poly, *bounds)));
    let extent = origin.size().max_element();
    let per_metre = if extent > 0.0 { STEPS / extent } else { 1.0 };
    let quantise = |p: Vec3, up: f32| {
        ((p - origin.min) * per_metre).to_array().map(|v| (v + up).clamp(0.0, f32::from(u16::MAX)) as u16)
    };
    let mut nodes = Vec::with_capacity(leaves.len() * 2);
    if !leaves.is_empty() {
        let leaves: Vec<TreeNode> = leaves
            .iter()
            .map(|(poly, b)| TreeNode { low: quantise(b.min, 0.0), high: quantise(b.max, 1.0), index: *poly as i32 })
            .collect();
        push_subtree(&leaves, &mut nodes);
    }
    (per_metre, nodes)
}

/// Appends the nodes over `leaves`, depth first. At most twenty levels deep.
fn push_subtree(leaves: &[TreeNode], nodes: &mut Vec<TreeNode>) {
    if let [leaf] = leaves {
        nodes.push(TreeNode { low: leaf.low, high: leaf.high, index: leaf.index });
        return;
    }
    let at = nodes.len();
    let mut low = [u16::MAX; 3];
    let mut high = [0; 3];
    for leaf in leaves {
        low = core::array::from_fn(|k| low[k].min(leaf.low[k]));
        high = core::array::from_fn(|k| high[k].max(leaf.high[k]));
    }
    nodes.push(TreeNode { low, high, index: 0 });
    let (left, right) = leaves.split_at(leaves.len() / 2);
    push_subtree(left, nodes);
    push_subtree(right, nodes);
    nodes[at].index = -((nodes.len() - at) as i32);
}
