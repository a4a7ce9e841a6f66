"""Console contract, section 28 (4, 7, 8, 11): what is done on the page holds outside it, and foreign text stays text."""

import json
import re
import urllib.error
import urllib.request

from harness import ConsoleCase, expect

HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>javascript:window.ran=1 \u202e\u0007\u0085 \u2066'
OTP = "/sawaed/api/mobile/v1/auth/"


class EffectTests(ConsoleCase):
    def test_28_11_a_code_of_the_outbox_signs_in(self):
        self.server.call("POST", OTP + "request-otp", {"email": "layla@sawaed.test"})
        page = self.open("#/users")
        self.button("Copy code for layla@sawaed.test").click()
        self.said("Copied")
        code = page.evaluate("navigator.clipboard.readText()")
        status, answer = self.server.call("POST", OTP + "verify-otp", {"email": "layla@sawaed.test", "code": code})
        self.assertEqual(status, 200, answer)
        # It was used, so its end is not waited for any more.
        items = self.server.control("GET", "/clock/upcoming?kind=otp")["items"]
        self.assertEqual(items, [])

    def test_28_11_a_scenario_acts_while_it_is_on(self):
        name = "omnichat/rate-limit-nearly-spent"
        token = self.token()
        path = "/omnichat/api/conversations"

        def marked():
            self.server.call("GET", path, token=token)
            return self.server.control("GET", "/requests?view=line&limit=1")["items"][0].get("scenario")

        self.assertIsNone(marked())
        page = self.open("#/scenarios?q=" + name)
        switch = page.get_by_role("switch", name=name)
        switch.click()
        expect(page.get_by_role("region", name="In effect")).to_contain_text(name)
        self.assertEqual(marked(), name)
        switch.click()
        expect(page.get_by_role("region", name="In effect")).to_have_count(0)
        self.assertIsNone(marked())

    def test_28_11_a_fork_has_the_rows_of_its_source(self):
        row = self.server.control("GET", "/state/omnichat/users?limit=1")["items"][0]
        self.server.control("PUT", "/state/omnichat/users/" + row["id"], {**row["row"], "email": "forked@icloud.com"})
        page = self.open("#/worlds")
        self.button("Fork main").click()
        dialog = page.get_by_role("dialog", name="Fork main")
        dialog.get_by_role("textbox", name="Name").fill("branch")
        dialog.get_by_role("button", name="Fork", exact=True).click()
        expect(page.get_by_role("combobox", name="World")).to_have_value("branch")
        for api in self.server.apis:
            for table in self.server.control("GET", "/state/" + api)["items"]:
                path = "/state/%s/%s?limit=1000" % (api, table["name"])
                ours, theirs = self.server.control("GET", path), self.server.control("GET", path, world="branch")
                self.assertEqual(ours, theirs, path)
        self.open("#/state/omnichat/users?world=branch")
        expect(page.get_by_role("grid", name="Rows")).to_contain_text("forked@icloud.com")
        self.server.control("DELETE", "/worlds/branch")
        self.assertEqual(self.server.call("GET", "/__admin/state/omnichat", world="branch")[0], 404)

    def test_28_11_held_requests_are_answered_in_the_order_of_selection(self):
        self.server.control("POST", "/gates", {"name": "g", "match": {"path": "/api/models"}})
        page = self.open("#/faults")
        for count in (1, 2, 3):
            self.server.later("GET", "/omnichat/api/models?n=%s" % count)
            expect(page.get_by_role("link", name="%s held" % count)).to_be_visible()
        for place in (3, 1, 2):
            page.get_by_role("checkbox", name="Select req_%s" % place, exact=True).check()
        self.button("Release selected").click()
        expect(page.get_by_text("Nothing is held")).to_be_visible()
        items = self.server.control("GET", "/requests?limit=10")["items"]
        ended = {one["id"]: one["endedAt"] for one in items}
        self.assertEqual(sorted(ended, key=ended.get), ["req_3", "req_1", "req_2"])
        (call,) = [one for one in self.requests if one.url.endswith("/gates/g/release")]
        self.assertEqual(call.post_data_json["held"], ["req_3", "req_1", "req_2"])


class GapTests(ConsoleCase):
    def test_28_4_a_gap_of_the_events_is_mended(self):
        page = self.open()
        self.live()
        for _ in range(3):
            self.server.call("GET", "/omnichat/api/models")
        self.rows("3 of 3 requests")
        # The tab hears nothing while 1,500 requests come, which is more than the server keeps for it.
        session = self.context.new_cdp_session(page)
        session.send("Network.enable")
        offline = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        session.send("Network.emulateNetworkConditions", {"offline": True, **offline})
        expect(page.get_by_role("status", name="Connection")).to_have_text("Away")
        for _ in range(1500):
            self.server.call("GET", "/omnichat/api/models")
        session.send("Network.emulateNetworkConditions", {"offline": False, **offline})
        self.live()
        self.rows("1,503 of 1,503 requests")
        seqs = page.evaluate("import('/__admin/console/kit/journal.js').then((one) => one.journal.rows.map((row) => row.seq))")
        self.assertEqual(seqs, sorted(set(seqs)))
        self.assertEqual(len(seqs), 1503)


