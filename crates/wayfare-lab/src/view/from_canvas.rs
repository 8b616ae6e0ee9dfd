//! From a canvas of inks to a batch of colours.

use super::{Batch, Body, Colour, PointMark};
use crate::canvas::{Canvas, Disc, Image, Ink, Line};
use crate::palette::Theme;
use wayfare::{Vec2, Vec3};

/// How a canvas is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Light or dark.
    pub theme: Theme,
    /// Opacity of surfaces of areas, regions and values, 0…1; other shapes keep theirs.
    pub ground: f32,
    /// How far everything is lifted, metres, so that what it lies on does not cover it.
    pub lift: f32,
}

/// A text in the view. The window writes it, not the renderer.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMark {
    /// Where it stands, metres.
    pub at: Vec3,
    /// What it says.
    pub text: String,
    /// Its colour.
    pub colour: Colour,
}

/// Dashes and the gaps between them are so long, metres.
const DASH: f32 = 0.35;

/// No more dashes than these for one line.
const MOST_DASHES: f32 = 400.0;

impl Looks {
    /// As a prototype is shown: surfaces as they are.
    #[must_use]
    pub fn plain(theme: Theme) -> Self {
        Self { theme, ground: 1.0, lift: 0.0 }
    }

    /// As what lies on a level is shown.
    #[must_use]
    pub fn on_level(theme: Theme, ground: f32) -> Self {
        Self { theme, ground, lift: 0.04 }
    }

    /// The shapes of a canvas in colours. Texts are left out.
    #[must_use]
    pub fn batch(&self, canvas: &Canvas) -> Batch {
        let mut batch = Batch::default();
        for fill in &canvas.fills {
            let opacity = if is_ground(fill.ink) { fill.alpha * self.ground } else { fill.alpha };
            let corners: Vec<Vec3> = canvas.corners_of(fill).iter().map(|&corner| self.raised(corner)).collect();
            batch.triangles(&corners, self.colour(fill.ink, opacity));
        }
        canvas.images.iter().for_each(|image| self.image(image, &mut batch));
        canvas.lines.iter().for_each(|line| self.line(line, canvas.points_of(line), &mut batch));
        canvas.discs.iter().for_each(|disc| self.disc(disc, &mut batch));
        for dot in &canvas.dots {
            let at = self.raised(dot.at).to_array();
            let colour = Colour::of(dot.ink, self.theme);
            batch.points.push(PointMark { at, radius: dot.size * 0.5, through: through(dot.ink), colour });
        }
        batch
    }

    /// The texts of a canvas.
    #[must_use]
    pub fn texts(&self, canvas: &Canvas) -> Vec<TextMark> {
        let text = |label: &crate::canvas::Label| TextMark {
            at: self.raised(label.at),
            text: label.text.clone(),
            colour: Colour::of(label.ink, self.theme),
        };
        canvas.labels.iter().map(text).collect()
    }

    fn raised(&self, point: Vec3) -> Vec3 {
        point + Vec3::Y * self.lift
    }

    fn colour(&self, ink: Ink, opacity: f32) -> Colour {
        let colour = Colour::of(ink, self.theme);
        if opacity < 1.0 { colour.faded(opacity) } else { colour }
    }

    fn line(&self, line: &Line, points: &[Vec3], batch: &mut Batch) {
        let pen = line.pen;
        let colour = self.colour(pen.ink, pen.alpha);
        let raised: Vec<Vec3> = points.iter().map(|&point| self.raised(point)).collect();
        let looks = [pen.width, through(pen.ink)];
        if pen.dashed {
            dashes(&raised, |dash| batch.stroke(&dash, looks, colour));
        } else {
            batch.stroke(&raised, looks, colour);
        }
        if let (true, [.., before, end]) = (pen.arrow, raised.as_slice()) {
            let length = before.distance(*end).min(0.5);
            let back = (*before - *end).normalize_or_zero() * length * 0.7;
            let side = back.cross(Vec3::Y).normalize_or(Vec3::X) * length * 0.32;
            batch.stroke(&[*end + back + side, *end, *end + back - side], looks, colour);
        }
    }

