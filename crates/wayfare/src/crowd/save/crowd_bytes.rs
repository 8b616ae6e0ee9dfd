//! Saves a crowd as bytes, at any time between two ticks, and restores it to continue as if nothing had happened.
//!
//! Stored: everything that the crowd holds, which is its settings, its clock, every agent with its path, corners,
//! walls, jump and progress, who waits for a path, and the events of the last tick. Not stored: the mesh, which is
//! saved separately and identified by its digest; filters, which are code, and [obstacles](Crowd::set_obstacles), which
//! are the game's: both are given again; and how long phases took.
//!
//! ```text
//!   WAYCRWD1, length
//!   mesh      its digest, and what has changed in it that the crowd has not looked at
//!   crowd     settings, ticks, time, filters
//!   agents    generations, places that are free, arrays, records, neighbours
//!   requests  for paths: whose, of those that were begun what comes out of them
//!   events    of the last tick
//!   checksum
//! ```
//!
//! Searches in progress cannot be stored as they are: they may use a mesh that has changed since. But the result of
//! each, and how many nodes it still takes, are determined unless it is cancelled; so these are stored
//! ([`PlanOutcome`]), and the restored crowd spends as many nodes before it takes the path.
//!
//! Cost: linear in the crowd and the mesh, whose digest is computed; searches in progress are completed.
//!
//! Sources: Mikko Mononen, "Saving Game State", Digesting Duck, March 2011.

use super::CrowdReadError;
use super::fields::Field;
use super::frame::{Kind, finished};
use crate::crowd::agent::Agent;
use crate::crowd::hot::Hot;
use crate::crowd::mesh_change::MeshChange;
use crate::crowd::neighbours::Lists;
use crate::crowd::path_requests::AgentRequest;
use crate::crowd::{Crowd, CrowdEvent, CrowdSettings};
use crate::math::envelope;
use crate::mesh::NavMesh;
#[cfg(doc)]
use crate::plan::PlanOutcome;
use crate::plan::{Planner, SharedFilter};
use crate::query::DefaultFilter;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const CROWD: Kind = Kind::first(*b"WAYCRWD", "crowd");

/// More ticks, or patience intervals, than any game has, with room to keep counting.
const MOST_TICKS: u64 = u64::MAX / 2;
const MOST_SPELLS: u32 = u32::MAX / 2;

impl Crowd {
    /// The crowd as bytes, for [`from_bytes`](Self::from_bytes), between two ticks. `mesh` is the current mesh, whether
    /// or not the crowd has had a tick since its last change; the planner is that of its ticks. Nothing is changed.
    ///
    /// Of the planner, only the path that it is computing itself is stored; see [`Planner::outcome`].
    #[must_use]
    pub fn to_bytes(&self, mesh: &NavMesh, planner: &dyn Planner) -> Vec<u8> {
        // All fields by name: one that is added and is neither stored nor left out does not compile.
        let Self {
            settings,
            hot,
            agents,
            generations,
            free,
            filters,
            obstacles: _,
            has_mesh_filter,
            tick,
            time,
            before,
            mesh: seen,
            unseen,
            is_checked,
            has_other_costs,
            paths,
            grid: _,
            places: _,
            standing: _,
            neighbours,
            events,
            profile: _,
            pool: _,
        } = self;
        let mut out = CROWD.begin();
        digest_of(mesh).write(&mut out);
        seen.is_some().write(&mut out);
        is_checked.write(&mut out);
        let missed = seen.as_ref().map(|seen| MeshChange::between(seen, mesh).after(unseen.clone()));
        missed.filter(|missed| !missed.set.is_empty()).write(&mut out);
        let other_costs = *has_other_costs || seen.as_ref().is_some_and(|seen| seen.areas() != mesh.areas());
        other_costs.write(&mut out);
        settings.write(&mut out);
        tick.write(&mut out);
        time.write(&mut out);
        before.write(&mut out);
        has_mesh_filter.write(&mut out);
        (filters.len() as u32).write(&mut out);
        generations.write(&mut out);
        free.write(&mut out);
        hot.write_arrays(&mut out);
        agents.write(&mut out);
        neighbours.write_lists(&mut out);
        // An agent that has left needs no path.
        let requests = paths.stored(planner).filter(|stored| self.find(stored.agent).is_ok());
        requests.collect::<Vec<_>>().write(&mut out);
        events.write(&mut out);
        envelope::seal(out)
    }

