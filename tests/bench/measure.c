// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times commands in turns, so that what disturbs one disturbs the others too.
 *
 *     measure ROUNDS COMMAND...          each COMMAND is one argument, split at blanks
 *
 * Prints a line a command: median time and least processor time in ms, and the most
 * memory it had in KiB. What the commands print goes nowhere; a command that fails ends the measurement.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/number.h"

#define MAX_ROUNDS   1000
#define MAX_COMMANDS 16
#define MAX_WORDS    64

struct series {
	char *words[MAX_WORDS + 1];
	double times_ms[MAX_ROUNDS];
	double cpu_ms; /* the least */
	long peak_kib;
};

static int split_words(char *command, char **words)
{
	size_t count = 0;
	char *rest = command, *word;

	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		if (count == MAX_WORDS)
			return -E2BIG;
		words[count++] = word;
	}
	words[count] = NULL;
	return count ? 0 : -EINVAL;
}

static double timeval_ms(struct timeval tv)
{
	return (double)tv.tv_sec * 1e3 + (double)tv.tv_usec / 1e3;
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* Runs the command once; 0 or its exit status. */
static int run_once(struct series *series, double *ret_ms)
{
	double begin = now_ms();
	struct rusage usage;
	double cpu_ms;
	int status;
	pid_t pid = vfork();

	if (pid < 0)
		return 1;
	if (!pid) {
		int fd = open("/dev/null", O_RDWR);

		dup2(fd, STDIN_FILENO);
		dup2(fd, STDOUT_FILENO);
		execvp(series->words[0], series->words);
		_exit(127);
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return 1;
	*ret_ms = now_ms() - begin;
	cpu_ms = timeval_ms(usage.ru_utime) + timeval_ms(usage.ru_stime);
	if (!series->cpu_ms || cpu_ms < series->cpu_ms)
		series->cpu_ms = cpu_ms;
	if (usage.ru_maxrss > series->peak_kib)
		series->peak_kib = usage.ru_maxrss;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_series(struct series *series, size_t rounds)
{
	double median_ms;

	qsort(series->times_ms, rounds, sizeof(series->times_ms[0]), compare_doubles);
	median_ms = rounds % 2 ? series->times_ms[rounds / 2] :
				 (series->times_ms[rounds / 2 - 1] +
				  series->times_ms[rounds / 2]) / 2;
	printf("%.3f %.3f %ld\n", median_ms, series->cpu_ms, series->peak_kib);
}

int main(int argc, char **argv)
{
	_free_ struct series *series = NULL;
	int64_t rounds;
	size_t count = argc > 2 ? (size_t)argc - 2 : 0;

	if (!count || count > MAX_COMMANDS ||
	    number_parse_range(argv[1], 1, MAX_ROUNDS, &rounds) < 0) {
		fprintf(stderr, "usage: measure ROUNDS COMMAND...\n");
		return 2;
	}
	series = calloc(count, sizeof(*series));
	if (!series)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (split_words(argv[i + 2], series[i].words) < 0)
			return 2;
	for (size_t round = 0; round < (size_t)rounds; round++) {
		for (size_t i = 0; i < count; i++) {
			int r = run_once(&series[i], &series[i].times_ms[round]);

			if (r) {
				fprintf(stderr, "measure: %s: exit status %d\n",
					series[i].words[0], r);
				return 1;
			}
		}
	}
	for (size_t i = 0; i < count; i++)
		print_series(&series[i], (size_t)rounds);
	return 0;
}
