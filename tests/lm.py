"""A scripted model for tests: replies in order, remembers prompts, refuses calls beyond the script."""

from collections.abc import Callable, Sequence
from typing import Any

import dspy
from dspy.adapters.chat_adapter import FieldInfoWithName
from dspy.lm15 import Message, Request, Response, TextPart, Usage

Reply = dict[str, Any] | str | Callable[[str], str]


class ScriptedEngine:
    """Engine of `dspy.LM` with replies in order."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def complete(self, request: Request) -> Response:
        prompt = "\n".join(m.text or "" for m in request.messages)
        number = len(self.prompts)
        self.prompts.append(prompt)
        assert number < len(self.replies), f"unexpected call {number}: {prompt[-300:]}"
        reply = self.replies[number]
        if isinstance(reply, dict):
            fields = {FieldInfoWithName(name=k, info=dspy.OutputField()): v for k, v in reply.items()}
            text = dspy.ChatAdapter().format_field_with_value(fields) + "\n\n[[ ## completed ## ]]"
        else:
            text = reply(prompt) if callable(reply) else reply
        usage = Usage(input_tokens=100, output_tokens=10, total_tokens=110)
        return Response(
            id=None,
            model="test",
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=usage,
        )

    def field(self, number: int, name: str) -> str:
        """Return an input field of the request in one prompt, which comes after the examples."""
        after = self.prompts[number].rsplit(f"[[ ## {name} ## ]]\n", 1)[1]
        return after.split("\n\n[[ ## ", 1)[0].strip()


class AsyncScriptedEngine:
    """The same for asynchronous calls."""

    def __init__(self, engine: ScriptedEngine) -> None:
        self.engine = engine

    async def complete(self, request: Request) -> Response:
        return self.engine.complete(request)


def scripted(replies: Sequence[Reply]) -> tuple[dspy.LM, ScriptedEngine]:
    """Return a model and its engine."""
    engine = ScriptedEngine(replies)
    return dspy.LM("test/scripted", engine=engine, async_engine=AsyncScriptedEngine(engine), cache=False), engine
