"""What threads and processes do with one another, and sizes that no memory holds."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Tuple

import numpy as np
import pytest

import wayfare

SETTINGS = wayfare.BakeSettings(tile_size=48)


def _work(mesh: wayfare.NavMesh) -> Tuple[str, float, float]:
    """A bake, a batch and a crowd, all on several threads."""
    level = wayfare.Level.scene("yard")
    query = mesh.query()
    _, places = query.random_places(1200, seed=1)
    crowd = wayfare.Crowd(mesh)
    for place in places[:600]:
        crowd.add(place)
    crowd.go_to_many(places[600:])
    for _ in range(3):
        crowd.step(0.1)
    obstacles = wayfare.Obstacles(mesh.copy(), level, SETTINGS)
    obstacles.add(wayfare.Box((4, -1, 4), (6, 2, 6)))
    obstacles.step()
    lengths = query.path_lengths(places[:600], places[600:])
    return wayfare.bake(level, SETTINGS).digest, float(lengths[np.isfinite(lengths)].sum()), float(crowd.positions.sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # that forking with threads is dangerous: that is the point
def test_a_forked_process_has_threads_of_its_own() -> None:
    mesh = wayfare.bake("scene:yard", SETTINGS)
    here = _work(mesh)
    job = wayfare.BakeJob(wayfare.Level.scene("yard"), SETTINGS)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        # Threads of the parent would never answer; the time is for that, and far more than the work takes.
        assert pool.map_async(_work, [mesh, mesh]).get(timeout=300) == [here, here]
        with pytest.raises(ValueError, match="another process"):
            _JOBS.append(job)
            multiprocessing.get_context("fork").Pool(1).map_async(_step, [0]).get(timeout=300)


_JOBS: "list[wayfare.BakeJob]" = []


def _step(number: int) -> None:
    _JOBS[number].step()


def test_sizes_that_no_memory_holds() -> None:
    query = wayfare.bake("scene:flat").query()
    for ask in (
        lambda: query.random_places(10**15),
        lambda: wayfare.pedestrians(10**15, 1),
        lambda: wayfare.Formation.block(10**15, 4, 1.0),
        lambda: wayfare.Formation.wedge(10**15, 1.0),
    ):
        with pytest.raises(MemoryError, match="no memory for 1000000000000000"):
            ask()


def test_threads_are_set_once() -> None:
    program = "import wayfare; wayfare.set_threads(2); wayfare.bake('scene:flat'); wayfare.set_threads(3)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "the threads are at work already" in ran.stderr


def test_threads_share_a_query() -> None:
    query = wayfare.bake("scene:yard", SETTINGS).query()
    _, places = query.random_places(4000, seed=1)
    starts, goals = places[:2000], places[2000:]
    alone = query.path_lengths(starts, goals)
    with ThreadPoolExecutor(4) as threads:
        batches = [threads.submit(query.path_lengths, starts, goals) for _ in range(4)]
        singles = [query.find_path(start, goal).length for start, goal in zip(starts[:50], goals[:50])]
        for batch in batches:
            np.testing.assert_array_equal(batch.result(), alone)
    complete = np.isfinite(alone[:50])
    np.testing.assert_allclose(np.array(singles)[complete], alone[:50][complete])


def test_an_object_in_use_says_so() -> None:
    mesh = wayfare.bake("scene:yard", SETTINGS)
    crowd = wayfare.Crowd(mesh)
    told = []

    def asks(*_: object) -> bool:
        for ask in (lambda: query.find_path((1, 0, 1), (2, 0, 2)), lambda: crowd.positions, lambda: crowd.step(0.1)):
            try:
                ask()
            except RuntimeError as error:
                told.append(str(error))
        return True

    query = mesh.query(wayfare.Filter(passes=asks))
    _, (start, goal) = mesh.query().random_places(2, seed=1)
    query.find_path(start, goal)
    assert set(told) == {_in_use("Query")}
    told.clear()
    agent = crowd.add(start, wayfare.AgentParams(filter=crowd.add_filter(wayfare.Filter(passes=asks))))
    crowd.go_to(agent, goal)
    crowd.step(0.1)
    assert set(told) == {_in_use("Query"), _in_use("Crowd")}


def _in_use(name: str) -> str:
    return (
        f"this {name} is in use by another call, on another thread or in a function that called this one: wait until that "
        f"returns, or give each thread a {name} of its own"
    )


def test_a_level_may_change_while_it_is_baked() -> None:
    level = wayfare.Level.scene("yard")
    calls = []

    def progress(done: int, total: int) -> None:
        calls.append(level.add_connection(wayfare.Connection((2, 0, 2), (6, 0, 2))))

    mesh = wayfare.bake(level, SETTINGS, progress=progress)
    assert calls and not mesh.connections  # the bake is of the level as it was given
    mesh.publish(mesh)
    before = sorted(mesh.tile_bytes(int(tile)) for tile in mesh.tiles)
    assert wayfare.rebake(mesh, level, ((0, -1, 0), (8, 1, 8)), SETTINGS) > 0
    assert sorted(mesh.tile_bytes(int(tile)) for tile in mesh.tiles) == before
