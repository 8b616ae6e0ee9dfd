//! What a handle of a crowd leads to.

use core::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use wayfare_nav::crowd::{AgentId, Crowd};

/// A crowd, and what the border knows of it.
pub(crate) struct CrowdObject {
    crowd: Crowd,
    /// Whether any filter that it was ever given is a function of the caller: a search may still ask one that was replaced.
    pub(crate) calls_back: bool,
    /// Where the agent of each slot stands in the lists; counted again after agents have come or gone.
    places: OnceLock<Vec<u32>>,
}

impl CrowdObject {
    pub(crate) fn new(crowd: Crowd, calls_back: bool) -> Self {
        Self { crowd, calls_back, places: OnceLock::new() }
    }

    /// Agents have come or gone.
    pub(crate) fn agents_changed(&mut self) {
        self.places.take();
    }

    /// The index of an agent in lists of those that are there, which leave out free slots.
    pub(crate) fn place_of(&self, agent: AgentId) -> u32 {
        let slots = self.crowd.positions().len();
        if self.crowd.len() == slots {
            return agent.index() as u32;
        }
        let places = self.places.get_or_init(|| {
            let mut places = vec![0; slots];
            for (place, id) in (0..).zip(self.crowd.ids()) {
                places[id.index()] = place;
            }
            places
        });
        places[agent.index()]
    }
}

impl Deref for CrowdObject {
    type Target = Crowd;
    fn deref(&self) -> &Crowd {
        &self.crowd
    }
}

impl DerefMut for CrowdObject {
    fn deref_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }
}
