# `make demo` plays a million hands and draws the chart, `make page` opens the page in the browser, `make test` runs the
# tests, `make test-all` the slow ones too, `make results` makes every study of `analyses/` again into `results`, where it is not up to date (two
# minutes' worth of it into `out/results`: make results QUICK=1), `make docs` builds the documentation site into
# `out/site`. All set up .venv first. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
BIN := .venv/bin
RUN := out/cirulla-4-careful

.PHONY: demo page test test-all results docs
.DEFAULT_GOAL := demo

demo: .venv/installed
	mkdir -p out
	$(BIN)/cirulla-sim simulate --rules cirulla --players 4 --policy careful --hands 1M --seed 1 --force -o $(RUN).parquet
	$(BIN)/cirulla-sim plot $(RUN).parquet -o $(RUN).png
	@echo "The whole table is in $(RUN).parquet, the chart in $(RUN).png"

page: .venv/installed
	$(BIN)/cirulla-sim open

# Workers take the tests in order, see tests/conftest.py. Without bytecode every process would compile all modules again.
test: .venv/installed-test
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist load -m "not slow"

test-all: .venv/installed-test
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist load

results: .venv/installed
	$(BIN)/python analyses $(if $(QUICK),--quick)

docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "The documentation is in out/site: open index.html, or run $(BIN)/python -m http.server -d out/site to search it"

.venv/installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; name one with: make demo PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable '.[page]'
	touch $@

.venv/installed-test: .venv/installed
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable '.[test,cluster,docs,page]'
	touch $@

.venv/installed-docs: .venv/installed
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable '.[docs]'
	touch $@
