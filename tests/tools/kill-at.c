// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command and kills it at the Nth call that changes something, counted over all
 * its threads and child processes: writes, syncs, renames, files and directories made or
 * removed. For tests that a program killed at any instant can be mended.
 *
 *	kill-at [-m] before|after N RESULT COMMAND [ARGUMENT...]
 *
 * "before" kills at the entry of the call, which then does not happen, "after" at its
 * return. All processes of the command are killed at once; with -m only the first one, as
 * a person would, and the rest is let run, without waiting for its end. The file RESULT
 * gets one line: "killed CALL NAME" or "ended CALLS STATUS".
 *
 * Exit status: 0 killed, 1 the command ended before, 2 failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

#include "util/cleanup.h"
#include "util/number.h"

#define PROCESS_MAX 64

#define TRACE_OPTIONS                                                                    \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |              \
	 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)

static const struct {
	long number;
	const char *name;
} calls[] = {
	{ SYS_write, "write" },
	{ SYS_pwrite64, "pwrite64" },
	{ SYS_writev, "writev" },
	{ SYS_ftruncate, "ftruncate" },
	{ SYS_fsync, "fsync" },
	{ SYS_fdatasync, "fdatasync" },
	{ SYS_fchmod, "fchmod" },
	{ SYS_renameat, "renameat" },
	{ SYS_renameat2, "renameat2" },
	{ SYS_unlinkat, "unlinkat" },
	{ SYS_mkdirat, "mkdirat" },
	{ SYS_openat, "openat(O_CREAT)" },
#ifdef SYS_rename
	{ SYS_rename, "rename" },
	{ SYS_unlink, "unlink" },
	{ SYS_mkdir, "mkdir" },
	{ SYS_open, "open(O_CREAT)" },
#endif
};

struct trace {
	bool is_after, is_main_only;
	uint64_t point;
	uint64_t count;
	pid_t main;
	pid_t processes[PROCESS_MAX]; /* the first one and its children */
	size_t process_count;
	pid_t armed; /* the thread that is inside the Nth call */
	const char *killed; /* the call's name */
	int status; /* of the first process */
};

static const char *find_call(const struct __ptrace_syscall_info *info)
{
	const char *name = NULL;
	uint64_t flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if ((long)info->entry.nr == calls[i].number)
			name = calls[i].name;
	if (info->entry.nr == SYS_openat)
		flags = info->entry.args[2];
#ifdef SYS_open
	if (info->entry.nr == SYS_open)
		flags = info->entry.args[1];
#endif
	if (name && strstr(name, "O_CREAT") && !(flags & O_CREAT))
		return NULL;
	return name;
}

static void kill_all(struct trace *trace, const char *name)
{
	trace->killed = name;
	if (trace->is_main_only) {
		kill(trace->main, SIGKILL);
		return;
	}
	for (size_t i = 0; i < trace->process_count; i++)
		kill(trace->processes[i], SIGKILL);
}

static void take_syscall(struct trace *trace, pid_t tid)
{
	static const char *armed_name;
	struct __ptrace_syscall_info info;
	const char *name;

	if (trace->killed ||
	    ptrace(PTRACE_GET_SYSCALL_INFO, tid, (void *)sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		if (trace->armed == tid)
			kill_all(trace, armed_name);
		return;
	}
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	name = find_call(&info);
	if (!name || ++trace->count != trace->point)
		return;
	armed_name = name;
	if (trace->is_after)
		trace->armed = tid;
	else
		kill_all(trace, name);
}

static void take_event(struct trace *trace, pid_t tid, int event)
{
	unsigned long child;

	if (event != PTRACE_EVENT_FORK && event != PTRACE_EVENT_VFORK)
		return;
	if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &child) < 0)
		return;
	if (trace->process_count < PROCESS_MAX)
		trace->processes[trace->process_count++] = (pid_t)child;
}

/* Until nobody is left, or only those that were not to be killed. */
static void follow(struct trace *trace)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		int number = 0;

		if (tid <= 0)
			continue;
		if (!WIFSTOPPED(status)) {
			if (tid == trace->main)
				trace->status = status;
			/* our own end lets go of the others */
			if (tid == trace->main && trace->killed && trace->is_main_only)
				return;
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			take_syscall(trace, tid);
		else if (status >> 16)
			take_event(trace, tid, status >> 16);
		else
			number = WSTOPSIG(status);
		/* fails for one that was just killed */
		ptrace(PTRACE_SYSCALL, tid, NULL, (void *)(long)number);
	}
}

static _Noreturn void run_command(char **command)
{
	raise(SIGSTOP);
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

static int start(struct trace *trace, char **command)
{
	int status;

	trace->main = fork();
	if (trace->main < 0)
		return -errno;
	if (!trace->main)
		run_command(command);
	trace->processes[trace->process_count++] = trace->main;
	if (waitpid(trace->main, &status, WUNTRACED) < 0 || !WIFSTOPPED(status))
		return -ECHILD;
	if (ptrace(PTRACE_SEIZE, trace->main, NULL, (void *)TRACE_OPTIONS) < 0) {
		status = -errno;
		kill(trace->main, SIGKILL);
		return status;
	}
	return kill(trace->main, SIGCONT) < 0 ? -errno : 0;
}

static int write_result(const struct trace *trace, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return -errno;
	if (trace->killed)
		fprintf(file, "killed %llu %s\n", (unsigned long long)trace->point,
			trace->killed);
	else
		fprintf(file, "ended %llu %d\n", (unsigned long long)trace->count,
			WIFEXITED(trace->status) ? WEXITSTATUS(trace->status) : 255);
	return fclose(file) ? -errno : 0;
}

int main(int argc, char **argv)
{
	struct trace trace = { 0 };
	int at = 1, error;

	if (argc > at && !strcmp(argv[at], "-m")) {
		trace.is_main_only = true;
		at++;
	}
	if (argc < at + 4 || (strcmp(argv[at], "before") && strcmp(argv[at], "after")) ||
	    number_parse_u64(argv[at + 1], &trace.point) || !trace.point) {
		fprintf(stderr, "usage: kill-at [-m] before|after N RESULT COMMAND...\n");
		return 2;
	}
	trace.is_after = !strcmp(argv[at], "after");
	error = start(&trace, argv + at + 3);
	if (!error) {
		follow(&trace);
		error = write_result(&trace, argv[at + 2]);
	}
	if (error) {
		fprintf(stderr, "kill-at: %s\n", strerror(-error));
		return 2;
	}
	return trace.killed ? 0 : 1;
}
