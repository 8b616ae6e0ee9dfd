//! The fields of each record of a crowd.
//!
//! Sources: none needed.

use super::fields::{Fault, Field, choice, record};
use crate::area::{LimitHit, PathStatus};
use crate::avoid::{Adaptive, Avoidance, ClearPath, Hrvo, Orca, OrcaSolver, Pedestrian, SampleWeights, Sampled, Wall};
use crate::corridor::{ConnectionCrossing, CornerAt, CorridorCorner, Found, PathCorridor};
use crate::crowd::agent::{Agent, AgentProgress, Detour, OnConnection, Settling};
use crate::crowd::boundary::Boundary;
use crate::crowd::destination::Destination;
use crate::crowd::events::EventKind;
use crate::crowd::local_path::LocalPath;
use crate::crowd::mesh_change::MeshChange;
use crate::crowd::path_requests::AgentRequest;
use crate::crowd::{
    AgentId, AgentParams, CrowdEvent, CrowdSettings, Driver, Recovery, Style, Target, TargetStatus, WhenUnreachable,
};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Writer};
use crate::math::funnel::Portal;
use crate::mesh::{ChangeSet, PolyPoint, StaleReason};
use crate::plan::PlanOutcome;
use crate::query::{Broken, BrokenBy, CostMapRequest, NodePlacement, PathRequest, PolyPath, SearchLimits};

record!(CrowdSettings {
    path_nodes,
    topology_searches,
    topology_nodes,
    resolve_rounds,
    replan_interval,
    cost_change,
    reach,
});
record!(AgentId { index, generation });
record!(Agent {
    params,
    corridor,
    corners,
    boundary,
    local,
    target,
    sent_to,
    target_status,
    cut_short,
    refused,
    on_connection,
    placed,
    is_fresh,
    optimised,
    not_before,
    detour,
    cost_drift,
    asks_again,
    progress,
    raised,
});
choice!(Detour { 0: None, 1: Taken, 2: Reopened });
record!(AgentProgress { nearest, waiting, since_look, spells, stood, partial_end, is_told, settling });
record!(Settling { to, left, is_still, goal });
record!(Destination { place, within });
record!(AgentParams {
    radius,
    height,
    max_speed,
    max_acceleration,
    neighbour_range,
    max_neighbours,
    max_walls,
    priority,
    layers,
    layer_mask,
    separation,
    look_ahead,
    slow_down,
    arrival,
    stopping_distance,
    filter,
    avoidance,
    style,
    driver,
    connection_driver,
    recovery,
    when_unreachable,
});
record!(Recovery { patience, squeeze, replan_after, give_up_after });
choice!(Style { 0: Straight, 1: Smooth, 2: Drunken { swing, period } });
choice!(Driver { 0: Crowd, 1: Game });
choice!(WhenUnreachable { 0: Stay, 1: GoNear });

choice!(Avoidance {
    0: None,
    1: Sampled(method),
    2: Adaptive(method),
    3: Orca(method),
    4: ClearPath(method),
    5: Hrvo(method),
    6: Pedestrian(method)
});
record!(Sampled { grid, velocity_bias, weights });
record!(Adaptive { divisions, rings, depth, velocity_bias, weights });
record!(SampleWeights { desired, current, side, impact, horizon, wall_horizon, keep_right });
record!(Orca { horizon, wall_horizon, overlap_time, side_bias, solver });
choice!(OrcaSolver { 0: LinearProgram, 1: Clipping });
record!(ClearPath { horizon, wall_horizon, overlap_time, spike, side_bias, steadiness, keep_right });
record!(Pedestrian { time_gap, look_ahead, field, length, width });
record!(Hrvo { horizon, wall_horizon, overlap_time, spike, steadiness, keep_right });

choice!(Target { 0: None, 1: Point(place), 2: Moving(place), 3: Agent(other), 4: Velocity(velocity) });
choice!(TargetStatus { 0: None, 1: Waiting, 2: Complete, 3: Partial, 4: Arrived, 5: Unreachable, 6: Lost });
record!(PolyPoint { poly, point });
record!(PathCorridor { polys, portals, start, end, found });
record!(Found { count, settled, sight, rest });
record!(Portal { left, right });
record!(CorridorCorner { point, at, poly, step });
choice!(CornerAt { 0: Left, 1: Right, 2: Connection, 3: End });
record!(Boundary { center, walls, from_mesh, erosion });
record!(LocalPath { bend, obstructed_by });
record!(Wall { a, b });
record!(OnConnection { crossing, entered_at, progress });
record!(ConnectionCrossing { connection, from, to });

record!(CrowdEvent { agent, kind });
choice!(EventKind {
    0: PathFound { complete },
    1: Unreachable,
    2: PathLost(broken),
    3: GroundLost,
    4: Arrived,
    5: Blocked { spells },
    6: GaveUp,
    7: ConnectionEntered(crossing),
    8: ConnectionLeft(crossing),
    9: PathBreaksSoon(broken),
    10: Displaced { from, to },
    11: Obstructed { by },
});
record!(Broken { step, poly, by, ahead });
choice!(BrokenBy { 0: Gone(reason), 1: Closed, 2: Apart, 3: Soon });
choice!(StaleReason { 0: Removed, 1: Replaced, 2: NoSuchPoly, 3: OtherKind, 4: Relinked });

record!(MeshChange { set, boxes, opened, other_ground });
record!(ChangeSet { is_unknown, changed, added, announced, connections });
record!(Aabb { min, max });

record!(AgentRequest { agent, request, outcome, is_outdated, is_planned });
record!(PathRequest { start, goal, limits, placement });
record!(CostMapRequest { start, limits, placement });
record!(SearchLimits { max_nodes, max_cost });
choice!(NodePlacement { 0: Middle, 1: Nearest, 2: Visible });
record!(PlanOutcome { path, nodes });
record!(PolyPath { status, limit, polys, portals, start, end, cost, nodes });
choice!(PathStatus { 0: Complete, 1: Partial, 2: None });
choice!(LimitHit { 0: Nodes, 1: Distance });
