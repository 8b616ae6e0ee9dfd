//! The storage of tiles, patches and nodes: only what was visited takes memory.
//!
//! Slots are reused; a salt distinguishes the new node in a slot from the old one. A patch is built and discarded as a
//! whole, and patches that were linked to it find their links again.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::Cell;
use super::ground::SIDES;
use super::mini_mesh::MiniTile;
use super::node::{BlockNodeRef, Gate, Node, NodeLink, Patch};
use super::place_table::PlaceTable;
use crate::math::index::NONE;

/// A range of columns, both corners included.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRange {
    pub(super) low: [i32; 2],
    pub(super) high: [i32; 2],
}

impl ColumnRange {
    pub(super) fn meets(&self, low: [i32; 2], high: [i32; 2]) -> bool {
        (0..2).all(|k| self.low[k] <= high[k] && low[k] <= self.high[k])
    }
}

/// The heights of one node.
#[derive(Clone, Copy)]
pub(super) struct Heights<'a> {
    /// Row by row along x; empty if the node is flat.
    rows: &'a [i32],
    low: i32,
    x: i32,
    z: i32,
    width: i32,
}

impl Heights<'_> {
    /// The height at (x, z) of the node.
    #[inline]
    pub(super) fn at(&self, x: i32, z: i32) -> i32 {
        let i = (z - self.z) * self.width + (x - self.x);
        self.rows.get(i as usize).copied().unwrap_or(self.low)
    }
}

/// Everything that was built.
#[derive(Clone, Debug)]
pub(super) struct Store {
    mini: i32,
    lookup: PlaceTable,
    tiles: Vec<MiniTile>,
    free_tiles: Vec<u32>,
    pub(super) patches: Vec<Patch>,
    free_patches: Vec<u32>,
    pub(super) nodes: Vec<Node>,
    free_nodes: Vec<u32>,
}

impl Store {
    pub(super) fn new(mini: u32) -> Self {
        Self {
            mini: mini as i32,
            lookup: PlaceTable::default(),
            tiles: Vec::new(),
            free_tiles: Vec::new(),
            patches: Vec::new(),
            free_patches: Vec::new(),
            nodes: Vec::new(),
            free_nodes: Vec::new(),
        }
    }

    /// The key of the tile that contains (x, z).
    #[inline]
    pub(super) fn tile_key(&self, x: i32, z: i32) -> [i32; 2] {
        [x.div_euclid(self.mini), z.div_euclid(self.mini)]
    }

    /// The least (x, z) of a tile.
    pub(super) fn tile_origin(&self, tile: u32) -> [i32; 2] {
        self.tiles[tile as usize].key.map(|k| k * self.mini)
    }

    /// Whether (x, z) is in the tile with this origin.
    #[inline]
    pub(super) fn is_in_tile(&self, origin: [i32; 2], x: i32, z: i32) -> bool {
        let mini = self.mini as u32;
        ((x - origin[0]) as u32) < mini && ((z - origin[1]) as u32) < mini
    }

    pub(super) fn mini(&self) -> i32 {
        self.mini
    }

    pub(super) fn find_tile(&self, key: [i32; 2]) -> Option<u32> {
        self.lookup.get([key[0], 0, key[1]])
    }

    pub(super) fn make_tile(&mut self, key: [i32; 2]) -> u32 {
        if let Some(tile) = self.find_tile(key) {
            return tile;
        }
        let tile = MiniTile::new(key, self.mini);
        let slot = match self.free_tiles.pop() {
            Some(slot) => {
                self.tiles[slot as usize] = tile;
                slot
            }
            None => {
                self.tiles.push(tile);
                self.tiles.len() as u32 - 1
            }
        };
        self.lookup.insert([key[0], 0, key[1]], slot);
        slot
    }

    /// The node of a cell; [`NONE`] if it was not built.
    #[inline]
    pub(super) fn at(&self, c: Cell) -> u32 {
        self.find_tile(self.tile_key(c.x, c.z)).map_or(NONE, |tile| self.at_in(tile, c))
    }

