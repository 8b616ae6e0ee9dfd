//! The workbench in the window: tools on the left, the level in the middle, scene and bake on the right.

use super::LabApp;
use super::controls::EguiControls;
use super::viewport::Shown;
use crate::workbench::{Click, Workbench};
use egui::{CentralPanel, Frame, Panel, RichText, ScrollArea, Ui};

/// What is shown on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SideTab {
    #[default]
    Scene,
    Bake,
    Show,
    Report,
    Problems,
}

const TABS: [(SideTab, &str); 5] = [
    (SideTab::Scene, "Level"),
    (SideTab::Bake, "Bake"),
    (SideTab::Show, "Show"),
    (SideTab::Report, "Report"),
    (SideTab::Problems, "Problems"),
];

impl LabApp {
    pub(super) fn bench_ui(&mut self, ui: &mut Ui) {
        Panel::left("tools").default_size(264.0).size_range(220.0..=420.0).resizable(true).show(ui, |ui| {
            self.tool_side(ui);
        });
        Panel::right("level").default_size(290.0).size_range(240.0..=440.0).resizable(true).show(ui, |ui| {
            self.level_side(ui);
        });
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| self.level_view(ui));
    }

    fn tool_side(&mut self, ui: &mut Ui) {
        ui.add_space(6.0);
        let titles: Vec<&str> = self.bench.tool_titles().collect();
        let mut chosen = self.bench.tool_number();
        ui.columns(2, |columns| {
            for (i, title) in titles.iter().enumerate() {
                let half = titles.len().div_ceil(2);
                let ui = &mut columns[usize::from(i >= half)];
                let text = RichText::new(*title);
                let button = egui::Button::selectable(chosen == i, text).min_size([ui.available_width(), 24.0].into());
                if ui.add(button).clicked() {
                    chosen = i;
                }
            }
        });
        self.bench.choose_tool(chosen);
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.label(RichText::new(self.bench.tool().help()).weak());
            ui.add_space(4.0);
            self.bench.tool_panel(&mut EguiControls::new(ui));
            ui.add_space(12.0);
        });
    }

    fn level_side(&mut self, ui: &mut Ui) {
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (tab, name) in TABS {
                let count = self.bench.problem_count();
                let name = match tab {
                    SideTab::Problems if count > 0 => format!("{name} ({count})"),
                    _ => name.to_owned(),
                };
                if ui.selectable_label(self.side == tab, name).clicked() {
                    self.side = tab;
                }
            }
        });
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let mut controls = EguiControls::new(ui);
            match self.side {
                SideTab::Scene => scene_side(&mut self.bench, &mut controls),
                SideTab::Bake => self.bench.settings_panel(&mut controls),
                SideTab::Show => self.bench.layers_panel(&mut controls),
                SideTab::Report => self.bench.report_panel(&mut controls),
                SideTab::Problems => self.bench.problems_panel(&mut controls),
            }
            ui.add_space(12.0);
        });
    }

    fn level_view(&mut self, ui: &mut Ui) {
        let layers = self.picture.layers(&mut self.bench, self.theme);
        let takes_drags = self.hovered.is_some_and(|at| self.bench.tool().takes_drags(at));
        let texts = &self.picture.texts;
        let shown = Shown { layers: &layers, texts, theme: self.theme, takes_drags, name: "Level view" };
        let gestures = self.view.show(ui, &shown);
        if gestures.frame {
            self.bench.is_new = true;
        }
        self.hovered = gestures.over.and_then(|ray| self.picture.hit(&self.bench, &ray));
        let own_world = self.bench.backdrop().is_some();
        let mut click = |ray: crate::input::Ray| {
            let hit = self.picture.hit(&self.bench, &ray);
            let at = if own_world { Some(ray.from) } else { hit }?;
            Some(Click { at, ray, shift: gestures.shift, remove: gestures.command })
        };
        let pressed = gestures.pressed.and_then(&mut click);
        let dragged = gestures.dragged.and_then(&mut click);
        if let Some(click) = pressed {
            self.bench.click(&click);
            ui.ctx().request_repaint();
        }
        if let Some(click) = dragged {
            self.bench.drag(&click);
            ui.ctx().request_repaint();
        }
    }
}

fn scene_side(bench: &mut Workbench, controls: &mut EguiControls<'_>) {
    use crate::workbench::Controls;
    bench.scene_panel(controls);
    controls.heading("Files");
    controls.note(super::open_file::HELP);
    if let Some(level) = &bench.stage.level {
        let size = level.bounds().size();
        controls.heading("Level");
        controls.figure("Name", &level.name);
        controls.figure("Triangles", &level.mesh.tris().len().to_string());
        controls.figure("Size", &format!("{:.0} × {:.0} × {:.0} m", size.x, size.y, size.z));
    }
}
