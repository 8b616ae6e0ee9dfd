//! The tour for the first visit, and the list of what mouse and keys do.

use super::style;
use crate::palette::Theme;
use egui::{Align2, Context, RichText, Window};

/// Steps of the tour: a title and a paragraph.
const TOUR: [(&str, &str); 6] = [
    (
        "Welcome",
        "Wayfare turns the geometry of a level into a navigation mesh, and finds paths over it. What you see is a \
         dungeon; the coloured ground is where an agent can walk, and the line is a path.",
    ),
    (
        "Look around",
        "Drag to turn the view, scroll to come closer, drag with the middle button to move it. F shows all.",
    ),
    ("Find a path", "Click anywhere on the ground: the path now leads there. Shift-click moves its beginning."),
    (
        "Send a crowd",
        "Choose \"Crowd\" on the left and press \"Add at random places\". A click sends everybody there, and they keep \
         out of each other's way.",
    ),
    (
        "Block the way",
        "Choose \"Obstacles\" and click in a corridor. The mesh around it is built again while the crowd walks on.",
    ),
    (
        "Change the bake",
        "On the right are the scenes, and all settings of the bake: change the agent's radius and watch the mesh follow. \
         Under \"Show\" is everything that the bake makes on the way.",
    ),
];

const KEYS: [(&str, &str); 12] = [
    ("Click", "what the tool does"),
    ("Shift-click, Ctrl-click", "the other thing it does; removes"),
    ("Drag", "turns the view, or paints and moves with some tools"),
    ("Right drag", "turns the view with every tool"),
    ("Middle drag, Shift + right drag", "moves the view"),
    ("Wheel", "comes closer, to what is under the pointer"),
    ("W A S D, Q E", "flies; down and up"),
    ("F, T, O", "shows all; from above; without perspective"),
    ("1 … 9", "chooses a tool"),
    ("Ctrl + Z", "takes a step back"),
    ("Space, . and ,", "pauses a prototype; a tick forward and back"),
    ("F1", "this list"),
];

/// What is open.
#[derive(Debug)]
pub(crate) struct Help {
    pub(crate) keys_open: bool,
    tour: Option<usize>,
    /// Whether a first path should be shown as soon as there is a mesh.
    pub(crate) wants_errand: bool,
}

impl Help {
    pub(crate) fn new(with_tour: bool) -> Self {
        Self { keys_open: false, tour: with_tour.then_some(0), wants_errand: true }
    }

    pub(crate) fn start_tour(&mut self) {
        self.tour = Some(0);
    }

    pub(crate) fn show(&mut self, ctx: &Context, theme: Theme) {
        self.show_tour(ctx, theme);
        let mut open = self.keys_open;
        Window::new("Mouse and keys").open(&mut open).collapsible(false).resizable(false).show(ctx, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 6.0]).show(ui, |ui| {
                for (keys, what) in KEYS {
                    ui.label(RichText::new(keys).strong());
                    ui.label(what);
                    ui.end_row();
                }
            });
        });
        self.keys_open = open;
    }

    fn show_tour(&mut self, ctx: &Context, theme: Theme) {
        let Some(step) = self.tour else { return };
        let (title, text) = TOUR[step];
        let window = Window::new("Tour")
            .title_bar(false)
            .resizable(false)
            .fixed_size([380.0, 110.0])
            .anchor(Align2::CENTER_BOTTOM, [0.0, -46.0]);
        window.show(ctx, |ui| {
            ui.label(RichText::new(title).strong().size(15.0).color(style::accent(theme)));
            ui.label(text);
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("{} of {}", step + 1, TOUR.len())).weak());
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let is_last = step + 1 == TOUR.len();
                    if ui.button(if is_last { "Begin" } else { "Next" }).clicked() {
                        self.tour = (!is_last).then_some(step + 1);
                    }
                    if step > 0 && ui.button("Back").clicked() {
                        self.tour = Some(step - 1);
                    }
                    if !is_last && ui.button("Skip the tour").clicked() {
                        self.tour = None;
                    }
                });
            });
        });
    }
}
