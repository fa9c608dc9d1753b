"""A widget in a few lines: keeps pairs of what was said."""


class ChatInterface:
    def __init__(self, fn, title):
        self.fn, self.title, self.pairs = fn, title, []

    def launch(self, messages):
        print("==", self.title)
        for message in messages:
            answer = self.fn(message, self.pairs)
            self.pairs.append((message, answer))
            print(answer)
