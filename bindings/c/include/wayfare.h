// Wayfare: navigation for games, simulations and robots that walk. The C interface.
//
// Written by cbindgen from bindings/c/src: do not edit it.
//
// The rules, for every function:
//
// - It returns a WayfareStatus. After one that is not WAYFARE_STATUS_OK, wayfare_last_error gives a sentence, for the
//   thread that called. "There is no path" is an answer, and OK.
// - Handles (structures of one `id`) are made by functions and freed by their `_free`. Freeing id 0 does nothing. A handle
//   that was freed is WAYFARE_STATUS_DEAD_HANDLE, always: it is never followed.
// - Handles may be used from any thread. Calls that read an object run beside each other. Calls that change it (its setters,
//   all of a query, a crowd, a corridor or a world) need it alone, and give WAYFARE_STATUS_BUSY where it is not: nobody waits. Give
//   each thread a query of its own. A callback that calls into the object that called it gets BUSY too.
// - Structures with a `size` are filled by their `_default` function first, which is given their size, then changed:
//   wayfare_context_default(&context, sizeof context). No more than that is written and read, so that programs work with
//   later versions of the library, whose structures may have more fields.
// - Lists are written into memory of the caller: `capacity` values have room, `*count` says how many there are. Where the
//   capacity is too small the status is WAYFARE_STATUS_TOO_SMALL and only the count is written: ask with (NULL, 0, &count)
//   first, or again with more. No other memory of a caller is kept after a call returns, but for `user` pointers.
// - Out-parameters must not be null unless it says so. A pointer of a list may be null if its count is 0.
// - Texts are UTF-8 and end with 0. Lengths are metres, times seconds, angles radians; right-handed, y up.
// - Callbacks must return: no C++ exception and no longjmp may leave them. wayfare.hpp sees to that for C++. They are called
//   from the thread that called, or from threads that have ended when the call returns: no kept thread calls a program.


#ifndef WAYFARE_H
#define WAYFARE_H

#include <stddef.h>
#include <stdint.h>

// How a call went. All but OK come with a sentence: `wayfare_last_error`.
typedef enum WayfareStatus {
  // Done. "There is no path" is an answer, and OK.
  WAYFARE_STATUS_OK = 0,
  // An argument cannot be right: a null pointer, NaN, a number out of range.
  WAYFARE_STATUS_INVALID_ARGUMENT = 1,
  // The handle was freed, was never made, or is of another kind.
  WAYFARE_STATUS_DEAD_HANDLE = 2,
  // The object is in use by another thread, or by the call whose callback this is.
  WAYFARE_STATUS_BUSY = 3,
  // A polygon, tile, agent, obstacle or request is no longer there.
  WAYFARE_STATUS_STALE = 4,
  // The capacity is too small for the list: nothing was written but the count.
  WAYFARE_STATUS_TOO_SMALL = 5,
  // Bytes or text cannot be read: damaged, cut off, of another kind or version.
  WAYFARE_STATUS_BAD_DATA = 6,
  // Settings or a level cannot be baked.
  WAYFARE_STATUS_BAKE_FAILED = 7,
  // The level holds nothing that the agent can walk on; the sentence says why.
  WAYFARE_STATUS_NOTHING_WALKABLE = 8,
  // Somebody cancelled it.
  WAYFARE_STATUS_CANCELLED = 9,
  // A limit of a format or of memory.
  WAYFARE_STATUS_LIMIT = 10,
  // A file or store cannot be read or written.
  WAYFARE_STATUS_IO = 11,
  // A fault of this library. Its sentence is worth a report.
  WAYFARE_STATUS_INTERNAL = 12,
  // A mesh cannot replace a newer version that it was not made from.
  WAYFARE_STATUS_OUTDATED = 13,
} WayfareStatus;

// How walkable cells are cut into regions, for `WayfareBakeSettings.partition`.
typedef enum WayfarePartition {
  // The best polygons, the slowest.
  WAYFARE_PARTITION_WATERSHED = 0,
  // The fastest, with long thin polygons.
  WAYFARE_PARTITION_MONOTONE = 1,
  // Good for small tiles.
  WAYFARE_PARTITION_LAYERS = 2,
} WayfarePartition;

// How the distance to walls is measured, for `WayfareBakeSettings.erosion`.
typedef enum WayfareErosion {
  // From cell to cell: Recast's method.
  WAYFARE_EROSION_CHAMFER = 0,
  // The true distance.
  WAYFARE_EROSION_EUCLIDEAN = 1,
} WayfareErosion;

// The shapes of volumes, for `WayfareVolume.shape`.
typedef enum WayfareShape {
  // An outline on the plane (`outline`, from `low` to `high`).
  WAYFARE_SHAPE_PRISM = 0,
  // A box: `center`, `half_extents`.
  WAYFARE_SHAPE_BOX = 1,
  // A box turned around the vertical by `angle` radians.
  WAYFARE_SHAPE_TURNED_BOX = 2,
  // A cylinder that stands on `center`: `radius`, `height`.
  WAYFARE_SHAPE_CYLINDER = 3,
  // A capsule that stands on `center`: `radius`, `height`.
  WAYFARE_SHAPE_CAPSULE = 4,
  // The convex hull of `points`.
  WAYFARE_SHAPE_HULL = 5,
  // The inside of a closed mesh, the triangles of `mesh`, moved by `center`.
  WAYFARE_SHAPE_MESH = 6,
} WayfareShape;

// Whether a path leads to its goal.
typedef enum WayfarePathStatus {
  // To the goal.
  WAYFARE_PATH_STATUS_COMPLETE = 0,
  // As near to it as one can come, or as a limit allowed.
  WAYFARE_PATH_STATUS_PARTIAL = 1,
  // There is none: an end is not near the mesh, or cannot be left.
  WAYFARE_PATH_STATUS_NONE = 2,
} WayfarePathStatus;

// What can change in a mesh, for `WayfareChange.kind`.
typedef enum WayfareChangeKind {
  // A tile will be replaced or removed soon.
  WAYFARE_CHANGE_KIND_TILE_ANNOUNCED = 0,
  // A tile was removed.
  WAYFARE_CHANGE_KIND_TILE_REMOVED = 1,
  // A tile was added.
  WAYFARE_CHANGE_KIND_TILE_ADDED = 2,
  // A tile has other links.
  WAYFARE_CHANGE_KIND_TILE_LINKS = 3,
  // Polygons of a tile have other flags or areas.
  WAYFARE_CHANGE_KIND_TILE_STATE = 4,
  // A connection was added.
  WAYFARE_CHANGE_KIND_CONNECTION_ADDED = 5,
  // A connection was removed.
  WAYFARE_CHANGE_KIND_CONNECTION_REMOVED = 6,
  // A connection ends elsewhere.
  WAYFARE_CHANGE_KIND_CONNECTION_ENDS = 7,
  // A connection has other flags or another area.
  WAYFARE_CHANGE_KIND_CONNECTION_STATE = 8,
} WayfareChangeKind;

// How a corridor fared, for `wayfare_corridor_repair`.
typedef enum WayfareRepair {
  // It holds.
  WAYFARE_REPAIR_WHOLE = 0,
  // It was cut before what broke: search a path anew from its end.
  WAYFARE_REPAIR_CUT = 1,
  // Its start was moved to the nearest place, and nothing else is left of it.
  WAYFARE_REPAIR_MOVED = 2,
  // There is no mesh near it.
  WAYFARE_REPAIR_LOST = 3,
} WayfareRepair;

// The planners, for `wayfare_planner_new`; one more is made by `wayfare_planner_bounded`.
typedef enum WayfarePlannerKind {
  // A* over polygons.
  WAYFARE_PLANNER_KIND_A_STAR = 0,
  // The shortest path in any direction.
  WAYFARE_PLANNER_KIND_OPTIMAL = 1,
  // Over tiles first.
  WAYFARE_PLANNER_KIND_HIERARCHICAL = 2,
  // One field for each goal that many share.
  WAYFARE_PLANNER_KIND_FLOW = 3,
} WayfarePlannerKind;

// The methods, for `wayfare_avoidance_default`.
typedef enum WayfareAvoidanceMethod {
  // Walks into everything.
  WAYFARE_AVOIDANCE_METHOD_NONE = 0,
  // Tries velocities on a grid: Detour's first method.
  WAYFARE_AVOIDANCE_METHOD_SAMPLED = 1,
  // Tries velocities in rings, finer and finer: Detour's.
  WAYFARE_AVOIDANCE_METHOD_ADAPTIVE = 2,
  // Half planes of velocities (optimal reciprocal collision avoidance).
  WAYFARE_AVOIDANCE_METHOD_ORCA = 3,
  // Velocity obstacles cut exactly.
  WAYFARE_AVOIDANCE_METHOD_CLEAR_PATH = 4,
  // Hybrid reciprocal velocity obstacles.
  WAYFARE_AVOIDANCE_METHOD_HRVO = 5,
  // As people walk.
  WAYFARE_AVOIDANCE_METHOD_PEDESTRIAN = 6,
} WayfareAvoidanceMethod;

// The kinds of targets, for `WayfareTarget.kind`.
typedef enum WayfareTargetKind {
  // Nowhere.
  WAYFARE_TARGET_KIND_NONE = 0,
  // A place.
  WAYFARE_TARGET_KIND_POINT = 1,
  // A place that moves.
  WAYFARE_TARGET_KIND_MOVING = 2,
  // Another agent.
  WAYFARE_TARGET_KIND_AGENT = 3,
  // A velocity.
  WAYFARE_TARGET_KIND_VELOCITY = 4,
} WayfareTargetKind;

// Status of an agent's path to its target, for `WayfareAgent.target_status`.
typedef enum WayfareTargetStatus {
  // It has no target.
  WAYFARE_TARGET_STATUS_NONE = 0,
  // Its path is being searched.
  WAYFARE_TARGET_STATUS_WAITING = 1,
  // It goes to its target.
  WAYFARE_TARGET_STATUS_COMPLETE = 2,
  // It goes as near as a path leads.
  WAYFARE_TARGET_STATUS_PARTIAL = 3,
  // It is there.
  WAYFARE_TARGET_STATUS_ARRIVED = 4,
  // Its target cannot be reached.
  WAYFARE_TARGET_STATUS_UNREACHABLE = 5,
  // It has no mesh under it.
  WAYFARE_TARGET_STATUS_LOST = 6,
} WayfareTargetStatus;

// The arrays of velocities between the phases of a tick, for `wayfare_crowd_write`.
typedef enum WayfareVelocityArray {
  // What agents want: written by phase 5, read by 6.
  WAYFARE_VELOCITY_ARRAY_DESIRED = 0,
  // What avoids others: written by phase 6, read by 7.
  WAYFARE_VELOCITY_ARRAY_AVOIDING = 1,
  // Where they are next: written by phase 7, read by 8.
  WAYFARE_VELOCITY_ARRAY_NEXT = 2,
} WayfareVelocityArray;

// What can happen to an agent, for `WayfareEvent.kind`.
typedef enum WayfareEventKind {
  // Its path was found; `value` is 1 if it leads to the goal.
  WAYFARE_EVENT_KIND_PATH_FOUND = 0,
  // Its goal cannot be reached.
  WAYFARE_EVENT_KIND_UNREACHABLE = 1,
  // Its path was lost to a change of the mesh.
  WAYFARE_EVENT_KIND_PATH_LOST = 2,
  // Its path will be lost soon: a change was announced.
  WAYFARE_EVENT_KIND_PATH_BREAKS_SOON = 3,
  // A change of the mesh moved it from `from` to `to`.
  WAYFARE_EVENT_KIND_DISPLACED = 4,
  // There is no mesh under it any more.
  WAYFARE_EVENT_KIND_GROUND_LOST = 5,
  // It has arrived.
  WAYFARE_EVENT_KIND_ARRIVED = 6,
  // It gets no nearer; `value` says for how many spells of patience.
  WAYFARE_EVENT_KIND_BLOCKED = 7,
  // It has given up.
  WAYFARE_EVENT_KIND_GAVE_UP = 8,
  // It enters a connection, from `from` to `to`.
  WAYFARE_EVENT_KIND_CONNECTION_ENTERED = 9,
  // It leaves it.
  WAYFARE_EVENT_KIND_CONNECTION_LEFT = 10,
  // Obstacles of `wayfare_crowd_set_obstacles` are in its way, and no local path leads around them; `value` is the
  // number of the nearest.
  WAYFARE_EVENT_KIND_OBSTRUCTED = 11,
} WayfareEventKind;

// What a block is.
typedef enum WayfareBlock {
  // Nothing.
  WAYFARE_BLOCK_AIR = 0,
  // Carries, and is in the way.
  WAYFARE_BLOCK_SOLID = 1,
  // Can be swum in.
  WAYFARE_BLOCK_WATER = 2,
  // Can be climbed.
  WAYFARE_BLOCK_LADDER = 3,
  // Can be walked through.
  WAYFARE_BLOCK_DOOR = 4,
  // Must not be touched.
  WAYFARE_BLOCK_HAZARD = 5,
} WayfareBlock;

// The limit that cut a search short.
typedef enum WayfareLimitHit {
  // None did.
  WAYFARE_LIMIT_HIT_NONE = 0,
  // The most nodes.
  WAYFARE_LIMIT_HIT_NODES = 1,
  // The most cost, or distance.
  WAYFARE_LIMIT_HIT_COST = 2,
} WayfareLimitHit;

// What a point of a path is.
typedef enum WayfarePathPointKind {
  // The start.
  WAYFARE_PATH_POINT_KIND_START = 0,
  // The path bends left.
  WAYFARE_PATH_POINT_KIND_LEFT = 1,
  // The path bends right.
  WAYFARE_PATH_POINT_KIND_RIGHT = 2,
  // An off-mesh connection is entered.
  WAYFARE_PATH_POINT_KIND_CONNECTION_START = 3,
  // It is left.
  WAYFARE_PATH_POINT_KIND_CONNECTION_END = 4,
  // A border between polygons or areas is crossed.
  WAYFARE_PATH_POINT_KIND_CROSSING = 5,
  // The end.
  WAYFARE_PATH_POINT_KIND_END = 6,
} WayfarePathPointKind;

// What a corner of a corridor is.
typedef enum WayfareCornerKind {
  // It bends left.
  WAYFARE_CORNER_KIND_LEFT = 0,
  // It bends right.
  WAYFARE_CORNER_KIND_RIGHT = 1,
  // An off-mesh connection begins.
  WAYFARE_CORNER_KIND_CONNECTION = 2,
  // The end.
  WAYFARE_CORNER_KIND_END = 3,
} WayfareCornerKind;

// Where in a portal a search places its nodes.
typedef enum WayfareNodePlacement {
  // In its middle.
  WAYFARE_NODE_PLACEMENT_MIDDLE = 0,
  // Nearest to the node before.
  WAYFARE_NODE_PLACEMENT_NEAREST = 1,
  // Where the straight line to the goal crosses it.
  WAYFARE_NODE_PLACEMENT_VISIBLE = 2,
} WayfareNodePlacement;

// The kinds of links that are found.
typedef enum WayfareLinkKind {
  // Down over an edge.
  WAYFARE_LINK_KIND_DROP = 0,
  // Down with a leap.
  WAYFARE_LINK_KIND_JUMP_DOWN = 1,
  // Over a gap.
  WAYFARE_LINK_KIND_JUMP_ACROSS = 2,
  // Up a wall.
  WAYFARE_LINK_KIND_CLIMB = 3,
} WayfareLinkKind;

// What a rebuild did to a tile.
typedef enum WayfareTileChange {
  // It is the same.
  WAYFARE_TILE_CHANGE_SAME = 0,
  // It was replaced.
  WAYFARE_TILE_CHANGE_REPLACED = 1,
  // It was removed.
  WAYFARE_TILE_CHANGE_REMOVED = 2,
  // It was added.
  WAYFARE_TILE_CHANGE_ADDED = 3,
} WayfareTileChange;

// What a live level is working on.
typedef enum WayfareLiveStage {
  // Tiles that have changed are built anew.
  WAYFARE_LIVE_STAGE_TILES = 0,
  // The tiles are there, and links are searched on them.
  WAYFARE_LIVE_STAGE_LINKS = 1,
} WayfareLiveStage;

// The shapes of obstacles of a local grid.
typedef enum WayfareGridShape {
  // A segment from `a` to `b`.
  WAYFARE_GRID_SHAPE_SEGMENT = 0,
  // A disc around `a`.
  WAYFARE_GRID_SHAPE_DISC = 1,
  // A box around `a`.
  WAYFARE_GRID_SHAPE_BOX = 2,
} WayfareGridShape;

// How an agent turns corners.
typedef enum WayfareSteeringStyle {
  // Straight to the next corner.
  WAYFARE_STEERING_STYLE_STRAIGHT = 0,
  // In a curve.
  WAYFARE_STEERING_STYLE_SMOOTH = 1,
  // From side to side.
  WAYFARE_STEERING_STYLE_SWAYING = 2,
} WayfareSteeringStyle;

// What moves an agent.
typedef enum WayfareDriver {
  // The crowd.
  WAYFARE_DRIVER_CROWD = 0,
  // The game.
  WAYFARE_DRIVER_GAME = 1,
} WayfareDriver;

// What an agent does where no path leads to its goal.
typedef enum WayfareWhenUnreachable {
  // It stays.
  WAYFARE_WHEN_UNREACHABLE_STAY = 0,
  // It goes as near as it can.
  WAYFARE_WHEN_UNREACHABLE_GO_NEAR = 1,
} WayfareWhenUnreachable;

// How ORCA finds a velocity.
typedef enum WayfareOrcaSolver {
  // A linear programme, one half-plane after the other.
  WAYFARE_ORCA_SOLVER_LINEAR_PROGRAM = 0,
  // A polygon of velocities, clipped.
  WAYFARE_ORCA_SOLVER_CLIPPING = 1,
} WayfareOrcaSolver;

// What is drawn.
typedef enum WayfareDrawnKind {
  // A polygon.
  WAYFARE_DRAWN_KIND_POLYGON = 0,
  // A line.
  WAYFARE_DRAWN_KIND_LINE = 1,
  // A point.
  WAYFARE_DRAWN_KIND_POINT = 2,
  // A label at a point.
  WAYFARE_DRAWN_KIND_LABEL = 3,
} WayfareDrawnKind;

// What a drawn shape shows.
typedef enum WayfareDrawnRole {
  // Surface that can be walked on; the number is its area type.
  WAYFARE_DRAWN_ROLE_SURFACE = 0,
  // A wall.
  WAYFARE_DRAWN_ROLE_WALL = 1,
  // An edge between polygons.
  WAYFARE_DRAWN_ROLE_INNER_EDGE = 2,
  // An edge between tiles.
  WAYFARE_DRAWN_ROLE_TILE_EDGE = 3,
  // An off-mesh connection that is used both ways.
  WAYFARE_DRAWN_ROLE_CONNECTION = 4,
  // An off-mesh connection that is used from its first point to its last only.
  WAYFARE_DRAWN_ROLE_ONE_WAY_CONNECTION = 5,
  // A path, by its number.
  WAYFARE_DRAWN_ROLE_PATH = 6,
  // A path that does not reach its goal, by its number.
  WAYFARE_DRAWN_ROLE_PARTIAL_PATH = 7,
  // A corner of a path, by its number.
  WAYFARE_DRAWN_ROLE_CORNER = 8,
  // The start of a path, by its number.
  WAYFARE_DRAWN_ROLE_START = 9,
  // The goal of a path, by its number.
  WAYFARE_DRAWN_ROLE_GOAL = 10,
  // A value, such as a cost.
  WAYFARE_DRAWN_ROLE_VALUE = 11,
  // Anything else.
  WAYFARE_DRAWN_ROLE_OTHER = 12,
} WayfareDrawnRole;

