"""Tables that are read, and data sets that are written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from syrinx_dask import table as tables
from syrinx_dask.errors import OutputRefused, TableUnreadable
from syrinx_dask.output import Manifest, Output
from syrinx_dask.storage import Folder

ROWS = [{"id": "007", "url": "a.wav"}, {"id": "8", "url": "b, c.wav"}]


def _rows(table: tables.Table) -> list[tuple[int, dict[str, str]]]:
    return [(start + index, row) for start, batch in table.batches() for index, row in enumerate(batch.to_pylist())]


def test_all_kinds_of_tables_hold_the_same_rows(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text('id,url\n007,a.wav\n8,"b, c.wav"\n')
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(b"id\turl\n007\ta.wav\n8\tb, c.wav\n"))
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    for name in ("t.parquet", "t.csv", "t.tsv.gz", "t.jsonl"):
        table = tables.read(str(tmp_path / name), "url")
        assert table.rows == 2
        assert _rows(table) == list(enumerate(ROWS)), name


def test_lists_are_tables_of_one_column(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("a.wav\n\nb, c.wav\n")
    expected = [(0, {"url": "a.wav"}), (1, {"url": "b, c.wav"})]
    assert _rows(tables.read(str(tmp_path / "list.txt"), "url")) == expected
    assert _rows(tables.read(["a.wav", "b, c.wav"], "url")) == expected


def test_rows_are_numbered_across_pieces(tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": [f"{n}.wav" for n in range(10_000)]}), tmp_path / "t.parquet")
    rows = _rows(tables.read(str(tmp_path / "t.parquet"), "url"))
    assert all(row == (n, {"url": f"{n}.wav"}) for n, row in enumerate(rows))
    assert len(rows) == 10_000


def test_another_content_has_another_digest(tmp_path: Path) -> None:
    assert tables.read(["a"], "url").digest == tables.read(["a"], "url").digest
    assert tables.read(["a"], "url").digest != tables.read(["b"], "url").digest


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("t.csv", "id,link\n1,a\n", "no column 'url'; its columns are id, link"),
        ("t.jsonl", '{"url": 1}\n', "holds int64"),
        ("t.parquet", "no Parquet", "cannot be read"),
        ("t.xlsx", "", "ends with .parquet"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(TableUnreadable, match=sentence):
        tables.read(str(tmp_path / name), "url")


def _manifest(rows: int = 4) -> Manifest:
    return Manifest({"rows": rows}, {})


def _batch(rows: list[int]) -> pa.RecordBatch:
    return pa.record_batch({"row": pa.array(rows, pa.int64())})


def test_rows_that_are_written_are_present(tmp_path: Path) -> None:
    url = str(tmp_path / "out")
    output = Output(url, "row")
    assert output.open(_manifest(), 4, retry_failed=False) == bytearray(4)
    output.begin(_manifest(), "syrinx 1")
    output.append([_batch([2, 0])], [False, True])
    (tmp_path / "out/status=ok/.part.unfinished").write_bytes(b"half")
    again = Output(url, "row")
    assert again.open(_manifest(), 4, retry_failed=False) == bytearray([1, 0, 1, 0])
    assert Output(url, "row").open(_manifest(), 4, retry_failed=True) == bytearray([0, 0, 1, 0])
    assert pq.read_table(url).num_rows == 2
    again.begin(_manifest(), "syrinx 2")
    assert not list(tmp_path.glob("out/*/.*"))
    assert json.loads((tmp_path / "out/_syrinx.json").read_text())["versions"] == ["syrinx 1", "syrinx 2"]


def test_other_data_sets_are_refused(tmp_path: Path) -> None:
    url = str(tmp_path / "out")
    output = Output(url, "row")
    output.open(_manifest(), 4, retry_failed=False)
    output.begin(_manifest(), "syrinx 1")
    with pytest.raises(OutputRefused, match="table's rows is 5, and was 4"):
        Output(url, "row").open(_manifest(5), 5, retry_failed=False)
    output.append([_batch([1, 1])], [False, False])
    with pytest.raises(OutputRefused, match="row 1 is there twice"):
        Output(url, "row").open(_manifest(), 4, retry_failed=False)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/letter.txt").write_text("Dear")
    with pytest.raises(OutputRefused, match="holds files that are no result"):
        Output(str(tmp_path / "other"), "row").open(_manifest(), 4, retry_failed=False)


def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    with (
        Output(str(tmp_path), "row").locked(),
        pytest.raises(OutputRefused, match="another run"),
        Output(str(tmp_path), "row").locked(),
    ):
        pass


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "name").mkdir()
    with pytest.raises(OSError):
        Folder(str(tmp_path)).put("name", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["name"]
