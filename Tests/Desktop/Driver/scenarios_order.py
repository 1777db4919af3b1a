"""The order of the queue: shuffling and repetition, by buttons, keys and the desktop's panels."""

import time

import pyatspi

from app import App
from helpers import expect, inputs, run, wait
from recordings import make
from scenarios_settings import library, play, subscribe, window_title
from scenarios_shows import keep_settings
from servers import FeedServer


def playerctl(*arguments):
    return run("playerctl", *arguments).strip()


def is_on(button):
    states = button.getState()
    return states.contains(pyatspi.STATE_PRESSED) or states.contains(pyatspi.STATE_CHECKED)


def short(count, seconds):
    """Returns a folder of short recordings named a, b, …"""
    folder = inputs / f"short-{count}-{seconds}"
    folder.mkdir(exist_ok=True)
    for name in "abcdefghij"[:count]:
        make(f"{folder.name}/{name}.ogg", seconds, "-metadata", f"title={name}")
    return folder


def open_files(path):
    """Opens a file or a folder in the app that runs, as a file manager does."""
    run(
        "gdbus", "call", "--session", "--dest", "io.github.syrinx.Syrinx", "--object-path", "/io/github/syrinx/Syrinx",
        "--method", "org.freedesktop.Application.Open", f"['{path.as_uri()}']", "{}",
    )


def titles(app, count, seconds=30):
    """Returns the titles of recordings as they follow each other, up to so many."""
    found, end = [], time.monotonic() + seconds
    while len(found) < count and time.monotonic() < end:
        # Until the tags are known the title is the name of the file.
        title = playerctl("metadata", "title").removesuffix(".ogg")
        if not found or title != found[-1]:
            found.append(title)
        time.sleep(0.05)
    return found


def a_queue_is_repeated():
    app = App(short(2, 5))
    wait("it plays", lambda: app.named("Pause"))
    expect("nothing is repeated", playerctl("loop") == "None", playerctl("loop"))
    app.press(app.named("Repeat: Off", "push button"))
    app.press(wait("the button repeats one", lambda: app.named("Repeat: One", "push button")))
    button = wait("the button repeats all", lambda: app.named("Repeat: All", "push button"))
    expect("it is pressed", is_on(button))
    wait("the desktop is told", lambda: playerctl("loop") == "Playlist")
    found = titles(app, 4)
    expect("the queue begins again by itself", found == ["a", "b", "a", "b"], found)
    expect("it still plays", app.named("Pause"))
    wait("the last plays", lambda: app.title() == "b")
    app.key("greater")
    wait("> goes on to the first", lambda: app.title() == "a")
    app.key("less")
    wait("< goes back to the last", lambda: app.title() == "b")
    app.key("L", "L")
    wait("the key repeats none, then one", lambda: app.named("Repeat: One", "push button"))
    wait("a message says so", lambda: app.text("^Repeating this recording$"))
    wait("the desktop is told of one", lambda: playerctl("loop") == "Track")
    starts = 0
    former, end = 0.0, time.monotonic() + 13
    while time.monotonic() < end:
        position = float(playerctl("position"))
        starts += position < former - 1
        former = position
        time.sleep(0.1)
    expect("the recording begins again, and again", starts >= 2, starts)
    expect("it is the same", app.title() == "b" and app.named("Pause"), app.title())
    run("playerctl", "loop", "None")
    button = wait("the desktop switches it off", lambda: app.named("Repeat: Off", "push button"))
    expect("it is not pressed", not is_on(button))
    wait("the last one ends", lambda: app.named("Play"))
    run("playerctl", "loop", "Track")
    wait("the desktop repeats one", lambda: app.named("Repeat: One", "push button"))
    app.close()


def a_queue_is_shuffled():
    folder = short(10, 9)
    order = list("abcdefghij")
    app = App(folder)
    wait("it plays", lambda: app.named("Pause"))
    wait("the queue is in order", lambda: app.rows() == order)
    app.key("greater")
    app.key("greater")
    wait("the third plays", lambda: app.title() == "c")
    expect("the desktop knows the order", playerctl("shuffle") == "Off", playerctl("shuffle"))
    app.press(app.named("Shuffle", "push button"))
    wait("what plays is the first", lambda: app.rows()[0] == "c")
    shuffled = app.rows()
    expect("the others follow by chance", sorted(shuffled) == order and shuffled[1:] != [n for n in order if n != "c"], shuffled)
    expect("the recording plays on", app.title() == "c" and app.named("Pause"), app.title())
    expect("the button is pressed", is_on(app.named("Shuffle", "push button")))
    wait("the desktop is told", lambda: playerctl("shuffle") == "On")
    app.slider("Position").queryValue().currentValue = 8.2
    wait("the next of the new order follows", lambda: app.title() == shuffled[1])
    app.key("s")
    wait("the key puts them back in order", lambda: app.rows() == order)
    wait("a message says so", lambda: app.text("^Shuffle is off$"))
    expect("what plays stays", app.title() == shuffled[1], app.title())
    run("playerctl", "shuffle", "On")
    wait("the desktop shuffles", lambda: is_on(app.named("Shuffle", "push button")) and app.rows()[0] == shuffled[1])
    run("playerctl", "shuffle", "Off")
    wait("the desktop puts them back", lambda: app.rows() == order and not is_on(app.named("Shuffle", "push button")))
    run("playerctl", "shuffle", "On")
    open_files(short(7, 9))
    wait("another folder is shuffled too", lambda: sorted(app.rows()) == order[:7] and app.rows() != order[:7])
    wait("the first of its order plays", lambda: app.title() == app.rows()[0])
    run("playerctl", "shuffle", "Off")
    wait("it has an order of its own", lambda: app.rows() == order[:7])
    app.place(360, 640)
    expect("it fits in 360 pixels", app.size()[0] == 360, app.size())
    app.key("L", "L")
    time.sleep(0.6)
    app.screenshot_all("order-narrow")
    app.close()


