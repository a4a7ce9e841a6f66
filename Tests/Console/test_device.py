"""Transport contract, section 8: the page for phones, as a phone of 390 px shows it."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import AXE, PICTURES, BINARY, Server, expect
from playwright.sync_api import sync_playwright

# A name that no browser takes for this machine's own, so that http is no secure context, as on a phone.
HOST = "desk.test"
TOKEN = "s3cret"
RULES = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
# The lines of the fingerprint as they are laid out.
LINES = """() => {
  const text = document.querySelector("#fingerprint").firstChild, range = document.createRange(), lines = new Map();
  for (let place = 0; place < text.length; place += 1) {
    range.setStart(text, place);
    range.setEnd(text, place + 1);
    const top = range.getBoundingClientRect().top;
    lines.set(top, (lines.get(top) ?? "") + text.data[place]);
  }
  return [...lines.values()];
}"""


class DeviceServer(Server):
    """A server in device mode whose standard error is kept."""

    def __init__(self, folder):
        words = ["serve", "--port", "0", "--lan", "127.0.0.1", "--ca", "ca", "--admin-token", TOKEN, "--allow-host", HOST,
                 "--pair", "checkout", "--device-link", "myapp://setup?base={base}"]
        self.launch(BINARY, *words, cwd=folder, errors=os.path.join(folder, "errors"))


class DeviceCase(unittest.TestCase):
    """A phone: it has a small screen and fingers, and may trust the root."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = DeviceServer(cls.folder.name)
        cls.playwright = sync_playwright().start()
        cls.strange, cls.trusting = cls.launch(False), cls.launch(True)

    @classmethod
    def launch(cls, trusts):
        """A browser with a home of its own, whose store holds the root or nothing."""
        home = os.path.join(cls.folder.name, "trusting" if trusts else "strange")
        store = os.path.join(home, ".pki/nssdb")
        os.makedirs(store)
        if not shutil.which("certutil"):
            raise AssertionError("the page is NOT tested: there is no certutil (Debian: libnss3-tools)")
        subprocess.run(["certutil", "-N", "--empty-password", "-d", "sql:" + store], check=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSTUDY_")}
        environment["HOME"] = home
        if trusts:
            words = ["trust", "--yes", "--store", "nss", "--ca", os.path.join(cls.folder.name, "ca")]
            subprocess.run([BINARY, *words], env=environment, check=True, stdout=subprocess.DEVNULL)
        return cls.playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], env=environment,
            args=["--no-sandbox", "--host-resolver-rules=MAP %s 127.0.0.1" % HOST],
        )

    @classmethod
    def tearDownClass(cls):
        for browser in (cls.strange, cls.trusting):
            browser.close()
        cls.playwright.stop()
        cls.server.stop()
        cls.folder.cleanup()

    def setUp(self):
        self.complaints, self.contexts = [], []

    def tearDown(self):
        for context in self.contexts:
            context.close()
        self.assertEqual(self.complaints, [])

    def open(self, scheme="http", trusts=False, theme="light", fragment="", before=None):
        browser = self.trusting if trusts else self.strange
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme=theme,
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        # A certificate that is not trusted yet is logged as a resource that did not load.
        page.on("console", lambda said: said.type == "error" and "Failed to load resource" not in said.text
                and self.complaints.append(said.text))
        page.on("request", lambda request: "%s:%d" % (HOST, self.server.port) in request.url
                or self.complaints.append("it asked for " + request.url))
        if before:
            before(page)
        page.goto("%s://%s:%d/__device%s" % (scheme, HOST, self.server.port, fragment))
        return page

    def check(self, page, name, text):
        expect(page.locator("#check-%s span" % name)).to_have_text(text)

    def test_8_it_fits_390_px_in_both_themes_and_axe_finds_nothing(self):
        os.makedirs(PICTURES, exist_ok=True)
        for theme in ("light", "dark"):
            for fragment in ("", "#pair=" + "0" * 32):
                page = self.open(theme=theme, fragment=fragment)
                self.check(page, "trust", re.compile("^no"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
                for target in page.locator("a.file, a.link, button").all():
                    if not target.is_visible():
                        continue
                    box = target.bounding_box()
                    self.assertGreaterEqual(box["height"], 44, target.inner_text())
                    self.assertGreaterEqual(box["width"], 44, target.inner_text())
                    self.assertLessEqual(box["x"] + box["width"], 390, target.inner_text())
                # A line of the fingerprint never ends within a pair.
                lines = page.evaluate(LINES)
                self.assertEqual([len(line) for line in lines], [24, 24, 24, 23], lines)
                background = page.evaluate("getComputedStyle(document.body).backgroundColor")
                shade = sum(int(part) for part in re.findall(r"\d+", background)[:3]) / 3
                self.assertEqual(shade > 128, theme == "light", background)
                page.screenshot(path="%s/device-%s%s.png" % (PICTURES, theme, "-pair" if fragment else ""), full_page=True)
                # The page's policy lets no script in but its own; a devtools script is none of the page's.
                page.evaluate(AXE + "; 0")
                found = page.evaluate(RULES)
                self.assertEqual(
                    [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]], [], theme
                )

    def test_8_it_shows_what_the_contract_lists(self):
        page = self.open()
        links = {link.get_attribute("href") for link in page.locator("a.file").all()}
        self.assertEqual(links, {"/__admin/ca.mobileconfig", "/__admin/ca.crt"})
        with open(os.path.join(self.folder.name, "errors"), encoding="utf-8") as file:
            printed = re.search(r"fingerprint   ([0-9A-F:]{95})", file.read()).group(1)
        expect(page.locator("#fingerprint")).to_have_text(printed)
        for text in ("AirDrop", "Certificate Trust Settings", "CA certificate", "NSAppTransportSecurity", "debug-overrides",
                     "For debug builds only"):
            expect(page.locator("main")).to_contain_text(text)
        shown = {place.inner_text() for place in page.locator(".addresses code").all()}
        self.assertEqual(shown, {"http://%s:%s" % (HOST, url.rsplit(":", 1)[1]) for url in self.server.apis.values()})
        link = page.get_by_role("link", name="Open the app with Trendy").get_attribute("href")
        port = self.server.apis["trendy"].rsplit(":", 1)[1]
        self.assertEqual(link, "myapp://setup?base=http%3A%2F%2Fdesk.test%3A" + port)
        self.assertNotIn(TOKEN, page.content())
        self.assertNotIn(self.server.pairing_code(), page.content())

    def test_8_the_checks_tell_a_phone_that_does_not_trust_the_root(self):
        page = self.open()
        self.check(page, "trust", "no; install and enable the certificate")
        self.check(page, "context", "no; the page was loaded over http")
        self.check(page, "protocol", "http, HTTP/1.1")
        self.check(page, "clock", "agrees with the machine")

    def test_8_the_checks_tell_a_phone_that_trusts_it(self):
        page = self.open(trusts=True)
        self.check(page, "trust", "yes")
        self.check(page, "context", "no; the page was loaded over http")
        page.get_by_role("link", name="this page over https").tap()
        page.wait_for_url(re.compile("^https://"))
        for name, text in (("trust", "yes"), ("context", "yes"), ("protocol", "https, HTTP/1.1"),
                           ("clock", "agrees with the machine")):
            self.check(page, name, text)
        page.get_by_role("button", name="Check again").tap()
        self.check(page, "trust", "yes")

    def test_8_a_clock_that_is_more_than_60_s_off_is_told(self):
        # Seconds pass while the page loads, so that the limit itself is left out.
        for seconds, text in ((30, "agrees with the machine"), (-30, "agrees with the machine"),
                              (600, re.compile(r"^differs by (59|60|61)\d s; certificates may look expired")),
                              (-600, re.compile(r"^differs by (59|60|61)\d s;"))):
            page = self.open(before=lambda page: page.add_init_script(
                "{ const now = Date.now; Date.now = () => now() + %d; }" % (seconds * 1000)))
            self.check(page, "clock", text)

    def test_8_addresses_are_copied_over_http_too(self):
        for scheme, trusts in (("http", False), ("https", True)):
            page = self.open(scheme, trusts)
            button = page.get_by_role("button", name="Copy the address of Trendy")
            button.tap()
            expect(button).to_have_text("Copied")
            page.evaluate("document.body.append(document.createElement('textarea'))")
            page.locator("textarea").focus()
            page.keyboard.press("Control+V")
            port = self.server.apis["trendy"].rsplit(":", 1)[1]
            expect(page.locator("textarea")).to_have_value("%s://%s:%s" % (scheme, HOST, port))

    def test_8_a_phone_pairs_over_https_once(self):
        fragment = "#pair=" + self.server.pairing_code()
        page = self.open(fragment=fragment)
        expect(page.get_by_role("heading", name="Pair this device")).to_be_visible()
        expect(page.get_by_role("button", name="Pair", exact=True)).to_be_disabled()
        expect(page.locator("#pairing-plain")).to_be_visible()
        page = self.open("https", True, fragment=fragment)
        page.get_by_role("button", name="Pair", exact=True).tap()
        result = page.locator("#pairing-result")
        expect(result).to_contain_text("Paired for the world checkout")
        self.assertNotIn("pair=", page.url)
        token = result.locator("code").inner_text()
        self.assertEqual(self.server.call("GET", "/__admin/clock", token=token)[0], 200)
        self.assertEqual(self.server.call("GET", "/__admin/worlds", token=token)[0], 403)
        again = self.open("https", True, fragment=fragment)
        again.get_by_role("button", name="Pair", exact=True).tap()
        expect(again.locator("#pairing-result .bad")).to_have_text("The code was used before.")
        without = self.open("https", True)
        expect(without.locator("#pairing")).to_be_hidden()
