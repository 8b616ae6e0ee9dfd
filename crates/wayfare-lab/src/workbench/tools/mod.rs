//! The tools, a file for each.

mod blocks;
mod chosen_agent;
mod connections;
mod crowd;
mod files;
mod hierarchy;
mod inspector;
mod local_grid;
mod obstacles;
mod path;
mod prune;
mod streaming;
mod tiles;
mod volumes;

pub use blocks::BlockTool;
pub use connections::ConnectionTool;
pub use crowd::CrowdTool;
pub use files::FileTool;
pub use hierarchy::HierarchyTool;
pub use inspector::InspectTool;
pub use local_grid::GridTool;
pub use obstacles::ObstacleTool;
pub use path::PathTool;
pub use prune::PruneTool;
pub use streaming::StreamingTool;
pub use tiles::TileTool;
pub use volumes::VolumeTool;
pub(crate) use volumes::draw_volume;

use super::tool::Tool;

/// All tools, in the order of the list.
#[must_use]
pub fn all() -> Vec<Box<dyn Tool>> {
    vec![
        Box::<PathTool>::default(),
        Box::<CrowdTool>::default(),
        Box::<ObstacleTool>::default(),
        Box::<InspectTool>::default(),
        Box::<ConnectionTool>::default(),
        Box::<VolumeTool>::default(),
        Box::<TileTool>::default(),
        Box::<HierarchyTool>::default(),
        Box::<GridTool>::default(),
        Box::<BlockTool>::default(),
        Box::<PruneTool>::default(),
        Box::<StreamingTool>::default(),
        Box::<FileTool>::default(),
    ]
}
