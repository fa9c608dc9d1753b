"""Messages that legacy raised for where the new chat gives an answer back, under broad handlers.

Legacy raised for a blocked prompt and for an answer that ended too early; a handler of everything
around the message saw that. Where the text is read under a guard the handler still does.
"""

from __future__ import annotations

from chatport.port.packs.schema import RaisedAnswers
from chatport.port.rules.base import Workspace
from chatport.port.rules.members import GUARDED
from chatport.port.rules.raised_reads import is_waited_for

WARNING = "blocked_message_comes_back"


def warn_of_blocked(workspace: Workspace, params: RaisedAnswers) -> None:
    """Warn of the messages whose handler meets nothing any more."""
    for site in workspace.sites:
        if (
            site.member in params.members
            and site.call is not None
            and site.call not in workspace.streams
            and site.refusal is None
            and GUARDED not in site.warnings
            and is_waited_for(workspace, site.module, site.call, "Exception")
        ):
            site.warn(WARNING)
