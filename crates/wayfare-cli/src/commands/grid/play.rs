//! The operations of a `wayfare grid --play` file, and their effect on the grid.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers};
use wayfare_scenes::LivelyYard;

/// One line.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Op {
    /// The grid and the agent: cells per side, their size, the agent's radius.
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

    /// Refuses invalid numbers: an obstacle with one would silently block nothing.
    fn check(&self) -> Result<(), String> {
        let finite = |name: &str, values: &[f32]| match values.iter().find(|v| !v.is_finite()) {
            Some(_) => Err(format!("{name} is out of range: numbers must lie between -3.4e38 and 3.4e38")),
            None => Ok(()),
        };
        let length = |name: &str, value: f32| match value {
            v if v < 0.0 => Err(format!("{name} is {v}, but must be 0 or more")),
            v => finite(name, &[v]),
        };
        match *self {
            Self::Grid { radius, .. } => length("radius", radius),
            Self::Center { at } => finite("at", &at),
            Self::Segment { a, b, .. } => finite("a", &a).and(finite("b", &b)),
            Self::Disc { at, radius, .. } => finite("at", &at).and(length("radius", radius)),
            Self::Box { at, half, yaw, .. } => {
                finite("at", &at)?;
                half.iter().try_for_each(|&h| length("half", h))?;
                finite("yaw", &[yaw])
            }
            Self::Remove { .. } | Self::Clear {} => Ok(()),
            Self::Path { from, to } => finite("from", &from).and(finite("to", &to)),
        }
    }
}

/// The answer to a path.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) status: PathStatus,
    /// Whether the goal is outside the grid: the path then ends where the straight line to it leaves the grid.
    pub(super) is_outside: bool,
    /// Whether the start is: the path then begins at the nearest position in the grid.
    pub(super) starts_outside: bool,
    pub(super) points: Vec<Vec3>,
    pub(super) visited: u32,
    pub(super) bytes: usize,
    pub(super) blockers: Vec<u32>,
}

impl Answered {
    pub(super) fn length(&self) -> f32 {
        self.points.windows(2).map(|w| w[0].distance(w[1])).fold(0.0, |sum, d| sum + d)
    }
}

/// The state of the grid while a file is played. Lines only note what they change: the grid is made anew once a path is
/// asked for, and at the end.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) grid: LocalGrid,
    /// As the grid has them.
    pub(super) obstacles: Vec<Obstacle>,
    /// As the lines have them, by the turn in which they were put there.
    latest: BTreeMap<u64, Obstacle>,
    turn_of: HashMap<u32, u64>,
    turn: u64,
    is_settled: bool,
    center: Vec3,
    radius: f32,
    search: GridSearch,
    pub(super) answers: Vec<Answered>,
}

impl Stage {
    pub(super) fn new() -> Result<Self, String> {
        let grid = LocalGrid::new(Op::size(), Op::cell()).map_err(|e| e.to_string())?;
        let search = GridSearch::default();
        Ok(Self {
            grid,
            obstacles: Vec::new(),
            latest: BTreeMap::new(),
            turn_of: HashMap::new(),
            turn: 0,
            is_settled: false,
            center: Vec3::ZERO,
            radius: 0.0,
            search,
            answers: Vec::new(),
        })
    }

    /// Executes a line.
    pub(super) fn play(&mut self, op: Op) -> Result<(), String> {
        op.check()?;
        let point = Vec3::from;
        self.is_settled &= matches!(op, Op::Path { .. });
        match op {
            Op::Grid { size, cell, radius } => {
                self.grid = LocalGrid::new(size, cell).map_err(|e| e.to_string())?;
                self.radius = radius;
            }
            Op::Center { at } => self.center = point(at),
            Op::Segment { id, a, b } => self.put(Shape::Segment { a: point(a), b: point(b) }, id),
            Op::Disc { id, at, radius } => self.put(Shape::Disc { center: point(at), radius }, id),
            Op::Box { id, at, half, yaw } => {
                self.put(Shape::Box { center: point(at), half, yaw: yaw.to_radians() }, id);
            }
            Op::Remove { id } => self.take(id),
            Op::Clear {} => {
                self.latest.clear();
                self.turn_of.clear();
            }
            Op::Path { from, to } => self.find(point(from), point(to)),
        }
        Ok(())
    }

    /// Sets up a built-in scene at its tick, and finds its two paths.
    pub(super) fn set(&mut self, yard: &LivelyYard) {
        self.radius = LivelyYard::RADIUS;
        for Obstacle { shape, id } in LivelyYard::still().into_iter().chain(yard.moving(yard.tick)) {
            self.put(shape, id);
        }
        self.find(LivelyYard::START, LivelyYard::SHED);
        self.find(LivelyYard::START, LivelyYard::CORNER);
    }

    /// An obstacle replaces an older one with the same number.
    fn put(&mut self, shape: Shape, id: u32) {
        self.take(id);
        self.latest.insert(self.turn, Obstacle { shape, id });
        self.turn_of.insert(id, self.turn);
        self.turn += 1;
        self.is_settled = false;
    }

    fn take(&mut self, id: u32) {
        let _ = self.turn_of.remove(&id).and_then(|turn| self.latest.remove(&turn));
    }

