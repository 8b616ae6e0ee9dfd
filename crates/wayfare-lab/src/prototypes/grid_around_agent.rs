//! A small grid around an agent: obstacles that the mesh does not know are drawn into it as runs of free cells, and a
//! breadth-first search finds a way around them towards the next corner.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 2010.

use crate::kit::lifted;
use crate::prelude::*;
use wayfare::debug::draw_local_grid;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers};
use wayfare::math::ops;

const RADIUS: f32 = 0.35;
const CELL: f32 = 0.3;

#[derive(Clone)]
pub(super) struct GridAroundAgent {
    size: u32,
    start: Vec3,
    goal: Vec3,
    crate_a: Vec3,
    crate_b: Vec3,
    grid: Option<LocalGrid>,
    search: GridSearch,
    agent: Vec3,
    path: Vec<Vec3>,
    visited: u32,
    trail: Vec<Vec3>,
    time: f32,
    rest: f32,
}

impl Default for GridAroundAgent {
    fn default() -> Self {
        Self {
            size: 32,
            start: Vec3::new(-6.0, 0.0, 0.0),
            goal: Vec3::new(7.0, 0.0, 0.5),
            crate_a: Vec3::new(-2.0, 0.0, 0.2),
            crate_b: Vec3::new(2.5, 0.0, -0.8),
            grid: None,
            search: GridSearch::default(),
            agent: Vec3::ZERO,
            path: Vec::new(),
            visited: 0,
            trail: Vec::new(),
            time: 0.0,
            rest: 0.0,
        }
    }
}

impl GridAroundAgent {
    fn obstacles(&self) -> Vec<Obstacle> {
        let swing = ops::sin(self.time * 0.8) * 2.2;
        let wall =
            |a: [f32; 2], b: [f32; 2]| Shape::Segment { a: Vec3::new(a[0], 0.0, a[1]), b: Vec3::new(b[0], 0.0, b[1]) };
        let shapes = [
            Shape::Box { center: self.crate_a, half: [0.5, 1.6], yaw: 0.3 },
            Shape::Box { center: self.crate_b, half: [1.3, 0.5], yaw: -0.6 },
            Shape::Disc { center: Vec3::new(4.6, 0.0, swing), radius: 0.6 },
            wall([-0.4, -3.6], [-0.4, -0.8]),
            wall([0.6, 1.2], [3.6, 2.6]),
        ];
        (0..).zip(shapes).map(|(id, shape)| Obstacle { shape, id }).collect()
    }

    fn plan(&mut self) {
        let obstacles = self.obstacles();
        let Some(grid) = &mut self.grid else { return };
        grid.recenter(self.agent);
        grid.clear();
        obstacles.iter().for_each(|obstacle| grid.block(obstacle, RADIUS));
        let found = self.search.find_path(grid, self.agent, self.goal);
        self.visited = found.visited;
        self.path = found.points.to_vec();
    }
}

impl Prototype for GridAroundAgent {
    fn meta(&self) -> Meta {
        Meta {
            title: "Local grid around an agent",
            category: Category::Movement,
            help: "The mesh knows of none of these obstacles. They are drawn into a small grid that follows the agent; its \
                   rows are kept as runs of free cells, which makes ten times fewer nodes. The search prefers runs near the \
                   straight line, and goes as near to the goal as the grid reaches. Drag the crates.",
            source: "Local Navigation Grids, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.count("cells a side", &mut self.size, 12..=64).restarts();
        params.point("start", &mut self.start).restarts();
        params.point("goal", &mut self.goal);
        params.point("crate 1", &mut self.crate_a);
        params.point("crate 2", &mut self.crate_b);
    }

    fn init(&mut self, _: &Setup) {
        self.grid = LocalGrid::new(self.size, CELL).ok();
        (self.agent, self.time, self.rest) = (self.start, 0.0, 0.0);
        self.trail.clear();
        self.plan();
    }

    fn changed(&mut self) {
        self.plan();
    }

    fn update(&mut self, dt: f32, _: &Input) {
        self.time += dt;
        self.plan();
        if let Some(&next) = self.path.get(1) {
            self.agent += (next - self.agent).clamp_length_max(1.6 * dt);
            self.trail.push(self.agent);
        }
        if self.agent.distance(self.goal) < 0.2 {
            self.rest += dt;
            if self.rest > 1.5 {
                (self.agent, self.rest) = (self.start, 0.0);
                self.trail.clear();
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let floor = [[-9.0, -7.0], [-9.0, 7.0], [10.0, 7.0], [10.0, -7.0]].map(|[x, z]| Vec3::new(x, -0.03, z));
        canvas.fill(&floor, Ink::Ground(wayfare::area::AreaId::WALKABLE), 1.0);
        let Some(grid) = &self.grid else { return };
        draw_local_grid(grid, self.search.spans(), 0.0, canvas);
        for obstacle in self.obstacles() {
            draw_shape(canvas, &obstacle.shape);
        }
        canvas.line(lifted(self.agent), lifted(self.goal), Pen::of(Ink::Faint).dashed());
        canvas.path(&self.trail.iter().map(|&p| lifted(p)).collect::<Vec<_>>(), Pen::of(Ink::Agent(0)).width(2.0));
        canvas.path(&self.path.iter().map(|&p| lifted(p)).collect::<Vec<_>>(), Pen::of(Ink::Path(0)).width(4.0));
        canvas.agent(self.agent, (RADIUS, 1.0), Vec3::ZERO, Ink::Path(2));
        canvas.dot(self.goal, 13.0, Ink::Goal);
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("cells", self.size * self.size, "");
        figures.count("runs of free cells", self.search.spans().len());
        figures.push("runs visited", self.visited, "");
        figures.count("bytes of the search", self.search.bytes_used());
        figures.count("in the way", blockers(&self.obstacles(), self.agent, self.goal, RADIUS).len());
        figures.push("to the goal", self.agent.distance(self.goal), "m");
    }
}

fn draw_shape(canvas: &mut Canvas, shape: &Shape) {
    match *shape {
        Shape::Segment { a, b } => canvas.line(lifted(a), lifted(b), Pen::of(Ink::Wall).width(5.0)),
        Shape::Disc { center, radius } => canvas.agent(center, (radius, 0.8), Vec3::ZERO, Ink::Solid),
        Shape::Box { center, half, yaw } => {
            let (cos, sin) = (ops::cos(yaw), ops::sin(yaw));
            let corner = |x: f32, z: f32| center + Vec3::new(x * cos - z * sin, 0.05, x * sin + z * cos);
            let [x, z] = half;
            let corners = [corner(-x, -z), corner(-x, z), corner(x, z), corner(x, -z)];
            canvas.fill(&corners, Ink::Solid, 1.0);
            canvas.outline(&corners, Pen::of(Ink::Wall).width(2.0));
        }
    }
}
