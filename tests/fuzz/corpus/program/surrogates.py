import google.generativeai as genai

genai.configure(api_key="K")
print(genai.GenerativeModel("\ud800").generate_content("\udfff").text)
