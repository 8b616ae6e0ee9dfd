//! The `[[volume]]` entries of `--areas FILE.toml`: surfaces inside a volume get an area type.
//!
//! ```toml
//! [[volume]]
//! area = 1
//! box = { min = [0, -1, 0], max = [4, 2, 6] }
//! [[volume]]            # half sizes along its own axes, turned from x towards z, degrees
//! area = 3
//! obb = { center = [2, 0, 2], half = [1, 1, 0.2], yaw = 30 }
//! [[volume]]            # `at` is the middle of the base
//! area = 0              # 0 takes the ground away, and with it the ground a radius around
//! cylinder = { at = [5, 0, 5], radius = 1, height = 2 }
//! [[volume]]            # over the convex hull of points [x, z], in any order
//! area = 4
//! before_erosion = false
//! prism = { points = [[0, 0], [4, 0], [2, 3]], min_y = -1, max_y = 1 }
//! ```
//!
//! Coordinates are those of the finished mesh: after `--up` and `--scale`. Later volumes override earlier ones.

use serde::Deserialize;
use wayfare::Vec2;
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, Marking, Volume};
use wayfare::math::Aabb;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VolumeEntry {
    area: u8,
    before_erosion: Option<bool>,
    prism: Option<Prism>,
    #[serde(rename = "box")]
    cuboid: Option<Cuboid>,
    obb: Option<TurnedBox>,
    cylinder: Option<Cylinder>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prism {
    pub(crate) points: Vec<[f32; 2]>,
    pub(crate) min_y: f32,
    pub(crate) max_y: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cuboid {
    min: [f32; 3],
    max: [f32; 3],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnedBox {
    center: [f32; 3],
    half: [f32; 3],
    #[serde(default)]
    yaw: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cylinder {
    pub(crate) at: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) height: f32,
}

impl VolumeEntry {
    /// The volume it describes.
    pub(super) fn marked(self) -> Result<MarkedVolume, String> {
        let area = AreaId::new(self.area).map_err(|e| e.to_string())?;
        let volume = match (self.prism, self.cuboid, self.obb, self.cylinder) {
            (Some(prism), None, None, None) => prism.volume()?,
            (None, Some(cuboid), None, None) => cuboid.into(),
            (None, None, Some(b), None) if !b.yaw.is_finite() => {
                return Err(format!("yaw is {}, but must be a number of degrees", b.yaw));
            }
            (None, None, Some(turned), None) => turned.into(),
            (None, None, None, Some(cylinder)) => cylinder.into(),
            _ => return Err("give it one shape: prism, box, obb or cylinder".into()),
        };
        let bounds = volume.bounds();
        let least = match volume {
            // Its bounds contain it at any rotation.
            Volume::TurnedBox { half_extents, .. } => half_extents.min_element(),
            _ => bounds.size().min_element(),
        };
        if !(least > 0.0 && bounds.min.is_finite() && bounds.max.is_finite()) {
            return Err(
                "its shape holds nothing: sizes must be above 0, and the least corner below the greatest".into()
            );
        }
        let before = self.before_erosion.unwrap_or(area.is_null());
        Ok(MarkedVolume { volume, area, when: if before { Marking::BeforeErosion } else { Marking::AfterErosion } })
    }
}

impl From<Cuboid> for Volume {
    fn from(cuboid: Cuboid) -> Self {
        Self::Box(Aabb { min: cuboid.min.into(), max: cuboid.max.into() })
    }
}

impl From<TurnedBox> for Volume {
    fn from(TurnedBox { center, half, yaw }: TurnedBox) -> Self {
        Self::TurnedBox { center: center.into(), half_extents: half.into(), angle: yaw.to_radians() }
    }
}

impl From<Cylinder> for Volume {
    fn from(Cylinder { at, radius, height }: Cylinder) -> Self {
        Self::Cylinder { base: at.into(), radius, height }
    }
}

impl Prism {
    fn volume(self) -> Result<Volume, String> {
        let points: Vec<Vec2> = self.points.into_iter().map(Vec2::from).collect();
        let volume = Volume::convex_prism(&points, [self.min_y, self.max_y]);
        match &volume {
            Volume::Prism { outline, .. } if outline.len() < 3 => {
                Err("a prism needs three points [x, z] that do not lie on one line".into())
            }
            _ => Ok(volume),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Result<MarkedVolume, String> {
        toml::from_str::<VolumeEntry>(text).map_err(|e| e.message().to_owned())?.marked()
    }

    #[test]
    fn shapes_become_volumes() {
        let water = entry("area = 1\nbox = { min = [0, -1, 0], max = [4, 2, 6] }").unwrap();
        assert_eq!((water.area.get(), water.when), (1, Marking::AfterErosion));
        let well = entry("area = 0\ncylinder = { at = [5, 0, 5], radius = 1, height = 2 }").unwrap();
        assert_eq!(well.when, Marking::BeforeErosion);
        let mud =
            entry("area = 4\nprism = { points = [[0,0],[4,4],[1,1],[4,0],[0,4]], min_y = 0, max_y = 1 }").unwrap();
        assert!(matches!(&mud.volume, Volume::Prism { outline, .. } if outline.len() == 4));
        let door =
            entry("area = 3\nbefore_erosion = true\nobb = { center = [2, 0, 2], half = [1, 1, 0.2], yaw = 180 }");
        let Volume::TurnedBox { angle, .. } = door.unwrap().volume else { panic!() };
        assert_eq!(angle, core::f32::consts::PI);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(entry("area = 64\nbox = { min = [0, 0, 0], max = [1, 1, 1] }").unwrap_err().contains("use 0 to 63"));
        assert!(entry("area = 1").unwrap_err().contains("prism, box, obb or cylinder"));
        assert!(entry("area = 1\nbox = { min = [1, 0, 0], max = [0, 1, 1] }").unwrap_err().contains("holds nothing"));
        assert!(
            entry("area = 1\ncylinder = { at = [0, 0, 0], radius = nan, height = 2 }").unwrap_err().contains("nothing")
        );
        for flat in [
            "box = { min = [0, 0, 0], max = [1, 0, 1] }",
            "obb = { center = [2, 0, 2], half = [1, 1, 0] }",
            "cylinder = { at = [5, 0, 5], radius = 0, height = 2 }",
            "cylinder = { at = [5, 0, 5], radius = 1, height = 0 }",
            "prism = { points = [[0, 0], [4, 0], [2, 3]], min_y = 1, max_y = 1 }",
        ] {
            assert!(entry(&format!("area = 1\n{flat}")).unwrap_err().contains("holds nothing"), "{flat}");
        }
        for yaw in ["nan", "inf"] {
            let turned = format!("area = 1\nobb = {{ center = [2, 0, 2], half = [1, 1, 1], yaw = {yaw} }}");
            assert!(entry(&turned).unwrap_err().contains("number of degrees"));
        }
        let line = "area = 1\nprism = { points = [[0, 0], [1, 1], [2, 2]], min_y = 0, max_y = 1 }";
        assert!(entry(line).unwrap_err().contains("one line"));
        assert!(entry("area = 1\nbox = { min = [0, 0, 0] }").unwrap_err().contains("missing field `max`"));
    }
}
