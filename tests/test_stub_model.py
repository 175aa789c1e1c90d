"""The replaying model server of the benchmarks: what it recorded comes back, on time, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from regreact import config, corpus
from regreact.endpoint import Transport
from regreact.runner import Extractor

SCRIPT = Path(__file__).resolve().parents[1] / "experiments" / "bench" / "stub_model.py"
UNITS = 3


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stub") / "replies.jsonl"
    command = [sys.executable, str(SCRIPT), "--replies", str(path), "--record", "samples", "--limit", str(UNITS)]
    subprocess.run(command, check=True, timeout=120)
    return path


@contextmanager
def serving(replies: Path, latency_ms: float) -> Iterator[str]:
    command = [sys.executable, str(SCRIPT), "--replies", str(replies), "--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def stats(url: str) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(url.removesuffix("/v1") + "/stats").json()
    return found


def extracted(*settings: str) -> list[dict[str, Any]]:
    extractor = Extractor(config.load(["fastpath=off", "lm.cache=false", *settings]))
    units = corpus.select(corpus.load("samples").documents).units[:UNITS]
    return [extractor.extract(unit).to_json() for unit in units]


def test_a_run_against_it_gives_what_the_simulated_model_gives(replies: Path) -> None:
    with serving(replies, 1) as url:
        served = extracted("lm=compatible", "lm.model=hosted_vllm/stub", f"lm.api_base={url}")
        figures = stats(url)
    simulated = extracted("lm=simulated")
    for one, other in zip(served, simulated, strict=True):
        # The price of a real model's tokens is not known.
        assert one["usage"].pop("cost") is None and other["usage"].pop("cost") == 0
        assert one == other
    assert figures["requests"] == sum(e["usage"]["lm_calls"] for e in simulated) > 0
    assert figures["unknown"] == 0


def test_replies_wait_side_by_side(replies: Path) -> None:
    question = {"model": "stub", "messages": [{"role": "user", "content": "not recorded"}]}
    with serving(replies, 200) as url, httpx.Client(timeout=30) as client:
        address = f"{url}/chat/completions"
        started = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: client.post(address, json=question), range(8)))
        seconds = time.monotonic() - started
        figures = stats(url)
        client.post(url.removesuffix("/v1") + "/reset", json={"latency_ms": 0})
        assert stats(url)["requests"] == 0
    assert {a.status_code for a in answers} == {500}
    assert "no reply is recorded" in answers[0].json()["error"]["message"]
    assert 0.2 <= seconds < 1.6
    assert (figures["requests"], figures["unknown"], figures["concurrency"]) == (8, 8, 0)
    assert 2 <= figures["peak_concurrency"] <= 8
    assert 0.2 <= figures["last_at"] - figures["first_at"] < 1.6


def test_all_connections_are_kept_for_the_next_requests(replies: Path) -> None:
    """More than httpx keeps by itself, which are 20."""
    many = 24
    asked = SimpleNamespace(method="POST", url="", headers=[], body=b'{"messages": []}')
    transport = Transport(30)

    def ask(_: int) -> int:
        with transport.stream(asked) as reply:
            reply.read()
            return int(reply.status)

    with serving(replies, 400) as url, ThreadPoolExecutor(many) as pool:
        asked.url = f"{url}/chat/completions"
        for _ in range(3):
            assert list(pool.map(ask, range(many))) == [500] * many
        opened = stats(url)["connections"] - 1
    transport.close()
    assert opened <= many


def test_what_is_no_question_is_refused(replies: Path) -> None:
    with serving(replies, 0) as url, httpx.Client() as client:
        assert client.get(f"{url}/models").status_code == 404
        for body in (b"", b"{", b"[]", json.dumps({"messages": [5]}).encode()):
            assert client.post(f"{url}/chat/completions", content=body).status_code == 400
        pieces = client.post(f"{url}/chat/completions", content=iter([b"{", b"}"]))
        assert pieces.status_code == 411
