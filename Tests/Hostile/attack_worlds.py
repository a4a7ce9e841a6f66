"""A world of very many rows: no call on it may hold another connection up (control contract, section 17)."""

import json

from server import Server
from session import require


def run(session, random, deadline, clock):
    count = 700_000 if session.is_long else 120_000
    with Server(session.binary) as server:
        document = server.call("GET", "/__admin/state").json()
        part = document["apis"]["carbscan"]
        template = [meal for meal in part["meals"] if "stamp" in meal][-1]
        user = next(user["id"] for user in part["users"] if user["email"] == "pro@carbscan.test")
        rows = []
        for number in range(1, count + 1):
            meal = dict(template, id="%d" % number, number=number, userId=user)
            meal["createdAt"] = "T0-PT%dS" % (number * 3 % 600_000)
            rows.append(json.dumps(meal, separators=(",", ":")))
        part["meals"] = []
        part["lastMeal"] = count
        text = json.dumps(document, separators=(",", ":")).replace('"meals":[]', '"meals":[' + ",".join(rows) + "]", 1).encode()
        accepted = []

        def load():
            answer = server.call("PUT", "/__admin/state", text, {"Content-Type": "application/json"}, timeout=300)
            accepted.append(answer.status)
            require(answer.status == 200, "answers %d: %s" % (answer.status, answer.body[:300]))

        session.holds("worlds: %d rows are imported" % count, server, load, tries=2)
        base = server.apis["carbscan"]

        def call(method, target, body=None, base=base, expected=(200, 201, 204)):
            headers = {"Authorization": "Bearer " + token[0]} if token else {}
            server.call(method, target, body, headers, base=base, timeout=120, expect=expected)

        token = []
        token.append(server.token("carbscan", "pro@carbscan.test"))
        meal = {"lastSyncTimestamp": None, "localMeals": [
            {"localId": "l1", "name": "Soup", "carbEstimate": 22, "confidenceLevel": 0.9, "createdAt": "2025-01-01T11:00:00.000Z"}]}
        for name, method, target, body in (
            ("a list of ten", "GET", "/api/mobile/v1/meals?limit=10", None),
            ("the end of the list", "GET", "/api/mobile/v1/meals?limit=10&offset=%d" % (count - 20), None),
            ("insights", "GET", "/api/mobile/v1/insights", None),
            ("a write", "POST", "/api/mobile/v1/meals/sync", dict(meal, lastSyncTimestamp="2025-01-01T11:59:00.000Z")),
            ("the profile", "GET", "/api/mobile/v1/auth/me", None),
        ):
            session.holds("worlds: %s in one of %d rows" % (name, count), server,
                          lambda m=method, t=target, b=body: call(m, t, b, expected=(200, 201, 204, 404)))
        hub = server.hub
        for name, method, target, body in (
            ("a token", "POST", "/__admin/tokens", {"api": "carbscan", "user": "pro@carbscan.test", "kind": "access"}),
            ("a snapshot", "POST", "/__admin/snapshots", None),
            ("a fork", "POST", "/__admin/worlds", {"from": "main"}),
            ("a reset of the API", "POST", "/__admin/reset?api=carbscan", None),
            ("a restore", "POST", "/__admin/snapshots/%s/restore", None),
            ("a reset", "POST", "/__admin/reset", None),
        ):
            made = [0]

            def attack(name=name, method=method, target=target, body=body, made=made):
                if name == "a snapshot":
                    made[0] += 1
                    body = {"name": "s%d" % made[0]}
                call(method, target.replace("%s", "s1"), body, base=hub)

            session.holds("worlds: %s of one of %d rows" % (name, count), server, attack, tries=1 if "reset" in name else 2)
