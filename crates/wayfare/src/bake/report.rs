//! The report of a bake: counts, times, and typed, located warnings.

use crate::math::Aabb;
use core::fmt;
use core::time::Duration;
use glam::Vec3;

/// The stages of a bake, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Triangles to solid spans.
    Rasterize,
    /// Low hanging obstacles, ledges, low ceilings.
    Filter,
    /// Open spans and their neighbours.
    Compact,
    /// Erosion by the agent's radius.
    Erode,
    /// Distance field.
    Distance,
    /// Regions.
    Regions,
    /// Contours.
    Contours,
    /// Polygon mesh.
    Polygons,
    /// Detail mesh.
    Detail,
    /// Tile data in world coordinates.
    Tile,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 10] = [
        Self::Rasterize,
        Self::Filter,
        Self::Compact,
        Self::Erode,
        Self::Distance,
        Self::Regions,
        Self::Contours,
        Self::Polygons,
        Self::Detail,
        Self::Tile,
    ];

    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rasterize => "rasterize",
            Self::Filter => "filter",
            Self::Compact => "compact",
            Self::Erode => "erode",
            Self::Distance => "distance",
            Self::Regions => "regions",
            Self::Contours => "contours",
            Self::Polygons => "polygons",
            Self::Detail => "detail",
            Self::Tile => "tile",
        }
    }
}

/// Time spent in each stage, summed over tiles (so with several threads the sum exceeds the elapsed time).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes([Duration; Stage::ALL.len()]);

impl StageTimes {
    /// Adds to a stage.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }

    /// Time of a stage.
    #[must_use]
    pub fn get(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Adds another bake's times.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// Counts of a bake, summed over tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BakeStats {
    /// Tiles processed.
    pub tiles: u32,
    /// Tiles without polygons.
    pub empty_tiles: u32,
    /// Tiles that were not baked because they were already known. Only their polygons, vertices and detail are counted
    /// below.
    pub reused_tiles: u32,
    /// Columns of the level's grid.
    pub width: u32,
    /// Rows of the level's grid.
    pub depth: u32,
    /// Triangles with a corner beside or below that grid: parts outside it are left out. A height map counts as one.
    pub tris_outside: u64,
    /// Solid spans.
    pub spans: u64,
    /// Solid spans that are walkable after the filters: those of the compact heightfield.
    pub walkable_spans: u64,
    /// Compact spans that are walkable after erosion.
    pub eroded_spans: u64,
    /// Greatest distance of the distance field, before blurring; 0 if the partition needs no distances.
    pub max_distance: u16,
    /// Regions.
    pub regions: u64,
    /// Contours.
    pub contours: u64,
    /// Contour vertices before simplification.
    pub raw_contour_verts: u64,
    /// Contour vertices after simplification.
    pub contour_verts: u64,
    /// Polygon mesh vertices.
    pub poly_verts: u64,
    /// Polygons.
    pub polys: u64,
    /// Area of the polygons in plan, square metres.
    pub poly_area: f64,
    /// Detail vertices: polygon corners and extra vertices.
    pub detail_verts: u64,
    /// Detail triangles.
    pub detail_tris: u64,
}

impl BakeStats {
    /// Adds the counts of another part of the same bake; the size of the level's grid is kept.
    pub fn merge(&mut self, part: &Self) {
        self.tiles += part.tiles;
        self.empty_tiles += part.empty_tiles;
        self.reused_tiles += part.reused_tiles;
        self.spans += part.spans;
        self.walkable_spans += part.walkable_spans;
        self.eroded_spans += part.eroded_spans;
        self.max_distance = self.max_distance.max(part.max_distance);
        self.regions += part.regions;
        self.contours += part.contours;
        self.raw_contour_verts += part.raw_contour_verts;
        self.contour_verts += part.contour_verts;
        self.poly_verts += part.poly_verts;
        self.polys += part.polys;
        self.poly_area += part.poly_area;
        self.detail_verts += part.detail_verts;
        self.detail_tris += part.detail_tris;
    }
}

/// Problems that do not stop the bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// Triangles with corners that are NaN or infinite were dropped.
    TriangleNotFinite,
    /// Triangles without area were dropped.
    TriangleDegenerate,
    /// A contour with fewer than three corners left was dropped.
    ContourDropped,
    /// A contour crossed itself and was repaired.
    ContourRepaired,
    /// A hole lies outside every outline of its region and was dropped.
    HoleDropped,
    /// Part of a contour could not be triangulated and was left out.
    TriangulationIncomplete,
    /// A detail patch reached its vertex limit before its error bound.
    DetailLimit,
    /// A setting is valid but questionable: [`BakeSettings::warnings`](crate::input::BakeSettings::warnings) says
    /// which, and what to do.
    UnwiseSetting,
    /// A volume lies outside the box around all surfaces, so it marks nothing.
    VolumeOutside,
    /// Triangles extend beyond a plan that was made for another level, and the parts outside are left out: set
    /// [`BakeSettings::bounds`](crate::input::BakeSettings::bounds) that contain everything that may be added.
    GroundOutside,
    /// The mesh has no polygon: no triangle faces up, or the agent fits nowhere. [`EmptyBake`](super::EmptyBake) says
    /// which.
    NothingWalkable,
    /// Surfaces lie inside closed bodies, such as crates or buildings modelled as shells, and nothing leads there. A
    /// bake of tiles does not know what they are connected to: `NavMesh::hollow_surfaces` finds them in the mesh.
    InsideHollowBody,
}

