//! The server: what scripts call, under the names of [NavigationServer3D].

use super::bakes::PendingBake;
use crate::agent::WayfareAgent;
use crate::area::WayfareArea;
use crate::core::{AgentEvent, Id, Map, MapNews, State, Tick, with};
use crate::link::WayfareLink;
use crate::nodes::{self, Kind};
use crate::obstacle::WayfareObstacle;
use crate::region::WayfareRegion;
use godot::classes::{Engine, Object, SceneTree};
use godot::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use wayfare::math::Rng;

/// A number as scripts hold it.
pub fn rid(id: Id) -> Rid {
    Rid::new(id)
}

/// The number that a script gave; 0 if it is empty.
pub fn id_of(rid: Rid) -> Id {
    if rid.is_valid() { rid.to_u64() } else { 0 }
}

/// Answers questions about navigation meshes, and creates what nodes create without nodes. Its calls have the names of
/// those of [NavigationServer3D]; an empty [RID] in place of a map means the map for the smallest agents.
///
/// Scripts may call anything from any signal or callback.
#[derive(GodotClass)]
#[class(tool, init, singleton, base = Object)]
pub struct WayfareServer {
    /// What random points are drawn by.
    #[init(val = RefCell::new(Rng::new(1)))]
    pub(super) rng: RefCell<Rng>,
    #[init(val = Cell::new(true))]
    is_active: Cell<bool>,
    /// Whether it is called in each physics tick.
    is_running: Cell<bool>,
    /// What agents without nodes report to.
    pub(super) callbacks: RefCell<BTreeMap<Id, Callable>>,
    pub(super) bakes: RefCell<Vec<PendingBake>>,
    /// Maps whose mesh has changed in this tick.
    pub(super) changed: RefCell<BTreeSet<Id>>,
    base: Base<Object>,
}

#[godot_api]
impl WayfareServer {
    /// A map has another mesh.
    #[signal]
    fn map_changed(map: Rid);

    /// Whether maps follow and agents walk. Default true.
    #[func]
    pub fn set_active(&self, active: bool) {
        self.is_active.set(active);
    }

    /// Removes what was made by a call of this server.
    #[func]
    pub fn free_rid(&self, rid: Rid) {
        let id = id_of(rid);
        self.callbacks.borrow_mut().remove(&id);
        if nodes::instance(id).is_some() {
            godot_error!("WayfareServer.free_rid: {rid} belongs to a node: free that instead");
        } else if !with(|state| state.remove(id)) {
            godot_error!("WayfareServer.free_rid: {rid} means nothing here, or is freed already");
        }
    }

    /// Looks what has changed in the scene, lets maps follow and agents walk: the server does so in each physics tick.
    #[func(gd_self)]
    pub fn tick(this: Gd<Self>) {
        if !this.bind().is_active.get() {
            return;
        }
        Self::describe_all();
        let dt = Self::dt();
        let Tick { maps, agents } = with(|state| state.tick(dt));
        Self::hear_bakes(&this);
        this.bind().changed.borrow_mut().clear();
        Self::pass_on(&this, maps);
        if dt > 0.0 {
            Self::hear_agents(&this, &agents, dt);
        }
    }
}

impl WayfareServer {
    /// Has the server called in each physics tick from now on.
    pub fn keep_running() {
        let this = Self::singleton();
        if this.bind().is_running.get() {
            return;
        }
        let tree = Engine::singleton().get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
        let Some(tree) = tree else { return };
        this.bind().is_running.set(true);
        // By name, so that it is found again when the editor loads the extension anew.
        tree.clone().connect("physics_frame", &Callable::from_object_method(&this, "tick"));
    }

    /// Obstacles, areas and links tell what has changed about them.
    pub fn describe_parts() {
        nodes::each::<WayfareObstacle>(Kind::Obstacle, |mut node| node.bind_mut().describe());
        nodes::each::<WayfareArea>(Kind::Area, |mut node| node.bind_mut().describe());
        nodes::each::<WayfareLink>(Kind::Link, |mut node| node.bind_mut().describe());
    }

    fn describe_all() {
        Self::describe_parts();
        nodes::each::<WayfareRegion>(Kind::Region, |node| WayfareRegion::describe(&node));
        nodes::each::<WayfareAgent>(Kind::Agent, |mut node| node.bind_mut().describe());
    }

