//! Finds defects of a tile that is valid in memory but not as a surface: polygons that are not convex, neighbours that
//! do not agree, details that do not cover the polygon.
//!
//! Each polygon is checked by itself and against its neighbours:
//!
//! ```text
//!   corners     no vertex twice in a row, wound with the normal up, no turn to the wrong side, around only once
//!   edges       the neighbour has the same edge the other way round; a border edge runs along its side, ground behind it
//!   details     triangles with the normal up whose areas add up to the polygon's, extra vertices on it and within the
//!               tile's heights; edges marked as outline lie on it and, if any are, make up all of it
//!   overlaps    no other polygon lies on it at the same height (see `overlaps`)
//! ```
//!
//! Rounding is not a defect: positions may be off by a tenth of a millimetre, or by the precision of f32 far from the
//! origin. Cost: linear in corners and detail triangles, times the corners of a polygon. If that is too much in
//! proportion to the tile, the check stops and a defect says so.
//!
//! Sources: the invariants are those of Recast's output, on which Detour's queries rely without saying so.

#[cfg(feature = "clearance")]
use super::TileBuilder;
use super::large_polys::EdgesBetween;
use super::{Effort, Exhausted, Side, TileData, TileLists};
use crate::math::plane::{self, cross};
use crate::math::polygon::{self, edges};
use crate::math::{rounding, segment};
use core::fmt;
use glam::Vec3;

