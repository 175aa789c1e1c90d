"""Composition, validation and contradictions."""

from pathlib import Path

import pytest
import yaml

from regreact.config import conf_dir, load
from regreact.errors import ConfigError, LMRequiredError

CHOICES = sorted(
    f"{'+' if p.parent.name == 'ablation' else ''}{p.parent.name}={p.stem}"
    for p in conf_dir().glob("*/*.yaml")
    if p.parent.name != "experiment"
)


@pytest.mark.parametrize("choice", CHOICES)
def test_every_shipped_choice_composes(choice: str) -> None:
    load([choice])


@pytest.mark.parametrize("path", sorted(conf_dir().rglob("*.yaml")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_file_says_how_to_run_it(path: Path) -> None:
    head = path.read_text(encoding="utf-8").splitlines()[:2]
    assert any("How to run me:" in line for line in head)
    yaml.safe_load(path.read_text(encoding="utf-8"))


def test_defaults_need_no_model() -> None:
    settings = load()
    settings.need_lm()
    assert (settings.fastpath.mode, settings.lm.model, settings.data.name) == ("only", None, "samples")
    assert (settings.odr.tau, settings.odr.k_max) == (0.7, 3)


@pytest.mark.parametrize(
    ("ablation", "program", "odr", "graph"),
    [
        ("none", "regreact", True, True),
        ("no_odr", "regreact", False, True),
        ("no_graph", "regreact", True, False),
        ("markup", "markup", True, True),
        ("single_pass", "single_pass", True, True),
    ],
)
def test_ablations_change_what_they_name_and_nothing_else(ablation: str, program: str, odr: bool, graph: bool) -> None:
    settings = load([f"+ablation={ablation}"])
    assert (settings.program.name, settings.odr.enabled, settings.graph.enabled) == (program, odr, graph)
    assert settings.ablation.name == ablation


def test_the_paper_s_baseline_is_one_call_of_gpt_4o() -> None:
    settings = load(["+ablation=gpt4o"])
    assert (settings.program.name, settings.lm.model) == ("single_pass", "openai/gpt-4o")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["+ablation=no_odr", "odr=on"], "odr.enabled=False.*drop one"),
        (["+ablation=no_graph", "graph.enabled=true"], "graph.enabled"),
        (["+ablation=gpt4o", "lm=none"], "lm.model"),
        (["+ablation=markup", "program=regreact"], "program.name"),
        (["odr.x=1"], "unknown configuration key odr.x: allowed here are enabled, guidance, k_max"),
        (["+odr.x=1"], "unknown configuration key odr.x"),
        (["nonsense=1"], "unknown configuration key nonsense"),
        (["odr.tau=7"], "odr.tau=7 is not allowed.*less than or equal to 1"),
        (["lm.adapter=yaml"], "'chat', 'json' or 'xml'"),
        (["fastpath=sometimes"], "Available options in 'fastpath': first off only"),
        (["+ablation=all"], "Available options in 'ablation'"),
        (["two words"], "configuration"),
        (["odr.tau"], "configuration"),
        (["odr=1"], "key=value or group=choice"),
    ],
)
def test_wrong_and_contradicting_overrides_are_refused_in_one_line(overrides: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        load(overrides)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("overrides", [["fastpath=first"], ["fastpath=off"], ["+ablation=single_pass"]])
def test_a_missing_model_names_the_setting(overrides: list[str]) -> None:
    with pytest.raises(LMRequiredError, match="lm=openai"):
        load(overrides).need_lm()