    fn disc(&self, disc: &Disc, batch: &mut Batch) {
        let colour = self.colour(disc.ink, disc.alpha);
        if disc.height > 0.0 {
            let facing = disc.heading.normalize_or(Vec2::X).to_array();
            let at = disc.at.to_array();
            batch.bodies.push(Body { at, radius: disc.radius, height: disc.height, facing, colour });
            return;
        }
        const SIDES: u16 = 28;
        let corner = |i: u16| {
            let angle = -core::f32::consts::TAU * f32::from(i) / f32::from(SIDES);
            self.raised(disc.at) + Vec3::new(angle.cos(), 0.0, angle.sin()) * disc.radius
        };
        let corners: Vec<Vec3> = (0..SIDES).flat_map(|i| [self.raised(disc.at), corner(i), corner(i + 1)]).collect();
        batch.triangles(&corners, colour);
    }

    fn image(&self, image: &Image, batch: &mut Batch) {
        let [origin, right, _, down] = image.quad;
        let step_right = (right - origin) / image.width.max(1) as f32;
        let step_down = (down - origin) / image.height.max(1) as f32;
        for (i, &value) in image.values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let column = (i as u32 % image.width.max(1)) as f32;
            let row = (i as u32 / image.width.max(1)) as f32;
            let a = self.raised(origin + step_right * column + step_down * row);
            let (b, c, d) = (a + step_down, a + step_down + step_right, a + step_right);
            batch.triangles(&[a, b, c, a, c, d], self.colour(Ink::Value(value), 0.999));
        }
    }
}

fn is_ground(ink: Ink) -> bool {
    matches!(ink, Ink::Ground(_) | Ink::Region(_) | Ink::Value(_))
}

/// How much of an ink's lines and dots is seen through what hides them.
fn through(ink: Ink) -> f32 {
    match ink {
        Ink::Path(_) | Ink::Start | Ink::Goal | Ink::Current | Ink::Warning => 0.35,
        Ink::Connection | Ink::Open | Ink::Closed | Ink::Tree | Ink::Chosen | Ink::Wish => 0.2,
        _ => 0.0,
    }
}

fn dashes(points: &[Vec3], mut dash: impl FnMut([Vec3; 2])) {
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let count = (from.distance(to) / (2.0 * DASH)).clamp(1.0, MOST_DASHES).round();
        for i in 0..count as u16 {
            let start = f32::from(i) / count;
            dash([from.lerp(to, start), from.lerp(to, start + 0.55 / count)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Pen;
    use wayfare::area::AreaId;

    #[test]
    fn every_shape_arrives() {
        let mut canvas = Canvas::new();
        canvas.fill(&[Vec3::ZERO, Vec3::Z, Vec3::X], Ink::Ground(AreaId::WALKABLE), 1.0);
        canvas.line(Vec3::ZERO, Vec3::X * 7.0, Pen::of(Ink::Wall).dashed());
        canvas.line(Vec3::ZERO, Vec3::X, Pen::of(Ink::Chosen).arrow());
        canvas.agent(Vec3::ZERO, (0.5, 2.0), Vec3::X, Ink::Agent(1));
        canvas.disc(Vec3::ZERO, 1.0, Ink::Goal);
        canvas.dot(Vec3::ONE, 8.0, Ink::Start);
        canvas.label(Vec3::ONE, "here", Ink::Text);
        let looks = Looks::on_level(Theme::Light, 0.5);
        let batch = looks.batch(&canvas);
        assert_eq!((batch.glass.len(), batch.surfaces.len()), (3, 28 * 3));
        assert_eq!((batch.lines.len(), batch.bodies.len(), batch.points.len()), (10 + 3, 1, 1));
        assert!(batch.surfaces.iter().all(|vertex| vertex.normal[1] > 0.9));
        assert_eq!(looks.texts(&canvas)[0].text, "here");
    }
}
