"""The log keeps whole lines, whoever writes at the same time and whenever a writer dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from regreact.app.review.log import Decision, DecisionLog, last_of, standing, undo
from regreact.errors import OutputError

WRITER = """
import sys
from pathlib import Path
from regreact.app.review.log import Decision, DecisionLog
log, name, count = DecisionLog(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
for n in range(count):
    log.append(Decision(reviewer=name, action="accept", item=f"{name}-{n}", document="d", unit="u",
                        criterion_id="1", note="x" * (n % 3000)))
"""


def decision(item: str, reviewer: str = "Ada", action: str = "accept") -> Decision:
    return Decision.model_validate(
        {"reviewer": reviewer, "action": action, "item": item, "document": "d", "unit": "u", "criterion_id": "1"}
    )


def writer(out: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(out), name, str(count)], env={**os.environ, "PYTHONPATH": "."})


def test_two_processes_append_without_mixing_lines(tmp_path: Path) -> None:
    writers = [writer(tmp_path, name, 300) for name in ("a", "b")]
    assert [w.wait(60) for w in writers] == [0, 0]
    log = DecisionLog(tmp_path)
    assert sorted(d.item for d in log.read()) == sorted(f"{n}-{i}" for n in "ab" for i in range(300))
    assert log.damaged == 0


def test_a_writer_that_is_killed_costs_no_other_line(tmp_path: Path) -> None:
    killed = writer(tmp_path, "a", 1_000_000)
    log = DecisionLog(tmp_path)
    deadline = time.monotonic() + 30
    while len(log.read()) < 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait(10)
    kept = len(log.read())
    assert kept >= 20
    log.append(decision("after"))
    again = DecisionLog(tmp_path)
    assert [d.item for d in again.read()] == [*(f"a-{i}" for i in range(kept)), "after"]


@pytest.mark.parametrize("rest", [b'{"id": "1", "at": "20', b"\xff\x00", b'{"reviewer": "A"}\n', b"[]\n"])
def test_a_damaged_line_is_counted_and_only_it_is_lost(tmp_path: Path, rest: bytes) -> None:
    log = DecisionLog(tmp_path)
    log.append(decision("one"))
    with log.path.open("ab") as handle:
        handle.write(rest)
    log.append(decision("two"))
    assert [d.item for d in log.read()] == ["one", "two"]
    assert log.damaged == 1


def test_what_stands_is_the_last_decision_not_taken_back() -> None:
    first, second = decision("x"), decision("x", action="reject")
    assert standing([first, second])["x"]["Ada"] is second
    back = undo(second, "Ada")
    assert standing([first, second, back])["x"]["Ada"] is first
    assert last_of([first, second, back], "Ada") is first
    assert last_of([first, second], "Ben") is None
    assert standing([first, undo(first, "Ada")]) == {}


def test_hostile_notes_stay_within_their_line(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path)
    note = 'line\nbreak\u2028"}\r{"action": "undo"}\ud800'
    log.append(decision("one").model_copy(update={"note": note.replace("\ud800", "")}))
    assert log.path.read_bytes().count(b"\n") == 1
    assert log.read()[0].note == note.replace("\ud800", "")


def test_a_folder_that_cannot_be_written_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "review").write_text("a file")
    with pytest.raises(OutputError, match="decision not kept"):
        DecisionLog(tmp_path).append(decision("one"))
