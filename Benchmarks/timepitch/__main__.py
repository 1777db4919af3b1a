#!/usr/bin/env python3
"""Measures the time-pitch of `syrinx render` beside its peers on the same files, and prints tables.

    python3 Benchmarks/timepitch [--part PART …] [--rates R …] [--recordings FOLDER] [--plot FILE] [--json FILE]

Needs numpy, scipy, the peers (`scripts/bootstrap bench`; `python-stretch` and `bungee-python` of PyPI if they are there) and a release build of `syrinx` (or its path in SYRINX); matplotlib
for the plot alone, and pyworld for the formants of recordings. Parts: synthetic, music, levels, formants, speech, exact, cpu.
"""

import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import numpy as np  # noqa: E402

import engines  # noqa: E402
import exact  # noqa: E402
import formants  # noqa: E402
import levels  # noqa: E402
import measures  # noqa: E402
import report  # noqa: E402
import signals  # noqa: E402
import speech  # noqa: E402

RATES = [0.5, 0.75, 1.25, 1.5, 2.0, 3.0]


class Bench:
    def __init__(self, scratch, names, rates, recordings):
        self.scratch = pathlib.Path(scratch)
        self.names = names
        self.rates = rates
        self.recordings = recordings

    def stretch(self, name, path, rate, cents=0.0):
        target = self.scratch / "out.wav"
        engines.run(name, path, target, rate, cents)
        return engines.read(target)

    def synthetic(self):
        """Tones, clicks, ripple, panning and white noise, at 44.1 and 48 kHz; the worse of the two rates."""
        rows = {}
        for sample_rate in (44100, 48000):
            clicking, places = signals.clicks(sample_rate, 6)
            files = {
                "tones": signals.write(self.scratch, "tones", sample_rate, signals.tones(sample_rate, 6)),
                "clicks": signals.write(self.scratch, "clicks", sample_rate, clicking),
                "one": signals.write(self.scratch, "one", sample_rate, signals.tones(sample_rate, 6, (1000.0,), 0.5)),
                "panned": signals.write(self.scratch, "panned", sample_rate, signals.panned(sample_rate, 6)),
                "white": signals.write(self.scratch, "white", sample_rate, signals.white(sample_rate, 24)),
            }
            for rate in self.rates:
                for name in self.names:
                    if name in engines.MONO_ONLY:
                        continue
                    out = {key: self.stretch(name, path, rate)[1] for key, path in files.items()}
                    share, late, spread = measures.clicks(out["clicks"], sample_rate, places, rate)
                    level, phase = measures.panning(out["panned"], sample_rate, signals.TONES, 40.0, 0.5)
                    row = {
                        "purity dB": (measures.purity(out["tones"], sample_rate, signals.TONES), min),
                        "click %": (share, min),
                        "late ms": (late, lambda a, b: max(a, b, key=abs)),
                        "spread ms": (spread, max),
                        "ripple %": (measures.ripple(out["one"], sample_rate), max),
                        "pan dB": (level, max),
                        "pan °": (phase, max),
                        "white dB": (measures.whiteness(out["white"], sample_rate), max),
                        "hop dB": (measures.hop_spike(out["white"], sample_rate), max),
                    }
                    old = rows.get((rate, name))
                    rows[rate, name] = {k: v if old is None else worse(old[k], v) for k, (v, worse) in row.items()}
        return {"kind": "synthetic", "rows": [{"rate": r, "engine": n, **row} for (r, n), row in rows.items()]}

    def music(self):
        """Spectral convergence on every recording of music; smaller is nearer to the source."""
        rows = []
        for title, path in signals.recordings(self.recordings, "music", self.scratch, 30).items():
            sample_rate, source = engines.read(path)
            for rate in (0.75, 1.25, 1.5, 2.0):
                row = {"file": title, "rate": rate}
                for name in self.names:
                    if name in engines.MONO_ONLY and source.shape[1] > 1:
                        continue
                    _, output = self.stretch(name, path, rate)
                    own = name.startswith("syrinx")
                    row[name], _ = measures.spectral_convergence(source, output, sample_rate, rate, aligned=own)
                rows.append(row)
        return {"kind": "music", "rows": rows}

    def levels(self):
        """The change of the level of attacks (first 5 ms, median), of the side beside the middle, and of noise, in dB."""
        return {"kind": "levels", "rows": levels.rows(self)}

    def formants(self):
        """How far the spectral envelope below 5 kHz is off at another pitch with preserved formants, in dB."""
        return {"kind": "formants", "rows": formants.rows(self)}

    def speech(self):
        """Pitch and onsets of every recording of speech at 1.5, 2 and 3."""
        rows = []
        for title, path in signals.recordings(self.recordings, "speech", self.scratch, 30).items():
            sample_rate, source = engines.read(path)
            for rate in (1.5, 2.0, 3.0):
                wanted = speech.onsets(source[:, 0], sample_rate, 1, window=speech.WINDOW * rate)
                error, octaves, frames = speech.pitch_error(*speech.ideal(source[:, 0], sample_rate, rate), sample_rate, rate)
                rows.append({
                    "file": title, "rate": rate, "engine": "(no error at all)", "f0 cents": error, "octave %": octaves,
                    "frames": frames,
                })  # fmt: skip
                for name in self.names:
                    _, output = self.stretch(name, path, rate)
                    offset = 0.0
                    if not name.startswith("syrinx"):
                        _, late = measures.spectral_convergence(source, output, sample_rate, rate, False)
                        offset = late * sample_rate / 1000
                    error, octaves, frames = speech.pitch_error(source[:, 0], output[:, 0], sample_rate, rate, offset)
                    heard = speech.onsets(output[:, 0], sample_rate, rate, offset)
                    hit, extra = speech.match(wanted, heard)
                    rows.append({
                        "file": title, "rate": rate, "engine": name, "f0 cents": error, "octave %": octaves,
                        "frames": frames, "onsets": len(heard), "of": len(wanted), "missed": len(wanted) - hit, "new": extra,
                    })  # fmt: skip
        return {"kind": "speech", "rows": rows}

    def exact(self):
        """What is true or false, or a number of frames."""
        return {"kind": "exact", "rows": exact.rows(self)}

    def cpu(self):
        """CPU seconds, user and system, for a minute of stereo; the least of five runs, in turns.

        And the same less what the program costs on 50 ms, which is what starting it costs.
        """
        sample_rate = 44100
        mix = signals.white(sample_rate, 60, 0.1) + signals.tones(sample_rate, 60)
        path = signals.write(self.scratch, "minute", sample_rate, mix)
        short = signals.write(self.scratch, "moment", sample_rate, mix[: sample_rate // 20])
        rows = []
        for rate in (0.75, 1.5, 2.0):
            names = [name for name in self.names if name not in engines.MONO_ONLY]
            least, start = dict.fromkeys(names, float("inf")), dict.fromkeys(names, float("inf"))
            for _ in range(5):
                for name in names:
                    least[name] = min(least[name], engines.run(name, path, self.scratch / "out.wav", rate))
                    start[name] = min(start[name], engines.run(name, short, self.scratch / "out.wav", rate))
            rows.append({"rate": rate, "counted": "all", **least})
            rows.append({"rate": rate, "counted": "without start", **{n: least[n] - start[n] for n in names}})
        return {"kind": "cpu", "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = ["synthetic", "music", "levels", "formants", "speech", "exact", "cpu"]
    parser.add_argument("--part", nargs="+", choices=parts, default=parts)
    parser.add_argument("--engine", nargs="+", choices=list(engines.ENGINES))
    parser.add_argument("--rates", nargs="+", type=float, default=RATES)
    parser.add_argument("--recordings", default=str(engines.ROOT.parent / "shared/audio"))
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    names = [name for name in engines.available() if not options.engine or name in options.engine]
    print(f"engines: {', '.join(names)}")
    results = []
    with tempfile.TemporaryDirectory(prefix="timepitch-") as scratch:
        bench = Bench(scratch, names, options.rates, options.recordings)
        for part in options.part:
            if part in ("music", "levels", "formants", "speech") and not pathlib.Path(options.recordings).is_dir():
                print(f"\n{part}: skipped, there are no recordings in {options.recordings}")
                continue
            result = getattr(bench, part)()
            results.append(result)
            print(f"\n## {part}: {getattr(bench, part).__doc__.splitlines()[0]}\n")
            print(report.table(result), flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1, default=float))
    if options.plot:
        report.plot(results, options.plot)


if __name__ == "__main__":
    np.seterr(divide="ignore", invalid="ignore")
    main()
