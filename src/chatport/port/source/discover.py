"""Finding the files to read, and passing over those that cannot hold anything of interest.

Most repositories hold nothing to port, and then this module is all that runs. It therefore
imports almost nothing and works on plain strings: pathlib alone costs as much as reading three
hundred files.
"""

# ruff: noqa: PTH100, PTH112, PTH114, PTH116, PTH119, PTH120

from __future__ import annotations

import errno
import os
import stat

from chatport.port.source import git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chatport.port.findings import Problem

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw")
NOTEBOOK_SUFFIX = ".ipynb"
PROGRAM_SUFFIXES = (*PYTHON_SUFFIXES, NOTEBOOK_SUFFIX)

MAX_SEARCHED = 4_000_000
"""Files larger than this many bytes are searched in pieces and never held whole."""

_PIECE = 1 << 16  # most files in one call; the system sets aside no more memory than it fills

# Folders of other people's code, of caches and of builds. Naming a folder inside one reads it.
_VENDORED = frozenset(
    {
        *(".git", ".hg", ".svn", ".chatport"),
        *(".venv", "venv", "site-packages", "dist-packages", "__pypackages__", "node_modules"),
        *(".tox", ".nox", ".eggs", "__pycache__", ".ipynb_checkpoints"),
    }
)
_VENDORED_WITHOUT_GIT = _VENDORED | {"build", "dist", "vendor", "_vendor", "third_party"}
_MANIFESTS = frozenset(
    {
        *("pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "Dockerfile"),
        *("environment.yml", "environment.yaml", "Containerfile"),
    }
)
_COMMANDS = frozenset(
    {
        *(".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "cloudbuild.yaml"),
        *("appveyor.yml", "bitbucket-pipelines.yml", "render.yaml", "Makefile", "Procfile"),
    }
)
_SHOWN_FOLDERS = frozenset({".github", ".circleci"})
_ENVIRONMENT_MARK = "pyvenv.cfg"
_PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")

# Windows has only the last: a link is read through there, and nothing is ever written.
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class Discovery:
    """What there is to read.

    root       absolute, free of links; every other path is relative to it, with `/`
    files      the Python files and the notebooks, sorted
    manifests  the files that may declare dependencies, sorted
    listed     every file, sorted
    problems   what was named and cannot be read; `search` adds to it
    """

    __slots__ = ("files", "listed", "manifests", "problems", "root")

    def __init__(self, root: str, listed: Iterable[str], named: Iterable[str] = ()) -> None:
        self.root: str = root
        self.listed: tuple[str, ...] = tuple(sorted({*listed, *named}))
        scripts = {name for name in named if "." not in os.path.basename(name)}
        self.files: tuple[str, ...] = tuple(
            name for name in self.listed if name.endswith(PROGRAM_SUFFIXES) or name in scripts
        )
        self.manifests: tuple[str, ...] = tuple(name for name in self.listed if _is_manifest(name))
        self.problems: list[Problem] = []

    def report(self, path: str, message: str) -> None:
        """Note a file that cannot be read."""
        from chatport.port.findings import Problem  # only where there is a problem: it costs 9 ms

        self.problems.append(Problem(path, message))


def discover(
    paths: Sequence[str | os.PathLike[str]], root: str | os.PathLike[str] | None = None
) -> Discovery:
    """The files under `paths`, by git where there is git and by walking where there is not.

    `root` bounds what is read and later written. Without it: the git work tree around the paths,
    else the nearest project folder between them and the working directory, else the folder
    common to them. Relative paths start from the working directory. A path that is a link out of
    the root is reported, never followed.
    """
    named = [os.fspath(path) for path in paths]
    anchors = [_anchor(path) for path in named if os.path.lexists(path)]
    top = os.path.realpath(root) if root is not None else _find_root(anchors)
    files, folders, problems = set(), set(), []
    for path in named:
        inside = _inside(top, os.path.realpath(path))
        if message := _why_unreadable(path, inside, top):
            whole = os.path.abspath(path)
            problems.append((_inside(top, whole) or whole, message))
        elif os.path.isdir(path):
            folders.add(inside or "")
        else:
            files.add(inside or "")
    listed = _list(top, sorted(folders), problems) if folders else []
    discovery = Discovery(top, listed, files)
    for path, message in problems:
        discovery.report(path, message)
    return discovery


def search(
    files: Discovery, names: Iterable[str], tokens: tuple[bytes, ...]
) -> Iterator[tuple[str, bytes]]:
    """Those of the files called `names` that hold one of `tokens`, with their bytes.

    Links are passed over (what they lead to is listed by its own name when it is inside the
    root), and so is a file that git lists but that is gone. A file that cannot be read is added
    to `files.problems`. Of a file longer than `MAX_SEARCHED` only the beginning is handed out.
    """
    links: dict[str, bool] = {"": False}
    common = _common_part(tokens)
    for name in names:
        try:
            data = _read(files.root, name, tokens, common)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK):
                files.report(name, _reason(error))
            continue
        if data is not None and not _through_link(files.root, os.path.dirname(name), links):
            yield name, data


def read(files: Discovery, name: str) -> bytes | None:
    """The bytes of one file under the root; None where `search` would pass over it."""
    return next((data for _, data in search(files, (name,), (b"",))), None)


_WORTH_IT = 6  # a shorter piece is found too often, and searched for no faster


def _common_part(tokens: tuple[bytes, ...]) -> bytes:
    """The longest piece that is in each of some tokens: looking for it alone tells of most files
    that they hold none, and takes less time than two searches do."""
    first = min(tokens, key=len, default=b"")
    for length in range(len(first), _WORTH_IT - 1, -1):
        for start in range(len(first) - length + 1):
            piece = first[start : start + length]
            if all(piece in token for token in tokens):
                return piece
    return b""


def _read(root: str, name: str, tokens: tuple[bytes, ...], common: bytes) -> bytes | None:
    """The bytes of a regular file that holds a token, all of which hold `common`."""
    descriptor = os.open(f"{root}/{name}", _OPEN_FLAGS)
    try:
        data = os.read(descriptor, _PIECE)
        if len(data) == _PIECE:
            data = _read_on(descriptor, data, tokens)
        if common in data and any(token in data for token in tokens):
            return data if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    finally:
        os.close(descriptor)
    return None


def _read_on(descriptor: int, data: bytes, tokens: tuple[bytes, ...]) -> bytes:
    """Read to the end; past `MAX_SEARCHED` only until a token is found, which is then appended."""
    pieces, size = [data], len(data)
    while size <= MAX_SEARCHED:
        more = os.read(descriptor, MAX_SEARCHED + 1 - size)
        if not more:
            return b"".join(pieces)
        pieces.append(more)
        size += len(more)
    data = piece = b"".join(pieces)
    overlap = max(map(len, tokens)) - 1
    while piece:
        if found := next((token for token in tokens if token in piece), None):
            return data if found in data else data + found
        more = os.read(descriptor, MAX_SEARCHED)
        piece = piece[-overlap:] + more if more else b""
    return data


def _through_link(root: str, folder: str, known: dict[str, bool]) -> bool:
    """Whether a folder of the root, or one above it, is a link: git may list files behind one."""
    if folder not in known:
        known[folder] = _through_link(root, os.path.dirname(folder), known) or os.path.islink(
            f"{root}/{folder}"
        )
    return known[folder]


def _is_manifest(name: str) -> bool:
    base = name.rpartition("/")[2]
    if name.endswith(PROGRAM_SUFFIXES):
        return base == "setup.py"
    if base in _MANIFESTS or base.startswith("Dockerfile.") or base.endswith(".Dockerfile"):
        return True
    listing = "requirements" in name or "constraints" in base
    return (listing and base.endswith((".txt", ".in"))) or _has_commands(name, base)


def _has_commands(name: str, base: str) -> bool:
    """Whether a file holds shell commands: of a continuous integration, or a script."""
    if base in _COMMANDS or base.endswith((".sh", ".bash")):
        return True
    return name.startswith((".github/", ".circleci/")) and base.endswith((".yml", ".yaml"))


# --- the root --------------------------------------------------------------------------------


def _anchor(path: str) -> str:
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    return os.path.realpath(folder)


def _find_root(anchors: list[str]) -> str:
    working = os.path.realpath(os.curdir)
    common = os.path.commonpath(anchors or [working])
    if (work_tree := git.top_level(common)) is not None:
        return work_tree
    for folder in _upward(common, working):
        if any(os.path.lexists(f"{folder}/{mark}") for mark in _PROJECT_MARKS):
            return folder
    return common


def _upward(folder: str, last: str) -> Iterator[str]:
    """`folder` and those above it up to `last`; only `folder` when it is not under `last`."""
    yield folder
    while folder != last and _inside(last, folder) is not None:
        folder = os.path.dirname(folder)
        yield folder


def _inside(root: str, path: str) -> str | None:
    """`path` relative to `root` with `/`, or None when it is not under it."""
    if path == root:
        return ""
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :].replace(os.sep, "/") if path.startswith(prefix) else None


