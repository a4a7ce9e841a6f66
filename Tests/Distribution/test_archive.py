"""Transport contract, section 10: the archive that `make dist` writes."""

import os
import pathlib
import re
import shutil
import tarfile
import tempfile
import time
import unittest
from unittest import mock

from packed import BINARY, ROOT, Packed, Server, run

import packing  # found by the one above

MEGABYTE = 1_000_000


class ArchiveTests(Packed):
    packer = "dist"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = next(cls.outputs[0].glob("*.tar.gz"))
        cls.folder = cls.file.name.removesuffix(".tar.gz")
        with tarfile.open(cls.file) as tar:
            cls.members = tar.getmembers()
            tar.extractall(cls.place / "unpacked", filter="fully_trusted")
        cls.unpacked = cls.place / "unpacked" / cls.folder
        cls.program = cls.unpacked / "bin/understudy"

    def names(self):
        return [member.name.removeprefix(self.folder).lstrip("/") for member in self.members]

    def test_10_twice_is_the_same_bytes(self):
        names = self.same_bytes()
        self.assertEqual(names, sorted(["SHA256SUMS", f"{self.folder}.tar.gz", f"{self.folder}.debug"]))
        self.check_sums()

    def test_10_the_name_has_version_system_and_architecture(self):
        version = run(BINARY, "--version").stdout.split()[1]
        self.assertRegex(self.folder, rf"^understudy-{re.escape(version)}-(linux|macos)-(amd64|arm64)$")
        # The changelog has a section of it.
        self.assertIn(f"## [{version}] - ", (ROOT / "CHANGELOG.md").read_text())

    def test_10_the_folder_has_what_the_contract_lists(self):
        files = {name for name in self.names() if (self.unpacked / name).is_file()}
        expected = {
            "bin/understudy", "LICENSE", "CHANGELOG.md", "share/man/man1/understudy.1",
            "share/bash-completion/completions/understudy", "share/zsh/site-functions/_understudy",
            "share/fish/vendor_completions.d/understudy.fish",
        }
        self.assertLessEqual(expected, files)
        for name in files - expected:
            self.assertRegex(name, r"^(share/licenses/understudy/[\w.+/-]+\.txt|lib/understudy/lib[\w.+-]+\.so\.\d+)$")

    def test_10_entries_are_sorted_and_owned_by_0_and_dated_by_the_commit(self):
        names = [member.name for member in self.members]
        self.assertEqual(names, sorted(names))
        commit = re.search(r"\(([0-9a-f]{12})", run(BINARY, "--version").stdout).group(1)
        date = int(run("git", "show", "-s", "--format=%ct", commit, cwd=ROOT).stdout)
        for member in self.members:
            self.assertTrue(member.isfile() or member.isdir(), member.name)
            self.assertEqual((member.uid, member.gid, member.uname, member.gname), (0, 0, "", ""), member.name)
            self.assertEqual(member.mtime, date, member.name)
            executable = member.isdir() or member.name.endswith("/bin/understudy")
            self.assertEqual(member.mode, 0o755 if executable else 0o644, member.name)
        # The time of the gzip file, and no name in it.
        head = self.file.read_bytes()[:10]
        self.assertEqual(head[:4] + head[4:8], b"\x1f\x8b\x08\0\0\0\0\0")

    def test_10_another_date_can_be_given(self):
        for text, outcome in [("1000000000", 1_000_000_000), ("0", 0), ("today", None), ("-1", None)]:
            with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH=text):
                if outcome is None:
                    with self.assertRaisesRegex(packing.Failure, "SOURCE_DATE_EPOCH"):
                        packing.Release(BINARY)
                else:
                    self.assertEqual(packing.Release(BINARY).date, outcome)

    def test_10_without_a_program_nothing_is_packed(self):
        with tempfile.TemporaryDirectory() as output:
            result = run(ROOT / "scripts/dist", "--binary", "/nowhere/understudy", "--output", output)
            self.assertEqual(result.returncode, 1)
            self.assertIn("make build makes it", result.stderr)
            self.assertEqual(os.listdir(output), [])

    def test_10_the_program_has_no_symbols_and_they_lie_beside_the_archive(self):
        sections = run("readelf", "-SW", self.program).stdout
        for name in [".symtab", ".debug_info", ".debug_line"]:
            self.assertNotIn(name, sections)
        debug = self.outputs[0] / f"{self.folder}.debug"
        self.assertIn(".debug_info", run("readelf", "-SW", debug).stdout)
        self.assertIn(debug.name, run("readelf", "--string-dump=.gnu_debuglink", self.program).stdout)
        identifiers = [re.search(r"Build ID: (\w+)", run("readelf", "-n", file).stdout) for file in [self.program, debug]]
        self.assertEqual(*[match and match.group(1) for match in identifiers])

    def test_10_the_page_and_the_completions_are_those_that_the_program_prints(self):
        for path, words in [
            ("share/man/man1/understudy.1", ["man"]),
            ("share/bash-completion/completions/understudy", ["completions", "bash"]),
            ("share/zsh/site-functions/_understudy", ["completions", "zsh"]),
            ("share/fish/vendor_completions.d/understudy.fish", ["completions", "fish"]),
        ]:
            self.assertEqual((self.unpacked / path).read_text(), run(self.program, *words).stdout)
        lint = run("mandoc", "-T", "lint", "-W", "warning", self.unpacked / "share/man/man1/understudy.1")
        self.assertEqual((lint.returncode, lint.stdout), (0, ""))

    def test_10_the_licences_of_everything_that_is_linked_are_there(self):
        folder = self.unpacked / "share/licenses/understudy"
        found = {path.name.removesuffix(".txt") for path in folder.glob("*.txt")}
        linked = {path.name for path in (ROOT / ".build/archives").glob("*.a")}
        for archive, package in [
            ("libcrypto.a", "openssl"), ("libturbojpeg.a", "libjpeg-turbo"), ("libpng16.a", "libpng1.6"),
            ("libsqlite3.a", "sqlite3"), ("libz.a", "zlib"), ("libstdc++.a", "gcc-"), ("libyaml.a", "libyaml"),
        ]:
            if archive in linked:
                self.assertTrue(any(name.startswith(package) for name in found), f"{package} is not in {found}")
        if (self.unpacked / "lib/understudy/libqrencode.so.4").exists():
            self.assertIn("qrencode", found)
        self.assertIn("swift", found)
        for path in folder.rglob("*.txt"):
            self.assertGreater(path.stat().st_size, 200, path)
            for name in re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", path.read_text(errors="replace")):
                if pathlib.Path("/usr/share/common-licenses", name).is_file():
                    self.assertTrue((folder / f"common/{name}.txt").is_file(), f"{path} names {name}")

    def test_11_the_sizes_are_within_their_bars(self):
        self.assertLessEqual(self.program.stat().st_size, 32 * MEGABYTE)
        self.assertLessEqual(self.file.stat().st_size, 14 * MEGABYTE)

    def test_10_the_program_needs_the_c_library_alone(self):
        for line in run("ldd", self.program).stdout.splitlines():
            name = line.split()[0]
            if name.startswith(("linux-", "/", "libc.", "libm.", "libdl.", "libpthread.", "librt.", "ld-linux")):
                continue
            self.assertIn(f"/{self.folder}/bin/../lib/understudy/", line)

    def test_10_it_runs_from_any_folder(self):
        with tempfile.TemporaryDirectory() as place:
            moved = pathlib.Path(place, "a b")
            shutil.copytree(self.unpacked, moved)
            result = run(moved / "bin/understudy", "--version", cwd="/", env={})
            self.assertEqual(result.stdout, run(BINARY, "--version").stdout)
            with Server([moved / "bin/understudy", "serve", "--port", "0"], {}) as server:
                self.assertEqual(server.stop(), 143)

    def test_2_health_takes_20_ms_at_most(self):
        with Server([self.program, "serve", "--port", "0"], {}) as server:
            times = []
            for _ in range(20):
                start = time.monotonic()
                self.assertEqual(run(self.program, "health", server.hub, env={}).returncode, 0)
                times.append(time.monotonic() - start)
            # The machine may be busy with something else; the program is as quick as its quickest run.
            self.assertLessEqual(min(times), 0.020)


if __name__ == "__main__":
    unittest.main()
