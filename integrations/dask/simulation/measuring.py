"""What `simulate.py --measure` runs: a program that answers at once, and a cluster whose scheduler is a process."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

_ANSWER = {
    "info": {
        "container": "mp3",
        "codec": "mp3",
        "sampleRate": 44100,
        "channels": 2,
        "channelLayout": "stereo",
        "bitRate": 128000,
        "duration": 3600,
        "frames": 158760000,
        "seekable": True,
        "size": 57600000,
        "tags": {"title": "An episode", "artist": "A show", "comment": "Notes of the episode. " * 40},
        "chapters": [{"start": n * 300, "end": n * 300 + 300, "title": f"Chapter {n}"} for n in range(12)],
    },
    "meter": {"integrated": -16.1, "truePeak": -1.2, "range": 6.5, "rms": -19.2, "replayPeak": 0.9},
    "silences": [[n * 9.5, n * 9.5 + 0.7] for n in range(300)],
}

_PROGRAM = """#!{python}
import json, sys
if "--version" in sys.argv:
    print("syrinx 0")
    sys.exit()
answer = {answer!r}
for line in sys.stdin:
    sys.stdout.write('{{"input": ' + json.dumps(json.loads(line)["input"]) + ", " + answer + "\\n")
    sys.stdout.flush()
"""


@contextlib.contextmanager
def answering_program() -> Iterator[tuple[str, str]]:
    """A program that gives the same answer to each input; yields its path and a folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "syrinx"
        path.write_text(_PROGRAM.format(python=sys.executable, answer=json.dumps(_ANSWER)[1:]))
        path.chmod(0o755)
        yield str(path), folder


@contextlib.contextmanager
def separate_cluster() -> Iterator[tuple[str, psutil.Process]]:
    """A scheduler and a worker as processes; yields the scheduler's address and process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        dask = [sys.executable, "-m", "dask"]
        where = ["--scheduler-file", str(file), "--dashboard-address", ":0"]
        scheduler = subprocess.Popen(
            [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *where], stderr=subprocess.DEVNULL
        )
        worker = subprocess.Popen([*dask, "worker", "--no-nanny", "--nthreads", "2", *where], stderr=subprocess.DEVNULL)
        try:
            while not file.exists():
                time.sleep(0.1)
            yield json.loads(file.read_text())["address"], psutil.Process(scheduler.pid)
        finally:
            for process in (worker, scheduler):
                process.kill()
                process.wait()
