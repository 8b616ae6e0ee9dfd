"""Settings as plain dataclasses: change them with ``dataclasses.replace``, compare, print and pickle them.

World units everywhere: metres, seconds, radians; right-handed, y up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, Sequence, Tuple, Union

import numpy as np

from . import _wayfare

Point = Union[Tuple[float, float, float], Sequence[float], Any]
Bounds = Tuple[Point, Point]


class _Value:
    """What is equal if all its numbers are, whether they stand in tuples, lists or arrays."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_is_same(value, vars(other)[name]) for name, value in vars(self).items())


def _is_same(a: Any, b: Any) -> bool:
    if a is None or b is None or isinstance(a, (str, _Value)):
        return bool(a is b or a == b)
    try:
        return bool(np.array_equal(np.asarray(a), np.asarray(b)))
    except ValueError:
        # Rows of different lengths.
        return False


@dataclass(eq=False)
class AgentSettings(_Value):
    """The size and abilities of the agent that walks."""

    height: float = 2.0
    """It does not fit under lower ceilings."""
    radius: float = 0.6
    """The mesh keeps this distance from walls and drops. May be 0."""
    max_climb: float = 0.9
    """The highest step that it climbs."""
    max_slope: float = math.pi / 4
    """The steepest slope that it walks, radians from the horizontal."""
    max_drop: float = 0.0
    """The deepest drop beside which surface is kept. Values up to the climb change nothing."""


@dataclass(eq=False)
class BakeSettings(_Value):
    """All settings of a bake. ``BakeSettings.for_agent`` makes cells that fit an agent."""

    agent: AgentSettings = field(default_factory=AgentSettings)
    cell_size: float = 0.3
    """Side of a cell. Halving it takes about four times as long."""
    cell_height: float = 0.2
    """Height of a cell: the resolution of steps, slopes and ceilings."""
    filter_low_hanging_obstacles: bool = True
    """Lets agents step onto curbs and stairs."""
    filter_ledges: bool = True
    """Removes surface beside drops."""
    filter_low_height: bool = True
    """Removes surface under low ceilings."""
    erosion: Literal["chamfer", "euclidean"] = "chamfer"
    """How the distance to walls is measured: fast, or exact."""
    partition: Literal["watershed", "monotone", "layers"] = "watershed"
    """How surface is cut into regions: the best polygons, the fastest, or good for small tiles."""
    region_min_size: int = 8
    """Side, in cells, of the smallest island that is kept."""
    region_merge_size: int = 20
    """Side, in cells: smaller regions are merged into others where possible."""
    edge_max_len: float = 12.0
    """Longest edge along walls, metres; 0 never splits."""
    edge_max_error: float = 1.3
    """How far a wall may deviate from the voxels, cells."""
    verts_per_poly: int = 6
    """Most corners of a polygon."""
    detail_sample_dist: float = 6.0
    """Distance of height samples, cells."""
    detail_sample_max_error: float = 1.0
    """How far heights may deviate, cell heights."""
    tile_size: int = 0
    """Side of a tile in cells; 0 bakes one tile."""
    bounds: Optional[Bounds] = None
    """The box that is baked: low and high corner; None for all of the level."""

    @staticmethod
    def for_agent(agent: Optional[AgentSettings] = None) -> "BakeSettings":
        """Settings for an agent: cells of half its radius, cell heights of half of that."""
        made: BakeSettings = _wayfare._settings_for_agent(agent or AgentSettings())
        return made

    def advice(self) -> list[str]:
        """What is unwise in these settings, in sentences; raises ValueError for what is not allowed."""
        return _wayfare._settings_advice(self)


@dataclass(eq=False)
class LinkRule(_Value):
    """The limits of one kind of automatic link."""

    max_height: float
    """Greatest difference in height between both ends."""
    max_distance: float
    """Widest gap."""
    rise: float = 0.0
    """How far a jump rises above its higher end."""
    spacing: float = 1.0
    """Distance between links along an edge."""
    width: float = 0.0
    """How wide the passage must be; at least the agent's diameter is required."""
    two_way: bool = False
    area: int = 5
    flags: int = 8


@dataclass(eq=False)
class LinkSettings(_Value):
    """Which drops, jumps and climbs are looked for; None for a kind that is not."""

    drop: Optional[LinkRule] = None
    """Over an edge and straight down."""
    jump_down: Optional[LinkRule] = None
    """Over a gap to a lower surface."""
    jump_across: Optional[LinkRule] = None
    """Over a gap to a surface of about the same height."""
    climb: Optional[LinkRule] = None
    """Straight up an edge."""

    @staticmethod
    def for_agent(agent: Optional[AgentSettings] = None) -> "LinkSettings":
        """Rules for what an agent can do."""
        made: LinkSettings = _wayfare._links_for_agent(agent or AgentSettings())
        return made


@dataclass(eq=False)
class Connection(_Value):
    """An off-mesh connection: a jump, a ladder, a teleporter."""

    start: Point
    end: Point
    radius: float = 0.6
    """How far the mesh may be from its ends."""
    two_way: bool = True
    area: int = 63
    flags: int = 1
    user_id: int = 0


@dataclass(eq=False)
class Box(_Value):
    """A box of a low and a high corner."""

    low: Point
    high: Point


@dataclass(eq=False)
class TurnedBox(_Value):
    """A box that is turned about the y axis, radians."""

    center: Point
    half_extents: Point
    angle: float


@dataclass(eq=False)
class Cylinder(_Value):
    """An upright cylinder; ``base`` is the middle of its bottom."""

    base: Point
    radius: float
    height: float


@dataclass(eq=False)
class Capsule(_Value):
    """An upright capsule; ``base`` is its lowest point."""

    base: Point
    radius: float
    height: float


@dataclass(eq=False)
class Prism(_Value):
    """An outline of points (x, z) between two heights; it may be concave."""

    outline: Sequence[Sequence[float]]
    low: float
    high: float


@dataclass(eq=False)
class Hull(_Value):
    """The convex hull of points, shape (n, 3)."""

    points: Any


@dataclass(eq=False)
class Solid(_Value):
    """A closed body of triangles, moved by an offset."""

    vertices: Any
    triangles: Any
    offset: Point = (0.0, 0.0, 0.0)


Volume = Union[Box, TurnedBox, Cylinder, Capsule, Prism, Hull, Solid]
