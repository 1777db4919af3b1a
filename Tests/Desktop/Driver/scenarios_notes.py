"""The notes of episodes and podcasts: read, followed, and left again."""

import time

from app import App
from helpers import expect, run, wait
from servers import FeedServer


def an_episode_is_opened_and_read():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    app.place(800, 800)
    app.press(wait("the podcast is listed", lambda: next(n for n in app.all() if (n.name or "").startswith("Shores and Tides, "))))
    wait("the podcast's description is shown", lambda: app.text("^Ann walks along the coast .* who lives there & what"))
    app.named("More", "push button").queryAction().doAction(0)
    wait("all of it is shown", lambda: app.named("Less", "push button"))
    time.sleep(0.5)
    app.screenshot_all("description")
    app.named("Less", "push button").queryAction().doAction(0)

    app.open_episode("Low Water")
    notes = wait("the notes are shown", lambda: next(n for n in app.all() if "The Bar" in (n.name or "")))
    expect("they are text with lists, and no script", notes.name.endswith("Read Anna's page <b>first.\n\n• Salt\n• Sand"), notes.name)
    expect("nothing plays yet", not app.named("Pause"))
    time.sleep(0.5)
    app.screenshot_all("notes")
    x, y, _, _ = app.box(notes)
    app.move(x + 12, y + 8)
    run("xdotool", "click", "1")
    wait("a time in the notes plays the episode", lambda: app.named("Pause"))
    wait("its button leads to the player", lambda: app.named("Show the Player", "push button"))
    app.key("Escape")
    wait("Escape goes back to the list", lambda: app.named("Play Low Water"))
    app.key("Escape")
    wait("it plays from that time on", lambda: 19 < app.value("Position") < 30)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("ctrl+p")
    app.open_episode("Salt")
    wait("an episode without notes says so", lambda: app.text("^There are no notes.$"))
    app.place(360, 640)
    time.sleep(0.5)
    app.screenshot_all("notes-narrow")
    app.place(1920, 1080, 0, 0)
    time.sleep(0.5)
    app.screenshot_all("notes-wide")
    app.close()
    feeds.server.shutdown()
