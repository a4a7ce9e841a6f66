"""The error of injected delays while many answers wait.

The kernel stamps each segment as it arrives (SO_TIMESTAMPNS), so a slow client can't add to what is measured.
"""

import select
import socket
import struct
import time

from . import machine

_SO_TIMESTAMPNS = 35  # 64-bit machines: the stamp is a timespec of two longs
_ANCILLARY = socket.CMSG_SPACE(16)
_CONVERSATION = "conv_empty_0000000001"


class _Stream:
    def __init__(self, connection):
        self.connection = connection
        self.started = None
        self.first = None


def _stamp(ancillary):
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS:
            seconds, nanos = struct.unpack("qq", data[:16])
            return seconds + nanos / 1e9
    return time.time()


def measure(server, count, delay_ms, spread):
    """Delay errors in milliseconds, sorted: arrival of the first piece after message_start, less the delay asked for.

    `count` streams are begun evenly over `spread` seconds, and so many wait at once as long as that is shorter than
    the delay.
    """
    server.set({"omnichat": {"rateLimits": "off", "stream": {"firstTokenMs": delay_ms, "gapMs": 0, "replyText": "Hello."}}})
    with machine.on_core(machine.CLIENT_CORE):
        return _measure(server, count, delay_ms, spread)


def _measure(server, count, delay_ms, spread):
    request = server.request("POST", f"/api/v1/conversations/{_CONVERSATION}/messages", {"content": "Hi", "stream": True})
    poller = select.epoll()
    streams = {}
    for _ in range(count):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        connection.setblocking(False)
        streams[connection.fileno()] = _Stream(connection)
        poller.register(connection.fileno(), select.EPOLLIN)
    waiting = list(streams.values())
    errors = []
    begin = time.perf_counter()
    limit = begin + spread + delay_ms / 1e3 + 10
    sent = 0
    try:
        while len(errors) < count:
            now = time.perf_counter()
            if now > limit:
                raise RuntimeError(f"only {len(errors)} of {count} delayed answers came")
            while sent < count and now - begin >= spread * sent / count:
                waiting[sent].connection.send(request)
                sent += 1
            pause = 0.05 if sent == count else max(0, begin + spread * sent / count - now)
            for number, _ in poller.poll(pause):
                error = _take(streams[number], delay_ms)
                if error is not None:
                    errors.append(error)
                    poller.unregister(number)
    finally:
        for stream in waiting:
            stream.connection.close()
        poller.close()
    return sorted(errors)


def _take(stream, delay_ms):
    """The delay error when this is the first piece, else None."""
    try:
        data, ancillary, _, _ = stream.connection.recvmsg(65536, _ANCILLARY)
    except BlockingIOError:
        return None
    if not data:
        raise RuntimeError("a delayed answer ended before its first piece")
    at = _stamp(ancillary)
    if stream.started is None:
        if not data.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"a streamed message was refused: {data[:300]!r}")
        if b"message_start" in data:
            stream.started = at
        return None
    if b"content_chunk" not in data:
        return None
    return (at - stream.started) * 1e3 - delay_ms


def percentile(values, part):
    return values[min(len(values) - 1, int(len(values) * part / 100))]
