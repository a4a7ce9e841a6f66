"""Unchanged clients behind the forward proxy, plain and over TLS, in two worlds at once (docs/contract/proxy.md)."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

import chromium
from session import HERE, ROOT, Understudy

HOST = "shop.example.com"
URLS = (f"http://{HOST}/orders/1", f"https://{HOST}/orders/1")
WORLDS = ("left", "right")


class ProxyTest(unittest.TestCase):
    """Each client asks for an order of its world. A request without credentials is 407, so none can land in `main`."""

    @classmethod
    def setUpClass(cls):
        cls.server = Understudy("--proxy", "--map", f"{HOST}=shop", "--unmapped", "refuse", "--world-required", "--ca", "ca")
        cls.addClassCleanup(cls.server.stop)
        cls.proxies, cls.variables = {}, {}
        for world in WORLDS:
            cls.proxies[world] = cls.server.call("POST", "/worlds", {"name": world})["proxy"]
            cls.call(world, "PUT", "/state/shop/orders/1", {"id": 1, "title": f"Mug of {world}"})
            status, text = cls.server.run(cls.server.binary, "proxy", "env", "--world", world)
            assert status == 0, text
            cls.variables[world] = dict(line.partition(" ")[2].split("=", 1) for line in map(cls.unquoted, text.splitlines()))

    @staticmethod
    def unquoted(line):
        return " ".join(shlex.split(line))

    @classmethod
    def call(cls, world, method, path, body=None):
        server = cls.server
        where = server.hub + f"/@{world}/__admin" + path
        words = ["curl", "-sS", "--fail-with-body", "--noproxy", "*", "-X", method, where]
        if body is not None:
            words += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        status, text = server.run(*words)
        assert status == 0, text
        return json.loads(text) if text else None

    def setUp(self):
        for world in WORLDS:
            self.call(world, "DELETE", "/requests")
            self.call(world, "DELETE", "/hosts")

    def need(self, program):
        if not shutil.which(program):
            self.skipTest(f"there is no {program} on this machine")

    def program(self, world, *words, **more):
        """What a program prints that has the variables of `proxy env`."""
        environment = {**self.server.environment, **self.variables[world], **more}
        done = subprocess.run(words, capture_output=True, timeout=240, env=environment, cwd=self.server.folder.name)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr).decode("utf-8", "replace"))
        return done.stdout.decode()

    def holds(self, client):
        """Runs a client in both worlds at once; it returns a status (or None) and a text for each address."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            running = {world: pool.submit(client, world) for world in WORLDS}
            found = {world: one.result() for world, one in running.items()}
        for world in WORLDS:
            self.assertEqual(len(found[world]), len(URLS))
            for status, text in found[world]:
                self.assertIn(f"Mug of {world}", text)
                self.assertIn(status, (200, None))
            entries = [one for one in self.call(world, "GET", "/requests?limit=100")["items"] if one["path"] == "/orders/1"]
            self.assertEqual(sorted(one["origin"] for one in entries), [f"http://{HOST}", f"https://{HOST}"], entries)
            self.assertEqual({one["via"] for one in entries}, {"proxy"})
            self.assertNotIn("proxy-", json.dumps([one["headers"] for one in entries]).lower())
            hosts = self.call(world, "GET", "/hosts")["items"]
            seen = {(one["port"], one["outcome"], one["world"]) for one in hosts if one["host"] == HOST}
            self.assertEqual(seen, {(80, "api", world), (443, "api", world)})

    # MARK: Clients that read the variables

    def test_1_curl(self):
        self.need("curl")

        def ask(world):
            return [(200, self.program(world, "curl", "-sS", "--fail", url)) for url in URLS]

        self.holds(ask)

    def test_2_clients_of_python(self):
        for name in ("requests", "httpx", "aiohttp", "urllib"):
            with self.subTest(name):
                self.setUp()
                script = os.path.join(HERE, "proxied.py")
                self.holds(lambda world, name=name: json.loads(self.program(world, sys.executable, "-B", script, name, *URLS)))

    def node_version(self):
        self.need("node")
        text = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
        return tuple(int(part) for part in re.findall(r"\d+", text)[:2])

    def test_3_node_by_its_http_module(self):
        self.need("node")
        self.holds(lambda world: json.loads(self.program(world, "node", os.path.join(HERE, "proxied.mjs"), "http", *URLS)))

    def test_3_node_by_fetch(self):
        major, minor = self.node_version()
        if not (major > 24 or major == 24 and minor >= 5 or major == 22 and minor >= 21):
            self.skipTest("Node's fetch obeys proxies (NODE_USE_ENV_PROXY) since 22.21 and 24.5, and this machine has an older one")
        self.holds(lambda world: json.loads(self.program(world, "node", os.path.join(HERE, "proxied.mjs"), "fetch", *URLS)))

    def lines(self, text):
        return [(int(status), rest) for status, _, rest in (line.partition(" ") for line in text.splitlines())]

    def test_4_java(self):
        self.need("javac")
        folder = os.path.join(self.server.folder.name, "java")
        status, text = self.server.run("javac", "-d", folder, os.path.join(HERE, "Proxied.java"), seconds=240)
        self.assertEqual(status, 0, text)
        self.holds(lambda world: self.lines(self.program(world, "java", "-cp", folder, "Proxied", *URLS)))

    def test_5_go(self):
        self.need("go")
        binary = os.path.join(self.server.folder.name, "proxied")
        environment = {**os.environ, "GOCACHE": os.path.join(ROOT, ".build", "real-clients", "go"), "GO111MODULE": "off", "GOFLAGS": ""}
        done = subprocess.run(["go", "build", "-o", binary, os.path.join(HERE, "proxied.go")], capture_output=True, env=environment, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.holds(lambda world: self.lines(self.program(world, binary, *URLS)))

    # MARK: A browser

    def test_6_chromium_by_the_script(self):
        if not chromium.program():
            self.skipTest("there is no Chromium on this machine")
        self.need("certutil")
        home = self.server.folder.name
        store = os.path.join(home, ".pki", "nssdb")
        os.makedirs(store)
        for words in (["-N", "--empty-password"], ["-A", "-n", "understudy", "-t", "C,,", "-i", self.server.ready["proxy"]["ca"]]):
            status, text = self.server.run("certutil", "-d", "sql:" + store, *words)
            self.assertEqual(status, 0, text)
        script = self.server.ready["proxy"]["pac"]

        def ask(world):
            with chromium.Chromium(script, home, world, "x") as browser:
                return [(None, browser.text(url)) for url in URLS]

        self.holds(ask)

    # MARK: What they are refused

    def test_7_an_unmapped_host_is_refused_in_words_that_a_log_shows(self):
        self.need("curl")
        text = self.program("left", "curl", "-sS", "http://tracker.example/")
        self.assertEqual(json.loads(text)["type"].rpartition("/")[2], "unmapped-host")
        status, text = self.server.run("curl", "-sS", "-x", self.proxies["left"], "https://tracker.example/")
        self.assertNotEqual(status, 0)
        self.assertIn("403", text)
        ready = self.server.ready["proxy"]
        status, text = self.server.run("curl", "-sS", "-x", ready["url"], "--cacert", ready["ca"], URLS[1])
        self.assertNotEqual(status, 0)
        self.assertIn("407", text)
