"""Classes that a test writes to stand for a model or a chat.

Such a class has the methods of the old object. As a stand-in for a client it is its own service,
and its methods have the names and the keywords of the new ones::

    class FakeModel:                             class FakeModel:
        def __init__(self, name):                    def __init__(self, *args, **kwargs):
            pass                                         self.models = self

        def generate_content(self, prompt):          def generate_content(self, contents, **kwargs):
            return Answer(prompt)                        return Answer(contents)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Class, Instance
from chatport.port.rules.base import Workspace
from chatport.port.rules.mocks.calls import Calls
from chatport.port.rules.mocks.effects import takes_anything
from chatport.port.rules.mocks.stand import Change

Method = ast.FunctionDef | ast.AsyncFunctionDef


class NotFollowedError(Exception):
    """Why a class cannot be written as one of the new SDK's."""


class Fakes:
    """The classes of one test module that stand for legacy objects."""

    def __init__(self, workspace: Workspace, module: Module, calls: ModelCallsParams) -> None:
        self.workspace = workspace
        self.module = module
        self.calls = calls
        self.said: Calls
        """The calls that are made on objects of the class that is written."""
        self._known: dict[ast.ClassDef, tuple[object, ...]] = {}

    def named(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this module that an expression names."""
        for atom in self.workspace.values(node):
            if isinstance(atom, Class) and atom.node in self.module.parents:
                return atom.node
        return None

    def adopt(self, cls: ast.ClassDef, kind: str, said: Calls, *, made: bool) -> list[Change]:
        """Write a class that stands for a legacy type, where `said` calls are made on its objects;
        `made`: the program makes these, with what it made models with.

        Raises:
            NotFollowedError: something in it depends on what the old object was.
        """
        self.said = said
        paths = [said.path(f"{kind}.{m.name}") for m in cls.body if isinstance(m, Method)]
        asked = (kind, made, *paths)
        known = self._known.setdefault(cls, asked)
        if known is asked:
            return list(self._written(cls, kind, made))
        if known != asked:
            raise NotFollowedError(f"`{cls.name}` stands for two things")
        return []

    def is_one(self, node: ast.expr) -> bool:
        """Whether an expression is an object of a class that was written anew."""
        return any(
            isinstance(atom, Instance) and atom.node in self._known
            for atom in self.workspace.values(node)
        )

    def _written(self, cls: ast.ClassDef, kind: str, made: bool) -> Iterator[Change]:
        if cls.bases or cls.keywords or cls.decorator_list:
            raise NotFollowedError(f"`{cls.name}` is made of something else")
        services: dict[str, None] = {}
        names: set[str] = set()
        first: Method | None = None
        for part in cls.body:
            if not isinstance(part, Method):
                continue
            first = first or part
            rewrite = self.calls.rewrites.get(f"{kind}.{part.name}")
            if rewrite is None and part.name.startswith("__") and part.name != "__init__":
                raise NotFollowedError(f"`{cls.name}.{part.name}` may do anything")
            if rewrite is None:
                continue
            path = self.said.path(f"{kind}.{part.name}")
            service, _, name = (path or "").rpartition(".")
            if path is None or name in names:
                raise NotFollowedError(self.said.why(f"{kind}.{part.name}"))
            names.add(name)
            services |= dict.fromkeys(service.split(".") if service else ())
            yield from self._method(cls, part, f"{kind}.{part.name}", name)
            if f"{kind}.{part.name}" in self.calls.method_returns:
                yield from self._given_back(part, self.calls.method_returns[f"{kind}.{part.name}"])
        if first is None or not names:
            raise NotFollowedError(f"`{cls.name}` has no methods of a model")
        taken = {node.attr for node in ast.walk(cls) if isinstance(node, ast.Attribute)}
        if taken & services.keys():
            raise NotFollowedError(
                f"`{cls.name}` has a `{min(taken & services.keys())}` of its own"
            )
        yield from self._maker(cls, first, [*services], made)

    def _given_back(self, method: Method, kind: str) -> Iterator[Change]:
        """The classes of what a method gives, which stand for a legacy type too."""
        for node in ast.walk(method):
            if not isinstance(node, ast.Return):
                continue
            found = [
                atom.node
                for atom in self.workspace.values(node.value or node)
                if isinstance(atom, Instance) and atom.node in self.module.parents
            ]
            if len(found) != 1:
                raise NotFollowedError(f"what `{method.name}` gives is not known")
            yield from self.adopt(found[0], kind, self.said, made=False)

    # -- its methods

    def _method(
        self, cls: ast.ClassDef, method: Method, member: str, name: str
    ) -> Iterator[Change]:
        if method.decorator_list:
            raise NotFollowedError(f"`{cls.name}.{method.name}` is decorated")
        if self._is_asked_for(cls, method.name):
            raise NotFollowedError(f"`{cls.name}.{method.name}` is called by the test")
        source = self.module.source
        if name != method.name:
            start = source.text.index(f"def {method.name}", source.span(method)[0]) + len("def ")
            yield Change(start, start + len(method.name), name)
        arguments = method.args
        own, *rest = [*arguments.posonlyargs, *arguments.args]
        given = [*rest, *arguments.kwonlyargs]
        given += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        read = {p.id for p in ast.walk(method) if isinstance(p, ast.Name)} & {a.arg for a in given}
        if arguments.vararg is not None and arguments.kwarg is not None and not read:
            return
        if not read:
            yield self._parameters(method, f"{own.arg}, **kwargs")
            return
        keyword = self.said.first_keyword(member)
        if not rest or read != {rest[0].arg} or keyword is None:
            raise NotFollowedError(f"`{cls.name}.{method.name}` reads the old arguments")
        if keyword != rest[0].arg and keyword in {
            part.id for part in ast.walk(method) if isinstance(part, ast.Name)
        }:
            raise NotFollowedError(f"`{keyword}` is something else in `{cls.name}.{method.name}`")
        note = f": {source.segment(rest[0].annotation)}" if rest[0].annotation else ""
        yield self._parameters(method, f"{own.arg}, {keyword}{note}, **kwargs")
        for part in ast.walk(method):
            if isinstance(part, ast.Name) and part.id == rest[0].arg and keyword != part.id:
                yield Change(*source.span(part), keyword)

    def _is_asked_for(self, cls: ast.ClassDef, name: str) -> bool:
        """Whether the test itself reads a method of such an object."""
        return any(
            node.attr == name
            and any(
                isinstance(atom, Instance | Class) and atom.node is cls
                for atom in self.workspace.values(node.value)
            )
            for node in self.module.nodes(ast.Attribute)
        )

    def _parameters(self, method: Method, text: str) -> Change:
        source = self.module.source
        start = source.text.index("(", source.text.index(method.name, source.span(method)[0])) + 1
        arguments = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]
        arguments += [one for one in (method.args.vararg, method.args.kwarg) if one is not None]
        behind = method.args.defaults + [d for d in method.args.kw_defaults if d is not None]
        ends = [source.span(node)[1] for node in arguments] + [source.span(d)[1] for d in behind]
        return Change(start, source.text.index(")", max(ends)), text)

    # -- how it is made

    def _maker(
        self, cls: ast.ClassDef, first: Method, services: list[str], made: bool
    ) -> Iterator[Change]:
        source = self.module.source
        maker = next((m for m in cls.body if isinstance(m, Method) and m.name == "__init__"), None)
        line = "".join(f"{{own}}.{name} = " for name in services)
        if maker is None:
            if made:
                raise NotFollowedError(f"`{cls.name}` is made with nothing")
            if services:
                start = source.line_start(source.span(first)[0])
                indent = source.indent_at(start)
                inner = indent + self.workspace.drafts[self.module].style.indent
                body = line.format(own="self") + "self"
                yield Change(start, start, f"{indent}def __init__(self):\n{inner}{body}\n\n")
            return
        own = maker.args.args[0].arg
        start, end = source.span(maker.body[0])[0], source.span(maker.body[-1])[1]
        if source.line_start(start) == source.line_start(source.span(maker)[0]):
            raise NotFollowedError(f"`{cls.name}.__init__` is one line")
        gone: list[ast.stmt] = []
        if made and not takes_anything(self._without_self(maker)):
            gone = list(self._forgotten(cls, maker))
            yield self._parameters(maker, f"{own}, *args, **kwargs")
        body = line.format(own=own) + own if services else ""
        last = maker.body[-1]
        for statement in gone:
            if statement is not last:
                begin, behind = source.span(statement)
                line_end = re.compile(r"\r\n|\r|\n").search(source.text, behind)
                below = line_end.end() if line_end is not None else behind
                yield Change(source.line_start(begin), below, "")
        if last in gone or isinstance(last, ast.Pass):
            yield Change(source.span(last)[0], end, body or "pass")
        elif body:
            yield Change(end, end, f"\n{source.indent_at(start)}{body}")

    def _without_self(self, maker: Method) -> Method:
        """A function of the arguments besides the object's own."""
        arguments = maker.args
        others = ast.arguments(
            posonlyargs=[],
            args=arguments.args[1:],
            vararg=arguments.vararg,
            kwonlyargs=arguments.kwonlyargs,
            kw_defaults=arguments.kw_defaults,
            kwarg=arguments.kwarg,
            defaults=arguments.defaults,
        )
        return ast.FunctionDef(
            name=maker.name, args=others, body=maker.body, decorator_list=[], lineno=maker.lineno
        )

    def _forgotten(self, cls: ast.ClassDef, maker: Method) -> Iterator[ast.stmt]:
        """The statements that keep the old arguments, which nothing reads."""
        given = {a.arg for a in [*maker.args.args[1:], *maker.args.kwonlyargs]}
        given |= {a.arg for a in (maker.args.vararg, maker.args.kwarg) if a is not None}
        for statement in maker.body:
            if not {p.id for p in ast.walk(statement) if isinstance(p, ast.Name)} & given:
                continue
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if not isinstance(target, ast.Attribute) or self._is_read(target.attr):
                raise NotFollowedError(f"`{cls.name}` keeps what models were made with")
            yield statement

    def _is_read(self, name: str) -> bool:
        return any(
            node.attr == name and isinstance(node.ctx, ast.Load)
            for node in self.module.nodes(ast.Attribute)
        )


def keeps_state(cls: ast.ClassDef) -> bool:
    """Whether an object of a class is not, after a call, what it was before: something of its own
    is changed, or asked to change."""
    for method in cls.body:
        if not isinstance(method, Method) or method.name == "__init__" or not method.args.args:
            continue
        own = method.args.args[0].arg
        for node in ast.walk(method):
            if not isinstance(node, ast.Attribute):
                continue
            of_own = _is_of(node, own)
            below = isinstance(node.value, ast.Attribute) and _is_of(node.value, own)
            if (of_own and not isinstance(node.ctx, ast.Load)) or below:
                return True
    return False


def _is_of(node: ast.Attribute, own: str) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == own
