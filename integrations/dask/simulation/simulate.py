"""Says what limits 10, 100 and 1,000 workers, and which size of batches follows from it.

python simulate.py             simulates with the costs below, which were measured
python simulate.py --measure   measures the costs of this machine first, in a minute

The model: a driver and a scheduler that each do one thing at a time, workers with one thread each, an object store
with a rate of requests and a line. Batches go driver, scheduler, worker, scheduler, driver, as they do in Dask.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from syrinx_dask.schedule import BATCHES_PER_THREAD, BatchSizer


@dataclass(frozen=True)
class Costs:
    """Seconds of processor time of the two processes that do not become more with the cluster."""

    driver_task: float = 0.0031
    driver_row: float = 0.00008
    scheduler_task: float = 0.0020


@dataclass(frozen=True)
class Kind:
    """A kind of catalogue: seconds of work for an item, and bytes that it reads."""

    name: str
    seconds: float
    size: float


# Loudness, true peak and silences at the 5.4 s of processor time for an hour of MP3 that were measured.
KINDS = (Kind("clip of 5 s", 0.012, 80e3), Kind("song of 4 min", 0.36, 3.8e6), Kind("episode of 1 h", 5.4, 57.6e6))
WORKERS = (10, 100, 1000)
BATCHES = (1, 4, 16, 64, 256)
_ROW_BYTES = 3000

# Amazon's guidance for a prefix of a bucket, and a line of 100 Gbit/s.
REQUESTS_PER_SECOND = 5500.0
BYTES_PER_SECOND = 12.5e9
LATENCY = 0.0005


@dataclass
class Server:
    """A resource that does one thing at a time."""

    free: float = 0.0
    busy: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Takes up the resource, and returns when it is done."""
        self.free = max(now, self.free) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Outcome:
    """The share of its time that each part is busy."""

    shares: dict[str, float] = field(default_factory=dict)

    @property
    def limit(self) -> str:
        """The part that is busiest."""
        return max(self.shares, key=lambda name: self.shares[name])


def simulate(kind: Kind, workers: int, batch: int, costs: Costs, seed: int = 1) -> Outcome:
    """Runs a catalogue without end until each worker could have done 20 batches, or for a minute if that is longer."""
    # The sum of the logarithmically normal times of a batch's items, by its mean and spread.
    spread = math.sqrt(math.log(1 + (math.exp(0.25) - 1) / batch))
    center = math.log(kind.seconds * batch) - spread**2 / 2
    chance = random.Random(seed)
    horizon = max(60.0, 20 * kind.seconds * batch)
    driver, scheduler, requests, line = Server(), Server(), Server(), Server()
    events: list[tuple[float, int, Callable[[float], None]]] = []
    numbers = itertools.count()
    idle = workers
    queued: deque[float] = deque()
    worked = 0.0

    def at(time: float, action: Callable[[float], None]) -> None:
        heapq.heappush(events, (time, next(numbers), action))

    def submit(now: float) -> None:
        at(driver.serve(now, costs.driver_task / 2) + LATENCY, arrive)

    def arrive(now: float) -> None:
        at(scheduler.serve(now, costs.scheduler_task / 2), schedule)

    def schedule(now: float) -> None:
        queued.append(now)
        hand_out(now)

    def hand_out(now: float) -> None:
        nonlocal idle
        while idle and queued:
            queued.popleft()
            idle -= 1
            at(now + LATENCY, work)

    def work(now: float) -> None:
        nonlocal worked
        seconds = chance.lognormvariate(center, spread)
        fetched = max(
            requests.serve(now, batch / REQUESTS_PER_SECOND), line.serve(now, kind.size * batch / BYTES_PER_SECOND)
        )
        worked += min(seconds, max(0.0, horizon - now))
        at(max(now + seconds, fetched) + LATENCY, finish)

    def finish(now: float) -> None:
        at(scheduler.serve(now, costs.scheduler_task / 2), release)

    def release(now: float) -> None:
        nonlocal idle
        idle += 1
        hand_out(now)
        at(now + LATENCY, receive)

    def receive(now: float) -> None:
        at(driver.serve(now, costs.driver_task / 2 + costs.driver_row * batch), submit)

    for _ in range(workers * BATCHES_PER_THREAD):
        at(0.0, submit)
    while events and events[0][0] < horizon:
        now, _, action = heapq.heappop(events)
        action(now)
    servers = {"driver": driver, "scheduler": scheduler, "requests": requests, "line": line}
    shares = {name: min(1.0, server.busy / horizon) for name, server in servers.items()}
    return Outcome({"workers": min(1.0, worked / workers / horizon), **shares})


def report(costs: Costs) -> None:
    """Prints a table for each kind of catalogue, up to the batch with which the workers are 95 % busy."""
    print(
        f"driver {costs.driver_task * 1e3:.2f} ms a task and {costs.driver_row * 1e3:.3f} ms a row, "
        f"scheduler {costs.scheduler_task * 1e3:.2f} ms a task"
    )
    for kind in KINDS:
        print(f"\n### {kind.name}: {kind.seconds:g} s, {kind.size / 1e6:g} MB\n")
        print("| workers | batch | seconds | workers busy | driver | scheduler | requests | line | limit |")
        print("|---|---|---|---|---|---|---|---|---|")
        for workers in WORKERS:
            chosen = BatchSizer()
            chosen.learn(1, kind.seconds, _ROW_BYTES)
            default = chosen.size(workers)
            for batch in sorted({*BATCHES, default}):
                outcome = simulate(kind, workers, batch, costs)
                shares = " | ".join(f"{share:.0%}" for share in outcome.shares.values())
                seconds = kind.seconds * batch
                mark = " (default)" if batch == default else ""
                print(f"| {workers} | {batch}{mark} | {seconds:.3g} | {shares} | {outcome.limit} |")
                if batch >= default and (outcome.shares["workers"] >= 0.95 or seconds > 10):
                    break


def measure(rows: int = 3000) -> Costs:
    """Measures the costs with a program that answers at once: with batches of one row, and of 30."""
    import psutil
    from distributed import Client
    from measuring import answering_program, separate_cluster

    import syrinx_dask

    used: list[tuple[float, float]] = []
    with (
        answering_program() as (program, folder),
        separate_cluster() as (address, scheduler),
        Client(address) as client,
    ):
        for batch in (30, 1, 30):
            before = psutil.Process().cpu_times(), scheduler.cpu_times()
            syrinx_dask.analyze(
                [f"{n}.wav" for n in range(rows)],
                f"{folder}/out-{len(used)}",
                client=client,
                program=program,
                batch=batch,
                show=lambda summary, note: None,
            )
            after = psutil.Process().cpu_times(), scheduler.cpu_times()
            seconds = [sum(late[:2]) - sum(early[:2]) for early, late in zip(before, after, strict=True)]
            used.append((seconds[0], seconds[1]))
    # The first run warms up. Between the others lie the tasks: `rows` of them, and a thirtieth.
    tasks = rows - rows / 30
    driver_task, scheduler_task = ((used[1][n] - used[2][n]) / tasks for n in (0, 1))
    driver_row = max(0.0, used[2][0] / rows - driver_task / 30)
    return Costs(driver_task, driver_row, scheduler_task)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure the costs of this machine")
    report(measure() if parser.parse_args().measure else Costs())
