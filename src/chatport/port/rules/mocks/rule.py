"""The rule kind ``mock_targets``: tests that put stand-ins in the place of the legacy SDK.

A test is rewritten when everything that it does with its stand-ins is understood, and the modules
it is about are ported with it. Otherwise it is refused, and holds them back: it would go on
passing for nothing, or fail, against a program that it does not fit any more.
"""

from __future__ import annotations

import ast
import re

from msgspec import Struct, field

from chatport.port.findings import Kind
from chatport.port.packs.schema import MockTargets
from chatport.port.program.modules import Module
from chatport.port.program.values import External, Project
from chatport.port.render.layout import Style
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.error_classes import NotConvertedError
from chatport.port.rules.mocks.answers import Answers
from chatport.port.rules.mocks.births import CLIENTS, Birth, Births
from chatport.port.rules.mocks.calls import Calls
from chatport.port.rules.mocks.extents import Extents
from chatport.port.rules.mocks.merging import Merger, injected
from chatport.port.rules.mocks.raised import Raised
from chatport.port.rules.mocks.stand import Change, Given, Parts
from chatport.port.rules.mocks.stands import Follower, is_fixture
from chatport.port.rules.mocks.targets import Patch, Role, Targets

RULE = "mock_targets"
CODE = "mock_target"


class _Test(Struct):
    """One module with replacements."""

    module: Module
    patches: list[Patch]
    births: dict[Patch, Birth]
    given: list[tuple[_Test, Given]]
    """What fixtures of other modules give it."""
    about: set[Module] = field(default_factory=set)
    """The modules that it is about."""

    @property
    def first(self) -> Patch:
        """A replacement that says that something else of the test is not understood."""
        return self.patches[0] if self.patches else self.given[0][1].stand.patch


