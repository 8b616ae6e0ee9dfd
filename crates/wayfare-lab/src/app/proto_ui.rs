//! Prototypes in the window: the list on the left, the view (or two) in the middle, parameters and figures on the
//! right.

use super::batches::Kept;
use super::viewport::{Gestures, Shown, Viewport};
use crate::canvas::Canvas;
use crate::host::{LabError, Pair, Recording, Session, address, case_file::Case, catalog, handles, saved::Saved};
use crate::input::{Input, Pointer};
use crate::palette::Theme;
use crate::prototype::Clock;
use crate::view::Looks;
use crate::workbench::log::Log;
use crate::workbench::task::{LabClock, Task};
use egui::{CentralPanel, Frame, Key, Panel, RichText, ScrollArea, Slider, Ui};
use std::rc::Rc;
use wayfare::context::Clock as _;

/// What runs.
#[derive(Debug)]
pub(super) enum Running {
    Nothing,
    One(Box<Session>),
    Two(Box<Pair>),
}

/// Prototypes and their panels.
pub(crate) struct ProtoUi {
    pub(super) running: Running,
    pub(super) views: [Viewport; 2],
    kept: [Kept; 2],
    is_framed: bool,
    search: String,
    saved: Saved,
    dragged: Option<&'static str>,
    pub(super) verdict: String,
    pub(super) case_name: String,
    /// Whether a run is the same when it is run again: checked beside the frames.
    pub(super) checking: Option<Task<String>>,
    /// Whether the source of the prototype is shown.
    pub(super) source_open: bool,
}

fn clock() -> Clock {
    Rc::new(|| LabClock.now())
}

impl ProtoUi {
    pub(crate) fn new(graphics: Option<&egui_wgpu::RenderState>) -> Self {
        Self {
            running: Running::Nothing,
            views: [Viewport::new(graphics), Viewport::new(graphics)],
            kept: [Kept::default(), Kept::default()],
            is_framed: false,
            search: String::new(),
            saved: Saved::default(),
            dragged: None,
            verdict: String::new(),
            case_name: String::new(),
            checking: None,
            source_open: false,
        }
    }

    /// Opens a prototype by its address.
    pub(crate) fn open(&mut self, text: &str) -> Result<(), LabError> {
        self.keep();
        self.run(match address::open(text)? {
            address::Place::One(session) => Running::One(Box::new(session.timed_by(clock()))),
            address::Place::Two(pair) => Running::Two(pair),
        });
        Ok(())
    }

    /// Opens the first prototype, unless one is open.
    pub(crate) fn open_first(&mut self) {
        if matches!(self.running, Running::Nothing)
            && let Some(first) = catalog::list("").first().and_then(|(_, rows)| rows.first())
        {
            self.begin(first.entry.name);
        }
    }

    /// The address of what runs.
    pub(crate) fn address(&self) -> Option<String> {
        match &self.running {
            Running::Nothing => None,
            // Without the tick, which changes sixty times a second.
            Running::One(session) => Some(without_tick(&address::of(session))),
            Running::Two(pair) => Some(without_tick(&address::of_pair(pair))),
        }
    }

    /// Opens a recording, or a test that was saved, and plays it.
    pub(crate) fn open_case(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let text = str::from_utf8(bytes).map_err(|error| LabError::Text(error.to_string()))?;
        let recording = Case::from_text(text).map(|case| case.recording).or_else(|_| Recording::from_text(text))?;
        let session = Session::of(recording)?;
        self.keep();
        self.run(Running::One(Box::new(session.timed_by(clock()))));
        Ok(())
    }

    /// Takes the parameters that were kept from another visit.
    pub(crate) fn keep_all(&mut self, saved: Saved) {
        self.saved = saved;
    }

    /// The parameters of all prototypes that were changed.
    pub(crate) fn all_kept(&mut self) -> Saved {
        self.keep();
        self.saved.clone()
    }

    /// How long the last tick took, milliseconds; 0 while time stands still.
    pub(crate) fn tick_time(&self) -> f32 {
        let sides: &[Session] = match &self.running {
            Running::Nothing => &[],
            Running::One(session) => std::slice::from_ref(&**session),
            Running::Two(pair) => &pair.sides,
        };
        let last = |session: &Session| session.profiler().history().last().map_or(0.0, |t| t.update.as_secs_f32());
        sides.iter().filter(|session| !session.paused).map(last).sum::<f32>() * 1e3
    }

    /// Shows something else.
    fn run(&mut self, running: Running) {
        self.running = running;
        self.is_framed = false;
        self.verdict.clear();
        self.checking = None;
    }

    fn keep(&mut self) {
        if let Running::One(session) = &self.running {
            self.saved.keep(session);
        }
    }

    fn begin(&mut self, name: &str) {
        self.keep();
        if let Ok(session) = self.saved.begin(name, 1) {
            self.run(Running::One(Box::new(session.timed_by(clock()))));
        }
    }

    pub(super) fn session(&self) -> Option<&Session> {
        match &self.running {
            Running::Nothing => None,
            Running::One(session) => Some(session),
            Running::Two(pair) => Some(&pair.sides[0]),
        }
    }

