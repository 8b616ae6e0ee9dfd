//! The agents of a run: their starts and goals.

use crate::commands::footing::Footing;
use crate::failure::{Failure, Result};
use crate::options::{Point, json_lines};
use crate::output::numbers::counted;
use crate::terminal::Terminal;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use wayfare::Vec3;
use wayfare::crowd::CrowdSettings;
use wayfare::math::{Rng, ops};
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PointSampler, find_nearest};

/// The errand of one agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Errand {
    pub(crate) start: Vec3,
    /// Its goal; for a follower, the start of the agent it follows.
    pub(crate) goal: Vec3,
    /// The agent it follows, by number.
    pub(crate) chases: Option<usize>,
    /// Maximum speed, m/s.
    pub(crate) speed: f32,
}

impl Errand {
    /// At the default speed.
    fn new(start: Vec3, goal: Vec3) -> Self {
        Self { start, goal, chases: None, speed: SPEED }
    }
}

/// The default maximum speed, m/s.
const SPEED: f32 = 3.5;

/// The agents of a run.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) errands: Vec<Errand>,
    /// Size of all agents, metres: that for which the mesh was made.
    pub(crate) radius: f32,
    pub(crate) height: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, rename = "id")]
    _id: serde_json::Value,
    start: [f32; 3],
    goal: Option<[f32; 3]>,
    follow: Option<usize>,
}

/// The format of a line of a file of goals.
const LINE: &str = "{\"start\": [x,y,z], \"goal\": [x,y,z]} or {\"start\": [x,y,z], \"follow\": agent}";

/// Starts by square, with squares as wide as their minimum distance: those too near a position are in its square or an
/// adjacent one.
struct Apart {
    distance: f32,
    squares: HashMap<(i32, i32), Vec<Vec3>>,
}

impl Apart {
    fn new(distance: f32) -> Self {
        Self { distance, squares: HashMap::new() }
    }

    fn square(&self, at: Vec3) -> (i32, i32) {
        ((at.x / self.distance).floor() as i32, (at.z / self.distance).floor() as i32)
    }

    fn add(&mut self, at: Vec3) {
        self.squares.entry(self.square(at)).or_default().push(at);
    }

    fn has_near(&self, at: Vec3) -> bool {
        let (x, z) = self.square(at);
        let around = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| (x.saturating_add(dx), z.saturating_add(dz))));
        let mut near = around.filter_map(|square| self.squares.get(&square)).flatten();
        near.any(|other| other.distance(at) < self.distance)
    }
}

/// Positions tried before an agent may be put close to another.
const TRIES: u32 = 64;

impl Cast {
    pub(crate) fn of(mesh: &NavMesh, errands: Vec<Errand>) -> Self {
        let data = mesh.tiles().next().map(|tile| tile.data());
        let of_mesh = |size: Option<f32>, usual: f32| size.filter(|s| *s > 0.0 && s.is_finite()).unwrap_or(usual);
        let radius = of_mesh(data.map(|d| d.baked_for().radius), 0.6);
        Self { errands, radius, height: of_mesh(data.map(|d| d.baked_for().height), 2.0) }
    }

    /// Starts and goals from a file: of its first lines, or of all.
    pub(crate) fn from_file(mesh: &NavMesh, file: &Path, agents: Option<u32>, terminal: Terminal) -> Result<Self> {
        let (filter, reach) = (DefaultFilter::default(), CrowdSettings::default().reach);
        let (mut errands, mut away) = (Vec::new(), Vec::new());
        let mut followers = Vec::new();
        for (number, Line { start, goal, follow, .. }) in json_lines::read(file, LINE)? {
            if agents.is_some_and(|agents| errands.len() >= agents as usize) {
                break;
            }
            let wrong = |what: String| json_lines::wrong(file, number, what);
            let mut ground = |what: &str, numbers: [f32; 3]| {
                let asked = json_lines::point(what, numbers).map_err(wrong)?;
                let near = find_nearest(mesh, asked, reach, &filter).ok_or_else(|| {
                    let [x, y, z] = reach.to_array();
                    wrong(format!("there is no ground within {x},{y},{z} m of the {what} {}", Point(asked)))
                })?;
                let told = Footing::new(mesh, asked, near.place(), 0.0).told(what);
                away.extend(told.map(|told| format!("{}: line {number}: {told}", file.display())));
                Ok::<_, Failure>(near.point)
            };
            // An agent whose goal is above or below the surface arrives on it.
            let start = ground("start", start)?;
            let goal = match (goal, follow) {
                (Some(goal), None) => ground("goal", goal)?,
                (None, Some(whom)) => {
                    followers.push((number, errands.len(), whom));
                    start
                }
                _ => return Err(wrong(format!("give either a goal or whom to follow: {LINE}"))),
            };
            errands.push(Errand::new(start, goal));
        }
        if let Some(first) = away.first() {
            let more = match away.len() - 1 {
                0 => String::new(),
                more => format!(" (and so on for {})", counted(more as u64, "other place")),
            };
            terminal.warn(format_args!("{first}{more}"));
        }
        let agents = agents.map_or(errands.len(), |agents| agents as usize);
        if agents == 0 {
            return Err(Failure::about(file.display(), "has no line: one is needed for each agent"));
        }
        if errands.len() < agents {
            let lines = counted(errands.len() as u64, "line");
            let message = format!("has {lines}, but --agents is {agents}: one is needed for each agent");
            return Err(Failure::about(file.display(), message));
        }
        for (number, agent, whom) in followers {
            let wrong = |what| Err(json_lines::wrong(file, number, what));
            let Some(errand) = errands.get(whom).copied() else {
                let last = errands.len() - 1;
                return wrong(format!(
                    "agent {agent} follows agent {whom}, but the last is agent {last}: they are counted from 0"
                ));
            };
            if whom == agent {
                return wrong(format!("agent {agent} follows itself: give the number of another agent, or a goal"));
            }
            (errands[agent].goal, errands[agent].chases) = (errand.start, Some(whom));
        }
        Ok(Self::of(mesh, errands))
    }

