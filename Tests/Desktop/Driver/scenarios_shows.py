"""The settings of a show: what is passed over, and how far keys skip."""

import json
import os
import pathlib
import sqlite3
import time

from app import App
from helpers import expect, wait
from servers import FeedServer


def keep_settings(**settings):
    """Keeps settings of all podcasts, as `syrinx podcast set` does."""
    with sqlite3.connect(pathlib.Path(os.environ["XDG_DATA_HOME"], "syrinx", "library.sqlite"), timeout=10) as library:
        library.execute("UPDATE podcast SET settings = ?", [json.dumps(settings)])
    library.close()


def a_show_skips_its_intro_and_outro():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    keep_settings(introDuration=12, outroDuration=8, skipForward=25, skipBack=7)
    # Room for all rows.
    app.place(720, 840)
    app.play_episode("Low Water")
    wait("it plays", lambda: app.named("Pause"))
    app.key("Escape")
    first = wait("the player is shown", lambda: app.value("Position"))
    expect("it begins behind the intro", 11.9 < first < 16, first)
    wait("the button tells how far it skips", lambda: app.named("Forward 25 Seconds"))
    app.screenshot_all("skips-of-a-show")
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 20
    wait("a position is set", lambda: abs(app.value("Position") - 20) < 0.6)
    app.key("Right")
    wait("a skip forward is the show's", lambda: abs(app.value("Position") - 45) < 0.6)
    app.key("Left")
    wait("a skip back is the show's", lambda: abs(app.value("Position") - 38) < 0.6)
    app.slider("Position").queryValue().currentValue = 3
    wait("the intro can be heard", lambda: abs(app.value("Position") - 3) < 0.6)
    app.slider("Position").queryValue().currentValue = 54
    wait("the outro can be chosen", lambda: abs(app.value("Position") - 54) < 0.6)
    app.key("space")
    wait("it plays in the outro", lambda: app.value("Position") > 55.5)
    app.slider("Position").queryValue().currentValue = 50.5
    wait("it ends where the outro begins", lambda: app.named("Play"), 5)
    app.key("ctrl+p")
    wait("it counts as played", lambda: app.text(r"Played\b"))
    app.close()
    feeds.server.shutdown()
