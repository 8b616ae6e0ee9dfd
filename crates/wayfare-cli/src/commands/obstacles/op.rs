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
use wayfare::input::{MarkedVolume, TriMesh, Volume};
use wayfare::{Vec2, Vec3};

/// Operations, by their names.
pub(super) const OPS: [&str; 9] =
    ["add", "move", "remove", "geometry", "invalidate", "overlay", "begin", "update", "tick"];

/// One line.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Op {
    Add {
        #[serde(default, rename = "id")]
        _id: Value,
        name: String,
        shape: Shape,
        /// The area type that it paints; without one, it blocks.
        area: Option<u8>,
    },
    Move {
        #[serde(default, rename = "id")]
        _id: Value,
        name: String,
        by: [f32; 3],
    },
    Remove {
        #[serde(default, rename = "id")]
        _id: Value,
        name: String,
    },
    /// An object becomes part of the level: its triangles are walked on, and stood against.
    Geometry {
        #[serde(default, rename = "id")]
        _id: Value,
        name: String,
        /// A level file, or scene:NAME.
        file: String,
        /// By how much its triangles are moved.
        #[serde(default)]
        at: [f32; 3],
    },
    /// The tiles in a box are baked again from the level.
    Invalidate {
        #[serde(default, rename = "id")]
        _id: Value,
        min: [f32; 3],
        max: [f32; 3],
    },
    /// A metre inside a disc costs more, by so much, of which half is left after so many seconds.
    Overlay {
        #[serde(default, rename = "id")]
        _id: Value,
        at: [f32; 3],
        radius: f32,
        cost: f32,
        /// 0: it stays.
        #[serde(default)]
        half_life: f64,
        /// How far it reaches above `at` and below: less than a storey.
        #[serde(default = "a_metre")]
        reach: f32,
    },
    /// Requests are taken, nothing is rebuilt yet.
    Begin {
        #[serde(default, rename = "id")]
        _id: Value,
    },
    /// Rebuilds until nothing is left to do.
    Update {
        #[serde(default, rename = "id")]
        _id: Value,
    },
    /// A frame of a game, this many seconds long: rebuilds as much as a frame has time for.
    Tick {
        #[serde(default, rename = "id")]
        _id: Value,
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

fn a_metre() -> f32 {
    1.0
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
            Self::Mesh { file } => Volume::Mesh { surface: Arc::new(read_triangles(&file)?), offset: Vec3::ZERO },
        };
        Ok(match area {
            None => MarkedVolume::block(volume),
            Some(area) => MarkedVolume::paint(volume, AreaId::new(area).map_err(|e| e.to_string())?),
        })
    }
}

/// The triangles of a level file, with their area types.
pub(super) fn read_triangles(file: &str) -> Result<TriMesh, String> {
    let read = || {
        let areas = Areas::read(None)?;
        Level::load(&[file.to_owned()], &BakeOptions::default(), &areas, Terminal::new(true))
    };
    read().map(|level| level.imported.mesh).map_err(|failure| match failure {
        Failure::Message(message) => message,
        Failure::BrokenPipe => "the file cannot be read".to_owned(),
    })
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
