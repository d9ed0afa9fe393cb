// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starting another program, listening to it and ending it.
 */
#include "util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "util/clock.h"

/* Between two looks whether it has ended, while its pipes are open. */
#define TICK_MS 200
/* The same when nothing else tells of its end. */
#define NAP_MS 5
/* What its pipes still hold after its end is no more than that: 1 MiB is the most that an
   unprivileged process can make of one (pipe(7)). */
#define CHUNK_SIZE     16384
#define DRAIN_READ_MAX 64

enum { IN, OUT, ERR, STREAM_COUNT };

struct child {
	const struct child_command *command;
	pid_t pid;
	int fds[STREAM_COUNT]; /* our ends; -1: closed, or it has none */
	size_t input_done;     /* bytes */
	int64_t begin_ms;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* --- starting ------------------------------------------------------------------------- */

/* In the child, up to its program: only what is safe after a fork. An errno. */
static int become(const struct child_command *command, const int *fds, pid_t parent)
{
	char *const *argv = (char *const *)(uintptr_t)command->argv;
	char *const *environment = (char *const *)(uintptr_t)command->environment;
	sigset_t none;

	if (command->is_tied) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(127);
	}
	if (dup2(fds[IN], STDIN_FILENO) < 0 ||
	    dup2(fds[OUT] >= 0 ? fds[OUT] : STDERR_FILENO, STDOUT_FILENO) < 0 ||
	    (fds[ERR] >= 0 && dup2(fds[ERR], STDERR_FILENO) < 0))
		return errno;
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!environment)
		environment = environ;
	if (command->program)
		execve(command->program, argv, environment);
	else
		execvpe(argv[0], argv, environment);
	return errno;
}

/* The other end closes with exec, or says why there was none. */
static int read_start_error(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? -error : 0;
}

