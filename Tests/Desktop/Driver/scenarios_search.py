"""The search in the queue."""

import os
import pathlib
import time

import pyatspi

from app import App
from helpers import expect, inputs, run, wait
from recordings import album, song
from scenarios_drops import Source, uris
from scenarios_order import open_files

titles = [
    "Low Water", "Salt", "Driftwood", "The Tide", "Anchor", "Breakwater", "Harbour", "Lighthouse", "Mooring", "North Wind", "Open Sea",
    "Pier", "Quay", "Reef", "Sandbank", "Tidal Pool", "Undertow", "Voyage", "Wake", "Sail", "Ebb", "Flood", "Gull", "Haven",
]


def shore(name):
    """Returns a folder of recordings with these titles; one performer is not seen before the search."""
    place = inputs / name
    if place.exists():
        return place
    made = pathlib.Path(os.environ["SYRINX_SCRATCH"]) / name
    made.mkdir()
    run("convert", "-size", "300x300", "gradient:#3a6b35-#e3b448", str(made / "cover.jpg"))
    for number, title in enumerate(titles):
        artist = "Zoë Müller" if title == "Ebb" else ["The Shore Birds", "Nobody"][number % 2]
        run(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=330:d=20", "-i", str(made / "cover.jpg"), "-map", "0", "-map", "1",
            "-c:v", "copy", "-disposition:v", "attached_pic", "-metadata", f"title={title}", "-metadata", f"artist={artist}",
            str(made / f"{number:02}.mp3"),
        )
    (made / "cover.jpg").unlink()
    made.rename(place)
    return place


def entry(app):
    return app.named("Words to Search for in the Queue")


def search(app, words):
    """Types words in place of those before."""
    app.key("ctrl+f")
    wait("the entry is shown, with the focus", lambda: entry(app) and focus(app)[0] == "entry")
    time.sleep(0.1)
    run("xdotool", "type", "--delay", "20", words)


def focus(app):
    """Returns role and name of what has the focus."""
    return next(((n.getRoleName(), n.name) for n in app.all() if n.getState().contains(pyatspi.STATE_FOCUSED)), ("", ""))


