//! BUILT to CONNECTED: finds the links from the nodes of a patch to their neighbours.
//!
//! ```text
//!    node a   | node b        Adjacent steps across a side of a node that lead to one node, with open squares between them, form
//!    . . . . →| . . .         one link: a run of cells, which may be crossed anywhere between the centres of its first and last.
//!    . . . . →| . . .         Ladders link upwards and downwards at one cell.
//!    . . . .  # # #
//! ```
//!
//! Examining a step builds the patch that it leads to, but does not connect it. If a neighbour was discarded, only the
//! sides that led to it are examined again.
//!
//! Cost: a few block look-ups per border cell; none for the last patch built, whose columns are in memory.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("upgrade neighbouring nodes to BUILT state so
//! we can connect").

use super::build::{Builder, node_at};
use super::crossing::middle;
use super::ground::{Ground, SIDES, Step};
use super::node::{BACK, DOWN, FORTH, Gate, Link, Node, UP};
use super::store::Store;
use super::{BlockSource, Cell};
use crate::math::index::NONE;

/// A run of steps under construction.
#[derive(Clone, Copy, Debug)]
struct Run {
    link: Link,
    /// The last step of the run.
    from: Cell,
    to: Cell,
}

/// Number of gates kept per neighbouring patch, of all links to it. The search over patches uses them only as a guide.
const GATES: usize = 3;

/// Memory of connecting.
#[derive(Clone, Debug, Default)]
pub(super) struct Connector {
    steps: Vec<(Cell, u8)>,
    runs: Vec<Run>,
    links: Vec<Link>,
    gates: Vec<Gate>,
}

/// Connects a patch unless it is connected.
pub(super) fn connect<S: BlockSource + ?Sized>(
    store: &mut Store,
    builder: &mut Builder,
    connector: &mut Connector,
    ground: &Ground<'_, S>,
    patch: u32,
) {
    if store.patches[patch as usize].connected {
        return;
    }
    let nodes = core::mem::take(&mut store.patches[patch as usize].nodes);
    let known = core::mem::take(&mut store.patches[patch as usize].links);
    connector.links(store, builder, ground, (&nodes[..], &known[..]));
    connector.gates(store, patch, &nodes);
    let patch = &mut store.patches[patch as usize];
    (patch.nodes, patch.links, patch.gates) = (nodes, connector.links[..].into(), connector.gates[..].into());
    patch.connected = true;
}

/// The first border cell of a node along a side, the direction of the border, and its number of cells.
fn border(node: &Node, side: usize) -> ([i32; 2], [i32; 2], u8) {
    match side {
        0 => ([node.x, node.z], [0, 1], node.depth),
        1 => ([node.last_x(), node.z], [0, 1], node.depth),
        2 => ([node.x, node.z], [1, 0], node.width),
        _ => ([node.x, node.last_z()], [1, 0], node.width),
    }
}

impl Connector {
    /// The links of all nodes of a patch: those that are known, and those of sides to examine again.
    fn links<S: BlockSource + ?Sized>(
        &mut self,
        store: &mut Store,
        builder: &mut Builder,
        ground: &Ground<'_, S>,
        (nodes, known): (&[u32], &[Link]),
    ) {
        self.links.clear();
        for (number, &slot) in nodes.iter().enumerate() {
            let Node { links: [first, end], stale, .. } = store.nodes[slot as usize];
            let known = &known[first as usize..end as usize];
            let start = self.links.len() as u32;
            if stale == 0 {
                self.links.extend_from_slice(known);
            } else {
                for side in 0..UP + 1 {
                    if stale >> side & 1 == 0 {
                        self.links.extend(known.iter().filter(|link| link.side_bit() == 1 << side));
                    } else if side == UP {
                        self.ladders(store, builder, ground, slot);
                    } else {
                        self.side(store, builder, ground, [slot, number as u32], usize::from(side));
                    }
                }
            }
            let node = &mut store.nodes[slot as usize];
            (node.links, node.stale) = ([start, self.links.len() as u32], 0);
        }
    }

    /// The gates of a patch, from the links of its nodes; and notes in its neighbours that it depends on them.
    fn gates(&mut self, store: &mut Store, patch: u32, nodes: &[u32]) {
        let gates = &mut self.gates;
        gates.clear();
        let mut last = patch;
        let mut has_enough = false;
        for &node in nodes {
            let Node { links: [first, end], area: here, .. } = store.nodes[node as usize];
            for &link in &self.links[first as usize..end as usize] {
                let Node { patch: to, area: there, .. } = store.nodes[link.to as usize];
                if to == patch {
                    continue;
                }
                // No more links to the last patch are needed.
                has_enough &= to == last;
                if !has_enough {
                    let known = |way: u8| gates.iter().filter(|gate| gate.to == to && gate.ways & way != 0).count();
                    let forth = known(FORTH);
                    let is_back_known = known(BACK) > 0;
                    has_enough = forth >= GATES && is_back_known;
                    let wanted = if forth < GATES { FORTH } else { 0 } | if is_back_known { 0 } else { BACK };
                    if link.ways & wanted != 0 {
                        // A link back is stored along with a link forth that is needed.
                        let ways = link.ways & if wanted & FORTH != 0 { FORTH | BACK } else { BACK };
                        gates.push(Gate { to, entry: middle(store, node, link), areas: [here, there], ways });
                    }
                }
                let dependents = &mut store.patches[to as usize].dependents;
                if to != last && !dependents.contains(&patch) {
                    dependents.push(patch);
                }
                last = to;
            }
        }
    }

