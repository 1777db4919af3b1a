"""Reverbs to compare with: sox's, Freeverb in a few lines, and a convolution with noise that decays, by ffmpeg."""

import os
import subprocess

import numpy as np
from scipy import signal
from scipy.io import wavfile

import measures

# Freeverb's lengths are frames at 44.1 kHz; the right side has 23 more (Jezar at Dreampoint, 2000, in the public domain).
COMBS = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617]
ALLPASSES = [556, 441, 341, 225]
SPREAD = 23


def comb(samples, length, feedback, damping):
    """A delay that feeds back through a low pass of one pole; a block of its length at a time."""
    buffer = np.zeros(length, np.float32)
    state = np.zeros(1, np.float32)
    output = np.empty_like(samples)
    numerator, denominator = np.array([1 - damping], np.float32), np.array([1, -damping], np.float32)
    for begin in range(0, len(samples), length):
        block = samples[begin : begin + length]
        output[begin : begin + length] = buffer[: len(block)]
        filtered, state = signal.lfilter(numerator, denominator, buffer, zi=state)
        buffer[: len(block)] = block + np.float32(feedback) * filtered[: len(block)]
        # Freeverb drops what is subnormal.
        buffer[np.abs(buffer) < np.finfo(np.float32).tiny] = 0
    return output


def allpass(samples, length):
    buffer = np.zeros(length, np.float32)
    output = np.empty_like(samples)
    for begin in range(0, len(samples), length):
        block = samples[begin : begin + length]
        output[begin : begin + length] = buffer[: len(block)] - block
        buffer[: len(block)] = block + np.float32(0.5) * buffer[: len(block)]
        buffer[np.abs(buffer) < np.finfo(np.float32).tiny] = 0
    return output


def freeverb(samples, rate, room, damping):
    """Freeverb, wet: its room size is 0.7 + 0.28 `room`, its damping 0.4 `damping`; both may be more than its knobs allow."""
    mono = (samples.sum(axis=1) * 0.015).astype(np.float32)
    sides = []
    for spread in (0, SPREAD):
        lengths = [round((length + spread) * rate / 44_100) for length in COMBS]
        side = sum(comb(mono, length, 0.7 + 0.28 * room, 0.4 * damping) for length in lengths)
        for length in ALLPASSES:
            side = allpass(side, round((length + spread) * rate / 44_100))
        sides.append(side)
    return np.stack(sides, axis=1)


def sox(samples, rate, reverberance, damping, folder):
    """sox's reverb, wet, of a room of full size."""
    source, target = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
    wavfile.write(source, rate, samples.astype(np.float32))
    effect = ["reverb", "-w", f"{reverberance:.4f}", f"{damping:.4f}", "100", "100", "0"]
    # 6 dB less, so that nothing clips.
    subprocess.run(["sox", source, "-b", "32", "-e", "floating-point", target, "gain", "-6", *effect],
                   check=True, stderr=subprocess.DEVNULL)
    return wavfile.read(target)[1]


def noise_response(rate, middle, high):
    """Two sides of noise whose octaves decay in `middle` seconds at 1 kHz and `high` at 8 kHz: a response for `afir`."""
    random = np.random.default_rng(1)
    noise = random.standard_normal((int(1.5 * middle * rate), 2))
    frequencies, times, spectra = signal.stft(noise.T, rate, nperseg=512)
    octaves = np.log2(np.maximum(frequencies, 20) / 1000) / 3
    decay = np.minimum(middle, middle * (high / middle) ** octaves)
    spectra *= 10 ** (-3 * times[None, :] / decay[:, None])
    response = signal.istft(spectra, rate, nperseg=512)[1].T[: len(noise)]
    return (0.02 * response).astype(np.float32)


def afir(samples, rate, response, folder):
    """ffmpeg's convolution with a response, wet."""
    source, target, answer = (os.path.join(folder, name) for name in ("in.wav", "out.wav", "response.wav"))
    wavfile.write(source, rate, samples.astype(np.float32))
    wavfile.write(answer, rate, response)
    # Its gain follows from the response; no measure depends on it.
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-i", answer, "-filter_complex", "[0:a][1:a]afir", "-c:a",
                    "pcm_f32le", target], check=True)
    return wavfile.read(target)[1]


def decay_at(response, rate, frequency):
    return measures.decay(measures.octave(response, rate, frequency), rate)[0]


def fitted(render, rate, middle, high, bounds):
    """The response whose octaves at 1 and 8 kHz come nearest to two decay times, of a reverb with a size and a damping.

    `render` takes both; `bounds` are the ends of each. Each is bisected in turn, since they act on each other.
    """
    (low_size, high_size), (low_damping, high_damping) = bounds
    size, damping = (low_size + high_size) / 2, (low_damping + high_damping) / 2
    for _ in range(3):
        low, top = low_size, high_size
        for _ in range(9):
            size = (low + top) / 2
            if decay_at(render(size, damping), rate, 1000) < middle:
                low = size
            else:
                top = size
        low, top = low_damping, high_damping
        for _ in range(8):
            damping = (low + top) / 2
            if decay_at(render(size, damping), rate, 8000) > high:
                low = damping
            else:
                top = damping
    return size, damping
