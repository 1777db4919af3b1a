"""What scenarios stand on: waits, expectations, and the folders of a run."""

import os
import pathlib
import subprocess
import sys
import time

program, folder, goldens = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
inputs = pathlib.Path(os.environ["HOME"]) / "inputs"
inputs.mkdir(parents=True, exist_ok=True)
# The scenario's own: others run at the same time.
scratch = pathlib.Path(os.environ["SYRINX_SCRATCH"])
failures = []
# What the app writes to standard error.
log = folder / f"{sys.argv[4]}.app.log" if len(sys.argv) > 4 else folder / "app.log"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wait(what, condition, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = condition()
        except Exception:
            value = None
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")


def expect(what, isTrue, detail=""):
    print(("ok   " if isTrue else "FAIL ") + what + (f" ({detail})" if detail != "" else ""), flush=True)
    if not isTrue:
        failures.append(what)
