//! A canvas as a picture, for tests and documents: seen from above at a slant, without a graphics card.
//!
//! Parallel projection from the south: x to the right, z down the page and shortened, y up. Surfaces are painted from
//! the back to the front, then lines, bodies, dots and texts over them.
//!
//! Cost: a sort of the triangles.

use crate::canvas::{Canvas, Disc, Ink};
use crate::palette::{self, Rgb, Theme};
use crate::prototype::Figure;
use wayfare::area::AreaId;
use wayfare::math::{Aabb, ops};
use wayfare::{Vec2, Vec3};
use wayfare_draw::{Anchor, Colour, Item, Pen, Picture};

/// How a picture is taken.
#[derive(Clone, Debug)]
pub struct Shot<'a> {
    /// Above the picture.
    pub title: &'a str,
    /// Beside it.
    pub figures: &'a [Figure],
    /// Pixels.
    pub size: [u32; 2],
    /// Light or dark.
    pub theme: Theme,
    /// How high the eye stands: an angle over the horizon, radians; π/2 looks straight down.
    pub slant: f32,
}

/// The height of the title's line, pixels.
const TITLE: f32 = 40.0;
/// Room at all sides, pixels.
const MARGIN: f32 = 24.0;
/// The width of the column with figures, pixels.
const COLUMN: f32 = 210.0;

/// Takes a picture of a canvas.
#[must_use]
pub fn take(canvas: &Canvas, shot: &Shot<'_>) -> Picture {
    let eye = Eye::on(canvas, shot);
    let mut items = Vec::new();
    surfaces(canvas, &eye, &mut items);
    lines(canvas, &eye, &mut items);
    bodies(canvas, &eye, &mut items);
    for dot in &canvas.dots {
        let fill = eye.colour(dot.ink, 1.0);
        items.push(Item::Circle { center: eye.see(dot.at), radius: dot.size * 0.5, fill, outline: Some(eye.rim()) });
    }
    for label in &canvas.labels {
        let [x, y] = eye.see(label.at);
        items.push(text([x, y - 3.0], 13.0, &label.text, Anchor::Middle, eye.colour(label.ink, 1.0)));
    }
    legend(shot, &eye, &mut items);
    let background = colour(palette::background(shot.theme));
    Picture { width: shot.size[0], height: shot.size[1], background, items }
}

struct Eye {
    sin: f32,
    cos: f32,
    scale: f32,
    offset: [f32; 2],
    theme: Theme,
}

impl Eye {
    fn on(canvas: &Canvas, shot: &Shot<'_>) -> Self {
        let bounds = canvas.bounds();
        let bounds = if bounds.is_empty() { Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE } } else { bounds };
        let (sin, cos) = (ops::sin(shot.slant), ops::cos(shot.slant));
        let mut eye = Self { sin, cos, scale: 1.0, offset: [0.0; 2], theme: shot.theme };
        let corners = (0..8_u32).map(|i| {
            let pick = |bit: u32, low: f32, high: f32| if i & bit == 0 { low } else { high };
            let (low, high) = (bounds.min, bounds.max);
            eye.see(Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z)))
        });
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for corner in corners {
            for axis in 0..2 {
                least[axis] = least[axis].min(corner[axis]);
                most[axis] = most[axis].max(corner[axis]);
            }
        }
        let column = if shot.figures.is_empty() { 0.0 } else { COLUMN };
        let room = [shot.size[0] as f32 - 2.0 * MARGIN - column, shot.size[1] as f32 - 2.0 * MARGIN - TITLE];
        let size = [0, 1].map(|axis| (most[axis] - least[axis]).max(0.1));
        eye.scale = (room[0] / size[0]).min(room[1] / size[1]);
        let slack = [0, 1].map(|axis| (room[axis] - size[axis] * eye.scale) * 0.5);
        eye.offset = [MARGIN + slack[0] - least[0] * eye.scale, MARGIN + TITLE + slack[1] - least[1] * eye.scale];
        eye
    }

    fn see(&self, p: Vec3) -> [f32; 2] {
        [p.x * self.scale + self.offset[0], (p.z * self.sin - p.y * self.cos) * self.scale + self.offset[1]]
    }

    /// Grows towards the eye.
    fn depth(&self, p: Vec3) -> f32 {
        p.z * self.cos + p.y * self.sin
    }

    /// What an ink looks like over plain ground: pictures have no transparency.
    fn colour(&self, ink: Ink, alpha: f32) -> Colour {
        let over = palette::colour(ink, self.theme);
        let under = palette::colour(Ink::Ground(AreaId::WALKABLE), self.theme);
        let mixed = [0, 1, 2].map(|i| (f32::from(over[i]) * alpha + f32::from(under[i]) * (1.0 - alpha)) as u8);
        colour(mixed)
    }

    fn rim(&self) -> Pen {
        Pen { colour: colour(palette::background(self.theme)), width: 1.0, opacity: 0.8, dash: 0.0 }
    }
}

