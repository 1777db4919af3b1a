"""Tables in Markdown, and one plot."""

import statistics


def _cell(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        digits = 1 if abs(value) >= 20 else 2 if abs(value) >= 1 else 3
        return f"{value:.{digits}f}"
    return str(value)


def _speech(rows):
    """For each rate and engine the mean and the worst of the recordings, and how far the number of onsets was off."""
    groups = {}
    for row in rows:
        groups.setdefault((row["rate"], row["engine"]), []).append(row)
    summary = []
    for (rate, engine), group in sorted(groups.items(), key=lambda item: item[0][0]):
        cents = [row["f0 cents"] for row in group]
        off = [row["onsets"] - row["of"] for row in group if "onsets" in row]
        line = {"rate": rate, "engine": engine, "f0 cents, mean": statistics.mean(cents), "worst": max(cents)}
        if off:
            line |= {"onsets off": ", ".join(f"{count:+d}" for count in off), "of": sum(row["of"] for row in group)}
            line |= {"missed": sum(row["missed"] for row in group), "new": sum(row["new"] for row in group)}
        summary.append(line)
    return summary


def _music(rows):
    """The rows, and for each rate the mean of them."""
    means = []
    for rate in dict.fromkeys(row["rate"] for row in rows):
        group = [row for row in rows if row["rate"] == rate]
        mean = {"file": "(mean)", "rate": rate}
        for name in group[0]:
            values = [row.get(name) for row in group]
            if name not in mean and None not in values:
                mean[name] = statistics.mean(values)
        means.append(mean)
    return rows + means


def table(result):
    """The rows of a result as a Markdown table; of speech a summary."""
    result = dict(result)
    if result["kind"] == "speech":
        result["rows"] = _speech(result["rows"])
    if result["kind"] == "music":
        result["rows"] = _music(result["rows"])
    columns = []
    for row in result["rows"]:
        columns += [key for key in row if key not in columns]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in result["rows"]:
        lines.append("| " + " | ".join(_cell(row.get(column, "")) for column in columns) + " |")
    return "\n".join(lines)


def plot(results, path):
    """Draws purity and click energy, spectral convergence beside R3's, and CPU time."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    by_kind = {result["kind"]: result["rows"] for result in results}
    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3.6))
    names = list(dict.fromkeys(row["engine"] for row in by_kind.get("synthetic", [])))
    for name in names:
        rows = [row for row in by_kind["synthetic"] if row["engine"] == name]
        # The default is drawn around the method that it chooses.
        look = {"markersize": 9, "fillstyle": "none"} if name == "syrinx" else {"markersize": 4}
        axes[0].plot([r["purity dB"] for r in rows], [r["click %"] for r in rows], "o", label=name, **look)
    axes[0].set(xlabel="purity of three tones, dB", ylabel="click energy within ±4 ms, %", title="steady and sharp at once")
    axes[0].legend(fontsize=6)
    music = by_kind.get("music", [])
    kept = [row for row in music if "syrinx" in row and "rubberband R3" in row]
    axes[1].scatter([r["rubberband R3"] for r in kept], [r["syrinx"] for r in kept], s=10)
    axes[1].plot([0, 0.7], [0, 0.7], color="grey", linewidth=0.7)
    axes[1].set(xlabel="Rubber Band R3", ylabel="syrinx", title="spectral convergence, music (smaller is better)")
    axes[1].title.set_fontsize(8)
    axes[0].title.set_fontsize(8)
    for row in by_kind.get("cpu", []):
        if row["rate"] == 1.5 and row["counted"] == "all":
            bars = [(name, value) for name, value in row.items() if name not in ("rate", "counted")]
            axes[2].barh([name for name, _ in bars], [value for _, value in bars])
    axes[2].set_title("CPU s for 60 s of stereo at 1.5", fontsize=8)
    axes[2].tick_params(labelsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=80)
