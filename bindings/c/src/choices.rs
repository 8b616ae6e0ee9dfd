//! Names for the numbers in structures: choices of a few values.
//!
//! Structures hold them as `u32`, so that a number that is none of them can be refused in words.

use crate::status::{Failure, Outcome};

/// A choice of a few values, numbered from 0.
pub(crate) trait Choice: Copy + 'static {
    /// The values in the order of their numbers.
    const ALL: &'static [Self];

    /// The value that a caller's number means. `name` is that of the number in the header.
    fn of(number: u32, name: &str) -> Outcome<Self> {
        let most = Self::ALL.len() - 1;
        let value = Self::ALL.get(number as usize).copied();
        value.ok_or_else(|| Failure::argument(format_args!("`{name}` is {number}, but there are 0 to {most}")))
    }
}

/// Makes an enum a choice. All of its values must be listed, in the order of their numbers.
macro_rules! choice {
    ($choice:ident: $($value:ident),+) => {
        impl $crate::choices::Choice for $choice {
            const ALL: &'static [Self] = &[$(Self::$value),+];
        }
        const _: fn($choice) = |value| match value { $($choice::$value => ()),+ };
        const _: () = {
            let numbers = [$($choice::$value as usize),+];
            let mut i = 0;
            while i < numbers.len() {
                assert!(numbers[i] == i);
                i += 1;
            }
        };
    };
}

pub(crate) use choice;

choice!(WayfareNodePlacement: Middle, Nearest, Visible);
choice!(WayfareGridShape: Segment, Disc, Box);
choice!(WayfareSteeringStyle: Straight, Smooth, Swaying);
choice!(WayfareDriver: Crowd, Game);
choice!(WayfareWhenUnreachable: Stay, GoNear);
choice!(WayfareOrcaSolver: LinearProgram, Clipping);

/// The limit that cut a search short.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareLimitHit {
    /// None did.
    None = 0,
    /// The most nodes.
    Nodes = 1,
    /// The most cost, or distance.
    Cost = 2,
}

/// What a point of a path is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfarePathPointKind {
    /// The start.
    Start = 0,
    /// The path bends left.
    Left = 1,
    /// The path bends right.
    Right = 2,
    /// An off-mesh connection is entered.
    ConnectionStart = 3,
    /// It is left.
    ConnectionEnd = 4,
    /// A border between polygons or areas is crossed.
    Crossing = 5,
    /// The end.
    End = 6,
}

/// What a corner of a corridor is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareCornerKind {
    /// It bends left.
    Left = 0,
    /// It bends right.
    Right = 1,
    /// An off-mesh connection begins.
    Connection = 2,
    /// The end.
    End = 3,
}

/// Where in a portal a search places its nodes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareNodePlacement {
    /// In its middle.
    Middle = 0,
    /// Nearest to the node before.
    Nearest = 1,
    /// Where the straight line to the goal crosses it.
    Visible = 2,
}

/// The kinds of links that are found.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareLinkKind {
    /// Down over an edge.
    Drop = 0,
    /// Down with a leap.
    JumpDown = 1,
    /// Over a gap.
    JumpAcross = 2,
    /// Up a wall.
    Climb = 3,
}

/// What a rebuild did to a tile.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareTileChange {
    /// It is the same.
    Same = 0,
    /// It was replaced.
    Replaced = 1,
    /// It was removed.
    Removed = 2,
    /// It was added.
    Added = 3,
}

/// What a live level is working on.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareLiveStage {
    /// Tiles that have changed are built anew.
    Tiles = 0,
    /// The tiles are there, and links are searched on them.
    Links = 1,
}

/// The shapes of obstacles of a local grid.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareGridShape {
    /// A segment from `a` to `b`.
    Segment = 0,
    /// A disc around `a`.
    Disc = 1,
    /// A box around `a`.
    Box = 2,
}

/// How an agent turns corners.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareSteeringStyle {
    /// Straight to the next corner.
    Straight = 0,
    /// In a curve.
    Smooth = 1,
    /// From side to side.
    Swaying = 2,
}

/// What moves an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareDriver {
    /// The crowd.
    Crowd = 0,
    /// The game.
    Game = 1,
}

/// What an agent does where no path leads to its goal.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareWhenUnreachable {
    /// It stays.
    Stay = 0,
    /// It goes as near as it can.
    GoNear = 1,
}

/// How ORCA finds a velocity.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareOrcaSolver {
    /// A linear programme, one half-plane after the other.
    LinearProgram = 0,
    /// A polygon of velocities, clipped.
    Clipping = 1,
}

/// What is drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareDrawnKind {
    /// A polygon.
    Polygon = 0,
    /// A line.
    Line = 1,
    /// A point.
    Point = 2,
    /// A label at a point.
    Label = 3,
}

/// What a drawn shape shows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareDrawnRole {
    /// Surface that can be walked on; the number is its area type.
    Surface = 0,
    /// A wall.
    Wall = 1,
    /// An edge between polygons.
    InnerEdge = 2,
    /// An edge between tiles.
    TileEdge = 3,
    /// An off-mesh connection that is used both ways.
    Connection = 4,
    /// An off-mesh connection that is used from its first point to its last only.
    OneWayConnection = 5,
    /// A path, by its number.
    Path = 6,
    /// A path that does not reach its goal, by its number.
    PartialPath = 7,
    /// A corner of a path, by its number.
    Corner = 8,
    /// The start of a path, by its number.
    Start = 9,
    /// The goal of a path, by its number.
    Goal = 10,
    /// A value, such as a cost.
    Value = 11,
    /// Anything else.
    Other = 12,
}

/// How far a request for a path is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareRequestState {
    /// It waits.
    Waiting = 0,
    /// It is being searched.
    Searching = 1,
    /// It is done: take it.
    Done = 2,
}

/// The phases of a tick of a crowd, in their order, for `wayfare_crowd_phase`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareCrowdPhase {
    /// Repairs paths that a change of the mesh has broken.
    Validate = 0,
    /// Searches paths and follows moving targets.
    Plan = 1,
    /// Finds which agents are near each other.
    Neighbours = 2,
    /// Finds the next corners of every path, and the walls around.
    Corners = 3,
    /// Enters, crosses and leaves off-mesh connections.
    Connections = 4,
    /// Computes the velocity that each agent wants.
    Steer = 5,
    /// Chooses velocities that avoid collisions.
    Avoid = 6,
    /// Limits accelerations and moves the agents.
    Integrate = 7,
    /// Separates agents that overlap.
    Resolve = 8,
    /// Puts all agents back on the mesh; sees who has arrived and who is stuck.
    Constrain = 9,
}
