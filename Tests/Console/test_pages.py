"""Console contract, sections 16 to 21."""

import re

from harness import ConsoleCase, expect


class PageTests(ConsoleCase):
    def test_16_three_held_requests_are_let_go_in_another_order(self):
        page, server = self.open("#/faults"), self.server
        for words in ("Nothing is held", "No faults", "No gates"):
            expect(page.get_by_text(words)).to_be_visible()
        self.button("New gate").click()
        dialog = page.get_by_role("dialog", name="New gate")
        dialog.get_by_role("textbox", name="Name").fill("race")
        dialog.get_by_role("combobox", name="API").select_option("omnichat")
        dialog.get_by_role("textbox", name="Path").fill("/api/**")
        dialog.get_by_role("button", name="Add gate").click()
        expect(page.get_by_role("switch", name="Gate race")).to_be_visible()
        pending = []
        for count in (1, 2, 3):
            pending.append(server.later("GET", "/omnichat/api/models?n=%s" % count))
            expect(page.get_by_role("link", name="%s held" % count)).to_be_visible()
        ids = [row.get_attribute("data-id") for row in page.locator("tr[data-id]").all()]
        self.assertEqual(len(ids), 3)
        for place in (2, 0):
            page.get_by_role("checkbox", name="Select " + ids[place]).check()
        self.button("Release selected").click()
        expect(page.get_by_role("link", name="1 held")).to_be_visible()
        for place in (0, 2):
            pending[place][0].join(30)
            self.assertEqual(pending[place][1][0][0], 401)
        self.button("Edit and release " + ids[1]).click()
        dialog = page.get_by_role("dialog", name="Edit and release")
        dialog.get_by_role("spinbutton", name="Status").fill("418")
        dialog.get_by_role("textbox", name="Body").fill('{"edited":true}')
        dialog.get_by_role("button", name="Release", exact=True).click()
        expect(page.get_by_text("Nothing is held")).to_be_visible()
        pending[1][0].join(30)
        self.assertEqual(pending[1][1][0], (418, {"edited": True}))

    def test_16_faults_are_added_and_a_stub_answers(self):
        page = self.open("#/faults")
        self.button("New stub").click()
        dialog = page.get_by_role("dialog", name="New stub")
        dialog.get_by_role("textbox", name="Name").fill("made up")
        dialog.get_by_role("textbox", name="Path").fill("/made/up")
        dialog.get_by_role("textbox", name="Body").fill('{"a":1}')
        dialog.get_by_role("switch", name="As JSON").click()
        expect(dialog.get_by_role("textbox", name="Fault (JSON)")).to_have_value(re.compile('"respond"'))
        dialog.get_by_role("button", name="Add stub").click()
        expect(page.get_by_role("switch", name="Fault made up")).to_be_visible()
        self.assertEqual(self.server.call("GET", "/omnichat/made/up"), (200, {"a": 1}))
        self.button("New fault").click()
        dialog = page.get_by_role("dialog", name="New fault")
        dialog.get_by_role("spinbutton", name="Status").fill("99")
        dialog.get_by_role("button", name="Add fault").click()
        expect(dialog.locator(".field-problem:not(:empty), [role=alert]").first).to_be_visible()
        expect(dialog.get_by_role("spinbutton", name="Status")).to_have_value("99")
        page.keyboard.press("Escape")
        self.button("Delete made up").click()
        expect(page.get_by_text("No faults")).to_be_visible()

    def test_17_a_scenario_is_switched_on_and_off(self):
        page = self.open("#/scenarios")
        page.get_by_role("searchbox", name="Search scenarios").fill("file-gone")
        page.get_by_role("switch", name="omnichat/file-gone").click()
        expect(page.get_by_role("region", name="In effect")).to_contain_text("omnichat/file-gone")
        page.get_by_role("switch", name="omnichat/file-gone").click()
        expect(page.get_by_role("region", name="In effect")).to_have_count(0)
        page.get_by_role("searchbox", name="Search scenarios").fill("zzzz")
        expect(page.get_by_text("Nothing matches")).to_be_visible()
        self.button("Clear search").click()
        page.get_by_role("textbox", name="Settings (JSON)").fill('{"nope":1}')
        self.button("Apply settings").click()
        expect(page.get_by_text("$.sawaed.nope unknown setting")).to_be_visible()

    def test_19_a_world_is_forked_used_and_deleted(self):
        self.server.call("GET", "/omnichat/api/models")
        page = self.open("#/worlds")
        self.button("Fork main").click()
        dialog = page.get_by_role("dialog", name="Fork main")
        dialog.get_by_role("textbox", name="Name").fill("team-z")
        dialog.get_by_role("button", name="Fork", exact=True).click()
        expect(page.get_by_role("combobox", name="World")).to_have_value("team-z")
        self.live()
        self.button("New snapshot").click()
        dialog = page.get_by_role("dialog", name="New snapshot")
        dialog.get_by_role("textbox", name="Name").fill("s1")
        dialog.get_by_role("button", name="Take snapshot").click()
        self.button("Restore s1").click()
        self.button("Undo restore").click()
        self.button("Delete team-z").click()
        dialog = page.get_by_role("alertdialog", name="Delete team-z")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        dialog.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("combobox", name="World")).to_have_value("main")
        self.assertEqual(self.server.call("GET", "/__admin/clock", world="team-z")[0], 404)

    def test_28_11_a_reset_is_undone(self):
        self.server.call("GET", "/omnichat/api/models")
        self.server.control("POST", "/clock/advance", {"by": "PT1H"})
        before = self.server.control("GET", "/state")
        page = self.open("#/worlds")
        self.button("Reset main").click()
        self.button("Undo reset").click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 13:00:00 UTC, frozen")).to_be_visible()
        after = self.server.control("GET", "/state")
        for part in set(before) - {"journal", "notes"}:
            self.assertEqual(before[part], after[part], part)

    def test_21_a_token_that_another_tool_makes_is_seen(self):
        page, server = self.open("#/users"), self.server
        self.settled()
        user = page.get_by_role("table", name="Users").get_by_role("row").filter(has_text="test@icloud.com")
        # The first may be seen by what is read anyway when the stream is open, the next ones only by their events.
        for count in ("1", "2", "3"):
            self.token()
            expect(user.get_by_role("cell").nth(3)).to_have_text(count)
        codes = page.get_by_role("cell", name="qr", exact=True), page.get_by_role("row").filter(has_text="sqr_")
        for place, shown in zip(("clock", "state/trafikskola/quickLogins"), codes):
            server.control("POST", "/reset", {})
            self.open("#/" + place)
            self.settled()
            # The seed has one.
            expect(shown).to_have_count(1)
            for count in (2, 3, 4):
                server.control("GET", "/qr.json?api=trafikskola&type=session_login")
                expect(shown).to_have_count(count)

    def test_21_a_code_of_the_outbox_is_copied_and_a_token_made(self):
        path = "/sawaed/api/mobile/v1/auth/request-otp"
        self.server.call("POST", path, {"email": "layla@sawaed.test"})
        page = self.open("#/users")
        self.button("Copy code for layla@sawaed.test").click()
        expect(page.get_by_role("status", name="Announcements")).to_have_text("Copied")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "123456")
        self.button("New token").click()
        dialog = page.get_by_role("dialog", name="New token")
        dialog.get_by_role("combobox", name="API").select_option("omnichat")
        dialog.get_by_role("textbox", name="User").fill("test@icloud.com")
        dialog.get_by_role("button", name="Make token").click()
        expect(dialog.get_by_role("textbox", name="Token")).to_have_value(re.compile("^eyJ"))
