//! Breadth-first search over runs of free cells.
//!
//! ```text
//!   row 3   [----------a----------]      Each maximal run of free cells in a row is one node: about 2N nodes
//!   row 2   [--b--]  ##  [---c----]      instead of N². Nodes of neighbouring rows are linked where they share an edge;
//!   row 1   [----d----]##[---e----]      the shared edge is the portal for string pulling.
//! ```
//!
//! The search is breadth first: the open list stays short and needs no order. New neighbours are queued by their
//! distance to the straight line from start to goal, so the runs near that line are visited first and the path stays
//! close to it. If the goal is closed off, the path leads to the visited run nearest to it.
//!
//! The path is not always the shortest. It does not need to be, since it is short and found anew every few frames. It
//! exists exactly if a path through 4-connected (or 8-connected without cutting corners) free cells exists.
//!
//! Cost: O(free runs). The caller keeps 3 bytes per row of cells, 6 bytes per run, and the path.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::LocalGrid;
use crate::area::PathStatus;
use crate::math::funnel::{Corner, Portal, string_pull_by};
use glam::{Vec2, Vec3};

/// A path through the grid, borrowed from the search that found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPath<'a> {
    /// `Complete`: it reaches the goal or, for a goal outside the grid, the point at which the straight line leaves the
    /// grid. `Partial`: the goal is closed off, and the path leads to the free point nearest to it. `None`: no cell is
    /// free.
    pub status: PathStatus,
    /// The corners of the path, from its start to its end. If the start is blocked, the first point is the nearest free
    /// point. Heights are interpolated evenly from the start's to the goal's.
    pub points: &'a [Vec3],
    /// Number of runs visited.
    pub visited: u32,
}

/// A run of free cells in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct GridSpan {
    /// The row.
    pub row: u8,
    /// First column.
    pub first: u8,
    /// One past the last column.
    pub end: u8,
    /// The run from which the search came, or [`UNVISITED`] or [`ROOT`]. It is in an adjacent row, so a byte is enough:
    /// twice its index in that row, which has no more than 32 runs, plus one if the row is the next one.
    parent: u8,
}

const _: () = assert!(size_of::<GridSpan>() == 4);
/// Not visited yet.
const UNVISITED: u8 = u8::MAX;
/// The search started here.
const ROOT: u8 = u8::MAX - 1;

impl GridSpan {
    fn is_visited(&self) -> bool {
        self.parent != UNVISITED
    }
}

/// Farthest distance of a goal, in cells; goals beyond are clamped to it.
const FARTHEST: Vec2 = Vec2::splat(1e9);

/// Finds paths in a grid; its memory is reused from search to search.
#[derive(Clone, Debug, Default)]
pub struct GridSearch {
    spans: Vec<GridSpan>,
    row_start: Vec<u16>,
    /// Number of unvisited runs in each row.
    unvisited: Vec<u8>,
    queue: Vec<u16>,
    corners: Vec<Corner>,
    points: Vec<Vec3>,
    /// Length of the queue before the path took over its memory.
    visited: usize,
}

