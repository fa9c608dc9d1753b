"""A messenger in a few lines."""


class Message:
    def __init__(self, user, text):
        self.user = user
        self.text = text
        self.replies = []

    def reply_text(self, text):
        self.replies.append(text)
        print(f"@{self.user}: {text}")


class Application:
    def __init__(self):
        self.commands, self.others = {}, []

    def add_command(self, name, handler):
        self.commands[name] = handler

    def add_handler(self, handler):
        self.others.append(handler)

    def receive(self, user, text):
        message = Message(user, text)
        handler = self.commands.get(text.split()[0].lstrip("/")) if text.startswith("/") else None
        for one in [handler] if handler else self.others:
            one(message)