def a_queue_is_searched():
    app = App(shore("shore-a"))
    wait("it plays", lambda: app.named("Pause"))
    wait("the rows have titles", lambda: app.rows()[:2] == ["Low Water", "Salt"])
    wait("so do those that are not seen", lambda: app.rows()[-1] == "Haven")
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 10
    app.press(app.named("Search in the Queue"))
    wait("the button shows the entry", lambda: entry(app))
    app.key("Down", "Down")
    wait("Down goes to the rows without words too", lambda: focus(app)[1].startswith("Salt"))
    app.key("ctrl+f")
    wait("Ctrl+F goes to the entry", lambda: focus(app)[0] == "entry")
    app.key("Return")
    time.sleep(0.5)
    value = app.value("Position")
    expect("Return without words does nothing", value >= 10 and app.title() == "Low Water", (value, app.title()))
    run("xdotool", "type", "--delay", "20", "zoe")
    wait("a performer is found whose row was not seen, without the accent", lambda: app.rows() == ["Ebb"])
    wait("the heading tells how many", lambda: app.text("^1 of 24$"))
    search(app, "TID")
    wait("typing filters", lambda: app.rows() == ["The Tide", "Tidal Pool"])
    app.move(5, 400)
    time.sleep(0.6)
    app.screenshot("queue-search")
    app.key("Down")
    wait("Down goes to the first row", lambda: focus(app)[1].startswith("The Tide"))
    app.key("space")
    wait("space plays", lambda: app.named("Pause"))
    app.key("Up")
    wait("Up goes back to the entry", lambda: focus(app)[0] == "entry")
    search(app, "tid")
    app.key("Return")
    wait("Return plays the first row", lambda: app.title() == "The Tide" and app.named("Pause"))
    expect("the search stays", app.rows() == ["The Tide", "Tidal Pool"], app.rows())
    app.key("Down", "greater")
    wait("> goes on in the queue", lambda: app.title() == "Anchor")
    expect("the search stays", app.rows() == ["The Tide", "Tidal Pool"], app.rows())
    search(app, "nothing at all")
    wait("nothing is found", lambda: app.text("^Nothing found$") and app.rows() == [])
    app.key("Escape")
    wait("Escape shows all rows", lambda: app.rows() == titles and not entry(app))
    wait("the focus is in the list", lambda: focus(app)[1].startswith("Anchor"))
    expect("what plays goes on", app.title() == "Anchor" and app.named("Pause"), app.title())
    app.key("F9")
    time.sleep(0.6)
    app.place(360, 640)
    app.key("space")
    wait("space pauses again", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 10
    search(app, "tid")
    wait("Ctrl+F shows the queue and the entry", lambda: app.rows() == ["The Tide", "Tidal Pool"])
    expect("it fits in 360 pixels", app.size()[0] == 360, app.size())
    app.move(5, 400)
    time.sleep(0.6)
    app.screenshot("queue-search-narrow")
    app.key("ctrl+f", "F9")
    wait("F9 hides the queue while words are typed", lambda: focus(app) == ("push button", "Queue"))
    app.close()


def a_search_leaves_the_order_alone():
    folder = shore("shore-b")
    app = App(folder)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    search(app, "haven")
    wait("the last has been read", lambda: app.rows() == ["Haven"])
    search(app, "tid")
    wait("rows are found", lambda: app.rows() == ["The Tide", "Tidal Pool"])
    app.drag(app.middle(app.row("Tidal Pool")), app.above(app.row("The Tide")), seconds=0.8)
    time.sleep(0.5)
    expect("a drag is no click", app.title() == "Low Water", app.title())
    search(app, "tid")
    app.key("Down", "Down")
    wait("the focus is in a row", lambda: focus(app)[1].startswith("Tidal Pool"))
    app.key("alt+Up")
    time.sleep(0.3)
    expect("the rows stay where they are", app.rows() == ["The Tide", "Tidal Pool"], app.rows())
    app.key("Escape")
    wait("all rows are shown", lambda: len(app.rows()) == len(titles))
    expect("the order is as it was", app.rows() == titles, app.rows())
    time.sleep(0.3)
    expect("the focus is in the same row", focus(app)[1].startswith("Tidal Pool"), focus(app))
    app.key("Home")
    time.sleep(0.5)
    app.drag(app.middle(app.row("Driftwood")), app.above(app.row("Salt")), seconds=0.8)
    wait("after the search rows are dragged", lambda: app.rows()[:3] == ["Low Water", "Driftwood", "Salt"])
    left = ["Low Water", "Driftwood", "Salt", *titles[3:]]
    search(app, "tid")
    wait("rows are found again", lambda: app.rows() == ["The Tide", "Tidal Pool"])
    app.key("Down", "Down", "Delete")
    wait("Delete takes a row out", lambda: app.rows() == ["The Tide"])
    wait("the focus is on the row that is left", lambda: focus(app)[1].startswith("The Tide"))
    left.remove("Tidal Pool")
    Source(uris(song)).drag(app, *app.middle(app.row("The Tide")))
    wait("what is dropped is searched too", lambda: app.rows() == ["The Tide", "The Tide"])
    app.key("Escape")
    wait("the right row has gone, and the drop is at the end", lambda: app.rows() == [*left, "The Tide"])
    search(app, "haven")
    wait("the last is found", lambda: app.rows() == ["Haven"])
    app.key("Return")
    wait("Return goes to it, still paused", lambda: app.title() == "Haven" and app.named("Play"))
    app.key("Escape")
    wait("the list scrolls to it", lambda: len(app.rows()) > 20 and 0 < app.box(app.row("Haven"))[1] < 600)
    search(app, "tid")
    open_files(album)
    wait("another folder ends the search", lambda: app.rows() == ["1 one", "3 three", "2 two"] and not entry(app))
    open_files(folder)
    wait("the first folder has its titles again", lambda: app.rows()[:9] == titles[:9])
    wait("performers and lengths too", lambda: app.queue()[0].name.startswith("Low Water, The Shore Birds, 20 seconds"))
    search(app, "haven")
    wait("what is not seen is found again", lambda: app.rows() == ["Haven"])
    app.key("Return")
    wait("it plays", lambda: app.title() == "Haven")
    # Its rows are as many, and the row that plays was the last.
    open_files(shore("shore-a"))
    wait("another long folder ends the search", lambda: app.title() == "Low Water" and not entry(app))
    time.sleep(0.5)
    expect("its first row is seen", app.box(app.queue()[0])[1] > 0, app.box(app.queue()[0]))
    app.close()
