"""Worlds baked by tasks: on this machine, on a Ray cluster of which a worker dies, and in an object store."""

from __future__ import annotations

import json
import os
import shutil
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
    # Around what was changed it is still searched portal by portal.
    assert again.find_path((5, 0, 5), (60, 0, 60)).cost == pytest.approx(open_path.cost, rel=0.05)
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
    assert baked.blocks_done_before == 6 and baked.digest == digest and contents(store) == files
    again = bake(description, store, SETTINGS, block=4)
    assert again.tiles_reused == again.tiles and again.digest == digest
    with pytest.raises(wayfare.WorldStoreError, match="lie elsewhere"):
        bake(description, store, wayfare.BakeSettings(tile_size=16))


class StopsAt(LocalExecutor):
    """Stops when so many tasks are done, those of sorting not counted."""

    def __init__(self, blocks: int) -> None:
        super().__init__()
        self.left = blocks

    def run(self, tasks: Any) -> Iterator[Tuple[int, Any]]:
        for number, answer in super().run(tasks):
            if answer is not None:
                if self.left == 0:
                    raise KeyboardInterrupt
                self.left -= 1
            yield number, answer


def agent(radius: float) -> wayfare.BakeSettings:
    return wayfare.BakeSettings(wayfare.AgentSettings(radius=radius), tile_size=32)