// How far a request for a path is.
typedef enum WayfareRequestState {
  // It waits.
  WAYFARE_REQUEST_STATE_WAITING = 0,
  // It is being searched.
  WAYFARE_REQUEST_STATE_SEARCHING = 1,
  // It is done: take it.
  WAYFARE_REQUEST_STATE_DONE = 2,
} WayfareRequestState;

// The phases of a tick of a crowd, in their order, for `wayfare_crowd_phase`.
typedef enum WayfareCrowdPhase {
  // Repairs paths that a change of the mesh has broken.
  WAYFARE_CROWD_PHASE_VALIDATE = 0,
  // Searches paths and follows moving targets.
  WAYFARE_CROWD_PHASE_PLAN = 1,
  // Finds which agents are near each other.
  WAYFARE_CROWD_PHASE_NEIGHBOURS = 2,
  // Finds the next corners of every path, and the walls around.
  WAYFARE_CROWD_PHASE_CORNERS = 3,
  // Enters, crosses and leaves off-mesh connections.
  WAYFARE_CROWD_PHASE_CONNECTIONS = 4,
  // Computes the velocity that each agent wants.
  WAYFARE_CROWD_PHASE_STEER = 5,
  // Chooses velocities that avoid collisions.
  WAYFARE_CROWD_PHASE_AVOID = 6,
  // Limits accelerations and moves the agents.
  WAYFARE_CROWD_PHASE_INTEGRATE = 7,
  // Separates agents that overlap.
  WAYFARE_CROWD_PHASE_RESOLVE = 8,
  // Puts all agents back on the mesh; sees who has arrived and who is stuck.
  WAYFARE_CROWD_PHASE_CONSTRAIN = 9,
} WayfareCrowdPhase;

// A method and its settings. Those that a method does not have are 0 and not read. Fill it by
// `wayfare_avoidance_default`.
typedef struct WayfareAvoidance {
  // The size of this structure: set by `wayfare_avoidance_default`.
  uint32_t size;
  // A `WayfareAvoidanceMethod`.
  uint32_t method;
  // Orca, ClearPath, Hrvo: seconds ahead in which agents do not touch.
  float horizon;
  // The same for walls.
  float wall_horizon;
  // Seconds in which those who overlap part.
  float overlap_time;
  // Orca, ClearPath: how much one side is preferred.
  float side_bias;
  // ClearPath, Hrvo.
  float spike;
  // ClearPath, Hrvo: how much the last velocity is kept.
  float steadiness;
  // ClearPath, Hrvo, sampled, adaptive: how much the right side is kept.
  float keep_right;
  // A `WayfareOrcaSolver`, for Orca.
  uint32_t solver;
  // Sampled: samples along a side.
  uint32_t grid;
  // Adaptive: samples in a ring.
  uint32_t divisions;
  // Adaptive: rings.
  uint32_t rings;
  // Adaptive: how often it refines.
  uint32_t depth;
  // Sampled, adaptive: where samples stand, between 0 and the wanted velocity.
  float velocity_bias;
  // Sampled, adaptive: what deviating from the wanted velocity costs.
  float weight_desired;
  // From the present one.
  float weight_current;
  // Going by on the wrong side.
  float weight_side;
  // Being hit soon.
  float weight_impact;
  // Sampled, adaptive: seconds ahead that count.
  float weight_horizon;
  // The same for walls.
  float weight_wall_horizon;
  // Pedestrian: seconds to the one in front.
  float time_gap;
  // Pedestrian: metres that count ahead.
  float look_ahead;
  // Pedestrian: radians to each side that are seen.
  float field;
  // Pedestrian.
  float length;
  // Pedestrian.
  float width;
} WayfareAvoidance;

// A point on the xz-plane.
typedef struct WayfareVec2 {
  // Along x.
  float x;
  // Along z.
  float z;
} WayfareVec2;

// An agent as avoidance sees it, on the plane.
typedef struct WayfareAvoider {
  // Where it is.
  struct WayfareVec2 position;
  // How it moves.
  struct WayfareVec2 velocity;
  // How it wants to move.
  struct WayfareVec2 desired;
  // Its radius.
  float radius;
  // Its greatest speed.
  float max_speed;
  // How far from walls the mesh keeps it already.
  float wall_distance;
  // As a neighbour: the part of the avoiding that the asking agent does, 0 to 1.
  float share;
} WayfareAvoider;

// A wall on the plane; free is to the left of the line from `a` to `b`.
typedef struct WayfareFlatWall {
  // From here.
  struct WayfareVec2 a;
  // To there.
  struct WayfareVec2 b;
} WayfareFlatWall;

// A level: all geometry that a bake is made from. Filled part by part, then baked as often as wanted.
typedef struct WayfareLevel {
  // 0 for none.
  uint64_t id;
} WayfareLevel;

// A point or direction: metres, right-handed, y up.
typedef struct WayfareVec3 {
  // To the right.
  float x;
  // Up.
  float y;
  // Towards the viewer.
  float z;
} WayfareVec3;

// A box along the axes.
typedef struct WayfareBox {
  // Its low corner.
  struct WayfareVec3 min;
  // Its high corner.
  struct WayfareVec3 max;
} WayfareBox;

// All settings of a bake: metres and radians. Fill it by `wayfare_bake_settings_default` or
// `wayfare_bake_settings_for_agent`, then change what is to differ.
typedef struct WayfareBakeSettings {
  // The size of this structure: set by the functions that fill it.
  uint32_t size;
  // A `WayfarePartition`. Default watershed.
  uint32_t partition;
  // A `WayfareErosion`. Default chamfer.
  uint32_t erosion;
  // Height of the agent. Default 2.
  float agent_height;
  // Radius of the agent. Default 0.6.
  float agent_radius;
  // The highest step that the agent climbs. Default 0.9.
  float agent_max_climb;
  // The steepest slope that the agent walks, radians. Default 45 degrees.
  float agent_max_slope;
  // The deepest drop that the agent goes down by itself. Default 0.
  float agent_max_drop;
  // Side of a cell. Default 0.3.
  float cell_size;
  // Height of a cell. Default 0.2.
  float cell_height;
  // 1 lets agents step onto low obstacles. Default 1.
  uint32_t filter_low_hanging;
  // 1 keeps agents from the edges of drops. Default 1.
  uint32_t filter_ledges;
  // 1 removes what lies under ceilings too low. Default 1.
  uint32_t filter_low_height;
  // Side, in cells, of the smallest island that is kept. Default 8.
  uint32_t region_min_size;
  // Side, in cells, of regions that are merged into neighbours. Default 20.
  uint32_t region_merge_size;
  // Longest edge along walls; 0 never splits. Default 12.
  float edge_max_len;
  // How far a wall may deviate from the voxels, in cells. Default 1.3.
  float edge_max_error;
  // Most corners of a polygon. Default 6.
  uint32_t verts_per_poly;
  // Distance between height samples, in cells; below 0.9 there are none. Default 6.
  float detail_sample_dist;
  // How far the surface may deviate from the samples, in cell heights. Default 1.
  float detail_sample_max_error;
  // Side of a tile in cells; 0 bakes one tile. Default 0.
  uint32_t tile_size;
  // 1 bakes exactly `bounds`; 0 the box around all geometry. Default 0.
  uint32_t has_bounds;
  // The box that is baked.
  struct WayfareBox bounds;
} WayfareBakeSettings;

// Hears how far work is: `done` of `total`. Returning 0 goes on; anything else cancels the work. Called from any thread
// that works, and from several at once where work has several; all but the caller's own have ended when the call returns.
typedef int32_t (*WayfareProgressCallback)(void *user, uint64_t done, uint64_t total);

// Hears a message: UTF-8 that ends with 0 and lives until the callback returns. Called from the same
// threads.
typedef void (*WayfareLogCallback)(void *user, const char *message);

// Lets one thread cancel the work of another.
typedef struct WayfareCancel {
  // 0 for none.
  uint64_t id;
} WayfareCancel;

// What long work is given. May be null wherever it is taken: then it runs on one thread, nobody hears of it, and nothing
// limits it. Callbacks must return: they may not throw, nor jump out.
typedef struct WayfareContext {
  // The size of this structure: set by `wayfare_context_default`.
  uint32_t size;
  // 1 to measure the times of stages.
  uint32_t measure_times;
  // Hears how far it is; may be null.
  WayfareProgressCallback progress;
  // Hears messages; may be null.
  WayfareLogCallback log;
  // Handed to both callbacks.
  void *user;
  // Cancels it from elsewhere; 0 for none.
  struct WayfareCancel cancel;
  // The most bytes that a bake may take; 0 for no limit.
  uint64_t memory_limit;
  // The most threads that it may use: 0 for as many as there are cores, which all such calls share; 1, the default, for the
  // calling thread alone. With 2 or more each call has so many of its own, which are kept for later calls; those of a call
  // that calls back have ended when it returns.
  uint32_t threads;
  // Nothing; 0.
  uint32_t reserved;
} WayfareContext;

// A navigation mesh.
//
// Calls that read it may run on any number of threads at once. Those that change it need it alone: else they give BUSY.
// A copy costs a few pointers and shares everything that does not change: to edit a mesh while others read, edit a
// copy and hand it on, by hand or by a `WayfareShared`. Queries, crowds and others hold copies of their own.
typedef struct WayfareMesh {
  // 0 for none.
  uint64_t id;
} WayfareMesh;

// What a bake did: counts, times, warnings.
typedef struct WayfareReport {
  // 0 for none.
  uint64_t id;
} WayfareReport;

// A bake in steps.
typedef struct WayfareBakeJob {
  // 0 for none.
  uint64_t id;
} WayfareBakeJob;

// Counts of a bake.
typedef struct WayfareBakeStats {
  // The box that was baked.
  struct WayfareBox bounds;
  // Tiles with surface.
  uint32_t tiles;
  // Tiles without.
  uint32_t empty_tiles;
  // Cells along x.
  uint32_t width;
  // Cells along z.
  uint32_t depth;
  // Triangles outside the bounds.
  uint64_t triangles_outside;
  // Spans of the heightfield.
  uint64_t spans;
  // Of these, walkable before erosion.
  uint64_t walkable_spans;
  // Of these, walkable after it.
  uint64_t eroded_spans;
  // Regions.
  uint64_t regions;
  // Contours.
  uint64_t contours;
  // Polygons.
  uint64_t polys;
  // Their area seen from above, square metres.
  double poly_area;
  // Triangles of the detail mesh.
  uint64_t detail_triangles;
} WayfareBakeStats;

// A warning of a bake.
typedef struct WayfareWarning {
  // What it warns of: `wayfare_report_warning_name` says it in words.
  uint32_t kind;
  // How often.
  uint32_t count;
  // 1 if it has a place.
  uint32_t has_place;
  // The first place.
  struct WayfareVec3 place;
} WayfareWarning;

// Why the places of a level can or cannot be walked on.
typedef struct WayfareExplainMap {
  // 0 for none.
  uint64_t id;
} WayfareExplainMap;

// Why a place cannot be walked on.
typedef struct WayfareExplanation {
  // 1 if it can.
  uint32_t walkable;
  // The reason by number: `wayfare_explain_text` says it in words.
  uint32_t reason;
  // 1 if there is a surface.
  uint32_t has_surface;
  // Where it is.
  struct WayfareVec3 surface;
  // 1 if it lies inside a closed body.
  uint32_t inside_hollow_body;
} WayfareExplanation;

// How links of one kind are found.
typedef struct WayfareLinkRule {
  // 1 to look for links of this kind.
  uint32_t enabled;
  // 1 if links may be used both ways.
  uint32_t two_way;
  // The greatest height between their ends.
  float max_height;
  // The greatest distance between their ends, seen from above.
  float max_distance;
  // How high the agent rises on its way.
  float rise;
  // The distance between links along an edge.
  float spacing;
  // The width that must be free.
  float width;
  // Their area type.
  uint32_t area;
  // Their flags.
  uint32_t flags;
} WayfareLinkRule;

// Which links are found automatically. Fill it by `wayfare_link_settings_for_agent`.
typedef struct WayfareLinkSettings {
  // The size of this structure: set by the function that fills it.
  uint32_t size;
  // Down over an edge.
  struct WayfareLinkRule drop;
  // Down with a leap.
  struct WayfareLinkRule jump_down;
  // Over a gap.
  struct WayfareLinkRule jump_across;
  // Up a wall.
  struct WayfareLinkRule climb;
} WayfareLinkSettings;

// A link that was found.
typedef struct WayfareLink {
  // A `WayfareLinkKind`.
  uint32_t kind;
  // Its number, which becomes the connection's user id.
  uint32_t id;
  // Where it begins.
  struct WayfareVec3 start;
  // Where it ends.
  struct WayfareVec3 end;
  // How near one must come.
  float radius;
  // 1 if it can be used both ways.
  uint32_t two_way;
  // Its area type.
  uint32_t area;
  // Its flags.
  uint32_t flags;
} WayfareLink;

// Questions to a mesh with a filter. One for each thread that asks; it holds a copy of the mesh, and keeps its memory,
// so that the second question allocates nothing.
typedef struct WayfareQuery {
  // 0 for none.
  uint64_t id;
} WayfareQuery;

// A place on a mesh: a polygon and a point. As an argument with `poly` 0 it is a point that is looked up; with the
// polygon of an earlier answer it is taken as it is.
typedef struct WayfarePlace {
  // The reference of the polygon, 0 for none.
  uint64_t poly;
  // The point.
  struct WayfareVec3 point;
} WayfarePlace;

// From where to where.
typedef struct WayfarePair {
  // From here.
  struct WayfarePlace from;
  // To there.
  struct WayfarePlace to;
} WayfarePair;

// The paths of a batch, with all their points.
typedef struct WayfarePathBatch {
  // 0 for none.
  uint64_t id;
} WayfarePathBatch;

// Lower bounds of costs from anywhere to anywhere on a mesh. Searches that they guide find the cheapest path, usually
// several times faster than those without on meshes of thousands of polygons.
typedef struct WayfareCostBounds {
  // 0 for none.
  uint64_t id;
} WayfareCostBounds;

// A path in short. Its points and polygons are asked of the query, until its next question.
typedef struct WayfarePath {
  // A `WayfarePathStatus`.
  uint32_t status;
  // A `WayfareLimitHit`: the limit that cut the search short.
  uint32_t limit;
  // How many points the straight line through it has; 0 before it was asked for.
  uint32_t point_count;
  // How many polygons.
  uint32_t poly_count;
  // Nodes that the search opened.
  uint32_t nodes;
  // What it costs.
  float cost;
  // The length of the straight line; 0 before it was asked for.
  float length;
  // Where it ends.
  struct WayfareVec3 end;
} WayfarePath;

// The nearest place on the mesh.
typedef struct WayfareNearest {
  // 1 if one is near.
  uint32_t found;
  // 1 if the point lies over its polygon.
  uint32_t over;
  // The place.
  struct WayfarePlace place;
} WayfareNearest;

// A line of sight along the surface.
typedef struct WayfareRay {
  // 1 if a wall is hit before the end.
  uint32_t hit;
  // How many polygons it crosses: `wayfare_query_ray_polygons`.
  uint32_t poly_count;
  // The part of the line that is free, 0 to 1.
  float t;
  // What walking it costs; 0 where that was not asked for.
  float cost;
  // Where it ends.
  struct WayfareVec3 point;
  // The normal of the wall that is hit.
  struct WayfareVec3 normal;
} WayfareRay;

// A stretch of wall.
typedef struct WayfareWall {
  // Where it begins.
  struct WayfareVec3 start;
  // Where it ends.
  struct WayfareVec3 end;
} WayfareWall;

// The nearest wall.
typedef struct WayfareNearestWall {
  // 1 if there is one within the radius.
  uint32_t found;
  // How far it is.
  float distance;
  // Its nearest point.
  struct WayfareVec3 point;
  // From the wall to the place.
  struct WayfareVec3 normal;
  // The whole stretch.
  struct WayfareWall wall;
} WayfareNearestWall;

// Paths in a world of blocks, built where they come by. It is asked with the same world always.
typedef struct WayfareBlockNav {
  // 0 for none.
  uint64_t id;
} WayfareBlockNav;

// Where the blocks of a world are.
typedef struct WayfareBlocks {
  // 0 for none.
  uint64_t id;
} WayfareBlocks;

// A block of a world.
typedef struct WayfareCell {
  // Along x.
  int32_t x;
  // Up.
  int32_t y;
  // Along z.
  int32_t z;
} WayfareCell;

// The blocks between two corners, both included.
typedef struct WayfareBlockBox {
  // The low corner.
  struct WayfareCell min;
  // The high corner.
  struct WayfareCell max;
} WayfareBlockBox;

// A walk through blocks that keeps up with changes.
typedef struct WayfareBlockWalk {
  // 0 for none.
  uint64_t id;
} WayfareBlockWalk;

// What a caller says of its blocks: a `WayfareBlock` for each. Called from the thread that asks for a path.
typedef uint32_t (*WayfareBlockCallback)(void *user, int32_t x, int32_t y, int32_t z);

// Who walks in a world of blocks, all in blocks.
typedef struct WayfareBlockSettings {
  // The size of this structure: set by `wayfare_block_settings_default`.
  uint32_t size;
  // How high it steps.
  uint32_t climb;
  // How deep it drops.
  uint32_t drop;
  // How high it is.
  uint32_t height;
  // How wide it is.
  uint32_t width;
  // The side of the meshes that are built where a search comes by.
  uint32_t mini;
} WayfareBlockSettings;

// A path through blocks in short. Its points: `wayfare_block_nav_points`.
typedef struct WayfareBlockPath {
  // A `WayfarePathStatus`.
  uint32_t status;
  // A `WayfareLimitHit`: the limit that cut it short.
  uint32_t limit;
  // How many points.
  uint32_t point_count;
  // Nodes that were visited.
  uint32_t visited;
  // Its length.
  float length;
} WayfareBlockPath;

// Bytes that a call made: a saved mesh, a picture, a text.
typedef struct WayfareBytes {
  // 0 for none.
  uint64_t id;
} WayfareBytes;

// An agent's path. It is asked with a query, for the query's mesh and filter.
typedef struct WayfareCorridor {
  // 0 for none.
  uint64_t id;
} WayfareCorridor;

