"""The triangles of a world's files, sorted by place, so that a task reads only what lies under its tiles.

::

    file ──> placed triangles ──> squares of the plane ──> sorted/KEY/X_Z.tri     one task a part
                                  box ──> its squares ──> triangles in their order

A triangle is kept in each square that its box touches; those that touch many are kept in a file of their own, which everybody reads.
"""

from __future__ import annotations

import json
import math
import os
import posixpath
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, get_args

import numpy as np
from numpy.typing import NDArray

from .. import Connection, GeneratedWorld, Level
from .._wayfare import _placed_triangles
from ..settings import Volume
from .description import Instance, Part
from .files import Files, digest

Triangles = Tuple[NDArray[np.float32], NDArray[np.uint8]]

_VOLUMES: Dict[str, Any] = {kind.__name__: kind for kind in get_args(Volume)}
#: A triangle in a file: its number in its part, its corners, its area type.
RECORD = np.dtype([("number", "<u8"), ("corners", "<f4", (3, 3)), ("area", "u1")])
#: Squares that a triangle may touch before it counts as large.
MANY = 16
#: Triangles that are placed at once, if one instance has not more.
AT_ONCE = 1_000_000
#: Bytes of squares that stay in memory.
KEPT = 1 << 30


@dataclass(frozen=True)
class Sorted:
    """A part whose triangles are sorted."""

    key: str
    bounds: Optional[Tuple[Tuple[float, ...], Tuple[float, ...]]]
    count: int
    squares: Tuple[Tuple[int, int], ...]
    has_large: bool
    connections: Tuple[Connection, ...]
    volumes: Tuple[Tuple[Volume, Optional[int], bool], ...]
    marks: Tuple[Tuple[str, str], ...]
    """The files that its file names, with a mark of each as it was read."""
    notes: Tuple[str, ...]
    """What was left out or noticed, for people."""

    @property
    def content(self) -> str:
        """Stands for what was sorted: that of other files is another."""
        return digest(self.key, self.marks)


def part_key(part: Part, inputs: Files, side: float) -> str:
    """Stands for what a part is, as far as its description and its own file say: another file, place or size has another."""
    mark = inputs.mark(part.file) if part.file is not None else ""
    return digest("sorted 3", part, mark, side)


def load(part: Part, inputs: Files, marks: Optional[Dict[str, str]] = None) -> Level:
    """The level of a part; ``marks`` gets the files that its file names, and a mark of each."""
    if part.scene is not None:
        return Level.scene(part.scene)
    assert part.file is not None
    folder = posixpath.dirname(part.file)

    def beside(name: str) -> bytes:
        path = posixpath.join(folder, name)
        if marks is not None:
            # Before it is read: if it changes meanwhile, it is read again the next time.
            marks[path] = _mark(inputs, path)
        return inputs.read(path)

    sizes: Dict[str, Any] = {"pixel_size": part.pixel_size, "pixel_height": part.pixel_height}
    return Level.from_bytes(part.file, inputs.read(part.file), files=beside, **sizes)


def _mark(inputs: Files, name: str) -> str:
    try:
        return inputs.mark(name)
    except FileNotFoundError:
        return ""


def _is_sorted(inputs: Files, work: Files, folder: str) -> bool:
    """Whether a part is sorted, from files as they are now."""
    about = work.try_read(f"{folder}/part.json")
    try:
        marks = json.loads(about or b"")["marks"]
    except ValueError:
        # It is not there, or lost its bytes with the power.
        return False
    return all(_mark(inputs, name) == mark for name, mark in marks)


def sort_part(part: Part, inputs: Files, work: Files, key: str, side: float) -> None:
    """Sorts the triangles of a part into files; what is there already is not done again."""
    folder = f"sorted/{key}"
    if _is_sorted(inputs, work, folder):
        return
    work.remove(f"{folder}/part.json")
    marks: Dict[str, str] = {}
    level = load(part, inputs, marks)
    connections: List[Connection] = []
    count, low, high = 0, np.full(3, np.inf), np.full(3, -np.inf)
    names: Dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="wayfare") as spill:
        for corners, areas in _placed(part, level, connections):
            records = np.zeros(len(areas), dtype=RECORD)
            records["number"] = np.arange(count, count + len(areas))
            records["corners"] = corners
            records["area"] = areas
            count += len(areas)
            flat = corners.reshape(-1, 3)
            low, high = np.minimum(low, flat.min(axis=0)), np.maximum(high, flat.max(axis=0))
            squares, large = _sort(records, side)
            for name, own in [*((f"{x}_{z}", own) for (x, z), own in squares.items()), ("large", large)]:
                if len(own):
                    names[name] = None
                    with open(os.path.join(spill, name), "ab") as file:
                        file.write(own.tobytes())
        for name in names:
            with open(os.path.join(spill, name), "rb") as file:
                work.write(f"{folder}/{name}.tri", file.read())
    # Volumes of a level that is moved are left out, as the program does.
    kept = [volume for one in part.instances if one == Instance() for volume in level.volumes]
    about = {
        "count": count,
        "bounds": [low.tolist(), high.tolist()] if count else None,
        "squares": sorted([int(number) for number in name.split("_")] for name in names if name != "large"),
        "large": "large" in names,
        "connections": [_plain(vars(connection)) for connection in connections],
        "volumes": [[type(volume).__name__, _plain(vars(volume)), paint, before] for volume, paint, before in kept],
        "marks": sorted(marks.items()),
        "notes": _notes(part, level),
    }
    # Written last: with it the part is done.
    work.settle()
    work.write(f"{folder}/part.json", json.dumps(about).encode(), lasting=True)


