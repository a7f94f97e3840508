# Every target makes the virtual environment it needs. `make help` lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO_ARCHIVE := examples/public-pages.warc.gz
DEMO_QUESTION ?= What must a verifier do when it limits failed authentication attempts?

.DEFAULT_GOAL := help
.PHONY: help demo test check bench peers quick eval measured mutations golden lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

demo: $(VENV)/.run ## ask a question of the pages in examples/, with no key and no network
	$(BIN)/affidavit ask "$(DEMO_QUESTION)" --web $(DEMO_ARCHIVE) --out demo-answer.html --bundle demo-answer.affidavit
	$(BIN)/affidavit verify demo-answer.affidavit

test: $(VENV)/.dev ## run the tests (those that need ../shared are skipped without it)
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -q -n 3 --dist worksteal

check: $(VENV)/.dev ## ruff, pyright strict, import-linter
	$(BIN)/ruff format --check src tests benchmarks judge
	$(BIN)/ruff check src tests benchmarks judge
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## measure speed and memory on this machine; asserts nothing
	$(BIN)/python benchmarks/run.py

peers: $(VENV)/.dev ## the same rows and drafts by anchorcite, in an environment of its own
	$(BIN)/python -m benchmarks.peers.judge
	$(BIN)/python -m benchmarks.peers.draft

quick: $(VENV)/.dev ## run the suites that take less than a minute, and hold their floors
	$(BIN)/affidavit eval run --quick --jobs 2

eval: $(VENV)/.dev ## run every suite on the rows that ship, two at a time; minutes
	$(BIN)/affidavit eval run --jobs 2

measured: $(VENV)/.dev ## write what the suites last measured into docs/measured.md
	$(BIN)/affidavit eval report --docs docs/measured.md

mutations: $(VENV)/.dev ## break the product on purpose and see whether the suites notice; an hour
	$(BIN)/python benchmarks/mutations.py --write docs/mutations.md

golden: $(VENV)/.dev ## measure answers on the golden questions of ../shared/data
	$(BIN)/python benchmarks/golden.py

lock: $(VENV)/.dev ## renew the two lock files from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o requirements-dev.lock

clean: ## remove what the other targets made
	rm -rf $(VENV) demo-answer.* .pytest_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks .coverage

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml judge/pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV): some 400 MB, a few minutes the first time"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --editable . --editable ./judge
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml judge/pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV): some 900 MB, a few minutes the first time"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --editable . --editable ./judge
	@touch $@ $(VENV)/.run
