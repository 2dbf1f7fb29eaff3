# storefront: make setup installs what is missing, make run opens the shop, make test checks
# everything. Run and test call the set-up they need.

SWIFT ?= swift
PREFIX ?= /usr/local
PROGRAM := .build/storefront
# The same with stores in PostgreSQL: it is linked with this system's libraries.
POSTGRESQL_PROGRAM := .build/storefront-postgresql
# One configuration for the program and its tests, so that everything is compiled once. Afterwards
# `.ci/link` makes of the program's objects one static file that runs on any Linux of this processor:
# a start takes a third less time without dynamic linking.
# Package.swift says what the variable changes.
export STOREFRONT_MAKE := 1
# Package.swift turns the trait PostgreSQL on by it, for every target of the package: so it is the same in
# all builds of one folder, and nothing is compiled twice. Looked for before each command, because the
# set-up may just have installed libpq.
export STOREFRONT_POSTGRESQL = $(if $(WITHOUT_POSTGRESQL),,$(shell \
    pkg-config --exists libpq 2> /dev/null && echo 1))
# Colours follow the terminal otherwise, and a build with colours compiles all anew.
BUILD := $(SWIFT) build -c release --no-color-diagnostics
# Six tests at a time: with all of them at once, each waits for minutes, and two cores need three times
# as long.
TEST := $(SWIFT) test -c release --no-color-diagnostics --skip-build \
    --experimental-maximum-parallelization-width 6
CHECKED_BUILD := env STOREFRONT_IMPORT_CHECK=1 $(BUILD) --explicit-target-dependency-import-check error
BUILD_PACKAGES := libncursesw5-dev libsqlite3-dev zlib1g-dev
POSTGRESQL_PACKAGES := libpq-dev pkg-config postgresql
TEST_PACKAGES := $(BUILD_PACKAGES) libvterm-dev openssl python3 strace tmux xz-utils \
    $(if $(WITHOUT_POSTGRESQL),,$(POSTGRESQL_PACKAGES))
CONFORMANCE_PACKAGES := $(TEST_PACKAGES) python3-venv
BENCH_PACKAGES := $(BUILD_PACKAGES) dialog htop python3-pyte
# The project's folders of C code, each with its headers in include/. CDemoContent is left out: gcc
# may not know its `#embed`, and SwiftPM builds it with clang.
C_TARGETS := Sources/CTerminal Sources/CDurableFiles Sources/CContentPackages Tests/CEmulator \
    Tests/CFaultyVFS
# Packages of their own that use the libraries, as an app's does.
CONSUMERS := Tests/StoreKitConsumer Examples/Bookshop
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks Examples
BIN := $(DESTDIR)$(PREFIX)/bin

.PHONY: run test quick bench kill-test random-test simulation package-test answer-test consumer-test conformance install \
    format lint lint-c setup setup-tests setup-bench docs release build-tests link help dist dist-check \
    postgresql run-postgresql postgresql-test bench-postgresql

help:
	@echo "make setup      install the Debian packages a build needs, if any are missing"
	@echo "make run        setup, build the release, open the shop"
	@echo "make test       build and run every check and test"
	@echo "make quick      a debug build, and the unit tests of the targets that have changed"
	@echo "make bench      measure speed, as ratios against baselines of the same run"
	@echo "make random-test  a million random keys, clicks, pastes and sizes"
	@echo "make simulation a million steps of the store beside an auditor that predicts each"
	@echo "make package-test  100,000 packages with changed bytes: refused or accepted, never more"
	@echo "make answer-test  300,000 downloads from a server that answers anything: no crash, no wrong file"
	@echo "make consumer-test  packages that depend on this one, built as by somebody else"
	@echo "make conformance  Apple's own library for servers against storefront serve"
	@echo "make kill-test  kill it 2,000 times, fail every system call: nothing is lost or sold twice"
	@echo "make postgresql  the program with stores in PostgreSQL: $(POSTGRESQL_PROGRAM)"
	@echo "make run-postgresql  open the shop on a private PostgreSQL server, or on \$$STOREFRONT_STORE"
	@echo "make postgresql-test  500 crashes of a PostgreSQL server, 50 promotions of its standby"
	@echo "make bench-postgresql  measure it beside pgbench on the same server"
	@echo "make docs       the reference of StoreKit and StoreKitTest, as pages in .build/documentation"
	@echo "make install    install under PREFIX ($(PREFIX))"
	@echo "make dist       package the commit: an archive, a Debian package, checksums, in .build/dist"
	@echo "make dist-check  package it from two clones, compare the bytes, try it on a bare Debian"
	@echo "make format     format the sources"

