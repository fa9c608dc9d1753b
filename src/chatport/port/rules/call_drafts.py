"""Calls on models and chats, written anew once what each of them states is settled."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec.structs import replace

from chatport.port.packs.schema import MethodRewrite, ModelCallsParams
from chatport.port.render.authored import commented, is_broken
from chatport.port.render.layout import Element, Sequence, call
from chatport.port.rules import handed
from chatport.port.rules.base import Workspace
from chatport.port.rules.carriers import Carriers
from chatport.port.rules.config_reader import Reader
from chatport.port.rules.streams_at_once import started
from chatport.port.rules.use import Use, receiver


def chat_sibling(use: Use, carriers: Carriers) -> str | None:
    """The variable that holds the configuration of the chat's model, when one is in sight."""
    ctors = {ctor for chat in use.chats for ctor in chat.ctors}
    if len(ctors) != 1 or any(chat.config for chat in use.chats):
        return None
    (ctor,) = ctors
    return carriers.sibling_at(ctor, use.site) if ctor.sibling else None


class CallDrafts:
    """Writes the calls of a pack's uses that nothing stands against."""

    def __init__(
        self, workspace: Workspace, params: ModelCallsParams, reader: Reader, carriers: Carriers
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.reader = reader
        self.carriers = carriers

    def draft(self, uses: Iterable[Use]) -> None:
        for use in uses:
            self._draft(use)

    def _draft(self, use: Use) -> None:
        site = use.site
        if use.rewrite.root == "client":
            self.workspace.use_client(site)
        draft = self.workspace.draft(site)
        explode = is_broken(draft, use.call)
        if site.refusal is None:
            draft.replace_value(use.call, lambda: self._new_call(use, explode=explode))

    def _function(self, use: Use) -> str:
        rewrite = use.rewrite
        name = rewrite.stream_call if use.stream and rewrite.stream_call else rewrite.new_call
        if use.flag is not None and rewrite.root == "client":
            client, flag = self.workspace.client(use.site), self.workspace.draft(use.site)
            either = f"{client}.{rewrite.stream_call} if {flag.text(use.flag)}"
            return f"({either} else {client}.{rewrite.new_call})"
        if use.call in self.workspace.awaited and rewrite.async_call:
            name = rewrite.async_call
        if rewrite.root == "client":
            return f"{self.workspace.client(use.site)}.{name}"
        if use.joined_by:
            return use.joined_by
        receiver = use.site.node
        assert isinstance(receiver, ast.Attribute)
        return f"{self.workspace.draft(use.site).owner(receiver.value)}.{name}"

    def _new_call(self, use: Use, *, explode: bool) -> Sequence:
        draft, rewrite = self.workspace.draft(use.site), use.rewrite
        by_keyword: dict[str, Element] = {}
        model = self.params.model_keyword
        whole = self._bundle(use)
        if whole is not None:
            by_keyword[model] = whole
        elif rewrite.root == "client":
            by_keyword[model] = Element(self.carriers.model_at(use.site, use.ctors), f"{model}=")
        arguments = sorted(use.arguments.items(), key=lambda item: draft.source.span(item[1]))
        start, end = draft.source.span(use.callee)[1], draft.source.span(use.call)[1]
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
        if whole is None and rewrite.configures and not rewrite.drops_config:
            config = self._config_element(use)
            if config is not None:
                by_keyword[self.params.config_keyword] = config
        order = [model, *rewrite.order, self.params.config_keyword, *by_keyword]
        elements = tuple(by_keyword[key] for key in dict.fromkeys(order) if key in by_keyword)
        if use.joined_by:
            elements = (Element(draft.carried(receiver(use.site))), *elements)
        last += notes.closing
        new = call(
            self._function(use), elements, explode=explode, note=notes.opening, last=tuple(last)
        )
        return handed.written(draft, use.site, started(use, new))

    def _bundle(self, use: Use) -> Element | None:
        """The mapping a call takes model and configuration from; None when it says one itself."""
        rewrite = use.rewrite
        if rewrite.root != "client" or rewrite.drops_config or use.config:
            return None
        return self.carriers.bundle_at(use.site, use.ctors)

    def _config_element(self, use: Use) -> Element | None:
        if use.merged is not None:
            return self.carriers.stated(use.site, use.merged)
        if use.rewrite.root == "receiver":
            sibling = chat_sibling(use, self.carriers)
            ctors = [ctor for chat in use.chats for ctor in chat.ctors]
        else:
            ctors = use.ctors
            sibling = self.carriers.held_config(use.site, ctors)
        assert sibling is not None
        return self.carriers.updated(use.site, sibling, ctors, use.config)

    def _folded_arguments(self, use: Use) -> set[ast.expr]:
        """Arguments whose comments travel with the fields read from them."""
        names = {*self.params.carried, self.params.generation_config, self.params.safety.parameter}
        return {node for name, node in use.arguments.items() if name in names}

    def _says_nothing(self, rewrite: MethodRewrite, name: str, node: ast.expr) -> bool:
        if name not in rewrite.empty_means_absent:
            return False
        empty = isinstance(node, ast.List | ast.Tuple) and not node.elts
        return empty or self.reader.is_none(node)
