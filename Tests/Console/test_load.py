"""Console contract, section 28 (1, 2): long journals and many requests a second. Left out of the short form."""

import http.client
import threading
import time
import urllib.parse

from harness import ConsoleCase, expect


def hammer(address, count, path="/api/models"):
    """Makes requests over one connection, as fast as they are answered."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc)
    for _ in range(count):
        connection.request("GET", path)
        connection.getresponse().read()
    connection.close()


class LoadTests(ConsoleCase):
    flags = ("--journal-bytes", "400000000")

    def setUp(self):
        super().setUp()
        self.server.control("POST", "/reset", {})

    def test_28_1_a_hundred_thousand_rows_are_loaded_and_scrolled(self):
        threads = [threading.Thread(target=hammer, args=(self.server.apis["omnichat"], 12_500)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        page = self.open()
        self.rows("100,000 of 100,000 requests")
        page.wait_for_timeout(1000)
        session = self.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        nodes = page.evaluate("document.querySelectorAll('*').length")
        frames = page.evaluate(
            """new Promise((done) => {
              const grid = document.querySelector('[role=grid]'), times = [];
              let last = performance.now(), count = 0;
              const step = (now) => {
                times.push(now - last); last = now;
                grid.scrollTop = (grid.scrollHeight * count) / 300;
                if ((count += 1) < 300) requestAnimationFrame(step); else done(times.slice(2).sort((a, b) => a - b));
              };
              requestAnimationFrame(step);
            })"""
        )
        print("heap %.1f MB, %s nodes, 95th percentile of a frame %.1f ms" % (heap / 1e6, nodes, frames[int(len(frames) * 0.95)]))
        self.assertLess(heap, 100_000_000)
        self.assertLess(nodes, 2_500)

    def test_28_2_rows_of_a_stream_of_requests_all_arrive(self):
        page = self.open()
        self.live()
        thread = threading.Thread(target=hammer, args=(self.server.apis["omnichat"], 20_000))
        began = time.monotonic()
        thread.start()
        box = page.get_by_role("searchbox", name="Filter")
        box.fill("status:401")
        thread.join()
        print("%.0f requests a second" % (20_000 / (time.monotonic() - began)))
        self.rows("20,000 of 20,000 requests")
        expect(box).to_have_value("status:401")
