"""What annotations promise: legacy types, classes of the program and builtin shapes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.program.containers import Containers
from chatport.port.program.values import (
    ANYTHING,
    BOOL,
    BYTES,
    INT,
    NONE,
    NOTHING,
    STR,
    Class,
    Container,
    External,
    Instance,
    Made,
    Shape,
    Values,
)

MAPPINGS = {
    "builtins.dict",
    "typing.Dict",
    "typing.Mapping",
    "typing.MutableMapping",
    "collections.abc.Mapping",
    "collections.abc.MutableMapping",
}
SEQUENCES = {
    "builtins.list",
    "typing.List",
    "typing.Sequence",
    "typing.Iterable",
    "collections.abc.Sequence",
    "collections.abc.Iterable",
}
"""Annotations of containers that are followed."""

SHAPES_BY_NAME: dict[str, Values] = {
    "str": frozenset({STR}),
    "bytes": frozenset({BYTES}),
    "int": frozenset({INT}),
    "float": frozenset({Shape("float")}),
    "bool": frozenset({BOOL}),
    "None": frozenset({NONE}),
}


class Annotations(Containers):
    """Reads annotations where an expression is evaluated."""

    def of_annotation(self, annotation: ast.expr | None, site: ast.AST) -> Values:
        """What an annotation promises: only legacy types and builtin shapes count."""
        if annotation is None:
            return NOTHING
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except SyntaxError:
                return NOTHING
            return self._of_quoted(annotation, site)
        if isinstance(annotation, ast.Constant) and annotation.value is None:
            return frozenset({NONE})
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            return self._one_of([annotation.left, annotation.right], site)
        if isinstance(annotation, ast.Subscript):
            return self._of_generic(annotation, site)
        found: Values = NOTHING
        for atom in self.value(annotation):
            if isinstance(atom, External):
                kind = self.engine.surface.makes.get(self.engine.surface.canonical(atom.name))
                if kind is not None:
                    found |= frozenset({Made(kind, site)})
                elif atom.name in MAPPINGS:
                    found |= self._held_in(annotation, None, site, mapping=True)
                else:
                    found |= SHAPES_BY_NAME.get(atom.name.removeprefix("builtins."), NOTHING)
            elif isinstance(atom, Class):
                found |= frozenset({Instance(atom.node)})
        return found

    def _one_of(self, annotations: Sequence[ast.expr], site: ast.AST) -> Values:
        """What a union promises: nothing when one of its members promises nothing."""
        said = [self.of_annotation(annotation, site) for annotation in annotations]
        return NOTHING.union(*said) if all(said) else NOTHING

    def _of_generic(self, annotation: ast.Subscript, site: ast.AST) -> Values:
        """``list[X]``, ``dict[str, X]``, ``Optional[X]`` and their kin."""
        names = {atom.name for atom in self.value(annotation.value) if isinstance(atom, External)}
        inner = annotation.slice
        several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if names <= {"typing.Optional"}:
            return self._one_of([inner, ast.Constant(None)], site)
        if names <= {"typing.Union"}:
            return self._one_of(several, site)
        if names <= SEQUENCES and len(several) == 1:
            return self._held_in(annotation, inner, site)
        if names <= MAPPINGS and len(several) == 2:
            return self._held_in(annotation, several[1], site, mapping=True)
        return NOTHING

    def _held_in(
        self, annotation: ast.expr, item: ast.expr | None, site: ast.AST, *, mapping: bool = False
    ) -> Values:
        """A container an annotation promises; it stands for all of its kind."""
        if mapping:
            self.engine.flow.mappings.add(annotation)
        self.put(annotation, None, self.of_annotation(item, site) or ANYTHING)
        return frozenset({Container(annotation)})

    def _of_quoted(self, annotation: ast.expr, site: ast.AST) -> Values:
        """A quoted annotation: its names are looked up by hand, for they are no nodes of ours."""
        parts = ast.unparse(annotation).split(".")
        if not all(part.isidentifier() for part in parts):
            return NOTHING
        variable = self.unit.module.scopes.module.variables.get(parts[0])
        if variable is None:
            return SHAPES_BY_NAME.get(parts[0], NOTHING)
        found: Values = NOTHING
        for atom in self.engine.read("variable", variable):
            if isinstance(atom, External):
                name = ".".join([atom.name, *parts[1:]])
                kind = self.engine.surface.makes.get(self.engine.surface.canonical(name))
                found |= frozenset({Made(kind, site)}) if kind is not None else NOTHING
            elif isinstance(atom, Class) and len(parts) == 1:
                found |= frozenset({Instance(atom.node)})
        return found
