"""The results of the throughput benchmark as a page, and as data."""

import json

from . import chart, summary

COLUMNS = (
    ("per second", "per_second", 1),
    ("p50 ms", "p50_us", 1000),
    ("p99 ms", "p99_us", 1000),
    ("p99.9 ms", "p999_us", 1000),
    ("p99/p50", "p99_to_p50", 1),
    ("service CPU us", "service_cpu_us", 1),
    ("database CPU us", "database_cpu_us", 1),
    ("generator CPU us", "generator_cpu_us", 1),
    ("memory MiB", "memory_mib", 1),
)

LEGEND = """\
Values are medians; CPU is for each request. **Ratio** is how many times as many requests the first
candidate of the same case got through, repeat by repeat. **Late** is how late the load generator
itself sent its slowest hundredth. `~` marks a value whose repeats differ by more than {noise:.0%};
`?` marks a row for which other programs used more than {others:.0%} of the machine, `!` one for
which the load generator was late by more than {late:.0%} of the latency."""


def _number(value, divisor):
    number = value["median"] / divisor
    text = f"{number:.0f}" if number >= 100 or number == 0 else f"{number:.3g}"
    return ("~" if value["verdict"] == "noisy" else "") + text


def _ratio(row):
    if row["candidate"] == row["reference"] or row["reference_ratio"] is None:
        return ""
    return _number(row["reference_ratio"], 1) + "x"


def _cells(row):
    marks = "".join("?" if "other" in doubt else "!" for doubt in row["doubts"])
    rate = f" at {row['rate']}/s" if row["rate"] else ""
    late = row["generator_late_p99_us"]
    wrong = row["failed"] + row["miscounted"]
    return [
        row["case"],
        f"{row['candidate']}{rate} {marks}".strip(),
        _ratio(row),
        *(_number(row[key], divisor) for _, key, divisor in COLUMNS),
        "" if late is None else f"{late / 1000:.2f}",
        f"**{wrong}**" if wrong else "0",
    ]


def _table(rows):
    heads = ["case", "candidate", "ratio", *(head for head, _, _ in COLUMNS), "late ms", "wrong"]
    lines = [heads, ["---", "---", *["---:"] * (len(heads) - 2)], *map(_cells, rows)]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def markdown(rows, facts, settings, descriptions):
    lines = [f"# Benchmark of {facts['date']}", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items() if name != "date"]
    lines += [
        f"- {settings.repeats} repeats of {settings.seconds:g} s, candidates in alternating order",
        "- load generator, services and database share the machine: only ratios mean anything",
        "",
        LEGEND.format(noise=summary.NOISE_MAX, others=summary.OTHERS_MAX, late=summary.LATE_MAX),
        "",
    ]
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        lines += [f"## {scenario}", ""]
        if scenario in descriptions:
            lines += [descriptions[scenario], ""]
        lines += [*_table([row for row in rows if row["scenario"] == scenario]), ""]
    return "\n".join(lines)


def write(samples, facts, settings, descriptions, folder):
    """Writes results.json, results.md and results.svg, and returns the rows."""
    rows = summary.rows(samples)
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "facts": facts,
        "seconds": settings.seconds,
        "repeats": settings.repeats,
        "rows": rows,
        "samples": samples,
    }
    (folder / "results.json").write_text(json.dumps(data, indent=1) + "\n")
    (folder / "results.md").write_text(markdown(rows, facts, settings, descriptions))
    (folder / "results.svg").write_text(chart.draw(rows))
    return rows
