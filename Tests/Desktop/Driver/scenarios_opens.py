"""Many recordings, one after another."""

import pathlib
import time

from app import App
from helpers import expect, inputs, run, wait


def memory(app):
    """Returns the memory of the app in use, in megabytes."""
    text = pathlib.Path(f"/proc/{app.process.pid}/status").read_text()
    return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


def a_hundred_recordings_are_opened_and_closed():
    app = App(inputs / "song.m4a")
    wait("it plays", lambda: app.named("Pause"))
    files = ["album/one.ogg", "book.m4a", "headless.mp3", "film.mp4", "song.m4a", "tone.wav"]
    figures = []
    for number in range(120):
        run(
            "gdbus", "call", "--session", "--dest", "io.github.syrinx.Syrinx", "--object-path", "/io/github/syrinx/Syrinx",
            "--method", "org.freedesktop.Application.Open", f"['file://{inputs / files[number % len(files)]}']", "{}",
        )
        time.sleep(0.3)
        if number % 2:
            app.act("win.close-item")
        if number % 20 == 19:
            figures.append(memory(app))
    expect("it still runs", app.process.poll() is None)
    # Under a sanitizer what was freed is kept for a while.
    print("   megabytes after each twenty:", *figures, flush=True)
    app.act("win.close-item")
    wait("nothing is open", lambda: app.text("^Continue$"))
    expect("it closes", app.close() < 3)
