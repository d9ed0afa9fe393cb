# SPDX-License-Identifier: GPL-2.0-or-later
#
# iosched-tune: GNU Make build. `make help` lists the targets and the settings.

VERSION := 0.1.0

prefix        ?= /usr
bindir        ?= $(prefix)/bin
datadir       ?= $(prefix)/share
mandir        ?= $(datadir)/man
localedir     ?= $(datadir)/locale
sysconfdir    ?= /etc
localstatedir ?= /var
profiledir    ?= $(datadir)/iosched-tune/profiles
publisheddir  ?= $(datadir)/iosched-tune/published
unitdir       ?= $(prefix)/lib/systemd/system
presetdir     ?= $(prefix)/lib/systemd/system-preset

PKG_CONFIG ?= pkg-config
CC         ?= gcc
AR         ?= ar
INSTALL    ?= install

# Where objects go: the plain, the sanitized and the fuzzers' build do not mix.
ifeq ($(SAN),1)
B := build-san
else ifeq ($(FUZZ),1)
B := build-fuzz
override CC := clang
else
B := build
endif

# Composite targets build with one job a processor, unless -j was given to this make.
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

# Needed, in whatever version: the oldest thought of are those of RHEL 7 (systemd 219,
# util-linux 2.23) and jansson 2.11.
PACKAGES := libudev blkid jansson mount zlib liblzma
TEST_PACKAGES := cmocka

# Built in where pkg-config knows a library that is new enough. FEATURE_X=0 leaves it out,
# FEATURE_X=1 does not ask. What is lost without stands in src/util/feature.h.
FEATURES := SMARTCOLS MOUNT_REFERENCES JOURNAL SDBUS ZSTD TRACEFS
SMARTCOLS_NEEDS        := smartcols >= 2.29
MOUNT_REFERENCES_NEEDS := mount >= 2.24
JOURNAL_NEEDS          := libsystemd
SDBUS_NEEDS            := libsystemd >= 222
ZSTD_NEEDS             := libzstd
TRACEFS_NEEDS          := libtracefs >= 1.3

ifneq ($(V),1)
Q := @
say = @printf '  %-7s %s\n' $(1) $(2)
else
say = @:
endif

# --- sources: every src/*/*.c and src/*/*/*.c but main.c goes into one archive -----------

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c))
OBJECTS := $(SOURCES:src/%.c=$(B)/obj/%.o)
LIBRARY := $(B)/libiosched-tune.a
PROGRAM := $(B)/iosched-tune

UNIT_SOURCES := $(sort $(wildcard tests/unit/test-*.c))
UNIT_TESTS   := $(UNIT_SOURCES:tests/unit/%.c=$(B)/tests/%)

FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/fuzz-*.c))
FUZZERS      := $(FUZZ_SOURCES:tests/fuzz/%.c=$(B)/%)

BENCH_SOURCES := $(sort $(wildcard tests/bench/*.c))
BENCHES       := $(BENCH_SOURCES:tests/bench/%.c=$(B)/bench/%)

# Helpers of the live tests.
TOOL_SOURCES := $(sort $(wildcard tests/tools/*.c))
TOOLS        := $(TOOL_SOURCES:tests/tools/%.c=$(B)/tools/%)

# Manual pages: man/NAME.SECTION.scd, and translations in man/LANGUAGE/.
PAGES := $(patsubst man/%.scd,$(B)/man/%,$(sort $(wildcard man/*.scd man/*/*.scd)))
SCDOC ?= scdoc
# Without scdoc the program is built all the same, and the pages are those that came with the
# archive of `make dist`, if this is one.
HAVE_SCDOC = $(call once,HAVE_SCDOC,$(shell command -v $(SCDOC)))
COPIED_PAGES = $(if $(HAVE_SCDOC),,$(wildcard man/built))
HAVE_PAGES = $(HAVE_SCDOC)$(COPIED_PAGES)

