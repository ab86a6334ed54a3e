# SPDX-License-Identifier: GPL-2.0-or-later
# Names for the common tasks; meson does the work. Needs scripts/install-deps once.
BUILD = build
PREFIX = /usr/local
FUZZ_SECONDS = 30

.PHONY: all demo check asan tsan fuzz bench lint format install clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	meson setup $(BUILD) --prefix=$(PREFIX)

# Real comparisons on this machine, under two minutes; removes what it makes.
demo: $(BUILD)/build.ninja
	ninja -C $(BUILD) src/regio
	scripts/demo $(BUILD)/src/regio

# All tests, also under sanitizers. Ends with "N passed, N failed, N skipped".
check:
	@CHECK_MESON_ARGS='$(CHECK_MESON_ARGS)' scripts/check

asan tsan:
	@CHECK_BUILDS=$@ scripts/check

# FUZZ_SECONDS for each target, with clang's libFuzzer.
fuzz:
	tools/run-fuzz $(FUZZ_SECONDS)

# Speed against fio, interleaved on this machine.
bench: all
	bench/vs-fio $(BUILD)/src/regio

lint: all
	meson test -C $(BUILD) --suite lint --print-errorlogs
	tools/check-tidy $(BUILD)

format:
	tools/check-format --fix

install: all
	meson configure $(BUILD) --prefix=$(PREFIX)
	meson install -C $(BUILD)

clean:
	rm -rf build build-asan build-tsan build-fuzz
