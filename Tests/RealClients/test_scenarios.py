"""The scenarios of the built-in APIs that are about connections, parts, portals and codings: each does what its title says."""

import json

import httpx
import requests
from session import ClientTest
from wire import Wire

ACCESS = {
    "sawaed": "layla@sawaed.test",
    "carbscan": "anna.free@example.com",
    "omnichat": "test@icloud.com",
    "trafikskola": "anna@example.com",
    "trendy": "completed@trendy.example",
}


class ScenarioTest(ClientTest):
    def on(self, name):
        """Switches a scenario on, and returns its API's origin."""
        self.server.call("PUT", f"/scenarios/{name}")
        return self.server.apis[name.split("/")[0]]

    def fields(self, api, user=None):
        token = self.server.call("POST", "/tokens", {"api": api, "user": user or ACCESS[api], "kind": "access"})["token"]
        return {"Authorization": f"Bearer {token}"}

    def test_a_portal_is_a_page_under_200_for_every_request(self):
        for name, *paths in [
            ("trendy/captive-portal", "/api/v1/events", "/api/v1/events"),
            ("carbscan/captive-portal", "/api/mobile/v1/config", "/api/mobile/v1/auth/apple"),
            ("trafikskola/captive-portal", "/api/app-config", "/api/mobile/auth/login"),
        ]:
            origin = self.on(name)
            for method, path in zip(["GET", "POST"], paths):
                answer = requests.request(method, origin + path)
                self.assertEqual((answer.status_code, answer.headers["Content-Type"].split(";")[0]), (200, "text/html"), name)
                with self.assertRaises(ValueError):
                    answer.json()

    def test_a_portal_that_redirects_sets_a_cookie(self):
        origin = self.on("sawaed/captive-portal-redirect")
        answer = requests.post(origin + "/api/mobile/auth/signin", json={}, allow_redirects=False)
        self.assertEqual((answer.status_code, answer.headers["Location"]), (302, "http://portal.invalid/login"))
        self.assertEqual(answer.cookies.get_dict(), {"portal": "1"})

    def test_a_reused_connection_is_closed_once_and_a_new_one_never(self):
        for name, method, path in [
            ("sawaed/keep-alive-closed", "GET", "/api/mobile/v1/locations/regions"),
            ("trafikskola/keep-alive-closed", "GET", "/api/app-config"),
            ("trendy/keep-alive-closed", "POST", "/api/v1/events"),
            ("carbscan/keep-alive-closed", "POST", "/api/mobile/v1/analyze"),
        ]:
            origin = self.on(name)
            with Wire(origin) as wire:
                self.assertTrue(wire.send(path, method).answer()[0].startswith(b"HTTP/1.1 "), name)
                self.assertEqual(wire.send(path, method).rest(), b"", name)
            with Wire(origin) as wire:
                for _ in range(2):
                    self.assertTrue(wire.send(path, method).answer()[0].startswith(b"HTTP/1.1 "), name)

    def test_trendy_stores_no_event_on_the_connection_that_closes(self):
        origin = self.on("trendy/keep-alive-closed")
        fields = self.fields("trendy", "tracker@trendy.example")
        with requests.Session() as session:
            kinds = session.get(origin + "/api/v1/event-types", headers=fields).json()
            before = session.get(origin + "/api/v1/events?limit=1000", headers=fields).json()
            event = {"event_type_id": kinds[0]["id"], "timestamp": "2025-01-01T11:00:00Z", "is_all_day": False}
            with self.assertRaises(requests.exceptions.ConnectionError):
                session.post(origin + "/api/v1/events", json=event, headers=fields)
            self.assertEqual(len(session.get(origin + "/api/v1/events?limit=1000", headers=fields).json()), len(before))
            self.assertEqual(session.post(origin + "/api/v1/events", json=event, headers=fields).status_code, 201)

    def test_omnichat_closes_each_connection_after_its_answer(self):
        origin = self.on("omnichat/keep-alive-closed")
        with Wire(origin) as wire:
            head, _ = wire.send("/api/v1/conversations").answer()
            self.assertNotIn(b"connection: close", head.lower())
            self.assertEqual(wire.rest(), b"")

    def test_omnichat_is_half_open_on_a_reused_connection(self):
        origin = self.on("omnichat/idle-connection-dead")
        with Wire(origin) as wire:
            wire.send("/api/v1/conversations").answer()
            self.assertTrue(wire.send("/api/v1/conversations").is_silent())
        with httpx.Client() as client:
            self.assertEqual([client.get(origin + "/api/v1/conversations").status_code for _ in range(2)], [401, 401])

    # MARK: Parts

    def picture(self, api):
        """The path of a content of an API, and the fields that it asks for."""
        if api == "trafikskola":
            return "/logo.png", {}
        table = {"omnichat": "files", "sawaed": "files"}[api]
        row = self.server.call("GET", f"/state/{api}/{table}")["items"][0]["id"]
        return {"omnichat": "/api/v1/files/", "sawaed": "/api/storage/"}[api] + row, self.fields(api) if api == "omnichat" else {}

    def cut(self, name):
        """Downloads a content with a scenario on: (its whole bytes, the part that came, its tag, a function for what follows)."""
        api = name.split("/")[0]
        path, fields = self.picture(api)
        whole = requests.get(self.server.apis[api] + path, headers=fields)
        self.assertEqual(whole.status_code, 200, whole.text[:200])
        origin = self.on(name)
        with Wire(origin) as wire:
            head, _, part = wire.send(path, fields=[f"{name}: {value}" for name, value in fields.items()]).rest().partition(b"\r\n\r\n")
        self.assertIn(f"content-length: {len(whole.content)}".encode(), head.lower())
        self.assertEqual(part, whole.content[: len(whole.content) // 2])
        rest = lambda **more: requests.get(origin + path, headers={**fields, "Range": f"bytes={len(part)}-", **more})
        return whole.content, part, whole.headers.get("ETag", '"none"'), rest

    def test_a_download_that_broke_off_is_resumed(self):
        for name in ["omnichat/file-resume", "trafikskola/picture-resume"]:
            whole, part, tag, rest = self.cut(name)
            answer = rest(**{"If-Range": tag})
            self.assertEqual((answer.status_code, part + answer.content == whole), (206, True), name)

    def test_a_download_that_broke_off_starts_anew(self):
        for name, accepts in [
            ("sawaed/picture-cut", None), ("omnichat/file-no-ranges", "none"), ("trafikskola/picture-range-ignored", "bytes"),
        ]:
            whole, _, tag, rest = self.cut(name)
            answer = rest(**{"If-Range": tag})
            self.assertEqual((answer.status_code, answer.content == whole), (200, True), name)
            self.assertEqual(answer.headers.get("Accept-Ranges"), accepts, name)

    def test_a_file_without_a_length(self):
        for name in ["omnichat/file-without-length", "sawaed/picture-without-length"]:
            path, fields = self.picture(name.split("/")[0])
            answer = requests.get(self.on(name) + path, headers=fields)
            self.assertEqual((answer.headers.get("Transfer-Encoding"), answer.headers.get("Content-Length")), ("chunked", None))

    # MARK: Answers

    def test_carbscan_redirects_until_its_cookie_comes_back(self):
        url = self.on("carbscan/cookie-wall") + "/api/mobile/v1/config"
        with requests.Session() as session:
            answer = session.get(url)
            self.assertEqual(([hop.status_code for hop in answer.history], answer.json()["success"]), ([302], True))
        # Without a jar it is a loop.
        self.need("curl")
        self.assertEqual(self.server.run("curl", "-sS", "-L", "--max-redirs", "3", url)[0], 47)

    def test_content_says_gzip_and_is_plain(self):
        for name, path in [("carbscan/gzip-mislabelled", "/api/mobile/v1/config"), ("trendy/gzip-mislabelled", "/api/v1/event-types")]:
            url = self.on(name) + path
            with self.assertRaises(requests.exceptions.ContentDecodingError):
                requests.get(url)
            with requests.get(url, stream=True) as answer:
                json.loads(answer.raw.read(decode_content=False))

    def test_trendy_redirects_the_slash(self):
        origin = self.on("trendy/slash-redirect")
        fields = self.fields("trendy")
        for method, status in [("GET", 301), ("POST", 307)]:
            answer = requests.request(method, origin + "/api/v1/events/", headers=fields, allow_redirects=False)
            self.assertEqual((answer.status_code, answer.headers["Location"].endswith("/api/v1/events")), (status, True))

    def test_trafikskola_sends_early_hints(self):
        origin = self.on("trafikskola/early-hints")
        with Wire(origin) as wire:
            head, _ = wire.send("/api/app-config").answer()
            self.assertTrue(head.startswith(b"HTTP/1.1 103"), head)
        self.assertEqual(httpx.get(origin + "/api/app-config").status_code, 200)

    def test_the_list_finds_them_by_the_words_of_bug_reports(self):
        for words in ["captive portal", "keep-alive", "idle", "redirect", "cookie", "gzip", "resume"]:
            status, text = self.server.run(self.server.binary, "scenario", "list", *words.split())
            self.assertEqual(status, 0, text)
            self.assertRegex(text, r"(?m)^(sawaed|carbscan|omnichat|trafikskola|trendy)/", words)
