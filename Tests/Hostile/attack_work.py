"""Short requests whose work is long: coded content, products of rows and values, placeholders, expressions and the bodies
of built-in endpoints. None may hold another connection up (control contract, section 17)."""

import base64
import contextlib
import gzip
import json
import socket
import threading
import time
import urllib.parse
import zlib

from attack_load import together
from server import Server, Upstream, apis
from session import MIB, require

KINDS = ["red", "green", "blue", "black"]


def rows(count):
    return [{"id": number, "name": "n%06d" % number, "kind": KINDS[number % 4], "price": number % 1000,
             "note": "a note of number %d, which is somewhat longer" % number} for number in range(1, count + 1)]


@contextlib.contextmanager
def shop(session, files):
    """A server with a custom API, `shop`, of these files."""
    with apis({"shop/" + name: content for name, content in files.items()}) as folder, \
            Server(session.binary, "--apis", folder, "--api", "shop") as server:
        yield server


def quiet(session, name, server, attack, **more):
    session.holds("work: " + name, server, attack, tries=more.pop("tries", 3), **more)


# MARK: Coded content (section 13)

def texts(random, count):
    """Many small texts, which gzip to a fraction."""
    return json.dumps([{"id": n, "name": "user %d" % (n % 50), "mail": "user%d@example.com" % (n % 50), "on": True}
                       for n in range(count)]).encode()


def secrets(random, count):
    """Many values that are learnt as secrets."""
    return json.dumps([{"id": n, "accessToken": "%040x" % random.getrandbits(160)} for n in range(count)]).encode()


CODINGS = {
    "gzip": (b"gzip", lambda data: gzip.compress(data, 6, mtime=0)),
    "deflate": (b"deflate", zlib.compress),
    "gzip of gzip": (b"gzip, gzip", lambda data: gzip.compress(gzip.compress(data, 6, mtime=0), 6, mtime=0)),
    "identity": (b"identity", lambda data: data),
}


def coded(session, random):
    """Answers and requests that are short in their coding, in every mode."""
    large = json.dumps({"a": "x" * random.randrange(4_000_000, 9_000_000)}).encode()
    small = texts(random, random.randrange(8_000, 12_000))
    plain = texts(random, 700)
    with Upstream() as upstream:
        for number, (name, (coding, encode)) in enumerate(CODINGS.items()):
            field = b"Content-Encoding: %s\r\n" % coding
            for kind, content in (("one", plain),) if name == "identity" else (("large", large), ("many", small)):
                upstream.answers[b"/%s%d" % (kind.encode(), number)] = (200, field, encode(content))
            upstream.answers[b"/secrets%d" % number] = (200, field, encode(secrets(random, 4_000)))
        for mode in ("spy", "record", "diff"):
            with Server(session.binary) as server:
                order = {"mode": mode, "upstream": upstream.url}
                server.call("PUT", "/__admin/mode?api=omnichat", order, expect=200)
                base = server.apis["omnichat"]
                server.call("GET", "/first", base=base)
                for target in upstream.answers:
                    path = target.decode()
                    quiet(session, "%s, a coded answer %s" % (mode, path), server,
                          lambda: server.call("GET", path, base=base))
                for name, (coding, encode) in CODINGS.items():
                    if name == "identity":
                        continue
                    fields = {"Content-Type": "application/json", "Content-Encoding": coding.decode()}
                    body = encode(small)
                    quiet(session, "%s, a request in %s" % (mode, name), server,
                          lambda: server.call("POST", "/sent", body, fields, base=base))
                wrapped = base64.b64encode(gzip.compress(small, mtime=0))
                quiet(session, "%s, gzip in base64 without a coding" % mode, server,
                      lambda: server.call("POST", "/sent", wrapped, {"Content-Type": "text/plain"}, base=base))
                if mode != "diff":
                    fault = {"match": {"api": "omnichat", "path": "/many0"}, "phase": "after",
                             "effect": {"truncate": {"bytes": 100}}}
                    server.call("POST", "/__admin/faults", fault)

                    def broken():
                        try:
                            server.call("GET", "/many0", base=base)
                        except OSError:
                            pass
                        except Exception as error:
                            require("IncompleteRead" in type(error).__name__, "answers %r" % error)

                    quiet(session, "%s, a coded answer that a fault changes" % mode, server, broken)


