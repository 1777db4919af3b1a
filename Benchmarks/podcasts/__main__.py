"""Measures a library of 400 podcasts with 100,000 episodes: refreshing its feeds, its lists and its search.

python3 Benchmarks/podcasts [--shows 400] [--episodes 250], after `scripts/build --product syrinx` and
`scripts/build --product syrinx-podcast-benchmark`. BUILD names another folder of programs.

A server in this process has the feeds. `syrinx podcast import` and `syrinx podcast refresh` make the library; a second refresh
finds nothing changed. The words of titles and notes are as frequent as in a language: the n-th with 1 / (n + 5).
"""

import argparse
import http.server
import itertools
import os
import pathlib
import random
import subprocess
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("BUILD", HERE.parent.parent / ".build" / "release"))

SYLLABLES = "ra te mo ni ka lo su the an in be do fi gu ha je pro qui sta wo ex ye zo".split()


class Feeds:
    """Texts of feeds, the same in each run."""

    def __init__(self, episodes):
        self.episodes = episodes
        chance = random.Random(1)
        self.words = ["".join(chance.choices(SYLLABLES, k=chance.choice([1, 2, 2, 3, 3, 4]))) for _ in range(30_000)]
        self.weights = list(itertools.accumulate(1 / (rank + 5) for rank in range(len(self.words))))

    def text(self, show):
        chance = random.Random(show)
        words = lambda count: " ".join(chance.choices(self.words, cum_weights=self.weights, k=count))
        now = 1_790_000_000
        items = "".join(
            f"""<item><title>{words(6)}</title><guid>{show}-{index}</guid><description>{words(100)}</description>
            <pubDate>{time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(now - 86_400 * (show % 7 + 1) * index - show))}</pubDate>
            <enclosure url="https://h.example/{show}/{index}.mp3" length="30000000" type="audio/mpeg"/></item>"""
            for index in range(self.episodes)
        )
        return f"<rss version='2.0'><channel><title>{words(2)}</title>{items}</channel></rss>".encode()


def serve(feeds):
    """Serves the feeds with validators, so that a second refresh finds nothing changed."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def do_GET(self):
            isKnown = self.headers.get("If-None-Match") == '"1"'
            body = b"" if isKnown else feeds.text(int(self.path[1:]))
            self.send_response(304 if isKnown else 200)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Type", "application/rss+xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def run(name, environment, *arguments):
    """Runs the command and prints its processor time, its duration and its largest memory."""
    start = time.monotonic()
    process = subprocess.Popen([BUILD / "syrinx", "podcast", *arguments], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name}: exit code {process.returncode}")
    seconds = usage.ru_utime + usage.ru_stime
    print(f"| {name} | {seconds:.1f} s | {time.monotonic() - start:.1f} s | {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shows", type=int, default=400)
    parser.add_argument("--episodes", type=int, default=250)
    options = parser.parse_args()
    feeds = Feeds(options.episodes)
    url = serve(feeds)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        environment = dict(os.environ, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder), HOME=str(folder))
        outlines = "".join(f"<outline type='rss' text='{show}' xmlUrl='{url}/{show}'/>" for show in range(options.shows))
        (folder / "shows.opml").write_text(f"<opml version='2.0'><body>{outlines}</body></opml>")
        print("| step | processor time | time | memory |\n|---|---|---|---|")
        run("import", environment, "import", str(folder / "shows.opml"))
        run("first refresh", environment, "refresh")
        run("refresh of feeds that have not changed", environment, "refresh")
        library = folder / "syrinx" / "library.sqlite"
        print(f"\nThe library has {library.stat().st_size >> 20} MiB.\n")
        print("| task | episodes | median, ms | longest, ms |\n|---|---|---|---|", flush=True)
        subprocess.run([BUILD / "syrinx-podcast-benchmark", library], check=True)


main()
