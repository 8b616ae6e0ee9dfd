"""Functions that callers give: what they raise is raised by the call that asked them, and by no other; and whom they keep alive."""

from __future__ import annotations

import gc
import weakref
from typing import Any, Callable

import numpy as np
import pytest
from conftest import walled

import wayfare

START, GOAL = (20, 0, 5), (20, 0, 35)


class Moody:
    """A filter that raises while it is angry."""

    def __init__(self) -> None:
        self.is_angry = False
        self.filter = wayfare.Filter(passes=self.passes, cost=self.cost)

    def passes(self, *_: object) -> bool:
        return bool(self.cost(0, 0, 0, 1.0))

    def cost(self, _poly: object, _start: object, _end: object, usual: float) -> float:
        if self.is_angry:
            raise ZeroDivisionError("in the filter")
        return usual


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return repr(a) == repr(b)


CALLS: list[Callable[[wayfare.Query], Any]] = [
    lambda query: query.nearest(START),
    lambda query: query.find_path(START, GOAL),
    lambda query: query.find_path(START, GOAL, "corridor"),
    lambda query: query.find_path_to_nearest(START, [GOAL]),
    lambda query: query.find_path_to_box(START, (18, -1, 30), (22, 1, 36)),
    lambda query: query.reachable(START, GOAL),
    lambda query: query.explain(START, GOAL),
    lambda query: query.raycast(START, GOAL),
    lambda query: query.move_along(START, GOAL),
    lambda query: query.nearest_wall(START, 30),
    lambda query: query.walls(START),
    lambda query: query.around(START, 5),
    lambda query: query.around_convex(START, [(15, 0, 1), (15, 0, 9), (25, 0, 9), (25, 0, 1)]),
    lambda query: query.neighbourhood(START, 5),
    lambda query: query.polys_in_box((0, -1, 0), (10, 1, 10)),
    lambda query: query.random_place() is None,
    lambda query: query.random_place_around(START, 5) is None,
    lambda query: query.search_record(START, GOAL),
    lambda query: query.path_lengths([START], [GOAL]),
    lambda query: query.nearest_many([START]),
    lambda query: query.raycast_many([START], [GOAL]),
    lambda query: query.move_along_many([START], [GOAL]),
    lambda query: query.reachable_many([START], [GOAL]),
    lambda query: query.nearest_wall_many([START], 30),
    lambda query: query.random_places(3, seed=1),
    lambda query: wayfare.SlicedSearch(query, START, GOAL).step(10_000),
    lambda query: wayfare.CostMap(query, START).path_to(GOAL),
    lambda query: wayfare.Corridor(query, START).polys,
    lambda query: wayfare.AbstractGraph(query).find_path(START, GOAL),
    lambda query: wayfare.AbstractGraph(query).pieces(START, GOAL),
    lambda query: wayfare.PathQueue(query).request(START, GOAL) is None,
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_what_raises_is_raised_by_the_call_itself(mesh: wayfare.NavMesh, number: int) -> None:
    call, moody = CALLS[number], Moody()
    query = mesh.query(moody.filter)
    moody.is_angry = True
    with pytest.raises(ZeroDivisionError, match="in the filter"):
        call(query)
    moody.is_angry = False
    # Nothing is left of it: the same question has the answer of a filter that never raised.
    plain = mesh.query(wayfare.Filter(passes=lambda *_: True, cost=lambda *step: step[3]))
    assert same(call(query), call(plain))


def test_what_raises_in_what_outlives_a_query(mesh: wayfare.NavMesh) -> None:
    moody = Moody()
    query = mesh.query(moody.filter)
    map, search, queue = wayfare.CostMap(query, START), wayfare.SlicedSearch(query, START, GOAL), wayfare.PathQueue(query)
    request = queue.request(START, GOAL)
    assert request is not None
    moody.is_angry = True
    for call in [lambda: map.path_to(GOAL), lambda: search.step(10_000), queue.step]:
        with pytest.raises(ZeroDivisionError):
            call()
        # By that call alone.
        assert len(query.mesh.polys)
    with pytest.raises(ZeroDivisionError):
        wayfare.ClearanceMesh(mesh, 1.2, moody.filter)
    moody.is_angry = False
    cut = wayfare.ClearanceMesh(mesh, 1.2, moody.filter)
    other = mesh.copy()
    other.remove_tile(int(other.tiles[0]))
    moody.is_angry = True
    with pytest.raises(ZeroDivisionError):
        cut.follow(other)
    crowd = wayfare.Crowd(mesh)
    number = crowd.add_filter(moody.filter)
    with pytest.raises(ZeroDivisionError):
        crowd.add(START, wayfare.AgentParams(filter=number))
    moody.is_angry = False
    agent = crowd.add(START, wayfare.AgentParams(filter=number))
    moody.is_angry = True
    for call in [lambda: crowd.go_to(agent, GOAL), lambda: crowd.teleport(agent, GOAL)]:
        with pytest.raises(ZeroDivisionError):
            call()
    moody.is_angry = False
    crowd.go_to(agent, GOAL)
    crowd.step(0.1)


def test_a_filter_raises_for_each_of_those_who_share_it(mesh: wayfare.NavMesh) -> None:
    moody = Moody()
    first, second = mesh.query(moody.filter), mesh.query(moody.filter)
    search = wayfare.SlicedSearch(second, START, GOAL)
    moody.is_angry = True
    with pytest.raises(ZeroDivisionError):
        first.find_path(START, GOAL)
    moody.is_angry = False
    assert second.find_path(START, GOAL).is_complete and search.step(10_000)
    # Two filters that raise in one tick: one is raised by that tick, and none by a later one.
    crowd, moods = wayfare.Crowd(mesh), [Moody(), Moody()]
    for mood in moods:
        crowd.go_to(crowd.add(START, wayfare.AgentParams(filter=crowd.add_filter(mood.filter))), GOAL)
        mood.is_angry = True
    with pytest.raises(ZeroDivisionError):
        crowd.step(0.1)
    for mood in moods:
        mood.is_angry = False
    crowd.step(0.1)


def test_a_filter_that_nobody_gave_follows_the_costs_of_the_mesh() -> None:
    mesh = wayfare.bake(walled(), wayfare.BakeSettings(tile_size=32))
    query, line = mesh.query(), ((3, 0, 5), (3, 0, 15))
    queue, chosen = wayfare.PathQueue(query), mesh.query(wayfare.Filter.of(mesh))
    area = mesh.poly_state(int(mesh.polys[0]))[0]
    usual, corridor = query.find_path(*line).cost, query.find_path(*line, "corridor").cost
    assert mesh.find_path(*line).cost == usual
    mesh.area_names = {area: ("mud", 50.0)}
    for found in [mesh.find_path(*line), query.find_path(*line)]:
        assert found.cost == pytest.approx(50 * usual, rel=0.01)
    assert query.find_path(*line, "corridor").cost == pytest.approx(50 * corridor, rel=0.01)
    request = queue.request(*line)
    queue.step()
    assert request is not None
    queued = queue.take(request)
    assert queued is not None and queued.path.cost == pytest.approx(50 * corridor, rel=0.01)
    assert chosen.find_path(*line).cost == usual
    other = mesh.copy()
    other.area_names = {area: ("sand", 2.0)}
    mesh.publish(other)
    assert query.find_path(*line).cost == pytest.approx(2 * usual, rel=0.01)


def test_a_callback_that_raises_cancels_nothing_else() -> None:
    cancel = wayfare.Cancel()

    def stop(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wayfare.bake(wayfare.Level.scene("terrain"), wayfare.BakeSettings(tile_size=32), progress=stop, cancel=cancel)
    assert not cancel.is_cancelled
    wayfare.bake(walled(), cancel=cancel)
    cancel.cancel()
    with pytest.raises(wayfare.Cancelled):
        wayfare.bake(walled(), cancel=cancel)


class Owner:
    """What has an object of Wayfare that calls it back."""

    held: Any

    def cost(self, _poly: int, _start: object, _end: object, usual: float) -> float:
        return usual

    def filter(self) -> wayfare.Filter:
        return wayfare.Filter(cost=self.cost)


HOLDERS: list[Callable[[Owner, wayfare.NavMesh], Any]] = [
    lambda owner, mesh: owner.filter(),
    lambda owner, mesh: mesh.query(owner.filter()),
    lambda owner, mesh: wayfare.SlicedSearch(mesh.query(owner.filter()), START, GOAL),
    lambda owner, mesh: wayfare.CostMap(mesh.query(owner.filter()), START),
    lambda owner, mesh: wayfare.Corridor(mesh.query(owner.filter()), START),
    lambda owner, mesh: wayfare.PathQueue(mesh.query(owner.filter())),
    lambda owner, mesh: wayfare.AbstractGraph(mesh.query(owner.filter())),
    lambda owner, mesh: wayfare.ClearanceMesh(mesh, 1.2, owner.filter()),
    lambda owner, mesh: crowd_of(owner, mesh),
]


def crowd_of(owner: Owner, mesh: wayfare.NavMesh) -> wayfare.Crowd:
    crowd = wayfare.Crowd(mesh)
    crowd.add_filter(owner.filter())
    return crowd


@pytest.mark.parametrize("number", range(len(HOLDERS)))
def test_rings_are_collected(mesh: wayfare.NavMesh, number: int) -> None:
    owner = Owner()
    owner.held = HOLDERS[number](owner, mesh)
    watched = weakref.ref(owner)
    del owner
    gc.collect()
    assert watched() is None
