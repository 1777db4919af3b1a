"""Names of files that are not UTF-8, as old disks have them."""

import json
import os
import pathlib
import time

from app import App
from helpers import expect, inputs, wait
from recordings import album, film, noise, song
from scenarios_drops import Source, uris

state = pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx")


def named(folder, name, source):
    """Links a recording under a name of any bytes, and returns its path."""
    path = folder / os.fsdecode(name)
    if not path.exists():
        os.link(source, path)
    return path


def made(name):
    folder = inputs / os.fsdecode(name)
    folder.mkdir(exist_ok=True)
    return folder


def a_name_that_is_not_text():
    folder = made(b"m\xfcsik")
    cafe, naive = named(folder, b"caf\xe9.ogg", album / "one.ogg"), named(folder, b"na\xefve.flac", noise)
    app = App(cafe)
    wait("an argument plays", lambda: app.text("^1 one$") and app.named("Pause"))
    app.key("space")
    app.key("F9")
    wait("it is the queue", lambda: app.rows() == ["1 one"])
    Source(uris(naive)).drag(app, 200, 300)
    wait("a drop plays, with its name as the title", lambda: app.text("^na\ufffdve.flac$") and app.named("Pause"))
    app.slider("Position").queryValue().currentValue = 300
    wait("the position is set", lambda: abs(app.value("Position") - 300) < 2)
    app.key("b")
    wait("a bookmark is set", lambda: app.text("^Bookmark set at 5:0"))
    time.sleep(0.6)
    app.screenshot_all("name-of-bytes")
    expect("it closes", app.close() < 3)
    for kind in ("bookmarks", "positions"):
        kept = [json.loads(path.read_text())["item"] for path in (state / kind).iterdir()]
        expect(f"{kind} are kept by its bytes", naive.as_uri() in kept and naive.as_uri().endswith("na%EFve.flac"), kept)
    app = App(naive)
    wait("it goes on where it was left", lambda: app.value("Position") > 290)
    app.close()


def a_folder_of_names_that_are_not_text():
    folder = made(b"gr\xfcn")
    (folder / os.fsdecode(b"0 br\xf6ken.ogg")).write_bytes(b"OggS" + bytes(400))
    named(folder, b"1 caf\xe9.ogg", album / "one.ogg")
    within = folder / os.fsdecode(b"2 n\xe4chster")
    within.mkdir(exist_ok=True)
    named(within, b"3 f\xefl\xef.mp4", film)
    (folder / ".hidden.ogg").write_bytes(b"")
    # A folder with the name of a recording is none.
    (folder / "4 folder.ogg").mkdir(exist_ok=True)
    app = App()
    Source(uris(folder)).drag(app, 300, 300)
    wait("what is broken is named", lambda: app.text("^0 br\ufffdken.ogg is passed over"))
    wait("the next plays", lambda: app.text("^1 one$") and app.named("Pause"))
    wait("the folder is the queue", lambda: app.rows() == ["0 br\ufffdken.ogg", "1 one", "3 f\ufffdl\ufffd.mp4"])
    app.key("greater")
    wait("a film of such a name has pictures", lambda: app.named("Video"))
    app.close()


def a_playlist_of_names_that_are_not_text():
    folder = made(b"l\xefsten")
    named(folder, b"caf\xe9.ogg", album / "one.ogg")
    named(folder, "t\u00fcr.ogg".encode(), album / "two.ogg")
    listed = folder / os.fsdecode(b"l\xefste.m3u")
    # In Latin-1: a name of these bytes, and one that is UTF-8 on the disk.
    listed.write_bytes("#EXTM3U\n#EXTINF:8,Na\u00efve\ncaf\u00e9.ogg\nt\u00fcr.ogg\n".encode("latin-1"))
    app = App(listed)
    wait("its first entry plays", lambda: app.text("^1 one$") and app.named("Pause"))
    app.key("F9")
    wait("its entries are the queue", lambda: app.rows() == ["1 one", "2 two"])
    app.key("greater")
    wait("a name that is UTF-8 on the disk is found", lambda: app.text("^2 two$"))
    app.close()
