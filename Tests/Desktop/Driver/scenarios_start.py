"""The page without a recording, and what it offers to continue."""

import time

from app import App
from helpers import expect, wait
from recordings import album, noise
from servers import FeedServer


def offered(app):
    """Returns the rows of the start page from top to bottom, as a screen reader speaks them."""
    rows = app.named("Continue", "list")
    return [n.name for n in app.all(rows) if n.getRoleName() == "list item"] if rows else []


def choose(app, title):
    row = next(n for n in app.all(app.named("Continue", "list")) if n.name.startswith(title))
    app.press(row)


def a_next_day_begins_where_the_last_ended():
    app = App()
    wait("nothing is offered at the first start", lambda: app.text("^Listen$"))
    app.close()
    app = App(noise)
    wait("it plays", lambda: app.named("Pause"))
    app.slider("Position").queryValue().currentValue = 300
    wait("the position is set", lambda: app.value("Position") > 299)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.close()
    app = App(album)
    wait("a folder plays", lambda: app.named("Pause") and app.title() == "1 one")
    app.key("greater")
    wait("the next plays", lambda: app.title() == "3 three" and app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.close()
    app = App()
    wait("the queue and the long recording are offered", lambda: [r.split(",")[0] for r in offered(app)] == ["3 three", "noise.flac"])
    expect("with the place in the queue", "2 of 3" in offered(app)[0], offered(app))
    expect("with the time that is left", any(f"{t} left" in offered(app)[1] for t in ("10:00", "9:59", "9:58")), offered(app))
    time.sleep(0.5)
    for width, height in ((360, 640), (800, 640), (1260, 840)):
        app.place(width, height)
        time.sleep(0.5)
        app.screenshot_all(f"start-{width}")
    choose(app, "3 three")
    wait("the queue continues", lambda: app.title() == "3 three" and app.named("Pause"))
    wait("with all of its recordings", lambda: app.rows() == ["1 one", "3 three", "2 two"])
    app.act("win.close-item")
    wait("the start page comes again", lambda: app.text("^Continue$"))
    choose(app, "noise.flac")
    wait("the recording continues where it was", lambda: app.named("Pause") and 285 < app.value("Position") < 310)
    app.close()


def a_start_page_offers_episodes():
    feeds = FeedServer()
    app = App()
    frame, app.root = app.root, app.find_root()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    app.play_episode("Low Water")
    wait("an episode plays", lambda: app.title() == "Low Water")
    app.key("Escape")
    wait("the player is shown", lambda: app.slider("Position"))
    app.slider("Position").queryValue().currentValue = 20
    wait("the position is set", lambda: app.value("Position") > 19)
    app.key("space")
    time.sleep(0.5)
    app.close()
    app = App()
    wait("the episode is offered with its podcast", lambda: [r for r in offered(app) if r.startswith("Low Water, ")])
    choose(app, "Low Water")
    wait("it continues", lambda: app.title() == "Low Water" and app.value("Position") > 10)
    app.close()
    feeds.server.shutdown()
