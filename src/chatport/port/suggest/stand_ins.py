"""What a test would put in the place of the client, or of one of its methods."""

from __future__ import annotations

import ast

from chatport.port.packs.schema import ConfigureToClient, MockTargets
from chatport.port.source.edits import Edit
from chatport.port.suggest.context import Context


def stand_in(context: Context) -> list[Edit] | None:
    """The new target of a patch, or the new path to a stand-in."""
    node = context.site.node
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = _target(context, node.value)
        return [context.put(node, context.draft.style.string(name))] if name else None
    if not isinstance(node, ast.Attribute):
        return None
    path, client = _path(context), _client(context)
    owner = node.value if path is None else getattr(node.value, "value", None)
    if owner is not None and client.startswith("self."):
        client = f"{context.owner(owner)}.{client.removeprefix('self.')}"
    return [context.put(node, f"{client}.{path}" if path is not None else client)]


def _path(context: Context) -> str | None:
    """``service.method`` of what is replaced; None where it is a model, or the configuration."""
    method = context.models.params.rewrites.get(context.member)
    free = context.calls.params.calls.get(context.site.symbol)
    if method is not None:
        return method.new_call
    return free.new_call if free is not None else None


def _client(context: Context) -> str:
    """What the program calls its client."""
    names = list(context.workspace.client_of.values())
    return max(names, key=names.count) if names else "client"


def _target(context: Context, name: str) -> str | None:
    surface, path = context.workspace.surface, _path(context)
    mocks, configure = surface.change(MockTargets), surface.change(ConfigureToClient)
    assert mocks is not None
    assert configure is not None
    new = surface.pack.target.module
    made = configure.params.client_class.rpartition(".")[2]
    service, _, method = (path or "").rpartition(".")
    if "." not in name:
        return method or made
    if surface.is_legacy(name):
        if path is not None:
            return f"{mocks.services.get(service) or _class_of(new, service)}.{method}"
        if (known := context.dotted(context.site.symbol)) is not None:
            return known
        return f"{new}.{made}" if context.site.symbol != surface.module else new
    below = context.site.symbol.removeprefix(surface.module).lstrip(".")
    head = name.removesuffix(f".{below}") if below else name
    home = head.rpartition(".")[0]
    if path is not None or head == name:
        client = _client(context).removeprefix("self.").removesuffix("()")
        return f"{home}.{client}" + (f".{path}" if path else "")
    return f"{head}.{made}"


def _class_of(module: str, service: str) -> str:
    """The class of a service, as all of them are called: ``files.Files``."""
    name = service.rpartition(".")[2]
    return f"{module}.{name}.{'Async' if '.' in service else ''}{name.capitalize()}"
