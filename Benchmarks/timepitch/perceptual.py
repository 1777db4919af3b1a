"""Perceptual measures: round trips, and exact references that are synthesized at both speeds.

    python3 Benchmarks/timepitch/perceptual.py [--rates R …] [--engine NAME …] [--recordings FOLDER]

Needs PyPI's `visqol-python` and `zimtohrli` beside the packages of the benchmark. The exact references are made by the same formula at the
rate: notes with fast attacks, a voice that glides, and bands of noise. *ViSQOL* is the MOS-LQO of its audio mode, from 1 to about
4.7 (more is better). *Zimtohrli* is a distance (less is better, 0 for equal signals). Both judge a mix to mono at 48 kHz.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.signal import correlate

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import engines  # noqa: E402
import signals  # noqa: E402

SAMPLE_RATE = 48000
SECONDS = 4.0
RECORDINGS = ("speech-198", "tsm-castanets-violin", "tsm-singing-voice")


def _times(rate):
    """The time of the signal at rate 1 for each frame of its version at a rate."""
    return np.arange(int(SECONDS / rate * SAMPLE_RATE)) / SAMPLE_RATE * rate


def _partials(frequency, rate, weights, phase=0.0):
    turn = 2 * np.pi * np.cumsum(frequency) / SAMPLE_RATE + phase
    return sum(weight * np.sin(k * turn + k * k) for k, weight in enumerate(weights, 1))


def melody(rate):
    """Notes of eight partials: attacks of 2 ms at any speed, decays that take as long as the rate says."""
    t, sound = _times(rate), 0.0
    for index, semitone in enumerate((0, 4, 7, 12, 7, 4, 2, 0)):
        since = t - 0.25 - 0.45 * index
        level = np.clip(since / rate / 0.002, 0, 1) * np.exp(-np.maximum(since, 0) / 0.25)
        frequency = np.full(len(t), 220 * 2 ** (semitone / 12))
        sound = sound + level * _partials(frequency, rate, [0.7**k for k in range(8)], index)
    return 0.1 * sound


def voice(rate):
    """A voice whose pitch glides and whose formants and loudness change."""
    t = _times(rate)
    frequency = 140 + 25 * np.sin(2 * np.pi * 0.6 * t) + 3 * np.sin(2 * np.pi * 5 * t)
    first, second = 500 + 250 * np.sin(2 * np.pi * 0.9 * t), 1500 + 500 * np.sin(2 * np.pi * 0.7 * t + 1)
    turn, sound = 2 * np.pi * np.cumsum(frequency) / SAMPLE_RATE, 0.0
    for k in range(1, 30):
        place = k * frequency
        level = 1 / (1 + ((place - first) / 90) ** 2) + 0.5 / (1 + ((place - second) / 120) ** 2) + 0.02
        sound = sound + level * np.sin(k * turn + 0.3 * k * k)
    return 0.15 * sound * (0.55 + 0.45 * np.sin(2 * np.pi * 1.3 * t))


def noise(rate, seed=7):
    """Noise in five bands, whose levels change slowly: another noise at each speed, with the same levels."""
    t, rng = _times(rate), np.random.default_rng(seed)
    bands = [np.fft.irfft(np.where((f >= a) & (f < 2 * a), s, 0), len(t)) for a in (300, 600, 1200, 2400, 4800)
             for s in [np.fft.rfft(rng.standard_normal(len(t)))] for f in [np.fft.rfftfreq(len(t), 1 / SAMPLE_RATE)]]  # fmt: skip
    return 0.1 * sum(band * (0.55 + 0.45 * np.sin(2 * np.pi * (0.5 + 0.15 * k) * t + k)) for k, band in enumerate(bands))


EXACT = {"melody": melody, "voice": voice, "noise": noise}


def aligned(reference, output):
    """The output without a constant delay of at most 200 ms, which is found from the envelopes; of the reference's length."""
    block = 48

    def envelope(x):
        return np.sqrt((x[: len(x) // block * block].reshape(-1, block) ** 2).mean(1))

    a, b = envelope(reference), envelope(output)
    a, b = a - a.mean(), b - b.mean()
    scores = correlate(b, a)
    middle = len(a) - 1
    delay = int(np.argmax(scores[middle - 200 : middle + 201]) - 200) * block
    moved = output[delay:] if delay >= 0 else np.pad(output, (-delay, 0))
    return np.pad(moved, (0, max(len(reference) - len(moved), 0)))[: len(reference)]


class Judges:
    def __init__(self):
        import visqol
        import zimtohrli

        self.visqol = visqol.VisqolApi()
        self.visqol.create(mode="audio")
        self.zimtohrli = zimtohrli.Pyohrli()

    def __call__(self, reference, output):
        score = self.visqol.measure_from_arrays(reference, output, SAMPLE_RATE).moslqo
        return float(score), float(self.zimtohrli.distance(np.float32(reference), np.float32(output)))


def mono(path):
    return engines.read(path)[1].mean(axis=1)


def recordings(folder, scratch):
    """The first seconds of the recordings, mixed to mono at the judges' sample rate."""
    found = {}
    for name in RECORDINGS:
        source = next(pathlib.Path(folder).glob(name + ".*"))
        found[name] = scratch / f"{name}.wav"
        command = ["ffmpeg", "-v", "error", "-y", "-i", str(source), "-t", "4", "-ac", "1", "-ar", str(SAMPLE_RATE), "-bitexact"]
        subprocess.run(command + [str(found[name])], check=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rates", nargs="+", type=float, default=[0.75, 1.5])
    default = ["syrinx", "syrinx timeDomain", "rubberband R3", "rubberband R3 short", "signalsmith", "bungee", "soundtouch", "atempo"]
    parser.add_argument("--engine", nargs="+", default=default)
    parser.add_argument("--recordings", default=str(engines.ROOT.parent / "shared/audio"))
    options = parser.parse_args()
    judge = Judges()
    with tempfile.TemporaryDirectory(prefix="perceptual-") as folder:
        scratch = pathlib.Path(folder)
        sounds = recordings(options.recordings, scratch)
        made = {name: signals.write(scratch, name, SAMPLE_RATE, make(1)) for name, make in EXACT.items()}
        columns = [*EXACT, *(f"{name}, round trip" for name in sounds)]
        print("ViSQOL MOS-LQO / Zimtohrli distance\n")
        print("| rate | engine | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 2) + "|", flush=True)
        for rate in options.rates:
            wanted = {name: make(rate) for name, make in EXACT.items()}
            # Two noises differ as much as these without any error.
            least = "{:.2f} / {:.4f}".format(*judge(wanted["noise"], noise(rate, seed=8)))
            print(f"| {rate} | (another noise) | | | {least} |" + " |" * len(sounds), flush=True)
            for engine in options.engine:
                cells = []
                for name, path in made.items():
                    engines.run(engine, path, scratch / "out.wav", rate)
                    cells.append(judge(wanted[name], aligned(wanted[name], mono(scratch / "out.wav"))))
                for path in sounds.values():
                    engines.run(engine, path, scratch / "there.wav", rate)
                    engines.run(engine, scratch / "there.wav", scratch / "back.wav", 1 / rate)
                    source = mono(path)
                    cells.append(judge(source, aligned(source, mono(scratch / "back.wav"))))
                print(f"| {rate} | {engine} | " + " | ".join(f"{a:.2f} / {b:.4f}" for a, b in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
