"""The focus: what the Tab key goes through."""

import time

import pyatspi

from app import App
from helpers import expect, wait
from recordings import song


def a_tab_key_goes_from_control_to_control():
    app = App(song)
    wait("it plays", lambda: app.named("Pause"))
    app.key("5")
    wait("5 opens the effects", lambda: app.named("Equalizer curve"))

    def stops(key):
        seen = []
        for _ in range(14):
            app.key(key)
            time.sleep(0.1)
            focused = [n for n in app.all() if n.getState().contains(pyatspi.STATE_FOCUSED)]
            seen += [(n.getRoleName(), n.name) for n in focused[:1]]
        return seen

    there = stops("Tab")
    expect("no row has the focus", not [s for s in there if "list item" in s[0]], sorted(set(there)))
    names = {name for _, name in there}
    wanted = {"All effects", "Equalizer", "Compressor", "Echo", "Reverb", "Smart Speed", "Voice Boost", "Mono", "Balance", "Output"}
    expect("every control has it once in a round", wanted <= names, sorted(wanted - names))
    back = stops("shift+Tab")
    expect("and backwards", not [s for s in back if "list item" in s[0]] and wanted <= {n for _, n in back}, sorted(set(back)))
    app.key("Escape")
    app.close()
