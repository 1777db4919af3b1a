"""Opens, plays, drags and closes the desktop app through X11 and AT-SPI, and looks at what it shows."""

import importlib
import pathlib
import re
import sys
import time

import app
from helpers import expect, failures, folder, log, run


# GTK and the libraries below it write these for what is wrong in a program. A desktop without notifications, or whose portal has only the
# interface that a scenario needs, is not wrong.
WARNING = re.compile(r"(?m)^(?!.*unable to send notifications|.*portal\.Inhibit\.Inhibit failed).*?\b((?:G[a-z]+|GLib-[A-Za-z]+|Adwaita|Pango)-(?:WARNING|CRITICAL|ERROR) \*\*: .*)")


def scenario(function):
    started = time.monotonic()
    log.unlink(missing_ok=True)
    print(f"== {function.__name__.replace('_', ' ')}", flush=True)
    try:
        function()
    except Exception as error:
        expect(f"{function.__name__}: {error!r}", False)
        run("import", "-window", "root", str(folder / f"failed-{function.__name__}.png"))
    for process in app.started:
        if process.poll() is None:
            process.kill()
            process.wait()
    warnings = WARNING.findall(log.read_text(errors="replace")) if log.exists() else []
    expect("no library warns", not warnings, "; ".join(warnings[:3]))
    print(f"   {time.monotonic() - started:.1f} s", flush=True)


def find(name):
    """Returns the scenario of a name, from whichever module of scenarios has it."""
    for path in sorted(pathlib.Path(__file__).parent.glob("scenarios_*.py")):
        if function := getattr(importlib.import_module(path.stem), name, None):
            return function
    sys.exit(f"there is no scenario {name}")


scenario(find(sys.argv[4]))
if failures:
    sys.exit(f"{len(failures)} failures: " + "; ".join(failures))
