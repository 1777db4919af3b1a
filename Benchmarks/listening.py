"""What the benchmarks of `syrinx play` beside mpv share: sound servers of their own, players, and a recorder that hears tones."""

import array
import cmath
import contextlib
import json
import math
import operator
import os
import shutil
import socket
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SYRINX = os.environ.get("SYRINX", os.path.join(HERE, "..", ".build", "release", "syrinx"))
# Samples: 6 ms tell the tones apart, every millisecond and a half.
WINDOW = 256
HOP = 64
# Of the tones as they are played.
LEVEL = 0.75 * 32768
PATIENCE = 60


def tone(minute):
    """Hz."""
    return 300 + 200 * minute


def make_tones(path, minutes, rate):
    """Writes a WAV file in which each minute is a tone of its own."""
    tones = ";".join(f"sine=f={tone(minute)}:d=60:r={rate}[t{minute}]" for minute in range(minutes))
    inputs = "".join(f"[t{minute}]" for minute in range(minutes))
    graph = f"{tones};{inputs}concat=n={minutes}:v=0:a=1,volume=6,aformat=channel_layouts=stereo"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-filter_complex", graph, path], check=True)


class Monitor:
    """Hears what a sink is given, and says when a tone was heard first."""

    def __init__(self, environment, rate):
        self.rate = rate
        # A recording takes a second or two to begin: what is heard before that would count as late.
        self.listens = threading.Event()
        self.open(environment)
        self.condition = threading.Condition()
        self.heard = []
        threading.Thread(target=self.listen, daemon=True).start()

    def open(self, environment):
        self.process = subprocess.Popen(
            [
                "parec", "--device=out.monitor", "--raw", "--format=s16le", f"--rate={self.rate}", "--channels=1",
                "--latency-msec=10",
            ],
            stdout=subprocess.PIPE,
            env=environment,
        )

    def read(self):
        """The next samples, `HOP` of them; none at the end."""
        data = self.process.stdout.read(2 * HOP)
        return array.array("h", data if len(data) == 2 * HOP else b"")

    def listen(self):
        last = array.array("h", bytes(2 * WINDOW))
        while samples := self.read():
            self.listens.set()
            last = last[HOP:] + samples
            with self.condition:
                self.heard.append((time.monotonic(), last))
                self.condition.notify_all()

    def forget(self):
        with self.condition:
            self.heard.clear()

    def wait(self, frequency):
        """When the tone had come to half of its level first since `forget`, whatever else was still heard with it."""
        step = 2j * math.pi * frequency / self.rate
        wave = [cmath.exp(step * index) for index in range(WINDOW)]

        def sounds(samples):
            return max(samples) > LEVEL / 4 and 2 * abs(sum(map(operator.mul, samples, wave))) / WINDOW > LEVEL / 2

        return self.find(sounds)

    def wait_for_silence(self):
        """When nothing was heard any more for a window since `forget`."""
        return self.find(lambda samples: max(samples) < LEVEL / 100)

    def find(self, is_it):
        end = time.monotonic() + PATIENCE
        count = 0
        while True:
            with self.condition:
                while count == len(self.heard):
                    left = end - time.monotonic()
                    if left <= 0 or not self.condition.wait(left):
                        return None
                at, samples = self.heard[count]
            count += 1
            if is_it(samples):
                return at

    def end(self):
        self.process.terminate()
        self.process.wait()


class CardMonitor(Monitor):
    """Hears what a simulated sound card plays."""

    def open(self, environment):
        # For both, so that it does not end with a player.
        descriptor = os.open(environment["CARD_FILE"], os.O_RDWR)
        self.pipe = os.fdopen(descriptor, "rb", buffering=0)
        self.listens.set()

    def read(self):
        # Floats in stereo.
        data = b""
        while len(data) < 8 * HOP:
            data += self.pipe.read(8 * HOP - len(data))
        samples = array.array("f", data)
        return array.array("h", (int(32767 * max(-1, min(1, sample))) for sample in samples[::2]))

    def wait_for_silence(self):
        """When the card has played nothing for 0.3 s: a paused card does not play silence."""
        with self.condition:
            while self.condition.wait(0.3):
                pass
        return time.monotonic()

    def end(self):
        pass


