//! The raw outlines of regions: closed rings of unit steps along cell edges.
//!
//! ```text
//!   o-->o-->*-->o      o a corner, with the neighbour beyond the edge that starts there
//!   ^       :   |      * a joint: the neighbour changes. Joints stay; between them outlines are simplified.
//!   o A A A : B v
//! ```
//!
//! Whether a corner is a joint must be decided the same from both sides of a boundary, or the two outlines would
//! separate. So a corner is also a joint where the *other* region's boundary leaves the shared one.
//!
//! Where two regions lie side by side without being connected, at a step or under a beam, both outlines run along the
//! boundary. They are simplified alike, as the boundary between two regions is: otherwise they would overlap. This
//! matters most where a region lies beside itself, as a winding one does: one side of such a *slit* could pass to the
//! wrong side of the other, and the outline would be inside out there.
//!
//! ```text
//!   A A A A A A A
//!   A A o-->--o A      low     the ends of a slit are joints, and so are corners where slits or walls meet it
//!   A A o--<--o A      high
//! ```
//!
//! Cost: one pass over the spans and one to a few loads per corner.
//!
//! Sources: Mikko Mononen, Recast, 2009 (walking contours); the test from both sides is ours.

use crate::bake::ContourVert;
use crate::bake::region::boundary::{Boundary, Edge, next_edge};
use crate::bake::region::regions::{BORDER_REGION, Regions, is_inner};
use crate::context::Budget;
use crate::voxel::{CompactHeightfield, DIRECTIONS};

/// A point of the grid of cell corners, counted from the tile itself (without its border cells).
pub(super) type RingCorner = [i32; 2];

/// A corner of a raw outline and the unit edge that starts there.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawVert {
    pub(super) at: RingCorner,
    /// What is on the other side of the edge: 0 for a wall; a region, with [`STEPPED`] if it is not connected, with
    /// [`ContourVert::AREA_BORDER`] if its area type differs; or [`ContourVert::TILE_BORDER`] with the side and the
    /// area type there in the low bits.
    pub(super) beyond: u32,
    /// The edge.
    pub(super) span: u32,
    pub(super) dir: u8,
    /// Whether the simplified outline must have this corner.
    pub(super) is_joint: bool,
}

/// Marks a region behind a wall: it is adjacent, but not connected.
const STEPPED: u32 = 1 << 29;

impl RawVert {
    pub(super) const fn edge(&self) -> Edge {
        Edge { span: self.span, dir: self.dir }
    }

    /// Whether the surface continues in another tile.
    pub(super) const fn is_tile_border(&self) -> bool {
        self.beyond & ContourVert::TILE_BORDER != 0
    }

    /// Whether no surface connects over the edge.
    pub(super) const fn is_wall(&self) -> bool {
        self.beyond == 0 || self.is_step()
    }

    /// Whether there is a region behind a wall.
    const fn is_step(&self) -> bool {
        self.beyond & (ContourVert::TILE_BORDER | STEPPED) == STEPPED
    }

    /// Whether `own`, the region of the edge, is on the other side as well.
    pub(super) const fn is_slit(&self, own: u32) -> bool {
        self.beyond == STEPPED | own
    }

    /// The region of this tile on the other side, if there is one.
    pub(super) const fn inner_beyond(&self) -> Option<u32> {
        let region = self.beyond & ContourVert::REGION_MASK & !STEPPED;
        if self.beyond & ContourVert::TILE_BORDER == 0 && region != 0 { Some(region) } else { None }
    }

    /// The neighbour value of the edge in a contour.
    pub(super) const fn neighbour(&self) -> u32 {
        if self.is_step() {
            0
        } else if self.is_tile_border() {
            ContourVert::TILE_BORDER
        } else {
            self.beyond
        }
    }
}

/// A raw outline: a range of raw corners; and, once simplified, a range of the simplified list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) region: u32,
    /// Enclosed cells: negative for an outline, positive for a hole, 0 for a slit between spans that do not connect.
    pub(super) area: i64,
    pub(super) has_slits: bool,
    pub(super) simple_first: u32,
    pub(super) simple_count: u32,
}

impl Ring {
    pub(super) const fn is_hole(&self) -> bool {
        self.area >= 0
    }

