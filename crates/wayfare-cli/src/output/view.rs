//! Looks at shapes from above and makes a picture of them.
//!
//! x points right and z down the page, as one sees a right-handed, y-up world from above. Ground is painted from the
//! lowest to the highest, each edge right after the polygons that it belongs to, so that upper floors cover lower ones
//! together with their walls; paths are painted last, over everything.
//!
//! ```text
//!   +--------------------------------+
//!   |  title                         |
//!   |      the mesh                  |
//!   |                                |
//!   |  |----| 10 m      low ▒▓ high  |
//!   +--------------------------------+
//! ```

use super::atomic_file;
use super::kind::Kind;
use super::picture::{Anchor, Colour, Item, Pen, Picture};
use super::{png, svg, theme};
use crate::failure::{Failure, Result};
use std::collections::BTreeMap;
use std::path::Path;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::debug::{Role, Shape, ShapeKind, ShapeList};
use wayfare::math::Aabb;

const MARGIN: f32 = 36.0;
const FOOTER: f32 = 64.0;
const HEADER: f32 = 46.0;
/// The key of the paths, between picture and scale bar.
const KEY_ROW: f32 = 22.0;
const KEY_COLUMNS: usize = 3;
/// Where the text of a key begins, after its line, and how large it is.
const KEY_TEXT: f32 = 31.0;
const KEY_SIZE: f32 = 13.0;

/// What is written around a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caption {
    /// Above the picture.
    pub(crate) title: String,
    /// What the paths are, by number, for the key below the picture.
    pub(crate) paths: Vec<String>,
    /// Names of area types, for the legend.
    pub(crate) area_names: BTreeMap<u8, String>,
}

/// Draws shapes to a file, in the format that its ending names. `size` is the longer side of the drawing in pixels.
pub(crate) fn draw_picture(shapes: &ShapeList, caption: &Caption, size: u32, target: &Path) -> Result<()> {
    write(&View::new(shapes, caption, size).picture(), target)
}

/// Writes a picture in the format that its name says.
pub(super) fn write(picture: &Picture, target: &Path) -> Result<()> {
    let kind = Kind::of_picture(target)?;
    kind.check_replaced(target)?;
    let bytes = match kind {
        Kind::Png => png::encode(picture).map_err(|e| Failure::about(target.display(), e))?,
        _ => svg::encode(picture),
    };
    atomic_file::write(target, &bytes)
}

/// World to page.
struct View<'a> {
    shapes: &'a ShapeList,
    caption: &'a Caption,
    bounds: Aabb,
    /// Heights of the ground.
    low: f32,
    high: f32,
    /// Pixels a metre.
    scale: f32,
    width: f32,
    height: f32,
}

impl<'a> View<'a> {
    fn new(shapes: &'a ShapeList, caption: &'a Caption, size: u32) -> Self {
        let mut bounds = shapes.bounds();
        if bounds.is_empty() {
            bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        }
        let extent = bounds.size();
        let longest = extent.x.max(extent.z).max(1e-3);
        let scale = size as f32 / longest;
        let ground = Aabb::around(
            shapes
                .shapes()
                .iter()
                .filter(|s| s.kind == ShapeKind::Polygon)
                .flat_map(|s| shapes.points(s).iter().copied()),
        );
        let (low, high) = if ground.is_empty() { (bounds.min.y, bounds.max.y) } else { (ground.min.y, ground.max.y) };
        let width = (extent.x * scale + 2.0 * MARGIN).max(420.0);
        let path_rows = caption.paths.len().div_ceil(key_columns(&caption.paths, width));
        let key = (path_rows + usize::from(stranded(shapes) > 0)) as f32 * KEY_ROW;
        let height = extent.z * scale + HEADER + FOOTER + MARGIN + key;
        Self { shapes, caption, bounds, low, high, scale, width, height }
    }

    fn place(&self, p: Vec3) -> [f32; 2] {
        let left = (self.width - (self.bounds.max.x - self.bounds.min.x) * self.scale) * 0.5;
        [left + (p.x - self.bounds.min.x) * self.scale, HEADER + (p.z - self.bounds.min.z) * self.scale]
    }

    fn picture(&self) -> Picture {
        let mut items = Vec::new();
        for (_, shape) in self.painting_order() {
            self.paint(shape, &mut items);
        }
        self.title(&mut items);
        self.key(&mut items);
        self.scale_bar(&mut items);
        self.legend(&mut items);
        let (width, height) = (self.width.ceil() as u32, self.height.ceil() as u32);
        Picture { width, height, background: theme::BACKGROUND, items }
    }

