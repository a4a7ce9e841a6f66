"""Holds conduct reports to the published schemas of SARIF and JUnit; see report-schemas."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ElementTree

import jsonschema
import xmlschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))
import understudy  # noqa: E402

BINARY, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
os.environ["UNDERSTUDY_BINARY"] = BINARY

# Text that tries to leave its place in JSON, XML, HTML, Markdown, a terminal or a workflow.
HOSTILE = [
    "]]>", "<script>alert(1)</script>", "\"'&amp;&", "<!--", "-->", "<![CDATA[", "%0A::error::x", "::set-output name=a::b",
    "\u202e\u2066", "\U0001f600", "\ufffe\uffff", "a|b`c*d_e[f](g)", "{{x}}", "\u0085\u2028", "ÅÄÖ", "..//..", "x" * 300,
]


def call(port, method, target, body=None, headers=()):
    """Sends a request byte for byte, which a library would refuse to do."""
    data = body if isinstance(body, bytes) else (body or "").encode()
    head = "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n" % (method, target, len(data))
    head += "".join("%s: %s\r\n" % pair for pair in headers)
    with socket.create_connection(("127.0.0.1", port), 30) as peer:
        peer.sendall(head.encode("utf-8") + b"\r\n" + data)
        answer = b""
        while True:
            part = peer.recv(65536)
            if not part:
                return answer
            answer += part


def misbehave(server):
    """Breaks rules with hostile text in path, query, fields, user names and content."""
    port = urllib.parse.urlsplit(server.hub).port
    for number, text in enumerate(HOSTILE):
        quoted = urllib.parse.quote(text, safe="")
        raw = text.replace(" ", "%20").replace("#", "%23").replace("\u0085", "").replace("\u2028", "")
        api = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"][number % 5]
        for target in (quoted, raw):
            for _ in range(3):
                call(port, "GET", "/%s/api/%s?q=%s" % (api, target, target), headers=[("User-Agent", quoted)])
        call(port, "GET", "/%s/api/v1/%s@example.com" % (api, quoted))
        call(port, "GET", "/%s/api/v1/items?password=%s" % (api, quoted), headers=[("Authorization", "Bearer \"x\"")])
        call(port, "POST", "/%s/api/v1/auth/login" % api, json.dumps({"email": text, "password": text}))
    call(port, "POST", "/omnichat/api/v1/auth/apple",
         json.dumps({"idToken": "mock_apple_token", "user": {"email": "a<b>&\"'@example.com", "name": {"firstName": "<b>"}}}),
         [("Content-Type", "application/json")])
    server.call("PUT", "/settings", {"conduct": {"allow": [
        {"rule": "privacy/*", "reason": " ".join(HOSTILE)},
        {"rule": "url/unknown-route", "api": "trendy", "reason": "]]><&\u0001"},
    ]}})


def archive():
    """An archive whose names, addresses and texts are hostile."""
    entries = []
    for number, text in enumerate(HOSTILE):
        quoted = urllib.parse.quote(text, safe="")
        for turn in range(2):
            entries.append({
                "startedDateTime": "2026-05-01T10:%02d:0%d.000Z" % (number, turn * 3), "time": 20, "cache": {},
                "request": {"method": "GET", "url": "https://api.example.com/" + quoted + "/<b>?token=" + quoted,
                            "httpVersion": "HTTP/1.1", "cookies": [], "queryString": [], "headersSize": -1, "bodySize": 0,
                            "headers": [{"name": "Authorization", "value": "Bearer " + quoted},
                                        {"name": "User-Agent", "value": text}]},
                "response": {"status": 401, "statusText": text, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                             "content": {"size": 0, "mimeType": text}, "redirectURL": text, "headersSize": -1, "bodySize": 0},
                "timings": {"send": 0, "wait": 20, "receive": 0},
            })
    return {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": entries}}


class Schemas:
    def __init__(self):
        with open(os.path.join(FOLDER, "sarif.json"), encoding="utf-8") as file:
            self.sarif = jsonschema.Draft7Validator(json.load(file), format_checker=jsonschema.FormatChecker())
        self.junit = xmlschema.XMLSchema(os.path.join(FOLDER, "junit.xsd"))
        self.checked = 0

    def check(self, name, sarif, junit):
        faults = ["%s: %s" % (list(error.absolute_path), error.message) for error in self.sarif.iter_errors(sarif)]
        run = sarif["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                faults.append("ruleIndex of %s" % result["ruleId"])
        faults += ["%s: %s" % (error.path, error.reason) for error in self.junit.iter_errors(junit)]
        root = ElementTree.fromstring(junit)
        for attribute, element in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            suites = [int(suite.get(attribute)) for suite in root]
            found = [len(suite.findall(".//" + element)) for suite in root]
            if suites != found or int(root.get(attribute)) != sum(suites):
                faults.append("the counts of %s don't add up" % attribute)
        for suite in root:
            if int(suite.get("skipped")) != len(suite.findall("testcase/skipped")):
                faults.append("the count of skipped in %s is wrong" % suite.get("name"))
        for fault in faults[:10]:
            print("%s: %s" % (name, fault))
        self.checked += 1
        return len(faults) + (0 if run["results"] or name == "empty" else 1)


def main():
    schemas = Schemas()
    faults = 0
    with understudy.start("--quiet") as server:
        reports = lambda query: [server.call("GET", "/conduct?format=%s%s" % (name, query)) for name in ("sarif", "junit")]
        faults += schemas.check("empty", *reports(""))
        misbehave(server)
        for query in ("", "&world=*", "&failOn=never", "&failOn=warning", "&api=trendy", "&rule=url/*"):
            faults += schemas.check("report" + query, *reports(query))
    with tempfile.TemporaryDirectory() as folder:
        names = ["a <b>&\"'%25 ü.har", "plain.har"]
        for name in names:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                json.dump(archive(), file)
        for flags in ([], ["--api", "trendy"], ["--fail-on", "warning"]):
            words = [BINARY, "conduct", "--format", "sarif=r.sarif", "junit=r.xml"] + flags + names
            code = subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode
            if code not in (0, 1):
                print("conduct %s: exit code %d" % (" ".join(flags), code))
                faults += 1
                continue
            with open(os.path.join(folder, "r.sarif"), encoding="utf-8") as sarif, open(os.path.join(folder, "r.xml"), encoding="utf-8") as junit:
                faults += schemas.check("files " + " ".join(flags), json.load(sarif), junit.read())
    print("report-schemas: %d reports, %d faults" % (schemas.checked, faults))
    return 1 if faults else 0


sys.exit(main())
