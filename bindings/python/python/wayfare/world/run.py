"""The bake of a described world by tasks.

::

    description ──> sort: one task a part ──> plan ──> bake: one task a block of tiles ──> index
                    WORK/sorted/KEY/...               STORE/tiles/..., STORE/journal/RUN/BLOCK

A block that is done has its entries in the journal; a run that was killed goes on from there. A block that is not done knows from the
store's index, or from the journals of runs that were stopped, what each tile was made from, and bakes what has changed.

Nothing in the store changes before the first tile with surface: a world on which nothing can be walked leaves it as it was. Until then, what
is baked stays in memory, a few blocks of it; with more sea than that, blocks are baked again. What is removed in the store are names that only
a bake gives: it may hold other files.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import re
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .. import BakeError, BakeSettings, FormatError, WorldStoreError, __version__, plan_world
from .._wayfare import (
    _bake_range,
    _head_difference,
    _head_with_levels,
    _index_has_surface,
    _index_parts,
    _index_tiles,
    _merge_indices,
)
from .description import Description, parse
from .executors import Executor, LocalExecutor, Task
from .files import Files, WriteBehind, anywhere, digest, is_digest, is_url
from .inputs import SortedWorld, part_key, read_sorted, sort_part

Range = Tuple[int, int, int, int]

#: Blocks that are baked at once while ground is looked for. An executor may hold the answers of as many.
SEARCHED = 64
#: Tiles without surface that stay in memory while ground is looked for: those of more blocks are baked again, which costs little.
HELD = 10_000
#: The folders of tiles and the files in them, with those that a writer has not finished.
TILE_FOLDER = re.compile(r"-?\d+_-?\d+")
TILE_FILE = re.compile(r"-?\d+_-?\d+_\d+\.way(\.(\d+\.)?part)?")
#: Flags of area types without a rule, as the program gives them: tiles are told apart by them, so that either goes on with the other's store.
EVERY_AREA = dict.fromkeys(range(64), 1)


@dataclass(frozen=True)
class Baked:
    """What a bake came to."""

    digest: str
    """Names the content of the store, as ``wayfare info`` gives it."""
    tiles: int
    """Places of tiles, those without surface included."""
    blocks: int
    blocks_done_before: int
    tiles_reused: int
    seconds: float
    cpu_seconds: float
    """Of all tasks together."""
    polys: int
    """Polygons of the blocks that were not done before."""
    warnings: Mapping[str, int]
    """What was warned of, in one word, and how often: of tiles that were baked now."""
    notes: Sequence[str]
    """What was left out of the files or noticed in them, for people."""


@dataclass(frozen=True)
class Job:
    """What all tasks of a bake share."""

    source: SortedWorld
    store: Files
    settings: BakeSettings
    area_names: Mapping[int, Tuple[str, float]]
    area_flags: Mapping[int, int]
    journal: str


@dataclass(frozen=True)
class Block:
    """What a task has made."""

    entries: bytes
    """Those of its tiles in the index."""
    held: Mapping[str, bytes]
    """Files that are not written yet."""
    reused: int
    polys: int
    warnings: Mapping[str, int]
    cpu: float


def bake_block(job: Job, tiles: Range, known: Optional[bytes], holds: bool) -> Block:
    """Bakes a block of tiles into the store, and writes their entries into the journal; or ``holds`` both, and leaves the store as it is."""
    cpu = time.process_time()
    names, flags = dict(job.area_names), {**EVERY_AREA, **job.area_flags}
    store = WriteBehind(job.store, holds)
    entries, report = _bake_range(job.source, store, job.settings, tiles, known, area_names=names, area_flags=flags)
    if not holds:
        store.flush()
        _write_down(job, tiles, entries)
    warnings = {warning.kind: warning.count for warning in report.warnings}
    stats = report.stats
    return Block(entries, store.waiting, stats["reused_tiles"], stats["polys"], warnings, time.process_time() - cpu)


def _write_down(job: Job, tiles: Range, entries: bytes) -> None:
    # Before the journal says that they are there.
    job.store.settle()
    job.store.write(f"{job.journal}/{_block_name(tiles)}", entries, lasting=True)


def _block_name(tiles: Range) -> str:
    return "_".join(map(str, tiles))


def _blocks(columns: int, rows: int, side: int) -> List[Range]:
    return [
        (x, z, min(x + side, columns) - 1, min(z + side, rows) - 1)
        for z in range(0, rows, side)
        for x in range(0, columns, side)
    ]


def _searched(blocks: Sequence[Range]) -> Iterator[Sequence[Range]]:
    """The order in which ground is looked for: more and more at once, up to a number.

    They come from everywhere, always in the same order: a world may begin with rows of sea, but in any order ground is found after a few.
    """
    blocks = random.Random(0).sample(blocks, len(blocks))
    at, size = 0, 1
    while at < len(blocks):
        yield blocks[at : at + size]
        at, size = at + size, min(2 * size, SEARCHED)


def _sound(index: Optional[bytes]) -> Optional[bytes]:
    """An index that can be read: one that lost its bytes with the power is as good as none."""
    try:
        if index is not None:
            _index_tiles(index)
    except FormatError:
        return None
    return index


@dataclass
class Before:
    """What a store has of earlier bakes."""

    head: Optional[bytes]
    known: Optional[bytes]
    """What each tile was made from, as an index."""
    is_for_another_agent: bool
    done: Dict[Range, bytes]
    """The blocks that are in the journal of the same run."""


def _before(store: Files, head: bytes, journal: str, blocks: Sequence[Range]) -> Before:
    there = store.try_read("head.way")
    difference = None if there is None else _head_difference(there, head)
    if difference is not None and difference[0] == "layout":
        raise WorldStoreError(f"{store.url} holds a world whose tiles lie elsewhere ({difference[1]}): give an empty folder")
    if there is None or (difference is not None and difference[0] == "agent"):
        return Before(there, None, difference is not None, {})
    # With an index, a bake was finished since the journals were written.
    index = _sound(store.try_read("index"))
    if index is not None:
        return Before(there, index, False, {})
    names = {_block_name(tiles): tiles for tiles in blocks}
    done: Dict[Range, bytes] = {}
    # What was there before the others comes first: what they say is newer.
    parts = [_sound(store.try_read("journal/before/all"))]
    for run in filter(is_digest, store.list("journal")):
        for name in store.list(f"journal/{run}"):
            parts.append(_sound(store.read(f"journal/{run}/{name}")))
            if f"journal/{run}" == journal and name in names and parts[-1] is not None:
                done[names[name]] = parts[-1]
    sound = [part for part in parts if part is not None]
    return Before(there, _merge_indices(sound)[0] if sound else None, False, done)


def _begin(store: Files, head: bytes, before: Before, journal: str) -> None:
    """Makes the store one that this run writes to: from here on the tiles themselves say what there is, as in every store that is being written."""
    if before.known is not None:
        store.write("journal/before/all", before.known, lasting=True)
    # Those of other runs would say what this one is about to change.
    for run in filter(is_digest, store.list("journal")):
        if not before.done or f"journal/{run}" != journal:
            store.remove_folder(f"journal/{run}")
    if before.is_for_another_agent:
        # They must not stay among the new ones if the work is interrupted.
        store.remove("journal/before/all")
        store.remove("index")
        _remove_tiles(store)
    store.write("head.way", head, lasting=True)
    store.remove("index")


def _remove_tiles(store: Files) -> None:
    for folder in filter(TILE_FOLDER.fullmatch, store.list("tiles")):
        store.remove_some(f"tiles/{folder}", lambda name: TILE_FILE.fullmatch(name) is not None)
    store.remove_if_empty("tiles")


def _refuse_others(store: Files, work: Files) -> None:
    """A folder without a head must be empty, or hold what a bake has left that was stopped before there was ground."""
    names = store.list("")
    if "head.way" in names:
        return
    inside = store.name_of(work)
    if inside is not None and inside != "work":
        # The caller has said that it is for sorted files.
        names = [name for name in names if name != (inside.split("/")[0] or "sorted")]
    if any(not _is_left_over(store, name) for name in names):
        raise WorldStoreError(f"{store.url}: this folder holds other files: give a new or an empty one")


def _is_left_over(store: Files, name: str) -> bool:
    """Whether a writer, this one or the program, leaves this if it is killed before the head is there."""
    if name == "work":
        is_ours = store.list("work") in ([], ["sorted"]) and all(map(is_digest, store.list("work/sorted")))
        return is_ours and store.is_folder("work")
    if name == "tiles":
        return store.is_folder("tiles") and not store.list("tiles")
    return name == "lock" and not store.is_folder("lock") and store.read("lock") == b""


def _remove_journals(store: Files) -> None:
    for run in filter(is_digest, store.list("journal")):
        store.remove_folder(f"journal/{run}")
    store.remove("journal/before/all")
    store.remove_if_empty("journal/before")
    store.remove_if_empty("journal")


def _remove_sorted(work: Files) -> None:
    for key in filter(is_digest, work.list("sorted")):
        work.remove_folder(f"sorted/{key}")
    work.remove_if_empty("sorted")
    work.remove_if_empty("")


def bake(
    world: "Union[str, os.PathLike[str]]",
    store: "Union[str, os.PathLike[str]]",
    settings: Optional[BakeSettings] = None,
    *,
    work: "Union[str, os.PathLike[str], None]" = None,
    executor: Optional[Executor] = None,
    block: int = 32,
    area_names: Mapping[int, Tuple[str, float]] = {},
    area_flags: Mapping[int, int] = {},
    levels: bool = True,
    progress: Optional[Callable[[str, int, int], object]] = None,
    storage_options: Optional[Dict[str, Any]] = None,
) -> Baked:
    """Bakes the world of a description into a store: a folder, in any file system that ``fsspec`` knows.

    ``work`` is where triangles are sorted: a folder that all workers reach, ``work/`` in the store unless given; it may be removed
    afterwards. ``block`` is the side of a task's block, in tiles. ``levels`` are those of the abstract graph above the tiles, for long paths in
    worlds that do not fit in memory: they are made here at the end, from a part of each tile. ``progress`` is called with "sort" or "bake",
    what is done and what there is.

    Raises BakeError for a world on which the agent can stand nowhere; WorldStoreError for a folder that holds other files, or a world whose
    tiles lie elsewhere. In each case the tiles of the store stay as they were.
    """
    began = time.monotonic()
    settings = settings or BakeSettings(tile_size=64)
    if settings.tile_size == 0:  # A store has tiles.
        settings = dataclasses.replace(settings, tile_size=64)
    if block < 1:
        raise ValueError(f"block is {block}, but must be 1 or more")
    executor = executor or LocalExecutor()
    tell = progress or (lambda stage, done, total: None)
    options = storage_options or {}
    folder, name = _split(anywhere(world))
    target = Files(anywhere(store), options)
    sorting = Files(anywhere(work) if work is not None else f"{target.url}/work", options)
    inputs = Files(folder, options)
    description = parse(inputs.read(name).decode(), os.fspath(world))
    _refuse_others(target, sorting)

    side = settings.tile_size * settings.cell_size * block
    source, keys = _sort(description, inputs, sorting, executor, side, tell)
    plan = plan_world(source, settings, area_names=dict(area_names))
    head: bytes = plan["head"]
    areas = (sorted(area_names.items()), sorted(area_flags.items()))
    run = digest("run 2", __version__, head, keys, settings, areas, block, source.bounds)
    job = Job(source, target, settings, dict(area_names), dict(area_flags), f"journal/{run}")
    blocks = _blocks(plan["columns"], plan["rows"], block)
    before = _before(target, head, job.journal, blocks)
    entries = dict(before.done)
    parts = {} if before.known is None else _index_parts(before.known, block)
    missing = [tiles for tiles in blocks if tiles not in entries]
    made: List[Block] = []
    cpu = 0.0

    def work_on(some: Sequence[Range], holds: bool) -> Generator[Tuple[Range, Block], None, None]:
        nonlocal cpu
        tasks: List[Task] = [
            (bake_block, (job, tiles, parts.get((tiles[0] // block, tiles[1] // block)), holds)) for tiles in some
        ]
        answers = executor.run(tasks)
        try:
            for number, one in answers:
                cpu += one.cpu
                yield some[number], one
        finally:
            # Who stops earlier has no use for the tasks that still run.
            if isinstance(answers, Generator):
                answers.close()

    def keep(tiles: Range, one: Block) -> None:
        entries[tiles] = one.entries
        made.append(dataclasses.replace(one, held={}))
        tell("bake", len(entries), len(blocks))

    tell("bake", len(entries), len(blocks))
    held: Dict[Range, Block] = {}

    def find_ground() -> bool:
        """Bakes blocks from everywhere until one has surface. None is written: the tiles of the store stay as they are until then."""
        waiting = 0
        for some in _searched(missing):
            with contextlib.closing(work_on(some, True)) as answers:
                for tiles, one in answers:
                    is_ground = _index_has_surface(one.entries)
                    if is_ground or waiting + len(one.held) <= HELD:
                        waiting += len(one.held)
                        held[tiles] = one
                        keep(tiles, one)
                    else:
                        tell("bake", len(entries), len(blocks))
                    if is_ground:
                        return True
        return False

    if not any(map(_index_has_surface, entries.values())) and not find_ground():
        raise BakeError(
            f"nothing can be walked on in {os.fspath(world)}: an agent of height {settings.agent.height:g} m and radius "
            f"{settings.agent.radius:g} m finds no place. Are its sizes in metres, and is y up? The tiles of {target.url} are as they were"
        )
    if missing:
        _begin(target, head, before, job.journal)
    for tiles, one in held.items():
        target.write_all(one.held)
        _write_down(job, tiles, one.entries)
    held.clear()
    with contextlib.closing(work_on([tiles for tiles in missing if tiles not in entries], False)) as answers:
        for tiles, one in answers:
            keep(tiles, one)

    index, content, count = _merge_indices([entries[tiles] for tiles in blocks])
    _remove_beyond(target, before.known, index)
    if levels:
        target.write("head.way", _head_with_levels(target, head, index, before.head), lasting=True)
    target.settle()
    target.write("index", index, lasting=True)
    _remove_journals(target)
    if work is None:
        _remove_sorted(sorting)
    warnings: Dict[str, int] = {}
    for one in made:
        for kind, times in one.warnings.items():
            warnings[kind] = warnings.get(kind, 0) + times
    return Baked(
        content,
        count,
        len(blocks),
        len(before.done),
        sum(one.reused for one in made),
        time.monotonic() - began,
        cpu,
        sum(one.polys for one in made),
        warnings,
        [note for part in source.parts for note in part.notes],
    )


def _split(world: "Union[str, os.PathLike[str]]") -> Tuple[str, str]:
    """A folder, and the name of a file in it."""
    world = os.fspath(world)
    if is_url(world):
        folder, _, name = world.rpartition("/")
        return folder, name
    return os.path.split(world)


def _sort(
    description: Description,
    inputs: Files,
    work: Files,
    executor: Executor,
    side: float,
    tell: Callable[[str, int, int], object],
) -> Tuple[SortedWorld, Sequence[str]]:
    files = [part for part in description.parts if not part.is_generated]
    keys = [part_key(part, inputs, side) for part in files]
    tasks: List[Task] = [(sort_part, (part, inputs, work, key, side)) for part, key in zip(files, keys)]
    tell("sort", 0, len(tasks))
    for done, _ in enumerate(executor.run(tasks), 1):
        tell("sort", done, len(tasks))
    generated = [(part.scene or "", part.instances[0].at) for part in description.parts if part.is_generated]
    parts = [read_sorted(work, key) for key in keys]
    return SortedWorld(work, parts, generated, description.bounds, side), [*(part.content for part in parts), *map(str, generated)]


def _remove_beyond(store: Files, known: Optional[bytes], index: bytes) -> None:
    """Tiles that the world does not have any more."""
    if known is None:
        return
    for x, z in sorted(set(_index_tiles(known)) - set(_index_tiles(index))):
        store.remove(f"tiles/{x // 64}_{z // 64}/{x}_{z}_0.way")
