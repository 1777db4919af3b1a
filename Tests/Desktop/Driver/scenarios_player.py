"""The player: position, sliders, chapters, pictures, effects, media keys."""

import re
import subprocess
import time

import pyatspi

from app import App
from helpers import expect, inputs, program, run, wait
from recordings import book, film, song, tone


def a_file_plays_and_is_dragged():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    expect("its title is shown", app.text("^The Tide$"))
    first = wait("the time moves", lambda: app.value("Position") if app.value("Position") > 1 else None)
    second = wait("the time moves on", lambda: app.value("Position") if app.value("Position") > first else None)
    expect("the position rises", second > first, f"{first:.1f} → {second:.1f}")
    x, y, width, height = app.box(app.slider("Position"))
    middle = y + height / 2
    app.drag((x + width * 0.2, middle), (x + width * 0.7, middle))
    value = wait("the drag seeks", lambda: app.value("Position") if app.value("Position") > 30 else None)
    expect("a drag to 70 % goes there", 40 <= value <= 45, round(value, 1))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    still = app.value("Position")
    time.sleep(1.2)
    expect("a pause stands still", app.value("Position") == still)
    app.key("shift+BackSpace")
    wait("the drag is undone", lambda: app.value("Position") < 12)
    app.move(5, 300)
    time.sleep(1.5)
    used = app.processor_time()
    time.sleep(2)
    used = app.processor_time() - used
    expect("a pause takes no processor time", used < 0.1, f"{used:.2f} s in 2 s")
    app.key("Home")
    time.sleep(0.3)
    app.key("Right")
    app.key("Right")
    wait("two skips go 10 seconds on", lambda: abs(app.value("Position") - 10) < 0.6)
    app.screenshot("player")
    app.slider("Speed").queryValue().currentValue = 1.5
    expect("the speed is shown", wait("speed", lambda: app.text("^1.5×$")))
    app.slider("Pitch").queryValue().currentValue = 3
    expect("the pitch is shown", wait("pitch", lambda: app.text(r"^\+3")))
    app.place(360, 640)
    app.screenshot("player-narrow")
    app.place(1100, 800)
    app.screenshot("player-wide")
    app.place(720, 640)
    app.key("BackSpace")
    app.key("space")
    wait("space plays", lambda: app.named("Pause"))
    status = run("playerctl", "status").strip()
    expect("MPRIS says that it plays", status == "Playing", status)
    title = run("playerctl", "metadata", "title").strip()
    expect("MPRIS knows the title", title == "The Tide", title)
    names = run("playerctl", "--list-all")
    player = "org.mpris.MediaPlayer2." + names.split()[0]
    about = run(
        "gdbus", "call", "--session", "--dest", player, "--object-path", "/org/mpris/MediaPlayer2",
        "--method", "org.freedesktop.DBus.Properties.GetAll", "org.mpris.MediaPlayer2",
    )
    shown = re.findall(r"'(?:Identity|DesktopEntry)': <'([^']*)'>", about)
    expect("MPRIS knows the app's name and desktop file", sorted(shown) == ["Syrinx", "io.github.syrinx.Syrinx"], shown)
    run("playerctl", "pause")
    wait("a media key pauses", lambda: app.named("Play"))
    run("playerctl", "play")
    wait("a media key plays", lambda: app.named("Pause"))
    seconds = app.close()
    expect("closing while it plays ends at once", seconds < 3, f"{seconds:.1f} s")


def a_speed_key_works_on_every_page():
    app = App()
    app.key("bracketright")
    wait("the start page tells the speed", lambda: app.text("^Speed: 1.1×$"))
    app.key("ctrl+p")
    wait("the page of podcasts is shown", lambda: app.text("^No Podcasts$"))
    app.key("bracketright")
    wait("it tells the speed, too", lambda: app.text("^Speed: 1.2×$"))
    app.screenshot_all("toast-speed")
    app.key("Escape")
    subprocess.run([program, str(song)], timeout=20)
    wait("it plays at this speed", lambda: app.named("Pause") and abs(app.value("Speed") - 1.2) < 0.001)
    app.key("question")
    wait("the keys are listed", lambda: app.text("^Repeat: none, one, all$"))
    time.sleep(0.5)
    app.screenshot_all("shortcuts")
    run("xdotool", "key", "Escape")
    app.close()


