"""The loop that hands batches to Dask and writes what comes back."""

from __future__ import annotations

import contextlib
import itertools
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from syrinx_dask import worker
from syrinx_dask.columns import Answer
from syrinx_dask.errors import ProgramUnusable, SchedulerLost
from syrinx_dask.output import Output
from syrinx_dask.progress import Summary
from syrinx_dask.schedule import Batch, BatchSizer, batches_allowed
from syrinx_dask.secrets import masked, masked_column
from syrinx_dask.table import Table

# Rows, bytes and seconds after which a file of the output is written, whichever comes first. A driver that is
# killed loses at most what is in memory.
_FILE_ROWS = 5_000
_FILE_BYTES = 64 << 20
_FILE_SECONDS = 60.0
_LOOK_SECONDS = 0.5


class Driver:
    """One run: from the rows of a table that are missing in the output to the output."""

    def __init__(
        self,
        client: Any,
        table: Table,
        output: Output,
        job: worker.Job,
        sizer: BatchSizer,
        show: Callable[[Summary, str], None],
    ) -> None:
        """Prepares a run on the cluster of ``client``, a ``distributed.Client``."""
        self._client = client
        self._table = table
        self._output = output
        self._job = job
        self._sizer = sizer
        self._show = show
        self._run = uuid.uuid4().hex[:8]
        self._numbers = itertools.count()
        self._returned: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._flying: dict[str, tuple[Any, Batch]] = {}
        self._again: deque[Batch] = deque()
        self._buffer: list[tuple[pa.RecordBatch, tuple[bool, ...]]] = []
        self._buffered_rows = self._buffered_bytes = 0
        self._written = self._begin = self._looked = time.monotonic()
        self._threads = 0
        self.summary = Summary(table.rows)

    def run(self, present: bytearray) -> Summary:
        """Analyzes all rows that are not present, and returns the numbers of the run.

        Raises ``SchedulerLost`` and ``ProgramUnusable``. Answers that have arrived are written first.
        """
        self.summary.known = sum(present)
        missing = _Missing(self._table, present)
        try:
            self._look(at_once=True)
            while self._fill(missing) or self._flying:
                self._take()
                self._look()
                if self._is_file_due():
                    self._write()
        finally:
            self._take_finished()
            self._write()
            self._cancel()
        self._report()
        return self.summary

    def _fill(self, missing: _Missing) -> bool:
        """Hands out batches up to the bound; returns whether any is left to hand out."""
        while len(self._flying) < batches_allowed(self._threads):
            if self._again and not self._is_suspect_under_way:
                batch: Batch | None = self._again.popleft()
            else:
                batch = missing.next(self._sizer.size(self._threads))
            if batch is None:
                return bool(self._again)
            self._submit(batch)
        return True

    @property
    def _is_suspect_under_way(self) -> bool:
        """Whether an item is under way that was on a worker that died.

        Dask blames a death on all tasks that the worker had. Only one such item is under way at a time, so that
        those that are blamed again are those that end workers.
        """
        return any(batch.attempts for _, batch in self._flying.values())

    def _submit(self, batch: Batch) -> None:
        inputs = tuple(batch.columns.column(self._table.column).to_pylist())
        # Dask's dashboard shows the key up to its numbers: "syrinx-analyze".
        key = f"syrinx-analyze-{self._run}-{next(self._numbers)}"
        future = self._client.submit(
            worker.run_batch, self._job, worker.Items(batch.rows, inputs), batch.attempts, key=key, pure=False
        )
        self._flying[key] = (future, batch)
        future.add_done_callback(self._deliver)

    def _deliver(self, future: Any) -> None:
        """Fetches a result, on a thread of Dask's client, so that the loop never waits for a single worker."""
        try:
            outcome = future.result()
        except BaseException as error:
            outcome = error
        self._returned.put((future.key, outcome))

    def _take(self) -> None:
        """Waits for a result, and takes all that are there."""
        lost = self._take_finished(wait=True)
        for batch, error in lost:
            self._lost(batch, error)

    def _take_finished(self, *, wait: bool = False) -> list[tuple[Batch, Any]]:
        """Takes the results that are there, and returns the batches that have none."""
        lost: list[tuple[Batch, Any]] = []
        while True:
            try:
                key, outcome = self._returned.get(block=wait, timeout=_LOOK_SECONDS)
            except queue.Empty:
                return lost
            wait = False
            future, batch = self._flying.pop(key)
            future.release()
            if isinstance(outcome, worker.Result):
                self._sizer.learn(len(batch.rows), outcome.elapsed, outcome.answers.nbytes)
                self._keep(batch, outcome)
            else:
                lost.append((batch, outcome))

    def _lost(self, batch: Batch, error: Any) -> None:
        """Tries the items of a batch again that has ended with its worker, or reports them."""
        if isinstance(error, (ProgramUnusable, ImportError)):
            raise ProgramUnusable(f"a worker cannot analyze: {masked(str(error))}")
        if type(error).__name__ in ("FutureCancelledError", "CancelledError"):
            self._check_scheduler()
            raise SchedulerLost(self._lost_sentence)
        if batch.attempts < self._job.retries:
            self._again.extend(batch.split())
            return
        died = type(error).__name__ == "KilledWorker"
        code = "dask.workerDied" if died else "dask.taskFailed"
        message = "the workers that read this input died" if died else f"{type(error).__name__}: {error}"
        answers = [Answer(row, code=code, message=message, attempts=batch.attempts + 1) for row in batch.rows]
        self._keep(batch, worker.Result(self._job.columns.batch(answers), (True,) * len(answers), 0.0, 0.0))

    def _keep(self, batch: Batch, result: worker.Result) -> None:
        columns = [masked_column(column) for column in batch.columns.columns]
        names = batch.columns.schema.names + result.answers.schema.names
        joined = pa.RecordBatch.from_arrays(columns + result.answers.columns, names=names)
        self._buffer.append((joined, result.failed))
        self._buffered_rows += joined.num_rows
        self._buffered_bytes += joined.nbytes
        self.summary.done += len(batch.rows)
        self.summary.failed += sum(result.failed)
        self.summary.sound_hours += result.sound_seconds / 3600

    def _is_file_due(self) -> bool:
        return (
            self._buffered_rows >= _FILE_ROWS
            or self._buffered_bytes >= _FILE_BYTES
            or time.monotonic() - self._written >= _FILE_SECONDS
        )

    def _write(self) -> None:
        # Emptied first: a run that is interrupted while it writes answers rows again, and never writes them twice.
        buffer, self._buffer = self._buffer, []
        self._buffered_rows = self._buffered_bytes = 0
        self._written = time.monotonic()
        if buffer:
            self._output.append([rows for rows, _ in buffer], [each for _, failed in buffer for each in failed])

    def _look(self, *, at_once: bool = False) -> None:
        """Looks at the cluster twice a second: whether it is there, and how many threads it has."""
        self._report()
        now = time.monotonic()
        if not at_once and now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        self._check_scheduler()
        try:
            self._threads = sum(self._client.nthreads().values())
        except Exception:
            raise SchedulerLost(self._lost_sentence) from None

    def _check_scheduler(self) -> None:
        if self._client.status != "running":
            raise SchedulerLost(self._lost_sentence)

    @property
    def _lost_sentence(self) -> str:
        return (
            "the connection to Dask's scheduler is lost: it has ended, or cannot be reached. "
            "What was answered is in the output; run the same command again to complete it"
        )

    def _report(self) -> None:
        self.summary.seconds = time.monotonic() - self._begin
        self._show(self.summary, "" if self._threads else "no workers yet")

    def _cancel(self) -> None:
        if self._flying and self._client.status == "running":
            with contextlib.suppress(Exception):
                self._client.cancel([future for future, _ in self._flying.values()])
        self._flying.clear()


class _Missing:
    """The rows of a table that the output lacks, in batches of any size."""

    def __init__(self, table: Table, present: bytearray) -> None:
        self._pieces = self._read(table, present)
        self._rows: tuple[int, ...] = ()
        self._columns: pa.RecordBatch | None = None

    @staticmethod
    def _read(table: Table, present: bytearray) -> Iterator[tuple[tuple[int, ...], pa.RecordBatch]]:
        for start, batch in table.batches():
            rows = tuple(row for row in range(start, start + batch.num_rows) if not present[row])
            if len(rows) == batch.num_rows:
                yield rows, batch
            elif rows:
                yield rows, batch.take(pa.array([row - start for row in rows]))

    def next(self, size: int) -> Batch | None:
        """Returns the next batch, of at most ``size`` rows; ``None`` at the end."""
        if not self._rows:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            self._rows, self._columns = piece
        assert self._columns is not None
        batch = Batch(self._rows[:size], self._columns.slice(0, size))
        self._rows, self._columns = self._rows[size:], self._columns.slice(size)
        return batch
