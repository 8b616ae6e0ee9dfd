//! Where mini meshes and their nodes are kept: only what was visited takes memory.
//!
//! ```text
//!   tile (2, 0): 10 × 10 columns         patch: standing points that hang together within a tile, over as many
//!     slice y = 7   . . a a a b b         mini meshes as stairs take them through; built and thrown away as one.
//!     slice y = 6   . c c a a a b         node: a rectangle of a patch, with a height for every column.
//! ```
//!
//! A slice of a tile is a mini mesh: it says which node a standing point belongs to. Nodes of one patch may lie in
//! several mini meshes, and two nodes may lie over each other; the slices tell them apart.
//!
//! Nodes and patches lie in slots that are used again; a salt tells the new tenant from the old.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 (`NodeContainer`: position to node, one state a
//! slice).

use super::Cell;
use super::ground::SIDES;
use super::place_table::PlaceTable;
use crate::area::AreaId;
use crate::math::index::NONE;
use core::fmt;

/// A node of a [`BlockNav`](super::BlockNav): a handle that notices when what it meant was built anew.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockNodeRef {
    pub(super) slot: u32,
    pub(super) salt: u32,
}

impl fmt::Debug for BlockNodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:n{}", self.salt, self.slot)
    }
}

impl fmt::Display for BlockNodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A way out of a node: from a run of its border places to places of another node, across a side or up and down a
/// ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) to: u32,
    /// The side it leaves by, an index of `SIDES`; or up or down a ladder.
    pub(super) side: u8,
    /// The run along the side, from the node's least place on, both included. For ladders: x and z.
    pub(super) first: u8,
    pub(super) last: u8,
    /// Bit 0: it can be gone. Bit 1: it can be come by.
    pub(super) ways: u8,
}

const _: () = assert!(size_of::<Link>() == 8);

/// [`Link::side`] of a ladder.
pub(super) const UP: u8 = 4;
pub(super) const DOWN: u8 = 5;
pub(super) const FORTH: u8 = 1;
pub(super) const BACK: u8 = 2;

/// A rectangle of standing points, any two of which see each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its least place.
    pub(super) x: i32,
    pub(super) z: i32,
    /// Places along x and z.
    pub(super) width: u8,
    pub(super) depth: u8,
    pub(super) area: AreaId,
    /// All heights are `low`.
    pub(super) flat: bool,
    pub(super) low: i32,
    pub(super) patch: u32,
    /// Where its heights begin in the patch, row by row along x.
    pub(super) heights: u32,
    /// Its links in the patch, once it is connected.
    pub(super) links: [u32; 2],
    /// The sides, a bit each, whose links are to be found anew; bit 4 stands for ladders.
    pub(super) stale: u8,
    pub(super) salt: u32,
}

/// Columns of places, both corners included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) low: [i32; 2],
    pub(super) high: [i32; 2],
}

impl Columns {
    fn meets(&self, low: [i32; 2], high: [i32; 2]) -> bool {
        (0..2).all(|k| self.low[k] <= high[k] && low[k] <= self.high[k])
    }
}

/// [`Node::stale`] of a node that has no links yet.
pub(super) const ALL_STALE: u8 = 0b1_1111;

impl Link {
    /// Its bit in [`Node::stale`].
    #[inline]
    pub(super) fn side_bit(&self) -> u8 {
        1 << self.side.min(UP)
    }
}

impl Node {
    pub(super) fn last_x(&self) -> i32 {
        self.x + i32::from(self.width) - 1
    }

    pub(super) fn last_z(&self) -> i32 {
        self.z + i32::from(self.depth) - 1
    }
}

/// What is built and thrown away at a time: ground of one area that hangs together.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    pub(super) tile: u32,
    /// The order of the places is that of the world.
    pub(super) cells: Vec<Cell>,
    pub(super) nodes: Vec<u32>,
    pub(super) heights: Vec<i32>,
    pub(super) links: Vec<Link>,
    /// Some that lead forth to each other patch: the node that each leaves, and its number among `links`.
    pub(super) gates: Vec<[u32; 2]>,
    /// Its least and greatest coordinates.
    pub(super) bounds: [Cell; 2],
    pub(super) connected: bool,
    /// Patches with links to nodes of this one.
    pub(super) dependents: Vec<u32>,
    pub(super) alive: bool,
}

/// One mini mesh: the node of each place, row by row along x.
#[derive(Clone, Debug)]
struct Slice {
    y: i32,
    known: u32,
    nodes: Box<[u32]>,
}

/// Mini meshes over each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    pub(super) key: [i32; 2],
    /// By height.
    slices: Vec<Slice>,
    alive: bool,
}

impl Tile {
    /// The number of a column of it.
    #[inline]
    fn local(&self, mini: i32, x: i32, z: i32) -> usize {
        ((z - self.key[1] * mini) * mini + x - self.key[0] * mini) as usize
    }

