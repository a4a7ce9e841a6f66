"""scripts/run-blocks: what its lint refuses, and what it finds when it types a page. Clients contract, section 8."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from shell_blocks import complaints  # noqa: E402

# A block, and a part of the complaint about it; None for one that every shell takes.
LINES = [
    ("make run   # builds", "a comment"),
    ("# only a comment", "a comment"),
    ("echo a#b; echo '# c' \"# d\"; echo $#", None),
    ("curl http://127.0.0.1:1/a?b=c", "unquoted ?"),
    ("curl 'http://127.0.0.1:1/a?b=c' \"http://x/?q\"; echo $?", None),
    ("ls *.har", "unquoted *"),
    ("ls '*.har'; echo \\*", None),
    ("understudy log status:4xx|5xx", "unquoted |"),
    ("understudy log | grep x || true", None),
    ("understudy log |\n  grep x", None),
    ("understudy log ms:>100", "unquoted >"),
    ("understudy log size:<10k", "unquoted <"),
    ("understudy log > file 2> log 2>&1 < in >> all", None),
    ("understudy log >file 2>/dev/null", None),
    ("understudy log &> file", "&>"),
    ("echo a[1]", "unquoted ["),
    ("[ -s file ] && echo yes", None),
    ("[[ -s file ]]", "not known to sh"),
    ("[ a == b ]", "=WORD"),
    ("echo {a,b}", "{a,b}"),
    ("f() { echo \"$1\"; }; f x", None),
    ("source file", "not known to sh"),
    ("cat <<< text", "<<<"),
    ("diff <(a) <(b)", "<(…)"),
    ("echo $'a'", "$'…'"),
    ("echo \"Hello!\"", "recalls history"),
    ("echo 'Hello!'; ! false; while ! true; do break; done", None),
    ("kill $!", None),
    ("curl http://localhost:$PORT:a", "a modifier"),
    ("curl \"http://localhost:${PORT}:a\" $HUB/__admin ${HUB##*:}", None),
    ("TOKEN=$(curl 'a?b' | sed -E 's/(.*)/\\1/')", None),
    ("TOKEN=$(curl a?b)", "unquoted ?"),
    ("cat <<'END'\n# text of a file?\nEND\necho done", None),
    ("cat <<END > a\nx*y\nEND\nls *", "unquoted *"),
    ("if true; then echo", "Syntax error"),
]


class LintTests(unittest.TestCase):
    def test_8_a_block_that_some_shell_takes_in_another_way_is_refused(self):
        for content, reason in LINES:
            found = "; ".join(text for _, text in complaints(content, "sh"))
            with self.subTest(content):
                if reason is None:
                    self.assertEqual(found, "")
                elif reason == "Syntax error":
                    self.assertNotEqual(found, "")
                else:
                    self.assertIn(reason, found)

    def test_8_a_complaint_has_its_line(self):
        self.assertEqual([line for line, _ in complaints("a\nb 'x\ny'\nls *\n# c", "sh")], [4, 5])

    def test_8_bash_may_have_its_own_words_but_no_comments(self):
        self.assertEqual(complaints("source <(understudy completions bash)", "bash"), [])
        self.assertEqual(len(complaints("source <(x)   # now", "bash")), 1)

    def test_8_of_a_console_only_what_is_typed_counts(self):
        self.assertEqual(complaints("$ understudy log\n12:00 GET /a?b # x", "console"), [])
        self.assertEqual(len(complaints("$ curl a?b", "console")), 1)


class TypingTests(unittest.TestCase):
    def typed(self, page, *flags):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            pathlib.Path(path).write_text(page.replace("'''", "```"), encoding="utf-8")
            done = subprocess.run(
                [ROOT / "scripts/run-blocks", *flags, os.environ["UNDERSTUDY_BINARY"], path],
                capture_output=True, text=True, timeout=120,
            )
            return done.returncode, done.stdout + done.stderr

    def test_8_a_page_is_typed_into_every_shell_and_its_server_into_another(self):
        code, said = self.typed(
            "'''sh server\nunderstudy serve --api omnichat\n'''\n"
            "'''sh\ncurl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:4683/a\ncd .\nwait\n'''\n'''text\n404\n'''\n"
            "'''sh\nprintf '{\"a\":1,\"b\":[1,2]}'\n'''\n'''json\n{\"b\": [1, \"…\"], \"…\": \"…\"}\n'''\n"
            "'''sh errors exit=2\nunderstudy serve --port x\n'''\n'''text\n…\"x\"…\n'''\n"
        )
        self.assertEqual(code, 0, said)
        self.assertIn("4 blocks ran in bash, zsh, sh", said)

    def test_8_what_a_page_gets_wrong_is_named_with_its_line_and_shell(self):
        for page, part in [
            ("'''sh\nprintf 'a\\n'\n'''\n'''text\nb\n'''\n", ":4, typed into bash: expected\nb\nfound\na"),
            ("\n'''sh\nfalse\n'''\n", ":2, typed into bash: exit 1"),
            ("'''sh\nunderstudy serve --port x\n'''\n", ": exit 2"),
            ("'''sh server\nunderstudy serve --port x\n'''\n", "the server did not start"),
            ("text\n", "no block was run"),
        ]:
            with self.subTest(page):
                code, said = self.typed(page)
                self.assertEqual(code, 1, said)
                self.assertIn(part, said)

    def test_8_zsh_shows_what_bash_does_not(self):
        page = "'''sh\nls a?b *.none; true   # nothing\n'''\n"
        self.assertEqual(self.typed(page, "--shells", "bash,sh")[0], 0)
        code, said = self.typed(page, "--shells", "zsh")
        self.assertEqual(code, 1, said)
        self.assertIn("no matches found", said)


if __name__ == "__main__":
    unittest.main()
