# `make demo` shows what the program does; `make test` proves that it does it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo dist messages test test-all matrix lint types audit format clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
	  || { echo 'Python 3.11 to 3.14 is needed: make PYTHON=python3.12 ...' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# A stamp is newer than what it was installed from, so a second run installs nothing.
$(VENV)/deep.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing the program with its models (once; some minutes) ...' >&2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[deep]'
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing the program and what its tests need (once; some minutes) ...' >&2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/deep.stamp

demo: $(VENV)/deep.stamp  ## index the example vault and ask it a question
	$(BIN)/vault-assistant index --vault examples/vault
	@echo; echo 'fast looks for the words of a question, deep for what it means:'
	$(BIN)/vault-assistant find fast --vault examples/vault --limit 1 "What should a newcomer know about the neighbourhood?"
	$(BIN)/vault-assistant find deep --vault examples/vault --limit 1 "What should a newcomer know about the neighbourhood?"
	$(BIN)/vault-assistant ask --vault examples/vault "How late was the larch, and when was the boat launched?"

test: $(VENV)/dev.stamp  ## run the tests on all cores but those marked slow, warnings as errors (about five minutes on two cores)
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not slow'

test-all: $(VENV)/dev.stamp  ## run every test, the slow ones too
	$(BIN)/python -m pytest -n auto --dist loadfile

matrix: $(VENV)/dev.stamp  ## kill and fail every system call of every write (half an hour)
	$(BIN)/python -m app.tests.notes.matrix
	$(BIN)/python -m app.tests.notes.together --steps 10000
	$(BIN)/python -m app.tests.notes.together --writers 60
	$(BIN)/python -m app.tests.search.index.matrix --jobs 2

lint: $(VENV)/dev.stamp  ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp  ## check types
	$(BIN)/mypy

# In an environment of its own: what looks for weaknesses is no part of what is looked at.
.venv-audit/stamp: Makefile
	@$(PYTHON) -m venv .venv-audit
	@.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	@touch $@

audit: .venv-audit/stamp  ## hold the locked packages against the public advisories, where these can be reached
	@.venv-audit/bin/python bench/audit.py || [ $$? -eq 3 ]

dist: $(VENV)/dev.stamp  ## build the wheel, the bundle (.mcpb) that desktop programs install, and server.json
	$(BIN)/python bundle/build.py

messages: $(VENV)/dev.stamp  ## compile the French texts, and name those that are missing or no longer said
	$(BIN)/python -c 'from app.translation import compile_french; compile_french()'
	$(BIN)/python -m pytest app/tests/test_translation.py

format: $(VENV)/dev.stamp  ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and what tools left
	rm -rf $(VENV) .venv-audit .pytest_cache .mypy_cache .ruff_cache .hypothesis
