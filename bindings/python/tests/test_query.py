"""Questions to a mesh: one by one, and many at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import ground

import wayfare

START, GOAL = (20, 0, 5), (20, 0, 35)


def test_a_path(mesh: wayfare.NavMesh) -> None:
    path = mesh.find_path(START, np.array(GOAL, dtype=np.float64))
    assert path.status == "complete" and path.is_complete and path
    assert path.points.dtype == np.float32 and path.points.shape == (len(path), 3)
    steps = np.linalg.norm(np.diff(path.points, axis=0), axis=1).sum()
    assert path.length == pytest.approx(steps, rel=1e-5)
    assert path.kinds[0] == "start" and path.kinds[-1] == "end"
    assert path[0] == pytest.approx(START, abs=0.3) and path[-1] == pytest.approx(GOAL, abs=0.3)
    assert path.portals.shape == (len(path.polys) - 1, 2, 3)
    again = pickle.loads(pickle.dumps(path))
    assert np.array_equal(again.points, path.points) and again.kinds == path.kinds and again.cost == path.cost
    assert np.array_equal(again.polys, path.polys) and np.array_equal(again.portals, path.portals)
    assert mesh.query().path_change(again) is None
    nowhere = mesh.find_path(START, (500, 0, 5))
    assert nowhere.status == "none" and not nowhere and nowhere.points.shape == (0, 3)
    with pytest.raises(IndexError):
        nowhere[0]


def test_searches_agree(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    best = query.find_path(START, GOAL)
    corridor = query.find_path(START, GOAL, search="corridor")
    assert best.length <= corridor.length + 1e-3
    crossings = query.find_path_with_crossings(START, GOAL, all=True)
    assert len(crossings) >= len(corridor)
    path, which = query.find_path_to_nearest(START, [(500, 0, 0), GOAL, (20, 0, 6)])
    assert which == 2 and path.is_complete
    assert query.find_path_to_nearest(START, [(500, 0, 0)])[1] is None
    with pytest.raises(wayfare.StaleReferenceError, match="goal 1: s"):
        query.find_path_to_nearest(START, [GOAL, wayfare.Place(2**64 - 1, GOAL)])
    assert query.find_path_to_box(START, (18, -1, 30), (22, 1, 36)).is_complete
    sliced = wayfare.SlicedSearch(query, START, GOAL)
    while not sliced.step(8):
        assert sliced.nodes >= 0
    assert sliced.path().length == pytest.approx(corridor.length)
    bounds = wayfare.CostBounds(mesh)
    guided = query.find_path(START, GOAL, bounds)
    assert guided.is_complete and guided.cost <= corridor.cost * 1.0001
    assert bounds.hold_for(mesh) and bounds.points.shape[1] == 3 and bounds.nbytes > 64 and "points" in repr(bounds)
    sliced = wayfare.SlicedSearch(query, START, GOAL, bounds)
    assert not sliced.is_finished
    while not sliced.step(8):
        assert sliced.nodes >= 0
    assert sliced.is_finished and sliced.path().cost == guided.cost
    many = query.find_paths([START, GOAL], [GOAL, START], bounds)
    assert many.lengths[0] == guided.length == query.path_lengths([START], [GOAL], bounds)[0]
    with pytest.raises(TypeError, match="a word or CostBounds"):
        query.find_path(START, GOAL, 3)  # type: ignore[arg-type]
    graph = wayfare.AbstractGraph(query)
    assert graph.size["tiles"] == mesh.tile_count
    assert graph.find_path(START, GOAL).is_complete and graph.pieces(START, GOAL, tiles=2)
    hurried = wayfare.AbstractGraph(mesh.query(max_nodes=2))
    assert hurried.find_path(START, GOAL).limit == "nodes"
    assert [piece.limit for piece in hurried.pieces(START, GOAL, tiles=2)][-1:] == ["nodes"]
    costs = wayfare.CostMap(query, START)
    assert costs.path_to(GOAL).is_complete
    assert np.isfinite(costs.costs(mesh.polys)).all()
    assert costs.cost_to(int(mesh.polys[0])) is not None


def test_a_queue(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    for planner in ["corridor", "optimal", "hierarchical", "flow"]:
        queue = wayfare.PathQueue(query, planner)
        request = queue.request(START, GOAL)
        assert request is not None and queue.state(request) == "waiting"
        assert queue.take(request) is None
        while queue.pending:
            queue.step(100)
        answer = queue.take(request)
        assert answer is not None and answer.path.is_complete and answer.broken is None
        with pytest.raises(wayfare.StaleReferenceError):
            queue.state(request)
    assert queue.request(START, (500, 0, 0)) is None


def test_places_rays_walls(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    place = query.nearest(START)
    assert place is not None and place.over and mesh.is_valid(place.poly)
    assert pickle.loads(pickle.dumps(place)).point == place.point
    assert query.find_path(place, GOAL).is_complete
    assert query.nearest((20, 90, 5)) is None
    ray = query.raycast(place, GOAL)
    assert ray.hit and 0 < ray.t < 1 and ray.normal[2] < 0
    assert query.raycast(START, (20, 0, 10), cost=True).cost == pytest.approx(5.0, rel=0.2)
    moved = query.move_along((20, 0, 18), (21, 0, 22))
    assert moved is not None and moved.point[2] < 20 and moved.point[0] > 20.5
    wall = query.nearest_wall((20, 0, 17), 5.0)
    assert wall is not None and wall.distance == pytest.approx(20 - 0.6 - 17, abs=0.6)
    assert query.nearest_wall((20, 0, 10), 0.5) is None
    polys, before, costs = query.around(START, 10.0)
    assert polys[0] == place.poly and before[0] == 0 and costs[0] == 0
    corners = [[10, 0, 0], [10, 0, 10], [30, 0, 10], [30, 0, 0]]
    assert len(query.around_convex(START, corners)[0]) > 0
    assert place.poly in query.neighbourhood(START, 8.0)
    assert place.poly in query.polys_in_box((19, -1, 4), (21, 1, 6))
    assert query.height(place.poly, START) == pytest.approx(0, abs=0.3)
    assert query.closest_point(place.poly, START)[1]
    assert query.closest_point_on_outline(place.poly, START) is not None
    neighbour = int(mesh.poly_neighbours(place.poly)[0])
    assert query.portal(place.poly, neighbour) is not None
    assert query.reachable(START, GOAL) is True and query.reachable(START, (500, 0, 0)) is False
    assert query.walls((1, 0, 1)) is not None
    polys, parents, points, costs = query.search_record(START, GOAL)
    assert parents[0] == -1 and len(polys) == len(points) == len(costs)


def test_random_places_follow_from_the_seed(mesh: wayfare.NavMesh) -> None:
    draw = lambda seed: [mesh.query(seed=seed).random_place().point for _ in range(3)]  # type: ignore[union-attr]
    assert draw(3) == draw(3) and draw(3) != draw(4)
    query = mesh.query()
    near = query.random_place_around(START, 3.0)
    assert near is not None
    _, some = query.random_places(1000, 5)
    _, same = mesh.query().random_places(1000, 5)
    assert np.array_equal(some, same) and some[:, 0].std() > 5


def test_batches_are_the_single_answers(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    _, starts = query.random_places(300, 1)
    _, goals = query.random_places(300, 2)
    for search in ["optimal", "corridor"]:
        paths = query.find_paths(starts, goals, search)
        assert len(paths) == 300 and paths.offsets[-1] == len(paths.points)
        for i in range(0, 300, 17):
            one = query.find_path(starts[i], goals[i], search)
            assert np.array_equal(paths[i], one.points) and paths.lengths[i] == np.float32(one.length)
            assert paths.status[i] == 2
    paths = query.find_paths(starts, goals)
    again = pickle.loads(pickle.dumps(paths))
    assert np.array_equal(again.points, paths.points) and np.array_equal(again[7], paths[7]) and len(again) == 300
    assert np.array_equal(query.path_lengths(starts, goals), query.find_paths(starts, goals).lengths)
    polys, places = query.nearest_many(starts)
    assert np.allclose(places, starts, atol=1e-3) and (polys != 0).all()
    free, ends = query.raycast_many(starts, goals)
    assert free[7] == np.float32(query.raycast(starts[7], goals[7]).t)
    assert np.array_equal(ends[7], np.float32(query.raycast(starts[7], goals[7]).point))
    _, moved = query.move_along_many(starts, goals)
    assert np.array_equal(moved[9], np.float32(query.move_along(starts[9], goals[9]).point))  # type: ignore[union-attr]
    assert (query.reachable_many(starts, goals) == 1).all()
    distances, _ = query.nearest_wall_many(starts, 4.0)
    assert (distances <= 4.0).all()
    assert query.find_paths(np.empty((0, 3)), np.empty((0, 3))).points.shape == (0, 3)
    far = np.full((2, 3), 900.0)
    assert np.isinf(query.path_lengths(far, far)).all()
    polys, places = query.nearest_many(far)
    assert (polys == 0).all() and np.isnan(places).all()


def test_arrays_are_read_where_they_lie(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    plain = np.array([[20, 0, 5], [21, 0, 6]], dtype=np.float32)
    wide = np.zeros((2, 6), dtype=np.float32)
    wide[:, ::2] = plain
    for given in [plain, plain.astype(np.float64), np.asfortranarray(plain), wide[:, ::2], plain.tolist()]:
        assert np.array_equal(query.nearest_many(given)[1], query.nearest_many(plain)[1])
    frozen = plain.copy()
    frozen.flags.writeable = False
    assert len(query.nearest_many(frozen)[0]) == 2


def test_filters(mesh: wayfare.NavMesh) -> None:
    doors = [int(poly) for poly in mesh.polys if mesh.poly_points(int(poly))[:, 0].max() < 6]
    for poly in doors:
        mesh.set_flags(poly, 4)
        mesh.set_area(poly, 9)
    left, right = (2, 0, 5), (2, 0, 35)
    usual = mesh.query().find_path(left, right)
    closed = mesh.query(wayfare.Filter(exclude=4)).find_path((20, 0, 5), (20, 0, 35))
    assert closed.is_complete and closed.points[:, 0].min() >= 20
    dear = mesh.query(wayfare.Filter(area_costs={9: 20.0})).find_path(left, right, "corridor")
    assert dear.cost > usual.cost
    calls: list[int] = []

    def passes(poly: int, area: int, flags: int) -> bool:
        calls.append(poly)
        return area != 9

    asked = mesh.query(wayfare.Filter(passes=passes))
    assert asked.find_path((20, 0, 5), (20, 0, 35)).points[:, 0].min() >= 20 and calls
    costly = mesh.query(wayfare.Filter(cost=lambda poly, start, end, usual: usual * 2))
    assert costly.find_path(left, right, "corridor").cost == pytest.approx(2 * mesh.query().find_path(left, right, "corridor").cost, rel=0.01)
    filter = pickle.loads(pickle.dumps(wayfare.Filter(exclude=4, area_costs={9: 3.0})))
    assert filter.exclude == 4 and filter.area_costs == {9: 3.0}
    assert wayfare.Filter.of(mesh).area_costs == {}
    assert mesh.query(wayfare.Filter(max_rise=0.1)).find_path(left, right).is_complete


def test_what_a_callback_raises_is_raised(mesh: wayfare.NavMesh) -> None:
    def fails(*_: object) -> bool:
        raise ZeroDivisionError("in the filter")

    for filter in [wayfare.Filter(passes=fails), wayfare.Filter(cost=fails)]:
        query = mesh.query(filter)
        with pytest.raises(ZeroDivisionError, match="in the filter"):
            query.find_path(START, GOAL, "corridor")
        with pytest.raises(ZeroDivisionError):
            query.find_paths([START] * 300, [GOAL] * 300, "corridor")
    with pytest.raises(TypeError, match="functions"):
        wayfare.Filter(passes=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="0 or more"):
        mesh.query(wayfare.Filter(cost=lambda *_: -1.0)).find_path(START, GOAL, "corridor")

    def edits(*_: object) -> bool:
        mesh.set_user_id(1)  # type: ignore[attr-defined]
        return True

    with pytest.raises(AttributeError):
        mesh.query(wayfare.Filter(passes=edits)).find_path(START, GOAL)


def test_overlays(mesh: wayfare.NavMesh) -> None:
    fire = wayfare.CostOverlay(half_life=10)
    assert fire.paint_disc((3, 0, 20), 4.0, 50.0) > 0
    fire.paint_box((0, -1, 0), (1, 1, 1), 1.0)
    fire.paint_polygon([(0, 0), (0, 2), (2, 2)], -1, 1, 1.0)
    query = mesh.query(wayfare.Filter(overlays=[(fire, 1.0)]))
    assert query.find_path((8, 0, 15), (8, 0, 25), "corridor").cost > mesh.query().find_path((8, 0, 15), (8, 0, 25)).cost
    before = fire.cost_at((3, 0, 20))
    fire.advance(10)
    assert fire.cost_at((3, 0, 20)) == pytest.approx(before / 2, rel=0.05)
    again = pickle.loads(pickle.dumps(fire))
    assert len(again) == len(fire) and fire.cells()[2].shape == again.cells()[2].shape
    with pytest.raises(ValueError):
        fire.paint_disc((0, 0, 0), 1.0, -5.0)


def test_explanations_and_limits(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    why = query.explain(START, (500, 0, 0))
    assert why["reason"] and not why["found"] and "." not in why["reason"]
    assert query.explain(START, GOAL)["found"]
    short = mesh.query(max_nodes=1).find_path(START, GOAL, "corridor")
    assert short.limit == "nodes" and short.status == "partial"


def test_a_query_follows_its_mesh(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    path = query.find_path(START, GOAL)
    place = query.nearest(START)
    assert query.path_change(path) is None and place is not None
    version = mesh.version
    tile = mesh.poly_tile(int(path.polys[len(path.polys) // 2]))
    mesh.announce([tile])
    assert query.path_change(path)[1] == "soon"  # type: ignore[index]
    mesh.withdraw([tile])
    mesh.remove_tile(tile)
    assert query.path_change(path)[1] == "gone"  # type: ignore[index]
    changed = mesh.changes_since(version)
    assert changed is not None and tile in changed[0]
    with pytest.raises(wayfare.StaleReferenceError):
        mesh.tile_info(tile)
    with pytest.raises(wayfare.StaleReferenceError):
        mesh.poly_points(int(path.polys[len(path.polys) // 2]))
    mesh.remove_tile(mesh.poly_tile(place.poly))
    with pytest.raises(wayfare.StaleReferenceError):
        query.find_path(place, GOAL)
    assert mesh.version != version and version == version


def test_bad_points(mesh: wayfare.NavMesh) -> None:
    nan = float("nan")
    query = mesh.query()
    with pytest.raises(ValueError, match="not finite"):
        mesh.find_path((nan, 0, 0), GOAL)
    with pytest.raises(ValueError, match="three numbers"):
        mesh.find_path((1, 2), GOAL)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        mesh.find_path("abc", GOAL)
    with pytest.raises(TypeError):
        mesh.find_path(None, GOAL)
    with pytest.raises(ValueError, match="row 1 of starts"):
        query.find_paths([START, (nan, 0, 0)], [GOAL, GOAL])
    with pytest.raises(ValueError, match="as many"):
        query.find_paths([START], [GOAL, GOAL])
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        query.nearest_many(np.zeros((4, 2)))
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        query.nearest_many(np.zeros(3))
    with pytest.raises((TypeError, ValueError)):
        query.nearest_many(np.array([["a", "b", "c"]]))
    with pytest.raises((TypeError, ValueError)):
        query.nearest_many([[object()] * 3])
    with pytest.raises(ValueError, match="optimal"):
        query.find_path(START, GOAL, "fast")
    with pytest.raises(ValueError, match="radius"):
        query.around(START, nan)
    with pytest.raises(wayfare.StaleReferenceError):
        mesh.poly_points(0)
    with pytest.raises(OverflowError):
        mesh.poly_points(-1)
    with pytest.raises(ValueError, match="-1 is out of range: give a whole number from 0 to 18446744073709551615"):
        query.random_places(-1)
    with pytest.raises(ValueError, match="from 0 to 65535"):
        wayfare.Filter(include=70_000)
    with pytest.raises(ValueError, match="tile_size: -1 is out of range"):
        wayfare.bake("scene:flat", wayfare.BakeSettings(tile_size=-1))
    with pytest.raises(TypeError):
        wayfare.Level([[0, 0, 0]] * 3, [[0.5, 1, 2]])
    with pytest.raises(ValueError, match="index"):
        wayfare.Level([[0, 0, 0]] * 3, [[0, 1, -2]])
    with pytest.raises(ValueError):
        wayfare.Level([[0, 0, 0]] * 3, [[0, 1, 9]])


def test_outlines_polygons_clearance() -> None:
    room = [(0, 0), (0, 10), (10, 10), (10, 0)]
    hole = [(4, 4), (6, 4), (6, 6), (4, 6)]
    mesh = wayfare.mesh_from_outlines([room, hole])
    assert mesh.find_path((1, 0, 5), (9, 0, 5)).length > 8
    with pytest.raises(ValueError):
        wayfare.mesh_from_outlines([[(0, 0), (float("nan"), 1)]])
    points = [[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0], [8, 0, 4], [8, 0, 0]]
    own = wayfare.mesh_from_polys(points, [[0, 1, 2, 3], [3, 2, 4, 5]], areas=[1, 2])
    path = own.find_path((1, 0, 1), (7, 0, 3))
    assert path.is_complete and len(path.polys) == 2
    assert wayfare.poly_named(wayfare.poly_name(int(path.polys[0]))) == path.polys[0]
    with pytest.raises(ValueError):
        wayfare.mesh_from_polys(points, [[0, 1]])
    base = wayfare.bake(ground())
    wide = wayfare.ClearanceMesh(base, 2.0)
    assert wide.radius == 2.0 and wide.follow(base) == 0
    corner = wide.mesh.nearest((1, 0, 1))
    assert corner is not None and corner.point[0] > 1.2
    assert wide.base_poly(corner.poly) is not None


def test_whatever_numpy_has_is_read_or_refused(mesh: wayfare.NavMesh) -> None:
    query = mesh.query(seed=1)
    place = query.random_place()
    assert place is not None
    crowd = wayfare.Crowd(mesh)
    crowd.add(place)
    row = np.float32([place.point])
    askew = np.frombuffer(b"\0" + row.tobytes(), dtype=np.uint8)[1:].view(np.float32).reshape(1, 3)
    wide = np.repeat(row, 2, axis=1)[:, ::2]
    for array in (askew, wide, np.asfortranarray(row), row.astype(">f4"), row.astype(np.float64), row.tolist()):
        polys, _ = query.nearest_many(array)
        assert polys[0] == place.poly
    for wrong in (row.astype(complex), np.array([["a", "b", "c"]]), np.array([[None] * 3]), np.zeros((1, 3), "M8[s]")):
        with pytest.raises(TypeError, match="no array of numbers"):
            query.nearest_many(wrong)
    with pytest.raises(TypeError, match="not a text"):
        query.nearest("abc")


def test_paths_are_sequences(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    path = query.find_path((20, 0, 5), (20, 0, 35))
    assert np.asarray(path).shape == path.points.shape and np.asarray(path, dtype=np.float64).dtype == np.float64
    assert (path[1:] == path.points[1:]).all() and list(path) == [tuple(point) for point in path.points]
    paths = query.find_paths([(20, 0, 5)] * 3, [(20, 0, 35)] * 3)
    assert [one.shape for one in paths[::-2]] == [path.points.shape] * 2 and len(paths[3:]) == 0
    assert all((one == path.points).all() for one in paths)
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            paths[wrong]
    crowd = wayfare.Crowd(mesh)
    agent = crowd.add((20, 0, 5))
    assert agent in crowd and "x" not in crowd
    for array in (crowd.positions, crowd.desired, wayfare.Level.scene("flat").vertices):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_limits_that_are_none(mesh: wayfare.NavMesh) -> None:
    for wrong in ({"reach": (-1, 2, 3)}, {"max_cost": -1.0}, {"max_cost": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            mesh.query(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_rise"):
        wayfare.Filter(max_rise=float("nan"))
    text = repr(wayfare.Filter(max_rise=0.5, passes=lambda poly, area, flags: True))
    assert "max_rise=0.5" in text and "passes=" in text and "cost=" not in text.replace("area_costs=", "")
