//! All maps, parts and agents of the program, by number.

use super::agent::Agent;
use super::level::{Change, Settings};
use super::map::{Map, MapNews, link_flags};
use super::walk::{AgentEvent, Walkers};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wayfare::area::{AreaId, AreaInfo, AreaTable};
use wayfare::grid::{Obstacle, Shape};
use wayfare::input::{MarkedVolume, TriMesh, Volume};
use wayfare::mesh::OffMeshConnection;

/// The number of a map, region, agent, obstacle, area or link: what an `RID` of the server holds.
pub type Id = u64;

thread_local! {
    /// All of it is used by the main thread alone; levels visit other threads.
    static STATE: RefCell<State> = RefCell::default();
}

/// Gives access to it. Nothing within may call the engine, which could come back here.
pub fn with<R>(use_it: impl FnOnce(&mut State) -> R) -> R {
    STATE.with_borrow_mut(use_it)
}

/// Forgets everything, and waits for what is done on other threads.
pub fn end() {
    drop(STATE.take());
    super::threads::join_all();
}

/// What a volume does to the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Footprint {
    /// Nothing can be walked on in it.
    Block,
    /// Surfaces in it are of this type, a metre of which costs so much.
    Paint(AreaId, f32),
}

/// An obstacle or an area.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumePart {
    /// The only map that sees it; `None`: all.
    pub map: Option<Id>,
    /// The layers that it is in.
    pub layers: u32,
    /// Where it is; `None` while it is disabled.
    pub volume: Option<Volume>,
    /// What it does.
    pub footprint: Footprint,
    /// Whether it does that to the mesh.
    pub is_in_mesh: bool,
    /// Whether agents walk around it by themselves.
    pub is_avoided: bool,
    /// Whether they do not for now.
    pub is_paused: bool,
    /// Where those see it, if the mesh does not follow yet.
    pub seen: Option<Volume>,
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPart {
    /// The only map that sees it; `None`: all.
    pub map: Option<Id>,
    /// The layers that it is in, for regions.
    pub layers: u32,
    /// Those for agents.
    pub navigation_layers: u32,
    /// The link; `None` while its node is disabled.
    pub link: Option<OffMeshConnection>,
    /// Whether it is used.
    pub is_enabled: bool,
    /// What its area type costs a metre.
    pub cost: f32,
}

/// What happened in a tick.
#[derive(Default)]
pub struct Tick {
    /// To maps.
    pub maps: Vec<(Id, MapNews)>,
    /// To agents.
    pub agents: Vec<(Id, AgentEvent)>,
}

/// Everything.
#[derive(Default)]
pub struct State {
    last: Id,
    /// Maps.
    pub maps: BTreeMap<Id, Map>,
    /// The map of each region.
    pub regions: BTreeMap<Id, Id>,
    /// Agents.
    pub agents: BTreeMap<Id, Agent>,
    volumes: BTreeMap<Id, VolumePart>,
    links: BTreeMap<Id, LinkPart>,
    /// Costs that scripts have set, by map.
    costs: BTreeMap<(Id, u8), f32>,
    /// The objects that scripts have named as owners of regions and links.
    owners: BTreeMap<Id, i64>,
    are_costs_new: bool,
    /// Whether what agents walk around has changed.
    are_obstacles_new: bool,
}

impl State {
    /// A number that nobody has.
    pub fn next(&mut self) -> Id {
        self.last += 1;
        self.last
    }

    /// A new region with a map of its own.
    pub fn add_region(&mut self) -> Id {
        let (map, region) = (self.next(), self.next());
        self.maps.insert(map, Map::default());
        self.regions.insert(region, map);
        self.parts_seen_anew();
        region
    }

    /// A map sees other parts than before.
    fn parts_seen_anew(&mut self) {
        (self.are_costs_new, self.are_obstacles_new) = (true, true);
    }

