"""Places in recordings, which a crash and a lost output do not lose."""

import http.server
import json
import os
import pathlib
import re
import subprocess
import time

from app import App, started
from helpers import expect, run, scratch, wait
from recordings import book, noise
from servers import serve

state = pathlib.Path(os.environ["XDG_STATE_HOME"]) / "syrinx"


def kept(name):
    """Returns the place that is kept in a recording; `None` without one."""
    for path in (state / "positions").iterdir():
        place = json.loads(path.read_text())
        if place["item"].endswith("/" + name):
            return place["position"]


def a_killed_app_loses_seconds():
    app = App(noise)
    wait("it plays", lambda: app.named("Pause"))
    app.slider("Position").queryValue().currentValue = 300
    wait("a seek is kept at once", lambda: 299 < kept("noise.flac") < 301, 2)
    wait("it plays on", lambda: app.value("Position") > 307)
    before = app.value("Position")
    app.process.kill()
    app.process.wait()
    expect("at most five seconds are lost", before - 5 < kept("noise.flac") < before + 2, kept("noise.flac"))
    session = json.loads((state / "last.session").read_text())
    expect("the queue is kept", session["items"][session["index"]].endswith("/noise.flac"), session)
    app = App(noise)
    wait("it goes on there", lambda: before - 5 < app.value("Position") < before + 10)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    time.sleep(0.5)
    paused = app.value("Position")
    app.process.kill()
    app.process.wait()
    # The slider tells whole seconds.
    expect("a pause loses nothing", abs(kept("noise.flac") - paused) < 1.5, f"{kept('noise.flac')} {paused}")


class Sound:
    """A sound server of a scenario's own, whose only output is `out`."""

    def __init__(self):
        folder = scratch / "pulse"
        folder.mkdir(mode=0o700, exist_ok=True)
        self.address = f"unix:{folder}/native"
        self.sink = ["module-null-sink", "sink_name=out", "sink_properties=device.description=Headphones"]
        env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), HOME=str(folder))
        env.pop("XDG_CONFIG_HOME", None)
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--high-priority=no"]
        command += ["-L", " ".join(self.sink), "-L", f"module-native-protocol-unix auth-anonymous=1 socket={folder}/native"]
        started.append(subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL))
        wait("the sound server answers", lambda: self.control("info"))

    def control(self, *arguments):
        return run("pactl", f"--server={self.address}", *arguments)

    def remove(self):
        self.control("unload-module", "module-null-sink")

    def add(self):
        self.control("load-module", *self.sink)


def an_output_that_goes_is_waited_for():
    sound = Sound()
    app = App(noise, book, SYRINX_OUTPUT="pulse", PULSE_SERVER=sound.address)
    wait("it plays", lambda: app.named("Pause"))
    app.slider("Position").queryValue().currentValue = 300
    wait("it plays on", lambda: app.value("Position") > 302)
    sound.remove()
    wait("it says what has gone", lambda: app.text("^The output “Headphones” has gone"))
    wait("it waits", lambda: app.text("^Waiting for a sound output"))
    stood = app.value("Position")
    expect("it is where it was", 302 < stood < 312 and app.title() == "noise.flac", f"{stood} {app.title()}")
    expect("the place is kept", abs(kept("noise.flac") - stood) < 1.5, kept("noise.flac"))
    app.screenshot_all("no-output")
    sound.add()
    wait("it goes on by itself", lambda: app.value("Position") > stood + 1)
    expect("where it was", app.value("Position") < stood + 6, app.value("Position"))
    expect("the wait is over", not app.text("^Waiting for a sound output"))
    sound.remove()
    wait("it waits again", lambda: app.text("^Waiting for a sound output"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play") and not app.text("^Waiting for a sound output"))
    stood = app.value("Position")
    sound.add()
    time.sleep(2)
    expect("it stays paused", app.named("Play") and abs(app.value("Position") - stood) < 0.5, app.value("Position"))
    app.key("space")
    wait("space plays", lambda: app.value("Position") > stood + 1)
    expect("it closes", app.close() < 3)


class Leaving(http.server.BaseHTTPRequestHandler):
    """Serves a recording in ranges, until it has gone."""

    is_gone = False

    def do_GET(self):
        if Leaving.is_gone:
            return self.send_error(404)
        data = noise.read_bytes()
        match = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "bytes=0-"))
        first, last = int(match[1]), min(int(match[2] or len(data)), len(data) - 1)
        self.send_response(206)
        self.send_header("Content-Type", "audio/flac")
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        try:
            self.wfile.write(data[first : last + 1])
        except OSError:
            pass

    def log_message(self, *_):
        pass


def a_second_try_begins_where_it_failed():
    server, address = serve(Leaving)
    app = App(address + "/noise.flac")
    wait("it plays", lambda: app.named("Pause"))
    Leaving.is_gone = True
    app.slider("Position").queryValue().currentValue = 700
    wait("it fails", lambda: app.named("Try Again"))
    Leaving.is_gone = False
    app.named("Try Again").queryAction().doAction(0)
    wait("another try goes on there", lambda: 699 < app.value("Position") < 720)
    expect("it closes", app.close() < 3)
    server.shutdown()