    /// Shapes by what covers what: tile outlines, ground with its edges from low to high, links, paths, points.
    fn painting_order(&self) -> Vec<((u8, f32, u8), &'a Shape)> {
        let mean = |s: &Shape| {
            let points = self.shapes.points(s);
            points.iter().map(|p| p.y).sum::<f32>() / points.len().max(1) as f32
        };
        // An edge is painted after the highest polygon that shares its ends, or a sloping neighbour would hide half of
        // it.
        let mut over: BTreeMap<[u32; 3], f32> = BTreeMap::new();
        for shape in self.shapes.shapes().iter().filter(|s| s.kind == ShapeKind::Polygon) {
            let height = mean(shape);
            for p in self.shapes.points(shape) {
                let top = over.entry(p.to_array().map(f32::to_bits)).or_insert(height);
                *top = top.max(height);
            }
        }
        let is_level = |s: &Shape| self.shapes.points(s).windows(2).all(|w| w[0].y == w[1].y);
        let edge_height = |s: &Shape| {
            let tops = self.shapes.points(s).iter().map(|p| over.get(&p.to_array().map(f32::to_bits)));
            let all = tops.collect::<Option<Vec<&f32>>>();
            // Lines that run over the steps of cells, such as contours, are lifted above them; floors are farther
            // apart.
            match all.map(|all| all.into_iter().copied().fold(f32::INFINITY, f32::min)) {
                Some(top) if is_level(s) => top.max(mean(s)),
                Some(top) => top.max(mean(s)) + 0.5,
                None => mean(s) + 1.0,
            }
        };
        let key = |s: &Shape| match s.role {
            Role::TileOutline => (0, 0.0, 0),
            Role::Wall | Role::TileEdge => (1, edge_height(s), 2),
            Role::InnerEdge | Role::DetailEdge => (1, edge_height(s), 1),
            Role::Link | Role::OneWayLink => (2, 0.0, 0),
            Role::Path(_) | Role::PartialPath(_) => (3, 0.0, 0),
            Role::Trail(_) => (3, 0.0, u8::from(s.kind == ShapeKind::Point)),
            Role::Corner(_) => (3, 0.0, 1),
            Role::Start(_) | Role::Goal(_) | Role::Stranded(_) | Role::Mark => (4, 0.0, 0),
            _ => (1, mean(s), 0),
        };
        let mut order: Vec<_> = self.shapes.shapes().iter().map(|s| (key(s), s)).collect();
        order.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        order
    }

    fn paint(&self, shape: &Shape, items: &mut Vec<Item>) {
        let world = self.shapes.points(shape);
        let points: Vec<[f32; 2]> = world.iter().map(|&p| self.place(p)).collect();
        match shape.kind {
            ShapeKind::Polygon => {
                let fill = self.fill(shape.role, world);
                // A hair of its own colour hides the seams that anti-aliasing leaves between neighbours.
                items.push(Item::Polygon { points, fill, outline: Some(Pen::solid(fill, 0.6)) });
            }
            ShapeKind::Line => self.line(shape.role, points, items),
            ShapeKind::Point => point(shape.role, points[0], items),
            ShapeKind::Label(number) => {
                let text = self.shapes.labels()[number as usize].clone();
                let at = [points[0][0] + 9.0, points[0][1] - 7.0];
                items.push(Item::Text { at, size: 13.0, text, anchor: Anchor::Left, colour: theme::INK });
            }
        }
    }

    fn fill(&self, role: Role, world: &[Vec3]) -> Colour {
        let mean = world.iter().map(|p| p.y).sum::<f32>() / world.len().max(1) as f32;
        let height = self.height_share(mean);
        let light = f64::from(lit(world));
        match role {
            Role::Ground(area) => theme::ground(area, height, light),
            Role::Region(id) => theme::region(id, light),
            Role::Value(value) => theme::value(f64::from(value)),
            _ => theme::SOLID,
        }
    }

    /// 0…1 from the lowest to the highest ground; flat levels lie in the middle.
    fn height_share(&self, y: f32) -> f64 {
        let range = self.high - self.low;
        // Ranges below 4 m use only part of the scale: a curb should not look like a cliff.
        let used = f64::from((range / 4.0).min(1.0));
        let share = f64::from((y - self.low) / range.max(1e-3)).clamp(0.0, 1.0);
        0.5 + (share - 0.5) * used
    }

