// SPDX-License-Identifier: GPL-2.0-or-later
/* Starting fio, listening to it and ending it. */
#include "bench/fio-run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "bench/fio-json.h"
#include "persist/run.h"
#include "util/clock.h"
#include "util/i18n.h"

#define TICK_MS 200
/* What fio complains about is in its first lines. */
#define COMPLAINT_MAX 4096
/* How long a group that was killed may take: a request under way has to end first. */
#define FAREWELL_MS 10000

struct running {
	const struct fio_command *command;
	pid_t pid;
	int job_fd, output_fd, complaint_fd;
	size_t job_done; /* bytes */
	struct text *output, complaint;
	int status;
	bool has_ended;
	int64_t begin_ms;
};

int fio_find(const struct root *root, char **ret, struct diag *diag)
{
	int error = run_find(root, "fio", ret);

	if (error == -ENOENT) {
		diag_set(diag, error, _("fio does the I/O, and it is not here"));
		diag_hint(diag, _("install the package fio"));
	}
	return error;
}

/* --- the child ---------------------------------------------------------------------------- */

__attribute__((noreturn))
static void run_child(const struct fio_command *command, int input, int output,
		       int complaint, pid_t parent)
{
	const char *const words[] = { "fio", "--eta=never", "--output-format=json+",
				      command->is_read_only ? "--readonly" : "-",
				      command->is_read_only ? "-" : NULL, NULL };
	static const char *const environment[] = { "LC_ALL=C", NULL };
	sigset_t none;

	setpgid(0, 0);
	/* Its jobs are threads: with it they end, too. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(complaint, STDERR_FILENO) < 0)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(command->program, (char *const *)(uintptr_t)words,
	       (char *const *)(uintptr_t)environment);
	/* As what it says itself. */
	if (write(STDERR_FILENO, "it cannot be executed\n", 22) < 0)
		_exit(126);
	_exit(127);
}

static int start(const struct fio_command *command, struct running *running)
{
	int pipes[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	pid_t parent = getpid();
	int error = 0;

	for (unsigned i = 0; i < 3 && !error; i++)
		error = pipe2(pipes[i], O_CLOEXEC) < 0 ? -errno : 0;
	if (!error) {
		running->pid = fork();
		if (!running->pid)
			run_child(command, pipes[0][0], pipes[1][1], pipes[2][1], parent);
		error = running->pid < 0 ? -errno : 0;
	}
	for (unsigned i = 0; i < 3; i++) {
		int theirs = i ? 1 : 0;

		if (pipes[i][theirs] >= 0)
			close(pipes[i][theirs]);
		if (error && pipes[i][!theirs] >= 0)
			close(pipes[i][!theirs]);
	}
	if (error)
		return error;
	/* Also here: it may be killed before the child has done so. */
	setpgid(running->pid, running->pid);
	running->job_fd = pipes[0][1];
	running->output_fd = pipes[1][0];
	running->complaint_fd = pipes[2][0];
	for (unsigned i = 0; i < 3; i++)
		fcntl(pipes[i][i ? 0 : 1], F_SETFL, O_NONBLOCK);
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* --- listening ---------------------------------------------------------------------------- */

static void give_job(struct running *running)
{
	const struct text *job = running->command->job;
	ssize_t n = write(running->job_fd, job->data + running->job_done,
			  job->len - running->job_done);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		running->job_done += (size_t)n;
	/* One that closed its input ends by itself. */
	if (n < 0 || running->job_done == job->len)
		close_fd(&running->job_fd);
}

/* Beyond `max` the rest is read and dropped; -EFBIG then. */
static int take(int *fd, struct text *text, size_t max)
{
	char chunk[16384];
	ssize_t n = read(*fd, chunk, sizeof(chunk));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		close_fd(fd);
		return 0;
	}
	if (text->len + (size_t)n > max)
		return -EFBIG;
	text_add_bytes(text, chunk, (size_t)n);
	return text->error;
}

static void tick(const struct running *running)
{
	const struct fio_command *command = running->command;

	if (command->on_tick)
		command->on_tick(command->context,
				 (double)(clock_now_ms() - running->begin_ms) / 1000);
}

static int listen_once(struct running *running)
{
	struct pollfd fds[] = {
		{ .fd = running->output_fd, .events = POLLIN },
		{ .fd = running->complaint_fd, .events = POLLIN },
		{ .fd = running->job_fd, .events = POLLOUT },
		{ .fd = running->command->signals->fd, .events = POLLIN },
	};
	int error = 0;

	if (poll(fds, ARRAY_SIZE(fds), TICK_MS) < 0)
		return errno == EINTR ? 0 : -errno;
	if (signals_check(running->command->signals))
		return -EINTR;
	if (fds[2].revents)
		give_job(running);
	if (fds[0].revents)
		error = take(&running->output_fd, running->output, FIO_OUTPUT_MAX);
	if (fds[1].revents && take(&running->complaint_fd, &running->complaint, COMPLAINT_MAX))
		running->complaint.error = 0;
	if (!error && (uint64_t)(clock_now_ms() - running->begin_ms) * 1000000 >
			      running->command->limit_ns)
		error = -ETIME;
	tick(running);
	return error;
}

/* Until its output is closed, which its end does at the latest. */
static int listen_to(struct running *running)
{
	int error = 0;

	while (!error && running->output_fd >= 0)
		error = listen_once(running);
	return error;
}

/* --- the end ------------------------------------------------------------------------------ */

/* A process that the kernel holds in a request cannot be waited for without end. */
static bool wait_for_end(struct running *running, int64_t limit_ms)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	int64_t end_ms = clock_now_ms() + limit_ms;

	while (!running->has_ended) {
		pid_t ended = waitpid(running->pid, &running->status, WNOHANG);

		running->has_ended = ended == running->pid || (ended < 0 && errno != EINTR);
		if (running->has_ended || clock_now_ms() > end_ms)
			break;
		nanosleep(&pause, NULL);
	}
	return running->has_ended;
}

