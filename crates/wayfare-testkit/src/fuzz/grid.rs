//! A local grid in use: it moves, walls, agents and crates are marked in it, and ways are asked for, by any numbers.

use super::Bytes;
use wayfare::area::PathStatus;
use wayfare::grid::{GridSearch, LocalGrid, NearbyAgent, Obstacle, Shape, blockers};
use wayfare::{Vec2, Vec3};

/// Obstacles beyond this many only take longer.
const MOST: usize = 40;
const ODD: [f32; 12] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -1e9, 1e-40, -0.0, 16_777_216.0, 1e-3, -1e5];

/// Does to a grid what `data` says, an operation for every few bytes. What was blocked stays so until it is cleared;
/// ways lead through free cells, and to the goal exactly where cells beside each other do; whoever stands in the way is
/// named. How many ways led to their goal.
///
/// # Panics
/// If any of this does not hold.
pub fn grid(data: &[u8]) -> u32 {
    let mut bytes = Bytes(data);
    let (size, cell_size) = (1 + u32::from(bytes.next() % 64), [0.25, 1.0, 0.1, 1e-6, 1e6][bytes.next() as usize % 5]);
    let grid = LocalGrid::new(size, cell_size).unwrap_or_else(|e| panic!("within the limits: {e}"));
    let mut game = Game { grid, search: GridSearch::default(), obstacles: Vec::new(), reached: 0 };
    while bytes.left() > 0 {
        game.operate(&mut bytes);
    }
    game.reached
}

struct Game {
    grid: LocalGrid,
    search: GridSearch,
    obstacles: Vec<Obstacle>,
    reached: u32,
}

impl Game {
    fn operate(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.next() % 12 {
            0 => self.recenter(bytes),
            1 => {
                self.grid.clear();
                self.obstacles.clear();
            }
            2..6 => self.block(bytes),
            6 => self.surround(bytes),
            7 => self.name_blockers(bytes),
            _ => self.find(bytes),
        }
    }

    /// The free cells, row by row.
    fn free(&self) -> Vec<bool> {
        let size = self.grid.size();
        (0..size * size).map(|i| !self.grid.is_blocked(i % size, i / size)).collect()
    }

    /// The cell of a place, and how far the place is from the cell's border; `None` outside.
    fn cell(&self, p: Vec3) -> Option<(usize, f32)> {
        let at = (Vec2::new(p.x, p.z) - self.grid.origin()) / self.grid.cell_size();
        let (size, inner) = (self.grid.size(), (at - at.floor()).min(at.floor() + 1.0 - at).min_element());
        let inside = at.is_finite() && at.min_element() >= 0.0 && at.max_element() < size as f32;
        inside.then(|| (at.y as usize * size as usize + at.x as usize, inner))
    }

    /// Whether cells are large beside the rounding of coordinates.
    fn is_fine(&self) -> bool {
        self.grid.origin().abs().max_element() < 1e3 * self.grid.cell_size()
    }

    fn recenter(&mut self, bytes: &mut Bytes<'_>) {
        let (center, before) = (place(bytes), self.grid.origin());
        self.grid.recenter(center);
        self.obstacles.clear();
        let after = self.grid.origin();
        assert!(after.is_finite() && self.free().iter().all(|free| *free), "{center}: {after}");
        assert!(center.is_finite() || center.y.is_nan() || before == after || center.x.is_finite(), "{center}");
    }

    fn block(&mut self, bytes: &mut Bytes<'_>) {
        let (obstacle, radius) = (obstacle(bytes, self.obstacles.len() as u32), number(bytes));
        let before = self.free();
        self.grid.block(&obstacle, radius);
        let after = self.free();
        assert!(before.iter().zip(&after).all(|(before, after)| *before || !after), "{obstacle:?} frees a cell");
        if let Shape::Disc { center, radius: own } = obstacle.shape
            && [center.x, center.z, own, radius].iter().all(|v| v.abs() < 1e6)
            && let Some((cell, inner)) = self.cell(center)
        {
            assert!(!after[cell] || inner < 1e-2, "{obstacle:?} does not block where it stands");
        }
        if self.obstacles.len() < MOST {
            self.obstacles.push(obstacle);
        }
    }

    fn surround(&mut self, bytes: &mut Bytes<'_>) {
        let walls = [(); 3].map(|()| [place(bytes), place(bytes)]);
        let others = [0, 1, 2].map(|id| NearbyAgent { at: place(bytes), radius: number(bytes), id });
        let (here, radius, wall_distance) = (place(bytes), number(bytes), number(bytes));
        self.grid.surround(here, radius, &walls, wall_distance, &others, &mut self.obstacles);
        assert!(self.obstacles.len() <= others.len() && self.grid.origin().is_finite());
    }

