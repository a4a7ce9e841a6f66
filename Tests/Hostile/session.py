"""Shared by all attacks: the cases, their verdicts, and the longest allowed wait."""

import contextlib
import multiprocessing
import os
import sys
import time
import traceback

from server import Died, Probe, Server

MIB = 1024 * 1024


def spin(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class Refused(AssertionError):
    """A violated promise of the contract."""


class Session:
    def __init__(self, binary, seed, is_long, seconds, chosen):
        self.binary = os.path.abspath(binary)
        self.seed = seed
        self.is_long = is_long
        self.seconds = seconds
        self.chosen = chosen
        self.rows = []
        self.passed = 0
        self.failed = 0
        self.allowed = 0.0
        self.noise = 0.0

    def measure_noise(self):
        """The longest wait of an idle server, and of one beside which each core is busy."""
        with Server(self.binary) as server, Probe(server) as probe:
            probe.begin()
            time.sleep(1.5)
            idle = probe.longest()
            busy = [multiprocessing.Process(target=spin, args=(2.0,)) for _ in range(os.cpu_count() or 1)]
            probe.begin()
            for process in busy:
                process.start()
            for process in busy:
                process.join()
            loaded = probe.longest()
        self.noise = max(idle, loaded)
        self.allowed = (20 if os.environ.get("CI") else 10) + self.noise
        print("baseline: an idle server answers within %.1f ms, beside busy cores within %.1f ms; a case may take %.1f ms"
              % (idle, loaded, self.allowed), flush=True)

    @contextlib.contextmanager
    def case(self, name):
        """Runs one case; what it raises is its failure."""
        began = time.monotonic()
        row = {"name": name, "longest": None, "peak": None, "note": ""}
        try:
            yield row
            verdict = "ok"
            self.passed += 1
        except (Refused, AssertionError) as error:
            verdict = "FAILED"
            row["note"] = str(error)[:600]
            self.failed += 1
        except Exception as error:
            verdict = "FAILED"
            row["note"] = "%s: %s" % (type(error).__name__, str(error)[:500])
            if not isinstance(error, (Died, OSError)):
                row["note"] += "\n" + traceback.format_exc()[-1500:]
            self.failed += 1
        row["verdict"] = verdict
        row["seconds"] = time.monotonic() - began
        self.rows.append(row)
        wait = "" if row["longest"] is None else "waited %.1f ms" % row["longest"]
        peak = "" if row["peak"] is None else "peak +%.0f MiB" % (row["peak"] / MIB)
        print("%-6s %-58s %6.1f s  %-17s %-15s %s" % (verdict, name, row["seconds"], wait, peak, row["note"]), flush=True)

    def holds(self, name, server, attack, before=None, after=None, peak=None, tries=6):
        """A case whose attack must not delay other connections; a failed measurement is repeated, since machines hiccup."""
        with self.case(name) as row:
            longest = None
            for attempt in range(tries):
                if before:
                    before()
                with Probe(server) as probe:
                    resident = server.memory()[0]
                    server.forget_peak()
                    probe.begin()
                    attack()
                    waited = probe.longest()
                server.check()
                grown = server.memory()[1] - resident
                row["peak"] = grown if row["peak"] is None else min(row["peak"], grown)
                longest = waited if longest is None else min(longest, waited)
                row["longest"] = longest
                if after:
                    after()
                if longest <= self.allowed:
                    break
            if longest > self.allowed:
                raise Refused("another connection waited %.1f ms, more than %.1f" % (longest, self.allowed))
            if peak is not None and row["peak"] > peak:
                raise Refused("memory grew by %.0f MiB, more than %.0f" % (row["peak"] / MIB, peak / MIB))

    def finish(self):
        print()
        waits = [row for row in self.rows if row["longest"] is not None]
        if waits:
            worst = max(waits, key=lambda row: row["longest"])
            print("longest wait of another connection: %.1f ms (%s)" % (worst["longest"], worst["name"]))
        peaks = [row for row in self.rows if row["peak"] is not None]
        if peaks:
            worst = max(peaks, key=lambda row: row["peak"])
            print("highest growth of memory: %.0f MiB (%s)" % (worst["peak"] / MIB, worst["name"]))
        for row in self.rows:
            if row["verdict"] != "ok":
                print("failed: %s: %s" % (row["name"], row["note"].split("\n")[0]))
        print("seed %d" % self.seed)
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed else 0)


def require(condition, message):
    if not condition:
        raise Refused(message)
