//! Panels as egui's widgets.

use crate::canvas::Ink;
use crate::palette::Theme;
use crate::workbench::Controls;
use crate::workbench::controls::Bars;
use core::ops::RangeInclusive;
use egui::{Align, ComboBox, DragValue, Layout, RichText, Slider, Ui};

/// Draws what a panel describes.
pub(crate) struct EguiControls<'a> {
    ui: &'a mut Ui,
    hint: String,
}

/// Width of names, in points: values stand below each other.
const NAME: f32 = 108.0;

impl<'a> EguiControls<'a> {
    pub(crate) fn new(ui: &'a mut Ui) -> Self {
        Self { ui, hint: String::new() }
    }

    /// A name on the left, a widget on the right.
    fn row(&mut self, name: &str, add: impl FnOnce(&mut Ui) -> egui::Response) -> egui::Response {
        let hint = std::mem::take(&mut self.hint);
        self.ui
            .horizontal(|ui| {
                let width = NAME.min(ui.available_width() * 0.45);
                let label = ui
                    .allocate_ui_with_layout(egui::vec2(width, 18.0), Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_width(width);
                        ui.add(egui::Label::new(name).truncate())
                    })
                    .inner;
                let response = add(ui).labelled_by(label.id);
                if hint.is_empty() {
                    response
                } else {
                    label.on_hover_text(&hint);
                    response.on_hover_text(&hint)
                }
            })
            .inner
    }

    fn hinted(&mut self, response: egui::Response) -> egui::Response {
        let hint = std::mem::take(&mut self.hint);
        if hint.is_empty() { response } else { response.on_hover_text(hint) }
    }
}

impl Controls for EguiControls<'_> {
    fn heading(&mut self, text: &str) {
        self.ui.add_space(8.0);
        self.ui.label(RichText::new(text).strong());
        self.ui.add_space(1.0);
    }

    fn note(&mut self, text: &str) {
        self.ui.label(RichText::new(text).weak());
    }

    fn figure(&mut self, name: &str, value: &str) {
        self.ui.horizontal(|ui| {
            ui.label(RichText::new(name).weak());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add(egui::Label::new(value).wrap());
            });
        });
    }

    fn key(&mut self, ink: Ink, text: &str) {
        let theme = if self.ui.visuals().dark_mode { Theme::Dark } else { Theme::Light };
        let [red, green, blue] = crate::palette::colour(ink, theme);
        self.ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
            ui.painter().rect_filled(rect, 3.0, egui::Color32::from_rgb(red, green, blue));
            ui.label(text);
        });
    }

    fn hint(&mut self, text: &str) {
        text.clone_into(&mut self.hint);
    }

    fn slider(&mut self, name: &str, value: &mut f32, range: RangeInclusive<f32>) -> bool {
        self.row(name, |ui| {
            ui.spacing_mut().slider_width = (ui.available_width() - 62.0).max(40.0);
            ui.add(Slider::new(value, range).max_decimals(2))
        })
        .changed()
    }

    fn count(&mut self, name: &str, value: &mut u32, range: RangeInclusive<u32>) -> bool {
        self.row(name, |ui| {
            if *range.end() - *range.start() <= 4000 {
                ui.spacing_mut().slider_width = (ui.available_width() - 62.0).max(40.0);
                ui.add(Slider::new(value, range))
            } else {
                ui.add(DragValue::new(value).range(range))
            }
        })
        .changed()
    }

    fn toggle(&mut self, name: &str, value: &mut bool) -> bool {
        let response = self.ui.checkbox(value, name);
        self.hinted(response).changed()
    }

    fn choice(&mut self, name: &str, chosen: &mut usize, names: &[&str]) -> bool {
        let before = *chosen;
        self.row(name, |ui| {
            let width = ui.available_width();
            ComboBox::from_id_salt(name)
                .selected_text(names.get(*chosen).copied().unwrap_or_default())
                .width(width)
                .show_ui(ui, |ui| {
                    for (i, name) in names.iter().enumerate() {
                        ui.selectable_value(chosen, i, *name);
                    }
                })
                .response
        });
        *chosen != before
    }

    fn button(&mut self, name: &str) -> bool {
        let response = self.ui.button(name);
        self.hinted(response).clicked()
    }

    fn bars(&mut self, bars: &Bars<'_>) -> Option<usize> {
        super::profile_graph::bars(self.ui, bars)
    }

    fn line(&mut self, text: &str, chosen: bool) -> bool {
        self.ui.selectable_label(chosen, text).clicked()
    }
}
