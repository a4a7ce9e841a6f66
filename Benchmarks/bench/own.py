"""Custom APIs by files: starts, stubs, rows, and large documents (own-API contract, sections 7, 11 to 16)."""

import http.client
import json
import os
import statistics
import threading
import time

from . import load
from .servers import Understudy

STUBS = 10_000
ROWS = 100_000
OPERATIONS = 5_000


class Own(Understudy):
    """A server with the built-in APIs and own ones; `api` is the one that requests go to."""

    def __init__(self, program, folder, api, path="/", fields=(), name="own"):
        super().__init__(program, name=name, command=("serve", "--apis", folder))
        self.api, self.path = api, path
        self.fields = list(fields)

    def __enter__(self):
        super().__enter__()
        return self.use(self.api, self.path)

    def use(self, api, path):
        """Sends what follows to another API of the process."""
        self.api, self.path = api, path
        listed = json.loads(self.ask("GET", "/__admin/apis", fields=[]).body)["items"]
        address = next(item["url"] for item in listed if item["name"] == api)
        self.port = int(address.rsplit(":", 1)[1])
        return self

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}{self.path}"


def write(folder, name, value):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def operation(index):
    return {
        "get": {
            "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}],
            "responses": {
                "200": {
                    "description": "An answer",
                    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/Thing{index % 20}"}}},
                }
            },
        }
    }


def document(operations, schemas=20, members=8):
    """An OpenAPI document of that size."""
    properties = {
        f"member{index}": {"type": ["string", "integer", "boolean", "number"][index % 4], "description": "A member of it"}
        for index in range(members)
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Measured", "version": "1"},
        "paths": {f"/things{index}/{{id}}": operation(index) for index in range(operations)},
        "components": {
            "schemas": {f"Thing{index}": {"type": "object", "required": list(properties), "properties": properties} for index in range(schemas)}
        },
    }


def medium(folder):
    """One API with 100 operations and 10 tables of 100 rows."""
    tables = [f"table{index}" for index in range(10)]
    write(folder, "medium/api.json", {"resources": [{"path": f"/{name}", "table": name} for name in tables]})
    write(folder, "medium/openapi.json", document(100))
    for name in tables:
        write(folder, f"medium/tables/{name}.json", [{"id": index + 1, "name": f"row {index}", "size": index % 7} for index in range(100)])


def answering(folder):
    """A stub, a row and an example of a document, with the same content as the measured answer of a built-in API."""
    body = {"id": 1, "name": "measured", "tags": ["a", "b"], "text": "x" * 300}
    write(folder, "small/api.json", {"resources": [{"path": "/rows", "table": "rows"}]})
    write(folder, "small/tables/rows.json", [body])
    write(folder, "small/stubs/one.json", {"match": {"method": "GET", "path": "/stub"}, "response": {"body": body}})
    answer = {"description": "It", "content": {"application/json": {"schema": {"type": "object"}, "example": body}}}
    write(folder, "documented/api.json", {})
    paths = {"/example": {"get": {"responses": {"200": answer}}}}
    write(folder, "documented/openapi.json", {"openapi": "3.1.0", "info": {"title": "Documented", "version": "1"}, "paths": paths})


def many_stubs(folder):
    write(folder, "stubs/api.json", {})
    for part in range(10):
        size = STUBS // 10
        write(
            folder,
            f"stubs/stubs/{part}.json",
            [
                {"match": {"method": "GET", "path": f"/v1/items/{part * size + index}"}, "response": {"body": {"n": part * size + index}}}
                for index in range(size)
            ],
        )


def many_rows(folder):
    write(
        folder,
        "rows/api.json",
        {
            "resources": [
                {"path": "/rows", "table": "rows", "list": {"paging": {"style": "offset"}}},
                {"path": "/by-cursor", "table": "rows", "list": {"paging": {"style": "cursor"}}},
            ]
        },
    )
    rows = [{"id": index + 1, "name": f"name {index * 7919 % ROWS:06}", "price": index * 31 % 1000, "group": index % 50} for index in range(ROWS)]
    write(folder, "rows/tables/rows.json", rows)


