"""Settings of a run, checked by pydantic after composition.

Defaults are the embedded product: fast paths only, no model, no network. `load` composes the Hydra configuration
that ships with the package and applies overrides such as `odr.tau=0.5` or `fastpath=first`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from regreact.addresses import service_address
from regreact.errors import ConfigError, LMRequiredError
from regreact.schema import Severity


class Group(BaseModel):
    """Base of configuration groups: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FaultSettings(Group):
    """Faults of the simulated model.

    Attributes:
        rate: Chance of a fault per item.
        reply_rate: Chance of a fault per reply (cut off, empty, late …).
        seed: Two runs with the same seed make the same faults.
        kinds: Names of kinds (`regreact.faults`); empty for all.
    """

    rate: float = Field(default=0.0, ge=0, le=1)
    reply_rate: float = Field(default=0.0, ge=0, le=1)
    seed: int = 0
    kinds: tuple[str, ...] = ()


class LMSettings(Group):
    """Language model.

    Attributes:
        model: LiteLLM model name such as `openai/gpt-4o`; null means no model.
        engine: `endpoint` for a model behind an address, `local` for a GGUF file run in this process, `simulated` for
            a model that answers by the solvers, to try the model path without one.
        api_base: Endpoint of an OpenAI-compatible server; null for the provider's own.
        api_key_env: Name of the environment variable that holds the key.
        file: GGUF file of the local engine.
        context_tokens: Room for question and reply of the local engine, in tokens.
        adapter: How questions are put: `chat`, `json` or `xml`.
        reasoning: Ask for reasoning before the answer (chain of thought).
        temperature: Sampling temperature; re-asks need one above 0.
        max_tokens: Limit of one reply.
        timeout_s: Seconds before a request is given up, counted to the last byte of the reply.
        retries: Further tries of a request that failed for a passing reason.
        retry_after_s: Longest wait in seconds that a server may ask for (Retry-After) before the next try.
        concurrency: Requests under way at a time, over all units, threads, processes and machines of the run.
        requests_per_minute: Limit of the account; null for none.
        tokens_per_minute: Limit of the account, prompts and replies together; null for none.
        cache: Use DSPy's request cache.
        batch_tokens: Size of the items asked in one request, in tokens of about four characters.
        input_price: US dollars per million tokens of prompts; null for the price list that DSPy ships.
        output_price: The same for replies.
        max_cost: US dollars after which a run stops; a request under way is finished. Null for no limit.
        max_calls: Requests after which a run stops, retries included. Null for no limit.
        faults: What the simulated model gets wrong.
        examples: Worked examples that a request carries, 0 for none; at most as many as the samples offer.
    """

    model: str | None = None
    engine: Literal["endpoint", "local", "simulated"] = "endpoint"
    api_base: str | None = Field(default=None, pattern=r"^https?://[^@\s?#]+$")
    api_key_env: str = Field(default="OPENAI_API_KEY", pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    file: str | None = None
    context_tokens: int = Field(default=16384, ge=512)
    adapter: Literal["chat", "json", "xml"] = "chat"
    reasoning: bool = True
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int = Field(default=8000, ge=16)
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=3, ge=0, le=20)
    retry_after_s: float = Field(default=60.0, ge=0)
    concurrency: int = Field(default=8, ge=1, le=1024)
    requests_per_minute: float | None = Field(default=None, gt=0)
    tokens_per_minute: float | None = Field(default=None, gt=0)
    cache: bool = True
    batch_tokens: int = Field(default=3000, ge=50)
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    max_cost: float | None = Field(default=None, ge=0)
    max_calls: int | None = Field(default=None, ge=0)
    faults: FaultSettings = FaultSettings()
    examples: int = Field(default=2, ge=0, le=10)

    @property
    def place(self) -> str:
        """Where the model is, for messages."""
        if self.engine == "local":
            return f"in {self.file}"
        return f"at {self.api_base or 'the address of its provider'}"

    @property
    def name(self) -> str | None:
        """The model, for records and messages: its file where it runs in this process."""
        return self.file if self.engine == "local" and self.file else self.model


