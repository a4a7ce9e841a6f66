"""A server, a browser, and a page that must stay without complaints."""

import contextlib
import http.client
import json
import os
import re
import signal
import sys
import threading
import unittest
import urllib.error
import urllib.request

import axe_playwright_python
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))

from serving import Serving  # noqa: E402

BINARY = os.path.abspath(os.environ["UNDERSTUDY_BINARY"])
PICTURES = ".build/console-test"
# The folder of the modules, to try them without a build; the binary's own if absent.
FOLDER = os.environ.get("CONSOLE_FOLDER")
IS_SHORT = bool(os.environ.get("CONSOLE_SHORT"))
# A limit that only ends a hang.
expect.set_options(timeout=30_000)
AXE = open(os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js"), encoding="utf-8").read()


class Server(Serving):
    """An understudy on free ports, its clock frozen."""

    ending = signal.SIGKILL

    def __init__(self, *flags, port="0"):
        self.launch(BINARY, "serve", "--port", port, "--quiet", "--clock", "frozen:2025-01-01T12:00:00Z", *flags)

    def call(self, method, path, body=None, token=None, world=None, raw=False):
        """Makes a request of the hub; returns its status and its content."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.hub + path, data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", "Bearer " + token)
        if world:
            request.add_header("X-Understudy-World", world)
        try:
            with urllib.request.urlopen(request) as response:
                status, content = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, content = error.code, error.read()
        if raw:
            return status, content
        try:
            return status, json.loads(content) if content else None
        except ValueError:
            return status, content.decode(errors="replace")

    def control(self, method, path, body=None, **options):
        return self.call(method, "/__admin" + path, body, **options)[1]

    def later(self, method, path, body=None):
        """Makes a request beside the test; returns a list that gets its answer, if one comes: the test may have it cut."""
        answers = []

        def call():
            with contextlib.suppress(http.client.HTTPException, OSError):
                answers.append(self.call(method, path, body))

        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        return thread, answers


class ConsoleCase(unittest.TestCase):
    """A test with a server and a browser of its class, and a page of its own."""

    flags = ()
    permitted = ("clipboard-read", "clipboard-write")

    @property
    def origins(self):
        """The origins that pages may ask."""
        return (self.server.hub,)

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.stop()

    def setUp(self):
        if not self.flags:
            self.server.control("POST", "/reset", {})
        self.complaints, self.requests = [], []
        self.context = self.browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.grant_permissions(list(self.permitted))
        self.context.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))"
        )
        if FOLDER:
            self.context.route(re.compile(r"/__admin/console/.*\.(js|css)$"), self.serve)
        self.page = self.new_page()

    def serve(self, route):
        """Answers with a module of the folder."""
        name = route.request.url.split("/__admin/console/")[1]
        path = os.path.join(FOLDER, name)
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        if os.path.exists(path):
            route.fulfill(path=path, content_type=kind + "; charset=utf-8")
        else:
            route.fulfill(status=404)

    def new_page(self):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.note(message))
        page.on("request", lambda request: self.requests.append(request))
        return page

    def note(self, message):
        # A status of 400 and above is logged as an error too; tests ask for some of them.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def tearDown(self):
        failed = any(error for _, error in getattr(self._outcome, "errors", []) or [])
        if failed or getattr(getattr(self._outcome, "result", None), "failures", None):
            os.makedirs(PICTURES, exist_ok=True)
            try:
                self.page.screenshot(path="%s/%s.png" % (PICTURES, self._testMethodName))
            except Exception:
                pass
        foreign = [one.url for one in self.requests if not one.url.startswith((*self.origins, "blob:", "about:", "data:"))]
        self.context.close()
        self.assertEqual(self.complaints, [])
        self.assertEqual(foreign, [], "no request leaves the origins")

    def open(self, address="#/traffic", page=None):
        page = page or self.page
        page.goto("about:blank")
        page.goto(self.server.hub + "/" + address)
        return page

    def live(self, page=None):
        expect((page or self.page).get_by_role("status", name="Connection")).to_have_text("Live")

    def settled(self, page=None):
        """Waits until the page follows the events and has read its lists."""
        self.live(page)
        expect((page or self.page).get_by_role("main")).not_to_have_attribute("aria-busy", "true")

    def said(self, text):
        """Waits for an announcement."""
        expect(self.page.get_by_role("status", name="Announcements")).to_contain_text(text)

    def rows(self, text, page=None):
        expect((page or self.page).get_by_role("status", name="Rows")).to_have_text(text)

    def button(self, name, **options):
        return self.page.get_by_role("button", name=name, exact=True, **options)

    def token(self, user="test@icloud.com"):
        return self.server.control("POST", "/tokens", {"api": "omnichat", "user": user, "kind": "access"})["token"]
