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
    app.key("shift+Down")
    wait("Shift and Down moves it", lambda: app.rows() == ["1 one", "3 three", "2 two"])
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
    wait("one is told of an empty one", lambda: app.text("^2 empty.mp3 is passed over"))
    wait("the next that can be played follows by itself", lambda: app.title() == "2 two")
    wait("it plays", lambda: app.named("Pause"))
    app.close()
