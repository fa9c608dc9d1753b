"""The hooks and the action: what they name exists, and the scripts do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from chatport.cli.app import whole_parser
from tests.cli.test_interactive import PROGRAM

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_is_a_command_that_exists(hook: dict[str, Any]) -> None:
    program, *words = hook["entry"].split()
    assert program == "chatport"
    assert whole_parser().parse_args(words).command == words[0]
    assert not hook["pass_filenames"], "files of a project bear on each other"
    assert hook["id"] in PAGE


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_for_every_kind_of_file_that_is_read(hook: dict[str, Any]) -> None:
    kinds = {"python", "jupyter", "plain-text", "toml", "ini", "yaml", "dockerfile"}
    assert set(hook["types_or"]) == kinds


def test_hooks_install_what_the_commands_need() -> None:
    from importlib.metadata import requires

    extra = [one for one in requires("chatport") or () if one.endswith("extra == 'port'")]
    needed = {re.split(r"[;\s]", one)[0] for one in extra}
    for hook in HOOKS:
        assert set(hook["additional_dependencies"]) == needed


def test_no_script_of_the_action_holds_an_input() -> None:
    for step in STEPS.values():
        assert "${{" not in step.get("run", ""), "an input could be a command"


def run_check(folder: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the step as a runner does; returns the code it hands on, its output and the summary."""
    given = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | inputs
    summary, output = folder / "summary.md", folder / "output"
    summary.write_text("")
    output.write_text("")
    chatport = Path(sys.executable).with_name("chatport")
    environment = {
        **os.environ,
        "PATHS": given["paths"],
        "BASELINE": given["baseline"],
        "SARIF": given["sarif"],
        "CHATPORT": str(chatport),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(output),
    }
    assert set(STEPS["Check"]["env"]) <= set(environment)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", STEPS["Check"]["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    code = re.search(r"code=(\d+)", output.read_text())
    assert code is not None
    return int(code[1]), done.stdout, summary.read_text()


def run_steps(folder: Path, runner: Path, **inputs: str) -> tuple[int, dict[str, str]]:
    """Run all steps that have a script, as a runner does: what a step writes to its outputs, the
    expressions of later ones read. Returns the exit code and the texts of the files of the runner.
    """
    given = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | inputs
    outputs: dict[str, str] = {}
    summary = runner / "summary.md"
    summary.write_text("")
    for step in ACTION["runs"]["steps"]:
        if "run" not in step:
            assert step["uses"].split("@")[0] in {
                "actions/setup-python",
                "github/codeql-action/upload-sarif",
            }
            continue
        assert step["shell"] == "bash", "a composite step has to name its shell"
        known = {f"inputs.{name}": value for name, value in given.items()} | {
            "runner.temp": str(runner),
            "github.action_path": str(ROOT),
            **{f"steps.check.outputs.{name}": value for name, value in outputs.items()},
        }

        def told(text: str, known: dict[str, str] = known) -> str:
            return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: known[found[1]], text)

        output = runner / "output"
        output.write_text("")
        environment = {
            "PATH": f"{runner / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(runner),
            "RUNNER_TEMP": str(runner),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(output),
            **{name: told(value) for name, value in step.get("env", {}).items()},
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        outputs |= dict(line.split("=", 1) for line in output.read_text().splitlines())
        if done.returncode:
            return done.returncode, {"summary": summary.read_text(), "log": done.stderr}
    return 0, {"summary": summary.read_text(), "log": ""}


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A runner's folder, whose Python makes an environment with the chatport that is tested: what
    an index would be asked for is not part of the action."""
    place = tmp_path / "runner"
    (place / "bin").mkdir(parents=True)
    python = place / "bin" / "python"
    made = f"""\
#!/bin/sh
test "$1 $2" = "-m venv" || exit 64
mkdir -p "$3/bin"
ln -s "{Path(sys.executable).with_name("chatport")}" "$3/bin/chatport"
printf '#!/bin/sh\\necho "$@" > "%s"\\n' "{place / "installed"}" > "$3/bin/pip"
chmod +x "$3/bin/pip"
"""
    python.write_text(made)
    python.chmod(0o755)
    return place


def test_the_steps_of_the_action_run_one_after_another(tmp_path: Path, runner: Path) -> None:
    folder = tmp_path / "a chéckout"
    folder.mkdir()
    assert run_steps(folder, runner)[0] == 0
    assert (runner / "installed").read_text().split()[-1] == f"{ROOT}[port]"
    (folder / "app.py").write_text(PROGRAM)
    (runner / "chatport" / "bin" / "chatport").unlink()
    code, texts = run_steps(folder, runner)
    assert code == 1, "the last step fails the job"
    assert texts["summary"].startswith("## Port by chatport\n")
    assert '"version": "2.1.0"' in (folder / "chatport.sarif").read_text()


def test_the_action_fails_on_legacy_code_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "a file.py").write_text(PROGRAM)
    code, out, summary = run_check(tmp_path)
    assert code == 1
    assert "::notice file=a file.py,line=1," in out
    assert summary.startswith("## Port by chatport\n")
    assert '"version": "2.1.0"' in (tmp_path / "chatport.sarif").read_text()


def test_the_action_passes_without_and_with_what_is_accepted(tmp_path: Path) -> None:
    assert run_check(tmp_path)[0] == 0
    (tmp_path / "app.py").write_text(PROGRAM)
    words = ["check", "--baseline", "base.json", "--update-baseline"]
    subprocess.run(
        [sys.executable, "-m", "chatport", *words], cwd=tmp_path, check=True, capture_output=True
    )
    assert run_check(tmp_path, baseline="base.json")[0] == 0
    assert run_check(tmp_path)[0] == 1


def test_paths_of_the_action_are_one_a_line_and_never_options(tmp_path: Path) -> None:
    for name in ("a b", "c", "d"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(PROGRAM)
    _, out, _ = run_check(tmp_path, paths="a b\nc\n")
    assert "a b/app.py" in out
    assert "c/app.py" in out
    assert "d/app.py" not in out
    code, _, _ = run_check(tmp_path, paths="--output=evil; touch owned")
    assert code == 2
    assert not (tmp_path / "owned").exists()
    assert not (tmp_path / "evil").exists()


def test_the_page_names_every_input_that_it_shows() -> None:
    block = PAGE.split("with:\n")[1].split("```")[0]
    shown = set(re.findall(r"^\s+([\w-]+):", block, re.MULTILINE))
    assert shown <= set(ACTION["inputs"])
