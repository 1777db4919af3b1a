"""How far the spectral envelope moves when the pitch changes and formants are preserved."""

import functools
import importlib.util
import os
import subprocess

import numpy as np
from scipy.io import wavfile

import engines
import signals

PROGRAM = os.environ.get("SYRINX_TIME_PITCH", str(engines.ROOT / ".build/release/syrinx-time-pitch-benchmark"))
HIGHEST = 5000.0
SHIFTS = (-700, -300, 300, 700)

# Formants in Hz, of Peterson and Barney (1952) and above them the usual ones of a vocal tract of 17 cm; bandwidths in Hz.
VOWELS = {
    "a": (730, 1090, 2440, 3400, 4500),
    "e": (530, 1840, 2480, 3400, 4500),
    "i": (270, 2290, 3010, 3500, 4500),
    "u": (300, 870, 2240, 3400, 4500),
}
BANDWIDTHS = (70, 90, 140, 200, 250)
PITCHES = (100.0, 140.0, 220.0)


def envelope(frequencies, vowel):
    """The level in dB of the partials of a vowel: a cascade of resonances, and a glottis and lips that fall by 6 dB an octave."""
    s = 1j * np.asarray(frequencies, dtype=float)
    response = np.ones(len(s), dtype=complex)
    # The tract goes on resonating every 1000 Hz.
    higher = [(centre, 300 + 0.05 * (centre - 5500)) for centre in range(5500, 24000, 1000)]
    for centre, width in [*zip(VOWELS[vowel], BANDWIDTHS), *higher]:
        pole = -width / 2 + 1j * centre
        response *= abs(pole) ** 2 / ((s - pole) * (s - np.conj(pole)))
    return 20 * np.log10(np.abs(response) / np.sqrt(1 + (np.abs(s) / 150) ** 2))


def phase(pitch, sample_rate, seconds):
    """The phase in cycles of a voice with a vibrato of 20 cents, 5 Hz, and its pitch at each sample."""
    t = np.arange(int(seconds * sample_rate)) / sample_rate
    f0 = pitch * 2 ** (20 / 1200 * np.sin(2 * np.pi * 5 * t))
    return np.cumsum(f0) / sample_rate, f0


@functools.cache
def voice(vowel, pitch, sample_rate=44100, seconds=1.0):
    turns, f0 = phase(pitch, sample_rate, seconds)
    out = np.zeros(len(turns))
    grid = np.arange(10.0, 0.5 * sample_rate, 5.0)
    levels = 10 ** (envelope(grid, vowel) / 20)
    for partial in range(1, int(0.45 * sample_rate / pitch)):
        out += np.interp(partial * f0, grid, levels) * np.sin(2 * np.pi * partial * turns + partial**2)
    return 0.3 * out / np.abs(out).max(), 0.3 / np.abs(out).max()