    /// Gives a region and all that is on its map another number of a map, of one that has no region.
    ///
    /// # Errors
    /// Why that cannot be, in a sentence.
    pub fn move_region(&mut self, region: Id, to: Id) -> Result<(), &'static str> {
        let &from = self.regions.get(&region).ok_or("there is no such region")?;
        if from == to {
            return Ok(());
        }
        if !self.maps.contains_key(&to) {
            return Err("there is no such map; make it with map_create");
        }
        if self.regions.values().any(|&other| other == to) {
            return Err("the map has a region already, and holds one; put the geometry of both into one group");
        }
        let moved = self.maps.remove(&from).ok_or("there is no such region")?;
        self.maps.insert(to, moved);
        self.regions.insert(region, to);
        // Whoever was on the map goes along.
        let follow = |map: &mut Option<Id>| {
            if *map == Some(from) {
                *map = Some(to);
            }
        };
        self.volumes.values_mut().for_each(|part| follow(&mut part.map));
        self.links.values_mut().for_each(|part| follow(&mut part.map));
        self.agents.values_mut().for_each(|agent| follow(&mut agent.map));
        let costs = core::mem::take(&mut self.costs);
        let number = |map: Id| if map == from { to } else { map };
        self.costs = costs.into_iter().map(|((map, area), cost)| ((number(map), area), cost)).collect();
        self.parts_seen_anew();
        Ok(())
    }

    /// The map that a number means; 0 means the one for the smallest agents.
    #[must_use]
    pub fn find_map(&self, id: Id) -> Option<Id> {
        if id == 0 { self.smallest_for(0.0) } else { self.maps.contains_key(&id).then_some(id) }
    }

    /// The map for the smallest agents that are at least as wide, or else for the widest.
    fn smallest_for(&self, radius: f32) -> Option<Id> {
        let size = |map: &Map| map.mesh.tiles().next().map(|tile| tile.data().baked_for().radius);
        let sizes = self.maps.iter().filter(|(_, map)| map.enabled).filter_map(|(&id, map)| Some((id, size(map)?)));
        let mut sizes: Vec<(Id, f32)> = sizes.collect();
        sizes.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        // An agent with the radius of the bake fits, whatever became of it in cells.
        let fitting = sizes.iter().find(|size| size.1 >= radius - 1e-3).or(sizes.last());
        fitting.map(|size| size.0)
    }

    /// The map that an agent walks on.
    #[must_use]
    pub fn map_of(&self, agent: &Agent) -> Option<Id> {
        match agent.map {
            Some(map) => self.find_map(map),
            None => self.smallest_for(agent.settings.radius),
        }
    }

    /// The agents on the map that an agent walks on.
    pub fn walkers_of(&mut self, agent: Id) -> Option<&mut Walkers> {
        let map = self.map_of(self.agents.get(&agent)?)?;
        self.maps.get_mut(&map).map(|map| &mut map.walkers)
    }

    /// Has triangles baked into a map.
    pub fn bake(&mut self, map: Id, triangles: TriMesh, settings: Settings) {
        let parts = self.parts(map);
        if let Some(map) = self.maps.get_mut(&map) {
            map.bake(triangles, settings, parts);
        }
    }

    /// Shows a stored level on a map.
    pub fn show(&mut self, map: Id, level: super::Level) {
        let parts = self.parts(map);
        if let Some(map) = self.maps.get_mut(&map) {
            map.show(level, parts);
        }
        self.parts_seen_anew();
    }

    /// Another set of parts is seen by a map: all that it saw go, all that it sees come.
    pub fn set_parts_mask(&mut self, id: Id, mask: u32) {
        let Some(map) = self.maps.get_mut(&id).filter(|map| map.parts_mask != mask) else { return };
        map.parts_mask = mask;
        self.volumes.keys().for_each(|&part| map.change(Change::Volume(part, None)));
        self.links.keys().for_each(|&part| map.change(Change::Link(part, None)));
        let parts = self.parts(id);
        if let Some(map) = self.maps.get_mut(&id) {
            parts.into_iter().for_each(|part| map.change(part));
        }
        self.parts_seen_anew();
    }

    fn parts(&self, id: Id) -> Vec<Change> {
        let Some(map) = self.maps.get(&id) else { return Vec::new() };
        let mut parts = vec![Change::Costs(self.costs_of(id))];
        let volumes = self.volumes.iter().filter(|(_, part)| is_seen((id, map), part.map, part.layers));
        parts.extend(volumes.map(|(&owner, part)| Change::Volume(owner, part.marked())));
        let links = self.links.iter().filter(|(_, part)| is_seen((id, map), part.map, part.layers));
        parts.extend(links.map(|(&owner, part)| Change::Link(owner, part.connection(owner))));
        parts
    }

    /// Sets an obstacle or an area, or removes it.
    pub fn set_volume(&mut self, owner: Id, part: Option<VolumePart>) {
        let before = match part.clone() {
            Some(part) => self.volumes.insert(owner, part),
            None => self.volumes.remove(&owner),
        };
        if before == part {
            return;
        }
        for (&id, map) in &mut self.maps {
            let seen = |part: &Option<VolumePart>| {
                let seen = part.as_ref().filter(|part| is_seen((id, map), part.map, part.layers));
                seen.and_then(VolumePart::marked)
            };
            let now = seen(&part);
            if seen(&before) != now {
                map.change(Change::Volume(owner, now));
            }
        }
        let costs = |part: &Option<VolumePart>| part.as_ref().and_then(VolumePart::costs);
        self.are_costs_new |= costs(&before) != costs(&part);
        let is_avoided = |part: &Option<VolumePart>| part.as_ref().is_some_and(VolumePart::is_walked_around);
        self.are_obstacles_new |= is_avoided(&before) || is_avoided(&part);
    }

    /// Sets a link, or removes it.
    pub fn set_link(&mut self, owner: Id, part: Option<LinkPart>) {
        let before = match part.clone() {
            Some(part) => self.links.insert(owner, part),
            None => self.links.remove(&owner),
        };
        if before == part {
            return;
        }
        for (&id, map) in &mut self.maps {
            let seen = |part: &Option<LinkPart>| {
                let seen = part.as_ref().filter(|part| is_seen((id, map), part.map, part.layers));
                seen.and_then(|part| part.connection(owner))
            };
            let now = seen(&part);
            if seen(&before) != now {
                map.change(Change::Link(owner, now));
            }
        }
        let costs = |part: &Option<LinkPart>| {
            part.as_ref().and_then(|part| Some((part.map, part.layers, part.link?.area, part.cost)))
        };
        self.are_costs_new |= costs(&before) != costs(&part);
    }

    /// The obstacle or area of this number.
    #[must_use]
    pub fn volume(&self, owner: Id) -> Option<&VolumePart> {
        self.volumes.get(&owner)
    }

    /// The link of this number.
    #[must_use]
    pub fn link(&self, owner: Id) -> Option<&LinkPart> {
        self.links.get(&owner)
    }

    /// How many links there are.
    #[must_use]
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// How many obstacles there are.
    #[must_use]
    pub fn obstacle_count(&self) -> usize {
        self.volumes.values().filter(|part| part.footprint == Footprint::Block).count()
    }

    /// The links that a map sees.
    pub fn links_of(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let map = self.maps.get(&id);
        let seen = self.links.iter().filter(move |(_, p)| map.is_some_and(|map| is_seen((id, map), p.map, p.layers)));
        seen.map(|(&owner, _)| owner)
    }

    /// The obstacles that a map sees.
    pub fn obstacles_of(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let map = self.maps.get(&id);
        let blocks = self.volumes.iter().filter(|(_, part)| part.footprint == Footprint::Block);
        let seen = blocks.filter(move |(_, p)| map.is_some_and(|map| is_seen((id, map), p.map, p.layers)));
        seen.map(|(&owner, _)| owner)
    }

    /// Names the object that a region or a link belongs to, or none. `None` if there is no such region or link.
    pub fn set_owner(&mut self, id: Id, owner: i64) -> Option<()> {
        if !self.regions.contains_key(&id) && !self.links.contains_key(&id) {
            return None;
        }
        match owner {
            0 => drop(self.owners.remove(&id)),
            owner => drop(self.owners.insert(id, owner)),
        }
        Some(())
    }

    /// The object that was named.
    #[must_use]
    pub fn owner(&self, id: Id) -> Option<i64> {
        self.owners.get(&id).copied()
    }

    /// What a metre of an area type costs on a map, by a script's word.
    pub fn set_cost(&mut self, map: Id, area: u8, cost: f32) {
        self.costs.insert((map, area), cost);
        self.are_costs_new = true;
    }

    /// What a metre of an area type costs on a map.
    #[must_use]
    pub fn cost(&self, map: Id, area: AreaId) -> f32 {
        self.costs_of(map).get(area).map_or(1.0, |info| info.cost)
    }

    /// A script's word counts; else the most of what areas and links say.
    fn costs_of(&self, id: Id) -> AreaTable {
        let mut costs: BTreeMap<u8, f32> = BTreeMap::new();
        if let Some(map) = self.maps.get(&id) {
            let areas = self.volumes.values().filter(|part| is_seen((id, map), part.map, part.layers));
            let areas = areas.filter_map(|part| match part.footprint {
                Footprint::Paint(area, cost) => Some((area, cost)),
                Footprint::Block => None,
            });
            let links = self.links.values().filter(|part| is_seen((id, map), part.map, part.layers));
            let links = links.filter_map(|part| Some((part.link?.area, part.cost)));
            // Plain ground is everywhere: only a script may say what it costs.
            for (area, cost) in areas.chain(links).filter(|&(area, _)| area != AreaId::WALKABLE) {
                let most = costs.entry(area.get()).or_insert(cost);
                *most = most.max(cost);
            }
        }
        costs.extend(self.costs.iter().filter(|((map, _), _)| *map == id).map(|(&(_, area), &cost)| (area, cost)));
        let rows = costs.into_iter().filter(|&(_, cost)| cost != 1.0 && cost >= 0.0);
        let rows =
            rows.map(|(area, cost)| AreaInfo { area: AreaId::from_low_bits(area), name: format!("area {area}"), cost });
        AreaTable::new(rows.collect()).unwrap_or(AreaTable::EMPTY)
    }

    /// A tick: maps follow the scene and, if time passes, agents walk.
    pub fn tick(&mut self, dt: f32) -> Tick {
        if core::mem::take(&mut self.are_costs_new) {
            let tables: Vec<(Id, AreaTable)> = self.maps.keys().map(|&id| (id, self.costs_of(id))).collect();
            for (id, table) in tables {
                if let Some(map) = self.maps.get_mut(&id) {
                    map.set_costs(table);
                }
            }
        }
        if core::mem::take(&mut self.are_obstacles_new) {
            for (&id, map) in &mut self.maps {
                let avoided = self.volumes.iter().filter(|(_, part)| part.is_walked_around());
                let seen = avoided.filter(|(_, part)| is_seen((id, map), part.map, part.layers));
                let outlines =
                    seen.filter_map(|(&owner, part)| outline(owner, part.seen.as_ref().or(part.volume.as_ref())?));
                map.walkers.walk_around(outlines.collect());
            }
        }
        let mut tick = Tick::default();
        for (&id, map) in &mut self.maps {
            tick.maps.extend(map.go_on().into_iter().map(|news| (id, news)));
        }
        if dt > 0.0 {
            let mut here: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
            let maps: Vec<(Id, Option<Id>)> = self.agents.iter().map(|(&id, agent)| (id, self.map_of(agent))).collect();
            for (id, map) in maps {
                match map.filter(|map| self.maps.get(map).is_some_and(|map| map.enabled)) {
                    Some(map) => here.entry(map).or_default().push(id),
                    None => self.agents.get_mut(&id).into_iter().for_each(Agent::leave),
                }
            }
            for (id, map) in &mut self.maps {
                let here = here.get(id).map_or(&[][..], Vec::as_slice);
                let said = map.walk(&mut self.agents, here, dt);
                // Links that were found are nobody's.
                let known = |link: Id| if self.links.contains_key(&link) { link } else { 0 };
                tick.agents.extend(said.into_iter().map(|(id, event)| (id, event.with_link(known))));
            }
        }
        tick
    }

    /// Removes whatever has this number.
    pub fn remove(&mut self, id: Id) -> bool {
        self.owners.remove(&id);
        if self.volumes.contains_key(&id) {
            self.set_volume(id, None);
        } else if self.links.contains_key(&id) {
            self.set_link(id, None);
        } else if let Some(map) = self.regions.remove(&id) {
            self.maps.remove(&map);
        } else if self.maps.remove(&id).is_some() {
            self.regions.retain(|_, map| *map != id);
        } else {
            return self.agents.remove(&id).is_some();
        }
        true
    }
}

