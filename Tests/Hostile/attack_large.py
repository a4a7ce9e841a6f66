"""Large worlds of each API, in every mode and beside faults and gates: no call on one may hold another connection up
(control contract, section 17)."""

import json
import threading
import time

from server import CLOCK, Server, Upstream
from session import require


def encode(value):
    return json.dumps(value, separators=(",", ":"))


def uuid(number):
    return "0193e3ff-0000-7000-8000-%012x" % number


class World:
    """One API's tables in an exported world, with very many rows more of one user."""

    def __init__(self, api, user, count):
        self.api = api
        self.user = user
        self.count = count
        self.talk = None

    def last(self, part, table, key=None):
        rows = [row for row in part[table] if key is None or key in row]
        require(rows, "%s has no %s to make more of" % (self.api, table))
        return rows[-1]

    def rows(self, part):
        """Texts of rows by table, made of one that is there."""
        count = self.count
        who = self.owner(part)
        more = {}

        def make(table, template, change):
            made = []
            for number in range(1, count + 1):
                row = dict(template)
                change(row, number)
                made.append(encode(row))
            more[table] = made

        if self.api == "carbscan":
            start = max(meal["number"] for meal in part["meals"])

            def meal(row, number):
                row.update(id="%d" % (start + number), number=start + number, userId=who, localId="l%d" % number,
                           createdAt="T0-PT%dS" % (number * 3 % 600_000), stamp="T0-PT%dS" % (number * 3 % 600_000))

            make("meals", self.last(part, "meals", "stamp"), meal)
            part["lastMeal"] = start + count
        elif self.api == "omnichat":
            talk = self.talk = next(row for row in part["conversations"] if row["userId"] == who)["id"]
            make("messages", next(row for row in part["messages"] if row["role"] == "user"),
                 lambda row, number: row.update(id="msg_more_%d" % number, conversationId=talk))
            make("refreshSessions", self.last(part, "refreshSessions"),
                 lambda row, number: row.update(id="more_refresh_%d" % number, userId=who))
            make("issuedAccess", self.last(part, "issuedAccess"),
                 lambda row, number: row.update(id="more_access_%d" % number, userId=who))
        elif self.api == "sawaed":
            event = next(row for row in part["events"] if row["id"] != "event_draft_hidden")
            make("events", event, lambda row, number: row.update(id="event_more_%d" % number))
            make("sessions", self.last(part, "sessions"),
                 lambda row, number: row.update(id="session_more_%d" % number, userId=who))
            make("refreshTokens", self.last(part, "refreshTokens"),
                 lambda row, number: row.update(id="more%d" % number, sessionId="session_more_%d" % number))
        elif self.api == "trafikskola":
            make("notifications", self.last(part, "notifications"),
                 lambda row, number: row.update(id="ntf_more_%d" % number, userId=who))
            make("sessions", self.last(part, "sessions"),
                 lambda row, number: row.update(id="ses_more_%d" % number, userId=who, refreshId="rt_more_%d" % number))
            make("refreshTokens", self.last(part, "refreshTokens"),
                 lambda row, number: row.update(id="rt_more_%d" % number, userId=who, tokenHash="%064x" % number,
                                                sessionId="ses_more_%d" % number))
        elif self.api == "trendy":
            make("events", next(row for row in part["events"] if row["userId"] == who),
                 lambda row, number: row.update(uuid=uuid(number), eventTypeId=COFFEE, timestamp="D0-PT%dS" % (number * 7)))
            make("sessions", self.last(part, "sessions"),
                 lambda row, number: row.update(id=uuid(number + (1 << 40)), userId=who, active="more%d" % number))
            make("refreshTokens", self.last(part, "refreshTokens"),
                 lambda row, number: row.update(id="more%d" % number, sessionId=uuid(number + (1 << 40))))
        return more

    def owner(self, part):
        users = part["accounts" if self.api == "trendy" else "users"]
        return next(user["id"] for user in users if user.get("email") == self.user)

    def document(self, server):
        """The exported world with those rows."""
        for kind in ("access", "refresh"):
            server.token(self.api, self.user, kind)
        document = server.call("GET", "/__admin/state").json()
        part = document["apis"][self.api]
        more = self.rows(part)
        kept = {}
        for table, rows in more.items():
            kept[table] = [encode(row) for row in part[table]] + rows
            part[table] = "<%s>" % table
        text = encode(document)
        for table, rows in kept.items():
            text = text.replace('"<%s>"' % table, "[" + ",".join(rows) + "]", 1)
        return text.encode()