def _why_unreadable(path: str, inside: str | None, root: str) -> str | None:
    if not os.path.lexists(path):
        return "there is no such file or folder; check the path"
    try:
        about = os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "the link leads back to itself; name the file it should lead to"
        if error.errno == errno.ENOENT:
            return "the link leads to nothing; name the file it should lead to"
        return _reason(error)
    if inside is None:
        return f"this leads out of {root}, which is never followed; name that place on its own"
    if not (stat.S_ISDIR(about.st_mode) or stat.S_ISREG(about.st_mode)):
        return "this is neither a file nor a folder; leave it out"
    return None


def _reason(error: OSError) -> str:
    return f"cannot be read ({error.strerror}); give yourself read permission or leave it out"


# --- listing ---------------------------------------------------------------------------------


def _list(root: str, folders: list[str], problems: list[tuple[str, str]]) -> list[str]:
    names = _list_by_git(root, folders, problems)
    if names is None:
        return [name for folder in folders for name in _walk(root, folder, problems)]
    for folder in folders:
        # A folder that is ignored as a whole was still named, and means its files.
        prefix = f"{folder}/" if folder else ""
        if not any(name.startswith(prefix) for name in names):
            names += _walk(root, folder, problems)
    return names


def _list_by_git(
    root: str, folders: list[str], problems: list[tuple[str, str]]
) -> list[str] | None:
    if git.top_level(root) is None:
        return None
    answer = git.git(
        root,
        *("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"),
        *(folder or "." for folder in folders),
    )
    if answer is None:
        return None
    output, warnings = answer
    problems += ((".", f"git says: {line}") for line in warnings.splitlines())
    # A name that ends with a slash is a repository inside this one.
    return _own([name for name in os.fsdecode(output).split("\0") if name[-1:] != "/"], folders)


