//! The part of a picture's key that explains its fills, edges and marks with a sample of each, for pictures of things
//! other than meshes. Samples that do not occur in the picture are left out.

use crate::legend::break_into_rows;
use crate::margins::{KEY_ROW, MARGIN};
use crate::picture::{Anchor, Item, Pen};
use crate::view::{View, point};
use crate::{font, theme};
use wayfare::debug::{Role, ShapeList};

const SIZE: f32 = 13.0;
/// Width and height of a sample, and where its text begins.
const SAMPLE: [f32; 2] = [22.0, 11.0];
const TEXT: f32 = 31.0;
/// Space between entries.
const GAP: f32 = 22.0;

/// How something is drawn, and its meaning.
pub type Sample = (Role, &'static str);

/// The samples that a picture needs, and how many of them are in each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    shown: Vec<Sample>,
    rows: Vec<usize>,
}

impl Samples {
    /// The samples that occur in some shapes; paths and marks count as the same whatever their number.
    pub(crate) fn of(shapes: &ShapeList, samples: &[Sample], width: f32) -> Self {
        let kind = core::mem::discriminant::<Role>;
        let occurs = |role: &Role| shapes.shapes().iter().any(|shape| kind(&shape.role) == kind(role));
        let shown: Vec<Sample> = samples.iter().filter(|(role, _)| occurs(role)).copied().collect();
        let rows = break_into_rows(shown.iter().map(|(_, text)| entry_width(text)), width);
        Self { shown, rows }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }
}

fn entry_width(text: &str) -> f32 {
    TEXT + font::width(text, SIZE) + GAP
}

impl View<'_> {
    /// The samples, the first row of which is at `y`.
    pub(crate) fn sample_rows(&self, y: f32, items: &mut Vec<Item>) {
        let mut samples = self.samples.shown.iter();
        for (row, count) in self.samples.rows.iter().enumerate() {
            let (mut x, y) = (MARGIN, y + row as f32 * KEY_ROW);
            for (role, text) in samples.by_ref().take(*count) {
                sample(*role, [x, y], items);
                let at = [x + TEXT, y];
                let text_item =
                    Item::Text { at, size: SIZE, text: (*text).to_owned(), anchor: Anchor::Left, colour: theme::INK };
                items.push(text_item);
                x += entry_width(text);
            }
        }
    }
}

fn sample(role: Role, [x, y]: [f32; 2], items: &mut Vec<Item>) {
    let (right, top) = (x + SAMPLE[0], y - SAMPLE[1] + 1.0);
    let square = vec![[x, top], [right, top], [right, y + 1.0], [x, y + 1.0]];
    let plain = theme::ground(wayfare::area::AreaId::WALKABLE, 0.5, 0.75);
    // An edge separates two fills.
    let mut fill = |fill, pen: Option<Pen>| {
        items.push(Item::Polygon { points: square.clone(), fill, outline: None });
        let middle = x + SAMPLE[0] * 0.5;
        items.extend(pen.map(|pen| Item::Line { points: vec![[middle, top], [middle, y + 1.0]], pen }));
    };
    match role {
        Role::Solid => fill(theme::SOLID, None),
        Role::Ground(area) => fill(theme::ground(area, 0.5, 0.75), None),
        Role::InnerEdge => fill(plain, Some(theme::INNER_EDGE)),
        Role::TileEdge => fill(plain, Some(theme::TILE_EDGE)),
        Role::Wall => items.push(Item::Line { points: vec![[x, y - 4.5], [right, y - 4.5]], pen: theme::WALL }),
        _ => point(role, [x + SAMPLE[0] * 0.5, y - 4.5], items),
    }
}
