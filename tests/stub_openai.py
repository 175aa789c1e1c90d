"""An OpenAI-compatible server for tests: answers, refuses, stalls and breaks on demand, and remembers every request.

    with StubServer(["429 retry after", "solve"]) as server:
        ...  # lm.api_base=server.url lm.model=hosted_vllm/stub
    server.log[0].kind

Kinds are used up in order, one a request; when they are used up, `default` goes on. `solve` answers stage questions
like `regreact.simulated`. A kind may also be a function from system text and question to the content of the reply.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from regreact.simulated import SimulatedEngine

Content = Callable[[str, str], str | None]
Kind = str | Content

solve = SimulatedEngine().reply

MODELS = ("stub", "gpt-4o")

# What servers say besides an answer: status, headers, body. `{key}` is replaced by what the client sent, since
# some servers quote it.
REFUSALS: dict[str, tuple[int, dict[str, str], dict[str, Any]]] = {
    "400": (400, {}, {"message": "the key {key} sent a wrong parameter", "type": "invalid_request_error"}),
    "400 too long": (400, {}, {"message": "too many tokens", "code": "context_length_exceeded"}),
    "401": (401, {}, {"message": "wrong key {key}", "type": "invalid_request_error", "code": "invalid_api_key"}),
    "402": (402, {}, {"message": "{key}: insufficient balance", "type": "billing"}),
    "403": (403, {}, {"message": "{key} may not use this model", "type": "permission"}),
    "404": (404, {}, {"message": "the model does not exist", "type": "not_found", "code": "model_not_found"}),
    "429": (429, {}, {"message": "slow down, {key}", "type": "rate_limit_error"}),
    "429 retry after": (429, {"Retry-After": "1"}, {"message": "slow down", "type": "rate_limit_error"}),
    "429 retry in a day": (429, {"Retry-After": "86400"}, {"message": "slow down", "type": "rate_limit_error"}),
    "429 quota": (429, {}, {"message": "quota of {key} used up", "type": "x", "code": "insufficient_quota"}),
    "500": (500, {}, {"message": "oops, {key}", "type": "server_error"}),
    "503": (503, {}, {"message": "overloaded", "type": "server_error"}),
}


@dataclass(frozen=True, slots=True)
class Logged:
    """One request: when it came (monotonic seconds), how it was met, and its size in tokens of four characters."""

    at: float
    kind: str
    model: str
    system: str
    question: str
    body: dict[str, Any]
    authorization: str
    prompt_tokens: int
    completion_tokens: int


class StubServer:
    """Serves `POST /v1/chat/completions` on a free port of this machine while its block lasts."""

    def __init__(self, kinds: Sequence[Kind] = (), default: Kind = "solve", usage: bool = True, wait_s: float = 0.0) -> None:
        self.kinds = list(kinds)
        self.default = default
        self.usage = usage
        self.wait_s = wait_s
        self.log: list[Logged] = []
        self.lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                stub.serve(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A client that hangs up is no error."""

        self.http = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def __enter__(self) -> StubServer:
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()

    @property
    def seen(self) -> list[str]:
        """How the requests were met, in order."""
        return [entry.kind for entry in self.log]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        system = "\n".join(m["content"] for m in body["messages"] if m["role"] in ("system", "developer"))
        question = body["messages"][-1]["content"]
        authorization = handler.headers.get("Authorization", "")
        key = authorization.removeprefix("Bearer ")
        with self.lock:
            kind = self.kinds.pop(0) if self.kinds else self.default
        if body["model"] not in MODELS:
            kind = "404"
        content = kind(system, question) if callable(kind) else _content(kind, system, question)
        name = getattr(kind, "__name__", kind)
        sizes = [sum(len(m["content"]) for m in body["messages"]) // 4, len(content or "") // 4]
        entry = Logged(time.monotonic(), str(name), body["model"], system, question, body, authorization, *sizes)
        with self.lock:
            self.log.append(entry)
        if self.wait_s:
            time.sleep(self.wait_s)
        if name == "reset":
            # Closing with this option set sends a reset instead of an orderly end.
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            handler.close_connection = True
            return
        if name in REFUSALS:
            status, headers, error = REFUSALS[str(name)]
            text = json.dumps({"error": error}).replace("{key}", key)
            _send(handler, status, text.encode(), headers)
            return
        reply = json.dumps(self._reply(body["model"], str(name), content, sizes)).encode()
        if name == "broken body":
            reply = reply[: len(reply) // 2]
        if name == "drip":
            _drip(handler, reply)
            return
        _send(handler, 200, reply, {})

    def _reply(self, model: str, name: str, content: str | None, sizes: Sequence[int]) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if name == "reasoning field":
            message["reasoning_content"] = "[[ ## answers ## ]] none of this is the answer"
        reply = {
            "id": "stub-1", "object": "chat.completion", "created": 1, "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }  # fmt: skip
        if self.usage:
            reply["usage"] = {"prompt_tokens": sizes[0], "completion_tokens": sizes[1], "total_tokens": sum(sizes)}
        return reply


def _content(kind: str, system: str, question: str) -> str | None:
    """Return the content of the reply: the right one, for most kinds, in a form that the kind spoils."""
    if kind in ("reset", *REFUSALS):
        return None
    solved = solve(system, question)
    draft = '<answers>["a draft"]</answers> {"answers": ["a draft"]} [[ ## answers ## ]] ["a draft"]'
    return {
        "empty": "",
        "null": None,
        "no form": "I would rather talk about the weather.",
        "cut": solved[: len(solved) // 2],
        "nulls": '{"reasoning": null, "answers": null}',
        "think": f"<think>\n{draft}\n</think>\n\n{solved}",
        "think twice": f"<think>{draft}</think>\n<think>again</think>{solved}",
        "think without start": f"{draft}\n</think>\n\n{solved}",
        "think without end": f"<think>\n{draft}\n{solved}",
    }.get(kind, solved)


def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
    handler.send_response(status)
    for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def _drip(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Send a byte every tenth of a second, which no limit on the wait for the next byte notices."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for n in range(len(body)):
        try:
            handler.wfile.write(body[n : n + 1])
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.1)