    pub(super) const fn raw(&self) -> core::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(super) const fn simple(&self) -> core::ops::Range<usize> {
        self.simple_first as usize..(self.simple_first + self.simple_count) as usize
    }
}

/// What is done next, and from which span on.
#[derive(Clone, Copy, Debug)]
enum TracePiece {
    Mark(usize),
    Walk(usize),
}

impl Default for TracePiece {
    fn default() -> Self {
        Self::Mark(0)
    }
}

/// All raw outlines of a field, by region.
#[derive(Clone, Debug, Default)]
pub(super) struct Rings {
    /// The edges that are not walked along yet.
    marks: Vec<u8>,
    next: TracePiece,
    pub(super) verts: Vec<RawVert>,
    pub(super) rings: Vec<Ring>,
}

/// The step along an edge in each direction, and where it starts within its cell.
pub(super) const STEP: [RingCorner; 4] = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const START: [RingCorner; 4] = [[0, 0], [0, 1], [1, 1], [1, 0]];

impl Rings {
    /// Prepares for [`trace`](Self::trace).
    pub(super) fn begin(&mut self, field: &CompactHeightfield) {
        self.marks.clear();
        self.marks.resize(field.span_count(), 0);
        self.verts.clear();
        self.rings.clear();
        self.next = TracePiece::Mark(0);
    }

    /// Walks around all regions within the budget: a unit is a span, or a corner. Then the rings are ordered by region,
    /// and in each by their first spans. Returns whether it is finished.
    pub(super) fn trace(&mut self, field: &CompactHeightfield, regions: &Regions, budget: &mut Budget) -> bool {
        let boundary = Boundary { links: &field.neighbours, region: &regions.id };
        let spans = field.span_count();
        while let TracePiece::Mark(from) = self.next {
            let piece = budget.piece(from, spans);
            boundary.mark_edges_of(piece.clone(), &mut self.marks);
            self.next = if piece.end == spans { TracePiece::Walk(0) } else { TracePiece::Mark(piece.end) };
            if !budget.charge(piece.len() as u64) {
                return false;
            }
        }
        if let TracePiece::Walk(mut from) = self.next {
            while let Some(start) = next_edge(&self.marks, &mut from) {
                let before = self.verts.len();
                self.trace_ring(field, boundary, start);
                self.next = TracePiece::Walk(from);
                if !budget.charge((self.verts.len() - before) as u64) {
                    return false;
                }
            }
        }
        self.rings.sort_unstable_by_key(|ring| (ring.region, ring.first));
        true
    }

    fn trace_ring(&mut self, field: &CompactHeightfield, boundary: Boundary<'_>, start: Edge) {
        let first = self.verts.len();
        let mut at = start_corner(field, start);
        let mut area = 0_i64;
        let mut has_slits = false;
        let mut edge = start;
        loop {
            self.marks[edge.span as usize] &= !(1 << edge.dir);
            let mut beyond = what_lies_beyond(field, boundary, edge);
            if beyond == 0
                && let Some(across) = across_step(field, boundary, at, edge)
            {
                beyond = STEPPED | boundary.region(across.span);
                has_slits |= boundary.region(across.span) == boundary.region(edge.span);
            }
            self.verts.push(RawVert { at, beyond, span: edge.span, dir: edge.dir, is_joint: false });
            let [dx, dz] = STEP[usize::from(edge.dir)];
            area += i64::from(at[0] * dz);
            at = [at[0] + dx, at[1] + dz];
            edge = boundary.successor(edge);
            // Only the first edge is reached again, since walks neither branch nor join.
            if self.marks[edge.span as usize] & 1 << edge.dir == 0 {
                break;
            }
        }
        let ring = &mut self.verts[first..];
        let mut before = ring[ring.len() - 1];
        for vert in ring.iter_mut() {
            vert.is_joint = vert.beyond != before.beyond
                || match vert.beyond {
                    0 => false,
                    _ if vert.is_step() => !is_smooth_step(field, boundary, [&before, vert]),
                    _ => !boundary.is_smooth_beyond(before.edge(), vert.edge()),
                };
            before = *vert;
        }
        let first = first as u32;
        let count = ring.len() as u32;
        let region = boundary.region(start.span);
        self.rings.push(Ring { first, count, region, area, has_slits, simple_first: 0, simple_count: 0 });
    }
}

