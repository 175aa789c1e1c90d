"""A real small model in the loop: whatever it says, the solvers' answers do not get worse.

Needs llama-cpp-python and a GGUF file named by REGREACT_GGUF (extra `local-lm`); SmolLM2-135M is weak enough to matter.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from regreact.config import load
from regreact.corpus import load as load_corpus
from regreact.corpus import select
from regreact.evaluation.repair import record
from regreact.runner import Extractor

GGUF = os.environ.get("REGREACT_GGUF", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("llama_cpp") is None or not Path(GGUF).is_file(),
        reason="no llama-cpp-python, or REGREACT_GGUF names no model file",
    ),
]
UNITS = select(load_corpus("samples").documents, ["CCM-21.*"]).units[:6]


def test_a_weak_model_does_not_make_the_solvers_answers_worse() -> None:
    only = Extractor(load([]))
    # Thresholds of confidence raised, so that the model is asked for what the checks have the least doubt about.
    first = Extractor(load(["lm=local", f"lm.file={GGUF}", "fastpath=first", "lm.examples=0", "lm.cache=false",
                            "odr.tau=1.0", "lm.max_tokens=400"]))  # fmt: skip
    for unit in UNITS:
        assert record(unit, first.extract(unit)) == record(unit, only.extract(unit)), unit.key


def test_a_weak_model_that_answers_everything_leaves_a_whole_valid_tree() -> None:
    extractor = Extractor(load(["lm=local", f"lm.file={GGUF}", "fastpath=off", "lm.examples=0", "lm.cache=false",
                                "odr.k_max=1", "odr.lm_observer=false", "lm.max_tokens=400"]))  # fmt: skip
    unit = min(UNITS, key=lambda u: len(u.blocks))
    found = extractor.extract(unit)
    assert found.usage.lm_calls > 0
    texts = {c.verbatim_text for c in found.criteria.walk()}
    assert {b.text for b in unit.blocks} <= texts
