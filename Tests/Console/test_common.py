"""Console contract, sections 12, 13, 23 and 24: what holds on every page, and what leads there."""

import json
import re

from harness import ConsoleCase, expect

BOTH_CLOCKS = re.compile(r"^World 2\d{3}-\d\d-\d\dT[\d:.]+Z, machine ")


class FrameTests(ConsoleCase):
    def test_12_an_unknown_world_says_so_whatever_its_name(self):
        page = self.page
        for name in ("nope", "a b", "%E6%97%A5%E6%9C%AC", "../x"):
            self.open("#/traffic?world=" + name)
            expect(page.get_by_role("heading", level=1)).to_have_text("Unknown world")
            link = page.get_by_role("main").get_by_role("link")
            expect(link).to_have_attribute("href", "#/traffic")
            expect(page.get_by_role("button", name="Clock", exact=True)).to_be_visible()
        # What says so is asked for again, and does not take the focus away.
        link.focus()
        with page.expect_response(lambda response: response.url.endswith("/__admin/events")):
            pass
        with page.expect_response(lambda response: response.url.endswith("/__admin/events")):
            pass
        expect(link).to_be_focused()
        link.click()
        expect(page).to_have_url(re.compile("#/traffic$"))
        self.live()
        expect(page.get_by_role("grid", name="Traffic")).to_be_visible()

    def test_12_a_world_that_is_made_later_is_shown(self):
        page = self.open("#/traffic?world=later")
        expect(page.get_by_role("heading", level=1)).to_have_text("Unknown world")
        self.server.control("POST", "/worlds", {"name": "later"})
        self.addCleanup(self.server.control, "DELETE", "/worlds/later")
        expect(page.get_by_role("grid", name="Traffic")).to_be_visible()
        self.live()

    def test_12_commands_find_what_is_written_out_however_many_are_like_it(self):
        for _ in range(160):
            self.server.call("GET", "/omnichat/api/models")
        page = self.open()
        self.rows("160 of 160 requests")
        page.keyboard.press("Control+k")
        dialog = page.get_by_role("dialog", name="Commands")
        dialog.get_by_role("combobox", name="Command").fill("req_1")
        expect(dialog.get_by_role("option", selected=True)).to_have_text(re.compile("^req_1GET"))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("exchange=req_1(&|$)"))

    def test_12_the_choice_among_commands_survives_live_changes(self):
        page = self.open()
        self.settled()
        page.keyboard.press("Control+k")
        dialog = page.get_by_role("dialog", name="Commands")
        dialog.get_by_role("combobox", name="Command").fill("omnichat/")
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        chosen = dialog.get_by_role("option", selected=True)
        name = chosen.text_content()
        with page.expect_response(lambda response: response.url.endswith("/__admin/faults")):
            self.server.control("POST", "/faults", {"match": {"path": "/never"}, "effect": {"status": 500}})
        expect(page.get_by_role("link", name="1 fault on", include_hidden=True)).to_have_count(1)
        expect(chosen).to_have_text(name)

    def test_12_the_dialog_clock_has_the_buttons_of_section_18(self):
        page = self.open()
        self.settled()
        page.keyboard.press("Control+.")
        dialog = page.get_by_role("dialog", name="Clock")
        for name in ("1 minute", "15 minutes", "1 hour", "1 day", "31 days"):
            expect(dialog.get_by_role("button", name="Advance " + name, exact=True)).to_be_visible()
        dialog.get_by_role("textbox", name="Duration").fill("PT2H")
        expect(dialog.get_by_role("status", name="Preview")).to_contain_text("To 2025-01-01 14:00:00 UTC")
        dialog.get_by_role("button", name="Advance", exact=True).click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 14:00:00 UTC, frozen")).to_be_visible()
        dialog.get_by_role("textbox", name="Instant").fill("2025-03-01T08:00:00Z")
        dialog.get_by_role("button", name="Set clock").click()
        expect(page.get_by_role("button", name="Clock 2025-03-01 08:00:00 UTC, frozen")).to_be_visible()
        dialog.get_by_role("button", name="Run", exact=True).click()
        expect(dialog.get_by_role("button", name="Freeze", exact=True)).to_be_visible()
        dialog.get_by_role("spinbutton", name="Rate").fill("60")
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=re.compile("running, 60 times$"))).to_be_visible()

    def test_12_the_dialog_clock_shows_what_has_come_to_be_due(self):
        page = self.open()
        self.settled()
        page.keyboard.press("Control+.")
        due = page.get_by_role("dialog", name="Clock").get_by_role("list", name="Next")
        expect(due.get_by_role("listitem").first).to_be_visible()
        self.server.call("POST", "/sawaed/api/mobile/v1/auth/request-otp", {"email": "layla@sawaed.test"})
        expect(due).to_contain_text("The code for layla@sawaed.test ends")


