//! Bakes a level into a mesh in one call.

use crate::bake::{BakeError, EmptyBake, bake_tiles};
use crate::context::Context;
use crate::input::{AgentSettings, BakeSettings, Level, SettingsError};
use crate::mesh::{AddTileError, NavMesh};

/// A level that could not be baked into a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeLevelError {
    /// The bake failed.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// There is nothing that the agent can stand on.
    #[error("nothing can be walked on: {0}")]
    NothingWalkable(EmptyBake),
    /// A tile that was baked could not be added to the mesh.
    #[error(transparent)]
    Tile(#[from] AddTileError),
}

impl NavMesh {
    /// Bakes a level (a mesh, a height map, or a [`Level`] with volumes) for an agent, as one tile and with
    /// [`BakeSettings::for_agent`]. If the agent cannot stand anywhere, this is an error that says why; [`bake_tiles`]
    /// returns no tile and a warning instead.
    ///
    /// For other settings, warnings, progress or several tiles, call [`bake_tiles`] and [`NavMesh::from_tiles`]: this
    /// function does nothing else.
    ///
    /// # Errors
    /// [`BakeLevelError`].
    pub fn bake<'a>(level: impl Into<Level<'a>>, agent: &AgentSettings) -> Result<Self, BakeLevelError> {
        let level = level.into();
        let settings = BakeSettings::for_agent(*agent);
        let (baked, _) = bake_tiles(level, &settings, &Context::default()).map_err(|e| of_agent(e, *agent))?;
        if baked.tiles.is_empty() {
            return Err(BakeLevelError::NothingWalkable(EmptyBake::of(level, &settings)));
        }
        Ok(Self::from_tiles(baked.layout, baked.tiles)?)
    }
}

/// The cell size was derived from the agent. If it is invalid, the error names the agent's size that caused it.
fn of_agent(error: BakeError, agent: AgentSettings) -> BakeError {
    let BakeError::Settings(SettingsError { name: "cell_size" | "cell_height", .. }) = error else { return error };
    let own = |name, value: f32, range| SettingsError { name, value: f64::from(value), range, limit: None };
    let by_climb = BakeSettings::for_agent(AgentSettings { max_climb: 0.0, ..agent }).to_voxel().is_ok();
    BakeError::Settings(if by_climb {
        own("agent.max_climb", agent.max_climb, "0, or so large that the agent's height is at most 32767 climbs")
    } else {
        own("agent.radius", agent.radius, "0, or so large that the agent's height is at most 16383 radii")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::TriMesh;

    #[test]
    fn a_level_without_ground_says_why() {
        let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]].map(Into::into);
        let ceiling = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let error = NavMesh::bake(&ceiling, &AgentSettings::default()).unwrap_err();
        assert_eq!(error, BakeLevelError::NothingWalkable(EmptyBake::FacesDown { triangles: 1 }));
        assert!(error.to_string().starts_with("nothing can be walked on: no triangle faces up"), "{error}");
        let error = NavMesh::bake(&TriMesh::EMPTY, &AgentSettings::default()).unwrap_err();
        assert_eq!(error.to_string(), "nothing can be walked on: the level has no triangle and no height map");
    }

    #[test]
    fn errors_name_what_the_caller_gave() {
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
        let ground = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let error = |agent| NavMesh::bake(&ground, &agent).unwrap_err().to_string();
        let usual = AgentSettings::default();
        for (agent, named) in [
            (AgentSettings { max_climb: 1e-6, ..usual }, "agent.max_climb is 0.000001, but must be 0, or so large"),
            (AgentSettings { radius: 1e-6, ..usual }, "agent.radius is 0.000001, but must be 0, or so large"),
            (AgentSettings { radius: f32::INFINITY, ..usual }, "agent.radius is inf"),
            (AgentSettings { radius: f32::NAN, ..usual }, "agent.radius is NaN"),
            (AgentSettings { max_climb: f32::NAN, ..usual }, "agent.max_climb is NaN"),
        ] {
            let told = error(agent);
            assert!(told.starts_with(named), "{told}");
        }
    }
}
