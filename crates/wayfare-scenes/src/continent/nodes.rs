//! Nodes: points on a jittered lattice where something is built. The terrain around each is levelled.

use super::land::Land;

/// Distance between nodes, metres.
const LATTICE: f32 = 250.0;
/// Outside a node's radius the terrain returns to its original height within this distance, metres.
const SLOPE: f32 = 22.0;

/// Nothing is built nearer to a river than this.
const DRY: f32 = 3.0;

/// What is at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Town,
    /// A hill with a cave.
    Hill,
    Crossroads,
}

/// A place where something is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its position on the lattice.
    pub(super) cell: [i32; 2],
    pub(super) x: f32,
    pub(super) z: f32,
    /// The terrain height, metres.
    pub(super) y: f32,
    /// Radius of the levelled area, metres.
    pub(super) radius: f32,
    pub(super) kind: Kind,
    /// Seed for what is built there.
    pub(super) seed: u64,
}

impl Node {
    fn new(land: &Land, cell: [i32; 2]) -> Self {
        let mut dice = land.dice(10, cell[0], cell[1]);
        let mut at = [0.0; 2];
        // A dry position, if there is one.
        for _ in 0..12 {
            at = cell.map(|k| (k as f32 + dice.real(0.3, 0.7)) * LATTICE);
            if land.bank(at[0], at[1]) > DRY {
                break;
            }
        }
        let [x, z] = at;
        let is_dry = land.bank(x, z) > DRY;
        let radius = dice.real(38.0, 62.0);
        let is_inside = at.iter().all(|c| *c > radius + 4.0 && *c < land.side - radius - 4.0);
        let kind = match dice.whole(0, 2) {
            0 if is_dry && is_inside => Kind::Town,
            1 if is_dry && is_inside => Kind::Hill,
            _ => Kind::Crossroads,
        };
        let radius = match kind {
            Kind::Town => radius,
            Kind::Hill => radius.min(46.0),
            Kind::Crossroads => 0.0,
        };
        Self { cell, x, z, y: land.base(x, z), radius, kind, seed: dice.bits() }
    }

    fn distance(&self, x: f32, z: f32) -> f32 {
        ((x - self.x) * (x - self.x) + (z - self.z) * (z - self.z)).sqrt()
    }
}

/// The nodes around a box.
pub(super) struct Nodes {
    low: [i32; 2],
    columns: i32,
    rows: i32,
    list: Vec<Node>,
}

impl Nodes {
    /// The nodes that can affect a box: those within two lattice cells.
    pub(super) fn around(land: &Land, low: [f32; 2], high: [f32; 2]) -> Self {
        let first = low.map(|at| cell(at) - 2);
        let last = high.map(|at| cell(at) + 2);
        let cells = (first[1]..=last[1]).flat_map(|z| (first[0]..=last[0]).map(move |x| [x, z]));
        let list = cells.map(|cell| Node::new(land, cell)).collect();
        Self { low: first, columns: last[0] - first[0] + 1, rows: last[1] - first[1] + 1, list }
    }

    /// The node of a lattice cell.
    pub(super) fn get(&self, [x, z]: [i32; 2]) -> Option<&Node> {
        let [column, row] = [x - self.low[0], z - self.low[1]];
        let is_there = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        if is_there { self.list.get((row * self.columns + column) as usize) } else { None }
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = &Node> {
        self.list.iter()
    }

    /// The nodes within `reach` of a box.
    pub(super) fn within(&self, low: [f32; 2], high: [f32; 2], reach: f32) -> impl Iterator<Item = &Node> {
        self.list.iter().filter(move |node| {
            let near = |at: f32, axis: usize| at >= low[axis] - reach && at <= high[axis] + reach;
            near(node.x, 0) && near(node.z, 1)
        })
    }

    /// The terrain height.
    pub(super) fn height(&self, land: &Land, x: f32, z: f32) -> f32 {
        self.level(land, x, z) - land.water(x, z)
    }

    /// The terrain height without rivers.
    pub(super) fn level(&self, land: &Land, x: f32, z: f32) -> f32 {
        let mut y = land.base(x, z);
        for node in self.beside(x, z) {
            let beyond = (node.distance(x, z) - node.radius) / SLOPE;
            if node.radius > 0.0 && beyond < 1.0 {
                let t = beyond.max(0.0);
                let level = 1.0 - t * t * (3.0 - 2.0 * t);
                y += (node.y - y) * level;
            }
        }
        y
    }

    /// Whether nothing is built at a position.
    pub(super) fn is_free(&self, x: f32, z: f32) -> bool {
        self.beside(x, z).all(|node| node.distance(x, z) > node.radius + 6.0)
    }

    /// The nodes of the lattice cell of a position and of the surrounding cells.
    fn beside(&self, x: f32, z: f32) -> impl Iterator<Item = &Node> {
        let [column, row] = [cell(x), cell(z)];
        let cells = (row - 1..=row + 1).flat_map(move |z| (column - 1..=column + 1).map(move |x| [x, z]));
        cells.filter_map(|cell| self.get(cell))
    }

    /// The roads that begin at nodes: to the next node towards higher x and higher z.
    pub(super) fn roads(&self) -> impl Iterator<Item = [&Node; 2]> {
        let next = |node: &Node| [[node.cell[0] + 1, node.cell[1]], [node.cell[0], node.cell[1] + 1]];
        self.list.iter().flat_map(move |node| next(node).into_iter().filter_map(move |to| Some([node, self.get(to)?])))
    }
}

fn cell(at: f32) -> i32 {
    (at / LATTICE).floor() as i32
}
