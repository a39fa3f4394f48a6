"""The results of the benchmark of the start: a page, data, and a verdict on the native start."""

import json
import os
import statistics
import sys

from . import facts, starts, tools

BASELINE = tools.BENCH / "cold-start-baseline.json"

# The budget of the native executable, on an idle machine of two cores.
BUDGET = (
    ("answer_ms", "first answer, ms", 150),
    ("rss_mb", "resident after it, MB", 90),
    ("loaded_mb", "resident after load, MB", 130),
)
REGRESSION_MAX = 0.20  # of the ratio to hello-world
SPREAD_MAX = 0.30  # of a median, between the middle half of its starts
OTHERS_MAX = 0.10  # of the machine's time, used by processes that are not ours

HEADS = (
    "",
    "first answer ms",
    "p90",
    "min",
    "port open",
    "CPU ms",
    "to hello-world",
    "against baseline",
    "resident MB",
    "peak",
    "proportional",
    "after load",
)


def summary(candidate):
    def all_of(key):
        return sorted(one[key] for one in candidate.starts)

    answers = all_of("answer_ms")
    quarters = statistics.quantiles(answers, n=4)
    medians = ("answer_ms", "open_ms", "cpu_ms", "rss_mb", "peak_mb", "pss_mb")
    return {
        "candidate": candidate.name,
        **{key: statistics.median(all_of(key)) for key in medians},
        "p90_ms": answers[min(len(answers) - 1, int(len(answers) * 0.9))],
        "min_ms": answers[0],
        "spread": (quarters[2] - quarters[0]) / statistics.median(answers),
        "loaded_mb": candidate.loaded_mb,
    }


def _row_of(rows, name):
    return next((row for row in rows if row["candidate"] == name), None)


def add_ratios(rows, baseline):
    hello = _row_of(rows, starts.HELLO)
    for row in rows:
        row["ratio"] = row["answer_ms"] / hello["answer_ms"] if hello else None
        row["against_baseline"] = None
        if row["candidate"] == starts.NATIVE and hello and baseline:
            row["against_baseline"] = row["ratio"] / baseline["ratio"] - 1
    return rows


def regressed(row):
    return (row["against_baseline"] or 0) > REGRESSION_MAX


def verdict(rows, others):
    noisy = [row["candidate"] for row in rows if row["spread"] > SPREAD_MAX]
    said = f"Other processes used {others:.0%} of the machine while this was measured"
    if others <= OTHERS_MAX and not noisy:
        return f"{said}: it was idle."
    if noisy:
        said += (
            f", and the middle half of the starts of {', '.join(noisy)} spread over more than"
            f" {SPREAD_MAX:.0%} of the median"
        )
    return f"**{said}: the machine was noisy. Believe the ratios, not the milliseconds.**"


def _cell(value, form="{:.0f}"):
    return "" if value is None else form.format(value)


def _cells(row):
    change = _cell(row["against_baseline"], "{:+.0%}")
    return [
        row["candidate"],
        *(_cell(row[key]) for key in ("answer_ms", "p90_ms", "min_ms", "open_ms", "cpu_ms")),
        _cell(row["ratio"], "{:.2f}x"),
        f"**{change}, slower**" if regressed(row) else change,
        *(_cell(row[key]) for key in ("rss_mb", "peak_mb", "pss_mb", "loaded_mb")),
    ]


def _table(*lines):
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _budget(native):
    lines = [["native", "budget", "measured", ""], ["---", "---:", "---:", "---"]]
    for key, what, most in BUDGET:
        if native[key] is not None:
            kept = "kept" if native[key] <= most else "missed"
            lines.append([what, str(most), f"{native[key]:.0f}", kept])
    return _table(*lines)


def markdown(rows, others, known, baseline, arguments):
    lines = [f"# Cold start, {known['date']}", ""]
    lines += [f"- {name}: {value}" for name, value in known.items() if name != "date"]
    lines += [
        f"- {arguments.starts} starts of each in alternating order, after one that does not count",
        f"- {verdict(rows, others)}",
        "",
        "From a new process to its first answer: a decided reservation, or hello-world's greeting.",
        f"Memory in MB after that, and after {arguments.load_seconds} s of load.",
        "",
        *_table(HEADS, ["---", *["---:"] * (len(HEADS) - 1)], *map(_cells, rows)),
        "",
    ]
    native = _row_of(rows, starts.NATIVE)
    if native:
        lines += [*_budget(native), ""]
    if baseline:
        lines += [f"The baseline is {baseline['ratio']:.2f}x, of {baseline['date']}.", ""]
    return "\n".join(lines)


def _facts():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    return {
        "date": facts.date(),
        "commit": facts.commit(),
        "machine": facts.machine(),
        "memory": f"{memory:.0f} GB",
    }


def _save_baseline(native, known):
    if not native or native["ratio"] is None:
        sys.exit("A baseline needs the native executable and hello-world")
    kept = {"ratio": round(native["ratio"], 2), "date": known["date"], "machine": known["machine"]}
    BASELINE.write_text(json.dumps(kept, indent=1) + "\n")


def _check(native):
    if not native or native["against_baseline"] is None:
        sys.exit("Nothing to check: it takes the native executable, hello-world and a baseline")
    if regressed(native):
        worse = native["against_baseline"]
        sys.exit(f"The native start got {worse:.0%} worse against hello-world")


def report(found, others, arguments):
    baseline = json.loads(BASELINE.read_text()) if BASELINE.exists() else None
    rows = add_ratios([summary(candidate) for candidate in found], baseline)
    known = _facts()
    text = markdown(rows, others, known, baseline, arguments)
    data = {
        "facts": known,
        "others": others,
        "rows": rows,
        "starts": {one.name: one.starts for one in found},
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "cold-start.md").write_text(text)
    (arguments.out / "cold-start.json").write_text(json.dumps(data, indent=1) + "\n")
    print("\n" + text)
    print(f"cold-start.md and cold-start.json are in {arguments.out}")
    native = _row_of(rows, starts.NATIVE)
    if arguments.save_baseline:
        _save_baseline(native, known)
    elif arguments.check:
        _check(native)
