// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: binary blktrace; the version and the byte order are the input's own.
 */
#include "trace-reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace("blktrace-v7", data, size);
}
