"""The order of the queue: shuffling and repetition, by buttons, keys and the desktop's panels."""

import time

import pyatspi

from app import App
from helpers import expect, inputs, run, wait
from recordings import make


def playerctl(*arguments):
    return run("playerctl", *arguments).strip()


def is_on(button):
    states = button.getState()
    return states.contains(pyatspi.STATE_PRESSED) or states.contains(pyatspi.STATE_CHECKED)


def short(count, seconds):
    """Returns a folder of short recordings named a, b, …"""
    folder = inputs / f"short-{count}-{seconds}"
    folder.mkdir(exist_ok=True)
    for name in "abcdefghij"[:count]:
        make(f"{folder.name}/{name}.ogg", seconds, "-metadata", f"title={name}")
    return folder


def titles(app, count, seconds=30):
    """Returns the titles of recordings as they follow each other, up to so many."""
    found, end = [], time.monotonic() + seconds
    while len(found) < count and time.monotonic() < end:
        # Until the tags are known the title is the name of the file.
        title = playerctl("metadata", "title").removesuffix(".ogg")
        if not found or title != found[-1]:
            found.append(title)
        time.sleep(0.05)
    return found


def a_queue_is_repeated():
    app = App(short(2, 5))
    wait("it plays", lambda: app.named("Pause"))
    expect("nothing is repeated", playerctl("loop") == "None", playerctl("loop"))
    app.press(app.named("Repeat: Off", "push button"))
    button = wait("the button repeats all", lambda: app.named("Repeat: All", "push button"))
    expect("it is pressed", is_on(button))
    wait("the desktop is told", lambda: playerctl("loop") == "Playlist")
    found = titles(app, 4)
    expect("the queue begins again by itself", found == ["a", "b", "a", "b"], found)
    expect("it still plays", app.named("Pause"))
    wait("the last plays", lambda: app.title() == "b")
    app.key("greater")
    wait("> goes on to the first", lambda: app.title() == "a")
    app.key("less")
    wait("< goes back to the last", lambda: app.title() == "b")
    app.key("L")
    wait("the key repeats one", lambda: app.named("Repeat: One", "push button"))
    wait("a message says so", lambda: app.text("^Repeating this recording$"))
    wait("the desktop is told of one", lambda: playerctl("loop") == "Track")
    starts = 0
    former, end = 0.0, time.monotonic() + 13
    while time.monotonic() < end:
        position = float(playerctl("position"))
        starts += position < former - 1
        former = position
        time.sleep(0.1)
    expect("the recording begins again, and again", starts >= 2, starts)
    expect("it is the same", app.title() == "b" and app.named("Pause"), app.title())
    run("playerctl", "loop", "None")
    button = wait("the desktop switches it off", lambda: app.named("Repeat: Off", "push button"))
    expect("it is not pressed", not is_on(button))
    wait("the last one ends", lambda: app.named("Play"))
    run("playerctl", "loop", "Track")
    wait("the desktop repeats one", lambda: app.named("Repeat: One", "push button"))
    app.close()


def a_queue_is_shuffled():
    folder = short(10, 9)
    order = list("abcdefghij")
    app = App(folder)
    wait("it plays", lambda: app.named("Pause"))
    wait("the queue is in order", lambda: app.rows() == order)
    app.key("greater")
    app.key("greater")
    wait("the third plays", lambda: app.title() == "c")
    expect("the desktop knows the order", playerctl("shuffle") == "Off", playerctl("shuffle"))
    app.press(app.named("Shuffle", "push button"))
    wait("what plays is the first", lambda: app.rows()[0] == "c")
    shuffled = app.rows()
    expect("the others follow by chance", sorted(shuffled) == order and shuffled[1:] != [n for n in order if n != "c"], shuffled)
    expect("the recording plays on", app.title() == "c" and app.named("Pause"), app.title())
    expect("the button is pressed", is_on(app.named("Shuffle", "push button")))
    wait("the desktop is told", lambda: playerctl("shuffle") == "On")
    app.slider("Position").queryValue().currentValue = 8.2
    wait("the next of the new order follows", lambda: app.title() == shuffled[1])
    app.key("S")
    wait("the key puts them back in order", lambda: app.rows() == order)
    wait("a message says so", lambda: app.text("^Shuffle is off$"))
    expect("what plays stays", app.title() == shuffled[1], app.title())
    run("playerctl", "shuffle", "On")
    wait("the desktop shuffles", lambda: is_on(app.named("Shuffle", "push button")) and app.rows()[0] == shuffled[1])
    run("playerctl", "shuffle", "Off")
    wait("the desktop puts them back", lambda: app.rows() == order and not is_on(app.named("Shuffle", "push button")))
    app.place(360, 640)
    expect("it fits in 360 pixels", app.size()[0] == 360, app.size())
    app.key("L")
    time.sleep(0.6)
    app.screenshot_all("order-narrow")
    app.close()


def a_queue_of_damaged_files_is_repeated():
    folder = inputs / "damaged"
    folder.mkdir(exist_ok=True)
    for name in ("0.ogg", "1.ogg", "2.ogg"):
        (folder / name).write_bytes(b"OggS" + bytes(400))
    app = App()
    app.key("L")
    wait("all is repeated", lambda: app.text("^Repeating all"))
    run(
        "gdbus", "call", "--session", "--dest", "io.github.syrinx.Syrinx", "--object-path", "/io/github/syrinx/Syrinx",
        "--method", "org.freedesktop.Application.Open", f"['{folder.as_uri()}']", "{}",
    )
    wait("the failure is told", lambda: app.named("Try Again"))
    time.sleep(1)
    before = app.processor_time()
    time.sleep(2)
    expect("nothing goes on", app.processor_time() - before < 1 and app.named("Try Again"))
    app.key("L")
    wait("one is repeated", lambda: app.text("^Repeating this"))
    silent = inputs / "nothing.wav"
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=1", "-t", "0", str(silent))
    run(
        "gdbus", "call", "--session", "--dest", "io.github.syrinx.Syrinx", "--object-path", "/io/github/syrinx/Syrinx",
        "--method", "org.freedesktop.Application.Open", f"['{silent.as_uri()}']", "{}",
    )
    time.sleep(2)
    before = app.processor_time()
    time.sleep(2)
    expect("a recording without sound is not repeated", app.processor_time() - before < 1, app.processor_time() - before)
    expect("it closes", app.close() < 3)
