"""From paths to a plan: what would be written, what is refused, and why."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from chatport.port.accepted import without_accepted
from chatport.port.baseline import Entry
from chatport.port.codes import CODES
from chatport.port.config import Config
from chatport.port.findings import (
    Cause,
    FilePlan,
    Finding,
    Place,
    Plan,
    Problem,
    Status,
    Verdict,
)
from chatport.port.found import Excluded, Found
from chatport.port.gates import check_output
from chatport.port.markers import marked
from chatport.port.packs.load import bundled, names
from chatport.port.packs.schema import ConfigureToClient, Pack
from chatport.port.packs.surface import PackSurface
from chatport.port.program.flow import Engine, Flow
from chatport.port.program.modules import Layout, Module
from chatport.port.programs import Candidate, Meetings, Programs, anchors_of
from chatport.port.render.style import style_of, width_of
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.rules.imports import ImportRule
from chatport.port.rules.manifests import RULE, Manifests, plan_manifests
from chatport.port.rules.registry import apply as apply_rules
from chatport.port.source import edits
from chatport.port.source.errors import SourceError, UnreliablePosition
from chatport.port.source.text import Node, SourceFile
from chatport.port.units import units
from chatport.port.withheld import all_or_none, without_warnings


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is asked to be left as it is: uses of some rules, or with some warnings, and files."""

    names: frozenset[str] = frozenset()
    is_excluded: Callable[[str], bool] = lambda _: False

    def refuse(self, sites: Sequence[Site]) -> None:
        """Refuse those sites; from there a refusal spreads as any other."""
        for site in sites:
            if self.names & {site.rule, *site.warnings} or self.is_excluded(site.module.path):
                site.refuse("left_out")


@dataclass
class Tree:
    """The files of a repository as the planner needs them."""

    root: Path
    paths: Sequence[str]
    read: Callable[[str], bytes | None]

    @cached_property
    def layout(self) -> Layout:
        """Where it keeps its modules."""
        return Layout(self.paths)

    @cached_property
    def width(self) -> int:
        """How long its lines may be."""
        return width_of(self.root)


def plan_files(
    tree: Tree,
    candidates: Sequence[tuple[str, bytes]],
    packs: Sequence[Pack],
    progress: Callable[[int, int], None] | None = None,
    left_out: LeftOut | None = None,
) -> tuple[list[FilePlan], list[Problem]]:
    """Plan the Python files among `candidates` (path, bytes), each of which holds a token."""
    planner = RepositoryPlanner(tree, packs, left_out or LeftOut())
    return planner.plan(candidates, progress or (lambda _done, _all: None))


class RepositoryPlanner:
    """The packs over one repository, one program of it after another."""

    def __init__(self, tree: Tree, packs: Sequence[Pack], left_out: LeftOut) -> None:
        self.tree = tree
        self.left_out = left_out
        self.surfaces: list[PackSurface] = [PackSurface(pack) for pack in packs]
        configures = [surface.change(ConfigureToClient) for surface in self.surfaces]
        anchors = anchors_of(change.params.symbol for change in configures if change is not None)
        self.programs: Programs = Programs(tree.layout, tree.read, anchors)

    def plan(
        self, candidates: Sequence[Candidate], progress: Callable[[int, int], None]
    ) -> tuple[list[FilePlan], list[Problem]]:
        """The plans by packs and paths; programs that turn out to have met are planned again."""
        meetings = Meetings(path for path, _ in candidates)
        planned: dict[tuple[str, ...], _Planned] = {}
        groups = self.programs.of(candidates, self._has_token)
        while True:
            done = 0
            for group in groups:
                progress(done, len(candidates))
                done += len(group)
                paths = tuple(path for path, _ in group)
                if paths not in planned:
                    planned[paths] = self._program(group, meetings)
            for together in meetings.found():
                self.programs.join(together)
            before, groups = groups, self.programs.groups(candidates)
            if len(groups) == len(before):
                break
        kept = [planned[tuple(path for path, _ in group)] for group in groups]
        plans = [
            plan
            for number, _ in enumerate(self.surfaces)
            for plan in sorted((p for one in kept for p in one.plans[number]), key=_path_of)
        ]
        return plans, [problem for one in kept for problem in one.problems]

    def _has_token(self, data: bytes) -> bool:
        tokens = (token for surface in self.surfaces for token in surface.pack.match.tokens)
        return any(token.encode() in data for token in tokens)

    def _program(self, group: Sequence[Candidate], meetings: Meetings) -> _Planned:
        modules, problems = [], []
        for path, data in group:
            try:
                source = self.programs.kept.pop(path, None) or SourceFile.read(path, data)
                modules.append(Module(source))
            except SourceError as error:
                problems.append(Problem(path, str(error)))
        plans = []
        for surface in self.surfaces:
            planner = PackPlanner(self.tree, modules, surface, self.left_out)
            meetings.note(group[0][0], planner.engine)
            plans.append(planner.plan())
        return _Planned(plans, problems)


