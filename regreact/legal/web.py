"""Polite and bounded HTTP requests to one public service, with typed failures.

Transient failures (429 with its Retry-After, 5xx, broken connections, time limits) are asked again, others are not. A
page that tests whether a person asks is a failure, never a document.
"""

from __future__ import annotations

import ipaddress
import logging
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
import stamina

from regreact import __version__
from regreact.addresses import is_loopback, service_address
from regreact.errors import ServiceAnswerError, ServiceChallengeError, ServiceRefusedError, ServiceUnavailableError

# Retries are no news unless an application asks for them.
logging.getLogger("stamina").addHandler(logging.NullHandler())

USER_AGENT = f"regreact/{__version__} (research software)"
# A server that asks for a longer wait is not waited for.
LONGEST_WAIT_S = 60.0
MAX_REDIRECTS = 5
_TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
_HTML = ("text/html", "application/xhtml+xml")
# Marks of the challenge page that stands before EUR-Lex (AWS WAF).
_CHALLENGE_MARKS = (b"awswaf", b"gokuprops", b"challenge-container")
_CHALLENGE_HEAD_BYTES = 20_000
_CHALLENGE_HEADER = "x-amzn-waf-action"
# What is read of a page that only says why a request failed, in bytes.
_ERROR_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came.

    Attributes:
        status: HTTP status, one of those the caller expects.
        media_type: Lower-case media type without parameters, "" if the server names none.
        body: The content, decompressed.
        url: Address after redirects.
        headers: Headers by lower-case name.
    """

    status: int
    media_type: str
    body: bytes
    url: str
    headers: Mapping[str, str]


class _TransientError(Exception):
    """Worth another try; `wait_s` is what the server asks for, None if it does not say."""

    def __init__(self, problem: str, wait_s: float | None = None) -> None:
        super().__init__(problem)
        self.wait_s = wait_s


class WebClient:
    """Client of one service; safe to share between threads.

    Args:
        base_url: `https://host[/path]`, or `http://` on the loopback interface.
        rate: Requests a second at most, all threads together.
        timeout_s: Seconds that one request may take in all.
        retries: Further tries after a transient failure.
        max_bytes: Largest body that is read.
        hint: What the user can do where the service does not answer.

    Raises:
        ConfigError: The address is no such address.
    """

    def __init__(
        self,
        base_url: str,
        *,
        rate: float = 2.0,
        timeout_s: float = 20.0,
        retries: int = 3,
        max_bytes: int = 20_000_000,
        hint: str = "work without the service: celex=register",
    ) -> None:
        self.base_url = service_address(base_url)
        self.hint = hint
        self.timeout_s, self.retries, self.max_bytes = timeout_s, retries, max_bytes
        self._interval = 1.0 / rate
        self._next_turn = 0.0
        self._lock = threading.Lock()
        # Proxies of the environment are for the outside.
        outside = not is_loopback(httpx.URL(self.base_url).host)
        self._http = httpx.Client(timeout=timeout_s, headers={"User-Agent": USER_AGENT}, trust_env=outside)

    def close(self) -> None:
        """Close open connections."""
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        accept: str,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        expected: Collection[int] = (200,),
    ) -> Reply:
        """Return the answer to a request.

        Args:
            method: `GET` or `POST`.
            path: Path below the base address, or an address of the service in full, as its answers name others.
            accept: Media types wanted; HTML is a challenge page unless it is among them.
            headers: Further headers such as `Accept-Language`.
            form: Fields of a form to post.
            expected: Statuses that are an answer (404 where absence is one).

        Raises:
            ServiceUnavailableError: The last try failed too, or the server asks for a long wait.
            ServiceChallengeError: The answer is a challenge page.
            ServiceRefusedError: The status is not expected, or the server redirects elsewhere.
            ServiceAnswerError: The body is too large or cannot be decompressed.
        """
        url = self.base_url + path if path.startswith("/") else path
        request = self._http.build_request(method, url, headers={**(headers or {}), "Accept": accept}, data=form)
        if url == path:
            self._redirected(request)
        tries = stamina.retry_context(
            on=_wait, attempts=self.retries + 1, timeout=None, wait_initial=0.5, wait_max=10.0, wait_jitter=0.5
        )
        tried = 0
        try:
            for attempt in tries:
                with attempt:
                    tried = attempt.num
                    return self._follow(request, expected)
        except _TransientError as error:
            hint = f"try again later, or {self.hint}"
            raise ServiceUnavailableError(url, f"{error} ({tried} tries)", hint) from error
        raise AssertionError("unreachable")

    def _follow(self, request: httpx.Request, expected: Collection[int]) -> Reply:
        for _ in range(MAX_REDIRECTS + 1):
            with self._streamed(request) as (response, deadline):
                if response.next_request is None:
                    return self._reply(response, deadline, expected)
                request = self._redirected(response.next_request)
        raise ServiceRefusedError(str(request.url), f"redirects more than {MAX_REDIRECTS} times")

    def _redirected(self, request: httpx.Request) -> httpx.Request:
        """Return a request to an address that the service names, by https: Cellar names its own resources by http.

        Raises:
            ServiceRefusedError: The address is not on the service's own host and port.
        """
        base, url = httpx.URL(self.base_url), request.url
        if url.host != base.host:
            kind = "an address in a private network" if _is_private(url.host) else "another host"
            raise ServiceRefusedError(self.base_url, f"redirects to {kind}, {url.host}")
        if base.scheme == "https" and url.scheme == "http":
            request.url = url = url.copy_with(scheme="https", port=None)
        if url.scheme != base.scheme or url.port != base.port:
            raise ServiceRefusedError(self.base_url, f"redirects to another port or scheme, {url.scheme}:{url.port}")
        return request

    @contextmanager
    def _streamed(self, request: httpx.Request) -> Iterator[tuple[httpx.Response, float]]:
        """Send a request in its turn; yield the response before its body is read, and when time is up."""
        self._wait_turn()
        deadline = time.monotonic() + self.timeout_s
        try:
            response = self._http.send(request, stream=True)
            try:
                yield response, deadline
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise _TransientError(f"no answer within {self.timeout_s:g} s") from error
        except httpx.TransportError as error:
            raise _TransientError(f"connection failed: {error or type(error).__name__}") from error
        except httpx.DecodingError as error:
            raise ServiceAnswerError(str(request.url), f"the answer cannot be decompressed: {error}") from error

    def _wait_turn(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_turn)
            self._next_turn = turn + self._interval
        time.sleep(turn - now)

    def _reply(self, response: httpx.Response, deadline: float, expected: Collection[int]) -> Reply:
        url, status = str(response.url), response.status_code
        if status in _TRANSIENT:
            wait_s = retry_after(response.headers.get("retry-after"))
            asked = f", asks to come back in {wait_s:.0f} s" if wait_s is not None else ""
            raise _TransientError(f"status {status}{asked}", wait_s)
        if _CHALLENGE_HEADER in response.headers:
            raise _challenge(url, status, self.hint)
        accepted = status in expected
        body = self._read(response, deadline, self.max_bytes if accepted else _ERROR_BYTES, cut=not accepted)
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if _is_challenge(media_type, body, wanted=response.request.headers["accept"], status=status):
            raise _challenge(url, status, self.hint)
        if status == httpx.codes.ACCEPTED:
            raise _TransientError("the answer is not ready yet (status 202)")
        if not accepted:
            told = body.decode("utf-8", "replace").strip().splitlines()
            raise ServiceRefusedError(url, f"status {status}" + (f": {told[0][:200]}" if told else ""))
        return Reply(status, media_type, body, url, dict(response.headers))

    def _read(self, response: httpx.Response, deadline: float, limit: int, cut: bool) -> bytes:
        """Return the body; what is larger than `limit` is cut, or refused."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limit:
                if cut:
                    break
                raise ServiceAnswerError(str(response.url), f"the answer is larger than {limit:,} bytes")
            if time.monotonic() > deadline:
                raise _TransientError(f"no whole answer within {self.timeout_s:g} s")
        return bytes(body[:limit])


