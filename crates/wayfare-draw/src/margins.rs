//! The text around a picture except its legend: title, key of the paths, scale bar with the axes.

use crate::Caption;
use crate::picture::{Anchor, Item, Pen};
use crate::view::{PATH_WIDTH, View, point, stranded};
use crate::{font, legend, theme};
use wayfare::debug::Role;

pub(crate) const MARGIN: f32 = 36.0;
pub(crate) const FOOTER: f32 = 64.0;
pub(crate) const HEADER: f32 = 46.0;
/// The key of the paths, between picture and scale bar.
pub(crate) const KEY_ROW: f32 = 22.0;
const KEY_COLUMNS: usize = 3;
/// Where the text of a key begins, after its line, and its size.
const KEY_TEXT: f32 = 31.0;
const KEY_SIZE: f32 = 13.0;
const TITLE_SIZE: f32 = 17.0;
/// Width of what is on the right of the scale bar: the compass and some space.
const COMPASS: f32 = 92.0;
/// The longest scale bar.
const LONGEST: f32 = 180.0;

impl View<'_> {
    pub(crate) fn title(&self, items: &mut Vec<Item>) {
        let (at, text) = ([MARGIN, 29.0], self.caption.title.clone());
        items.push(Item::Text { at, size: TITLE_SIZE, text, anchor: Anchor::Left, colour: theme::INK });
    }

    /// The names of the paths, and the ends of trails if some of them did not reach their goals.
    pub(crate) fn key(&self, items: &mut Vec<Item>) {
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
            words(y, "walls under upper floors".to_owned(), items);
            y += KEY_ROW;
        }
        self.sample_rows(y, items);
        self.legend_rows(y + self.samples.rows() as f32 * KEY_ROW, items);
    }

    /// A bar of 1, 2 or 5 × 10ⁿ metres, 70 to 180 pixels long; shorter if the ramp leaves less room.
    pub(crate) fn scale_bar(&self, items: &mut Vec<Item>) {
        let room = self.width - 2.0 * MARGIN - COMPASS - legend::ramp_width(self.low, self.high);
        let most = f64::from(LONGEST.min(room) / self.scale);
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

    /// The directions of the axes.
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
}

/// The minimum width of a page on which title and keys are not cut off.
pub(crate) fn least_width(caption: &Caption) -> f32 {
    let keys = caption.paths.iter().map(|text| KEY_TEXT + font::width(text, KEY_SIZE));
    keys.fold(font::width(&caption.title, TITLE_SIZE), f32::max) + 2.0 * MARGIN
}

/// How much of a page's width the longest scale bar and the compass take.
pub(crate) const BAR: f32 = LONGEST + COMPASS;

/// How many keys fit side by side in a picture of a width without overlapping.
pub(crate) fn key_columns(paths: &[String], width: f32) -> usize {
    let widest = paths.iter().map(|text| font::width(text, KEY_SIZE)).fold(0.0, f32::max);
    let column = KEY_TEXT + widest + 16.0;
    (((width - 2.0 * MARGIN + 16.0) / column) as usize).clamp(1, KEY_COLUMNS)
}
