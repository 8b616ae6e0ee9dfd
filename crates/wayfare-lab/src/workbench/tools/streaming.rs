//! A world of which only some tiles are in memory: an agent walks through it corridor by corridor, and tiles come and
//! go around it.

use super::path::fill;
use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::hierarchy::{
    HierarchicalPath, HierarchyScratch, MeshTiles, NextCorridor, Refinement, ResidentBudget, ResidentWorld,
};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection, StaleRef, Tile};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, SearchScratch, string_pull};
use wayfare::tile::TileCoord;

/// The tool.
#[derive(Debug)]
pub struct StreamingTool {
    world: Option<World>,
    tiles: u32,
    window: u32,
    speed: f32,
    paused: bool,
    ends: [Option<Vec3>; 2],
    walk: Option<Walk>,
    status: String,
}

/// The mesh as a world that is read tile by tile.
#[derive(Debug)]
struct World {
    tiles: ResidentWorld<MeshTiles>,
    /// The mesh that it was made of, with the numbers of its bake and of its last change.
    mesh: NavMesh,
    bake: u64,
    version: u64,
}

impl World {
    fn new(mesh: &NavMesh, stage: &Stage, budget: ResidentBudget) -> Self {
        let tiles = ResidentWorld::new(MeshTiles::new(mesh), budget);
        let bake = stage.world.as_ref().map_or(0, |world| world.bake);
        Self { tiles, mesh: mesh.clone(), bake, version: stage.version() }
    }

    /// Reads the tiles again that an edit has changed. Says whether that was enough: with other tiles or connections it
    /// is another world.
    fn follow(&mut self, mesh: &NavMesh, stage: &Stage) -> bool {
        let coords = |mesh: &NavMesh| -> Vec<TileCoord> { mesh.tiles().map(Tile::coord).collect() };
        let definitions = |mesh: &NavMesh| -> Vec<OffMeshConnection> {
            mesh.connections().map(|connection| *connection.definition()).collect()
        };
        let is_same_bake = stage.world.as_ref().is_some_and(|world| world.bake == self.bake);
        if !is_same_bake || coords(mesh) != coords(&self.mesh) || definitions(mesh) != definitions(&self.mesh) {
            return false;
        }
        for tile in mesh.tiles() {
            if !self.mesh.tile_at(tile.coord()).is_some_and(|known| known.is_same_as(tile)) {
                self.tiles.source_mut().insert(tile);
                self.tiles.refresh(tile.coord());
            }
        }
        self.mesh = mesh.clone();
        self.version = stage.version();
        true
    }
}

/// An agent on its way.
#[derive(Debug)]
struct Walk {
    path: HierarchicalPath,
    /// What is left of the corridor's string, last point first.
    line: Vec<Vec3>,
    at: Vec3,
    trail: Vec<Vec3>,
    corridors: u32,
    /// Whether it has arrived, or cannot go on: it is not asked again.
    has_ended: bool,
}

impl Default for StreamingTool {
    fn default() -> Self {
        Self {
            world: None,
            tiles: 12,
            window: 3,
            speed: 8.0,
            paused: false,
            ends: [None; 2],
            walk: None,
            status: String::new(),
        }
    }
}

impl StreamingTool {
    /// Makes the world anew, and begins the walk.
    fn begin(&mut self, stage: &Stage) {
        self.walk = None;
        self.world = None;
        let Some(mesh) = stage.mesh() else { return };
        let budget = ResidentBudget { tiles: self.tiles as usize, ..ResidentBudget::default() };
        self.world = Some(World::new(mesh, stage, budget));
        if let [Some(from), Some(to)] = self.ends {
            self.walk = self.path(from, to, stage).map(|path| Walk {
                path,
                line: Vec::new(),
                at: from,
                trail: vec![from],
                corridors: 0,
                has_ended: false,
            });
        }
    }

    /// A path that is not searched yet; none if one of its ends is beside the mesh.
    fn path(&mut self, from: Vec3, to: Vec3, stage: &Stage) -> Option<HierarchicalPath> {
        let World { tiles, mesh, .. } = self.world.as_mut()?;
        let (radius, height) = stage.agent_size();
        let reach = Vec3::new(radius * 4.0, height * 1.5, radius * 4.0);
        let filter = DefaultFilter::of(mesh);
        let [Some(start), Some(goal)] = [from, to].map(|at| tiles.nearest(at, reach, &filter)) else {
            "One of the ends is not on the mesh.".clone_into(&mut self.status);
            return None;
        };
        "walks".clone_into(&mut self.status);
        Some(HierarchicalPath::new(&PathRequest::new(start, goal), Refinement::Workspace(self.window)))
    }

