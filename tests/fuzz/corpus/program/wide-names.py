import google.generativeai as ｇｅｎａｉ

genai.conﬁgure(api_key="K")
print(ｇｅｎａｉ.GenerativeModel("m").generate_content("q").text)
