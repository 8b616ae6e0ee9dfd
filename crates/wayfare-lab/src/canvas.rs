//! What prototypes draw on: a flat list of simple shapes in the world, coloured by what they mean.
//!
//! A canvas knows no colours, no camera and no light: an [`Ink`] says what a shape represents, and the
//! [palette](crate::palette) makes that a colour, light or dark. Widths of lines and dots are in pixels, everything
//! else in metres. Shapes of the same kind lie side by side in memory, ready for a graphics card.
//!
//! ```text
//!   debug::draw_… ─► DebugSink ─┐
//!   prototypes ─► line, disc, … ┴► Canvas ─► lines │ fills │ discs │ dots │ labels │ images ─► app, picture, digest
//! ```
//!
//! Cost: one push for each shape.
//!
//! Sources: Recast's `duDebugDraw` (Mikko Mononen, 2009); the library's `debug`.

use crate::prototype::Digest;
use wayfare::area::AreaId;
use wayfare::debug::{DebugSink, Role};
use wayfare::math::{Aabb, ops};
use wayfare::{Vec2, Vec3};

/// What a shape represents; the palette knows its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// A surface of an area type.
    Ground(AreaId),
    /// One of many surfaces; consecutive numbers look different.
    Region(u32),
    /// A value, 0…1, on a scale of colours from dark blue to pale yellow.
    Value(f32),
    /// Something solid.
    Solid,
    /// An edge with nothing walkable beyond it.
    Wall,
    /// An edge between two polygons.
    InnerEdge,
    /// An edge between two tiles.
    TileEdge,
    /// The outline of a tile or cell.
    Outline,
    /// An off-mesh connection.
    Connection,
    /// One of several paths, or any other of a few things to be told apart.
    Path(u32),
    /// One of many agents or their trails; consecutive numbers look different.
    Agent(u32),
    /// A start.
    Start,
    /// A goal.
    Goal,
    /// A node of a search that is still open.
    Open,
    /// A node of a search that was expanded.
    Closed,
    /// From a node to its parent.
    Tree,
    /// What is looked at in this step.
    Current,
    /// The left of two sides.
    Left,
    /// The right of two sides.
    Right,
    /// Allowed, free, better.
    Allowed,
    /// Forbidden, blocked, worse.
    Forbidden,
    /// What is wanted: a desired velocity.
    Wish,
    /// What came out: a chosen velocity.
    Chosen,
    /// Helper lines, axes.
    Faint,
    /// Text and strong outlines.
    Text,
    /// Needs attention.
    Warning,
}

impl From<Role> for Ink {
    fn from(role: Role) -> Self {
        match role {
            Role::Ground(area) => Self::Ground(area),
            Role::Region(number) => Self::Region(number),
            Role::Value(value) => Self::Value(value),
            Role::Solid => Self::Solid,
            Role::Unwalkable(reason) => Self::Region(reason as u32),
            Role::Wall => Self::Wall,
            Role::InnerEdge | Role::DetailEdge => Self::InnerEdge,
            Role::TileEdge => Self::TileEdge,
            Role::TileOutline | Role::Cluster(_) => Self::Outline,
            Role::Connection | Role::OneWayConnection => Self::Connection,
            Role::Path(number) | Role::PartialPath(number) | Role::Corner(number) | Role::Entrance(number) => {
                Self::Path(number)
            }
            Role::Start(_) => Self::Start,
            Role::Goal(_) => Self::Goal,
            Role::Trail(number) => Self::Agent(number),
            Role::SearchTree => Self::Tree,
            Role::OpenNode => Self::Open,
            Role::ClosedNode => Self::Closed,
            _ => Self::Warning,
        }
    }
}

/// How a line looks: `Pen::of(Ink::Wall)`, `Pen::of(Ink::Tree).width(2.0).dashed()`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// What it represents.
    pub ink: Ink,
    /// Width, pixels.
    pub width: f32,
    /// 0 cannot be seen, 1 is opaque.
    pub alpha: f32,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Whether an arrowhead stands at its last point.
    pub arrow: bool,
}

impl Pen {
    /// A solid line, 1.5 pixels wide.
    #[must_use]
    pub fn of(ink: Ink) -> Self {
        Self { ink, width: 1.5, alpha: 1.0, dashed: false, arrow: false }
    }

