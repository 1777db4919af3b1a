"""Measures the shortening of pauses beside Media3's published rule, on recordings and on speech made with known pauses.

    python3 Benchmarks/smartspeed BINARY [RECORDING ...]

BINARY is `syrinx-smart-speed-benchmark`. Media3's rule (SilenceSkippingAudioProcessor, 1.4 and later) is written anew from its
description: a frame is silent if no sample of it exceeds 1024 of 32767; of a silence of 100 ms or more 20 % remain, at most 2 s, half
at either end, faded down to and up from a tenth.
"""

import json
import subprocess
import sys

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

STRENGTHS = ("mild", "medium", "strong")


def decode(path):
    """Returns the rate and the samples, a column for each channel."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "a", "-of", "json", "-show_entries", "stream=sample_rate,channels"]
    stream = json.loads(subprocess.run(probe + [path], check=True, capture_output=True).stdout)["streams"][0]
    rate, channels = int(stream["sample_rate"]), int(stream["channels"])
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-"], check=True, capture_output=True).stdout
    return rate, np.frombuffer(raw, np.float32).reshape(-1, channels)


def made_speech(noise_db, rate=48000, minutes=1.0, seed=7):
    """Speech-like words of voiced and unvoiced sounds, with pauses of 0.1 to 2 s and breaths at −45 dB, over noise."""
    rng = np.random.default_rng(seed)
    pieces, speech = [], []

    def add(samples, is_speech):
        pieces.append(samples)
        speech.append(np.full(len(samples), is_speech))

    def shaped(samples):
        ramp = min(len(samples) // 2, int(0.012 * rate))
        samples[:ramp] *= np.linspace(0, 1, ramp)
        samples[-ramp:] *= np.linspace(1, 0, ramp)
        return samples

    while sum(map(len, pieces)) < minutes * 60 * rate:
        for _ in range(rng.integers(2, 7)):
            hiss = lfilter([1, -0.95], [1], rng.standard_normal(int(rng.uniform(0.05, 0.12) * rate)))
            add(shaped(hiss / np.std(hiss) * 10 ** (rng.uniform(-42, -32) / 20)), True)
            t = np.arange(int(rng.uniform(0.09, 0.25) * rate)) / rate
            pitch = rng.uniform(90, 220) * (1 + 0.05 * np.sin(2 * np.pi * 3 * t))
            phase = 2 * np.pi * np.cumsum(pitch) / rate
            voice = sum(np.sin(k * phase) / k for k in range(1, 25))
            add(shaped(voice / np.std(voice) * 10 ** (rng.uniform(-22, -15) / 20)), True)
            if rng.random() < 0.3:
                add(np.zeros(int(rng.uniform(0.03, 0.09) * rate)), True)
        before = rng.uniform(0.1, 2.0)
        add(np.zeros(int(before * rate)), False)
        if rng.random() < 0.4:
            breath = sosfilt(butter(2, [500, 5000], "band", fs=rate, output="sos"), rng.standard_normal(int(0.3 * rate)))
            breath *= np.hanning(len(breath)) ** 0.25
            add(breath / np.std(breath) * 10 ** (-45 / 20), True)
            add(np.zeros(int(rng.uniform(0.05, 0.3) * rate)), False)
    signal = np.concatenate(pieces)
    noise = lfilter([1], [1, -0.7], rng.standard_normal(len(signal)))
    signal = signal + noise / np.std(noise) * 10 ** (noise_db / 20)
    return rate, signal.astype(np.float32)[:, None], np.concatenate(speech)


def hum(rate, count, level=-57, hiss=-75, frequency=50):
    """Returns the hum of mains, most of it the second harmonic, and pink noise, at these levels in dB."""
    t = np.arange(count) / rate
    tones = sum(a * np.sin(2 * np.pi * frequency * (k + 1) * t + k) for k, a in enumerate((0.3, 1, 0.1, 0.3)))
    pink = lfilter(
        [0.049922035, -0.095993537, 0.050612699, -0.004408786],
        [1, -2.494956002, 2.017265875, -0.522189400],
        np.random.default_rng(5).standard_normal(count),
    )
    return tones / np.std(tones) * 10 ** (level / 20) + pink / np.std(pink) * 10 ** (hiss / 20)


def with_pauses(rate, samples, total=17.0):
    """Puts pauses of `total` seconds in all into the twelve quietest places of a recording, and the hum of a room under everything."""
    hop = rate // 100
    powers = (samples[: len(samples) // hop * hop].reshape(-1, hop * samples.shape[1]) ** 2).mean(axis=1)
    smooth = np.convolve(powers, np.ones(20) / 20, "same")
    places = []
    for place in np.argsort(smooth[50:-50]) + 50:
        if all(abs(place - other) > 60 for other in places):
            places.append(place)
        if len(places) == 12:
            break
    lengths = np.random.default_rng(3).uniform(0.5, 2.3, len(places))
    lengths *= total / lengths.sum()
    ramp = np.linspace(0, 1, int(0.005 * rate))[:, None]
    pieces = np.split(samples.astype(float), np.sort(places) * hop)
    for index, piece in enumerate(pieces):
        if index > 0:
            piece[: len(ramp)] *= ramp
        if index + 1 < len(pieces):
            piece[-len(ramp) :] *= ramp[::-1]
            pieces[index] = np.concatenate((piece, np.zeros((int(lengths[index] * rate), samples.shape[1]))))
    joined = np.concatenate(pieces)
    return (joined + hum(rate, len(joined))[:, None]).astype(np.float32)


def ours(binary, rate, samples, strength):
    """Returns the output, the weight of each input frame in it, the output frames of the joins, the removed parts, and seconds."""
    run = subprocess.run(
        [binary, str(rate), str(samples.shape[1]), strength], input=samples.tobytes(), check=True, capture_output=True
    )
    told = json.loads(run.stderr)
    output = np.frombuffer(run.stdout, np.float32).reshape(-1, samples.shape[1])
    weight = np.ones(len(samples))
    removed, parts = 0, []
    for place, count in told["cuts"]:
        start = place + removed
        weight[start : start + count] = 0
        parts.append((start, start + count))
        removed += count
    assert len(output) + removed == len(samples), "the time that is told is not the time that is saved"
    return output, weight, [place for place, _ in told["cuts"]], parts, told["seconds"]


def media3(rate, samples):
    noisy = np.abs(samples).max(axis=1) > 1024 / 32767
    edges = np.flatnonzero(np.diff(np.concatenate(([True], noisy, [True])).astype(np.int8)))
    weight, kept = np.ones(len(samples)), np.ones(len(samples), bool)
    parts = []
    for start, end in zip(edges[::2], edges[1::2]):
        length = end - start
        if length < 0.1 * rate:
            continue
        head = int(min(0.2 * length, 2 * rate)) // 2
        weight[start : start + head] = np.linspace(1, 0.1, head)
        weight[end - head : end] = np.linspace(0.1, 1, head)
        weight[start + head : end - head] = 0
        kept[start + head : end - head] = False
        parts.append((start + head, end - head))
    output = (samples * weight[:, None])[kept]
    joins = [int(kept[:start].sum()) for start, _ in parts]
    return output, weight, joins, parts


def blocks(rate, samples):
    """Returns the power of 10 ms blocks above 100 Hz, of the loudest channel."""
    hop = rate // 100
    flat = sosfilt(butter(2, 100, "high", fs=rate, output="sos"), samples, axis=0)
    count = len(flat) // hop
    return hop, (flat[: count * hop].reshape(count, hop, -1) ** 2).mean(axis=1).max(axis=1) + 1e-12


def gate_of(powers):
    """Returns 10 dB above the noise of the pauses, and no less than 45 dB below the speech."""
    levels = 10 * np.log10((powers[1:] + powers[:-1]) / 2)
    return max(np.percentile(levels, 3) + 10, np.percentile(levels, 95) - 45)


def click(rate, samples, output, joins, parts):
    """Returns by how much the steepest bend at any join exceeds the steepest one of the input that is heard there, in dB of full scale."""
    worst = 0.0
    near = int(0.015 * rate)
    starts, ends = np.array([start for start, _ in parts]), np.array([end for _, end in parts])
    joins = np.array(joins)
    removed = np.concatenate(([0], np.cumsum(ends - starts)))
    for index, join in enumerate(joins):
        bends = np.abs(np.diff(output[max(0, join - near) : join + near], 2, axis=0)).max(initial=0)
        # Other joins may be as near: what is heard here begins and ends farther away in the input.
        first = join - near + removed[np.searchsorted(joins, join - near, "right")]
        last = join + near + removed[np.searchsorted(joins, join + near, "right")]
        around = samples[max(0, min(first, starts[index] - near)) : max(last, ends[index] + near)]
        worst = max(worst, bends - np.abs(np.diff(around, 2, axis=0)).max(initial=0))
    return 20 * np.log10(worst) if worst > 0 else float("-inf")


def row(name, rate, samples, output, weight, joins, parts, seconds=None, speech=None):
    hop, powers = blocks(rate, samples)
    if speech is None:
        loud = np.repeat(10 * np.log10(powers) > gate_of(powers), hop)
    else:
        loud = speech[: len(powers) * hop]
    energy = (samples[: len(loud)].astype(float) ** 2).sum(axis=1)
    lost = ((1 - weight[: len(loud)] ** 2) * energy)[loud].sum() / max(energy[loud].sum(), 1e-12)
    gone = loud & (weight[: len(loud)] < 0.5)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], gone, [False])).astype(np.int8)))
    runs = (edges[1::2] - edges[::2]) * 1000 / rate
    saved = (len(samples) - len(output)) / rate
    cells = [
        name, f"{len(samples) / rate:.1f}", f"{saved:.2f}", f"{100 * saved * rate / len(samples):.1f}", len(joins),
        f"{100 * lost:.4f}", f"{gone.sum() / rate:.2f}", int((runs > 10).sum()), f"{runs.max(initial=0):.0f}",
        f"{click(rate, samples, output, joins, parts):.0f}" if joins else "–",
        f"{len(samples) / rate / seconds:.0f}" if seconds else "–",
    ]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main():
    binary, paths = sys.argv[1], sys.argv[2:]
    print("| input, rule | s | saved s | saved % | joins | speech energy lost % | of it s | cut by > 10 ms | longest, ms | click, dB | × real time |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    inputs = [(path.rsplit("/", 1)[-1], *decode(path), None) for path in paths]
    for noise in (-90, -65, -55, -48):
        inputs.append((f"made, noise {noise} dB", *made_speech(noise)))
    rate, samples, speech = made_speech(-90)
    hummed = samples + hum(rate, len(samples))[:, None].astype(np.float32)
    inputs.append(("made, hum −57 dB", rate, hummed, speech))
    for name, rate, samples, _ in [each for each in inputs if each[0].startswith("speech")]:
        inputs.append((f"{name} and 17 s, hum −57 dB", rate, with_pauses(rate, samples), None))
    for name, rate, samples, speech in inputs:
        for strength in STRENGTHS:
            output, weight, joins, parts, seconds = ours(binary, rate, samples, strength)
            row(f"{name}, {strength}", rate, samples, output, weight, joins, parts, seconds, speech)
        row(f"{name}, Media3", rate, samples, *media3(rate, samples), speech=speech)


main()
