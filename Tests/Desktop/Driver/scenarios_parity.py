"""One script of commands for every face: all end with the same positions, marks, queue and settings."""

import fcntl
import json
import os
import pathlib
import pty
import struct
import subprocess
import termios
import threading
import time

from app import App, started
from helpers import expect, inputs, program, run, scratch, wait
from servers import FeedServer

syrinx = str(pathlib.Path(program).parent / "syrinx")


script = json.loads((pathlib.Path(__file__).parents[2] / "Parity" / "script.json").read_text())


def make(recording):
    """Returns the path of a recording of the script, which is made if it is missing."""
    path = inputs / recording["name"]
    tags = []
    for number, start in enumerate(recording.get("chapters", [])):
        key = f"CHAPTER{number + 1:03}"
        tags += ["-metadata", f"{key}=00:{start // 60:02}:{start % 60:02}.000", "-metadata", f"{key}NAME=Part {number + 1}"]
    if not path.exists():
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=440:d={recording['seconds']}:r=16000", *tags, str(path))
    return path


# The paths of the recordings, once they are made.
recordings = []


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

    def start(self):
        self.run(*recordings)

    def podcast(self, *words):
        """Returns the answer of a command about podcasts, one object a line."""
        command = [syrinx, "podcast", *words, "--json"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True, env=self.env).stdout
        return [json.loads(line) for line in answer.splitlines()]

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

    def settings(self):
        """Returns the settings of the sound that are kept for the folder of the recordings."""
        kept = json.loads((self.state / "kept.settings").read_text())
        return [place["settings"]["sound"] for place in kept.values()]


class Window(Face):
    def run(self, *inputs):
        keys = ("XDG_STATE_HOME", "XDG_DATA_HOME")
        self.app = App(*inputs, **{key: self.env[key] for key in keys})
        self.process = self.app.process

    def play(self, episode):
        self.run()
        self.app.key("ctrl+p")
        self.app.play_episode(episode["title"])

    def sleep(self):
        # 15, 30, 45 and 60 minutes, the end of the chapter, the end of the recording.
        self.app.key(*["z"] * 6)
        wait("the window sleeps after the recording", lambda: self.app.text("^Sleep at the end of the recording$"))

    def end(self):
        self.app.close()


class Terminal(Face):
    """The full screen on a terminal of 100 columns."""

    options = []

    def start(self):
        self.run("play", "--resume", *self.options, *recordings)

    def play(self, episode):
        self.run("podcast", "play", *self.options, str(episode["id"]))

    def run(self, *words):
        leader, follower = pty.openpty()
        command = [syrinx, *map(str, words), "--output", "null"]
        env = dict(self.env, TERM="xterm-256color")
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        streams = dict(stdin=follower, stdout=follower, stderr=follower)
        # A player that is not in the foreground of its terminal reads no keys.
        own = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen(command, **streams, env=env, start_new_session=True, preexec_fn=own)
        os.close(follower)
        self.leader = leader
        started.append(self.process)
        threading.Thread(target=self.drain, args=(leader,), daemon=True).start()

    def sleep(self):
        os.write(self.leader, b"z" * 6)
        time.sleep(0.5)

    @staticmethod
    def drain(leader):
        try:
            while os.read(leader, 65536):
                pass
        except OSError:
            pass


class Line(Terminal):
    """The player of one line, which has the sleep timer as an option."""

    options = ["--plain", "--sleep", "item"]

    def sleep(self):
        pass


class Control(Face):
    """A program that reads events and writes commands as JSON."""

    options = ["--output", "null", "--json", "--control", "--no-mpris", "--sleep", "item"]

    def start(self):
        self.run("play", "--resume", *self.options, *recordings)

    def play(self, episode):
        self.run("podcast", "play", *self.options, str(episode["id"]))

    def sleep(self):
        pass

    def run(self, *words):
        self.process = subprocess.Popen([syrinx, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env, text=True)
        started.append(self.process)
        self.seen = {"state": "opening", "time": 0, "rate": 1, "pitch": 0, "volume": 1, "url": ""}
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
        self.send("stop", {"command": "stop"})

    def send(self, text, as_json):
        self.process.stdin.write(json.dumps(as_json) + "\n")
        self.process.stdin.flush()


def is_within(value, limits):
    return limits[0] <= value <= limits[1]


def fits(now, step, times):
    """Returns whether a status is that of a step."""
    if step.get("state", now["state"]) != now["state"] or not now["url"].endswith(step.get("item", "")):
        return False
    if "since" in step and not is_within(now["time"] - times[step["since"][0]], step["since"][1:]):
        return False
    return all(is_within(now[key], step[key]) for key in ("time", "rate", "pitch", "volume") if key in step)


def play(face, steps):
    """Carries out steps, and returns the times of those with a name."""
    times = {}
    for step in steps:
        if "send" in step:
            face.send(step["send"], step["json"])
        elif "sleep" in step:
            face.sleep()
        elif "played" in step:
            wait(f"{face.name}: {step['played']} counts as played", lambda: face.positions().get(step["played"]) == "played", 20)
        elif "end" in step:
            if face.process.poll() is None:
                face.end()
            wait(f"{face.name}: it ends", lambda: face.process.poll() is not None)
        else:
            now = wait(f"{face.name}: {step['wait']}", lambda: (lambda now: fits(now, step, times) and now)(face.status()))
            times[step.get("name")] = now["time"]
    return times


def expect_positions(face):
    found, kept = face.positions(), script["kept"]["positions"]
    isSame = found.keys() == kept.keys()
    for name, place in kept.items():
        isSame = isSame and (found[name] == place if place == "played" else found[name] != "played" and is_within(found[name], place))
    expect(f"{face.name}: the positions", isSame, found)


def play_the_script(face):
    face.start()
    play(face, script["steps"])
    expect_positions(face)
    queue = script["kept"]["queue"]
    expect(f"{face.name}: the queue", face.queue() == (queue["items"], queue["index"]), face.queue())
    expect(f"{face.name}: the settings of the folder", face.settings() == [script["kept"]["settings"]], face.settings())
    face.start()
    playing = play(face, script["crash"])["crash"]
    face.kill()
    lost = playing - face.positions()["one.flac"]
    expect(f"{face.name}: a crash loses at most five seconds", is_within(lost, script["lost"]), f"{lost:.1f}")


def play_the_episode(face, feed):
    """Plays an episode, whose podcast keeps the rate."""
    podcast = face.podcast("add", feed)[0]
    # Ids as words: a feed is a number, a title or an address.
    listed = lambda: next(e for e in face.podcast("show", str(podcast["id"])) if e["title"] == script["episode"]["title"])
    face.play(listed())
    play(face, script["episode"]["steps"])
    kept = script["episode"]["kept"]
    settings, episode = face.podcast("set", str(podcast["id"]))[0], listed()
    expect(f"{face.name}: the podcast keeps the rate", settings["rate"] == kept["rate"], settings)
    isKept = not episode["played"] and is_within(episode["position"], kept["position"])
    expect(f"{face.name}: the episode keeps the position", isKept, episode)


def a_script_leaves_the_same_state_in_every_face():
    recordings[:] = [make(recording) for recording in script["recordings"]]
    feeds = FeedServer()
    for face in (Window("window"), Terminal("terminal"), Line("line"), Control("control")):
        play_the_script(face)
        play_the_episode(face, feeds.url + "/feed.xml")
    feeds.server.shutdown()
