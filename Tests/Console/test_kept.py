"""Console contract, sections 12 to 22: what a person did or wrote acts where it was meant, and is not lost."""

import re

from harness import ConsoleCase, expect


class KeptTests(ConsoleCase):
    def made(self, name):
        self.server.control("POST", "/worlds", {"name": name})
        self.addCleanup(self.server.control, "DELETE", "/worlds/" + name)

    def test_13_undo_acts_on_the_world_that_was_reset(self):
        server = self.server
        self.made("other")
        server.control("POST", "/snapshots", {"name": "console-undo"}, world="other")
        server.control("POST", "/clock/advance", {"by": "PT1H"}, world="other")
        server.control("POST", "/clock/advance", {"by": "PT2H"})
        page = self.open("#/worlds")
        self.button("Reset main").click()
        expect(self.button("Undo reset")).to_be_visible()
        page.evaluate("location.hash = '#/worlds?world=other'")
        expect(page.get_by_role("combobox", name="World")).to_have_value("other")
        self.button("Undo reset").click()
        expect(self.button("Undo reset")).to_be_hidden()
        for _ in range(100):
            if "T14:00:00" in server.control("GET", "/clock")["now"]:
                break
            page.wait_for_timeout(100)
        self.assertIn("T14:00:00", server.control("GET", "/clock")["now"])
        self.assertIn("T13:00:00", server.control("GET", "/clock", world="other")["now"])

    def test_20_the_row_of_another_table_is_closed(self):
        server = self.server
        tables = {
            name: {one["id"] for one in server.control("GET", "/state/trendy/%s?limit=1000" % name)["items"]}
            for name in ("onboarding", "profiles")
        }
        row = sorted(tables["onboarding"] & tables["profiles"])[0]
        page = self.open("#/state/trendy/profiles?row=" + row)
        panel = page.get_by_role("region", name="Row", exact=True)
        expect(panel.get_by_role("textbox", name="Row (JSON)")).not_to_have_value("")
        page.get_by_role("combobox", name="Table").select_option("onboarding")
        expect(panel).to_have_count(0)
        expect(page.get_by_role("grid", name="Rows")).to_be_visible()

    def test_16_the_phase_is_that_of_the_effect_unless_one_is_chosen(self):
        page = self.open("#/faults")
        for chosen, phase in (("", "after"), ("before", "before")):
            self.button("New fault").click()
            dialog = page.get_by_role("dialog", name="New fault")
            dialog.get_by_role("combobox", name="Effect").select_option("drift")
            dialog.get_by_role("textbox", name="Remove").fill("a")
            expect(dialog.get_by_role("combobox", name="Phase")).to_have_value("")
            dialog.get_by_role("combobox", name="Phase").select_option(chosen)
            dialog.get_by_role("button", name="Add fault").click()
            expect(dialog).to_be_hidden()
            self.assertEqual(self.server.control("GET", "/faults")["items"][-1]["phase"], phase)

    def test_16_json_is_refused_where_it_stands_and_nothing_of_it_is_lost(self):
        page = self.open("#/faults")
        self.button("New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        switch = dialog.get_by_role("switch", name="As JSON")
        switch.click()
        text = dialog.get_by_role("textbox", name="Fault (JSON)")
        text.fill('{"effect":{"status":99}}')
        dialog.get_by_role("button", name="Add fault").click()
        expect(dialog.locator(".field-problem, [role=alert]").filter(has_text="status").first).to_be_visible()
        text.fill('{"name":"zz","match":{"path":"/q"},"effect":{"status":503}}')
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "true")
        expect(dialog.get_by_text("The form can show only a simple effect")).to_be_visible()
        text.fill('{"effect":{"status":503}}')
        switch.click()
        expect(dialog.get_by_role("spinbutton", name="Status")).to_have_value("503")
        expect(text).to_be_hidden()

    def test_13_json_is_broken_where_the_line_and_the_column_say(self):
        page = self.open("#/scenarios")
        text = page.get_by_role("textbox", name="Settings (JSON)")
        expect(text).not_to_have_value("")
        for broken, place in (('{\n "a": x\n}\n\n', "Line 2, column 7"), ("[1,\n2", "Line 2, column 2"), ('{"a":1}\n}', "Line 2, column 1")):
            text.fill(broken)
            expect(page.get_by_text(re.compile("^" + place + ":"))).to_be_visible()

    def test_13_typed_settings_survive_a_change_elsewhere(self):
        page = self.open("#/scenarios")
        text = page.get_by_role("textbox", name="Settings (JSON)")
        expect(text).not_to_have_value("")
        api = page.get_by_role("region", name="Settings").get_by_role("combobox", name="API").input_value()
        text.fill('{"mine":1}')
        page.get_by_role("searchbox", name="Search scenarios").focus()
        self.server.control("PUT", "/settings", {api: {}})
        self.server.control("POST", "/reset", {})
        page.wait_for_timeout(600)
        expect(text).to_have_value('{"mine":1}')

    def test_14_a_pause_holds_through_a_filter_and_a_reset(self):
        server, page = self.server, self.open()
        self.live()
        for _ in range(3):
            server.call("GET", "/omnichat/api/models")
        self.rows("3 of 3 requests")
        self.button("Pause").click()
        for _ in range(2):
            server.call("GET", "/omnichat/api/models")
        expect(self.button("Pause, 2 waiting")).to_be_visible()
        page.get_by_role("searchbox", name="Filter").fill("status:4xx")
        self.rows("3 of 5 requests")
        server.control("POST", "/reset", {})
        self.rows("0 of 0 requests")
        for _ in range(4):
            server.call("GET", "/omnichat/api/models")
        self.button("Pause, 4 waiting").click()
        self.rows("4 of 4 requests")

    def test_15_escape_closes_the_exchange_from_within(self):
        self.server.call("GET", "/omnichat/api/models")
        page = self.open("#/traffic?exchange=req_1")
        self.button("Replay").focus()
        page.keyboard.press("Escape")
        expect(page.get_by_role("region", name="Exchange", exact=True)).to_have_count(0)
        expect(page.get_by_role("grid", name="Traffic")).to_be_focused()

    def test_22_a_comparison_of_worlds_is_opened_by_its_address(self):
        self.made("other")
        page = self.open("#/compare?a=main&b=other")
        self.settled()
        expect(page.get_by_text("The journal has no exchange")).to_have_count(0)
        expect(page.get_by_role("main")).to_contain_text("other")

    def test_12_the_address_chooses_what_the_clock_and_the_users_show(self):
        self.server.control("POST", "/tokens", {"api": "omnichat", "user": "test@icloud.com", "kind": "access"})
        page = self.open("#/clock")
        region = page.get_by_role("region", name="Comes due")
        expect(region.get_by_role("row").filter(has_text="omnichat").first).to_be_visible()
        region.get_by_role("combobox", name="Kind").select_option("qr")
        expect(page).to_have_url(re.compile("kind=qr"))
        expect(region.get_by_role("row").filter(has_text="omnichat")).to_have_count(0)
        page.evaluate("location.hash = '#/clock?api=trendy'")
        expect(region.get_by_role("row").filter(has_text="omnichat")).to_have_count(0)
        page.evaluate("location.hash = '#/clock'")
        expect(region.get_by_role("row").filter(has_text="omnichat").first).to_be_visible()
        page = self.open("#/users?api=omnichat,trendy")
        table = page.get_by_role("table", name="Users")
        expect(table.get_by_role("row").filter(has_text="omnichat").first).to_be_visible()
        expect(table.get_by_role("row").filter(has_text="sawaed")).to_have_count(0)

    def test_15_compare_with_takes_the_row_that_is_chosen_next(self):
        for path in ("/omnichat/api/v1/conversations", "/omnichat/api/v1/models", "/omnichat/api/nothing"):
            self.server.call("GET", path)
        page = self.open("#/traffic?exchange=req_1")
        panel = page.get_by_role("region", name="Exchange", exact=True)
        panel.get_by_role("button", name="Compare with…").click()
        expect(panel).to_contain_text("The next row that you choose is compared with this one.")
        panel.get_by_role("button", name="Cancel").click()
        expect(panel).not_to_contain_text("The next row that you choose")
        grid = page.get_by_role("grid", name="Traffic")
        rows = grid.get_by_role("row")
        rows.filter(has_text="/api/nothing").click()
        expect(page).to_have_url(re.compile(r"[?&]exchange=req_3"))
        rows.filter(has_text="/api/v1/conversations").click()
        expect(panel).to_contain_text("/api/v1/conversations")
        panel.get_by_role("button", name="Compare with…").click()
        rows.filter(has_text="/api/nothing").click()
        expect(page).to_have_url(re.compile(r"#/compare\?.*a=req_1&b=req_3"))
        expect(page.get_by_role("heading", level=1, name="Compare")).to_be_visible()
        expect(page.get_by_role("table", name="Differences")).to_contain_text("/api/nothing")
        page.go_back()
        expect(panel).to_contain_text("The next row that you choose is compared with this one.")

    def test_20_an_id_that_is_a_row_of_another_table_leads_to_it(self):
        page = self.open("#/state/omnichat/conversations")
        grid = page.get_by_role("grid", name="Rows")
        model = self.server.control("GET", "/state/omnichat/conversations?limit=1")["items"][0]["row"]["model"]
        grid.get_by_role("link", name=model, exact=True).first.click()
        panel = page.get_by_role("region", name="Row", exact=True)
        expect(page).to_have_url(re.compile(r"#/state/omnichat/models\?.*row="))
        expect(panel.get_by_role("textbox", name="Row (JSON)")).to_have_value(re.compile(re.escape(model)))
        # The row may be in one of two tables.
        self.open("#/state/trafikskola/questions")
        grid.get_by_role("link", name="quiz_1", exact=True).first.click()
        expect(page).to_have_url(re.compile(r"#/state/trafikskola/quizzes\?.*row=quiz_1"))
        self.open("#/state/trafikskola/questions")
        expect(grid.get_by_role("link", name="cat_rules", exact=True).first).to_have_attribute("href", re.compile(r"practiceCategories\?.*row=cat_rules"))
        self.open("#/state/trendy/events")
        row = self.server.control("GET", "/state/trendy/events?limit=1")["items"][0]["row"]
        grid.get_by_role("link", name=row["eventTypeId"], exact=True).first.click()
        expect(page.get_by_role("combobox", name="Table")).to_have_value("eventTypes")
        expect(panel.get_by_role("textbox", name="Row (JSON)")).to_have_value(re.compile(row["eventTypeId"]))
        # A list of ids.
        self.open("#/state/sawaed/aiSkills")
        expect(grid.get_by_role("link", name="skill_data_analysis", exact=True).first).to_have_attribute("href", re.compile(r"sawaed/skills\?.*row=skill_data_analysis"))
