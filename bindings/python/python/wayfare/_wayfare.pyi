"""The compiled part of wayfare. Written by tools/stubs.py from the Rust sources."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .crowds import AgentParams, Avoidance, CrowdSettings
from .settings import AgentSettings, BakeSettings, Connection, LinkSettings, Point, Volume

__version__: str

class StaleReferenceError(LookupError):
    """A reference to a polygon, tile, agent or obstacle that is gone."""

class BakeError(ValueError):
    """A level that could not be baked; the sentence says what to change."""

class FormatError(ValueError):
    """Bytes that are not what they should be, or are broken."""

class OutdatedError(RuntimeError):
    """A copy of a mesh that has changed since: what has changed would be lost."""

class WorldStoreError(OSError):
    """A tile store that could not be read or written."""

class Cancelled(Exception):
    """Work that was cancelled from another thread."""

@final
class AbstractGraph:
    """The abstract graph of a mesh: for paths across large meshes, searched over tiles first and then over a few polygons at a time."""
    def __new__(cls, query: Query) -> AbstractGraph:
        ...
    def find_path(self, start: Point | Place, goal: Point | Place, tiles: int | None = None) -> Path:
        """The path between two places; `tiles` is how many are refined at a time."""
    def pieces(self, start: Point | Place, goal: Point | Place, tiles: int | None = None) -> list[Path]:
        """The path piece by piece, each to be walked at once. Where a limit of the query ends it, the last piece is partial and has that `limit`."""
    @property
    def size(self) -> dict[str, int]:
        """Counts: tiles, areas, nodes, edges, bytes."""

@final
class AgentId:
    """Names an agent of a crowd; that of one who was removed means nobody."""
    def __eq__(self, value: object, /) -> bool: ...
    def __lt__(self, value: AgentId, /) -> bool: ...
    def __le__(self, value: AgentId, /) -> bool: ...
    def __gt__(self, value: AgentId, /) -> bool: ...
    def __ge__(self, value: AgentId, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __repr__(self) -> str:
        ...
    @property
    def index(self) -> int:
        """Its place in the crowd, 0 and up; used again by others after it was removed."""

@final
class AutoLink:
    """A drop, jump or climb that was found."""
    @property
    def kind(self) -> str:
        '''"drop", "jump-down", "jump-across" or "climb".
        '''
    @property
    def id(self) -> int:
        """Its number, the user id of the connection."""
    @property
    def start(self) -> tuple[float, float, float]:
        """Where it begins."""
    @property
    def end(self) -> tuple[float, float, float]:
        """Where it ends."""
    @property
    def radius(self) -> float:
        """The agent's radius."""
    @property
    def two_way(self) -> bool:
        """Whether it can be used in the other direction."""
    @property
    def area(self) -> int:
        """Its area type."""
    @property
    def flags(self) -> int:
        """Its flags."""
    def __repr__(self) -> str:
        ...

@final
class BakeJob:
    """A bake in steps of a budget: a little each frame. The job lives on a thread of its own, which works only while `step` is called."""
    def __new__(cls, level: Level, settings: BakeSettings | AgentSettings | None = None) -> BakeJob:
        ...
    def finish(self) -> NavMesh:
        """The mesh, once all is done."""
    @property
    def is_finished(self) -> bool:
        """Whether all is done."""
    @property
    def progress(self) -> tuple[int, int]:
        """What is done and what there is in all, in cells."""
    def step(self, budget: int | None = 20_000) -> tuple[int, int]:
        """Goes on as far as the budget, 1 or more, reaches (None: to the end): cells, spans, triangles, whichever a stage counts. Returns what is
        done and what there is in all; the same tiles come out for any budgets. Ctrl-C ends the job.
        """

@final
class BakeReport:
    """What a bake says of itself: counts, times, warnings."""
    def __repr__(self) -> str:
        ...
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """The box that was baked."""
    @property
    def stats(self) -> dict[str, Any]:
        """Counts of tiles, spans, regions, contours, polygons."""
    @property
    def times(self) -> dict[str, float]:
        """Seconds by stage, summed over threads."""
    @property
    def warnings(self) -> list[BakeWarning]:
        """Warnings, each with places."""

@final
class BakeWarning:
    """A warning of a bake: what, how often, and where first."""
    def __repr__(self) -> str:
        ...
    @property
    def count(self) -> int:
        """How often."""
    @property
    def kind(self) -> str:
        """What is warned of, in one word."""
    @property
    def places(self) -> NDArray[np.float32]:
        """Where, shape (n, 3): the first thousand places."""

@final
class BlockCorridor:
    """An agent's path over blocks, kept up as it walks and blocks change."""
    def __new__(cls, nav: BlockNav, position: Point, goal: tuple[int, int, int], *, to_box: tuple[int, int, int] | None = None, max_nodes: int | None = None, search: bool = True) -> BlockCorridor:
        """An agent near a position, with its path to a goal; `to_box` and `max_nodes` as for `BlockNav.find_path`. Without `search` it stays where
        it is until it follows a path.
        """
    def ask(self) -> int | None:
        """Asks the `BlockNav` for a path if the agent needs one: blocks along the old path have changed, the agent was pushed off it, or it has
        none yet. Returns the number of the request; None if the agent needs none, or waits for one already. Give the path that `BlockNav.take`
        returns for it to `follow`; meanwhile the agent may walk on. It may be called every tick.
        """
    def follow(self, path: BlockPath) -> None:
        """Follows the path that was asked for. An agent that has walked on since then joins it at the nearest place that it can have come to."""
    @property
    def has_arrived(self) -> bool:
        """Whether it is at its goal."""
    @property
    def path(self) -> BlockPath:
        """The path that it follows."""
    @property
    def position(self) -> tuple[float, float, float]:
        """Where the agent is."""
    def refresh(self) -> bool:
        """Searches anew, at once, if the agent needs a path; returns whether it did."""
    @property
    def target(self) -> tuple[float, float, float]:
        """The point to walk to next."""
    def walk(self, to: Point) -> tuple[float, float, float]:
        """Walks towards a point; returns where it is then."""

@final
class BlockNav:
    """Navigation in a world of blocks: meshes are built where a search comes by, and made anew where blocks have changed."""
    def __new__(cls, world: BlockWorld, *, climb: int | None = None, drop: int | None = None, height: int | None = None, width: int | None = None, area_costs: Mapping[int, float] = ..., seed: int = 0) -> BlockNav:
        """Sizes of the agent are in blocks. `area_costs` are by area type: 1 water, 3 doors, 5 ladders. They are above 0, and count as 1 where they are
        less; infinity closes an area.
        """
    def ask(self, start: tuple[int, int, int], goal: tuple[int, int, int], *, to_box: tuple[int, int, int] | None = None, max_nodes: int | None = None) -> int:
        """Asks for a path that is worked on in `update`; returns its number."""
    def find_path(self, start: tuple[int, int, int], goal: tuple[int, int, int], *, to_box: tuple[int, int, int] | None = None, max_nodes: int | None = None) -> BlockPath:
        """The path from cell to cell; with `to_box`, to any cell up to that one."""
    def invalidate(self, low: tuple[int, int, int], high: tuple[int, int, int]) -> None:
        """Blocks from one cell to another have changed."""
    def is_current(self, path: BlockPath) -> bool:
        """Whether no block has changed since that a path rests on."""
    def nearest(self, point: Point, reach: int = 4) -> tuple[int, int, int] | None:
        """The cell on which an agent at a point stands, within so many blocks; None if there is none."""
    def path_exists(self, start: tuple[int, int, int], goal: tuple[int, int, int], max_nodes: int | None = None) -> bool | None:
        """Whether there is a path; None if a limit was hit before that was known."""
    def position(self, at: tuple[int, int, int]) -> tuple[float, float, float]:
        """The point at which an agent stands in a cell."""
    def random_in_box(self, low: tuple[int, int, int], high: tuple[int, int, int]) -> tuple[int, int, int] | None:
        """A random cell in a box on which an agent can stand."""
    def random_reachable(self, start: tuple[int, int, int], radius: int) -> tuple[int, int, int] | None:
        """A random cell that can be reached within so many blocks."""
    def stands(self, at: tuple[int, int, int]) -> bool:
        """Whether an agent can stand in a cell."""
    @property
    def stats(self) -> tuple[int, int, int]:
        """How many small meshes were built and connected, and the bytes they take."""
    def take(self, number: int) -> BlockPath | None:
        """The answer to a number, once it is there, else None; it is forgotten then."""
    def update(self, budget: int = 1000) -> None:
        """Works on what was asked for, as far as a budget of nodes, 1 or more, reaches."""
    @property
    def waiting(self) -> int:
        """How many are waiting."""

@final
class BlockPath:
    """A path over blocks. False where there is none."""
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def length(self) -> float:
        """Metres."""
    @property
    def limit(self) -> str | None:
        """The limit that cut it short: "nodes", or None."""
    @property
    def points(self) -> NDArray[np.float32]:
        """The points to walk over, shape (n, 3)."""
    @property
    def status(self) -> str:
        '''"complete", "partial" or "none".
        '''
    @property
    def visited(self) -> int:
        """Nodes that the search took."""

