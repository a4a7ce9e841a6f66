"""Requests that try to delay all others or to exhaust memory (control contract, section 17)."""

import concurrent.futures
import contextlib
import json
import socket
import struct
import threading
import time
import urllib.parse

from server import Server
from session import MIB, require
from walk import png


def jpeg(width, height, scans, data):
    """A grey progressive picture: one DC scan without data, then AC scans of end-of-band runs."""

    def segment(marker, content):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content

    out = b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64)
    out += segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
    counts = b"\1" + b"\0" * 15
    out += segment(0xC4, b"\0" + counts + b"\0") + segment(0xC4, b"\x10" + counts + b"\xe0")
    out += segment(0xDA, b"\1\1\0\0\0\0")
    low = 13
    for number in range(scans):
        approximation = 13 if number == 0 else ((low + 1) << 4 | low)
        out += segment(0xDA, b"\1\1\0" + bytes([1, 63, approximation]))
        bits = ("0" + "1" * 14) * data
        bits += "1" * (-len(bits) % 8)
        out += bytes(int(bits[place:place + 8], 2) for place in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
        low = low - 1 if low > 0 else 0
    return out + b"\xff\xd9"


def multipart(name, file_name, media, content):
    boundary = "hostile-boundary"
    body = (
        '--%s\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\nContent-Type: %s\r\n\r\n'
        % (boundary, name, file_name, media)
    ).encode() + content + ("\r\n--%s--\r\n" % boundary).encode()
    return body, "multipart/form-data; boundary=" + boundary


def together(jobs):
    """Runs jobs side by side; returns what they returned, exceptions included."""
    with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
        running = [pool.submit(job) for job in jobs]
    return [one.exception() or one.result() for one in running]


def pictures(session, random):
    with Server(session.binary) as server:
        token = server.token("trafikskola", "anna@example.com")
        target = "/api/mobile/student/avatar"

        def upload(content, media="image/jpeg"):
            body, kind = multipart("avatar", "x", media, content)
            headers = {"Authorization": "Bearer " + token, "Content-Type": kind}
            return server.call("POST", target, body, headers, base=server.apis["trafikskola"], timeout=120)

        side = random.choice([7000, 8000])
        for name, content, media in (
            ("a small file of many scans", jpeg(side, side, 38, 31), "image/jpeg"),
            ("97 scans", jpeg(side, side, 96, 31), "image/jpeg"),
            ("no data at all", jpeg(side, side, 0, 0), "image/jpeg"),
            ("a PNG of %d x 5600" % (side - 2400), png(side - 2400, 5600), "image/png"),
        ):
            statuses = []
            session.holds("pictures: " + name, server, lambda: statuses.append(upload(content, media).status), peak=400 * MIB)
            with session.case("pictures: %s is answered" % name):
                require(all(status in (200, 400, 413, 422) for status in statuses), "answered %s" % statuses)
        many = 264 if session.is_long else 60
        content = jpeg(side, side, 97, 31)
        answers = []

        def flood():
            started = time.monotonic()
            jobs = [lambda: upload(content).status for _ in range(many)]
            thread = threading.Thread(target=lambda: answers.append(together(jobs)))
            thread.start()
            time.sleep(0.3)
            state = server.call("GET", "/__admin/state", timeout=60)
            took = time.monotonic() - started
            thread.join()
            require(state.status == 200 and took < 30, "GET state took %.1f s beside uploads" % took)

        session.holds("pictures: %d at once beside a control call" % many, server, flood, peak=700 * MIB, tries=2)
        with session.case("pictures: each of them has an answer"):
            for statuses in answers:
                require(all(status in (200, 400, 503) for status in statuses), "answered %s" % sorted(set(map(str, statuses))))


def matching(session, random):
    with Server(session.binary) as server:
        prefix = "".join(random.choice("abcdefgh") for _ in range(3))

        def clear():
            server.call("DELETE", "/__admin/faults")
            server.call("DELETE", "/__admin/gates/g1")
            server.call("PUT", "/__admin/latency", {"profile": "none"})

        big = {"%s%d" % (prefix, n): 1 for n in range(90000)}
        with session.case("matching: a pattern of 1,001 values is refused"):
            for path, body in (("faults", {"match": {"body": {"%d" % n: 1 for n in range(1001)}}, "effect": {"status": 500}}),
                               ("gates", {"name": "g1", "match": {"body": {"%d" % n: 1 for n in range(1001)}}}),):
                server.call("POST", "/__admin/" + path, body, expect=422)
                body["match"]["body"].popitem()
                server.call("POST", "/__admin/" + path, body, expect=201)
            clear()
        body = json.dumps(dict(big, zz=2), separators=(",", ":")).encode()

        def post():
            server.call("POST", "/api/v1/events", body, {"Content-Type": "application/json"},
                        base=server.apis["trendy"], timeout=120, expect=range(500))

        pattern = {"%s%d" % (prefix, n): 1 for n in range(990)}
        count = 200 if session.is_long else 60
        for name, place, value in (
            ("faults", "faults", {"match": {"body": dict(pattern, zz=1)}, "effect": {"status": 500}}),
            ("latency", "latency", {"match": {"body": dict(pattern, zz=1)}, "delay": {"ms": 1}}),
            ("gates", "gates", {"match": {"body": dict(pattern, zz=1)}}),
        ):
            def before(place=place, value=value):
                clear()
                for number in range(count if place == "faults" else 1):
                    if place == "latency":
                        server.call("PUT", "/__admin/latency", value)
                    else:
                        server.call("POST", "/__admin/" + place, dict(value, name="g1") if place == "gates" else value)
            session.holds("matching: bodies of 90,000 members against %s" % name, server, post, before=before)
        clear()
        stars = random.choice([1, 30])

        def globs():
            clear()
            for _ in range(300):
                pattern = "/*" + "a" * 3500 + "b*" if stars == 1 else "/" + "*a" * 30 + "b"
                server.call("POST", "/__admin/faults", {"match": {"path": pattern}, "effect": {"status": 500}})

        session.holds("matching: 300 globs against a long path", server,
                      lambda: server.call("GET", "/" + "a" * 7900, base=server.apis["trendy"]), before=globs)
        clear()
        with session.case("matching: long patterns are refused"):
            for pattern in ("/" + "a" * 9000, "/" + "/a" * 5000, "/" + "*a" * 33, "/{a}" * 3000, "/%61" * 3000):
                server.call("POST", "/__admin/faults", {"match": {"path": pattern}, "effect": {"status": 500}}, expect=(413, 422))
        for name, target, value in control_calls(random):
            def attack(target=target, value=value):
                answer = server.call(target[0], target[1], value, timeout=120, expect=range(500))
                require(len(answer.body) < 64 * 1024, "a refusal of %d bytes" % len(answer.body))
            session.holds("control: " + name, server, attack, after=clear, peak=200 * MIB)
        memory(session, server, clear)


def control_calls(random):
    """Bodies just under the limit of 2 MiB, and far over it."""
    for size in (1_900_000, 20_000_000):
        label = "%.1f MB" % (size / 1e6)
        text = "x" * size
        yield "mode, %s" % label, ("PUT", "/__admin/clock"), {"mode": text}
        yield "upstream, %s" % label, ("PUT", "/__admin/mode"), {"api": "trendy", "mode": "spy", "upstream": "http://" + text}
        yield "unknown setting, %s" % label, ("PUT", "/__admin/settings"), {text: 1}
        yield "unknown member, %s" % label, ("POST", "/__admin/faults"), {text: 1, "effect": {"status": 500}}
        yield "claims, %s" % label, ("POST", "/__admin/tokens"), {"api": "carbscan", "user": "pro@carbscan.test", "kind": "access", "claims": {"x": text}}
        yield "unknown user, %s" % label, ("POST", "/__admin/tokens"), {"api": "carbscan", "user": text, "kind": "access"}
        yield "a path of /a, %s" % label, ("POST", "/__admin/faults"), {"match": {"path": "/a" * (size // 2)}, "effect": {"status": 500}}
        yield "a path of *a, %s" % label, ("POST", "/__admin/faults"), {"match": {"path": "/" + "*a" * (size // 2)}, "effect": {"status": 500}}
        yield "a drift path, %s" % label, ("POST", "/__admin/faults"), {"effect": {"drift": {"remove": "a." * (size // 2) + "a"}}}
        yield "verify's path, %s" % label, ("POST", "/__admin/verify"), {"match": {"path": "/a" * (size // 2)}}
        yield "digits, %s" % label, ("POST", "/__admin/clock/advance"), {"by": "P" + "9" * size + "D"}
        yield "seconds, %s" % label, ("POST", "/__admin/clock/advance"), b'{"seconds":' + b"9" * size + b"}"
        yield "scenario names, %s" % label, ("POST", "/__admin/worlds"), {"scenarios": ["omnichat/rate-limitedxx"] * (size // 26)}
        yield "origins, %s" % label, ("PUT", "/__admin/settings"), {"cors": {"origins": ["http://a.example:%d" % (n % 60000) for n in range(size // 30)]}}
        yield "wrong order, %s" % label, ("POST", "/__admin/verify"), {"order": [{"pathh": 1}] * (size // 12)}
        yield "nesting, %s" % label, ("POST", "/__admin/faults"), b"[" * size
        yield "members, %s" % label, ("POST", "/__admin/faults"), {"k%d" % n: n for n in range(size // 14)}
        yield "a world's ttl, %s" % label, ("POST", "/__admin/worlds"), {"name": text, "ttlSeconds": 1}


def memory(session, server, clear):
    with session.case("control: a fault is at most 64 KiB"):
        clear()
        server.call("POST", "/__admin/faults", {"name": "n" * 70_000, "effect": {"status": 500}}, expect=(413, 422))
        server.call("POST", "/__admin/gates", {"name": "g1", "match": {"headers": {"X-A": "n" * 70_000}}}, expect=(413, 422))


def verifying(session, random):
    with Server(session.binary) as server, contextlib.ExitStack() as waiting:
        base = server.apis["trendy"]
        with session.case("verify: order has at most 1,000 items"):
            server.call("POST", "/__admin/verify", {"order": [{"path": "/health"}] * 1001}, expect=422)
            server.call("POST", "/__admin/verify", {"order": [{"path": "/health"}] * 1000}, expect=200)
            server.call("POST", "/__admin/verify", {"order": []}, expect=422)

        def wait_for(body):
            address = urllib.parse.urlsplit(server.hub)
            connection = waiting.enter_context(socket.create_connection((address.hostname, address.port)))
            text = json.dumps(body, separators=(",", ":")).encode()
            connection.sendall(b"POST /__admin/verify HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                               b"Content-Length: %d\r\n\r\n%s" % (address.netloc.encode(), len(text), text))

        def orders():
            order = {"order": [{"path": "/health"}] * 999 + [{"path": "/never"}], "within": "PT10M"}
            for _ in range(100):
                wait_for(order)
            for _ in range(100):
                server.call("GET", "/health", base=base)

        session.holds("verify: 100 orders of 1,000 wait while requests come", server, orders, after=waiting.close, tries=2)
        payload = json.dumps({"k%d" % n: n for n in range(5000)}).encode()
        for _ in range(300):
            server.call("POST", "/api/v1/events", payload, {"Content-Type": "application/json"}, base=base)

        def abandoned():
            address = urllib.parse.urlsplit(server.hub)
            text = json.dumps({"match": {"body": {"k%d" % n: 0 if n == 989 else n for n in range(990)}}}).encode()
            for _ in range(5):
                connection = socket.create_connection((address.hostname, address.port))
                connection.sendall(b"POST /__admin/requests/count HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                                   b"Content-Length: %d\r\n\r\n%s" % (address.netloc.encode(), len(text), text))
                connection.close()
            began = time.monotonic()
            require(server.call("GET", "/__admin/state", timeout=60).status == 200, "no state")
            took = time.monotonic() - began
            require(took < 5, "GET state took %.1f s behind searches that nobody waits for" % took)

        session.holds("verify: searches whose client is gone", server, abandoned)
        count = 100

        def watched():
            for _ in range(count):
                wait_for({"match": {"headers": {"X-Pad": "y"}}, "within": "PT10M"})
            for _ in range(200):
                server.call("GET", "/health", base=base)
            began = time.monotonic()
            server.call("POST", "/__admin/requests/count", {"match": {"path": "/health"}})
            took = time.monotonic() - began
            require(took < 2, "a count took %.1f s beside %d calls that wait" % (took, count))

        session.holds("verify: %d wait over a long journal" % count, server, watched, after=waiting.close, peak=300 * MIB, tries=2)
        with session.case("verify: 1,000 may wait, the next is 409"):
            for _ in range(1000):
                wait_for({"match": {"path": "/never"}, "within": "PT10M"})
            server.call("POST", "/__admin/verify", {"match": {"path": "/never"}, "within": "PT10M"}, expect=409)
            waiting.close()
            for attempt in range(100):
                answer = server.call("POST", "/__admin/verify", {"match": {"path": "/never"}, "within": "PT0.01S"})
                if answer.status == 200:
                    break
                time.sleep(0.05)
            require(answer.status == 200, "after they left it answers %d" % answer.status)


def bodies(session, random):
    """Half-sent bodies on as many connections as there may be."""
    with Server(session.binary) as server:
        cases = [
            ("analyze", "carbscan", "POST", "/api/mobile/v1/analyze", 20 * MIB, "application/json", 100),
            ("faults", None, "POST", "/__admin/faults", 20 * MIB, "application/json", 100),
            ("a world", None, "PUT", "/__admin/state", 250 * MIB, "application/json", 8),
            ("no such call", None, "GET", "/__admin/nope", 20 * MIB, "application/json", 30),
            ("another type", None, "POST", "/__admin/faults", 20 * MIB, "text/plain", 15),
            ("unrouted", "trendy", "POST", "/nowhere", 1 * MIB, "application/json", 100),
        ]
        if session.is_long:
            cases.append(("4,000 connections", "carbscan", "POST", "/api/mobile/v1/analyze", 20 * MIB, "application/json", 4000))
        sockets = []

        def close():
            for connection in sockets:
                connection.close()
            sockets.clear()

        for name, api, method, target, length, media, count in cases:
            address = urllib.parse.urlsplit(server.apis[api] if api else server.hub)

            def attack(address=address, method=method, target=target, length=length, media=media, count=count):
                head = ("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        % (method, target, address.netloc, media, length)).encode()
                piece = b"[" + b" " * (MIB // 4)
                rounds = max(length // 2 // len(piece), 1)
                for _ in range(count):
                    connection = socket.create_connection((address.hostname, address.port))
                    connection.settimeout(0.2)
                    sockets.append(connection)
                    try:
                        connection.sendall(head)
                    except OSError:
                        pass
                total = min(rounds * len(piece) * count, 3 * 1024 * MIB)
                sent = 0
                for connection in sockets:
                    try:
                        for _ in range(rounds):
                            if sent >= total:
                                break
                            connection.sendall(piece)
                            sent += len(piece)
                    except OSError:
                        continue
                server.call("GET", "/health", base=server.apis["trendy"], timeout=30, expect=200)

            budget = (256 + 100 + (256 if name == "a world" else 0)) * MIB
            session.holds("bodies: %d × %d MiB half sent, %s" % (count, length // MIB, name), server, attack, after=close,
                          peak=budget, tries=2)
        count = 1500 if session.is_long else 500
        length, piece = 300_000, b" " * 250_000
        address = urllib.parse.urlsplit(server.apis["trendy"])

        def connect():
            head = ("POST /nowhere HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % (address.netloc, length)).encode()
            for _ in range(count):
                connection = socket.create_connection((address.hostname, address.port))
                connection.sendall(head)
                connection.setblocking(False)
                sockets.append(connection)

        def burst():
            for connection in sockets:
                try:
                    connection.send(piece)
                except OSError:
                    continue
            server.call("GET", "/health", base=server.apis["trendy"], timeout=30, expect=200)
            time.sleep(0.5)

        session.holds("bodies: %d × 250 kB at once" % count, server, burst, before=connect, after=close,
                      peak=(256 + 100) * MIB)
        with session.case("bodies: all memory is given back"):
            for _ in range(100):
                if server.memory()[0] < 120 * MIB:
                    break
                time.sleep(0.1)
            require(server.memory()[0] < 120 * MIB, "%d MiB stay" % (server.memory()[0] // MIB))


def run(session, random, deadline, clock):
    for attack in (pictures, matching, verifying, bodies):
        attack(session, random)
