"""Pages that are not ours and want our control calls (control contract, section 18; console contract, section 11).

Content of any source and media type runs on an API's port or below a mount. What its browser then says of its requests is
made here from the words that the Fetch standard has, so that no way in depends on one of them.
"""

import itertools
import json

from server import Server
from session import require

SITES = ["same-origin", "same-site", "cross-site"]
MODES = ["cors", "no-cors", "same-origin", "navigate", "websocket"]
USES = ["empty", "document", "iframe", "frame", "embed", "object", "script", "style", "image", "worker", "sharedworker",
        "serviceworker", "audioworklet", "report", "manifest"]
TYPES = ["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml",
         "application/atom+xml", "application/pdf", "multipart/x-mixed-replace; boundary=b", "text/html, text/plain",
         "application/mathml+xml", "x-unknown/y", "text"]
CALLS = [("GET", "/state"), ("GET", "/requests"), ("POST", "/reset"), ("POST", "/faults"), ("PUT", "/clock"),
         ("DELETE", "/worlds/main"), ("GET", "/events"), ("POST", "/tokens")]


def said(site, mode, use):
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": use}


def fields(answer):
    return {name.lower(): value for name, value in answer.headers}


def reach(session, random, server):
    """No request that a page of an API's port can make is taken."""
    port = server.apis["omnichat"].rstrip("/")
    kinds = [said(*words) for words in itertools.product(SITES, MODES, USES)]
    kinds += [{"Origin": port}, {"Origin": "null"}, {"Origin": ""}, {"Origin": port.upper()}, {"Referer": port + "/a.html"},
              {"Origin": server.hub.rstrip("/") + ".evil.test"}, {"Origin": server.hub.rstrip("/") + "/"}]
    kinds = random.sample(kinds, len(kinds) if session.is_long else 60)
    with session.case("pages: control calls of a page on an API's port") as row:
        for kind in kinds:
            method, path = random.choice(CALLS)
            prefix = random.choice(["", "/@main", "/@other"])
            server.call(method, prefix + "/__admin" + path, {} if method != "GET" else None, kind, base=port, expect=403)
        row["note"] = "%d requests" % len(kinds)
    with session.case("pages: control calls of such a page to the hub") as row:
        count = 0
        for kind in kinds:
            site = kind.get("Sec-Fetch-Site")
            link = kind.get("Sec-Fetch-Mode") == "navigate" and kind.get("Sec-Fetch-Dest") == "document"
            # On the hub itself stand our own pages; what others send there is confined, and has the origin null.
            if site == "same-origin" or not server.hub.startswith("http"):
                continue
            method, path = random.choice(CALLS)
            if site == "same-site" and link and method == "GET":
                continue
            place = random.choice(["/__admin", "/omnichat/__admin", "/@main/omnichat/__admin"])
            server.call(method, place + path, {} if method != "GET" else None, kind, expect=403)
            count += 1
        row["note"] = "%d requests" % count


def confinement(session, random, server):
    """What a mount sends can't act as the console, whatever it calls itself."""
    with session.case("pages: content below a mount, by types and uses") as row:
        count = 0
        for number, media in enumerate(TYPES):
            stub = {"match": {"api": "omnichat", "path": "/page%d" % number},
                    "response": {"status": random.choice([200, 404, 500]), "text": "<script>1</script>", "headers": {"Content-Type": media}}}
            answer = server.call("POST", "/__admin/stubs", stub)
            if answer.status != 201:
                continue
            for asked in (said("same-origin", "navigate", random.choice(["document", "iframe", "embed", "object"])),
                          said("cross-site", "navigate", "document"), {"Accept": "text/html,*/*;q=0.8"}, {}):
                found = fields(server.call("GET", "/omnichat/page%d" % number, headers=asked))
                require("sandbox" in found.get("content-security-policy", ""), "%r for %s is not confined" % (media, asked))
                require("allow-same-origin" not in found["content-security-policy"], "%r keeps its origin" % media)
                require(found.get("x-content-type-options") == "nosniff", "%r may be sniffed" % media)
                count += 1
        require(count > 20, "only %d were asked" % count)
        row["note"] = "%d answers" % count
    with session.case("pages: scripts of service workers"):
        for asked in ({"Service-Worker": "script"}, said("same-origin", "same-origin", "serviceworker")):
            for base, path in ((server.apis["omnichat"], "/page0"), (server.hub, "/omnichat/page0"),
                               (server.hub, "/@main/omnichat/page0")):
                server.call("GET", path, headers=asked, base=base, expect=403)


def run(session, random, deadline, clock):
    with Server(session.binary) as server:
        server.call("POST", "/__admin/worlds", {"name": "other"})
        before = server.call("GET", "/__admin/worlds").json()
        reach(session, random, server)
        confinement(session, random, server)
        with session.case("pages: nothing of it has changed the worlds"):
            after = server.call("GET", "/__admin/worlds").json()
            require([world["name"] for world in after["items"]] == [world["name"] for world in before["items"]],
                    "worlds are missing: " + json.dumps(after)[:200])
            require(server.call("GET", "/__admin/faults").json()["items"] == [], "a fault was made")