@final
class BlockWorld:
    """A world of blocks of a metre: what is in each cell (x, y, z)."""
    def __new__(cls) -> BlockWorld:
        """A world of air."""
    @staticmethod
    def from_array(array: ArrayLike, origin: tuple[int, int, int] = ...) -> BlockWorld:
        """A world of an array of shape (x, y, z): 0 air, 1 solid, 2 water, 3 ladder, 4 door, 5 hazard. `origin` is the cell of its first element."""
    @property
    def bounds(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        """The lowest and the highest cell; None if it is all air."""
    def get(self, at: tuple[int, int, int]) -> str:
        """What is in a cell."""
    def set(self, at: tuple[int, int, int], kind: str) -> None:
        """Sets a block: "air", "solid", "water", "ladder", "door" or "hazard". Tell `BlockNav.invalidate` of it."""

@final
class Cancel:
    """Cancels long work from another thread."""
    def __new__(cls) -> Cancel:
        ...
    def cancel(self) -> None:
        """Cancels all work that was given this object. It ends soon, with `wayfare.Cancelled`."""
    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""

@final
class ClearanceMesh:
    """A mesh cut from another for agents that are wider than those it was baked for."""
    def __new__(cls, mesh: NavMesh, radius: float, filter: Filter | None = None) -> ClearanceMesh:
        ...
    def base_poly(self, poly: int) -> int | None:
        """The polygon of the first mesh that a polygon was cut from."""
    def follow(self, mesh: NavMesh) -> int:
        """Cuts the tiles anew that have changed in the first mesh; returns how many."""
    @property
    def mesh(self) -> NavMesh:
        """The mesh that was cut."""
    @property
    def radius(self) -> float:
        """The radius it was cut for."""

@final
class Corridor:
    """A row of polygons from an agent to its goal, with both ends kept up as they move."""
    def __new__(cls, query: Query, at: Point | Place) -> Corridor:
        """A corridor at a place; `follow` gives it a path."""
    def __repr__(self) -> str:
        ...
    def corners(self, limit: int = 4) -> list[tuple[tuple[float, float, float], str]]:
        """The next corners: points with what each is: "left", "right", "connection", "end"."""
    @property
    def cost(self) -> float:
        """What it costs by the filter."""
    @property
    def end(self) -> Place | None:
        """Where the goal is."""
    def enter_connection(self, corner: int) -> tuple[int, tuple[float, float, float], tuple[float, float, float]] | None:
        """Enters the connection at a corner of the last `corners`: the connection, from where to where. None if there is none."""
    def follow(self, path: Path) -> None:
        """Takes up a path that begins where the corridor does."""
    def is_valid(self, look_ahead: int = 10) -> bool:
        """Whether its next polygons are there and can be walked."""
    @property
    def length(self) -> float:
        """Metres to the end."""
    def move_end(self, to: Point) -> tuple[float, float, float]:
        """Moves the goal; returns where it is then."""
    def move_start(self, to: Point) -> tuple[float, float, float]:
        """Moves the agent; returns where it is then."""
    @property
    def polys(self) -> NDArray[np.uint64]:
        """Its polygons."""
    def repair(self, look_ahead: int = 10, reach: Point | None = None) -> tuple[str, str | None]:
        """Keeps what can be kept after the mesh has changed: "whole", "cut" (it ends earlier), "moved" (to the nearest surface) or "lost", and
        what broke it.
        """
    def shorten_by_search(self, nodes: int = 32) -> bool:
        """Shortens it by a search of so many nodes; returns whether it did."""
    def shorten_by_sight(self, next: Point, range: float) -> bool:
        """Shortens it where a place farther along is in sight within a range; returns whether it did."""
    @property
    def start(self) -> Place | None:
        """Where the agent is."""
    def stop(self) -> None:
        """Ends where it begins."""

@final
class CostBounds:
    """Lower bounds of costs from anywhere to anywhere on a mesh. Given in place of the name of a search or of a planner, they guide it: it finds
    the cheapest path, usually several times faster than without on meshes of thousands of polygons.

    They hold for the mesh as it is when they are made. After a change of it, searches go on without them until new ones are made.
    """
    def __new__(cls, mesh: NavMesh, filter: Filter | None = None) -> CostBounds:
        """Computes bounds for a mesh and a filter: the most common one, since they also serve others, but less the more their costs differ. It takes
        some hundred milliseconds for 30,000 polygons; other threads of Python run meanwhile.
        """
    def __repr__(self) -> str:
        ...
    def hold_for(self, mesh: NavMesh) -> bool:
        """Whether they hold for a mesh as it is now: whether it has not changed since."""
    @property
    def nbytes(self) -> int:
        """Bytes that they take in memory."""
    @property
    def points(self) -> NDArray[np.float32]:
        """The reference points that they were computed from, shape (n, 3), for drawings."""

@final
class CostMap:
    """What it costs to get from one place to everywhere around, and the paths there."""
    def __new__(cls, query: Query, start: Point | Place) -> CostMap:
        """Limits are those of the query: `max_cost` is the farthest that is looked at."""
    def cost_to(self, poly: int) -> float | None:
        """What it costs to get to a polygon; None if it was not reached."""
    def costs(self, polys: ArrayLike) -> NDArray[np.float32]:
        """What it costs to get to each polygon of the mesh, in the order of `NavMesh.polys`; infinity where it was not reached."""
    @property
    def limit(self) -> str | None:
        """The limit at which it ends: "nodes", "distance", or None."""
    def path_to(self, goal: Point | Place) -> Path:
        """The path to a place."""
    @property
    def start(self) -> NDArray[np.float32]:
        """Where it begins, shape (1, 3)."""

@final
class CostOverlay:
    """What a metre costs in addition, in cells of the world: danger, fire, crowding. Give it to a `Filter`, which takes it as it is then."""
    def __new__(cls, *, cell_size: float | None = None, cell_height: float | None = None, half_life: int | None = None, max_cells: int | None = None) -> CostOverlay:
        """`half_life` is in ticks, 0 for costs that stay."""
    @staticmethod
    def from_bytes(data: bytes) -> CostOverlay:
        ...
    def __len__(self) -> int:
        ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        ...
    def advance(self, ticks: int = 1) -> None:
        """So many ticks go by: costs fade."""
    def cells(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """The cells that cost something: low corners (n, 3), high corners (n, 3), costs (n)."""
    def clear(self) -> None:
        """Takes everything off."""
    def cost_along(self, start: Point, end: Point) -> float:
        """What a straight line costs in addition."""
    def cost_at(self, point: Point) -> float:
        """What a metre costs in addition at a point."""
    def paint_box(self, low: Point, high: Point, cost: float) -> int:
        """Adds a cost to a box."""
    def paint_disc(self, center: Point, radius: float, cost: float, reach: float = 1.0) -> int:
        """Adds a cost to a disc that reaches so far up and down; returns how many cells it covers."""
    def paint_polygon(self, corners: Sequence[Sequence[float]], low: float, high: float, cost: float) -> int:
        """Adds a cost to a polygon of corners (x, z) between two heights."""
    def to_bytes(self) -> bytes:
        ...

@final
class Crowd:
    """Many agents on a mesh. Each tick, `step` moves them: it finds their paths, steers, avoids, and keeps them on the mesh. The same for any
    number of threads.
    """
    def __new__(cls, mesh: NavMesh, settings: CrowdSettings | None = None, *, planner: str | CostBounds = ...) -> Crowd:
        """A crowd on a mesh. `planner` finds the paths: "corridor", which is the default, "optimal", "hierarchical", "flow" for many who go to the
        same place, or `CostBounds`.
        """
    @staticmethod
    def from_bytes(data: bytes, mesh: NavMesh, filters: Sequence[Filter] = ..., *, planner: str | CostBounds = ...) -> Crowd:
        """A crowd of such bytes, on the same mesh, with the filters that it had."""
    def __contains__(self, agent: object, /) -> bool:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def add(self, at: Point, params: AgentParams | None = None) -> AgentId:
        """Adds an agent at the place nearest to a point."""
    def add_filter(self, filter: Filter) -> int:
        """Adds a filter; agents name it by its number."""
    def add_many(self, points: ArrayLike, params: AgentParams | None = None) -> list[AgentId]:
        """Adds an agent at each of these points, shape (n, 3): all of them, or none where it raises."""
    @property
    def agents(self) -> list[AgentId]:
        """All agents, in the order of the rows of all arrays."""
    @property
    def avoiding(self) -> NDArray[np.float32]:
        """The velocities that avoidance chose, shape (n, 3): to be set between the phases "avoid" and "integrate"."""
    @avoiding.setter
    def avoiding(self, value: ArrayLike) -> None:
        ...
    def begin(self, dt: float) -> None:
        """Begins a tick of single phases."""
    def corners(self, agent: AgentId) -> NDArray[np.float32]:
        """The next corners of its path, shape (n, 3)."""
    def corridor(self, agent: AgentId) -> NDArray[np.uint64]:
        """The polygons of its corridor."""
    @property
    def desired(self) -> NDArray[np.float32]:
        """The velocities that steering wants, shape (n, 3): to be set between the phases "steer" and "avoid"."""
    @desired.setter
    def desired(self, value: ArrayLike) -> None:
        ...
    @property
    def events(self) -> list[CrowdEvent]:
        """What happened in the last tick."""
    def finish(self) -> None:
        """Ends a tick of single phases."""
    def follow_agent(self, agent: AgentId, leader: AgentId) -> None:
        """Follows another agent."""
    def follow_point(self, agent: AgentId, point: Point) -> None:
        """Goes to a place that moves: call it whenever it has moved."""
    def go_to(self, agent: AgentId, point: Point) -> None:
        """Goes to the place nearest to a point."""
    def go_to_many(self, points: ArrayLike) -> None:
        """Sends each agent to the place nearest to its row of `points`, shape (n, 3), in the order of `agents`."""
    def is_at_rest(self, agent: AgentId) -> bool:
        """Whether it rests."""
    def local_bend(self, agent: AgentId) -> tuple[float, float, float] | None:
        """Where an agent steers instead of its next corner, to get around obstacles; None if its line is free."""
    @property
    def mesh(self) -> NavMesh:
        """The mesh."""
    def neighbours(self, agent: AgentId) -> list[AgentId]:
        """The agents that it sees, nearest first."""
    def obstructed_by(self, agent: AgentId) -> list[int]:
        """The ids of the obstacles on an agent's line to its next corner, nearest first, if no path led around them in the last tick; else none."""
    def on_connection(self, agent: AgentId) -> tuple[int, tuple[float, float, float], tuple[float, float, float], float] | None:
        """The connection that an agent is on, from where to where, and how far it has come; None if it is on none."""
    def params(self, agent: AgentId) -> Any:
        """An agent's parameters."""
    def pause(self, agent: AgentId, paused: bool = True) -> None:
        """Lets an agent stand, or go on."""
    def position(self, agent: AgentId) -> tuple[float, float, float]:
        """Where an agent is."""
    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions of all agents, shape (n, 3), in the order of `agents`: a copy that cannot be written to."""
    @property
    def profile(self) -> dict[str, Any]:
        """Seconds by phase, and counts, of the last tick."""
    def remaining_distance(self, agent: AgentId) -> float | None:
        """Metres along its path to the target; None if it has none."""
    def remove(self, agent: AgentId) -> None:
        """Removes an agent."""
    def run_phase(self, phase: str, dt: float) -> None:
        """Runs one phase of a tick: "validate", "plan", "neighbours", "corners", "connections", "steer", "avoid", "integrate", "resolve",
        "constrain", in this order, between `begin` and `finish`.
        """
    def set_bounds(self, bounds: CostBounds) -> None:
        """Goes on with other bounds, those of the mesh as it is now, where the planner is `CostBounds`."""
    def set_connection_progress(self, agent: AgentId, progress: float) -> None:
        """How far an agent has come over its connection, 0 to 1, where the game moves it."""
    def set_costs(self, number: int, filter: Filter) -> None:
        """The same where only costs have changed: who is on a path that costs more now asks for another."""
    def set_filter(self, number: int, filter: Filter) -> None:
        """Puts another filter in the place of one."""
    def set_obstacles(self, obstacles: Sequence[GridObstacle]) -> None:
        """Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones: crates, parked cars,
        doors ajar. Call it again whenever one has moved. For obstacles that stay, change the mesh (`Obstacles`): paths then take them into account.

        An agent whose line to its next corner is blocked finds a path around them, within 22 times its radius. Where there is none, it goes as
        near as it can, and `obstructed_by` and an event "obstructed" say what is in its way. They are not saved with the crowd.
        """
    def set_params(self, agent: AgentId, params: AgentParams) -> None:
        """Sets an agent's parameters."""
    def set_position(self, agent: AgentId, point: Point) -> None:
        """Moves an agent that the game drives."""
    def set_velocity(self, agent: AgentId, velocity: Point) -> None:
        """Pushes an agent: its velocity from now on, m/s."""
    @property
    def settings(self) -> Any:
        """The settings; set them as a whole."""
    @settings.setter
    def settings(self, value: CrowdSettings) -> None:
        ...
    def status(self, agent: AgentId) -> str:
        """How it stands with its path: "none", "waiting", "complete", "partial", "arrived", "unreachable", "lost"."""
    @property
    def statuses(self) -> list[str]:
        """How each agent stands with its path, in words."""
    def step(self, dt: float, ticks: int = 1) -> None:
        """Moves the crowd on by `dt` seconds, so many times. A tick takes at most one second: what is beyond is left out."""
    def stop(self, agent: AgentId) -> None:
        """Stands, and steps aside for others."""
    def target(self, agent: AgentId) -> Any:
        """What it goes to: a word and a point, an agent or a velocity."""
    def teleport(self, agent: AgentId, point: Point) -> None:
        """Puts an agent somewhere else; its target stays."""
    @property
    def time(self) -> float:
        """Seconds that went by."""
    def to_bytes(self) -> bytes:
        """The crowd as bytes: agents, corridors, jumps, random state. Mesh and filters are saved by themselves."""
    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities of all agents, shape (n, 3)."""
    def velocity(self, agent: AgentId) -> tuple[float, float, float]:
        """How fast it goes, m/s."""
    def walk(self, agent: AgentId, velocity: Point) -> None:
        """Walks with a velocity, m/s, wherever that leads."""
    def walk_many(self, velocities: ArrayLike) -> None:
        """Gives each agent a velocity that it wants, shape (n, 3) or (n, 2) for x and z, in the order of `agents`."""

@final
class CrowdEvent:
    """Something that happened in a tick."""
    def __repr__(self) -> str:
        ...
    @property
    def agent(self) -> AgentId:
        """Who it happened to."""
    @property
    def details(self) -> dict[str, Any]:
        """What belongs to it: "complete", "spells", "by" and "ahead" of a broken path, "start" and "end", "connection", "obstacle"."""
    @property
    def kind(self) -> str:
        """What: "path_found", "unreachable", "path_lost", "path_breaks_soon", "displaced", "ground_lost", "arrived", "blocked", "gave_up",
        "connection_entered", "connection_left", "obstructed".
        """

@final
class ExplainMap:
    """What each stage of a bake decided about each place."""
    @staticmethod
    def from_bytes(data: bytes) -> ExplainMap:
        ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        ...
    def __repr__(self) -> str:
        ...
    def at(self, point: Point) -> dict[str, Any] | None:
        """Why a place can be walked on, or not: "reason" in a word, "sentence", "walkable", "ground", the surface that is meant, and "cause", what
        took it away and where. None where nothing was baked.
        """
    def to_bytes(self) -> bytes:
        ...

@final
class Filter:
    """Which polygons may be walked on, and what a metre costs there.

    A polygon passes if it has one of the `include` flags and none of the `exclude` flags. `area_costs` are by area type, above 0; infinity
    closes an area. With `max_rise`, what is steeper is walked down only. `overlays` are pairs of a `CostOverlay`, as it is now, and a weight.
    `passes(poly, area, flags)` and `cost(poly, start, end, usual)` are functions of your own, asked while searches run: slow, and whatever
    they raise is raised by the query.
    """
    def __new__(cls, *, include: int = 0xffff, exclude: int = 0, area_costs: Mapping[int, float] = ..., max_rise: float | None = None, overlays: Sequence[tuple[CostOverlay, float]] = ..., passes: Callable[[int, int, int], bool] | None = None, cost: Callable[[int, Any, Any, float], float] | None = None) -> Filter:
        ...
    @classmethod
    def _unpickle(cls, state: Any) -> Any:
        ...
    @staticmethod
    def of(mesh: NavMesh) -> Filter:
        """The filter that a mesh is asked with unless another is given: all flags, and the costs of its area types."""
    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def area_costs(self) -> dict[int, float]:
        """What a metre costs, by area type; 1 where nothing is said."""
    @property
    def exclude(self) -> int:
        """The flags of which it has none."""
    @property
    def include(self) -> int:
        """The flags of which a polygon has one."""

@final
class Formation:
    """Agents that walk in slots behind a leader."""
    def __new__(cls, leader: AgentId, slots: Sequence[Sequence[float]], members: Sequence[AgentId]) -> Formation:
        """`slots` are places beside the leader: to its right, and behind it, metres."""
    @staticmethod
    def block(count: int, columns: int, spacing: float) -> list[tuple[float, float]]:
        """The slots of a block of so many columns."""
    @staticmethod
    def from_bytes(data: bytes) -> Formation:
        ...
    @staticmethod
    def wedge(count: int, spacing: float) -> list[tuple[float, float]]:
        """The slots of a wedge."""
    def lead(self, crowd: Crowd) -> None:
        """Sends the members to their slots: call it before each step."""
    @property
    def slots(self) -> list[tuple[AgentId, int, tuple[float, float, float]]]:
        """Members, the numbers of their slots, and where those are now."""
    def to_bytes(self) -> bytes:
        ...

@final
class Frame:
    """The axes and unit of other engines."""
    def __eq__(self, value: object, /) -> bool: ...
    UNITY: Frame
    UNREAL: Frame
    Z_UP: Frame
    def __new__(cls, up: str = "y", handedness: str = "right", unit: float = 1.0) -> Frame:
        """A frame with an axis that points up, a handedness, and a unit in metres."""
    def __reduce__(self) -> tuple[Any, tuple[str, str, float]]:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def handedness(self) -> str:
        '''"right" or "left".
        '''
    def points_in(self, points: ArrayLike) -> NDArray[np.float32]:
        """Points of this frame in Wayfare's coordinates, shape (n, 3)."""
    def points_out(self, points: ArrayLike) -> NDArray[np.float32]:
        """Points of Wayfare in the coordinates of this frame, shape (n, 3)."""
    @property
    def unit(self) -> float:
        """Metres in a unit."""
    @property
    def up(self) -> str:
        """The axis that points up: "y" or "z"."""

@final
class GeneratedWorld:
    """A world that is made piece by piece, such as "continent?km=2"."""
    def __new__(cls, spec: str) -> GeneratedWorld:
        ...
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        ...
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """The box around it."""
    def piece(self, low: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """The triangles that may touch a box: shape (n, 3, 3), and their area types."""

@final
class GridObstacle:
    """Something in the way that a mesh does not contain: for `Crowd.set_obstacles` and `LocalGrid.block`. `id` is a number of your own, by which
    answers name it.
    """
    @staticmethod
    def box(center: Point, half: tuple[float, float], yaw: float = 0.0, id: int = 0) -> GridObstacle:
        """A box by half of its sides along x and z, turned about the y axis by `yaw` radians."""
    @staticmethod
    def disc(center: Point, radius: float, id: int = 0) -> GridObstacle:
        """A disc."""
    @staticmethod
    def segment(start: Point, end: Point, id: int = 0) -> GridObstacle:
        """A wall between two points."""
    def __repr__(self) -> str:
        ...
    @property
    def id(self) -> int:
        """Its number."""

@final
class Level:
    """A level: triangles, or heights on a grid, with volumes that block or paint, and off-mesh connections."""
    def __new__(cls, vertices: ArrayLike, triangles: ArrayLike, areas: ArrayLike | None = None, *, frame: Frame | None = None) -> Level:
        """A level of triangles: `vertices` of shape (n, 3), `triangles` of shape (m, 3), and an area type for each triangle (63, plain
        ground, unless given). Triangles that are not finite or have no area are left out; `dropped` counts them. With a `frame`, the
        vertices are in the coordinates of another engine.
        """
    @staticmethod
    def _unpickle(state: Any) -> Level:
        ...
    @staticmethod
    def from_bytes(name: str, data: bytes, *, files: Callable[[str], bytes] | None = None, up: str | None = None, scale: float = 1.0, areas: Mapping[str, int] = ..., pixel_size: float = 1.0, pixel_height: float = 0.01) -> Level:
        """Reads a level from bytes; the ending of `name` says of which kind they are. `files` is called with the names of other files that the
        level names (the buffers of a `.gltf`), and returns their bytes.
        """
    @staticmethod
    def from_heights(samples: ArrayLike, *, spacing: float = 1.0, step: float = 0.01, origin: Point | None = None, area: int = 63) -> Level:
        """A level from heights: `samples` of type uint16 and shape (rows, columns), rows along z, in steps of `step` metres; points lie `spacing`
        metres apart.
        """
    @staticmethod
    def load(*paths: str | os.PathLike[str], up: str | None = None, scale: float = 1.0, areas: Mapping[str, int] = ..., pixel_size: float = 1.0, pixel_height: float = 0.01) -> Level:
        """Reads one or several files as one level: OBJ, glTF, STL, PLY, 16-bit PNG height maps, `.gset`. `areas` gives area types by the names
        of materials, objects and groups. `up` is "y" or "z"; unless given, what is usual in each format.
        """
    @staticmethod
    def scene(spec: str) -> Level:
        """A built-in level, such as "dungeon" or "stairs?steps=12": `wayfare.scenes()` lists them."""
    def __copy__(self) -> Level:
        ...
    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        ...
    def __repr__(self) -> str:
        ...
    def add_connection(self, connection: Connection) -> None:
        """Adds an off-mesh connection, which the baked mesh gets."""
    def add_volume(self, volume: Volume, *, paint: int | None = None, before_erosion: bool | None = None) -> None:
        """Adds a volume: it blocks, or paints the surface in it with an area type. Blocking volumes are marked before erosion, so agents keep
        the distance of their radius; painting ones after it. A volume that holds nothing is refused.
        """
    @property
    def areas(self) -> NDArray[np.uint8]:
        """The area type of each triangle."""
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """The box around all of it: low and high corner; None if there is nothing."""
    @property
    def connections(self) -> list[Any]:
        """Its off-mesh connections."""
    @property
    def dropped(self) -> tuple[int, int]:
        """How many triangles were left out: not finite, and without area."""
    @property
    def notes(self) -> list[str]:
        """What the readers left out or noticed, for people."""
    @property
    def triangles(self) -> NDArray[np.uint32]:
        """The triangles, shape (m, 3)."""
    @property
    def vertices(self) -> NDArray[np.float32]:
        """The vertices, shape (n, 3)."""
    @property
    def volume_count(self) -> int:
        """How many volumes it has."""
    @property
    def volumes(self) -> list[tuple[Volume, int | None, bool]]:
        """Its volumes, each with the area type it paints with (None: it blocks), and whether it is marked before erosion."""

@final
class LiveLevel:
    """A level of triangles, objects and obstacles that come, move and go, and the mesh that follows it tile by tile, with its automatic links.

    A change costs little; `step` does the work. Tiles have the bytes of a bake of the level as it is, whatever the budgets. `Obstacles` and
    `ObjectLevel` are its parts, one by one.
    """
    def __new__(cls, level: Level, settings: BakeSettings | AgentSettings | None = None, *, links: LinkSettings | None = None) -> LiveLevel:
        """A level of which nothing is baked yet: `step` bakes it. What is added later counts inside the settings' `bounds`, those of the level unless
        given. The level's volumes stay as they are: those that come and go are obstacles. With `links`, drops, jumps and climbs are found and kept up, as off-mesh connections.
        """
    @staticmethod
    def stored(mesh: NavMesh, *, level: Level | None = None, links: LinkSettings | None = None) -> LiveLevel:
        """A level whose mesh was saved with what `store` put beside it, or by `wayfare bake --layers`; one without that is refused. For objects it
        needs what it was baked from: `level`.
        """
    def __repr__(self) -> str:
        ...
    @property
    def about_to_change(self) -> list[tuple[int, int]]:
        """Columns and rows of the tiles that will be rebuilt."""
    def add_object(self, vertices: ArrayLike, triangles: ArrayLike, offset: Point | None = None) -> ObjectId:
        """Adds an object of triangles, moved by an offset: it can be walked on, and is in the way. Returns its id."""
    def add_obstacle(self, volume: Volume, *, paint: int | None = None, before_erosion: bool | None = None) -> ObstacleId:
        """Adds an obstacle: a volume that blocks, or paints the surface in it with an area type, as `Obstacles.add`. Returns its id."""
    def announce(self) -> None:
        """Tells those who walk on the tiles that will be rebuilt, before it happens: see `NavMesh.announce`. To be called after changes."""
    def level(self) -> Level | None:
        """The level with its objects as it is now, obstacles apart; None if it was stored and `level` was not given."""
    @property
    def links(self) -> list[AutoLink]:
        """The automatic links that are in the mesh."""
    @property
    def mesh(self) -> NavMesh:
        """The mesh, as far as it has followed: always the same object. Its connections, areas and flags may be changed between steps; tiles that
        are put in by hand come back as they were with the next rebuild.
        """
    def move_object(self, object: ObjectId, offset: Point) -> None:
        """Moves an object: it is now moved by this offset."""
    def move_obstacle_by(self, obstacle: ObstacleId, by: Point) -> None:
        """Moves an obstacle by so much."""
    def obstacle(self, obstacle: ObstacleId) -> tuple[Volume, int | None, bool]:
        """An obstacle's volume, what it paints, and whether it is marked before erosion."""
    @property
    def obstacles(self) -> list[ObstacleId]:
        """All obstacles."""
    @property
    def progress(self) -> tuple[str, int, int]:
        """How far the mesh has followed: "tiles" or "links", how much of that is done, and how much there is in all."""
    @property
    def rebuilt(self) -> list[tuple[tuple[int, int], str]]:
        """What the last step did: column and row of each tile, and "same", "replaced", "removed" or "added"."""
    def remove_object(self, object: ObjectId) -> None:
        """Takes an object away."""
    def remove_obstacle(self, obstacle: ObstacleId) -> None:
        """Takes an obstacle away."""
    def replace_obstacle(self, obstacle: ObstacleId, volume: Volume, *, paint: int | None = None, before_erosion: bool | None = None) -> None:
        """Puts another volume in the place of one."""
    def replace_terrain(self, level: Level | None) -> None:
        """Puts the height map of another level in the place of the one that was there; None, or a level without, takes it away. If both have their
        points in the same places, only tiles under points whose height is another are baked again: dig by giving the same map with other samples.
        """
    def replace_triangles(self, vertices: ArrayLike, triangles: ArrayLike, areas: ArrayLike | None = None) -> None:
        """Puts other triangles in the place of those that are no objects. Only tiles under triangles that came or went are baked again."""
    def step(self, budget: int | None = None, *, cancel: Cancel | None = None) -> bool:
        """Follows the changes as far as the budget, 1 or more, reaches (None: all of them): rebuilds tiles, then searches links. Returns whether all is done.
        Raises BakeError for a tile or link that failed, once each; later steps go on with the rest.
        """
    def store(self) -> None:
        """Puts obstacles, what tiles are rebuilt from, and the work that is left beside the mesh, to be saved with it by `NavMesh.save`; `stored`
        reads it. Objects are not saved: add them again where they stood.
        """

@final
class LocalGrid:
    """A small grid around an agent: block what is near, and find the way between."""
    def __new__(cls, size: int = 32, cell_size: float = 0.25, radius: float = 0.5) -> LocalGrid:
        """`size` cells to a side, at most 64; what is blocked is kept `radius` away."""
    def block(self, obstacle: GridObstacle) -> None:
        """Blocks the cells where the agent would touch an obstacle."""
    def blockers(self, start: Point, goal: Point) -> list[int]:
        """The ids of what stands in the way of a straight line."""
    @property
    def cells(self) -> NDArray[np.bool_]:
        """Which cells are blocked, shape (size, size), rows along z: a copy that cannot be written to. Set all of it, or use `set_blocked`."""
    @cells.setter
    def cells(self, value: ArrayLike) -> None:
        """Blocks and frees all cells at once: an array of bool of shape (size, size), rows along z, as of sensors. What is blocked should be grown
        by the agent's radius.
        """
    def clear(self) -> None:
        """Empties it."""
    def find_path(self, start: Point, goal: Point) -> tuple[str, NDArray[np.float32]]:
        """The path from one point to another: a status and points, shape (n, 3)."""
    @property
    def origin(self) -> tuple[float, float]:
        """The x and z of its low corner."""
    def recenter(self, center: Point) -> None:
        """Moves the grid to an agent, and empties it."""
    def set_blocked(self, x: int, z: int, blocked: bool = True) -> None:
        """Blocks or frees the cell in column `x`, row `z`."""

@final
class MeshVersion:
    """A mark of a mesh at some time."""
    def __eq__(self, value: object, /) -> bool: ...

@final
class NavMesh:
    """A navigation mesh: convex polygons in tiles, linked.

    Polygons and tiles are named by whole numbers, references, which stay valid while their tile stays; a reference to what is gone raises
    StaleReferenceError. Copies are cheap: they share tiles. Questions are asked of the mesh itself, or of a session: see `query`.
    """
    @staticmethod
    def from_bytes(data: bytes) -> NavMesh:
        """Reads a mesh from bytes of any of these files."""
    @staticmethod
    def is_detour(data: bytes) -> bool:
        """Whether these are bytes of Detour's set of tiles."""
    @staticmethod
    def load(path: str | os.PathLike[str], *, allow_broken: bool = False) -> NavMesh:
        """Loads a mesh from a file: `.way`, Detour's sets, Polyanya's `.mesh`, MovingAI's `.map`, or a tile store, of which all tiles are read.
        A store with a tile that is missing or broken raises WorldStoreError; with `allow_broken`, such tiles are left out.
        """
    def __copy__(self) -> NavMesh:
        ...
    def __deepcopy__(self, _memo: ArrayLike, /) -> NavMesh:
        ...
    def __eq__(self, value: object, /) -> bool:
        ...
    def __reduce__(self) -> tuple[Any, tuple[bytes], dict[int, int]]:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, area_flags: Mapping[int, int], /) -> None:
        """Beside its bytes, the flags that its bake gave area types."""
    def _repr_svg_(self) -> str:
        """What a notebook shows."""
    def add_connection(self, connection: Connection) -> int:
        """Adds an off-mesh connection; returns its reference."""
    def add_tile(self, data: bytes) -> int:
        """Adds a tile of these bytes; one that stands at its place is replaced. Returns its reference."""
    def announce(self, tiles: Sequence[int]) -> None:
        """Says that tiles will be rebuilt soon: paths over them learn of it."""
    @property
    def area_names(self) -> dict[int, tuple[str, float]]:
        """Names and costs of area types."""
    @area_names.setter
    def area_names(self, value: Mapping[int, tuple[str, float]]) -> None:
        ...
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """The box around all polygons."""
    def changes_since(self, version: MeshVersion) -> tuple[list[int], list[int]] | None:
        """The tiles that have changed since, and those that are about to; None if the mesh does not know that version: everything may have
        changed.
        """
    def check(self) -> list[tuple[str, int, tuple[float, float, float]]]:
        """What is wrong with the mesh: a sentence, the polygon and the place of each fault. A sound mesh has none."""
    def clear_area_flags(self, area: int) -> None:
        """Takes such a rule back."""
    def components(self) -> NDArray[np.uint32]:
        """The component of each polygon, in the order of `polys`: polygons with the same number are connected."""
    @property
    def connections(self) -> dict[int, Connection]:
        """All off-mesh connections, by reference."""
    def copy(self) -> NavMesh:
        ...
    @property
    def digest(self) -> str:
        """A text that names the content of the mesh: equal for equal bytes."""
    def empty_like(self) -> NavMesh:
        """An empty mesh with the same layout of tiles."""
    def find_path(self, start: Point | Place, goal: Point | Place) -> Path:
        """The shortest path from one place to another, in one call: as `Query.find_path` with what is usual."""
    def hollow_surfaces(self, level: Level, agent_height: float) -> list[tuple[int, tuple[float, float, float]]]:
        """Surfaces inside closed bodies of a level, which nobody can reach: their polygons and where."""
    def is_valid(self, poly: int) -> bool:
        """Whether a reference is of a polygon or connection that is there."""
    @property
    def memory(self) -> tuple[int, int]:
        """Bytes of its tiles and of their search indices."""
    def nearest(self, point: Point) -> Place | None:
        """The nearest place on the mesh, in one call: within two metres to each side and four up and down."""
    @property
    def poly_count(self) -> int:
        """How many polygons it has."""
    def poly_neighbours(self, poly: int) -> NDArray[np.uint64]:
        """The polygons that a polygon leads to."""
    def poly_points(self, poly: int) -> NDArray[np.float32]:
        """The corners of a polygon, shape (n, 3)."""
    def poly_state(self, poly: int) -> tuple[int, int]:
        """The area type and flags of a polygon or connection."""
    def poly_tile(self, poly: int) -> int:
        """The tile of a polygon."""
    @property
    def polys(self) -> NDArray[np.uint64]:
        """All polygons: their references."""
    def publish(self, newer: NavMesh) -> None:
        """Takes over an edited copy of this mesh, which a thread has made: sessions and crowds of this mesh go on over it. Raises
        OutdatedError if this mesh has changed since it was copied, or if `newer` is no copy of it: what has changed would be lost. Sections stay as
        they are here.
        """
    def query(self, filter: Filter | None = None, *, reach: Point | None = None, max_nodes: int | None = None, max_cost: float | None = None, placement: str = "middle", seed: int = 0) -> Query:
        """A session of questions: see `Query`."""
    def remove_connection(self, connection: int) -> None:
        """Removes an off-mesh connection."""
    def remove_tile(self, tile: int) -> None:
        """Removes a tile; references into it are stale from then on."""
    def replace(self, other: NavMesh) -> None:
        """Takes over another mesh, whatever it was made from: what has changed in this one is lost. In a mesh that is no copy of this one,
        references start anew, and old ones may name other polygons.
        """
    @property
    def report(self) -> BakeReport | None:
        """What the bake said of itself; None for a mesh that was loaded."""
    def restore_delta(self, data: bytes) -> None:
        """Sets it from such bytes. A restore that fails changes nothing."""
    def restore_tile_state(self, tile: int, data: bytes) -> None:
        """Sets them from such bytes. A restore that fails changes nothing."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the mesh, with what is kept beside it: a `.way` file, or Detour's set if the name ends in `.bin`, or triangles if it ends in
        `.obj` or `.glb`. The file is written whole or not at all.
        """
    def section(self, name: str) -> bytes | None:
        """Bytes that are kept beside the mesh in its file, by name."""
    def set_area(self, poly: int, area: int) -> None:
        """Sets the area type of a polygon or connection."""
    def set_area_flags(self, area: int, flags: int) -> None:
        """Sets the flags of all polygons of an area type, those of tiles to come included."""
    def set_flags(self, poly: int, flags: int) -> None:
        """Sets the flags of a polygon or connection."""
    def set_section(self, name: str, data: bytes | None, version: int = 1) -> None:
        """Keeps bytes beside the mesh in its file; None removes them."""
    def shapes(self) -> list[tuple[str, str, NDArray[np.float32]]]:
        """The shapes of a picture of the mesh, for a renderer of your own: "polygon", "line" or "point", what each stands for, and its points."""
    def store_delta(self) -> bytes:
        """What differs from the mesh as it was baked, as bytes."""
    def store_tile_state(self, tile: int) -> bytes:
        """The area types and flags of a tile's polygons, as bytes."""
    def surface(self) -> tuple[NDArray[np.float32], NDArray[np.uint32], NDArray[np.uint64]]:
        """The whole surface as triangles, with its heights: vertices (n, 3), triangles (m, 3), and the polygon of each triangle."""
    def tile_at(self, x: int, z: int, layer: int = 0) -> int | None:
        """The tile in a column and row, if there is one."""
    def tile_bytes(self, tile: int) -> bytes:
        """A tile as bytes, for another mesh of the same layout."""
    @property
    def tile_count(self) -> int:
        """How many tiles it has."""
    def tile_info(self, tile: int) -> dict[str, Any]:
        """Column, row, layer, count of polygons, and box of a tile."""
    @property
    def tiles(self) -> NDArray[np.uint64]:
        """All tiles: their references."""
    def to_bytes(self) -> bytes:
        """The bytes of a `.way` file."""
    def to_detour(self, bits: int = 64) -> bytes:
        """The bytes of Detour's set of tiles, with references of 32 or 64 bits."""
    def to_png(self, *, paths: Any | None = None, agents: ArrayLike | None = None, title: str = "mesh", size: int = 800) -> bytes:
        """The same as the bytes of a PNG file."""
    def to_svg(self, *, paths: Any | None = None, agents: ArrayLike | None = None, title: str = "mesh", size: int = 800) -> str:
        """A picture of the mesh from above as SVG, with paths (a `Path` or its points, shape (n, 3), or a list of them) and agents, shape (n, 3).
        `size` is its longer side in pixels, 1 to 8192.
        """
    @property
    def user_id(self) -> int:
        """A number of yours that is saved with it."""
    @user_id.setter
    def user_id(self, value: int) -> None:
        ...
    @property
    def version(self) -> MeshVersion:
        """A mark of the mesh as it is now, for `changes_since`."""
    def withdraw(self, tiles: Sequence[int]) -> None:
        """Takes that back."""

@final
class ObjectId:
    """Names an object of a level."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class ObjectLevel:
    """A level whose geometry changes: triangles that stay, and objects that come, move and go. Give the boxes it returns to
    `Obstacles.invalidate`, and itself to `Obstacles.step`.
    """
    def __new__(cls, level: Level, settings: BakeSettings | AgentSettings) -> ObjectLevel:
        """The level whose triangles and heights stay, and the settings of its bake, with bounds that hold all that may come."""
    def add(self, vertices: ArrayLike, triangles: ArrayLike, offset: Point | None = None) -> tuple[ObjectId, tuple[tuple[float, float, float], tuple[float, float, float]] | None]:
        """Adds an object of triangles, moved by an offset; returns its id, and the box that has changed."""
    def level(self) -> Level:
        """The whole level as it is now, without volumes, which are those of the checkpoints."""
    def move_to(self, object: ObjectId, offset: Point) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """Moves an object; returns the box around both places."""
    def remove(self, object: ObjectId) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """Removes an object; returns the box that has changed."""

@final
class ObstacleId:
    """Names an obstacle."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __repr__(self) -> str:
        ...

@final
class ObstacleRequest:
    """What was asked for: the tiles that are rebuilt for it."""
    @property
    def tiles(self) -> list[tuple[int, int, int]]:
        """Columns, rows and layers of the tiles that it touches."""

@final
class Obstacles:
    """Obstacles that are pushed and taken away while agents walk: the tiles under them are rebuilt, in steps of a budget. When all are gone,
    the mesh has the bytes that it had.
    """
    def __new__(cls, mesh: NavMesh, level: Level, settings: BakeSettings | AgentSettings, *, area_flags: Mapping[int, int] | None = None, progress: Callable[[int, int], object] | None = None) -> Obstacles:
        """Obstacles on a mesh that was baked from a level. The settings must be those of that bake: only the places of its tiles are checked.
        So must `area_flags`: unless given, they are those of the bake that made this mesh, which a file does not keep.
        """
    @staticmethod
    def from_bytes(mesh: NavMesh, checkpoints: bytes, data: bytes) -> Obstacles:
        """Obstacles of such bytes; names mean what they meant."""
    @staticmethod
    def from_checkpoints(mesh: NavMesh, data: bytes) -> Obstacles:
        """The same from bytes of `checkpoints`."""
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def about_to_change(self) -> list[tuple[int, int]]:
        """Columns and rows of the tiles that will be rebuilt."""
    def add(self, volume: Volume, *, paint: int | None = None, before_erosion: bool | None = None) -> tuple[ObstacleId, ObstacleRequest]:
        """Adds an obstacle: a volume that blocks, or paints the surface in it with an area type. Returns its id and what is rebuilt for it.
        A painting one that is marked before erosion keeps agents away from its border where that blocks.
        """
    @property
    def checkpoints(self) -> bytes:
        """What the tiles are rebuilt from, as bytes: about a fifth of a byte a cell."""
    def clear(self) -> ObstacleRequest:
        """Takes all of them away."""
    def get(self, obstacle: ObstacleId) -> tuple[Volume, int | None, bool]:
        """An obstacle's volume, what it paints, and whether it is marked before erosion."""
    @property
    def ids(self) -> list[ObstacleId]:
        """All obstacles."""
    def invalidate(self, low: Point, high: Point) -> ObstacleRequest:
        """The tiles under a box are to be rebuilt, since the geometry there has changed."""
    def move_by(self, obstacle: ObstacleId, by: Point) -> ObstacleRequest:
        """Moves an obstacle by so much."""
    def move_to(self, obstacle: ObstacleId, to: Point) -> ObstacleRequest:
        """Moves an obstacle to a place."""
    def outcome(self, request: ObstacleRequest) -> str:
        """What became of a request: "built", "waiting", "outside" where it touches no tile with surface, or "failed"."""
    @property
    def rebuilt(self) -> list[tuple[tuple[int, int], str]]:
        """What the last step did: column and row of each tile, and "same", "replaced", "removed" or "added"."""
    def remove(self, obstacle: ObstacleId) -> ObstacleRequest:
        """Takes an obstacle away."""
    def replace(self, obstacle: ObstacleId, volume: Volume, *, paint: int | None = None) -> ObstacleRequest:
        """Puts another volume in the place of one."""
    def step(self, budget: int | None = None, objects: ObjectLevel | None = None) -> tuple[int, int]:
        """Rebuilds as far as the budget, 1 or more, reaches (None: all of it), and puts the tiles into the mesh. Returns what is done and what there is in
        all. With `objects`, tiles are baked from their triangles.
        """
    def to_bytes(self) -> bytes:
        """All obstacles and the work that is left, as bytes; with `checkpoints` and the mesh, a saved game."""

@final
class Path:
    """A path: the points to walk over, and the polygons under them. False where there is none."""
    @staticmethod
    def _unpickle(state: Any) -> Path:
        ...
    def __array__(self, dtype: Any | None = None, copy: bool | None = None) -> Any:
        """Its points, for NumPy."""
    def __getitem__(self, index: int | slice, /) -> Any:
        """A point by its number, or those of a slice, shape (n, 3)."""
    def __iter__(self) -> Iterator[Any]:
        ...
    def __len__(self) -> int:
        ...
    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def cost(self) -> float:
        """What it costs by the filter."""
    @property
    def is_complete(self) -> bool:
        """Whether it leads to the goal."""
    @property
    def kinds(self) -> list[str]:
        """What each point is: "start", "left" and "right" of a corner, "enter" and "leave" of an off-mesh connection, "crossing", "end"."""
    @property
    def length(self) -> float:
        """The sum of the lengths between the points, metres."""
    @property
    def limit(self) -> str | None:
        """The limit that cut the search short: "nodes", "distance", or None."""
    @property
    def nodes(self) -> int:
        """How many nodes the search took."""
    @property
    def points(self) -> NDArray[np.float32]:
        """The points to walk over, from start to end, shape (n, 3)."""
    @property
    def polys(self) -> NDArray[np.uint64]:
        """The polygons and connections it leads over."""
    @property
    def portals(self) -> Any:
        """The edges between them: left and right end of each, shape (n, 2, 3)."""
    @property
    def status(self) -> str:
        '''"complete"; "partial" where the goal cannot be reached, and the path leads as near as it can; or "none".
        '''

@final
class PathQueue:
    """Many path requests at once, worked on in steps of a budget."""
    def __new__(cls, query: Query, planner: str | CostBounds = ...) -> PathQueue:
        """Requests go to the mesh, with the filter and limits, of a `Query`. `planner` as for `Crowd`."""
    def cancel(self, request: RequestId) -> None:
        """Gives a request up."""
    @property
    def pending(self) -> int:
        """How many are not done."""
    def request(self, start: Point | Place, goal: Point | Place) -> RequestId | None:
        """Asks for a path; None if one of the ends is not near the mesh."""
    def restart(self, request: RequestId) -> None:
        """Begins a request again."""
    def set_bounds(self, bounds: CostBounds) -> None:
        """Goes on with other bounds, those of the mesh as it is now, where the planner is `CostBounds`."""
    def state(self, request: RequestId) -> str:
        """How a request stands: "waiting", "searching", "done"."""
    def step(self, budget: int = 10_000) -> None:
        """Works on as many nodes, 1 or more."""
    def take(self, request: RequestId) -> QueuedPath | None:
        """The answer, once it is done, else None; it is forgotten then."""

@final
class Paths:
    """Many paths, as arrays: path `i` has the points `points[offsets[i]:offsets[i + 1]]`."""
    @staticmethod
    def _unpickle(status: NDArray[np.uint8], lengths: NDArray[np.float32], costs: NDArray[np.float32], offsets: NDArray[np.int64], points: NDArray[np.float32]) -> Paths:
        ...
    def __getitem__(self, index: int | slice, /) -> Any:
        """The points of one path, shape (n, 3), or a list of those of a slice."""
    def __iter__(self) -> Iterator[Any]:
        ...
    def __len__(self) -> int:
        ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def costs(self) -> NDArray[np.float32]:
        """What each costs by the filter."""
    @property
    def lengths(self) -> NDArray[np.float32]:
        """Lengths in metres."""
    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the points of each path begin, and one number more."""
    @property
    def points(self) -> NDArray[np.float32]:
        """The points of all paths, shape (n, 3)."""
    @property
    def status(self) -> NDArray[np.uint8]:
        """2 where the path is complete, 1 where it is partial, 0 where there is none."""

@final
class Place:
    """A place on the mesh."""
    def __new__(cls, poly: int, point: Point, over: bool = True) -> Place:
        ...
    def __reduce__(self) -> tuple[Any, tuple[int, tuple[float, float, float], bool]]:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def over(self) -> bool:
        """Whether the point that was asked about is above or below the polygon, and not beside it."""
    @property
    def point(self) -> tuple[float, float, float]:
        """The point on it."""
    @property
    def poly(self) -> int:
        """The polygon."""

@final
class Query:
    """A session of questions to a mesh: with a filter, limits, and memory that is kept. It follows its mesh as that changes.

    Points are looked up on the mesh within `reach` (to each side, up and down). A `Place` of an earlier answer is taken as it is.
    """
    def __new__(cls, mesh: NavMesh, filter: Filter | None = None, *, reach: Point | None = None, max_nodes: int | None = None, max_cost: float | None = None, placement: str = "middle", seed: int = 0) -> Query:
        """`filter`: what may be walked on; unless given, everything, at the costs of the mesh's area types. `reach`: how far points may be from
        the mesh. `max_nodes` and `max_cost` limit searches. `placement` says where on the edges between polygons a search over polygons places its
        nodes: "middle", "nearest" or "visible". `seed` is that of random places.
        """
    def __repr__(self) -> str:
        ...
    def around(self, at: Point | Place, radius: float) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float32]]:
        """The polygons that can be reached within a circle: polygons, the one before each (0 for the first), costs."""
    def around_convex(self, at: Point | Place, corners: ArrayLike) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float32]]:
        """The same within a convex shape of corners, shape (n, 3)."""
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """The box around the mesh."""
    def closest_point(self, poly: int, point: Point) -> tuple[tuple[float, float, float], bool]:
        """The closest point on a polygon, and whether the point is above or below it."""
    def closest_point_on_outline(self, poly: int, point: Point) -> tuple[float, float, float]:
        """The closest point on a polygon's outline."""
    def explain(self, start: Point, goal: Point) -> dict[str, Any]:
        """Why there is no path between two points: a dict with "reason" in one word, "sentence", and the places concerned."""
    def find_path(self, start: Point | Place, goal: Point | Place, search: str | CostBounds = ...) -> Path:
        """The path from one place to another. `search`: "optimal", the shortest in any direction (nearly, where the surface is uneven: the way back may differ by a
        thousandth); or "corridor", the cheapest row of polygons with
        its string pulled, which is faster and may be longer; or `CostBounds`, which guide a search for such a row and find it faster still. Where
        the goal cannot be reached, it leads to the reachable place nearest to it.
        """
    def find_path_to_box(self, start: Point | Place, low: Point, high: Point) -> Path:
        """The path into a box."""
    def find_path_to_nearest(self, start: Point | Place, goals: Sequence[Point | Place]) -> tuple[Path, int | None]:
        """The path to the nearest of several goals, and the goal's number; None where none can be reached."""
    def find_path_with_crossings(self, start: Point | Place, goal: Point | Place, all: bool = False) -> Path:
        """As `find_path` by "corridor", with a point wherever the line crosses from one area type to another, or, with `all`, from one polygon to
        another.
        """
    def find_paths(self, starts: ArrayLike, goals: ArrayLike, search: str | CostBounds = ...) -> Paths:
        """Paths from each start to each goal, both of shape (n, 3), on all threads. `search` as for `find_path`."""
    def height(self, poly: int, point: Point) -> float | None:
        """The height of a polygon under a point; None beside it."""
    @property
    def mesh(self) -> NavMesh:
        """The mesh that is asked."""
    def move_along(self, start: Point | Place, end: Point) -> Place | None:
        """Moves along the surface towards a point, sliding along walls; None if the start is not near the mesh."""
    def move_along_many(self, starts: ArrayLike, ends: ArrayLike) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """Moves along the surface, sliding along walls: polygons and points (n, 3); 0 and NaN where a start is not near the mesh."""
    def nearest(self, point: Point) -> Place | None:
        """The nearest place on the mesh; None if none is within reach."""
    def nearest_many(self, points: ArrayLike) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """The nearest place to each point: polygons (0 where none is within reach) and points (n, 3) (NaN there)."""
    def nearest_wall(self, at: Point | Place, max_radius: float) -> Wall | None:
        """The nearest wall within a radius; None if there is none."""
    def nearest_wall_many(self, points: ArrayLike, max_radius: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Metres from each point to the nearest wall, and the point of the wall; `max_radius` and NaN where there is none so near."""
    def neighbourhood(self, at: Point | Place, radius: float) -> NDArray[np.uint64]:
        """The polygons near a place that do not overlap: what one floor looks like around an agent."""
    def path_change(self, path: Path) -> tuple[int, str, float] | None:
        """What has happened to a path since: None, or the number of the polygon at which it breaks, why in a word ("gone", "closed", "apart",
        "soon"), and the metres up to there.
        """
    def path_lengths(self, starts: ArrayLike, goals: ArrayLike, search: str | CostBounds = ...) -> NDArray[np.float32]:
        """The lengths of such paths alone: infinite where the goal cannot be reached."""
    def polys_in_box(self, low: Point, high: Point) -> NDArray[np.uint64]:
        """The polygons that overlap a box."""
    def portal(self, start: int, goal: int) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """Both ends of the edge that leads from one polygon to another; None if none does."""
    def random_place(self) -> Place | None:
        """A random place on the mesh, evenly by area; None if nothing passes the filter. The next one follows from the seed."""
    def random_place_around(self, at: Point | Place, radius: float) -> Place | None:
        """A random place within a radius that can be reached."""
    def random_places(self, count: int, seed: int | None = None) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """So many random places, evenly by area: polygons and points (n, 3). Empty if nothing passes the filter. With `seed`, always the same."""
    def raycast(self, start: Point | Place, end: Point, cost: bool = False) -> Ray:
        """How far a straight line along the surface is free; with `cost`, also what walking it costs."""
    def raycast_many(self, starts: ArrayLike, ends: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Lines of sight from each start to each end: how much of each is free, 0 to 1, and where it ends, shape (n, 3)."""
    def reachable(self, start: Point | Place, goal: Point | Place) -> bool | None:
        """Whether a place can be reached; None if a limit was hit before that was known."""
    def reachable_many(self, starts: ArrayLike, goals: ArrayLike) -> NDArray[np.int8]:
        """Whether each goal can be reached from each start: 1, 0, or -1 where a limit was hit before that was known."""
    def search_record(self, start: Point | Place, goal: Point | Place) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """The nodes of a search over polygons, in the order in which they were opened: polygons, parents (-1 for the start), points (n, 3), costs."""
    def walls(self, at: Point | Place) -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
        """The walls of the polygon at a place: both ends of each."""

@final
class QueuedPath:
    """What a queue found: the path, and what has happened to it meanwhile."""
    @property
    def path(self) -> Path:
        """The path."""
    @property
    def broken(self) -> str | None:
        """What has broken it since its search began: "gone", "closed", "apart"; None if nothing has."""
    @property
    def soon(self) -> str | None:
        """What is about to, or None."""
    @property
    def limit(self) -> str | None:
        """The limit that cut its search short, or None."""

@final
class Ray:
    """How far a straight line along the surface is free."""
    def __repr__(self) -> str:
        ...
    @property
    def cost(self) -> float:
        """What walking it costs, if that was asked for."""
    @property
    def hit(self) -> bool:
        """Whether a wall stops it."""
    @property
    def normal(self) -> tuple[float, float, float]:
        """The direction in which the wall looks; zero if there is none."""
    @property
    def point(self) -> tuple[float, float, float]:
        """Where it ends."""
    @property
    def polys(self) -> NDArray[np.uint64]:
        """The polygons it leads over."""
    @property
    def t(self) -> float:
        """How much of the line is free, 0 to 1."""

@final
class RequestId:
    """Names a request of a queue."""
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class ResidentWorld:
    """A world in a tile store of which some tiles are in memory: searches load what they need, and what was not used for longest goes."""
    def __new__(cls, path: str | os.PathLike[str], *, tiles: int | None = None, memory: int | None = None, parts: int | None = None, filter: Filter | None = None) -> ResidentWorld:
        """Opens a store, with room for so many tiles, bytes of their data, and parts of the abstract graph (a kilobyte or two each)."""
    def find_path(self, start: Point | Place, goal: Point | Place, tiles: int | None = None) -> Path:
        """The path between two places; tiles are loaded as they are needed."""
    def mesh(self) -> NavMesh:
        """The mesh of the tiles that are in memory now."""
    def nearest(self, point: Point) -> Place | None:
        """The nearest place on the mesh; its tile is loaded."""
    def pin(self, tiles: Sequence[tuple[int, int]]) -> None:
        """Keeps tiles, by column and row, in memory."""
    def prefetch(self, center: Point, radius: float) -> int:
        """Loads the tiles around a point; returns how many were loaded."""
    @property
    def resident_count(self) -> int:
        """How many of them are in memory."""
    def restore_changes(self, data: bytes) -> None:
        """Restores what `store_changes` gave for a world with the same tiles. All that it does not name is as the store gives it. The tiles that
        were in memory are read again, as many as there is room for; none is pinned then. Where it fails, the world is as it was.
        """
    def set_flags(self, poly: int, flags: int) -> None:
        """Sets the flags of a polygon, whose tile must be in memory, or of an off-mesh connection. They are kept while the tile is not in memory."""
    @property
    def stats(self) -> dict[str, int]:
        """Counts: tiles loaded and let go, and the most tiles and bytes at once."""
    def store_changes(self) -> bytes:
        """What has changed: flags and area types of all tiles, in memory or not, and of off-mesh connections; how often tiles were refreshed; and
        which tiles are in memory. Without the tiles themselves.
        """
    def take_events(self) -> list[str]:
        """Tiles that could not be loaded since the last call, in sentences."""
    @property
    def tile_count(self) -> int:
        """How many tiles the world has."""
    def unpin(self, tiles: Sequence[tuple[int, int]]) -> None:
        """Lets them go again."""

@final
class SlicedSearch:
    """A path search in steps of a budget: a little of it every frame. The mesh may change meanwhile."""
    def __new__(cls, query: Query, start: Point | Place, goal: Point | Place, bounds: CostBounds | None = None) -> SlicedSearch:
        """Begins a search over polygons with the filter and limits of a query; `bounds` guide it."""
    @property
    def is_finished(self) -> bool:
        """Whether it is finished."""
    @property
    def nodes(self) -> int:
        """Nodes so far."""
    def path(self) -> Path:
        """The path found so far, over the mesh as it is now."""
    def step(self, budget: int = 256) -> bool:
        """Goes on by so many nodes; returns whether it is finished."""

@final
class Store:
    """A tile store: a mesh that lies in a file or a folder, tile by tile."""
    def __new__(cls, path: str | os.PathLike[str]) -> Store:
        """Opens a store to read it."""
    @staticmethod
    def exists(path: str | os.PathLike[str]) -> bool:
        """Whether there is a store at a path."""
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def check(self) -> list[str]:
        """What is wrong with its tiles, in sentences."""
    @property
    def digest(self) -> str:
        """A text that names the content: equal for equal tiles, in whichever form they lie."""
    def load(self) -> NavMesh:
        """The mesh of all tiles; those that are broken are left out."""
    def tile_bytes(self, x: int, z: int) -> bytes | None:
        """A tile as bytes, for `NavMesh.add_tile`; None if nothing can be walked on there."""
    @property
    def tile_count(self) -> int:
        """How many tiles have surface."""
    def tile_info(self, x: int, z: int) -> dict[str, Any]:
        """Column, row, bytes and digest of a tile."""
    @property
    def tiles(self) -> list[tuple[int, int]]:
        """Columns and rows of all tiles, those without surface included."""

@final
class Wall:
    """The nearest wall."""
    def __repr__(self) -> str:
        ...
    @property
    def distance(self) -> float:
        """Metres to it."""
    @property
    def normal(self) -> tuple[float, float, float]:
        """From that point to the place asked about, of length 1."""
    @property
    def point(self) -> tuple[float, float, float]:
        """The nearest point of it."""
    @property
    def segment(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Both ends of the wall."""

def _after_fork() -> None:
    """Called in a child after a fork."""

def _agent_defaults(radius: float = 0.6, height: float = 2.0) -> Any:
    """The library's parameters of an agent of a size, to which a test holds those of the dataclass."""

def _avoidance_defaults(name: str) -> Any:
    """The settings of a method of avoidance, each with its default. `Avoidance.defaults` calls it."""

def _bake_range(source: Any, store: Any, settings: BakeSettings, tiles: tuple[int, int, int, int], known: bytes | None = None, *, area_names: Mapping[int, tuple[str, float]] = ..., area_flags: Mapping[int, int] = ...) -> tuple[bytes, BakeReport]:
    """Bakes a range of a world's tiles into `store`, which has `read(name, start, stop)`, `write(name, data)` and `remove(name)`. `known` is the
    index of what is there. Returns the index of the range, and the report.
    """

def _crowd_defaults() -> Any:
    """The library's settings of a crowd, to which a test holds those of the dataclass."""

def _default_settings() -> Any:
    """The library's defaults, to which a test holds those of the dataclasses."""

def _head_difference(before: bytes, after: bytes) -> tuple[str, str] | None:
    """What tells the worlds of two heads apart, in one word and a sentence: "layout", if their tiles lie elsewhere; "agent", if they are baked for
    another; "rest" for connections and area types. None if nothing does.
    """

def _head_with_levels(store: Any, head: bytes, index: bytes, before: bytes | None = None) -> bytes:
    """The head of a finished store with the levels above its tiles, as a bake on one machine leaves it; those of the head that the store had
    `before` are kept if they are of these tiles. `store` has `read(name, start, stop)`.
    """

def _index_has_surface(data: bytes) -> bool:
    """Whether any tile of an index has surface."""

def _index_parts(data: bytes, side: int) -> dict[tuple[int, int], bytes]:
    """An index in parts, each of the tiles of a block: `side` columns and rows. Keys are the block's column and row."""

def _index_tiles(data: bytes) -> list[tuple[int, int]]:
    """Columns and rows of the entries of an index."""

def _links_for_agent(agent: AgentSettings) -> Any:
    """Rules of automatic links for an agent, by kind. `LinkSettings.for_agent` calls it."""

def _merge_indices(parts: Sequence[bytes]) -> tuple[bytes, str, int]:
    """Several indices of one world as one."""

def _placed_triangles(level: Level, at: tuple[float, float, float], turn: float, scale: float) -> tuple[NDArray[np.float32], NDArray[np.uint8], list[Any]]:
    """The triangles of a level, scaled, turned about the y axis (degrees, from x towards z) and moved: shape (n, 3, 3), and area types. Heights
    become triangles.
    """

def _settings_advice(settings: BakeSettings) -> list[str]:
    """What is unwise in settings, in sentences. `BakeSettings.advice` calls it."""

def _settings_for_agent(agent: AgentSettings) -> Any:
    """Settings for an agent, with cells made for it. `BakeSettings.for_agent` calls it."""

def avoid_velocity(method: Avoidance, position: Sequence[float], velocity: Sequence[float], desired: Sequence[float], *, radius: float = 0.6, max_speed: float = 3.5, wall_distance: float | None = None, neighbours: Sequence[tuple[Sequence[float], Sequence[float], float]] = ..., walls: Sequence[tuple[Sequence[float], Sequence[float]]] = ...) -> tuple[float, float]:
    """One agent's velocity among neighbours and walls, by a method of avoidance, on the plane (x, z): the agent is at `position`, goes with
    `velocity`, and wants `desired`. Neighbours are (position, velocity, radius); walls are pairs of points, with the surface to their left, from
    which it keeps `wall_distance`: its radius unless given, 0 where they are the border of a mesh.
    """

def bake(level: Level, settings: BakeSettings | AgentSettings | None = None, *, links: LinkSettings | None = None, area_names: Mapping[int, tuple[str, float]] = ..., area_flags: Mapping[int, int] | None = None, reuse: NavMesh | None = None, allow_empty: bool = False, progress: Callable[[int, int], object] | None = None, log: Callable[[str], object] | None = None, cancel: Cancel | None = None, memory_limit: int | None = None) -> NavMesh:
    """Bakes a level into a mesh.

    `settings` are `BakeSettings`, or `AgentSettings` alone, for which cells are made that fit. `progress` is called with tiles done and tiles
    in all; if it raises, the bake is cancelled and the exception goes on. Ctrl-C cancels, too. `links` looks for drops, jumps and climbs.
    `area_names` gives area types names and costs, `area_flags` the flags of their polygons. With `reuse`, a mesh of an earlier bake, only
    tiles whose input has changed are baked; unless `area_flags` are given, they are those of that bake. A level on which the agent can stand nowhere raises BakeError, unless `allow_empty`.
    """

def bake_agents(level: Level, settings: Sequence[BakeSettings], *, progress: Callable[[int, int], object] | None = None, cancel: Cancel | None = None) -> list[NavMesh]:
    """Bakes meshes for several agents from one pass over the level; cells must be the same in all settings."""

def bake_stages(level: Level, observer: Callable[[str, dict[str, Any]], object], settings: BakeSettings | AgentSettings | None = None, *, tile: int = 0) -> None:
    """Bakes one tile and shows what there is after each step: calls `observer(step, arrays)` with the step's name ("rasterize", "filter",
    "compact", "mark_before", "erode", "mark_after", "distance", "regions", "contours", "polygons", "detail", "tile") and what it made.
    """

def bake_world(source: Any, store: str | os.PathLike[str], settings: BakeSettings, *, tiles: tuple[int, int, int, int] | None = None, area_names: Mapping[int, tuple[str, float]] = ..., area_flags: Mapping[int, int] = ..., progress: Callable[[int, int], object] | None = None, cancel: Cancel | None = None) -> BakeReport:
    """Bakes a world into a store. `source` has `bounds`, a low and a high corner; `piece(low, high)`, the triangles (n, 3, 3) that may touch a
    box, and an area type for each; and, if it likes, `connections` and `volumes`. `store` is a path: `NAME.wayworld`, or a folder where it ends in a
    slash. `tiles` are the first column and row and the last ones, if not all are baked. What is in the store is not baked again; after Ctrl-C
    the same call goes on.
    """

def compact_store(path: str | os.PathLike[str]) -> None:
    """Takes out of a store what is no longer used."""

def convex_hull(points: Sequence[Sequence[float]]) -> list[int]:
    """The corners of the convex hull of points (x, z), as indices."""

def convex_hull3(points: ArrayLike) -> list[tuple[int, int, int]]:
    """The convex hull of points, shape (n, 3): its triangles as indices. Empty if the points lie on a plane."""

def explain(level: Level, settings: BakeSettings | AgentSettings | None = None, *, around: Point | None = None, progress: Callable[[int, int], object] | None = None) -> ExplainMap:
    """Replays the bake of a level and notes why each place can be walked on, or not; with `around`, of the tiles at that point alone."""

def find_links(level: Level, mesh: NavMesh, links: LinkSettings, settings: BakeSettings | AgentSettings | None = None, *, progress: Callable[[int, int], object] | None = None) -> list[AutoLink]:
    """Finds drops, jumps and climbs of a level whose mesh was baked with these settings. Nothing is added: see `NavMesh.add_connection`."""

def join_stores(parts: Sequence[str | os.PathLike[str]], target: str | os.PathLike[str]) -> None:
    """Puts the parts of a world together in one store."""

def mesh_from_outlines(outlines: Sequence[Sequence[Sequence[float]]], y: float = 0.0) -> NavMesh:
    """A mesh from outlines with holes on a plane: lists of points (x, z), the outlines of rooms and of the holes in them."""

def mesh_from_polys(points: ArrayLike, polys: Sequence[Sequence[int]], areas: Sequence[int] | None = None, flags: Sequence[int] | None = None) -> NavMesh:
    """A mesh of polygons of your own: `points` (n, 3), and for each polygon the indices of its corners, an area type and flags. Edges that
    two polygons share are linked.
    """

def pedestrians(count: int, seed: int) -> list[Any]:
    """Parameters of so many pedestrians, as different as people are; the same for the same seed."""

def plan_world(source: Any, settings: BakeSettings, *, area_names: Mapping[int, tuple[str, float]] = ...) -> dict[str, Any]:
    """How a world is cut: columns, rows, the head of its store, and where tiles lie."""

def poly_name(poly: int) -> str:
    """A reference of a polygon as text, as in "s1:t0:p4"."""

def poly_named(text: str) -> int:
    """The reference that such a text names."""

def rebake(mesh: NavMesh, level: Level, bounds: tuple[Point, Point], settings: BakeSettings | AgentSettings, *, area_flags: Mapping[int, int] | None = None) -> int:
    """Bakes the tiles that a box touches again, from the level as it is now, and puts them into the mesh. `settings` and bounds must be those
    of the first bake. So must `area_flags`: unless given, they are those of the bake that made this mesh, which a file does not keep. Returns
    how many tiles were baked.
    """

def repair_store(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Makes a damaged index anew: how many tiles are whole, and how many are broken."""

def scenes() -> list[tuple[str, str]]:
    """The built-in levels: name, and what each shows."""

def set_threads(count: int) -> None:
    """How many threads bakes and batches use, from now on: to be said before the first of them, once. Unless it is, as many as the machine has."""