class CommonTests(ConsoleCase):
    def copied(self, dialog, name):
        dialog.get_by_role("button", name=name, exact=True).click()
        self.said("Copied")
        text = self.page.evaluate("navigator.clipboard.readText()")
        self.page.evaluate("navigator.clipboard.writeText('')")
        return text

    def swift(self, dialog):
        text = self.copied(dialog, "Copy as Swift")
        self.assertIn("import UnderstudyTesting", text)
        self.assertNotIn("URLRequest", text)
        return text.split("\n")

    def test_13_dialogs_are_copied_as_calls_of_the_library(self):
        server = self.server
        when = {"skip": 1, "until": "2026-01-01T00:00:00.000Z"}
        match = {"path": {"regex": "/a.*"}, "query": {"q": {"contains": "x"}}}
        server.control("POST", "/faults", {"name": "one", "match": match, "when": when, "effect": {"status": 500}})
        server.control("POST", "/worlds", {"name": "other"})
        self.addCleanup(server.control, "DELETE", "/worlds/other")
        page = self.open("#/faults")
        self.button("Edit one").click()
        dialog = page.get_by_role("dialog", name="Edit fault")
        dialog.get_by_role("textbox", name="Name").fill('a "b"')
        dialog.get_by_role("spinbutton", name="Skip").fill("2")
        expected = 'name: #"a "b""#, when: Fault.When(skip: 2, until: "2026-01-01T00:00:00.000Z")'
        self.assertEqual(
            self.swift(dialog)[-2:],
            ['let fault = try await world.fault("flt_1")', "try await world.change(fault, %s)" % expected],
        )
        self.assertIn("-X PATCH", self.copied(dialog, "Copy as curl"))
        dialog.get_by_role("textbox", name="Name").fill("")
        self.assertIn('world.call("PATCH", "/faults/flt_1", body: [', self.swift(dialog)[-1])
        page.keyboard.press("Escape")
        self.button("New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        dialog.get_by_role("switch", name="As JSON").click()
        dialog.get_by_role("textbox", name="Fault (JSON)").fill(json.dumps({"match": match, "effect": {"status": 500}, "enabled": False}))
        self.assertEqual(
            self.swift(dialog)[-1],
            'try await world.add(Fault(Effect(["status": 500]), on: Match(pathRegex: "/a.*", query: ["q": .contains("x")]), enabled: false))',
        )
        page = self.open("#/worlds")
        self.button("Delete other").click()
        lines = self.swift(page.get_by_role("alertdialog", name="Delete other"))
        self.assertEqual(lines[-2:], ['let world = try await server.world(named: "other")', "try await world.delete()"])
        page.keyboard.press("Escape")
        self.button("New world").click()
        dialog = page.get_by_role("dialog", name="New world")
        self.assertEqual(self.swift(dialog)[-1], "let made = try await server.world(lifetime: nil)")
        dialog.get_by_role("textbox", name="Clock").fill("real")
        self.assertEqual(self.swift(dialog)[-1], 'let answer = try await world.call("POST", "/worlds", body: ["clock": ["mode": "real"]])')

    def test_13_what_may_not_be_copied_is_shown_selected(self):
        page = self.page
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        self.server.call("GET", "/omnichat/api/models")
        self.open("#/faults")
        self.settled()
        self.button("New fault").click()
        copy = page.get_by_role("dialog", name="New fault").get_by_role("button", name="Copy as curl", exact=True)
        copy.click()
        shown = page.get_by_role("dialog", name="Copy this text")
        area = shown.get_by_role("textbox", name="Text to copy")
        expect(area).to_have_value(re.compile("^curl -X POST http.*/__admin/faults "))
        self.assertEqual(page.evaluate("getSelection().toString()"), area.input_value())
        shown.get_by_role("button", name="Close", exact=True).click()
        expect(shown).to_have_count(0)
        expect(copy).to_be_focused()
        page.keyboard.press("Escape")
        # Also where no other dialog has been loaded.
        self.open()
        self.rows("1 of 1 requests")
        page.get_by_role("grid", name="Traffic").focus()
        page.keyboard.press("Home")
        page.keyboard.press("c")
        expect(area).to_have_value(re.compile("^curl http.*/api/models "))
        page.keyboard.press("Escape")
        expect(page.get_by_role("grid", name="Traffic")).to_be_focused()

    def test_13_what_the_clock_refuses_is_told_at_its_field(self):
        page = self.open("#/clock")
        self.settled()
        for name, text, button in (("Instant", "nonsense", "Set clock"), ("Duration", "P9999999999D", "Advance")):
            field = page.get_by_role("textbox", name=name)
            field.fill(text)
            self.button(button).click()
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(field).to_have_accessible_description(re.compile(r"^\$\."))
            expect(field).to_have_value(text)
            expect(page.get_by_role("alert")).to_have_count(0)

    def test_13_times_have_the_instants_of_both_clocks(self):
        self.server.call("POST", "/sawaed/api/mobile/v1/auth/request-otp", {"email": "layla@sawaed.test"})
        page = self.open("#/users")
        time = page.get_by_role("list", name="Messages").get_by_role("time").first
        expect(time).to_have_accessible_description(BOTH_CLOCKS)
        expect(time).to_have_text(re.compile(r"12:00:00\.\d{3}$"))
        page.get_by_role("link", name="System", exact=True).click()
        grid = page.get_by_role("grid", name="Events")
        self.server.call("GET", "/omnichat/api/models")
        expect(grid.get_by_role("time").first).to_have_accessible_description(re.compile(r"machine 20\d\d-"))
        self.server.control("POST", "/clock/advance", {"by": "PT1H"})
        page.get_by_role("link", name="Clock", exact=True).click()
        for place in (page.get_by_role("list", name="Moves"), page.get_by_role("table", name="Upcoming")):
            expect(place.get_by_role("time").first).to_have_accessible_description(BOTH_CLOCKS)

    def test_13_what_is_cut_says_so(self):
        server = self.server
        # A text of many characters in a row, and as an event.
        row = server.control("GET", "/state/omnichat/messages?limit=1")["items"][0]
        name = next(name for name, value in row["row"].items() if isinstance(value, str) and " " in value)
        row["row"][name] = "x" * 1234
        server.call("PUT", "/__admin/state/omnichat/messages/" + row["id"], row["row"])
        page = self.open("#/state/omnichat/messages")
        self.settled()
        expect(page.get_by_role("grid", name="Rows")).to_contain_text("… (1,234 characters)")
        page = self.open("#/system")
        self.settled()
        server.control("POST", "/notes", {"text": "long", "data": "y" * 2000})
        expect(page.get_by_role("grid", name="Events")).to_contain_text(re.compile(r"y… \(2,\d{3} characters\)"))
        # One token more than are shown decoded.
        tokens = " ".join(server.control("POST", "/tokens", {"api": "omnichat", "user": "test@icloud.com", "kind": "access"})["token"] for _ in range(10))
        server.call("POST", "/omnichat/api/models", {"tokens": tokens})
        page = self.open("#/traffic?exchange=req_1")
        expect(page.get_by_role("region", name="Token", exact=True)).to_have_count(8)
        expect(page.get_by_role("region", name="Exchange", exact=True)).to_contain_text("2 more tokens are not shown")

    def test_13_numbers_have_commas(self):
        page = self.open("#/traffic")
        sizes = page.evaluate(
            """import("/__admin/console/kit/text.js").then(({ size }) => [0, 1010, 1024, 1034240, 1048576].map(size))"""
        )
        self.assertEqual(sizes, ["0 B", "1,010 B", "1 KiB", "1,010 KiB", "1 MiB"])

    def test_13_nothing_comes_due_shows_what_would(self):
        page = self.open("#/clock?api=omnichat&kind=access")
        place = page.get_by_role("region", name="Comes due")
        expect(place).to_contain_text("Nothing comes due")
        place.get_by_role("button", name="Copy command").click()
        self.said("Copied")
        command = page.evaluate("navigator.clipboard.readText()")
        self.assertTrue(command.startswith("curl -X POST " + self.server.hub + "/__admin/tokens "), command)
        order = json.loads(re.search(r"-d '(.*)'$", command)[1])
        self.assertIn("token", self.server.control("POST", "/tokens", order))
        page.reload()
        expect(page.get_by_role("table", name="Upcoming").get_by_role("row")).to_have_count(2)

    def test_13_selected_text_survives_what_changes_nothing_there(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/never"}})
        self.server.control("POST", "/tokens", {"api": "omnichat", "user": "test@icloud.com", "kind": "access"})
        # Both are read again after it, and are as before.
        same = ("PATCH", "/gates/g", {"enabled": True})
        moved = ("PUT", "/clock", {"mode": "frozen", "now": "2025-01-01T12:00:00Z"})
        for name, table, change, asked in (("faults", "Gates", same, "/gates"), ("clock", "Upcoming", moved, "/clock/upcoming")):
            page = self.open("#/" + name)
            self.settled()
            # How long it takes is known when the clock has been read.
            expect(page.get_by_role("table", name=table)).not_to_contain_text("in 0 s")
            cell = page.get_by_role("table", name=table).get_by_role("cell").nth(2)
            cell.evaluate("(node) => getSelection().selectAllChildren(node)")
            text = page.evaluate("getSelection().toString()")
            self.assertTrue(text)
            with page.expect_response(lambda response: asked in response.url):
                self.server.control(*change)
            page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
            self.assertEqual(page.evaluate("getSelection().toString()"), text, table)

    def test_13_a_reset_reads_the_exchange_anew(self):
        self.server.call("GET", "/omnichat/api/models")
        page = self.open("#/traffic?exchange=req_1")
        expect(page.get_by_role("region", name="Exchange", exact=True)).to_contain_text("/api/models")
        self.server.control("POST", "/reset", {})
        expect(page.get_by_role("region", name="Exchange", exact=True)).to_contain_text("req_1 is no longer in the journal")

    def test_23_events_begin_with_what_would_fill_them(self):
        page = self.open("#/system")
        self.settled()
        region = page.get_by_role("region", name="Events", exact=True)
        expect(region).to_contain_text("No events yet")
        self.server.control("POST", "/notes", {"text": "here"})
        expect(region.get_by_role("row").filter(has_text="here")).to_be_visible()
        expect(region).not_to_contain_text("No events yet")

    def test_24_the_clock_opens_above_another_dialog(self):
        page = self.open("#/faults")
        self.settled()
        self.button("New fault").click()
        fault = page.get_by_role("dialog", name="New fault")
        fault.get_by_role("textbox", name="Name").fill("kept")
        page.keyboard.press("Control+.")
        clock = page.get_by_role("dialog", name="Clock")
        clock.get_by_role("button", name="Advance 1 hour").click()
        self.said("The clock is at 2025-01-01 13:00:00 UTC")
        page.keyboard.press("Escape")
        expect(clock).to_have_count(0)
        expect(fault.get_by_role("textbox", name="Name")).to_be_focused()
        expect(fault.get_by_role("textbox", name="Name")).to_have_value("kept")

    def test_24_a_capital_without_shift_releases_one(self):
        page, server = self.open("#/faults"), self.server
        self.settled()
        server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/**"}})
        for count in (1, 2):
            server.later("GET", "/omnichat/api/models")
            expect(page.get_by_role("link", name="%s held" % count)).to_be_visible()
        box = page.get_by_role("table", name="Held requests").get_by_role("checkbox").first
        box.evaluate("(node) => node.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, cancelable: true }))")
        expect(page.get_by_role("link", name="1 held")).to_be_visible()
        server.control("DELETE", "/gates/g")

    def test_13_more_calls_are_copied_as_calls_of_the_library(self):
        server = self.server
        server.control("POST", "/gates", {"name": "g1", "match": {"api": "omnichat"}})
        thread, _ = server.later("GET", "/omnichat/api/models")
        self.addCleanup(thread.join, 5)
        self.addCleanup(server.control, "DELETE", "/gates/g1")
        page = self.open("#/faults")
        self.button("Edit and release req_1").click()
        lines = self.swift(page.get_by_role("dialog", name="Edit and release"))
        self.assertRegex(lines[-1], r'^try await world\.gate\(named: "g1"\)\.release\(held: \["req_1"\], effect: Effect\(\["respond": ')

    def test_19_all_scenarios_of_a_world_are_named(self):
        for name in ("omnichat/unicode", "omnichat/file-gone"):
            self.server.control("PUT", "/scenarios/" + name)
        page = self.open("#/worlds")
        expect(page.get_by_role("grid", name="Worlds")).to_contain_text("omnichat/unicode, omnichat/file-gone")

    def test_21_users_of_several_apis_are_shown_and_what_is_left_is_told(self):
        page = self.open("#/users?api=trendy,sawaed")
        table = page.get_by_role("table", name="Users")
        expect(table).to_contain_text("layla@sawaed.test")
        expect(table).to_contain_text("welcome@trendy.example")
        totals = [len(self.server.control("GET", "/users?limit=1000&api=" + api)["items"]) for api in ("trendy", "sawaed")]
        expect(page.get_by_role("region", name="Users")).to_contain_text("%s users" % f"{sum(totals):,}")
