"""An HTTP server whose faults follow from the path, so that two runs get the same answers."""

from __future__ import annotations

import http.server
import threading
import time
from collections import Counter
from typing import Any

from recordings import tone

# The share of each kind in a thousand.
KINDS = {
    "good": 700,
    "missing": 80,
    "flaky": 80,
    "down": 4,
    "slow": 30,
    "cut": 36,
    "html": 40,
    "broken": 30,
}


def kind_of(number: int) -> str:
    """Returns the kind of an item, which depends on its number alone."""
    place = number * 379 % 1000
    for kind, share in KINDS.items():
        place -= share
        if place < 0:
            return kind
    raise AssertionError


class FaultyServer(http.server.ThreadingHTTPServer):
    """Serves ``/KIND/NUMBER.wav`` on a free port of 127.0.0.1."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.recordings = [tone(frequency=100 + 50 * n) for n in range(16)]
        self.requests: Counter[str] = Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, number: int, kind: str | None = None, user: str = "") -> str:
        """Returns the URL of an item."""
        return f"http://{user}127.0.0.1:{self.server_port}/{kind or kind_of(number)}/{number}.wav"

    def urls(self, count: int) -> list[str]:
        """Returns the URLs of the items from 0."""
        return [self.url(number) for number in range(count)]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Passes over clients that were killed."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultyServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.server.requests[self.path] += 1
        _, kind, name = self.path.split("/")
        body = self.server.recordings[int(name.removesuffix(".wav")) % len(self.server.recordings)]
        status = 200
        if kind == "missing":
            status, body = 404, b""
        elif kind == "down" or (kind == "flaky" and self.server.requests[self.path] == 1):
            status, body = 500, b""
        elif kind == "html":
            body = b"<!DOCTYPE html><html><body>Not here</body></html>"
        elif kind == "broken":
            body = body[:30]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if kind == "cut":
            self.wfile.write(body[:12_000])
            self.close_connection = True
        elif kind == "slow":
            for start in range(0, len(body), 8000):
                self.wfile.write(body[start : start + 8000])
                time.sleep(0.1)
        else:
            self.wfile.write(body)
