"""Runs `syrinx render` and its peers on one file, counting the CPU time of each."""

import importlib.util
import os
import pathlib
import resource
import shutil
import subprocess
import sys

import numpy as np
from scipy.io import wavfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYRINX = os.environ.get("SYRINX", str(ROOT / ".build/release/syrinx"))


def _syrinx(*extra):
    def command(source, target, rate, cents):
        return [SYRINX, "render", "--sample-format", "f32", "--rate", repr(rate), "--pitch", repr(cents), *extra, source, target]

    return command


def _rubberband(*engine):
    def command(source, target, rate, cents):
        return ["rubberband", *engine, "-q", "-T", repr(rate), "-p", repr(cents / 100), source, target]

    return command


def _soundtouch(source, target, rate, cents):
    return ["soundstretch", source, target, f"-tempo={100 * (rate - 1):g}", f"-pitch={cents / 100:g}"]


def _atempo(source, target, rate, cents):
    # One instance skips above 2 and repeats below 0.5; its manual says to chain them.
    parts = []
    while rate > 2:
        parts.append(2.0)
        rate /= 2
    while rate < 0.5:
        parts.append(0.5)
        rate /= 0.5
    chain = ",".join(f"atempo={part!r}" for part in parts + [rate])
    return ["ffmpeg", "-v", "error", "-y", "-i", source, "-af", chain, "-c:a", "pcm_f32le", target]


def _sonic(source, target, rate, cents):
    return ["sonic", "-s", repr(rate), "-p", repr(2 ** (cents / 1200)), source, target]


def _package(name):
    def command(source, target, rate, cents):
        return [sys.executable, str(pathlib.Path(__file__).with_name("peers.py")), name, repr(rate), repr(cents), source, target]

    return command


ENGINES = {
    "syrinx": _syrinx(),
    "syrinx spectral": _syrinx("--algorithm", "spectral"),
    "syrinx timeDomain": _syrinx("--algorithm", "timeDomain"),
    "rubberband R2": _rubberband("-2"),
    "rubberband R3": _rubberband("-3"),
    "rubberband R3 short": _rubberband("-3", "--window-short"),
    "signalsmith": _package("signalsmith"),
    "bungee": _package("bungee"),
    "soundtouch": _soundtouch,
    "atempo": _atempo,
    "sonic": _sonic,
}
# What each can do: sonic's command reads one channel, and atempo leaves the pitch alone.
MONO_ONLY = {"sonic"}
NO_PITCH = {"atempo"}
# The peers that Python packages bring, and their modules.
PACKAGES = {"signalsmith": "python_stretch", "bungee": "bungee_python"}


def available():
    """The engines whose programs are here."""
    found = {}
    for name, command in ENGINES.items():
        if name in PACKAGES and importlib.util.find_spec(PACKAGES[name]) is None:
            continue
        if shutil.which(command("in", "out", 1.5, 0.0)[0]):
            found[name] = command
    return found


def write(path, sample_rate, samples):
    """Writes 16-bit samples, which every engine reads."""
    clipped = np.clip(np.rint(np.asarray(samples) * 32767), -32768, 32767)
    wavfile.write(path, int(sample_rate), clipped.astype(np.int16))


def read(path):
    """Reads a WAV file as (sample rate, frames × channels)."""
    sample_rate, data = wavfile.read(path)
    if data.dtype == np.int16:
        data = data / 32768.0
    elif data.dtype == np.int32:
        data = data / 2147483648.0
    data = np.asarray(data, dtype=np.float64)
    return sample_rate, data[:, None] if data.ndim == 1 else data


def run(name, source, target, rate, cents=0.0, repeats=1):
    """Runs an engine on a file.

    Returns the least CPU seconds (user and system, of that process alone) of the repeats.
    """
    least = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            ENGINES[name](str(source), str(target), float(rate), float(cents)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{name} failed at rate {rate}: {done.stderr.decode()[-300:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least
