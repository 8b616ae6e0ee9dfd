"""Worlds that one machine bakes too slowly: a world description baked by many, into a store in any file system.

``python -m wayfare.world world.toml -o s3://bucket/world/ --ray`` is the command; ``bake`` is what it calls. Files are the truth: what is
written is never done again, by whichever machine, and the tiles are the bytes that ``wayfare bake world.toml -o world/`` writes.
"""

from .description import Description, Instance, Part, parse
from .executors import Executor, LocalExecutor, RayExecutor
from .run import Baked, bake

__all__ = [
    "Baked",
    "Description",
    "Executor",
    "Instance",
    "LocalExecutor",
    "Part",
    "RayExecutor",
    "bake",
    "parse",
]