    /// So many pixels wide.
    #[must_use]
    pub fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    /// Translucent.
    #[must_use]
    pub fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    /// Dashed.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    /// With an arrowhead at its last point.
    #[must_use]
    pub fn arrow(self) -> Self {
        Self { arrow: true, ..self }
    }
}

impl From<Ink> for Pen {
    fn from(ink: Ink) -> Self {
        Self::of(ink)
    }
}

/// A line through points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// How it looks.
    pub pen: Pen,
    /// Its first point in [`Canvas::points`], and how many it has.
    pub first: u32,
    /// How many points it has: two or more.
    pub count: u32,
}

/// Triangles of one look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// What they represent.
    pub ink: Ink,
    /// 0 cannot be seen, 1 is opaque.
    pub alpha: f32,
    /// Their first corner in [`Canvas::corners`].
    pub first: u32,
    /// How many corners they have: three for each triangle.
    pub count: u32,
}

/// A disc on the ground, or an agent's body over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its center, on the ground, metres.
    pub at: Vec3,
    /// Radius, metres.
    pub radius: f32,
    /// Height of the body, metres; 0 for a flat disc.
    pub height: f32,
    /// Where it looks, a direction on the plane; zero if nowhere.
    pub heading: Vec2,
    /// What it represents.
    pub ink: Ink,
    /// 0 cannot be seen, 1 is opaque.
    pub alpha: f32,
}

/// A dot of the same size from any distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Where, metres.
    pub at: Vec3,
    /// Diameter, pixels.
    pub size: f32,
    /// What it represents.
    pub ink: Ink,
}

/// Text at a place; it always faces the eye.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where the middle of its lower edge is, metres.
    pub at: Vec3,
    /// The text, one line.
    pub text: String,
    /// What it represents.
    pub ink: Ink,
}

/// A picture of values in the world, such as the penalties of velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The world's place of its first pixel's outer corner, then those of the last pixel of the first row, of the last
    /// pixel, and of the first pixel of the last row.
    pub quad: [Vec3; 4],
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Values row by row, 0…1, as [`Ink::Value`]; NaN is transparent.
    pub values: Vec<f32>,
}

/// The shapes of one drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Canvas {
    /// Points of all lines.
    pub points: Vec<Vec3>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Corners of all triangles.
    pub corners: Vec<Vec3>,
    /// Triangles.
    pub fills: Vec<Fill>,
    /// Discs and bodies.
    pub discs: Vec<Disc>,
    /// Dots.
    pub dots: Vec<Dot>,
    /// Texts.
    pub labels: Vec<Label>,
    /// Pictures.
    pub images: Vec<Image>,
}

