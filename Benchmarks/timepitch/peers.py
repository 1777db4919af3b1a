"""Peers that Python packages bring: Signalsmith Stretch (`python-stretch`) and Bungee (`bungee-python`).

    python3 peers.py signalsmith|bungee RATE CENTS IN.wav OUT.wav
    python3 peers.py latency
"""

import ctypes
import ctypes.util
import sys

import numpy as np
from scipy.io import wavfile


def signalsmith(samples, sample_rate, rate, cents):
    import python_stretch

    stretch = python_stretch.Signalsmith.Stretch()
    stretch.preset(samples.shape[1], sample_rate)
    stretch.setTimeFactor(rate)
    stretch.setTransposeSemitones(cents / 100)
    # Other layouts give wrong output.
    return np.asarray(stretch.process(np.ascontiguousarray(samples.T))).T


def bungee(samples, sample_rate, rate, cents):
    from bungee_python import bungee as module

    return np.asarray(module.Bungee(sample_rate, samples.shape[1], speed=rate, pitch=2 ** (cents / 1200)).process(samples))


def latency():
    """The delay in ms at 48 kHz and rate 1.5 that each library reports."""
    import python_stretch
    from bungee_python import bungee as module

    stretch = python_stretch.Signalsmith.Stretch()
    stretch.preset(2, 48000)
    print(f"signalsmith {(stretch.inputLatency() + stretch.outputLatency()) / 48:.1f}")
    stretcher = module.Bungee(48000, 2, speed=1.5)
    stretcher.process(np.zeros((48000, 2), np.float32))
    print(f"bungee {stretcher.get_latency() / 48:.1f}")
    library = ctypes.CDLL(ctypes.util.find_library("rubberband"))
    library.rubberband_new.restype = ctypes.c_void_p
    library.rubberband_new.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_double, ctypes.c_double]
    library.rubberband_get_latency.argtypes = [ctypes.c_void_p]
    # Options: real time 1, window short 0x00100000, engine finer 0x20000000.
    for name, options in (("R2", 1), ("R3", 0x20000001), ("R3 short", 0x20100001)):
        print(f"rubberband {name} {library.rubberband_get_latency(library.rubberband_new(48000, 2, options, 1 / 1.5, 1.0)) / 48:.1f}")


def main():
    if sys.argv[1:] == ["latency"]:
        return latency()
    name, rate, cents, source, target = sys.argv[1:]
    sample_rate, data = wavfile.read(source)
    samples = np.float32(data / 32768.0 if data.dtype == np.int16 else data)
    samples = samples[:, None] if samples.ndim == 1 else samples
    output = {"signalsmith": signalsmith, "bungee": bungee}[name](samples, sample_rate, float(rate), float(cents))
    wavfile.write(target, sample_rate, np.float32(output))


if __name__ == "__main__":
    main()
