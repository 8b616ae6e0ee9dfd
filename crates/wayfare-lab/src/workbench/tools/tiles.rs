//! Tiles one by one: build, remove, rebuild.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::layers::box_edges;
use crate::workbench::level::BakeInput;
use crate::workbench::stage::Stage;
use crate::workbench::task::{LabClock, Task};
use crate::workbench::tool::{Click, Tool};
use std::time::Duration;
use wayfare::Vec3;
use wayfare::bake::{BakeError, BakeReport, TileBaker, TilePlan};
use wayfare::context::{Clock, Context};
use wayfare::math::Aabb;
use wayfare::tile::{TileCoord, TileData};

type Built = (TileCoord, Result<Option<TileData>, BakeError>, Duration);

/// The tool.
#[derive(Debug, Default)]
pub struct TileTool {
    chosen: Option<TileCoord>,
    builds: Option<Task<Vec<Built>>>,
    last: Duration,
}

fn bake_one(input: &BakeInput, plan: &TilePlan, index: u64, context: &Context<'_>) -> Built {
    let before = LabClock.now();
    let tile = plan.tile(index);
    let mut report = BakeReport::new(input.level().bounds());
    let built = TileBaker::new(plan.level, plan.settings).bake(input.level(), None, &tile, context, &mut report);
    (tile.coord, built, LabClock.now().saturating_sub(before))
}

impl TileTool {
    fn build(&mut self, stage: &Stage, indices: Vec<u64>) {
        let (Some(level), Some(world)) = (&stage.level, &stage.world) else { return };
        let Some(plan) = world.plan else { return };
        let input = level.input(&stage.volumes);
        self.builds = Some(Task::start(move |context| {
            indices.into_iter().map(|index| bake_one(&input, &plan, index, context)).collect()
        }));
    }

    fn receive(&mut self, stage: &mut Stage) {
        let Some(built) = self.builds.as_mut().and_then(Task::poll) else { return };
        self.builds = None;
        stage.remember("build tiles");
        let Some(world) = &mut stage.world else { return };
        self.last = Duration::ZERO;
        for (coord, tile, took) in built {
            self.last += took;
            let old = world.mesh.tile_at(coord).map(|tile| tile.tile_ref());
            let done = match (old, tile) {
                (_, Err(error)) => Err(error.to_string()),
                (Some(old), Ok(Some(tile))) => world.mesh.replace_tile(old, tile).map(drop).map_err(|e| e.to_string()),
                (None, Ok(Some(tile))) => world.mesh.add_tile(tile).map(drop).map_err(|e| e.to_string()),
                (Some(old), Ok(None)) => world.mesh.remove_tile(old).map(drop).map_err(|e| e.to_string()),
                (None, Ok(None)) => Ok(()),
            };
            if let Err(error) = done {
                stage.log.error(format!("Tile {}, {} was not built: {error}.", coord.x, coord.z));
            }
        }
        world.version += 1;
    }

    fn remove(&self, stage: &mut Stage, coord: TileCoord) {
        let tile = stage.mesh().and_then(|mesh| mesh.tile_at(coord)).map(|tile| tile.tile_ref());
        if let Some(tile) = tile {
            stage.edit("remove a tile", |mesh| mesh.remove_tile(tile));
        }
    }

    fn chosen_index(&self, stage: &Stage) -> Option<u64> {
        let coord = self.chosen?;
        stage.world.as_ref()?.plan?.index_at(coord.x, coord.z)
    }
}

/// The tile under a point.
fn coord_at(stage: &Stage, at: Vec3) -> Option<TileCoord> {
    let world = stage.world.as_ref()?;
    let layout = world.mesh.layout();
    let corner = |x: i32, z: i32| layout.corner(x, z);
    let (origin, next) = (corner(0, 0), corner(1, 1));
    let size = next - origin;
    let x = ((at.x - origin.x) / size.x).floor() as i32;
    let z = ((at.z - origin.y) / size.y).floor() as i32;
    Some(TileCoord { x, z, layer: 0 })
}

