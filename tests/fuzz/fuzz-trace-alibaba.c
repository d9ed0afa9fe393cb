// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: Alibaba tables.
 */
#include "trace-reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace("alibaba", data, size);
}
