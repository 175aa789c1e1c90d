"""Files: who may read what is written, links and names that lead elsewhere, and a cache that runs nothing."""

from __future__ import annotations

import json
import os
import pickle
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import dspy
import pytest

from regreact.amendments import earlier_version
from regreact.app.review.desk import Desk
from regreact.app.review.export import export
from regreact.app.review.log import Decision, DecisionLog
from regreact.app.review.queue import Workspace
from regreact.app.review.texts import SourceTexts
from regreact.config import load
from regreact.errors import ConfigError, OutputError, PredictionError
from regreact.evaluation.judge import Judgement
from regreact.evaluation.judge_cache import JudgeCache
from regreact.evaluation.predictions import prediction_path, validate_folder
from regreact.files import is_file_name, write_whole
from regreact.manifest import MANIFEST
from regreact.rag.store import Store
from regreact.reply_cache import check_private, use_private_cache
from regreact.runner import Extractor
from regreact.sources.model import Block, Unit

TEXTS = ("1. Water losses are below 5 %.", "2. A monitoring plan is in place.")
UNIT = Unit(
    "wash/SC", "Ore washing", "water", "SC", "wash", "0" * 64, "html",
    tuple(Block(i, "p", 0, None, t) for i, t in enumerate(TEXTS)),
)  # fmt: skip


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def common_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An output folder with one extraction."""
    folder = tmp_path / "out"
    Extractor(load()).extract_to([UNIT], folder)
    return folder


# --- permissions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("umask", "file", "folder"), [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700)])
def test_results_have_the_permissions_that_the_user_gives_new_files(
    umask: int, file: int, folder: int, tmp_path: Path
) -> None:
    os.umask(umask)
    Extractor(load()).extract_to([UNIT], tmp_path / "out")
    for path in (tmp_path / "out").rglob("*"):
        assert mode(path) == (folder if path.is_dir() else file), path


def test_what_people_decided_and_what_was_paid_for_is_the_owners_alone(out: Path, tmp_path: Path) -> None:
    log = DecisionLog(out)
    log.append(Decision(reviewer="Ada", action="accept", item="i", document="d", unit="u", criterion_id="1"))
    judgements = JudgeCache(tmp_path / "new/judgements.cache.jsonl")
    judgements.put("key", Judgement(3.0, "for a reason"))
    store = Store(tmp_path / "store")
    store.add(b"<p>x</p>", id="32041L0017", format="xhtml", media_type="text/html", source="test")
    store.write_derived("a/b", b"x")
    assert judgements.path is not None
    for path in (log.path, judgements.path, *(p for p in store.folder.rglob("*") if p.is_file())):
        assert mode(path) & 0o077 == 0 or mode(path.parent) & 0o077 == 0, path
        assert mode(path) & 0o022 == 0, path
    assert mode(log.path) == mode(judgements.path) == 0o600
    assert mode(log.path.parent) == mode(store.folder) == 0o700


# --- links --------------------------------------------------------------------------------------------------------


def test_a_link_at_the_place_of_a_file_is_replaced_and_what_it_leads_to_is_left_alone(out: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    path = out / "wash/wash__SC.json"
    before = path.read_bytes()
    path.unlink()
    path.symlink_to(victim)
    Extractor(load()).extract_to([UNIT], out)
    assert victim.read_text(encoding="utf-8") == "mine"
    assert not path.is_symlink() and path.read_bytes() == before


@pytest.mark.parametrize("place", [MANIFEST, "review/decisions.jsonl"])
def test_nothing_is_appended_through_a_link(place: str, tmp_path: Path) -> None:
    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.write_text("mine", encoding="utf-8")
    (out / place).parent.mkdir(parents=True)
    (out / place).symlink_to(victim)
    decision = Decision(reviewer="Ada", action="accept", item="i", document="d", unit="u", criterion_id="1")
    with pytest.raises(OutputError, match=place.rpartition("/")[2]):
        Extractor(load()).extract_to([UNIT], out) if place == MANIFEST else DecisionLog(out).append(decision)
    assert victim.read_text(encoding="utf-8") == "mine"


def test_a_prepared_temporary_file_is_not_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should somebody guess the name, writing fails instead."""
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    monkeypatch.setattr("regreact.files.secrets.token_hex", lambda _: "guessed")
    (tmp_path / f".a.json.{os.getpid()}-guessed.tmp").symlink_to(victim)
    with pytest.raises(OutputError):
        write_whole(tmp_path / "a.json", b"x")
    assert victim.read_text(encoding="utf-8") == "mine" and not (tmp_path / "a.json").exists()