def a_queue_of_damaged_files_is_repeated():
    folder = inputs / "damaged"
    folder.mkdir(exist_ok=True)
    for name in ("0.ogg", "1.ogg", "2.ogg"):
        (folder / name).write_bytes(b"OggS" + bytes(400))
    app = App()
    app.key("L", "L")
    wait("all is repeated", lambda: app.text("^Repeating all"))
    open_files(folder)
    wait("the failure is told", lambda: app.named("Try Again"))
    time.sleep(1)
    before = app.processor_time()
    time.sleep(2)
    expect("nothing goes on", app.processor_time() - before < 1 and app.named("Try Again"))
    app.key("L", "L")
    wait("one is repeated", lambda: app.text("^Repeating this"))
    silent = inputs / "nothing.wav"
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=1", "-t", "0", str(silent))
    open_files(silent)
    time.sleep(2)
    before = app.processor_time()
    time.sleep(2)
    expect("a recording without sound is not repeated", app.processor_time() - before < 1, app.processor_time() - before)
    expect("it closes", app.close() < 3)


def marks():
    """Returns whether episodes have been played, by their titles, and the titles in the library's queue."""
    with library() as database:
        played = dict(database.execute("SELECT title, isPlayed FROM episode"))
        queue = {title for title, in database.execute("SELECT title FROM queue JOIN episode ON episode.id = queue.episodeID")}
    database.close()
    return played, queue


def open_episodes(app, feeds, **settings):
    """Plays an episode with two behind it in the library's queue."""
    subscribe(app, feeds)
    keep_settings(**settings)
    with library() as database:
        for rank, title in enumerate(["Low Water", "Salt", "Driftwood"], start=1):
            database.execute("INSERT INTO queue (episodeID, rank) SELECT id, ? FROM episode WHERE title = ?", [rank, title])
    database.close()
    play(app, "Low Water")


def an_episode_is_repeated():
    feeds = FeedServer()
    app = App()
    open_episodes(app, feeds, introDuration=5)
    run("playerctl", "loop", "Track")
    app.slider("Position").queryValue().currentValue = 56
    wait("it begins again behind its intro", lambda: 4.9 < app.value("Position") < 12)
    expect("it is the same", window_title(app) == "Low Water", window_title(app))
    played, queue = marks()
    expect("it does not count as played, and stays in the queue", not played["Low Water"] and "Low Water" in queue, (played, queue))
    run("playerctl", "loop", "Playlist")
    app.slider("Position").queryValue().currentValue = 57
    wait("the next plays", lambda: window_title(app) == "Salt")
    time.sleep(1)
    played, queue = marks()
    expect("what has ended counts as played", played["Low Water"], played)
    expect("while all is repeated it stays in the queue", "Low Water" in queue, queue)
    expect("what follows does not count as played", not played["Salt"] and "Salt" in queue, (played, queue))
    run("playerctl", "loop", "None")
    app.slider("Position").queryValue().currentValue = 57
    wait("the last plays", lambda: window_title(app) == "Driftwood")
    time.sleep(1)
    played, queue = marks()
    expect("without a repetition what has ended leaves the queue", played["Salt"] and "Salt" not in queue, (played, queue))
    expect("what follows stays there", not played["Driftwood"] and "Driftwood" in queue, (played, queue))
    app.close()
    feeds.server.shutdown()


def an_episode_is_repeated_from_its_outro():
    feeds = FeedServer()
    app = App()
    open_episodes(app, feeds, introDuration=5, outroDuration=20)
    run("playerctl", "loop", "Track")
    app.slider("Position").queryValue().currentValue = 37
    wait("it begins again behind its intro", lambda: 4.9 < app.value("Position") < 12)
    played, queue = marks()
    expect("it does not count as played, and stays in the queue", not played["Low Water"] and "Low Water" in queue, (played, queue))
    app.slider("Position").queryValue().currentValue = 37
    wait("and once more", lambda: 4.9 < app.value("Position") < 12)
    app.close()
    feeds.server.shutdown()
