//! The profiler's graph: a bar for each of the last ticks, spikes to click on.

use crate::host::Session;
use egui::{Color32, Pos2, Rect, Sense, Stroke, Ui, vec2};

/// Bars that are shown.
const BARS: usize = 240;

/// Shows the times of a session's last ticks. Returns the tick that was clicked.
pub(super) fn profile_graph(ui: &mut Ui, session: &Session, accent: Color32) -> Option<u32> {
    let size = vec2(ui.available_width(), 54.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let profiler = session.profiler();
    let skipped = profiler.history().len().saturating_sub(BARS);
    let times: Vec<_> = profiler.history().skip(skipped).collect();
    let median = profiler.median().as_secs_f32().max(1e-6);
    let most = times.iter().map(|times| times.update.as_secs_f32()).fold(median * 2.0, f32::max).min(median * 8.0);
    let spikes = profiler.spikes();
    let width = rect.width() / BARS as f32;
    for (i, times) in times.iter().enumerate() {
        let share = (times.update.as_secs_f32() / most).min(1.0);
        let is_spike = spikes.iter().any(|&(tick, _)| tick == times.tick);
        let colour = if is_spike { ui.visuals().error_fg_color } else { accent };
        let left = rect.left() + i as f32 * width;
        let bar = Rect::from_min_max(
            Pos2::new(left, rect.bottom() - share * rect.height()),
            Pos2::new(left + width.max(1.0), rect.bottom()),
        );
        painter.rect_filled(bar, 0.0, colour);
    }
    let line = rect.bottom() - (median / most).min(1.0) * rect.height();
    painter.hline(rect.x_range(), line, Stroke::new(1.0, ui.visuals().weak_text_color()));
    let under = response.hover_pos().and_then(|at| times.get(((at.x - rect.left()) / width) as usize).copied());
    let clicked = under.filter(|_| response.clicked()).map(|times| times.tick);
    if let Some(times) = under {
        response.on_hover_ui(|ui| {
            ui.label(format!("Tick {}: {:.3} ms", times.tick, times.update.as_secs_f64() * 1e3));
            for (name, time) in &times.phases {
                ui.label(format!("{name}: {:.3} ms", time.as_secs_f64() * 1e3));
            }
        });
    }
    clicked
}
