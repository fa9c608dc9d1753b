"""Free functions of the legacy SDK: calls of the client's services."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from chatport.port.packs.schema import Call, CallParams, CallRewrite, ModelCalls, ReceiverRewrite
from chatport.port.program.values import STR, Made
from chatport.port.render.authored import commented, is_broken
from chatport.port.render.layout import Element, Sequence, Text, Value, call, keyword
from chatport.port.rules import request_options, streams
from chatport.port.rules.arguments import bind, order
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.config import Config, Entry
from chatport.port.rules.constants import constants_of
from chatport.port.rules.contents import Contents
from chatport.port.rules.embeddings import Embeddings, Kept, Read
from chatport.port.rules.file_names import display_name
from chatport.port.rules.lifetimes import in_seconds
from chatport.port.rules.portable import is_written_none

RULE = "call"


class FreeCall(Struct, eq=False):
    """A call of a free function, as it will be written."""

    site: Site
    rewrite: CallRewrite
    arguments: dict[str, ast.expr]
    config: Config = field(default_factory=Config)
    read: Read | Kept | None = None
    """What is put around it in its place."""

    @property
    def call(self) -> ast.Call:
        assert self.site.call is not None
        return self.site.call


class CallRule:
    """The rule kind ``call``."""

    def __init__(self, change: Call) -> None:
        self.params: CallParams = change.params

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.embeddings: Embeddings = Embeddings(workspace)
        models = workspace.surface.change(ModelCalls)
        assert models is not None
        self.contents: Contents = Contents(workspace, models.params.history)
        planned: list[FreeCall] = []
        for site in workspace.sites:
            if site.rule is not None or site.kind in {"import", "string"}:
                continue
            rewrite = self.params.calls.get(site.symbol) if site.member is None else None
            method = self.params.methods.get(site.member or "")
            if rewrite is None and method is None:
                continue
            site.rule = RULE
            try:
                self._check(site)
                if rewrite is not None:
                    planned.append(self._read(site, rewrite))
                elif method is not None:
                    self._method(site, method)
            except RefusedError as error:
                refusal = error.refusal
                site.refuse(refusal.code, refusal.detail, refusal.suggestion)
        self.embeddings.settle()
        for free in planned:
            if free.site.refusal is None:
                self._draft(free)

    def _check(self, site: Site) -> None:
        if site.mixed:
            raise RefusedError("receiver_unresolved", "this may also be something else")
        if site.call is None:
            raise RefusedError("method_used_as_value", f"`{site.symbol}` is not called here")

    # -- reading

    def _read(self, site: Site, rewrite: CallRewrite) -> FreeCall:
        options = request_options.parameter(self.workspace) if rewrite.config_class else set()
        allowed = {*rewrite.keywords, *rewrite.config_keywords, *rewrite.dropped, *options}
        assert site.call is not None
        name = site.symbol.rpartition(".")[2]
        arguments = bind(site.call, rewrite.positional, allowed, name)
        free = FreeCall(site, rewrite, arguments)
        for parameter, node in arguments.items():
            if parameter in rewrite.objects:
                self._check_object(node)
            if parameter in rewrite.dropped:
                self._check_dropped(rewrite, parameter, node)
            elif parameter in rewrite.config_keywords:
                free.config = free.config.merged(self._field(free, parameter, node))
        if rewrite.file_name is not None and rewrite.file_name.parameter not in arguments:
            free.config = free.config.merged(self._file_name(free))
        if options:
            free.config = request_options.added(self.workspace, site, arguments, free.config)
        if rewrite.contents in arguments:
            self.contents.contents(site, arguments[rewrite.contents])
        if rewrite.waits and not streams.is_read(self.workspace, site.module, site.call):
            site.warn("pages_asked_for_at_once")
        streams.check_await(site, coroutine=rewrite.coroutine, stream=False)
        if rewrite.embedding is not None:
            made = self.workspace.surface.makes[site.symbol]
            coroutine = rewrite.coroutine
            self.embeddings.add(site, rewrite.embedding, arguments, made, coroutine=coroutine)
        return free

    def _check_dropped(self, rewrite: CallRewrite, parameter: str, node: ast.expr) -> None:
        value = node.value if isinstance(node, ast.Constant) else None
        if value not in rewrite.dropped[parameter]:
            raise RefusedError(
                "unsupported_kwarg", f"`{parameter}={ast.unparse(node)}` has no counterpart"
            )

    def _field(self, free: FreeCall, parameter: str, node: ast.expr) -> Config:
        rewrite, module = free.rewrite, free.site.module
        name = rewrite.config_keywords[parameter]
        if rewrite.file_name is not None and parameter == rewrite.file_name.parameter:
            return self._file_name(free)
        if is_written_none(node):
            return Config()
        if parameter in rewrite.seconds:
            return Config((Entry(name, None, module, in_seconds(self.workspace, module, node)),))
        table = rewrite.spellings.get(parameter)
        if table is None:
            return Config((Entry(name, node, module),))
        self._spell(free, parameter, node, table)
        return Config((Entry(name, node, module),))

    def _spell(
        self, free: FreeCall, parameter: str, node: ast.expr, table: Mapping[str, str]
    ) -> None:
        """Spell a value as the new SDK wants it; raises `RefusedError`."""
        draft = self.workspace.draft(free.site)
        said = constants_of(self.workspace, node)
        if isinstance(node, ast.Constant) and (spelling := table.get(str(node.value).lower())):
            draft.replace_with(node, draft.style.string(spelling))
            return
        spellings = {value: table.get(str(value).lower()) for value in said or ()}
        if not said or any(new is None or new != str(v).upper() for v, new in spellings.items()):
            raise RefusedError(
                "unsupported_kwarg",
                f"`{parameter}={ast.unparse(node)}` is none of the spellings that are known",
            )
        if any(new != value for value, new in spellings.items()):
            draft.replace(node, lambda: f"{draft.source.segment(node)}.upper()")

    def _file_name(self, free: FreeCall) -> Config:
        params = free.rewrite.file_name
        assert params is not None
        name = display_name(self.workspace, free.site, params, free.arguments)
        if name is None:
            return Config()
        if params.parameter not in free.arguments:
            free.site.warn("upload_display_name")
        field, module = free.rewrite.config_keywords[params.parameter], free.site.module
        if isinstance(name, str):
            return Config((Entry(field, None, module, name),))
        return Config((Entry(field, name, module),))

    # -- drafting

    def _draft(self, free: FreeCall) -> None:
        self.workspace.use_client(free.site)
        draft = self.workspace.draft(free.site)
        explode = is_broken(draft, free.call)
        free.read = self.embeddings.read_of(free.call)
        node = free.read.node if free.read is not None else free.call
        draft.replace_value(node, lambda: self._new_call(free, explode=explode))

    def _new_call(self, free: FreeCall, *, explode: bool) -> Sequence:
        draft, rewrite = self.workspace.draft(free.site), free.rewrite
        arguments = order(free.arguments)
        start, end = draft.source.span(free.call.func)[1], draft.source.span(free.call)[1]
        notes = commented(draft, start, end, [node for _, node in arguments])
        by_parameter: dict[str, Element] = {}
        config, last = free.config, list(notes.closing)
        for (name, node), note in zip(arguments, notes.elements, strict=True):
            if name in rewrite.keywords:
                prefix = f"{rewrite.keywords[name]}="
                by_parameter[name] = replace(note, value=self._value(free, name), prefix=prefix)
            elif any(entry.node is node for entry in config.entries):
                config = _with_comments(config, node, note)
            else:
                last += [*note.before, *([note.after] if note.after else [])]
                last += [text for _, text in draft.source.comments(*draft.source.span(node))]
        elements = [by_parameter[name] for name in rewrite.keywords if name in by_parameter]
        if config:
            value = config.value(self.workspace, free.site.module, rewrite.config_class)
            elements.append(keyword(self.params.config_keyword, value))
        function = f"{self.workspace.client(free.site)}.{rewrite.new_call}"
        new = call(function, tuple(elements), explode=explode, note=notes.opening, last=tuple(last))
        return free.read.around(new) if free.read is not None else new

    def _value(self, free: FreeCall, name: str) -> Value:
        """An argument; the name of an object where legacy took the object itself."""
        draft, node = self.workspace.draft(free.site), free.arguments[name]
        if name in free.rewrite.objects and self._is_object(node):
            return Text(f"{draft.text(node)}.{free.rewrite.objects[name]}")
        return self.embeddings.value_of(draft, node)

    def _is_object(self, node: ast.expr) -> bool:
        return all(isinstance(atom, Made) for atom in self.workspace.values(node))

    def _check_object(self, node: ast.expr) -> None:
        if self.workspace.values(node) != frozenset({STR}) and not self._is_object(node):
            raise RefusedError(
                "receiver_unresolved",
                f"whether `{ast.unparse(node)}` is an object or its name is not known",
            )

    def _method(self, site: Site, rewrite: ReceiverRewrite) -> None:
        """A method of an object: the client is told the object's name."""
        assert site.call is not None
        if site.call.args or site.call.keywords:
            raise RefusedError("unsupported_kwarg", f"`{site.member}` took no arguments")
        self.workspace.use_client(site)
        draft, receiver = self.workspace.draft(site), site.node
        assert isinstance(receiver, ast.Attribute)

        def build() -> Sequence:
            name = f"{draft.text(receiver.value)}.{rewrite.attribute}"
            function = f"{self.workspace.client(site)}.{rewrite.new_call}"
            return call(function, (keyword(rewrite.keyword, Text(name)),))

        draft.replace_value(site.call, build)


def _with_comments(config: Config, node: ast.expr, note: Element) -> Config:
    entries = tuple(
        replace(entry, comments=note) if entry.node is node else entry for entry in config.entries
    )
    return replace(config, entries=entries)