# Settings of the model that cannot change an answer, only how and whether it is fetched.
TRANSPORT = frozenset(
    {"api_key_env", "timeout_s", "retries", "retry_after_s", "cache"}
    | {"input_price", "output_price", "max_cost", "max_calls"}
    | {"concurrency", "requests_per_minute", "tokens_per_minute"}
)

# Where a key may end up by mistake; values given there are not repeated in messages.
SECRET_PRONE = {
    "lm.api_key_env": "it is the name of an environment variable such as OPENAI_API_KEY",
    "lm.api_base": "it is an address such as http://localhost:8000/v1, without user name, password, query and fragment",
}
SECRET_PRONE |= {f"judge.{key}": why for key, why in SECRET_PRONE.items()}
SECRET_PRONE["celex.base_url"] = (
    "it is an https address, or http on this machine, without user name, password, query and fragment"
)


class FastPathSettings(Group):
    """`only`: no model; `first`: the model only for what solvers abstain from; `off`: the model for everything."""

    mode: Literal["only", "first", "off"] = "only"


class Penalties(Group):
    """What one issue of each severity takes from the confidence (penalty model, appendix C)."""

    minor: float = Field(default=0.03, ge=0, le=1)
    major: float = Field(default=0.10, ge=0, le=1)
    critical: float = Field(default=0.30, ge=0, le=1)

    def by_severity(self) -> dict[Severity, float]:
        """Return the penalties by severity."""
        return {"minor": self.minor, "major": self.major, "critical": self.critical}


class OdrSettings(Group):
    """Observe-Diagnose-Repair loop (section 3.4). `tau` and `k_max` as in the paper's experiments.

    `guidance` replaces what the diagnosis says, for controls: `blank` says nothing, `wrong` something beside the point.
    """

    enabled: bool = True
    tau: float = Field(default=0.7, ge=0, le=1)
    k_max: int = Field(default=3, ge=1, le=20)
    timeout_s: float = Field(default=300.0, gt=0)
    penalties: Penalties = Penalties()
    lm_observer: bool = True
    guidance: Literal["given", "blank", "wrong"] = "given"


class GraphSettings(Group):
    """Criterion graph: per-edge checks, repositioning and global validation (section 3.5)."""

    enabled: bool = True


class ProgramSettings(Group):
    """Which program extracts: the seven stages, one call for everything, or the markup floor.

    `path` is a compiled program (`python -m regreact.optimize`) whose prompts the seven stages use.
    """

    name: Literal["regreact", "single_pass", "markup"] = "regreact"
    path: str | None = None


class DataSettings(Group):
    """Units to extract and the gold to score against.

    Attributes:
        name: Name shown in tracking.
        source: File, folder, `samples`, or null to look source documents up by the ids that the gold names.
        gold: Folder of stand-off gold, `samples`, or null for none.
        units: Unit keys to keep; empty for all.
    """

    name: str = "samples"
    source: str | None = "samples"
    gold: str | None = "samples"
    units: tuple[str, ...] = ()


class RunnerSettings(Group):
    """How units are run; what comes out is the same byte for byte.

    Attributes:
        name: `threads` of this process; `processes` of this machine; `ray`, tasks on a Ray cluster. Without a model
            only the last two use more than one core.
        workers: Threads, processes, or Ray tasks at a time.
        per_worker: Units at a time in each process or Ray task; with a model more than one, so that a worker does not
            idle while a reply is awaited.
        retries: How often a unit is tried again after the process or machine that worked on it was lost.
        unit_timeout_s: Seconds, to a fifth of one, after which a process is ended with the unit it works on; null for
            no limit. `processes` only.
        memory_mb: Address space of each process; null for no limit. `processes` only.
        address: Ray cluster (`auto`, `ray://HOST:10001`, `HOST:6379`); null for one on this machine.
    """

    name: Literal["threads", "processes", "ray"] = "threads"
    workers: int = Field(default=1, ge=1, le=4096)
    per_worker: int = Field(default=1, ge=1, le=256)
    retries: int = Field(default=2, ge=0, le=20)
    unit_timeout_s: float | None = Field(default=None, ge=1)
    memory_mb: int | None = Field(default=None, ge=64)
    address: str | None = None

    @model_validator(mode="after")
    def _fits(self) -> RunnerSettings:
        if self.name == "threads" and self.per_worker != 1:
            raise ValueError("per_worker is for runner=processes and runner=ray; with runner=threads raise workers")
        if self.name != "processes" and (self.unit_timeout_s is not None or self.memory_mb is not None):
            raise ValueError("unit_timeout_s and memory_mb need runner=processes, whose workers can be ended")
        if self.name != "ray" and self.address is not None:
            raise ValueError("address is for runner=ray")
        return self


