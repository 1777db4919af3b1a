"""A second window: what is opened goes where, whose sound stops, and what is kept of both."""

import copy
import json
import os
import pathlib
import subprocess
import time

from app import App
from helpers import expect, inputs, program, run, wait
from recordings import album, book, noise, song
from servers import FeedServer

state = pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx")


def second(app, open_it):
    """Opens another window by `open_it`, and returns it: an `App` whose root is the frame of that window."""
    known, frames = set(app.windows()), list(app.find_root())
    open_it()
    new = copy.copy(app)
    new.window = wait("another window is there", lambda: next(w for w in app.windows() if w not in known))
    new.root = wait("another frame is there", lambda: next(f for f in app.find_root() if f not in frames and app.box(f)[2] > 0))
    if len(frames) == 1:
        app.root = frames[0]
    return new


def start(*arguments):
    """Starts the program once more, which hands its arguments to the first, and waits for its end."""
    return subprocess.run([program, *map(str, arguments)], timeout=20).returncode


def shown(app):
    """Returns the titles of the tracks that playerctl knows, one for each player on the bus."""
    return run("playerctl", "--all-players", "metadata", "title").split("\n")[:-1]


def a_second_window():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    other = second(app, lambda: app.key("ctrl+n"))
    wait("it offers what can be continued, or nothing", lambda: other.text("^Listen$|^Continue$"))
    expect("the first plays on", app.named("Pause"))
    expect("the media keys stay with what plays", shown(app) == ["The Tide"], shown(app))
    expect("a start with a file ends at once", start(book) == 0)
    wait("the active window gets the file", lambda: other.text("^Morning( ·|$)") and other.named("Pause"))
    expect("the first has what it played", app.text("^The Tide$"))
    wait("and does not sound under it", lambda: app.named("Play"))
    wait("the media keys are for the one that began last", lambda: shown(app) == ["A Day"])
    run("xdotool", "windowmove", app.window, "20", "40")
    run("xdotool", "windowmove", other.window, "540", "200")
    time.sleep(0.5)
    app.screenshot_all("two-windows")
    run("playerctl", "pause")
    wait("a media key pauses it", lambda: other.named("Play"))
    expect("and does not play the other", app.named("Play"))
    run("playerctl", "play")
    wait("and plays it again", lambda: other.named("Pause"))
    app.activate()
    app.key("space")
    wait("a window that plays takes the keys", lambda: shown(app) == ["The Tide"])
    wait("and pauses the other", lambda: other.named("Play"))
    run("playerctl", "pause")
    wait("a media key pauses that", lambda: app.named("Play"))
    other.activate()
    before = app.value("Position")
    run("xdotool", "key", "ctrl+w")
    wait("one window closes", lambda: other.window not in app.windows())
    expect("the app runs on", app.process.poll() is None and app.named("Play"))
    expect("the other one stays where it is", app.value("Position") == before)
    wait("it has the media keys", lambda: shown(app) == ["The Tide"])
    app.activate()
    app.key("space")
    wait("it plays", lambda: app.value("Position") > before + 0.5)
    expect("the app ends with its last window", app.close() < 3)


def a_second_window_that_closes_stops_its_sound_alone():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    other = second(app, lambda: app.act("new-window"))
    expect("a start with a file ends at once", start(book) == 0)
    wait("the other plays", lambda: other.text("^Morning( ·|$)") and other.value("Position") > 0.5)
    app.activate()
    run("xdotool", "key", "ctrl+w")
    wait("the first window closes", lambda: app.window not in app.windows())
    position = other.value("Position")
    wait("the other plays on", lambda: other.value("Position") > position + 1)
    wait("the media keys are for it", lambda: shown(other) == ["A Day"])
    kept = [json.loads(path.read_text()) for path in (state / "positions").iterdir()]
    expect("the position of the first is kept", "song.m4a" in [k["item"].split("/")[-1] for k in kept], kept)
    other.activate()
    other.key("ctrl+q")
    wait("Control and Q ends it", lambda: other.process.poll() is not None)
    names = sorted(json.loads(path.read_text())["item"].split("/")[-1] for path in (state / "positions").iterdir())
    expect("both positions are kept", names == ["book.m4a", "song.m4a"], names)


def a_new_window_by_the_command_line():
    app = App("--new-window")
    expect("the first start with the option has one window", len(app.windows()) == 1, app.windows())
    other = second(app, lambda: expect("a start with the option ends at once", start("--new-window", song) == 0))
    wait("its file is in the new window", lambda: other.text("^The Tide$") and other.named("Pause"))
    expect("the first stays empty", app.text("^Listen$"))
    expect("a start without arguments opens none", start() == 0 and len(app.windows()) == 2, app.windows())
    app.activate()
    start(album)
    wait("files go to the window that was active last", lambda: app.text("^1 one$"))
    expect("and not to the newest", other.text("^The Tide$"))
    app.key("ctrl+q")
    wait("Control and Q closes all", lambda: app.process.poll() is not None)
    expect("it ends well", app.process.returncode == 0, app.process.returncode)


