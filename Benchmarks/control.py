"""Measures the cost of control calls, and the delay that each causes to other connections.

    python3 Benchmarks/control.py .build/release/understudy            everything, some minutes
    python3 Benchmarks/control.py .build/release/understudy --quick    a tenth of everything, to see that it works
    python3 Benchmarks/control.py .build/release/understudy --only full --grep requests

`ordinary` makes every call in a world as a test leaves it, one after the other on one kept connection, and says how much CPU time
all threads took for one. `full` fills the process to its limits first: 10,000 worlds, each used, and in one of them each a full
journal, 1,000 faults, 1,000 gates, 1,000 snapshots, a full outbox, a big state. Each call is made a few times then; beside its CPU
time there is the part of it on the loop's thread, and the longest that a call of /__admin/health on another connection took in the
meantime (of the repetitions the least: a busy machine adds to it, never takes away). Needs Linux and python3, standard library only.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import resource
import socket
import sys
import time

from bench import machine
from bench.servers import Serving, clean_environment

#: The CPU time that a call of ordinary size may take, and the longest delay that any may cause to another connection.
CPU_BAR, HOLD_BAR = 1.0, 5.0


class Reply:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)


class Connection:
    """One kept connection."""

    def __init__(self, port):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=300)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = bytearray()

    def bytes(self, method, path, body=None, fields=()):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"] + [f"{name}: {value}" for name, value in fields]
        content = b""
        if body is not None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        elif method in ("POST", "PUT"):
            lines.append("Content-Length: 0")
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + content

    def _more(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise RuntimeError("the connection ended")
        self.data += piece

    def _line(self, start):
        while (end := self.data.find(b"\r\n", start)) < 0:
            self._more()
        return end

    def read(self):
        while (end := self.data.find(b"\r\n\r\n")) < 0:
            self._more()
        lines = bytes(self.data[:end]).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        start = end + 4
        status = int(lines[0].split()[1])
        if "chunked" in fields.get("transfer-encoding", ""):
            body = bytearray()
            while True:
                end = self._line(start)
                size = int(self.data[start:end], 16)
                while len(self.data) < end + 4 + size:
                    self._more()
                body += self.data[end + 2 : end + 2 + size]
                start = end + 4 + size
                if size == 0:
                    break
        else:
            length = int(fields.get("content-length", 0))
            while len(self.data) < start + length:
                self._more()
            body = self.data[start : start + length]
            start += length
        del self.data[:start]
        return Reply(status, fields, bytes(body))

    def ask(self, method, path, body=None, fields=(), expect=None):
        self.socket.sendall(self.bytes(method, path, body, fields))
        reply = self.read()
        if not (expect and reply.status in expect or not expect and 200 <= reply.status < 300):
            raise RuntimeError(f"{method} {path}: {reply.status} {reply.body[:400]!r}")
        return reply

    def many(self, requests, at_once=32, expect=None):
        """Pipelined, in order; only as many at once as the sockets hold."""
        replies = []
        requests = list(requests)
        for first in range(0, len(requests), at_once):
            part = requests[first : first + at_once]
            self.socket.sendall(b"".join(self.bytes(*one) for one in part))
            for one in part:
                reply = self.read()
                if not (expect and reply.status in expect or not expect and 200 <= reply.status < 300):
                    raise RuntimeError(f"{one[:2]}: {reply.status} {reply.body[:400]!r}")
                replies.append(reply)
        return replies


class Server(Serving):
    def __init__(self, program):
        words = ["serve", "--quiet", "--port", "0", "--clock", "frozen:2025-01-01T12:00:00Z"]
        self.launch(program, *words, env=clean_environment(), cwd="/")

    def cpu(self):
        """CPU milliseconds of all threads, and of the loop's alone."""
        with open(f"/proc/{self.pid}/task/{self.pid}/schedstat") as file:
            own = int(file.read().split()[0])
        return machine.cpu_seconds(self.pid) * 1e3, own / 1e6

    def resident(self):
        return machine.resident_bytes(self.pid) / 1048576


def watch(port, orders):
    """Requests the health repeatedly; returns the longest time of each period on demand."""
    connection = Connection(port)
    request = connection.bytes("GET", "/__admin/health")
    longest = 0.0
    while True:
        began = time.perf_counter()
        connection.socket.sendall(request)
        connection.read()
        longest = max(longest, time.perf_counter() - began)
        if orders.poll(0.0003):
            if orders.recv() == "end":
                return
            orders.send(longest * 1e3)
            longest = 0.0


