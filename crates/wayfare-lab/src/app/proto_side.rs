//! The panel beside a prototype: what it is, its parameters, figures, remarks, times and recording.

use super::profile_graph::session_graph;
use super::proto_ui::{ProtoUi, Running};
use crate::host::{Recording, Session, case_file::Case, determinism};
use crate::params::{Kind, Param, Value};
use crate::prototype::{Figure, Severity};
use crate::workbench::log::Log;
use crate::workbench::task::Task;
use egui::{ComboBox, RichText, ScrollArea, Slider, Ui};
use wayfare::context::Context;

impl ProtoUi {
    pub(super) fn side(&mut self, ui: &mut Ui, log: &mut Log) {
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
        let clicked = self.session().and_then(|session| session_graph(ui, session));
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
        if ui.button("Show the source").clicked() {
            self.source_open = !self.source_open;
        }
        ui.add_space(12.0);
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
        if !remarks.is_empty() {
            ui.add_space(8.0);
            ui.label(RichText::new("Remarks").strong());
        }
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
                let recording = session.recording().clone();
                self.checking = Some(check_determinism(recording));
            }
            if ui.button("Replay").on_hover_text("Plays what was done from the beginning").clicked() {
                for side in self.sides_mut() {
                    side.go_to(0);
                    side.paused = false;
                }
            }
        });
        self.go_on_checking(ui);
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

    fn go_on_checking(&mut self, ui: &Ui) {
        let Some(check) = &mut self.checking else { return };
        self.verdict = match check.poll() {
            None => format!("Plays it twice … {:.0} %", check.progress() * 100.0),
            Some(verdict) => {
                self.checking = None;
                verdict
            }
        };
        ui.ctx().request_repaint();
    }

    /// The prototype's source, in a window.
    pub(super) fn show_source(&mut self, ctx: &egui::Context) {
        let Some(entry) = self.session().map(Session::entry) else { return };
        let mut open = self.source_open;
        let window =
            egui::Window::new(entry.file()).id(egui::Id::unique("source")).open(&mut open).default_size([760.0, 560.0]);
        window.show(ctx, |ui| {
            ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                let text = egui::Label::new(RichText::new(entry.source).monospace()).selectable(true);
                ui.add(text.wrap_mode(egui::TextWrapMode::Extend));
            });
        });
        self.source_open = open;
    }
}

/// Plays a recording twice in the background and says what came of it.
fn check_determinism(recording: Recording) -> Task<String> {
    Task::start_pieces(move || {
        let mut check = determinism::Check::begin(&recording);
        move |_, context: &Context<'_>| {
            let check = match &mut check {
                Ok(check) => check,
                Err(error) => return Some(error.to_string()),
            };
            if context.check_cancelled().is_err() {
                return Some(String::new());
            }
            context.progress(check.now().into(), recording.ticks.into());
            check.step().map(|answer| match answer {
                Ok(digest) => format!("Twice the same: {digest:016x}"),
                Err(difference) => format!("It differs at tick {}", difference.tick),
            })
        }
    })
}

fn format_value(value: f64, unit: &str) -> String {
    if !value.is_finite() {
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
