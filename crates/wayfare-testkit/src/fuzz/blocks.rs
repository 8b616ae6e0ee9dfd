//! A block world in use: blocks are put and taken, ways, boxes and random places are asked for, an agent walks.

use super::Bytes;
use wayfare::Vec3;
use wayfare::area::{LimitHit, PathStatus};
use wayfare::blocks::{
    Block, BlockAgent, BlockBox, BlockCorridor, BlockCosts, BlockNav, BlockPath, BlockPathRequest, BlockSettings, Cell,
    DenseBlocks, plain_grid_path,
};
use wayfare::math::Rng;

/// Blocks along x, y and z.
const SIZE: [i32; 3] = [14, 7, 14];
/// Where the world begins: about the origin, and where nobody stands any more.
const LOW: [Cell; 3] = [Cell::new(-7, -2, -7), Cell::new((1 << 30) - 9, -3, 2), Cell::new(0, -(1 << 30) - 3, -20)];
const ODD: [i32; 10] = [i32::MIN, i32::MIN + 1, -(1 << 30), -11, -1, 0, 5, 1 << 30, i32::MAX - 1, i32::MAX];

/// Does to a world what `data` says, an operation for every few bytes. Nobody can tell it from one that was built anew,
/// and plain search over single places reaches the same. How many ways led to their goal.
///
/// # Panics
/// If any of this does not hold.
pub fn blocks(data: &[u8]) -> u32 {
    let mut bytes = Bytes(data);
    let mut game = Game::new(&mut bytes);
    while bytes.left() > 0 {
        game.operate(&mut bytes);
    }
    game.reached
}

struct Game {
    world: DenseBlocks,
    bounds: BlockBox,
    /// Whether f32 counts the blocks here.
    is_near: bool,
    settings: BlockSettings,
    nav: BlockNav,
    costs: BlockCosts,
    kept: Vec<BlockPath>,
    walker: Option<BlockCorridor>,
    rng: Rng,
    reached: u32,
}