class Watch:
    def __init__(self, port):
        self.ours, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=watch, args=(port, theirs), daemon=True)
        self.process.start()
        self.longest()

    def __enter__(self):
        return self

    def longest(self):
        self.ours.send("tell")
        return self.ours.recv()

    def __exit__(self, *_):
        self.ours.send("end")
        self.process.join(5)


def world(path, name):
    return f"/@{name}/__admin{path}"


def in_turn(count):
    """0, 1, 2 … for names that must differ."""
    number = 0
    while True:
        yield number
        number += 1


# MARK: Ordinary


def used_world(connection, name):
    """Prepares a typical test's world: signed in to three backends, some requests, a few faults, gates, mails."""
    connection.ask("POST", "/__admin/worlds", {"name": name})
    connection.ask("PUT", world("/settings", name), {"omnichat": {"rateLimits": "off"}, "sawaed": {"rateLimits": "off"}})
    token = connection.ask("POST", f"/@{name}/omnichat/api/v1/auth/apple", {"idToken": "mock_apple_token"}).json["accessToken"]
    for _ in range(20):
        connection.ask("GET", f"/@{name}/omnichat/api/v1/conversations", fields=[("Authorization", f"Bearer {token}")])
    for _ in range(3):
        connection.ask("GET", f"/@{name}/trendy/no/such/path", expect=[404])
        connection.ask("POST", f"/@{name}/sawaed/api/mobile/auth/request-otp", {"email": "layla@sawaed.test"}, expect=range(200, 500))
    for number in range(3):
        connection.ask("POST", world("/faults", name), fault(number))
        connection.ask("POST", world("/gates", name), {"name": f"g{number}", "match": {"path": f"/never/{number}"}})
    connection.ask("POST", world("/snapshots", name), {"name": "kept"})
    return token


def fault(number):
    return {"name": f"fault {number}", "match": {"api": "trendy", "path": f"/never/{number}"}, "effect": {"status": 503}}


