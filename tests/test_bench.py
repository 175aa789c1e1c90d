"""The benchmarks run, on tiny inputs; what they count is right on data that can be checked by eye."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from experiments.bench import bench_d_parsers, bench_f_structural_f1, common, corpus_run
from experiments.bench.parser_run import label
from regreact.sources import read

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(p.stem for p in (ROOT / "experiments" / "bench").glob("bench_*.py"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_each_section_has_a_title_and_a_table(script: str) -> None:
    module = import_module(f"experiments.bench.{script}")
    page = list(module.lines(True))
    rows = [line for line in page if line.startswith("| ")]
    assert module.TITLE and len(rows) >= 2
    assert "nan" not in "\n".join(page) and all(line.count("|") == rows[0].count("|") for line in rows[:2])


def test_sections_are_written_singly(tmp_path: Path) -> None:
    page = tmp_path / "bench.md"
    page.write_text("Head\n\n<!-- b:start -->\nkept\n<!-- b:end -->\n\n<!-- f:start -->\nstale figures\n<!-- f:end -->\n")
    command = [sys.executable, "experiments/bench.py", "f", "--quick", "--out", str(page)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    text = page.read_text("utf-8")
    assert "<!-- b:start -->\nkept\n<!-- b:end -->" in text
    assert "## f. Structural F1" in text and "stale figures" not in text and "commit" in text


def test_an_unknown_section_and_a_quick_page_are_refused() -> None:
    for arguments in (["x"], ["f", "--quick"]):
        done = subprocess.run(
            [sys.executable, "experiments/bench.py", *arguments], cwd=ROOT, check=False, capture_output=True, text=True
        )
        assert done.returncode == 2 and "Traceback" not in done.stderr


def test_the_exponent_is_the_power_of_growth() -> None:
    assert common.exponent([1, 2, 4, 8], [5, 10, 20, 40]) == pytest.approx(1)
    assert common.exponent([1, 2, 4, 8], [1, 4, 16, 64]) == pytest.approx(2)


def test_the_spread_is_the_median_between_the_ends() -> None:
    assert common.spread([0.25, 0.5, 1.0], 0, 1000) == "500 (250–1,000)"
    assert common.spread([2.0], 1) == "2.0"


def test_a_copy_of_a_corpus_shares_no_text_of_words_with_it() -> None:
    document = read(next((common.SAMPLES / "formex").glob("*.xml")))
    copy = corpus_run.copied(document, 3)
    assert corpus_run.copied(document, 0) is document
    assert copy.document != document.document and {u.document for u in copy.units} == {copy.document}
    pairs = [
        (a.text, b.text)
        for mine, other in zip(document.units, copy.units, strict=True)
        for a, b in zip(mine.blocks, other.blocks, strict=True)
    ]
    assert len(pairs) > 20
    for one, two in pairs:
        assert len(one.split(" ")) == len(two.split(" "))
        assert one != two or not max(one.split(" "), key=len).isalpha()


def test_the_naive_f1_is_ours() -> None:
    for seed in range(5):
        gold, predicted = bench_f_structural_f1.made(12, seed)
        ours, naive = bench_f_structural_f1.ours(gold, predicted), bench_f_structural_f1.naive(gold, predicted)
        assert ours == pytest.approx(naive) and 0 < ours < 1


PAGE = """<html><head><title>x</title></head><body>
<p>ARTICLE 1</p><p>1. Boats are blue.</p><p>2. Article 9 is replaced by:</p>
<p>‘Article 9</p><p>1. Boats are red.’</p><p>Article 2a</p><p>Nothing more.</p>
<p>ANNEX I</p><p>1. A list.</p><p class="oj-note">(1) A note.</p></body></html>"""


def test_the_yardstick_counts_lines_that_open_provisions(tmp_path: Path) -> None:
    file = tmp_path / "act.xhtml"
    file.write_text(PAGE)
    held = bench_d_parsers.yardstick(file)
    # What is quoted belongs to another act; a number in an annex is no paragraph of an article.
    assert held.articles == {"1": 1, "2a": 1} and held.annexes == {"I": 1}
    assert held.paragraphs == {("1", "1"): 1, ("1", "2"): 1}
    assert held.words[:4] == ["ARTICLE", "1", "1", "Boats"]
    assert held.words[-3:] == ["1", "A", "note"] and held.without_notes == held.words[:-3]
    found = {"text": "Boats are blue. ARTICLE", "articles": ["1", "9"], "paragraphs": [["1", "1"]]}
    counts = bench_d_parsers.completeness(held, found)
    assert (counts["order"], counts["all"], counts["given"]) == (3, 4, 4)
    assert (counts["articles"], counts["articles_of"], counts["annexes"]) == (1, 2, 0)
    assert (counts["paragraphs"], counts["paragraphs_of"]) == (1, 2)


@pytest.mark.parametrize(
    ("heading", "expected"), [("Article 5a", "5a"), ("ANNEX IV", "IV"), ("ANNEX", ""), ("Article\n 3", "3")]
)
def test_labels_of_headings(heading: str, expected: str) -> None:
    assert label(heading) == expected
