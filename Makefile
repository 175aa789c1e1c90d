# make run    sets everything up and runs the main job on the embedded samples
# make test   sets everything up and runs all checks and tests
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SHARED ?= ../shared

.PHONY: run test test-slow test-ray test-kill test-browser browser test-small-model fuzz fuzz-atheris check-office audit setup ui gold tables
.PHONY: check bench bench-parsers schema examples readme wheel clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,index-cpu]'
	touch $@

run: setup
	$(BIN)/regreact extract samples --out out
	$(BIN)/regreact score out

test: setup check
	$(BIN)/python -m pytest -n auto -m 'not slow and not browser and not ray'

test-slow: setup
	$(BIN)/python -m pytest -m 'slow and not ray'

# Commands killed at random points, full disks, two writers on one folder (ten minutes; as root, for small disks).
test-kill: setup
	$(BIN)/python -m pytest tests/robustness/test_kills.py tests/robustness/test_full_disk.py \
	  tests/robustness/test_two_writers.py

# Some hundred real documents damaged, and property-based tests with ten times as many examples (half an hour).
fuzz: setup
	REGREACT_DATA="$${REGREACT_DATA:-$(SHARED)/data}" $(BIN)/python experiments/mutate.py --count 300
	REGREACT_FUZZ=10 $(BIN)/python -m pytest tests/robustness

# Coverage-guided fuzzing of each parser for SECONDS; installs atheris.
SECONDS ?= 60
fuzz-atheris: setup
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	@for target in formex xhtml html json act text; do echo "== $$target"; \
	  FUZZ_REPORT=$${TMPDIR:-/tmp}/fuzz-report $(BIN)/python experiments/fuzz_parsers.py $$target -max_total_time=$(SECONDS) \
	    >$${TMPDIR:-/tmp}/fuzz-$$target.log 2>&1 || { tail -40 $${TMPDIR:-/tmp}/fuzz-$$target.log; exit 1; }; \
	  cat $${TMPDIR:-/tmp}/fuzz-report; done

# The pages as a browser shows them. Installs Debian's chromium where it is missing (as root) and selenium.
test-browser: browser
	$(BIN)/python -m pytest -m browser tests/browser

browser: setup
	@if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then \
	  if [ "$$(id -u)" = 0 ]; then apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=30 update -qq && apt-get install -y -qq chromium chromium-driver; \
	  else echo "install chromium and chromium-driver (apt-get install, as root)" >&2; exit 1; fi; fi
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[browser]'

# A Ray cluster of two machines on this one, machines lost on the way included. The launcher lies in a folder of its own
# and without what it requires: it asks for an older cloudpickle than DSPy, and works with DSPy's.
test-ray: setup
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[ray]' boto3
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/ray-launcher 'hydra-ray-launcher==1.2.2'
	PYTHONPATH=$(abspath $(VENV))/ray-launcher $(BIN)/python -m pytest -m ray tests/test_experiment.py
	$(BIN)/python -m pytest -m ray tests/test_workers.py

# Needs a GGUF file: make test-small-model GGUF=path (builds llama.cpp, a quarter of an hour).
test-small-model: setup
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[local-lm]'
	REGREACT_GGUF=$(GGUF) $(BIN)/python -m pytest -m slow tests/test_small_model.py

check: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if [ -f $(SHARED)/tools/no_source_text.py ]; then $(PYTHON) $(SHARED)/tools/no_source_text.py .; fi

# The workbook in LibreOffice: every number, date and text as extracted.
check-office: setup
	$(BIN)/python experiments/check_office.py

# Known vulnerabilities, declared ranges and origins of what is installed. Says so if no vulnerability service answers;
# with STRICT=1 that is a failure.
audit: setup
	$(BIN)/python experiments/audit.py $(if $(STRICT),--strict)

# All ablations that need no model, on the annotated units, into MLflow.
gold: setup
	$(BIN)/python -m regreact.experiment -m +experiment=ablations

# Every table of experiments/README.md, without a model (minutes).
tables: setup
	$(BIN)/python experiments/tables.py

# Every section of experiments/bench.md (about ten minutes); make bench SECTIONS="e f" for some.
bench: setup
	$(BIN)/python experiments/bench.py $(SECTIONS)

# What section d compares with, each in a folder of its own; none is a dependency.
bench-parsers: setup
	for name in tulit eurlex-parser eurlex eurlex2lexparency; do \
	  $(BIN)/pip install --quiet --disable-pip-version-check --target .parsers/$$name $$name || echo "left out: $$name" >&2; done
	$(BIN)/pip install --quiet --disable-pip-version-check bm25s

ui: setup
	$(BIN)/mlflow ui --backend-store-uri sqlite:///mlflow.db

# Writes data/schema anew after a change of regreact/schema.py.
schema: setup
	$(BIN)/python -m regreact.schema_export

# Writes the worked examples of the prompts anew after a change of the samples, the stages or the item forms.
examples: setup
	$(BIN)/python -m regreact.evaluation.example_choice

# Writes the README's example and figures anew.
readme: setup
	$(BIN)/python experiments/readme.py

wheel: setup
	$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) build dist out runs mlflow.db mlartifacts
