"""`fix --check-target`: whether what is emitted fits the google-genai that is installed."""

from __future__ import annotations

from pathlib import Path

from chatport.cli.exits import UsageError
from chatport.port.findings import Plan, Problem
from chatport.port.prove.environments import RECIPES, Side, UnusableEnvironmentError, ensure, given
from chatport.port.prove.signatures import check_plan


def misfits(plan: Plan, target: str) -> tuple[Problem, ...]:
    """Every place of the planned files that does not fit; `target` is a recipe or an interpreter.

    Raises `UsageError` when the target cannot be used.
    """
    recipe = RECIPES.get(target)
    if recipe is not None and recipe.side is not Side.NEW:
        raise UsageError(
            f"--check-target {target}: that is the old SDK; name genai1, genai2, genai3 or a Python"
        )
    try:
        environment = ensure(target) if recipe else given(Side.NEW, Path(target))
        checked = check_plan(plan, environment)
    except UnusableEnvironmentError as problem:
        raise UsageError(
            f"--check-target {target}: {problem}\n"
            "There are genai1, genai2 and genai3 too, which are made when they are asked for."
        ) from problem
    return tuple(
        Problem(f"{one.path}:{one.line}:{one.column}", f"the new code does not fit: {one.message}")
        for one in checked.misfits
    )
