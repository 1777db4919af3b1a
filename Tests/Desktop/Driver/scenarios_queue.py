"""The queue: order, moves, removal."""

import os
import pathlib
import time

import pyatspi

from app import App
from helpers import expect, inputs, run, wait
from recordings import album
from services import Services


def a_folder_is_a_queue():
    app = App(album)
    wait("it plays", lambda: app.named("Pause"))
    wait("the queue is listed", lambda: app.rows() == ["1 one", "3 three", "2 two"])
    app.key("greater")
    wait("> goes to the next", lambda: app.title() == "3 three")
    kept = pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx", "positions")
    names = lambda: [f"{name}.ogg" for name in ("one", "two", "three") for path in kept.rglob("*") if path.is_file()
                     and f"/{name}.ogg".encode() in path.read_bytes().replace(b"\\/", b"/")]
    expect("the position is kept of what was left, not of what follows", names() == ["one.ogg"], names())
    app.key("greater")
    wait("> goes to the last", lambda: app.title() == "2 two")
    app.key("space")
    time.sleep(0.6)
    app.screenshot("queue")
    expect("files are in order", app.rows() == ["1 one", "3 three", "2 two"], app.rows())
    app.drag(app.middle(app.row("3 three")), app.above(app.row("1 one")), seconds=0.8)
    wait("a row is dragged to the top", lambda: app.rows() == ["3 three", "1 one", "2 two"])
    app.key("alt+Down")
    wait("Alt and Down moves it", lambda: app.rows() == ["1 one", "3 three", "2 two"])
    app.key("Delete")
    wait("Delete takes it out", lambda: app.rows() == ["1 one", "2 two"])
    expect("what plays stays", app.title() == "2 two", app.title())
    app.close()


def a_folder_of_folders_is_a_queue():
    artist = inputs / "artist"
    disc = artist / "2 A%20Disc"
    for folder in (artist / "10 Late", disc):
        folder.mkdir(parents=True, exist_ok=True)
    (artist / "10 Late" / "last.ogg").write_bytes((album / "two.ogg").read_bytes())
    (disc / "disc.ogg").write_bytes((album / "three.ogg").read_bytes())
    (disc / "an%20encore é.wav").write_bytes((inputs / "tone.wav").read_bytes())
    tracks = "".join(f'  TRACK 0{n} AUDIO\n    TITLE "Part {n}"\n    INDEX 01 00:0{n - 1}:00\n' for n in (1, 2))
    (disc / "disc.cue").write_text('PERFORMER "The Band"\nFILE "disc.ogg" WAVE\n' + tracks)
    app = App(artist)
    wait("it plays", lambda: app.named("Pause"))
    rows = ["an%20encore é.wav", "Part 1", "Part 2", "2 two"]
    wait("folders are in natural order, and a CUE sheet stands for its file", lambda: app.rows() == rows)
    app.close()


def a_broken_file_does_not_hold_up_an_album():
    folder = inputs / "gappy"
    folder.mkdir(exist_ok=True)
    (folder / "0 broken.ogg").write_bytes(b"OggS" + bytes(400))
    (folder / "1 whole.ogg").write_bytes((album / "one.ogg").read_bytes())
    (folder / "2 empty.mp3").write_bytes(b"")
    (folder / "3 no sound.flac").write_bytes(b"fLaC is no sound" * 40)
    (folder / "4 whole.ogg").write_bytes((album / "two.ogg").read_bytes())
    app = App(folder)
    wait("the first that can be played plays", lambda: app.title() == "1 one")
    expect("and one is told why the other does not", wait("a message", lambda: app.text("^0 broken.ogg is passed over")))
    app.place(360, 640)
    app.screenshot_all("toast-narrow")
    app.place(720, 640)
    wait("one is told of an empty one", lambda: app.text("^2 empty.mp3 is passed over"))
    wait("the next that can be played follows by itself", lambda: app.title() == "2 two")
    wait("it plays", lambda: app.named("Pause"))
    app.close()


def long_queue(count):
    """Returns a folder of short recordings, which are one file."""
    folder = inputs / f"long-{count}"
    folder.mkdir(exist_ok=True)
    for number in range(1, count + 1):
        path = folder / f"{number:04} tone.wav"
        if not path.exists():
            os.link(inputs / "tone.wav", path)
    return folder


def focused(app):
    return next((n.name for n in app.all() if n.getState().contains(pyatspi.STATE_FOCUSED)), "")