def ordinary_calls(connection, name):
    """Returns every control call: its title, and a function that makes the request with that number."""
    entry = connection.ask("GET", world("/requests?limit=1", name)).json["items"][0]["id"]
    state = connection.ask("GET", world("/state", name)).body
    scenario = connection.ask("GET", "/__admin/scenarios?api=omnichat").json["items"][0]["name"]
    match = {"match": {"method": "GET", "path": "/api/v1/conversations"}}

    def same(method, path, body=None):
        text = connection.bytes(method, world(path, name), body)
        return f"{method} {path.split('?')[0]}", lambda _: [text]

    def pair(title, first, second):
        """Pairs a call with the one that undoes it, so that nothing accumulates; the figure is for both."""
        return title, lambda number: [connection.bytes(*first(number)), connection.bytes(*second(number))]

    at = lambda path: world(path, name)
    calls = [
        same("GET", "/health"), same("GET", "/apis"), same("GET", "/problems/unknown-world"), same("GET", "/openapi.json"),
        same("GET", "/openapi/trendy.json"), same("GET", "/docs"), same("GET", "/metrics"), same("GET", "/worlds"),
        pair("POST, DELETE /worlds/NAME", lambda n: ("POST", "/__admin/worlds", {"name": f"made-{n}"}), lambda n: ("DELETE", f"/__admin/worlds/made-{n}")),
        pair("POST, DELETE /worlds/NAME (a fork)", lambda n: ("POST", "/__admin/worlds", {"name": f"made-{n}", "from": name}), lambda n: ("DELETE", f"/__admin/worlds/made-{n}")),
        same("GET", "/snapshots"),
        pair("POST, DELETE /snapshots/NAME", lambda n: ("POST", at("/snapshots"), {"name": f"s-{n}"}), lambda n: ("DELETE", at(f"/snapshots/s-{n}"))),
        same("GET", "/clock"), same("PUT", "/clock", {"mode": "frozen", "now": "2025-01-01T12:00:00.000Z"}),
        same("POST", "/clock/advance", {"seconds": 1}),
        same("GET", "/scenarios"),
        pair("PUT, DELETE /scenarios/API/NAME", lambda n: ("PUT", at(f"/scenarios/{scenario}")), lambda n: ("DELETE", at(f"/scenarios/{scenario}"))),
        same("GET", "/settings"), same("PUT", "/settings", {"omnichat": {"rateLimits": "off"}}),
        same("GET", "/faults"), same("GET", "/faults/flt_1"),
        pair("POST /faults, DELETE /faults/ID", lambda n: ("POST", at("/faults"), fault(n)), lambda n: ("DELETE", at(f"/faults/flt_{n + 4}"))),
        same("GET", "/latency"), same("PUT", "/latency", {"profile": "none"}),
        same("GET", "/gates"), same("GET", "/gates/g0"), same("POST", "/gates/g0/release"),
        pair("POST, DELETE /gates/NAME", lambda n: ("POST", at("/gates"), {"name": f"n{n}", "match": {"path": "/never"}}), lambda n: ("DELETE", at(f"/gates/n{n}"))),
        same("GET", "/requests"), same("GET", "/requests?limit=1"), same("GET", f"/requests/{entry}"), same("GET", "/requests.har"),
        same("POST", "/requests/count", match), same("POST", "/verify", match), same("GET", "/unmatched"),
        same("GET", "/outbox"),
        same("POST", "/tokens", {"api": "omnichat", "user": "test@icloud.com", "kind": "access"}),
        same("POST", "/tokens", {"api": "sawaed", "user": "layla@sawaed.test", "kind": "refresh"}),
        same("POST", "/users/test@icloud.com/expire?api=omnichat", {"tokens": "access"}),
        same("POST", "/users/test@icloud.com/revoke?api=omnichat", {"tokens": "all"}),
        same("GET", "/apple/keys"), same("GET", "/mode"), same("PUT", "/mode", {"api": "trendy", "mode": "emulate"}),
        same("GET", "/qr.json?api=trafikskola"), same("GET", "/qr.png?api=trafikskola"),
        same("GET", "/journal"), same("GET", "/requests?view=line"), same("GET", "/requests?q=never"), same("GET", "/clock/upcoming"),
        same("POST", "/clock/advance?dryRun=true", {"seconds": 60}), same("GET", "/state/omnichat"), same("GET", "/state/omnichat/users"),
        same("GET", "/state/omnichat/users/user_test_icloud_0001"), same("GET", "/users"), same("GET", "/coverage"), same("GET", "/notes"),
        same("POST", "/notes", {"text": "here"}), same("POST", "/compare", {"a": {"request": entry}, "b": {"request": entry}}),
        same("POST", "/faults/check", match), same("PATCH", "/faults/flt_1", {"enabled": False}), same("PUT", "/faults", {"enabled": True}),
        same("PATCH", "/gates/g0", {"enabled": False}),
        same("GET", "/conduct"), same("GET", "/conduct/rules"), same("GET", "/conduct?api=trafikskola"),
        same("GET", "/state"), same("PUT", "/state", state), same("POST", "/snapshots/kept/restore"),
        same("DELETE", "/requests"), same("DELETE", "/faults"), same("POST", "/reset"),
    ]
    # `GET /events` is left out, because its response stays open.
    return calls


def ordinary(options, rows):
    with Server(options.program) as server:
        connection = Connection(server.port)
        for number in range(5):
            used_world(connection, f"test-{number}")
        for title, make in ordinary_calls(connection, "test-2"):
            if options.grep and options.grep not in title:
                continue
            count = 200 if options.quick else 2_000
            statuses = set()
            for number in range(20):
                for request in make(number):
                    connection.socket.sendall(request)
                    statuses.add(connection.read().status)
            before = server.cpu()[0]
            calls = 0
            for number in range(20, 20 + count):
                for request in make(number):
                    connection.socket.sendall(request)
                    statuses.add(connection.read().status)
                    calls += 1
            used = (server.cpu()[0] - before) / calls
            rows.append((title, used, statuses))
            print(f"{title:45} {used * 1000:9.1f} µs  {sorted(statuses)}", flush=True)


# MARK: Marks


