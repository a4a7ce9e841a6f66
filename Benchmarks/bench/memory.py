"""Resident memory: after requests by the million, and per idle connection."""

import time

from . import load, machine
from .servers import read_reply


def after_requests(server, first, more, budget=50):
    """Resident bytes at the start, after at least `first` requests, and after at least `more` beyond them.

    On a slow machine fewer: loads end when `budget` seconds are over, an eighth of which is kept for `more`.
    """
    start = machine.resident_bytes(server.pid)
    sizes, counts = [start], []
    began = time.perf_counter()
    for wanted, limit in ((first, budget * 7 / 8), (more, budget)):
        done, seconds = 0, 1
        while done < wanted and (done == 0 or time.perf_counter() - began < limit):
            part = load.run(server, 32, seconds)
            done += part.requests
            left = (wanted - done) / part.rate
            seconds = max(1, min(8, int(left + 0.999)))
        counts.append(done)
        sizes.append(machine.resident_bytes(server.pid))
    return sizes, counts


def per_idle_connection(server, wanted):
    """Opens connections that each make one request and then stay open; returns (connections held, bytes each)."""
    load.run(server, 32, 1)
    time.sleep(0.1)
    before = machine.resident_bytes(server.pid)
    held = []
    request = server.request()
    try:
        for _ in range(wanted):
            connection = server.connect()
            held.append(connection)
            connection.sendall(request)
            connection.settimeout(2)
            try:
                read_reply(connection)
            except TimeoutError:
                # Accepted by the kernel, not by the server: its limit is reached.
                held.pop().close()
                break
        return len(held), (machine.resident_bytes(server.pid) - before) / max(1, len(held))
    finally:
        for connection in held:
            connection.close()