def a_second_window_loses_nothing_of_the_first():
    app = App(noise)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    app.slider("Volume").queryValue().currentValue = 40
    app.slider("Position").queryValue().currentValue = 300
    wait("the position is set", lambda: abs(app.value("Position") - 300) < 2)
    other = second(app, lambda: app.key("ctrl+n"))
    start(noise)
    wait("the same recording goes on where the first window is", lambda: 299 < other.value("Position") < 310)
    expect("a new window has the volume of the active one", other.value("Volume") == 40, other.value("Volume"))
    other.key("space")
    wait("space pauses", lambda: other.named("Play"))
    other.slider("Position").queryValue().currentValue = 600
    wait("the position is set", lambda: abs(other.value("Position") - 600) < 2)
    other.key("b")
    wait("a bookmark is set", lambda: other.text("^Bookmark set at 10:00"))
    app.activate()
    app.key("b")
    wait("a bookmark is set in the first", lambda: app.text("^Bookmark set at 5:00"))
    kept = [json.loads(path.read_text()) for path in (state / "bookmarks").iterdir()]
    places = [round(mark["position"]) for mark in kept[0]["bookmarks"]] if kept else []
    expect("both bookmarks are kept", sorted(places) == [300, 600], kept)
    start(book)
    wait("the first plays something else", lambda: app.text("^Morning( ·|$)"))
    start(noise)
    wait("and the recording again, where it was heard last", lambda: app.text("^noise.flac$") and app.value("Position") > 595)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 450
    wait("the position is set", lambda: abs(app.value("Position") - 450) < 2)
    app.key("ctrl+w")
    wait("the first window closes", lambda: app.window not in app.windows())
    # Closed last, and heard before the first.
    expect("it closes", other.close() < 3)
    kept = [json.loads(path.read_text()) for path in (state / "positions").iterdir()]
    found = [k["position"] for k in kept if k["item"].endswith("noise.flac")]
    expect("the position counts that was heard last", abs(found[0] - 450) < 2, found)
    places = [place["input"].split("/")[-1] for place in json.loads((state / "windows.json").read_text())["places"]]
    expect("recordings of both windows are remembered", sorted(places) == ["book.m4a", "noise.flac"], places)
    volume = json.loads((state / "desktop.json").read_text())["volume"]
    expect("the volume is kept", abs(volume - 0.4) < 0.01, volume)


def a_second_window_has_the_same_podcasts():
    feeds = FeedServer()
    app = App()
    other = second(app, lambda: app.key("ctrl+n"))
    other.key("ctrl+p")
    wait("it has none", lambda: other.text("^No Podcasts$"))
    app.activate()
    # The dialog is a window of its own.
    frame, app.root = app.root, app.find_root()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    app.root = frame
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    wait("the other lists them, too", lambda: other.text("^Low Water$"))
    expect("and is not led to the podcast", other.text("^New Episodes$"))
    wait("an episode can be downloaded", lambda: app.named("Download", "push button")).queryAction().doAction(0)
    wait("the download is there", lambda: app.named("Remove Download", "push button"))
    wait("the other knows it", lambda: other.named("Remove Download", "push button"))
    app.key("ctrl+w")
    wait("the first window closes", lambda: app.window not in app.windows())
    other.named("Remove Download", "push button").queryAction().doAction(0)
    wait("it is removed by the other", lambda: not other.named("Remove Download", "push button"))
    expect("the app ends with its last window", other.close() < 3)
    feeds.server.shutdown()


def a_window_that_closes_gives_back_its_memory():
    app = App()
    figures, threads = [], []
    for number in range(20):
        other = second(app, lambda: app.act("new-window"))
        other.activate()
        start(inputs / "song.m4a")
        wait("it plays", lambda: other.named("Pause"))
        run("xdotool", "key", "ctrl+w")
        wait("it closes", lambda: other.window not in app.windows())
        if number % 5 == 4:
            time.sleep(1)
            status = pathlib.Path(f"/proc/{app.process.pid}/status").read_text()
            values = dict(line.split(":", 1) for line in status.splitlines())
            figures.append(int(values["VmRSS"].split()[0]) // 1024)
            threads.append(int(values["Threads"]))
    print("   megabytes after each five:", *figures, "threads:", *threads, flush=True)
    expect("threads end with their window", threads[-1] <= threads[0] + 3, threads)
    expect("memory does not grow with each window", figures[-1] - figures[0] < 25, figures)
    expect("it closes", app.close() < 3)
