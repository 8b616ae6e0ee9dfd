//! What goes into a bake: triangles, and settings in world units with the one conversion to voxel units.

mod link_settings;
mod settings;
mod tri_mesh;
mod voxel_settings;

pub use link_settings::{LinkKind, LinkRule, LinkSettings};
pub use settings::{AgentSettings, BakeSettings, Filters, Partition};
pub use tri_mesh::{InputReport, TriMesh, TriMeshError};
pub use voxel_settings::{SettingsError, SettingsWarning, VoxelSettings};
