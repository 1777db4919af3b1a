"""The command ``syrinx-dask``."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from distributed import Client

from syrinx_dask.api import analyze
from syrinx_dask.errors import SchedulerLost, SyrinxDaskError
from syrinx_dask.secrets import masked

_EXAMPLES = """\
examples:
  syrinx-dask analyze episodes.parquet measured/
  syrinx-dask analyze episodes.csv measured/ --column enclosure --waveforms s3://bucket/peaks
  syrinx-dask analyze episodes.csv measured/ --scheduler tcp://10.0.0.5:8786 --retry-failed
  syrinx-dask analyze episodes.csv measured/ -- --silence -50 --strict

What follows "--" goes to `syrinx analyze`.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="syrinx-dask", description="Measure whole catalogues with syrinx on Dask.")
    parser.add_argument("--version", action="version", version=f"syrinx-dask {version('syrinx-dask')}")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser(
        "analyze",
        help="analyze each row of a table",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("table", metavar="TABLE", help="Parquet, CSV, JSON lines, or text with one input a line")
    run.add_argument("output", metavar="OUTPUT", help="folder for the Parquet data set, a path or a URL of fsspec")
    run.add_argument("--column", default="url", help="column with paths or URLs (default: url)")
    run.add_argument("--prefix", default="", help="text before the names of the columns that are added")
    run.add_argument("--waveforms", metavar="FOLDER", help="folder for waveforms, a path or a URL of fsspec")
    run.add_argument("--waveforms-in-table", action="store_true", help="put waveforms into a column")
    run.add_argument("--retry-failed", action="store_true", help="try rows again that have failed")
    run.add_argument(
        "--retries", type=int, default=3, help="attempts after a worker or program was killed (default: 3)"
    )
    run.add_argument("--batch", type=int, help="items of a task (default: as many as take about a second)")
    run.add_argument(
        "--item-timeout",
        type=float,
        default=7200.0,
        help="seconds until an input is given up (default: 7200)",
    )
    run.add_argument("--program", default="syrinx", help="program on the workers (default: syrinx, on PATH)")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://host:8786")
    where.add_argument("--scheduler-file", metavar="FILE", help="file with the address of a Dask scheduler")
    where.add_argument("--workers", type=int, help="processes on this machine (default: one for each processor)")
    run.add_argument("--threads", type=int, default=1, help="threads of each process (default: 1)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 0, or 65 if the run has failed rows; see ``errors``."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    split = given.index("--") if "--" in given else len(given)
    parser = _parser()
    try:
        args = parser.parse_args(given[:split])
    except SystemExit as end:
        return 64 if end.code else 0
    # Messages of Dask about workers that come and go are its own; errors of ours are printed below.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    previous = signal.signal(signal.SIGTERM, _end)
    try:
        with _client(args) as client:
            summary = analyze(
                args.table,
                args.output,
                column=args.column,
                client=client,
                workers=args.workers,
                threads=args.threads,
                program=args.program,
                options=given[split + 1 :],
                prefix=args.prefix,
                waveforms=args.waveforms,
                waveforms_in_table=args.waveforms_in_table,
                retry_failed=args.retry_failed,
                retries=args.retries,
                batch=args.batch,
                item_timeout=args.item_timeout,
            )
    except SyrinxDaskError as error:
        print(f"syrinx-dask: {masked(str(error))}", file=sys.stderr)
        return error.exit_code
    except Exception as error:
        # Errors of file systems have no common type.
        print(f"syrinx-dask: {masked(str(error)) or type(error).__name__}", file=sys.stderr)
        return 74
    except KeyboardInterrupt:
        return 130
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        signal.signal(signal.SIGTERM, previous)
    return 65 if summary.failed else 0


@contextlib.contextmanager
def _client(args: argparse.Namespace) -> Iterator[Any]:
    """Connects to the scheduler that the arguments name; without one the run has a cluster of its own."""
    if args.scheduler is None and args.scheduler_file is None:
        yield None
        return
    if args.scheduler_file is not None and not os.path.exists(args.scheduler_file):
        raise SchedulerLost(f"{args.scheduler_file}: there is no such file of a scheduler")
    name = args.scheduler or args.scheduler_file
    try:
        client = Client(args.scheduler, scheduler_file=args.scheduler_file)
    except (OSError, ValueError) as error:
        raise SchedulerLost(f"{name}: there is no Dask scheduler: {error}") from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=2)


def _end(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
