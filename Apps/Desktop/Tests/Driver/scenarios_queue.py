"""The queue: order, moves, removal."""

import os
import pathlib
import time

from app import App
from helpers import expect, inputs, wait
from recordings import album


def a_folder_is_a_queue():
    app = App(album)
    wait("it plays", lambda: app.named("Pause"))
    wait("the queue is listed", lambda: app.text("^one"))
    app.key("greater")
    wait("> goes to the next", lambda: app.text("^3 three"))
    kept = pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx", "positions")
    names = lambda: [f"{name}.ogg" for name in ("one", "two", "three") for path in kept.rglob("*") if path.is_file()
                     and f"/{name}.ogg".encode() in path.read_bytes().replace(b"\\/", b"/")]
    expect("the position is kept of what was left, not of what follows", names() == ["one.ogg"], names())
    app.key("greater")
    wait("> goes to the last", lambda: app.text("^2 two"))
    app.key("space")
    time.sleep(0.6)
    app.screenshot("queue")
    expect("files are in order", app.rows() == ["one.ogg", "three.ogg", "two.ogg"], app.rows())
    app.drag(app.middle(app.row("three.ogg")), app.above(app.row("one.ogg")), seconds=0.8)
    wait("a row is dragged to the top", lambda: app.rows() == ["three.ogg", "one.ogg", "two.ogg"])
    app.key("shift+Down")
    wait("Shift and Down moves it", lambda: app.rows() == ["one.ogg", "three.ogg", "two.ogg"])
    app.key("Delete")
    wait("Delete takes it out", lambda: app.rows() == ["one.ogg", "two.ogg"])
    expect("what plays stays", app.text("2 two"))
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
    wait("the first that can be played plays", lambda: app.text("^1 one"))
    expect("and one is told why the other does not", wait("a message", lambda: app.text("^0 broken.ogg is passed over")))
    wait("one is told of an empty one", lambda: app.text("^2 empty.mp3 is passed over"))
    wait("the next that can be played follows by itself", lambda: app.text("^2 two"))
    wait("it plays", lambda: app.named("Pause"))
    app.close()