def partials(samples, turns, sample_rate, count, middle, length):
    """The amplitudes of the partials of a voice of known phase around a sample, through Hann's window of whole periods."""
    part = slice(middle - length // 2, middle - length // 2 + length)
    window = np.hanning(length + 1)[:-1]
    step = np.exp(-2j * np.pi * turns[part])
    found, turn = np.zeros(count), window * samples[part]
    for partial in range(count):
        turn = turn * step
        found[partial] = 2 * abs(turn.sum()) / window.sum()
    return found


def vowel_errors(stretch, vowel, pitch, cents, sample_rate=44100):
    """The error of every partial below 5 kHz in dB, in 20 places: of an engine, and of the same engine's mean level."""
    samples, scale = voice(vowel, pitch, sample_rate)
    output = stretch(samples, sample_rate, cents)
    ratio = 2 ** (cents / 1200)
    turns, f0 = phase(pitch, sample_rate, 1.0)
    errors, places = [], np.linspace(0.3, 0.7, 20) * sample_rate
    for middle in places.astype(int):
        own = f0[middle] * ratio
        count = int(HIGHEST / own)
        heard = 20 * np.log10(partials(output, turns * ratio, sample_rate, count, middle, int(6 * sample_rate / own)) / scale + 1e-9)
        frequencies = own * np.arange(1, count + 1)
        errors.append((heard - envelope(frequencies, vowel))[frequencies < HIGHEST])
    return np.concatenate(errors)


def judged(samples, sample_rate, f0, times):
    """The envelope that WORLD's CheapTrick finds: frames × frequencies."""
    import pyworld

    return pyworld.cheaptrick(samples, f0, times, sample_rate, fft_size=2048 if sample_rate < 30000 else 4096)


@functools.cache
def recording(path):
    """A recording: its rate, samples, pitch, the times of its frames, its envelope, and the voiced frames that are not quiet."""
    import pyworld

    sample_rate, source = engines.read(path)
    source = np.ascontiguousarray(source[:, 0])
    f0, times = pyworld.dio(source, sample_rate)
    f0 = pyworld.stonemask(source, f0, times, sample_rate)
    own = judged(source, sample_rate, f0, times)
    level = 10 * np.log10(own.mean(axis=1))
    kept = (np.convolve(f0 > 0, np.ones(11), "same") == 11) & (level > level.max() - 30)
    return sample_rate, source, f0, times, own, kept


def recorded_errors(path, stretch, cents):
    """What the envelope of voiced places is off in dB: frames × frequencies from 150 Hz to 5 kHz; and the frequencies."""
    sample_rate, source, f0, times, own, kept = recording(path)
    output = stretch(source, sample_rate, cents)
    output = np.pad(output, (0, max(len(source) - len(output), 0)))[: len(source)]
    heard = judged(output, sample_rate, f0 * 2 ** (cents / 1200), times)
    frequencies = np.arange(own.shape[1]) * sample_rate / 2 / (own.shape[1] - 1)
    band = (frequencies > 150) & (frequencies < HIGHEST)
    # The envelope is of the power at the pitch, which falls with the number of partials.
    return 10 * np.log10(heard[kept][:, band] / own[kept][:, band]) + 10 * cents / 1200 * np.log10(2), frequencies[band]


def program(scratch, name="syrinx formants"):
    """Returns a function that shifts one channel."""

    def stretch(samples, sample_rate, cents):
        source, target = scratch / "in.wav", scratch / "out.wav"
        # Floats: the upper partials of some vowels are below the noise of 16 bits.
        wavfile.write(source, int(sample_rate), np.asarray(samples, dtype=np.float32))
        commands = {
            "syrinx formants": [PROGRAM, "--pitch", repr(float(cents)), "--formants", source, target],
            "syrinx without": [PROGRAM, "--pitch", repr(float(cents)), source, target],
            "rubberband R2 -F": ["rubberband", "-2", "-F", "-q", "-p", repr(cents / 100), source, target],
            "rubberband R3 -F": ["rubberband", "-3", "-F", "-q", "-p", repr(cents / 100), source, target],
        }
        subprocess.run([str(word) for word in commands[name]], check=True, capture_output=True)
        return engines.read(target)[1][:, 0]

    return stretch


NAMES = ("syrinx formants", "syrinx without", "rubberband R2 -F", "rubberband R3 -F")


def _summary(errors):
    return {
        "level dB": float(errors.mean()), "rms dB": float(np.sqrt((errors**2).mean())),
        "95 % below dB": float(np.percentile(np.abs(errors), 95)),
    }  # fmt: skip


def rows(bench):
    """Vowels of known envelope; and recordings, if WORLD (PyPI's `pyworld`) is there to judge them."""
    result = []
    for cents in SHIFTS:
        for name in NAMES:
            stretch = program(bench.scratch, name)
            errors = [vowel_errors(stretch, vowel, pitch, cents) for vowel in VOWELS for pitch in PITCHES]
            each = [float(np.sqrt((error**2).mean())) for error in errors]
            row = {"cents": cents, "engine": name, "sound": "vowels"} | _summary(np.concatenate(errors))
            result.append(row | {"worst rms dB": max(each)})
    if importlib.util.find_spec("pyworld") is None:
        return result
    for cents in SHIFTS:
        for name in NAMES:
            stretch = program(bench.scratch, name)
            errors, means = [], []
            for path in signals.recordings(bench.recordings, "speech", bench.scratch, 30).values():
                error, frequencies = recorded_errors(path, stretch, cents)
                errors.append(error.ravel())
                edges = 150 * 2 ** (np.arange(16) / 3)
                means.append([error[:, (frequencies >= a) & (frequencies < b)].mean() for a, b in zip(edges, edges[1:])])
            row = {"cents": cents, "engine": name, "sound": "speech"} | _summary(np.concatenate(errors))
            result.append(row | {"mean of thirds, rms dB": float(np.sqrt((np.array(means) ** 2).mean())), "worst": float(np.abs(means).max())})
    return result
