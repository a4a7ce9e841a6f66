"""Imported worlds whose numbers, dates and lists are extreme (control contract, section 4)."""

import copy
import json

from server import Server
from session import require
from walk import USERS, Walk

NUMBERS = [-(2 ** 63), -(2 ** 53) - 1, -1, 0, 1, 2 ** 31, 2 ** 53, 2 ** 53 + 1, 2 ** 63 - 1, 2 ** 64 - 1, 1e17, -1e308, 0.5]
DATES = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "T0+P9999999D", "T0-P9999999D", "294276-01-01T00:00:00Z"]


def is_date(text):
    return isinstance(text, str) and (
        text.startswith(("T0", "D0")) or (len(text) >= 20 and text[4:5] == "-" and text[10:11] == "T" and text[:4].isdigit())
    )


def leaves(value, path=()):
    """Every number, date and list of a document, with its path."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, path + (name,))
    elif isinstance(value, list):
        if path:
            yield path, "list"
        for index, member in enumerate(value):
            yield from leaves(member, path + (index,))
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, float)):
        yield path, "number"
    elif is_date(value):
        yield path, "date"


def kind(path):
    return tuple("[]" if isinstance(step, int) else step for step in path)


def put(document, path, value):
    for step in path[:-1]:
        document = document[step]
    document[path[-1]] = value


def get(document, path):
    for step in path:
        document = document[step]
    return document


def extreme(random, kind_name, former):
    if kind_name == "number":
        return random.choice(NUMBERS)
    if kind_name == "date":
        return random.choice(DATES)
    return random.choice([[], list(reversed(former)), former + former[:1], former * 50 if len(former) < 20 else former[:1]])


def lived_in(server):
    """The document of a world in which every API has been used."""
    for api in USERS:
        Walk(server, api).run()
    server.call("POST", "/__admin/clock/advance", {"by": "PT1H"})
    return server.call("GET", "/__admin/state").json()


def use(server, walks, apis, problems):
    for api in apis:
        walks[api].run(problems=problems)
        for user in USERS[api][:1]:
            for verb in ("expire", "revoke"):
                server.call("POST", "/__admin/users/%s/%s" % (user, verb), {"tokens": "all"}, base=server.apis[api])
    for move in ("PT10M", "P400D"):
        server.call("POST", "/__admin/clock/advance", {"by": move})
    for api in apis[:1]:
        walks[api].run(problems=problems)
    server.call("GET", "/__admin/state", expect=200)


def run(session, random, deadline, clock):
    with Server(session.binary) as server:
        document = lived_in(server)
        walks = {api: Walk(server, api) for api in USERS}
        original = json.dumps(document)
        places = {}
        for path, name in leaves(document):
            if path[0] != "journal":
                places.setdefault((kind(path), name), []).append(path)
        kinds = sorted(places, key=str)
        random.shuffle(kinds)
        with session.case("imports: extremes of %d kinds of members" % len(kinds)) as row:
            taken = refused = 0
            problems = []
            batch = max(len(kinds) // 60, 1) if not session.is_long else 1
            number = 0
            # Many at once; those that are refused by name are put back, so that what is taken is used together.
            while clock() < deadline and number < (len(kinds) if not session.is_long else 1 << 30):
                chosen = [kinds[(number + step) % len(kinds)] for step in range(batch)]
                number += batch
                attempt = copy.deepcopy(document)
                changed = {}
                for item in chosen:
                    path = random.choice(places[item])
                    try:
                        former = get(attempt, path)
                        put(attempt, path, extreme(random, item[1], former))
                        changed[path] = get(document, path)
                    except (KeyError, IndexError, TypeError):
                        continue
                for _ in range(12):
                    answer = server.call("PUT", "/__admin/state", attempt)
                    if answer.status != 422:
                        break
                    refused += 1
                    named = " ".join(item["path"] for item in answer.json().get("errors", []))
                    require(named, "a refusal names no path: %s" % answer.body[:200])
                    back = [path for path in changed if str(path[min(2, len(path) - 1)]) in named or str(path[-1]) in named]
                    for path in back or list(changed):
                        try:
                            put(attempt, path, changed.pop(path))
                        except (KeyError, IndexError, TypeError):
                            changed.clear()
                            attempt = json.loads(original)
                require(answer.status in (200, 422), "an import answers %d: %s" % (answer.status, answer.body[:200]))
                if answer.status == 200 and changed:
                    taken += 1
                    apis = sorted({path[1] for path in changed if path[0] == "apis" and len(path) > 1}) or ["trendy"]
                    try:
                        use(server, walks, apis, problems)
                    except Exception as error:
                        raise AssertionError(
                            "%s after %s" % (error, [(path, get(attempt, path)) for path in changed])
                        ) from error
                require(not problems, "; ".join(problems[:3]) + " after %s" % list(changed)[:5])
            row["note"] = "%d imports used, %d refused" % (taken, refused)
        with session.case("imports: counters below their table are refused") as row:
            tried = []
            for api, counter, table in (("carbscan", "lastMeal", "meals"), ("carbscan", "lastChatMessage", "chatMessages"),
                                        ("trendy", "lastChange", "changes")):
                attempt = json.loads(original)
                if not attempt["apis"][api][table]:
                    continue
                attempt["apis"][api][counter] = 0
                answer = server.call("PUT", "/__admin/state", attempt)
                require(answer.status == 422 and counter in answer.body.decode(),
                        "%s.%s of 0 answers %d" % (api, counter, answer.status))
                tried.append(counter)
            row["note"] = ", ".join(tried)
        with session.case("imports: a row more than there may be"):
            attempt = json.loads(original)
            template = attempt["apis"]["sawaed"]["interests"][0]
            count = 1_000_001
            attempt["apis"]["sawaed"]["interests"] = []
            text = json.dumps(attempt, separators=(",", ":"))
            rows = ",".join('{"id":"i%d","name":%s,"category":"x"}' % (n, json.dumps(template["name"])) for n in range(count))
            text = text.replace('"interests":[]', '"interests":[' + rows + "]", 1)
            server.call("PUT", "/__admin/state", text.encode(), {"Content-Type": "application/json"}, timeout=300, expect=422)
    store(session, random, document)


def store(session, random, document):
    """Restarts the process, which has to resume from the accepted document on disk."""
    with session.case("imports: what was taken is used after a restart") as row:
        with Server(session.binary, "--state", "state") as server:
            attempt = copy.deepcopy(document)
            numbers = [path for path, name in leaves(document) if name == "number" and path[0] == "apis"]
            random.shuffle(numbers)
            taken = 0
            for path in numbers[:200]:
                former = get(attempt, path)
                put(attempt, path, random.choice([0, 1, 2 ** 53, 2 ** 31]))
                if len(json.dumps(attempt)) and taken < 25:
                    if server.call("PUT", "/__admin/state", attempt).status == 200:
                        taken += 1
                        continue
                put(attempt, path, former)
            server.kill()
            server.start()
            for api in USERS:
                problems = []
                Walk(server, api).run(problems=problems)
                require(not problems, "; ".join(problems[:3]))
            server.call("POST", "/__admin/clock/advance", {"by": "P400D"})
            server.kill()
            server.start()
            row["note"] = "%d changes kept" % taken
