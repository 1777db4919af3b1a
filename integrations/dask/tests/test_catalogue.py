"""A catalogue of 10,000 items, which takes minutes: `make test-long`."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import plain_loop
import psutil
import pytest
from distributed import Client, LocalCluster
from faulty_server import FaultyServer, kind_of
from killer import Killer

import syrinx_dask
from syrinx_dask.progress import Summary

OPTIONS = ("--network-timeout", "2")

pytestmark = pytest.mark.long


def test_a_catalogue_survives_kills(tmp_path: Path, program: str, server: FaultyServer) -> None:
    urls = server.urls(10_000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=4, dashboard_address=":0", host="127.0.0.1") as cluster,
        Client(cluster) as client,
        Killer(cluster, seed=7, programs=1.0, workers=15.0) as killer,
    ):
        summary = syrinx_dask.analyze(
            urls, str(tmp_path / "out"), client=client, program=program, options=OPTIONS, retries=20
        )
    print(f"\n{summary}; {killer.killed_programs} programs and {killer.killed_workers} workers were killed")
    assert killer.killed_programs > 10
    assert killer.killed_workers > 3
    rows = plain_loop.read(str(tmp_path / "out"))
    assert [row["row"] for row in rows] == list(range(10_000))
    assert [row["url"] for row in rows] == urls
    assert any(row["attempts"] > 1 for row in rows)
    expected = plain_loop.rows(program, urls, OPTIONS, jobs=8)
    different = [
        (row["url"], plain_loop.comparable(row), expected[row["url"]])
        for row in rows
        if plain_loop.comparable(row) != expected[row["url"]]
    ]
    assert not different, f"{len(different)} rows differ: {different[:3]}"


def test_the_memory_of_workers_and_programs_is_flat(tmp_path: Path, program: str, server: FaultyServer) -> None:
    urls = [server.url(number) for number in range(30_000, 36_000) if kind_of(number) in ("good", "missing", "html")]
    sizes: list[tuple[int, int]] = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0", host="127.0.0.1") as cluster,
        Client(cluster) as client,
    ):
        workers = [psutil.Process(nanny.process.pid) for nanny in cluster.workers.values()]

        def look(summary: Summary, note: str) -> None:
            if summary.done >= len(sizes) * 20:
                programs = [child for worker in workers for child in worker.children() if child.name() == "syrinx"]
                if programs:
                    sizes.append(
                        (
                            max(worker.memory_info().rss for worker in workers),
                            max(child.memory_info().rss for child in programs),
                        )
                    )

        syrinx_dask.analyze(urls, str(tmp_path / "out"), client=client, program=program, show=look)
    for kind in (0, 1):
        series = [size[kind] / 2**20 for size in sizes]
        third = len(series) // 3
        early, late = median(series[third : 2 * third]), median(series[2 * third :])
        print(f"\n{('worker', 'program')[kind]}: {early:.1f} MiB in the second third, {late:.1f} MiB in the last")
        assert late < early * 1.1 + 4
