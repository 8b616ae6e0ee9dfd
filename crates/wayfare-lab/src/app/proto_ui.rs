//! Prototypes in the window: the list on the left, the view (or two) in the middle, parameters and figures on the
//! right.

use super::profile_graph::profile_graph;
use super::style;
use super::viewport::{Gestures, Shown, Viewport};
use crate::canvas::Canvas;
use crate::host::{LabError, Pair, Session, address, case_file::Case, catalog, determinism, handles, saved::Saved};
use crate::input::{Input, Pointer};
use crate::palette::Theme;
use crate::params::{Kind, Param, Value};
use crate::prototype::{Clock, Figure, Severity};
use crate::view::{Looks, TextMark};
use crate::workbench::log::Log;
use crate::workbench::task::LabClock;
use egui::{CentralPanel, ComboBox, Frame, Key, Panel, RichText, ScrollArea, Slider, Ui};
use std::rc::Rc;
use std::sync::Arc;
use wayfare::context::Clock as _;

/// What runs.
#[derive(Debug)]
enum Running {
    Nothing,
    One(Box<Session>),
    Two(Box<Pair>),
}

/// Prototypes and their panels.
pub(crate) struct ProtoUi {
    running: Running,
    views: [Viewport; 2],
    is_framed: bool,
    search: String,
    saved: Saved,
    dragged: Option<&'static str>,
    verdict: String,
    case_name: String,
}

fn clock() -> Clock {
    Rc::new(|| LabClock.now())
}

impl ProtoUi {
    pub(crate) fn new(graphics: Option<&egui_wgpu::RenderState>) -> Self {
        Self {
            running: Running::Nothing,
            views: [Viewport::new(graphics), Viewport::new(graphics)],
            is_framed: false,
            search: String::new(),
            saved: Saved::default(),
            dragged: None,
            verdict: String::new(),
            case_name: String::new(),
        }
    }

    /// Opens a prototype by its address.
    pub(crate) fn open(&mut self, text: &str) -> Result<(), LabError> {
        self.keep();
        self.running = match address::open(text)? {
            address::Place::One(session) => Running::One(Box::new(session.timed_by(clock()))),
            address::Place::Two(pair) => Running::Two(pair),
        };
        self.is_framed = false;
        self.verdict.clear();
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

    fn keep(&mut self) {
        if let Running::One(session) = &self.running {
            self.saved.keep(session);
        }
    }

    fn begin(&mut self, name: &str) {
        self.keep();
        if let Ok(session) = self.saved.begin(name, 1) {
            self.running = Running::One(Box::new(session.timed_by(clock())));
            self.is_framed = false;
            self.verdict.clear();
        }
    }

    fn session(&self) -> Option<&Session> {
        match &self.running {
            Running::Nothing => None,
            Running::One(session) => Some(session),
            Running::Two(pair) => Some(&pair.sides[0]),
        }
    }

    fn sides_mut(&mut self) -> Vec<&mut Session> {
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
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.side(ui, theme, log));
        });
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

    fn pair_button(&mut self, ui: &mut Ui) {
        let is_pair = matches!(self.running, Running::Two(_));
        let name = if is_pair { "One view" } else { "Side by side" };
        if !ui.button(name).on_hover_text("The same twice, with settings of their own, on the same input").clicked() {
            return;
        }
        let running = std::mem::replace(&mut self.running, Running::Nothing);
        self.running = match running {
            Running::One(session) => {
                Pair::twice(*session).map_or(Running::Nothing, |pair| Running::Two(Box::new(pair)))
            }
            Running::Two(pair) => {
                let [left, _] = pair.sides;
                Running::One(Box::new(left.timed_by(clock())))
            }
            Running::Nothing => Running::Nothing,
        };
        self.is_framed = false;
    }

    fn side(&mut self, ui: &mut Ui, theme: Theme, log: &mut Log) {
        ui.add_space(6.0);
        let Some(session) = self.session() else {
            ui.label("Choose a prototype.");
            return;
        };
        let (meta, file) = (session.meta(), session.entry().file());
        ui.label(RichText::new(meta.title).strong().size(15.0));
        ui.label(RichText::new(meta.help).weak());
        if !meta.source.is_empty() {
            ui.label(RichText::new(meta.source).weak().italics());
        }
        let many = matches!(self.running, Running::Two(_));
        for (i, side) in self.sides_mut().into_iter().enumerate() {
            ui.add_space(8.0);
            ui.label(RichText::new(if many { ["Left", "Right"][i] } else { "Parameters" }).strong());
            ui.push_id(i, |ui| params_panel(ui, side));
        }
        ui.add_space(8.0);
        self.figures(ui);
        self.remarks(ui);
        ui.add_space(8.0);
        ui.label(RichText::new("Time of a tick").strong());
        let clicked = self.session().and_then(|session| profile_graph(ui, session, style::accent(theme)));
        if let Some(tick) = clicked {
            for side in self.sides_mut() {
                side.paused = true;
                side.go_to(tick);
            }
        }
        ui.add_space(8.0);
        self.recording(ui, log);
        ui.add_space(6.0);
        ui.label(RichText::new(file).weak().monospace().size(10.5));
    }

    fn figures(&self, ui: &mut Ui) {
        ui.label(RichText::new("Figures").strong());
        let show = |figure: &Figure| format_value(figure.value, figure.unit);
        egui::Grid::new("figures").num_columns(3).striped(true).show(ui, |ui| match &self.running {
            Running::Two(pair) => {
                for compared in pair.compare() {
                    ui.label(compared.name);
                    for value in compared.values {
                        ui.label(format_value(value, compared.unit));
                    }
                    ui.end_row();
                }
            }
            _ => {
                for figure in self.session().map(Session::figures).unwrap_or_default() {
                    ui.label(figure.name);
                    ui.label(show(&figure));
                    ui.end_row();
                }
            }
        });
    }

    fn remarks(&mut self, ui: &mut Ui) {
        let remarks = self.session().map(Session::remarks).unwrap_or_default();
        for remark in remarks.iter().take(12) {
            let colour = match remark.severity {
                Severity::Note => ui.visuals().weak_text_color(),
                Severity::Warning => ui.visuals().warn_fg_color,
                Severity::Violation => ui.visuals().error_fg_color,
            };
            let text = RichText::new(&remark.text).color(colour);
            match remark.at {
                Some(at) if ui.link(text.clone()).clicked() => {
                    self.views.iter_mut().for_each(|view| view.camera.target = at);
                }
                Some(_) => {}
                None => {
                    ui.label(text);
                }
            }
        }
    }

    fn recording(&mut self, ui: &mut Ui, log: &mut Log) {
        ui.label(RichText::new("Recording").strong());
        ui.horizontal(|ui| {
            if ui.button("Check determinism").on_hover_text("Plays all of it twice and compares").clicked()
                && let Some(session) = self.session()
            {
                self.verdict = match determinism::check(session.recording()) {
                    Ok(Ok(digest)) => format!("Twice the same: {digest:016x}"),
                    Ok(Err(difference)) => format!("It differs at tick {}", difference.tick),
                    Err(error) => error.to_string(),
                };
            }
        });
        if !self.verdict.is_empty() {
            ui.label(&self.verdict);
        }
        ui.add(egui::TextEdit::singleline(&mut self.case_name).hint_text("What the test shows"));
        let help = "What was done so far, as a case file for crates/wayfare-lab/cases";
        if ui.button("Save as test").on_hover_text(help).clicked()
            && let Some(session) = self.session()
        {
            let what = if self.case_name.is_empty() { session.meta().title } else { &self.case_name };
            let saved = Case::of(session, what)
                .to_text()
                .map_err(|error| error.to_string())
                .and_then(|text| super::save_file::save(&format!("{}.toml", session.entry().name), text.as_bytes()));
            match saved {
                Ok(place) => log.note(format!("Saved {place}.")),
                Err(error) => log.error(format!("The test was not saved: {error}.")),
            }
        }
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
                view.camera.frame(&bounds);
            }
            self.is_framed = true;
        }
        let looks = Looks::plain(theme);
        let texts: Vec<TextMark> = looks.texts(&canvas);
        let layers = [Arc::new(looks.batch(&canvas))];
        let takes_drags = ui.input(|input| !input.modifiers.alt);
        let name = ["Prototype view", "Prototype view on the right"][i];
        let shown = Shown { layers: &layers, texts: &texts, theme, takes_drags, name };
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

