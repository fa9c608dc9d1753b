"""A shallow clone of a remote that nobody vouches for: nothing it brings is run or followed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from chatport.port.fleet.sources import SCHEMES
from chatport.port.report.escape import on_one_line

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.symlinks": "false",  # a link comes as a small file: it leads nowhere
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "submodule.recurse": "false",
    "protocol.allow": "never",
    **{f"protocol.{scheme}.allow": "always" for scheme in SCHEMES},
}


class CheckoutError(Exception):
    """A remote could not be cloned; the message is git's own last word."""


def clone(remote: str, folder: Path) -> None:
    """Clone the last commit of a remote into a new folder; raises `CheckoutError`.

    git asks for no password: where one is needed, a credential helper of the user's gives it.
    """
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    command = [
        *("git", *settings, "clone", "--quiet", "--depth=1", "--single-branch", "--no-tags"),
        *("--template=", "--", remote, str(folder)),
    ]
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    environment.update(GIT_TERMINAL_PROMPT="0", GIT_ASKPASS="", SSH_ASKPASS="", LC_ALL="C")
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise CheckoutError(f"git cannot be run ({error.strerror}); install git") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reasons = [line for line in said if line.startswith(("fatal:", "error:"))] or said
        reason = reasons[0] if reasons else f"it ended with {done.returncode}"
        raise CheckoutError(f"git could not clone it: {on_one_line(reason)}")