    /// After a change of the mesh, the agent looks for its way anew from where it stands.
    fn follow_mesh(&mut self, stage: &Stage) {
        let (Some(world), Some(mesh)) = (&mut self.world, stage.mesh()) else { return };
        if world.version == stage.version() {
            return;
        }
        if !world.follow(mesh, stage) {
            return self.begin(stage);
        }
        let ([_, Some(to)], Some(mut walk)) = (self.ends, self.walk.take()) else { return };
        if let Some(path) = self.path(walk.at, to, stage) {
            walk.path = path;
            walk.line.clear();
            walk.has_ended = false;
            self.walk = Some(walk);
        }
    }

    fn go_on(&mut self, stage: &Stage, dt: f32) -> Result<bool, StaleRef> {
        let (Some(walk), Some(World { tiles, .. }), Some(mesh)) = (&mut self.walk, &mut self.world, stage.mesh())
        else {
            return Ok(false);
        };
        if walk.has_ended {
            return Ok(false);
        }
        let mut left = self.speed * dt;
        while left > 0.0 {
            let Some(&next) = walk.line.last() else {
                let mut path = PolyPath::default();
                let filter = DefaultFilter::of(mesh);
                let found = walk.path.next_corridor(tiles, &filter, &mut HierarchyScratch::new(), &mut path)?;
                if let NextCorridor::None | NextCorridor::Done = found {
                    walk.has_ended = true;
                    self.status = match walk.path.status() {
                        PathStatus::Complete => "has arrived".to_owned(),
                        _ => match walk.path.events().last() {
                            Some(event) => format!("There is no way on: {event:?}."),
                            None => "There is no way on.".to_owned(),
                        },
                    };
                    return Ok(false);
                }
                walk.corridors += 1;
                let straight = string_pull(&path, &mut SearchScratch::new());
                walk.line = straight.points.iter().rev().map(|point| point.point).collect();
                continue;
            };
            let to = next - walk.at;
            if to.length() <= left {
                left -= to.length();
                walk.at = next;
                walk.trail.push(next);
                walk.line.pop();
            } else {
                walk.at += to.normalize_or_zero() * left;
                left = 0.0;
            }
        }
        Ok(true)
    }
}