def many_coded(session, random):
    """Many coded answers at once: what each finds out must not be looked for again and again on the loop."""
    field = b"Content-Encoding: gzip\r\n"
    api = {"tables": {"p": {"key": "id"}}, "resources": [{"path": "/p", "table": "p"}]}
    with Upstream() as upstream, shop(session, {"api.json": api, "tables/p.json": rows(9_000)}) as server:
        for number in range(20):
            upstream.answers[b"/secrets%d" % number] = (200, field, gzip.compress(secrets(random, 2_000)))
        ids = [dict(row, id=row["id"] + 100_000, name="m%06d" % row["id"]) for row in rows(9_000)]
        upstream.answers[b"/p"] = (200, field, gzip.compress(json.dumps(ids).encode()))
        upstream.answers[b"/p/1"] = (200, b"", json.dumps(ids[0]).encode())
        upstream.answers[b"/long"] = (200, field, gzip.compress(texts(random, 30_000)))
        base = server.apis["shop"]

        def get(path):
            server.call("GET", path, base=base, timeout=300)

        def short(count):
            for _ in range(count):
                get("/p/1")

        def mode(mode):
            order = {"mode": mode, "upstream": upstream.url} if mode != "emulate" else {"mode": mode}
            server.call("PUT", "/__admin/mode?api=shop", order, timeout=300, expect=200)

        def learn():
            # A mode that is set anew knows no secrets.
            mode("spy")
            together([lambda number=number: get("/secrets%d" % number) for number in range(20)])

        quiet(session, "spy, twenty coded answers with secrets at once", server, learn)
        quiet(session, "spy, long coded answers with short ones beside them", server,
              lambda: together([lambda: get("/p")] * 5 + [lambda: short(50)]))

        def end():
            mode("record")
            together([lambda: get("/long")] * 6)
            mode("emulate")

        quiet(session, "a mode that ends while answers are being recorded", server, end)
        lines = texts(random, 20_000)

        def post(path, content, coding=None):
            fields = {"Content-Type": "application/json"}
            if coding:
                fields["Content-Encoding"] = coding
            return server.call("POST", path, content, fields, base=base, timeout=300)

        mode("spy")
        with session.case("work: a short request to check beside eight long ones") as row:
            coded = gzip.compress(lines, mtime=0)
            threads = [threading.Thread(target=post, args=("/sent", coded, "gzip"), daemon=True) for _ in range(8)]
            for thread in threads:
                thread.start()
            longest = 0
            for _ in range(5):
                began = time.monotonic()
                post("/short", json.dumps({"a": "b" * 3_000}))
                longest = max(longest, time.monotonic() - began)
            for thread in threads:
                thread.join()
            row["note"] = "%.0f ms" % (longest * 1000)
            require(longest < 0.2, "a short request waits %.0f ms" % (longest * 1000))


# MARK: Lists (own-API contract, section 13)

def lists(session, random):
    """Queries whose cost is a product, from the first request on."""
    count = random.randrange(9_000, 9_999)
    many = ",".join("n%06d" % random.randrange(1, count) for _ in range(800))
    same = ",".join(["a"] * 3_500)
    queries = {
        "many values": "name_in=" + many,
        "one value many times": "name_in=" + same,
        "one filter many times": "&".join(["name=a"] * 1_100),
        "parts of texts": "&".join("note_like=x%d" % n for n in range(500)),
        "not many": "&".join("price_ne=%d" % n for n in range(600)),
        "many bounds": "&".join("name_gte=n%d" % n for n in range(500)),
        "a search": "q=number",
        "an order": "sort=-note,kind,price",
        "a filter and an order": "kind=red&sort=-price&limit=1",
        "all": "",
        "unknown names": "&".join("x%d=1" % n for n in range(1_000)),
    }
    api = {"tables": {"p": {"key": "id"}}, "resources": [
        {"path": "/p", "table": "p"},
        {"path": "/paged", "table": "p", "list": {"paging": {"style": "page", "limit": 20, "max": 100}}},
        {"path": "/of/{kind}", "table": "p"},
        {"path": "/told", "table": "p", "list": {"envelope": {"data": "{{items}}", "all": "{{total}}"}}},
    ]}
    with apis({"shop/api.json": api, "shop/tables/p.json": rows(count)}) as folder:
        for path in ("/p", "/paged", "/of/red", "/told"):
            for name, query in queries.items():
                # A fresh process: the first request counts as the later ones do.
                with Server(session.binary, "--apis", folder, "--api", "shop") as server:
                    def ask():
                        server.call("GET", path + "?" + query, base=server.apis["shop"], expect=200)

                    quiet(session, "a list %s, %s" % (path, name), server, ask, tries=2)
                if not session.is_long and path != "/p" and name == "an order":
                    break


# MARK: Placeholders (own-API contract, section 9)

def stub(path, **response):
    return {"match": {"path": path}, "response": response}