/// A defect of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Defect {
    /// Two consecutive corners are at the same position.
    RepeatedCorner {
        /// The first of them, counted within the polygon.
        corner: u32,
    },
    /// The normal points down.
    Winding {
        /// Area on the plane, square metres; negative.
        area: f32,
    },
    /// The polygon has no area.
    NoArea,
    /// The outline turns to the wrong side at a corner.
    NotConvex {
        /// The corner, counted within the polygon.
        corner: u32,
        /// How far the corner is on the wrong side, metres.
        by: f32,
    },
    /// The outline winds around more than once.
    Winds,
    /// A vertex lies outside the tile's bounds.
    OutOfBounds {
        /// The corner, counted within the polygon.
        corner: u32,
        /// How far outside, metres.
        by: f32,
    },
    /// The neighbour over an edge has no edge that leads back.
    OneSided {
        /// The edge, counted within the polygon.
        edge: u32,
        /// The neighbour.
        neighbour: u32,
    },
    /// The neighbour over an edge leads back, but over a different edge.
    EdgeDiffers {
        /// The edge, counted within the polygon.
        edge: u32,
        /// The neighbour.
        neighbour: u32,
    },
    /// A border edge does not run along its side.
    BorderSlants {
        /// The edge, counted within the polygon.
        edge: u32,
        /// The side.
        side: Side,
    },
    /// A border edge has the polygon on its outer side.
    BorderFaces {
        /// The edge, counted within the polygon.
        edge: u32,
        /// The side.
        side: Side,
    },
    /// A detail triangle's normal points down.
    DetailWinding {
        /// The triangle, counted within the polygon.
        triangle: u32,
    },
    /// The detail triangles do not cover the polygon once.
    DetailArea {
        /// Area of the triangles, square metres.
        details: f32,
        /// Area of the polygon.
        polygon: f32,
    },
    /// An extra detail vertex does not lie on the polygon.
    DetailOutside {
        /// The vertex, counted within the polygon.
        vertex: u32,
        /// How far outside, metres.
        by: f32,
    },
    /// An extra detail vertex lies below or above the tile's bounds.
    DetailHeight {
        /// The vertex, counted within the polygon.
        vertex: u32,
        /// How far below or above, metres.
        by: f32,
    },
    /// An edge of a detail triangle is marked as part of the outline, but lies within the polygon, or is none.
    DetailInnerEdge {
        /// The triangle, counted within the polygon.
        triangle: u32,
        /// The edge: its bit in [`DetailTri::outline`](super::DetailTri::outline).
        edge: u32,
    },
    /// Some edges of detail triangles are marked as outline, but not all that lie on it.
    DetailOutline {
        /// Length of the edges that are marked, metres.
        marked: f32,
        /// Length of the polygon's outline.
        outline: f32,
    },
    /// Another polygon of the tile lies on it, at the same height.
    Overlaps {
        /// The other polygon.
        other: u32,
        /// Area on the plane that both cover, square metres.
        area: f32,
    },
    /// So many polygons overlap, here and in polygons with higher numbers, that not all of them were checked.
    Crowded {
        /// What was not checked.
        what: &'static str,
    },
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RepeatedCorner { corner } => write!(f, "corner {corner} and the next are at the same place"),
            Self::Winding { area } => write!(f, "its normal points down (its area is {area} m²)"),
            Self::NoArea => f.write_str("it has no area"),
            Self::NotConvex { corner, by } => write!(f, "it is not convex: corner {corner} turns inwards by {by} m"),
            Self::Winds => f.write_str("its outline runs around more than once"),
            Self::OutOfBounds { corner, by } => write!(f, "corner {corner} lies {by} m outside the tile's bounds"),
            Self::OneSided { edge, neighbour } => {
                write!(f, "edge {edge} leads to polygon {neighbour}, which does not lead back")
            }
            Self::EdgeDiffers { edge, neighbour } => {
                write!(f, "edge {edge} leads to polygon {neighbour}, which leads back over another edge")
            }
            Self::BorderSlants { edge, side } => {
                write!(f, "edge {edge} is on the tile's side {side:?} but does not run along it")
            }
            Self::BorderFaces { edge, side } => {
                write!(f, "edge {edge} is on the tile's side {side:?} with the polygon beyond it")
            }
            Self::DetailWinding { triangle } => write!(f, "the normal of detail triangle {triangle} points down"),
            Self::DetailArea { details, polygon } => {
                write!(f, "its detail triangles cover {details} m², but it has {polygon} m²")
            }
            Self::DetailOutside { vertex, by } => write!(f, "detail vertex {vertex} lies {by} m beside it"),
            Self::DetailHeight { vertex, by } => {
                write!(f, "detail vertex {vertex} lies {by} m below or above the tile's bounds")
            }
            Self::DetailInnerEdge { triangle, edge } => {
                write!(f, "edge {edge} of detail triangle {triangle} is marked as outline, but does not lie on it")
            }
            Self::DetailOutline { marked, outline } => {
                write!(f, "{marked} m of its detail triangles' edges are marked as outline, but that has {outline} m")
            }
            Self::Crowded { what } => {
                write!(f, "there is so much of it that {what} were not looked at, here and in the polygons that follow")
            }
            Self::Overlaps { other, area } => write!(f, "polygon {other} covers {area} m² of it at the same height"),
        }
    }
}

impl Defect {
    /// A short name of the defect, for lists and counts.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::RepeatedCorner { .. } => "repeated-corner",
            Self::Winding { .. } => "winding",
            Self::NoArea => "no-area",
            Self::NotConvex { .. } => "not-convex",
            Self::Winds => "winds",
            Self::OutOfBounds { .. } => "out-of-bounds",
            Self::OneSided { .. } => "one-sided-neighbour",
            Self::EdgeDiffers { .. } => "edge-differs",
            Self::BorderSlants { .. } => "border-slants",
            Self::BorderFaces { .. } => "border-faces",
            Self::DetailWinding { .. } => "detail-winding",
            Self::DetailArea { .. } => "detail-area",
            Self::DetailOutside { .. } => "detail-outside",
            Self::DetailHeight { .. } => "detail-height",
            Self::DetailInnerEdge { .. } => "detail-inner-edge",
            Self::DetailOutline { .. } => "detail-outline",
            Self::Overlaps { .. } => "overlaps",
            Self::Crowded { .. } => "crowded",
        }
    }
}

