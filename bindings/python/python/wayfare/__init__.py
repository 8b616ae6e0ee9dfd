"""Navigation meshes for games, simulations and robots that walk: bake, query, follow, crowd.

>>> import wayfare
>>> mesh = wayfare.bake(wayfare.Level.scene("flat"))
>>> path = mesh.find_path((1, 0, 1), (8, 0, 8))
>>> path.status
'complete'

World units: metres, seconds, radians; right-handed, y up. Points are anything with three numbers; lists of points are numpy arrays of
shape ``(n, 3)``, read without a copy where they are 32-bit floats in one piece.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Literal, Mapping, Optional, Union

from ._wayfare import (
    AbstractGraph,
    AgentId,
    AutoLink,
    BakeError,
    BakeJob,
    BakeReport,
    BakeWarning,
    BlockCorridor,
    BlockNav,
    BlockPath,
    BlockWorld,
    Cancel,
    Cancelled,
    ClearanceMesh,
    Corridor,
    CostBounds,
    CostMap,
    CostOverlay,
    Crowd,
    CrowdEvent,
    ExplainMap,
    Filter,
    Formation,
    FormatError,
    Frame,
    GeneratedWorld,
    GridObstacle,
    Level,
    LiveLevel,
    LocalGrid,
    MeshVersion,
    NavMesh,
    ObjectId,
    ObjectLevel,
    ObstacleId,
    ObstacleRequest,
    Obstacles,
    OutdatedError,
    Path,
    PathQueue,
    Paths,
    Place,
    Query,
    QueuedPath,
    Ray,
    RequestId,
    ResidentWorld,
    SlicedSearch,
    StaleReferenceError,
    Store,
    Wall,
    WorldStoreError,
    avoid_velocity,
    bake_agents,
    bake_stages,
    bake_world,
    compact_store,
    convex_hull,
    convex_hull3,
    explain,
    find_links,
    join_stores,
    mesh_from_outlines,
    mesh_from_polys,
    pedestrians,
    plan_world,
    poly_name,
    poly_named,
    rebake,
    repair_store,
    scenes,
    set_threads,
)
from . import _wayfare
from .crowds import AgentParams, Avoidance, CrowdSettings, Recovery, Style
from .settings import (
    AgentSettings,
    BakeSettings,
    Box,
    Capsule,
    Connection,
    Cylinder,
    Hull,
    LinkRule,
    LinkSettings,
    Prism,
    Solid,
    TurnedBox,
)

__version__: str = _wayfare.__version__

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_wayfare._after_fork)

LevelLike = Union[Level, str, "os.PathLike[str]", Any]


def as_level(level: LevelLike, *, up: Optional[Literal["y", "z"]] = None) -> Level:
    """A level of a ``Level``, the path of a file, a pair of vertices and triangles, or a ``trimesh`` mesh or scene.

    ``up`` is the axis that points up. Unless given, it is what is usual in a file's format, and y in everything else. A ``Level`` and a
    scene have y up: with ``up``, they raise ValueError.
    """
    is_scene = isinstance(level, str) and level.startswith("scene:")
    if up is not None and (is_scene or isinstance(level, Level)):
        raise ValueError("up is for files, trimesh objects and arrays: a Level and a scene have y up already (see Level.load)")
    if isinstance(level, Level):
        return level
    if isinstance(level, (str, os.PathLike)):
        text = os.fspath(level)
        return Level.scene(text[6:]) if is_scene else Level.load(text, up=up)
    if hasattr(level, "geometry") and hasattr(level, "dump"):
        # A scene: its meshes where they are placed.
        level = level.to_mesh() if hasattr(level, "to_mesh") else level.dump(concatenate=True)
    if hasattr(level, "vertices") and hasattr(level, "faces"):
        return Level(level.vertices, level.faces, frame=Frame(up=up or "y"))
    if isinstance(level, (tuple, list)) and len(level) == 2:
        return Level(level[0], level[1], frame=Frame(up=up or "y"))
    raise TypeError(
        f"{type(level).__name__} is no level: give a wayfare.Level, a path, a trimesh object, or (vertices, triangles)"
    )


def bake(
    level: LevelLike,
    settings: Union[BakeSettings, AgentSettings, None] = None,
    *,
    up: Optional[Literal["y", "z"]] = None,
    links: Optional[LinkSettings] = None,
    area_names: Mapping[int, "tuple[str, float]"] = {},
    area_flags: Optional[Mapping[int, int]] = None,
    reuse: Optional[NavMesh] = None,
    allow_empty: bool = False,
    progress: Optional[Callable[[int, int], object]] = None,
    log: Optional[Callable[[str], object]] = None,
    cancel: Optional[Cancel] = None,
    memory_limit: Optional[int] = None,
) -> NavMesh:
    """Bakes a level into a mesh.

    ``level`` is anything that ``as_level`` takes, as is ``up``, the axis that points up in it. ``settings`` are ``BakeSettings``, or ``AgentSettings`` alone, for which cells are made that
    fit. ``progress`` is called with what is done and what there is in all; if it raises, the bake is cancelled and the exception goes
    on. Ctrl-C cancels, too. ``links`` looks for drops, jumps and climbs. ``area_names`` gives area types names and costs, ``area_flags`` the
    flags of their polygons, also of those that ``Obstacles`` and ``rebake`` make later. With ``reuse``, a mesh of an earlier bake, only tiles
    whose input has changed are baked; unless ``area_flags`` are given, they are those of that bake.

    Raises BakeError for a level on which the agent can stand nowhere, unless ``allow_empty``; ``mesh.report`` has what was noticed.
    """
    return _wayfare.bake(
        as_level(level, up=up),
        settings,
        links=links,
        area_names=dict(area_names),
        area_flags=None if area_flags is None else dict(area_flags),
        reuse=reuse,
        allow_empty=allow_empty,
        progress=progress,
        log=log,
        cancel=cancel,
        memory_limit=memory_limit,
    )


def plot(*args: Any, **kwargs: Any) -> Any:
    """Draws a mesh into matplotlib axes: see ``wayfare.plotting.plot``."""
    from .plotting import plot as draw

    return draw(*args, **kwargs)


__all__ = [
    "AbstractGraph",
    "AgentId",
    "AgentParams",
    "AgentSettings",
    "AutoLink",
    "Avoidance",
    "BakeError",
    "BakeJob",
    "BakeReport",
    "BakeSettings",
    "BakeWarning",
    "BlockCorridor",
    "BlockNav",
    "BlockPath",
    "BlockWorld",
    "Box",
    "Cancel",
    "Cancelled",
    "Capsule",
    "ClearanceMesh",
    "Connection",
    "Corridor",
    "CostBounds",
    "CostMap",
    "CostOverlay",
    "Crowd",
    "CrowdEvent",
    "CrowdSettings",
    "Cylinder",
    "ExplainMap",
    "Filter",
    "FormatError",
    "Formation",
    "Frame",
    "GeneratedWorld",
    "GridObstacle",
    "Hull",
    "Level",
    "LinkRule",
    "LinkSettings",
    "LiveLevel",
    "LocalGrid",
    "MeshVersion",
    "NavMesh",
    "ObjectId",
    "ObjectLevel",
    "ObstacleId",
    "ObstacleRequest",
    "Obstacles",
    "OutdatedError",
    "Path",
    "PathQueue",
    "Paths",
    "Place",
    "Prism",
    "Query",
    "QueuedPath",
    "Ray",
    "Recovery",
    "RequestId",
    "ResidentWorld",
    "SlicedSearch",
    "Solid",
    "StaleReferenceError",
    "Store",
    "Style",
    "TurnedBox",
    "Wall",
    "WorldStoreError",
    "as_level",
    "avoid_velocity",
    "bake",
    "bake_agents",
    "bake_stages",
    "bake_world",
    "compact_store",
    "convex_hull",
    "convex_hull3",
    "explain",
    "find_links",
    "join_stores",
    "mesh_from_outlines",
    "mesh_from_polys",
    "pedestrians",
    "plan_world",
    "plot",
    "poly_name",
    "poly_named",
    "rebake",
    "repair_store",
    "scenes",
    "set_threads",
]