class MockRule:
    """The rule kind ``mock_targets``."""

    def __init__(self, change: MockTargets) -> None:
        self.change = change

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.targets: Targets = Targets(workspace)
        self.births: Births = Births(workspace, self.targets)
        self._sites: dict[Patch, Site] = {}
        self._given: list[tuple[_Test, Given]] = []
        """What the fixtures of ``conftest.py`` files give to the files below them."""
        for module in sorted(workspace.modules, key=lambda module: not _is_shared(module)):
            patches = list(self.targets.patches(module))
            given = self._given_to(module)
            if patches or given:
                self._test(module, patches, given)
            self._leave(module, patches)
        for home, one in self._given:
            self._check_names(home, one)

    def _check_names(self, home: _Test, given: Given) -> None:
        """What asks for a fixture by a string gets what is not followed."""
        for module in self.workspace.modules:
            if module.path.startswith(_folder(home.module)) and _asks_by_name(module, given):
                why = f"{module.path} asks for `{given.fixture}` by a string"
                self._refuse(home, given.stand.patch, why)

    def _given_to(self, module: Module) -> list[tuple[_Test, Given]]:
        """What a module asks for of the fixtures above it."""
        names = {argument.arg for argument in module.nodes(ast.arg)}
        names -= {f.name for f in module.nodes(ast.FunctionDef) if is_fixture(f)}
        return [
            (home, given)
            for home, given in self._given
            if given.fixture in names
            and module is not home.module
            and module.path.startswith(_folder(home.module))
        ]

    def _leave(self, module: Module, patches: list[Patch]) -> None:
        """Refuse what names a part of the SDK in ways that are not followed."""
        known: set[ast.AST] = {patch.node for patch in patches}
        for node, symbol in self.targets.unfollowed(module, known):
            site = self.workspace.by_node.get(node)
            if site is None:
                site = Site(module, node, symbol, Kind.STRING)
                self.workspace.add(site)
            site.refuse(CODE, f"{node.value!r} is replaced here by a name that is not followed")

    def _test(self, module: Module, patches: list[Patch], given: list[tuple[_Test, Given]]) -> None:
        self._sites |= {patch: self._site(patch) for patch in patches}
        test = _Test(module, patches, {}, given)
        about = test.about
        for home, _ in given:
            about |= home.about
            self.workspace.depend(home.module, module)
        extents = Extents(self.workspace, patches)
        for patch in sorted(patches, key=lambda patch: patch.target.role is Role.FUNCTION):
            birth = patch.trouble or self._birth(test, patch, extents)
            if isinstance(birth, Birth):
                test.births[patch] = birth
            else:
                self._refuse(test, patch, birth)
            about |= self.births.relies(patch)
            if isinstance(birth, Birth) and birth.home is not None:
                about.add(birth.home)
        for other in about - {module}:
            self.workspace.follow(module, other)
            self.workspace.keep_whole(module, module)
        for why in Answers(self.workspace, module, test.about).settle():
            self._refuse(test, test.first, why)
        self._check_objects(test)
        if len(test.births) == len(patches):
            self._follow(test, extents)

    def _birth(self, test: _Test, patch: Patch, extents: Extents) -> Birth | str:
        if patch.target.role is not Role.FUNCTION:
            return self.births.of(patch, extents)
        if any(given.stand.patch.target.role in CLIENTS for _, given in test.given):
            return "the stand-in for the client has this one"
        return self.births.of_function(patch, extents, test.births)

    def _site(self, patch: Patch) -> Site:
        known = self.workspace.by_node.get(patch.node)
        if known is None:
            known = Site(patch.module, patch.node, patch.target.symbol, Kind.STRING)
            self.workspace.add(known)
        known.rule = RULE
        if patch.owner is not None and not patch.is_held:
            self.workspace.consumed |= set(ast.walk(patch.owner))
        return known

    def _refuse(self, test: _Test, patch: Patch, why: str) -> None:
        where = f"{test.module.path}, " if patch.module is not test.module else ""
        self._sites[patch].refuse(CODE, f"{where}{why}")

    # -- what must not be in a test

    def _check_objects(self, test: _Test) -> None:
        """Two models of one client would be one stand-in."""
        seen: dict[Birth, Patch] = {}
        for patch, birth in test.births.items():
            if patch.target.made is None:
                continue
            other = seen.setdefault(birth, patch)
            if other.target.made != patch.target.made:
                self._refuse(test, patch, "two models have the same client now")

    # -- rewriting

    def _follow(self, test: _Test, extents: Extents) -> None:
        calls, configure = self.targets.calls, self.targets.configure
        assert calls is not None
        assert configure is not None
        module, about = test.module, test.about
        said = Calls(self.workspace, calls, about)
        made = [s for s in self.births.made() if s.module in about]
        follower = Follower(
            self.workspace,
            module,
            calls,
            configure,
            said,
            made,
            self.births,
            self.change.fleeting,
            about,
        )
        for patch, birth in test.births.items():
            if patch.is_held:
                follower.hold(patch, birth)
                continue
            decorated = injected(module, patch.call)
            if decorated is None:
                self._refuse(test, patch, "which parameter the stand-in comes in is not known")
                return
            follower.seed(patch, birth, decorated.parameter)
        for _, given in test.given:
            for argument in follower.arrive(given):
                self._arrival(module, argument, given)
        outcome = follower.run()
        self._given += [(test, given) for given in outcome.given]
        for patch, node, why in outcome.troubles:
            line = getattr(node, "lineno", 0)
            self._refuse(test, patch, f"line {line}: {why}")
        try:
            Raised(self.workspace, module, outcome.effects).convert()
        except NotConvertedError as error:
            self._refuse(test, test.first, f"{error}")
        shared = [
            (given.fixture, given.stand.birth)
            for _, given in test.given
            if given.stand.patch.target.role is Role.CONSTRUCTOR
        ]
        merger = Merger(self.workspace, module, test.births, outcome.uses, extents, shared)
        gone, reason = merger.plan()
        if reason is not None:
            self._refuse(test, *reason)
        draft = self.workspace.drafts[module]
        if outcome.needs_types:
            draft.needs.add("types")
        if outcome.needs_any and not any(_binds_any(node) for node in module.parents):
            self.workspace.extra_imports.setdefault(module, []).append(("unittest.mock", "ANY"))
        if outcome.needs_mock:
            self.workspace.extra_imports.setdefault(module, []).append(("unittest.mock", "Mock"))
        for change in outcome.changes:
            text = self._broken(module, change, outcome.changes) or change.text
            draft.replace_span(change.start, change.end, lambda text=text: text)  # type: ignore[misc]
        for patch, birth in test.births.items():
            if patch not in gone and not patch.is_held:
                self._retarget(test, patch, birth)

    def _arrival(self, module: Module, argument: ast.arg, given: Given) -> None:
        """A parameter that a fixture of another module fills is a use of its own."""
        if argument not in self.workspace.by_node:
            site = Site(module, argument, given.stand.patch.target.symbol, Kind.STRING)
            site.rule = RULE
            self.workspace.add(site)

    def _broken(self, module: Module, change: Change, changes: list[Change]) -> str | None:
        """Arguments one a line, where their line has become too wide."""
        source, style = module.source, self.workspace.drafts[module].style
        start = source.line_start(change.start)
        rest = re.compile(r"[^\r\n]*").match(source.text, change.end)
        end = rest.end() if rest is not None else change.end
        line = end - start
        line += sum(len(c.text) - (c.end - c.start) for c in changes if start <= c.start < end)
        if not change.items or line <= style.width:
            return None
        indent = source.indent_at(change.start)
        inner = indent + style.indent
        rows = "".join(f"\n{inner}{_row(item, inner, style)}," for item in change.items)
        return f"{rows}\n{indent}"

    def _retarget(self, test: _Test, patch: Patch, birth: Birth) -> None:
        """Name what is replaced now."""
        draft, target = self.workspace.drafts[patch.module], patch.target
        new = self._dotted(test, patch, birth) if patch.owner is None else None
        if patch.owner is not None:
            self._retarget_attribute(test, patch, birth)
        elif new is None:
            self._refuse(test, patch, "what takes its place cannot be named from here")
            return
        elif new != patch.name:
            draft.replace_with(patch.node, draft.style.string(new))
        if patch.gives is not None and not birth.called and target.role is Role.CONSTRUCTOR:
            self._given_at_once(test, patch)

    def _dotted(self, test: _Test, patch: Patch, birth: Birth) -> str | None:
        """The new target as a dotted name."""
        target, module = patch.target, self.workspace.surface.pack.target.module
        if target.role is Role.METHOD:
            return self._method(test, patch, birth)
        if target.role is Role.FUNCTION and not birth.name:
            owner, method = self._service(patch)
            return f"{owner}.{method}" if owner else None
        if target.role is Role.PACKAGE and not target.follows:
            return module
        if target.role is Role.PACKAGE and birth.called:
            assert target.home is not None
            same = self.workspace.names[target.home].package == patch.name.rpartition(".")[2]
            return patch.name if same and birth.home is None else None
        if birth.home is not None:
            spelling = self._spelling(test, birth.home)
            return f"{spelling}.{birth.name}" if spelling else None
        if target.home is not None and target.role is not Role.CHAT:
            package = self.workspace.package(target.home)
            return f"{target.spelling}.{package}.{birth.name}"
        return f"{module}.{birth.name}"

    def _method(self, test: _Test, patch: Patch, birth: Birth) -> str | None:
        """A method of the client, or of the class of its service."""
        path = self._calls(patch).path(patch.target.member)
        if path is None:
            return None
        if birth.name and birth.home is not None:
            spelling = self._spelling(test, birth.home)
            return f"{spelling}.{birth.name}.{path}" if spelling else None
        service, _, method = path.rpartition(".")
        owner = self.change.services.get(service or patch.target.member.partition(".")[0])
        if owner is None or birth.name:
            return None
        self._sites[patch].warn("client_constructed_eagerly")
        return f"{owner}.{method}"

    def _service(self, patch: Patch) -> tuple[str, str]:
        """The class of the service that a free function is a method of, and its name there."""
        path = self.targets.functions[patch.target.symbol].new_call
        service, _, method = path.rpartition(".")
        self._sites[patch].warn("client_constructed_eagerly")
        return self.change.services.get(service, ""), method

    def _spelling(self, test: _Test, home: Module) -> str | None:
        for patch in test.patches:
            if patch.target.home is home and patch.target.spelling:
                return patch.target.spelling
        found = self.births.reach.spelling(test.module, home)
        return found if found and not found.startswith(".") else None

    def _retarget_attribute(self, test: _Test, patch: Patch, birth: Birth) -> None:
        """``patch.object(owner, "name")``."""
        draft, target, owner = self.workspace.drafts[patch.module], patch.target, patch.owner
        assert owner is not None
        if target.role is Role.FUNCTION and not birth.name:
            self._retarget_function(test, patch, owner)
            return
        name: str | None = birth.name
        if target.role is Role.METHOD and target.made is not None:
            name = self._method_of_object(patch, birth)
        elif target.role is Role.METHOD:
            name = self._method(test, patch, birth)
            name = None if name is None or birth.name else name.rpartition(".")[2]
        elif target.role is Role.PACKAGE:
            home = target.home
            same = home is not None and self.workspace.names[home].package == patch.name
            name = patch.name if same and birth.called and birth.home is None else None
        elif target.made is None and self._is_sdk(owner) is (birth.home is not None):
            name = None  # the client is not where what is replaced is
        if name is None:
            self._refuse(test, patch, "what takes its place cannot be named from here")
            return
        draft.replace_with(patch.node, draft.style.string(name))
        if target.made is None and self._is_sdk(owner):
            if self._reads_another(patch.module, owner):
                return
            package = self.workspace.package(patch.module)
            if draft.source.segment(owner) != package:
                draft.replace_with(owner, package)

    def _retarget_function(self, test: _Test, patch: Patch, owner: ast.expr) -> None:
        """``patch.object(sdk, "embed")``: the owner is the class of a service now."""
        draft, (service, method) = self.workspace.drafts[patch.module], self._service(patch)
        below = service.removeprefix(self.workspace.surface.pack.target.module)
        if not service or not self._is_sdk(owner):
            self._refuse(test, patch, "what takes its place cannot be named from here")
            return
        kept = self._reads_another(patch.module, owner)
        package = draft.source.segment(owner) if kept else self.workspace.package(patch.module)
        draft.replace_with(owner, package + below)
        draft.replace_with(patch.node, draft.style.string(method))

    def _is_sdk(self, owner: ast.expr) -> bool:
        surface = self.workspace.surface
        return any(
            isinstance(atom, External) and surface.is_legacy(atom.name)
            for atom in self.workspace.values(owner)
        )

    def _reads_another(self, module: Module, owner: ast.expr) -> bool:
        """Whether the SDK is read through another module, where its name stays what it is."""
        if not isinstance(owner, ast.Attribute):
            return False
        homes = {
            home
            for atom in self.workspace.values(owner.value)
            if isinstance(atom, Project) and (home := self.targets.by_path.get(atom.name))
        }
        return bool(homes) and all(self.workspace.package(h) == owner.attr for h in homes)

    def _method_of_object(self, patch: Patch, birth: Birth) -> str | None:
        """``patch.object(service.model, "method")``: the owner is the client's service now."""
        target, owner, holder = patch.target, patch.owner, patch.holder
        path = self._calls(patch).path(target.member)
        service, _, name = (path or "").rpartition(".")
        if path is None or owner is None or service in self.change.fleeting:
            return None
        if not self.targets.is_chat(target.made):
            if holder is None:
                return None
            draft = self.workspace.drafts[patch.module]
            start, end = draft.source.span(holder)[1], draft.source.span(owner)[1]
            draft.replace_span(start, end, lambda: f".{birth.name}.{service}")
        return name

    def _calls(self, patch: Patch) -> Calls:
        """The calls that a patch is about."""
        calls = self.targets.calls
        assert calls is not None
        about = Calls(self.workspace, calls, self.births.affected(patch))
        return about.seen_from(patch.module.function(patch.call))

    def _given_at_once(self, test: _Test, patch: Patch) -> None:
        """``return_value=model`` of a stand-in that is the client itself now."""
        draft, call = self.workspace.drafts[patch.module], patch.call
        keyword = next((k for k in getattr(call, "keywords", ()) if k.arg == "return_value"), None)
        if keyword is None or injected(patch.module, call).parameter is not None:  # type: ignore[union-attr]
            self._refuse(test, patch, "the stand-in is the client now")
            return
        start = draft.source.span(keyword)[0]
        draft.replace_span(start, start + len("return_value"), lambda: "new")


def _row(item: str | Parts, indent: str, style: Style) -> str:
    """An argument on a line of its own, or on several where it is too wide for one."""
    if isinstance(item, str) or len(indent) + len(str(item)) + 1 <= style.width:
        return str(item)
    inner = "".join(f"\n{indent}{style.indent}{part}," for part in item.parts)
    return f"{item.opening}{inner}\n{indent})"


def _folder(conftest: Module) -> str:
    return conftest.path.removesuffix("conftest.py")


def _asks_by_name(module: Module, given: Given) -> bool:
    """``request.getfixturevalue("name")``."""
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "getfixturevalue"
        and any(isinstance(a, ast.Constant) and a.value == given.fixture for a in call.args)
        for call in module.nodes(ast.Call)
    )


def _is_shared(module: Module) -> bool:
    return module.path.rpartition("/")[2] == "conftest.py"


def _binds_any(node: ast.AST) -> bool:
    return isinstance(node, ast.alias) and node.name == "ANY"
