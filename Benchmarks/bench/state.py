"""Reads and writes with and without `--state`."""

import os
import shutil
import statistics
import time

from . import load, servers

_writes = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wrk-write.lua")


def _sync_seconds(folder):
    """Measures the disk's time for one small synced write."""
    times = []
    with open(os.path.join(folder, "probe"), "wb", buffering=0) as file:
        for _ in range(50):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def measure(program, folder, rounds, seconds):
    """Returns {(kind, connections, "kept" | "free"): Load} of the median rates, and the time of a sync."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    found = {"sync": _sync_seconds(folder)}
    loads = {}
    for number in range(max(1, rounds // 2)):
        for name, state in (("kept", os.path.join(folder, f"kept-{number}")), ("free", None)):
            with servers.Understudy(program, state=state, name=f"understudy ({name})") as server:
                server.prepare()
                for connections in (32, 1):
                    loads.setdefault(("read", connections, name), []).append(load.run(server, connections, seconds))
                for connections in (32, 1):
                    # Each write makes the list longer, which only affects reads.
                    made = load.run(server, connections, min(seconds, 2), _writes)
                    loads.setdefault(("write", connections, name), []).append(made)
    for key, runs in loads.items():
        found[key] = sorted(runs, key=lambda run: run.rate)[len(runs) // 2]
    return found