def placeholders(session, random):
    """Answers that are filled to millions of bytes, or of many parts."""
    length = random.randrange(5_000, 7_500)
    stubs = [
        stub("/text", text="{{query.q | base64}}" * 1000),
        stub("/json", body=["{{query.q | url}}"] * 1000),
        stub("/nested", body={"m%d" % n: {"v": "<{{query.q}}>"} for n in range(1000)}),
        stub("/head", text="x", headers={"X-%d" % n: "{{query.q | base64}}" for n in range(4)}),
        stub("/body", text="{{body | base64}}" * 200),
        stub("/events", events=[{"event": "e{{counter.e}}", "data": {"q": "{{query.q}}"}} for n in range(300)]),
        stub("/small-events", events=[{"data": {"n": "{{counter.n}}", "at": "{{now}}"}} for n in range(300)]),
        stub("/long", text="y" * 3_000_000 + "{{query.q}}"),
        stub("/settled", body=[{"n": n, "text": "settled"} for n in range(60_000)]),
        stub("/too-much", body=["{{body}}"] * 1000),
    ]
    api = {"tables": {"p": {"key": "id"}}, "resources": [{"path": "/rows", "table": "p", "item": ["{{query.q | base64}}"] * 900}],
           "errors": {"body": {"all": ["{{query.q | base64}}"] * 900}}}
    query = "?q=" + "z" * length
    with shop(session, {"api.json": api, "tables/p.json": rows(3), "stubs/a.json": stubs}) as server:
        base = server.apis["shop"]
        for path in ("/text", "/json", "/nested", "/head", "/events", "/small-events", "/long", "/settled", "/rows/1",
                     "/nothing"):
            def ask():
                answer = server.call("GET", path + query, base=base)
                expected = 404 if path == "/nothing" else 200
                require(answer.status == expected, "%s answers %d: %s" % (path, answer.status, answer.body[:200]))

            quiet(session, "placeholders " + path, server, ask)
        body = json.dumps({"text": "w" * 30_000})
        for path, status in (("/body", 200), ("/too-much", 500)):
            def post():
                server.call("POST", path, body, {"Content-Type": "application/json"}, base=base, expect=status)

            quiet(session, "placeholders " + path, server, post)


def kept(session, random):
    """Requests that wait, after a worker has made answers for them, keep no more than they need."""
    count = 40
    files = {"api.json": {}, "stubs/a.json": [stub("/g", text="{{query.q | base64}}" * 900)]}
    match = {"api": "shop", "path": "/g"}
    kinds = {
        "a gate holds": [("gates", {"name": "g", "match": match})],
        "a fault has answered late": [("faults", {"match": match, "effect": {"status": 503}}),
                                      ("faults", {"match": match, "effect": {"delay": {"ms": 60_000}}})],
    }
    request = b"GET /g?q=%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"z" * 6_000)
    for name, orders in kinds.items():
        with shop(session, files) as server, contextlib.ExitStack() as clients:
            address = urllib.parse.urlsplit(server.apis["shop"])
            for kind, order in orders:
                server.call("POST", "/__admin/" + kind, order, expect=201)

            def wait():
                for _ in range(count):
                    clients.enter_context(socket.create_connection((address.hostname, address.port))).sendall(request)
                end = time.monotonic() + 60
                while len(server.call("GET", "/__admin/requests?limit=100").json()["items"]) < count:
                    require(time.monotonic() < end, "the requests don't come to wait")
                    time.sleep(0.1)

            # Each answer has 7 MB.
            quiet(session, "%d requests that %s" % (count, name), server, wait, peak=120 * MIB, tries=1)


# MARK: Matching (own-API contract, section 6)

