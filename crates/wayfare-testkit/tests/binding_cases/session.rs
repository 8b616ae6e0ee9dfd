//! What the steps of a case work on: its mesh, and what stands beside it.

use crate::arguments::{count, list};
use crate::level::{Geometry, area_table, connection, settings};
use serde_json::Value;
use wayfare::area::PolyFlags;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles};
use wayfare::input::{BakeSettings, Level};
use wayfare::mesh::NavMesh;

/// A mesh, baked, and its obstacles.
pub(crate) struct Session {
    pub(crate) geometry: Geometry,
    pub(crate) settings: BakeSettings,
    pub(crate) mesh: Option<NavMesh>,
    pub(crate) obstacles: Option<Obstacles>,
    pub(crate) placed: Vec<ObstacleRef>,
}

impl Session {
    /// Bakes the level of a case, if it has one, sets its area types and adds its connections.
    pub(crate) fn new(case: &Value) -> Self {
        let geometry = Geometry::of(case);
        let settings = settings(&case["bake"]);
        let mut session = Self { geometry, settings, mesh: None, obstacles: None, placed: Vec::new() };
        if case["level"].is_null() && case["heights"].is_null() {
            return session;
        }
        let level = session.level();
        let (baked, _) = bake_tiles(level, &settings, &Context::default()).unwrap();
        let checkpoints = case["obstacles"].as_bool().unwrap_or_default();
        let checkpoints = checkpoints.then(|| LevelCheckpoints::bake(level, &settings, &Context::default()).unwrap());
        let mut mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
        mesh.set_areas(area_table(case));
        for rule in list(case, "area_flags") {
            let flags = PolyFlags(u16::try_from(count(rule, "flags")).unwrap());
            mesh.set_area_flags(crate::arguments::area(rule, "area"), flags);
        }
        for definition in list(case, "connections") {
            mesh.add_connection(connection(definition)).unwrap();
        }
        session.obstacles = checkpoints.map(Obstacles::new);
        session.mesh = Some(mesh);
        session
    }

    pub(crate) fn level(&self) -> Level<'_> {
        let Geometry { mesh, terrain, volumes } = &self.geometry;
        Level { mesh, terrain: terrain.as_ref(), volumes }
    }

    pub(crate) fn mesh(&self) -> &NavMesh {
        self.mesh.as_ref().unwrap()
    }
}
