"""Kills by chance."""

from __future__ import annotations

import os
import random
import signal
import threading

import psutil
from distributed import LocalCluster


class Killer:
    """Kills programs and worker processes of a cluster by chance, until it is left."""

    def __init__(
        self, cluster: LocalCluster, seed: int, programs: float, workers: float, most_workers: int = 1000
    ) -> None:
        """``programs`` and ``workers`` are the seconds between two kills of their kind."""
        self._most_workers = most_workers
        self._cluster = cluster
        self._random = random.Random(seed)
        self._every = {"program": programs, "worker": workers}
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._kill, args=(kind,)) for kind in self._every]
        self.killed_programs = 0
        self.killed_workers = 0

    def __enter__(self) -> Killer:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _kill(self, kind: str) -> None:
        while not self._over.wait(self._random.uniform(0.5, 1.5) * self._every[kind]):
            workers = self._workers()
            programs = [child for each in workers for child in _children(each) if child.name() == "syrinx"]
            victims = workers if kind == "worker" else programs
            if not victims or (kind == "worker" and self.killed_workers >= self._most_workers):
                continue
            try:
                os.kill(self._random.choice(victims).pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            self.killed_workers += kind == "worker"
            self.killed_programs += kind == "program"

    def _workers(self) -> list[psutil.Process]:
        found = []
        for nanny in list(self._cluster.workers.values()):
            process = nanny.process
            if process is not None and process.pid:
                try:
                    found.append(psutil.Process(process.pid))
                except psutil.NoSuchProcess:
                    continue
        return found


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []
