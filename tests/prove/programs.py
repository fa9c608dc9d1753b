"""Small programs and their right ports, which the attacks on the proof then spoil."""

from __future__ import annotations

HISTORY = """
    history = [
        {"role": "user", "parts": ["My name is Ada."]},
        {"role": "model", "parts": ["Hello Ada."]},
    ]
    chat = genai.GenerativeModel("m").start_chat(history=history)
    print(chat.send_message("Who am I?").text)
    """
NEW_HISTORY = """
    history = [
        types.Content(role="user", parts=[types.Part(text="My name is Ada.")]),
        types.Content(role="model", parts=[types.Part(text="Hello Ada.")]),
    ]
    chat = client.chats.create(model="m", history=history)
    print(chat.send_message("Who am I?").text)
    """
SAFETY = """
    safety = {"HARASSMENT": "BLOCK_NONE", "HATE": "BLOCK_ONLY_HIGH"}
    model = genai.GenerativeModel("m", safety_settings=safety)
    print(model.generate_content("x").text)
    """
NEW_SAFETY = """
    safety = [
        types.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_NONE"),
        types.SafetySetting(category="HARM_CATEGORY_HATE_SPEECH", threshold="BLOCK_ONLY_HIGH"),
    ]
    config = types.GenerateContentConfig(safety_settings=safety)
    print(client.models.generate_content(model="m", contents="x", config=config).text)
    """
SETTINGS = """
    config = {
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 7,
        "candidate_count": 1,
        "max_output_tokens": 16777217,
        "stop_sequences": ["a", "b"],
        "presence_penalty": 0.25,
        "frequency_penalty": 0.75,
        "response_mime_type": "application/json",
    }
    said = ["Be", "brief."]
    model = genai.GenerativeModel("m", generation_config=config, system_instruction=said)
    print(model.generate_content("x\\n").text)
    """
NEW_SETTINGS = """
    config = types.GenerateContentConfig(
        system_instruction=["Be", "brief."],
        temperature=0,
        top_p=0.5,
        top_k=7,
        candidate_count=1,
        max_output_tokens=16777217,
        stop_sequences=["a", "b"],
        presence_penalty=0.25,
        frequency_penalty=0.75,
        response_mime_type="application/json",
    )
    print(client.models.generate_content(model="m", contents="x\\n", config=config).text)
    """
SCHEMA = """
    schema = {
        "type": "OBJECT",
        "description": "A person.",
        "properties": {
            "first_name": {"type": "STRING", "nullable": True},
            "mood": {"type": "STRING", "enum": ["good", "bad"]},
        },
        "required": ["first_name"],
    }
    config = {"response_mime_type": "application/json", "response_schema": schema}
    model = genai.GenerativeModel("m", generation_config=config)
    print(model.generate_content("x").text)
    """
NEW_SCHEMA = """
    schema = {
        "type": "OBJECT",
        "description": "A person.",
        "properties": {
            "first_name": {"type": "STRING", "nullable": True},
            "mood": {"type": "STRING", "enum": ["good", "bad"]},
        },
        "required": ["first_name"],
    }
    config = types.GenerateContentConfig(
        response_mime_type="application/json", response_schema=schema
    )
    print(client.models.generate_content(model="m", contents="x", config=config).text)
    """
TOOL = """
    declaration = {
        "name": "add",
        "description": "Adds.\\n    Twice.",
        "parameters": {
            "type": "OBJECT",
            "properties": {"first_number": {"type": "INTEGER"}},
            "required": ["first_number"],
        },
    }
    model = genai.GenerativeModel(
        "m",
        tools=[{"function_declarations": [declaration]}],
        tool_config={
            "function_calling_config": {"mode": "ANY", "allowed_function_names": ["add"]}
        },
    )
    print(model.generate_content("x").candidates[0].content.parts[0].function_call.name)
    """
