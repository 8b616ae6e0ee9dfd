//! The bars at the window's top and bottom, and the log.

use super::lab_app::{LabApp, Mode};
use super::{open_file, style};
use crate::palette::Theme;
use egui::{RichText, Ui};

impl LabApp {
    pub(super) fn top_bar(&mut self, ui: &mut Ui) {
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

    pub(super) fn status_bar(&mut self, ui: &mut Ui, frame_time: f32) {
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

    pub(super) fn log_panel(&mut self, ui: &mut Ui) {
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
}
