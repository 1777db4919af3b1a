"""What either holds or does not: lengths, pitches, channels, silence, full scale, sample rates."""

import numpy as np

import engines
import measures
import signals

OURS = "syrinx"


def rows(bench):
    return [{"what": what, "worst": worst, "goal": goal, "holds": bool(holds)} for what, worst, goal, holds in _checks(bench)]


def _ours(bench, samples, sample_rate, rate, cents=0.0, name=OURS):
    path = signals.write(bench.scratch, "exact", sample_rate, samples)
    return bench.stretch(name, path, rate, cents)[1]


def _checks(bench):
    names = [name for name in bench.names if name.startswith("syrinx")]
    for name in names:
        yield from _of(bench, name)


def _of(bench, name):
    def ours(samples, sample_rate, rate, cents=0.0):
        return _ours(bench, samples, sample_rate, rate, cents, name)

    rng = np.random.default_rng(3)
    noise = rng.uniform(-0.5, 0.5, (44100, 2))
    off = [abs(len(ours(noise, 44100, rate)) - round(44100 / rate)) for rate in (1 / 32, 0.1, 0.5, 0.75, 1.1, 1.5, 2, 3.3, 8, 32)]
    yield f"{name}: length, frames off round(n / rate), 1/32–32", int(max(off)), "≤ 1", max(off) <= 1
    tone = signals.tones(44100, 3, (1000.0,), 0.5)
    off = [abs(measures.cents(ours(tone, 44100, 1, c), 44100, 1000 * 2 ** (c / 1200))) for s in (100, 700, 1200, 2400) for c in (-s, s)]
    yield f"{name}: pitch, cents off at ±100, ±700, ±1200, ±2400", float(max(off)), "≤ 1", max(off) <= 1
    same = np.repeat(noise[:, :1], 2, axis=1)
    differ = [np.abs(np.diff(ours(same, 44100, rate), axis=1)).max() for rate in (0.5, 0.75, 1.5, 2, 3)]
    yield f"{name}: identical channels differ by", float(max(differ)), "0", max(differ) == 0
    loud = [np.abs(ours(np.zeros((20000, 2)), 44100, rate)).max() for rate in (0.5, 1.5, 3)]
    yield f"{name}: silence becomes", float(max(loud)), "0", max(loud) == 0
    full = signals.tones(44100, 3, (1000.0,), 1.0)
    square = np.sign(signals.tones(44100, 3, (441.0,), 1.0))
    peak = [20 * np.log10(np.abs(ours(full, 44100, rate)).max()) for rate in (0.5, 0.75, 1.5, 2, 3)]
    yield f"{name}: full scale sine becomes, dB", float(max(peak)), "≤ 1", max(peak) <= 1
    wide = [ours(square, 44100, rate) for rate in (0.5, 1.5)]
    yield f"{name}: full scale square stays finite", float(max(np.abs(w).max() for w in wide)), "finite", all(np.isfinite(w).all() for w in wide)
    steady = [np.abs(ours(np.full((44100, 2), 0.25), 44100, rate)[8000:-8000] - 0.25).max() for rate in (0.75, 1.5)]
    yield f"{name}: a constant is off by", float(max(steady)), "≤ 0.001", max(steady) <= 0.001
    pure = []
    for sample_rate in (8000, 16000, 22050, 44100, 96000, 192000):
        frequencies = (220.0, 1000.0, 3003.0)
        samples = signals.tones(sample_rate, 3, frequencies)
        pure.append(measures.purity(ours(samples, sample_rate, 1.5), sample_rate, frequencies))
    yield f"{name}: purity at 8–192 kHz, dB", float(min(pure)), "≥ 60", min(pure) >= 60
    kept = []
    for channels in (1, 2, 3, 6, 8):
        samples = np.stack([signals.tones(44100, 2, (300.0 + 100 * c,))[:, 0] for c in range(channels)], axis=1)
        output = ours(samples, 44100, 1.5)
        good = output.shape[1] == channels
        good = good and all(measures.purity(output[:, c : c + 1], 44100, (300.0 + 100 * c,)) > 40 for c in range(channels))
        kept.append(good)
    yield f"{name}: 1–8 channels keep their own tones", int(sum(kept)), "5 of 5", all(kept)
