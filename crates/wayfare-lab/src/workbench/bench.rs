//! The workbench as a whole: opens levels, bakes them in the background, hands clicks to the tool in use.

use super::baking::{self, Baked, BakingError};
use super::controls::{Controls, Listing};
use super::layers::{Layers, draw_layers};
use super::level::{LoadedLevel, OpenError, SceneForm};
use super::problems::Problems;
use super::product_view::ProductView;
use super::products::Product;
use super::stage::Stage;
use super::task::Task;
use super::times::Times;
use super::tool::{Click, Tool};
use super::tools;
use crate::canvas::Canvas;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::Stage as BakeStage;
use wayfare::input::BakeSettings;
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;

mod link;
mod panels;

/// The workbench.
pub struct Workbench {
    /// Level and mesh.
    pub stage: Stage,
    /// The scene's form.
    pub form: SceneForm,
    /// Which layers are shown.
    pub layers: Layers,
    /// Which product of the bake is shown.
    pub product: Product,
    /// Whether each change of a setting bakes the level again.
    pub live: bool,
    /// Where the view should look: asked for by a click on a list.
    pub look_at: Option<Vec3>,
    /// Whether there is another level, which the view should show as a whole.
    pub is_new: bool,
    tools: Vec<Box<dyn Tool>>,
    tool: usize,
    baking: Option<Task<Result<Box<Baked>, BakingError>>>,
    /// A level was opened, and is baked in the next frame, with the settings that its link may change.
    must_bake: bool,
    product_view: ProductView,
    mesh_canvas: Arc<Canvas>,
    drawn_mesh: Option<(u64, Layers)>,
    problems: Problems,
    /// The times of the last bakes, stage by stage.
    bakes: Times,
    asked_errand: bool,
    /// What the panel of each tool is set to at the beginning, as far as it was asked for.
    beginnings: BTreeMap<usize, Listing>,
    waiting: Waiting,
}

/// What a link gives to tools, once there is a mesh.
#[derive(Clone, Debug, Default)]
struct Waiting {
    /// Points, and the tool that was in use when they were given.
    points: Option<(usize, Vec<Vec3>)>,
    agents: u32,
}

/// The times of so many bakes are kept.
const MOST_BAKES: usize = 120;

/// Side of the tiles that the lab bakes unless told otherwise, cells: tiles show what tiles are.
pub(super) const DEFAULT_TILE_SIZE: u32 = 64;

impl core::fmt::Debug for Workbench {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Workbench").field("form", &self.form).field("tool", &self.tool).finish_non_exhaustive()
    }
}

impl Default for Workbench {
    fn default() -> Self {
        Self {
            stage: Stage::default(),
            form: SceneForm::named("dungeon").unwrap_or_else(|| SceneForm::of(0)),
            layers: Layers::default(),
            product: Product::default(),
            live: true,
            look_at: None,
            is_new: false,
            tools: tools::all(),
            tool: 0,
            baking: None,
            must_bake: false,
            product_view: ProductView::default(),
            mesh_canvas: Arc::default(),
            drawn_mesh: None,
            problems: Problems::default(),
            bakes: Times::new("Bake", BakeStage::ALL.map(BakeStage::name).to_vec(), MOST_BAKES),
            asked_errand: false,
            beginnings: BTreeMap::new(),
            waiting: Waiting::default(),
        }
    }
}

impl Workbench {
    /// Opens a scene, `scene:NAME?key=value` or without `scene:`. The next [`update`](Self::update) begins to bake it.
    ///
    /// # Errors
    /// An unknown scene, or parameters that it does not take.
    pub fn open_scene(&mut self, spec: &str) -> Result<(), OpenError> {
        let spec = spec.strip_prefix("scene:").unwrap_or(spec);
        let level = LoadedLevel::of_scene(spec)?;
        if let Some(form) = SceneForm::of_spec(spec) {
            self.form = form;
        }
        self.open(level);
        Ok(())
    }

