//! Regions: what is baked, and its status.

use crate::core::{Id, Level, Map, MapNews, with};
use crate::debug_draw::Drawing;
use crate::mesh::WayfareMesh;
use crate::nodes::{self, Kind};
use crate::server::{WayfareServer, id_of, rid};
use crate::source::{self, Parsed};
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
    /// How many nodes the path searches of all its agents together open in a physics tick; the rest goes on in the
    /// next. More finds paths sooner and takes longer: a thousand take about a tenth of a millisecond. Default 4096.
    #[export(range = (1.0, 100000.0, 1.0, or_greater))]
    #[init(val = 4096)]
    pub path_nodes_per_tick: u32,
    /// Whether the mesh is drawn while the game runs; in the editor it always is. Default false.
    #[export]
    pub debug_enabled: bool,
    /// Parses the nodes and bakes them.
    #[export_tool_button(fn = Self::bake_by_button, name = "Bake navigation mesh", icon = "Bake")]
    pub bake: PhantomVar<Callable>,
    /// Its number; 0 while it is not in a scene.
    id: Id,
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
        self.id = with(|state| state.add_region());
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
        (self.id, self.shown, self.was_started, self.ticks) = (0, None, false, 0);
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
    /// Nothing, or not everything, could be baked, such as a mesh without triangles: why, in a sentence.
    #[signal]
    fn bake_failed(reason: GString);
    /// The mesh is another: after a bake, and after obstacles, areas or links were followed.
    #[signal]
    fn navigation_mesh_changed();

    /// Parses the nodes and bakes them, in the background or, with `on_thread` false, at once. After the first time
    /// only tiles under triangles that came or went are baked.
    #[func(gd_self)]
    pub fn bake_navigation_mesh(mut this: Gd<Self>, #[opt(default = true)] on_thread: bool) {
        if this.bind().id == 0 {
            godot_error!("WayfareRegion.bake_navigation_mesh: the region is not in a scene: add it to one first");
            return;
        }
        let mesh = this.bind_mut().navigation_mesh.get_or_insert_with(WayfareMesh::new_gd).clone();
        let settings = mesh.bind().settings();
        // Parsers of add-ons may call back.
        let parsed = source::parse(&mesh, &this.clone().upcast::<Node>());
        if !Self::is_here(&this) {
            return;
        }
        let Parsed { triangles, obstructions, problems } = match parsed {
            Ok(parsed) => parsed,
            Err(problem) => return Self::failed(this, &problem),
        };
        let shown = key(&mesh);
        let mut region = this.bind_mut();
        // What is there from now on is of this bake, not of the resource.
        region.shown = Some(shown);
        region.was_started = true;
        let (map, old) = (region.map(), core::mem::take(&mut region.obstructions));
        region.obstructions = with(|state| {
            old.into_iter().for_each(|part| {
                state.remove(part);
            });
            let parts = obstructions.into_iter().map(|obstruction| {
                let id = state.next();
                state.set_volume(id, Some(obstruction.part(map)));
                id
            });
            let parts = parts.collect();
            state.bake(map, triangles, settings);
            parts
        });
        drop(region);
        if !problems.is_empty() {
            let problems = problems.join("; ");
            godot_error!("{}: {problems}", this.get_path());
            this.signals().bake_failed().emit(&problems);
            if !Self::is_here(&this) {
                return;
            }
        }
        if !on_thread {
            this.bind().describe_to_map();
            WayfareServer::describe_parts();
            let news = with(|state| state.maps.get_mut(&map).map(|map| map.force()).unwrap_or_default());
            WayfareServer::pass_on(&WayfareServer::singleton(), news.into_iter().map(|news| (map, news)).collect());
        }
    }

    /// Whether a bake is not done yet.
    #[func]
    pub fn is_baking(&self) -> bool {
        self.on_map(|map| map.is_baking()).unwrap_or(false)
    }

    /// Whether the mesh shows all that has changed: no bake, and no obstacle, area or link is waited for.
    #[func]
    pub fn is_settled(&self) -> bool {
        self.on_map(|map| map.is_settled()).unwrap_or(false)
    }

    /// Puts the mesh as it is into [member navigation_mesh], to be saved with it. The editor does so after each bake.
    /// `false` while a bake is going on, or where there is nothing to store.
    #[func(gd_self)]
    pub fn store_navigation_mesh(mut this: Gd<Self>) -> bool {
        let Some(bytes) = this.bind().on_map(|map| map.to_way()).flatten() else { return false };
        let mut mesh = this.bind_mut().navigation_mesh.get_or_insert_with(WayfareMesh::new_gd).clone();
        // Who listens to the resource may call back; what it holds is shown already.
        let next = (mesh.instance_id(), mesh.bind().revision + 1);
        this.bind_mut().shown = Some(next);
        mesh.bind_mut().set_data(PackedByteArray::from(bytes.as_slice()));
        true
    }

    /// Forgets the mesh, until the next bake.
    #[func]
    pub fn clear_navigation_mesh(&mut self) {
        self.on_map(Map::clear);
        self.shown = self.navigation_mesh.as_ref().map(key);
        self.was_started = true;
    }

    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        rid(self.id)
    }

    /// The same as [method get_rid].
    #[func]
    pub fn get_region_rid(&self) -> Rid {
        self.get_rid()
    }

    /// Moves it, with its mesh and who walks on it, to a map that has no region; see [method
    /// WayfareServer.region_set_map].
    #[func]
    pub fn set_navigation_map(&mut self, navigation_map: Rid) {
        if let Err(problem) = with(|state| state.move_region(self.id, id_of(navigation_map))) {
            godot_error!("WayfareRegion.set_navigation_map: {problem}");
        }
    }

    /// The number of its map: questions to [WayfareServer] are asked of maps.
    #[func]
    pub fn get_navigation_map(&self) -> Rid {
        rid(self.map())
    }

    /// The box around its mesh, in the world.
    #[func]
    pub fn get_bounds(&self) -> Aabb {
        self.on_map(|map| source::to_godot_box(map.mesh.bounds())).unwrap_or_default()
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
        // Not while the button has the region.
        self.base_mut().call_deferred("bake_navigation_mesh", &[]);
    }

    /// The number of its map, which scripts may change; 0 while it is not in a scene.
    fn map(&self) -> Id {
        with(|state| state.regions.get(&self.id).copied()).unwrap_or(0)
    }

    fn on_map<R>(&self, act: impl FnOnce(&mut Map) -> R) -> Option<R> {
        with(|state| {
            let map = *state.regions.get(&self.id)?;
            state.maps.get_mut(&map).map(act)
        })
    }

    fn failed(mut this: Gd<Self>, problem: &str) {
        godot_error!("{}: {problem}", this.get_path());
        this.bind_mut().was_started = true;
        this.signals().bake_failed().emit(problem);
        // Whoever hears of it may free the region.
        if this.is_instance_valid() {
            this.signals().bake_finished().emit();
        }
    }

    /// Tells the server what has changed about it.
    pub(crate) fn describe(this: &Gd<Self>) {
        let mut this = this.clone();
        this.bind().describe_to_map();
        let mesh = this.bind().navigation_mesh.clone();
        let mesh = mesh.filter(|mesh| this.bind().shown != Some(key(mesh)));
        if let Some(mesh) = mesh {
            Self::show(this.clone(), &mesh);
            if !Self::is_here(&this) {
                return;
            }
        }
        this.bind_mut().ticks += 1;
        if this.bind().is_due() {
            Self::bake_navigation_mesh(this.clone(), true);
            if !Self::is_here(&this) {
                return;
            }
        }
        this.bind_mut().draw();
    }

    /// Whether it is in the scene still: whoever has heard of something may have freed it, or taken it out.
    fn is_here(this: &Gd<Self>) -> bool {
        this.is_instance_valid() && this.bind().id != 0
    }

    /// Whether it is to be baked by itself now.
    fn is_due(&self) -> bool {
        let is_game = !Engine::singleton().is_editor_hint();
        is_game && self.bake_on_start && !self.was_started && self.ticks > SETTLING
    }

    fn draw(&mut self) {
        let is_drawn = Engine::singleton().is_editor_hint() || self.debug_enabled;
        let world = self.base().get_world_3d();
        let world = world.filter(|_| is_drawn && self.base().is_visible_in_tree());
        let shown = world.and_then(|world| self.on_map(|map| (map.iteration, map.mesh.clone(), world)));
        match shown {
            Some((iteration, mesh, world)) => self.drawing.show(iteration, &mesh, &world),
            None => self.drawing.clear(),
        }
    }

    fn describe_to_map(&self) {
        let map = self.map();
        with(|state| state.set_parts_mask(map, self.parts_mask));
        self.on_map(|map| {
            map.enabled = self.enabled;
            map.navigation_layers = self.navigation_layers;
            map.cells_per_tick = self.cells_per_tick;
            map.walkers.set_path_nodes(self.path_nodes_per_tick);
        });
    }

    /// Shows what the resource holds.
    fn show(mut this: Gd<Self>, mesh: &Gd<WayfareMesh>) {
        this.bind_mut().shown = Some(key(mesh));
        let data = mesh.bind().data.clone();
        if data.is_empty() {
            return;
        }
        match Level::from_way(data.as_slice()) {
            Ok(level) => {
                let map = this.bind().map();
                with(|state| state.show(map, level));
                this.bind_mut().was_started = true;
                this.signals().navigation_mesh_changed().emit();
            }
            Err(problem) => Self::failed(this, &format!("its navigation mesh cannot be read: {problem}")),
        }
    }

    /// Passes on what happened to its map.
    pub(crate) fn hear(this: &Gd<Self>, news: MapNews) {
        // Whoever heard of something before may have freed the region.
        if !this.is_instance_valid() {
            return;
        }
        let this = this.clone();
        match news {
            MapNews::Baking(done) => this.signals().bake_progress().emit(done),
            MapNews::Changed => this.signals().navigation_mesh_changed().emit(),
            MapNews::Problems(problems) => {
                godot_error!("{}: {}", this.get_path(), problems.join("; "));
                this.signals().bake_failed().emit(&problems.join("; "));
            }
            MapNews::Baked(problems) if problems.is_empty() => {
                if Engine::singleton().is_editor_hint() {
                    Self::store_navigation_mesh(this.clone());
                }
                if this.is_instance_valid() {
                    this.signals().bake_finished().emit();
                }
            }
            MapNews::Baked(problems) => Self::failed(this, &problems.join("; ")),
        }
    }
}
