"""Levels, settings, bakes and what they say of themselves."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading

import numpy as np
import pytest
from conftest import ground, walled

import wayfare
from wayfare import _wayfare
from wayfare.crowds import library_defaults


def test_defaults_are_the_librarys() -> None:
    own, theirs = wayfare.BakeSettings(), _wayfare._default_settings()
    for field in dataclasses.fields(own):
        if field.name != "agent":
            mine, other = getattr(own, field.name), getattr(theirs, field.name)
            assert mine == (pytest.approx(other) if isinstance(other, float) else other), field.name
    for name, value in vars(theirs.agent).items():
        assert getattr(own.agent, name) == pytest.approx(value), name
    crowd, agent = library_defaults()
    assert crowd.cost_change == pytest.approx(0.2)
    assert dataclasses.replace(crowd, cost_change=0.2) == wayfare.CrowdSettings()
    mine = vars(wayfare.AgentParams())
    for name, value in agent.items():
        if mine[name] is not None and not isinstance(value, float):
            assert mine[name] == value, name
        elif mine[name] is not None:
            assert mine[name] == pytest.approx(value), name


def test_one_call() -> None:
    mesh = wayfare.bake(ground())
    assert mesh.poly_count > 0 and mesh.check() == []
    assert mesh.report is not None and mesh.report.stats["polys"] == mesh.poly_count
    assert mesh.find_path((1, 0, 1), (18, 0, 18)).is_complete


def test_the_same_bytes_in_steps_tiles_and_threads(level: wayfare.Level, settings: wayfare.BakeSettings) -> None:
    whole = wayfare.bake(level, settings)
    job = wayfare.BakeJob(level, settings)
    with pytest.raises(ValueError, match="call step"):
        job.finish()
    while not job.is_finished:
        job.step(5_000)
    assert job.finish().digest == whole.digest
    with pytest.raises(ValueError, match="finished"):
        job.finish()
    two = wayfare.bake_agents(level, [settings, settings])
    assert [mesh.digest for mesh in two] == [whole.digest] * 2


def test_progress_and_what_it_raises(level: wayfare.Level, settings: wayfare.BakeSettings) -> None:
    seen: list[tuple[int, int]] = []
    wayfare.bake(level, settings, progress=lambda done, total: seen.append((done, total)))
    assert seen and all(done <= total for done, total in seen)

    def stop(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wayfare.bake(wayfare.Level.scene("terrain"), wayfare.BakeSettings(tile_size=32), progress=stop)


def test_cancel_from_another_thread() -> None:
    cancel = wayfare.Cancel()
    cancel.cancel()
    assert cancel.is_cancelled
    with pytest.raises(wayfare.Cancelled):
        wayfare.bake(walled(), cancel=cancel)


def test_ctrl_c_in_a_long_bake() -> None:
    import _thread
    import signal

    big = wayfare.Level.scene("terrain?size=400")
    # What a shell begins in the background ignores the signal, and would bake for ever.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                wayfare.bake(big, wayfare.BakeSettings(cell_size=0.1, tile_size=64))
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_in_a_long_step() -> None:
    import _thread
    import signal

    job = wayfare.BakeJob(wayfare.Level.scene("terrain?size=400"), wayfare.BakeSettings(cell_size=0.1, tile_size=64))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            job.step(None)
    finally:
        signal.signal(signal.SIGINT, before)
    # The job is over, which it says.
    with pytest.raises(wayfare.Cancelled):
        job.step()


def test_a_job_in_one_step(level: wayfare.Level, settings: wayfare.BakeSettings) -> None:
    job = wayfare.BakeJob(level, settings)
    done, total = job.step(None)
    assert done == total and job.is_finished and job.finish().digest == wayfare.bake(level, settings).digest
    with pytest.raises(ValueError, match="budget is 0"):
        wayfare.BakeJob(level, settings).step(0)


def test_values_with_arrays_are_compared() -> None:
    corners = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 0, 1]], dtype=np.float32)
    low, high = corners[0], corners[1]
    for make in [
        lambda of: wayfare.Box(of(low), of(high)),
        lambda of: wayfare.TurnedBox(of(high), of(high), 0.5),
        lambda of: wayfare.Cylinder(of(low), 1.0, 2.0),
        lambda of: wayfare.Capsule(of(low), 1.0, 2.0),
        lambda of: wayfare.Prism(of(corners[:, :2]), 0.0, 1.0),
        lambda of: wayfare.Hull(of(corners)),
        lambda of: wayfare.Solid(of(corners), of(np.array([[0, 1, 2]])), of(low)),
        lambda of: wayfare.Connection(of(low), of(high)),
        lambda of: wayfare.BakeSettings(bounds=(of(low), of(high))),
        lambda of: wayfare.LinkSettings(drop=wayfare.LinkRule(np.float32(2.0), 1.0)),
    ]:
        value = make(np.array)
        assert (value == make(np.array)) is True and (value != make(np.array)) is False
        assert (value == make(np.ndarray.tolist)) is True and (value == 3) is False
    assert wayfare.Hull(corners) != wayfare.Hull(corners[1:]) and wayfare.Box(low, high) != wayfare.Box(low, low)
    assert wayfare.Hull(corners) != wayfare.Hull([[1, 2, 3], [1]]) and wayfare.Box(low, high) != wayfare.Hull(corners)
    assert wayfare.BakeSettings() != wayfare.BakeSettings(bounds=(low, high)) and wayfare.BakeSettings() == wayfare.BakeSettings()
    level = ground()
    level.add_volume(wayfare.Hull(corners))
    assert level.volumes == level.volumes


def test_volumes_paint_and_block() -> None:
    level = ground()
    for volume in [
        wayfare.Box((4, -1, 4), (6, 2, 6)),
        wayfare.TurnedBox((10, 0, 4), (1, 1, 1), 0.7),
        wayfare.Cylinder((4, -1, 10), 1.0, 3.0),
        wayfare.Capsule((10, -1, 10), 1.0, 3.0),
        wayfare.Prism([(14, 14), (14, 17), (17, 17), (17, 14)], -1, 2),
        wayfare.Hull(np.array([[14, -1, 4], [17, -1, 4], [15, -1, 7], [15, 3, 5]], dtype=np.float32)),
    ]:
        level.add_volume(volume, paint=5)
    level.add_volume(wayfare.Box((0, -1, 18), (2, 2, 20)))
    mesh = wayfare.bake(level, area_names={5: ("water", 3.0)}, area_flags={5: 2})
    states = {mesh.poly_state(int(poly)) for poly in mesh.polys}
    assert (5, 2) in states and (63, 1) in states
    assert mesh.area_names == {5: ("water", 3.0)}
    assert mesh.nearest((1, 0, 19)) is None or mesh.nearest((1, 0, 19)).point[2] < 18  # type: ignore[union-attr]
    assert [type(volume).__name__ for volume, _, _ in level.volumes][:2] == ["Box", "TurnedBox"]
    again = pickle.loads(pickle.dumps(level))
    assert wayfare.bake(again, area_names={5: ("water", 3.0)}, area_flags={5: 2}).digest == mesh.digest


def test_heights_and_areas() -> None:
    rows = np.zeros((24, 24), dtype=np.uint16)
    rows[:, 12:] = 500
    level = wayfare.Level.from_heights(rows, spacing=1.0, step=0.01, area=7)
    mesh = wayfare.bake(level)
    assert {mesh.poly_state(int(poly))[0] for poly in mesh.polys} == {7}
    assert wayfare.bake(pickle.loads(pickle.dumps(level))).digest == mesh.digest
    with pytest.raises(TypeError, match="uint16"):
        wayfare.Level.from_heights(rows.astype(np.float32))


def test_dirty_triangles_are_dropped_and_told() -> None:
    vertices = [[0, 0, 0], [0, 0, 9], [9, 0, 9], [9, 0, 0], [float("nan"), 0, 0]]
    level = wayfare.Level(vertices, [[0, 1, 2], [0, 2, 3], [0, 1, 4], [1, 1, 2]])
    assert level.dropped == (1, 1)
    report = wayfare.bake(level).report
    assert report is not None and {warning.count for warning in report.warnings} >= {1}


def test_a_pickled_level_says_what_was_left_out() -> None:
    level = wayfare.Level([[0, 0, 0], [0, 0, 9], [9, 0, 9], [float("nan"), 0, 0]], [[0, 1, 2], [0, 1, 3], [1, 1, 2]])
    assert pickle.loads(pickle.dumps(level)).dropped == level.dropped == (1, 1)
    floor = b"v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n"
    named = wayfare.Level.from_bytes("floor.obj", floor, areas={"grass": 6})
    assert len(named.notes) == 1 and pickle.loads(pickle.dumps(named)).notes == named.notes
    # A set's own settings are not used, which is said.
    gset = b"f floor.obj\ns 0.3 0.2 2.0 0.6 0.9 45 8 20 12 1.3 6 6 1 0 0 0 0 0 9 1 9 32\n"
    level = wayfare.Level.from_bytes("a.gset", gset, files=lambda name: floor)
    assert any("settings" in note and "left out" in note for note in level.notes)


def test_frames() -> None:
    up = ground()
    vertices = up.vertices[:, [0, 2, 1]] * (1, -1, 1)
    turned = wayfare.Level(vertices, up.triangles, frame=wayfare.Frame.Z_UP)
    assert np.allclose(turned.vertices, up.vertices)
    unreal = wayfare.Frame.UNREAL
    points = np.array([[1, 2, 3]], dtype=np.float32)
    assert np.allclose(unreal.points_in(unreal.points_out(points)), points)
    assert pickle.loads(pickle.dumps(unreal)) == unreal


def test_trimesh_objects_and_paths(tmp_path: object) -> None:
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box((20, 1, 20))
    mesh = wayfare.bake(box)
    assert mesh.poly_count > 0
    scene = trimesh.Scene([box])
    assert wayfare.bake(scene).digest == mesh.digest
    file = f"{tmp_path}/box.obj"
    box.export(file)
    assert wayfare.bake(file).poly_count == mesh.poly_count
    with pytest.raises(TypeError, match="is no level"):
        wayfare.bake(7)


def test_the_axis_that_points_up(tmp_path: object) -> None:
    flat = ground()
    upright = flat.vertices[:, [0, 2, 1]] * (1, -1, 1)
    whole = wayfare.bake(flat)
    assert wayfare.bake((upright, flat.triangles), up="z").digest == whole.digest
    file = f"{tmp_path}/upright.obj"
    with open(file, "w") as out:
        out.writelines("v {} {} {}\n".format(*corner) for corner in upright)
        out.writelines("f {} {} {}\n".format(*(triangle + 1)) for triangle in flat.triangles)
    assert wayfare.bake(file, up="z").digest == whole.digest
    with pytest.raises(wayfare.BakeError):
        wayfare.bake(file)
    for level in (flat, "scene:flat"):
        with pytest.raises(ValueError, match="y up already"):
            wayfare.bake(level, up="z")


def test_levels_from_bytes() -> None:
    floor = b"usemtl grass\nv 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n"
    level = wayfare.Level.from_bytes("floor.obj", floor, areas={"grass": 6})
    assert set(level.areas) == {6}
    with pytest.raises(wayfare.FormatError, match="line 1"):
        wayfare.Level.from_bytes("floor.obj", b"v 0 0\n")
    with pytest.raises(FileNotFoundError):
        wayfare.Level.load("/nowhere/floor.obj")

    def raises(name: str) -> bytes:
        raise KeyError(name)

    gset = b"f floor.obj\n"
    with pytest.raises(KeyError):
        wayfare.Level.from_bytes("a.gset", gset, files=raises)
    assert wayfare.Level.from_bytes("a.gset", gset, files=lambda name: floor).triangles.shape == (2, 3)


def test_only_changed_tiles_are_baked(level: wayfare.Level, settings: wayfare.BakeSettings) -> None:
    first = wayfare.bake(level, settings)
    again = wayfare.bake(level, settings, reuse=first)
    assert again.report is not None and again.report.stats["reused_tiles"] == again.report.stats["tiles"]
    assert again.digest == first.digest


def test_rebake_under_a_box(settings: wayfare.BakeSettings) -> None:
    bounds = ((0, -1, 0), (40, 5, 40))
    settings = dataclasses.replace(settings, bounds=bounds)
    flat = ground(40)
    mesh = wayfare.bake(flat, settings)
    count = wayfare.rebake(mesh, walled(), ((5, 0, 20), (35, 3, 20)), settings)
    assert 0 < count < 100
    assert len(mesh.find_path((20, 0, 5), (20, 0, 35))) > 2
    assert mesh.find_path((20, 0, 5), (20, 0, 35)).length > 30
    with pytest.raises(ValueError, match="lie elsewhere"):
        wayfare.rebake(mesh, flat, bounds, wayfare.BakeSettings(tile_size=16))


def water(size: float = 40.0) -> wayfare.Level:
    """Ground with water across."""
    level = ground(size)
    level.add_volume(wayfare.Box((0, -1, 15), (size, 1, 25)), paint=1)
    return level


def tiles_of(mesh: wayfare.NavMesh) -> list[bytes]:
    """The bytes of all tiles."""
    return sorted(mesh.tile_bytes(int(tile)) for tile in mesh.tiles)


def states(mesh: wayfare.NavMesh) -> set[tuple[int, int]]:
    return {mesh.poly_state(int(poly)) for poly in mesh.polys}


@pytest.mark.parametrize("is_sent", [False, True], ids=["here", "sent"])
def test_flags_of_a_bake_stay_when_tiles_are_baked_again(settings: wayfare.BakeSettings, is_sent: bool) -> None:
    level = water()
    mesh = wayfare.bake(level, settings, area_flags={1: 2})
    if is_sent:
        mesh = pickle.loads(pickle.dumps(mesh))
    before, both = tiles_of(mesh), {(1, 2), (63, 1)}
    assert states(mesh) == both
    dry = wayfare.Filter(exclude=2)
    obstacles = wayfare.Obstacles(mesh, level, settings)
    name, _ = obstacles.add(wayfare.Box((10, -1, 10), (14, 2, 30)))
    obstacles.step()
    assert states(mesh) == both and not mesh.query(dry).find_path((5, 0, 5), (5, 0, 35)).is_complete
    obstacles.remove(name)
    obstacles.step()
    assert tiles_of(mesh) == before
    assert wayfare.rebake(mesh, level, ((10, -1, 10), (14, 2, 30)), settings) > 0
    assert tiles_of(mesh) == before
    assert wayfare.rebake(mesh, level, ((0, -1, 0), (40, 2, 40)), settings, area_flags={1: 4}) > 0
    assert states(mesh) == {(1, 4), (63, 1)}


def test_flags_of_a_mesh_of_a_file_are_given(settings: wayfare.BakeSettings) -> None:
    level = water()
    mesh = wayfare.NavMesh.from_bytes(wayfare.bake(level, settings, area_flags={1: 2}).to_bytes())
    before = tiles_of(mesh)
    obstacles = wayfare.Obstacles(mesh, level, settings, area_flags={1: 2})
    name, _ = obstacles.add(wayfare.Box((10, -1, 10), (14, 2, 30)))
    obstacles.step()
    assert tiles_of(mesh) != before
    obstacles.remove(name)
    obstacles.step()
    assert tiles_of(mesh) == before


@pytest.mark.parametrize("flags", [{}, {1: 4}, {63: 8}], ids=str)
def test_reused_tiles_have_the_flags_of_the_new_bake(settings: wayfare.BakeSettings, flags: dict[int, int]) -> None:
    level = water()
    old = wayfare.bake(level, settings, area_flags={1: 2})
    again = wayfare.bake(level, settings, area_flags=flags, reuse=old)
    assert again.report is not None and again.report.stats["reused_tiles"] == again.report.stats["tiles"]
    assert again.digest == wayfare.bake(level, settings, area_flags=flags).digest


def test_reused_tiles_keep_the_flags_of_their_bake(settings: wayfare.BakeSettings) -> None:
    level = water()
    old = wayfare.bake(level, settings, area_flags={1: 2})
    level.add_volume(wayfare.Box((2, -1, 2), (4, 2, 4)))
    again = wayfare.bake(level, settings, reuse=old)
    assert again.report is not None and 0 < again.report.stats["reused_tiles"] < again.report.stats["tiles"]
    assert states(again) == {(1, 2), (63, 1)}
    assert tiles_of(again) == tiles_of(wayfare.bake(level, settings, area_flags={1: 2}))
    with pytest.raises(TypeError, match="reuse"):
        wayfare.bake(level, settings, reuse="a mesh")  # type: ignore[arg-type]
    # It has them as its own: so does the next one, and what is baked into it.
    assert states(wayfare.bake(water(), settings, reuse=again)) == {(1, 2), (63, 1)}
    assert wayfare.rebake(again, level, ((0, -1, 0), (40, 2, 40)), settings) > 0 and states(again) == {(1, 2), (63, 1)}


def test_links() -> None:
    level = wayfare.Level.scene("ledges")
    settings = wayfare.BakeSettings()
    links = wayfare.LinkSettings.for_agent()
    mesh = wayfare.bake(level, settings, links=links)
    found = wayfare.find_links(level, wayfare.bake(level, settings), links, settings)
    assert found and len(mesh.connections) == len(found)
    assert {link.kind for link in found} <= {"drop", "jump-down", "jump-across", "climb"}


def test_explain() -> None:
    level = walled()
    why = wayfare.explain(level)
    there = why.at((20, 0, 20))
    assert there is not None and not there["walkable"] and there["sentence"]
    assert why.at((5, 0, 5))["walkable"]  # type: ignore[index]
    assert pickle.loads(pickle.dumps(why)).at((20, 0, 20)) == there
    with pytest.raises(wayfare.BakeError, match="nothing can be walked on"):
        wayfare.bake(wayfare.Level([[0, 0, 0], [9, 0, 0], [0, 0, 9]], [[0, 1, 2]]))
    assert wayfare.bake(wayfare.Level([[0, 0, 0], [9, 0, 0], [0, 0, 9]], [[0, 1, 2]]), allow_empty=True).poly_count == 0


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="cell_size"):
        wayfare.bake(ground(), wayfare.BakeSettings(cell_size=-1))
    with pytest.raises(ValueError, match="watershed"):
        wayfare.bake(ground(), wayfare.BakeSettings(partition="wrong"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        wayfare.bake(ground(), wayfare.BakeSettings(cell_size="wide"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="BakeSettings"):
        wayfare.bake(ground(), 3)  # type: ignore[arg-type]
    assert wayfare.BakeSettings(cell_height=3.0, agent=wayfare.AgentSettings(max_climb=1.0)).advice()
    assert wayfare.BakeSettings.for_agent().cell_size == pytest.approx(0.3)
    with pytest.raises(wayfare.BakeError):
        wayfare.bake(ground(), memory_limit=10)


def test_copies_and_pickles(mesh: wayfare.NavMesh) -> None:
    again = pickle.loads(pickle.dumps(mesh))
    assert again == mesh and again.digest == mesh.digest
    other = copy.copy(mesh)
    other.set_flags(int(other.polys[0]), 8)
    assert other.digest != mesh.digest


def test_pictures(mesh: wayfare.NavMesh) -> None:
    path = mesh.find_path((20, 0, 5), (20, 0, 35))
    assert mesh._repr_svg_().startswith("<svg") or "<svg" in mesh._repr_svg_()
    assert "<svg" in mesh.to_svg(paths=[path, path.points], agents=[[1, 0, 1]])
    assert mesh.to_png(paths=[path])[:4] == b"\x89PNG"
    # One path needs no list.
    assert mesh.to_svg(paths=path) == mesh.to_svg(paths=path.points) == mesh.to_svg(paths=path.points.tolist())
    assert mesh.to_svg(paths=path) == mesh.to_svg(paths=[path]) == mesh.to_svg(paths=[path.points]) != mesh.to_svg()
    assert mesh.to_svg(paths=[]) == mesh.to_svg(paths=None) == mesh.to_svg()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = wayfare.plot(mesh, paths=[path], agents=[[1, 0, 1]])
    assert len(axes.collections) == 1 and len(axes.lines) == 2
    wayfare.plot(mesh, axes, values=np.arange(mesh.poly_count))
    assert len(wayfare.plot(mesh, paths=path).lines) == len(wayfare.plot(mesh, paths=path.points).lines) == 1


def test_links_tell_how_far_they_are(settings: wayfare.BakeSettings) -> None:
    level = wayfare.Level.scene("ledges")
    mesh, links = wayfare.bake(level, settings), wayfare.LinkSettings.for_agent(settings.agent)
    seen: list[tuple[int, int]] = []
    found = wayfare.find_links(level, mesh, links, settings, progress=lambda done, total: seen.append((done, total)))
    assert found and seen and seen[-1][1] == mesh.tile_count and seen == sorted(seen)

    def stop(done: int, total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        wayfare.find_links(level, mesh, links, settings, progress=stop)


@pytest.mark.parametrize(
    "volume",
    [wayfare.Cylinder((5, 0, 5), radius, 1.0) for radius in (float("nan"), float("inf"), -2.0)]
    + [
        wayfare.Cylinder((5, 0, 5), 1.0, -1.0),
        wayfare.Prism([(0, 0), (0, 1), (1, 0)], low=2, high=-1),
        wayfare.TurnedBox((5, 0, 5), (1, 1, 1), float("inf")),
    ],
)
def test_a_volume_of_nothing(volume: wayfare.Volume) -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        wayfare.Level.scene("flat").add_volume(volume)


def test_classes_of_your_own() -> None:
    class Crate(wayfare.Box):
        pass

    class Mine(wayfare.BakeSettings):
        pass

    level = wayfare.Level.scene("flat")
    level.add_volume(Crate((1, -1, 1), (2, 1, 2)))
    assert level.volume_count == 1 and wayfare.bake(level, Mine(tile_size=32)).tile_count > 1


def test_arrays_that_raise() -> None:
    """What is wrong with a value is a ValueError; anything else is passed on as it is."""

    class Raises:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __array__(self, *_: object, **__: object) -> object:
            raise self.error

        def __iter__(self) -> object:
            raise self.error

    for error in (KeyboardInterrupt(), MemoryError(), SystemExit(), RuntimeError("mine")):
        with pytest.raises(type(error)):
            wayfare.Level(Raises(error), [[0, 1, 2]])
        with pytest.raises(type(error)):
            wayfare.Level.scene("flat").add_volume(wayfare.Cylinder(Raises(error), 1.0, 1.0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="whole numbers"):
        wayfare.Level([[0, 0, 0], [0, 0, 1], [1, 0, 0]], [[0, 1, 2]], [1.5])


def test_pictures_of_any_size(mesh: wayfare.NavMesh) -> None:
    assert mesh.to_png(size=1)[:4] == b"\x89PNG"
    for size in (0, 8193, 10**6, -1, 2**40):
        for draw in (mesh.to_png, mesh.to_svg):
            with pytest.raises(ValueError, match="size"):
                draw(size=size)
