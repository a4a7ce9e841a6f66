"""Runs every measurement beside nginx and reports. Started by `Benchmarks/run`, which builds and cleans up."""

import argparse
import contextlib
import os
import signal
import sys
import time

from bench import (
    conduct, console, delays, load, log, machine, memory, micro, own, proxy, replay, servers, startup, state, tls, wire, worlds,
)
from bench.report import Row, markdown, mebibytes, micros, nanos, plain

#: The whole run, in seconds; the alarm ends one that hangs.
LIMIT = 1_800
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- begin: Benchmarks/run -->", "<!-- end: Benchmarks/run -->"
SMALL_JOURNAL = 1_000_000


class Scale:
    """The sizes of all measurements."""

    def __init__(self, quick):
        self.rounds = 1 if quick else 5
        self.seconds = 1 if quick else 3
        self.starts = 5 if quick else 20
        self.first = 50_000 if quick else 1_000_000
        self.more = 20_000 if quick else 200_000
        self.streams = 100 if quick else 1_000
        self.lines = 10_000 if quick else 100_000
        self.tokens = 1_000 if quick else 10_000
        self.delay_ms = 500 if quick else 3_000
        self.spread = 0.3 if quick else 2.5
        self.exchanges = 5_000 if quick else 50_000
        self.rows = (10, 1_000) if quick else (10, 100_000)
        # Together with `main` and the first one this is the largest allowed number.
        self.worlds = 500 if quick else 9_998


def progress(text):
    print(f"[{time.perf_counter() - STARTED:5.1f} s] {text}", file=sys.stderr, flush=True)


def measure(options, scale, rows, notes):
    """Appends the rows of the table and the notes below it; earlier results are kept if a later part fails."""
    work = lambda name: os.path.join(options.work, name)

    with servers.Understudy(options.server) as ours, contextlib.ExitStack() as stack:
        model = ours.prepare()
        nginx = stack.enter_context(servers.Nginx(work("nginx"), model, ours.fields))
        same = nginx.check()
        if same.body != model.body:
            raise RuntimeError("nginx does not serve the same body")
        notes.append(
            f"The measured request is an authenticated `GET /api/v1/conversations` ({len(ours.request())} bytes); the answer "
            f"has {len(model.body)} bytes of JSON and {len(model.head)} bytes of head ({len(same.head)} from nginx). The "
            "journal is on, `--quiet` keeps the request log off, the rate limiter is off."
        )

        progress("CPU, throughput and latency, in turn with nginx")
        loads = load.compare([ours, nginx], scale.rounds, scale.seconds)
        rows += load_rows(loads["understudy"], loads["nginx"])
        notes.append(
            f"Loads: medians of {scale.rounds} rounds of {scale.seconds} s by `wrk -t1`, the servers in turn; "
            f"{loads['understudy'][32]['user'] * 100:.0f} % of Understudy's CPU time is user time "
            f"({loads['nginx'][32]['user'] * 100:.0f} % of nginx's)."
        )
        token = ours.token

    progress("access log")
    rows += log_rows(log.measure(options.server, work("log"), scale.rounds, scale.seconds), notes)

    progress("replay")
    replayed = replay.measure(options.server, model, ours.fields, work("replay"), scale.rounds, scale.seconds)
    rows += replay_rows(replayed, loads["understudy"][32]["cpu"])

    progress("starts")
    starts = startup.measure(options.server, token, model, work("starts"), scale.starts)
    rows += start_rows(starts)

    progress("TLS")
    rows += tls_rows(options, scale, work("tls"), model, notes)

    progress("the forward proxy")
    rows += proxy_rows(options, scale, work("proxy"), notes)

    progress("custom APIs")
    rows += own_rows(options, scale, work("own"), notes)

    progress("parts of long files, and abandoned uploads")
    rows += wire_rows(options, scale, work("wire"))

    progress("reads and writes with and without --state")
    rows += state_rows(options, scale, work("state"), notes)

    progress(f"memory after {scale.first:,} requests")
    rows += memory_rows(options, scale, starts, nginx)

    progress("idle connections")
    rows += idle_rows(options, nginx, notes)

    progress("the console's lists")
    rows += console_rows(options, scale)

    progress(f"{scale.worlds:,} worlds")
    rows += world_rows(options, scale)

    progress(f"{scale.streams:,} delayed answers")
    rows += delay_rows(options, scale, notes)

    progress("reports of conduct")
    rows += conduct_rows(options, scale, notes)

    progress("in-process figures")
    rows += micro_rows(micro.measure(options.micro, scale.rows), scale.rows)


