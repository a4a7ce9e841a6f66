"""Console contract, part B, in a stock Firefox where there is one: each page, live traffic, keys, and no complaint."""

import sys
import unittest

import marionette
from harness import Server

PAGES = ["traffic", "faults", "scenarios", "clock", "worlds", "state/omnichat/messages", "users", "hosts", "report", "system"]
TITLES = ["Traffic", "Faults and gates", "Scenarios", "Clock", "Worlds", "State", "Users", "Hosts", "Report", "System"]
COMPLAINTS = """(() => {
  window.complaints = [];
  addEventListener("error", (event) => window.complaints.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => window.complaints.push(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => window.complaints.push(event.violatedDirective));
  return true;
})()"""


class FirefoxTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.firefox = Server(), marionette.Firefox()

    @classmethod
    def tearDownClass(cls):
        cls.firefox.stop()
        cls.server.stop()

    def rows(self, text):
        self.firefox.wait("document.querySelector('[role=status][aria-label=Rows]')?.textContent === '%s'" % text)

    def test_12_every_page_is_shown_and_live(self):
        for name, title in zip(PAGES, TITLES):
            self.firefox.open(self.server.hub + "/#/" + name)
            self.firefox.wait("document.querySelector('[role=status][aria-label=Connection]')?.textContent === 'Live'")
            self.firefox.run(COMPLAINTS)
            self.assertEqual(self.firefox.run("document.title"), title + " · main · Understudy")
            self.assertEqual(self.firefox.run("document.querySelector('h1').textContent"), title)
            over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            self.assertLessEqual(self.firefox.run(over), 0, name)
            self.assertEqual(self.firefox.run("document.querySelectorAll('[role=alert]').length"), 0, name)
            self.assertEqual(self.firefox.run("window.complaints"), [], name)

    def test_14_traffic_arrives_is_filtered_and_opened_by_keys(self):
        self.server.control("POST", "/reset", {})
        self.firefox.open(self.server.hub + "/#/traffic")
        self.firefox.run(COMPLAINTS)
        self.rows("0 of 0 requests")
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/models")
        self.server.call("GET", "/omnichat/nope")
        self.rows("4 of 4 requests")
        self.firefox.run("document.querySelector('[role=grid]').focus()")
        self.firefox.press("\ue010", "k", "\ue007")
        self.firefox.wait("document.querySelector('[role=region][aria-label=Exchange], section[aria-label=Exchange]')?.innerText.includes('/api/models')")
        self.firefox.run("document.querySelector('[role=grid]').focus()")
        self.firefox.press("/")
        self.firefox.press(*"status:404")
        self.rows("1 of 4 requests")
        self.assertEqual(self.firefox.run("window.complaints"), [])


def load_tests(loader, tests, pattern):
    """Left out where no Firefox is installed, and says so."""
    if marionette.PATH:
        return tests
    print("There is no Firefox: the console is tested in Chromium alone.", file=sys.stderr)
    return unittest.TestSuite()
