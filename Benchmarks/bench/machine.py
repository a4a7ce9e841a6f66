"""The machine: the cores in use, and the kernel's figures for a process."""

import os
import resource
from contextlib import contextmanager

_allowed = sorted(os.sched_getaffinity(0))
#: The server under test has the first core for itself, every client the second.
SERVER_CORE = _allowed[0]
CLIENT_CORE = _allowed[1] if len(_allowed) > 1 else _allowed[0]


@contextmanager
def on_core(core):
    """Processes started inside inherit the core, so no wrapper runs between fork and exec."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def raise_file_limit():
    """Raises the limit of open files as far as allowed; returns the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(hard, 65536)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    except (ValueError, PermissionError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def cpu_seconds(pid):
    """User and system time of all threads, in nanosecond steps where the kernel keeps them."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
        except FileNotFoundError:
            # A thread that has ended, or a kernel that keeps no such times.
            if not os.path.exists(f"/proc/{pid}/schedstat"):
                return _ticks(pid)
    return total / 1e9


def split_seconds(pid):
    """User and system seconds, in clock ticks."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    tick = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / tick, int(fields[12]) / tick


def _ticks(pid):
    return sum(split_seconds(pid))


def resident_bytes(pid):
    # The sum over the mappings: VmRSS of /proc/PID/status may be some hundred KiB behind.
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    raise RuntimeError(f"no resident size of process {pid}")


def load_average():
    return os.getloadavg()[0]


def description():
    """The class of machine, without its name."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / 1024 / 1024
    kernel = ".".join(os.uname().release.split("-")[0].split(".")[:2])
    return f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB, Linux {kernel}, {os.uname().machine}"
