//! Draws convex hulls for docs/hulls.md: `cargo run -p wayfare-testkit --example hull_pictures [FOLDER]`.
//!
//! On the left a hull on the plane, with collinear and equal points; in the middle the hull of a random cloud, on the
//! right that of a 4 × 4 × 4 grid cut by a plane. Faces are the merged ones, thin lines the triangles that they were
//! merged from.

use std::fmt::Write as _;
use wayfare::math::{Hull3, Rng, convex_hull, convex_hull3, ops};
use wayfare::{Vec2, Vec3};

/// Width and height of one panel, pixels.
const SIDE: f32 = 300.0;

struct Svg(String);

impl Svg {
    fn shape(&mut self, tag: &str, points: &[Vec2], style: &str) {
        let points = points.iter().map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.0, "<{tag} points=\"{points}\" stroke-linejoin=\"round\" {style}/>");
    }

    fn dots(&mut self, points: &[Vec2], style: &str) {
        for p in points {
            let _ = writeln!(self.0, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\" {style}/>", p.x, p.y);
        }
    }

    fn words(&mut self, panel: f32, text: &str) {
        let (x, y) = ((panel + 0.5) * SIDE, SIDE + 16.0);
        let font = "font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\" text-anchor=\"middle\"";
        let _ = writeln!(self.0, "<text x=\"{x:.0}\" y=\"{y:.0}\" {font}>{text}</text>");
    }
}

fn plane(svg: &mut Svg) {
    let mut rng = Rng::new(4);
    let mut points: Vec<Vec2> = (0..40).map(|_| Vec2::new(rng.unit() * 0.8, rng.unit())).collect();
    // A side with points on it, one of them twice.
    points.extend([0.0, 0.2, 0.5, 0.5, 0.8, 1.0].map(|y| Vec2::new(1.0, y)));
    let at = |p: Vec2| Vec2::new(30.0 + p.x * (SIDE - 60.0), SIDE - 30.0 - p.y * (SIDE - 60.0));
    let hull: Vec<Vec2> = convex_hull(&points).into_iter().map(|i| at(points[i as usize])).collect();
    svg.shape("polygon", &hull, "fill=\"#dbe8f6\" stroke=\"#20558a\" stroke-width=\"2.5\"");
    svg.dots(&points.iter().map(|&p| at(p)).collect::<Vec<_>>(), "fill=\"#7f8c99\"");
    svg.dots(&hull, "fill=\"#c0392b\"");
    svg.words(0.0, &format!("{} points, {} corners", points.len(), hull.len()));
}

/// Turned so that one looks at three sides; y of the picture points down.
fn seen(p: Vec3, panel: f32, size: f32) -> Vec2 {
    let (sin, cos) = (ops::sin(0.52), ops::cos(0.52));
    let (x, z) = (p.x * cos - p.z * sin, p.x * sin + p.z * cos);
    let (tilt_sin, tilt_cos) = (ops::sin(0.5), ops::cos(0.5));
    let y = p.y * tilt_cos - z * tilt_sin;
    Vec2::new((panel + 0.5) * SIDE + x * size, 0.5 * SIDE - y * size)
}

fn solid(svg: &mut Svg, points: &[Vec3], panel: f32, size: f32) {
    let Hull3::Solid(hull) = convex_hull3(points) else { unreachable!("these points fill space") };
    let at = |i: u32| seen(points[i as usize], panel, size);
    // Corners run against the clock as seen from outside, so a face that is seen turns the other way in a picture whose
    // y points down.
    let turn = |f: &[u32]| {
        let corners: Vec<Vec2> = f.iter().map(|&i| at(i)).collect();
        (0..corners.len()).map(|i| corners[i].perp_dot(corners[(i + 1) % corners.len()])).sum::<f32>()
    };
    for face in hull.faces.iter().filter(|f| turn(f) < 0.0) {
        let [a, b, c] = [face[0], face[1], face[2]].map(|i| points[i as usize]);
        let light = (b - a).cross(c - a).normalize_or_zero().dot(Vec3::new(-0.35, 0.8, 0.5).normalize());
        let shade = (150.0 + 95.0 * light.clamp(-0.6, 1.0)) as u8;
        let corners: Vec<Vec2> = face.iter().map(|&i| at(i)).collect();
        let style = format!("fill=\"rgb({},{},250)\" stroke=\"#20558a\" stroke-width=\"2.2\"", shade - 30, shade - 8);
        svg.shape("polygon", &corners, &style);
    }
    for triangle in hull.triangles.iter().filter(|t| turn(t.as_slice()) < 0.0) {
        svg.shape("polygon", &triangle.map(at), "fill=\"none\" stroke=\"#20558a\" stroke-width=\"0.6\"");
    }
    let mut corners: Vec<u32> = hull.faces.iter().filter(|f| turn(f) < 0.0).flatten().copied().collect();
    corners.sort_unstable();
    corners.dedup();
    svg.dots(&corners.into_iter().map(at).collect::<Vec<_>>(), "fill=\"#c0392b\"");
    let (triangles, faces) = (hull.triangles.len(), hull.faces.len());
    svg.words(panel, &format!("{} points, {triangles} triangles, {faces} faces", points.len()));
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/pictures".into());
    let (w, h) = (3.0 * SIDE, SIDE + 30.0);
    let mut svg = Svg(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n"
    ));
    plane(&mut svg);
    for (name, middle, panel, size) in
        [("300 points in a box", 0.5, 1.0, 165.0), ("4 x 4 x 4 grid without a corner", 1.5, 2.0, 55.0)]
    {
        let cloud = wayfare_scenes::clouds().into_iter().find(|cloud| cloud.name == name);
        let points: Vec<Vec3> = cloud.iter().flat_map(|cloud| &cloud.points).map(|p| *p - middle).collect();
        solid(&mut svg, &points, panel, size);
    }
    svg.0.push_str("</svg>\n");
    std::fs::write(format!("{folder}/hulls.svg"), svg.0)
}