// A corner of a corridor.
typedef struct WayfareCorner {
  // Where.
  struct WayfareVec3 point;
  // A `WayfareCornerKind`.
  uint32_t at;
  // The polygon, or the connection.
  uint64_t poly;
} WayfareCorner;

// What a path may use, and what it costs. Queries, crowds and others take a copy: changing a filter later changes none.
typedef struct WayfareFilter {
  // 0 for none: where a mesh is asked (queries, queues, bounds, cut meshes), that means the mesh's own costs and all
  // flags. What changes or wraps a filter, and crowds, whose number 0 is the mesh's own, need one.
  uint64_t id;
} WayfareFilter;

// Settings of a whole crowd.
typedef struct WayfareCrowdSettings {
  // The size of this structure: set by `wayfare_crowd_settings_default`.
  uint32_t size;
  // Searches for shorter ways in a tick.
  uint32_t topology_searches;
  // Nodes of path searches in a tick.
  uint64_t path_nodes;
  // Nodes of each search for a shorter way.
  uint32_t topology_nodes;
  // Rounds in which overlaps are resolved.
  uint32_t resolve_rounds;
  // Seconds between searches for a target that moves.
  float replan_interval;
  // The part by which costs must change for a new search.
  float cost_change;
  // How far from agents and goals the mesh may be.
  struct WayfareVec3 reach;
} WayfareCrowdSettings;

// Many agents that walk on a mesh and avoid each other. It is changed by every step: one thread at a time.
typedef struct WayfareCrowd {
  // 0 for none.
  uint64_t id;
} WayfareCrowd;

// Parameters of an agent: metres and seconds. Fill it by `wayfare_agent_params_of_size` or
// `wayfare_agent_params_pedestrian`, then change what is to differ.
typedef struct WayfareAgentParams {
  // The size of this structure: set by the functions that fill it.
  uint32_t size;
  // Radius, above 0.
  float radius;
  // Height, above 0.
  float height;
  // Greatest speed.
  float max_speed;
  // How fast the velocity changes.
  float max_acceleration;
  // How far away others are seen.
  float neighbour_range;
  // How many others are seen, nearest first.
  uint32_t max_neighbours;
  // How many walls are seen.
  uint32_t max_walls;
  // Who gives way: the higher, the less.
  float priority;
  // The layers that it is in, a bit for each.
  uint32_t layers;
  // The layers that it heeds.
  uint32_t layer_mask;
  // How strongly it keeps away from its neighbours.
  float separation;
  // How far ahead it looks for a straighter way.
  float look_ahead;
  // Distance to the end at which it slows down.
  float slow_down;
  // Distance to the goal at which it has arrived.
  float arrival;
  // Distance to the goal at which it stops.
  float stopping_distance;
  // Which of the crowd's filters holds for it.
  uint32_t filter;
  // A `WayfareSteeringStyle`: how it turns corners.
  uint32_t style;
  // Swaying: radians to either side.
  float swing;
  // Swaying: seconds from side to side and back.
  float period;
  // A `WayfareDriver`: what moves it.
  uint32_t driver;
  // A `WayfareDriver`: what moves it over connections.
  uint32_t connection_driver;
  // Seconds without getting nearer after which it counts as blocked; infinite for never.
  float patience;
  // The part of its radius to which it makes itself narrow when it is blocked.
  float squeeze;
  // Spells of patience after which its path is searched anew; 0 for never.
  uint32_t replan_after;
  // Spells of patience after which it gives up; 0 for never.
  uint32_t give_up_after;
  // A `WayfareWhenUnreachable`: what it does where no path leads.
  uint32_t when_unreachable;
  // Its method of avoidance.
  struct WayfareAvoidance avoidance;
} WayfareAgentParams;

// Where an agent is to go.
typedef struct WayfareTarget {
  // A `WayfareTargetKind`.
  uint32_t kind;
  // Nothing; 0.
  uint32_t reserved;
  // Point, moving: a place; a point without a polygon is looked up. Velocity: the velocity is `place.point`.
  struct WayfarePlace place;
  // Agent: its number.
  uint64_t agent;
} WayfareTarget;

// How paths are found: for crowds and queues.
typedef struct WayfarePlanner {
  // 0 for none: wherever a planner is taken, that means A* over polygons.
  uint64_t id;
} WayfarePlanner;

// How an agent is.
typedef struct WayfareAgent {
  // Where it is.
  struct WayfareVec3 position;
  // How it moves.
  struct WayfareVec3 velocity;
  // A `WayfareTargetStatus`.
  uint32_t target_status;
  // 1 if it stands where it wants to.
  uint32_t at_rest;
  // Metres to its goal; −1 if it has none.
  float remaining;
  // 1 if it is on a connection.
  uint32_t on_connection;
  // How far it is over it, 0 to 1.
  float connection_progress;
  // Its place in the lists of `wayfare_crowd_agents` and `wayfare_crowd_positions`, until an agent is added or removed.
  uint32_t index;
  // The connection.
  uint64_t connection;
} WayfareAgent;

// Something that happened in the last tick.
typedef struct WayfareEvent {
  // The agent.
  uint64_t agent;
  // A `WayfareEventKind`; `UINT32_MAX` for one that a later library has.
  uint32_t kind;
  // As its kind says.
  uint32_t value;
  // As its kind says.
  struct WayfareVec3 from;
  // As its kind says.
  struct WayfareVec3 to;
  // The connection, or the polygon where the path breaks.
  uint64_t poly;
} WayfareEvent;

// Something in the way.
typedef struct WayfareGridObstacle {
  // A `WayfareGridShape`.
  uint32_t shape;
  // A number of the user.
  uint32_t id;
  // Segment: one end. Disc, box: the middle.
  struct WayfareVec3 a;
  // Segment: the other end.
  struct WayfareVec3 b;
  // Disc.
  float radius;
  // Box: half its width.
  float half_x;
  // Box: half its depth.
  float half_z;
  // Box: radians around the vertical.
  float yaw;
} WayfareGridObstacle;

// Times and counts of the last tick. Times are 0 unless the context of the step asked for them.
typedef struct WayfareCrowdProfile {
  // Paths that were found.
  uint32_t paths;
  // Agents that wait for one.
  uint32_t waiting;
  // Nodes that were opened.
  uint64_t nodes;
  // Seconds of each phase.
  double seconds[10];
  // The crowd's own time: the sum of its ticks.
  double time;
} WayfareCrowdProfile;

// Agents in a formation behind a leader.
typedef struct WayfareFormation {
  // 0 for none.
  uint64_t id;
} WayfareFormation;

// Shapes to be drawn: polygons, lines, points.
typedef struct WayfareShapes {
  // 0 for none.
  uint64_t id;
} WayfareShapes;

// Costs by place.
typedef struct WayfareOverlay {
  // 0 for none.
  uint64_t id;
} WayfareOverlay;

// A shape.
typedef struct WayfareDrawn {
  // A `WayfareDrawnKind`.
  uint32_t kind;
  // A `WayfareDrawnRole`.
  uint32_t role;
  // Surface: its area type. Paths, corner, start, goal: the path's number.
  uint32_t number;
  // How many points it has.
  uint32_t point_count;
  // Value: a part of the greatest, 0 to 1.
  float value;
} WayfareDrawn;

// What the tiles of a level are rebuilt from: the level as it is before obstacles.
typedef struct WayfareCheckpoints {
  // 0 for none.
  uint64_t id;
} WayfareCheckpoints;

// Obstacles in a level, and the rebuild of the tiles under them.
typedef struct WayfareObstacles {
  // 0 for none.
  uint64_t id;
} WayfareObstacles;

// A volume, and what it does to the surface inside it. Fields that a shape does not name are not read: begin with
// `WayfareVolume volume = {0};`.
typedef struct WayfareVolume {
  // A `WayfareShape`.
  uint32_t shape;
  // The area type that the surface inside gets. 0 blocks it.
  uint32_t area;
  // 1 to mark after erosion: exactly the surface inside changes, as pools and roads do. 0 to mark before: with area
  // 0, agents keep the distance of their radius, as from walls.
  uint32_t after_erosion;
  // Turned box: radians around the vertical.
  float angle;
  // Boxes: the middle. Cylinder, capsule: the foot. Mesh: by how much it is moved.
  struct WayfareVec3 center;
  // Boxes: from the middle to the sides.
  struct WayfareVec3 half_extents;
  // Cylinder, capsule.
  float radius;
  // Cylinder, capsule: from foot to top.
  float height;
  // Prism: from this height.
  float low;
  // Prism: to this height.
  float high;
  // Prism: the corners of the outline.
  const struct WayfareVec2 *outline;
  // Prism: how many.
  size_t outline_count;
  // Hull: the points.
  const struct WayfareVec3 *points;
  // Hull: how many.
  size_t point_count;
  // Mesh: a level of which the triangles are taken.
  struct WayfareLevel mesh;
} WayfareVolume;

// A level of solid objects that are placed and moved.
typedef struct WayfareObjects {
  // 0 for none.
  uint64_t id;
} WayfareObjects;

// Where a tile is: column, row and layer.
typedef struct WayfareTileCoord {
  // The column, along x.
  int32_t x;
  // The row, along z.
  int32_t z;
  // The layer; 0 but where several tiles lie over each other.
  uint32_t layer;
} WayfareTileCoord;

// A tile that was rebuilt.
typedef struct WayfareRebuiltTile {
  // Where it is.
  struct WayfareTileCoord coord;
  // A `WayfareTileChange`.
  uint32_t change;
  // Its reference now; 0 for none.
  uint64_t tile;
} WayfareRebuiltTile;

// Whether a polygon may be used: 0 or 1.
typedef uint32_t (*WayfarePassesCallback)(void *user, uint64_t poly, uint32_t area, uint32_t flags);

// One step of a path, as a filter sees it.
typedef struct WayfareCrossing {
  // Where the polygon is entered.
  struct WayfareVec3 from;
  // Where it is left.
  struct WayfareVec3 to;
  // The polygon, or the connection.
  uint64_t poly;
  // The one before; 0 for none.
  uint64_t before;
  // The one after; 0 for none.
  uint64_t next;
  // Its area type.
  uint32_t area;
  // Its flags.
  uint32_t flags;
} WayfareCrossing;

// What a step costs, 0 or above; infinite closes it. NaN and negative costs count as infinite.
typedef float (*WayfareCostCallback)(void *user, const struct WayfareCrossing *crossing);

// Says that nothing calls back with `user` any more.
typedef void (*WayfareReleaseCallback)(void *user);

// A filter of the caller's own. The functions are called from every thread that asks with it, which are the caller's own
// and others that have ended when the call returns. They must give the same answers for the same arguments, and may not
// throw, nor jump out, nor free what they are called by.
typedef struct WayfareFilterCallbacks {
  // The size of this structure: set by `wayfare_filter_callbacks_default`.
  uint32_t size;
  // The least that a metre may cost: searches are fast where it is near the truth, and wrong where it is above.
  float least_cost;
  // The most that a metre may cost; infinite if unknown.
  float most_cost;
  // 1 if area type and flags alone decide.
  uint32_t by_state;
  // What may be used; null for everything with a flag.
  WayfarePassesCallback passes;
  // What it costs; null for its length.
  WayfareCostCallback cost;
  // Handed to all of them.
  void *user;
  // Called once, when the filter is freed and so is, or has another filter, all that took it: what `user` leads to can
  // be freed then, and not before. From the call that does so; not if the filter could not be made. May be null.
  WayfareReleaseCallback release;
} WayfareFilterCallbacks;

// Axes and unit of another engine.
typedef struct WayfareFrame {
  // 1 if z points up, 0 if y does.
  uint8_t z_up;
  // 1 if it is left-handed.
  uint8_t left_handed;
  // Metres in one of its units: 0.01 for centimetres.
  double unit;
} WayfareFrame;

// A small grid around an agent, in which others and things block cells.
typedef struct WayfareGrid {
  // 0 for none.
  uint64_t id;
} WayfareGrid;

// The abstract graph of a mesh: paths over tiles first, then over polygons.
typedef struct WayfareHierarchy {
  // 0 for none.
  uint64_t id;
} WayfareHierarchy;

// How large an abstract graph is.
typedef struct WayfareGraphSize {
  // Tiles.
  uint64_t tiles;
  // Areas: connected parts of tiles.
  uint64_t areas;
  // Nodes: portals between tiles.
  uint64_t nodes;
  // Edges.
  uint64_t edges;
  // Bytes.
  uint64_t bytes;
} WayfareGraphSize;

// A point of a path: a corner, or an end.
typedef struct WayfarePathPoint {
  // Where.
  struct WayfareVec3 point;
  // A `WayfarePathPointKind`.
  uint32_t kind;
  // The polygon that is entered here.
  uint64_t poly;
} WayfarePathPoint;

// A mesh cut for wider agents.
typedef struct WayfareClearance {
  // 0 for none.
  uint64_t id;
} WayfareClearance;

// Triangles, as they are added to a level.
typedef struct WayfareTriangles {
  // The corners.
  const struct WayfareVec3 *verts;
  // How many.
  size_t vert_count;
  // Three indices for each triangle, counter-clockwise seen from above.
  const uint32_t *indices;
  // How many indices: three times the triangles.
  size_t index_count;
  // An area type for each triangle, 0 to 63; null for 63, plain ground.
  const uint8_t *areas;
  // How many: as many as triangles, or 0.
  size_t area_count;
} WayfareTriangles;

// A height map: samples row by row, x first.
typedef struct WayfareHeights {
  // Samples in a row, 2 or more.
  uint32_t columns;
  // Rows, 2 or more.
  uint32_t rows;
  // `columns * rows` samples.
  const uint16_t *samples;
  // How many.
  size_t sample_count;
  // Where the first sample stands, at height 0 of the samples.
  struct WayfareVec3 origin;
  // The area type of the terrain, 63 for plain ground.
  uint32_t area;
  // Metres between samples.
  double spacing;
  // Metres a sample of 1 is high.
  double step;
} WayfareHeights;

// What was left out of a level's triangles.
typedef struct WayfareLevelReport {
  // Triangles that stay.
  uint64_t triangles;
  // Triangles with a corner that is not finite, left out.
  uint32_t not_finite;
  // Triangles without area, left out.
  uint32_t degenerate;
  // The box around all that stays.
  struct WayfareBox bounds;
} WayfareLevelReport;

// An off-mesh connection: a jump, a ladder, a teleporter.
typedef struct WayfareConnection {
  // Where it begins.
  struct WayfareVec3 start;
  // Where it ends.
  struct WayfareVec3 end;
  // How far from its ends the mesh may be; how near agents come.
  float radius;
  // 1 if it can be used both ways.
  uint32_t two_way;
  // Its area type, 63 for plain ground; 0 is no ground, and cannot be added.
  uint32_t area;
  // Its flags; 1 is what walking passes. Filters pass nothing without any, so one without cannot be added.
  uint32_t flags;
  // A number of the user.
  uint32_t user_id;
} WayfareConnection;

// A level of triangles, solid objects and obstacles that come, move and go, and the mesh that follows it tile by tile,
// with automatic links. A change is accepted at once and costs little: `wayfare_live_level_step` does the work.
typedef struct WayfareLiveLevel {
  // 0 for none.
  uint64_t id;
} WayfareLiveLevel;

// How far a live level has followed its changes.
typedef struct WayfareLiveProgress {
  // A `WayfareLiveStage`: what it is working on.
  uint32_t stage;
  // 1 if nothing is left to do.
  uint32_t finished;
  // How much of that stage is done.
  uint64_t done;
  // How much there is.
  uint64_t total;
} WayfareLiveProgress;

// What a mesh measures.
typedef struct WayfareMeshSize {
  // The box around all tiles.
  struct WayfareBox bounds;
  // The low corner of the tile (0, 0).
  struct WayfareVec3 origin;
  // Width of a tile.
  float tile_width;
  // Depth of a tile.
  float tile_depth;
  // Tiles.
  uint32_t tiles;
  // Off-mesh connections.
  uint32_t connections;
  // Polygons of all tiles.
  uint64_t polys;
  // Bytes of the tiles' data.
  uint64_t data_bytes;
  // Bytes of what is derived from it for speed.
  uint64_t index_bytes;
  // The number that a user gave it.
  uint64_t user_id;
} WayfareMeshSize;

// A fault that a check found.
typedef struct WayfareViolation {
  // The polygon.
  uint64_t poly;
  // Where.
  struct WayfareVec3 position;
} WayfareViolation;

// A moment in the life of a mesh.
typedef struct WayfareVersion {
  // 0 for none.
  uint64_t id;
} WayfareVersion;

// A change.
typedef struct WayfareChange {
  // A `WayfareChangeKind`.
  uint32_t kind;
  // Nothing; 0.
  uint32_t reserved;
  // The reference of the tile or connection.
  uint64_t reference;
} WayfareChange;

// A mesh that is edited by one thread while others read: each reader takes the newest.
typedef struct WayfareShared {
  // 0 for none.
  uint64_t id;
} WayfareShared;

// What a polygon is.
typedef struct WayfarePolygon {
  // Its corners' number.
  uint32_t corner_count;
  // Its area type.
  uint32_t area;
  // Its flags.
  uint32_t flags;
  // 1 for an off-mesh connection.
  uint32_t off_mesh;
  // The tile it is of; 0 for a connection.
  uint64_t tile;
  // Its middle.
  struct WayfareVec3 center;
} WayfarePolygon;

// A border between two polygons.
typedef struct WayfarePortal {
  // The polygon behind it.
  uint64_t to;
  // Its end on the left, seen on the way over.
  struct WayfareVec3 a;
  // Its end on the right.
  struct WayfareVec3 b;
  // The number of the polygon's edge; `UINT32_MAX` where it was asked for by its two polygons.
  uint32_t edge;
} WayfarePortal;

// What a tile is.
typedef struct WayfareTileInfo {
  // Its reference.
  uint64_t tile;
  // Where it is.
  struct WayfareTileCoord coord;
  // How many polygons it has.
  uint32_t polys;
  // The box around them.
  struct WayfareBox bounds;
  // The number that a user gave it.
  uint32_t user_id;
  // Nothing; 0.
  uint32_t reserved;
} WayfareTileInfo;

// Polygons of another source, to be made a mesh of one tile.
typedef struct WayfarePolygons {
  // The corners of all.
  const struct WayfareVec3 *verts;
  // How many.
  size_t vert_count;
  // Indices of the polygons' corners, one polygon after the other, counter-clockwise seen from above.
  const uint32_t *corners;
  // How many.
  size_t corner_count;
  // How many corners each polygon has: convex, 3 or more.
  const uint16_t *counts;
  // How many polygons.
  size_t poly_count;
  // Area types, one for each; null for 63.
  const uint8_t *areas;
  // Flags, one for each; null for 1, walking.
  const uint16_t *flags;
  // What agents the polygons are for: height.
  float agent_height;
  // Radius.
  float agent_radius;
  // Climb.
  float agent_climb;
  // A number of the user.
  uint32_t user_id;
} WayfarePolygons;

