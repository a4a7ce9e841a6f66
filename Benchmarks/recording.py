"""Measures a large recording: import, replay and drift, with the memory they take. Linux, python3 and wrk.

    python3 Benchmarks/recording.py BINARY [MIB]

Makes a recording of MIB mebibytes (500) in a temporary folder and throws it away again.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

from bench.servers import Serving

CLOCK = ["--clock", "frozen:2025-01-01T12:00:00Z"]


def entry(number, size):
    """An answer of about `size` bytes at an address of its own; every third is Base64."""
    body = json.dumps({"number": number, "text": f"{number} å " * max(1, size // 10)})
    content = {"size": len(body.encode()), "mimeType": "application/json", "text": body}
    if number % 3 == 0:
        import base64

        content.update(text=base64.b64encode(body.encode()).decode(), encoding="base64")
    return {
        "startedDateTime": "2025-01-01T12:00:00.000Z",
        "time": 12.5,
        "request": {
            "method": "GET", "url": f"https://api.example.com/items/{number}?page=1", "httpVersion": "HTTP/1.1",
            "cookies": [], "headers": [{"name": "Accept", "value": "application/json"}],
            "queryString": [{"name": "page", "value": "1"}], "headersSize": -1, "bodySize": 0,
        },
        "response": {
            "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [{"name": "Content-Type", "value": "application/json"}, {"name": "Content-Length", "value": str(content["size"])}],
            "content": content, "redirectURL": "", "headersSize": -1, "bodySize": -1,
        },
        "cache": {},
        "timings": {"blocked": 0, "dns": -1, "connect": -1, "ssl": -1, "send": 0.1, "wait": 12, "receive": 0.4},
    }


def make(path, mebibytes):
    """Small answers, some of 200 kB, and a few of 8 MB; answers how many entries."""
    count = written = 0
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[\n')
        while written < mebibytes << 20:
            size = 8_000_000 if count % 4_000 == 3_999 else 200_000 if count % 50 == 49 else 2_000
            written += file.write((",\n" if count else "") + json.dumps(entry(count, size), ensure_ascii=False))
            count += 1
        file.write("\n]}}\n")
    return count


def memory(pid, what):
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith(what):
                return int(line.split()[1]) / 1024
    return 0


def timed(url):
    start = time.perf_counter()
    with urllib.request.urlopen(url, timeout=60) as answer:
        size = len(answer.read())
    return time.perf_counter() - start, size


def wrk(url, seconds=5):
    if not shutil.which("wrk"):
        return "wrk is not installed"
    text = subprocess.run(["wrk", "-t1", "-c32", f"-d{seconds}s", "--latency", url], capture_output=True, text=True).stdout
    pick = lambda mark: next((line.split()[1] for line in text.splitlines() if mark in line), "?")
    return f"{pick('Requests/sec')} requests/s, p50 {pick('50%')}, p99 {pick('99%')}"


def main():
    binary, mebibytes = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500
    folder = tempfile.mkdtemp(prefix="understudy-recording-")
    try:
        path = os.path.join(folder, "large.har")
        count = make(path, mebibytes)
        print(f"recording: {os.path.getsize(path) / (1 << 20):,.0f} MiB, {count:,} entries")
        start = time.perf_counter()
        with Serving(binary, "replay", path, "--api", "omnichat", "--port", "0", "--quiet", *CLOCK, cwd=folder) as server:
            origin = server.apis["omnichat"]
            print(f"import until ready: {time.perf_counter() - start:.1f} s, peak {memory(server.pid, 'VmHWM'):,.0f} MiB, then {memory(server.pid, 'VmRSS'):,.0f} MiB")
            for name, number in (("2 kB", 0), ("200 kB", 49), ("8 MB", 3_999)):
                if number < count:
                    first, size = timed(f"{origin}/items/{number}?page=1")
                    again, _ = timed(f"{origin}/items/{number}?page=1")
                    print(f"answer of {name} ({size:,} bytes): {first * 1e3:.1f} ms from the file, {again * 1e3:.1f} ms from memory")
            print(f"replay of 2 kB: {wrk(origin + '/items/1?page=1')}")
            # Every long response once, which is more than the cache holds.
            start = time.perf_counter()
            read = sum(timed(f"{origin}/items/{number}?page=1")[1] for number in range(count) if number % 50 == 49)
            print(f"every long answer once: {read / (1 << 20):,.0f} MiB in {time.perf_counter() - start:.1f} s, peak {memory(server.pid, 'VmHWM'):,.0f} MiB")
        start = time.perf_counter()
        with subprocess.Popen([binary, "validate", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            peak = 0
            while process.poll() is None:
                peak = max(peak, memory(process.pid, "VmHWM"))
                time.sleep(0.02)
        print(f"validate: {time.perf_counter() - start:.1f} s, peak {peak:,.0f} MiB, exit {process.returncode}")
        start = time.perf_counter()
        subprocess.run([binary, "diff", path, "--api", "omnichat"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"diff: {time.perf_counter() - start:.1f} s, peak of all {peak:,.0f} MiB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
