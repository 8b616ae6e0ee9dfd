//! Temporary obstacles: the tiles under them are rebuilt from checkpoints, a part in each tick, within a budget.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, August 2010.

use crate::kit::stage::draw_ends;
use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles, TileChange};
use wayfare::input::{BakeSettings, Level, MarkedVolume, Volume};
use wayfare::math::{Aabb, Rng};
use wayfare::mesh::NavMesh;

/// How many crates there are at most; the oldest goes then.
const MOST: usize = 12;

#[derive(Clone)]
pub(super) struct TemporaryObstacles {
    start: Vec3,
    goal: Vec3,
    budget: u32,
    rains: bool,
    radius: f32,
    stage: Stage,
    works: Option<Works>,
    placed: Vec<ObstacleRef>,
    rng: Rng,
    tick: u32,
    rebuilt: u32,
    same: u32,
    /// Tiles that were rebuilt a moment ago: where, and how many ticks ago.
    fresh: Vec<([Vec3; 4], u32)>,
}

/// Obstacles and the mesh that they change. They hold a workbench that cannot be copied, so a copy is made from what
/// was saved when nothing was under way, and the deeds since then are done again.
struct Works {
    obstacles: Obstacles,
    mesh: NavMesh,
    quiet: (Vec<u8>, NavMesh),
    since: Vec<Deed>,
}

#[derive(Clone)]
enum Deed {
    Add(MarkedVolume),
    Remove(ObstacleRef),
    Step(u64),
}

impl Clone for Works {
    fn clone(&self) -> Self {
        let (bytes, mesh) = &self.quiet;
        let ground = self.obstacles.checkpoints();
        // Bytes that were saved from this very ground.
        let mut obstacles =
            Obstacles::from_bytes(ground.clone(), bytes).unwrap_or_else(|_| Obstacles::new(ground.clone()));
        obstacles.set_unpacked_bytes(0);
        let mut copy = Self { obstacles, mesh: mesh.clone(), quiet: self.quiet.clone(), since: Vec::new() };
        for deed in &self.since {
            copy.act(deed.clone());
        }
        copy
    }
}

impl Works {
    fn new(ground: LevelCheckpoints, mesh: NavMesh) -> Self {
        let mut obstacles = Obstacles::new(ground);
        // What is kept unpacked makes tiles cheaper, and a copy has nothing of it: it would be done earlier or later.
        obstacles.set_unpacked_bytes(0);
        let quiet = (obstacles.to_bytes(), mesh.clone());
        Self { obstacles, mesh, quiet, since: Vec::new() }
    }

    /// Does something; the handle of what was added.
    fn act(&mut self, deed: Deed) -> Option<ObstacleRef> {
        let mut added = None;
        match &deed {
            Deed::Add(volume) => added = self.obstacles.add(volume.clone()).ok().map(|(added, _)| added),
            // It was added before, or is gone already.
            Deed::Remove(obstacle) => drop(self.obstacles.remove(*obstacle)),
            Deed::Step(cells) => drop(self.obstacles.step(&mut self.mesh, Budget::new(*cells), &Context::default())),
        }
        self.since.push(deed);
        added
    }

    /// Takes down the state if nothing is under way.
    fn settle(&mut self) {
        if !self.obstacles.progress().is_finished() {
            return;
        }
        if self.since.iter().any(|deed| !matches!(deed, Deed::Step(_))) {
            self.quiet = (self.obstacles.to_bytes(), self.mesh.clone());
        }
        self.since.clear();
    }
}

impl Default for TemporaryObstacles {
    fn default() -> Self {
        Self {
            start: Vec3::new(-17.0, 0.0, -16.0),
            goal: Vec3::new(17.0, 0.0, 16.0),
            budget: 6000,
            rains: true,
            radius: 1.0,
            stage: Stage::default(),
            works: None,
            placed: Vec::new(),
            rng: Rng::new(0),
            tick: 0,
            rebuilt: 0,
            same: 0,
            fresh: Vec::new(),
        }
    }
}

impl TemporaryObstacles {
    fn begin(&mut self) -> Option<()> {
        let scene = wayfare_scenes::scene("holes_and_pillars").ok()?;
        let level = scene.mesh().ok()?;
        let settings = BakeSettings { tile_size: 24, ..scene.settings };
        let of = Level { mesh: &level, terrain: None, volumes: &scene.volumes };
        let ground = LevelCheckpoints::bake(of, &settings, &Context::default()).ok()?;
        self.stage = Stage::baked("holes_and_pillars", 24);
        self.works = Some(Works::new(ground, self.stage.mesh.clone()));
        Some(())
    }

    fn place(&mut self, at: Vec3) {
        let Some(works) = &mut self.works else { return };
        let reach = Vec3::new(self.radius, 0.0, self.radius);
        let is_round = self.rng.below(2) == 0;
        let volume = if is_round {
            Volume::Cylinder { base: at - Vec3::Y * 0.5, radius: self.radius, height: 2.0 }
        } else {
            Volume::Box(Aabb { min: at - reach - Vec3::Y * 0.5, max: at + reach + Vec3::Y * 1.5 })
        };
        self.placed.extend(works.act(Deed::Add(MarkedVolume::block(volume))));
        if self.placed.len() > MOST {
            let oldest = self.placed.remove(0);
            works.act(Deed::Remove(oldest));
        }
    }

