"""The one table, for people and as Markdown."""


class Row:
    """A figure of Understudy next to nginx's; `holds` is None if there is no target."""

    def __init__(self, figure, ours, nginx="", bar="", holds=None):
        self.figure, self.ours, self.nginx, self.bar, self.holds = figure, ours, nginx, bar, holds

    @property
    def verdict(self):
        return {True: "holds", False: "MISSED", None: ""}[self.holds]

    @property
    def cells(self):
        return [self.figure, self.ours, self.nginx, self.bar, self.verdict]


HEADINGS = ["figure", "Understudy", "nginx", "bar", "verdict"]


def plain(rows):
    table = [HEADINGS] + [row.cells for row in rows]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(HEADINGS))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(cells, widths)).rstrip() for cells in table]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def markdown(rows):
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    lines += ["| " + " | ".join(row.cells) + " |" for row in rows]
    return "\n".join(lines)


def micros(value):
    return f"{value:.1f} µs" if value < 1000 else f"{value / 1e3:.2f} ms"


def nanos(value):
    return f"{value:.0f} ns" if value < 1000 else micros(value / 1e3)


def mebibytes(value):
    return f"{value / 1048576:.1f} MiB"
