//! Explains why a position is walkable, or not: what each stage of the bake decided about it.
//!
//! The bake does not record its reasons, since that would slow it down for everyone. Instead it is replayed on request:
//! each stage is run again, and for every solid span the stage that removed it is recorded, with the cause.
//!
//! ```text
//!   span    rasterise   filter         erode        regions    polygons      reason
//!    a       steep        -              -             -          -          steep
//!    b         ok       ceiling          -             -          -          low ceiling, 1.6 m
//!    c         ok         ok       wall, 1 cell        -          -          eroded, by a wall at …
//!    d         ok         ok            ok             ok         ok         walkable
//! ```
//!
//! Cost: ten bytes a span for the map; a query looks at one column.
//!
//! Sources: own; the stages are those of `pipeline`.

use crate::input::AgentSettings;
use crate::voxel::Grid;
use core::fmt;
use glam::Vec3;

/// The final state of a span, or the reason why it is not walkable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Reason {
    /// It is part of the mesh.
    Walkable = 0,
    /// It is outside the level's bounds, or at them.
    LevelEdge = 1,
    /// There is no triangle.
    Nothing = 2,
    /// Its triangle is steeper than the agent can walk.
    Steep = 3,
    /// Its triangle faces down: seen from above, one sees its back.
    FacesDown = 4,
    /// Its triangle was marked as not walkable in the input.
    NotWalkableArea = 5,
    /// It lies beside a drop deeper than the agent's climb.
    Drop = 6,
    /// Its neighbours differ in height by more than the agent's climb.
    Uneven = 7,
    /// Its ceiling is lower than the agent.
    LowCeiling = 8,
    /// It is nearer to an edge than the agent's radius.
    Eroded = 9,
    /// Something solid is there, higher than the agent's climb.
    Wall = 10,
    /// A volume marks it as not walkable.
    Volume = 11,
    /// It is part of an island smaller than the smallest that is kept.
    SmallIsland = 12,
    /// The outline of its region was dropped.
    ContourDropped = 13,
    /// The simplified outline of its region leaves it out.
    Outline = 14,
}

impl Reason {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::Walkable,
        Self::LevelEdge,
        Self::Nothing,
        Self::Steep,
        Self::FacesDown,
        Self::NotWalkableArea,
        Self::Drop,
        Self::Uneven,
        Self::LowCeiling,
        Self::Eroded,
        Self::Wall,
        Self::Volume,
        Self::SmallIsland,
        Self::ContourDropped,
        Self::Outline,
    ];

    /// The name for use by programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walkable => "walkable",
            Self::LevelEdge => "level-edge",
            Self::Nothing => "nothing",
            Self::Steep => "steep",
            Self::FacesDown => "faces-down",
            Self::NotWalkableArea => "not-walkable-area",
            Self::Drop => "drop",
            Self::Uneven => "uneven",
            Self::LowCeiling => "low-ceiling",
            Self::Eroded => "eroded",
            Self::Wall => "wall",
            Self::Volume => "volume",
            Self::SmallIsland => "small-island",
            Self::ContourDropped => "contour-dropped",
            Self::Outline => "outline",
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// Describes what lies beside an eroded surface.
    const fn as_cause(self) -> &'static str {
        match self {
            Self::LevelEdge => "the edge of the level",
            Self::Nothing => "a hole",
            Self::Steep => "a slope that is too steep",
            Self::FacesDown => "a triangle that faces down",
            Self::NotWalkableArea => "ground that is marked as not walkable",
            Self::Drop => "a drop",
            Self::Uneven => "ground that is too uneven",
            Self::LowCeiling => "a ceiling that is too low",
            Self::Wall => "a wall",
            Self::Volume => "a volume that is not walkable",
            _ => "an edge",
        }
    }
}

/// The decision about one span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) reason: Reason,
    /// Cell heights of a drop or a ceiling, cells of an island; clamped to 16 bits.
    pub(super) value: u16,
    /// For eroded spans: what is at the edge that is too near, and how many columns and rows away that edge is.
    pub(super) cause: Reason,
    pub(super) from: [i16; 2],
}

impl Verdict {
    pub(super) const fn plain(reason: Reason) -> Self {
        Self { reason, value: 0, cause: Reason::Walkable, from: [0; 2] }
    }

    pub(super) const fn with(reason: Reason, value: u16) -> Self {
        Self { value, ..Self::plain(reason) }
    }
}

/// The decisions about every solid span of one tile. Cells row by row, spans from low to high.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileRecord {
    /// The cells of the tile itself.
    pub(super) grid: Grid,
    /// Where each cell's spans start. Size: cells + 1.
    pub(super) columns: Vec<u32>,
    /// Top of each span, cell heights above the lowest point of the level.
    pub(super) tops: Vec<u16>,
    pub(super) verdicts: Vec<Verdict>,
}

