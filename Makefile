# Everything a user or contributor runs. `make` alone lists the targets; each builds .venv first if it has to.

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed

# two test processes with one thread each beat one process with two threads
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1

.PHONY: torture help venv rendering browser demo test lint verify bench docs gallery wheel slow

help:
	@echo "make demo     build .venv and run the main job; results in ./floatframe-demo/"
	@echo "make test     lint, types and all tests but the slow ones"
	@echo "make slow     the slow tests: every command that the samples name"
	@echo "make verify   published problems: target, ours, error"
	@echo "make bench    side-by-side benchmarks (installs the competitors into .venv)"
	@echo "make torture  damaged files, kills, full disks, caches, two writers: ten minutes, MINUTES=120 for longer"
	@echo "make docs     the user guide into build/docs/index.html; fails on warnings"
	@echo "make gallery  draw the pictures of the gallery again"
	@echo "make wheel    build the wheel, install it in an empty environment, run demo and samples there"
	@echo "make lint     ruff and mypy only"
	@echo "make venv     build .venv with everything"
	@echo
	@echo "As root on Debian or Ubuntu, demo and test install system packages for pictures and a browser for tests of pages;"
	@echo "they say so before. SYSTEM_PACKAGES=no leaves the system as it is: make test SYSTEM_PACKAGES=no"

venv: $(STAMP)

$(STAMP): pyproject.toml
	@python=$$(sh tools/find-python) && { test -x $(BIN)/python || "$$python" -m venv $(VENV); }
	@echo "installing into $(VENV) (several minutes the first time)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev]"
	@touch $@

rendering: $(STAMP)
	@sh tools/rendering-packages

browser:
	@sh tools/browser-package

demo: rendering
	@$(BIN)/floatframe demo

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/mypy

# the kernels are compiled beside the type check, which leaves a processor idle
test: rendering browser $(STAMP)
	@$(BIN)/ruff check .
	@$(ONE_THREAD) $(BIN)/python tools/compile-kernels & compiling=$$!; $(BIN)/mypy && wait $$compiling
	@$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2 -m "not slow"

slow: rendering $(VENV)/.installed-cluster
	@$(ONE_THREAD) $(BIN)/python -m pytest -q -n 2 -m slow

$(VENV)/.installed-cluster: $(STAMP)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[cluster]"
	@touch $@

verify: $(STAMP)
	@$(BIN)/python -m benchmarks.verify $(ONLY)

torture: $(STAMP)
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.torture --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

docs: $(STAMP)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict && echo "build/docs/index.html"

gallery: rendering
	@$(BIN)/python docs/make_gallery.py

wheel: $(STAMP)
	@$(BIN)/python tools/check-wheel

bench: $(VENV)/.installed-bench
	@$(BIN)/python -m benchmarks $(ONLY)

$(VENV)/.installed-bench: $(STAMP)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[bench]"
	@touch $@