impl Canvas {
    /// An empty canvas.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all shapes and keeps the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.lines.clear();
        self.corners.clear();
        self.fills.clear();
        self.discs.clear();
        self.dots.clear();
        self.labels.clear();
        self.images.clear();
    }

    /// A line through two or more points; nothing for fewer.
    pub fn path(&mut self, points: &[Vec3], pen: impl Into<Pen>) {
        if points.len() < 2 {
            return;
        }
        let first = self.points.len() as u32;
        self.points.extend_from_slice(points);
        self.lines.push(Line { pen: pen.into(), first, count: points.len() as u32 });
    }

    /// A line from one point to another.
    pub fn line(&mut self, from: Vec3, to: Vec3, pen: impl Into<Pen>) {
        self.path(&[from, to], pen);
    }

    /// An arrow from a point along a vector; nothing if the vector is next to zero.
    pub fn arrow(&mut self, from: Vec3, along: Vec3, ink: Ink) {
        if along.length_squared() > 1e-6 {
            self.path(&[from, from + along], Pen::of(ink).width(2.5).arrow());
        }
    }

    /// The outline of a polygon.
    pub fn outline(&mut self, corners: &[Vec3], pen: impl Into<Pen>) {
        if let [first, .., _] = corners {
            let closed: Vec<Vec3> = corners.iter().copied().chain([*first]).collect();
            self.path(&closed, pen);
        }
    }

    /// A circle on the ground.
    pub fn circle(&mut self, center: Vec3, radius: f32, pen: impl Into<Pen>) {
        const SIDES: u16 = 48;
        let corner = |i: u16| {
            let angle = core::f32::consts::TAU * f32::from(i % SIDES) / f32::from(SIDES);
            center + Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * radius
        };
        let points: Vec<Vec3> = (0..=SIDES).map(corner).collect();
        self.path(&points, pen);
    }

    /// A filled convex polygon.
    pub fn fill(&mut self, corners: &[Vec3], ink: Ink, alpha: f32) {
        let Some((&apex, rest)) = corners.split_first() else { return };
        let first = self.corners.len() as u32;
        for edge in rest.windows(2) {
            self.corners.extend([apex, edge[0], edge[1]]);
        }
        let count = self.corners.len() as u32 - first;
        self.push_fill(Fill { ink, alpha, first, count });
    }

    /// Triangles, three corners each; a rest of fewer is left out.
    pub fn triangles(&mut self, corners: &[Vec3], ink: Ink, alpha: f32) {
        let first = self.corners.len() as u32;
        let count = corners.len() / 3 * 3;
        self.corners.extend_from_slice(&corners[..count]);
        self.push_fill(Fill { ink, alpha, first, count: count as u32 });
    }

    /// An upright box between two corners.
    pub fn cuboid(&mut self, min: Vec3, max: Vec3, ink: Ink, alpha: f32) {
        let corner = |x: bool, y: bool, z: bool| {
            Vec3::new(if x { max.x } else { min.x }, if y { max.y } else { min.y }, if z { max.z } else { min.z })
        };
        let ring =
            |y: bool| [corner(false, y, false), corner(false, y, true), corner(true, y, true), corner(true, y, false)];
        let (low, high) = (ring(false), ring(true));
        self.fill(&high, ink, alpha);
        for i in 0..4 {
            let next = (i + 1) % 4;
            self.fill(&[low[i], low[next], high[next], high[i]], ink, alpha);
        }
    }

    /// A flat disc on the ground.
    pub fn disc(&mut self, at: Vec3, radius: f32, ink: Ink) {
        self.discs.push(Disc { at, radius, height: 0.0, heading: Vec2::ZERO, ink, alpha: 1.0 });
    }

    /// An agent: a body of this radius and height that looks where it is going.
    pub fn agent(&mut self, at: Vec3, (radius, height): (f32, f32), velocity: Vec3, ink: Ink) {
        let heading = Vec2::new(velocity.x, velocity.z).normalize_or_zero();
        self.discs.push(Disc { at, radius, height, heading, ink, alpha: 1.0 });
    }

    /// A dot.
    pub fn dot(&mut self, at: Vec3, size: f32, ink: Ink) {
        self.dots.push(Dot { at, size, ink });
    }

    /// A text.
    pub fn label(&mut self, at: Vec3, text: impl Into<String>, ink: Ink) {
        self.labels.push(Label { at, text: text.into(), ink });
    }

    /// The points of one of its lines.
    #[must_use]
    pub fn points_of(&self, line: &Line) -> &[Vec3] {
        &self.points[line.first as usize..(line.first + line.count) as usize]
    }

    /// The corners of one of its fills.
    #[must_use]
    pub fn corners_of(&self, fill: &Fill) -> &[Vec3] {
        &self.corners[fill.first as usize..(fill.first + fill.count) as usize]
    }

    /// The box around everything; empty if there is nothing.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let discs = self.discs.iter().flat_map(|disc| {
            let reach = Vec3::new(disc.radius, 0.0, disc.radius);
            [disc.at - reach, disc.at + reach + Vec3::Y * disc.height]
        });
        let images = self.images.iter().flat_map(|image| image.quad);
        let dots = self.dots.iter().map(|dot| dot.at);
        let labels = self.labels.iter().map(|label| label.at);
        let all = self.points.iter().chain(&self.corners).copied().chain(discs).chain(images).chain(dots).chain(labels);
        Aabb::around(all.filter(|point| point.is_finite()))
    }

    /// Adds all that is drawn to a digest.
    pub fn digest(&self, digest: &mut Digest) {
        let counts = [self.points.len(), self.corners.len(), self.discs.len(), self.dots.len(), self.labels.len()];
        counts.into_iter().for_each(|count| digest.number(count as u64));
        self.points.iter().chain(&self.corners).for_each(|&point| digest.point(point));
        for disc in &self.discs {
            digest.point(disc.at);
            digest.point(Vec3::new(disc.radius, disc.heading.x, disc.heading.y));
        }
        self.dots.iter().for_each(|dot| digest.point(dot.at));
        for label in &self.labels {
            digest.point(label.at);
            digest.bytes(label.text.as_bytes());
        }
        self.images.iter().flat_map(|image| &image.values).for_each(|&value| digest.float(value));
    }

    fn push_fill(&mut self, fill: Fill) {
        if fill.count == 0 {
            return;
        }
        // Shapes of one look that follow each other become one.
        match self.fills.last_mut() {
            Some(last) if last.ink == fill.ink && last.alpha == fill.alpha => last.count += fill.count,
            _ => self.fills.push(fill),
        }
    }
}

