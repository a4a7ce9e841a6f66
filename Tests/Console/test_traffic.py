"""Console contract, sections 12 to 15."""

import contextlib
import threading

from harness import ConsoleCase, expect


class TrafficTests(ConsoleCase):
    def test_14_rows_arrive_filter_pause_and_undo(self):
        page, server = self.open(), self.server
        self.live()
        expect(page.get_by_text("No requests yet")).to_be_visible()
        for _ in range(5):
            server.call("GET", "/omnichat/api/models")
        server.call("GET", "/omnichat/nope")
        self.rows("6 of 6 requests")
        box = page.get_by_role("searchbox", name="Filter")
        box.fill("status:404")
        self.rows("1 of 6 requests")
        box.fill("-status:4xx")
        self.rows("0 of 6 requests")
        expect(page.get_by_text("Nothing matches")).to_be_visible()
        self.button("Clear filter").click()
        self.rows("6 of 6 requests")
        box.fill("path:/api/*|/nope method:get size:<10k")
        self.rows("6 of 6 requests")
        box.fill("stat:404")
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("did you mean status?")).to_be_visible()
        box.fill("models")
        self.rows("5 of 6 requests")
        page.keyboard.press("Escape")
        expect(box).to_have_value("")
        page.keyboard.press("Escape")
        expect(page.get_by_role("grid", name="Traffic")).to_be_focused()
        self.button("Pause").click()
        for _ in range(3):
            server.call("GET", "/omnichat/api/models")
        expect(self.button("Pause, 3 waiting")).to_be_visible()
        self.button("Pause, 3 waiting").click()
        self.rows("9 of 9 requests")
        self.button("Unmatched").click()
        expect(page.get_by_role("grid", name="Traffic")).to_contain_text("missing prefix")
        self.button("Unmatched").click()
        self.button("Clear journal").click()
        expect(page.get_by_text("No requests yet")).to_be_visible()
        self.button("Undo clear").click()
        self.rows("9 of 9 requests")

    def test_28_1_columns_are_texts_while_the_list_moves_fast_and_rows_when_it_rests(self):
        for number in range(300):
            self.server.call("GET", "/omnichat/nope" if number % 2 else "/omnichat/api/models")
        page = self.open()
        self.rows("300 of 300 requests")
        grid, preview = page.get_by_role("grid", name="Traffic"), page.locator(".scroll-preview")
        grid.focus()
        page.keyboard.press("Home")
        expect(grid.locator(".active")).to_contain_text("models")
        expect(preview).to_be_hidden()
        # The list jumps with each frame, from the begin of the page to its end and back, until the test has looked.
        page.evaluate("""() => {
          const grid = document.querySelector('[role=grid]');
          const step = () => { grid.scrollTop = grid.scrollTop ? 0 : 4200; if (!window.isSeen) setTimeout(step, 30); else grid.scrollTop = 2800; };
          step();
        }""")
        expect(preview).to_be_visible()
        expect(preview.locator("[data-key=seq]")).to_contain_text("151")
        expect(preview.locator("[data-key=path]")).to_contain_text("/nope\n/api/models\n/nope")
        page.evaluate("window.isSeen = true")
        expect(preview).to_be_hidden()
        row = grid.get_by_role("row").filter(has=page.locator("[data-key=seq]", has_text="102"))
        # The heading and the note of the reset are before it.
        expect(row).to_have_attribute("aria-rowindex", "104")
        expect(row).to_contain_text("404")
        expect(row.locator("time")).to_have_attribute("datetime", "2025-01-01T12:00:00.000Z")
        expect(row.locator("svg rect").first).to_have_attribute("class", "line")
        # Keys draw whole rows at once.
        page.evaluate("new MutationObserver(() => { window.wasShown = true; }).observe(document.querySelector('.scroll-preview'), { attributes: true })")
        page.keyboard.press("End")
        expect(grid.locator(".active [data-key=seq]")).to_have_text("300")
        self.assertIsNone(page.evaluate("window.wasShown ?? null"))

    def test_14_a_row_of_another_journal_with_the_same_id_shows_its_own_time(self):
        page = self.open()
        self.live()

        def ask():
            # A reset cuts what is held.
            with contextlib.suppress(OSError):
                self.server.call("GET", "/omnichat/api/models")

        def hold():
            self.server.control("POST", "/gates", {"match": {"api": "omnichat"}})
            threading.Thread(target=ask, daemon=True).start()

        hold()
        grid = page.get_by_role("grid", name="Traffic")
        time = grid.get_by_role("row").filter(has_text="held").locator("time")
        expect(time).to_have_count(1)
        before, name = time.get_attribute("title"), grid.locator("[data-state=open] svg").get_attribute("aria-label")
        self.assertIn("under way", name)
        self.button("Pause").click()
        self.server.control("POST", "/reset", {})
        hold()
        page.get_by_role("button", name="Pause").click()
        expect(time).not_to_have_attribute("title", before)
        expect(time).to_have_count(1)
        self.server.control("POST", "/reset", {})

    def test_14_columns_sort_and_hide(self):
        for path in ("/omnichat/api/models", "/omnichat/nope"):
            self.server.call("GET", path)
        page = self.open()
        self.rows("2 of 2 requests")
        header = page.get_by_role("columnheader", name="Path")
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "ascending")
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", "descending")
        first = page.get_by_role("grid", name="Traffic").get_by_role("row").nth(1)
        expect(first).to_contain_text("/nope")
        self.button("Columns").click()
        page.get_by_role("dialog", name="Columns").get_by_role("checkbox", name="User").uncheck()
        expect(page.get_by_role("columnheader", name="User")).to_have_count(0)

    def test_15_an_exchange_is_shown_copied_and_made_into_a_fault(self):
        token = self.token()
        for _ in range(2):
            self.server.call("GET", "/omnichat/api/conversations", token=token)
        page = self.open()
        self.rows("2 of 2 requests")
        page.get_by_role("grid", name="Traffic").focus()
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        exchange = page.get_by_role("region", name="Exchange")
        expect(page.get_by_role("heading", level=2, name="GET /api/conversations")).to_be_visible()
        expect(exchange.get_by_role("region", name="Token")).to_contain_text("expires in 15 min")
        expect(exchange.get_by_role("link", name="Used by 2 requests")).to_be_visible()
        expect(exchange.get_by_text("Request and response match the schema")).to_be_visible()
        exchange.get_by_role("tab", name="Response").click()
        expect(exchange.get_by_role("table", name="Response headers")).to_be_visible()
        body = exchange.get_by_role("region", name="Response body")
        body.get_by_role("searchbox", name="Find in body").fill("conversations")
        expect(body.get_by_text("found")).to_be_visible()
        body.get_by_role("radio", name="Hex").check()
        expect(body).to_contain_text("00000000")
        exchange.get_by_role("tab", name="Raw").click()
        expect(exchange).to_contain_text("HTTP/1.1 200 OK")
        self.button("Copy as curl").click()
        expect(page.get_by_role("status", name="Announcements")).to_have_text("Copied")
        self.assertIn("curl http://127.0.0.1:", page.evaluate("navigator.clipboard.readText()"))
        exchange.get_by_role("button", name="Fault from this").click()
        dialog = page.get_by_role("dialog", name="New fault")
        expect(dialog.get_by_role("textbox", name="Path")).to_have_value("/api/conversations")
        expect(dialog.get_by_role("status", name="Matches")).to_contain_text("Would have matched 2 of 2 requests")
        dialog.get_by_role("spinbutton", name="Status").fill("503")
        dialog.get_by_role("button", name="Add fault").click()
        expect(page.get_by_role("link", name="1 fault on")).to_be_visible()
        self.assertEqual(self.server.call("GET", "/omnichat/api/conversations", token=token)[0], 503)
        exchange.get_by_role("button", name="Close").click()
        expect(exchange).to_have_count(0)
        self.open("#/traffic?exchange=req_999")
        expect(page.get_by_text("req_999 is no longer in the journal")).to_be_visible()

    def test_15_the_clock_is_advanced_to_both_sides_of_an_expiry(self):
        token = self.token()
        self.server.call("GET", "/omnichat/api/conversations", token=token)
        page = self.open("#/traffic?exchange=req_1")
        self.button("Advance to just before expiry").click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 12:14:59 UTC, frozen")).to_be_visible()
        self.assertEqual(self.server.call("GET", "/omnichat/api/conversations", token=token)[0], 200)
        self.button("Advance to just after expiry").click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 12:15:01 UTC, frozen")).to_be_visible()
        self.assertEqual(self.server.call("GET", "/omnichat/api/conversations", token=token)[0], 401)

    def test_12_the_frame_and_its_dialogs(self):
        page = self.open()
        self.live()
        self.assertEqual(page.title(), "Traffic · main · Understudy")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Command").fill("clock")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="Clock")).to_be_visible()
        self.button("Advance 15 minutes").click()
        expect(page.get_by_role("button", name="Clock 2025-01-01 12:15:00 UTC, frozen")).to_be_visible()
        page.keyboard.press("Control+.")
        expect(page.get_by_role("dialog", name="Clock")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Clock")).to_have_count(0)
        self.button("Preferences").click()
        page.get_by_role("radio", name="Dark").check()
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark")
        page.keyboard.press("Escape")
        for name in ("Traffic", "Faults and gates", "Scenarios", "Clock", "Worlds", "State", "Users", "Hosts", "Report", "System"):
            page.get_by_role("navigation", name="Pages").get_by_role("link", name=name, exact=True).click()
            expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
            self.assertEqual(page.title(), name + " · main · Understudy")
        page.go_back()
        expect(page.get_by_role("heading", level=1, name="Report")).to_be_visible()
        self.open("#/nope")
        expect(page.get_by_text("There is no page")).to_be_visible()
        self.open("#/traffic?world=zzz")
        expect(page.get_by_text("There is no world")).to_be_visible()
