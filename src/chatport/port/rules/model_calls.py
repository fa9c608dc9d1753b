"""Model and chat objects: binding groups, what each call states, and how it is written anew.

A constructor roots a group; what its calls produce belongs to it, and a refusal anywhere refuses
all of it. How the model itself lives on is the carrier's business (see `carriers`).
"""

from __future__ import annotations

import ast
from functools import partial

from chatport.port.findings import Kind
from chatport.port.packs.schema import ModelCalls, ModelCallsParams
from chatport.port.program.values import Made
from chatport.port.rules import handed, request_options, resolved, streams
from chatport.port.rules.arguments import bind, bind_known
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.call_drafts import CallDrafts, chat_sibling
from chatport.port.rules.carrier_drafts import CarrierDrafts
from chatport.port.rules.carriers import Carriers, Ctor
from chatport.port.rules.chat import Chats
from chatport.port.rules.collected import CollectedStreams
from chatport.port.rules.config import Config, Entry
from chatport.port.rules.config_reader import Reader
from chatport.port.rules.contents import EMPTY, Contents
from chatport.port.rules.early_models import name_early_models
from chatport.port.rules.foreign_parts import check_foreign
from chatport.port.rules.history_writes import HistoryWriter
from chatport.port.rules.last_answers import LastAnswers
from chatport.port.rules.leftovers import Leftovers
from chatport.port.rules.model_names import ModelNames
from chatport.port.rules.one_turn import OneTurnStreams
from chatport.port.rules.portable import constant_of
from chatport.port.rules.stream_order import warn_of_order
from chatport.port.rules.streams_at_once import send_at_once
from chatport.port.rules.tools import ToolRules
from chatport.port.rules.unpacked import with_items
from chatport.port.rules.use import Use, is_plain, receiver

RULE = "model_calls"


def link(workspace: Workspace) -> None:
    """Join each use of a legacy object to the site that made it."""
    for site in workspace.sites:
        for owner in site.owners:
            maker = workspace.by_node.get(owner.site)
            if maker is not None:
                maker.group.merge(site.group)


