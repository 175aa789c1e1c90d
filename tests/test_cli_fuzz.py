"""Argument lists made of the real commands and options with values from anywhere: never a traceback, exit codes 0 to 3.

No value names a place outside of the test's own folder, no connection leaves this process, and no server is started.
"""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina
import typer
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from regreact import cli
from regreact.app import serving
from regreact.export.commands import ENDINGS

FRAGMENT = '<p>1. Either is met:</p><ol type="a"><li>water losses are below 5 %;</li><li>all water is reused.</li></ol>'
# Files and folders of the test, by what they are.
MADE = ["washing.html", "out", "out/washing", "out/washing/washing__SC.json", "out/manifest.jsonl", "foreign", "empty",
        "binary.json", "broken.json", "deep.json", "list.json", "cut.xml", "folder", "link", "loop"]  # fmt: skip
ODD = ["", " ", "-", "--", "-x", ".", "nowhere", "nowhere/at/all", "a\nb", "\u202e", "é", "\udcff", "%s%n", "{}", "[", "*",
       "**", "x" * 300, "0", "-1", "1e309", "nan", "9" * 30, "2025-02-30", "2025-01-08", "32018L2001", "02018L2001-20220607",
       "32018L2001R(01)", "art_1/par_1", "Article 1, paragraphs 2 to", "washing/SC", "CCM-4.1/SC", "jsonl", "csv", "/dev/null/x",
       "en", "EN", "sqlite:///none.db", "sqlite:////dev/null/x.db", "http://127.0.0.1:9", "samples.x", "127.0.0.1",
       "0.0.0.0", "0123456789abcdef", "simulated", "lm"]  # fmt: skip
SETTINGS = ["odr.tau=0.8", "odr.tau=x", "odr=off", "=", "a", "a=b", "+a=b", "~odr", "++x.y=1", "lm=simulated", "lm=nobody",
            "fastpath=off", "fastpath=first", "rag=on", "program=markup", "odr.tau=${", "odr.tau=${oc.env:HOME}", "lm=local",
            "lm.file=none", "lm.model=x", "lm=compatible", "lm.api_base=http://127.0.0.1:9/v1", "lm.cache=false",
            "hydra.verbose=x", "judge=lm", "judge.lm.model=x", "odr=[", "odr={a:", "a.b.c=", "celex.base_url=ftp://x",
            "celex=cellar", "runner.workers=0", "runner.workers=2", "retriever.mode=dense", "rag.as_of=2025-02-30"]  # fmt: skip
# They change the shell of whoever runs the test.
LEFT_OUT = {"--install-completion", "--show-completion"}


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with the words that call it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = list(commands(typer.main.get_command(cli.app)))
USUAL = st.sampled_from([*MADE, "out", "foreign", "washing.html", "washing/SC", "32018L2001"])
VALUE = st.one_of(st.sampled_from(MADE), st.sampled_from(MADE), st.sampled_from(ODD), st.text(st.characters(exclude_characters="/~\0"), max_size=8))


def option(parameter: Any) -> st.SearchStrategy[list[str]]:
    """Draw an option as it is written, with a value if it takes one."""
    name = st.sampled_from([*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return name.map(lambda n: [n])
    fitting = {"--set": SETTINGS, "--format": list(ENDINGS), "--judge": ["rubric", "lm", "simulated"]}
    known = [v for name, values in fitting.items() if name in parameter.opts for v in values]
    value = st.one_of(st.sampled_from(known), VALUE) if known else VALUE
    return st.tuples(name, value).map(list)


def arguments(path: tuple[str, ...], command: Any) -> st.SearchStrategy[list[str]]:
    """Draw the arguments of a command; half of the time with what it needs."""
    given_options = [p for p in command.params if p.param_type_name == "option" and not LEFT_OUT & set(p.opts)]
    options = st.lists(st.one_of(*map(option, given_options)), max_size=3) if given_options else st.just([])
    needed = sum(p.param_type_name == "argument" for p in command.params)
    fitting = st.lists(USUAL, min_size=needed, max_size=needed)
    positional = st.one_of(fitting, fitting, fitting, st.lists(VALUE, max_size=3))
    return st.tuples(positional, options).map(lambda x: [*path, *x[0], *(word for o in x[1] for word in o)])


LINES = st.one_of(*[arguments(path, command) for path, command in ALL])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of every kind, to be copied."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "washing.html").write_text(FRAGMENT, encoding="utf-8")
    run(folder, ["extract", "washing.html", "-q"])
    shutil.copytree(folder / "out", folder / "foreign")
    file = folder / "foreign/washing/washing__SC.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"washing"', '"../../../elsewhere"'), encoding="utf-8")
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "binary.json").write_bytes(bytes(range(256)))
    (folder / "broken.json").write_text('{"unit": ', encoding="utf-8")
    (folder / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "list.json").write_text("[1, null]", encoding="utf-8")
    (folder / "cut.xml").write_text('<?xml version="1.0"?><ACT><TITLE>', encoding="utf-8")
    (folder / "link").symlink_to("out")
    (folder / "loop").symlink_to("loop")
    return folder


def run(folder: Path, line: list[str]) -> int:
    """Run a command line in a folder of this process and return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["regreact", *line])
        for name in ("REGREACT_DATA", "REGREACT_STORE", "REGREACT_TOKEN", "OPENAI_API_KEY", "REGREACT_API_KEY"):
            patch.delenv(name, raising=False)
        patch.setenv("DSPY_CACHEDIR", str(folder / "dspy"))
        patch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
        patch.setattr(socket, "create_connection", _unreachable)
        patch.setattr(socket.socket, "connect", _unreachable)
        patch.setattr(serving, "serve", lambda *_: None)
        try:
            cli.main()
        except SystemExit as ended:
            return int(ended.code or 0)
    return 0


def _unreachable(*_: object, **__: object) -> Any:
    raise OSError("the test lets no connection out")


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    stamina.set_active(False)
    yield
    stamina.set_active(True)


EXAMPLES = 30


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(line=["extract", "washing.html", "--out", "link"])
@example(line=["extract", "washing.html", "--since", "foreign/washing"])
@example(line=["score", "foreign", "--validate-only"])
@example(line=["report", "foreign"])
@example(line=["export", "foreign", "--to", "loop"])
@example(line=["show", "washing/SC", "foreign"])
@example(line=["report", "tables", "x" * 300])
@example(line=["report", "tables", "none", "--tracking", "out/manifest.jsonl"])
@example(line=["report", "tables", "none", "--tracking", "sqlite:///broken.json"])
@example(line=["review", "loop", "--agreement"])
@example(line=["review", "out", "--export", "loop"])
@example(line=["extract", "washing.html", "--since", "loop"])
@example(line=["extract", "washing.html", "--set", "lm=local", "--set", "lm.file=loop", "--set", "fastpath=off"])
@example(line=["fetch", "32018L2001", "--set", "celex.retries=0"])
@given(line=LINES)
def test_no_argument_list_brings_the_program_down(
    line: list[str], place: Path, tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
) -> None:
    # So deep that ".." stays inside.
    folder = tmp_path_factory.mktemp("run") / "a/b/c"
    shutil.copytree(place, folder, symlinks=True)
    code = run(folder, line)
    told = capfd.readouterr()
    shutil.rmtree(folder.parents[2])
    assert code in (0, 1, 2, 3), (line, told)
    assert "Traceback" not in told.out + told.err, (line, told)


def test_every_command_is_among_them() -> None:
    assert {path[0] for path, _ in ALL} >= {"extract", "score", "fetch", "act", "show", "diff", "export", "review", "serve"}
    assert len(ALL) > 15
