//! What a file of `wayfare grid --play` can say, and what it makes of the grid.

use serde::Deserialize;
use wayfare::Vec3;
use wayfare::grid::{GridSearch, GridStatus, LocalGrid, Obstacle, Shape, blockers};

/// One line.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Op {
    /// The grid and the agent: cells a side, their size, the agent's radius.
    Grid {
        #[serde(default = "Op::size")]
        size: u32,
        #[serde(default = "Op::cell")]
        cell: f32,
        #[serde(default)]
        radius: f32,
    },
    /// Moves the grid; obstacles stay where they are.
    Center {
        at: [f32; 3],
    },
    Segment {
        id: u32,
        a: [f32; 3],
        b: [f32; 3],
    },
    Disc {
        id: u32,
        at: [f32; 3],
        radius: f32,
    },
    Box {
        id: u32,
        at: [f32; 3],
        half: [f32; 2],
        #[serde(default)]
        yaw: f32,
    },
    Remove {
        id: u32,
    },
    Clear {},
    Path {
        from: [f32; 3],
        to: [f32; 3],
    },
}

impl Op {
    fn size() -> u32 {
        64
    }

    fn cell() -> f32 {
        0.25
    }
}

/// The answer to a path.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) status: GridStatus,
    pub(super) points: Vec<Vec3>,
    pub(super) visited: u32,
    pub(super) bytes: usize,
    pub(super) blockers: Vec<u32>,
}

impl Answered {
    pub(super) fn length(&self) -> f32 {
        self.points.windows(2).map(|w| w[0].distance(w[1])).fold(0.0, |sum, d| sum + d)
    }

    pub(super) fn status(&self) -> &'static str {
        match self.status {
            GridStatus::Complete => "complete",
            GridStatus::Partial => "partial",
            GridStatus::None => "none",
        }
    }
}

/// The grid while a file is played.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) grid: LocalGrid,
    pub(super) obstacles: Vec<Obstacle>,
    center: Vec3,
    radius: f32,
    search: GridSearch,
    pub(super) answers: Vec<Answered>,
}

impl Stage {
    pub(super) fn new() -> Result<Self, String> {
        let grid = LocalGrid::new(Op::size(), Op::cell()).map_err(|e| e.to_string())?;
        let search = GridSearch::default();
        Ok(Self { grid, obstacles: Vec::new(), center: Vec3::ZERO, radius: 0.0, search, answers: Vec::new() })
    }

    /// Does what a line says.
    pub(super) fn play(&mut self, op: Op) -> Result<(), String> {
        let point = Vec3::from;
        match op {
            Op::Grid { size, cell, radius } => {
                if !(radius.is_finite() && radius >= 0.0) {
                    return Err(format!("radius is {radius}, but must be 0 or more"));
                }
                self.grid = LocalGrid::new(size, cell).map_err(|e| e.to_string())?;
                self.radius = radius;
            }
            Op::Center { at } => self.center = point(at),
            Op::Segment { id, a, b } => self.put(Shape::Segment { a: point(a), b: point(b) }, id),
            Op::Disc { id, at, radius } => self.put(Shape::Disc { center: point(at), radius }, id),
            Op::Box { id, at, half, yaw } => {
                self.put(Shape::Box { center: point(at), half, yaw: yaw.to_radians() }, id);
            }
            Op::Remove { id } => self.obstacles.retain(|o| o.id != id),
            Op::Clear {} => self.obstacles.clear(),
            Op::Path { from, to } => self.find(point(from), point(to)),
        }
        self.rasterise();
        Ok(())
    }

    /// An obstacle takes the place of an older one of its number.
    fn put(&mut self, shape: Shape, id: u32) {
        self.obstacles.retain(|o| o.id != id);
        self.obstacles.push(Obstacle { shape, id });
    }

    fn rasterise(&mut self) {
        self.grid.recenter(self.center);
        let Self { grid, obstacles, radius, .. } = self;
        obstacles.iter().for_each(|o| grid.block(o, *radius));
    }

    fn find(&mut self, from: Vec3, to: Vec3) {
        let path = self.search.find_path(&self.grid, from, to);
        let (status, points, visited) = (path.status, path.points.to_vec(), path.visited);
        let bytes = self.search.bytes_used();
        let blockers = blockers(&self.obstacles, from, to, self.radius);
        self.answers.push(Answered { from, to, status, points, visited, bytes, blockers });
    }
}
