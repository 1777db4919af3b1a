"""Opens, plays, drags and closes the desktop app through X11 and AT-SPI, and looks at what it shows."""

import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import pyatspi

program, folder, goldens = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
inputs = pathlib.Path(os.environ["HOME"]) / "inputs"
inputs.mkdir(parents=True, exist_ok=True)
failures = []
started_apps = []


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def make(name, seconds, *options):
    path = inputs / name
    if path.exists():
        return path
    swell = f"0.6*sin(2*PI*330*t)*(0.15+0.85*abs(sin(2*PI*t/{seconds}*3.5)))*(0.6+0.4*abs(sin(9*t)))"
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"aevalsrc={swell}|{swell}:s=44100:d={seconds}", *options, str(path))
    return path


def wait(what, condition, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = condition()
        except Exception:
            value = None
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")


def expect(what, isTrue, detail=""):
    print(("ok   " if isTrue else "FAIL ") + what + (f" ({detail})" if detail != "" else ""), flush=True)
    if not isTrue:
        failures.append(what)


class App:
    """A run of the app."""

    def __init__(self, *arguments, **environment):
        self.errors = open(folder / "app.log", "a")
        env = dict(os.environ, **environment)
        self.process = subprocess.Popen([program, *map(str, arguments)], stderr=self.errors, env=env)
        started_apps.append(self.process)
        self.root = wait("the app is on the accessibility bus", self.find_root)
        self.window = wait(
            "the window is there",
            lambda: run("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)).split()[-1],
        )
        self.border = 0
        self.started = self.size()
        self.place(720, 640)
        # Without a window manager the frame is drawn within the window.
        frame = wait("the frame has a size", self.find_frame)
        self.border = (720 - self.box(frame)[2]) / 2

    def find_root(self):
        desktop = pyatspi.Registry.getDesktop(0)
        # Nothing here runs a main loop, which would take note of changes.
        desktop.clear_cache()
        for app in desktop:
            if app and app.get_process_id() == self.process.pid:
                return app

    def find_frame(self):
        self.root = self.find_root()
        return next(n for n in self.all() if self.box(n)[2] > 0)

    def place(self, width, height):
        run("xdotool", "windowsize", self.window, str(width), str(height))
        run("xdotool", "windowmove", self.window, "100", "40")
        run("xdotool", "windowfocus", self.window)
        time.sleep(0.5)

    def all(self, node=None, depth=0):
        if node is None:
            node = self.root
            node.clear_cache()
        for child in node:
            if child is None:
                continue
            yield child
            if depth < 40:
                yield from self.all(child, depth + 1)

    def named(self, name, role=None):
        for node in self.all():
            if node.name == name and (role is None or node.getRoleName() == role):
                # GTK 4.8 does not say what is showing; what is not has no size.
                if self.box(node)[2] > 0:
                    return node

    def text(self, pattern):
        for node in self.all():
            if node.getRoleName() == "label" and self.box(node)[2] > 0:
                if re.search(pattern, node.name or ""):
                    return node.name

    def slider(self, name):
        return self.named(name, "slider")

    def value(self, name):
        return self.slider(name).queryValue().currentValue

    def key(self, *keys):
        run("xdotool", "key", "--window", self.window, *keys)

    def box(self, node):
        extents = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return extents.x + self.border, extents.y + self.border, extents.width, extents.height

    def move(self, x, y):
        run("xdotool", "mousemove", "--window", self.window, str(round(x)), str(round(y)))

    def rows(self):
        """Returns the titles of the queue's rows from top to bottom."""
        labels = [n for n in self.all() if n.getRoleName() == "label" and (n.name or "").endswith(".ogg")]
        return [n.name for n in sorted(labels, key=lambda n: self.box(n)[1]) if self.box(n)[2] > 0]

    def row(self, title):
        return next(n for n in self.all() if n.getRoleName() == "label" and n.name == title and self.box(n)[2] > 0)

    def middle(self, node):
        x, y, width, height = self.box(node)
        return x + min(width, 60) / 2, y + height / 2

    def above(self, node):
        x, y, width, height = self.box(node)
        return x + min(width, 60) / 2, y - 4

    def size(self):
        lines = run("xdotool", "getwindowgeometry", "--shell", self.window).split()
        values = dict(line.split("=") for line in lines)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def drag(self, start, end, seconds=0.2):
        self.move(*start)
        run("xdotool", "mousedown", "1")
        for step in range(1, 11):
            self.move(start[0] + (end[0] - start[0]) * step / 10, start[1] + (end[1] - start[1]) * step / 10)
            time.sleep(seconds / 10)
        run("xdotool", "mouseup", "1")

    def press(self, node):
        x, y, width, height = self.box(node)
        self.move(x + width * 0.4, y + height / 2)
        run("xdotool", "click", "1")

    def answer(self, question, text, heading):
        """Fills in the entry of a dialog, and presses Return until it is gone: nobody manages the focus here."""
        entry = wait("the dialog is shown", lambda: self.named(question))
        entry.queryEditableText().setTextContents(text)

        def is_gone():
            windows = run("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)).split()
            for window in windows:
                if window != self.window:
                    run("xdotool", "windowfocus", "--sync", window)
                    run("xdotool", "key", "Return")
                    time.sleep(0.3)
            return not self.text(f"^{heading}$")

        wait("the dialog goes", is_gone)
        run("xdotool", "windowfocus", self.window)

    def subscribe(self, address):
        self.answer("Address of the Feed", address, "Add Podcast")

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def screenshot(self, name, tolerance=0.06):
        """Keeps a picture of the window, and compares it with the one that is kept."""
        path = folder / f"{name}.png"
        run("import", "-window", self.window, str(path))
        golden = goldens / f"{name}.png"
        if os.environ.get("SYRINX_UPDATE_SCREENSHOTS"):
            goldens.mkdir(exist_ok=True)
            golden.write_bytes(path.read_bytes())
            return
        if not golden.exists():
            return expect(f"screenshot {name} has one to be compared with", False)
        # Both blurred: fonts differ from machine to machine, the places of things do not.
        blurred = []
        for number, picture in enumerate([path, golden]):
            blurred.append(str(inputs / f"blurred-{number}.png"))
            run("convert", str(picture), "-blur", "0x4", blurred[-1])
        result = subprocess.run(["compare", "-metric", "RMSE", *blurred, "null:"], capture_output=True, text=True)
        match = re.search(r"\(([0-9.e-]+)\)", result.stderr)
        difference = float(match.group(1)) if match else 1.0
        expect(f"screenshot {name} looks as before", difference <= tolerance, round(difference, 4))

    def screenshot_all(self, name):
        """Keeps a picture of the screen, with windows over the window."""
        run("import", "-window", "root", str(folder / f"{name}.png"))

    def close(self):
        """Closes the window and returns the seconds until the process has ended."""
        # No window manager gives the focus back when a dialog is closed.
        subprocess.run(["xdotool", "windowfocus", self.window], capture_output=True)
        time.sleep(0.3)
        start = time.monotonic()
        subprocess.run(["xdotool", "key", "ctrl+w"], capture_output=True)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            expect("the process ends when its window is closed", False)
        return time.monotonic() - start


def scenario(function):
    started = time.monotonic()
    print(f"== {function.__name__.replace('_', ' ')}", flush=True)
    try:
        function()
    except Exception as error:
        expect(f"{function.__name__}: {error!r}", False)
        run("import", "-window", "root", str(folder / f"failed-{function.__name__}.png"))
    for process in started_apps:
        if process.poll() is None:
            process.kill()
            process.wait()
    print(f"   {time.monotonic() - started:.1f} s", flush=True)


def an_empty_window():
    app = App()
    expect("the page says what to do", app.text("drop files"))
    app.screenshot("empty")
    app.place(360, 560)
    app.screenshot("empty-narrow")
    expect("it closes", app.close() < 5)


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
    wait("two skips go 20 seconds on", lambda: abs(app.value("Position") - 20) < 0.6)
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


def a_folder_is_a_queue():
    app = App(inputs / "album")
    wait("it plays", lambda: app.named("Pause"))
    wait("the queue is listed", lambda: app.text("^one"))
    app.key("greater")
    wait("> goes to the next", lambda: app.text("^3 three"))
    kept = pathlib.Path(os.environ["XDG_STATE_HOME"], "syrinx", "positions")
    names = lambda: [f"{name}.ogg" for name in ("one", "two", "three") for path in kept.rglob("*") if path.is_file()
                     and f"/{name}.ogg".encode() in path.read_bytes().replace(b"\\/", b"/")]
    expect("the position is kept of what was left, not of what follows", names() == ["one.ogg"], names())
    app.key("greater")
    wait("> goes to the last", lambda: app.text("^2 two"))
    app.key("space")
    time.sleep(0.6)
    app.screenshot("queue")
    expect("files are in order", app.rows() == ["one.ogg", "three.ogg", "two.ogg"], app.rows())
    app.drag(app.middle(app.row("three.ogg")), app.above(app.row("one.ogg")), seconds=0.8)
    wait("a row is dragged to the top", lambda: app.rows() == ["three.ogg", "one.ogg", "two.ogg"])
    app.key("shift+Down")
    wait("Shift and Down moves it", lambda: app.rows() == ["one.ogg", "three.ogg", "two.ogg"])
    app.key("Delete")
    wait("Delete takes it out", lambda: app.rows() == ["one.ogg", "two.ogg"])
    expect("what plays stays", app.text("2 two"))
    app.close()


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
    app.key("plus")
    app.key("plus")
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
    app.key("e")
    curve = wait("e opens the effects", lambda: app.named("Equaliser curve"))
    time.sleep(0.4)
    # The places of widgets in a popover are not told: it is centred in a window with a border for its shadow.
    pane = run("xdotool", "search", "--onlyvisible", "--pid", str(app.process.pid)).split()[-1]
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


def an_address():
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(inputs))
    handler.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    app = App(f"http://127.0.0.1:{server.server_address[1]}/song.m4a")
    wait("it plays", lambda: app.named("Pause"))
    wait("the time moves", lambda: app.value("Position") > 0.9)
    app.close()
    server.shutdown()


def a_book_has_chapters():
    app = App(book)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("Home")
    expect("chapters are named", wait("the first chapter is shown", lambda: app.text("^Morning$")))
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
    wait("the shortcuts are shown", lambda: app.text("Play or pause"))
    app.screenshot_all("shortcuts")
    run("xdotool", "key", "Escape")
    time.sleep(0.5)
    app.close()


def an_address_is_pasted():
    # A server that sends the beginning, and then nothing.
    class Stalls(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            data = (inputs / "tone.wav").read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "audio/wav")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            try:
                self.wfile.write(data[:400_000])
                time.sleep(30)
            except OSError:
                pass

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stalls)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    app = App()
    app.key("ctrl+l")
    app.answer("Address", f"http://127.0.0.1:{server.server_address[1]}/tone.wav", "Open Address")
    wait("it plays", lambda: app.value("Position") > 1)
    wait("it says that it waits", lambda: app.text("^Buffering|^The connection|^Connecting"), 25)
    expect("the button still pauses", app.named("Pause"))
    app.screenshot("waiting")
    app.close()
    server.shutdown()


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


class FeedServer:
    """Serves a feed with artwork and recordings, and counts what is asked for."""

    def __init__(self):
        self.requests = []
        self.items = 6
        served = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, directory=str(inputs), **options)

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                condition = self.headers.get("If-None-Match")
                served.requests.append((self.path, condition))
                if self.path != "/feed.xml":
                    return super().do_GET()
                tag = f'"{served.items}"'
                body = served.feed().encode()
                self.send_response(304 if condition == tag else 200)
                self.send_header("ETag", tag)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("Content-Length", "0" if condition == tag else str(len(body)))
                self.end_headers()
                if condition != tag:
                    self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def feed(self):
        titles = ["Low Water", "The Long Tide, and What It Leaves on the Sand between Two Storms", "Salt", "Harbour Lights",
                  "A Letter from the Pilot", "Driftwood", "The Night Ferry"]
        items = "".join(
            f"""<item><guid>e{n}</guid><title>{titles[n]}</title><itunes:duration>{60 if n == 0 else 1800 + n * 700}</itunes:duration>
            <pubDate>Mon, {10 + n:02} Mar 2025 08:00:00 GMT</pubDate>
            <enclosure url="{self.url}/song.m4a?{n}" type="audio/mp4" length="1000000"/>
            <psc:chapters><psc:chapter start="0" title="Arrival"/><psc:chapter start="20" title="The Bar"/></psc:chapters></item>"""
            for n in range(self.items)
        )
        return f"""<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
            xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Shores and Tides</title>
            <itunes:author>Ann Nobody</itunes:author><itunes:image href="{self.url}/artwork.png"/>{items}</channel></rss>"""


