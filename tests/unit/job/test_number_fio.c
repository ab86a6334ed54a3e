/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number_fio: numbers as fio 3.33 was seen to read them (fio --debug=parse). */
#include "job/number_fio.h"

#include <errno.h>
#include <stddef.h>

#include "test.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S UINT64_C(1000000000)

static const struct {
	const char *text;
	unsigned kb_base;
	int ret;
	uint64_t bytes;
} sizes[] = {
	{ "1MiB", 1024, 0, 1000000 },
	{ "1MiBx", 1024, 0, 1000000 },
	{ "1kibi", 1024, 0, 1000 },
	{ "1mi", 1024, 0, 1048576 },
	{ "8ki", 1024, 0, 8192 },
	{ "1pib", 1024, 0, UINT64_C(1000000000000000) },
	{ "1MB", 1024, 0, 1048576 },
	{ "1MBx", 1024, 0, 1048576 },
	{ "1mx", 1024, 0, 1048576 },
	{ "10BX", 1024, 0, 10 },
	{ "1.5k", 1024, 0, 1 },
	{ "1e3", 1024, 0, 1 },
	{ "1e", 1024, 0, 1 },
	{ "1k,2k", 1024, 0, 2048 },
	{ "4k-8k", 1024, 0, 8192 },
	{ "-1", 1024, 0, 1 },
	{ "+5", 1024, 0, 5 },
	{ "0x10", 1024, 0, 16 },
	{ "0x10k", 1024, 0, 16 },
	{ "0x1fg", 1024, 0, 31 },
	{ "010", 1024, 0, 10 },
	{ "0b1", 1024, 0, 0 },
	{ " 8k", 1024, 0, 8 },
	{ "1g2", 1024, 0, 1073741824 },
	{ "50%", 1024, 0, 50 },
	{ "1kib", 1000, 0, 1024 },
	{ "1mib", 1000, 0, 1048576 },
	{ "1ki", 1000, 0, 1000 },
	{ "1m", 1000, 0, 1000000 },
	{ "abc", 1024, -EINVAL, 0 },
	{ "", 1024, -EINVAL, 0 },
	{ "5k-", 1024, -EINVAL, 0 },
	{ "5:", 1024, -EINVAL, 0 },
	{ "99999999999999999999", 1024, -ERANGE, 0 },
	{ "99999999999p", 1024, -ERANGE, 0 },
};

static void test_counts(void **state)
{
	uint64_t count = 0;

	(void)state;
	assert_int_equal(number_fio_count("4,9", 1024, &count), 0);
	assert_int_equal(count, 4);
	assert_int_equal(number_fio_count("1k-2k", 1024, &count), 0);
	assert_int_equal(count, 1024);
	assert_int_equal(number_fio_count("-3", 1024, &count), -EINVAL);
}

static void assert_read(const char *text, int ret, uint64_t value, int expected_ret,
			uint64_t expected)
{
	if (ret != expected_ret)
		fail_msg("%s: %d", text, ret);
	if (ret == 0 && value != expected)
		fail_msg("%s: %llu", text, (unsigned long long)value);
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t bytes = 0;
		int ret = number_fio_size(sizes[i].text, sizes[i].kb_base, &bytes);

		assert_read(sizes[i].text, ret, bytes, sizes[i].ret, sizes[i].bytes);
	}
}

static const struct {
	const char *text;
	uint64_t unit_ns;
	int ret;
	uint64_t ns;
} times[] = {
	{ "10", S, 0, 10 * S },
	{ "1s", S, 0, S },
	{ "1S", US, 0, S },
	{ "1m", S, 0, 60 * S },
	{ "1H", S, 0, 3600 * S },
	{ "1d", S, 0, 86400 * S },
	{ "10us", S, 0, 10 * US },
	{ "10useconds", S, 0, 10 * US },
	{ "10ms", S, 0, 10 * MS },
	{ "10msx", S, 0, 10 * MS },
	{ "10u", S, 0, 10 * US },
	{ "1min", S, 0, US },
	{ "1sec", S, 0, US },
	{ "2seconds", S, 0, 2 * US },
	{ "1hour", S, 0, US },
	{ "10ns", S, 0, 10 * US },
	{ "5e3", S, 0, 5 * US },
	{ "0x10", S, 0, 16 * US },
	{ "0.5", S, 0, 0 },
	{ "1.5s", S, 0, S },
	{ "1.5ms", S, 0, S },
	{ "1.5ms", US, 0, US },
	{ "5.5s", US, 0, 5 * US },
	{ " 5s", S, 0, 5 * S },
	{ " 5s", US, 0, 5 * US },
	{ "5 s", S, 0, 5 * S },
	{ "1-2", S, 0, 2 * S },
	{ "-1", S, 0, S },
	{ "5", MS, 0, 5 * MS },
	{ "1ms", MS, 0, 1048576 * MS },
	{ "1min", MS, 0, 1048576 * MS },
	{ "5s", MS, 0, 5 * MS },
	{ "5,s", S, -EINVAL, 0 },
	{ "abc", S, -EINVAL, 0 },
	{ "(2)", S, -EINVAL, 0 },
	{ "999999999999d", S, -ERANGE, 0 },
	{ "1t", MS, 0, (UINT64_C(1) << 40) * MS },
	{ "1p", MS, -ERANGE, 0 },
};

static void test_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint64_t ns = 0;
		int ret = number_fio_time(times[i].text, times[i].unit_ns, &ns);

		assert_read(times[i].text, ret, ns, times[i].ret, times[i].ns);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
