"""Measures what Python adds: a batch of paths against the same loop in Rust, and one call against one call.

``bench/run`` calls it. Processor time is compared, not the clock's, in turn, and the best of some runs counts: so other work on the machine
matters little. With ``--count``, instructions are counted by valgrind instead, which no other work changes. With ``--json``, prints the rows
as the comparison with peers takes them. Fails if a batch takes more than 1.1 times as long, or a call 1 µs more.
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
from typing import Any, Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

import wayfare

#: What is asked, and of how many questions: paths across a dungeon all at once, and paths over 3 m one call after the other.
WORK = {"batch": ("a path across the dungeon, in a batch", 100_000), "single": ("a path over 3 m, one call", 20_000)}
ROUNDS = 3
PEER = "the same loop in Rust"


def prepare(folder: str) -> None:
    """Writes a mesh, and the questions of each kind of work."""
    count = max(count for _, count in WORK.values())
    mesh = wayfare.bake(wayfare.Level.scene("dungeon"), wayfare.BakeSettings(tile_size=64))
    mesh.save(f"{folder}/mesh.way")
    query = mesh.query()
    _, starts = query.random_places(count, 1)
    _, goals = query.random_places(count, 2)
    _, near = query.move_along_many(starts, starts + np.float32([3, 0, 3]))
    for what, ends in (("batch", goals), ("single", near)):
        np.concatenate([starts, ends], axis=1).astype("<f4").tofile(f"{folder}/{what}.bin")


def read(folder: str, what: str) -> Tuple[wayfare.NavMesh, NDArray[np.float32]]:
    return wayfare.NavMesh.load(f"{folder}/mesh.way"), np.fromfile(f"{folder}/{what}.bin", "<f4").reshape(-1, 6)


def ask(folder: str, what: str, count: int) -> Tuple[float, float]:
    """What the program in Rust does, here: processor seconds of all threads, and the sum of the lengths.

    All questions are made ready, however many are asked: so counts of instructions differ by the asking alone.
    """
    mesh, pairs = read(folder, what)
    if what == "batch":
        query, starts, goals = mesh.query(), pairs[:count, :3].copy(), pairs[:count, 3:].copy()
        began = time.process_time()
        paths = query.find_paths(starts, goals)
        seconds = time.process_time() - began
        return seconds, float(paths.lengths.sum(dtype=np.float64))
    find = mesh.find_path
    points = [(tuple(row[:3]), tuple(row[3:])) for row in pairs[: WORK[what][1]].tolist()][:count]
    began = time.process_time()
    length = sum(find(start, goal).length for start, goal in points)
    return time.process_time() - began, length


def ask_rust(program: str, folder: str, what: str, count: int) -> Tuple[float, float]:
    """The same of the program: reading, which a second run does alone, is taken off."""

    def run(work: str) -> Tuple[float, str]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(rust(program, folder, what, work, count), check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ran.stdout

    seconds, told = run(what)
    return seconds - run("nothing")[0], float(told)


def rust(program: str, folder: str, what: str, work: str, count: int) -> List[str]:
    return [program, f"{folder}/mesh.way", f"{folder}/{what}.bin", work, str(count)]


def instructions(command: List[str]) -> int:
    """Those of a program on one thread."""
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    # Hashes of texts differ from run to run unless they have a seed.
    environment = {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONHASHSEED": "1"}
    ran = subprocess.run(counted, check=True, capture_output=True, text=True, env=environment)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    assert found, ran.stderr
    return int(found[1])


def counted(program: str, folder: str) -> List[Dict[str, Any]]:
    """Instructions a path: the difference of two runs, in which all else is the same."""
    few, many = 1000, 3000
    rows = []
    for what, (work, _) in WORK.items():
        here = [instructions([sys.executable, __file__, "--ask", folder, what, str(count)]) for count in (few, many)]
        there = [instructions(rust(program, folder, what, what, count)) for count in (few, many)]
        ours, theirs = ((counts[1] - counts[0]) / (many - few) for counts in (here, there))
        rows.append(row(work, ours, theirs, "instructions", [1.0, 1.0]))
    return rows


def timed(program: str, folder: str) -> List[Dict[str, Any]]:
    rows = []
    for what, (work, count) in WORK.items():
        here, there = [], []
        for _ in range(ROUNDS):
            there.append(ask_rust(program, folder, what, count))
            here.append(ask(folder, what, count))
        ours, theirs = (min(seconds for seconds, _ in runs) * 1e6 / count for runs in (here, there))
        rows.append(row(work, ours, theirs, "µs", [here[0][1], there[0][1]]))
    return rows


def row(work: str, ours: float, theirs: float, unit: str, lengths: List[float]) -> Dict[str, Any]:
    note = f"{ours / theirs:.3f} times, {ours - theirs:.2f} {unit} more"
    agrees = bool(np.isclose(lengths[0], lengths[1], rtol=1e-6))
    return {"work": work, "peer": PEER, "ours": ours, "theirs": theirs, "unit": unit, "agrees": agrees, "note": note}


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["--ask"]:
        ask(words[1], words[2], int(words[3]))
        return 0
    program = words[0]
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        rows = (counted if "--count" in words else timed)(program, folder)
    if "--json" in words:
        print(json.dumps(rows))
        return 0
    for one in rows:
        print(f"{one['work']}: {one['ours']:.2f} {one['unit']}, in Rust {one['theirs']:.2f}: {one['note']}")
    if "--count" in words:
        return 0
    batch, single = rows
    return int(batch["ours"] > 1.1 * batch["theirs"] or single["ours"] > single["theirs"] + 1 or not all(r["agrees"] for r in rows))


if __name__ == "__main__":
    sys.exit(main())
