"""Kills, full disks and many snapshots of a world on disk (control contract, sections 4 and 18)."""

import json
import os
import resource
import shutil
import tempfile
import threading
import time

from server import Died, Server
from session import MIB, require


def size(folder):
    total = 0
    for base, _, names in os.walk(folder):
        total += sum(os.path.getsize(os.path.join(base, name)) for name in names)
    return total


def kills(session, random):
    with session.case("store: kill -9 while writes come") as row:
        rounds = 15 if session.is_long else 4
        lost = acknowledged = 0
        with Server(session.binary, "--state", "state") as server:
            for turn in range(rounds):
                token = server.token("omnichat", "power@omnichat.test")
                made = []
                stopping = threading.Event()

                def write(worker):
                    number = 0
                    while not stopping.is_set():
                        title = "t%d-%d-%d" % (turn, worker, number)
                        number += 1
                        try:
                            answer = server.call(
                                "POST", "/api/v1/conversations", {"title": title, "model": "gpt-4o-mini"},
                                {"Authorization": "Bearer " + token}, base=server.apis["omnichat"], timeout=5,
                            )
                        except (OSError, Died, Exception):
                            return
                        if answer.status in (200, 201):
                            made.append(answer.json().get("id") or title)
                        elif answer.status == 429:
                            time.sleep(0.01)

                server.call("PUT", "/__admin/settings", {"omnichat": {"rateLimits": "off"}})
                threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
                for thread in threads:
                    thread.start()
                end = time.monotonic() + random.uniform(0.1, 0.6)
                forks = 0
                while time.monotonic() < end:
                    server.call("POST", "/__admin/snapshots", {"name": "s%d-%d" % (turn, forks)})
                    forks += 1
                    time.sleep(0.03)
                server.kill()
                stopping.set()
                for thread in threads:
                    thread.join()
                server.start()
                state = server.call("GET", "/__admin/state").body.decode()
                acknowledged += len(made)
                lost += sum(1 for name in made if '"%s"' % name not in state)
            require(acknowledged > 0, "no write was answered")
            require(lost == 0, "%d of %d answered writes are lost" % (lost, acknowledged))
            row["note"] = "%d answered writes, %d kills, none lost" % (acknowledged, rounds)


def snapshots(session, random):
    sizes, memories, starts = {}, {}, {}
    fill = 64 if session.is_long else 16
    with session.case("store: ten snapshots cost at most 1.2 times one") as row:
        for count in (1, 10):
            with Server(session.binary, "--state", "state", "--journal-bytes", str(fill * MIB)) as server:
                # Half of what stands in it is the request's content, which is kept up to 64 KiB.
                payload = json.dumps({"pad": "".join(random.choice("abcdefghij") for _ in range(50_000))}).encode()
                for _ in range(fill * MIB // 50_000 + 20):
                    server.call("POST", "/api/v1/nothing", payload, {"Content-Type": "application/json"},
                                base=server.apis["trendy"])
                for number in range(count):
                    require(server.call("POST", "/__admin/snapshots", {"name": "s%d" % number}).status == 201, "no snapshot")
                server.stop()
                sizes[count] = size(os.path.join(server.folder, "state"))
                server.start()
                starts[count] = server.start_time
                memories[count] = server.memory()[0]
                names = server.call("GET", "/__admin/snapshots").json()["items"]
                require(len(names) == count, "%d snapshots after the restart" % len(names))
                require(server.call("POST", "/__admin/snapshots/s0/restore").status == 200, "no restore")
        row["note"] = "disk %.2f, memory %.2f, start %.2f of one" % (
            sizes[10] / sizes[1], memories[10] / memories[1], starts[10] / starts[1])
        require(sizes[10] <= 1.2 * sizes[1], "on disk %.2f times one" % (sizes[10] / sizes[1]))
        require(memories[10] <= 1.2 * memories[1] + 4 * MIB, "in memory %.2f times one" % (memories[10] / memories[1]))
        require(starts[10] <= 1.2 * starts[1] + 0.25, "at the start %.2f times one" % (starts[10] / starts[1]))


def full(session, random):
    with session.case("store: a limit on file size is a full disk, not a crash"):
        def limits():
            resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))

        with Server(session.binary, "--state", "state", limits=limits) as server:
            statuses = []
            for _ in range(200):
                try:
                    answer = server.call("POST", "/api/v1/nothing", b'"' + b"x" * 50_000 + b'"',
                                         {"Content-Type": "application/json"}, base=server.apis["trendy"])
                    statuses.append(answer.status)
                    if answer.status == 503:
                        break
                except (OSError, Died):
                    break
            server.stop()
            require(server.process.returncode in (1, 130), "ended with %d" % server.process.returncode)
            server.limits = None
            server.start()
            require(server.call("GET", "/__admin/health").status == 200, "not well after it")


