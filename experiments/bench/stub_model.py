"""A model server that replays recorded replies after a fixed wait and costs next to no processor time.

    python experiments/bench/stub_model.py --replies replies.jsonl --record samples     # once
    python experiments/bench/stub_model.py --replies replies.jsonl --latency-ms 50 --port 0

The first line is extracted with `lm=simulated fastpath=off` (more settings with `--set`), each prompt and reply is
written down. The second serves `POST /v1/chat/completions` in one process and prints its address when it listens:
use it with `lm=compatible lm.model=hosted_vllm/stub lm.api_base=ADDRESS lm.cache=false` and the settings recorded with.
A prompt that was not recorded gets status 500. `GET /stats` tells requests, peak concurrency, times and how late
replies were; `POST /reset` sets all that back and, with a body such as `{"latency_ms": 500}`, changes the wait.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import hashlib
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response

    from regreact.endpoint import Engine

# What an HTTP header may take, and what a request may: beyond it the client is no client of ours.
MAX_HEADER, MAX_BODY = 64_000, 64_000_000


def prompt_key(messages: Iterable[tuple[str, str]]) -> str:
    """Return the digest of a prompt: roles and texts, no matter which settings it is sent with."""
    digest = hashlib.sha256()
    for role, text in messages:
        speaker = "system" if role == "developer" else role
        digest.update(f"{speaker}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def _text(content: Any) -> str:
    """Return a message's text, which OpenAI's form holds as a string or as a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


class Recorder:
    """Engine that asks another one and keeps each prompt's reply.

    Args:
        inner: The engine that answers.
    """

    supports_response_schema = False
    supported_params: frozenset[str] = frozenset()

    def __init__(self, inner: Engine) -> None:
        self.inner = inner
        self.replies: dict[str, dict[str, Any]] = {}

    def complete(self, request: Request) -> Response:
        """Return the other engine's reply."""
        response = self.inner.complete(request)
        system = request.system if isinstance(request.system, str) else ""
        messages = [("system", system)] if system else []
        messages += [(m.role, m.text or "") for m in request.messages]
        usage = response.usage
        self.replies[prompt_key(messages)] = {
            "content": response.text or "",
            "prompt_tokens": usage.input_tokens or 0,
            "completion_tokens": usage.output_tokens or 0,
        }
        return response


def record(path: Path, source: str, overrides: list[str], limit: int | None) -> int:
    """Extract a source with the simulated model and write down what it was asked and replied.

    Args:
        path: JSON Lines, a prompt each: `key`, `content`, `prompt_tokens`, `completion_tokens`.
        source: `samples`, a file or a folder.
        overrides: Further settings, `key=value`.
        limit: Units to extract, None for all.

    Returns:
        The number of different prompts.
    """
    from regreact import config, corpus  # noqa: PLC0415  the server needs none of it
    from regreact.runner import Extractor  # noqa: PLC0415

    settings = config.load(["lm=simulated", "fastpath=off", "lm.cache=false", *overrides])
    extractor = Extractor(settings)
    assert extractor.lm is not None
    recorder = Recorder(extractor.lm.engine.inner)
    extractor.lm.engine.inner = recorder
    for unit in corpus.select(corpus.load(source).documents).units[:limit]:
        extractor.extract(unit)
    lines = (json.dumps({"key": key, **reply}, ensure_ascii=False) for key, reply in sorted(recorder.replies.items()))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(recorder.replies)


