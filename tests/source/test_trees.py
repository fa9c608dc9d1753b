"""What hangs on a node, and all nodes of a tree."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest

from chatport.port.source.errors import SourceError
from chatport.port.source.trees import MAX_DEPTH, Nodes, children

STDLIB = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
SAMPLE = random.Random(11).sample(STDLIB, 12)
SILENT = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_children_are_those_of_ast_without_contexts_and_operators(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_bytes())):
        expected = [child for child in ast.iter_child_nodes(node) if not isinstance(child, SILENT)]
        assert children(node) == expected


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_every_node_is_found_with_the_one_it_hangs_on(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    nodes = Nodes(tree)
    parents = {child: node for node in ast.walk(tree) for child in children(node)}
    assert nodes.parents == parents
    calls = [node for node in parents if isinstance(node, ast.Call)]
    assert set(nodes.of(ast.Call)) == set(calls)
    assert len(nodes.of(ast.Call, ast.Name)) == len(nodes.of(ast.Call)) + len(nodes.of(ast.Name))


@pytest.mark.parametrize(
    "text", ["{**a, 'b': c}", "lambda *, a, b=1: a", "a < b > c", "f(*x, k=y)"]
)
def test_gaps_and_operators_are_no_children(text: str) -> None:
    for node in ast.walk(ast.parse(text)):
        assert all(isinstance(child, ast.AST) for child in children(node))
        assert not any(isinstance(child, SILENT) for child in children(node))


def test_a_node_made_by_hand_may_lack_fields() -> None:
    name = ast.Name("a", ast.Load())
    assert children(ast.Call(func=name)) == [name]


def test_parts_come_after_the_whole() -> None:
    nodes = Nodes(ast.parse("a.b.c(d.e)"))
    order = {node: number for number, node in enumerate(nodes.parents)}
    for child, parent in nodes.parents.items():
        assert order.get(parent, -1) < order[child]


def test_the_deepest_tree_that_is_followed() -> None:
    Nodes(ast.parse("x = a" + ".a" * (MAX_DEPTH - 3)))
    with pytest.raises(SourceError, match=r"line 1: .* nested too deeply"):
        Nodes(ast.parse("x = a" + ".a" * (MAX_DEPTH - 2)))
