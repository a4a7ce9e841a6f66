"""Parts of long content, and uploads that their clients abandon (wire contract, section 12)."""

import os
import statistics
import time

from . import load, machine
from .own import Own, write

PART = 64 * 1_024
WHOLE = 64 * 1_048_576
AT_ONCE = 1_000
ABANDONED = 500


def prepare(folder):
    write(folder, "wire/api.json", {"resources": [{"path": "/rows", "table": "rows"}]})
    write(folder, "wire/tables/rows.json", [])
    for name, size in (("short", PART), ("long", WHOLE)):
        write(folder, f"wire/stubs/{name}.json", {"match": {"path": f"/{name}"}, "response": {"file": f"{name}.bin"}})
        path = os.path.join(folder, "wire/files", f"{name}.bin")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(bytes(range(256)) * (size // 256))


def range_of(place):
    return ("Range", f"bytes={place}-{place + PART - 1}")


def cpu(server, rounds, seconds):
    """CPU of a short file and of a part of a long one, in turn; medians in microseconds."""
    found = {"short": [], "long": []}
    for _ in range(rounds):
        for name, fields in (("short", []), ("long", [range_of(WHOLE // 2)])):
            server.fields = fields
            found[name].append(load.run(server.use("wire", f"/{name}"), 32, seconds).cpu_micros)
    server.fields = []
    return {name: statistics.median(values) for name, values in found.items()}


def held_parts(server):
    """The growth in bytes while that many parts have been asked for and none is read."""
    before = machine.resident_bytes(server.pid)
    held, most = [], 0
    try:
        for place in range(AT_ONCE):
            connection = server.connect()
            held.append(connection)
            connection.sendall(server.request(path="/long", fields=[range_of(place * PART)]))
        for _ in range(20):
            time.sleep(0.1)
            most = max(most, machine.resident_bytes(server.pid))
    finally:
        for connection in held:
            connection.close()
    return most - before


def abandoned(server):
    """The growth in bytes by uploads whose clients leave in the middle, beyond that of the journal, and the longest
    wait of another call meanwhile, in milliseconds."""

    def leave(count):
        for _ in range(count):
            with server.connect() as connection:
                head = f"POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {WHOLE}\r\n\r\n"
                connection.sendall(head.encode() + b"a" * PART)

    def wait():
        began = time.perf_counter()
        server.ask("GET", "/rows")
        return (time.perf_counter() - began) * 1e3

    # The journal has its share, and what is freed is used again.
    leave(3 * ABANDONED)
    time.sleep(0.3)
    server.ask("DELETE", "/__admin/requests", fields=[])
    before = machine.resident_bytes(server.pid)
    longest = 0
    for _ in range(ABANDONED // 10):
        leave(10)
        longest = max(longest, wait())
    time.sleep(0.3)
    server.ask("DELETE", "/__admin/requests", fields=[])
    return machine.resident_bytes(server.pid) - before, longest


def measure(program, folder, rounds, seconds):
    prepare(folder)
    with Own(program, folder, "wire", "/short") as server:
        return cpu(server, rounds, seconds), held_parts(server), abandoned(server)
