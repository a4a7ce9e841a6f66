"""Console contract, sections 12, 13, 14, 16 and 22: what somebody sees who comes for the first time, and where marks lead."""

import contextlib
import json
import os
import re
import subprocess
import tempfile

from harness import ConsoleCase, expect

SIZES = ((1360, 860), (1024, 768), (901, 700))
# Two rows of 28 px, with what is between and around them.
TWO_ROWS = 84


class FirstVisitTests(ConsoleCase):
    def test_14_a_first_visit_shows_addresses_and_what_to_try(self):
        page, server = self.open(), self.server
        self.settled()
        titles = {one["name"]: one["title"] for one in server.control("GET", "/apis")["items"]}
        addresses = page.get_by_role("list", name="Addresses").get_by_role("listitem")
        expect(addresses).to_have_count(len(titles))
        for name, title in titles.items():
            self.button("Copy address of " + title).click()
            self.said("Copied")
            self.assertEqual(page.evaluate("navigator.clipboard.readText()"), server.apis[name])
            expect(page.get_by_role("link", name="Documentation of " + title)).to_have_attribute("href", "/docs/" + name)
        expect(page.get_by_role("region", name="Point an app here")).to_contain_text("NSAllowsLocalNetworking")
        # The checked APIs are those that are meant, and leave nothing out where there is nothing.
        page.get_by_role("checkbox", name="OmniChat").check()
        expect(addresses).to_have_count(1)
        expect(page.get_by_text("No requests yet")).to_be_visible()
        tries = page.get_by_role("region", name="What to try")
        tries.get_by_role("button", name="New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        expect(dialog.get_by_role("combobox", name="API")).to_have_value("omnichat")
        page.keyboard.press("Escape")
        tries.get_by_role("button", name="Advance 15 minutes").click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 12:15:00 UTC, frozen")).to_be_visible()
        # What the clock notes is above, and covers nothing.
        note, words = page.locator(".note-row").last, page.get_by_role("heading", name="No requests yet")
        expect(note).to_contain_text("clock")
        self.assertLess(note.bounding_box()["y"] + 20, words.bounding_box()["y"])
        tries.get_by_role("link", name="Scenarios").click()
        expect(page.get_by_role("heading", level=1, name="Scenarios")).to_be_visible()

    def test_14_the_command_of_a_first_visit_is_a_request_of_the_world(self):
        for world in ("main", "other"):
            with contextlib.suppress(AssertionError):
                self.server.control("POST", "/worlds", {"name": world})
            for api, path, status in (("carbscan", "/api/mobile/v1/health", "200"), ("omnichat", "/api/v1/conversations", "401")):
                self.server.control("DELETE", "/requests", world=world)
                page = self.open("#/traffic?world=%s&api=%s" % (world, api))
                self.settled()
                self.button("Copy command").click()
                self.said("Copied")
                command = page.evaluate("navigator.clipboard.readText()")
                prefix = "" if world == "main" else "/@" + world
                self.assertEqual(command, "curl -i %s%s%s" % (self.server.apis[api], prefix, path))
                answer = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
                self.assertEqual(answer.split()[1], status)
                self.rows("1 of 1 requests")
                expect(page.get_by_text("No requests yet")).to_have_count(0)
        self.server.control("DELETE", "/worlds/other")

    def test_12_the_chips_say_that_they_filter_and_what_no_mark_means(self):
        page = self.open()
        self.settled()
        group = page.get_by_role("group", name="APIs")
        expect(group).to_contain_text("Filter by API")
        everything = group.get_by_role("button", name="All APIs")
        expect(everything).to_have_attribute("aria-pressed", "true")
        for name in ("CarbScan", "Trendy"):
            group.get_by_role("checkbox", name=name).check()
        expect(everything).to_have_attribute("aria-pressed", "false")
        expect(page).to_have_url(re.compile("api=carbscan,trendy"))
        everything.click()
        expect(everything).to_have_attribute("aria-pressed", "true")
        expect(group.get_by_role("checkbox", checked=True)).to_have_count(0)
        self.assertNotIn("api=", page.url)

    def test_13_empty_places_have_their_button_and_the_command_behind_it(self):
        tables = [(api, one) for api in self.server.apis for one in self.server.control("GET", "/state/" + api)["items"]]
        bare = next("%s/%s" % (api, one["name"]) for api, one in tables if not one["rows"])
        places = (
            ("faults", "Nothing is held", "Hold requests", "New gate"),
            ("faults", "No gates", "New gate", "New gate"),
            ("faults", "No faults", "New fault", "New fault"),
            ("clock?api=omnichat&kind=access", "Nothing comes due", "New token", "New token"),
            ("worlds", "No snapshots", "New snapshot", "New snapshot"),
            ("state/" + bare, "No rows", "Add a row", ""),
            ("system", "No events yet", "Write a note", ""),
            ("users", "No messages", "", ""),
        )
        for address, words, name, dialog in places:
            page = self.open("#/" + address)
            self.settled()
            place = page.locator(".empty").filter(has_text=words)
            expect(place.get_by_text(words)).to_be_visible()
            expect(place.locator("pre")).to_contain_text("curl ")
            place.get_by_role("button", name="Copy command").click()
            self.said("Copied")
            if not name:
                expect(place.get_by_role("link")).to_have_attribute("href", "/docs/sawaed")
                continue
            # The one of its page: a reader does not look for another.
            expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
            place.get_by_role("button", name=name, exact=True).click()
            if dialog:
                expect(page.get_by_role("dialog", name=dialog)).to_be_visible()
            else:
                expect(page.get_by_text(words)).to_have_count(0 if address == "system" else 1)
                if address != "system":
                    # It is there without scrolling.
                    expect(place).to_be_in_viewport()
                    expect(page.get_by_role("region", name="Row", exact=True)).to_contain_text("New row")

    def test_16_what_is_in_effect_stands_above_what_is_empty(self):
        control, page = self.server.control, self.open("#/faults")
        self.settled()
        regions = page.get_by_role("main").locator("section > h2")

        def order(*names):
            expect(regions).to_have_text(list(names))

        order("Held requests", "Gates", "Faults", "Latency")
        control("POST", "/faults", {"match": {"path": "/never"}, "effect": {"status": 500}})
        order("Faults", "Held requests", "Gates", "Latency")
        # What has the focus, or is held down, stays where it is.
        page.get_by_role("combobox", name="Profile").focus()
        control("PUT", "/latency", {"profile": "3g"})
        order("Faults", "Latency", "Held requests", "Gates")
        expect(page.get_by_role("combobox", name="Profile")).to_be_focused()
        self.button("Hold requests").hover()
        page.mouse.down()
        control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        expect(page.get_by_role("switch", name="Gate g")).to_be_visible()
        order("Faults", "Latency", "Held requests", "Gates")
        page.mouse.up()
        expect(page.get_by_role("dialog", name="New gate")).to_be_visible()
        page.keyboard.press("Escape")
        order("Gates", "Faults", "Latency", "Held requests")
        thread, _ = self.server.later("GET", "/omnichat/api/models")
        order("Held requests", "Gates", "Faults", "Latency")
        control("DELETE", "/gates/g")
        thread.join(30)
        control("PUT", "/latency", {"profile": "none"})
        order("Faults", "Held requests", "Gates", "Latency")


class MarkTests(ConsoleCase):
    def test_14_marks_lead_to_what_they_name(self):
        server, token = self.server, self.token()
        server.call("GET", "/omnichat/api/v1/nothing?next=%252Fhome")
        server.call("GET", "/omnichat/api/v1/other")
        server.control("POST", "/faults", {"name": "slow", "match": {"path": "/api/models"}, "effect": {"status": 503}})
        server.control("PUT", "/scenarios/omnichat/unicode")
        server.call("GET", "/omnichat/api/models", token=token)
        page = self.open()
        self.rows("3 of 3 requests")
        grid = page.get_by_role("grid", name="Traffic")
        row = grid.get_by_role("row").filter(has_text="/api/v1/other")
        finding = row.get_by_role("link", name="finding url/unknown-route")
        finding.click()
        expect(page).to_have_url(re.compile(r"#/report\?.*rule=url/unknown-route&request=req_2$"))
        chosen = page.get_by_role("article").filter(has_text="/api/v1/other")
        expect(chosen).to_be_focused()
        expect(chosen).to_have_class(re.compile("chosen"))
        expect(page.locator(".chosen")).to_have_count(1)
        expect(chosen).to_contain_text("names the nearest operations")
        expect(chosen).to_be_in_viewport()
        # What comes later takes the focus from nothing.
        self.button("Commands").focus()
        with page.expect_response(lambda response: response.url.endswith("/__admin/conduct")):
            server.call("GET", "/omnichat/api/v1/third")
        expect(page.get_by_role("article").filter(has_text="/api/v1/third")).to_be_visible()
        expect(self.button("Commands")).to_be_focused()
        page.go_back()
        self.rows("4 of 4 requests")
        # Two marks, and the number of the others.
        many = grid.get_by_role("row").filter(has_text="%252Fhome")
        expect(many.get_by_role("link")).to_have_text([re.compile("^unmatched$"), re.compile("^finding url/"), "+1"])
        many.get_by_role("link", name="+1").click()
        exchange = page.get_by_role("region", name="Exchange", exact=True)
        exchange.get_by_role("link", name="url/double-encoded").click()
        expect(page.get_by_role("article").filter(has_text="Double-encoded")).to_be_focused()
        for mark, address in (
            ("unmatched", "filter=is:unmatched&exchange=req_2"),
            ("fault flt_1", "#/faults"),
            ("scenario unicode", "#/scenarios.*q=omnichat/unicode"),
        ):
            self.open("#/traffic")
            self.rows("4 of 4 requests")
            place = row if mark == "unmatched" else grid.get_by_role("row").filter(has_text="503")
            place.get_by_role("link", name=mark).click()
            expect(page).to_have_url(re.compile(address))

    def test_14_marks_end_in_an_ellipsis_and_are_seen_at_1024_px(self):
        server = self.server
        for _ in range(2):
            server.call("GET", "/omnichat/api/v1/nothing?next=%252Fhome", token=self.token())
        for width, height in SIZES[:2]:
            self.page.set_viewport_size({"width": width, "height": height})
            page = self.open()
            self.rows("2 of 2 requests")
            link = page.get_by_role("link", name=re.compile("^finding ")).first
            expect(link).to_be_visible()
            expect(link).to_have_attribute("title", re.compile("^finding "))
            cut = link.evaluate("(node) => [getComputedStyle(node).textOverflow, node.scrollWidth > node.clientWidth]")
            self.assertEqual(cut, ["ellipsis", True], width)
            inside = page.locator("[role=gridcell][data-key=marks]").first.evaluate(
                "(node) => node.getBoundingClientRect().right <= document.querySelector('[role=grid]').getBoundingClientRect().right"
            )
            self.assertTrue(inside, width)


class FrameTests(ConsoleCase):
    """Five built-in APIs and seven others with long titles."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for number in range(7):
            path = os.path.join(cls.folder.name, "own%s" % number)
            os.makedirs(path)
            with open(os.path.join(path, "api.json"), "w", encoding="utf-8") as file:
                json.dump({"title": "An API with a long title %s" % number}, file)
        cls.flags = ("--apis", cls.folder.name)
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_12_the_banner_takes_two_rows(self):
        self.server.control("POST", "/faults", {"name": "one", "match": {"path": "/never"}, "effect": {"status": 500}})
        self.server.control("PUT", "/clock", {"mode": "offset", "now": "2025-01-01T12:00:00Z", "rate": 60})
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            page = self.open("#/faults")
            self.settled()
            last = page.get_by_role("checkbox", name="An API with a long title 6")
            expect(last).to_be_attached()
            self.assertLess(page.get_by_role("banner").bounding_box()["height"], TWO_ROWS, width)
            self.assertFalse(page.evaluate("document.documentElement.scrollWidth > innerWidth"), width)
            # What is out of sight is scrolled to, by pointer and by keys.
            last.focus()
            last.check()
            expect(last).to_be_in_viewport()
            for name in ("Commands", "Preferences", "Keyboard shortcuts"):
                expect(self.button(name)).to_be_in_viewport()
            page.get_by_role("button", name="All APIs").click()
        self.button("Preferences").click()
        expect(page.get_by_role("dialog", name="Preferences")).to_be_visible()


class OneAPITests(ConsoleCase):
    flags = ("--api", "trendy")

    def test_12_one_api_is_not_filtered_by(self):
        page = self.open()
        self.settled()
        expect(page.get_by_role("list", name="Addresses").get_by_role("listitem")).to_have_count(1)
        expect(page.get_by_role("group", name="APIs")).to_have_count(0)
        self.assertLess(page.get_by_role("banner").bounding_box()["height"], TWO_ROWS)
        self.open("#/users")
        self.settled()
        # No API here sends a code by the command of another.
        place = page.locator(".empty").filter(has_text="No messages")
        expect(place.get_by_role("link")).to_have_attribute("href", "/docs/")
        expect(place.locator("pre")).to_have_count(0)
