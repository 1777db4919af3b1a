"""The names of controls: what a screen reader says of each."""

import re
import time

from app import App
from helpers import expect, wait
from scenarios_look import make_tagged
from servers import FeedServer

# The roles that hold others, and those that are texts themselves.
silent = {"filler", "panel", "label", "static", "frame", "separator", "scroll pane", "viewport", "group", "menu bar", "tool bar",
          "scroll bar", "redundant object", "application", "window", "page tab", "page tab list"}


def nameless(app):
    """Returns the controls that are shown and have no name, with what they are in; without one GTK gives the name of their type."""
    found = set()
    for node in app.all():
        if node.getRoleName() in silent or (node.name and not re.match("(Gtk|Adw|Syrinx)[A-Z]", node.name)):
            continue
        if app.box(node)[2] <= 0:
            continue
        parents, parent = [], node.parent
        while parent is not None and parent.getRoleName() != "frame":
            parents.append(f"{parent.getRoleName()} “{parent.name}”")
            parent = parent.parent
        # What is in a control that has a name is a part of it; the dots of tabs are libadwaita's.
        if not any(re.match("(push|toggle) button “[^”G]|list item “[^”G]|filler “AdwIndicatorBin", each) for each in parents):
            found.add(f"{node.getRoleName()} “{node.name}” in {', '.join(parents[:3])}")
    return sorted(found)


def every_control(app, where):
    found = nameless(app)
    expect(f"{where}: every control has a name", not found, found)


def an_unnamed_control_is_nowhere():
    app = App()
    every_control(app, "the first page")
    app.close()

    app = App(make_tagged(3, "#14325f", "#e76f51"))
    wait("it plays", lambda: app.named("Pause"))
    app.place(1000, 800)
    wait("the rows are read", lambda: "Song 3" in app.rows())
    every_control(app, "the player")
    app.key("ctrl+f")
    time.sleep(0.6)
    every_control(app, "the search")
    app.key("Escape")
    app.key("5")
    time.sleep(0.6)
    every_control(app, "the effects")
    app.key("Escape")
    app.close()

    feeds = FeedServer()
    app = App()
    app.key("ctrl+p")
    wait("the page says what to do", lambda: app.named("Add Podcast…"))
    every_control(app, "the page without podcasts")
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    app.play_episode("Low Water")
    wait("it plays", lambda: app.named("Pause"))
    every_control(app, "the podcasts")
    app.act("win.podcast-settings")
    wait("the settings are shown", lambda: app.named("Skip Forward") or app.text("Skip"))
    every_control(app, "the settings of a podcast")
    app.key("Escape")
    app.close()
    feeds.server.shutdown()