USERS = {
    "carbscan": "pro@carbscan.test", "omnichat": "test@icloud.com", "sawaed": "layla@sawaed.test",
    "trafikskola": "anna@example.com", "trendy": "tracker@trendy.example",
}
MEAL = {"lastSyncTimestamp": "2025-01-01T12:00:00.000Z", "localMeals": [
    {"localId": "x1", "name": "Soup", "carbEstimate": 22, "confidenceLevel": 0.9, "createdAt": "2025-01-01T11:00:00.000Z"}]}
# A list, a scan of everything and a write of each API; then the call that removes the most rows, if any.
COFFEE = "0193e355-0460-7000-8000-000000000003"
REQUESTS = {
    "carbscan": [
        ("a list", "GET", "/api/mobile/v1/meals?limit=10", None), ("insights", "GET", "/api/mobile/v1/insights", None),
        ("a write", "POST", "/api/mobile/v1/meals/sync", MEAL), ("the profile", "GET", "/api/mobile/v1/auth/me", None),
    ],
    "omnichat": [
        ("a list", "GET", "/api/v1/conversations", None), ("usage", "GET", "/api/v1/user/usage", None),
        ("a write", "POST", "/api/v1/conversations", {"title": "More", "model": "gpt-4o-mini"}),
        ("a talk goes", "DELETE", "/api/v1/conversations/{talk}", None),
    ],
    "sawaed": [
        ("a list", "GET", "/api/mobile/v1/events?limit=10", None), ("the profile", "GET", "/api/mobile/v1/profile", None),
        ("a write", "POST", "/api/mobile/v1/events/event_more_7/register", {}),
        ("sign-out", "POST", "/api/mobile/auth/signout", {}),
    ],
    "trafikskola": [
        ("a list", "GET", "/api/mobile/notifications", None), ("devices", "GET", "/api/mobile/devices", None),
        ("a write", "POST", "/api/mobile/student/feedback", {"type": "general", "message": "Good"}),
        ("sign-out", "POST", "/api/mobile/auth/logout", {}),
    ],
    "trendy": [
        ("a list", "GET", "/api/v1/events?limit=10", None), ("a summary", "GET", "/api/v1/analytics/summary", None),
        ("changes", "GET", "/api/v1/changes?since=0&limit=10", None),
        ("a write", "POST", "/api/v1/events", {"event_type_id": COFFEE, "timestamp": "2025-01-01T11:00:00Z"}),
        ("insights", "GET", "/api/v1/insights", None),
        ("a type goes with its events", "DELETE", "/api/v1/event-types/" + COFFEE, None),
    ],
}
SCENARIOS = {
    "carbscan": ["empty-history", "history-1000", "midnight-meals", "sync-backlog", "single-meal", "token-secret-rotated"],
    "omnichat": ["huge-account", "empty-account", "user-deleted", "revoked-refresh-token"],
    "sawaed": ["events-empty", "events-paged", "signed-out-elsewhere", "session-over"],
    "trafikskola": ["session-kicked", "logout-kills-all", "tokens-lost-on-restart", "access-token-expired"],
    "trendy": ["signed-out-elsewhere", "expired-session", "sync-backlog", "after-reset"],
}


