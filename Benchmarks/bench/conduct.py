"""The report of conduct over long journals, and what other connections notice of it (conduct contract, section 16)."""

import time

import control

from . import machine
from .servers import Understudy

#: Requests that are sent before their answers are read.
BATCH = 250


class Figures:
    def __init__(self, entries, first, cpu, second, more, wait, idle, memory):
        self.entries, self.first, self.cpu, self.second, self.more = entries, first, cpu, second, more
        self.wait, self.idle, self.memory = wait, idle, memory


def send(server, count, start=0):
    """Sends so many small requests over one connection; every fifth one is another, and some have no route."""
    paths = ["/api/v1/conversations", "/api/v1/conversations?limit=5", "/api/models", "/api/v1/conversations/{}", "/api/v1/nothing-{}"]
    requests = (("GET", paths[number % 5].format(number % 997), None, server.fields) for number in range(start, start + count))
    control.Connection(server.port).many(requests, BATCH, expect=range(600))


def report(server):
    """Asks for a report; returns seconds and the longest wait of another connection in milliseconds."""
    with control.Watch(server.port) as watch:
        time.sleep(0.05)
        began = time.perf_counter()
        reply = control.Connection(server.port).ask("GET", "/__admin/conduct")
        seconds, longest = time.perf_counter() - began, watch.longest()
    if b'"understudy-conduct"' not in reply.body:
        raise RuntimeError(f"the report is {reply.body[:300]!r}")
    return seconds, longest


def quiet(server):
    """The longest wait while nothing else is asked, in milliseconds."""
    with control.Watch(server.port) as watch:
        time.sleep(1)
        return watch.longest()


def kept(server):
    """The number of exchanges in the journal."""
    reply = server.ask("GET", "/__admin/requests?limit=1", fields=[])
    return int(next(value for name, value in reply.fields if name.lower() == "x-total-count"))


def fill(server, count):
    """Sends so many requests; with None until the journal is full."""
    if count is not None:
        return send(server, count)
    sent, before = 0, -1
    while (now := kept(server)) != before:
        before = now
        send(server, 20_000, sent)
        sent += 20_000


def measure(program, count, journal_bytes=None):
    """Figures for a journal of so many exchanges; with None for one of 64 MiB that is full."""
    with Understudy(program, journal_bytes=journal_bytes) as server, machine.on_core(machine.CLIENT_CORE):
        server.prepare()
        fill(server, count)
        idle = quiet(server)
        before = machine.resident_bytes(server.pid)
        cpu = machine.cpu_seconds(server.pid)
        first, wait = report(server)
        cpu = machine.cpu_seconds(server.pid) - cpu
        memory = machine.resident_bytes(server.pid) - before
        second, _ = report(server)
        send(server, 100)
        more, _ = report(server)
        return Figures(kept(server), first, cpu, second, more, wait, idle, memory)