def expressions(session, random):
    """Thousands of stubs with expressions; a long match keeps no short request from its worker."""
    paths = [{"match": {"path": {"regex": "/[a-z]+/%d/(x|y)*z" % n}}, "response": {"text": "%d" % n}} for n in range(7_000)]
    files = {"stubs/%d.json" % part: paths[part * 1000:part * 1000 + 1000] for part in range(7)}
    with shop(session, {"api.json": {}, **files}) as server:
        for target, status in (("/abc/6999/xyxyz", 200), ("/abc/none", 404)):
            def ask():
                server.call("GET", target, base=server.apis["shop"], expect=status)

            quiet(session, "7,000 paths, %s" % target, server, ask)
    bodies = [{"match": {"path": "/read", "bodyText": {"regex": "(a|b|c)*%dx" % n}}, "response": {"text": "%d" % n}}
              for n in range(3_000)] + [stub("/small", text="{{body.a}}")]
    files = {"stubs/%d.json" % part: bodies[part * 1000:part * 1000 + 1000] for part in range(4)}
    text = "abc" * 30_000
    with shop(session, {"api.json": {}, **files}) as server:
        base = server.apis["shop"]

        def long():
            with contextlib.suppress(OSError):
                server.call("POST", "/read", text, {"Content-Type": "text/plain"}, base=base, timeout=300)

        threads = [threading.Thread(target=long, daemon=True) for _ in range(6)]
        with session.case("work: short requests beside six long matches") as row:
            for thread in threads:
                thread.start()
            time.sleep(0.3)
            longest = 0
            for _ in range(5):
                began = time.monotonic()
                server.call("POST", "/small", json.dumps({"a": "b" * 40_000}), {"Content-Type": "application/json"},
                            base=base, expect=200)
                longest = max(longest, time.monotonic() - began)
            row["note"] = "%.0f ms" % (longest * 1000)
            require(longest < 2, "a short request waits %.1f s" % longest)
        quiet(session, "six long matches", server, lambda: time.sleep(0.5))


# MARK: Built-in endpoints (control contract, section 17)