impl Tool for StreamingTool {
    fn title(&self) -> &'static str {
        "Streaming"
    }

    fn help(&self) -> &'static str {
        "Pretends that the mesh is too large for memory: only the tiles that are filled are there. Shift-click sets the \
         start, a click the goal; the agent walks from corridor to corridor, and tiles come and go. Best in a large \
         scene with small tiles."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        controls.hint("So many tiles are in memory at most");
        let mut changed = controls.count("Tiles in memory", &mut self.tiles, 1..=100);
        controls.hint("So many tiles are searched at once for the next piece of the way");
        changed |= controls.count("Tiles ahead", &mut self.window, 1..=12);
        controls.slider("Speed", &mut self.speed, 1.0..=60.0);
        controls.toggle("Pause", &mut self.paused);
        if changed || (self.walk.is_some() && controls.button("Begin again")) {
            self.begin(stage);
        }
        let Some(World { tiles: world, .. }) = &self.world else {
            controls.note("Click on the mesh: where the agent begins, and then where it goes.");
            return;
        };
        let stats = world.stats();
        controls.heading("Memory");
        controls.figure("Tiles of the world", &world.tile_count().to_string());
        controls.figure("In memory", &world.resident_slots().count().to_string());
        controls.figure("Most at once", &stats.most_tiles.to_string());
        controls.figure("Most bytes", &format!("{:.1} kB", stats.most_bytes as f64 / 1024.0));
        controls.figure("Loaded", &stats.loaded.to_string());
        controls.figure("Evicted", &stats.evicted.to_string());
        controls.heading("Walk");
        controls.figure("Status", &self.status);
        if let Some(walk) = &self.walk {
            controls.figure("Corridors", &walk.corridors.to_string());
            controls.figure("Abstract nodes", &walk.path.abstract_nodes().to_string());
            controls.figure("Nodes over polygons", &walk.path.nodes().to_string());
            controls.figure("Cost so far", &format!("{:.1}", walk.path.cost()));
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        let end = usize::from(!click.shift && self.ends[0].is_some());
        self.ends[end] = Some(click.at);
        self.begin(stage);
    }

    fn update(&mut self, stage: &mut Stage, dt: f32) -> bool {
        self.follow_mesh(stage);
        if self.paused || dt <= 0.0 {
            return false;
        }
        match self.go_on(stage, dt.min(0.1)) {
            Ok(walks) => walks,
            Err(stale) => {
                self.status = format!("There is no way on: {stale}.");
                self.walk = None;
                false
            }
        }
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        let Some(World { tiles: world, .. }) = &self.world else { return };
        let outline = |bounds: &Aabb, pen: Pen, canvas: &mut Canvas| {
            let (low, high) = (bounds.min, bounds.max);
            let at = |x, z| Vec3::new(x, low.y + 0.1, z);
            canvas.outline(&[at(low.x, low.z), at(low.x, high.z), at(high.x, high.z), at(high.x, low.z)], pen);
        };
        for tile in stage.mesh().into_iter().flat_map(|mesh| mesh.tiles()) {
            outline(&tile.bounds(), Pen::of(Ink::Faint).width(1.0).alpha(0.6), canvas);
        }
        use wayfare::hierarchy::TileAccess as _;
        for tile in world.mesh().tiles() {
            for poly in 0..tile.poly_count() {
                fill(world.mesh(), tile.reference(poly), Ink::Allowed, canvas);
            }
            outline(&tile.bounds(), Pen::of(Ink::Allowed).width(2.0), canvas);
        }
        if let Some(walk) = &self.walk {
            let (radius, height) = stage.agent_size();
            canvas.path(&walk.trail, Pen::of(Ink::Agent(0)).width(2.0));
            let ahead: Vec<Vec3> = std::iter::once(walk.at).chain(walk.line.iter().rev().copied()).collect();
            canvas.path(&ahead, Pen::of(Ink::Path(0)).width(4.0));
            let rest: Vec<Vec3> = ahead.last().copied().into_iter().chain(walk.path.rest()).collect();
            canvas.path(&rest, Pen::of(Ink::Path(0)).width(2.0).dashed());
            let velocity = walk.line.last().map_or(Vec3::ZERO, |next| *next - walk.at);
            canvas.agent(walk.at, (radius, height), velocity, Ink::Agent(0));
        }
        for (end, ink) in self.ends.iter().zip([Ink::Start, Ink::Goal]) {
            if let Some(at) = *end {
                canvas.circle(at, stage.agent_size().0, Pen::of(ink).width(3.0));
            }
        }
    }

    fn points(&self) -> Vec<Vec3> {
        self.ends.into_iter().flatten().collect()
    }

    fn set_points(&mut self, stage: &mut Stage, points: &[Vec3]) {
        self.ends = [points.first().copied(), points.get(1).copied()];
        self.begin(stage);
    }

    fn reset(&mut self) {
        *self = Self { tiles: self.tiles, window: self.window, speed: self.speed, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn an_agent_arrives_with_few_tiles_in_memory() {
        let mut stage = baked_stage("dungeon");
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let mut tool = StreamingTool { tiles: 6, window: 2, speed: 40.0, ..StreamingTool::default() };
        tool.click(&mut stage, &Click::at(from));
        tool.click(&mut stage, &Click::at(to));
        let frames = (0..4000).take_while(|_| tool.update(&mut stage, 0.05)).count();
        assert!(frames > 3 && tool.status == "has arrived", "{frames}: {}", tool.status);
        let stats = tool.world.as_ref().unwrap().tiles.stats();
        assert!(stats.most_tiles <= 6 && stats.evicted > 0, "{stats:?}");
        let mut canvas = Canvas::new();
        tool.draw(&stage, &mut canvas);
        assert!(!canvas.fills.is_empty());
    }

    #[test]
    fn a_tile_that_changes_is_read_again_and_the_walk_goes_on() {
        use wayfare::area::PolyFlags;
        use wayfare::hierarchy::TileAccess as _;
        let mut stage = baked_stage("dungeon");
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let mut tool = StreamingTool { tiles: 6, window: 2, speed: 10.0, ..StreamingTool::default() };
        tool.set_points(&mut stage, &[from, to]);
        for _ in 0..10 {
            tool.update(&mut stage, 0.05);
        }
        let before = tool.walk.as_ref().unwrap().at;
        let poly = stage.on_mesh(to).unwrap().poly;
        stage.edit("mark a polygon", |mesh| mesh.set_flags(poly, PolyFlags(3))).unwrap().unwrap();
        tool.follow_mesh(&stage);
        let walk = tool.walk.as_ref().unwrap();
        assert!(walk.at == before && walk.line.is_empty() && walk.at.distance(from) > 2.0);
        let world = tool.world.as_mut().unwrap();
        assert_eq!(world.version, stage.version());
        let tile = stage.mesh().unwrap().locate(poly).unwrap().0.coord();
        let slot = world.tiles.slot_at(tile).unwrap();
        world.tiles.pin(slot).unwrap();
        let index = poly.poly().get();
        assert_eq!(world.tiles.mesh().tile_at(tile).unwrap().state(index).flags, PolyFlags(3));
    }

    #[test]
    fn a_walk_without_a_way_ends_once() {
        let mut stage = baked_stage("dungeon");
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let poly = stage.on_mesh(to).unwrap().poly;
        let closed = wayfare::area::PolyFlags(0);
        stage.edit("close the goal", |mesh| mesh.set_flags(poly, closed)).unwrap().unwrap();
        let mut tool = StreamingTool { speed: 1000.0, ..StreamingTool::default() };
        tool.set_points(&mut stage, &[from, to]);
        let frames = (0..200).take_while(|_| tool.update(&mut stage, 0.1)).count();
        assert!(frames < 200);
        let nodes = |tool: &StreamingTool| tool.walk.as_ref().map(|walk| walk.path.nodes());
        let before = nodes(&tool);
        assert!(!tool.update(&mut stage, 0.1));
        assert_eq!(nodes(&tool), before, "nothing is searched again");
    }
}
