//! What stands around a picture: title, key of the paths, scale bar with the axes, legend of heights and area types.

use super::picture::{Anchor, Item, Pen};
use super::view::{PATH_WIDTH, View, point, stranded};
use super::{font, theme};
use wayfare::area::AreaId;
use wayfare::debug::Role;

pub(super) const MARGIN: f32 = 36.0;
pub(super) const FOOTER: f32 = 64.0;
pub(super) const HEADER: f32 = 46.0;
/// The key of the paths, between picture and scale bar.
pub(super) const KEY_ROW: f32 = 22.0;
const KEY_COLUMNS: usize = 3;
/// Where the text of a key begins, after its line, and how large it is.
const KEY_TEXT: f32 = 31.0;
const KEY_SIZE: f32 = 13.0;
/// Ground whose heights differ by less is level, metres.
const LEVEL: f32 = 0.05;

impl View<'_> {
    pub(super) fn title(&self, items: &mut Vec<Item>) {
        let (at, text) = ([MARGIN, 29.0], self.caption.title.clone());
        items.push(Item::Text { at, size: 17.0, text, anchor: Anchor::Left, colour: theme::INK });
    }

    /// What the paths are, and the ends of trails if some of them are not goals.
    pub(super) fn key(&self, items: &mut Vec<Item>) {
        let columns = key_columns(&self.caption.paths, self.width);
        let column = (self.width - 2.0 * MARGIN) / columns as f32;
        let top = HEADER + (self.bounds.max.z - self.bounds.min.z) * self.scale + 30.0;
        for (i, text) in self.caption.paths.iter().enumerate() {
            let (x, y) = (MARGIN + (i % columns) as f32 * column, top + (i / columns) as f32 * KEY_ROW);
            let points = vec![[x, y - 4.5], [x + 22.0, y - 4.5]];
            items.push(Item::Line { points, pen: Pen::solid(theme::path(i as u32), PATH_WIDTH) });
            let at = [x + KEY_TEXT, y];
            items.push(Item::Text { at, size: KEY_SIZE, text: text.clone(), anchor: Anchor::Left, colour: theme::INK });
        }
        let rows = self.caption.paths.len().div_ceil(columns);
        let mut y = top + rows as f32 * KEY_ROW;
        let words = |y: f32, text: String, items: &mut Vec<Item>| {
            let (at, anchor) = ([MARGIN + KEY_TEXT, y], Anchor::Left);
            items.push(Item::Text { at, size: KEY_SIZE, text, anchor, colour: theme::INK });
        };
        let count = stranded(self.shapes);
        if count > 0 {
            point(Role::Stranded(0), [MARGIN + 11.0, y - 4.5], items);
            words(y, format!("not at the goal: {count}"), items);
            y += KEY_ROW;
        }
        if !self.hidden.is_empty() {
            let points = vec![[MARGIN, y - 4.5], [MARGIN + 22.0, y - 4.5]];
            items.push(Item::Line { points, pen: theme::HIDDEN });
            words(y, "walls under other ground".to_owned(), items);
        }
    }

    /// A bar of 1, 2 or 5 × 10ⁿ metres, 70 to 180 pixels long.
    pub(super) fn scale_bar(&self, items: &mut Vec<Item>) {
        let most = f64::from(180.0 / self.scale);
        let power = 10f64.powf(most.log10().floor());
        let metres = [5.0, 2.0, 1.0].map(|m| m * power).into_iter().find(|m| *m <= most).unwrap_or(power);
        let length = metres as f32 * self.scale;
        let (x, y) = (MARGIN, self.height - 34.0);
        let pen = Pen::solid(theme::INK, 1.6);
        let points = vec![[x, y - 5.0], [x, y], [x + length, y], [x + length, y - 5.0]];
        items.push(Item::Line { points, pen });
        let (at, text) = ([x + length * 0.5, y + 17.0], format!("{metres} m"));
        items.push(Item::Text { at, size: 13.0, text, anchor: Anchor::Middle, colour: theme::INK });
        self.compass([x + length + 34.0, y - 6.0], items);
    }

    /// Which way the axes point.
    fn compass(&self, at: [f32; 2], items: &mut Vec<Item>) {
        let pen = Pen::solid(theme::FAINT_INK, 1.3);
        let [x, y] = at;
        let mut arrow = |points: &[[f32; 2]]| items.push(Item::Line { points: points.to_vec(), pen });
        arrow(&[[x, y + 17.0], [x, y - 6.0], [x + 23.0, y - 6.0]]);
        arrow(&[[x + 18.0, y - 9.5], [x + 23.0, y - 6.0], [x + 18.0, y - 2.5]]);
        arrow(&[[x - 3.5, y + 12.0], [x, y + 17.0], [x + 3.5, y + 12.0]]);
        for (at, text) in [([x + 28.0, y - 2.0], "x"), ([x + 7.0, y + 19.0], "z")] {
            let (text, anchor) = (text.to_string(), Anchor::Left);
            items.push(Item::Text { at, size: 12.0, text, anchor, colour: theme::FAINT_INK });
        }
    }

    /// Heights as a ramp of colours, and the area types if there is more than one.
    pub(super) fn legend(&self, items: &mut Vec<Item>) {
        let areas = self.areas();
        // Plain ground, where there is any: it has the greatest number.
        let Some(&shown) = areas.last() else { return };
        let (right, y) = (self.width - MARGIN, self.height - 44.0);
        let left = self.heights(shown, right, y, items);
        if areas.len() < 2 {
            return;
        }
        let mut x = left - 24.0;
        for &area in areas.iter().rev() {
            let name = self.caption.area_names.get(&area.get()).cloned().unwrap_or_else(|| area_name(area));
            x -= font::width(&name, 12.0) + 34.0;
            if x < self.width * 0.35 {
                break;
            }
            let points = vec![[x, y], [x + 14.0, y], [x + 14.0, y + 10.0], [x, y + 10.0]];
            items.push(Item::Polygon { points, fill: theme::ground(area, 0.5, 0.75), outline: None });
            let at = [x + 19.0, y + 10.0];
            items.push(Item::Text { at, size: 12.0, text: name, anchor: Anchor::Left, colour: theme::INK });
        }
    }

    /// The heights, as a ramp from the lowest to the highest, or the one that there is. Where that begins.
    fn heights(&self, area: AreaId, right: f32, y: f32, items: &mut Vec<Item>) -> f32 {
        const STEP: f32 = 5.0;
        let steps: u16 = if self.high - self.low < LEVEL { 3 } else { 24 };
        let left = right - f32::from(steps) * STEP;
        for i in 0..steps {
            let share = f64::from(i) / f64::from(steps - 1);
            let y_here = self.low + (self.high - self.low) * share as f32;
            let fill = theme::ground(area, self.height_share(y_here), 0.75);
            let (x0, x1) = (left + f32::from(i) * STEP, left + f32::from(i + 1) * STEP);
            let points = vec![[x0, y], [x1, y], [x1, y + 10.0], [x0, y + 10.0]];
            items.push(Item::Polygon { points, fill, outline: Some(Pen::solid(fill, 0.5)) });
        }
        let mut text = |x: f32, text: String, anchor| {
            items.push(Item::Text { at: [x, y + 27.0], size: 12.0, text, anchor, colour: theme::INK });
        };
        if self.high - self.low < LEVEL {
            text(right, format!("level, {:.1} m", self.low), Anchor::Right);
        } else {
            text(left, format!("{:.1} m", self.low), Anchor::Left);
            text(right, format!("{:.1} m", self.high), Anchor::Right);
        }
        left
    }

    /// The area types that occur, in order.
    fn areas(&self) -> Vec<AreaId> {
        let mut found: Vec<AreaId> = self
            .shapes
            .shapes()
            .iter()
            .filter_map(|s| if let Role::Ground(area) = s.role { Some(area) } else { None })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// How many keys stand side by side in a picture of a width without running into one another.
pub(super) fn key_columns(paths: &[String], width: f32) -> usize {
    let widest = paths.iter().map(|text| font::width(text, KEY_SIZE)).fold(0.0, f32::max);
    let column = KEY_TEXT + widest + 16.0;
    (((width - 2.0 * MARGIN + 16.0) / column) as usize).clamp(1, KEY_COLUMNS)
}

fn area_name(area: AreaId) -> String {
    if area == AreaId::WALKABLE { "ground".into() } else { format!("area {area}") }
}