impl TileData {
    /// Calls `found` with each defect: the polygon, a position, and what is wrong.
    pub fn defects(&self, mut found: impl FnMut(u32, Vec3, Defect)) {
        let mut points = Vec::new();
        let between = EdgesBetween::of(self);
        let mut efforts = [(); 3].map(|()| Effort::for_bytes(FACTOR * self.bytes()));
        let mut crowded = [None; 3];
        for poly in 0..self.polys().len() as u32 {
            points.clear();
            points.extend(self.points_of(poly));
            let mut report = |at: Vec3, defect: Defect| found(poly, at, defect);
            outline_defects(&points, self.lists().at_most_cells(FLAT, FLAT_CELLS), &mut report);
            self.bounds_defects(&points, &mut report);
            self.border_defects(poly, &points, &mut report);
            let [edges, details, _] = &mut efforts;
            if self.neighbour_defects(poly, &points, (&between, edges), &mut report).is_err() {
                crowded[0].get_or_insert(poly);
            }
            if self.lists().detail_defects(poly, &points, details, &mut report).is_err() {
                crowded[1].get_or_insert(poly);
            }
        }
        let overlap = |[poly, other]: [u32; 2], middle, area| found(poly, middle, Defect::Overlaps { other, area });
        crowded[2] = self.overlaps(&mut efforts[2], overlap);
        for (poly, what) in crowded.into_iter().zip(["its edges", "its details", "polygons that lie on it"]) {
            if let Some(poly) = poly {
                found(poly, self.center_of(poly), Defect::Crowded { what });
            }
        }
    }

    fn bounds_defects(&self, points: &[Vec3], report: &mut impl FnMut(Vec3, Defect)) {
        if self.bounds().is_empty() {
            return;
        }
        for (corner, &p) in (0u32..).zip(points) {
            let out = (self.bounds().min - p).max(p - self.bounds().max);
            // The bake rounds heights to cells, up to a climb outside the tile's bounds.
            let by = out.x.max(out.z).max(out.y - self.baked_for().climb);
            if by > slack(p) {
                report(p, Defect::OutOfBounds { corner, by });
            }
        }
    }

    fn neighbour_defects(
        &self,
        poly: u32,
        points: &[Vec3],
        (between, effort): (&EdgesBetween<'_>, &mut Effort),
        report: &mut impl FnMut(Vec3, Defect),
    ) -> Result<(), Exhausted> {
        let corners = self.corners_of(poly);
        for (edge, (a, b)) in (0u32..).zip(edges(points)) {
            let Some(neighbour) = self.neighbours_of(poly)[edge as usize].as_poly() else { continue };
            let verts = [corners[(edge as usize + 1) % corners.len()], corners[edge as usize]];
            let mut leads_back = false;
            let mut same = between.between([neighbour, poly], verts).is_some();
            if !same {
                for other in between.all_between([neighbour, poly]) {
                    effort.spend(4)?;
                    let [c, d] = self.edge(neighbour, self.polys()[neighbour as usize].first + other);
                    leads_back = true;
                    same |= near(a, d) && near(b, c);
                }
            }
            let at = (a + b) * 0.5;
            if !leads_back && !same {
                report(at, Defect::OneSided { edge, neighbour });
            } else if !same {
                report(at, Defect::EdgeDiffers { edge, neighbour });
            }
        }
        Ok(())
    }

    fn border_defects(&self, poly: u32, points: &[Vec3], report: &mut impl FnMut(Vec3, Defect)) {
        for (edge, (a, b)) in (0u32..).zip(edges(points)) {
            let Some(side) = self.neighbours_of(poly)[edge as usize].as_border() else { continue };
            let [along, across] = side.run(a, b);
            let at = (a + b) * 0.5;
            if across.abs() > slack(at) {
                report(at, Defect::BorderSlants { edge, side });
            } else if along < 0.0 {
                report(at, Defect::BorderFaces { edge, side });
            }
        }
    }
}

impl TileLists<'_> {
    /// A length in metres, or in cells if that is less: levels may be measured in units larger than a metre.
    pub(super) fn at_most_cells(&self, length: f32, cells: f32) -> f32 {
        if self.baked_for.cell_size > 0.0 { length.min(self.baked_for.cell_size * cells) } else { length }
    }

