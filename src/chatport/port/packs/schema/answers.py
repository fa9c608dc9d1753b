"""The changes of what comes back: fields of answers, and exceptions."""

from __future__ import annotations

from chatport.port.packs.schema.struct import Struct


class MemberRead(Struct, frozen=True, kw_only=True):
    """An attribute of a legacy object, as it reads on the new one."""

    becomes: str | None = None
    """New attribute name, or a call when it ends in ``)``; None keeps the name, and nothing means
    the object itself."""
    warning: str | None = None
    code: str | None = None
    """Refused under this code."""
    reason: str = ""
    asked: str = ""
    """What is asked instead where only its truth is, or whether it is None, with ``{}`` for an
    owner that is no stream."""
    raises: str = ""
    """The exception legacy raised where the new value is None."""
    guarded: bool = False
    """The owner may be None on the new SDK; kept where only truth is asked, or with a warning."""
    through: str = ""
    """The member by which such an owner is read, where only that one may be None."""
    emptiness: str = ""
    """The exception legacy raised for an item of an empty list, where the new value is None."""
    empty: str = ""
    """What legacy had where the new value is None, as code."""
    shown: str = ""
    """The warning with which it may be shown as text although its owner may be None."""
    enum: str = ""
    """The new enumeration the value belongs to."""
    numbers: dict[str, str] = {}
    """The legacy number of a member -> its name."""
    stores: str | None = None
    """The code a write or a changing call on it is refused with."""


class MemberReads(Struct, frozen=True, kw_only=True, tag_field="kind", tag="member_reads"):
    """Attributes that moved, changed or went."""

    id: str
    citation: str
    members: dict[str, MemberRead]
    """``Type.attribute`` -> how it reads now. A member of a listed type that is missing here is
    refused."""
    types: tuple[str, ...]
    asked_for_fields: tuple[str, ...] = ()
    """Types that told by ``in`` which fields were set."""
    set_or_none: tuple[str, ...] = ()
    """Those of them whose new objects have None where a field was not set."""
    iterated: tuple[str, ...] = ()
    """Types that had no ``in``, which therefore looked at the pieces of an answer."""
    one_sided: dict[str, tuple[str, ...]] = {}
    """Type -> the attributes that its objects have on one of the two sides."""
    on_every_object: tuple[str, ...] = ()
    """Attributes that every new object has, and no legacy one."""
    told_at_once: tuple[str, ...] = ()
    """Types whose legacy objects read no attribute that a program sets on them."""
    without_hash: tuple[str, ...] = ()
    """Types whose legacy objects could be keys, and whose new ones cannot."""


class NewError(Struct, frozen=True, kw_only=True):
    """How the new SDK says what a class of the transport said."""

    name: str
    """The new class."""
    code: int = 0
    """The HTTP status it must have, when the legacy class meant only that one."""
    status: str = ""
    """The word of the status, where several share a code."""


class ErrorClasses(Struct, frozen=True, kw_only=True):
    """The exceptions of the transport that have a counterpart."""

    service: str
    """The module of the new classes, beside the types."""
    base: str
    """The new class all others inherit from."""
    parents: dict[str, str]
    """New class -> the one it inherits from."""
    statuses: dict[str, int]
    """The words of statuses -> their codes; of several with one code, the usual one is first."""
    classes: dict[str, NewError]
    """Legacy symbol -> what it became."""
    attributes: tuple[str, ...]
    """Attributes that mean the same on both sides."""
    shared: tuple[str, ...]
    """Import prefixes of other libraries that raise the same legacy classes."""
    apart: tuple[str, ...] = ()
    """New classes that leave out what legacy's said of a broken connection."""


class RaisedAnswers(Struct, frozen=True, kw_only=True):
    """Answers that legacy raised where the new SDK gives them back."""

    blocked: str
    """The legacy exception of a blocked prompt."""
    stopped: str
    """The legacy exception of an answer that ended for a reason not in `ends`."""
    members: tuple[str, ...]
    """``Type.method`` of the calls that raised them, when they did not stream."""
    feedback: str
    """The attribute of the new answer that says of the prompt, and of that the reason."""
    reason: str
    candidates: str
    """The attribute that lists the answers, and of one the reason it ended for."""
    finish: str
    content: str
    """The attribute of one answer that is its turn."""
    enum: str
    """The new enumeration of those reasons."""
    history: str
    """The legacy parameter of a new chat that is only its past."""
    sent: str
    """The call of the new chat that gives the list of what it sends."""
    ends: tuple[str, ...]


class ExceptionParams(Struct, frozen=True, kw_only=True):
    modules: tuple[str, ...]
    """Modules whose exceptions and retries the new SDK never raises and never meets."""
    classes: tuple[str, ...] = ()
    """Legacy exceptions without a counterpart."""
    errors: ErrorClasses
    raised: RaisedAnswers
    instead: str
    """What to wait for on the new SDK, as code to read."""


class Exceptions(Struct, frozen=True, kw_only=True, tag_field="kind", tag="exceptions"):
    """Handlers of classes that are not raised any more hold back the calls they guard."""

    id: str
    citation: str
    params: ExceptionParams
