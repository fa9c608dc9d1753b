"""Streams that are gone through and then read as a whole: their pieces are collected on the way.

Legacy's stream was an answer when it was at its end. Where one loop goes through all of it, or
``resolve()`` did, the pieces are put into a list, and what is read behind is read from that.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.packs.schema import Collected
from chatport.port.program.scopes import Variable
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.evaluation import SIMPLE, runs_always
from chatport.port.rules.naming import take
from chatport.port.rules.one_turn import leaves
from chatport.port.rules.raised_reads import is_waited_for

RULE = "model_calls"
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
NAMES = ("chunks", "pieces", "response_chunks")


class CollectedStreams:
    """Collects what a stream gave where it is read behind its loop."""

    def __init__(self, workspace: Workspace, params: Collected) -> None:
        self.workspace = workspace
        self.params = params

    def draft(self, site: Site) -> set[ast.AST]:
        """The places where the stream of a call is read as a whole, once those are drafted; none
        where that cannot be done."""
        variable, reads = self._variable(site), self._reads(site)
        loop = self._loop(site, variable) if variable is not None else None
        chunks = self._free(site)
        if variable is None or loop is None or not reads or not chunks:
            return set()
        behind, has_text = self._behind(site, loop), self._reads_each_text(site, loop)
        if not all(self._may(read, variable, behind, has_text=has_text) for read in reads):
            return set()
        draft = self.workspace.draft(site)
        assert isinstance(loop.target, ast.Name)
        draft.insert_before(loop, f"{chunks} = []")
        draft.insert_before(loop.body[0], f"{chunks}.append({loop.target.id})")
        self._read_from(site, reads, chunks)
        return {read.node.value for read in reads if isinstance(read.node, ast.Attribute)}

    def resolve(self, site: Site) -> bool:
        """Whether the stream of a call is resolved in its block and then only read as a whole,
        once that is drafted: what resolved it puts its pieces into a list."""
        variable, reads = self._variable(site), self._reads(site)
        first = next((read for read in reads if read.member == self.params.resolve), None)
        chunks = self._free(site)
        if variable is None or first is None or not chunks:
            return False
        assert site.call is not None
        opened, resolving = (read.module.statement(read.node) for read in (site, first))
        behind = self._behind(site, resolving)
        others = [read for read in reads if read is not first]
        loads = {read.node.value for read in reads if isinstance(read.node, ast.Attribute)}
        if (
            not self._comes_to(site, opened, resolving)
            or loads != self._loads(site)
            or _is_awaited(first) is not _is_awaited(site)
            or not all(self._may(read, variable, behind) for read in others)
            or not self._may(first, variable, self._behind(site, opened))
        ):
            return False
        assert isinstance(first.node, ast.Attribute)
        assert first.call is not None
        draft = self.workspace.draft(site)
        stream = first.node.value
        resolve = first.module.parents[first.call] if _is_awaited(first) else first.call
        assert isinstance(resolve, ast.expr)
        listed = "[chunk async for chunk in {}]" if _is_awaited(first) else "list({})"
        draft.replace(resolve, lambda: f"{chunks} = {listed.format(draft.code(stream))}")
        self._settle(first)
        self._read_from(site, others, chunks)
        return True

    def _comes_to(self, site: Site, opened: ast.stmt, resolving: ast.stmt) -> bool:
        """Whether a stream that is opened is always resolved, and nothing is asked before that."""
        inside, behind = self._behind(site, opened), self._behind(site, resolving)
        if (
            resolving not in inside
            or site.module.parents[resolving] is not (site.module.parents[opened])
        ):
            return False
        between = inside - behind - set(ast.walk(resolving))
        return not any(isinstance(node, _LEAVES) or self._is_asked(node) for node in between)

    def _is_asked(self, node: ast.AST) -> bool:
        """Whether a node is the call of a use."""
        there = self.workspace.by_node.get(node)
        return there is not None and there.call is node

    def _variable(self, site: Site) -> Variable | None:
        """What the stream of a call is bound to, and nobody else gets at."""
        name = _bound_name(site)
        variable = site.module.scopes.variable.get(name) if name is not None else None
        if variable is None or variable.captured or variable.foreign_stores:
            return None
        return variable

    def _made(self, site: Site) -> Made:
        assert site.call is not None
        return Made(self.workspace.surface.makes[site.member or ""], site.call)

    def _loads(self, site: Site) -> set[ast.AST]:
        """Where the stream of a call may be read, whatever else its name is given."""
        held = self.workspace.holders.get(self._made(site), [])
        return {node for node in held if isinstance(getattr(node, "ctx", None), ast.Load)}

    def _reads(self, site: Site) -> list[Site]:
        made = self._made(site)
        return [
            other
            for other in self.workspace.uses_of(made.site)
            if made in other.owners and other.member is not None and other.module is site.module
        ]

    def _read_from(self, site: Site, reads: Sequence[Site], chunks: str) -> None:
        take(self.workspace, site.module, site.node, chunks)
        for read in reads:
            self._read(read, chunks)
            if read.member == self.params.text:
                site.warn("response_text_may_be_none")

    def _loop(self, site: Site, variable: Variable) -> ast.For | ast.AsyncFor | None:
        """The one loop over the stream, in the block where it is opened, that goes to its end."""
        assert site.call is not None
        module = site.module
        parents = [module.parents[load] for load in variable.loads if load in self._loads(site)]
        loops = [p for p in parents if isinstance(p, ast.For | ast.AsyncFor | ast.comprehension)]
        loop = loops[0] if len(loops) == 1 else None
        kind = ast.AsyncFor if _is_awaited(site) else ast.For
        if not isinstance(loop, kind) or loop.orelse:
            return None
        opened = module.statement(site.call)
        draft = self.workspace.draft(site)
        simple = isinstance(loop.target, ast.Name) and not any(map(leaves, loop.body))
        beside = module.parents[loop] is module.parents[opened]
        lines = draft.starts_line(loop) and draft.starts_line(loop.body[0])
        return loop if simple and beside and lines and self._behind(site, loop) else None

    def _behind(self, site: Site, loop: ast.stmt) -> set[ast.AST]:
        """What stands behind a statement, in its block."""
        for _, block in ast.iter_fields(site.module.parents[loop]):
            if isinstance(block, list) and loop in block:
                return {n for s in block[block.index(loop) + 1 :] for n in ast.walk(s)}
        return set()

    def _reads_each_text(self, site: Site, loop: ast.For | ast.AsyncFor) -> bool:
        """Whether a loop over the pieces reads the text of each, where legacy raised for one that
        had none: the whole has text where the loop came to its end."""
        name = self.params.text.rpartition(".")[2]
        assert isinstance(loop.target, ast.Name)
        for statement in loop.body:
            if any(isinstance(part, ast.Continue) for part in ast.walk(statement)):
                return False
            if isinstance(statement, ast.Try | ast.TryStar | ast.If | ast.While | ast.With):
                return False
            reads = (n for n in ast.walk(statement) if isinstance(n, ast.Attribute))
            if any(
                read.attr == name
                and ast.unparse(read.value) == loop.target.id
                and isinstance(statement, SIMPLE)
                and runs_always(site.module, statement, read)
                for read in reads
            ):
                return True
        return False

    def _may(
        self, read: Site, variable: Variable, behind: set[ast.AST], *, has_text: bool = False
    ) -> bool:
        node = read.node
        if not isinstance(node, ast.Attribute) or node.value not in variable.loads:
            return False
        known = read.member == self.params.resolve or read.member in self.params.reads
        text = read.member == self.params.text
        waited = any(
            is_waited_for(self.workspace, read.module, node, error)
            for error in (self.params.raises, "Exception")
        )
        statement = read.module.statement(node)
        value = statement.value if isinstance(statement, ast.Expr) else None
        inner = value.value if isinstance(value, ast.Await) else value
        alone = inner is not None and inner is read.call
        return (
            known
            and self.workspace.values(node.value) == frozenset(read.owners[:1])
            and node in behind
            and isinstance(node.ctx, ast.Load)
            and not (text and waited and not has_text)
            and (read.member != self.params.resolve or alone)
            and runs_always(read.module, statement, node)
        )

    def _free(self, site: Site) -> str:
        """A name for the list that is no other's in the module, nor that of another stream."""
        taken = site.module.scopes.names
        given = self.workspace.taken.get((site.module, site.module.function(site.node)), set())
        return next((name for name in NAMES if name not in taken | given), "")

    def _settle(self, read: Site) -> None:
        read.rule = RULE
        self.workspace.unchanged.add(read)

    def _read(self, read: Site, chunks: str) -> None:
        draft = self.workspace.draft(read)
        self._settle(read)
        if read.member == self.params.resolve:
            draft.delete(read.module.statement(read.node))
            return
        assert isinstance(read.node, ast.Attribute)
        form = self.params.reads[read.member or ""].replace('""', draft.style.string(""))
        draft.replace_with(read.node, form.replace("{}", chunks))


def _is_awaited(site: Site) -> bool:
    return site.call is not None and isinstance(site.module.parents[site.call], ast.Await)


def _bound_name(site: Site) -> ast.expr | None:
    """The one name that a statement gives what a call gives."""
    assert site.call is not None
    statement = site.module.statement(site.call)
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return None
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    single = value is site.call and len(targets) == 1 and isinstance(targets[0], ast.Name)
    return targets[0] if single else None
