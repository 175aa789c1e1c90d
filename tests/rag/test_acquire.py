"""Acts from a server that behaves as Cellar is documented to, and every way in which it can fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
import stamina
from lxml import etree

from regreact.errors import (
    ConfigError,
    DocumentAbsentError,
    ServiceAnswerError,
    ServiceChallengeError,
    ServiceError,
    ServiceRefusedError,
    ServiceUnavailableError,
    StoreError,
)
from regreact.legal.web import Reply, WebClient
from regreact.rag.acquire import ACCEPT, Acquirer, part_addresses
from regreact.rag.store import Store
from tests.rag.pages import annex, archive, consolidated, formex, one_page_pdf, original
from tests.stub_cellar import CHALLENGE, Behaviour, Stub, drip, late, reset, says, serving

XHTML, HTML, FORMEX, PDF = (ACCEPT[f] for f in ("xhtml", "html", "formex", "pdf"))
ACT = "32099L0007"
V1, V2, V3 = "02099L0007-21000101", "02099L0007-21010101", "02099L0007-21020101"
Held = dict[tuple[str, str, str], Sequence[tuple[str, bytes]]]


def page(data: bytes, media_type: str = XHTML) -> list[tuple[str, bytes]]:
    return [(media_type, data)]


ORIGINAL: Held = {(ACT, XHTML, "eng"): page(original())}
VERSIONS = {ACT: [V2, V1, V3, "02098R0001-21010101", "02099L0007-21019999"]}
HELD: Held = ORIGINAL | {
    (V1, XHTML, "eng"): page(consolidated("01.01.2100")),
    (V2, XHTML, "eng"): page(consolidated("01.01.2101")),
}


@contextmanager
def cellar(
    folder: Path,
    documents: Held | None = None,
    script: Sequence[Behaviour] = (),
    versions: Mapping[str, Sequence[str]] | None = None,
    **options: float,
) -> Iterator[tuple[Acquirer, Stub]]:
    with serving(script=script, documents=documents or {}, versions=versions) as stub:
        settings: dict[str, float] = {"rate": 1000, "retries": 0, "timeout_s": 5, **options}
        web = WebClient(stub.url, hint="take files", **settings)  # type: ignore[arg-type]
        try:
            yield Acquirer(Store(folder), web), stub
        finally:
            web.close()


def test_an_act_is_stored_as_it_came(tmp_path: Path) -> None:
    with cellar(tmp_path, ORIGINAL) as (acquirer, stub):
        fetched = acquirer.fetch(ACT)
        assert stub.gets[0] == (f"/resource/celex/{ACT}", XHTML, "eng")
    entry = fetched.entry
    assert (fetched.status, entry.id, entry.format, entry.language, entry.date) == (
        "stored",
        ACT,
        "xhtml",
        "en",
        "2099-05-03",
    )
    assert entry.source.endswith(f"/resource/cellar/{ACT}.eng")
    assert Store(tmp_path).read(entry) == original()


def test_a_second_run_asks_for_nothing(tmp_path: Path) -> None:
    for run in ("stored", "kept"):
        with cellar(tmp_path, HELD, versions=VERSIONS) as (acquirer, stub):
            assert acquirer.fetch(ACT).status == run
            fetched = acquirer.fetch(ACT, as_of=date(2105, 1, 1))
            assert (fetched.status, fetched.entry.id, fetched.absent) == (run, "32099L0007-21010101", (V3,))
            asked = len(stub.gets) + len(stub.queries)
    assert asked == 0


@pytest.mark.parametrize(
    ("held", "asked", "stored"),
    [
        ({(ACT, HTML, "eng"): page(original(), HTML)}, 2, "xhtml"),
        ({(ACT, FORMEX, "eng"): page(archive(a__xml=formex()), "application/zip")}, 3, "formex"),
        ({(ACT, PDF, "eng"): page(one_page_pdf(), PDF)}, 4, "pdf"),
    ],
    ids=["html", "formex", "pdf"],
)  # fmt: skip
def test_406_leads_to_the_next_format(tmp_path: Path, held: Held, asked: int, stored: str) -> None:
    with cellar(tmp_path, held) as (acquirer, stub):
        entry = acquirer.fetch(ACT).entry
        formats = [accept for path, accept, _ in stub.gets if "/celex/" in path]
    assert formats == [XHTML, HTML, FORMEX, PDF][:asked]
    assert entry.format == stored


@pytest.mark.parametrize(
    ("as_of", "id"),
    [
        (date(2099, 12, 31), ACT),
        (date(2100, 1, 1), "32099L0007-21000101"),
        (date(2101, 6, 1), "32099L0007-21010101"),
        # Of 2102-01-01 there is no document yet.
        (date(2102, 6, 1), "32099L0007-21010101"),
        (None, ACT),
    ],
)
def test_the_version_in_force_at_a_date(tmp_path: Path, as_of: date | None, id: str) -> None:
    with cellar(tmp_path, HELD, versions=VERSIONS) as (acquirer, stub):
        fetched = acquirer.fetch(ACT, as_of)
        assert len(stub.queries) == (as_of is not None)
    assert fetched.entry.id == id


def test_without_a_document_of_any_version_the_original_is_taken(tmp_path: Path) -> None:
    with cellar(tmp_path, ORIGINAL, versions=VERSIONS) as (acquirer, _):
        fetched = acquirer.fetch(ACT, date(2105, 1, 1))
    assert (fetched.entry.id, fetched.absent) == (ACT, (V3, V2, V1))


def test_one_version_by_its_own_id(tmp_path: Path) -> None:
    with cellar(tmp_path, HELD, versions=VERSIONS) as (acquirer, stub):
        assert acquirer.fetch(V1).entry.version == "2100-01-01"
        with pytest.raises(DocumentAbsentError, match=V3):
            acquirer.fetch(V3)
        assert stub.queries == []


def test_another_language_is_another_document(tmp_path: Path) -> None:
    held: Held = ORIGINAL | {(ACT, XHTML, "fra"): page(original(language="FR"))}
    with cellar(tmp_path, held) as (acquirer, stub):
        assert acquirer.fetch(ACT).entry.language == "en"
        assert acquirer.fetch(ACT, language="fr").entry.language == "fr"
        assert stub.gets[-1][2] == "fra"
        with pytest.raises(DocumentAbsentError, match="no document in deu"):
            acquirer.fetch(ACT, language="de")
        with pytest.raises(ConfigError, match="'tlh' is none"):
            acquirer.fetch(ACT, language="tlh")


def test_parts_become_one_page_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    parts = [(XHTML, original()), (XHTML, annex("Depth of ponds")), ("image/png", b"\x89PNG"), (XHTML, annex("Fish"))]
    with cellar(tmp_path, {(ACT, XHTML, "eng"): parts}) as (acquirer, _):
        entry = acquirer.fetch(ACT).entry
    root = etree.fromstring(Store(tmp_path).read(entry))
    words = " ".join("".join(map(str, root.itertext())).split())
    assert [words.count(w) for w in ("on garden ponds", "Depth of ponds", "Fish")] == [1, 1, 1]
    assert words.index("kept clean") < words.index("Depth of ponds") < words.index("Fish")
    assert len(root.findall("{http://www.w3.org/1999/xhtml}body")) == 1


def test_an_act_of_which_a_part_is_missing_is_asked_for_in_another_format(tmp_path: Path) -> None:
    held: Held = {
        (ACT, XHTML, "eng"): [(XHTML, original()), ("application/pdf", b"%PDF")],
        (ACT, FORMEX, "eng"): page(archive(a__xml=formex(), b__xml=b"<ANNEX/>"), "application/zip"),
    }
    with cellar(tmp_path, held) as (acquirer, _):
        entry = acquirer.fetch(ACT).entry
    assert (entry.format, entry.media_type) == ("formex", "application/zip")


@pytest.mark.parametrize("bad", [b"<html><body><p>cut off", b"<?xml version='1.0'?><html><p>no body</p></html>"])
def test_parts_that_cannot_be_joined(tmp_path: Path, bad: bytes) -> None:
    with cellar(tmp_path, {(ACT, XHTML, "eng"): [(XHTML, original()), (XHTML, bad)]}) as (acquirer, _):
        with pytest.raises(ServiceAnswerError, match="cannot be joined"):
            acquirer.fetch(ACT)
    assert Store(tmp_path).entries() == []


def test_addresses_in_a_list_of_parts() -> None:
    body = (
        b"<a href='http://c.example/resource/cellar/1/DOC_10'>x</a><a href='/resource/cellar/1/DOC_2'>x</a>"
        b'<a type="image/png" href="/resource/cellar/1/DOC_1">x</a><a href="/help">x</a>'
        b'<A HREF="/resource/cellar/1/DOC_3/main.xhtml" TYPE="application/xhtml+xml;charset=utf-8">x</A>'
    )
    listing = Reply(300, "text/html", body, "http://c.example/resource/cellar/1", {})
    places = [a.removeprefix("http://c.example/resource/cellar/1") for a in part_addresses(listing, XHTML)]
    assert places == ["/DOC_2", "/DOC_3/main.xhtml", "/DOC_10"]


def test_a_list_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    body = b"<a href='https://elsewhere.example/resource/cellar/1/DOC_1'>x</a>"
    with cellar(tmp_path, script=[says(300, body, "text/html")]) as (acquirer, _):
        with pytest.raises(ServiceRefusedError, match=r"another host, elsewhere\.example"):
            acquirer.fetch(ACT)


@pytest.mark.parametrize(
    ("failure", "kind", "message"),
    [
        ([], DocumentAbsentError, f"no document in eng of {ACT}"),
        ([says(400, b"bad language")], ServiceRefusedError, "status 400: bad language"),
        ([says(403)], ServiceRefusedError, "status 403"),
        ([says(202)], ServiceUnavailableError, "not ready yet .*take files"),
        ([says(429, Retry_After="3600")], ServiceUnavailableError, "status 429, asks to come back in 3600 s"),
        ([says(503)], ServiceUnavailableError, "status 503"),
        ([reset], ServiceUnavailableError, "connection failed"),
        ([late(1.5)], ServiceUnavailableError, "no answer within"),
        ([drip(1.5)], ServiceUnavailableError, "no whole answer within"),
        ([says(200, CHALLENGE, "text/html")], ServiceChallengeError, "challenge page.*take files"),
        ([says(202, CHALLENGE, "text/html")], ServiceChallengeError, "challenge page"),
        ([says(200, b"x" * 30_000, XHTML)], ServiceAnswerError, "larger than 20,000 bytes"),
        ([says(200, b"", XHTML)], ServiceAnswerError, "the file is empty"),
        ([says(200, b"\0\1\2", XHTML)], ServiceAnswerError, "a binary file"),
        ([says(200, original()[:-30], XHTML)], ServiceAnswerError, "not well-formed"),
        ([says(200, original("(EU) 2099/8"), XHTML)], ServiceAnswerError, "prints 2099/8, which is not 32099L0007"),
        ([says(200, original(language="FR"), XHTML)], ServiceAnswerError, "is in 'fr', not in 'en'"),
        ([says(200, consolidated("01.01.2100"), XHTML)], ServiceAnswerError, f"the document is {V1}, not {ACT}"),
        ([says(300, b"<html>no list</html>", "text/html")], ServiceAnswerError, "a list of 0 parts"),
        ([says(303, Location="http://169.254.169.254/latest")], ServiceRefusedError, "private network, 169.254.169.254"),
        ([says(303, Location="http://10.0.0.7/x")], ServiceRefusedError, "private network, 10.0.0.7"),
        ([says(303, Location="http://[::1]/x")], ServiceRefusedError, "private network, ::1"),
        ([says(303, Location="http://127.0.0.1:1/x")], ServiceRefusedError, "another port"),
        ([says(303, Location="https://elsewhere.example/x")], ServiceRefusedError, "another host, elsewhere.example"),
        ([says(303, Location="/again")] * 9, ServiceRefusedError, "redirects more than"),
    ],
)  # fmt: skip
def test_failures_are_typed_and_nothing_is_stored(
    tmp_path: Path, failure: list[Behaviour], kind: type[ServiceError], message: str
) -> None:
    with cellar(tmp_path, script=failure, max_bytes=20_000, timeout_s=0.5) as (acquirer, _):
        with pytest.raises(kind, match=message):
            acquirer.fetch(ACT)
    assert Store(tmp_path).entries() == []


def test_after_a_wait_that_the_server_asks_for_it_goes_on(tmp_path: Path) -> None:
    with stamina.set_testing(True, attempts=3, cap=True):
        script = [says(429, Retry_After="1"), says(503)]
        with cellar(tmp_path, ORIGINAL, script=script, retries=2) as (acquirer, stub):
            assert acquirer.fetch(ACT).status == "stored"
            assert len(stub.gets) == 4


@pytest.mark.parametrize("id", ["../../etc/passwd", "32099L0007/..", "", "32099L0007\n", "3%2e%2e"])
def test_an_id_that_is_none_is_never_asked_for(tmp_path: Path, id: str) -> None:
    with cellar(tmp_path, ORIGINAL) as (acquirer, stub):
        with pytest.raises(StoreError):
            acquirer.fetch(id)
        assert (stub.gets, stub.queries) == ([], [])


def test_a_damaged_list_of_versions_is_asked_for_again(tmp_path: Path) -> None:
    Store(tmp_path).write_derived(f"versions/{ACT}.json", b'{"asked": "yesterday"}')
    with cellar(tmp_path, HELD, versions=VERSIONS) as (acquirer, stub):
        assert acquirer.fetch(ACT, date(2100, 6, 1)).entry.version == "2100-01-01"
        assert len(stub.queries) == 1
