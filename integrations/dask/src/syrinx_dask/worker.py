"""The work of one thread of a Dask worker: a batch of inputs, through the program that the thread keeps running."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from distributed import get_worker
from distributed.metrics import context_meter

from syrinx_dask import program as programs
from syrinx_dask.columns import Answer, Columns
from syrinx_dask.errors import ProgramUnusable
from syrinx_dask.storage import Folder

# Seconds after which a program without work is ended, so that a cluster that stays keeps no processes.
_IDLE = 60.0


@dataclass(frozen=True, repr=False)
class Job:
    """What is the same for all batches of a run. Its description has no secrets, because Dask logs it."""

    program: str
    options: tuple[str, ...]
    prefix: str
    cwd: str
    waveforms: str | None
    waveforms_in_table: bool
    item_timeout: float
    retries: int

    @property
    def columns(self) -> Columns:
        """The columns of the result."""
        return Columns(self.options, self.prefix)

    @property
    def draws(self) -> bool:
        """Whether waveforms are wanted."""
        return self.waveforms_in_table or self.waveforms is not None


@dataclass(frozen=True, repr=False)
class Items:
    """The rows of a batch. Its description has no URLs, because Dask logs it."""

    rows: tuple[int, ...]
    inputs: tuple[str | None, ...]


@dataclass(frozen=True, repr=False)
class Result:
    """The answers of a batch, in the order of its items."""

    answers: pa.RecordBatch
    failed: tuple[bool, ...]
    sound_seconds: float
    elapsed: float


def run_batch(job: Job, items: Items, attempts: int) -> Result:
    """Analyzes the inputs of a batch. ``attempts`` is the number of earlier ones, which ended with their workers.

    Raises ``ProgramUnusable`` if this machine cannot run the program. Any other failure is an answer.
    """
    begin = time.monotonic()
    with _slot().using() as slot:
        answers = [slot.answer(job, row, name) for row, name in zip(items.rows, items.inputs, strict=True)]
    seconds = 0.0
    for answer in answers:
        answer.attempts += attempts
        info = (answer.fields or {}).get("info")
        duration = info.get("duration") if isinstance(info, dict) else None
        seconds += duration if isinstance(duration, (int, float)) else 0.0
    failed = tuple(answer.failed for answer in answers)
    # Shown by the dashboard under "Fine Performance Metrics".
    context_meter.digest_metric("syrinx", len(answers), "items")
    context_meter.digest_metric("syrinx", sum(failed), "errors")
    context_meter.digest_metric("syrinx", seconds / 3600, "hours of audio")
    return Result(job.columns.batch(answers), failed, seconds, time.monotonic() - begin)


def check(program: str, options: Sequence[str]) -> tuple[str, str | None]:
    """Returns the program's version on a worker, and the sentence of the error if the program cannot be used.

    An exception would be logged by Dask too.
    """
    try:
        return programs.check(program, options), None
    except ProgramUnusable as error:
        return "", str(error)


class _Slot:
    """The program of one thread, and the folder of its waveforms."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._program: programs.Program | None = None
        self._started_for: tuple[object, ...] = ()
        self._folder: str | None = None
        self._used = time.monotonic()

    @contextlib.contextmanager
    def using(self) -> Iterator[_Slot]:
        """Keeps the program from being ended as idle."""
        with self._lock:
            try:
                yield self
            finally:
                self._used = time.monotonic()

    def end_if_idle(self) -> None:
        if self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._used > _IDLE:
                    self._end()
            finally:
                self._lock.release()

    def answer(self, job: Job, row: int, name: str | None) -> Answer:
        """Returns the answer for one row, from a new program each time that one has ended."""
        if name is None:
            return Answer(row, code="usage.badInput", message="the table has no input in this row")
        crashes = 0
        for attempt in range(1, job.retries + 2):
            try:
                reply = self._running(job).ask(name, job.item_timeout)
            except programs.ProgramHangs as error:
                self._end()
                return Answer(row, code="dask.timeout", message=str(error), attempts=attempt)
            except programs.ProgramEnded as error:
                self._end()
                message = str(error)
                # An input that makes the program end by itself does so each time.
                crashes += 0 if error.was_killed else 1
                if crashes == 2:
                    break
                continue
            return self._taken(job, row, reply, attempt)
        return Answer(row, code="dask.programEnded", message=message, attempts=attempt)

    def _taken(self, job: Job, row: int, reply: programs.Reply, attempt: int) -> Answer:
        error = reply.fields.get("error")
        if isinstance(error, dict):
            code, message = str(error.get("code")), str(error.get("message"))
            return Answer(row, code=code, message=message, warnings=reply.warnings, attempts=attempt)
        answer = Answer(row, reply.fields, warnings=reply.warnings, attempts=attempt)
        path = reply.fields.get("waveform")
        if job.draws and isinstance(path, str):
            try:
                self._store(job, answer, path)
            except Exception as failure:
                message = f"the waveform cannot be stored: {failure}"
                return Answer(row, code="dask.waveform", message=message, attempts=attempt)
        return answer

    def _store(self, job: Job, answer: Answer, path: str) -> None:
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
        if job.waveforms_in_table:
            answer.waveform_data = data
        if job.waveforms is not None:
            answer.waveform = Folder(job.waveforms).put(f"{answer.row:09d}.dat", data)

    def _running(self, job: Job) -> programs.Program:
        wanted = (job.program, tuple(job.options), job.cwd, job.draws)
        if self._started_for != wanted or (self._program and self._program.has_ended):
            self._end()
        if self._program is None:
            self._started_for = wanted
            command = [job.program, "analyze", "--jobs", "1", *job.options]
            if job.draws:
                # In the folder of the worker, which Dask removes if the worker is killed.
                self._folder = tempfile.mkdtemp(prefix="waveforms-", dir=get_worker().local_directory)
                command += ["--waveforms", self._folder]
            self._program = programs.Program([*command, "-"], job.cwd)
        return self._program

    def _end(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


_slots: dict[int, _Slot] = {}
_slots_lock = threading.Lock()


def _slot() -> _Slot:
    """Returns the slot of this thread, and starts the thread that ends idle programs with the first one."""
    with _slots_lock:
        if not _slots:
            threading.Thread(target=_end_idle_programs, name="syrinx-dask-idle", daemon=True).start()
        return _slots.setdefault(threading.get_ident(), _Slot())


def _end_idle_programs() -> None:
    while True:
        time.sleep(_IDLE / 4)
        with _slots_lock:
            slots = list(_slots.values())
        for slot in slots:
            slot.end_if_idle()