    /// The links across one side of a node, which has a number in its patch.
    fn side<S: BlockSource + ?Sized>(
        &mut self,
        store: &mut Store,
        builder: &mut Builder,
        ground: &Ground<'_, S>,
        [slot, number]: [u32; 2],
        side: usize,
    ) {
        let ([x, z], [dx, dz], count) = border(&store.nodes[slot as usize], side);
        let patch = store.nodes[slot as usize].patch;
        let tile = store.patches[patch as usize].tile;
        let origin = store.tile_origin(tile);
        if store.is_in_tile(origin, x + SIDES[side][0], z + SIDES[side][1])
            && let Some(inner) = builder.inner_links(patch)
        {
            return inner.across(number as usize, side, &mut self.links);
        }
        // The tile beyond the side, once it is looked up.
        let mut outer = NONE;
        self.runs.clear();
        for along in 0..count {
            let i = i32::from(along);
            let x = x + dx * i;
            let z = z + dz * i;
            let from = Cell::new(x, store.height(slot, x, z), z);
            self.steps.clear();
            let mut note = |step: Step| {
                let ways = if step.forth { FORTH } else { 0 } | if step.back { BACK } else { 0 };
                self.steps.push((step.to, ways));
            };
            let columns = builder.columns_of(patch);
            if !columns.is_some_and(|columns| columns.steps(ground, from, side, &mut note)) {
                ground.steps(from, side, note);
            }
            for k in 0..self.steps.len() {
                let (to, ways) = self.steps[k];
                let is_inside = store.is_in_tile(origin, to.x, to.z);
                if !is_inside && outer == NONE {
                    outer = store.find_tile(store.tile_key(to.x, to.z)).unwrap_or(NONE);
                }
                let within = if is_inside { tile } else { outer };
                let known = if within == NONE { NONE } else { store.at_in(within, to) };
                let node = if known == NONE { node_at(store, builder, ground, to) } else { known };
                if node != slot {
                    let link = Link { to: node, side: side as u8, first: along, last: along, ways };
                    self.extend(ground, Run { link, from, to });
                }
            }
            self.finish(Some(along));
        }
        self.finish(None);
    }

    /// Adds a step to the run that it continues, or starts a new run.
    fn extend<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, step: Run) {
        let continues = |run: &&mut Run| {
            let Link { to, ways, last, .. } = run.link;
            let opens = || ground.square_opens([run.from, step.from], [run.to, step.to]);
            to == step.link.to && ways == step.link.ways && last + 1 == step.link.first && {
                let (forth, back) = opens();
                (forth || ways & FORTH == 0) && (back || ways & BACK == 0)
            }
        };
        if let Some(run) = self.runs.iter_mut().find(continues) {
            (run.from, run.to, run.link.last) = (step.from, step.to, step.link.last);
        } else {
            self.runs.push(step);
        }
    }

    /// Turns runs that did not reach `at` into links.
    fn finish(&mut self, at: Option<u8>) {
        let Self { runs, links, .. } = self;
        if runs.iter().all(|run| Some(run.link.last) == at) {
            return;
        }
        runs.retain(|run| {
            let goes_on = Some(run.link.last) == at;
            if !goes_on {
                links.push(run.link);
            }
            goes_on
        });
    }

    /// The links up and down ladders. Only cells in a ladder or above one have any.
    fn ladders<S: BlockSource + ?Sized>(
        &mut self,
        store: &mut Store,
        builder: &mut Builder,
        ground: &Ground<'_, S>,
        slot: u32,
    ) {
        let node = store.nodes[slot as usize];
        if builder.columns_of(node.patch).is_some_and(|columns| !columns.has_ladders()) {
            return;
        }
        for z in node.z..=node.last_z() {
            for x in node.x..=node.last_x() {
                let from = Cell::new(x, store.height(slot, x, z), z);
                let rungs = match builder.columns_of(node.patch) {
                    Some(columns) => columns.rungs(from),
                    None => [ground.rung_above(from), ground.rung_below(from)],
                };
                for (side, rung) in [UP, DOWN].into_iter().zip(rungs) {
                    let Some(to) = rung else { continue };
                    let to = node_at(store, builder, ground, to);
                    let [first, last] = [x - node.x, z - node.z].map(|v| v as u8);
                    self.links.push(Link { to, side, first, last, ways: FORTH | BACK });
                }
            }
        }
    }
}
