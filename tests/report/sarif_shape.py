"""What SARIF 2.1.0 asks of the objects we write, as far as a schema can say it.

Written from the text of the standard: names of properties, their types, what is required and which
words are allowed. Nothing else is allowed in, so that a misspelt property does not pass.
"""

from __future__ import annotations

from typing import Any

import jsonschema_rs


def _object(required: str = "", **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


TEXT = {"type": "string", "minLength": 1}
WHOLE = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = _object("text", text=TEXT, markdown=TEXT)  # 3.11
REGION = _object("startLine", startLine=WHOLE, startColumn=WHOLE, endLine=WHOLE, endColumn=WHOLE)
ARTIFACT = _object("uri", uri={"type": "string", "pattern": "^[!-~]+$"}, uriBaseId=TEXT)  # 3.4
PHYSICAL = _object("artifactLocation", artifactLocation=ARTIFACT, region=REGION)  # 3.29
LOGICAL = _object("name", name=TEXT, kind=TEXT)  # 3.33
LOCATION = _object(  # 3.28
    physicalLocation=PHYSICAL, logicalLocations=_list(LOGICAL), message=MESSAGE
)
REPLACEMENT = _object(  # 3.57
    "deletedRegion", deletedRegion=REGION, insertedContent=_object(text={"type": "string"})
)
CHANGE = _object(  # 3.56
    "artifactLocation replacements", artifactLocation=ARTIFACT, replacements=_list(REPLACEMENT)
)
FIX = _object("artifactChanges", description=MESSAGE, artifactChanges=_list(CHANGE))  # 3.55
SUPPRESSION = _object(  # 3.35
    "kind", kind={"enum": ["inSource", "external"]}, justification=TEXT
)
RESULT = _object(  # 3.27
    "message",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=_list(LOCATION),
    relatedLocations=_list(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    fixes=_list(FIX),
    suppressions=_list(SUPPRESSION),
    properties={"type": "object"},
)
RULE = _object(  # 3.49
    "id",
    id=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=_object(level=LEVEL),
)
NOTIFICATION = _object("message", level=LEVEL, message=MESSAGE, locations=_list(LOCATION))  # 3.58
RUN = _object(  # 3.14
    "tool",
    tool=_object(
        "driver", driver=_object("name", name=TEXT, semanticVersion=TEXT, rules=_list(RULE))
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=_list(
        _object(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=_list(NOTIFICATION),
        )
    ),
    results=_list(RESULT),
)
LOG = _object(
    "version runs", **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": _list(RUN)}
)


def faults(log: Any) -> list[str]:
    """What is wrong with a log."""
    found = jsonschema_rs.validator_for(LOG).iter_errors(log)
    return [f"{fault.instance_path}: {fault.message}" for fault in found]
