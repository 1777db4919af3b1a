"""The waveform and the spectrogram, of files and of what a server sends slowly."""

import http.server
import re
import threading
import time

from app import App
from helpers import expect, folder, inputs, run, wait
from recordings import make, tone


class SlowServer:
    """Serves one file in ranges, at a bounded rate, and notes when the first bytes of it went out."""

    def __init__(self, path, rate):
        self.first_byte = None
        self.ranges = []
        served = self
        data = path.read_bytes()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                match = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                start = int(match.group(1)) if match else 0
                end = int(match.group(2)) + 1 if match and match.group(2) else len(data)
                served.ranges.append(start)
                self.send_response(206 if match else 200)
                self.send_header("Content-Type", served.type(path))
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("ETag", '"1"')
                self.send_header("Content-Length", str(end - start))
                if match:
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
                self.end_headers()
                try:
                    for offset in range(start, end, 4096):
                        if served.first_byte is None:
                            served.first_byte = time.monotonic()
                        self.wfile.write(data[offset : min(offset + 4096, end)])
                        if rate:
                            time.sleep(4096 / rate)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/{path.name}"

    @staticmethod
    def type(path):
        return {".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".m4a": "audio/mp4", ".flac": "audio/flac"}[path.suffix]

    def close(self):
        self.server.shutdown()


def heights(picture, box, columns):
    """Returns for each column of a waveform the share of its height that is inked."""
    x, y, width, height = (round(value) for value in box)
    raw = run("convert", str(picture), "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-colorspace", "Gray", "-resize",
              f"{columns * 3}x{height}!", "txt:-")
    grays = {}
    for line in raw.splitlines()[1:]:
        match = re.match(r"(\d+),(\d+):.*?gray\(([0-9.]+)%?", line) or re.match(r"(\d+),(\d+): \((\d+)", line)
        if match:
            grays[int(match.group(1)), int(match.group(2))] = float(match.group(3))
    paper = max(set(grays.values()), key=list(grays.values()).count)
    result = []
    for column in range(columns):
        inked = 0
        for row in range(height):
            if any(abs(grays[column * 3 + part, row] - paper) > 6 for part in range(3)):
                inked += 1
        result.append(inked / height)
    return result


def a_far_seek_in_a_slow_stream():
    # A swell of twenty minutes: half a second of it comes in 4 KB.
    path = make("long.mp3", 1200, "-c:a", "libmp3lame", "-b:a", "64k")
    server = SlowServer(path, 60_000)
    app = App(server.url)
    wait("it plays", lambda: app.named("Pause") and app.value("Position") > 0.5)
    time.sleep(3)
    x, y, width, height = app.box(app.slider("Position"))
    app.move(x + width * 0.7, y + height / 2)
    run("xdotool", "click", "1")
    wait("it plays there", lambda: app.value("Position") > 841, 25)
    expect("it was fetched from there", any(start > 6_000_000 for start in server.ranges), server.ranges)
    time.sleep(8)
    app.move(x + width / 2, y + height + 60)
    time.sleep(0.5)
    app.screenshot_all("far-seek")
    run("import", "-window", app.window, str(folder / "far-seek-window.png"))
    bars = heights(folder / "far-seek-window.png", (x, y, width, height), 100)
    shape = " ".join(f"{bar:.2f}" for bar in bars)
    expect("the start is drawn", max(bars[0:2]) > 0.15, shape)
    expect("the gap is not drawn as sound", max(bars[20:65]) < 0.1)
    expect("what lies behind the seek is drawn", max(bars[70:74]) > 0.15)
    expect("what has not come is not", max(bars[85:99]) < 0.1)
    app.close()
    server.close()


def brightest(picture, box, isDark):
    """Returns the row of a spectrogram that stands out most from the paper, as a share from the top."""
    x, y, width, height = (round(value) for value in box)
    raw = run("convert", str(picture), "-crop", f"{width // 2}x{height}+{x + width // 4}+{y}", "+repage", "-colorspace",
              "Gray", "-resize", f"1x{height}!", "-depth", "8", "txt:-")
    grays = [float(re.search(r"gray\(([0-9.]+)", line)[1]) for line in raw.splitlines()[1:] if "gray(" in line]
    place = max(range(len(grays)), key=lambda row: grays[row] if isDark else -grays[row])
    return (place + 0.5) / len(grays)


def look_at_spectrogram(name, width, height, isDark):
    environment = {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"} if isDark else {}
    app = App(tone, **environment)
    wait("it plays", lambda: app.named("Pause"))
    app.place(width, height)
    app.key("w")
    time.sleep(3)
    app.key("space")
    app.move(width / 2, height - 5)
    time.sleep(0.5)
    path = folder / f"{name}.png"
    run("import", "-window", app.window, str(path))
    row = brightest(path, app.box(app.slider("Position")), isDark)
    # 1 kHz lies at 999.99 of 3816.9 mel.
    expect("the tone is in the row of 1 kHz", abs((1 - row) - 0.262) < 0.03, round(1 - row, 3))
    return app


def a_spectrogram():
    app = look_at_spectrogram("spectrogram", 720, 640, False)
    app.close()
    app = App(tone)
    wait("it plays", lambda: app.named("Pause"))
    time.sleep(3)
    run("import", "-window", app.window, str(folder / "spectrogram-remembered.png"))
    row = brightest(folder / "spectrogram-remembered.png", app.box(app.slider("Position")), False)
    expect("the next start shows it too", abs((1 - row) - 0.262) < 0.03, round(1 - row, 3))
    app.close()


def a_dark_spectrogram():
    look_at_spectrogram("spectrogram-dark", 720, 640, True).close()


def a_narrow_spectrogram():
    look_at_spectrogram("spectrogram-narrow", 360, 640, False).close()


def a_wide_spectrogram():
    path = inputs / "chirps.flac"
    if not path.exists():
        sound = "0.4*sin(2*PI*(200*mod(t,20)+200*mod(t,20)*mod(t,20)))+0.1*sin(2*PI*440*t)*abs(sin(t))+0.01*(random(0)-0.5)"
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"aevalsrc='{sound}':s=44100:d=180", "-c:a", "flac", str(path))
    app = App(path)
    wait("it plays", lambda: app.named("Pause"))
    app.place(1200, 700)
    app.key("w")
    time.sleep(4)
    run("import", "-window", app.window, str(folder / "spectrogram-wide.png"))
    app.key("ctrl+plus")
    app.key("ctrl+plus")
    app.key("ctrl+plus")
    time.sleep(3)
    run("import", "-window", app.window, str(folder / "spectrogram-zoomed.png"))
    expect("it still plays", app.named("Pause"))
    app.close()
