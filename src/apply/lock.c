// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lock between runs: a flock on a file of the state directory. The process that
 * writes inherits the descriptor, so the lock lasts until that one is really gone.
 */
#include "apply/apply.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "sysfs/paths.h"
#include "util/clock.h"
#include "util/i18n.h"

/* A switch of a scheduler is a matter of grace periods (27 ms each); a run over many
   devices ends within this, one that hangs does not. */
#define LOCK_DEFAULT_MS 2000
#define LOCK_PAUSE_MS   20
/* From here on a person would wonder. */
#define LOCK_SAY_MS 500

static bool is_alive(pid_t holder)
{
	return holder > 0 && (kill(holder, 0) == 0 || errno == EPERM);
}

static int refuse(struct diag *diag, pid_t holder)
{
	if (is_alive(holder)) {
		diag_set(diag, -EWOULDBLOCK,
			 _("another run (process %ld) is changing devices; nothing was "
			   "changed"),
			 (long)holder);
		diag_hint(diag, _("wait until it has ended, then try again"));
	} else {
		diag_set(diag, -EWOULDBLOCK,
			 _("a write of a run that was ended has not come back from the "
			   "kernel; nothing was changed"));
		diag_hint(diag,
			  _("look for a device that hangs (dmesg), then try again"));
	}
	return -EWOULDBLOCK;
}

static int fail(struct diag *diag, int error)
{
	diag_set(diag, error,
		 _("no place for the lock and the journal: %s; nothing was changed"),
		 strerror(-error));
	diag_at(diag, "/" PATH_STATE_DIR, 0);
	if (error == -EROFS || error == -ENOSPC || error == -EDQUOT)
		diag_hint(
			diag,
			_("the state of before is kept there, so that restore can bring "
			  "it back; it has to be writable"));
	else if (error == -EACCES || error == -EPERM)
		diag_hint(diag, _("this needs root: try it with sudo"));
	return error;
}

int apply_lock_wait(const struct root *root, const struct apply_wait *wait,
		    struct apply_lock *ret, struct diag *diag)
{
	static const struct timespec pause = { .tv_nsec = LOCK_PAUSE_MS * 1000000L };
	unsigned timeout_ms =
		wait && wait->timeout_ms ? wait->timeout_ms : LOCK_DEFAULT_MS;
	int64_t waited_ms, begin_ms = clock_now_ms();
	bool is_said = !wait || !wait->say;
	pid_t holder = 0;
	int error, fd = -1;

	error = root_make_dir(root, PATH_STATE_DIR, 0700);
	if (error)
		return fail(diag, error);
	for (;;) {
		error = root_lock(root, PATH_LOCK, &fd, &holder);
		waited_ms = clock_now_ms() - begin_ms;
		if (error != -EWOULDBLOCK || waited_ms >= timeout_ms)
			break;
		if (!is_said && waited_ms >= LOCK_SAY_MS) {
			wait->say(is_alive(holder) ? holder : 0, timeout_ms);
			is_said = true;
		}
		nanosleep(&pause, NULL);
	}
	if (error == -EWOULDBLOCK)
		return refuse(diag, holder);
	if (error)
		return fail(diag, error);
	ret->fd = fd;
	return 0;
}

int apply_lock_take(const struct root *root, struct apply_lock *ret, struct diag *diag)
{
	return apply_lock_wait(root, NULL, ret, diag);
}

void apply_lock_release(struct apply_lock *lock)
{
	if (lock->fd < 0)
		return;
	/* Not by closing alone: a writer that was given up may hold a copy for long. */
	flock(lock->fd, LOCK_UN);
	close(lock->fd);
	lock->fd = -1;
}
