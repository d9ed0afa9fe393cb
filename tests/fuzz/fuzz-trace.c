// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: detection of a trace's compression and format, and the reader that is found.
 */
#include "trace-reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(NULL, data, size);
}
