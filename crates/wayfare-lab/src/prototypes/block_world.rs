//! A world of blocks without any bake: mini-meshes are built where a search comes by, connected to their neighbours,
//! and thrown away when a block changes.
//!
//! Sources: the Supernauts talk, "Navigation in a world of blocks", GDC China 2014.

use crate::prelude::*;
use wayfare::blocks::{
    Block, BlockBox, BlockCorridor, BlockNav, BlockPathRequest, BlockSettings, BlockSource, Cell, ChunkedBlocks,
    MiniMeshState,
};
use wayfare::math::Rng;

const SIZE: i32 = 24;

#[derive(Clone)]
pub(super) struct BlockWorld {
    start: Vec3,
    goal: Vec3,
    builds: bool,
    nodes: bool,
    world: ChunkedBlocks,
    nav: Option<BlockNav>,
    walker: Option<BlockCorridor>,
    rng: Rng,
    tick: u32,
    asked: [Vec3; 2],
    changes: u32,
    replans: u32,
}

impl Default for BlockWorld {
    fn default() -> Self {
        Self {
            start: Vec3::new(2.5, 1.0, 2.5),
            goal: Vec3::new(21.5, 1.0, 20.5),
            builds: true,
            nodes: true,
            world: ChunkedBlocks::new(),
            nav: None,
            walker: None,
            rng: Rng::new(0),
            tick: 0,
            asked: [Vec3::NAN; 2],
            changes: 0,
            replans: 0,
        }
    }
}

/// Ground with a hill, a wall with a gate, and a house.
fn build() -> ChunkedBlocks {
    let mut world = ChunkedBlocks::new();
    let mut fill = |x: core::ops::Range<i32>, y: core::ops::Range<i32>, z: core::ops::Range<i32>| {
        for (x, y, z) in x.flat_map(|x| {
            y.clone().flat_map({
                let z = z.clone();
                move |y| z.clone().map(move |z| (x, y, z))
            })
        }) {
            world.set(Cell::new(x, y, z), Block::Solid);
        }
    };
    fill(0..SIZE, 0..1, 0..SIZE);
    for step in 0..4 {
        fill(3 + step..10 - step, 1..2 + step, 13 + step..21 - step);
    }
    fill(12..13, 1..4, 0..17);
    fill(16..22, 1..4, 6..7);
    fill(16..17, 1..4, 6..13);
    fill(16..22, 1..4, 12..13);
    fill(21..22, 1..4, 9..13);
    world
}

impl BlockWorld {
    fn cell(&self, at: Vec3) -> Option<Cell> {
        self.nav.as_ref()?.nearest(&self.world, at, 3)
    }

    fn ask(&mut self) {
        self.asked = [self.start, self.goal];
        let (Some(from), Some(to)) = (self.cell(self.start), self.cell(self.goal)) else {
            self.walker = None;
            return;
        };
        let Some(nav) = &mut self.nav else { return };
        let at = nav.position(from);
        self.walker = BlockCorridor::new(nav, &self.world, at, &BlockPathRequest::to(from, to));
    }

    fn change(&mut self, cell: Cell, block: Block) {
        let inside = (0..SIZE).contains(&cell.x) && (0..SIZE).contains(&cell.z) && (1..7).contains(&cell.y);
        if let (true, Some(nav)) = (inside, &mut self.nav) {
            self.world.set(cell, block);
            nav.invalidate(BlockBox::of(cell));
            self.changes += 1;
        }
    }

    /// The cell over the highest block of a column.
    fn top(&self, at: Vec3) -> Cell {
        let (x, z) = (at.x.floor() as i32, at.z.floor() as i32);
        let y = (0..8).rev().find(|&y| self.world.is_solid(x, y, z)).unwrap_or(0);
        Cell::new(x, y + 1, z)
    }
}

