//! Projects shapes from above and makes a picture of them.
//!
//! x points right and z down the page, which is a right-handed, y-up world seen from above. Surfaces are painted from
//! the lowest to the highest, each edge right after the polygons that it belongs to, so that upper floors cover lower
//! ones together with their walls; paths are painted last, over everything.
//!
//! ```text
//!   +--------------------------------+
//!   |  title                         |
//!   |      the mesh                  |
//!   |                                |
//!   |  |----| 10 m      low ▒▓ high  |
//!   +--------------------------------+
//! ```

use crate::legend::Legend;
use crate::margins::{self, FOOTER, HEADER, KEY_ROW, MARGIN};
use crate::picture::{Anchor, Colour, Item, Pen, Picture};
use crate::samples::Samples;
use crate::{Caption, frame, hidden, overlap, theme};
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::debug::{DrawnShape, Role, ShapeKind, ShapeList};
use wayfare::math::Aabb;

/// The layer of paths and trails; the mesh is below.
const PATHS: u8 = 3;
/// The minimum width of a path.
pub(crate) const PATH_WIDTH: f32 = 3.4;

/// Draws shapes seen from above. `size` is the longer side of the drawing, in pixels, without the text around it.
///
/// Cost: sorting the shapes; for walls under other floors, the floors above them.
#[must_use]
pub fn draw_shapes(shapes: &ShapeList, caption: &Caption, size: u32) -> Picture {
    View::new(shapes, caption, size).picture()
}

/// World to page coordinates.
pub(crate) struct View<'a> {
    pub(crate) shapes: &'a ShapeList,
    pub(crate) caption: &'a Caption,
    pub(crate) bounds: Aabb,
    /// Heights of the surfaces.
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// Pixels per metre.
    pub(crate) scale: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// Parts of walls that lie under other surfaces.
    pub(crate) hidden: Vec<Vec<Vec3>>,
    /// The area types that occur.
    pub(crate) legend: Legend,
    /// What fills, edges and marks mean.
    pub(crate) samples: Samples,
    /// How many later paths lie on each path, by number.
    depths: BTreeMap<u32, u32>,
}

impl<'a> View<'a> {
    fn new(shapes: &'a ShapeList, caption: &'a Caption, size: u32) -> Self {
        let bounds = frame::of(shapes);
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
        let width = (extent.x * scale + 2.0 * MARGIN).max(420.0).max(margins::least_width(caption));
        let hidden = hidden::walls(shapes, &bounds);
        let path_rows = caption.paths.len().div_ceil(margins::key_columns(&caption.paths, width));
        let legend = Legend::of(shapes, caption, [low, high], [width, margins::BAR]);
        let samples = Samples::of(shapes, caption.samples, width);
        let remarks = usize::from(stranded(shapes) > 0) + usize::from(!hidden.is_empty());
        let rows = path_rows + remarks + samples.rows() + legend.rows();
        let height = extent.z * scale + HEADER + FOOTER + MARGIN + rows as f32 * KEY_ROW;
        let depths = BTreeMap::new();
        let view = Self { shapes, caption, bounds, low, high, scale, width, height, hidden, legend, samples, depths };
        Self { depths: view.depths(), ..view }
    }

    /// Position on the page; for a point that is outside, the nearest point that is shown.
    fn place(&self, p: Vec3) -> [f32; 2] {
        let p = p.clamp(self.bounds.min, self.bounds.max);
        let left = (self.width - (self.bounds.max.x - self.bounds.min.x) * self.scale) * 0.5;
        [left + (p.x - self.bounds.min.x) * self.scale, HEADER + (p.z - self.bounds.min.z) * self.scale]
    }

    fn picture(&self) -> Picture {
        let mut items = Vec::new();
        let order = self.painting_order();
        let (below, above) = order.split_at(order.partition_point(|(key, _)| key.0 < PATHS));
        below.iter().for_each(|(_, shape)| self.paint(shape, &mut items));
        for line in &self.hidden {
            let points = line.iter().map(|&p| self.place(p)).collect();
            items.push(Item::Line { points, pen: theme::HIDDEN });
        }
        // The rims of all paths are under all paths: where these coincide, each is visible.
        for (_, shape) in above {
            if let (Role::Path(number), ShapeKind::Line) = (shape.role, shape.kind) {
                let points = self.shapes.points(shape).iter().map(|&p| self.place(p)).collect();
                items.push(Item::Line { points, pen: Pen::solid(theme::WHITE, self.path_width(number) + 3.1) });
            }
        }
        above.iter().for_each(|(_, shape)| self.paint(shape, &mut items));
        self.title(&mut items);
        self.key(&mut items);
        self.scale_bar(&mut items);
        self.legend(&mut items);
        let (width, height) = (self.width.ceil() as u32, self.height.ceil() as u32);
        Picture { width, height, background: theme::BACKGROUND, items }
    }

