"""Small changes of bytes, as chance has it: the driver where atheris is not installed."""

from __future__ import annotations

import random
import re

WORDS = [
    *(b"{", b"}", b"[", b"]", b"(", b")", b'"', b"'", b"\\", b"\n", b"\r", b"\t", b"\0", b"\x0c"),
    *(b"null", b"true", b"-1", b"1e999", b"9" * 50, b"NaN", b"\\ud800", b"\xff", b"\xef\xbb\xbf"),
    *(b"data: ", b"event: ", b"async ", b"await ", b"yield ", b"lambda: ", b"*", b"**", b":="),
    *(b"del model\n", b"model", b"client", b"genai.", b"None", b"self.", b"global model\n"),
    *(b"try:\n", b"finally:\n", b"if x:\n", b"else:\n", b"for x in y:\n", b"with a as b:\n"),
    *(b"f'{", b"}'", b"{%", b"%}", b"{{", b"}}", b"=", b".", b",", b"#", b"@", b"; ", b" " * 200),
]
_PARTS = re.compile(rb"\w+|\s+|[^\w\s]")


def changed(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """The bytes with one to six changes: a word or line left out, doubled, moved or exchanged."""
    for _ in range(chance.randint(1, 6)):
        parts = data.splitlines(keepends=True) if chance.random() < 0.4 else _PARTS.findall(data)
        if not parts:
            parts = [b""]
        at = chance.randrange(len(parts))
        match chance.randrange(7):
            case 0:
                del parts[at : at + chance.randint(1, 3)]
            case 1:
                parts[at:at] = parts[at : at + chance.randint(1, 3)] * chance.choice([1, 1, 1, 20])
            case 2:
                other = chance.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts[at] = chance.choice(WORDS)
            case 4:
                parts.insert(at, chance.choice(WORDS) * chance.choice([1, 1, 1, 300]))
            case 5:
                donor = _PARTS.findall(chance.choice(others)) or [b""]
                start = chance.randrange(len(donor))
                parts[at:at] = donor[start : start + chance.randint(1, 20)]
            case _:
                position = chance.randrange(len(data) + 1)
                parts = [data[:position], bytes([chance.randrange(256)]), data[position + 1 :]]
        data = b"".join(parts)[:20_000]
    return data
