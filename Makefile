# The commands of the project. `make` alone lists them.

.DEFAULT_GOAL := help
.PHONY: help run docs test test-release build-engine-debug test-engine-debug test-long test-debian test-consumer test-dask test-dask-cluster test-all
.PHONY: sanitize sanitize-desktop fuzz soak check check-docs check-examples check-render-path lint format
.PHONY: install uninstall dist test-dist deb test-deb release desktop build-desktop test-desktop test-desktop-window install-desktop
.PHONY: bench bench-timepitch bench-engine bench-media bench-effects bench-hls bench-reverb bench-accelerate bench-smart-speed bench-podcasts gallery clean

SWIFT ?= swift
# All commands build with scripts/build: in one folder, .build/release, and with one set of flags, so that none compiles again
# what another has built. The two builds below differ in what the compiler makes.
DEBUG_FLAGS := -Xswiftc -warnings-as-errors
# Assertions and unoptimized code, of the graph and its devices alone: below the network stack debug and release differ. The
# tests of the kernels would compute for a minute in debug, and are left to `test-all`.
ENGINE_DEBUG_TESTS := AVFAudio SyrinxDevice
ENGINE_DEBUG_FLAGS := --scratch-path .build/engine-debug -Xswiftc -warnings-as-errors

# What `run` plays (empty: the demo's own piece), and further arguments of `syrinx play`. The shell gets the URL from the
# environment, so that no character of it means anything to the shell.
export URL ?=
ARGS ?=
# What `gallery` renders (empty: a piece of its own).
export RECORDING ?=

help: ## Lists these commands
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run URL=https://example.org/episode.mp3 ARGS="--rate 1.5"'

run: ## Builds in release and plays URL=, or a piece of its own; ARGS= goes to `syrinx play`
	@scripts/bootstrap build
	@scripts/build --product syrinx
ifeq ($(strip $(URL)),)
	@scripts/build --product syrinx-demo
	@.build/release/syrinx-demo $(ARGS)
else
	@.build/release/syrinx play $(ARGS) "$$URL"
endif

# Package.swift has the desktop app only with this variable: no other build needs GTK.
desktop build-desktop install-desktop test-desktop test-desktop-window: export SYRINX_DESKTOP := 1

build-desktop:
	@scripts/build --product syrinx-desktop

DESKTOP_DATA := Sources/syrinx-desktop/Data
desktop: ## Builds the desktop app and starts it; URL= is opened
	@scripts/bootstrap desktop
	@$(MAKE) --no-print-directory build-desktop
	@SYRINX_DATA=$(CURDIR)/$(DESKTOP_DATA) .build/release/syrinx-desktop $(if $(strip $(URL)),"$$URL")

PREFIX ?= $(HOME)/.local
# Stands before PREFIX in the paths that are written, as packages need it.
export DESTDIR ?=
install: ## Builds the command and installs it below PREFIX= (~/.local), with manual pages and completions
	@scripts/bootstrap build
	@scripts/build --product syrinx
	@scripts/install install .build/release/syrinx "$(PREFIX)"

uninstall: ## Removes what `install` installed below PREFIX=
	@scripts/install uninstall "$(PREFIX)"

dist: ## Makes one file of the command that needs glibc alone, and an archive with its licences, in .build/dist
	@scripts/bootstrap dist
	@scripts/build --product syrinx
	@scripts/dist

test-dist: ## Tests the one file of `dist` beside the ordinary build
	@scripts/test-dist

deb: ## Makes Debian packages of the command, the desktop app and the documentation in .build/deb, for this Debian
	@scripts/bootstrap deb
	@SYRINX_DESKTOP=1 scripts/build --product syrinx
	@SYRINX_DESKTOP=1 scripts/build --product syrinx-desktop
	@scripts/deb

# With RELEASE=, which is another Debian than this one, the packages are built in the chroot of `test-debian` first.
test-deb: ## Installs, upgrades, removes and purges the packages of `deb` in a chroot without Swift; RELEASE= builds them first; as root
	@scripts/bootstrap test-deb
