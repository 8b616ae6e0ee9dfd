//! Group `hull`: convex hulls of points in space, beside those of the crates `parry3d` and `chull`.
//!
//! Answers are compared by volume. Where a crate gives up on points of which many lie on one plane, that is shown and
//! not judged.

use crate::Options;
use crate::measure::{Effort, in_turns, seconds};
use crate::table::{Row, print_row};
use std::hint::black_box;
use wayfare::Vec3;
use wayfare::math::{Hull3, convex_hull3};
use wayfare_scenes::{Cloud, clouds};

/// How far volumes may differ: the crates compute in f32, or with a tolerance.
const SLACK: f64 = 1e-3;

pub fn rows(options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for work in clouds() {
        if options.only.is_some() && !options.wants(work.name) {
            continue;
        }
        let parry: Vec<parry3d::math::Vector> = work.points.iter().map(|p| p.to_array().into()).collect();
        let of_parry = || parry3d::transformation::try_convex_hull(&parry).ok();
        let parry_volume = of_parry().map(|(verts, tris)| {
            let verts: Vec<Vec3> = verts.iter().map(|v| v.to_array().into()).collect();
            volume(&verts, &tris)
        });
        rows.push(row(options, &work, "parry3d", parry_volume, &|| of_parry().map_or(0, |h| h.1.len())));
        let plain: Vec<Vec<f64>> = work.points.iter().map(|p| p.to_array().map(f64::from).to_vec()).collect();
        let of_chull = || chull::ConvexHullWrapper::try_new(&plain, None).ok();
        let chull_volume = of_chull().map(|hull| hull.volume());
        rows.push(row(options, &work, "chull", chull_volume, &|| {
            of_chull().map_or(0, |h| h.vertices_indices().1.len())
        }));
    }
    rows
}

fn row(options: &Options, work: &Cloud, peer: &'static str, theirs: Option<f64>, run: &dyn Fn() -> usize) -> Row {
    let ours = match convex_hull3(&work.points) {
        Hull3::Solid(hull) => volume(&work.points, &hull.triangles),
        _ => 0.0,
    };
    let same = theirs.is_some_and(|v| (v - ours).abs() <= SLACK * ours);
    let passes = if work.points.len() > 1000 { 3 } else { 30 };
    let mut run_ours = || seconds(|| (0..passes).for_each(|_| drop(black_box(convex_hull3(&work.points))))).1;
    let mut run_theirs = || seconds(|| (0..passes).for_each(|_| _ = black_box(run()))).1;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    let per = 1e6 / f64::from(passes);
    let note = match theirs {
        None => "the peer gives up".to_owned(),
        Some(v) if !same => format!("volume {ours:.4}, the peer's {v:.4}"),
        Some(_) if work.faces.is_some() => "ours merges coplanar triangles into faces besides".to_owned(),
        Some(_) => String::new(),
    };
    let row = Row {
        group: "hull",
        work: work.name.into(),
        peer,
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        unit: "µs",
        ratio: rounds.ratio(0, 1),
        agrees: if same || work.faces.is_none() { Some(same) } else { None },
        note,
        ..Row::default()
    };
    print_row(&row);
    row
}

fn volume(points: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |i: u32| points[i as usize].as_dvec3();
    triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])))).sum::<f64>() / 6.0
}
