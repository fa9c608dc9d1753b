"""`--atomic site`: what is refused stays, the rest is ported, and nothing crosses over."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.config import Config
from chatport.port.findings import Plan, Status
from chatport.port.planner import plan

HEAD = """\
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
"""
EDITS = "chat.history.append(1)\n"
EDIT = f"    {EDITS}"
ASK = """\


def ask(question):
    return genai.GenerativeModel("gemini-2.0-flash").generate_content(question).text
"""
STAYS = """\


def talk():
    chat = genai.GenerativeModel("gemini-pro").start_chat()
    chat.history.append(1)
    return chat.send_message("x").text
"""


def planned(folder: Path, **files: str) -> Plan:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return plan([folder], root=folder, config=Config(atomic="site"))


def outcome(folder: Path, text: str) -> tuple[Status, str]:
    """What becomes of one file."""
    (file,) = planned(folder, app=text).files
    return file.status, (file.after or file.before).decode()


def test_the_uses_of_one_file_go_their_own_ways(tmp_path: Path) -> None:
    status, text = outcome(tmp_path, HEAD + ASK + STAYS)
    assert status is Status.PARTLY
    assert text == (
        """\
import os

import google.generativeai as genai
from google import genai as google_genai
from google.genai import types

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
client = google_genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def ask(question):
    return client.models.generate_content(
        model="gemini-2.0-flash",
        contents=question,
    ).text
"""
        + STAYS
    )


def test_what_serves_both_says_what_needs_it(tmp_path: Path) -> None:
    made = planned(tmp_path, app=HEAD + ASK + STAYS)
    said = {
        (one.place.line, one.code, one.cause.place.line if one.cause else None)
        for one in made.findings()
        if one.code is not None
    }
    assert said == {
        (3, "needed_by_refused", 14),
        (5, "needed_by_refused", 14),
        (13, "history_write", 14),
        (14, "history_write", None),
        (15, "history_write", 14),
    }


def test_a_second_run_finds_nothing_more(tmp_path: Path) -> None:
    _, text = outcome(tmp_path, HEAD + ASK + STAYS)
    status, again = outcome(tmp_path, text)
    assert (status, again) == (Status.REFUSED, text)


def test_when_the_rest_is_resolved_the_old_sdk_goes(tmp_path: Path) -> None:
    _, text = outcome(tmp_path, HEAD + ASK + STAYS)
    status, text = outcome(tmp_path, text.replace(EDIT, ""))
    assert status is Status.PORTED
    assert "generativeai" not in text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(HEAD + ASK, Status.PORTED, id="nothing is refused"),
        pytest.param(HEAD + STAYS, Status.REFUSED, id="nothing else is there"),
        pytest.param(HEAD, Status.PORTED, id="nothing is used"),
    ],
)
def test_where_there_are_not_two_kinds_it_is_as_for_files(
    tmp_path: Path, text: str, status: Status
) -> None:
    found, after = outcome(tmp_path, text)
    assert found is status
    (file,) = plan([tmp_path], root=tmp_path).files
    assert (file.after or file.before).decode() == after


CHAT = f"\nchat = genai.GenerativeModel('m').start_chat()\n{EDITS}"
OTHER = "genai.GenerativeModel('n').generate_content"
GUARDED = """
try:
    print(genai.GenerativeModel('m').generate_content('x').text)
except ResourceExhausted:
    print('later')
"""
IMPORTED_MAYBE = """\
try:
    import google.generativeai as genai
except ImportError:
    genai = None
"""
IN_ONE_LINE = "import google.generativeai as genai; genai.configure(api_key='k')\n"
ASKS_FOR_THE_KEY = """\
from getpass import getpass

import google.generativeai as genai

genai.configure(api_key=getpass())
"""
TWO_CHATS = f"""
model = genai.GenerativeModel('m')
first = model.start_chat()
second = model.start_chat()
first.{EDITS.removeprefix("chat.")}
print(second.send_message('x').text)
"""
HANDED_ON = f"""

def turns(chat):
    return convert(chat.history)

