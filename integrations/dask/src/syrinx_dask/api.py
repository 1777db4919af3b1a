"""The function ``analyze``: checks its arguments, and runs a driver on a cluster."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from distributed import Client, LocalCluster

from syrinx_dask import table as tables
from syrinx_dask import worker
from syrinx_dask.driver import Driver
from syrinx_dask.errors import ProgramUnusable, SchedulerLost, TableUnreadable, UsageError
from syrinx_dask.output import Manifest, Output
from syrinx_dask.progress import Display, Summary
from syrinx_dask.schedule import BatchSizer
from syrinx_dask.secrets import masked
from syrinx_dask.storage import Folder

# Options of `syrinx analyze` that this package gives itself, or that make no sense here.
_OWN_OPTIONS = ("--jobs", "--waveforms", "--results", "--help", "-h", "--version", "-")


def analyze(
    table: tables.Source,
    output: str,
    *,
    column: str = "url",
    client: Client | None = None,
    workers: int | None = None,
    threads: int = 1,
    program: str = "syrinx",
    options: Sequence[str] = (),
    prefix: str = "",
    waveforms: str | None = None,
    waveforms_in_table: bool = False,
    retry_failed: bool = False,
    retries: int = 3,
    batch: int | None = None,
    item_timeout: float = 7200.0,
    show: Callable[[Summary, str], None] | None = None,
) -> Summary:
    """Analyzes each row of a table, and writes a Parquet data set with one row for each.

    Rows that the data set has are skipped, so that a second call completes what a first one began.

    Args:
        table: A path or URL of Parquet, CSV, JSON lines or text (one input a line), a list of inputs, or an
            Arrow table.
        output: A folder, as a path or a URL of fsspec. Only this process writes to it.
        column: The column with the inputs: paths, ``file:``, ``http:`` or ``https:`` URLs.
        client: The cluster to work on; by default a ``LocalCluster``, which ends with the call.
        workers: Processes of the ``LocalCluster``; by default one for each processor.
        threads: Threads of each of these, each with a ``syrinx`` of its own. More than one hides slow servers.
        program: The program ``syrinx`` on the workers, a path or a name on ``PATH``.
        options: Further options of ``syrinx analyze``. The fields that they add become columns.
        prefix: Text before the names of the columns that are added to those of the table.
        waveforms: A folder for waveforms, as a path or a URL of fsspec; their names are the numbers of rows.
        waveforms_in_table: Whether waveforms are put into the column ``waveform_data``.
        retry_failed: Whether rows that failed in an earlier call are tried again.
        retries: How often an item is tried again whose worker or program was killed.
        batch: Items of a task; by default as many as take about a second, and longer if there are many workers.
        item_timeout: Seconds after which an input without an answer is given up.
        show: Called with the numbers of the run; by default a line on standard error.

    Returns:
        The numbers of this run.

    Raises:
        SyrinxDaskError: One of its kinds, if the run cannot go on. Inputs that fail are rows of the result.
    """
    options = tuple(options)
    _check(options, workers, threads, retries, batch, item_timeout)
    job = worker.Job(
        os.path.abspath(program) if "/" in program else program,
        options,
        prefix,
        os.getcwd(),
        _absolute(waveforms),
        waveforms_in_table,
        item_timeout,
        retries,
    )
    opened = tables.read(table, column)
    columns = job.columns
    for name in opened.schema.names:
        if name in (*columns.schema.names, "status"):
            raise TableUnreadable(f"the table has a column {name!r}, as the result has; give a prefix for the result's")
    result = Output(output, columns.name("row"))
    if waveforms is not None:
        Folder(waveforms).make()
    display = Display()
    manifest = Manifest(
        {
            "digest": f"sha256:{opened.digest}",
            "rows": opened.rows,
            "column": column,
            "columns": {field.name: str(field.type) for field in opened.schema},
        },
        {
            "analyze": [masked(option) for option in options],
            "prefix": prefix,
            "waveforms": None if job.waveforms is None else masked(job.waveforms),
            "waveforms_in_table": waveforms_in_table,
        },
    )
    try:
        with result.locked():
            present = result.open(manifest, opened.rows, retry_failed=retry_failed)
            if all(present):
                summary = Summary(opened.rows, known=opened.rows)
            else:
                with _cluster(client, workers, threads) as running:
                    show_run = show or display.show
                    waiting = Summary(opened.rows, known=sum(present))
                    result.begin(manifest, _version(running, job, lambda: show_run(waiting, "no workers yet")))
                    driver = Driver(running, opened, result, job, BatchSizer(batch), show_run)
                    summary = driver.run(present)
        if show is None:
            display.show(summary, "", final=True)
    finally:
        display.end()
    return summary


def _check(
    options: tuple[str, ...],
    workers: int | None,
    threads: int,
    retries: int,
    batch: int | None,
    item_timeout: float,
) -> None:
    for option in options:
        if option.partition("=")[0] in _OWN_OPTIONS:
            raise UsageError(f"{option} cannot be passed on to syrinx analyze")
    for name, value, low, high in (
        ("workers", workers, 1, 1024),
        ("threads", threads, 1, 256),
        ("retries", retries, 0, 100),
        ("batch", batch, 1, 10_000),
        ("item_timeout", item_timeout, 1, 1e6),
    ):
        if value is not None and not low <= value <= high:
            raise UsageError(f"{name} is {value}, outside {low:g} … {high:g}")


def _absolute(folder: str | None) -> str | None:
    """Returns the folder's path from the root, because workers run elsewhere."""
    if folder is None:
        return None
    return Folder(folder).local_path or folder


@contextlib.contextmanager
def _cluster(client: Client | None, workers: int | None, threads: int) -> Iterator[Any]:
    if client is not None:
        yield client
        return
    with warnings.catch_warnings():
        # The port of the dashboard is taken: Dask takes another.
        warnings.filterwarnings("ignore", "Port .* is already in use", UserWarning)
        cluster = LocalCluster(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=threads,
            dashboard_address="127.0.0.1:8787",
            host="127.0.0.1",
        )
    with cluster, Client(cluster) as own:
        yield own


def _version(client: Client, job: worker.Job, show: Callable[[], None]) -> str:
    """Returns the version of the program on the first worker that is there, and waits for one."""
    future = client.submit(worker.check, job.program, job.options, pure=False)
    while not future.done() and client.status == "running":
        show()
        time.sleep(0.05)
    try:
        version, problem = future.result()
    except ImportError as error:
        raise ProgramUnusable(f"a worker lacks a Python package: {error}") from None
    except Exception as error:
        raise SchedulerLost(f"no worker answers: {masked(str(error)) or type(error).__name__}") from None
    if problem is not None:
        raise ProgramUnusable(problem)
    return str(version)
