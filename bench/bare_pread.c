/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bare_pread: reads random blocks of a file or device with pread(2) and O_DIRECT, with nothing
 * around the call: no clock, no statistics. What an I/O program can reach at best.
 *
 *	bare_pread FILE SECONDS [BLOCK_BYTES]
 *
 * Prints "reads_per_sec usr_ns_per_read sys_ns_per_read".
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define READS_BETWEEN_CLOCKS 1024

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double timeval_ns(struct timeval time)
{
	return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

/* Marsaglia 2003, "Xorshift RNGs". */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t read_some(int fd, void *buf, size_t block_bytes, uint64_t nr_blocks)
{
	static uint64_t state = 88172645463325252;

	for (unsigned i = 0; i < READS_BETWEEN_CLOCKS; i++) {
		uint64_t block =
			(uint64_t)((unsigned __int128)next_random(&state) * nr_blocks >> 64);

		if (pread(fd, buf, block_bytes, (off_t)(block * block_bytes)) !=
		    (ssize_t)block_bytes)
			err(1, "pread");
	}
	return READS_BETWEEN_CLOCKS;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
	size_t block_bytes = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 4096;
	struct rusage usage;
	uint64_t nr_blocks, nr = 0;
	double begin_s, elapsed_s;
	off_t size_bytes;
	void *buf;
	int fd;

	if (argc < 2 || block_bytes == 0)
		errx(2, "usage: bare_pread FILE SECONDS [BLOCK_BYTES]");
	fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		err(1, "open %s", argv[1]);
	size_bytes = lseek(fd, 0, SEEK_END);
	nr_blocks = size_bytes > 0 ? (uint64_t)size_bytes / block_bytes : 0;
	if (nr_blocks == 0 || posix_memalign(&buf, 4096, block_bytes) != 0)
		errx(1, "%s: nothing to read", argv[1]);
	begin_s = now_s();
	do {
		nr += read_some(fd, buf, block_bytes, nr_blocks);
		elapsed_s = now_s() - begin_s;
	} while (elapsed_s < seconds);
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("%.0f %.1f %.1f\n", (double)nr / elapsed_s, timeval_ns(usage.ru_utime) / (double)nr,
	       timeval_ns(usage.ru_stime) / (double)nr);
	free(buf);
	(void)close(fd);
	return 0;
}
