"""A corpus in parts that several machines extract, put together again."""

import shutil
from pathlib import Path

import pytest

from regreact import corpus
from regreact.corpus import Shard
from regreact.errors import ConfigError
from tests.test_cli import one_line, regreact


def test_each_unit_is_in_one_part() -> None:
    keys = [f"X-{n}/SC" for n in range(400)]
    parts = [{k for k in keys if Shard(n, 4).holds("act", k)} for n in range(1, 5)]
    assert sorted(k for part in parts for k in part) == sorted(keys)
    assert all(70 <= len(part) <= 130 for part in parts)
    assert parts[0] != {k for k in keys if Shard(1, 4).holds("other", k)}


def test_a_unit_stays_in_its_part_whatever_else_there_is() -> None:
    selection = corpus.select(corpus.load("samples").documents)
    own = Shard(2, 3).of_selection(selection)
    fewer = corpus.select(corpus.load("samples").documents[:1])
    assert own.units and {u.key for u in Shard(2, 3).of_selection(fewer).units} <= {u.key for u in own.units}


@pytest.mark.parametrize("text", ["0/4", "5/4", "4", "1/0", "-1/4", "a/b", "1/4/2", "½/4", ""])
def test_no_such_part(text: str) -> None:
    with pytest.raises(ConfigError, match="2/8"):
        Shard.parse(text)


def test_parts_make_the_whole(tmp_path: Path) -> None:
    chosen = ("extract", "samples", "--unit", "*-2*")
    for n in (1, 2):
        assert regreact(*chosen, "--shard", f"{n}/2", "--out", f"part-{n}", cwd=tmp_path).returncode == 0
    whole = tmp_path / "whole"
    for n in (1, 2):
        shutil.copytree(tmp_path / f"part-{n}", whole, dirs_exist_ok=True)
    manifests = [(tmp_path / f"part-{n}/manifest.jsonl").read_bytes() for n in (1, 2)]
    assert all(manifests)
    (whole / "manifest.jsonl").write_bytes(b"".join(manifests))
    result = regreact(*chosen, "--out", "whole", cwd=tmp_path)
    assert result.returncode == 0 and "0 extracted" in result.stdout, result.stdout
    one_line(regreact(*chosen, "--shard", "3/2", cwd=tmp_path), 2, "2/8")
