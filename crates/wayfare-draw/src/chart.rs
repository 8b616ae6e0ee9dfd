//! Scatter charts side by side: measured points beside computed ones.

use crate::picture::{Anchor, Item, Pen, Picture};
use crate::theme;

/// Points of one colour. The first series of a panel is the reference for the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the key.
    pub name: String,
    /// Along x and y, none negative.
    pub points: Vec<[f32; 2]>,
}

/// One pair of axes, both from zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title above it.
    pub title: String,
    /// Label of the x axis, with its unit.
    pub x: String,
    /// Label of the y axis, with its unit.
    pub y: String,
    /// The series drawn over these axes.
    pub series: Vec<Series>,
}

const PANEL: [f32; 2] = [440.0, 320.0];
const MARGIN: f32 = 64.0;
const KEY: f32 = 36.0;

/// Draws panels side by side, with the key of the first below.
#[must_use]
pub fn draw_chart(panels: &[Panel]) -> Picture {
    let mut items = Vec::new();
    for (panel, left) in panels.iter().zip((0..).map(|i| MARGIN + i as f32 * (PANEL[0] + MARGIN))) {
        draw_panel(panel, left, &mut items);
    }
    if let Some(panel) = panels.first() {
        for (i, series) in panel.series.iter().enumerate() {
            let at = [MARGIN + 8.0 + i as f32 * 130.0, PANEL[1] + 2.0 * MARGIN + 16.0];
            items.push(mark(at, i));
            items.push(words([at[0] + 12.0, at[1] + 5.0], 14.0, &series.name, Anchor::Left));
        }
    }
    let width = (MARGIN + panels.len() as f32 * (PANEL[0] + MARGIN)) as u32;
    let height = (PANEL[1] + 2.0 * MARGIN + KEY) as u32;
    Picture { width, height, background: theme::BACKGROUND, items }
}

fn draw_panel(panel: &Panel, left: f32, items: &mut Vec<Item>) {
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let step = [0, 1].map(|k| step(points().fold(0.0, |most: f32, p| most.max(p[k]))));
    let most = [0, 1].map(|k| {
        let most = points().fold(step[k], |most: f32, p| most.max(p[k]));
        (most / step[k]).ceil() * step[k]
    });
    let place = |p: [f32; 2]| [left + p[0] / most[0] * PANEL[0], MARGIN + PANEL[1] - p[1] / most[1] * PANEL[1]];
    let faint = Pen { opacity: 0.35, ..Pen::solid(theme::FAINT_INK, 1.0) };
    for k in 0..2 {
        for i in 0..=(most[k] / step[k]).round() as u32 {
            let value = i as f32 * step[k];
            let along = |other: f32| if k == 0 { [value, other] } else { [other, value] };
            items.push(Item::Line { points: vec![place(along(0.0)), place(along(most[1 - k]))], pen: faint });
            let [x, y] = place(along(0.0));
            let (at, anchor) =
                if k == 0 { ([x, y + 18.0], Anchor::Middle) } else { ([x - 8.0, y + 5.0], Anchor::Right) };
            items.push(words(at, 12.0, &format!("{}", (value * 100.0).round() / 100.0), anchor));
        }
    }
    items.push(words([left, MARGIN - 28.0], 17.0, &panel.title, Anchor::Left));
    items.push(words([left, MARGIN - 9.0], 12.0, &panel.y, Anchor::Left));
    items.push(words([left + PANEL[0], MARGIN + PANEL[1] + 38.0], 12.0, &panel.x, Anchor::Right));
    for (i, series) in panel.series.iter().enumerate().rev() {
        items.extend(series.points.iter().map(|&point| mark(place(point), i)));
    }
}

/// A round step that divides an axis into a few parts.
fn step(most: f32) -> f32 {
    let ten = 10.0_f32.powi(most.max(1e-3).log10().floor() as i32);
    [0.1, 0.2, 0.25, 0.5, 1.0].map(|part| part * ten).into_iter().find(|step| most / step <= 8.0).unwrap_or(ten)
}

fn mark(center: [f32; 2], series: usize) -> Item {
    let (fill, radius) = if series == 0 { (theme::INK, 6.5) } else { (theme::path(series as u32 - 1), 4.5) };
    Item::Circle { center, radius, fill, outline: Some(Pen::solid(theme::WHITE, 1.0)) }
}

fn words(at: [f32; 2], size: f32, text: &str, anchor: Anchor) -> Item {
    Item::Text { at, size, text: text.to_owned(), anchor, colour: theme::INK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_divided_into_a_few_round_parts() {
        assert_eq!([1.8, 3.4, 0.9, 300.0].map(step), [0.25, 0.5, 0.1, 50.0]);
    }
}
