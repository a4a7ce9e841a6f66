"""Own credentials, hop-by-hop fields and leaving clients on the way to a real backend (control contract, section 13)."""

import base64
import gzip
import json
import os
import socket
import struct
import time
import urllib.parse
import zlib

from server import Server, Upstream
from session import require
from walk import USERS

ADMIN = "adm1n-t0ken-4711-secret"
MODES = ("spy", "diff", "record", "record-missing", "forward")


def percent(data):
    return "".join("%%%02X" % byte for byte in data).encode()


def escaped(data):
    return "".join("\\u%04x" % byte for byte in data).encode()


def html(data):
    return "".join("&#%d;" % byte for byte in data).encode()


def quoted(data):
    return "".join("=%02X" % byte for byte in data).encode()


# Encodings that keep to printable letters, and those that make bytes.
TEXTUAL = {
    "percent": percent,
    "json escapes": escaped,
    "html": html,
    "hex html": lambda data: "".join("&#x%x;" % byte for byte in data).encode(),
    "base64": base64.b64encode,
    "base64url": lambda data: base64.urlsafe_b64encode(data).rstrip(b"="),
    "quoted-printable": quoted,
}
BINARY = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "two gzip members": lambda data: gzip.compress(data[:7], mtime=0) + gzip.compress(data[7:], mtime=0),
    "zlib": zlib.compress,
    "utf-16le": lambda data: data.decode("latin-1").encode("utf-16-le"),
    "utf-16be with mark": lambda data: b"\xfe\xff" + data.decode("latin-1").encode("utf-16-be"),
    "base64 with line ends": base64.encodebytes,
}


class Carrier:
    def __init__(self, name, method="POST", target=b"/api/v1/x", fields=(), body=None):
        self.name = name
        self.method = method
        self.target = target
        self.fields = list(fields)
        self.body = body


def field(name, value):
    return (name if isinstance(name, bytes) else name.encode(), value)


