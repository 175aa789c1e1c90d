"""Extract many units into a folder: one file a unit, a manifest, nothing lost if some units fail."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from regreact.config import Settings
from regreact.digests import config_hash, input_hash
from regreact.errors import LMStopError, OutputError, RegReActError, UnitError
from regreact.files import append_line, write_whole
from regreact.folder_lock import folder_lock
from regreact.manifest import (
    MANIFEST,
    ManifestLine,
    Status,
    Summary,
    failed_line,
    json_line,
    kept_line,
    read_with_damage,
    unit_path,
)
from regreact.reference import Reference
from regreact.schema import Extraction
from regreact.sources.model import Document, Unit, UnitFailure
from regreact.workers.results import Done, Result

if TYPE_CHECKING:
    import dspy

    from regreact.amendments import EarlierVersion
    from regreact.gate import Door, Gate
    from regreact.prices import Price
    from regreact.rag.enrich import Enricher
    from regreact.simulated import Simulation

_log = logging.getLogger(__name__)


def build_program(settings: Settings) -> dspy.Module:
    """Return the program that the settings name.

    Raises:
        LMRequiredError: It needs a model and none is configured.
        ProgramFileError: The compiled program cannot be read or does not fit.
    """
    from regreact.baselines import Markup, SinglePass  # noqa: PLC0415  heavy
    from regreact.program import RegReAct  # noqa: PLC0415

    settings.need_lm()
    programs = {"regreact": RegReAct, "single_pass": SinglePass, "markup": Markup}
    program = programs[settings.program.name](settings)
    if settings.program.path is not None:
        from regreact import compiled  # noqa: PLC0415

        compiled.apply(program, Path(settings.program.path))
    return program


class Extractor:
    """Runs the configured program over units.

    Args:
        settings: All settings of the run.
        officials: The same sections in official documents, by document id and unit key (`corpus.officials`).
        references: Right answers by unit key, for `lm=simulated`; any other model never sees them.
        documents: Documents of the run, whose sections references may lead to; for `rag=on`.
        door: The gate of a run that another process leads; None if this process leads it.

    Raises:
        ConfigError: `rag=on` and there is no store of acts.
        LMRequiredError: The program needs a model and none is configured.
    """

    def __init__(
        self,
        settings: Settings,
        officials: Mapping[tuple[str, str], Unit] | None = None,
        references: Mapping[str, Reference] | None = None,
        documents: Sequence[Document] = (),
        door: Door | None = None,
    ) -> None:
        self.settings = settings
        # Baselines read one document.
        self.officials = officials if officials and settings.program.name == "regreact" else {}
        self.documents = documents
        self.references = references or {}
        self.config_hash = config_hash(settings)
        settings.need_lm()
        self.simulation: Simulation | None = None
        self.gate: Gate | None = None
        self.lm: dspy.LM | None = None
        self.price: Price | None = None
        if settings.uses_lm:
            self._prepare_lm(door)

    def _prepare_lm(self, door: Door | None) -> None:
        from regreact.faults import FaultPlan  # noqa: PLC0415  heavy, like all that follows
        from regreact.gate import Gate  # noqa: PLC0415
        from regreact.lm import build_lm  # noqa: PLC0415
        from regreact.prices import price_of  # noqa: PLC0415

        lm = self.settings.lm
        if lm.engine == "simulated":
            from regreact.simulated import Simulation  # noqa: PLC0415  registers all solvers

            self.simulation = Simulation(self.references, FaultPlan(lm.faults))
        self.price = price_of(lm)
        self.gate = Gate(lm, self.price)
        self.lm = build_lm(lm, self.simulation, door or self.gate)

    @cached_property
    def program(self) -> dspy.Module:
        """The program, built when the first unit needs it: a run that keeps all files never does."""
        return build_program(self.settings)

    @cached_property
    def enricher(self) -> Enricher | None:
        """What resolves references, None where that is off."""
        if not self._reads_acts:
            return None
        from regreact.rag.setup import build_enricher  # noqa: PLC0415  heavy

        return build_enricher(self.settings, self.documents)

    @property
    def _reads_acts(self) -> bool:
        return self.settings.reads_acts

    def digest(self, unit: Unit, document: str | None = None) -> str:
        """Return a digest of everything about a unit that this run reads.

        Args:
            unit: The unit.
            document: Id of another document; the digest is then what it would be if the unit stood there.
        """
        read = unit if document is None else replace(unit, document=document)
        return input_hash(read, self._official(unit), whole=self._reads_acts)

    def extract(self, unit: Unit) -> Extraction:
        """Extract one unit, usage included.

        Raises:
            LMStopError: The model cannot be used any more (key, quota, unknown name, budget).
            RegReActError: The unit cannot be extracted; the message says why.
        """
        from regreact.lm import in_use, metered  # noqa: PLC0415  heavy

        if self.lm is not None:
            _check_text(unit)
        with in_use(self.lm, self.settings), metered(self.price) as meter:
            official = self._official(unit)
            extraction = self.program(unit=unit) if official is None else self.program(unit=unit, official=official)
            assert isinstance(extraction, Extraction)
            if self.enricher is not None:
                extraction = self.enricher.enrich(unit, extraction)
        return extraction.model_copy(update={"usage": meter.usage})

    def _official(self, unit: Unit) -> Unit | None:
        return self.officials.get((unit.document, unit.key))

    def _attempt(self, unit: Unit) -> Done | RegReActError:
        """Extract one unit; whatever goes wrong costs this unit and no other."""
        try:
            return Done.of(self.extract(unit))
        except RegReActError as error:
            return error
        except MemoryError:
            return RegReActError(f"{unit.key}: needs more memory than there is")
        except RecursionError:
            return RegReActError(f"{unit.key}: nested too deeply to be read")
        except Exception as error:
            return RegReActError(f"{unit.key}: internal error, please report: {type(error).__name__}: {error}")

    def prepare(self) -> None:
        """Build what the first unit would: before threads want it."""
        _ = self.program, self.enricher

    def attempt(self, unit: Unit) -> Result:
        """Extract one unit; whatever goes wrong is its outcome."""
        from regreact.lm import metered  # noqa: PLC0415  heavy

        started = time.perf_counter()
        with metered(self.price) as meter:
            outcome = self._attempt(unit)
        return Result(unit, outcome, time.perf_counter() - started, meter.usage)

    def stream(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, Extraction | RegReActError, float]]:
        """Yield unit, extraction or error, and seconds, in the order of the units.

        After an LMStopError the units not yet begun fail with it at once.
        """
        early: dict[int, Result] = {}
        places: dict[int, deque[int]] = {}
        for n, unit in enumerate(units):
            places.setdefault(id(unit), deque()).append(n)
        wanted = 0
        for result in self._results(units):
            early[places[id(result.unit)].popleft()] = result
            while (found := early.pop(wanted, None)) is not None:
                wanted += 1
                outcome = found.outcome
                yield found.unit, outcome.extraction if isinstance(outcome, Done) else outcome, found.seconds

    def _results(self, units: Sequence[Unit]) -> Iterator[Result]:
        """Yield what becomes of each unit as it is ready, the largest first so that none of them ends alone."""
        if not units:
            return
        s = self.settings.runner
        if s.workers * s.per_worker > 1:
            units = sorted(units, key=lambda u: -sum(len(b.text) for b in u.blocks))
        try:
            yield from self._pool(units)
        except BaseException:
            # Nobody takes the other results any more: nothing more is asked or begun.
            if self.gate is not None:
                self.gate.stop(LMStopError("the run was interrupted"))
            raise

    def _pool(self, units: Sequence[Unit]) -> Iterator[Result]:
        s = self.settings.runner
        if s.name == "threads":
            from regreact.workers import threads  # noqa: PLC0415

            self.prepare()
            return threads.run(_Attempts(self), units, min(s.workers, len(units)))
        from regreact.workers.job import Job  # noqa: PLC0415

        job = Job(self.settings, self.officials, self.references, self.documents)
        if s.name == "processes":
            from regreact.workers.processes import Processes  # noqa: PLC0415

            return Processes(job, self.gate).run(units)
        from regreact.workers.cluster import Cluster  # noqa: PLC0415  optional

        return Cluster(job, self.gate).run(units)

    def extract_to(
        self,
        units: Sequence[Unit],
        out: Path,
        failures: Iterable[UnitFailure] = (),
        resume: bool = False,
        progress: Callable[[ManifestLine], None] | None = None,
        since: EarlierVersion | None = None,
    ) -> Summary:
        """Extract units into files under `out`, each written as soon as it is ready.

        Args:
            units: What to extract.
            out: Output folder; `OUT/<document>/<unit>.json` and `OUT/manifest.jsonl`.
            failures: Units that the source reader gave up on; listed as failed.
            resume: Keep files of an earlier run whose input and configuration are the same.
            progress: Called after each unit.
            since: Extractions of an earlier version of the document; units with the same content are taken over.

        Raises:
            OutputError: The folder cannot be written, or another process writes there.
        """
        with folder_lock(out, "an extraction"):
            return self._extract_held(units, out, tuple(failures), resume, progress, since)

    def _extract_held(
        self,
        units: Sequence[Unit],
        out: Path,
        failures: tuple[UnitFailure, ...],
        resume: bool,
        progress: Callable[[ManifestLine], None] | None,
        since: EarlierVersion | None,
    ) -> Summary:
        earlier, damaged = read_with_damage(out)
        if damaged:
            told = ", ".join(map(str, damaged))
            _log.warning("%s: damaged in line %s: those units are extracted again", out / MANIFEST, told)
        known = earlier if resume else {}
        lines: dict[tuple[str, str], ManifestLine] = {}
        todo: list[Unit] = []
        digests: dict[tuple[str, str], str] = {}
        units, refused = _with_files(units, out)
        failures = (*failures, *refused)
        for unit in units:
            digest = digests[unit.document, unit.key] = self.digest(unit)
            kept = kept_line(unit, digest, known, out, self.config_hash)
            if kept is None and since is not None:
                kept = self._taken_over(unit, digest, since, out)
            if kept is None:
                todo.append(unit)
            else:
                lines[(unit.document, unit.key)] = kept
        stopped: LMStopError | None = None
        for result in self._results(todo):
            line = self._finish(result, digests[result.unit.document, result.unit.key], out)
            lines[(line.document, line.unit)] = line
            if stopped is None and isinstance(result.outcome, LMStopError):
                stopped = result.outcome
            append_line(out / MANIFEST, json_line(line).encode(), durable=self.settings.uses_lm)
            if progress:
                progress(line)
        ordered = [lines[(u.document, u.key)] for u in units] + [failed_line(f, self.config_hash) for f in failures]
        current = {(line.document, line.unit) for line in ordered}
        others = [line for key, line in earlier.items() if key not in current]
        text = "".join(json_line(line) + "\n" for line in (*others, *ordered))
        write_whole(out / MANIFEST, text.encode(), durable=self.settings.uses_lm)
        return Summary(ordered, stopped)

    def _taken_over(self, unit: Unit, digest: str, since: EarlierVersion, out: Path) -> ManifestLine | None:
        """Write the extraction of an earlier version for a unit with the same content, None if there is none."""
        found = since.extraction(unit, self.digest(unit, since.document), self.config_hash)
        if found is None:
            return None
        return replace(self._finish(Result(unit, Done.of(found)), digest, out), status="kept")

    def _finish(self, result: Result, digest: str, out: Path) -> ManifestLine:
        unit, outcome, usage = result.unit, result.outcome, result.usage
        path = unit_path(out, unit.document, unit.key)
        review, problem = 0, None
        status: Status = "done"
        if isinstance(outcome, Done):
            # What was paid for outlives a power failure; what was computed is computed again.
            write_whole(path, outcome.text.encode(), durable=self.settings.uses_lm)
            review = outcome.review
        else:
            problem = f"{type(outcome).__name__}: {outcome}"
            status = "not done" if isinstance(outcome, LMStopError) else "failed"
        return ManifestLine(
            document=unit.document,
            unit=unit.key,
            status=status,
            file=str(path.relative_to(out)) if status == "done" else None,
            seconds=round(result.seconds, 3),
            lm_calls=usage.lm_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost=usage.cost,
            review=review,
            input_hash=digest,
            config_hash=self.config_hash,
            problem=problem,
            model=self.settings.lm.name if self.settings.uses_lm else None,
        )


class _Attempts:
    """Attempts of one run: after an LMStopError the units not yet begun fail with it at once."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._stopped: LMStopError | None = None

    def __call__(self, unit: Unit) -> Result:
        if self._stopped is not None:
            return Result(unit, self._stopped)
        result = self._extractor.attempt(unit)
        if isinstance(result.outcome, LMStopError):
            self._stopped = result.outcome
        return result


def _check_text(unit: Unit) -> None:
    """Raise UnitError if a unit holds text that cannot be sent to a model."""
    for block in unit.blocks:
        try:
            block.text.encode()
        except UnicodeEncodeError:
            place = f"block {block.index}"
            raise UnitError(unit.key, place, "holds a lone surrogate, which no model can be sent") from None


def _with_files(units: Sequence[Unit], out: Path) -> tuple[list[Unit], list[UnitFailure]]:
    """Split units into those with a file of their own and those whose file name is impossible or taken."""
    owners: dict[Path, Unit] = {}
    refused: list[UnitFailure] = []
    for unit in units:
        try:
            path = unit_path(out, unit.document, unit.key)
        except OutputError as error:
            refused.append(UnitFailure(unit.key, unit.document, "output", str(error)))
            continue
        if path in owners:
            problem = f"its file would be that of {owners[path].key}"
            refused.append(UnitFailure(unit.key, unit.document, "output", problem))
        owners.setdefault(path, unit)
    return list(owners.values()), refused
