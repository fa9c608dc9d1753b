"""Codes about calls and what they are given."""

from __future__ import annotations

from chatport.port.codes.code import Code

CALLS: tuple[Code, ...] = (
    Code(
        "usage_unmapped",
        "No rule knows this use of the legacy SDK.",
        "What has no rule has not been compared on both SDKs, so nothing is claimed about it.",
        "Write it in the new SDK by hand. If many programs use it, it deserves a rule.",
        check="Check what it is given and what is read of it; nobody has compared the two.",
    ),
    Code(
        "flag_only_surface",
        "This part of the legacy SDK is recognised, and not rewritten.",
        "The new SDK has no service of the same meaning, or has one of another design.",
        "Decide what the program should do instead: a plain generate_content where an old text "
        "or chat service was used, client.caches for cached contents, types.* for messages of "
        "the wire.",
        check="Check the model that is named, what else the old call was told, and what is read of "
        "the answer.",
    ),
    Code(
        "receiver_unresolved",
        "What this is called on cannot be followed to a model or chat made here.",
        "A call is only rewritten when every object it may be called on is known.",
        "Make the model or chat where it can be followed (a name, a parameter, an attribute of "
        "self), or write the call for the new SDK by hand.",
        check="Check that this is always a legacy object, and that what holds it is the name of a "
        "model or a chat.",
    ),
    Code(
        "receiver_method_unmapped",
        "This method has no counterpart on the object the new SDK gives.",
        "The new SDK has one kind of chat for plain calls and another for awaited ones, and "
        "some methods have gone.",
        "Use the chat one way only, or keep two chats; write methods that have gone with what "
        "the new chat has.",
        check="Check that the chat is used one way only: where it is awaited, "
        "client.aio.chats.create makes it.",
    ),
    Code(
        "method_used_as_value",
        "A method or function of the legacy SDK is passed around instead of called.",
        "Where it is called at last, and with what, is not seen.",
        "Wrap the call in a function of your own and pass that.",
        check="Check that whoever calls it gives it just these arguments, and that a stream may be "
        "sent when it is read.",
    ),
    Code(
        "unsupported_kwarg",
        "An argument of this call cannot be carried over.",
        "Dropping a parameter would change what the call does.",
        "Say it in the configuration of the call, where request_options are http_options with a "
        "timeout in milliseconds; or leave it out on purpose.",
        check="Check that whatever is handed on here is a field of the new configuration.",
    ),
    Code(
        "dynamic_stream_flag",
        "Whether this call streams is decided when it runs.",
        "The new SDK has two methods, one that streams and one that does not.",
        "Branch on the flag and call one or the other.",
        check="Check that whoever takes the answer can tell a stream from a whole answer.",
    ),
    Code(
        "default_model_name_required",
        "The constructor names no model.",
        "The new SDK has no default model, and legacy's has been retired.",
        "Name a model that is still served.",
        check="Check which model was meant: legacy's own has been retired.",
    ),
    Code(
        "generation_config_not_static",
        "The generation configuration cannot be read from the program.",
        "The new SDK takes one object with checked fields; what is not known to be such fields "
        "may be refused or lost.",
        "Write the configuration as a literal, or annotate what is certainly a mapping; or make a "
        "types.GenerateContentConfig of it, which raises for a key it does not know.",
        check="Check that every key is a field of types.GenerateContentConfig, which raises for "
        "one it does not know.",
    ),
    Code(
        "config_not_portable",
        "The configuration to restate here is only known somewhere else.",
        "The new chat replaces its configuration by the message's, so a message with one of its "
        "own must repeat the rest; here the rest cannot be repeated.",
        "Keep the configuration in a variable both places can read.",
        check="Check that what is repeated here is all that the model or the chat was told.",
    ),
    Code(
        "safety_settings_not_static",
        "The safety settings cannot be read as a table of known categories and thresholds.",
        "The new enums accept unknown members with only a warning, so a wrong name would switch "
        "a filter off silently.",
        "Write the table out with full names; or look names up as types.HarmCategory[name], "
        "which raises KeyError for a wrong one.",
        check="Check that each category and threshold is written by its full name: "
        "HARM_CATEGORY_HARASSMENT, BLOCK_NONE.",
    ),
    Code(
        "history_parts_shape_incompatible",
        "The turns or parts here are not certainly of the shape the new SDK takes.",
        "Legacy took bare strings and several kinds of mappings as parts; the new SDK does not, "
        "and wrapping what is already a part fails at the first message.",
        'Write each part as {"text": ...} or as types.Part; turns that come from elsewhere are '
        "best converted in one place.",
        check="Check that each turn has the role user or model, and that its parts are types.Part "
        'or mappings such as {"text": ...}.',
    ),
    Code(
        "afc_semantics_differ",
        "Which functions are called by themselves here, and how, differs between the SDKs.",
        "Automatic function calling is off by default in legacy and on in the new SDK, and it "
        "passes numbers, results and errors on in other forms.",
        "Say automatic_function_calling= explicitly, and look at what the functions are given "
        "and what the model is told.",
        check="Check which functions there are, and whether the model may call them by itself.",
    ),
    Code(
        "async_stream_await_missing",
        "This loop runs over a coroutine that nobody awaits.",
        "It already raises TypeError on the legacy SDK.",
        "Await the call first.",
        check="Check that the loop is in an async function; as it stands it raises TypeError.",
    ),
    Code(
        "count_tokens_config_carries_semantics",
        "The count included the system instruction or the tools.",
        "The new SDK refuses them in a count on this API, and the number would be smaller.",
        "Count the contents alone on purpose, or add the instruction to the contents.",
        check="Check that the number may be without the system instruction and the tools.",
    ),
    Code(
        "count_tokens_config_dropped",
        "The sampling configuration is left out of the count, which it never changed.",
        "The new SDK refuses it there.",
        "Nothing to do.",
        warning=True,
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
        check="Check what the file is to be called, and say it as display_name.",
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
        "empty_contents_are_sent",
        "What is sent here may be empty, which the new SDK sends as it is.",
        "Legacy raised TypeError for empty contents and ValueError for an empty instruction, and "
        "asked nothing; now the service gets the empty text.",
        "Test for the empty text before the call.",
        warning=True,
    ),
    Code(
        "stream_sent_when_read",
        "The stream's request is sent when the stream is first read; legacy sent it at once.",
        "A request in between now comes first, and a request that fails is met by the handlers "
        "around the loop.",
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
