"""The report of conduct over long journals, and what other connections notice of it (conduct contract, section 16)."""

import threading
import time

from . import machine
from .servers import Understudy, read_reply

#: Requests that are sent before their answers are read.
BATCH = 250


class Figures:
    def __init__(self, entries, first, cpu, second, more, wait, idle, memory):
        self.entries, self.first, self.cpu, self.second, self.more = entries, first, cpu, second, more
        self.wait, self.idle, self.memory = wait, idle, memory


def send(server, count, start=0):
    """Sends so many small requests over one connection; every fifth one is another, and some have no route."""
    paths = ["/api/v1/conversations", "/api/v1/conversations?limit=5", "/api/models", "/api/v1/conversations/{}", "/api/v1/nothing-{}"]
    with server.connect() as connection:
        connection.settimeout(60)
        for begin in range(start, start + count, BATCH):
            numbers = range(begin, min(begin + BATCH, start + count))
            connection.sendall(b"".join(server.request("GET", paths[number % 5].format(number % 997)) for number in numbers))
            take(connection, len(numbers))


def take(connection, count):
    """Reads so many answers that have a Content-Length."""
    data = b""
    while count:
        end = data.find(b"\r\n\r\n")
        if end >= 0:
            place = data[:end].lower().find(b"content-length:")
            length = int(data[place + 15 : end + 2].split(b"\r\n", 1)[0]) if place >= 0 else 0
            if len(data) >= end + 4 + length:
                data = data[end + 4 + length :]
                count -= 1
                continue
        more = connection.recv(1 << 20)
        if not more:
            raise RuntimeError("the connection ended inside an answer")
        data += more


class Watch(threading.Thread):
    """Asks for the server's health again and again, and keeps the longest wait in milliseconds."""

    def __init__(self, server):
        super().__init__()
        self.server, self.longest, self.isOver = server, 0.0, False

    def run(self):
        with self.server.connect() as connection:
            while not self.isOver:
                began = time.perf_counter()
                connection.sendall(self.server.request("GET", "/__admin/health", fields=[]))
                read_reply(connection)
                self.longest = max(self.longest, (time.perf_counter() - began) * 1e3)
                time.sleep(0.002)


def report(server):
    """Asks for a report; returns seconds and the longest wait of another connection in milliseconds."""
    watch = Watch(server)
    watch.start()
    time.sleep(0.05)
    began = time.perf_counter()
    with server.connect() as connection:
        connection.settimeout(120)
        connection.sendall(server.request("GET", "/__admin/conduct", fields=[]))
        reply = read_reply(connection)
    seconds = time.perf_counter() - began
    watch.isOver = True
    watch.join()
    if reply.status != 200 or b'"understudy-conduct"' not in reply.body:
        raise RuntimeError(f"the report is answered with {reply.status}: {reply.body[:300]!r}")
    return seconds, watch.longest


def quiet(server):
    """The longest wait while nothing else is asked, in milliseconds."""
    watch = Watch(server)
    watch.start()
    time.sleep(1)
    watch.isOver = True
    watch.join()
    return watch.longest


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
