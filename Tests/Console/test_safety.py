"""Console contract, sections 11, 26 and 28 (5, 7, 8, 9): foreign text, the admin token, axe-core."""

import base64
import json
import re
import urllib.parse
import urllib.request

from harness import AXE, FOLDER, IS_SHORT, ConsoleCase, expect

HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>javascript:window.ran=1 \u202e\u0007\u0085 \u2066'
PAGES = ["traffic", "faults", "scenarios", "clock", "worlds", "state", "users", "hosts", "report", "system", "nope"]
DIALOGS = {
    "traffic": ["Columns"], "faults": ["New fault", "New stub", "New gate", "Edit one", "Edit and release req_4"], "users": ["New token"],
    "worlds": ["New world", "Fork main", "New snapshot", "Delete other", "Compare main"], "clock": ["Commands", "Preferences", "Keyboard shortcuts"],
    "system": ["Clock 2025-01-01 12:00:00 UTC, frozen"], "traffic?exchange=req_1": ["Verify from this"],
}
RUN = (
    "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
    ".then((r) => r.violations.map((v) => v.id + ' ' + v.nodes.map((n) => n.html.slice(0, 120)).slice(0, 3).join(' | ')))"
)


class HostileTests(ConsoleCase):
    def test_28_7_foreign_text_is_text_on_every_page(self):
        server = self.server
        request = urllib.request.Request(
            server.hub + "/omnichat/api/" + urllib.parse.quote(HOSTILE) + "?q=" + urllib.parse.quote(HOSTILE),
            data=json.dumps({"a": HOSTILE, "half": "\ud800", "deep": json.loads("[" * 58 + "]" * 58)}).encode(),
            headers={"Content-Type": "application/json", "X-Hostile": "<script>window.ran=1</script>"}, method="POST",
        )
        try:
            urllib.request.urlopen(request)
        except urllib.error.HTTPError:
            pass
        server.call("GET", "/omnichat/" + "x" * 8000)
        order = {"name": HOSTILE, "match": {"path": "/never"}, "effect": {"status": 500}}
        self.assertIn("id", server.control("POST", "/faults", order))
        for name in PAGES + ["traffic?exchange=req_1", "traffic?exchange=req_1&part=Request", "traffic?exchange=req_1&part=Raw", "traffic?exchange=req_2"]:
            page = self.open("#/" + name)
            self.settled()
            self.assertIsNone(page.evaluate("window.ran ?? null"), name)
            self.assertEqual(page.locator("main script, main iframe, main [onerror], [style]").count(), 0, name)
        self.open("#/faults")
        expect(self.page.get_by_role("table", name="Faults")).to_contain_text("⟨U+202E⟩")
        expect(self.page.get_by_role("table", name="Faults")).to_contain_text("␇⟨U+0085⟩")


