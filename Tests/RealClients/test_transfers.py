"""Downloads, connections, redirects, cookies and writes by real clients (docs/contract/wire.md)."""

import asyncio
import gzip
import os

import aiohttp
import httpx
import requests
from session import DATA, ClientTest

LENGTH = len(DATA)


def checksum(content):
    """The sum that fetch.mjs makes."""
    total = 0
    for byte in content:
        total = (total * 31 + byte) % 1_000_003
    return total


class TransferTest(ClientTest):
    def setUp(self):
        super().setUp()
        self.url = self.shop + "/data"

    def aiohttp(self, *calls):
        """The answers to (method, URL, headers) one after another in one session: (status, headers, content)."""

        async def run():
            found = []
            async with aiohttp.ClientSession() as session:
                for method, url, headers in calls:
                    async with session.request(method, url, headers=headers) as response:
                        found.append((response.status, response.headers, await response.read()))
            return found

        return asyncio.run(run())

    # MARK: Ranges

    def test_1_each_client_gets_the_part_that_it_asks_for(self):
        fields = {"Range": "bytes=1000-1999"}
        for status, found, content in [
            (lambda a: (a.status_code, a.headers, a.content))(requests.get(self.url, headers=fields)),
            (lambda a: (a.status_code, a.headers, a.content))(httpx.get(self.url, headers=fields)),
            *self.aiohttp(("GET", self.url, fields)),
        ]:
            self.assertEqual((status, found["Content-Range"]), (206, f"bytes 1000-1999/{LENGTH}"))
            self.assertEqual(content, DATA[1_000:2_000])
        part = self.node(self.url, "Range=bytes=1000-1999")[0]
        self.assertEqual((part["status"], part["length"], part["sum"]), (206, 1_000, checksum(DATA[1_000:2_000])))

    def curl(self, *words):
        return self.server.run("curl", "-sS", *words)

    def test_1_curl_resumes_what_broke_off(self):
        self.need("curl")
        path = os.path.join(self.server.folder.name, "part")
        for effect in [{"connection": "truncate", "afterBytes": 100_000}, {"connection": "reset", "afterBytes": 100_000}]:
            if os.path.exists(path):
                os.remove(path)
            self.server.fault(effect, times=1, path="/data")
            self.assertNotEqual(self.curl("-o", path, self.url)[0], 0)
            self.assertLessEqual(os.path.getsize(path), 100_000)
            status, text = self.curl("-C", "-", "-o", path, self.url)
            self.assertEqual(status, 0, text)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), DATA)
            # What is whole is 416, which curl takes for the end.
            self.assertIn(self.curl("-C", "-", "-o", path, self.url)[0], (0, 22))
        self.assertEqual(self.server.findings("range/*", "retry/*"), [])

    def test_1_curl_takes_no_200_for_the_rest(self):
        self.need("curl")
        path = os.path.join(self.server.folder.name, "half")
        for effect in ["ignored", "none"]:
            with open(path, "wb") as file:
                file.write(DATA[:1_000])
            self.server.fault({"range": effect}, path="/data")
            status, text = self.curl("-C", "-", "-o", path, self.url)
            # "HTTP server doesn't seem to support byte ranges. Cannot resume."
            self.assertEqual(status, 33, text)
            self.assertEqual(os.path.getsize(path), 1_000)
            self.server.call("DELETE", "/faults")

    def test_4_conduct_finds_the_client_that_appends_a_200_to_its_part_and_no_other(self):
        ranged = {"path": "/data", "headers": {"If-Range": {"contains": '"'}}}
        for is_careful in [True, False]:
            with self.subTest(is_careful=is_careful):
                self.server.call("POST", "/reset")
                self.server.fault({"connection": "truncate", "afterBytes": 50_000}, times=1, path="/data")
                # The file has changed, and its 200 breaks off, too.
                self.server.fault({"connection": "truncate", "afterBytes": 60_000}, times=1, **ranged)
                other = {"text": "x" * 80_000, "headers": [["ETag", '"other"']]}
                self.server.call("POST", "/stubs", {"match": {"api": "shop", **ranged}, "when": {"times": 1}, "response": other})
                self.follow(is_careful)
                self.assertEqual(self.server.findings("range/*"), [] if is_careful else ["range/wrong-part-joined"])

    def follow(self, is_careful):
        """Downloads and goes on where it broke off; a careful client takes a 200 for the whole content."""
        part, tag = b"", None
        for _ in range(4):
            fields = {"Range": f"bytes={len(part)}-", "If-Range": tag} if part else {}
            answer = requests.get(self.url, headers=fields, stream=True)
            if answer.status_code == 416:
                return part
            tag = answer.headers.get("ETag")
            if answer.status_code == 200 and is_careful:
                part = b""
            try:
                while piece := answer.raw.read(10_000):
                    part += piece
                if not answer.raw.length_remaining:
                    return part
            except Exception:
                continue
        return part

    def test_1_a_tag_saves_the_content(self):
        tag = requests.head(self.url).headers["ETag"]
        fields = {"If-None-Match": tag}
        self.assertEqual((lambda a: (a.status_code, a.content))(requests.get(self.url, headers=fields)), (304, b""))
        self.assertEqual(httpx.get(self.url, headers=fields).status_code, 304)
        self.assertEqual(self.aiohttp(("GET", self.url, fields))[0][0], 304)
        self.assertEqual(self.node(self.url, f"If-None-Match={tag}")[0]["status"], 304)

    # MARK: Framing

    def test_4_each_client_takes_content_without_a_length_and_interim_answers(self):
        for effect in [
            {"framing": "chunked"}, {"framing": "close"}, {"interim": [{"status": 103, "headers": [["Link", "</a>"]]}, {"status": 103}]},
        ]:
            with self.subTest(effect=effect):
                self.server.call("DELETE", "/faults")
                self.server.fault(effect, path="/data")
                # http.client of Python takes any interim answer but 100 for the final one.
                answer = requests.get(self.url)
                self.assertEqual((answer.status_code, answer.content), (103, b"") if "interim" in effect else (200, DATA))
                self.assertEqual(httpx.get(self.url).content, DATA)
                self.assertEqual(self.aiohttp(("GET", self.url, {}))[0][2], DATA)
                found = self.node(self.url)[0]
                self.assertEqual((found.get("length"), found.get("sum")), (LENGTH, checksum(DATA)), found)
                self.assertEqual("content-length" in found["headers"], "interim" in effect)

    # MARK: Codings

    def test_3_each_client_reads_what_is_compressed(self):
        try:
            self.server.call("PUT", "/settings", {"shop": {"compress": "on"}})
        except AssertionError:
            self.skipTest("there is no setting compress")
        url = self.shop + "/json"
        plain = requests.get(url, headers={"Accept-Encoding": "identity"})
        self.assertNotIn("Content-Encoding", plain.headers)
        for found in [requests.get(url), httpx.get(url)]:
            self.assertEqual((found.headers["Content-Encoding"], found.content), ("gzip", plain.content))
        status, fields, content = self.aiohttp(("GET", url, {}))[0]
        self.assertEqual((status, fields["Content-Encoding"], content), (200, "gzip", plain.content))
        self.assertEqual(self.node(url)[0]["sum"], checksum(plain.content))
        self.need("curl")
        self.assertEqual(self.curl("--compressed", url), (0, plain.text))

    def test_3_content_that_says_gzip_and_is_plain_is_an_error_of_each_client(self):
        self.server.fault({"respond": {"status": 200, "headers": [["Content-Encoding", "gzip"]], "text": "plain"}}, path="/data")
        with self.assertRaises(requests.exceptions.ContentDecodingError):
            requests.get(self.url)
        with self.assertRaises(httpx.DecodingError):
            httpx.get(self.url)
        with self.assertRaises(aiohttp.ClientPayloadError):
            self.aiohttp(("GET", self.url, {}))
        self.assertIn("error", self.node(self.url)[0])
        self.need("curl")
        self.assertEqual(self.curl("--compressed", self.url)[0], 61)

    def test_4_conduct_finds_content_in_a_coding_that_an_endpoint_refuses(self):
        coded, plain = gzip.compress(b'{"title": "Tea"}'), b'{"title": "Tea"}'
        url = self.server.apis["carbscan"] + "/api/mobile/v1/auth/apple"
        fields = {"Content-Type": "application/json"}
        self.assertEqual(requests.post(url, data=coded, headers={**fields, "Content-Encoding": "gzip"}).status_code, 415)
        self.assertEqual(self.server.findings("coding/refused"), ["coding/refused"])
        # Who goes on without it has only tried.
        requests.post(url, data=plain, headers=fields)
        self.assertEqual(self.server.findings("coding/refused"), [])
        requests.post(url, data=coded, headers={**fields, "Content-Encoding": "gzip"})
        self.assertEqual(self.server.findings("coding/refused"), ["coding/refused"])

    def test_3_own_apis_read_a_coded_request_and_conduct_has_nothing_against_it(self):
        coded, fields = gzip.compress(b'{"title": "Tea"}'), {"Content-Type": "application/json"}
        answer = requests.post(self.shop + "/orders", data=coded, headers={**fields, "Content-Encoding": "gzip"})
        if answer.status_code == 415:
            self.skipTest("own APIs read no coded requests")
        self.assertEqual((answer.status_code, answer.json()["title"]), (201, "Tea"))
        self.assertEqual(self.server.findings("body/*", "coding/*"), [])

    # MARK: Event streams

    def events(self, last=None):
        """The ids that httpx reads, and how the stream ends."""
        found, ending = [], "ended"
        fields = {"Last-Event-ID": last} if last else {}
        with httpx.stream("GET", self.shop + "/events", headers=fields) as answer:
            try:
                found += [line[4:] for line in answer.iter_lines() if line.startswith("id: ")]
            except httpx.RemoteProtocolError:
                ending = "cut"
            return answer.status_code, found, ending

    def test_9_a_stream_is_read_whole_and_one_that_is_cut_is_an_error(self):
        self.assertEqual(self.events(), (200, ["1", "2", "3"], "ended"))
        self.server.fault({"stream": {"cutAfterEvents": 2}}, times=1, path="/events")
        status, _, ending = self.events()
        self.assertEqual((status, ending), (200, "cut"))

    def test_9_a_stream_goes_on_behind_the_last_event(self):
        if self.events("2")[1] != ["3"]:
            self.skipTest("streams don't go on by Last-Event-ID")
        self.assertEqual(self.events("1"), (200, ["2", "3"], "ended"))
        self.assertEqual(self.events("3"), (204, [], "ended"))
        self.assertEqual(self.events("9"), (200, ["1", "2", "3"], "ended"))

    # MARK: Connections

    def test_5_a_server_that_closes_after_its_answer_costs_no_get(self):
        self.server.fault({"connection": "close"}, path="/data")
        with requests.Session() as session, httpx.Client() as client:
            for _ in range(3):
                self.assertEqual(session.get(self.url).status_code, 200)
                self.assertEqual(client.get(self.url).status_code, 200)
        self.assertEqual([status for status, *_ in self.aiohttp(*[("GET", self.url, {})] * 3)], [200] * 3)
        self.assertEqual([found.get("status") for found in self.node(*[self.url] * 3)], [200] * 3)

    def test_5_a_post_on_a_connection_that_closes_is_an_error_and_is_sent_once(self):
        orders = self.shop + "/orders"

        def with_requests():
            with requests.Session() as session:
                session.get(self.url)
                with self.assertRaises(requests.exceptions.ConnectionError):
                    session.post(orders, json={"title": "Tea"})

        def with_httpx():
            with httpx.Client() as client:
                client.get(self.url)
                with self.assertRaises(httpx.RemoteProtocolError):
                    client.post(orders, json={"title": "Tea"})

        def with_aiohttp():
            with self.assertRaises(aiohttp.ServerDisconnectedError):
                self.aiohttp(("GET", self.url, {}), ("POST", orders, {}))

        for client in [with_requests, with_httpx, with_aiohttp]:
            with self.subTest(client=client.__name__):
                self.server.call("POST", "/reset")
                self.server.fault({"connection": "empty"}, times=1, phase="after", connection="reused")
                client()
                sent = self.server.requests("/orders")
                self.assertEqual(len(sent), 1)
                self.assertTrue(sent[0]["reused"])
                self.assertEqual(self.server.findings("retry/*", "conn/*"), [])

    def test_4_conduct_judges_a_post_that_is_sent_again_by_its_key(self):
        orders = self.shop + "/orders"
        for first, second, found in [
            (None, None, ["retry/unsafe-repeated"]), ("a", "b", ["retry/idempotency-key-changed"]),
            ("a", None, ["retry/idempotency-key-changed"]), ("a", "a", []),
        ]:
            with self.subTest(keys=(first, second)):
                self.server.call("POST", "/reset")
                self.server.fault({"connection": "empty"}, times=1, phase="after", method="POST", connection="reused")
                with requests.Session() as session:
                    session.get(self.url)
                    for key in [first, second]:
                        try:
                            answer = session.post(orders, json={"title": "Tea"}, headers={"Idempotency-Key": key} if key else {})
                        except requests.exceptions.ConnectionError:
                            continue
                self.assertEqual(answer.status_code, 201)
                self.assertEqual(answer.headers.get("Idempotency-Replayed"), "true" if first and first == second else None)
                rows = requests.get(orders).json()
                rows = rows if isinstance(rows, list) else rows["items"]
                self.assertEqual(sum(row.get("title") == "Tea" for row in rows), 1 if first and first == second else 2)
                self.assertEqual(self.server.findings("retry/*"), found)

    # MARK: Redirects and cookies

    def test_6_each_client_follows_a_redirect_and_those_with_a_jar_send_its_cookie(self):
        url = self.shop + "/moved"
        with requests.Session() as session, httpx.Client(follow_redirects=True) as client:
            self.assertEqual((session.get(url).text, client.get(url).text), ("with", "with"))
        # aiohttp keeps no cookie of an address for an IP, and fetch none at all.
        self.assertEqual(self.aiohttp(("GET", url, {}))[0][2], b"without")
        found = self.node(url)[0]
        self.assertEqual((found["status"], found["url"], found["length"]), (200, self.shop + "/cookie", len("without")))
        self.need("curl")
        self.assertEqual(self.curl("-L", url), (0, "without"))
        self.assertEqual(self.curl("-L", "-b", "", url), (0, "with"))

    def test_6_a_redirect_to_the_other_slash_keeps_a_post(self):
        url = self.shop + "/orders/"
        answer = requests.post(url, json={"title": "Tea"})
        self.assertEqual((answer.status_code, [hop.status_code for hop in answer.history]), (201, [307]))
        with httpx.Client(follow_redirects=True) as client:
            self.assertEqual(client.post(url, json={"title": "Milk"}).status_code, 201)
        self.assertEqual([entry["status"] for entry in self.server.requests("/orders")], [201, 201])