// How a query asks.
typedef struct WayfareQuerySettings {
  // The size of this structure: set by `wayfare_query_settings_default`.
  uint32_t size;
  // A `WayfareNodePlacement`: where searches place nodes. Default middle.
  uint32_t placement;
  // How far from a point the mesh may be, to each side. Default 2, 4, 2.
  struct WayfareVec3 reach;
  // The most nodes of a search; default no limit.
  uint32_t max_nodes;
  // The most that a path may cost; default infinite.
  float max_cost;
} WayfareQuerySettings;

// A polygon that can be reached.
typedef struct WayfareReached {
  // The polygon.
  uint64_t poly;
  // The one before it; 0 for the first.
  uint64_t parent;
  // What it costs to get there.
  float cost;
  // Nothing; 0.
  uint32_t reserved;
} WayfareReached;

// Path requests that wait for their turn.
typedef struct WayfareQueue {
  // 0 for none.
  uint64_t id;
} WayfareQueue;

// A path search in steps.
typedef struct WayfareSearch {
  // 0 for none.
  uint64_t id;
} WayfareSearch;

// What it costs to get from one place to all others.
typedef struct WayfareCostMap {
  // 0 for none.
  uint64_t id;
} WayfareCostMap;

// A node that a search opened.
typedef struct WayfareSearchNode {
  // Its polygon.
  uint64_t poly;
  // Where it was placed.
  struct WayfareVec3 at;
  // What it cost to get there.
  float cost;
  // That, and the estimate to the goal.
  float total;
  // The number of the node before it; `UINT32_MAX` for the first.
  uint32_t parent;
  // 1 if the search was done with it.
  uint32_t closed;
  // Nothing; 0.
  uint32_t reserved;
} WayfareSearchNode;

// A world of which some tiles are in memory: the others are read from its store when a path needs them. Only one call at a
// time may use it, even to ask something: another is BUSY.
typedef struct WayfareWorld {
  // 0 for none.
  uint64_t id;
} WayfareWorld;

// What a world has in memory.
typedef struct WayfareWorldStats {
  // Tiles of the whole world.
  uint64_t tiles;
  // Tiles in memory.
  uint64_t resident;
  // Tiles read so far.
  uint64_t loaded;
  // Tiles given up so far.
  uint64_t evicted;
} WayfareWorldStats;

// A store that is open to be read tile by tile. Only one call at a time may use it: another is BUSY.
typedef struct WayfareStore {
  // 0 for none.
  uint64_t id;
} WayfareStore;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Fills the settings of a method with what is usual.
enum WayfareStatus wayfare_avoidance_default(uint32_t method, struct WayfareAvoidance *avoidance, size_t size);

// The velocity of one agent among others and walls, by a method: without a crowd and without a mesh.
enum WayfareStatus wayfare_avoid(const struct WayfareAvoidance *method,
                                 const struct WayfareAvoider *agent,
                                 const struct WayfareAvoider *neighbours,
                                 size_t neighbour_count,
                                 const struct WayfareFlatWall *walls,
                                 size_t wall_count,
                                 struct WayfareVec2 *velocity);

// Bakes a level into a mesh.
//
// `settings` may be null for the defaults, `context` for none. `report` may be null; else it gets what the bake did, also
// where nothing can be walked on, which is the status NOTHING_WALKABLE with a sentence that says why.
enum WayfareStatus wayfare_bake(struct WayfareLevel level,
                                const struct WayfareBakeSettings *settings,
                                const struct WayfareContext *context,
                                struct WayfareMesh *mesh,
                                struct WayfareReport *report);

// Bakes meshes for several agents from one pass over the level: `meshes` has room for `count`, as `settings` has
// `count` structures one after the other, all of the same size. All must agree in cells, tiles and bounds.
enum WayfareStatus wayfare_bake_agents(struct WayfareLevel level,
                                       const struct WayfareBakeSettings *settings,
                                       size_t count,
                                       const struct WayfareContext *context,
                                       struct WayfareMesh *meshes);

// Begins a bake that is done in steps; the level may be changed or freed meanwhile.
enum WayfareStatus wayfare_bake_job_new(struct WayfareLevel level,
                                        const struct WayfareBakeSettings *settings,
                                        struct WayfareBakeJob *job);

// Bakes on for `budget` units of work (tiles' stages), at least one. `done` and `total` say how far it is; it is finished
// once they are equal. Both may be null.
enum WayfareStatus wayfare_bake_job_step(struct WayfareBakeJob job,
                                         uint64_t budget,
                                         const struct WayfareContext *context,
                                         uint64_t *done,
                                         uint64_t *total);

// The mesh of a finished job, and its report (which may be null). The job is then of no more use, and must be freed.
enum WayfareStatus wayfare_bake_job_finish(struct WayfareBakeJob job,
                                           struct WayfareMesh *mesh,
                                           struct WayfareReport *report);

// Frees a job, finished or not.
enum WayfareStatus wayfare_bake_job_free(struct WayfareBakeJob job);

// The counts of a report.
enum WayfareStatus wayfare_report_stats(struct WayfareReport report, struct WayfareBakeStats *stats);

// Seconds that a stage took, 0 to 9 in their order; 0 unless the context asked for times. `name` may be null; else it
// gets the stage's name.
enum WayfareStatus wayfare_report_stage(struct WayfareReport report,
                                        uint32_t stage,
                                        double *seconds,
                                        char *name,
                                        size_t capacity);

// The warnings of a report.
enum WayfareStatus wayfare_report_warnings(struct WayfareReport report,
                                           struct WayfareWarning *warnings,
                                           size_t capacity,
                                           size_t *count);

// All places of one warning of a report, as far as they were kept.
enum WayfareStatus wayfare_report_warning_places(struct WayfareReport report,
                                                 size_t warning,
                                                 struct WayfareVec3 *places,
                                                 size_t capacity,
                                                 size_t *count);

// A warning of a report in words.
enum WayfareStatus wayfare_report_warning_name(struct WayfareReport report,
                                               size_t warning,
                                               char *name,
                                               size_t capacity,
                                               size_t *length);

// Frees a report.
enum WayfareStatus wayfare_report_free(struct WayfareReport report);

// Explains a whole level.
enum WayfareStatus wayfare_explain_level(struct WayfareLevel level,
                                         const struct WayfareBakeSettings *settings,
                                         const struct WayfareContext *context,
                                         struct WayfareExplainMap *map);

// Explains the surroundings of a point: much faster than the whole level.
enum WayfareStatus wayfare_explain_around(struct WayfareLevel level,
                                          const struct WayfareBakeSettings *settings,
                                          struct WayfareVec3 at,
                                          struct WayfareExplainMap *map);

// Why a place can or cannot be walked on; `found` is 0 if it lies outside of what was explained.
enum WayfareStatus wayfare_explain_at(struct WayfareExplainMap map,
                                      struct WayfareVec3 at,
                                      uint32_t *found,
                                      struct WayfareExplanation *explanation);

// The reason in words: its name alone (`whole` 0), or a sentence. A place outside of what was explained is `outside`.
enum WayfareStatus wayfare_explain_text(struct WayfareExplainMap map,
                                        struct WayfareVec3 at,
                                        uint32_t whole,
                                        char *out,
                                        size_t capacity,
                                        size_t *length);

// Frees an explain map.
enum WayfareStatus wayfare_explain_free(struct WayfareExplainMap map);

// Finds drops, jumps and climbs on a mesh that was baked from this level with these settings, and adds them to it as
// off-mesh connections. `count` gets how many; `wayfare_mesh_found_links` lists them.
enum WayfareStatus wayfare_mesh_find_links(struct WayfareMesh mesh,
                                           struct WayfareLevel level,
                                           const struct WayfareBakeSettings *settings,
                                           const struct WayfareLinkSettings *rules,
                                           const struct WayfareContext *context,
                                           size_t *count);

// The links that `wayfare_mesh_find_links` found last on this mesh, or on the one that it is a copy of. They are not saved.
enum WayfareStatus wayfare_mesh_found_links(struct WayfareMesh mesh,
                                            struct WayfareLink *links,
                                            size_t capacity,
                                            size_t *count);

// Remembers from what each tile of a mesh was baked, so that `wayfare_mesh_bake_changed` bakes only what has changed.
// It is saved with the mesh.
enum WayfareStatus wayfare_mesh_remember_level(struct WayfareMesh mesh,
                                               struct WayfareLevel level,
                                               const struct WayfareBakeSettings *settings);

// Bakes a level that has changed since `wayfare_mesh_remember_level`: only tiles whose input differs, which it puts into
// the mesh. Settings and bounds must be such that the tiles lie where they were, else it fails and changes nothing.
// `changed` gets how many tiles differ now; may be null.
enum WayfareStatus wayfare_mesh_bake_changed(struct WayfareMesh mesh,
                                             struct WayfareLevel level,
                                             const struct WayfareBakeSettings *settings,
                                             const struct WayfareContext *context,
                                             uint32_t *changed);

// Bakes the tiles under a box anew and puts them into the mesh. Settings and bounds must be such that the tiles lie where
// they were, else it fails and changes nothing. `changed` gets how many tiles differ now; may be null.
enum WayfareStatus wayfare_mesh_bake_box(struct WayfareMesh mesh,
                                         struct WayfareLevel level,
                                         const struct WayfareBakeSettings *settings,
                                         struct WayfareBox area,
                                         uint32_t *changed);

// Which points lie inside closed bodies of a level, where no agent can be: 1 or 0 for each.
enum WayfareStatus wayfare_level_inside_bodies(struct WayfareLevel level,
                                               const struct WayfareVec3 *points,
                                               size_t count,
                                               uint8_t *inside);

// Finds many paths over polygons and the lines through them, on `threads` threads: 0 for all cores.
enum WayfareStatus wayfare_query_straight_paths(struct WayfareQuery query,
                                                const struct WayfarePair *pairs,
                                                size_t count,
                                                uint32_t threads,
                                                struct WayfarePathBatch *batch);

// Finds many shortest paths.
enum WayfareStatus wayfare_query_optimal_paths(struct WayfareQuery query,
                                               const struct WayfarePair *pairs,
                                               size_t count,
                                               uint32_t threads,
                                               struct WayfarePathBatch *batch);

// Finds many paths that are guided by bounds.
enum WayfareStatus wayfare_query_bounded_paths(struct WayfareQuery query,
                                               struct WayfareCostBounds bounds,
                                               const struct WayfarePair *pairs,
                                               size_t count,
                                               uint32_t threads,
                                               struct WayfarePathBatch *batch);

// The paths of a batch, one for each pair. The points of path i follow those of the paths before it.
enum WayfareStatus wayfare_batch_paths(struct WayfarePathBatch batch,
                                       struct WayfarePath *paths,
                                       size_t capacity,
                                       size_t *count);

// The points of all paths of a batch.
enum WayfareStatus wayfare_batch_points(struct WayfarePathBatch batch,
                                        struct WayfareVec3 *points,
                                        size_t capacity,
                                        size_t *count);

// Frees a batch.
enum WayfareStatus wayfare_batch_free(struct WayfarePathBatch batch);

// The nearest places of many points; `nearest` has room for `count`.
enum WayfareStatus wayfare_query_nearest_many(struct WayfareQuery query,
                                              const struct WayfareVec3 *points,
                                              size_t count,
                                              uint32_t threads,
                                              struct WayfareNearest *nearest);

// Many rays; `rays` has room for `count`.
enum WayfareStatus wayfare_query_rays(struct WayfareQuery query,
                                      const struct WayfarePair *pairs,
                                      size_t count,
                                      uint32_t threads,
                                      struct WayfareRay *rays);

// Many moves; `ends` has room for `count`.
enum WayfareStatus wayfare_query_moves(struct WayfareQuery query,
                                       const struct WayfarePair *pairs,
                                       size_t count,
                                       uint32_t threads,
                                       struct WayfarePlace *ends);

// Many questions of reach; `answers` has room for `count`, each 1, 0 or −1.
enum WayfareStatus wayfare_query_reachable_many(struct WayfareQuery query,
                                                const struct WayfarePair *pairs,
                                                size_t count,
                                                uint32_t threads,
                                                int32_t *answers);

// The nearest walls of many places; `walls` has room for `count`.
enum WayfareStatus wayfare_query_nearest_walls(struct WayfareQuery query,
                                               const struct WayfarePlace *places,
                                               size_t count,
                                               float radius,
                                               uint32_t threads,
                                               struct WayfareNearestWall *walls);

// Begins a walk from a point to a box of blocks, with its path; id 0 if there is no block to stand on near it. It belongs
// to its navigation: another is an INVALID_ARGUMENT.
enum WayfareStatus wayfare_block_walk_new(struct WayfareBlockNav nav,
                                          struct WayfareBlocks blocks,
                                          struct WayfareVec3 at,
                                          struct WayfareBlockBox goal,
                                          struct WayfareBlockWalk *walk);

// The same without a search: it stays where it is until it follows a path (`wayfare_block_walk_ask`).
enum WayfareStatus wayfare_block_walk_without_path(struct WayfareBlockNav nav,
                                                   struct WayfareBlocks blocks,
                                                   struct WayfareVec3 at,
                                                   struct WayfareBlockBox goal,
                                                   struct WayfareBlockWalk *walk);

// Asks for a path if the walk needs one: because it has none, was pushed off it, or blocks along it have changed. `number` is
// that of the request, which is searched with the others (`wayfare_block_nav_update`); 0 if it needs none, or waits for one
// already. When `wayfare_block_nav_take` gives that number, call `wayfare_block_walk_follow`. Meanwhile it may move on
// along the old path. If the request was given up, or another path was found before its answer was followed, it asks anew.
enum WayfareStatus wayfare_block_walk_ask(struct WayfareBlockWalk walk,
                                          struct WayfareBlockNav nav,
                                          struct WayfareBlocks blocks,
                                          uint64_t *number);

// Follows the last path that was taken, which must be the answer to what the walk asked for. If it has moved on since, it
// joins the path at the nearest place that it can have come to.
enum WayfareStatus wayfare_block_walk_follow(struct WayfareBlockWalk walk,
                                             struct WayfareBlockNav nav);

// Walks to a point, as far as blocks allow, without a search. `target` is the point to go to next.
enum WayfareStatus wayfare_block_walk_move(struct WayfareBlockWalk walk,
                                           struct WayfareBlockNav nav,
                                           struct WayfareBlocks blocks,
                                           struct WayfareVec3 to,
                                           struct WayfareVec3 *now,
                                           struct WayfareVec3 *target,
                                           uint32_t *arrived);

// The same, and searches at once what has changed.
enum WayfareStatus wayfare_block_walk_step(struct WayfareBlockWalk walk,
                                           struct WayfareBlockNav nav,
                                           struct WayfareBlocks blocks,
                                           struct WayfareVec3 to,
                                           struct WayfareVec3 *now,
                                           struct WayfareVec3 *target,
                                           uint32_t *arrived);

// Frees a walk.
enum WayfareStatus wayfare_block_walk_free(struct WayfareBlockWalk walk);

// A world of air in chunks, which grows where blocks are set.
enum WayfareStatus wayfare_blocks_new(struct WayfareBlocks *blocks);

// A world of air within bounds, held as one array.
enum WayfareStatus wayfare_blocks_new_dense(struct WayfareBlockBox bounds, struct WayfareBlocks *blocks);

// A world of columns: below each height everything is solid. `width` heights in a row.
enum WayfareStatus wayfare_blocks_new_heights(uint32_t width,
                                              const int32_t *heights,
                                              size_t count,
                                              struct WayfareBlocks *blocks);

// A world whose blocks the caller is asked for, with air beyond its bounds if `bounded` is 1. `user` must outlive it. A
// world without bounds may have no end: the search for a goal that cannot be reached ends at `max_nodes` patches and nodes.
enum WayfareStatus wayfare_blocks_from_callback(WayfareBlockCallback callback,
                                                void *user,
                                                uint32_t bounded,
                                                struct WayfareBlockBox bounds,
                                                struct WayfareBlocks *blocks);

// Sets all blocks of a box. Paths know nothing of it before `wayfare_block_nav_invalidate`.
enum WayfareStatus wayfare_blocks_fill(struct WayfareBlocks blocks, struct WayfareBlockBox area, uint32_t kind);

// What a block is.
enum WayfareStatus wayfare_blocks_get(struct WayfareBlocks blocks, struct WayfareCell at, uint32_t *kind);

// Frees a world.
enum WayfareStatus wayfare_blocks_free(struct WayfareBlocks blocks);

// Fills settings with what is usual.
enum WayfareStatus wayfare_block_settings_default(struct WayfareBlockSettings *settings, size_t size);

// Nothing is built yet. `settings` may be null for what is usual.
enum WayfareStatus wayfare_block_nav_new(const struct WayfareBlockSettings *settings, struct WayfareBlockNav *nav);

// Frees it.
enum WayfareStatus wayfare_block_nav_free(struct WayfareBlockNav nav);

// What blocks of an area type cost, 0 or above; infinite closes them. 1 is water, 3 doors, 5 ladders, 63 all others.
enum WayfareStatus wayfare_block_nav_set_cost(struct WayfareBlockNav nav, uint32_t area, float cost);

// Says that blocks in a box have changed.
enum WayfareStatus wayfare_block_nav_invalidate(struct WayfareBlockNav nav, struct WayfareBlockBox area);

// Finds a path from a block to a box of blocks, for which one block will do. `max_nodes` 0: as usual.
enum WayfareStatus wayfare_block_nav_path(struct WayfareBlockNav nav,
                                          struct WayfareBlocks blocks,
                                          struct WayfareCell start,
                                          struct WayfareBlockBox goal,
                                          uint32_t max_nodes,
                                          struct WayfareBlockPath *path);

// The points of the last path.
enum WayfareStatus wayfare_block_nav_points(struct WayfareBlockNav nav,
                                            struct WayfareVec3 *points,
                                            size_t capacity,
                                            size_t *count);

// Whether the last path still holds after changes.
enum WayfareStatus wayfare_block_nav_is_current(struct WayfareBlockNav nav, uint32_t *current);

// Whether there is a path at all: 1, 0, or −1 if `max_nodes` was not enough. 0: as usual, 200,000; `UINT32_MAX` for no limit,
// which may go on for ever in a world without bounds.
enum WayfareStatus wayfare_block_nav_path_exists(struct WayfareBlockNav nav,
                                                 struct WayfareBlocks blocks,
                                                 struct WayfareCell start,
                                                 struct WayfareCell goal,
                                                 uint32_t max_nodes,
                                                 int32_t *answer);

// The block nearest to a point on which the agent can stand, `reach` blocks away at most; `found` is 0 if there is none.
// `reach` may be 256 at most.
enum WayfareStatus wayfare_block_nav_nearest(struct WayfareBlockNav nav,
                                             struct WayfareBlocks blocks,
                                             struct WayfareVec3 at,
                                             uint32_t reach,
                                             uint32_t *found,
                                             struct WayfareCell *nearest);

// A random block on which the agent can stand: in a box (`start` null), or reachable from a block within `radius`. A box may
// have 2^26 blocks of the world at most.
enum WayfareStatus wayfare_block_nav_random(struct WayfareBlockNav nav,
                                            struct WayfareBlocks blocks,
                                            struct WayfareBlockBox area,
                                            const struct WayfareCell *start,
                                            uint32_t radius,
                                            uint64_t *random,
                                            uint32_t *found,
                                            struct WayfareCell *drawn);

