//! The legend of a picture: heights as a ramp of colours, and the area types if there is more than one.
//!
//! It is on the right of the scale bar. If a picture is too narrow for that, the area types get rows of their own above
//! the bar; none is left out.

use crate::Caption;
use crate::margins::{KEY_ROW, MARGIN};
use crate::picture::{Anchor, Item, Pen};
use crate::view::View;
use crate::{font, theme};
use wayfare::area::AreaId;
use wayfare::debug::{Role, ShapeList};

/// If heights differ by less than this, metres, everything counts as level.
const LEVEL: f32 = 0.05;
/// Width and number of the steps of the ramp; and the same for level surfaces.
const STEP: f32 = 5.0;
const STEPS: u16 = 24;
const LEVEL_STEPS: u16 = 3;
/// Space between the ramp and the area types.
const GAP: f32 = 24.0;
const SIZE: f32 = 12.0;

/// The area types of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    /// In order, with their names.
    areas: Vec<(AreaId, String)>,
    /// How many of them are in each row above the scale bar; empty if they are beside it.
    rows: Vec<usize>,
}

impl Legend {
    /// The area types in some shapes, in a picture of a width of which the scale bar takes `bar`.
    pub(crate) fn of(shapes: &ShapeList, caption: &Caption, [low, high]: [f32; 2], [width, bar]: [f32; 2]) -> Self {
        let ground = |role| if let Role::Ground(area) = role { Some(area) } else { None };
        let mut found: Vec<AreaId> = shapes.shapes().iter().filter_map(|s| ground(s.role)).collect();
        found.sort_unstable();
        found.dedup();
        let name = |area: AreaId| caption.area_names.get(&area.get()).cloned().unwrap_or_else(|| area_name(area));
        let areas: Vec<(AreaId, String)> = found.into_iter().map(|area| (area, name(area))).collect();
        let widths = areas.iter().map(|(_, name)| entry_width(name));
        let beside = widths.clone().sum::<f32>() + GAP + ramp_width(low, high) + bar;
        let needs_rows = areas.len() > 1 && beside > width - 2.0 * MARGIN;
        let rows = if needs_rows { break_into_rows(widths, width) } else { Vec::new() };
        Self { areas, rows }
    }

    /// Number of rows of area types above the scale bar.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }
}

/// How much of the footer the ramp and its text take.
pub(crate) fn ramp_width(low: f32, high: f32) -> f32 {
    // For level surfaces the text is wider than the ramp.
    if high - low < LEVEL { 78.0 } else { f32::from(STEPS) * STEP }
}

/// How many entries of given widths fit in each row of a picture.
pub(crate) fn break_into_rows(widths: impl Iterator<Item = f32>, width: f32) -> Vec<usize> {
    let room = width - 2.0 * MARGIN;
    let (mut rows, mut taken) = (Vec::new(), room);
    for wide in widths {
        match rows.last_mut() {
            Some(row) if taken + wide <= room => (*row, taken) = (*row + 1, taken + wide),
            _ => {
                rows.push(1);
                taken = wide;
            }
        }
    }
    rows
}

fn entry_width(name: &str) -> f32 {
    font::width(name, SIZE) + 34.0
}

impl View<'_> {
    /// The ramp, and the area types to its left unless they have rows of their own.
    pub(crate) fn legend(&self, items: &mut Vec<Item>) {
        // The default area type, if it occurs: it has the greatest number.
        let Some((shown, _)) = self.legend.areas.last() else { return };
        let (right, y) = (self.width - MARGIN, self.height - 44.0);
        let mut x = self.heights(*shown, right, y, items) - GAP;
        if self.legend.areas.len() > 1 && self.legend.rows.is_empty() {
            for (area, name) in self.legend.areas.iter().rev() {
                x -= entry_width(name);
                entry(*area, name, [x, y], items);
            }
        }
    }

    /// The area types in rows, the first of which is at `y`.
    pub(crate) fn legend_rows(&self, y: f32, items: &mut Vec<Item>) {
        let mut areas = self.legend.areas.iter();
        for (row, count) in self.legend.rows.iter().enumerate() {
            let mut x = MARGIN;
            for (area, name) in areas.by_ref().take(*count) {
                entry(*area, name, [x, y + row as f32 * KEY_ROW - 10.0], items);
                x += entry_width(name);
            }
        }
    }

    /// The heights, as a ramp from the lowest to the highest, or the single one. Returns where it begins.
    fn heights(&self, area: AreaId, right: f32, y: f32, items: &mut Vec<Item>) -> f32 {
        let is_level = self.high - self.low < LEVEL;
        let steps = if is_level { LEVEL_STEPS } else { STEPS };
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
            items.push(Item::Text { at: [x, y + 27.0], size: SIZE, text, anchor, colour: theme::INK });
        };
        if is_level {
            text(right, format!("level, {:.1} m", self.low), Anchor::Right);
        } else {
            text(left, format!("{:.1} m", self.low), Anchor::Left);
            text(right, format!("{:.1} m", self.high), Anchor::Right);
        }
        left
    }
}

/// A swatch with its upper left corner at a position, and its name.
fn entry(area: AreaId, name: &str, [x, y]: [f32; 2], items: &mut Vec<Item>) {
    let points = vec![[x, y], [x + 14.0, y], [x + 14.0, y + 10.0], [x, y + 10.0]];
    items.push(Item::Polygon { points, fill: theme::ground(area, 0.5, 0.75), outline: None });
    let at = [x + 19.0, y + 10.0];
    items.push(Item::Text { at, size: SIZE, text: name.to_owned(), anchor: Anchor::Left, colour: theme::INK });
}

fn area_name(area: AreaId) -> String {
    if area == AreaId::WALKABLE { "walkable".into() } else { format!("area {area}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::Vec3;
    use wayfare::debug::DebugSink as _;

    #[test]
    fn area_types_that_do_not_fit_beside_the_scale_bar_get_rows_of_their_own() {
        let mut shapes = ShapeList::new();
        let corners = [[0.0, 0.0], [0.0, 9.0], [9.0, 9.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
        for id in [1, 2, 3, 4, 63] {
            shapes.polygon(&corners, Role::Ground(AreaId::from_low_bits(id)));
        }
        let rows = |width: f32| Legend::of(&shapes, &Caption::default(), [0.0, 5.0], [width, 255.0]).rows;
        assert_eq!((rows(1400.0), rows(700.0), rows(450.0)), (vec![], vec![5], vec![5]));
        let narrow = rows(260.0);
        assert!(narrow.len() > 1 && narrow.iter().sum::<usize>() == 5, "{narrow:?}");
        let mut plain = ShapeList::new();
        plain.polygon(&corners, Role::Ground(AreaId::WALKABLE));
        assert_eq!(Legend::of(&plain, &Caption::default(), [0.0, 5.0], [100.0, 255.0]).rows(), 0);
    }
}
