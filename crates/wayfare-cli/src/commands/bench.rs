//! `wayfare bench [SCENE]`: how long each stage of a bake takes, as CSV.

use crate::baking::{self, Times, Work};
use crate::failure::{Answer, Failure, Result};
use crate::output::{atomic_file, stats};
use crate::terminal::Terminal;
use crate::threads;
use clap::Args;
use wayfare::area::PolyFlags;
use wayfare::bake::Stage;
use wayfare::format::digest_of;

/// Time the stages of a bake, as CSV
#[derive(Args, Debug)]
#[command(after_help = "Columns: scene,stage,threads,ms_min,ms_median,bytes,digest
Examples:
  wayfare bench dungeon
  wayfare bench 'terrain?size=400' --tile-size 64 --threads 1 --threads 2")]
pub(crate) struct Bench {
    /// A built-in scene, NAME or NAME?key=value; without it, all
    scene: Option<String>,
    /// Threads, 0 for as many as the machine has; can be given several times [default: 1 and 0]
    #[arg(long, value_name = "N", value_parser = threads::parse)]
    threads: Vec<u32>,
    /// How often each bake runs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Side of a tile, cells; 0: one tile, or the scene's own size
    #[arg(long, value_name = "CELLS", default_value_t = 0)]
    tile_size: u32,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

impl Bench {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        let asked = if self.threads.is_empty() { &[1, 0][..] } else { &self.threads };
        let mut threads = asked.iter().map(|&n| threads::count(n)).collect::<Result<Vec<_>>>()?;
        threads.dedup();
        let scenes: Vec<String> = match &self.scene {
            Some(spec) => vec![spec.strip_prefix("scene:").unwrap_or(spec).to_owned()],
            None => wayfare_scenes::all().iter().map(|s| s.name.to_owned()).collect(),
        };
        for (number, spec) in scenes.iter().enumerate() {
            let scene = wayfare_scenes::scene(spec).map_err(Failure::new)?;
            // Printed only once it is known that there is something to measure.
            if number == 0 {
                atomic_file::print(b"scene,stage,threads,ms_min,ms_median,bytes,digest\n")?;
            }
            let level = scene.mesh().map_err(Failure::new)?;
            let mut settings = scene.settings;
            if self.tile_size > 0 {
                settings.tile_size = self.tile_size;
            }
            for &threads in &threads {
                let work = Work { threads, repeat: self.repeat, memory: None };
                let input = wayfare::input::Level { volumes: &scene.volumes, ..(&level).into() };
                let (mesh, baked) = baking::bake(input, &settings, &|_| PolyFlags::WALK, work, terminal)?;
                let bytes = mesh.to_bytes();
                let digest = digest_of(&bytes);
                let row = |stage: &str, times: Times| {
                    let (min, median) = (stats::ms(times.min), stats::ms(times.median));
                    format!("\"{spec}\",{stage},{threads},{min:.4},{median:.4},{},{digest}\n", bytes.len())
                };
                let mut rows: String =
                    Stage::ALL.iter().zip(baked.stages).map(|(stage, times)| row(stage.name(), times)).collect();
                rows.push_str(&row("total", baked.total));
                atomic_file::print(rows.as_bytes())?;
            }
        }
        Ok(Answer::Yes)
    }
}