impl GridSearch {
    /// Finds a path from `start` to `goal` through free cells. A start outside the grid is moved to its edge, and a
    /// start that is not a number to its middle. A goal that is not a number counts as closed off, and the path ends
    /// where it starts. A height that is not finite counts as that of the other end; 0 if neither is. Allocates only
    /// until its memory has grown to the grid's needs.
    pub fn find_path(&mut self, grid: &LocalGrid, start: impl Into<Vec3>, goal: impl Into<Vec3>) -> GridPath<'_> {
        let (start, goal) = (start.into(), goal.into());
        self.points.clear();
        self.corners.clear();
        self.queue.clear();
        self.visited = 0;
        self.cut_into_spans(grid);
        let size = grid.size() as f32;
        let from = grid.to_cells(start);
        let to = grid.to_cells(goal);
        let from = if from.is_nan() { Vec2::splat(size * 0.5) } else { from.clamp(Vec2::ZERO, Vec2::splat(size)) };
        let is_goal = !to.is_nan();
        let to = if is_goal { leave_square(from, to.clamp(-FARTHEST, FARTHEST), size) } else { from };
        let Some((root, from)) = self.nearest(from, |_| true) else {
            return GridPath { status: PathStatus::None, points: &self.points, visited: 0 };
        };
        let goal_span = self.span_at(to).filter(|_| is_goal);
        let reached = self.flood(root, goal_span, [from, to]);
        self.visited = self.queue.len();
        let (last, to) = match goal_span {
            Some(span) if reached => (span, to),
            _ => self.nearest(to, GridSpan::is_visited).unwrap_or((root, from)),
        };
        self.pull_string(from, to, last);
        let height = |own: f32, other: f32| [own, other].into_iter().find(|y| y.is_finite()).unwrap_or(0.0);
        let heights = [height(start.y, goal.y), height(goal.y, start.y)];
        self.write_points(grid, heights);
        let status = if reached { PathStatus::Complete } else { PathStatus::Partial };
        GridPath { status, points: &self.points, visited: self.visited as u32 }
    }

    /// The runs of the last grid searched, row by row, for drawing.
    #[must_use]
    pub fn spans(&self) -> &[GridSpan] {
        &self.spans
    }

    /// Bytes used by the last search: runs, queue and path.
    #[must_use]
    pub fn bytes_used(&self) -> usize {
        size_of_val(&self.spans[..])
            + size_of_val(&self.row_start[..])
            + size_of_val(&self.unvisited[..])
            + size_of::<u16>() * self.visited.max(self.queue.len())
            + size_of_val(&self.corners[..])
            + size_of_val(&self.points[..])
    }

    /// Finds the free runs of every row by counting the zeros and ones of its word.
    fn cut_into_spans(&mut self, grid: &LocalGrid) {
        self.spans.clear();
        self.row_start.clear();
        self.unvisited.clear();
        for row in 0..grid.size() as usize {
            self.row_start.push(self.spans.len() as u16);
            let mut free = grid.free_row(row);
            while free != 0 {
                // Adding a run's lowest bit carries to one past its highest.
                let past = free.wrapping_add(free & free.wrapping_neg());
                let [first, end] = [free, past].map(u64::trailing_zeros);
                self.spans.push(GridSpan { row: row as u8, first: first as u8, end: end as u8, parent: UNVISITED });
                free &= past;
            }
            self.unvisited.push((self.spans.len() - usize::from(self.row_start[row])) as u8);
        }
        self.row_start.push(self.spans.len() as u16);
    }

    /// The run that holds a point (in cells).
    fn span_at(&self, p: Vec2) -> Option<u16> {
        let rows = self.row_start.len() - 1;
        let row = (p.y as usize).min(rows - 1);
        let range = self.row_start[row]..self.row_start[row + 1];
        range.into_iter().find(|&i| {
            let span = self.spans[usize::from(i)];
            f32::from(span.first) <= p.x && p.x <= f32::from(span.end)
        })
    }

    /// The nearest of the runs that `admits` accepts, and the nearest point in it. Ties go to the lower number.
    fn nearest(&self, p: Vec2, admits: impl Fn(&GridSpan) -> bool) -> Option<(u16, Vec2)> {
        if let Some(i) = self.span_at(p).filter(|&i| admits(&self.spans[usize::from(i)])) {
            return Some((i, p));
        }
        let mut best: Option<(f32, u16, Vec2)> = None;
        for (i, span) in self.spans.iter().enumerate().filter(|(_, span)| admits(span)) {
            let low = Vec2::new(f32::from(span.first), f32::from(span.row));
            let high = Vec2::new(f32::from(span.end), f32::from(span.row) + 1.0);
            let q = p.clamp(low, high);
            let distance = q.distance_squared(p);
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, i as u16, q));
            }
        }
        best.map(|(_, i, q)| (i, q))
    }

    /// Breadth-first search from `root` until `goal` is visited or the queue is empty. Returns whether `goal` was
    /// visited.
    fn flood(&mut self, root: u16, goal: Option<u16>, line: [Vec2; 2]) -> bool {
        self.queue.push(root);
        let start = &mut self.spans[usize::from(root)];
        start.parent = ROOT;
        self.unvisited[usize::from(start.row)] -= 1;
        let mut head = 0;
        while let Some(&at) = self.queue.get(head) {
            if goal.is_some_and(|goal| self.spans[usize::from(goal)].is_visited()) {
                return true;
            }
            head += 1;
            let fresh = self.queue.len();
            let Self { spans, unvisited, .. } = self;
            let row = usize::from(spans[usize::from(at)].row);
            // One of the adjacent rows, the one the search came from, usually has nothing left.
            let [above, below] =
                [row.wrapping_sub(1), row + 1].map(|row| unvisited.get(row).is_some_and(|&count| count > 0));
            if above {
                self.visit_row(row - 1, at);
            }
            if below {
                self.visit_row(row + 1, at);
            }
            // A few at most: insertion sort by distance to the straight line, ties by number.
            let Self { queue, spans, .. } = self;
            if queue.len() - fresh > 1 {
                queue[fresh..].sort_by(|&a, &b| {
                    let distance = |i: u16| distance_to_line(&spans[usize::from(i)], line);
                    distance(a).total_cmp(&distance(b)).then(a.cmp(&b))
                });
            }
        }
        false
    }

    /// Queues the unvisited runs of a row that share an edge with run `at`.
    #[inline]
    fn visit_row(&mut self, row: usize, at: u16) {
        let Self { spans, row_start, unvisited, queue, .. } = self;
        let GridSpan { row: from, first, end, .. } = spans[usize::from(at)];
        let place = (at - row_start[usize::from(from)]) as u8;
        let parent = place << 1 | u8::from(row < usize::from(from));
        let [begin, stop] = [row_start[row], row_start[row + 1]];
        let mut found = 0;
        for (i, span) in (begin..stop).zip(&mut spans[usize::from(begin)..usize::from(stop)]) {
            if span.first >= end {
                break;
            }
            if span.end > first && !span.is_visited() {
                span.parent = parent;
                found += 1;
                queue.push(i);
            }
        }
        unvisited[row] -= found;
    }

    /// The run from which the search came to this one.
    fn parent_of(&self, run: u16) -> Option<u16> {
        let GridSpan { row, parent, .. } = self.spans[usize::from(run)];
        if parent >= ROOT {
            return None;
        }
        let row = if parent & 1 == 0 { row - 1 } else { row + 1 };
        Some(self.row_start[usize::from(row)] + u16::from(parent >> 1))
    }

    /// Lists the runs from the root to `last` and finds the straight path through their shared edges.
    fn pull_string(&mut self, from: Vec2, to: Vec2, last: u16) {
        // The queue is no longer needed; the path takes over its memory.
        self.queue.clear();
        let mut at = Some(last);
        while let Some(run) = at {
            self.queue.push(run);
            at = self.parent_of(run);
        }
        self.queue.reverse();
        let Self { queue: path, spans, corners, .. } = self;
        let portal = |i: usize| shared_edge(&spans[usize::from(path[i])], &spans[usize::from(path[i + 1])]);
        let flat = |p: Vec2| Vec3::new(p.x, 0.0, p.y);
        string_pull_by(flat(from), flat(to), path.len() - 1, portal, corners);
    }

    /// Converts the corners to world coordinates, with heights interpolated evenly from the start's to the goal's.
    fn write_points(&mut self, grid: &LocalGrid, [from, to]: [f32; 2]) {
        let step = |pair: &[Corner]| pair[0].point.distance(pair[1].point);
        let whole: f32 = self.corners.windows(2).map(step).sum();
        let mut walked = 0.0;
        for (i, corner) in self.corners.iter().enumerate() {
            if i > 0 {
                walked += step(&self.corners[i - 1..=i]);
            }
            let share = if whole > 0.0 { walked / whole } else { 0.0 };
            self.points.push(grid.to_world(Vec2::new(corner.point.x, corner.point.z), from + (to - from) * share));
        }
    }
}

