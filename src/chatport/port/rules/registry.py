"""The rules by the kind of change they carry, in the order they run."""

from __future__ import annotations

from chatport.port.packs.schema import (
    Call,
    ConfigureToClient,
    Exceptions,
    FlagOnly,
    ManifestDependency,
    MemberReads,
    MockTargets,
    ModelCalls,
    RenameImport,
)
from chatport.port.rules import uses
from chatport.port.rules.base import Workspace
from chatport.port.rules.blocked_messages import warn_of_blocked
from chatport.port.rules.calls import CallRule
from chatport.port.rules.client import ClientRule
from chatport.port.rules.enums import EnumRule
from chatport.port.rules.flags import FlagRule, refuse_unclaimed, refuse_unreliable
from chatport.port.rules.handlers import ExceptionRule
from chatport.port.rules.imports import ImportRule, choose_names, keep_guarded
from chatport.port.rules.installs import InstallRule
from chatport.port.rules.members import MemberRule
from chatport.port.rules.mocks.rule import MockRule
from chatport.port.rules.model_calls import ModelCallsRule, link
from chatport.port.rules.shared import tie_shared_objects


def apply(workspace: Workspace) -> ImportRule:
    """Find the uses and let every rule of the pack decide about its own; the import rule is
    given back, because it finishes each file when all else is settled."""
    surface = workspace.surface
    imports = surface.change(RenameImport)
    assert imports is not None
    uses.collect(workspace)
    choose_names(workspace, imports)
    link(workspace)
    tie_shared_objects(workspace)
    rename = ImportRule(imports)
    if calls := surface.change(ModelCalls):
        ModelCallsRule(calls).run(workspace)
    if free := surface.change(Call):
        CallRule(free).run(workspace)
    if exceptions := surface.change(Exceptions):
        ExceptionRule(exceptions).run(workspace)
    if members := surface.change(MemberReads):
        EnumRule(members).run(workspace)
        MemberRule(members).run(workspace)
    if exceptions is not None and exceptions.params.raised is not None:
        warn_of_blocked(workspace, exceptions.params.raised)
    if configure := surface.change(ConfigureToClient):
        ClientRule(configure).run(workspace)
    if mocks := surface.change(MockTargets):
        MockRule(mocks).run(workspace)
    rename.run(workspace)
    if dependency := surface.change(ManifestDependency):
        InstallRule(dependency).run(workspace)
    if flags := surface.change(FlagOnly):
        FlagRule(flags).run(workspace)
    refuse_unclaimed(workspace)
    refuse_unreliable(workspace)
    keep_guarded(workspace)
    return rename