@dataclass(frozen=True, slots=True)
class _Planned:
    """What came of one program: plans by packs."""

    plans: list[list[FilePlan]]
    problems: list[Problem]


def _path_of(plan: FilePlan) -> str:
    return plan.path


class PackPlanner:
    """One pack over one program of a repository."""

    def __init__(
        self, tree: Tree, modules: list[Module], surface: PackSurface, left_out: LeftOut
    ) -> None:
        self.tree = tree
        self.left_out = left_out
        self.surface = surface
        borrowed = frozenset(m.path for m in modules if not self._has_token(m))
        self.engine: Engine
        self.modules: list[Module]
        self.modules, flow = self._flow(modules, borrowed)
        self._rendered: dict[Module, bytes | None] = {}
        self._failures: dict[Module, Refusal] = {}
        self.workspace: Workspace = Workspace(
            self.surface,
            self.modules,
            tree.layout,
            flow,
            lambda module: style_of(module.source.text, tree.width),
        )

    def _flow(self, modules: list[Module], borrowed: frozenset[str]) -> tuple[list[Module], Flow]:
        """Run the flow; once more with the modules that those with a token import from."""
        self.engine = Engine(modules, self.tree.layout, self.surface, borrowed)
        flow = self.engine.run()
        missing = self.engine.missing
        found = [m for path in sorted(missing) if (m := self._load(path)) is not None]
        if not found:
            return modules, flow
        modules = [*modules, *found]
        borrowed |= {module.path for module in found}
        self.engine = Engine(modules, self.tree.layout, self.surface, borrowed)
        self.engine.missing |= missing
        return modules, self.engine.run()

    def _has_token(self, module: Module) -> bool:
        data = module.source.data
        return any(token.encode() in data for token in self.surface.pack.match.tokens)

    def _load(self, path: str) -> Module | None:
        data = self.tree.read(path)
        if data is None:
            return None
        try:
            return Module(SourceFile.read(path, data))
        except SourceError:
            return None

    def plan(self) -> list[FilePlan]:
        imports = apply_rules(self.workspace)
        verdicts = Verdicts(self.workspace)
        self.left_out.refuse(verdicts.sites)
        while True:
            refused = verdicts.settle()
            outputs = {}
            for module in self.modules:
                if module in verdicts.touched and module not in refused:
                    outputs[module] = self._render(module, imports)
            failed = [module for module, data in outputs.items() if data is None]
            if not failed:
                break
            for module in failed:
                verdicts.fail(module, self._failures[module])
        ties = [*self.workspace.dependencies, *self.workspace.followers]
        together = units(verdicts.sites, ties)
        return [
            replace(self._file(module, outputs.get(module), verdicts), unit=together[module])
            for module in verdicts.files()
        ]

    def _render(self, module: Module, imports: ImportRule) -> bytes | None:
        """The output of a module, made once; None when it did not pass, for the reason kept in
        `_failures`."""
        if module in self._rendered:
            return self._rendered[module]
        draft = self.workspace.drafts[module]
        self._rendered[module] = None
        try:
            draft.edits()  # what the new code needs is only known once it is rendered
            imports.finish(self.workspace, module)
            data = edits.apply(module.source, draft.edits())
        except UnreliablePosition as error:
            self._failures[module] = Refusal("f_string_position", str(error))
            return None
        except SourceError as error:
            self._failures[module] = Refusal("output_check_failed", str(error))
            return None
        wrong = check_output(module.source, data, self.surface.is_legacy)
        if wrong is not None:
            self._failures[module] = Refusal("output_check_failed", wrong)
            return None
        self._rendered[module] = data
        return data

    def _file(self, module: Module, after: bytes | None, verdicts: Verdicts) -> FilePlan:
        source = module.source
        findings = tuple(
            sorted(
                (self._finding(site, verdicts) for site in verdicts.of(module)),
                key=lambda finding: (finding.place, finding.symbol),
            )
        )
        refused = module in verdicts.refused
        changed = after if after != source.data else None
        ported = Status.PORTED if after is not None else Status.CLEAN
        status = Status.REFUSED if refused else ported
        return FilePlan(module.path, status, findings, source.data, changed, source.encoding)

    def _finding(self, site: Site, verdicts: Verdicts) -> Finding:
        refusal, cause = verdicts.refusal_of(site)
        place = place_of(site)
        if refusal is None:
            return Finding(
                site.module.path,
                place,
                site.symbol,
                site.kind,
                Verdict.AUTO,
                warnings=tuple(site.warnings),
                rule=site.rule,
            )
        message = CODES[refusal.code].message
        if refusal.detail:
            message = f"{message[:-1]}: {refusal.detail}."
        return Finding(
            site.module.path,
            place,
            site.symbol,
            site.kind,
            refusal.verdict,
            refusal.code,
            message,
            refusal.suggestion,
            rule=site.rule,
            cause=cause_of(cause) if cause is not None and cause is not site else None,
        )


