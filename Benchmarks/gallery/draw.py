"""One picture for each entry: spectrograms of the recording before and after, and what test signals show."""

import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, NullFormatter

import measures
from measures import RATE, START

CHANNELS = (("left", "tab:blue"), ("right", "tab:orange"))


def _frequencies(axis):
    axis.set_xscale("log")
    axis.set_xlim(measures.LOWEST, measures.HIGHEST)
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1000 else f"{value / 1000:g}k"))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set_xlabel("Hz")
    axis.set_ylabel("dB")
    axis.grid(alpha=0.3, which="both")


def _spectrogram(axis, levels, seconds, longest, loudest, title):
    rows = np.log10([measures.LOWEST, measures.HIGHEST])
    axis.imshow(levels, origin="lower", aspect="auto", extent=(0, seconds, *rows), vmin=loudest - 80, vmax=loudest,
                cmap="magma", interpolation="nearest")
    axis.set_yticks(np.log10([100, 1_000, 10_000]), ["100", "1k", "10k"])
    axis.set(title=title, xlabel="s", ylabel="Hz", xlim=(0, longest))
    axis.set_facecolor("black")


def _end(sound, least):
    """The frame behind which a thousandth of a per cent of the energy lies, and at least some."""
    left = np.cumsum((sound ** 2).sum(axis=1)[::-1])[::-1]
    return max(int((left > left[0] * 1e-5).sum()), least)


