"""Servers on 127.0.0.1 that scenarios read from."""

import base64
import functools
import http.server
import re
import threading
import time

import recordings  # What is served has to be there.
from helpers import inputs


def serve(handler, port=0):
    """Starts a server, and returns it with its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def serve_inputs(port=0):
    """Serves the recordings as files."""

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    return serve(functools.partial(Files, directory=str(inputs)), port)


class Stalls(http.server.BaseHTTPRequestHandler):
    """Sends the beginning of a recording, and then nothing."""

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


class Guarded(http.server.SimpleHTTPRequestHandler):
    """Serves the recordings to those who know a password."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, directory=str(inputs), **options)

    def do_GET(self):
        if self.headers.get("Authorization") == "Basic " + base64.b64encode(b"me:tide").decode():
            return super().do_GET()
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="tides"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Unsteady:
    """Serves a tone with ranges. The first answer ends in the middle, at a signal, and while it is down all are refused."""

    def __init__(self):
        self.is_down = False
        self.gate = threading.Event()
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if served.is_down:
                    return self.connection.close()
                data = (inputs / "tone.wav").read_bytes()
                match = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
                start = int(match[1]) if match else 0
                self.send_response(206 if match else 200)
                self.send_header("Content-Type", "audio/wav")
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("ETag", '"tone"')
                if match:
                    self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
                self.send_header("Content-Length", str(len(data) - start))
                self.end_headers()
                try:
                    if not served.gate.is_set():
                        self.wfile.write(data[start : start + 500_000])
                        served.gate.wait(30)
                        return self.connection.close()
                    self.wfile.write(data[start:])
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server, self.url = serve(Handler)


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

        self.server, self.url = serve(Handler)

    def feed(self):
        titles = ["Low Water", "The Long Tide, and What It Leaves on the Sand between Two Storms", "Salt", "Harbour Lights",
                  "A Letter from the Pilot", "Driftwood", "The Night Ferry"]
        notes = """<content:encoded><![CDATA[<p>00:20 The Bar</p><p>Read <a href="https://anna.example/tides?a=1&amp;b=2">Anna's
            page</a> &lt;b&gt;first.</p><ul><li>Salt</li><li>Sand</li></ul><script>no()</script><img src="x.png">]]></content:encoded>"""
        items = "".join(
            f"""<item><guid>e{n}</guid><title>{titles[n]}</title>{notes if n == 0 else ""}<itunes:duration>{60 if n == 0 else 1800 + n * 700}</itunes:duration>
            <pubDate>Mon, {10 + n:02} Mar 2025 08:00:00 GMT</pubDate>
            <enclosure url="{self.url}/song.m4a?{n}" type="audio/mp4" length="1000000"/>
            <psc:chapters><psc:chapter start="0" title="Arrival"/><psc:chapter start="20" title="The Bar"/></psc:chapters></item>"""
            for n in range(self.items)
        )
        return f"""<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
            xmlns:psc="http://podlove.org/simple-chapters" xmlns:content="http://purl.org/rss/1.0/modules/content/">
            <channel><title>Shores and Tides</title><description>Ann walks along the coast of the north, from one harbour to the next,
            asks who lives there &amp;amp; what the sea brings: a talk each week, with tides, birds, ships and the people of the shore.
            &lt;p&gt;More: https://shores.example/about&lt;/p&gt;</description>
            <itunes:author>Ann Nobody</itunes:author><itunes:image href="{self.url}/sun.png"/>{items}</channel></rss>"""
