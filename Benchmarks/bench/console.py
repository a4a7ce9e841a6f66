"""The lists that the console reads, at their largest, and what other connections wait meanwhile (console contract,
section 28, point 3)."""

import json
import statistics
import time

import control

from .servers import Understudy

#: A bound that holds a hundred thousand short entries.
WIDE = 400_000_000
TRIES = 9


def figure(server, path):
    """The median time of a call, and the longest of another connection meanwhile, in milliseconds."""
    connection = control.Connection(server.port)
    connection.ask("GET", "/__admin" + path)
    took, held = [], []
    with control.Watch(server.port) as watcher:
        for _ in range(TRIES):
            time.sleep(0.05)
            watcher.longest()
            began = time.perf_counter()
            reply = connection.ask("GET", "/__admin" + path)
            took.append((time.perf_counter() - began) * 1e3)
            held.append(watcher.longest())
    # The machine's own pauses are in the longest of few, so the median of the longest of each try counts.
    return statistics.median(took), statistics.median(held), reply


def lines(program, count):
    """The newest 500 lines of that many entries."""
    with Understudy(program, journal_bytes=WIDE) as server:
        server.set({"omnichat": {"rateLimits": "off"}})
        connection = control.Connection(server.port)
        connection.many((("GET", "/api/models") for _ in range(count)), expect=[401])
        kept = json.loads(connection.ask("GET", "/__admin/journal").body)["entries"]
        if kept != count:
            raise RuntimeError(f"the journal has {kept} of {count} entries")
        return figure(server, "/requests?view=line&limit=500")


def search(program):
    """A text that nothing has, in a full journal of 64 MiB."""
    with Understudy(program) as server:
        server.prepare()
        connection = control.Connection(server.port)
        while True:
            journal = json.loads(connection.ask("GET", "/__admin/journal").body)
            if journal["dropped"]:
                break
            connection.many((("GET", "/api/v1/conversations", None, server.fields) for _ in range(5_000)), expect=[200])
        return (*figure(server, "/requests?view=line&q=never-there")[:2], journal["entries"])


def upcoming(program, count):
    """What comes due of that many access tokens."""
    with Understudy(program) as server:
        connection = control.Connection(server.port)
        order = {"api": "omnichat", "user": "test@icloud.com", "kind": "access"}
        connection.many((("POST", "/__admin/tokens?api=omnichat", {key: order[key] for key in ("user", "kind")}) for _ in range(count)), expect=[201])
        took, held, reply = figure(server, "/clock/upcoming?limit=1000")
        return took, held, int(reply.fields["x-total-count"])
