"""Runs schemathesis over every document of an understudy; run by scripts/contract-test."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
import traceback

from contract_journeys import JOURNEYS, Journey
from serving import Serving

SCRIPTS = os.path.dirname(os.path.abspath(__file__))
CLIENT = os.path.join(os.path.dirname(SCRIPTS), "clients", "python")
sys.path.insert(0, CLIENT)

import understudy  # noqa: E402

# Users of each seed world whose tokens may be used, by the start of a path.
USERS = {
    "omnichat": {"": "test@icloud.com"},
    "carbscan": {"": "pro@carbscan.test"},
    "trafikskola": {"": "anna@example.com", "/api/admin/": "erik@example.com"},
    "trendy": {"": "completed@trendy.example"},
    "sawaed": {"": "layla@sawaed.test"},
}
# The settings that make every response ready at once.
SETTINGS = {"omnichat": {"stream": {"firstTokenMs": 0, "gapMs": 0}}}
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
]
# Never ends by itself; the tests of events read it.
ENDLESS = ["/__admin/events"]


SHORT_SEED = 42
EXAMPLES = {"short": 8, "long": 60}


def main():
    parser = argparse.ArgumentParser(prog="scripts/contract-test [BINARY]")
    parser.add_argument("binary", help=argparse.SUPPRESS)
    parser.add_argument("folder", help=argparse.SUPPRESS)
    parser.add_argument("--short", action="store_true", help="few requests, and a seed that is always the same")
    parser.add_argument("--seed", type=int, help="of what is sent; the long form takes another one each time")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an API, or control; all of them if absent")
    options = parser.parse_intermixed_args()
    folder = os.path.abspath(options.folder)
    # Earlier failures are kept there and tried first; a run must depend on its seed alone.
    shutil.rmtree(os.path.join(folder, ".schemathesis"), ignore_errors=True)
    seed = options.seed
    if seed is None:
        seed = SHORT_SEED if options.short else random.randrange(1, 2**31)
    print("contract-test: seed %d" % seed, flush=True)
    failed = []
    with Serving(
        options.binary, "serve", "--port", "0", "--quiet", "--seed", "42", "--clock", "frozen:2025-01-01T12:00:00Z",
        # What belongs to TLS and to the proxy answers with a 409 without them.
        "--tls", "--ca", os.path.join(folder, "authority"), "--proxy",
    ) as server:
        known = [*server.apis, "control"]
        for name in options.names or known:
            if name not in known:
                sys.exit("contract-test: there is no %s; there are %s" % (name, ", ".join(known)))
            if not run(name, server.ready, folder, seed, EXAMPLES["short" if options.short else "long"]):
                failed.append(name)
            if server.process.poll() is not None:
                sys.exit("contract-test: the server ended with code %s during %s" % (server.process.returncode, name))
    if failed:
        sys.exit(
            "contract-test: failed: %s; again with --seed %d; all exchanges are in %s" % (", ".join(failed), seed, folder)
        )
    print("contract-test: ok")


def run(name, ready, folder, seed, examples):
    hub = ready["hub"]
    url = ready["apis"].get(name, hub)
    path = os.path.join(folder, name + ".json")
    control = understudy.Server(hub).call
    document = control("GET", "/openapi/%s.json" % name)
    with open(path, "w") as file:
        json.dump(document, file, indent=1)
    began = time.monotonic()
    travelled, counts = travel(name, control, url, path)
    passed = fuzz(name, control, ready, folder, path, seed, examples)
    seconds = time.monotonic() - began
    with open(os.path.join(folder, name + ".counts.json")) as file:
        for operation, statuses in json.load(file).items():
            total = counts.setdefault(operation, {})
            for status, count in statuses.items():
                total[status] = total.get(status, 0) + count
    is_ok = travelled and passed
    print("contract-test: %s: %s in %.0f s" % (name, "ok" if is_ok else "failed", seconds), flush=True)
    unserved = unserved_operations(document, counts)
    for line in unserved:
        print("contract-test:   never succeeded: " + line, flush=True)
    return is_ok and not unserved


def travel(name, control, url, path):
    """Runs the calls that depend on each other, in a world of their own."""
    reset(control, name)
    journey = Journey(name, url, path, control, CHECKS)
    try:
        JOURNEYS[name](journey)
    except Exception as error:
        traceback.print_exc(limit=-2)
        print("contract-test: %s: the journey failed: %s" % (name, error), flush=True)
        return False, journey.counts
    return True, journey.counts


def fuzz(name, control, ready, folder, path, seed, examples):
    hub = ready["hub"]
    reset(control, name)
    counts = os.path.join(folder, name + ".counts.json")
    with open(counts, "w") as file:
        file.write("{}")
    environment = dict(
        os.environ,
        PYTHONDONTWRITEBYTECODE="1",
        SCHEMATHESIS_HOOKS="contract_hooks",
        PYTHONPATH=os.pathsep.join([SCRIPTS, CLIENT]),
        CONTRACT_HUB=hub,
        CONTRACT_API=name if name in ready["apis"] else "",
        CONTRACT_USERS=json.dumps(USERS.get(name, {})),
        CONTRACT_SETTINGS=json.dumps({name: SETTINGS[name]} if name in SETTINGS else {}),
        CONTRACT_COUNTS=counts,
    )
    program = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "schemathesis")
    command = [
        program, "run", path, "--url", ready["apis"].get(name, hub), "--checks", ",".join(CHECKS),
        "--seed", str(seed), "--generation-database", "none", "--max-examples", str(examples),
        "--phases", "examples,coverage,fuzzing,stateful", "--workers", "1", "--request-timeout", "10",
        "--max-redirects", "0", "--warnings", "off", "--suppress-health-check", "all", "--continue-on-failure",
        "--max-failures", "40", "--report", "ndjson", "--report-ndjson-path", os.path.join(folder, name + ".ndjson"),
    ]
    if examples == EXAMPLES["short"]:
        command.append("--no-shrink")
    for endless in ENDLESS:
        command += ["--exclude-path", endless]
    log = os.path.join(folder, name + ".log")
    with open(log, "w") as file:
        code = subprocess.run(
            command, cwd=folder, env=environment, stdout=file, stderr=subprocess.STDOUT, check=False
        ).returncode
    if code != 0:
        with open(log) as file:
            print(file.read())
    return code == 0


def unserved_operations(document, counts):
    """Returns the operations that never answered with success or a redirection, with their statuses."""
    unserved = []
    for path, item in document["paths"].items():
        for method in item:
            statuses = counts.get("%s %s" % (method.upper(), path), {})
            if path not in ENDLESS and not any(int(status) < 400 for status in statuses):
                unserved.append("%s %s %s" % (method.upper(), path, json.dumps(statuses)))
    return unserved


def reset(control, name):
    control("POST", "/reset")
    if name in SETTINGS:
        control("PUT", "/settings", {name: SETTINGS[name]})


if __name__ == "__main__":
    main()
