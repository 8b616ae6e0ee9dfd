"""The calls that users of habitat-sim know."""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import walled

import wayfare
from wayfare.habitat import MultiGoalShortestPath, PathFinder, ShortestPath


@pytest.fixture
def finder() -> PathFinder:
    return PathFinder.bake(walled(), wayfare.BakeSettings(tile_size=32))


def test_paths(finder: PathFinder) -> None:
    path = ShortestPath(requested_start=[20, 0, 5], requested_end=[20, 0, 35])
    assert finder.find_path(path) and path.geodesic_distance > 30 and len(path.points) > 2
    assert finder.geodesic_distance([20, 0, 5], [20, 0, 35]) == pytest.approx(path.geodesic_distance)
    assert finder.geodesic_distance([20, 0, 5], [[20, 0, 35], [20, 0, 8]]) == pytest.approx(3, abs=0.1)
    far = ShortestPath(requested_start=[20, 0, 5], requested_end=[900, 0, 0])
    assert not finder.find_path(far) and math.isinf(far.geodesic_distance) and far.points == []
    several = MultiGoalShortestPath([20, 0, 5], [[900, 0, 0], [20, 0, 35], [20, 0, 9]])
    assert finder.find_path(several) and several.closest_end_point_index == 2
    assert finder.geodesic_distances([[20, 0, 5]] * 3, [[20, 0, 8]] * 3) == pytest.approx([3, 3, 3], abs=0.1)


def test_points(finder: PathFinder) -> None:
    finder.seed(4)
    first = finder.get_random_navigable_point()
    finder.seed(4)
    assert np.array_equal(first, finder.get_random_navigable_point()) and finder.is_navigable(first)
    near = finder.get_random_navigable_point_near([20, 0, 5], 2.0)
    assert np.linalg.norm(near - [20, 0, 5]) < 2.5
    assert np.isnan(finder.snap_point([900, 0, 0])).all()
    assert finder.snap_point([20, 0.5, 5]) == pytest.approx([20, 0, 5], abs=0.3)
    assert not finder.is_navigable([20, 0, 20]) and not finder.is_navigable([20, 3, 5])
    assert finder.distance_to_closest_obstacle([20, 0, 18.4]) == pytest.approx(1.0, abs=0.5)
    assert finder.distance_to_closest_obstacle([20, 0, 10]) == 2.0
    hit = finder.closest_obstacle_surface_point([20, 0, 18])
    assert hit.hit_dist < 2 and hit.hit_normal[2] < 0
    assert finder.closest_obstacle_surface_point([20, 0, 10]).hit_dist == 2.0
    assert finder.closest_obstacle_surface_point([500, 0, 10]).hit_dist == math.inf


def test_steps(finder: PathFinder) -> None:
    slid = finder.try_step([20, 0, 18], [22, 0, 22])
    stopped = finder.try_step_no_sliding([20, 0, 18], [22, 0, 22])
    assert slid[2] < 20 and stopped[2] < 20 and slid[0] >= stopped[0] - 1e-3


def test_answers_are_arrays_of_their_own(finder: PathFinder) -> None:
    there, off = np.array([20, 0, 5], dtype=np.float32), [20, 0, 900]
    for step in (finder.try_step, finder.try_step_no_sliding):
        stayed = step(there, off)
        assert np.array_equal(stayed, there) and not np.shares_memory(stayed, there)


