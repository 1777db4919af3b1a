"""The command ``syrinx-dask``, as a process."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import plain_loop
import psutil
import pyarrow.parquet as pq
import pytest
from faulty_server import FaultyServer


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "syrinx_dask", *arguments]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(_command(*arguments), capture_output=True, text=True, check=False)


@contextlib.contextmanager
def _process(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    """Kills a process and its children."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    process.kill()
    process.wait()


@contextlib.contextmanager
def _cluster(file: Path) -> Iterator[subprocess.Popen[str]]:
    """A scheduler and two workers as processes of their own; yields the scheduler."""
    dask = [sys.executable, "-m", "dask"]
    where = ["--scheduler-file", str(file)]
    with (
        _process(
            [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0", *where]
        ) as scheduler,
        _process([*dask, "worker", "--nworkers", "2", "--nthreads", "2", "--dashboard-address", ":0", *where]),
    ):
        _wait(file.exists)
        yield scheduler


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end, "it has not come within ten minutes"
        time.sleep(0.05)


def test_a_table_is_analyzed_on_this_machine(tmp_path: Path, program: str, recording: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"id,link\n1,{recording}\n2,{tmp_path}/none.wav\n")
    output = str(tmp_path / "out")
    result = _run(
        "analyze",
        str(table),
        output,
        "--column",
        "link",
        "--program",
        program,
        "--workers",
        "1",
        "--",
        "--silence",
        "-50",
    )
    assert result.returncode == 65, result.stderr
    assert "2 of 2, 1 failed" in result.stderr
    rows = plain_loop.read(output)
    assert [(row["id"], row["error_code"]) for row in rows] == [("1", None), ("2", "file.notFound")]
    again = _run("analyze", str(table), output, "--column", "link", "--program", program)
    assert again.returncode == 64
    assert 'option analyze is [], and was ["--silence", "-50"]' in again.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--help"], 0),
        (["analyze"], 64),
        (["analyze", "nothing.parquet", "out"], 65),
        (["analyze", "nothing.parquet", "out", "--scheduler", "tcp://127.0.0.1:9"], 69),
        (["analyze", "nothing.parquet", "out", "--scheduler-file", "nothing.json"], 69),
    ],
)
def test_exit_codes(arguments: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    assert _run(*arguments).returncode == code


def _kill_a_scheduler(tmp_path: Path, program: str, server: FaultyServer, urls: Sequence[str], after: int) -> None:
    """Kills the scheduler of a run after some requests, and looks whether a second run completes the output."""
    table = tmp_path / "table.txt"
    table.write_text("\n".join(urls))
    output = str(tmp_path / "out")
    file = tmp_path / "scheduler.json"
    where = ["--scheduler-file", str(file), "--program", program]
    command = ["analyze", str(table), output, *where, "--batch", "2", "--", "--network-timeout", "2"]
    before = server.requests.total()
    with _cluster(file) as scheduler, _process(_command(*command)) as run:
        _wait(lambda: server.requests.total() >= before + after)
        scheduler.send_signal(signal.SIGKILL)
        _, messages = run.communicate(timeout=60)
    assert run.returncode == 69
    assert messages.splitlines()[-1].startswith("syrinx-dask: the connection to Dask's scheduler is lost")
    count = pq.read_table(output).num_rows
    assert 0 < count < len(urls)
    file.unlink()
    with _cluster(file):
        result = _run(*command)
    assert result.returncode in (0, 65), result.stderr
    assert f"{count:,} known before" in result.stderr
    rows = plain_loop.read(output)
    assert [row["url"] for row in rows] == list(urls)
    expected = plain_loop.rows(program, urls, ("--network-timeout", "2"), jobs=8)
    assert [plain_loop.comparable(row) for row in rows] == [expected[url] for url in urls]


def test_a_second_run_completes_what_a_killed_scheduler_ended(
    tmp_path: Path, program: str, server: FaultyServer
) -> None:
    urls = [server.url(number, "slow") for number in range(1000, 1024)]
    _kill_a_scheduler(tmp_path, program, server, urls, after=10)


@pytest.mark.long
def test_a_second_run_completes_a_catalogue(tmp_path: Path, program: str, server: FaultyServer) -> None:
    urls = [server.url(number) for number in range(20_000, 30_000)]
    _kill_a_scheduler(tmp_path, program, server, urls, after=3000)


def test_an_ended_run_keeps_its_rows(tmp_path: Path, program: str, server: FaultyServer) -> None:
    urls = [server.url(number, "slow") for number in range(2000, 2020)]
    table = tmp_path / "table.txt"
    table.write_text("\n".join(urls))
    command = ["analyze", str(table), str(tmp_path / "out"), "--workers", "2", "--program", program, "--batch", "1"]
    with _process(_command(*command)) as run:
        _wait(lambda: sum(path.startswith("/slow/20") for path in server.requests) >= 6)
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
    assert run.returncode == 143
    count = pq.read_table(tmp_path / "out").num_rows
    assert 0 < count < 20
    result = _run(*command)
    assert result.returncode == 0, result.stderr
    assert f"{count} known before" in result.stderr
    assert [row["url"] for row in plain_loop.read(str(tmp_path / "out"))] == urls
