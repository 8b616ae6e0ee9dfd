"""Worlds baked by tasks: on this machine, on a Ray cluster of which a worker dies, and in an object store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import numpy as np
import pytest

import wayfare
from wayfare.world import LocalExecutor, RayExecutor, bake, parse
from wayfare.world.files import Files

SETTINGS = wayfare.BakeSettings(tile_size=32)
DESCRIPTION = """
[[part]]
file = "ground.obj"

[[part]]
file = "house.obj"
instances = [{ at = [10, 0, 4] }, { at = [30, 0, 24], turn = 45 }, { at = [50, 0, 40], turn = 90, scale = 1.5 }]

[[part]]
file = "hills.png"
at = [64, 0, 0]
pixel-size = 2.0
pixel-height = 0.002
"""


def write_world(folder: Path) -> str:
    """A world of a floor, three houses and hills."""
    from struct import pack
    from zlib import compress, crc32

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ground.obj").write_text("v 0 0 0\nv 0 0 64\nv 64 0 64\nv 64 0 0\nf 1 2 3 4\n")
    corners = [(x, y, z) for y in (0, 3) for x, z in ((0, 0), (0, 4), (6, 4), (6, 0))]
    faces = ["5 6 7 8", "1 4 8 5", "4 3 7 8", "3 2 6 7", "2 1 5 6"]
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {face}\n" for face in faces)
    (folder / "house.obj").write_text(text)
    rows = (np.sin(np.arange(32) / 4)[:, None] * np.cos(np.arange(32) / 5)[None, :] * 500 + 600).astype(">u2")
    pixels = b"".join(b"\0" + row.tobytes() for row in rows)
    chunk = lambda kind, data: pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))  # noqa: E731
    head = pack(">IIBBBBB", 32, 32, 16, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", compress(pixels)) + chunk(b"IEND", b"")
    (folder / "hills.png").write_bytes(png)
    (folder / "world.toml").write_text(DESCRIPTION)
    return str(folder / "world.toml")


def contents(store: str) -> dict[str, bytes]:
    """The files of a store that mean something."""
    root = Path(store)
    return {str(file.relative_to(root)): file.read_bytes() for file in sorted(root.rglob("*.way"))}


class WholeWorld:
    """The same world in memory, as one machine has it."""

    def __init__(self, folder: Path) -> None:
        from wayfare.world.inputs import load
        from wayfare.world.description import parse

        triangles, areas = [], []
        for part in parse(DESCRIPTION).parts:
            level = load(part, Files(str(folder)))
            for instance in part.instances:
                placed, area, _ = wayfare._wayfare._placed_triangles(level, instance.at, instance.turn, instance.scale)
                triangles.append(placed)
                areas.append(area)
        self.triangles, self.areas = np.concatenate(triangles), np.concatenate(areas)
        flat = self.triangles.reshape(-1, 3)
        self.bounds = (tuple(flat.min(axis=0).tolist()), tuple(flat.max(axis=0).tolist()))

    def piece(self, low: Any, high: Any) -> Tuple[Any, Any]:
        return self.triangles, self.areas


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Tuple[str, dict[str, bytes], str]:
    """The description, what one machine makes of it, and its digest."""
    folder = tmp_path_factory.mktemp("world")
    description = write_world(folder)
    store = str(folder / "whole") + "/"
    report = wayfare.bake_world(WholeWorld(folder), store, SETTINGS, area_flags=dict.fromkeys(range(64), 1))
    assert report.stats["polys"] > 50
    return description, contents(store), wayfare.Store(store).digest


def test_the_bytes_of_one_machine(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    seen: List[Tuple[str, int, int]] = []
    for block in (1, 3, 8):
        store = f"{tmp_path}/{block}/"
        baked = bake(description, store, SETTINGS, block=block, progress=lambda *told: seen.append(told))
        assert baked.digest == digest and contents(store) == files
        assert sorted(os.listdir(store)) == ["head.way", "index", "tiles"]
    assert ("sort", 3, 3) in seen and seen[-1][1] == seen[-1][2]
    mesh = wayfare.NavMesh.load(store)
    assert mesh.find_path((5, 0, 5), (60, 0, 60)).is_complete
    small = wayfare.ResidentWorld(store, tiles=8)
    assert small.find_path((5, 0, 5), (60, 0, 60)).is_complete and small.stats["loaded"] > 0
    assert small.prefetch((5, 0, 5), 10.0) >= 0 and small.take_events() == [] and small.stats["most_tiles"] <= 8

    # A polygon of the path is closed, in this world alone, and stays so where that is restored. All tiles stay in memory: the flags of
    # others cannot be set.
    world = wayfare.ResidentWorld(store, tiles=400)
    open_path = world.find_path((5, 0, 5), (60, 0, 60))
    closed = int(open_path.polys[len(open_path.polys) // 2])
    world.set_flags(closed, 0)
    around = world.find_path((5, 0, 5), (60, 0, 60))
    assert closed not in around.polys and around.cost != open_path.cost
    with pytest.raises((ValueError, wayfare.StaleReferenceError)):
        world.set_flags(0, 1)

    changed = world.mesh()
    assert world.store_changes() == world.store_changes() and changed.tile_count > 0
    again = wayfare.ResidentWorld(store, tiles=400)
    again.pin([(0, 0)])
    assert closed in again.find_path((5, 0, 5), (60, 0, 60)).polys
    again.restore_changes(world.store_changes())
    assert again.find_path((5, 0, 5), (60, 0, 60)).cost == around.cost
    world.set_flags(closed, 1)
    again.restore_changes(world.store_changes())
    assert again.find_path((5, 0, 5), (60, 0, 60)).cost == open_path.cost
    world.set_flags(closed, 0)
    again.restore_changes(world.store_changes())
    assert again.store_changes() == world.store_changes() and again.mesh() == changed
    for wrong in (b"nothing", world.store_changes()[:-1]):
        with pytest.raises(wayfare.FormatError):
            again.restore_changes(wrong)
    assert again.mesh() == changed

    def fails(*_: object) -> bool:
        raise ZeroDivisionError("in the filter")

    asked = wayfare.ResidentWorld(store, tiles=8, filter=wayfare.Filter(passes=fails))
    for call in [lambda: asked.nearest((5, 0, 5)), lambda: asked.find_path((5, 0, 5), (60, 0, 60))]:
        with pytest.raises(ZeroDivisionError):
            call()


def test_the_program_makes_the_same(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    program = os.environ.get("WAYFARE")
    if program is None:
        pytest.skip("WAYFARE names no program to compare with: build it with `cargo build --profile quick -p wayfare-cli`")
    description, files, _ = one_machine
    store = f"{tmp_path}/program/"
    subprocess.run([program, "bake", description, "-o", store, "--tile-size", "32"], check=True, capture_output=True)
    assert contents(store) == files


def test_it_goes_on_where_it_was_stopped(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"

    class Stops(LocalExecutor):
        """Stops after some blocks."""

        def run(self, tasks: Any) -> Iterator[Tuple[int, Any]]:
            for done, answer in enumerate(super().run(tasks)):
                if len(tasks) > 5 and done == 4:
                    raise KeyboardInterrupt
                yield answer

    with pytest.raises(KeyboardInterrupt):
        bake(description, store, SETTINGS, block=2, executor=Stops())
    assert os.path.isdir(f"{store}journal")
    baked = bake(description, store, SETTINGS, block=2)
    assert baked.blocks_done_before == 5 and baked.digest == digest and contents(store) == files
    again = bake(description, store, SETTINGS, block=4)
    assert again.tiles_reused == again.tiles and again.digest == digest
    with pytest.raises(wayfare.WorldStoreError, match="lie elsewhere"):
        bake(description, store, wayfare.BakeSettings(tile_size=16))


def test_a_store_has_tiles(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    stores = [f"{tmp_path}/{name}/" for name in ("usual", "untiled")]
    digests = [bake(one_machine[0], store, wayfare.BakeSettings(tile_size=side)).digest for store, side in zip(stores, (64, 0))]
    assert digests[0] == digests[1]


def test_only_what_changed(tmp_path: Path) -> None:
    description = write_world(tmp_path / "in")
    store = f"{tmp_path}/store/"
    first = bake(description, store, SETTINGS, block=2)
    house = tmp_path / "in" / "house.obj"
    house.write_text(house.read_text().replace("v 6 3", "v 5.5 3"))
    changed = bake(description, store, SETTINGS, block=2)
    assert changed.digest != first.digest and 0 < changed.tiles_reused < changed.tiles
    fresh = bake(description, f"{tmp_path}/fresh/", SETTINGS)
    assert fresh.digest == changed.digest and contents(store) == contents(f"{tmp_path}/fresh/")


def test_files_that_a_file_names(tmp_path: Path) -> None:
    description = write_world(tmp_path / "in")
    house, named = tmp_path / "in" / "house.obj", tmp_path / "in" / "house.gset"
    named.write_text("f house.obj\n")
    text = (tmp_path / "in" / "world.toml").read_text()
    (tmp_path / "in" / "world.toml").write_text(text.replace("house.obj", "house.gset"))
    store, work = f"{tmp_path}/store/", f"{tmp_path}/work"
    first = bake(description, store, SETTINGS, work=work)
    assert bake(description, store, SETTINGS, work=work).digest == first.digest
    # Neither is the old file's work taken up, nor what a stopped run has done with it.
    house.write_text(house.read_text().replace("v 6 3", "v 5.5 3"))
    changed = bake(description, store, SETTINGS, work=work)
    fresh = bake(description, f"{tmp_path}/fresh/", SETTINGS)
    assert changed.digest == fresh.digest != first.digest and contents(store) == contents(f"{tmp_path}/fresh/")


def test_a_tile_that_is_gone_is_baked_again(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"
    bake(description, store, SETTINGS, block=4)
    tiles = sorted(Path(store, "tiles").rglob("*.way"))
    tiles[len(tiles) // 2].unlink()
    tiles[0].write_bytes(tiles[0].read_bytes()[:-3])
    healed = bake(description, store, SETTINGS, block=4)
    assert healed.digest == digest and contents(store) == files and healed.tiles_reused == healed.tiles - 2


def test_relative_paths_for_workers_elsewhere(
    one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pickle

    description, files, digest = one_machine
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    class Elsewhere(LocalExecutor):
        """Does tasks in another folder, as workers of a cluster do."""

        def run(self, tasks: Any) -> Iterator[Tuple[int, Any]]:
            here = os.getcwd()
            for number, task in enumerate(pickle.loads(pickle.dumps(list(tasks)))):
                os.chdir(elsewhere)
                try:
                    done = list(super().run([task]))
                finally:
                    os.chdir(here)
                yield number, done[0][1]

    monkeypatch.chdir(tmp_path)
    baked = bake(os.path.relpath(description), "store/", SETTINGS, work="work", block=8, executor=Elsewhere())
    assert baked.digest == digest and contents(f"{tmp_path}/store") == files and not list(elsewhere.iterdir())


def test_errors_of_a_cluster_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from types import ModuleType
    from wayfare.world import __main__ as command

    class RayError(Exception):
        pass

    class Gone:
        def __init__(self, *_: object) -> None: ...

        def run(self, tasks: Any) -> Iterator[Tuple[int, Any]]:
            raise RayError("a worker died")
            yield

    fake, errors = ModuleType("ray"), ModuleType("ray.exceptions")
    errors.RayError = RayError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setitem(sys.modules, "ray.exceptions", errors)
    monkeypatch.setattr(command, "RayExecutor", Gone)
    status = command.main([write_world(tmp_path / "in"), "-o", f"{tmp_path}/store/", "--ray", "--quiet"])
    assert status == 1 and capsys.readouterr().err == "error: a worker died\n"


def test_generated_worlds(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text('[[part]]\nscene = "continent?km=0.1"\nat = [4, 0, 0]\n')
    settings = wayfare.BakeSettings(tile_size=64)
    baked = bake(f"{tmp_path}/world.toml", f"{tmp_path}/store/", settings, block=2)

    class Moved:
        world = wayfare.GeneratedWorld("continent?km=0.1")
        bounds = tuple(tuple(np.asarray(corner, dtype=np.float32) + np.float32([4, 0, 0])) for corner in world.bounds)  # type: ignore[union-attr]

        def piece(self, low: Any, high: Any) -> Tuple[Any, Any]:
            offset = np.float32([4, 0, 0])
            triangles, areas = self.world.piece(*(tuple((np.float32(c) - offset).tolist()) for c in (low, high)))
            return triangles + offset, areas

    wayfare.bake_world(Moved(), f"{tmp_path}/whole.wayworld", settings)
    assert wayfare.Store(f"{tmp_path}/whole.wayworld").digest == baked.digest


def test_stores(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, _, digest = one_machine
    world = WholeWorld(Path(description).parent)
    seen: List[Tuple[int, int]] = []
    plan = wayfare.plan_world(world, SETTINGS)
    half = plan["columns"] // 2
    ends = [(0, 0, half - 1, plan["rows"] - 1), (half, 0, plan["columns"] - 1, plan["rows"] - 1)]
    parts = []
    for number, tiles in enumerate(ends):
        parts.append(f"{tmp_path}/{number}.wayworld")
        wayfare.bake_world(world, parts[-1], SETTINGS, tiles=tiles, progress=lambda *told: seen.append(told))
    wayfare.join_stores(parts, f"{tmp_path}/all.wayworld")
    store = wayfare.Store(f"{tmp_path}/all.wayworld")
    assert store.digest == digest and store.check() == [] and len(store.tiles) == len(store) and seen
    x, z = store.tiles[0]
    assert store.tile_info(x, z)["x"] == x and wayfare.Store.exists(parts[0])
    mesh = store.load()
    data = store.tile_bytes(x, z)
    assert data is None or mesh.empty_like().add_tile(data)
    wayfare.compact_store(parts[0])
    assert wayfare.repair_store(parts[0])[1] == 0
    with pytest.raises(OSError):
        wayfare.Store(f"{tmp_path}/none.wayworld")
    with pytest.raises(wayfare.StaleReferenceError):
        store.tile_info(999, 999)


def test_what_a_source_raises_is_raised(tmp_path: Path) -> None:
    class Broken:
        bounds = ((0, 0, 0), (30, 5, 30))

        def piece(self, low: Any, high: Any) -> Any:
            raise ConnectionError("the disk is gone")

    with pytest.raises(ConnectionError, match="the disk is gone"):
        wayfare.bake_world(Broken(), f"{tmp_path}/a.wayworld", SETTINGS)
    Broken.piece = lambda self, low, high: 3  # type: ignore[method-assign,assignment]
    with pytest.raises(TypeError, match=r"\(n, 3, 3\)"):
        wayfare.bake_world(Broken(), f"{tmp_path}/b.wayworld", SETTINGS)
    corners = np.array([[[0, 0, 0], [0, 0, 30], [30, 0, 0]]], dtype=np.float32)
    for areas, error in [([100], ValueError), ([-1], ValueError), ([300], ValueError), ([1.5], TypeError)]:
        Broken.piece = lambda self, low, high, areas=areas: (corners, areas)  # type: ignore[method-assign,assignment,misc]
        with pytest.raises(error, match="area"):
            wayfare.bake_world(Broken(), f"{tmp_path}/{areas[0]}.wayworld", SETTINGS)
    Broken.piece = lambda self, low, high: (corners, np.array([63]))  # type: ignore[method-assign,assignment]
    assert wayfare.bake_world(Broken(), f"{tmp_path}/c.wayworld", SETTINGS).stats["polys"] > 0


def test_descriptions() -> None:
    assert len(parse(DESCRIPTION).parts[1].instances) == 3
    for text, word in [
        ("", "has no"),
        ("x = 1\n", "unknown key"),
        ("[[part]]\n", "needs either"),
        ('[[part]]\nfile = "a"\nscene = "b"\n', "needs either"),
        ('[[part]]\nfile = "a"\nturn = "x"\n', "number"),
        ('[[part]]\nfile = "a"\nat = [1, 2]\n', "3 numbers"),
        ('[[part]]\nfile = "a"\nat = [1, 2, 3]\ninstances = [{ at = [1, 2, 3] }]\n', "leave out"),
        ('[[part]]\nscene = "continent"\nturn = 3.0\n', "turned"),
        ('bounds = [1, 1, 1, 0, 0, 0]\n[[part]]\nfile = "a"\n', "low corner"),
        ("[[part", "world"),
    ]:
        with pytest.raises(ValueError, match=word):
            parse(text)


def test_the_command(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    command = [sys.executable, "-m", "wayfare.world", description, "-o", f"{tmp_path}/store/", "--tile-size", "32", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["digest"] == digest and contents(f"{tmp_path}/store") == files and "bake: " in ran.stderr
    wrong = subprocess.run([*command[:3], f"{tmp_path}/none.toml", *command[4:]], capture_output=True, text=True)
    assert wrong.returncode == 1 and wrong.stderr.startswith("error: ") and "none.toml" in wrong.stderr


def test_failures_of_a_store_are_tried_again(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    failed: List[int] = []

    def flaky() -> str:
        failed.append(1)
        if len(failed) < 3:
            raise OSError("slow down")
        return "done"

    assert list(LocalExecutor().run([(flaky, ())])) == [(0, "done")]
    failed.clear()
    with pytest.raises(OSError, match="slow down"):
        list(LocalExecutor(retries=1).run([(flaky, ())]))


# Clusters.


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayExecutor]:
    ray = pytest.importorskip("ray")
    import tempfile

    os.environ["RAY_AUTH_MODE"] = "disabled"
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    folder = tempfile.mkdtemp(prefix="r", dir="/tmp")
    executor = RayExecutor(workers=2, object_store_memory=150_000_000, _temp_dir=folder)
    yield executor
    ray.shutdown()


def workers() -> List[int]:
    """The processes of our own cluster that have a task right now."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                name = (process / "cmdline").read_bytes().split(b"\0")[0]
            except OSError:
                continue
            if name.startswith(b"ray::_on_worker") and _is_ours(int(process.name)):
                found.append(int(process.name))
    return found


