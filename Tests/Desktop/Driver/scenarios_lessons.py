"""Faults that users of Decibels met, each tried here. The table in docs/desktop.md names those that the tests of the model try."""

import time

from app import App, distance
from helpers import expect, scratch, wait
from recordings import headless, noise, song
from services import Services


def rest(app):
    """Pauses at the start, with the pointer away, until the waveform stays as it is."""
    if app.named("Pause"):
        app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("Home")
    wait("it is at the start", lambda: app.value("Position") < 0.1)
    app.move(5, 300)
    time.sleep(0.5)
    pictures = []

    def is_still():
        pictures.append(app.picture(app.slider("Position"), f"{scratch.name}-{len(pictures) % 2}"))
        time.sleep(0.3)
        return len(pictures) > 1 and distance(*pictures[-2:]) == 0

    wait("the waveform is drawn", is_still)
    return app.slider("Position")


def a_recording_is_switched_while_its_waveform_is_made():
    # Both with the queue at the side, which leaves the waveform the same width.
    app = App(song, noise)
    wait("it plays", lambda: app.named("Pause"))
    alone = app.picture(rest(app), "waveform-alone")
    app.close()
    app = App(noise, song)
    wait("the first plays", lambda: app.named("Pause"))
    app.key("greater")
    wait("the second plays", lambda: app.text("^The Tide$") and app.named("Pause"))
    switched = app.picture(rest(app), "waveform-switched")
    expect("the waveform is that of the second alone", distance(alone, switched) < 0.05, distance(alone, switched))
    app.close()


def a_desktop_turns_dark():
    services = Services("appearance")
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    waveform = rest(app)
    light = app.picture(waveform, "waveform-light")
    services.set_dark(True)
    time.sleep(0.3)
    wait("the waveform has the dark colours", lambda: distance(light, app.picture(waveform, "waveform-dark")) > 0.4)
    services.set_dark(False)
    wait("it has the light ones again", lambda: distance(light, app.picture(waveform, "waveform-again")) < 0.01)
    app.close()
    services.stop()


def a_space_bar_plays_and_pauses_with_any_focus():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    wanted = "Play"
    for number in range(16):
        app.key("Tab")
        app.key("space")
        wait(f"space works after {number + 1} tabs", lambda: app.named(wanted, "push button"), 3)
        wanted = "Pause" if wanted == "Play" else "Play"
    app.close()


def a_recording_without_a_length_in_its_header():
    app = App(headless)
    wait("it plays", lambda: app.named("Pause"))
    length = lambda: app.slider("Position").queryValue().maximumValue
    wait("a variable bit rate has its true length", lambda: abs(length() - 60) < 0.1)
    expect("the time that is left is shown", app.text(r"^[-−]?(0:5\d|1:00)$"))
    app.close()


def a_speed_has_keys():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    for key, speed in [("bracketright", "1.1×"), ("bracketright", "1.2×"), ("bracketleft", "1.1×"), ("braceright", "2.2×"),
                       ("BackSpace", "1×")]:
        app.key(key)
        wait(f"{key} sets {speed}", lambda: app.text(f"^{speed}$"))
    app.close()