NEW_TOOL = """
    declaration = {
        "name": "add",
        "description": "Adds.\\n    Twice.",
        "parameters": {
            "type": "OBJECT",
            "properties": {"first_number": {"type": "INTEGER"}},
            "required": ["first_number"],
        },
    }
    config = types.GenerateContentConfig(
        tools=[{"function_declarations": [declaration]}],
        tool_config={
            "function_calling_config": {"mode": "ANY", "allowed_function_names": ["add"]}
        },
    )
    response = client.models.generate_content(model="m", contents="x", config=config)
    print(response.candidates[0].content.parts[0].function_call.name)
    """
PYTHON_TOOL = """
    def greet(name: str, times: int) -> str:
        \"\"\"Greets.\"\"\"
        print("greeting")
        return "hi " + name

    model = genai.GenerativeModel("m", tools=[greet])
    print(model.generate_content("CALL greet").candidates[0].content.parts[0].function_call.name)
    """
NEW_PYTHON_TOOL = """
    def greet(name: str, times: int) -> str:
        \"\"\"Greets.\"\"\"
        print("greeting")
        return "hi " + name

    config = types.GenerateContentConfig(
        tools=[greet],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    response = client.models.generate_content(model="m", contents="CALL greet", config=config)
    print(response.candidates[0].content.parts[0].function_call.name)
    """
RESULT = """
    turns = [
        {"role": "user", "parts": ["Look me up."]},
        {"role": "model", "parts": [{"function_call": {"name": "find", "args": {"user_id": 1}}}]},
        {"role": "user", "parts": [{"function_response": {
            "name": "find",
            "response": {"result": "a-b_", "data": "a-b_", "id": 123456789, "x": 0.123456789},
        }}]},
    ]
    print(genai.GenerativeModel("m").generate_content(turns).text)
    """
NEW_RESULT = """
    turns = [
        {"role": "user", "parts": [{"text": "Look me up."}]},
        {"role": "model", "parts": [{"function_call": {"name": "find", "args": {"user_id": 1}}}]},
        {"role": "user", "parts": [{"function_response": {
            "name": "find",
            "response": {"result": "a-b_", "data": "a-b_", "id": 123456789, "x": 0.123456789},
        }}]},
    ]
    print(client.models.generate_content(model="m", contents=turns).text)
    """
ONE_RESULT = """
    turns = [
        {"role": "user", "parts": ["Look me up."]},
        {"role": "model", "parts": [{"function_call": {"name": "find", "args": {}}}]},
        {"role": "user", "parts": [{"function_response": {
            "name": "find",
            "response": {"result": 3},
        }}]},
    ]
    print(genai.GenerativeModel("m").generate_content(turns).text)
    """
NEW_ONE_RESULT = """
    turns = [
        {"role": "user", "parts": [{"text": "Look me up."}]},
        {"role": "model", "parts": [{"function_call": {"name": "find", "args": {}}}]},
        {"role": "user", "parts": [{"function_response": {
            "name": "find",
            "response": {"result": 3},
        }}]},
    ]
    print(client.models.generate_content(model="m", contents=turns).text)
    """
TURNS = """
    turns = [
        {"role": "user", "parts": ["a"]},
        {"role": "model", "parts": ["b"]},
        {"role": "model", "parts": ["c"]},
        {"role": "user", "parts": ["d"]},
        {"role": "user", "parts": ["e"]},
    ]
    print(genai.GenerativeModel("m").generate_content(turns).text)
    """
NEW_TURNS = """
    turns = [
        {"role": "user", "parts": [{"text": "a"}]},
        {"role": "model", "parts": [{"text": "b"}]},
        {"role": "model", "parts": [{"text": "c"}]},
        {"role": "user", "parts": [{"text": "d"}]},
        {"role": "user", "parts": [{"text": "e"}]},
    ]
    print(client.models.generate_content(model="m", contents=turns).text)
    """
BLOB = """
    import base64

    blob = {"mime_type": "image/png", "data": b"\\x89PNG and more"}
    print(genai.GenerativeModel("m").generate_content(["What is it?", "Say.", blob]).text)
    """
NEW_BLOB = """
    import base64

    blob = types.Part.from_bytes(mime_type="image/png", data=b"\\x89PNG and more")
    print(
        client.models.generate_content(
            model="m", contents=["What is it?", "Say.", blob]
        ).text
    )
    """