fn colour([r, g, b]: Rgb) -> Colour {
    Colour(r, g, b)
}

fn text(at: [f32; 2], size: f32, text: &str, anchor: Anchor, colour: Colour) -> Item {
    Item::Text { at, size, text: text.to_owned(), anchor, colour }
}

/// A face to be painted.
struct Face {
    corners: Vec<Vec3>,
    fill: Colour,
    /// What is farther back is painted first.
    depth: f32,
}

/// Pictures and triangles. On level ground each is painted over those drawn before; where there is height, small pieces
/// are, from the back to the front, those that are translucent as if they lay a little farther to the front.
fn surfaces(canvas: &Canvas, eye: &Eye, items: &mut Vec<Item>) {
    let mut faces = Vec::new();
    images(canvas, eye, &mut faces);
    let is_level = is_level(canvas);
    let size = canvas.bounds().size();
    let longest = size.x.max(size.z).max(1.0) / 40.0;
    for fill in &canvas.fills {
        for corners in canvas.corners_of(fill).chunks_exact(3) {
            let corners = [corners[0], corners[1], corners[2]];
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            // Upright faces lie in the shade.
            let shade = 0.78 + 0.22 * normal.y.abs();
            let Colour(r, g, b) = eye.colour(fill.ink, fill.alpha);
            let [r, g, b] = [r, g, b].map(|channel| (f32::from(channel) * shade) as u8);
            let front = if fill.alpha < 1.0 { longest } else { 0.0 };
            let mut push = |corners: [Vec3; 3]| {
                let depth = eye.depth((corners[0] + corners[1] + corners[2]) / 3.0) + front;
                faces.push(Face { corners: corners.to_vec(), fill: Colour(r, g, b), depth });
            };
            if is_level { push(corners) } else { pieces(corners, longest, &mut push) }
        }
    }
    if !is_level {
        faces.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    }
    items.extend(faces.into_iter().map(|Face { corners, fill, .. }| {
        let points = corners.into_iter().map(|corner| eye.see(corner)).collect();
        // A hairline of its own colour closes the seams between neighbours.
        Item::Polygon { points, fill, outline: Some(Pen { colour: fill, width: 0.6, opacity: 1.0, dash: 0.0 }) }
    }));
}

fn images(canvas: &Canvas, eye: &Eye, faces: &mut Vec<Face>) {
    for image in &canvas.images {
        let [a, b, _, d] = image.quad;
        let step = [(b - a) / image.width as f32, (d - a) / image.height as f32];
        for (i, &value) in image.values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let (x, y) = ((i as u32 % image.width) as f32, (i as u32 / image.width) as f32);
            let at = |x: f32, y: f32| a + step[0] * x + step[1] * y;
            let corners = vec![at(x, y), at(x + 1.0, y), at(x + 1.0, y + 1.0), at(x, y + 1.0)];
            faces.push(Face { corners, fill: eye.colour(Ink::Value(value), 1.0), depth: eye.depth(a) });
        }
    }
}

/// Cuts a triangle in halves until no edge is longer than that.
fn pieces([a, b, c]: [Vec3; 3], longest: f32, push: &mut impl FnMut([Vec3; 3])) {
    let edges = [a.distance(b), b.distance(c), c.distance(a)];
    let most = edges[0].max(edges[1]).max(edges[2]);
    if most.is_nan() || most <= longest {
        push([a, b, c]);
        return;
    }
    // The longest edge first.
    let [a, b, c] = if edges[0] == most {
        [a, b, c]
    } else if edges[1] == most {
        [b, c, a]
    } else {
        [c, a, b]
    };
    let middle = a.midpoint(b);
    pieces([a, middle, c], longest, push);
    pieces([middle, b, c], longest, push);
}

