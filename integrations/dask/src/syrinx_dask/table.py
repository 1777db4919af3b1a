"""The table of inputs: Parquet, CSV, JSON lines, plain lists."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import fsspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from syrinx_dask.errors import TableUnreadable
from syrinx_dask.secrets import masked

# The kinds of table that `analyze` takes: a path or URL, the inputs themselves, or a table of Arrow.
Source: TypeAlias = str | Sequence[str] | pa.Table

_ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class Table:
    """A table of inputs, whose rows are numbered from 0."""

    rows: int
    digest: str
    schema: pa.Schema
    column: str
    _open: Callable[[], Iterator[pa.RecordBatch]]

    def batches(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Reads the rows from the first to the last, with the number of the first row of each batch."""
        start = 0
        for batch in self._open():
            if batch.num_rows:
                yield start, batch
            start += batch.num_rows


def read(source: Source, column: str) -> Table:
    """Opens a table, counts its rows and computes its digest.

    Parquet and CSV are read in pieces and not held in memory. Columns of CSV are texts: what a file states is
    kept as it is.

    Raises ``TableUnreadable`` if the table cannot be read or has no texts in ``column``.
    """
    if isinstance(source, pa.Table):
        table = _in_memory(source, column)
    elif isinstance(source, str):
        try:
            table = _from_file(source, column)
        except (OSError, pa.ArrowException, UnicodeDecodeError, ImportError) as error:
            raise TableUnreadable(masked(f"{source}: the table cannot be read: {error}")) from None
    else:
        table = _in_memory(pa.table({column: pa.array(list(source), pa.string())}), column)
    _check(table)
    return table


def _check(table: Table) -> None:
    names = table.schema.names
    if table.column not in names:
        raise TableUnreadable(f"the table has no column {table.column!r}; its columns are {', '.join(names)}")
    if len(set(names)) != len(names):
        raise TableUnreadable("the table has several columns of the same name")
    kind = table.schema.field(table.column).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)):
        raise TableUnreadable(f"the column {table.column!r} holds {kind}, not paths or URLs")


def _in_memory(table: pa.Table, column: str) -> Table:
    digest = hashlib.sha256()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.combine_chunks().replace_schema_metadata(None))
    digest.update(sink.getvalue())
    return Table(
        table.num_rows,
        digest.hexdigest(),
        table.schema.remove_metadata(),
        column,
        lambda: iter(table.to_batches(_ROWS_AT_ONCE)),
    )


def _plain_name(source: str) -> str:
    """Returns the name in lower case, without the ending of a compression."""
    name = source.lower()
    for ending in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(ending)
    return name


def _from_file(source: str, column: str) -> Table:
    name = _plain_name(source)
    if name.endswith((".parquet", ".pq")):
        kind = _parquet
    elif name.endswith((".csv", ".tsv")):
        kind = _csv
    elif name.endswith((".jsonl", ".ndjson", ".json")):
        kind = _json_lines
    elif name.endswith((".txt", ".lst")):
        kind = _lines
    else:
        raise TableUnreadable(
            masked(f"{source}: the name of a table ends with .parquet, .csv, .tsv, .jsonl or .txt (one input a line)")
        )
    schema, batches = kind(source, column)
    rows = sum(batch.num_rows for batch in batches())
    return Table(rows, _digest(source), schema, column, batches)


_Opened = tuple[pa.Schema, Callable[[], Iterator[pa.RecordBatch]]]


def _binary(source: str, compression: str | None = "infer") -> Any:
    return fsspec.open(source, "rb", compression=compression).open()


def _digest(source: str) -> str:
    digest = hashlib.sha256()
    with _binary(source, None) as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _parquet(source: str, column: str) -> _Opened:
    def batches() -> Iterator[pa.RecordBatch]:
        with _binary(source, None) as file:
            yield from pq.ParquetFile(file).iter_batches(batch_size=_ROWS_AT_ONCE)

    with _binary(source, None) as file:
        schema = pq.ParquetFile(file).schema_arrow.remove_metadata()
    return schema, batches


def _csv(source: str, column: str) -> _Opened:
    delimiter = "\t" if _plain_name(source).endswith(".tsv") else ","
    parse = pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)

    def reader(file: Any, convert: pyarrow.csv.ConvertOptions | None = None) -> Any:
        return pyarrow.csv.open_csv(file, parse_options=parse, convert_options=convert)

    with _binary(source) as file:
        schema = pa.schema([(name, pa.string()) for name in reader(file).schema.names])

    def batches() -> Iterator[pa.RecordBatch]:
        with _binary(source) as file:
            types = {name: pa.string() for name in schema.names}
            yield from reader(file, pyarrow.csv.ConvertOptions(column_types=types))

    return schema, batches


def _json_lines(source: str, column: str) -> _Opened:
    with _binary(source) as file:
        table = pyarrow.json.read_json(file)
    return table.schema, lambda: iter(table.to_batches(_ROWS_AT_ONCE))


def _lines(source: str, column: str) -> _Opened:
    with _binary(source) as file:
        lines = [line.decode() for line in file.read().splitlines() if line.strip()]
    table = pa.table({column: pa.array(lines, pa.string())})
    return table.schema, lambda: iter(table.to_batches(_ROWS_AT_ONCE))