    /// The agents whose goals cannot be reached, by number: with all doors open, over surfaces and connections.
    pub(crate) fn stranded(&self, mesh: &NavMesh) -> Vec<usize> {
        let (filter, reach, components) = (DefaultFilter::default(), CrowdSettings::default().reach, mesh.components());
        let poly = |at: Vec3| find_nearest(mesh, at, reach, &filter).map(|near| near.poly);
        let is_stranded = |errand: &Errand| match (poly(errand.start), poly(errand.goal)) {
            (Some(start), Some(goal)) => !components.may_reach(start, goal),
            _ => true,
        };
        (0..self.errands.len()).filter(|&agent| is_stranded(&self.errands[agent])).collect()
    }

    /// Random starts, apart from each other while there is room, and random goals that can be reached.
    pub(crate) fn random(mesh: &NavMesh, agents: u32, seed: u64) -> Result<Self> {
        let (filter, mut rng) = (DefaultFilter::default(), Rng::new(seed));
        let sampler = PointSampler::on_mesh(mesh, &filter);
        let components = mesh.components();
        let mut cast = Self::of(mesh, Vec::new());
        let mut apart = Apart::new(2.0 * cast.radius);
        let mut place =
            || sampler.sample(mesh, &mut rng).ok().flatten().ok_or_else(|| Failure::new("the mesh has no ground"));
        for _ in 0..agents {
            let (mut start, mut goal) = (place()?, place()?);
            for _ in 0..TRIES {
                if !apart.has_near(start.point) {
                    break;
                }
                start = place()?;
            }
            // Positions from which almost nothing can be reached, such as a closed room, are not used as starts while
            // there are others.
            for k in 0..4 * TRIES {
                if components.may_reach(start.poly, goal.poly) {
                    break;
                }
                goal = place()?;
                if k % TRIES == TRIES - 1 {
                    start = place()?;
                }
            }
            apart.add(start.point);
            cast.errands.push(Errand::new(start.point, goal.point));
        }
        Ok(cast)
    }

    /// On a circle about the centre of the mesh, each with the opposite position as its goal.
    pub(crate) fn circle(mesh: &NavMesh, agents: u32, radius: Option<f32>) -> Result<Self> {
        let (bounds, filter) = (mesh.bounds(), DefaultFilter::default());
        let (size, middle) = (bounds.size(), bounds.center());
        let radius = radius.unwrap_or(size.x.min(size.z) * 0.4);
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(Failure::new(format_args!("--circle is {radius}, but must be above 0")));
        }
        let reach = Vec3::new(2.0, size.y + 1.0, 2.0);
        let ground = |at: Vec3| {
            let near = find_nearest(mesh, at, reach, &filter);
            near.map(|near| near.point).ok_or_else(|| {
                Failure::new(format_args!(
                    "there is no ground near {},{}: choose another --circle than {radius}",
                    at.x, at.z
                ))
            })
        };
        let mut errands = Vec::new();
        for i in 0..agents {
            let angle = core::f32::consts::TAU * i as f32 / agents as f32;
            let out = Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * radius;
            errands.push(Errand::new(ground(middle + out)?, ground(middle - out)?));
        }
        Ok(Self::of(mesh, errands))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_starts_that_are_near_are_found_near() {
        let (mut rng, mut all, mut apart) = (Rng::new(3), Vec::new(), Apart::new(1.2));
        let mut found = 0;
        for _ in 0..600 {
            let at = Vec3::new(rng.unit(), 0.3 * rng.unit(), rng.unit()) * 30.0 - 15.0;
            let near = all.iter().any(|other: &Vec3| other.distance(at) < 1.2);
            assert_eq!(apart.has_near(at), near, "{at}");
            found += u32::from(near);
            all.push(at);
            apart.add(at);
        }
        assert!((20..580).contains(&found), "{found}");
        let looked_at: usize = apart.squares.values().map(Vec::len).max().unwrap_or(0);
        assert!(looked_at < 20, "{looked_at} in one square");
    }
}