    /// The number of the slice at a height, or where it would go.
    #[inline]
    fn slice(&self, y: i32) -> Result<usize, usize> {
        // On a slope there is one at every height.
        let guess = self.slices.first().map_or(0, |s| y.wrapping_sub(s.y) as u32 as usize);
        if self.slices.get(guess).is_some_and(|s| s.y == y) {
            return Ok(guess);
        }
        self.slices.binary_search_by_key(&y, |s| s.y)
    }
}

/// Everything that was built.
#[derive(Clone, Debug)]
pub(super) struct Store {
    mini: i32,
    lookup: PlaceTable,
    tiles: Vec<Tile>,
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

    /// The tile over a place.
    #[inline]
    pub(super) fn tile_key(&self, x: i32, z: i32) -> [i32; 2] {
        [x.div_euclid(self.mini), z.div_euclid(self.mini)]
    }

    /// The least place of a tile.
    pub(super) fn tile_origin(&self, key: [i32; 2]) -> [i32; 2] {
        key.map(|k| k * self.mini)
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
        let tile = self.free_tiles.pop().unwrap_or_else(|| {
            self.tiles.push(Tile::default());
            self.tiles.len() as u32 - 1
        });
        self.tiles[tile as usize] = Tile { key, slices: Vec::new(), alive: true };
        self.lookup.insert([key[0], 0, key[1]], tile);
        tile
    }

    /// The tiles that hold anything.
    pub(super) fn tiles(&self) -> impl Iterator<Item = (u32, &Tile)> {
        (0..).zip(&self.tiles).filter(|(_, tile)| tile.alive)
    }

    /// The node of a place; [`NONE`] if it was not built.
    #[inline]
    pub(super) fn at(&self, c: Cell) -> u32 {
        self.find_tile(self.tile_key(c.x, c.z)).map_or(NONE, |tile| self.at_in(tile, c))
    }

    #[inline]
    pub(super) fn at_in(&self, tile: u32, c: Cell) -> u32 {
        let tile = &self.tiles[tile as usize];
        tile.slice(c.y).map_or(NONE, |k| tile.slices[k].nodes[tile.local(self.mini, c.x, c.z)])
    }

