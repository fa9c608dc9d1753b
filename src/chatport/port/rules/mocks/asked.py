"""What a stand-in was called with: ``call_args`` and what is read of it.

Legacy gave most by position, the name and the configuration where a model was made. All of it is
said by keyword now, in each call::

    args, kwargs = model.generate_content.call_args   # as it was
    assert args[0] == "q"                             # kwargs["contents"]
    assert kwargs["generation_config"]["top_k"] == 3  # kwargs["config"].top_k
"""

from __future__ import annotations

import ast

from msgspec.structs import replace

from chatport.port.rules import accessor
from chatport.port.rules.mocks.following import Following
from chatport.port.rules.mocks.stand import Change, Stand
from chatport.port.rules.mocks.targets import Role

GIVEN = {Role.CALL, Role.CALLS, Role.ARGS, Role.KWARGS, Role.SETTINGS}
"""What is known of a call that was made."""


class Asked(Following):
    """The part of following that knows what calls are asked about."""

    def _of_given(self, node: ast.AST, stand: Stand) -> None:
        """What is done with what a call was given."""
        parent = self.module.parents[node]
        role = stand.role
        if isinstance(parent, ast.Attribute) and parent.value is node:
            self._part(parent, stand)
        elif isinstance(parent, ast.Subscript) and parent.value is node:
            self._item(parent, stand)
        elif isinstance(parent, ast.Assign) and parent.value is node and len(parent.targets) == 1:
            self._kept(node, parent.targets[0], stand)
        elif role is Role.CALLS and isinstance(parent, ast.For | ast.comprehension):
            self._unpacked.add(parent.target)
            self._give(parent.target, replace(stand, role=Role.CALL))
        elif role is Role.KWARGS and isinstance(parent, ast.Compare):
            self._is_said(parent, node, stand)
        elif not _is_plain(parent):
            self._refuse(node, stand, "it goes where it is not followed")

    def _kept(self, node: ast.AST, target: ast.expr, stand: Stand) -> None:
        """``args, kwargs = call``, or a name for it or a part of it."""
        if not isinstance(target, ast.Tuple):
            if stand.role is Role.ARGS:
                self._write(node, node, ".kwargs")
            self._give(target, stand)
            return
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        if stand.role is not Role.CALL or len(names) != 2 or names[1] == "_" or not stand.member:
            self._refuse(node, stand, "it is taken apart")
            return
        for part, role in zip(target.elts, (Role.ARGS, Role.KWARGS), strict=True):
            self._unpacked.add(part)
            if names[0] != "_" or role is Role.KWARGS:
                self._give(part, replace(stand, role=role, beside=names[1]))

    def _part(self, node: ast.Attribute, stand: Stand) -> None:
        role = {"args": Role.ARGS, "kwargs": Role.KWARGS}.get(node.attr)
        parent = self.module.parents[node]
        if stand.role is Role.CALL and role is not None:
            self._of_given(node, replace(stand, role=role))
        elif stand.role is Role.KWARGS and node.attr == "get" and isinstance(parent, ast.Call):
            self._read(parent, node.value, parent.args[0] if len(parent.args) == 1 else None, stand)
        elif stand.role is not Role.SETTINGS or not self._is_setting(node.attr):
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _item(self, node: ast.Subscript, stand: Stand) -> None:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if stand.role is Role.CALLS:
            self._of_given(node, replace(stand, role=Role.CALL))
        elif stand.role is Role.CALL and key in {0, 1}:
            self._of_given(node, replace(stand, role=Role.KWARGS if key else Role.ARGS))
        elif stand.role is Role.SETTINGS and isinstance(key, str) and self._is_setting(key):
            self.out.changes.append(Change(*self._behind(node.value, node), f".{key}"))
        elif stand.role in {Role.ARGS, Role.KWARGS}:
            self._read(node, node.value, node.slice, stand)
        else:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _is_setting(self, name: str) -> bool:
        return name in self.calls.generation_config_keys

    def _read(self, node: ast.expr, owner: ast.expr, place: ast.expr | None, stand: Stand) -> None:
        """``args[0]``, ``kwargs["name"]``: one thing that a call was given."""
        said = place.value if isinstance(place, ast.Constant) else None
        by_name = stand.role is Role.KWARGS
        if not isinstance(said, str | int) or isinstance(said, str) is not by_name:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")
            return
        if not stand.member:
            self._of_configuration(node, owner, said, stand)
            return
        new = self._place(node, said, stand)
        if new is None:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")
            return
        keyword, attribute = new
        access = f"[{self._quoted(keyword)}]" + (f".{attribute}" if attribute else "")
        if isinstance(owner, ast.Name) and stand.beside and not by_name:
            self.out.changes.append(Change(*self.source.span(node), stand.beside + access))
        elif by_name or isinstance(owner, ast.Name):
            self.out.changes.append(Change(*self._behind(owner, node), access))
        else:
            self._write(owner, node, f".kwargs{access}")
        if said == self.calls.generation_config:
            self._of_given(node, replace(stand, role=Role.SETTINGS))

    def _place(self, node: ast.AST, said: str | int, stand: Stand) -> tuple[str, str] | None:
        """The keyword of the new call that says what legacy said at a place, and the field of the
        configuration below it."""
        if stand.member not in self.calls.rewrites and stand.member != self._model:
            return self._free(stand, node).place(said)
        if stand.member != self._model:
            return self._said(node).place(stand.member, said)
        return self._said(node).place_of_made(said, self._near(node) or self.made)

    def _is_said(self, node: ast.Compare, owner: ast.AST, stand: Stand) -> None:
        """``"tools" in kwargs`` of the making of a model."""
        name = str(node.left.value) if isinstance(node.left, ast.Constant) else ""
        within = [isinstance(op, ast.In) for op in node.ops] == [True]
        known = stand.member == self._model and name in self.calls.carried
        if not within or not known or self._place(node, name, stand) is None:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is asked")
            return
        assert isinstance(owner, ast.expr)
        start, end = self.source.span(node)[0], self.source.span(owner)[0]
        self.out.changes.append(Change(start, end, ""))
        behind = self.source.span(owner)[1]
        config = f"[{self._quoted(self.calls.config_keyword)}].{name} is not None"
        self.out.changes.append(Change(behind, self.source.span(node)[1], config))

    def _of_configuration(
        self, node: ast.expr, owner: ast.expr, said: str | int, stand: Stand
    ) -> None:
        """``configure.call_args.kwargs["api_key"]``: what keeps a client of each key is given the
        key by position."""
        if said != self.configure.environment_keyword:
            self._refuse(node, stand, f"`{ast.unparse(node)}` says how it was configured")
        elif stand.birth.name == accessor.KEEPER and not isinstance(owner, ast.Name):
            self._write(owner, node, ".args[0]")
        elif stand.birth.name != self.configure.client_class:
            self._refuse(node, stand, f"`{ast.unparse(node)}` says how it was configured")

    # -- writing

    def _quoted(self, text: str) -> str:
        return self.workspace.drafts[self.module].style.string(text)

    def _behind(self, owner: ast.expr, node: ast.expr) -> tuple[int, int]:
        return self.source.span(owner)[1], self.source.span(node)[1]

    def _write(self, part: ast.AST, node: ast.AST, text: str) -> None:
        """Put text in the place of an attribute or an item, and of what is read of it."""
        assert isinstance(part, ast.Attribute | ast.Subscript)
        assert isinstance(node, ast.expr)
        self.out.changes.append(Change(*self._behind(part.value, node), text))


def _is_plain(parent: ast.AST) -> bool:
    """``assert call``, ``call is not None``, ``len(calls)``."""
    if isinstance(parent, ast.Compare):
        others = [*parent.comparators]
        return all(isinstance(other, ast.Constant) and other.value is None for other in others)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id == "len"
    return isinstance(parent, ast.Expr | ast.Assert)
