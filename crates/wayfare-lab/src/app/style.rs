//! The looks of the window: calm, with one accent, light and dark.

use crate::palette::Theme;
use egui::{Color32, CornerRadius, Stroke, Visuals};

/// Applies a theme to the whole window.
pub(crate) fn apply(ctx: &egui::Context, theme: Theme) {
    ctx.set_theme(match theme {
        Theme::Light => egui::ThemePreference::Light,
        Theme::Dark => egui::ThemePreference::Dark,
    });
    ctx.set_visuals_of(egui::Theme::Light, visuals(Theme::Light));
    ctx.set_visuals_of(egui::Theme::Dark, visuals(Theme::Dark));
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(7.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.interact_size.y = 21.0;
        style.interaction.selectable_labels = false;
        // Beside what is scrolled, not over it.
        style.spacing.scroll.floating_allocated_width = 9.0;
        style.animation_time = 0.0;
    });
}

/// The accent: what is chosen.
pub(crate) fn accent(theme: Theme) -> Color32 {
    match theme {
        Theme::Light => Color32::from_rgb(20, 112, 128),
        Theme::Dark => Color32::from_rgb(92, 196, 212),
    }
}

fn visuals(theme: Theme) -> Visuals {
    let accent = accent(theme);
    let mut visuals = match theme {
        Theme::Light => Visuals::light(),
        Theme::Dark => Visuals::dark(),
    };
    let (panel, text, weak, line, inset) = match theme {
        Theme::Light => (rgb(0xf7f6f2), rgb(0x2a2d33), rgb(0x6a6f78), rgb(0xdcd9d1), rgb(0xffffff)),
        Theme::Dark => (rgb(0x22262c), rgb(0xe2e5ea), rgb(0x98a0aa), rgb(0x363b43), rgb(0x181b20)),
    };
    visuals.panel_fill = panel;
    visuals.window_fill = panel;
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.extreme_bg_color = inset;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(weak);
    visuals.hyperlink_color = accent;
    visuals.selection.bg_fill = match theme {
        Theme::Light => rgb(0xcfe6ea),
        Theme::Dark => rgb(0x1f5560),
    };
    visuals.selection.stroke = Stroke::new(1.0, if theme == Theme::Light { rgb(0x0d4f5b) } else { rgb(0xe6fbff) });
    visuals.slider_trailing_fill = true;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, text);
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.corner_radius = CornerRadius::same(5);
        widget.fg_stroke = Stroke::new(1.0, text);
    }
    let (rest, over) = match theme {
        Theme::Light => (rgb(0xe9e6de), rgb(0xdeeaec)),
        Theme::Dark => (rgb(0x31363e), rgb(0x3a434c)),
    };
    widgets.inactive.weak_bg_fill = rest;
    widgets.inactive.bg_fill = rest;
    widgets.hovered.weak_bg_fill = over;
    widgets.hovered.bg_fill = over;
    widgets.hovered.bg_stroke = Stroke::new(1.0, accent);
    widgets.active.bg_fill = over;
    widgets.active.weak_bg_fill = over;
    visuals
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}
