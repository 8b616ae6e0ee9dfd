//! The loop that `bench/measure.py` compares with: the same paths, asked from Rust with the same build of the library.
//!
//! `rust_loop MESH.way PAIRS.bin batch|single|nothing [COUNT]`: pairs are six 32-bit floats each, of which the first COUNT count. Asks for their
//! paths on all threads, or one call after the other, or only reads. Prints the sum of the lengths.

#![allow(clippy::print_stdout, clippy::expect_used)]

use rayon::prelude::*;
use wayfare::Vec3;
use wayfare::mesh::NavMesh;
use wayfare::query::NavQuery;

/// Questions that a thread takes at a time, as in the batch.
const PART: usize = 128;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&arguments[1]).expect("the mesh");
    let mesh = NavMesh::from_bytes(&bytes).expect("a mesh");
    let pairs = std::fs::read(&arguments[2]).expect("the pairs");
    let floats: Vec<f32> = pairs.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let count = arguments.get(4).map_or(usize::MAX, |text| text.parse().expect("a count"));
    let pair = |f: &[f32]| [Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5])];
    let pairs: Vec<[Vec3; 2]> = floats.chunks_exact(6).map(pair).take(count).collect();
    let length = match arguments.get(3).map(String::as_str) {
        Some("batch") => loop_over(&mesh, &pairs),
        Some("single") => {
            let mut query = NavQuery::of(&mesh);
            let mut path = |[start, goal]: &[Vec3; 2]| {
                let found = query.optimal_path(*start, *goal).expect("no tile changes");
                f64::from(found.straight.length)
            };
            pairs.iter().map(&mut path).sum()
        }
        // Nothing but reading: to be taken off.
        _ => 0.0,
    };
    println!("{length}");
}

fn loop_over(mesh: &NavMesh, pairs: &[[Vec3; 2]]) -> f64 {
    let parts: Vec<(Vec<f32>, Vec<Vec3>)> = pairs
        .par_chunks(PART)
        .map_init(
            || NavQuery::of(mesh),
            |query, part| {
                let (mut lengths, mut points) = (Vec::new(), Vec::new());
                for [start, goal] in part {
                    let found = query.optimal_path(*start, *goal).expect("no tile changes");
                    lengths.push(found.straight.length);
                    points.extend(found.straight.points.iter().map(|corner| corner.point));
                }
                (lengths, points)
            },
        )
        .collect();
    let count: usize = parts.iter().map(|(lengths, _)| lengths.len()).sum();
    assert_eq!(count, pairs.len());
    parts.iter().flat_map(|(lengths, _)| lengths).map(|length| f64::from(*length)).sum()
}