class Verdicts:
    """How refusals spread: through groups, through files, along dependencies."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.sites: list[Site] = [
            site
            for site in workspace.sites
            if site not in workspace.unchanged and site.node not in workspace.consumed
        ]
        self._by_module: dict[Module, list[Site]] = {}
        for site in self.sites:
            self._by_module.setdefault(site.module, []).append(site)
        self.touched: set[Module] = set(self._by_module)
        self.refused: set[Module] = set()
        self._because: dict[Site, tuple[Refusal, Site | None]] = {}
        self._failed: dict[Module, Refusal] = {}

    def fail(self, module: Module, refusal: Refusal) -> None:
        """A file whose output did not pass."""
        self._failed[module] = refusal

    def settle(self) -> set[Module]:
        """Spread every refusal until nothing changes; the refused modules."""
        because: dict[Site, tuple[Refusal, Site | None]] = {
            site: (site.refusal, site) for site in self.sites if site.refusal is not None
        }
        withheld = Refusal("file_withheld")
        while True:
            before = len(because)
            spread: set[int] = set()
            for site, reason in list(because.items()):
                group = site.group.root()
                if id(group) not in spread:
                    spread.add(id(group))
                    for other in group.sites:
                        because.setdefault(other, reason)
            refused = {site.module for site in because} | set(self._failed)
            for pair in self.workspace.dependencies:
                if refused & set(pair):
                    refused |= set(pair)
            refused |= {one for one, other in self.workspace.followers if other in refused}
            first = self._first(because, refused)
            elsewhere = {
                module: (withheld, cause) if cause is not None else self._elsewhere(module, first)
                for module, cause in first.items()
            }
            for site in self.sites:
                if site.module in refused and site not in because:
                    failed = self._failed.get(site.module)
                    because[site] = (
                        elsewhere[site.module] if failed is None else (failed, first[site.module])
                    )
            if len(because) == before and refused == self.refused:
                break
            self.refused = refused
        self._because = because
        return self.refused

    def _elsewhere(
        self, home: Module, first: dict[Module, Site | None]
    ) -> tuple[Refusal, Site | None]:
        """Why a file is refused in which nothing is: a module it depends on, the nearest one in
        which something is."""
        todo, seen = [home], {home}
        for module in todo:
            cause = first.get(module)
            if cause is not None:
                where = f"`{module.path}`, {place_of(cause).where}"
                return Refusal("depends_on_refused", where), cause
            nearer = [other for other in self._needed.get(module, ()) if other not in seen]
            seen |= set(nearer)
            todo += nearer
        return Refusal("file_withheld"), None

    @cached_property
    def _needed(self) -> dict[Module, list[Module]]:
        """Module -> those without which it is not ported: a follower needs whom it follows, and
        not the other way round."""
        pairs = self.workspace.dependencies
        needed: dict[Module, list[Module]] = {}
        for one, other in (*pairs, *((b, a) for a, b in pairs), *self.workspace.followers):
            needed.setdefault(one, []).append(other)
        return needed

    def _first(
        self, because: dict[Site, tuple[Refusal, Site | None]], refused: set[Module]
    ) -> dict[Module, Site | None]:
        """The first site of each refused module that is refused for itself."""
        causes: dict[Module, list[Site]] = {module: [] for module in refused}
        for cause in because:
            if cause.refusal:
                causes[cause.module].append(cause)
        return {module: min(found, key=place_of, default=None) for module, found in causes.items()}

    def refusal_of(self, site: Site) -> tuple[Refusal | None, Site | None]:
        return self._because.get(site, (None, None))

    def of(self, module: Module) -> list[Site]:
        return self._by_module.get(module, [])

    def files(self) -> list[Module]:
        return sorted(self.touched, key=lambda module: module.path)


def cause_of(site: Site) -> Cause:
    """Where something else that is refused leads to."""
    return Cause(site.module.path, place_of(site))


def place_of(site: Site) -> Place:
    """From where the use begins to where its call ends."""
    source = site.module.source
    node, end_node = site.node, site.call or site.node
    assert isinstance(node, ast.expr | ast.alias | ast.arg)
    start, end = source.span(node)[0], source.span(_positioned(end_node))[1]
    return source.place(start, end)


def _positioned(node: ast.AST) -> Node:
    assert isinstance(node, ast.expr | ast.alias | ast.arg)
    return node


def plan(
    paths: Sequence[str | Path],
    *,
    root: Path | None = None,
    packs: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    config: Config | None = None,
    folder: Path | None = None,
    baseline: Counter[Entry] | None = None,
    unsaved: Mapping[str, bytes] | None = None,
) -> Plan:
    """Plan the port of files and folders; nothing is written.

    `packs` are ids of bundled packs (all of them when None). `progress` is told how many of the
    files that hold something have been planned, and how many there are. Of `config` what bears on
    the plan is heeded (`exclude`, `skip`, `atomic`, `annotate`, `documentation`), its patterns
    starting at `folder` (the root when None); `baseline` are findings to accept. `unsaved` are
    bytes to read in place of what is on the disk, by path relative to the root. Raises `PackError`
    for an unknown pack.
    """
    config = config or Config()
    chosen = [bundled(name) for name in (packs if packs is not None else names())]
    found = Found([str(path) for path in paths], root, unsaved or {})
    candidates = found.candidates(chosen)
    tree = Tree(found.root, found.files.files, found.read)
    excluded = Excluded(config, found.root, folder or found.root)
    left_out = LeftOut(frozenset(config.skip), excluded)
    files, problems = plan_files(tree, candidates, chosen, progress, left_out)
    if config.atomic == "repo":
        files = all_or_none(files, problems, excluded)
    manifests = plan_manifests(found.files, chosen, files, [problem.path for problem in problems])
    if RULE in config.skip:
        manifests = Manifests([], manifests.problems, manifests.notes)
    errors = [*found.files.problems, *problems, *manifests.problems]
    made = Plan(
        found.root,
        excluded.leave(marked(files, candidates, annotate=config.annotate)),
        excluded.leave(without_warnings(manifests.files, config.skip)),
        errors=excluded.leave(sorted(errors, key=lambda problem: problem.path)),
        scanned=len(found.files.files),
        packs=tuple(pack.id for pack in chosen),
        notes=tuple(manifests.notes),
        documentation=config.documentation,
    )
    return without_accepted(made, baseline or Counter())
