# make run    a room of tables, live, with the addresses of its screens
# make test   every check, the fast ones first
# make mutants   which small change of the rules' code would no test notice? Goes on where it ended
# make coverage  every branch of the rules, the views and the wire is tested, or it says which is not
# make exhaustive  every state of small tables, as deep as it was ever gone: half an hour
# make lint   the checks that run no test; make format puts the layout right
#
# Everything is installed into .venv, which may be deleted at any time. The one thing taken from the
# system is the Chromium that the browser tests drive.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The tests start the server a hundred times: what Python has compiled once is kept.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help run test test-rules test-server test-screens mutants coverage exhaustive lint format environment clean

RUN := .venv/bin/python -m
PYTEST := $(RUN) pytest -q --durations=5

# Real servers and browsers on a busy machine: what failed is tried once more, alone, and named by
# the first run. What fails again is a fault.
patiently = $(PYTEST) $(1) || { echo "== Once more, alone: what failed"; \
	$(PYTEST) --last-failed --last-failed-no-failures=none $(1); }

FAST := tests/rules tests/views tests/wire tests/model
SOURCES := server clients/python tests

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: environment
	@echo "== Starting the demo: a Valkey, a server and a room of tables. Ctrl-C stops it."
	@exec .venv/bin/livebutton demo --data data

# A suite that fails does not hide what the others have to say. The server's tests wait more than they
# reckon, so the rules' go beside them; the screens are measured, and have the machine to themselves.
test: environment
	@status=0; \
	$(MAKE) --no-print-directory --keep-going --jobs=2 lint test-rules test-server \
		|| status=1; \
	$(MAKE) --no-print-directory test-screens || status=1; \
	exit $$status

test-rules: environment
	@echo "== Tests: the rules, the views, the wire"
	@$(PYTEST) -p no:cacheprovider $(FAST) | sed --unbuffered 's/^/rules  | /'
	@echo "== Mutants of the rules: fifty of them, drawn by the commit"
	@$(RUN) tests.mutants --draw 50 | sed --unbuffered 's/^/rules  | /'

test-server: environment
	@echo "== Tests: the store, the tables, the gateway, the clients, the simulation, the frame"
	@.ci/programs
	@.ci/redis
	@{ $(call patiently, tests $(FAST:%=--ignore=%) --ignore=tests/browser); } | sed --unbuffered 's/^/server | /'

test-screens: environment
	@echo "== Tests: the screens' store, in Node"
	@.venv/bin/node --test $$(find clients/web tests -name '*.test.js' | grep . || echo no-test-found)
	@.ci/browser
	@echo "== Tests: the screens, in Chromium"
	@$(call patiently, tests/browser)

mutants: environment
	@nice $(RUN) tests.mutants

# The slow suites and the sites' hands walk over what the others have walked over; the tracer would
# double their time.
coverage: environment
	@$(RUN) coverage run -m pytest -q -m "not slow" --ignore=tests/rules/test_transitions.py \
		tests/rules tests/views tests/wire
	@$(RUN) coverage report

exhaustive: environment
	@EXHAUSTIVE=1 $(PYTEST) -s tests/rules/test_exhaustive.py

lint: environment
	@echo "== Format, lint, types, import contracts"
	@$(RUN) ruff format --check --quiet $(SOURCES) || { echo "make format puts this right" >&2; exit 1; }
	@$(RUN) ruff check --quiet $(SOURCES)
	@$(RUN) mypy
	@.venv/bin/lint-imports --no-logo

format: environment
	@$(RUN) ruff format $(SOURCES)
	@$(RUN) ruff check --fix $(SOURCES)

environment:
	@.ci/environment

clean:
	rm -rf .venv .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache dist