def _is_ours(pid: int) -> bool:
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


def test_a_worker_that_dies(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, cluster: RayExecutor) -> None:
    description, files, digest = one_machine
    killed: List[int] = []

    def kill_one(stage: str, done: int, total: int) -> None:
        deadline = time.monotonic() + 20
        while stage == "bake" and done >= 2 and not killed and time.monotonic() < deadline:
            for pid in workers()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    store = f"{tmp_path}/store/"
    baked = bake(description, store, SETTINGS, block=1, executor=cluster, progress=kill_one)
    assert killed, "no worker was at work"
    assert baked.digest == digest and contents(store) == files


@pytest.fixture(scope="module")
def bucket() -> Iterator[dict[str, Any]]:
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
    options = {"endpoint_url": f"http://{host}:{port}", "key": "test", "secret": "test"}
    import fsspec

    fsspec.filesystem("s3", **options).mkdir("worlds")
    yield options
    server.stop()


def test_an_object_store(
    one_machine: Tuple[str, dict[str, bytes], str], bucket: dict[str, Any], cluster: RayExecutor
) -> None:
    import fsspec

    description, files, digest = one_machine
    system = fsspec.filesystem("s3", **bucket)
    for name in ("world.toml", "ground.obj", "house.obj", "hills.png"):
        system.put_file(f"{os.path.dirname(description)}/{name}", f"worlds/in/{name}")
    for executor in (LocalExecutor(), cluster):
        url = f"s3://worlds/{type(executor).__name__}/"
        baked = bake("s3://worlds/in/world.toml", url, SETTINGS, block=4, executor=executor, storage_options=bucket)
        assert baked.digest == digest
        there = Files(url.rstrip("/"), bucket)
        assert {name: there.read(name) for name in files} == files
        assert there.list("journal") == [] and there.try_read("index") is not None
        again = bake("s3://worlds/in/world.toml", url, SETTINGS, block=4, executor=executor, storage_options=bucket)
        assert again.tiles_reused == again.tiles and again.digest == digest
