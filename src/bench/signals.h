/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that ask a measurement to end, read instead of delivered while it goes on, so
 * that the way back is always gone.
 */
#ifndef IOSCHED_BENCH_SIGNALS_H
#define IOSCHED_BENCH_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT but those that are ignored; SIGTSTP and SIGPIPE wait. */
struct bench_signals {
	int fd;       /* signalfd; readable when one came */
	sigset_t old, ends;
	int number;   /* that came; 0: none */
};

/* 0 or a negative errno. */
int bench_signals_hold(struct bench_signals *ret);
/* Whether one has come since; it stays so. */
bool bench_signals_came(struct bench_signals *signals);
/* From here on they are ignored, those that wait are dropped: for the way back. */
void bench_signals_ignore(struct bench_signals *signals);
/* As before bench_signals_hold(): what came meanwhile is dropped. */
void bench_signals_release(struct bench_signals *signals);

#endif
