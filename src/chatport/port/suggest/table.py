"""Calls of the new SDK by the tables of a pack, with the author's own expressions.

Nothing is read from the program: what an argument holds is taken for what the table expects.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from chatport.port.packs.schema import CallRewrite, MethodRewrite, ModelCallsParams
from chatport.port.program.values import Made
from chatport.port.render.layout import Element, Sequence, Text, call, keyword, one_line
from chatport.port.source.edits import Edit
from chatport.port.suggest.context import Context


def by_table(context: Context) -> list[Edit] | None:
    """The use as the table of methods, functions or classes has it."""
    site, node = context.site, context.expression
    if node is None or isinstance(node, ast.Constant):
        return None
    if site.symbol == context.models.params.ctor_symbol and site.call is not None:
        return _constructor(context, site.call)
    method = context.models.params.rewrites.get(context.member)
    free = context.calls.params.calls.get(site.symbol)
    if method is not None and context.receiver is not None:
        return _made_of(context, lambda given: _method(context, method, given), method.keywords)
    if free is not None:
        return _made_of(context, lambda given: _function(context, free, given), free.keywords)
    known = context.class_of(site.symbol)
    named = isinstance(site.node, ast.Name | ast.Attribute) and _names(site.node, site.symbol)
    if known is not None and named and isinstance(site.node, ast.expr):
        return [context.put(site.node, known)]
    return None


def _names(node: ast.Name | ast.Attribute, symbol: str) -> bool:
    """Whether an expression reads a class by its name, and no object of it."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    return name == symbol.rpartition(".")[2]


class _Given:
    """The arguments of a call, by the names of a table."""

    def __init__(self, names: tuple[str, ...], args: list[ast.expr], keywords: list[ast.keyword]):
        self.spread = [k.value for k in keywords if k.arg is None]
        self.by_name: dict[str, ast.expr] = dict(zip(names, args, strict=False))
        self.by_name |= {k.arg: k.value for k in keywords if k.arg is not None}


Written: TypeAlias = tuple[tuple[Element, ...], str]
"""The arguments of a new call, and what is called."""


def _made_of(
    context: Context, make: Callable[[ast.Call], Written], keywords: Mapping[str, str]
) -> list[Edit] | None:
    """The new call in the place of the old one, or among the arguments of what calls it; a
    function of its own where nobody calls it here."""
    site = context.site
    if site.call is not None and site.runner is None:
        sequence, function = make(site.call)
        return [context.lay_out(site.call, call(function, sequence))]
    outer = site.call or context.module.parents[site.node]
    node = site.node
    if isinstance(outer, ast.Call) and node in outer.args:
        place = outer.args.index(node)
        inner = ast.Call(func=node, args=outer.args[place + 1 :], keywords=outer.keywords)
        sequence, function = make(inner)
        before = tuple(Element(Text(context.text(one))) for one in outer.args[:place])
        elements = (*before, Element(Text(function)), *sequence)
        return [context.lay_out(outer, call(context.text(outer.func), elements))]
    assert isinstance(node, ast.expr)
    said, function = make(ast.Call(func=node, args=[], keywords=[]))
    new = next(iter(keywords.values()), "")
    elements = (*said, Element(Text(new), f"{new}="), Element(Text("more"), "**"))
    if not new:
        return [context.put(node, function)]
    made = one_line(call(function, elements))
    return [context.put(node, f"lambda {new}, **more: {made}")]


def _method(context: Context, rewrite: MethodRewrite, given: ast.Call) -> Written:
    params = context.models.params
    said = _Given(rewrite.positional, given.args, given.keywords)
    flag = said.by_name.pop(params.stream_parameter, None)
    owner = context.receiver
    assert owner is not None
    elements = []
    head = f"{context.client}."
    if rewrite.root == "client":
        elements.append(keyword(params.model_keyword, _model(context, owner)))
    else:
        head = f"{context.owner(owner)}."
    for name, new in rewrite.keywords.items():
        if name in said.by_name:
            elements.append(keyword(new, context.carried(said.by_name.pop(name))))
    config = () if rewrite.drops_config else _config(context, said, rewrite.afc_kwargs)
    if config:
        value = call(f"{context.types}.{params.config_class}", config)
        elements.append(keyword(params.config_keyword, value))
    plain, stream = f"{head}{rewrite.new_call}", f"{head}{rewrite.stream_call}"
    if flag is None or rewrite.stream_call is None:
        return tuple(elements), plain
    if isinstance(flag, ast.Constant):
        return tuple(elements), stream if flag.value else plain
    return tuple(elements), f"({stream} if {context.text(flag)} else {plain})"


