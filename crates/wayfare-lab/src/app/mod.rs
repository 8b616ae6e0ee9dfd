//! The window: panels, menus and views around the workbench and the prototypes. The same code is the web page.

mod address;
mod batches;
mod bench_ui;
mod controls;
mod help;
mod last_visit;
mod open_file;
mod painter;
mod profile_graph;
mod proto_side;
mod proto_ui;
mod save_file;
mod screenshot;
mod style;
mod viewport;
#[cfg(target_arch = "wasm32")]
pub mod web;

use crate::palette::Theme;
use crate::workbench::Workbench;
use batches::BenchPicture;
use egui::{Key, KeyboardShortcut, Modifiers, Panel, RichText, Ui};
use help::Help;
use last_visit::LastVisit;
use open_file::{Opener, PickedFile};
use proto_ui::ProtoUi;
use screenshot::Screenshots;
use viewport::Viewport;

pub use address::LabAddress;

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
    mode: Mode,
    bench: Workbench,
    proto: ProtoUi,
    theme: Theme,
    view: Viewport,
    picture: BenchPicture,
    side: bench_ui::SideTab,
    log_open: bool,
    hovered: Option<wayfare::Vec3>,
    help: Help,
    opener: Opener,
    screenshots: Screenshots,
    /// The address that the browser shows.
    #[cfg(target_arch = "wasm32")]
    shown_address: String,
    /// When it may be changed again, seconds.
    #[cfg(target_arch = "wasm32")]
    address_due: f64,
    frame_times: Vec<f32>,
    /// Whether the view shows a tool's own world.
    own_world: bool,
    /// The camera of an address, for the level that is opened next.
    wanted_camera: Option<crate::view::Camera>,
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

    /// Opens an address; an empty one is the lab's beginning.
    pub fn go_to(&mut self, address: &str) {
        let address = LabAddress::parse(address);
        #[cfg(target_arch = "wasm32")]
        {
            self.shown_address = address.to_string();
        }
        if let Some(theme) = address.theme {
            self.theme = theme;
        }
        if let Some(prototype) = &address.prototype {
            self.mode = Mode::Prototypes;
            if let Err(error) = self.proto.open(prototype) {
                self.bench.stage.log.error(format!("{error}."));
                self.proto.open_first();
            }
        }
        // With a prototype, the workbench opens its level when somebody goes there.
        if address.scene.is_some() || address.prototype.is_none() {
            let scene = address.scene.clone().unwrap_or_else(|| "dungeon".to_owned());
            if let Err(error) = self.bench.open_scene(&scene) {
                self.bench.stage.log.error(format!("{error}."));
                self.bench.open_form();
            }
        }
        self.help.wants_errand = address.scene.is_none();
        if let Some(layers) = address.layers {
            self.bench.layers = layers;
        }
        if let Some(product) = address.product {
            self.bench.product = product;
        }
        if let Some(tool) = address.tool {
            self.bench.choose_tool(tool);
        }
        self.bench.change_settings(&address.bake);
        self.bench.change_controls(&address.set);
        if !address.points.is_empty() {
            self.bench.set_tool_points(address.points);
        }
        self.bench.set_agents(address.agents.unwrap_or(0));
        self.wanted_camera = address.camera;
    }

    /// The address of what is shown.
    #[must_use]
    pub fn address(&mut self) -> String {
        let theme = Some(self.theme).filter(|&theme| theme != Theme::Light);
        let mut address = LabAddress { theme, ..LabAddress::default() };
        match self.mode {
            Mode::Prototypes => address.prototype = self.proto.address(),
            Mode::Workbench => {
                address.scene = self
                    .bench
                    .stage
                    .level
                    .as_ref()
                    .and_then(|level| level.name.strip_prefix("scene:").map(ToOwned::to_owned));
                address.tool = Some(self.bench.tool_number()).filter(|&tool| tool != 0);
                address.layers = Some(self.bench.layers).filter(|&layers| layers != Default::default());
                address.product = Some(self.bench.product).filter(|&product| product != Default::default());
                address.set = self.bench.changed_controls();
                // Of a level from a file there is no address, and in another all this would mean nothing.
                if address.scene.is_some() {
                    address.bake = self.bench.changed_settings();
                    address.points = self.bench.tool_points();
                    address.agents = Some(self.bench.agents()).filter(|&count| count > 0);
                    address.camera = self.wanted_camera.or(Some(self.view.camera).filter(|_| self.view.is_moved()));
                }
            }
        }
        address.to_string()
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

    fn top_bar(&mut self, ui: &mut Ui) {
        ui.horizontal_centered(|ui| {
            ui.label(RichText::new("Wayfare lab").strong().size(16.0).color(style::accent(self.theme)));
            ui.add_space(12.0);
            for (mode, name) in [(Mode::Workbench, "Workbench"), (Mode::Prototypes, "Prototypes")] {
                if ui.selectable_label(self.mode == mode, RichText::new(name).size(14.0)).clicked() {
                    self.mode = mode;
                    if mode == Mode::Prototypes {
                        self.proto.open_first();
                    }
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.top_buttons(ui));
        });
    }

    fn top_buttons(&mut self, ui: &mut Ui) {
        if ui.button("Help").on_hover_text("What the mouse and the keys do (F1)").clicked() {
            self.help.keys_open = !self.help.keys_open;
        }
        if ui.button("Tour").on_hover_text("The lab in six steps").clicked() {
            self.help.start_tour();
        }
        let (name, other) = match self.theme {
            Theme::Light => ("Dark", Theme::Dark),
            Theme::Dark => ("Light", Theme::Light),
        };
        if ui.button(name).clicked() {
            self.theme = other;
            style::apply(ui.ctx(), other);
        }
        if ui.button("Screenshot").on_hover_text("The window as a picture (.png)").clicked() {
            self.screenshots.ask(ui.ctx());
        }
        if ui.button("Open …").on_hover_text(open_file::HELP).clicked() {
            self.opener.ask(ui.ctx());
        }
        if ui.button("Copy link").on_hover_text("The address of what is shown, to be sent to someone").clicked() {
            let link = self.link();
            ui.ctx().copy_text(link.clone());
            self.bench.stage.log.note(format!("Copied {link}"));
        }
        if self.mode == Mode::Workbench {
            let can = self.bench.stage.can_undo().map(|what| format!("Take back: {what} (Ctrl+Z)"));
            let text = can.unwrap_or_else(|| "Take back the last step of the tool (Ctrl+Z)".to_owned());
            if ui.button("Undo").on_hover_text(text).clicked() {
                self.bench.undo();
            }
        }
    }

    fn link(&mut self) -> String {
        let address = self.address();
        #[cfg(target_arch = "wasm32")]
        return web::link(&address);
        #[cfg(not(target_arch = "wasm32"))]
        format!("wayfare-lab --open \"{address}\"")
    }

    fn status_bar(&mut self, ui: &mut Ui, frame_time: f32) {
        ui.horizontal_centered(|ui| {
            let name = if self.log_open { "Hide log" } else { "Log" };
            if ui.button(name).clicked() {
                self.log_open = !self.log_open;
            }
            if let Some(last) = self.bench.stage.log.entries().last() {
                ui.add(egui::Label::new(RichText::new(&last.text).weak()).truncate());
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let share = self.library_time();
                let share = if share > 0.0 { format!(", {share:.2} ms a tick of the library") } else { String::new() };
                ui.label(RichText::new(format!("{frame_time:.1} ms a frame{share}")).weak());
                if let Some(at) = self.hovered {
                    ui.label(RichText::new(format!("{:.1}, {:.1}, {:.1}", at.x, at.y, at.z)).weak());
                }
                if let Some(progress) = self.bench.baking() {
                    ui.add(egui::ProgressBar::new(progress).desired_width(120.0).text("Baking"));
                }
            });
        });
    }

    /// How long the library has worked for the last tick, milliseconds; 0 where nothing moves.
    fn library_time(&self) -> f32 {
        match self.mode {
            Mode::Workbench => self.bench.library_time(),
            Mode::Prototypes => self.proto.tick_time(),
        }
    }

    fn log_panel(&mut self, ui: &mut Ui) {
        use crate::workbench::log::Weight;
        let mut look_at = None;
        egui::ScrollArea::vertical().stick_to_bottom(true).auto_shrink(false).show(ui, |ui| {
            for entry in self.bench.stage.log.entries() {
                let text = match entry.weight {
                    Weight::Note => RichText::new(&entry.text),
                    Weight::Warning => RichText::new(&entry.text).color(ui.visuals().warn_fg_color),
                    Weight::Error => RichText::new(&entry.text).color(ui.visuals().error_fg_color),
                };
                match entry.at {
                    Some(at) if ui.link(text.clone()).clicked() => look_at = Some(at),
                    Some(_) => {}
                    None => {
                        ui.label(text);
                    }
                }
            }
        });
        self.bench.look_at = look_at.or(self.bench.look_at);
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

    /// Shows the address in the browser's bar. Some times a second and not while something is dragged: browsers allow
    /// few changes, and asking every panel what it is set to takes its time.
    #[cfg(target_arch = "wasm32")]
    fn note_address(&mut self, ctx: &egui::Context) {
        web::show_state(self.bench.poly_count());
        let (now, is_down) = ctx.input(|input| (input.time, input.pointer.any_down()));
        if is_down || now < self.address_due {
            // The last change is to be shown even if nothing moves any more.
            ctx.request_repaint_after_secs((self.address_due - now).max(0.05) as f32);
            return;
        }
        self.address_due = now + 0.2;
        let address = self.address();
        if address != self.shown_address {
            web::show_address(&address);
            self.shown_address = address;
        }
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
