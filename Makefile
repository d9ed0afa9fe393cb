# SPDX-License-Identifier: GPL-2.0-or-later
#
# iosched-tune: GNU Make build. `make help` lists the targets.
#
#   V=1      show the commands        SAN=1    address and undefined-behaviour sanitizers
#   WERROR=1 warnings are errors      DESTDIR, prefix, sysconfdir, localstatedir as usual

VERSION := 0.1.0

prefix        ?= /usr
bindir        ?= $(prefix)/bin
datadir       ?= $(prefix)/share
mandir        ?= $(datadir)/man
localedir     ?= $(datadir)/locale
sysconfdir    ?= /etc
localstatedir ?= /var
profiledir    ?= $(datadir)/iosched-tune/profiles

PKG_CONFIG ?= pkg-config
CC         ?= gcc
AR         ?= ar
INSTALL    ?= install

# Where objects go: the sanitized build and the plain one do not mix.
ifeq ($(SAN),1)
B := build-san
else
B := build
endif

PACKAGES := libudev blkid libsystemd jansson smartcols mount zlib liblzma libzstd
TEST_PACKAGES := cmocka

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

# --- flags --------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wformat=2 -Wformat-nonliteral -Wno-format-nonliteral -Wpointer-arith \
	-Wwrite-strings -Wundef -Wnull-dereference -Wimplicit-fallthrough -Wcast-qual
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

HARDENING := -fPIE -fstack-protector-strong -fstack-clash-protection
LDHARDENING := -pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack

ifeq ($(SAN),1)
OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDSAN := -fsanitize=address,undefined
else
OPT := -O2 -g
HARDENING += -D_FORTIFY_SOURCE=2
endif

CFLAGS  ?= $(OPT)
BASE_CPPFLAGS = -Isrc -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-DIOSCHED_TUNE_VERSION='"$(VERSION)"' \
	-DPROFILE_DIR='"$(profiledir)"' -DLOCALE_DIR='"$(localedir)"'
BASE_CFLAGS = -std=gnu11 $(WARNINGS) $(HARDENING) -pthread
BASE_LDFLAGS = $(LDHARDENING) $(LDSAN) -pthread -Wl,--as-needed

# Asked for only when something is built, so that `make clean` needs no library.
PKG_CFLAGS  = $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
PKG_LIBS    = $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lbz2 -lm
TEST_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(TEST_PACKAGES))
TEST_LIBS   = $(shell $(PKG_CONFIG) --libs $(TEST_PACKAGES))

COMPILE = $(CC) $(BASE_CPPFLAGS) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) $(PKG_CFLAGS)

# --- build --------------------------------------------------------------------------------

.DEFAULT_GOAL := all
.PHONY: all
all: $(PROGRAM)

$(B)/obj/%.o: src/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(LIBRARY): $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(PROGRAM): $(B)/obj/main.o $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $(CFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/tests/%: tests/unit/%.c $(LIBRARY) Makefile
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(TEST_CFLAGS) -Itests/unit -MMD -MP $(BASE_LDFLAGS) $(LDFLAGS) \
		-o $@ $< $(LIBRARY) $(PKG_LIBS) $(TEST_LIBS)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

.PHONY: clean
clean:
	rm -rf build build-san

-include $(OBJECTS:.o=.d) $(B)/obj/main.d $(UNIT_TESTS:=.d)