/// Whether all surfaces lie at one height, so that a picture is best taken from straight above.
#[must_use]
pub fn is_level(canvas: &Canvas) -> bool {
    let heights = canvas.corners.iter().map(|corner| corner.y).filter(|y| y.is_finite());
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    high <= low + 0.3
}

/// The angle from which a canvas is seen well: straight down on level ground.
#[must_use]
pub fn slant_for(canvas: &Canvas) -> f32 {
    if is_level(canvas) { core::f32::consts::FRAC_PI_2 } else { 0.9 }
}

fn lines(canvas: &Canvas, eye: &Eye, items: &mut Vec<Item>) {
    for line in &canvas.lines {
        let points: Vec<[f32; 2]> = canvas.points_of(line).iter().map(|&point| eye.see(point)).collect();
        let dash = if line.pen.dashed { 5.0 } else { 0.0 };
        let colour = eye.colour(line.pen.ink, 1.0);
        if let (true, [.., from, to]) = (line.pen.arrow, &points[..]) {
            let along = Vec2::new(to[0] - from[0], to[1] - from[1]).normalize_or_zero();
            let (back, side) = (along * (4.0 + line.pen.width * 2.5), along.perp() * (1.5 + line.pen.width * 1.3));
            let tip = Vec2::from(*to);
            let head = [tip, tip - back + side, tip - back - side].map(<[f32; 2]>::from).to_vec();
            items.push(Item::Polygon { points: head, fill: colour, outline: None });
        }
        let pen = Pen { colour, width: line.pen.width, opacity: line.pen.alpha, dash };
        items.push(Item::Line { points, pen });
    }
}

fn bodies(canvas: &Canvas, eye: &Eye, items: &mut Vec<Item>) {
    let mut discs: Vec<&Disc> = canvas.discs.iter().collect();
    discs.sort_by(|a, b| eye.depth(a.at).total_cmp(&eye.depth(b.at)));
    for disc in discs {
        let ring = |y: f32| -> Vec<[f32; 2]> {
            let corner = |i: u16| {
                let angle = core::f32::consts::TAU * f32::from(i) / 24.0;
                eye.see(disc.at + Vec3::new(ops::cos(angle) * disc.radius, y, ops::sin(angle) * disc.radius))
            };
            (0..24).map(corner).collect()
        };
        let (fill, dark) = (eye.colour(disc.ink, disc.alpha), eye.colour(disc.ink, 0.6));
        let outline = Some(Pen::solid(eye.colour(Ink::Text, 0.6), 0.8));
        // Seen from straight above a body is its top; else a short drum, so that it hides nobody.
        let top = disc.height.min(disc.radius);
        for step in 0..(if top > 0.0 { 4_u8 } else { 0 }) {
            let points = ring(top * f32::from(step) / 4.0);
            items.push(Item::Polygon { points, fill: dark, outline: None });
        }
        items.push(Item::Polygon { points: ring(top), fill, outline });
        if disc.heading != Vec2::ZERO {
            let up = disc.at + Vec3::Y * top;
            let ahead = up + Vec3::new(disc.heading.x, 0.0, disc.heading.y) * disc.radius;
            let pen = Pen::solid(eye.colour(Ink::Text, 1.0), 1.5);
            items.push(Item::Line { points: vec![eye.see(up), eye.see(ahead)], pen });
        }
    }
}

fn legend(shot: &Shot<'_>, eye: &Eye, items: &mut Vec<Item>) {
    let ink = colour(palette::colour(Ink::Text, shot.theme));
    let faint = eye.colour(Ink::Text, 0.75);
    items.push(text([MARGIN, 28.0], 18.0, shot.title, Anchor::Left, ink));
    let right = shot.size[0] as f32 - MARGIN;
    for (row, figure) in (0_u16..).zip(shot.figures) {
        let y = TITLE + MARGIN + f32::from(row) * 36.0;
        items.push(text([right, y], 12.0, figure.name, Anchor::Right, faint));
        items.push(text([right, y + 16.0], 15.0, &written(figure), Anchor::Right, ink));
    }
}

/// A figure as people read it.
#[must_use]
pub fn written(figure: &Figure) -> String {
    let Figure { value, unit, .. } = figure;
    let number = if value.is_nan() {
        "–".to_owned()
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}
