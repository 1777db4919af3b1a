"""Windows: what they show without a recording, remember, and look like."""

import time

from app import App
from helpers import expect, wait
from recordings import song


def an_empty_window():
    app = App()
    expect("the page says what to do", app.text("drop files"))
    app.screenshot("empty")
    app.place(360, 560)
    app.screenshot("empty-narrow")
    expect("it closes", app.close() < 5)


def a_window_remembers():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 30
    wait("the position is set", lambda: abs(app.value("Position") - 30) < 0.6)
    app.key("shift+BackSpace")
    wait("a seek is undone", lambda: app.value("Position") < 10)
    app.slider("Position").queryValue().currentValue = 30
    wait("the position is set", lambda: abs(app.value("Position") - 30) < 0.6)
    app.key("b")
    wait("a bookmark is set", lambda: app.text("^Bookmark set at 0:30"))
    app.key("ctrl+plus")
    app.key("ctrl+plus")
    app.place(800, 600)
    time.sleep(0.5)
    app.screenshot("bookmark")
    app.close()
    app = App(song)
    wait("it plays", lambda: app.value("Position") > 0.5)
    size = app.started
    expect("the size is remembered", abs(size[0] - 800) < 60, size)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.place(800, 600)
    app.move(5, 300)
    time.sleep(0.6)
    app.screenshot("remembered")
    app.close()


def a_file_that_is_missing():
    app = App("/nowhere/at-all.mp3")
    wait("the page of errors is shown", lambda: app.named("Try Again"))
    app.screenshot("error")
    app.close()


def a_dark_desktop():
    app = App(song, ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 20
    wait("assistive technologies set the position", lambda: abs(app.value("Position") - 20) < 0.6)
    time.sleep(0.5)
    app.screenshot("player-dark")
    app.close()


def an_about_window():
    app = App()
    app.act("about")
    wait("the window is there", lambda: len(app.windows()) == 2)
    wait("it has a version", lambda: app.named("0.1.0"))
    app.screenshot_all("about")
    app.key("Escape")
    wait("Escape closes it", lambda: len(app.windows()) == 1)
    wait("the window has the focus again", app.has_focus)
    expect("it closes", app.close() < 3)
