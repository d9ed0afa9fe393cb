// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entry point: parses the globals and dispatches to the verb.
 */
#include <stdio.h>

int main(void)
{
	puts("iosched-tune " IOSCHED_TUNE_VERSION);
	return 0;
}
