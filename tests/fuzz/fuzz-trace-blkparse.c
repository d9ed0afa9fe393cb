// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: text of blkparse.
 */
#include "trace-reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace("blkparse", data, size);
}
