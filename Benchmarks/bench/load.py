"""CPU per request, throughput and latency under wrk."""

import os
import re
import statistics
import subprocess

from . import machine

_script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wrk.lua")


class Load:
    def __init__(self, requests, seconds, p50, p99, cpu, user_share):
        self.requests, self.seconds, self.p50, self.p99, self.cpu = requests, seconds, p50, p99, cpu
        self.user_share = user_share

    @property
    def rate(self):
        return self.requests / self.seconds

    @property
    def cpu_micros(self):
        return self.cpu * 1e6 / self.requests


def run(server, connections, seconds, script=_script):
    """Loads a server with keep-alive connections; any answer but a 2xx is an error."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script]
    for name, value in server.fields:
        command += ["-H", f"{name}: {value}"]
    before, split = machine.cpu_seconds(server.pid), machine.split_seconds(server.pid)
    with machine.on_core(machine.CLIENT_CORE):
        result = subprocess.run(command + [server.url], capture_output=True, text=True, timeout=seconds + 20)
    cpu = machine.cpu_seconds(server.pid) - before
    user, system = (after - was for after, was in zip(machine.split_seconds(server.pid), split))
    line = re.search(r"^RESULT (.*)$", result.stdout, re.M)
    if not line:
        raise RuntimeError(f"wrk said nothing usable: {result.stdout[-500:]}{result.stderr[-500:]}")
    values = {name: int(value) for name, value in (item.split("=") for item in line.group(1).split())}
    if values["status"] or values["broken"] or not values["requests"]:
        raise RuntimeError(f"the load on {server.name} went wrong: {line.group(1)}")
    return Load(
        values["requests"],
        values["microseconds"] / 1e6,
        values["p50"],
        values["p99"],
        cpu,
        user / (user + system) if user + system > 0 else 0,
    )


def compare(servers, rounds, seconds):
    """Rounds of all servers in turn, so that a busy moment of the machine meets them alike; the medians of each.

    Answers {server name: {connections: {"cpu", "rate", "p50", "p99", "user"}}}.
    """
    found = {server.name: {1: [], 32: []} for server in servers}
    for server in servers:
        run(server, 32, 1)
    for _ in range(rounds):
        for connections in (32, 1):
            for server in servers:
                found[server.name][connections].append(run(server, connections, seconds))
    return {
        name: {
            connections: {
                "cpu": statistics.median(load.cpu_micros for load in loads),
                "rate": statistics.median(load.rate for load in loads),
                "p50": statistics.median(load.p50 for load in loads),
                "p99": statistics.median(load.p99 for load in loads),
                "user": statistics.median(load.user_share for load in loads),
            }
            for connections, loads in by_count.items()
        }
        for name, by_count in found.items()
    }
