//! Numbers for what the library names by types of its own: agents, obstacles, objects, requests.

use crate::status::{Failure, Outcome};
use wayfare_nav::blocks::BlockRequestId;
use wayfare_nav::crowd::AgentId;
use wayfare_nav::dynamic::{ObjectRef, ObstacleRef};
use wayfare_nav::plan::RequestId;

/// What is named by a number that is never 0. One that was removed is seen by whoever is asked for it.
pub(crate) trait Named: Sized {
    const KIND: &'static str;
    fn from_number(number: u64) -> Option<Self>;

    /// What a number of a caller names, if it can name anything.
    fn of(number: u64) -> Outcome<Self> {
        let kind = Self::KIND;
        Self::from_number(number).ok_or_else(|| Failure::stale(format_args!("{kind} {number} was never made")))
    }
}

macro_rules! named {
    ($type:ty, $kind:literal) => {
        impl Named for $type {
            const KIND: &'static str = $kind;
            fn from_number(number: u64) -> Option<Self> {
                Self::from_bits(number)
            }
        }
    };
}

named!(AgentId, "agent");
named!(BlockRequestId, "request");
named!(ObjectRef, "object");
named!(ObstacleRef, "obstacle");
named!(RequestId, "request");
