//! The operations of a `wayfare obstacles --play` file, in addition to the queries of `wayfare query`.

use crate::failure::Failure;
use crate::input::Level;
use crate::options::volumes::{Cuboid, Cylinder, Prism, TurnedBox};
use crate::options::{Areas, BakeOptions};
use crate::terminal::Terminal;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, Volume};
use wayfare::{Vec2, Vec3};

/// Operations, by their names.
pub(super) const OPS: [&str; 6] = ["add", "move", "remove", "begin", "update", "tick"];

/// One line.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Op {
    Add {
        #[serde(default)]
        id: Value,
        name: String,
        shape: Shape,
        /// The area type that it paints; without one, it blocks.
        area: Option<u8>,
    },
    Move {
        #[serde(default)]
        id: Value,
        name: String,
        by: [f32; 3],
    },
    Remove {
        #[serde(default)]
        id: Value,
        name: String,
    },
    /// Accepts requests without rebuilding anything yet.
    Begin {
        #[serde(default)]
        id: Value,
    },
    /// Rebuilds until nothing is left to do.
    Update {
        #[serde(default)]
        id: Value,
    },
    /// A frame of a game, this many seconds long: rebuilds as much as a frame has time for.
    Tick {
        #[serde(default)]
        id: Value,
        dt: f64,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Shape {
    /// `at` is the middle of the base.
    Cylinder(Cylinder),
    Box(Cuboid),
    /// Half sizes along its own axes, rotated from x towards z, degrees.
    Obb(TurnedBox),
    /// Over the polygon of these corners (x, z).
    Prism(Prism),
    /// `at` is its lowest point.
    Capsule(Cylinder),
    /// The convex hull of these points.
    Hull {
        points: Vec<[f32; 3]>,
    },
    /// The solid in a level file.
    Mesh {
        file: String,
    },
}

impl Shape {
    /// The obstacle with this shape that paints an area, or blocks.
    pub(super) fn marked(self, area: Option<u8>) -> Result<MarkedVolume, String> {
        let volume = match self {
            Self::Cylinder(cylinder) => cylinder.into(),
            Self::Box(cuboid) => cuboid.into(),
            Self::Obb(turned) => turned.into(),
            Self::Prism(Prism { points, min_y, max_y }) => {
                Volume::Prism { outline: points.into_iter().map(Vec2::from).collect(), heights: [min_y, max_y] }
            }
            Self::Capsule(Cylinder { at, radius, height }) => Volume::Capsule { base: at.into(), radius, height },
            Self::Hull { points } => Volume::Hull(points.into_iter().map(Vec3::from).collect()),
            Self::Mesh { file } => {
                let read = read_solid(&file).map_err(|failure| match failure {
                    Failure::Message(message) => message,
                    Failure::BrokenPipe => "the file cannot be read".to_owned(),
                });
                Volume::Mesh { surface: Arc::new(read?), offset: Vec3::ZERO }
            }
        };
        Ok(match area {
            None => MarkedVolume::block(volume),
            Some(area) => MarkedVolume::paint(volume, AreaId::new(area).map_err(|e| e.to_string())?),
        })
    }
}

fn read_solid(file: &str) -> Result<wayfare::input::TriMesh, Failure> {
    let areas = Areas::read(None)?;
    let level = Level::load(&[file.to_owned()], &BakeOptions::default(), &areas, Terminal::new(true))?;
    Ok(level.imported.mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Result<MarkedVolume, String> {
        match serde_json::from_str(text).map_err(|e| e.to_string())? {
            Op::Add { shape, area, .. } => shape.marked(area),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn shapes_become_volumes() {
        let add = |more: &str| marked(&format!("{{\"op\": \"add\", \"name\": \"a\", {more}}}"));
        let post = add("\"shape\": {\"cylinder\": {\"at\": [1, 2, 3], \"radius\": 1, \"height\": 2}}").unwrap();
        let base = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(post, MarkedVolume::block(Volume::Cylinder { base, radius: 1.0, height: 2.0 }));
        let turned = "\"shape\": {\"obb\": {\"center\": [0, 0, 0], \"half\": [1, 1, 1], \"yaw\": 180}}, \"area\": 3";
        let turned = add(turned).unwrap();
        assert!(matches!(turned.volume, Volume::TurnedBox { angle, .. } if angle == core::f32::consts::PI));
        assert_eq!(turned.area.get(), 3);
        assert!(add("\"shape\": {\"ball\": {}}").unwrap_err().contains("unknown variant"));
        assert!(add("\"shape\": {\"hull\": {\"points\": []}}, \"area\": 64").unwrap_err().contains("use 0 to 63"));
        assert!(add("\"shape\": {\"mesh\": {\"file\": \"no such file.obj\"}}").is_err());
    }
}
