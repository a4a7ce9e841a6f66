"""Console contract, sections 12, 26, 27 and 28 (5, 8): the token, hidden characters, targets, the focus, the announcer."""

import re

from harness import AXE, IS_SHORT, ConsoleCase, expect
from test_safety import PAGES, RUN

HIDDEN = "a\u202eb\u2066c\u0085d"
# Targets that are smaller than 24 by 24 px; a box in a label is as large as the label.
SMALL = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=option]")].filter((node) => {
  if (!node.checkVisibility({ visibilityProperty: true })) return false;
  const target = /^(checkbox|radio)$/.test(node.type) ? node.closest("label") ?? node : node;
  const { width, height } = target.getBoundingClientRect();
  return width < 23.9 || height < 23.9;
}).map((node) => node.outerHTML.slice(0, 120))"""
# Tells whether something of what has the focus can be seen.
SEEN = """() => {
  const node = document.activeElement;
  const { left, top, width, height } = node.getBoundingClientRect();
  const label = node.closest("label") ?? node;
  const places = [top + 4, top + height / 2, top + height - 4].map((y) => document.elementFromPoint(left + width / 2, y));
  return places.some((found) => found && label.contains(found)) || node.outerHTML.slice(0, 120);
}"""


class SeenTests(ConsoleCase):
    def test_27_targets_have_24_px_on_every_page(self):
        server = self.server
        server.call("GET", "/omnichat/api/models", token=self.token())
        server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        held = server.later("GET", "/omnichat/api/models")
        while not server.control("GET", "/gates")["items"][0]["held"]:
            pass
        self.addCleanup(held[0].join, 30)
        self.addCleanup(server.control, "POST", "/gates/g/release", {})
        row = server.control("GET", "/state/omnichat/conversations?limit=1")["items"][0]["id"]
        small = {}
        for name in PAGES + ["traffic?exchange=req_1", "compare?a=req_1&b=req_1", "state/omnichat/conversations?row=" + row]:
            self.open("#/" + name)
            self.settled()
            small[name] = self.page.evaluate(SMALL)
        self.assertEqual({name: found for name, found in small.items() if found}, {})

    def test_27_what_has_the_focus_is_not_under_the_heading_of_a_list(self):
        for count in range(8):
            name = "w%s" % count
            self.server.control("POST", "/worlds", {"name": name})
            self.addCleanup(self.server.control, "DELETE", "/worlds/" + name)
        self.page.set_viewport_size({"width": 1280, "height": 600})
        page = self.open("#/worlds")
        self.settled()
        self.button("Use w7").focus()
        for _ in range(8 * 7):
            page.keyboard.press("Shift+Tab")
            if not page.evaluate("document.activeElement.closest('.window') !== null"):
                break
            self.assertIs(page.evaluate(SEEN), True)

    def test_27_the_focus_is_seen_on_what_is_chosen_in_forced_colours(self):
        page = self.page
        page.emulate_media(forced_colors="active")
        self.open()
        self.settled()
        link = page.get_by_role("link", name="Traffic", exact=True)
        outline = "(node) => ['outlineStyle', 'outlineWidth', 'outlineColor', 'outlineOffset'].map((name) => getComputedStyle(node)[name]).join()"
        before = link.evaluate(outline)
        page.get_by_role("link", name="Faults and gates").focus()
        page.keyboard.press("Shift+Tab")
        expect(link).to_be_focused()
        self.assertNotEqual(link.evaluate(outline), before)

    def test_27_one_message_in_five_seconds(self):
        page = self.open("#/users")
        self.settled()
        page.evaluate("""() => {
          window.told = [];
          const status = document.querySelector("[aria-label=Announcements]");
          new MutationObserver(() => status.textContent && told.push([performance.now(), status.textContent])).observe(status, { childList: true });
        }""")
        for user in ("layla", "omar", "sara"):
            self.server.call("POST", "/sawaed/api/mobile/v1/auth/request-otp", {"email": user + "@sawaed.test"})
            expect(page.get_by_role("listitem").filter(has_text=user).first).to_be_visible()
        self.said("A new message for sara@sawaed.test")
        told = page.evaluate("told")
        self.assertTrue(all(b - a >= 4990 for (a, _), (b, _) in zip(told, told[1:])), told)

    def test_12_a_world_of_any_name_is_unknown_where_there_is_none(self):
        for name, shown in (("%E2%80%AEx", "⟨U+202E⟩x"), ("%E6%97%A5", "日"), ("a%0Ab", "a")):
            page = self.open("#/traffic?world=" + name)
            expect(page.get_by_role("heading", name="Unknown world")).to_be_visible()
            expect(page.get_by_role("link", name="Go to Traffic of main")).to_be_visible()
            self.assertIn(shown, page.title())
            self.assertNotIn("\u202e", page.title())

    def test_26_json_to_be_edited_has_escapes_for_what_is_not_seen(self):
        path = "/state/omnichat/conversations"
        row = self.server.control("GET", path + "?limit=1")["items"][0]
        self.server.control("PUT", "%s/%s" % (path, row["id"]), {**row["row"], "title": HIDDEN})
        page = self.open("#/state/omnichat/conversations?row=" + row["id"])
        text = page.get_by_role("textbox", name="Row (JSON)")
        expect(text).to_have_value(re.compile(re.escape(r"a\u202eb\u2066c\u0085d")))
        text.fill(text.input_value().replace("c\\u0085d", "changed"))
        self.button("Save row").click()
        self.said("Saved")
        self.assertEqual(self.server.control("GET", "%s/%s" % (path, row["id"]))["row"]["title"], "a\u202eb\u2066changed")

    def test_28_5_axe_finds_nothing_on_the_documentation(self):
        page, found = self.page, []
        for theme, width in [("light", 1280)] if IS_SHORT else [(a, b) for a in ("light", "dark") for b in (1280, 320)]:
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 256})
            for path in ("/docs/", "/docs/omnichat", *(["/docs/control"] if (theme, width) == ("light", 1280) else [])):
                page.goto(self.server.hub + path)
                if path != "/docs/":
                    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
                    page.locator("article h3 button").first.click()
                    page.locator("article h3 button").nth(3).focus()
                    # Backwards, what is next comes in at the top.
                    for _ in range(12):
                        page.keyboard.press("Shift+Tab")
                        self.assertIs(page.evaluate(SEEN), True)
                self.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE})
                where = "%s %s %s: " % (theme, width, path)
                found += [where + one for one in page.evaluate(RUN) + page.evaluate(SMALL)]
        self.assertEqual(found, [])

    def test_26_an_answer_in_the_documentation_shows_what_it_hides(self):
        order = {"match": {"path": "/api/models"}, "effect": {"respond": {"status": 200, "text": HIDDEN}}}
        self.assertIn("id", self.server.control("POST", "/faults", order))
        page = self.page
        page.goto(self.server.hub + "/docs/omnichat")
        card = page.locator("article").filter(has=page.get_by_text("/api/models", exact=True)).first
        card.get_by_role("button").first.click()
        card.get_by_role("button", name="Send").click()
        expect(card.locator(".output")).to_contain_text("a⟨U+202E⟩b⟨U+2066⟩c⟨U+0085⟩d")


class LockedTests(ConsoleCase):
    flags = ("--admin-token", "s3cret-token")

    def test_26_the_documentation_names_the_token_and_copies_none(self):
        page = self.page
        page.goto(self.server.hub + "/docs/control")
        page.get_by_label("Admin token").fill("s3cret-token")
        page.get_by_role("button", name="Load document").click()
        expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        card = page.locator("article").filter(has=page.get_by_text("/__admin/health", exact=True)).first
        card.get_by_role("button").first.click()
        form = card.get_by_role("form")
        form.get_by_role("button", name="As curl").click()
        expect(form.locator("pre").first).to_contain_text('-H "Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN"')
        form.get_by_role("button", name="Copy").click()
        expect(form.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        self.assertIn("$UNDERSTUDY_ADMIN_TOKEN", copied)
        self.assertNotIn("s3cret", copied)
        form.get_by_role("button", name="Send").click()
        expect(card.locator("[data-status]")).to_have_attribute("data-status", "200")

    def test_26_an_address_gives_the_token_while_it_is_asked_for(self):
        page = self.open()
        expect(page.get_by_role("dialog", name="Admin token")).to_be_visible()
        page.evaluate("location.hash = '#token=s3cret-token'")
        self.settled()
        expect(page.get_by_role("dialog", name="Admin token")).to_have_count(0)
        self.assertNotIn("s3cret", page.url)

    def test_28_8_the_documents_can_be_read_with_the_token(self):
        page = self.open("#token=s3cret-token")
        self.live()
        page.get_by_role("link", name="System").click()
        for name in ("OpenAPI document", "Metrics", "OpenAPI of OmniChat"):
            with page.expect_download() as download:
                page.get_by_role("link", name=name, exact=True).click()
            with open(download.value.path(), encoding="utf-8") as file:
                self.assertNotIn('"status":401', file.read(400), name)
