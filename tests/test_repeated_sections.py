"""Sections with the content of an earlier one take over its answers; each extraction is as if answered anew."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from regreact import config
from regreact.errors import UnitError
from regreact.program import Content, RegReAct
from regreact.sources.model import Block, Unit

POINTER = "The activity complies with the criteria set out in Appendix A to this Annex."
LIMIT = "1. Dust losses are below 5 %, as laid down in Article 3 of Directive 2010/75/EU(1)."
# Applicability hangs on the activity's name: recycling is one process of several, or the activity itself.
PROCESS = "Recycling processes meet the conditions laid down by the mill."


def unit(key: str = "CCM-4.1/DNSH.water", activity: str = "Ore washing", *texts: str, **changes: object) -> Unit:
    blocks = tuple(Block(i, "p", 0, None, text, footnotes=("fn-1",) if "(1)" in text else ()) for i, text in enumerate(texts or (POINTER,)))
    section = key.partition("/")[2]
    made = Unit(key, activity, "mitigation", section, "act", "0" * 64, "formex", blocks, {"fn-1": "Directive 2010/75/EU (OJ L 1)."})
    return replace(made, **changes)  # type: ignore[arg-type]


VARIANTS = [
    unit(),
    unit("CCM-4.2/DNSH.water", "Ore milling"),
    unit("WTR-4.2/DNSH.water", "Ore milling"),
    unit("CCM-4.2/SC", "Ore milling"),
    unit("CCM-4.3/SC", "Ore washing", "1. See point 7.", "2. Losses are low."),
    unit("CCM-4.3/DNSH.water", "Ore washing", "1. See point 7.", "2. Losses are low."),
    unit("CCM-4.4/SC", "Ore washing", LIMIT),
    unit("CCM-4.5/SC", "Ore milling", LIMIT, footnotes={"fn-1": "Directive 2010/76/EU (OJ L 2)."}),
    unit("CCM-4.6/SC", "Ore milling", LIMIT, document="other", sha256="1" * 64, objective="water", description="Mills."),
    unit("CCM-4.7/SC", "Ore washing", PROCESS),
    unit("CCM-4.8/SC", "Recycling of ore", PROCESS),
]


def test_answers_that_are_taken_over_are_those_given_anew() -> None:
    program = RegReAct(config.load())
    anew = []
    for u in VARIANTS:
        program._answered.cache_clear()
        anew.append(program(unit=u).to_json())
    for order in (VARIANTS, VARIANTS[::-1], VARIANTS):
        found = {u.key: program(unit=u).to_json() for u in order}
        assert [found[u.key] for u in VARIANTS] == anew
    assert program._answered.cache_info().hits > len(VARIANTS)


def test_what_the_rules_read_tells_sections_apart() -> None:
    one, same_content, other_annex, other_section, *_ = map(Content.of, VARIANTS)
    assert one == same_content
    assert len({one, other_annex, other_section}) == 3
    washing, recycling = (Content.of(u) for u in VARIANTS[-2:])
    assert washing != recycling
    program = RegReAct(config.load())
    applicability = [program(unit=u).criteria.sub_criteria[0].applicability for u in VARIANTS[-2:]]
    assert applicability == ["Conditional", "Mandatory"]


@pytest.mark.parametrize(
    ("made", "overrides"),
    [
        (unit("CCM-4.1/SC", "Ore washing", "Losses are low. " * 500), []),
        (unit(), ["fastpath=off", "lm=simulated"]),
        (unit(), ["celex=cellar"]),
    ],
    ids=["long section", "model", "service"],
)
def test_nothing_is_kept_that_is_long_or_comes_from_elsewhere(
    made: Unit, overrides: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = RegReAct(config.load(overrides))
    monkeypatch.setattr(program, "_compute", lambda unit, official: {"answered": unit.key})
    assert program._run(made, None)["answered"] == made.key
    assert program._answered.cache_info().currsize == 0


def test_the_number_of_sections_kept_is_bounded() -> None:
    assert 0 < RegReAct(config.load())._answered.cache_info().maxsize <= 1024


HEAVY = {"dspy", "lxml", "mlflow", "igraph", "hydra", "httpx", "pydantic", "numpy", "regreact.runner"}
UNUSED = {"mlflow", "litellm", "igraph", "matplotlib", "numpy", "pandas", "pdfplumber", "faiss", "openai"}


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a command loads in a process of its own."""
    code = "import sys; from regreact.cli import main\ntry: main()\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy() -> None:
    assert HEAVY & loaded_by("--help") == set()


def test_extracting_without_model_loads_what_it_uses(tmp_path: Path) -> None:
    source = tmp_path / "washing.html"
    source.write_text("<p>1. Losses are below 5 %.</p>", encoding="utf-8")
    loaded = loaded_by("extract", str(source), "--out", str(tmp_path / "out"))
    assert "regreact.program" in loaded
    assert UNUSED & loaded == set()
    assert not {m for m in loaded if m.startswith(("regreact.rag.", "regreact.fastpath.retrieval"))}


def test_an_error_names_the_section_itself() -> None:
    texts = [f"{'.'.join(['1'] * n)}. The pond is clear." for n in range(2, 60)]
    blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
    unit = Unit("CCM-4.29/SC", "Ponds", "", "SC", "x", "0" * 64, "html", blocks)
    program = RegReAct(config.load())
    for _ in range(2):
        with pytest.raises(UnitError, match=r"^CCM-4\.29/SC at "):
            program(unit=unit)