    fn line(&self, role: Role, points: Vec<[f32; 2]>, items: &mut Vec<Item>) {
        let pen = match role {
            Role::Wall => theme::WALL,
            Role::InnerEdge => theme::INNER_EDGE,
            Role::TileEdge => theme::TILE_EDGE,
            Role::DetailEdge => theme::DETAIL_EDGE,
            Role::TileOutline => theme::TILE_OUTLINE,
            Role::Link | Role::OneWayLink => {
                connection_ends(role, &points, items);
                theme::LINK
            }
            Role::Trail(number) => Pen { opacity: 0.8, ..Pen::solid(theme::trail(number), 1.4) },
            Role::PartialPath(number) => Pen { dash: 7.0, ..Pen::solid(theme::path(number), 3.0) },
            Role::Path(number) => {
                items.push(Item::Line { points: points.clone(), pen: Pen::solid(theme::WHITE, 6.5) });
                Pen::solid(theme::path(number), 3.4)
            }
            _ => Pen::solid(theme::INK, 1.0),
        };
        items.push(Item::Line { points, pen });
    }

    fn title(&self, items: &mut Vec<Item>) {
        let (at, text) = ([MARGIN, 29.0], self.caption.title.clone());
        items.push(Item::Text { at, size: 17.0, text, anchor: Anchor::Left, colour: theme::INK });
    }

    /// What the paths are, and the ends of trails if some of them are not goals.
    fn key(&self, items: &mut Vec<Item>) {
        let columns = key_columns(&self.caption.paths, self.width);
        let column = (self.width - 2.0 * MARGIN) / columns as f32;
        let top = HEADER + (self.bounds.max.z - self.bounds.min.z) * self.scale + 30.0;
        for (i, text) in self.caption.paths.iter().enumerate() {
            let (x, y) = (MARGIN + (i % columns) as f32 * column, top + (i / columns) as f32 * KEY_ROW);
            let points = vec![[x, y - 4.5], [x + 22.0, y - 4.5]];
            items.push(Item::Line { points, pen: Pen::solid(theme::path(i as u32), 3.4) });
            let at = [x + KEY_TEXT, y];
            items.push(Item::Text { at, size: KEY_SIZE, text: text.clone(), anchor: Anchor::Left, colour: theme::INK });
        }
        let count = stranded(self.shapes);
        if count == 0 {
            return;
        }
        let y = top + self.caption.paths.len().div_ceil(columns) as f32 * KEY_ROW;
        point(Role::Stranded(0), [MARGIN + 11.0, y - 4.5], items);
        let (at, text) = ([MARGIN + KEY_TEXT, y], format!("not at the goal: {count}"));
        items.push(Item::Text { at, size: KEY_SIZE, text, anchor: Anchor::Left, colour: theme::INK });
    }

