"""Runs on a small cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dask
import plain_loop
import pyarrow as pa
import pytest
from distributed import Client, LocalCluster
from faulty_server import FaultyServer
from killer import Killer

import syrinx_dask
from syrinx_dask import worker
from syrinx_dask.errors import OutputRefused, ProgramUnusable, TableUnreadable, UsageError
from syrinx_dask.progress import Summary

OPTIONS = ("--network-timeout", "2")


def _analyze(table: Any, output: Path | str, client: Client, program: str, **more: Any) -> Summary:
    more.setdefault("options", OPTIONS)
    return syrinx_dask.analyze(
        table, str(output), client=client, program=program, show=lambda summary, note: None, **more
    )


def test_a_result_is_that_of_a_plain_loop(tmp_path: Path, client: Client, program: str, server: FaultyServer) -> None:
    urls = server.urls(80)
    summary = _analyze(urls, tmp_path / "out", client, program)
    rows = plain_loop.read(str(tmp_path / "out"))
    expected = plain_loop.rows(program, urls, OPTIONS)
    assert [row["url"] for row in rows] == urls
    for row in rows:
        assert plain_loop.comparable(row) == expected[row["url"]]
        assert row["status"] == ("failed" if row["error_code"] else "ok")
    assert summary.done == 80
    assert summary.failed == sum(row["error_code"] is not None for row in rows)
    assert {row["error_code"] for row in rows} >= {None, "http.404", "media.notAudio"}
    assert any(row["warnings"] for row in rows)
    # A second run has nothing to do, and asks the server for nothing.
    requests = server.requests.total()
    assert _analyze(urls, tmp_path / "out", client, program).known == 80
    assert server.requests.total() == requests


def test_equal_inputs_keep_their_rows_and_columns(tmp_path: Path, client: Client, program: str, recording: str) -> None:
    table = pa.table({"id": [5, 6, 7], "link": [recording, recording, None]})
    _analyze(table, tmp_path / "out", client, program, column="link", prefix="x_")
    rows = plain_loop.read(str(tmp_path / "out"), "x_row")
    assert [(row["id"], row["link"], row["x_row"]) for row in rows] == [
        (5, recording, 0),
        (6, recording, 1),
        (7, None, 2),
    ]
    assert rows[0]["x_meter_integrated"] == rows[1]["x_meter_integrated"] is not None
    assert rows[2]["x_error_code"] == "usage.badInput"


def test_failed_rows_are_tried_again_when_asked(tmp_path: Path, client: Client, program: str, recording: str) -> None:
    later = tmp_path / "later.wav"
    table = [recording, str(later), str(tmp_path / "never.wav")]
    assert _analyze(table, tmp_path / "out", client, program).failed == 2
    later.write_bytes(Path(recording).read_bytes())
    assert _analyze(table, tmp_path / "out", client, program).done == 0
    summary = _analyze(table, tmp_path / "out", client, program, retry_failed=True)
    assert (summary.known, summary.done, summary.failed) == (1, 2, 1)
    assert [row["error_code"] for row in plain_loop.read(str(tmp_path / "out"))] == [None, None, "file.notFound"]


def test_other_options_and_tables_are_refused(tmp_path: Path, client: Client, program: str, recording: str) -> None:
    _analyze([recording], tmp_path / "out", client, program)
    with pytest.raises(OutputRefused, match=r'option analyze is \["--strict"\], and was'):
        _analyze([recording], tmp_path / "out", client, program, options=("--strict",))
    with pytest.raises(OutputRefused, match="table's rows is 2, and was 1"):
        _analyze([recording, recording], tmp_path / "out", client, program)


def test_wrong_arguments_end_the_run_and_leave_no_result(
    tmp_path: Path, client: Client, program: str, recording: str
) -> None:
    with pytest.raises(UsageError, match="--jobs=4"):
        _analyze([recording], tmp_path / "out", client, program, options=("--jobs=4",))
    with pytest.raises(UsageError, match="threads is 0"):
        _analyze([recording], tmp_path / "out", client, program, threads=0)
    with pytest.raises(ProgramUnusable, match="unknown option"):
        _analyze([recording], tmp_path / "out", client, program, options=("--bogus",))
    with pytest.raises(ProgramUnusable, match="inputs among its options"):
        _analyze([recording], tmp_path / "out", client, program, options=(recording,))
    with pytest.raises(TableUnreadable, match="a column 'row'"):
        _analyze(pa.table({"url": [recording], "row": [1]}), tmp_path / "out", client, program)
    with pytest.raises(ProgramUnusable, match="cannot be run"):
        _analyze([recording], tmp_path / "out", client, str(tmp_path / "nothing"))
    assert not list(tmp_path.glob("out/_syrinx.json"))


def test_an_input_that_ends_the_program_twice_is_marked(
    tmp_path: Path, client: Client, deadly: str, recording: str
) -> None:
    table = [recording, "deadly.wav", recording, recording]
    summary = _analyze(table, tmp_path / "out", client, deadly, batch=4)
    rows = plain_loop.read(str(tmp_path / "out"))
    assert [row["error_code"] for row in rows] == [None, "dask.programEnded", None, None]
    assert rows[1]["attempts"] == 2
    assert rows[1]["error_message"] == "syrinx ended by signal SIGSEGV: Fatal error: an index is out of range"
    assert summary.failed == 1


def test_an_input_that_is_never_answered_is_given_up(
    tmp_path: Path, client: Client, deadly: str, recording: str
) -> None:
    _analyze(["hanging.wav", recording], tmp_path / "out", client, deadly, item_timeout=2)
    assert [row["error_code"] for row in plain_loop.read(str(tmp_path / "out"))] == ["dask.timeout", None]


def test_an_input_that_ends_workers_is_reported(tmp_path: Path, deadly: str, recording: str) -> None:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1") as cluster,
        Client(cluster) as client,
    ):
        _analyze([recording, "fatal.wav", recording], tmp_path / "out", client, deadly, batch=3, retries=1)
    rows = plain_loop.read(str(tmp_path / "out"))
    assert [row["error_code"] for row in rows] == [None, "dask.workerDied", None]
    assert rows[1]["attempts"] == 2


def test_rows_survive_killed_workers_and_programs(
    tmp_path: Path, cluster: LocalCluster, client: Client, program: str, server: FaultyServer
) -> None:
    urls = [server.url(number, "slow") for number in range(24)]
    with Killer(cluster, seed=1, programs=0.6, workers=1.0, most_workers=2) as killer:
        _analyze(urls, tmp_path / "out", client, program, batch=4, retries=20)
    assert killer.killed_programs > 0
    assert killer.killed_workers > 0
    rows = plain_loop.read(str(tmp_path / "out"))
    expected = plain_loop.rows(program, urls, OPTIONS)
    assert [row["url"] for row in rows] == urls
    for row in rows:
        assert plain_loop.comparable(row) == expected[row["url"]]


def test_batches_under_way_are_bounded(tmp_path: Path, client: Client, program: str, recording: str) -> None:
    highest = 0
    submit = client.submit

    def counted(*args: Any, **keywords: Any) -> Any:
        nonlocal highest
        highest = max(highest, sum(key.startswith("syrinx-analyze") for key in client.futures))
        return submit(*args, **keywords)

    client.submit = counted
    _analyze([recording] * 100, tmp_path / "out", client, program, batch=1)
    # Two workers with two threads each have eight batches; one more is being submitted.
    assert 4 <= highest <= 9


def test_no_password_is_written_or_logged(
    tmp_path: Path, client: Client, program: str, server: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    urls = [server.url(number, kind, "anna:hidden@") for number, kind in enumerate(("good", "missing", "cut"))]
    table = pa.table({"url": urls, "page": urls})
    _analyze(table, tmp_path / "out", client, program)
    rows = plain_loop.read(str(tmp_path / "out"))
    assert rows[0]["url"] == rows[0]["page"] == urls[0].replace("hidden", "***")
    assert rows[0]["error_code"] is None
    for path in tmp_path.glob("out/**/*"):
        assert path.is_dir() or b"hidden" not in path.read_bytes()
    assert "hidden" not in json.dumps(rows)
    assert "hidden" not in caplog.text
    job = worker.Job(program, (), "", "", "s3://a:hidden@b", False, 1, 1)
    assert "hidden" not in repr((job, worker.Items((0,), (urls[0],))))


def test_waveforms_go_into_the_table(tmp_path: Path, client: Client, program: str, recording: str) -> None:
    _analyze([recording], tmp_path / "out", client, program, waveforms_in_table=True)
    row = plain_loop.read(str(tmp_path / "out"))[0]
    assert row["waveform"] is None
    # The header of audiowaveform's format: a version, and flags.
    assert int.from_bytes(row["waveform_data"][:4], "little") in (1, 2)


def test_waveforms_go_to_s3_and_so_does_the_result(
    tmp_path: Path, program: str, recording: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "id",
            "AWS_SECRET_ACCESS_KEY": "key",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="bucket")
        with (
            LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0", host="127.0.0.1") as cluster,
            Client(cluster) as client,
        ):
            for _ in range(2):
                table = [recording, recording]
                _analyze(table, "s3://bucket/out", client, program, waveforms="s3://bucket/peaks")
        rows = plain_loop.read("s3://bucket/out")
        assert [row["waveform"] for row in rows] == [f"s3://bucket/peaks/00000000{n}.dat" for n in range(2)]
        for n in range(2):
            assert s3.get_object(Bucket="bucket", Key=f"peaks/00000000{n}.dat")["Body"].read()[:1] in (b"\1", b"\2")
    finally:
        server.stop()
