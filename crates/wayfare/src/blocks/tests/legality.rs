//! Checks whether a path can be walked, by the rules of `ground.rs` and the blocks alone.
//!
//! ```text
//!     . . . b . .      A path is checked wherever it crosses a line of cell centres: there it must be at a standing point or on
//!     . . / | . .      the edge of a legal step. From one crossing to the next it follows an edge, climbs a ladder, cuts a corner as
//!     . a - + . .      plain A* may, or lies in a face whose four steps lead where it goes, and whose diagonals are legal.
//! ```
//!
//! Sources: own work.

use super::*;
use crate::blocks::ground::{Ground, SIDES};
use crate::{Vec2, Vec3};

/// Two standing points between which a path passes; both the same if it passes through it.
type Edge = [Cell; 2];

const NEAR: f32 = 4e-3;

/// Why a path cannot be walked; `None` if it can.
pub(super) fn fault(world: &DenseBlocks, agent: BlockAgent, points: &[Vec3]) -> Option<String> {
    let ground = Ground::new(world, agent);
    let half = agent.width as f32 * 0.5;
    let local = |p: Vec3| p - Vec3::new(half, 0.0, half);
    let mut here = edges_at(&ground, local(*points.first()?));
    for pair in points.windows(2) {
        let (a, b) = (local(pair[0]), local(pair[1]));
        let mut from = a;
        for t in crossings(a, b) {
            let to = a.lerp(b, t);
            let there = edges_at(&ground, to);
            let run = to - from;
            here =
                there.into_iter().filter(|&there| here.iter().any(|&here| leads(&ground, here, there, run))).collect();
            if here.is_empty() {
                return Some(format!("{from} to {to}, from middle to middle, cannot be walked"));
            }
            from = to;
        }
    }
    here.is_empty().then(|| "starts in the air".to_owned())
}

/// Parameters along a→b at which a line of cell centres is crossed, or a level on a ladder; and its end.
fn crossings(a: Vec3, b: Vec3) -> Vec<f32> {
    let is_upright = Vec2::new(b.x - a.x, b.z - a.z).length() < NEAR;
    let axes: &[(f32, f32)] = if is_upright { &[(a.y, b.y)] } else { &[(a.x, b.x), (a.z, b.z)] };
    let mut found = vec![1.0];
    for &(from, to) in axes.iter().filter(|(from, to)| (from - to).abs() > NEAR) {
        let (low, high) = (from.min(to).floor() as i32, from.max(to).ceil() as i32);
        found.extend((low..=high).map(|line| (line as f32 - from) / (to - from)).filter(|t| 0.0 < *t && *t < 1.0));
    }
    found.sort_by(f32::total_cmp);
    let whole = a.distance(b);
    found.dedup_by(|t, before| (*t - *before) * whole < NEAR);
    found.retain(|t| t * whole > NEAR);
    found
}

/// The standing points, or edges between two, on which a point may lie.
fn edges_at(ground: &Ground<'_, DenseBlocks>, p: Vec3) -> Vec<Edge> {
    let off = |v: f32| if (v - v.round()).abs() < NEAR { 0.0 } else { v - v.floor() };
    let [x, z] = [p.x, p.z].map(|v| if off(v) == 0.0 { v.round() } else { v.floor() } as i32);
    let share = off(p.x).max(off(p.z));
    let end = match (off(p.x) > 0.0, off(p.z) > 0.0) {
        (true, true) => return Vec::new(),
        (is_x, is_z) => [x + i32::from(is_x), z + i32::from(is_z)],
    };
    let reach = ground.reach() + 1;
    let levels = (p.y.floor() as i32 - reach)..=(p.y.ceil() as i32 + reach);
    let standing = |[x, z]: [i32; 2]| levels.clone().map(move |y| Cell::new(x, y, z)).filter(|&c| ground.stands(c));
    let mut found = Vec::new();
    for a in standing([x, z]) {
        for b in standing(end) {
            let y = a.y as f32 + (b.y - a.y) as f32 * share;
            let is_edge = if share == 0.0 { a == b } else { goes(ground, a, b) || goes(ground, b, a) };
            if (y - p.y).abs() < 4.0 * NEAR && is_edge {
                found.push([a, b]);
            }
        }
    }
    found
}

/// Whether a straight step leads from one standing point to another.
fn goes(ground: &Ground<'_, DenseBlocks>, a: Cell, b: Cell) -> bool {
    let mut found = false;
    if let Some(side) = SIDES.iter().position(|&[dx, dz]| (b.x - a.x, b.z - a.z) == (dx, dz)) {
        ground.steps(a, side, |step| found |= step.forth && step.to == b);
    }
    found
}

