"""What the tests of archives and images share: two runs of a packer, and a root that holds what was packed alone."""

import atexit
import functools
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))

from serving import Serving  # noqa: E402

BINARY = pathlib.Path(os.environ.get("UNDERSTUDY_BINARY", ROOT / ".build/release/understudy"))
# A limit that only ends a test that hangs.
PATIENCE = 60


def script(name):
    """Loads a packer as a module."""
    loader = importlib.machinery.SourceFileLoader(f"packer_{name}", str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def run(*words, **options):
    """Runs a program to its end and returns its result with both outputs as text."""
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, errors="replace", timeout=PATIENCE, **options
    )


@functools.cache
def first_output(packer):
    """Returns a folder with what a packer writes; it goes with the process."""
    place = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, place)
    return pack(packer, pathlib.Path(place, "output"), umask=0o022)


def pack(packer, output, zone="UTC", **options):
    """Runs a packer and returns the folder that it has written to."""
    variables = {**os.environ, "TZ": zone}
    result = run(SCRIPTS / packer, "--binary", BINARY, "--output", output, env=variables, **options)
    if result.returncode:
        raise AssertionError(f"{packer} failed: {result.stderr}")
    return output


class Packed(unittest.TestCase):
    """Runs a packer twice, under another umask, time zone and folder the second time."""

    packer = None

    @classmethod
    def setUpClass(cls):
        if cls is Packed:
            return
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)
        second = pack(cls.packer, cls.place / "second", zone="Asia/Tokyo", umask=0o077, cwd=cls.place)
        cls.outputs = [first_output(cls.packer), second]

    def same_bytes(self):
        names = sorted(path.name for path in self.outputs[0].iterdir())
        self.assertEqual(names, sorted(path.name for path in self.outputs[1].iterdir()))
        for name in names:
            first, second = [(output / name).read_bytes() for output in self.outputs]
            self.assertEqual(first, second, f"{name} differs between two runs")
        return names

    def check_sums(self):
        result = run("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=self.outputs[0])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lines = (self.outputs[0] / "SHA256SUMS").read_text().splitlines()
        packed = {path.name for path in self.outputs[0].iterdir()} - {"SHA256SUMS"}
        self.assertEqual({line[66:] for line in lines}, packed)


class BareRoot:
    """A root with what was packed and nothing else: no /proc, no shell, nothing that can be written to but the volumes.

    Programs run there as the image's user. That needs root, as a container has it. Where mounts are allowed the root is
    read-only for root too; where they are not, its owner keeps that user from writing.
    """

    USER = 65532
    READ_ONLY = """
        mount --bind "$1" "$1"
        for volume in ca state; do mount --bind "$1/$volume" "$1/$volume"; done
        mount -o remount,bind,ro "$1"
        shift
        exec "$@"
    """

    def __init__(self, path):
        if os.geteuid() != 0:
            raise AssertionError("the tests of a bare root need root: sudo make dist-test")
        self.path = path
        isolation = [shutil.which("unshare"), "--mount", shutil.which("sh"), "-euc", f"PATH={os.defpath}\n{self.READ_ONLY}", "sh"]
        can_mount = isolation[0] and run(*isolation, path, shutil.which("true")).returncode == 0
        self.isolation = isolation if can_mount else []

    def command(self, *words):
        user = f"{self.USER}:{self.USER}"
        # The environment is the image's, without a PATH.
        setpriv, chroot = [shutil.which(name) for name in ["setpriv", "chroot"]]
        words = [chroot, f"--userspec={user}", "--groups=", str(self.path), *map(str, words)]
        if setpriv:
            words = [setpriv, "--no-new-privs", *words]
        return [*self.isolation, str(self.path), *words] if self.isolation else words

    def run(self, *words, env=None):
        return run(*self.command(*words), env=env or {})

    def serve(self, *words, env=None):
        return Server(self.command(*words), env or {})


class Server(Serving):
    """A server whose standard error is kept."""

    def __init__(self, command, env):
        self.outputs = tempfile.TemporaryDirectory()
        self.launch(*command, env=env, errors=os.path.join(self.outputs.name, "errors"))

    @property
    def token(self):
        return self.find(r"  admin token   (\w+)")

    def __exit__(self, *_):
        self.stop()
        self.outputs.cleanup()
