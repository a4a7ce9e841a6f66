"""Reads and writes with and without `--state`, and what worlds cost a folder."""

import os
import shutil
import statistics
import time

from . import load, machine, servers

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


def _start_seconds(program, state):
    """CPU time to the ready line."""
    with servers.Understudy(program, state=state) as server:
        return machine.cpu_seconds(server.pid)


def worlds(program, folder, count):
    """Returns {"fresh" | "forked": (bytes on disk, CPU seconds of the next start)} of each of so many worlds."""
    found = {}
    for kind, from_main in (("fresh", {}), ("forked", {"from": "main"})):
        state = os.path.join(folder, kind)
        sizes, starts = [], []
        for made in (0, count):
            with servers.Understudy(program, state=state) as server:
                for number in range(made):
                    reply = server.ask("POST", "/__admin/worlds", {"name": f"bench-{number}", **from_main}, fields=[])
                    if reply.status != 201:
                        raise RuntimeError(f"a world was refused with {reply.status}: {reply.body[:300]!r}")
            # A clean stop leaves one file.
            sizes.append(sum(os.path.getsize(os.path.join(state, name)) for name in os.listdir(state)))
            starts.append(statistics.median(_start_seconds(program, state) for _ in range(3)))
        found[kind] = ((sizes[1] - sizes[0]) / count, (starts[1] - starts[0]) / count)
    return found


def measure(program, folder, rounds, seconds):
    """Returns {(kind, connections, "kept" | "free"): Load} of the median rates, and the time of a sync."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    found = {"sync": _sync_seconds(folder), "worlds": worlds(program, folder, 100)}
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
