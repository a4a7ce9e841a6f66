"""Makes a client of every document of an understudy with generators that people use, and imports it; run by scripts/contract-test."""

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys

NAMES = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy", "control"]
# What a generator may leave out: content that is neither text nor JSON.
UNSUPPORTED = "Unsupported content_type"


def main():
    binary, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    sys.path.insert(0, folder)
    faults = []
    for name in NAMES:
        path = os.path.join(folder, name + ".json")
        with open(path, "w") as file:
            file.write(subprocess.run([binary, "openapi", name], check=True, capture_output=True, text=True).stdout)
        found = python_client(name, path, folder) + swift_client(name, path, folder)
        print("contract-test: clients of %s: %s" % (name, "ok" if not found else "failed"), flush=True)
        faults += found
    for fault in faults:
        print("contract-test:   " + fault)
    sys.exit(1 if faults else 0)


def python_client(name, path, folder):
    """What is wrong with the client of openapi-python-client: left-out schemas, and modules that can't be imported."""
    package = "client_of_" + name
    shutil.rmtree(os.path.join(folder, package), ignore_errors=True)
    program = os.path.join(os.path.dirname(sys.executable), "openapi-python-client")
    ran = subprocess.run(
        [program, "generate", "--path", path, "--meta", "none", "--output-path", os.path.join(folder, package)],
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        return ["%s: openapi-python-client: %s" % (name, (ran.stdout + ran.stderr)[-400:])]
    faults = []
    for block in (ran.stdout + ran.stderr).split("\n\n"):
        if block.startswith("Unable to process schema") or "Cannot parse" in block and UNSUPPORTED not in block:
            faults.append("%s: openapi-python-client: %s" % (name, block.strip()))
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        try:
            importlib.import_module(module.name)
        except Exception as error:  # Whatever it is, nobody can use the module.
            faults.append("%s: %s: %s" % (name, module.name, error))
    return faults


def swift_client(name, path, folder):
    """What Apple's generator says, where it is installed: an error, or a part that it leaves out."""
    program = shutil.which("swift-openapi-generator")
    if not program:
        return []
    output = os.path.join(folder, "swift-" + name)
    ran = subprocess.run(
        [program, "generate", path, "--mode", "types", "--mode", "client", "--output-directory", output],
        capture_output=True,
        text=True,
    )
    lines = (ran.stdout + ran.stderr).splitlines()
    return ["%s: %s" % (name, line) for line in lines if "error:" in line or "Schema" in line and "skipping" in line]


if __name__ == "__main__":
    main()