def load_rows(ours, theirs):
    cpu, rate = ours[32]["cpu"], ours[32]["rate"]
    share = rate / theirs[32]["rate"] * 100
    rows = [
        Row(
            "CPU per request, 32 connections", f"{micros(cpu)} ({cpu / theirs[32]['cpu']:.2f} times nginx's)",
            micros(theirs[32]["cpu"]), "≤ 1.45 times", cpu <= 1.45 * theirs[32]["cpu"],
        ),
        Row("CPU per request, 1 connection", micros(ours[1]["cpu"]), micros(theirs[1]["cpu"])),
        Row("requests/s, 32 connections", f"{rate:,.0f} ({share:.0f} %)", f"{theirs[32]['rate']:,.0f}", "≥ 68 % of nginx", share >= 68),
        Row("requests/s, 1 connection", f"{ours[1]['rate']:,.0f}", f"{theirs[1]['rate']:,.0f}"),
        Row(
            "p50, 1 connection", micros(ours[1]["p50"]), micros(theirs[1]["p50"]), "≤ nginx + 6 µs",
            ours[1]["p50"] <= theirs[1]["p50"] + 6,
        ),
        Row("p99, 1 connection", micros(ours[1]["p99"]), micros(theirs[1]["p99"])),
        Row("p50, 32 connections", micros(ours[32]["p50"]), micros(theirs[32]["p50"])),
        Row("p99, 32 connections", micros(ours[32]["p99"]), micros(theirs[32]["p99"])),
    ]
    return rows


def log_rows(loads, notes):
    rows = []
    for kind in ("text", "json"):
        for connections in (32, 1):
            quiet, logged = loads["quiet"][connections]["rate"], loads[kind][connections]["rate"]
            title = f"{connections} connection" + ("s" if connections > 1 else "")
            fall = (1 - logged / quiet) * 100
            rows.append(
                Row(
                    f"requests/s with the access log ({kind}) to a file, {title}",
                    f"{logged:,.0f} ({-fall:+.1f} % against --quiet's {quiet:,.0f})", "", "≤ 10 % fewer", fall <= 10,
                )
            )
    notes.append(
        "Access log: the thread that writes it shares the server's one core here, so that the fall is all of its CPU time; "
        "where there is a core more, the loop alone counts."
    )
    return rows


def replay_rows(loads, emulated):
    # The peers' figures are of another run: WireMock 82 µs and 12,000/s, Hoverfly 25.9 µs and 33,000/s.
    times = loads[32].cpu_micros / emulated
    rows = [
        Row(
            "CPU per replayed request, 32 connections", f"{micros(loads[32].cpu_micros)} ({times:.2f} times an emulated one's)",
            "", "≤ 1.4 times", times <= 1.4,
        )
    ]
    for connections in (32, 1):
        title = f"{connections} connection" + ("s" if connections > 1 else "")
        one = loads[connections]
        rows.append(Row(f"replayed requests/s, p50 and p99, {title}", f"{one.rate:,.0f}, {micros(one.p50)}, {micros(one.p99)}"))
    return rows


def console_rows(options, scale):
    rows = []
    for title, bar, (took, held, _) in (
        (f"newest 500 of {scale.lines:,} lines, longest other", 20, console.lines(options.server, scale.lines)),
        ("search of a full journal of 64 MiB, longest other", 500, console.search(options.server)),
        (f"what comes due of {scale.tokens:,} tokens, longest other", 100, console.upcoming(options.server, scale.tokens)),
    ):
        rows.append(Row(title, f"{took:.1f} ms, {held:.1f} ms", "", f"≤ {bar} ms, ≤ 5 ms", took <= bar and held <= 5))
    return rows


