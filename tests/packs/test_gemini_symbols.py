"""Every name the Gemini pack speaks of exists, on the SDK it speaks of.

Each claim is an expression that must hold in the environment of that SDK; all claims of an
environment are evaluated in one process.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from chatport.port.packs.load import bundled
from chatport.port.packs.schema import (
    Call,
    ConfigureToClient,
    Exceptions,
    MemberReads,
    ModelCalls,
    RenameImport,
)
from chatport.port.prove.environments import ensure
from tests.prove.workers import FOLDER

PACK = bundled("google-generativeai-to-google-genai")

NEW = """\
import inspect, pkgutil
from google import genai
from google.genai import chats, types
client = genai.Client(api_key="none")
sync, waiting = client.chats.create(model="m"), client.aio.chats.create(model="m")
"""
LEGACY = """\
import importlib, inspect, pkgutil, warnings
warnings.simplefilter("ignore")
import google.generativeai
from google.generativeai import embedding
from google.generativeai.types import safety_types
from google.generativeai import protos

def found(name):
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            here = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            here = getattr(here, part)
        return here
    raise AttributeError(name)

def same(one, other):
    # One object, or two enumerations of the same members as far as the second goes.
    return one is other or {m.name: int(m) for m in other}.items() <= {
        m.name: int(m) for m in one
    }.items()

def takes(function, *names):
    known = inspect.signature(function).parameters
    return all(name in known for name in names)
"""
EVALUATE = """
import json, sys
wrong = {}
for claim in json.load(sys.stdin):
    try:
        holds = eval(claim)
    except Exception as error:
        wrong[claim] = f"{type(error).__name__}: {error}"
    else:
        if holds is not None and not holds:
            wrong[claim] = "does not hold"
