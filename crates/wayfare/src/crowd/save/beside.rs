//! Saves what belongs to a crowd but is stored separately: formations, and the goals of a flow field planner.
//!
//! ```text
//!   WAYFORM1, length; leader, slots, members and their slots, heading, time, places; checksum
//!   WAYFLOW1, length; nodes spent for the current request; number of goals; of each its filter, if it was not replaced,
//!   its place and limits, nodes spent on a field, whether that is done; checksum
//! ```
//!
//! Cost: a formation is small; when a planner is read, its fields are computed again as far as they were.
//!
//! Sources: none needed.

use super::CrowdReadError;
use super::fields::Field;
use super::frame::{Kind, finished};
use crate::context::Budget;
use crate::crowd::flow_field::Known;
use crate::crowd::{Crowd, FlowField, FlowPlanner, Formation};
use crate::math::bytes::Reader;
use crate::math::envelope;
use crate::mesh::NavMesh;
use crate::query::{CostMapRequest, Raycast, SearchScratch};
use std::sync::Arc;

const FORMATION: Kind = Kind::first(*b"WAYFORM", "formation");
const FLOW: Kind = Kind::first(*b"WAYFLOW", "planner of flow fields");

impl Formation {
    /// The formation as bytes, for [`from_bytes`](Self::from_bytes), to be stored with its [crowd](Crowd::to_bytes).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { leader, slots, members, slot_of, heading, turned_at, places, search: _, ray: _ } = self;
        let mut out = FORMATION.begin();
        leader.write(&mut out);
        slots.write(&mut out);
        members.write(&mut out);
        slot_of.write(&mut out);
        heading.write(&mut out);
        turned_at.write(&mut out);
        places.write(&mut out);
        envelope::seal(out)
    }

    /// Restores a formation that was [stored](Self::to_bytes): it continues with the crowd stored with it.
    ///
    /// # Errors
    /// [`CrowdReadError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CrowdReadError> {
        let from = &mut FORMATION.open(bytes)?;
        let formation = Self {
            leader: Field::read(from)?,
            slots: Field::read(from)?,
            members: Field::read(from)?,
            slot_of: Field::read(from)?,
            heading: Field::read(from)?,
            turned_at: Field::read(from)?,
            places: Field::read(from)?,
            search: SearchScratch::new(),
            ray: Raycast::default(),
        };
        finished(from)?;
        if formation.slot_of.len() != formation.members.len() {
            let value = formation.slot_of.len() as u64;
            return Err(CrowdReadError::Value { what: "number of slots taken", value });
        }
        Ok(formation)
    }
}

impl FlowPlanner {
    /// Its remembered goals as bytes, for [`from_bytes`](Self::from_bytes), to be stored with the
    /// [crowd](Crowd::to_bytes) that it plans for.
    #[must_use]
    pub fn to_bytes(&self, crowd: &Crowd) -> Vec<u8> {
        let number_of = |known: &Known| {
            let filter = known.filter.as_ref()?;
            Some(crowd.filters.iter().position(|other| Arc::ptr_eq(other, filter))? as u32)
        };
        let mut out = FLOW.begin();
        self.waited.write(&mut out);
        (self.fields.len() as u32).write(&mut out);
        for known in &self.fields {
            // Nothing is requested with a filter that was replaced, but its goals take up places.
            let number = number_of(known);
            let field = known.field.as_ref().filter(|_| number.is_some());
            number.write(&mut out);
            known.request.write(&mut out);
            field.map(|_| known.spent).write(&mut out);
            field.is_some_and(FlowField::is_finished).write(&mut out);
        }
        envelope::seal(out)
    }

    /// Restores a planner that was [stored](Self::to_bytes), for the crowd stored with it, on the same mesh.
    ///
    /// # Errors
    /// [`CrowdReadError`].
    pub fn from_bytes(bytes: &[u8], crowd: &Crowd, mesh: &NavMesh) -> Result<Self, CrowdReadError> {
        let from = &mut FLOW.open(bytes)?;
        let mut planner = Self::new();
        planner.waited = Field::read(from)?;
        let count = u32::read(from)?;
        if count as usize > Self::REMEMBERED {
            return Err(CrowdReadError::Value { what: "number of goals", value: count.into() });
        }
        for _ in 0..count {
            planner.fields.push(read_known(from, crowd, mesh)?);
        }
        finished(from)?;
        Ok(planner)
    }
}

/// A remembered goal, with its field computed as far as it was.
fn read_known(from: &mut Reader<'_>, crowd: &Crowd, mesh: &NavMesh) -> Result<Known, CrowdReadError> {
    let number = Option::<u32>::read(from)?;
    let request = CostMapRequest::read(from)?;
    let begun = Option::<u64>::read(from)?;
    let is_finished = bool::read(from)?;
    let Some(number) = number else { return Ok(Known { request, filter: None, field: None, spent: 0 }) };
    let unknown = CrowdReadError::Value { what: "filter", value: number.into() };
    let filter = crowd.filters.get(number as usize).ok_or(unknown)?;
    let field = begun.and_then(|spent| {
        let mut field = FlowField::begin(None, mesh, &request, filter.as_ref()).ok()?;
        let mut budget = if is_finished { Budget::unlimited() } else { Budget::new(spent) };
        field.step(filter.as_ref(), &mut budget);
        Some(field)
    });
    Ok(Known { request, filter: Some(filter.clone()), field, spent: begun.unwrap_or(0) })
}
