"""A model in a GGUF file, run in this process by llama.cpp."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from dspy.lm15 import ContextLengthError, Message, Request, Response, TextPart, Usage

from regreact.config import LMSettings
from regreact.errors import ConfigError


class LocalEngine:
    """Engine of `dspy.LM` over llama.cpp; a schema that is asked for becomes a grammar that binds the reply.

    llama.cpp answers one question at a time, so requests of several threads wait for each other.

    Args:
        settings: `file` and `context_tokens`.

    Raises:
        ConfigError: The extra `local-lm` is not installed, or the file is missing or no GGUF model.
    """

    supports_response_schema = True
    supported_params = frozenset({"temperature", "max_tokens", "response_format"})

    def __init__(self, settings: LMSettings) -> None:
        try:
            from llama_cpp import Llama  # noqa: PLC0415  optional
        except ImportError:
            raise ConfigError(
                "lm=local needs the extra local-lm: pip install 'regreact[local-lm]' (compiles llama.cpp)"
            ) from None
        if settings.file is None:
            raise ConfigError("lm=local needs a model: set lm.file to a GGUF file")
        path = Path(settings.file).expanduser()
        if not path.is_file():
            raise ConfigError(f"lm.file={settings.file}: no such file; it must be a GGUF model")
        try:
            self._llama = Llama(model_path=str(path), n_ctx=settings.context_tokens, verbose=False)
        except (ValueError, RuntimeError, AssertionError) as error:
            raise ConfigError(f"lm.file={settings.file} cannot be loaded as a GGUF model: {error}") from error
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Response:
        """Reply to a request.

        Raises:
            ContextLengthError: Question and reply do not fit in `context_tokens`.
        """
        config = request.config
        options: dict[str, Any] = {"temperature": config.temperature, "max_tokens": config.max_tokens}
        if config.response_format is not None:
            options["response_format"] = _grammar(config.response_format)
        given = {k: v for k, v in options.items() if v is not None}
        with self._lock:
            try:
                reply = self._llama.create_chat_completion(messages=_messages(request), **given)
            except ValueError as error:
                raise ContextLengthError(f"{error} (lm.context_tokens)") from error
        choice, usage = reply["choices"][0], reply["usage"]
        return Response(
            id=reply["id"],
            model=request.model,
            message=Message.assistant([TextPart(choice["message"]["content"] or "")]),
            finish_reason="length" if choice["finish_reason"] == "length" else "stop",
            usage=Usage(input_tokens=usage["prompt_tokens"], output_tokens=usage["completion_tokens"]),
        )


def _messages(request: Request) -> list[dict[str, str]]:
    system = request.system
    if not isinstance(system, str):
        system = "".join(getattr(p, "text", "") for p in system or ())
    first = [{"role": "system", "content": system}] if system else []
    return first + [{"role": m.role, "content": m.text or ""} for m in request.messages]


def _grammar(response_format: dict[str, Any]) -> dict[str, Any]:
    """Return llama.cpp's spelling of a response format (dspy.lm15: `json_object`, or `json_schema` with `schema`)."""
    if "schema" in response_format:
        return {"type": "json_object", "schema": _without_patterns(response_format["schema"])}
    return {"type": "json_object"}


def _without_patterns(schema: Any) -> Any:
    """Return a JSON schema without regular expressions.

    llama.cpp's converter does not know escapes such as `\\d` and crashes on the grammar that it makes of them; the
    patterns are checked when the reply is read.
    """
    if isinstance(schema, dict):
        kept = {k: v for k, v in schema.items() if not (k == "pattern" and isinstance(v, str))}
        return {k: _without_patterns(v) for k, v in kept.items()}
    if isinstance(schema, list):
        return [_without_patterns(v) for v in schema]
    return schema
