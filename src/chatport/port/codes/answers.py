"""Codes about what comes back: answers, histories, errors."""

from __future__ import annotations

from chatport.port.codes.code import Code

ANSWERS: tuple[Code, ...] = (
    Code(
        "response_shape_changed",
        "The result is used in a way its new form does not support.",
        "A stream is a one-shot generator now, and responses are other objects with other "
        "conversions.",
        "Collect what you need while iterating, or read the new fields.",
        check="Check what is read of the answer afterwards; a stream that is kept in a list is "
        "read to its end first.",
    ),
    Code(
        "stream_history_shape",
        "After a stream the chat keeps one turn for each chunk; legacy joined them.",
        "Later messages of the chat send the same text in more, shorter turns, and an answer with "
        "an empty chunk not at all.",
        "Nothing to do, unless the history is read.",
        warning=True,
    ),
    Code(
        "stopped_stream_goes_on",
        "After a stream that was stopped, for safety or a like reason, the chat goes on; legacy "
        "raised at the next message.",
        "Legacy's chat raised BrokenResponseError for its history and for each further message "
        "until it was rewound; the new one sends on, without an answer that had an empty chunk.",
        "Where a stopped answer should end the chat, look at the last chunk's finish_reason.",
        warning=True,
    ),
    Code(
        "stream_history_read",
        "The history of a chat is read while it streams, or after a stream that may be left early.",
        "The new chat keeps every chunk of a stream as a turn of its own, and nothing before its "
        "end; legacy joined them, and raised where the stream was not read to its end.",
        "Read the stream to its end first, or keep what was streamed in a variable of your own.",
        check="Check that the stream was read to its end, and that more, shorter turns do no harm.",
    ),
    Code(
        "history_write",
        "The history of a chat is changed in a way that is not followed.",
        "The new chat has one list for life, of other objects: what is put in must be turns, and "
        "who holds the old list of a chat that is given another one would see it change.",
        "Copy what is to stay, and put types.Content objects into chat.get_history(curated=True), "
        "the list that is sent.",
        check="Check that nobody else holds the list, which is the one that is sent, and that what "
        "is put in are types.Content objects.",
    ),
    Code(
        "history_without_empty_answers",
        "A message that was answered with nothing is not in the history.",
        "The list that is read here is the one the new chat sends. Legacy kept such a message and "
        "an empty turn behind it, and the service refused the next one.",
        "Nothing to do; chat.get_history() has these turns, and those that were blocked.",
        warning=True,
    ),
    Code(
        "attribute_removed",
        "This attribute has no counterpart on the new object.",
        "The new SDK keeps the information elsewhere or not at all.",
        "Keep what you need in a variable of your own.",
        check="Check that what is read instead says what the program asks.",
    ),
    Code(
        "attribute_on_neither",
        "Neither SDK has this attribute.",
        "Reading it raised AttributeError, and still does; a handler around it may hide that.",
        "Read the attribute that was meant, such as .text.",
        warning=True,
    ),
    Code(
        "attribute_set_in_vain",
        "An attribute is set on a model, which never read it.",
        "The line did nothing, and goes; what it meant to say never reached the service.",
        "Say it in the configuration of the call, if it was meant.",
        warning=True,
    ),
    Code(
        "value_may_be_none",
        "What is read here is None on the new SDK where legacy had an empty value.",
        "Reading on raises AttributeError or TypeError on an ordinary answer.",
        "Test for None first.",
        check="Check what the program does with None.",
    ),
    Code(
        "enum_value_changed",
        "An enumeration is used as a number or as text here.",
        "Its members are strings now: a comparison with a number is silently false.",
        "Compare with the member, types.FinishReason.STOP for example, or use its .name.",
        check="Check that these are the members that the number stood for.",
    ),
    Code(
        "text_no_longer_raises",
        "A handler here waits for an exception that reading the text no longer raises.",
        "Legacy raised ValueError when there was no text; now the text is None.",
        "Test the text for None and do what the handler did.",
        check="Check that the handler is meant to meet an answer without text.",
    ),
    Code(
        "error_class_changed",
        "An exception class is caught here that the new SDK does not raise.",
        "The handler would never run again, and how it would be written here is not certain.",
        "Catch google.genai.errors.APIError and look at its code; for deadlines, the errors of the "
        "HTTP client. A blocked prompt raises nothing: read prompt_feedback and finish_reason.",
        check="Check the code or the status of the error where the old class meant only one; "
        "retries are http_options now.",
    ),
    Code(
        "embed_shape",
        "How the embedding is read depends on what is not known here.",
        "The new SDK always gives a list of objects; legacy gave one list of numbers for one text "
        "and a list of them for several.",
        "Read .embeddings[0].values for one text, or .values of each for several.",
        check="Check that one text is given; for several, read .values of each embedding.",
    ),
    Code(
        "response_text_may_be_none",
        "Reading the text of an answer without text gives None; legacy raised ValueError.",
        "Blocked and empty answers have no text.",
        'Where that may happen, test for None or write reply.text or "".',
        warning=True,
    ),
    Code(
        "blocked_message_comes_back",
        "A message that is blocked comes back as an answer; legacy raised, and a handler met it.",
        "The new chat raises for failed requests alone, and does not send a blocked message again.",
        "Where the handler should still meet it, look at prompt_feedback and finish_reason.",
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
        "history_roles_checked",
        "The turns of a chat's history come from elsewhere, and the new SDK looks at them at once.",
        "A role other than user and model, or a turn without parts, raises ValueError when the "
        "chat is made; a turn of the model whose text is empty is left out. Legacy sent them all, "
        "and the service refused them.",
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
        "their fields, one that holds nothing is None, and a model is its name.",
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
        "function_failures_told",
        "An exception in a function that the model calls is told to the model now.",
        "Legacy let it through to the program; the new SDK catches it and goes on, at most ten "
        "times.",
        "Nothing to do where the functions catch what may go wrong; else look at who relied on it.",
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
)
