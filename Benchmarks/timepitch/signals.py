"""The signals that the measures need, made from formulas, and the recordings."""

import pathlib
import subprocess

import numpy as np

import engines

TONES = (220.0, 1000.0, 5003.0)


def tones(sample_rate, seconds, frequencies=TONES, amplitude=0.2):
    """Steady sines, two equal channels."""
    t = np.arange(int(seconds * sample_rate)) / sample_rate
    mono = sum(amplitude * np.sin(2 * np.pi * f * t + i) for i, f in enumerate(frequencies))
    return np.stack([mono, mono], axis=1)


def clicks(sample_rate, seconds):
    """4 ms bursts of noise every 250 ms; and the frames at which they begin."""
    rng = np.random.default_rng(1)
    samples = np.zeros(int(seconds * sample_rate))
    length = int(0.004 * sample_rate)
    places = np.arange(int(0.25 * sample_rate), len(samples) - int(0.25 * sample_rate), int(0.25 * sample_rate))
    for place in places:
        samples[place : place + length] = rng.uniform(-0.8, 0.8, length)
    return np.stack([samples, samples], axis=1), places


def panned(sample_rate, seconds, degrees=40.0, level=0.5):
    """Tones whose right channel is quieter and ahead in phase."""
    t = np.arange(int(seconds * sample_rate)) / sample_rate
    left = sum(0.2 * np.sin(2 * np.pi * f * t + i) for i, f in enumerate(TONES))
    right = sum(level * 0.2 * np.sin(2 * np.pi * f * t + i + np.radians(degrees)) for i, f in enumerate(TONES))
    return np.stack([left, right], axis=1)


def white(sample_rate, seconds, amplitude=0.3):
    rng = np.random.default_rng(2)
    return rng.uniform(-amplitude, amplitude, (int(seconds * sample_rate), 2))


def recordings(folder, kind, scratch, limit):
    """Decodes recordings into WAV files of at most `limit` seconds: a dictionary of name and path."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*")):
        is_speech = path.name.startswith("speech-")
        if path.suffix not in (".wav", ".ogg", ".flac") or is_speech != (kind == "speech"):
            continue
        target = pathlib.Path(scratch) / f"{path.stem}.wav"
        command = ["ffmpeg", "-v", "error", "-y", "-i", str(path), "-t", str(limit), "-c:a", "pcm_s16le"]
        # The command of one peer reads one channel alone, and none of them more than samples.
        command += ["-bitexact"]
        command += ["-ac", "1"] if kind == "speech" else []
        subprocess.run(command + [str(target)], check=True)
        found[path.stem] = target
    return found


def write(scratch, name, sample_rate, samples):
    path = pathlib.Path(scratch) / f"{name}.wav"
    engines.write(path, sample_rate, samples)
    return path
