"""The fenced blocks of documentation pages, and what in their shell lines some shell takes in another way.

A reader copies a block into bash, zsh as macOS has it (no comments at the prompt, a glob without a match is an error, ! recalls
history) or sh. `complaints` names what one of them would not take.
"""
import re
import subprocess

FENCE = re.compile(r"^```(\w+)?(?: (.*))?$")
REPLACEMENT = re.compile(r"^<!-- for (.+): (.+) -->$")
SHELLS = ("sh", "bash", "zsh", "console")
# Words of bash and zsh that sh lacks.
NOT_SH = ("source", "function", "[[", "declare", "typeset", "pushd", "popd")


def blocks(text):
    """Yields (line, language, argument, content) of every fenced block and of what comments ask for."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        match = FENCE.match(lines[index])
        if not match:
            start = index + 1
            if lines[index] == "<!-- run":
                index = lines.index("-->", start)
                yield start, "hidden", "", "\n".join(lines[start:index])
            elif lines[index] == "<!-- stop -->":
                yield start, "stop", "", ""
            elif replacement := REPLACEMENT.match(lines[index]):
                yield start, "for", replacement.group(1), replacement.group(2)
            index += 1
            continue
        start = index + 1
        index = start
        while index < len(lines) and lines[index] != "```":
            index += 1
        yield start, match.group(1) or "", match.group(2) or "", "\n".join(lines[start:index])
        index += 1


class Reader:
    """Reads shell lines as far as quotes, substitutions and here-documents go."""

    def __init__(self, text, language):
        self.text, self.language = text, language
        self.place, self.found, self.documents = 0, [], []

    def complain(self, reason):
        self.found.append((self.text.count("\n", 0, self.place) + 1, reason))

    def at(self, distance=0):
        place = self.place + distance
        return self.text[place] if 0 <= place < len(self.text) else ""

    def plain(self, end):
        """Reads what is not quoted, up to the end of the text or of a substitution."""
        begins = True
        while self.place < len(self.text):
            character = self.at()
            if character == end:
                return
            if begins:
                word = re.match(r"[^\s;&|()<>]*", self.text[self.place:])[0]
                if self.language == "sh" and word in NOT_SH:
                    self.complain(f"{word} is not known to sh")
                if character == "#":
                    self.complain("a comment is words at the prompt of zsh")
                    self.skip_to("\n")
                    continue
                if character == "=":
                    self.complain("zsh takes =WORD for the path of a command; quote it")
            if character.isspace():
                begins = True
                if character == "\n":
                    self.here_documents()
            elif character in ";&()":
                begins = True
                if character == "&" and self.at(1) == ">":
                    self.complain("&> is not known to sh; write > FILE 2>&1")
                if character == "(" and self.at(-1) in "<>=" and self.language == "sh":
                    self.complain("<(…), >(…) and lists are not known to sh")
            elif character in "|<>":
                begins = True
                self.operator(character)
            else:
                self.part_of_word(character, begins)
                begins = False
            self.place += 1

    def operator(self, character):
        before = self.at(-1)
        if character == "|":
            if before not in "" " \t\n|" or self.at(1) not in "" " \t\n|":
                self.complain("an unquoted | inside a word; quote the word")
            return
        start = re.search(r"[^\s;&|()]*$", self.text[:self.place])[0]
        if start and not re.fullmatch(r"[0-9]|[<>]+", start):
            self.complain(f"an unquoted {character} inside a word; quote the word")
        if self.text.startswith("<<<", self.place):
            self.complain("<<< is not known to sh")
        elif document := re.match(r"<<-?[ \t]*(['\"]?)(\w+)\1", self.text[self.place:]):
            self.documents.append(document[2])
            self.place += len(document[0]) - 1
        elif self.at(1) == "&":
            self.place += 1

    def part_of_word(self, character, begins):
        if character == "\\":
            self.place += 1
        elif character == "'":
            self.place += 1
            self.skip_to("'")
        elif character == '"':
            self.place += 1
            self.double()
        elif character == "$":
            self.dollar()
        elif character == "!":
            self.history()
        elif character in "?*":
            self.complain(f"an unquoted {character} inside a word is a glob; quote the word")
        elif character == "[" and not (begins and self.at(1).isspace()) and not self.text.startswith("[[", self.place):
            if self.at(-1) != "[":
                self.complain("an unquoted [ inside a word is a glob; quote the word")
        elif character == "{" and re.match(r"\{[^\s{}]*(,|\.\.)[^\s{}]*\}", self.text[self.place:]):
            self.complain("sh does not expand {a,b}; quote the word or write both")

    def double(self):
        while self.place < len(self.text) and self.at() != '"':
            if self.at() == "\\":
                self.place += 1
            elif self.at() == "$":
                self.dollar()
            elif self.at() == "!":
                self.history()
            self.place += 1

    def dollar(self):
        after = self.at(1)
        if after == "(":
            self.place += 2
            self.plain(")")
        elif after == "{":
            self.skip_to("}")
        elif after == "'":
            self.complain("$'…' is not known to sh")
        elif after in "?*#!@$-" and after:
            self.place += 1
        elif name := re.match(r"\$\w+", self.text[self.place:]):
            self.place += len(name[0]) - 1
            if re.match(r":[aAcehlpPqQrstuxgw&]", self.text[self.place + 1:]):
                self.complain(f"zsh takes the colon after {name[0]} for a modifier; write ${{{name[0][1:]}}}")

    def history(self):
        if not self.at(1).isspace() and self.at(1) not in ("", "=", "("):
            self.complain("! recalls history at a prompt; put it into single quotes")

    def skip_to(self, end):
        found = self.text.find(end, self.place)
        self.place = len(self.text) if found < 0 else found

    def here_documents(self):
        for word in self.documents:
            end = re.compile(rf"^\t*{re.escape(word)}$", re.M).search(self.text, self.place)
            self.place = len(self.text) if end is None else end.end()
        self.documents = []


def complaints(content, language):
    """What some shell takes in another way: [(line, reason)]."""
    if language == "console":
        content = "\n".join(line[2:] if line.startswith("$ ") else "" for line in content.split("\n"))
    reader = Reader(content, language)
    reader.plain("")
    if language == "sh" and not reader.found:
        checked = subprocess.run(["sh", "-n"], input=content + "\n", capture_output=True, text=True)
        if checked.returncode != 0:
            reader.found.append((1, checked.stderr.strip()))
    return reader.found


def lint(page, text):
    """The complaints about all shell blocks of a page, as FILE:LINE: REASON."""
    return [
        f"{page}:{start + line}: {reason}"
        for start, language, _, content in blocks(text) if language in SHELLS
        for line, reason in complaints(content, language)
    ]