    /// Takes away the obstacle at a place.
    fn take(&mut self, at: Vec3) {
        let Some(works) = &mut self.works else { return };
        let covers = |&&obstacle: &&ObstacleRef| {
            let bounds = works.obstacles.get(obstacle).map(|marked| marked.volume.bounds());
            bounds.is_ok_and(|of| of.contains(Vec3::new(at.x, of.center().y, at.z)))
        };
        if let Some(&found) = self.placed.iter().find(covers) {
            self.placed.retain(|&other| other != found);
            works.act(Deed::Remove(found));
        }
    }
}

impl Prototype for TemporaryObstacles {
    fn meta(&self) -> Meta {
        Meta {
            title: "Temporary obstacles",
            category: Category::Change,
            help: "Crates drop onto the level, and the tiles under them (flashing) are rebuilt from their open ground, which \
                   was kept compressed: rasterisation, the dear part, is not done again. The work is cut into slices of a \
                   budget a tick. Click to drop one, Shift-click to take one away; look at the compression figures.",
            source: "Handling Temporary Obstacles, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.toggle("rain", &mut self.rains).help("A crate every second.");
        params.slider("radius", &mut self.radius, 0.3..=3.0).help("Of the next one, metres.");
        params.count("cells a tick", &mut self.budget, 200..=60000);
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
    }

    fn init(&mut self, setup: &Setup) {
        let Self { start, goal, budget, rains, radius, .. } = *self;
        *self = Self { start, goal, budget, rains, radius, rng: Rng::new(setup.seed), ..Self::default() };
        // The scene is a built-in one, which can be baked.
        let _ = self.begin();
    }

    fn update(&mut self, _: f32, input: &Input) {
        if let Some(at) = input.clicked() {
            self.place(at);
        }
        if let Some(at) = input.shift_clicked() {
            self.take(at);
        }
        if self.rains && self.tick % 60 == 10 {
            let at = Vec3::new(self.rng.unit() * 34.0 - 17.0, 0.0, self.rng.unit() * 34.0 - 17.0);
            self.place(at);
        }
        self.tick += 1;
        let Some(works) = &mut self.works else { return };
        works.act(Deed::Step(u64::from(self.budget)));
        self.fresh.retain_mut(|(_, age)| {
            *age += 1;
            *age < 40
        });
        let layout = works.mesh.layout();
        for tile in works.obstacles.rebuilt() {
            self.rebuilt += 1;
            self.same += u32::from(tile.change == TileChange::Same);
            let corner = |x: i32, z: i32| {
                let at = layout.corner(tile.coord.x + x, tile.coord.z + z);
                Vec3::new(at.x, 0.02, at.y)
            };
            self.fresh.push(([corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)], 0));
        }
        works.settle();
        self.stage.mesh = works.mesh.clone();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for (corners, age) in &self.fresh {
            canvas.fill(corners, Ink::Current, 0.5 - *age as f32 * 0.0125);
        }
        let Some(works) = &self.works else { return };
        for coord in works.obstacles.about_to_change() {
            let [low, high] = [0, 1].map(|i| works.mesh.layout().corner(coord.x + i, coord.z + i));
            let at = |x: f32, z: f32| Vec3::new(x, 0.04, z);
            let corners = [at(low.x, low.y), at(low.x, high.y), at(high.x, high.y), at(high.x, low.y)];
            canvas.outline(&corners, Pen::of(Ink::Warning).width(2.5).dashed());
        }
        for (_, marked) in works.obstacles.iter() {
            let of = marked.volume.bounds();
            let base = Vec3::new(of.min.x, 0.0, of.min.z);
            if let Volume::Cylinder { base, radius, .. } = &marked.volume {
                canvas.agent(Vec3::new(base.x, 0.0, base.z), (*radius, 1.2), Vec3::ZERO, Ink::Solid);
            } else {
                canvas.cuboid(base, Vec3::new(of.max.x, 0.9, of.max.z), Ink::Solid, 1.0);
            }
        }
        if let Some((_, straight)) = self.stage.path(self.start, self.goal) {
            self.stage.draw_line(canvas, &straight, Pen::of(Ink::Path(0)).width(4.0));
        }
        draw_ends(canvas, lifted(self.start), lifted(self.goal));
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        ray.on_plane(0.0)
    }

    fn figures(&self, figures: &mut Figures) {
        let Some(works) = &self.works else { return };
        let ground = works.obstacles.checkpoints();
        // A count for each column; a height of two bytes and an area for each span.
        let plain = ground.cells() + ground.spans() * 3;
        // What is needed to build a mesh at once: an index and a count; height, neighbours, region, distance, area.
        let unpacked = ground.cells() * 4 + ground.spans() * 13;
        figures.count("obstacles", works.obstacles.count());
        figures.count("tiles to rebuild", works.obstacles.about_to_change().count());
        figures.push("tiles rebuilt", self.rebuilt, "");
        figures.push("rebuilt to the same", self.same, "");
        figures.push("open ground in memory", unpacked as f64 / 1024.0, "kB");
        figures.push("heights and areas alone", plain as f64 / 1024.0, "kB");
        figures.push("compressed", ground.compressed_bytes() as f64 / 1024.0, "kB");
        figures.push("smaller than in memory", unpacked as f64 / ground.compressed_bytes().max(1) as f64, "×");
    }

    fn report(&self, report: &mut Report) {
        for violation in self.stage.mesh.check() {
            report.violation(format!("the mesh is broken: {}", violation.kind.name()), Some(violation.position));
        }
        if self.works.is_none() {
            report.violation("the level could not be baked", None);
        }
    }
}