ifeq ($(strip $(RELEASE)),)
	@scripts/test-deb
else
	@scripts/test-debian $(RELEASE) make deb
	@scripts/test-deb .build/debian-$(RELEASE)/syrinx/.build/deb
endif

release: ## Makes the archives, packages and checksums of VERSION= in .build/publish, after checks of tree and interfaces
	@scripts/release "$(VERSION)"

install-desktop: ## Builds the desktop app and installs it below PREFIX= (~/.local), for the desktop's menu and file manager
	@scripts/bootstrap desktop
	@$(MAKE) --no-print-directory build-desktop
	@install -D -m 755 .build/release/syrinx-desktop "$(DESTDIR)$(PREFIX)/bin/syrinx-desktop"
	@install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/applications" $(DESKTOP_DATA)/*.desktop
	@install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/metainfo" $(DESKTOP_DATA)/*.metainfo.xml
	@cp -r $(DESKTOP_DATA)/icons "$(DESTDIR)$(PREFIX)/share/"

test-desktop: ## Tests the window of the desktop app, without a screen
	@scripts/bootstrap desktop-test
	@$(MAKE) --no-print-directory test-desktop-window

test-desktop-window: build-desktop
	@Tests/Desktop/Driver/run .build/release/syrinx-desktop

test: ## Runs the suite in release, and the tests of the graph in debug and under RealtimeSanitizer
	@scripts/bootstrap test
	@$(MAKE) --no-print-directory test-release

# What is run in the time that these tests leave idle, and after them.
MEANWHILE = $(MAKE) --no-print-directory test-engine-debug
LAST =
test-release:
	@echo '== tests, release'
	@scripts/build --build-tests
	@$(MAKE) --no-print-directory check-render-path
	@scripts/run-tests --meanwhile '$(MEANWHILE)' --last '$(LAST)' .build/release
build-engine-debug test-engine-debug: export SYRINX_ENGINE_ALONE := $(ENGINE_DEBUG_TESTS)
build-engine-debug:
	@$(SWIFT) build --build-tests $(ENGINE_DEBUG_FLAGS)

test-engine-debug: build-engine-debug
	@echo "== the engine's tests, debug"
	@scripts/sanitize realtime

test-long: ## Runs the tests that a release needs and that take too long for each change; as root
	@$(MAKE) --no-print-directory test-desktop
	@$(MAKE) --no-print-directory soak SECONDS=600
	@$(MAKE) --no-print-directory test-consumer
	@scripts/test-dask
	@scripts/test-dask --long
	@$(MAKE) --no-print-directory deb
	@$(MAKE) --no-print-directory test-deb
	@$(MAKE) --no-print-directory test-debian RELEASE=bookworm
	@$(MAKE) --no-print-directory test-debian RELEASE=trixie
	@$(MAKE) --no-print-directory test-deb RELEASE=trixie

test-consumer: ## Builds and runs programs of a package that depends on this one, one for each library product
	@scripts/bootstrap build
	@scripts/test-consumer

test-dask: ## Tests the Python package integrations/dask on a small cluster
	@scripts/bootstrap build
	@scripts/build --product syrinx
	@$(MAKE) --no-print-directory test-dask-cluster

test-dask-cluster:
	@scripts/test-dask

test-debian: ## Builds the project and runs its suite in a chroot of Debian RELEASE=bookworm or trixie; as root
	@scripts/bootstrap chroot
	@scripts/test-debian $(RELEASE)

test-all: ## Runs the suite in debug and in release, and the engine's tests under every sanitizer
	@$(MAKE) --no-print-directory test
	@echo '== tests, debug'
	@$(SWIFT) build --traits Podcasts,Command --build-tests $(DEBUG_FLAGS)
	@scripts/run-tests .build/debug
	@scripts/sanitize thread address

# After a release build of the tests, whose code it looks through.
check-render-path:
	@scripts/check-render-path --self-test
	@scripts/check-render-path .build/release/syrinx-engine-benchmark