{CHAT}
print({OTHER}(turns(chat)).text)
"""
TABLE = f"""
SAFE = frozen({{genai.types.HarmCategory.HARM_CATEGORY_HARASSMENT: 4}})
chat = genai.GenerativeModel('m', safety_settings=SAFE).start_chat()
{EDITS}
print({OTHER}('x', safety_settings=SAFE).text)
"""
LIMITS = "from google.api_core.exceptions import ResourceExhausted\n"
WHOLE = {
    "a handler is written for one SDK": LIMITS + HEAD + GUARDED + STAYS,
    "the import may fail": IMPORTED_MAYBE + ASK + STAYS,
    "a key would be asked for twice": ASKS_FOR_THE_KEY + ASK + STAYS,
    "the configuration shares its line": IN_ONE_LINE + ASK + STAYS,
    "two chats of one model": HEAD + TWO_CHATS,
    "what is made of one is given to the other": HEAD
    + CHAT
    + f"old = convert(chat.history)\nprint({OTHER}(old).text)\n",
    "a function hands it on": HEAD + HANDED_ON,
    "a list collects it": HEAD
    + CHAT
    + f"parts = []\nparts.append(convert(chat.last))\nprint({OTHER}(parts).text)\n",
    "an object keeps it": HEAD + CHAT + f"page.last = chat.last\nprint({OTHER}(page.last).text)\n",
    "it goes where nobody follows": HEAD
    + CHAT
    + f"store(chat.last)\nprint({OTHER}(load()).text)\n",
    "a name for it goes there": HEAD
    + CHAT
    + f"last = chat.last\nstore(last)\nprint({OTHER}(load()).text)\n",
    "both stand in one statement": HEAD
    + CHAT
    + f"print(chat.send_message('x').text, {OTHER}('y').text)\n",
    "a table that is not followed": HEAD + TABLE,
    "only an annotation is left": HEAD + "\n\ndef talk(chat: genai.ChatSession):\n    " + EDITS,
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_cannot_be_told_apart_is_left_whole(tmp_path: Path, name: str) -> None:
    status, after = outcome(tmp_path, WHOLE[name])
    assert (status, after) == (Status.REFUSED, WHOLE[name])


def test_a_table_that_both_read_keeps_both(tmp_path: Path) -> None:
    table = "SAFE = {genai.types.HarmCategory.HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE'}\n"
    asks = (
        "\n\nprint(genai.GenerativeModel('m', safety_settings=SAFE).generate_content('x').text)\n"
    )
    talks = STAYS.replace('("gemini-pro")', '("gemini-pro", safety_settings=SAFE)')
    status, _ = outcome(tmp_path, HEAD + table + asks + talks)
    assert status is Status.REFUSED
    status, text = outcome(tmp_path, HEAD + table + asks + STAYS)
    assert status is Status.PARTLY
    assert "SAFE" not in text


def test_a_configuration_serves_modules_of_both_kinds(tmp_path: Path) -> None:
    made = planned(
        tmp_path,
        settings=HEAD,
        asks="import google.generativeai as genai\n\nimport settings\n" + ASK,
        talks="import google.generativeai as genai\n\nimport settings\n" + STAYS,
        main="import asks\nimport talks\n",
    )
    statuses = {file.path: file.status for file in made.files}
    assert statuses == {
        "settings.py": Status.PARTLY,
        "asks.py": Status.PORTED,
        "talks.py": Status.REFUSED,
    }
    text = next(file.after for file in made.files if file.path == "settings.py")
    assert text is not None
    assert b"genai.configure(" in text
    assert b"client = google_genai.Client(" in text


def test_a_file_that_no_other_needs_is_ported_whole(tmp_path: Path) -> None:
    made = planned(tmp_path, back=HEAD + STAYS, front=HEAD + ASK)
    assert {file.path: file.status for file in made.files} == {
        "back.py": Status.REFUSED,
        "front.py": Status.PORTED,
    }


def test_requirements_name_both(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("google-generativeai==0.8.5\n")
    (file,) = planned(tmp_path, app=HEAD + ASK + STAYS).manifests
    assert file.after is not None
    assert file.after.splitlines()[0] == b"google-generativeai==0.8.5"
    assert b"google-genai>=" in file.after


def test_markers_stand_at_what_stays(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(HEAD + ASK + STAYS)
    config = Config(atomic="site", annotate=True)
    (file,) = plan([tmp_path], root=tmp_path, config=config).files
    assert file.after is not None
    assert (
        b"    # chatport: review[history_write] google.generativeai.ChatSession.history\n"
        + EDIT.encode()
    ) in file.after
    assert b"client.models.generate_content" in file.after
    (tmp_path / "app.py").write_bytes(file.after)
    (again,) = plan([tmp_path], root=tmp_path, config=config).files
    assert again.after is None


def test_a_notebook_lives_on_both(tmp_path: Path) -> None:
    import json

    from tests.accepted.test_notebooks import notebook

    data = notebook(*([line + "\n" for line in part.split("\n")] for part in (HEAD, ASK, STAYS)))
    (tmp_path / "n.ipynb").write_bytes(data)
    (file,) = plan([tmp_path], root=tmp_path, config=Config(atomic="site")).files
    assert file.status is Status.PARTLY
    assert file.after is not None
    cells = ["".join(cell["source"]) for cell in json.loads(file.after)["cells"]]
    assert "genai.configure(" in cells[1]
    assert "google_genai.Client(" in cells[1]
    assert "client.models.generate_content" in cells[2]
    assert cells[3].strip() == STAYS.strip()