def _placed(part: Part, level: Level, connections: List[Connection]) -> Iterator[Triangles]:
    """The triangles of all instances, some instances at a time; ``connections`` gets theirs."""
    corners: List[NDArray[np.float32]] = []
    areas: List[NDArray[np.uint8]] = []
    waiting = 0
    for instance in part.instances:
        placed, area, moved = _placed_triangles(level, instance.at, instance.turn, instance.scale)
        connections.extend(moved)
        corners.append(placed)
        areas.append(area)
        waiting += len(area)
        if waiting >= AT_ONCE:
            yield np.concatenate(corners), np.concatenate(areas)
            corners, areas, waiting = [], [], 0
    if waiting:
        yield np.concatenate(corners), np.concatenate(areas)


def _notes(part: Part, level: Level) -> List[str]:
    """What the program says of a part, too."""
    notes = list(level.notes)
    not_finite, without_area = level.dropped
    if not_finite:
        notes.append(f"{not_finite} triangles have corners that are not finite, and are left out")
    if without_area:
        notes.append(f"{without_area} triangles have no area, and are left out")
    if len(level.volumes) and any(instance != Instance() for instance in part.instances):
        notes.append("its volumes are left out where it is moved")
    return [f"{part.file or part.scene}: {note}" for note in notes]


def _plain(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in fields.items()}


def _sort(records: NDArray[Any], side: float) -> Tuple[Dict[Tuple[int, int], NDArray[Any]], NDArray[Any]]:
    plane = records["corners"][:, :, [0, 2]].astype(np.float64)
    low = np.floor(plane.min(axis=1) / side).astype(np.int64)
    high = np.floor(plane.max(axis=1) / side).astype(np.int64)
    wide = np.prod(high - low + 1, axis=1)
    squares: Dict[Tuple[int, int], List[NDArray[np.int64]]] = {}
    small = np.flatnonzero(wide <= MANY)
    spread = (high - low)[small].max(axis=0) + 1 if len(small) else (0, 0)
    for dx in range(int(spread[0])):
        for dz in range(int(spread[1])):
            there = small[((low[small] + (dx, dz)) <= high[small]).all(axis=1)]
            cells = low[there] + (dx, dz)
            if len(cells) == 0:
                continue
            unique, owner = np.unique(cells, axis=0, return_inverse=True)
            order = np.argsort(owner.ravel(), kind="stable")
            ends = np.searchsorted(owner.ravel()[order], np.arange(len(unique) + 1))
            for number, (x, z) in enumerate(unique):
                squares.setdefault((int(x), int(z)), []).append(there[order[ends[number] : ends[number + 1]]])
    sorted_squares = {square: records[np.sort(np.concatenate(own))] for square, own in sorted(squares.items())}
    return sorted_squares, records[wide > MANY]


def read_sorted(work: Files, key: str) -> Sorted:
    """What was sorted."""
    about = json.loads(work.read(f"sorted/{key}/part.json"))
    bounds = about["bounds"]
    return Sorted(
        key,
        (tuple(bounds[0]), tuple(bounds[1])) if bounds else None,
        about["count"],
        tuple((x, z) for x, z in about["squares"]),
        about["large"],
        tuple(Connection(**fields) for fields in about["connections"]),
        tuple((_VOLUMES[kind](**fields), paint, before) for kind, fields, paint, before in about["volumes"]),
        tuple((name, mark) for name, mark in about["marks"]),
        tuple(about["notes"]),
    )