impl Prototype for BlockWorld {
    fn meta(&self) -> Meta {
        Meta {
            title: "A world of blocks",
            category: Category::Change,
            help: "Nothing is baked. Where a search comes by, mini-meshes of level rectangles are built (pale) and connected \
                   (strong); a block that is placed or broken throws away the one around it. The walker notices when its \
                   path is no longer current. Click to place a block, Shift-click to break one.",
            source: "The Supernauts talk, GDC China 2014",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.toggle("somebody builds", &mut self.builds);
        params.toggle("mini-meshes", &mut self.nodes);
    }

    fn init(&mut self, setup: &Setup) {
        let Self { start, goal, builds, nodes, .. } = *self;
        *self = Self { start, goal, builds, nodes, rng: Rng::new(setup.seed), ..Self::default() };
        self.world = build();
        self.nav = BlockNav::new(BlockSettings::default()).ok();
        self.ask();
    }

    fn changed(&mut self) {
        if self.asked != [self.start, self.goal] {
            self.ask();
        }
    }

    fn update(&mut self, dt: f32, input: &Input) {
        if let Some(at) = input.clicked() {
            self.change(self.top(at), Block::Solid);
        }
        if let Some(at) = input.shift_clicked() {
            let top = self.top(at);
            self.change(Cell::new(top.x, top.y - 1, top.z), Block::Air);
        }
        if self.builds && self.tick % 40 == 20 {
            let mut place = || 1.0 + self.rng.unit() * (SIZE as f32 - 2.0);
            let at = Vec3::new(place(), 0.0, place());
            let top = self.top(at);
            let here = self.walker.as_ref().map(BlockCorridor::cell);
            if here.is_none_or(|here| (here.x, here.z) != (top.x, top.z)) {
                self.change(top, Block::Solid);
            }
        }
        self.tick += 1;
        let (Some(nav), Some(walker)) = (&mut self.nav, &mut self.walker) else { return };
        self.replans += u32::from(walker.refresh(nav, &self.world));
        let ahead = walker.target() - walker.position();
        let to = walker.position() + ahead.clamp_length_max(3.0 * dt);
        walker.walk(nav, &self.world, to);
        if walker.has_arrived() && self.tick.is_multiple_of(120) {
            self.ask();
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        for (x, z) in (0..SIZE).flat_map(|x| (0..SIZE).map(move |z| (x, z))) {
            let top = (0..8).rev().find(|&y| self.world.is_solid(x, y, z)).unwrap_or(0);
            let at = |y: i32| Vec3::new(x as f32, y as f32, z as f32);
            if top > 0 {
                canvas.cuboid(at(1), at(top + 1) + Vec3::new(1.0, 0.0, 1.0), Ink::Solid, 1.0);
            } else {
                let corners = [at(1), at(1) + Vec3::Z, at(1) + Vec3::new(1.0, 0.0, 1.0), at(1) + Vec3::X];
                canvas.fill(&corners, Ink::Ground(wayfare::area::AreaId::WALKABLE), 1.0);
            }
        }
        let Some(nav) = &self.nav else { return };
        for (number, node) in (0..).zip(nav.nodes().filter_map(|handle| nav.node(handle))) {
            if !self.nodes {
                break;
            }
            let y = node.heights.first().copied().unwrap_or(1) as f32 + 0.06;
            let at = |x: i32, z: i32| Vec3::new(x as f32 + 0.04, y, z as f32 + 0.04);
            let (low, high) = (node.min, [node.max[0] + 1, node.max[1] + 1]);
            let corners = [at(low[0], low[1]), at(low[0], high[1]), at(high[0], high[1]), at(high[0], low[1])];
            let state = nav.mini_mesh_state(Cell::new(low[0], y as i32, low[1]));
            let is_connected = state == MiniMeshState::Connected;
            canvas.fill(&corners, Ink::Region(number), if is_connected { 0.6 } else { 0.2 });
            canvas.outline(&corners, Pen::of(if is_connected { Ink::Allowed } else { Ink::Outline }).width(1.2));
        }
        if let Some(walker) = &self.walker {
            let line: Vec<Vec3> = walker.path().points.iter().map(|&p| p + Vec3::Y * 0.15).collect();
            canvas.path(&line, Pen::of(Ink::Path(0)).width(4.0));
            canvas.agent(walker.position(), (0.35, 1.7), walker.target() - walker.position(), Ink::Path(2));
        }
        canvas.dot(self.start, 12.0, Ink::Start);
        canvas.dot(self.goal, 12.0, Ink::Goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        ray.on_plane(1.0)
    }

    fn figures(&self, figures: &mut Figures) {
        let Some(nav) = &self.nav else { return };
        let path = self.walker.as_ref().map(BlockCorridor::path);
        figures.push("mini-meshes built", nav.stats().built as f64, "");
        figures.push("connected", nav.stats().connected as f64, "");
        figures.count("nodes in memory", nav.nodes().count());
        figures.push("visited by the last path", path.map_or(0, |path| path.visited), "");
        figures.push("length", path.map_or(f32::NAN, |path| path.length), "m");
        figures.push("blocks changed", self.changes, "");
        figures.push("paths renewed", self.replans, "");
    }

    fn report(&self, report: &mut Report) {
        let (Some(nav), Some(walker)) = (&self.nav, &self.walker) else {
            report.warn("there is no place to stand at the start or the goal", Some(self.start));
            return;
        };
        let at = walker.cell();
        let holds = !self.world.is_solid(at.x, at.y, at.z);
        report.must(holds, "the walker stands inside a block", Some(nav.position(at)));
    }
}
