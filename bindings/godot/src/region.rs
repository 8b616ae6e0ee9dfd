//! Regions: what is baked, and what has become of it.

use crate::core::{Id, Level, MapNews, with};
use crate::debug_draw::Drawing;
use crate::mesh::WayfareMesh;
use crate::nodes::{self, Kind};
use crate::server::{WayfareServer, rid};
use crate::source;
use godot::classes::{Engine, INode3D, Node, Node3D};
use godot::prelude::*;

/// Physics ticks before a bake at the start: CSG makes its meshes at the end of the first.
const SETTLING: u32 = 2;

/// A navigation mesh of the scene for one size of agent. For agents of several sizes, add one for each.
///
/// It is baked from its children, or from a group of nodes, in the editor or while the game runs, in the background.
/// Bake it again after something has changed: only the tiles under what changed are. [WayfareObstacle], [WayfareArea]
/// and [WayfareLink] need no bake: the mesh follows them. Known from [NavigationRegion3D].
#[derive(GodotClass)]
#[class(tool, init, base = Node3D)]
pub struct WayfareRegion {
    /// The mesh and the settings that it is baked with. Without one, a bake makes one with settings by default.
    #[export]
    pub navigation_mesh: Option<Gd<WayfareMesh>>,
    /// Whether paths are found on it. Default true.
    #[export]
    #[init(val = true)]
    pub enabled: bool,
    /// The layers that it is in; agents and questions that share one see it. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub navigation_layers: u32,
    /// The layers of obstacles, areas and links that it sees. Default all.
    #[export(flags_3d_navigation)]
    #[init(val = u32::MAX)]
    pub parts_mask: u32,
    /// Whether it is baked when the game starts, if it was not baked in the editor. Default true.
    #[export]
    #[init(val = true)]
    pub bake_on_start: bool,
    /// Cells of work that it does in each physics tick, on the main thread: a simulation then is the same on every
    /// machine; 100,000 take about a millisecond. Default 0: on a thread of its own, which takes nothing from frames.
    #[export(range = (0.0, 10000000.0, 1.0, or_greater))]
    pub cells_per_tick: u32,
    /// Whether the mesh is drawn while the game runs; in the editor it always is. Default false.
    #[export]
    pub debug_enabled: bool,
    /// Parses the nodes and bakes them.
    #[export_tool_button(fn = Self::bake_by_button, name = "Bake navigation mesh", icon = "Bake")]
    pub bake: PhantomVar<Callable>,
    /// Its number; 0 while it is not in a scene.
    id: Id,
    map: Id,
    /// The resource, and its revision, that is shown.
    shown: Option<(InstanceId, u32)>,
    /// Whether there was a bake, or a mesh to show.
    was_started: bool,
    /// Physics ticks in the scene.
    ticks: u32,
    obstructions: Vec<Id>,
    drawing: Drawing,
    base: Base<Node3D>,
}

#[godot_api]
impl INode3D for WayfareRegion {
    fn enter_tree(&mut self) {
        (self.id, self.map) = with(|state| {
            let region = state.add_region();
            (region, state.find_map(region).unwrap_or(0))
        });
        nodes::add(Kind::Region, self.id, self.base().instance_id());
        WayfareServer::keep_running();
    }

    fn exit_tree(&mut self) {
        nodes::remove(Kind::Region, self.id);
        with(|state| {
            self.obstructions.drain(..).for_each(|part| {
                state.remove(part);
            });
            state.remove(self.id)
        });
        self.drawing.clear();
        (self.id, self.map, self.shown, self.was_started, self.ticks) = (0, 0, None, false, 0);
    }
}

#[godot_api]
impl WayfareRegion {
    /// Tiles are baked; this much is done, 0…1.
    #[signal]
    fn bake_progress(done: f32);
    /// A bake is done; [signal bake_failed] tells whether something went wrong.
    #[signal]
    fn bake_finished();
    /// Nothing, or not everything, could be baked: why, in a sentence.
    #[signal]
    fn bake_failed(reason: GString);
    /// The mesh is another: after a bake, and after obstacles, areas or links were followed.
    #[signal]
    fn navigation_mesh_changed();

