"""Pitch and onsets of speech, measured the same way in the source and in what was made of it."""

import numpy as np


def _track(samples, sample_rate, centres, low=65.0, high=400.0):
    """Pitch (Hz) and clarity at given frames, by normalised cross-correlation of 25 ms stretches, as in RAPT's first pass."""
    length = int(0.025 * sample_rate)
    shortest, longest = int(sample_rate / high), int(np.ceil(sample_rate / low))
    span = length + longest + 2
    padded = np.pad(samples, (span, span))
    size = 1 << (2 * span - 1).bit_length()
    pitches, clarities = np.zeros(len(centres)), np.zeros(len(centres))
    for index, centre in enumerate(np.rint(centres).astype(int)):
        start = centre + span - span // 2
        part = padded[start : start + span]
        first = part[:length]
        cross = np.fft.irfft(np.fft.rfft(part, size) * np.conj(np.fft.rfft(first, size)), size)[: longest + 2]
        energy = np.concatenate([[0], np.cumsum(part**2)])
        norms = np.sqrt(energy[length : length + longest + 2] - energy[: longest + 2])
        curve = cross / np.maximum(norms * norms[0], 1e-6)
        inner = curve[shortest : longest + 1]
        peaks = shortest + 1 + np.flatnonzero((inner[1:-1] >= inner[:-2]) & (inner[1:-1] > inner[2:]))
        if len(peaks) == 0 or curve[peaks].max() <= 0:
            continue
        # The first peak nearly as high as the highest: no octave too low.
        best = curve[peaks].max()
        lag = int(peaks[np.flatnonzero(curve[peaks] > 0.93 * best)[0]])
        a, b, c = curve[lag - 1 : lag + 2]
        bend = a - 2 * b + c
        pitches[index] = sample_rate / (lag + (0.5 * (a - c) / bend if bend < 0 else 0))
        clarities[index] = curve[lag]
    return pitches, clarities


# A frame counts where both sides are this clearly voiced, and the source's pitch stays within half a semitone of itself over
# what the tracker sees at once: where it glides further, no one pitch is right. Chosen on `ideal`, not on any engine: with
# 0.8 and two semitones, what has no error at all measures up to 18 cents; with 0.9 and one, 11; with these, 6.
CLARITY = 0.9
GLIDE = 0.5 / 12


def pitch_error(source, output, sample_rate, rate, offset=0.0):
    """RMS cents between the pitch heard and the mapped source's, where both are clearly voiced; octave errors, %; frames.

    What the tracker sees at once, 25 ms and a period, is `rate` times as much of the source: its mean over that is wanted.
    """
    centres = np.arange(0.05 * sample_rate, len(output) - 0.05 * sample_rate, 0.01 * sample_rate)
    heard, clear = _track(output, sample_rate, centres + offset)
    looks = [_track(source, sample_rate, (centres + 0.012 * sample_rate * part) * rate) for part in (-1, -0.5, 0, 0.5, 1)]
    pitches = np.log2(np.maximum([pitch for pitch, _ in looks], 1))
    sure = np.min([clarity for _, clarity in looks], axis=0)
    level = np.array([np.sqrt(np.mean(source[max(int(c * rate) - 200, 0) : int(c * rate) + 200] ** 2)) if c * rate < len(source) else 0 for c in centres])
    kept = (clear > CLARITY) & (sure > CLARITY) & (level > 0.1 * level.max()) & (np.ptp(pitches, axis=0) < GLIDE)
    if not kept.any():
        return float("nan"), float("nan"), 0
    error = 1200 * (np.log2(np.maximum(heard[kept], 1)) - pitches.mean(axis=0)[kept])
    octaves = np.abs(error) > 300
    return float(np.sqrt(np.mean(error[~octaves] ** 2))), float(100 * octaves.mean()), int(kept.sum())


def ideal(source, sample_rate, rate):
    """A voice made of partials along the source's pitch and loudness; and the same at a rate, made anew and so without error.

    What `pitch_error` finds between the two is the measure's own error.
    """
    places = np.arange(0, len(source), 0.005 * sample_rate)
    pitch, clarity = _track(source, sample_rate, places)
    voiced = clarity > 0.8
    smooth = np.ones(5) / 5
    octaves = np.interp(places, places[voiced], np.log2(pitch[voiced]))
    octaves = np.convolve(np.pad(octaves, 2, "edge"), smooth, "valid")
    level = [np.sqrt(np.mean(source[max(int(p) - 200, 0) : int(p) + 200] ** 2)) for p in places] * voiced
    level = np.convolve(np.pad(level, 2), smooth, "valid")

    def make(speed):
        mapped = np.arange(int(len(source) / speed)) * speed
        frequency = 2 ** np.interp(mapped, places, octaves)
        phase = 2 * np.pi * np.cumsum(frequency) / sample_rate
        voice = np.zeros(len(mapped))
        for partial in range(1, 25):
            weight = (frequency * partial < 0.45 * sample_rate) / (1 + ((frequency * partial - 600) / 300) ** 2)
            voice += weight * np.sin(partial * phase + partial)
        return np.interp(mapped, places, level) * voice

    return make(1), make(rate)


# What the onsets are looked for in, at once, in seconds of the output. Chosen on a voice of partials and noise that was made anew
# at each rate and so has no error: in 16 ms the pulses of a low voice are onsets of their own, which the same voice at rate 1,
# seen through a window longer by the rate, does not have (61 become 99 at rate 3); in 40 ms that voice is off by 3 to 8.
WINDOW = 0.04


def onsets(samples, sample_rate, rate, offset=0.0, window=WINDOW):
    """The places of onsets, in seconds of the source: peaks of the log spectrum's rise, 5 ms of the source apart.

    For the source itself give `WINDOW` × the rate of what it is compared with: so both are equally blurred.
    """
    length = int(window * sample_rate)
    centres = np.arange(0, len(samples) * rate / sample_rate, 0.005)
    starts = np.rint(centres / rate * sample_rate + offset).astype(int) + 2 * length - length // 2
    padded = np.pad(samples, (2 * length, 4 * length + int(abs(offset))))
    frames = padded[np.minimum(starts, len(padded) - length)[:, None] + np.arange(length)[None, :]]
    power = np.abs(np.fft.rfft(frames * np.hanning(length)[None, :], axis=1)) ** 2 / length**2
    edges = np.rint(np.geomspace(150, 7000, 19) * length / sample_rate).astype(int)
    bands = np.stack([power[:, a : max(b, a + 1)].mean(axis=1) for a, b in zip(edges, edges[1:])], axis=1)
    levels = np.log10(bands + 1e-4 * bands.max())
    flux = np.zeros(len(levels))
    flux[4:] = np.maximum(levels[4:] - levels[:-4], 0).mean(axis=1)
    found = []
    for index in range(8, len(flux) - 8):
        if flux[index] > 0.25 and flux[index] == flux[index - 8 : index + 9].max():
            if not found or centres[index] - found[-1] > 0.06:
                found.append(centres[index])
    return np.array(found)


def match(wanted, heard, tolerance=0.04):
    """How many of the wanted onsets were heard, and how many were heard that nobody wanted."""
    hit = sum(len(heard) > 0 and np.abs(heard - place).min() <= tolerance for place in wanted)
    extra = sum(len(wanted) == 0 or np.abs(wanted - place).min() > tolerance for place in heard)
    return int(hit), int(extra)
