//! The window as a whole: what it begins with, and what happens in each of its frames.

use super::batches::BenchPicture;
use super::help::Help;
use super::last_visit::LastVisit;
use super::open_file::{Opener, PickedFile};
use super::proto_ui::ProtoUi;
use super::screenshot::Screenshots;
use super::viewport::{self, Viewport};
use super::{bench_ui, painter, save_file, style};
use crate::palette::Theme;
use crate::workbench::Workbench;
use egui::{Key, KeyboardShortcut, Modifiers, Panel, Ui};

/// Which half of the lab is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A level, its bake, and tools.
    #[default]
    Workbench,
    /// Prototypes.
    Prototypes,
}

/// What the window begins with.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The address to open: what stands behind `#` in the page's own.
    pub address: String,
    /// A file to open: its name and bytes.
    pub file: Option<(String, Vec<u8>)>,
    /// The folder in which the file lies, where what it names is looked for.
    pub folder: Option<std::path::PathBuf>,
    /// Whether the tour for the first visit is left out.
    pub without_tour: bool,
    /// Whether what was kept from the last visit is left alone.
    pub fresh: bool,
}

/// The lab in a window.
pub struct LabApp {
    pub(super) mode: Mode,
    pub(super) bench: Workbench,
    pub(super) proto: ProtoUi,
    pub(super) theme: Theme,
    pub(super) view: Viewport,
    pub(super) picture: BenchPicture,
    pub(super) side: bench_ui::SideTab,
    pub(super) log_open: bool,
    pub(super) hovered: Option<wayfare::Vec3>,
    pub(super) help: Help,
    pub(super) opener: Opener,
    pub(super) screenshots: Screenshots,
    /// The address that the browser shows.
    #[cfg(target_arch = "wasm32")]
    pub(super) shown_address: String,
    /// When it may be changed again, seconds.
    #[cfg(target_arch = "wasm32")]
    pub(super) address_due: f64,
    pub(super) frame_times: Vec<f32>,
    /// Whether the view shows a tool's own world.
    pub(super) own_world: bool,
    /// The camera of an address, for the level that is opened next.
    pub(super) wanted_camera: Option<crate::view::Camera>,
}

impl core::fmt::Debug for LabApp {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("LabApp").field("mode", &self.mode).field("bench", &self.bench).finish_non_exhaustive()
    }
}