    /// Makes the grid anew if a line has changed something.
    pub(super) fn settle(&mut self) {
        if self.is_settled {
            return;
        }
        self.is_settled = true;
        self.obstacles = self.latest.values().copied().collect();
        self.grid.recenter(self.center);
        let Self { grid, obstacles, radius, .. } = self;
        obstacles.iter().for_each(|o| grid.block(o, *radius));
    }

    fn find(&mut self, from: Vec3, to: Vec3) {
        self.settle();
        let path = self.search.find_path(&self.grid, from, to);
        let (status, points, visited) = (path.status, path.points.to_vec(), path.visited);
        let bytes = self.search.bytes_used();
        let (low, side) = (self.grid.origin(), self.grid.size() as f32 * self.grid.cell_size());
        let outside = |p: Vec3| !(low.x..=low.x + side).contains(&p.x) || !(low.y..=low.y + side).contains(&p.z);
        let (starts_outside, is_outside) = (outside(from), outside(to));
        let blockers = blockers(&self.obstacles, from, to, self.radius);
        self.answers.push(Answered { from, to, status, is_outside, starts_outside, points, visited, bytes, blockers });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cart_in_the_door_shuts_the_shed_and_is_named() {
        let at = |spec: &str| {
            let mut stage = Stage::new()?;
            stage.set(&wayfare_scenes::lively_yard(spec).map_err(|e| e.to_string())?);
            Ok::<_, String>(stage.answers.iter().map(|a| a.status).collect::<Vec<_>>())
        };
        assert_eq!(at("lively_yard?tick=80").unwrap(), [PathStatus::Partial, PathStatus::Complete]);
        assert_eq!(at("lively_yard?tick=20").unwrap(), [PathStatus::Complete; 2]);
    }

    #[test]
    fn a_goal_outside_is_told() {
        let mut stage = Stage::new().unwrap();
        for to in [7.0, 8.5, -8.5] {
            stage.find(Vec3::ZERO, Vec3::new(to, 0.0, 0.0));
        }
        let told: Vec<_> = stage.answers.iter().map(|a| (a.status, a.is_outside)).collect();
        assert_eq!(told, [false, true, true].map(|outside| (PathStatus::Complete, outside)));
        assert!(stage.answers.iter().all(|a| !a.starts_outside));
        stage.find(Vec3::new(-9.0, 0.0, 3.0), Vec3::ZERO);
        let outside = &stage.answers[3];
        assert!(outside.starts_outside && !outside.is_outside);
        assert_eq!(outside.points[0], Vec3::new(-8.0, 0.0, 3.0));
    }

    #[test]
    fn the_grid_is_made_once_for_a_path_however_many_lines_come_before_it() {
        let mut stage = Stage::new().unwrap();
        let mut play = |line: &str| stage.play(serde_json::from_str(line).unwrap()).map(|()| stage.obstacles.clone());
        for x in 0..50 {
            for id in [1, 2, 3] {
                let line = format!("{{\"op\": \"disc\", \"id\": {id}, \"at\": [{x}, 0, {id}], \"radius\": 0.4}}");
                assert_eq!(play(&line).unwrap(), [], "no path was asked for");
            }
        }
        play(r#"{"op": "remove", "id": 2}"#).unwrap();
        play(r#"{"op": "disc", "id": 1, "at": [2, 0, 0], "radius": 0.4}"#).unwrap();
        let there = play(r#"{"op": "path", "from": [0, 0, 0], "to": [4, 0, 0]}"#).unwrap();
        assert_eq!(there.iter().map(|o| o.id).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(stage.answers[0].blockers, [1]);
        stage.play(Op::Clear {}).unwrap();
        stage.settle();
        assert!(stage.obstacles.is_empty() && (0..64).all(|x| !stage.grid.is_blocked(x, 32)));
    }

    #[test]
    fn numbers_that_cannot_be_are_refused_with_their_name() {
        let play = |line: &str| Stage::new()?.play(serde_json::from_str(line).map_err(|e| e.to_string())?);
        for (line, says) in [
            (r#"{"op": "grid", "radius": -0.4}"#, "radius is -0.4"),
            (r#"{"op": "grid", "radius": 1e40}"#, "radius is out of range"),
            (r#"{"op": "center", "at": [0, 0, -1e40]}"#, "at is out of range"),
            (r#"{"op": "segment", "id": 1, "a": [0, 0, 0], "b": [1e40, 0, 0]}"#, "b is out of range"),
            (r#"{"op": "disc", "id": 1, "at": [0, 0, 0], "radius": -1}"#, "radius is -1"),
            (r#"{"op": "disc", "id": 1, "at": [0, 0, 0], "radius": 1e40}"#, "radius is out of range"),
            (r#"{"op": "box", "id": 1, "at": [0, 0, 0], "half": [1, -2]}"#, "half is -2"),
            (r#"{"op": "box", "id": 1, "at": [0, 0, 0], "half": [1, 2], "yaw": 1e40}"#, "yaw is out of range"),
            (r#"{"op": "path", "from": [0, 0, 0], "to": [0, 1e40, 0]}"#, "to is out of range"),
        ] {
            let error = play(line).expect_err(line);
            assert!(error.contains(says), "{line}: {error}");
        }
        assert_eq!(play(r#"{"op": "disc", "id": 1, "at": [0, 0, 0], "radius": 0}"#), Ok(()));
    }
}