// Asks for a path that is searched in steps: `wayfare_block_nav_update`.
enum WayfareStatus wayfare_block_nav_ask(struct WayfareBlockNav nav,
                                         struct WayfareCell start,
                                         struct WayfareBlockBox goal,
                                         uint64_t *number);

// Searches on for all requests, for `budget` nodes.
enum WayfareStatus wayfare_block_nav_update(struct WayfareBlockNav nav, struct WayfareBlocks blocks, uint64_t budget);

// Takes an answer: `number` is that of its request, 0 if none is ready. It becomes the last path.
enum WayfareStatus wayfare_block_nav_take(struct WayfareBlockNav nav, uint64_t *number, struct WayfareBlockPath *path);

// Gives a request up.
enum WayfareStatus wayfare_block_nav_withdraw(struct WayfareBlockNav nav, uint64_t number);

// How many bytes there are.
enum WayfareStatus wayfare_bytes_size(struct WayfareBytes bytes, size_t *size);

// Copies the bytes.
enum WayfareStatus wayfare_bytes_copy(struct WayfareBytes bytes, uint8_t *out, size_t capacity, size_t *size);

// Frees bytes.
enum WayfareStatus wayfare_bytes_free(struct WayfareBytes bytes);

// Fills a context with what is usual: nobody hears of the work, one thread, no limits.
enum WayfareStatus wayfare_context_default(struct WayfareContext *context, size_t size);

// Makes something to cancel with.
enum WayfareStatus wayfare_cancel_new(struct WayfareCancel *cancel);

// Cancels all work that was given it; from any thread.
enum WayfareStatus wayfare_cancel_now(struct WayfareCancel cancel);

// Frees it.
enum WayfareStatus wayfare_cancel_free(struct WayfareCancel cancel);

// A corridor at a place of the query's mesh, which leads nowhere yet.
enum WayfareStatus wayfare_corridor_new(struct WayfareQuery query,
                                        struct WayfarePlace at,
                                        struct WayfareCorridor *corridor);

// Follows the last path of the query, which must begin where the corridor does.
enum WayfareStatus wayfare_corridor_follow(struct WayfareCorridor corridor, struct WayfareQuery query);

// Moves the start, as the agent walks; `to` where it can be, which `now` gets.
enum WayfareStatus wayfare_corridor_move_start(struct WayfareCorridor corridor,
                                               struct WayfareQuery query,
                                               struct WayfareVec3 to,
                                               struct WayfareVec3 *now);

// Moves the end, as the target moves.
enum WayfareStatus wayfare_corridor_move_end(struct WayfareCorridor corridor,
                                             struct WayfareQuery query,
                                             struct WayfareVec3 to,
                                             struct WayfareVec3 *now);

// The next corners, `limit` at most.
enum WayfareStatus wayfare_corridor_corners(struct WayfareCorridor corridor,
                                            size_t limit,
                                            struct WayfareCorner *corners,
                                            size_t capacity,
                                            size_t *count);

// The length of the whole way.
enum WayfareStatus wayfare_corridor_length(struct WayfareCorridor corridor, float *length);

// Its polygons.
enum WayfareStatus wayfare_corridor_polygons(struct WayfareCorridor corridor,
                                             uint64_t *polys,
                                             size_t capacity,
                                             size_t *count);

// Where it begins and ends; polygon 0 if it is lost.
enum WayfareStatus wayfare_corridor_ends(struct WayfareCorridor corridor,
                                         struct WayfarePlace *start,
                                         struct WayfarePlace *end);

// Shortens the corridor: to `next` if it can be seen within `range`, then by a small search of `nodes`. 0 leaves either
// out. `shortened` is 1 if it did; may be null.
enum WayfareStatus wayfare_corridor_shorten(struct WayfareCorridor corridor,
                                            struct WayfareQuery query,
                                            struct WayfareVec3 next,
                                            float range,
                                            uint32_t nodes,
                                            uint32_t *shortened);

// Checks the next `look_ahead` polygons of a corridor, and keeps what still holds. Its start may be moved by `reach`.
// `repair` gets a `WayfareRepair`.
enum WayfareStatus wayfare_corridor_repair(struct WayfareCorridor corridor,
                                           struct WayfareQuery query,
                                           uint32_t look_ahead,
                                           uint32_t *repair);

// Enters the connection that the corner `number` of the last asked ones is: the corridor goes on behind it. `entered` is 0
// if that corner is none.
enum WayfareStatus wayfare_corridor_enter_connection(struct WayfareCorridor corridor,
                                                     struct WayfareQuery query,
                                                     size_t number,
                                                     uint32_t *entered,
                                                     struct WayfareVec3 *from,
                                                     struct WayfareVec3 *to);

// Frees a corridor.
enum WayfareStatus wayfare_corridor_free(struct WayfareCorridor corridor);

// Computes bounds for a mesh as it is now, and a filter: the most common one, since bounds also serve others, but less the
// more their costs differ. Filter id 0: the mesh's own. It takes some hundred milliseconds for 30,000 polygons, and some
// 200 bytes a polygon.
//
// After any change of the mesh searches go on without them until new ones are made; that can be done on another thread, of
// a copy of the mesh.
enum WayfareStatus wayfare_cost_bounds_new(struct WayfareMesh mesh,
                                           struct WayfareFilter filter,
                                           struct WayfareCostBounds *bounds);

// Whether bounds hold for a mesh as it is now: `answer` is 1, or 0 if it has changed since.
enum WayfareStatus wayfare_cost_bounds_hold(struct WayfareCostBounds bounds, struct WayfareMesh mesh, uint32_t *answer);

// The reference points that bounds were computed from, for drawings.
enum WayfareStatus wayfare_cost_bounds_points(struct WayfareCostBounds bounds,
                                              struct WayfareVec3 *points,
                                              size_t capacity,
                                              size_t *count);

// Bytes that bounds take in memory.
enum WayfareStatus wayfare_cost_bounds_size(struct WayfareCostBounds bounds, uint64_t *bytes);

// Frees bounds; planners and searches keep theirs.
enum WayfareStatus wayfare_cost_bounds_free(struct WayfareCostBounds bounds);

// Fills settings with what is usual.
enum WayfareStatus wayfare_crowd_settings_default(struct WayfareCrowdSettings *settings, size_t size);

// A crowd without agents. `settings` may be null for what is usual.
enum WayfareStatus wayfare_crowd_new(const struct WayfareCrowdSettings *settings, struct WayfareCrowd *crowd);

// Changes the settings of a crowd.
enum WayfareStatus wayfare_crowd_set_settings(struct WayfareCrowd crowd, const struct WayfareCrowdSettings *settings);

// Frees a crowd.
enum WayfareStatus wayfare_crowd_free(struct WayfareCrowd crowd);

// Adds an agent on the mesh near a point. Its number is never given again.
enum WayfareStatus wayfare_crowd_add(struct WayfareCrowd crowd,
                                     struct WayfareMesh mesh,
                                     struct WayfareVec3 at,
                                     const struct WayfareAgentParams *params,
                                     uint64_t *agent);

// Removes an agent.
enum WayfareStatus wayfare_crowd_remove(struct WayfareCrowd crowd, uint64_t agent);

// The numbers of all agents, in the order of the arrays of `wayfare_crowd_positions`.
enum WayfareStatus wayfare_crowd_agents(struct WayfareCrowd crowd, uint64_t *agents, size_t capacity, size_t *count);

// The parameters of an agent.
enum WayfareStatus wayfare_crowd_params(struct WayfareCrowd crowd,
                                        uint64_t agent,
                                        struct WayfareAgentParams *params,
                                        size_t size);

// Changes the parameters of an agent.
enum WayfareStatus wayfare_crowd_set_params(struct WayfareCrowd crowd,
                                            uint64_t agent,
                                            const struct WayfareAgentParams *params);

// Sends an agent to a point, looked up on the mesh.
enum WayfareStatus wayfare_crowd_go_to(struct WayfareCrowd crowd,
                                       struct WayfareMesh mesh,
                                       uint64_t agent,
                                       struct WayfareVec3 to);

// Sets the target of an agent.
enum WayfareStatus wayfare_crowd_set_target(struct WayfareCrowd crowd,
                                            struct WayfareMesh mesh,
                                            uint64_t agent,
                                            const struct WayfareTarget *target);

// Puts an agent elsewhere at once.
enum WayfareStatus wayfare_crowd_teleport(struct WayfareCrowd crowd,
                                          struct WayfareMesh mesh,
                                          uint64_t agent,
                                          struct WayfareVec3 to);

// Says where an agent is that the game moves.
enum WayfareStatus wayfare_crowd_set_position(struct WayfareCrowd crowd, uint64_t agent, struct WayfareVec3 at);

// Pushes an agent: it has this velocity now.
enum WayfareStatus wayfare_crowd_set_velocity(struct WayfareCrowd crowd, uint64_t agent, struct WayfareVec3 velocity);

// Pauses an agent, or lets it go on.
enum WayfareStatus wayfare_crowd_pause(struct WayfareCrowd crowd, uint64_t agent, uint32_t paused);

// How far the game has taken an agent over a connection, 0 to 1.
enum WayfareStatus wayfare_crowd_set_connection_progress(struct WayfareCrowd crowd, uint64_t agent, float progress);

// A filter for agents, besides number 0, which is the mesh's own; `number` is what `WayfareAgentParams.filter` takes.
enum WayfareStatus wayfare_crowd_add_filter(struct WayfareCrowd crowd, struct WayfareFilter filter, uint32_t *number);

// Changes one of the crowd's filters: what passes, or with `costs_only` 1 only what it costs.
enum WayfareStatus wayfare_crowd_set_filter(struct WayfareCrowd crowd,
                                            uint32_t number,
                                            struct WayfareFilter filter,
                                            uint32_t costs_only);

// Lets `dt` seconds pass for all agents. Planner id 0: A*. The same ticks give the same positions, to the bit, whatever
// the number of threads. A tick is short: if the context is cancelled already, it does not begin; after that neither
// `cancel` nor `progress` nor `log` count.
enum WayfareStatus wayfare_crowd_step(struct WayfareCrowd crowd,
                                      struct WayfareMesh mesh,
                                      float dt,
                                      struct WayfarePlanner planner,
                                      const struct WayfareContext *context);

// Begins a tick that is done phase by phase: then `wayfare_crowd_phase` for 0 to 9, then `wayfare_crowd_end`.
enum WayfareStatus wayfare_crowd_begin(struct WayfareCrowd crowd, float dt);

// One phase of a tick: 0 validate, 1 plan, 2 neighbours, 3 corners, 4 connections, 5 steer, 6 avoid, 7 integrate, 8
// resolve, 9 constrain. Between them the game may write velocities: `wayfare_crowd_write`. Of the context, which may be
// null, only `threads` and `measure_times` count.
enum WayfareStatus wayfare_crowd_phase(struct WayfareCrowd crowd,
                                       uint32_t phase,
                                       struct WayfareMesh mesh,
                                       float dt,
                                       struct WayfarePlanner planner,
                                       const struct WayfareContext *context);

// Ends a tick that was done phase by phase.
enum WayfareStatus wayfare_crowd_end(struct WayfareCrowd crowd);

// How an agent is.
enum WayfareStatus wayfare_crowd_agent(struct WayfareCrowd crowd, uint64_t agent, struct WayfareAgent *state);

// The positions of all agents, in the order of `wayfare_crowd_agents`.
enum WayfareStatus wayfare_crowd_positions(struct WayfareCrowd crowd,
                                           struct WayfareVec3 *positions,
                                           size_t capacity,
                                           size_t *count);

// The velocities of all agents.
enum WayfareStatus wayfare_crowd_velocities(struct WayfareCrowd crowd,
                                            struct WayfareVec3 *velocities,
                                            size_t capacity,
                                            size_t *count);

// Writes a vector of one agent between two phases: a `WayfareVelocityArray` says which.
enum WayfareStatus wayfare_crowd_write(struct WayfareCrowd crowd,
                                       uint32_t array,
                                       uint64_t agent,
                                       struct WayfareVec3 value);

// What happened in the last tick.
enum WayfareStatus wayfare_crowd_events(struct WayfareCrowd crowd,
                                        struct WayfareEvent *events,
                                        size_t capacity,
                                        size_t *count);

// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones: crates,
// parked cars, doors ajar. Call it again whenever one has moved; with none, they are gone.
//
// An agent whose line to its next corner is blocked finds a local path around them, within 22 times its radius. If there
// is none, it goes as near as it can, and `wayfare_crowd_obstructed_by` lists what is in its way. For obstacles that stay,
// change the mesh: global paths then take them into account. A crowd's save does not contain them.
enum WayfareStatus wayfare_crowd_set_obstacles(struct WayfareCrowd crowd,
                                               const struct WayfareGridObstacle *obstacles,
                                               size_t count);

// The numbers of the obstacles on an agent's line to its next corner, nearest first, if no local path led around them in
// the last tick; else none.
enum WayfareStatus wayfare_crowd_obstructed_by(struct WayfareCrowd crowd,
                                               uint64_t agent,
                                               uint32_t *ids,
                                               size_t capacity,
                                               size_t *count);

// Where an agent steers instead of its next corner, to get around obstacles: `found` is 0, and nothing else is written, if
// the line to its corner is free.
enum WayfareStatus wayfare_crowd_local_bend(struct WayfareCrowd crowd,
                                            uint64_t agent,
                                            uint32_t *found,
                                            struct WayfareVec3 *bend);

// The next corners of an agent.
enum WayfareStatus wayfare_crowd_corners(struct WayfareCrowd crowd,
                                         uint64_t agent,
                                         struct WayfareCorner *corners,
                                         size_t capacity,
                                         size_t *count);

// The polygons of an agent's corridor.
enum WayfareStatus wayfare_crowd_corridor(struct WayfareCrowd crowd,
                                          uint64_t agent,
                                          uint64_t *polys,
                                          size_t capacity,
                                          size_t *count);

// The neighbours that an agent saw in the last tick; 0 for those that were removed since.
enum WayfareStatus wayfare_crowd_neighbours(struct WayfareCrowd crowd,
                                            uint64_t agent,
                                            uint64_t *agents,
                                            size_t capacity,
                                            size_t *count);

// Times and counts of the last tick.
enum WayfareStatus wayfare_crowd_profile(struct WayfareCrowd crowd, struct WayfareCrowdProfile *profile);

// Saves a crowd: agents, paths, jumps, random state. The mesh is saved by itself. Planner id 0: A*.
enum WayfareStatus wayfare_crowd_save(struct WayfareCrowd crowd,
                                      struct WayfareMesh mesh,
                                      struct WayfarePlanner planner,
                                      struct WayfareBytes *bytes);

// Loads a crowd onto the mesh that it was saved on. `filters` are those that were added to it, in their order. Its
// agents keep their numbers.
enum WayfareStatus wayfare_crowd_load(const uint8_t *bytes,
                                      size_t count,
                                      struct WayfareMesh mesh,
                                      const struct WayfareFilter *filters,
                                      size_t filter_count,
                                      struct WayfareCrowd *crowd);

// A formation of agents of a crowd. `slots` are places behind the leader, x to its right and z ahead, one for each
// member.
enum WayfareStatus wayfare_formation_new(struct WayfareCrowd crowd,
                                         uint64_t leader,
                                         const struct WayfareVec2 *slots,
                                         const uint64_t *members,
                                         size_t count,
                                         struct WayfareFormation *formation);

// The slots of a block (`wedge` 0, with `columns`) or of a wedge: `count` of them.
enum WayfareStatus wayfare_formation_slots(size_t count,
                                           size_t columns,
                                           float spacing,
                                           uint32_t wedge,
                                           struct WayfareVec2 *slots);

// Sends the members of a formation to their places behind the leader: once a tick, before the step.
enum WayfareStatus wayfare_formation_lead(struct WayfareFormation formation,
                                          struct WayfareCrowd crowd,
                                          struct WayfareMesh mesh);

// Saves a formation, for the crowd that is saved with it.
enum WayfareStatus wayfare_formation_save(struct WayfareFormation formation, struct WayfareBytes *bytes);

// Loads it.
enum WayfareStatus wayfare_formation_load(const uint8_t *bytes, size_t count, struct WayfareFormation *formation);

// Frees a formation; its agents stay.
enum WayfareStatus wayfare_formation_free(struct WayfareFormation formation);

// Fills the parameters of an agent of a size: distances grow with the radius.
enum WayfareStatus wayfare_agent_params_of_size(float radius,
                                                float height,
                                                struct WayfareAgentParams *params,
                                                size_t size);

// Fills the parameters of the pedestrian number `number` that a seed draws: speeds differ as those of people do.
enum WayfareStatus wayfare_agent_params_pedestrian(uint64_t seed,
                                                   uint32_t number,
                                                   struct WayfareAgentParams *params,
                                                   size_t size);

// No shapes.
enum WayfareStatus wayfare_shapes_new(struct WayfareShapes *shapes);

// Adds a mesh.
enum WayfareStatus wayfare_shapes_add_mesh(struct WayfareShapes shapes, struct WayfareMesh mesh);

// Adds a path, in a colour of its own.
enum WayfareStatus wayfare_shapes_add_path(struct WayfareShapes shapes, const struct WayfareVec3 *path, size_t count);

// Adds the cells of an overlay.
enum WayfareStatus wayfare_shapes_add_overlay(struct WayfareShapes shapes, struct WayfareOverlay overlay);

// All shapes, in the order in which they were added.
enum WayfareStatus wayfare_shapes_list(struct WayfareShapes shapes,
                                       struct WayfareDrawn *list,
                                       size_t capacity,
                                       size_t *count);

// The text of a label, by its index in the list of shapes; of other shapes an empty one.
enum WayfareStatus wayfare_shapes_label(struct WayfareShapes shapes,
                                        size_t shape,
                                        char *out,
                                        size_t capacity,
                                        size_t *length);

// The points of all shapes, one shape after the other.
enum WayfareStatus wayfare_shapes_points(struct WayfareShapes shapes,
                                         struct WayfareVec3 *points,
                                         size_t capacity,
                                         size_t *count);

// A picture of the shapes from above: `size` pixels along the longer side; as SVG, or with `png` 1 as PNG.
enum WayfareStatus wayfare_shapes_picture(struct WayfareShapes shapes,
                                          uint32_t size,
                                          uint32_t png,
                                          struct WayfareBytes *bytes);

// Frees shapes.
enum WayfareStatus wayfare_shapes_free(struct WayfareShapes shapes);

// Bakes the checkpoints of a level: with the settings of its mesh, which must have tiles.
enum WayfareStatus wayfare_checkpoints_bake(struct WayfareLevel level,
                                            const struct WayfareBakeSettings *settings,
                                            const struct WayfareContext *context,
                                            struct WayfareCheckpoints *checkpoints);

// Saves checkpoints.
enum WayfareStatus wayfare_checkpoints_save(struct WayfareCheckpoints checkpoints, struct WayfareBytes *bytes);

