// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: logs of fio, version 3.
 */
#include "trace-reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace("fio-iolog-v3", data, size);
}