fn is_seen((id, map): (Id, &Map), only: Option<Id>, layers: u32) -> bool {
    only.is_none_or(|only| only == id) && map.parts_mask & layers != 0
}

/// Whether there is anything in a volume.
fn has_size(volume: &Volume) -> bool {
    let bounds = volume.bounds();
    bounds.min.cmplt(bounds.max).all()
}

/// An obstacle as it is seen from above, for those who walk around it; as high as its lowest point.
fn outline(owner: Id, volume: &Volume) -> Option<Obstacle> {
    if !has_size(volume) {
        return None;
    }
    let bounds = volume.bounds();
    let center = ((bounds.min + bounds.max) / 2.0).with_y(bounds.min.y);
    let shape = match *volume {
        Volume::Cylinder { radius, .. } => Shape::Disc { center, radius },
        Volume::TurnedBox { half_extents, angle, .. } => {
            Shape::Box { center, half: [half_extents.x, half_extents.z], yaw: angle }
        }
        _ => {
            let half = (bounds.max - bounds.min) / 2.0;
            Shape::Box { center, half: [half.x, half.z], yaw: 0.0 }
        }
    };
    // Numbers of owners begin at 1 and do not come again.
    Some(Obstacle { shape, id: owner as u32 })
}

impl VolumePart {
    fn is_walked_around(&self) -> bool {
        self.is_avoided && !self.is_paused
    }

    /// What of it decides what areas cost.
    fn costs(&self) -> Option<(Option<Id>, u32, AreaId, f32)> {
        match self.footprint {
            Footprint::Block => None,
            Footprint::Paint(area, cost) => Some((self.map, self.layers, area, cost)),
        }
    }

    /// What it does to a mesh; `None` while it is disabled, or where it does nothing.
    #[must_use]
    pub fn marked(&self) -> Option<MarkedVolume> {
        let volume = self.volume.clone().filter(|volume| self.is_in_mesh && has_size(volume))?;
        Some(match self.footprint {
            Footprint::Block => MarkedVolume::block(volume),
            Footprint::Paint(area, _) => MarkedVolume::paint(volume, area),
        })
    }
}

impl LinkPart {
    fn connection(&self, owner: Id) -> Option<OffMeshConnection> {
        let flags = link_flags(self.navigation_layers);
        // Numbers of owners begin at 1 and do not come again.
        self.link.filter(|_| self.is_enabled).map(|link| OffMeshConnection { flags, user_id: owner as u32, ..link })
    }
}
