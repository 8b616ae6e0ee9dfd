//! The Recast demo's `.gset`: a geometry file with settings, off-mesh connections and convex volumes.
//!
//! ```text
//!   f nav_test.obj
//!   s 0.3 0.2 2.0 0.6 0.9 45 8 20 12 1.3 6 6 1 0 minx miny minz maxx maxy maxz 32
//!   c fromx fromy fromz tox toy toz radius bidirectional area flags
//!   v count area low high         followed by count lines of x y z
//! ```
//!
//! Lines of other kinds are ignored, as in the demo, but reported.

use crate::ReadError;
use crate::work;
use std::str::{FromStr, SplitAsciiWhitespace};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::{AgentSettings, BakeSettings, MarkedVolume, Partition, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::{Vec2, Vec3};

/// The content of a `.gset`.
#[derive(Debug, Default)]
pub struct Gset {
    /// The geometry file, relative to the `.gset`.
    pub geometry: Option<String>,
    /// Settings, if it has any.
    pub settings: Option<GsetSettings>,
    /// The box that is baked.
    pub bounds: Option<Aabb>,
    /// Off-mesh connections.
    pub connections: Vec<OffMeshConnection>,
    /// As the demo marks them: after erosion; area type 0 removes the surface.
    pub volumes: Vec<MarkedVolume>,
    /// The remark about the first line of another kind.
    pub passed_over: Option<String>,
}

/// The bake settings of a `.gset`. The numbers are as written, unchecked, in the demo's units: metres and degrees,
/// regions as the side of a square in cells, distances of samples in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "each is the setting of the same name of the program and, in other units, of the library"
)]
pub struct GsetSettings {
    pub cell_size: f32,
    pub cell_height: f32,
    pub agent_height: f32,
    pub agent_radius: f32,
    pub agent_max_climb: f32,
    pub agent_max_slope: f32,
    pub region_min_size: u32,
    pub region_merge_size: u32,
    pub edge_max_len: f32,
    pub edge_max_error: f32,
    pub verts_per_poly: u32,
    pub detail_sample_dist: f32,
    pub detail_sample_max_error: f32,
    pub partition: Partition,
}

impl GsetSettings {
    /// Converts these to bake settings, unchecked; the others are the defaults.
    #[must_use]
    pub fn bake_settings(&self) -> BakeSettings {
        BakeSettings {
            agent: AgentSettings {
                height: self.agent_height,
                radius: self.agent_radius,
                max_climb: self.agent_max_climb,
                max_slope: self.agent_max_slope.to_radians(),
                ..AgentSettings::default()
            },
            cell_size: self.cell_size,
            cell_height: self.cell_height,
            partition: self.partition,
            region_min_size: self.region_min_size,
            region_merge_size: self.region_merge_size,
            edge_max_len: self.edge_max_len,
            edge_max_error: self.edge_max_error,
            verts_per_poly: self.verts_per_poly,
            detail_sample_dist: self.detail_sample_dist,
            detail_sample_max_error: self.detail_sample_max_error,
            ..BakeSettings::default()
        }
    }
}

/// A volume of the demo has at most a dozen corners.
const MAX_CORNERS: u32 = 1024;

