"""Console contract, section 29: the page Hosts."""

import base64
import http.client
import tempfile
import urllib.parse

from harness import AXE, ConsoleCase, expect
from test_safety import RUN


class ProxyOffTests(ConsoleCase):
    def test_29_without_a_proxy_the_page_says_how_to_start_it(self):
        page = self.open("#/hosts")
        self.settled()
        place = page.locator(".empty").filter(has_text="The forward proxy is off")
        expect(place.locator("pre")).to_contain_text("understudy serve --proxy --map api.example.com=")
        place.get_by_role("button", name="Copy command").click()
        self.said("Copied")
        expect(page.get_by_role("region", name="Hosts seen")).to_have_count(0)


class HostsTests(ConsoleCase):
    folder = tempfile.TemporaryDirectory()
    flags = (
        "--proxy", "--ca", folder.name, "--map", "api.example.com=omnichat", "*.shop.example=trendy", "--unmapped", "refuse", "--tunnel", "cdn.example:8443",
    )

    def setUp(self):
        super().setUp()
        self.server.control("DELETE", "/hosts")
        self.server.control("POST", "/reset", {})
        if "w1" not in [one["name"] for one in self.server.control("GET", "/worlds")["items"]]:
            self.server.control("POST", "/worlds", {"name": "w1"})

    def ask(self, target, world=None):
        """A request by the proxy, in absolute form or by CONNECT."""
        proxy = urllib.parse.urlsplit(self.server.ready["proxy"]["url"])
        connection = http.client.HTTPConnection(proxy.netloc, timeout=20)
        headers = {"Host": "a"}
        if world:
            headers["Proxy-Authorization"] = "Basic " + base64.b64encode(("%s:x" % world).encode()).decode()
        connection.request("GET" if "://" in target else "CONNECT", target, headers=headers)
        if "://" in target:
            connection.getresponse().read()
        else:
            connection.sock.recv(4096)
        connection.close()

    @property
    def table(self):
        return self.page.get_by_role("table", name="Hosts", exact=True)

    def row(self, *texts):
        found = self.table.get_by_role("row")
        for text in texts:
            found = found.filter(has_text=text)
        return found

    def count(self, text):
        expect(self.page.get_by_role("region", name="Hosts seen").get_by_role("status")).to_have_text(text)

    def test_29_map_outcomes_and_advice(self):
        page = self.open("#/hosts")
        self.settled()
        proxy = page.get_by_role("region", name="Forward proxy")
        expect(proxy).to_contain_text(self.server.ready["proxy"]["url"])
        expect(proxy).to_contain_text(self.server.ready["proxy"]["sha256"])
        expect(proxy).to_contain_text("refused")
        expect(proxy.get_by_role("table", name="Map").get_by_role("row")).to_have_text(
            ["HostAPIFrom", "api.example.comomnichat--map", "*.shop.exampletrendy--map"])
        expect(proxy.get_by_role("list", name="Passed on").get_by_role("listitem")).to_have_text(["cdn.example:8443"])
        for name, text in (("Copy proxy address", self.server.ready["proxy"]["url"]), ("Copy script address", self.server.ready["proxy"]["pac"])):
            self.button(name).click()
            self.said("Copied")
            self.assertEqual(page.evaluate("navigator.clipboard.readText()"), text)
        none = page.locator(".empty").filter(has_text="No hosts yet")
        expect(none.locator("pre")).to_have_text("curl -x %s api.example.com/" % self.server.ready["proxy"]["url"])
        # What comes is shown at once, and counted.
        self.ask("http://api.example.com/api/v1/conversations")
        expect(self.row("api.example.com:80")).to_contain_text("✓api")
        self.ask("http://api.example.com/api/v1/conversations")
        expect(self.row("api.example.com").get_by_role("cell").nth(4)).to_have_text("2")
        for target, outcome, words in (
            ("tracker.example:443", "refused unmapped-host", "--map tracker.example=API has an API answer for it; --tunnel tracker.example passes it on."),
            ("cdn.example:443", "refused forbidden-port", "--tunnel cdn.example:443 allows this port."),
            ("127.0.0.9:8080", "refused unmapped-host", "--tunnel 127.0.0.9:8080 passes it on."),
        ):
            self.ask(target)
            expect(self.row(target)).to_contain_text(outcome)
            expect(self.row(target)).to_contain_text(words)
        self.count("4 hosts")
        page.get_by_role("link", name="OmniChat", exact=True).click()
        expect(page.get_by_role("heading", level=1, name="Traffic")).to_be_attached()
        expect(page.get_by_role("checkbox", name="OmniChat")).to_be_checked()

    def test_29_search_show_worlds_and_clear(self):
        for number in range(105):
            self.ask("h%d.example:443" % number)
        self.ask("http://x.shop.example/")
        self.ask("http://api.example.com/", world="w1")
        self.ask("only.example:443", world="w1")
        page = self.open("#/hosts")
        self.count("106 hosts")
        expect(self.table.get_by_role("row")).to_have_count(101)
        self.button("Show 6 more hosts").click()
        expect(self.table.get_by_role("row")).to_have_count(107)
        search = page.get_by_role("searchbox", name="Search hosts")
        search.fill("H10")
        self.count("6 of 106 hosts")
        search.fill("nowhere")
        expect(page.get_by_text("Nothing matches")).to_be_visible()
        self.button("Clear search").click()
        kind = page.get_by_label("Show")
        kind.select_option("api")
        self.count("1 of 106 hosts")
        self.assertIn("show=api", page.url)
        kind.select_option("Other hosts")
        self.count("105 hosts")
        page.go_back()
        expect(kind).to_have_value("api")
        kind.select_option("All")
        page.get_by_role("switch", name="All worlds").click()
        self.count("108 hosts")
        expect(self.row("only.example")).to_contain_text("w1")
        # No event of that world comes here.
        self.ask("later.example:443", world="w1")
        expect(self.row("later.example")).to_contain_text("w1")
        page = self.open("#/hosts?world=w1")
        self.count("3 hosts")
        expect(page.get_by_role("region", name="Forward proxy")).to_contain_text("http://w1:x@127.0.0.1:")
        self.button("Clear hosts").click()
        self.said("The list of hosts is empty")
        expect(page.locator(".empty").filter(has_text="No hosts yet").locator("pre")).to_contain_text("curl -x http://w1:x@127.0.0.1:")
        self.assertEqual(len(self.server.control("GET", "/hosts?limit=1000")["items"]), 106)

    def test_29_axe_finds_nothing_in_both_themes_at_each_width(self):
        self.ask("http://api.example.com/api/v1/conversations")
        self.ask("tracker.example:443")
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            for width in (1280, 320):
                self.page.set_viewport_size({"width": width, "height": 900})
                page = self.open("#/hosts")
                self.settled()
                expect(self.table).to_be_visible()
                self.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE})
                self.assertEqual(page.evaluate(RUN), [], "%s, %d px" % (scheme, width))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
