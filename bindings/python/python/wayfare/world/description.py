"""``WORLD.toml``: a world of many files, instances, height maps and generated scenes. The form is that of ``wayfare bake``."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Instance:
    """Where a part lies: scaled, turned about the y axis (degrees, from x towards z), then moved."""

    at: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0
    scale: float = 1.0

    @property
    def is_moved_only(self) -> bool:
        """Whether nothing is turned or scaled."""
        return self.turn % 360.0 == 0.0 and self.scale == 1.0


@dataclass(frozen=True)
class Part:
    """A file or a scene, wherever it is placed."""

    file: Optional[str] = None
    scene: Optional[str] = None
    pixel_size: float = 1.0
    pixel_height: float = float(np.float32(0.01))
    instances: Tuple[Instance, ...] = (Instance(),)

    @property
    def is_generated(self) -> bool:
        """Whether it is made piece by piece, when it is asked."""
        return self.scene is not None and self.scene.split("?")[0] == "continent"


@dataclass(frozen=True)
class Description:
    """All parts, and the box that is baked, if it is not all."""

    parts: Tuple[Part, ...] = ()
    bounds: Optional[Tuple[Tuple[float, float, float], Tuple[float, float, float]]] = field(default=None)


def parse(text: str, name: str = "world") -> Description:
    """Reads a description; ``name`` is for messages. Raises ValueError."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}") from None
    _known(table, ("bounds", "part"), name)
    listed = table.get("part", [])
    if not isinstance(listed, list) or not listed:
        raise ValueError(f'{name}: has no [[part]]: name a file or a scene in one, as in file = "level.obj"')
    parts = tuple(_part(part, f"{name}: part {number}") for number, part in enumerate(listed, 1))
    return Description(parts, _bounds(table.get("bounds"), name))


def _known(table: Mapping[str, Any], keys: Tuple[str, ...], name: str) -> None:
    for key in table:
        if key not in keys:
            raise ValueError(f"{name}: has an unknown key {key!r}: {', '.join(keys)} are known")


def _numbers(value: Any, count: int, name: str) -> List[float]:
    is_number = lambda item: isinstance(item, (int, float)) and not isinstance(item, bool)  # noqa: E731
    if not isinstance(value, list) or len(value) != count or not all(map(is_number, value)):
        raise ValueError(f"{name} must be {count} numbers")
    return [float(item) for item in value]


def _number(table: Mapping[str, Any], key: str, usual: float, name: str) -> float:
    value = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name}: {key} must be a number")
    return float(value)


def _bounds(value: Any, name: str) -> Optional[Tuple[Tuple[float, float, float], Tuple[float, float, float]]]:
    if value is None:
        return None
    a, b, c, d, e, f = _numbers(value, 6, f"{name}: bounds")
    if not (a <= d and b <= e and c <= f):
        raise ValueError(f"{name}: bounds must be six numbers: the low corner, then the high corner")
    return (a, b, c), (d, e, f)


def _instance(table: Mapping[str, Any], name: str) -> Instance:
    _known(table, ("at", "turn", "scale"), name)
    x, y, z = _numbers(table.get("at", [0.0, 0.0, 0.0]), 3, f"{name}: at")
    return Instance((x, y, z), _number(table, "turn", 0.0, name), _number(table, "scale", 1.0, name))


def _part(table: Any, name: str) -> Part:
    if not isinstance(table, dict):
        raise ValueError(f"{name}: must be a table: write [[part]]")
    _known(table, ("file", "scene", "at", "turn", "scale", "pixel-size", "pixel-height", "instances"), name)
    file, scene = table.get("file"), table.get("scene")
    if (file is None) == (scene is None) or not isinstance(file or scene, str):
        raise ValueError(f'{name}: needs either file = "…" or scene = "…"')
    placed: Dict[str, Any] = {key: table[key] for key in ("at", "turn", "scale") if key in table}
    listed = table.get("instances")
    if listed is not None and placed:
        raise ValueError(f"{name}: has instances, each with a place of its own: leave out at, turn and scale beside them")
    if listed is None:
        instances: Tuple[Instance, ...] = (_instance(placed, name),)
    else:
        if not isinstance(listed, list):
            raise ValueError(f"{name}: instances must be a list, as in [{{ at = [1, 2, 3] }}]")
        for one in listed:
            if not isinstance(one, dict) or "at" not in one:
                raise ValueError(f"{name}: each of instances needs at = [x, y, z]")
        instances = tuple(_instance(one, name) for one in listed)
    # In 32 bits, as the program takes them: so the heights are the same to the bit.
    size = float(np.float32(_number(table, "pixel-size", 1.0, name)))
    height = float(np.float32(_number(table, "pixel-height", 0.01, name)))
    part = Part(file, scene, size, height, instances)
    if part.is_generated and not (len(instances) == 1 and instances[0].is_moved_only):
        raise ValueError(f"{name}: a generated world can be moved, once, but not turned or scaled")
    return part