def start_rows(starts):
    return [
        Row("fork and exec to the ready line", f"{starts['ready']:.2f} ms"),
        Row(
            "fork and exec to the first answer", f"{starts['answer']:.2f} ms", f"{starts['nginx']:.2f} ms",
            "≤ 10 ms", starts["answer"] <= 10,
        ),
        Row(
            "resident after the first answer", mebibytes(starts["resident"]), mebibytes(starts["nginx resident"]),
            "≤ 20 MiB", starts["resident"] <= 20 * 1048576,
        ),
    ]


def tls_rows(options, scale, folder, model, notes):
    figures = tls.measure(
        options.server, folder, model, scale.rounds, scale.seconds, scale.starts, 200 if scale.rounds == 1 else 1_000,
        200 if scale.rounds == 1 else 2_000,
    )
    present, made = (figures[name] - figures["start"] for name in ("start present", "start made"))
    more = figures["cpu ours"] - figures["cpu plain"]
    shake = {
        (kind, version, who): figures[f"{kind} {version} {who}"]
        for kind in ("full", "resumed") for version in tls.VERSIONS for who in ("ours", "nginx")
    }
    times = {(version, who): shake["resumed", version, who] / shake["full", version, who]
             for version in tls.VERSIONS for who in ("ours", "nginx")}
    notes.append(
        "TLS: a P-256 key and AES-128-GCM, the same certificate for both servers. Handshakes a second are those of one "
        "`openssl s_time`, whose core is the limit; it gives way to the connection whose p99 stands beside them, with a request "
        "every 5 ms. CPU of a handshake is the server's for a connection with one request, less that of one without TLS. In TLS "
        "1.3 sessions are resumed with a new key exchange (`psk_dhe_ke`, which is all that clients offer): the certificate's "
        "signature is saved, and little else. In TLS 1.2 both are."
    )
    return [
        Row("start with `--tls on`, authority present", f"{present:+.2f} ms", "", "≤ 3 ms more", present <= 3),
        Row("start with `--tls on`, authority made", f"{made:+.2f} ms", "", "≤ 15 ms more", made <= 15),
        Row(
            "full handshakes/s (P-256, TLS 1.3)", f"{figures['rate ours']:,.0f} ({figures['busy ours']:.0%} of a core)",
            f"{figures['rate nginx']:,.0f} ({figures['busy nginx']:.0%} of a core)", "≥ 1,000", figures["rate ours"] >= 1_000,
        ),
        Row(
            "… p99 of another connection meanwhile", micros(figures["p99 ours"]), micros(figures["p99 nginx"]), "≤ 2 ms",
            figures["p99 ours"] <= 2_000,
        ),
        *(
            row for version in tls.VERSIONS for row in (
                Row(
                    f"CPU of a full handshake, TLS {version}", micros(shake["full", version, "ours"]),
                    micros(shake["full", version, "nginx"]),
                ),
                Row(
                    f"CPU of a resumed handshake, TLS {version}",
                    f"{micros(shake['resumed', version, 'ours'])} ({times[version, 'ours']:.2f} times a full one's)",
                    f"{micros(shake['resumed', version, 'nginx'])} ({times[version, 'nginx']:.2f} times)", "≤ 0.5 times",
                    times[version, "ours"] <= 0.5,
                ),
            )
        ),
        Row(
            "CPU of a kept-alive request over TLS, 32 connections", f"{micros(figures['cpu ours'])} ({more:+.1f} µs)",
            micros(figures["cpu nginx"]), "≤ 6 µs over plain", more <= 6,
        ),
        Row(
            f"memory per idle TLS connection, {figures['held']:,} held", f"{figures['idle'] / 1024:.2f} KiB", "", "≤ 32 KiB",
            figures["idle"] <= 32 * 1024,
        ),
        Row("`understudy health`", f"{figures['health']:.1f} ms", "", "≤ 20 ms", figures["health"] <= 20),
    ]


