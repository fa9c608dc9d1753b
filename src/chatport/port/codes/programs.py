"""Codes about what is around the calls: clients, imports, files, tests, requirements."""

from __future__ import annotations

from chatport.port.codes.code import Code

PROGRAMS: tuple[Code, ...] = (
    Code(
        "file_withheld",
        "Another use in this file cannot be ported yet, so the file is left as it is.",
        "A file that imports two SDKs half ported is harder to review than one that waits.",
        "Resolve the use that is named as the cause; this one is then ported with its file.",
    ),
    Code(
        "needed_by_refused",
        "What is held back may need this, so it stays for the legacy SDK.",
        "With --atomic site a file may use both SDKs: an import and a configuration then serve "
        "what is held back, and others beside them serve what is ported.",
        "Resolve what is named as the cause; the next run takes this away.",
    ),
    Code(
        "left_out",
        "You asked to leave this as it is.",
        "A rule, a warning or a file is left out by an option or in pyproject.toml, or a file was "
        "not named; what stands or falls with it is held back too.",
        "Take the name out of skip or exclude when it is to be ported, or name the file.",
    ),
    Code(
        "repository_withheld",
        "Another file cannot be ported yet, and nothing is to be written until all can be.",
        "With --atomic repo a repository is ported in one step or not at all.",
        "Resolve what holds the other file back, or say --atomic file.",
    ),
    Code(
        "model_object_escapes",
        "The model itself is passed on.",
        "There is no model object any more; whoever receives it would get something else.",
        "Pass the client and the model's name, or a function that makes the call.",
        check="Check that whoever reads it takes the name of a model where it took the model.",
    ),
    Code(
        "type_reference",
        "A class of the legacy SDK is used as a value here.",
        "There is no class of the same role.",
        "Test for what you need instead of the class; keep a function that makes the call where "
        "a class was kept.",
        check="Check what is held there now: the name of a model is text, and a class that was a "
        "model holds a client.",
    ),
    Code(
        "configure_kwargs_unsupported",
        "The configuration says something the client cannot be told in the same way.",
        "Dropping it would change where requests go or who makes them.",
        "Say it in types.HttpOptions: base_url, headers, timeout in milliseconds.",
        check="Check that nothing else was configured, and that base_url is a whole address, with "
        "https://.",
    ),
    Code(
        "configure_not_a_statement",
        "The configuration call is part of a larger expression.",
        "A client must be bound to a name here.",
        "Put the call on a line of its own.",
        check="Check that the client has a name that every call sees.",
    ),
    Code(
        "multiple_configure_calls",
        "The SDK is configured more than once with different settings.",
        "Which client a call should use is not decided by the program's text.",
        "Make one client for each key and name it at each call.",
        check="Check which client each call is to use, and give each a name of its own.",
    ),
    Code(
        "client_source_unresolved",
        "Where this module gets its configuration from is not seen.",
        "A call needs a client, and the client is made where the SDK was configured.",
        "Import the client from the module that makes it.",
        check="Check where the client is made, and that each module with calls imports it from "
        "there.",
    ),
    Code(
        "client_placement_ambiguous",
        "The client cannot be named at every call that needs it.",
        "It would be read where it is not made yet, or where its name is not seen.",
        "Make the client at module level, before the first call and the first chat.",
        check="Check that this runs before the first call and the first chat; move it up where it "
        "does not.",
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
        check="Check what is done with the name, and that nothing that has gone is looked up below "
        "it.",
    ),
    Code(
        "half_migrated",
        "A name of the legacy SDK is read from the new one, which has it not.",
        "The import was changed and the calls were not: the program fails here as it stands.",
        "Import the legacy SDK again and let the port change both, or write the client by hand.",
        check="Check which of the two SDKs is imported under this name.",
    ),
    Code(
        "mock_target",
        "A test replaces a part of the legacy SDK.",
        "What it does with its stand-in is not all understood, so the test is left as it is. What "
        "it tests is ported without it: until it is rewritten it fails, or passes for nothing.",
        "Replace the client instead, and let its services answer: "
        "client.models.generate_content.return_value.",
        check="Check that the test reaches the client by this name, and that its answers are those "
        "of client.models or client.chats.",
    ),
    Code(
        "star_import",
        "Everything is imported from the legacy SDK at once.",
        "Which names the program takes from it is not written down.",
        "Import the names that are used.",
        check="Check which other names the file takes from the star.",
    ),
    Code(
        "subclassed",
        "A class of the legacy SDK is subclassed.",
        "The new SDK has no class of the same role.",
        "Hold a client instead of being a model.",
        check="Check what the class took from the one above it, and give it a client.",
    ),
    Code(
        "f_string_position",
        "A use inside an f-string cannot be edited safely.",
        "This Python does not say exactly where it stands, or the new code would need quotes "
        "that end the string on an older one.",
        "Take the call out of the f-string.",
        check="Check that the call may be made before the text is put together.",
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
        check="Check that whatever else the file pins goes with this version, and lock again.",
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
        "client_constructed_eagerly",
        "The client wants its key when it is made; legacy wanted it at the first call.",
        "A missing key now raises here.",
        "Make sure that the key is set when this line runs, or make the client later.",
        warning=True,
    ),
    Code(
        "pages_asked_for_at_once",
        "The first page of a listing is asked for where the listing is made.",
        "Legacy gave a generator, which asked for nothing before somebody went through it.",
        "Go through the listing where it is made; leave it out where nobody does.",
        warning=True,
    ),
    Code(
        "other_keys_elsewhere",
        "Another module of the program configures a key in another way.",
        "Legacy had one key, the last that was configured; now each module asks with its own.",
        "Check that each module asks with the key it should, or make the client in one place.",
        warning=True,
    ),
    Code(
        "client_of_the_last_key",
        "Calls use the client that was made last, whichever object they are made on.",
        "A legacy model that had been used kept the key it was used with first.",
        "Where objects are made with different keys, give each a client of its own.",
        warning=True,
    ),
)