class _Square:
    """The triangles of a file in the order in which they begin along z, and the box of each on the plane."""

    def __init__(self, data: bytes) -> None:
        records = np.frombuffer(data, dtype=RECORD)
        order = np.argsort(records["corners"][:, :, 2].min(axis=1), kind="stable")
        self.records: NDArray[Any] = records[order]
        plane = self.records["corners"][:, :, [0, 2]]
        self.low, self.high = plane.min(axis=1), plane.max(axis=1)
        self.begin = self.low[:, 1].astype(np.float64)
        #: How far the longest reaches along z, and a little.
        self.longest = float((self.high[:, 1] - self.begin).max(initial=0.0)) * (1.0 + 1e-9)
        self.bytes = sum(array.nbytes for array in (self.records, self.low, self.high, self.begin))

    def within(self, low: Tuple[float, float], high: Tuple[float, float]) -> NDArray[Any]:
        """Those whose box touches another."""
        (x, z), (X, Z) = low, high
        first = np.searchsorted(self.begin, z - self.longest)
        some = slice(int(first), int(np.searchsorted(self.begin, Z, side="right")))
        lows, highs = self.low[some], self.high[some]
        touch = (lows[:, 0] <= X) & (highs[:, 0] >= x) & (lows[:, 1] <= Z) & (highs[:, 1] >= z)
        found: NDArray[Any] = self.records[some][touch]
        return found


class SortedWorld:
    """A world that says what lies in a box: what ``wayfare.bake_world`` asks. Sent to tasks, it is the names of files."""

    def __init__(
        self,
        work: Files,
        parts: Sequence[Sorted],
        generated: Sequence[Tuple[str, Tuple[float, float, float]]],
        bounds: Optional[Tuple[Tuple[float, ...], Tuple[float, ...]]],
        side: float,
    ) -> None:
        self.work, self.parts, self.side = work, tuple(parts), side
        self.generated = [(GeneratedWorld(spec), np.asarray(offset, dtype=np.float32)) for spec, offset in generated]
        self.connections = [connection for part in parts for connection in part.connections]
        self.volumes = [volume for part in parts for volume in part.volumes]
        self.bounds = bounds if bounds is not None else self._around()
        self._begin()

    def _begin(self) -> None:
        self._where: List[Dict[Tuple[int, int], None]] = [dict.fromkeys(part.squares) for part in self.parts]
        self._squares: "OrderedDict[str, _Square]" = OrderedDict()
        self._bytes = 0
        self._one_reads = threading.Lock()

    def _around(self) -> Tuple[Tuple[float, ...], Tuple[float, ...]]:
        boxes = [part.bounds for part in self.parts if part.bounds is not None]
        for world, offset in self.generated:
            if world.bounds is not None:
                low, high = (np.asarray(corner, dtype=np.float32) + offset for corner in world.bounds)
                boxes.append((tuple(low.tolist()), tuple(high.tolist())))
        if not boxes:
            raise ValueError("the world has no triangle: its files are empty")
        low = np.min([box[0] for box in boxes], axis=0)
        high = np.max([box[1] for box in boxes], axis=0)
        return tuple(low.tolist()), tuple(high.tolist())

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def _square(self, name: str) -> _Square:
        """A file; those that were read last stay in memory."""
        with self._one_reads:
            square = self._squares.get(name)
            if square is None:
                square = self._squares[name] = _Square(self.work.read(name))
                self._bytes += square.bytes
                while self._bytes > KEPT and len(self._squares) > 1:
                    _, oldest = self._squares.popitem(last=False)
                    self._bytes -= oldest.bytes
            self._squares.move_to_end(name)
            return square

    def piece(self, low: Tuple[float, float, float], high: Tuple[float, float, float]) -> Triangles:
        """The triangles that may touch a box, in the order of the description."""
        x = range(math.floor(low[0] / self.side), math.floor(high[0] / self.side) + 1)
        z = range(math.floor(low[2] / self.side), math.floor(high[2] / self.side) + 1)
        corners: List[NDArray[np.float32]] = []
        areas: List[NDArray[np.uint8]] = []
        for part, where in zip(self.parts, self._where):
            names = [f"{a}_{b}" for a in x for b in z if (a, b) in where] + (["large"] if part.has_large else [])
            squares = [self._square(f"sorted/{part.key}/{name}.tri") for name in names]
            if squares:
                records = np.concatenate([square.within((low[0], low[2]), (high[0], high[2])) for square in squares])
                _, first = np.unique(records["number"], return_index=True)
                corners.append(records["corners"][first])
                areas.append(records["area"][first])
        for world, offset in self.generated:
            moved = [tuple((np.asarray(corner, dtype=np.float32) - offset).tolist()) for corner in (low, high)]
            triangles, area = world.piece(*moved)
            corners.append(triangles + offset)
            areas.append(area)
        if not corners:
            return np.empty((0, 3, 3), dtype=np.float32), np.empty(0, dtype=np.uint8)
        return np.concatenate(corners), np.concatenate(areas)