impl Tool for TileTool {
    fn title(&self) -> &'static str {
        "Tiles"
    }

    fn help(&self) -> &'static str {
        "A click builds the tile under the pointer anew, Ctrl-click removes it, Shift-click only chooses it. Neighbours \
         are linked again by themselves."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        self.receive(stage);
        let Some(world) = &stage.world else {
            controls.note("There is no mesh.");
            return;
        };
        controls.figure("Tiles", &world.mesh.tile_count().to_string());
        let count = world.plan.map_or(0, |plan| plan.tile_count());
        if world.plan.is_none() {
            controls.note("This mesh was not baked here: its tiles can only be removed.");
        } else {
            if controls.button("Build all tiles") {
                self.build(stage, (0..count).collect());
            }
            if count < 2 {
                controls.note("The level is one tile. Set a tile size to have more.");
            }
        }
        if controls.button("Remove all tiles") {
            stage.edit("remove all tiles", |mesh| {
                let all: Vec<_> = mesh.tiles().map(|tile| tile.tile_ref()).collect();
                all.into_iter().filter(|&tile| mesh.remove_tile(tile).is_ok()).count()
            });
        }
        if let Some(task) = &self.builds {
            controls.note(&format!("Building: {:.0} %", task.progress() * 100.0));
        }
        controls.figure("Last build", &format!("{:.2} ms", self.last.as_secs_f64() * 1e3));
        let Some(coord) = self.chosen else { return };
        controls.heading(&format!("Tile {}, {}", coord.x, coord.z));
        if let Some(tile) = stage.mesh().and_then(|mesh| mesh.tile_at(coord)) {
            controls.figure("Reference", &tile.tile_ref().to_string());
            controls.figure("Polygons", &tile.poly_count().to_string());
            controls.figure("Links", &tile.links().all().len().to_string());
            let bytes = tile.bytes();
            controls.figure("Data", &format!("{:.1} kB", bytes.data as f64 / 1024.0));
            controls.figure("Index", &format!("{:.1} kB", bytes.index as f64 / 1024.0));
        } else {
            controls.note("It is empty.");
        }
        if controls.button("Rebuild this tile")
            && let Some(index) = self.chosen_index(stage)
        {
            self.build(stage, vec![index]);
        }
        if controls.button("Remove this tile") {
            self.remove(stage, coord);
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        self.chosen = coord_at(stage, click.at);
        let Some(coord) = self.chosen else { return };
        if click.remove {
            self.remove(stage, coord);
        } else if !click.shift
            && let Some(index) = self.chosen_index(stage)
        {
            self.build(stage, vec![index]);
        }
    }

    fn update(&mut self, stage: &mut Stage, _: f32) -> bool {
        self.receive(stage);
        self.builds.is_some()
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        let (Some(coord), Some(mesh)) = (self.chosen, stage.mesh()) else { return };
        let layout = mesh.layout();
        let (low, high) = (layout.corner(coord.x, coord.z), layout.corner(coord.x + 1, coord.z + 1));
        let heights = match mesh.tile_at(coord) {
            Some(tile) => [tile.bounds().min.y, tile.bounds().max.y],
            None => [mesh.bounds().min.y, mesh.bounds().max.y],
        };
        let min = Vec3::new(low.x, heights[0], low.y);
        let max = Vec3::new(high.x, heights[1] + 0.5, high.y);
        box_edges(&Aabb { min, max }, Pen::of(Ink::Current).width(3.0), canvas);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn a_tile_is_removed_and_built_again_as_it_was() {
        let mut stage = baked_stage("dungeon");
        let tile = stage.mesh().unwrap().tiles().next().unwrap();
        let (coord, at, data) = (tile.coord(), tile.bounds().center(), tile.data().clone());
        let mut tool = TileTool::default();
        tool.click(&mut stage, &Click::at(at).removing());
        assert_eq!(tool.chosen, Some(coord));
        assert!(stage.mesh().unwrap().tile_at(coord).is_none());
        tool.click(&mut stage, &Click::at(at));
        while tool.update(&mut stage, 0.0) {
            std::thread::yield_now();
        }
        let mesh = stage.mesh().unwrap();
        assert_eq!(mesh.tile_at(coord).unwrap().data(), &data);
        assert!(mesh.check().is_empty());
    }
}
