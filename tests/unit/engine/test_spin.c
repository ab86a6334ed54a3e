/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a wait spins before it sleeps: misses hold the next ones back, one CPU never spins. */
#include "engine/spin.h"

#include <sched.h>

#include "test.h"

/* Waits without a spin until the next one that may. */
static unsigned waits_off(struct spin *spin)
{
	unsigned nr = 0;

	while (!spin_allowed(spin))
		nr++;
	return nr;
}

static void misses_double_the_pause(void **state)
{
	static const unsigned expected[] = { 1, 3, 7, 15, 31, 63, 127, 127, 127 };
	struct spin spin = { .limit = 10 };

	(void)state;
	assert_int_equal(waits_off(&spin), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		spin_learn(&spin, false);
		assert_int_equal(waits_off(&spin), expected[i]);
	}
	spin_learn(&spin, true);
	assert_int_equal(waits_off(&spin), 0);
	spin_learn(&spin, false);
	assert_int_equal(waits_off(&spin), 1);
}

static void one_cpu_never_spins(void **state)
{
	struct spin spin;
	cpu_set_t before, one;
	int cpu = 0;

	(void)state;
	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		skip();
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	spin_init(&spin);
	assert_int_equal(spin.limit, 0);
	assert_false(spin_allowed(&spin));
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	spin_init(&spin);
	if (CPU_COUNT(&before) > 1)
		assert_true(spin.limit > 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(misses_double_the_pause),
		cmocka_unit_test(one_cpu_never_spins),
	};

	return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
