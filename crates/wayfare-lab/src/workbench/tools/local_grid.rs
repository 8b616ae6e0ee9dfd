//! A small grid around one agent, for what is too small or too short-lived for the mesh.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;
use wayfare::debug::draw_local_grid;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape};
use wayfare::query::NavQuery;

/// The tool.
#[derive(Debug)]
pub struct GridTool {
    size: u32,
    cell: f32,
    agent: Option<Vec3>,
    goal: Option<Vec3>,
    discs: Vec<Vec3>,
    disc_radius: f32,
    path: Vec<Vec3>,
    grid: Option<LocalGrid>,
    figures: Vec<(&'static str, String)>,
}

impl Default for GridTool {
    fn default() -> Self {
        Self {
            size: 48,
            cell: 0.25,
            agent: None,
            goal: None,
            discs: Vec::new(),
            disc_radius: 0.6,
            path: Vec::new(),
            grid: None,
            figures: Vec::new(),
        }
    }
}

impl GridTool {
    fn search(&mut self, stage: &mut Stage) {
        self.path.clear();
        let (Some(mesh), Some(agent)) = (stage.mesh(), self.agent) else { return };
        let (radius, _) = stage.agent_size();
        let mut grid = match LocalGrid::new(self.size, self.cell) {
            Ok(grid) => grid,
            Err(error) => {
                stage.log.error(format!("There is no such grid: {error}."));
                return;
            }
        };
        grid.recenter(agent);
        let reach = self.size as f32 * self.cell * 0.5;
        let mut query = NavQuery::of(mesh);
        let polys = query.neighbourhood(agent, reach).map(<[_]>::to_vec).unwrap_or_default();
        let filter = wayfare::query::DefaultFilter::of(mesh);
        let walls = polys.iter().filter_map(|&poly| wayfare::query::wall_segments(mesh, poly, &filter).ok()).flatten();
        // The mesh keeps a radius from walls already: its edges are as near as the middle of the agent may come.
        walls.for_each(|wall| {
            grid.block(&Obstacle { shape: Shape::Segment { a: wall.start, b: wall.end }, id: 0 }, 0.0)
        });
        for (id, &center) in (1..).zip(&self.discs) {
            grid.block(&Obstacle { shape: Shape::Disc { center, radius: self.disc_radius }, id }, radius);
        }
        if let Some(goal) = self.goal {
            let mut search = GridSearch::default();
            let found = search.find_path(&grid, agent, goal);
            self.path = found.points.to_vec();
            let status = format!("{:?}", found.status).to_lowercase();
            self.figures = vec![("Status", status), ("Visited", found.visited.to_string())];
            self.figures.push(("Memory", format!("{} bytes", search.bytes_used())));
        }
        self.grid = Some(grid);
    }
}

impl Tool for GridTool {
    fn title(&self) -> &'static str {
        "Local grid"
    }

    fn help(&self) -> &'static str {
        "The first click places an agent with a small grid around it; further clicks set its goal. Shift-click puts an \
         obstacle in its way, Ctrl-click takes one away."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        let mut changed = controls.count("Cells a side", &mut self.size, 8..=LocalGrid::MAX_SIZE);
        changed |= controls.slider("Cell", &mut self.cell, 0.1..=1.0);
        changed |= controls.slider("Obstacle radius", &mut self.disc_radius, 0.1..=3.0);
        if !self.discs.is_empty() && controls.button("Remove all obstacles") {
            self.discs.clear();
            changed = true;
        }
        if changed {
            self.search(stage);
        }
        for (name, value) in &self.figures {
            controls.figure(name, value);
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        if click.remove {
            let reach = self.disc_radius + 0.5;
            self.discs.retain(|disc| disc.distance(click.at) > reach);
        } else if click.shift {
            self.discs.push(click.at);
        } else if self.agent.is_none() {
            self.agent = stage.on_mesh(click.at).map(|place| place.point);
        } else {
            self.goal = Some(click.at);
        }
        self.search(stage);
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        let (Some(agent), Some(grid)) = (self.agent, &self.grid) else { return };
        let y = agent.y + 0.05;
        draw_local_grid(grid, &[], y, canvas);
        for &disc in &self.discs {
            canvas.agent(disc, (self.disc_radius, 1.0), Vec3::ZERO, Ink::Forbidden);
        }
        canvas.agent(agent, stage.agent_size(), Vec3::ZERO, Ink::Start);
        let line: Vec<Vec3> = self.path.iter().map(|point| Vec3::new(point.x, y + 0.05, point.z)).collect();
        canvas.path(&line, Pen::of(Ink::Path(0)).width(4.0));
        if let Some(goal) = self.goal {
            canvas.dot(goal, 13.0, Ink::Goal);
        }
    }

    /// The agent, its goal, and the obstacles.
    fn points(&self) -> Vec<Vec3> {
        let (Some(agent), Some(goal)) = (self.agent, self.goal) else { return Vec::new() };
        [agent, goal].into_iter().chain(self.discs.iter().copied()).collect()
    }

    fn set_points(&mut self, stage: &mut Stage, points: &[Vec3]) {
        let [agent, goal, discs @ ..] = points else { return };
        (self.agent, self.goal, self.discs) = (Some(*agent), Some(*goal), discs.to_vec());
        self.search(stage);
    }

    fn undo(&mut self, stage: &mut Stage) -> bool {
        let taken = self.discs.pop().is_some();
        if taken {
            self.search(stage);
        }
        taken
    }

    fn reset(&mut self) {
        *self = Self { size: self.size, cell: self.cell, disc_radius: self.disc_radius, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn an_obstacle_bends_the_path() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = GridTool::default();
        tool.click(&mut stage, &Click::at(at));
        tool.click(&mut stage, &Click::at(at + Vec3::X * 4.0));
        let length = |path: &[Vec3]| path.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
        let straight = length(&tool.path);
        tool.click(&mut stage, &Click::at(at + Vec3::X * 2.0).with_shift());
        let bent = length(&tool.path);
        assert!(bent > straight + 0.1);
        let points = tool.points();
        tool.reset();
        tool.set_points(&mut stage, &points);
        assert_eq!(length(&tool.path), bent, "a link leads to the same path");
        assert!(tool.undo(&mut stage));
        assert_eq!(length(&tool.path), straight);
    }
}