// Loads checkpoints.
enum WayfareStatus wayfare_checkpoints_load(const uint8_t *bytes, size_t count, struct WayfareCheckpoints *checkpoints);

// Frees checkpoints.
enum WayfareStatus wayfare_checkpoints_free(struct WayfareCheckpoints checkpoints);

// Obstacles over checkpoints, of which they take a copy.
enum WayfareStatus wayfare_obstacles_new(struct WayfareCheckpoints checkpoints, struct WayfareObstacles *obstacles);

// Adds an obstacle. Nothing changes before `wayfare_obstacles_step`. `tiles` is how many tiles it touches; may be null.
enum WayfareStatus wayfare_obstacles_add(struct WayfareObstacles obstacles,
                                         const struct WayfareVolume *volume,
                                         uint64_t *obstacle,
                                         size_t *tiles);

// Moves an obstacle to a point.
enum WayfareStatus wayfare_obstacles_move(struct WayfareObstacles obstacles,
                                          uint64_t obstacle,
                                          struct WayfareVec3 to,
                                          size_t *tiles);

// Puts another volume in the place of an obstacle; its number stays.
enum WayfareStatus wayfare_obstacles_replace(struct WayfareObstacles obstacles,
                                             uint64_t obstacle,
                                             const struct WayfareVolume *volume,
                                             size_t *tiles);

// Removes an obstacle.
enum WayfareStatus wayfare_obstacles_remove(struct WayfareObstacles obstacles, uint64_t obstacle, size_t *tiles);

// Removes all obstacles. `tiles` is how many tiles that touches; may be null.
enum WayfareStatus wayfare_obstacles_clear(struct WayfareObstacles obstacles, size_t *tiles);

// Says that the geometry in a box has changed: its tiles are built anew from an object level.
enum WayfareStatus wayfare_obstacles_invalidate(struct WayfareObstacles obstacles,
                                                struct WayfareBox area,
                                                size_t *tiles);

// The numbers of all obstacles.
enum WayfareStatus wayfare_obstacles_list(struct WayfareObstacles obstacles,
                                          uint64_t *list,
                                          size_t capacity,
                                          size_t *count);

// Rebuilds tiles of the mesh for `budget` units of work; 0 for as many as it takes. It is finished once `done` equals
// `total`; both may be null. `objects` gives the geometry of tiles that were invalidated; id 0 for none.
enum WayfareStatus wayfare_obstacles_step(struct WayfareObstacles obstacles,
                                          struct WayfareMesh mesh,
                                          struct WayfareObjects objects,
                                          uint64_t budget,
                                          const struct WayfareContext *context,
                                          uint64_t *done,
                                          uint64_t *total);

// The tiles that the last step rebuilt.
enum WayfareStatus wayfare_obstacles_rebuilt(struct WayfareObstacles obstacles,
                                             struct WayfareRebuiltTile *tiles,
                                             size_t capacity,
                                             size_t *count);

// The tiles that will change: what was asked for and not built yet. None if all is built.
enum WayfareStatus wayfare_obstacles_pending(struct WayfareObstacles obstacles,
                                             struct WayfareTileCoord *tiles,
                                             size_t capacity,
                                             size_t *count);

// Saves obstacles, without their checkpoints.
enum WayfareStatus wayfare_obstacles_save(struct WayfareObstacles obstacles, struct WayfareBytes *bytes);

// Loads obstacles over the checkpoints that they stood on. They keep their numbers.
enum WayfareStatus wayfare_obstacles_load(struct WayfareCheckpoints checkpoints,
                                          const uint8_t *bytes,
                                          size_t count,
                                          struct WayfareObstacles *obstacles);

// A copy of their checkpoints as they are now, to be saved with them: tiles whose geometry was invalidated have others
// than at first.
enum WayfareStatus wayfare_obstacles_checkpoints(struct WayfareObstacles obstacles,
                                                 struct WayfareCheckpoints *checkpoints);

// Frees obstacles; the mesh stays as it is.
enum WayfareStatus wayfare_obstacles_free(struct WayfareObstacles obstacles);

// A level of which triangles and height map are fixed, to put objects into. The settings are those of its bake, with bounds.
// Its volumes are those of the checkpoints. Levels of objects may have neither volumes nor a height map.
enum WayfareStatus wayfare_objects_new(struct WayfareLevel fixed,
                                       const struct WayfareBakeSettings *settings,
                                       struct WayfareObjects *objects);

// Places an object: the triangles of a level. `area` gets the box that has changed, for `wayfare_obstacles_invalidate`.
enum WayfareStatus wayfare_objects_add(struct WayfareObjects objects,
                                       struct WayfareLevel shape,
                                       struct WayfareVec3 at,
                                       uint64_t *object,
                                       struct WayfareBox *area);

// Moves an object. `areas` gets two boxes: where it was, and where it is.
enum WayfareStatus wayfare_objects_move(struct WayfareObjects objects,
                                        uint64_t object,
                                        struct WayfareVec3 to,
                                        struct WayfareBox *areas);

// Removes an object. `area` gets the box that has changed.
enum WayfareStatus wayfare_objects_remove(struct WayfareObjects objects, uint64_t object, struct WayfareBox *area);

// Frees an object level.
enum WayfareStatus wayfare_objects_free(struct WayfareObjects objects);

// A filter with the costs of a mesh (all 1 if `mesh` is null, with id 0), and flags of which a polygon must have one and
// must have none. 0xFFFF and 0 let everything pass that has any flag.
enum WayfareStatus wayfare_filter_new(struct WayfareMesh mesh,
                                      uint32_t include,
                                      uint32_t exclude,
                                      struct WayfareFilter *filter);

// Sets what a metre over an area type costs: 0 or above; infinite closes it. Of plain filters only.
enum WayfareStatus wayfare_filter_set_area_cost(struct WayfareFilter filter, uint32_t area, float cost);

// Fills callbacks with what is usual: everything with a flag, at its length.
enum WayfareStatus wayfare_filter_callbacks_default(struct WayfareFilterCallbacks *callbacks, size_t size);

// A filter of the caller's own. What `user` leads to must outlive the filter and every query, crowd, search, cost map,
// queue, planner and filter that took it: `release` says when that is.
enum WayfareStatus wayfare_filter_from_callbacks(const struct WayfareFilterCallbacks *callbacks,
                                                 struct WayfareFilter *filter);

// A filter on which slopes that rise more than `max_rise` are walked down only; where `flags` is not 0, only on
// polygons with any of them.
enum WayfareStatus wayfare_filter_downhill(struct WayfareFilter inner,
                                           float max_rise,
                                           uint32_t flags,
                                           struct WayfareFilter *filter);

// A filter with the costs of an overlay on top, as it is now, times `weight`.
enum WayfareStatus wayfare_filter_with_overlay(struct WayfareFilter inner,
                                               struct WayfareOverlay overlay,
                                               float weight,
                                               struct WayfareFilter *filter);

// Frees a filter; all that took it keep theirs.
enum WayfareStatus wayfare_filter_free(struct WayfareFilter filter);

// The reference of a polygon as text, such as `s1:t0:p5`.
enum WayfareStatus wayfare_poly_to_text(uint64_t poly, char *out, size_t capacity, size_t *size);

// The reference of a polygon from its text.
enum WayfareStatus wayfare_poly_from_text(const char *from, uint64_t *poly);

// The reference of a tile as text, such as `s1:t0`.
enum WayfareStatus wayfare_tile_to_text(uint64_t tile, char *out, size_t capacity, size_t *size);

// The reference of a tile from its text.
enum WayfareStatus wayfare_tile_from_text(const char *from, uint64_t *tile);

// Turns points of another engine into this library's, in their place.
enum WayfareStatus wayfare_frame_points_in(struct WayfareFrame frame, struct WayfareVec3 *points, size_t count);

// Turns points of this library into another engine's, in their place.
enum WayfareStatus wayfare_frame_points_out(struct WayfareFrame frame, struct WayfareVec3 *points, size_t count);

// The corners of the convex hull of points on the plane, as indices, counter-clockwise seen from above with z down.
enum WayfareStatus wayfare_convex_hull(const struct WayfareVec2 *points,
                                       size_t count,
                                       uint32_t *corners,
                                       size_t capacity,
                                       size_t *corner_count);

// The triangles of the convex hull of points in space, as indices, three for each. Points that all lie in a plane give
// the outline's fan; fewer than three corners give nothing.
enum WayfareStatus wayfare_convex_hull3(const struct WayfareVec3 *points,
                                        size_t count,
                                        uint32_t *indices,
                                        size_t capacity,
                                        size_t *index_count);

// A grid of `size` cells to each side, 64 at most.
enum WayfareStatus wayfare_grid_new(uint32_t size, float cell_size, struct WayfareGrid *grid);

// Moves a grid: it is empty then.
enum WayfareStatus wayfare_grid_recenter(struct WayfareGrid grid, struct WayfareVec3 center);

// Empties a grid.
enum WayfareStatus wayfare_grid_clear(struct WayfareGrid grid);

// Blocks the cells where an agent of this radius would touch an obstacle.
enum WayfareStatus wayfare_grid_block(struct WayfareGrid grid,
                                      const struct WayfareGridObstacle *obstacles,
                                      size_t count,
                                      float radius);

// Blocks the cell in column `x`, row `z`, or frees it (`blocked` 0): for grids that come from sensors. What is occupied must
// be grown by the agent's radius, if paths are to keep that distance.
enum WayfareStatus wayfare_grid_set_blocked(struct WayfareGrid grid,
                                            uint32_t x,
                                            uint32_t z,
                                            uint32_t blocked);

// Whether a cell is blocked.
enum WayfareStatus wayfare_grid_is_blocked(struct WayfareGrid grid, uint32_t x, uint32_t z, uint32_t *blocked);

// A path over free cells. `status` as that of paths.
enum WayfareStatus wayfare_grid_path(struct WayfareGrid grid,
                                     struct WayfareVec3 from,
                                     struct WayfareVec3 to,
                                     uint32_t *status,
                                     struct WayfareVec3 *points,
                                     size_t capacity,
                                     size_t *count);

// Frees a grid.
enum WayfareStatus wayfare_grid_free(struct WayfareGrid grid);

// The numbers of the obstacles that stand in the way between two points: what must be moved or walked around.
enum WayfareStatus wayfare_grid_blockers(const struct WayfareGridObstacle *obstacles,
                                         size_t obstacle_count,
                                         struct WayfareVec3 from,
                                         struct WayfareVec3 to,
                                         float radius,
                                         uint32_t *ids,
                                         size_t capacity,
                                         size_t *count);

// The abstract graph of a mesh as it is now.
enum WayfareStatus wayfare_hierarchy_new(struct WayfareMesh mesh, struct WayfareHierarchy *hierarchy);

// Follows a mesh that has changed: only the tiles that did are looked at, of which `changed` is the number; may be null.
enum WayfareStatus wayfare_hierarchy_update(struct WayfareHierarchy hierarchy,
                                            struct WayfareMesh mesh,
                                            uint32_t *changed);

// How large it is.
enum WayfareStatus wayfare_hierarchy_size(struct WayfareHierarchy hierarchy, struct WayfareGraphSize *size);

// Finds a path by the hierarchy, with the filter, reach and limits of a query of the same mesh. Its points:
// `wayfare_hierarchy_points`.
enum WayfareStatus wayfare_hierarchy_path(struct WayfareHierarchy hierarchy,
                                          struct WayfareQuery query,
                                          struct WayfarePlace from,
                                          struct WayfarePlace to,
                                          struct WayfarePath *path);

// The points of its last path.
enum WayfareStatus wayfare_hierarchy_points(struct WayfareHierarchy hierarchy,
                                            struct WayfarePathPoint *points,
                                            size_t capacity,
                                            size_t *count);

// Frees it.
enum WayfareStatus wayfare_hierarchy_free(struct WayfareHierarchy hierarchy);

// Cuts a mesh for agents that are wider by `radius` than those it was baked for. Filter id 0: the mesh's own.
enum WayfareStatus wayfare_clearance_new(struct WayfareMesh mesh,
                                         float radius,
                                         struct WayfareFilter filter,
                                         struct WayfareClearance *clearance);

// Follows the mesh after it has changed; `changed` is how many tiles were cut anew, and may be null.
enum WayfareStatus wayfare_clearance_follow(struct WayfareClearance clearance,
                                            struct WayfareMesh mesh,
                                            struct WayfareFilter filter,
                                            uint32_t *changed);

// The mesh that was cut, as it is now: a copy, for queries and crowds.
enum WayfareStatus wayfare_clearance_mesh(struct WayfareClearance clearance, struct WayfareMesh *mesh);

// The polygon of the first mesh of which a polygon is a piece; 0 if it is gone.
enum WayfareStatus wayfare_clearance_base_poly(struct WayfareClearance clearance, uint64_t poly, uint64_t *base);

// Frees it.
enum WayfareStatus wayfare_clearance_free(struct WayfareClearance clearance);

// Makes an empty level.
enum WayfareStatus wayfare_level_new(struct WayfareLevel *level);

// Frees a level. What was baked from it stays.
enum WayfareStatus wayfare_level_free(struct WayfareLevel level);

// Adds triangles. Those that are degenerate or have corners that are not finite are left out, and counted: see
// `wayfare_level_report`.
enum WayfareStatus wayfare_level_add_triangles(struct WayfareLevel level, const struct WayfareTriangles *triangles);

// Adds triangles that are given in another engine's axes and unit.
enum WayfareStatus wayfare_level_add_triangles_in(struct WayfareLevel level,
                                                  struct WayfareFrame frame,
                                                  const struct WayfareTriangles *triangles);

// Turns all triangles that were added so far, such as those of a file, from another engine's axes and unit. Only triangles
// can be turned: a level that has volumes, a height map, or connections of its file is refused, since those would stay
// where they are. Triangles that one has are turned as they are added: `wayfare_level_add_triangles_in`.
enum WayfareStatus wayfare_level_in_frame(struct WayfareLevel level,
                                          struct WayfareFrame frame);

// Gives the level terrain from a height map; it replaces the one before.
enum WayfareStatus wayfare_level_set_heights(struct WayfareLevel level, const struct WayfareHeights *heights);

// Adds a volume. Volumes are marked in the order in which they are added.
enum WayfareStatus wayfare_level_add_volume(struct WayfareLevel level, const struct WayfareVolume *volume);

// Takes all volumes away.
enum WayfareStatus wayfare_level_clear_volumes(struct WayfareLevel level);

// What the level holds, and what was left out of it.
enum WayfareStatus wayfare_level_report(struct WayfareLevel level, struct WayfareLevelReport *report);

// Reads a level of another tool from the bytes of its file. `name` says by its ending what it is: `.obj`, `.gltf`,
// `.glb`, `.stl`, `.ply`, `.png` (heights), `.gset`. Files that it names (buffers, heights) are looked for in `folder`,
// which may be null: then there are none.
enum WayfareStatus wayfare_level_from_file(const char *name,
                                           const uint8_t *bytes,
                                           size_t byte_count,
                                           const char *folder,
                                           struct WayfareLevel *level);

// The off-mesh connections that a file of a level holds: to be added to the mesh by `wayfare_mesh_add_connection`.
enum WayfareStatus wayfare_level_connections(struct WayfareLevel level,
                                             struct WayfareConnection *connections,
                                             size_t capacity,
                                             size_t *count);

// A live level of which nothing is baked yet: its first steps bake the tiles under its triangles and its height map. A
// change bakes the tiles that it touches: give the settings a `tile_size`, or all is one tile. What is added later counts
// inside their bounds, by default those of the level. The level's volumes stay as they are: those that come and go are
// obstacles. `links` are the rules of drops, jumps and climbs that are found and kept up; null for none.
enum WayfareStatus wayfare_live_level_new(struct WayfareLevel level,
                                          const struct WayfareBakeSettings *settings,
                                          const struct WayfareLinkSettings *links,
                                          struct WayfareLiveLevel *live);

// A live level of a mesh that was baked before, of which it takes a copy; so it does of `obstacles`, which its tiles are
// built anew from: id 0 for none, and then only connections, areas and flags can change. `level` is what the mesh was baked
// from, for objects and links: id 0 for neither. Its volumes are those of the obstacles' checkpoints. The connections of
// `links` that the mesh has already are taken over if they are found again; `wayfare_live_level_load` also knows those that
// were to be removed.
enum WayfareStatus wayfare_live_level_stored(struct WayfareMesh mesh,
                                             struct WayfareObstacles obstacles,
                                             struct WayfareLevel level,
                                             const struct WayfareLinkSettings *links,
                                             struct WayfareLiveLevel *live);

// Saves a live level as a file of this library: its mesh, its obstacles, what tiles are built anew from, and which
// connections are automatic links. `wayfare_mesh_load` and the program read it, too. Objects are not saved.
enum WayfareStatus wayfare_live_level_save(struct WayfareLiveLevel live, struct WayfareBytes *bytes);

// Loads a live level from what `wayfare_live_level_save` or `wayfare bake --layers` gave. `level` is what it was baked from,
// for objects and links: id 0 for neither. Obstacles keep their numbers; objects are to be added again where they stood,
// and what was left to do when it was saved is done by the next steps.
enum WayfareStatus wayfare_live_level_load(const uint8_t *bytes,
                                           size_t count,
                                           struct WayfareLevel level,
                                           const struct WayfareLinkSettings *links,
                                           struct WayfareLiveLevel *live);

// A copy of the mesh as far as it has followed: a few pointers.
enum WayfareStatus wayfare_live_level_mesh(struct WayfareLiveLevel live, struct WayfareMesh *mesh);

// Goes on with an edited copy of its mesh: for connections, areas, flags and rules. Tiles that are put in or taken out
// by hand come back as they were when they are built anew. A copy from before the last change of the mesh is OUTDATED, and
// changes nothing.
enum WayfareStatus wayfare_live_level_set_mesh(struct WayfareLiveLevel live,
                                               struct WayfareMesh mesh);

// The numbers of its obstacles; none for a mesh without.
enum WayfareStatus wayfare_live_level_list_obstacles(struct WayfareLiveLevel live,
                                                     uint64_t *list,
                                                     size_t capacity,
                                                     size_t *count);

// A copy of its obstacles, to be saved with their checkpoints (`wayfare_obstacles_checkpoints`); id 0 for a mesh
// without.
enum WayfareStatus wayfare_live_level_obstacles(struct WayfareLiveLevel live, struct WayfareObstacles *obstacles);

// The automatic links that are in the mesh, by number.
enum WayfareStatus wayfare_live_level_links(struct WayfareLiveLevel live,
                                            struct WayfareLink *links,
                                            size_t capacity,
                                            size_t *count);

// Adds an obstacle, or paints an area.
enum WayfareStatus wayfare_live_level_add_obstacle(struct WayfareLiveLevel live,
                                                   const struct WayfareVolume *volume,
                                                   uint64_t *obstacle);

// Moves an obstacle by so much.
enum WayfareStatus wayfare_live_level_move_obstacle_by(struct WayfareLiveLevel live,
                                                       uint64_t obstacle,
                                                       struct WayfareVec3 by);

