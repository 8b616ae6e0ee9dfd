"""``python -m wayfare.world``: bakes a described world, on this machine or on a Ray cluster."""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from typing import Any, List, Optional, Tuple, Type

from .. import AgentSettings, BakeSettings, Cancelled, WorldStoreError
from .executors import Executor, LocalExecutor, RayExecutor
from .run import bake


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m wayfare.world",
        description="Bakes a described world into a store in any file system, by tasks that are retried and resumed. "
        "The tiles are the bytes that `wayfare bake WORLD.toml -o STORE/` writes. What takes area types, connections or levels from options of "
        "that program is baked by it alone: --areas, --connections, --config, --strict, --up and --scale are not here.",
    )
    parser.add_argument("world", metavar="WORLD.toml", help="the description: a path or a URL; its files lie beside it")
    parser.add_argument("-o", "--output", required=True, metavar="STORE/", help="the store: a folder or a URL, as s3://bucket/world/")
    parser.add_argument("--work", metavar="FOLDER", help="where triangles are sorted; all workers must reach it [default: work/ in the store]")
    parser.add_argument("--block", type=int, default=32, metavar="TILES", help="side of the block of tiles that a task bakes [default: 32]")
    parser.add_argument("--retries", type=int, default=3, metavar="N", help="how often a task is done again that failed [default: 3]")
    parser.add_argument("--storage-options", type=json.loads, default={}, metavar="JSON", help="for fsspec, as '{\"endpoint_url\": \"...\"}'")
    parser.add_argument("--json", action="store_true", help="print what the bake came to as JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--no-levels", dest="levels", action="store_false", help="do not make the upper levels of the abstract graph")
    cluster = parser.add_argument_group("cluster")
    cluster.add_argument("--ray", nargs="?", const="local", metavar="ADDRESS", help="on a Ray cluster at an address, or one begun here")
    cluster.add_argument("--workers", type=int, metavar="N", help="cores of a cluster that is begun here: with --ray, without an address [default: all]")
    settings = parser.add_argument_group("settings, as of `wayfare bake`")
    usual = BakeSettings()
    for name, kind in [
        ("cell-size", float),
        ("cell-height", float),
        ("region-min-size", int),
        ("region-merge-size", int),
        ("edge-max-len", float),
        ("edge-max-error", float),
        ("verts-per-poly", int),
        ("detail-sample-dist", float),
        ("detail-sample-max-error", float),
    ]:
        default = getattr(usual, name.replace("-", "_"))
        settings.add_argument(f"--{name}", type=kind, default=default, metavar="N", help=f"[default: {default:g}]")
    settings.add_argument("--tile-size", type=int, default=64, metavar="CELLS", help="[default: 64]")
    for name, default in [("height", 2.0), ("radius", 0.6), ("max-climb", 0.9), ("max-slope", 45.0), ("max-drop", 0.0)]:
        settings.add_argument(f"--agent-{name}", type=float, default=default, metavar="N", help=f"[default: {default:g}]")
    settings.add_argument("--bounds", type=float, nargs=6, metavar="N", help="the box that is baked: low and high corner [default: all]")
    for name in ["low-hanging", "ledges", "low-height"]:
        settings.add_argument(f"--no-filter-{name}", action="store_true")
    settings.add_argument("--erosion", default="chamfer", choices=["chamfer", "euclidean"])
    settings.add_argument("--partition", default="watershed", choices=["watershed", "monotone", "layers"])
    return parser


def _settings(options: argparse.Namespace) -> BakeSettings:
    agent = AgentSettings(
        options.agent_height,
        options.agent_radius,
        options.agent_max_climb,
        math.radians(options.agent_max_slope),
        options.agent_max_drop,
    )
    filters: Any = {
        "filter_low_hanging_obstacles": not options.no_filter_low_hanging,
        "filter_ledges": not options.no_filter_ledges,
        "filter_low_height": not options.no_filter_low_height,
    }
    bounds = options.bounds and (tuple(options.bounds[:3]), tuple(options.bounds[3:]))
    names = [name for name in BakeSettings.__dataclass_fields__ if hasattr(options, name) and name != "bounds"]
    return BakeSettings(agent, bounds=bounds, **filters, **{name: getattr(options, name) for name in names})


def _executor(options: argparse.Namespace) -> Executor:
    if options.ray is None:
        return LocalExecutor(options.retries)
    address = None if options.ray == "local" else options.ray
    return RayExecutor(address, options.workers, options.retries)


def _cluster_errors(options: argparse.Namespace) -> Tuple[Type[BaseException], ...]:
    """What a cluster raises of its own: a worker that died too often, a cluster that went away."""
    if options.ray is None:
        return ()
    try:
        from ray.exceptions import RayError  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return ()
    return (RayError,)


def main(arguments: Optional[List[str]] = None) -> int:
    """The command; returns its exit status."""
    parser = _options()
    options = parser.parse_args(arguments)
    if options.workers is not None and options.ray != "local":
        parser.error("--workers is for a cluster that is begun here: give --ray without an address")

    def tell(stage: str, done: int, total: int) -> None:
        if not options.quiet:
            end = "\n" if done == total else ""
            print(f"\r{stage}: {done} of {total}", end=end, file=sys.stderr, flush=True)

    extra: Any = {
        "work": options.work,
        "block": options.block,
        "levels": options.levels,
        "storage_options": options.storage_options,
    }
    failures: Tuple[Type[BaseException], ...] = (OSError, ValueError, ImportError, Cancelled, WorldStoreError)
    failures += _cluster_errors(options)
    try:
        settings = _settings(options)
        baked = bake(options.world, options.output, settings, executor=_executor(options), progress=tell, **extra)
    except KeyboardInterrupt:
        print("\ninterrupted: run the same command again, and it goes on", file=sys.stderr)
        return 130
    except failures as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for note in baked.notes:
        print(f"note: {note}", file=sys.stderr)
    for kind, times in baked.warnings.items():
        print(f"warning: {kind}, {times} times", file=sys.stderr)
    if options.json:
        print(json.dumps(asdict(baked)))
    else:
        rate = baked.tiles / baked.seconds if baked.seconds > 0 else math.inf
        print(f"{baked.tiles} tiles in {baked.seconds:.1f} s ({rate:.1f} a second), digest {baked.digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
