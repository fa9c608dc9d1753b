"""From paths to a plan: what would be written, what is refused, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from msgspec import Struct, structs

from chatport.port.accepted import without_accepted
from chatport.port.baseline import Entry
from chatport.port.beside import beside
from chatport.port.config import Config
from chatport.port.findings import Cause, FilePlan, Finding, Manifests, Plan, Problem
from chatport.port.found import Excluded, Found
from chatport.port.markers import marked
from chatport.port.packs.load import bundled, names
from chatport.port.packs.schema import ConfigureToClient, Pack
from chatport.port.packs.surface import PackSurface
from chatport.port.program.flow import Engine, Flow
from chatport.port.program.modules import Layout, Module
from chatport.port.program.reexports import exporters
from chatport.port.programs import Candidate, Meetings, Programs, anchors_of
from chatport.port.render.style import width_of
from chatport.port.rounds import Round, file_of, style_within
from chatport.port.rules.base import Site, Stays, Workspace
from chatport.port.rules.ties import tie
from chatport.port.sitewise import Sitewise
from chatport.port.source.discover import Discovery
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile
from chatport.port.suggest.advice import Advice
from chatport.port.units import named, units
from chatport.port.unnamed import unnamed
from chatport.port.verdicts import Verdicts, cause_of, finding_of
from chatport.port.withheld import all_or_none, without_warnings


class LeftOut(Struct, frozen=True):
    """What is asked to be left as it is: uses of some rules, or with some warnings, and files."""

    names: frozenset[str] = frozenset()
    is_excluded: Callable[[str], bool] = lambda _: False
    places: frozenset[Cause] = frozenset()
    """Single uses."""
    by_site: bool = False
    """Whether files may be ported in part."""
    split: frozenset[str] | None = None
    """Which files may be; None where all may."""
    grouped: bool = False
    """Whether findings are to say which of them go together."""
    unnamed: Mapping[str, str] = {}
    """Files that import legacy code which is not looked at, and where that is."""
    beside: frozenset[str] = frozenset()
    """Files that were not named, and stay as they are."""

    def refuse(self, sites: Sequence[Site]) -> None:
        """Refuse those sites; from there a refusal spreads as any other."""
        for site in sites:
            named = self.names & {site.rule, *site.warnings}
            if site.module.path in self.beside:
                site.refuse("left_out", f"`{site.module.path}` was not named; name it too")
            elif named or self.is_excluded(site.module.path) or self._is_chosen(site):
                site.refuse("left_out")
            elif (there := self.unnamed.get(site.module.path)) is not None:
                site.refuse(
                    "client_source_unresolved",
                    f"`{there}`, which it imports, has legacy code and was not named; name it too",
                )

    def _is_chosen(self, site: Site) -> bool:
        return bool(self.places) and cause_of(site) in self.places


class Left(Struct, frozen=True):
    """What a person has left of a plan."""

    uses: frozenset[Cause]
    split: frozenset[str]
    """The files of which something else is to be ported."""


class Tree(Struct, dict=True):
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


class _Planned(Struct, frozen=True):
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
        self.flow: Flow
        self.modules, self.flow = self._flow(modules, borrowed)

    def _flow(self, modules: list[Module], borrowed: frozenset[str]) -> tuple[list[Module], Flow]:
        """Run the flow; once more with the modules that those with a token import from, and those
        that these have it from."""
        self.engine = Engine(modules, self.tree.layout, self.surface, borrowed)
        flow = self.engine.run()
        missing = self.engine.missing
        found = exporters(self.engine.asked, self.tree.layout, modules, self._load)
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

    def _round(self, stays: Stays | None = None, *, waives: bool = False) -> Round:
        """What the rules make of the program where some uses are known to stay."""
        style = partial(style_within, width=self.tree.width)
        return Round(
            Workspace(
                self.surface, self.modules, self.tree.layout, self.flow, style, stays, waives=waives
            )
        )

    def _advice(self, made: Round) -> Advice:
        return Advice(made.workspace, lambda: self._round(waives=True).workspace)

    def plan(self) -> list[FilePlan]:
        """The plans of the files, by path."""
        return self._by_site() if self.left_out.by_site else self._by_file()

    def _by_file(self) -> list[FilePlan]:
        """Each file is ported whole or left as it is."""
        made = self._round()
        verdicts = Verdicts(made.workspace)
        self.left_out.refuse(verdicts.sites)
        while True:
            refused = verdicts.settle()
            outputs = {}
            for module in self.modules:
                if module in verdicts.touched and module not in refused:
                    outputs[module] = made.render(module)
            failed = [module for module, data in outputs.items() if data is None]
            if not failed:
                break
            for module in failed:
                verdicts.fail(module, made.failures[module])
        ties = [*made.workspace.dependencies, *made.workspace.followers]
        together = units(verdicts.sites, ties)
        if self.left_out.grouped:
            tie(made.workspace)
        groups = named(verdicts.sites) if self.left_out.grouped else {}
        advice = self._advice(made)

        def finding(site: Site) -> Finding:
            refusal, cause = verdicts.refusal_of(site)
            suggestion = advice.of(site, refusal) if refusal and cause is site else None
            return replace(finding_of(site, refusal, cause, suggestion), group=groups.get(site))

        return [
            file_of(
                module,
                [finding(site) for site in verdicts.of(module)],
                outputs.get(module),
                together[module],
            )
            for module in verdicts.files()
        ]

    def _by_site(self) -> list[FilePlan]:
        """Each use is ported, but for those that are refused and what goes with them."""
        split = self.left_out.split
        stays = Sitewise(m for m in self.modules if split is not None and m.path not in split)
        while True:
            made = self._round(stays.known())
            self.left_out.refuse(made.workspace.sites)
            outputs = stays.settle(made)
            if outputs is not None:
                break
        together = units(stays.sites, made.workspace.followers)
        advice = self._advice(made)
        return [
            file_of(
                module,
                stays.findings(module, advice),
                outputs.get(module),
                together.get(module, ""),
            )
            for module in stays.files()
        ]


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
    grouped: bool = False,
    left: Left | None = None,
    discovery: Discovery | None = None,
) -> Plan:
    """Plan the port of files and folders; nothing is written.

    `packs` are ids of bundled packs (all of them when None). `progress` is told how many of the
    files that hold something have been planned, and how many there are. Of `config` what bears on
    the plan is heeded (`exclude`, `skip`, `atomic`, `annotate`, `documentation`), its patterns
    starting at `folder` (the root when None); `baseline` are findings to accept. `unsaved` are
    bytes to read in place of what is on the disk, by path relative to the root. Raises `PackError`
    for an unknown pack. `left` are single uses to leave as they are. With `grouped`, each finding
    says what its `group` is: what goes together where both SDKs may live in one file. `discovery`
    is what `discover` has just made of the same paths and root.
    """
    config = config or Config()
    chosen = [bundled(name) for name in (packs if packs is not None else names())]
    found = Found([str(path) for path in paths], root, unsaved or {}, discovery)
    candidates = found.candidates(chosen)
    others = beside(found, candidates, chosen)
    tree = Tree(found.root, others.paths or found.files.files, found.read)
    excluded = Excluded(config, found.root, folder or found.root)
    by_site = config.atomic == "site"
    left_out = LeftOut(
        frozenset(config.skip),
        excluded,
        by_site=by_site,
        grouped=grouped,
        unnamed=unnamed(found, candidates, chosen),
        beside=others.names,
    )
    if left is not None:
        split = None if by_site else left.split
        left_out = structs.replace(left_out, places=left.uses, by_site=True, split=split)
    files, problems = plan_files(
        tree, [*candidates, *others.candidates], chosen, progress, left_out
    )
    files = [file for file in files if file.path not in others.names]
    problems = [problem for problem in problems if problem.path not in others.names]
    if config.atomic == "repo":
        files = all_or_none(files, problems, excluded)
    manifests = _manifests(found.files, chosen, files, problems, config)
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


def _manifests(
    found: Discovery,
    packs: Sequence[Pack],
    files: Sequence[FilePlan],
    problems: Sequence[Problem],
    config: Config,
) -> Manifests:
    """What becomes of the declared dependencies; their readers are loaded where there are any."""
    if not found.manifests:
        return Manifests()
    from chatport.port.rules.manifests import RULE, plan_manifests

    made = plan_manifests(found, packs, files, [problem.path for problem in problems])
    return replace(made, files=[]) if RULE in config.skip else made
