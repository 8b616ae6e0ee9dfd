//! The input of a bake: triangles, height maps and volumes, and settings in world units with their only conversion to
//! voxel units.

mod height_map;
mod level;
mod link_settings;
mod settings;
mod solid;
mod touching_heads;
mod tri_mesh;
mod volume;
mod voxel_settings;

pub use height_map::{HeightMap, HeightMapError, HeightPart, HeightScale};
pub use level::Level;
pub use link_settings::{LinkKind, LinkRule, LinkSettings};
pub use settings::{AgentSettings, BakeSettings, Erosion, Filters, Partition};
pub(crate) use solid::Solid;
pub(crate) use tri_mesh::has_area;
pub use tri_mesh::{InputReport, TriMesh, TriMeshError};
pub use volume::{MarkedVolume, Marking, Volume};
pub use voxel_settings::{SettingsError, SettingsWarning, VoxelSettings};
