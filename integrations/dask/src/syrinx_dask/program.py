"""One running ``syrinx analyze -``, which is asked one input at a time."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from syrinx_dask.errors import ProgramUnusable
from syrinx_dask.secrets import masked

# Far more than an answer with chapters and silences takes; a longer one is a fault of the program.
_LONGEST_ANSWER = 64 << 20
_MESSAGES_KEPT = 2048


class ProgramEnded(Exception):
    """The program ended, or was ended, while an input was under way."""

    def __init__(self, status: int, messages: str) -> None:
        """``status`` is the return code of the process: negative for a signal."""
        self.status = status
        how = f"by signal {signal_name(-status)}" if status < 0 else f"with exit code {status}"
        last = messages.strip().splitlines()
        super().__init__(f"syrinx ended {how}" + (f": {masked(last[-1])[:300]}" if last else ""))

    @property
    def was_killed(self) -> bool:
        """Whether something else ended the program, such as a scheduler of jobs or the kernel for want of memory."""
        return self.status in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT)


class ProgramHangs(Exception):
    """The program has not answered in time, and was killed."""


@dataclass
class Reply:
    """The answer to one input, and the warnings that came before."""

    fields: dict[str, Any]
    warnings: list[dict[str, Any]] = field(default_factory=list)


class Program:
    """A process of ``syrinx analyze --jobs 1 … -``.

    The process has a session of its own, so that Ctrl-C ends the run and not the input under way. When its owner
    dies, standard input ends, and so does the process after its current input.
    """

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        """Starts the program.

        Raises ``ProgramUnusable`` if it cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=cwd if cwd is not None and os.path.isdir(cwd) else None,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramUnusable(f"{command[0]!r} cannot be run: {error.strerror}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input, self._output, self._errors = (
            self._process.stdin,
            self._process.stdout,
            self._process.stderr,
        )
        self._received = bytearray()
        self._messages = bytearray()

    @property
    def has_ended(self) -> bool:
        """Whether the process is over."""
        return self._process.poll() is not None

    def ask(self, name: str, timeout: float) -> Reply:
        """Returns the program's answer to the input ``name``.

        Raises ``ProgramEnded`` or ``ProgramHangs``; the program is over then.
        """
        deadline = time.monotonic() + timeout
        with contextlib.suppress(BrokenPipeError):
            self._input.write(json.dumps({"input": name}).encode() + b"\n")
        warnings: list[dict[str, Any]] = []
        while True:
            line = self._line(deadline)
            try:
                fields = json.loads(line)
            except ValueError:
                continue
            if not isinstance(fields, dict):
                continue
            if "event" in fields:
                warnings.append(fields)
            else:
                return Reply(fields, warnings)

    def _line(self, deadline: float) -> bytes:
        searched = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            while (end := self._received.find(b"\n", searched)) < 0:
                searched = len(self._received)
                ready = selector.select(max(0, deadline - time.monotonic()))
                if not ready:
                    self.close()
                    raise ProgramHangs("syrinx has not answered in time, and was ended")
                for key, _ in ready:
                    piece = os.read(key.fd, 1 << 16)
                    if key.fileobj is self._errors:
                        self._messages = (self._messages + piece)[-_MESSAGES_KEPT:]
                        if not piece:
                            selector.unregister(self._errors)
                    elif not piece or len(self._received) > _LONGEST_ANSWER:
                        raise self._ended()
                    else:
                        self._received += piece
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    def _ended(self) -> ProgramEnded:
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        with contextlib.suppress(OSError):
            os.set_blocking(self._errors.fileno(), False)
            self._messages += self._errors.read() or b""
        self.close()
        return ProgramEnded(status, self._messages.decode(errors="replace"))

    def close(self) -> None:
        """Ends the program at once."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._input, self._output, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()


def check(program: str, options: Sequence[str]) -> str:
    """Returns the version of the program on this machine.

    Raises ``ProgramUnusable`` if it cannot be run or refuses the options.
    """
    version = _output([program, "--version"])
    if _output([program, "analyze", *options, "-"]):
        raise ProgramUnusable(f"{program!r} is given inputs among its options: {masked(' '.join(options))}")
    return version


def _output(command: Sequence[str]) -> str:
    """Runs a program without input, and returns what it prints. A program that is killed is run again."""
    for _ in range(5):
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        except OSError as error:
            raise ProgramUnusable(f"{command[0]!r} cannot be run: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise ProgramUnusable(f"{command[0]!r} does not answer") from None
        if result.returncode == 0:
            return result.stdout.decode(errors="replace").strip()
        if result.returncode > 0:
            message = result.stderr.decode(errors="replace").strip()
            raise ProgramUnusable(f"{command[0]!r} refuses {' '.join(command[1:])}: {masked(message)}")
    raise ProgramUnusable(f"{command[0]!r} is ended by signal {signal_name(-result.returncode)}")


def signal_name(number: int) -> str:
    """Returns the name of a signal, such as ``SIGSEGV``."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
