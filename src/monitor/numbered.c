/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numbered: sysfs folders with numbered entries, and one-word attributes. */
#include "monitor/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "monitor/scan.h"

static int compare_numbers(const void *a, const void *b)
{
	unsigned left = *(const unsigned *)a;
	unsigned right = *(const unsigned *)b;

	return (left > right) - (left < right);
}

size_t numbered_list(const char *folder, const char *prefix, unsigned **ret_numbers)
{
	VEC(unsigned) numbers = VEC_INIT;
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		struct scan name = scan_text(entry->d_name, strlen(entry->d_name));
		uint64_t number;

		if (scan_skip(&name, prefix) && scan_u64(&name, &number) && name.pos == name.end &&
		    number <= UINT32_MAX)
			vec_push(&numbers, (unsigned)number);
	}
	if (dir)
		(void)closedir(dir);
	if (numbers.nr)
		qsort(numbers.items, numbers.nr, sizeof(*numbers.items), compare_numbers);
	*ret_numbers = numbers.items;
	return numbers.nr;
}

bool sysfs_read_word(const char *path, char *buf, size_t len)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	do {
		got = read(fd, buf, len - 1);
	} while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	buf[got] = '\0';
	buf[strcspn(buf, " \t\n")] = '\0';
	return buf[0] != '\0';
}

bool sysfs_read_i64(const char *path, int64_t *ret_value)
{
	char buf[32];
	char *end;
	long long value;

	if (!sysfs_read_word(path, buf, sizeof(buf)))
		return false;
	errno = 0;
	value = strtoll(buf, &end, 10);
	if (errno || *end)
		return false;
	*ret_value = value;
	return true;
}