class ForeignTextTests(ConsoleCase):
    def test_28_7_foreign_text_in_notes_rows_messages_and_bodies(self):
        server = self.server
        deep = json.loads("[" * 60 + "]" * 60)
        server.control("POST", "/notes", {"text": HOSTILE, "data": {"a": HOSTILE}})
        for name in (HOSTILE, "javascript:window.ran=1"):
            server.call("POST", OTP + "request-otp", {"email": "a@b.test", "x": name})
        row = server.control("GET", "/state/omnichat/conversations?limit=1")["items"][0]
        status, answer = server.call(
            "PUT", "/__admin/state/omnichat/conversations/" + row["id"], {**row["row"], "title": HOSTILE.replace("\u0007", "")}
        )
        self.assertEqual(status, 200, answer)
        body = json.dumps({"title": HOSTILE, "half": "\ud800", "deep": deep}).encode()
        request = urllib.request.Request(
            server.hub + "/omnichat/api/conversations?q=%3Cscript%3E", data=body, method="POST",
            headers={"Content-Type": "application/json", "Authorization": "Bearer " + self.token(), "X-Hostile": "<img src=x onerror=window.ran=1>"},
        )
        try:
            urllib.request.urlopen(request).read()
        except urllib.error.HTTPError:
            pass
        order = {"name": HOSTILE, "match": {"path": "/x"}, "effect": {"respond": {"status": 200, "text": HOSTILE}}}
        self.assertIn("id", server.control("POST", "/faults", order))
        server.control("PUT", "/scenarios/omnichat/file-gone")
        exchange = server.control("GET", "/requests?view=line&limit=1")["items"][0]["id"]
        pages = ["traffic", "state/omnichat/conversations", "users", "faults", "report", "system", "clock", "worlds"]
        for name in pages + ["traffic?exchange=%s&part=%s" % (exchange, part) for part in ("Overview", "Request", "Response", "Raw")]:
            page = self.open("#/" + name)
            self.settled()
            if "exchange" in name:
                expect(page.get_by_role("tablist", name="Parts")).to_be_visible()
            self.assertIsNone(page.evaluate("window.ran ?? null"), name)
            self.assertEqual(page.locator("main script, main iframe, main [onerror], [style], main a[href^='javascript' i]").count(), 0, name)
            self.assertEqual(page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069\\u0085]/.test(document.body.innerText)"), False, name)
        self.open("#/traffic")
        expect(page.get_by_role("grid", name="Traffic")).to_contain_text("⟨U+202E⟩␇⟨U+0085⟩")
        self.open("#/traffic?exchange=%s&part=Request" % exchange)
        body = page.get_by_role("region", name="Request body")
        expect(body).to_contain_text("window.ran")
        body.get_by_role("button", name="Copy body").click()
        self.said("Copied")
        self.assertIn(json.dumps(HOSTILE)[1:-1], page.evaluate("navigator.clipboard.readText()"))
        # The name of a fault is shown in its dialog as it is: a field is no markup.
        self.open("#/faults")
        page.get_by_role("button", name=re.compile("^Edit <img")).click()
        expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value(re.compile("^<img"))
        self.assertIsNone(page.evaluate("window.ran ?? null"))


class LockedTests(ConsoleCase):
    flags = ("--admin-token", "s3cret-token")

    def test_28_8_every_call_is_401_without_the_token(self):
        document = self.server.control("GET", "/openapi.json", token="s3cret-token")
        free, count = [], 0
        for path, item in document["paths"].items():
            for method in item:
                if method not in ("get", "put", "post", "delete", "patch"):
                    continue
                # A demanded token is asked for before anything else is looked at.
                target = re.sub(r"\{[^}]*\}", "x", path)
                status = self.server.call(method.upper(), target, {} if method in ("put", "post", "patch") else None, raw=True)[0]
                count += 1
                if status != 401:
                    free.append("%s %s" % (method, path))
        self.assertGreater(count, 40)
        # A page and the certificate of the CA, which phones load: nothing of a world.
        self.assertEqual(free, ["get /__admin/docs"] + ["get /__admin/ca." + end for end in ("pem", "crt", "mobileconfig")])

    def test_26_the_token_is_kept_in_the_tab_only_where_asked(self):
        page = self.open()
        dialog = page.get_by_role("dialog", name="Admin token")
        dialog.get_by_label("Admin token", exact=True).fill("wrong")
        page.keyboard.press("Enter")
        expect(dialog.get_by_label("Admin token", exact=True)).to_have_value("")
        dialog.get_by_label("Admin token", exact=True).fill("s3cret-token")
        dialog.get_by_role("checkbox", name="Keep in this tab").check()
        dialog.get_by_role("button", name="Use token").click()
        self.live()
        page.reload()
        self.live()
        self.assertEqual(page.evaluate("Object.values(sessionStorage)"), ["s3cret-token"])
        self.assertEqual(page.evaluate("JSON.stringify(localStorage)"), "{}")
