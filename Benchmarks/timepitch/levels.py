"""How much of the level of attacks, of the side beside the middle, and of noise is left at another rate."""

import numpy as np

import measures


# Mixed music, whose onsets are not attacks alone.
MIXED = ("lets-go-fishin", "vibe-ace", "other-frozen-bubble", "other-frozen-bubble-intro")


def decibels(ratio):
    return 10 * np.log10(max(float(ratio), 1e-12))


def onsets(samples, sample_rate):
    """Frames at which the steepness of a waveform rises by 12 dB above the loudest of the 20 ms before."""
    block = int(sample_rate * 0.00145)
    power = np.diff(samples) ** 2
    power = power[: len(power) // block * block].reshape(-1, block).sum(1)
    found, free = [], 0
    for index in range(14, len(power)):
        if index < free or power[index] <= 16 * max(power[index - 14 : index].max(), block * 1e-9):
            continue
        if power[index] <= 1e-4 * power.max():
            continue
        steps = np.abs(np.diff(samples[index * block - 1 : (index + 1) * block]))
        found.append(index * block + int(np.argmax(steps >= 0.2 * steps.max())))
        free = index + 21
    return found


def attacks(source, output, sample_rate, rate, offset=0.0, reach=0.0):
    """The change of the energy of the 5 ms after each onset in dB: median, and the 10th percentile.

    `offset` is the constant delay of an engine in frames. `reach` is how far in seconds an attack is looked for; 0 takes its exact place.
    """
    length, around = int(0.005 * sample_rate), int(reach * sample_rate)
    changes = []
    for place in onsets(source, sample_rate):
        due = int(round(place / rate + offset))
        if place + length > len(source) or due - around < 0 or due + around + length > len(output):
            continue
        energy = np.convolve(output[due - around : due + around + length] ** 2, np.ones(length), "valid").max()
        changes.append(decibels(energy / (source[place : place + length] ** 2).sum()))
    return (float(np.median(changes)), float(np.percentile(changes, 10))) if changes else (float("nan"), float("nan"))


def side(source, output):
    """The change of the side's level beside the middle's, in dB."""

    def ratio(samples):
        return ((samples[:, 0] - samples[:, 1]) ** 2).sum() / ((samples[:, 0] + samples[:, 1]) ** 2).sum()

    return decibels(ratio(output) / ratio(source))


def rows(bench):
    import engines
    import signals

    result = []
    music = {title: engines.read(path) for title, path in signals.recordings(bench.recordings, "music", bench.scratch, 30).items()}
    for rate in (0.75, 1.25, 1.5, 2.0):
        for name in bench.names:
            row = {"rate": rate, "engine": name}
            own = name.startswith("syrinx")
            for title, (sample_rate, source) in music.items():
                if name in engines.MONO_ONLY and source.shape[1] > 1:
                    continue
                path = signals.write(bench.scratch, "level", sample_rate, source)
                _, output = bench.stretch(name, path, rate)
                if len(onsets(source[:, 0], sample_rate)) >= 5 and title not in MIXED:
                    offset = 0.0
                    if not own:
                        offset = measures.spectral_convergence(source, output, sample_rate, rate, False)[1] * sample_rate / 1000
                    median, low = attacks(source[:, 0], output[:, 0], sample_rate, rate, offset, 0.0 if own else 0.01)
                    row[f"{title}, attacks dB"] = median
                if source.shape[1] == 2 and not np.array_equal(source[:, 0], source[:, 1]):
                    row[f"{title}, side dB"] = side(source, output)
            white = signals.white(44100, 10, 0.1)
            white = white if white.ndim == 2 else white[:, None]
            _, output = bench.stretch(name, signals.write(bench.scratch, "noise", 44100, white[:, :1]), rate)
            inner = output[4410:-4410, 0]
            row["noise dB"] = decibels((inner**2).mean() / (white[:, 0] ** 2).mean())
            result.append(row)
    return result
