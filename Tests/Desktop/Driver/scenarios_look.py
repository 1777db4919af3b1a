"""The look: rows of the queue with tags and covers, and the colours that a cover lends to the window."""

import json
import os
import pathlib
import time

from app import App
from helpers import expect, inputs, program, run, wait
from recordings import song


def make_tagged(count, *colors):
    """Makes recordings with tags and a cover of these colours."""
    place = inputs / (f"tagged-{count}-" + "-".join(color.strip("#") for color in colors))
    if not place.exists():
        made = pathlib.Path(os.environ["SYRINX_SCRATCH"]) / "tagged"
        made.mkdir()
        run("convert", "-size", "300x300", f"gradient:{colors[0]}-{colors[1]}", str(made / "cover.jpg"))
        for number in range(count):
            run(
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=330:d=20", "-i", str(made / "cover.jpg"), "-map", "0", "-map", "1",
                "-c:v", "copy", "-disposition:v", "attached_pic", "-metadata", f"title=Song {number + 1}",
                "-metadata", f"artist=Singer {number + 1}", str(made / f"{number:02}.mp3"),
            )
        (made / "cover.jpg").unlink()
        made.rename(place)
    return place


def shade(app):
    """Returns the colour near the lower left corner of the window: red, green and blue."""
    path = app.picture_of(6, 500, 4, 4, "shade")
    text = run("convert", str(path), "-resize", "1x1!", "-depth", "8", "-format", "%[fx:int(255*r)] %[fx:int(255*g)] %[fx:int(255*b)]", "info:")
    return [int(part) for part in text.split()]


def a_queue_shows_tags_and_covers():
    app = App(make_tagged(30, "#14325f", "#e76f51"))
    wait("it plays", lambda: app.named("Pause"))
    app.place(1000, 640)
    wait("rows have titles, performers and lengths", lambda: app.queue()[0].name == "Song 1, Singer 1, 20 seconds")
    wait("rows that are seen are read", lambda: app.rows()[5] == "Song 6")
    wait("so are the others, behind them", lambda: app.rows()[-1] == "Song 30")
    wait("the length of all is told", lambda: app.text("^30 recordings · 10:0"))
    listed = json.loads(run(pathlib.Path(program).with_name("syrinx"), "queue", "--json").splitlines()[5])
    expect("another process gets the tags", (listed["title"], listed["artist"]) == ("Song 6", "Singer 6"), listed)
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 10
    app.move(5, 400)
    time.sleep(0.6)
    app.screenshot("queue-tags")
    app.close()


def a_cover_tints_the_window():
    app = App(make_tagged(1, "#7a1020", "#c03040"))
    wait("it plays", lambda: app.named("Pause"))
    reddish = lambda: (lambda c: c[0] - c[2] > 12)(shade(app))
    wait("the window takes the colour of the cover", reddish)
    app.close()

    app = App(make_tagged(1, "#7a1020", "#c03040"), ADW_DEBUG_HIGH_CONTRAST="1")
    wait("it plays", lambda: app.named("Pause"))
    time.sleep(1.5)
    expect("with high contrast it has the theme's", not reddish(), shade(app))
    app.close()

    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    time.sleep(1)
    expect("without a cover too", not reddish(), shade(app))
    app.close()


def an_error_names_the_recording():
    (inputs / "words.mp3").write_text("no sound at all")
    app = App(inputs / "words.mp3")
    wait("the failure is told", lambda: app.named("Try Again"))
    expect("the header names what failed", app.text("^words.mp3$"))
    app.close()


def a_large_window_has_a_sharp_cover():
    # Lines that a picture of 400 pixels cannot have.
    made = pathlib.Path(os.environ["SYRINX_SCRATCH"]) / "lines"
    made.mkdir()
    lines = ["-size", "4x700", "xc:black", "xc:white", "+append", "-write", "mpr:lines", "+delete", "-size", "1400x1400", "tile:mpr:lines"]
    run("convert", *lines, str(made / "cover.png"))
    run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=330:d=20", "-i", str(made / "cover.png"), "-map", "0", "-map", "1",
        "-c:v", "copy", "-disposition:v", "attached_pic", str(made / "lines.mp3"),
    )
    app = App(made / "lines.mp3")
    app.place(1920, 1080, 0, 0)
    cover = wait("the cover is shown", lambda: app.named("Cover"))
    left, top, width, height = app.box(cover)
    expect("the cover is large", 500 < width < 1024 and 500 < height < 1024, app.box(cover))
    picture = app.picture_of(round(left + width / 2) - 60, round(top + height / 2) - 60, 120, 120, "cover-large")
    contrast = float(run("convert", str(picture), "-colorspace", "gray", "-format", "%[fx:standard_deviation]", "info:"))
    expect("its lines are seen", contrast > 0.3, contrast)
    app.close()


def a_time_left_follows_the_speed():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 20
    wait("the time left is that of the recording", lambda: app.text("^−0:(39|40)$"))
    app.slider("Speed").queryValue().currentValue = 1.5
    wait("the time that listening takes is told", lambda: app.text("^0:26 at 1.5×   −0:(39|40)$"))
    app.close()