def _function(context: Context, rewrite: CallRewrite, given: ast.Call) -> Written:
    said = _Given(rewrite.positional, given.args, given.keywords)
    elements, fields = [], []
    for name, new in rewrite.keywords.items():
        if name in said.by_name:
            elements.append(keyword(new, context.carried(said.by_name.pop(name))))
    for name, new in rewrite.config_keywords.items():
        if name in said.by_name:
            fields.append(keyword(new, context.carried(said.by_name.pop(name))))
    left = [name for name in said.by_name if name not in rewrite.dropped]
    fields += [keyword(name, context.carried(said.by_name[name])) for name in left]
    fields += [Element(context.carried(node), "**") for node in said.spread]
    if fields and rewrite.config_class:
        value = call(f"{context.types}.{rewrite.config_class}", tuple(fields))
        elements.append(keyword(context.calls.params.config_keyword, value))
    return tuple(elements), f"{context.client}.{rewrite.new_call}"


def _constructor(context: Context, given: ast.Call) -> list[Edit] | None:
    """The model's name where the model was, and its configuration on a line below it."""
    params = context.models.params
    said = _Given(tuple(params.ctor_parameters), given.args, given.keywords)
    name = said.by_name.pop(params.model_parameter, None)
    config = _config(context, said, ())
    if name is None and not said.spread:
        return None
    taken = context.draft.style.string(params.model_parameter)
    text = (
        context.text(name) if name is not None else f"{context.text(said.spread[0])}.pop({taken})"
    )
    edits = [Edit(*context.source.span(given), text)]
    statement = context.module.statement(given)
    if config and isinstance(statement, ast.Assign) and statement.value is given:
        target = statement.targets[0]
        kept = (
            f"{context.text(target)}_config" if not isinstance(target, ast.Subscript) else "config"
        )
        start, end = context.lines(given)
        value = call(f"{context.types}.{params.config_class}", config)
        indent = context.source.indent_at(start)
        code = context.lay_out(given, value).text
        edits.append(Edit(end, end, f"{indent}{kept} = {code}\n"))
    return edits


def _model(context: Context, owner: ast.expr) -> Text | Sequence:
    """The name of the model that something is asked of: written down where it was made, or what
    stands in its place."""
    params = context.models.params
    names = []
    for atom in context.workspace.values(owner):
        made = atom.site if isinstance(atom, Made) else None
        if isinstance(made, ast.Call) and made in context.workspace.by_node:
            given = _Given(tuple(params.ctor_parameters), made.args, made.keywords)
            name = given.by_name.get(params.model_parameter)
            names.append(ast.unparse(name) if isinstance(name, ast.Constant) else "")
    if len(names) == 1 and names[0] and isinstance(owner, ast.Call):
        return Text(context.draft.style.string(ast.literal_eval(names[0])))
    return context.carried(owner)


def _config(context: Context, said: _Given, afc: tuple[str, ...]) -> tuple[Element, ...]:
    return tuple(_fields(context, said, afc))


def _fields(context: Context, said: _Given, afc: tuple[str, ...]) -> Iterator[Element]:
    params: ModelCallsParams = context.models.params
    options = context.workspace.surface.pack.request_options
    for name, node in said.by_name.items():
        if name == params.generation_config:
            yield from _generation(context, node)
        elif name in afc:
            if isinstance(node, ast.Constant) and node.value:
                continue
            key, code = next(iter(params.tools.off.items()))
            written = context.workspace.expression(context.module, code)
            yield keyword(key, written.replace("True", f"not {context.text(node)}"))
        elif options is not None and name == options.parameter:
            yield from _options(context, node)
        else:
            yield keyword(name, context.carried(node))
    for node in said.spread:
        yield Element(context.carried(node), "**")


def _generation(context: Context, node: ast.expr) -> Iterator[Element]:
    made = context.workspace.by_node.get(node)
    params = context.models.params
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        for key, value in zip(node.keys, node.values, strict=True):
            assert isinstance(key, ast.Constant)
            yield keyword(str(key.value), context.carried(value))
    elif isinstance(node, ast.Call) and made and made.symbol == params.generation_config_class:
        for one in node.keywords:
            yield Element(context.carried(one.value), f"{one.arg}=" if one.arg else "**")
    else:
        yield Element(context.carried(node), "**")


def _options(context: Context, node: ast.expr) -> Iterator[Element]:
    """Seconds to wait, where they are written down, in the new unit."""
    options = context.workspace.surface.pack.request_options
    assert options is not None
    if not isinstance(node, ast.Dict):
        yield keyword(options.field, context.carried(node))
        return
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "timeout":
            text = f"int({context.owner(value)} * {options.new_per_second})"
            made = call(
                f"{context.types}.{options.new_class}", (keyword(options.new_timeout, text),)
            )
            yield keyword(options.field, made)