run: setup
	@echo "==> Building the release, static: about 10 minutes the first time, seconds afterwards."
	@$(MAKE) --no-print-directory release
	@echo "==> Opening the shop: $(PROGRAM)"
	@$(PROGRAM)

setup:
	@echo "==> Looking for the Debian packages a build needs: $(BUILD_PACKAGES)"
	@.ci/setup $(BUILD_PACKAGES)

setup-tests:
	@.ci/setup $(TEST_PACKAGES)

# A stage that passes prints its counts and its time; one that fails prints all of its output.
test: setup-tests
	@.ci/stage "lint" $(MAKE) --no-print-directory lint
	@.ci/stage "build" $(CHECKED_BUILD) --build-tests
	@.ci/stage "link" $(MAKE) --no-print-directory link
	@.ci/stage "unit tests" $(TEST) --skip EndToEndTests
	@.ci/stage "end-to-end tests" env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) \
	    $(TEST) --filter EndToEndTests
	@.ci/stage "consumers" env SWIFT=$(SWIFT) .ci/consumers $(CONSUMERS)
	@.ci/stage "conformance" .ci/conformance $(PROGRAM)

# The same packages, built as by somebody who depends on this one: minutes the first time.
consumer-test: setup-tests
	@env SWIFT=$(SWIFT) .ci/consumers --alone $(CONSUMERS)

# Python's library of Apple's, installed below .build, and what else a backend would do.
conformance: release
	@.ci/setup $(CONFORMANCE_PACKAGES)
	@.ci/stage "conformance" .ci/conformance $(PROGRAM)

# The inner loop of a change: a debug build, and the unit tests of the targets that it touches.
quick: setup-tests
	@.ci/stage "debug build" $(SWIFT) build --build-tests
	@.ci/stage "unit tests" .ci/quick

# What SwiftPM links itself: libpq is no static library.
postgresql:
	@.ci/setup $(BUILD_PACKAGES) $(POSTGRESQL_PACKAGES)
	@echo "==> Building the program with PostgreSQL: about 10 minutes the first time."
	@$(CHECKED_BUILD) --product storefront-postgresql
	@cp .build/release/storefront-postgresql $(POSTGRESQL_PROGRAM).new
	@mv $(POSTGRESQL_PROGRAM).new $(POSTGRESQL_PROGRAM)
	@.ci/backtracer .build/swift-backtrace

run-postgresql: postgresql
	@.ci/run-postgresql $(POSTGRESQL_PROGRAM)

release:
	@$(CHECKED_BUILD) --product storefront
	@$(MAKE) --no-print-directory link

build-tests: setup-tests
	@$(BUILD) --build-tests
	@$(MAKE) --no-print-directory link

link:
	@.ci/link storefront $(PROGRAM)
	@.ci/backtracer .build/swift-backtrace

lint: lint-c
	@$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_SOURCES)

