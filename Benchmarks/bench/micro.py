"""In-process figures: runs understudy-bench and reads its lines `NAME NANOSECONDS`."""

import subprocess

from . import machine


def measure(program, rows):
    with machine.on_core(machine.SERVER_CORE):
        result = subprocess.run([program] + [str(count) for count in rows], capture_output=True, text=True, timeout=90)
    if result.returncode != 0:
        raise RuntimeError(f"understudy-bench failed: {result.stderr[-500:]}")
    pairs = (line.rsplit(" ", 1) for line in result.stdout.splitlines())
    return {name: float(nanos) for name, nanos in pairs}
