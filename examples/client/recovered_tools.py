"""The tools have run, then the connection breaks: go on without running them again."""

from __future__ import annotations

from chatport import (
    Client,
    Request,
    Response,
    SingleBatchTools,
    ToolCall,
    ToolContinuationError,
    tool,
    user,
    wrap,
)
from chatport.chat import FunctionModel, Model
from chatport.testing import ScriptedModel

saved: list[str] = []
observed: list[Request] = []


@tool
def save(note: str) -> str:
    """Keep a note."""
    saved.append(note)
    return "saved"


def observe(below: Model) -> Model:
    """A middleware is a function from model to model."""

    @FunctionModel
    def observed_model(request: Request) -> Response:
        observed.append(request)
        return below.call(request)

    return observed_model


def main() -> None:
    model = ScriptedModel(
        ToolCall("save-1", "save", '{"note": "buy milk"}'),
        ConnectionError("model connection interrupted"),
        "Saved.",
    )
    # The whole chain below the tools. Going on needs these decorators as well.
    downstream = wrap(model, observe)
    client = Client(downstream, middleware=[SingleBatchTools(save)])
    try:
        response = client.call(Request(user("Save this.")))
    except ToolContinuationError as error:
        # The program decides on this one repetition; it does not run save again.
        response = downstream.call(error.request)
    print(response.text())
    print("tool executions:", len(saved))
    print("observed model calls:", len(observed))


if __name__ == "__main__":
    main()