def stopped(description: str, store: str, settings: wayfare.BakeSettings, blocks: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        bake(description, store, settings, block=2, executor=StopsAt(blocks))


def test_a_run_that_another_has_overwritten(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    """What it has written down is not true any more."""
    description, files, digest = one_machine
    for number, between in enumerate([SETTINGS, agent(0.3), wayfare.BakeSettings(tile_size=32, edge_max_error=0.5)]):
        store = f"{tmp_path}/{number}/"
        stopped(description, store, SETTINGS, 6)
        if between is SETTINGS:
            # Finished by another block, which leaves nothing of the first run.
            assert bake(description, store, SETTINGS, block=3).digest == digest and not os.path.exists(f"{store}journal")
            continue
        stopped(description, store, between, 4)
        assert bake(description, store, SETTINGS, block=2).digest == digest
        assert wayfare.Store(store).check() == [] and contents(store) == files


def test_a_journal_beside_an_index_is_old(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    """The bake of a program was finished in the folder since."""
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"
    stopped(description, store, SETTINGS, 6)
    shutil.copytree(f"{store}journal", f"{tmp_path}/journal")
    other = wayfare.BakeSettings(tile_size=32, edge_max_error=0.5)
    bake(description, store, other)
    shutil.copytree(f"{tmp_path}/journal", f"{store}journal")
    assert bake(description, store, SETTINGS, block=2).blocks_done_before == 0
    assert wayfare.Store(store).check() == [] and contents(store) == files


def test_a_journal_of_what_a_program_has_overwritten(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    """It was stopped as well."""
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"
    stopped(description, store, SETTINGS, 6)
    other = wayfare.BakeSettings(tile_size=32, edge_max_error=0.5)
    wayfare.bake_world(WholeWorld(Path(description).parent), store, other, tiles=(0, 0, 3, 3))
    os.remove(f"{store}index")
    assert bake(description, store, SETTINGS, block=2).blocks_done_before == 0
    assert wayfare.Store(store).check() == [] and contents(store) == files


def test_tiles_of_two_agents_are_never_beside_each_other(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description = one_machine[0]
    store = f"{tmp_path}/store/"
    bake(description, store, SETTINGS)
    stopped(description, store, agent(0.3), 6)
    mesh = wayfare.NavMesh.load(store)
    assert [mesh.tile_info(int(tile))["agent_radius"] for tile in mesh.tiles] == pytest.approx([0.3] * mesh.tile_count)
    assert bake(description, store, agent(0.3), block=2).digest == bake(description, f"{tmp_path}/new/", agent(0.3)).digest


@pytest.mark.parametrize("is_stopped", [False, True], ids=["finished", "stopped"])
def test_what_lost_its_bytes_with_the_power(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, is_stopped: bool) -> None:
    description, files, digest = one_machine
    store, work = f"{tmp_path}/store/", f"{tmp_path}/work"
    if is_stopped:
        with pytest.raises(KeyboardInterrupt):
            bake(description, store, SETTINGS, block=2, work=work, executor=StopsAt(6))
        next(Path(store, "journal").rglob("0_0_1_1")).write_bytes(b"")
    else:
        bake(description, store, SETTINGS, work=work)
        Path(store, "index").write_bytes(b"")
    for about in Path(work).rglob("part.json"):
        about.write_bytes(b"")
    baked = bake(description, store, SETTINGS, block=2, work=work)
    assert baked.digest == digest and contents(store) == files and baked.blocks_done_before == (6 if is_stopped else 0)


def test_folders_of_others_stay(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    project = tmp_path / "project"
    for name in ("work/notes.txt", "journal/monday.txt"):
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text("mine")
    with pytest.raises(wayfare.WorldStoreError, match="holds other files"):
        bake(description, project, SETTINGS)
    assert sorted(os.listdir(project)) == ["journal", "work"]
    # Nor are they removed where a store came to them, or they to a store.
    store = tmp_path / "store"
    bake(description, store, SETTINGS)
    shutil.copytree(project, store, dirs_exist_ok=True)
    assert bake(description, store, SETTINGS).digest == digest
    assert (store / "work/notes.txt").read_text() == (store / "journal/monday.txt").read_text() == "mine"
    assert sorted(os.listdir(store / "work")) == ["notes.txt"] and sorted(os.listdir(store / "journal")) == ["monday.txt"]


def test_a_bake_that_was_stopped_while_it_sorted(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"

    def stop(stage: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bake(description, store, SETTINGS, progress=stop)
    assert os.listdir(store) == ["work"]
    assert bake(description, store, SETTINGS).digest == digest and contents(store) == files


def test_a_bake_that_sorts_into_the_store(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    """Stopped before there was ground, it goes on."""
    description, files, digest = one_machine

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "bake":
            raise KeyboardInterrupt

    for number, folder in enumerate(["sorted-files", "some/folder", "work", "."]):
        store = tmp_path / str(number)
        work = os.path.normpath(store / folder)
        with pytest.raises(KeyboardInterrupt):
            bake(description, store, SETTINGS, work=work, progress=stop)
        assert not (store / "head.way").exists() and os.path.isdir(f"{work}/sorted")
        (store / "notes.txt").write_text("mine")
        with pytest.raises(wayfare.WorldStoreError, match="holds other files"):
            bake(description, store, SETTINGS, work=work)
        (store / "notes.txt").unlink()
        assert bake(description, store, SETTINGS, work=work).digest == digest and contents(str(store)) == files


def test_what_a_program_leaves_that_is_killed_early(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    for name in ("lock", "tiles/notes.txt", "tiles"):
        store = tmp_path / name.replace("/", "_")
        (store / name).parent.mkdir(parents=True)
        (store / name).write_text("mine")
        with pytest.raises(wayfare.WorldStoreError, match="holds other files"):
            bake(description, store, SETTINGS)
    store = tmp_path / "store"
    (store / "tiles").mkdir(parents=True)
    (store / "lock").touch()
    assert bake(description, store, SETTINGS).digest == digest and contents(str(store)) == files


def test_files_among_the_tiles_stay(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    """Those of another agent go, and nothing else."""
    description = one_machine[0]
    store = tmp_path / "store"
    bake(description, store, SETTINGS)
    mine = ["tiles/notes.txt", "tiles/0_0/notes.txt", "tiles/own/1_1_0.way", "tiles/0_0/1_1_0.way.orig"]
    for name in mine:
        (store / name).parent.mkdir(exist_ok=True)
        (store / name).write_text("mine")
    half = store / "tiles/0_0/1_1_0.way.77.part"
    half.write_bytes(b"half")
    baked = bake(description, store, agent(0.3))
    assert baked.tiles_reused == 0 and not half.exists()
    assert all((store / name).read_text() == "mine" for name in mine)
    (store / "tiles/own/1_1_0.way").unlink()
    bake(description, tmp_path / "new", agent(0.3))
    assert contents(str(store)) == contents(str(tmp_path / "new"))


class Watched(LocalExecutor):
    """Knows what it has done: of each group of blocks, how many there were, how many were done, and whether they were held."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: List[Tuple[int, int, bool]] = []

    def run(self, tasks: Any) -> Iterator[Tuple[int, Any]]:
        done = 0
        try:
            for answer in super().run(tasks):
                done += 1
                yield answer
        finally:
            if tasks and tasks[0][0].__name__ == "bake_block":
                self.groups.append((len(tasks), done, tasks[0][1][-1]))


def write_sea(folder: Path) -> str:
    """A world that is sea but for its last corner: only a wall at its first one says where it begins."""
    folder.mkdir()
    corner = "v 200 0 200\nv 200 0 208\nv 208 0 208\nv 208 0 200\nf 4 5 6 7\n"
    (folder / "land.obj").write_text("v 0 0 0\nv 0 2 0\nv 0 0 1\nf 1 2 3\n" + corner)
    (folder / "world.toml").write_text('[[part]]\nfile = "land.obj"\n')
    return str(folder / "world.toml")


def test_a_world_of_much_sea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wayfare.world import run

    description = write_sea(tmp_path / "in")
    whole = bake(description, tmp_path / "whole", SETTINGS)
    assert whole.blocks == 1 and whole.tiles > 400
    monkeypatch.setattr(run, "SEARCHED", 8)
    monkeypatch.setattr(run, "HELD", 10)
    written: List[str] = []
    usual, by_driver = run._write_down, Files.write_all
    monkeypatch.setattr(run, "_write_down", lambda job, tiles, entries: (written.append("block"), usual(job, tiles, entries)))
    sizes: List[int] = []
    monkeypatch.setattr(Files, "write_all", lambda self, data: (sizes.append(len(data)), by_driver(self, data))[1])
    executor, told = Watched(), []
    baked = bake(description, tmp_path / "store", SETTINGS, block=2, executor=executor, progress=lambda *now: told.append(now))
    assert baked.digest == whole.digest and contents(str(tmp_path / "store")) == contents(str(tmp_path / "whole"))
    # Ground was looked for until it was found, never in too many blocks at once.
    *searched, others = executor.groups
    assert [size for size, _, _ in searched][:5] == [1, 2, 4, 8, 8][: len(searched)] and max(size for size, _, _ in searched) == 8
    assert all(holds for _, _, holds in searched) and all(size == done for size, done, _ in searched[:-1])
    # Few of those before it were kept; the others were baked again, where they are written at once.
    size, done, holds = others
    kept = baked.blocks - size
    assert size == done and not holds and 1 < kept <= 10 + 1 < sum(done for _, done, _ in searched)
    assert len(written) == baked.blocks and sum(sizes[:kept]) <= 10 + 4
    counts = [done for stage, done, _ in told if stage == "bake"]
    assert counts == sorted(counts) and counts[-1] == baked.blocks


def test_ground_that_is_found_ends_the_search(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, files, digest = one_machine
    executor = Watched()
    baked = bake(description, tmp_path / "store", SETTINGS, block=1, executor=executor)
    assert baked.digest == digest and contents(str(tmp_path / "store")) == files
    searched = sum(done for _, done, holds in executor.groups if holds)
    assert searched < 10 and executor.groups[-1] == (baked.blocks - searched, baked.blocks - searched, False)


@pytest.mark.skipif(os.name == "nt", reason="folders are not brought to the disk there")
def test_what_is_written_is_on_the_disk_first(
    one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything says that it is there; and without a wait for what others write."""
    description, files, digest = one_machine
    store = tmp_path / "store"
    on_disk, usual, write, checked = set(), os.fsync, Files.write, []

    def fsync(file: int) -> None:
        on_disk.add(os.fstat(file).st_ino)
        usual(file)

    def is_whole(self: Files, name: str, data: bytes, *, lasting: bool = False) -> None:
        if lasting and name.startswith(("journal/", "index", "sorted/")):
            checked.append(name)
            folder = store / ("work" if name.startswith("sorted/") else "")
            there = [*folder.rglob("*.way"), *folder.rglob("*.tri"), *(folder / "tiles").rglob("*_*"), folder]
            assert [file for file in there if file.stat().st_ino not in on_disk] == []
        write(self, name, data, lasting=lasting)

    def waits(*_: object) -> None:
        raise AssertionError("this waits for all disks")

    monkeypatch.setattr(os, "sync", waits)
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Files, "write", is_whole)
    assert bake(description, store, SETTINGS, block=8).digest == digest
    assert {name.split("/")[0] for name in checked} == {"journal", "index", "sorted"}

    there = Files(str(tmp_path / "other"))
    there.write("a/b", b"1")
    there.write("gone", b"1")
    there.remove("gone")
    there.settle()
    assert {(tmp_path / "other" / name).stat().st_ino for name in ("a/b", "a", "")} <= on_disk
    on_disk.clear()
    there.settle()
    assert not on_disk
    # What could not be brought to the disk is tried again the next time.
    there.write("c", b"1")
    monkeypatch.setattr(os, "fsync", lambda file: os.close(-1))
    with pytest.raises(OSError):
        there.settle()
    monkeypatch.setattr(os, "fsync", fsync)
    there.settle()
    assert (tmp_path / "other/c").stat().st_ino in on_disk


def test_a_world_without_ground_leaves_the_store_as_it_was(
    one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from wayfare.world.__main__ import main

    description, files, digest = one_machine
    for store in (tmp_path / "store", tmp_path / "empty"):
        if store.name == "store":
            bake(description, store, SETTINGS)
        before = {file: file.read_bytes() for file in store.rglob("*") if file.is_file()}
        for block in ("2", "32"):
            options = ["--tile-size", "32", "--agent-radius", "40", "--block", block, "--quiet"]
            assert main([description, "-o", str(store), *options]) == 1
            assert "nothing can be walked on" in capsys.readouterr().err
        after = {file: file.read_bytes() for file in store.rglob("*") if file.is_file() and "work" not in file.parts}
        assert after == before


def test_what_was_noticed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from wayfare.world.__main__ import main

    (tmp_path / "floor.obj").write_text("v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\nf 1 1 2\n")
    (tmp_path / "own.gset").write_text("f floor.obj\nv 4 1 -1 2\n0 0 0\n0 0 1\n1 0 1\n1 0 0\n")
    (tmp_path / "world.toml").write_text('[[part]]\nfile = "own.gset"\nat = [1, 0, 1]\n')
    baked = bake(tmp_path / "world.toml", tmp_path / "store", SETTINGS)
    assert baked.polys > 0
    assert [note.split(": ")[0] for note in baked.notes] == ["own.gset"] * len(baked.notes)
    assert any("no area" in note for note in baked.notes) and any("volumes are left out" in note for note in baked.notes)
    assert main([str(tmp_path / "world.toml"), "-o", str(tmp_path / "other"), "--tile-size", "32", "--quiet"]) == 0
    told = capsys.readouterr().err
    assert "note: own.gset: " in told and "no area" in told


def test_a_tile_that_cannot_be_read_is_not_left_out_of_the_levels(
    one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    description, files, digest = one_machine
    store = f"{tmp_path}/store/"
    whole = bake(description, store, SETTINGS)
    head = Path(store, "head.way").read_bytes()
    assert whole.tiles > 64, "there are no levels to make"
    again = f"{tmp_path}/again/"
    usual, failed = Files.read, []

    def fails(self: Files, name: str, *range: Any) -> bytes:
        if name.startswith("tiles/") and os.path.exists(f"{again}tiles") and "/3_3_0" in name:
            failed.append(name)
            raise TimeoutError("the bucket is slow")
        return usual(self, name, *range)

    monkeypatch.setattr(Files, "read", fails)
    with pytest.raises(TimeoutError, match="slow"):
        bake(description, again, SETTINGS)
    monkeypatch.undo()
    assert failed and bake(description, again, SETTINGS).digest == digest
    assert Path(again, "head.way").read_bytes() == head


def test_a_broken_tile_is_told(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    description, _, _ = one_machine
    store = f"{tmp_path}/store/"
    bake(description, store, SETTINGS)
    whole = wayfare.NavMesh.load(store)
    tile = max(Path(store, "tiles").rglob("*.way"), key=lambda file: file.stat().st_size)
    tile.write_bytes(tile.read_bytes()[:-3])
    with pytest.raises(wayfare.WorldStoreError, match="1 of its tiles cannot be read.*allow_broken"):
        wayfare.NavMesh.load(store)
    assert wayfare.NavMesh.load(store, allow_broken=True).tile_count == whole.tile_count - 1


def test_a_store_has_tiles(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    stores = [f"{tmp_path}/{name}/" for name in ("usual", "untiled")]
    digests = [bake(one_machine[0], store, wayfare.BakeSettings(tile_size=side)).digest for store, side in zip(stores, (64, 0))]
    assert digests[0] == digests[1]
    world = WholeWorld(Path(one_machine[0]).parent)
    wayfare.bake_world(world, f"{tmp_path}/whole/", wayfare.BakeSettings(), area_flags=dict.fromkeys(range(64), 1))
    assert wayfare.Store(f"{tmp_path}/whole/").digest == digests[0] and len(wayfare.Store(f"{tmp_path}/whole/")) > 1


def sorted_ground(folder: Path, side: float, text: str = "") -> Any:
    """A square of 100 m, of triangles of 1 m, sorted; and what is asked of it."""
    from wayfare.world.inputs import SortedWorld, part_key, read_sorted, sort_part

    corners = "".join(f"v {x} 0 {z}\n" for x in range(101) for z in range(101))
    faces = "".join(f"f {i} {i + 1} {i + 102} {i + 101}\n" for x in range(100) for i in range(101 * x + 1, 101 * x + 101))
    folder.mkdir(exist_ok=True)
    (folder / "ground.obj").write_text(corners + faces)
    part = parse('[[part]]\nfile = "ground.obj"\n' + text).parts[0]
    inputs, work = Files(str(folder)), Files(str(folder / "work"))
    key = part_key(part, inputs, side)
    sort_part(part, inputs, work, key, side)
    return SortedWorld(work, [read_sorted(work, key)], [], None, side)


def test_a_piece_is_what_touches_its_box(tmp_path: Path) -> None:
    world = sorted_ground(tmp_path, 64.0)
    low, high = (60.5, -1.0, 60.5), (70.25, 1.0, 62.0)
    triangles, areas = world.piece(low, high)
    # Eleven columns of squares, and two rows and the one that it only touches.
    assert len(triangles) == len(areas) == 2 * 11 * 3
    touches = (triangles[:, :, [0, 2]].min(axis=1) <= (high[0], high[2])) & (triangles[:, :, [0, 2]].max(axis=1) >= (low[0], low[2]))
    assert touches.all()
    # As whoever looks at each of them finds, whatever the box.
    numbers = np.random.default_rng(1).uniform(-3.0, 103.0, (50, 2, 2)).astype(np.float32)
    all_of_them, _ = world.piece((-9.0, -1.0, -9.0), (109.0, 1.0, 109.0))
    plane = all_of_them[:, :, [0, 2]]
    for box in np.sort(numbers, axis=1):
        found, _ = world.piece((box[0, 0], -1.0, box[0, 1]), (box[1, 0], 1.0, box[1, 1]))
        touch = (plane.min(axis=1) <= box[1]).all(axis=1) & (plane.max(axis=1) >= box[0]).all(axis=1)
        assert np.array_equal(found, all_of_them[touch])
    everything, _ = world.piece((-1.0, -1.0, -1.0), (101.0, 1.0, 101.0))
    assert len(everything) == 20_000 and len(np.unique(everything, axis=0)) == 20_000


def test_instances_are_placed_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wayfare.world import inputs

    text = f"instances = [{', '.join(f'{{ at = [{20 * i}, 0, {i}] }}' for i in range(5))}]\n"
    usual, sizes = inputs._sort, []

    def sort(records: Any, side: float) -> Any:
        sizes.append(len(records))
        return usual(records, side)

    monkeypatch.setattr(inputs, "_sort", sort)
    whole = sorted_ground(tmp_path / "whole", 64.0, text)
    monkeypatch.setattr(inputs, "AT_ONCE", 30_000)
    pieces = sorted_ground(tmp_path / "pieces", 64.0, text)
    assert sizes == [100_000, 40_000, 40_000, 20_000]
    names = sorted(file.name for file in (tmp_path / "whole/work").rglob("*.tri"))
    assert len(names) > 4
    for name in names:
        (a,), (b,) = ((tmp_path / folder / "work").rglob(name) for folder in ("whole", "pieces"))
        assert a.read_bytes() == b.read_bytes()
    assert whole.parts[0].bounds == pieces.parts[0].bounds and whole.parts[0].count == pieces.parts[0].count == 100_000


def test_squares_in_memory_are_counted_in_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    from wayfare.world import inputs

    world = sorted_ground(tmp_path, 10.0)
    monkeypatch.setattr(inputs, "KEPT", 60_000)
    reads: List[str] = []
    usual = Files.read
    monkeypatch.setattr(Files, "read", lambda self, name, *range: (reads.append(name), usual(self, name, *range))[1])
    for x in (5, 15, 5, 15, 95, 85, 75, 65, 55, 5):
        world.piece((x, 0, 5), (x + 0.5, 0, 5.5))
        assert world._bytes <= 60_000 and world._bytes == sum(square.bytes for square in world._squares.values())
    assert len(reads) == 8 and reads.count(reads[0]) == 2
    # A task is sent the names of files, not what was read of them.
    assert len(pickle.dumps(world)) < 4_000
    assert np.array_equal(pickle.loads(pickle.dumps(world)).piece((5, 0, 5), (6, 0, 6))[0], world.piece((5, 0, 5), (6, 0, 6))[0])


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


def test_triangles_may_be_a_list(tmp_path: Path) -> None:
    class Listed:
        bounds = ((0, 0, 0), (30, 5, 30))

        def piece(self, low: Any, high: Any) -> Any:
            return [[[0, 0, 0], [0, 0, 30], [30, 0, 30]], [[0, 0, 0], [30, 0, 30], [30, 0, 0]]], [63, 63]

    assert wayfare.bake_world(Listed(), f"{tmp_path}/a.wayworld", SETTINGS).stats["polys"] > 0


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
        ("part = [1]\n", "part 1: must be a table"),
        ('[[part]]\nfile = "a"\ninstances = 5\n', "instances must be a list"),
    ]:
        with pytest.raises(ValueError, match=word):
            parse(text)


def test_parts_without_a_place(tmp_path: Path) -> None:
    description = write_world(tmp_path)
    (tmp_path / "world.toml").write_text(DESCRIPTION + '[[part]]\nfile = "house.obj"\ninstances = []\n')
    with_none = bake(Path(description), tmp_path / "with", SETTINGS)
    (tmp_path / "world.toml").write_text(DESCRIPTION.replace("ground.obj", f"{tmp_path}/ground.obj"))
    assert bake(description, tmp_path / "absolute", SETTINGS).digest == with_none.digest
    (tmp_path / "world.toml").write_text('[[part]]\nfile = "house.obj"\ninstances = []\n')
    with pytest.raises(ValueError, match="no triangle"):
        bake(description, tmp_path / "none", SETTINGS)


def test_options_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from wayfare.world.__main__ import main

    description = write_world(tmp_path)
    for options in (["--workers", "2"], ["--ray", "auto", "--workers", "2"]):
        with pytest.raises(SystemExit):
            main([description, "-o", str(tmp_path / "store"), *options])
        assert "--workers is for a cluster that is begun here" in capsys.readouterr().err
    assert main([description, "-o", str(tmp_path / "store"), "--retries", "-1"]) == 1
    assert "retries is -1" in capsys.readouterr().err
    options = "--tile-size 32 --bounds 0 -5 0 40 20 40 --no-filter-ledges --no-filter-low-hanging --no-filter-low-height --quiet".split()
    assert main([description, "-o", str(tmp_path / "store"), *options]) == 0
    settings = wayfare.BakeSettings(
        tile_size=32,
        bounds=((0, -5, 0), (40, 20, 40)),
        filter_ledges=False,
        filter_low_hanging_obstacles=False,
        filter_low_height=False,
    )
    assert bake(description, tmp_path / "other", settings).digest == wayfare.Store(tmp_path / "store").digest


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
    with pytest.raises(ValueError, match="retries is -1"):
        LocalExecutor(retries=-1)


def test_failures_of_any_file_system_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of object stores are no OSErrors."""
    from wayfare.world import files

    memory = pytest.importorskip("fsspec").filesystem("memory")
    monkeypatch.setattr(files, "PAUSES", (0.0, 0.0))
    there = Files("memory://flaky")
    there.write("a", b"1")
    left = [2]

    class ServiceError(Exception):
        pass

    def fails(usual: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            if left[0] > 0:
                left[0] -= 1
                raise ServiceError("come back later")
            return usual(*given, **named)

        return call

    for name in ("cat_file", "pipe_file", "ls", "rm_file", "ukey"):
        monkeypatch.setattr(memory, name, fails(getattr(memory, name)))
    calls = [
        lambda: there.read("a") == b"1",
        lambda: there.list("") == ["a"],
        lambda: there.mark("a") == there.mark("a"),
        lambda: there.write("b", b"2") is None,
        lambda: there.remove("b") is None,
    ]
    for call in calls:
        left[0] = 2
        assert call() and left[0] == 0
    left[0] = 9
    with pytest.raises(OSError, match="ServiceError: come back later"):
        there.read("a")
    left[0] = 0
    assert there.try_read("none") is None and there.list("") == ["a"]


@pytest.mark.parametrize("root", ["memory://x/y[1]", "local://{}/y[1]*", "file://{}/z?"])
def test_other_file_systems(root: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    there = Files(root.format(tmp_path))
    there.write("a/b/c", b"1")
    there.write_all({"a/d": b"2", "e": b"3"})
    assert there.list("a") == ["b", "d"] and there.read("a/b/c") == b"1" and there.list("") == ["a", "e"]
    there.remove_folder("a")
    assert there.list("a") == [] and there.try_read("a/b/c") is None and there.read("e") == b"3"
    there.remove_folder("a")
    there.remove("e")
    there.remove_if_empty("")
    # Of a folder that others use as well, only our own go.
    for names in (["1", "2", "mine"], ["1", "2"]):
        there.write_all({f"f/{name}": b"1" for name in names})
        assert there.is_folder("f") and not there.is_folder("f/1") and not there.is_folder("g")
        there.remove_some("f", str.isdigit)
        assert there.list("f") == names[2:] and there.is_folder("f") == (len(names) > 2)
        there.remove("f/mine")
    there.remove_some("g", str.isdigit)
    there.settle()


def test_a_folder_in_another() -> None:
    for root in ("/a/b", "file:///a/b", "s3://a/b"):
        store = Files(root)
        names = [store.name_of(Files(root + more)) for more in ("", "/c", "/c/d", "c")]
        assert names == ["", "c", "c/d", None]
    assert Files("/a/b").name_of(Files("file:///a/b/c")) == "c" and Files("/a").name_of(Files("s3://a/b")) is None
    assert Files("/").name_of(Files("/c")) == "c" and Files("/a/b").name_of(Files("/a")) is None


def test_a_file_of_a_web_server_that_changes(tmp_path: Path) -> None:
    import functools
    import http.server
    import threading

    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        (tmp_path / "a.obj").write_text("one")
        there = Files(f"http://127.0.0.1:{server.server_port}")
        before = there.mark("a.obj")
        assert there.mark("a.obj") == before
        (tmp_path / "a.obj").write_text("two")
        os.utime(tmp_path / "a.obj", (1e9, 1e9))
        assert there.mark("a.obj") != before
    finally:
        server.shutdown()


def test_what_tasks_share_is_sent_once() -> None:
    from wayfare.world.executors import _SentOnce

    class Ray:
        sent: List[object] = []

        def put(self, one: object) -> Tuple[str, object]:
            self.sent.append(one)
            return "sent", one

    job, own = {"large": 1}, [{"own": i} for i in range(3)]
    send = _SentOnce(Ray(), [(len, (job, one, None, True)) for one in own])
    for one in own:
        assert list(map(send, (job, one, None, True))) == [("sent", job), one, None, True]
    assert Ray.sent == [job]


def test_an_index_is_divided_in_one_pass(one_machine: Tuple[str, dict[str, bytes], str], tmp_path: Path) -> None:
    from wayfare import _wayfare

    bake(one_machine[0], tmp_path / "store", SETTINGS)
    index = (tmp_path / "store/index").read_bytes()
    parts = _wayfare._index_parts(index, 3)
    assert all((x // 3, z // 3) == block for block, part in parts.items() for x, z in _wayfare._index_tiles(part))
    assert _wayfare._merge_indices(list(parts.values()))[0] == index and len(parts) > 4
    with pytest.raises(ValueError, match="side is 0"):
        _wayfare._index_parts(index, 0)


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


def test_a_cluster_that_runs_already_takes_no_options(cluster: RayExecutor) -> None:
    for given in ({"workers": 4}, {"address": "auto"}, {"object_store_memory": 1}):
        with pytest.raises(ValueError, match="in a Ray cluster already"):
            RayExecutor(**given)
    assert RayExecutor(retries=1).retries == 1
    with pytest.raises(ValueError, match="begun here"):
        RayExecutor("auto", workers=3)


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
