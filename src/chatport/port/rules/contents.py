"""Contents and histories: turns, parts and blobs brought into the shape the new SDK takes.

The value flow says which literals reach an argument; each is reshaped where it stands, and only
where nobody else reads it. A text part is wrapped where it is certainly text; parts and turns that
are not known are handed to the new SDK's own conversion, which takes what legacy took or raises.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from chatport.port.packs.schema import History
from chatport.port.program.modules import Module
from chatport.port.program.values import (
    NONE,
    STR,
    Atom,
    Class,
    Container,
    External,
    Function,
    Instance,
    Made,
    Shape,
    in_order,
)
from chatport.port.render.authored import is_broken
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Sequence, Text, call, keyword
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.evaluation import given_values, was_tested
from chatport.port.rules.mappings import Written, as_mapping, is_made, keys_of, pairs_of
from chatport.port.rules.shown import WARNING as SHOWN
from chatport.port.rules.shown import shown_literals

EMPTY = "empty_contents_are_sent"
CODE = "history_parts_shape_incompatible"
IMAGE = Shape("PIL.Image")
PARSED = {"json.load()", "json.loads()"}


class Contents:
    """Reshapes what reaches the contents or the history of calls; each literal once."""

    def __init__(self, workspace: Workspace, params: History) -> None:
        self.workspace = workspace
        self.params = params
        self._done: set[ast.AST] = set()
        self._shown: set[ast.AST] | None = None

    def contents(self, site: Site, node: ast.expr, *, message: bool = False) -> None:
        """An argument that holds contents; with `message`, that of a chat, which takes no turns
        and no mappings. Raises `RefusedError`."""
        if not message and self._shared_turns(node):
            self.convert_turns(site, node)
            return
        if not message and self.may_be_empty(node, set()):
            site.warn(EMPTY)
        seen: set[ast.AST] = set()
        for atom in in_order(self.workspace.values(node)):
            if message and isinstance(atom, Made) and atom.type == self.params.turn_type:
                self._unwrap(site, node)
            else:
                self._content(site, atom, node, message, seen)

    def may_be_empty(self, node: ast.expr, seen: set[ast.AST]) -> bool:
        """Whether an empty text is written down as what the contents may be."""
        if node in seen:
            return False
        seen.add(node)
        if isinstance(node, ast.BoolOp):
            return isinstance(node.op, ast.Or) and self.may_be_empty(node.values[-1], seen)
        if isinstance(node, ast.IfExp):
            return any(self.may_be_empty(part, seen) for part in (node.body, node.orelse))
        if isinstance(node, ast.Name):
            home = self.workspace.home(node)
            tested = was_tested(home, node, {node.id})
            return not tested and any(
                self.may_be_empty(value, seen) for value in given_values(home, node)
            )
        return _is_empty_text(node)

    def history(self, site: Site, node: ast.expr) -> None:
        """An argument that holds a list of turns; raises `RefusedError`."""
        if self._shared_turns(node) or not all(map(self.is_known_turn, self.turns_in(node))):
            self.convert_turns(site, node)
            site.warn("history_roles_checked")
            return
        for atom in self.turns_in(node):
            if isinstance(atom, Container) and (turn := self.mapping(atom.node)) is not None:
                self._turn(site, turn)

    def turns_in(self, node: ast.expr) -> Iterator[Atom]:
        """What the list may hold; what may not be a list stands for its unknown turns."""
        for atom in in_order(self.workspace.values(node)):
            if atom == NONE or (isinstance(atom, Made) and atom.type == self.params.turns_type):
                continue
            if isinstance(atom, Container) and self._is_sequence(atom.node):
                yield from self._elements(atom.node)
            else:
                yield atom

    def _shared_turns(self, node: ast.expr) -> bool:
        """Whether a list holds nothing but turns, and somebody else reads their parts: then they
        stay as they are, and what is sent is made of them."""
        atoms = list(self.turns_in(node))
        turns = self._mappings_among(atoms)
        both = {self.params.role_key, self.params.parts_key}
        if len(turns) < len(atoms) or any(keys_of(turn) != both for turn in turns):
            return False
        return any(map(self._is_shown, turns)) or any(
            self._reader(self.workspace.home(part), part) for part in self._literal_parts(turns)
        )

    def mapping(self, node: ast.AST) -> Written | None:
        return as_mapping(self.workspace, node)

    def _mappings_among(self, atoms: Iterable[Atom]) -> list[Written]:
        found = (self.mapping(a.node) for a in atoms if isinstance(a, Container))
        return [node for node in found if node is not None]

    def _is_shown(self, literal: ast.AST) -> bool:
        """Whether a literal is shown as text, where another shape would be seen."""
        if self._shown is None:
            self._shown = shown_literals(self.workspace)
        return literal in self._shown

    def _literal_parts(self, turns: list[Written]) -> Iterator[ast.expr]:
        for turn in turns:
            for key, value in pairs_of(turn) or ():
                if key == self.params.parts_key:
                    yield from value.elts if isinstance(value, ast.List) else [value]

    def is_known_turn(self, atom: Atom) -> bool:
        if isinstance(atom, Made):
            return atom.type == self.params.turn_type
        return isinstance(atom, Container) and self.mapping(atom.node) is not None

    def convert_turns(self, site: Site, node: ast.expr) -> None:
        """Turns that come from elsewhere: those that are no objects yet become such."""
        values = self.workspace.values(node)
        turns = set(self.turns_in(node))
        if any(not self.may_be_turns(atom) for atom in turns | set(values)):
            raise RefusedError(CODE, f"what `{short(node)}` holds is no list of turns")
        self.check_literal_parts(site, turns)
        home = self.workspace.home(node)
        draft, style = self.workspace.drafts[home], self.workspace.drafts[home].style
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        name = "turn" if "turn" not in names else "one"
        mappings = all(isinstance(atom, Container) for atom in turns | set(values))
        made = self.made_of(draft, name, mappings=mappings)
        certain = all(isinstance(atom, Container) for atom in values)

        def build() -> Text:
            code = draft.code(node) if certain else f"{draft.owner(node)} or []"
            lines = [*made, f"for {name} in {code}"]
            return Text("\n".join(["[", *(style.indent + line for line in lines), "]"]))

        draft.replace_value(node, build)
        site.warn("history_parts_rewritten")

    def check_literal_parts(self, site: Site, turns: Iterable[Atom]) -> None:
        for part in self._literal_parts(self._mappings_among(turns)):
            self._check_convertible(site, part)

    def made_of(self, draft: Draft, name: str, *, mappings: bool) -> list[str]:
        """The lines of an expression that makes an object of a turn that has a name, unless it is
        one already."""
        home, style = draft.module, draft.style
        turn_class = self.workspace.types(home, self.params.turn_type)
        role, parts = (
            f"{name}[{style.string(key)}]" for key in (self.params.role_key, self.params.parts_key)
        )
        made = [
            f"{turn_class}(",
            f"{style.indent}role={role},",
            f"{style.indent}parts={self.convert(home)}(parts={parts}).parts,",
            ")",
        ]
        if mappings:
            return made
        return [name, f"if isinstance({name}, {turn_class})", f"else {made[0]}", *made[1:]]

    def convert(self, home: Module) -> str:
        return self.workspace.types(home, self.params.convert)

    def may_be_turns(self, atom: Atom) -> bool:
        """Whether an atom may be a list of turns or one of them, as far as is known."""
        if isinstance(atom, Made):
            return atom.type in {self.params.turn_type, self.params.turns_type}
        if isinstance(atom, Shape | Class | Instance | Function):
            return atom == NONE
        return not isinstance(atom, Container) or not (
            isinstance(atom.node, ast.Set) or atom.is_lazy
        )

    def _unwrap(self, site: Site, node: ast.expr) -> None:
        """A chat takes the parts of a message and makes the turn of the user itself."""
        written = isinstance(node, ast.Call) and not node.args
        said = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
        parts, role = said.pop("parts", None), said.pop("role", None)
        of_user = role is None or (isinstance(role, ast.Constant) and role.value == "user")
        if said or not (written and of_user and isinstance(parts, ast.List)):
            raise RefusedError(CODE, "a chat's message may not be a turn on the new SDK")
        draft = self.workspace.drafts[self.workspace.home(node)]
        draft.replace_value(node, lambda: draft.carried(parts))
        site.warn("history_parts_rewritten")

    def _content(
        self,
        site: Site,
        atom: Atom,
        node: ast.expr,
        message: bool,
        seen: set[ast.AST],
    ) -> None:
        if atom == IMAGE:
            site.warn("image_reencoded")
        if isinstance(atom, External) and atom.name in PARSED:
            raise RefusedError(CODE, f"`{short(node)}` is read from JSON, whose turns differ")
        if not isinstance(atom, Container) or atom.node in seen:
            return
        seen.add(atom.node)
        if atom.is_lazy:
            raise RefusedError(CODE, f"of the generator `{short(node)}` legacy lost an item")
        if message and isinstance(atom.node, ast.Tuple):
            self._list_of(atom.node, node)
        if (mapping := self.mapping(atom.node)) is not None:
            self._mapping(site, mapping, message)
        elif is_made(self.workspace, atom.node):
            raise RefusedError(CODE, f"the keys of `{short(atom.node)}` are not known")
        elif self._is_sequence(atom.node):
            for element in self._elements(atom.node):
                if isinstance(element, Container) or element == IMAGE:
                    self._content(site, element, node, message, seen)

    def _list_of(self, literal: ast.Tuple, node: ast.expr) -> None:
        """A chat takes a list where legacy took a tuple too."""
        if literal is not node:
            raise RefusedError(CODE, "a chat's message may not be a tuple on the new SDK")
        draft = self.workspace.drafts[self.workspace.home(node)]
        draft.replace_value(
            node,
            lambda: Sequence(
                "[", tuple(Element(draft.carried(part)) for part in literal.elts), "]"
            ),
        )

    def _mapping(self, site: Site, node: Written, message: bool) -> None:
        keys = keys_of(node)
        if keys is None:
            raise RefusedError(CODE, f"the keys of `{short(node)}` are not known")
        if self.params.parts_key in keys:
            if message:
                self._turn_as_message(site, node)
            else:
                self._turn(site, node, role_needed=False)
        elif keys == set(self.params.blob_keys):
            self._blob(site, node)
        elif message and keys == {self.params.text_key}:
            text = dict(pairs_of(node) or ())[self.params.text_key]
            self._rewrite(site, node, lambda draft: draft.code(text))
        elif message or not keys <= set(self.params.passing_keys):
            raise RefusedError(CODE, f"`{short(node)}` is not a part the new SDK takes")

    def _turn_as_message(self, site: Site, node: Written) -> None:
        """A chat takes the parts of a message and makes the turn of the user itself."""
        by_key = dict(pairs_of(node) or ())
        role, parts = by_key.pop(self.params.role_key, None), by_key.pop(self.params.parts_key)
        of_user = role is None or (isinstance(role, ast.Constant) and role.value == "user")
        if by_key or not (of_user and isinstance(parts, ast.List | ast.Constant)):
            raise RefusedError(CODE, "a chat's message may not be a turn on the new SDK")
        for element in parts.elts if isinstance(parts, ast.List) else []:
            if (inner := self.mapping(element)) is not None:
                self._mapping(site, inner, message=True)
        self._rewrite(site, node, lambda draft: draft.code(parts))

    def _turn(self, site: Site, node: Written, *, role_needed: bool = True) -> None:
        params = self.params
        keys = keys_of(node)
        bare = not role_needed and keys == {params.parts_key}
        if keys != {params.role_key, params.parts_key} and not bare:
            raise RefusedError(CODE, f"`{short(node)}` is not a turn of role and parts alone")
        by_key = dict(pairs_of(node) or ())
        role, parts = by_key.get(params.role_key), by_key[params.parts_key]
        if role is not None and role_needed:
            self._check_role(site, role)
        of_user = isinstance(role, ast.Constant) and role.value == "user"
        if role_needed and not of_user and _is_empty(parts):
            raise RefusedError(CODE, f"a chat leaves out `{short(node)}`, which says nothing")
        self._parts(site, parts)

    def _check_role(self, site: Site, role: ast.expr) -> None:
        """A chat takes two roles and says so when it is made; what a call sends is not looked at
        on either side."""
        said = list(self._roles(role))
        if any(isinstance(value, str) and value not in self.params.roles for value in said):
            raise RefusedError(CODE, f"the role `{short(role)}` is not one of the listed ones")
        if None in said:
            site.warn("history_roles_checked")

    def _roles(self, node: ast.expr) -> Iterator[str | None]:
        """What a role may be; None where that is not written down."""
        if isinstance(node, ast.IfExp):
            yield from self._roles(node.body)
            yield from self._roles(node.orelse)
        elif isinstance(node, ast.Constant):
            yield node.value if isinstance(node.value, str) else None
        else:
            values = list(self._given(node))
            for value in values:
                yield from self._roles(value)
            if not values:
                yield None

    def _given(self, node: ast.expr) -> Iterator[ast.expr]:
        """What a name was given, when that is all written down as constants."""
        variable = self.workspace.home(node).scopes.variable.get(node)
        parents = self.workspace.home(node).parents
        stores = variable.stores if variable is not None and not variable.foreign_stores else []
        statements = [parents.get(store) for store in stores]
        values = [s.value for s in statements if isinstance(s, ast.Assign)]
        if len(values) == len(stores) and all(_is_constant_choice(value) for value in values):
            yield from values

    def _parts(self, site: Site, node: ast.expr) -> None:
        if self.is_text(node):
            self._rewrite(site, node, lambda draft: f"[{self._wrapped(draft, node)}]")
        elif isinstance(node, ast.List | ast.Tuple) and all(map(self._is_known_part, node.elts)):
            for element in node.elts:
                self._part(site, element)
        else:
            self._convert_parts(site, node)

    def _is_known_part(self, node: ast.expr) -> bool:
        if (mapping := self.mapping(node)) is not None:
            return self._passes(mapping) or self._is_blob(mapping)
        return self.is_text(node)

    def _is_blob(self, node: Written) -> bool:
        return keys_of(node) == set(self.params.blob_keys)

    def _part(self, site: Site, node: ast.expr) -> None:
        if self.is_text(node):
            self._rewrite(site, node, lambda draft: self._wrapped(draft, node))
        elif (mapping := self.mapping(node)) is not None and self._is_blob(mapping):
            self._blob(site, mapping)

    def _convert_parts(self, site: Site, node: ast.expr) -> None:
        """Parts that are not known: the new SDK makes them of what it is given."""
        self.check_parts(site, node)
        convert = self.convert(self.workspace.home(node))
        self._rewrite(site, node, lambda draft: f"{convert}(parts={draft.code(node)}).parts")

    def check_parts(self, site: Site, node: ast.expr) -> None:
        for atom in in_order(self.workspace.values(node)):
            self._convertible(site, atom, node)

    def _check_convertible(self, site: Site, node: ast.expr) -> None:
        """A part that stays as it is and is converted where it is sent."""
        for atom in in_order(self.workspace.values(node)):
            if isinstance(atom, Container) and not self._passes(atom.node):
                raise RefusedError(CODE, f"`{short(atom.node)}` is not a part the new SDK takes")
            if atom == IMAGE:
                site.warn("image_reencoded")

    def _passes(self, node: ast.AST) -> bool:
        """Whether a mapping is a part on both SDKs."""
        mapping = self.mapping(node)
        keys = keys_of(mapping) if mapping is not None else None
        return keys is not None and len(keys) == 1 and keys <= set(self.params.passing_keys)

    def _convertible(self, site: Site, atom: Atom, node: ast.expr) -> None:
        """Raises `RefusedError` for what the conversion does not take as legacy did."""
        if not isinstance(atom, Container) or not self._is_sequence(atom.node):
            self._one_convertible(site, atom, node)
            return
        if isinstance(atom.node, ast.Tuple | ast.Set) or atom.is_lazy:
            raise RefusedError(CODE, f"the parts `{short(node)}` are no list")
        for element in self._elements(atom.node):
            self._one_convertible(site, element, node)

    def _one_convertible(self, site: Site, atom: Atom, node: ast.expr) -> None:
        if atom == IMAGE:
            site.warn("image_reencoded")
        if not isinstance(atom, Container):
            return
        mapping = self.mapping(atom.node)
        if mapping is not None and self._is_blob(mapping):
            self._blob(site, mapping)
        elif not self._passes(atom.node):
            raise RefusedError(CODE, f"`{short(atom.node)}` is not a part the new SDK takes")

    def _wrapped(self, draft: Draft, node: ast.expr) -> str:
        key = draft.style.string(self.params.text_key)
        return f"{{{key}: {draft.code(node)}}}"

    def _blob(self, site: Site, node: Written) -> None:
        if node in self._done:
            return
        self._done.add(node)
        home = self.workspace.home(node)
        self.check_reads(home, node)
        self.leave_class(node)
        draft = self.workspace.drafts[home]
        pairs = pairs_of(node) or []
        explode = is_broken(draft, node)

        def elements() -> tuple[Element, ...]:
            return tuple(keyword(key, draft.carried(value)) for key, value in pairs)

        draft.replace_value(
            node,
            lambda: call(
                self.workspace.types(home, self.params.blob_call), elements(), explode=explode
            ),
        )
        site.warn("history_parts_rewritten")
        if self._is_shown(node):
            site.warn(SHOWN)

    def _rewrite(self, site: Site, node: ast.expr, build: object) -> None:
        site.warn("history_parts_rewritten")
        if node in self._done:
            return
        self._done.add(node)
        home = self.workspace.home(node)
        self.check_reads(home, node)
        self.leave_class(node)
        if any(map(self._is_shown, _around(home, node))):
            site.warn(SHOWN)
        draft = self.workspace.drafts[home]
        assert callable(build)
        draft.replace(node, lambda: build(draft))

    def leave_class(self, node: ast.expr) -> None:
        """The class a mapping was made with is not named any more."""
        if isinstance(node, ast.Call) and self.mapping(node) is not None:
            self.workspace.consumed.add(node.func)

    def check_reads(self, home: Module, node: ast.AST) -> None:
        """A literal that somebody else reads must keep its shape."""
        if reader := self._reader(home, node):
            raise RefusedError(CODE, f"`{short(reader)}` is also read elsewhere")

    def _reader(self, home: Module, node: ast.AST) -> ast.AST | None:
        """The literal around a part, or it itself, that somebody else reads."""
        flow = self.workspace.flow
        for here in _around(home, node):
            reads = flow.item_reads.get(here, set())
            of_parts = {self.params.parts_key, None} if self.mapping(here) else set()
            if here in flow.leaked or reads & of_parts or (here is node and reads):
                return here
        return None

    def is_text(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str)
        return self.workspace.values(node) == frozenset({STR})

    def _elements(self, node: ast.AST) -> Iterator[Atom]:
        flow = self.workspace.flow
        yield from in_order(flow.fact("element", node) | flow.fact("any item", node))

    def _is_sequence(self, node: ast.AST) -> bool:
        several = ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp | ast.Set | ast.Call
        several |= ast.Name  # that of what makes the lists of a mapping
        return isinstance(node, several) and not is_made(self.workspace, node)


def _around(home: Module, node: ast.AST) -> Iterator[ast.AST]:
    """An expression and those it stands in."""
    here: ast.AST | None = node
    while here is not None and not isinstance(here, ast.stmt):
        yield here
        here = home.parents.get(here)


def _is_empty(parts: ast.expr) -> bool:
    """Whether parts are none, or one of them is an empty text."""
    if isinstance(parts, ast.List | ast.Tuple):
        return not parts.elts or any(map(_is_empty_text, parts.elts))
    return _is_empty_text(parts)


def _is_empty_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == ""


def _is_constant_choice(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_constant_choice(node.body) and _is_constant_choice(node.orelse)
    return isinstance(node, ast.Constant)


def short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."