    /// Opens the scene that the form describes.
    pub fn open_form(&mut self) {
        if let Err(error) = self.open_scene(&self.form.spec()) {
            self.stage.log.error(format!("The scene was not opened: {error}."));
        }
    }

    /// Opens a file: a level, which is baked, or a mesh.
    ///
    /// # Errors
    /// A file that is neither, or is broken.
    pub fn open_file(&mut self, name: &str, bytes: &[u8], files: &mut dyn wayfare_io::Files) -> Result<(), OpenError> {
        if wayfare_io::LevelFormat::of_name(name).is_some() {
            self.open(LoadedLevel::of_file(name, bytes, files)?);
            return Ok(());
        }
        let mesh = wayfare_io::read_mesh(bytes).map_err(|error| OpenError::Mesh { name: name.to_owned(), error })?;
        self.open_mesh(name, mesh);
        Ok(())
    }

    fn open(&mut self, level: LoadedLevel) {
        self.forget();
        self.stage.settings = BakeSettings { tile_size: self.stage.settings.tile_size, ..level.settings };
        self.stage.log.note(format!("Opened {}: {} triangles.", level.name, level.mesh.tris().len()));
        for remark in &level.remarks {
            self.stage.log.warn(remark.clone(), None);
        }
        self.stage.level = Some(Arc::new(level));
        self.must_bake = true;
    }

    /// Takes in a mesh without its level.
    pub fn open_mesh(&mut self, name: &str, mesh: NavMesh) {
        self.forget();
        self.stage.log.note(format!("Opened {name}: {} tiles.", mesh.tile_count()));
        self.stage.level = None;
        self.stage.take_mesh(mesh);
    }

    fn forget(&mut self) {
        self.stage.close();
        self.stage.volumes.clear();
        self.stage.forget_edits();
        self.tools.iter_mut().for_each(|tool| tool.reset());
        self.cancel();
        self.product_view = ProductView::default();
        self.mesh_canvas = Arc::default();
        self.drawn_mesh = None;
        self.problems.forget();
        self.waiting = Waiting::default();
        self.is_new = true;
        self.asked_errand = false;
    }

