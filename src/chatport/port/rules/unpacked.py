"""Arguments that a constructor gets from a mapping: each is read from it by its key.

``GenerativeModel(**options)`` says what it says by the keys of a mapping that was written down and
filled before. The mapping stays; where a key is only sometimes there, None stands for nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.values import NONE, Container
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.origin import is_made_of

TAKES_OUT = {"pop", "popitem", "clear", "setdefault", "update"}
"""Methods of a mapping behind which other keys are in it, or other values."""


def with_items(workspace: Workspace, params: ModelCallsParams, site: Site) -> ast.Call:
    """The call of a constructor with the arguments that it gets from mappings written out; those
    it cannot be told of stay as they are."""
    assert site.call is not None
    call, keywords = site.call, list[ast.keyword]()
    said = {keyword.arg for keyword in call.keywords}
    for keyword in call.keywords:
        items = None
        if keyword.arg is None and not call.args:
            items = _items(workspace, params, site, keyword.value)
        if items is None or said & set(items):
            keywords.append(keyword)
            continue
        said |= set(items)
        keywords += [ast.keyword(name, node) for name, node in items.items()]
    return ast.Call(call.func, call.args, keywords)


def _items(
    workspace: Workspace, params: ModelCallsParams, site: Site, node: ast.expr
) -> dict[str, ast.expr] | None:
    """Parameter -> how it is read from a mapping; None where what is in that is not known."""
    held = _mapping(workspace, site, node)
    if held is None:
        return None
    flow, draft = workspace.flow, workspace.draft(site)
    written = [key.value if isinstance(key, ast.Constant) else None for key in held.keys]
    there = [key for key in written if isinstance(key, str)]
    keys = {str(key) for key in flow.keys.get(held, set())} | set(there)
    known = {
        *(params.model_parameter, params.generation_config, params.safety.parameter),
        *params.carried[:1],
    }
    if len(there) != len(held.keys) or flow.fact("element", held) or not keys <= known:
        return None
    if params.model_parameter in keys - set(there) or any(_is_emptied(workspace, held)):
        return None
    items: dict[str, ast.expr] = {}
    for key in (*there, *sorted(keys - set(there))):
        certain = key in there
        made = draft.item(node, key, certain=certain)
        flow.values[made] = flow.fact("item", held, key) | (
            frozenset() if certain else frozenset({NONE})
        )
        workspace.homes[made] = site.module
        site.module.parents[made] = site.module.parents[node]
        items[key] = made
    return items


def _mapping(workspace: Workspace, site: Site, node: ast.expr) -> ast.Dict | None:
    """The display that a name holds, on every way."""
    atoms = workspace.values(node)
    (atom,) = atoms if len(atoms) == 1 else (None,)
    held = atom.node if isinstance(atom, Container) else None
    if not isinstance(node, ast.Name) or not isinstance(held, ast.Dict):
        return None
    if held in workspace.flow.leaked or not is_made_of(workspace, site.module, node, {held}):
        return None
    return held


def _is_emptied(workspace: Workspace, held: ast.Dict) -> Iterator[bool]:
    """Whether keys are taken out of a mapping, or put into it in a way that is not read."""
    for module in workspace.modules:
        for read in module.nodes(ast.Attribute):
            changes = read.attr in TAKES_OUT
            yield changes and Container(held) in workspace.flow.values.get(read.value, ())
        for deleted in module.nodes(ast.Delete):
            for target in deleted.targets:
                owner = target.value if isinstance(target, ast.Subscript) else target
                yield Container(held) in workspace.flow.values.get(owner, ())
