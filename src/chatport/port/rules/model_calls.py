"""Model and chat objects: binding groups, what each call states, and how it is written anew.

A constructor roots a group; what its calls produce belongs to it, and a refusal anywhere refuses
all of it. How the model itself lives on is the carrier's business (see `carriers`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from chatport.port.packs.schema import MethodRewrite, ModelCalls, ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import Made
from chatport.port.render.draft import commented, is_broken
from chatport.port.render.layout import Element, Sequence, call
from chatport.port.rules import request_options, streams
from chatport.port.rules.arguments import bind
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.carriers import Carriers, Ctor
from chatport.port.rules.config import CODE, Config, Reader, RefusedError, sole_assignment
from chatport.port.rules.contents import Contents
from chatport.port.rules.portable import constant_of
from chatport.port.rules.safety import SafetyTable
from chatport.port.rules.tools import ToolRules

RULE = "model_calls"


@dataclass(eq=False, slots=True)
class Use:
    """A call of a method of a model or a chat."""

    site: Site
    rewrite: MethodRewrite
    arguments: dict[str, ast.expr]
    config: Config
    """What the call itself states."""
    stream: bool = False
    ctors: list[Ctor] = field(default_factory=list)
    """The models it may be called on, through the chat when it is a chat's."""
    chats: list[Use] = field(default_factory=list)
    """The calls that made the chats it may be called on."""
    merged: Config | None = None
    """What the new call restates; None when the carrier's sibling says it."""

    @property
    def call(self) -> ast.Call:
        assert self.site.call is not None
        return self.site.call


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
        self.reader = Reader(workspace, self.params)
        self.contents = Contents(workspace, self.params.history)
        self.tools = ToolRules(workspace, self.params.tools)
        self.async_chats: set[ast.Call] = set()
        self.ctors = {ctor.call: ctor for ctor in self._constructors()}
        self.uses = {use.call: use for use in self._method_calls()}
        for use in self.uses.values():
            self._connect(use)
        self._choose_chat_kind()
        self._note_streams()
        self._check_history_reads()
        carriers = Carriers(workspace, self.params)
        carriers.decide(
            list(self.ctors.values()),
            [_receiver(site) for site in self._name_sites()]
            + [_receiver(use.site) for use in self.uses.values()],
        )
        for ctor in self.ctors.values():
            if ctor.sibling:
                self._guarded(ctor.site, lambda ctor=ctor: self._settle_sibling(ctor))
        for use in self.uses.values():
            self._guarded(use.site, lambda use=use: self._settle(use, carriers))
        for use in self.uses.values():
            self._draft(use, carriers)
        carriers.draft()
        self._names_read(carriers)
        self._sweep()
        self._keep_objects()

    def _names_read(self, carriers: Carriers) -> None:
        """Reads of the model's name: legacy put a prefix before a bare one."""
        for site in self._name_sites():
            site.rule = RULE
            ctors = [c for o in site.owners for c in self.ctors.values() if c.call is o.site]
            names = {_constant(ctor.model) for ctor in ctors}
            name = names.pop() if len(names) == 1 else None
            assert isinstance(site.node, ast.Attribute)
            if site.mixed or name is None or not isinstance(site.node.ctx, ast.Load):
                site.refuse("attribute_removed", "the name legacy gave back is not known here")
                continue
            draft = self.workspace.draft(site)
            full = name if "/" in name else self.params.name_prefix + name
            draft.replace_with(site.node, draft.style.string(full))

    def _name_sites(self) -> list[Site]:
        made = self.workspace.surface.makes[self.params.ctor_symbol]
        member = f"{made}.{self.params.name_attribute}"
        return [site for site in self.workspace.sites if site.member == member]

    def _sweep(self) -> None:
        """Delete the configuration variables that nothing reads any more."""
        sources: dict[int, tuple[Module, ast.expr]] = {}
        readers = [(ctor.site, ctor.config) for ctor in self.ctors.values()]
        readers += [(use.site, use.config) for use in self.uses.values()]
        for site, config in readers:
            safety = config.safety
            for source in (*config.sources, *(safety.sources if safety else ())):
                sources[id(source)] = (site.module, source)
        for module, source in sources.values():
            statement = sole_assignment(module, source)
            if statement is None:
                continue
            if all(id(load) in sources for load in self._loads(module, source)):
                self.workspace.drafts[module].delete(statement)
        for _, config in readers:
            if config.safety is not None:
                self._keep_members(config.safety)

    def _keep_members(self, table: SafetyTable) -> None:
        """The members of a table whose statement stays are uses like any other."""
        if not table.sources or table.literal is None:
            return
        for module in self.workspace.modules:
            if table.literal in module.parents:
                statement = module.statement(table.literal)
                if not self.workspace.drafts[module].is_deleted(statement):
                    self.workspace.consumed -= set(table.reads)

    def _keep_objects(self) -> None:
        """A configuration object whose variable stays becomes one of the new class, which has the
        same fields; whoever calls with it restates them."""
        for site in self.workspace.sites:
            if site.symbol != self.params.generation_config_class or site.call is None:
                continue
            draft, call = self.workspace.draft(site), site.call
            statement = site.module.statement(call)
            unread = site.rule is None and not self._is_kept_alone(site, statement)
            if draft.is_deleted(statement) or unread or not _is_value_of(statement, call):
                continue
            site.rule = RULE
            known = {keyword.arg for keyword in call.keywords} <= set(
                self.params.generation_config_keys
            )
            if call.args or not known or call in self.workspace.flow.leaked:
                site.refuse(CODE, "which fields the object holds, or who reads it, is not known")
                continue
            assert isinstance(site.node, ast.expr)
            draft.replace_with(
                site.node, self.workspace.types(site.module, self.params.config_class)
            )

    def _is_kept_alone(self, site: Site, statement: ast.stmt) -> bool:
        """Whether an object that no call reads stands in a variable of its module."""
        return site.module.function(statement) is None

    def _loads(self, module: Module, source: ast.expr) -> list[ast.AST]:
        """Every read of what a name or attribute holds, in any module."""
        if isinstance(source, ast.Attribute):
            return [
                node
                for other in self.workspace.modules
                for node in other.parents
                if isinstance(node, ast.Attribute)
                and node.attr == source.attr
                and isinstance(node.ctx, ast.Load)
            ]
        variable = module.scopes.variable[source]
        return [*variable.loads, *self._imported(variable)]

    def _imported(self, variable: Variable) -> list[ast.AST]:
        """The imports of a module's name in other modules."""
        flow = self.workspace.flow
        return [
            alias
            for module in self.workspace.modules
            for alias in module.scopes.variable
            if isinstance(alias, ast.alias)
            and alias.name == variable.name
            and variable.scope.parent is None
            and flow.values.get(alias)
        ]

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
            if site.symbol != self.params.ctor_symbol or site.kind == "import":
                continue
            site.rule = RULE
            if site.call is None:
                continue  # an annotation or an alias; the carrier decides
            ctor = Ctor(site, site.call)
            found.append(ctor)
            self._guarded(site, lambda ctor=ctor: self._read_ctor(ctor))
        return found

    def _read_ctor(self, ctor: Ctor) -> None:
        parameters = self.params.ctor_parameters
        if ctor.site.mixed:
            raise RefusedError("receiver_unresolved", "the constructor may be something else")
        ctor.arguments = bind(ctor.call, parameters, parameters, "GenerativeModel")
        ctor.model = ctor.arguments.get(self.params.model_parameter)
        if ctor.model is None:
            raise RefusedError(
                "default_model_name_required",
                "the new SDK has no default model; name the one that was meant",
                f'{self.params.model_parameter}="{self.params.default_model}"',
            )
        ctor.config = Config().merged(self.reader.read(ctor.site, ctor.arguments))

    def _method_calls(self) -> list[Use]:
        found = []
        for site in self.workspace.sites:
            if site.member not in self.params.methods:
                continue
            site.rule = RULE
            rewrite = self.params.rewrites.get(site.member)
            if rewrite is None:
                site.refuse("receiver_method_unmapped", f"`{site.member}` has no counterpart")
            elif site.mixed:
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
        configuration = (
            {*self.params.carried, self.params.generation_config, self.params.safety.parameter}
            if rewrite.configures
            else set()
        )
        allowed = {
            *rewrite.keywords,
            *rewrite.positional,
            *rewrite.afc_kwargs,
            *configuration,
            *({self.params.stream_parameter} if rewrite.stream_call else set()),
            *rewrite.absent_when_none,
            *(request_options.parameter(self.workspace) if not rewrite.drops_config else set()),
        }
        use.arguments = bind(use.call, rewrite.positional, allowed, site.member or "")
        for name in rewrite.absent_when_none:
            if name in use.arguments and not self.reader.is_none(use.arguments[name]):
                raise RefusedError("unsupported_kwarg", f"`{name}=` is not carried over")
        use.stream = self._stream_flag(use)
        if use.stream:
            self.workspace.streams.add(use.call)
        use.config = self.reader.read(site, use.arguments)
        if not rewrite.drops_config:
            use.config = request_options.added(self.workspace, site, use.arguments, use.config)
        streams.check_await(site, coroutine=rewrite.coroutine, stream=use.stream)
        if self._gives_answer(use):
            made = self.workspace.surface.makes[site.member or ""]
            holders = self.workspace.holders.get(Made(made, use.call), [])
            check = streams.check_stream if use.stream else streams.check_whole
            check(self.workspace, site, holders)
        if rewrite.contents is not None and rewrite.contents in use.arguments:
            self.contents.contents(
                site, use.arguments[rewrite.contents], message=rewrite.root == "receiver"
            )
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

    def _choose_chat_kind(self) -> None:
        """A chat is sync or async on the new SDK; one used both ways cannot be moved."""
        messages_of: dict[Use, list[Use]] = {}
        for use in self.uses.values():
            for chat in use.chats:
                messages_of.setdefault(chat, []).append(use)
        for chat in self.uses.values():
            if chat.rewrite.async_call is None:
                continue
            if chat.call in self.workspace.flow.leaked:
                chat.site.refuse(
                    "model_object_escapes", "the chat is handed to code that is not followed"
                )
            messages = messages_of.get(chat, [])
            awaited = [use for use in messages if use.rewrite.coroutine]
            if awaited and len(awaited) == len(messages):
                self.async_chats.add(chat.call)
            elif awaited:
                for use in awaited:
                    use.site.refuse(
                        "receiver_method_unmapped",
                        "the chat is used with and without await; the new SDK has two kinds",
                    )

    def _note_streams(self) -> None:
        """Say once a file that a chat which streams and goes on remembers in other pieces."""
        noted: set[Module] = set()
        for use in self.uses.values():
            if use.stream and use.chats and use.site.module not in noted and self._goes_on(use):
                noted.add(use.site.module)
                use.site.warn("stream_history_shape")

    def _check_history_reads(self) -> None:
        """A history that is read after a stream has other turns than legacy's."""
        streamed = {chat.call for use in self.uses.values() if use.stream for chat in use.chats}
        for site in self.workspace.sites:
            if site.member == self.params.history_member and any(
                owner.site in streamed for owner in site.owners
            ):
                site.refuse("stream_history_read", "its turns are in other pieces after a stream")

    def _goes_on(self, use: Use) -> bool:
        """Whether the chat may send another message after this one."""
        module = use.site.module
        if any(chat.site.module is not module for chat in use.chats):
            return True
        here = module.function(use.call)
        if any(module.function(chat.call) is not here for chat in use.chats):
            return True
        node: ast.AST = use.call
        while node in module.parents and node is not here:
            node = module.parents[node]
            inside = isinstance(node, ast.For | ast.AsyncFor | ast.While)
            if inside and _stands_in(module, use.call, node):
                return not any(_stands_in(module, chat.call, node) for chat in use.chats)
        return any(
            other.chats == use.chats and other.call.lineno > use.call.lineno
            for other in self.uses.values()
        )

    # -- deciding what each call restates

    def _settle(self, use: Use, carriers: Carriers) -> None:
        if use.site.refusal is not None or not use.rewrite.configures:
            return
        own = self._with_model(use, carriers)
        if own is None:
            self._check_one_table(use)
            use.config = self.tools.settle(use.site, use.config, self._enabled(use))
        else:
            use.merged = self.tools.settle(use.site, own, self._enabled(use))
        if use.rewrite.drops_config:
            self._check_dropped(use)

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
        if self._chat_sibling(use, carriers) is not None:
            return None
        bases = [
            carriers.config_at(chat.site, chat.ctors, chat.config, target=use.site)
            for chat in use.chats
        ]
        if len(bases) != 1 or bases[0] is None:
            raise RefusedError(
                "config_not_portable",
                "the chat's configuration cannot be restated at this message",
            )
        return bases[0].merged(use.config)

    def _chat_sibling(self, use: Use, carriers: Carriers) -> str | None:
        """The variable that holds the configuration of the chat's model, when one is in sight."""
        ctors = {ctor for chat in use.chats for ctor in chat.ctors}
        if len(ctors) != 1 or any(chat.config for chat in use.chats):
            return None
        (ctor,) = ctors
        return carriers.sibling_at(ctor, use.site) if ctor.sibling else None

    def _enabled(self, use: Use) -> ast.expr | None:
        """The flag that lets a chat call functions by itself, from where the chat was made."""
        for maker in (use, *use.chats):
            for name in maker.rewrite.afc_kwargs:
                if name in maker.arguments:
                    return maker.arguments[name]
        return None

    def _settle_sibling(self, ctor: Ctor) -> None:
        """A configuration that stands beside a named model is settled once, where it stands."""
        flags = [self._enabled(use) for use in self.uses.values() if ctor in use.ctors]
        flags = [flag for flag in flags if flag is not None]
        if any(not isinstance(flag, ast.Constant) or flag.value for flag in flags):
            raise RefusedError(
                "afc_semantics_differ", "one of several users of the tools calls them by itself"
            )
        ctor.config = self.tools.settle(ctor.site, ctor.config, None)

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

    # -- drafting

    def _draft(self, use: Use, carriers: Carriers) -> None:
        site = use.site
        if use.rewrite.root == "client":
            self.workspace.use_client(site)
        draft = self.workspace.draft(site)
        explode = is_broken(draft, use.call)
        if site.refusal is None:
            draft.replace_value(use.call, lambda: self._new_call(use, carriers, explode=explode))

    def _function(self, use: Use) -> str:
        rewrite = use.rewrite
        name = rewrite.stream_call if use.stream and rewrite.stream_call else rewrite.new_call
        if use.call in self.async_chats and rewrite.async_call:
            name = rewrite.async_call
        if rewrite.root == "client":
            return f"{self.workspace.client(use.site)}.{name}"
        receiver = use.call.func
        assert isinstance(receiver, ast.Attribute)
        return f"{self.workspace.draft(use.site).owner(receiver.value)}.{name}"

    def _new_call(self, use: Use, carriers: Carriers, *, explode: bool) -> Sequence:
        draft, rewrite = self.workspace.draft(use.site), use.rewrite
        by_keyword: dict[str, Element] = {}
        model = self.params.model_keyword
        if rewrite.root == "client":
            by_keyword[model] = Element(carriers.model_at(use.site, use.ctors), f"{model}=")
        arguments = sorted(use.arguments.items(), key=lambda item: draft.source.span(item[1]))
        start, end = draft.source.span(use.call.func)[1], draft.source.span(use.call)[1]
        notes = commented(draft, start, end, [node for _, node in arguments])
        last: list[str] = []
        folded = self._folded_arguments(use)
        for (name, node), note in zip(arguments, notes.elements, strict=True):
            keyword = rewrite.keywords.get(name)
            if keyword is not None and not self._says_nothing(rewrite, name, node):
                by_keyword[keyword] = replace(note, value=draft.carried(node), prefix=f"{keyword}=")
            else:
                last += [*note.before, *([note.after] if note.after else [])]
                if node not in folded:
                    last += [text for _, text in draft.source.comments(*draft.source.span(node))]
        config = self._config_element(use, carriers)
        if config is not None and rewrite.configures and not rewrite.drops_config:
            by_keyword[self.params.config_keyword] = config
        order = [model, *rewrite.order, self.params.config_keyword, *by_keyword]
        elements = tuple(by_keyword[key] for key in dict.fromkeys(order) if key in by_keyword)
        last += notes.closing
        return call(
            self._function(use), elements, explode=explode, note=notes.opening, last=tuple(last)
        )

    def _config_element(self, use: Use, carriers: Carriers) -> Element | None:
        if use.merged is not None:
            return carriers.stated(use.site, use.merged)
        if use.rewrite.root == "receiver":
            sibling = self._chat_sibling(use, carriers)
            ctors = [ctor for chat in use.chats for ctor in chat.ctors]
        else:
            sibling = carriers.sibling_text(
                self.workspace.draft(use.site).text(_receiver(use.site))
            )
            ctors = use.ctors
        assert sibling is not None
        return carriers.updated(use.site, sibling, ctors, use.config)

    def _folded_arguments(self, use: Use) -> set[ast.expr]:
        """Arguments whose comments travel with the fields read from them."""
        names = {*self.params.carried, self.params.generation_config, self.params.safety.parameter}
        return {node for name, node in use.arguments.items() if name in names}

    def _says_nothing(self, rewrite: MethodRewrite, name: str, node: ast.expr) -> bool:
        if name not in rewrite.empty_means_absent:
            return False
        empty = isinstance(node, ast.List | ast.Tuple) and not node.elts
        return empty or self.reader.is_none(node)


def _receiver(site: Site) -> ast.expr:
    assert isinstance(site.node, ast.Attribute)
    return site.node.value


def _is_value_of(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether a statement assigns just what a call makes."""
    return isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is call


def _constant(node: ast.expr | None) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _stands_in(module: Module, node: ast.AST, loop: ast.AST) -> bool:
    """Whether `node` is made anew in each round of `loop`."""
    here: ast.AST | None = node
    while here is not None and here is not loop:
        parent = module.parents.get(here)
        if parent is loop and isinstance(loop, ast.For | ast.AsyncFor) and loop.iter is here:
            return False
        here = parent
    return here is loop
