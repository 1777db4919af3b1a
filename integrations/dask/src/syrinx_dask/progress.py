"""How far a run is, for people."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TextIO


@dataclass
class Summary:
    """The numbers of a run."""

    rows: int
    """Rows of the table."""
    known: int = 0
    """Rows that were in the output before."""
    done: int = 0
    """Rows that this run has answered, failed ones included."""
    failed: int = 0
    """Rows that this run has answered with an error."""
    sound_hours: float = 0.0
    """Hours of audio that this run has analyzed."""
    seconds: float = 0.0
    """Seconds that this run has taken."""

    @property
    def hours_per_second(self) -> float:
        """Hours of audio for each second of the run."""
        return self.sound_hours / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        """Returns one line."""
        parts = [f"{self.known + self.done:,} of {self.rows:,}"]
        if self.known:
            parts.append(f"{self.known:,} known before")
        parts += [
            f"{self.failed:,} failed",
            f"{self.sound_hours:,.1f} h of audio",
            f"{self.hours_per_second:,.3g} h/s",
        ]
        return ", ".join(parts)


class Display:
    """One changing line on a terminal; elsewhere a line a minute."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Shows progress on ``stream``, by default standard error."""
        self._stream = stream if stream is not None else sys.stderr
        self._interval = 0.2 if self._stream.isatty() else 60.0
        self._shown = time.monotonic() - (0 if self._interval > 1 else 60)
        self._is_line_open = False

    def show(self, summary: Summary, note: str, *, final: bool = False) -> None:
        """Shows the numbers, if the last time is long enough ago. ``note`` says what the run waits for."""
        now = time.monotonic()
        if not final and now - self._shown < self._interval:
            return
        self._shown = now
        text = f"analyzing  {summary}" + (f", {note}" if note else "")
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{text}")
            self._is_line_open = True
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()
        if final:
            self.end()

    def end(self) -> None:
        """Ends the line on a terminal, so that messages may follow."""
        if self._is_line_open:
            self._stream.write("\n")
            self._stream.flush()
        self._is_line_open = False