def carriers(secret):
    """Places and forms of a secret in a request."""
    s = secret.encode()
    url = urllib.parse.quote(secret, safe="").encode()
    yield Carrier("Authorization quoted", fields=[field("Authorization", b'Token token="' + s + b'"')])
    yield Carrier("Authorization twice in one", fields=[field("Authorization", b"Bearer " + s + b", Bearer " + s)])
    yield Carrier("Authorization behind a colon", fields=[field("Authorization", b"Bearer:" + s)])
    yield Carrier("Authorization Digest", fields=[field("Authorization", b'Digest username="u", response="' + s + b'"')])
    yield Carrier("Authorization Basic user", fields=[field("Authorization", b"Basic " + base64.b64encode(b"u:" + s))])
    yield Carrier("Authorization Basic name", fields=[field("Authorization", b"Basic " + base64.b64encode(s + b":"))])
    yield Carrier("Authorization base64", fields=[field("Authorization", b"Bearer " + base64.b64encode(s))])
    yield Carrier("Authorization percent", fields=[field("Authorization", b"Bearer " + percent(s))])
    for around in (b"%s=", b"%s.", b"'%s'", b"<%s>", b"[%s]", b"(%s)", b"%s;x=1", b"Credential=x/%s, a=b", b"x%sx", b"\xc2\xa0%s"):
        yield Carrier("Authorization %r" % around, fields=[field("Authorization", b"Bearer " + around.replace(b"%s", s))])
    for name in ("X-Custom", "X-Session", "Session", "X-Client-Info", "X-Id", "X-Ticket", "X-Firebase-AppCheck", "Bearer",
                 "X-Request-Id", "X-Auth-Token", "apikey", "DPoP", "If-None-Match", "User-Agent", "From", "Origin"):
        if name == "Origin":
            yield Carrier("Origin", fields=[field(name, b"https://" + s.replace(b"|", b"") + b".example")]) if b"|" not in s else \
                Carrier("Origin plain", fields=[field("X-Origin", s)])
        else:
            yield Carrier("field " + name, fields=[field(name, s)])
    yield Carrier("Referer query", fields=[field("Referer", b"https://a.example/x?t=" + url)])
    yield Carrier("Referer path", fields=[field("Referer", b"https://a.example/" + url + b"/x")])
    yield Carrier("Link", fields=[field("Link", b"<https://a.example/" + url + b">; rel=next")])
    yield Carrier("Forwarded", fields=[field("Forwarded", b'for="' + s + b'"')])
    yield Carrier("Sec-WebSocket-Protocol", fields=[field("Sec-WebSocket-Protocol", b"bearer, " + s)])
    yield Carrier("prefix in Sec-WebSocket-Protocol", fields=[field("Sec-WebSocket-Protocol", b"base64url.bearer." + s)])
    yield Carrier("JSON field", fields=[field("X-Json", b'{"t":"' + s + b'"}')])
    yield Carrier("two fields of one name", fields=[field("X-Half", s[:len(s) // 2]), field("X-Half", s[len(s) // 2:])])
    if all(chr(byte).isalnum() or chr(byte) in "!#$%&'*+-.^_`|~" for byte in s):
        yield Carrier("a field's name", fields=[field(s, b"1")])
    yield Carrier("cookie without blank", fields=[field("Cookie", b"a=b;session=" + s)])
    yield Carrier("cookie quoted", fields=[field("Cookie", b'session="' + s + b'"')])
    yield Carrier("cookie percent", fields=[field("Cookie", b"s=Bearer%20" + url)])
    yield Carrier("cookie of Supabase", fields=[field("Cookie", b"sb=base64-" + base64.b64encode(b'{"access_token":"' + s + b'"}'))])
    half = len(s) // 2
    yield Carrier("numbered cookies", fields=[field("Cookie", b"sb.0=" + s[:half] + b"; sb.1=" + s[half:])])
    yield Carrier("path segment", target=b"/api/v1/x/" + url)
    yield Carrier("path parameter", target=b"/api/v1/x;token=" + url)
    yield Carrier("path with ending", target=b"/api/v1/" + url + b".json")
    yield Carrier("path twice escaped", target=b"/api/v1/" + urllib.parse.quote(percent(s)).encode())
    yield Carrier("query name", target=b"/api/v1/x?" + url)
    yield Carrier("query name with value", target=b"/api/v1/x?" + url + b"=1")
    yield Carrier("query behind semicolon", target=b"/api/v1/x?a=1;token=" + url)
    yield Carrier("query base64url", target=b"/api/v1/x?t=" + base64.urlsafe_b64encode(s).rstrip(b"="))
    yield Carrier("query address", target=b"/api/v1/x?next=" + urllib.parse.quote("https://a.example/?t=" + urllib.parse.quote(secret, safe=""), safe="").encode())
    yield Carrier("query list", target=b"/api/v1/x?ids=a," + url)
    yield Carrier("world prefix", target=b"/@main/api/v1/x/" + url)
    for kind, text in (("application/json", b'{"a":"Bearer ' + s + b'"}'), ("application/json", b'{"a":"see ' + s + b' there"}'),
                       ("application/json", b'{"' + s + b'":1}'), ("application/json", json.dumps({"a": json.dumps({"b": secret})}).encode()),
                       ("application/json", b'{"a":"' + escaped(s) + b'",}'), ("application/x-ndjson", b'{"a":1}\n{"t":"' + s + b'"}\n'),
                       ("application/json", b'{"pad":"' + b"x" * 100_000 + b'","a":"it is ' + s + b'"}'),
                       ("application/graphql", b'mutation { a(t: "' + s + b'") { b } }'),
                       ("application/x-www-form-urlencoded", url + b"=1"), ("application/x-www-form-urlencoded", b"auth=Bearer+" + url),
                       ("text/plain", s), ("text/plain", b"the token is " + s + b"."), ("text/plain", b"token=" + s),
                       ("application/xml", b"<t>" + s + b"</t>"), ("application/octet-stream", b"\0\1" + s + b"\xff"),
                       ("text/csv", b"name,token\nann," + s + b"\n")):
        yield Carrier("body %s %s" % (kind, text[:24]), fields=[field("Content-Type", kind.encode())], body=text)
    boundary = b"b0undary"
    for name, part in (("field", b'Content-Disposition: form-data; name="token"\r\n\r\n' + s),
                       ("file", b'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n' + s),
                       ("file name", b'Content-Disposition: form-data; name="f"; filename="' + s + b'"\r\n\r\nx'),
                       ("base64 part", b'Content-Disposition: form-data; name="f"\r\nContent-Transfer-Encoding: base64\r\n\r\n' + base64.b64encode(s))):
        yield Carrier("multipart " + name, fields=[field("Content-Type", b"multipart/form-data; boundary=" + boundary)],
                      body=b"--" + boundary + b"\r\n" + part + b"\r\n--" + boundary + b"--\r\n")
    yield Carrier("gzip coding", fields=[field("Content-Type", b"application/json"), field("Content-Encoding", b"gzip")],
                  body=gzip.compress(b'{"t":"' + s + b'"}'))
    yield Carrier("deflate coding", fields=[field("Content-Type", b"application/json"), field("Content-Encoding", b"deflate")],
                  body=zlib.compress(b'{"t":"' + s + b'"}'))
    yield Carrier("an unknown coding", fields=[field("Content-Type", b"application/json"), field("Content-Encoding", b"br")], body=b"\x0b\x02\x80" + b"x" * 9 + b"\x03")
    for name, encode in {**TEXTUAL, **BINARY}.items():
        yield Carrier("content as " + name, fields=[field("Content-Type", b"application/octet-stream")], body=encode(s))


def nested(random, secret):
    """A secret in up to three encodings, one in the other, somewhere in a request."""
    data = secret.encode()
    names = []
    binary = False
    for _ in range(random.randrange(1, 4)):
        choice = dict(TEXTUAL) if not binary else {name: TEXTUAL[name] for name in ("percent", "base64", "base64url")}
        if random.random() < 0.25:
            # Only text can be encoded in UTF-16.
            is_text = all(0 < byte < 128 for byte in data)
            choice = {name: BINARY[name] for name in BINARY if is_text or not name.startswith("utf-16")}
        name = random.choice(sorted(choice))
        data = choice[name](data)
        binary = name in BINARY and name != "base64 with line ends"
        names.append(name)
    around = random.choice([(b"", b""), (b'{"t":"', b'"}'), (b"a=", b"&b=1"), (b"<a>", b"</a>"), (b"x: ", b"\n")])
    is_text = all(32 <= byte < 127 for byte in data)
    place = random.choice(["body", "body", "field", "query"] if is_text and len(data) < 6000 else ["body"])
    label = "%s in %s" % (" of ".join(reversed(names)), place)
    if place == "field":
        return Carrier(label, fields=[field("X-Any", data)])
    if place == "query":
        return Carrier(label, target=b"/api/v1/x?q=" + urllib.parse.quote(data, safe="").encode())
    if names and not binary:
        data = around[0] + data + around[1]
    return Carrier(label, fields=[field("Content-Type", b"application/octet-stream")], body=data)


def send(base, carrier, timeout=20, origin=""):
    """Sends a request; `origin` is what its target has before the path, for a forward proxy."""
    address = urllib.parse.urlsplit(base)
    body = carrier.body if carrier.body is not None else b'{"a":1}'
    lines = [carrier.method.encode() + b" " + origin.encode() + carrier.target + b" HTTP/1.1", b"Host: " + address.netloc.encode()]
    names = {name.lower() for name, _ in carrier.fields}
    lines += [name + b": " + value for name, value in carrier.fields]
    if b"content-type" not in names:
        lines.append(b"Content-Type: application/json")
    lines += [b"Content-Length: %d" % len(body), b"Connection: close"]
    with socket.create_connection((address.hostname, address.port), timeout=timeout) as connection:
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        answer = b""
        while True:
            piece = connection.recv(65536)
            if not piece:
                break
            answer += piece
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0, answer


def secrets(server):
    """One credential of each kind, of all APIs."""
    found = []
    for api, users in USERS.items():
        for kind in ("access", "refresh"):
            found.append((api + " " + kind, server.token(api, users[0], kind)))
    for api in ("carbscan", "omnichat", "trendy"):
        answer = server.call("POST", "/__admin/tokens", {"api": api, "user": USERS[api][0], "kind": "apple-identity"})
        if answer.status in (200, 201):
            found.append((api + " identity", answer.json()["token"]))
    for kind in ("session_login", "quick_login"):
        answer = server.call("GET", "/__admin/qr.json?type=%s&user=anna@example.com" % kind)
        if answer.status == 200:
            found += [("trafikskola %s" % kind, word) for word in words(answer.json()) if word.startswith(("qlt_", "sqr_"))]
    token = dict(found)["sawaed access"]
    sent = server.call("POST", "/api/mobile/v1/chat/send", {"message": "__start__", "skillId": "aiskill_creativity", "locale": "ar"},
                       {"Authorization": "Bearer " + token}, base=server.apis["sawaed"])
    if sent.status in (200, 201):
        found.append(("sawaed chat handle", sent.json()["sessionId"]))
    payload = dict(found)["trendy access"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    if "session_id" in claims:
        found.append(("trendy session id", claims["session_id"]))
    wrong = server.call("POST", "/__admin/tokens", {"api": "omnichat", "user": USERS["omnichat"][0], "kind": "access", "state": "wrong-issuer"})
    if wrong.status in (200, 201):
        found.append(("omnichat wrong issuer", wrong.json()["token"]))
    server.call("POST", "/__admin/worlds", {"name": "elsewhere"})
    there = server.call("POST", "/@elsewhere/__admin/tokens", {"api": "trendy", "user": USERS["trendy"][0], "kind": "refresh"})
    if there.status in (200, 201):
        found.append(("trendy refresh of another world", there.json()["token"]))
    found.append(("admin token", ADMIN))
    return found


def words(value):
    if isinstance(value, str):
        yield value
        yield from urllib.parse.unquote(value).replace("=", " ").replace("&", " ").replace("/", " ").replace("?", " ").split()
    elif isinstance(value, dict):
        for member in value.values():
            yield from words(member)
    elif isinstance(value, list):
        for member in value:
            yield from words(member)


def mode(server, api, name, upstream):
    order = {"api": api, "mode": name, "upstream": upstream}
    if name == "forward":
        order = {"api": api, "mode": "replay", "upstream": upstream, "miss": "forward", "recording": "empty"}
    if name in ("record", "record-missing"):
        order["recording"] = "hostile-" + name
    server.call("PUT", "/__admin/mode", order, expect=200)


def leaks(session, random, server, upstream, known, label, limit, base=None, origin=""):
    reached = []
    count = 0
    for name, secret in limit:
        chosen = list(carriers(secret)) + [nested(random, secret) for _ in range(40 if session.is_long else 8)]
        for carrier in chosen:
            if len(secret) < 10:
                continue
            upstream.take()
            status, answer = send(base or server.apis["trendy"], carrier, origin=origin)
            count += 1
            got = upstream.take()
            if status in (414, 431) and not got:
                # Encoded so often that it is longer than any request line or header section may be.
                continue
            if status != 409:
                sent = b"".join(head + body for head, body in got)
                traces = [secret.encode()] + [value for _, value in carrier.fields if len(value) > 12 and b"/" not in value[:16]]
                traces += [carrier.body] if carrier.body else []
                traces += [carrier.target] if carrier.target != b"/api/v1/x" else []
                # Only an Authorization field that is as a whole one of ours may be dropped instead of the request.
                if got and any(trace in sent for trace in traces):
                    reached.append("%s: %s (%d)" % (name, carrier.name, status))
                elif not carrier.name.startswith("Authorization"):
                    reached.append("%s: %s (%d, not refused)" % (name, carrier.name, status))
            elif got:
                reached.append("%s: %s (409, but sent)" % (name, carrier.name))
            elif secret.encode() in answer.split(b"\r\n\r\n", 1)[-1]:
                reached.append("%s: %s (the refusal shows it)" % (name, carrier.name))
    return count, reached


def credentials(session, random):
    with Upstream() as upstream, Server(session.binary, "--state", "state", admin_token=ADMIN) as server:
        os.makedirs(os.path.join(server.folder, "recordings"), exist_ok=True)
        with open(os.path.join(server.folder, "recordings", "empty.har"), "w") as file:
            json.dump({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": []}}, file)
        server.call("PUT", "/__admin/settings", {api: {"rateLimits": "off"} for api in USERS})
        known = secrets(server)
        for number, name in enumerate(MODES):
            with session.case("credentials: none reaches a backend in %s" % name) as row:
                mode(server, "trendy", name, upstream.url)
                chosen = known if session.is_long else random.sample(known, min(5, len(known)))
                count, reached = leaks(session, random, server, upstream, known, name, chosen)
                row["note"] = "%d carriers" % count
                require(not reached, "%d of %d reached it: %s" % (len(reached), count, "; ".join(reached[:8])))
        with session.case("credentials: what a backend says changes nothing"):
            mode(server, "trendy", "spy", upstream.url)
            forged = "eyJhbGciOiJub25lIn0." + base64.urlsafe_b64encode(
                json.dumps({"iss": "https://understudy.invalid/@x"}).encode()).decode().rstrip("=") + ".x"
            own = dict(known)["trendy access"]
            upstream.answers[b"/echo"] = (200, b"", json.dumps({"token": own, "other": forged}).encode())
            send(server.apis["trendy"], Carrier("echo", method="GET", target=b"/echo"))
            upstream.take()
            for carrier in (Carrier("JSON", body=json.dumps({"refresh": own}).encode()), Carrier("field", fields=[field("X-A", own.encode())])):
                status, _ = send(server.apis["trendy"], carrier)
                require(status == 409 and not upstream.take(), "%s: %d" % (carrier.name, status))
        server.kill()
        server.start()
        with session.case("credentials: none reaches a backend after a restart") as row:
            mode(server, "trendy", "spy", upstream.url)
            count, reached = leaks(session, random, server, upstream, known, "restart", known if session.is_long else known[:6])
            row["note"] = "%d carriers" % count
            require(not reached, "%d of %d reached it: %s" % (len(reached), count, "; ".join(reached[:8])))
        with session.case("credentials: innocent requests pass byte by byte") as row:
            count = 400 if session.is_long else 80
            for _ in range(count):
                body = innocent(random)
                upstream.take()
                status, answer = send(server.apis["trendy"], Carrier("innocent", target=b"/api/v1/products/jacket-w-ZW4", body=body))
                got = upstream.take()
                require(status == 200 and got and got[0][1] == body and b"/api/v1/products/jacket-w-ZW4" in got[0][0],
                        "%d for %r" % (status, body[:200]))
            row["note"] = "%d requests" % count


def innocent(random):
    kind = random.randrange(6)
    raw = bytes(random.randrange(256) for _ in range(random.randrange(400)))
    if kind == 0:
        return raw
    if kind == 1:
        return json.dumps({"slug": "sofa-cover-w-aGVsbG8", "id": "%032x" % random.getrandbits(128), "note": base64.b64encode(raw).decode()}).encode()
    if kind == 2:
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=")
        body = base64.urlsafe_b64encode(json.dumps({"iss": "https://real.example", "sub": str(random.getrandbits(64))}).encode()).rstrip(b"=")
        return json.dumps({"token": (head + b"." + body + b"." + base64.urlsafe_b64encode(raw[:32] or b"x").rstrip(b"=")).decode()}).encode()
    if kind == 3:
        return gzip.compress(raw, mtime=0)
    if kind == 4:
        return urllib.parse.urlencode({"a": "".join(random.choice("abcdefghijklmnopqrstuvwxyz0123456789_-") for _ in range(40))}).encode()
    return ("text " + raw.hex() + " sess_ qlt_ sqr_ 123456").encode()


def forwarding(session, random):
    with Upstream() as upstream, Server(session.binary) as server:
        mode(server, "trendy", "spy", upstream.url)
        mode(server, "omnichat", "spy", upstream.url)
        with session.case("forwarding: fields of one connection stay behind"):
            send(server.apis["trendy"], Carrier("hop", method="GET", target=b"/h", fields=[
                field("Connection", b"X-Hop, Cookie2"), field("X-Hop", b"1"), field("Cookie2", b"x"), field("X-Understudy-Foo", b"1"),
                field("Proxy-Authenticate", b"Basic"), field("HTTP2-Settings", b"AAMAAABkAAQAAP__")]))
            got = upstream.take()
            require(len(got) == 1, "%d requests came" % len(got))
            for name in (b"x-hop", b"cookie2", b"x-understudy", b"proxy-authenticate", b"http2-settings"):
                require(name not in got[0][0].lower(), "%s is forwarded" % name.decode())
            upstream.answers[b"/hop"] = (200, b"Connection: X-Hop, keep-alive\r\nX-Hop: 1\r\nX-Understudy-World: other\r\n", b"{}")
            _, answer = send(server.apis["trendy"], Carrier("hop", method="GET", target=b"/hop"))
            require(b"x-hop" not in answer.lower() and b"x-understudy-world" not in answer.lower(), "the answer's are passed on")
        with session.case("forwarding: clients that left give their places back"):
            address = urllib.parse.urlsplit(server.apis["trendy"])
            for number in range(400 if session.is_long else 200):
                connection = socket.create_connection((address.hostname, address.port))
                connection.sendall(b"GET /silent/%d HTTP/1.1\r\nHost: %s\r\n\r\n" % (number, address.netloc.encode()))
                if number % 2:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                if number % 20 == 0:
                    time.sleep(0.02)
            for api in ("omnichat", "trendy"):
                began = time.monotonic()
                while True:
                    status, _ = send(server.apis[api], Carrier("after", method="GET", target=b"/after"))
                    if status == 200 or time.monotonic() - began > 5:
                        break
                    time.sleep(0.1)
                require(status == 200, "%s answers %d afterwards" % (api, status))
                require(time.monotonic() - began < 2.5, "%s: %.1f s until a place was free" % (api, time.monotonic() - began))
            for _ in range(30):
                if upstream.open < 20:
                    break
                time.sleep(0.1)
            require(upstream.open < 20, "%d connections to the backend stay open" % upstream.open)
        with session.case("forwarding: one API's silent backend leaves the others theirs"):
            kept = []
            for number in range(140):
                connection = socket.create_connection((address.hostname, address.port))
                connection.sendall(b"GET /silent/%d HTTP/1.1\r\nHost: %s\r\n\r\n" % (number, address.netloc.encode()))
                kept.append(connection)
            status, _ = send(server.apis["omnichat"], Carrier("beside", method="GET", target=b"/beside"))
            for connection in kept:
                connection.close()
            require(status == 200, "omnichat answers %d" % status)
        with session.case("forwarding: a reset cuts what waits for a backend"):
            time.sleep(1.2)
            with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
                connection.sendall(b"GET /late HTTP/1.1\r\nHost: %s\r\n\r\n" % address.netloc.encode())
                for _ in range(50):
                    time.sleep(0.02)
                    if any(b"/late" in head for head, _ in upstream.take()):
                        break
                answer = server.call("POST", "/__admin/reset").json()
                require(answer["cancelled"] >= 1, "cancelled %d" % answer["cancelled"])
                time.sleep(1.8)
                items = server.call("GET", "/__admin/requests").json()["items"]
                require(not any(item["path"] == "/late" for item in items), "its answer is in the journal of the reset world")


def run(session, random, deadline, clock):
    credentials(session, random)
    forwarding(session, random)
