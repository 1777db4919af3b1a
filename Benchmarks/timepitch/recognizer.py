"""How often a recognizer's words of stretched speech differ from its words of the same speech at rate 1.

    python3 Benchmarks/timepitch/recognizer.py [--rates R …] [--engine NAME …] [--json FILE]

Needs PyPI's `pocketsphinx`, and `flite` (Debian) for voices beside the recordings of `../shared/audio`.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.io import wavfile
from scipy.signal import resample_poly

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import engines  # noqa: E402
import signals  # noqa: E402

# For the made voices: plain sentences, 170 words.
TEXT = """
The old lighthouse stands on a narrow rock at the end of the bay. Every evening the keeper climbs a hundred stone steps and lights
the lamp. In winter the waves reach the lower windows and the wind shakes the door. Ships that come from the north look for the
white light before they turn toward the harbor. Last year a young engineer visited the tower and measured the height of the walls.
She wrote a long report about the cracks in the foundation. The town council read the report and decided to repair the building
before the next storm. Three carpenters and two masons worked there for most of the summer. They replaced the broken glass, painted
the iron railing and cleaned the brass machine. Now the keeper has a warm kitchen and a new radio. Children from the village school
come on Friday mornings to learn about maps and stars. He gives them bread with butter and tells stories about fishermen who found
their way home through the fog.
"""
VOICES = ("slt", "rms", "awb")


def sources(recordings, scratch):
    """The recordings of speech and the made voices: names and WAV files."""
    found = dict(signals.recordings(recordings, "speech", scratch, 30))
    for voice in VOICES:
        path = scratch / f"flite-{voice}.wav"
        subprocess.run(["flite", "-voice", voice, "-t", " ".join(TEXT.split()), "-o", str(path)], check=True)
        found[f"flite-{voice}"] = path
    return found


def words(path):
    """What the recognizer hears."""
    from pocketsphinx import Decoder

    sample_rate, samples = engines.read(path)
    mono = samples.mean(axis=1)
    if sample_rate != 16000:
        divisor = np.gcd(int(sample_rate), 16000)
        mono = resample_poly(mono, 16000 // divisor, int(sample_rate) // divisor)
    decoder = Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    data = np.int16(np.clip(mono / max(np.abs(mono).max(), 1e-9) * 0.7, -1, 1) * 32767)
    decoder.process_raw(data.tobytes(), full_utt=True)
    decoder.end_utt()
    heard = decoder.hyp()
    return heard.hypstr.split() if heard else []


def distance(wanted, heard):
    """The least number of words to insert, remove and replace."""
    row = list(range(len(heard) + 1))
    for index, word in enumerate(wanted, 1):
        before, row[0] = row[0], index
        for place, other in enumerate(heard, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (word != other))
    return row[-1]


def interval(errors, counts, tries=2000):
    """The 95 % interval of the share of errors, as if words were independent; it is somewhat too narrow, because they are not."""
    rng = np.random.default_rng(1)
    share, count = sum(errors) / sum(counts), sum(counts)
    drawn = rng.binomial(count, min(share, 1), tries) / count
    return np.percentile(drawn, [2.5, 97.5])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rates", nargs="+", type=float, default=[0.5, 0.75, 0.9, 1.25, 1.5, 2.0])
    default = ["syrinx", "syrinx timeDomain", "rubberband R3", "soundtouch", "atempo", "signalsmith"]
    parser.add_argument("--engine", nargs="+", default=default)
    parser.add_argument("--recordings", default=str(engines.ROOT.parent / "shared/audio"))
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="recognizer-") as folder:
        scratch = pathlib.Path(folder)
        files = sources(options.recordings, scratch)
        wanted = {title: words(path) for title, path in files.items()}
        counts = [len(known) for known in wanted.values()]
        print(f"{sum(counts)} words: " + ", ".join(f"{title} {len(known)}" for title, known in wanted.items()), flush=True)
        print("| rate | engine | words that differ, % | 95 % interval | of each |\n|---|---|---|---|---|", flush=True)
        for rate in options.rates:
            for name in options.engine:
                errors = []
                for title, path in files.items():
                    engines.run(name, path, scratch / "out.wav", rate)
                    errors.append(distance(wanted[title], words(scratch / "out.wav")))
                low, high = interval(errors, counts)
                rows.append({"rate": rate, "engine": name, "errors": errors, "words": counts})
                each = ", ".join(f"{error}" for error in errors)
                print(f"| {rate} | {name} | {100 * sum(errors) / sum(counts):.1f} | {100 * low:.0f} to {100 * high:.0f} | {each} |", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