class TokenTests(ConsoleCase):
    flags = ("--admin-token", "s3cret-token")

    def test_28_8_the_token_is_asked_for_and_is_nowhere_else(self):
        for path in ("/", "/__admin/console", "/__admin/console/main.js", "/__admin/console/style.css"):
            self.assertEqual(self.server.call("GET", path, raw=True)[0], 200, path)
        self.assertEqual(self.server.call("GET", "/__admin/health")[0], 401)
        page = self.open()
        dialog = page.get_by_role("dialog", name="Admin token")
        dialog.get_by_label("Admin token", exact=True).fill("s3cret-token")
        dialog.get_by_role("button", name="Use token").click()
        self.live()
        self.assertEqual(page.evaluate("JSON.stringify([localStorage, sessionStorage])"), "[{},{}]")
        self.open("#token=s3cret-token")
        self.live()
        self.assertNotIn("s3cret", page.url)
        page.get_by_role("link", name="Faults and gates").click()
        page.get_by_role("button", name="New gate").click()
        page.get_by_role("dialog").get_by_role("button", name="Copy as curl").click()
        expect(page.get_by_role("status", name="Announcements")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        self.assertIn("$UNDERSTUDY_ADMIN_TOKEN", copied)
        self.assertNotIn("s3cret", copied)
        for request in self.requests:
            self.assertNotIn("s3cret", request.url.split("#")[0])
            for name, value in request.headers.items():
                self.assertTrue("s3cret" not in value or name == "authorization", name)


class AccessibilityTests(ConsoleCase):
    def test_28_5_axe_finds_nothing_on_any_page_or_dialog(self):
        token = self.token()
        for path in ("/omnichat/api/conversations", "/omnichat/api/models", "/omnichat/nope"):
            self.server.call("GET", path, token=token)
        self.server.control("POST", "/faults", {"name": "one", "effect": {"status": 500}})
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        held = self.server.later("GET", "/omnichat/api/models")
        while not self.server.control("GET", "/gates")["items"][0]["held"]:
            pass
        for name in ("other", "third"):
            self.server.control("POST", "/worlds", {"name": name, "from": "main"})
        pages = PAGES + ["traffic?exchange=req_1", "traffic?exchange=req_1&part=Response", "compare?a=req_1&b=req_2"]
        looks = [(a, b) for a in ("light", "dark") for b in (1280, 320)]
        found = []
        for theme, width in looks:
            self.page.emulate_media(color_scheme=theme)
            self.page.set_viewport_size({"width": width, "height": 800})
            # The short form takes each page in one look, the long one in all four.
            for name in pages[looks.index((theme, width)) :: len(looks)] if IS_SHORT else pages:
                self.open("#/" + name)
                self.settled()
                session = self.context.new_cdp_session(self.page)
                session.send("Runtime.evaluate", {"expression": AXE})
                self.judge(found, "%s %s %s" % (theme, width, name))
                for dialog in DIALOGS.get(name, []):
                    self.page.get_by_role("button", name=dialog, exact=True).first.click()
                    expect(self.page.locator("dialog[open]")).to_be_visible()
                    self.judge(found, "%s %s %s / %s" % (theme, width, name, dialog))
                    self.page.keyboard.press("Escape")
        self.server.control("POST", "/gates/g/release", {})
        held[0].join(60)
        self.server.control("DELETE", "/worlds/other")
        self.server.control("DELETE", "/worlds/third")
        self.assertEqual(found, [])

    def judge(self, found, where):
        found += ["%s: %s" % (where, one) for one in self.page.evaluate(RUN)]
        over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            found.append("%s: scrolls sideways by %s" % (where, over))


def embedded(name):
    """The bytes of a file as it is embedded."""
    with open("Sources/Console/ConsoleFiles.generated.swift", encoding="utf-8") as file:
        return len(base64.b64decode(re.search(r'"%s", "([^"]*)"' % re.escape(name), file.read())[1]))


class SizeTests(ConsoleCase):
    def test_28_10_the_files_are_small(self):
        self.open()
        self.live()
        # The page without traffic needs what says how to begin, too.
        expect(self.page.get_by_role("list", name="Addresses")).to_be_visible()
        traffic = self.sizes(".js")
        for name in PAGES + ["traffic?exchange=req_1"]:
            self.open("#/" + name)
            self.settled()
        modules, styles = self.sizes(".js"), self.sizes(".css")
        print("Traffic %s bytes, all modules %s, styles %s" % (traffic, modules, styles))
        self.assertLessEqual(traffic, 40 * 1024)
        self.assertLessEqual(modules, 100 * 1024)
        self.assertLessEqual(styles, 10 * 1024)
        self.assertEqual([one.url for one in self.requests if one.resource_type == "font"], [])

    def sizes(self, ending):
        """The bytes of the files that were asked for, as they are sent compressed."""
        total = 0
        for url in {one.url for one in self.requests if one.url.endswith(ending) and "/__admin/console/" in one.url}:
            if FOLDER:
                total += embedded(url.split("/__admin/console/")[1])
                continue
            request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as response:
                self.assertEqual(response.headers["Content-Encoding"], "gzip", url)
                total += len(response.read())
        return total