    /// Parses the nodes and bakes them, in the background or, with `on_thread` false, at once. After the first time only
    /// tiles under triangles that came or went are baked.
    #[func]
    pub fn bake_navigation_mesh(&mut self, #[opt(default = true)] on_thread: bool) {
        if self.id == 0 {
            godot_error!("WayfareRegion.bake_navigation_mesh: the region is not in a scene: add it to one first");
            return;
        }
        let mesh = self.navigation_mesh.get_or_insert_with(WayfareMesh::new_gd).clone();
        let settings = mesh.bind().settings();
        let root = self.to_gd().upcast::<Node>();
        let parsed = {
            // Parsers of add-ons may call back.
            let _guard = self.base_mut();
            source::parse(&mesh.bind(), &root)
        };
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(problem) => return self.failed(&problem),
        };
        // What is there from now on is of this bake, not of the resource.
        self.shown = Some(key(&mesh));
        self.was_started = true;
        let (map, old) = (self.map, core::mem::take(&mut self.obstructions));
        self.obstructions = with(|state| {
            old.into_iter().for_each(|part| {
                state.remove(part);
            });
            let parts = parsed.obstructions.into_iter().map(|volume| {
                let id = state.next();
                state.set_volume(id, Some(source::part(volume, map)));
                id
            });
            let parts = parts.collect();
            state.bake(map, parsed.triangles, settings);
            parts
        });
        if !on_thread {
            self.describe_to_map();
            WayfareServer::describe_parts();
            let news = with(|state| state.maps.get_mut(&map).map(|map| map.force()).unwrap_or_default());
            let this = self.to_gd();
            let _guard = self.base_mut();
            news.into_iter().for_each(|news| Self::hear(this.clone(), news));
        }
    }

    /// Whether a bake is not done yet.
    #[func]
    pub fn is_baking(&self) -> bool {
        with(|state| state.maps.get(&self.map).is_some_and(|map| map.is_baking()))
    }

    /// Whether the mesh shows all that has changed: no bake, and no obstacle, area or link is waited for.
    #[func]
    pub fn is_settled(&self) -> bool {
        with(|state| state.maps.get(&self.map).is_some_and(|map| map.is_settled()))
    }

    /// Puts the mesh as it is into [member navigation_mesh], to be saved with it. The editor does so after each bake.
    /// `false` while a bake is going on, or where there is nothing to store.
    #[func]
    pub fn store_navigation_mesh(&mut self) -> bool {
        let Some(bytes) = with(|state| state.maps.get(&self.map).and_then(|map| map.to_way())) else { return false };
        let mut mesh = self.navigation_mesh.get_or_insert_with(WayfareMesh::new_gd).clone();
        {
            // Who listens to the resource may call back; what it holds is shown already.
            self.shown = Some((mesh.instance_id(), mesh.bind().revision + 1));
            let _guard = self.base_mut();
            mesh.bind_mut().set_data(PackedByteArray::from(bytes.as_slice()));
        }
        true
    }

    /// Forgets the mesh, until the next bake.
    #[func]
    pub fn clear_navigation_mesh(&mut self) {
        with(|state| {
            if let Some(map) = state.maps.get_mut(&self.map) {
                map.clear();
            }
        });
        self.shown = self.navigation_mesh.as_ref().map(key);
        self.was_started = true;
    }

    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        rid(self.id)
    }

    /// The number of its map: questions to [WayfareServer] are asked of maps.
    #[func]
    pub fn get_navigation_map(&self) -> Rid {
        rid(self.map)
    }

    /// The box around its mesh, in the world.
    #[func]
    pub fn get_bounds(&self) -> Aabb {
        with(|state| state.maps.get(&self.map).map(|map| source::to_godot_box(map.mesh.bounds()))).unwrap_or_default()
    }

    /// Puts it into a layer, 1…32, or takes it out.
    #[func]
    pub fn set_navigation_layer_value(&mut self, layer_number: i64, value: bool) {
        crate::layers::set(&mut self.navigation_layers, layer_number, value);
    }

    /// Whether it is in a layer, 1…32.
    #[func]
    pub fn get_navigation_layer_value(&self, layer_number: i64) -> bool {
        crate::layers::get(self.navigation_layers, layer_number)
    }
}

