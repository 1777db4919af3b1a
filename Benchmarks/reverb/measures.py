"""What is measured of an impulse response: an array of frames by two channels, at a sample rate."""

import numpy as np
from scipy import ndimage, signal

OCTAVES = [125, 250, 500, 1000, 2000, 4000, 8000]


def octave(samples, rate, frequency):
    """The samples in the octave around a frequency."""
    edges = [frequency / 2**0.5, frequency * 2**0.5]
    sections = signal.butter(4, edges, "bandpass", fs=rate, output="sos")
    return signal.sosfilt(sections, samples, axis=0)


def decay(samples, rate):
    """The seconds of 60 dB by a line through the backward integral of both sides from -5 to -35 dB (ISO 3382), and its r²."""
    energy = np.cumsum((samples.astype(float) ** 2).sum(axis=1)[::-1])[::-1]
    levels = 10 * np.log10(np.maximum(energy / energy[0], 1e-30))
    begin, end = np.argmax(levels < -5), np.argmax(levels < -35)
    if end - begin < 2:
        return 0.0, 0.0
    times = np.arange(begin, end) / rate
    slope, _ = np.polyfit(times, levels[begin:end], 1)
    fit = np.corrcoef(times, levels[begin:end])[0, 1] ** 2
    return -60 / slope, fit


def decays(samples, rate):
    """The decay times of the octaves, and the worst r²."""
    results = [decay(octave(samples, rate, frequency), rate) for frequency in OCTAVES]
    return np.array([seconds for seconds, _ in results]), min(fit for _, fit in results)


def onset(samples):
    """The first frame that is more than -60 dB of the peak."""
    loudness = np.abs(samples).max(axis=1)
    return int(np.argmax(loudness > 1e-3 * loudness.max()))


def density(samples, rate):
    """The echo density of 20 ms around each millisecond (J. Abel, P. Huang, 2006): 1 is Gaussian noise."""
    half, hop = int(0.01 * rate), int(0.001 * rate)
    values = []
    for middle in range(half, min(len(samples) - half, int(0.3 * rate)), hop):
        window = samples[middle - half : middle + half]
        deviation = np.sqrt(np.mean(window**2))
        values.append(np.mean(np.abs(window) > deviation) / 0.3173 if deviation > 0 else 0)
    return np.array(values)


def dense(samples, rate):
    """Milliseconds from the onset until the echo density of both sides reaches 0.9, in the mean of 10 ms; infinity if never."""
    samples = samples[onset(samples) :]
    values = np.mean([density(samples[:, side], rate) for side in range(2)], axis=0)
    reached = np.flatnonzero(ndimage.uniform_filter1d(values, 10, mode="nearest") >= 0.9)
    # The first value is that of the window around 10 ms.
    return 10 + float(reached[0]) if len(reached) else np.inf


def tail(samples, rate):
    """What sounds from 0.1 to 1 s after the onset."""
    begin = onset(samples)
    return samples[begin + int(0.1 * rate) : begin + int(1.0 * rate)]


def peaks(samples, rate):
    """The highest peak of the tail's spectrum over the median of a third of an octave around it, in dB, both sides summed."""
    part = tail(samples, rate)
    window = signal.windows.hann(len(part))[:, None]
    power = (np.abs(np.fft.rfft(part * window, axis=0)) ** 2).sum(axis=1)
    frequencies = np.fft.rfftfreq(len(part), 1 / rate)
    worst = 0.0
    for place in np.flatnonzero((frequencies > 100) & (frequencies < 10_000)):
        low, high = int(place / 2 ** (1 / 6)), int(np.ceil(place * 2 ** (1 / 6)))
        # Only peaks are worth a median.
        if power[place] >= power[place - 1] and power[place] >= power[place + 1]:
            worst = max(worst, power[place] / np.median(power[low : high + 1]))
    return 10 * np.log10(worst)


def steady(samples, rate, seconds):
    """The tail with its decay undone, each frequency by the decay time of its octave."""
    part = tail(samples, rate)
    frequencies, times, spectra = signal.stft(part.T, rate, nperseg=1024)
    at = np.interp(np.log(np.maximum(frequencies, 1)), np.log(OCTAVES), seconds)
    # What has fallen by 90 dB is left out: there may be nothing any more.
    gains = 10 ** (3 * np.minimum(times[None, :], 1.5 * at[:, None]) / at[:, None])
    gains *= times[None, :] <= 1.5 * at[:, None]
    return signal.istft(spectra * gains, rate, nperseg=1024)[1].T[: len(part)]


def pattern(samples, rate, seconds):
    """The largest autocorrelation of the whitened tail beyond 5 ms, of either side."""
    part = steady(samples, rate, seconds)
    size = 2 ** int(np.ceil(np.log2(2 * len(part))))
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    worst = 0.0
    for side in range(2):
        power = np.abs(np.fft.rfft(part[:, side], size)) ** 2
        # The slope of thirds of octaves is taken away; what is finer is what is looked for.
        sums = np.concatenate([[0], np.cumsum(power)])
        places = np.arange(len(power))
        low = np.maximum((places / 2 ** (1 / 6)).astype(int), 0)
        high = np.minimum(np.ceil(places * 2 ** (1 / 6)).astype(int) + 1, len(power))
        smooth = (sums[high] - sums[low]) / (high - low)
        white = np.where((frequencies > 100) & (frequencies < 12_000), power / np.maximum(smooth, 1e-300), 0)
        correlation = np.fft.irfft(white)
        lags = correlation[int(0.005 * rate) : int(0.3 * rate)] / correlation[0]
        worst = max(worst, np.abs(lags).max())
    return worst


def difference(samples, rate, seconds):
    """The correlation of the two sides in the tail."""
    part = steady(samples, rate, seconds)
    return abs(np.corrcoef(part[:, 0], part[:, 1])[0, 1])


def end(samples, rate):
    """The seconds from the onset until all is exactly zero, or infinity."""
    nonzero = np.flatnonzero(np.abs(samples).max(axis=1))
    last = nonzero[-1]
    return (last - onset(samples)) / rate if last < len(samples) - rate // 10 else np.inf
