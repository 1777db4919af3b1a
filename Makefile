# The commands of the project. `make` alone lists them.

.DEFAULT_GOAL := help
.PHONY: help run docs test test-release build-engine-debug test-engine-debug test-all sanitize sanitize-desktop fuzz soak check check-render-path lint format
.PHONY: desktop build-desktop test-desktop test-desktop-model test-desktop-window install-desktop
.PHONY: bench bench-timepitch bench-engine bench-media bench-effects bench-hls bench-reverb bench-accelerate bench-smart-speed gallery clean

SWIFT ?= swift
DEBUG_FLAGS := -Xswiftc -warnings-as-errors
# The release build of the tests has a folder of its own, because -enable-testing would recompile the one of `run`. `check` and
# `test` share it: it is the only build with the network stack, whose C code takes longest to compile.
# Nobody debugs it, and its only code in C++ is that of TLS, which is not Syrinx's: neither is given the compiler's time.
RELEASE_TEST_FLAGS := -c release --scratch-path .build/release-tests -debug-info-format none -Xcxx -O0 -Xswiftc -enable-testing \
	-Xswiftc -warnings-as-errors
# What differs between debug and release is below the network stack: assertions, and what the render path calls. The tests of the
# kernels alone compute for a minute in debug, and are left to `test-all`.
ENGINE_DEBUG_TESTS := AVFAudio AudioDevice
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
	@$(SWIFT) build -c release --product syrinx
ifeq ($(strip $(URL)),)
	@$(SWIFT) build -c release --product syrinx-demo
	@.build/release/syrinx-demo $(ARGS)
else
	@.build/release/syrinx play $(ARGS) "$$URL"
endif

# The app is a package of its own. It shares the folder of the release build of the tests, whose modules have the same flags.
DESKTOP_FLAGS := --package-path Apps/Desktop -c release --scratch-path $(CURDIR)/.build/release-tests -debug-info-format none \
	-Xcxx -O0 -Xswiftc -enable-testing -Xswiftc -warnings-as-errors

# With the versions of the root's dependencies, or else they would be fetched and compiled again.
build-desktop:
	@if [ -f Package.resolved ]; then cmp -s Package.resolved Apps/Desktop/Package.resolved || cp Package.resolved Apps/Desktop/; fi
	@$(SWIFT) build $(DESKTOP_FLAGS) --product syrinx-desktop

desktop: ## Builds the desktop app and starts it; URL= is opened
	@scripts/bootstrap desktop
	@$(MAKE) --no-print-directory build-desktop
	@SYRINX_DATA=$(CURDIR)/Apps/Desktop/Data .build/release-tests/release/syrinx-desktop $(if $(strip $(URL)),"$$URL")

