"""Measures what Python adds: a batch of 100,000 paths against the same loop in Rust, and one call against one call.

``python bench/measure.py RUST_LOOP`` with the program that ``cargo build --profile quick --example rust_loop`` makes, and the package built
with the same profile. Prints JSON. Both are run in turn, and the best of some runs counts: other work on the machine only adds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time

import numpy as np

import wayfare


def main() -> None:
    level = wayfare.Level.scene("dungeon")
    mesh = wayfare.bake(level, wayfare.BakeSettings(tile_size=64))
    query = mesh.query()
    _, starts = query.random_places(100_000, 1)
    _, goals = query.random_places(100_000, 2)
    with tempfile.TemporaryDirectory() as folder:
        mesh.save(f"{folder}/mesh.way")
        np.concatenate([starts, goals], axis=1).astype("<f4").tofile(f"{folder}/pairs.bin")
        batch, single, rust_batch, rust_single = np.inf, np.inf, np.inf, np.inf
        pairs = [(tuple(map(float, start)), tuple(map(float, goal))) for start, goal in zip(starts[:2000], goals[:2000])]
        for _ in range(3):
            program = [sys.argv[1], f"{folder}/mesh.way", f"{folder}/pairs.bin"]
            rust = json.loads(subprocess.run(program, check=True, capture_output=True).stdout)
            rust_batch, rust_single = min(rust_batch, rust["batch_s"]), min(rust_single, rust["single_us"])
            for _ in range(5):
                began = time.perf_counter()
                query.find_paths(starts, goals)
                batch = min(batch, time.perf_counter() - began)
            find = mesh.find_path
            for _ in range(5):
                began = time.perf_counter()
                for start, goal in pairs:
                    find(start, goal)
                single = min(single, (time.perf_counter() - began) / len(pairs) * 1e6)
    told = {
        "polygons": mesh.poly_count,
        "batch_s": batch,
        "rust_batch_s": rust_batch,
        "batch_ratio": batch / rust_batch,
        "single_us": single,
        "rust_single_us": rust_single,
        "single_adds_us": single - rust_single,
    }
    print(json.dumps({key: round(value, 4) for key, value in told.items()}))


if __name__ == "__main__":
    main()