/// Which content of a resource.
fn key(mesh: &Gd<WayfareMesh>) -> (InstanceId, u32) {
    (mesh.instance_id(), mesh.bind().revision)
}

impl WayfareRegion {
    fn bake_by_button(&mut self) {
        self.bake_navigation_mesh(true);
    }

    fn failed(&mut self, problem: &str) {
        godot_error!("{}: {problem}", self.base().get_path());
        self.was_started = true;
        self.signals().bake_failed().emit(problem);
        self.signals().bake_finished().emit();
    }

    /// Tells the server what has changed about it.
    pub(crate) fn describe(&mut self) {
        self.describe_to_map();
        let mesh = self.navigation_mesh.as_ref().map(key);
        if mesh.is_some() && mesh != self.shown {
            self.show();
        }
        let is_game = !Engine::singleton().is_editor_hint();
        self.ticks += 1;
        if is_game && self.bake_on_start && !self.was_started && self.ticks > SETTLING {
            self.bake_navigation_mesh(true);
        }
        let is_drawn = !is_game || self.debug_enabled;
        let world = self.base().get_world_3d();
        if let Some(world) = world.filter(|_| is_drawn && self.base().is_visible_in_tree()) {
            with(|state| state.maps.get(&self.map).map(|map| (map.iteration, map.mesh.clone())))
                .into_iter()
                .for_each(|(iteration, mesh)| self.drawing.show(iteration, &mesh, &world));
        } else {
            self.drawing.clear();
        }
    }

    fn describe_to_map(&self) {
        with(|state| {
            state.set_parts_mask(self.map, self.parts_mask);
            if let Some(map) = state.maps.get_mut(&self.map) {
                map.enabled = self.enabled;
                map.navigation_layers = self.navigation_layers;
                map.cells_per_tick = self.cells_per_tick;
            }
        });
    }

    /// Shows what the resource holds.
    fn show(&mut self) {
        let Some(mesh) = self.navigation_mesh.clone() else { return };
        self.shown = Some(key(&mesh));
        let data = mesh.bind().data.clone();
        if data.is_empty() {
            return;
        }
        match Level::from_way(data.as_slice()) {
            Ok(level) => {
                with(|state| state.show(self.map, level));
                self.was_started = true;
                self.signals().navigation_mesh_changed().emit();
            }
            Err(problem) => self.failed(&format!("its navigation mesh cannot be read: {problem}")),
        }
    }

    /// Passes on what happened to its map.
    pub(crate) fn hear(mut this: Gd<Self>, news: MapNews) {
        match news {
            MapNews::Baking(done) => this.signals().bake_progress().emit(done),
            MapNews::Changed => this.signals().navigation_mesh_changed().emit(),
            MapNews::Problems(problems) => {
                godot_error!("{}: {}", this.get_path(), problems.join("; "));
                this.signals().bake_failed().emit(&problems.join("; "));
            }
            MapNews::Baked(problems) => {
                if !problems.is_empty() {
                    let problem = problems.join("; ");
                    godot_error!("{}: {problem}", this.get_path());
                    this.signals().bake_failed().emit(&problem);
                } else if Engine::singleton().is_editor_hint() {
                    this.bind_mut().store_navigation_mesh();
                }
                this.signals().bake_finished().emit();
            }
        }
    }
}
