"""Console contract, sections 24 and 28 (6): the keyboard alone, on Traffic and Faults and gates."""

import re

from harness import expect
from keyboard import KeyboardCase


class KeyboardTests(KeyboardCase):
    def test_28_6_tab_reaches_every_control_and_always_leaves(self):
        token = self.token()
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/conversations", token=token)
        self.server.control("POST", "/faults", {"name": "one", "match": {"path": "/never"}, "effect": {"status": 500}})
        pages = ["traffic", "faults", "scenarios", "clock", "worlds", "state", "users", "hosts", "report", "system", "traffic?exchange=req_1"]
        for name in pages:
            self.open("#/" + name)
            self.settled()
            found = []
            self.press("Tab")
            self.assertEqual(self.seen()["name"], "Skip to content", name)
            for _ in range(900):
                self.press("Tab")
                if self.page.evaluate("document.activeElement === document.body"):
                    break
                one = self.seen()
                found.append(one["name"])
                # Links within text are as high as the text.
                if one["tag"] != "A" and one["role"] != "checkbox" and one["tag"] != "INPUT":
                    self.assertGreaterEqual(min(one["box"]) + 0.5, 24, one)
            else:
                self.fail("Tab never leaves " + name)
            wanted = self.page.evaluate(
                """[...document.querySelectorAll('button, a[href], input, select, textarea, [tabindex="0"]')]
                .filter((node) => node.checkVisibility() && !node.disabled && node.tabIndex >= 0 && node.type !== 'radio').length"""
            )
            # The link that is skipped to was the first.
            self.assertGreaterEqual(len(found) + 1, wanted, "%s: %s" % (name, found))

    def test_24_the_list_of_traffic_is_worked_with_single_keys(self):
        token = self.token()
        for count in range(4):
            self.server.call("GET", "/omnichat/api/conversations?n=%s" % count, token=token)
        self.server.call("GET", "/omnichat/api/models")
        page = self.open()
        self.rows("5 of 5 requests")
        self.press("Tab", "Enter")
        self.tab_to("Traffic")
        grid = page.get_by_role("grid", name="Traffic")
        expect(grid).to_be_focused()

        def at(seq):
            expect(page.locator(".active [data-key=seq]")).to_have_text(seq)

        self.press("Home")
        at("1")
        self.press("j", "ArrowDown", "k")
        at("2")
        self.press("End")
        at("5")
        self.press("PageUp")
        at("1")
        self.seen()
        self.press("x", "j", "x")
        expect(page.get_by_role("toolbar", name="Selection")).to_contain_text("2 selected")
        self.press("d")
        expect(page.get_by_role("heading", level=1, name="Compare")).to_be_visible()
        expect(page.get_by_role("table", name="Differences")).to_contain_text("query")
        page.go_back()
        self.rows("5 of 5 requests")
        grid.focus()
        self.press("Home", "c")
        expect(page.get_by_role("status", name="Announcements")).to_have_text("Copied")
        self.press("Enter")
        expect(page.get_by_role("region", name="Exchange")).to_contain_text("n = 0")
        grid.focus()
        self.press("]")
        expect(page.get_by_role("region", name="Exchange")).to_contain_text("n = 1")
        grid.focus()
        self.press("[")
        expect(page.get_by_role("region", name="Exchange")).to_contain_text("n = 0")
        grid.focus()
        self.press("f")
        dialog = page.get_by_role("dialog", name="New fault")
        expect(dialog.get_by_role("textbox", name="Path")).to_have_value("/api/conversations")
        self.press("Escape")
        expect(dialog).to_have_count(0)
        expect(grid).to_be_focused()
        self.press("g")
        expect(page.get_by_role("dialog", name="New gate")).to_be_visible()
        self.press("Escape")
        expect(grid).to_be_focused()
        self.press("r")
        self.rows("6 of 6 requests")
        grid.focus()
        self.press("p")
        expect(self.button("Pause")).to_have_attribute("aria-pressed", "true")
        self.press("p", "?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        self.press("Escape", "/")
        box = page.get_by_role("searchbox", name="Filter")
        expect(box).to_be_focused()
        page.keyboard.type("jkx")
        expect(box).to_have_value("jkx")
        self.press("Escape", "Escape")
        expect(grid).to_be_focused()
        # Letters do nothing elsewhere, nor when they are switched off.
        self.tab_to("Preferences", back=True)
        self.press("p")
        expect(self.button("Pause")).to_have_attribute("aria-pressed", "false")
        self.press("Enter")
        expect(page.get_by_role("dialog", name="Preferences")).to_be_visible()
        self.use("Single-key shortcuts", "Space")
        expect(page.get_by_role("switch", name="Single-key shortcuts")).to_have_attribute("aria-checked", "false")
        self.press("Escape")
        expect(self.button("Preferences")).to_be_focused()
        grid.focus()
        self.press("p")
        expect(self.button("Pause")).to_have_attribute("aria-pressed", "false")

    def test_28_6_a_fault_is_added_moved_edited_and_deleted(self):
        page = self.open("#/faults")
        self.settled()
        for name, status in (("first", "500"), ("second", "503")):
            self.tab_to("New fault")
            self.press("Enter")
            dialog = page.get_by_role("dialog", name="New fault")
            expect(dialog).to_be_visible()
            if page.evaluate("document.activeElement.labels?.[0]?.textContent") != "Name":
                self.tab_to("Name")
            self.write(name)
            self.tab_to("Path")
            self.write("/api/models")
            self.tab_to("Status")
            self.write(status)
            self.tab_to("Add fault")
            self.press("Enter")
            expect(page.get_by_role("switch", name="Fault " + name)).to_be_visible()
            expect(dialog).to_have_count(0)
        self.tab_to("Move second up")
        self.press("Enter")
        expect(page.get_by_role("table", name="Faults").get_by_role("row").nth(1)).to_contain_text("second")
        self.assertEqual(self.server.call("GET", "/omnichat/api/models")[0], 503)
        self.tab_to("Fault second", back=True)
        self.press("Space")
        expect(page.get_by_role("switch", name="Fault second")).to_have_attribute("aria-checked", "false")
        expect(page.get_by_role("link", name="1 fault on")).to_be_visible()
        self.assertEqual(self.server.call("GET", "/omnichat/api/models")[0], 500)
        self.tab_to("Edit first")
        self.press("Enter")
        expect(page.get_by_role("dialog", name="Edit fault")).to_be_visible()
        self.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(self.button("Edit first")).to_be_focused()
        self.seen()
        self.tab_to("Delete first")
        self.press("Enter")
        expect(page.get_by_role("switch", name="Fault first")).to_have_count(0)
        self.tab_to("Faults", back=True)
        self.press("Space")
        expect(page.get_by_role("switch", name="Faults", exact=True)).to_have_attribute("aria-checked", "false")

    def test_24_escape_gives_the_focus_back_to_what_was_drawn_anew_below_the_dialog(self):
        page, server = self.open("#/faults"), self.server
        for name in ("first", "second"):
            server.control("POST", "/faults", {"name": name, "match": {"path": "/api/models"}, "effect": {"status": 500}})
        self.opened("Edit second", "Edit fault")
        server.control("POST", "/faults", {"name": "third", "match": {"path": "/never"}, "effect": {"status": 500}})
        self.assertEqual(server.call("GET", "/omnichat/api/models")[0], 500)
        # The rows that were there are drawn anew.
        expect(page.locator("table[aria-label=Faults] tbody tr").first).to_contain_text("1always")
        expect(page.locator("table[aria-label=Faults] tbody tr")).to_have_count(3)
        self.closed("Edit second")
        # What is in effect is drawn anew, too.
        effects = page.get_by_role("region", name="In effect").get_by_role("link")
        effects.filter(has_text="second").focus()
        for name in ("third", "fourth"):
            server.control("POST", "/faults", {"name": name, "match": {"path": "/none"}, "effect": {"status": 500}})
        expect(effects).to_have_text(["Fault first", "Fault second", "Fault third", "Fault third", "Fault fourth"])
        expect(effects.nth(1)).to_be_focused()
        self.press("Control+k")
        expect(page.get_by_role("dialog", name="Commands")).to_be_visible()
        server.control("DELETE", "/faults/flt_1")
        expect(page.locator("section.effects a")).to_have_count(4)
        self.press("Escape")
        expect(effects.first).to_be_focused()
        server.control("DELETE", "/faults/flt_2")
        expect(effects).to_have_text(["Fault third", "Fault third", "Fault fourth"])
        expect(page.locator("#main")).to_be_focused()
        server.control("DELETE", "/faults")
        expect(effects).to_have_count(0)
        server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/**"}})
        held = page.locator("table[aria-label='Held requests'] tbody tr")
        pending = []
        for count in (1, 2):
            pending.append(server.later("GET", "/omnichat/api/models"))
            expect(held).to_have_count(count)
        kept = held.nth(1).get_attribute("data-id")
        self.opened("Edit and release " + kept, "Edit and release")
        server.control("POST", "/gates/g/release", {"held": [held.nth(0).get_attribute("data-id")]})
        expect(held).to_have_count(1)
        self.closed("Edit and release " + kept)
        # What has gone gives the focus to the content of the page.
        self.opened("Edit and release " + kept, "Edit and release")
        server.control("POST", "/gates/g/release", {})
        expect(held).to_have_count(0)
        self.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#main")).to_be_focused()
        for thread, _ in pending:
            thread.join(60)
        server.control("DELETE", "/gates/g")
        self.open("#/worlds")
        server.control("POST", "/worlds", {"name": "b"})
        self.opened("Delete b", "Delete b", role="alertdialog")
        server.control("POST", "/worlds", {"name": "a"})
        expect(page.locator(".grid-row, [role=row]").filter(has_text="a")).not_to_have_count(0)
        expect(page.locator("button[aria-label='Delete a']")).to_have_count(1)
        self.closed("Delete b", role="alertdialog")
        for name in ("a", "b"):
            server.control("DELETE", "/worlds/" + name)
        # Of controls of one name it is the one that it was.
        account = server.control("GET", "/state/trendy/accounts?limit=1")["items"][0]
        server.control("PUT", "/state/trendy/accounts/" + account["id"], {**account["row"], "email": "test@icloud.com"})
        self.open("#/users")
        buttons = self.button("New token for test@icloud.com")
        expect(buttons).to_have_count(2)
        buttons.last.focus()
        self.press("Enter")
        expect(page.get_by_role("dialog", name="New token")).to_be_visible()
        self.token()
        expect(page.locator("table[aria-label=Users] tr", has_text="Test User").locator("td").nth(3)).to_have_text("1")
        self.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(buttons.last).to_be_focused()

    def opened(self, name, title, role="dialog"):
        """Opens a dialog with the keyboard."""
        self.tab_to(name)
        self.press("Enter")
        expect(self.page.get_by_role(role, name=title)).to_be_visible()

    def closed(self, name, role="dialog"):
        """Closes the dialog with the keyboard; the control of that name has the focus again."""
        self.press("Escape")
        expect(self.page.get_by_role(role)).to_have_count(0)
        expect(self.button(name)).to_be_focused()
        self.seen()
        self.assertEqual(self.page.locator("[data-opens]").count(), 0)

    def test_28_6_held_requests_clock_worlds_and_rows(self):
        page, server = self.open("#/faults"), self.server
        self.settled()
        server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/**"}})
        pending = []
        for count in (1, 2, 3):
            pending.append(server.later("GET", "/omnichat/api/models"))
            expect(page.get_by_role("link", name="%s held" % count)).to_be_visible()
        held = page.get_by_role("table", name="Held requests")
        self.tab_to("Select .*")
        self.press("a")
        expect(page.get_by_role("link", name="2 held")).to_be_visible()
        self.assertEqual(held.count(), 1)
        if not page.evaluate("document.activeElement.closest('table')"):
            self.tab_to("Select .*")
        self.press("Shift+a")
        expect(page.get_by_text("Nothing is held")).to_be_visible()
        for thread, answers in pending:
            thread.join(60)
            self.assertEqual(answers[0][0], 401)
        self.press("Control+.")
        expect(page.get_by_role("dialog", name="Clock")).to_be_visible()
        self.tab_to("Advance 1 hour")
        self.press("Enter")
        expect(page.get_by_role("button", name="Clock 2025-01-01 13:00:00 UTC, frozen")).to_be_visible()
        self.press("Escape")
        expect(page.get_by_role("dialog", name="Clock")).to_have_count(0)
        server.control("POST", "/tokens", {"api": "omnichat", "user": "test@icloud.com", "kind": "access"})
        self.open("#/clock")
        self.settled()
        self.tab_to("Just after")
        self.press("ArrowDown", "ArrowUp", "Enter")
        expect(page.get_by_role("button", name=re.compile("^Clock 2025-01-01 13:15:01 UTC"))).to_be_visible()
        self.open("#/worlds")
        self.settled()
        self.tab_to("Fork main")
        self.press("Enter")
        self.write("by-keys")
        self.press("Enter")
        expect(page.get_by_role("combobox", name="World")).to_have_value("by-keys")
        self.open("#/worlds?world=by-keys")
        self.settled()
        self.tab_to("Delete by-keys")
        self.press("Enter")
        expect(page.get_by_role("alertdialog").get_by_role("button", name="Cancel")).to_be_focused()
        self.tab_to("Delete", most=4)
        self.press("Enter")
        expect(page.get_by_role("combobox", name="World")).to_have_value("main")

    def test_16_faults_are_dragged_into_another_order(self):
        for name in ("one", "two", "three"):
            self.server.control("POST", "/faults", {"name": name, "match": {"path": "/never"}, "effect": {"status": 500}})
        page = self.open("#/faults")
        self.live()
        rows = page.get_by_role("table", name="Faults").get_by_role("row")
        expect(rows).to_have_count(4)
        rows.nth(3).hover()
        page.mouse.down()
        rows.nth(2).hover()
        # What changes meanwhile neither ends the drag nor moves the rows under it.
        with page.expect_response(lambda response: response.url.endswith("/__admin/faults")):
            self.server.control("POST", "/faults", {"name": "four", "match": {"path": "/never"}, "effect": {"status": 500}})
        rows.nth(1).hover()
        with page.expect_request(lambda request: request.method == "PATCH") as sent:
            page.mouse.up()
        self.assertEqual(sent.value.post_data_json, {"position": 1})
        expect(rows).to_have_count(5)
        expect(rows.nth(1)).to_contain_text("three")
        names = [item["name"] for item in self.server.control("GET", "/faults")["items"]]
        self.assertEqual(names, ["three", "one", "two", "four"])
