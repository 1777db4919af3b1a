"""What the engine costs, and what Chromium's OfflineAudioContext costs for the same graphs, in the same run.

    python3 Benchmarks/engine BENCHMARK [--runs N] [--only NAME]

BENCHMARK is the built `syrinx-engine-benchmark`. Both render offline at 48 kHz in stereo. What counts is processor time, of all
threads of the process that renders, the least of N runs: so that other load on the machine changes little.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


class Chromium:
    """A headless Chromium, told what to do through a pipe."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            sys.exit("engine: there is no chromium in PATH: scripts/bootstrap bench installs it")
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.outgoing = os.pipe()
        self.incoming, from_browser = os.pipe()
        arguments = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--remote-debugging-pipe",
            f"--user-data-dir={self.profile.name}",
            "about:blank",
        ]
        # The protocol is spoken over file descriptors 3 and 4.
        line = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", line, "chromium"] + arguments,
            pass_fds=[to_browser, from_browser],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.pending = b""
        self.count = 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.evaluate((HERE / "graphs.js").read_text())

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.outgoing, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.pending:
                piece = os.read(self.incoming, 65536)
                if not piece:
                    sys.exit("engine: chromium has ended")
                self.pending += piece
            line, self.pending = self.pending.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"engine: chromium: {answer['error']}")
                return answer["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"engine: chromium: {result['exceptionDetails']}")
        return result["result"].get("value")

    def find_renderer(self):
        """The process of the page: the renderer that uses the processor when the page does."""
        renderers = [pid for pid in self.descendants() if b"--type=renderer" in read(f"/proc/{pid}/cmdline")]
        before = {pid: self.nanoseconds(pid) for pid in renderers}
        self.evaluate("(() => { const end = performance.now() + 300; while (performance.now() < end); })()")
        return max(renderers, key=lambda pid: self.nanoseconds(pid) - before[pid])

    def descendants(self):
        children = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                fields = read(f"/proc/{entry}/stat").rpartition(b")")[2].split()
                if len(fields) > 1:
                    children.setdefault(int(fields[1]), []).append(int(entry))
        found, todo = [], [self.process.pid]
        while todo:
            for child in children.get(todo.pop(), []):
                found.append(child)
                todo.append(child)
        return found

    @staticmethod
    def nanoseconds(pid):
        """Processor time of a process, threads that have ended included.

        The clock of another process: its number is what clock_getcpuclockid(3) gives, which Python does not have.
        """
        return time.clock_gettime_ns((~pid << 3) | 2)

    def cost(self, name, count, seconds):
        """Seconds of processor time for a second of sound, and the frames of a block."""
        # Now and then Chromium goes on in another process: such a run is done again.
        for _ in range(8):
            block = self.evaluate(f"prepare({json.dumps(name)}, {count}, {seconds})")
            renderer = self.find_renderer()
            begin = self.nanoseconds(renderer)
            if not self.evaluate("render()"):
                sys.exit(f"engine: chromium renders silence for {name}")
            cost = (self.nanoseconds(renderer) - begin) / 1e9 / seconds
            if cost > 0 and self.find_renderer() == renderer:
                return cost, block
        sys.exit("engine: chromium goes from process to process: run it again")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()


def read(path):
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", help="the built syrinx-engine-benchmark")
    parser.add_argument("--runs", type=int, default=5, help="runs of each graph, of which the least counts (5)")
    parser.add_argument("--only", default="", metavar="NAME", help="only graphs whose names begin with NAME")
    options = parser.parse_args()

    output = subprocess.run([options.benchmark, str(options.runs), options.only], check=True, capture_output=True, text=True).stdout
    ours = [json.loads(line) for line in output.splitlines()]
    chromium = Chromium()
    rows = []
    for entry in ours:
        seconds = max(10, min(20, 6000 // entry["count"]))
        results = [chromium.cost(entry["name"], entry["count"], seconds) for _ in range(options.runs)]
        rows.append((entry, min(cost for cost, _ in results), results[0][1]))
    chromium.close()

    print("Processor time for one second of sound; a core is 1000 ms.\n")
    print("| graph | Syrinx ms | of a core, % | a piece, µs | Chromium ms | Syrinx / Chromium |")
    print("|---|---|---|---|---|---|")
    for entry, theirs, _ in rows:
        cost, count = entry["cost"], entry["count"]
        print(
            f"| {entry['name']}, {count} | {cost * 1e3:.2f} | {cost * 100:.2f} | {cost / count * 1e6:.1f} "
            f"| {theirs * 1e3:.2f} | {cost / theirs:.2f} |"
        )
    print(f"\nBlocks of 512 frames; Chromium's have {rows[0][2]}.")


if __name__ == "__main__":
    main()
