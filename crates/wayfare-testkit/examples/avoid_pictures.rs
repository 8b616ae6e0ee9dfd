//! Draws what each avoidance method makes of one scene, for docs/avoidance.md:
//! `cargo run -p wayfare-testkit --example avoid_pictures [FOLDER]`.
//!
//! A metre is a metre per second: velocities are drawn around the agent that asks.

use glam::Vec2;
use std::fmt::Write as _;
use wayfare::avoid::{
    Adaptive, AgentState, AvoidScratch, Avoidance, Avoider, ClearPath, Hrvo, Neighbour, Orca, Sampled, Surroundings,
    Wall,
};

/// Pixels a metre.
const SCALE: f32 = 62.0;
/// The part of the world that is seen.
const LOW: Vec2 = Vec2::new(-4.0, -4.0);
const HIGH: Vec2 = Vec2::new(7.0, 4.0);
const SPEED: f32 = 3.5;

/// One picture.
struct Svg(String);

fn at(p: Vec2) -> Vec2 {
    Vec2::new(p.x - LOW.x, HIGH.y - p.y) * SCALE
}

impl Svg {
    fn new() -> Self {
        let size = (HIGH - LOW) * SCALE;
        let (c, r) = (at(Vec2::ZERO), SPEED * SCALE);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
             <clipPath id=\"speed\"><circle cx=\"{}\" cy=\"{}\" r=\"{r}\"/></clipPath>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n",
            c.x,
            c.y,
            w = size.x,
            h = size.y
        ))
    }

    fn circle(&mut self, center: Vec2, radius: f32, style: &str) {
        let c = at(center);
        let _ = writeln!(self.0, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" {style}/>", c.x, c.y, radius * SCALE);
    }

    fn line(&mut self, points: &[Vec2], style: &str) {
        let points = points.iter().map(|p| format!("{:.1},{:.1}", at(*p).x, at(*p).y)).collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.0, "<polyline points=\"{points}\" stroke-linejoin=\"round\" {style}/>");
    }

    fn arrow(&mut self, from: Vec2, by: Vec2, colour: &str) {
        let (tip, back) = (from + by, by.normalize_or_zero() * 0.18);
        let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"");
        self.line(&[from, tip], &style);
        self.line(&[tip - back + back.perp() * 0.5, tip, tip - back - back.perp() * 0.5], &style);
    }
}

/// Pale for the best, dark for the worst.
fn colour(t: f32) -> String {
    let stops = [
        Vec2::new(255.0, 247.0).extend(196.0),
        Vec2::new(240.0, 150.0).extend(60.0),
        Vec2::new(90.0, 25.0).extend(30.0),
    ];
    let t = t.clamp(0.0, 1.0) * 2.0;
    let c = if t < 1.0 { stops[0].lerp(stops[1], t) } else { stops[1].lerp(stops[2], t - 1.0) };
    format!("#{:02x}{:02x}{:02x}", c.x as u8, c.y as u8, c.z as u8)
}

