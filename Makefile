# Everything runs in .venv, which the first target that needs it builds.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Two test processes, one thread each: more threads than cores only wait for each other.
PYTEST := OMP_NUM_THREADS=$${OMP_NUM_THREADS:-1} $(BIN)/pytest -q -n 2

.PHONY: demo test lint format coverage docs install clean

demo: $(READY)  ## train on built-in data and write a report to open
	$(BIN)/graphrank demo

test: $(READY)  ## the whole suite; tests on published data run where GRAPHRANK_DATA is set
	$(PYTEST)

coverage: $(READY)  ## the suite with a coverage table
	$(PYTEST) --cov=graphrank --cov-report=term-missing:skip-covered --cov-fail-under=90

lint: $(READY)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)  ## all figures on pages, from results/ and experiments/
	$(BIN)/python -m graphrank.report.method_pages docs/methods --results results/*.jsonl
	$(BIN)/python -m graphrank.reproduce.pages --results results/*.jsonl --variants results/variants/*/*.jsonl

install: $(READY)

# torch goes first and pinned: a range lets pip choose a build with gigabytes of GPU libraries.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .coverage
