"""Quality and cost of every engine in one table, on short sounds: some minutes for two rates.

    python3 Benchmarks/timepitch/summary.py [RATE …]

SYRINX may name `syrinx-time-pitch-benchmark`. The recordings are the first 12 s of three of `../shared/audio`.
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import engines  # noqa: E402
import levels  # noqa: E402
import measures  # noqa: E402
import signals  # noqa: E402

NAMES = [
    "syrinx", "syrinx timeDomain", "rubberband R3", "rubberband R3 short", "signalsmith", "bungee", "soundtouch", "atempo",
]  # fmt: skip
MUSIC = ("tsm-castanets-violin", "tsm-singing-voice", "vibe-ace")
RATE = 44100


def row(name, rate, scratch, files, places, music):
    def stretch(path):
        engines.run(name, path, scratch / "out.wav", rate)
        return engines.read(scratch / "out.wav")[1]

    def cost(path):
        return min(engines.run(name, path, scratch / "out.wav", rate) for _ in range(2))

    own = name.startswith("syrinx")
    share, _, spread = measures.clicks(stretch(files["clicks"]), RATE, places, rate)
    convergence, attack = [], float("nan")
    for title, path in music.items():
        sample_rate, source = engines.read(path)
        output = stretch(path)
        value, late = measures.spectral_convergence(source, output, sample_rate, rate, own)
        convergence.append(f"{value:.3f}")
        if "castanets" in title:
            offset = late * sample_rate / 1000
            attack = levels.attacks(source[:, 0], output[:, 0], sample_rate, rate, offset, 0 if own else 0.01)[0]
    purity = measures.purity(stretch(files["tones"]), RATE, signals.TONES)
    pan = measures.panning(stretch(files["panned"]), RATE, signals.TONES, 40.0, 0.5)[0]
    white = measures.whiteness(stretch(files["white"]), RATE)
    seconds = 3 * (cost(files["long"]) - cost(files["moment"]))
    numbers = f"{purity:.1f} | {share:.1f} | {spread:.3f} | {pan:.3f} | {white:.2f} | {attack:.2f}"
    return f"| {rate} | {name} | {numbers} | {', '.join(convergence)} | {seconds:.2f} |"


def main():
    recordings = str(engines.ROOT.parent / "shared/audio")
    heads = ["rate", "engine", "purity dB", "click %", "spread ms", "pan dB", "white dB", "castanets, attacks dB"]
    heads += ["spectral convergence (castanets, voice, jazz)", "CPU s a minute"]
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads), flush=True)
    with tempfile.TemporaryDirectory(prefix="summary-") as folder:
        scratch = pathlib.Path(folder)
        clicking, places = signals.clicks(RATE, 6)
        sounds = {
            "tones": signals.tones(RATE, 6), "clicks": clicking, "white": signals.white(RATE, 8),
            "panned": signals.panned(RATE, 4), "long": signals.white(RATE, 20, 0.1) + signals.tones(RATE, 20),
            "moment": signals.tones(RATE, 0.05),
        }  # fmt: skip
        files = {name: signals.write(scratch, name, RATE, samples) for name, samples in sounds.items()}
        found = signals.recordings(recordings, "music", scratch, 12)
        music = {title: found[title] for title in MUSIC if title in found}
        for rate in [float(word) for word in sys.argv[1:]] or [1.5, 0.75]:
            for name in [name for name in NAMES if name in engines.available()]:
                print(row(name, rate, scratch, files, places, music), flush=True)


if __name__ == "__main__":
    main()