def _waveform(axis, sound, least, title, rate=1):
    sound = sound[int(START / rate) - least // 4:]
    end = min(_end(sound, least), RATE)
    times = (np.arange(end) - least // 4) / RATE * 1000
    differ = np.abs(sound[:, 0] - sound[:, 1]).max() > 1e-4
    for channel, (name, colour) in enumerate(CHANNELS[:2 if differ else 1]):
        axis.plot(times, sound[:end, channel], color=colour, label=name, linewidth=0.8)
    if differ:
        axis.legend(loc="upper right")
    axis.set(title=title, xlabel="ms", xlim=(times[0], times[-1]))
    axis.grid(alpha=0.3)


def _decay(axis, impulse):
    bands = [(None, "all", "black"), (250, "250 Hz", "tab:red"), (1_000, "1 kHz", "tab:green"), (4_000, "4 kHz", "tab:blue")]
    longest = 0.2
    for band, name, colour in bands:
        curve = measures.decay(impulse, band)
        time = measures.reverberation_time(curve)
        longest = max(longest, time if time == time else 0)
        axis.plot(np.arange(len(curve)) / RATE, curve, color=colour, label=f"{name}: {time:.2f} s", linewidth=1)
    peaks = measures.decibels((impulse[START:] ** 2).max(axis=1)[:len(impulse) // 480 * 480 - START].reshape(-1, 48).max(axis=1))
    axis.plot(np.arange(len(peaks)) / 1000, peaks - peaks.max(), color="grey", alpha=0.35, linewidth=0.4, zorder=0)
    axis.set(title="Decay of the impulse response", xlabel="s", ylabel="dB", ylim=(-80, 3), xlim=(0, 1.25 * longest))
    axis.legend(loc="upper right")
    axis.grid(alpha=0.3)


def _echoes(axis, impulse):
    sound = np.abs(impulse[START:]).max(axis=1)
    peaks = sound[:len(sound) // 48 * 48].reshape(-1, 48).max(axis=1)
    levels = 20 * np.log10(np.maximum(peaks, 1e-6))
    heard = np.nonzero(levels > -80)[0]
    axis.plot(np.arange(len(levels)) / 1000, levels, linewidth=0.8)
    axis.set(title="Impulse response, peaks of a millisecond", xlabel="s", ylabel="dB", ylim=(-80, 3),
             xlim=np.array([-0.02, 1.02]) * max(0.03, (heard[-1] if len(heard) else 0) / 1000))
    axis.grid(alpha=0.3)


def _response(axis, impulse, octaves):
    frequencies, power = measures.response(impulse)
    points, levels = measures.smoothed(frequencies, power, octaves)
    differ = np.abs(levels[:, 0] - levels[:, 1]).max() > 0.05
    for channel, (name, colour) in enumerate(CHANNELS[:2 if differ else 1]):
        axis.plot(points, levels[:, channel], color=colour, label=name)
    if differ:
        axis.legend(loc="lower left")
    highest = np.ceil((levels.max() + 3) / 6) * 6
    axis.set(title="Magnitude response" + (f", 1/{round(1 / octaves)} octave" if octaves > 0.05 else ""),
             ylim=(max(highest - 60, np.floor(levels.min() / 6) * 6 - 6), highest))
    _frequencies(axis)


def _levels(axis, steps, listing):
    inputs = np.array(listing["stepLevels"])
    outputs = measures.level_curve(steps, inputs, listing["stepSeconds"])
    axis.plot(inputs, inputs, "--", color="grey", linewidth=0.8)
    axis.plot(inputs, outputs, ".-")
    axis.axhline(0, color="tab:red", linewidth=0.5)
    axis.set(title="Level of a tone of 997 Hz", xlabel="input, dB", ylabel="output, dB", ylim=(-90, 18))
    axis.grid(alpha=0.3)


def _tone(axis, tone):
    frequencies, levels = measures.spectrum(tone)
    axis.plot(frequencies[1:], levels[1:], linewidth=0.6)
    axis.set(title="Spectrum of 997 Hz at −6 dB", ylim=(-120, 6))
    _frequencies(axis)


def picture(entry, listing, folder):
    """Draws an entry into its PNG, and returns what was measured of its recording."""
    def sound(name):
        return measures.read(os.path.join(folder, f"{entry['slug']}.{name}.wav"))

    dry, wet = measures.read(os.path.join(folder, "dry.wav")), sound("recording")
    before, after = measures.spectrogram(dry), measures.spectrogram(wet)
    kind = entry["kind"]
    three = kind in ("distortion", "dynamics")
    figure = plt.figure(figsize=(14, 8), dpi=80, layout="constrained")
    rows = figure.subfigures(2, 1)
    top = rows[0].subplots(1, 2)
    bottom = rows[1].subplots(1, 3 if three else 2)
    # A tail that is hardly heard is left out.
    heard = np.nonzero(after.max(axis=0) > before.max() - 70)[0]
    end = (heard[-1] + 1) / after.shape[1] * len(wet) / RATE if len(heard) else 0
    longest = max(len(dry) / RATE, end)
    _spectrogram(top[0], before, len(dry) / RATE, longest, before.max(), "Before")
    _spectrogram(top[1], after, len(wet) / RATE, longest, before.max(), "After")

    facts = {"loudness": measures.loudness(wet), "peak": 20 * np.log10(max(np.abs(wet).max(), 1e-9)),
             "centroid": measures.centroid(wet)}
    facts["change"] = facts["loudness"] - measures.loudness(dry)
    if three:
        _waveform(bottom[0], sound("pulse"), RATE // 40, "Pulse of 2 ms")
        _levels(bottom[1], sound("steps"), listing)
        _tone(bottom[2], sound("tone"))
    elif kind == "time":
        _waveform(bottom[0], sound("impulse"), RATE // 100, "Impulse response", entry["rate"])
        _tone(bottom[1], sound("tone"))
    else:
        impulse = sound("impulse")
        if kind == "reverb":
            _decay(bottom[0], impulse)
            facts["decay"] = measures.reverberation_time(measures.decay(impulse, 1_000))
            facts["wet energy"] = float(measures.decibels((impulse ** 2).sum() / 2))
            facts["correlation"] = float(np.corrcoef(impulse.T)[0, 1])
        elif kind == "echo":
            _echoes(bottom[0], impulse)
        else:
            _waveform(bottom[0], impulse, RATE // 250, "Impulse response")
        _response(bottom[1], impulse, 1 / 6 if kind == "reverb" else 1 / 96)

    figure.suptitle(f"{entry['family']}: {entry['name']}\n{entry['settings']}   |   {words(facts)}", fontsize=11)
    figure.savefig(os.path.join(folder, f"{entry['slug']}.png"))
    plt.close(figure)
    return facts, after[::4, ::4]


def words(facts):
    """What was measured, in a line."""
    line = f"{facts['loudness']:.1f} LUFS ({facts['change']:+.1f} LU), peak {facts['peak']:+.1f} dB, centroid {facts['centroid']:.0f} Hz"
    if "decay" in facts:
        line += f", decay {facts['decay']:.2f} s at 1 kHz, energy {facts['wet energy']:+.1f} dB, left/right {facts['correlation']:+.2f}"
    return line
