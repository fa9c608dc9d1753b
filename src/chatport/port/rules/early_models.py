"""Models that are made in the call they are asked in, by a function that configures the SDK.

``get_model().generate_content(...)`` becomes a call of the client with the model among its
arguments; the client is read before those are evaluated, and only then would it be made. The model
is given a name in a statement of its own before.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import ConfigureToClient
from chatport.port.program.modules import Module
from chatport.port.rules.base import Workspace
from chatport.port.rules.evaluation import SIMPLE, is_first, runs_always
from chatport.port.rules.timing import Running
from chatport.port.rules.use import Use, receiver

NAMES = ("model", "gemini_model", "made_model")


def name_early_models(workspace: Workspace, uses: list[Use]) -> None:
    """Draft the statements that make such models; the calls read their names."""
    configure = workspace.surface.change(ConfigureToClient)
    symbol = configure.params.symbol if configure is not None else ""
    sites = [site for site in workspace.sites if site.symbol == symbol and site.call is not None]
    running = Running(workspace, sites)
    for use in uses:
        made = receiver(use.site)
        module = use.site.module
        if use.rewrite.root != "client" or not running.leads_to_one(made):
            continue
        statement = module.statement(use.call)
        plain = isinstance(made, ast.Call | ast.Attribute) and not _holds_uses(workspace, made)
        if plain and _stands_alone(module, statement, made):
            name = _free(module, made)
            if name is not None:
                text = module.source.segment(made)
                draft = workspace.drafts[module]
                draft.insert_before(statement, f"{name} = {text}")
                draft.replace_with(made, name)
                workspace.early.add(made)


def _stands_alone(module: Module, statement: ast.stmt, made: ast.expr) -> bool:
    """Whether a statement of its own line evaluates the model first, and always."""
    loop = isinstance(statement, ast.For | ast.AsyncFor) and _stands_in(statement.iter, made)
    start = module.source.span(statement)[0]
    before = module.source.text[module.source.line_start(start) : start]
    return (
        (loop or isinstance(statement, SIMPLE))
        and not before.strip()
        and "\n" not in module.source.segment(made)
        and runs_always(module, statement, made)
        and is_first(module, statement, made)
    )


def _stands_in(whole: ast.expr, part: ast.expr) -> bool:
    return any(node is part for node in ast.walk(whole))


def _holds_uses(workspace: Workspace, made: ast.expr) -> bool:
    return any(part in workspace.by_node for part in ast.walk(made))


def _free(module: Module, made: ast.expr) -> str | None:
    """A name nothing has where the model is made."""
    scope = module.scopes.around[made].function()
    return next((name for name in NAMES if scope.lookup(name) is None), None)
