"""Files and lines are whole or absent; what dead writers left goes, what living ones write stays."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from regreact import files, folder_lock, process_identity
from regreact.errors import OutputError
from regreact.files import append_line, remove_leftovers, write_whole

SPAWN = multiprocessing.get_context("fork")


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def dead_writer(path: Path) -> None:
    """Let a process die while it writes a file."""

    def half(file: BinaryIO) -> None:
        file.write(b"half")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    process = SPAWN.Process(target=write_whole, args=(path, half))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "a/b.json"
    write_whole(path, b"old", durable=True)

    def looking(file: BinaryIO) -> None:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"

    write_whole(path, looking)
    assert path.read_bytes() == b"new" and names(path.parent) == ["b.json"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_whole(path, b"old")
    for error in (OSError(28, "No space left on device"), KeyboardInterrupt()):

        def failing(_: BinaryIO, error: BaseException = error) -> None:
            raise error

        with pytest.raises((OutputError, KeyboardInterrupt)) as caught:
            write_whole(path, failing)
        assert path.read_bytes() == b"old" and names(tmp_path) == ["b.json"]
        if isinstance(caught.value, OutputError):
            assert "b.json: cannot be written" in str(caught.value) and "make room" in str(caught.value)


def test_what_a_dead_writer_left_goes_with_the_next_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead_writer(tmp_path / "a.json")
    [left] = names(tmp_path)
    assert re.fullmatch(r"\.a\.json\.\d+-\w{8}\.tmp", left)
    monkeypatch.setattr(files, "_tidied", set())
    write_whole(tmp_path / "b.json", b"")
    assert names(tmp_path) == ["b.json"]


def test_what_a_living_writer_writes_stays(tmp_path: Path) -> None:
    (tmp_path / ".old.json.99.tmp").touch()
    (tmp_path / ".mine.tmp").touch()

    def meanwhile(file: BinaryIO) -> None:
        file.write(b"all")
        remove_leftovers(tmp_path)

    write_whole(tmp_path / "a.json", meanwhile)
    assert (tmp_path / "a.json").read_bytes() == b"all" and names(tmp_path) == [".mine.tmp", "a.json"]


def test_long_names_fit(tmp_path: Path) -> None:
    write_whole(tmp_path / ("ä" * 120 + ".json"), b"x")
    assert len(names(tmp_path)) == 1


@pytest.mark.parametrize("private", [False, True])
def test_permissions_are_those_of_new_files_or_the_users_own(private: bool, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "new/a", b"", private=private)
        append_line(tmp_path / "log/a", b"", private=private)
    finally:
        os.umask(before)
    for path in (tmp_path / "new/a", tmp_path / "log/a"):
        modes = path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777
        assert modes == ((0o600, 0o700) if private else (0o644, 0o755))


def test_a_line_after_one_that_was_cut_off_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append_line(path, b'{"n": 1}')
    with path.open("ab") as file:
        file.write(b'{"n": 2, "te')
    append_line(path, b'{"n": 3}', durable=True)
    assert path.read_bytes() == b'{"n": 1}\n{"n": 2, "te\n{"n": 3}\n'


def test_a_line_that_finds_no_room_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    append_line(path, b"one")
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda handle, data: write(handle, data[: len(data) // 2]))
        with pytest.raises(OutputError, match=r"log\.jsonl: cannot be written: No space left .*make room"):
            append_line(path, b"two")
    append_line(path, b"three")
    assert path.read_bytes() == b"one\nthree\n"


def test_lines_of_many_writers_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    line = json.dumps({"text": "x" * 9000}).encode()
    writers = [SPAWN.Process(target=lambda: [append_line(path, line) for _ in range(50)]) for _ in range(4)]
    for w in writers:
        w.start()
    for w in writers:
        w.join()
    assert path.read_bytes() == (line + b"\n") * 200


# One writer at a time in a folder.

HOLDER = "import sys,time; from pathlib import Path; from regreact.folder_lock import folder_lock\n" \
    "with folder_lock(Path(sys.argv[1]), 'a test'):\n print('held', flush=True); time.sleep(60)"  # fmt: skip


def holder(folder: Path) -> subprocess.Popen[str]:
    root = str(Path(__file__).resolve().parents[2])
    line = [sys.executable, "-c", HOLDER, str(folder)]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root})
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_the_second_writer_is_told_who_the_first_is_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    process = holder(tmp_path / "out")
    try:
        told = rf"out: a test writes here \(process {process.pid} on {re.escape(socket.gethostname())}, since \d{{4}}.*wait until"
        with pytest.raises(OutputError, match=told), folder_lock.folder_lock(tmp_path / "out", "me"):
            pass
    finally:
        process.kill()
        process.wait()
    assert names(tmp_path / "out") == [".lock"]
    with folder_lock.folder_lock(tmp_path / "out", "me"):
        assert json.loads((tmp_path / "out/.lock").read_text())["pid"] == os.getpid()
    assert names(tmp_path / "out") == []


def test_a_part_of_the_same_process_is_another_writer(tmp_path: Path) -> None:
    with folder_lock.folder_lock(tmp_path, "one"):
        with pytest.raises(OutputError, match="one writes here"), folder_lock.folder_lock(tmp_path, "two"):
            pass
        with folder_lock.folder_lock(tmp_path / "below", "three"):
            pass


def test_who_waits_gets_its_turn(tmp_path: Path) -> None:
    turns: list[int] = []

    def worker(n: int) -> None:
        with folder_lock.folder_lock(tmp_path, "work", wait_s=30):
            turns.append(n)
            assert turns[-1] == n
            turns.append(n)

    threads = [threading.Thread(target=worker, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert turns[::2] == turns[1::2] and sorted(turns[::2]) == list(range(8)) and names(tmp_path) == []


def test_a_forked_child_does_not_keep_a_folder_locked(tmp_path: Path) -> None:
    with folder_lock.folder_lock(tmp_path, "parent"):
        child = SPAWN.Process(target=signal.pause)
        child.start()
    try:
        with folder_lock.folder_lock(tmp_path, "the next"):
            assert child.is_alive()
    finally:
        child.kill()
        child.join()


def test_a_scratch_folder_goes_and_so_do_those_of_the_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def dies() -> None:
        with folder_lock.scratch_folder() as folder:
            (folder / "x").touch()
            os.kill(os.getpid(), signal.SIGKILL)

    process = SPAWN.Process(target=dies)
    process.start()
    process.join()
    assert len(names(tmp_path)) == 2
    with folder_lock.scratch_folder() as outer:
        assert len(names(tmp_path)) == 2 and list(outer.iterdir()) == []
        assert Path(tempfile.mkdtemp()).is_relative_to(outer.parent)
    assert names(tmp_path) == [] and tempfile.tempdir == str(tmp_path)


def test_a_process_is_told_from_a_later_one_of_its_number() -> None:
    own = process_identity.identity()
    host, pid, start = own.split(" ")
    child = SPAWN.Process(target=signal.pause)
    child.start()
    assert child.pid is not None
    of_child = f"{host} {child.pid} {process_identity._start(child.pid)}"
    assert not process_identity.is_dead(of_child)
    child.kill()
    child.join()
    assert process_identity.is_dead(of_child)
    assert not process_identity.is_dead(own) and process_identity.is_dead(f"{host} {pid} {int(start) + 1}")
    # Nobody here can tell.
    assert not any(process_identity.is_dead(x) for x in (f"elsewhere {child.pid} 1", "", "x", "a b c"))
