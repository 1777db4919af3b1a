"""Recordings for the tests."""

from __future__ import annotations

import math
import wave
from array import array
from io import BytesIO


def tone(seconds: float = 0.5, frequency: float = 440.0, rate: int = 8000) -> bytes:
    """Returns a WAV file with a tone between two silences."""
    frames = int(seconds * rate)
    samples = array("h", (int(9000 * math.sin(2 * math.pi * frequency * n / rate)) for n in range(frames)))
    quiet = array("h", bytes(2 * rate))
    file = BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes((quiet + samples + quiet).tobytes())
    return file.getvalue()
