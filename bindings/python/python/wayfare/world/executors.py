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


def _checked(retries: int) -> int:
    if retries < 0:
        raise ValueError(f"retries is {retries}, but must be 0 or more")
    return retries


class LocalExecutor:
    """One task after the other; each uses all threads of this machine."""

    def __init__(self, retries: int = 3) -> None:
        self.retries = _checked(retries)

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

    ``address`` is that of a running cluster; without it, one is begun on this machine, with ``workers`` cores. If this process has a
    cluster already, it is used: then neither may be given.
    """

    def __init__(
        self,
        address: Optional[str] = None,
        workers: Optional[int] = None,
        retries: int = 3,
        in_flight: Optional[int] = None,
        **init: Any,
    ) -> None:
        self.retries = _checked(retries)
        if address is not None and workers is not None:
            raise ValueError("workers are those of a cluster that is begun here: the one at an address has its own")
        try:
            import ray
        except ImportError:
            raise ImportError("a cluster needs the package ray: pip install ray") from None
        self.ray = ray
        if not ray.is_initialized():
            begin: Dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, **init}
            if address is not None:
                begin = {"address": address, **init}
            elif workers is not None:
                begin["num_cpus"] = workers
            ray.init(**begin)
        elif address is not None or workers is not None or init:
            raise ValueError("this process is in a Ray cluster already: leave out what one is begun with, or call ray.shutdown() first")
        self.in_flight = in_flight

    def run(self, tasks: Sequence[Task]) -> Iterator[Tuple[int, Any]]:
        ray = self.ray
        remote = ray.remote(num_cpus=1, max_retries=self.retries, retry_exceptions=[OSError])(_on_worker)
        most = self.in_flight or max(2 * int(ray.cluster_resources().get("CPU", 1)), 2)
        sent = _SentOnce(ray, tasks)
        waiting = list(enumerate(tasks))[::-1]
        running: Dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < most:
                    number, (function, arguments) = waiting.pop()
                    running[remote.remote(function, *map(sent, arguments))] = number
                done, _ = ray.wait(list(running), num_returns=1)
                for reference in done:
                    yield running.pop(reference), ray.get(reference)
        finally:
            for reference in running:
                ray.cancel(reference)


class _SentOnce:
    """An object that several tasks are given goes to the cluster's store once, and from there to each worker."""

    def __init__(self, ray: Any, tasks: Sequence[Task]) -> None:
        self._ray = ray
        self._uses: Dict[int, int] = {}
        self._sent: Dict[int, Any] = {}
        for _, arguments in tasks:
            for one in arguments:
                self._uses[id(one)] = self._uses.get(id(one), 0) + 1

    def __call__(self, one: Any) -> Any:
        if self._uses[id(one)] < 2 or isinstance(one, (bool, int, float, str, bytes, type(None))):
            return one
        if id(one) not in self._sent:
            self._sent[id(one)] = self._ray.put(one)
        return self._sent[id(one)]


def _on_worker(function: Callable[..., Any], *arguments: Any) -> Any:
    # A worker has one core.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    return function(*arguments)
