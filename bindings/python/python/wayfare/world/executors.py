"""Who does the tasks: this process, or a Ray cluster. A task is a function and its arguments; both may be sent elsewhere."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Dict, Iterator, Optional, Protocol, Sequence, Tuple

Task = Tuple[Callable[..., Any], Tuple[Any, ...]]


class Executor(Protocol):
    """Does tasks, some at a time, and gives their answers as they come, each with the number of its task."""

    def run(self, tasks: Sequence[Task]) -> Iterator[Tuple[int, Any]]:
        """Raises what a task has raised once its retries are used up."""


class LocalExecutor:
    """One task after the other; each uses all threads of this machine."""

    def __init__(self, retries: int = 3) -> None:
        self.retries = retries

    def run(self, tasks: Sequence[Task]) -> Iterator[Tuple[int, Any]]:
        for number, (function, arguments) in enumerate(tasks):
            for left in range(self.retries, -1, -1):
                try:
                    answer = function(*arguments)
                except OSError:
                    # Object stores fail now and then.
                    if left == 0:
                        raise
                    time.sleep(0.1 * 2 ** (self.retries - left))
                else:
                    yield number, answer
                    break


class RayExecutor:
    """Tasks on a Ray cluster, one a core. A task whose worker died is done again elsewhere.

    ``address`` is that of a running cluster; without it, one is begun on this machine, with ``workers`` cores.
    """

    def __init__(
        self,
        address: Optional[str] = None,
        workers: Optional[int] = None,
        retries: int = 3,
        in_flight: Optional[int] = None,
        **init: Any,
    ) -> None:
        self.retries = retries
        try:
            import ray
        except ImportError:
            raise ImportError("a cluster needs the package ray: pip install 'wayfare[cluster]'") from None
        self.ray = ray
        if not ray.is_initialized():
            begin: Dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, **init}
            if address is not None:
                begin = {"address": address, **init}
            elif workers is not None:
                begin["num_cpus"] = workers
            ray.init(**begin)
        self.in_flight = in_flight

    def run(self, tasks: Sequence[Task]) -> Iterator[Tuple[int, Any]]:
        ray = self.ray
        remote = ray.remote(num_cpus=1, max_retries=self.retries, retry_exceptions=[OSError])(_on_worker)
        most = self.in_flight or max(2 * int(ray.cluster_resources().get("CPU", 1)), 2)
        waiting = list(enumerate(tasks))[::-1]
        running: Dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < most:
                    number, (function, arguments) = waiting.pop()
                    running[remote.remote(function, arguments)] = number
                done, _ = ray.wait(list(running), num_returns=1)
                for reference in done:
                    yield running.pop(reference), ray.get(reference)
        finally:
            for reference in running:
                ray.cancel(reference)


def _on_worker(function: Callable[..., Any], arguments: Tuple[Any, ...]) -> Any:
    # A worker has one core.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    return function(*arguments)