def _wait(error: Exception) -> bool | float:
    """Return whether to ask again, or after how many seconds."""
    if not isinstance(error, _TransientError) or (error.wait_s or 0.0) > LONGEST_WAIT_S:
        return False
    return True if error.wait_s is None else error.wait_s


def retry_after(value: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or a date), None if it says nothing usable."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _is_challenge(media_type: str, body: bytes, wanted: str, status: int) -> bool:
    """True for HTML where none was asked for, and for HTML with the marks of a challenge."""
    head = body[:_CHALLENGE_HEAD_BYTES].lower()
    html = media_type in _HTML or head.lstrip().startswith((b"<!doctype html", b"<html"))
    if not html or status not in (httpx.codes.OK, httpx.codes.ACCEPTED):
        return False
    return "html" not in wanted or status == httpx.codes.ACCEPTED or is_challenge_page(body)


def is_challenge_page(body: bytes) -> bool:
    """True for a page with the marks of a challenge to tell bots from readers."""
    head = body[:_CHALLENGE_HEAD_BYTES].lower()
    return any(mark in head for mark in _CHALLENGE_MARKS)


def _is_private(host: str) -> bool:
    """True for the number of an address that is not on the public internet."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


def _challenge(url: str, status: int, hint: str) -> ServiceChallengeError:
    hint = f"ask from another place or later, or {hint}"
    return ServiceChallengeError(url, f"answers with a challenge page instead of data (status {status})", hint)
