import google.generativeai as genai

genai.configure(api_key="K")
model = genai.GenerativeModel("m", generation_config={"temperature": 0.5})


def ask(question):
    answer = model.generate_content(question, stream=False)
    return answer.text


print(ask("q"))