/// Penalties as a part of the way from the least to what only colliding velocities have.
fn shade(penalty: f32, least: f32) -> String {
    colour(((penalty - least) / 9.0).sqrt())
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/pictures".into());
    let p = Vec2::new;
    let agent = AgentState {
        position: Vec2::ZERO,
        velocity: p(2.4, 0.0),
        desired: p(2.8, 0.0),
        radius: 0.5,
        max_speed: SPEED,
        wall_distance: 0.5,
    };
    let other = |position, velocity| Neighbour { position, velocity, desired: velocity, radius: 0.5, share: 0.5 };
    let neighbours =
        [other(p(2.4, 1.1), p(0.6, 0.0)), other(p(0.6, -3.2), p(0.2, 1.2)), other(p(5.6, 0.2), p(-1.6, 0.0))];
    let walls = [Wall { a: p(-2.0, 3.1), b: p(6.5, 2.4) }];
    let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
    let mut scratch = AvoidScratch::default();

    let grid = Sampled { grid: 49, velocity_bias: 0.0, ..Sampled::default() };
    let mut all = Vec::new();
    grid.penalties(&around, &mut scratch, &mut all);
    let least = all.iter().map(|(_, penalty)| *penalty).fold(f32::INFINITY, f32::min);
    let cell = 2.0 * SPEED / 48.0;
    let mut picture = Svg::new();
    picture.0 += "<g clip-path=\"url(#speed)\" shape-rendering=\"crispEdges\">\n";
    // The first two are tried besides the grid.
    for (v, penalty) in all.iter().skip(2) {
        let corner = at(*v + p(-0.5, 0.5) * cell);
        let (side, fill) = (cell * SCALE + 0.3, shade(*penalty, least));
        let _ = writeln!(
            picture.0,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{fill}\"/>",
            corner.x, corner.y
        );
    }
    picture.0 += "</g>\n";
    finish(picture, &around, Avoidance::Sampled(grid), &format!("{folder}/avoid-sampled.svg"))?;

    let rings = Adaptive::default();
    let mut rounds = Vec::new();
    rings.penalties(&around, &mut scratch, &mut rounds);
    let mut picture = Svg::new();
    for (round, tried) in rounds.iter().enumerate() {
        for (v, penalty) in tried {
            let style = format!("fill=\"{}\" stroke=\"#444444\" stroke-width=\"1\"", shade(*penalty, least));
            picture.circle(*v, [0.16, 0.11, 0.07][round.min(2)], &style);
        }
    }
    finish(picture, &around, Avoidance::Adaptive(rings), &format!("{folder}/avoid-adaptive.svg"))?;

    let orca = Orca::default();
    let (mut planes, mut picture) = (Vec::new(), Svg::new());
    orca.half_planes(&around, &mut planes);
    for plane in &planes {
        let (foot, along) = (plane.normal * plane.offset, plane.normal.perp() * 9.0);
        let beyond =
            [foot - along, foot + along, foot + along - plane.normal * 14.0, foot - along - plane.normal * 14.0];
        picture.line(&beyond, "fill=\"#5a191e\" fill-opacity=\"0.22\" clip-path=\"url(#speed)\"");
        let style = "fill=\"none\" stroke=\"#5a191e\" stroke-width=\"1.5\" clip-path=\"url(#speed)\"";
        picture.line(&[foot - along, foot + along], style);
    }
    finish(picture, &around, Avoidance::Orca(orca), &format!("{folder}/avoid-orca.svg"))?;

    let (clear_path, hrvo) = (ClearPath::default(), Hrvo::default());
    let mut regions = Vec::new();
    for (name, method) in [("clearpath", Avoidance::ClearPath(clear_path)), ("hrvo", Avoidance::Hrvo(hrvo))] {
        if name == "hrvo" {
            hrvo.regions(&around, 12.0, &mut regions);
        } else {
            clear_path.regions(&around, 12.0, &mut regions);
        }
        let mut picture = Svg::new();
        for region in &regions {
            picture.line(region, "fill=\"#5a191e\" fill-opacity=\"0.22\" stroke=\"#5a191e\" stroke-width=\"1.5\" clip-path=\"url(#speed)\"");
        }
        finish(picture, &around, method, &format!("{folder}/avoid-{name}.svg"))?;
    }
    Ok(())
}

/// Draws the scene and the answer over it, and writes the file.
fn finish(mut picture: Svg, around: &Surroundings<'_>, method: Avoidance, file: &str) -> std::io::Result<()> {
    let outline = "fill=\"none\" stroke=\"#333333\" stroke-width=\"2\"";
    picture.circle(Vec2::ZERO, SPEED, "fill=\"none\" stroke=\"#999999\" stroke-width=\"1.5\"");
    for wall in around.walls {
        picture.line(&[wall.a, wall.b], "fill=\"none\" stroke=\"#333333\" stroke-width=\"6\"");
    }
    for other in around.neighbours {
        picture.circle(other.position, other.radius, outline);
        picture.arrow(other.position, other.velocity, "#333333");
    }
    picture.circle(Vec2::ZERO, around.agent.radius, outline);
    picture.arrow(Vec2::ZERO, around.agent.desired, "#1f77b4");
    let answer = method.velocity(around, &mut AvoidScratch::default());
    picture.arrow(Vec2::ZERO, answer, "#118822");
    println!("{file}: {answer}");
    std::fs::write(file, picture.0 + "</svg>\n")
}