    /// A bar of 1, 2 or 5 × 10ⁿ metres, 70 to 180 pixels long.
    fn scale_bar(&self, items: &mut Vec<Item>) {
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
    fn legend(&self, items: &mut Vec<Item>) {
        let areas = self.areas();
        // Plain ground, where there is any: it has the greatest number.
        let Some(&shown) = areas.last() else { return };
        let (right, y) = (self.width - MARGIN, self.height - 44.0);
        const STEPS: u16 = 24;
        const STEP: f32 = 5.0;
        let left = right - f32::from(STEPS) * STEP;
        for i in 0..STEPS {
            let share = f64::from(i) / f64::from(STEPS - 1);
            let y_here = self.low + (self.high - self.low) * share as f32;
            let fill = theme::ground(shown, self.height_share(y_here), 0.75);
            let (x0, x1) = (left + f32::from(i) * STEP, left + f32::from(i + 1) * STEP);
            let points = vec![[x0, y], [x1, y], [x1, y + 10.0], [x0, y + 10.0]];
            items.push(Item::Polygon { points, fill, outline: Some(Pen::solid(fill, 0.5)) });
        }
        let mut text = |x: f32, y: f32, text: String, anchor| {
            items.push(Item::Text { at: [x, y], size: 12.0, text, anchor, colour: theme::INK });
        };
        text(left, y + 27.0, format!("{:.1} m", self.low), Anchor::Left);
        text(right, y + 27.0, format!("{:.1} m", self.high), Anchor::Right);
        if areas.len() < 2 {
            return;
        }
        let mut x = left - 24.0;
        for &area in areas.iter().rev() {
            let name = self.caption.area_names.get(&area.get()).cloned().unwrap_or_else(|| area_name(area));
            x -= super::font::width(&name, 12.0) + 34.0;
            if x < self.width * 0.35 {
                break;
            }
            let points = vec![[x, y], [x + 14.0, y], [x + 14.0, y + 10.0], [x, y + 10.0]];
            items.push(Item::Polygon { points, fill: theme::ground(area, 0.5, 0.75), outline: None });
            let at = [x + 19.0, y + 10.0];
            items.push(Item::Text { at, size: 12.0, text: name, anchor: Anchor::Left, colour: theme::INK });
        }
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

/// How many agents are marked that have not come to their goals.
fn stranded(shapes: &ShapeList) -> usize {
    shapes.shapes().iter().filter(|s| matches!(s.role, Role::Stranded(_))).count()
}

/// How many keys stand side by side in a picture of a width without running into one another.
fn key_columns(paths: &[String], width: f32) -> usize {
    let widest = paths.iter().map(|text| super::font::width(text, KEY_SIZE)).fold(0.0, f32::max);
    let column = KEY_TEXT + widest + 16.0;
    (((width - 2.0 * MARGIN + 16.0) / column) as usize).clamp(1, KEY_COLUMNS)
}

fn area_name(area: AreaId) -> String {
    if area == AreaId::WALKABLE { "ground".into() } else { format!("area {area}") }
}

/// How much light falls on a polygon, 0…1: from the upper left of the page, half way up the sky.
fn lit(world: &[Vec3]) -> f32 {
    let light = Vec3::new(-0.48, 0.74, -0.48);
    let normal = match world {
        [a, rest @ ..] => rest.windows(2).map(|e| (e[0] - *a).cross(e[1] - *a)).sum::<Vec3>(),
        [] => Vec3::Y,
    };
    normal.try_normalize().map_or(light.y, |n| n.dot(light).max(0.0))
}

/// A dot where a connection begins, and where it ends another, or an arrow head if it does not lead back.
fn connection_ends(role: Role, points: &[[f32; 2]], items: &mut Vec<Item>) {
    let (&[first, ..], &[.., last]) = (points, points) else { return };
    let fill = theme::LINK.colour;
    let mut dot = |center| items.push(Item::Circle { center, radius: 2.6, fill, outline: None });
    dot(first);
    let [x, y] = [last[0] - first[0], last[1] - first[1]];
    let length = (x * x + y * y).sqrt();
    if role == Role::Link || length < 1.0 {
        dot(last);
        return;
    }
    let (back, aside) = ([x / length * -9.0, y / length * -9.0], [-y / length * 4.0, x / length * 4.0]);
    let barb = |side: f32| [last[0] + back[0] + side * aside[0], last[1] + back[1] + side * aside[1]];
    items.push(Item::Polygon { points: vec![last, barb(1.0), barb(-1.0)], fill, outline: None });
}

fn point(role: Role, at: [f32; 2], items: &mut Vec<Item>) {
    if let Role::Stranded(_) = role {
        return cross(at, items);
    }
    let white = Some(Pen::solid(theme::WHITE, 2.0));
    let mut circle = |radius, fill, outline| items.push(Item::Circle { center: at, radius, fill, outline });
    match role {
        Role::Corner(number) => circle(2.6, theme::WHITE, Some(Pen::solid(theme::path(number), 1.6))),
        Role::Trail(number) => circle(3.2, theme::trail(number), Some(Pen::solid(theme::WHITE, 1.0))),
        Role::Start(_) => circle(7.0, theme::START, white),
        Role::Goal(_) => {
            circle(8.0, theme::GOAL, white);
            circle(3.0, theme::WHITE, None);
        }
        _ => circle(5.0, theme::INK, white),
    }
}

/// A red cross, edged in white.
fn cross([x, y]: [f32; 2], items: &mut Vec<Item>) {
    const ARM: f32 = 5.5;
    for pen in [Pen::solid(theme::WHITE, 5.5), Pen::solid(theme::GOAL, 2.6)] {
        for side in [ARM, -ARM] {
            items.push(Item::Line { points: vec![[x - side, y - ARM], [x + side, y + ARM]], pen });
        }
    }
}
