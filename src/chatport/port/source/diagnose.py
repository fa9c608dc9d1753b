"""Why a file does not parse: plain mistakes, Python 2, or a Python newer than the one running."""

from __future__ import annotations

import re
import sys

# What only Python 2 accepts, as it stands on the offending line.
_PYTHON_2 = (
    re.compile(r"\bprint\s+(?![=.,()\]}:]|in\b|is\b|if\b|and\b|or\b|not in\b)\S"),
    re.compile(r"\bprint\s*>>"),
    re.compile(r"\bexec\s+[^\s=(.,)]"),
    re.compile(r"\bexcept\s+[^:()]+,\s*[a-z_]\w*\s*:"),
    re.compile(r"\braise\s+\w[\w.]*\s*,"),
    re.compile(r"<>|`[^`]+`"),
    re.compile(r"(?<![\w.])0[0-7]+[lL]?\b|(?<![\w.])\d+[lL]\b"),
    re.compile(r"(?<!\w)[uU][rR]['\"]"),
    re.compile(r"\bdef\s+\w+\s*\([^)]*\(\s*\w+\s*,"),
)

# What a later Python accepts: since when, how it looks, and what to call it.
_NEWER = (
    ((3, 12), re.compile(r"^\s*type\s+\w+\s*(\[.*\])?\s*="), "the type statement"),
    ((3, 13), re.compile(r"^\s*(async\s+)?(def|class)\s+\w+\s*\[[^\]]*=.*\]"), "a type default"),
    ((3, 12), re.compile(r"^\s*(async\s+)?(def|class)\s+\w+\s*\["), "a type parameter list"),
    ((3, 14), re.compile(r"(?<!\w)([tT][rR]?|[rR][tT])['\"]"), "a template string"),
    ((3, 14), re.compile(r"\bexcept\*?\s+\w[\w.]*\s*(,\s*[A-Z][\w.]*\s*)+:"), "except without ( )"),
    ((3, 15), re.compile(r"^\s*lazy\s+(import|from)\b"), "a lazy import"),
)


def explain_syntax_error(error: SyntaxError) -> str:
    """One sentence on a syntax error: the line, what is wrong, what to do."""
    where = f"line {error.lineno}: " if error.lineno else ""
    line = error.text or ""
    running = "{}.{}".format(*sys.version_info)
    for version, pattern, name in _NEWER:
        if sys.version_info < version and pattern.search(line):
            needed = "{}.{}".format(*version)
            return (
                f"{where}{name} needs Python {needed} and chatport is running on {running}; "
                f"install chatport under Python {needed} or newer"
            )
    if sys.version_info < (3, 12) and error.msg.startswith("f-string"):
        return (
            f"{where}this f-string is not valid on Python {running}, on which chatport is running "
            f"({error.msg}); if the project needs Python 3.12, install chatport under it"
        )
    if any(pattern.search(line) for pattern in _PYTHON_2) or error.msg.startswith(
        "Missing parentheses in call to"
    ):
        return f"{where}this is Python 2 ({error.msg}); bring the file to Python 3 first"
    return f"{where}not valid on Python {running}: {error.msg}; correct the file first"
