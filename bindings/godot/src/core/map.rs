//! A map: the navigation mesh of one region, and the agents on it.

use super::job::{Job, News};
use super::level::{Change, Level, Settings};
use super::walk::Walkers;
use wayfare::Vec3;
use wayfare::area::{AreaTable, PolyFlags};
use wayfare::context::Budget;
use wayfare::input::TriMesh;
use wayfare::mesh::NavMesh;
use wayfare::query::DefaultFilter;
use wayfare::tile::TileLayout;

/// The bit of polygons; links have those above it.
const SURFACE: u16 = 1;

/// What became of a map's mesh in a tick.
#[derive(Clone, Debug, PartialEq)]
pub enum MapNews {
    /// Tiles are baked; this much is done, 0…1.
    Baking(f32),
    /// The mesh is another. The level as a `.way` file where all of it was baked.
    Changed,
    /// A bake that was asked for is done; what could not be done, in sentences.
    Baked(Vec<String>),
    /// Obstacles, areas or links could not be followed: why, in sentences.
    Problems(Vec<String>),
}

/// A navigation mesh that follows the scene, and who walks on it.
pub struct Map {
    /// The mesh that questions are asked of.
    pub mesh: NavMesh,
    /// Goes up when the mesh changes.
    pub iteration: u32,
    /// Whether paths are found on it.
    pub enabled: bool,
    /// The layers of its region; agents and questions have to share one.
    pub navigation_layers: u32,
    /// The layers of obstacles, areas and links that it sees.
    pub parts_mask: u32,
    /// Cells of work a tick on the main thread; 0 bakes on a thread of its own.
    pub cells_per_tick: u32,
    /// Who walks on it.
    pub walkers: Walkers,
    level: Option<Box<Level>>,
    job: Option<Job>,
    /// A bake that waits for the one before to end.
    wanted: Option<Wanted>,
    waiting: Vec<Change>,
    /// Whether the level has tiles to rebuild.
    is_behind: bool,
    /// Whether what is worked on is a bake, not only a change of parts.
    is_bake: bool,
    /// Whether the mesh is of the level, or of one before.
    is_shown: bool,
}

struct Wanted {
    triangles: TriMesh,
    settings: Settings,
    parts: Vec<Change>,
}

impl Default for Map {
    fn default() -> Self {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        Self {
            mesh: NavMesh::new(layout),
            iteration: 0,
            enabled: true,
            navigation_layers: 1,
            parts_mask: u32::MAX,
            cells_per_tick: 0,
            walkers: Walkers::default(),
            level: None,
            job: None,
            wanted: None,
            waiting: Vec::new(),
            is_behind: false,
            is_bake: false,
            is_shown: false,
        }
    }
}

/// The filter for links of these layers: the lower fifteen count.
pub fn filter_for(mesh: &NavMesh, navigation_layers: u32) -> DefaultFilter {
    DefaultFilter::of(mesh).with_flags(PolyFlags(SURFACE | link_flags(navigation_layers).0), PolyFlags::NONE)
}

/// The flags of a link in these layers.
pub fn link_flags(navigation_layers: u32) -> PolyFlags {
    PolyFlags((navigation_layers as u16) << 1)
}

impl Map {
    /// Has triangles baked; `parts` are all volumes, links and costs that it sees. Until that is done, the mesh answers
    /// as before.
    pub fn bake(&mut self, triangles: TriMesh, settings: Settings, parts: Vec<Change>) {
        self.wanted = Some(Wanted { triangles, settings, parts });
    }

    /// Shows a stored level; `parts` as above.
    pub fn show(&mut self, level: Level, parts: Vec<Change>) {
        self.wanted = None;
        self.job = None;
        self.adopt(level.mesh().clone(), true);
        self.level = Some(Box::new(level));
        (self.is_shown, self.is_behind, self.is_bake) = (true, true, false);
        self.waiting = parts;
    }

    /// Forgets the mesh.
    pub fn clear(&mut self) {
        let mesh = NavMesh::new(self.mesh.layout());
        self.adopt(mesh, true);
        (self.level, self.job, self.wanted) = (None, None, None);
        self.waiting.clear();
        (self.is_shown, self.is_behind, self.is_bake) = (false, false, false);
    }

    /// Tells it of a change of a part that it sees.
    pub fn change(&mut self, change: Change) {
        if self.level.is_some() || self.job.is_some() || self.wanted.is_some() {
            self.waiting.push(change);
        }
    }

    /// Whether a bake that was asked for is not done.
    #[must_use]
    pub fn is_baking(&self) -> bool {
        self.wanted.is_some() || (self.is_bake && (self.job.is_some() || self.is_behind))
    }

