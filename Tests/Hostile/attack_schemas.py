"""Documents whose schemas ask for more work than there is: numbers, conjunctions, alternatives that come back to themselves,
large samples and examples. No request may hold another connection up (control contract, section 17)."""

from server import Server, apis

HUGE = [20_000, 100_000, 2 ** 31, 2 ** 62, 2 ** 63 - 1]


def responses(random):
    """Schemas of answers, by name."""
    def huge():
        return random.choice(HUGE)

    count = random.randrange(900, 1_200)
    names = ["p%d" % number for number in range(count)]
    wide = {"type": "object", "required": names[:300], "properties": {name: {"type": "string"} for name in names}}
    return {
        "members": {"type": "object", "minProperties": huge()},
        "named-members": {"type": "object", "minProperties": huge(), "propertyNames": {"pattern": "^[a-z]{1,40}$"}},
        "elements": {"type": "array", "minItems": huge()},
        "unique-elements": {"type": "array", "minItems": 20_000, "uniqueItems": True, "items": {"type": "integer"}},
        "contained": {"type": "array", "contains": {"const": 1}, "minContains": huge()},
        "contained-twice": {"type": "array", "allOf": [{"contains": {"const": 1}, "minContains": huge()},
                                                       {"contains": {"const": 2}, "minContains": huge()}]},
        "text": {"type": "string", "minLength": huge()},
        "coded-text": {"type": "string", "minLength": huge(), "format": "byte"},
        "texts": {"type": "array", "minItems": 19_000, "items": {"type": "string", "minLength": 100_000}},
        "pattern": {"type": "string", "pattern": "^(a{1,90}b?){1,90}$", "minLength": 5_000},
        "patterns": {"type": "array", "minItems": 500, "items": {"type": "string", "pattern": "^([a-f]{8}-){90}$"}},
        "number": {"type": "integer", "minimum": huge(), "multipleOf": 7},
        "conjunction": {"allOf": [{"type": "object", "properties": {name: {"type": "string"}}} for name in names]},
        "alternatives": {"allOf": [{"anyOf": [{"title": name}, False]} for name in names]},
        "one-of-many": {"oneOf": [{"const": name} for name in names]},
        "wide": wide,
        "list": {"type": "array", "minItems": 20, "items": wide},
        "never": {"allOf": [{"anyOf": [{"minLength": 5, "maxLength": 4}] * 20}] * 20, "type": "string"},
    }


RECURSIVE = {
    "S": {"anyOf": [{"type": "object", "properties": {"a": {"$ref": "#/components/schemas/S"}}, "required": ["z"]},
                    {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/S"}}, "required": ["y"]},
                    {"type": "string"}]},
    "T": {"oneOf": [{"type": "array", "items": {"$ref": "#/components/schemas/T"}, "minItems": 9},
                    {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/T"}, "minProperties": 9},
                    {"allOf": [{"$ref": "#/components/schemas/U"}, {"$ref": "#/components/schemas/T"}]}]},
    "U": {"anyOf": [{"$ref": "#/components/schemas/T"}, {"$ref": "#/components/schemas/U"}, {"type": "integer"}]},
}


def content(schema, **more):
    return {"content": {"application/json": dict({"schema": schema}, **more)}}


def document(random):
    paths = {"/" + name: {"get": {"responses": {"200": dict(content(schema), description="d")}}}
             for name, schema in responses(random).items()}
    for name in RECURSIVE:
        schema = {"$ref": "#/components/schemas/" + name}
        query = {"name": "q", "in": "query", "content": {"application/json": {"schema": schema}}}
        paths["/" + name] = {"post": {"parameters": [query], "requestBody": content(schema),
                                      "responses": {"201": {"description": "d"}}}}
    rows = [{"id": number, "name": "n%d" % number} for number in range(random.randrange(20_000, 30_000))]
    schema = {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}
    paths["/example"] = {"get": {"responses": {"200": dict(content(schema, example=rows), description="d")}}}
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, "components": {"schemas": RECURSIVE}}


def nested(depth, random):
    text = "1"
    for _ in range(depth):
        text = random.choice(['{"a":%s}', '{"a":%s}', "[%s]"]) % text
    return text.encode()


def run(session, random, deadline, clock):
    written = document(random)
    with apis({"shop/api.json": {}, "shop/openapi.json": written}) as folder, \
            Server(session.binary, "--apis", folder, "--api", "shop") as server:
        base = server.apis["shop"]
        for path, item in written["paths"].items():
            if "get" not in item:
                continue

            def ask():
                # The same request again, and others, of which each has a sample of its own.
                for number in (0, 0, 1, 2):
                    server.call("GET", "%s?n=%d" % (path, number), base=base, expect=(200, 501))

            session.holds("schemas: a sample of " + path[1:], server, ask, tries=3)
        json_type = {"Content-Type": "application/json"}
        for name in RECURSIVE:
            for depth in (15, 30, 60):
                body = nested(depth, random)

                def send():
                    server.call("POST", "/" + name, body, json_type, base=base, expect=201)
                    query = body.decode().replace('"', "%22").replace("{", "%7B").replace("}", "%7D")
                    server.call("POST", "/%s?q=%s" % (name, query), b"1", json_type, base=base)

                session.holds("schemas: %s, %d deep" % (name, depth), server, send, tries=3)