class Syrinx:
    def __init__(self, url, environment, scratch, output="pulse:out"):
        # Each run is the first that has heard of the URL.
        shutil.rmtree(environment["XDG_CACHE_HOME"], ignore_errors=True)
        self.process = subprocess.Popen(
            [SYRINX, "play", "--output", output, "--control", url],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def command(self, **command):
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()

    def seek(self, seconds):
        self.command(command="seek", time=seconds)

    def pause(self):
        self.command(command="pause")

    def resume(self):
        self.command(command="resume")

    def end(self):
        self.process.kill()
        self.process.wait()


class Mpv:
    def __init__(self, url, environment, scratch, output="pulse/out"):
        self.path = os.path.join(scratch, "mpv.socket")
        self.process = subprocess.Popen(
            [
                "mpv", "--no-config", "--no-video", "--no-terminal", f"--ao={output.split('/')[0]}",
                f"--audio-device={output}", f"--input-ipc-server={self.path}", url,
            ],
            stdin=subprocess.DEVNULL,
            env=environment,
        )

    def command(self, *command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.path)
            connection.sendall(json.dumps({"command": command}).encode() + b"\n")
            connection.recv(4096)

    def seek(self, seconds):
        self.command("seek", seconds, "absolute+exact")

    def pause(self):
        self.command("set_property", "pause", True)

    def resume(self):
        self.command("set_property", "pause", False)

    def end(self):
        self.process.kill()
        self.process.wait()
        if os.path.exists(self.path):
            os.remove(self.path)


def private_environment(scratch):
    """An environment in which programs find the sound server of `scratch`, and no other."""
    environment = dict(os.environ, XDG_RUNTIME_DIR=scratch, HOME=scratch, XDG_CACHE_HOME=os.path.join(scratch, "cache"))
    environment.update(XDG_CONFIG_HOME=os.path.join(scratch, "config"), XDG_STATE_HOME=os.path.join(scratch, "state"))
    # Where there is none, asking D-Bus costs seconds.
    environment.update(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent", PULSE_SERVER=f"unix:{scratch}/pulse/native")
    for name in ("DISPLAY", "http_proxy"):
        environment.pop(name, None)
    return environment


@contextlib.contextmanager
def running(processes):
    """Ends the processes, the last one first, when what is done with them is over."""
    try:
        yield
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def wait_until(holds, what):
    for _ in range(200):
        if holds():
            return
        time.sleep(0.05)
    raise SystemExit(f"{what} did not come up")


def answers(environment, *command):
    return subprocess.run(["pactl", *command], env=environment, capture_output=True, text=True)


@contextlib.contextmanager
def pulseaudio(scratch, rate):
    """A PulseAudio with one null sink, `out`."""
    environment = private_environment(scratch)
    process = subprocess.Popen(
        [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error",
            "-L", "module-native-protocol-unix", "-L", f"module-null-sink sink_name=out rate={rate}",
        ],
        env=environment,
    )
    with running([process]):
        wait_until(lambda: answers(environment, "info").returncode == 0, "pulseaudio")
        yield environment


@contextlib.contextmanager
def simulated_card(scratch, rate):
    """ALSA with one sound card, `card`, which plays into a pipe."""
    environment = private_environment(scratch)
    plugin, pipe, configuration = (os.path.join(scratch, name) for name in ("card.so", "card.pipe", "asound.conf"))
    source = os.path.join(HERE, "..", "Tests", "SimulatedCard", "card.c")
    options = ["-shared", "-fPIC", "-DPIC", "-O1", "-o", plugin]
    subprocess.run(["clang", *options, source, "-lasound", "-lpthread"], check=True)
    os.mkfifo(pipe)
    with open(configuration, "w") as file:
        file.write(f'pcm.card {{ type simulated file "{pipe}" }}\npcm_type.simulated {{ lib "{plugin}" }}\n')
    environment.update(ALSA_CONFIG_PATH=configuration, CARD_FILE=pipe, LD_PRELOAD=plugin)
    yield environment


# A session manager that has neither sound cards to look after nor a bus to talk on.
WIREPLUMBER = {
    "main.lua.d/51-none.lua": """alsa_monitor.enabled = false
v4l2_monitor.enabled = false
libcamera_monitor.enabled = false
default_access.properties["enable-flatpak-portal"] = false
device_defaults.properties["use-persistent-storage"] = false
""",
    "bluetooth.lua.d/51-none.lua": "bluez_monitor.enabled = false\n",
}


@contextlib.contextmanager
def pipewire(scratch, rate):
    """A PipeWire that answers as PulseAudio, with one null sink, `out`."""
    environment = private_environment(scratch)
    for name, text in WIREPLUMBER.items():
        path = os.path.join(environment["XDG_CONFIG_HOME"], "wireplumber", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    processes = []
    with running(processes):
        for program in ("pipewire", "wireplumber", "pipewire-pulse"):
            processes.append(subprocess.Popen([program], env=environment, stderr=subprocess.DEVNULL))
            if program == "pipewire":
                wait_until(lambda: os.path.exists(os.path.join(scratch, "pipewire-0")), program)
        wait_until(lambda: answers(environment, "info").returncode == 0, "pipewire-pulse")
        answers(environment, "load-module", "module-null-sink", "sink_name=out", f"rate={rate}")
        wait_until(lambda: answers(environment, "get-default-sink").stdout.strip() == "out", "wireplumber")
        yield environment