# --- names --------------------------------------------------------------------------------------------------------

OUTSIDE = ["..", ".", "", "../elsewhere", "/tmp/elsewhere", "a/../../elsewhere", "a\0b", "x" * 201]


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_elsewhere_are_none(name: str, tmp_path: Path) -> None:
    assert not is_file_name(name)
    with pytest.raises(PredictionError):
        prediction_path(tmp_path, name, "wash/SC")


@pytest.mark.parametrize("name", ["compass-1.0.4", "02021R2139-20250108", "..a", "a b", "é"])
def test_ordinary_names(name: str, tmp_path: Path) -> None:
    assert prediction_path(tmp_path, name, "a/SC") == tmp_path / name / "a__SC.json"


def test_the_export_of_a_foreign_folder_stays_in_its_own(out: Path, tmp_path: Path) -> None:
    path = out / "wash/wash__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["source"]["document"] = "../../../elsewhere"
    path.write_text(json.dumps(data), encoding="utf-8")
    desk = Desk(Workspace(out), DecisionLog(out), SourceTexts("samples"))
    target = tmp_path / "a/b/export"
    with pytest.raises(PredictionError, match="elsewhere"):
        export(desk.workspace, (), desk.texts, target)
    assert not list(tmp_path.rglob("*elsewhere*"))
    assert validate_folder(out)[1] == [f"{path}: '../../../elsewhere' cannot be the name of a file or folder"]


def test_a_manifest_cannot_name_a_file_elsewhere(out: Path, tmp_path: Path) -> None:
    """`--since` takes over the extraction at its place; the path that the line gives is not followed."""
    elsewhere = tmp_path / "elsewhere.json"
    own = out / "wash/wash__SC.json"
    data = json.loads(own.read_text(encoding="utf-8"))
    data["activity"] = "Something else"
    elsewhere.write_text(json.dumps(data), encoding="utf-8")
    manifest = out / MANIFEST
    line = json.loads(manifest.read_text(encoding="utf-8"))
    for told in ("../elsewhere.json", str(elsewhere)):
        manifest.write_text(json.dumps({**line, "file": told}) + "\n", encoding="utf-8")
        later = replace(UNIT, document="wash-2")
        found = earlier_version(out / "wash").extraction(later, line["input_hash"], line["config_hash"])
        assert found is not None and found.activity == "Ore washing"


# --- the cache of replies -----------------------------------------------------------------------------------------


class Bomb:
    """What runs something when it is unpickled."""

    def __init__(self, victim: Path) -> None:
        self.victim = victim

    def __reduce__(self) -> Any:
        return Path.touch, (self.victim,)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cache of replies as a run makes it, in a folder of the test."""
    monkeypatch.setenv("DSPY_CACHEDIR", str(tmp_path / "dspy"))
    before = vars(dspy).pop("cache", None)
    use_private_cache()
    yield dspy.cache
    dspy.cache.disk_cache.close()
    vars(dspy).pop("cache")
    if before is not None:
        dspy.cache = before


def test_the_cache_gives_back_replies_and_runs_nothing(cache: Any, tmp_path: Path) -> None:
    reply = {"responses": [{"message": {"parts": ["five"]}, "usage": {"input_tokens": 3}, "cost": 0.5}], "raw": None}
    cache.put({"question": 1}, reply)
    cache.reset_memory_cache()
    assert cache.get({"question": 1}) == reply
    ran = tmp_path / "ran"
    pickle.loads(pickle.dumps(Bomb(ran)))
    assert ran.exists(), "the bomb works"
    ran.unlink()
    cache.put({"question": 2}, Bomb(ran), enable_memory_cache=False)
    assert cache.get({"question": 2}) is None
    assert not ran.exists()


def test_the_cache_is_the_users_alone(cache: Any, tmp_path: Path) -> None:
    folder = tmp_path / "dspy/regreact"
    assert cache.disk_cache_dir == str(folder) and mode(folder) == 0o700
    folder.chmod(0o770)
    with pytest.raises(ConfigError, match=r"chmod 700.*lm\.cache=false"):
        check_private(folder)


def test_where_no_folder_can_be_made_replies_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("DSPY_CACHEDIR", str(tmp_path / "file"))
    before = vars(dspy).pop("cache", None)
    try:
        use_private_cache()
        assert not dspy.cache.enable_disk_cache and dspy.cache.enable_memory_cache
    finally:
        vars(dspy).pop("cache")
        if before is not None:
            dspy.cache = before
