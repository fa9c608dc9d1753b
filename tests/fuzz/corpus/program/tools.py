import google.generativeai as genai

genai.configure(api_key="K")


def weather(city: str) -> str:
    """The weather."""
    return "rain"


config = genai.types.GenerationConfig(max_output_tokens=5, stop_sequences=["x"])
model = genai.GenerativeModel("m", tools=[weather])
chat = model.start_chat(enable_automatic_function_calling=True)
print(chat.send_message("q", generation_config=config).candidates[0].finish_reason.name)
print(genai.embed_content(model="e", content="x")["embedding"])
for m in genai.list_models():
    print(m.name, m.supported_generation_methods)
file = genai.upload_file("a.pdf")
print(model.count_tokens([file, "q"]).total_tokens)