class TrackingSettings(Group):
    """MLflow tracking.

    Attributes:
        enabled: Log runs.
        uri: Database.
        experiment: Name of the experiment on it.
        folder: Where artifacts go; null for beside the database.
        traces: Log a trace of every request to a model: what was asked, what came back, how long it took. What that
            costs is in `experiments/tracing.md`.
    """

    enabled: bool = True
    uri: str = "sqlite:///mlflow.db"
    experiment: str = "regreact"
    folder: str | None = None
    traces: bool = False


class CelexSettings(Group):
    """Verification of CELEX ids (section 3.3, stage 4).

    Attributes:
        mode: `register` asks the packaged register alone (no network), `cellar` the EU Publications Office and, where
            that gives no answer, the register; `off` takes ids as answered.
        base_url: Address of the Publications Office; https, or http on this machine.
        rate: Requests a second at most.
        timeout_s: Seconds that one request may take.
        retries: Further tries after a transient failure.
    """

    mode: Literal["register", "cellar", "off"] = "register"
    base_url: str = "https://publications.europa.eu"
    rate: float = Field(default=2.0, gt=0, le=20)
    timeout_s: float = Field(default=20.0, gt=0, le=600)
    retries: int = Field(default=3, ge=0, le=10)

    @field_validator("base_url")
    @classmethod
    def _secure(cls, url: str) -> str:
        try:
            return service_address(url)
        except ConfigError as error:
            raise ValueError(str(error)) from None


class RagSettings(Group):
    """Referenced law resolved inline (section 3.6).

    Attributes:
        enabled: Resolve references and footnotes of each extraction.
        store: Folder of acts that `regreact fetch` filled; null for `$REGREACT_STORE`, else `store`.
        as_of: Day (`2025-01-08`) whose consolidated version counts; null for the youngest in the store.
        language: Two-letter code of the language of the acts.
        tau: Confidence below which a query is refined and asked again; the paper's band of the rule itself is above
            0.9, of rules on the subject above 0.7.
        rounds: Rounds of search for one reference at most; three in the paper.
        passages: Passages of an act that a round looks at.
    """

    enabled: bool = False
    store: str | None = None
    as_of: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    tau: float = Field(default=0.8, ge=0, le=1)
    rounds: int = Field(default=3, ge=1, le=3)
    passages: int = Field(default=5, ge=1, le=50)

    @field_validator("as_of")
    @classmethod
    def _is_a_day(cls, day: str | None) -> str | None:
        if day is not None:
            try:
                date.fromisoformat(day)
            except ValueError:
                raise ValueError("no such day; write YYYY-MM-DD") from None
        return day


RetrieverMode = Literal["lexical", "dense", "fused", "fused_maxsim"]


