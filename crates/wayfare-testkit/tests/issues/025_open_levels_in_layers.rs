//! A large open level took minutes with layer regions, whose outlines have hundreds of holes: for every merge of two
//! polygons all pairs were looked at again, for every ear that was cut off all corners, for every hole all edges.

use super::floors;
use std::time::{Duration, Instant};
use wayfare::bake::{Stage, bake_tiles};
use wayfare::context::{Clock, Context};
use wayfare::input::{BakeSettings, Partition, TriMesh};

/// Ground of `side` × `side` squares of 3 m with a hole in each corner where four meet.
fn open_level(side: u32) -> TriMesh {
    let mut floor = Vec::new();
    for (x, z) in (0..side).flat_map(|z| (0..side).map(move |x| (x as f32 * 3.0, z as f32 * 3.0))) {
        floor.push(([x, x + 2.4], [z, z + 3.0], 0.0));
        floor.push(([x + 2.4, x + 3.0], [z, z + 2.4], 0.0));
    }
    floors(&floor)
}

/// The library reads no clock; this one is lent to it.
struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Seconds that the fastest of three bakes spent on regions, contours and polygons, and how many holes there are.
fn measure(side: u32) -> ([f64; 3], u32) {
    let level = open_level(side);
    let settings = BakeSettings { partition: Partition::Layers, region_min_size: 0, ..BakeSettings::default() };
    let clock = Stopwatch(Instant::now());
    let context = Context { clock: Some(&clock), ..Context::default() };
    let mut fastest = [f64::INFINITY; 3];
    for _ in 0..3 {
        let times = bake_tiles(&level, &settings, &context).unwrap().1.times;
        let seconds = [Stage::Regions, Stage::Contours, Stage::Polygons].map(|stage| times.get(stage).as_secs_f64());
        fastest = [0, 1, 2].map(|k| seconds[k].min(fastest[k]));
    }
    (fastest, (side - 1) * (side - 1))
}

#[test]
fn sixteen_times_the_level_takes_about_sixteen_times_as_long() {
    let (small, few) = measure(10);
    let (large, many) = measure(40);
    // All pairs would take 256 times as long.
    for (what, (small, large)) in ["regions", "contours", "polygons"].iter().zip(small.into_iter().zip(large)) {
        assert!(large < small * 80.0 + 0.02, "{what}: {small:.5} s around {few} holes, {large:.5} s around {many}");
    }
}
