//! Temporary obstacles: added and removed while agents walk; only the tiles under them are rebuilt.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::task::{LabClock, Task};
use crate::workbench::tool::{Click, Tool};
use std::time::Duration;
use wayfare::Vec3;
use wayfare::bake::BakeError;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles};
use wayfare::input::{MarkedVolume, Volume};

/// Units of work in one frame.
const A_FRAME: u64 = 60_000;

const SHAPES: [&str; 4] = ["Cylinder", "Box", "Turned box", "Capsule"];

type Ground = Result<LevelCheckpoints, BakeError>;

/// The tool.
#[derive(Debug)]
pub struct ObstacleTool {
    /// The ground that is being gathered, and the number of the bake that it is for.
    ground: Option<(u64, Task<Ground>)>,
    obstacles: Option<(u64, Obstacles)>,
    /// Obstacles that stood before the level was baked again, to be placed again.
    again: Vec<MarkedVolume>,
    order: Vec<ObstacleRef>,
    held: Option<ObstacleRef>,
    shape: usize,
    radius: f32,
    height: f32,
    turn: f32,
    tiles_built: u64,
    last: Duration,
    waiting: Vec<Click>,
}

impl Default for ObstacleTool {
    fn default() -> Self {
        Self {
            ground: None,
            obstacles: None,
            again: Vec::new(),
            order: Vec::new(),
            held: None,
            shape: 0,
            radius: 1.2,
            height: 2.0,
            turn: 30.0,
            tiles_built: 0,
            last: Duration::ZERO,
            waiting: Vec::new(),
        }
    }
}

impl ObstacleTool {
    /// How many obstacles there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// Begins to gather what tiles are rebuilt from, unless it is there.
    fn prepare(&mut self, stage: &Stage) {
        let Some(world) = &stage.world else { return };
        let is_of = |bake: &u64| *bake == world.bake;
        let fits = self.obstacles.as_ref().is_some_and(|(bake, _)| is_of(bake));
        if fits || self.ground.as_ref().is_some_and(|(bake, _)| is_of(bake)) || world.plan.is_none() {
            return;
        }
        let Some(level) = &stage.level else { return };
        let (input, settings) = (level.input(&stage.volumes), world.settings);
        if let Some((_, obstacles)) = self.obstacles.take() {
            self.again.extend(obstacles.iter().map(|(_, marked)| marked.clone()));
        }
        if let Some((_, task)) = self.ground.take() {
            task.cancel();
        }
        self.order.clear();
        self.held = None;
        let task = Task::start(move |context: &Context<'_>| LevelCheckpoints::bake(input.level(), &settings, context));
        self.ground = Some((world.bake, task));
    }

    fn receive(&mut self, stage: &mut Stage) {
        let polled = self.ground.as_mut().and_then(|(bake, task)| Some((*bake, task.poll()?)));
        let Some((bake, ground)) = polled else { return };
        self.ground = None;
        match ground {
            Ok(ground) => {
                self.obstacles = Some((bake, Obstacles::new(ground)));
                for marked in std::mem::take(&mut self.again) {
                    self.place(stage, marked);
                }
            }
            Err(error) => {
                // What waits for it would begin the same bake again.
                self.again.clear();
                self.waiting.clear();
                stage.log.error(format!("No obstacles can be placed: {error}."));
            }
        }
        for click in std::mem::take(&mut self.waiting) {
            self.click(stage, &click);
        }
    }

    fn place(&mut self, stage: &mut Stage, marked: MarkedVolume) {
        let Some((_, obstacles)) = &mut self.obstacles else { return };
        let at = marked.volume.bounds().center();
        match obstacles.add(marked) {
            Ok((obstacle, _)) => {
                self.order.push(obstacle);
                self.held = Some(obstacle);
            }
            Err(error) => stage.log.warn(format!("No obstacle was placed: {error}."), Some(at)),
        }
    }

    fn volume(&self, at: Vec3) -> Volume {
        let (radius, height) = (self.radius, self.height);
        let half = Vec3::new(radius, height * 0.5, radius * 0.6);
        // A little into the floor, so that it surely stands on it.
        let base = at - Vec3::Y * 0.1;
        let center = base + Vec3::Y * height * 0.5;
        match self.shape {
            1 => Volume::Box(wayfare::math::Aabb::from_center(center, Vec3::new(radius, height * 0.5, radius))),
            2 => Volume::TurnedBox { center, half_extents: half, angle: self.turn.to_radians() },
            3 => Volume::Capsule { base, radius, height: height.max(2.0 * radius) },
            _ => Volume::Cylinder { base, radius, height },
        }
    }

    fn under(&self, at: Vec3) -> Option<ObstacleRef> {
        let (_, obstacles) = self.obstacles.as_ref()?;
        obstacles.iter().find(|(_, marked)| marked.volume.bounds().outside(at).length() < 0.4).map(|(found, _)| found)
    }

    fn remove(&mut self, obstacle: ObstacleRef) {
        if let Some((_, obstacles)) = &mut self.obstacles {
            // A stale handle has nothing left to remove.
            let _ = obstacles.remove(obstacle);
        }
        self.order.retain(|&other| other != obstacle);
        self.held = self.held.filter(|&held| held != obstacle);
    }

    /// Builds some of the tiles that wait.
    fn rebuild(&mut self, stage: &mut Stage) -> bool {
        let (Some((bake, obstacles)), Some(world)) = (&mut self.obstacles, &mut stage.world) else { return false };
        if *bake != world.bake || obstacles.progress().is_finished() {
            return false;
        }
        let clock = LabClock;
        let context = Context { clock: Some(&clock), ..Context::default() };
        match obstacles.step(&mut world.mesh, Budget::new(A_FRAME), &context) {
            Ok(_) => {
                let built = obstacles.rebuilt();
                if !built.is_empty() {
                    world.version += 1;
                    self.tiles_built += built.len() as u64;
                    self.last = built.iter().map(|tile| tile.time).sum();
                }
                true
            }
            Err(error) => {
                stage.log.error(format!("Tiles could not be rebuilt: {error}."));
                self.reset();
                false
            }
        }
    }
}

impl Tool for ObstacleTool {
    fn title(&self) -> &'static str {
        "Obstacles"
    }

