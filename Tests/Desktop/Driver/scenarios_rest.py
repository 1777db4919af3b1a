"""Looks whether the app sleeps while nothing moves."""

import re
import time

from app import App
from helpers import expect


def main_thread_switches(app):
    """Returns how often the main thread has been switched away from."""
    with open(f"/proc/{app.process.pid}/status") as status:
        return sum(int(n) for n in re.findall(r"ctxt_switches:\s*(\d+)", status.read()))


def an_empty_window_sleeps():
    app = App()
    app.move(5, 300)
    time.sleep(3)
    before = main_thread_switches(app)
    time.sleep(2)
    # A frame clock that runs wakes it more than a thousand times.
    woken = main_thread_switches(app) - before
    expect("an empty window is not woken", woken < 50, f"{woken} times in 2 s")
    app.close()