class RetrieverSettings(Group):
    """How passages of an act are ranked (section 3.6).

    Of the defaults, `scope` and leaving out the act's own name help most; the modes differ by far less than the
    intervals of `experiments/retrieval.md`, where fusion is level with BM25 in recall and ahead in reciprocal rank.

    Attributes:
        scope: `enacting` searches articles and annexes, which alone bind; `all` also preamble, recitals and footnotes.
        mode: `lexical` BM25, `dense` late interaction, `fused` both by reciprocal rank, `fused_maxsim` the fused
            candidates in the order of their MaxSim.
        encoder: Maker of token vectors: `terms` learns them from the act, `colbert` and `minilm` need their extra.
        checkpoint: ColBERT checkpoint, a local folder or a name on the hub; needed by `encoder=colbert` alone.
        target_words: Most words of a chunk.
        overlap_words: Most words that parts of a cut paragraph share.
        k: Passages that a search returns.
        depth: Candidates taken from each ranking.
        rrf_k: Constant of reciprocal rank fusion; 60 in the original paper.
        dense_weight: Weight of late interaction in the fusion; that of BM25 is 1.
        rerank: Number of fused candidates that MaxSim orders anew.
        hnsw_above: Number of tokens of an act above which candidates come from an HNSW graph.
    """

    mode: RetrieverMode = "fused"
    scope: Literal["enacting", "all"] = "enacting"
    encoder: Literal["terms", "colbert", "minilm", "lexical"] = "terms"
    checkpoint: str | None = None
    target_words: int = Field(default=160, ge=20, le=2000)
    overlap_words: int = Field(default=30, ge=0, le=500)
    k: int = Field(default=5, ge=1, le=100)
    depth: int = Field(default=50, ge=1, le=1000)
    rrf_k: float = Field(default=60.0, gt=0)
    dense_weight: float = Field(default=0.5, ge=0, le=10)
    rerank: int = Field(default=20, ge=1, le=1000)
    hnsw_above: int = Field(default=200_000, ge=0)

    @model_validator(mode="after")
    def _consistent(self) -> RetrieverSettings:
        if self.overlap_words > self.target_words // 2:
            raise ValueError("overlap_words is at most half of target_words")
        if self.encoder == "lexical" and self.mode != "lexical":
            raise ValueError(f"mode={self.mode} needs an encoder with vectors; choose another, or mode=lexical")
        if self.encoder == "colbert" and self.checkpoint is None and self.mode != "lexical":
            raise ValueError("encoder=colbert needs checkpoint=FOLDER or a name on the hub")
        return self


class JudgeLMSettings(LMSettings):
    """The judging model: settings as of `lm`, with the room that a list of comparisons and a sentence need."""

    max_tokens: int = Field(default=1000, ge=16)
    reasoning: bool = False
    examples: int = Field(default=0, ge=0, le=0)
    cache: bool = False


class JudgeSettings(Group):
    """Who scores the semantic fields: the deterministic rubric, or a model (appendix D.19).

    Attributes:
        name: `rubric` or `lm`.
        lm: The judging model.
        same_model: Let a model judge what it extracted itself.
        workers: Questions put at a time.
        cache: File of judgements, looked up by content so that none is paid for twice; null to keep none.
    """

    name: Literal["rubric", "lm"] = "rubric"
    lm: JudgeLMSettings = JudgeLMSettings()
    same_model: bool = False
    workers: int = Field(default=8, ge=1, le=64)
    cache: str | None = "judgements.cache.jsonl"

    @property
    def label(self) -> str:
        """Name for reports and tracking: `rubric`, or `lm` and the model; one that may judge itself says so."""
        if self.name == "rubric":
            return self.name
        return f"lm {self.lm.name}" + (" (may judge its own answers)" if self.same_model else "")


class PartSettings(Group):
    """Shares of the units for training, for choosing between candidates, and for the report; they sum to 1."""

    train: float = Field(default=0.4, gt=0, lt=1)
    validation: float = Field(default=0.3, gt=0, lt=1)
    test: float = Field(default=0.3, gt=0, lt=1)