    pub(super) fn sides_mut(&mut self) -> Vec<&mut Session> {
        match &mut self.running {
            Running::Nothing => Vec::new(),
            Running::One(session) => vec![session],
            Running::Two(pair) => pair.sides.iter_mut().collect(),
        }
    }

    pub(crate) fn show(&mut self, ui: &mut Ui, theme: Theme, log: &mut Log) {
        self.keys(ui);
        self.advance(ui);
        Panel::left("prototypes").default_size(240.0).resizable(true).show(ui, |ui| self.list(ui));
        Panel::right("parameters").default_size(290.0).resizable(true).show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.side(ui, log));
        });
        self.show_source(ui.ctx());
        Panel::bottom("transport").exact_size(34.0).show(ui, |ui| self.transport(ui));
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| self.pictures(ui, theme));
    }

    fn list(&mut self, ui: &mut Ui) {
        ui.add_space(6.0);
        let field = egui::TextEdit::singleline(&mut self.search).hint_text("Search").desired_width(f32::INFINITY);
        ui.add(field);
        let current = self.session().map(|session| session.entry().name);
        let mut chosen = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (category, rows) in catalog::list(&self.search) {
                ui.add_space(8.0);
                ui.label(RichText::new(category.name()).weak());
                for row in rows {
                    let label = ui.selectable_label(current == Some(row.entry.name), row.meta.title);
                    if label.on_hover_text(row.meta.source).clicked() {
                        chosen = Some(row.entry.name);
                    }
                }
            }
        });
        if let Some(name) = chosen {
            self.begin(name);
        }
    }

    fn keys(&mut self, ui: &Ui) {
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if pressed(Key::Space) {
            let paused = self.session().is_some_and(|session| !session.paused);
            self.sides_mut().into_iter().for_each(|side| side.paused = paused);
        }
        if pressed(Key::Period) {
            self.sides_mut().into_iter().for_each(Session::tick);
        }
        if pressed(Key::Comma) {
            self.sides_mut().into_iter().for_each(Session::step_back);
        }
    }

    fn advance(&mut self, ui: &Ui) {
        let dt = ui.input(|input| input.stable_dt).min(0.1);
        match &mut self.running {
            Running::Nothing => {}
            Running::One(session) => drop(session.advance(dt)),
            Running::Two(pair) => drop(pair.advance(dt)),
        }
        if self.session().is_some_and(|session| !session.paused) {
            ui.ctx().request_repaint();
        }
    }

    /// Pause, steps, speed, seed.
    fn transport(&mut self, ui: &mut Ui) {
        let Some(session) = self.session() else { return };
        let (mut paused, mut speed, mut seed, now) = (session.paused, session.speed, session.seed(), session.now());
        ui.horizontal_centered(|ui| {
            if ui.button("Restart").clicked() {
                self.sides_mut().into_iter().for_each(Session::restart);
            }
            if ui.button("Back").on_hover_text("One tick back (,)").clicked() {
                paused = true;
                self.sides_mut().into_iter().for_each(Session::step_back);
            }
            if ui.button(if paused { "Play" } else { "Pause" }).on_hover_text("Space").clicked() {
                paused = !paused;
            }
            if ui.button("Step").on_hover_text("One tick forward (.)").clicked() {
                paused = true;
                self.sides_mut().into_iter().for_each(Session::tick);
            }
            ui.label(RichText::new("Speed").weak());
            ui.add(Slider::new(&mut speed, 0.1..=4.0).logarithmic(true).max_decimals(1));
            ui.label(RichText::new("Seed").weak());
            let before = seed;
            ui.add(egui::DragValue::new(&mut seed));
            if seed != before {
                self.sides_mut().into_iter().for_each(|side| side.reseed(seed));
            }
            ui.label(RichText::new(format!("tick {now}")).weak());
            self.pair_button(ui);
        });
        for side in self.sides_mut() {
            side.paused = paused;
            side.speed = speed;
        }
    }

    /// Puts a prototype beside the one that runs: the same with settings of its own, or another. Both get the same
    /// input.
    fn pair_button(&mut self, ui: &mut Ui) {
        if matches!(self.running, Running::Two(_)) {
            if ui.button("One view").clicked() {
                self.beside(None);
            }
            return;
        }
        let mut chosen = None;
        ui.menu_button("Side by side", |ui| {
            if ui.button("The same, with other settings").clicked() {
                chosen = self.session().map(|session| session.entry().name);
            }
            ui.separator();
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for (category, rows) in catalog::list("") {
                    ui.label(RichText::new(category.name()).weak());
                    for row in rows {
                        if ui.button(row.meta.title).clicked() {
                            chosen = Some(row.entry.name);
                        }
                    }
                }
            });
        });
        if chosen.is_some() {
            self.beside(chosen);
        }
    }

    /// Shows this prototype on the right of the one that runs, or only the latter.
    fn beside(&mut self, other: Option<&str>) {
        let left = match std::mem::replace(&mut self.running, Running::Nothing) {
            Running::Nothing => return,
            Running::One(session) => *session,
            Running::Two(pair) => {
                let [left, _] = pair.sides;
                left
            }
        };
        let running = match other.map(|name| Session::new(name, left.seed())) {
            Some(Ok(right)) if right.entry().name == left.entry().name => Pair::twice(left),
            Some(Ok(right)) => Ok(Pair::new(left, right)),
            _ => return self.run(Running::One(Box::new(left.timed_by(clock())))),
        };
        let timed = |pair: Pair| Pair { sides: pair.sides.map(|side| side.timed_by(clock())) };
        self.run(running.map_or(Running::Nothing, |pair| Running::Two(Box::new(timed(pair)))));
    }

    fn pictures(&mut self, ui: &mut Ui, theme: Theme) {
        let count = match &self.running {
            Running::Nothing => return,
            Running::One(_) => 1,
            Running::Two(_) => 2,
        };
        let gap = if count == 2 { 2.0 } else { 0.0 };
        let width = (ui.available_width() - gap) / count as f32;
        let height = ui.available_height();
        let mut all = Vec::new();
        ui.spacing_mut().item_spacing.x = gap;
        ui.horizontal(|ui| {
            for i in 0..count {
                let size = egui::vec2(width, height);
                let gestures = ui.allocate_ui(size, |ui| self.picture(ui, i, theme)).inner;
                all.extend(gestures);
            }
        });
        for (i, gestures) in all.into_iter().enumerate() {
            self.take(i, &gestures, ui);
        }
        if count == 2 {
            let moved = self.views.iter().position(|view| view.is_moved());
            let camera = self.views[moved.unwrap_or(0)].camera;
            self.views.iter_mut().for_each(|view| view.set_camera(camera));
        }
    }

    fn picture(&mut self, ui: &mut Ui, i: usize, theme: Theme) -> Option<Gestures> {
        let session = match &self.running {
            Running::Nothing => return None,
            Running::One(session) => session,
            Running::Two(pair) => &pair.sides[i],
        };
        let mut canvas = Canvas::new();
        session.draw(&mut canvas);
        if !self.is_framed {
            let bounds = canvas.bounds();
            for view in &mut self.views {
                view.camera.yaw = 0.0;
                view.camera.pitch = 1.15;
                view.frame(bounds, None);
            }
            self.is_framed = true;
        }
        let kept = &mut self.kept[i];
        let layers = [kept.show(canvas, Looks::plain(theme))];
        let texts = &kept.texts;
        let takes_drags = ui.input(|input| !input.modifiers.alt);
        let name = ["Prototype view", "Prototype view on the right"][i];
        let shown = Shown { layers: &layers, texts, theme, takes_drags, name };
        Some(self.views[i].show(ui, &shown))
    }

    /// Clicks and drags become the prototype's input, or move its points.
    fn take(&mut self, i: usize, gestures: &Gestures, ui: &Ui) {
        if gestures.frame {
            self.is_framed = false;
        }
        let session = match &self.running {
            Running::Nothing => return,
            Running::One(session) => session,
            Running::Two(pair) => &pair.sides[i],
        };
        if let Some(ray) = gestures.pressed {
            self.dragged = handles::under(session, &ray, 0.02);
        }
        if !gestures.is_down {
            self.dragged = None;
        }
        let held: Vec<crate::input::Key> = keys(ui, |input, key| input.key_down(key));
        let pressed: Vec<crate::input::Key> = keys(ui, |input, key| input.key_pressed(key));
        let pointer = gestures.over.filter(|_| self.dragged.is_none()).and_then(|ray| {
            let at = session.ground(&ray)?;
            let pressed = gestures.pressed.is_some();
            Some(Pointer { at, pressed, down: gestures.is_down, shift: gestures.shift })
        });
        if let (Some(name), Some(ray)) = (self.dragged, gestures.over) {
            for side in self.sides_mut() {
                // A point that the other side does not have is not moved there.
                let _ = handles::drag(side, name, &ray);
            }
        }
        if gestures.over.is_some() || i == 0 {
            let input = Input { pointer, held, pressed };
            self.sides_mut().into_iter().for_each(|side| side.input(&input));
        }
    }
}

fn without_tick(address: &str) -> String {
    let (name, query) = address.split_once('?').unwrap_or((address, ""));
    let pairs = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != "tick");
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if query.is_empty() { name.to_owned() } else { format!("{name}?{query}") }
}

fn keys(ui: &Ui, is: impl Fn(&egui::InputState, Key) -> bool) -> Vec<crate::input::Key> {
    use crate::input::Key as Lab;
    if ui.ctx().egui_wants_keyboard_input() {
        return Vec::new();
    }
    let pairs = [
        (Key::ArrowUp, Lab::Up),
        (Key::ArrowDown, Lab::Down),
        (Key::ArrowLeft, Lab::Left),
        (Key::ArrowRight, Lab::Right),
        (Key::Enter, Lab::Enter),
        (Key::Delete, Lab::Delete),
    ];
    ui.input(|input| pairs.iter().filter(|(key, _)| is(input, *key)).map(|&(_, lab)| lab).collect())
}
