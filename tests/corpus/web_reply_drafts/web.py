"""A web framework in a few lines: enough to call a route."""


class Request:
    def __init__(self):
        self.json = {}


request = Request()


def jsonify(values):
    return dict(sorted(values.items()))


class Flask:
    def __init__(self, name):
        self.routes = {}

    def route(self, path, methods=("GET",)):
        def register(view):
            self.routes[path] = view
            return view

        return register

    def call(self, path, **values):
        request.json = values
        print(path, self.routes[path]())
