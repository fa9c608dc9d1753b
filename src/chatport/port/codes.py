"""The closed vocabulary: every code a finding can carry, with what it means and what to do.

`message` is one sentence about the kind of use; a finding adds what about its place. The pages
under ``docs/codes/`` and ``chatport explain`` show this table and the examples beside it, in
``code_examples/``.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Code(NamedTuple):
    """One code: what was found, why it matters, and what to do next."""

    name: str
    message: str
    why: str
    remedy: str
    warning: bool = False
    """Rides on an `auto` finding instead of refusing."""


class Example(NamedTuple):
    """A smallest example of a code.

    `before` is what is found. `after` is what a person writes instead or, for a warning, what
    chatport writes. `file` is where such lines stand. `not_run` says why the two cannot be
    executed, `differs` in what their requests differ on purpose; both are empty otherwise.
    """

    before: str
    after: str
    file: str = "app.py"
    not_run: str = ""
    differs: str = ""


@cache
def examples() -> dict[str, Example]:
    """The examples by code. A code that has none needs none: its message names the place."""
    import tomllib
    from importlib.resources import files

    return {
        name: Example(**fields)
        for file in (files("chatport.port") / "code_examples").iterdir()
        for name, fields in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


def _table(*codes: Code) -> dict[str, Code]:
    return {code.name: code for code in codes}


CODES: dict[str, Code] = _table(
    Code(
        "file_withheld",
        "Another use in this file cannot be ported yet, so the file is left as it is.",
        "A file that imports two SDKs half ported is harder to review than one that waits.",
        "Resolve the use that is named as the cause; this one is then ported with its file.",
    ),
    Code(
        "left_out",
        "You asked to leave this as it is.",
        "A rule, a warning or a file is left out by an option or in pyproject.toml; what stands or "
        "falls with it is held back too.",
        "Take the name out of skip or exclude when it is to be ported.",
    ),
    Code(
        "repository_withheld",
        "Another file cannot be ported yet, and nothing is to be written until all can be.",
        "With --atomic repo a repository is ported in one step or not at all.",
        "Resolve what holds the other file back, or say --atomic file.",
    ),
    Code(
        "usage_unmapped",
        "No rule knows this use of the legacy SDK.",
        "What has no rule has not been compared on both SDKs, so nothing is claimed about it.",
        "Write it in the new SDK by hand. If many programs use it, it deserves a rule.",
    ),
    Code(
        "flag_only_surface",
        "This part of the legacy SDK is recognised, and not rewritten.",
        "The new SDK has no service of the same meaning, or has one of another design.",
        "Decide what the program should do instead: a plain generate_content where an old text "
        "or chat service was used, client.caches for cached contents, types.* for messages of "
        "the wire.",
    ),
    Code(
        "receiver_unresolved",
        "What this is called on cannot be followed to a model or chat made here.",
        "A call is only rewritten when every object it may be called on is known.",
        "Make the model or chat where it can be followed (a name, a parameter, an attribute of "
        "self), or write the call for the new SDK by hand.",
    ),
    Code(
        "receiver_method_unmapped",
        "This method has no counterpart on the object the new SDK gives.",
        "The new SDK has one kind of chat for plain calls and another for awaited ones, and "
        "some methods have gone.",
        "Use the chat one way only, or keep two chats; write methods that have gone with what "
        "the new chat has.",
    ),
    Code(
        "method_used_as_value",
        "A method or function of the legacy SDK is passed around instead of called.",
        "Where it is called at last, and with what, is not seen.",
        "Wrap the call in a function of your own and pass that.",
    ),
    Code(
        "unsupported_kwarg",
        "An argument of this call cannot be carried over.",
        "Dropping a parameter would change what the call does.",
        "Say it in the configuration of the call, where request_options are http_options with a "
        "timeout in milliseconds; or leave it out on purpose.",
    ),
    Code(
        "dynamic_stream_flag",
        "Whether this call streams is decided when it runs.",
        "The new SDK has two methods, one that streams and one that does not.",
        "Branch on the flag and call one or the other.",
    ),
    Code(
        "default_model_name_required",
        "The constructor names no model.",
        "The new SDK has no default model, and legacy's has been retired.",
        "Name a model that is still served.",
    ),
    Code(
        "generation_config_not_static",
        "The generation configuration cannot be read from the program.",
        "The new SDK takes one object with checked fields; what is not known to be such fields "
        "may be refused or lost.",
        "Write the configuration as a literal, or annotate what is certainly a mapping; or make a "
        "types.GenerateContentConfig of it, which raises for a key it does not know.",
    ),
    Code(
        "config_not_portable",
        "The configuration to restate here is only known somewhere else.",
        "The new chat replaces its configuration by the message's, so a message with one of its "
        "own must repeat the rest; here the rest cannot be repeated.",
        "Keep the configuration in a variable both places can read.",
    ),
    Code(
        "safety_settings_not_static",
        "The safety settings cannot be read as a table of known categories and thresholds.",
        "The new enums accept unknown members with only a warning, so a wrong name would switch "
        "a filter off silently.",
        "Write the table out with full names; or look names up as types.HarmCategory[name], "
        "which raises KeyError for a wrong one.",
    ),
    Code(
        "history_parts_shape_incompatible",
        "The turns or parts here are not certainly of the shape the new SDK takes.",
        "Legacy took bare strings and several kinds of mappings as parts; the new SDK does not, "
        "and wrapping what is already a part fails at the first message.",
        'Write each part as {"text": ...} or as types.Part; turns that come from elsewhere are '
        "best converted in one place.",
    ),
    Code(
        "afc_semantics_differ",
        "Which functions are called by themselves here, and how, differs between the SDKs.",
        "Automatic function calling is off by default in legacy and on in the new SDK, and it "
        "passes numbers, results and errors on in other forms.",
        "Say automatic_function_calling= explicitly, and look at what the functions are given "
        "and what the model is told.",
    ),
    Code(
        "async_stream_await_missing",
        "This loop runs over a coroutine that nobody awaits.",
        "It already raises TypeError on the legacy SDK.",
        "Await the call first.",
    ),
    Code(
        "response_shape_changed",
        "The result is used in a way its new form does not support.",
        "A stream is a one-shot generator now, and responses are other objects with other "
        "conversions.",
        "Collect what you need while iterating, or read the new fields.",
    ),
    Code(
        "stream_history_shape",
        "After a stream the chat keeps one turn for each chunk; legacy joined them.",
        "Later messages of the chat send the same text in more, shorter turns.",
        "Nothing to do, unless the history is read.",
        warning=True,
    ),
    Code(
        "stream_history_read",
        "The history of a chat is read after it streamed.",
        "The new chat keeps every chunk of a stream as a turn of its own; legacy joined them.",
        "Keep what was streamed in a variable of your own, or join the model's turns before "
        "reading them.",
    ),
    Code(
        "history_write",
        "The history of a chat is changed from outside.",
        "The new chat keeps two lists, and changing the one that can be read does not change "
        "what is sent.",
        "Make a new chat with the history you want.",
    ),
    Code(
        "attribute_removed",
        "This attribute has no counterpart on the new object.",
        "The new SDK keeps the information elsewhere or not at all.",
        "Keep what you need in a variable of your own.",
    ),
    Code(
        "value_may_be_none",
        "What is read here is None on the new SDK where legacy had an empty value.",
        "Reading on raises AttributeError or TypeError on an ordinary answer.",
        "Test for None first.",
    ),
    Code(
        "enum_value_changed",
        "An enumeration is used as a number or as text here.",
        "Its members are strings now: a comparison with a number is silently false.",
        "Compare with the member, types.FinishReason.STOP for example, or use its .name.",
    ),
    Code(
        "text_no_longer_raises",
        "A handler here waits for an exception that reading the text no longer raises.",
        "Legacy raised ValueError when there was no text; now the text is None.",
        "Test the text for None and do what the handler did.",
    ),
    Code(
        "error_class_changed",
        "An exception class is caught here that the new SDK does not raise.",
        "The handler would never run again, and how it would be written here is not certain.",
        "Catch google.genai.errors.APIError and look at its code; for deadlines, the errors of the "
        "HTTP client. A blocked prompt raises nothing: read prompt_feedback and finish_reason.",
    ),
    Code(
        "count_tokens_config_carries_semantics",
        "The count included the system instruction or the tools.",
        "The new SDK refuses them in a count on this API, and the number would be smaller.",
        "Count the contents alone on purpose, or add the instruction to the contents.",
    ),
    Code(
        "count_tokens_config_dropped",
        "The sampling configuration is left out of the count, which it never changed.",
        "The new SDK refuses it there.",
        "Nothing to do.",
        warning=True,
    ),
    Code(
        "model_object_escapes",
        "The model itself is passed on.",
        "There is no model object any more; whoever receives it would get something else.",
        "Pass the client and the model's name, or a function that makes the call.",
    ),
    Code(
        "type_reference",
        "A class of the legacy SDK is used as a value here.",
        "There is no class of the same role.",
        "Test for what you need instead of the class; keep a function that makes the call where "
        "a class was kept.",
    ),
    Code(
        "configure_kwargs_unsupported",
        "The configuration says something the client cannot be told in the same way.",
        "Dropping it would change where requests go or who makes them.",
        "Say it in types.HttpOptions: base_url, headers, timeout in milliseconds.",
    ),
    Code(
        "configure_not_a_statement",
        "The configuration call is part of a larger expression.",
        "A client must be bound to a name here.",
        "Put the call on a line of its own.",
    ),
    Code(
        "multiple_configure_calls",
        "The SDK is configured more than once with different settings.",
        "Which client a call should use is not decided by the program's text.",
        "Make one client for each key and name it at each call.",
    ),
    Code(
        "client_source_unresolved",
        "Where this module gets its configuration from is not seen.",
        "A call needs a client, and the client is made where the SDK was configured.",
        "Import the client from the module that makes it.",
    ),
    Code(
        "client_placement_ambiguous",
        "The client cannot be named at every call that needs it.",
        "It would be read where it is not made yet, or where its name is not seen.",
        "Make the client at module level, before the first call and the first chat.",
    ),
    Code(
        "depends_on_refused",
        "A module this one depends on is refused.",
        "They share a client, or one exports the legacy SDK to the other.",
        "Resolve the refusal over there; this file then follows.",
    ),
    Code(
        "dynamic_reference",
        "A string names the legacy SDK or one of its objects.",
        "What is looked up by name at run time cannot be followed.",
        "Change the name by hand.",
    ),
    Code(
        "half_migrated",
        "A name of the legacy SDK is read from the new one, which has it not.",
        "The import was changed and the calls were not: the program fails here as it stands.",
        "Import the legacy SDK again and let the port change both, or write the client by hand.",
    ),
    Code(
        "mock_target",
        "A test replaces a part of the legacy SDK.",
        "What it does with its stand-in is not all understood, so the test is left as it is. What "
        "it tests is ported without it: until it is rewritten it fails, or passes for nothing.",
        "Replace the client instead, and let its services answer: "
        "client.models.generate_content.return_value.",
    ),
    Code(
        "star_import",
        "Everything is imported from the legacy SDK at once.",
        "Which names the program takes from it is not written down.",
        "Import the names that are used.",
    ),
    Code(
        "subclassed",
        "A class of the legacy SDK is subclassed.",
        "The new SDK has no class of the same role.",
        "Hold a client instead of being a model.",
    ),
    Code(
        "f_string_position",
        "A use inside an f-string cannot be edited safely.",
        "This Python does not say exactly where it stands, or the new code would need quotes "
        "that end the string on an older one.",
        "Take the call out of the f-string.",
    ),
    Code(
        "output_check_failed",
        "The ported file did not pass the checks on what is written.",
        "It would not compile, or would read a name nobody binds.",
        "Please report this; the file was left as it is.",
    ),
    Code(
        "manifest_shape_unsupported",
        "The requirement cannot be changed in place.",
        "It carries hashes, extras or an address that belong to the old distribution.",
        "Change the line to google-genai by hand and lock again.",
    ),
    Code(
        "python_too_old",
        "No Python the project allows can run the new SDK.",
        "A requirement that cannot be installed would break every installation.",
        "Raise requires-python first.",
    ),
    Code(
        "python_floor",
        "The project allows older versions of Python than the new SDK does.",
        "Installing fails there, and a resolver may refuse the project as a whole.",
        "Raise requires-python.",
        warning=True,
    ),
    Code(
        "transitive_dependency",
        "The program imports a distribution that only the old requirement brought along.",
        "It is no longer installed when the old requirement goes.",
        "Declare it.",
        warning=True,
    ),
    Code(
        "embed_shape",
        "How the embedding is read depends on what is not known here.",
        "The new SDK always gives a list of objects; legacy gave one list of numbers for one text "
        "and a list of them for several.",
        "Read .embeddings[0].values for one text, or .values of each for several.",
    ),
    Code(
        "embed_batch",
        "Legacy split a list of more than a hundred texts into several requests.",
        "The new SDK sends them all at once, which the service refuses.",
        "Split longer lists yourself.",
        warning=True,
    ),
    Code(
        "upload_source_unknown",
        "The name legacy gave the uploaded file is not known here.",
        "A path gave its last part as the display name, an open file gave none.",
        "Say display_name= in the configuration of the upload.",
    ),
    Code(
        "client_constructed_eagerly",
        "The client wants its key when it is made; legacy wanted it at the first call.",
        "A missing key now raises here.",
        "Make sure that the key is set when this line runs, or make the client later.",
        warning=True,
    ),
    Code(
        "client_of_the_last_key",
        "Calls use the client that was made last, whichever object they are made on.",
        "A legacy model that had been used kept the key it was used with first.",
        "Where objects are made with different keys, give each a client of its own.",
        warning=True,
    ),
    Code(
        "response_text_may_be_none",
        "Reading the text of an answer without text gives None; legacy raised ValueError.",
        "Blocked and empty answers have no text.",
        'Where that may happen, test for None or write reply.text or "".',
        warning=True,
    ),
    Code(
        "history_parts_rewritten",
        "Parts of turns were brought into the shape the new SDK takes.",
        "Bare strings are not parts any more; what is not known is made into parts where it is "
        "sent, which raises for what is none.",
        "Nothing to do.",
        warning=True,
    ),
    Code(
        "generation_config_spread",
        "A configuration whose fields are not known here is taken whole.",
        "Legacy's fields are fields of the new configuration too; what legacy refused raises "
        "another error now, and newer fields are let through.",
        "Nothing to do, unless the configuration comes from users.",
        warning=True,
    ),
    Code(
        "stream_sent_when_read",
        "The stream's request is sent when the stream is first read; legacy sent it at once.",
        "A request in between now comes first.",
        "Where the order matters, read the stream before the next request.",
        warning=True,
    ),
    Code(
        "async_stream_await_preserved",
        "The await before the stream is still needed.",
        "On both SDKs the coroutine gives the stream.",
        "Nothing to do.",
        warning=True,
    ),
    Code(
        "history_roles_checked",
        "The roles of a chat's history come from elsewhere, and the new SDK looks at them at once.",
        "A role other than user and model raises ValueError when the chat is made; legacy sent it, "
        "and the service refused it.",
        "Map the roles of your own messages to user and model.",
        warning=True,
    ),
    Code(
        "error_text_changed",
        "A handler shows or searches the error, and the new SDK's errors read otherwise.",
        "Legacy's text was the status and the message; the new one's is the status, its word and "
        "the whole answer of the service.",
        "Read .code, .status or .message where the text matters.",
        warning=True,
    ),
    Code(
        "connection_errors_apart",
        "The handler met broken connections and deadlines too, which are other exceptions now.",
        "Legacy raised a class of its own where the service could not be reached or took too long; "
        "the new SDK lets the exceptions of its HTTP client through.",
        "Catch the HTTP client's errors as well where the network may fail: httpx.TransportError, "
        "of httpx2 on google-genai 3.",
        warning=True,
    ),
    Code(
        "enum_text_changed",
        "An enumeration is shown as text, and its text is another one.",
        "Legacy showed a number or a bare name; the new member shows its class too.",
        "Show its .name where the text matters.",
        warning=True,
    ),
    Code(
        "object_text_changed",
        "An object of the SDK is shown as text, and its text is another one.",
        "Printing an answer, a turn or a model showed legacy's messages; the new objects show "
        "their fields, and a model is its name.",
        "Show the field that matters, such as .text.",
        warning=True,
    ),
    Code(
        "function_arguments_typed",
        "Whole numbers among the arguments of a function call are integers now.",
        "Legacy gave every number as a float: 3.0 where the new SDK gives 3.",
        "Nothing to do where numbers are only calculated with; convert them where they are shown "
        "or told apart by type.",
        warning=True,
    ),
    Code(
        "answer_field_may_be_none",
        "A field of the answer is None when it is absent; legacy had an empty object.",
        "Reading on raises AttributeError for an answer without that field.",
        "Test the field first.",
        warning=True,
    ),
    Code(
        "text_guard_added",
        "A test keeps raising ValueError where an answer has no text.",
        "A handler here, or around a call of this code, caught what reading text no longer raises.",
        "Nothing to do; test for None instead if you prefer.",
        warning=True,
    ),
    Code(
        "image_reencoded",
        "A picture object is sent in an encoding of the new SDK's choice.",
        "Legacy sent an opened file's own bytes; the pixels are the same for PNG.",
        "Send types.Part.from_bytes of the file where the bytes matter.",
        warning=True,
    ),
    Code(
        "upload_display_name",
        "The uploaded file keeps the display name legacy gave it.",
        "Legacy named a file after its path; the new SDK names none unless told.",
        "Nothing to do.",
        warning=True,
    ),
    Code(
        "schema_fields_required",
        "Fields of the response schema become required.",
        "Legacy left out which fields are required when a schema was a class.",
        "Give fields that may be missing a default.",
        warning=True,
    ),
)
"""Every code by name."""
