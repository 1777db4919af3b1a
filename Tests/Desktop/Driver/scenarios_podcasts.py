"""Podcasts: subscriptions, episodes, downloads."""

import os
import pathlib
import time

from app import App
from helpers import expect, inputs, program, run, wait
from servers import FeedServer


def a_podcast_is_kept():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+p")
    wait("the page says what to do", lambda: app.named("Add Podcast…"))
    app.screenshot("podcasts-empty")
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    expect("the podcast is listed", app.text("^Shores and Tides$"))
    feeds.items = 7
    app.key("F5")
    wait("a refresh adds an episode", lambda: app.text("^The Night Ferry$"))
    app.key("R")
    wait("a refresh is conditional", lambda: ("/feed.xml", '"7"') in feeds.requests)
    # Room for the messages below the last episode.
    app.place(720, 840)
    app.play_episode("Low Water")
    wait("it plays", lambda: app.named("Pause"))
    download = wait("an episode can be downloaded", lambda: app.named("Download", "push button"))
    download.queryAction().doAction(0)
    wait("the download is there", lambda: app.text("Downloaded"))
    app.key("Escape")
    wait("the player is shown", lambda: app.slider("Position"))
    expect("the feed's chapter is shown", wait("the chapter", lambda: app.text("^Arrival( ·|$)")))
    app.slider("Speed").queryValue().currentValue = 1.5
    app.slider("Position").queryValue().currentValue = 30
    wait("the position is beyond", lambda: 30 < app.value("Position") < 40)
    position = app.value("Position")
    expect("it closes while it plays", app.close() < 3)

    app = App()
    app.key("ctrl+p")
    wait("the position is kept", lambda: app.text(r"\d+ s left"))
    time.sleep(1)
    app.move(5, 300)
    app.screenshot("podcasts")
    app.place(1100, 800)
    app.play_episode("Low Water")
    wait("it plays", lambda: app.named("Pause"))
    app.key("Escape")
    wait("it goes on where it was left", lambda: position - 12 < app.value("Position") < position + 12)
    expect("the podcast's speed is kept", app.text("^1.5×$"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.slider("Position").queryValue().currentValue = 20
    wait("the position is set", lambda: abs(app.value("Position") - 20) < 0.6)
    app.key("ctrl+p")
    time.sleep(1.2)
    app.screenshot("podcasts-wide")
    app.place(360, 640)
    time.sleep(0.5)
    app.screenshot("podcasts-narrow")
    app.press(wait("the podcast is a row", lambda: next(n for n in app.all() if (n.name or "").startswith("Shores and Tides, "))))
    wait("its episodes are shown", lambda: app.named("Back to the Podcasts"))
    time.sleep(0.8)
    app.screenshot("podcasts-narrow-show")
    app.close()
    feeds.server.shutdown()


def a_dark_podcast():
    feeds = FeedServer()
    app = App(ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    time.sleep(1)
    app.screenshot("podcasts-dark")
    command = pathlib.Path(program).with_name("syrinx")
    if command.exists():
        expect("the command lists the same podcast", "Shores and Tides" in run(str(command), "podcast", "list"))
    app.named("Search Episodes").queryEditableText().setTextContents("driftw")
    wait("a search finds an episode", lambda: app.text("^Driftwood$") and not app.text("^Low Water$"))
    app.named("Search Episodes").queryEditableText().setTextContents("")
    wait("without a text all are listed", lambda: app.text("^Low Water$"))
    expect("it closes", app.close() < 3)
    feeds.server.shutdown()


def a_subscription_goes_out_and_in():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    written = inputs / "written.opml"
    app.act("win.podcast-export")
    app.choose(written)
    wait("the list is written", lambda: feeds.url + "/feed.xml" in written.read_text())
    wait("the place of the list is told", lambda: app.text("written.opml"))

    app.act("win.podcast-unsubscribe")
    wait("it is asked before", lambda: app.text("^Unsubscribe\\?$"))
    expect("the consequences are told", app.text("with its downloads and the positions"))
    app.wait_for_dialog()
    app.key("Escape")
    wait("the question goes", lambda: not app.text("^Unsubscribe\\?$"))
    expect("Escape keeps the subscription", app.text("^Shores and Tides$"))
    app.act("win.podcast-unsubscribe")
    wait("it is asked again", lambda: app.text("^Unsubscribe\\?$"))
    app.wait_for_dialog()
    app.key("alt+u")
    wait("the podcast goes", lambda: app.named("No Podcasts") or app.text("^No Podcasts$"))

    app.act("win.podcast-import")
    app.choose(written)
    wait("the podcast is back", lambda: app.text("^Shores and Tides$"))
    wait("its episodes are fetched", lambda: app.text("^Low Water$"))
    app.act("win.podcast-import")
    app.choose(written)
    wait("a second import adds nothing", lambda: app.text("^All of these podcasts are there already"))
    (inputs / "broken.opml").write_text("no list")
    app.act("win.podcast-import")
    app.choose(inputs / "broken.opml")
    wait("a file that is no list is refused", lambda: app.text("^The subscriptions could not be imported"))
    app.close()
    feeds.server.shutdown()


def a_download_is_removed():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    files = lambda: [path for path in pathlib.Path(os.environ["XDG_DATA_HOME"]).rglob("*.m4a")]
    wait("an episode can be downloaded", lambda: app.named("Download", "push button")).queryAction().doAction(0)
    button = wait("the download is there", lambda: app.named("Remove Download", "push button"))
    expect("its file is on the disk", len(files()) == 1, files())
    button.queryAction().doAction(0)
    wait("it can be downloaded again", lambda: not app.named("Remove Download", "push button"))
    wait("its file is gone", lambda: not files())
    app.close()
    feeds.server.shutdown()
