"""The calls that users of habitat-sim's ``PathFinder`` know, on a Wayfare mesh.

>>> from wayfare.habitat import PathFinder, ShortestPath
>>> pathfinder = PathFinder.bake("scene:flat")
>>> path = ShortestPath()
>>> path.requested_start, path.requested_end = [1, 0, 1], [8, 0, 8]
>>> pathfinder.find_path(path)
True

Where habitat-sim gives NaN or infinity, so does this; where it gives the start of a step, so does this. Points are numpy arrays of 32-bit floats. What it lacks is the simulator; what it has
besides is the mesh itself, ``pathfinder.mesh``, with everything else that Wayfare does.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import AgentSettings, BakeSettings, Filter, LevelLike, NavMesh, Query
from . import bake as _bake

Vector = NDArray[np.float32]


def _point(values: ArrayLike) -> Vector:
    # Its own array: whoever gave one goes on with it, and may get this one as an answer.
    point = np.array(values, dtype=np.float32)
    if point.shape != (3,):
        raise ValueError(f"a point is three numbers x, y, z, not an array of shape {point.shape}")
    return point


def _is_nowhere(point: Vector) -> bool:
    return not bool(np.isfinite(point).all())


def _nowhere() -> Vector:
    return np.full(3, np.nan, dtype=np.float32)


@dataclass
class ShortestPath:
    """A question and its answer: fill in start and end, and give it to ``PathFinder.find_path``."""

    requested_start: Any = None
    requested_end: Any = None
    points: List[Vector] = field(default_factory=list)
    geodesic_distance: float = math.inf


@dataclass
class MultiGoalShortestPath:
    """The same with several ends, of which the nearest is meant."""

    requested_start: Any = None
    requested_ends: Sequence[Any] = ()
    points: List[Vector] = field(default_factory=list)
    geodesic_distance: float = math.inf
    closest_end_point_index: int = -1


@dataclass
class HitRecord:
    """The nearest obstacle: a point of it, the direction in which it looks, and how far it is."""

    hit_pos: Vector
    hit_normal: Vector
    hit_dist: float


class _Islands:
    """The parts of a mesh, as it is at a version, that do not connect."""

    def __init__(self, mesh: NavMesh, seed: int) -> None:
        self.mesh, self.seed, self.version = mesh, seed, mesh.version
        polys = mesh.polys
        order = np.argsort(polys)
        self.polys: NDArray[np.uint64] = polys[order]
        self.of_polys: NDArray[np.uint32] = mesh.components()[order]
        self._asked: Dict[int, Query] = {}

    def island(self, index: int) -> Query:
        """A session that sees one island alone."""
        if index not in self._asked:
            own = frozenset(self.polys[self.of_polys == index].tolist()) | frozenset(self.mesh.connections)
            filter = Filter(passes=lambda poly, area, flags: poly in own)
            self._asked[index] = self.mesh.query(filter, seed=self.seed)
        return self._asked[index]


class PathFinder:
    """habitat-sim's path finder by name and behaviour. Sampling is by ``seed``; a batch of questions goes to all threads."""

    def __init__(self, mesh: Optional[NavMesh] = None) -> None:
        self.mesh: Optional[NavMesh] = None
        self._seed = 0
        if mesh is not None:
            self._take(mesh)

    @classmethod
    def bake(cls, level: LevelLike, settings: Union[BakeSettings, AgentSettings, None] = None) -> "PathFinder":
        """A path finder for a level: what ``Simulator.recompute_navmesh`` does. Without settings, the agent is habitat-sim's."""
        if settings is None:
            settings = BakeSettings(
                AgentSettings(height=1.5, radius=0.1, max_climb=0.2, max_slope=math.radians(45)),
                cell_size=0.05,
                cell_height=0.2,
                region_min_size=20,
            )
        return cls(_bake(level, settings))

    def _take(self, mesh: NavMesh) -> None:
        self.mesh = mesh
        self._query = mesh.query(seed=self._seed)
        self._islands: Optional[_Islands] = None

    def _loaded(self) -> Query:
        if self.mesh is None:
            raise RuntimeError("no navigation mesh is loaded: call load_nav_mesh, or PathFinder.bake")
        return self._query

    # Loading.

    def load_nav_mesh(self, path: "str | os.PathLike[str]") -> bool:
        """Loads a mesh from a file: ``.way``, or one of Detour. False if it cannot be read."""
        try:
            self._take(NavMesh.load(path))
        except (OSError, ValueError):
            return False
        return True

    def save_nav_mesh(self, path: "str | os.PathLike[str]") -> bool:
        """Saves the mesh to a file."""
        self._loaded()
        assert self.mesh is not None
        self.mesh.save(path)
        return True

    @property
    def is_loaded(self) -> bool:
        """Whether there is a mesh."""
        return self.mesh is not None

    def seed(self, seed: int) -> None:
        """Sets the seed of random points."""
        self._seed = seed
        if self.mesh is not None:
            self._query = self.mesh.query(seed=seed)
            self._islands = None

    def get_bounds(self) -> Tuple[Vector, Vector]:
        """The low and the high corner of the surface; in habitat-sim, those of the level."""
        bounds = self._loaded().bounds
        if bounds is None:
            return _nowhere(), _nowhere()
        return _point(bounds[0]), _point(bounds[1])

    # Paths.

    def find_path(self, path: Union[ShortestPath, MultiGoalShortestPath]) -> bool:
        """Finds the shortest path, and writes points and distance into the question. False if there is none."""
        query = self._loaded()
        if isinstance(path, MultiGoalShortestPath):
            ends = np.asarray(path.requested_ends, dtype=np.float32).reshape(-1, 3)
            starts = np.broadcast_to(_point(path.requested_start), ends.shape)
            lengths = self.geodesic_distances(starts, ends)
            best = int(np.argmin(lengths)) if len(lengths) else -1
            if best < 0 or not np.isfinite(lengths[best]):
                path.points, path.geodesic_distance, path.closest_end_point_index = [], math.inf, -1
                return False
            path.points = list(query.find_path(path.requested_start, ends[best]).points)
            path.geodesic_distance, path.closest_end_point_index = float(lengths[best]), best
            return True
        start, end = _point(path.requested_start), _point(path.requested_end)
        found = None if _is_nowhere(start) or _is_nowhere(end) else query.find_path(start, end)
        if found is None or not found.is_complete:
            path.points, path.geodesic_distance = [], math.inf
            return False
        path.points, path.geodesic_distance = list(found.points), float(found.length)
        return True

    def geodesic_distance(self, start: ArrayLike, end: ArrayLike) -> float:
        """The length of the shortest path; of several ends, shape (n, 3), to the nearest. Infinite if there is none."""
        ends = np.asarray(end, dtype=np.float32).reshape(-1, 3)
        if len(ends) == 0:
            return math.inf
        starts = np.broadcast_to(_point(start), ends.shape)
        return float(self.geodesic_distances(starts, ends).min())

    def geodesic_distances(self, starts: ArrayLike, ends: ArrayLike) -> NDArray[np.float32]:
        """The same for many pairs at once, on all threads."""
        query = self._loaded()
        starts, ends = np.asarray(starts, dtype=np.float32), np.asarray(ends, dtype=np.float32)
        known = np.isfinite(starts).all(axis=-1) & np.isfinite(ends).all(axis=-1)
        if known.all():
            return query.path_lengths(starts, ends)
        lengths = np.full(known.shape, np.inf, dtype=np.float32)
        lengths[known] = query.path_lengths(starts[known], ends[known])
        return lengths

    # Points.

    def get_random_navigable_point(self, max_tries: int = 10, island_index: int = -1) -> Vector:
        """A random point, evenly by area; on an island, if one is named. NaN if there is none. The first try succeeds, if any can."""
        query = self._loaded() if island_index < 0 else self._on(island_index)
        place = query.random_place() if max_tries > 0 else None
        return _nowhere() if place is None else _point(place.point)

    def get_random_navigable_point_near(
        self, circle_center: ArrayLike, radius: float, max_tries: int = 100, island_index: int = -1
    ) -> Vector:
        """A random point that can be reached within a radius. NaN if none was found."""
        query = self._loaded() if island_index < 0 else self._on(island_index)
        center = _point(circle_center)
        if _is_nowhere(center):
            return _nowhere()
        for _ in range(max_tries):
            place = query.random_place_around(center, radius)
            if place is None:
                break
            if np.linalg.norm(_point(place.point)[[0, 2]] - center[[0, 2]]) <= radius:
                return _point(place.point)
        return _nowhere()

    def snap_point(self, point: ArrayLike, island_index: int = -1) -> Vector:
        """The nearest point of the mesh, within 2 m to each side and 4 m up and down; of an island, if one is named. NaN if none is near."""
        query = self._loaded() if island_index < 0 else self._on(island_index)
        point = _point(point)
        place = None if _is_nowhere(point) else query.nearest(point)
        return _nowhere() if place is None else _point(place.point)

    def is_navigable(self, point: ArrayLike, max_y_delta: float = 0.5) -> bool:
        """Whether an agent can stand at a point, give or take so much in height."""
        point = _point(point)
        return not _is_nowhere(point) and bool(self._standing(point.reshape(1, 3), max_y_delta)[0])

    def _standing(self, points: Vector, max_y_delta: float) -> NDArray[np.uint64]:
        """The polygon on which an agent stands at each point; 0 where it cannot."""
        self._loaded()
        assert self.mesh is not None
        query = self.mesh.query(reach=(0.02, max_y_delta, 0.02))
        polys, found = query.nearest_many(points)
        near = np.linalg.norm((found - points)[:, [0, 2]], axis=1) <= 0.01
        high = np.abs(found[:, 1] - points[:, 1]) <= max_y_delta
        standing: NDArray[np.uint64] = np.where(near & high, polys, np.uint64(0))
        return standing

    def distance_to_closest_obstacle(self, point: ArrayLike, max_search_radius: float = 2.0) -> float:
        """Metres to the nearest wall; the radius if there is none so near, infinity off the mesh."""
        query = self._loaded()
        point = _point(point)
        if _is_nowhere(point) or query.nearest(point) is None:
            return math.inf
        wall = query.nearest_wall(point, max_search_radius)
        return float(max_search_radius if wall is None else wall.distance)

    def closest_obstacle_surface_point(self, point: ArrayLike, max_search_radius: float = 2.0) -> HitRecord:
        """The nearest wall; at the radius if there is none so near, at infinity off the mesh."""
        query = self._loaded()
        point = _point(point)
        if _is_nowhere(point):
            return HitRecord(_nowhere(), _nowhere(), math.inf)
        wall = query.nearest_wall(point, max_search_radius)
        if wall is None:
            is_off = query.nearest(point) is None
            return HitRecord(_nowhere(), _nowhere(), math.inf if is_off else float(max_search_radius))
        return HitRecord(_point(wall.point), _point(wall.normal), float(wall.distance))

    # Steps.

    def try_step(self, start: ArrayLike, end: ArrayLike) -> Vector:
        """Where a step ends that slides along walls; at the start, if one of both is off the mesh, or on another island."""
        start, end = _point(start), _point(end)
        place = self._loaded().move_along(start, end) if self._can_step(start, end) else None
        return start if place is None else _point(place.point)

    def try_step_no_sliding(self, start: ArrayLike, end: ArrayLike) -> Vector:
        """Where a step ends that stops at walls; at the start, if one of both is off the mesh, or on another island."""
        start, end = _point(start), _point(end)
        return _point(self._loaded().raycast(start, end).point) if self._can_step(start, end) else start

    def _can_step(self, start: Vector, end: Vector) -> bool:
        island = self.get_island(start)
        return island >= 0 and island == self.get_island(end)

    # Islands.

    def _known_islands(self) -> "_Islands":
        """The islands of the mesh as it is now."""
        self._loaded()
        assert self.mesh is not None
        if self._islands is None or self._islands.version != self.mesh.version:
            self._islands = _Islands(self.mesh, self._seed)
        return self._islands

    def _components(self) -> Tuple[NDArray[np.uint64], NDArray[np.uint32]]:
        islands = self._known_islands()
        return islands.polys, islands.of_polys

    def _on(self, island_index: int) -> Query:
        return self._known_islands().island(island_index)

    def _island_of(self, poly: int) -> int:
        polys, islands = self._components()
        at = int(np.searchsorted(polys, np.uint64(poly)))
        return int(islands[at]) if at < len(polys) and int(polys[at]) == poly else -1

    @property
    def num_islands(self) -> int:
        """How many parts of the mesh do not connect."""
        return len(np.unique(self._components()[1]))

    def get_island(self, point: ArrayLike) -> int:
        """The island of the nearest polygon; -1 if none is near."""
        query, point = self._loaded(), _point(point)
        place = None if _is_nowhere(point) else query.nearest(point)
        return -1 if place is None else self._island_of(place.poly)

    def _island_points(self, island_index: int) -> Vector:
        polys, islands = self._components()
        assert self.mesh is not None
        own = [self.mesh.poly_points(int(poly)) for poly in polys[islands == island_index]]
        return np.concatenate(own) if own else np.empty((0, 3), dtype=np.float32)

    def island_radius(self, point: Union[ArrayLike, int]) -> float:
        """The radius of an island, named or at a point: from the middle of its corners to the farthest. 0 if there is none."""
        island = int(point) if isinstance(point, (int, np.integer)) else self.get_island(point)
        corners = self._island_points(island)
        if len(corners) == 0:
            return 0.0
        return float(np.linalg.norm(corners - corners.mean(axis=0), axis=1).max())

    def island_area(self, island_index: int = -1) -> float:
        """The area of an island, m²; of all, if none is named."""
        self._loaded()
        assert self.mesh is not None
        vertices, triangles, owners = self.mesh.surface()
        a, b, c = (vertices[triangles[:, k]] for k in range(3))
        areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        if island_index >= 0:
            polys, islands = self._components()
            areas = areas[islands[np.searchsorted(polys, owners)] == island_index]
        return float(areas.sum())

    @property
    def navigable_area(self) -> float:
        """The area of the whole mesh, m²."""
        return self.island_area()

    # Pictures.

    def get_topdown_view(self, meters_per_pixel: float, height: float, eps: float = 0.5) -> NDArray[np.bool_]:
        """Where an agent can stand at a height, give or take ``eps``: rows along z, columns along x."""
        view: NDArray[np.bool_] = self._seen_from_above(meters_per_pixel, height, eps) != 0
        return view

    def get_topdown_island_view(self, meters_per_pixel: float, height: float, eps: float = 0.5) -> NDArray[np.int32]:
        """The same with the island at each place, -1 where an agent cannot stand."""
        standing = self._seen_from_above(meters_per_pixel, height, eps)
        polys, islands = self._components()
        view = np.full(standing.shape, -1, dtype=np.int32)
        view[standing != 0] = islands[np.searchsorted(polys, standing[standing != 0])]
        return view

    def _seen_from_above(self, meters_per_pixel: float, height: float, eps: float) -> NDArray[np.uint64]:
        if not meters_per_pixel > 0.0:
            raise ValueError(f"meters_per_pixel is {meters_per_pixel}, but must be above 0")
        low, high = self.get_bounds()
        columns = max(int(math.floor((high[0] - low[0]) / meters_per_pixel)), 1)
        rows = max(int(math.floor((high[2] - low[2]) / meters_per_pixel)), 1)
        x = low[0] + np.arange(columns, dtype=np.float32) * np.float32(meters_per_pixel)
        z = low[2] + np.arange(rows, dtype=np.float32) * np.float32(meters_per_pixel)
        points = np.empty((rows, columns, 3), dtype=np.float32)
        points[..., 0], points[..., 1], points[..., 2] = x[None, :], height, z[:, None]
        return self._standing(points.reshape(-1, 3), eps).reshape(rows, columns)

    def build_navmesh_vertices(self, island_index: int = -1) -> List[Vector]:
        """The corners of the mesh's triangles."""
        vertices, _, owners = self._surface(island_index)
        return list(vertices)

    def build_navmesh_vertex_indices(self, island_index: int = -1) -> List[int]:
        """Three indices into these for each triangle."""
        _, triangles, _ = self._surface(island_index)
        return [int(index) for index in triangles.ravel()]

    def _surface(self, island_index: int) -> Tuple[Vector, NDArray[np.uint32], NDArray[np.uint64]]:
        self._loaded()
        assert self.mesh is not None
        vertices, triangles, owners = self.mesh.surface()
        if island_index >= 0:
            polys, islands = self._components()
            kept = islands[np.searchsorted(polys, owners)] == island_index
            vertices = vertices.reshape(-1, 3, 3)[kept].reshape(-1, 3)
            triangles = np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3)
            owners = owners[kept]
        return vertices, triangles, owners