sanitize: ## Runs the engine's tests under RealtimeSanitizer, ThreadSanitizer and AddressSanitizer
	@scripts/bootstrap test
	@scripts/build --build-tests
	@SYRINX_ENGINE_ALONE="$(ENGINE_DEBUG_TESTS)" $(SWIFT) build --build-tests $(ENGINE_DEBUG_FLAGS)
	@scripts/sanitize

sanitize-desktop: ## Drives the desktop app under AddressSanitizer, and its model under ThreadSanitizer
	@scripts/bootstrap desktop-test
	@scripts/sanitize desktop

fuzz: ## Feeds what reads files, texts of servers and D-Bus with bytes that libFuzzer thinks up, a minute each
	@scripts/bootstrap test
	@scripts/fuzz

soak: ## Pushes streamers about by chance on lines that break by chance, SECONDS= long, by the chance of SEED=
	@scripts/bootstrap test
	@scripts/soak $(or $(SECONDS),1800) $(SEED)

docs: ## Builds the documentation site in .build/docs
	@scripts/bootstrap build
	@scripts/docs

check: ## Checks format, layering, arithmetic, documents, and that everything builds without a warning
	@scripts/bootstrap build
	@$(MAKE) --no-print-directory lint
	@scripts/build --build-tests
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-docs check-examples

# Each of these has one thread: beside each other they use two processors.
check-docs:
	@scripts/docs --check .build/release

check-examples:
	@scripts/check-examples --self-test .build/release
	@scripts/check-examples .build/release

lint:
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks
	@scripts/check-layering --self-test
	@scripts/check-layering
	@scripts/check-arithmetic --self-test
	@scripts/check-arithmetic
	@scripts/check-snippets --self-test
	@scripts/check-snippets
	@scripts/check-packaging
	@scripts/release --self-test
	@scripts/check-prose --self-test
	@scripts/check-prose

format: ## Formats the sources
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks

bench: ## Measures `syrinx play` beside mpv, waveforms and loudness beside ffmpeg
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@scripts/build --product syrinx-demo
	@Benchmarks/play-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/start-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/respond-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/gapless
	@scripts/build --product syrinx-pyramid-benchmark
	@Benchmarks/waveform

bench-timepitch: ## Measures the time-pitch beside its peers, over some minutes
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@scripts/build --product syrinx-time-pitch-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/timepitch --plot Benchmarks/timepitch/plot.png

bench-engine: ## Measures the engine beside Chromium's OfflineAudioContext
	@scripts/bootstrap bench
	@scripts/build --product syrinx-engine-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/engine .build/release/syrinx-engine-benchmark

bench-media: ## Measures `syrinx render` and `syrinx info` beside ffmpeg
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/media

bench-effects: ## Measures effects beside ffmpeg's filters and sox
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@Benchmarks/effects

bench-hls: ## Measures the first sound of HTTP Live Streaming beside mpv and ffplay
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/hls

bench-reverb: ## Measures the reverb's answers to an impulse beside sox's and Freeverb's
	@scripts/bootstrap bench
	@scripts/build --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/reverb

bench-accelerate: ## Measures vDSP beside plain loops and FFTW
	@scripts/bootstrap bench
	@scripts/build --product syrinx-accelerate-benchmark
	@.build/release/syrinx-accelerate-benchmark

bench-smart-speed: ## Measures the shortening of pauses beside Media3's rule, on RECORDINGS= and on speech made for it
	@scripts/bootstrap bench
	@scripts/build --product syrinx-smart-speed-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/smartspeed .build/release/syrinx-smart-speed-benchmark $(RECORDINGS)

bench-podcasts: ## Measures a library of 400 podcasts with 100,000 episodes
	@scripts/build --product syrinx
	@scripts/build --product syrinx-podcast-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/podcasts

gallery: ## Draws one recording through all effects and presets into .build/gallery; RECORDING= takes another
	@scripts/bootstrap gallery
	@scripts/build --product syrinx-effect-gallery
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/gallery .build/release/syrinx-effect-gallery $(if $(RECORDING),"$$RECORDING")

clean: ## Removes what was built
	@rm -rf .build