def uploads(session, random):
    """Bodies as long as the endpoints of the built-in APIs take them."""
    ids = ["opt%06d" % random.randrange(1_000_000) for _ in range(95_000)]
    meals = [{"localId": "l%d" % n, "name": "Soup", "carbEstimate": 4, "confidenceLevel": 0.5,
              "createdAt": "2025-01-01T11:00:00Z"} for n in range(6_000)]
    events = [{"event_type_id": "0193e355-0460-7000-8000-000000000003", "timestamp": "2025-01-01T11:00:00Z"}
              for _ in range(6_000)]
    long = "word " * 1_000_000
    requests = [
        ("trafikskola", "anna@example.com", "POST", "/api/mobile/lms/quizzes/quiz_1/submit",
         {"answers": [{"questionId": "q_1", "selectedOptionIds": ids}]}),
        ("trafikskola", "anna@example.com", "POST", "/api/mobile/student/feedback", {"type": "general", "message": long[:900_000]}),
        ("carbscan", "pro@carbscan.test", "POST", "/api/mobile/v1/chat", {"message": long * 3}),
        ("carbscan", "pro@carbscan.test", "POST", "/api/mobile/v1/meals/sync",
         {"lastSyncTimestamp": "2025-01-01T12:00:00.000Z", "localMeals": meals}),
        ("omnichat", "test@icloud.com", "POST", "/api/v1/conversations", {"title": long[:900_000], "model": "gpt-4o-mini"}),
        ("sawaed", "layla@sawaed.test", "PUT", "/api/mobile/v1/profile", {"bio": long, "skills": ids}),
        ("sawaed", "layla@sawaed.test", "POST", "/api/mobile/v1/ai/chat", {"message": long}),
        ("trendy", "tracker@trendy.example", "POST", "/api/v1/events/batch", {"events": events}),
        ("trendy", "tracker@trendy.example", "POST", "/api/v1/events", events[0]),
    ]
    with Server(session.binary) as server:
        for api, user, method, path, body in requests:
            token = server.token(api, user)
            content = json.dumps(body).encode()

            def send():
                fields = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
                server.call(method, path, content, fields, base=server.apis[api], expect=range(500))

            send()
            quiet(session, "%s %s with %d KB" % (api, path.rsplit("/", 1)[1], len(content) // 1000), server, send)


# MARK: Faults that read content (section 8)

def read_by_faults(session, random):
    """Answers that are short in their coding and long for the faults that read them, of every source, in every mode."""
    # Nothing that a recording leaves out.
    rows = [{"id": n, "name": "user %d" % (n % 50), "on": True} for n in range(random.randrange(150_000, 250_000))]
    plain = json.dumps(rows).encode()
    content = gzip.compress(plain, 6, mtime=0)
    fields = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    head = b"".join(b"%s: %s\r\n" % (name.encode(), value.encode()) for name, value in fields.items())
    match = {"api": "omnichat", "path": "/long"}
    renamed = {"drift": {"set": "*.name", "to": "x"}}
    changes = [
        ("a drift", renamed, lambda body: [row["name"] for row in json.loads(body)] == ["x"] * len(rows)),
        ("a drift by the schema", {"drift": {"auto": "breaking"}}, lambda body: json.loads(body) != rows),
        ("invalid-json", {"body": "invalid-json"}, lambda body: body == plain[:-1] + b",]}"),
        ("truncated-json", {"body": "truncated-json"}, lambda body: body == plain[:len(plain) // 2]),
    ]

    with Upstream() as upstream, Server(session.binary) as server:
        upstream.answers[b"/long"] = (200, head, content)
        base = server.apis["omnichat"]

        def order(method, path, body=None):
            answer = server.call(method, "/__admin" + path, body, expect=range(300))
            return answer

        def ask(holds, headers=None):
            answer = server.call("GET", "/long", headers=headers, base=base)
            coding = dict(answer.headers).get("Content-Encoding")
            body = gzip.decompress(answer.body) if coding == "gzip" else answer.body
            require(answer.status == 200 and holds(body), "answers %d: %s" % (answer.status, body[:100]))

        def released(phase, effect, holds):
            order("POST", "/gates", {"name": "g", "match": match, "phase": phase})
            client = threading.Thread(target=ask, args=(holds,), daemon=True)
            client.start()
            end = time.monotonic() + 60
            while not order("GET", "/gates").json()["items"][0]["held"]:
                require(time.monotonic() < end, "the gate holds nothing")
                time.sleep(0.01)
            order("POST", "/gates/g/release", {"effect": effect})
            client.join()
            order("DELETE", "/gates/g")

        def unchanged(body):
            return body == plain

        order("POST", "/stubs?api=omnichat",
              {"match": {"path": "/long"},
               "response": {"headers": fields, "base64": base64.b64encode(content).decode()}})
        for mode in ("emulate", "spy", "record", "replay"):
            if mode != "emulate":
                order("DELETE", "/stubs")
            named = {"recording": "long.har"} if mode in ("record", "replay") else {}
            order("PUT", "/mode?api=omnichat", dict(named, mode=mode, **({} if mode in ("emulate", "replay")
                                                                          else {"upstream": upstream.url})))
            ask(unchanged)
            for name, effect, holds in changes:
                for phase in ("after", "before"):
                    order("POST", "/faults", {"match": match, "phase": phase, "effect": effect})
                    quiet(session, "%s, %s %s" % (mode, name, phase), server, lambda: ask(holds))
                    order("DELETE", "/faults")
                    if session.is_long or mode == "emulate":
                        quiet(session, "%s, %s of a gate %s" % (mode, name, phase), server,
                              lambda: released(phase, effect, holds))
                word = effect.get("body")
                if word:
                    quiet(session, "%s, %s of a preference" % (mode, name), server,
                          lambda: ask(holds, {"Prefer": "fault=" + word}))
            for name, more in (("that is not its turn", {"when": {"skip": 1000}}),
                               ("that finds nothing", {"effect": {"drift": {"remove": "*.none"}}})):
                order("POST", "/faults", dict({"match": match, "effect": renamed}, **more))
                quiet(session, "%s, a drift %s" % (mode, name), server, lambda: ask(unchanged))
                order("DELETE", "/faults")


# MARK: Listeners and refused bodies (control contract, sections 15 and 17)

def listeners(session, random):
    """Very many listeners of events, each of which is told of every request."""
    with Server(session.binary) as server, contextlib.ExitStack() as stack:
        address = urllib.parse.urlsplit(server.hub)
        sockets = [stack.enter_context(socket.create_connection((address.hostname, address.port))) for _ in range(600)]
        for connection in sockets:
            connection.sendall(b"GET /__admin/events HTTP/1.1\r\nHost: %s\r\n\r\n" % address.netloc.encode())
        for connection in sockets:
            connection.recv(1000)

        def ask():
            for _ in range(5):
                server.call("GET", "/api/v1/models", base=server.apis["omnichat"])

        quiet(session, "600 listeners of events", server, ask)


def refusals(session, random):
    """A chunked body of a control call that is over the limit is refused before it ends."""
    with Server(session.binary) as server:
        address = urllib.parse.urlsplit(server.hub)
        with session.case("work: a chunked control call over the limit"):
            connection = socket.create_connection((address.hostname, address.port), timeout=10)
            connection.sendall(b"POST /__admin/faults HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                               b"Transfer-Encoding: chunked\r\n\r\n" % address.netloc.encode())
            chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
            answer = b""
            with connection, contextlib.suppress(OSError):
                # The end of the body never comes.
                for _ in range(33):
                    connection.sendall(chunk)
                answer = connection.recv(4096)
            require(answer.startswith(b"HTTP/1.1 413"), "answers %r" % answer[:100])


def run(session, random, deadline, clock):
    for attack in (coded, many_coded, lists, placeholders, kept, expressions, uploads, read_by_faults, listeners,
                   refusals):
        if session.is_long and clock() > deadline:
            return
        attack(session, random)