def proxy_rows(options, scale, folder, notes):
    is_quick = scale.rounds == 1
    figures = proxy.measure(
        options.server, folder, scale.rounds, scale.seconds, scale.starts, 2_000 if is_quick else 10_000, 200 if is_quick else 2_000,
    )
    absolute = figures["absolute"] / figures["port"] - 1
    connect = figures["connect"] / figures["tls"] - 1
    shake = figures["connect shake"] - figures["tls shake"]
    start = figures["start proxy"] - figures["start"]
    notes.append(
        "Forward proxy: the same request to the API's port and by the proxy in absolute form by `wrk`, under TLS and inside CONNECT by "
        f"{proxy.CLIENTS} kept-alive connections in turn; the CPU time is the server's alone. The bytes of a tunnel come from one "
        "process and go to another, which share the client's core."
    )
    return [
        Row(
            "CPU of a kept-alive request by the proxy, absolute form", f"{micros(figures['absolute'])} ({absolute:+.0%} over the API's port)",
            "", "≤ +25 %", absolute <= 0.25,
        ),
        Row(
            "… inside CONNECT, under TLS", f"{micros(figures['connect'])} ({connect:+.0%} over a TLS port)", "", "≤ +10 %", connect <= 0.10,
        ),
        Row(
            "CPU of CONNECT and a handshake", f"{micros(figures['connect shake'])} ({shake:+.1f} µs over a TLS port's)", "",
            "≤ 50 µs more", shake <= 50,
        ),
        Row(
            "bytes through a tunnel", f"{figures['tunnel']:,.0f} MiB/s ({figures['tunnel busy']:.0%} of a core)", "", "≥ 500 MiB/s",
            figures["tunnel"] >= 500,
        ),
        Row("memory per idle tunnel", f"{figures['idle'] / 1024:.2f} KiB", "", "≤ 32 KiB", figures["idle"] <= 32 * 1024),
        Row("start with `--proxy`, authority present", f"{start:+.2f} ms", "", "≤ 3 ms more", start <= 3),
    ]


def own_rows(options, scale, folder, notes):
    with servers.Understudy(options.server) as built_in:
        built_in.prepare()
        figures = own.measure(options.server, folder, scale.rounds, scale.seconds, scale.starts, built_in)
    more = figures["start medium"] - figures["start"]
    large = figures["start large"] - figures["start"]
    beside = figures["last stub"] - figures["first stub"]
    rows = [
        Row("start with a custom API: 100 operations, 10 tables of 100 rows", f"{more:+.2f} ms", "", "≤ 5 ms more", more <= 5),
        Row(
            f"start with an OpenAPI document of {figures['document bytes'] / 1e6:.2f} MB", f"{large:+.1f} ms", "", "≤ 150 ms more",
            large <= 150,
        ),
    ]
    for name, title in (("stub", "a stub's response"), ("row", "a `GET` of a row")):
        times = figures[f"cpu {name}"] / figures["cpu built-in"]
        rows.append(
            Row(
                f"CPU of {title}, 32 connections", f"{micros(figures[f'cpu {name}'])} ({times:.2f} times a built-in GET)", "",
                "≤ 1.3 times", times <= 1.3,
            )
        )
    rows += [
        Row("responses of a stub/s, 32 connections", f"{figures['stubs a second']:,.0f}"),
        Row(f"the last of {own.STUBS:,} stubs, beside the first", f"{beside:+.1f} µs", "", "≤ 20 µs more", beside <= 20),
        Row(
            f"list of {own.ROWS:,} rows: filter, sort, page of 20", f"{figures['filtered list'] / 1e3:.2f} ms", "", "≤ 3 ms",
            figures["filtered list"] <= 3_000,
        ),
        Row(
            "… a page by the order of the table", f"{micros(figures['page by key'])}", "", "≤ 0.1 ms more than one row",
            figures["page by key"] - figures["one row"] <= 100,
        ),
        Row("… a page from the middle, by offset", f"{micros(figures['page far in'])}"),
        Row("… fork of a world with them, by a call", f"{micros(figures['fork'])}"),
        Row(f"start with a document of {own.OPERATIONS:,} operations", f"{figures['start most']:+.0f} ms", "", "≤ 5 s", figures["start most"] <= 5_000),
        Row(
            "longest wait of another call beside patterns of 8,100 characters",
            f"{figures['wait']:.1f} ms ({figures['wait alone']:.1f} ms alone)", "", "≤ 20 ms", figures["wait"] <= 20,
        ),
        Row(
            "… beside regular expressions over a path of 8,000 characters",
            f"{figures['wait expressions']:.1f} ms ({figures['wait expressions alone']:.1f} ms alone)", "", "≤ 20 ms",
            figures["wait expressions"] <= 20,
        ),
    ]
    notes.append(
        "Custom APIs: times of one request include http.client and the loopback; the starts are medians of "
        f"{scale.starts} in turn, to the ready line."
    )
    return rows


