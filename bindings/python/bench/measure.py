"""Measures what Python adds: a batch of paths against the same loop in Rust, and one call against one call.

``python bench/measure.py RUST_LOOP [COUNT]`` with the program that ``cargo build --profile quick --example rust_loop`` makes, and the package
built with the same profile. Processor time is compared, not the clock's, in turn, and the best of some runs counts: so other work on the
machine matters little. Prints JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from typing import Callable

import numpy as np

import wayfare


def rust(program: str, folder: str, pairs: str, what: str) -> float:
    """Processor seconds of the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, f"{folder}/mesh.way", f"{folder}/{pairs}.bin", what], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def python(work: Callable[[], object]) -> float:
    """Processor seconds of this process, all threads."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    mesh = wayfare.bake(wayfare.Level.scene("dungeon"), wayfare.BakeSettings(tile_size=64))
    query = mesh.query()
    _, starts = query.random_places(count, 1)
    _, goals = query.random_places(count, 2)
    near = np.concatenate([starts, query.move_along_many(starts, starts + np.float32([3, 0, 3]))[1]], axis=1)
    some = [(tuple(row[:3]), tuple(row[3:])) for row in near[:20_000].astype(float)]
    find = mesh.find_path

    def singles() -> None:
        for start, goal in some:
            find(start, goal)

    best = {name: np.inf for name in ("batch", "rust_batch", "single", "rust_single")}
    with tempfile.TemporaryDirectory() as folder:
        mesh.save(f"{folder}/mesh.way")
        np.concatenate([starts, goals], axis=1).astype("<f4").tofile(f"{folder}/far.bin")
        near[:20_000].astype("<f4").tofile(f"{folder}/near.bin")
        for _ in range(3):
            nothing = {pairs: rust(program, folder, pairs, "nothing") for pairs in ("far", "near")}
            best["rust_batch"] = min(best["rust_batch"], rust(program, folder, "far", "batch") - nothing["far"])
            best["batch"] = min(best["batch"], python(lambda: query.find_paths(starts, goals)))
            best["rust_single"] = min(best["rust_single"], rust(program, folder, "near", "single") - nothing["near"])
            best["single"] = min(best["single"], python(singles))
    calls = len(some) / 1e6
    told = {
        "paths": count,
        "batch_s": best["batch"],
        "rust_batch_s": best["rust_batch"],
        "batch_ratio": best["batch"] / best["rust_batch"],
        "single_us": best["single"] / calls,
        "rust_single_us": best["rust_single"] / calls,
        "single_adds_us": (best["single"] - best["rust_single"]) / calls,
    }
    print(json.dumps({key: round(value, 4) for key, value in told.items()}))


if __name__ == "__main__":
    main()
