//! The recorded ratios as a picture: a strip for each group and peer, a dot for each work, a bar at their geometric
//! mean.

use crate::record::{Group, mean};
use svg::Document;
use svg::node::element::{Circle, Line, Rectangle, Text, Title};

const WIDTH: f64 = 900.0;
/// Where the scale begins, and what is left for the names before it.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 64.0;
const STRIP: f64 = 34.0;
/// Ratios at the ends of the scale, which is logarithmic.
const ENDS: [f64; 2] = [0.1, 160.0];

/// Where a ratio stands.
fn x(ratio: f64) -> f64 {
    let [low, high] = ENDS;
    LEFT + (WIDTH - LEFT - RIGHT) * (ratio.clamp(low, high) / low).ln() / (high / low).ln()
}

fn text(words: &str, x: f64, y: f64, anchor: &str) -> Text {
    let style = "font-family:sans-serif;font-size:13px;fill:#24292f";
    Text::new(words).set("x", round(x)).set("y", round(y)).set("text-anchor", anchor).set("style", style)
}

fn round(v: f64) -> f64 {
    (v * 10.0).round() / 10.0
}

/// The picture of all groups that are shown.
pub fn picture(groups: &[Group]) -> Document {
    let mut strips = Vec::new();
    for group in groups.iter().filter(|g| g.shown) {
        strips.extend(group.peers().into_iter().map(|(peer, rows)| (group.title, peer, rows)));
    }
    let bottom = TOP + STRIP * strips.len() as f64;
    let mut picture = Document::new()
        .set("viewBox", (0, 0, WIDTH, bottom + 30.0))
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"))
        .add(text("Times as fast as each peer, on the same work in the same run", 12.0, 24.0, "start"));
    for ratio in [0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 100.0] {
        let grid = Line::new().set("x1", round(x(ratio))).set("x2", round(x(ratio))).set("y1", TOP - 8.0);
        let colour = if ratio == 1.0 { "#57606a" } else { "#d0d7de" };
        picture = picture.add(grid.set("y2", bottom).set("stroke", colour)).add(text(
            &format!("{ratio} ×"),
            x(ratio),
            TOP - 14.0,
            "middle",
        ));
    }
    for (i, (title, peer, rows)) in strips.iter().enumerate() {
        let y = TOP + STRIP * (i as f64 + 0.5);
        picture = picture.add(text(&format!("{title}: {peer}"), 12.0, y + 4.5, "start"));
        for row in rows {
            let name = Title::new(format!("{}: {:.2}", row.work, row.ratio));
            let dot = Circle::new().set("cx", round(x(row.ratio))).set("cy", y).set("r", 4);
            picture = picture.add(dot.set("fill", "#0969da").set("fill-opacity", 0.45).add(name));
        }
        let at = round(x(mean(rows.iter().copied())));
        let bar = Line::new().set("x1", at).set("x2", at).set("y1", y - 11.0).set("y2", y + 11.0);
        picture = picture.add(bar.set("stroke", "#cf222e").set("stroke-width", 3));
    }
    let note =
        "A dot is a work, the bar the geometric mean; only works whose answers agree. To the right: Wayfare is faster.";
    picture.add(text(note, 12.0, bottom + 20.0, "start"))
}
