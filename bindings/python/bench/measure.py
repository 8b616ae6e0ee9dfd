"""Measures what Python adds: a batch of paths against the same loop in Rust, and one call against one call.

``python bench/measure.py RUST_LOOP [COUNT]`` with the program that ``cargo build --profile quick --example rust_loop`` makes, and the package
built with the same profile. Processor time is compared, not the clock's, in turn, and the best of some runs counts: so other work on the
machine matters little. Prints JSON. With ``--count``, instructions are counted by valgrind instead, which no other work changes.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

import wayfare

Points = NDArray[np.float32]


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


def questions(count: int) -> Tuple[wayfare.NavMesh, Points, Points, Points]:
    """A mesh; starts and goals of paths across it; pairs of places 3 m apart."""
    mesh = wayfare.bake(wayfare.Level.scene("dungeon"), wayfare.BakeSettings(tile_size=64))
    query = mesh.query()
    _, starts = query.random_places(count, 1)
    _, goals = query.random_places(count, 2)
    near = np.concatenate([starts, query.move_along_many(starts, starts + np.float32([3, 0, 3]))[1]], axis=1)
    return mesh, starts, goals, near


def ask(folder: str, what: str, count: int) -> None:
    """What ``rust_loop`` does, here."""
    mesh = wayfare.NavMesh.load(f"{folder}/mesh.way")
    pairs = np.fromfile(f"{folder}/{'far' if what == 'batch' else 'near'}.bin", "<f4").reshape(-1, 6)[:count]
    if what == "batch":
        mesh.query().find_paths(pairs[:, :3].copy(), pairs[:, 3:].copy())
        return
    find = mesh.find_path
    for start, goal in [(tuple(row[:3]), tuple(row[3:])) for row in pairs.astype(float)]:
        find(start, goal)


def instructions(command: List[str]) -> int:
    """Those of a program on one thread."""
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    # Hashes of texts differ from run to run unless they have a seed.
    environment = {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONHASHSEED": "1"}
    ran = subprocess.run(counted, check=True, capture_output=True, text=True, env=environment)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    assert found, ran.stderr
    return int(found[1])


def count_instructions(program: str) -> None:
    """Prints instructions a path: the difference of two runs, in which all else is the same."""
    mesh, starts, goals, near = questions(3000)
    told: Dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        mesh.save(f"{folder}/mesh.way")
        np.concatenate([starts, goals], axis=1).astype("<f4").tofile(f"{folder}/far.bin")
        near.astype("<f4").tofile(f"{folder}/near.bin")
        for what, pairs in (("batch", "far"), ("single", "near")):
            for who, command in (
                ("python", [sys.executable, __file__, "--ask", folder, what]),
                ("rust", [program, f"{folder}/mesh.way", f"{folder}/{pairs}.bin", what]),
            ):
                counts = [instructions([*command, str(count)]) for count in (1000, 3000)]
                told[f"{who}_{what}"] = (counts[1] - counts[0]) / 2000
            told[f"{what}_ratio"] = round(told[f"python_{what}"] / told[f"rust_{what}"], 4)
    print(json.dumps(told))


def main() -> None:
    words = sys.argv[1:]
    if words[0] == "--ask":
        return ask(words[1], words[2], int(words[3]))
    if words[0] == "--count":
        return count_instructions(words[1])
    program, count = words[0], int(words[1]) if len(words) > 1 else 100_000
    mesh, starts, goals, near = questions(count)
    query, find = mesh.query(), mesh.find_path
    some = [(tuple(row[:3]), tuple(row[3:])) for row in near[:20_000].astype(float)]

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
