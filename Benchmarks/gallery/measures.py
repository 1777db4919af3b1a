"""Measures of the rendered sounds, which are all of 48 kHz in stereo."""

import struct

import numpy as np
from scipy import signal

RATE = 48_000
LOWEST, HIGHEST = 20.0, 20_000.0
# Where the impulse and the pulse lie in their files.
START = RATE // 10


def read(path):
    """The frames of a WAV file of 32-bit float, an array of frames and channels."""
    with open(path, "rb") as file:
        data = file.read()
    place, frames, channels = 12, None, 2
    while place + 8 <= len(data):
        name, size = data[place:place + 4], struct.unpack("<I", data[place + 4:place + 8])[0]
        if name == b"fmt ":
            channels = struct.unpack("<H", data[place + 10:place + 12])[0]
        if name == b"data":
            count = min(size, len(data) - place - 8) // 4 * 4
            frames = np.frombuffer(data, "<f4", count // 4, place + 8)
        place += 8 + size + size % 2
    return frames.reshape(-1, channels).astype(float)


def decibels(power, least=1e-16):
    return 10 * np.log10(np.maximum(power, least))


def loudness(sound):
    """The integrated loudness in LUFS (ITU-R BS.1770-4); its filters are those for 48 kHz."""
    shelf = ([1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
    high_pass = ([1, -2, 1], [1, -1.99004745483398, 0.99007225036621])
    weighted = signal.lfilter(*high_pass, signal.lfilter(*shelf, sound, axis=0), axis=0)
    hop = RATE // 10
    count = len(weighted) // hop
    tenths = (weighted[:count * hop] ** 2).reshape(count, hop, -1).mean(axis=1).sum(axis=1)
    blocks = np.convolve(tenths, np.ones(4) / 4, "valid")
    loud = blocks[-0.691 + decibels(blocks) > -70]
    if not len(loud):
        return -np.inf
    loud = loud[decibels(loud) > decibels(loud.mean()) - 10]
    return -0.691 + float(decibels(loud.mean()))


def spectrogram(sound, columns=720, rows=300):
    """Levels in dB of the mean of the channels: rows of frequencies that rise by a factor, columns of time."""
    size = 4096
    mono = np.pad(sound.mean(axis=1), size // 2)
    hop = max(1, (len(mono) - size) // columns)
    window = signal.windows.hann(size, sym=False)
    starts = np.arange(columns) * hop
    frames = np.stack([mono[start:start + size] for start in starts if start + size <= len(mono)])
    power = np.abs(np.fft.rfft(frames * window, axis=1)) ** 2 / (window.sum() / 2) ** 2
    wanted = np.geomspace(LOWEST, HIGHEST, rows + 1) * size / RATE
    sums = np.concatenate([np.zeros((len(power), 1)), np.cumsum(power, axis=1)], axis=1)

    def summed(place):
        low = np.clip(place.astype(int), 0, size // 2)
        return sums[:, low] + (place - low) * (sums[:, low + 1] - sums[:, low])

    # The mean of what lies in each row, and at least of one bin.
    low, high = wanted[:-1], np.maximum(wanted[1:], wanted[:-1] + 1)
    return decibels((summed(high) - summed(low)) / (high - low), 1e-13).T


def response(impulse):
    """Frequencies, and the response of each channel in dB."""
    size = 1 << max(16, int(np.ceil(np.log2(len(impulse)))))
    frequencies = np.fft.rfftfreq(size, 1 / RATE)
    spectrum = np.abs(np.fft.rfft(impulse[START:], size, axis=0)) ** 2
    return frequencies[1:], spectrum[1:]


def smoothed(frequencies, power, octaves):
    """Points of a logarithmic scale, with the mean power around each."""
    points = np.geomspace(LOWEST, HIGHEST, 400)
    sums = np.concatenate([np.zeros((1, power.shape[1])), np.cumsum(power, axis=0)])
    half = 2 ** (octaves / 2)
    low = np.searchsorted(frequencies, points / half)
    high = np.maximum(np.searchsorted(frequencies, points * half), low + 1)
    return points, decibels((sums[high] - sums[low]) / (high - low)[:, None])


def decay(impulse, band=None):
    """The energy that is still to come, in dB (M. Schroeder 1965), of an octave around `band` or of all."""
    sound = impulse[START:]
    if band:
        filters = signal.butter(4, [band / 2 ** 0.5, band * 2 ** 0.5], "bandpass", fs=RATE, output="sos")
        sound = signal.sosfilt(filters, sound, axis=0)
    left = np.cumsum((sound ** 2).sum(axis=1)[::-1])[::-1]
    return decibels(left / max(left[0], 1e-30))


def reverberation_time(curve):
    """Seconds in which a decay falls by 60 dB, by the slope from −5 to −35 dB."""
    part = np.nonzero((curve <= -5) & (curve >= -35))[0]
    if len(part) < 100:
        return float("nan")
    slope, _ = np.polyfit(part / RATE, curve[part], 1)
    return -60 / slope


def level_curve(steps, levels, seconds):
    """The level of each step, by the root mean square of its second half, as that of a sine's peak."""
    frames = int(seconds * RATE)
    parts = [steps[index * frames + frames // 2:(index + 1) * frames] for index in range(len(levels))]
    return np.array([float(decibels(2 * (part ** 2).mean())) for part in parts])


def spectrum(tone):
    """Frequencies, and levels in dB of full scale of the mean of the channels, without the beginning."""
    part = tone.mean(axis=1)[RATE // 4:]
    part = part[:min(len(part), RATE // 2)]
    window = signal.windows.blackmanharris(len(part), sym=False)
    power = np.abs(np.fft.rfft(part * window)) ** 2 / (window.sum() / 2) ** 2
    return np.fft.rfftfreq(len(part), 1 / RATE), decibels(power)


def centroid(sound):
    """The mean frequency in Hz, weighted by power."""
    frequencies, power = signal.welch(sound, RATE, nperseg=8192, axis=0)
    power = power.sum(axis=1)
    return float((frequencies * power).sum() / max(power.sum(), 1e-30))


def distance(first, second):
    """The mean difference of two spectrograms in dB, but for their levels, and for what lies 60 dB below the loudest."""
    columns = min(first.shape[1], second.shape[1])
    first, second = first[:, :columns] - first.max(), second[:, :columns] - second.max()
    first, second = np.maximum(first, -60), np.maximum(second, -60)
    heard = (first > -60) | (second > -60)
    difference = (first - second)[heard]
    return float(np.abs(difference - np.median(difference)).mean())
