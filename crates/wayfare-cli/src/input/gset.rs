//! The Recast demo's `.gset`: a geometry file with settings, off-mesh connections and convex volumes.
//!
//! ```text
//!   f nav_test.obj
//!   s 0.3 0.2 2.0 0.6 0.9 45 8 20 12 1.3 6 6 1 0 minx miny minz maxx maxy maxz 32
//!   c fromx fromy fromz tox toy toz radius bidirectional area flags
//!   v count area low high         followed by count lines of x y z
//! ```
//!
//! Lines of other kinds are passed over, as the demo does, but told.

use crate::options::{BakeOptions, PartitionName};
use crate::work;
use std::str::{FromStr, SplitAsciiWhitespace};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::{MarkedVolume, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::{Vec2, Vec3};

/// What a `.gset` says.
#[derive(Debug, Default)]
pub(crate) struct Gset {
    /// The geometry file, relative to the `.gset`.
    pub(super) geometry: Option<String>,
    pub(super) options: BakeOptions,
    /// The box that is baked.
    pub(super) bounds: Option<Aabb>,
    pub(super) connections: Vec<OffMeshConnection>,
    /// As the demo marks them: after erosion; area type 0 takes the ground away.
    pub(super) volumes: Vec<MarkedVolume>,
    /// What is said of the first line of another kind.
    pub(super) passed_over: Option<String>,
}

/// A volume of the demo has at most a dozen corners.
const MAX_CORNERS: u32 = 1024;

/// Reads the text of a `.gset`.
pub(crate) fn parse(text: &str) -> Result<Gset, String> {
    let mut gset = Gset::default();
    let mut lines = (1u64..).zip(text.lines());
    while let Some((line, text)) = lines.next() {
        work::count(text.len());
        let mut words = Words { line, words: text.split_ascii_whitespace() };
        match words.words.next() {
            Some("f") => gset.geometry = Some(text.trim()[1..].trim().to_owned()),
            Some("s") => {
                gset.options = settings(&mut words)?;
                // The tile size after it matters to the demo's tiled mode only.
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
                    return Err(format!("line {line}: the lower height {low} is above the upper {high}"));
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

fn settings(words: &mut Words<'_>) -> Result<BakeOptions, String> {
    let mut options = BakeOptions {
        cell_size: Some(words.number("the cell size")?),
        cell_height: Some(words.number("the cell height")?),
        agent_height: Some(words.number("the agent's height")?),
        agent_radius: Some(words.number("the agent's radius")?),
        agent_max_climb: Some(words.number("the agent's climb")?),
        agent_max_slope: Some(words.number("the agent's slope")?),
        region_min_size: Some(words.whole("the least region size")?),
        region_merge_size: Some(words.whole("the region merge size")?),
        edge_max_len: Some(words.number("the longest edge")?),
        edge_max_error: Some(words.number("the edge error")?),
        verts_per_poly: Some(words.whole("the vertices of a polygon")?),
        detail_sample_dist: Some(words.number("the detail distance")?),
        detail_sample_max_error: Some(words.number("the detail error")?),
        ..BakeOptions::default()
    };
    options.partition = match words.whole("the partition")? {
        0 => Some(PartitionName::Watershed),
        1 => Some(PartitionName::Monotone),
        2 => Some(PartitionName::Layers),
        other => return Err(format!("line {}: partition {other} is none of 0, 1 and 2", words.line)),
    };
    Ok(options)
}

fn connection(words: &mut Words<'_>) -> Result<OffMeshConnection, String> {
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

    /// The next word, which must be what `allowed` says.
    fn parsed<T: FromStr>(&mut self, what: &str, allowed: &str, fits: impl Fn(&T) -> bool) -> Result<T, String> {
        let line = self.line;
        let word = self.words.next().ok_or_else(|| format!("line {line}: {what} is missing"))?;
        let value = word.parse().ok().filter(fits);
        value.ok_or_else(|| format!("line {line}: {what} is {word}, but must be {allowed}"))
    }

    /// Settings that are no finite numbers are refused with all others.
    fn number(&mut self, what: &str) -> Result<f32, String> {
        self.parsed(what, "a number", |_| true)
    }

    fn finite(&mut self, what: &str) -> Result<f32, String> {
        self.parsed(what, "a finite number", |value: &f32| value.is_finite())
    }

    /// A whole number that may be written with a fraction of zero, as the demo does.
    fn whole(&mut self, what: &str) -> Result<u32, String> {
        let fits = |value: &f32| value.fract() == 0.0 && (0.0..4e9).contains(value);
        Ok(self.parsed(what, "a whole number, 0 or above", fits)? as u32)
    }

    fn area(&mut self) -> Result<AreaId, String> {
        let id: u8 = self.parsed("the area type", "a whole number from 0 to 63", |&id| AreaId::new(id).is_ok())?;
        Ok(AreaId::from_low_bits(id))
    }

    /// A box; one without a size was never set.
    fn bounds(&mut self) -> Result<Option<Aabb>, String> {
        let (min, max) = (self.point()?, self.point()?);
        if min.cmpgt(max).any() {
            return Err(format!("line {}: the bounds' low corner {min} is above the high one, {max}", self.line));
        }
        Ok((min.x < max.x && min.z < max.z).then_some(Aabb { min, max }))
    }

    fn point(&mut self) -> Result<Vec3, String> {
        Ok(Vec3::new(self.finite("x")?, self.finite("y")?, self.finite("z")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "f my level.obj\ns 0.25 0.2 2 0.5 0.9 45 8.0 20 12 1.3 6.000000 6 1 1 0 0 0 1 1 1 32\nc 1 2 3 4 5 6 0.6 1 5 8\nv 3 1 -1 2.5\n0 0 0\n1 0 0\n0 0 1\n";

    #[test]
    fn everything_is_read() {
        let gset = parse(TEXT).unwrap();
        assert_eq!(gset.geometry.as_deref(), Some("my level.obj"));
        assert_eq!((gset.options.cell_size, gset.options.region_min_size), (Some(0.25), Some(8)));
        assert_eq!(gset.options.partition, Some(PartitionName::Monotone));
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
