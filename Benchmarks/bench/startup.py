"""From exec to the ready line and to the first answer."""

import statistics
import time

from . import machine
from .servers import Nginx, Understudy, read_reply


def _first_answer(server):
    began = time.perf_counter()
    ready = server.start()
    with server.connect() as connection:
        connection.sendall(server.request())
        reply = read_reply(connection)
    answered = time.perf_counter() - began
    try:
        if reply.status != 200:
            raise RuntimeError(f"the first answer of {server.name} was {reply.status}")
        return ready, answered, machine.resident_bytes(server.pid)
    finally:
        server.stop()


def measure(program, token, model, work, times):
    """Medians in milliseconds, and resident bytes after the first answer."""
    ours = [_first_answer(Understudy(program, token=token)) for _ in range(times)]
    fields = [("Authorization", f"Bearer {token}")]
    theirs = [_first_answer(Nginx(work, model, fields)) for _ in range(times)]
    return {
        "ready": statistics.median(ready for ready, _, _ in ours) * 1e3,
        "answer": statistics.median(answer for _, answer, _ in ours) * 1e3,
        "nginx": statistics.median(answer for _, answer, _ in theirs) * 1e3,
        "resident": statistics.median(size for _, _, size in ours),
        "nginx resident": statistics.median(size for _, _, size in theirs),
    }
