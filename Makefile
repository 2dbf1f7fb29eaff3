# storefront: make run opens it, make test checks everything. Both do all set-up first.

SWIFT ?= swift
PREFIX ?= /usr/local
PROGRAM := .build/release/storefront
RELEASE_FLAGS := -c release --static-swift-stdlib
CHECKS := --explicit-target-dependency-import-check error
BUILD_PACKAGES := libncurses-dev libsqlite3-dev
TEST_PACKAGES := $(BUILD_PACKAGES) libvterm-dev openssl tmux
BENCH_PACKAGES := $(BUILD_PACKAGES) dialog python3-pyte

.PHONY: run test bench kill-test install format lint setup setup-tests setup-bench release help

help:
	@echo "make run        build and open the shop"
	@echo "make test       build and run every check and test"
	@echo "make bench      measure speed, as ratios against baselines of the same run"
	@echo "make kill-test  kill the program 500 times and check that nothing is lost"
	@echo "make install    install under PREFIX ($(PREFIX))"
	@echo "make format     format the sources"

run: setup
	@echo "Building the release, static: about 5 minutes the first time, seconds afterwards."
	@$(SWIFT) build $(RELEASE_FLAGS) --product storefront
	@.ci/backtracer .build/release/swift-backtrace
	@$(PROGRAM)

setup:
	@.ci/setup $(BUILD_PACKAGES)

setup-tests:
	@.ci/setup $(TEST_PACKAGES)

# A debug build for the unit tests, one static release for the end-to-end and kill tests.
test: setup-tests
	@echo "First time: about 3 minutes for the debug build, 5 for the release, then the tests."
	@.ci/stage "lint" $(MAKE) --no-print-directory lint
	@.ci/stage "debug build" $(SWIFT) build --build-tests $(CHECKS)
	@.ci/stage "unit tests" $(SWIFT) test --skip-build --skip EndToEndTests
	@.ci/stage "release build" $(MAKE) --no-print-directory release
	@.ci/stage "end-to-end tests" env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) \
	    $(SWIFT) test --skip-build --filter EndToEndTests

release:
	@$(SWIFT) build $(RELEASE_FLAGS) $(CHECKS) --product storefront
	@.ci/backtracer .build/release/swift-backtrace

lint:
	@$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

format:
	@$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks

kill-test: setup-tests release
	@$(SWIFT) build --build-tests
	@env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) STOREFRONT_KILLS=500 \
	    $(SWIFT) test --skip-build --filter EndToEndTests.KillTests

setup-bench:
	@.ci/setup $(BENCH_PACKAGES)

# The store against bare databases and bare crypto; then the screen beside dialog(1).
bench: setup-bench release
	@$(SWIFT) build $(RELEASE_FLAGS) --product storefront-bench
	@.build/release/storefront-bench $(CURDIR)/$(PROGRAM)
	@Benchmarks/screen_bench.py $(CURDIR)/$(PROGRAM) .build/release/storefront-bench \
	    $(CURDIR)/catalog.json

install: release
	.ci/backtracer $(DESTDIR)$(PREFIX)/libexec/swift/linux/swift-backtrace
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/storefront
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/storefront
	install -m 644 catalog.json catalog.schema.json $(DESTDIR)$(PREFIX)/share/storefront
	cp -R Content $(DESTDIR)$(PREFIX)/share/storefront