/// Whether an agent can walk straight from a point on one edge to a point on another, `run` away.
fn leads(ground: &Ground<'_, DenseBlocks>, from: Edge, to: Edge, run: Vec3) -> bool {
    let mut corners = [from, to].concat();
    corners.sort_unstable_by_key(|c| (c.x, c.z, c.y));
    corners.dedup();
    let (low, high) = (corners.iter(), corners.iter());
    let (x, z) = (low.clone().map(|c| c.x).min(), low.map(|c| c.z).min());
    let wide = high.clone().map(|c| c.x).max() > x;
    let deep = high.map(|c| c.z).max() > z;
    match (corners.len(), wide, deep) {
        (1, ..) => true,
        (2, false, false) => {
            let [a, b] = [from[0], to[0]];
            [ground.rung_above(a), ground.rung_below(a)].contains(&Some(b))
        }
        (2, true, false) | (2, false, true) => {
            let back = if wide { run.x < 0.0 } else { run.z < 0.0 };
            let [a, b] = if back { [corners[1], corners[0]] } else { [corners[0], corners[1]] };
            goes(ground, a, b)
        }
        (2, true, true) => cuts(ground, from[0], to[0]),
        _ if corners.len() <= 4 && wide && deep => is_face(ground, &corners, run),
        _ => false,
    }
}

/// Whether a step across a corner is legal: both pairs of straight steps around it are open.
fn cuts(ground: &Ground<'_, DenseBlocks>, a: Cell, d: Cell) -> bool {
    let open = |[x, z]: [i32; 2]| {
        let reach = ground.reach();
        (a.y - reach..=a.y + reach).map(|y| Cell::new(x, y, z)).any(|b| goes(ground, a, b) && goes(ground, b, d))
    };
    open([a.x, d.z]) && open([d.x, a.z]) && ground.diagonal_fits(a, d)
}

/// Whether three or four standing points are corners of a face that can be crossed in a direction.
fn is_face(ground: &Ground<'_, DenseBlocks>, corners: &[Cell], run: Vec3) -> bool {
    let low = [0, 1].map(|k| corners.iter().map(|c| [c.x, c.z][k]).min().unwrap_or(0));
    let (bottom, reach) = (corners[0].y, 2 * ground.reach());
    let at = |i: i32, k: i32| {
        let [x, z] = [low[0] + i, low[1] + k];
        match corners.iter().find(|c| (c.x, c.z) == (x, z)) {
            Some(&c) => vec![c],
            None => {
                (bottom - reach..=bottom + reach).map(|y| Cell::new(x, y, z)).filter(|&c| ground.stands(c)).collect()
            }
        }
    };
    let along = |run: f32, a: Cell, b: Cell| if run > 0.0 { goes(ground, a, b) } else { goes(ground, b, a) };
    let (by_x, by_z) = (|a, b| along(run.x, a, b), |a, b| along(run.z, a, b));
    let [a, b, c, d] = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
    let mut found = false;
    for (&a, &b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
        for (&c, &d) in c.iter().flat_map(|c| d.iter().map(move |d| (c, d))) {
            let square = by_x(a, b) && by_x(c, d) && by_z(a, c) && by_z(b, d);
            found |= square && ground.square_opens([a, b], [c, d]) == (true, true);
        }
    }
    found
}

#[test]
fn the_judge_refuses_what_cannot_be_walked() {
    let floor = world("....\n.#..\n....");
    let judge = |points: &[[f32; 3]]| {
        let points: Vec<Vec3> = points.iter().map(|&p| Vec3::from(p)).collect();
        fault(&floor, BlockAgent::default(), &points).is_none()
    };
    assert!(judge(&[[0.5, 1.0, 0.5], [3.5, 1.0, 0.5], [2.5, 1.0, 2.5]]));
    assert!(!judge(&[[0.5, 1.0, 1.5], [1.5, 1.0, 0.5]]), "cuts a corner");
    assert!(!judge(&[[0.5, 1.0, 1.5], [3.5, 1.0, 1.5]]), "through the pillar");
    assert!(!judge(&[[0.5, 1.5, 0.5], [3.5, 1.5, 0.5]]) && !judge(&[[0.5, 1.0, 0.5], [3.5, 2.0, 0.5]]), "in the air");
    assert!(!judge(&[[2.5, 1.0, 0.5], [5.5, 1.0, 0.5]]), "off the world");
}
