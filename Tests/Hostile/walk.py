"""Uses every endpoint of an API as its OpenAPI document describes them."""

import json
import re
import struct
import urllib.parse
import zlib

USERS = {
    "sawaed": ["layla@sawaed.test", "admin@sawaed.test"],
    "carbscan": ["pro@carbscan.test", "free@carbscan.test"],
    "omnichat": ["power@omnichat.test", "test@icloud.com"],
    "trafikskola": ["anna@example.com", "erik@example.com"],
    "trendy": ["tracker@trendy.example"],
}


def png(width=8, height=8):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Walk:
    def __init__(self, server, api):
        self.server = server
        self.api = api
        self.base = server.apis[api]
        self.document = server.call("GET", "/__admin/openapi/%s.json" % api).json()
        self.operations = []
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                if isinstance(operation, dict) and "responses" in operation:
                    self.operations.append((method.upper(), path, operation))

    def rows(self, state):
        """Ids in the rows of the state, by table."""
        ids = []
        for part in state["apis"].get(self.api, {}).values():
            if isinstance(part, list):
                ids += [row["id"] for row in part[:2] if isinstance(row, dict) and isinstance(row.get("id"), str)]
        return ids

    def example(self, parameter, ids):
        if "example" in parameter:
            return parameter["example"]
        schema = parameter.get("schema", {})
        for value in schema.get("examples", []) + schema.get("enum", []):
            return value
        if "default" in schema:
            return schema["default"]
        if parameter["in"] == "path":
            return ids.pop(0) if ids else "x"
        return {"integer": 1, "number": 1, "boolean": "true"}.get(schema.get("type"), "x")

    def requests(self, ids):
        """One request for each operation and example; ids are tried in turn."""
        ids = list(ids)
        for method, path, operation in self.operations:
            target = path
            query = []
            for parameter in operation.get("parameters", []):
                value = self.example(parameter, ids)
                if parameter["in"] == "path":
                    target = target.replace("{%s}" % parameter["name"], urllib.parse.quote(str(value)))
                elif parameter["in"] == "query":
                    query.append((parameter["name"], str(value)))
            target = re.sub(r"\{[^}]*\}", "x", target)
            if query:
                target += "?" + urllib.parse.urlencode(query)
            bodies = [(None, None)]
            content = operation.get("requestBody", {}).get("content", {})
            for media, described in content.items():
                if "json" in media:
                    examples = [described["example"]] if "example" in described else []
                    examples += [item["value"] for item in described.get("examples", {}).values()]
                    bodies = [(media, json.dumps(example).encode()) for example in examples] or [(media, b"{}")]
                elif "multipart" in media:
                    boundary = "hostile"
                    part = (
                        '--%s\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n'
                        "Content-Type: image/png\r\n\r\n" % boundary
                    ).encode() + png() + ("\r\n--%s--\r\n" % boundary).encode()
                    bodies = [("multipart/form-data; boundary=" + boundary, part)]
                else:
                    bodies = [("image/png", png())]
                break
            for media, body in bodies:
                yield method, target, operation, media, body

    def run(self, state=None, problems=None):
        """Makes all calls with good credentials; notes answers with 5xx that the document does not name."""
        state = state if state is not None else self.server.call("GET", "/__admin/state").json()
        tokens = []
        for user in USERS[self.api]:
            for kind in ("access", "refresh"):
                answer = self.server.call("POST", "/__admin/tokens", {"api": self.api, "user": user, "kind": kind})
                if answer.status in (200, 201) and kind == "access":
                    tokens.append(answer.json()["token"])
                if answer.status >= 500 and problems is not None:
                    problems.append("POST tokens answered %d" % answer.status)
        counts = 0
        for token in tokens or [None]:
            for method, target, operation, media, body in self.requests(self.rows(state)):
                headers = {"Authorization": "Bearer %s" % token} if token else {}
                if media:
                    headers["Content-Type"] = media
                try:
                    answer = self.server.call(method, target, body, headers, base=self.base, timeout=60)
                except OSError as error:
                    self.server.check()
                    if problems is not None:
                        problems.append("%s %s: %s" % (method, target, error))
                    continue
                counts += 1
                if answer.status >= 500 and str(answer.status) not in operation["responses"]:
                    if problems is not None:
                        problems.append("%s %s answered %d: %s" % (method, target, answer.status, answer.body[:120]))
        return counts
