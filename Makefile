# Two commands do everything on a fresh machine: `make lab` and `make test`. For every change there is `make check`.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCRIPTS := tests/javascript/node_modules
# The models are compiled while the other core reads the code: no test has to wait for that.
LINT_AND_COMPILE = $(BIN)/python -m semwork.warm_up >/dev/null 2>&1 & warm=$$!; \
  trap 'kill $$warm; exit 130' INT TERM; $(MAKE) -s lint || { kill $$warm; exit 1; }; wait $$warm || true
.DEFAULT_GOAL := help
.PHONY: help lab lint check test test-lowest api wheel bench notebooks reproduce data clean

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

# What checks the JavaScript. Where npm or its registry cannot be had, a test says so and is skipped.
$(SCRIPTS)/.installed: tests/javascript/package.json
	@if command -v npm >/dev/null 2>&1; then \
	  npm install --prefix tests/javascript --no-package-lock --no-audit --no-fund --loglevel=error >/dev/null && touch $@ || \
	  echo "npm could not install what checks the JavaScript: that is skipped"; \
	fi

lab: $(VENV)/.installed ## Install what is missing and open the first lesson
	@$(BIN)/semwork lab -- $(ARGS)

lint: $(VENV)/.installed-test ## Read the code: style, types, the direction of imports
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

check: $(VENV)/.installed-test $(SCRIPTS)/.installed ## Lint and run the quick unit tests: for every change, three minutes
	@$(LINT_AND_COMPILE)
	@$(BIN)/pytest -n 2 --dist worksteal -m "not browser and not slow and not data" -p no:cacheprovider

test: $(VENV)/.installed-test $(SCRIPTS)/.installed ## Install what is missing and run every test
	@$(LINT_AND_COMPILE)
	@$(BIN)/python -m tests.everything

test-lowest: ## Run the tests with the lowest versions that pyproject.toml allows (needs uv)
	@uv venv -q --clear --python "$(PYTHON)" .venv-lowest
	@uv pip install -q --python .venv-lowest/bin/python --resolution lowest-direct -e '.[test,bench]'
	@.venv-lowest/bin/pytest -p no:cacheprovider
	@.venv-lowest/bin/pytest --nbval --nbval-sanitize-with tests/notebooks/sanitise.cfg -p no:cacheprovider notebooks

api: $(VENV)/.installed-test ## Write down public names, signatures and what studies declare, which a test compares
	@$(BIN)/python -m tests.public_api

wheel: $(VENV)/.installed-test ## Build the wheel into dist/
	@$(BIN)/python -m hatchling build -t wheel -d dist

bench: $(VENV)/.installed-test ## Measure speed against named peers, in one run; SAVE=1 keeps the figures
	@$(BIN)/python -m tests.benchmarks $(if $(SAVE),--save)

notebooks: $(VENV)/.installed-test ## Build the lessons from notebooks/source, run them and save them (LESSON=03: one)
	@$(BIN)/python -m notebooks.build $(LESSON)

reproduce: $(VENV)/.installed ## Run the published experiments and say how close they came
	@$(BIN)/semwork reproduce --all

data: $(VENV)/.installed ## Fetch every real data set that can be had
	@$(BIN)/semwork data fetch --all

clean: ## Remove the environment, caches and downloads
	rm -rf $(VENV) .venv-lowest $(SCRIPTS) dist data/cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