/// The edge shared by runs of neighbouring rows, as seen when crossing from `from` to `to`.
fn shared_edge(from: &GridSpan, to: &GridSpan) -> Portal {
    let low = f32::from(from.first.max(to.first));
    let high = f32::from(from.end.min(to.end));
    let z = f32::from(from.row.max(to.row));
    // Facing greater z, greater x is to the right.
    let (left, right) = if to.row > from.row { (low, high) } else { (high, low) };
    Portal { left: Vec3::new(left, 0.0, z), right: Vec3::new(right, 0.0, z) }
}

/// Squared distance from the middle line of a run to the straight line from start to goal.
fn distance_to_line(span: &GridSpan, [from, to]: [Vec2; 2]) -> f32 {
    let z = f32::from(span.row) + 0.5;
    let rise = to.y - from.y;
    let along = if rise.abs() > 1e-6 { ((z - from.y) / rise).clamp(0.0, 1.0) } else { 0.5 };
    let on_line = from + (to - from) * along;
    let low = from.x.min(to.x);
    let high = from.x.max(to.x);
    let level = rise.abs() <= 1e-6;
    let off = |x: f32| (f32::from(span.first) - x).max(x - f32::from(span.end)).max(0.0);
    let dx =
        if level { (f32::from(span.first) - high).max(low - f32::from(span.end)).max(0.0) } else { off(on_line.x) };
    Vec2::new(dx, z - on_line.y).length_squared()
}

/// `to`, or if it is outside, the point where the line from `from` (inside) leaves the square of `size` cells.
fn leave_square(from: Vec2, to: Vec2, size: f32) -> Vec2 {
    let mut t: f32 = 1.0;
    for (a, b) in [(from.x, to.x), (from.y, to.y)] {
        if b > size {
            t = t.min((size - a) / (b - a));
        } else if b < 0.0 {
            t = t.min(a / (a - b));
        }
    }
    (from + (to - from) * t).clamp(Vec2::ZERO, Vec2::splat(size))
}
