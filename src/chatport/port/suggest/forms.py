"""What is suggested by the code of a refusal, where that is other than the rewrite itself."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from chatport.port.packs.schema import ConfigureToClient, Exceptions, MemberReads
from chatport.port.program.values import External
from chatport.port.render.layout import Element, Text
from chatport.port.render.layout import call as layout_call
from chatport.port.source.edits import Edit
from chatport.port.source.errors import UnreliablePosition
from chatport.port.suggest.context import Context
from chatport.port.suggest.drafted import drafted, near
from chatport.port.suggest.stand_ins import stand_in
from chatport.port.suggest.table import by_table

Form: TypeAlias = Callable[[Context], "list[Edit] | None"]
"""The edits of a suggestion; None where a form does not fit the place."""

_ORDERS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def from_pack(context: Context) -> list[Edit] | None:
    """What the pack says of the symbol or the member, and else what the rule said."""
    forms, site = context.workspace.surface.pack.suggestions, context.site
    form = forms.get(context.member) or forms.get(site.symbol) or context.refusal.suggestion
    node = context.expression
    if not form or node is None or "\n" in form or isinstance(node, ast.Constant):
        return None
    if site.call is None:
        form = form.removesuffix("({args})")
    return [context.put(node, context.filled(form))]


def _awaited(context: Context) -> list[Edit] | None:
    """What nobody awaits, awaited; a plain loop over it becomes one that awaits, too."""
    edits, call = from_pack(context), context.site.call
    loop = context.module.parents[call] if call is not None else None
    if edits and isinstance(loop, ast.For):
        start = context.source.span(loop)[0]
        edits.append(Edit(start, start, "async "))
    return edits


def _named(context: Context) -> list[Edit] | None:
    """The name of a model in its place, and what is asked of it."""
    edits = by_table(context)
    if edits and context.site.call is not None:
        for site in near(context):
            edits += by_table(context._replace(site=site)) or []
    return edits


def _handlers(context: Context) -> list[Edit] | None:
    """Wait for the new classes where the old ones are waited for."""
    near = [handler for handler in _around(context) if _old(context, handler)]
    edits = []
    for handler in near or context.module.nodes(ast.ExceptHandler):
        said: set[str] = set()
        for kind, new in _old(context, handler).items():
            text = "" if new in said else new
            said.add(new)
            edits.append(_put_among(context, kind, text))
    return edits or None


def _put_among(context: Context, kind: ast.expr, text: str) -> Edit:
    """A class in the place of another one; with the comma behind it, where it is there already."""
    start, end = context.source.span(kind)
    if not text:
        comma = re.compile(r"\s*,\s*").match(context.source.text, end)
        end = comma.end() if comma is not None else end
        text = "" if comma is not None else "()"
    return Edit(start, end, text)


def _around(context: Context) -> Iterator[ast.ExceptHandler]:
    here: ast.AST | None = context.site.node
    while here is not None:
        if isinstance(here, ast.Try):
            yield from here.handlers
        here = context.module.parents.get(here)


def _old(context: Context, handler: ast.ExceptHandler) -> dict[ast.expr, str]:
    """The classes of the old transport that a handler names, each with its new one."""
    change = context.workspace.surface.change(Exceptions)
    assert change is not None
    errors, found = change.params.errors, {}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    for kind in kinds:
        atoms = context.workspace.values(kind) if kind is not None else ()
        names = [atom.name for atom in atoms if isinstance(atom, External)]
        for name in map(context.workspace.surface.canonical, names):
            old = name.startswith(change.params.modules) or name in change.params.classes
            if old and kind is not None:
                new = errors.classes[name].name if name in errors.classes else errors.base
                found[kind] = f"{errors.service}.{new}"
    return found


def _raise_without(context: Context) -> list[Edit] | None:
    """Raise what was raised before the read."""
    reads = context.workspace.surface.change(MemberReads)
    member = reads.members.get(context.member) if reads is not None else None
    node = context.site.node
    if member is None or not isinstance(node, ast.expr):
        return None
    said = context.text(node)
    raised = f'raise {member.raises or "ValueError"}("the answer has no text")'
    return [context.above(node, f"if {said} is None:\n    {raised}")]


def _converted(context: Context) -> list[Edit] | None:
    """``type(x).to_dict(x)`` wherever a module has it: the new classes have no such method."""
    forms, edits = context.workspace.surface.pack.suggestions, []
    by_name = {name.rpartition(".")[2]: form for name, form in forms.items() if "{self}" in form}
    for call in context.module.nodes(ast.Call) if not _streams(context) else ():
        maker = call.func.value if isinstance(call.func, ast.Attribute) else None
        if not isinstance(maker, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        form = by_name.get(call.func.attr)
        if form and call.args and context.text(maker.func) == "type":
            said = form.replace("{self}", context.owner(call.args[0]))
            edits.append(context.put(call, said))
    return edits or None


def _whole_stream(context: Context) -> list[Edit] | None:
    """Ask for the stream at once and keep its pieces."""
    site, node = context.site, context.expression
    if context.member.endswith(".resolve") and isinstance(
        context.module.statement(site.node), ast.Expr
    ):
        return [context.put(context.module.statement(site.node), "pass")]
    if site.call is None or node is None or not _streams(context):
        return None
    start, end = context.source.span(node)
    edits = drafted(context) or by_table(context) or []
    made = next((edit for edit in edits if (edit.start, edit.end) == (start, end)), None)
    if made is None:
        return None
    edits.remove(made)
    parent = context.module.parents[node]
    if isinstance(parent, ast.Await):
        start, end = context.source.span(parent)
        return [*edits, Edit(start, end, f"[chunk async for chunk in await {made.text}]")]
    return [*edits, Edit(start, end, f"list({made.text})")]


def _streams(context: Context) -> bool:
    flag = context.models.params.stream_parameter
    call = context.site.call
    return call is not None and any(
        k.arg == flag and isinstance(k.value, ast.Constant) and k.value.value for k in call.keywords
    )


def _by_name(context: Context) -> list[Edit] | None:
    """Compare the name of a member, or ask whether it is among those that the number meant."""
    node = context.site.node
    reads = context.workspace.surface.change(MemberReads)
    member = reads.members.get(context.member) if reads is not None else None
    parent = context.module.parents[node]
    if not isinstance(node, ast.expr):
        return None
    name = f"{context.text(node)}.name"
    if not isinstance(parent, ast.Compare) or len(parent.ops) != 1 or parent.left is not node:
        return [context.put(node, name)]
    other, compare = parent.comparators[0], _ORDERS.get(type(parent.ops[0]))
    if not isinstance(other, ast.Constant) or not isinstance(other.value, int):
        return [context.put(node, name)]
    if member is None or compare is None:
        return None
    meant = [said for number, said in member.numbers.items() if compare(int(number), other.value)]
    strings = ", ".join(context.draft.style.string(one) for one in meant)
    test = f"{name} == {strings}" if len(meant) == 1 else f"{name} in ({strings})"
    return [context.put(parent, test)]


def _string(context: Context) -> list[Edit] | None:
    """The new module where a string names the old one."""
    node, surface = context.site.node, context.workspace.surface
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    old, new = surface.module, surface.pack.target.module
    below = node.value.removeprefix(old)
    if below == node.value:
        return None
    types = f"{new}.types" if below in {".types", ".protos"} else None
    text = types or context.dotted(surface.canonical(node.value)) or new
    return [context.put(node, context.draft.style.string(text))]


def _class_as_value(context: Context) -> list[Edit] | None:
    """The name of a model is text; a class that was one holds a client instead."""
    node = context.site.node
    if not isinstance(node, ast.expr):
        return None
    parent = context.module.parents[node]
    if isinstance(parent, ast.ClassDef):
        start, end = (
            context.source.span(parent.bases[0])[0],
            context.source.span(parent.bases[-1])[1],
        )
        rest = [context.text(base) for base in parent.bases if base is not node]
        return [Edit(start, end, ", ".join(rest))]
    known = context.class_of(context.site.symbol)
    return [context.put(node, known or "str")]


def _history(context: Context) -> list[Edit] | None:
    """The list that the new chat sends."""
    node, change = context.site.node, context.workspace.surface.change(Exceptions)
    if not isinstance(node, ast.Attribute) or change is None:
        return None
    sent = f"{context.owner(node.value)}.{change.params.raised.sent}"
    return [context.put(node, f"{sent}[:]" if isinstance(node.ctx, ast.Store) else sent)]


def _client(context: Context) -> list[Edit] | None:
    """A client of all that the old configuration was told."""
    change, call = context.workspace.surface.change(ConfigureToClient), context.site.call
    if change is None or context.site.symbol != change.params.symbol or call is None:
        return None
    names = {keyword.arg for keyword in call.keywords}
    form = context.workspace.surface.pack.suggestions.get(context.site.symbol)
    kept = [
        f"{k}={context.workspace.expression(context.module, v)}"
        for k, v in change.params.always.items()
    ]
    said = [context.filled("{args}"), *kept]
    if "client_options" in names and form:
        said = [context.filled(form)]
    package = context.workspace.names[context.module].package
    statement = context.module.statement(call)
    alone = isinstance(statement, ast.Expr) and statement.value is call
    elements = tuple(Element(Text(one)) for one in said if one)
    head = f"{'client = ' if alone else ''}{package}.{change.params.client_class}"
    return [context.lay_out(call, layout_call(head, elements))]


def _out_of_string(context: Context) -> list[Edit] | None:
    """Ask in a statement of its own, and show what came of it."""
    call, made = context.site.call, by_table(context)
    if call is None or not made:
        return None
    try:
        start, end = context.source.verified_span(call)
    except UnreliablePosition:
        found = _found(context, call)
        if found is None:
            return None
        start, end = found
    return [context.above(call, f"answer = {made[0].text}"), Edit(start, end, "answer")]


def _found(context: Context, call: ast.Call) -> tuple[int, int] | None:
    """Where a call is written in its statement, however its strings are quoted."""
    lines = context.lines(call)
    for code in (ast.unparse(call), ast.unparse(call).replace("'", '"')):
        start = context.source.text.find(code, *lines)
        if start >= 0:
            return start, start + len(code)
    return None


def _maybe_none(context: Context) -> list[Edit] | None:
    """Read on only where there is something to read from."""
    node = context.site.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return None
    owner, said = context.text(node.value), context.text(node)
    return [context.put(node, f"({said} if {owner} is not None else None)")]


def _guess(context: Context) -> list[Edit] | None:
    """What is read of something that may be missing."""
    return _maybe_none(context) if context.site.call is None else None


def _embedding(context: Context) -> list[Edit] | None:
    """One text gives one list of numbers."""
    call, made = context.site.call, by_table(context)
    if call is None or not made:
        return None
    parent = context.module.parents[call]
    node = parent if isinstance(parent, ast.Subscript) and parent.value is call else call
    return [Edit(*context.source.span(node), f"{made[0].text}.embeddings[0].values")]


def _imports(context: Context) -> list[Edit] | None:
    """The two names that ported code reads, in place of all at once."""
    node = context.site.node
    statement = context.module.statement(node)
    new = context.workspace.surface.pack.target.module
    package, _, name = new.rpartition(".")
    if not isinstance(statement, ast.ImportFrom):
        return None
    return [context.put(statement, f"from {package} import {name}\nfrom {new} import types")]


def _model_field(context: Context) -> list[Edit] | None:
    """A field that was set on a model is one of the configuration."""
    node = context.site.node
    statement = context.module.statement(node)
    keys = context.models.params.generation_config_keys
    if (
        not isinstance(node, ast.Attribute)
        or not isinstance(node.ctx, ast.Store)
        or node.attr not in keys
        or not isinstance(statement, ast.Assign)
    ):
        return None
    name = re.sub(r"\W+", "_", context.text(node.value))
    made = f"{context.types}.{context.models.params.config_class}"
    return [
        context.put(
            statement, f"{name}_config = {made}({node.attr}={context.text(statement.value)})"
        )
    ]


FORMS: dict[str, tuple[Form, ...]] = {
    "client_source_unresolved": (_client,),
    "client_placement_ambiguous": (_client,),
    "multiple_configure_calls": (_client,),
    "receiver_unresolved": (_guess,),
    "error_class_changed": (_handlers,),
    "text_no_longer_raises": (_raise_without,),
    "response_shape_changed": (_converted, from_pack, _whole_stream),
    "enum_value_changed": (_by_name,),
    "dynamic_reference": (_string, _named),
    "type_reference": (_class_as_value,),
    "subclassed": (_class_as_value,),
    "history_write": (_history,),
    "stream_history_read": (_history,),
    "configure_kwargs_unsupported": (_client,),
    "configure_not_a_statement": (_client,),
    "f_string_position": (_out_of_string,),
    "value_may_be_none": (_maybe_none,),
    "embed_shape": (_embedding,),
    "star_import": (_imports,),
    "mock_target": (stand_in,),
    "attribute_removed": (from_pack, _model_field),
    "receiver_method_unmapped": (from_pack,),
    "flag_only_surface": (from_pack,),
    "usage_unmapped": (from_pack, by_table),
    "default_model_name_required": (from_pack,),
    "async_stream_await_missing": (_awaited,),
    "model_object_escapes": (_named,),
}
"""Code -> what is tried before the rewrite that the rules would make."""
