# Two commands do everything on a fresh machine: `make lab` and `make test`.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Test files go to two processes, one file to one of them.
TWO := -n 2 --dist loadfile
.DEFAULT_GOAL := help
.PHONY: help lab test test-lowest bench notebooks reproduce data clean

help: ## List the commands
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

# The stamp is newer than pyproject.toml when the install is up to date, so a second run starts at once.
$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "semwork needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make lab PYTHON=python3.12"; exit 1; }
	@if command -v uv >/dev/null 2>&1; then \
	  echo "Installing into $(VENV) with uv …"; \
	  { [ -x $(BIN)/python ] || uv venv -q --python "$(PYTHON)" $(VENV); } && \
	  uv pip install -q --python $(BIN)/python -e . ; \
	else \
	  echo "Installing into $(VENV) with pip (uv would be about nine times faster) …"; \
	  { [ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV); } && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -e . ; \
	fi
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/.installed
	@if command -v uv >/dev/null 2>&1; then uv pip install -q --python $(BIN)/python -e '.[test,bench]'; \
	else $(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test,bench]'; fi
	@touch $@

lab: $(VENV)/.installed ## Install what is missing and open the first notebook
	@$(BIN)/semwork lab -- $(ARGS)

test: $(VENV)/.installed-test ## Install what is missing and run every test
	@# The models are compiled while one core reads the code: no test has to wait for that.
	@$(BIN)/python -m semwork.warm_up >/dev/null 2>&1 & warm=$$!; trap 'kill $$warm; exit 130' INT TERM; \
	  { $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports; } || \
	  { kill $$warm; exit 1; }; wait $$warm || true
	@$(BIN)/pytest $(TWO) -m "not browser" --cov --cov-report=term:skip-covered -p no:cacheprovider
	@# The lessons take what the browser leaves of the machine; their report comes after the browser's.
	@log=$$(mktemp); \
	  nice $(BIN)/pytest --nbval --nbval-sanitize-with tests/notebooks/sanitise.cfg -p no:cacheprovider notebooks \
	    >"$$log" 2>&1 & lessons=$$!; trap 'kill $$lessons; rm -f "$$log"; exit 130' INT TERM; \
	  said=0; $(BIN)/pytest -m browser -p no:cacheprovider || said=1; \
	  wait $$lessons || said=1; cat "$$log"; rm -f "$$log"; exit $$said

test-lowest: ## Run the tests with the lowest versions that pyproject.toml allows (needs uv)
	@uv venv -q --clear --python "$(PYTHON)" .venv-lowest
	@uv pip install -q --python .venv-lowest/bin/python --resolution lowest-direct -e '.[test,bench]'
	@.venv-lowest/bin/pytest -p no:cacheprovider
	@.venv-lowest/bin/pytest --nbval --nbval-sanitize-with tests/notebooks/sanitise.cfg -p no:cacheprovider notebooks

bench: $(VENV)/.installed-test ## Measure speed against named peers, in one run
	@$(BIN)/python -m tests.benchmarks

notebooks: $(VENV)/.installed-test ## Run the lessons again and save them with their outputs
	@$(BIN)/python -m tests.notebooks.refresh

reproduce: $(VENV)/.installed ## Run the published experiments and say how close they came
	@$(BIN)/semwork reproduce --all

data: $(VENV)/.installed ## Fetch every real data set that can be had
	@$(BIN)/semwork data fetch --all

clean: ## Remove the environment, caches and downloads
	rm -rf $(VENV) .venv-lowest data/cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache htmlcov .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