def links(session, random):
    with session.case("store: links, folders and pipes are refused by name"):
        server = Server(session.binary, "--state", "good")
        server.call("POST", "/__admin/worlds", {"name": "w"})
        server.stop()
        good = os.path.join(server.folder, "good", "understudy.sqlite")
        with open(good, "rb") as file:
            former = file.read()
        for kind in ("link", "folder", "pipe", "negative", "cut"):
            folder = os.path.join(server.folder, kind)
            os.makedirs(folder)
            place = os.path.join(folder, "understudy.sqlite")
            if kind == "link":
                os.symlink(good, place)
            elif kind == "folder":
                os.mkdir(place)
            elif kind == "pipe":
                os.mkfifo(place)
            else:
                data = bytearray(former)
                data[60:64] = b"\xff\xff\xff\xff" if kind == "negative" else data[60:64]
                with open(place, "wb") as file:
                    file.write(data[:2000] if kind == "cut" else data)
            server.flags = ["--state", kind]
            before = len(server.said())
            try:
                server.start()
                require(False, "a %s is taken" % kind)
            except Died:
                text = server.said()[before:]
                require(text.strip() and "understudy.sqlite" in text, "says nothing of a %s: %s" % (kind, text[:200]))
        with open(good, "rb") as file:
            require(file.read() == former, "the file that a link named was changed")
        server.remove()


def keys(session, random):
    """A table of a custom API whose key changes between starts: to numbers, to texts, to what few rows or none have."""
    with session.case("store: a table's key changes between starts") as row:
        place = tempfile.mkdtemp(prefix="understudy-hostile-keys-")
        server, made = None, {}
        names = ["id"] + [random.choice(["v", "t", "rare", "id", "none"]) for _ in range(10 if session.is_long else 5)]
        try:
            for turn, name in enumerate(names):
                os.makedirs(os.path.join(place, "shop"), exist_ok=True)
                with open(os.path.join(place, "shop", "api.json"), "w") as file:
                    json.dump({"tables": {"items": {"key": name, "newKey": "uuid"}},
                               "resources": [{"path": "/items", "table": "items"}]}, file)
                if server is None:
                    server = Server(session.binary, "--apis", place, "--api", "shop", "--state", "state")
                else:
                    server.start()
                base = server.apis["shop"]
                found = {line["mark"]: line for line in server.call("GET", "/items?limit=1000", base=base).json()}
                require(found == made, "after %s %d of %d rows are the same" % (
                    names[:turn + 1], sum(found.get(mark) == made[mark] for mark in made), len(made)))
                for number in range(20):
                    line = {"mark": "%d-%d" % (turn, number), "v": random.randrange(10), "t": "k%d" % random.randrange(100)}
                    if number % 7 == 0:
                        line["rare"] = random.randrange(1 << 40)
                    answer = server.call("POST", "/items", line, base=base, expect=(201, 409))
                    if answer.status == 201:
                        made[line["mark"]] = answer.json()
                if random.random() < 0.5:
                    server.kill()
                else:
                    server.stop()
            row["note"] = "%d rows under %s" % (len(made), ", ".join(names))
        finally:
            if server:
                server.remove()
            shutil.rmtree(place, ignore_errors=True)


def run(session, random, deadline, clock):
    for attack in (kills, snapshots, full, links, keys):
        attack(session, random)