static int fork_child(struct child *child, const int *theirs)
{
	_close_ int reader = -1, writer = -1;
	pid_t parent = getpid();
	int fds[2], error;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	reader = fds[0];
	writer = fds[1];
	child->pid = fork();
	if (child->pid < 0)
		return -errno;
	if (!child->pid) {
		error = become(child->command, theirs, parent);
		if (write(writer, &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	close(TAKE_FD(writer));
	/* Also here: it may be killed before the child has done so. */
	if (child->command->is_tied)
		setpgid(child->pid, child->pid);
	error = read_start_error(reader);
	if (error)
		while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
			;
	return error;
}

static int start(struct child *child)
{
	const struct child_command *command = child->command;
	const bool is_wanted[STREAM_COUNT] = { true, command->output, command->messages };
	int theirs[STREAM_COUNT] = { -1, -1, -1 }, error = 0;

	for (unsigned i = 0; i < STREAM_COUNT && !error; i++) {
		int fds[2];

		if (!is_wanted[i])
			continue;
		if (pipe2(fds, O_CLOEXEC) < 0) {
			error = -errno;
			break;
		}
		theirs[i] = fds[i == IN ? 0 : 1];
		child->fds[i] = fds[i == IN ? 1 : 0];
		fcntl(child->fds[i], F_SETFL, O_NONBLOCK);
	}
	if (!error)
		error = fork_child(child, theirs);
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		close_fd(&theirs[i]);
	if (!command->input || !command->input->len)
		close_fd(&child->fds[IN]);
	return error;
}

/* --- listening ------------------------------------------------------------------------ */

static void give_input(struct child *child)
{
	const struct text *input = child->command->input;
	ssize_t n = write(child->fds[IN], input->data + child->input_done,
			  input->len - child->input_done);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		child->input_done += (size_t)n;
	/* One that closed its input ends by itself. */
	if (n < 0 || child->input_done == input->len)
		close_fd(&child->fds[IN]);
}

/* 1: there may be more; 0: not now. */
static int take(struct child *child, unsigned stream)
{
	const struct child_command *command = child->command;
	struct text *text = stream == OUT ? command->output : command->messages;
	size_t max = stream == OUT ? command->output_max : command->messages_max;
	char chunk[CHUNK_SIZE];
	ssize_t n = read(child->fds[stream], chunk, sizeof(chunk));
	size_t room;

	if (n < 0 && errno == EINTR)
		return 1;
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n <= 0) {
		close_fd(&child->fds[stream]);
		return 0;
	}
	room = text->len < max ? max - text->len : 0;
	text_add_bytes(text, chunk, (size_t)n < room ? (size_t)n : room);
	if (text->error)
		return text->error;
	return stream == OUT && (size_t)n > room ? -EFBIG : 1;
}

static int poll_streams(struct child *child, int timeout_ms)
{
	const struct held_signals *signals = child->command->signals;
	struct pollfd fds[STREAM_COUNT + 1] = {
		[IN] = { .fd = child->fds[IN], .events = POLLOUT },
		[OUT] = { .fd = child->fds[OUT], .events = POLLIN },
		[ERR] = { .fd = child->fds[ERR], .events = POLLIN },
		[STREAM_COUNT] = { .fd = signals ? signals->fd : -1, .events = POLLIN },
	};
	int error = 0;

	if (poll(fds, ARRAY_SIZE(fds), timeout_ms) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[IN].revents)
		give_input(child);
	for (unsigned i = OUT; i <= ERR && error >= 0; i++)
		if (fds[i].revents)
			error = take(child, i);
	return error < 0 ? error : 0;
}

/* It stays to be waited for, and its number and that of its group are nobody else's. */
static bool has_ended(const struct child *child)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0
		       ? errno != EINTR
		       : info.si_pid == child->pid;
}

static int listen_once(struct child *child, bool *ret_has_ended)
{
	const struct child_command *command = child->command;
	bool is_heard = child->fds[OUT] >= 0 || child->fds[ERR] >= 0;
	uint64_t passed_ms;
	int error = poll_streams(child, is_heard ? TICK_MS : NAP_MS);

	if (error)
		return error;
	if (command->signals && signals_check(command->signals))
		return -EINTR;
	*ret_has_ended = has_ended(child);
	passed_ms = (uint64_t)(clock_now_ms() - child->begin_ms);
	if (!*ret_has_ended && command->limit_ms && passed_ms > command->limit_ms)
		return -ETIME;
	if (command->on_tick)
		command->on_tick(command->context, (double)passed_ms / 1000);
	return 0;
}

/* What it said before its end; whoever else holds the pipe is not waited for. */
static int drain(struct child *child)
{
	int more = 1;

	for (unsigned i = OUT; i <= ERR && more >= 0; i++) {
		more = child->fds[i] >= 0;
		for (unsigned n = 0; more > 0 && n < DRAIN_READ_MAX; n++)
			more = child->fds[i] >= 0 ? take(child, i) : 0;
	}
	return more < 0 ? more : 0;
}

/* Nobody looks at anything but its end. */
static bool is_only_waited_for(const struct child *child)
{
	const struct child_command *command = child->command;

	return !command->output && !command->messages && !command->limit_ms &&
	       !command->signals && !command->on_tick && child->fds[IN] < 0;
}

static int listen_to(struct child *child)
{
	bool is_over = is_only_waited_for(child);
	int error = 0;

	while (!error && !is_over)
		error = listen_once(child, &is_over);
	return error;
}

/* --- the end -------------------------------------------------------------------------- */

static void end(const struct child *child, bool is_given_up)
{
	if (child->command->is_tied)
		kill(-child->pid, SIGKILL);
	else if (is_given_up)
		kill(child->pid, SIGKILL);
}

static void describe(int status, struct child_end *ret)
{
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	ret->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	ret->is_running = false;
}

/* A process that the kernel holds in a request cannot be waited for without end. */
static void wait_for_end(const struct child *child, struct child_end *ret)
{
	const struct timespec nap = { .tv_nsec = NAP_MS * 1000000 };
	int64_t end_ms = clock_now_ms() + child->command->farewell_ms;
	int status;

	*ret = (struct child_end){ .status = -1, .is_running = true };
	while (ret->is_running && clock_now_ms() <= end_ms) {
		pid_t ended = waitpid(child->pid, &status, WNOHANG);

		if (ended == child->pid)
			describe(status, ret);
		else if (ended < 0 && errno != EINTR)
			ret->is_running = false; /* somebody else took its status */
		else
			nanosleep(&nap, NULL);
	}
}

static int finish(struct child *child, int error, struct child_end *ret)
{
	int status;

	if (!error && is_only_waited_for(child)) {
		while (waitpid(child->pid, &status, 0) < 0)
			if (errno != EINTR)
				return -errno;
		describe(status, ret);
		return 0;
	}
	end(child, error);
	if (!error)
		error = drain(child);
	wait_for_end(child, ret);
	return error;
}

int child_run(const struct child_command *command, struct child_end *ret)
{
	struct child child = { .command = command,
			       .fds = { -1, -1, -1 },
			       .begin_ms = clock_now_ms() };
	int error = start(&child);

	if (!error)
		error = finish(&child, listen_to(&child), ret);
	for (unsigned i = 0; i < STREAM_COUNT; i++)
		close_fd(&child.fds[i]);
	return error;
}