def http(status: str, body: bytes) -> bytes:
    """Return a whole HTTP reply."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def read_replies(path: Path) -> dict[str, bytes]:
    """Return ready HTTP replies by the digest of their prompt."""
    replies = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        usage = {name: entry[name] for name in ("prompt_tokens", "completion_tokens")}
        body = {
            "id": "stub", "object": "chat.completion", "created": 1, "model": "stub",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": entry["content"]},
                         "finish_reason": "stop"}],
            "usage": {**usage, "total_tokens": sum(usage.values())},
        }  # fmt: skip
        replies[entry["key"]] = http("200 OK", json.dumps(body, ensure_ascii=False).encode())
    return replies


@dataclass
class Stats:
    """What `GET /stats` tells.

    Attributes:
        requests: Questions that came, unknown ones included.
        unknown: Questions without a recorded reply.
        concurrency: Questions that wait for their reply now.
        peak_concurrency: The most that waited at a time.
        connections: Connections that were opened, those for figures included.
        first_at: When the first question was read, seconds since the epoch; None before it.
        last_at: When the last reply was sent.
        late_ms: By how much replies missed their time, all together: the server's own share in what is measured.
        latest_ms: The same for the worst of them.
        cpu_s: Processor time of the server since it started.
    """

    requests: int = 0
    unknown: int = 0
    concurrency: int = 0
    peak_concurrency: int = 0
    connections: int = 0
    first_at: float | None = None
    last_at: float | None = None
    late_ms: float = 0.0
    latest_ms: float = 0.0

    def to_json(self) -> bytes:
        """Return the figures as JSON."""
        return json.dumps({**vars(self), "cpu_s": round(time.process_time(), 3)}).encode()


@dataclass
class Stub:
    """What all connections share.

    Attributes:
        replies: Ready replies by the digest of their prompt.
        latency_s: Seconds from the last byte of a question to its reply.
        stats: Figures so far.
    """

    replies: dict[str, bytes]
    latency_s: float
    stats: Stats = field(default_factory=Stats)

    def reply(self, body: bytes) -> bytes:
        """Return the reply to a question."""
        try:
            messages = [(m["role"], _text(m["content"])) for m in json.loads(body)["messages"]]
        except (ValueError, KeyError, TypeError, AttributeError):
            return http("400 Bad Request", b'{"error": {"message": "this is no chat completion request"}}')
        reply = self.replies.get(prompt_key(messages))
        if reply is None:
            self.stats.unknown += 1
            told = {"message": "no reply is recorded for this prompt: record with the settings of the run", "code": 500}
            reply = http("500 Internal Server Error", json.dumps({"error": told}).encode())
        return reply

    def reset(self, body: bytes) -> bytes:
        """Set the figures back and the wait anew."""
        if body:
            self.latency_s = float(json.loads(body)["latency_ms"]) / 1000
        self.stats = Stats(concurrency=self.stats.concurrency)
        return http("200 OK", b"{}")


class Connection(asyncio.Protocol):
    """One connection, kept open; a question at a time.

    Args:
        stub: What the connections share.
    """

    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        self.loop = asyncio.get_running_loop()
        self.buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.stub.stats.connections += 1

    def data_received(self, data: bytes) -> None:
        """Read what has come, and meet each whole request."""
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end]).decode("latin-1").split("\r\n")
            size = _content_length(head[1:])
            if size is None or size > MAX_BODY:
                self.transport.write(http("411 Length Required", b"{}"))
                self.transport.close()
                return
            if len(self.buffer) < end + 4 + size:
                return
            body = bytes(self.buffer[end + 4 : end + 4 + size])
            del self.buffer[: end + 4 + size]
            self.meet(head[0], body)
        if len(self.buffer) > MAX_HEADER:
            self.transport.close()

    def meet(self, request_line: str, body: bytes) -> None:
        """Reply to one request, to a question after the wait."""
        method, _, rest = request_line.partition(" ")
        path = rest.partition(" ")[0]
        if method == "POST" and path.endswith("/chat/completions"):
            self.ask(body)
        elif path == "/stats":
            self.transport.write(http("200 OK", self.stub.stats.to_json()))
        elif method == "POST" and path == "/reset":
            self.transport.write(self.stub.reset(body))
        else:
            self.transport.write(http("404 Not Found", b'{"error": {"message": "no such address"}}'))

    def ask(self, body: bytes) -> None:
        """Count a question and send its reply when it is due."""
        due = self.loop.time() + self.stub.latency_s
        stats = self.stub.stats
        stats.requests += 1
        stats.concurrency += 1
        stats.peak_concurrency = max(stats.peak_concurrency, stats.concurrency)
        stats.first_at = stats.first_at or time.time()
        self.loop.call_at(due, self.send, self.stub.reply(body), due)

    def send(self, reply: bytes, due: float) -> None:
        """Send a reply that is due."""
        stats = self.stub.stats
        late = 1000 * (self.loop.time() - due)
        stats.late_ms += late
        stats.latest_ms = max(stats.latest_ms, late)
        stats.concurrency -= 1
        stats.last_at = time.time()
        # A client that hung up is no error.
        if not self.transport.is_closing():
            self.transport.write(reply)


def _content_length(headers: Iterable[str]) -> int | None:
    """Return the size of a body, 0 without one, None if it is sent in a form that says no size."""
    for header in headers:
        name, _, value = header.partition(":")
        if name.lower() == "content-length":
            return int(value) if value.strip().isdigit() else None
        if name.lower() == "transfer-encoding":
            return None
    return 0


async def serve(stub: Stub, port: int) -> None:
    """Serve on this machine until interrupted, and print the address first."""
    server = await asyncio.get_running_loop().create_server(lambda: Connection(stub), "127.0.0.1", port, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    # Replies stay as they are, so that looking for garbage among them would only delay some.
    gc.freeze()
    async with server:
        await server.serve_forever()


def main() -> None:
    """Record or serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=Path, required=True, help="file of recorded replies")
    parser.add_argument("--record", metavar="SOURCE", help="write the file from this source instead of serving it")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="setting to record with")
    parser.add_argument("--limit", type=int, help="record this many units only")
    parser.add_argument("--latency-ms", type=float, default=50.0)
    parser.add_argument("--port", type=int, default=0, help="0 for a free one")
    args = parser.parse_args()
    if args.record:
        print(f"{record(args.replies, args.record, args.set, args.limit)} prompts", file=sys.stderr)
        return
    try:
        asyncio.run(serve(Stub(read_replies(args.replies), args.latency_ms / 1000), args.port))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
