"""Scopes: which variable each name of a module means."""

from __future__ import annotations

import ast
import sys
from textwrap import dedent

import pytest

from chatport.port.program.scopes import ScopeTable, Variable, build


def table_of(source: str) -> tuple[ScopeTable, ast.Module]:
    tree = ast.parse(dedent(source))
    return build(tree), tree


def last_read(source: str) -> Variable | None:
    """The variable that the last name read in a source means; None for a builtin."""
    table, tree = table_of(source)
    reads = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    return table.variable.get(max(reads, key=lambda node: (node.lineno, node.col_offset)))


def home(variable: Variable | None) -> str | None:
    """The scope a variable lives in: ``module``, or its kind and the line it starts on."""
    if variable is None:
        return None
    scope = variable.scope
    line = getattr(scope.node, "lineno", 0)
    return scope.kind.value if line == 0 else f"{scope.kind.value} {line}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("x = 1\nx", "module", id="module"),
        pytest.param("x", None, id="builtin"),
        pytest.param("def f():\n    x = 1\n    return x", "function 1", id="local"),
        pytest.param("x = 1\ndef f():\n    return x", "module", id="read-from-a-function"),
        pytest.param("def f(x):\n    return x", "function 1", id="parameter"),
        pytest.param("x = 1\ndef f(y=x):\n    return y\nx", "module", id="default-is-outside"),
        pytest.param("x = 1\ndef f(x=1):\n    return x", "function 2", id="default-and-parameter"),
        pytest.param(
            "x = 1\ndef f():\n    global x\n    x = 2\n    return x", "module", id="global"
        ),
        pytest.param(
            "def f():\n    global x\n    x = 1\n\n\nx", "module", id="global-binds-outside"
        ),
        pytest.param(
            "def f():\n    x = 1\n    def g():\n        nonlocal x\n        return x",
            "function 1",
            id="nonlocal",
        ),
        pytest.param(
            "def f():\n    def g():\n        nonlocal x\n        return x\n    x = 1",
            "function 1",
            id="nonlocal-bound-further-down",
        ),
        pytest.param(
            "x = 0\ndef f():\n    global x\n    def g():\n        return x",
            "module",
            id="global-seen-through-a-function",
        ),
        pytest.param("class C:\n    x = 1\n    y = x", "class 1", id="class-body"),
        pytest.param(
            "x = 0\nclass C:\n    x = 1\n    def f(self):\n        return x",
            "module",
            id="class-body-is-invisible-to-methods",
        ),
        pytest.param("x = 0\nclass C:\n    y = x", "module", id="class-body-reads-the-module"),
        pytest.param("[(y, x) for x in y if x]", "comprehension 1", id="comprehension"),
        pytest.param("x = [0]\n[x for x in x]\nx", "module", id="comprehension-leaves-no-name"),
        pytest.param("x = [[0]]\n[y for y in x]", "module", id="first-iterable-is-outside"),
        pytest.param("[y for z in [1] for y in z if y]", "comprehension 1", id="second-target"),
        pytest.param("[x := y for y in [1]]\nx", "module", id="walrus-binds-outside"),
        pytest.param(
            "def f():\n    [x := y for y in [1]]\n    return x",
            "function 1",
            id="walrus-in-a-function",
        ),
        pytest.param("f = lambda x: x", "function 1", id="lambda"),
        pytest.param("x = 1\nf = lambda: x", "module", id="lambda-reads-outside"),
        pytest.param("try:\n    pass\nexcept E as x:\n    x", "module", id="except-as"),
        pytest.param("import a.b\na", "module", id="import-binds-the-first-name"),
        pytest.param("import a.b as c\nc", "module", id="import-as"),
        pytest.param(
            "def f():\n    import a\n    return a", "function 1", id="import-in-a-function"
        ),
        pytest.param("with a as x:\n    x", "module", id="with-as"),
        pytest.param("for x in y:\n    pass\nx", "module", id="for-target-stays"),
        pytest.param("def f():\n    for x in y: pass\n    return x", "function 1", id="for-local"),
        pytest.param("match a:\n    case [x, *rest]:\n        x", "module", id="match-capture"),
        pytest.param("match a:\n    case [x, *rest]:\n        rest", "module", id="match-star"),
        pytest.param(
            "match a:\n    case {**rest}:\n        rest", "module", id="match-mapping-rest"
        ),
        pytest.param("match a:\n    case C(k=x):\n        x", "module", id="match-class"),
        pytest.param("x = 1\ndel x\nx", "module", id="del-is-a-binding"),
        pytest.param(
            "x = 1\ndef f():\n    del x\n    return x", "function 2", id="del-makes-a-name-local"
        ),
        pytest.param("def f(*args, **kwargs):\n    return kwargs", "function 1", id="double-star"),
        pytest.param("x: int = 1\nx", "module", id="annotated"),
        pytest.param("def f():\n    x: int\n    return x", "function 1", id="annotation-alone"),
        pytest.param("class C:\n    def m(self):\n        return C", "module", id="own-class"),
        pytest.param("def f():\n    return f", "module", id="own-name"),
        pytest.param(
            "async def f():\n    async for x in y:\n        return x", "function 1", id="async-for"
        ),
    ],
)
def test_a_name_means_the_variable_of_its_scope(source: str, expected: str | None) -> None:
    assert home(last_read(source)) == expected


def test_a_variable_knows_who_binds_and_reads_it() -> None:
    table, _ = table_of("x = 1\ndef f():\n    global x\n    x = 2\nprint(x)\n")
    variable = table.module.variables["x"]
    assert len(variable.stores) == 2
    assert len(variable.loads) == 1
    assert variable.foreign_stores
    assert variable.captured


def test_a_parameter_is_one() -> None:
    table, tree = table_of("def f(x):\n    x = 1\n")
    (function,) = tree.body
    assert table.of[function].variables["x"].is_parameter


def test_the_names_of_a_module_are_those_of_all_its_scopes() -> None:
    table, _ = table_of("import a\ndef f(b):\n    c = [d for d in b]\nclass E:\n    g = 1\n")
    assert table.names == {"a", "f", "b", "c", "d", "E", "g"}


def test_a_deep_expression_does_not_exhaust_the_stack() -> None:
    table, _ = table_of("x = " + " + ".join(["y"] * (sys.getrecursionlimit() - 400)))
    assert "x" in table.module.variables
