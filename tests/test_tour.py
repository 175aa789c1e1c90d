"""The README's tour, executed as written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.test_cli import regreact

README = Path(__file__).resolve().parent.parent / "README.md"


def test_the_tour_runs_as_written(tmp_path: Path) -> None:
    block = re.search(r"<!-- tour:start -->(.*?)<!-- tour:end -->", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    commands = [shlex.split(line, comments=True) for line in block[1].splitlines() if line.strip()]
    assert len(commands) >= 8
    for program, *arguments in commands:
        assert program == "regreact"
        result = regreact(*arguments, cwd=tmp_path)
        assert result.returncode == 0, (arguments, result.stderr)
        assert result.stdout.strip(), arguments
    assert (tmp_path / "out/report/index.html").is_file()
    assert (tmp_path / "out/export/criteria.xlsx").is_file()
