# make demo      set everything up and run the main job
# make quick     ruff, import-linter and the tests of single subjects; run it after each change
# make test      set everything up, check the code, run the ordinary tests
# make test-all  also the slow tests
# make check     only ruff, basedpyright and import-linter
# PYTHON=... names the interpreter, VENV=... the folder of the virtual environment.

PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python
JOBS ?= 2

# tests of the same target or table share their setup, in the process that gets their group
PYTEST := $(RUN) -m pytest -n $(JOBS) --dist loadgroup

# the tests start hundreds of processes; with bytecode they need not compile their imports
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo quick test test-all check clean

demo: $(VENV)/.demo
	$(RUN) -m asmgen doctor
	@mkdir -p build
	$(RUN) -m asmgen kernel examples/swish.gen --emit asm -o build/swish.s
	@sed -n '/^\.Lswish\.entry:/,+15p' build/swish.s; echo '	... (build/swish.s has the whole listing)'
	$(RUN) -m asmgen kernel examples/swish.gen --verify
	$(RUN) -m asmgen kernel vecadd --set n=1000000 --verify

quick: $(VENV)/.test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	$(PYTEST) -m "not slow and not broad" --ignore=tests/property --ignore=tests/mutants

test: check
	$(PYTEST) -m "not slow"

test-all: check
	$(PYTEST)

check: $(VENV)/.test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/basedpyright

clean:
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/bin/python: tools/make_venv.py
	$(PYTHON) tools/make_venv.py $(VENV)
	touch $@

$(VENV)/.demo: pyproject.toml $(VENV)/bin/python
	$(RUN) -m pip install --quiet --config-settings editable_mode=compat --editable '.[clang]'
	touch $@

$(VENV)/.test: pyproject.toml $(VENV)/bin/python
	$(RUN) -m pip install --quiet --config-settings editable_mode=compat --editable '.[clang,test]'
	touch $@ $(VENV)/.demo
