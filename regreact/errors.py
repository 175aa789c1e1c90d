"""Every exception the package raises on purpose.

Each message says what is wrong, where, and what to do. `exit_code` is the process exit code when the
error ends a command (see the README's table of exit codes).
"""

from __future__ import annotations


class RegReActError(Exception):
    """Root of all errors of the package."""

    exit_code = 2


class ConfigError(RegReActError):
    """A configuration key or value is unknown, out of range or contradicts another one."""


class LMRequiredError(ConfigError):
    """A step needs a language model and none is configured; the message names the setting."""


class SourceError(RegReActError):
    """A source document cannot be used.

    Args:
        path: The file or folder.
        problem: What is wrong with it.
        hint: What the user can do.
    """

    def __init__(self, path: object, problem: str, hint: str = "") -> None:
        self.path = str(path)
        self.problem = problem
        self.hint = hint
        super().__init__(f"{self.path}: {problem}" + (f" ({hint})" if hint else ""))


class SourceNotFoundError(SourceError):
    """The file or folder does not exist or cannot be opened."""


class SourceFormatError(SourceError):
    """The file exists but is empty, binary, truncated or of a format that no reader knows."""


class DocumentRefusedError(SourceFormatError):
    """A document exceeds a limit (bytes, pages, expansion, nesting) or does what a document must not (entities)."""


class StoreError(RegReActError):
    """The store of legal acts is damaged or cannot be written, or an id or path in it is not allowed."""


class UnitError(RegReActError):
    """One unit of a document cannot be read or extracted; the other units go on.

    Args:
        unit: Unit key.
        place: Where in the document (an element path, a stage, a block).
        problem: What is wrong.
    """

    exit_code = 1

    def __init__(self, unit: str, place: str, problem: str) -> None:
        self.unit = unit
        self.place = place
        self.problem = problem
        super().__init__(f"{unit} at {place}: {problem}")


class WorkerLostError(RegReActError):
    """A process or machine that worked on units ended before its time, or took too long over one."""

    exit_code = 1


class NoUnitMatchedError(RegReActError):
    """A selection of units matches none of the source's units."""

    exit_code = 3


class PredictionError(RegReActError):
    """A prediction file is not readable or does not fit the schema."""


class OutdatedError(RegReActError):
    """A decision is made on an extraction that has changed since it was shown."""


class GoldError(RegReActError):
    """A gold file is not readable or does not fit the source it was annotated on."""


class ProgramFileError(RegReActError):
    """A compiled program cannot be read, or was made for other questions than this version asks."""


class OptimizerError(RegReActError):
    """An optimizer cannot start, or failed before it had tried anything."""


class OutputError(RegReActError):
    """The output folder cannot be written or holds something that must not be overwritten."""


class DatasetError(RegReActError):
    """A folder is no complete dataset, or a table in it is damaged."""


class ServiceError(RegReActError):
    """A public service did not give a usable answer.

    Args:
        service: Address that was asked.
        problem: What went wrong.
        hint: What the user can do.
    """

    exit_code = 1

    def __init__(self, service: str, problem: str, hint: str = "") -> None:
        self.service = service
        self.problem = problem
        super().__init__(f"{service}: {problem}" + (f" ({hint})" if hint else ""))


class ServiceUnavailableError(ServiceError):
    """The service cannot be reached, or keeps failing or asking to come back later, after the last retry."""


class ServiceChallengeError(ServiceError):
    """The service answers with a page that tests whether a person asks; it is not worked around."""


class ServiceRefusedError(ServiceError):
    """The service refuses the request (status 4xx, a redirect to another host); asking again would not help."""


class DocumentAbsentError(ServiceError):
    """The service holds no such document, or not in a format and language that was asked for."""


class ServiceAnswerError(ServiceError):
    """The answer is malformed, incomplete or larger than allowed."""


class LMCallError(RegReActError):
    """A request to the language model failed for good; only the unit that needed it is listed as failed."""

    exit_code = 1


class LMStopError(LMCallError):
    """No further request can succeed or may be sent: the run stops, what is done is kept, the rest is "not done"."""


class LMAccessError(LMStopError):
    """The model's endpoint refused the key (HTTP 401 or 403)."""

    exit_code = 2


class LMQuotaError(LMStopError):
    """The account has no money or quota left (HTTP 402, or 429 with `insufficient_quota`)."""


class LMUnknownModelError(LMStopError):
    """The endpoint knows no such model, or the address is no endpoint (HTTP 404)."""

    exit_code = 2


class BudgetError(LMStopError):
    """`lm.max_calls` or `lm.max_cost` is reached."""


class RunError(RegReActError):
    """A run to be reported on is not there, is ambiguous, or holds no scores."""