/// The library's debug drawings, in their usual looks.
impl DebugSink for Canvas {
    fn polygon(&mut self, corners: &[Vec3], role: Role) {
        let alpha = if role == Role::Solid { 0.5 } else { 1.0 };
        self.fill(corners, role.into(), alpha);
    }

    fn line(&mut self, points: &[Vec3], role: Role) {
        let pen = Pen::of(role.into());
        let pen = match role {
            Role::Path(_) => pen.width(3.0),
            Role::PartialPath(_) => pen.width(3.0).dashed(),
            Role::Wall | Role::Connection => pen.width(2.0),
            Role::OneWayConnection => pen.width(2.0).arrow(),
            Role::SearchTree => pen.width(1.5),
            Role::InnerEdge => pen.width(1.0),
            Role::DetailEdge => pen.width(0.5),
            Role::TileOutline => pen.width(1.0).dashed(),
            _ => pen,
        };
        self.path(points, pen);
    }

    fn point(&mut self, at: Vec3, role: Role) {
        let size = match role {
            Role::Start(_) | Role::Goal(_) => 12.0,
            Role::OpenNode | Role::ClosedNode => 7.0,
            Role::Entrance(_) => 5.0,
            _ => 8.0,
        };
        self.dot(at, size, role.into());
    }

    fn label(&mut self, at: Vec3, text: &str, role: Role) {
        self.label(at, text, role.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_one_look_are_drawn_at_once() {
        let mut canvas = Canvas::new();
        let square = [Vec3::ZERO, Vec3::Z, Vec3::ONE, Vec3::X];
        canvas.fill(&square, Ink::Solid, 1.0);
        canvas.fill(&square, Ink::Solid, 1.0);
        canvas.fill(&square, Ink::Allowed, 1.0);
        assert_eq!(canvas.fills.iter().map(|fill| fill.count).collect::<Vec<_>>(), [12, 6]);
        assert_eq!(canvas.corners_of(&canvas.fills[1])[..3], [Vec3::ZERO, Vec3::Z, Vec3::ONE]);
        canvas.path(&[Vec3::ZERO], Ink::Wall);
        assert!(canvas.lines.is_empty());
        assert_eq!(canvas.bounds(), Aabb { min: Vec3::ZERO, max: Vec3::ONE });
    }

    #[test]
    fn what_is_drawn_is_in_the_digest() {
        let of = |draw: fn(&mut Canvas)| {
            let mut canvas = Canvas::new();
            draw(&mut canvas);
            let mut digest = Digest::default();
            canvas.digest(&mut digest);
            digest.finish()
        };
        let drawings: [fn(&mut Canvas); 4] = [
            |_| {},
            |canvas| canvas.line(Vec3::ZERO, Vec3::X, Ink::Wall),
            |canvas| canvas.label(Vec3::ZERO, "a", Ink::Text),
            |canvas| canvas.disc(Vec3::ZERO, 1.0, Ink::Goal),
        ];
        for (i, &one) in drawings.iter().enumerate() {
            assert_eq!(of(one), of(one));
            assert!(drawings[..i].iter().all(|&other| of(other) != of(one)));
        }
    }
}