// Puts another volume in the place of an obstacle; its number stays.
enum WayfareStatus wayfare_live_level_replace_obstacle(struct WayfareLiveLevel live,
                                                       uint64_t obstacle,
                                                       const struct WayfareVolume *volume);

// Removes an obstacle.
enum WayfareStatus wayfare_live_level_remove_obstacle(struct WayfareLiveLevel live, uint64_t obstacle);

// Places an object, the triangles of a level, moved by `at`: it can be walked on, and is in the way.
enum WayfareStatus wayfare_live_level_add_object(struct WayfareLiveLevel live,
                                                 struct WayfareLevel shape,
                                                 struct WayfareVec3 at,
                                                 uint64_t *object);

// Moves an object: its triangles are now moved by `to`.
enum WayfareStatus wayfare_live_level_move_object(struct WayfareLiveLevel live, uint64_t object, struct WayfareVec3 to);

// Removes an object.
enum WayfareStatus wayfare_live_level_remove_object(struct WayfareLiveLevel live, uint64_t object);

// Puts the triangles of another level in the place of those that are not objects: only tiles under triangles that came
// or went are baked anew.
enum WayfareStatus wayfare_live_level_replace_triangles(struct WayfareLiveLevel live, struct WayfareLevel level);

// Puts the height map of another level in the place of the one that was there; one without takes it away. If both have
// their points in the same places, only tiles under points whose height is another are baked anew: dig by giving the same
// map with other samples. Triangles and volumes of the level are not looked at.
enum WayfareStatus wayfare_live_level_replace_terrain(struct WayfareLiveLevel live,
                                                      struct WayfareLevel level);

// Says in its mesh which tiles will be built anew, so that those who walk on them learn of it before. Call it after changes.
enum WayfareStatus wayfare_live_level_announce(struct WayfareLiveLevel live);

// Follows the changes for `budget` units of work, 0 for as many as it takes: rebuilds tiles, and when all are there,
// searches links. After an error later steps go on with the rest. `progress` may be null.
enum WayfareStatus wayfare_live_level_step(struct WayfareLiveLevel live,
                                           uint64_t budget,
                                           const struct WayfareContext *context,
                                           struct WayfareLiveProgress *progress);

// How far it has followed.
enum WayfareStatus wayfare_live_level_progress(struct WayfareLiveLevel live, struct WayfareLiveProgress *progress);

// The tiles that the last step rebuilt.
enum WayfareStatus wayfare_live_level_rebuilt(struct WayfareLiveLevel live,
                                              struct WayfareRebuiltTile *tiles,
                                              size_t capacity,
                                              size_t *count);

// Frees a live level; copies of its mesh stay.
enum WayfareStatus wayfare_live_level_free(struct WayfareLiveLevel live);

// A copy, which shares all that does not change.
enum WayfareStatus wayfare_mesh_copy(struct WayfareMesh mesh, struct WayfareMesh *copy);

// Frees a mesh. Queries, crowds and copies go on with theirs.
enum WayfareStatus wayfare_mesh_free(struct WayfareMesh mesh);

// Saves a mesh in this library's format.
enum WayfareStatus wayfare_mesh_save(struct WayfareMesh mesh, struct WayfareBytes *bytes);

// Loads a mesh that was saved. Any bytes may be given: what is damaged is BAD_DATA.
enum WayfareStatus wayfare_mesh_load(const uint8_t *bytes, size_t count, struct WayfareMesh *mesh);

// Loads a mesh from a file of any kind that is known: this library's, Detour's, Polyanya's (`.mesh`), MovingAI's
// (`.map`). Its bytes say which it is.
enum WayfareStatus wayfare_mesh_from_file(const uint8_t *bytes, size_t count, struct WayfareMesh *mesh);

// Loads a mesh of Detour: the file that its demo writes, with references of 32 or 64 bits.
enum WayfareStatus wayfare_mesh_from_detour(const uint8_t *bytes, size_t count, struct WayfareMesh *mesh);

// Saves a mesh as Detour reads it, with references of 32 or 64 `bits`.
enum WayfareStatus wayfare_mesh_to_detour(struct WayfareMesh mesh, uint32_t bits, struct WayfareBytes *bytes);

// The surface as an OBJ file.
enum WayfareStatus wayfare_mesh_to_obj(struct WayfareMesh mesh, struct WayfareBytes *bytes);

// A text that names the content: meshes of the same content have the same digest, on every machine.
enum WayfareStatus wayfare_mesh_digest(struct WayfareMesh mesh, char *out, size_t capacity, size_t *length);

// Counts, bounds and memory of a mesh.
enum WayfareStatus wayfare_mesh_size(struct WayfareMesh mesh, struct WayfareMeshSize *size);

// Gives a mesh a number of the user, which is saved with it.
enum WayfareStatus wayfare_mesh_set_user_id(struct WayfareMesh mesh, uint64_t user_id);

// Checks a whole mesh. `violations` is what it found, none for a sound one; `wayfare_mesh_check_text` says it in words.
enum WayfareStatus wayfare_mesh_check(struct WayfareMesh mesh,
                                      struct WayfareViolation *violations,
                                      size_t capacity,
                                      size_t *count);

// What a check found in words, a line for each fault.
enum WayfareStatus wayfare_mesh_check_text(struct WayfareMesh mesh, char *out, size_t capacity, size_t *length);

// Names an area type and says what a metre of it costs: the filters of queries that come without one use it.
enum WayfareStatus wayfare_mesh_set_area(struct WayfareMesh mesh, uint32_t area, const char *name, float cost);

// The name and cost of an area type: an empty name and 1 where nobody said.
enum WayfareStatus wayfare_mesh_area(struct WayfareMesh mesh,
                                     uint32_t area,
                                     float *cost,
                                     char *name,
                                     size_t capacity,
                                     size_t *length);

// Surfaces of a mesh that lie inside closed bodies of the level it was baked from, one place for each.
enum WayfareStatus wayfare_mesh_hollow_surfaces(struct WayfareMesh mesh,
                                                struct WayfareLevel level,
                                                float agent_height,
                                                struct WayfarePlace *places,
                                                size_t capacity,
                                                size_t *count);

// A mesh from outlines on a plane at height `y`: the inside of an odd number of them can be walked on, so that an outline
// in another is a hole. `points` are the corners of all, `counts` how many each has.
enum WayfareStatus wayfare_mesh_from_outlines(const struct WayfareVec2 *points,
                                              size_t point_count,
                                              const uint32_t *counts,
                                              size_t outline_count,
                                              float y,
                                              struct WayfareMesh *mesh);

// The present moment of a mesh.
enum WayfareStatus wayfare_mesh_version(struct WayfareMesh mesh, struct WayfareVersion *version);

// Frees it.
enum WayfareStatus wayfare_version_free(struct WayfareVersion version);

// What has changed in a mesh since a moment. `known` is 0 if that is too long ago to say: then anything may have.
enum WayfareStatus wayfare_mesh_changes_since(struct WayfareMesh mesh,
                                              struct WayfareVersion version,
                                              uint32_t *known,
                                              struct WayfareChange *changes,
                                              size_t capacity,
                                              size_t *count);

// Says that tiles will be replaced soon: paths over them are told so.
enum WayfareStatus wayfare_mesh_announce(struct WayfareMesh mesh, const uint64_t *tiles, size_t count);

// Takes that back.
enum WayfareStatus wayfare_mesh_withdraw(struct WayfareMesh mesh, const uint64_t *tiles, size_t count);

// Keeps up what is connected for filters with these flags, so that questions of reach are answered without a search.
enum WayfareStatus wayfare_mesh_keep_components(struct WayfareMesh mesh, uint32_t include, uint32_t exclude);

// The number of a polygon's component: polygons of the same one are connected, if one-way connections are walked both
// ways. `components` is how many there are, and may be null.
enum WayfareStatus wayfare_mesh_component(struct WayfareMesh mesh,
                                          uint64_t poly,
                                          uint32_t *component,
                                          uint32_t *components);

// Shares a mesh: the mesh itself stays the caller's.
enum WayfareStatus wayfare_shared_new(struct WayfareMesh mesh, struct WayfareShared *shared);

// Publishes a mesh as the newest: a few pointers are copied. From any thread.
//
// It must continue the newest version: be that mesh, or a copy of it (`wayfare_shared_newest`, `wayfare_mesh_copy`), edited
// since. One that is not, because somebody else has published meanwhile, is OUTDATED: what they changed would be lost.
// Nothing is published then, and both stay as they are.
enum WayfareStatus wayfare_shared_publish(struct WayfareShared shared,
                                          struct WayfareMesh mesh);

// Replaces the newest mesh by another, whatever it is; what others have changed in it is lost. References into the old
// one may match other polygons of one that was baked anew. From any thread.
enum WayfareStatus wayfare_shared_replace(struct WayfareShared shared, struct WayfareMesh mesh);

// A copy of the newest mesh, to be read, or edited and published. From any thread.
enum WayfareStatus wayfare_shared_newest(struct WayfareShared shared, struct WayfareMesh *mesh);

// Frees a shared mesh; copies stay.
enum WayfareStatus wayfare_shared_free(struct WayfareShared shared);

// Adds an off-mesh connection; `reference` may be null, else it gets what names it, as polygons are named.
enum WayfareStatus wayfare_mesh_add_connection(struct WayfareMesh mesh,
                                               const struct WayfareConnection *connection,
                                               uint64_t *reference);

// Removes an off-mesh connection.
enum WayfareStatus wayfare_mesh_remove_connection(struct WayfareMesh mesh, uint64_t reference);

// The references of all off-mesh connections.
enum WayfareStatus wayfare_mesh_connections(struct WayfareMesh mesh,
                                            uint64_t *references,
                                            size_t capacity,
                                            size_t *count);

// An off-mesh connection, and whether its ends are on the mesh now: `linked` is 1 if both are.
enum WayfareStatus wayfare_mesh_connection(struct WayfareMesh mesh,
                                           uint64_t reference,
                                           struct WayfareConnection *connection,
                                           uint32_t *linked);

// Gives all polygons of an area type these flags, now and in tiles to come.
enum WayfareStatus wayfare_mesh_set_area_flags(struct WayfareMesh mesh, uint32_t area, uint32_t flags);

// Takes that rule away: tiles to come keep their own flags.
enum WayfareStatus wayfare_mesh_clear_area_flags(struct WayfareMesh mesh, uint32_t area);

// A polygon's area, flags and middle.
enum WayfareStatus wayfare_mesh_polygon(struct WayfareMesh mesh, uint64_t poly, struct WayfarePolygon *polygon);

// Whether a polygon is still there: not if `poly` is 0 or no reference at all.
enum WayfareStatus wayfare_mesh_is_valid(struct WayfareMesh mesh, uint64_t poly, uint32_t *valid);

// The corners of a polygon.
enum WayfareStatus wayfare_mesh_polygon_corners(struct WayfareMesh mesh,
                                                uint64_t poly,
                                                struct WayfareVec3 *corners,
                                                size_t capacity,
                                                size_t *count);

// The portals of a polygon: its neighbours, and where they touch.
enum WayfareStatus wayfare_mesh_polygon_portals(struct WayfareMesh mesh,
                                                uint64_t poly,
                                                struct WayfarePortal *portals,
                                                size_t capacity,
                                                size_t *count);

// The portal between two polygons; `found` is 0 if they do not touch.
enum WayfareStatus wayfare_mesh_portal_between(struct WayfareMesh mesh,
                                               uint64_t from,
                                               uint64_t to,
                                               uint32_t *found,
                                               struct WayfarePortal *portal);

// Changes the flags of a polygon or connection.
enum WayfareStatus wayfare_mesh_set_poly_flags(struct WayfareMesh mesh, uint64_t poly, uint32_t flags);

// Changes the area type of a polygon or connection.
enum WayfareStatus wayfare_mesh_set_poly_area(struct WayfareMesh mesh, uint64_t poly, uint32_t area);

// The closest point on a polygon's surface; `over` is 1 if `at` lies over it. May be null.
enum WayfareStatus wayfare_mesh_closest_point(struct WayfareMesh mesh,
                                              uint64_t poly,
                                              struct WayfareVec3 at,
                                              struct WayfareVec3 *closest,
                                              uint32_t *over);

// The closest point on a polygon's boundary.
enum WayfareStatus wayfare_mesh_closest_on_boundary(struct WayfareMesh mesh,
                                                    uint64_t poly,
                                                    struct WayfareVec3 at,
                                                    struct WayfareVec3 *closest);

// The height of a polygon at a point; `found` is 0 if the point is not over it.
enum WayfareStatus wayfare_mesh_height(struct WayfareMesh mesh,
                                       uint64_t poly,
                                       struct WayfareVec3 at,
                                       uint32_t *found,
                                       float *height);

// The references of a tile's polygons.
enum WayfareStatus wayfare_mesh_tile_polygons(struct WayfareMesh mesh,
                                              uint64_t tile,
                                              uint64_t *polys,
                                              size_t capacity,
                                              size_t *count);

// The surface as triangles, three points for each: of one tile, or of all with `tile` 0. `polys` may be null; else it
// has room for a third of `capacity` and gets the polygon of each triangle.
enum WayfareStatus wayfare_mesh_triangles(struct WayfareMesh mesh,
                                          uint64_t tile,
                                          struct WayfareVec3 *points,
                                          uint64_t *polys,
                                          size_t capacity,
                                          size_t *count);

// All tiles, in the order of their slots.
enum WayfareStatus wayfare_mesh_tiles(struct WayfareMesh mesh,
                                      struct WayfareTileInfo *tiles,
                                      size_t capacity,
                                      size_t *count);

// The tile at a column, row and layer; 0 if there is none.
enum WayfareStatus wayfare_mesh_tile_at(struct WayfareMesh mesh, struct WayfareTileCoord coord, uint64_t *tile);

// The column and row of a point.
enum WayfareStatus wayfare_mesh_tile_of_point(struct WayfareMesh mesh,
                                              struct WayfareVec3 at,
                                              struct WayfareTileCoord *coord);

// A tile as bytes: to be kept, sent, and put into a mesh of the same layout.
enum WayfareStatus wayfare_mesh_tile_bytes(struct WayfareMesh mesh, uint64_t tile, struct WayfareBytes *bytes);

// An empty mesh with the layout of another, to put tiles into.
enum WayfareStatus wayfare_mesh_empty_like(struct WayfareMesh mesh, struct WayfareMesh *empty);

// Puts a tile into a mesh, at the place that it says; `tile` may be null, else it gets its reference.
enum WayfareStatus wayfare_mesh_add_tile(struct WayfareMesh mesh, const uint8_t *bytes, size_t count, uint64_t *tile);

// Puts a tile in the place of another.
enum WayfareStatus wayfare_mesh_replace_tile(struct WayfareMesh mesh,
                                             uint64_t old,
                                             const uint8_t *bytes,
                                             size_t count,
                                             uint64_t *tile);

// Removes a tile.
enum WayfareStatus wayfare_mesh_remove_tile(struct WayfareMesh mesh, uint64_t tile);

// A mesh of one tile from polygons of another source. Polygons that share two corners are neighbours.
enum WayfareStatus wayfare_mesh_from_polygons(const struct WayfarePolygons *polygons, struct WayfareMesh *mesh);

// The flags and areas of a tile's polygons as bytes: what a saved game keeps of a tile that it can load.
enum WayfareStatus wayfare_mesh_save_tile_state(struct WayfareMesh mesh, uint64_t tile, struct WayfareBytes *bytes);

// Restores them.
enum WayfareStatus wayfare_mesh_load_tile_state(struct WayfareMesh mesh,
                                                uint64_t tile,
                                                const uint8_t *bytes,
                                                size_t count);

// The states of all polygons and connections that differ from the bake, as bytes.
enum WayfareStatus wayfare_mesh_save_delta(struct WayfareMesh mesh, struct WayfareBytes *bytes);

// Restores them: all others are as they were baked.
enum WayfareStatus wayfare_mesh_load_delta(struct WayfareMesh mesh, const uint8_t *bytes, size_t count);

// An overlay with nothing painted. A size of 0 stands for what is usual; `half_life` is the ticks after which costs are
// half as high, 0 for never.
enum WayfareStatus wayfare_overlay_new(float cell_size,
                                       float cell_height,
                                       uint32_t half_life,
                                       uint32_t max_cells,
                                       struct WayfareOverlay *overlay);

// Paints a disc: what a metre costs besides. `reach` is how far up and down it goes. 0 wipes.
enum WayfareStatus wayfare_overlay_paint_disc(struct WayfareOverlay overlay,
                                              struct WayfareVec3 center,
                                              float radius,
                                              float reach,
                                              float cost);

// Paints a box.
enum WayfareStatus wayfare_overlay_paint_box(struct WayfareOverlay overlay, struct WayfareBox area, float cost);

// Paints an outline from one height to another.
enum WayfareStatus wayfare_overlay_paint_outline(struct WayfareOverlay overlay,
                                                 const struct WayfareVec2 *corners,
                                                 size_t count,
                                                 float min_y,
                                                 float max_y,
                                                 float cost);

// Lets time pass: costs fade by their half-life.
enum WayfareStatus wayfare_overlay_advance(struct WayfareOverlay overlay, uint32_t ticks);

// Wipes everything.
enum WayfareStatus wayfare_overlay_clear(struct WayfareOverlay overlay);

// What a metre costs at a point.
enum WayfareStatus wayfare_overlay_cost_at(struct WayfareOverlay overlay, struct WayfareVec3 at, float *cost);

// Saves an overlay.
enum WayfareStatus wayfare_overlay_save(struct WayfareOverlay overlay, struct WayfareBytes *bytes);

// Loads an overlay.
enum WayfareStatus wayfare_overlay_load(const uint8_t *bytes, size_t count, struct WayfareOverlay *overlay);

// Frees an overlay; filters keep theirs.
enum WayfareStatus wayfare_overlay_free(struct WayfareOverlay overlay);

// Finds a path over polygons. Its polygons: `wayfare_query_polygons`.
enum WayfareStatus wayfare_query_path(struct WayfareQuery query,
                                      struct WayfarePlace from,
                                      struct WayfarePlace to,
                                      struct WayfarePath *path);

// Finds a path over polygons and the shortest line through them.
//
// `points` gets its points; `capacity` may be 0 to ask for them later, with `wayfare_query_points`. Where it is too small
// but not 0, the first `capacity` points are written and the status is TOO_SMALL; the others are still there to be asked.
enum WayfareStatus wayfare_query_straight_path(struct WayfareQuery query,
                                               struct WayfarePlace from,
                                               struct WayfarePlace to,
                                               struct WayfareVec3 *points,
                                               size_t capacity,
                                               struct WayfarePath *path);

// Finds the shortest path in any direction: straight wherever the goal is in sight. Points as with
// `wayfare_query_straight_path`.
enum WayfareStatus wayfare_query_optimal_path(struct WayfareQuery query,
                                              struct WayfarePlace from,
                                              struct WayfarePlace to,
                                              struct WayfareVec3 *points,
                                              size_t capacity,
                                              struct WayfarePath *path);