# SwiftPM accepts warning flags for C only as unsafe flags, so this target checks the C code, with
# clang and with cc if both are installed.
lint-c:
	@for compiler in clang cc; do \
	    command -v $$compiler > /dev/null || continue; \
	    for target in $(C_TARGETS); do \
	        $$compiler -std=gnu17 -Wall -Wextra -Werror -fsyntax-only -I$$target/include \
	            $$target/*.c || exit 1; \
	    done; \
	done

format:
	@$(SWIFT) format --in-place --recursive --parallel $(SWIFT_SOURCES)

kill-test: build-tests
	@env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) STOREFRONT_KILLS=500 \
	    $(TEST) --filter EndToEndTests.KillTests
	@env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) STOREFRONT_DOWNLOAD_KILLS=500 \
	    $(TEST) --filter EndToEndTests.DownloadKillTests
	@env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) STOREFRONT_OUTBOX_KILLS=1000 \
	    $(TEST) --filter EndToEndTests.OutboxKillTests
	@env STOREFRONT_DOWNLOAD_FAULTS=500 \
	    $(TEST) --filter StoreHostTests.DownloadFaultTests
	@env STOREFRONT_PROGRAM=$(CURDIR)/$(PROGRAM) STOREFRONT_FAULTS=all \
	    $(TEST) --filter EndToEndTests.FaultSweepTests

# A server that syncs, in two runs: it crashes, or ends connections, at random moments of purchases,
# renewals and refunds; and its standby takes its place.
postgresql-test: build-tests
	@env STOREFRONT_POSTGRESQL_CRASHES=500 \
	    $(TEST) --filter PostgreSQLLedgerTests.ServerCrashTests
	@env STOREFRONT_POSTGRESQL_PROMOTIONS=50 \
	    $(TEST) --filter PostgreSQLLedgerTests.PromotionTests

# A million random inputs over all screens and sizes: no crash, no stuck screen, and no purchase
# without a confirmation by the person.
random-test: build-tests
	@env STOREFRONT_INPUTS=50000 $(TEST) --filter RandomPersonTests

# A million random steps of the store, each compared with the prediction of an auditor.
simulation: build-tests
	@env STOREFRONT_STEPS=1000000 $(TEST) --filter "LongSimulationTests|AnyNumberTests"

# 100,000 packages with changed bytes: each is refused or unpacks to the files that it lists, and
# none crashes the program or writes outside its folder.
package-test: build-tests
	@env STOREFRONT_PACKAGES=100000 $(TEST) --filter ContentPackagesTests.PackageTests

# 300,000 downloads, about a million answers, from a server that changes what it answers: each ends
# with the right files or an error.
answer-test: build-tests
	@env STOREFRONT_ANSWERS=300000 $(TEST) --filter ContentServerTests.AnyAnswerTests

setup-bench:
	@.ci/setup $(BENCH_PACKAGES)

# Compares the store with plain SQLite and plain cryptography, its server with Hummingbird alone, and
# the screen with dialog(1) and htop(1).
bench: setup-bench release
	@$(BUILD) --product storefront-bench
	@.ci/link storefront-bench .build/storefront-bench
	@.build/storefront-bench $(CURDIR)/$(PROGRAM)
	@$(BUILD) --product storekit-bench
	@.build/release/storekit-bench
	@Benchmarks/screen_bench.py $(CURDIR)/$(PROGRAM) .build/storefront-bench \
	    $(CURDIR)/catalog.json
	@Benchmarks/download_bench.py $(CURDIR)/$(PROGRAM)

# Beside pgbench on the same server, in the same run; with SCALE=10000000 the store of scale.md.
bench-postgresql:
	@.ci/setup $(BUILD_PACKAGES) $(POSTGRESQL_PACKAGES) python3
	@$(BUILD) --product postgresql-bench
	@Benchmarks/postgresql_bench.py .build/release/postgresql-bench $(if $(SCALE),--scale $(SCALE))

# Only this command lets the package depend on the plugin (Package.swift).
docs:
	@mkdir -p .build/documentation
	@for module in StoreKit StoreKitTest; do \
	    env -u STOREFRONT_MAKE STOREFRONT_DOCS=1 $(SWIFT) package \
	        --allow-writing-to-directory .build/documentation generate-documentation \
	        --target $$module --output-path .build/documentation/$$module \
	        --transform-for-static-hosting --warnings-as-errors || exit 1; \
	done

# Installs the program without its debug information, which goes to the .debug folder beside it,
# where debuggers look for it.
install: release
	.ci/backtracer $(DESTDIR)$(PREFIX)/libexec/swift/linux/swift-backtrace
	install -d $(BIN)/.debug
	objcopy --only-keep-debug $(PROGRAM) $(BIN)/.debug/storefront.debug
	objcopy --strip-all --add-gnu-debuglink=$(BIN)/.debug/storefront.debug \
	    $(PROGRAM) $(BIN)/storefront
	chmod 755 $(BIN)/storefront
	chmod 644 $(BIN)/.debug/storefront.debug
	.ci/share $(BIN)/storefront $(DESTDIR)$(PREFIX)
	@du -h $(BIN)/storefront $(BIN)/.debug/storefront.debug

# A build of its own, since its flags keep this folder's path out of the program; .ci/dist says more.
dist: setup
	@.ci/setup xz-utils
	@.ci/dist

# The same bytes twice, and what a stranger does with them first. The second part needs root.
dist-check: setup
	@.ci/dist-twice
	@.ci/try-dist
