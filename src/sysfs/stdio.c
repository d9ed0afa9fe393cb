// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the standard descriptors from being taken by other files.
 */
#include "sysfs/stdio.h"

#include <fcntl.h>
#include <unistd.h>

void stdio_ensure(void)
{
	int fd;

	/* The lowest free number is given first; one above 2 means that none is missing.
	 */
	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
