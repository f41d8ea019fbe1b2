#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""performance.py - makes docs/performance.md and the plots in docs/plots/ of docs/performance.json.

Usage: performance.py [--check]. With --check nothing is written; it says which files are not what the
results make of them, and exits with 1.

The results file is a list of sections with measures. A measure has a title, a text, rows, notes and
the command that repeats it. Its kind says what the rows hold:

    times    peer and ours, in `unit`; the ratio is worked out here     kernels beside nvcc
    ratios   ratio, low and high, of some cells                         primitives beside CUB
    spans    the same for each of `ours`; no ratio: the geometric       compile times beside NVRTC
             mean of low and high
    speed    low and high of one number, without a peer                 lines a second
    table    cells as they are                                          registers
    gains    references to ratios of other measures: (id, row, column)  the plot of README.md

A ratio is the peer's time divided by ours. Plots are SVG, written here, of ratios on a logarithmic axis.
"""
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = ("#2f7d5b", "#7fb8a0")
LETTER, BAR, RIGHT = 6.7, 14, 70  # pixels: a letter of a label, height of a bar, room for numbers
WIDTH = 760


def number(value):
    """Three digits, or the number as it is."""
    if isinstance(value, str):
        return value
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:g}"


def ratio(value):
    return f"{value:.0f}" if value >= 30 else f"{value:.3g}" if value >= 2 else f"{value:.2f}"


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios_of(measure, row):
    """[(ratio, low, high)] of a row, one for each of `ours`; low and high may be None."""
    if measure["kind"] == "times":
        return [(row["peer"] / ours, None, None) for ours in row["ours"]]
    if measure["kind"] == "ratios":
        return [(row["ratio"], row.get("low"), row.get("high"))]
    given = row.get("ratio", [mean(pair) for pair in zip(row["low"], row["high"])])
    return list(zip(given, row["low"], row["high"]))


def with_mean(measure):
    """The rows, and one with the geometric means if the measure asks for it."""
    rows = [(row["what"], ratios_of(measure, row), row) for row in measure["rows"]]
    if measure.get("mean"):
        columns = zip(*[[value[0] for value in values] for _, values, _ in rows])
        rows.append(("geometric mean", [(mean(column), None, None) for column in columns], None))
    return rows


# ---- plots -----------------------------------------------------------------------------------


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("`", "")


def svg(title, bars, names, axis):
    """bars: [(label, [(value, low, high, text)])]; axis: (from, to, marks, is_logarithmic)."""
    start, end, marks, is_log = axis
    scale = math.log if is_log else lambda value: value
    label_room = round(max(len(label) for label, _ in bars) * LETTER) + 16
    room = WIDTH - label_room - RIGHT

    def x(value):
        value = min(max(value, start), end)
        return label_room + room * (scale(value) - scale(start)) / (scale(end) - scale(start))

    top, gap = 34 + (18 if names else 0), 8
    steps = [BAR * len(values) + gap for _, values in bars]
    bottom = top + sum(steps)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 30}" '
           f'viewBox="0 0 {WIDTH} {bottom + 30}" font-family="sans-serif" font-size="12">',
           f"<title>{escape(title)}</title>",
           f'<rect width="{WIDTH}" height="{bottom + 30}" fill="#ffffff"/>',
           f'<text x="12" y="20" font-size="14" font-weight="bold" fill="#222222">{escape(title)}</text>']
    for i, name in enumerate(names):
        out.append(f'<rect x="{label_room + 110 * i}" y="{top - 21}" width="10" height="10" fill="{COLOURS[i]}"/>')
        out.append(f'<text x="{label_room + 110 * i + 15}" y="{top - 12}" fill="#222222">{escape(name)}</text>')
    for mark, text in marks:
        colour = "#444444" if mark == 1 and is_log else "#dddddd"
        out.append(f'<line x1="{x(mark):.1f}" y1="{top}" x2="{x(mark):.1f}" y2="{bottom}" stroke="{colour}"/>')
        out.append(f'<text x="{x(mark):.1f}" y="{bottom + 16}" text-anchor="middle" fill="#444444">{text}</text>')
    y = top + gap / 2
    origin = x(1) if is_log else x(start)
    for (label, values), step in zip(bars, steps):
        out.append(f'<text x="{label_room - 8}" y="{y + (step - gap) / 2 + 4:.1f}" text-anchor="end" '
                   f'fill="#222222">{escape(label)}</text>')
        for i, (value, low, high, text) in enumerate(values):
            left, right = sorted((origin, x(value)))
            middle = y + BAR * i + (BAR - 2) / 2
            out.append(f'<rect x="{left:.1f}" y="{y + BAR * i:.1f}" width="{max(right - left, 1.5):.1f}" '
                       f'height="{BAR - 2}" fill="{COLOURS[i]}"/>')
            if low and high:
                out.append(f'<line x1="{x(low):.1f}" y1="{middle:.1f}" x2="{x(high):.1f}" y2="{middle:.1f}" '
                           'stroke="#222222"/>')
            at = max(right, x(high) if high else 0, origin) + 5
            out.append(f'<text x="{at:.1f}" y="{middle + 4:.1f}" font-size="11" fill="#222222">{text}</text>')
        y += step
    return "\n".join(out + ["</svg>"]) + "\n"


def ratio_axis(bars):
    most = max(max(value, high or 0) for _, values in bars for value, _, high, _ in values)
    least = min(min(value, low or value) for _, values in bars for value, low, _, _ in values)
    start, end = min(0.9, least * 0.98), most * 1.1
    marks = [m for m in (0.9, 1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200) if start <= m <= end]
    if end > 2:
        marks = [m for m in marks if m in (1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200) and (m != 1.5 or end < 8)]
    return start, end, [(mark, f"{mark:g}x") for mark in marks], True


def plot(measure, by_id):
    """The SVG of a measure."""
    if measure["kind"] == "speed":
        bars = [(row["what"], [((row["low"] + row["high"]) / 2, row["low"], row["high"],
                                f"{(row['low'] + row['high']) / 2e6:.2f} million")])
                for row in measure["rows"]]
        marks = [(k * 250000, f"{k * 0.25:g} million") for k in range(5)]
        return svg(measure["title"], bars, [], (0, 1150000, marks, False))
    if measure["kind"] == "gains":
        bars, names = [], []
        for row in measure["rows"]:
            of, index, column = row["of"]
            value, low, high = with_mean(by_id[of])[index][1][column]
            if by_id[of]["kind"] == "ratios":
                low = high = None
            bars.append((f"{row['what']} (beside {row['peer']})", [(value, low, high, ratio(value) + "x")]))
        return svg("How many times as fast as the peer", bars, names, ratio_axis(bars))
    bars = [(what, [(value, low, high, ratio(value)) for value, low, high in values])
            for what, values, _ in with_mean(measure)]
    names = measure["ours"] if isinstance(measure["ours"], list) else []
    title = f"{measure['title']}: {measure['peer']}'s time divided by ours"
    return svg(title, bars, names, ratio_axis(bars))


# ---- tables ----------------------------------------------------------------------------------


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "| " + " | ".join(["---"] * len(columns)) + " |"]
    return lines + ["| " + " | ".join(number(cell) for cell in row) + " |" for row in rows]


def low_high(low, high):
    if low is None or high is None:
        return "" if low is None else f"from {ratio(low)}"
    return f"{ratio(low)} to {ratio(high)}"


def rows_of(measure, by_id):
    kind = measure["kind"]
    if kind == "table":
        return measure["columns"], measure["rows"]
    if kind == "gains":
        rows = []
        for row in measure["rows"]:
            of, index, column = row["of"]
            rows.append([row["what"], row["peer"], ratio(with_mean(by_id[of])[index][1][column][0])])
        return ["what", "peer", "ratio"], rows
    if kind == "speed":
        return (["program", measure["unit"], "memory"],
                [[row["what"], f"{row['low']:,} to {row['high']:,}", row["more"]] for row in measure["rows"]])
    if kind == "ratios":
        return (["what", "cells", f"{measure['peer']} / {measure['ours']}", "worst to best"],
                [[row["what"], row["cells"], ratio(row["ratio"]), low_high(row.get("low"), row.get("high"))]
                 for row in measure["rows"]])
    peer, ours = measure["peer"], measure["ours"]
    if kind == "spans":
        columns = ["what"] + [f"{peer} / {name}" for name in ours]
        return columns, [[what] + [f"{ratio(value)} ({low_high(low, high)})" for value, low, high in values]
                         for what, values, _ in with_mean(measure)]
    columns = ["what", f"{peer}, {measure['unit']}"] + [f"{name}, {measure['unit']}" for name in ours]
    columns += [f"{peer} / ours"]
    return columns, [[what, row["peer"] if row else "", *(row["ours"] if row else [""] * len(ours)),
                      ", ".join(f"{value:.2f}" for value, _, _ in values)]
                     for what, values, row in with_mean(measure)]


def wrap(text, width=110):
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def make():
    """{path: text} of all that is made."""
    with open(os.path.join(HERE, "performance.json"), encoding="utf-8") as file:
        results = json.load(file)
    by_id = {measure["id"]: measure for section in results["sections"] for measure in section["measures"]}
    files = {}
    page = ["# Performance", "", "<!-- Made by docs/performance.py of docs/performance.json: change those. -->", ""]
    page += wrap(results["intro"])
    for section in results["sections"]:
        page += ["", f"## {section['title']}"]
        for measure in section["measures"]:
            if "title" in measure:
                page += ["", f"### {measure['title']}"]
            machine = results["machines"].get(measure.get("machine"))
            page += ["", *wrap(measure["text"] + (f" Measured on: {machine}." if machine else ""))]
            if measure.get("plot") or measure["kind"] == "gains":
                files[f"plots/{measure['id']}.svg"] = plot(measure, by_id)
                alt = measure.get("title", section["title"])
                page += ["", f"![{alt}](plots/{measure['id']}.svg)"]
            page += ["", *table(*rows_of(measure, by_id))]
            for note in measure.get("notes", []):
                page += ["", *wrap(note)]
            if "command" in measure:
                page += ["", f"Repeat: `{measure['command']}`"]
    page += ["", "New figures go into `docs/performance.json`; `python3 docs/performance.py` makes this page and its plots."]
    files["performance.md"] = "\n".join(page) + "\n"
    return files


def main():
    is_check, stale = sys.argv[1:] == ["--check"], []
    for name, text in make().items():
        path = os.path.join(HERE, name)
        old = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if old == text:
            continue
        stale.append(name)
        if not is_check:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    for name in stale:
        print(f"docs/{name} {'is not what docs/performance.json makes: run docs/performance.py' if is_check else 'written'}")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
