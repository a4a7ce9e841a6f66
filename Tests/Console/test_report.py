"""The report of conduct on its page, and its findings while they happen (console contract, section 22)."""

import os
import re
import unittest

from playwright.sync_api import expect

from harness import PICTURES, ConsoleCase


class ReportTests(ConsoleCase):
    def picture(self, name):
        os.makedirs(PICTURES, exist_ok=True)
        self.page.screenshot(path="%s/%s.png" % (PICTURES, name), full_page=True)

    def test_22_findings_are_told_with_their_exchanges(self):
        self.server.call("GET", "/omnichat/api/v1/nothing?next=%252Fhome")
        page = self.open("#/report")
        conduct = page.get_by_role("region", name="Conduct")
        expect(conduct).to_contain_text("✕ fail 1 error, 1 warning")
        found = conduct.get_by_role("article")
        expect(found).to_have_count(2)
        expect(found.nth(0)).to_contain_text("Unknown route")
        expect(found.nth(0)).to_contain_text("omnichat GET /api/v1/nothing · 1 time")
        for word in ("Seen", "Expected", "Why", "Fix"):
            expect(found.nth(0).get_by_text(word, exact=True)).to_be_visible()
        expect(found.nth(1)).to_contain_text("url/double-encoded")
        self.picture("report")
        found.nth(0).get_by_role("link", name="req_1").click()
        expect(page).to_have_url(re.compile("exchange=req_1"))
        # The exchange names the rules that it proves a breach of.
        expect(page.get_by_role("link", name="url/unknown-route").first).to_be_visible()

    def test_22_an_open_exchange_names_what_is_found_later(self):
        self.server.call("GET", "/omnichat/api/v1/nothing")
        # The journal is judged a second after it was read, when the exchange is shown already.
        page = self.open("#/traffic?exchange=req_1")
        expect(page.get_by_role("link", name="url/unknown-route").first).to_be_visible()

    def test_22_the_report_follows_what_happens(self):
        self.server.call("GET", "/omnichat/api/models", token=self.token())
        page = self.open("#/report")
        conduct = page.get_by_role("region", name="Conduct")
        expect(conduct).to_contain_text("✓ pass 0 errors, 0 warnings")
        expect(conduct.get_by_text("No findings")).to_be_visible()
        self.picture("report-pass")
        self.server.call("GET", "/omnichat/api/v1/nothing")
        expect(conduct).to_contain_text("✕ fail 1 error")

    def test_22_a_scenario_that_exercises_a_rule_is_switched_on(self):
        page = self.open("#/report")
        conduct = page.get_by_role("region", name="Conduct")
        table = conduct.get_by_role("table", name="Rules not exercised")
        expect(table.get_by_text("retry/spent-limit-ignored")).to_be_visible()
        table.get_by_role("switch", name="omnichat/rate-limit-nearly-spent").click()
        expect(table.get_by_role("switch", name="omnichat/rate-limit-nearly-spent")).to_have_attribute("aria-checked", "true")
        active = [one["name"] for one in self.server.control("GET", "/scenarios")["items"] if one["active"]]
        self.assertIn("omnichat/rate-limit-nearly-spent", active)

    def test_22_a_severity_that_is_off_and_an_allowance_are_shown(self):
        self.server.control(
            "PUT",
            "/settings",
            {
                "conduct": {
                    "rules": {"url/double-encoded": {"severity": "off"}},
                    "allow": [{"rule": "url/unknown-route", "reason": "comes next"}],
                }
            },
        )
        self.server.call("GET", "/omnichat/api/v1/nothing?next=%252Fhome")
        page = self.open("#/report")
        conduct = page.get_by_role("region", name="Conduct")
        expect(conduct).to_contain_text("✓ pass 0 errors, 0 warnings")
        expect(conduct.get_by_role("article")).to_contain_text("suppressed by allow")
        conduct.get_by_text("1 rule not judged").click()
        expect(conduct.get_by_role("table", name="Rules not judged")).to_contain_text("switched-off")
        self.picture("report-allowed")

    def test_22_a_finding_marks_its_exchange_while_it_happens(self):
        page = self.open("#/traffic")
        self.live()
        self.server.call("GET", "/omnichat/api/v1/nothing")
        expect(page.get_by_text("finding url/unknown-route")).to_be_visible()
        self.picture("traffic-finding")
        # What was found before a page was opened is marked too.
        page.reload()
        expect(page.get_by_text("finding url/unknown-route")).to_be_visible()
        # After a reset another exchange has the id.
        token = self.token()
        self.server.control("POST", "/reset", {})
        self.server.call("GET", "/omnichat/api/models", token=token)
        self.rows("1 of 1 requests")
        expect(page.get_by_text("finding url/unknown-route")).to_have_count(0)

    def test_22_hostile_names_stay_text(self):
        self.server.call("GET", "/omnichat/%3Cimg%20src=x%3E")
        page = self.open("#/report")
        expect(page.get_by_role("region", name="Conduct").get_by_role("article").first).to_contain_text("%3Cimg")
        self.assertEqual(page.locator("main img").count(), 0)


if __name__ == "__main__":
    unittest.main()
