"""What the access log costs: the measured request with the log to a file, beside the same with `--quiet`."""

import contextlib
import os

from . import load, servers

#: The formats of the log; "quiet" is none.
KINDS = ("quiet", "text", "json")


def measure(program, folder, rounds, seconds):
    """Answers {kind: {connections: {"cpu", "rate", …}}}, the servers in turn, each on the same core."""
    os.makedirs(folder, exist_ok=True)
    with contextlib.ExitStack() as stack:
        running = []
        for kind in KINDS:
            flags = ("serve",) if kind == "quiet" else ("serve", "--log-format", kind)
            path = None if kind == "quiet" else os.path.join(folder, f"{kind}.log")
            running.append(stack.enter_context(servers.Understudy(program, name=kind, command=flags, log=path)))
            running[-1].prepare()
        found = load.compare(running, rounds, seconds)
    for kind in KINDS[1:]:
        with open(os.path.join(folder, f"{kind}.log"), "rb") as file:
            lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
        if lines < 1_000:
            raise RuntimeError(f"the log has only {lines} lines, so that something else was measured")
        os.remove(os.path.join(folder, f"{kind}.log"))
    return found