def a_long_queue_follows_what_plays():
    app = App(long_queue(300))
    wait("it plays", lambda: app.title() == "0001 tone.wav" and app.named("Pause"))
    app.key("space")

    def is_seen(name):
        row = next(n for n in app.all(app.named("Queue", "list")) if n.name.startswith(name))
        _, y, _, height = app.box(row)
        return 40 < y and y + height <= 640

    wait("what plays is seen", lambda: is_seen("0001"))
    for _ in range(30):
        app.key("greater")
    wait("a later one plays", lambda: app.title() == "0031 tone.wav")
    wait("the list follows", lambda: is_seen("0031"))
    app.screenshot_all("queue-follows")
    app.key("ctrl+j")
    wait("the row that plays has the focus", lambda: focused(app).startswith("0031"))
    app.key("End")
    wait("the listener goes elsewhere", lambda: focused(app).startswith("0300"))
    app.key("greater")
    wait("another plays", lambda: app.title() == "0032 tone.wav")
    time.sleep(0.5)
    expect("the list stays where the listener is", is_seen("0300"))
    app.key("ctrl+j")
    wait("Ctrl and J goes to what plays", lambda: is_seen("0032") and focused(app).startswith("0032"))
    app.key("Down")
    wait("arrows go from row to row", lambda: focused(app).startswith("0033"))
    app.key("Tab")
    time.sleep(0.3)
    expect("a list is one stop of the Tab key", "tone.wav" not in focused(app), focused(app))
    app.act("win.queue-clear")
    wait("what plays is left", lambda: app.rows() == ["0032 tone.wav"])
    app.close()


def a_row_is_taken_out_of_a_long_queue():
    app = App(long_queue(2000))
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    rows = lambda: [n for n in app.all(app.named("Queue", "list")) if n.getRoleName() == "list item"]
    wait("all are listed", lambda: len(rows()) == 2000, 60)
    former = {n.name.split(",")[0]: n.path for n in rows()}
    app.key("ctrl+j")
    app.key("Down")
    app.key("Down")
    wait("a row has the focus", lambda: focused(app).startswith("0003"))
    app.key("Delete")
    began = time.monotonic()
    wait("the next row has the focus", lambda: focused(app).startswith("0004"))
    print(f"   {time.monotonic() - began:.2f} s, with the search for the focus", flush=True)
    left = {n.name.split(",")[0]: n.path for n in rows()}
    expect("it is gone", len(left) == 1999 and "0003 tone.wav" not in left, len(left))
    expect("the others are not made anew", all(former[name] == path for name, path in left.items()))
    app.close()


def a_row_has_a_menu():
    services = Services("files")
    app = App(album)
    wait("the queue is listed", lambda: app.rows() == ["1 one", "3 three", "2 two"])
    app.key("space")
    app.key("ctrl+j")
    app.key("End")
    wait("a row has the focus", lambda: focused(app).startswith("2 two"))
    app.key("shift+F10")
    wait("the menu opens", lambda: app.named("Play Next"))
    app.screenshot_all("row-menu")
    run("xdotool", "key", "Return")
    wait("the row is next", lambda: app.rows() == ["1 one", "2 two", "3 three"])
    app.move(*app.middle(app.row("3 three")))
    run("xdotool", "click", "3")
    wait("the second button opens it, too", lambda: app.named("Show File"))
    run("xdotool", "key", "Down", "Down", "Return")
    wait("the program for files shows it", lambda: services.named("ShowItems"))
    uris = services.named("ShowItems")[0][0]
    expect("with its URL", uris == [(album / "three.ogg").as_uri()], uris)
    app.move(*app.middle(app.row("3 three")))
    run("xdotool", "click", "3")
    wait("the menu opens again", lambda: app.named("Take Out"))
    run("xdotool", "key", "Down", "Return")
    wait("the row is gone", lambda: app.rows() == ["1 one", "2 two"])
    app.close()
    services.stop()


def a_space_bar_presses_the_button_with_the_focus():
    app = App(album)
    wait("it plays", lambda: app.title() == "1 one" and app.named("Pause"))
    app.press(app.named("Next", "push button"))
    wait("the next plays", lambda: app.title() == "3 three")
    app.key("space")
    wait("a button that was clicked is not pressed by the space bar", lambda: app.named("Play") and app.title() == "3 three")
    for _ in range(30):
        app.key("Tab")
        if focused(app) == "Next":
            break
    expect("the Tab key comes to the button", focused(app) == "Next", focused(app))
    app.key("space")
    wait("the space bar presses it", lambda: app.title() == "2 two")
    app.close()
