"""A random walk over control calls and raw bytes, concurrent with regular clients."""

import json
import socket
import urllib.parse

from server import Server
from session import require
from walk import Walk

ODD = [0, -1, 1, 2 ** 31, 2 ** 53, 2 ** 63 - 1, 1e300, "", "x", "\u0000", "é" * 200, "x" * 5000, None, True, [], {}, [[]], {"a": 1}, "P1D",
       "PT0S", "2025-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "/**", "*", "{a}", "$.a", "main", "..", "flt_1", "g1", ["x"] * 200]


def mutated(random, value, depth=0):
    """A body like the example, with something odd in it."""
    if random.random() < 0.15:
        return random.choice(ODD)
    if isinstance(value, dict):
        result = {}
        for name, member in value.items():
            if random.random() < 0.1:
                continue
            result[name] = mutated(random, member, depth + 1)
        if random.random() < 0.05:
            result[random.choice(["zz", "name", "match", "effect", ""])] = random.choice(ODD)
        return result
    if isinstance(value, list):
        return [mutated(random, member, depth + 1) for member in value]
    return value


def control(session, random, deadline, clock):
    with Server(session.binary) as server:
        document = server.call("GET", "/__admin/openapi.json").json()
        operations = []
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if not isinstance(operation, dict) or "responses" not in operation or path.endswith(("/events", "/stop", "/shutdown")):
                    continue
                examples = []
                for described in operation.get("requestBody", {}).get("content", {}).values():
                    if "example" in described:
                        examples.append(described["example"])
                    examples += [item["value"] for item in described.get("examples", {}).values()]
                operations.append((method.upper(), path, examples))
        effects = [{"match": {"api": "trendy", "path": "/**"}, "effect": {"status": 500}, "when": {"times": 3}},
                   {"effect": {"delay": {"ms": 5}}}, {"match": {"body": {"a": 1}}, "effect": {"connection": "reset"}}]
        count = 0
        start = random.getstate()

        def begin():
            nonlocal count
            count = 0
            random.setstate(start)
            server.call("POST", "/__admin/reset")

        def walk():
            nonlocal count
            end = min(deadline, clock() + (60 if session.is_long else 8))
            while clock() < end:
                method, path, examples = random.choice(operations)
                target = path
                for part in ("{", ):
                    while part in target:
                        start = target.index("{")
                        target = target[:start] + urllib.parse.quote(str(random.choice(["main", "flt_1", "g1", "x", "trendy", "anna@example.com"]))) \
                            + target[target.index("}") + 1:]
                body = None
                if method in ("POST", "PUT"):
                    body = mutated(random, random.choice(examples or effects))
                    if path.endswith("/mode"):
                        continue
                try:
                    answer = server.call(method, target + random.choice(["", "", "?limit=-1", "?api=trendy", "?wait=0"]), 
                                         None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"}, timeout=20)
                    require(answer.status < 500, "%s %s answers %d: %s for %s" % (method, target, answer.status, answer.body[:200], json.dumps(body)[:300]))
                except (TimeoutError, ConnectionError, socket.timeout):
                    server.check()
                count += 1
                if count % 200 == 0:
                    server.call("POST", "/__admin/reset")
                    for number in range(3):
                        server.call("DELETE", "/__admin/worlds/world-%d" % number)

        # Where another connection waited too long, the same calls are made again: what one of them costs shows again.
        session.holds("walk: odd control calls", server, walk, before=begin, tries=3)
        server.call("POST", "/__admin/reset")

        def noise():
            for _ in range(400 if session.is_long else 100):
                base = random.choice([server.hub] + list(server.apis.values()))
                address = urllib.parse.urlsplit(base)
                try:
                    with socket.create_connection((address.hostname, address.port), timeout=0.05) as connection:
                        head = b"%s %s HTTP/1.1\r\nHost: %s\r\n" % (
                            random.choice([b"GET", b"POST", b"PUT", b"PATCH", b"X" * 40]),
                            random.choice([b"/", b"/__admin/health", b"/api/v1/events", b"/%zz", b"/" + b"a" * 9000, b"*"]),
                            address.netloc.encode())
                        tail = bytes(random.randrange(256) for _ in range(random.randrange(300)))
                        connection.sendall(random.choice([head + b"\r\n", head + tail, tail, head + b"Transfer-Encoding: chunked\r\n\r\n" + tail,
                                                          head + b"Content-Length: 10\r\n\r\n" + tail[:5]]))
                        connection.recv(4096)
                except OSError:
                    pass

        session.holds("walk: random bytes", server, noise)
        for api in server.apis:
            with session.case("walk: every endpoint of %s still answers" % api):
                problems = []
                Walk(server, api).run(problems=problems)
                require(not problems, "; ".join(problems[:3]))


# What the first of these calls and requests needs is read when it comes (docs/architecture.md).
FIRST = ["/__admin/" + path for path in ("apis", "apple/keys", "conduct", "coverage", "openapi.json", "qr.json", "scenarios", "settings", "users",
                                         "state/trendy/lessons")]
FIRST += ["/%s/api/x" % api for api in ("sawaed", "carbscan", "omnichat", "trafikskola", "trendy")]


def first(session):
    """What a fresh server reads for a first call keeps no other connection waiting."""
    with Server(session.binary) as server:
        for target in FIRST:
            def begin():
                server.stop()
                server.start()
            session.holds("first: GET " + target, server, lambda: server.call("GET", target), before=begin, tries=3)


def run(session, random, deadline, clock):
    first(session)
    control(session, random, deadline, clock)
