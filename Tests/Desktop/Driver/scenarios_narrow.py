"""The least width of the window, 360 pixels, on every page."""

import time

from app import App
from helpers import expect, inputs, wait
from servers import FeedServer


def is_narrow(app, what):
    """Expects the window to be as narrow as it is wanted."""
    app.place(360, 640)
    expect(f"{what}: the window is 360 pixels wide", app.size()[0] == 360, app.size())


def a_narrow_window_has_all_pages():
    feeds = FeedServer()
    app = App()
    is_narrow(app, "nothing open")
    app.key("ctrl+p")
    wait("the page says what to do", lambda: app.named("Add Podcast…"))
    is_narrow(app, "no podcasts")
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    is_narrow(app, "the episodes")
    app.act("win.podcast-settings")
    wait("the settings are shown", lambda: app.named("Skip Forward", "spin button"))
    app.wait_for_dialog()
    time.sleep(0.5)
    app.screenshot_all("narrow-settings")
    app.key("Escape")
    wait("Escape closes the settings", lambda: not app.named("Skip Forward", "spin button"))
    app.act("win.player")
    app.close()
    feeds.server.shutdown()

    app = App(inputs / "album")
    wait("it plays", lambda: app.named("Pause"))
    is_narrow(app, "the player")
    app.screenshot("narrow-player", tolerance=0.1)
    app.key("F9")
    wait("the queue is shown", lambda: app.text("^Queue$"))
    time.sleep(0.5)
    app.screenshot_all("narrow-queue")
    app.key("F9")
    app.key("5")
    wait("the effects are shown", lambda: app.slider("Balance"))
    time.sleep(0.5)
    app.screenshot_all("narrow-effects")
    app.key("Escape")
    app.act("about")
    wait("the version is told", lambda: app.text("^Syrinx$"))
    app.wait_for_dialog()
    time.sleep(0.5)
    app.screenshot_all("narrow-about")
    app.key("Escape")
    app.act("win.show-help-overlay")
    app.wait_for_dialog()
    time.sleep(0.5)
    app.screenshot_all("narrow-shortcuts")
    app.key("Escape")
    wait("the window has the focus", lambda: app.has_focus())
    app.close()

    app = App("http://127.0.0.1:1/none.mp3")
    wait("the failure is told", lambda: app.named("Try Again"))
    is_narrow(app, "an error")
    app.screenshot("narrow-error")
    app.close()