def state_rows(options, scale, folder, notes):
    figures = state.measure(options.server, folder, scale.rounds, scale.seconds)
    rows = []
    for kind in ("read", "write"):
        for connections in (32, 1):
            kept, free = figures[kind, connections, "kept"], figures[kind, connections, "free"]
            title = f"{connections} connection" + ("s" if connections > 1 else "")
            times = kept.cpu_micros / free.cpu_micros
            rate, cost = ("", None), ("", None)
            if kind == "write" and connections == 32:
                rate = ("≥ 12,000", kept.rate >= 12_000)
            elif kind == "read":
                cost = ("≤ 1.4 times", times <= 1.4) if connections == 32 else ("p99 ≤ 1 ms", kept.p99 <= 1_000)
            rows.append(
                Row(f"{kind}s/s with --state, {title}", f"{kept.rate:,.0f} (without: {free.rate:,.0f})", "", *rate)
            )
            rows.append(
                Row(
                    f"CPU per {kind}, p50 and p99 with --state, {title}",
                    f"{micros(kept.cpu_micros)}, {micros(kept.p50)}, {micros(kept.p99)} (without: {micros(free.cpu_micros)}, "
                    f"{micros(free.p50)}, {micros(free.p99)}; {times:.2f} times the CPU)",
                    "", *cost,
                )
            )
    (fresh, start), (forked, usual) = figures["worlds"]["fresh"], figures["worlds"]["forked"]
    rows.append(
        Row(
            "disk and CPU of the next start with --state, each of 100 fresh worlds",
            f"{fresh / 1e3:.2f} kB, {start * 1e3:.2f} ms (a fork of `main`: {forked / 1e3:.2f} kB, {usual * 1e3:.2f} ms)",
            "", "disk ≤ 1.5 times", fresh <= 1.5 * forked,
        )
    )
    notes.append(
        "State: a read is the measured request, a write is `POST /api/v1/conversations` (201, one row); with `--state` it is synced to "
        f"disk before it is answered. One `fdatasync` of 4 KiB took {figures['sync'] * 1e6:,.0f} µs here. CPU time is that of all "
        "threads; the thread that writes shares the server's core."
    )
    return rows


def memory_rows(options, scale, starts, nginx):
    rows = []
    for title, bound in (("journal 64 MiB", None), ("journal 1 MB", SMALL_JOURNAL)):
        with servers.Understudy(options.server, journal_bytes=bound) as server:
            server.prepare()
            sizes, counts = memory.after_requests(server, scale.first, scale.more)
        grown = sizes[2] - sizes[1]
        theirs = ""
        if bound is not None:
            with nginx:
                theirs = mebibytes(memory.after_requests(nginx, scale.more, scale.more)[0][2])
        rows.append(Row(f"resident after {counts[0]:,} requests, {title}", mebibytes(sizes[1]), theirs))
        rows.append(
            Row(
                f"… and its growth in {counts[1]:,} more", f"{grown / 1024:+,.0f} KiB", "", "flat (≤ 512 KiB)",
                grown <= 512 * 1024,
            )
        )
    return rows