def large_document(folder):
    text = json.dumps(document(600, schemas=400, members=16))
    count = 600 * 1_048_576 // len(text)
    write(folder, "large/api.json", {})
    write(folder, "large/openapi.json", document(count, schemas=count * 2 // 3, members=16))
    return os.path.getsize(os.path.join(folder, "large/openapi.json"))


def most_operations(folder):
    """The largest number of operations that a document may have."""
    write(folder, "most/api.json", {})
    write(folder, "most/openapi.json", document(OPERATIONS))


def long_patterns(folder):
    """Stubs whose patterns and expressions are as long as they may be; none takes a request."""
    pattern = "/" + "a" * 250 + ("*" + "a" * 250) * 31 + "b"
    expression = "(/a|/a/a|/b){1,200}x"
    stubs = [{"match": {"path": pattern + str(index)}, "response": {}} for index in range(50)]
    stubs += [{"match": {"path": {"regex": expression + str(index)}}, "response": {}} for index in range(50)]
    write(folder, "long/api.json", {})
    write(folder, "long/stubs/long.json", stubs)


def longest_wait(server, path):
    """The longest time of a health call while other requests are held against long patterns, and that without them."""

    def ask(connection, path):
        began = time.perf_counter()
        connection.request("GET", path)
        connection.getresponse().read()
        return time.perf_counter() - began

    other = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    alone = max(ask(other, "/__admin/health") for _ in range(200))
    done = threading.Event()

    def load():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        for _ in range(3):
            ask(connection, path)
        connection.close()
        done.set()

    thread = threading.Thread(target=load)
    thread.start()
    longest = 0
    while not done.is_set():
        longest = max(longest, ask(other, "/__admin/health"))
    thread.join()
    other.close()
    return alone * 1e3, longest * 1e3


def alternating(makers, times):
    """Medians of starts in turn, in milliseconds."""
    found = [[] for _ in makers]
    for _ in range(times):
        for place, make in enumerate(makers):
            server = make()
            found[place].append(server.start())
            server.stop()
    return [statistics.median(each) * 1e3 for each in found]


def timed(server, paths, times):
    """Median microseconds of GETs of these paths in turn, over one connection; a list for each path."""
    found = [[] for _ in paths]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    for _ in range(times):
        for place, path in enumerate(paths):
            began = time.perf_counter()
            connection.request("GET", path)
            reply = connection.getresponse()
            reply.read()
            found[place].append(time.perf_counter() - began)
            if reply.status != 200:
                raise RuntimeError(f"{path} was answered with {reply.status}")
    connection.close()
    return [statistics.median(each) * 1e6 for each in found]


def measure(program, folder, rounds, seconds, starts, built_in):
    """`built_in` is a started server with its measured request, for the ratio."""
    figures = {}
    each = {}
    for make in (medium, answering, many_stubs, many_rows, large_document, most_operations, long_patterns):
        each[make] = os.path.join(folder, make.__name__)
        result = make(each[make])
        if make is large_document:
            figures["document bytes"] = result

    plain = lambda: Understudy(program)
    with_own = lambda: Own(program, each[medium], "medium")
    large = lambda: Own(program, each[large_document], "large")
    figures["start"], figures["start medium"], figures["start large"] = alternating([plain, with_own, large], starts)
    most = lambda: Own(program, each[most_operations], "most")
    without, with_most = alternating([plain, most], max(starts // 4, 3))
    figures["start most"] = with_most - without

    with Own(program, each[answering], "small", "/stub") as server:
        cpu = {"built-in": [], "stub": [], "row": []}
        rate = []
        for _ in range(rounds):
            cpu["built-in"].append(load.run(built_in, 32, seconds).cpu_micros)
            one = load.run(server.use("small", "/stub"), 32, seconds)
            cpu["stub"].append(one.cpu_micros)
            rate.append(one.rate)
            cpu["row"].append(load.run(server.use("small", "/rows/1"), 32, seconds).cpu_micros)
    for name, values in cpu.items():
        figures[f"cpu {name}"] = statistics.median(values)
    figures["stubs a second"] = statistics.median(rate)

    with Own(program, each[many_stubs], "stubs") as server:
        figures["first stub"], figures["last stub"] = timed(server, ["/v1/items/0", f"/v1/items/{STUBS - 1}"], 400)

    with Own(program, each[many_rows], "rows") as server:
        figures["filtered list"], figures["page by key"], figures["page far in"], figures["one row"] = timed(
            server,
            ["/rows?price_lt=500&group=7&sort=-name&limit=20", "/by-cursor?limit=20", f"/rows?limit=20&offset={ROWS // 2}", "/rows/5"],
            60,
        )
        forks = []
        for index in range(20):
            began = time.perf_counter()
            server.ask("POST", "/__admin/worlds", {"name": f"fork{index}", "from": "main"}, fields=[])
            forks.append(time.perf_counter() - began)
        figures["fork"] = statistics.median(forks) * 1e6

    with Own(program, each[long_patterns], "long") as server:
        figures["wait alone"], figures["wait"] = longest_wait(server, "/" + "a" * 8_000)
        figures["wait expressions alone"], figures["wait expressions"] = longest_wait(server, "/a" * 4_000)
    return figures