fn format_value(value: f64, unit: &str) -> String {
    if value.is_nan() {
        "–".to_owned()
    } else if value == value.round() && value.abs() < 1e9 {
        format!("{value:.0} {unit}")
    } else {
        format!("{value:.3} {unit}")
    }
}

/// Sliders and boxes for a session's parameters.
fn params_panel(ui: &mut Ui, session: &mut Session) {
    for param in session.params() {
        if let Some(value) = param_row(ui, &param) {
            // The row shows what the parameter takes.
            let _ = session.set(param.name, &value);
        }
    }
    if !session.changed_params().is_empty() && ui.button("Defaults").clicked() {
        session.reset_params();
    }
}

fn param_row(ui: &mut Ui, param: &Param) -> Option<Value> {
    let hover =
        |response: egui::Response| if param.help.is_empty() { response } else { response.on_hover_text(param.help) };
    let named = |ui: &mut Ui| {
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(egui::vec2(96.0, 18.0), layout, |ui| {
            ui.set_min_width(96.0);
            ui.add(egui::Label::new(param.name).truncate());
        });
        ui.spacing_mut().slider_width = (ui.available_width() - 62.0).max(40.0);
    };
    ui.horizontal(|ui| match (&param.kind, &param.value) {
        (Kind::Slider { range }, Value::Number(number)) => {
            named(ui);
            let mut value = *number;
            let slider = Slider::new(&mut value, f64::from(range.0)..=f64::from(range.1)).max_decimals(3);
            hover(ui.add(slider)).changed().then_some(Value::Number(value))
        }
        (Kind::Count { range }, Value::Number(number)) => {
            named(ui);
            let mut value = *number as u32;
            hover(ui.add(Slider::new(&mut value, range.0..=range.1))).changed().then(|| Value::Number(f64::from(value)))
        }
        (Kind::Toggle, Value::On(on)) => {
            let mut value = *on;
            hover(ui.checkbox(&mut value, param.name)).changed().then_some(Value::On(value))
        }
        (Kind::Choice { names }, Value::Name(name)) => {
            named(ui);
            let mut chosen = name.clone();
            ComboBox::from_id_salt(param.name).selected_text(name).width(ui.available_width()).show_ui(ui, |ui| {
                for name in *names {
                    ui.selectable_value(&mut chosen, (*name).to_owned(), *name);
                }
            });
            (chosen != *name).then_some(Value::Name(chosen))
        }
        (Kind::Point, Value::Point(point)) => {
            named(ui);
            ui.label(RichText::new(format!("{:.1}, {:.1}, {:.1}", point[0], point[1], point[2])).weak());
            None
        }
        _ => None,
    })
    .inner
}