class OptimizerSettings(Group):
    """Prompt optimizer of `python -m regreact.optimize`; each file in `conf/optimizer` sets what its optimizer reads.

    Attributes:
        name: `none` keeps the prompts as they are.
        max_calls: Requests that the search may take, all questions together; evaluation comes on top.
        max_cost: The same in US dollars; null for no limit besides `max_calls`.
        seed: Of the split and of the search.
        parts: Shares of the units; near-duplicates stay together.
        out: Folder of the compiled programs.
        candidates: Programs or instructions that are tried (bootstrap, mipro, simba).
        demos: Most worked examples that a prompt gets from the model's own right answers (bootstrap, mipro, simba).
        labeled: Most worked examples that it gets from the annotations (bootstrap, mipro).
        accept: Score in [0, 1] from which the model's own answer serves as an example.
        trials: Combinations of instructions and examples (mipro).
        batch: Units of a mini-batch (gepa, simba).
        steps: Mini-batches (simba).
        metric_calls: Units that are scored (gepa).
        breadth: Instructions of a round (copro).
        depth: Rounds (copro).
        temperature: Sampling temperature for proposed instructions (mipro, copro).
    """

    name: Literal["none", "bootstrap", "mipro", "gepa", "simba", "copro"] = "none"
    max_calls: int = Field(default=2000, ge=1)
    max_cost: float | None = Field(default=None, gt=0)
    seed: int = 0
    parts: PartSettings = PartSettings()
    out: str = "runs/programs"
    candidates: int = Field(default=6, ge=2, le=50)
    demos: int = Field(default=3, ge=1, le=16)
    labeled: int = Field(default=2, ge=0, le=16)
    accept: float = Field(default=0.9, ge=0, le=1)
    trials: int = Field(default=10, ge=1, le=1000)
    batch: int = Field(default=4, ge=1, le=100)
    steps: int = Field(default=4, ge=1, le=100)
    metric_calls: int = Field(default=200, ge=1)
    breadth: int = Field(default=5, ge=2, le=50)
    depth: int = Field(default=2, ge=1, le=20)
    temperature: float = Field(default=1.0, ge=0, le=2)


TunedStage = Literal[
    "all", "structure", "thresholds", "references", "footnotes", "classification", "dependencies", "assembly"
]


class AblationSettings(Group):
    """A named variant. `requires` lists the values it stands for; a run whose values differ is refused."""

    name: str = "none"
    requires: dict[str, Any] = Field(default_factory=dict)


class Settings(Group):
    """All settings of a run. `stage` is what `regreact.optimize` tunes: one stage, or the whole program."""

    program: ProgramSettings = ProgramSettings()
    lm: LMSettings = LMSettings()
    fastpath: FastPathSettings = FastPathSettings()
    odr: OdrSettings = OdrSettings()
    graph: GraphSettings = GraphSettings()
    data: DataSettings = DataSettings()
    runner: RunnerSettings = RunnerSettings()
    tracking: TrackingSettings = TrackingSettings()
    celex: CelexSettings = CelexSettings()
    rag: RagSettings = RagSettings()
    retriever: RetrieverSettings = RetrieverSettings()
    judge: JudgeSettings = JudgeSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    stage: TunedStage = "all"
    ablation: AblationSettings = AblationSettings()

    @model_validator(mode="after")
    def _path_is_used(self) -> Settings:
        if self.program.path is not None and (self.program.name != "regreact" or self.fastpath.mode == "only"):
            other = f"program={self.program.name}" if self.program.name != "regreact" else "fastpath=only"
            raise ValueError(f"program.path={self.program.path} holds prompts, and {other} asks none of them; drop one")
        return self

    @model_validator(mode="after")
    def _ablation_holds(self) -> Settings:
        values = self.model_dump()
        for key, wanted in self.ablation.requires.items():
            found: Any = values
            for part in key.split("."):
                if not isinstance(found, dict) or part not in found:
                    raise ValueError(f"ablation={self.ablation.name} requires the unknown key {key}")
                found = found[part]
            if found != wanted:
                raise ValueError(
                    f"ablation={self.ablation.name} means {key}={wanted}, but an override sets {key}={found}; "
                    "drop one of the two"
                )
        return self

    @property
    def uses_lm(self) -> bool:
        """True if the program of this run asks a model."""
        staged = self.program.name == "regreact" and self.fastpath.mode != "only"
        return staged or self.program.name == "single_pass"

    @property
    def reads_acts(self) -> bool:
        """True if the program of this run resolves references; the baselines do not."""
        return self.rag.enabled and self.program.name == "regreact"

    def need_lm(self) -> None:
        """Raise LMRequiredError if this run needs a model and none is configured."""
        if self.uses_lm and self.lm.model is None:
            what = "program=single_pass" if self.program.name == "single_pass" else f"fastpath={self.fastpath.mode}"
            raise LMRequiredError(
                f"{what} needs a language model: choose one with lm=openai lm.model=…, "
                "lm=compatible lm.api_base=… lm.model=…, or stay with fastpath=only"
            )