CATALOGUES := $(patsubst po/%.po,$(B)/locale/%/LC_MESSAGES/iosched-tune.mo,$(sort $(wildcard po/*.po)))

# --- flags --------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wformat=2 -Wformat-nonliteral -Wno-format-nonliteral -Wpointer-arith \
	-Wwrite-strings -Wundef -Wnull-dereference -Wimplicit-fallthrough -Wcast-qual
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

HARDENING = -fPIE -fstack-protector-strong $(NEWER_CFLAGS)
LDHARDENING := -pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack

ifeq ($(SAN),1)
OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDSAN := -fsanitize=address,undefined
# Warnings that follow values are wrong about code with checks in between; the plain build
# judges those.
WARNINGS += -Wno-format-truncation -Wno-maybe-uninitialized -Wno-null-dereference \
	-Wno-stringop-overflow
else ifeq ($(FUZZ),1)
OPT := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
LDSAN := -fsanitize=fuzzer,address,undefined
# The compiler of the fuzzers warns about other things than the one of the program.
WARNINGS := -Wall
else
OPT := -O2 -g
HARDENING += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif

CFLAGS  ?= $(OPT)
BASE_CPPFLAGS = -Isrc $(FEATURE_CPPFLAGS) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-DIOSCHED_TUNE_VERSION='"$(VERSION)"' \
	-DPROFILE_DIR='"$(profiledir)"' -DPUBLISHED_DIR='"$(publisheddir)"' \
	-DLOCALE_DIR='"$(localedir)"'
BASE_CFLAGS = -std=gnu11 $(WARNINGS) $(HARDENING) -pthread
BASE_LDFLAGS = $(LDHARDENING) $(LDSAN) -pthread -Wl,--as-needed

# Asked once and only when something is built, so that `make clean` needs no library and
# `make run` can install them first.
once = $(eval $(1) := $(2))$($(1))
PKG_CFLAGS  = $(call once,PKG_CFLAGS,$(shell $(PKG_CONFIG) --cflags $(LINKED)))
PKG_LIBS    = $(call once,PKG_LIBS,$(shell $(PKG_CONFIG) --libs $(LINKED)) -lbz2 -lm)
TEST_CFLAGS = $(call once,TEST_CFLAGS,$(shell $(PKG_CONFIG) --cflags $(TEST_PACKAGES)))
TEST_LIBS   = $(call once,TEST_LIBS,$(shell $(PKG_CONFIG) --libs $(TEST_PACKAGES)))

# 1 or 0, and the libraries of those that are 1.
has_feature = $(or $(FEATURE_$(1)),$(call once,HAVE_$(1),$(shell $(PKG_CONFIG) --exists \
	'$($(1)_NEEDS)' 2>/dev/null && echo 1 || echo 0)))
FEATURE_CPPFLAGS = $(foreach f,$(FEATURES),-DHAVE_$(f)=$(call has_feature,$(f)))
LINKED = $(sort $(PACKAGES) $(foreach f,$(FEATURES),$(if $(filter 1,$(call has_feature,$(f))),\
	$(firstword $($(f)_NEEDS)))))

# Options that compilers before GCC 8 do not know. Paths of this folder stay out of the
# result, so that it is the same wherever it is built.
NEWER_CFLAGS = $(call once,NEWER_CFLAGS,$(foreach o,-fstack-clash-protection \
	-ffile-prefix-map=$(CURDIR)=.,$(shell $(CC) -Werror $(o) -E -x c -o /dev/null /dev/null \
	2>/dev/null && echo '$(o)')))

COMPILE = $(CC) $(BASE_CPPFLAGS) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) $(PKG_CFLAGS)
LINKFLAGS = $(BASE_LDFLAGS) $(LDFLAGS)

# --- build --------------------------------------------------------------------------------

.DEFAULT_GOAL := all
.PHONY: all
all: $(PROGRAM) $(CATALOGUES) optional-man
	@:

.PHONY: optional-man man
optional-man: $(if $(HAVE_PAGES),$(PAGES))
	$(if $(HAVE_PAGES),@:,@echo '  MAN     no $(SCDOC): manual pages are left out')

# "make man" asks for them: without scdoc or an archive's it fails.
man: $(PAGES)
	@:

# The locale of a page is that of its folder; what the tables say is translated too.
language_of = $(if $(findstring /,$(1:$(B)/man/%=%)),$(patsubst %/,%,$(dir $(1:$(B)/man/%=%))),en)
$(PAGES): $(B)/man/%: man/%.scd man/expand man/whole man/breaks $(PROGRAM) $(CATALOGUES)
	$(call say,MAN,$@)
	@mkdir -p $(@D)
	$(Q)$(if $(COPIED_PAGES),cp man/built/$* $@,$(call make_page,$<))
# From the source $(1).
define make_page
LC_ALL=C.UTF-8 LANGUAGE=$(call language_of,$@) man/expand $(PROGRAM) $(1) >$@.tmp && \
SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$(PAGE_EPOCH)} $(SCDOC) <$@.tmp >$@.scdoc && \
man/whole <$@.scdoc $(if $(findstring zh_,$@),| man/breaks) >$@ && rm $@.tmp $@.scdoc
endef
# The same bytes whenever they are built.
PAGE_EPOCH := 1796000000

# Settings that change every object, and the list of objects in the archive: each in a file
# that is touched only when its content changes.
SETTINGS = $(CC) $(BASE_CPPFLAGS) $(CPPFLAGS) $(HARDENING) $(CFLAGS)
$(B)/settings: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(SETTINGS)) | cmp -s - $@ || \
		printf '%s\n' $(call quote,$(SETTINGS)) >$@

$(B)/objects: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(OBJECTS) | cmp -s - $@ || printf '%s\n' $(OBJECTS) >$@

.PHONY: FORCE
FORCE:

# For the tests that compile every header alone, and some files with other features.
.PHONY: show-flags show-libs
show-flags:
	@echo $(call quote,$(COMPILE))
show-libs:
	@echo $(call quote,$(PKG_LIBS))

quote = '$(subst ','\'',$(1))'

$(B)/obj/%.o: src/%.c Makefile $(B)/settings
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(LIBRARY): $(OBJECTS) $(B)/objects
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJECTS)

$(PROGRAM): $(B)/obj/main.o $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LINKFLAGS) $(CFLAGS) -o $@ $(B)/obj/main.o $(LIBRARY) $(PKG_LIBS)

$(B)/tests/%: tests/unit/%.c $(LIBRARY)
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(TEST_CFLAGS) -Itests/unit -MMD -MP $(LINKFLAGS) \
		-o $@ $< $(LIBRARY) $(PKG_LIBS) $(TEST_LIBS)

$(B)/fuzz-%: tests/fuzz/fuzz-%.c $(LIBRARY)
	$(call say,FUZZ,$@)
	$(Q)$(COMPILE) -MMD -MP $(LINKFLAGS) -o $@ $< $(LIBRARY) $(PKG_LIBS)

$(B)/bench/%: tests/bench/%.c $(LIBRARY)
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP $(LINKFLAGS) -o $@ $< $(LIBRARY) $(PKG_LIBS)

$(B)/tools/%: tests/tools/%.c $(LIBRARY)
	$(call say,TOOL,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP $(LINKFLAGS) -o $@ $< $(LIBRARY) $(PKG_LIBS)

$(B)/locale/%/LC_MESSAGES/iosched-tune.mo: po/%.po
	$(call say,MSGFMT,$@)
	@mkdir -p $(@D)
	$(Q)$(MSGFMT) --check -o $@ $<

.PHONY: unit-tests fuzzers benches tools
unit-tests: $(UNIT_TESTS) $(TOOLS)
	@:
tools: $(TOOLS)
	@:
fuzzers: $(FUZZERS)
	@:
benches: $(BENCHES)
	@:

-include $(OBJECTS:.o=.d) $(B)/obj/main.d $(UNIT_TESTS:=.d) $(FUZZERS:=.d) $(BENCHES:=.d) \
	$(TOOLS:=.d)

# --- first use ----------------------------------------------------------------------------

.PHONY: setup setup-tests run
setup:
	$(Q)$(if $(filter 0,$(SETUP)),:,packaging/install-build-deps --quiet)

setup-tests:
	$(Q)$(if $(filter 0,$(SETUP)),:,packaging/install-build-deps --with-tests --quiet)

# Builds, then shows what the program says about this machine. Changes nothing.
run: setup
	$(Q)$(SUBMAKE) all
	@printf '\n$$ iosched-tune status\n'
	@$(PROGRAM) status
	@printf '\n$$ iosched-tune apply --profile database --dry-run\n'
	@$(PROGRAM) apply --profile database --dry-run

# The kernels of the test machines.
KERNELS ?= 6.1

# --- tests: tests/run counts the points and ends with "N passed, N failed, N skipped" -----

RUN_TESTS = tests/run $(if $(TESTS),-k '$(TESTS)')

.PHONY: build-plain build-san build-fuzz build-vm
build-plain:
	$(Q)$(SUBMAKE) all unit-tests
build-san:
	$(Q)$(SUBMAKE) SAN=1 all unit-tests
build-fuzz:
	$(Q)if tests/fuzz/run --available; then $(SUBMAKE) FUZZ=1 fuzzers; fi
# What `make install` lays down, for the test machines.
build-vm: build-plain
	$(Q)rm -rf build/vm-tree
	$(Q)$(MAKE) --no-print-directory install DESTDIR=build/vm-tree >/dev/null

# One build after the other: each already uses every processor.
.PHONY: check
check: setup-tests
	$(Q)$(MAKE) --no-print-directory build-plain
	$(Q)$(MAKE) --no-print-directory build-san
	$(Q)$(MAKE) --no-print-directory build-fuzz
	$(Q)$(MAKE) --no-print-directory build-vm
	$(Q)VM_SHORT=1 KERNELS=6.1 $(RUN_TESTS) meta unit san cli fuzz live packages vm

.PHONY: check-meta check-unit check-san check-cli check-live check-fuzz check-packages
check-meta check-unit check-cli check-live check-packages: setup-tests
	$(Q)$(MAKE) --no-print-directory build-plain
	$(Q)$(RUN_TESTS) $(@:check-%=%)

check-san: setup-tests
	$(Q)$(MAKE) --no-print-directory build-san
	$(Q)$(RUN_TESTS) san

check-fuzz: setup-tests
	$(Q)$(MAKE) --no-print-directory build-fuzz
	$(Q)$(RUN_TESTS) fuzz

# Real kernels in emulated machines: make check-vm KERNELS="5.10 6.1 6.12 7.2"; only the
# measurement of an NVMe, a spinning disk and an SD card: make check-vm TESTS=bench-compare
.PHONY: check-vm
check-vm: setup-tests
	$(Q)$(MAKE) --no-print-directory build-vm
	$(Q)KERNELS='$(KERNELS)' $(RUN_TESTS) vm

# One fuzzer for longer: make fuzz TARGET=profile SECONDS=600
.PHONY: fuzz
fuzz: setup-tests
	$(Q)$(MAKE) --no-print-directory build-fuzz
	$(Q)tests/fuzz/run --seconds '$(or $(SECONDS),60)' '$(TARGET)'

# The engine against recordings of real kernels: make fidelity TRACES=DIR
.PHONY: fidelity
fidelity: setup-tests
	$(Q)$(SUBMAKE) unit-tests
	$(Q)$(B)/tools/fidelity $(or $(TRACES),tests/fixtures/replay)

# Nothing lost, doubled, early or forgotten, with more random workloads: make conservation
.PHONY: conservation
conservation: setup-tests
	$(Q)$(SUBMAKE) $(B)/tests/test-conservation
	$(Q)CONSERVATION_SEEDS=$(or $(SEEDS),10000) $(B)/tests/test-conservation

# Figures, not pass or fail: make bench, or make bench TESTS=status
.PHONY: bench
bench: setup-tests
	$(Q)$(SUBMAKE) all benches
	$(Q)tests/bench/run $(TESTS)

# --- style --------------------------------------------------------------------------------

C_FILES = $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch])
SHELL_FILES = $(shell grep -rlE '^\#!.*\<(ba)?sh\>' .ci packaging tests --include='*' -I)

# with TOOL,COMMAND: the command, or a word that the tool is not here.
with = $(Q)if command -v $(1) >/dev/null 2>&1; then \
	echo '  LINT    $(1)'; $(2); else echo '  LINT    $(1): not here, left out'; fi

.PHONY: lint lint-format lint-shell lint-cppcheck lint-tidy format
lint: lint-shell lint-cppcheck lint-tidy lint-format

lint-shell:
	$(call with,shellcheck,shellcheck -x $(SHELL_FILES))

# cppcheck does not know the cleanup attribute, so what it says about leaks is wrong; the
# sanitizers look for those.
lint-cppcheck:
	$(call with,cppcheck,cppcheck -q --std=c11 --enable=warning$(comma)performance$(comma)portability \
		--inline-suppr --suppress=missingIncludeSystem --suppress=memleak \
		--suppress=preprocessorErrorDirective --error-exitcode=1 -Isrc -D_GNU_SOURCE \
		-j $(JOBS) src)

lint-tidy:
	$(call with,clang-tidy,clang-tidy --quiet $(SOURCES) src/main.c -- -Wno-unknown-warning-option \
		$(BASE_CPPFLAGS) -std=gnu11 $(PKG_CFLAGS))

# Advice, not a verdict: tables are aligned by hand.
lint-format:
	$(call with,clang-format,clang-format --dry-run $(C_FILES) 2>&1 | \
		sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: code should be.*/\1/p' | sort | uniq -c | \
		awk '{ print "          " $$2 ": " $$1 " places differ" }')
comma := ,

format:
	clang-format -i $(C_FILES)

# --- translations -------------------------------------------------------------------------

MSGFMT   ?= msgfmt
XGETTEXT ?= xgettext
POT := po/iosched-tune.pot

.PHONY: pot
pot:
	$(call say,POT,$(POT))
	@mkdir -p $(dir $(POT))
	$(Q)$(XGETTEXT) --language=C --from-code=UTF-8 --sort-by-file --add-comments=TRANSLATORS: \
		--keyword=_ --keyword=N_ --keyword=P_:1,2 --flag=_:1:pass-c-format \
		--flag=N_:1:pass-c-format --flag=P_:1:pass-c-format --flag=P_:2:pass-c-format \
		--package-name=iosched-tune --package-version=$(VERSION) \
		--copyright-holder='the iosched-tune authors' -o $(POT) src/main.c $(SOURCES)

# Brings the translations in step with the texts: what is new is left for the translator.
.PHONY: update-po
update-po: pot
	$(Q)for po in po/*.po; do \
		msgmerge --quiet --no-fuzzy-matching --no-location -o $$po.new $$po $(POT) && \
		msgattrib --no-obsolete --no-location $$po.new | sed '/^"POT-Creation-Date/d' >$$po && \
		rm $$po.new; \
	done

# --- install ------------------------------------------------------------------------------

# The files $(1) go to the folder $(2), mode 0644. Rules and units of the policy lie beside the
# profiles and do nothing there: `iosched-tune persist install` makes a policy last.
define install_data
$(if $(strip $(1)),$(INSTALL) -d $(DESTDIR)$(2) && $(INSTALL) -m 0644 $(1) $(DESTDIR)$(2)/,:)
endef

POLICY_UNITS  := $(wildcard packaging/systemd/iosched-tune.service packaging/systemd/iosched-tune@.service)
METRICS_UNITS := $(wildcard packaging/systemd/iosched-tune-metrics.*)

docdir     ?= $(datadir)/doc/iosched-tune
bashcompdir ?= $(datadir)/bash-completion/completions
zshcompdir  ?= $(datadir)/zsh/site-functions
fishcompdir ?= $(datadir)/fish/vendor_completions.d

.PHONY: install uninstall
install: all
	$(INSTALL) -d $(DESTDIR)$(bindir)
	$(INSTALL) -m 0755 $(PROGRAM) $(DESTDIR)$(bindir)/iosched-tune
	$(call install_data,$(wildcard profiles/*.json),$(profiledir))
	$(call install_data,$(wildcard tests/published/*.json),$(publisheddir))
	$(call install_data,$(wildcard rules/*.rules),$(datadir)/iosched-tune/rules)
	$(call install_data,$(POLICY_UNITS),$(datadir)/iosched-tune/systemd)
	$(call install_data,$(METRICS_UNITS),$(unitdir))
	$(call install_data,$(wildcard packaging/systemd/*.preset),$(presetdir))
	set -e; for page in $(if $(HAVE_PAGES),$(PAGES)); do \
		dir=$${page#$(B)/man/}; \
		case $$dir in */*) dir=$${dir%/*}/man$${page##*.} ;; *) dir=man$${page##*.} ;; esac; \
		$(INSTALL) -d "$(DESTDIR)$(mandir)/$$dir"; \
		$(INSTALL) -m 0644 "$$page" "$(DESTDIR)$(mandir)/$$dir/"; \
	done
	$(INSTALL) -d $(DESTDIR)$(bashcompdir)
	$(INSTALL) -m 0644 completions/iosched-tune.bash $(DESTDIR)$(bashcompdir)/iosched-tune
	$(call install_data,$(wildcard completions/_iosched-tune),$(zshcompdir))
	$(call install_data,$(wildcard completions/iosched-tune.fish),$(fishcompdir))
	$(call install_data,README.md README.zh_CN.md CHANGELOG.md SECURITY.md LICENSE,$(docdir))
	set -e; for mo in $(CATALOGUES); do \
		dir=$${mo#$(B)/locale/}; dir=$(DESTDIR)$(localedir)/$${dir%/*}; \
		$(INSTALL) -d "$$dir"; $(INSTALL) -m 0644 "$$mo" "$$dir/"; \
	done

uninstall:
	rm -f $(DESTDIR)$(bindir)/iosched-tune
	rm -f $(foreach p,$(PAGES:$(B)/man/%=%),$(DESTDIR)$(mandir)/$(if $(findstring /,$p),$(dir $p))man$(subst .,,$(suffix $p))/$(notdir $p))
	rm -f $(DESTDIR)$(bashcompdir)/iosched-tune $(DESTDIR)$(zshcompdir)/_iosched-tune
	rm -f $(DESTDIR)$(fishcompdir)/iosched-tune.fish
	rm -f $(patsubst $(B)/locale/%,$(DESTDIR)$(localedir)/%,$(CATALOGUES))
	rm -f $(METRICS_UNITS:packaging/systemd/%=$(DESTDIR)$(unitdir)/%)
	rm -f $(patsubst packaging/systemd/%,$(DESTDIR)$(presetdir)/%,$(wildcard packaging/systemd/*.preset))
	rm -rf $(DESTDIR)$(profiledir) $(DESTDIR)$(datadir)/iosched-tune $(DESTDIR)$(docdir)

# --- the rest -----------------------------------------------------------------------------

DIST := iosched-tune-$(VERSION)

# The sources as a tar stream: of what is committed or, without git, of what is here.
source_tar = $(if $(wildcard .git),git archive --prefix=$(DIST)/ HEAD,tar -c --sort=name \
	--owner=0 --group=0 --numeric-owner --exclude='./build' --exclude='./build-*' $(if $(HAVE_SCDOC),--exclude=./man/built) \
	--transform='s|^\.|$(DIST)|' .)

# The same sources give the same bytes. The manual pages are in it as they were built, for
# systems that have no scdoc.
.PHONY: dist
dist: optional-man
	@mkdir -p build
	$(source_tar) >build/$(DIST).tar
	$(if $(HAVE_SCDOC),tar -r -f build/$(DIST).tar --sort=name --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX$(comma)go=rX --mtime=@$(PAGE_EPOCH) --transform='s|^|$(DIST)/man/built/|' \
		-C $(B)/man $(sort $(PAGES:$(B)/man/%=%)))
	gzip -9nf build/$(DIST).tar
	@echo build/$(DIST).tar.gz

# The Debian package of what is committed; the result lies in build/deb.
.PHONY: deb
deb:
	rm -rf build/deb
	@mkdir -p build/deb
	$(source_tar) | tar -x -C build/deb
	cp -r build/deb/$(DIST)/packaging/debian build/deb/$(DIST)/debian
	cd build/deb/$(DIST) && dpkg-buildpackage -b -us -uc
	@ls build/deb/*.deb

# The same for systems with RPM. RPMFLAGS=--nodeps where packages have other names.
.PHONY: rpm
rpm: dist
	rm -rf build/rpm
	@mkdir -p build/rpm/SOURCES
	cp build/$(DIST).tar.gz build/rpm/SOURCES/
	rpmbuild -bb $(RPMFLAGS) --define '_topdir $(CURDIR)/build/rpm' packaging/rpm/iosched-tune.spec
	@find build/rpm/RPMS -name '*.rpm'

.PHONY: clean
clean:
	rm -rf build build-san build-fuzz $(POT)

.PHONY: help
help:
	@echo 'Targets:'
	@echo '  all          build/iosched-tune, which runs in place (default)'
	@echo '  run          install build dependencies, build, show status and a dry run'
	@echo '  check        every test; the last line counts them'
	@echo '  check-meta   rules about the tree itself'
	@echo '  check-unit   unit tests; check-san: the same under sanitizers'
	@echo '  check-cli    the program on made-up hosts: no root, no network'
	@echo '  check-live   loop devices of this kernel (root)'
	@echo '  check-vm     boots KERNELS in emulated machines, makes each profile last; with 6.1'
	@echo '               also measures disks beside their simulation (root)'
	@echo '  check-packages  builds the packages, installs and removes them in clean roots (root)'
	@echo '  check-fuzz   each fuzzer for a bounded number of inputs'
	@echo '  fuzz         one fuzzer for longer: TARGET=name SECONDS=60'
	@echo '  fidelity     the engine against the recordings in TRACES=DIR'
	@echo '  conservation random workloads, every scheduler and medium, SEEDS=N of them (10000)'
	@echo '  bench        measurements, as ratios taken in the same run (root)'
	@echo '  lint         clang-format, shellcheck, cppcheck, clang-tidy, where present'
	@echo '  format       rewrite the C files by .clang-format'
	@echo '  pot          po/iosched-tune.pot, the texts to translate'
	@echo '  man          the manual pages, in build/man (needs scdoc)'
	@echo '  update-po    po/*.po in step with the texts'
	@echo '  install      to DESTDIR and prefix; uninstall takes it away again'
	@echo '  deb          a Debian package in build/deb, of what is committed'
	@echo '  rpm          an RPM package in build/rpm, likewise'
	@echo '  dist         build/$(DIST).tar.gz'
	@echo '  setup        only install build dependencies; setup-tests: those of the tests too'
	@echo '  clean        remove what was built'
	@echo 'Settings:'
	@echo '  V=1          show the commands'
	@echo '  SAN=1        address and undefined-behaviour sanitizers, in build-san/'
	@echo '  WERROR=1     warnings are errors'
	@echo '  FEATURE_X=0  build without X: $(FEATURES)'
	@echo '  SETUP=0      look for no dependencies in run and check'
	@echo '  KERNELS=LIST the kernels of check-vm: 5.10 6.1 6.12 7.2 (6.1)'
	@echo '  TESTS=TEXT   only tests (or benches) whose name holds TEXT'
	@echo '  DESTDIR, prefix, bindir, datadir, sysconfdir, localstatedir, CC, CFLAGS, LDFLAGS'