def mark(name):
    """The sixteen digits that stand for a world's name in a token of digits: FNV-1a in 64 bits."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{value:016x}"


def marks(options, rows):
    """Measures requests that name their world only by a mark: with one other world, and with the largest number."""
    with Server(options.program) as server:
        connection = Connection(server.port)
        connection.ask("POST", "/__admin/worlds", {"name": "first"})
        token = connection.ask(
            "POST", "/@first/__admin/tokens", {"api": "sawaed", "user": "layla@sawaed.test", "kind": "access"}
        ).json["token"]
        begun = connection.ask(
            "POST", "/@first/sawaed/api/mobile/chat", {"message": "Hi", "skillId": "data-literacy"}, [("Authorization", f"Bearer {token}")], range(200, 500)
        )
        session = begun.json.get("sessionId", "sess_aaaaaaaaaaa_1")
        quick = {"token": "sqr_" + "0" * 48 + mark("last")}
        requests = [
            ("a chat handle", connection.bytes("GET", f"/sawaed/api/mobile/chat/status?sessionId={session}")),
            ("a token of digits", connection.bytes("POST", "/trafikskola/api/mobile/auth/quick-login", quick)),
        ]
        for count in (1, 9_990 // (10 if options.quick else 1)):
            connection.many(("POST", "/__admin/worlds", {"name": f"m-{count}-{n}"}) for n in range(count))
            for title, request in requests:
                count_of_calls = 500 if options.quick else 2_000
                for _ in range(100):
                    connection.socket.sendall(request)
                    status = connection.read().status
                before = server.cpu()[0]
                for _ in range(count_of_calls):
                    connection.socket.sendall(request)
                    connection.read()
                used = (server.cpu()[0] - before) / count_of_calls
                rows.append((title, count, used))
                print(f"{title}, {count + 2:,} worlds: {used * 1000:.1f} µs ({status})", flush=True)


# MARK: Many


def many(options, rows):
    """Measures calls that act on thousands of exchanges at once: a release, an advance, a reset."""
    count = 400 if options.quick else 3_000
    for title, prepare, act in (
        (
            "POST /gates/NAME/release",
            ("POST", "/__admin/gates", {"name": "all", "match": {"path": "/api/v1/models"}}),
            ("POST", "/__admin/gates/all/release"),
        ),
        (
            "POST /clock/advance",
            ("POST", "/__admin/faults", {"match": {"path": "/api/v1/models"}, "effect": {"delay": {"ms": 600_000}}}),
            ("POST", "/__admin/clock/advance", {"seconds": 600}),
        ),
        (
            "POST /reset",
            ("POST", "/__admin/faults", {"match": {"path": "/api/v1/models"}, "effect": {"delay": {"ms": 600_000}}}),
            ("POST", "/__admin/reset"),
        ),
    ):
        with Server(options.program) as server:
            connection = Connection(server.port)
            connection.ask("PUT", "/__admin/settings", {"omnichat": {"rateLimits": "off"}})
            connection.ask(*prepare)
            held = [Connection(server.port) for _ in range(count)]
            for one in held:
                one.socket.sendall(one.bytes("GET", "/omnichat/api/v1/models"))
            while int(connection.ask("GET", "/__admin/requests?limit=0").fields["x-total-count"]) < count:
                time.sleep(0.05)
            with Watch(server.port) as watcher:
                time.sleep(0.1)
                watcher.longest()
                start = time.perf_counter()
                connection.ask(*act)
                took = (time.perf_counter() - start) * 1e3
                time.sleep(0.5)
                longest = watcher.longest()
            rows.append((title, count, took, longest))
            print(f"{title} with {count:,} exchanges under way: took {took:.1f} ms, held up {longest:.1f} ms", flush=True)
            for one in held:
                one.socket.close()


# MARK: Full


def fill(connection, options):
    scale = 10 if options.quick else 1
    count = 9_990 // scale
    connection.many(("POST", "/__admin/worlds", {"name": f"w-{n}"}) for n in range(count))
    connection.many(
        ("POST", f"/@w-{n}/omnichat/api/v1/auth/apple", {"idToken": "mock_apple_token"}) for n in range(count)
    )
    for name in ("journal", "books", "state", "mails"):
        connection.ask("POST", "/__admin/worlds", {"name": name})
        connection.ask("PUT", world("/settings", name), {"omnichat": {"rateLimits": "off"}, "sawaed": {"rateLimits": "off"}})
    token = connection.ask("POST", "/@journal/omnichat/api/v1/auth/apple", {"idToken": "mock_apple_token"}).json["accessToken"]
    bearer = [("Authorization", f"Bearer {token}")]
    connection.many(
        [
            ("GET", "/@journal/omnichat/api/v1/conversations", None, bearer) if n % 10 else ("GET", f"/@journal/trendy/none/{n}")
            for n in range(32_000 // scale)
        ],
        expect=[200, 404],
    )
    connection.many((("POST", world("/faults", "books"), fault(n)) for n in range(1_000 // scale)), expect=[201, 409])
    connection.many(("POST", world("/gates", "books"), {"name": f"g{n}", "match": {"path": f"/never/{n}"}}) for n in range(1_000 // scale))
    connection.many(("POST", world("/snapshots", "books"), {"name": f"s{n}"}) for n in range(1_000 // scale))
    connection.many(
        (
            ("POST", "/@mails/sawaed/api/mobile/auth/request-otp", {"email": f"user{n}@sawaed.test"})
            for n in range(10_000 // scale)
        ),
        expect=range(200, 500),
    )
    token = connection.ask("POST", "/@state/omnichat/api/v1/auth/apple", {"idToken": "mock_apple_token"}).json["accessToken"]
    bearer = [("Authorization", f"Bearer {token}")]
    connection.many(
        (
            ("POST", "/@state/omnichat/api/v1/conversations", {"title": f"Conversation {n}"}, bearer)
            for n in range(20_000 // scale)
        ),
        expect=range(200, 500),
    )


def full_calls(connection):
    match = {"match": {"path": "/api/v1/conversations"}}
    calls = [
        ("GET", "/__admin/worlds"), ("GET", "/__admin/worlds?limit=1&offset=9000"), ("GET", "/__admin/metrics"),
        ("GET", "/__admin/scenarios"), ("GET", "/__admin/openapi.json"), ("GET", "/__admin/openapi/trendy.json"),
        ("GET", "/__admin/docs"), ("GET", "/"), ("GET", "/docs"), ("GET", "/docs/trendy"),
    ]
    for path in (
        "/requests", "/requests?limit=20", "/requests?path=/never", "/requests?user=test@icloud.com&limit=1", "/requests?limit=10&offset=15000",
        "/requests?since=1000000", "/requests/none", "/requests/req_12000", "/requests.har", "/requests.har?limit=10", "/unmatched",
        "/requests?view=line&limit=500", "/requests?view=line&limit=5000", "/requests?view=line&before=12000", "/requests?q=never-there&limit=1",
        "/requests?view=line&q=conversations", "/journal", "/notes", "/coverage", "/clock/upcoming", "/unmatched?limit=5",
        "/conduct", "/conduct?api=omnichat", "/state",
    ):
        calls.append(("GET", world(path, "journal")))
    calls += [
        ("POST", world("/requests/count", "journal"), match),
        ("POST", world("/requests/count", "journal"), {"match": {"body": {"a": 1}}}),
        ("POST", world("/requests/count", "journal"), {"match": {"headers": {"x-none": "1"}}}),
        ("POST", world("/verify", "journal"), {"match": {"path": "/never/**"}}),
        ("POST", world("/verify", "journal"), {"match": {"headers": {"x-none": "1"}}}),
        ("POST", world("/verify", "journal"), {**match, "order": [match["match"], {"path": "/never"}]}),
        ("POST", world("/snapshots", "journal"), {"name": "one"}),
        ("POST", world("/snapshots/one/restore", "journal")),
        ("DELETE", world("/snapshots/one", "journal")),
        ("GET", world("/faults", "books")), ("GET", world("/gates", "books")), ("GET", world("/snapshots", "books")),
        ("POST", world("/gates/g999/release", "books")), ("GET", world("/gates/g999", "books")),
        ("GET", world("/faults/flt_1000", "books")),
        ("GET", world("/outbox", "mails")), ("GET", world("/outbox?to=user1@sawaed.test", "mails")), ("GET", world("/outbox?limit=5", "mails")),
        ("GET", world("/state", "state")), ("GET", world("/requests", "state")),
        ("POST", world("/clock/advance", "state"), {"by": "P10Y"}),
        ("GET", world("/scenarios", "state")),
        ("PUT", world("/scenarios/omnichat/rate-limited", "state")),
        ("DELETE", world("/scenarios/omnichat/rate-limited", "state")),
        ("POST", "/__admin/worlds", {"name": "forked", "from": "state"}),
        ("DELETE", "/__admin/worlds/forked"),
        ("PUT", world("/state", "w-7"), "state"), ("PUT", world("/state", "w-8"), "journal"),
        ("DELETE", world("/requests?api=trendy", "journal")), ("DELETE", world("/requests", "journal")),
        ("POST", world("/reset?api=omnichat", "mails")), ("POST", world("/reset", "state")), ("POST", world("/reset", "w-8")),
        ("DELETE", world("/faults", "books")),
    ]
    return calls


#: Calls that can be made only once, because they remove the data that they act on.
ONCE = ("DELETE", "POST /@journal/__admin/snapshots ", "POST /__admin/worlds", "reset")


def full(options, rows):
    with Server(options.program) as server, contextlib.ExitStack() as stack:
        connection = Connection(server.port)
        began = time.perf_counter()
        fill(connection, options)
        journal = connection.ask("GET", world("/requests?limit=0", "journal")).fields["x-total-count"]
        print(f"filled in {time.perf_counter() - began:.0f} s: a journal of {journal}, resident {server.resident():.0f} MiB", flush=True)
        documents = {}
        watcher = stack.enter_context(Watch(server.port))
        for method, path, *rest in full_calls(connection):
            title = f"{method} {path.replace('/__admin', '')}"
            body = rest[0] if rest else None
            if rest and not isinstance(body, str):
                title += " " + json.dumps(body)
            if options.grep and options.grep not in title:
                continue
            if isinstance(body, str):
                if body not in documents:
                    documents[body] = connection.ask("GET", world("/state", body)).body
                body = documents[body]
            request = connection.bytes(method, path, body)
            figures = []
            once = any(f"{method} {path} ".startswith(one) or one in path for one in ONCE)
            for _ in range(1 if once else options.repeat):
                time.sleep(0.02)
                watcher.longest()
                # The watching connection costs CPU time too: the loop's is taken from an equal time without a call.
                idle = server.cpu()
                start = time.perf_counter()
                time.sleep(0.03)
                rate = (server.cpu()[0] - idle[0]) / (time.perf_counter() - start)
                watcher.longest()
                before = server.cpu()
                start = time.perf_counter()
                connection.socket.sendall(request)
                reply = connection.read()
                # The time in which a worker still frees memory counts as well.
                took = time.perf_counter() - start
                time.sleep(0.005)
                after = server.cpu()
                held = watcher.longest()
                watched = rate * (time.perf_counter() - start)
                figures.append((after[0] - before[0] - watched, after[1] - before[1] - watched, held, took * 1e3))
            best = [max(min(one[place] for one in figures), 0) for place in range(4)]
            rows.append((title, *best, reply.status, len(reply.body)))
            print(
                f"{title[:75]:75} cpu {best[0]:8.2f} loop {best[1]:8.2f} held up {best[2]:7.2f} took {best[3]:8.1f} ms"
                f"  {reply.status} {len(reply.body):,}",
                flush=True,
            )
        print(f"resident {server.resident():.0f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=["ordinary", "marks", "many", "full"])
    parser.add_argument("--grep", help="only calls with that text")
    parser.add_argument("--markdown", action="store_true", help="prints the tables of docs/performance.md")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    cheap, wide = [], []
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    parts = {"ordinary": (ordinary, cheap), "marks": (marks, []), "many": (many, []), "full": (full, wide)}
    for name, (measure, rows) in parts.items():
        if options.only in (None, name):
            measure(options, rows)
    if options.markdown:
        print("\n| call, ordinary size | CPU |\n|---|---|")
        for title, used, _ in cheap:
            print(f"| `{title}` | {used * 1000:.0f} µs |")
        print("\n| call, full size | CPU | of it on the loop | longest other call | answer |\n|---|---|---|---|---|")
        for title, cpu, loop, held, _, _, size in wide:
            print(f"| `{title}` | {cpu:.1f} ms | {loop:.1f} ms | {held:.1f} ms | {size:,} bytes |")
    dear = [row[0] for row in cheap if row[1] > CPU_BAR]
    holding = [row[0] for row in wide if min(row[2], row[3]) > HOLD_BAR]
    if dear:
        print(f"over {CPU_BAR} ms of CPU time: {', '.join(dear)}")
    if holding:
        print(f"held another connection up for more than {HOLD_BAR} ms: {', '.join(holding)}")
    return 1 if dear or holding else 0


if __name__ == "__main__":
    sys.exit(main())
