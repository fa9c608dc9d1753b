import google.generativeai as genai

genai.configure(api_key="K")
c = {**c}
print(genai.GenerativeModel("m").generate_content("q", generation_config=c).text)
