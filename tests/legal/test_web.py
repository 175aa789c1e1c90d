"""The client of public services: what is asked again, what is not, and what never passes for an answer."""

import gzip
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
import stamina

from regreact.addresses import service_address
from regreact.errors import (
    ConfigError,
    ServiceAnswerError,
    ServiceChallengeError,
    ServiceError,
    ServiceRefusedError,
    ServiceUnavailableError,
)
from regreact.legal.cellar import ENDPOINT, RESULTS_JSON, lookup_query
from regreact.legal.web import LONGEST_WAIT_S, Reply, WebClient, retry_after
from tests.stub_cellar import CHALLENGE, Behaviour, Stub, drip, late, reset, says, serving

OK = says(200, b"{}", RESULTS_JSON)
RETRIES = 2
QUERY = lookup_query("32010L0075")


@pytest.fixture
def no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=RETRIES + 1, cap=True):
        yield


def ask(stub: Stub, **options: float) -> Reply:
    settings: dict[str, float] = {"rate": 1000, "timeout_s": 5, "retries": RETRIES, **options}
    client = WebClient(stub.url, **settings)  # type: ignore[arg-type]
    try:
        return client.send("POST", ENDPOINT, accept=RESULTS_JSON, form={"query": QUERY})
    finally:
        client.close()


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize(
    "failure",
    [says(429), says(429, Retry_After="7"), says(500), says(502), says(503), says(504), reset, says(202)],
    ids=["429", "429 with wait", "500", "502", "503", "504", "reset", "202 not ready"],
)
def test_a_transient_failure_is_asked_again(failure: Behaviour) -> None:
    with serving(script=[failure, failure, OK]) as stub:
        assert ask(stub).body == b"{}"
        assert len(stub.queries) == 3


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("failure", [says(503), reset], ids=["503", "reset"])
def test_a_service_that_keeps_failing_is_unavailable(failure: Behaviour) -> None:
    with serving(script=[failure] * 5) as stub:
        with pytest.raises(ServiceUnavailableError, match=r"sparql.*\(3 tries\).*celex=register"):
            ask(stub)
        assert len(stub.queries) == RETRIES + 1


@pytest.mark.parametrize(
    ("failure", "kind", "message"),
    [
        (says(400, b"Virtuoso 37000 Error SP030: syntax error\nmore"), ServiceRefusedError, "status 400: Virtuoso 37000 Error"),
        (says(403, b"<html>no</html>", "text/html"), ServiceRefusedError, "status 403"),
        (says(404), ServiceRefusedError, "status 404"),
        (says(200, CHALLENGE, "text/html"), ServiceChallengeError, r"challenge page.*status 200"),
        (says(202, CHALLENGE, "text/html; charset=UTF-8"), ServiceChallengeError, r"challenge page.*status 202"),
        (says(200, b"<html>hello</html>", RESULTS_JSON), ServiceChallengeError, "challenge page"),
        (says(202, b"", x_amzn_waf_action="challenge"), ServiceChallengeError, "challenge page"),
        (says(405, b"", x_amzn_waf_action="captcha"), ServiceChallengeError, "challenge page"),
        (says(200, b"x" * 3000, RESULTS_JSON), ServiceAnswerError, "larger than 2,000 bytes"),
        (says(200, gzip.compress(b"x" * 3000), RESULTS_JSON, Content_Encoding="gzip"), ServiceAnswerError, "larger than"),
        (says(200, b"no gzip", RESULTS_JSON, Content_Encoding="gzip"), ServiceAnswerError, "cannot be decompressed"),
        (says(303, Location="https://elsewhere.example/x"), ServiceRefusedError, "another host, elsewhere.example"),
        (says(303, Location="http://192.168.0.7/x"), ServiceRefusedError, "a private network, 192.168.0.7"),
        (says(303, Location="http://localhost/x"), ServiceRefusedError, "a private network, localhost"),
        (says(303, Location="http://127.0.0.1:9/x"), ServiceRefusedError, "another port or scheme, http:9"),
        (says(303, Location="ftp://127.0.0.1/x"), ServiceRefusedError, "scheme"),
    ],
)  # fmt: skip
def test_a_lasting_failure_is_not_asked_again(failure: Behaviour, kind: type[ServiceError], message: str) -> None:
    with serving(script=[failure, OK]) as stub:
        with pytest.raises(kind, match=message):
            ask(stub, max_bytes=2000)
        assert len(stub.queries) == 1


