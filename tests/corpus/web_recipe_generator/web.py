"""A web framework in a few lines: enough to call a route."""


class App:
    def __init__(self):
        self.routes = {}

    def route(self, path):
        def register(view):
            self.routes[path] = view
            return view

        return register

    def get(self, path, **query):
        print("GET", path)
        print(self.routes[path](**query))


def render(template, **values):
    return template.format(**values)