impl LabApp {
    /// The lab, as `start` wants it.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, start: Start) -> Self {
        let graphics = cc.wgpu_render_state.as_ref();
        let mut app = Self {
            mode: Mode::Workbench,
            bench: Workbench::default(),
            proto: ProtoUi::new(graphics),
            theme: Theme::Light,
            view: Viewport::new(graphics),
            picture: BenchPicture::default(),
            side: bench_ui::SideTab::default(),
            log_open: false,
            hovered: None,
            help: Help::new(!start.without_tour),
            opener: Opener::default(),
            screenshots: Screenshots::default(),
            #[cfg(target_arch = "wasm32")]
            shown_address: String::new(),
            #[cfg(target_arch = "wasm32")]
            address_due: 0.0,
            frame_times: Vec::new(),
            own_world: false,
            wanted_camera: None,
        };
        let kept = cc.storage.filter(|_| !start.fresh).and_then(LastVisit::read);
        if cc.egui_ctx.system_theme() == Some(egui::Theme::Dark) {
            app.theme = Theme::Dark;
        }
        app.begin(&start, kept);
        style::apply(&cc.egui_ctx, app.theme);
        if let Some(graphics) = graphics.filter(|graphics| !viewport::is_smooth(graphics)) {
            // Soft edges double the triangles of everything, and a processor draws each of them.
            cc.egui_ctx.tessellation_options_mut(|options| options.feathering = false);
            if let Some(painter) = painter::Painter::new(graphics) {
                cc.egui_ctx.add_plugin(painter);
            }
        }
        app
    }

    fn begin(&mut self, start: &Start, kept: Option<LastVisit>) {
        let mut address = start.address.clone();
        if let Some(kept) = kept {
            self.theme = kept.theme;
            self.proto.keep_all(kept.prototypes);
            if address.is_empty() {
                address = kept.address;
            }
            self.help = Help::new(false);
        }
        match &start.file {
            Some((name, bytes)) => {
                let (name, bytes) = (name.clone(), Ok(bytes.clone()));
                self.take_file(PickedFile { name, folder: start.folder.clone(), bytes });
            }
            None => self.go_to(&address),
        }
    }

    /// Opens a file: a level, a mesh, or a recording of a prototype.
    fn take_file(&mut self, PickedFile { name, folder, bytes }: PickedFile) {
        let opened = bytes.map_err(|error| format!("{name}: {error}")).and_then(|bytes| {
            if name.ends_with(".toml") {
                self.proto.open_case(&bytes).map_err(|error| format!("{name}: {error}"))?;
                return Ok(Mode::Prototypes);
            }
            let opened = match folder.map(wayfare_io::Folder::new) {
                Some(mut folder) => self.bench.open_file(&name, &bytes, &mut folder),
                None => self.bench.open_file(&name, &bytes, &mut wayfare_io::NoFiles),
            };
            opened.map(|()| Mode::Workbench).map_err(|error| error.to_string())
        });
        match opened {
            Ok(mode) => self.mode = mode,
            Err(error) => {
                self.bench.stage.log.error(format!("{error}."));
                self.log_open = true;
            }
        }
    }

    /// The workbench, for tests.
    pub fn bench_mut(&mut self) -> &mut Workbench {
        &mut self.bench
    }

    /// Where the workbench's view is seen from, for tests and pictures.
    pub fn camera_mut(&mut self) -> &mut crate::view::Camera {
        &mut self.view.camera
    }

    /// Whether everything that works in the background has come to rest.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.bench.baking().is_none()
    }

    fn shortcuts(&mut self, ctx: &egui::Context) {
        if ctx.input(|input| input.key_pressed(Key::F1)) {
            self.help.keys_open = !self.help.keys_open;
        }
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        if ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(Modifiers::COMMAND, Key::Z))) {
            self.bench.undo();
        }
        const NUMBERS: [Key; 9] =
            [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
        if self.mode == Mode::Workbench {
            let pressed = ctx.input(|input| NUMBERS.iter().position(|&key| input.key_pressed(key)));
            if let Some(number) = pressed {
                self.bench.choose_tool(number);
            }
        }
    }

    /// The mean time of the last frames, milliseconds.
    fn frame_time(&mut self, ctx: &egui::Context) -> f32 {
        let last = ctx.input(|input| input.unstable_dt) * 1e3;
        // Pauses between frames when nothing moves are not slow frames.
        if last < 500.0 {
            self.frame_times.push(last);
        }
        let first = self.frame_times.len().saturating_sub(30);
        self.frame_times.drain(..first);
        // The sum of nothing is -0.
        (self.frame_times.iter().sum::<f32>() + 0.0) / self.frame_times.len().max(1) as f32
    }

    fn update_bench(&mut self, ctx: &egui::Context) {
        if self.mode == Mode::Workbench && self.bench.is_empty() {
            self.bench.open_form();
        }
        let dt = ctx.input(|input| input.stable_dt).min(0.1);
        if self.bench.update(dt) {
            ctx.request_repaint();
        }
        let own_world = self.bench.backdrop().is_some();
        if self.bench.is_new || own_world != self.own_world {
            if let Some(bounds) = self.bench.bounds() {
                self.view.frame(bounds, self.wanted_camera.take());
            }
            self.bench.is_new = false;
            self.own_world = own_world;
        }
        if self.help.wants_errand {
            self.bench.show_errand();
        }
        if let Some(at) = self.bench.look_at.take() {
            self.view.camera.target = at;
            self.view.camera.distance = self.view.camera.distance.min(14.0);
        }
        if let Some((name, bytes)) = self.bench.stage.saved.take() {
            match save_file::save(&name, &bytes) {
                Ok(place) => self.bench.stage.log.note(format!("Saved {place}.")),
                Err(error) => self.bench.stage.log.error(format!("{name} was not saved: {error}.")),
            }
        }
    }
}

impl eframe::App for LabApp {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let wanted = if self.theme == Theme::Dark { egui::Theme::Dark } else { egui::Theme::Light };
        if ctx.theme() != wanted {
            style::apply(&ctx, self.theme);
        }
        let frame_time = self.frame_time(&ctx);
        self.opener.take_dropped(&ctx);
        while let Some(file) = self.opener.next() {
            self.take_file(file);
        }
        if let Some(saved) = self.screenshots.take() {
            match saved {
                Ok(place) => self.bench.stage.log.note(format!("Saved {place}.")),
                Err(error) => self.bench.stage.log.error(format!("There is no screenshot: {error}.")),
            }
        }
        self.shortcuts(&ctx);
        self.update_bench(&ctx);
        Panel::top("top").exact_size(36.0).show(ui, |ui| self.top_bar(ui));
        Panel::bottom("status").exact_size(28.0).show(ui, |ui| self.status_bar(ui, frame_time));
        if self.log_open {
            Panel::bottom("log").default_size(130.0).resizable(true).show(ui, |ui| self.log_panel(ui));
        }
        match self.mode {
            Mode::Workbench => self.bench_ui(ui),
            Mode::Prototypes => self.proto.show(ui, self.theme, &mut self.bench.stage.log),
        }
        self.help.show(&ctx, self.theme);
        #[cfg(target_arch = "wasm32")]
        self.note_address(&ctx);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let kept = LastVisit { theme: self.theme, address: self.address(), prototypes: self.proto.all_kept() };
        kept.write(storage);
    }

    fn persist_egui_memory(&self) -> bool {
        // Windows and lists begin where they belong; what a person has set is kept by `save`.
        false
    }
}
