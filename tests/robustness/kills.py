"""Series of kills: a command is killed at random points and started again, until it comes to its end."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from regreact.manifest import read_manifest
from tests.robustness.runs import Nursery, contents, damage, left_over
from tests.stub_openai import StubServer

# Kills in one folder before the command may end.
IN_A_ROW = 3
Check = Callable[[Path], list[str]]


def nothing(_: Path) -> list[str]:
    """Find nothing."""
    return []


@dataclass(frozen=True)
class Command:
    """A command that is killed.

    Attributes:
        name: What it is called in reports.
        module: Its entry point.
        arguments: Its arguments.
        results: Files and folders that must be as without kills.
        prepare: Makes what it reads, in the folder it runs in.
        killed: Finds what is wrong after a kill.
        ended: Finds what is wrong in the end, given that folder.
        timed: Share of kills at a random time; the others fall just before a change of a file.
    """

    name: str
    module: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    prepare: Callable[[Nursery, Path], object] = lambda *_: None
    killed: Check = nothing
    ended: Check = nothing
    timed: float = 0.4


@dataclass
class Tally:
    """What came of a series: kills tried, those after which all was as it must be, and what was not."""

    name: str
    tried: int = 0
    survived: int = 0
    problems: list[str] = field(default_factory=list)


def series(nursery: Nursery, command: Command, kills: int, seed: int) -> Tally:
    """Kill a command at seeded random points, again and again, and complete it in between.

    Args:
        nursery: Where it runs.
        command: The command.
        kills: How many.
        seed: Of the points.
    """
    chance = random.Random(f"{seed} {command.name}")
    tally = Tally(command.name)
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        whole = Path(place, "whole")
        command.prepare(nursery, whole)
        started = time.perf_counter()
        undisturbed = nursery.run(command.module, command.arguments, whole)
        seconds = time.perf_counter() - started
        assert undisturbed.code == 0, undisturbed.err
        wanted = contents(whole, command.results)
        assert wanted or not command.results
        # A run that ends before it is killed counts for nothing.
        for number in range(4 * kills):
            if tally.tried >= kills:
                break
            folder = Path(place, f"killed-{number}")
            command.prepare(nursery, folder)
            points = [
                (0, chance.uniform(0.02, 1.0) * seconds)
                if chance.random() < command.timed
                else (chance.randint(1, undisturbed.changes), 0.0)
                for _ in range(min(IN_A_ROW, kills - tally.tried))
            ]
            died, problems = _killed(nursery, command, folder, points)
            problems += _completed(nursery, command, folder, wanted)
            tally.tried += died
            tally.survived += 0 if problems else died
            tally.problems += [f"{command.name}: {p}" for p in problems]
    return tally


def _killed(
    nursery: Nursery, command: Command, folder: Path, points: Sequence[tuple[int, float]]
) -> tuple[int, list[str]]:
    died, problems = 0, []
    for kill, after_s in points:
        ran = nursery.run(command.module, command.arguments, folder, kill=kill, after_s=after_s)
        if ran.killed:
            died += 1
        elif ran.code != 0:
            problems.append(f"after {died} kills it ended with {ran.code}: {ran.err.strip()[-400:]}")
        where = f"killed before change {kill}" if kill else f"killed after {after_s:.2f} s"
        problems += [f"{where}: {p}" for p in (*damage(folder), *command.killed(folder))]
        if not ran.killed:
            break
    return died, problems


def _completed(nursery: Nursery, command: Command, folder: Path, wanted: dict[str, bytes]) -> list[str]:
    ran = nursery.run(command.module, command.arguments, folder)
    if ran.code != 0:
        return [f"does not complete: {ran.code}: {ran.err.strip()[-400:]}"]
    found = contents(folder, command.results)
    problems = [f"{n} differs" for n in sorted(wanted.keys() | found.keys()) if wanted.get(n) != found.get(n)]
    problems += [f"left over: {name}" for name in left_over(folder)]
    return [*problems, *damage(folder), *command.ended(folder)]


# --- commands -------------------------------------------------------------------------------------------------

FEW = ("-u", "CCM-21.*", "-u", "CCM-22.1/*")


def plain(name: str, *arguments: str, results: tuple[str, ...], needs: tuple[str, ...] = ()) -> Command:
    """Return a subcommand of `regreact` that asks no model; `needs` are arguments of one that runs before it."""

    def prepare(nursery: Nursery, folder: Path) -> None:
        folder.mkdir(parents=True)
        if needs:
            assert nursery.run("regreact.cli", needs, folder).code == 0

    return Command(name, "regreact.cli", (*arguments, "-q"), results, prepare)


EXTRACT = ("extract", "samples", *FEW, "-o", "out")
PLAIN = (
    plain("extract", *EXTRACT, results=("out",)),
    plain("extract, processes", *EXTRACT, "--set", "runner=processes", results=("out",)),
    plain("dataset build", "dataset", "build", "samples", *FEW, "-o", "dataset", "--work", "work", results=("dataset",)),
    plain("fetch --from", "fetch", "--from", "samples", "--store", "store", results=("store/manifest.jsonl", "store/objects")),
    plain("export", "export", "out", "-f", "csv", results=("out/export",), needs=EXTRACT),
    plain("report", "report", "pages", "out", results=("out/report",), needs=EXTRACT),
)  # fmt: skip


def washing(_: Nursery, folder: Path) -> None:
    """Make a folder with six fragments of law."""
    (folder / "fragments").mkdir(parents=True)
    for n in range(6):
        text = f"<p>1. Water losses of line {n} are below 5 %.</p><p>2. A monitoring plan is in place.</p>"
        (folder / f"fragments/wash{n}.html").write_text(text, encoding="utf-8")


class Payments:
    """What a model was asked, by line of the invented fragments, and what was finished when a run was killed."""

    def __init__(self, server: StubServer) -> None:
        self.server = server
        self.noted: dict[Path, list[tuple[set[str], Counter[str]]]] = {}

    def paid(self) -> Counter[str]:
        """Return how many requests each line has caused."""
        return Counter(n for n in "012345" for e in list(self.server.log) if f"of line {n} " in e.question)

    def note(self, folder: Path) -> list[str]:
        """Remember which units are finished."""
        done = {line.unit[4] for line in read_manifest(folder / "out").values() if line.status in ("done", "kept")}
        self.noted.setdefault(folder, []).append((done, self.paid()))
        return []

    def check(self, folder: Path) -> list[str]:
        """Find finished units that were paid for again."""
        now = self.paid()
        noted = self.noted.pop(folder, [])
        return [f"line {n} was paid for again" for done, paid in noted for n in sorted(done) if paid[n] != now[n]]


def with_model(server: StubServer, workers: int, runner: str = "threads") -> Command:
    """Return an extraction that asks a model, from threads or from processes."""
    sets = (
        "lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "lm.cache=false", "lm.retries=0",
        "fastpath=off", "odr=off", f"runner={runner}", f"runner.workers={workers}",
    )  # fmt: skip
    arguments = ("extract", "fragments", "-o", "out", "-q", *(x for s in sets for x in ("--set", s)))
    payments = Payments(server)
    name = f"extract, model, {workers} {runner if runner != 'threads' else 'workers'}"
    return Command(name, "regreact.cli", arguments, ("out",), washing, payments.note, payments.check)


def with_judge(server: StubServer) -> Command:
    """Return a scoring whose judge is a model: no judgement that is kept is asked for again."""
    sets = (
        "judge.lm.model=hosted_vllm/stub", f"judge.lm.api_base={server.url}", "judge.lm.cache=false",
        "judge.lm.retries=0", "judge.lm.api_key_env=REGREACT_API_KEY", "judge.workers=1", "judge.cache=judged.jsonl",
    )  # fmt: skip
    arguments = (
        "score", "out", "--gold", "samples", "-u", "CCM-21.*", "--judge", "lm", "--judgements", "said.jsonl",
        *(x for s in sets for x in ("--set", s)),
    )  # fmt: skip
    before: dict[Path, int] = {}

    def prepare(nursery: Nursery, folder: Path) -> None:
        folder.mkdir(parents=True)
        assert nursery.run("regreact.cli", ("extract", "samples", "-u", "CCM-21.*", "-o", "out", "-q"), folder).code == 0
        before[folder] = len(server.log)

    def ended(folder: Path) -> list[str]:
        kept = {json.loads(x)["key"] for x in (folder / "judged.jsonl").read_bytes().split(b"\n") if x.strip()}
        asked = len(server.log) - before[folder]
        # One request is under way at each kill.
        return [f"{asked} requests for {len(kept)} judgements"] if asked > len(kept) + IN_A_ROW else []

    return Command("score, judge", "regreact.cli", arguments, ("said.jsonl",), prepare, ended=ended)


def tracked(server: StubServer, *, sweep: bool) -> Command:
    """Return an experiment, or a sweep of two, on a tracking database that is there already; its model is cached."""
    sets = (
        "data.units=[CCM-21.1/SC]", "lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub",
        "lm.cache=true", "lm.retries=0", "fastpath=off", "hydra.run.dir=runs", "hydra.sweep.dir=runs",
    )  # fmt: skip
    arguments = ("-m", "+ablation=none,no_odr", *sets) if sweep else (*sets, "odr=off")
    whole: list[tuple[int, list[tuple[str, float]]]] = []
    before: dict[Path, int] = {}

    def prepare(_: Nursery, folder: Path) -> None:
        folder.mkdir(parents=True)
        before[folder] = len(server.log)

    def ended(folder: Path) -> list[str]:
        with closing(sqlite3.connect(folder / "mlflow.db")) as database:
            sound = [row[0] for row in database.execute("pragma integrity_check")]
            states = Counter(row[0] for row in database.execute("select status from runs"))
            query = "select m.key, m.value from latest_metrics m join runs r using (run_uuid) where r.status = 'FINISHED'"
            metrics = sorted(database.execute(query))
        asked = len(server.log) - before[folder]
        if not whole:
            whole.append((asked, metrics))
        problems = [] if sound == ["ok"] else [f"database: {sound}"]
        problems += [f"{states[s]} runs are {s}" for s in states if s not in ("FINISHED", "KILLED")]
        # One that was killed when it had just finished is finished all the same.
        problems += [f"{states['FINISHED']} runs are finished"] * (states["FINISHED"] < (3 if sweep else 1))
        problems += ["the figures differ"] * (set(metrics) != set(whole[0][1]))
        # Requests under way when a run was killed: at most three stages of a unit.
        problems += [f"{asked} requests, {whole[0][0]} without kills"] * (asked > whole[0][0] + 3 * IN_A_ROW)
        return problems

    def first(nursery: Nursery, folder: Path) -> None:
        prepare(nursery, folder)
        if not whole:
            alone = folder.with_name("undisturbed")
            prepare(nursery, alone)
            ran = nursery.run("regreact.experiment", arguments, alone)
            assert ran.code == 0, ran.err
            problems = ended(alone)
            assert not problems, problems

    name = "experiment, sweep" if sweep else "experiment"
    return Command(name, "regreact.experiment", arguments, (), first, ended=ended, timed=0.6)


def tuned() -> Command:
    """Return a tuning run with the simulated model."""
    arguments = (
        "stage=thresholds", "lm=simulated", "data.units=[CCM-21.*]", "optimizer=bootstrap", "optimizer.candidates=2",
        "optimizer.demos=1", "optimizer.labeled=1", "optimizer.max_calls=20", "optimizer.out=compiled", "tracking=off",
        "hydra.run.dir=runs",
    )  # fmt: skip
    return Command("optimize", "regreact.optimize", arguments, ("compiled",), lambda _, folder: folder.mkdir(parents=True))
