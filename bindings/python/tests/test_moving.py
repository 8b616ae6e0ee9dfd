"""What moves: corridors, crowds, obstacles, blocks, grids, and an environment to learn in."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import numpy as np
import pytest
from conftest import ground, walled

import wayfare
from wayfare.gym import CrowdEnv

START, GOAL = (20, 0, 5), (20, 0, 35)


def tiles_of(mesh: wayfare.NavMesh) -> list[bytes]:
    """Without how often each was replaced."""
    return sorted(mesh.tile_bytes(int(tile)) for tile in mesh.tiles)


def test_a_corridor(mesh: wayfare.NavMesh) -> None:
    query = mesh.query()
    corridor = wayfare.Corridor(query, START)
    corridor.follow(query.find_path(START, GOAL, "corridor"))
    length = corridor.length
    for _ in range(400):
        point, kind = corridor.corners(1)[0]
        here = np.array(corridor.start.point)  # type: ignore[union-attr]
        ahead = np.array(point) - here
        away = np.linalg.norm(ahead)
        if kind == "end" and away < 0.1:
            break
        corridor.move_start(here + ahead * min(1.0, 0.5 / max(away, 1e-6)))
    else:
        raise AssertionError("never arrived")
    assert corridor.length < length and corridor.is_valid()
    corridor.move_end((22, 0, 33))
    corridor.shorten_by_sight((22, 0, 33), 30.0)
    corridor.shorten_by_search()
    assert corridor.cost >= 0 and len(corridor.polys) > 0 and corridor.end is not None
    mesh.remove_tile(mesh.poly_tile(int(corridor.polys[-1])))
    assert corridor.repair()[0] in ("cut", "moved", "lost")
    corridor.stop()
    with pytest.raises(ValueError, match="near the mesh"):
        wayfare.Corridor(query, (500, 0, 0))
    with pytest.raises(ValueError, match="call corners"):
        corridor.enter_connection(99)


def test_a_crowd(mesh: wayfare.NavMesh) -> None:
    crowd = wayfare.Crowd(mesh)
    agents = crowd.add_many(np.array([[x, 0, 5] for x in range(5, 35, 3)], dtype=np.float32))
    for agent in agents:
        crowd.go_to(agent, GOAL)
    kinds = set()
    for _ in range(600):
        crowd.step(0.1)
        kinds |= {event.kind for event in crowd.events}
    assert set(crowd.statuses) == {"arrived"} and {"path_found", "arrived"} <= kinds
    assert crowd.positions.shape == (10, 3) and crowd.velocities.shape == (10, 3)
    assert crowd.time == pytest.approx(60, rel=1e-3) and crowd.profile["total"] > 0
    assert agents[0] in crowd and len(crowd) == 10 and crowd.agents == agents
    crowd.remove(agents[0])
    with pytest.raises(wayfare.StaleReferenceError):
        crowd.position(agents[0])
    assert agents[0] not in crowd and crowd.positions.shape == (9, 3)


def test_what_a_crowd_can_be_told(mesh: wayfare.NavMesh) -> None:
    crowd = wayfare.Crowd(mesh, wayfare.CrowdSettings(path_nodes=5000), planner="flow")
    params = wayfare.AgentParams(radius=0.4, avoidance="orca", style="smooth", max_speed=2.0)
    leader = crowd.add(START, params)
    other = crowd.add((18, 0, 5), params)
    crowd.follow_agent(other, leader)
    assert crowd.target(other) == ("agent", leader)
    crowd.walk(leader, (0, 0, 1))
    crowd.step(0.1, ticks=10)
    assert crowd.velocity(leader)[2] > 0.5
    crowd.teleport(leader, GOAL)
    crowd.pause(other)
    crowd.pause(other, False)
    crowd.follow_point(other, (22, 0, 10))
    crowd.step(0.1)
    assert crowd.params(leader).avoidance.method == "orca"
    crowd.set_params(leader, wayfare.AgentParams(avoidance=wayfare.Avoidance("hrvo", {"horizon": 1.5})))
    assert crowd.params(leader).avoidance.settings["horizon"] == pytest.approx(1.5)
    number = crowd.add_filter(wayfare.Filter(area_costs={9: 3.0}))
    crowd.set_costs(number, wayfare.Filter(area_costs={9: 5.0}))
    crowd.set_filter(number, wayfare.Filter())
    crowd.stop(other)
    assert crowd.target(other) is None and crowd.remaining_distance(leader) is None
    crowd.settings = wayfare.CrowdSettings(path_nodes=100)
    assert crowd.settings.path_nodes == 100
    for name in ["none", "sampled", "adaptive", "orca", "clearpath", "hrvo", "pedestrian"]:
        assert wayfare.Avoidance.defaults(name).method == name  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no setting"):
        crowd.set_params(leader, wayfare.AgentParams(avoidance=wayfare.Avoidance("orca", {"courage": 1})))
    with pytest.raises(ValueError, match="radius"):
        crowd.set_params(leader, wayfare.AgentParams(radius=-1))
    with pytest.raises(ValueError, match="dt"):
        crowd.step(float("nan"))
    with pytest.raises(ValueError):
        crowd.add((500, 0, 0))
    with pytest.raises(TypeError):
        crowd.go_to(3, GOAL)  # type: ignore[arg-type]
    assert len(wayfare.pedestrians(5, seed=2)) == 5 == len({p.max_speed for p in wayfare.pedestrians(5, seed=2)})


def test_phases_are_a_step(mesh: wayfare.NavMesh) -> None:
    def play(by_phase: bool) -> np.ndarray:
        crowd = wayfare.Crowd(mesh)
        for x in (5, 10, 15, 20):
            crowd.go_to(crowd.add((x, 0, 5)), GOAL)
        for _ in range(30):
            if not by_phase:
                crowd.step(0.1)
                continue
            crowd.begin(0.1)
            for phase in "validate plan neighbours corners connections steer avoid integrate resolve constrain".split():
                crowd.run_phase(phase, 0.1)
                if phase == "steer":
                    crowd.desired = crowd.desired
                if phase == "avoid":
                    crowd.avoiding = crowd.avoiding
            crowd.finish()
        return crowd.positions

    assert np.array_equal(play(True), play(False))


def test_saved_crowds_go_on_alike(mesh: wayfare.NavMesh) -> None:
    crowd = wayfare.Crowd(mesh)
    agent = crowd.add(START)
    crowd.go_to(agent, GOAL)
    crowd.step(0.1, ticks=20)
    again = wayfare.Crowd.from_bytes(crowd.to_bytes(), mesh)
    crowd.step(0.1, ticks=20)
    again.step(0.1, ticks=20)
    assert np.array_equal(crowd.positions, again.positions) and agent in again
    with pytest.raises(wayfare.FormatError):
        wayfare.Crowd.from_bytes(crowd.to_bytes()[:-3], mesh)


def test_formations(mesh: wayfare.NavMesh) -> None:
    crowd = wayfare.Crowd(mesh)
    leader = crowd.add((10, 0, 10))
    members = [crowd.add((x, 0, 6)) for x in (6, 9, 12)]
    formation = wayfare.Formation(leader, wayfare.Formation.wedge(3, 1.5), members)
    crowd.go_to(leader, (30, 0, 10))
    for _ in range(50):
        formation.lead(crowd)
        crowd.step(0.1)
    assert len(formation.slots) == 3 and len(wayfare.Formation.block(6, 3, 1.0)) == 6
    assert len(wayfare.Formation.from_bytes(formation.to_bytes()).to_bytes()) > 0
    with pytest.raises(ValueError, match="spacing is NaN"):
        wayfare.Formation.wedge(3, float("nan"))


def test_a_filter_that_raises_in_a_crowd(mesh: wayfare.NavMesh) -> None:
    def fails(*_: object) -> bool:
        raise LookupError("no such door")

    crowd = wayfare.Crowd(mesh)
    number = crowd.add_filter(wayfare.Filter(passes=lambda *_: True))
    agent = crowd.add(START, wayfare.AgentParams(filter=number))
    crowd.set_filter(number, wayfare.Filter(passes=fails))
    with pytest.raises(LookupError, match="no such door"):
        crowd.go_to(agent, GOAL)
    crowd.walk(agent, (0, 0, 1))
    with pytest.raises(LookupError, match="no such door"):
        crowd.step(0.1, ticks=5)


def test_costs_of_a_large_crowd_may_come_from_functions(mesh: wayfare.NavMesh) -> None:
    """So many agents that threads tell them of the costs, each of which needs the interpreter."""
    crowd = wayfare.Crowd(mesh)
    number = crowd.add_filter(wayfare.Filter(cost=lambda poly, start, end, usual: usual))
    _, places = mesh.query().random_places(600, seed=5)
    for place in places[:300]:
        crowd.add(place, wayfare.AgentParams(filter=number))
    crowd.go_to_many(places[300:])
    crowd.step(0.1)
    asked = 0

    def dearer(poly: int, start: object, end: object, usual: float) -> float:
        nonlocal asked
        asked += 1
        return 3 * usual

    def fails(*_: object) -> float:
        raise LookupError("no such toll")

    crowd.set_costs(number, wayfare.Filter(cost=dearer))
    assert asked > 0
    crowd.step(0.1, ticks=3)
    with pytest.raises(LookupError, match="no such toll"):
        crowd.set_costs(number, wayfare.Filter(cost=fails))
    crowd.set_costs(number, wayfare.Filter(cost=dearer))
    crowd.step(0.1)


def test_obstacles(settings: wayfare.BakeSettings) -> None:
    level = walled()
    mesh = wayfare.bake(level, settings)
    before = mesh.digest
    tiles = {mesh.tile_info(int(tile))["polys"] for tile in mesh.tiles}
    obstacles = wayfare.Obstacles(mesh, level, settings)
    crate = wayfare.Box((1, -1, 18), (5, 2, 22))
    name, request = obstacles.add(crate)
    assert request.tiles and obstacles.outcome(request) == "waiting" and obstacles.about_to_change
    done, total = obstacles.step(1000)
    while done < total:
        done, total = obstacles.step(5000)
    assert obstacles.outcome(request) == "built" and obstacles.rebuilt is not None
    assert mesh.find_path((3, 0, 10), (3, 0, 30)).length > 40
    assert isinstance(obstacles.get(name)[0], wayfare.Box) and len(obstacles) == 1 and obstacles.ids == [name]
    saved = wayfare.Obstacles.from_bytes(mesh, obstacles.checkpoints, obstacles.to_bytes())
    assert len(saved) == 1
    obstacles.move_by(name, (0, 0, 1))
    obstacles.move_to(name, (3, 0, 20))
    obstacles.replace(name, wayfare.Cylinder((3, -1, 20), 1.0, 3.0), paint=7)
    obstacles.step()
    obstacles.remove(name)
    obstacles.step()
    assert {mesh.tile_info(int(tile))["polys"] for tile in mesh.tiles} == tiles and before
    with pytest.raises(wayfare.StaleReferenceError):
        obstacles.move_by(name, (0, 0, 1))
    with pytest.raises(TypeError, match="no volume"):
        obstacles.add("crate")
    with pytest.raises(ValueError):
        obstacles.add(wayfare.Cylinder((3, 0, 20), float("nan"), 1.0))
    with pytest.raises(wayfare.FormatError):
        wayfare.Obstacles.from_checkpoints(mesh, b"nothing")


def test_geometry_that_changes() -> None:
    settings = wayfare.BakeSettings(tile_size=32, bounds=((0, -2, 0), (40, 6, 40)))
    level = ground(40)
    mesh = wayfare.bake(level, settings)
    obstacles = wayfare.Obstacles(mesh, level, settings)
    objects = wayfare.ObjectLevel(level, settings)
    wall = [[0, 0, 0], [30, 0, 0], [30, 3, 0], [0, 3, 0]]
    name, changed = objects.add(wall, [[0, 1, 2], [0, 2, 3]], (5, 0, 20))
    assert changed is not None
    obstacles.invalidate(*changed)
    with pytest.raises(wayfare.BakeError, match="give `Obstacles.step` its `objects`"):
        obstacles.step()
    obstacles.step(objects=objects)
    assert mesh.find_path(START, GOAL).length > 31
    obstacles.invalidate(*objects.move_to(name, (5, 0, 10)))  # type: ignore[misc]
    obstacles.invalidate(*objects.remove(name))  # type: ignore[misc]
    obstacles.step(objects=objects)
    assert mesh.find_path(START, GOAL).length == pytest.approx(30, abs=0.1)
    assert objects.level().triangles.shape == (2, 3)


def test_all_obstacles_at_once(settings: wayfare.BakeSettings) -> None:
    level = ground(40)
    mesh = wayfare.bake(level, settings)
    before = tiles_of(mesh)
    obstacles = wayfare.Obstacles(mesh, level, settings)
    names = [obstacles.add(wayfare.Box((x, -1, 18), (x + 2, 2, 22)))[0] for x in (4, 14, 24)]
    obstacles.step()
    assert tiles_of(mesh) != before and len(obstacles) == 3
    obstacles.clear()
    assert len(obstacles) == 0 and obstacles.ids == [] and obstacles.about_to_change
    obstacles.step()
    assert tiles_of(mesh) == before
    with pytest.raises(wayfare.StaleReferenceError):
        obstacles.remove(names[0])
    obstacles.clear()
    assert not obstacles.about_to_change


WALL = ([[0, 0, 0], [30, 0, 0], [30, 3, 0], [0, 3, 0]], [[0, 1, 2], [0, 2, 3]])


def test_a_level_that_lives(tmp_path: Path) -> None:
    settings = wayfare.BakeSettings(tile_size=32, bounds=((0, -2, 0), (40, 6, 40)))
    level = ground(40)
    live = wayfare.LiveLevel(level, settings)
    mesh = live.mesh
    assert mesh.tile_count == 0 and live.progress[0] == "tiles" and live.about_to_change
    steps = 0
    while not live.step(20_000):
        steps += 1
    plain = wayfare.bake(level, settings)
    assert steps > 1 and mesh == plain and mesh is live.mesh and live.progress[1] == live.progress[2]

    query = mesh.query()
    wall = live.add_object(*WALL, (5, 0, 20))
    crate = live.add_obstacle(wayfare.Box((1, -1, 18), (5, 2, 22)))
    assert live.obstacles == [crate] and isinstance(live.obstacle(crate)[0], wayfare.Box)
    version = mesh.version
    live.announce()
    assert live.about_to_change and mesh.changes_since(version)
    with pytest.raises(ValueError, match="budget"):
        live.step(0)
    live.step()
    assert live.rebuilt and query.find_path(START, GOAL).length > 31
    both = wayfare.Level(*WALL)  # the whole level at once
    vertices = np.concatenate([level.vertices, both.vertices + np.float32((5, 0, 20))])
    triangles = np.concatenate([level.triangles, both.triangles + len(level.vertices)])
    whole = wayfare.Level(vertices, triangles)
    whole.add_volume(wayfare.Box((1, -1, 18), (5, 2, 22)))
    assert tiles_of(mesh) == tiles_of(wayfare.bake(whole, settings))
    assert live.level().triangles.shape == (4, 3)  # type: ignore[union-attr]

    # Flags that are set between steps stay, on tiles that stay.
    corner = int(query.nearest((1, 0, 39)).poly)  # type: ignore[union-attr]
    mesh.set_flags(corner, 4)
    live.move_object(wall, (5, 0, 12))
    live.move_obstacle_by(crate, (0, 0, -8))
    live.step()
    assert mesh.poly_state(corner)[1] == 4
    assert live.rebuilt and live.step() and not live.rebuilt  # of the last step, which had nothing to do
    mesh.set_flags(corner, 1)

    # Saved and loaded, with the triangles for more objects.
    stale = mesh.copy()
    live.store()
    mesh.publish(stale)  # which has nothing beside it
    mesh.save(tmp_path / "level.way")
    loaded = wayfare.LiveLevel.stored(wayfare.NavMesh.load(tmp_path / "level.way"), level=level)
    assert loaded.mesh == mesh and len(loaded.obstacles) == 1
    for one in (live, loaded):
        one.replace_obstacle(one.obstacles[0], wayfare.Cylinder((30, -1, 30), 2, 3), paint=7)
        one.step()
        one.remove_obstacle(one.obstacles[0])
    live.remove_object(wall)
    for one in (live, loaded):
        one.replace_triangles(level.vertices, level.triangles)
        assert one.step()
    assert tiles_of(live.mesh) == tiles_of(plain) and "0 obstacles" in repr(live)
    # The wall is an object, which is not saved: it stays where nothing was baked again.
    loaded.add_object(*WALL, (5, 0, 12))
    loaded.step()
    assert loaded.mesh.find_path(START, GOAL).length > 31

    with pytest.raises(wayfare.StaleReferenceError):
        live.remove_obstacle(crate)
    with pytest.raises(wayfare.StaleReferenceError):
        live.move_object(wall, (0, 0, 0))
    bare = wayfare.LiveLevel.stored(wayfare.NavMesh.load(tmp_path / "level.way"))
    assert bare.level() is None
    with pytest.raises(ValueError, match="level"):
        bare.add_object(*WALL)
    with pytest.raises(ValueError, match="layers"):
        wayfare.LiveLevel.stored(wayfare.bake(level, settings))
    with pytest.raises(ValueError, match="level"):
        wayfare.LiveLevel.stored(wayfare.NavMesh.load(tmp_path / "level.way"), links=wayfare.LinkSettings())
    with pytest.raises(ValueError):
        live.add_obstacle(wayfare.Cylinder((3, 0, 20), float("nan"), 1.0))
    with pytest.raises(TypeError, match="give an object of the package's class"):
        wayfare.LiveLevel(level, settings, links=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="layout"):
        live.mesh.replace(wayfare.bake(level, wayfare.BakeSettings(tile_size=48)))
        live.add_obstacle(wayfare.Box((1, -1, 1), (5, 2, 5)))
        live.step()


def land(pit: bool) -> wayfare.Level:
    """Terrain of 40 by 40 metres, with a pit or without, and a volume that blocks."""
    samples = np.full((41, 41), 200, np.uint16)
    if pit:
        samples[3:6, 3:6] = 0
    level = wayfare.Level.from_heights(samples)
    level.add_volume(wayfare.Cylinder((30, 0, 30), 2, 6))
    return level


def test_terrain_of_a_level_that_lives() -> None:
    settings = wayfare.BakeSettings(tile_size=32, bounds=((0, -1, 0), (40, 6, 40)))
    live = wayfare.LiveLevel(land(False), settings)
    live.step()
    assert live.mesh == wayfare.bake(land(False), settings)
    live.replace_terrain(land(True))
    live.step()
    assert 0 < len(live.rebuilt) < 5
    assert tiles_of(live.mesh) == tiles_of(wayfare.bake(land(True), settings))
    now = live.level()
    assert now is not None and len(now.volumes) == 1
    assert tiles_of(wayfare.bake(now, settings)) == tiles_of(live.mesh)
    live.replace_terrain(None)
    live.step()
    assert live.mesh.tile_count == 0
    with pytest.raises(TypeError):
        live.replace_terrain(np.zeros((9, 9), np.uint16))  # type: ignore[arg-type]
    objects = wayfare.ObjectLevel(land(True), settings)
    objects.add(*WALL)
    assert len(objects.level().triangles) == 2
    assert wayfare.bake(objects.level(), settings).tile_count > 1


def test_a_level_that_lives_is_cancelled_and_goes_on() -> None:
    settings = wayfare.BakeSettings(tile_size=32)
    live = wayfare.LiveLevel(ground(40), settings)
    cancel = wayfare.Cancel()
    cancel.cancel()
    with pytest.raises(wayfare.Cancelled):
        live.step(cancel=cancel)
    assert live.step() and live.mesh == wayfare.bake(ground(40), settings)


def test_links_of_a_level_that_lives() -> None:
    agent = wayfare.AgentSettings()
    settings = wayfare.BakeSettings(agent, tile_size=32, bounds=((0, -2, 0), (24, 6, 24)))
    links = wayfare.LinkSettings.for_agent(agent)
    live = wayfare.LiveLevel(ground(24), settings, links=links)
    assert live.step() and live.links == [] and live.progress[0] == "links"
    block = ([[0, 2, 0], [8, 2, 0], [8, 2, 8], [0, 2, 8]], [[0, 2, 1], [0, 3, 2]])
    name = live.add_object(*block, (8, 0, 8))
    while not live.step(20_000):
        pass
    found = live.links
    assert found and {link.kind for link in found} <= {"drop", "jump-down", "jump-across", "climb"}
    now = live.level()
    assert now is not None
    everywhere = wayfare.find_links(now, wayfare.bake(now, settings), links, settings)
    assert [(link.id, link.start) for link in found] == sorted((link.id, link.start) for link in everywhere)
    assert len(live.mesh.connections) == len(found)
    assert live.mesh.find_path((12, 2, 12), (2, 0, 2)).is_complete
    live.remove_object(name)
    live.step()
    assert live.links == [] and len(live.mesh.connections) == 0


def test_blocks() -> None:
    array = np.zeros((24, 6, 24), dtype=np.uint8)
    array[:, 0, :] = 1
    array[12, 1:4, :20] = 1
    world = wayfare.BlockWorld.from_array(array)
    nav = wayfare.BlockNav(world)
    path = nav.find_path((2, 1, 2), (20, 1, 2))
    assert path.status == "complete" and path.length > 30 and path.points.shape[1] == 3
    assert nav.stands((2, 1, 2)) and nav.nearest((2.5, 1.2, 2.5)) == (2, 1, 2)
    for y in (1, 2, 3):
        world.set((12, y, 2), "air")
    nav.invalidate((12, 1, 2), (12, 3, 2))
    assert not nav.is_current(path) and nav.find_path((2, 1, 2), (20, 1, 2)).length < 20
    assert nav.path_exists((2, 1, 2), (20, 1, 2)) and world.get((12, 1, 3)) == "solid"
    number = nav.ask((2, 1, 2), (20, 1, 2))
    while nav.waiting:
        nav.update(1000)
    assert nav.take(number).status == "complete" and nav.take(number) is None  # type: ignore[union-attr]
    corridor = wayfare.BlockCorridor(nav, nav.position((2, 1, 2)), (20, 1, 2))
    for _ in range(100):
        if corridor.has_arrived:
            break
        corridor.walk(corridor.target)
    assert corridor.has_arrived and corridor.refresh() in (True, False)
    later = wayfare.BlockCorridor(nav, nav.position((2, 1, 2)), (20, 1, 2), search=False)
    assert not later.path.points.size and later.target == later.position
    asked = later.ask()
    assert asked is not None and nav.waiting == 1 and nav.take(asked) is None
    nav.update()
    answer = nav.take(asked)
    assert answer is not None
    later.follow(answer)
    assert later.path.length == answer.length and later.ask() is None
    # One that asks every tick waits once; one whose answer is lost asks again, or searches by itself.
    for rescue in ("ask", "refresh"):
        patient = wayfare.BlockCorridor(nav, nav.position((2, 1, 2)), (20, 1, 2), search=False)
        first = patient.ask()
        assert first is not None and patient.ask() is None and not patient.refresh() and nav.waiting == 1
        nav.update()
        assert patient.ask() is None and nav.take(first) is not None
        if rescue == "refresh":
            assert patient.refresh() and nav.waiting == 0
        else:
            second = patient.ask()
            assert second is not None and second != first and patient.ask() is None and nav.waiting == 1
            nav.update()
            patient.follow(nav.take(second))  # type: ignore[arg-type]
        assert patient.path.status == "complete" and patient.ask() is None and nav.waiting == 0
    world.set((6, 1, 2), "solid")
    world.set((6, 2, 2), "solid")
    nav.invalidate((6, 1, 2), (6, 2, 2))
    for _ in range(400):
        if (asked := later.ask()) is not None:
            # Meanwhile it walks on along the old path.
            later.walk(later.target)
            nav.update()
            later.follow(nav.take(asked))  # type: ignore[arg-type]
        if later.has_arrived:
            break
        later.walk(later.target)
    assert later.has_arrived and later.ask() is None
    with pytest.raises(ValueError, match="stand"):
        wayfare.BlockCorridor(nav, (2, 100, 2), (20, 1, 2), search=False)
    limited = wayfare.BlockCorridor(nav, nav.position((2, 1, 2)), (20, 1, 20), max_nodes=3)
    assert limited.path.limit == "nodes"
    area = wayfare.BlockCorridor(nav, nav.position((2, 1, 2)), (2, 1, 6), to_box=(9, 1, 9))
    assert area.path.status == "complete" and tuple(area.path.points[-1]) == nav.position((2, 1, 6))
    assert nav.random_reachable((2, 1, 2), 8) and nav.random_in_box((0, 1, 0), (5, 2, 5)) and nav.stats[0] > 0
    with pytest.raises(ValueError, match="air"):
        world.set((0, 0, 0), "stone")
    with pytest.raises(ValueError):
        wayfare.BlockWorld.from_array(np.full((2, 2, 2), 9))
    with pytest.raises(ValueError, match="0 to 255"):
        wayfare.BlockWorld.from_array(np.full((2, 2, 2), 257))
    with pytest.raises(TypeError, match="whole numbers"):
        wayfare.BlockWorld.from_array(np.full((2, 2, 2), 1.5))
    with pytest.raises(ValueError, match="lead beyond"):
        wayfare.BlockWorld.from_array(np.ones((2, 2, 2), bool), origin=(2**31 - 1, 0, 0))
    assert wayfare.BlockWorld.from_array(np.zeros((0, 3, 3))).bounds is None
    with pytest.raises(wayfare.StaleReferenceError):
        nav.take(999)
    with pytest.raises(ValueError):
        wayfare.BlockNav(world, height=0)
    for cost in (float("nan"), -1.0, 0.0):
        with pytest.raises(ValueError, match="area type 1"):
            wayfare.BlockNav(world, area_costs={1: cost})
    with pytest.raises(ValueError, match="budget"):
        nav.update(0)


def test_local_grids() -> None:
    grid = wayfare.LocalGrid(32, 0.25, radius=0.3)
    grid.recenter((10, 0, 10))
    disc = wayfare.GridObstacle.disc((10, 0, 11.5), 0.5, id=7)
    assert disc.id == 7 and repr(disc) == "<wayfare.GridObstacle 7: a disc>"
    grid.block(disc)
    grid.block(wayfare.GridObstacle.box((8, 0, 8), (0.3, 0.3), 0.5))
    grid.block(wayfare.GridObstacle.segment((12, 0, 8), (12, 0, 9)))
    status, points = grid.find_path((10, 0, 10), (10, 0, 13))
    assert status == "complete" and len(points) > 2
    assert grid.blockers((10, 0, 10), (10, 0, 13)) == [7] and grid.cells.shape == (32, 32) and grid.cells.any()
    grid.clear()
    grid.set_blocked(5, 9)
    grid.set_blocked(31, 0)
    assert grid.cells.sum() == 2 and grid.cells[9, 5] and grid.cells[0, 31]
    with pytest.raises(ValueError, match="read-only"):
        grid.cells[0, 0] = True
    grid.set_blocked(5, 9, False)
    mask = np.zeros((32, 32), bool)
    mask[16:20, :28] = True
    grid.cells = mask
    assert (grid.cells == mask).all()
    assert len(grid.find_path((10, 0, 9), (10, 0, 13))[1]) > 2
    grid.cells = mask.T[::-1].T  # whichever way it lies in memory
    assert (grid.cells == mask[:, ::-1]).all()
    for wrong in [mask[:31], mask.astype(float), "cells"]:
        with pytest.raises(ValueError, match=r"bool of shape \(32, 32\)"):
            grid.cells = wrong
    with pytest.raises(ValueError, match="outside of the grid of 32 by 32"):
        grid.set_blocked(32, 0)
    with pytest.raises(ValueError, match="0 to 4294967295"):
        grid.set_blocked(-1, 0)
    with pytest.raises(ValueError):
        wayfare.LocalGrid(1000)
    with pytest.raises(ValueError):
        wayfare.GridObstacle.disc((0, 0, 0), float("nan"))
    with pytest.raises(ValueError):
        wayfare.GridObstacle.box((0, 0, 0), (1, 1), float("inf"))


def test_obstacles_that_the_mesh_lacks(mesh: wayfare.NavMesh) -> None:
    crowd = wayfare.Crowd(mesh)
    agent = crowd.add((5, 0, 5))
    crowd.go_to(agent, (25, 0, 5))
    crowd.set_obstacles([wayfare.GridObstacle.box((15, 0, 5), (0.5, 2), id=7)])
    widest, bends = 0.0, 0
    for _ in range(200):
        crowd.step(0.1)
        widest = max(widest, abs(crowd.position(agent)[2] - 5))
        bends += crowd.local_bend(agent) is not None
    assert crowd.position(agent)[0] > 24 and widest > 2 and bends > 0 and crowd.obstructed_by(agent) == []
    crowd.set_obstacles([wayfare.GridObstacle.segment((15, 0, -1), (15, 0, 41), id=9)])
    crowd.go_to(agent, (5, 0, 5))
    told = []
    for _ in range(200):
        crowd.step(0.1)
        told += [event.details["obstacle"] for event in crowd.events if event.kind == "obstructed"]
    assert 9 in told and crowd.obstructed_by(agent) == [9]
    crowd.set_obstacles([])
    crowd.step(0.1, ticks=200)
    assert crowd.position(agent)[0] < 6
    with pytest.raises(TypeError):
        crowd.set_obstacles([(1, 2, 3)])  # type: ignore[list-item]


def test_a_crowd_planned_with_bounds(mesh: wayfare.NavMesh) -> None:
    bounds = wayfare.CostBounds(mesh)
    crowd = wayfare.Crowd(mesh, planner=bounds)
    agent = crowd.add(START)
    crowd.go_to(agent, GOAL)
    crowd.step(0.1, ticks=500)
    assert crowd.status(agent) == "arrived"
    queue = wayfare.PathQueue(mesh.query(), bounds)
    request = queue.request(START, GOAL)
    assert request is not None
    while queue.pending:
        queue.step(8)
    answer = queue.take(request)
    assert answer is not None and answer.path.cost == mesh.query().find_path(START, GOAL, bounds).cost
    mesh.remove_tile(mesh.tiles[0])
    newer = wayfare.CostBounds(mesh)
    crowd.set_bounds(newer)
    queue.set_bounds(newer)
    with pytest.raises(ValueError, match="without bounds"):
        wayfare.Crowd(mesh).set_bounds(newer)
    with pytest.raises(ValueError, match="planner"):
        wayfare.Crowd(mesh, planner="astar")
    with pytest.raises(TypeError, match="planner"):
        wayfare.Crowd(mesh, planner=3)  # type: ignore[arg-type]


def test_goals_of_learners_can_be_reached() -> None:
    # Two floors of the same size that do not connect.
    vertices, triangles = [], []
    for x in (0, 20):
        first = len(vertices)
        vertices += [[x, 0, 0], [x, 0, 10], [x + 10, 0, 10], [x + 10, 0, 0]]
        triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    env = CrowdEnv(wayfare.bake((vertices, triangles)), others=0, learners=4)
    for seed in range(20):
        first_seen, _ = env.reset(seed=seed)
        _, _, _, _, info = env.step(np.zeros((4, 2)))
        assert np.isfinite(info["distance"]).all()
        assert np.array_equal(first_seen, env.reset(seed=seed)[0])


@pytest.mark.parametrize("goals", [512, 1])
def test_a_mesh_of_many_parts(monkeypatch: pytest.MonkeyPatch, goals: int) -> None:
    """Goals are found on each of them, and nearby where all that are drawn lie elsewhere."""
    from wayfare import gym

    monkeypatch.setattr(gym, "GOALS", goals)
    vertices, triangles = [], []
    for x in range(0, 60, 6):
        for z in range(0, 60, 6):
            first = len(vertices)
            vertices += [[x, 0, z], [x, 0, z + 4], [x + 4, 0, z + 4], [x + 4, 0, z]]
            triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    env = CrowdEnv(wayfare.bake((vertices, triangles)), others=0, learners=5)
    for seed in range(20):
        first_seen, _ = env.reset(seed=seed)
        _, _, _, _, info = env.step(np.zeros((5, 2)))
        assert np.isfinite(info["distance"]).all() and (env._distance > 0).all()
        assert np.array_equal(first_seen, env.reset(seed=seed)[0])


def test_an_environment(mesh: wayfare.NavMesh) -> None:
    def play(env: CrowdEnv, seed: int) -> list[float]:
        observation, _ = env.reset(seed=seed)
        rewards = []
        for _ in range(300):
            observation, reward, done, cut, info = env.step(observation[0:2])
            rewards.append(reward)
            if done or cut:
                break
        assert done
        return rewards

    env = CrowdEnv(mesh, others=5, render_mode="svg")
    rewards = play(env, 3)
    assert sum(rewards) > 10 and rewards == play(env, 3)
    assert "<svg" in (env.render() or "")
    # A seed begins a row of episodes of its own; without one, each environment has another.
    def places(env: CrowdEnv, *seeds: Optional[int]) -> list[bytes]:
        return [env.reset(seed=seed)[0].tobytes() for seed in seeds]

    row = places(env, 7, None, None)
    assert len(set(row)) == 3 and row == places(CrowdEnv(mesh, others=5), 7, None, None) == places(env, 7, None, None)
    assert places(env, 8, None)[1] != row[1]
    assert places(CrowdEnv(mesh, others=5), None) != places(CrowdEnv(mesh, others=5), None)
    with pytest.raises(ValueError, match="at most 1 second"):
        CrowdEnv(mesh, dt=2.0)
    with pytest.raises(ValueError, match='render_mode is .human.'):
        CrowdEnv(mesh, render_mode="human")
    with pytest.raises(ValueError, match="no options, but some are given: level"):
        env.reset(seed=1, options={"level": 3})
    many = CrowdEnv(mesh, learners=3, others=2)
    observation, _ = many.reset(seed=1)
    assert observation.shape[0] == 3
    _, reward, *_ = many.step(np.zeros((3, 2)))
    assert reward.shape == (3,)
    with pytest.raises(ValueError, match="not finite"):
        env.step([float("nan"), 0])
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    check_env(CrowdEnv(mesh, others=3), skip_render_check=True)
    assert isinstance(env, gymnasium.Env)
