"""The sound that a podcast has of its own, and what follows its episodes."""

import array
import json
import os
import pathlib
import sqlite3
import time

import pyatspi

from app import App
from helpers import expect, run, scratch, wait
from scenarios_shows import keep_settings
from servers import FeedServer


def library():
    return sqlite3.connect(pathlib.Path(os.environ["XDG_DATA_HOME"], "syrinx", "library.sqlite"), timeout=10)


def kept_settings():
    """Returns the settings of the podcast, as the library keeps them."""
    with library() as database:
        text = database.execute("SELECT settings FROM podcast").fetchone()[0]
    database.close()
    return json.loads(text) if text else {}


def subscribe(app, feeds):
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    # Room for all rows.
    app.place(720, 840)


def play(app, title):
    app.play_episode(title)
    wait("it plays", lambda: app.named("Pause"))
    app.key("Escape")
    wait("the player is shown", lambda: app.slider("Position"))


def control(app, name):
    """Returns the control of a name, which the row around it and a label have too."""
    return next(n for n in app.all() if n.name == name and n.getRoleName() not in ("label", "list item") and app.box(n)[2] > 0)


def is_on(app, name):
    states = control(app, name).getState()
    return states.contains(pyatspi.STATE_CHECKED) or states.contains(pyatspi.STATE_PRESSED)


def shown(app, name):
    """Returns the choice that a list with a button shows."""
    return [n.name for n in app.all(control(app, name)) if n.getRoleName() == "label" and app.box(n)[2] > 0]


def window_title(app):
    """Returns the title of what plays, which the window has."""
    return run("xdotool", "getwindowname", app.window).strip()


def levels(path):
    """Returns the greatest samples of the two channels of a WAV file of 32-bit floating-point numbers."""
    data = path.read_bytes()
    start = data.index(b"data") + 8
    samples = array.array("f", data[start : start + (len(data) - start) // 8 * 8])
    return [max(map(abs, samples[channel::2]), default=0) for channel in (0, 1)]


def a_show_has_a_sound_of_its_own():
    feeds = FeedServer()
    app = App()
    subscribe(app, feeds)
    keep_settings(volume=0.4, isMono=True, balance=-0.5, equalizer="speech", introDuration=3)
    app.key("Escape")
    app.key("ctrl+p")
    play(app, "Low Water")
    wait("the volume is the show's", lambda: abs(app.value("Volume") - 40) < 0.1)
    app.key("5")
    wait("mono is the show's", lambda: is_on(app, "Mono"))
    expect("the balance is the show's", abs(app.value("Balance") + 0.5) < 0.01, app.value("Balance"))
    expect("the equalizer is the show's", shown(app, "Equalizer")[:1] == ["Speech"], shown(app, "Equalizer"))
    time.sleep(0.5)
    app.screenshot_all("sound")
    app.slider("Balance").queryValue().currentValue = 0.25
    app.key("Escape")
    wait("the sound goes", lambda: not app.named("Balance"))
    app.slider("Volume").queryValue().currentValue = 60

    app.key("ctrl+p")
    app.act("win.podcast-settings")
    wait("the settings are shown", lambda: app.named("Skip Forward", "spin button"))
    app.wait_for_dialog()
    expect("what the player's controls changed is there", abs(app.value("Balance") - 0.25) < 0.01, app.value("Balance"))
    expect("what the listener changed is kept", kept_settings()["volume"] == 0.6, kept_settings())
    time.sleep(0.5)
    app.screenshot_all("show-settings")
    app.named("Outro", "spin button").queryValue().currentValue = 20
    app.named("Volume, Percent", "spin button").queryValue().currentValue = 30
    app.named("Mono as Usual").queryAction().doAction(0)
    wait("each change is kept", lambda: kept_settings().get("outroDuration") == 20 and "isMono" not in kept_settings())
    app.key("Escape")
    wait("Escape closes the settings", lambda: not app.named("Skip Forward", "spin button"))
    app.key("Escape")
    wait("the change is heard at once", lambda: abs(app.value("Volume") - 30) < 0.1)
    app.key("5")
    wait("mono is off", lambda: not is_on(app, "Mono"))
    app.key("Escape")
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.act("win.close-item")
    wait("nothing plays", lambda: app.named("Open Files…") or app.text("^Syrinx$"))
    app.close()
    expect("the outro is kept", kept_settings()["outroDuration"] == 20, kept_settings())

    state = json.loads(pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx", "desktop.json").read_text())
    expect("the volume of other recordings is as before", state["volume"] == 1, state)
    feeds.server.shutdown()


def a_balance_is_heard():
    feeds = FeedServer()
    output = scratch / "heard.wav"
    app = App(SYRINX_OUTPUT=f"file:{output}")
    subscribe(app, feeds)
    keep_settings(balance=-1)
    app.play_episode("Low Water")
    wait("it has been heard", lambda: app.text(r"Played\b") or app.named("Pause"))
    time.sleep(3)
    app.close()
    left, right = levels(output)
    expect("the left channel sounds", left > 0.05, left)
    expect("the right channel is silent", right < left / 1000, right)
    feeds.server.shutdown()


def an_outro_leads_to_the_next_episode():
    feeds = FeedServer()
    app = App()
    subscribe(app, feeds)
    keep_settings(introDuration=5, outroDuration=20)
    with library() as database:
        for rank, title in enumerate(["Salt", "Driftwood"], start=1):
            database.execute("INSERT INTO queue (episodeID, rank) SELECT id, ? FROM episode WHERE title = ?", [rank, title])
    database.close()
    play(app, "Low Water")
    app.slider("Position").queryValue().currentValue = 37
    wait("the next plays, and not the outro", lambda: window_title(app) == "Salt", 10)
    wait("it begins behind its intro", lambda: 4.9 < app.value("Position") < 9)
    app.key("ctrl+p")
    wait("the one before counts as played", lambda: app.text(r"^Played\b|· Played\b"))
    expect("it closes", app.close() < 3)
    feeds.server.shutdown()
