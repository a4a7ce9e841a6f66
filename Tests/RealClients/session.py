"""A server for the tests, calls to it, and clients that are programs of their own."""

import http.client
import json
import os
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from serving import Serving, clean_environment

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
#: The content of `/data` of the API `shop`: 256 KiB, no two parts of it alike.
DATA = b"".join(number.to_bytes(4, "big") for number in range(65_536))
API = {
    "tables": {"orders": {}},
    "resources": [{"path": "/orders", "table": "orders"}],
    "idempotency": True,
    "slashes": "redirect",
}
STUBS = [
    {"match": {"path": "/data"}, "response": {"file": "data.bin"}},
    {"match": {"path": "/moved"}, "response": {"status": 302, "headers": [["Location", "/cookie"], ["Set-Cookie", "a=1; Path=/"]]}},
    {"match": {"path": "/cookie", "headers": {"Cookie": {"contains": "a=1"}}}, "response": {"text": "with"}},
    {"match": {"path": "/cookie"}, "response": {"text": "without"}},
    {"match": {"path": "/events"}, "response": {"events": [{"id": str(number), "data": {"n": number}} for number in range(1, 4)]}},
    {"match": {"path": "/json"}, "response": {"body": {"words": ["the same"] * 200}}},
]


class Understudy(Serving):
    """`understudy serve` with all built-in APIs and the API `shop`, over plain HTTP and TLS."""

    def __init__(self, *flags):
        self.folder = tempfile.TemporaryDirectory()
        folder = self.folder.name
        api = os.path.join(folder, "apis", "shop")
        for name in ("stubs", "files", "tables"):
            os.makedirs(os.path.join(api, name))
        with open(os.path.join(api, "files", "data.bin"), "wb") as file:
            file.write(DATA)
        for path, content in {"api.json": API, "stubs/all.json": STUBS, "tables/orders.json": [{"id": 1, "title": "Mug"}]}.items():
            with open(os.path.join(api, path), "w") as file:
                json.dump(content, file)
        self.binary = os.environ["REAL_CLIENTS_BINARY"]
        self.environment = {**clean_environment(), "HOME": folder, "XDG_DATA_HOME": folder}
        self.launch(
            self.binary, "serve", "--port", "0", "--quiet", "--tls", "on", "--clock", "frozen:2025-01-01T12:00:00Z", *flags,
            cwd=folder, env=self.environment, errors=os.path.join(folder, "errors"),
        )
        self.environment["UNDERSTUDY_URL"] = self.hub

    def stop(self, number=None):
        status = super().stop(number)
        self.folder.cleanup()
        return status

    def call(self, method, path, body=None):
        """A control call; its JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, "/__admin" + path, content, {"Content-Type": "application/json"} if content else {})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status >= 400:
                raise AssertionError(f"{method} {path}: {answer.status} {text[:500]}")
            return json.loads(text) if text else None
        finally:
            connection.close()

    def fault(self, effect, times=None, phase=None, **match):
        """Adds a fault of the API `shop`."""
        body = {"match": {"api": "shop", **match}, "effect": effect}
        if times:
            body["when"] = {"times": times}
        if phase:
            body["phase"] = phase
        return self.call("POST", "/faults", body)

    def requests(self, path):
        """The entries of a path, oldest first."""
        entries = self.call("GET", "/requests?limit=1000")["items"]
        return [entry for entry in reversed(entries) if entry["path"] == path]

    def findings(self, *rules):
        """The rules that the world's clients have broken."""
        query = "&".join("rule=" + urllib.parse.quote(rule, safe="") for rule in rules)
        return [finding["rule"] for finding in self.call("GET", f"/conduct?{query}")["findings"]]

    def run(self, *words, seconds=60, **options):
        """A program with the server's environment; what it prints, and its status."""
        done = subprocess.run(words, capture_output=True, timeout=seconds, env=self.environment, cwd=self.folder.name, **options)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


class ClientTest(unittest.TestCase):
    """Tests against one server, each with a fresh world."""

    @classmethod
    def setUpClass(cls):
        cls.server = Understudy()
        cls.addClassCleanup(cls.server.stop)
        cls.shop = cls.server.apis["shop"]

    def setUp(self):
        self.server.call("DELETE", "/connection-faults")
        self.server.call("POST", "/reset")

    def need(self, program):
        """Leaves the test out where a program is missing."""
        if not shutil.which(program):
            self.skipTest(f"there is no {program} on this machine")

    def node(self, *words):
        """What fetch says, as JSON."""
        self.need("node")
        status, text = self.server.run("node", os.path.join(HERE, "fetch.mjs"), *words)
        self.assertEqual(status, 0, text)
        return json.loads(text)

    def java(self, *words):
        """What the two clients of the JDK say, as text."""
        self.need("javac")
        folder = os.path.join(self.server.folder.name, "java")
        if not os.path.isdir(folder):
            status, text = self.server.run("javac", "-d", folder, os.path.join(HERE, "Client.java"))
            self.assertEqual(status, 0, text)
        return self.server.run("java", "-cp", folder, "Client", *words)[1]