    fn help(&self) -> &'static str {
        "A click places an obstacle, Ctrl-click removes one, and one can be dragged. Only the tiles beneath are built \
         again, a little in each frame, from ground that is kept compressed."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        self.prepare(stage);
        controls.choice("Shape", &mut self.shape, &SHAPES);
        controls.slider("Radius", &mut self.radius, 0.2..=6.0);
        controls.slider("Height", &mut self.height, 0.2..=8.0);
        if self.shape == 2 {
            controls.slider("Turn", &mut self.turn, 0.0..=180.0);
        }
        if !self.order.is_empty() && controls.button("Remove all obstacles") {
            self.order.clone().into_iter().for_each(|obstacle| self.remove(obstacle));
        }
        match (&self.obstacles, &self.ground) {
            (_, Some((_, task))) => controls.note(&format!("Gathering the ground: {:.0} %", task.progress() * 100.0)),
            (Some((_, obstacles)), None) => {
                let ground = obstacles.checkpoints();
                let raw = ground.spans() as f64 * 8.0;
                let packed = ground.compressed_bytes() as f64;
                controls.heading("Kept ground");
                controls.figure("Obstacles", &self.order.len().to_string());
                controls.figure("Tiles", &ground.tile_count().to_string());
                controls.figure("Open spans", &ground.spans().to_string());
                controls.figure("Compressed", &format!("{:.1} kB", packed / 1024.0));
                controls.figure("Bytes a span", &format!("{:.2}", packed / ground.spans().max(1) as f64));
                controls.figure("Packed", &format!("{:.1} : 1", raw / packed.max(1.0)));
                controls.figure("Tiles rebuilt", &self.tiles_built.to_string());
                controls.figure("Last rebuild", &format!("{:.2} ms", self.last.as_secs_f64() * 1e3));
            }
            (None, None) => controls.note("Obstacles need a level that was baked here: open a scene or a file."),
        }
        if stage.world.as_ref().is_some_and(|world| world.settings.tile_size == 0) {
            controls
                .note("The mesh is one tile, so each obstacle rebuilds all of it. Set a tile size to rebuild less.");
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        self.prepare(stage);
        if self.ground.is_some() {
            self.waiting.push(*click);
            return;
        }
        if click.remove {
            if let Some(obstacle) = self.under(click.at) {
                self.remove(obstacle);
            }
            return;
        }
        self.held = self.under(click.at);
        if self.held.is_some() {
            return;
        }
        let volume = self.volume(click.at);
        self.place(stage, MarkedVolume::block(volume));
    }

    fn takes_drags(&self, at: Vec3) -> bool {
        self.under(at).is_some()
    }

    fn drag(&mut self, _: &mut Stage, click: &Click) -> bool {
        let (Some(held), Some((_, obstacles))) = (self.held, &mut self.obstacles) else { return false };
        let Ok(bounds) = obstacles.get(held).map(|marked| marked.volume.bounds()) else { return false };
        let foot = Vec3::new(bounds.center().x, bounds.min.y + 0.1, bounds.center().z);
        // One that is gone cannot be moved.
        obstacles.move_by(held, click.at - foot).is_ok()
    }

    fn update(&mut self, stage: &mut Stage, _: f32) -> bool {
        if !self.order.is_empty() || !self.again.is_empty() {
            self.prepare(stage);
        }
        self.receive(stage);
        self.rebuild(stage) || self.ground.is_some()
    }