/// Why each position of a level, or of some of its tiles, is walkable or not.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainMap {
    /// The grid of the level.
    pub(super) level: Grid,
    /// The agent it was baked for.
    pub(super) agent: AgentSettings,
    /// The tiles in this map, in any order.
    pub(super) tiles: Vec<TileRecord>,
    /// A point on each surface inside a hollow body.
    pub(super) hollow: Vec<Vec3>,
}

/// Why a position is walkable, or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation {
    /// The position that was asked about.
    pub asked: Vec3,
    /// The surface to which the answer applies: the centre of its cell, at its height. `None` if there is none.
    pub ground: Option<Vec3>,
    /// The answer.
    pub reason: Reason,
    /// Metres: the free height under a low ceiling, the depth of a drop (`None`: bottomless).
    pub metres: Option<f32>,
    /// Cells of an island that is too small.
    pub cells: Option<u32>,
    /// For an eroded surface: what it is too near to, and where that is.
    pub cause: Option<(Reason, Vec3)>,
    /// Whether it lies inside a hollow body that nothing leads into. [`ExplainMap::at`] leaves this `false`, since it
    /// depends on the connections of the whole mesh: if you have the mesh, set it with `NavMesh::hollow_surfaces`.
    pub inside_hollow_body: bool,
    agent: AgentSettings,
}

impl ExplainMap {
    /// Why the surface nearest in height to a point, in the cell under or over it, is walkable or not. `None` if its
    /// tile is not in this map.
    #[must_use]
    pub fn at(&self, point: impl Into<Vec3>) -> Option<Explanation> {
        let point = point.into();
        let plain = |reason| Explanation {
            asked: point,
            ground: None,
            reason,
            metres: None,
            cells: None,
            cause: None,
            inside_hollow_body: false,
            agent: self.agent,
        };
        let cell = |at: f32, origin: f32| ((at - origin) / self.level.cell_size).floor();
        let x = cell(point.x, self.level.origin.x);
        let z = cell(point.z, self.level.origin.z);
        let inside = x >= 0.0 && z >= 0.0 && x < self.level.width as f32 && z < self.level.depth as f32;
        if !inside {
            return Some(plain(Reason::LevelEdge));
        }
        let x = x as i32;
        let z = z as i32;
        let tile = self.tiles.iter().find(|tile| {
            let along = |cell: i32, first: i32, count: u32| {
                (0..i64::from(count)).contains(&(i64::from(cell) - i64::from(first)))
            };
            along(x, tile.grid.x, tile.grid.width) && along(z, tile.grid.z, tile.grid.depth)
        })?;
        let cell = tile.grid.index((x - tile.grid.x) as u32, (z - tile.grid.z) as u32);
        let column = tile.columns[cell] as usize..tile.columns[cell + 1] as usize;
        // Prefers a walkable surface to one just below or above it, such as the underside of a slab.
        let away = |span: &usize| {
            let doubt = match tile.verdicts[*span].reason {
                Reason::Walkable => 0.0,
                Reason::FacesDown => 3.0,
                _ => 1.5,
            };
            (self.level.world_y(i32::from(tile.tops[*span])) - point.y).abs() + doubt * self.level.cell_height
        };
        let Some(span) = column.min_by(|a, b| away(a).total_cmp(&away(b))) else { return Some(plain(Reason::Nothing)) };
        let Verdict { reason, value, cause, from } = tile.verdicts[span];
        let metres = f32::from(value) * self.level.cell_height;
        let top = i32::from(tile.tops[span]);
        let metres = match reason {
            Reason::LowCeiling => Some(metres),
            Reason::Drop if value < u16::MAX => Some(metres),
            _ => None,
        };
        let edge = self.middle(x + i32::from(from[0]), top, z + i32::from(from[1]));
        Some(Explanation {
            ground: Some(self.middle(x, top, z)),
            metres,
            cells: (reason == Reason::SmallIsland).then_some(u32::from(value)),
            cause: (reason == Reason::Eroded).then_some((cause, edge)),
            ..plain(reason)
        })
    }

    /// Stores a point on each surface inside a hollow body, as found by `NavMesh::hollow_surfaces`.
    #[must_use]
    pub fn with_hollow_surfaces(self, points: Vec<Vec3>) -> Self {
        Self { hollow: points, ..self }
    }

    /// A point on each surface inside a hollow body, if these were stored.
    #[must_use]
    pub fn hollow_surfaces(&self) -> &[Vec3] {
        &self.hollow
    }

