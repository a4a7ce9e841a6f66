"""Console contract, sections 13, 25 and 28 (4): the server goes and comes back; tabs share one stream."""

import re
import signal
import socket
import time

from harness import ConsoleCase, Server, expect


def free_base():
    """A port after which five more are free."""
    for base in range(21000, 60000, 7):
        sockets = []
        try:
            for port in range(base, base + 6):
                one = socket.socket()
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sockets.append(one)
                one.bind(("127.0.0.1", port))
            return str(base)
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise AssertionError("no free ports")


class EarlyTests(ConsoleCase):
    def early(self, address="#/traffic"):
        """Opens the page with the answer to its stream kept back; returns what lets it go."""
        kept = []
        self.context.route("**/__admin/events", lambda route: kept.append(route))
        page = self.open(address)

        def go_on():
            while not kept:
                page.wait_for_timeout(10)
            kept[0].continue_()
            self.context.unroute("**/__admin/events")

        return page, go_on

    def test_25_the_newest_lines_are_there_before_the_stream_and_read_again_with_it(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/version"}})
        self.server.call("GET", "/omnichat/api/models")
        thread, _ = self.server.later("GET", "/omnichat/api/version")
        while not self.server.control("GET", "/gates")["items"][0]["held"]:
            time.sleep(0.01)
        page, go_on = self.early()
        status = page.get_by_role("status", name="Connection")
        grid = page.get_by_role("grid", name="Traffic")
        expect(grid.get_by_role("row")).to_have_count(3)
        expect(status).to_have_text("Connecting")
        expect(grid.locator("[data-state=open]")).to_have_count(1)
        page.evaluate("document.querySelectorAll('[role=grid] .window > [role=row]').forEach((row, index) => { row.mark = `row ${index}`; })")
        # Nobody tells the page of what happens now.
        self.server.control("POST", "/gates/g/release", {})
        thread.join()
        self.server.call("GET", "/omnichat/api/models")
        expect(grid.get_by_role("row")).to_have_count(3)
        go_on()
        self.rows("3 of 3 requests")
        expect(status).to_have_text("Live")
        expect(grid.locator(".window > [role=row]:not(.note-row)")).to_have_count(3)
        expect(grid.locator("[data-state=open]")).to_have_count(0)
        first = page.evaluate("document.querySelector('[role=grid] .window > [role=row]:not(.note-row)').mark")
        self.assertEqual(first, "row 0", "a row of a line that is the same is not drawn again")

    def test_25_what_a_reset_has_taken_meanwhile_goes_with_the_stream(self):
        self.server.call("GET", "/omnichat/api/models")
        page, go_on = self.early()
        expect(page.get_by_role("grid", name="Traffic").get_by_role("row")).to_have_count(2)
        self.server.control("POST", "/reset", {})
        go_on()
        expect(page.get_by_text("No requests yet")).to_be_visible()
        self.rows("0 of 0 requests")

    def test_13_the_place_survives_what_came_meanwhile(self):
        for _ in range(201):
            self.server.call("GET", "/omnichat/api/models")
        page, go_on = self.early()
        grid = page.get_by_role("grid", name="Traffic")
        expect(grid.get_by_role("row").nth(1)).to_be_visible()
        grid.evaluate("node => { node.scrollTop = 1400; }")
        page.wait_for_function("document.querySelector('[role=grid] [role=gridcell]').textContent < 60")
        row = "() => { const grid = document.querySelector('[role=grid]'), top = grid.getBoundingClientRect().top + 40; " \
            "return [...grid.querySelectorAll('.window > [role=row]')].find((one) => one.getBoundingClientRect().top > top).firstChild.textContent; }"
        before = page.evaluate(row)
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/models")
        go_on()
        self.rows("204 of 204 requests")
        expect(self.button("3 new")).to_be_visible()
        self.assertEqual(page.evaluate(row), before)

    def test_25_what_was_chosen_of_rows_that_have_gone_meanwhile_is_let_go(self):
        for _ in range(5):
            self.server.call("GET", "/omnichat/api/models")
        page, go_on = self.early()
        rows = page.get_by_role("grid", name="Traffic").get_by_role("row")
        rows.nth(2).click(modifiers=["Control"])
        rows.nth(3).click(modifiers=["Control"])
        expect(page.get_by_role("toolbar", name="Selection")).to_contain_text("2 selected")
        self.server.control("DELETE", "/requests")
        self.server.call("GET", "/omnichat/api/models")
        go_on()
        self.rows("1 of 1 requests")
        expect(page.get_by_role("toolbar", name="Selection")).to_be_hidden()

    def test_25_a_first_reading_that_is_refused_is_made_again(self):
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/models")
        refused = []

        def answer(route):
            refused.append(route)
            if len(refused) == 2:
                route.fulfill(status=503, content_type="application/problem+json", body='{"title":"Busy","status":503}')
            else:
                route.continue_()

        self.context.route("**/__admin/requests?view=line&limit=200", answer)
        page = self.open()
        self.live()
        expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")
        self.rows("3 of 3 requests")
        self.assertGreaterEqual(len(refused), 3)

    def test_25_only_the_console_asks_for_them(self):
        page = self.page
        page.goto(self.server.hub + "/docs/omnichat")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        self.assertEqual([one.url for one in self.requests if "/__admin/requests" in one.url], [])

    def test_25_the_newest_lines_are_those_of_the_world_of_the_address(self):
        self.server.control("POST", "/worlds", {"name": "w1"})
        self.server.call("GET", "/omnichat/api/models", world="w1")
        self.server.call("GET", "/omnichat/api/models")
        self.server.call("GET", "/omnichat/api/models")
        page, _ = self.early("#/traffic?world=w1")
        expect(page.get_by_role("grid", name="Traffic").get_by_role("row")).to_have_count(2)
        asked = [one for one in self.requests if "/__admin/requests?" in one.url]
        self.assertEqual([one.headers["x-understudy-world"] for one in asked], ["w1"])
        self.server.control("DELETE", "/worlds/w1")


class AwayTests(ConsoleCase):
    def test_28_4_the_page_says_when_the_server_is_away_and_follows_it_again(self):
        port = free_base()
        own = Server(port=port)
        own.call("GET", "/omnichat/api/models")
        page = self.page
        page.goto(own.hub + "/#/traffic")
        self.live()
        self.rows("1 of 1 requests")
        own.stop()
        status = page.get_by_role("status", name="Connection")
        expect(status).to_have_text("Away")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        expect(page.get_by_role("button", name="Clear journal")).to_have_attribute("aria-disabled", "true")
        self.rows("1 of 1 requests")
        own = Server(port=port)
        try:
            began = time.monotonic()
            expect(status).to_have_text("Live")
            self.assertLess(time.monotonic() - began, 30)
            expect(page.get_by_role("alert")).to_have_count(0)
            self.rows("0 of 0 requests")
            for _ in range(3):
                own.call("GET", "/omnichat/api/models")
            self.rows("3 of 3 requests")
        finally:
            page.goto("about:blank")
            own.stop()
            self.requests.clear()

    def test_13_a_server_that_hangs_is_away_until_it_answers(self):
        page = self.open()
        self.live()
        status, clear = page.get_by_role("status", name="Connection"), self.button("Clear journal")
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            expect(status).to_have_text("Away")
            expect(clear).to_have_attribute("aria-disabled", "true")
            expect(clear).to_have_attribute("aria-description", re.compile("does not answer"))
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        self.live()
        expect(clear).not_to_have_attribute("aria-disabled", "true")
        expect(page.get_by_role("alert")).to_have_count(0)

    def test_25_tabs_of_a_fourth_world_poll(self):
        names = ["w1", "w2", "w3", "w4", "w4"]
        for name in set(names):
            self.server.control("POST", "/worlds", {"name": name, "from": "main"})
        tabs = []
        for name in names:
            tabs.append(self.open("#/traffic?world=" + name, page=self.new_page()))
            expect(tabs[-1].get_by_role("status", name="Connection")).to_have_text("Polling" if name == "w4" else "Live")
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/models", world="w4")
        for tab in tabs[3:]:
            self.rows("3 of 3 requests", tab)
        for name in set(names):
            self.server.control("DELETE", "/worlds/" + name)

    def test_25_the_tabs_of_a_fourth_world_begin_and_are_away_as_others(self):
        names = ["w1", "w2", "w3", "w4", "w4"]
        for name in set(names):
            self.server.control("POST", "/worlds", {"name": name})
        tabs = []
        for name in names:
            tabs.append(self.open("#/traffic?world=" + name, page=self.new_page()))
            expect(tabs[-1].get_by_role("status", name="Connection")).to_have_text("Polling" if name == "w4" else "Live")
        # The second tab of that world hears of its lists from the first.
        for tab in tabs[3:]:
            expect(tab.get_by_text("No requests yet")).to_be_visible()
        tab = tabs[3]
        tab.evaluate(
            """{
              window.states = [];
              const node = document.querySelector("[aria-label=Connection]");
              new MutationObserver(() => window.states.push(node.textContent)).observe(node, { childList: true });
            }"""
        )
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            for one in tabs[3:]:
                expect(one.get_by_role("status", name="Connection")).to_have_text("Away")
            # It asks again and again, and stays away until it is answered.
            for _ in range(3):
                with tab.expect_event("requestfailed"):
                    pass
            expect(tab.get_by_role("alert")).to_contain_text("does not answer")
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        for one in tabs[3:]:
            expect(one.get_by_role("status", name="Connection")).to_have_text("Polling")
        self.assertEqual(tab.evaluate("window.states"), ["Away", "Polling"])
        self.server.call("GET", "/omnichat/api/models", world="w4")
        for one in tabs[3:]:
            self.rows("1 of 1 requests", one)
        for name in set(names):
            self.server.control("DELETE", "/worlds/" + name)

    def test_13_lists_of_other_pages_are_read_again_when_the_server_is_back(self):
        port = free_base()
        own = Server(port=port)
        page = self.page
        page.goto(own.hub + "/#/users")
        self.live()
        expect(page.get_by_text("No messages")).to_be_visible()
        own.stop()
        expect(page.get_by_role("status", name="Connection")).to_have_text("Away")
        own = Server(port=port)
        try:
            # Its first event comes before the page is back, which has no id to go on from.
            own.call("POST", "/sawaed/api/mobile/v1/auth/request-otp", {"email": "layla@sawaed.test"})
            self.live()
            expect(page.get_by_role("list", name="Messages")).to_contain_text("layla@sawaed.test")
        finally:
            page.goto("about:blank")
            own.stop()
            self.requests.clear()

    def test_25_a_hidden_tab_draws_nothing_and_drops_nothing(self):
        page = self.open("#/faults")
        self.live()
        expect(page.get_by_text("No faults")).to_be_visible()
        # What the page begins with may still be on its way.
        expect(page.get_by_role("group", name="APIs").get_by_role("checkbox")).to_have_count(5)
        expect(page.get_by_role("button", name=re.compile("^Clock 2025"))).to_be_visible()
        self.settled()
        page.evaluate(
            """{
              const frame = window.requestAnimationFrame;
              window.waiting = [];
              window.seen = () => { delete document.hidden; window.requestAnimationFrame = frame; window.waiting.splice(0).forEach((one) => frame(one)); document.dispatchEvent(new Event("visibilitychange")); };
              Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
              window.requestAnimationFrame = (one) => window.waiting.push(one);
              document.dispatchEvent(new Event("visibilitychange"));
              window.drawn = 0;
              new MutationObserver((all) => { window.drawn += all.length; }).observe(document.querySelector("#console"), { childList: true, subtree: true, characterData: true });
            }"""
        )
        with page.expect_response(lambda response: response.url.endswith("/__admin/faults")):
            self.server.control("POST", "/faults", {"name": "one", "match": {"path": "/never"}, "effect": {"status": 500}})
        self.server.call("GET", "/omnichat/api/models")
        with page.expect_response(lambda response: response.url.endswith("/__admin/clock")):
            self.server.control("POST", "/clock/advance", {"by": "PT1H"})
        self.assertEqual(page.evaluate("window.drawn"), 0)
        page.evaluate("window.seen()")
        expect(page.get_by_role("switch", name="Fault one")).to_be_visible()
        expect(page.get_by_role("link", name="1 fault on")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Clock 2025-01-01 13:00:00"))).to_be_visible()
        page.get_by_role("link", name="Traffic", exact=True).click()
        self.rows("1 of 1 requests")

    def test_28_4_seven_tabs_have_one_stream_and_stay_live(self):
        tabs = [self.open()] + [self.open(page=self.new_page()) for _ in range(6)]
        for tab in tabs:
            self.live(tab)
        self.assertEqual(len([one for one in self.requests if one.url.endswith("/__admin/events")]), 1)
        self.server.call("GET", "/omnichat/api/models")
        for tab in tabs:
            self.rows("1 of 1 requests", tab)
        tabs[0].close()
        self.server.call("GET", "/omnichat/api/models")
        for tab in tabs[1:]:
            self.rows("2 of 2 requests", tab)
            self.live(tab)
        self.page = tabs[1]