    /// Whether neither a level nor a mesh is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stage.level.is_none() && self.stage.world.is_none()
    }

    /// Begins to bake the level with the settings as they are; a bake that is under way is given up.
    pub fn bake(&mut self) {
        self.cancel();
        self.stage.wants_bake = false;
        if let Some(level) = &self.stage.level {
            self.baking = Some(baking::start(level.input(&self.stage.volumes), self.stage.settings));
        }
    }

    /// Stops a bake.
    pub fn cancel(&mut self) {
        self.must_bake = false;
        if let Some(baking) = self.baking.take() {
            baking.cancel();
        }
    }

    /// How far the bake has come, if one is under way or about to begin: 0…1.
    #[must_use]
    pub fn baking(&self) -> Option<f32> {
        self.baking.as_ref().map(Task::progress).or(self.must_bake.then_some(0.0))
    }

    /// Whether something is made in the background.
    fn is_busy(&self) -> bool {
        self.baking().is_some() || self.product_view.is_drawing() || self.problems.is_checking()
    }

    /// Waits for the bake, and for what tools do in the background. No time goes by meanwhile: who walks stands still.
    pub fn settle(&mut self) {
        while self.update(0.0) {
            std::thread::sleep(core::time::Duration::from_millis(1));
        }
    }

    /// Goes on by so many seconds. Says whether another frame is wanted soon.
    pub fn update(&mut self, dt: f32) -> bool {
        if let Some(answer) = self.baking.as_mut().and_then(Task::poll) {
            self.baking = None;
            self.finish_bake(answer);
        }
        if self.must_bake || (self.stage.wants_bake && self.live) {
            self.bake();
        }
        self.product_view.update(self.product, &mut self.stage);
        self.problems.update(&self.stage);
        let mut moving = self.is_busy();
        for tool in &mut self.tools {
            moving |= tool.update(&mut self.stage, dt);
        }
        moving
    }

    fn finish_bake(&mut self, answer: Result<Box<Baked>, BakingError>) {
        match answer {
            Ok(baked) => {
                let stats = &baked.report.stats;
                let times = BakeStage::ALL.map(|stage| baked.report.times.get(stage).as_secs_f64());
                let time: f64 = times.iter().sum();
                self.bakes.push(times.map(|time| (time * 1e3) as f32).to_vec());
                self.stage.log.note(format!(
                    "Baked {} polygons in {} tiles; {:.0} ms of work.",
                    stats.polys,
                    stats.tiles,
                    time * 1e3
                ));
                self.stage.take(*baked);
                self.give_what_waits();
            }
            Err(error) if error.is_cancelled() => {}
            Err(error) => self.stage.log.error(format!("The bake failed: {error}.")),
        }
    }

    /// Shows a first path, so that a newcomer sees at once what it is about.
    pub fn show_errand(&mut self) {
        let errand = self.stage.level.as_ref().and_then(|level| level.errand);
        let (false, Some(_), Some([from, to])) = (self.asked_errand, &self.stage.world, errand) else { return };
        self.asked_errand = true;
        self.tools[0].click(&mut self.stage, &Click::at(from).with_shift());
        self.tools[0].click(&mut self.stage, &Click::at(to));
    }

    /// The names of all tools.
    pub fn tool_titles(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.tools.iter().map(|tool| tool.title())
    }

    /// The number of the tool in use.
    #[must_use]
    pub const fn tool_number(&self) -> usize {
        self.tool
    }

    /// Takes another tool.
    pub fn choose_tool(&mut self, number: usize) {
        self.tool = number.min(self.tools.len() - 1);
    }

    /// The tool in use.
    #[must_use]
    pub fn tool(&self) -> &dyn Tool {
        &*self.tools[self.tool]
    }

    /// The world that the tool in use has of its own, in place of the level.
    #[must_use]
    pub fn backdrop(&self) -> Option<Arc<Canvas>> {
        self.tool().backdrop()
    }

    /// The box around what is shown.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        let level = || self.stage.level.as_ref().map(|level| level.bounds());
        let mesh = || self.stage.mesh().map(NavMesh::bounds);
        self.backdrop().map(|canvas| canvas.bounds()).or_else(level).or_else(mesh)
    }

    /// How long the library has worked for the tools' last step, milliseconds.
    #[must_use]
    pub fn library_time(&self) -> f32 {
        self.tools.iter().map(|tool| tool.library_time()).sum()
    }

    /// Shows the panel of the tool in use.
    pub fn tool_panel(&mut self, controls: &mut dyn Controls) {
        self.tools[self.tool].panel(&mut self.stage, controls);
    }

    /// The level was clicked.
    pub fn click(&mut self, click: &Click) {
        self.tools[self.tool].click(&mut self.stage, click);
    }

    /// The pointer is dragged over the level.
    pub fn drag(&mut self, click: &Click) -> bool {
        self.tools[self.tool].drag(&mut self.stage, click)
    }

    /// Takes the last edit back: the tool's own, or that of the mesh.
    pub fn undo(&mut self) {
        if !self.tools[self.tool].undo(&mut self.stage) && !self.stage.undo() {
            self.stage.log.note("There is nothing to undo.");
        }
    }

    /// How much there is of the mesh; `None` while it is baked.
    #[must_use]
    pub fn poly_count(&self) -> Option<usize> {
        let mesh = self.stage.mesh().filter(|_| self.baking().is_none())?;
        Some(mesh.tiles().map(|tile| tile.poly_count() as usize).sum())
    }

    /// The drawing of the mesh: the same one as long as nothing changes.
    pub fn mesh_canvas(&mut self) -> Arc<Canvas> {
        let wanted = (self.stage.version(), self.layers);
        if self.drawn_mesh != Some(wanted) {
            self.drawn_mesh = Some(wanted);
            let mut canvas = Canvas::new();
            if let Some(mesh) = self.stage.mesh() {
                let volumes = self.stage.level.as_ref().map_or(&[][..], |level| &level.volumes);
                draw_layers(mesh, self.layers, volumes, &mut canvas);
            }
            self.mesh_canvas = Arc::new(canvas);
        }
        self.mesh_canvas.clone()
    }

    /// The drawing of the product that was chosen: the same one as long as nothing changes.
    #[must_use]
    pub fn product_canvas(&self) -> Arc<Canvas> {
        self.product_view.canvas().clone()
    }

    /// Draws what the tools have to show.
    pub fn draw_tools(&self, canvas: &mut Canvas) {
        let others = self.tools.iter().enumerate().filter(|(number, _)| *number != self.tool);
        if self.backdrop().is_none() {
            others.for_each(|(_, tool)| tool.draw_behind(&self.stage, canvas));
        }
        self.tool().draw(&self.stage, canvas);
        self.problems.draw(canvas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;

    fn opened(scene: &str) -> Workbench {
        let mut bench = Workbench::default();
        bench.open_scene(scene).unwrap();
        bench.settle();
        bench
    }

    #[test]
    fn a_scene_is_opened_baked_and_asked() {
        let mut bench = opened("dungeon");
        bench.show_errand();
        let mut script = Script::default();
        bench.tool_panel(&mut script);
        assert_eq!(script.figure("Status"), Some("complete"));
        assert!(bench.problem_count() < 5);
        assert!(!bench.mesh_canvas().fills.is_empty());
    }

    #[test]
    fn a_setting_that_changes_bakes_again() {
        let mut bench = opened("stairs");
        let before = bench.stage.version();
        bench.settings_panel(&mut Script::set("Agent radius", 0.2));
        bench.settle();
        assert!(bench.stage.version() > before);
        assert_eq!(bench.stage.world.as_ref().unwrap().settings.agent.radius, 0.2);
        bench.live = false;
        let before = bench.stage.version();
        bench.settings_panel(&mut Script::set("Agent radius", 0.6));
        bench.settle();
        assert_eq!(bench.stage.version(), before);
    }

    #[test]
    fn every_product_arrives() {
        let mut bench = opened("stairs");
        for product in Product::ALL {
            bench.product = product;
            bench.settle();
            assert_eq!(
                bench.product_canvas().corners.is_empty() && bench.product_canvas().lines.is_empty(),
                product == Product::Finished
            );
        }
    }

    #[test]
    fn every_tool_can_be_clicked_dragged_drawn_and_undone_anywhere() {
        let mut bench = opened("dungeon");
        let at = bench.stage.mesh().unwrap().bounds().center();
        for number in 0..bench.tools.len() {
            bench.choose_tool(number);
            for offset in [Vec3::ZERO, Vec3::X * 3.0, Vec3::splat(500.0)] {
                bench.tool_panel(&mut Script::default());
                bench.click(&Click::at(at + offset));
                bench.click(&Click::at(at + offset).with_shift());
                bench.drag(&Click::at(at + offset + Vec3::Z));
                bench.click(&Click::at(at + offset).removing());
                bench.update(0.05);
                bench.draw_tools(&mut Canvas::new());
            }
            bench.undo();
        }
        bench.settle();
    }

    #[test]
    fn a_mesh_is_opened_without_its_level() {
        let bench = opened("stairs");
        let bytes = bench.stage.mesh().unwrap().to_bytes();
        let mut other = Workbench::default();
        other.open_file("stairs.way", &bytes, &mut wayfare_io::NoFiles).unwrap();
        for number in 0..other.tools.len() {
            other.choose_tool(number);
            other.tool_panel(&mut Script::default());
        }
        assert!(other.stage.level.is_none() && !other.mesh_canvas().fills.is_empty());
        assert!(other.open_file("broken.way", b"nonsense", &mut wayfare_io::NoFiles).is_err());
    }
}