    #[inline]
    pub(super) fn at_in(&self, tile: u32, c: Cell) -> u32 {
        self.tiles[tile as usize].node(c)
    }

    /// Assigns a cell to a node.
    pub(super) fn put(&mut self, tile: u32, c: Cell, node: u32) {
        self.tiles[tile as usize].put(c, node);
    }

    pub(super) fn new_node(&mut self, mut node: Node) -> u32 {
        if let Some(slot) = self.free_nodes.pop() {
            node.salt = self.nodes[slot as usize].salt;
            self.nodes[slot as usize] = node;
            return slot;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    pub(super) fn new_patch(&mut self, patch: Patch) -> u32 {
        let patch = Patch { alive: true, ..patch };
        if let Some(slot) = self.free_patches.pop() {
            self.patches[slot as usize] = patch;
            return slot;
        }
        self.patches.push(patch);
        self.patches.len() as u32 - 1
    }

    /// Discards a patch: its cells are no longer built, handles of its nodes become stale, and patches linked to it
    /// must connect again.
    pub(super) fn dispose(&mut self, slot: u32) {
        let patch = core::mem::take(&mut self.patches[slot as usize]);
        if !patch.alive {
            return;
        }
        for &c in &patch.cells {
            self.tiles[patch.tile as usize].clear(c);
        }
        for &node in &patch.nodes {
            let salt = &mut self.nodes[node as usize].salt;
            *salt = salt.wrapping_add(1);
            // A slot whose salt is exhausted is not reused: an old handle would match.
            if *salt != u32::MAX {
                self.free_nodes.push(node);
            }
        }
        for dependent in patch.dependents {
            self.disconnect(dependent, slot);
        }
        let tile = &self.tiles[patch.tile as usize];
        if tile.is_empty() && self.find_tile(tile.key) == Some(patch.tile) {
            let [x, z] = tile.key;
            self.lookup.remove([x, 0, z]);
            self.free_tiles.push(patch.tile);
        }
        self.free_patches.push(slot);
    }

    /// Makes a patch find its links to another one again, by whole sides of nodes, so that the order of its links is
    /// the same as if all had been found at once.
    fn disconnect(&mut self, slot: u32, from: u32) {
        let Self { patches, nodes, .. } = self;
        let patch = &mut patches[slot as usize];
        for &node in &patch.nodes {
            let [first, end] = nodes[node as usize].links;
            for link in &patch.links[first as usize..end as usize] {
                if nodes[link.to as usize].patch == from {
                    nodes[node as usize].stale |= link.side_bit();
                    patch.connected = false;
                }
            }
        }
    }

    /// Whether the tile of a patch contains any of these columns.
    pub(super) fn lies_under(&self, patch: u32, changed: &ColumnRange) -> bool {
        let low = self.tile_origin(self.patches[patch as usize].tile);
        changed.meets(low, low.map(|v| v + self.mini - 1))
    }

    /// Makes a patch find its links across sides of nodes to these columns again.
    pub(super) fn unlink(&mut self, patch: u32, changed: &ColumnRange) {
        let Self { patches, nodes, .. } = self;
        let patch = &mut patches[patch as usize];
        for &node in &patch.nodes {
            let node = &mut nodes[node as usize];
            let low = [node.x, node.z];
            let high = [node.last_x(), node.last_z()];
            for (side, [dx, dz]) in SIDES.into_iter().enumerate() {
                // The row of columns beyond the side.
                let mut low = low;
                let mut high = high;
                match side {
                    0 => high[0] = low[0],
                    1 => low[0] = high[0],
                    2 => high[1] = low[1],
                    _ => low[1] = high[1],
                }
                if changed.meets([low[0] + dx, low[1] + dz], [high[0] + dx, high[1] + dz]) {
                    node.stale |= 1 << side;
                    patch.connected = false;
                }
            }
        }
    }

    /// The handle of a live node.
    pub(super) fn handle(&self, slot: u32) -> BlockNodeRef {
        BlockNodeRef { slot, salt: self.nodes[slot as usize].salt }
    }

    /// The node of a handle, if it still exists.
    pub(super) fn resolve(&self, handle: BlockNodeRef) -> Option<&Node> {
        self.nodes.get(handle.slot as usize).filter(|node| node.salt == handle.salt)
    }

    /// The height of a node at (x, z).
    #[inline]
    pub(super) fn height(&self, node: u32, x: i32, z: i32) -> i32 {
        let n = &self.nodes[node as usize];
        if n.flat { n.low } else { self.heights(node).at(x, z) }
    }

    /// The heights of a node, for reading many of them.
    #[inline]
    pub(super) fn heights(&self, node: u32) -> Heights<'_> {
        let n = &self.nodes[node as usize];
        let rows = if n.flat { &[][..] } else { &self.patches[n.patch as usize].heights[n.heights as usize..] };
        Heights { rows, low: n.low, x: n.x, z: n.z, width: i32::from(n.width) }
    }

    /// The links of a connected node.
    #[inline]
    pub(super) fn links(&self, node: u32) -> &[NodeLink] {
        let n = &self.nodes[node as usize];
        &self.patches[n.patch as usize].links[n.links[0] as usize..n.links[1] as usize]
    }

    /// The patches with cells in a box.
    pub(super) fn patches_in(&self, min: Cell, max: Cell, found: &mut Vec<u32>) {
        found.clear();
        let low = self.tile_key(min.x, min.z);
        let high = self.tile_key(max.x, max.z);
        let count = |k: usize| (i64::from(high[k]) - i64::from(low[k]) + 1) as u64;
        let mut look = |tile: &MiniTile| tile.each_in(min, max, |node| found.push(self.nodes[node as usize].patch));
        if count(0).saturating_mul(count(1)) > self.tiles.len() as u64 {
            self.tiles.iter().for_each(look);
        } else {
            for z in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    if let Some(tile) = self.find_tile([x, z]) {
                        look(&self.tiles[tile as usize]);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Number of mini meshes with nodes, and of those among them whose nodes are all connected.
    pub(super) fn count(&self) -> (u64, u64) {
        let all = self.tiles.iter().flat_map(|tile| tile.heights().into_iter().map(move |y| (tile, y)));
        all.fold((0, 0), |(built, connected), (tile, y)| (built + 1, connected + u64::from(self.is_connected(tile, y))))
    }

    /// Whether the mini mesh at a cell has nodes, and whether all of them are connected.
    pub(super) fn mini_state(&self, c: Cell) -> (bool, bool) {
        let tile = self.find_tile(self.tile_key(c.x, c.z)).map(|tile| &self.tiles[tile as usize]);
        tile.filter(|tile| tile.nodes_at(c.y).next().is_some())
            .map_or((false, false), |tile| (true, self.is_connected(tile, c.y)))
    }

    fn is_connected(&self, tile: &MiniTile, height: i32) -> bool {
        tile.nodes_at(height).all(|node| self.patches[self.nodes[node as usize].patch as usize].connected)
    }

    /// Bytes in memory, spare capacity included.
    pub(super) fn bytes(&self) -> usize {
        let tiles: usize = self.tiles.iter().map(MiniTile::bytes).sum();
        let patch = |p: &Patch| {
            size_of::<Patch>()
                + p.cells.capacity() * size_of::<Cell>()
                + (p.nodes.capacity() + p.heights.capacity() + p.dependents.capacity()) * size_of::<u32>()
                + p.gates.len() * size_of::<Gate>()
                + p.links.len() * size_of::<NodeLink>()
        };
        tiles
            + self.lookup.bytes()
            + self.patches.iter().map(patch).sum::<usize>()
            + self.nodes.capacity() * size_of::<Node>()
    }
}
