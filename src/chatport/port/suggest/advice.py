"""What a person may write where a use is refused.

The rules run once more over the program, with every premise waived that they could not prove. What
they draft then at a refused use is the rewrite it would get if what is doubted were so; a sentence
says what that is. Where they draft nothing, a form of the code, or the tables of the pack, say how
the use is written, with the author's own expressions. None of it is ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from chatport.port.codes import CODES
from chatport.port.findings import Suggestion
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.suggest.context import Context
from chatport.port.suggest.drafted import drafted
from chatport.port.suggest.forms import FORMS, Form, from_pack
from chatport.port.suggest.hunks import hunks_of
from chatport.port.suggest.table import by_table


class Advice:
    """The suggestions for the refusals of one program."""

    def __init__(self, workspace: Workspace, waived: Callable[[], Workspace]) -> None:
        """`waived` runs the rules with every premise waived; only when something is refused."""
        self._proven = workspace
        self._waived = waived
        self.faults: list[Exception] = []
        """What went wrong on the way: a rule may rely on what it would have refused."""

    @cached_property
    def _workspace(self) -> Workspace:
        try:
            return self._waived()
        except Exception as fault:  # a suggestion is not worth a plan
            self.faults.append(fault)
            return self._proven

    def of(self, site: Site, refusal: Refusal) -> Suggestion | None:
        """What may be written in the place of a use that is refused for itself."""
        workspace = self._workspace
        context = Context(workspace, workspace.by_node.get(site.node, site), refusal)
        for way in self._ways(refusal):
            try:
                hunks = hunks_of(context.source, way(context) or ())
            except Exception as fault:  # as above
                self.faults.append(fault)
                continue
            if hunks:
                code = CODES[refusal.code]
                return Suggestion(hunks, code.check or code.remedy)
        return None

    def _ways(self, refusal: Refusal) -> Iterator[Form]:
        yield from FORMS.get(refusal.code, ())
        yield drafted
        yield by_table
        yield from_pack