def idle_rows(options, nginx, notes):
    files = machine.raise_file_limit()
    wanted = min(10_000, (files - 100))
    with servers.Understudy(options.server, journal_bytes=SMALL_JOURNAL) as server:
        server.prepare()
        held, each = memory.per_idle_connection(server, min(wanted, 4_096))
    with nginx:
        theirs_held, theirs = memory.per_idle_connection(nginx, held)
    notes.append(
        f"Idle connections: {held:,} were held at once, each after one request; 4,096 is the server's limit, which no flag "
        "raises. Resident bytes of the process only; the kernel's socket buffers are not in it."
    )
    return [
        Row(
            f"memory per idle connection, {held:,} held", f"{each / 1024:.2f} KiB", f"{theirs / 1024:.2f} KiB", "≤ 8 KiB",
            each <= 8 * 1024 and held >= 4_096,
        )
    ]


def world_rows(options, scale):
    with servers.Understudy(options.server) as server:
        made, signed_in, used = worlds.measure(server, scale.worlds)
    bar, used_bar = 8 * 1024, 6 * 1024
    return [
        Row(f"memory per world, {scale.worlds:,} made", f"{made / 1024:.2f} KiB", "", "≤ 8 KiB", made <= bar),
        Row("… after a sign-in in each", f"{signed_in / 1024:.2f} KiB", "", "≤ 8 KiB", signed_in <= bar),
        Row("… and a request with an answer of 1.5 kB in each", f"{used / 1024:.2f} KiB", "", "≤ 6 KiB", used <= used_bar),
    ]


def delay_rows(options, scale, notes):
    with servers.Understudy(options.server) as server:
        server.prepare()
        spread = delays.measure(server, scale.streams, scale.delay_ms, scale.spread)
        burst = delays.measure(server, scale.streams, scale.delay_ms, 0)
    p50, p99 = delays.percentile(spread, 50), delays.percentile(spread, 99)
    notes.append(
        f"Delays: {scale.streams:,} streamed replies wait {scale.delay_ms} ms for their first piece, all at the same time, "
        f"begun over {scale.spread} s; “at once” sends all requests in one burst. The error is the time between the arrivals "
        "of `message_start` and of the first `content_chunk`, both stamped by the kernel, less the delay; the earliest came "
        f"{spread[0]:.3f} ms off, the latest {spread[-1]:.3f} ms."
    )
    return [
        Row(f"delay error p50, {scale.streams:,} waiting", f"{p50:.3f} ms"),
        Row(f"delay error p99, {scale.streams:,} waiting", f"{p99:.3f} ms", "", "≤ 2 ms", abs(p99) <= 2),
        Row(
            f"delay error p50 / p99, {scale.streams:,} at once",
            f"{delays.percentile(burst, 50):.3f} / {delays.percentile(burst, 99):.3f} ms",
        ),
    ]


def conduct_rows(options, scale, notes):
    rows = []
    cases = [(f"{scale.exchanges:,} small exchanges", scale.exchanges, 1 << 30)]
    if scale.exchanges >= 50_000:
        cases.append(("a full journal of 64 MiB", None, None))
    for name, count, size in cases:
        found = conduct.measure(options.server, count, size)
        rows += [
            Row(f"report of conduct, {name}", f"{found.first:.2f} s ({found.cpu:.2f} s of CPU)", "", "≤ 2 s", found.first <= 2),
            Row("a second one, with nothing new", f"{found.second * 1e3:.0f} ms", "", "≤ 200 ms", found.second <= 0.2),
            Row("one with 100 new exchanges", f"{found.more * 1e3:.0f} ms"),
            Row(
                "longest wait of another connection meanwhile", f"{found.wait:.1f} ms (before: {found.idle:.1f} ms)", "", "≤ 50 ms longer",
                found.wait - found.idle <= 50,
            ),
        ]
        notes.append(
            f"Reports of conduct, {name}: {found.entries:,} exchanges of one client, in the journal when the first report was asked for; "
            f"loop and worker share the server's core; resident memory grew by {mebibytes(found.memory)}."
        )
    return rows


