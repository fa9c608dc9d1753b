# coding: big5
import google.generativeai as genai
genai.configure(api_key="K")
x = "功"
print(genai.GenerativeModel("m").generate_content("q").text)