    fn detail_defects(
        &self,
        poly: u32,
        points: &[Vec3],
        effort: &mut Effort,
        report: &mut impl FnMut(Vec3, Defect),
    ) -> Result<(), Exhausted> {
        let range = self.detail_of(poly);
        if range.tri_count == 0 {
            return Ok(());
        }
        let scale = points.iter().fold(0.0_f32, |m, p| m.max(slack(*p)));
        let around: f32 = edges(points).map(|(a, b)| plane::distance(a, b)).sum();
        // In f64: adding tens of thousands of small areas loses too much as f32.
        let mut covered = 0.0_f64;
        for (triangle, (corners, _)) in (0u32..).zip(self.triangles_of(poly)) {
            let area = -0.5 * cross(corners[0], corners[1], corners[2]);
            covered += f64::from(area);
            if area < -scale * around {
                report(corners[0], Defect::DetailWinding { triangle });
            }
        }
        let covered = covered as f32;
        let polygon = polygon::area(points);
        if (covered - polygon).abs() > scale * around + polygon.abs() * 1e-4 {
            report(points[0], Defect::DetailArea { details: covered, polygon });
        }
        let extra = &self.detail_verts[range.first_vert as usize..][..range.vert_count as usize];
        for (vertex, &p) in (0u32..).zip(extra) {
            effort.spend(points.len())?;
            let by = edges(points).map(|(a, b)| beyond(a, b, p)).fold(0.0, f32::max);
            if by > slack(p).max(DETAIL_SLACK * around) {
                report(p, Defect::DetailOutside { vertex, by });
            }
            let by = (self.bounds.min.y - p.y).max(p.y - self.bounds.max.y) - self.baked_for.climb;
            if by > slack(p).max(p.y.abs() * (8.0 * f32::EPSILON)) && !self.bounds.is_empty() {
                report(p, Defect::DetailHeight { vertex, by });
            }
        }
        self.detail_outline_defects(poly, (points, around), effort, report)
    }

    fn detail_outline_defects(
        &self,
        poly: u32,
        (points, around): (&[Vec3], f32),
        effort: &mut Effort,
        report: &mut impl FnMut(Vec3, Defect),
    ) -> Result<(), Exhausted> {
        let mut marked = 0.0;
        let mut count = 0.0;
        for (triangle, (corners, bits)) in (0u32..).zip(self.triangles_of(poly)) {
            for edge in (0..u16::BITS).filter(|edge| bits >> edge & 1 != 0) {
                effort.spend(4 * points.len())?;
                let [a, b] = [0, 1].map(|k| corners[(edge as usize + k) % 3]);
                let middle = (a + b) * 0.5;
                let beside = |(from, to)| segment::point_distance_squared(middle, from, to);
                let from_outline = edges(points).map(beside).fold(f32::INFINITY, f32::min).sqrt();
                if edge > 2 || from_outline > slack(middle).max(DETAIL_SLACK * around) {
                    report(middle, Defect::DetailInnerEdge { triangle, edge });
                }
                marked += plane::distance(a, b);
                count += 1.0;
            }
        }
        // Other tools also mark edges of triangles without area, which appear twice, or mark no edges at all.
        let rounding = (DETAIL_SLACK * around).max(count * slack(points[0]));
        if marked > 0.0 && marked < around - rounding {
            report(points[0], Defect::DetailOutline { marked, outline: around });
        }
        Ok(())
    }
}

#[cfg(feature = "clearance")]
impl TileBuilder {
    /// Whether the detail triangles of a polygon have no [defects](TileData::defects).
    pub(crate) fn has_sound_details(&self, poly: u32, points: &[Vec3]) -> bool {
        let mut sound = true;
        self.lists().detail_defects(poly, points, &mut Effort::endless(), &mut |_, _| sound = false).is_ok() && sound
    }

