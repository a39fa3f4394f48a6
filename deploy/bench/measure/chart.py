"""A bar chart of requests per second, a group of bars for each scenario and case."""

COLOURS = {
    "native": "#0b3c5d",
    "jvm": "#1b6ca8",
    "baseline": "#9ec1dd",
    "one-by-one": "#c9d7e2",
    "workerd": "#d98324",
    "pgbench": "#7a7a7a",
}
BAR, GAP, LEFT, WIDTH, RIGHT, TOP = 14, 10, 250, 560, 90, 56


def _text(x, y, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{text}</text>'


def _bar(row, y, scale):
    width = scale * row["per_second"]["median"]
    colour = COLOURS[row["candidate"]]
    return [
        f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{colour}"/>',
        _text(LEFT + width + 4, y + BAR - 4, f"{row['per_second']['median']:.0f}"),
    ]


def _legend(names):
    parts = []
    for number, name in enumerate(names):
        x = LEFT + number * 100
        parts.append(f'<rect x="{x}" y="26" width="12" height="12" fill="{COLOURS[name]}"/>')
        parts.append(_text(x + 18, 36, name))
    return parts


def draw(rows):
    rows = [row for row in rows if row["candidate"] in COLOURS and not row["rate"]]
    scale = WIDTH / max((row["per_second"]["median"] for row in rows), default=1)
    groups = {}
    for row in rows:
        groups.setdefault((row["scenario"], row["case"]), []).append(row)
    parts, y = [], TOP
    for (scenario, case), bars in groups.items():
        label = f"{scenario}, {case}"
        parts.append(_text(LEFT - 8, y + BAR * len(bars) / 2 + 4, label, ' text-anchor="end"'))
        for row in bars:
            parts += _bar(row, y, scale)
            y += BAR
        y += GAP
    shown = [name for name in COLOURS if any(row["candidate"] == name for row in rows)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{y}"'
        ' font-family="sans-serif" font-size="11">'
    )
    title = _text(LEFT, 16, "Requests per second", ' font-size="13"')
    background = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, background, title, *_legend(shown), *parts, "</svg>", ""])
