//! A world of blocks: place and remove them, and watch its mini meshes being built where a search comes by.

use crate::canvas::{Canvas, Ink, Pen};
use crate::input::Ray;
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::task::LabClock;
use crate::workbench::tool::{Click, Tool};
use std::sync::Arc;
use std::time::Duration;
use wayfare::Vec3;
use wayfare::blocks::{
    Block, BlockBox, BlockNav, BlockPath, BlockPathRequest, BlockSettings, BlockSource, Cell, DenseBlocks,
};
use wayfare::context::Clock;
use wayfare::debug::{draw_block_nav, draw_path};

const ACTIONS: [&str; 3] = ["Ask for a path", "Place a block", "Remove a block"];

/// Cubes along x and z, along y, and the seed.
const WORLD: (u32, u32, u64) = (48, 20, 3);

/// A world with its navigation.
struct BlockWorld {
    blocks: DenseBlocks,
    nav: BlockNav,
}

/// The tool.
#[derive(Default)]
pub struct BlockTool {
    world: Option<BlockWorld>,
    action: usize,
    start: Option<Cell>,
    goal: Option<Cell>,
    answer: Option<BlockPath>,
    took: Duration,
    edits: Vec<(Cell, Block)>,
    hides_nav: bool,
    picture: Arc<Canvas>,
}

impl core::fmt::Debug for BlockTool {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BlockTool").field("edits", &self.edits).finish_non_exhaustive()
    }
}

fn build() -> Option<BlockWorld> {
    let (size, height, seed) = WORLD;
    let scene = wayfare_scenes::Blocks::new(size, height, seed);
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(size as i32 - 1, height as i32 + 7, size as i32 - 1));
    let fill = |x, y, z| if scene.is_solid(x, y, z) { Block::Solid } else { Block::Air };
    let blocks = DenseBlocks::from_fn(bounds, fill).ok()?;
    let nav = BlockNav::new(BlockSettings::default()).ok()?;
    Some(BlockWorld { blocks, nav })
}

impl BlockWorld {
    /// The block that a ray meets first, and the empty cell before it.
    fn hit(&self, ray: &Ray) -> Option<[Cell; 2]> {
        const STEP: f32 = 0.05;
        let bounds = self.blocks.bounds()?;
        let cell = |at: Vec3| Cell::new(at.x.floor() as i32, at.y.floor() as i32, at.z.floor() as i32);
        let top = (bounds.max.y + 1) as f32;
        // Nothing is above the world: begin where the ray comes down into it.
        let begin = if ray.from.y > top { (top - ray.from.y) / ray.along.y } else { 0.0 };
        let mut before = cell(ray.from + ray.along * begin);
        for i in 0..6000_u16 {
            let here = cell(ray.from + ray.along * (begin + f32::from(i) * STEP));
            if self.blocks.is_solid(here.x, here.y, here.z) {
                return Some([here, before]);
            }
            before = here;
        }
        None
    }

    fn set(&mut self, cell: Cell, block: Block) -> Option<Block> {
        let old = self.blocks.block(cell.x, cell.y, cell.z);
        if !self.blocks.set(cell, block) {
            return None;
        }
        self.nav.invalidate(BlockBox::of(cell));
        Some(old)
    }
}

impl BlockTool {
    fn ask(&mut self) {
        let (Some(world), Some(start), Some(goal)) = (&mut self.world, self.start, self.goal) else { return };
        let before = LabClock.now();
        self.answer = Some(world.nav.find_path(&world.blocks, &BlockPathRequest::to(start, goal)));
        self.took = LabClock.now().saturating_sub(before);
    }

    /// Draws the top faces and sides of all blocks that can be seen.
    fn picture_blocks(&mut self) {
        let mut canvas = Canvas::new();
        let Some(world) = &self.world else { return };
        let Some(bounds) = world.blocks.bounds() else { return };
        let solid = |x: i32, y: i32, z: i32| world.blocks.is_solid(x, y, z);
        for z in bounds.min.z..=bounds.max.z {
            for x in bounds.min.x..=bounds.max.x {
                for y in (bounds.min.y..=bounds.max.y).filter(|&y| solid(x, y, z)) {
                    draw_faces(Cell::new(x, y, z), solid, &mut canvas);
                }
            }
        }
        self.picture = Arc::new(canvas);
    }

    fn begin(&mut self) {
        self.world = build();
        self.picture_blocks();
    }
}

fn draw_faces(cell: Cell, solid: impl Fn(i32, i32, i32) -> bool, canvas: &mut Canvas) {
    let Cell { x, y, z } = cell;
    let at = |dx: i32, dy: i32, dz: i32| Vec3::new((x + dx) as f32, (y + dy) as f32, (z + dz) as f32);
    let ink = Ink::Solid;
    if !solid(x, y + 1, z) {
        canvas.fill(&[at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)], ink, 1.0);
    }
    if !solid(x - 1, y, z) {
        canvas.fill(&[at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)], ink, 1.0);
    }
    if !solid(x + 1, y, z) {
        canvas.fill(&[at(1, 0, 1), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1)], ink, 1.0);
    }
    if !solid(x, y, z - 1) {
        canvas.fill(&[at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(1, 1, 0)], ink, 1.0);
    }
    if !solid(x, y, z + 1) {
        canvas.fill(&[at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)], ink, 1.0);
    }
}

