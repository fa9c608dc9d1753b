"""A page framework in a few lines: a session and scripted visitors."""


class Session(dict):
    """Reads and writes its items as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


session_state = Session()
_inputs = ["Hello", "What did I say?", None]


def chat_input(label):
    print(f"[{label}]")
    return _inputs.pop(0)


def title(text):
    print("#", text)


def markdown(role, text):
    print(f"{role}: {text}")
