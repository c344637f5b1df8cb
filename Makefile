# Everything from a bare checkout with python3 (3.11 or later), make and git.
# The virtual environment .venv is made on first use, and renewed when pyproject.toml or
# constraints.txt changes.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
PY := $(VENV)/bin/python
LAYOUTGEN := $(VENV)/bin/layoutgen
PIP := $(PY) -m pip --disable-pip-version-check --quiet
SPHINX := $(PY) -m sphinx -q -n -W --keep-going -j $(JOBS) -d docs/_build/doctrees

# The pinned versions; where these do not fit the interpreter, what fits.
install = $(PIP) install --constraint constraints.txt $(1) 2>/dev/null \
	|| { echo "The pinned versions cannot be installed here; installing others" >&2; $(PIP) install $(1); }

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Describe the targets
	@echo "make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile
	@echo "PYTHON=python3.12 chooses the interpreter for .venv, JOBS=4 the number of processes."

.PHONY: docs
docs: $(VENV)/docs.stamp ## Regenerate reference and figures, and build the site into docs/_build/html
	@$(LAYOUTGEN) docs
	@$(SPHINX) -b html docs docs/_build/html
	@echo "The site: docs/_build/html/index.html"

.PHONY: test
test: $(VENV)/dev.stamp ## Run the tests
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup

.PHONY: check
check: check-generated check-code check-types check-prose ## Check generated files, code, types and prose
	@echo "Everything checked."

.PHONY: check-generated check-code check-types check-prose
check-generated: $(VENV)/docs.stamp
	@$(LAYOUTGEN) docs --check
check-code: $(VENV)/dev.stamp
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet . || { echo "To format the code: $(PY) -m ruff format" >&2; exit 1; }
check-types: $(VENV)/dev.stamp
	@$(PY) -m mypy --no-error-summary
check-prose: $(VENV)/dev.stamp
	@$(PY) -m sphinxlint --enable all --disable line-too-long --ignore docs/_build docs *.md

.PHONY: figures
figures: $(VENV)/docs.stamp ## Regenerate figures/ and docs/reference/ only
	@$(LAYOUTGEN) docs

.PHONY: validate
validate: $(VENV)/docs.stamp ## Hold every figure, table and page against the emulator
	@$(LAYOUTGEN) validate

.PHONY: bench
bench: $(VENV)/dev.stamp ## Run the benchmarks
	@$(PY) -m pytest -o addopts= -q -s tests/benchmarks

.PHONY: clean
clean: ## Remove what was built; keep .venv
	@rm -rf build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find layoutgen tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## Remove what was built, and .venv
	@rm -rf $(VENV)

# The environment. A stamp is written last, so that what was interrupted is done again.

$(VENV)/venv.stamp:
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "$(PYTHON) is not installed. Choose another: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "layoutgen needs Python 3.11 or later, and $(PYTHON) is $$("$(PYTHON)" -V 2>&1)." \
	    "Choose another: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments." \
	    "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making the virtual environment $(VENV)"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) install --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/docs.stamp: pyproject.toml constraints.txt $(VENV)/venv.stamp
	@echo "Installing layoutgen and the tools for its site"
	@$(call install,--editable . --group docs)
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt $(VENV)/docs.stamp
	@echo "Installing the tools for its tests"
	@$(call install,--group dev)
	@touch $@
