"""The HTTP API: extraction with limits, jobs, data, errors, description."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from regreact.app.access import access
from regreact.app.api import jobs as jobs_module
from regreact.app.api.catalogue import Catalogue
from regreact.app.api.docs import operations
from regreact.app.api.jobs import Job, Jobs, Limits
from regreact.app.api.web import create_app
from regreact.config import data_dir
from regreact.schema import Extraction

FRAGMENT = (
    '<p>1. The activity meets either of the following criteria:</p><ol type="a"><li>water losses are lower than 5 %;'
    "</li><li>all wash water is recovered.</li></ol>"
)


def client(catalogue: Catalogue, jobs: Jobs, token: str | None = None) -> TestClient:
    return TestClient(create_app(catalogue, jobs, access("127.0.0.1", 8322, token)), base_url="http://127.0.0.1:8322")


@pytest.fixture(scope="module")
def http(extracted: Path) -> Iterator[TestClient]:
    limits = Limits(bytes=200_000, seconds=60, units=5, workers=1)
    with client(Catalogue(extracted, "samples"), Jobs(limits=limits)) as c:
        yield c


@pytest.fixture(scope="module")
def sample_document() -> bytes:
    return (data_dir("samples") / "compass/samples-compass.json").read_bytes()


def wait(http: TestClient, job: str, *states: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        told: dict[str, Any] = http.get(f"/jobs/{job}").json()
        if told["state"] in states:
            return told
        time.sleep(0.02)
    raise AssertionError(told)


# --- extraction ---------------------------------------------------------------------------------------------------


def test_a_fragment_is_extracted(http: TestClient) -> None:
    reply = http.post("/extract?name=washing.html", content=FRAGMENT)
    assert reply.status_code == 200
    (told,) = reply.json()["extractions"]
    record = Extraction.model_validate(told)
    assert record.unit == "washing/SC"
    limits = [c.threshold for c in record.criteria.walk() if c.criterion_id == "1(a)"]
    assert limits[0] is not None and limits[0].quantitative is not None
    assert (limits[0].quantitative.items[0].value, limits[0].quantitative.items[0].unit) == (5.0, "%")


@pytest.mark.parametrize(
    ("query", "content", "status", "told"),
    [
        ("", b"", 422, "no body"),
        ("", b"plain words", 422, "plain text without markup"),
        ("", b"%PDF-1.7", 422, "PDF"),
        ("", b"{", 422, "document.html"),
        ("", b"<p>" * 5000, 422, ""),
        ("?name=../../etc/passwd", FRAGMENT.encode(), 422, "name:"),
        ("?name=/etc/passwd", FRAGMENT.encode(), 422, "name:"),
        ("?name=.hidden", FRAGMENT.encode(), 422, "name:"),
        ("?name=a%00b", FRAGMENT.encode(), 422, "name:"),
        ("?name=" + "x" * 81, FRAGMENT.encode(), 422, "name:"),
        ("?unit=CCM-9*", FRAGMENT.encode(), 404, "no unit matches"),
        ("?" + "unit=a&" * 51, FRAGMENT.encode(), 422, "at most 50"),
        ("", b"<p>" + b"x" * 200_000, 413, "larger than 200000 bytes"),
    ],
)
def test_what_cannot_be_used_is_a_problem_that_says_why(
    http: TestClient, query: str, content: bytes, status: int, told: str
) -> None:
    reply = http.post(f"/extract{query}", content=content)
    assert reply.status_code == status, reply.text[:300]
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == status
    assert told in reply.json()["detail"]


def test_a_name_of_an_existing_file_opens_nothing(http: TestClient) -> None:
    """Run in a folder with such a file, the body is what is read."""
    reply = http.post("/extract?name=README.md", content=FRAGMENT)
    assert [e["unit"] for e in reply.json()["extractions"]] == ["README/SC"]


def test_too_many_units_go_to_a_job(http: TestClient, sample_document: bytes) -> None:
    reply = http.post("/extract?name=many.json", content=sample_document)
    assert reply.status_code == 413
    assert "5 at most" in reply.json()["detail"] and "POST /jobs" in reply.json()["detail"]
    some = http.post("/extract?name=many.json&unit=CCM-21.2/SC", content=sample_document)
    assert [e["unit"] for e in some.json()["extractions"]] == ["CCM-21.2/SC"]


def test_an_extraction_that_takes_too_long_is_ended(extracted: Path) -> None:
    with client(Catalogue(extracted), Jobs(limits=Limits(seconds=0.05, workers=1))) as http:
        reply = http.post("/extract", content=FRAGMENT)
        assert reply.status_code == 504
        assert "POST /jobs" in reply.json()["detail"]


# --- jobs ---------------------------------------------------------------------------------------------------------


def test_a_job_tells_its_progress_and_keeps_its_results(http: TestClient, sample_document: bytes) -> None:
    begun = http.post("/jobs?name=samples-compass.json", content=sample_document)
    assert begun.status_code == 202
    job = begun.json()["id"]
    assert begun.headers["location"] == f"/jobs/{job}"
    told = wait(http, job, "done")
    assert told["done"] == told["total"] > 20 and told["failed"] == 0
    page = http.get(f"/jobs/{job}/extractions?offset=2&limit=3").json()
    assert len(page["extractions"]) == 3
    assert page["document"] == "samples-compass"


def test_a_job_that_fails_says_why(http: TestClient) -> None:
    job = http.post("/jobs", content="words").json()["id"]
    told = wait(http, job, "failed")
    assert "plain text without markup" in told["detail"]
    assert http.get(f"/jobs/{job}/extractions").status_code == 409


def test_a_running_job_is_cancelled_and_the_next_one_works(http: TestClient, sample_document: bytes) -> None:
    job = http.post("/jobs?name=samples-compass.json", content=sample_document).json()["id"]
    wait(http, job, "running", "done")
    assert http.delete(f"/jobs/{job}").json()["state"] in ("cancelled", "done")
    assert http.post("/extract", content=FRAGMENT).status_code == 200


def test_unknown_jobs(http: TestClient) -> None:
    assert http.get("/jobs/none").status_code == 404
    assert http.delete("/jobs/none").status_code == 404


class Held:
    """A worker whose jobs wait until they are let go."""

    go = threading.Event()
    running = 0
    most = 0
    lock = threading.Lock()

    def __init__(self, *_: object) -> None: ...

    def run(self, job: Job) -> None:
        with Held.lock:
            Held.running += 1
            Held.most = max(Held.most, Held.running)
        Held.go.wait(10)
        with Held.lock:
            Held.running -= 1
        job.end("done")

    def close(self) -> None: ...


def test_as_many_at_a_time_and_waiting_as_the_limits_say(monkeypatch: pytest.MonkeyPatch, extracted: Path) -> None:
    monkeypatch.setattr(jobs_module, "Worker", Held)
    Held.go.clear()
    limits = Limits(workers=2, waiting=3, kept=2)
    with client(Catalogue(extracted), Jobs(limits=limits)) as http:
        ids = []
        for _ in range(2):
            ids.append(http.post("/jobs", content=FRAGMENT).json()["id"])
        for i in ids:
            wait(http, i, "running")
        ids += [http.post("/jobs", content=FRAGMENT).json()["id"] for _ in range(3)]
        full = http.post("/jobs", content=FRAGMENT)
        assert full.status_code == 503 and "waiting" in full.json()["detail"]
        assert http.delete(f"/jobs/{ids[-1]}").json()["state"] == "cancelled"
        Held.go.set()
        for i in ids[:-1]:
            wait(http, i, "done")
        assert Held.most == 2
        http.post("/jobs", content=FRAGMENT)
        assert [http.get(f"/jobs/{i}").status_code for i in ids].count(200) == 2


# --- data ---------------------------------------------------------------------------------------------------------


def test_health(http: TestClient) -> None:
    told = http.get("/health").json()
    assert told["status"] == "ok" and told["extractions"] == 3 and told["units"] == 40


def test_units(http: TestClient) -> None:
    page = http.get("/units?limit=2&offset=1").json()
    assert page["total"] == 40 and len(page["items"]) == 2
    extracted = [u for u in http.get("/units?limit=500").json()["items"] if u["criteria"] is not None]
    assert {u["unit"] for u in extracted} == {"CCM-21.2/SC", "CCM-21.3/SC", "CCM-31.1/SC"}
    assert all(u["blocks"] for u in extracted)
    detail = http.get("/units/CCM-21.2/SC").json()
    assert detail["extraction"]["unit"] == "CCM-21.2/SC"
    assert len(detail["blocks"]) == detail["line"]["blocks"]
    assert http.get("/units/CCM-99/SC").status_code == 404
    assert http.get("/units/CCM-21.2/SC?document=other").status_code == 404
    assert http.get("/units/../../etc/passwd").status_code == 404
    assert http.get("/units?limit=501").status_code == 422


def test_criteria_filters(http: TestClient) -> None:
    def found(query: str) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = http.get(f"/criteria?limit=500&{query}").json()["items"]
        return told

    everything = found("")
    assert all(r["criterion_id"] != "ROOT" for r in everything)
    for query, holds in (
        ("unit=CCM-21.3/SC", lambda r: r["unit"] == "CCM-21.3/SC"),
        ("objective=mitigation", lambda r: r["objective"] == "mitigation"),
        ("tag=Verification", lambda r: "Verification" in r["tags"]),
        ("category=Quantitative", lambda r: r["category"] == "Quantitative"),
        ("threshold_unit=co2e/KWH", lambda r: "CO2e/kWh" in str(r["threshold"])),
        ("text=EMISSIONS", lambda r: "emissions" in (r["verbatim_text"] + r["rule_summary"]).lower()),
    ):
        rows = found(query)
        assert rows == [r for r in everything if holds(r)], query
        assert rows, query
    assert http.get("/criteria?tag=None").status_code == 422


def test_search_finds_what_shares_words(http: TestClient) -> None:
    hits = http.get("/search?q=direct+GHG+emissions&limit=5").json()["items"]
    assert len(hits) == 5
    assert [h["score"] for h in hits] == sorted((h["score"] for h in hits), reverse=True)
    assert "emissions" in hits[0]["criterion"]["verbatim_text"]
    assert http.get("/search?q=xylophone").json()["items"] == []
    assert http.get("/search?q=the+of").json()["items"] == []
    assert http.get("/search").status_code == 422


# --- access and description ---------------------------------------------------------------------------------------


def test_writes_from_other_sites_are_refused(http: TestClient) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert http.post("/extract", content=FRAGMENT, headers=headers).status_code == 403
        assert http.post("/jobs", content=FRAGMENT, headers=headers).status_code == 403
        assert http.delete("/jobs/x", headers=headers).status_code == 403
    assert http.get("/criteria", headers={"Host": "evil.example"}).status_code == 421


def test_with_a_token_only_health_is_open(extracted: Path) -> None:
    http = client(Catalogue(extracted), Jobs(), "0123456789abcdef")
    assert http.get("/health").status_code == 200
    for path in ("/units", "/criteria", "/search?q=x", "/jobs/1", "/openapi.json", "/docs"):
        reply = http.get(path)
        assert reply.status_code == 401, path
        assert reply.headers["content-type"] == "application/problem+json"
    assert http.get("/units", headers={"Authorization": "Bearer 0123456789abcdef"}).status_code == 200


def test_the_description_is_complete(http: TestClient) -> None:
    told = http.get("/openapi.json").json()
    schemas = told["components"]["schemas"]

    def refs(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
            for v in value.values():
                yield from refs(v)
        elif isinstance(value, list):
            for v in value:
                yield from refs(v)

    assert {r.rpartition("/")[2] for r in refs(told)} <= set(schemas)
    found = operations(told)
    assert {(o.method, o.path) for o in found} >= {
        ("POST", "/extract"), ("POST", "/jobs"), ("GET", "/jobs/{id}"), ("DELETE", "/jobs/{id}"), ("GET", "/units"),
        ("GET", "/units/{key}"), ("GET", "/criteria"), ("GET", "/search"), ("GET", "/health"),
    }  # fmt: skip
    for o in found:
        by_code = {code: schema for code, _, schema in o.responses}
        assert by_code.pop("200", None) or by_code.pop("202"), o.path
        assert set(by_code.values()) == {"Problem"}, o.path
    assert next(o for o in found if o.path == "/extract").body
    assert "examples" in schemas["JobStatus"] and "examples" in schemas["Problem"]


def test_the_page_of_the_api_shows_every_operation(http: TestClient) -> None:
    page = http.get("/docs").text
    for o in operations(http.get("/openapi.json").json()):
        assert f'id="{o.id}"' in page
    assert "http://" not in page.replace("http://127.0.0.1", "") and "https://" not in page


# --- hostile documents and processes ------------------------------------------------------------------------------

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE ACT [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]><ACT><TITLE>&j;</TITLE></ACT>"
)
THIEF = '<?xml version="1.0"?><!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>1. The activity meets &x;</p>'


@pytest.mark.parametrize("document", [BOMB, THIEF, THIEF.replace("<p>", "<ACT>").replace("</p>", "</ACT>")])
def test_entities_are_not_expanded(http: TestClient, document: str) -> None:
    started = time.monotonic()
    reply = http.post("/extract?name=act.xml", content=document)
    assert time.monotonic() - started < 20
    assert "root:" not in reply.text and "a" * 100 not in reply.text
    assert reply.status_code in (200, 404, 422)


def test_a_worker_that_dies_costs_its_job_only_and_none_outlives_the_server(extracted: Path) -> None:
    jobs = Jobs(limits=Limits(workers=1))
    with client(Catalogue(extracted), jobs) as http:
        first = http.post("/jobs", content=FRAGMENT).json()["id"]
        wait(http, first, "running")
        while (process := jobs._workers[0]._process) is None:
            time.sleep(0.01)
        process.kill()
        assert "the extraction process" in wait(http, first, "failed")["detail"]
        assert http.post("/extract", content=FRAGMENT).status_code == 200
        second = jobs._workers[0]._process
        assert second is not None and second.poll() is None
    assert second.poll() is not None