PREFIX ?= $(HOME)/.local
install-desktop: ## Builds the desktop app and installs it below PREFIX= (~/.local), for the desktop's menu and file manager
	@scripts/bootstrap desktop
	@$(MAKE) --no-print-directory build-desktop
	@install -D -m 755 .build/release-tests/release/syrinx-desktop "$(PREFIX)/bin/syrinx-desktop"
	@install -D -m 644 -t "$(PREFIX)/share/applications" Apps/Desktop/Data/*.desktop
	@install -D -m 644 -t "$(PREFIX)/share/metainfo" Apps/Desktop/Data/*.metainfo.xml
	@cp -r Apps/Desktop/Data/icons "$(PREFIX)/share/"

test-desktop-model: build-desktop
	@$(SWIFT) build $(DESKTOP_FLAGS) --build-tests
	@.build/release-tests/release/SyrinxDesktopPackageTests.xctest --testing-library swift-testing

test-desktop: ## Tests the desktop app: its model, and its window without a screen
	@scripts/bootstrap desktop-test
	@$(MAKE) --no-print-directory test-desktop-model test-desktop-window

test-desktop-window: build-desktop
	@Apps/Desktop/Tests/Driver/run .build/release-tests/release/syrinx-desktop

test: ## Runs the suite in release, and the tests of the graph in debug and under RealtimeSanitizer
	@scripts/bootstrap test
	@$(MAKE) --no-print-directory test-release

# What is run in the time that these tests leave idle, and after them.
MEANWHILE = $(MAKE) --no-print-directory test-engine-debug
LAST =
test-release:
	@echo '== tests, release'
	@$(SWIFT) build --build-tests $(RELEASE_TEST_FLAGS)
	@$(MAKE) --no-print-directory check-render-path
	@scripts/run-tests --meanwhile '$(MEANWHILE)' --last '$(LAST)' $(RELEASE_TEST_FLAGS)

build-engine-debug test-engine-debug: export SYRINX_ENGINE_ALONE := $(ENGINE_DEBUG_TESTS)
build-engine-debug:
	@$(SWIFT) build --build-tests $(ENGINE_DEBUG_FLAGS)

test-engine-debug: build-engine-debug
	@echo "== the engine's tests, debug"
	@scripts/sanitize realtime

test-all: ## Runs the suite in debug and in release, and the engine's tests under every sanitizer
	@$(MAKE) --no-print-directory test
	@echo '== tests, debug'
	@$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	@scripts/run-tests $(DEBUG_FLAGS)
	@scripts/sanitize thread address

# After a release build of the tests, whose code it looks through.
check-render-path:
	@scripts/check-render-path --self-test
	@scripts/check-render-path .build/release-tests/release/engine-benchmark

sanitize: ## Runs the engine's tests under RealtimeSanitizer, ThreadSanitizer and AddressSanitizer
	@scripts/bootstrap test
	@$(SWIFT) build --build-tests $(RELEASE_TEST_FLAGS)
	@SYRINX_ENGINE_ALONE="$(ENGINE_DEBUG_TESTS)" $(SWIFT) build --build-tests $(ENGINE_DEBUG_FLAGS)
	@scripts/sanitize

sanitize-desktop: ## Drives the desktop app under AddressSanitizer, and its model under ThreadSanitizer
	@scripts/bootstrap desktop-test
	@scripts/sanitize desktop

fuzz: ## Feeds info, decoding and the push parser with bytes that libFuzzer thinks up, a minute each
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
	@$(SWIFT) build --build-tests $(RELEASE_TEST_FLAGS)
	@scripts/docs --check .build/release-tests/release

lint:
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks Apps
	@scripts/check-layering --self-test
	@scripts/check-layering
	@scripts/check-arithmetic --self-test
	@scripts/check-arithmetic
	@scripts/check-snippets --self-test
	@scripts/check-snippets
	@scripts/check-prose --self-test
	@scripts/check-prose

format: ## Formats the sources
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks Apps

bench: ## Measures `syrinx play` beside mpv, waveforms and loudness beside ffmpeg
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@$(SWIFT) build -c release --product syrinx-demo
	@Benchmarks/play-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/start-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/respond-vs-mpv
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/gapless
	@$(SWIFT) build -c release --product pyramid-benchmark
	@Benchmarks/waveform

bench-timepitch: ## Measures the time-pitch beside its peers, over some minutes
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/timepitch --plot Benchmarks/timepitch/plot.png

bench-engine: ## Measures the engine beside Chromium's OfflineAudioContext
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product engine-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/engine .build/release/engine-benchmark

bench-media: ## Measures `syrinx render` and `syrinx info` beside ffmpeg
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/media

bench-effects: ## Measures effects beside ffmpeg's filters and sox
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@Benchmarks/effects

bench-hls: ## Measures the first sound of HTTP Live Streaming beside mpv and ffplay
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 Benchmarks/hls

bench-reverb: ## Measures the reverb's answers to an impulse beside sox's and Freeverb's
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product syrinx
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/reverb

bench-accelerate: ## Measures vDSP beside plain loops and FFTW
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product accelerate-benchmark
	@.build/release/accelerate-benchmark

bench-smart-speed: ## Measures the shortening of pauses beside Media3's rule, on RECORDINGS= and on speech made for it
	@scripts/bootstrap bench
	@$(SWIFT) build -c release --product smart-speed-benchmark
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/smartspeed .build/release/smart-speed-benchmark $(RECORDINGS)

gallery: ## Draws one recording through all effects and presets into .build/gallery; RECORDING= takes another
	@scripts/bootstrap gallery
	@$(SWIFT) build -c release --product effect-gallery
	@PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/gallery .build/release/effect-gallery $(if $(RECORDING),"$$RECORDING")

clean: ## Removes what was built
	@rm -rf .build
