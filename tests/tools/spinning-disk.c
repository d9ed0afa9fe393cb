// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A disk with one arm, for an emulated machine: an NBD server that answers each read when a
 * mechanism would have, and in the order in which that would. It knows nothing of the
 * program's own models, so that something is shown where the two agree. What is read are
 * zeros; what is written is refused.
 *
 *	spinning-disk SOCKET GIBIBYTES
 *
 * The Unix socket is there when it listens. Ends with its only client, or with the process
 * that started it. Exit status: 0 the client has left, 1 failed, 2 usage.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/clock.h"
#include "util/number.h"

/* --- the mechanism: round figures of a desktop disk of 7200 revolutions a minute ---------- */

#define REVOLUTION_NS  8333333
#define TRACK_BYTES    (1u << 20)   /* of one revolution: 126 MB/s */
#define SEEK_SHORT_NS  800000
#define SEEK_LONG_NS   16000000     /* over all of it; a random one takes 8.9 ms */
/* One that waited so long is next, wherever it is. */
#define WAIT_MAX_NS    INT64_C(1000000000)
/* Requests that it chooses among. */
#define DEPTH_MAX      32

struct request {
	uint64_t cookie, from;
	uint32_t bytes;
	int64_t arrived_ns;
};

struct disk {
	int fd;                /* of the client */
	uint64_t size_bytes;
	struct request queue[DEPTH_MAX];
	unsigned count;
	struct request current;
	bool is_busy;
	int64_t end_ns;        /* of the current one */
	uint64_t head;         /* where the last one ended */
};

static int64_t seek_ns(const struct disk *disk, uint64_t from)
{
	uint64_t distance = from > disk->head ? from - disk->head : disk->head - from;

	if (distance < TRACK_BYTES)
		return 0;
	return SEEK_SHORT_NS + (int64_t)((SEEK_LONG_NS - SEEK_SHORT_NS) *
					 sqrt((double)distance / (double)disk->size_bytes));
}

/* Until its first byte is below the head. What lies behind the last read has been read ahead. */
static int64_t positioning_ns(const struct disk *disk, uint64_t from, int64_t at_ns)
{
	int64_t seek, there, wanted;

	if (from == disk->head)
		return 0;
	seek = seek_ns(disk, from);
	there = (at_ns + seek) % REVOLUTION_NS;
	wanted = (int64_t)(from % TRACK_BYTES) * REVOLUTION_NS / TRACK_BYTES;
	return seek + (wanted - there + REVOLUTION_NS) % REVOLUTION_NS;
}

/* The nearest in time, or the oldest when that waited too long. */
static unsigned choose(const struct disk *disk, int64_t at_ns)
{
	unsigned nearest = 0, oldest = 0;

	for (unsigned i = 1; i < disk->count; i++) {
		if (positioning_ns(disk, disk->queue[i].from, at_ns) <
		    positioning_ns(disk, disk->queue[nearest].from, at_ns))
			nearest = i;
		if (disk->queue[i].arrived_ns < disk->queue[oldest].arrived_ns)
			oldest = i;
	}
	return at_ns - disk->queue[oldest].arrived_ns > WAIT_MAX_NS ? oldest : nearest;
}

static int64_t now_ns(void)
{
	return (int64_t)clock_now_ns();
}

static void begin(struct disk *disk)
{
	int64_t begin_ns = now_ns();
	unsigned chosen = choose(disk, begin_ns);

	disk->current = disk->queue[chosen];
	disk->queue[chosen] = disk->queue[--disk->count];
	disk->end_ns = begin_ns + positioning_ns(disk, disk->current.from, begin_ns) +
		       (int64_t)disk->current.bytes * REVOLUTION_NS / TRACK_BYTES;
	disk->head = disk->current.from + disk->current.bytes;
	disk->is_busy = true;
}

/* --- the protocol: doc/proto.md of the project NBD ------------------------------------------ */

#define MAGIC_SERVER  UINT64_C(0x4e42444d41474943) /* "NBDMAGIC" */
#define MAGIC_OPTION  UINT64_C(0x49484156454f5054) /* "IHAVEOPT" */
#define MAGIC_REPLY   UINT64_C(0x0003e889045565a9)
#define MAGIC_REQUEST 0x25609513u
#define MAGIC_ANSWER  0x67446698u