CHAT = """
    config = {"temperature": 0.2}
    chat = genai.GenerativeModel("m", generation_config=config).start_chat()
    print(chat.send_message("a", generation_config={"max_output_tokens": 9}).text)
    print(chat.send_message("b").text)
    """
NEW_CHAT = """
    chat = client.chats.create(model="m", config={"temperature": 0.2})
    print(chat.send_message("a", config={"temperature": 0.2, "max_output_tokens": 9}).text)
    print(chat.send_message("b").text)
    """
MUTATED = """
    model = genai.GenerativeModel("m", generation_config={"temperature": 0.2})
    for tokens in (8, None, 9):
        if tokens:
            r = model.generate_content("x", generation_config={"max_output_tokens": tokens})
        else:
            r = model.generate_content("x")
        print(r.text)
    """
NEW_MUTATED = """
    base = {"temperature": 0.2}
    for tokens in (8, None, 9):
        config = dict(base)
        if tokens:
            config["max_output_tokens"] = tokens
        print(client.models.generate_content(model="m", contents="x", config=config).text)
    """
STREAM = """
    for chunk in genai.GenerativeModel("m").generate_content("a b c", stream=True):
        print(chunk.text, end="")
    print()
    """
NEW_STREAM = """
    for chunk in client.models.generate_content_stream(model="m", contents="a b c"):
        print(chunk.text, end="")
    print()
    """
EMBED = """
    print(genai.embed_content(
        model="models/e", content="a", task_type="retrieval_document", title="T"
    )["embedding"][0])
    print(len(genai.embed_content(model="models/e", content=["a", "b"])["embedding"]))
    """
NEW_EMBED = """
    print(client.models.embed_content(
        model="models/e",
        contents="a",
        config=types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT", title="T"),
    ).embeddings[0].values[0])
    print(len(client.models.embed_content(model="models/e", contents=["a", "b"]).embeddings))
    """
UPLOAD = """
    with open("notes.txt", "w") as stream:
        stream.write("notes")
    file = genai.upload_file("notes.txt", display_name="My notes", mime_type="text/markdown")
    print(genai.GenerativeModel("m").generate_content(["Read.", file]).text)
    file.delete()
    """
NEW_UPLOAD = """
    with open("notes.txt", "w") as stream:
        stream.write("notes")
    file = client.files.upload(
        file="notes.txt",
        config=types.UploadFileConfig(display_name="My notes", mime_type="text/markdown"),
    )
    print(client.models.generate_content(model="m", contents=["Read.", file]).text)
    client.files.delete(name=file.name)
    """
TIMEOUT = """
    model = genai.GenerativeModel("m")
    print(model.generate_content("x", request_options={"timeout": 45}).text)
    """
NEW_TIMEOUT = """
    config = types.GenerateContentConfig(http_options=types.HttpOptions(timeout=45_000))
    print(client.models.generate_content(model="m", contents="x", config=config).text)
    """
SEQUENCE = """
    import asyncio

    model = genai.GenerativeModel("m")

    async def main():
        a = await model.generate_content_async("a")
        b = await model.generate_content_async("b")
        print(a.text, b.text)

    asyncio.run(main())
    """
NEW_SEQUENCE = """
    import asyncio

    async def main():
        a = await client.aio.models.generate_content(model="m", contents="a")
        b = await client.aio.models.generate_content(model="m", contents="b")
        print(a.text, b.text)

    asyncio.run(main())
    """
BLOCKED = """
    response = genai.GenerativeModel("m").generate_content("x")
    try:
        print(response.text)
    except ValueError:
        print("blocked")
    """
NEW_BLOCKED = """
    response = client.models.generate_content(model="m", contents="x")
    print("blocked" if response.text is None else response.text)
    """
RAISES = """
    print(genai.GenerativeModel("m").generate_content("x").text)
    """
NEW_RAISES = """
    print(client.models.generate_content(model="m", contents="x").text)
    """
TUNED = """
    print(genai.GenerativeModel("tunedModels/mine").generate_content("x").text)
    """
NEW_TUNED = """
    print(client.models.generate_content(model="tunedModels/mine", contents="x").text)
    """