def a_podcast_is_kept():
    feeds = FeedServer()
    app = App()
    app.key("ctrl+p")
    wait("the page says what to do", lambda: app.named("Add Podcast…"))
    app.screenshot("podcasts-empty")
    app.key("ctrl+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    expect("the podcast is listed", app.text("^Shores and Tides$"))
    feeds.items = 7
    app.key("F5")
    wait("a refresh adds an episode", lambda: app.text("^The Night Ferry$"))
    app.key("ctrl+r")
    wait("a refresh is conditional", lambda: ("/feed.xml", '"7"') in feeds.requests)
    # Room for the messages below the last episode.
    app.place(720, 840)
    row = wait("an episode is a row", lambda: next(n for n in app.all() if (n.name or "").startswith("Low Water, ")))
    app.press(row)
    wait("it plays", lambda: app.named("Pause"))
    download = wait("an episode can be downloaded", lambda: app.named("Download", "push button"))
    download.queryAction().doAction(0)
    wait("the download is there", lambda: app.text("Downloaded"))
    app.key("Escape")
    wait("the player is shown", lambda: app.slider("Position"))
    expect("the feed's chapter is shown", wait("the chapter", lambda: app.text("^Arrival$")))
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
    row = wait("the episode is a row", lambda: next(n for n in app.all() if (n.name or "").startswith("Low Water, ")))
    app.press(row)
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
    app.key("ctrl+n")
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


song = make("song.m4a", 60, "-metadata", "title=The Tide", "-metadata", "artist=Nobody", "-metadata", "album=Shores")
book = inputs / "book.m4a"
if not book.exists():
    texts = inputs / "chapters.txt"
    chapters = [("Morning", 0, 20), ("Noon", 20, 40), ("Evening", 40, 60)]
    texts.write_text(
        ";FFMETADATA1\ntitle=A Day\n"
        + "".join(f"[CHAPTER]\nTIMEBASE=1/1\nSTART={a}\nEND={b}\ntitle={name}\n" for name, a, b in chapters)
    )
    pulses = "0.5*sin(2*PI*220*t)*gt(mod(t\\,10)\\,3)"
    source = ["-f", "lavfi", "-i", f"aevalsrc={pulses}:s=44100:d=60"]
    run("ffmpeg", "-v", "error", *source, "-i", str(texts), "-map_metadata", "1", "-map", "0:a", str(book))
tone = inputs / "tone.wav"
if not tone.exists():
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=1000:d=60,volume=2", str(tone))
sun = ["-fill", "#f6d32d", "-draw", "circle 300,300 300,150"]
run("convert", "-size", "600x600", "gradient:#1a5fb4-#99c1f1", *sun, str(inputs / "artwork.png"))
film = inputs / "film.mp4"
if not film.exists():
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=10", "-f", "lavfi", "-i", "sine=440:d=10"]
    run("ffmpeg", "-v", "error", *pictures, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", str(film))
(inputs / "album").mkdir(exist_ok=True)
for number, name in enumerate(["one", "two", "three"], start=1):
    make(f"album/{name}.ogg", 8, "-metadata", f"title={number} {name}")

for function in [
    an_empty_window,
    a_file_plays_and_is_dragged,
    a_folder_is_a_queue,
    a_window_remembers,
    a_file_that_is_missing,
    a_film_shows_pictures,
    an_effect_is_heard,
    an_address,
    a_book_has_chapters,
    an_address_is_pasted,
    a_dark_desktop,
    a_podcast_is_kept,
    a_dark_podcast,
]:
    if function.__name__ == sys.argv[4]:
        scenario(function)
if failures:
    sys.exit(f"{len(failures)} failures: " + "; ".join(failures))
