"""Images in requests by their pixels: two SDKs encode the same picture differently."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from chatport.port.prove.calls import Call
from chatport.port.prove.environments import Environment
from chatport.port.prove.normalise import PIXELS
from chatport.port.prove.running import BOOT

DECODE_SECONDS: Final = 60


def hold_images(calls: Sequence[Call]) -> bool:
    """Whether any call carries an image."""
    return any(True for call in calls for _ in _images(call.body))


def with_pixels(runs: Sequence[list[Call]], environment: Environment) -> list[list[Call]]:
    """The same calls with a digest of the pixels beside each image's bytes.

    The images are decoded in the environment, which has Pillow; where it has not, or an image
    cannot be decoded, nothing is added and the bytes decide.
    """
    images = {blob["data"]: "" for calls in runs for call in calls for blob in _images(call.body)}
    try:
        done = subprocess.run(
            [str(environment.python), "-m", "chatport_prove_boot.pixels"],
            input=json.dumps(list(images)),
            env={"PYTHONPATH": str(BOOT)},
            capture_output=True,
            text=True,
            timeout=DECODE_SECONDS,
        )
        digests = dict(zip(images, json.loads(done.stdout), strict=True))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return list(runs)
    return [[replace(call, body=_marked(call.body, digests)) for call in calls] for calls in runs]


def _images(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for inner in value:
            yield from _images(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _images(inner)
        if _is_image(value):
            yield value


def _is_image(value: dict[str, Any]) -> bool:
    kind, data = value.get("mimeType"), value.get("data")
    return isinstance(kind, str) and kind.startswith("image/") and isinstance(data, str)


def _marked(value: Any, digests: dict[str, str | None]) -> Any:
    if isinstance(value, list):
        return [_marked(inner, digests) for inner in value]
    if not isinstance(value, dict):
        return value
    if _is_image(value):
        digest = digests[value["data"]]
        return {**value, PIXELS: digest} if digest else value
    return {key: _marked(inner, digests) for key, inner in value.items()}
