"""The app as a person and a screen reader see it: through X11 and AT-SPI."""

import os
import pathlib
import re
import subprocess
import time

import pyatspi

from helpers import expect, folder, goldens, log, program, run, scratch, wait

# The processes that scenarios have started.
started = []


def distance(first, second):
    """Returns how far two pictures of the same size differ: 0, if they do not, to 1."""
    result = subprocess.run(["compare", "-metric", "RMSE", str(first), str(second), "null:"], capture_output=True, text=True)
    match = re.search(r"\(([0-9.e-]+)\)", result.stderr)
    return float(match.group(1)) if match else 1.0


class App:
    """A run of the app."""

    def __init__(self, *arguments, **environment):
        self.errors = open(log, "a")
        env = dict(os.environ, **environment)
        self.process = subprocess.Popen([program, *map(str, arguments)], stderr=self.errors, env=env)
        started.append(self.process)
        self.root = wait("the app is on the accessibility bus", self.find_root)
        self.window = wait("the window is there", self.find_window)
        self.border = 0
        self.started = self.size()
        self.place(720, 640)
        # The frame is drawn within the window.
        frame = wait("the frame has a size", self.find_frame)
        self.border = (720 - self.box(frame)[2]) / 2

    def find_window(self):
        """Returns the window in front, which may be a dialog."""
        return run("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)).split()[-1]

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

    def place(self, width, height, x=100, y=40):
        run("xdotool", "windowsize", self.window, str(width), str(height))
        run("xdotool", "windowmove", self.window, str(x), str(y))
        # It gets no smaller than its content.
        wait("the window has its size", lambda: self.size()[1] == height and self.size()[0] >= width)
        time.sleep(0.4)

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
            # The name first: each question is a message to the app.
            if re.search(pattern, node.name or "") and node.getRoleName() == "label" and self.box(node)[2] > 0:
                return node.name

    def slider(self, name):
        return self.named(name, "slider")

    def value(self, name):
        return self.slider(name).queryValue().currentValue

    def key(self, *keys):
        wait("a window of the app has the focus", self.has_focus)
        run("xdotool", "key", *keys)

    def has_focus(self):
        return run("xdotool", "getwindowfocus", "getwindowpid").strip() == str(self.process.pid)

    def windows(self):
        """Returns the windows that are shown, in no order."""
        return run("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)).split()

    def minimize(self):
        """Puts the window away, as a listener does who turns to something else."""
        run("xdotool", "windowminimize", "--sync", self.window)

    def activate(self):
        """Brings the window in front, with the focus."""
        run("xdotool", "windowactivate", "--sync", self.window)

    def box(self, node):
        extents = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return extents.x + self.border, extents.y + self.border, extents.width, extents.height

    def move(self, x, y):
        run("xdotool", "mousemove", "--window", self.window, str(round(x)), str(round(y)))

    def title(self):
        """Returns the title of the window: that of the recording that plays."""
        return self.find_frame().name

    def queue(self):
        """Returns the rows of the queue from top to bottom."""
        items = [n for n in self.all(self.named("Queue", "list")) if n.getRoleName() == "list item"]
        return sorted((n for n in items if self.box(n)[2] > 0), key=lambda n: self.box(n)[1])

    def rows(self):
        """Returns the titles of the queue's rows from top to bottom."""
        return [n.name.split(", ")[0] for n in self.queue()]

    def row(self, title):
        return next(n for n in self.queue() if n.name.split(", ")[0] == title)

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
        """Fills in the entry of a dialog, and presses Return."""
        entry = wait("the dialog is shown", lambda: self.named(question))
        entry.queryEditableText().setTextContents(text)
        self.wait_for_dialog()
        run("xdotool", "key", "Return")
        wait("the dialog goes", lambda: not self.text(f"^{heading}$"))
        wait("the window has the focus", lambda: run("xdotool", "getwindowfocus").strip() == self.window)

    def wait_for_dialog(self):
        wait("the dialog has the focus", lambda: self.has_focus() and run("xdotool", "getwindowfocus").strip() != self.window)

    def choose(self, path):
        """Fills in the dialog that asks for a file: a slash opens its entry for a path."""
        self.wait_for_dialog()
        time.sleep(0.5)
        run("xdotool", "key", "ctrl+l")
        run("xdotool", "key", "ctrl+a")
        run("xdotool", "type", "--delay", "5", str(path))
        time.sleep(0.3)
        run("xdotool", "key", "Return")
        wait("the window has the focus", lambda: run("xdotool", "getwindowfocus").strip() == self.window)

    def play_episode(self, title):
        """Presses the button of an episode's row that plays it."""
        self.press(wait(f"{title} is listed", lambda: self.named(f"Play {title}")))

    def open_episode(self, title):
        """Presses the row of an episode, and waits for its page."""
        row = wait(f"{title} is a row", lambda: next(n for n in self.all() if (n.name or "").startswith(f"{title}, ")))
        x, y, width, height = self.box(row)
        self.move(x + 40, y + height / 2)
        run("xdotool", "click", "1")
        wait("its page is shown", lambda: self.named("Back to the Episodes"))

    def subscribe(self, address):
        self.answer("Address of the Feed", address, "Add Podcast")

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def screenshot(self, name, tolerance=0.06):
        """Keeps a picture of the window, and compares it with the one that is kept."""
        path = folder / f"{name}.png"
        golden = goldens / f"{name}.png"
        run("import", "-window", self.window, str(path))
        if os.environ.get("SYRINX_UPDATE_SCREENSHOTS"):
            goldens.mkdir(exist_ok=True)
            golden.write_bytes(path.read_bytes())
            return
        if not golden.exists():
            return expect(f"screenshot {name} has one to be compared with", False)
        # A busy machine takes a while to show all.
        end = time.monotonic() + 6
        while (difference := self.difference(path, golden)) > tolerance and time.monotonic() < end:
            time.sleep(0.5)
            run("import", "-window", self.window, str(path))
        expect(f"screenshot {name} looks as before", difference <= tolerance, round(difference, 4))

    def difference(self, path, golden):
        # Both blurred: fonts differ from machine to machine, the places of things do not.
        blurred = []
        for number, picture in enumerate([path, golden]):
            blurred.append(str(scratch / f"blurred-{number}.png"))
            run("convert", str(picture), "-blur", "0x4", blurred[-1])
        return distance(*blurred)

    def picture(self, node, name):
        """Keeps a picture of a widget, and returns its path."""
        return self.picture_of(*map(round, self.box(node)), name)

    def picture_of(self, x, y, width, height, name):
        """Keeps a picture of a part of the window, and returns its path."""
        path = folder / f"{name}.png"
        run("import", "-window", self.window, "-crop", f"{width}x{height}+{x}+{y}", "+repage", str(path))
        return path

    def act(self, action, window=1):
        """Activates an action, as an entry of the menu does: `about` of the app, `win.podcast-import` of the window."""
        path = "/io/github/syrinx/Syrinx" + (f"/window/{window}" if action.startswith("win.") else "")
        run(
            "gdbus", "call", "--session", "--dest", "io.github.syrinx.Syrinx", "--object-path", path,
            "--method", "org.gtk.Actions.Activate", action.removeprefix("win."), "[]", "{}",
        )

    def screenshot_all(self, name):
        """Keeps a picture of the screen, with windows over the window."""
        run("import", "-window", "root", str(folder / f"{name}.png"))

    def close(self):
        """Closes the window and returns the seconds until the process has ended."""
        self.activate()
        start = time.monotonic()
        subprocess.run(["xdotool", "key", "ctrl+w"], capture_output=True)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            expect("the process ends when its window is closed", False)
        return time.monotonic() - start