impl Game {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        let low = LOW[usize::from(bytes.next().saturating_sub(200)) % 3];
        let [w, h, d] = SIZE;
        let bounds = BlockBox::new(low, Cell::new(low.x + w - 1, low.y + h - 1, low.z + d - 1));
        let world = DenseBlocks::from_fn(bounds, |_, y, _| if y < low.y + 2 { Block::Solid } else { Block::Air });
        let world = world.unwrap_or_else(|e| panic!("a small world: {e}"));
        let body = bytes.next();
        let agent = BlockAgent {
            climb: [1, 0, 2, 1 << 16][usize::from(body & 3)],
            drop: [1, 0, 3, 1 << 16][usize::from(body >> 2 & 3)],
            height: [2, 1, 3, 2][usize::from(body >> 4 & 3)],
            width: [1, 1, 2, 3][usize::from(body >> 6)],
        };
        let settings = BlockSettings { agent, mini: [10, 1, 3, 255][usize::from(bytes.next() % 4)] };
        Self {
            world,
            bounds,
            is_near: low == LOW[0],
            settings,
            nav: fresh(settings),
            costs: BlockCosts::default(),
            kept: Vec::new(),
            walker: None,
            rng: Rng::new(u64::from(body)),
            reached: 0,
        }
    }

    fn operate(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.next() % 16 {
            0..4 => self.put(bytes),
            4 => self.fill(bytes),
            5 => self.say_too_much(bytes),
            6..9 => self.find(bytes),
            9 => self.find_box(bytes),
            10 => self.find_limited(bytes),
            11 => self.draw(bytes),
            12 => self.ask_oddly(bytes),
            13 => self.price(bytes),
            _ => self.walk(bytes),
        }
        self.check_kept();
    }

    // ---- edits ----

    fn cell(&self, bytes: &mut Bytes<'_>) -> Cell {
        let [x, y, z] = SIZE.map(|n| i32::from(bytes.next()) % n);
        Cell::new(self.bounds.min.x + x, self.bounds.min.y + y, self.bounds.min.z + z)
    }

    fn put(&mut self, bytes: &mut Bytes<'_>) {
        let at = self.cell(bytes);
        assert!(self.world.set(at, block(bytes)), "{at:?} is in the world");
        self.nav.invalidate(BlockBox::of(at));
    }

    fn fill(&mut self, bytes: &mut Bytes<'_>) {
        let (low, size, block) = (self.cell(bytes), bytes.next(), block(bytes));
        let [w, h, d] = [size & 3, size >> 2 & 3, size >> 4 & 3].map(i32::from);
        for x in low.x..=low.x + w {
            for y in low.y..=low.y + h {
                for z in low.z..=low.z + d {
                    let _ = self.world.set(Cell::new(x, y, z), block);
                }
            }
        }
        self.nav.invalidate(BlockBox::new(low, Cell::new(low.x + w, low.y + h, low.z + d)));
    }

    /// Of boxes in which nothing changed, of all there is, and of none.
    fn say_too_much(&mut self, bytes: &mut Bytes<'_>) {
        let (a, b) = (self.odd_cell(bytes), self.odd_cell(bytes));
        self.nav.invalidate(BlockBox { min: a, max: b });
    }

    /// In the world, or anywhere.
    fn odd_cell(&self, bytes: &mut Bytes<'_>) -> Cell {
        let inside = self.cell(bytes);
        let odd = bytes.next();
        let number = |k: u8, own: i32| {
            if odd >> k & 1 == 0 { own } else { ODD[usize::from(odd.rotate_left(u32::from(k))) % ODD.len()] }
        };
        Cell::new(number(5, inside.x), number(6, inside.y), number(7, inside.z))
    }

    /// What an area costs from now on.
    fn price(&mut self, bytes: &mut Bytes<'_>) {
        let kind = bytes.next();
        let area = block(&mut Bytes(&[kind])).area();
        let cost = [1.0, 4.0, f32::INFINITY, f32::NAN, -1.0, 0.0, f32::MAX, 1e30][usize::from(kind >> 5)];
        self.costs = if kind & 8 == 0 { BlockCosts::default() } else { self.costs.clone().with(area, cost) };
        // A way that was found at other prices is not the one that is found now.
        self.walker = None;
    }

    /// What is said to be current can still be walked: one can stand wherever it passes a place exactly.
    fn check_kept(&mut self) {
        let Self { kept, nav, world, settings, .. } = self;
        kept.retain(|path| nav.is_current(path));
        let half = settings.agent.width as f32 * 0.5;
        for pair in kept.iter().flat_map(|path| path.points.windows(2)) {
            let run = (pair[1] - pair[0]).abs();
            let steps = run.x.max(run.z).round() as u32;
            for i in 0..=steps {
                let p = pair[0].lerp(pair[1], i as f32 / steps.max(1) as f32) - Vec3::new(half, 0.0, half);
                if (p - p.round()).abs().max_element() < 1e-3 {
                    let c = p.round().as_ivec3();
                    assert!(nav.stands(world, Cell::new(c.x, c.y, c.z)), "nobody stands at {c} of {pair:?}");
                }
            }
        }
    }

    // ---- questions ----

    /// Where one can stand, as far as there is such a place near a cell; else the cell.
    fn standing(&mut self, bytes: &mut Bytes<'_>) -> Cell {
        let cell = self.cell(bytes);
        let column = BlockBox { min: Cell { y: self.bounds.min.y, ..cell }, max: Cell { y: i32::MAX, ..cell } };
        self.nav.random_in_box(&self.world, column, &mut self.rng).unwrap_or(cell)
    }

    /// Asks the navigation in use and one that is made for this question alone.
    fn both(&mut self, request: &BlockPathRequest) -> BlockPath {
        let mut anew = fresh(self.settings);
        let (old, new) = (self.nav.find_path(&self.world, request), anew.find_path(&self.world, request));
        let answer = |p: &BlockPath| (p.status, p.limit, p.points.clone(), p.length, p.visited, p.nodes.len());
        assert_eq!(answer(&old), answer(&new), "{request:?}");
        let stands = self.nav.stands(&self.world, request.start);
        assert_eq!(old.status == PathStatus::None, request.goal.is_empty() || !stands, "{request:?}: {old:?}");
        assert!(old.points.iter().all(|p| p.is_finite()) && old.length.is_finite(), "{request:?}: {old:?}");
        if let (true, Some(first)) = (self.is_near, old.points.first()) {
            assert_eq!(*first, self.nav.position(request.start), "{request:?}");
        }
        self.reached += u32::from(old.status == PathStatus::Complete);
        old
    }

    fn plain_reaches(&self, request: &BlockPathRequest) -> bool {
        !plain_grid_path(&self.world, self.settings.agent, request.start, request.goal).cells.is_empty()
    }

    fn find(&mut self, bytes: &mut Bytes<'_>) {
        let (start, goal) = (self.standing(bytes), self.standing(bytes));
        let request = BlockPathRequest { costs: self.costs.clone(), ..BlockPathRequest::to(start, goal) };
        let found = self.both(&request);
        let reaches = found.status == PathStatus::Complete;
        if self.costs == BlockCosts::default() {
            assert_eq!(reaches, self.plain_reaches(&request), "{start:?} to {goal:?}");
        }
        if reaches && self.is_near {
            assert_eq!(found.points.last(), Some(&self.nav.position(goal)), "{start:?} to {goal:?}: {found:?}");
        }
        let exists = self.nav.path_exists(&self.world, start, goal, &self.costs, u32::MAX);
        assert_eq!(exists, Ok(reaches), "{start:?} to {goal:?}");
        let limit = u32::from(bytes.next());
        let within = self.nav.path_exists(&self.world, start, goal, &self.costs, limit);
        assert!(within == Ok(reaches) || within == Err(LimitHit::Nodes), "{within:?} of {limit} nodes");
        if self.is_near && self.kept.len() < 8 {
            self.kept.push(found);
        }
    }

    fn find_box(&mut self, bytes: &mut Bytes<'_>) {
        let (start, a, b) = (self.standing(bytes), self.odd_cell(bytes), self.odd_cell(bytes));
        let goal = if bytes.next() & 1 == 0 { BlockBox::new(a, b) } else { BlockBox { min: a, max: b } };
        let request = BlockPathRequest::to_box(start, goal);
        let found = self.both(&request);
        assert_eq!(found.status == PathStatus::Complete, self.plain_reaches(&request), "{request:?}");
    }

    fn find_limited(&mut self, bytes: &mut Bytes<'_>) {
        let (start, goal) = (self.standing(bytes), self.standing(bytes));
        let whole = BlockPathRequest { costs: self.costs.clone(), ..BlockPathRequest::to(start, goal) };
        let max_nodes = [u32::MAX, 0, 1, 2, 7, 30][usize::from(bytes.next()) % 6];
        let found = self.both(&BlockPathRequest { max_nodes, ..whole.clone() });
        assert!(found.visited <= max_nodes.max(2), "{} of {max_nodes}", found.visited);
        if found.limit.is_none() {
            let free = self.nav.find_path(&self.world, &whole);
            assert_eq!((found.status, found.points), (free.status, free.points), "{max_nodes} nodes were enough");
        } else {
            assert_eq!((found.status, found.limit), (PathStatus::Partial, Some(LimitHit::Nodes)));
        }
    }

    /// Random places: in a box, and within reach.
    fn draw(&mut self, bytes: &mut Bytes<'_>) {
        let within = BlockBox { min: self.odd_cell(bytes), max: self.odd_cell(bytes) };
        match self.nav.random_in_box(&self.world, within, &mut self.rng) {
            Some(c) => assert!(within.contains(c) && self.nav.stands(&self.world, c), "{c:?} of {within:?}"),
            None => assert_eq!(self.standing_points().find(|c| within.contains(*c)), None, "one stands in {within:?}"),
        }
        let start = self.standing(bytes);
        let radius = [0, 1, 4, 40, u32::MAX][usize::from(bytes.next()) % 5];
        let drawn = self.nav.random_reachable(&self.world, start, radius, &self.costs, &mut self.rng);
        assert_eq!(drawn.is_some(), self.nav.stands(&self.world, start), "{start:?}");
        if let Some(c) = drawn {
            let exists = self.nav.path_exists(&self.world, start, c, &self.costs, u32::MAX);
            let far = c.x.abs_diff(start.x).max(c.z.abs_diff(start.z));
            assert!(exists == Ok(true) && far <= radius, "{start:?} to {c:?} of {radius}: {exists:?}");
        }
    }

    fn standing_points(&self) -> impl Iterator<Item = Cell> + '_ {
        let (low, aside) = (self.bounds.min, self.settings.agent.width as i32 - 1);
        let [w, h, d] = SIZE;
        let columns = (-aside..w).flat_map(move |x| (-aside..d).map(move |z| (x, z)));
        let cells = columns.flat_map(move |(x, z)| (0..=h).map(move |y| Cell::new(low.x + x, low.y + y, low.z + z)));
        cells.filter(|c| self.nav.stands(&self.world, *c))
    }

    /// Of cells and places that may be anywhere or nowhere.
    fn ask_oddly(&mut self, bytes: &mut Bytes<'_>) {
        let (start, goal) = (self.odd_cell(bytes), self.odd_cell(bytes));
        let found = self.both(&BlockPathRequest::to(start, goal));
        let exists = self.nav.path_exists(&self.world, start, goal, &BlockCosts::default(), u32::MAX);
        assert_eq!(exists, Ok(found.status == PathStatus::Complete), "{start:?} to {goal:?}");
        let odd = [f32::NAN, f32::INFINITY, f32::MIN, 1e30, -0.0, 0.5, 3e9, -1e-40];
        let number = |bytes: &mut Bytes<'_>| odd[usize::from(bytes.next()) % odd.len()];
        let p = Vec3::new(number(bytes), number(bytes), number(bytes));
        for reach in [0, 2, u32::MAX] {
            let near = self.nav.nearest(&self.world, p, reach);
            assert!(near.is_none_or(|c| self.nav.stands(&self.world, c)), "{p}: {near:?}");
        }
        let _ = (self.nav.mini_mesh_state(start), self.nav.node_of(goal), self.nav.position(start));
        assert!(self.nav.stats().connected <= self.nav.stats().built);
    }

    /// An agent is put down, or goes on.
    fn walk(&mut self, bytes: &mut Bytes<'_>) {
        let Some(mut walker) = self.walker.take() else {
            let (start, goal) = (self.standing(bytes), self.standing(bytes));
            let request = BlockPathRequest { costs: self.costs.clone(), ..BlockPathRequest::to(start, goal) };
            let at = self.nav.position(start);
            self.walker = BlockCorridor::new(&mut self.nav, &self.world, at, &request);
            return;
        };
        if walker.refresh(&mut self.nav, &self.world) {
            let stands = self.nav.stands(&self.world, walker.cell());
            assert_eq!(walker.path().status == PathStatus::None, !stands, "{walker:?}");
        }
        let stood = self.nav.stands(&self.world, walker.cell());
        for _ in 0..1 + bytes.next() % 8 {
            let aside = [f32::NAN, f32::INFINITY, 1e30, -3.0, 0.0, 0.4, 7.0, -0.0];
            let push = bytes.next();
            let by = |shift: u8| aside[usize::from(push >> shift & 7)];
            let to = walker.target() + if push < 128 { Vec3::ZERO } else { Vec3::new(by(0), 0.0, by(3)) };
            let after = walker.walk(&self.nav, &self.world, to);
            let off = after - self.nav.position(walker.cell());
            assert!(after.is_finite() && after == walker.position(), "{walker:?}");
            assert!(off.x.abs() <= 0.51 && off.z.abs() <= 0.51, "{off} beside its place, {walker:?}");
        }
        assert!(!stood || self.nav.stands(&self.world, walker.cell()), "it has left the ground, {walker:?}");
        self.walker = Some(walker);
    }
}

fn fresh(settings: BlockSettings) -> BlockNav {
    BlockNav::new(settings).unwrap_or_else(|e| panic!("within the limits: {e}"))
}

fn block(bytes: &mut Bytes<'_>) -> Block {
    let kinds = [Block::Air, Block::Solid, Block::Solid, Block::Water, Block::Ladder, Block::Door, Block::Hazard];
    kinds[usize::from(bytes.next() & 31) % kinds.len()]
}