def wire_rows(options, scale, folder):
    cpu, growth, (left, longest) = wire.measure(options.server, folder, scale.rounds, scale.seconds)
    times = cpu["long"] / cpu["short"]
    return [
        Row(
            "CPU of 64 KiB of a file of 64 MiB", f"{micros(cpu['long'])} ({times:.2f} times a file of 64 KiB)", "", "≤ 1.3 times",
            times <= 1.3,
        ),
        Row(f"memory for {wire.AT_ONCE:,} such parts at once", f"+{mebibytes(growth)}", "", "≤ 96 MiB more", growth <= 96 * 1_048_576),
        Row(
            f"memory after {wire.ABANDONED} abandoned uploads, without the journal's", f"{left / 1_024:+,.0f} KiB", "",
            "flat (≤ 512 KiB)", left <= 512 * 1_024,
        ),
        Row("longest wait of another call meanwhile", f"{longest:.1f} ms", "", "≤ 5 ms", longest <= 5),
    ]


def micro_rows(figures, counts):
    few, many = counts
    rows = []
    for name, title in (("fork", "fork of a world"), ("reset", "reset of a world")):
        value = figures[f"{name} {many}"]
        rows.append(
            Row(
                f"{title}, {few:,} / {many:,} rows", f"{nanos(figures[f'{name} {few}'])} / {nanos(value)}", "", "≤ 20 µs",
                value <= 20_000,
            )
        )
    own = figures["reset own rows"]
    rows.append(Row("reset of a world with 5,000 rows and 5,000 exchanges of its own", nanos(own), "", "≤ 20 µs", own <= 20_000))
    for name, title in (
        ("first write", "first write after a fork"),
        ("second write", "the same write without a fork"),
        ("first list", "first measured request after a fork"),
    ):
        rows.append(Row(f"{title}, {few:,} / {many:,} rows", f"{nanos(figures[f'{name} {few}'])} / {nanos(figures[f'{name} {many}'])}"))
    for name, title in (
        ("answer", "whole in-process answer, journal on"),
        ("head", "request parsed by the wire"),
        ("send", "answer encoded by the wire"),
        ("json", "JSON of the answer written"),
        ("jwt", "HS256 token verified"),
    ):
        rows.append(Row(title, nanos(figures[name])))
    return rows


def document(rows, notes):
    return "\n\n".join(
        [
            BEGIN,
            f"Measured by `Benchmarks/run` (`make bench`) on {machine.description()}; server on one core, client on "
            f"{'another' if machine.CLIENT_CORE != machine.SERVER_CORE else 'the same'}; release build with the static "
            "standard library.",
            markdown(rows),
            "\n".join(f"- {note}" for note in notes),
            END,
        ]
    )


def write_document(text):
    path = os.path.join(ROOT, "docs", "performance.md")
    with open(path) as file:
        before, _, rest = file.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(path, "w") as file:
        file.write(before + text + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--micro", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()

    def end(*_):
        raise SystemExit("Benchmarks/run: ended before it was through")

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, end)
    signal.alarm(LIMIT)
    machine.raise_file_limit()
    if machine.load_average() > 0.7:
        print(f"warning: the machine is busy (load {machine.load_average():.1f}); the figures will be noisy", file=sys.stderr)
    rows, notes = [], []
    try:
        measure(options, Scale(options.quick), rows, notes)
        progress("done")
    finally:
        print(plain(rows))
    if not (options.quick or options.no_write):
        write_document(document(rows, notes))
        print("\nwritten to docs/performance.md")


STARTED = time.perf_counter()
if __name__ == "__main__":
    main()