/// Reads the text of a `.gset`. Its geometry is in another file, whose name it contains.
///
/// # Errors
/// [`ReadError`], with the line.
pub fn read_gset(text: &str) -> Result<Gset, ReadError> {
    let mut gset = Gset::default();
    let mut lines = (1u64..).zip(text.lines());
    while let Some((line, text)) = lines.next() {
        work::count(text.len());
        let mut words = Words { line, words: text.split_ascii_whitespace() };
        match words.words.next() {
            Some("f") => gset.geometry = Some(text.trim()[1..].trim().to_owned()),
            Some("s") => {
                gset.settings = Some(settings(&mut words)?);
                // The tile size after it only matters to the demo's tiled mode.
                if words.has_more() {
                    gset.bounds = words.bounds()?;
                }
            }
            Some("c") => gset.connections.push(connection(&mut words)?),
            Some("v") => {
                let allowed = format!("a whole number from 3 to {MAX_CORNERS}");
                let count: u32 =
                    words.parsed("the number of corners", &allowed, |count| (3..=MAX_CORNERS).contains(count))?;
                let area = words.area()?;
                let [low, high] = [words.finite("the lower height")?, words.finite("the upper height")?];
                if low > high {
                    let message = format!("the lower height {low} is above the upper {high}");
                    return Err(ReadError::in_line(line, message));
                }
                let mut outline = Vec::new();
                for _ in 0..count {
                    let (line, text) = lines.next().ok_or("ends in the middle of a volume")?;
                    let corner = Words { line, words: text.split_ascii_whitespace() }.point()?;
                    outline.push(Vec2::new(corner.x, corner.z));
                }
                gset.volumes.push(MarkedVolume::paint(Volume::Prism { outline, heights: [low, high] }, area));
            }
            // The demo writes none; people do.
            Some(kind) if !kind.starts_with('#') => {
                gset.passed_over.get_or_insert_with(|| {
                    format!(
                        "line {line} of the .gset begins with {kind}, none of f, s, c and v: such lines are passed over"
                    )
                });
            }
            _ => {}
        }
    }
    Ok(gset)
}

fn settings(words: &mut Words<'_>) -> Result<GsetSettings, ReadError> {
    Ok(GsetSettings {
        cell_size: words.number("the cell size")?,
        cell_height: words.number("the cell height")?,
        agent_height: words.number("the agent's height")?,
        agent_radius: words.number("the agent's radius")?,
        agent_max_climb: words.number("the agent's climb")?,
        agent_max_slope: words.number("the agent's slope")?,
        region_min_size: words.whole("the least region size")?,
        region_merge_size: words.whole("the region merge size")?,
        edge_max_len: words.number("the longest edge")?,
        edge_max_error: words.number("the edge error")?,
        verts_per_poly: words.whole("the vertices of a polygon")?,
        detail_sample_dist: words.number("the detail distance")?,
        detail_sample_max_error: words.number("the detail error")?,
        partition: match words.whole("the partition")? {
            0 => Partition::Watershed,
            1 => Partition::Monotone,
            2 => Partition::Layers,
            other => {
                return Err(ReadError::in_line(words.line, format!("partition {other} is none of 0, 1 and 2")));
            }
        },
    })
}

fn connection(words: &mut Words<'_>) -> Result<OffMeshConnection, ReadError> {
    let (start, end) = (words.point()?, words.point()?);
    let radius =
        words.parsed("the radius", "a finite number, 0 or above", |value: &f32| value.is_finite() && *value >= 0.0)?;
    let two_way = words.whole("whether it goes both ways")? != 0;
    let area = words.area()?;
    let flags = PolyFlags(words.parsed("the set of flags", "a whole number from 0 to 65535", |_| true)?);
    Ok(OffMeshConnection { start, end, radius, two_way, area, flags, user_id: 0 })
}

/// The words of a line, taken one by one.
struct Words<'a> {
    line: u64,
    words: SplitAsciiWhitespace<'a>,
}

