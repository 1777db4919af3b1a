"""The result: a Parquet data set of whole files, with a manifest that says what it is the result of."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from syrinx_dask.errors import OutputRefused
from syrinx_dask.secrets import masked
from syrinx_dask.storage import Folder, is_unfinished

MANIFEST = "_syrinx.json"
_LOCK = "_lock"
_FORMAT = 1
_FAILED = "status=failed/"


@dataclass
class Manifest:
    """What a result was made of. ``table`` and ``options`` have to be equal in each run; versions are collected."""

    table: dict[str, Any]
    options: dict[str, Any]
    versions: list[str] = field(default_factory=list)

    def differences(self, other: Manifest) -> list[str]:
        """Returns one phrase for each value that differs from an earlier manifest."""
        phrases = []
        for kind in ("table", "options"):
            mine, earlier = getattr(self, kind), getattr(other, kind)
            for key in sorted(mine.keys() | earlier.keys()):
                if mine.get(key) != earlier.get(key):
                    now, then = (json.dumps(each.get(key), ensure_ascii=False) for each in (mine, earlier))
                    name = "table's" if kind == "table" else "option"
                    phrases.append(f"{name} {key} is {now}, and was {then}")
        return phrases


class Output:
    """A Parquet data set in a folder of any file system, in two partitions: ``status=ok`` and ``status=failed``.

    Files are added and never changed. Those of failed rows are removed when the rows are to be tried again, so that
    no row is ever there twice.
    """

    def __init__(self, url: str, row_column: str) -> None:
        """Names a data set, whose numbers of rows are in the column ``row_column``."""
        self._folder = Folder(url)
        self._name = masked(self._folder.url)
        self._row_column = row_column
        self._run = uuid.uuid4().hex[:8]
        self._parts = 0
        self._outdated: list[str] = []

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other runs out. On file systems that are not local there is no lock.

        Raises ``OutputRefused`` if another run writes to the data set.
        """
        path = self._folder.local_path
        if path is None:
            yield
            return
        self._folder.make()
        with open(os.path.join(path, _LOCK), "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise OutputRefused(f"{self._name}: another run writes to this output") from None
            yield

    def open(self, manifest: Manifest, total: int, *, retry_failed: bool) -> bytearray:
        """Looks at what is there, and returns for each row of the table 1 if it is present, else 0. Writes nothing.

        With ``retry_failed`` rows that have failed count as missing.

        Raises ``OutputRefused`` if the data set was made from another table or with other options, or is none.
        """
        names = self._folder.files()
        unfinished = [name for name in names if is_unfinished(name.rpartition("/")[2])]
        parts = [name for name in names if name.endswith(".parquet")]
        if MANIFEST in names:
            if differences := manifest.differences(self._manifest()):
                raise OutputRefused(f"{self._name} is the result of something else: {'; '.join(differences)}")
        elif set(names) - set(unfinished) - {_LOCK}:
            raise OutputRefused(f"{self._name} holds files that are no result of syrinx-dask; name another folder")
        self._outdated = unfinished
        if retry_failed:
            self._outdated += [name for name in parts if name.startswith(_FAILED)]
        present = bytearray(total)
        for name in parts:
            if name not in self._outdated:
                self._mark(name, present)
        return present

    def begin(self, manifest: Manifest, version: str) -> None:
        """Makes the data set ready for rows that the program of this version answers.

        Creates it if it does not exist, and removes files that a run left unfinished, and rows to be tried again.
        """
        if MANIFEST in self._folder.files():
            manifest = self._manifest()
        if version not in manifest.versions:
            manifest.versions.append(version)
            text = json.dumps({"format": _FORMAT, **asdict(manifest)}, ensure_ascii=False, indent=1)
            self._folder.put(MANIFEST, text.encode())
        for name in self._outdated:
            self._folder.remove(name)
        self._outdated = []

    def _manifest(self) -> Manifest:
        try:
            fields = json.loads(self._folder.read(MANIFEST))
            number = fields["format"]
            if number == _FORMAT:
                return Manifest(fields["table"], fields["options"], fields["versions"])
        except (ValueError, KeyError, TypeError):
            raise OutputRefused(f"{self._name}/{MANIFEST} is damaged") from None
        raise OutputRefused(f"{self._name} has format {number}, which this version cannot continue")

    def _mark(self, name: str, present: bytearray) -> None:
        try:
            with self._folder.open(name) as file:
                column = pq.ParquetFile(file).read([self._row_column]).column(0)
        except (pa.ArrowException, OSError, KeyError, IndexError) as error:
            raise OutputRefused(f"{self._name}/{name} cannot be read: {error}") from None
        for row in column.to_pylist():
            if not 0 <= row < len(present) or present[row]:
                raise OutputRefused(f"{self._name}/{name}: row {row} is there twice, or not in the table")
            present[row] = 1

    def append(self, batches: Sequence[pa.RecordBatch], failed: Sequence[bool]) -> None:
        """Writes rows: a file for those without an error, and one for the others. ``failed`` has a value for each."""
        table = pa.Table.from_batches(batches)
        mask = pa.array(failed, pa.bool_())
        self._parts += 1
        for partition, rows in (("status=ok/", table.filter(pc.invert(mask))), (_FAILED, table.filter(mask))):
            if rows.num_rows:
                sink = pa.BufferOutputStream()
                pq.write_table(rows, sink, compression="zstd")
                self._folder.put(f"{partition}part-{self._run}-{self._parts:06d}.parquet", sink.getvalue())