    fn draw_behind(&self, _: &Stage, canvas: &mut Canvas) {
        let placed = self.obstacles.iter().flat_map(|(_, obstacles)| obstacles.iter().map(|(_, marked)| marked));
        for marked in placed.chain(&self.again) {
            super::volumes::draw_volume(&marked.volume, Ink::Forbidden, canvas);
        }
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        self.draw_behind(stage, canvas);
        let Some((_, obstacles)) = &self.obstacles else { return };
        let Some(mesh) = stage.mesh() else { return };
        for coord in obstacles.about_to_change() {
            if let Some(tile) = mesh.tile_at(coord) {
                let bounds = tile.bounds();
                let (low, high) = (bounds.min, bounds.max);
                let at = |x, z| Vec3::new(x, low.y + 0.1, z);
                let ring = [at(low.x, low.z), at(low.x, high.z), at(high.x, high.z), at(high.x, low.z)];
                canvas.outline(&ring, Pen::of(Ink::Current).width(3.0));
            }
        }
    }

    fn points(&self) -> Vec<Vec3> {
        let placed = self.obstacles.iter().flat_map(|(_, obstacles)| obstacles.iter());
        let foot = |volume: &Volume| {
            let bounds = volume.bounds();
            Vec3::new(bounds.center().x, bounds.min.y + 0.1, bounds.center().z)
        };
        placed.map(|(_, marked)| foot(&marked.volume)).collect()
    }

    fn set_points(&mut self, stage: &mut Stage, points: &[Vec3]) {
        self.prepare(stage);
        let marked: Vec<MarkedVolume> = points.iter().map(|&at| MarkedVolume::block(self.volume(at))).collect();
        if self.obstacles.is_some() {
            marked.into_iter().for_each(|marked| self.place(stage, marked));
        } else {
            // Placed with those of before another bake, once the ground is there.
            self.again.extend(marked);
        }
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        let last = self.order.last().copied();
        last.inspect(|&obstacle| self.remove(obstacle)).is_some()
    }

    fn reset(&mut self) {
        *self =
            Self { shape: self.shape, radius: self.radius, height: self.height, turn: self.turn, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    fn settle(tool: &mut ObstacleTool, stage: &mut Stage) {
        for _ in 0..2000 {
            if !tool.update(stage, 0.02) && tool.ground.is_none() {
                return;
            }
            std::thread::yield_now();
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("it never comes to rest");
    }

    #[test]
    fn an_obstacle_changes_the_mesh_and_leaves_no_trace() {
        let mut stage = baked_stage("flat");
        let before: usize = stage.mesh().unwrap().tiles().map(|tile| tile.poly_count() as usize).sum();
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = ObstacleTool::default();
        tool.click(&mut stage, &Click::at(at));
        settle(&mut tool, &mut stage);
        let count = |stage: &Stage| stage.mesh().unwrap().tiles().map(|tile| tile.poly_count() as usize).sum::<usize>();
        assert_eq!(tool.count(), 1);
        assert!(count(&stage) > before);
        assert!(tool.takes_drags(at) && !tool.takes_drags(at + Vec3::X * 9.0));
        assert!(tool.drag(&mut stage, &Click::at(at + Vec3::X * 3.0)));
        settle(&mut tool, &mut stage);
        let mut canvas = Canvas::new();
        tool.draw(&stage, &mut canvas);
        assert!(!canvas.fills.is_empty());
        assert!(tool.undo(&mut stage));
        settle(&mut tool, &mut stage);
        assert_eq!((count(&stage), tool.count()), (before, 0));
    }

    #[test]
    fn points_of_a_link_become_obstacles_even_where_they_touch() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let points = [at, at + Vec3::X * 0.3, at + Vec3::Z * 0.2];
        let mut tool = ObstacleTool::default();
        tool.set_points(&mut stage, &points);
        settle(&mut tool, &mut stage);
        assert_eq!(tool.count(), 3);
        tool.set_points(&mut stage, &points[..1]);
        assert_eq!(tool.count(), 4);
    }

    #[test]
    fn obstacles_stand_again_after_another_bake() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = ObstacleTool::default();
        tool.click(&mut stage, &Click::at(at));
        settle(&mut tool, &mut stage);
        let cut = stage.mesh().unwrap().digest();
        let again = baked_stage("flat").world.unwrap();
        stage.take(crate::workbench::baking::Baked {
            mesh: again.mesh,
            plan: again.plan.unwrap(),
            settings: again.settings,
            report: again.report,
        });
        settle(&mut tool, &mut stage);
        assert_eq!((tool.count(), stage.mesh().unwrap().digest()), (1, cut));
    }
}