    /// Whether the mesh shows all that it was told.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.wanted.is_none() && self.job.is_none() && self.waiting.is_empty() && !self.is_behind
    }

    /// The level as a `.way` file; `None` while it is worked on, or where there is none.
    #[must_use]
    pub fn to_way(&self) -> Option<Vec<u8>> {
        self.level.as_ref().filter(|_| !self.is_behind).map(|level| level.to_way())
    }

    /// Brings it up to date on this thread.
    pub fn force(&mut self) -> Vec<MapNews> {
        let mut news = Vec::new();
        while let Some(job) = &self.job {
            let said = job.wait();
            news.extend(self.hear(said));
        }
        if let Some(result) = self.prepare(&mut news) {
            news.extend(self.work(result, Budget::unlimited()));
        }
        news
    }

    /// Goes on by a tick.
    pub fn go_on(&mut self) -> Vec<MapNews> {
        let mut news = self.listen();
        if self.job.is_some() {
            return news;
        }
        let Some(level) = self.prepare(&mut news) else { return news };
        if self.cells_per_tick > 0 {
            news.extend(self.work(level, Budget::new(u64::from(self.cells_per_tick))));
            return news;
        }
        let changes = core::mem::take(&mut self.waiting);
        match Job::begin(level, changes) {
            Ok(job) => {
                self.job = Some(job);
                self.is_behind = true;
                if self.is_bake {
                    news.push(MapNews::Baking(0.0));
                }
            }
            Err(problem) => {
                self.is_behind = false;
                news.push(self.ended(vec![problem]));
            }
        }
        news
    }

    /// The level where there is work on it.
    fn prepare(&mut self, news: &mut Vec<MapNews>) -> Option<Box<Level>> {
        if let Some(Wanted { triangles, settings, parts }) = self.wanted.take() {
            self.is_bake = true;
            let bounds = settings.bake.bounds.unwrap_or_else(|| triangles.bounds());
            let news_since = core::mem::take(&mut self.waiting);
            // Before the parts that lie on them.
            self.waiting.push(Change::Triangles(triangles));
            if !self.level.as_ref().is_some_and(|level| level.suits(&settings, &bounds)) {
                match Level::new(&settings, bounds) {
                    Ok(level) => self.level = Some(Box::new(level)),
                    Err(problem) => {
                        // The level that was there goes on.
                        self.waiting = news_since;
                        news.push(self.ended(vec![problem]));
                        return None;
                    }
                }
                self.is_shown = false;
                self.waiting.extend(parts);
            }
            self.waiting.extend(news_since);
        }
        if self.waiting.is_empty() && !self.is_behind { None } else { self.level.take() }
    }

    fn work(&mut self, mut level: Box<Level>, budget: Budget) -> Vec<MapNews> {
        level.apply(core::mem::take(&mut self.waiting));
        let stepped = level.step(budget);
        if stepped.is_finished() {
            return self.finish(level);
        }
        if self.is_shown {
            self.adopt(level.mesh().clone(), false);
        }
        self.level = Some(level);
        self.is_behind = true;
        if self.is_bake { vec![MapNews::Baking(stepped.progress.share())] } else { Vec::new() }
    }

    fn listen(&mut self) -> Vec<MapNews> {
        let Some(job) = &self.job else { return Vec::new() };
        match job.news() {
            News::None if self.is_bake => vec![MapNews::Baking(job.done())],
            said => self.hear(said),
        }
    }

    fn hear(&mut self, said: News) -> Vec<MapNews> {
        match said {
            News::None => Vec::new(),
            News::Announced(mesh) => {
                if self.is_shown {
                    self.adopt(mesh, false);
                }
                Vec::new()
            }
            News::Finished(level) => {
                self.job = None;
                self.finish(level)
            }
            News::Lost => {
                self.job = None;
                self.is_behind = false;
                vec![self.ended(vec!["the bake has stopped early, which is a fault of Wayfare".into()])]
            }
        }
    }

    fn finish(&mut self, mut level: Box<Level>) -> Vec<MapNews> {
        let before = self.iteration;
        self.adopt(level.mesh().clone(), !self.is_shown);
        (self.is_shown, self.is_behind) = (true, false);
        let problems = level.take_problems();
        self.level = Some(level);
        let mut news = Vec::new();
        if self.iteration != before {
            news.push(MapNews::Changed);
        }
        if self.is_bake || !problems.is_empty() {
            news.push(self.ended(problems));
        }
        news
    }

    fn ended(&mut self, problems: Vec<String>) -> MapNews {
        if core::mem::take(&mut self.is_bake) { MapNews::Baked(problems) } else { MapNews::Problems(problems) }
    }

    /// Takes a mesh up; `is_other` if references to the one before mean nothing in it.
    fn adopt(&mut self, mesh: NavMesh, is_other: bool) {
        if is_other {
            self.walkers.dismiss();
        }
        if is_other || mesh.version() != self.mesh.version() {
            self.iteration = self.iteration.wrapping_add(1);
        }
        self.mesh = mesh;
    }

    /// What areas cost on it; a level that is worked on is told as well.
    pub fn set_costs(&mut self, costs: AreaTable) {
        if *self.mesh.areas() != costs {
            self.mesh.set_areas(costs.clone());
            self.walkers.costs_changed();
            self.change(Change::Costs(costs));
        }
    }
}
