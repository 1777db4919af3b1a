"""One script of commands for every face: all end with the same positions, queue and settings."""

import json
import os
import pathlib
import pty
import subprocess
import threading

from app import App, started
from helpers import expect, inputs, program, run, scratch, wait

syrinx = str(pathlib.Path(program).parent / "syrinx")


def tone(name, seconds):
    path = inputs / name
    if not path.exists():
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=440:d={seconds}:r=16000", str(path))
    return path


one, two, three = tone("one.flac", 1200), tone("two.flac", 900), tone("three.flac", 9)


class Face:
    """A player and the state that it keeps."""

    def __init__(self, name):
        self.name = name
        self.env = dict(os.environ, XDG_STATE_HOME=str(scratch / name / "state"), XDG_DATA_HOME=str(scratch / name / "data"))
        self.state = scratch / name / "state" / "syrinx"

    def status(self):
        return json.loads(subprocess.run([syrinx, "control", "status", "--json"], capture_output=True, text=True, check=True).stdout)

    def send(self, text, as_json):
        subprocess.run([syrinx, "control", *text.split()], capture_output=True, text=True, check=True)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        # It may be about to end by itself.
        subprocess.run([syrinx, "control", "stop"], capture_output=True)

    def positions(self):
        """Returns the positions that are kept, by the names of the files: whole seconds, or `played`."""
        found = {}
        for path in (self.state / "positions").glob("*"):
            place = json.loads(path.read_text())
            found[place["item"].rsplit("/", 1)[1]] = "played" if place["isFinished"] else round(place["position"])
        return found

    def queue(self):
        session = json.loads((self.state / "last.session").read_text())
        return [item.rsplit("/", 1)[1] for item in session["items"]], session["index"]


class Window(Face):
    def start(self, *inputs):
        keys = ("XDG_STATE_HOME", "XDG_DATA_HOME")
        self.app = App(*inputs, **{key: self.env[key] for key in keys})
        self.process = self.app.process

    def end(self):
        self.app.close()


class Terminal(Face):
    """The full screen on a terminal of 100 columns."""

    options = []

    def start(self, *inputs):
        leader, follower = pty.openpty()
        command = [syrinx, "play", "--output", "null", "--resume", *self.options, *map(str, inputs)]
        env = dict(self.env, TERM="xterm-256color", COLUMNS="100", LINES="30")
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True)
        os.close(follower)
        started.append(self.process)
        threading.Thread(target=self.drain, args=(leader,), daemon=True).start()

    @staticmethod
    def drain(leader):
        try:
            while os.read(leader, 65536):
                pass
        except OSError:
            pass


class Line(Terminal):
    """The player of one line."""

    options = ["--plain"]


class Control(Face):
    """A program that reads events and writes commands as JSON."""

    def start(self, *inputs):
        command = [syrinx, "play", "--output", "null", "--resume", "--json", "--control", "--no-mpris", *map(str, inputs)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env, text=True)
        started.append(self.process)
        self.seen = {"state": "opening", "time": 0, "rate": 1, "pitch": 0, "volume": 1, "index": 0, "count": len(inputs), "url": ""}
        threading.Thread(target=self.read, args=(self.process,), daemon=True).start()

    def read(self, process):
        for line in process.stdout:
            event = json.loads(line)
            keys = {"state": ["state", "time"], "position": ["time"], "settings": ["rate", "pitch", "volume"], "opened": ["url"]}
            for key in keys.get(event["event"], []):
                self.seen[key] = event[key]

    def status(self):
        return dict(self.seen)

    def end(self):
        self.process.stdin.close()

    def send(self, text, as_json):
        self.process.stdin.write(json.dumps(as_json) + "\n")
        self.process.stdin.flush()


def play_the_script(face):
    """Returns the state on disk after the script."""
    def status(what, condition, seconds=15):
        return wait(f"{face.name}: {what}", lambda: (lambda now: condition(now) and now)(face.status()), seconds)

    def send(text, **as_json):
        face.send(text, as_json)

    face.start(one, two, three)
    status("it plays", lambda now: now["state"] == "playing")
    send("seek 300", command="seek", time=300)
    status("it has sought", lambda now: 300 <= now["time"] < 330)
    send("rate 2", command="rate", value=2)
    send("pitch 100", command="pitch", value=100)
    send("volume 80", command="volume", value=0.8)
    status("the sound is set", lambda now: (now["rate"], now["pitch"], round(now["volume"], 2)) == (2, 100, 0.8))
    send("pause", command="pause")
    first = status("it is paused", lambda now: now["state"] == "paused")["time"]
    send("next", command="next")
    second = status("the next is open", lambda now: now["url"].endswith("two.flac") and now["state"] == "paused")
    expect(f"{face.name}: a paused player stays paused at the next", second["time"] < 0.5, second["time"])
    send("seek 400", command="seek", time=400)
    status("it has sought", lambda now: 399 < now["time"] < 401)
    send("resume", command="resume")
    status("it plays", lambda now: now["state"] == "playing" and now["time"] > 402)
    send("previous", command="previous")
    again = status("the first is open", lambda now: now["url"].endswith("one.flac") and now["state"] == "playing")
    expect(f"{face.name}: it continues where it was left", first - 10 < again["time"] < first + 5, f"{first} {again['time']}")
    send("pause", command="pause")
    status("it is paused", lambda now: now["state"] == "paused")
    send("seek 500", command="seek", time=500)
    status("it has sought", lambda now: 499 < now["time"] < 501)
    # The third is played to its end.
    send("goto 3", command="goto", index=2)
    status("the third is open", lambda now: now["url"].endswith("three.flac"))
    send("resume", command="resume")
    wait(f"{face.name}: the third counts as played", lambda: face.positions().get("three.flac") == "played", 20)
    if face.process.poll() is None:
        face.end()
    wait(f"{face.name}: it ends", lambda: face.process.poll() is not None)
    before = (face.positions(), face.queue())
    # A crash, and opening again.
    face.start(one, two, three)
    status("it plays again", lambda now: now["state"] == "playing" and now["time"] > 497)
    send("seek 600", command="seek", time=600)
    playing = status("it plays on", lambda now: now["time"] > 606)["time"]
    face.kill()
    lost = playing - face.positions()["one.flac"]
    expect(f"{face.name}: a crash loses at most five seconds", -3 < lost < 5.5, f"{lost:.1f}")
    return before


def a_script_leaves_the_same_state_in_every_face():
    faces = [Window("window"), Terminal("terminal"), Line("line"), Control("control")]
    results = {face.name: play_the_script(face) for face in faces}
    for name, (positions, queue) in results.items():
        near = abs(positions.get("one.flac", 0) - 500) <= 1 and 401 < positions.get("two.flac", 0) < 420
        expect(f"{name}: the positions", near and positions.get("three.flac") == "played", positions)
        expect(f"{name}: the queue", queue == (["one.flac", "two.flac", "three.flac"], 2), queue)