def _own(names: list[str], folders: list[str]) -> list[str]:
    """Without other people's code, unless one of the folders named stands inside it."""
    mark = "/" + _ENVIRONMENT_MARK
    environments = tuple(name.removesuffix(mark) + "/" for name in names if name.endswith(mark))
    inside = tuple(
        f"{folder}/" for folder in folders if not _VENDORED.isdisjoint(folder.split("/"))
    )
    verdicts: dict[str, bool] = {}
    own = []
    for name in filter(None, names):
        folder = name.rpartition("/")[0] + "/"
        if folder not in verdicts:
            foreign = folder.startswith(environments) or not _VENDORED.isdisjoint(folder.split("/"))
            verdicts[folder] = not foreign or folder.startswith(inside)
        if verdicts[folder]:
            own.append(name)
    return own


def _walk(root: str, folder: str, problems: list[tuple[str, str]]) -> Iterator[str]:
    folders = [folder]
    while folders:
        folder = folders.pop()
        prefix = f"{folder}/" if folder else ""
        try:
            with os.scandir(f"{root}/{folder}") as entries:
                found = list(entries)
        except OSError as error:
            problems.append((folder or ".", _reason(error)))
            continue
        if any(entry.name == _ENVIRONMENT_MARK for entry in found):
            continue
        for entry in found:
            if entry.is_file(follow_symlinks=False):
                yield prefix + entry.name
            elif entry.is_dir(follow_symlinks=False) and not (
                (entry.name.startswith(".") and entry.name not in _SHOWN_FOLDERS)
                or entry.name in _VENDORED_WITHOUT_GIT
            ):
                folders.append(prefix + entry.name)
