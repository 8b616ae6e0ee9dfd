"""Parameters of agents and crowds as plain dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import _wayfare

Method = Literal["none", "sampled", "adaptive", "orca", "clearpath", "hrvo", "pedestrian"]


@dataclass
class Avoidance:
    """A method of local avoidance, with the settings that differ from its defaults."""

    method: Method = "sampled"
    settings: Mapping[str, float] = field(default_factory=dict)

    @staticmethod
    def defaults(method: Method) -> "Avoidance":
        """The method with all its settings."""
        made: Avoidance = _wayfare._avoidance_defaults(method)
        return made


@dataclass
class Style:
    """How an agent turns corners into a direction."""

    name: Literal["straight", "smooth", "drunken"] = "smooth"
    swing: float = 0.0
    """Of a drunken one: how far it sways, radians."""
    period: float = 1.0
    """Of a drunken one: seconds from side to side."""


@dataclass
class Recovery:
    """What is done when an agent is blocked."""

    patience: float = 0.0
    squeeze: float = 0.0
    replan_after: int = 0
    give_up_after: int = 0


def _recovery() -> Recovery:
    made: Recovery = _wayfare._agent_defaults(0.6, 2.0).recovery
    return made


def _avoidance() -> Avoidance:
    made: Avoidance = _wayfare._agent_defaults(0.6, 2.0).avoidance
    return made


@dataclass
class AgentParams:
    """Parameters of an agent of a crowd. Distances that are None grow with the radius."""

    radius: float = 0.6
    """By this it avoids others; from walls the mesh keeps it as far as that was baked for."""
    height: float = 2.0
    max_speed: float = 3.5
    """m/s over the plane."""
    max_acceleration: float = 8.0
    neighbour_range: Optional[float] = None
    """How far away others are seen; twelve radii."""
    max_neighbours: int = 10
    max_walls: int = 8
    priority: float = 1.0
    """Who gives way: each does the share of the avoiding that is the other's priority."""
    layers: int = 1
    """The layers that it is in, a bit for each."""
    layer_mask: int = 0xFFFF_FFFF
    """The layers whose agents it heeds."""
    separation: float = 0.0
    """How strongly it keeps away from others, m/s."""
    look_ahead: Optional[float] = None
    """How far it looks for a straighter path; thirty radii."""
    slow_down: Optional[float] = None
    """Distance to the end at which it slows down; two radii."""
    arrival: Optional[float] = None
    """Distance to the goal at which it has arrived; one radius."""
    stopping_distance: float = 0.0
    filter: int = 0
    """Which of the crowd's filters holds for it."""
    avoidance: Union[Avoidance, str] = field(default_factory=_avoidance)
    style: Union[Style, str] = field(default_factory=Style)
    driver: Literal["crowd", "game"] = "crowd"
    """What moves it."""
    connection_driver: Literal["crowd", "game"] = "crowd"
    """What moves it over off-mesh connections."""
    recovery: Recovery = field(default_factory=_recovery)
    when_unreachable: Literal["stay", "go_near"] = "stay"

    def __post_init__(self) -> None:
        if isinstance(self.avoidance, str):
            self.avoidance = Avoidance(self.avoidance)  # type: ignore[arg-type]
        if isinstance(self.style, str):
            self.style = Style(self.style)  # type: ignore[arg-type]


@dataclass
class CrowdSettings:
    """Settings of a crowd as a whole."""

    path_nodes: int = 32_768
    """Nodes a tick for the searches of paths."""
    topology_searches: int = 8
    """How many agents a tick look for a shorter corridor."""
    topology_nodes: int = 32
    resolve_rounds: int = 4
    replan_interval: float = 1.0
    cost_change: float = 0.2
    """By how much the cost of a path must change before another is asked for."""
    reach: Sequence[float] = (2.0, 4.0, 2.0)
    """How far points may be from the mesh."""

    def __post_init__(self) -> None:
        self.reach = tuple(self.reach)


def library_defaults() -> Tuple[Any, Dict[str, Any]]:
    """The library's own defaults of a crowd and of an agent, by which a test holds these classes."""
    return _wayfare._crowd_defaults(), vars(_wayfare._agent_defaults(0.6, 2.0))
