"""Console contract, sections 13 and 25: a page that is open follows what other tools do, and the focus stays where it was."""

import re
import socket

from harness import ConsoleCase, expect
from keyboard import KeyboardCase


def pattern(text):
    """What has the text somewhere in it."""
    return re.compile(re.escape(text))


class FollowTests(ConsoleCase):
    def opened(self, address):
        """Opens a page and waits until it follows."""
        page = self.open(address)
        self.settled()
        return page

    def test_14_a_row_that_changes_is_filtered_again(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        self.opened("#/traffic?filter=status:401")
        pending = [self.server.later("GET", "/omnichat/api/models") for _ in range(2)]
        # The threads ask in their own time.
        self.rows("0 of 2 requests")
        self.server.call("GET", "/omnichat/api/nothing")
        self.rows("0 of 3 requests")
        self.server.control("POST", "/gates/g/release", {})
        self.rows("2 of 3 requests")
        expect(self.page.locator("[data-key=seq]").filter(has_text="1")).to_be_visible()
        for thread, _ in pending:
            thread.join(60)

    def test_14_a_row_that_no_longer_fits_goes_and_is_not_selected(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        page = self.opened("#/traffic?filter=is:held")
        pending = []
        for count in (1, 2, 3):
            pending.append(self.server.later("GET", "/omnichat/api/models"))
            self.rows("%s of %s requests" % (count, count))
        page.get_by_role("grid", name="Traffic").focus()
        for key in ("Home", "x", "j", "x"):
            page.keyboard.press(key)
        bar = page.get_by_role("toolbar", name="Selection")
        expect(bar).to_contain_text("2 selected")
        held = self.server.control("GET", "/gates")["items"][0]["held"]
        self.server.control("POST", "/gates/g/release", {"held": [held[1]]})
        self.rows("2 of 3 requests")
        expect(bar).to_contain_text("1 selected")
        # What the list shows while it stands still stays until it goes on.
        self.button("Pause").click()
        self.server.control("POST", "/gates/g/release", {})
        expect(page.get_by_role("link", name="0 held")).to_be_visible()
        self.rows("2 of 3 requests")
        self.button("Pause").click()
        self.rows("0 of 3 requests")
        for thread, _ in pending:
            thread.join(60)

    def test_14_a_row_that_comes_to_have_the_words_of_the_filter_is_found(self):
        token = self.token()
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/conversations"}})
        thread, _ = self.server.later("GET", "/omnichat/api/conversations")
        self.opened("#/traffic?filter=Unauthorized")
        self.rows("0 of 1 requests")
        self.server.call("GET", "/omnichat/api/models")
        self.rows("1 of 2 requests")
        self.server.control("POST", "/gates/g/release", {})
        thread.join(60)
        self.rows("2 of 2 requests")
        self.assertTrue(token)

    def test_14_what_goes_while_the_list_stands_still_is_not_selected_after_it(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        page = self.opened("#/traffic?filter=is:held")
        pending = [self.server.later("GET", "/omnichat/api/models") for _ in range(2)]
        self.rows("2 of 2 requests")
        page.get_by_role("grid", name="Traffic").focus()
        for key in ("Home", "x", "j", "x", "p"):
            page.keyboard.press(key)
        bar = page.get_by_role("toolbar", name="Selection")
        expect(bar).to_contain_text("2 selected")
        self.server.control("POST", "/gates/g/release", {})
        for thread, _ in pending:
            thread.join(60)
        expect(page.get_by_role("link", name="0 held")).to_be_visible()
        page.keyboard.press("p")
        self.rows("0 of 2 requests")
        expect(bar).to_be_hidden()

    def test_13_rows_above_move_nothing_in_another_order(self):
        page = self.opened("#/traffic")
        for _ in range(90):
            self.server.call("GET", "/omnichat/api/models")
        self.rows("90 of 90 requests")
        page.get_by_role("button", name="Seq", exact=True).click()
        expect(page.get_by_role("columnheader", name="Seq")).to_have_attribute("aria-sort", "descending")
        top = """() => { const grid = document.querySelector('[aria-label=Traffic][role=grid]'); const { top } = grid.getBoundingClientRect();
            return [...grid.querySelectorAll('[data-key=seq]')].map((one) => [one.textContent, one.getBoundingClientRect().top - top]).filter(([text, y]) => /^[0-9]+$/.test(text) && y > 60).sort((a, b) => a[1] - b[1])[0][0]; }"""
        # With keys whole rows are there at once.
        page.get_by_role("grid", name="Traffic").focus()
        for key in ("Home", "PageDown", "PageDown"):
            page.keyboard.press(key)
        before = page.evaluate(top)
        for _ in range(5):
            self.server.call("GET", "/omnichat/api/models")
        self.rows("95 of 95 requests")
        self.assertNotEqual(before, "90")
        self.assertEqual(page.evaluate(top), before)

    def test_16_a_held_request_whose_client_goes_is_no_longer_held(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        page = self.opened("#/faults")
        for _ in range(2):
            with socket.create_connection(self.address(), timeout=30) as client:
                client.sendall(b"GET /omnichat/api/models HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                expect(page.get_by_role("link", name="1 held")).to_be_visible()
            expect(page.get_by_role("link", name="0 held")).to_be_visible()
            expect(page.get_by_text("Nothing is held")).to_be_visible()

    def address(self):
        host, port = self.server.hub.split("//")[1].split(":")
        return host, int(port)

    def test_17_the_settings_follow_resets_snapshots_and_scenarios(self):
        page, control = self.opened("#/scenarios"), self.server.control
        area = page.get_by_role("textbox", name="Settings (JSON)")
        page.get_by_role("region", name="Settings").get_by_role("combobox", name="API").select_option("omnichat")
        expect(area).to_have_value(pattern('"rateLimits": "on"'))
        control("POST", "/snapshots", {"name": "s"})
        for path, body in (("/reset", {}), ("/snapshots/s/restore", None)) * 2:
            control("PUT", "/settings", {"omnichat": {"rateLimits": "off"}})
            expect(area).to_have_value(pattern('"rateLimits": "off"'))
            control("POST", path, body)
            expect(area).to_have_value(pattern('"rateLimits": "on"'))
            control("POST", "/snapshots", {"name": "s"}) if path == "/reset" else None
        page.get_by_role("region", name="Settings").get_by_role("combobox", name="API").select_option("sawaed")
        expect(area).to_have_value(pattern("{"))
        before = area.input_value()
        control("PUT", "/scenarios/sawaed/already-registered")
        expect(area).not_to_have_value(before)

    def test_18_moves_go_with_the_notes(self):
        page, control = self.opened("#/clock"), self.server.control
        moves = page.get_by_role("list", name="Moves")
        for _ in range(2):
            control("POST", "/clock/advance", {"seconds": 60})
            expect(moves).not_to_contain_text("The clock has not been moved")
            control("DELETE", "/requests")
            expect(moves).to_contain_text("The clock has not been moved")

    def test_19_worlds_are_seen_from_another_world(self):
        server, control = self.server, self.server.control
        control("POST", "/worlds", {"name": "b", "from": "main"})
        self.addCleanup(control, "DELETE", "/worlds/b")
        page = self.opened("#/worlds?world=b")
        grid = page.get_by_role("grid", name="Worlds")
        for name in ("c", "d"):
            control("POST", "/worlds", {"name": name})
            expect(self.button("Fork " + name)).to_be_visible()
            control("DELETE", "/worlds/" + name)
            expect(self.button("Fork " + name)).to_have_count(0)
        main = grid.get_by_role("row").filter(has=self.button("Fork main"))
        for count in ("1", "2"):
            server.call("GET", "/omnichat/api/models")
            expect(main.locator("[data-key=requests]")).to_have_text(count)
        control("POST", "/clock/advance", {"seconds": 3600})
        expect(main).to_contain_text("13:00:00")
        control("PUT", "/scenarios/omnichat/unicode")
        expect(main).to_contain_text("omnichat/unicode")

    def test_19_what_is_undone_at_once_does_not_stay(self):
        control = self.server.control
        control("POST", "/worlds", {"name": "b"})
        self.addCleanup(control, "DELETE", "/worlds/b")
        page = self.opened("#/worlds?world=b")
        row = page.get_by_role("grid", name="Worlds").get_by_role("row").filter(has=self.button("Fork main"))
        expect(row).to_be_visible()
        control("PUT", "/scenarios/omnichat/unicode")
        # The field reads the worlds, too.
        with page.expect_response("**/__admin/worlds"):
            page.get_by_role("combobox", name="World").focus()
        expect(row).to_contain_text("omnichat/unicode")
        control("DELETE", "/scenarios/omnichat/unicode")
        expect(row).not_to_contain_text("omnichat/unicode")

    def test_13_a_list_that_can_not_be_read_stays_as_it_was(self):
        self.token()
        page = self.opened("#/clock")
        upcoming = page.get_by_role("table", name="Upcoming")
        expect(upcoming).to_contain_text("test@icloud.com")
        with page.expect_event("requestfailed", lambda request: "/clock/upcoming" in request.url):
            page.route("**/__admin/clock/upcoming*", lambda route: route.abort())
            self.server.control("POST", "/notes", {"text": "x"})
            self.server.call("GET", "/omnichat/api/models")
        expect(upcoming).to_contain_text("test@icloud.com")
        page.unroute("**/__admin/clock/upcoming*")
        self.open("#/report")
        self.settled()
        conduct, coverage = page.get_by_role("region", name="Conduct"), page.get_by_role("region", name="Coverage")
        expect(conduct).to_contain_text("not exercised")
        expect(coverage).to_contain_text("seen")
        with page.expect_event("requestfailed", lambda request: "/__admin/co" in request.url):
            page.route("**/__admin/co*", lambda route: route.abort())
            self.server.call("GET", "/omnichat/api/models")
        expect(conduct).to_contain_text("not exercised")
        expect(conduct).not_to_contain_text("does not judge")
        expect(coverage).not_to_contain_text("does not answer")

    def test_13_what_was_folded_stays_folded(self):
        page = self.opened("#/report")
        rules = page.get_by_role("region", name="Conduct").locator("details").first
        expect(rules).to_have_attribute("open", "")
        rules.locator("summary").click()
        expect(rules).not_to_have_attribute("open", "")
        self.server.control("PUT", "/scenarios/omnichat/unicode")
        expect(page.get_by_role("region", name="In effect")).to_contain_text("omnichat/unicode")
        self.server.call("GET", "/omnichat/api/models")
        expect(page.get_by_role("region", name="Coverage")).to_contain_text("1 of ")
        expect(rules).not_to_have_attribute("open", "")

    def test_20_theirs_are_the_newest(self):
        control, path = self.server.control, "/state/omnichat/users"
        one = control("GET", path + "?limit=1")["items"][0]
        page = self.opened("#%s?row=%s" % (path, one["id"]))
        region = page.get_by_role("region", name="Row")
        area = region.get_by_role("textbox", name="Row (JSON)")
        area.fill(area.input_value().replace("{", '{ "mine": 1,', 1))
        typed = area.input_value()
        # The APIs that are chosen are no other row.
        page.get_by_role("checkbox", name="CarbScan").check()
        expect(page).to_have_url(pattern("api="))
        expect(area).to_have_value(typed)
        control("PUT", "%s/%s" % (path, one["id"]), {**one["row"], "name": "Second"})
        region.get_by_role("button", name="Save row").click()
        expect(region).to_contain_text("The row has changed on the server")
        control("PUT", "%s/%s" % (path, one["id"]), {**one["row"], "name": "Third"})
        # A failure takes nothing away.
        page.route("**/__admin/state/omnichat/users/*", lambda route: route.fulfill(status=503, json={"title": "Busy"}))
        region.get_by_role("button", name="Take theirs").click()
        expect(page.get_by_role("alert").filter(has_text="Busy")).to_be_visible()
        expect(area).to_have_value(typed)
        page.unroute("**/__admin/state/omnichat/users/*")
        region.get_by_role("button", name="Take theirs").click()
        expect(area).to_have_value(pattern('"name": "Third"'))
        # The address of a row that was closed opens it again.
        region.get_by_role("button", name="Close", exact=True).click()
        expect(region).to_be_hidden()
        page.get_by_role("checkbox", name="CarbScan").uncheck()
        expect(region).to_be_visible()

    def test_20_rows_that_a_scenario_changes_are_shown(self):
        page, control = self.opened("#/state/sawaed/registrations"), self.server.control
        page.get_by_role("switch", name="Changed only").click()
        expect(page.get_by_text("No rows have changed")).to_be_visible()
        for _ in range(2):
            control("PUT", "/scenarios/sawaed/already-registered")
            expect(page.get_by_role("grid", name="Rows")).to_contain_text("added")
            control("POST", "/reset", {})
            expect(page.get_by_text("No rows have changed")).to_be_visible()

    def test_20_an_open_row_follows_also_where_the_list_does_not_have_it(self):
        control, path = self.server.control, "/state/omnichat/users"
        first, second = control("GET", path)["items"][:2]
        page = self.opened("#%s?row=%s" % (path, first["id"]))
        area = page.get_by_role("region", name="Row").get_by_role("textbox", name="Row (JSON)")
        expect(area).to_have_value(pattern('"id": "%s"' % first["id"]))
        page.get_by_role("searchbox", name="Search rows").fill(second["id"])
        expect(page.locator(".bar-row .rows")).to_have_text("1 row")
        for name in ("One", "Two"):
            control("PUT", "%s/%s" % (path, first["id"]), {**first["row"], "name": name})
            expect(area).to_have_value(pattern('"name": "%s"' % name))
        page.get_by_role("searchbox", name="Search rows").fill("")
        # A row that nothing needs is deleted elsewhere.
        control("PUT", "/state/trafikskola/quickLogins/sqr_1", {"id": "sqr_1", "userId": "usr_123", "expiresAt": "T0+PT5M"})
        page = self.opened("#/state/trafikskola/quickLogins?row=sqr_1")
        expect(page.get_by_role("region", name="Row")).to_contain_text("sqr_1")
        control("DELETE", "/state/trafikskola/quickLogins/sqr_1")
        expect(page.get_by_role("region", name="Row")).to_contain_text("The row was deleted on the server")

    def test_15_an_open_exchange_follows(self):
        server, token = self.server, self.token()
        for _ in range(2):
            server.call("GET", "/omnichat/api/conversations", token=token)
        page = self.opened("#/traffic?exchange=req_2")
        after = self.button("Next of this route")
        expect(after).to_have_attribute("aria-disabled", "true")
        expect(page.get_by_role("link", name="Used by 2 requests")).to_be_visible()
        for count in (3, 4):
            server.call("GET", "/omnichat/api/conversations", token=token)
            expect(page.get_by_role("link", name="Used by %s requests" % count)).to_be_visible()
        expect(after).to_have_attribute("aria-disabled", "false")
        after.click()
        expect(page).to_have_url(pattern("exchange=req_3"))

    def test_15_a_held_exchange_that_ends_keeps_what_was_chosen_in_it(self):
        server = self.server
        server.control("POST", "/gates", {"name": "g", "phase": "after", "match": {"path": "/api/conversations"}})
        page = self.opened("#/traffic")
        thread, _ = server.later("GET", "/omnichat/api/conversations")
        self.rows("1 of 1 requests")
        self.open("#/traffic?exchange=req_1&part=Response")
        self.settled()
        exchange = page.get_by_role("region", name="Exchange")
        exchange.get_by_role("radio", name="Hex").check()
        exchange.get_by_role("searchbox", name="Find in body").fill("un")
        exchange.get_by_role("button", name="Close", exact=True).focus()
        held = exchange.inner_text()
        server.control("POST", "/gates/g/release", {})
        thread.join(60)
        page.wait_for_function("(held) => document.querySelector('.exchange').innerText !== held || document.querySelector('[data-state=open]') === null", arg=held)
        exchange.get_by_role("tab", name="Response").wait_for()
        expect(page.locator("[role=row][data-state=open]")).to_have_count(0)
        expect(exchange.get_by_role("radio", name="Hex")).to_be_checked()
        expect(exchange.get_by_role("searchbox", name="Find in body")).to_have_value("un")
        expect(exchange.get_by_role("button", name="Close", exact=True)).to_be_focused()


class FocusTests(KeyboardCase):
    def focused(self, node, act, gives):
        """What has the focus while another tool acts; `gives` has it afterwards."""
        node.focus()
        expect(node).to_be_focused()
        act()
        expect(gives).to_be_focused()

    def test_13_the_focus_is_not_lost_with_what_goes(self):
        server, page = self.server, self.open("#/traffic")
        control, content = server.control, page.locator("#main")
        self.settled()
        self.focused(self.button("Copy command"), lambda: server.call("GET", "/omnichat/api/models"), content)
        self.rows("1 of 1 requests")
        page.get_by_role("grid", name="Traffic").focus()
        self.press("Home", "x")
        self.focused(self.button("Clear selection"), lambda: control("DELETE", "/requests"), content)
        server.call("GET", "/omnichat/api/models")
        self.rows("1 of 1 requests")
        page.get_by_role("grid", name="Traffic").focus()
        self.press("Home", "Enter")
        exchange = page.get_by_role("region", name="Exchange")
        replay = exchange.get_by_role("button", name="Replay", exact=True)
        expect(replay).to_be_visible()
        self.focused(replay, lambda: control("DELETE", "/requests"), exchange.get_by_role("button", name="Close", exact=True))
        expect(exchange).to_contain_text("no longer in the journal")
        control("POST", "/worlds", {"name": "b"})
        self.open("#/faults?world=b")
        self.settled()
        self.focused(self.button("New fault"), lambda: control("DELETE", "/worlds/b"), content)
        expect(page.get_by_role("heading", name="Unknown world")).to_be_visible()

    def test_13_the_focus_stays_on_what_stays(self):
        server, page = self.server, self.open("#/state/omnichat/conversations")
        self.settled()
        first, second = server.control("GET", "/state/omnichat/conversations?limit=2")["items"]
        link = page.get_by_role("grid", name="Rows").get_by_role("row").nth(2).get_by_role("link").first
        expect(link).to_be_visible()

        def change():
            row = {**first["row"], "title": "Another title"}
            server.control("PUT", "/state/omnichat/conversations/" + first["id"], row)
            expect(page.get_by_role("grid", name="Rows")).to_contain_text("Another title")

        self.focused(link, change, link)
        self.assertEqual(link.evaluate("(node) => node.closest('[data-id]').dataset.id"), second["id"])
        self.open("#/system")
        self.settled()
        modes = page.get_by_role("group", name="Modes, scrollable")
        read = []
        page.on("response", lambda response: read.append(response.url) if "/__admin/mode" in response.url else None)
        self.focused(modes, lambda: server.call("GET", "/omnichat/api/models"), modes)
        page.get_by_role("grid", name="Events").get_by_text("request").first.wait_for()
        expect(modes).to_be_focused()

    def test_24_a_fault_that_is_renamed_gets_the_focus_back(self):
        page = self.open("#/faults")
        for name in ("one", "two", "three"):
            self.server.control("POST", "/faults", {"name": name, "match": {"path": "/never"}, "effect": {"status": 500}})
        self.use("Edit two")
        self.fill("Name", "zwei")
        self.use("Save fault")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(self.button("Edit zwei")).to_be_focused()

    def test_14_new_rows_are_shown_and_the_list_has_the_focus(self):
        page = self.open("#/traffic")
        self.settled()
        for _ in range(80):
            self.server.call("GET", "/omnichat/api/models")
        self.rows("80 of 80 requests")
        page.get_by_role("grid", name="Traffic").focus()
        self.press("Home")
        self.server.call("GET", "/omnichat/api/models")
        self.focused(self.button("1 new"), lambda: self.press("Enter"), page.get_by_role("grid", name="Traffic"))
        expect(page.locator("[data-key=seq]").filter(has_text="81")).to_be_visible()


class FullJournalTests(KeyboardCase):
    flags = ("--journal-bytes", "1048576")

    def test_14_a_full_journal_is_told_without_taking_the_focus(self):
        page = self.open("#/traffic")
        self.settled()
        link = page.get_by_role("link", name="See System")
        for _ in range(4):
            for _ in range(400):
                self.server.call("GET", "/omnichat/api/models")
            if self.server.control("GET", "/journal")["dropped"]:
                break
        expect(link).to_be_visible()
        link.focus()
        notice = page.locator(".notice", has=link)
        for _ in range(2):
            before = notice.inner_text()
            for _ in range(20):
                self.server.call("GET", "/omnichat/api/models")
            expect(notice).not_to_have_text(before)
            expect(link).to_be_focused()
