//! Times the voxel stages on one thread: `cargo run --release -p wayfare --example voxel_stages -- level.obj [cell size]`.
//!
//! Prints the fastest of many runs with memory reused, since a shared machine only ever adds time.
#![expect(clippy::print_stdout, reason = "a program that prints its measurements")]

use std::time::{Duration, Instant};
use wayfare::Vec3;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::voxel::{
    CompactHeightfield, ErodeScratch, FilterScratch, Grid, Heightfield, RasterInput, RasterScratch, compact_into,
    erode_into, filter_into, rasterize_into,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give an OBJ file")?;
    let cell_size = arguments.next().map_or(Ok(0.3), |a| a.parse())?;
    let runs = arguments.next().map_or(Ok(200), |a| a.parse::<u32>())?;
    let mesh = load(&std::fs::read_to_string(path)?)?;
    let settings = BakeSettings { cell_size, ..BakeSettings::default() }.to_voxel()?;
    let level = Grid::of_level(mesh.bounds(), &settings)?;
    let input = RasterInput::whole(&mesh, &level, &settings);

    let (mut raster, mut filters, mut eroder) =
        (RasterScratch::default(), FilterScratch::default(), ErodeScratch::default());
    let (mut field, mut ground) = (Heightfield::empty(level), CompactHeightfield::empty(level));
    let names = ["rasterize", "filter", "compact", "erode"];
    let mut best = [Duration::MAX; 4];
    for _ in 0..runs {
        let mut at = Instant::now();
        let mut lap = |stage: usize| {
            best[stage] = best[stage].min(at.elapsed());
            at = Instant::now();
        };
        rasterize_into(&input, &mut raster, &mut field);
        lap(0);
        filter_into(&mut field, &level, &settings, &mut filters);
        lap(1);
        compact_into(&field, 0, &settings, &mut ground);
        lap(2);
        erode_into(&mut ground, settings.agent_radius_vx, &mut eroder);
        lap(3);
    }
    println!(
        "{} triangles, {} x {} cells, {} spans, {} on the ground, {} after erosion",
        mesh.tris().len(),
        level.width,
        level.depth,
        field.span_count(),
        ground.span_count(),
        ground.walkable_count()
    );
    for (name, time) in names.iter().zip(best) {
        println!("{name:10} {:8.3} ms", time.as_secs_f64() * 1e3);
    }
    Ok(())
}

/// Vertices and fans of the faces of an OBJ file.
fn load(text: &str) -> Result<TriMesh, Box<dyn std::error::Error>> {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let c = words.take(3).map(str::parse).collect::<Result<Vec<f32>, _>>()?;
                verts.push(Vec3::from_slice(&c));
            }
            Some("f") => {
                let corner = |w: &str| w.split('/').next().unwrap_or("").parse::<u32>();
                let face = words.map(corner).collect::<Result<Vec<u32>, _>>()?;
                tris.extend((2..face.len()).map(|k| [face[0] - 1, face[k - 1] - 1, face[k] - 1]));
            }
            _ => {}
        }
    }
    Ok(TriMesh::new(verts, tris)?.0)
}