/* What it said, or else how it ended. */
static int explain(const struct running *running, struct diag *diag)
{
	_strv_ struct strv lines = { 0 };

	if (WIFSIGNALED(running->status)) {
		diag_set(diag, -EIO, _("fio was ended by signal %d (%s)"),
			 WTERMSIG(running->status), strsignal(WTERMSIG(running->status)));
		return -EIO;
	}
	if (running->complaint.data && !strv_split(&lines, running->complaint.data, "\n") &&
	    lines.count)
		return diag_set(diag, -EIO, _("fio failed: %s"), lines.items[0]);
	if (running->output->data && running->output->data[0] != '{' &&
	    !strv_split(&lines, running->output->data, "\n") && lines.count)
		return diag_set(diag, -EIO, _("fio failed: %s"), lines.items[0]);
	return diag_set(diag, -EIO, _("fio failed with exit status %d"),
			WEXITSTATUS(running->status));
}

static int finish(struct running *running, int error, struct diag *diag)
{
	bool has_failed;

	if (error)
		kill(-running->pid, SIGKILL);
	if (!wait_for_end(running, FAREWELL_MS)) {
		kill(-running->pid, SIGKILL);
		if (!wait_for_end(running, FAREWELL_MS))
			return diag_set(diag, -ETIME,
					_("fio cannot be ended: a request of it does not end"));
	}
	if (error == -EFBIG)
		return diag_set(diag, error, _("fio says more than %u MiB: this is no report"),
				FIO_OUTPUT_MAX >> 20);
	if (error == -ETIME)
		return diag_set(diag, error, _("fio did not end in its time, and was ended"));
	if (error)
		return error;
	has_failed = !WIFEXITED(running->status) || WEXITSTATUS(running->status);
	return has_failed ? explain(running, diag) : 0;
}

int fio_run(const struct fio_command *command, struct text *ret_output, struct diag *diag)
{
	struct running running = { .command = command, .output = ret_output,
				   .begin_ms = clock_now_ms() };
	int error = start(command, &running);

	if (error)
		return diag_set(diag, error, _("fio cannot be started: %s"), strerror(-error));
	error = finish(&running, listen_to(&running), diag);
	close_fd(&running.job_fd);
	close_fd(&running.output_fd);
	close_fd(&running.complaint_fd);
	text_done(&running.complaint);
	return error;
}
