#!/usr/bin/env python3
"""Renders one recording through all effects and presets, and draws each: pictures, sounds and a page to leaf through.

    Benchmarks/gallery PROGRAM [RECORDING] [--output .build/gallery]      builds nothing: `make gallery` does

PROGRAM is syrinx-effect-gallery, which renders; without RECORDING it makes a piece of its own. Prints a table, and what stands out: an
effect that is silent, beyond full scale, much louder or softer than the input, or hardly different from one of its family.
"""

import argparse
import html
import itertools
import json
import math
import multiprocessing
import os
import shutil
import subprocess
import sys

import draw
import measures

# What stands out, in dB or LU; dynamics and equalisers change the level on purpose.
LOUDER, SOFTER, ALIKE = 3, -9, 1.0


def _drawn(arguments):
    return draw.picture(*arguments)


def _remarks(entry, facts):
    if facts["loudness"] < -60:
        yield "is silent"
    elif entry["kind"] in ("reverb", "echo", "distortion", "time"):
        if not SOFTER <= facts["change"] <= LOUDER:
            yield f"is {abs(facts['change']):.1f} LU {'louder' if facts['change'] > 0 else 'softer'} than the input"
    if facts["peak"] > 0 and entry["kind"] in ("reverb", "distortion", "dynamics"):
        yield f"exceeds full scale by {facts['peak']:.1f} dB"


def _page(results, folder):
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Effects</title><style>',
        "body{font:15px/1.4 sans-serif;margin:2em}figure{display:inline-block;width:31em;margin:0 1em 2em 0;vertical-align:top}",
        "img,audio{width:100%}nav a{margin-right:1em}figcaption{min-height:4em}small{color:#555}</style><h1>Effects</h1>",
        '<figure><figcaption><b>The recording</b></figcaption><audio controls preload="none" src="dry.flac"></audio></figure>',
    ]
    families = list(dict.fromkeys(entry["family"] for entry, _, _ in results))
    parts.append("<nav>" + "".join(f'<a href="#{family}">{family}</a>' for family in families) + "</nav>")
    for family in families:
        parts.append(f'<h2 id="{family}">{family}</h2>')
        for entry, facts, _ in results:
            if entry["family"] != family:
                continue
            name, settings, slug = (html.escape(entry[key]) for key in ("name", "settings", "slug"))
            parts.append(f"<figure><figcaption><b>{name}</b><br>{settings}<br><small>{draw.words(facts)}</small></figcaption>"
                         f'<a href="{slug}.png"><img loading="lazy" src="{slug}.png" alt="{name}"></a>'
                         f'<audio controls preload="none" src="{slug}.recording.flac"></audio></figure>')
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("recording", nargs="?")
    parser.add_argument("--output", default=".build/gallery")
    options = parser.parse_args()
    folder = options.output
    shutil.rmtree(folder, ignore_errors=True)
    if subprocess.run([options.program, folder, *filter(None, [options.recording])]).returncode:
        sys.exit("gallery: the rendering failed")
    with open(os.path.join(folder, "entries.json"), encoding="utf-8") as file:
        listing = json.load(file)
    entries = listing["entries"]
    with multiprocessing.Pool() as pool:
        drawn = pool.map(_drawn, [(entry, listing, folder) for entry in entries], chunksize=1)
    results = [(entry, *result) for entry, result in zip(entries, drawn)]
    _page(results, folder)

    dry = measures.read(os.path.join(folder, "dry.wav"))
    print(f"The recording: {measures.loudness(dry):.1f} LUFS, centroid {measures.centroid(dry):.0f} Hz\n")
    print("| effect | LU to the input | peak, dB | centroid, Hz | decay at 1 kHz, s | most like | by, dB |\n|---|---|---|---|---|---|---|")
    remarks = []
    for entry, facts, levels in results:
        siblings = [(measures.distance(levels, other), sibling["name"]) for sibling, _, other in results
                    if sibling["family"] == entry["family"] and sibling is not entry]
        apart, nearest = min(siblings, default=(math.inf, "none"))
        decay = f"{facts['decay']:.2f}" if "decay" in facts else ""
        print(f"| {entry['family']}: {entry['name']} | {facts['change']:+.1f} | {facts['peak']:+.1f} | {facts['centroid']:.0f} "
              f"| {decay} | {nearest} | {apart:.1f} |")
        remarks += [f"{entry['family']}: {entry['name']} {remark}" for remark in _remarks(entry, facts)]
    for (first, _, one), (second, _, other) in itertools.combinations(results, 2):
        if first["family"] == second["family"] and first["kind"] != "space" and measures.distance(one, other) < ALIKE:
            remarks.append(f"{first['family']}: {first['name']} is hardly different from {second['name']}")
    for name in os.listdir(folder):
        if name.endswith(".wav"):
            os.remove(os.path.join(folder, name))
    print("\n" + ("\n".join(remarks) or "Nothing stands out.") + f"\n\n{os.path.join(folder, 'index.html')}")


main()
