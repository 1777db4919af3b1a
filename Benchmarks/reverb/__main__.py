#!/usr/bin/env python3
"""Measures reverbs by their answers to an impulse: Syrinx's beside sox's, Freeverb, and what ffmpeg has.

    Benchmarks/reverb [--presets smallRoom,...] [--cpu-seconds 120] [--runs 3]      builds nothing: `make bench-reverb` does

Peers are set so that 1 kHz and 8 kHz decay as with the preset, as nearly as their two knobs let them. All are wet, at 48 kHz,
and get one impulse on both sides. The measures are defined in measures.py. Noise that decays, by ffmpeg's `afir`, is the
ideal of all measures but the cost. Processor time is that of Benchmarks/effects.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np
from scipy.io import wavfile

import measures
import peers

RATE = 48_000
# Decay times at 1 kHz and in the octave around 8 kHz, as documented.
PRESETS = {
    "smallRoom": (0.45, 0.225), "mediumRoom": (0.8, 0.4), "largeRoom": (1.2, 0.6), "mediumHall": (1.8, 0.9),
    "largeHall": (2.7, 1.35), "plate": (2.0, 1.4), "mediumChamber": (1.1, 0.55), "largeChamber": (1.7, 0.85),
    "cathedral": (4.8, 1.68), "largeRoom2": (1.5, 0.75), "mediumHall2": (2.1, 1.05), "mediumHall3": (2.3, 1.15),
    "largeHall2": (3.2, 1.6),
}
COLUMNS = "| space | reverb | off the decay, % | least r² | dense after, ms | peak, dB | pattern | sides | silent after, s |"


def impulse(seconds):
    samples = np.zeros((int(seconds * RATE), 2), np.float32)
    samples[0] = 1
    return samples


def ours(program, effect, samples, folder):
    source, target = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
    wavfile.write(source, RATE, samples)
    subprocess.run([program, "render", "--effect", effect, "--no-tail", "--sample-format", "f32", source, target],
                   check=True, stdout=subprocess.DEVNULL)
    return wavfile.read(target)[1]


def row(space, name, response, middle, high):
    """Prints the measures of a response whose decay at 1 and 8 kHz should be that."""
    seconds, fit = measures.decays(response, RATE)
    off = max(abs(seconds[measures.OCTAVES.index(1000)] / middle - 1), abs(seconds[measures.OCTAVES.index(8000)] / high - 1))
    end = measures.end(response, RATE)
    silent = "not at all" if np.isinf(end) else f"{end:.1f}"
    soon = measures.dense(response, RATE)
    dense = "not within 300" if np.isinf(soon) else f"{soon:.0f}"
    values = (measures.peaks(response, RATE), measures.pattern(response, RATE, seconds),
              measures.difference(response, RATE, seconds))
    print("| {} | {} | {:.1f} | {:.4f} | {} | {:.1f} | {:.3f} | {:.3f} | {} |".format(
        space, name, 100 * off, fit, dense, *values, silent), flush=True)


def compare(program, preset, folder):
    middle, high = PRESETS[preset]
    signal = impulse(4 * middle + 2)
    short = impulse(1.2 * middle + 0.5)

    def sox(size, damping, samples=short):
        return peers.sox(samples, RATE, size, damping, folder)

    def freeverb(size, damping, samples=short):
        return peers.freeverb(samples, RATE, size, damping)

    row(preset, "Syrinx", ours(program, f"reverb:preset={preset}", signal, folder), middle, high)
    size, damping = peers.fitted(sox, RATE, middle, high, ((0, 100), (0, 100)))
    row(preset, f"sox reverb {size:.0f} {damping:.0f}", sox(size, damping, signal), middle, high)
    size, damping = peers.fitted(freeverb, RATE, middle, high, ((-2, 1.05), (0, 2.4)))
    row(preset, f"Freeverb {size:.2f} {damping:.2f}", freeverb(size, damping, signal), middle, high)
    answer = peers.noise_response(RATE, middle, high)
    row(preset, "noise, ffmpeg afir", peers.afir(signal, RATE, answer, folder), middle, high)


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs(program, seconds, runs, folder):
    """Prints the milliseconds for a second of sound, without what the same program needs for no effect."""
    noise, output, answer = (os.path.join(folder, name) for name in ("noise.wav", "processed.wav", "answer.wav"))
    random = np.random.default_rng(2)
    wavfile.write(noise, RATE, (0.1 * random.standard_normal((seconds * RATE, 2))).astype(np.float32))
    wavfile.write(answer, RATE, peers.noise_response(RATE, 1.8, 0.9))

    def least(command):
        return min(cpu(command) for _ in range(runs))

    def syrinx(*effect):
        return least([program, "render", *effect, "--no-tail", "--volume", "0.99", "--sample-format", "f32", noise, output])

    def sox(*effect):
        return least(["sox", noise, "-b", "32", "-e", "floating-point", output, "gain", "-6", *effect])

    def ffmpeg(*arguments):
        return least(["ffmpeg", "-v", "error", "-y", "-threads", "1", "-i", noise, *arguments, "-c:a", "pcm_f32le", output])

    plain = syrinx()
    rows = [
        ("Syrinx, reverb", syrinx("--effect", "reverb:wetDryMix=50") - plain),
        ("Syrinx, reverb2", syrinx("--effect", "reverb2:wetDryMix=50") - plain),
        ("sox reverb", sox("reverb", "50", "50", "100") - sox()),
        ("ffmpeg afir, 2.7 s", ffmpeg("-i", answer, "-filter_complex", "[0:a][1:a]afir") - ffmpeg("-af", "volume=0.99")),
    ]
    print("\n| reverb | ms for one second of sound |\n|---|---|")
    for name, time in rows:
        print(f"| {name} | {1000 * time / seconds:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default="smallRoom,largeRoom,mediumHall,plate,cathedral")
    parser.add_argument("--cpu-seconds", type=int, default=120)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    program = os.path.join(os.environ.get("SYRINX_BIN", ".build/release"), "syrinx")
    if not os.access(program, os.X_OK):
        sys.exit(f"reverb: {program} is missing: make bench-reverb builds it")
    with tempfile.TemporaryDirectory() as folder:
        print(COLUMNS + "\n" + "|---" * 9 + "|")
        for preset in options.presets.split(","):
            compare(program, preset, folder)
        for preset, (middle, high) in PRESETS.items():
            if preset not in options.presets.split(","):
                row(preset, "Syrinx", ours(program, f"reverb:preset={preset}", impulse(4 * middle + 2), folder), middle, high)
        defaults = ours(program, "reverb2", impulse(6), folder)
        seconds = measures.decays(defaults, RATE)[0]
        row("reverb 2", "Syrinx", defaults, seconds[3], seconds[6])
        costs(program, options.cpu_seconds, options.runs, folder)


main()