json.dump(wrong, sys.stdout)
"""

NEW_TYPES = {
    "GenerateContentResponse": "types.GenerateContentResponse",
    "GenerateContentChunk": "types.GenerateContentResponse",
    "PromptFeedback": "types.GenerateContentResponsePromptFeedback",
    "Candidate": "types.Candidate",
    "ChatSession": "chats.Chat",
    "Model": "types.Model",
    "File": "types.File",
    "CountTokensResponse": "types.CountTokensResponse",
}
"""The new class of a legacy type; the others have none or are checked by other claims."""


@cache
def wrong(environment: str, setup: str, claims: tuple[str, ...]) -> dict[str, str]:
    """The claims that do not hold, and why."""
    done = subprocess.run(
        [str(ensure(environment, FOLDER).python), "-c", setup + EVALUATE],
        input=json.dumps(claims),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def change(kind: type[Any]) -> Any:
    return next(change for change in PACK.changes if isinstance(change, kind))


# --- the new SDK -------------------------------------------------------------------------------


def has_field(owner: str, field: str) -> str:
    return f"{field!r} in types.{owner}.model_fields"


def has_parameter(function: str, name: str) -> str:
    return f"{name!r} in inspect.signature({function}).parameters"


def new_claims() -> Iterator[str]:
    yield from model_claims()
    yield from call_claims()
    yield from client_claims()
    yield from (f"types.{name}" for name in types_written())
    yield from member_claims()
    yield knows_all_names_of("genai")


def knows_all_names_of(module: str) -> str:
    names = set(change(RenameImport).names)
    own = f"{{n for n in dir({module}) if not n.startswith('_')}}"
    below = f"{{m.name for m in pkgutil.iter_modules({module}.__path__) if m.name[0] != '_'}}"
    return f"{own} | {below} <= {names!r}"


def client_claims() -> Iterator[str]:
    params = change(ConfigureToClient).params
    owner = f"genai.{params.client_class}"
    for keyword in (*params.keywords.values(), *params.always, params.environment_keyword):
        yield has_parameter(owner, keyword)
    yield from params.always.values()


def model_claims() -> Iterator[str]:
    params = change(ModelCalls).params
    owner = params.config_class
    for rewrite in params.rewrites.values():
        for name in (rewrite.new_call, rewrite.stream_call, rewrite.async_call):
            if name is None:
                continue
            receiver = "waiting" if rewrite.coroutine else "sync"
            function = f"{receiver if rewrite.root == 'receiver' else 'client'}.{name}"
            keywords = set(rewrite.keywords.values())
            if rewrite.root == "client":
                keywords.add(params.model_keyword)
            if rewrite.configures and not rewrite.drops_config:
                keywords.add(params.config_keyword)
            yield from (has_parameter(function, keyword) for keyword in sorted(keywords))
    for field in (*params.generation_config_keys, *params.carried, params.safety.parameter):
        yield has_field(owner, field)
    for field, code in params.tools.off.items():
        yield has_field(owner, field)
        yield code
    yield from params.tools.strings.values()
    safety = params.safety
    for field in ("category", "threshold"):
        yield has_field(safety.new_class, field)
    for member in (*safety.category_members, *safety.categories.values()):
        yield f"{member!r} in types.{safety.new_category_class}.__members__"
    for member in (*safety.threshold_members, *safety.thresholds.values()):
        yield f"{member!r} in types.{safety.new_threshold_class}.__members__"
    yield f"types.{params.history.blob_call}({', '.join(blob())})"


def blob() -> tuple[str, str]:
    first, second = change(ModelCalls).params.history.blob_keys
    return f"{first}='text/plain'", f"{second}=b'x'"


def call_claims() -> Iterator[str]:
    params, options = change(Call).params, PACK.request_options
    assert options is not None
    for rewrite in params.calls.values():
        function = f"client.{rewrite.new_call}"
        yield from (has_parameter(function, keyword) for keyword in rewrite.keywords.values())
        if rewrite.config_class:
            yield has_parameter(function, params.config_keyword)
            for field in (*rewrite.config_keywords.values(), options.field):
                yield has_field(rewrite.config_class, field)
        if rewrite.embedding is not None:
            yield has_field("EmbedContentResponse", rewrite.embedding.attribute)
            yield has_field("ContentEmbedding", rewrite.embedding.item)
    for method in params.methods.values():
        yield has_parameter(f"client.{method.new_call}", method.keyword)
    yield has_field(change(ModelCalls).params.config_class, options.field)
    yield has_field(options.new_class, options.new_timeout)


def types_written() -> Iterator[str]:
    for name in change(RenameImport).types.values():
        service = name.partition(".")[0]
        if service[:1].isupper():
            yield name


def member_claims() -> Iterator[str]:
    reads = change(MemberReads)
    for name, member in reads.members.items():
        kind, _, attribute = name.partition(".")
        owner = NEW_TYPES.get(kind)
        if owner is not None and member.code is None:
            new = (attribute if member.becomes is None else member.becomes).partition("(")[0]
            if not new:  # what is read is the object itself
                continue
            yield f"hasattr({owner}, {new!r}) or {new!r} in {owner}.model_fields"
        for number in member.numbers.values():
            yield f"{number!r} in types.{member.enum}.__members__"


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
def test_every_new_name_exists(environment: str) -> None:
    claims = tuple(dict.fromkeys(new_claims()))
    assert len(claims) > 100
    assert wrong(environment, NEW, claims) == {}


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
def test_a_name_that_does_not_exist_is_told(environment: str) -> None:
    claims = (has_field("GenerateContentConfig", "heat"), "types.NoSuchClass", "client.models.list")
    assert set(wrong(environment, NEW, claims)) == set(claims[:2])


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
def test_the_versions_are_those_the_pack_is_for(environment: str) -> None:
    from packaging.specifiers import SpecifierSet

    assert ensure(environment, FOLDER).version in SpecifierSet(PACK.target.versions)


# --- the legacy SDK ----------------------------------------------------------------------------


def legacy_claims() -> Iterator[str]:
    match = PACK.match
    module = PACK.source.module
    types = {made: s for s, made in reversed(match.makes.items()) if s.endswith("." + made)}
    types |= {"History": "builtins.list"}
    for name in (*match.makes, *match.aliases, *match.aliases.values()):
        if name.startswith(module):
            yield f"found({name!r}) and True"
        else:
            kind, _, method = name.partition(".")
            yield f"hasattr(found({types[kind]!r}), {method!r})"
    for alias, name in match.aliases.items():
        yield f"same(found({alias!r}), found({name!r}))"
    yield from legacy_model_claims(types)
    yield from legacy_call_claims(types)
    yield from legacy_table_claims()
    for name in change(Exceptions).params.classes:
        yield f"issubclass(found({name!r}), Exception)"
    yield from (f"found({name!r}) and True" for name in change(RenameImport).types)
    yield knows_all_names_of(module)


def takes(function: str, names: object) -> str:
    assert isinstance(names, list | tuple | set | dict)
    return f"takes(found({function!r}), *{sorted(names)!r})"


def begins_with(function: str, names: tuple[str, ...]) -> str:
    known = f"list(inspect.signature(found({function!r})).parameters)"
    return f"{known}[:{len(names)}] == {list(names)!r}"


def legacy_model_claims(types: dict[str, str]) -> Iterator[str]:
    params = change(ModelCalls).params
    yield begins_with(params.ctor_symbol, params.ctor_parameters)
    keys = set(params.generation_config_keys)
    yield f"{keys!r} <= set(protos.GenerationConfig.meta.fields)"
    for name in params.methods:
        kind, _, method = name.partition(".")
        yield f"hasattr(found({types[kind]!r}), {method!r})"
    for name, rewrite in params.rewrites.items():
        kind, _, method = name.partition(".")
        stream = {params.stream_parameter} if rewrite.stream_call else set()
        said = {*rewrite.positional, *rewrite.keywords, *rewrite.afc_kwargs, *stream}
        yield takes(f"{types[kind]}.{method}", said)


def legacy_call_claims(types: dict[str, str]) -> Iterator[str]:
    for name, rewrite in change(Call).params.calls.items():
        yield takes(name, {*rewrite.keywords, *rewrite.config_keywords, *rewrite.dropped})
        if rewrite.positional:
            yield begins_with(name, rewrite.positional)
    for name in change(Call).params.methods:
        kind, _, method = name.partition(".")
        yield f"hasattr(found({types[kind]!r}), {method!r})"
    configure = change(ConfigureToClient).params
    yield takes(configure.symbol, {*configure.keywords, *configure.dropped})
    options = PACK.request_options
    assert options is not None
    yield takes(options.symbol, {options.timeout})


def key(text: str) -> str:
    return text if text.isdigit() else repr(text)


def legacy_table_claims() -> Iterator[str]:
    safety = change(ModelCalls).params.safety
    for said, member in safety.categories.items():
        yield f"safety_types.to_harm_category({key(said)}).name == {member!r}"
    for said, member in safety.thresholds.items():
        yield f"safety_types.to_block_threshold({key(said)}).name == {member!r}"
    for member in safety.category_members:
        yield f"safety_types.to_harm_category(safety_types.HarmCategory[{member!r}]) < 11"
    for member in safety.threshold_members:
        yield f"safety_types.to_block_threshold(safety_types.HarmBlockThreshold[{member!r}]) < 5"
    for rewrite in change(Call).params.calls.values():
        for said, member in rewrite.spellings.get("task_type", {}).items():
            yield f"embedding.to_task_type({key(said)}).name == {member!r}"
    for name, member in change(MemberReads).members.items():
        for number, value in member.numbers.items():
            yield f"{LEGACY_ENUMS[name]}({number}).name == {value!r}"


LEGACY_ENUMS = {
    "Candidate.finish_reason": "protos.Candidate.FinishReason",
    "File.state": "protos.File.State",
    "PromptFeedback.block_reason": "protos.GenerateContentResponse.PromptFeedback.BlockReason",
    "SafetyRating.category": "protos.HarmCategory",
    "SafetyRating.probability": "protos.SafetyRating.HarmProbability",
}


def test_every_legacy_name_exists() -> None:
    claims = tuple(dict.fromkeys(legacy_claims()))
    assert len(claims) > 150
    assert wrong("legacy", LEGACY, claims) == {}


def test_the_tables_are_whole() -> None:
    """What legacy looked up is what the pack looks up: no spelling more, no spelling less."""
    safety = change(ModelCalls).params.safety
    embed = change(Call).params.calls["google.generativeai.embed_content"]
    tables = {
        "safety_types._HARM_CATEGORIES": safety.categories,
        "safety_types._BLOCK_THRESHOLDS": safety.thresholds,
        "embedding._EMBEDDING_TASK_TYPE": embed.spellings["task_type"],
    }
    claims = tuple(
        f"{set(mine)!r} == {{k if isinstance(k, str) else str(int(k)) for k in {theirs}}}"
        for theirs, mine in tables.items()
    )
    assert wrong("legacy", LEGACY, claims) == {}


def test_the_pack_goes_through_its_own_schema() -> None:
    assert msgspec.convert(msgspec.to_builtins(PACK), type(PACK)) == PACK
