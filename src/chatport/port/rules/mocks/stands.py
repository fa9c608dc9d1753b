"""Where the stand-ins of a test go, and what is said to them.

A stand-in is followed through the variables and the ``self`` attributes of its module. Every use
of it has to be one of those known here; each known use has its form on the new SDK, and for one
that is not known the test is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from chatport.port.packs.schema import ConfigureParams, ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import Function
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.asked import GIVEN
from chatport.port.rules.mocks.births import Birth, Births
from chatport.port.rules.mocks.calls import Calls
from chatport.port.rules.mocks.effects import ignores_arguments, takes_anything
from chatport.port.rules.mocks.fakes import NotFollowedError, keeps_state
from chatport.port.rules.mocks.following import is_self, last_name
from chatport.port.rules.mocks.members import Members
from chatport.port.rules.mocks.stand import Change, Given, Outcome, Slot, Stand
from chatport.port.rules.mocks.targets import FRESH, Patch, Role


class Follower(Members):
    """Follows the stand-ins of one module."""

    def __init__(
        self,
        workspace: Workspace,
        module: Module,
        calls: ModelCallsParams,
        configure: ConfigureParams,
        said: Calls,
        made: list[Site],
        births: Births,
        fleeting: tuple[str, ...],
        about: set[Module],
    ) -> None:
        super().__init__(workspace, module, calls, configure, said, made, births, fleeting, about)
        self.stands: dict[Slot, Stand] = {}
        self._todo: list[Slot] = []
        self._patched: set[ast.AST] = set()
        self._arrived: set[ast.arg] = set()
        """Parameters that a decorator or a fixture fills."""
        self._held: set[ast.expr] = set()
        """Attributes of the program's objects that a stand-in is put into, and which are known."""
        self._seeded: list[Patch] = []
        self._put_into: list[tuple[ast.Attribute, Stand]] = []
        """Parts of other things that a stand-in was put into."""

    # -- where stand-ins come from

    def seed(self, patch: Patch, birth: Birth, parameter: ast.arg | None) -> None:
        """Follow the stand-in that a patch makes or is given."""
        target = patch.target
        aside = target.role is Role.FUNCTION and bool(birth.name)
        stand = Stand(Role.ASIDE if aside else target.role, birth, patch, target.member)
        if target.role is Role.FUNCTION:
            self._function(patch, stand)
        elif patch.new is not None:
            self._value(patch.new, stand)
        if patch.gives is not None:
            inner = self._returned(stand)
            if inner is not None:
                self._value(patch.gives, inner)
        if patch.effect is not None and target.role is Role.CONSTRUCTOR:
            self._fails_at_once(patch.effect, stand)
        elif patch.effect is not None and target.role is Role.METHOD:
            self._effect(patch.effect, stand)
        self._seeded.append(patch)
        self._patched.add(patch.call)
        if parameter is not None:
            self._arrived.add(parameter)
            self._put(self.module.scopes.variable[parameter], stand)
        elif isinstance(patch.call, ast.Call) and (patch.new is None or self._is_named(patch.call)):
            self._made(patch.call, stand)

    def _is_named(self, call: ast.Call) -> bool:
        """Whether a stand-in that is given to a replacement gets another name by it."""
        parent = self.module.parents[call]
        named = isinstance(parent, ast.withitem) and parent.optional_vars is not None
        return named or isinstance(parent, ast.Assign)

    def _function(self, patch: Patch, stand: Stand) -> None:
        """What a replacement of a free function gives instead."""
        given = [part for part in (patch.new, patch.gives, patch.effect) if part is not None]
        if stand.role is Role.ASIDE and given:
            self._refuse(given[0], stand, "the client is replaced too, and has no such stand-in")
        elif patch.new is not None and self._slot(patch.new) is None:
            self._stands_in(patch.new, stand)
        elif patch.new is not None:
            slot, functions = self._slot(patch.new), self.workspace.values(patch.new)
            if any(isinstance(atom, Function) for atom in functions):
                self._stands_in(patch.new, stand)
            elif slot is not None:
                self._put(slot, stand)
        elif patch.gives is not None:
            self._answer(patch.gives, stand)
        elif patch.effect is not None:
            self._acts(patch.effect, stand)

    def hold(self, patch: Patch, birth: Birth) -> None:
        """Follow a stand-in that an attribute of an object of the program is: the attribute by
        where it is now, and what is put there or asked of it."""
        node, target, owner = patch.node, patch.target, patch.owner
        assert isinstance(node, ast.Attribute)
        assert owner is not None
        stand = Stand(target.role, birth, patch, target.member)
        path = self._said(node).path(target.member) if target.member else birth.name
        stores = isinstance(node.ctx, ast.Store)
        if path is None or (stores and self._is_fleeting(path)):
            self._refuse(node, stand, self.said.why(target.member))
            return
        if target.member and not target.member.startswith(f"{self._chat()}."):
            path = f"{birth.name}.{path}"
            start = self.source.span(owner)[1]
        else:
            start = self.source.span(node.value)[1]
        end = self.source.span(node)[1]
        if self.source.text[start:end] != f".{path}":
            self.out.changes.append(Change(start, end, f".{path}"))
        if stores:
            self._held.add(node)
            parent = self.module.parents[node]
            if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
                self._value(parent.value, stand)
            else:
                self._refuse(node, stand, "it is bound in another way")
        else:
            self._use(node, stand)

    def _is_fleeting(self, path: str) -> bool:
        """Whether a client makes the service of a path anew each time it is read, so that what is
        put into one is not in the next."""
        return path.rpartition(".")[0] in self.fleeting

    def _made(self, call: ast.Call, stand: Stand) -> None:
        """Follow what a patch gives as a context or as a call."""
        parent = self.module.parents[call]
        if isinstance(parent, ast.withitem):
            if parent.optional_vars is not None:
                self._give(parent.optional_vars, stand)
        elif isinstance(parent, ast.Attribute) and parent.attr == "start":
            started = self.module.parents[parent]
            self._use(started, stand)
        elif isinstance(parent, ast.Call) and last_name(parent.func) == "enter_context":
            self._use(parent, stand)
        elif isinstance(parent, ast.Assign | ast.Expr):
            if "mocker" in ast.unparse(call.func) or isinstance(parent, ast.Expr):
                self._use(call, stand)
            else:
                self._use(call, replace(stand, role=Role.PATCHER))
        else:
            self._refuse(call, stand, "how the patch is used is not known")

    def run(self) -> Outcome:
        """Follow everything to its end."""
        while self._todo:
            slot = self._todo.pop()
            stand = self.stands[slot]
            for node in self._nodes(slot):
                self._occurrence(node, stand)
        for target, stand in self._put_into:
            if target not in self._held and self._slot_of_value(target) not in self.stands:
                self._refuse(target, stand, "it is kept where it is not followed")
        return self.out

    def _handed_out(self, node: ast.Return | ast.Yield, stand: Stand) -> None:
        """What a fixture gives arrives in the parameters of its name; what a function returns, at
        its calls."""
        function = self.module.function(node)
        if isinstance(function, ast.Lambda) or function is None:
            self._refuse(node, stand, "it goes where it is not followed")
        elif is_fixture(function):
            self._from_fixture(Given(function.name, stand))
        else:
            for call in self.workspace.flow.calls.get(function, []):
                if call in self.module.parents:
                    self._use(call, stand)

    def _is_handed_out(self, node: ast.AST) -> bool:
        parent, function = self.module.parents[node], self.module.function(node)
        given = isinstance(parent, ast.Return | ast.Yield)
        return given and function is not None and is_fixture(function)

    def _from_fixture(self, given: Given) -> None:
        if self.module.path.endswith("conftest.py"):
            self.out.given.append(given)
        self.arrive(given)

    def arrive(self, given: Given) -> list[ast.arg]:
        """Follow what a fixture gives from the parameters of its name, which are given back."""
        found = [user for user in self.module.nodes(ast.arg) if user.arg == given.fixture]
        for user in found:
            variable = self.module.scopes.variable[user]
            if given.place is None:
                self._arrived.add(user)
                self._put(variable, given.stand)
                continue
            for load in variable.loads:
                self._taken_apart(load, given.place, given.stand)
        return found

    def _taken_apart(self, load: ast.AST, place: tuple[int, int], stand: Stand) -> None:
        """``service, model = both``, ``both[1]``."""
        index, count = place
        parent = self.module.parents[load]
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        if isinstance(parent, ast.Subscript):
            if _is_number(parent.slice, index):
                self._use(parent, stand)
        elif isinstance(target, ast.Tuple) and len(target.elts) == count:
            self._unpacked.add(target.elts[index])
            self._give(target.elts[index], stand)
        else:
            self._refuse(load, stand, "it goes where it is not followed")

    def _put(self, slot: Slot, stand: Stand) -> None:
        known = self.stands.get(slot)
        if known is None:
            self.stands[slot] = stand
            self._todo.append(slot)
        elif not self._is_same(known, stand):
            self._refuse(stand.patch.node, stand, "one variable holds stand-ins for two things")

    def _is_same(self, one: Stand, other: Stand) -> bool:
        """Whether two stand-ins become the same thing. What a chat is called on does not change
        with the place that its client is born in."""
        if (one.role, one.member) != (other.role, other.member):
            return False
        of_chat = one.role is Role.CHAT or one.member.startswith(f"{self._chat()}.")
        return of_chat or one.birth == other.birth

    def _nodes(self, slot: Slot) -> Iterator[ast.AST]:
        if isinstance(slot, Variable):
            yield from slot.stores
            yield from slot.loads
            return
        owner, name = slot
        for node in self.module.parents:
            named = isinstance(node, ast.Attribute) and node.attr == name and is_self(node.value)
            if named and self.module.class_of(node) is owner:
                yield node

    # -- what is done with them

    def _occurrence(self, node: ast.AST, stand: Stand) -> None:
        if isinstance(node, ast.arg):
            if node not in self._arrived:
                self._refuse(node, stand, f"who gives `{node.arg}` is not known")
            return
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            self.out.uses.setdefault(self._slot(node) or (), []).append(node)  # type: ignore[arg-type]
            if stand.role is Role.ASIDE and not self._is_given(node):
                stand = self._reached(node, stand)
            self._use(node, stand)
            return
        parent = self.module.parents.get(node)
        if isinstance(parent, ast.Assign):
            known = self._slot_of_value(parent.value) in self.stands
            if not known and parent.value not in self._patched:
                self._fresh(parent.value, stand)
        elif not isinstance(parent, ast.withitem) and node not in self._unpacked:
            self._refuse(node, stand, "it is bound in another way")

    def _slot_of_value(self, node: ast.expr) -> Slot | None:
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call) and not self._slot(node):
            node = node.func if isinstance(node, ast.Call) else node.value
        return self._slot(node)

    def _use(self, node: ast.AST, stand: Stand) -> None:
        parent = self.module.parents[node]
        if stand.role in GIVEN:
            self._of_given(node, stand)
        elif isinstance(parent, ast.Attribute) and parent.value is node:
            self._step(parent, stand)
        elif self._is_given(node):
            return
        elif isinstance(parent, ast.Assign) and parent.value is node:
            for target in parent.targets:
                if self._slot(target) is None and isinstance(target, ast.Attribute):
                    self._put_into.append((target, stand))
                else:
                    self._give(target, stand)
        elif isinstance(parent, ast.Return | ast.Yield):
            self._handed_out(parent, stand)
        elif isinstance(parent, ast.Tuple) and self._is_handed_out(parent):
            assert isinstance(node, ast.expr)
            place = parent.elts.index(node), len(parent.elts)
            name = getattr(self.module.function(parent), "name", "")
            self._from_fixture(Given(name, stand, place))
        elif isinstance(parent, ast.Assign) and node in parent.targets:
            self._stored(parent, stand)
        elif not isinstance(parent, ast.Expr | ast.Assert) and not _is_none_test(parent):
            self._refuse(node, stand, "it goes where it is not followed")

    def _given(self) -> set[ast.expr]:
        return {part for p in self._seeded for part in (p.new, p.gives) if part is not None}

    def _is_given(self, node: ast.AST) -> bool:
        given = self._given()
        parent = self.module.parents[node]
        return node in given or (isinstance(parent, ast.Lambda) and parent in given)

    def _give(self, target: ast.expr, stand: Stand) -> None:
        slot = self._slot(target)
        if slot is None:
            self._refuse(target, stand, "it is kept where it is not followed")
        else:
            self._put(slot, stand)

    def _value(self, node: ast.expr, stand: Stand) -> None:
        """An expression is the stand-in: a variable, or a fresh object."""
        slot = self._slot(node)
        cls = self.fakes.named(node)
        if cls is not None:
            self._fake_class(node, cls, stand)
        elif slot is not None:
            self._put(slot, stand)
        elif isinstance(node, ast.Lambda):
            self._lambda(node, stand)
        else:
            self._fresh(node, stand)

    def _lambda(self, node: ast.Lambda, stand: Stand) -> None:
        """``lambda name: model`` in the place of a class, ``lambda api_key: None`` in that of the
        configuration: the client is made with other arguments, or is there already."""
        inner = self._returned(stand)
        cls = self.fakes.named(node.body.func) if isinstance(node.body, ast.Call) else None
        if cls is not None and isinstance(node.body, ast.Call) and _hands_on(node, node.body):
            self.out.changes.append(
                Change(*self.source.span(node), self.source.segment(node.body.func))
            )
            self._fake_class(node, cls, stand)
        elif not ignores_arguments(node):
            self._refuse(node, stand, "the function takes the old arguments")
        elif stand.role is Role.CONFIGURE and isinstance(node.body, ast.Constant):
            self._open(node)
        elif inner is None or not isinstance(node.body, ast.Name | ast.Call):
            self._refuse(node, stand, "the function takes the old arguments")
        else:
            self._value(node.body, inner)
            if stand.birth.called:
                self._open(node)
            else:
                start, end = self.source.span(node)
                body = self.source.span(node.body)
                self.out.changes += [Change(start, body[0], ""), Change(body[1], end, "")]

    def _fake_class(self, node: ast.expr, cls: ast.ClassDef, stand: Stand) -> None:
        """A class of the test in the place of that of models."""
        if stand.role is not Role.CONSTRUCTOR:
            self._refuse(node, stand, f"what `{cls.name}` is made for is not known")
            return
        if keeps_state(cls) and not self.births.one_each(self.made):
            self._refuse(node, stand, f"objects of `{cls.name}` are made less often now")
            return
        self._adopt(node, cls, self._model, stand, made=True)
        if not stand.birth.called:
            end = self.source.span(node)[1]
            self.out.changes.append(Change(end, end, "()"))

    def _adopt(
        self, node: ast.AST, cls: ast.ClassDef, kind: str, stand: Stand, *, made: bool
    ) -> None:
        self.out.effects.append(cls)
        try:
            self.out.changes += self.fakes.adopt(cls, kind, self._said(node), made=made)
        except NotFollowedError as error:
            self._refuse(node, stand, str(error))

    def _open(self, function: ast.Lambda) -> None:
        """Let a function take any arguments."""
        self.out.effects.append(function)
        if not takes_anything(function):
            start = self.source.span(function)[0] + len("lambda")
            end = self.source.text.rfind(":", start, self.source.span(function.body)[0])
            self.out.changes.append(Change(start, end, " *args, **kwargs"))

    def _fresh(self, node: ast.expr, stand: Stand) -> None:
        """A stand-in that is made here."""
        if stand.role is Role.FUNCTION:
            self._stands_in(node, stand)
            return
        if isinstance(node, ast.Call) and last_name(node.func) in FRESH:
            for keyword in node.keywords:
                inner = self._returned(stand) if keyword.arg == "return_value" else None
                if inner is not None:
                    self._value(keyword.value, inner)
                elif stand.role is not Role.METHOD or keyword.arg not in {
                    "return_value",
                    "side_effect",
                }:
                    self._refuse(node, stand, f"`{ast.unparse(node)}` states what it has")
                elif keyword.arg == "side_effect":
                    self._effect(keyword.value, stand)
            if node.args:
                self._refuse(node, stand, f"`{ast.unparse(node)}` is made after the old object")
            return
        made = self._from_helper(node)
        cls = self.fakes.named(node.func) if isinstance(node, ast.Call) else None
        if cls is not None and stand.role in {Role.MODEL, Role.CHAT}:
            kind = self._model if stand.role is Role.MODEL else self._chat()
            self._adopt(node, cls, kind, stand, made=False)
        elif made is None:
            self._refuse(node, stand, f"what `{ast.unparse(node)[:60]}` is, is not known")
        else:
            self._value(made, stand)

    def _from_helper(self, node: ast.expr) -> ast.expr | None:
        """What a function of this module returns, when it is one variable of its own."""
        if not isinstance(node, ast.Call):
            return None
        for atom in self.workspace.values(node.func):
            if isinstance(atom, Function) and isinstance(atom.node, ast.FunctionDef):
                returns = [n for n in ast.walk(atom.node) if isinstance(n, ast.Return)]
                if atom.node in self.module.parents and len(returns) == 1:
                    return returns[0].value if isinstance(returns[0].value, ast.Name) else None
        return None


def is_fixture(function: ast.AST) -> bool:
    """Whether a function is a fixture of pytest."""
    decorators = getattr(function, "decorator_list", ())
    return any("fixture" in ast.unparse(decorator) for decorator in decorators)


def _hands_on(function: ast.Lambda, call: ast.Call) -> bool:
    """``lambda name: FakeModel(name)``: a call with just what the function is given."""
    given = [a.arg for a in function.args.args]
    passed = [getattr(a, "id", None) for a in call.args]
    plain = function.args.vararg is None and function.args.kwarg is None and not call.keywords
    return plain and bool(given) and given == passed


def _is_number(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _is_none_test(node: ast.AST) -> bool:
    """``model is not None``."""
    return isinstance(node, ast.Compare) and all(
        isinstance(other, ast.Constant) and other.value is None for other in node.comparators
    )