    /// Says which node a place belongs to.
    pub(super) fn put(&mut self, tile: u32, c: Cell, value: u32) {
        let volume = (self.mini * self.mini) as usize;
        let tile = &mut self.tiles[tile as usize];
        let i = tile.local(self.mini, c.x, c.z);
        let k = tile.slice(c.y).unwrap_or_else(|k| {
            let nodes = vec![NONE; volume].into_boxed_slice();
            tile.slices.insert(k, Slice { y: c.y, known: 0, nodes });
            k
        });
        let slice = &mut tile.slices[k];
        let old = core::mem::replace(&mut slice.nodes[i], value);
        slice.known = slice.known + u32::from(old == NONE) - u32::from(value == NONE);
        if slice.known == 0 {
            tile.slices.remove(k);
        }
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

    /// Throws a patch away: its places are unknown again, its nodes' handles stale; what was linked to it must connect
    /// anew.
    pub(super) fn dispose(&mut self, slot: u32) {
        let patch = core::mem::take(&mut self.patches[slot as usize]);
        if !patch.alive {
            return;
        }
        for &c in &patch.cells {
            self.put(patch.tile, c, NONE);
        }
        for &node in &patch.nodes {
            let salt = &mut self.nodes[node as usize].salt;
            *salt = salt.wrapping_add(1);
            // A slot whose salt is used up is not given out again: an old handle would fit.
            if *salt != u32::MAX {
                self.free_nodes.push(node);
            }
        }
        for dependent in patch.dependents {
            self.disconnect(dependent, slot);
        }
        let tile = &mut self.tiles[patch.tile as usize];
        if tile.slices.is_empty() && tile.alive {
            tile.alive = false;
            let key = tile.key;
            self.lookup.remove([key[0], 0, key[1]]);
            self.free_tiles.push(patch.tile);
        }
        self.free_patches.push(slot);
    }

    /// Has a patch find its links to another one anew, by whole sides of nodes, so that the order of its links stays
    /// what it would be had all of them been found at once.
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

    /// Whether the tile of a patch has any of these columns.
    pub(super) fn lies_under(&self, patch: u32, columns: &Columns) -> bool {
        let low = self.tile_origin(self.tiles[self.patches[patch as usize].tile as usize].key);
        columns.meets(low, low.map(|v| v + self.mini - 1))
    }

    /// Has a patch find its links across sides of nodes to these columns anew.
    pub(super) fn unlink(&mut self, patch: u32, columns: &Columns) {
        let Self { patches, nodes, .. } = self;
        let patch = &mut patches[patch as usize];
        for &node in &patch.nodes {
            let node = &mut nodes[node as usize];
            let (low, high) = ([node.x, node.z], [node.last_x(), node.last_z()]);
            for (side, [dx, dz]) in SIDES.into_iter().enumerate() {
                // The row of columns beyond the side.
                let (mut low, mut high) = (low, high);
                match side {
                    0 => high[0] = low[0],
                    1 => low[0] = high[0],
                    2 => high[1] = low[1],
                    _ => low[1] = high[1],
                }
                if columns.meets([low[0] + dx, low[1] + dz], [high[0] + dx, high[1] + dz]) {
                    node.stale |= 1 << side;
                    patch.connected = false;
                }
            }
        }
    }

    /// A live node's handle.
    pub(super) fn handle(&self, slot: u32) -> BlockNodeRef {
        BlockNodeRef { slot, salt: self.nodes[slot as usize].salt }
    }

    /// The node that a handle means, if it still stands.
    pub(super) fn resolve(&self, handle: BlockNodeRef) -> Option<&Node> {
        self.nodes.get(handle.slot as usize).filter(|node| node.salt == handle.salt)
    }

    /// The height of a node at one of its places.
    #[inline]
    pub(super) fn height(&self, node: u32, x: i32, z: i32) -> i32 {
        let n = &self.nodes[node as usize];
        if n.flat {
            return n.low;
        }
        let i = (z - n.z) * i32::from(n.width) + (x - n.x);
        self.patches[n.patch as usize].heights[n.heights as usize + i as usize]
    }

    /// The links of a connected node.
    #[inline]
    pub(super) fn links(&self, node: u32) -> &[Link] {
        let n = &self.nodes[node as usize];
        &self.patches[n.patch as usize].links[n.links[0] as usize..n.links[1] as usize]
    }

    /// The patches that hold places in a box.
    pub(super) fn patches_in(&self, min: Cell, max: Cell, found: &mut Vec<u32>) {
        found.clear();
        let (low, high) = (self.tile_key(min.x, min.z), self.tile_key(max.x, max.z));
        let count = |k: usize| (i64::from(high[k]) - i64::from(low[k]) + 1) as u64;
        let mut look = |tile: &Tile| {
            let [x0, z0] = self.tile_origin(tile.key);
            for slice in tile.slices.iter().filter(|s| min.y <= s.y && s.y <= max.y) {
                for z in min.z.max(z0)..=max.z.min(z0 + self.mini - 1) {
                    for x in min.x.max(x0)..=max.x.min(x0 + self.mini - 1) {
                        let node = slice.nodes[tile.local(self.mini, x, z)];
                        if node != NONE {
                            found.push(self.nodes[node as usize].patch);
                        }
                    }
                }
            }
        };
        if count(0).saturating_mul(count(1)) > self.tiles.len() as u64 {
            self.tiles().for_each(|(_, tile)| look(tile));
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

    /// How many mini meshes hold nodes, and in how many of these all nodes are connected.
    pub(super) fn count(&self) -> (u64, u64) {
        let (mut built, mut connected) = (0, 0);
        for (_, tile) in self.tiles() {
            for slice in &tile.slices {
                built += 1;
                let is_connected = |&n: &u32| self.patches[self.nodes[n as usize].patch as usize].connected;
                connected += u64::from(slice.nodes.iter().filter(|&&n| n != NONE).all(is_connected));
            }
        }
        (built, connected)
    }

    /// Whether the mini mesh at a place holds nodes, and whether all of them are connected.
    pub(super) fn mini_state(&self, c: Cell) -> (bool, bool) {
        let tile = self.find_tile(self.tile_key(c.x, c.z)).map(|t| &self.tiles[t as usize]);
        let Some(slice) = tile.and_then(|t| Some(&t.slices[t.slice(c.y).ok()?])) else { return (false, false) };
        let is_connected = |&n: &u32| self.patches[self.nodes[n as usize].patch as usize].connected;
        (true, slice.nodes.iter().filter(|&&n| n != NONE).all(is_connected))
    }

    /// Bytes that are held, spare room included.
    pub(super) fn bytes(&self) -> usize {
        let slice = size_of::<Slice>() + (self.mini * self.mini) as usize * size_of::<u32>();
        let tiles: usize = self.tiles.iter().map(|t| size_of::<Tile>() + t.slices.len() * slice).sum();
        let patch = |p: &Patch| {
            size_of::<Patch>()
                + p.cells.capacity() * size_of::<Cell>()
                + (p.nodes.capacity() + p.heights.capacity() + p.dependents.capacity()) * size_of::<u32>()
                + p.gates.capacity() * size_of::<[u32; 2]>()
                + p.links.capacity() * size_of::<Link>()
        };
        tiles
            + self.lookup.bytes()
            + self.patches.iter().map(patch).sum::<usize>()
            + self.nodes.capacity() * size_of::<Node>()
    }
}