enum { FLAG_FIXED_NEWSTYLE = 1 };
enum { OPTION_ABORT = 2, OPTION_INFO = 6, OPTION_GO = 7 };
enum { REPLY_ACK = 1, REPLY_INFO = 3 };
#define REPLY_UNSUPPORTED 0x80000001u
enum { COMMAND_READ, COMMAND_WRITE, COMMAND_DISCONNECT, COMMAND_FLUSH };
enum { DISK_HAS_FLAGS = 1, DISK_TAKES_FLUSH = 4 };

#define OPTION_BYTES_MAX  4096
#define REQUEST_BYTES_MAX (32u << 20)

struct __attribute__((packed)) option {
	uint64_t magic;
	uint32_t option, bytes;
};

struct __attribute__((packed)) option_reply {
	uint64_t magic;
	uint32_t option, type, bytes;
};

struct __attribute__((packed)) export_info {
	uint16_t type;
	uint64_t size_bytes;
	uint16_t flags;
};

struct __attribute__((packed)) wire_request {
	uint32_t magic;
	uint16_t flags, command;
	uint64_t cookie, from;
	uint32_t bytes;
};

struct __attribute__((packed)) answer {
	uint32_t magic, error;
	uint64_t cookie;
};

/* -ECONNRESET where the other side has left. */
static int read_all(int fd, void *data, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = read(fd, (char *)data + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ECONNRESET;
		done += (size_t)n;
	}
	return 0;
}

static int write_all(int fd, const void *data, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, (const char *)data + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return 0;
}

static int reply_to_option(int fd, uint32_t option, uint32_t type, const void *data, uint32_t len)
{
	struct option_reply reply = { .magic = htobe64(MAGIC_REPLY), .option = htonl(option),
				      .type = htonl(type), .bytes = htonl(len) };
	int error = write_all(fd, &reply, sizeof(reply));

	return error || !len ? error : write_all(fd, data, len);
}

static int offer(const struct disk *disk, uint32_t option)
{
	const struct export_info info = { .size_bytes = htobe64(disk->size_bytes),
					  .flags = htons(DISK_HAS_FLAGS | DISK_TAKES_FLUSH) };
	int error = reply_to_option(disk->fd, option, REPLY_INFO, &info, sizeof(info));

	return error ? error : reply_to_option(disk->fd, option, REPLY_ACK, NULL, 0);
}

/* Until the client has chosen the disk; all that it wants beside is refused. */
static int negotiate(const struct disk *disk)
{
	const uint64_t greeting[] = { htobe64(MAGIC_SERVER), htobe64(MAGIC_OPTION) };
	const uint16_t flags = htons(FLAG_FIXED_NEWSTYLE);
	char data[OPTION_BYTES_MAX];
	struct option option;
	uint32_t client_flags;
	int error = write_all(disk->fd, greeting, sizeof(greeting));

	if (!error)
		error = write_all(disk->fd, &flags, sizeof(flags));
	if (!error)
		error = read_all(disk->fd, &client_flags, sizeof(client_flags));
	while (!error) {
		uint32_t number, len;

		error = read_all(disk->fd, &option, sizeof(option));
		if (error)
			return error;
		number = ntohl(option.option);
		len = ntohl(option.bytes);
		if (be64toh(option.magic) != MAGIC_OPTION || len > sizeof(data))
			return -EPROTO;
		error = read_all(disk->fd, data, len);
		if (!error && number == OPTION_ABORT)
			return -ECONNRESET;
		if (!error && (number == OPTION_GO || number == OPTION_INFO))
			error = offer(disk, number);
		else if (!error)
			error = reply_to_option(disk->fd, number, REPLY_UNSUPPORTED, NULL, 0);
		if (number == OPTION_GO)
			return error;
	}
	return error;
}

static int answer_with(const struct disk *disk, uint64_t cookie, uint32_t error_number)
{
	const struct answer answer = { .magic = htonl(MAGIC_ANSWER), .cookie = cookie,
				       .error = htonl(error_number) };

	return write_all(disk->fd, &answer, sizeof(answer));
}

