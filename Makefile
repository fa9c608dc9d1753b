# Everything a newcomer needs: Python 3.11+ and make. Set-up happens once and is reused.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-others docs integration scorecard coverage envs fuzz mutants lint format \
	types typecheck-face imports clean

demo: $(VENV)/.ready
	$(BIN)/python examples/demo.py

test: $(VENV)/.ready envs
	$(BIN)/python -m pytest -n auto

# The rooms that need no SDK, on the other versions of Python that this machine has.
test-others:
	bash .ci/others 3.12 3.13

# Bytes that anybody may have written, until the time is over: make fuzz SECONDS=3600. With atheris
# (pip install -e '.[fuzz]') inputs are led by what they reach.
SECONDS ?= 600
fuzz: $(VENV)/.ready
	$(BIN)/python -m tests.fuzz.run --seconds $(SECONDS) $(FUZZ)

# What of the rules and of the flow no test would miss; ten thousand faults take a day.
SAMPLE ?= 400
mutants: $(VENV)/.ready
	nice $(BIN)/python benchmarks/mutants.py --sample $(SAMPLE)

# The documentation as a site, in .cache/site; a warning or a link that leads nowhere is an error.
docs: $(VENV)/.ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# How much of each room of the client half its own tests run, branches included.
coverage: $(VENV)/.ready
	for room in chat client tools; do \
		$(BIN)/python -m pytest -n auto tests/$$room --cov=chatport.$$room --cov-branch \
			--cov-report=term-missing:skip-covered --cov-fail-under=95 || exit 1; \
	done

# The SDKs that the proofs run on, one virtual environment each; made once.
envs: $(VENV)/.ready
	$(BIN)/python -m chatport.port.prove.environments .envs

# How much of the repositories in a folder is ported, and what holds of it:
# make scorecard DIR=../repositories JSON=scorecard.json
scorecard: $(VENV)/.ready envs
	CHATPORT_ENVS=.envs $(BIN)/python benchmarks/scorecard.py $(DIR) --prove $(if $(JSON),--json $(JSON))

# The client against a server that others wrote; it needs the network once, and some minutes.
integration: $(VENV)/.ready .integration/.ready
	$(BIN)/python integration/run.py .integration/bin/python

.integration/.ready: integration/requirements.txt
	$(PYTHON) -m venv .integration
	.integration/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready
	$(BIN)/mypy

# What a program's own type checker sees of the package, by a second type checker: every name has
# a declared type, and the client's examples are strictly typed. Needs npx, and no network but once.
typecheck-face: export PATH := $(CURDIR)/$(BIN):$(PATH)
typecheck-face: $(VENV)/.ready
	npx --yes pyright --verifytypes chatport --ignoreexternal
	npx --yes pyright

imports: $(VENV)/.ready
	$(BIN)/lint-imports

format: $(VENV)/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "chatport needs Python 3.11 or newer; say make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up $(VENV), once ..."
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) \
		&& uv pip install --quiet --python $(BIN)/python -e '.[dev]'; \
	else \
		$(PYTHON) -m venv $(VENV) \
		&& $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-3.* .envs .integration .cache