impl Tool for BlockTool {
    fn title(&self) -> &'static str {
        "Block world"
    }

    fn help(&self) -> &'static str {
        "A world of blocks in place of the level. Click for a path (Shift-click begins it), or place and remove blocks. \
         Only what a search needs is built: green once it is connected."
    }

    fn panel(&mut self, _: &mut Stage, controls: &mut dyn Controls) {
        if self.world.is_none() {
            self.begin();
        }
        controls.choice("A click does", &mut self.action, &ACTIONS);
        let mut shown = !self.hides_nav;
        controls.toggle("Show what is built", &mut shown);
        self.hides_nav = !shown;
        if controls.button("Begin anew") {
            *self = Self { action: self.action, hides_nav: self.hides_nav, ..Self::default() };
            self.begin();
        }
        let Some(world) = &self.world else { return };
        let stats = world.nav.stats();
        let total = world.nav.mini_mesh_count(&world.blocks).unwrap_or(0);
        controls.heading("Mini meshes");
        controls.figure("In the world", &total.to_string());
        controls.figure("Built", &stats.built.to_string());
        controls.figure("Connected", &stats.connected.to_string());
        controls.figure("Memory", &format!("{:.1} kB", stats.bytes as f64 / 1024.0));
        controls.figure("Edits", &self.edits.len().to_string());
        if let Some(answer) = &self.answer {
            controls.heading("Path");
            controls.figure("Status", &format!("{:?}", answer.status).to_lowercase());
            controls.figure("Length", &format!("{:.1} m", answer.length));
            controls.figure("Visited", &answer.visited.to_string());
            controls.figure("Took", &format!("{:.2} ms", self.took.as_secs_f64() * 1e3));
        }
    }

    fn click(&mut self, _: &mut Stage, click: &Click) {
        let Some(world) = &mut self.world else { return };
        let Some([hit, before]) = world.hit(&click.ray) else { return };
        let stand = Cell::new(hit.x, hit.y + 1, hit.z);
        let edit = match if click.remove { 2 } else { self.action } {
            1 => world.set(before, Block::Solid).map(|old| (before, old)),
            2 => world.set(hit, Block::Air).map(|old| (hit, old)),
            _ if click.shift || self.start.is_none() => {
                self.start = Some(stand);
                None
            }
            _ => {
                self.goal = Some(stand);
                None
            }
        };
        if let Some(edit) = edit {
            self.edits.push(edit);
            self.picture_blocks();
        }
        self.ask();
    }

    fn draw(&self, _: &Stage, canvas: &mut Canvas) {
        let Some(world) = &self.world else { return };
        if !self.hides_nav {
            let mut drawn = Canvas::new();
            draw_block_nav(&world.nav, &mut drawn);
            for fill in &drawn.fills {
                let corners: Vec<Vec3> = drawn.corners_of(fill).iter().map(|&corner| corner + Vec3::Y * 0.03).collect();
                canvas.triangles(&corners, Ink::Allowed, 0.4);
            }
            for line in &drawn.lines {
                canvas.path(drawn.points_of(line), line.pen);
            }
        }
        if let Some(answer) = &self.answer
            && let Some(&end) = answer.points.last()
        {
            let points: Vec<Vec3> = answer.points.iter().map(|&point| point + Vec3::Y * 0.1).collect();
            draw_path(&points, end, 0, canvas);
        }
        for (cell, ink) in [(self.start, Ink::Start), (self.goal, Ink::Goal)] {
            if let Some(cell) = cell {
                let at = world.nav.position(cell);
                canvas.dot(at, 13.0, ink);
                canvas.circle(at, 0.45, Pen::of(ink).width(3.0));
            }
        }
    }

    fn backdrop(&self) -> Option<Arc<Canvas>> {
        self.world.as_ref().map(|_| self.picture.clone())
    }

    fn undo(&mut self, _: &mut Stage) -> bool {
        let Some((cell, old)) = self.edits.pop() else { return false };
        if let Some(world) = &mut self.world {
            world.set(cell, old);
        }
        self.picture_blocks();
        self.ask();
        true
    }

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;

    #[test]
    fn blocks_are_clicked_on_and_paths_found() {
        let mut stage = Stage::default();
        let mut tool = BlockTool::default();
        tool.panel(&mut stage, &mut Script::default());
        tool.click(&mut stage, &Click::at(Vec3::new(10.5, 0.0, 10.5)));
        tool.click(&mut stage, &Click::at(Vec3::new(30.5, 0.0, 26.5)));
        let answer = tool.answer.clone().unwrap();
        assert!(answer.points.len() > 1, "{answer:?}");
        tool.action = 1;
        tool.click(&mut stage, &Click::at(Vec3::new(20.5, 0.0, 18.5)));
        assert_eq!(tool.edits.len(), 1);
        assert!(tool.undo(&mut stage) && !tool.undo(&mut stage));
        assert!(tool.backdrop().unwrap().corners.len() > 10_000);
        let mut canvas = Canvas::new();
        tool.draw(&stage, &mut canvas);
        assert!(!canvas.lines.is_empty());
    }
}
