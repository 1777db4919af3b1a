"""How often a recognizer's words of stretched speech differ from its words of the same speech at rate 1.

    python3 Benchmarks/timepitch/recognizer.py [--rates R …] [--engine NAME …] [--source NAME …] [--json FILE]

Needs PyPI's `pocketsphinx`, and `flite` (Debian) for voices beside the recordings of `../shared/audio`. *exact* is flite itself, which speaks the
same sentences at the rate: its words differ too, because the recognizer expects speech of ordinary speed. A file holds a line for each
engine, rate and source; those that it has are not measured again.
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
# The words in a row that the interval takes as one: errors come in groups.
TOGETHER = 8


def speak(voice, path, stretch=1.0):
    """Speaks the text, with sounds `stretch` times as long."""
    command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch!r}", "-t", " ".join(TEXT.split()), "-o", str(path)]
    subprocess.run(command, check=True)


def sources(recordings, scratch):
    """The recordings of speech and the made voices: names and WAV files."""
    found = dict(signals.recordings(recordings, "speech", scratch, 30))
    for voice in VOICES:
        found[f"flite-{voice}"] = scratch / f"flite-{voice}.wav"
        speak(voice, found[f"flite-{voice}"])
    return found


def words(path):
    """What the recognizer hears."""
    from pocketsphinx import Decoder

    sample_rate, samples = engines.read(path)
    mono = samples.mean(axis=1)
    if sample_rate != 16000:
        divisor = np.gcd(int(sample_rate), 16000)
        mono = resample_poly(mono, 16000 // divisor, int(sample_rate) // divisor)
    # These bounds save a quarter of the time. They may change words, so all sources are heard with them.
    decoder = Decoder(samprate=16000, loglevel="FATAL", maxhmmpf=3000, maxwpf=5)
    decoder.start_utt()
    data = np.int16(np.clip(mono / max(np.abs(mono).max(), 1e-9) * 0.7, -1, 1) * 32767)
    decoder.process_raw(data.tobytes(), full_utt=True)
    decoder.end_utt()
    heard = decoder.hyp()
    return heard.hypstr.split() if heard else []


def errors(wanted, heard):
    """How many words have to be inserted, removed or replaced at each wanted word; an insertion counts at the word before it."""
    rows = [list(range(len(heard) + 1))]
    for index, word in enumerate(wanted, 1):
        row = [index]
        for place, other in enumerate(heard, 1):
            row.append(min(rows[-1][place] + 1, row[-1] + 1, rows[-1][place - 1] + (word != other)))
        rows.append(row)
    counts, index, place = [0] * len(wanted), len(wanted), len(heard)
    while index > 0 or place > 0:
        here = rows[index][place]
        if index > 0 and place > 0 and here == rows[index - 1][place - 1] + (wanted[index - 1] != heard[place - 1]):
            counts[index - 1] += wanted[index - 1] != heard[place - 1]
            index, place = index - 1, place - 1
        elif place > 0 and here == rows[index][place - 1] + 1:
            counts[max(index - 1, 0)] += 1
            place -= 1
        else:
            counts[index - 1] += 1
            index -= 1
    return counts


def groups(counts):
    """The errors of groups of successive words, and the words of each."""
    parts = [counts[from_ : from_ + TOGETHER] for from_ in range(0, len(counts), TOGETHER)]
    return [(sum(part), len(part)) for part in parts]


def interval(parts, tries=4000):
    """The 95 % interval of the share of errors in %: a bootstrap over groups of words."""
    values = np.array(parts, dtype=float)
    drawn = values[np.random.default_rng(1).integers(0, len(values), (tries, len(values)))].sum(axis=1)
    return np.percentile(100 * drawn[:, 0] / drawn[:, 1], [2.5, 97.5])


def beside(parts, others, tries=4000):
    """How many % more words differ than with another engine, with the 95 % interval: a bootstrap over the same groups."""
    values, drawn = np.array(parts, dtype=float), np.random.default_rng(1).integers(0, len(parts), (tries, len(parts)))
    more = 100 * (values[:, 0] - np.array(others, dtype=float)[:, 0])
    spread = np.percentile(more[drawn].sum(axis=1) / values[:, 1][drawn].sum(axis=1), [2.5, 97.5])
    return "{:+.1f} ({:+.1f} to {:+.1f})".format(more.sum() / values[:, 1].sum(), *spread)


class Kept:
    """The words heard so far, by engine, rate and source; in a file, if one is named."""

    def __init__(self, path):
        self.path, self.found = path, {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                self.found[row["engine"], row["rate"], row["source"]] = row["words"]

    def get(self, engine, rate, source, hear):
        key = engine, rate, source
        if key not in self.found:
            self.found[key] = hear()
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps({"engine": engine, "rate": rate, "source": source, "words": self.found[key]}) + "\n")
        return self.found[key]


def stretched(engine, rate, title, path, scratch):
    """The words of a source after an engine."""
    if engine == "exact":
        speak(title.removeprefix("flite-"), scratch / "out.wav", 1 / rate)
    else:
        engines.run(engine, path, scratch / "out.wav", rate)
    return words(scratch / "out.wav")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rates", nargs="*", type=float, default=[0.5, 0.75, 0.9, 1.25, 1.5, 2.0])
    default = ["syrinx", "exact", "syrinx timeDomain", "rubberband R3", "soundtouch", "atempo", "signalsmith"]
    parser.add_argument("--engine", nargs="+", default=default)
    parser.add_argument("--source", nargs="+", help="the sources to measure; all of them otherwise")
    parser.add_argument("--recordings", default=str(engines.ROOT.parent / "shared/audio"))
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recognizer-") as folder:
        scratch, kept = pathlib.Path(folder), Kept(options.json)
        files = sources(options.recordings, scratch)
        files = {title: path for title, path in files.items() if not options.source or title in options.source}
        wanted = {title: kept.get("source", 1.0, title, lambda path=path: words(path)) for title, path in files.items()}
        count = sum(map(len, wanted.values()))
        print(f"{count} words: " + ", ".join(f"{title} {len(known)}" for title, known in wanted.items()), flush=True)
        print("| rate | engine | words that differ, % | 95 % interval | flite alone, % | 95 % interval | more than syrinx, % | of each |\n" + "|---" * 8 + "|", flush=True)
        for rate in options.rates:
            own = {}
            for name in options.engine:
                each = {}
                for title, path in files.items():
                    if name == "exact" and not title.startswith("flite-"):
                        continue
                    heard = kept.get(name, rate, title, lambda: stretched(name, rate, title, path, scratch))
                    each[title] = errors(wanted[title], heard)
                cells = []
                for titles in (files, [title for title in files if title.startswith("flite-")]):
                    parts = [part for title in titles for part in groups(each.get(title, []))]
                    whole = all(title in each for title in titles) and parts
                    share = 100 * sum(a for a, _ in parts) / sum(b for _, b in parts) if whole else 0
                    cells += ["{:.1f}".format(share), "{:.0f} to {:.0f}".format(*interval(parts))] if whole else ["", ""]
                own = each if name == "syrinx" else own
                both = [title for title in each if title in own]
                pair = [[part for title in both for part in groups(heard[title])] for heard in (each, own)]
                cells.append(beside(*pair) if both and own is not each else "")
                cells.append(", ".join(str(sum(counts)) for counts in each.values()))
                print(f"| {rate} | {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