def _explain(error: ValidationError) -> str:
    """Turn the first pydantic error into one line that names the key and what is allowed there."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        group = _group([str(part) for part in first["loc"][:-1]])
        allowed = ", ".join(sorted(group.model_fields)) if group else "none"
        return f"unknown configuration key {key}: allowed here are {allowed}"
    message = str(first["msg"]).removeprefix("Value error, ")
    if not key:
        return message
    if key in SECRET_PRONE:
        return f"the value of {key} is not allowed (not shown, it may hold a key): {SECRET_PRONE[key]}"
    given = first.get("input")
    if isinstance(given, dict):  # a rule on several keys of a group, which names them itself
        return f"configuration of {key}: {message}"
    return f"configuration value {key}={given!r} is not allowed: {message}"


def check(values: dict[str, Any]) -> Settings:
    """Validate a composed configuration.

    Raises:
        ConfigError: Names the key, the value and what is allowed.
    """
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigError(_explain(error)) from None


def conf_dir() -> Path:
    """Folder of the Hydra configuration: inside an installed package, else beside it in a checkout."""
    inside = Path(__file__).parent / "conf"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "conf"


def data_dir(name: str) -> Path:
    """Folder of packaged data (`samples`, `schema`): inside an installed package, else in the checkout."""
    inside = Path(__file__).parent / "data" / name
    return inside if inside.is_dir() else Path(__file__).parent.parent / "data" / name


def load(overrides: Sequence[str] = ()) -> Settings:
    """Compose the packaged configuration with overrides in Hydra's syntax.

    Args:
        overrides: For instance `["fastpath=first", "odr.tau=0.8", "+ablation=no_graph"]`.

    Raises:
        ConfigError: An override is malformed, unknown, out of range or contradicts another one.
    """
    from hydra import compose, initialize_config_dir  # noqa: PLC0415  heavy
    from hydra.core.global_hydra import GlobalHydra  # noqa: PLC0415
    from hydra.errors import HydraException  # noqa: PLC0415
    from omegaconf import OmegaConf  # noqa: PLC0415
    from omegaconf.errors import OmegaConfBaseException  # noqa: PLC0415

    register_base()
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(config_dir=str(conf_dir().resolve()), version_base="1.3"):
            composed = compose(config_name="config", overrides=with_program_file(overrides))
        values = OmegaConf.to_container(composed, resolve=True)
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        raise ConfigError(f"{explain_hydra(error)} (overrides have the form key=value or group=choice)") from None
    assert isinstance(values, dict)
    return check({str(k): v for k, v in values.items()})


def with_program_file(overrides: Sequence[str]) -> list[str]:
    """Return overrides with `program=FILE.json` written out as `program.path=FILE.json`."""
    return [re.sub(r"^program=(.+\.json)$", r"program.path=\1", o) for o in overrides]


def register_base() -> None:
    """Give Hydra every key with its default, so that any of them can be overridden by name."""
    from hydra.core.config_store import ConfigStore  # noqa: PLC0415  heavy

    ConfigStore.instance().store(name="base", node=Settings().model_dump())


def explain_hydra(error: Exception) -> str:
    """Return Hydra's message as one line, with the keys that are allowed where an unknown one was given."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    message = " ".join(line for line in lines if not line.startswith(("full_key", "object_type", "Set the env")))
    unknown = re.search(r"Could not override '([\w.@/]+)'", message)
    if unknown:
        parent = unknown[1].rpartition(".")[0]
        group = _group(parent.split(".") if parent else [])
        if group is not None:
            return f"unknown configuration key {unknown[1]}: allowed here are {', '.join(sorted(group.model_fields))}"
    return "configuration: " + message.partition(" Config search path")[0].partition(" See https://")[0]


def _group(path: Sequence[str]) -> type[BaseModel] | None:
    """Return the model of the configuration group at a path, or None if there is no such group."""
    group: type[BaseModel] = Settings
    for part in path:
        field = group.model_fields.get(part)
        if field is None or not isinstance(field.annotation, type) or not issubclass(field.annotation, BaseModel):
            return None
        group = field.annotation
    return group
