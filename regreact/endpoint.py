"""Models behind an address: which of DSPy's clients sends a request, and over what.

DSPy's own client serves the providers that it knows (OpenAI, Anthropic, Ollama, vLLM, …), litellm the rest. Each call
of an engine is one request: neither retries. `lm.timeout_s` limits a whole exchange of DSPy's client, and of litellm's
only the wait for each next byte.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol
from urllib.request import getproxies

import httpx
from dspy.clients.engines import LiteLLMEngine, LM15Engine
from dspy.lm15 import LM15Error, Request, Response, RouterConfig

from regreact.config import LMSettings
from regreact.errors import LMRequiredError

# A server that does not answer the door within this many seconds is down.
CONNECT_S = 10.0


class Engine(Protocol):
    """One request to a model."""

    def complete(self, request: Request) -> Response:
        """Return the reply, or raise."""


class Transport:
    """Sends the requests of DSPy's client with one deadline for the whole exchange.

    The client's own transport bounds the wait for each next byte, so a server that sends a byte now and then holds
    a request for ever.

    Args:
        seconds: Deadline, counted from the start of the request.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        timeout = httpx.Timeout(seconds, connect=min(CONNECT_S, seconds))
        # Whoever asks bounds the requests at a time; each connection is kept for the next request.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        self.client = httpx.Client(timeout=timeout, limits=limits)
        self.extensions = {"timeout": timeout.as_dict()}
        # A client picks a proxy by address and keeps cookies, at as much cost again as the sending.
        proxied = any(scheme != "no" for scheme in getproxies())
        self.direct = None if proxied else httpx.HTTPTransport(limits=limits)

    @contextmanager
    def stream(self, request: Any) -> Iterator[Exchange]:
        """Send a request and yield the reply.

        Raises:
            httpx.TransportError: No connection, a broken one, or no whole reply in time.
        """
        deadline = time.monotonic() + self.seconds
        headers = httpx.Headers(self.client.headers)
        headers.update(request.headers)
        url = _url(request.url)
        asked = httpx.Request(request.method, url, headers=headers, content=request.body, extensions=self.extensions)
        if self.direct is None:
            response = self.client.send(asked, stream=True)
        else:
            response = self.direct.handle_request(asked)
        try:
            yield Exchange(response, deadline)
        finally:
            response.close()

    def close(self) -> None:
        """Close all connections."""
        self.client.close()
        if self.direct is not None:
            self.direct.close()


@lru_cache(maxsize=64)
def _url(address: str) -> httpx.URL:
    return httpx.URL(address)


class Exchange:
    """Reply to one request, as DSPy's client reads it."""

    def __init__(self, response: httpx.Response, deadline: float) -> None:
        self.response = response
        self.deadline = deadline
        self.status = response.status_code
        self.reason = response.reason_phrase
        self.http_version = response.http_version
        self.headers = list(response.headers.multi_items())

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.response.iter_bytes():
            if time.monotonic() > self.deadline:
                raise httpx.ReadTimeout("the reply was not complete in time")
            yield chunk

    def read(self) -> bytes:
        """Return the whole body."""
        return b"".join(self)


def read_key(settings: LMSettings) -> str:
    """Return the key from the environment, "" if there is none and the endpoint is the user's own.

    Raises:
        LMRequiredError: A provider's endpoint needs a key and the named environment variable is empty.
    """
    key = os.environ.get(settings.api_key_env, "").strip()
    if not key and settings.api_base is None:
        raise LMRequiredError(
            f"lm.model={settings.model} needs a key: set the environment variable {settings.api_key_env}, "
            "or name another one with lm.api_key_env=…"
        )
    return key


def open_endpoint(settings: LMSettings, key: str) -> Engine:
    """Return the engine that sends one request to the configured endpoint.

    Args:
        settings: Model, address and timeout.
        key: The key, "" for none.
    """
    assert settings.model is not None
    base = settings.api_base or _gateway(settings.model)
    # A local server usually wants no key, but the client insists on one.
    key = key or "none"
    try:
        provider = LM15Engine(RouterConfig(env={})).resolve(settings.model).provider
    except LM15Error:
        options: dict[str, Any] = {"api_key": key, "timeout": settings.timeout_s}
        if base is not None:
            options["api_base"] = base
        fallback: Engine = LiteLLMEngine(**options)
        return fallback
    native: Engine = LM15Engine(
        RouterConfig(
            api_keys={provider: key},
            base_urls=None if base is None else {provider: base},
            transport=Transport(settings.timeout_s),
        )
    )
    return native


def _gateway(model: str) -> str | None:
    """Return the address of a gateway that the environment names for a provider, such as OPENAI_BASE_URL.

    A key meant for the gateway must not be sent to the provider's own address.
    """
    prefix = model.split("/", 1)[0].upper()
    return os.environ.get(f"{prefix}_API_BASE") or os.environ.get(f"{prefix}_BASE_URL") or None