    /// The corner points of a polygon, in order.
    pub(crate) fn points_of(&self, poly: u32) -> impl Iterator<Item = Vec3> + '_ {
        let corners = self.polys.get(poly as usize).and_then(|poly| self.corners.get(poly.range()));
        corners.unwrap_or_default().iter().map(|&vert| self.verts[vert as usize])
    }
}

/// Whether a polygon of a tile of unknown cell size has an outline without [defects](TileData::defects).
#[cfg(feature = "clearance")]
pub(crate) fn has_sound_outline(points: &[Vec3]) -> bool {
    let mut sound = true;
    outline_defects(points, FLAT, &mut |_, _| sound = false);
    sound
}

/// How much more work is allowed here for each byte than for reading it.
const FACTOR: usize = 4;

/// Detail vertices on an outline are placed with rounding along it.
const DETAIL_SLACK: f32 = 1e-3;

/// Half the width of a polygon that counts as having no area, metres: actually its area divided by its circumference.
const FLAT: f32 = 1e-5;
/// The same in cells.
const FLAT_CELLS: f32 = 4e-5;
/// If coordinates are coarser than this, metres, rounding alone may have flattened a thin polygon.
const FINE: f32 = 1e-3;

fn outline_defects(points: &[Vec3], flat: f32, report: &mut impl FnMut(Vec3, Defect)) {
    let mut repeated = false;
    for (corner, (a, b)) in (0u32..).zip(edges(points)) {
        if a.x == b.x && a.z == b.z {
            repeated = true;
            report(a, Defect::RepeatedCorner { corner });
        }
    }
    let area = polygon::area(points);
    let center = points[0];
    let around: f32 = edges(points).map(|(a, b)| plane::distance(a, b)).sum();
    let coarse = step(center);
    if area.abs() <= flat * around {
        if !repeated && coarse <= FINE {
            report(center, Defect::NoArea);
        }
        return;
    }
    if area < 0.0 {
        if -area > coarse * around {
            report(center, Defect::Winding { area });
        }
        return;
    }
    for k in 0..points.len() {
        let a = points[k];
        let b = points[(k + 1) % points.len()];
        let c = points[(k + 2) % points.len()];
        // If a corner is very close to the next, rounding shows far away: `c` is outside the line a→b, but `b` is
        // hardly inside a→c.
        let by = beyond(a, b, c).min(-beyond(a, c, b));
        if by > slack(b) {
            report(b, Defect::NotConvex { corner: ((k + 1) % points.len()) as u32, by });
        }
    }
    // An outline that only ever turns right winds around once if it goes east and west once each.
    let turns = |step: fn(Vec3, Vec3) -> f32| {
        let signs: Vec<bool> = edges(points).map(|(a, b)| step(a, b)).filter(|d| *d != 0.0).map(|d| d > 0.0).collect();
        signs.iter().zip(signs.iter().cycle().skip(1)).filter(|(a, b)| a != b).count()
    };
    if !repeated && turns(|a, b| b.x - a.x) > 2 && turns(|a, b| b.z - a.z) > 2 {
        report(center, Defect::Winds);
    }
}

/// How far `p` lies outside the line a→b, on the side without the polygon.
fn beyond(a: Vec3, b: Vec3, p: Vec3) -> f32 {
    let inward = segment::inward_normal(a, b);
    -((p.x - a.x) * inward.x + (p.z - a.z) * inward.z)
}

fn near(a: Vec3, b: Vec3) -> bool {
    a == b || plane::distance(a, b) <= slack(a)
}

/// How far apart two points near a position may be and still count as one.
fn slack(p: Vec3) -> f32 {
    rounding::slack(p.x.abs().max(p.z.abs()), 8.0)
}

/// The largest gap between adjacent coordinates near a position.
fn step(p: Vec3) -> f32 {
    p.x.abs().max(p.z.abs()) * f32::EPSILON
}