    /// The centre of a cell of the level.
    fn middle(&self, x: i32, y: i32, z: i32) -> Vec3 {
        let half = self.level.cell_size * 0.5;
        self.level.world(x, y, z) + Vec3::new(half, 0.0, half)
    }

    /// Calls `look` for every surface that is recorded: the corners of its cell at its height, wound so that the normal
    /// points up, and what became of it. Undersides and surfaces inside something solid are left out.
    pub fn for_each_surface(&self, mut look: impl FnMut([Vec3; 4], Reason)) {
        for TileRecord { grid, columns, tops, verdicts } in &self.tiles {
            for (cell, column) in columns.windows(2).enumerate() {
                let x = grid.x + (cell as u32 % grid.width) as i32;
                let z = grid.z + (cell as u32 / grid.width) as i32;
                for span in column[0] as usize..column[1] as usize {
                    let reason = verdicts[span].reason;
                    if matches!(reason, Reason::FacesDown | Reason::Wall) {
                        continue;
                    }
                    let y = i32::from(tops[span]);
                    let corners = [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)];
                    look(corners.map(|(x, z)| self.level.world(x, y, z)), reason);
                }
            }
        }
    }

    /// How many spans are recorded.
    #[must_use]
    pub fn span_count(&self) -> usize {
        self.tiles.iter().map(|tile| tile.tops.len()).sum()
    }
}

impl Explanation {
    /// Whether the position is part of the mesh.
    #[must_use]
    pub fn is_walkable(&self) -> bool {
        self.reason == Reason::Walkable
    }
}

/// One clear sentence.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_reason(f)?;
        match self.ground {
            Some(ground) if (ground.y - self.asked.y).abs() > self.agent.max_climb.max(0.1) => {
                let side = if ground.y < self.asked.y { "below" } else { "above" };
                write!(
                    f,
                    " (said of the ground {:.1} m {side} the point, the nearest there is)",
                    (ground.y - self.asked.y).abs()
                )
            }
            _ => Ok(()),
        }
    }
}

impl Explanation {
    fn write_reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentSettings { height, radius, max_climb, max_slope, max_drop, .. } = self.agent;
        match self.reason {
            Reason::Walkable if self.inside_hollow_body => f.write_str(
                "walkable, but inside a hollow body that nothing leads into: mark its inside with a volume that is not \
                 walkable",
            )?,
            Reason::Walkable => f.write_str("walkable")?,
            Reason::LevelEdge => f.write_str("not walkable: this is outside of the level, or at its edge")?,
            Reason::Nothing => f.write_str("not walkable: there is no triangle above or below this place")?,
            Reason::Steep => write!(f, "not walkable: the ground is steeper than {:.0}°", max_slope.to_degrees())?,
            Reason::FacesDown => f.write_str(
                "not walkable: the triangle faces down; turn its corners around, or give the axis that points up",
            )?,
            Reason::NotWalkableArea => f.write_str("not walkable: the ground's area type says so")?,
            Reason::Drop => match self.metres {
                Some(metres) if max_drop > max_climb => write!(
                    f,
                    "not walkable: it lies beside a drop of {metres:.1} m, and the agent drops by {max_drop:.1} m"
                )?,
                Some(metres) => write!(
                    f,
                    "not walkable: it lies beside a drop of {metres:.1} m, and the agent climbs {max_climb:.1} m"
                )?,
                None => f.write_str("not walkable: it lies beside an abyss")?,
            },
            Reason::Uneven => write!(
                f,
                "not walkable: the ground around it differs in height by more than the {max_climb:.1} m that the agent climbs"
            )?,
            Reason::LowCeiling => write!(
                f,
                "not walkable: the ceiling is {:.1} m above the ground, and the agent is {height:.1} m tall",
                self.metres.unwrap_or(0.0)
            )?,
            Reason::Eroded => {
                let (cause, at) = self.cause.unwrap_or((Reason::Wall, self.asked));
                write!(
                    f,
                    "not walkable: it is too near to {} at {:.1},{:.1},{:.1} for an agent of radius {radius:.2} m",
                    cause.as_cause(),
                    at.x,
                    at.y,
                    at.z
                )?;
            }
            Reason::Wall => f.write_str("not walkable: something solid stands there")?,
            Reason::Volume => f.write_str("not walkable: a volume marks it as such")?,
            Reason::SmallIsland => write!(
                f,
                "not walkable: it is part of an island of {} cells, smaller than the least that is kept",
                self.cells.unwrap_or(0)
            )?,
            Reason::ContourDropped => f.write_str("not walkable: the outline of its region came to nothing")?,
            Reason::Outline => f.write_str("not walkable: the simplified outline of its region leaves it out")?,
        }
        Ok(())
    }
}
