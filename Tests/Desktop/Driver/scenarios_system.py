"""The desktop around the app: sleep, notifications, and sessions that have neither."""

import json
import pathlib
import subprocess
import time

from app import App
from helpers import expect, inputs, program, run, scratch, wait
from recordings import album, film, song, tone
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


def control(*words):
    """Runs `syrinx control`, which finds the window on the session bus."""
    command = pathlib.Path(program).with_name("syrinx")
    return subprocess.run([command, "control", *words], capture_output=True, text=True)


def status():
    return json.loads(control("status", "--json").stdout)


def a_window_is_controlled_from_a_terminal():
    app = App(album)
    wait("it plays", lambda: app.named("Pause"))
    first = wait("the command finds the window", status)
    expect("it says what plays", (first["state"], first["title"], first["count"]) == ("playing", "1 one", 3), first)
    expect("a place is gone to", control("goto", "3").returncode == 0)
    wait("the third plays", lambda: status()["index"] == 2)
    control("pause")
    wait("it is paused", lambda: app.named("Play"))
    control("seek", "4")
    wait("the position is set", lambda: abs(app.value("Position") - 4) < 0.3)
    control("seek", "-1.5")
    wait("a sign is a step", lambda: abs(app.value("Position") - 2.5) < 0.3)
    control("rate", "+0.3")
    wait("the rate has a step of its own", lambda: abs(status()["rate"] - 1.3) < 1e-6)
    control("pitch", "-150")
    wait("the pitch is in cents", lambda: status()["pitch"] == -150)
    control("volume", "40")
    wait("the volume is in percent", lambda: abs(status()["volume"] - 0.4) < 1e-6)
    expect("the slider shows the volume", abs(app.slider("Volume").queryValue().currentValue - 40) < 0.6)
    refused = control("goto", "9")
    expect("a place that is not there is refused", refused.returncode == 64 and "has 3" in refused.stderr, refused.stderr)
    expect("effects cannot be numbered here", control("effect", "1", "wetDryMix=40").returncode == 64)
    control("enqueue", str(tone))
    wait("an input is added", lambda: status()["count"] == 4)
    command = pathlib.Path(program).with_name("syrinx")
    listed = run(command, "queue", "--json").splitlines()
    expect("the queue is listed", json.loads(listed[3])["url"] == str(tone), listed)
    control("remove", "4")
    wait("an input is removed", lambda: status()["count"] == 3)
    # Panels set the volume too, and open what they are given.
    run("playerctl", "volume", "0.25")
    wait("a panel sets the volume", lambda: abs(status()["volume"] - 0.25) < 1e-6)
    run("playerctl", "open", tone.as_uri())
    wait("a panel opens a file", lambda: status()["url"] == str(tone))
    app.close()


def a_cover_lies_in_the_folder():
    folder = scratch / "An album"
    folder.mkdir()
    (folder / "1 first.flac").write_bytes(tone.read_bytes())
    (folder / "Cover.PNG").write_bytes((inputs / "sun.png").read_bytes())
    app = App(folder)
    wait("it plays", lambda: app.named("Pause"))
    shown = wait("panels show the picture of the folder", lambda: run("playerctl", "metadata", "mpris:artUrl").strip())
    copied = pathlib.Path(shown.removeprefix("file://")).read_bytes()
    expect("it is that picture", copied == (inputs / "sun.png").read_bytes(), shown)
    app.close()