/// The corner at which an edge starts.
fn start_corner(field: &CompactHeightfield, edge: Edge) -> RingCorner {
    // The last cell whose column starts at or before the span: cells without spans share their successor's start.
    let cell = field.columns.partition_point(|&start| start <= edge.span) - 1;
    let width = field.grid.width as usize;
    let border = field.border as i32;
    let [x, z] = START[usize::from(edge.dir)];
    [(cell % width) as i32 - border + x, (cell / width) as i32 - border + z]
}

/// The edge on the other side of a wall that starts at a corner: that of the same region, otherwise of the surface
/// nearest in height unless it is on another storey; only if it is a wall as well, and leads back to this one.
fn across_step(field: &CompactHeightfield, boundary: Boundary<'_>, at: RingCorner, edge: Edge) -> Option<Edge> {
    let [x, z] = START[usize::from(edge.dir)];
    let (dx, dz) = DIRECTIONS[usize::from(edge.dir)];
    let border = field.border as i32;
    let here = [at[0] - x + border, at[1] - z + border];
    let there = [here[0] + dx, here[1] + dz];
    if there[0] < 0 || there[1] < 0 || there[0] >= field.grid.width as i32 || there[1] >= field.grid.depth as i32 {
        return None;
    }
    let facing = |span: u32, [x, z]: [i32; 2]| {
        let own = boundary.region(span);
        let y = field.y[span as usize];
        let column = field.column(field.grid.index(x as u32, z as u32)).filter(|&s| is_inner(boundary.region[s]));
        // A region has no two spans in a column.
        column.min_by_key(|&s| (boundary.region[s] != own, field.y[s].abs_diff(y))).map(|s| s as u32)
    };
    let across = Edge { span: facing(edge.span, there)?, dir: (edge.dir + 2) & 3 };
    let is_slit = boundary.region(across.span) == boundary.region(edge.span);
    ((is_slit || is_step(field, [edge.span, across.span]))
        && boundary.region_beyond(across) == 0
        && facing(across.span, here) == Some(edge.span))
    .then_some(across)
}

/// Whether one of two spans is visible from the other, rather than hidden above its ceiling.
fn is_step(field: &CompactHeightfield, spans: [u32; 2]) -> bool {
    let [(low, clearance), (high, _)] = {
        let mut both = spans.map(|span| (field.y[span as usize], field.clearance[span as usize]));
        both.sort_unstable();
        both
    };
    high - low < clearance
}

/// Whether a step continues from an edge to the next on both sides.
fn is_smooth_step(field: &CompactHeightfield, boundary: Boundary<'_>, edges: [&RawVert; 2]) -> bool {
    let [Some(before), Some(next)] = edges.map(|vert| across_step(field, boundary, vert.at, vert.edge())) else {
        return false;
    };
    before != edges[1].edge() && boundary.successor(next) == before
}

fn what_lies_beyond(field: &CompactHeightfield, boundary: Boundary<'_>, edge: Edge) -> u32 {
    let region = boundary.region_beyond(edge);
    if region == 0 {
        return 0;
    }
    let area = field.area[boundary.beyond(edge) as usize];
    if region & BORDER_REGION != 0 {
        return ContourVert::TILE_BORDER | (region & 3) << 6 | u32::from(area.get());
    }
    let differs = area != field.area[edge.span as usize];
    region | if differs { ContourVert::AREA_BORDER } else { 0 }
}

/// Height of the corner at which an edge starts: the highest surface that meets there.
///
/// The spans around the corner are followed in both directions as far as they are connected, so that all of them agree
/// on the height, for any region or tile.
pub(super) fn corner_height(field: &CompactHeightfield, edge: Edge) -> u16 {
    let d = usize::from(edge.dir);
    let mut height = field.y[edge.span as usize];
    for turns in [[d, d + 3, d + 2], [d + 3, d, d + 1]] {
        let mut span = edge.span as usize;
        for dir in turns {
            span = field.neighbours[span][dir & 3] as usize;
            let Some(&y) = field.y.get(span) else { break };
            height = height.max(y);
        }
    }
    height
}