@pytest.mark.parametrize("slow", [late(3), drip(3)], ids=["late", "byte by byte"])
def test_time_is_limited_as_a_whole(slow: Behaviour) -> None:
    with serving(script=[slow]) as stub:
        started = time.monotonic()
        with pytest.raises(ServiceUnavailableError, match=r"within 0\.2 s"):
            ask(stub, timeout_s=0.2, retries=0)
        assert time.monotonic() - started < 2


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    with serving(script=[says(429, Retry_After="1"), OK]) as stub:
        ask(stub)
        assert stub.times[1] - stub.times[0] >= 1


def test_a_long_wait_is_not_waited_for() -> None:
    with serving(script=[says(429, Retry_After=str(int(LONGEST_WAIT_S) + 1)), OK]) as stub:
        with pytest.raises(ServiceUnavailableError, match="asks to come back in 61 s"):
            ask(stub)
        assert len(stub.queries) == 1


def test_a_date_to_come_back() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 25 < (retry_after(soon) or 0) <= 30
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert (retry_after("12"), retry_after("soon"), retry_after("²"), retry_after(None)) == (12, None, None, None)


def test_requests_keep_the_rate() -> None:
    with serving(script=[OK, OK, OK]) as stub:
        client = WebClient(stub.url, rate=10)
        started = time.monotonic()
        for _ in range(3):
            client.send("POST", ENDPOINT, accept=RESULTS_JSON, form={"query": QUERY})
        client.close()
        assert time.monotonic() - started >= 0.2


def test_the_client_says_who_it_is() -> None:
    with serving(script=[OK]) as stub:
        ask(stub)
        (headers,) = stub.headers
    assert headers["user-agent"].startswith("regreact/")
    assert headers["accept"] == RESULTS_JSON


def test_documents_by_content_negotiation() -> None:
    """What fetching documents needs: redirects on the host, HTML that is wanted, absence as an answer."""
    page = says(200, b"<html><body><p>Article 1</p></body></html>", "application/xhtml+xml; charset=utf-8")
    with serving(script=[says(303, Location="/resource/cellar/1"), page, says(404), says(300, b"<ul/>", "text/html")]) as stub:
        client = WebClient(stub.url, rate=1000, retries=0)
        wanted = "application/xhtml+xml, text/html"
        found = client.send("GET", "/resource/celex/1", accept=wanted, headers={"Accept-Language": "eng"})
        assert (found.status, found.media_type, found.url) == (200, "application/xhtml+xml", f"{stub.url}/resource/cellar/1")
        assert b"Article 1" in found.body
        assert client.send("GET", "/none", accept=wanted, expected=(200, 404)).status == 404
        assert client.send("GET", "/parts", accept=wanted, expected=(200, 300)).status == 300
        stub.script = [says(200, CHALLENGE, "text/html")]
        with pytest.raises(ServiceChallengeError):
            client.send("GET", "/resource/celex/1", accept=wanted)
        stub.script = [says(302, Location="/again")] * 9
        with pytest.raises(ServiceRefusedError, match="redirects more than 5 times"):
            client.send("GET", "/again", accept=wanted)
        client.close()


def test_a_redirect_to_plain_http_is_followed_by_https() -> None:
    client = WebClient("https://example.org")
    followed = client._redirected(httpx.Request("GET", "http://example.org/resource/cellar/1"))
    assert str(followed.url) == "https://example.org/resource/cellar/1"
    for elsewhere in ("https://example.org:8443/x", "https://example.org@10.0.0.1/x", "http://[fd00::1]/x"):
        with pytest.raises(ServiceRefusedError):
            client._redirected(httpx.Request("GET", elsewhere))
    client.close()


@pytest.mark.parametrize(
    "url", ["http://publications.europa.eu", "ftp://127.0.0.1", "publications.europa.eu", "", "https://", "https://a:b@example.org",
            "https://example.org/?q=1", "http://127.0.0.1.example.org", "https://[::1", "http://localhost:99999"],
)  # fmt: skip
def test_only_https_and_this_machine(url: str) -> None:
    with pytest.raises(ConfigError):
        service_address(url)


def test_addresses() -> None:
    assert service_address("https://example.org/base/") == "https://example.org/base"
    assert service_address("http://localhost:8080") == "http://localhost:8080"
    assert service_address("http://[::1]:80") == "http://[::1]:80"
