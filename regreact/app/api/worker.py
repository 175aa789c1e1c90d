"""A process that extracts uploaded documents, so that one which takes too long can be ended.

It reads a JSON line per request from stdin and answers with JSON lines on stdout; the last of a request has
`"kind": "end"`. Start: `python -m regreact.app.api.worker`, first line `{"settings": [overrides], "memory": bytes}`.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from regreact.errors import NoUnitMatchedError, RegReActError

Answer = dict[str, Any]


def extract(request: Answer, settings: Any) -> Iterator[Answer]:
    """Yield what becomes of a request, line by line.

    Args:
        request: `name`, `data` (base64), `units` (patterns), `most_units`.
        settings: Settings of the run.
    """
    from regreact import corpus, runner  # noqa: PLC0415  heavy
    from regreact.sources import read_data  # noqa: PLC0415

    document = read_data(Path(request["name"]), base64.b64decode(request["data"]))
    selection = corpus.select([document], request["units"])
    most = request["most_units"]
    if most is not None and len(selection.units) > most:
        yield {"kind": "refused", "detail": f"{len(selection.units)} units, but {most} at most here", "status": 413}
        return
    yield {"kind": "begin", "document": document.document, "total": len(selection.units)}
    for failure in selection.failures:
        yield {"kind": "failed", "unit": failure.key, "detail": f"{failure.place}: {failure.problem}"}
    extractor = runner.Extractor(settings, documents=[document])
    for unit, result, seconds in extractor.stream(selection.units):
        if isinstance(result, RegReActError):
            yield {"kind": "failed", "unit": unit.key, "detail": str(result)}
        else:
            yield {"kind": "unit", "unit": unit.key, "seconds": seconds, "extraction": result.to_json()}


def _answers(request: Answer, settings: Any) -> Iterator[Answer]:
    try:
        yield from extract(request, settings)
    except NoUnitMatchedError as error:
        yield {"kind": "refused", "detail": str(error), "status": 404}
    except RegReActError as error:
        yield {"kind": "refused", "detail": str(error), "status": 422}
    except MemoryError:
        yield {"kind": "refused", "detail": f"{request['name']}: needs more memory than there is", "status": 413}
        # What is left of the memory is in pieces: the next extraction begins in a new process.
        yield {"kind": "end", "spent": True}
    except RecursionError:
        yield {"kind": "refused", "detail": f"{request['name']}: nested too deeply to be read", "status": 422}
    except Exception as error:
        yield {"kind": "refused", "detail": f"internal error: {type(error).__name__}", "status": 500}
        print(f"{type(error).__name__}: {error}", file=sys.stderr)


def serve(lines: Iterator[str], answer: Callable[[Answer], None]) -> None:
    """Answer requests until there are no more."""
    import stamina  # noqa: PLC0415

    from regreact import config, runner  # noqa: PLC0415  heavy

    stamina.instrumentation.set_on_retry_hooks(())
    first = json.loads(next(lines))
    limit_memory(first.get("memory", 0))
    settings = config.load(first["settings"])
    runner.build_program(settings)
    answer({"kind": "ready"})
    for line in lines:
        for told in _answers(json.loads(line), settings):
            answer(told)
        answer({"kind": "end"})


def limit_memory(size: int) -> None:
    """Let this process have no more address space than so many bytes (0: no limit), and write no core files."""
    try:
        import resource  # noqa: PLC0415  not on Windows
    except ImportError:  # pragma: no cover
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if size and (hard == resource.RLIM_INFINITY or size < hard):
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main() -> None:
    """Talk on the standard streams; what libraries print goes to stderr."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(told: Answer) -> None:
        # ASCII only: a lone surrogate goes through as its escape.
        channel.write(json.dumps(told) + "\n")
        channel.flush()

    serve(iter(sys.stdin), answer)


if __name__ == "__main__":
    main()