def a_film_shows_pictures():
    app = App(film)
    wait("it plays", lambda: app.named("Pause"))
    wait("pictures are shown", lambda: app.named("Video"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("Home")
    time.sleep(0.5)
    x, y, width, height = app.box(app.slider("Position"))
    app.drag((x + width * 0.1, y + height / 2), (x + width * 0.5, y + height / 2))
    wait("the drag seeks", lambda: abs(app.value("Position") - 5) < 0.5)
    time.sleep(0.8)
    app.move(5, 300)
    time.sleep(0.3)
    app.screenshot("film")
    app.close()


def level(path, hertz):
    """Returns the level of the last seconds of a recording around a frequency in decibels."""
    text = subprocess.run(
        ["ffmpeg", "-hide_banner", "-sseof", "-1.2", "-i", str(path), "-af", f"bandpass=f={hertz}:w=50,volumedetect", "-f", "null", "-"],
        capture_output=True,
        text=True,
    ).stderr
    return float(re.search(r"mean_volume: (-?[0-9.]+) dB", text).group(1))


def an_effect_is_heard():
    # A file is written as fast as it can be: the tone ends at once.
    recorded = inputs / "heard.wav"
    app = App(tone, SYRINX_OUTPUT=f"file:{recorded}")
    wait("the tone ends", lambda: app.named("Play"))
    wait("the tone is written", lambda: recorded.stat().st_size > 1_000_000)
    app.move(5, 300)
    before = level(recorded, 1000)
    size = recorded.stat().st_size
    app.key("5")
    curve = wait("5 opens the effects", lambda: app.named("Equalizer curve"))
    time.sleep(0.4)
    # The places of widgets in a popover are not told: it is centred in a window with a border for its shadow.
    pane = next(window for window in app.windows() if window != app.window)
    lines = run("xdotool", "getwindowgeometry", "--shell", pane).split()
    extents = curve.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
    left = (int(next(line for line in lines if line.startswith("WIDTH=")).split("=")[1]) - extents.width) / 2
    x, top = left + extents.width * 0.566, 86
    for y, button in ((top + extents.height / 2, "mousedown"), (top + extents.height * 0.944, "mouseup")):
        for step in range(5):
            run("xdotool", "mousemove", "--window", pane, str(round(x + 2 - step / 2)), str(round(y)))
            time.sleep(0.05)
        run("xdotool", button, "1")
        time.sleep(0.1)
    app.screenshot_all("effects")
    app.key("Escape")
    app.key("space")
    wait("the tone is written again", lambda: recorded.stat().st_size > 1.9 * size)
    time.sleep(0.5)
    after = level(recorded, 1000)
    expect("a band that is dragged down lowers a tone", before - after > 20, f"{before} → {after} dB")
    app.close()


def a_book_has_chapters():
    app = App(book)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("Home")
    expect("chapters are named", wait("the first chapter is shown", lambda: app.text("^Morning( ·|$)")))
    app.key("Prior")
    wait("Page Up goes to the next chapter", lambda: abs(app.value("Position") - 20) < 0.6)
    app.move(5, 300)
    time.sleep(0.4)
    app.screenshot("chapters")
    x, y, width, height = app.box(app.slider("Speed"))
    app.slider("Speed").queryValue().currentValue = 2
    wait("the speed is set", lambda: app.text("^2×$"))
    app.move(x + width * 0.9, y + height / 2)
    run("xdotool", "click", "--repeat", "2", "--delay", "60", "1")
    wait("a double-click resets it", lambda: app.text("^1×$"))
    app.key("ctrl+question")
    wait("the shortcuts are shown", lambda: app.text("Pause or play"))
    app.screenshot_all("shortcuts")
    run("xdotool", "key", "Escape")
    time.sleep(0.5)
    app.close()
