"""Requirements on lines of their own: requirement files, INI files, conda environments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from chatport.port.rules.manifest_kinds.base import (
    Declaration,
    Lines,
    Manifest,
    New,
    Parsed,
    normalise,
    parse,
    spelling_of,
)
from chatport.port.rules.manifest_kinds.versions import python_of
from chatport.port.source.edits import Edit


class Line(Struct, frozen=True):
    """A requirement that has its line to itself, but for what stands before it and a comment."""

    lines: Lines
    parsed: Parsed
    start: int
    """Where the requirement begins."""
    stop: int
    """Where what belongs to it ends: its marker, a closing quote."""
    comment: str = ""
    group: str = ""
    note: str | None = None
    """Why it cannot be changed, whatever it says."""
    shared: bool = False
    """The line begins with a key, so that another line like it cannot stand below."""

    @property
    def name(self) -> str:
        return self.parsed.name

    @property
    def specifier(self) -> str:
        return self.parsed.specifier

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.start + self.parsed.end

    @property
    def trouble(self) -> str | None:
        return self.note or self.parsed.trouble

    def replaced(self, new: New) -> list[Edit]:
        return [Edit(*self.span, new.text)]

    def beside(self, new: New) -> list[Edit] | None:
        if self.shared:
            return None
        text, (start, end) = self.lines.text, self.span
        before = text[self.lines.start(start) : start]
        return [self.lines.below(start, before + new.text + text[end : self.stop])]

    def removed(self) -> list[Edit] | None:
        return None if self.shared else [self.lines.without(self.start, self.comment)]


_ADDRESS = re.compile(r"-e\b|--editable\b|(?:git|hg|svn|bzr)\+|https?:|file:|\.{0,2}/")


def requirements(text: str, names: Collection[str]) -> Manifest:
    """A requirement or constraint file of pip."""
    return Manifest(tuple(_requirements(text, names)))


def _requirements(text: str, names: Collection[str]) -> Iterator[Declaration]:
    lines, spelling = Lines.of(text), spelling_of(names)
    for match in re.finditer(rf"(?m)^[ \t]*(?!#)(?=[^\n]*{spelling})", text):
        start = match.end()
        line = text[start : lines.end(start)]
        if _ADDRESS.match(line):
            named = re.compile(rf"{spelling}(?!\w)").search(text, start)
            assert named is not None
            parsed = Parsed(normalise(named[0]), "", len(named[0]))
            note = f"`{line.strip()}` is an address of the old distribution"
            yield Line(lines, parsed, named.start(), named.end(), note=note)
        else:
            yield from _requirement(lines, start, line, names)


def _requirement(
    lines: Lines, start: int, line: str, names: Collection[str]
) -> Iterator[Declaration]:
    code, comment = _split_comment(line)
    note = None
    if "--hash" in code or code.endswith("\\"):
        code = re.split(r"\s+--|\s*\\$", code, maxsplit=1)[0]
        note = f"`{code}` carries hashes or goes on on the next line"
    found = parse(code)
    if found is not None and found.name in names:
        yield Line(lines, found, start, start + len(code), comment, note=note)


def _split_comment(line: str) -> tuple[str, str]:
    """A line without the white space at its end, and the comment behind it."""
    match = re.search(r"(?:^|\s)#", line)
    if match is None:
        return line.rstrip(), ""
    return line[: match.start()].rstrip(), line[match.start() :].strip()


_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]")
_OPTION = re.compile(r"(?P<name>[\w.-]+)\s*[=:](?P<value>\s*)")
_FACTOR = re.compile(r"[\w{},!.-]+:\s+")


def setup_cfg(text: str, names: Collection[str]) -> Manifest:
    """The requirements in a ``setup.cfg``, and its ``python_requires``."""
    python = re.search(r"(?m)^python_requires\s*=\s*([^#\n]+)", text)
    return Manifest(
        tuple(_ini(text, names, _is_setup_list)), python_of(python and python.group(1).strip())
    )


def tox(text: str, names: Collection[str]) -> Manifest:
    """The ``deps`` of a ``tox.ini``."""
    return Manifest(tuple(_ini(text, names, _is_tox_list)))


def _is_setup_list(section: str, option: str) -> bool:
    return section == "options.extras_require" or (
        section == "options" and option in {"install_requires", "setup_requires", "tests_require"}
    )


def _is_tox_list(section: str, option: str) -> bool:
    return option == "deps" and (section == "testenv" or section.startswith("testenv:"))


def _ini(
    text: str, names: Collection[str], is_list: Callable[[str, str], bool]
) -> Iterator[Declaration]:
    lines = Lines.of(text)
    section = option = ""
    for match in re.finditer(r"[^\n]+", text):
        line, start = match[0].rstrip("\r"), match.start()
        if not line or line.lstrip().startswith(("#", ";")):
            continue
        shared = False
        if not line[0].isspace():
            if head := _SECTION.match(line):
                section, option = head["name"], ""
                continue
            if not (head := _OPTION.match(line)):
                continue
            option, start = head["name"], start + head.end()
            shared = True
        if is_list(section, option):
            content = text[start : match.start() + len(line)]
            start += len(content) - len(content.lstrip())
            yield from _ini_line(lines, start, content.strip(), names, shared, section + option)


def _ini_line(
    lines: Lines, start: int, content: str, names: Collection[str], shared: bool, group: str
) -> Iterator[Declaration]:
    if factor := _FACTOR.match(content):
        start, content = start + factor.end(), content[factor.end() :]
        group += factor[0]
    code, comment = _split_comment(content)
    found = parse(code)
    if found is not None and found.name in names:
        yield Line(lines, found, start, start + len(code), comment, group, shared=shared)


_ENTRY = re.compile(
    r"^(?P<before>[ \t]*-[ \t]+)(?P<quote>[\"']?)(?P<entry>[^\"'#\n\r]*?)(?P=quote)"
    r"[ \t]*(?P<comment>#[^\n\r]*)?\r?$",
    re.MULTILINE,
)


def environment(text: str, names: Collection[str]) -> Manifest:
    """A conda environment: its own dependencies and those of its ``pip:`` list."""
    lines, found, python = Lines.of(text), [], None
    pip: int | None = None
    for match in _ENTRY.finditer(text):
        indent, entry = len(match["before"]) - len(match["before"].lstrip()), match["entry"]
        if pip is not None and indent <= pip:
            pip = None
        if entry == "pip:":
            pip = indent
            continue
        if pip is None and (version := re.match(r"python\s*(?=[=<>!~])", entry)):
            python = python_of(entry[version.end() :])
        parsed = parse(entry, conda=pip is None)
        if parsed is not None and parsed.name in names:
            stop = match.end("entry") + len(match["quote"])
            group = "conda" if pip is None else "pip"
            comment = match["comment"] or ""
            found.append(Line(lines, parsed, match.start("entry"), stop, comment, group))
    return Manifest(tuple(found), python)