    /// Each obstacle once, and none missing that one walks into.
    fn name_blockers(&mut self, bytes: &mut Bytes<'_>) {
        let (from, to, radius) = (place(bytes), place(bytes), number(bytes));
        let named = blockers(&self.obstacles, from, to, radius);
        for id in &named {
            let of = |ids: &mut dyn Iterator<Item = u32>| ids.filter(|other| other == id).count();
            assert!(of(&mut named.iter().copied()) <= of(&mut self.obstacles.iter().map(|o| o.id)), "{id}: {named:?}");
        }
        let is_small = |p: Vec3| p.x.abs() < 1e3 && p.z.abs() < 1e3;
        for obstacle in &self.obstacles {
            let Shape::Disc { center, radius: own } = obstacle.shape else { continue };
            if is_small(from) && is_small(to) && is_small(center) && own < 1e3 && (0.0..1e3).contains(&radius) {
                let flat = |p: Vec3| Vec2::new(p.x, p.z);
                let least = (0..=64)
                    .map(|i| flat(from).lerp(flat(to), i as f32 / 64.0).distance(flat(center)))
                    .fold(f32::INFINITY, f32::min);
                let is_touched = least < own.max(0.0) + radius - 1e-2;
                assert!(!is_touched || named.contains(&obstacle.id), "{obstacle:?} from {from} to {to}: {named:?}");
            }
        }
    }

    fn find(&mut self, bytes: &mut Bytes<'_>) {
        let (from, to) = (place(bytes), place(bytes));
        let (free, size, cell_size) = (self.free(), self.grid.size() as usize, self.grid.cell_size());
        let found = self.search.find_path(&self.grid, from, to);
        let (status, points, visited) = (found.status, found.points.to_vec(), found.visited as usize);
        let told = format!("from {from} to {to}: {status:?} {points:?}");
        let runs = self.search.spans().len();
        assert!(visited <= runs, "{visited} of {runs} runs looked at");
        assert!(self.search.bytes_used() <= 3 * size + 2 + 6 * runs + 32 * points.len(), "bytes, {told}");
        assert_eq!(status == PathStatus::None, !free.contains(&true), "{told}");
        assert_eq!(status == PathStatus::None, points.is_empty(), "{told}");
        assert!(points.iter().all(|p| p.x.is_finite() && p.z.is_finite()), "{told}");
        assert!(!(from.y.abs() < 1e30 && to.y.abs() < 1e30) || points.iter().all(|p| p.y.is_finite()), "{told}");
        self.reached += u32::from(status == PathStatus::Complete);
        if !self.is_fine() || points.is_empty() {
            return;
        }
        let is_free = |p: Vec2| {
            let inside = p.min_element() >= 0.0 && p.max_element() < size as f32;
            inside && free[p.y as usize * size + p.x as usize]
        };
        let origin = self.grid.origin();
        for pair in points.windows(2) {
            for i in 0..=32 {
                let p = pair[0].lerp(pair[1], i as f32 / 32.0);
                let at = (Vec2::new(p.x, p.z) - origin) / cell_size;
                // It may touch corners of blocked cells, and the grid's edge: one of the cells around must be free.
                let around = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
                assert!(around.iter().any(|(x, z)| is_free(at + Vec2::new(*x, *z) * 1e-2)), "{p} is blocked, {told}");
            }
        }
        let inner = |p: Vec3| self.cell(p).filter(|(cell, inner)| free[*cell] && *inner > 1e-2);
        let (Some((start, _)), Some((goal, _))) = (inner(from), inner(to)) else { return };
        assert_eq!(status == PathStatus::Complete, flood(&free, size, start)[goal], "{told}");
        let away = |p: Vec3, q: Vec3| Vec2::new(p.x - q.x, p.z - q.z).length();
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!(away(first, from) <= 1e-2 * cell_size, "{told}");
        assert!(status != PathStatus::Complete || away(last, to) <= 1e-2 * cell_size, "{told}");
        assert!(away(last, to) <= away(first, to) + 1e-2 * cell_size, "{told}");
    }
}

/// What can be reached from a cell by way of free ones.
fn flood(free: &[bool], size: usize, start: usize) -> Vec<bool> {
    let (mut reached, mut queue) = (vec![false; free.len()], vec![start]);
    reached[start] = true;
    while let Some(at) = queue.pop() {
        let (x, z) = (at % size, at / size);
        let beside = [(x > 0, at.wrapping_sub(1)), (x + 1 < size, at + 1), (z > 0, at.wrapping_sub(size))];
        for (is_inside, next) in beside.into_iter().chain([(z + 1 < size, at + size)]) {
            if is_inside && free[next] && !reached[next] {
                reached[next] = true;
                queue.push(next);
            }
        }
    }
    reached
}

/// Mostly within some metres of the origin, in eighths of a metre.
fn number(bytes: &mut Bytes<'_>) -> f32 {
    match bytes.next() {
        byte @ 244.. => ODD[usize::from(byte) - 244],
        byte => (f32::from(byte) - 122.0) * 0.125,
    }
}

fn place(bytes: &mut Bytes<'_>) -> Vec3 {
    let (x, z) = (number(bytes), number(bytes));
    // Heights matter little: one of them, where the others are not both odd.
    let y = if x.is_finite() || z.is_finite() { x * 0.5 } else { number(bytes) };
    Vec3::new(x, y, z)
}

fn obstacle(bytes: &mut Bytes<'_>, id: u32) -> Obstacle {
    let shape = match bytes.next() % 3 {
        0 => Shape::Segment { a: place(bytes), b: place(bytes) },
        1 => Shape::Disc { center: place(bytes), radius: number(bytes) * 0.25 },
        _ => Shape::Box { center: place(bytes), half: [number(bytes) * 0.2, number(bytes) * 0.2], yaw: number(bytes) },
    };
    Obstacle { shape, id }
}