impl Words<'_> {
    fn has_more(&self) -> bool {
        self.words.clone().next().is_some()
    }

    /// The next word, which must be what `allowed` describes.
    fn parsed<T: FromStr>(&mut self, what: &str, allowed: &str, fits: impl Fn(&T) -> bool) -> Result<T, ReadError> {
        let line = self.line;
        let word = self.words.next().ok_or_else(|| ReadError::in_line(line, format!("{what} is missing")))?;
        let value = word.parse().ok().filter(fits);
        value.ok_or_else(|| ReadError::in_line(line, format!("{what} is {word}, but must be {allowed}")))
    }

    /// Settings that are no finite numbers are refused with all others.
    fn number(&mut self, what: &str) -> Result<f32, ReadError> {
        self.parsed(what, "a number", |_| true)
    }

    fn finite(&mut self, what: &str) -> Result<f32, ReadError> {
        self.parsed(what, "a finite number", |value: &f32| value.is_finite())
    }

    /// A whole number that may be written with a zero fraction, as the demo does.
    fn whole(&mut self, what: &str) -> Result<u32, ReadError> {
        let fits = |value: &f32| value.fract() == 0.0 && (0.0..4e9).contains(value);
        Ok(self.parsed(what, "a whole number, 0 or above", fits)? as u32)
    }

    fn area(&mut self) -> Result<AreaId, ReadError> {
        let id: u8 = self.parsed("the area type", "a whole number from 0 to 63", |&id| AreaId::new(id).is_ok())?;
        Ok(AreaId::from_low_bits(id))
    }

    /// A box; one without a size was never set.
    fn bounds(&mut self) -> Result<Option<Aabb>, ReadError> {
        let (min, max) = (self.point()?, self.point()?);
        if min.cmpgt(max).any() {
            let message = format!("the bounds' low corner {min} is above the high one, {max}");
            return Err(ReadError::in_line(self.line, message));
        }
        Ok((min.x < max.x && min.z < max.z).then_some(Aabb { min, max }))
    }

    fn point(&mut self) -> Result<Vec3, ReadError> {
        Ok(Vec3::new(self.finite("x")?, self.finite("y")?, self.finite("z")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Gset, String> {
        read_gset(text).map_err(|e| e.to_string())
    }

    const TEXT: &str = "f my level.obj\ns 0.25 0.2 2 0.5 0.9 45 8.0 20 12 1.3 6.000000 6 1 1 0 0 0 1 1 1 32\nc 1 2 3 4 5 6 0.6 1 5 8\nv 3 1 -1 2.5\n0 0 0\n1 0 0\n0 0 1\n";

    #[test]
    fn everything_is_read() {
        let gset = parse(TEXT).unwrap();
        assert_eq!(gset.geometry.as_deref(), Some("my level.obj"));
        let settings = gset.settings.unwrap();
        assert_eq!((settings.cell_size, settings.region_min_size), (0.25, 8));
        assert_eq!(settings.partition, Partition::Monotone);
        assert_eq!(settings.bake_settings().agent.max_slope, 45f32.to_radians());
        assert_eq!(gset.bounds, Some(Aabb { min: Vec3::ZERO, max: Vec3::ONE }));
        let connection = &gset.connections[0];
        assert_eq!(
            (connection.end, connection.two_way, connection.flags),
            (Vec3::new(4.0, 5.0, 6.0), true, PolyFlags(8))
        );
        let outline = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from).to_vec();
        let prism = Volume::Prism { outline, heights: [-1.0, 2.5] };
        assert_eq!(gset.volumes, [MarkedVolume::paint(prism, AreaId::new(1).unwrap())]);
    }

    #[test]
    fn lines_of_other_kinds_are_told() {
        assert_eq!(parse(TEXT).unwrap().passed_over, None);
        let others = parse(&format!("# mine\n{TEXT}\nx 1 2\nvolume 3\n")).unwrap().passed_over.unwrap();
        assert!(others.starts_with("line 10 of the .gset begins with x, none of"), "{others}");
    }

    #[test]
    fn broken_lines_are_named() {
        let refused = |from: &str, to: &str| parse(&TEXT.replace(from, to)).unwrap_err();
        assert_eq!(refused("s 0.25", "s x"), "line 2: the cell size is x, but must be a number");
        assert_eq!(refused("0.6 1 5 8", "0.6 1 5"), "line 3: the set of flags is missing");
        assert_eq!(
            refused("1 5 8", "1 500 8"),
            "line 3: the area type is 500, but must be a whole number from 0 to 63"
        );
        assert_eq!(
            refused("6 0.6 1", "6 -0.6 1"),
            "line 3: the radius is -0.6, but must be a finite number, 0 or above"
        );
        assert_eq!(refused("c 1 2", "c 1 inf"), "line 3: y is inf, but must be a finite number");
        assert_eq!(
            refused("1 1 1 32", "1 -1 1 32"),
            "line 2: the bounds' low corner [0, 0, 0] is above the high one, [1, -1, 1]"
        );
        assert_eq!(parse(&TEXT.replace("1 1 1 32", "0 1 0 32")).unwrap().bounds, None);
        assert_eq!(refused("v 3 1 -1", "v 3 1 9"), "line 4: the lower height 9 is above the upper 2.5");
        assert_eq!(refused("v 3", "v 4"), "ends in the middle of a volume");
        assert_eq!(
            refused("v 3", "v 999999"),
            "line 4: the number of corners is 999999, but must be a whole number from 3 to 1024"
        );
    }
}