    /// The time of a tick; 0 in the editor, and while the game is paused for all agents.
    fn dt() -> f32 {
        let engine = Engine::singleton();
        let tree = engine.get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
        let is_paused = tree.is_some_and(|tree| tree.is_paused());
        let goes_on = with(|state| {
            // Those without nodes stand while the game is paused; nodes say by their process mode whether they do.
            for (&id, agent) in &mut state.agents {
                agent.is_held = is_paused && nodes::instance(id).is_none();
            }
            !is_paused || state.agents.values().any(|agent| !agent.is_held && !agent.is_paused)
        });
        if engine.is_editor_hint() || !goes_on {
            return 0.0;
        }
        (engine.get_time_scale() / f64::from(engine.get_physics_ticks_per_second().max(1))) as f32
    }

    /// Tells what became of maps: whoever listens to the server, and the regions that they are of.
    pub(crate) fn pass_on(this: &Gd<Self>, news: Vec<(Id, MapNews)>) {
        for (map, news) in news {
            if news == MapNews::Changed {
                this.bind().changed.borrow_mut().insert(map);
                this.signals().map_changed().emit(rid(map));
            }
            let region = with(|state| state.regions.iter().find(|(_, other)| **other == map).map(|(&id, _)| id));
            match region.and_then(|region| nodes::get::<WayfareRegion>(Kind::Region, region)) {
                Some(region) => WayfareRegion::hear(&region, news),
                None => Self::hear_map(news),
            }
        }
    }

    fn hear_map(news: MapNews) {
        if let MapNews::Baked(problems) | MapNews::Problems(problems) = news {
            problems.iter().for_each(|problem| godot_error!("WayfareServer: {problem}"));
        }
    }

    fn hear_agents(this: &Gd<Self>, events: &[(Id, AgentEvent)], dt: f32) {
        let mut of: BTreeMap<Id, Vec<AgentEvent>> = BTreeMap::new();
        events.iter().for_each(|&(id, event)| of.entry(id).or_default().push(event));
        let ids: Vec<Id> = with(|state| state.agents.keys().copied().collect());
        for id in ids {
            let events = of.get(&id).map_or(&[][..], Vec::as_slice);
            if let Some(problem) = with(|state| state.agents.get_mut(&id).and_then(|agent| agent.problem.take())) {
                let name = nodes::get::<WayfareAgent>(Kind::Agent, id).map(|agent| agent.get_path().to_string());
                godot_error!("{}: {problem}", name.unwrap_or_else(|| format!("WayfareServer: agent {id}")));
            }
            if let Some(agent) = nodes::get::<WayfareAgent>(Kind::Agent, id) {
                WayfareAgent::hear(&agent, events, dt);
                continue;
            }
            let callback = this.bind().callbacks.borrow().get(&id).cloned();
            if let Some(callback) = callback.filter(Callable::is_valid) {
                let velocity = with(|state| state.agents.get(&id).map(|agent| agent.report.velocity));
                let velocity = crate::convert::to_godot(velocity.unwrap_or_default());
                callback.call(&[velocity.to_variant()]);
            }
        }
    }

    /// Asks something of a map; an error, and the answer by default, if there is none.
    pub(super) fn on_map<R: Default>(call: &str, map: Rid, ask: impl FnOnce(&Map) -> R) -> R {
        let answer = with(|state| state.find_map(id_of(map)).and_then(|id| state.maps.get(&id)).map(ask));
        answer.unwrap_or_else(|| {
            godot_error!("WayfareServer.{call}: {}", Self::no_map(map));
            R::default()
        })
    }

    pub(super) fn no_map(map: Rid) -> &'static str {
        if map.is_valid() {
            "there is no such map; ask a WayfareRegion for its map, and note that maps of NavigationServer3D are others"
        } else {
            "there is no map with a mesh yet: wait for the signal bake_finished of a WayfareRegion"
        }
    }

    /// Does something to what a number means; an error if it means nothing of the kind.
    pub(super) fn on<R: Default>(call: &str, what: &str, rid: Rid, act: impl FnOnce(&mut State, Id) -> Option<R>) -> R {
        with(|state| act(state, id_of(rid))).unwrap_or_else(|| {
            godot_error!("WayfareServer.{call}: {rid} is no {what}, or is freed already");
            R::default()
        })
    }
}
