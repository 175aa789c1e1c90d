"""`regreact act` on the sample acts."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from regreact.cli import app
from regreact.errors import NoUnitMatchedError, StoreError
from regreact.rag.act_command import Wanted, run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acts") / "store"
    assert CliRunner().invoke(app, ["fetch", "--from", "samples", "--store", str(folder)]).exit_code == 0
    return folder


def test_a_provision_is_printed_by_address_and_by_citation(store: Path) -> None:
    assert "70 %" in run(Wanted("32099L0001", at="art_7/par_3", store=store))
    told = run(Wanted("32099L0001", cited="Article 7, paragraphs 2 to 4", store=store))
    assert [line.partition("]")[0] for line in told.splitlines()] == ["[art_7/par_2", "[art_7/par_3", "[art_7/par_4"]


def test_an_act_is_printed_as_text_and_as_markdown(store: Path) -> None:
    result = CliRunner().invoke(app, ["act", "32099L0001", "--store", str(store)])
    assert result.exit_code == 0 and "Article 7" in result.stdout
    assert '<a id="art_7/par_3"></a>' in run(Wanted("32099L0001", markdown=True, store=store))


def test_what_is_not_there_is_told(store: Path) -> None:
    with pytest.raises(NoUnitMatchedError, match=r"no art_7/par_33; close addresses: art_7"):
        run(Wanted("32099L0001", at="art_7/par_33", store=store))
    with pytest.raises(NoUnitMatchedError, match="no art_77"):
        run(Wanted("32099L0001", cited="Article 77", store=store))
    with pytest.raises(StoreError, match="regreact fetch 32018L2001"):
        run(Wanted("32018L2001", store=store))