    /// Sorts shapes by what covers what: tile outlines, surfaces with their edges from low to high, links, paths,
    /// points.
    fn painting_order(&self) -> Vec<((u8, f32, u8), &'a DrawnShape)> {
        let mean = |s: &DrawnShape| {
            let points = self.shapes.points(s);
            points.iter().map(|p| p.y).sum::<f32>() / points.len().max(1) as f32
        };
        // An edge is painted after the highest polygon that shares its ends; otherwise a sloping neighbour would hide
        // half of it.
        let mut over: BTreeMap<[u32; 3], f32> = BTreeMap::new();
        for shape in self.shapes.shapes().iter().filter(|s| s.kind == ShapeKind::Polygon) {
            let height = mean(shape);
            for p in self.shapes.points(shape) {
                let top = over.entry(p.to_array().map(f32::to_bits)).or_insert(height);
                *top = top.max(height);
            }
        }
        let is_level = |s: &DrawnShape| self.shapes.points(s).windows(2).all(|w| w[0].y == w[1].y);
        let edge_height = |s: &DrawnShape| {
            let tops = self.shapes.points(s).iter().map(|p| over.get(&p.to_array().map(f32::to_bits)));
            let all = tops.collect::<Option<Vec<&f32>>>();
            // Lines that run over the steps of cells, such as contours, are raised above them; floors are farther
            // apart.
            match all.map(|all| all.into_iter().copied().fold(f32::INFINITY, f32::min)) {
                Some(top) if is_level(s) => top.max(mean(s)),
                Some(top) => top.max(mean(s)) + 0.5,
                None => mean(s) + 1.0,
            }
        };
        let key = |s: &DrawnShape| match s.role {
            Role::TileOutline => (0, 0.0, 0),
            Role::Wall | Role::TileEdge => (1, edge_height(s), 2),
            Role::InnerEdge | Role::DetailEdge => (1, edge_height(s), 1),
            Role::Connection | Role::OneWayConnection => (2, 0.0, 0),
            Role::SearchTree => (2, 0.0, 1),
            Role::OpenNode | Role::ClosedNode => (2, 0.0, 2),
            Role::Cluster(level) => (2, -(level as f32), 3),
            Role::Entrance(level) => (2, level as f32, 4),
            Role::Path(_) | Role::PartialPath(_) => (PATHS, 0.0, 0),
            Role::Trail(_) => (PATHS, 0.0, u8::from(s.kind == ShapeKind::Point)),
            Role::Corner(_) => (PATHS, 0.0, 1),
            Role::Goal(_) => (PATHS + 1, 0.0, 0),
            // Smaller than a goal: if a path begins at the goal of another, both are visible.
            Role::Start(_) => (PATHS + 1, 0.0, 1),
            Role::Stranded(_) | Role::Mark => (PATHS + 1, 0.0, 2),
            _ => (1, mean(s), 0),
        };
        let mut order: Vec<_> = self.shapes.shapes().iter().map(|s| (key(s), s)).collect();
        order.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        order
    }

    fn paint(&self, shape: &DrawnShape, items: &mut Vec<Item>) {
        let world = self.shapes.points(shape);
        let points: Vec<[f32; 2]> = world.iter().map(|&p| self.place(p)).collect();
        match shape.kind {
            ShapeKind::Polygon => {
                let fill = self.fill(shape.role, world);
                // A thin outline of the same colour hides the seams that anti-aliasing leaves between neighbours.
                items.push(Item::Polygon { points, fill, outline: Some(Pen::solid(fill, 0.6)) });
            }
            ShapeKind::Line => self.line(shape.role, points, items),
            ShapeKind::Point => {
                self.point_outwards(world[0], points[0], items);
                point(shape.role, points[0], items);
            }
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
            Role::Unwalkable(reason) => theme::region(reason as u32, light),
            _ => theme::SOLID,
        }
    }

    /// 0…1 from the lowest to the highest surface; level scenes are in the middle.
    pub(crate) fn height_share(&self, y: f32) -> f64 {
        let range = self.high - self.low;
        // Ranges below 4 m use only part of the scale: a curb should not look like a cliff.
        let used = f64::from((range / 4.0).min(1.0));
        let share = f64::from((y - self.low) / range.max(1e-3)).clamp(0.0, 1.0);
        0.5 + (share - 0.5) * used
    }

    /// How many later paths lie on each path, by number.
    fn depths(&self) -> BTreeMap<u32, u32> {
        let path = |s: &DrawnShape| match (s.role, s.kind) {
            (Role::Path(number) | Role::PartialPath(number), ShapeKind::Line) => {
                Some((number, self.shapes.points(s).iter().map(|&p| self.place(p)).collect()))
            }
            _ => None,
        };
        overlap::depths(&self.shapes.shapes().iter().filter_map(path).collect::<Vec<_>>())
    }

    /// A path under later ones is wider, so that its rims are visible.
    fn path_width(&self, number: u32) -> f32 {
        const MOST: f32 = 12.0;
        let deepest = self.depths.values().max().map_or(1, |&deepest| deepest.max(1));
        let depth = self.depths.get(&number).map_or(0, |&depth| depth);
        PATH_WIDTH + depth as f32 * (MOST / deepest as f32).min(3.2)
    }

