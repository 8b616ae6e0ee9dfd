//! Saves the crowd's arrays over all agents, and the neighbour lists.
//!
//! Sources: none needed.

use super::fields::{Fault, Field};
use crate::crowd::hot::Hot;
use crate::crowd::neighbours::{Found, List, Lists};
use crate::math::bytes::{Reader, Writer};
use crate::math::index::NONE;

impl Hot {
    /// Writes the arrays, one after the other; arrays that are written in the phase that reads them are left out.
    pub(super) fn write_arrays(&self, out: &mut Writer) {
        let Self {
            present,
            held,
            position,
            velocity,
            desired,
            avoiding,
            seen: _,
            next,
            bodies: _,
            shift: _,
            radius,
            height,
            priority,
            arrived,
            rests,
            goal,
        } = self;
        for array in [present, held, arrived, rests] {
            array.iter().for_each(|value| value.write(out));
        }
        for array in [position, velocity, desired, avoiding, next] {
            array.iter().for_each(|value| value.write(out));
        }
        for array in [radius, height, priority] {
            array.iter().for_each(|value| value.write(out));
        }
        goal.iter().for_each(|value| value.write(out));
    }

    pub(super) fn read_arrays(from: &mut Reader<'_>, count: usize) -> Result<Self, Fault> {
        fn array<T: Field>(from: &mut Reader<'_>, count: usize) -> Result<Vec<T>, Fault> {
            (0..count).map(|_| T::read(from)).collect()
        }
        let mut hot = Self::default();
        for answers in [&mut hot.present, &mut hot.held, &mut hot.arrived, &mut hot.rests] {
            *answers = array(from, count)?;
        }
        for vectors in [&mut hot.position, &mut hot.velocity, &mut hot.desired, &mut hot.avoiding, &mut hot.next] {
            *vectors = array(from, count)?;
        }
        for numbers in [&mut hot.radius, &mut hot.height, &mut hot.priority] {
            *numbers = array(from, count)?;
        }
        hot.goal = array(from, count)?;
        hot.shift.resize(count, glam::Vec2::ZERO);
        Ok(hot)
    }
}

impl Lists {
    /// Each agent's neighbours, if it has a list, and how far they reached.
    pub(super) fn write_lists(&self, out: &mut Writer) {
        let Self { lists: _, agents, layers: _, slot_layers: _ } = self;
        (agents.len() as u32).write(out);
        for (i, &Found { list, reach }) in agents.iter().enumerate() {
            (list != NONE).write(out);
            if list != NONE {
                (self.of(i).len() as u32).write(out);
                self.of(i).iter().for_each(|id| id.write(out));
            }
            reach.write(out);
        }
    }

    pub(super) fn read_lists(from: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut all = Self::default();
        for _ in 0..u32::read(from)? {
            let list = if bool::read(from)? {
                all.lists.push(List { ids: Vec::read(from)?, reach: 0.0 });
                all.lists.len() as u32 - 1
            } else {
                NONE
            };
            all.agents.push(Found { list, reach: f32::read(from)? });
        }
        Ok(all)
    }
}
