"""Keys that change while a program runs.

A legacy model kept the key that was configured when it was first used, and the configuration was
one for the whole process. Who goes from key to key, or makes one object for each, got something
else from that than the text of the program says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from chatport.port.packs.schema import ConfigureParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.keys import argument
from chatport.port.rules.reach import in_two_branches, is_put_away

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS)


def varies_in_loop(site: Site) -> bool:
    """Whether a configuration stands in a loop that gives it another key each time round: a name
    it reads is bound there."""
    names = {name.id for name in _names(site.call)}
    return any(names & _bound_in(loop) for loop in _loops(site.module, site.node))


def parameter_of_keys(workspace: Workspace, params: ConfigureParams, site: Site) -> str | None:
    """The parameter that gives the key, when one body calls the function around a configuration
    several times, each with another value of it; None otherwise."""
    function = site.module.function(site.node)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    parameters = {a.arg for a in (*function.args.args, *function.args.kwonlyargs)}
    for name in sorted(_sources(params, site, function) & parameters):
        if _differs(workspace, function, name):
            return name
    return None


def _differs(workspace: Workspace, function: FunctionNode, name: str) -> bool:
    """Whether calls of a function in one body give different values to a parameter."""
    flow = workspace.flow
    calls = [(flow.module_of[call], call) for call in flow.calls.get(function, [])]
    given = {call: argument(function, call, name) for _, call in calls}
    for module, call in calls:
        value = given[call]
        names = {node.id for node in _names(value)}
        loops = [loop for loop in _loops(module, call) if names & _bound_in(loop)]
        if any(_is_kept(module, loop, call) for loop in loops):
            return True
    return any(
        home is other
        and home.function(one) is other.function(two)
        and _text(given[one]) != _text(given[two])
        and not in_two_branches(home, one, two)
        for (home, one), (other, two) in combinations(calls, 2)
    )


def _is_kept(module: Module, loop: ast.AST, call: ast.Call) -> bool:
    """Whether what is made in a loop is there beside what its next turn makes."""
    parent = module.parents[call]
    if isinstance(parent, COMPREHENSIONS) or is_put_away(module, call):
        return True
    names = {target.id for target in getattr(parent, "targets", []) if isinstance(target, ast.Name)}
    return any(is_put_away(module, name) for name in _names(loop) if name.id in names)


def _text(node: ast.expr | None) -> str:
    return ast.unparse(node) if node is not None else ""


def _sources(params: ConfigureParams, site: Site, function: FunctionNode) -> set[str]:
    """The names a key is read from, also by an attribute that the function has set before."""
    assert site.call is not None
    key = next((k.value for k in site.call.keywords if k.arg == params.environment_keyword), None)
    found = {node.id for node in _names(key)}
    if isinstance(key, ast.Attribute):
        for statement in ast.walk(function):
            if isinstance(statement, ast.Assign) and any(
                ast.unparse(target) == ast.unparse(key) for target in statement.targets
            ):
                found |= {node.id for node in _names(statement.value)}
    return found


def _names(node: ast.AST | None) -> Iterator[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name)) if node is not None else iter(())


def _loops(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """The loops and comprehensions around a node, in the body it is in."""
    around = module.function(node)
    while node in module.parents and node is not around:
        node = module.parents[node]
        if isinstance(node, LOOPS):
            yield node


def _bound_in(loop: ast.AST) -> set[str]:
    return {name.id for name in _names(loop) if isinstance(name.ctx, ast.Store)}
