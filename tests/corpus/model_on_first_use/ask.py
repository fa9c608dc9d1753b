from lazily import generate

QUESTIONS = ["What is rain made of?", "And snow?"]

if __name__ == "__main__":
    for number, question in enumerate(QUESTIONS):
        print(generate(question, temperature=number / 2))
