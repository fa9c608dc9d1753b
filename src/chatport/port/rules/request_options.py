"""What a call says about its own request: seconds to wait become part of the configuration."""

from __future__ import annotations

import ast

from chatport.port.packs.schema import RequestOptions
from chatport.port.program.values import NONE, Container, Made
from chatport.port.render.layout import call, keyword, one_line
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.config import Config, Entry, sole_assignment
from chatport.port.rules.portable import is_portable, is_written_none

CODE = "unsupported_kwarg"


def parameter(workspace: Workspace) -> set[str]:
    """The legacy parameter of options; none when the pack knows of none."""
    params = workspace.surface.pack.request_options
    return {params.parameter} if params is not None else set()


def added(
    workspace: Workspace, site: Site, arguments: dict[str, ast.expr], config: Config
) -> Config:
    """A call's configuration with what its options say; raises `RefusedError`."""
    for name in parameter(workspace) & arguments.keys():
        config = config.merged(read(workspace, site, arguments[name]))
    return config


def read(workspace: Workspace, site: Site, node: ast.expr) -> Config:
    """The configuration field that says what `node`, the author's options of one request, says;
    empty when it says nothing. Raises `RefusedError`."""
    params = workspace.surface.pack.request_options
    if params is None:
        raise RefusedError(CODE, f"`{ast.unparse(node)}` is not carried over")
    if is_written_none(node):
        return Config()
    literal = _literal(workspace, site, node, params)
    timeout = _timeout(literal, params)
    if literal is not node:
        _take_variable(workspace, site, node, literal, params)
    if timeout is None or is_written_none(timeout):
        return Config()
    if literal is not node and not is_portable(site.module, timeout, site.module, site.node):
        raise RefusedError(CODE, f"`{ast.unparse(timeout)}` is not read where the call is made")
    if NONE in workspace.values(timeout):
        raise RefusedError(CODE, f"the timeout `{ast.unparse(timeout)}` may be None")
    text = _in_units(workspace, site, timeout, params)
    new = call(workspace.types(site.module, params.new_class), (keyword(params.new_timeout, text),))
    return Config((Entry(params.field, None, site.module, one_line(new) or ""),))


def _take_variable(
    workspace: Workspace, site: Site, node: ast.expr, literal: ast.expr, params: RequestOptions
) -> None:
    """Delete the variable that held the options when only requests read it. A legacy object that
    something else reads cannot stay; a mapping can."""
    statement = sole_assignment(site.module, node)
    assert statement is not None
    loads = site.module.scopes.variable[node].loads
    elsewhere = any(
        isinstance(holder, ast.alias) and workspace.find_home(holder) is not site.module
        for holder, values in workspace.flow.values.items()
        if values == workspace.values(node)
    )
    if not elsewhere and all(_is_options(workspace, site, load, params) for load in loads):
        workspace.draft(site).delete(statement)
    elif isinstance(literal, ast.Call) and literal in workspace.by_node:
        raise RefusedError(CODE, f"`{ast.unparse(node)}` is also read for something else")


def _is_options(workspace: Workspace, site: Site, node: ast.expr, params: RequestOptions) -> bool:
    parent = site.module.parents[node]
    return (
        isinstance(parent, ast.keyword)
        and parent.arg == params.parameter
        and site.module.parents[parent] in workspace.by_node
    )


def _literal(workspace: Workspace, site: Site, node: ast.expr, params: RequestOptions) -> ast.expr:
    """The display or constructor call that `node` holds."""
    made = workspace.surface.makes.get(params.symbol)
    atoms = workspace.values(node)
    atom = next(iter(atoms)) if len(atoms) == 1 else None
    if isinstance(atom, Container) and isinstance(atom.node, ast.Dict | ast.Call):
        literal: ast.AST = atom.node
    elif isinstance(atom, Made) and atom.type == made and isinstance(atom.site, ast.Call):
        literal = atom.site
    else:
        raise RefusedError(CODE, f"what the options `{ast.unparse(node)}` say is not known")
    assert isinstance(literal, ast.expr)
    if literal in workspace.flow.mutated or literal not in site.module.parents:
        raise RefusedError(CODE, f"the options `{ast.unparse(node)}` are not read where they stand")
    if literal is not node and sole_assignment(site.module, node) is None:
        raise RefusedError(CODE, f"the options `{ast.unparse(node)}` may be others")
    maker = workspace.by_node.get(literal)
    if maker is not None and maker.symbol == params.symbol:
        maker.rule = site.rule
        site.group.merge(maker.group)
    return literal


def _timeout(literal: ast.expr, params: RequestOptions) -> ast.expr | None:
    """The time to wait; raises when the options say anything else."""
    pairs: list[tuple[object, ast.expr]] = []
    if isinstance(literal, ast.Dict):
        for key, value in zip(literal.keys, literal.values, strict=True):
            pairs.append((key.value if isinstance(key, ast.Constant) else None, value))
    elif isinstance(literal, ast.Call):
        if literal.args:
            raise RefusedError(CODE, f"`{ast.unparse(literal)}` names nothing")
        pairs += [(given.arg, given.value) for given in literal.keywords]
    timeout: ast.expr | None = None
    for name, given in pairs:
        if name == params.timeout:
            timeout = given
        elif not is_written_none(given):
            raise RefusedError(
                CODE, f"`{name}` of the request's options is done otherwise by the new SDK"
            )
    return timeout


def _in_units(workspace: Workspace, site: Site, node: ast.expr, params: RequestOptions) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{round(value * params.new_per_second):_}"
    if isinstance(node, ast.Constant | ast.Tuple | ast.List):
        raise RefusedError(CODE, f"the timeout `{ast.unparse(node)}` is no number of seconds")
    text = workspace.draft(site).source.segment(node)
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return f"int({text if simple else f'({text})'} * {params.new_per_second})"
