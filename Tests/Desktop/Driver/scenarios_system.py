"""The desktop around the app: sleep, notifications, and sessions that have neither."""

import time

from app import App
from helpers import expect, wait
from recordings import album, film, song
from servers import FeedServer
from services import Services

# The flags of org.gnome.SessionManager.
SLEEP, IDLE = 4, 8


def a_desktop_stays_awake_while_it_plays():
    services = Services("session")
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    held = wait("sleep is inhibited", lambda: services.named("Inhibit"))
    expect("sound keeps the computer awake, and lets the screen go dark", held[0][2] == SLEEP, held)
    expect("the app's name is told", held[0][1] == "io.github.syrinx.Syrinx", held)
    app.key("space")
    wait("a pause lets it sleep", lambda: services.named("Uninhibit") == [[held[0][0]]])
    app.key("space")
    wait("playing keeps it awake again", lambda: len(services.named("Inhibit")) == 2)
    app.slider("Position").queryValue().currentValue = 59.5
    wait("the end lets it sleep", lambda: len(services.named("Uninhibit")) == 2)
    time.sleep(0.5)
    expect("nothing is inhibited twice", len(services.named("Inhibit")) == 2, services.calls)
    app.close()

    services.calls.clear()
    app = App(film)
    wait("pictures are shown", lambda: app.named("Video"))
    wait("the screen stays lit", lambda: services.named("Inhibit")[-1][2] == SLEEP | IDLE)
    app.close()
    held, released = ([call[0] for call in services.named(name)] for name in ("Inhibit", "Uninhibit"))
    expect("closing lets it sleep", sorted(held) == sorted(released), services.calls)
    services.stop()


def a_desktop_is_notified():
    services = Services("notifications")
    app = App(album)
    wait("it plays", lambda: app.named("Pause"))
    app.slider("Position").queryValue().currentValue = 7.2
    wait("the next plays", lambda: app.title() == "3 three")
    expect("an active window tells nothing", not services.named("Notify"), services.calls)
    app.slider("Position").queryValue().currentValue = 7.2
    app.minimize()
    shown = wait("the next recording is told", lambda: services.named("Notify"))
    expect("its title is told", shown[0][1] == "2 two", shown)
    services.invoke(shown[0][0])
    wait("a click raises the window", app.has_focus)
    app.close()
    services.stop()


def a_download_is_notified():
    services = Services("notifications")
    feeds = FeedServer()
    app = App()
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    download = wait("an episode can be downloaded", lambda: app.named("Download", "push button"))
    app.minimize()
    download.queryAction().doAction(0)
    shown = wait("the download is told", lambda: services.named("Notify"))
    expect("a download has its title", shown[0][1:] == ["Episode downloaded", "Driftwood"], shown)
    app.activate()
    wait("what was told is withdrawn", lambda: services.named("CloseNotification") == [[shown[0][0]]])
    app.close()
    feeds.server.shutdown()
    services.stop()


def a_desktop_without_services():
    app = App(album)
    wait("it plays", lambda: app.named("Pause"))
    app.minimize()
    app.slider("Position").queryValue().currentValue = 7.2
    time.sleep(1.5)
    app.activate()
    wait("the next plays", lambda: app.title() == "3 three")
    expect("it closes", app.close() < 3)