impl WarningKind {
    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TriangleNotFinite => "triangle-not-finite",
            Self::TriangleDegenerate => "triangle-degenerate",
            Self::ContourDropped => "contour-dropped",
            Self::ContourRepaired => "contour-repaired",
            Self::HoleDropped => "hole-dropped",
            Self::TriangulationIncomplete => "triangulation-incomplete",
            Self::DetailLimit => "detail-limit",
            Self::UnwiseSetting => "unwise-setting",
            Self::VolumeOutside => "volume-outside",
            Self::GroundOutside => "ground-outside",
            Self::NothingWalkable => "nothing-walkable",
            Self::InsideHollowBody => "inside-hollow-body",
        }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TriangleNotFinite => "triangles left out, with corners that are NaN or infinite",
            Self::TriangleDegenerate => "triangles left out, without area",
            Self::ContourDropped => "contours left out, with fewer than three corners",
            Self::ContourRepaired => "contours repaired, which crossed themselves",
            Self::HoleDropped => "holes left out, outside of their region",
            Self::TriangulationIncomplete => "contours that could not be cut into triangles completely",
            Self::DetailLimit => "polygons that reached the limit of detail vertices",
            Self::UnwiseSetting => "unwise settings, which `BakeSettings::warnings` names",
            Self::VolumeOutside => "volumes that mark nothing, since they lie outside the level's bounds",
            Self::GroundOutside => "triangles that reach beyond what was planned",
            Self::NothingWalkable => "nothing is walkable: no triangle faces up, or the agent fits nowhere",
            Self::InsideHollowBody => {
                "surfaces inside hollow bodies, which can be walked on though nothing leads there"
            }
        })
    }
}

/// One kind of warning, how often it occurred, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What happened.
    pub kind: WarningKind,
    /// How often.
    pub count: u32,
    /// The positions where it happened, if it has positions: the first [`BakeReport::most_places`].
    pub places: Vec<Vec3>,
}

impl Warning {
    /// The first position where it happened, if it has one.
    #[must_use]
    pub fn first_place(&self) -> Option<Vec3> {
        self.places.first().copied()
    }
}

impl fmt::Display for Warning {
    /// What happened, how often, and where first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.count)?;
        match self.first_place() {
            Some(Vec3 { x, y, z }) => write!(f, ", the first at {x},{y},{z}"),
            None => Ok(()),
        }
    }
}

/// The report of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeReport {
    /// The box around all surfaces of the level.
    pub bounds: Aabb,
    /// Counts.
    pub stats: BakeStats,
    /// Times by stage; zero without a clock.
    pub times: StageTimes,
    /// Warnings by kind, in the order of [`WarningKind`].
    pub warnings: Vec<Warning>,
    /// How many positions are kept of each kind of warning; all are counted. Default:
    /// [`MOST_PLACES`](Self::MOST_PLACES). 0 keeps none.
    pub most_places: u32,
}

impl Default for BakeReport {
    /// An empty report of a level without surfaces.
    fn default() -> Self {
        Self::new(Aabb::EMPTY)
    }
}

impl BakeReport {
    /// The default number of positions kept of each kind of warning.
    pub const MOST_PLACES: u32 = 1000;

    /// An empty report.
    #[must_use]
    pub fn new(bounds: Aabb) -> Self {
        let stats = BakeStats::default();
        let times = StageTimes::default();
        Self { bounds, stats, times, warnings: Vec::new(), most_places: Self::MOST_PLACES }
    }

    /// Adds the report of another part of the same bake. Parts must be added in a fixed order, since areas are summed.
    pub fn merge(&mut self, part: &Self) {
        self.stats.merge(&part.stats);
        self.times.merge(&part.times);
        for warning in &part.warnings {
            self.add(warning.kind, warning.count, &warning.places);
        }
    }

    /// Counts a warning, and keeps its position.
    pub fn warn(&mut self, kind: WarningKind, count: u32, at: Option<Vec3>) {
        self.add(kind, count, at.as_slice());
    }

    fn add(&mut self, kind: WarningKind, count: u32, places: &[Vec3]) {
        if count == 0 {
            return;
        }
        let i = self.warnings.binary_search_by_key(&kind, |w| w.kind).unwrap_or_else(|i| {
            self.warnings.insert(i, Warning { kind, count: 0, places: Vec::new() });
            i
        });
        let warning = &mut self.warnings[i];
        warning.count = warning.count.saturating_add(count);
        let room = (self.most_places as usize).saturating_sub(warning.places.len());
        warning.places.extend(places.iter().take(room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_up_to_a_number_and_all_are_counted() {
        let place = |x: usize| Vec3::X * x as f32;
        let mut part = BakeReport::default();
        (0..5).for_each(|x| part.warn(WarningKind::HoleDropped, 1, Some(place(x))));
        part.warn(WarningKind::ContourDropped, 2, None);
        let mut few = BakeReport { most_places: 7, ..BakeReport::default() };
        few.merge(&part);
        few.merge(&part);
        let kept: Vec<_> = few.warnings.iter().map(|w| (w.kind, w.count, w.places.len(), w.first_place())).collect();
        let dropped = (WarningKind::ContourDropped, 4, 0, None);
        assert_eq!(kept, [dropped, (WarningKind::HoleDropped, 10, 7, Some(Vec3::ZERO))]);
        assert_eq!(few.warnings[1].places[..], [0, 1, 2, 3, 4, 0, 1].map(place));
    }
}