class Stage:
    """A server with one large world, and the helpers of all cases on it."""

    def __init__(self, session, api, count, *flags, clock="frozen:" + CLOCK):
        self.session = session
        self.api = api
        self.count = count
        self.server = Server(session.binary, *flags, clock=clock)
        self.world = World(api, USERS[api], count)
        self.text = self.world.document(self.server)
        self.base = self.server.apis[api]
        self.title = "large %s%s: " % (api, " on disk" if "--state" in flags else "")

    def load(self):
        self.server.call("PUT", "/__admin/state", self.text, {"Content-Type": "application/json"}, timeout=300, expect=200)

    def holds(self, name, attack, tries=2, **more):
        self.session.holds(self.title + name, self.server, attack, tries=tries, **more)

    def ask(self, method, target, body=None, headers=None, below=500):
        headers = dict(headers or {}, **{"Authorization": "Bearer " + self.token()})
        if body is None and method in ("POST", "PUT"):
            body = {}
        answer = self.server.call(method, target, body, headers, base=self.base, timeout=120, expect=range(below))
        return answer

    def token(self):
        if not getattr(self, "known", None):
            self.known = self.server.token(self.api, USERS[self.api])
        return self.known

    def control(self, method, target, body=None, expected=(200, 201, 204)):
        answer = self.server.call(method, "/__admin" + target, body, timeout=120, expect=expected)
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.remove()


def tables(session, api, count, *flags):
    """The life of one large world, from its import to its end."""
    with Stage(session, api, count, *flags) as stage:
        server = stage.server
        stage.holds("%d MiB are imported" % (len(stage.text) >> 20), stage.load, tries=1)
        stage.holds("a token", lambda: server.token(api, USERS[api], "refresh"))
        scenarios = SCENARIOS[api] if session.is_long else SCENARIOS[api][:2]
        for name in scenarios:
            stage.holds("scenario " + name, lambda n=name: stage.control("PUT", "/scenarios/%s/%s" % (api, n)), tries=1)
            stage.control("DELETE", "/scenarios/%s/%s" % (api, name))
        stage.load()
        for name, method, target, body in REQUESTS[api]:
            if "{talk}" in target:
                target = target.replace("{talk}", stage.world.talk)
            stage.holds(name, lambda m=method, t=target, b=body: stage.ask(m, t, b), tries=1 if "goes" in name else 2)
        stage.known = None
        for order in ("expire", "revoke"):
            target = "/users/%s/%s" % (USERS[api], order)
            stage.holds(order, lambda t=target: stage.control("POST", t, {"tokens": "all"}, (200, 404)))
        stage.holds("the clock moves", lambda: stage.control("POST", "/clock/advance", {"by": "P40D"}))
        stage.holds("export", lambda: server.call("GET", "/__admin/state", timeout=120))
        made = [0]

        def snapshot():
            made[0] += 1
            stage.control("POST", "/snapshots", {"name": "s%d" % made[0]})

        def fork():
            made[0] += 1
            stage.control("POST", "/worlds", {"name": "w%d" % made[0], "from": "main"})

        stage.holds("a snapshot", snapshot)
        stage.holds("a fork", fork)
        stage.known = None
        stage.holds("the first request after it", lambda: stage.ask(*REQUESTS[api][0][1:3]))
        stage.holds("a restore", lambda: stage.control("POST", "/snapshots/s1/restore"))
        stage.holds("a reset of the API", lambda: stage.control("POST", "/reset?api=" + api), tries=1)
        stage.holds("a snapshot goes", lambda: stage.control("DELETE", "/snapshots/s1"), tries=1)
        stage.holds("the fork goes", lambda: stage.control("DELETE", "/worlds/w%d" % made[0]), tries=1)
        stage.load()
        stage.holds("a reset", lambda: stage.control("POST", "/reset"), tries=1)


