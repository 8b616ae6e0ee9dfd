"""The bake of a described world by tasks.

::

    description ──> sort: one task a part ──> plan ──> bake: one task a block of tiles ──> index
                    WORK/sorted/KEY/...               STORE/tiles/..., STORE/journal/RUN/BLOCK

A block that is done has its entries in the journal; a run that was killed goes on from there. A block that is not done knows from the
store's index, and from the journals of earlier runs, what each tile was made from, and bakes what has changed.
"""

from __future__ import annotations

import dataclasses
import os
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .. import BakeSettings, WorldStoreError, plan_world
from .._wayfare import _bake_range, _head_layout, _head_with_levels, _index_part, _index_tiles, _merge_indices
from .description import Description, parse
from .executors import Executor, LocalExecutor, Task
from .files import Files, WriteBehind, anywhere, digest, is_url
from .inputs import SortedWorld, part_key, read_sorted, sort_part

Range = Tuple[int, int, int, int]

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


@dataclass(frozen=True)
class Job:
    """What all tasks of a bake share."""

    source: SortedWorld
    store: Files
    settings: BakeSettings
    area_names: Mapping[int, Tuple[str, float]]
    area_flags: Mapping[int, int]
    journal: str


def bake_block(job: Job, tiles: Range, known: Optional[bytes]) -> Tuple[bytes, Dict[str, Any]]:
    """Bakes a block of tiles into the store, and writes it down in the journal: the entries of its tiles, and counts."""
    began, cpu = time.monotonic(), time.process_time()
    names, flags = dict(job.area_names), {**EVERY_AREA, **job.area_flags}
    store = WriteBehind(job.store)
    entries, report = _bake_range(job.source, store, job.settings, tiles, known, area_names=names, area_flags=flags)
    # Before the journal says that they are there.
    store.flush()
    job.store.write(f"{job.journal}/{_block_name(tiles)}", entries)
    about = {"reused": report.stats["reused_tiles"], "cpu": time.process_time() - cpu, "wall": time.monotonic() - began}
    return entries, about


def _block_name(tiles: Range) -> str:
    return "_".join(map(str, tiles))


def _blocks(columns: int, rows: int, side: int) -> List[Range]:
    return [
        (x, z, min(x + side, columns) - 1, min(z + side, rows) - 1)
        for z in range(0, rows, side)
        for x in range(0, columns, side)
    ]


def _journals(store: Files) -> List[bytes]:
    found = []
    for run in store.list("journal"):
        for block in store.list(f"journal/{run}"):
            found.append(store.read(f"journal/{run}/{block}"))
    return found


def bake(
    world: str,
    store: str,
    settings: Optional[BakeSettings] = None,
    *,
    work: Optional[str] = None,
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
    worlds that do not fit in memory: they are made here at the end, from a part of each tile. ``progress`` is called with "sort" or "bake", what is done and what there is.
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
    description = parse(inputs.read(name).decode(), world)

    side = settings.tile_size * settings.cell_size * block
    source, keys = _sort(description, inputs, sorting, executor, side, tell)
    plan = plan_world(source, settings, area_names=dict(area_names))
    head: bytes = plan["head"]
    run = digest("run 1", head, keys, settings, sorted(area_names.items()), sorted(area_flags.items()), block, source.bounds)
    journal = f"journal/{run}"

    head_before = target.try_read("head.way")
    known = _known(target, head_before, head)
    target.write("head.way", head)
    blocks = _blocks(plan["columns"], plan["rows"], block)
    entries: Dict[Range, bytes] = {}
    done_before = set(target.list(journal))
    for tiles in blocks:
        if _block_name(tiles) in done_before:
            entries[tiles] = target.read(f"{journal}/{_block_name(tiles)}")
    before = len(entries)
    # From here on the tiles themselves say what there is, as in every store that is being written.
    if known is not None and before < len(blocks):
        target.write("journal/before/all", known)
        target.remove("index")
    job = Job(source, target, settings, dict(area_names), dict(area_flags), journal)
    missing = [tiles for tiles in blocks if tiles not in entries]
    part = (lambda tiles: _index_part(known, tiles)) if known is not None else (lambda tiles: None)
    tasks: List[Task] = [(bake_block, (job, tiles, part(tiles))) for tiles in missing]
    tell("bake", before, len(blocks))
    counts = {"reused": 0, "cpu": 0.0}
    for number, (index, about) in executor.run(tasks):
        entries[missing[number]] = index
        counts = {key: counts[key] + about[key] for key in counts}
        tell("bake", len(entries), len(blocks))

    index, content, count = _merge_indices([entries[tiles] for tiles in blocks])
    _remove_beyond(target, known, index)
    if levels:
        target.write("head.way", _head_with_levels(target, head, index, head_before))
    target.write("index", index)
    target.remove_folder("journal")
    if work is None:
        target.remove_folder("work")
    seconds = time.monotonic() - began
    return Baked(content, count, len(blocks), before, int(counts["reused"]), seconds, counts["cpu"])


def _split(world: str) -> Tuple[str, str]:
    """A folder, and the name of a file in it."""
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


def _known(store: Files, there: Optional[bytes], head: bytes) -> Optional[bytes]:
    """What the store with the head ``there`` has: its index and what earlier runs have written down. Nothing, if it has no head."""
    if there is None:
        return None
    if _head_layout(there) != _head_layout(head):
        raise WorldStoreError(f"{store.url} holds a world whose tiles lie elsewhere: give an empty folder")
    index = store.try_read("index")
    parts = ([] if index is None else [index]) + _journals(store)
    return _merge_indices(parts)[0] if parts else None


def _remove_beyond(store: Files, known: Optional[bytes], index: bytes) -> None:
    """Tiles that the world does not have any more."""
    if known is None:
        return
    for x, z in sorted(set(_index_tiles(known)) - set(_index_tiles(index))):
        store.remove(f"tiles/{x // 64}_{z // 64}/{x}_{z}_0.way")