    /// At the substitute for a point outside the picture: an arrow towards that point, with its distance.
    fn point_outwards(&self, world: Vec3, at: [f32; 2], items: &mut Vec<Item>) {
        let out = (world - world.clamp(self.bounds.min, self.bounds.max)).with_y(0.0);
        let distance = out.length();
        if distance <= 0.0 || !distance.is_finite() {
            return;
        }
        let (x, z) = (out.x / distance, out.z / distance);
        let along = |far: f32, aside: f32| [at[0] + x * far - z * aside, at[1] + z * far + x * aside];
        let points = vec![along(22.0, 0.0), along(11.0, 6.0), along(11.0, -6.0)];
        items.push(Item::Polygon { points, fill: theme::GOAL, outline: None });
        let (anchor, aside) = if at[0] > self.width * 0.5 { (Anchor::Right, -14.0) } else { (Anchor::Left, 14.0) };
        let up = if at[1] > self.height * 0.5 { -12.0 } else { 20.0 };
        let text = format!("{distance:.0} m further");
        items.push(Item::Text { at: [at[0] + aside, at[1] + up], size: 13.0, text, anchor, colour: theme::INK });
    }

    fn line(&self, role: Role, points: Vec<[f32; 2]>, items: &mut Vec<Item>) {
        let pen = match role {
            Role::Wall => theme::WALL,
            Role::InnerEdge => theme::INNER_EDGE,
            Role::TileEdge => theme::TILE_EDGE,
            Role::DetailEdge => theme::DETAIL_EDGE,
            Role::TileOutline => theme::TILE_OUTLINE,
            Role::Connection | Role::OneWayConnection => {
                connection_ends(role, &points, items);
                theme::LINK
            }
            Role::SearchTree => Pen { opacity: 0.5, ..Pen::solid(theme::INK, 0.8) },
            Role::Cluster(level) => Pen { opacity: 0.8, ..Pen::solid(theme::path(level), 1.0 + 1.2 * level as f32) },
            Role::Trail(number) => Pen { opacity: 0.8, ..Pen::solid(theme::trail(number), 1.4) },
            Role::PartialPath(number) => {
                Pen { dash: 7.0, ..Pen::solid(theme::path(number), self.path_width(number) - 0.4) }
            }
            Role::Path(number) => Pen::solid(theme::path(number), self.path_width(number)),
            _ => Pen::solid(theme::INK, 1.0),
        };
        items.push(Item::Line { points, pen });
    }
}

/// How many agents are marked that did not reach their goals.
pub(crate) fn stranded(shapes: &ShapeList) -> usize {
    shapes.shapes().iter().filter(|s| matches!(s.role, Role::Stranded(_))).count()
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

/// A dot at the start of a connection, and another at its end, or an arrow head if it is one-way.
fn connection_ends(role: Role, points: &[[f32; 2]], items: &mut Vec<Item>) {
    let (&[first, ..], &[.., last]) = (points, points) else { return };
    let fill = theme::LINK.colour;
    let mut dot = |center| items.push(Item::Circle { center, radius: 2.6, fill, outline: None });
    dot(first);
    let [x, y] = [last[0] - first[0], last[1] - first[1]];
    let length = (x * x + y * y).sqrt();
    if role == Role::Connection || length < 1.0 {
        dot(last);
        return;
    }
    let (back, aside) = ([x / length * -9.0, y / length * -9.0], [-y / length * 4.0, x / length * 4.0]);
    let barb = |side: f32| [last[0] + back[0] + side * aside[0], last[1] + back[1] + side * aside[1]];
    items.push(Item::Polygon { points: vec![last, barb(1.0), barb(-1.0)], fill, outline: None });
}

pub(crate) fn point(role: Role, at: [f32; 2], items: &mut Vec<Item>) {
    if let Role::Stranded(_) = role {
        return cross(at, items);
    }
    let white = Some(Pen::solid(theme::WHITE, 2.0));
    let mut circle = |radius, fill, outline| items.push(Item::Circle { center: at, radius, fill, outline });
    match role {
        Role::Corner(number) => circle(2.6, theme::WHITE, Some(Pen::solid(theme::path(number), 1.6))),
        Role::Trail(number) => circle(3.2, theme::trail(number), Some(Pen::solid(theme::WHITE, 1.0))),
        Role::ClosedNode => circle(2.2, theme::INK, None),
        Role::OpenNode => circle(2.2, theme::WHITE, Some(Pen::solid(theme::INK, 1.0))),
        Role::Entrance(level) => {
            circle(3.0 + level.min(4) as f32, theme::path(level), Some(Pen::solid(theme::WHITE, 1.2)));
        }
        Role::Start(_) => circle(5.0, theme::START, Some(Pen::solid(theme::WHITE, 1.4))),
        Role::Goal(_) => {
            circle(8.5, theme::GOAL, white);
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
