//! How crowds and queues find their paths, and how they begin anew.
//!
//! Planners keep what they have searched. Where a function of the page has thrown, some of that is wrong: another planner of
//! the same kind takes the place of the one that there was.

use crate::fault::{Answer, Fault};
use wayfare::plan::{AStarPlanner, Planner};

/// A planner, and how another one like it is made.
pub(crate) struct Planning {
    make: Box<dyn Fn() -> Box<dyn Planner>>,
    planner: Box<dyn Planner>,
}

impl Planning {
    pub(crate) fn new<P: Planner + 'static>(make: impl Fn() -> P + 'static) -> Self {
        let planner = Box::new(make());
        Self { make: Box::new(move || Box::new(make())), planner }
    }

    /// The planner of a name.
    pub(crate) fn named(name: &str) -> Answer<Self> {
        match name {
            "astar" => Ok(Self::new(AStarPlanner::new)),
            #[cfg(feature = "extra")]
            "flow" => Ok(Self::new(wayfare::crowd::FlowPlanner::new)),
            #[cfg(feature = "extra")]
            "optimal" => Ok(Self::new(wayfare::plan::OptimalPlanner::new)),
            #[cfg(feature = "extra")]
            "hierarchical" => Ok(Self::new(wayfare::hierarchy::HierarchicalPlanner::new)),
            #[cfg(not(feature = "extra"))]
            "flow" | "optimal" | "hierarchical" => Err(crate::fault::not_here(name)),
            _ => Err(Fault::argument(format_args!(
                "planner must be one of astar, flow, optimal, hierarchical, but is {name:?}"
            ))),
        }
    }

    #[cfg(feature = "extra")]
    pub(crate) fn get(&self) -> &dyn Planner {
        self.planner.as_ref()
    }

    pub(crate) fn get_mut(&mut self) -> &mut dyn Planner {
        self.planner.as_mut()
    }

    /// Forgets all that was searched.
    pub(crate) fn renew(&mut self) {
        self.planner = (self.make)();
    }
}
