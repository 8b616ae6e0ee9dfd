//! The same loop as `paths.c`, in Rust: 100,000 paths between random places of a level's OBJ file.

use std::error::Error;
use std::fs;
use wayfare_nav::bake::bake_tiles;
use wayfare_nav::context::Context;
use wayfare_nav::input::BakeSettings;
use wayfare_nav::math::Rng;
use wayfare_nav::mesh::NavMesh;
use wayfare_nav::query::NavQuery;

const PLACES: usize = 1000;

/// Nanoseconds that this process has run.
fn ran() -> Option<f64> {
    fs::read_to_string("/proc/self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "level.obj".to_owned());
    let rounds = args.next().map_or(Ok(5), |text| text.parse())?;
    let paths: usize = args.next().map_or(Ok(100_000), |text| text.parse())?;
    let level = wayfare_io::read_level("level.obj", &fs::read(name)?, &mut wayfare_io::NoFiles)?;
    let (baked, _) = bake_tiles(level.level(), &BakeSettings::default(), &Context::default())?;
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles)?;
    let mut query = NavQuery::of(mesh);
    let mut rng = Rng::new(1);
    let places: Vec<_> = (0..PLACES).filter_map(|_| query.random(&mut rng)).collect();
    let mut points = [[0.0_f32; 3]; 4096];
    for _ in 0..rounds {
        let (begin, mut length) = (ran().unwrap_or_default(), 0.0);
        for i in 0..paths {
            let found = query.straight_path(places[i % PLACES], places[(i * 7 + 3) % PLACES])?;
            for (point, corner) in points.iter_mut().zip(&found.straight.points) {
                *point = corner.point.to_array();
            }
            length += f64::from(found.straight.length);
        }
        let nanos = ran().unwrap_or_default() - begin;
        println!("Rust  {:8.1} ns a path, sum of lengths {length:.3}", nanos / paths as f64);
    }
    Ok(())
}
