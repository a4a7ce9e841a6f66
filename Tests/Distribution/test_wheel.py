"""Transport contract, section 10: the wheel that `make wheel` writes."""

import base64
import hashlib
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import zipfile
from unittest import mock

from packed import BINARY, ROOT, SCRIPTS, Packed, Server, run, script

import packing  # found by the one above

# Making a virtual environment takes longer than any other program here. A limit that only ends a test that hangs.
PATIENCE = 600


def environment(**more):
    """The environment of a user who has installed nothing else: no program in PATH, no index, no settings of ours."""
    kept = {name: os.environ[name] for name in ["HOME", "TMPDIR"] if name in os.environ}
    return {**kept, "PATH": os.defpath, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def call(*words, **options):
    words = [str(word) for word in words]
    options = {"env": environment(), "cwd": "/", **options}
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, **options)


class WheelTests(Packed):
    packer = "wheel"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file, = cls.outputs[0].glob("*.whl")
        cls.version, cls.commit = re.match(r"understudy (\S+) \(([0-9a-f]{12})", run(BINARY, "--version").stdout).groups()
        with zipfile.ZipFile(cls.file) as archive:
            cls.members = archive.infolist()
            cls.contents = {member.filename: archive.read(member) for member in cls.members}
        cls.information = f"understudy-{packing.wheel_version(cls.version)}.dist-info"
        cls.data = f"understudy-{packing.wheel_version(cls.version)}.data"
        # pytest of the machine, and nothing of it beside.
        cls.prefix = cls.install("--system-site-packages")

    @classmethod
    def install(cls, *flags):
        """Returns a fresh virtual environment with the wheel in it."""
        prefix = pathlib.Path(tempfile.mkdtemp(dir=cls.place), "a b")
        for words in [
            [sys.executable, "-m", "venv", *flags, prefix],
            [prefix / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps", cls.file],
        ]:
            result = call(*words)
            if result.returncode:
                raise AssertionError(f"{words}: {result.stdout}{result.stderr}")
        return prefix

    # The file

    def test_10_twice_is_the_same_bytes(self):
        self.assertEqual(self.same_bytes(), ["SHA256SUMS", self.file.name])
        self.check_sums()

    def test_10_the_name_has_version_and_platform_and_the_description_has_the_same(self):
        version = re.escape(packing.wheel_version(self.version))
        platform = r"(manylinux_2_\d+_(x86_64|aarch64)|macosx_\d+_\d+_(x86_64|arm64))"
        self.assertRegex(self.file.name, rf"^understudy-{version}-py3-none-{platform}\.whl$")
        tag = self.file.name.removesuffix(".whl").split("-", 2)[2]
        description = self.contents[f"{self.information}/WHEEL"].decode()
        self.assertEqual(re.findall(r"^Tag: (.*)$", description, re.M), [tag])
        self.assertIn("Root-Is-Purelib: false\n", description)

    def test_10_the_platform_is_the_oldest_glibc_that_has_what_is_loaded(self):
        needed = {(0, 0)}
        for name, content in self.contents.items():
            if content[:4] == b"\x7fELF":
                needed |= {tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", content)}
        self.assertIn("-manylinux_{}_{}_".format(*max(needed)), self.file.name)

    def test_10_the_platform_of_other_systems(self):
        wheel = script("wheel")
        for system, arch, text, tag in [
            ("linux", "arm64", "GLIBC_2.17 GLIBC_2.9 GLIBC_PRIVATE", "manylinux_2_17_aarch64"),
            ("linux", "amd64", "GLIBC_2.9\nGLIBC_2.35\nGLIBC_2.4", "manylinux_2_35_x86_64"),
            ("linux", "amd64", "No version information", "linux_x86_64"),
            ("macos", "arm64", "cmd LC_BUILD_VERSION\n minos 13.0\n sdk 15.2", "macosx_13_0_arm64"),
            ("macos", "amd64", "minos 14.2", "macosx_14_2_x86_64"),
        ]:
            with mock.patch.object(packing, "run", return_value=text):
                self.assertEqual(wheel.platform_tag(mock.Mock(os=system, arch=arch), "understudy", []), tag)
        with mock.patch.object(packing, "run", return_value=""), self.assertRaisesRegex(packing.Failure, "oldest macOS"):
            wheel.platform_tag(mock.Mock(os="macos", arch="arm64"), "understudy", [])

    def test_10_versions_have_the_form_of_python_packages(self):
        for version, expected in [
            ("0.1.0", "0.1.0"), ("10.20.30", "10.20.30"), ("1.0.0-alpha.1", "1.0.0a1"), ("1.0.0-beta.12", "1.0.0b12"),
            ("1.0.0-rc.1", "1.0.0rc1"), ("1.0.0-dev.3", "1.0.0.dev3"), ("1.0.0-rc", None), ("1.0.0-x.1", None),
            ("1.0.0+a", None), ("1.0", None),
        ]:
            self.assertEqual(packing.wheel_version(version), expected, version)

    def test_10_the_list_of_files_has_each_file_with_its_hash_and_size(self):
        lines = self.contents[f"{self.information}/RECORD"].decode().splitlines()
        listed = dict(line.split(",", 1) for line in lines)
        self.assertEqual(len(listed), len(lines))
        self.assertEqual(set(listed), set(self.contents))
        self.assertEqual(listed.pop(f"{self.information}/RECORD"), ",")
        for name, found in listed.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(self.contents[name]).digest()).rstrip(b"=").decode()
            self.assertEqual(found, f"sha256={digest},{len(self.contents[name])}", name)

    def test_10_entries_are_sorted_and_dated_by_the_commit_and_only_the_program_runs(self):
        names = [member.filename for member in self.members]
        self.assertEqual(names[-1], f"{self.information}/RECORD")
        self.assertEqual(names[:-1], sorted(names[:-1]))
        date = int(run("git", "show", "-s", "--format=%ct", self.commit, cwd=ROOT).stdout)
        # A zip file tells even seconds.
        expected = time.gmtime(date - date % 2)[:6]
        for member in self.members:
            self.assertEqual(member.date_time, expected, member.filename)
            mode = 0o755 if member.filename == f"{self.data}/scripts/understudy" else 0o644
            self.assertEqual(member.external_attr >> 16, stat.S_IFREG | mode, member.filename)

    def test_10_it_has_what_the_contract_lists(self):
        expected = {
            "understudy.py", "understudy_pytest.py", f"{self.data}/scripts/understudy",
            *(f"{self.data}/data/{name}" for name in packing.GENERATED),
            *(f"{self.information}/{name}" for name in ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]),
        }
        self.assertLessEqual(expected, set(self.contents))
        for name in set(self.contents) - expected:
            self.assertRegex(
                name,
                rf"^({re.escape(self.information)}/licenses/libraries/[\w.+/-]+\.txt"
                rf"|{re.escape(self.data)}/data/lib/understudy/lib[\w.+-]+\.so\.\d+)$",
            )
        for name in ["understudy.py", "understudy_pytest.py"]:
            self.assertEqual(self.contents[name], (ROOT / "clients/python" / name).read_bytes())
        self.assertEqual(self.contents[f"{self.information}/licenses/LICENSE"], (ROOT / "LICENSE").read_bytes())

    def test_10_the_metadata_names_version_and_licences(self):
        text = self.contents[f"{self.information}/METADATA"].decode()
        for line in ["Name: understudy", f"Version: {packing.wheel_version(self.version)}", "License-Expression: MIT", "Requires-Python: >=3.9"]:
            self.assertIn(f"\n{line}\n", text)
        listed = set(re.findall(r"^License-File: (.*)$", text, re.M))
        start = f"{self.information}/licenses/"
        self.assertEqual(listed, {name.removeprefix(start) for name in self.contents if name.startswith(start)})
        self.assertIn("libraries/swift.txt", listed)

    def test_10_without_a_program_nothing_is_packed(self):
        with tempfile.TemporaryDirectory() as output:
            result = run(SCRIPTS / "wheel", "--binary", "/nowhere/understudy", "--output", output)
            self.assertEqual(result.returncode, 1)
            self.assertIn("/nowhere/understudy is not there; make build makes it", result.stderr)
            self.assertEqual(os.listdir(output), [])

    def test_11_it_is_14_MB_at_most(self):
        self.assertLessEqual(self.file.stat().st_size, 14_000_000)

    # The installation

    def test_10_pip_installs_it_without_an_index_and_removes_it_whole(self):
        prefix = self.install()
        program = prefix / "bin/understudy"
        self.assertEqual(call(program, "--version").stdout, run(BINARY, "--version").stdout)
        self.assertEqual(stat.S_IMODE(program.stat().st_mode) & 0o111, 0o111)
        for name in packing.GENERATED:
            self.assertEqual((prefix / name).read_bytes(), self.contents[f"{self.data}/data/{name}"])
        self.assertEqual(call(prefix / "bin/python", "-m", "pip", "check").returncode, 0)
        files = {path for path in prefix.rglob("*") if "understudy" in str(path.relative_to(prefix))}
        self.assertGreater(len(files), 8)
        result = call(prefix / "bin/python", "-m", "pip", "uninstall", "-y", "understudy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([str(path) for path in files if path.is_file()], [])

    def test_10_the_command_serves_and_loads_nothing_but_what_the_wheel_has(self):
        program = self.prefix / "bin/understudy"
        for line in call("ldd", program).stdout.splitlines():
            if not line.split()[0].startswith(("linux-", "/", "libc.", "libm.", "libdl.", "libpthread.", "librt.", "ld-linux")):
                self.assertIn(f"{self.prefix}/bin/../lib/understudy/", line)
        with Server([program, "serve", "--port", "0"], environment()) as server:
            self.assertEqual(call(program, "health", server.hub).returncode, 0)
            self.assertEqual(server.stop(), 143)

    def test_10_a_link_to_the_command_serves_as_well(self):
        # What pipx puts into the PATH.
        with tempfile.TemporaryDirectory() as place:
            link = pathlib.Path(place, "understudy")
            link.symlink_to(self.prefix / "bin/understudy")
            self.assertEqual(call(link, "exec", "--", "true").returncode, 0)

    def test_10_the_helper_starts_the_program_of_the_wheel_without_a_path(self):
        text = """
            import understudy
            print(understudy.program())
            with understudy.start("--api", "omnichat") as server, server.world() as w:
                print(server.call("GET", "/health")["status"], w.url("omnichat").endswith("/@" + w.name))
        """
        result = call(self.prefix / "bin/python", "-c", textwrap.dedent(text))
        self.assertEqual(result.stdout, f"{self.prefix}/bin/understudy\nok True\n", result.stderr)

    def test_10_the_helper_in_a_folder_finds_the_program_beside_it(self):
        with tempfile.TemporaryDirectory() as place:
            words = [self.prefix / "bin/python", "-m", "pip", "install", "--no-deps", "--target", place, self.file]
            self.assertEqual(call(*words).returncode, 0)
            words = [sys.executable, "-c", "import understudy; print(understudy.program())"]
            result = call(*words, env=environment(PYTHONPATH=place))
            self.assertEqual(result.stdout, f"{place}/bin/understudy\n", result.stderr)

    def test_10_pytest_finds_the_plugin(self):
        python = self.prefix / "bin/python"
        if call(python, "-c", "import pytest").returncode:
            self.skipTest("there is no pytest")
        with tempfile.TemporaryDirectory() as place:
            test = "def test_it(world, understudy_server):\n    assert world.call('GET', '/latency') is not None\n"
            pathlib.Path(place, "test_it.py").write_text(test)
            words = [python, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--understudy-api", "omnichat", "test_it.py"]
            for conftest in [None, 'pytest_plugins = ["understudy_pytest"]\n']:
                if conftest:
                    pathlib.Path(place, "conftest.py").write_text(conftest)
                result = call(*words, cwd=place)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("1 passed", result.stdout)
            refused = call(*words[:-1], "-p", "no:understudy_pytest", "test_it.py", cwd=place)
            self.assertIn("--understudy-api", refused.stderr)


if __name__ == "__main__":
    unittest.main()
