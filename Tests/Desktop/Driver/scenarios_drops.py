"""Files, folders, playlists and links that are dragged from another program."""

import pathlib
import subprocess
import sys
import time

from app import App
from helpers import expect, inputs, run, wait
from recordings import album, film, song
from servers import FeedServer


class Source:
    """A window of another program beside the app's, with something to drag."""

    def __init__(self, text, kind="text/uri-list"):
        program = pathlib.Path(__file__).with_name("dragsource.py")
        self.process = subprocess.Popen([sys.executable, str(program), kind, text], stderr=subprocess.DEVNULL)
        self.window = wait(
            "the other window is there",
            lambda: run("xdotool", "search", "--onlyvisible", "--name", "^drag source$").split()[-1],
        )
        run("xdotool", "windowmove", "--sync", self.window, "900", "200")
        time.sleep(0.3)

    def drag(self, app, x, y, keeps=False):
        """Drags to a place in the app's window; `keeps` leaves the button pressed."""
        run("xdotool", "mousemove", "--window", self.window, "120", "90", "mousedown", "1")
        for step in range(6):
            run("xdotool", "mousemove_relative", "--", "-6", "4")
            time.sleep(0.03)
        for step in (40, 20, 0):
            run("xdotool", "mousemove", "--window", app.window, str(x + step), str(y + step))
            time.sleep(0.1)
        if not keeps:
            self.drop()

    def drop(self):
        run("xdotool", "mouseup", "1")
        time.sleep(0.2)
        self.process.kill()
        self.process.wait()


def uris(*paths):
    return "".join(path.as_uri() + "\r\n" for path in paths)


def a_drop_from_another_program():
    app = App()
    source = Source(uris(song))
    source.drag(app, 300, 300, keeps=True)
    wait("the place to drop is shown", lambda: app.text("Drop"))
    app.screenshot_all("drop")
    source.drop()
    wait("a file plays", lambda: app.text("^The Tide$") and app.named("Pause"))
    Source(uris(album)).drag(app, 300, 300)
    wait("a folder becomes the queue", lambda: app.rows() == ["1 one", "3 three", "2 two"])
    source = Source(uris(film))
    source.drag(app, *app.above(app.row("2 two")), keeps=True)
    wait("the queue says itself where it goes", lambda: not app.text("^Drop to Play$"))
    app.screenshot_all("drop-queue")
    source.drop()
    wait("a file goes where it is dropped on the queue", lambda: app.rows() == ["1 one", "3 three", "film.mp4", "2 two"])
    expect("what plays plays on", app.title() == "1 one", app.title())
    (inputs / "list.m3u").write_text("#EXTM3U\n#EXTINF:8,Third\nalbum/three.ogg\nsong.m4a\n")
    Source(uris(inputs / "list.m3u")).drag(app, 200, 300)
    wait("a playlist becomes the queue", lambda: app.rows() == ["3 three", "The Tide"])
    app.close()


def a_drop_of_a_link():
    feeds = FeedServer()
    app = App()
    Source(f"{feeds.url}/song.m4a", "text/plain;charset=utf-8").drag(app, 300, 300)
    wait("a link as text plays", lambda: app.text("^The Tide$") and app.named("Pause"))
    Source(f"{feeds.url}/feed.xml\r\n").drag(app, 300, 300)
    wait("a feed is offered for subscription", lambda: app.named("Address of the Feed"))
    app.answer("Address of the Feed", feeds.url + "/feed.xml", "Add Podcast")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    app.close()
    app = App()
    Source("ftp://127.0.0.1/a.mp3\r\n").drag(app, 300, 300)
    wait("what cannot be opened is refused with a sentence", lambda: app.text("ftp"))
    app.close()
    feeds.server.shutdown()