/* Data of a write, which goes nowhere. */
static int swallow(int fd, uint32_t bytes)
{
	char chunk[4096];
	int error = 0;

	while (bytes && !error) {
		uint32_t len = bytes < sizeof(chunk) ? bytes : sizeof(chunk);

		error = read_all(fd, chunk, len);
		bytes -= len;
	}
	return error;
}

static int take_request(struct disk *disk)
{
	struct wire_request wire;
	uint64_t from;
	uint32_t bytes;
	int error = read_all(disk->fd, &wire, sizeof(wire));

	if (error)
		return error;
	from = be64toh(wire.from);
	bytes = ntohl(wire.bytes);
	if (ntohl(wire.magic) != MAGIC_REQUEST || bytes > REQUEST_BYTES_MAX)
		return -EPROTO;
	switch (ntohs(wire.command)) {
	case COMMAND_READ:
		if (from > disk->size_bytes || bytes > disk->size_bytes - from)
			return answer_with(disk, wire.cookie, EINVAL);
		disk->queue[disk->count++] = (struct request){ .cookie = wire.cookie,
							       .from = from, .bytes = bytes,
							       .arrived_ns = now_ns() };
		return 0;
	case COMMAND_WRITE:
		error = swallow(disk->fd, bytes);
		return error ? error : answer_with(disk, wire.cookie, EPERM);
	case COMMAND_FLUSH:
		return answer_with(disk, wire.cookie, 0);
	case COMMAND_DISCONNECT:
		return -ECONNRESET;
	default:
		return answer_with(disk, wire.cookie, EINVAL);
	}
}

static int complete(struct disk *disk)
{
	static const char zeros[64 << 10];
	int error = answer_with(disk, disk->current.cookie, 0);

	for (uint32_t left = disk->current.bytes; left && !error;) {
		uint32_t len = left < sizeof(zeros) ? left : sizeof(zeros);

		error = write_all(disk->fd, zeros, len);
		left -= len;
	}
	disk->is_busy = false;
	return error;
}

/* Waits for a request, or the end of the current one. */
static int step(struct disk *disk)
{
	struct pollfd fd = { .fd = disk->fd, .events = disk->count < DEPTH_MAX ? POLLIN : 0 };
	int64_t left_ns = disk->is_busy ? disk->end_ns - now_ns() : 0;
	const struct timespec left = { .tv_sec = left_ns > 0 ? left_ns / 1000000000 : 0,
				       .tv_nsec = left_ns > 0 ? left_ns % 1000000000 : 0 };

	if (ppoll(&fd, 1, disk->is_busy ? &left : NULL, NULL) < 0)
		return errno == EINTR ? 0 : -errno;
	if (disk->is_busy && now_ns() >= disk->end_ns)
		return complete(disk);
	if (fd.revents & POLLIN)
		return take_request(disk);
	return fd.revents & (POLLHUP | POLLERR) ? -ECONNRESET : 0;
}

static int serve(struct disk *disk)
{
	int error = negotiate(disk);

	while (!error) {
		if (!disk->is_busy && disk->count)
			begin(disk);
		error = step(disk);
	}
	return error == -ECONNRESET || error == -EPIPE ? 0 : error;
}

/* It gets its name when it listens. */
static int listen_at(const char *path, int *ret)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (strlen(path) + sizeof(".new") > sizeof(address.sun_path))
		return -ENAMETOOLONG;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s.new", path);
	unlink(address.sun_path);
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, 1) < 0 || rename(address.sun_path, path) < 0)
		return -errno;
	*ret = TAKE_FD(fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct disk disk = { .fd = -1 };
	_close_ int listener = -1;
	uint64_t size_gib;
	int error;

	if (argc != 3 || number_parse_u64(argv[2], &size_gib) || !size_gib || size_gib > 65536) {
		fprintf(stderr, "usage: spinning-disk SOCKET GIBIBYTES\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	disk.size_bytes = size_gib << 30;
	error = listen_at(argv[1], &listener);
	if (!error)
		disk.fd = accept(listener, NULL, NULL);
	if (!error && disk.fd < 0)
		error = -errno;
	if (!error)
		error = serve(&disk);
	if (disk.fd >= 0)
		close(disk.fd);
	unlink(argv[1]);
	if (error)
		fprintf(stderr, "spinning-disk: %s\n", strerror(-error));
	return error ? 1 : 0;
}
