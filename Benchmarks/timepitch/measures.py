"""Numbers that say how good a stretched signal is; all arrays are frames × channels."""

import numpy as np
from scipy.signal import get_window, hilbert, welch


def purity(samples, sample_rate, frequencies):
    """Energy of the best-fitting sines over what they leave, in dB: the least over blocks of 250 ms."""
    length = int(0.25 * sample_rate)
    t = np.arange(length) / sample_rate
    columns = [f(2 * np.pi * frequency * t) for frequency in frequencies for f in (np.sin, np.cos)]
    basis, _ = np.linalg.qr(np.stack(columns, axis=1))
    worst = np.inf
    for start in range(length, len(samples) - 2 * length, length):
        block = samples[start : start + length, 0]
        rest = block - basis @ (basis.T @ block)
        worst = min(worst, 10 * np.log10((block @ block) / max(rest @ rest, 1e-30)))
    return worst


def clicks(samples, sample_rate, places, rate):
    """The share of clicks' energy within ±4 ms of their middles (%), and by how much they begin late (ms): median, deviation."""
    mono = samples.sum(axis=1)
    energy = mono**2
    half = int(0.002 * sample_rate)
    smooth = np.convolve(energy, np.ones(2 * half + 1), "same")
    shares, errors = [], []
    for place in places:
        due = place / rate
        reach = int(0.11 * sample_rate / max(rate, 1))
        low, high = max(int(due) - reach, 0), min(int(due) + reach, len(energy))
        if high - low < reach:
            continue
        middle = low + int(np.argmax(smooth[low:high]))
        near = slice(max(middle - 2 * half, 0), middle + 2 * half + 1)
        shares.append(energy[near].sum() / max(energy[low:high].sum(), 1e-30))
        part = np.abs(mono[near])
        begin = near.start + int(np.argmax(part > 0.2 * part.max()))
        errors.append(1000 * (begin - due) / sample_rate)
    return 100 * np.min(shares), np.median(errors), np.std(errors)


def ripple(samples, sample_rate):
    """By how much a steady tone's amplitude swings, in % of its mean."""
    envelope = np.abs(hilbert(samples[:, 0]))[sample_rate // 2 : -sample_rate // 2]
    return 50 * (envelope.max() - envelope.min()) / envelope.mean()


def cents(samples, sample_rate, frequency):
    """By how many cents a tone is off: the turn of its phase between two blocks 50 ms apart."""
    distance, length = int(0.05 * sample_rate), int(0.25 * sample_rate)
    start = len(samples) // 2 - (length + distance) // 2
    window = get_window("hann", length)
    turn = np.exp(-2j * np.pi * frequency * np.arange(length + distance) / sample_rate)
    block = samples[start : start + length + distance, 0] * turn
    first, second = np.sum(block[:length] * window), np.sum(block[distance:] * window)
    off = np.angle(second / first) / (2 * np.pi * distance / sample_rate)
    return 1200 * np.log2(1 + off / frequency)


def panning(samples, sample_rate, frequencies, degrees, level):
    """By how much the right channel's level (dB) and phase (degrees) are off, at worst over tones and blocks."""
    length = int(0.25 * sample_rate)
    window = get_window("hann", length)
    worst_level, worst_phase = 0.0, 0.0
    for start in range(length, len(samples) - 2 * length, length):
        for frequency in frequencies:
            turn = window * np.exp(-2j * np.pi * frequency * np.arange(length) / sample_rate)
            left, right = turn @ samples[start : start + length, 0], turn @ samples[start : start + length, 1]
            ratio = right / left / (level * np.exp(1j * np.radians(degrees)))
            worst_level = max(worst_level, abs(20 * np.log10(abs(ratio))))
            worst_phase = max(worst_phase, abs(np.degrees(np.angle(ratio))))
    return worst_level, worst_phase


def _stft(samples, centres, length):
    window = get_window("hann", length).astype(np.float32)
    padded = np.pad(samples.astype(np.float32), ((length, length), (0, 0)))
    starts = np.clip(np.rint(centres).astype(int) + length - length // 2, 0, len(padded) - length)
    frames = padded[starts[:, None] + np.arange(length)[None, :]]
    return np.abs(np.fft.rfft(frames * window[None, :, None], axis=1)).astype(np.float32)


def _convergence(source, output, rate, length, hop, offset):
    centres = np.arange(length // 2, min(len(output), len(source) / rate) - length // 2, hop)
    wanted = _stft(source, centres * rate, length)
    heard = _stft(output, centres + offset, length)
    return float(np.sqrt(((heard - wanted) ** 2).sum() / (wanted**2).sum()))


def spectral_convergence(source, output, sample_rate, rate, aligned):
    """‖|STFT(output)| − |STFT(source at the mapped time)|‖ / ‖|STFT(source)|‖, the mean of three windows.

    The windows are 23, 46 and 93 ms (1024, 2048 and 4096 frames at 44.1 kHz) at a hop of a quarter. Unless it is `aligned`,
    the output is given the constant delay that suits it best.
    """
    base = 2 ** int(round(np.log2(0.0464 * sample_rate)))
    offset = 0
    if not aligned:
        for reach, step in ((0.08, 0.008), (0.006, 0.002), (0.001, 0.0005)):
            tries = offset + np.arange(-reach, reach + step / 2, step) * sample_rate
            offset = min(tries, key=lambda o: _convergence(source, output, rate, base, base * 4, o))
    sizes = (base // 2, base, 2 * base)
    return float(np.mean([_convergence(source, output, rate, n, n // 4, offset) for n in sizes])), 1000 * offset / sample_rate


def whiteness(samples, sample_rate):
    """By how many dB the loudest and quietest third of an octave of white noise differ from their mean, 100 Hz up."""
    frequencies, power = welch(samples[:, 0], sample_rate, nperseg=8192)
    edges = 100 * 2 ** (np.arange(0, 3 * np.log2(0.45 * sample_rate / 100)) / 3)
    bands = [power[(frequencies >= a) & (frequencies < b)].mean() for a, b in zip(edges, edges[1:])]
    levels = 10 * np.log10(np.array(bands))
    return float(np.abs(levels - 10 * np.log10(power[(frequencies >= 100) & (frequencies < edges[-1])].mean())).max())


def hop_spike(samples, sample_rate):
    """How far the loudest line of the energy's modulation, 20 to 500 Hz, is above the median there, in dB."""
    step = sample_rate // 2000
    energy = (samples[:, 0] ** 2)[: len(samples) // step * step].reshape(-1, step).sum(axis=1)
    frequencies, power = welch(energy - energy.mean(), sample_rate / step, nperseg=2048)
    power = power[(frequencies > 20) & (frequencies < 500)]
    return float(10 * np.log10(power.max() / np.median(power)))