def test_islands(finder: PathFinder) -> None:
    assert finder.num_islands == 1 and finder.get_island([20, 0, 5]) >= 0
    assert finder.island_radius([20, 0, 5]) == pytest.approx(28, abs=4)
    assert finder.island_area(finder.get_island([20, 0, 5])) == pytest.approx(finder.navigable_area)
    assert 1000 < finder.navigable_area < 1600
    view = finder.get_topdown_view(0.5, 0.0)
    with pytest.raises(ValueError, match="meters_per_pixel is 0"):
        finder.get_topdown_view(0, 0.0)
    assert view.dtype == bool and 0.6 < view.mean() < 1.0 and not view[view.shape[0] // 2, view.shape[1] // 2]
    islands = finder.get_topdown_island_view(0.5, 0.0)
    assert np.array_equal(islands >= 0, view) and islands.max() == finder.get_island([20, 0, 5])
    assert len(finder.build_navmesh_vertex_indices()) == len(finder.build_navmesh_vertices())


def test_one_island_of_several() -> None:
    # A large floor, a small one beside it, and a narrow one above.
    vertices, triangles = [], []
    for x, z, X, Z, y in [(0, 0, 20, 20, 0), (21.5, 0, 24.5, 20, 0), (5, 5, 8, 15, 3)]:
        first = len(vertices)
        vertices += [[x, y, z], [x, y, Z], [X, y, Z], [X, y, z]]
        triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    finder = PathFinder.bake(wayfare.Level(vertices, triangles), wayfare.BakeSettings(tile_size=32))
    large, small, high = (finder.get_island(point) for point in ([10, 0, 2], [23, 0, 10], [6.5, 3, 10]))
    assert finder.num_islands == 3 and len({large, small, high}) == 3
    # The nearest of an island, where another one is nearer.
    assert finder.snap_point([20.4, 0, 10])[0] < 20
    assert finder.snap_point([20.4, 0, 10], island_index=small)[0] > 21.5
    assert np.isnan(finder.snap_point([19, 0, 10], island_index=small)).all()
    # An agent does not step to another island, nor off the mesh.
    for step in (finder.try_step, finder.try_step_no_sliding):
        for end in ([23, 0, 10], [10, 0, 60]):
            assert step([18, 0, 10], end).tolist() == [18, 0, 10]
        assert step([10, 0, -60], [10, 0, 2]).tolist() == [10, 0, -60]
        assert step([10, 0, 2], [12, 0, 2])[0] == pytest.approx(12, abs=0.1)
    assert finder.snap_point([6.5, 2.5, 10], island_index=large)[1] < 1
    assert np.isnan(finder.snap_point([2, 0, 2], island_index=small)).all()
    for island in (large, small, high):
        finder.seed(7)
        points = [finder.get_random_navigable_point(island_index=island) for _ in range(40)]
        assert {finder.get_island(point) for point in points} == {island}
        finder.seed(7)
        assert np.array_equal(points[0], finder.get_random_navigable_point(island_index=island))
        near = finder.get_random_navigable_point_near(points[0], 1.0, island_index=island)
        assert finder.get_island(near) == island
    assert np.isnan(finder.get_random_navigable_point(island_index=99)).all()
    # Islands are those of the mesh as it is.
    assert finder.mesh is not None
    finder.mesh.add_connection(wayfare.Connection((19, 0, 10), (22.5, 0, 10), 1.0, two_way=True))
    assert finder.num_islands == 2 and finder.get_island([10, 0, 2]) == finder.get_island([23, 0, 10])
    points = [finder.get_random_navigable_point(island_index=finder.get_island([23, 0, 10])) for _ in range(60)]
    assert min(point[0] for point in points) < 20 and max(point[0] for point in points) > 21


def test_how_far_points_are_looked_for(finder: PathFinder) -> None:
    """As far as habitat-sim does: 2 m to each side."""
    for beside, is_near in [(0.5, True), (3.0, False)]:
        point = [-beside, 0, 10]
        assert np.isfinite(finder.snap_point(point)).all() == is_near == (finder.get_island(point) >= 0)
        assert finder.find_path(ShortestPath(point, [20, 0, 5])) == is_near


def test_a_bake_without_settings_keeps_the_islands_that_habitat_sim_keeps() -> None:
    # A table top of 0.7 m beside a floor, and a stage of 2 m.
    vertices, triangles = [], []
    for x, z, X, Z, y in [(0, 0, 6, 6, 0), (7, 0, 7.7, 0.7, 0), (7, 2, 9, 4, 0)]:
        first = len(vertices)
        vertices += [[x, y, z], [x, y, Z], [X, y, Z], [X, y, z]]
        triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    assert PathFinder.bake(wayfare.Level(vertices, triangles)).num_islands == 2


def test_without_a_mesh(tmp_path: object, finder: PathFinder) -> None:
    empty = PathFinder()
    assert not empty.is_loaded and not empty.load_nav_mesh(f"{tmp_path}/none")
    with pytest.raises(RuntimeError, match="load_nav_mesh"):
        empty.get_random_navigable_point()
    finder.save_nav_mesh(f"{tmp_path}/a.way")
    assert empty.load_nav_mesh(f"{tmp_path}/a.way") and empty.is_loaded
    with pytest.raises(ValueError, match="three numbers"):
        empty.snap_point([1, 2])


def test_nowhere(finder: PathFinder) -> None:
    """What answers NaN can be asked about."""
    there, nowhere = [20, 0, 5], finder.snap_point([1e4, 0, 0])
    assert np.isnan(nowhere).all() and np.isnan(finder.snap_point(nowhere)).all()
    assert not finder.is_navigable(nowhere) and finder.get_island(nowhere) == -1 and finder.island_radius(nowhere) == 0.0
    for pair in ((nowhere, there), (there, nowhere)):
        path = ShortestPath(*pair)
        assert not finder.find_path(path) and path.geodesic_distance == math.inf
        assert finder.geodesic_distance(*pair) == math.inf
        # A step from or to nowhere is none.
        for step in (finder.try_step, finder.try_step_no_sliding):
            assert np.array_equal(step(*pair), np.asarray(pair[0], dtype=np.float32), equal_nan=True)
    two = finder.geodesic_distances([there, nowhere], [[20, 0, 35], there])
    assert np.isfinite(two[0]) and two[1] == np.inf
    assert finder.geodesic_distance(there, [nowhere, [20, 0, 35]]) == two[0]
    assert finder.distance_to_closest_obstacle(nowhere) == math.inf
    assert finder.closest_obstacle_surface_point(nowhere).hit_dist == math.inf
    assert np.isnan(finder.get_random_navigable_point_near(nowhere, 2.0)).all()
