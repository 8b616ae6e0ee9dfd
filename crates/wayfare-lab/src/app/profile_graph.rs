//! The profiler's graph: a bar for each tick, stacked by its parts, with spikes to click on.

use crate::canvas::Ink;
use crate::host::Session;
use crate::host::profiler::Times;
use crate::palette::{Theme, colour};
use crate::workbench::controls::Bars;
use egui::{Color32, Pos2, Rect, Sense, Stroke, Ui, vec2};

/// Bars that are shown.
const BARS: usize = 240;
/// How many times the median a spike is.
const SPIKE: f32 = 3.0;

/// The colour of a part, by its number.
fn colour_of(part: usize, ui: &Ui) -> Color32 {
    let theme = if ui.visuals().dark_mode { Theme::Dark } else { Theme::Light };
    let [red, green, blue] = colour(Ink::Agent(part as u32), theme);
    Color32::from_rgb(red, green, blue)
}

/// Shows the last of the rows as bars. Returns the number of the row that was clicked.
pub(super) fn bars(ui: &mut Ui, shown: &Bars<'_>) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 58.0), Sense::click());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let skipped = shown.rows.len().saturating_sub(BARS);
    let rows = &shown.rows[skipped..];
    let total = |row: &Vec<f32>| row.iter().sum::<f32>();
    let median = median(rows.iter().map(total).collect()).max(1e-4);
    let most = rows.iter().map(total).fold(median * 2.0, f32::max).min(median * 8.0);
    let width = rect.width() / rows.len().clamp(40, BARS) as f32;
    let height = |time: f32| (time / most).min(1.0) * (rect.height() - 4.0);
    for (i, row) in rows.iter().enumerate() {
        let left = rect.left() + i as f32 * width;
        let mut below = 0.0;
        for (part, &time) in row.iter().enumerate() {
            let (low, high) = (rect.bottom() - height(below), rect.bottom() - height(below + time));
            below += time;
            let bar = Rect::from_min_max(Pos2::new(left, high), Pos2::new(left + width.max(1.0), low));
            painter.rect_filled(bar, 0.0, colour_of(part, ui));
        }
        if below >= SPIKE * median {
            let mark = Rect::from_min_size(Pos2::new(left, rect.top()), vec2(width.max(2.0), 4.0));
            painter.rect_filled(mark, 0.0, ui.visuals().error_fg_color);
        }
        if shown.chosen == Some(skipped + i) {
            let middle = left + width * 0.5;
            painter.vline(middle, rect.y_range(), Stroke::new(1.5, ui.visuals().text_color()));
        }
    }
    painter.hline(rect.x_range(), rect.bottom() - height(median), Stroke::new(1.0, ui.visuals().weak_text_color()));
    let under = response.hover_pos().map(|at| ((at.x - rect.left()) / width) as usize).filter(|&i| i < rows.len());
    let clicked = under.filter(|_| response.clicked()).map(|i| skipped + i);
    if let Some(i) = under {
        response.on_hover_ui(|ui| {
            ui.label(format!("{}: {:.3} ms", shown.name(skipped + i), total(&rows[i])));
            parts(ui, shown.parts, &rows[i]);
        });
    }
    clicked
}

/// The parts of a row with their colours.
pub(super) fn parts(ui: &mut Ui, names: &[&str], row: &[f32]) {
    for (part, (name, time)) in names.iter().zip(row).enumerate() {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, colour_of(part, ui));
            ui.label(*name);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.label(format!("{time:.3} ms")));
        });
    }
}

fn median(mut all: Vec<f32>) -> f32 {
    let middle = all.len() / 2;
    if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

/// Shows the times of a session's last ticks, and the parts of one of them. Returns the tick that was clicked.
pub(super) fn session_graph(ui: &mut Ui, session: &Session) -> Option<u32> {
    let profiler = session.profiler();
    let phases = profiler.phases();
    let mut names: Vec<&str> = phases.clone();
    names.push(if phases.is_empty() { "update" } else { "the rest" });
    let row = |times: &Times| {
        let ms = |time: core::time::Duration| time.as_secs_f32() * 1e3;
        let part =
            |name: &&str| times.phases.iter().find(|(other, _)| other == name).map_or(0.0, |(_, time)| ms(*time));
        let mut row: Vec<f32> = phases.iter().map(part).collect();
        row.push((ms(times.update) - row.iter().sum::<f32>()).max(0.0));
        row
    };
    let rows: Vec<Vec<f32>> = profiler.history().map(row).collect();
    let ticks: Vec<u32> = profiler.history().map(|times| times.tick).collect();
    // The tick that led to the state of now.
    let chosen = ticks.iter().rposition(|tick| tick + 1 == session.now());
    let chosen = chosen.filter(|_| session.paused);
    let first = ticks.first().copied().unwrap_or(0) as usize;
    let shown = Bars { parts: &names, rows: &rows, chosen, what: "Tick", first };
    let clicked = bars(ui, &shown);
    if let Some(row) = chosen.or(rows.len().checked_sub(1)).and_then(|i| rows.get(i)) {
        parts(ui, &names, row);
    }
    clicked.and_then(|i| ticks.get(i)).map(|tick| tick + 1)
}