    /// Restores a crowd that was [stored](Self::to_bytes). Its ticks are the same as those of the original, bit for
    /// bit, with any planner that gives the same paths.
    ///
    /// `mesh` is the mesh as it was then, restored first; [obstacles](Self::set_obstacles) are set again. `filters` are
    /// those that the game had given the crowd, in the order of their numbers: all that it [added](Self::add_filter) or
    /// replaced, and number 0 only if it had been replaced.
    ///
    /// # Errors
    /// [`CrowdReadError`].
    pub fn from_bytes(bytes: &[u8], mesh: &NavMesh, filters: &[SharedFilter]) -> Result<Self, CrowdReadError> {
        let from = &mut CROWD.open(bytes)?;
        let stored = u64::read(from)?;
        let found = digest_of(mesh);
        if stored != found {
            return Err(CrowdReadError::OtherMesh { stored, found });
        }
        let [has_seen, is_checked] = <[bool; 2]>::read(from)?;
        let unseen = Field::read(from)?;
        let has_other_costs = bool::read(from)?;
        let mut crowd = Self {
            settings: CrowdSettings::read(from)?,
            tick: bounded("tick", u64::read(from)?, MOST_TICKS)?,
            time: f64::read(from)?,
            before: f64::read(from)?,
            has_mesh_filter: bool::read(from)?,
            filters: Vec::new(),
            mesh: has_seen.then(|| mesh.clone()),
            unseen,
            is_checked,
            has_other_costs,
            ..Self::default()
        };
        crowd.take_filters(u32::read(from)?, filters)?;
        crowd.generations = Vec::read(from)?;
        crowd.free = Vec::read(from)?;
        crowd.hot = Hot::read_arrays(from, crowd.generations.len())?;
        crowd.agents = Vec::read(from)?;
        crowd.neighbours = Lists::read_lists(from)?;
        let requests = Vec::<AgentRequest>::read(from)?;
        crowd.events = Vec::<CrowdEvent>::read(from)?;
        finished(from)?;
        crowd.hold_to_rules()?;
        requests.into_iter().try_for_each(|stored| crowd.take_request(stored))?;
        Ok(crowd)
    }
}

impl Crowd {
    /// Sets the filters. The first is that of the mesh, unless the game had replaced it.
    fn take_filters(&mut self, count: u32, given: &[SharedFilter]) -> Result<(), CrowdReadError> {
        if count == 0 {
            return Err(CrowdReadError::Value { what: "number of filters", value: 0 });
        }
        let stored = count - u32::from(self.has_mesh_filter);
        if given.len() != stored as usize {
            return Err(CrowdReadError::Filters { stored, given: given.len() as u32 });
        }
        if self.has_mesh_filter {
            self.filters.push(Arc::new(self.mesh.as_ref().map_or_else(DefaultFilter::default, DefaultFilter::of)));
        }
        self.filters.extend(given.iter().cloned());
        Ok(())
    }

    /// Requests again what an agent had requested.
    fn take_request(&mut self, stored: AgentRequest) -> Result<(), CrowdReadError> {
        let index = stored.agent.index();
        let asker = self.find(stored.agent).ok().filter(|_| self.paths.asker(index).is_none());
        let agent = asker.ok_or(CrowdReadError::Value { what: "agent that waits", value: index as u64 })?;
        let filter = self.filters[self.agents[agent].params.filter as usize].clone();
        self.paths.restore(stored, filter);
        Ok(())
    }

    /// Checks what holds in every crowd, and what its phases rely on.
    fn hold_to_rules(&self) -> Result<(), CrowdReadError> {
        let nonsense = |what, value: u64| Err(CrowdReadError::Value { what, value });
        if !(self.time.is_finite() && self.before.is_finite()) {
            return nonsense("time", self.time.to_bits());
        }
        let count = self.hot.len();
        if self.agents.len() != count {
            return nonsense("number of agents", self.agents.len() as u64);
        }
        let mut is_free = vec![false; count];
        for &place in &self.free {
            let taken = is_free.get(place as usize).is_none_or(|is_free| *is_free);
            if taken || self.hot.present[place as usize] || self.generations[place as usize] == Self::USED_UP {
                return nonsense("free place", place.into());
            }
            is_free[place as usize] = true;
        }
        let places = || self.hot.present.iter().zip(&self.generations);
        if places().any(|(present, &generation)| *present && generation == Self::USED_UP) {
            return nonsense("generation", Self::USED_UP.into());
        }
        let absent = places().filter(|(present, _)| !**present);
        if self.free.len() != absent.filter(|(_, generation)| **generation != Self::USED_UP).count() {
            return nonsense("number of free places", self.free.len() as u64);
        }
        if let Some(stranger) = self.neighbours.ids().find(|&id| id as usize >= count) {
            return nonsense("neighbour", stranger.into());
        }
        self.agents.iter().try_for_each(|agent| self.hold_agent_to_rules(agent))
    }

    fn hold_agent_to_rules(&self, agent: &Agent) -> Result<(), CrowdReadError> {
        agent.params.check().map_err(CrowdReadError::Params)?;
        let filter = agent.params.filter;
        if filter as usize >= self.filters.len() {
            return Err(CrowdReadError::Value { what: "filter", value: filter.into() });
        }
        bounded("spells of patience", agent.progress.spells.into(), MOST_SPELLS.into())?;
        if !agent.corridor.is_sound(&agent.corners) {
            return Err(CrowdReadError::Value {
                what: "polygons of a corridor",
                value: agent.corridor.polys().len() as u64,
            });
        }
        Ok(())
    }
}

/// The number that [`NavMesh::digest`] returns.
fn digest_of(mesh: &NavMesh) -> u64 {
    xxh3_64(&mesh.to_bytes())
}

/// A number that is at most a limit.
fn bounded(what: &'static str, value: u64, most: u64) -> Result<u64, CrowdReadError> {
    if value <= most { Ok(value) } else { Err(CrowdReadError::Value { what, value }) }
}

#[cfg(test)]
mod tests;
