"""Runs schemathesis over every document of an understudy; run by scripts/contract-test."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request

# A user of each seed world whose tokens may be used.
USERS = {
    "omnichat": "test@icloud.com",
    "carbscan": "pro@carbscan.test",
    "trafikskola": "anna@example.com",
    "trendy": "completed@trendy.example",
    "sawaed": "layla@sawaed.test",
}
# What makes every answer ready at once.
SETTINGS = {"omnichat": {"stream": {"firstTokenMs": 0, "gapMs": 0}}}
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
]
# Never ends by itself; the tests of events read it.
ENDLESS = ["/__admin/events"]


def main():
    binary, folder, *words = sys.argv[1:]
    folder = os.path.abspath(folder)
    # What failed last time is kept there and tried again first; a run is to depend on its seed alone.
    shutil.rmtree(os.path.join(folder, ".schemathesis"), ignore_errors=True)
    is_short = "--short" in words
    names = [word for word in words if not word.startswith("--")]
    server = subprocess.Popen(
        [binary, "serve", "--port", "0", "--quiet", "--seed", "42", "--clock", "frozen:2025-01-01T12:00:00Z"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    failed = []
    try:
        ready = json.loads(server.stdout.readline())
        for name in names or [*ready["apis"], "control"]:
            if not run(name, ready, folder, is_short):
                failed.append(name)
            if server.poll() is not None:
                sys.exit("contract-test: the server ended with code %s during %s" % (server.returncode, name))
    finally:
        server.terminate()
        server.wait()
    if failed:
        sys.exit("contract-test: failed: %s; all exchanges are in %s" % (", ".join(failed), folder))
    print("contract-test: ok")


def run(name, ready, folder, is_short):
    hub = ready["hub"]
    url = ready["apis"].get(name, hub)
    call(hub, "POST", "/__admin/reset")
    if name in SETTINGS:
        call(hub, "PUT", "/__admin/settings", {name: SETTINGS[name]})
    with urllib.request.urlopen("%s/__admin/openapi/%s.json" % (hub, name)) as response:
        document = json.load(response)
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as file:
        json.dump(document, file, indent=1)
    environment = dict(
        os.environ,
        PYTHONDONTWRITEBYTECODE="1",
        SCHEMATHESIS_HOOKS="contract_hooks",
        PYTHONPATH=os.path.dirname(os.path.abspath(__file__)),
        CONTRACT_HUB=hub,
        CONTRACT_API=name if name in ready["apis"] else "",
        CONTRACT_USER=USERS.get(name, ""),
        CONTRACT_SETTINGS=json.dumps({name: SETTINGS[name]} if name in SETTINGS else {}),
    )
    command = [
        os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "schemathesis"), "run", path, "--url", url, "--checks", ",".join(CHECKS),
        "--seed", "42", "--generation-database", "none", "--max-examples", "8" if is_short else "60",
        "--phases", "examples,coverage,fuzzing,stateful", "--workers", "1", "--request-timeout", "10", "--max-redirects", "0",
        "--warnings", "off", "--suppress-health-check", "all", "--continue-on-failure", "--max-failures", "40",
        "--report", "ndjson", "--report-ndjson-path", os.path.join(folder, name + ".ndjson"),
    ]
    if is_short:
        command.append("--no-shrink")
    for endless in ENDLESS:
        command += ["--exclude-path", endless]
    began = time.monotonic()
    with open(os.path.join(folder, name + ".log"), "w") as log:
        code = subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    seconds = time.monotonic() - began
    if code != 0:
        with open(os.path.join(folder, name + ".log")) as log:
            print(log.read())
    print("contract-test: %s: %s in %.0f s" % (name, "ok" if code == 0 else "failed", seconds), flush=True)
    return code == 0


def call(hub, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(hub + path, data=data, method=method, headers=headers)) as response:
        return response.read()


if __name__ == "__main__":
    main()
