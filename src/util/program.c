// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program's own folder, as the kernel handed it over at exec.
 */
#include "util/program.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "util/cleanup.h"

int program_find(const char *relative, char **ret)
{
	/* An integer by its type, a pointer to the path of the program by its meaning. */
	const char *program = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	_free_ char *self = program ? realpath(program, NULL) : NULL;
	_free_ char *path = NULL, *real = NULL;

	if (!self)
		return -ENOENT;
	*strrchr(self, '/') = '\0';
	if (asprintf(&path, "%s/%s", self, relative) < 0)
		return -ENOMEM;
	real = realpath(path, NULL);
	if (!real)
		return errno == ENOMEM ? -ENOMEM : -ENOENT;
	*ret = TAKE_PTR(real);
	return 0;
}