// Finds the cheapest path over polygons, guided by bounds: at most 1.0001 times as expensive as the cheapest. Where there is
// no path, a limit is hit or the bounds do not hold for the query's mesh, the answer is that of
// `wayfare_query_straight_path`. Points as there.
enum WayfareStatus wayfare_query_bounded_path(struct WayfareQuery query,
                                              struct WayfareCostBounds bounds,
                                              struct WayfarePlace from,
                                              struct WayfarePlace to,
                                              struct WayfareVec3 *points,
                                              size_t capacity,
                                              struct WayfarePath *path);

// Finds a path to the nearest of several goals; `goal` gets its number, or `SIZE_MAX` if none can be reached. Goals that
// are not near the mesh are left out.
enum WayfareStatus wayfare_query_path_to_nearest(struct WayfareQuery query,
                                                 struct WayfarePlace from,
                                                 const struct WayfarePlace *goals,
                                                 size_t goal_count,
                                                 size_t *goal,
                                                 struct WayfarePath *path);

// Finds a path to the nearest polygon that reaches into a box.
enum WayfareStatus wayfare_query_path_to_box(struct WayfareQuery query,
                                             struct WayfarePlace from,
                                             struct WayfareBox area,
                                             struct WayfarePath *path);

// The points of the last path.
enum WayfareStatus wayfare_query_points(struct WayfareQuery query,
                                        struct WayfarePathPoint *points,
                                        size_t capacity,
                                        size_t *count);

// The points of the last path, and those where its line crosses borders: of areas only, or of all polygons with `all` 1.
enum WayfareStatus wayfare_query_points_with_crossings(struct WayfareQuery query,
                                                       uint32_t all,
                                                       struct WayfarePathPoint *points,
                                                       size_t capacity,
                                                       size_t *count);

// The polygons of the last path.
enum WayfareStatus wayfare_query_polygons(struct WayfareQuery query, uint64_t *polys, size_t capacity, size_t *count);

// A line through polygons that are known: the last path of the query becomes this one, if each polygon leads to the next.
enum WayfareStatus wayfare_query_along(struct WayfareQuery query,
                                       const uint64_t *polys,
                                       size_t poly_count,
                                       struct WayfareVec3 from,
                                       struct WayfareVec3 to,
                                       struct WayfarePath *path);

// Whether the last path still holds on the query's mesh: `broken` is 0 if it does; else `step` is the number of the first
// polygon that is gone, closed, or apart from the next.
enum WayfareStatus wayfare_query_path_holds(struct WayfareQuery query,
                                            uint32_t *broken,
                                            uint32_t *step);

// Whether a place can be reached: 1, 0, or −1 if a limit cut the search short.
enum WayfareStatus wayfare_query_reachable(struct WayfareQuery query,
                                           struct WayfarePlace from,
                                           struct WayfarePlace to,
                                           int32_t *answer);

// Why there is no path, by name (`whole` 0) or in a sentence. `found` is 1 if there is one; may be null.
enum WayfareStatus wayfare_query_explain(struct WayfareQuery query,
                                         struct WayfareVec3 from,
                                         struct WayfareVec3 to,
                                         uint32_t whole,
                                         uint32_t *found,
                                         char *out,
                                         size_t capacity,
                                         size_t *length);

// The path between two points in one call: the shortest in any direction. Whoever asks often keeps a query.
enum WayfareStatus wayfare_find_path(struct WayfareMesh mesh,
                                     struct WayfareVec3 from,
                                     struct WayfareVec3 to,
                                     struct WayfareVec3 *points,
                                     size_t capacity,
                                     size_t *count,
                                     uint32_t *status);

// Fills settings with what is usual.
enum WayfareStatus wayfare_query_settings_default(struct WayfareQuerySettings *settings, size_t size);

// A query of a mesh as it is now. `filter` may be null (id 0) for the mesh's own costs, also those of the meshes that it
// goes on with.
enum WayfareStatus wayfare_query_new(struct WayfareMesh mesh,
                                     struct WayfareFilter filter,
                                     struct WayfareQuery *query);

// Changes how a query asks.
enum WayfareStatus wayfare_query_set(struct WayfareQuery query, const struct WayfareQuerySettings *settings);

// Goes on with a mesh as it is now: after it was edited, or with a newer one.
enum WayfareStatus wayfare_query_set_mesh(struct WayfareQuery query, struct WayfareMesh mesh);

// Goes on with another filter.
enum WayfareStatus wayfare_query_set_filter(struct WayfareQuery query, struct WayfareFilter filter);

// Forgets what it knows of the mesh by its filter: where random places can be. To be called once a filter's callbacks
// have given answers that hold no longer, or gave others since they failed.
enum WayfareStatus wayfare_query_forget(struct WayfareQuery query);

// Frees a query.
enum WayfareStatus wayfare_query_free(struct WayfareQuery query);

// The place on the mesh nearest to a point, within the query's reach.
enum WayfareStatus wayfare_query_nearest(struct WayfareQuery query,
                                         struct WayfareVec3 at,
                                         struct WayfareNearest *nearest);

// Looks along the surface from a place to a point: what can be seen is what can be walked straight.
enum WayfareStatus wayfare_query_ray(struct WayfareQuery query,
                                     struct WayfarePlace from,
                                     struct WayfareVec3 to,
                                     struct WayfareRay *ray);

// The same, with what walking there costs.
enum WayfareStatus wayfare_query_ray_with_cost(struct WayfareQuery query,
                                               struct WayfarePlace from,
                                               struct WayfareVec3 to,
                                               struct WayfareRay *ray);

// The polygons that the last ray crossed.
enum WayfareStatus wayfare_query_ray_polygons(struct WayfareQuery query,
                                              uint64_t *polys,
                                              size_t capacity,
                                              size_t *count);

// Moves from a place towards a point and slides along walls: for short moves, as of a frame. `end.poly` is 0 if the place
// is not near the mesh.
enum WayfareStatus wayfare_query_move(struct WayfareQuery query,
                                      struct WayfarePlace from,
                                      struct WayfareVec3 to,
                                      struct WayfarePlace *end);

// The polygons that the last move went over.
enum WayfareStatus wayfare_query_moved_over(struct WayfareQuery query, uint64_t *polys, size_t capacity, size_t *count);

// The wall nearest to a place within a radius.
enum WayfareStatus wayfare_query_nearest_wall(struct WayfareQuery query,
                                              struct WayfarePlace at,
                                              float radius,
                                              struct WayfareNearestWall *wall);

// The walls of the polygon at a place.
enum WayfareStatus wayfare_query_walls(struct WayfareQuery query,
                                       struct WayfarePlace at,
                                       struct WayfareWall *walls,
                                       size_t capacity,
                                       size_t *count);

// The polygons that can be reached without leaving a circle, cheapest first; or without leaving a convex outline, if
// `corner_count` is not 0.
enum WayfareStatus wayfare_query_around(struct WayfareQuery query,
                                        struct WayfarePlace at,
                                        float radius,
                                        const struct WayfareVec3 *corners,
                                        size_t corner_count,
                                        struct WayfareReached *reached,
                                        size_t capacity,
                                        size_t *count);

// Polygons near a place that do not overlap each other seen from above: by their portals, or with `by_distance` 1 by
// their distance.
enum WayfareStatus wayfare_query_neighbourhood(struct WayfareQuery query,
                                               struct WayfarePlace at,
                                               float radius,
                                               uint32_t by_distance,
                                               uint64_t *polys,
                                               size_t capacity,
                                               size_t *count);

// The polygons of which the boxes touch a box.
enum WayfareStatus wayfare_query_in_box(struct WayfareQuery query,
                                        struct WayfareBox area,
                                        uint64_t *polys,
                                        size_t capacity,
                                        size_t *count);

// Random places, evenly over the mesh. `random` is a seed that goes on: the same seed gives the same places. `count` of
// them are asked for; `found` is how many there are, fewer only where the mesh is empty.
enum WayfareStatus wayfare_query_random(struct WayfareQuery query,
                                        uint64_t *random,
                                        struct WayfarePlace *places,
                                        size_t count,
                                        size_t *found);

// Random places that can be reached within a radius.
enum WayfareStatus wayfare_query_random_around(struct WayfareQuery query,
                                               struct WayfarePlace at,
                                               float radius,
                                               uint64_t *random,
                                               struct WayfarePlace *places,
                                               size_t count,
                                               size_t *found);

// A planner of a `WayfarePlannerKind`.
enum WayfareStatus wayfare_planner_new(uint32_t kind, struct WayfarePlanner *planner);

// A planner whose searches are guided by bounds. While they do not hold for the mesh, it searches with A*.
enum WayfareStatus wayfare_planner_bounded(struct WayfareCostBounds bounds, struct WayfarePlanner *planner);

// Gives a planner that was made with bounds others: those of the mesh as it is now. Searches in progress go on with the
// old ones.
enum WayfareStatus wayfare_planner_set_bounds(struct WayfarePlanner planner, struct WayfareCostBounds bounds);

// Frees a planner.
enum WayfareStatus wayfare_planner_free(struct WayfarePlanner planner);

// A queue without requests.
enum WayfareStatus wayfare_queue_new(struct WayfareQueue *queue);

// Asks for a path between two places of a mesh. Points without a polygon are looked up at once, within 2 metres to each side
// and 4 up and down. Filter id 0: the mesh's own.
enum WayfareStatus wayfare_queue_request(struct WayfareQueue queue,
                                         struct WayfareMesh mesh,
                                         struct WayfareFilter filter,
                                         struct WayfarePlace from,
                                         struct WayfarePlace to,
                                         uint64_t *request);

// Searches on for `budget` nodes, for all requests in turn. Planner id 0: A*. A context that is null, or says nothing of
// threads, leaves it to the calling one; if it is cancelled already, nothing is searched.
enum WayfareStatus wayfare_queue_step(struct WayfareQueue queue,
                                      struct WayfareMesh mesh,
                                      struct WayfarePlanner planner,
                                      uint64_t budget,
                                      const struct WayfareContext *context);

// How far a request is: `state` gets a `WayfareRequestState`.
enum WayfareStatus wayfare_queue_state(struct WayfareQueue queue, uint64_t request, uint32_t *state);

// How many requests are not done.
enum WayfareStatus wayfare_queue_pending(struct WayfareQueue queue, size_t *count);

// Takes the answer of a request, which is then gone. `done` is 0, and nothing else is written, if it is not done.
// `outdated` is 1 if the mesh has changed under it meanwhile. Its points: `wayfare_queue_points`.
enum WayfareStatus wayfare_queue_take(struct WayfareQueue queue,
                                      uint64_t request,
                                      uint32_t *done,
                                      struct WayfarePath *path,
                                      uint32_t *outdated);

// The points of the path that was taken last.
enum WayfareStatus wayfare_queue_points(struct WayfareQueue queue,
                                        struct WayfarePathPoint *points,
                                        size_t capacity,
                                        size_t *count);

// Gives a request up.
enum WayfareStatus wayfare_queue_cancel(struct WayfareQueue queue, uint64_t request);

// Frees a queue.
enum WayfareStatus wayfare_queue_free(struct WayfareQueue queue);

// Begins a search that is done in steps: over polygons, or with `optimal` 1 for the shortest path. Both places must be
// near the query's mesh; the query is free for other questions meanwhile.
enum WayfareStatus wayfare_search_new(struct WayfareQuery query,
                                      struct WayfarePlace from,
                                      struct WayfarePlace to,
                                      uint32_t optimal,
                                      struct WayfareSearch *search);

// Begins a search in steps that is guided by bounds.
enum WayfareStatus wayfare_search_bounded(struct WayfareQuery query,
                                          struct WayfareCostBounds bounds,
                                          struct WayfarePlace from,
                                          struct WayfarePlace to,
                                          struct WayfareSearch *search);

// Searches on for `budget` nodes. `finished` is 1 once it is done.
enum WayfareStatus wayfare_search_step(struct WayfareSearch search, uint64_t budget, uint32_t *finished);

// The path that was found; before the end, the one to the place nearest to the goal so far.
enum WayfareStatus wayfare_search_path(struct WayfareSearch search, struct WayfarePath *path);

// The points of the path that was asked for last.
enum WayfareStatus wayfare_search_points(struct WayfareSearch search,
                                         struct WayfarePathPoint *points,
                                         size_t capacity,
                                         size_t *count);

// Frees a search.
enum WayfareStatus wayfare_search_free(struct WayfareSearch search);

// The costs of all polygons around a place, within the limits of the query.
enum WayfareStatus wayfare_cost_map_new(struct WayfareQuery query,
                                        struct WayfarePlace from,
                                        struct WayfareCostMap *map);

// What it costs to get to a polygon; infinite if that was not reached.
enum WayfareStatus wayfare_cost_map_cost(struct WayfareCostMap map, uint64_t poly, float *cost);

// The path to a place, out of the map. A point without a polygon is looked up with the filter and reach of the query that
// the map was made by. Its points: `wayfare_cost_map_points`.
enum WayfareStatus wayfare_cost_map_path(struct WayfareCostMap map,
                                         struct WayfarePlace to,
                                         struct WayfarePath *path);

// The points of the last path.
enum WayfareStatus wayfare_cost_map_points(struct WayfareCostMap map,
                                           struct WayfarePathPoint *points,
                                           size_t capacity,
                                           size_t *count);

// Frees a cost map.
enum WayfareStatus wayfare_cost_map_free(struct WayfareCostMap map);

// Finds a path over polygons and says which nodes the search opened, in their order: for tools that show searches.
enum WayfareStatus wayfare_query_record_search(struct WayfareQuery query,
                                               struct WayfarePlace from,
                                               struct WayfarePlace to,
                                               struct WayfareSearchNode *nodes,
                                               size_t capacity,
                                               size_t *count);

// Fills settings with the defaults: those of the Recast demo.
enum WayfareStatus wayfare_bake_settings_default(struct WayfareBakeSettings *settings, size_t size);

// Fills settings for an agent of a height and radius that climbs so high: cells half its radius wide.
enum WayfareStatus wayfare_bake_settings_for_agent(float height,
                                                   float radius,
                                                   float max_climb,
                                                   struct WayfareBakeSettings *settings,
                                                   size_t size);

// Warnings about settings that are legal but unwise, a line for each; empty if there are none. An error if they cannot
// be baked with.
enum WayfareStatus wayfare_bake_settings_advice(const struct WayfareBakeSettings *settings,
                                                char *out,
                                                size_t capacity,
                                                size_t *length);

// Fills rules for what an agent of the bake's settings can do.
enum WayfareStatus wayfare_link_settings_for_agent(const struct WayfareBakeSettings *settings,
                                                   struct WayfareLinkSettings *links,
                                                   size_t size);

// The sentence of the last call of this thread that failed, as UTF-8 with a 0 at the end.
//
// `length` gets its length without the 0, and may be null. If `capacity` is too small, the text is cut at a character,
// and still ends with 0; the status is TOO_SMALL. Empty if no call of this thread has failed.
enum WayfareStatus wayfare_last_error(char *text, size_t capacity, size_t *length);

// The version of this library, as `major * 1000000 + minor * 1000 + patch`.
uint32_t wayfare_version(void);

// The name of a status, such as "dead handle", as a text that lives for ever; "unknown status" for other numbers.
const char *wayfare_status_name(uint32_t status);

// How many objects are alive, of all kinds: 0 once a program has freed all of its handles.
enum WayfareStatus wayfare_live_handles(size_t *count);

// Bakes a level into a store at `path`, tile by tile, and commits as it goes: one file, whatever its name, or a folder with a
// file for each tile if the path ends with a slash or is a folder. What a store holds already and has not changed is not
// baked again, so that a bake that was stopped goes on where it was. Where the settings say nothing of tiles (null, or a `tile_size` of 0), they have 64 cells to each side.
// `tiles` is how many tiles the store has then; may be null.
enum WayfareStatus wayfare_store_bake(const char *path,
                                      struct WayfareLevel level,
                                      const struct WayfareBakeSettings *settings,
                                      const struct WayfareContext *context,
                                      size_t *tiles);

// Loads a whole store into a mesh. `broken` is how many tiles could not be read; may be null.
enum WayfareStatus wayfare_store_load(const char *path, struct WayfareMesh *mesh, size_t *broken);

// Opens a store as a world, of which at most so many tiles, bytes of tiles, and parts of the abstract graph (a kilobyte
// or two each) are in memory; 0 for no limit.
enum WayfareStatus wayfare_world_open(const char *path,
                                      size_t max_tiles,
                                      size_t max_bytes,
                                      size_t max_parts,
                                      struct WayfareWorld *world);

// Loads the tiles around a point; `loaded` is how many were read, and may be null.
enum WayfareStatus wayfare_world_prefetch(struct WayfareWorld world,
                                          struct WayfareVec3 center,
                                          float radius,
                                          uint32_t *loaded);

// Finds a path over the world by its hierarchy; tiles are read as they are needed. Its points: `wayfare_world_points`.
enum WayfareStatus wayfare_world_path(struct WayfareWorld world,
                                      struct WayfareVec3 from,
                                      struct WayfareVec3 to,
                                      struct WayfarePath *path);

// The points of its last path.
enum WayfareStatus wayfare_world_points(struct WayfareWorld world,
                                        struct WayfareVec3 *points,
                                        size_t capacity,
                                        size_t *count);

// The place on the world nearest to a point, among the tiles in memory and those that it needs; polygon 0 for none.
enum WayfareStatus wayfare_world_nearest(struct WayfareWorld world, struct WayfareVec3 at, struct WayfarePlace *place);

// Sets the flags of a polygon, whose tile must be in memory, or of an off-mesh connection. They are kept while the tile is
// not in memory.
enum WayfareStatus wayfare_world_set_poly_flags(struct WayfareWorld world,
                                                uint64_t poly,
                                                uint32_t flags);

// What has changed in a world since it was opened, whether its tiles are in memory or not, and which of them are:
// without the tiles themselves.
enum WayfareStatus wayfare_world_save_changes(struct WayfareWorld world, struct WayfareBytes *bytes);

// Restores what was saved of a world with the same tiles: all else returns to what the store says. Tiles that were in
// memory are read again, as many as the limits allow. Bytes that cannot be restored are BAD_DATA, and change nothing.
enum WayfareStatus wayfare_world_load_changes(struct WayfareWorld world, const uint8_t *bytes, size_t count);

// What a world has in memory.
enum WayfareStatus wayfare_world_stats(struct WayfareWorld world, struct WayfareWorldStats *stats);

// Closes a world.
enum WayfareStatus wayfare_world_free(struct WayfareWorld world);

// Opens a store, and reads which tiles it has.
enum WayfareStatus wayfare_store_open(const char *path, struct WayfareStore *store);

// Closes a store.
enum WayfareStatus wayfare_store_free(struct WayfareStore store);

// One tile of a store as bytes, for `wayfare_mesh_add_tile`: id 0 if the place has no surface.
enum WayfareStatus wayfare_store_tile(struct WayfareStore store,
                                      struct WayfareTileCoord coord,
                                      struct WayfareBytes *bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WAYFARE_H */