class ModelCallsRule:
    """The rule kind ``model_calls``."""

    def __init__(self, change: ModelCalls) -> None:
        self.params: ModelCallsParams = change.params

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._unmapped: list[Site] = []
        self.reader: Reader = Reader(workspace, self.params)
        self.contents: Contents = Contents(workspace, self.params.history)
        self.tools: ToolRules = ToolRules(workspace, self.params.tools)
        self.ctors: dict[ast.Call, Ctor] = {ctor.call: ctor for ctor in self._constructors()}
        self.uses: dict[ast.Call, Use] = {use.call: use for use in self._method_calls()}
        for site in self.workspace.sites:
            if site.symbol == self.params.tools.config_convert and site.kind is not Kind.IMPORT:
                site.rule = RULE
                self._guarded(site, lambda site=site: self.tools.configs.convert(site))
        resolved.drop_needless(workspace, self.params.resolve_member)
        for use in self.uses.values():
            self._connect(use)
        chats = Chats(workspace, self.params, list(self.uses.values()))
        workspace.awaited = chats.choose_kind()
        used, writes = list(self.uses.values()), self.params.history_writes
        looks = (self.params.history_member, writes.rewind)
        OneTurnStreams(workspace, writes.one_turn, looks, used).draft()
        send_at_once(workspace, self.params, used)
        chats.note_streams()
        chats.check_copies()
        HistoryWriter(workspace, writes, self.params.history_member, used, self.contents).run()
        self._refuse_unmapped()
        chats.check_history_reads()
        LastAnswers(workspace, self.params, list(self.uses.values())).settle()
        names = ModelNames(workspace, self.params, self.ctors.values())
        carriers = Carriers(workspace, self.params)
        carriers.decide(
            list(self.ctors.values()),
            [receiver(site) for site in names.sites()]
            + [*workspace.stood_for]
            + [receiver(use.site) for use in self.uses.values()],
        )
        for ctor in self.ctors.values():
            if ctor.sibling or ctor.bundled:
                self._guarded(ctor.site, lambda ctor=ctor: self._settle_sibling(ctor))
        for use in self.uses.values():
            self._guarded(use.site, lambda use=use: self._settle(use, carriers))
        name_early_models(self.workspace, list(self.uses.values()))
        warn_of_order(workspace, list(self.uses.values()))
        CallDrafts(workspace, self.params, self.reader, carriers).draft(self.uses.values())
        CarrierDrafts(workspace, self.params, carriers).draft()
        names.draft(carriers)
        readers = [(ctor.site, ctor.config) for ctor in self.ctors.values()]
        readers += [(use.site, use.config) for use in self.uses.values()]
        leftovers = Leftovers(workspace, self.params)
        leftovers.sweep(readers)
        leftovers.keep_objects(self.reader.bases.objects)

    def _refuse_unmapped(self) -> None:
        """A method nobody rewrote still belongs to its group."""
        for site in self._unmapped:
            if site.rule is None:
                site.rule = RULE
                site.refuse("receiver_method_unmapped", f"`{site.member}` has no counterpart")

    def _guarded(self, site: Site, step: object) -> None:
        assert callable(step)
        try:
            step()
        except RefusedError as error:
            refusal = error.refusal
            site.refuse(refusal.code, refusal.detail, refusal.suggestion)

    # -- reading

    def _constructors(self) -> list[Ctor]:
        found = []
        for site in self.workspace.sites:
            kept = self.params.cached is not None and site.symbol == self.params.cached.symbol
            if not (kept or site.symbol == self.params.ctor_symbol) or site.kind == "import":
                continue
            site.rule = RULE
            if site.call is None:
                continue  # an annotation or an alias; the carrier decides
            ctor = Ctor(site, site.call)
            found.append(ctor)
            read = self._read_kept if kept else self._read_ctor
            self._guarded(site, lambda ctor=ctor, read=read: read(ctor))
        return found

    def _read_kept(self, ctor: Ctor) -> None:
        """A model of what the server keeps: it is of the model that was kept for."""
        params = self.params.cached
        assert params is not None
        allowed = [params.parameter, self.params.generation_config, self.params.safety.parameter]
        arguments = bind(ctor.call, allowed[:1], allowed, params.symbol.rpartition(".")[2])
        kept = arguments.pop(params.parameter, None)
        values = self.workspace.values(kept) if kept is not None else frozenset()
        if (
            kept is None
            or not is_plain(kept)
            or not all(isinstance(atom, Made) and atom.type == params.type for atom in values)
        ):
            raise RefusedError(
                "flag_only_surface",
                "whether this is a cached content or its name is not known",
            )
        draft = self.workspace.draft(ctor.site)
        ctor.arguments, ctor.model = arguments, draft.member(kept, params.model)
        name = Entry(params.field, draft.member(kept, params.name), ctor.site.module)
        ctor.config = Config((name,)).merged(self.reader.read(ctor.site, arguments))

    def _read_ctor(self, ctor: Ctor) -> None:
        parameters = self.params.ctor_parameters
        if ctor.site.mixed:
            raise RefusedError("receiver_unresolved", "the constructor may be something else")
        call = with_items(self.workspace, self.params, ctor.site)
        ctor.arguments = bind(
            call, parameters, parameters, self.params.ctor_symbol.rpartition(".")[2]
        )
        ctor.model = ctor.arguments.get(self.params.model_parameter)
        if ctor.model is None:
            default = self.params.default_model
            raise RefusedError(
                "default_model_name_required",
                "the new SDK has no default model; name the one that was meant",
                f'{{callee}}({self.params.model_parameter}="{default}", {{args}})',
            )
        ctor.config = Config().merged(self.reader.read(ctor.site, ctor.arguments))
        said = [ctor.arguments[name] for name in self.params.carried if name in ctor.arguments]
        if any(self.contents.may_be_empty(node, set()) for node in said):
            ctor.site.warn(EMPTY)

    def _method_calls(self) -> list[Use]:
        found = []
        for site in self.workspace.sites:
            if site.member not in self.params.methods:
                continue
            rewrite = self.params.rewrites.get(site.member)
            if rewrite is None:
                self._unmapped.append(site)
                continue
            site.rule = RULE
            if site.mixed:
                site.refuse("receiver_unresolved", "the receiver may also be something else")
            elif site.call is None:
                site.refuse("method_used_as_value", f"`{site.member}` is not called here")
            else:
                use = Use(site, rewrite, {}, Config())
                found.append(use)
                self._guarded(site, lambda use=use: self._read_use(use))
        return found

    def _read_use(self, use: Use) -> None:
        rewrite, site = use.rewrite, use.site
        known = {*self.params.carried, self.params.generation_config, self.params.safety.parameter}
        configuration = known - {*rewrite.lacks} if rewrite.configures else set()
        allowed = {
            *rewrite.keywords,
            *rewrite.positional,
            *rewrite.afc_kwargs,
            *configuration,
            *({self.params.stream_parameter} if rewrite.stream_call else set()),
            *rewrite.absent_when_none,
            *(request_options.parameter(self.workspace) if not rewrite.drops_config else set()),
        }
        call, name = site.arguments, site.member or ""
        use.arguments = self.workspace.premise(
            lambda: bind(call, rewrite.positional, allowed, name),
            lambda: bind_known(call, rewrite.positional, allowed),
        )
        for name in rewrite.absent_when_none:
            if name in use.arguments and not self.reader.is_none(use.arguments[name]):
                raise RefusedError("unsupported_kwarg", f"`{name}=` is not carried over")
        use.stream = self._stream_flag(use)
        if use.stream:
            self.workspace.streams.add(use.call)
        use.config = self.reader.read(site, use.arguments)
        if self.workspace.waives and rewrite.configures:
            use.config = self.reader.with_the_rest(site, use.config, use.arguments)
        if not rewrite.drops_config:
            use.config = request_options.added(self.workspace, site, use.arguments, use.config)
        first = {n: a for n, a in use.arguments.items() if n in rewrite.positional[:1]}
        new = {self.params.model_keyword, self.params.config_keyword, *rewrite.keywords.values()}
        handed.check(
            self.workspace, site, first, new, stream=use.stream, coroutine=rewrite.coroutine
        )
        streams.check_await(site, coroutine=rewrite.coroutine, stream=use.stream)
        if self._gives_answer(use):
            made = self.workspace.surface.makes[site.member or ""]
            holders = self.workspace.holders.get(Made(made, use.call), [])
            collected = CollectedStreams(self.workspace, self.params.collected)
            if not use.stream:
                streams.check_whole(self.workspace, site, holders)
            elif not collected.resolve(site):
                read = collected.draft(site)
                others = [node for node in holders if node not in read]
                use.must_send = streams.check_stream(self.workspace, site, others)
        self.workspace.premise(partial(self._read_said, use), lambda: None)

    def _read_said(self, use: Use) -> None:
        """Bring what is said, and what was said before, into shape. Raises `RefusedError`."""
        rewrite, site, message = use.rewrite, use.site, use.rewrite.root == "receiver"
        if rewrite.contents is not None and rewrite.contents in use.arguments:
            said = use.arguments[rewrite.contents]
            check_foreign(self.workspace, said, self.params.history.part_type, message=message)
            self.contents.contents(site, said, message=message)
        if rewrite.history is not None and rewrite.history in use.arguments:
            self.contents.history(site, use.arguments[rewrite.history])

    def _gives_answer(self, use: Use) -> bool:
        return use.rewrite.stream_call is not None

    def _stream_flag(self, use: Use) -> bool:
        flag = use.arguments.get(self.params.stream_parameter)
        if flag is None:
            return False
        constant = constant_of(use.site.module, flag)
        if constant is not None:
            return bool(constant.value)
        if self.workspace.waives:
            use.flag = flag
            return False
        raise RefusedError(
            "dynamic_stream_flag", f"whether the answer streams depends on `{ast.unparse(flag)}`"
        )

    # -- connecting

    def _connect(self, use: Use) -> None:
        for owner in use.site.owners:
            node = owner.site
            if isinstance(node, ast.Call) and node in self.ctors:
                use.ctors.append(self.ctors[node])
                self.ctors[node].uses.append(use.site)
            elif isinstance(node, ast.Call) and node in self.uses:
                use.chats.append(self.uses[node])
            elif node not in self.workspace.by_node:  # a site of its own is refused by its rule
                use.site.refuse(
                    "receiver_unresolved",
                    f"where `{ast.unparse(use.site.node)[:60]}` gets its object is not seen",
                )

    # -- deciding what each call restates

    def _settle(self, use: Use, carriers: Carriers) -> None:
        if use.site.refusal is not None or not use.rewrite.configures:
            return
        own = self.workspace.premise(
            lambda: self._with_model(use, carriers), lambda: self._all_that_is_said(use)
        )
        if own is None:
            self._check_one_table(use)
            use.config = self._with_tools(use.site, use.config, self._enabled(use))
        else:
            use.merged = self._with_tools(use.site, own, self._enabled(use))
        if use.rewrite.drops_config:
            self._check_dropped(use)

    def _all_that_is_said(self, use: Use) -> Config:
        """The configurations of the models over one another, and the call's over them."""
        config = Config()
        for ctor in use.ctors or [ctor for chat in use.chats for ctor in chat.ctors]:
            config = config.merged(ctor.config)
        return config.merged(use.config)

    def _check_one_table(self, use: Use) -> None:
        """A call's safety table is merged with the model's when it is written; which is that?"""
        ctors = use.ctors or [ctor for chat in use.chats for ctor in chat.ctors]
        tables = {ctor.config.safety.rows if ctor.config.safety else () for ctor in ctors}
        if use.config.safety is not None and len(tables) > 1:
            raise RefusedError(
                "safety_settings_not_static", "the models this is called on have different tables"
            )

    def _with_model(self, use: Use, carriers: Carriers) -> Config | None:
        if use.rewrite.root == "receiver":
            return self._over_chat(use, carriers)
        return carriers.config_at(use.site, use.ctors, use.config)

    def _over_chat(self, use: Use, carriers: Carriers) -> Config | None:
        """A chat's message restates the chat's configuration when it has one of its own; None
        when a sibling variable says the rest."""
        if not use.config:
            return Config()
        if chat_sibling(use, carriers) is not None:
            return None
        bases = [
            carriers.config_at(chat.site, chat.ctors, chat.config, target=use.site)
            for chat in use.chats
        ]
        base = bases[0] if bases else None
        flags = {flag and ast.dump(flag) for flag in map(self._enabled, use.chats)}
        alike = all(one is not None and base is not None and one.says_what(base) for one in bases)
        if base is None or not alike or len(flags) > 1:
            raise RefusedError(
                "config_not_portable",
                "the chat's configuration cannot be restated at this message",
            )
        merged = base.merged(use.config)
        return Config() if merged.says_what(base) else merged

    def _enabled(self, use: Use) -> ast.expr | None:
        """The flag that lets a chat call functions by itself, from where the chat was made."""
        for maker in (use, *use.chats):
            for name in maker.rewrite.afc_kwargs:
                if name in maker.arguments:
                    return maker.arguments[name]
        return None

    def _settle_sibling(self, ctor: Ctor) -> None:
        """A configuration that stands beside a named model is settled once, where it stands."""
        uses = [
            use
            for use in self.uses.values()
            if ctor in use.ctors and not use.rewrite.drops_config and use.rewrite.configures
        ]
        flags = [self._enabled(use) for use in uses]
        off = [flag for flag in flags if flag is None or _is_false(flag)]
        if len(off) not in (0, len(flags)):
            raise RefusedError(
                "afc_semantics_differ", "one of several users of the tools calls them by itself"
            )
        enabled = None if off else next(iter(flags), None)
        ctor.config = self._with_tools(ctor.site, ctor.config, enabled)

    def _with_tools(self, site: Site, config: Config, enabled: ast.expr | None) -> Config:
        settle = partial(self.tools.settle, site, config, enabled)
        return self.workspace.premise(settle, lambda: self.tools.unsettled(site, config, enabled))

    def _check_dropped(self, use: Use) -> None:
        stated = set()
        for ctor in use.ctors:
            stated |= ctor.config.keys()
        stated |= use.config.keys()
        if stated & set(self.params.counts_need):
            raise RefusedError(
                "count_tokens_config_carries_semantics",
                "the count included the system instruction or the tools; the new SDK refuses them",
            )
        if stated or any(ctor.config for ctor in use.ctors):
            use.site.warn("count_tokens_config_dropped")
        use.merged = Config()


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
