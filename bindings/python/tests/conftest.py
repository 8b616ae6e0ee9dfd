"""Levels that the tests share."""

from __future__ import annotations

import numpy as np
import pytest

import wayfare


def ground(size: float = 20.0) -> wayfare.Level:
    """A square."""
    vertices = np.array([[0, 0, 0], [0, 0, size], [size, 0, size], [size, 0, 0]], dtype=np.float32)
    return wayfare.Level(vertices, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))


def walled(size: float = 40.0) -> wayfare.Level:
    """A square with a wall across, open at both ends."""
    half = size / 2
    wall = [[5, 0, half], [size - 5, 0, half], [size - 5, 3, half], [5, 3, half]]
    vertices = np.array([[0, 0, 0], [0, 0, size], [size, 0, size], [size, 0, 0], *wall], dtype=np.float32)
    return wayfare.Level(vertices, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])


@pytest.fixture(scope="session")
def level() -> wayfare.Level:
    return walled()


@pytest.fixture(scope="session")
def settings() -> wayfare.BakeSettings:
    return wayfare.BakeSettings(tile_size=32)


@pytest.fixture
def mesh(level: wayfare.Level, settings: wayfare.BakeSettings) -> wayfare.NavMesh:
    return wayfare.bake(level, settings)
