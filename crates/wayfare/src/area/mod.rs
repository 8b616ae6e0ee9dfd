//! Types shared by every layer: area types, polygon flags, and the status of an answer.

mod answer;
mod id;
mod rules;
mod table;

pub use answer::{LimitHit, PathStatus};
pub use id::{AREA_COUNT, AreaId, AreaIdError, FlagMask, PolyFlags};
pub use rules::AreaRules;
pub use table::{AreaInfo, AreaTable, AreaTableError};
