# Everything is set up in .venv from the package index; a second run reuses it.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test fuzz check lint coverage format schemas clean

demo: $(READY)
	@$(BIN)/planner solve scenarios/14b-full-finetune-in-3-weeks.yaml

test: $(READY)
	$(BIN)/python -m pytest -q -n auto

# Twenty times as many random problems, new ones each time, against plain enumeration.
fuzz: $(READY)
	PLANNER_FUZZ=20 $(BIN)/python -m pytest -q -n auto tests/choosing

check: lint coverage

lint: $(READY)
	$(BIN)/ruff format --check planner tests benchmarks
	$(BIN)/ruff check planner tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/planner check scenarios/*.yaml catalogs/*.yaml

# The tests again, with the command line's own processes counted.
coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n auto
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

format: $(READY)
	$(BIN)/ruff format planner tests benchmarks
	$(BIN)/ruff check --fix planner tests benchmarks

schemas: $(READY)
	for kind in scenario catalog overlay report; do $(BIN)/planner schema $$kind > schemas/$$kind.json; done

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo 'Python 3.11 or newer is needed: make PYTHON=...'; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q -c constraints.txt uv >/dev/null 2>&1 || true
	@if test -x $(BIN)/uv; then \
	  $(BIN)/uv pip install -q --compile-bytecode --python $(BIN)/python -c constraints.txt -e '.[dev]'; \
	else \
	  $(BIN)/python -m pip install -q -c constraints.txt -e '.[dev]'; \
	fi
	@touch $(READY)

clean:
	rm -rf .venv
