"""Objects that are copied, pickled or written out: none of those may be given a client.

A client holds locks and connections. ``copy.deepcopy`` and ``pickle`` raise TypeError for an object
that has one, where legacy's models could be copied; and what writes out all attributes of an
object would write the client too.
"""

from __future__ import annotations

import ast
import re

from chatport.port.program.flow import Flow
from chatport.port.program.modules import Module
from chatport.port.program.values import (
    NOTHING,
    Atom,
    Bound,
    Class,
    Container,
    External,
    Instance,
    Values,
)
from chatport.port.rules.base import Workspace

_COPIES = re.compile(
    r"copy\.deepcopy|(pickle|dill|cloudpickle|joblib|marshal)\.dumps?|joblib\.delayed|torch\.save"
    r"|.*\b(multiprocessing|ProcessPoolExecutor)\b.*"
)
"""Calls that copy their arguments whole, or send them to another process."""
_KEEPS_COPIES = re.compile(r"streamlit\.(cache_data|experimental_memo)(\(\))?")
"""Decorators that keep a copy of what a function gives."""


def copied_classes(workspace: Workspace) -> set[ast.ClassDef]:
    """The classes of the repository whose objects somebody copies, or reads by ``__dict__``."""
    flow, found = workspace.flow, set(workspace.flow.dynamic)
    for module in workspace.modules:
        for read in module.nodes(ast.Attribute):
            if read.attr == "__dict__" and _reads(module, read):
                found |= _classes(flow, workspace.flow.values.get(read.value, NOTHING))
        for function in module.nodes(ast.FunctionDef):
            decorators = (flow.values.get(one, NOTHING) for one in function.decorator_list)
            if any(_is_named(_KEEPS_COPIES, values) for values in decorators):
                found |= _classes(flow, flow.fact("returns", function))
        for node in module.nodes(ast.Call):
            if _copies(workspace, node):
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    found |= _classes(flow, flow.values.get(argument, NOTHING))
    return found


def _reads(module: Module, node: ast.Attribute) -> bool:
    """Whether more is done with the attributes of an object than to set some."""
    parent = module.parents[node]
    return not (isinstance(parent, ast.Attribute) and parent.attr == "update")


def _copies(workspace: Workspace, node: ast.Call) -> bool:
    return _is_named(_COPIES, workspace.flow.values.get(node.func, NOTHING))


def _is_named(names: re.Pattern[str], values: Values) -> bool:
    return any(isinstance(atom, External) and names.fullmatch(atom.name) for atom in values)


def _classes(flow: Flow, values: Values) -> set[ast.ClassDef]:
    """The classes of the objects among `values`, in containers and behind bound methods."""
    found: set[ast.ClassDef] = set()
    todo: list[Atom] = list(values)
    seen: set[Atom] = set(todo)
    while todo:
        atom = todo.pop()
        further: Values = NOTHING
        if isinstance(atom, Instance | Class):
            found.add(atom.node)
        elif isinstance(atom, Bound):
            further = frozenset({atom.receiver})
        elif isinstance(atom, Container):
            further = flow.fact("element", atom.node) | flow.fact("any item", atom.node)
        todo += further - seen
        seen |= further
    return found