def ways(session, count):
    """Tests requests to a large world that faults or gates obstruct, and a clock that runs at the same time."""
    path = "/api/mobile/v1/insights"
    with Upstream() as upstream, Stage(session, "carbscan", count, clock="real") as stage:
        stage.load()
        stage.holds("a running clock", lambda: stage.ask("GET", path))
        faults = [
            ("a delay", {"match": {"api": "carbscan"}, "effect": {"delay": {"ms": 10}}}),
            ("a drift", {"match": {"api": "carbscan"}, "effect": {"drift": {"set": "data", "to": 1}}}),
            ("tokens that end before", {"match": {"path": path}, "effect": {"tokens": "expire"}}),
            ("a status behind it", {"match": {"path": path}, "phase": "after", "effect": {"status": 503}}),
        ]
        for name, fault in faults:
            stage.server.call("POST", "/__admin/faults", fault, expect=201)
            stage.holds(name, lambda: stage.ask("GET", path, below=600))
            stage.control("DELETE", "/faults")
            stage.known = None

        def gated():
            stage.control("POST", "/gates", {"name": "g", "match": {"api": "carbscan"}})
            threads = [threading.Thread(target=lambda: stage.ask("GET", path)) for _ in range(3)]
            stage.token()
            for thread in threads:
                thread.start()
            for _ in range(200):
                if len(stage.control("GET", "/gates/g").json()["held"]) == len(threads):
                    break
                time.sleep(0.02)
            released = stage.control("POST", "/gates/g/release", {}).json()["released"]
            require(len(released) == len(threads), "%d are released" % len(released))
            for thread in threads:
                thread.join(60)
            stage.control("DELETE", "/gates/g")

        stage.holds("three that a gate lets go", gated)
        for mode in ("record", "diff", "spy"):
            order = {"mode": mode, "upstream": upstream.url}
            if mode == "record":
                order["recording"] = "r.har"
            stage.server.call("PUT", "/__admin/mode?api=carbscan", order, expect=200)
            # No token of a world goes to an upstream.
            stage.holds("mode " + mode, lambda: stage.server.call("GET", path, base=stage.base, timeout=60))
            stage.server.call("PUT", "/__admin/mode?api=carbscan", {"mode": "emulate"})


def many(session):
    """Very many faults, and the first look at the scenarios."""
    with Server(session.binary) as server:
        session.holds("many: the first list of scenarios", server, lambda: server.call("GET", "/__admin/scenarios"), tries=1)
        server.call("PUT", "/__admin/scenarios/omnichat/huge-account")
        token = server.token("omnichat", "test@icloud.com")
        base = server.apis["omnichat"]

        def ask(target="/api/v1/conversations", method="GET", body=None):
            return server.call(method, target, body, {"Authorization": "Bearer " + token}, base=base, timeout=120)

        for number in range(1000):
            path = "*[%d].absent%d.more" % (number % 400, number)
            fault = {"match": {"api": "omnichat"}, "effect": {"drift": {"set": path, "to": number}}}
            server.call("POST", "/__admin/faults", fault, expect=201)
        session.holds("many: 1,000 drifts of one answer", server, ask)
        server.call("DELETE", "/__admin/faults")
        query = {"name%d" % number: "x" for number in range(1000)}
        for number in range(1000):
            fault = {"match": {"query": query}, "effect": {"upload": {"readBytesPerSecond": 1000}}}
            server.call("POST", "/__admin/faults", fault, expect=201)
        session.holds("many: faults of uploads with 1,000 names each", server,
                      lambda: ask("/api/v1/conversations?name999=y", "POST", {"title": "x"}))


def run(session, random, deadline, clock):
    if not session.is_long:
        tables(session, "omnichat", 30_000)
        ways(session, 40_000)
        many(session)
        return
    for api in USERS:
        tables(session, api, 150_000)
    tables(session, random.choice(list(USERS)), 60_000, "--state", "store")
    ways(session, 300_000)
    many(session)
